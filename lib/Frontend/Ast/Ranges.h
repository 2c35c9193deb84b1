//===- Ranges.h - where the source has it -----------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ranges and declarations of Clang as the numbers that a tensor program keeps,
// and back again.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_AST_RANGES_H
#define TENSORTIDY_FRONTEND_AST_RANGES_H

#include "Program/Program.h"
#include "clang/AST/DeclBase.h"

namespace clang {
class SourceManager;
} // namespace clang

namespace tensortidy::frontend {

/// Names a declaration across the functions of a unit.
inline uint64_t identityOf(const clang::Decl &D) {
  return reinterpret_cast<uintptr_t>(D.getCanonicalDecl());
}

program::Range makeRange(clang::SourceRange R, const clang::SourceManager &SM);
/// Range cookies back to clang.
clang::SourceLocation beginOf(const program::Range &R);
clang::SourceLocation endOf(const program::Range &R); ///< start of last token

} // namespace tensortidy::frontend

#endif
