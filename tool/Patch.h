//===- Patch.h - a change of a file as a patch ------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The unified form that `git apply` and `patch -p1` read:
//
//   --- a/src/graph.cpp
//   +++ b/src/graph.cpp
//   @@ -2,3 +2,3 @@
//    T y = ggml_mul_mat(c, w, x);
//   -return ggml_cont(c, y);
//   +return y;
//    }
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_PATCH_H
#define TENSORTIDY_TOOL_PATCH_H

#include "clang/Tooling/Core/Replacement.h"
#include "llvm/Support/raw_ostream.h"

namespace tensortidy::tool {

/// Prints what \p Edits do to \p Old, the text of a file that the patch calls
/// \p Name, without a slash at its beginning. Prints nothing when they change
/// nothing.
void printPatch(llvm::raw_ostream &OS, llvm::StringRef Name,
                llvm::StringRef Old, const clang::tooling::Replacements &Edits);

} // namespace tensortidy::tool

#endif
