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
// (and channels-last input would not make it legal), or unless two axes are
// equal by chance.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "Analysis/Checks/Wording.h"
#include <set>

namespace tensortidy::analysis {

using namespace program;

/// How \p R says that the strides forbid \p S, or null.
static const LayoutFailure *failure(const RunResult *R, const Stmt *S) {
  if (!R)
    return nullptr;
  auto It = R->Sites.find(S);
  return It == R->Sites.end() ? nullptr
                              : It->second.first(layout::Rule::ViewStrides);
}

std::string assumedRoot(const ProvRef &P) {
  for (const Provenance *I = P.get(); I; I = I->Parent.get())
    if (!I->Assumed.empty())
      return I->Assumed;
  return "";
}

std::string whenContiguous(const ProvRef &P) {
  const std::string Root = assumedRoot(P);
  return "when " + (Root.empty() ? "its input" : "'" + Root + "'") +
         " is contiguous";
}

const Provenance *cause(const ProvRef &P) {
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

/// Whether what \p S returns is written, or its memory handed out: then a copy
/// in its place would lose the write.
static bool isWritten(const Function &F, const Stmt &S) {
  std::set<ValueId> Values{S.Result};
  std::set<VarId> Vars;
  for (bool Grew = true; Grew;) {
    Grew = false;
    bool Written = false;
    forEachStmt(F, [&](BlockId, const Stmt &T) {
      if (T.O == Op::Load && Vars.count(T.Var))
        Grew |= Values.insert(T.Result).second;
      for (const Arg &A : T.Args) {
        if (!Values.count(A.Value))
          continue;
        OpClass K = opClass(T.O);
        bool Target = A.Name == "self" || A.Name == "out" || A.Name.empty();
        Written |= (Target &&
                    (K == OpClass::InPlaceData || K == OpClass::InPlaceMeta)) ||
                   T.O == Op::DataPtr || T.O == Op::Accessor ||
                   (T.isOpaque() && A.R != Role::Read);
        if (T.O == Op::Store)
          Grew |= Vars.insert(T.Var).second;
        else if (T.Result && (K == OpClass::View || K == OpClass::MaybeCopy ||
                              K == OpClass::Structure))
          Grew |= Values.insert(T.Result).second;
      }
    });
    if (Written)
      return true;
  }
  return false;
}

/// What packs an operand of ggml.
static std::string ggmlAdvice(const Stmt &S, const LayoutSite &Site,
                              const LayoutFailure &V) {
  if (!Site.IsView)
    return "ggml_cont() of it copies " + V.Copies + " elements";
  if (V.Instead.empty())
    return "ggml_cont() before it copies " + V.Copies + " elements";
  return V.Instead + "() copies " + V.Copies +
         " elements and gives them this shape; ggml_cont() before " + S.Text +
         "() does the same";
}

void checkViewAfterPermute(CheckRun &C) {
  for (const auto &Entry : C.Opaque.Sites) {
    const Stmt *S = Entry.first;
    const LayoutSite *Site = &Entry.second;
    const LayoutFailure *Failure = Site->first(layout::Rule::ViewStrides);
    unsigned Level = 0;
    if (S->Expected)
      continue;
    if (!Failure) {
      Failure = failure(C.Contiguous, S);
      if (!Failure || !failure(C.ChannelsLast, S))
        continue;
      // What callers pass decides, and can be seen.
      if (C.F.CallersVisible)
        continue;
      Site = &C.Contiguous->Sites.find(S)->second;
      Level = 1;
    }
    const LayoutFailure &V = *Failure;
    Finding Found(Check::ViewAfterPermute, Level, *S);
    Found.At = S;
    std::string When;
    if (Level == 1)
      When = " " + whenContiguous(V.Prov);
    if ((Site->Ok || Site->Unknown) && !V.Taken.empty())
      addPath(When, V.Taken);
    if (!V.Unless.empty())
      When += (When.empty() ? " " : ", ") + words(V.Unless);
    Found.Message = words(V) + "; " + effect(V.Why) + When;
    if (V.OnBackend || V.Unless.Axes)
      Found.Level = std::max(Found.Level, 1u);
    if (const Provenance *P = cause(V.Prov))
      Found.Notes.push_back(gotLayout(quoted(V.Name, "the tensor"), *P));
    addWords(Found.Notes, V.Proofs);
    if (V.Why.K == Refusal::NotPacked) {
      Found.Notes.push_back({Found.Point, ggmlAdvice(*S, *Site, V)});
      if ((S->Edits & EditRenameCallee) && !V.Instead.empty())
        Found.Edits.push_back(
            {Edit::RenameCallee, S->Callee, Range(), V.Instead});
      C.Out.push_back(std::move(Found));
      continue;
    }
    const bool As = S->O == Op::ViewAs;
    const std::string Instead = As ? "reshape_as" : "reshape";
    // A user's own type has other names for them.
    if (S->is(Attribute::NamedView))
      Found.Notes.push_back(
          {Found.Point, Instead + "() copies " + V.Copies +
                            " elements; contiguous() before " +
                            (As ? "view_as" : "view") + "() does the same"});
    if ((S->Edits & EditRenameCallee) && !isWritten(C.F, *S))
      Found.Edits.push_back({Edit::RenameCallee, S->Callee, Range(), Instead});
    C.Out.push_back(std::move(Found));
  }
}

} // namespace tensortidy::analysis
