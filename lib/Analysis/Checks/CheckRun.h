//===- CheckRun.h - what the checks ask -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A check reads the recorded sites of up to three runs and appends findings:
//
//   Opaque         parameters may have any layout    -> level 0
//   Contiguous     parameters are contiguous         -> level 1, "when 'x' is"
//   ChannelsLast   4-d parameters are channels-last  -> would it be legal then?
//
// The later runs are made only for functions that have an open site.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_CHECKRUN_H
#define TENSORTIDY_ANALYSIS_CHECKRUN_H

#include "Analysis/Flow/Handles.h"
#include "Analysis/Flow/LoopFacts.h"

namespace tensortidy::analysis {

struct CheckRun {
  const program::Function &F;
  const RunResult &Opaque;
  const RunResult *Contiguous = nullptr;
  const RunResult *ChannelsLast = nullptr;
  const LoopFacts &Loops;
  std::vector<Finding> &Out;
  std::vector<SilentSite> &Silent;
  const Handles &Held;
};

/// The opaque tensor a layout goes back to; empty when it is known throughout.
std::string assumedRoot(const ProvRef &P);
/// "when 'x' is contiguous", of that tensor.
std::string whenContiguous(const ProvRef &P);
/// The operation that took the layout away from a contiguous tensor; failing
/// that, the last one.
const Provenance *cause(const ProvRef &P);

/// Whether \p S reads a clock: the function times something.
inline bool isClock(const program::Stmt &S) {
  return S.isOpaque() &&
         (S.Text == "now" || S.Text == "clock" || S.Text == "omp_get_wtime");
}

/// Adds the edit that names the object of \p Of, which a declaration is
/// initialised with: `auto x_NAME = x;` before it. \p Call is made on it there.
void nameObject(const program::Function &F, const program::Stmt &Of,
                const std::string &Object, const std::string &Name,
                const std::string &Call, Finding &Found);

void checkViewAfterPermute(CheckRun &C);
void checkShapeMismatch(CheckRun &C);
void checkDiscardedResult(CheckRun &C);
void checkLostWrite(CheckRun &C);
void checkOverlappingWrite(CheckRun &C);
void checkRedundantContiguous(CheckRun &C);
void checkAllocationInLoop(CheckRun &C);
void checkDanglingDataPointer(CheckRun &C);
void checkListViews(CheckRun &C); ///< a part of it
void checkSyncInLoop(CheckRun &C);
void checkBatchableLoop(CheckRun &C);
void checkHiddenCopy(CheckRun &C);
void checkRedundantClone(CheckRun &C);
void checkMemoryFormat(CheckRun &C);
void checkConstantInForward(CheckRun &C);
void checkRetainGraph(CheckRun &C);
void checkMissingNoGrad(CheckRun &C);
void checkCacheFlushInLoop(CheckRun &C);
void checkUnsynchronizedTiming(CheckRun &C);
void checkFromBlobLifetime(CheckRun &C);
void checkRawPointerLayout(CheckRun &C);
void checkInplaceOnSaved(CheckRun &C);

} // namespace tensortidy::analysis

#endif
