//===- OperatorLowering.cpp - operators that are built in -----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lower/OperatorLowering.h"
#include "Frontend/Ast/BodyScan.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/FunctionBuilder.h"
#include "Frontend/Build/Lowerer.h"
#include "Frontend/Build/PlaceFinder.h"
#include "Frontend/Build/RecordLowering.h"
#include "Frontend/Build/StoreLowering.h"
#include "Frontend/Build/VariableTable.h"
#include "Frontend/Library/AssignmentLowering.h"
#include "Frontend/Library/TensorFieldLowering.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;

ValueId OperatorLowering::other(const Expr &E) {
  llvm::SmallVector<ValueId, 4> Reads;
  for (const clang::Stmt *Child : E.children())
    if (const auto *C = dyn_cast_or_null<Expr>(Child))
      if (!isa<CXXThisExpr>(strip(C)) && Kinds.kind(C->getType()) != Kind::Void)
        Reads.push_back(Lower.value(C));
  const auto *Cast = dyn_cast<CastExpr>(&E);
  const auto *New = dyn_cast<CXXNewExpr>(&E);
  const bool IsArray = New && New->isArray();
  const ValueId V = Build.emitOther(Cast                    ? Op::Cast
                                    : isa<CXXNewExpr>(E)    ? Op::New
                                    : isa<CXXDeleteExpr>(E) ? Op::Delete
                                                            : Op::Expression,
                                    IsArray ? "[]" : "", &E, Reads);
  Build.last().Derives = isAddress(&E, Kinds) ||
                         (Cast && Cast->getCastKind() == CK_IntegralToPointer);
  return V;
}

static bool isArithmetic(BinaryOperatorKind O, Op &Result) {
  switch (O) {
  case BO_Add:
    Result = Op::IAdd;
    return true;
  case BO_Sub:
    Result = Op::ISub;
    return true;
  case BO_Mul:
    Result = Op::IMul;
    return true;
  case BO_Div:
    Result = Op::IDiv;
    return true;
  case BO_Rem:
    Result = Op::IMod;
    return true;
  default:
    return false;
  }
}

static bool isComparison(BinaryOperatorKind O, Op &Result) {
  switch (O) {
  case BO_EQ:
    Result = Op::CmpEq;
    return true;
  case BO_NE:
    Result = Op::CmpNe;
    return true;
  case BO_LT:
    Result = Op::CmpLt;
    return true;
  case BO_LE:
    Result = Op::CmpLe;
    return true;
  case BO_GT:
    Result = Op::CmpGt;
    return true;
  case BO_GE:
    Result = Op::CmpGe;
    return true;
  default:
    return false;
  }
}

/// What an operator is called where its operands are no integers.
static Op operation(BinaryOperatorKind O) {
  switch (O) {
  case BO_Add:
    return Op::Plus;
  case BO_Sub:
    return Op::Minus;
  case BO_Mul:
    return Op::Times;
  case BO_Div:
    return Op::Divide;
  default:
    return BinaryOperator::isComparisonOp(O) ? Op::Compare : Op::Operator;
  }
}

ValueId OperatorLowering::unary(const UnaryOperator &E) {
  const Expr *Sub = E.getSubExpr();
  Kind K = Kinds.kind(E.getType());
  switch (E.getOpcode()) {
  case UO_Plus:
  case UO_Extension:
    return Lower.value(Sub);
  case UO_Minus:
    if (K == Kind::Int)
      return Build.emitValue(Op::INeg, &E, Lower.value(Sub));
    return Build.emitOther(Op::Negate, "-", &E, Lower.value(Sub));
  case UO_LNot: {
    ValueId V = Lower.condition(Sub);
    return Build.emitValue(Op::Not, &E, V);
  }
  case UO_PreInc:
  case UO_PreDec:
  case UO_PostInc:
  case UO_PostDec: {
    ValueId Old = Lower.value(Sub), New;
    if (K == Kind::Int) {
      ValueId One = Build.constInt(1, &E);
      New = Build.emitValue(E.isIncrementOp() ? Op::IAdd : Op::ISub, &E,
                            {Old, One});
    } else {
      New = Build.derives(E.isIncrementOp()
                              ? Build.emitOther(Op::Plus, "++", &E, Old)
                              : Build.emitOther(Op::Minus, "--", &E, Old),
                          E.getType());
    }
    Stores.storeTo(Places.place(Sub), New, &E);
    return E.isPrefix() ? New : Old;
  }
  case UO_AddrOf:
    if (isa<DeclRefExpr>(strip(Sub)) &&
        !isa<VarDecl>(cast<DeclRefExpr>(strip(Sub))->getDecl()))
      return Build.emitOther(Op::AddressOf, "&", &E, {});
    if (const ValueId Address = addressOf(Sub, &E))
      return Address;
    return addressOfVariable(E);
  case UO_Deref:
    if (isa<CXXThisExpr>(strip(Sub)))
      return Build.emitOther(Op::Deref, "*this", &E, {});
    if (Place P = Places.pointee(Sub); P && P.Exact)
      return Records.read(P.Var, E.getType(), &E);
    return Build.emitOther(Op::Deref, derefName(Sub), &E, Lower.value(Sub));
  default:
    return other(E);
  }
}

/// `&x`, which names the variable.
ValueId OperatorLowering::addressOfVariable(const UnaryOperator &E) {
  const Expr *Sub = E.getSubExpr();
  const ValueId V = Build.emitOther(Op::AddressOf, "&", &E, Lower.value(Sub));
  if (Place P = Places.place(Sub); P && P.Exact && !Vars.isElementRef(P.Var)) {
    Arg &A = Build.last().Args[0];
    A.Var = P.Var;
    const auto *R = dyn_cast<DeclRefExpr>(strip(Sub));
    const auto *D = R ? dyn_cast<VarDecl>(R->getDecl()) : nullptr;
    A.R = D && !Scan.Shared.count(D) && Vars.known(*D) == P.Var ? Role::Read
                                                                : Role::Keep;
  }
  return V;
}

ValueId OperatorLowering::addressOf(const Expr *E, const Expr *At) {
  E = strip(E);
  const Expr *Base = nullptr, *Index = nullptr;
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E);
      A && A->getBase()->IgnoreParenCasts()->getType()->isPointerType()) {
    Base = A->getBase();
    Index = A->getIdx();
  } else if (const auto *C = dyn_cast<CXXOperatorCallExpr>(E);
             C && C->getOperator() == OO_Subscript && C->getNumArgs() == 2 &&
             E->isGLValue() && Kinds.borrows(C->getArg(0)->getType())) {
    Base = C->getArg(0);
    Index = C->getArg(1);
  } else if (const auto *U = dyn_cast<UnaryOperator>(E);
             U && U->getOpcode() == UO_Deref &&
             E->getType()->isArithmeticType()) {
    Base = U->getSubExpr();
  }
  if (!Base || Kinds.hasTensor(E->getType()))
    return 0;
  const ValueId Pointer = Lower.value(Base), I = Index ? Lower.value(Index) : 0;
  Build.emitOther(Op::AddressOf, "&", At, {Pointer, I});
  program::Stmt &S = Build.last();
  S.Derives = true;
  return S.Result;
}

ValueId OperatorLowering::binary(const BinaryOperator &E) {
  const Expr *L = E.getLHS(), *R = E.getRHS();
  BinaryOperatorKind Code = E.getOpcode();
  Op O;
  if (Code == BO_Assign) {
    ValueId V = Lower.value(R);
    Assignments.assign(L, V, &E);
    return V;
  }
  if (const auto *C = dyn_cast<CompoundAssignOperator>(&E)) {
    ValueId Old = Lower.value(L), Operand = Lower.value(R), New;
    if (Kinds.kind(L->getType()) == Kind::Int &&
        Kinds.kind(C->getComputationResultType()) == Kind::Int &&
        isArithmetic(BinaryOperator::getOpForCompoundAssignment(Code), O)) {
      New = Build.emitValue(O, &E, {Old, Operand});
      Stores.noteNarrowing(*R, L->getType(), New);
    } else {
      New = Build.derives(
          Build.emitOther(
              operation(BinaryOperator::getOpForCompoundAssignment(Code)),
              E.getOpcodeStr(), &E, {Old, Operand}),
          L->getType());
    }
    Assignments.assign(L, New, &E);
    return New;
  }
  if (Code == BO_Comma) {
    Lower.value(L);
    return Lower.value(R);
  }
  if (Code == BO_LAnd || Code == BO_LOr) {
    ValueId A = Lower.condition(L), B = Lower.condition(R);
    return Build.emitValue(Code == BO_LAnd ? Op::And : Op::Or, &E, {A, B});
  }
  if (Code == BO_EQ || Code == BO_NE)
    for (auto [X, Null] : {std::pair(L, R), std::pair(R, L)})
      if (Kinds.isPointerTensor(X->getType()) &&
          Null->isNullPointerConstant(Context, Expr::NPC_NeverValueDependent)) {
        ValueId D = TensorFields.isDefined(X, &E);
        return Code == BO_NE ? D : Build.emitValue(Op::Not, &E, D);
      }
  // Flags: what no arithmetic says is a number where the compiler knows it.
  if (Expr::EvalResult Known;
      (E.isShiftOp() || E.isBitwiseOp()) && !E.isValueDependent() &&
      Kinds.kind(E.getType()) == Kind::Int && E.EvaluateAsInt(Known, Context) &&
      Known.Val.getInt().isRepresentableByInt64())
    return Build.constInt(Known.Val.getInt().getExtValue(), &E);
  ValueId A = Lower.value(L), B = Lower.value(R);
  if (isArithmetic(Code, O) && Kinds.kind(E.getType()) == Kind::Int)
    return Build.emitValue(O, &E, {A, B});
  auto Comparable = [&](const Expr *X) {
    Kind K = Kinds.kind(X->getType());
    // An integer compared as a floating-point number has been cast already.
    return K == Kind::Int || K == Kind::Bool || K == Kind::Symbol;
  };
  if (isComparison(Code, O) && Comparable(L) && Comparable(R))
    return Build.emitValue(O, &E, {A, B});
  return Build.derives(
      Build.emitOther(operation(Code), E.getOpcodeStr(), &E, {A, B}),
      E.getType());
}
