//===- Analysis.cpp - one function, all checks -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Analysis.h"
#include "Analysis/Checks/CheckRun.h"
#include "Analysis/Checks/Wording.h"
#include "Analysis/Domain/Names.h"
#include "Analysis/Transfer/Interpret.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <set>

namespace tensortidy::analysis {

using namespace program;

/// A finding in a body that a call brought in. What must hold for all callers
/// is reported where the body is analysed for itself; what one path shows holds
/// for this call, and says so.
static bool belongsHere(const Function &F, Finding &Found,
                        const std::set<uint32_t> &Foreign) {
  if (Found.InCall) // it stands at the call
    return true;
  if (!Found.At || !Found.At->Context)
    return !Foreign.count(Found.Point.Begin);
  for (uint32_t C = Found.At->Context; C; C = F.Contexts[C].Parent)
    Found.Notes.push_back(
        {F.Contexts[C].Where,
         "in the call of '" + F.Contexts[C].Callee + "' here"});
  Found.InCall = true;
  return true;
}

/// Whether \p F writes in place to what one of the operations \p Made gives, or
/// to a view of it.
static bool writesTo(const Function &F, const std::set<const Stmt *> &Made) {
  std::set<ValueId> Values;
  std::set<VarId> Vars;
  bool Written = false;
  for (size_t Before = 0, Now = 1; Before != Now && !Written;) {
    Before = Values.size() + Vars.size();
    forEachStmt(F, [&](BlockId, const Stmt &S) {
      const Arg *Self = findArg(S, "self");
      const bool Mine = Self && Values.count(Self->Value);
      Written = Written || (Mine && opClass(S.O) == OpClass::InPlaceData);
      if (S.O == Op::Store && !S.Args.empty() && Values.count(S.Args[0].Value))
        Vars.insert(S.Var);
      if (Made.count(&S) || (Mine && opClass(S.O) == OpClass::View) ||
          (S.O == Op::Load && Vars.count(S.Var)))
        Values.insert(S.Result);
    });
    Now = Values.size() + Vars.size();
  }
  return Written;
}

/// A site whose layout no path of the first run decided.
static bool isOpen(const LayoutSite &Site) {
  return Site.Unknown && !Site.Failed;
}

static bool isReshape(Op O) {
  return O == Op::Reshape || O == Op::ReshapeAs || O == Op::Flatten ||
         O == Op::Ravel;
}

/// What --stats says of the function's own statements.
static void countSites(const RunResult &Opaque, FunctionResult &R) {
  auto IsOwn = [](const Stmt *S) { return !S->Context; };
  R.Silenced.resize(reasons().size());
  for (const auto &[Why, Of] : Opaque.Silenced)
    R.Silenced[static_cast<size_t>(Why)] =
        static_cast<unsigned>(llvm::count_if(Of, IsOwn));
  for (const auto &[S, Site] : Opaque.Sites) {
    if (!IsOwn(S))
      continue;
    ++R.LayoutSites;
    R.LayoutSitesDecided += !isOpen(Site);
    if (Site.AsksStrides && Site.IsView) {
      ++R.ViewSites;
      R.ViewSitesDecided += !isOpen(Site);
    }
  }
  for (const auto &[S, Site] : Opaque.Pointers)
    if (IsOwn(S)) {
      ++R.PointerSites;
      R.PointerSitesDecided += !Site.Unknown || Site.Failed;
    }
  for (const auto &[S, Site] : Opaque.Contiguous)
    if (IsOwn(S)) {
      ++R.ContiguousSites;
      R.ContiguousSitesDecided += !Site.Unknown;
    }
  for (const auto &[S, Site] : Opaque.Copies)
    if (IsOwn(S)) {
      ++R.CopySites;
      R.CopySitesDecided += !Site.Unknown;
    }
}

/// Whether something is decided only by what opaque tensors are.
/// \p WritesCopy: what may be a copy is written.
static bool needsMoreRuns(const Function &F, const RunResult &Opaque,
                          bool &WritesCopy) {
  bool Open = false;
  for (const auto &V : Opaque.Sites)
    Open = Open || (V.second.AsksStrides && isOpen(V.second));
  for (const auto &V : Opaque.Pointers)
    Open = Open || (V.second.Derived && !V.second.Failed);
  for (const auto &V : Opaque.Writes)
    Open = Open || (V.second.Open && !V.second.Bad);
  for (const auto &V : Opaque.Asserts)
    Open = Open || (V.second.AsksStrides && !V.second.Failed);
  bool InLoop = false;
  for (const auto &V : Opaque.Contiguous)
    InLoop = InLoop || (V.second.Unknown && !F.Loops.empty());
  std::set<const Stmt *> MayCopy;
  unsigned Reshapes = 0;
  for (const auto &[S, Site] : Opaque.Copies) {
    Reshapes += Site.Unknown && isReshape(S->O);
    if (Site.Unknown && (isReshape(S->O) || S->O == Op::Contiguous))
      MayCopy.insert(S);
  }
  // What is repeated may copy when parameters are contiguous.
  InLoop = InLoop || Reshapes > 1 || (Reshapes && !F.Loops.empty());
  WritesCopy = !MayCopy.empty() && writesTo(F, MayCopy);
  return Open || InLoop || WritesCopy;
}

/// Drops what is reported elsewhere.
static void dropForeign(const Function &F, FunctionResult &R) {
  // What a constructor did is told again in the methods that rely on it, and
  // reported where it stands.
  std::set<uint32_t> Told;
  forEachStmt(F, [&](BlockId, const Stmt &S) {
    if (S.Before && S.O != Op::Placed) // of which nothing is told there
      Told.insert(S.point().Begin);
  });
  llvm::erase_if(R.Findings, [&](const Finding &Found) {
    return Told.count(Found.Point.Begin) != 0;
  });
  if (F.Contexts.size() <= 1)
    return;
  std::set<uint32_t> Foreign, Own;
  forEachStmt(F, [&](BlockId, const Stmt &S) {
    (S.Context ? Foreign : Own).insert(S.point().Begin);
  });
  for (uint32_t Begin : Own)
    Foreign.erase(Begin);
  llvm::erase_if(R.Findings, [&](Finding &Found) {
    return !belongsHere(F, Found, Foreign);
  });
  llvm::erase_if(R.Silent, [&](const SilentSite &S) {
    return Foreign.count(S.Begin) != 0;
  });
}

/// Gives things their names, now that the message and its place are known.
static void settle(const Names &Called, Finding &Found) {
  std::vector<Names::Text> Texts{{&Found.Message, 0}};
  for (Note &N : Found.Notes)
    Texts.push_back({&N.Text, N.Where.Begin});
  Called.settle(Texts, {Found.At ? Found.At->Context : 0, Found.Where.Line});
  for (Edit &E : Found.Edits) {
    E.Text = withoutMarks(E.Text);
    E.Call = withoutMarks(E.Call);
  }
}

static void settle(const Names &Called, LayoutFact &Fact) {
  std::vector<Names::Text> Texts{{&Fact.Name, 0}};
  for (std::string &Layout : Fact.Layouts)
    Texts.push_back({&Layout, 0});
  Texts.push_back({&Fact.Drawn.Where, 0});
  for (Note &N : Fact.History)
    Texts.push_back({&N.Text, N.Where.Begin});
  Called.settle(Texts, {0, Fact.Where.Line});
}

FunctionResult analyse(const Function &Written, const Budget &B,
                       FunctionSource *Bodies) {
  FunctionResult R;
  std::optional<Function> Expanded;
  if (Bodies && Written.Reason == GiveUp::No) {
    Expanded = inlineCalls(Written, *Bodies);
    R.Followed = Expanded->Followed;
    R.NotFollowed = Expanded->NotFollowed;
  }
  const Function &F = Expanded ? *Expanded : Written;
  const double Deadline = cpuSeconds() + B.MaxSeconds;
  R.Reason = refuses(F, B);
  if (R.Reason != GiveUp::No)
    return R;
  const FlowInfo Flow(F);
  RunResult Opaque = interpret(Flow, Hypothesis::Opaque, B, Deadline);
  Names Called(F);
  Called.add(static_cast<unsigned>(Hypothesis::Opaque), *Opaque.Table);
  R.Reason = Opaque.Reason;
  R.ValueLayouts = std::move(Opaque.ValueLayouts);
  for (auto &Layout : R.ValueLayouts)
    Called.settle(Layout.second);
  if (R.Reason != GiveUp::No)
    return R;
  for (auto &Seen : Opaque.Layouts) {
    LayoutFact Fact = shown(std::move(Seen.second));
    settle(Called, Fact);
    R.Layouts.push_back(std::move(Fact));
  }
  countSites(Opaque, R);
  std::optional<RunResult> Dense, Last;
  bool WritesCopy = false;
  if (needsMoreRuns(F, Opaque, WritesCopy)) {
    Dense = interpret(Flow, Hypothesis::Contiguous, B, Deadline);
    bool Fails = WritesCopy;
    for (const auto &V : Dense->Sites)
      Fails = Fails || V.second.first(layout::Rule::ViewStrides);
    for (const auto &V : Dense->Pointers)
      Fails = Fails || V.second.Failed;
    for (const auto &V : Dense->Writes)
      Fails = Fails || V.second.Bad;
    for (const auto &V : Dense->Asserts)
      Fails = Fails || V.second.Failed;
    if (Fails)
      Last = interpret(Flow, Hypothesis::ChannelsLast, B, Deadline);
  }
  // Half a run says of no site that all paths were seen.
  for (const auto *Run : {&Dense, &Last})
    if (*Run && (*Run)->Reason != GiveUp::No) {
      R.Reason = (*Run)->Reason;
      return R;
    }
  if (Dense)
    Called.add(static_cast<unsigned>(Hypothesis::Contiguous), *Dense->Table);
  if (Last)
    Called.add(static_cast<unsigned>(Hypothesis::ChannelsLast), *Last->Table);
  const Handles Held(Flow, Opaque);
  const auto Borrows = borrow::findBorrows(Flow, Opaque);
  CheckRun C{F,
             Flow,
             Opaque,
             Dense ? &*Dense : nullptr,
             Last ? &*Last : nullptr,
             Flow.loops(),
             R.Findings,
             R.Silent,
             Held,
             Borrows};
#define TENSORTIDY_CHECK(Id, Name, Level, HasFix, Summary) check##Id(C);
#include "Analysis/Checks.def"
  R.Absorbed = F.Absorbed;
  dropForeign(F, R);
  for (Finding &Found : R.Findings)
    settle(Called, Found);
  std::stable_sort(R.Findings.begin(), R.Findings.end(),
                   [](const Finding &X, const Finding &Y) {
                     return X.Point.Begin < Y.Point.Begin;
                   });
  return R;
}

} // namespace tensortidy::analysis
