//===- TensorFieldLowering.h - what the fields of a tensor mean -----------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As `fields` in the models say:
//
//   t->ne[1]       %2 = ggml_ne self=%1 dim=...
//   image.rows     %2 = size self=%1 dim=0
//   if (t)         %3 = defined self=%1
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_LIBRARY_TENSORFIELDLOWERING_H
#define TENSORTIDY_FRONTEND_LIBRARY_TENSORFIELDLOWERING_H

#include "Program/Program.h"

namespace clang {
class Expr;
class MemberExpr;
} // namespace clang

namespace tensortidy::models {
struct FieldApi;
} // namespace tensortidy::models

namespace tensortidy::frontend {

class ConstantMaker;
class FunctionBuilder;
class Lowerer;
class PlaceFinder;
class Types;
class UnitTable;

/// A field of a class that a model calls a tensor.
const clang::MemberExpr *tensorField(const clang::Expr *E, Types &Kinds);
/// Whether assigning to \p Target changes the layout of a tensor.
bool isLayoutField(const clang::Expr *Target, Types &Kinds);

class TensorFieldLowering {
public:
  TensorFieldLowering(UnitTable &Unit, Types &Kinds, FunctionBuilder &Build,
                      PlaceFinder &Places, ConstantMaker &Constants,
                      Lowerer &Lower)
      : Unit(Unit), Kinds(Kinds), Build(Build), Places(Places),
        Constants(Constants), Lower(Lower) {}

  /// False: \p E is no such field.
  bool field(const clang::Expr *E, program::ValueId &Result);
  /// Whether a pointer to a tensor is not null.
  program::ValueId isDefined(const clang::Expr *Tensor, const clang::Expr *At);

  /// The tensor whose field \p M is.
  program::ValueId tensor(const clang::MemberExpr &M);

private:
  program::ValueId ask(const models::FieldApi &F, const clang::MemberExpr &M,
                       program::ValueId Index, const clang::Expr *At);

  UnitTable &Unit;
  Types &Kinds;
  FunctionBuilder &Build;
  PlaceFinder &Places;
  ConstantMaker &Constants;
  Lowerer &Lower;
};

} // namespace tensortidy::frontend

#endif
