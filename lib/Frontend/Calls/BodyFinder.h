//===- BodyFinder.h - calls whose body can be seen --------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An opaque statement names the body that it runs, where that is known, and
// what its parameters and its `this` are bound to (Program/Inline.h).
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_CALLS_BODYFINDER_H
#define TENSORTIDY_FRONTEND_CALLS_BODYFINDER_H

#include "Frontend/Ast/CallSite.h"
#include "Program/Inline.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace tensortidy::frontend {

class ConstantMaker;
class FunctionBuilder;
class KnownObjects;
class Lowerer;
class PlaceFinder;
class Surroundings;
class Types;
class UnitTable;

class BodyFinder {
public:
  BodyFinder(clang::ASTContext &Context, UnitTable &Unit, Types &Kinds,
             Surroundings &Around, FunctionBuilder &Build, PlaceFinder &Places,
             ConstantMaker &Constants, KnownObjects &Known, Lowerer &Lower)
      : Context(Context), Unit(Unit), Kinds(Kinds), Around(Around),
        Build(Build), Places(Places), Constants(Constants), Known(Known),
        Lower(Lower) {}

  /// The body that \p C runs, bound to what is \p Passed; null: not known.
  std::shared_ptr<const program::Call>
  bodyOf(const CallSite &C, llvm::ArrayRef<program::Arg> Passed);
  /// The function a call is known to run, when its body may be looked into; \p
  /// To learns what `this` is in it.
  const clang::FunctionDecl *followed(const CallSite &C, program::Call &To);

private:
  program::Binding bind(const clang::Expr *E, clang::QualType Param);

  clang::ASTContext &Context;
  UnitTable &Unit;
  Types &Kinds;
  Surroundings &Around;
  FunctionBuilder &Build;
  PlaceFinder &Places;
  ConstantMaker &Constants;
  KnownObjects &Known;
  Lowerer &Lower;
};

} // namespace tensortidy::frontend

#endif
