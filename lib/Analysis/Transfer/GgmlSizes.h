//===- GgmlSizes.h - sizes that ggml needs -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_GGMLSIZES_H
#define TENSORTIDY_ANALYSIS_GGMLSIZES_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

void ggmlMisfit(const Context &Ctx, State &W, const Stmt &S,
                const std::string &Message, const SymExpr &A, const SymExpr &B);
void ggmlCount(const Context &Ctx, State &W, const Stmt &S, const Object &Self,
               const SymDims &New);
std::optional<SymExpr> ggmlSize(const Context &Ctx, State &W, const Stmt &S,
                                llvm::StringRef Name);
void ggmlBytesOfView(const Context &Ctx, State &W, const Stmt &S,
                     const Object &Self, const SymDims &New,
                     const SymExpr &Offset);
void ggmlNeedsSizes(const Context &Ctx, State &W, const Stmt &S,
                    llvm::StringRef Text);

} // namespace tensortidy::analysis

#endif
