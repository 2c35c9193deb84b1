//===- FunctionLowering.h - one function to a tensor program ----*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Puts the parts together. Each is a class of one concern; it knows the parts
// that it is made with and no others:
//
//   Ast/       what code says by itself: types, scans, call sites
//   Edits/     which text edits it allows
//   Build/     statements, variables, places, and what values hold
//   Modules/   torch::nn modules whose construction can be seen
//   Calls/     calls: API models, opaque calls, bodies that can be seen
//   Library/   the vocabulary around tensors: lists, options, std::move
//   Lower/     expressions, declarations, statements, blocks
//
// A folder uses those above it. What an expression is worth is asked through
// Build/Lowerer.h, which the last of them answers.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_LOWER_FUNCTIONLOWERING_H
#define TENSORTIDY_FRONTEND_LOWER_FUNCTIONLOWERING_H

#include "Frontend/Build/UnitTable.h"
#include "clang/AST/ASTContext.h"

namespace tensortidy::frontend {

class Types;

/// The tensor program of \p F, or why there is none. \p Tainted: where the unit
/// has errors. \p Kinds: of the whole unit, so that a type is read once.
program::Function lowerFunction(const clang::FunctionDecl &F,
                                clang::ASTContext &Context, Types &Kinds,
                                UnitTable &Unit,
                                llvm::ArrayRef<clang::SourceLocation> Tainted);

} // namespace tensortidy::frontend

#endif
