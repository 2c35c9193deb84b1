//===- TrainingLoops.h - what iterations leave behind -----------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of tensor-missing-gradient that is about training loops: a module
// that stays in evaluation mode, gradients that are erased before an optimizer
// has used them.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_CHECKS_TRAININGLOOPS_H
#define TENSORTIDY_ANALYSIS_CHECKS_TRAININGLOOPS_H

#include "Analysis/Checks/CheckRun.h"

namespace tensortidy::analysis {

/// Whether \p S puts a module into evaluation mode: eval(), train(false).
bool evaluates(const LoopFacts &At, const program::Stmt &S);

void checkTrainingLoops(CheckRun &C);

} // namespace tensortidy::analysis

#endif
