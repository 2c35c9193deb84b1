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
// A check in the code, such as TORCH_CHECK, is reported if it fails on every
// path that comes to it, by what the tensors were made. In a function that is
// called with such tensors, the finding stands at the call.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "Analysis/Checks/Wording.h"

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
    if (!V.Origins.empty() && At.Where.Begin == V.Origins[0].Where.Begin &&
        At.Where.End == V.Origins[0].Where.End)
      Made = B;
  });
  return Of != NoId && !C.Loops.comesTo(Of, Made);
}

/// What no path passes in \p R, or null.
static const AssertFailure *fails(const RunResult *R, const Stmt *S) {
  if (!R)
    return nullptr;
  auto It = R->Asserts.find(S);
  return It != R->Asserts.end() && It->second.Failed && !It->second.Open
             ? &It->second.First
             : nullptr;
}

/// Checks that no path passes: whatever parameters are, or if they are
/// contiguous and being channels-last would not help.
static void neverHolds(CheckRun &C) {
  for (const auto &[S, Site] : C.Opaque.Asserts) {
    const AssertFailure *V = fails(&C.Opaque, S);
    std::string When;
    if (!V && Site.AsksStrides && !Site.Failed && !C.F.CallersVisible &&
        fails(C.ChannelsLast, S)) {
      V = fails(C.Contiguous, S);
      When = V ? whenContiguous(V->Prov) : "";
      if (When.empty())
        continue;
    }
    if (!V || V->Part->Expected || S->Expected)
      continue;
    Finding Found(Check::ShapeMismatch,
                  V->Unless.empty() && When.empty() ? 0 : 1, *V->Part);
    Found.Message = "this check can never hold";
    if (V->Calls.empty()) {
      Found.At = V->Part;
    } else {
      const CallContext &Call = C.F.Contexts[V->Calls.back()];
      Found.Where = Found.Point = Call.Where;
      Found.InCall = true;
      Found.Message = "a check in '" + C.F.Contexts[V->Calls.front()].Callee +
                      "' can never hold for this call";
    }
    Found.Message +=
        (When.empty() ? "" : " " + When) + ": " + words(V->Answers);
    if (!V->Unless.empty())
      Found.Message += "; fails " + words(V->Unless);
    if (!V->Calls.empty())
      Found.Notes.push_back({V->Part->point(), "the check is here"});
    for (size_t I = 0; I + 1 < V->Calls.size(); ++I)
      Found.Notes.push_back(
          {C.F.Contexts[V->Calls[I]].Where,
           "in the call of '" + C.F.Contexts[V->Calls[I]].Callee + "' here"});
    addWords(Found.Notes, V->Origins);
    C.Out.push_back(std::move(Found));
  }
}

/// Whether \p V is a text taken for a condition, or a cast of one.
static bool isText(const CheckRun &C, ValueId V) {
  const Stmt *S = C.Held.def(V);
  for (unsigned Depth = 0; S && S->O == Op::Cast && Depth < 4; ++Depth)
    S = S->Args.empty() ? nullptr : C.Held.def(S->Args[0].Value);
  return S && S->O == Op::Const && S->Const == ConstKind::String;
}

/// TORCH_CHECK("no bias here"): a check whose text is its condition. The arm
/// that fails is not there, as nothing comes to it.
static void alwaysHolds(CheckRun &C) {
  for (const Block &B : C.F.Blocks) {
    const Stmt *S = B.Condition ? C.Held.def(B.Condition) : nullptr;
    if (!S || !S->InMacro || S->Expected || B.Succs.size() != 2 ||
        (B.Succs[0] == NoId) == (B.Succs[1] == NoId))
      continue;
    const bool Fails = S->O == Op::Not; // the first arm
    const BlockId Next = B.Succs[Fails ? 1 : 0];
    if (Next == NoId || !isText(C, Fails ? S->Args[0].Value : B.Condition))
      continue;
    Finding Found(Check::ShapeMismatch, 0, *S);
    Found.At = S;
    Found.Message = "this check always holds: its text is its condition";
    C.Out.push_back(std::move(Found));
  }
}

/// Losses that compare each element with all of the other operand.
static void spreads(CheckRun &C) {
  for (const auto &[S, V] : C.Opaque.Spread) {
    if (S->Expected)
      continue;
    Finding Found(Check::ShapeMismatch, V.Usual || V.Unless.isOfSizes() ? 1 : 0,
                  *S);
    Found.At = S;
    const std::string When = V.Unless.empty() ? "" : " " + words(V.Unless);
    Found.Message = V.Call + " compares each element with " +
                    (V.Several.empty() ? "all of " : V.Several + " of ") +
                    "the other tensor: sizes " + V.Left + " and " + V.Right +
                    " broadcast to " + V.Result + "; wrong" + When +
                    (V.Usual ? ", where layers are given matrices" : "");
    C.Out.push_back(std::move(Found));
  }
}

/// Dimensions that a reshape() or a product takes for others.
static void mixesAxes(CheckRun &C) {
  for (const auto &[S, V] : C.Opaque.Axes) {
    if (S->Expected)
      continue;
    Finding Found(Check::ShapeMismatch, 1, *S);
    Found.At = S;
    Found.Message =
        V.Call +
        (V.By ? " sums over dimension " + V.Axis + " of sizes " + V.Sizes +
                    ", and " + V.By->Text + "() made dimension " + V.Was +
                    " add up to 1"
              : " keeps the order of the elements: a step along " + V.Axis +
                    " is " + V.Was + " elements in sizes " + V.Sizes + " and " +
                    V.Is + " here") +
        "; wrong";
    std::string When;
    if (C.Opaque.Answered.count(S) && !V.Taken.empty())
      addPath(When, V.Taken);
    if (!V.Unless.empty())
      When += (When.empty() ? " " : ", ") + words(V.Unless);
    Found.Message += When;
    if (V.By)
      Found.Notes.push_back(
          {V.By->point(), "dimension " + V.Was + " adds up to 1 here"});
    C.Out.push_back(std::move(Found));
  }
}

void checkShapeMismatch(CheckRun &C) {
  neverHolds(C);
  alwaysHolds(C);
  spreads(C);
  mixesAxes(C);
  tellSingles(C);
  for (const auto &[S, Site] : C.Opaque.Sites) {
    const LayoutFailure *V = Site.first(layout::Rule::ViewStrides, true);
    if (!V || S->Expected || branchesOnDType(C, *S, Site, *V))
      continue;
    Finding Found(Check::ShapeMismatch,
                  V->Unless.isOfSizes() || V->Why.UnlessAutocast ? 1 : 0, *S);
    Found.At = S;
    std::string When;
    if ((Site.Ok || Site.Unknown || C.Opaque.Answered.count(S)) &&
        !V->Taken.empty())
      addPath(When, V->Taken);
    if (!V->Unless.empty())
      When += (When.empty() ? " " : ", ") + words(V->Unless);
    if (V->Why.UnlessAutocast)
      When +=
          (When.empty() ? " " : ", ") + std::string("unless autocast is on");
    Found.Message = words(*V) + "; " + effect(V->Why) + When;
    addWords(Found.Notes, V->Origins);
    addWords(Found.Notes, V->Proofs);
    C.Out.push_back(std::move(Found));
  }
}

} // namespace tensortidy::analysis
