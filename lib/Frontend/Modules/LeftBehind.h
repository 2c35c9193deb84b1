//===- LeftBehind.h - members that do not move with their module ----------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// to() moves the parameters, buffers and modules that are registered. A plain
// member stays where the constructor made it:
//
//   Net() {
//     fc = register_module("fc", Linear(4, 4));  moves
//     table = register_buffer("table", at::zeros({4}));  moves
//     mask = at::ones({4});                      stays
//     out = Linear(4, 2);                        stays
//   }
//
// Nothing is told of a member that anything else gets hold of.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_MODULES_LEFTBEHIND_H
#define TENSORTIDY_FRONTEND_MODULES_LEFTBEHIND_H

#include "Frontend/Modules/InitialValues.h"

namespace tensortidy::frontend {

class Types;

/// What constructing an object gives the tensor \p F, which stays behind as
/// long as no other body than \p Of gives it another one; nothing where it
/// moves.
Assigned leftBehind(const models::ApiModel &Model, const clang::FieldDecl &F,
                    const clang::FunctionDecl &Of);
/// Whether the class registers the tensor \p F as a parameter or buffer.
bool isRegistered(const models::ApiModel &Model, const clang::FieldDecl &F);
/// The same of a module, or of a list of them: one of those that it is given.
const clang::Expr *moduleLeftBehind(const clang::FieldDecl &F, Types &Kinds);
/// Whether a method of \p Class moves modules: its parts, or itself.
bool movesParts(const clang::CXXRecordDecl &Class, Types &Kinds);
/// The class of the module that \p C, which moves it, takes to a device that
/// is not always the CPU; null for others, and for those of a library that are
/// not any module.
const clang::CXXRecordDecl *movedToDevice(const clang::CXXMemberCallExpr &C,
                                          Types &Kinds);
/// The member of the object itself that \p E is, or is an element of; null for
/// others.
const clang::FieldDecl *ownPart(const clang::Expr *E, Types &Kinds);

} // namespace tensortidy::frontend

#endif
