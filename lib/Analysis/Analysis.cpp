//===- Analysis.cpp - one function, all checks -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Analysis.h"
#include "Analysis/CheckRun.h"
#include <algorithm>

namespace tensortidy::analysis {

using namespace program;

llvm::ArrayRef<CheckInfo> checks() {
  static const CheckInfo All[] = {
#define TENSORTIDY_CHECK(Id, Name, Level, HasFix, Summary)                     \
  {Check::Id, Name, Level, HasFix, Summary},
#include "Analysis/Checks.def"
  };
  return All;
}

llvm::ArrayRef<OptionInfo> options() {
  static const OptionInfo All[] = {
#define TENSORTIDY_OPTION(Id, Name, Default, Summary)                          \
  {Check::Id, Name, Default, Summary},
#include "Analysis/Checks.def"
  };
  return All;
}

FunctionResult analyse(const Function &F, const Budget &B) {
  FunctionResult R;
  RunResult Opaque = interpret(F, Hypothesis::Opaque, B);
  R.Reason = Opaque.Reason;
  if (R.Reason != GiveUp::No)
    return R;
  for (auto &Fact : Opaque.Layouts)
    R.Layouts.push_back(std::move(Fact.second));
  bool Open = false;
  for (const auto &V : Opaque.Sites) {
    bool Undecided = V.second.Unknown && !V.second.Failed;
    ++R.LayoutSites;
    R.LayoutSitesDecided += !Undecided;
    if (!V.second.AsksStrides)
      continue;
    R.ViewSites += V.second.IsView;
    R.ViewSitesDecided += V.second.IsView && !Undecided;
    Open = Open || Undecided;
  }
  bool InLoop = false;
  for (const auto &V : Opaque.Contiguous) {
    ++R.ContiguousSites;
    R.ContiguousSitesDecided += !V.second.Unknown;
    InLoop = InLoop || (V.second.Unknown && !F.Loops.empty());
  }
  std::optional<RunResult> Dense, Last;
  if (Open || InLoop) {
    Dense = interpret(F, Hypothesis::Contiguous, B);
    bool Fails = false;
    for (const auto &V : Dense->Sites)
      Fails = Fails || V.second.first(layout::Rule::ViewStrides);
    if (Fails)
      Last = interpret(F, Hypothesis::ChannelsLast, B);
  }
  CheckRun C{
      F,          Opaque,  Dense ? &*Dense : nullptr, Last ? &*Last : nullptr,
      R.Findings, R.Silent};
  checkViewAfterPermute(C);
  checkShapeMismatch(C);
  checkDiscardedResult(C);
  checkLostWrite(C);
  checkOverlappingWrite(C);
  checkRedundantContiguous(C);
  checkAllocationInLoop(C);
  std::stable_sort(R.Findings.begin(), R.Findings.end(),
                   [](const Finding &X, const Finding &Y) {
                     return X.Point.Begin < Y.Point.Begin;
                   });
  return R;
}

} // namespace tensortidy::analysis
