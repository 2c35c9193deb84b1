//===- Interpret.h - runs of a function -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Joins the worklist with the rules: what it asks of a block (Steps) is
// answered with the table of Transfer.h and the conditions that branches
// assume.
//
//     worklist -- run(b1) --> execute(), statement by statement; notes for
//     editors
//              <-- leave --   b2 with the condition, b3 with its opposite
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_TRANSFER_INTERPRET_H
#define TENSORTIDY_ANALYSIS_TRANSFER_INTERPRET_H

#include "Analysis/Engine/Engine.h"
#include "Analysis/Facts/Facts.h"

namespace tensortidy::analysis {

/// Runs a function that is not refused (Engine.h). What fails fails for tensors
/// of more dimensions than were counted from both ends, and for those of the
/// least rank they may have.
RunResult interpret(const FlowInfo &Flow, Hypothesis H, const Budget &B,
                    double Deadline, StateObserver *Sees = nullptr);

} // namespace tensortidy::analysis

#endif
