//===- SettingLowering.cpp - numbers that a constructor was given ---------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Modules/SettingLowering.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/FunctionBuilder.h"
#include "Frontend/Build/UnitTable.h"
#include "Frontend/Build/VariableTable.h"
#include "Frontend/Modules/InitialValues.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;

const FieldDecl *SettingLowering::ownField(const Expr *E) {
  const auto *M = dyn_cast<MemberExpr>(strip(E));
  const auto *F = M ? dyn_cast<FieldDecl>(M->getMemberDecl()) : nullptr;
  return F && !Unit.Replaced.contains(F) &&
                 isa<CXXThisExpr>(strip(M->getBase()))
             ? F
             : nullptr;
}

/// `= 0`. Asked by the matcher, whose name is the same in all releases of
/// Clang.
static bool isWithoutBody(const CXXMethodDecl &M) {
  using namespace ast_matchers;
  return !match(cxxMethodDecl(isPure()), M, M.getASTContext()).empty();
}

bool SettingLowering::isModuleField(const FieldDecl &F) {
  const auto *Class = dyn_cast<CXXRecordDecl>(F.getParent());
  const auto *Ctor = dyn_cast<CXXConstructorDecl>(&Fn);
  if (!Class || !Class->hasDefinition() || Class->isDependentContext() ||
      (Ctor && Ctor->getParent() == Class) ||
      Class->forallBases([&](const CXXRecordDecl *Base) {
        return Kinds.name(*Base) != "torch::nn::Module";
      }))
    return false;
  return llvm::all_of(Class->methods(), [](const CXXMethodDecl *M) {
    return M->isImplicit() || M->isStatic() || M->isConst() || M->isDeleted() ||
           M->isDefaulted() || isWithoutBody(*M) || M->hasBody();
  });
}

VarId SettingLowering::givenVar(const Expr *E, unsigned Depth) {
  E = copied(E);
  VarId V = NoId;
  if (const auto *R = dyn_cast<DeclRefExpr>(E)) {
    const auto *P = dyn_cast<ParmVarDecl>(R->getDecl());
    const auto *Ctor =
        P ? dyn_cast<CXXConstructorDecl>(P->getDeclContext()) : nullptr;
    const QualType T = P ? P->getType() : QualType();
    if (!Ctor || Ctor == &Fn ||
        (T->isReferenceType() && !T.getNonReferenceType().isConstQualified()) ||
        isChanged(Kinds.model(), Ctor->getBody(), *P))
      return NoId;
    V = Vars.member(ThisBase, *P);
  } else if (const FieldDecl *F = ownField(E)) {
    const Expr *Value = Depth < 8 ? initialValue(Kinds.model(), *F) : nullptr;
    return Value ? givenVar(Value, Depth + 1) : NoId;
  } else if (const auto *M = dyn_cast<MemberExpr>(E);
             M && isa<FieldDecl>(M->getMemberDecl()) && !M->isArrow()) {
    const VarId Base =
        Depth < 8 ? givenVar(M->getBase(), Depth + 1) : VarId(NoId);
    if (Base == NoId)
      return NoId;
    V = Vars.member(Base, *M->getMemberDecl());
  }
  if (V != NoId) {
    Vars[V].IsConst = true;
    Vars[V].IsReference = false;
  }
  return V;
}

ValueId SettingLowering::value(const Expr *E, const Expr *At, unsigned Depth) {
  const Expr *Inner = strip(E);
  Expr::EvalResult R;
  if (!Inner->isValueDependent() &&
      Inner->getType()->isIntegralOrEnumerationType() &&
      Kinds.kind(Inner->getType()) != Kind::Symbol &&
      Inner->EvaluateAsInt(R, Context) && !R.HasSideEffects) {
    const int64_t N = R.Val.getInt().getExtValue();
    return Inner->getType()->isBooleanType()
               ? Build.constBool(N != 0, At)
               : Build.constInt(N, At, !isa<IntegerLiteral>(Inner));
  }
  if (const auto *F = dyn_cast<FloatingLiteral>(Inner)) {
    llvm::SmallString<16> Text;
    shortest(F->getValue(), Text);
    return Build.constText(ConstKind::Float, Text, At);
  }
  auto Of = [&](const Expr *Part) { return value(Part, At, Depth + 1); };
  if (const auto *L = dyn_cast<InitListExpr>(Inner)) {
    llvm::SmallVector<ValueId, 4> Elements;
    for (const Expr *One : L->inits())
      Elements.push_back(Of(One));
    return Build.emitValue(Op::List, At, Elements);
  }
  if (const auto *C = dyn_cast<CXXConstructExpr>(Inner);
      C && C->getNumArgs() &&
      llvm::all_of(llvm::drop_begin(C->arguments()),
                   [](const Expr *A) { return isa<CXXDefaultArgExpr>(A); }))
    return Of(C->getArg(0));
  auto Unknown = [&] { return Build.emitOther(Op::Unknown, "", At, {}); };
  if (!Inner->getType()->isIntegerType() || Depth > 16)
    return Unknown();
  if (const auto *B = dyn_cast<BinaryOperator>(Inner)) {
    Op O;
    switch (B->getOpcode()) {
    case BO_Add:
      O = Op::IAdd;
      break;
    case BO_Sub:
      O = Op::ISub;
      break;
    case BO_Mul:
      O = Op::IMul;
      break;
    case BO_Div:
      O = Op::IDiv;
      break;
    case BO_EQ:
      O = Op::CmpEq;
      break;
    case BO_NE:
      O = Op::CmpNe;
      break;
    case BO_LT:
      O = Op::CmpLt;
      break;
    case BO_LE:
      O = Op::CmpLe;
      break;
    case BO_GT:
      O = Op::CmpGt;
      break;
    case BO_GE:
      O = Op::CmpGe;
      break;
    case BO_LAnd:
      O = Op::And;
      break;
    case BO_LOr:
      O = Op::Or;
      break;
    default:
      return Unknown();
    }
    const ValueId Left = Of(B->getLHS()), Right = Of(B->getRHS());
    return Build.emitValue(O, At, {Left, Right});
  }
  if (const auto *U = dyn_cast<UnaryOperator>(Inner);
      U && U->getOpcode() == UO_LNot)
    return Build.emitValue(Op::Not, At, Of(U->getSubExpr()));
  if (const auto *D = dyn_cast<DeclRefExpr>(Inner))
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl())) {
      const auto *In = dyn_cast<FunctionDecl>(V->getDeclContext());
      if (In == &Fn && !isChanged(Kinds.model(), Fn.getBody(), *V))
        return Build.load(Vars.of(*V), At);
      if (In && isa<CXXConstructorDecl>(In))
        if (const Expr *Was = valueAt(Kinds.model(), *V, *Inner))
          return Of(Was);
    }
  if (const VarId V = givenVar(Inner); V != NoId)
    return Build.load(V, At);
  if (const FieldDecl *F = ownField(Inner))
    if (const Expr *Value = initialValue(Kinds.model(), *F))
      return Of(Value);
  return Unknown();
}
