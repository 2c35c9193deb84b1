//===- RetainGraph.cpp - tensor-retain-graph -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: nothing that is seen runs backward a second time through any part
// of the graph, and nothing unseen can: the graph is made and used up here.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

namespace tensortidy::analysis {

using namespace program;

namespace {

/// Whether the tensor \p V may be part of a graph that was made elsewhere: not
/// what a factory has just made.
bool mayHaveGraph(const LoopFacts &At, VarId V) {
  const ValueId Only = At.Values.onlyValue(V);
  const Stmt *Made = Only ? At.Values.origin(Only) : nullptr;
  return !Made || opClass(Made->O) != OpClass::Factory;
}

/// Whether \p V is what a data loader gave, or a part of it.
bool isBatch(const CheckRun &C, VarId V) {
  while (C.F.Vars[V].Base != NoId && C.F.Vars[V].Base != ThisBase)
    V = C.F.Vars[V].Base;
  const auto &Stores = C.Loops.Stores[V];
  const Stmt *Made = Stores.size() == 1 && Stores[0] && !Stores[0]->Args.empty()
                         ? C.Loops.Def[Stores[0]->Args[0].Value]
                         : nullptr;
  return Made && Made->O == Op::Batch;
}

/// Whether a later call of backward() could meet the graph of \p S, which
/// stands in loop \p L or in none.
bool isNeeded(const CheckRun &C, const Stmt &S, LoopId L) {
  const Function &F = C.F;
  bool Needed = false;
  forEachStmt(F, [&](BlockId B, const Stmt &T) {
    const bool Inside = L == NoId || C.Loops.blockInside(B, L);
    if (&T != &S && (T.O == Op::Backward || T.is(Attribute::RunsBackward)))
      Needed = true;
    if (T.O == Op::Return && !T.Args.empty())
      Needed =
          Needed || F.Returns == VarType::Tensor || F.Returns == VarType::List;
    if (!Inside)
      return;
    auto IsOutside = [&](VarId V) {
      if (isBatch(C, V))
        return false;
      const Variable &Var = F.Vars[V];
      return !C.Loops.Values.isOwn(V) ||
             (L != NoId &&
              (Var.DeclaredIn == NoId || !C.Loops.inside(Var.DeclaredIn, L)));
    };
    auto HoldsTensors = [&](VarId V) {
      return F.Vars[V].Type == VarType::Tensor ||
             F.Vars[V].Type == VarType::List;
    };
    // What comes from an earlier iteration or a caller, or lives on.
    if (T.O == Op::Load && HoldsTensors(T.Var) && IsOutside(T.Var))
      Needed = Needed || mayHaveGraph(C.Loops, T.Var);
    if (T.O == Op::Store && HoldsTensors(T.Var) && IsOutside(T.Var))
      Needed = true;
    if (T.isOpaque())
      for (const Arg &A : T.Args)
        Needed = Needed || (A.R == Role::Write && A.Var != NoId &&
                            HoldsTensors(A.Var) && IsOutside(A.Var));
  });
  return Needed;
}

} // namespace

void checkRetainGraph(CheckRun &C) {
  forEachStmt(C.F, [&](BlockId B, const Stmt &S) {
    const Arg *Retain =
        S.O == Op::Backward ? findArg(S, "retain_graph") : nullptr;
    const Stmt *Told = Retain ? C.Loops.Def[Retain->Value] : nullptr;
    const Arg *Create = findArg(S, "create_graph");
    const Stmt *Creates = Create ? C.Loops.Def[Create->Value] : nullptr;
    const LoopId L = C.Loops.loopAround(B);
    if (!Told || Told->O != Op::Const || Told->Const != ConstKind::Bool ||
        !Told->Imm ||
        (Create && !(Creates && Creates->O == Op::Const && !Creates->Imm)) ||
        isNeeded(C, S, L))
      return;
    Finding Found(Check::RetainGraph, 2, S);
    Found.Message = "retain_graph keeps what the graph has saved, and nothing "
                    "runs backward through it again";
    C.Out.push_back(std::move(Found));
  });
}

} // namespace tensortidy::analysis
