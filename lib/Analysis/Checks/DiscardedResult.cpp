//===- DiscardedResult.cpp - tensor-discarded-result -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: the statement itself; no path or layout matters. Reported is a
// call that changes nothing and whose result nobody takes. Not reported: what
// runs for its cost (a benchmark's loop, which computes the same each time),
// for what it does beside (a module's forward(), statistics of a norm, options
// that ask for the in-place form), or in order to throw.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include <set>

namespace tensortidy::analysis {

using namespace program;

/// Whether the call may change something all the same.
static bool hasOtherEffects(const Stmt &S) {
  return S.O == Op::SelfHandle || S.Forward || S.is(Attribute::MoreEffects) ||
         (S.O != Op::To && findArg(S, "options")) || findArg(S, "inplace");
}

/// Whether every iteration of the innermost loop around \p S does the same:
/// then it is run to be timed, or to warm up.
static bool repeatsItself(const Function &F, const Stmt &S, LoopId Loop) {
  if (Loop == NoId)
    return false;
  // What the loop stores or declares, and what is computed from that.
  std::set<VarId> Changed;
  std::set<ValueId> Varying;
  auto Inside = [&](LoopId L) {
    for (; L != NoId; L = F.Loops[L].Parent)
      if (L == Loop)
        return true;
    return false;
  };
  forEachStmt(F, [&](BlockId B, const Stmt &T) {
    if (T.O == Op::Store && Inside(F.Blocks[B].InLoop))
      Changed.insert(T.Var);
    if (T.isOpaque() && Inside(F.Blocks[B].InLoop))
      for (const Arg &A : T.Args)
        if (A.R != Role::Read && A.Var != NoId)
          Changed.insert(A.Var);
  });
  for (VarId V = 0; V < F.Vars.size(); ++V)
    if (Inside(F.Vars[V].DeclaredIn))
      Changed.insert(V);
  bool Varies = false;
  for (bool Grew = true; Grew;) {
    Grew = false;
    forEachStmt(F, [&](BlockId, const Stmt &T) {
      bool Mine = T.O == Op::Load && Changed.count(T.Var);
      for (const Arg &A : T.Args)
        Mine = Mine || Varying.count(A.Value);
      if (Mine && &T == &S)
        Varies = true;
      if (Mine && T.Result)
        Grew = Varying.insert(T.Result).second || Grew;
    });
  }
  return !Varies;
}

/// Whether \p F is a lambda without parameters that does this and no more, for
/// others to time or to see it throw.
static bool isThunk(const Function &F) {
  if (!F.IsLambda ||
      llvm::any_of(F.Vars, [](const Variable &V) { return V.IsParam; }))
    return false;
  unsigned Expressions = 0;
  forEachStmt(F, [&](BlockId, const Stmt &S) {
    Expressions += S.O == Op::FullExprEnd;
  });
  return Expressions == 1;
}

void checkDiscardedResult(CheckRun &C) {
  const bool IsThunk = isThunk(C.F);
  bool IsTimed = false;
  forEachStmt(C.F,
              [&](BlockId, const Stmt &S) { IsTimed = IsTimed || isClock(S); });
  forEachStmt(C.F, [&](BlockId B, const Stmt &S) {
    OpClass K = opClass(S.O);
    const bool IsNode =
        S.isOpaque() && S.is(Attribute::MakesNode) &&
        llvm::all_of(S.Args, [](const Arg &A) { return A.R == Role::Read; });
    bool Pure = IsNode || K == OpClass::View || K == OpClass::MaybeCopy ||
                K == OpClass::Copy || K == OpClass::Compute ||
                (K == OpClass::Graph && S.O != Op::GgmlNew);
    if (!S.Discarded || !Pure || S.Expected || S.Text.empty() ||
        hasOtherEffects(S))
      return;
    if (S.InMacro || IsThunk || (IsTimed && isProduct(S.O)) ||
        repeatsItself(C.F, S, C.F.Blocks[B].InLoop)) {
      C.Silent.push_back({Check::DiscardedResult, S.Callee.Begin});
      return;
    }
    const Arg *Self = findArg(S, "self");
    std::string Name;
    forEachStmt(C.F, [&](BlockId, const Stmt &D) {
      if (Self && D.O == Op::Load && D.Result == Self->Value &&
          !C.F.Vars[D.Var].Name.empty())
        Name = "'" + C.F.Vars[D.Var].Name + "'";
    });
    Finding Found(Check::DiscardedResult, 0, S);
    const bool IsName = isalpha(S.Text[0]);
    const std::string Call = IsName ? S.Text + "()" : "operator" + S.Text;
    Found.Message =
        IsNode ? Call + " only gives what passes the gradients on, and it is "
                        "thrown away: none come to its operands by it"
        : K == OpClass::Graph
            ? Call + " only makes a node of a graph, and it is thrown away: "
                     "nothing is computed"
            : Call + " does not change " +
                  (Name.empty() ? "its operand" : Name) +
                  ", and its result is thrown away";
    if (S.Edits & EditAssign)
      Found.Edits.push_back({Edit::AssignBack, S.Where, S.Object, ""});
    C.Out.push_back(std::move(Found));
  });
}

} // namespace tensortidy::analysis
