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

#include "Analysis/CheckRun.h"

namespace tensortidy::analysis {

using namespace program;

void checkShapeMismatch(CheckRun &C) {
  for (const auto &[S, Site] : C.Opaque.Sites) {
    const LayoutFailure *V = Site.first(layout::Rule::ViewStrides, true);
    if (!V || S->InTry)
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
    C.Out.push_back(std::move(Found));
  }
}

} // namespace tensortidy::analysis
