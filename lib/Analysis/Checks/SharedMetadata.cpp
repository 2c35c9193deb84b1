//===- SharedMetadata.cpp - tensor-shared-metadata ------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: every path to the call. A variable of the function is another
// handle of a tensor that a const reference names, and an in-place view changes
// the sizes of both:
//
//   void f(const Tensor &image) {
//     Tensor row = image;
//     row.unsqueeze_(0);           image has a dimension more, too
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace tensortidy::analysis {

using namespace program;

/// The views that are made in place. resize_() and the like are how a function
/// gives what it was passed its result.
static bool isViewInPlace(const Stmt &S) {
  return S.O == Op::TransposeInPlace || S.O == Op::TInPlace ||
         S.O == Op::SqueezeInPlace || S.O == Op::UnsqueezeInPlace;
}

/// Whether \p V is, or is a part of, what a const reference refers to.
static bool isPromised(const CheckRun &C, VarId V) {
  bool IsConst = false, IsReference = false;
  for (unsigned Depth = 0; V < C.F.Vars.size() && Depth < 8; ++Depth) {
    const Variable &Var = C.F.Vars[V];
    // An element of a list that a loop goes through.
    const Stmt *Bound = Var.InTemporary ? nullptr : C.Held.store(V);
    IsConst |= Var.IsConst;
    IsReference |= Var.IsReference || (Bound && Bound->Binds);
    V = Var.Base;
  }
  return IsConst && IsReference;
}

namespace {

/// A view in place through the function's own variable Own, which is another
/// handle of what Given loads.
struct SharedView {
  const Stmt *S, *Given;
  VarId Own;
};

} // namespace

/// \p S as one; nothing where that is not known on some path.
static std::optional<SharedView> sharedView(const CheckRun &C, const Stmt &S) {
  const Arg *Self = isViewInPlace(S) ? findArg(S, "self") : nullptr;
  const Stmt *Load = Self ? C.Held.def(Self->Value) : nullptr;
  if (!Load || Load->O != Op::Load || Load->Var == NoId)
    return std::nullopt;
  const Variable &V = C.F.Vars[Load->Var];
  if (V.IsParam || V.IsMember || V.IsReference || V.IsEnclosing || V.IsStatic)
    return std::nullopt;
  const Stmt *Given = nullptr;
  for (const Stmt *Store : C.Held.reaching(*Load)) {
    const Stmt *From = C.Held.def(Store->Args[0].Value);
    if (!From || From->O != Op::Load || !isPromised(C, From->Var))
      return std::nullopt;
    Given = From;
  }
  if (!Given)
    return std::nullopt;
  return SharedView{&S, Given, Load->Var};
}

void checkSharedMetadata(CheckRun &C) {
  std::vector<SharedView> Views;
  llvm::DenseMap<VarId, unsigned> Changes; // a second one may undo the first
  forEachStmt(C.F, [&](BlockId, const Stmt &S) {
    if (const auto View = sharedView(C, S)) {
      Views.push_back(*View);
      ++Changes[View->Own];
    }
  });
  for (const auto &[S, Given, Own] : Views) {
    if (Changes.lookup(Own) > 1)
      continue;
    const std::string Name = markVariable(C.F, Own, S->Context);
    Finding Found(Check::SharedMetadata, 1, *S);
    Found.Message = S->Text + "() changes the sizes of '" +
                    markVariable(C.F, Given->Var, S->Context) + "', too: '" +
                    Name + "' is the same tensor and no copy";
    Found.Notes.push_back(
        {Given->Where, "'" + Name + "' becomes another handle of it here"});
    Found.Notes.push_back(
        {Found.Point, "without the underscore, the result is a view that '" +
                          Name + "' alone can have: " + Name + " = " + Name +
                          "." + S->Text.substr(0, S->Text.size() - 1) +
                          "(...)"});
    C.Out.push_back(std::move(Found));
  }
}

} // namespace tensortidy::analysis
