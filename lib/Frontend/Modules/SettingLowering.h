//===- SettingLowering.h - numbers that a constructor was given -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   struct Net : torch::nn::Module {
//     Net(int64_t n) : n(n) { ... Linear(n, 2 * n) ... }
//
// What objects of the class have in common is not the number but how it was
// computed: the constructor's parameter is a variable of the object.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_MODULES_SETTINGLOWERING_H
#define TENSORTIDY_FRONTEND_MODULES_SETTINGLOWERING_H

#include "Program/Program.h"

namespace clang {
class ASTContext;
class Expr;
class FieldDecl;
class FunctionDecl;
} // namespace clang

namespace tensortidy::frontend {

class FunctionBuilder;
class Types;
class UnitTable;
class VariableTable;

class SettingLowering {
public:
  SettingLowering(const clang::FunctionDecl &Fn, clang::ASTContext &Context,
                  UnitTable &Unit, Types &Kinds, FunctionBuilder &Build,
                  VariableTable &Vars)
      : Fn(Fn), Context(Context), Unit(Unit), Kinds(Kinds), Build(Build),
        Vars(Vars) {}

  /// A setting's value: numbers, lists of them, what the constructor was given,
  /// locals that do not change, and what is computed of those.
  program::ValueId value(const clang::Expr *E, const clang::Expr *At,
                         unsigned Depth = 0);
  /// A variable for what the constructor of this object was given, or a field
  /// of that; NoId when \p E names something else.
  program::VarId givenVar(const clang::Expr *E, unsigned Depth = 0);
  /// The field of the object itself that \p E names, if others leave it as its
  /// constructor made it.
  const clang::FieldDecl *ownField(const clang::Expr *E);
  /// Whether \p F belongs to a module, whose other methods can be seen.
  bool isModuleField(const clang::FieldDecl &F);

private:
  const clang::FunctionDecl &Fn;
  clang::ASTContext &Context;
  UnitTable &Unit;
  Types &Kinds;
  FunctionBuilder &Build;
  VariableTable &Vars;
};

} // namespace tensortidy::frontend

#endif
