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

#include "Analysis/Borrow/Borrow.h"
#include "Analysis/Flow/Handles.h"

namespace tensortidy::analysis {

struct CheckRun {
  const program::Function &F;
  const FlowInfo &Flow;
  const RunResult &Opaque;
  const RunResult *Contiguous = nullptr;
  const RunResult *ChannelsLast = nullptr;
  const LoopFacts &Loops;
  std::vector<Finding> &Out;
  std::vector<SilentSite> &Silent;
  const Handles &Held;
  const std::vector<borrow::BorrowFact> &Borrows;
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
  return S.is(program::Attribute::ReadsClock);
}

/// Whether elements of \p DType are integers, or bool.
inline bool isIntegral(llvm::StringRef DType) {
  return DType == "bool" || DType.contains("int");
}

/// Adds the edit that names the object of \p Of, which a declaration is
/// initialised with: `auto x_NAME = x;` before it. \p Call is made on it there.
void nameObject(const program::Function &F, const program::Stmt &Of,
                const std::string &Object, const std::string &Name,
                const std::string &Call, Finding &Found);

/// Each check of Checks.def, in a file of its name.
#define TENSORTIDY_CHECK(Id, Name, Level, HasFix, Summary)                     \
  void check##Id(CheckRun &C);
#include "Analysis/Checks.def"
/// The parts of tensor-lost-write that are about handles, rows that are
/// swapped, what was to be remembered, and rows that are named twice.
void tellLostAssignments(CheckRun &C);
void tellLostSwaps(CheckRun &C);
void tellLostHandles(CheckRun &C);
/// What tensor-uninitialized-read says of copies that are not done, and of
/// memory that is written in part.
void tellUnfinishedCopies(CheckRun &C);
void tellPartlyWritten(CheckRun &C);
/// What tensor-allocation-in-loop says of generators of random numbers.
void tellRepeatedNumbers(CheckRun &C);
/// What tensor-shape-mismatch says of dimensions of one element.
void tellSingles(CheckRun &C);
void tellLostRows(CheckRun &C);
/// Nodes of ggml's graphs that have no values where they are read.
void tellGraphNodes(CheckRun &C);
/// Graphs that are not computed, as a scheduler still holds another.
void tellGraphSchedules(CheckRun &C);
/// Nodes whose memory is given out again.
void tellGraphMemory(CheckRun &C);
/// A fact of a loan of List or Memory.
void tellMemory(CheckRun &C, const borrow::BorrowFact &B);

} // namespace tensortidy::analysis

#endif
