//===- ViewAfterPermute.cpp - tensor-view-after-permute -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: one feasible path on which the view throws. Level 0 when that
// holds for any layout of the parameters, level 1 when for contiguous ones
// (and channels-last input would not make it legal).
//
//===----------------------------------------------------------------------===//

#include "Analysis/CheckRun.h"

namespace tensortidy::analysis {

using namespace program;

static const ViewSite *find(const RunResult *R, const Stmt *S) {
  if (!R)
    return nullptr;
  auto It = R->Views.find(S);
  return It == R->Views.end() ? nullptr : &It->second;
}

/// The opaque tensor a layout goes back to; empty when it is known throughout.
static std::string assumedRoot(const ProvRef &P) {
  for (const Provenance *I = P.get(); I; I = I->Parent.get())
    if (!I->Assumed.empty())
      return I->Assumed;
  return "";
}

/// The operation that took the layout away from a contiguous tensor; failing
/// that, the last one.
static const Provenance *cause(const ProvRef &P) {
  const Provenance *Last = nullptr;
  for (const Provenance *I = P.get(); I; I = I->Parent.get()) {
    if (I->What.empty() || I->Checked)
      continue;
    if (!Last)
      Last = I;
    if (I->FromContiguous)
      return I;
  }
  return Last;
}

void checkViewAfterPermute(CheckRun &C) {
  for (const auto &Entry : C.Opaque.Views) {
    const Stmt *S = Entry.first;
    const ViewSite *Site = &Entry.second;
    unsigned Level = 0;
    if (Site->Failed == 0) {
      const ViewSite *Dense = find(C.Contiguous, S);
      const ViewSite *Last = find(C.ChannelsLast, S);
      if (!Dense || Dense->Failed == 0 || !Last || Last->Failed == 0)
        continue;
      // What callers pass decides, and can be seen; or someone expects this.
      if (C.F.CallersVisible || S->InTry)
        continue;
      Site = Dense;
      Level = 1;
    }
    const ViewFailure &V = Site->Failures.front();
    Finding Found;
    Found.Id = Check::ViewAfterPermute;
    Found.Level = Level;
    Found.Where = S->Where;
    Found.Point = S->Callee.Begin ? S->Callee : S->Where;
    std::string When;
    if (Level == 1) {
      std::string Root = assumedRoot(V.Prov);
      When = Root.empty() ? " when its input is contiguous"
                          : " when '" + Root + "' is contiguous";
    }
    if ((Site->Ok || Site->Unknown) && !V.Path.empty())
      When += When.empty() ? " " + V.Path : " and" + V.Path.substr(4);
    if (!V.Unless.empty())
      When += (When.empty() ? " " : ", ") + V.Unless;
    Found.Message = V.Message + "; throws" + When;
    const std::string Name = V.Name.empty() ? "the tensor" : "'" + V.Name + "'";
    if (const Provenance *P = cause(V.Prov))
      Found.Notes.push_back(
          {P->Where, Name + " got this layout here: " + P->What +
                         (P->Of.empty() ? "" : " of " + P->Of)});
    const bool As = S->O == Op::ViewAs;
    const std::string Instead = As ? "reshape_as" : "reshape";
    Found.Notes.push_back({Found.Point,
                           Instead + "() copies " + V.Copies +
                               " elements; contiguous() before " +
                               (As ? "view_as" : "view") + "() does the same"});
    if (S->Edits & EditRenameCallee)
      Found.Edits.push_back(
          {Edit::RenameCallee, S->Callee, Range(), Instead});
    C.Out.push_back(std::move(Found));
  }
}

} // namespace tensortidy::analysis
