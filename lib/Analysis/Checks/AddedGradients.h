//===- AddedGradients.h - gradients of all iterations together -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of tensor-graph-retention that is about gradients: backward() adds
// to what the iterations before have left, and nothing sets it to zero.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_CHECKS_ADDEDGRADIENTS_H
#define TENSORTIDY_ANALYSIS_CHECKS_ADDEDGRADIENTS_H

#include "Analysis/Checks/CheckRun.h"

namespace tensortidy::analysis {

void checkAddedGradients(CheckRun &C);

} // namespace tensortidy::analysis

#endif
