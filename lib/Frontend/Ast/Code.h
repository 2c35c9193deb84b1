//===- Code.h - questions that code answers by itself -----------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an expression, a function or a class says without any state of a
// lowering.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_AST_CODE_H
#define TENSORTIDY_FRONTEND_AST_CODE_H

#include "Frontend/Ast/Types.h"
#include "clang/AST/ExprCXX.h"

namespace tensortidy::frontend {

/// What the models say of calls of \p F that are no operation, by its name and
/// by that with its class; nothing where it is null.
program::Attributes saidOf(const clang::FunctionDecl *F, Types &Kinds);
/// What they say of objects of \p R.
program::Attributes saidOfClass(const clang::CXXRecordDecl *R, Types &Kinds);
/// The variable, function or member that \p E names; null for others.
const clang::ValueDecl *namedBy(const clang::Expr *E);
/// Drops what does not change the value a tensor program sees.
const clang::Expr *strip(const clang::Expr *E);
/// What \p E is a copy of, or is moved from; \p E itself where it is neither.
const clang::Expr *copied(const clang::Expr *E);
/// Whether an expression of integer type is a condition that was cast, as in
/// `__builtin_expect(!!(c), 0)`.
bool isCondition(const clang::Expr *E);
/// "*p" for what the variable p points to, "*" for what others do.
std::string derefName(const clang::Expr *Pointer);
/// The holder in `holder->method()`.
const clang::Expr *arrowObject(const clang::Expr *E);
/// `reinterpret_cast<uintptr_t>(p)`
bool isAddress(const clang::Expr *E, Types &Kinds);
/// The dtype whose elements are of this C++ type; empty when none is.
llvm::StringRef dtypeOf(clang::QualType T);
/// The dtype whose elements are of this C++ type, or empty.
llvm::StringRef elementName(clang::QualType T);
/// What a pointer to \p T points to: the type of one element, behind arrays.
clang::QualType pointee(clang::QualType T);
/// The bytes of the number that \p Pointer points to, before it was cast to a
/// pointer to bytes or to anything; 0: it is no number, or not known.
uint32_t unitBehind(const clang::ASTContext &Context,
                    const clang::Expr &Pointer);
/// The definition of \p F, if its body may be looked into.
const clang::FunctionDecl *visibleBody(const clang::FunctionDecl &F);
/// The method of a module's class that calling it runs, or null.
const clang::CXXMethodDecl *forwardOf(const clang::CXXRecordDecl &Module);
/// The fewest digits that say which number of its type \p F is: 0.3, not
/// 0.300000012.
void shortest(const llvm::APFloat &F, llvm::SmallVectorImpl<char> &Text);

} // namespace tensortidy::frontend

#endif
