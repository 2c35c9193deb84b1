//===- UnitTable.h - the functions of a unit, by number ---------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What lowering one function has to know of the others: which number a call's
// body has, and what their code does to the members of classes.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_BUILD_UNITTABLE_H
#define TENSORTIDY_FRONTEND_BUILD_UNITTABLE_H

#include "Frontend/Ast/Recording.h"
#include "Models/ApiModel.h"
#include "Program/Inline.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace tensortidy::frontend {

using namespace models;

/// What a schema says of one parameter of a function.
enum class Promise : uint8_t { None, Reads, Writes };
using Promises = llvm::SmallVector<Promise, 8>;

/// What a unit does with a public tensor of a class that no other one can see.
struct FieldUse {
  llvm::SmallSetVector<const clang::FunctionDecl *, 4>
      In;                                           ///< bodies that name it
  llvm::SmallVector<const clang::Expr *, 2> Listed; ///< by `{...}`
  bool Otherwise = false; ///< by a name that is not followed
};
using FieldUses = llvm::DenseMap<const clang::FieldDecl *, FieldUse>;

class UnitTable {
public:
  program::BodyId idOf(const clang::FunctionDecl &F) {
    auto [It, New] = Ids.try_emplace(&F, Decls.size());
    if (New)
      Decls.push_back(&F);
    return It->second;
  }
  const clang::FunctionDecl &function(program::BodyId Id) const {
    return *Decls[Id];
  }
  /// The library's release, by its version macros.
  Release Library = 0;
  /// Members whose value is not what their class's constructor says.
  llvm::DenseSet<const clang::ValueDecl *> Replaced;
  /// Operators that the unit registers: the functions behind them.
  llvm::DenseMap<const clang::FunctionDecl *, Promises> Registered;

  /// Something converts modules to other element types: `net->to(kDouble)`.
  bool ConvertsModules = false;
  /// Classes of which the unit makes objects.
  llvm::DenseSet<const clang::CXXRecordDecl *> Made;
  FieldUses Fields;
  Unrecorded Silently;
  /// What was found of modules, by the variable or field: how they are called.
  llvm::DenseMap<const clang::ValueDecl *, bool> Evaluating, Unprepared;
  /// Tensors of ggml, by the variable or field, whose memory is a backend's.
  llvm::DenseSet<const clang::ValueDecl *> OnBackend;
  /// Classes of modules that the unit moves to a device, and of their parts;
  /// null among them: any class.
  llvm::DenseSet<const clang::CXXRecordDecl *> Moved;
  bool moves(const clang::CXXRecordDecl &Module) const {
    return Moved.contains(nullptr) || Moved.contains(Module.getCanonicalDecl());
  }

private:
  std::vector<const clang::FunctionDecl *> Decls;
  llvm::DenseMap<const clang::FunctionDecl *, program::BodyId> Ids;
};

} // namespace tensortidy::frontend

#endif
