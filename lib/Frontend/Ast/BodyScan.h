//===- BodyScan.h - one walk over a function's body -------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a statement is part of, which loop repeats it, and what of a variable
// others may change: found once, before anything is lowered.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_AST_BODYSCAN_H
#define TENSORTIDY_FRONTEND_AST_BODYSCAN_H

#include "Frontend/Ast/Types.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tensortidy::frontend {

/// What one walk over a body finds out.
struct BodyScan {
  llvm::DenseMap<const clang::Stmt *, const clang::Stmt *> Parent;
  struct LoopInfo {
    const clang::Stmt *S;
    program::LoopId Parent;
    /// How many loops, this one and those in it, an OpenMP directive divides
    /// among threads.
    unsigned Parallel;
  };
  std::vector<LoopInfo> Loops;
  llvm::DenseMap<const clang::Stmt *, program::LoopId>
      LoopOf; ///< the loop statement itself
  /// Innermost loop whose repeated part holds the statement.
  llvm::DenseMap<const clang::Stmt *, program::LoopId> InLoop;
  llvm::DenseMap<const clang::VarDecl *, const clang::DeclStmt *> DeclOf;
  llvm::DenseMap<const clang::VarDecl *, const clang::CXXForRangeStmt *>
      RangeVars;
  llvm::DenseSet<const clang::VarDecl *>
      Exposed; ///< captured by reference, address taken
  llvm::DenseSet<const clang::VarDecl *>
      Shared; ///< of those: known elsewhere by more than `&x`
  /// Of pointers: given another value somewhere, or their address passed on.
  llvm::DenseSet<const clang::VarDecl *> Rebound;
  /// Lambdas called where they stand, with the variables they may change: no
  /// other call can run them.
  llvm::DenseMap<const clang::LambdaExpr *,
                 llvm::SmallVector<const clang::VarDecl *, 4>>
      Immediate;
  llvm::DenseSet<const clang::Stmt *> FullExprs;
  llvm::DenseSet<const clang::Expr *>
      Arms; ///< of ?:, evaluated where they stand
  llvm::DenseMap<clang::DeclarationName,
                 llvm::SmallVector<const clang::ValueDecl *, 1>>
      ByName;
  /// `x.field`, and `field` of the object itself, in lambdas as well.
  std::vector<const clang::MemberExpr *> Members;
  bool HasTry = false, HasNoReturnDtor = false, HasErrors = false,
       TooDeep = false;
};
void scanBody(const clang::Stmt *Body, Types &Kinds, BodyScan &Out);

/// Whether clang has left out a statement of \p Body that it could make nothing
/// of, maybe without a word about it there.
bool dropsStatements(const clang::Stmt *Body, const clang::ASTContext &Context);

} // namespace tensortidy::frontend

#endif
