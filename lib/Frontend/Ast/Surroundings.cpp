//===- Surroundings.cpp - what stands around a statement ------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Ast/Surroundings.h"
#include "Frontend/Ast/BodyScan.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;

const CXXTryStmt *Surroundings::tryAround(const clang::Stmt *S) const {
  if (!Scan.HasTry)
    return nullptr;
  while (const clang::Stmt *Parent = Scan.Parent.lookup(S)) {
    if (const auto *T = dyn_cast<CXXTryStmt>(Parent))
      if (T->getTryBlock() == S)
        return T;
    S = Parent;
  }
  return nullptr;
}

/// The statements in \p S, blocks not counted, up to \p Most and some.
static unsigned countStatements(const clang::Stmt *S, unsigned Most) {
  const bool Nests = isa<CompoundStmt, IfStmt, ForStmt, CXXForRangeStmt,
                         WhileStmt, DoStmt, SwitchStmt, SwitchCase>(S);
  unsigned N = isa<CompoundStmt>(S) ? 0 : 1;
  if (Nests)
    for (const clang::Stmt *Child : S->children()) {
      if (Child && N <= Most && !isa<Expr>(Child))
        N += countStatements(Child, Most);
      else if (Child && isa<CompoundStmt>(S))
        ++N;
    }
  return N;
}

bool Surroundings::isExpected(const clang::Stmt *S) const {
  constexpr unsigned Most = 3;
  const CXXTryStmt *T = tryAround(S);
  if (!T)
    return false;
  if (T->getTryLoc().isMacroID())
    return true;
  for (unsigned I = 0; I < T->getNumHandlers(); ++I)
    if (const auto *Block =
            dyn_cast<CompoundStmt>(T->getHandler(I)->getHandlerBlock()))
      if (!Block->body_empty())
        if (const auto *Again = dyn_cast<CXXThrowExpr>(Block->body_back()))
          if (!Again->getSubExpr())
            return false;
  return countStatements(T->getTryBlock(), Most) <= Most;
}

/// Where the macro arguments are put that \p Loc was written in, from the
/// inside; the last one is invalid where a macro's own text has it.
static llvm::SmallVector<SourceLocation, 4>
argumentsAt(SourceLocation Loc, const SourceManager &SM) {
  llvm::SmallVector<SourceLocation, 4> R;
  while (Loc.isMacroID()) {
    if (!SM.isMacroArgExpansion(Loc)) {
      R.push_back({});
      break;
    }
    R.push_back(SM.getImmediateExpansionRange(Loc).getBegin());
    Loc = SM.getImmediateSpellingLoc(Loc);
  }
  return R;
}

bool Surroundings::inMacro(SourceRange R) const {
  if (R.getBegin().isFileID() && R.getEnd().isFileID())
    return false;
  // A lambda that is a macro's argument, as in AT_DISPATCH_..., is written by
  // people: its own statements stand in no macro.
  const auto Around = argumentsAt(Fn.getBody()->getBeginLoc(), SM);
  return Around.empty() || Around.back().isInvalid() ||
         argumentsAt(R.getBegin(), SM) != Around ||
         argumentsAt(R.getEnd(), SM) != Around;
}

bool Surroundings::isDiscarded(const Expr &E) const {
  const clang::Stmt *Child = &E;
  while (const clang::Stmt *P = Scan.Parent.lookup(Child)) {
    if (isa<ParenExpr, CXXBindTemporaryExpr, MaterializeTemporaryExpr, FullExpr,
            AttributedStmt>(P)) {
      Child = P;
      continue;
    }
    if (const auto *B = dyn_cast<BinaryOperator>(P);
        B && B->getOpcode() == BO_Comma) {
      if (B->getLHS() == Child)
        return true;
      Child = P;
      continue;
    }
    if (isa<CompoundStmt>(P)) {
      // The last statement of a statement expression is its value.
      const auto *X = dyn_cast_or_null<StmtExpr>(Scan.Parent.lookup(P));
      return !X || cast<CompoundStmt>(P)->body_back() != Child;
    }
    if (const auto *I = dyn_cast<IfStmt>(P))
      return I->getThen() == Child || I->getElse() == Child;
    if (const auto *F = dyn_cast<ForStmt>(P))
      return F->getBody() == Child || F->getInc() == Child ||
             F->getInit() == Child;
    if (const auto *F = dyn_cast<CXXForRangeStmt>(P))
      return F->getBody() == Child;
    if (const auto *L = dyn_cast<WhileStmt>(P))
      return L->getBody() == Child;
    if (const auto *L = dyn_cast<DoStmt>(P))
      return L->getBody() == Child;
    return isa<SwitchCase, LabelStmt>(P);
  }
  return false; // a constructor's initializer, a default argument
}
