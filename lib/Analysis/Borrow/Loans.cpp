//===- Loans.cpp - following one loan through a function ------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Borrow/Loans.h"

namespace tensortidy::analysis::borrow {

constexpr size_t MaxStates = 32; ///< of one loan at one block

bool isNewObject(const Stmt &S) {
  if (S.O == Op::Reshape || S.O == Op::ReshapeAs)
    return true;
  // All of the dimensions, or none.
  return S.O == Op::Flatten && findArg(S, "start_dim") && findArg(S, "end_dim");
}

Sharing sharing(const RunResult &Run, const Stmt &S) {
  const bool Never = Run.SureCopies.count(&S);
  if (auto It = Run.Contiguous.find(&S); It != Run.Contiguous.end()) {
    const ContiguousSite &Site = It->second;
    return {!Never && (Site.Redundant || Site.Unreported || Site.Unknown),
            Site.Other || Site.Unknown, true};
  }
  if (auto It = Run.Copies.find(&S); S.O != Op::To && It != Run.Copies.end()) {
    const CopySite &Site = It->second;
    return {!Never && (Site.Shares || Site.Unknown),
            Site.Copies || Site.Unknown, true};
  }
  auto It = Run.SelfSites.find(&S);
  const bool Seen = It != Run.SelfSites.end();
  return {!Never, Seen && It->second.Other, Seen};
}

bool LoanAnalysis::ownsPointee(const LoanState &S, VarId V) const {
  const Variable &Var = F.Vars[V];
  return Var.IsPointee && Var.Type == VarType::Tensor && Var.Base < ThisBase &&
         S.Owners.count(Var.Base);
}

bool LoanAnalysis::outlives(VarId V) const {
  const Variable &Var = F.Vars[V];
  if (Var.IsPointee && Var.Base < ThisBase && F.Vars[Var.Base].Borrows)
    return true; // behind a pointer, and nothing of the function's own
  if (Var.Base != NoId && Var.Base != ThisBase)
    return outlives(Var.Base);
  return Var.IsMember || Var.IsStatic || (Var.IsReference && Var.IsParam);
}

bool LoanAnalysis::step(LoanState &S, const Block &B, const Stmt &At) {
  begin(S, At);
  switch (At.O) {
  case Op::Load:
    return load(S, At);
  case Op::Store:
    return store(S, At);
  case Op::ScopeEnd:
    S.Borrowers.erase(At.Var);
    S.Containers.erase(At.Var);
    endScope(S, At);
    return true;
  case Op::FullExprEnd:
    return endStatement(S, At);
  case Op::Return:
    leave(S, At);
    return false;
  case Op::Throw:
    return false;
  default:
    return other(S, B, At);
  }
}

void LoanAnalysis::loadBorrow(LoanState &S, const Stmt &At) const {
  S.OwnerValues.erase(At.Result);
  S.BorrowerValues.erase(At.Result);
  if (owns(S, At.Var) || ownsPointee(S, At.Var))
    S.OwnerValues.insert(At.Result);
  if (mayBorrow(At.Var))
    anyWhole(At.Var, [&](VarId Whole) {
      if (auto It = S.Borrowers.find(Whole); It != S.Borrowers.end())
        S.BorrowerValues[At.Result] = It->second;
      return false;
    });
  for (const auto &[V, Borrow] : S.Borrowers)
    if (isPartOf(V, At.Var))
      S.BorrowerValues[At.Result] = Borrow;
}

void LoanAnalysis::lend(LoanState &S, VarId To, ValueId From) const {
  S.Borrowers.erase(To);
  S.Containers.erase(To);
  // What a tensor's pointers are put into is followed by its type, what a
  // borrowed tensor is put into whatever it is.
  if (const Stmt *Borrow = borrow(S, From);
      Borrow && (!L.isOfTensor() || mayBorrow(To)))
    S.Borrowers[To] = Borrow;
}

void LoanAnalysis::keep(const LoanState &S, const Stmt &At) {
  std::map<VarId, const Stmt *> All = S.Borrowers;
  for (VarId V : S.Containers)
    All.try_emplace(V, L.Maker);
  for (const auto &[V, Borrow] : All)
    if (outlives(V) &&
        !anyWhole(V, [&](VarId W) { return F.Vars[W].IsEnclosing; }))
      Deferred.push_back(fact(S, BorrowFact::Kept, Borrow, At, V));
}

void LoanAnalysis::tell(const BorrowFact &Found) {
  // What happens within one callee is its own matter.
  const bool AtBorrow =
      Found.K == BorrowFact::Temporary ||
      (Found.K == BorrowFact::Kept && !Found.Expires && !Found.Invalidates);
  const uint32_t Call = outermostCall(F, Found.at().Context);
  if (L.isOfTensor() && Call &&
      Call == outermostCall(F, (AtBorrow ? Found.Use : Found.Borrow)->Context))
    return;
  if (Told.insert(Found.Borrow).second)
    Out.push_back(Found);
}

void LoanAnalysis::run(LoanState S, BlockId B, size_t From) {
  S.Known = Flow.paths().before(B);
  follow(F, B, From, std::move(S), MaxStates);
  if (!Unsure)
    for (const BorrowFact &Found : Deferred)
      tell(Found);
}

std::vector<BorrowFact> findBorrows(const FlowInfo &Flow,
                                    const RunResult &Run) {
  std::vector<BorrowFact> Found;
  forEachStmt(Flow.F, [&](BlockId, const Stmt &S) {
    if (S.O != Op::Temporary || !S.Keeps || !S.Result)
      return;
    const VarId Of = Flow.Values.loaded(S.Args[0].Value);
    if (Of != NoId && !Flow.Values.Def[S.Args[0].Value]->Context)
      followMemory(Flow, Run, {Loan::List, &S, {Of}}, Found);
  });
  followTensors(Flow, Run, Found);
  followBlobs(Flow, Run, Found);
  followCopies(Flow, Found);
  return Found;
}

} // namespace tensortidy::analysis::borrow
