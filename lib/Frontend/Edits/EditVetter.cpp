//===- EditVetter.cpp - which text edits a statement allows ---------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fix-it is right only where the text allows it; whether the program allows
// it is for the analysis to say. When in doubt a bit stays clear.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lower/Lowering.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;

SourceLocation frontend::beginOf(const program::Range &R) {
  return SourceLocation::getFromRawEncoding(R.Begin);
}
SourceLocation frontend::endOf(const program::Range &R) {
  return SourceLocation::getFromRawEncoding(R.End);
}

program::Range frontend::makeRange(SourceRange R, const SourceManager &SM) {
  program::Range Out;
  if (R.isInvalid())
    return Out;
  SourceLocation Begin = SM.getFileLoc(R.getBegin());
  SourceLocation End = SM.getFileLoc(R.getEnd());
  Out.Begin = Begin.getRawEncoding();
  Out.End = End.getRawEncoding();
  Out.Line = SM.getSpellingLineNumber(Begin);
  Out.Column = SM.getSpellingColumnNumber(Begin);
  return Out;
}

program::Range Lowering::range(SourceRange R) const { return makeRange(R, SM); }

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

bool Lowering::inMacro(SourceRange R) const {
  if (R.getBegin().isFileID() && R.getEnd().isFileID())
    return false;
  // A lambda that is a macro's argument, as in AT_DISPATCH_..., is written by
  // people: its own statements stand in no macro.
  const auto Around = argumentsAt(Fn.getBody()->getBeginLoc(), SM);
  return Around.empty() || Around.back().isInvalid() ||
         argumentsAt(R.getBegin(), SM) != Around ||
         argumentsAt(R.getEnd(), SM) != Around;
}

uint8_t Lowering::vetEdits(const CallSite &C, program::Range Callee) const {
  uint8_t Edits = 0;
  const auto *E = cast<CallExpr>(C.E);
  if (inMacro(E->getSourceRange()) || !Callee.Begin || C.IsOperator)
    return 0;
  if (!inMacro(E->getCallee()->getSourceRange()))
    Edits |= EditRenameCallee;
  if (mayDrop(C) || mayDropNode(C))
    Edits |= EditDropCall;
  return Edits;
}

/// `x.f(...)` may be written `x` where a prvalue and the tensor x itself do the
/// same: as the object of a call, as initialiser, argument or result by value,
/// on the right of `=`. Not where a reference would then name x.
/// Whether `ggml_cont(ctx, x)` may be written `x`: a pointer like its result,
/// but not as a statement of its own, and not where that leaves `x = x`.
bool Lowering::mayDropNode(const CallSite &C) const {
  if (C.Name != "ggml_cont" || C.Args.size() != 2)
    return false;
  const Expr *X = C.Args[1];
  if (Context.getCanonicalType(X->getType().getNonReferenceType())
          .getUnqualifiedType() !=
      Context.getCanonicalType(C.E->getType()).getUnqualifiedType())
    return false;
  const clang::Stmt *P = Scan.Parent.lookup(C.E);
  while (isa_and_nonnull<ParenExpr, ImplicitCastExpr, FullExpr>(P))
    P = Scan.Parent.lookup(P);
  if (!P || isa<CompoundStmt>(P))
    return false;
  const auto *Assign = dyn_cast<BinaryOperator>(P);
  if (!Assign)
    return isa<CallExpr, DeclStmt, ReturnStmt>(P);
  const auto *L =
      dyn_cast<DeclRefExpr>(Assign->getLHS()->IgnoreParenImpCasts());
  const auto *R = dyn_cast<DeclRefExpr>(X->IgnoreParenImpCasts());
  return Assign->isAssignmentOp() && L && !(R && R->getDecl() == L->getDecl());
}

bool Lowering::mayDrop(const CallSite &C) const {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(C.E);
  if (!Call)
    return false;
  const auto *Member = dyn_cast<MemberExpr>(Call->getCallee()->IgnoreParens());
  if (!Member || Member->isArrow())
    return false;
  const Expr *Object = Member->getBase();
  auto IsTensor = [](QualType T, QualType Tensor) {
    return T.getNonReferenceType().getCanonicalType().getUnqualifiedType() ==
           Tensor.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  };
  QualType T = Call->getType();
  if (!Call->isPRValue() ||
      !IsTensor(Object->IgnoreParenImpCasts()->getType(), T))
    return false;

  const clang::Stmt *Child = Call;
  const clang::Stmt *P = Scan.Parent.lookup(Child);
  bool Bound = false; // to a reference: MaterializeTemporary
  for (; P; Child = P, P = Scan.Parent.lookup(P)) {
    if (isa<ParenExpr, CXXBindTemporaryExpr, FullExpr>(P))
      continue;
    if (isa<MaterializeTemporaryExpr>(P)) {
      Bound = true;
      continue;
    }
    if (const auto *I = dyn_cast<ImplicitCastExpr>(P);
        I &&
        (I->getCastKind() == CK_NoOp || I->getCastKind() == CK_DerivedToBase ||
         I->getCastKind() == CK_UncheckedDerivedToBase))
      continue;
    if (const auto *K = dyn_cast<CXXConstructExpr>(P)) {
      if (!K->getConstructor()->isCopyOrMoveConstructor() ||
          !IsTensor(K->getType(), T))
        return false;
      Bound = false;
      continue;
    }
    break;
  }
  if (!P)
    return false;
  if (const auto *M = dyn_cast<MemberExpr>(P)) {
    const auto *Method = dyn_cast<CXXMethodDecl>(M->getMemberDecl());
    return Method && Method->getRefQualifier() == RQ_None;
  }
  if (const auto *D = dyn_cast<DeclStmt>(P)) {
    const auto *V =
        D->isSingleDecl() ? dyn_cast<VarDecl>(D->getSingleDecl()) : nullptr;
    return V && !Bound && !V->getType()->isReferenceType() &&
           IsTensor(V->getType(), T) && !isa<DecompositionDecl>(V);
  }
  if (isa<InitListExpr>(P)) // an element of a list of tensors
    return !Bound;
  if (isa<ReturnStmt>(P))
    return !Bound && !Fn.getReturnType()->isReferenceType() &&
           IsTensor(Fn.getReturnType(), T);
  if (const auto *O = dyn_cast<CXXOperatorCallExpr>(P)) {
    if (O->getOperator() == OO_Equal) {
      if (O->getArg(0) == Child || !O->getArg(0)->isLValue())
        return false;
      // Not `x = x.contiguous()`, which would leave `x = x`.
      const auto *L =
          dyn_cast<DeclRefExpr>(O->getArg(0)->IgnoreParenImpCasts());
      const auto *R = dyn_cast<DeclRefExpr>(Object->IgnoreParenImpCasts());
      const auto *LM =
          dyn_cast<MemberExpr>(O->getArg(0)->IgnoreParenImpCasts());
      const auto *RM = dyn_cast<MemberExpr>(Object->IgnoreParenImpCasts());
      if ((L && R && L->getDecl() == R->getDecl()) ||
          (LM && RM && LM->getMemberDecl() == RM->getMemberDecl()))
        return false;
      return true;
    }
  }
  if (const auto *Outer = dyn_cast<CallExpr>(P)) {
    const FunctionDecl *Callee = Outer->getDirectCallee();
    if (!Callee || Outer->getCallee() == Child)
      return false;
    unsigned Skip =
        isa<CXXOperatorCallExpr>(Outer) && isa<CXXMethodDecl>(Callee);
    for (unsigned I = 0; I < Outer->getNumArgs(); ++I) {
      if (Outer->getArg(I) != Child || I < Skip ||
          I - Skip >= Callee->getNumParams())
        continue;
      QualType Param = Callee->getParamDecl(I - Skip)->getType();
      if (!IsTensor(Param, T))
        return false;
      return !Param->isReferenceType() ||
             (Param->isLValueReferenceType() &&
              Param.getNonReferenceType().isConstQualified());
    }
  }
  return false;
}

/// Whether \p E names anything declared inside \p Loop, or a lambda.
static bool usesLoopLocals(const clang::Stmt *E, const BodyScan &Scan,
                           LoopId Loop) {
  if (!E)
    return false;
  if (isa<LambdaExpr>(E))
    return true;
  const auto *R = dyn_cast<DeclRefExpr>(E);
  if (R && isa<BindingDecl>(R->getDecl()))
    return true;
  const auto *V = R ? dyn_cast<VarDecl>(R->getDecl()) : nullptr;
  auto Decl = V ? Scan.DeclOf.find(V) : Scan.DeclOf.end();
  if (Decl != Scan.DeclOf.end()) {
    for (LoopId In = Scan.InLoop.lookup(Decl->second); In != NoId;
         In = Scan.Loops[In].Parent)
      if (In == Loop)
        return true;
    // What the loop's own init-statement declares also ends with the loop.
    if (Scan.Parent.lookup(Decl->second) == Scan.Loops[Loop].S)
      return true;
  }
  for (const clang::Stmt *Child : E->children())
    if (usesLoopLocals(Child, Scan, Loop))
      return true;
  return false;
}

/// The declaration that \p Init initialises may move before the loop: alone in
/// its statement, directly in the loop's own block, of plain type, and its name
/// means nothing else in this function.
bool Lowering::mayHoist(const Expr &Init) const {
  const auto *D = dyn_cast_or_null<DeclStmt>(Scan.Parent.lookup(&Init));
  if (!D || !D->isSingleDecl() || inMacro(D->getSourceRange()) ||
      inMacro(Init.getSourceRange()))
    return false;
  const auto *V = dyn_cast<VarDecl>(D->getSingleDecl());
  if (!V || isa<DecompositionDecl>(V) || V->isStaticLocal() || V->hasAttrs() ||
      V->getType()->isReferenceType() || V->getType()->isArrayType() ||
      V->isConstexpr())
    return false;
  const auto *Block = dyn_cast_or_null<CompoundStmt>(Scan.Parent.lookup(D));
  auto Loop =
      Block ? Scan.LoopOf.find(Scan.Parent.lookup(Block)) : Scan.LoopOf.end();
  if (Loop == Scan.LoopOf.end())
    return false;
  const clang::Stmt *L = Scan.Loops[Loop->second].S;
  if (!isa_and_nonnull<CompoundStmt>(Scan.Parent.lookup(L)) ||
      inMacro(L->getBeginLoc()))
    return false;
  auto Same = Scan.ByName.find(V->getDeclName());
  if (Same != Scan.ByName.end())
    for (const ValueDecl *Other : Same->second)
      if (Other != V)
        return false;
  return !usesLoopLocals(&Init, Scan, Loop->second);
}

/// Whether \p E is a statement of its own, whose value nobody asks for. A cast
/// to void asks for nothing and says so.
bool Lowering::isDiscarded(const Expr &E) const {
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

/// `x.f(...);` may be written `x = x.f(...);`: x names a tensor that can be
/// assigned and outlives the statement.
bool Lowering::mayAssignBack(const CallSite &C) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(C.E);
  if (!Call || inMacro(Call->getSourceRange()))
    return false;
  const auto *Member = dyn_cast<MemberExpr>(Call->getCallee()->IgnoreParens());
  if (!Member || Member->isArrow() || !Kinds.isPlainTensor(Call->getType()))
    return false;
  const Expr *X = Member->getBase()->IgnoreParenImpCasts();
  if (!X->isLValue() || X->getType().isConstQualified() ||
      X->getType().getCanonicalType().getUnqualifiedType() !=
          Call->getType().getCanonicalType().getUnqualifiedType())
    return false;
  if (const auto *R = dyn_cast<DeclRefExpr>(X)) {
    const auto *V = dyn_cast<VarDecl>(R->getDecl());
    // A copy of a container's element: assigning it changes nothing there.
    return V && !(Scan.RangeVars.count(V) && !V->getType()->isReferenceType());
  }
  return isa<MemberExpr>(X);
}
