//===- MissingNoGrad.cpp - tensor-missing-no-grad -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: the function. It puts a module into evaluation mode and runs it,
// never asks for a gradient, and never says that it does not want any.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "llvm/ADT/STLExtras.h"

namespace tensortidy::analysis {

using namespace program;

void checkMissingNoGrad(CheckRun &C) {
  const Stmt *Eval = nullptr, *Run = nullptr;
  program::Range RunAt;
  BlockId EvalAt = 0;
  bool Asks = C.F.IsLambda;
  // `train(false)` is eval().
  auto TrainsNot = [&](const Stmt &S) {
    const Stmt *Mode = nullptr;
    for (const Arg &A : S.Args)
      if (const Stmt *D = C.Loops.Def[A.Value];
          D && D->O == Op::Const && D->Const == ConstKind::Bool)
        Mode = D;
    return S.is(Attribute::SetsMode) && Mode && !Mode->Imm;
  };
  // The function's own call that runs a module's forward(), if \p S is in one.
  auto CallOf = [&](const Stmt &S) -> const CallContext * {
    const CallContext *Outer = nullptr;
    for (uint32_t Id = S.Context; Id; Id = C.F.Contexts[Id].Parent)
      Outer = &C.F.Contexts[Id];
    return Outer && Outer->IsForward ? Outer : nullptr;
  };
  auto IsModule = [&](const Stmt &S) {
    const Arg *Weight = findArg(S, "weight");
    const Stmt *D = Weight ? C.Loops.Def[Weight->Value] : nullptr;
    return S.Forward || (D && D->O == Op::Weight);
  };
  forEachStmt(C.F, [&](BlockId B, const Stmt &S) {
    const bool Evaluates = S.is(Attribute::Evaluates) || TrainsNot(S);
    Asks = Asks || S.O == Op::Backward || S.O == Op::RequiresGrad ||
           (S.is(Attribute::Trains) && !Evaluates);
    const CallContext *Call = CallOf(S);
    if (S.Context && !Call)
      return;
    if (Evaluates && !Call && !Eval) {
      Eval = &S;
      EvalAt = B;
    } else if (Eval && !Run && (Call || IsModule(S)) &&
               C.Loops.leadsTo(*Eval, EvalAt, S, B)) {
      Run = &S;
      RunAt = Call ? Call->Where : S.point();
    }
  });
  if (Asks || !Run)
    return;
  Finding Found(Check::MissingNoGrad, 2, *Run);
  Found.Point = RunAt;
  Found.Message = "this forward() records a graph for gradients that this "
                  "function does not use, unless the caller has a NoGradGuard";
  Found.Notes.push_back(
      {Eval->Where, "eval() changes what some modules do; it does not keep "
                    "autograd from recording"});
  C.Out.push_back(std::move(Found));
}

} // namespace tensortidy::analysis
