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

#include "Analysis/Facts/Budget.h"
#include "Program/Inline.h"
#include <map>

namespace tensortidy::analysis {

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
  /// Of each of reasons(): statements of which something was not told.
  std::vector<unsigned> Silenced;
  std::vector<LayoutFact> Layouts; ///< with Budget::Observe, by position
  /// What is known of each tensor value, for --print-program and tests:
  /// "[2, 3] strides [3, 1] storage %4".
  std::map<program::ValueId, std::string> ValueLayouts;
};

/// \p Bodies gives what the calls in \p F run; without it they stay opaque.
FunctionResult analyse(const program::Function &F, const Budget &B = Budget(),
                       program::FunctionSource *Bodies = nullptr);

} // namespace tensortidy::analysis

#endif
