//===- Render.h - findings to diagnostics -----------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TIDY_RENDER_H
#define TENSORTIDY_TIDY_RENDER_H

#include "Analysis/Facts/Finding.h"
#include "clang/Basic/SourceLocation.h"

namespace clang {
class ASTContext;
namespace tidy {
class ClangTidyCheck;
} // namespace tidy
} // namespace clang

namespace tensortidy::tidy {

/// Where \p F is reported.
clang::SourceLocation placeOf(const analysis::Finding &F);

/// Reports \p F through \p Check: caret at the point, the range underlined,
/// the notes, and the edits as fix-its.
void render(const analysis::Finding &F, clang::tidy::ClangTidyCheck &Check,
            const clang::ASTContext &Context);

} // namespace tensortidy::tidy

#endif
