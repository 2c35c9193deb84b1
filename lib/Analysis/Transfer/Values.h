//===- Values.h - numbers and conditions -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_VALUES_H
#define TENSORTIDY_ANALYSIS_VALUES_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

void executeValue(const Context &Ctx, State &W, const Stmt &S);

} // namespace tensortidy::analysis

#endif
