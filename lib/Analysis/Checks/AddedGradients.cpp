//===- AddedGradients.cpp - gradients of all iterations together ----------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: every iteration of a loop in which backward() adds to gradients,
// and an optimizer from before the loop steps by them. Nothing in the loop
// comes to a gradient otherwise, and no code that is not seen can.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/AddedGradients.h"

namespace tensortidy::analysis {

using namespace program;

/// Whether \p S runs code that is not seen, and may set gradients to zero.
static bool mayReach(const Stmt &S, VarId Optimizer) {
  if (S.O != Op::Opaque || S.Forward || S.is(Attribute::StepsByGradients))
    return false;
  if (S.Reaches != Reach::Arguments)
    return true;
  return llvm::any_of(S.Args, [&](const Arg &A) { return A.Var == Optimizer; });
}

/// What adds to the gradients by which \p Step goes, in the loop \p L; null:
/// nothing, or something else may come to them.
static const Stmt *addsTo(const CheckRun &C, const Stmt &Step, LoopId L) {
  const Stmt *Backward = nullptr;
  bool Reached = false;
  forEachStmt(C.F, [&](BlockId B, const Stmt &S) {
    if (!C.Flow.insideLoop(B, L))
      return;
    Reached = Reached || S.is(Attribute::ReachesGradients) ||
              mayReach(S, Step.Args.front().Var);
    if (S.O == Op::Backward && !S.InTry)
      Backward = &S;
  });
  return Reached ? nullptr : Backward;
}

void checkAddedGradients(CheckRun &C) {
  forEachStmt(C.F, [&](BlockId B, const Stmt &S) {
    const LoopId L = C.F.Blocks[B].InLoop;
    // What it is given is a function, which may do it all.
    if (!S.is(Attribute::StepsByGradients) || L == NoId || S.Args.empty() ||
        S.Args.front().Var == NoId || !C.Loops.comesBack(B, L) ||
        llvm::any_of(S.Args, [](const Arg &A) { return A.Value != 0; }))
      return;
    const Variable &Optimizer = C.F.Vars[S.Args.front().Var];
    const LoopId Made = Optimizer.IsPointee && Optimizer.Base < C.F.Vars.size()
                            ? C.F.Vars[Optimizer.Base].DeclaredIn
                            : Optimizer.DeclaredIn;
    if (Made != NoId && isInside(C.F, Made, L))
      return;
    const Stmt *Backward = addsTo(C, S, L);
    if (!Backward)
      return;
    Finding Found(Check::GraphRetention, 1, S);
    Found.At = &S;
    Found.Message = S.Text + "() goes by gradients that add up: no iteration "
                             "sets those of the ones before to zero";
    Found.Notes.push_back({Backward->point(),
                           "backward() adds to the gradients here; call "
                           "zero_grad() before it"});
    C.Out.push_back(std::move(Found));
  });
}

} // namespace tensortidy::analysis
