//===- ModulePlaces.h - where a module is, and of which type ----*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the parameters of a module are is kept with the object that its holder
// points to, and compared with what the module is called on. So is the element
// type that they were converted to:
//
//   Net net;                       %1 = placed device=%cpu   store $*net %1
//   net->to(at::kCUDA);            %2 = placed device=%cuda self=%1
//                                  store $*net %2
//   net->forward(x)                %4 = load $*net
//                                  enters module=%4 %x
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_MODULES_MODULEPLACES_H
#define TENSORTIDY_FRONTEND_MODULES_MODULEPLACES_H

#include "Frontend/Modules/ModuleReader.h"

namespace tensortidy::frontend {

class FunctionBuilder;
class Lowerer;
class PlaceFinder;
class SettingLowering;
class UnitTable;
class VariableTable;

class ModulePlaces {
  using ValueId = program::ValueId;
  using VarId = program::VarId;

public:
  ModulePlaces(UnitTable &Unit, Types &Kinds, FunctionBuilder &Build,
               VariableTable &Vars, PlaceFinder &Places,
               SettingLowering &Settings, ModuleReader &Modules, Lowerer &Lower)
      : Unit(Unit), Kinds(Kinds), Build(Build), Vars(Vars), Places(Places),
        Settings(Settings), Modules(Modules), Lower(Lower) {}

  /// \p V holds a module that was made here, or loaded to a device.
  void made(const clang::VarDecl &V);
  /// \p C is about to run a module.
  void enters(const CallSite &C);
  /// \p C is about to change what an optimizer was given.
  void steps(const CallSite &C);
  /// \p C is about to put a handle of a module's tensor by, instead of a copy.
  void remembers(const CallSite &C);
  /// \p C has moved a module.
  void moved(const CallSite &C);

private:
  void runs(const CallSite &C);
  const clang::Expr *staysBehind(const CallSite &C,
                                 const clang::CXXRecordDecl *Class);
  ValueId madeHere(const clang::Expr &Made, llvm::StringRef Member);
  VarId object(const CallSite &C);
  void put(VarId Object, ValueId Device, ValueId Type, const clang::Expr &At);
  bool meetsInput(const clang::Expr *M, const clang::CXXRecordDecl *Class,
                  unsigned Depth = 0);

  UnitTable &Unit;
  Types &Kinds;
  FunctionBuilder &Build;
  VariableTable &Vars;
  PlaceFinder &Places;
  SettingLowering &Settings;
  ModuleReader &Modules;
  Lowerer &Lower;
};

} // namespace tensortidy::frontend

#endif
