//===- Transfer.h - what each statement does to a state -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_TRANSFER_H
#define TENSORTIDY_ANALYSIS_TRANSFER_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// False when the path ends here.
bool execute(const Context &Ctx, State &W, const Stmt &S);
std::optional<int64_t> dimArg(const Context &Ctx, State &W, const Stmt &S,
                              Object *Self, llvm::StringRef Name,
                              std::optional<int64_t> Default = {});
void changeLayout(const Context &Ctx, State &W, const Stmt &S, Object &Self,
                  const layout::LayoutOutcome<Symbolic> &Out);

} // namespace tensortidy::analysis

#endif
