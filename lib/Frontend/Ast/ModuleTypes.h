//===- ModuleTypes.h - modules, and what moves them -------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_AST_MODULETYPES_H
#define TENSORTIDY_FRONTEND_AST_MODULETYPES_H

#include "clang/AST/Type.h"

namespace clang {
class CallExpr;
class CXXMemberCallExpr;
class CXXRecordDecl;
class Stmt;
class ValueDecl;
} // namespace clang

namespace tensortidy::frontend {

class Types;

/// The class of the module that a \p T is, points to or holds; null for others.
const clang::CXXRecordDecl *moduleClass(clang::QualType T, Types &Kinds);
/// Whether \p R is a module of torch::nn, or of the user's, or a loaded one.
bool isModuleClass(const clang::CXXRecordDecl *R, Types &Kinds,
                   unsigned Depth = 0);
/// `torch::Device`, `torch::DeviceType`.
bool isDeviceType(clang::QualType T, Types &Kinds);
/// Whether \p C gives modules another element type, or may: `net->to(kHalf)`,
/// and not `net->to(device)`.
bool convertsModules(const clang::CallExpr &C, Types &Kinds);
/// Whether \p C takes what it is called on to a device, or may: a module, or
/// a tensor.
bool movesObject(const clang::CXXMemberCallExpr &C, Types &Kinds);
/// The same of modules alone.
bool movesModule(const clang::CXXMemberCallExpr &C, Types &Kinds);
/// Whether \p Body takes \p Tensor to a device, or gives it to a function or
/// forward() that does: `x.to(w)`, and not `x.to(kFloat)`.
bool movesTensor(const clang::Stmt *Body, const clang::ValueDecl &Tensor,
                 Types &Kinds);

} // namespace tensortidy::frontend

#endif
