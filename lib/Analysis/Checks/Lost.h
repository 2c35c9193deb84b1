//===- Lost.h - what the parts of tensor-lost-write share -------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   x = y;          nothing reads x later: LaterReads
//   x.add_(1);      the same, but for what is only written in place
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_CHECKS_LOST_H
#define TENSORTIDY_ANALYSIS_CHECKS_LOST_H

#include "Analysis/Checks/CheckRun.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tensortidy::analysis {

/// The variables that are read later. What \p Skips says of a load is not a
/// read; it lives as long as this.
struct LaterReads : Dataflow<LaterReads, llvm::BitVector, Direction::Backward> {
  using Skip = llvm::function_ref<bool(const program::Stmt &)>;
  explicit LaterReads(const FlowInfo &Flow, Skip Skips = nullptr)
      : F(Flow.F), Skips(Skips) {
    solve(Flow.Blocks, llvm::BitVector(F.Vars.size()));
  }
  void step(const program::Stmt &S, llvm::BitVector &Live) const {
    if (S.O == program::Op::Store)
      Live.reset(S.Var);
    if (S.O == program::Op::Load && !(Skips && Skips(S)))
      Live.set(S.Var);
    for (const program::Arg &A : S.Args)
      if (A.Var != program::NoId)
        Live.set(A.Var);
    if (S.Calls)
      for (const program::Binding &P : S.Calls->Params)
        if (P.Var != program::NoId)
          Live.set(P.Var);
  }
  void transfer(program::BlockId B, llvm::BitVector &Live) const {
    for (const program::Stmt &S : llvm::reverse(F.Blocks[B].Stmts))
      step(S, Live);
  }
  static bool join(llvm::BitVector &Into, const llvm::BitVector &From) {
    const bool Changes = From.test(Into);
    Into |= From;
    return Changes;
  }
  const program::Function &F;
  Skip Skips;
};

/// Who looks for writes that are lost.
class Lost {
protected:
  explicit Lost(CheckRun &C) : C(C), F(C.F), Values(C.Flow.Values) {
    forEachStmt(F, [&](program::BlockId, const program::Stmt &S) {
      for (const program::Arg &A : S.Args)
        if (A.Var != program::NoId)
          Touched[A.Var].push_back(&S);
    });
  }

  /// A variable whose value only this function reads, by its name.
  bool isLocal(program::VarId V) const {
    return C.Held.isLocal(V) && !F.Vars[V].IsGgml;
  }
  /// The statements that have \p V for an operand; a branch is one.
  llvm::SmallVector<const program::Stmt *, 2> users(program::ValueId V) const {
    llvm::SmallVector<const program::Stmt *, 2> Found;
    for (const DefUse::Use &U : Values.Uses[V])
      Found.push_back(U.S);
    if (Values.Tested[V])
      Found.push_back(Values.Def[V]);
    return Found;
  }
  /// What gives \p V a value, but for calls.
  llvm::SmallVector<const program::Stmt *, 2> stores(program::VarId V) const {
    llvm::SmallVector<const program::Stmt *, 2> Found(Values.Stores[V].begin(),
                                                      Values.Stores[V].end());
    llvm::erase_if(Found, [](const program::Stmt *S) { return !S; });
    return Found;
  }
  Finding finding(const program::Stmt &S, unsigned Level,
                  std::string Message) const {
    Finding Found(Check::LostWrite, Level, S);
    Found.Message = std::move(Message);
    return Found;
  }

  CheckRun &C;
  const program::Function &F;
  const DefUse &Values;
  /// Opaque statements that have a variable itself for an operand.
  llvm::DenseMap<program::VarId, llvm::SmallVector<const program::Stmt *, 2>>
      Touched;
};

} // namespace tensortidy::analysis

#endif
