//===- LoopFinder.cpp - the loops of a function, and their blocks ---------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lower/LoopFinder.h"
#include "Frontend/Ast/BodyScan.h"
#include "Frontend/Build/FunctionBuilder.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Analysis/CFG.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;

static bool isAlwaysFalse(const Expr *E, const ASTContext &Context) {
  bool Value;
  return E && !E->isValueDependent() &&
         E->EvaluateAsBooleanCondition(Value, Context) && !Value;
}

/// `for (int i = a; i < b; ++i)` with constants that allow one iteration.
static bool runsOnce(const ForStmt &F, const ASTContext &Context) {
  const auto *D = dyn_cast_or_null<DeclStmt>(F.getInit());
  const auto *C = dyn_cast_or_null<BinaryOperator>(F.getCond());
  const auto *Inc = dyn_cast_or_null<UnaryOperator>(F.getInc());
  const auto *V =
      D && D->isSingleDecl() ? dyn_cast<VarDecl>(D->getSingleDecl()) : nullptr;
  if (!V || !V->getInit() || !C || !Inc || !Inc->isIncrementOp())
    return false;
  const auto *Counter =
      dyn_cast<DeclRefExpr>(C->getLHS()->IgnoreParenImpCasts());
  Expr::EvalResult From, To;
  if (!Counter || Counter->getDecl() != V || V->getInit()->isValueDependent() ||
      C->getRHS()->isValueDependent() ||
      !V->getInit()->EvaluateAsInt(From, Context) ||
      !C->getRHS()->EvaluateAsInt(To, Context))
    return false;
  int64_t N = To.Val.getInt().getExtValue() - From.Val.getInt().getExtValue();
  return C->getOpcode() == BO_LT ? N <= 1 : C->getOpcode() == BO_LE && N <= 0;
}

void LoopFinder::make() {
  for (const BodyScan::LoopInfo &I : Scan.Loops) {
    program::Loop L;
    L.Parent = I.Parent;
    L.Parallel = I.Parallel > 0;
    L.Where = Build.range(I.S->getSourceRange());
    if (const auto *F = dyn_cast<ForStmt>(I.S)) {
      L.Kind = LoopKind::For;
      L.RunsOnce = runsOnce(*F, Context);
      if (const auto *D = dyn_cast_or_null<DeclStmt>(F->getInit()))
        if (const auto *V = dyn_cast<VarDecl>(*D->decl_begin()))
          L.Induction = V->getNameAsString();
    } else if (const auto *R = dyn_cast<CXXForRangeStmt>(I.S)) {
      L.Kind = LoopKind::RangeFor;
      L.Induction = R->getLoopVariable()->getNameAsString();
    } else if (const auto *D = dyn_cast<DoStmt>(I.S)) {
      L.Kind = LoopKind::Do;
      L.RunsOnce = isAlwaysFalse(D->getCond(), Context);
    } else {
      L.Kind = LoopKind::While;
    }
    Out.Loops.push_back(std::move(L));
  }
}

const LoopId *LoopFinder::loopOf(const CFGBlock &B) const {
  auto Find = [](const auto &Map, const clang::Stmt *S) -> const LoopId * {
    auto It = Map.find(S);
    return It == Map.end() ? nullptr : &It->second;
  };
  // The way back to the head.
  if (const LoopId *L = Find(Scan.LoopOf, B.getLoopTarget()))
    return L;
  for (const CFGElement &E : B) {
    if (auto S = E.getAs<CFGStmt>()) {
      const clang::Stmt *At = S->getStmt();
      if (const auto *D = dyn_cast<DeclStmt>(At)) // the CFG splits them
        if (const auto *V = dyn_cast<VarDecl>(*D->decl_begin()))
          At = Scan.DeclOf.lookup(V);
      if (const LoopId *L = Find(Scan.InLoop, At))
        return L;
    } else if (auto Ends = E.getAs<CFGLifetimeEnds>()) {
      if (const LoopId *L = Find(Scan.InLoop, Ends->getTriggerStmt()))
        return L;
    }
  }
  if (const clang::Stmt *T = B.getTerminatorStmt()) {
    if (const LoopId *L = Find(Scan.LoopOf, T))
      return L; // its test
    if (const LoopId *L = Find(Scan.InLoop, T))
      return L;
  }
  return Find(Scan.InLoop, B.getLabel());
}

void LoopFinder::inferLoops(llvm::DenseSet<BlockId> Unknown) {
  auto Depth = [&](LoopId L) {
    unsigned N = 0;
    for (; L != NoId; L = Out.Loops[L].Parent)
      ++N;
    return N;
  };
  std::vector<llvm::SmallVector<BlockId, 2>> Preds(Out.Blocks.size());
  for (BlockId B = 0; B < Out.Blocks.size(); ++B)
    for (BlockId S : Out.Blocks[B].Succs)
      if (S != NoId)
        Preds[S].push_back(B);
  auto Deepest = [&](llvm::ArrayRef<BlockId> Blocks) {
    LoopId Best = NoId;
    for (BlockId B : Blocks)
      if (B != NoId && !Unknown.count(B) &&
          Depth(Out.Blocks[B].InLoop) > Depth(Best))
        Best = Out.Blocks[B].InLoop;
    return Best;
  };
  auto Known = [&](llvm::ArrayRef<BlockId> Blocks) {
    return llvm::any_of(
        Blocks, [&](BlockId B) { return B != NoId && !Unknown.count(B); });
  };
  for (bool Changed = true; Changed && !Unknown.empty();) {
    Changed = false;
    for (BlockId B = 0; B < Out.Blocks.size(); ++B) {
      // Runs of such blocks take their loop from where the run leads.
      llvm::ArrayRef<BlockId> Succs = Out.Blocks[B].Succs;
      if (!Unknown.count(B) || !Known(Preds[B]) ||
          !(Known(Succs) || Succs.size() == 1))
        continue;
      llvm::SmallVector<BlockId, 2> Leads(Succs.begin(), Succs.end());
      for (unsigned Steps = 0; !Known(Leads) && Leads.size() == 1 &&
                               Leads[0] != NoId && Steps < 100;
           ++Steps)
        Leads = Out.Blocks[Leads[0]].Succs;
      LoopId From = Deepest(Preds[B]), To = Deepest(Leads);
      while (Depth(From) > Depth(To))
        From = Out.Loops[From].Parent;
      while (Depth(To) > Depth(From))
        To = Out.Loops[To].Parent;
      while (From != To) {
        From = Out.Loops[From].Parent;
        To = Out.Loops[To].Parent;
      }
      Out.Blocks[B].InLoop = From;
      Unknown.erase(B);
      Changed = true;
    }
  }
}

void LoopFinder::findHeads(const CFG &Graph, const BlockIds &Ids) {
  for (const CFGBlock *B : Graph) {
    auto It = Scan.LoopOf.find(B->getLoopTarget());
    if (It == Scan.LoopOf.end() || B->succ_size() != 1)
      continue;
    auto Head = Ids.find(B->succ_begin()->getReachableBlock());
    if (Head != Ids.end() && Ids.count(B))
      Out.Loops[It->second].Head = Head->second;
  }
  // Without a reachable way back: the block of its test.
  for (const auto &[B, Id] : Ids) {
    auto It = Scan.LoopOf.find(B->getTerminatorStmt());
    if (It != Scan.LoopOf.end() && Out.Loops[It->second].Head == NoId)
      Out.Loops[It->second].Head = Id;
  }
}
