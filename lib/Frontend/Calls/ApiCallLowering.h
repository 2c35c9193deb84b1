//===- ApiCallLowering.h - calls that a model describes ---------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operation that a call means, its operands by the names of the model, and
// what types and templates say beside.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_CALLS_APICALLLOWERING_H
#define TENSORTIDY_FRONTEND_CALLS_APICALLLOWERING_H

#include "Frontend/Ast/CallSite.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace tensortidy::frontend {

class CallCounter;
class ConstantMaker;
class EditVetter;
class FunctionBuilder;
class Lowerer;
class PlaceFinder;
class Surroundings;
class Types;
class UnitTable;

class ApiCallLowering {
  using ValueId = program::ValueId;

public:
  ApiCallLowering(clang::ASTContext &Context, UnitTable &Unit, Types &Kinds,
                  Surroundings &Around, EditVetter &Edits,
                  FunctionBuilder &Build, PlaceFinder &Places,
                  ConstantMaker &Constants, CallCounter &Counts, Lowerer &Lower)
      : Context(Context), Unit(Unit), Kinds(Kinds), Around(Around),
        Edits(Edits), Build(Build), Places(Places), Constants(Constants),
        Counts(Counts), Lower(Lower) {}

  /// False: no model has \p C.
  bool call(const CallSite &C, ValueId &Result);

private:
  struct Meaning;

  bool qualify(Meaning &M);
  bool holds(const Meaning &M, const Api &A, const ApiCondition &If);
  bool find(Meaning &M);
  ValueId object(const CallSite &C);
  int passed(const Meaning &M, llvm::SmallVectorImpl<program::Arg> &Operands);
  void join(const Api &A, const clang::Expr *At,
            llvm::SmallVectorImpl<program::Arg> &Operands);
  void describeTypes(const Api &A, const CallSite &C,
                     llvm::SmallVectorImpl<program::Arg> &Operands);
  void describe(program::Stmt &S, const Meaning &M, int Tensor);
  ValueId operation(const Meaning &M);
  ValueId outCall(const CallSite &C, const Api *Base);
  void describeMemory(const CallSite &C,
                      llvm::SmallVectorImpl<program::Arg> &Operands);

  clang::ASTContext &Context;
  UnitTable &Unit;
  Types &Kinds;
  Surroundings &Around;
  EditVetter &Edits;
  FunctionBuilder &Build;
  PlaceFinder &Places;
  ConstantMaker &Constants;
  CallCounter &Counts;
  Lowerer &Lower;
};

} // namespace tensortidy::frontend

#endif
