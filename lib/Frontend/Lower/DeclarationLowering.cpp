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
#include "Frontend/Modules/MemberLowering.h"
#include "Frontend/Modules/ModulePlaces.h"
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

/// The range-for whose `auto &&__range = x` \p V is, or null.
static const CXXForRangeStmt *loopOver(const VarDecl &V, const BodyScan &Scan) {
  if (!V.isImplicit() || !V.getType()->isReferenceType() || !V.getInit())
    return nullptr;
  const auto It = Scan.DeclOf.find(&V);
  const clang::Stmt *Parent =
      It == Scan.DeclOf.end() ? nullptr : Scan.Parent.lookup(It->second);
  return dyn_cast_or_null<CXXForRangeStmt>(Parent);
}

void DeclarationLowering::lower(const VarDecl &V) {
  if (const CXXForRangeStmt *L = loopOver(V, Scan))
    return rangeHolder(V, *L);
  const auto Range = Scan.RangeVars.find(&V);
  const auto *Bound = dyn_cast<DecompositionDecl>(&V);
  if (V.isImplicit() && Range == Scan.RangeVars.end() && !Bound)
    return; // hidden iterators, holders of structured bindings
  if (!Scan.DeclOf.count(&V))
    return;
  if (Range != Scan.RangeVars.end())
    return loopVariable(V, *Range->second);
  if (Bound)
    return bindings(*Bound, V.getInit() ? Lower.value(V.getInit()) : 0);
  if (V.getType()->isReferenceType() && V.getInit())
    if (Place P = Places.place(V.getInit());
        P && P.Exact && Vars.isStable(P.Var)) {
      Places.alias(V, P);
      return;
    }
  local(V);
}

void DeclarationLowering::rangeHolder(const VarDecl &V,
                                      const CXXForRangeStmt &L) {
  const ValueId Range = Lower.value(V.getInit());
  const VarId Id = Vars.of(V);
  RangeHolders[&L] = Id;
  // Temporaries of the range live as long as the loop since C++23.
  if (Context.getLangOpts().CPlusPlus23)
    Vars[Id].Borrows = false;
  program::Stmt &S = Build.emit(Op::Store, V.getInit());
  S.Var = Id;
  if (Range)
    S.Args.push_back({"", Range, Role::Read, NoId});
  Scopes.endFullExpr(V.getInit());
}

void DeclarationLowering::loopVariable(const VarDecl &V,
                                       const CXXForRangeStmt &L) {
  const bool IsReference = V.getType()->isReferenceType();
  ValueId Element = rangeElement(L);
  if (const auto *D = dyn_cast<DecompositionDecl>(&V))
    return bindings(*D, Element);
  const VarId Id = Vars.of(V);
  Vars[Id].InTemporary = isUnnamedList(*L.getRangeInit(), Kinds);
  if (V.getType().getNonReferenceType().isConstQualified()) {
    Vars[Id].IsConst = true;
  } else if (IsReference) {
    Vars[Id].IsReference = true;
    if (Place P = Places.place(L.getRangeInit()))
      Vars[Id].Refers.push_back(P.Var);
  }
  if (!IsReference && Kinds.kind(V.getType()) == Kind::List &&
      !Kinds.isListView(V.getType()))
    Element = Build.emitValue(Op::ListCopy, L.getRangeInit(), Element);
  Records.write(Id, V.getType(), Element, L.getLoopVarStmt(), IsReference);
}

/// `float &v = p[3]` is a pointer that reads and writes look through; an
/// element of a list is a value. 0: \p V is no such reference.
ValueId DeclarationLowering::referredAddress(const VarDecl &V) {
  const Expr *Init = V.getInit();
  if (!V.getType()->isReferenceType() || !Init)
    return 0;
  const auto *Element = dyn_cast<CXXOperatorCallExpr>(strip(Init));
  const bool InList = Element && Element->getNumArgs() &&
                      Kinds.kind(Element->getArg(0)->getType()) == Kind::List;
  return InList ? 0 : Operators.addressOf(Init, Init);
}

/// The reference \p Id, declared as \p V, is to what its initializer names.
void DeclarationLowering::refer(VarId Id, const VarDecl &V) {
  const Expr *Init = V.getInit();
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

void DeclarationLowering::local(const VarDecl &V) {
  const Expr *Init = V.getInit();
  const bool IsReference = V.getType()->isReferenceType();
  const ValueId Address = referredAddress(V);
  const ValueId Value =
      Address ? Address
      : Init  ? Views.viewOfShortLived(*Init, Lower.value(Init), false)
              : 0;
  if (Init)
    Stores.noteNarrowing(*Init, V.getType(), Value);
  const VarId Id = Vars.of(V);
  if (Address) {
    Vars.refersToElement(Id);
    Vars[Id].Type = VarType::Other;
    Vars[Id].Borrows = true;
  } else if (IsReference && Init && !isTemporary(Init)) {
    refer(Id, V);
  }
  const DeclStmt *At = Scan.DeclOf.lookup(&V);
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
    allowEdits(*At, *Init, Id, Value);
    Scopes.endFullExpr(Init);
    Placed.made(V);
  }
}

/// The statement that made \p Value may move with the declaration \p D of
/// \p Id, or name its object.
void DeclarationLowering::allowEdits(const DeclStmt &D, const Expr &Init,
                                     VarId Id, ValueId Value) {
  const bool Hoists = D.isSingleDecl() && Edits.mayHoist(Init);
  if (Hoists)
    Vars[Id].Decl = Build.range(D.getSourceRange());
  llvm::SmallVectorImpl<program::Stmt> &Stmts = Build.statements();
  auto Made = llvm::find_if(llvm::reverse(Stmts), [&](const program::Stmt &M) {
    return M.Result == Value;
  });
  if (Made == Stmts.rend())
    return;
  if (Hoists)
    Made->Edits |= EditHoist;
  if (D.isSingleDecl() && !Around.inMacro(D.getSourceRange()) &&
      isa_and_nonnull<CompoundStmt>(Scan.Parent.lookup(&D)) &&
      Made->Object.Begin)
    Made->Edits |= EditNameObject;
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
    const ValueId Element = Build.emitValue(Op::ListGet, At, {Range, Index});
    Members.elementOf(*At, Element, *At);
    return Element;
  }
  // What a data loader gives is nobody else's.
  const CXXRecordDecl *R = recordOf(At->getType());
  const bool Loads = R && Kinds.name(*R).starts_with("torch::data::");
  return Build.emitOther(Loads ? Op::Batch : Op::Element, "", At, Range);
}
