//===- RecordLowering.cpp - objects of the user's classes -----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Build/RecordLowering.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/ConstantMaker.h"
#include "Frontend/Build/FunctionBuilder.h"
#include "Frontend/Build/Lowerer.h"
#include "Frontend/Build/VariableTable.h"
#include "Frontend/Build/ViewLowering.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;

ValueId RecordLowering::whole(llvm::SmallVector<ValueId, 8> Fields, QualType T,
                              const clang::Stmt *At) {
  const ValueId Whole = Build.derives(Build.emitValue(Op::List, At, Fields), T);
  PartsOf[Whole] = std::move(Fields);
  return Whole;
}

ValueId RecordLowering::read(VarId V, QualType T, const clang::Stmt *At) {
  const auto Fields = Kinds.fields(T);
  if (Vars.isElementRef(V))
    return Build.emitOther(Op::Element, "", At,
                           {Build.load(V, At), Build.constInt(0, At)});
  if (Fields.empty())
    return Build.load(V, At);
  llvm::SmallVector<ValueId, 8> All;
  for (const FieldDecl *F : Fields)
    All.push_back(read(Vars.member(V, *F), F->getType(), At));
  return whole(std::move(All), T, At);
}

void RecordLowering::write(VarId V, QualType T, ValueId Whole,
                           const clang::Stmt *At, bool Binds) {
  const auto Fields = Kinds.fields(T);
  for (unsigned I = 0; I < Fields.size(); ++I) {
    const QualType Type = Fields[I]->getType();
    write(Vars.member(V, *Fields[I]), Type, part(Whole, I, Type, At), At,
          Binds);
  }
  if (!Fields.empty())
    return;
  program::Stmt &S = Build.emit(Op::Store, At);
  S.Var = V;
  S.Binds = Binds;
  S.Args.push_back({"", Whole, Role::Read, NoId});
}

ValueId RecordLowering::part(ValueId Whole, unsigned I, QualType T,
                             const clang::Stmt *At) {
  if (auto It = PartsOf.find(Whole); It != PartsOf.end())
    return It->second[I];
  if (!Whole)
    return 0;
  const ValueId Index = Build.constInt(I, At);
  return Build.derives(Build.emitValue(Op::ListGet, At, {Whole, Index}), T);
}

ValueId RecordLowering::fieldOf(const MemberExpr &M) {
  const auto *F = dyn_cast<FieldDecl>(M.getMemberDecl());
  const QualType T = M.getBase()->getType();
  if (!F || M.isArrow() || (Kinds.fields(T).empty() && Kinds.tupleSize(T) != 2))
    return 0;
  return part(Lower.value(M.getBase()), F->getFieldIndex(), F->getType(), &M);
}

ValueId RecordLowering::initialField(const FieldDecl &F, const Expr *At) {
  const Expr *Init = F.getInClassInitializer();
  // The initializer is one expression for all objects: only what can be
  // written down anew is.
  ValueId V = 0;
  if (Init && Constants.known(strip(Init), V))
    return V;
  if (!Init && Kinds.isTensor(F.getType()))
    return Build.constNone(At);
  return Build.emitOther(Op::Unknown, "", At, {});
}

bool RecordLowering::fromBraces(const InitListExpr &E, ValueId &Result) {
  const auto Fields = Kinds.fields(E.getType());
  if (Fields.empty() || E.getNumInits() != Fields.size())
    return false;
  llvm::SmallVector<ValueId, 8> All;
  for (unsigned I = 0; I < Fields.size(); ++I) {
    const Expr *Init = E.getInit(I);
    All.push_back(
        isa<CXXDefaultInitExpr>(Init)
            ? initialField(*Fields[I], Init)
            : Views.viewOfShortLived(*Init, Lower.value(Init), false));
  }
  Result = whole(std::move(All), E.getType(), &E);
  return true;
}
