//===- ShapeMismatch.cpp - tensor-shape-mismatch -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: one feasible path on which the operation throws for every layout
// and every size the inputs may have. Sizes known by name only count when they
// cannot be equal (H*D + 1 and H*D), or only in a degenerate case that the
// message names (H*D and D: "unless H is 1"), which is level 1.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"

namespace tensortidy::analysis {

using namespace program;

/// Whether a tensor has one of two dtypes, and a branch after it was made is
/// about which. What decides both is seldom one condition that can be followed.
///   auto z = x.to(small || flat ? at::kFloat : at::kInt);
///   if (small) sum(z.data_ptr<float>()); else if (flat) ...
static bool branchesOnDType(const CheckRun &C, const Stmt &S,
                            const LayoutSite &Site, const LayoutFailure &V) {
  if (V.R != layout::Rule::DTypeWanted || !Site.Ok)
    return false;
  BlockId Of = NoId, Made = C.F.Entry;
  forEachStmt(C.F, [&](BlockId B, const Stmt &At) {
    if (&At == &S)
      Of = B;
    if (!V.Notes.empty() && At.Where.Begin == V.Notes[0].Where.Begin &&
        At.Where.End == V.Notes[0].Where.End)
      Made = B;
  });
  return Of != NoId && !C.Loops.comesTo(Of, Made);
}

void checkShapeMismatch(CheckRun &C) {
  for (const auto &[S, Site] : C.Opaque.Sites) {
    const LayoutFailure *V = Site.first(layout::Rule::ViewStrides, true);
    if (!V || S->Expected || branchesOnDType(C, *S, Site, *V))
      continue;
    Finding Found(Check::ShapeMismatch, V->OneExcepted ? 1 : 0, *S);
    Found.At = S;
    std::string When;
    if ((Site.Ok || Site.Unknown || C.Opaque.Answered.count(S)) &&
        !V->Path.empty())
      addPath(When, V->Path);
    if (!V->Unless.empty())
      When += (When.empty() ? " " : ", ") + V->Unless;
    Found.Message = V->Message + "; " + V->Verb + When;
    Found.Notes = V->Notes;
    Found.Notes.insert(Found.Notes.end(), V->Proofs.begin(), V->Proofs.end());
    C.Out.push_back(std::move(Found));
  }
}

} // namespace tensortidy::analysis
