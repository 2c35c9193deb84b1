//===- KnownObjects.h - what methods know of their object -------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module of the user's own runs its forward(), which knows what the
// constructor of this object was given:
//
//   inner = register_module("inner", Inner(10, 20));
//   inner(x)                         store $*inner.from %1    (10)
//                                    store $*inner.to %2      (20)
//                                    %4 = opaque "forward" %3 -> its body
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_MODULES_KNOWNOBJECTS_H
#define TENSORTIDY_FRONTEND_MODULES_KNOWNOBJECTS_H

#include "Frontend/Modules/ModuleReader.h"
#include "Program/Inline.h"

namespace tensortidy::frontend {

class FunctionBuilder;
class PlaceFinder;
class SettingLowering;
class Types;
class VariableTable;

class KnownObjects {
public:
  KnownObjects(Types &Kinds, FunctionBuilder &Build, VariableTable &Vars,
               PlaceFinder &Places, SettingLowering &Settings,
               ModuleReader &Modules)
      : Kinds(Kinds), Build(Build), Vars(Vars), Places(Places),
        Settings(Settings), Modules(Modules) {}

  /// `inner(x)`, `inner->forward(x)`, `inner.forward(x)` of a module of the
  /// user's: \p To learns what its constructor was given.
  void know(const CallSite &C, program::Call &To);
  /// The methods of \p Object, of class \p M.Users, know what its constructor
  /// was given: numbers, and objects' fields that are.
  void give(const ModuleSpec &M, program::VarId Object, const clang::Expr &At);

private:
  Types &Kinds;
  FunctionBuilder &Build;
  VariableTable &Vars;
  PlaceFinder &Places;
  SettingLowering &Settings;
  ModuleReader &Modules;
};

} // namespace tensortidy::frontend

#endif
