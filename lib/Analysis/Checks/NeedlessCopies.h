//===- NeedlessCopies.h - copies that nothing needs -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of checkHiddenCopy(): copies whose only readers would take what was
// copied as it is.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_CHECKS_NEEDLESSCOPIES_H
#define TENSORTIDY_ANALYSIS_CHECKS_NEEDLESSCOPIES_H

#include "Analysis/Checks/CheckRun.h"

namespace tensortidy::analysis {

void checkNeedlessCopies(CheckRun &C);
/// all = cat({all, x}) in a loop that reads `all` in each iteration.
void checkGrownBuffers(CheckRun &C);

} // namespace tensortidy::analysis

#endif
