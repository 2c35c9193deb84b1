//===- StoreLowering.h - what is put into places ----------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A store to a variable, to the fields of an object, to an element of memory or
// somewhere inside of a container; and what a move leaves behind.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_BUILD_STORELOWERING_H
#define TENSORTIDY_FRONTEND_BUILD_STORELOWERING_H

#include "Frontend/Build/PlaceFinder.h"
#include "clang/AST/Type.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace tensortidy::frontend {

class FunctionBuilder;
class Lowerer;
class RecordLowering;
class Types;
class VariableTable;

class StoreLowering {
  using ValueId = program::ValueId;

public:
  StoreLowering(clang::ASTContext &Context, Types &Kinds,
                FunctionBuilder &Build, VariableTable &Vars,
                PlaceFinder &Places, RecordLowering &Records, Lowerer &Lower)
      : Context(Context), Kinds(Kinds), Build(Build), Vars(Vars),
        Places(Places), Records(Records), Lower(Lower) {}

  /// \p Element: what is assigned inside of a container, where it has a value.
  void storeTo(Place P, ValueId V, const clang::Expr *At, ValueId Element = 0);
  /// `p[i] = v` through a raw pointer, an accessor or into a vector says where,
  /// too.
  void storeElement(const clang::Expr *Target, ValueId V,
                    const clang::Expr *At);
  /// `std::move(x)` handed to a move leaves x without a tensor, or elements.
  void movedFrom(const clang::Expr *Source);
  /// `int n = x.numel();`: 64 bits become 32.
  void noteNarrowing(const clang::Expr &E, clang::QualType To, ValueId V);

private:
  clang::ASTContext &Context;
  Types &Kinds;
  FunctionBuilder &Build;
  VariableTable &Vars;
  PlaceFinder &Places;
  RecordLowering &Records;
  Lowerer &Lower;
};

} // namespace tensortidy::frontend

#endif
