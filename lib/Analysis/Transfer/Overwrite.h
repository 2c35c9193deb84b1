//===- Overwrite.h - writes in place -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_OVERWRITE_H
#define TENSORTIDY_ANALYSIS_OVERWRITE_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// \p S writes the elements of operand \p Target: records whether it meets one
/// twice (Overlap), or reads what it has overwritten.
void writes(const Context &Ctx, State &W, const Stmt &S,
            llvm::StringRef Target);

} // namespace tensortidy::analysis

#endif
