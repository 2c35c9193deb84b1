//===- LostWrite.cpp - tensor-lost-write -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: every path copies. A write whose target is the result of the
// operation just before it, which nothing else uses, is lost where that
// operation copies on every path (level 0), or does so unless a named size is
// 1 (level 1).
//
//===----------------------------------------------------------------------===//

#include "Analysis/CheckRun.h"

namespace tensortidy::analysis {

using namespace program;

void checkLostWrite(CheckRun &C) {
  llvm::DenseMap<ValueId, const Stmt *> DefOf;
  llvm::DenseMap<ValueId, unsigned> Uses;
  forEachStmt(C.F, [&](BlockId B, const Stmt &S) {
    if (S.Result)
      DefOf[S.Result] = &S;
    for (const Arg &A : S.Args)
      ++Uses[A.Value];
    if (C.F.Blocks[B].Condition && &S == &C.F.Blocks[B].Stmts.back())
      ++Uses[C.F.Blocks[B].Condition];
  });
  forEachStmt(C.F, [&](BlockId, const Stmt &S) {
    const Arg *Self = findArg(S, "self");
    if ((S.O != Op::Update && S.O != Op::Overwrite) || !S.Discarded || !Self ||
        S.InTry || Uses.lookup(Self->Value) != 1)
      return;
    const Stmt *Made = DefOf.lookup(Self->Value);
    if (!Made)
      return;
    const OpClass K = opClass(Made->O);
    std::string Unless;
    if (K == OpClass::MaybeCopy) {
      auto It = C.Opaque.Copies.find(Made);
      if (It == C.Opaque.Copies.end() || !It->second.always())
        return;
      Unless = It->second.Unless;
    } else if (K != OpClass::Copy && K != OpClass::Compute) {
      return;
    }
    // A module or a function of other effects may keep what it returns.
    if (Made->Text == "forward" || Made->Text.empty())
      return;
    Finding Found;
    Found.Id = Check::LostWrite;
    Found.Level = Unless.empty() ? 0 : 1;
    Found.Where = S.Where;
    Found.Point = S.Callee.Begin ? S.Callee : S.Where;
    const bool Assigns = S.Text == "=";
    Found.Message = std::string(Assigns ? "this assignment" : S.Text + "()") +
                    " is lost: it writes to the copy that " + Made->Text +
                    "() makes";
    if (!Unless.empty())
      Found.Message += ", " + Unless;
    if (Made->O == Op::Index)
      Found.Notes.push_back(
          {Found.Point, "index_put_() writes to the elements themselves"});
    else
      Found.Notes.push_back({Made->Callee.Begin ? Made->Callee : Made->Where,
                             "write to the tensor itself, or keep the copy"});
    C.Out.push_back(std::move(Found));
  });
}

} // namespace tensortidy::analysis
