//===- PlaceFinder.h - the variable that an expression names ----*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of variables, fields, elements and what pointers point to are places.
// Finding one makes no statement: as the target of an assignment a name is not
// read at all.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_BUILD_PLACEFINDER_H
#define TENSORTIDY_FRONTEND_BUILD_PLACEFINDER_H

#include "Program/Program.h"
#include "llvm/ADT/DenseMap.h"

namespace clang {
class Expr;
class ValueDecl;
class VarDecl;
} // namespace clang

namespace tensortidy::frontend {

class Types;
class VariableTable;

/// A storage location an expression names. `Exact`: the whole of it, otherwise
/// something inside it (an element).
struct Place {
  program::VarId Var = program::NoId;
  bool Exact = true;
  explicit operator bool() const { return Var != program::NoId; }
  Place inside() const { return {Var, false}; }
};

class PlaceFinder {
public:
  PlaceFinder(Types &Kinds, VariableTable &Vars) : Kinds(Kinds), Vars(Vars) {}

  /// The place that \p E names; none for other values.
  Place place(const clang::Expr *E);
  /// The object that a raw or smart pointer points to.
  Place pointee(const clang::Expr *E);
  /// The place that \p V names.
  Place of(const clang::VarDecl &V);

  /// \p D is a reference that only renames \p P.
  void alias(const clang::ValueDecl &D, Place P) { Aliases[&D] = P; }
  /// The pointer \p D, which never gets another value, points to \p V.
  void pointsTo(const clang::ValueDecl &D, program::VarId V) {
    PointsTo[&D] = V;
  }
  /// \p E made the object \p V, which has no name.
  void made(const clang::Expr &E, program::VarId V) { MadeBy[&E] = V; }
  const llvm::DenseMap<const clang::ValueDecl *, Place> &aliases() const {
    return Aliases;
  }

private:
  Types &Kinds;
  VariableTable &Vars;

  /// References that only rename a variable.
  llvm::DenseMap<const clang::ValueDecl *, Place> Aliases;
  /// What pointers point to that never get another value.
  llvm::DenseMap<const clang::ValueDecl *, program::VarId> PointsTo;
  /// The object without a name that a constructor made.
  llvm::DenseMap<const clang::Expr *, program::VarId> MadeBy;
};

} // namespace tensortidy::frontend

#endif
