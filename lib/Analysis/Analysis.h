//===- Analysis.h - run the checks on one tensor program --------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One analysis per function serves all checks:
//
//   Program -> abstract interpretation (states) -> facts per site -> findings
//
// It never fails: what cannot be decided, or would take too long, is silence
// and a line in the statistics.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_ANALYSIS_H
#define TENSORTIDY_ANALYSIS_ANALYSIS_H

#include "Analysis/Finding.h"
#include "Program/Inline.h"
#include <map>

namespace tensortidy::analysis {

/// Bounds; reaching one means silence for the function.
struct Budget {
  unsigned MaxBlocks = program::MaxBlocks;
  unsigned MaxStatements = 200000;
  unsigned MaxBlockVisits = 60; ///< visits of one block before giving up
  unsigned MaxStates = 8;
  /// CPU time for all that is asked of one function. A last resort: the others
  /// are the same on every machine.
  double MaxSeconds = 10;
  bool Describe = false; ///< fill FunctionResult::ValueLayouts
  /// Record the layout of every tensor expression, for editors and `explain`.
  bool Observe = false;
};

/// A layout in numbers, to be drawn: small ones stand for sizes that are not
/// known.
struct DrawnLayout {
  std::vector<int64_t> Sizes, Strides;
  int64_t Offset = 0;
  std::string Where; ///< "B=2, T=3": what stands for names, or empty
  bool Ggml = false;
  std::string Why; ///< it cannot be drawn; else empty
};

/// What is known of the tensor an expression stands for.
struct LayoutFact {
  program::Range Where;  ///< the expression, or the name being declared
  program::Range Point;  ///< the name of what is called, if it has one
  std::string Name;      ///< the variable, or empty
  bool IsStored = false; ///< the value a declaration or assignment stores
  /// One text per different path: "[B, T, C], strides [T*C, 1, T]".
  std::vector<std::string> Layouts;
  std::string DType;         ///< "float32", or empty
  DrawnLayout Drawn;         ///< that of the first path
  std::vector<Note> History; ///< the operations that led here, latest first
};

/// A place a check looked at and found nothing. One source line may belong to
/// several functions (instantiations of a template): what must hold for all of
/// them is reported only if no instantiation is silent.
struct SilentSite {
  Check Id;
  uint32_t Begin; ///< Finding::Point.Begin it would have had
};

/// What one function's analysis gives.
struct FunctionResult {
  std::vector<Finding> Findings; ///< all checks, all levels, by position
  std::vector<SilentSite> Silent;
  program::GiveUp Reason = program::GiveUp::No;
  unsigned Followed = 0, NotFollowed = 0; ///< calls with a body in the unit
  /// Bodies that need no analysis of their own (Function::Absorbed).
  std::vector<program::BodyId> Absorbed;
  unsigned ViewSites = 0, ViewSitesDecided = 0;
  unsigned LayoutSites = 0, LayoutSitesDecided = 0;
  unsigned ContiguousSites = 0, ContiguousSitesDecided = 0;
  /// Raw pointers, by what is known of their tensor's layout.
  unsigned PointerSites = 0, PointerSitesDecided = 0;
  /// Calls that copy or share as the layout decides.
  unsigned CopySites = 0, CopySitesDecided = 0;
  std::vector<LayoutFact> Layouts; ///< with Budget::Observe, by position
  /// What is known of each tensor value, for --print-program and tests:
  /// "[2, 3] strides [3, 1] storage %4".
  std::map<program::ValueId, std::string> ValueLayouts;
};

/// CPU time of this thread, in seconds, where that can be asked; else the time.
double cpuSeconds();

/// \p Bodies gives what the calls in \p F run; without it they stay opaque.
FunctionResult analyse(const program::Function &F, const Budget &B = Budget(),
                       program::FunctionSource *Bodies = nullptr);

} // namespace tensortidy::analysis

#endif
