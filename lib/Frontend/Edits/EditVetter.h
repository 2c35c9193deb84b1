//===- EditVetter.h - which text edits a statement allows -------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fix-it is right only where the text allows it; whether the program allows
// it is for the analysis to say. When in doubt a bit stays clear.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_EDITS_EDITVETTER_H
#define TENSORTIDY_FRONTEND_EDITS_EDITVETTER_H

#include "Frontend/Ast/CallSite.h"

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace tensortidy::frontend {

class Surroundings;
class Types;
struct BodyScan;

class EditVetter {
public:
  EditVetter(const clang::FunctionDecl &Fn, clang::ASTContext &Context,
             Types &Kinds, const BodyScan &Scan, Surroundings &Around)
      : Fn(Fn), Context(Context), Kinds(Kinds), Scan(Scan), Around(Around) {}

  /// What may be done to the text of \p C, whose name is at \p Callee.
  uint8_t vet(const CallSite &C, program::Range Callee) const;
  /// The declaration that \p Init initialises may move before the loop: alone
  /// in its statement, directly in the loop's own block, of plain type, and its
  /// name means nothing else in this function.
  bool mayHoist(const clang::Expr &Init) const;
  /// `x.f(...);` may be written `x = x.f(...);`: x names a tensor that can be
  /// assigned and outlives the statement.
  bool mayAssignBack(const CallSite &C);

private:
  bool mayDrop(const CallSite &C) const;
  bool mayDropNode(const CallSite &C) const;

  const clang::FunctionDecl &Fn;
  clang::ASTContext &Context;
  Types &Kinds;
  const BodyScan &Scan;
  Surroundings &Around;
};

} // namespace tensortidy::frontend

#endif
