//===- DeclarationLowering.cpp - variables that come to be ----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lower/DeclarationLowering.h"
#include "Frontend/Ast/BodyScan.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/Surroundings.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/FunctionBuilder.h"
#include "Frontend/Build/Lowerer.h"
#include "Frontend/Build/PlaceFinder.h"
#include "Frontend/Build/RecordLowering.h"
#include "Frontend/Build/ScopeLowering.h"
#include "Frontend/Build/StoreLowering.h"
#include "Frontend/Build/VariableTable.h"
#include "Frontend/Build/ViewLowering.h"
#include "Frontend/Edits/EditVetter.h"
#include "Frontend/Lower/OperatorLowering.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;

/// Whether \p E gives a new object, so that a reference to it is that object.
static bool isTemporary(const Expr *E) {
  const Expr *Whole = E;
  if (const auto *Full = dyn_cast<FullExpr>(Whole))
    Whole = Full->getSubExpr();
  return E->isPRValue() || isa<MaterializeTemporaryExpr>(Whole->IgnoreParens());
}

/// `net->parameters()`, which has handles of its own.
static bool isUnnamedList(const Expr &E, Types &Kinds) {
  const CXXRecordDecl *R = isTemporary(&E) ? recordOf(E.getType()) : nullptr;
  return R && Kinds.name(*R) == "std::vector";
}

void DeclarationLowering::lower(const VarDecl &V) {
  if (V.isImplicit() && V.getType()->isReferenceType() && V.getInit()) {
    // A range-for's `auto &&__range = x`.
    const auto It = Scan.DeclOf.find(&V);
    const clang::Stmt *Parent =
        It == Scan.DeclOf.end() ? nullptr : Scan.Parent.lookup(It->second);
    if (const auto *L = dyn_cast_or_null<CXXForRangeStmt>(Parent)) {
      ValueId Range = Lower.value(V.getInit());
      VarId Id = Vars.of(V);
      RangeHolders[L] = Id;
      // Temporaries of the range live as long as the loop since C++23.
      if (Context.getLangOpts().CPlusPlus23)
        Vars[Id].Borrows = false;
      program::Stmt &S = Build.emit(Op::Store, V.getInit());
      S.Var = Id;
      if (Range)
        S.Args.push_back({"", Range, Role::Read, NoId});
      Scopes.endFullExpr(V.getInit());
      return;
    }
  }
  auto Range = Scan.RangeVars.find(&V);
  if (V.isImplicit() && Range == Scan.RangeVars.end() &&
      !isa<DecompositionDecl>(V))
    return; // hidden iterators, holders of structured bindings
  if (!Scan.DeclOf.count(&V))
    return;

  const Expr *Init = V.getInit();
  bool IsReference = V.getType()->isReferenceType();
  if (Range != Scan.RangeVars.end()) {
    ValueId Element = rangeElement(*Range->second);
    if (const auto *D = dyn_cast<DecompositionDecl>(&V))
      return bindings(*D, Element);
    VarId Id = Vars.of(V);
    Vars[Id].InTemporary = isUnnamedList(*Range->second->getRangeInit(), Kinds);
    if (IsReference && !V.getType().getNonReferenceType().isConstQualified()) {
      Vars[Id].IsReference = true;
      if (Place P = Places.place(Range->second->getRangeInit()))
        Vars[Id].Refers.push_back(P.Var);
    }
    if (!IsReference && Kinds.kind(V.getType()) == Kind::List &&
        !Kinds.isListView(V.getType()))
      Element =
          Build.emitValue(Op::ListCopy, Range->second->getRangeInit(), Element);
    Records.write(Id, V.getType(), Element, Range->second->getLoopVarStmt(),
                  IsReference);
    return;
  }
  if (const auto *D = dyn_cast<DecompositionDecl>(&V)) {
    bindings(*D, Init ? Lower.value(Init) : 0);
    return;
  }
  if (IsReference && Init) {
    if (Place P = Places.place(Init); P && P.Exact && Vars.isStable(P.Var)) {
      Places.alias(V, P);
      return;
    }
  }
  // `float &v = p[3]` is a pointer that reads and writes look through; an
  // element of a list is a value.
  const auto *Element =
      Init ? dyn_cast<CXXOperatorCallExpr>(strip(Init)) : nullptr;
  const bool InList = Element && Element->getNumArgs() &&
                      Kinds.kind(Element->getArg(0)->getType()) == Kind::List;
  const ValueId Address =
      IsReference && Init && !InList ? Operators.addressOf(Init, Init) : 0;
  ValueId Value = Address ? Address
                  : Init
                      ? Views.viewOfShortLived(*Init, Lower.value(Init), false)
                      : 0;
  if (Init)
    Stores.noteNarrowing(*Init, V.getType(), Value);
  VarId Id = Vars.of(V);
  if (Address) {
    Vars.refersToElement(Id);
    Vars[Id].Type = VarType::Other;
    Vars[Id].Borrows = true;
  } else if (IsReference && Init && !isTemporary(Init)) {
    Vars[Id].IsReference = true;
    Vars[Id].IsConst = V.getType().getNonReferenceType().isConstQualified();
    // What it may refer to changes with it.
    llvm::SmallVector<const Expr *, 2> Referents{Init};
    if (const auto *C =
            dyn_cast<AbstractConditionalOperator>(Init->IgnoreParenImpCasts()))
      Referents = {C->getTrueExpr(), C->getFalseExpr()};
    llvm::SmallVector<VarId, 2> Refers;
    for (const Expr *E : Referents)
      if (Place P = Places.place(E))
        Refers.push_back(P.Var);
    if (Refers.size() == Referents.size())
      Vars[Id].Refers.assign(Refers.begin(), Refers.end());
  }
  const clang::Stmt *At = Scan.DeclOf.lookup(&V);
  if (Value && isAddress(Init, Kinds))
    Vars[Id].Borrows = true;
  if (!Kinds.fields(V.getType()).empty()) {
    Records.write(Id, V.getType(), Value, At, IsReference);
    if (Value)
      Scopes.endFullExpr(Init);
    return;
  }
  if (Place P = Init && Vars.isFixed(Id) ? Places.pointee(Init) : Place();
      P && P.Exact && Vars.isStable(P.Var))
    Places.pointsTo(V, P.Var);
  program::Stmt &S = Build.emit(Op::Store, At);
  S.Where = Build.range(V.getSourceRange());
  S.Callee = Build.range(V.getLocation());
  S.Var = Id;
  S.Binds = IsReference;
  if (Value) {
    S.Args.push_back({"", Value, Role::Read, NoId});
    // The statement that made the value may move with its declaration.
    const auto *D = Scan.DeclOf.lookup(&V);
    const bool Hoists = D->isSingleDecl() && Edits.mayHoist(*Init);
    if (Hoists)
      Vars[Id].Decl = Build.range(D->getSourceRange());
    std::vector<program::Stmt> &Stmts = Build.statements();
    auto Made =
        llvm::find_if(llvm::reverse(Stmts), [&](const program::Stmt &M) {
          return M.Result == Value;
        });
    if (Made != Stmts.rend()) {
      if (Hoists)
        Made->Edits |= EditHoist;
      if (D->isSingleDecl() && !Around.inMacro(D->getSourceRange()) &&
          isa_and_nonnull<CompoundStmt>(Scan.Parent.lookup(D)) &&
          Made->Object.Begin)
        Made->Edits |= EditNameObject;
    }
    Scopes.endFullExpr(Init);
  }
}

void DeclarationLowering::bindings(const DecompositionDecl &D, ValueId Whole) {
  bool IsReference = D.getType()->isReferenceType() && D.getInit() &&
                     !isTemporary(D.getInit());
  bool IsTuple = Kinds.kind(D.getType()) == Kind::List ||
                 !Kinds.fields(D.getType()).empty();
  unsigned Index = 0;
  const Place Of = IsReference ? Places.place(D.getInit()) : Place();
  for (const BindingDecl *B : D.bindings()) {
    const auto *Field = dyn_cast_or_null<MemberExpr>(B->getBinding());
    if (Of && Of.Exact && Field && Vars.isStable(Of.Var)) {
      Places.alias(*B, {Vars.member(Of.Var, *Field->getMemberDecl())});
      continue;
    }
    ValueId Element = 0;
    if (IsTuple && Whole) {
      Element = Records.part(Whole, Index, B->getType(), D.getInit());
    } else {
      Element = Build.emitOther(Op::Field, "binding", D.getInit(), Whole);
    }
    ++Index;
    VarId Id = Vars.of(*B);
    Vars[Id].IsReference = IsReference;
    if (Of)
      Vars[Id].Refers.push_back(Of.Var);
    if (!Kinds.fields(B->getType()).empty()) {
      Records.write(Id, B->getType(), Element, Scan.DeclOf.lookup(&D),
                    IsReference);
      continue;
    }
    program::Stmt &S = Build.emit(Op::Store, Scan.DeclOf.lookup(&D));
    S.Where = Build.range(B->getSourceRange());
    S.Var = Id;
    S.Binds = IsReference;
    S.Args.push_back({"", Element, Role::Read, NoId});
  }
}

ValueId DeclarationLowering::rangeOf(const CXXForRangeStmt &L) {
  auto It = RangeHolders.find(&L);
  return It == RangeHolders.end() ? 0
                                  : Build.load(It->second, L.getRangeInit());
}

ValueId DeclarationLowering::rangeElement(const CXXForRangeStmt &L) {
  const Expr *At = L.getRangeInit();
  ValueId Range = rangeOf(L);
  if (Range && Kinds.kind(At->getType()) == Kind::List) {
    ValueId Index = Build.emitOther(Op::RangeIndex, "", At, {});
    return Build.emitValue(Op::ListGet, At, {Range, Index});
  }
  // What a data loader gives is nobody else's.
  const CXXRecordDecl *R = recordOf(At->getType());
  const bool Loads = R && Kinds.name(*R).starts_with("torch::data::");
  return Build.emitOther(Loads ? Op::Batch : Op::Element, "", At, Range);
}
