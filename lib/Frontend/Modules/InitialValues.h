//===- InitialValues.h - what constructors give their members ---*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Read from the source alone:
//
//   struct Net : torch::nn::Module {
//     Net() { fc = register_module("fc", torch::nn::Linear(784, 10)); }
//
// What is made in another way, or changed later, has no known initial value.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_MODULES_INITIALVALUES_H
#define TENSORTIDY_FRONTEND_MODULES_INITIALVALUES_H

#include "Models/ApiModel.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

namespace tensortidy::frontend {

/// How a body gives a variable or field its value.
struct Assigned {
  /// By statements that always run, in their order.
  llvm::SmallVector<const clang::Expr *, 1> Values;
  llvm::SmallVector<const clang::Expr *, 0>
      Pushed;             ///< elements added, likewise
  bool Sometimes = false; ///< some of the values, on some path
  const clang::Expr *When =
      nullptr;            ///< the last of those, where it is one condition
  bool Otherwise = false; ///< in a way not known
};

/// The values that \p Body gives \p D.
Assigned assignedIn(const models::ApiModel &Model, const clang::Stmt *Body,
                    const clang::ValueDecl &D);
/// What local \p V holds where \p At of the same body stands, given by
/// statements that always run; null where that is not known:
///
///   auto t = at::ones({n});
///   t = at::outer(t, t);     t inside is at::ones({n}), and this one behind it
const clang::Expr *valueAt(const models::ApiModel &Model,
                           const clang::VarDecl &V, const clang::Expr &At);
/// Whether \p Body gives \p D another value.
bool isChanged(const models::ApiModel &Model, const clang::Stmt *Body,
               const clang::ValueDecl &D);
/// Whether that method of a tensor gives it other sizes or strides.
bool changesLayout(const models::ApiModel &Model, llvm::StringRef Method);
/// Whether it writes its elements.
bool writesElements(const models::ApiModel &Model, llvm::StringRef Method);
/// Whether \p E is a null pointer, an empty holder or the like.
bool isNothing(const clang::Expr *E);
/// The same, or an object that its default constructor makes: a member that is
/// to get its value later.
bool isUnset(const clang::Expr *E);
/// What constructing an object of its class gives the field, one after the
/// other; nothing when that is not known, or others change it. A module may be
/// made on \p SomePath only: who calls it knows that it was.
/// \p Except: a body that may change it.
Assigned initialValues(const models::ApiModel &Model, const clang::FieldDecl &F,
                       bool SomePath = false,
                       const clang::FunctionDecl *Except = nullptr);
/// The one value that constructing an object gives \p F, or null.
const clang::Expr *initialValue(const models::ApiModel &Model,
                                const clang::FieldDecl &F);
/// Whether \p E is computed of numbers and of what \p Knows says is known: what
/// its function is given.
bool isComputed(const clang::Expr *E, const clang::ASTContext &Context,
                llvm::function_ref<bool(const clang::Expr &)> Knows);
inline bool isComputed(const clang::Expr *E, const clang::ASTContext &Context) {
  return isComputed(E, Context, [](const clang::Expr &Part) {
    const auto *R = clang::dyn_cast<clang::DeclRefExpr>(&Part);
    return R && clang::isa<clang::ParmVarDecl>(R->getDecl());
  });
}
/// The one way to construct an object of \p Class; null when there are several,
/// or none that can be seen.
const clang::CXXConstructorDecl *
onlyConstructor(const clang::CXXRecordDecl &Class);
/// Whether \p Ctor makes a member on some paths only, and which is not known.
bool makesSome(const models::ApiModel &Model,
               const clang::CXXConstructorDecl &Ctor);

} // namespace tensortidy::frontend

#endif
