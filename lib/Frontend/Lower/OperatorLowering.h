//===- OperatorLowering.h - operators that are built in ---------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic, comparisons, increments, addresses; of anything else only the
// operands are known.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_LOWER_OPERATORLOWERING_H
#define TENSORTIDY_FRONTEND_LOWER_OPERATORLOWERING_H

#include "Program/Program.h"

namespace clang {
class ASTContext;
class BinaryOperator;
class Expr;
class UnaryOperator;
} // namespace clang

namespace tensortidy::frontend {

class AssignmentLowering;
class FunctionBuilder;
class Lowerer;
class PlaceFinder;
class RecordLowering;
class StoreLowering;
class TensorFieldLowering;
class Types;
class VariableTable;
struct BodyScan;

class OperatorLowering {
  using ValueId = program::ValueId;

public:
  OperatorLowering(clang::ASTContext &Context, Types &Kinds,
                   const BodyScan &Scan, FunctionBuilder &Build,
                   VariableTable &Vars, PlaceFinder &Places,
                   RecordLowering &Records, StoreLowering &Stores,
                   AssignmentLowering &Assignments,
                   TensorFieldLowering &TensorFields, Lowerer &Lower)
      : Context(Context), Kinds(Kinds), Scan(Scan), Build(Build), Vars(Vars),
        Places(Places), Records(Records), Stores(Stores),
        Assignments(Assignments), TensorFields(TensorFields), Lower(Lower) {}

  ValueId unary(const clang::UnaryOperator &E);
  ValueId binary(const clang::BinaryOperator &E);
  /// Anything else depends on its operands and is not known.
  ValueId other(const clang::Expr &E);
  /// `&p[i]`, which is p + i, of a pointer, an accessor or a span; 0 for the
  /// address of anything else.
  ValueId addressOf(const clang::Expr *E, const clang::Expr *At);

private:
  program::ValueId addressOfVariable(const clang::UnaryOperator &E);

  clang::ASTContext &Context;
  Types &Kinds;
  const BodyScan &Scan;
  FunctionBuilder &Build;
  VariableTable &Vars;
  PlaceFinder &Places;
  RecordLowering &Records;
  StoreLowering &Stores;
  AssignmentLowering &Assignments;
  TensorFieldLowering &TensorFields;
  Lowerer &Lower;
};

} // namespace tensortidy::frontend

#endif
