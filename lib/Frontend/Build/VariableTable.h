//===- VariableTable.h - the variables of a tensor program ------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One for each variable that the function names, for the fields that are
// followed, and for what pointers point to:
//
//   at::Tensor x          $0 "x"
//   p->w                  $1 "p"   $2 "*p"   $3 "p->w"
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_BUILD_VARIABLETABLE_H
#define TENSORTIDY_FRONTEND_BUILD_VARIABLETABLE_H

#include "Program/Program.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace clang {
class FunctionDecl;
class ValueDecl;
} // namespace clang

namespace tensortidy::frontend {

class FunctionBuilder;
class Types;
struct BodyScan;

/// The type of a variable for a \p T.
program::VarType varType(clang::QualType T, Types &Kinds);

class VariableTable {
  using VarId = program::VarId;

public:
  VariableTable(const clang::FunctionDecl &Fn, program::Function &Out,
                Types &Kinds, const BodyScan &Scan,
                const FunctionBuilder &Build);

  program::Variable &operator[](VarId V) { return All[V]; }
  /// A variable that no declaration has.
  VarId add(program::Variable V);
  /// What add() gives next.
  VarId next() const { return static_cast<VarId>(All.size()); }

  /// The variable that \p D is.
  VarId of(const clang::ValueDecl &D);
  /// of(), where it was asked for before; NoId otherwise.
  VarId known(const clang::ValueDecl &D) const;
  /// Field \p Field of \p Base; \p WritesThis: the source says "this->".
  VarId member(VarId Base, const clang::ValueDecl &Field,
               bool WritesThis = false);
  /// The object, of type \p T, that variable \p Pointer points to; NoId when it
  /// is none that is followed.
  VarId pointee(VarId Pointer, clang::QualType T);
  /// An object that no variable leads to.
  VarId unknownObject();
  /// Whether \p V names one object for as long as its variables live.
  bool isStable(VarId V) const;
  /// Whether \p V never gets another value, as a pointer.
  bool isFixed(VarId V) const { return FixedPointers.count(V); }
  /// \p V is a reference to an element of memory: reads and writes look
  /// through it.
  void refersToElement(VarId V) { ElementRefs.insert(V); }
  bool isElementRef(VarId V) const { return ElementRefs.count(V); }
  /// Which variable stands for which declaration.
  const llvm::DenseMap<const clang::ValueDecl *, VarId> &named() const {
    return Ids;
  }

private:
  const clang::FunctionDecl &Fn;
  Types &Kinds;
  const BodyScan &Scan;
  const FunctionBuilder &Build;

  std::vector<program::Variable> &All; ///< of the program
  llvm::DenseMap<const clang::ValueDecl *, VarId> Ids;
  llvm::DenseMap<std::pair<VarId, const clang::ValueDecl *>, VarId> Members;
  llvm::DenseSet<const clang::ValueDecl *> CopiedIn; ///< by this lambda
  llvm::DenseSet<VarId> FixedPointers; ///< that never get another value
  llvm::DenseSet<VarId> ElementRefs;   ///< references to elements of memory
  unsigned Pointees = 0;
  VarId Anything = program::NoId; ///< an object behind an unknown pointer
};

} // namespace tensortidy::frontend

#endif
