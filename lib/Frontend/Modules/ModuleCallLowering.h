//===- ModuleCallLowering.h - what calling a module does --------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module whose construction can be seen is the operation that it stands for,
// with the settings it was made with:
//
//   torch::nn::Linear fc(784, 10);              %2 = weight size=[10, 784]
//   fc(x)                                       %3 = linear input=%1 weight=%2
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_MODULES_MODULECALLLOWERING_H
#define TENSORTIDY_FRONTEND_MODULES_MODULECALLLOWERING_H

#include "Frontend/Modules/ModuleReader.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace tensortidy::frontend {

class CallCounter;
class ConstantMaker;
class FunctionBuilder;
class KnownObjects;
class Lowerer;
class SettingLowering;
class Surroundings;
class Types;
class UnitTable;
class VariableTable;

class ModuleCallLowering {
  using ValueId = program::ValueId;

public:
  ModuleCallLowering(clang::ASTContext &Context, UnitTable &Unit, Types &Kinds,
                     Surroundings &Around, FunctionBuilder &Build,
                     VariableTable &Vars, ConstantMaker &Constants,
                     SettingLowering &Settings, ModuleReader &Modules,
                     KnownObjects &Known, CallCounter &Counts, Lowerer &Lower)
      : Context(Context), Unit(Unit), Kinds(Kinds), Around(Around),
        Build(Build), Vars(Vars), Constants(Constants), Settings(Settings),
        Modules(Modules), Known(Known), Counts(Counts), Lower(Lower) {}

  /// A call of a library's module whose settings are known.
  bool call(const CallSite &C, ValueId &Result);

private:
  ValueId run(const ModuleSpec &M, ValueId X, const clang::Expr &At);
  bool recurrent(const ModuleSpec &M, const CallSite &C, ValueId &Result);
  bool attention(const ModuleSpec &M, const CallSite &C, ValueId &Result);
  ValueId functional(const ModuleSpec &M, ValueId X, const clang::Expr &At);
  ValueId apply(const ModuleSpec &M, ValueId X, const clang::Expr &At);

  clang::ASTContext &Context;
  UnitTable &Unit;
  Types &Kinds;
  Surroundings &Around;
  FunctionBuilder &Build;
  VariableTable &Vars;
  ConstantMaker &Constants;
  SettingLowering &Settings;
  ModuleReader &Modules;
  KnownObjects &Known;
  CallCounter &Counts;
  Lowerer &Lower;
};

} // namespace tensortidy::frontend

#endif
