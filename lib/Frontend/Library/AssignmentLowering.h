//===- AssignmentLowering.h - what an assignment changes --------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The variable, the element of a list, of memory or of a container, or the
// layout of a tensor with public fields that stands on the left.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_LIBRARY_ASSIGNMENTLOWERING_H
#define TENSORTIDY_FRONTEND_LIBRARY_ASSIGNMENTLOWERING_H

#include "Program/Program.h"

namespace clang {
class Expr;
} // namespace clang

namespace tensortidy::frontend {

class FunctionBuilder;
class ListLowering;
class Lowerer;
class PlaceFinder;
class StoreLowering;
class TensorFieldLowering;
class Types;
class VariableTable;

class AssignmentLowering {
public:
  AssignmentLowering(Types &Kinds, FunctionBuilder &Build, VariableTable &Vars,
                     PlaceFinder &Places, StoreLowering &Stores,
                     ListLowering &Lists, TensorFieldLowering &TensorFields,
                     Lowerer &Lower)
      : Kinds(Kinds), Build(Build), Vars(Vars), Places(Places), Stores(Stores),
        Lists(Lists), TensorFields(TensorFields), Lower(Lower) {}

  /// \p Target, which is all or part of \p At, gets the value \p V.
  void assign(const clang::Expr *Target, program::ValueId V,
              const clang::Expr *At);
  /// std::swap(A, B): each store says so, for memory goes with its list.
  void swap(const clang::Expr *A, const clang::Expr *B);

private:
  bool throughPointer(const clang::Expr *Target, program::ValueId V,
                      const clang::Expr *At);
  program::ValueId elementOf(const clang::Expr *Target,
                             const clang::Expr *&List);

  Types &Kinds;
  FunctionBuilder &Build;
  VariableTable &Vars;
  PlaceFinder &Places;
  StoreLowering &Stores;
  ListLowering &Lists;
  TensorFieldLowering &TensorFields;
  Lowerer &Lower;
};

} // namespace tensortidy::frontend

#endif
