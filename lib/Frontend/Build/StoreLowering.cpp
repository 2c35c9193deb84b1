//===- StoreLowering.cpp - what is put into places ------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Build/StoreLowering.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/FunctionBuilder.h"
#include "Frontend/Build/Lowerer.h"
#include "Frontend/Build/RecordLowering.h"
#include "Frontend/Build/VariableTable.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;

void StoreLowering::storeTo(Place P, ValueId V, const Expr *At,
                            ValueId Element) {
  if (!P)
    return;
  if (P.Exact && Vars.isElementRef(P.Var)) {
    const ValueId Base = Build.load(P.Var, At);
    program::Stmt &S = Build.emit(Op::StoreElement, At);
    S.IsScalar = true;
    for (ValueId Operand : {Base, ValueId(0), V})
      S.Args.push_back({"", Operand, Role::Read, NoId});
    return;
  }
  if (!P.Exact) {
    program::Stmt &S = Build.emit(Op::Assign, At);
    if (V)
      S.Args.push_back({"", V, Role::Keep, NoId});
    if (Element)
      S.Args.push_back({"element", Element, Role::Read, NoId});
    S.Args.push_back({"", 0, Role::Write, P.Var});
    Build.reaches(Reach::Arguments);
    return;
  }
  Records.write(P.Var, At->getType(), V, At);
}

void StoreLowering::noteNarrowing(const Expr &E, QualType To, ValueId V) {
  QualType From = strip(&E)->getType();
  To = To.getNonReferenceType();
  if (!V || To->isDependentType() || From->isDependentType() ||
      !To->isIntegerType() || !From->isIntegerType() ||
      Context.getTypeSize(To) > 32 || Context.getTypeSize(From) < 64)
    return;
  for (program::Stmt &S : Build.statements())
    if (S.Result == V) {
      S.Narrows = true;
      S.ToSigned = To->isSignedIntegerType();
    }
}

void StoreLowering::storeElement(const Expr *Target, ValueId V,
                                 const Expr *At) {
  const Expr *Of = nullptr, *Index = nullptr;
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(Target)) {
    Of = A->getBase();
    Index = A->getIdx();
    if (!strip(Of)->getType()->isPointerType())
      return;
  } else if (const auto *C = dyn_cast<CXXOperatorCallExpr>(Target);
             C && C->getOperator() == OO_Subscript && C->getNumArgs() == 2) {
    Of = C->getArg(0);
    Index = C->getArg(1);
    const CXXRecordDecl *R = recordOf(Of->getType());
    const llvm::StringRef Class = R ? Kinds.name(*R) : llvm::StringRef();
    if ((Class != "std::vector" && !Class.contains("Accessor")) ||
        Kinds.kind(Index->getType()) != Kind::Int)
      return;
  } else if (const auto *D = dyn_cast<UnaryOperator>(Target);
             D && D->getOpcode() == UO_Deref &&
             D->getType()->isArithmeticType()) { // *p++ = v
    Of = D->getSubExpr();
  }
  if (!Of || Kinds.hasTensor(At->getType()))
    return;
  const ValueId Base = Lower.value(Of),
                I = Index ? Lower.value(Index) : Build.constInt(0, At);
  program::Stmt &S = Build.emit(Op::StoreElement, At);
  S.IsScalar = true;
  for (ValueId Operand : {Base, I, V})
    S.Args.push_back({"", Operand, Role::Read, NoId});
}

void StoreLowering::movedFrom(const Expr *Source) {
  const auto *C = dyn_cast<CallExpr>(strip(Source));
  if (!C || !C->getDirectCallee() ||
      Kinds.name(*C->getDirectCallee()) != "std::move")
    return;
  Place P = Places.place(Source);
  const CXXRecordDecl *R = recordOf(Source->getType());
  const bool IsList = R && Kinds.name(*R) == "std::vector";
  if (!P || !P.Exact ||
      !(IsList || Kinds.isPlainTensor(Source->getType()) ||
        Kinds.isOwner(Source->getType())))
    return;
  ValueId Nothing =
      IsList ? Build.emitValue(Op::List, Source, {}) : Build.constNone(Source);
  program::Stmt &S = Build.emit(Op::Store, Source);
  S.Var = P.Var;
  S.Moves = IsList;
  S.Args.push_back({"", Nothing, Role::Read, NoId});
}
