//===- AllocationInLoop.cpp - tensor-allocation-in-loop -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An allocation is reported when, for a loop around it,
//   * every iteration runs it, with arguments the loop does not change;
//   * the tensor does not outlive the iteration: it is held by variables of
//     the loop's body only, and nothing keeps it;
//   * its elements are never written, or it starts uninitialised and the first
//     thing that touches it overwrites all of it.
// This works on the program's def-use chains, not on states: what it asks is
// about all iterations at once.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "Analysis/Checks/Wording.h"
#include "Analysis/Flow/LoopFacts.h"
#include <algorithm>
#include <set>

namespace tensortidy::analysis {

using namespace program;

namespace {

class LoopAllocations {
public:
  explicit LoopAllocations(CheckRun &C) : C(C), F(C.F), At(C.Loops) {}
  void run();

private:
  bool copiesSurely(const Stmt &S) const;

  CheckRun &C;
  const Function &F;
  const LoopFacts &At;
};

bool LoopAllocations::copiesSurely(const Stmt &S) const {
  auto Copies = [&](const RunResult *R) {
    if (!R)
      return false;
    auto It = R->Contiguous.find(&S);
    return It != R->Contiguous.end() && It->second.Other &&
           !It->second.Redundant;
  };
  return Copies(&C.Opaque) || Copies(C.Contiguous);
}

void LoopAllocations::run() {
  for (BlockId B = 0; B < F.Blocks.size(); ++B) {
    if (F.Blocks[B].InLoop == NoId)
      continue;
    for (const Stmt &S : F.Blocks[B].Stmts) {
      bool Copy = false;
      switch (S.O) {
      case Op::Empty:
      case Op::Filled:
      case Op::FilledLike:
      case Op::EmptyLike:
      case Op::Arange:
      case Op::Eye:
      case Op::Linspace:
      case Op::TensorOf:
        break;
      case Op::Contiguous:
        if (!copiesSurely(S))
          continue;
        Copy = true;
        break;
      case Op::To:
        if (!C.Opaque.SureCopies.count(&S))
          continue;
        Copy = true;
        break;
      case Op::Clone:
      case Op::CloneDense:
        Copy = true;
        break;
      default:
        continue;
      }
      // The outermost loop it can leave.
      LoopId Best = NoId;
      bool Scratch = false;
      const Stmt *Fill = nullptr;
      for (LoopId L = F.Blocks[B].InLoop; L != NoId; L = F.Loops[L].Parent) {
        // What an unknown call does to a tensor's data cannot be seen, and
        // iterations that run at the same time cannot share a tensor.
        if (F.Loops[L].RunsOnce || F.Loops[L].Parallel ||
            !At.everyIteration(B, L) || (Copy && At.CallsUnknown[L]))
          break;
        bool Fixed = true;
        for (const Arg &A : S.Args) {
          Fixed = Fixed && At.invariant(A.Value, L);
          // A leaf that takes gradients is another tensor each time.
          if (const Stmt *O = At.Def[A.Value])
            Fixed = Fixed &&
                    !(O->O == Op::OptionsOp && findArg(*O, "requires_grad"));
        }
        if (!Fixed || !C.Held.staysInside(S, L, Scratch, &Fill))
          break;
        Best = L;
      }
      if (Best == NoId) {
        C.Silent.push_back({Check::AllocationInLoop, S.Callee.Begin});
        continue;
      }
      Finding Found(Check::AllocationInLoop, 1, S);
      const Stmt *Kept = nullptr;
      for (const LoopFacts::Use &U : At.Uses[S.Result])
        if (U.S->O == Op::Store)
          Kept = U.S;
      std::string Text = S.Text.empty() ? opName(S.O).str() : S.Text;
      std::string What = Kept ? "'" + F.Vars[Kept->Var].Name + "'"
                              : "the result of " + Text + "()";
      Found.Message =
          Copy ? What + " is the same copy in every iteration"
               : What + " is allocated" +
                     (Scratch ? " anew in every iteration and overwritten"
                      : Fill  ? " and filled in every iteration with the same "
                                "number"
                              : " in every iteration with the same arguments");
      Found.Message += "; hoist it out of the loop";
      auto Size = C.Opaque.AllocationSize.find(&S);
      if (Size != C.Opaque.AllocationSize.end() && Size->second.known())
        Found.Message += " (" + words(Size->second) + " each time)";
      Found.Notes.push_back(
          {F.Loops[Best].Where, "nothing it depends on changes in this loop"});
      if (Fill)
        Found.Notes.push_back({Fill->Where, "filled here"});
      else
        At.hoist(S, B, Found.Edits);
      C.Out.push_back(std::move(Found));
    }
  }
}

} // namespace

void checkAllocationInLoop(CheckRun &C) {
  if (C.F.Loops.empty())
    return;
  LoopAllocations(C).run();
  tellRepeatedNumbers(C);
}

} // namespace tensortidy::analysis
