//===- CallSite.cpp - one call, whatever its form -------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Ast/CallSite.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;

/// The object of `p->f()`: behind optional's operator-> it is the optional.
static const Expr *behindArrow(const Expr *Object) {
  const auto *Arrow =
      dyn_cast<CXXOperatorCallExpr>(Object->IgnoreParenImpCasts());
  return Arrow && Arrow->getOperator() == OO_Arrow ? Arrow->getArg(0) : Object;
}

CallSite frontend::callSite(const CallExpr &E, Types &Kinds) {
  CallSite C;
  C.E = &E;
  C.Callee = E.getDirectCallee();
  C.IsOperator = isa<CXXOperatorCallExpr>(E);
  unsigned Skip = 0;
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(&E)) {
    C.Object = M->getImplicitObjectArgument();
    if (C.Object && Kinds.isWrapper(behindArrow(C.Object)->getType()))
      C.Object = behindArrow(C.Object);
  } else if (const auto *M = dyn_cast_or_null<CXXMethodDecl>(C.Callee);
             M && C.IsOperator && M->isInstance()) {
    C.Object = E.getArg(0);
    Skip = 1;
  }
  C.IsMethod = C.Object != nullptr;
  for (unsigned I = Skip; I < E.getNumArgs(); ++I) {
    const Expr *A = E.getArg(I);
    if (isa<CXXDefaultArgExpr>(A))
      continue;
    C.Args.push_back(A);
    C.Params.push_back(C.Callee && I - Skip < C.Callee->getNumParams()
                           ? C.Callee->getParamDecl(I - Skip)
                           : nullptr);
  }
  if (C.Callee)
    C.Name = C.Callee->getDeclName().getAsString();
  C.OwnArgs = C.Args.size();
  return C;
}

CallSite frontend::constructorSite(const CXXConstructExpr &E,
                                   llvm::ArrayRef<const Expr *> Args) {
  const CXXConstructorDecl &Ctor = *E.getConstructor();
  CallSite C;
  C.E = &E;
  C.Callee = &Ctor;
  C.Name = Ctor.getParent()->getNameAsString();
  C.Args.append(Args.begin(), Args.end());
  for (unsigned I = 0; I < Args.size(); ++I)
    C.Params.push_back(I < Ctor.getNumParams() ? Ctor.getParamDecl(I)
                                               : nullptr);
  return C;
}
