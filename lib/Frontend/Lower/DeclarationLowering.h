//===- DeclarationLowering.h - variables that come to be --------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Locals, references, structured bindings, and the elements that a range-for
// gives its variable.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_LOWER_DECLARATIONLOWERING_H
#define TENSORTIDY_FRONTEND_LOWER_DECLARATIONLOWERING_H

#include "Program/Program.h"
#include "llvm/ADT/DenseMap.h"

namespace clang {
class ASTContext;
class CXXForRangeStmt;
class DeclStmt;
class DecompositionDecl;
class Expr;
class VarDecl;
} // namespace clang

namespace tensortidy::frontend {

class EditVetter;
class FunctionBuilder;
class Lowerer;
class MemberLowering;
class ModulePlaces;
class OperatorLowering;
class PlaceFinder;
class RecordLowering;
class ScopeLowering;
class StoreLowering;
class Surroundings;
class Types;
class VariableTable;
class ViewLowering;
struct BodyScan;

class DeclarationLowering {
  using ValueId = program::ValueId;
  using VarId = program::VarId;

public:
  DeclarationLowering(clang::ASTContext &Context, Types &Kinds,
                      const BodyScan &Scan, Surroundings &Around,
                      EditVetter &Edits, FunctionBuilder &Build,
                      VariableTable &Vars, PlaceFinder &Places,
                      ScopeLowering &Scopes, ViewLowering &Views,
                      RecordLowering &Records, StoreLowering &Stores,
                      OperatorLowering &Operators, MemberLowering &Members,
                      ModulePlaces &Placed, Lowerer &Lower)
      : Context(Context), Kinds(Kinds), Scan(Scan), Around(Around),
        Edits(Edits), Build(Build), Vars(Vars), Places(Places), Scopes(Scopes),
        Views(Views), Records(Records), Stores(Stores), Operators(Operators),
        Members(Members), Placed(Placed), Lower(Lower) {}

  void lower(const clang::VarDecl &V);
  /// What the loop runs over: a variable of its own holds it.
  ValueId rangeOf(const clang::CXXForRangeStmt &L);

private:
  void rangeHolder(const clang::VarDecl &V, const clang::CXXForRangeStmt &L);
  void loopVariable(const clang::VarDecl &V, const clang::CXXForRangeStmt &L);
  void local(const clang::VarDecl &V);
  ValueId referredAddress(const clang::VarDecl &V);
  void refer(VarId Id, const clang::VarDecl &V);
  void allowEdits(const clang::DeclStmt &D, const clang::Expr &Init, VarId Id,
                  ValueId Value);
  void bindings(const clang::DecompositionDecl &D, ValueId Whole);
  ValueId rangeElement(const clang::CXXForRangeStmt &L);

  clang::ASTContext &Context;
  Types &Kinds;
  const BodyScan &Scan;
  Surroundings &Around;
  EditVetter &Edits;
  FunctionBuilder &Build;
  VariableTable &Vars;
  PlaceFinder &Places;
  ScopeLowering &Scopes;
  ViewLowering &Views;
  RecordLowering &Records;
  StoreLowering &Stores;
  OperatorLowering &Operators;
  MemberLowering &Members;
  ModulePlaces &Placed;
  Lowerer &Lower;

  llvm::DenseMap<const clang::CXXForRangeStmt *, VarId> RangeHolders;
};

} // namespace tensortidy::frontend

#endif
