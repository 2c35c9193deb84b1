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

#include "Analysis/CheckRun.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

namespace tensortidy::analysis {

using namespace program;

void checkMissingNoGrad(CheckRun &C) {
  static const llvm::StringSet<> Wants = {"backward",
                                          "grad",
                                          "step",
                                          "zero_grad",
                                          "train",
                                          "requires_grad_",
                                          "retain_grad",
                                          "set_requires_grad",
                                          "NoGradGuard",
                                          "InferenceMode",
                                          "AutoGradMode",
                                          "set_enabled",
                                          "AutoNonVariableTypeMode"};
  const Stmt *Eval = nullptr, *Run = nullptr;
  BlockId EvalAt = 0;
  bool Asks = C.F.IsLambda;
  forEachStmt(C.F, [&](BlockId B, const Stmt &S) {
    Asks = Asks || S.O == Op::Backward || S.O == Op::RequiresGrad ||
           Wants.contains(S.Text);
    if (S.Context)
      return;
    if (S.O == Op::Opaque && S.Text == "eval" && !Eval) {
      Eval = &S;
      EvalAt = B;
    } else if (S.Text == "forward" && Eval && !Run &&
               C.Loops.leadsTo(*Eval, EvalAt, S, B)) {
      Run = &S;
    }
  });
  if (Asks || !Run)
    return;
  Finding Found(Check::MissingNoGrad, 2, *Run);
  Found.Message = "this forward() records a graph for gradients that nobody "
                  "here asks for, unless the caller has a NoGradGuard";
  Found.Notes.push_back(
      {Eval->Where, "eval() changes what some modules do; it does not keep "
                    "autograd from recording"});
  C.Out.push_back(std::move(Found));
}

} // namespace tensortidy::analysis
