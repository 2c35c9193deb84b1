//===- ExpressionLowering.h - the value of each expression ------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every expression has one value, made when the CFG evaluates it; names of
// variables are read late, by the expression that uses them.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_LOWER_EXPRESSIONLOWERING_H
#define TENSORTIDY_FRONTEND_LOWER_EXPRESSIONLOWERING_H

#include "Frontend/Build/Lowerer.h"
#include "llvm/ADT/DenseMap.h"

namespace clang {
class ASTContext;
class ArraySubscriptExpr;
class CXXOperatorCallExpr;
class CXXThrowExpr;
class ConditionalOperator;
class Expr;
} // namespace clang

namespace tensortidy::frontend {

class CallLowering;
class ConstantMaker;
class FunctionBuilder;
class MemberLowering;
class ObjectLowering;
class OperatorLowering;
class PlaceFinder;
class RecordLowering;
class TensorFieldLowering;
class VariableTable;
class Types;
struct BodyScan;

class ExpressionLowering final : public Lowerer {
  using ValueId = program::ValueId;

public:
  ExpressionLowering(clang::ASTContext &Context, Types &Kinds,
                     const BodyScan &Scan, FunctionBuilder &Build,
                     VariableTable &Vars, PlaceFinder &Places,
                     ConstantMaker &Constants, RecordLowering &Records,
                     MemberLowering &Members, TensorFieldLowering &TensorFields,
                     OperatorLowering &Operators, ObjectLowering &Objects,
                     CallLowering &Calls)
      : Context(Context), Kinds(Kinds), Scan(Scan), Build(Build), Vars(Vars),
        Places(Places), Constants(Constants), Records(Records),
        Members(Members), TensorFields(TensorFields), Operators(Operators),
        Objects(Objects), Calls(Calls) {}

  ValueId value(const clang::Expr *E) override;
  ValueId condition(const clang::Expr *E) override;
  /// Whether \p E has its value already.
  bool has(const clang::Expr *E) const { return Values.count(E); }

private:
  ValueId lower(const clang::Expr *E);
  ValueId named(const clang::Expr *E);
  ValueId operatorCall(const clang::CXXOperatorCallExpr &E);
  ValueId choice(const clang::ConditionalOperator &E);
  ValueId subscript(const clang::ArraySubscriptExpr &E);
  std::optional<ValueId> literal(const clang::Expr *E);
  ValueId throws(const clang::CXXThrowExpr &E);
  void noteSeen(ValueId V, llvm::StringRef DType, const clang::Expr *At);

  clang::ASTContext &Context;
  Types &Kinds;
  const BodyScan &Scan;
  FunctionBuilder &Build;
  VariableTable &Vars;
  PlaceFinder &Places;
  ConstantMaker &Constants;
  RecordLowering &Records;
  MemberLowering &Members;
  TensorFieldLowering &TensorFields;
  OperatorLowering &Operators;
  ObjectLowering &Objects;
  CallLowering &Calls;

  llvm::DenseMap<const clang::Expr *, ValueId> Values;
};

} // namespace tensortidy::frontend

#endif
