//===- UnsynchronizedTiming.cpp - tensor-unsynchronized-timing -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: all paths between the two looks at the clock. Work is put to a
// CUDA device there, and nothing waits for it; what cannot be seen may wait.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "llvm/ADT/STLExtras.h"

namespace tensortidy::analysis {

using namespace program;

namespace {

/// Whether the function sends tensors to a CUDA device by name.
bool usesCuda(const LoopFacts &At) {
  bool Uses = false;
  forEachStmt(At.F, [&](BlockId, const Stmt &S) {
    if (S.O != Op::Const || S.Const != ConstKind::Symbol || S.Text != "cuda")
      return;
    for (const LoopFacts::Use &U : At.Uses[S.Result])
      Uses = Uses || opClass(U.S->O) != OpClass::Condition;
  });
  return Uses;
}

/// Whether \p S may wait for the device, or may do what is not seen.
bool mayWait(const Stmt &S) {
  if (S.is(Attribute::Syncs))
    return true;
  switch (S.O) {
  case Op::Item:
  case Op::Index:
  case Op::DataPtr:
  case Op::Accessor:
  case Op::To:
    return true;
  case Op::Opaque:
    return !S.IsScalar && !S.Forward && !S.is(Attribute::ReturnsAtOnce) &&
           (S.Reaches >= Reach::Members || S.Text.empty() ||
            isalpha(S.Text[0]));
  default:
    return false;
  }
}

bool isWork(const Stmt &S) {
  return isProduct(S.O) || S.O == Op::Backward || S.Forward;
}

} // namespace

void checkUnsynchronizedTiming(CheckRun &C) {
  const LoopFacts &At = C.Loops;
  auto Clock = [&](ValueId V) {
    const Stmt *S = At.Values.origin(V);
    return S && isClock(*S) ? S : nullptr;
  };
  forEachStmt(C.F, [&](BlockId, const Stmt &Minus) {
    if (!(Minus.O == Op::ISub || Minus.O == Op::Minus ||
          Minus.calls(Attribute::Subtracts)) ||
        Minus.Args.size() != 2 || Minus.Context)
      return;
    const Stmt *Stop = Clock(Minus.Args[0].Value),
               *Start = Clock(Minus.Args[1].Value);
    if (!Stop || !Start || Stop == Start)
      return;
    const BlockId From = At.DefBlock[Start->Result],
                  To = At.DefBlock[Stop->Result];
    const Stmt *Work = nullptr;
    bool Waits = !At.leadsTo(*Start, From, *Stop, To);
    forEachStmt(C.F, [&](BlockId B, const Stmt &S) {
      if (Waits || &S == Start || &S == Stop ||
          !At.leadsTo(*Start, From, S, B) || !At.leadsTo(S, B, *Stop, To))
        return;
      Waits = mayWait(S);
      if (!Work && isWork(S))
        Work = &S;
    });
    if (Waits || !Work || !usesCuda(At))
      return;
    Finding Found(Check::UnsynchronizedTiming, 2, *Stop);
    Found.Point = Stop->Where;
    Found.Message = "the clock is read before the device has finished: this "
                    "measures the time to launch the work";
    Found.Notes.push_back({Start->Where, "the measurement starts here"});
    Found.Notes.push_back({Work->point(),
                           "this returns at once; call "
                           "torch::cuda::synchronize() before each reading"});
    C.Out.push_back(std::move(Found));
  });
}

} // namespace tensortidy::analysis
