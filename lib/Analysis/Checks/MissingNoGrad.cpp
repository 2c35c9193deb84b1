//===- MissingNoGrad.cpp - tensor-missing-no-grad -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: the function. It puts a module into evaluation mode and runs it,
// never asks for a gradient, and never says that it does not want any. Another
// method may have put the module into that mode; one that was loaded from a
// file, and is not trained here, is there to be run.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/TrainingLoops.h"
#include "llvm/ADT/STLExtras.h"

namespace tensortidy::analysis {

using namespace program;

void checkMissingNoGrad(CheckRun &C) {
  const Stmt *Eval = nullptr, *Run = nullptr;
  std::string Why = "eval() changes what some modules do; it does not keep "
                    "autograd from recording";
  auto Kind = [&](const Stmt &S) -> llvm::StringRef {
    const Arg *A = S.O == Op::Enters ? findArg(S, "kind") : nullptr;
    const Stmt *D = A ? C.Loops.Def[A->Value] : nullptr;
    return D ? llvm::StringRef(D->Text) : "";
  };
  // A module that this function loads, or runs again and again.
  auto IsInference = [&](const Stmt &S, BlockId B) {
    if (Kind(S) != "loaded")
      return false;
    const Arg *Module = findArg(S, "module");
    const Stmt *Load = Module ? C.Loops.Def[Module->Value] : nullptr;
    return C.F.Blocks[B].InLoop != NoId ||
           (Load && Load->O == Op::Load &&
            llvm::any_of(C.Loops.Stores[Load->Var], [&](const Stmt *Store) {
              const Stmt *D =
                  Store ? C.Loops.Def[Store->Args[0].Value] : nullptr;
              return D && D->is(Attribute::LoadsModule);
            }));
  };
  program::Range RunAt;
  BlockId EvalAt = 0;
  bool Asks = C.F.IsLambda;
  llvm::SmallVector<std::pair<const Stmt *, BlockId>, 2> Modes;
  auto IsModule = [&](const Stmt &S) {
    const Arg *Weight = findArg(S, "weight");
    const Stmt *D = Weight ? C.Loops.Def[Weight->Value] : nullptr;
    return S.Forward || (D && D->O == Op::Weight);
  };
  // The function's own call that runs a module's forward(), if \p S is in one:
  // `net->forward(x)`, `net->step(x, state)`, `predict(net, x)`.
  auto CallOf = [&](const Stmt &S) -> const CallContext * {
    const CallContext *Outer = nullptr;
    for (uint32_t Id = S.Context; Id; Id = C.F.Contexts[Id].Parent)
      Outer = &C.F.Contexts[Id];
    return Outer && (Outer->IsForward || IsModule(S)) ? Outer : nullptr;
  };
  forEachStmt(C.F, [&](BlockId B, const Stmt &S) {
    const bool Evaluates = evaluates(C.Loops, S);
    // train() at the end puts the module back as it was.
    if (S.is(Attribute::SetsMode) && !Evaluates)
      Modes.push_back({&S, B});
    else
      Asks = Asks || S.O == Op::Backward || S.O == Op::RequiresGrad ||
             (S.is(Attribute::Trains) && !Evaluates);
    const CallContext *Call = CallOf(S);
    if (S.Context && !Call)
      return;
    const bool Elsewhere = Kind(S) == "evaluates";
    if (!Eval && !Call && (Elsewhere || IsInference(S, B))) {
      Eval = &S;
      EvalAt = B;
      Why = Elsewhere ? "another method calls eval(), which does not keep "
                        "autograd from recording"
                      : "a loaded module records as well, where it was saved "
                        "with parameters that require gradients";
    } else if (Evaluates && !Call && !Eval) {
      Eval = &S;
      EvalAt = B;
    } else if (Eval && !Run && (Call || IsModule(S)) &&
               C.Loops.leadsTo(*Eval, EvalAt, S, B)) {
      Run = &S;
      RunAt = Call ? Call->Where : S.point();
    }
  });
  const bool Trains = llvm::any_of(Modes, [&](const auto &M) {
    return Run &&
           C.Loops.leadsTo(*M.first, M.second, *Run, C.Held.blockOf(*Run));
  });
  if (Asks || Trains || !Run)
    return;
  Finding Found(Check::MissingNoGrad, 2, *Run);
  Found.Point = RunAt;
  Found.Message = "this forward() records a graph for gradients that this "
                  "function does not use, unless the caller has a NoGradGuard";
  Found.Notes.push_back({Eval->Where, Why});
  C.Out.push_back(std::move(Found));
}

} // namespace tensortidy::analysis
