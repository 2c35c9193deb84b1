//===- EditVetter.cpp - which text edits a statement allows ---------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Edits/EditVetter.h"
#include "Frontend/Ast/BodyScan.h"
#include "Frontend/Ast/Surroundings.h"
#include "Frontend/Ast/Types.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;

uint8_t EditVetter::vet(const CallSite &C, program::Range Callee) const {
  uint8_t Edits = 0;
  const auto *E = cast<CallExpr>(C.E);
  if (Around.inMacro(E->getSourceRange()) || !Callee.Begin || C.IsOperator)
    return 0;
  if (!Around.inMacro(E->getCallee()->getSourceRange()))
    Edits |= EditRenameCallee;
  if (mayDrop(C) || mayDropNode(C))
    Edits |= EditDropCall;
  return Edits;
}

/// Whether `ggml_cont(ctx, x)` may be written `x`: a pointer like its result,
/// but not as a statement of its own, and not where that leaves `x = x`.
bool EditVetter::mayDropNode(const CallSite &C) const {
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

/// `x.f(...)` may be written `x` where a prvalue and the tensor x itself do the
/// same: as the object of a call, as initialiser, argument or result by value,
/// on the right of `=`. Not where a reference would then name x.
bool EditVetter::mayDrop(const CallSite &C) const {
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

bool EditVetter::mayHoist(const Expr &Init) const {
  const auto *D = dyn_cast_or_null<DeclStmt>(Scan.Parent.lookup(&Init));
  if (!D || !D->isSingleDecl() || Around.inMacro(D->getSourceRange()) ||
      Around.inMacro(Init.getSourceRange()))
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
      Around.inMacro(L->getBeginLoc()))
    return false;
  auto Same = Scan.ByName.find(V->getDeclName());
  if (Same != Scan.ByName.end())
    for (const ValueDecl *Other : Same->second)
      if (Other != V)
        return false;
  return !usesLoopLocals(&Init, Scan, Loop->second);
}

bool EditVetter::mayAssignBack(const CallSite &C) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(C.E);
  if (!Call || Around.inMacro(Call->getSourceRange()))
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
