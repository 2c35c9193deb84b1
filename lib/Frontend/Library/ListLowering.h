//===- ListLowering.h - lists of sizes and tensors --------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vectors, arrays, tuples and views of them, whose elements the program
// follows: what is read, added and taken away, and by which iterator.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_LIBRARY_LISTLOWERING_H
#define TENSORTIDY_FRONTEND_LIBRARY_LISTLOWERING_H

#include "Frontend/Ast/CallSite.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace tensortidy::frontend {

class FunctionBuilder;
class Lowerer;
class OpaqueCallLowering;
class PlaceFinder;
class StoreLowering;
class Types;

class ListLowering {
  using ValueId = program::ValueId;

public:
  ListLowering(clang::ASTContext &Context, Types &Kinds, FunctionBuilder &Build,
               PlaceFinder &Places, StoreLowering &Stores,
               OpaqueCallLowering &OpaqueCalls, Lowerer &Lower)
      : Context(Context), Kinds(Kinds), Build(Build), Places(Places),
        Stores(Stores), OpaqueCalls(OpaqueCalls), Lower(Lower) {}

  /// A method of a list. False: nothing that is followed.
  bool call(const CallSite &C, ValueId &Result);
  /// A list's constructor; likewise.
  bool construct(const clang::CXXConstructExpr &E, ValueId &Result);
  /// \p List becomes what \p O makes of it; false if it has no elements of its
  /// own, or none that is known by name. \p Effect is run in between: what else
  /// the change means to a list of handles.
  bool change(const clang::Expr *List, program::Op O,
              llvm::ArrayRef<ValueId> Operands, const clang::Expr *At,
              ValueId Before = 0, llvm::function_ref<void()> Effect = nullptr);
  /// The index of the element that `l[i]`, `l.at(i)`, `l.front()`, `l.back()`
  /// is.
  ValueId elementIndex(const CallSite &C);
  /// The index that std::get<i>(t) is called with; 0 if it is another function.
  ValueId tupleIndex(const CallSite &C);

private:
  bool changingCall(const CallSite &C);
  bool makesElement(const clang::Expr &E, clang::QualType List);
  ValueId lastIndex(const clang::Expr *List, const clang::Expr *At);
  ValueId iteratorIndex(const clang::Expr *Iterator, const clang::Expr *List,
                        ValueId &Before);
  ValueId ownElements(ValueId V, clang::QualType From, const clang::Expr &E);
  ValueId spanned(const clang::Expr *Begin, const clang::Expr *End,
                  const clang::Expr &E);
  ValueId slice(const CallSite &C);

  clang::ASTContext &Context;
  Types &Kinds;
  FunctionBuilder &Build;
  PlaceFinder &Places;
  StoreLowering &Stores;
  OpaqueCallLowering &OpaqueCalls;
  Lowerer &Lower;

  /// The list that begin() or end() was taken from.
  llvm::DenseMap<const clang::Expr *, ValueId> IteratorOf;
};

} // namespace tensortidy::frontend

#endif
