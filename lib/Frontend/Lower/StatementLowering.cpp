//===- StatementLowering.cpp - statements, as the CFG has them ------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lower/StatementLowering.h"
#include "Frontend/Ast/BodyScan.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/FunctionBuilder.h"
#include "Frontend/Build/Lowerer.h"
#include "Frontend/Build/ScopeLowering.h"
#include "Frontend/Build/ViewLowering.h"
#include "Frontend/Lower/DeclarationLowering.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;

void StatementLowering::lower(const clang::Stmt &S) {
  if (const auto *D = dyn_cast<DeclStmt>(&S)) {
    for (const Decl *One : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(One))
        Declarations.lower(*V);
    return;
  }
  if (!Scan.Parent.count(&S))
    return; // made up by the CFG, or a default argument
  if (const auto *R = dyn_cast<ReturnStmt>(&S))
    return returns(*R);
  const auto *E = dyn_cast<Expr>(&S);
  if (!E || isa<CXXDefaultArgExpr>(E))
    return;
  bool IsName =
      isa<DeclRefExpr, MemberExpr, ParenExpr, CastExpr, FullExpr,
          CXXBindTemporaryExpr, MaterializeTemporaryExpr, InitListExpr,
          CXXThisExpr, CXXStdInitializerListExpr, StringLiteral, IntegerLiteral,
          FloatingLiteral, CXXBoolLiteralExpr, ArraySubscriptExpr,
          SubstNonTypeTemplateParmExpr>(E);
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    IsName |= U->getOpcode() == UO_Deref || U->getOpcode() == UO_AddrOf;
  if (!IsName || Scan.Arms.count(E))
    Lower.value(E);
  if (Scan.FullExprs.count(E) && !isa<ParenExpr, FullExpr>(E) &&
      isa<CallExpr, CXXConstructExpr, BinaryOperator>(strip(E)))
    Scopes.endFullExpr(E);
}

void StatementLowering::returns(const ReturnStmt &S) {
  ValueId V = 0;
  if (const Expr *E = S.getRetValue())
    if (Kinds.kind(E->getType()) != Kind::Void)
      V = Views.viewOfShortLived(*E, Lower.value(E), true);
  program::Stmt &R = Build.emit(Op::Return, &S);
  if (V)
    R.Args.push_back({"", V, Role::Read, NoId});
}
