//===- RecordLowering.h - objects of the user's classes ---------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A variable of a class has a variable for each of its fields. A value of one,
// on its way from one variable to another, is the list of what they hold:
//
//   struct Heads { at::Tensor q; int64_t n; };
//   Heads h{x.t(), 4};           store $h.q %1, store $h.n %2
//   Heads g = h;                 %3 = load $h.q ... store $g.q %3 ...
//   return g;                    %7 = list %5 %6, return %7
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_BUILD_RECORDLOWERING_H
#define TENSORTIDY_FRONTEND_BUILD_RECORDLOWERING_H

#include "Program/Program.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/DenseMap.h"

namespace clang {
class Expr;
class FieldDecl;
class InitListExpr;
class MemberExpr;
class Stmt;
} // namespace clang

namespace tensortidy::frontend {

class ConstantMaker;
class FunctionBuilder;
class Lowerer;
class Types;
class VariableTable;
class ViewLowering;

class RecordLowering {
  using ValueId = program::ValueId;
  using VarId = program::VarId;

public:
  RecordLowering(Types &Kinds, FunctionBuilder &Build, VariableTable &Vars,
                 ConstantMaker &Constants, ViewLowering &Views, Lowerer &Lower)
      : Kinds(Kinds), Build(Build), Vars(Vars), Constants(Constants),
        Views(Views), Lower(Lower) {}

  /// The object of type \p T with these fields.
  ValueId whole(llvm::SmallVector<ValueId, 8> Fields, clang::QualType T,
                const clang::Stmt *At);
  /// What \p V, of type \p T, holds.
  ValueId read(VarId V, clang::QualType T, const clang::Stmt *At);
  /// Makes \p Whole what \p V, of type \p T, holds; or \p Binds a reference.
  void write(VarId V, clang::QualType T, ValueId Whole, const clang::Stmt *At,
             bool Binds = false);
  /// Field \p I of the object \p Whole; 0 when nothing is known of it.
  ValueId part(ValueId Whole, unsigned I, clang::QualType T,
               const clang::Stmt *At);
  /// `f(x).field`, or an element of a pair; 0 when it is none that is followed.
  ValueId fieldOf(const clang::MemberExpr &M);
  /// What a field without an initial value holds.
  ValueId initialField(const clang::FieldDecl &F, const clang::Expr *At);
  /// `Heads{q, 4}`
  bool fromBraces(const clang::InitListExpr &E, ValueId &Result);

private:
  Types &Kinds;
  FunctionBuilder &Build;
  VariableTable &Vars;
  ConstantMaker &Constants;
  ViewLowering &Views;
  Lowerer &Lower;

  /// The fields of an object that this block made or read.
  llvm::DenseMap<ValueId, llvm::SmallVector<ValueId, 8>> PartsOf;
};

} // namespace tensortidy::frontend

#endif
