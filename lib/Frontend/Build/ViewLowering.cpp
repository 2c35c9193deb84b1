//===- ViewLowering.cpp - views of what dies first ------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Build/ViewLowering.h"
#include "Frontend/Ast/BodyScan.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/FunctionBuilder.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;
using llvm::StringRef;

std::string ViewLowering::dyingContainer(const Expr &E) {
  const CXXRecordDecl *R = recordOf(E.getType());
  const StringRef Class = R ? Kinds.name(*R) : StringRef();
  return E.isPRValue() &&
                 (Class == "std::vector" || Class == "c10::SmallVector" ||
                  Class == "std::array" || Class == "at::DimVector" ||
                  Class == "std::basic_string")
             ? "a temporary " + Class.str()
             : "";
}

ValueId ViewLowering::temporary(const Expr &From, ValueId V,
                                const std::string &What, bool Until) {
  if (!V || What.empty())
    return V;
  program::Stmt &S = Build.emit(Op::Temporary, &From);
  S.Text = What;
  S.Args.push_back({"", V, Role::Read, NoId});
  S.Derives = Until;
  return Build.result(S);
}

ValueId ViewLowering::viewOfShortLived(const Expr &E, ValueId V,
                                       bool Returned) {
  if (!V || !Kinds.isListView(E.getType()))
    return V;
  // The innermost construction of a view is from something else.
  const Expr *From = &E;
  while (true) {
    From = strip(From);
    const auto *C = dyn_cast<CXXConstructExpr>(From);
    if (!C || !Kinds.isListView(C->getType()) || C->getNumArgs() != 1)
      break;
    From = C->getArg(0);
  }
  if (Kinds.isListView(From->getType()))
    return V;
  const CXXRecordDecl *R = recordOf(From->getType());
  std::string What = dyingContainer(*From);
  bool Keeps = false;
  if (isa<InitListExpr>(From))
    What = "the array behind the braces";
  else if (const auto *Ref = dyn_cast<DeclRefExpr>(From)) {
    const auto *Local = dyn_cast<VarDecl>(Ref->getDecl());
    const bool IsOwn = Local && R && !Local->getType()->isReferenceType() &&
                       Local->hasLocalStorage();
    if (Returned && IsOwn && Scan.DeclOf.count(Local))
      What = "'" + Local->getNameAsString() + "'";
    else if (!Returned && IsOwn && Kinds.name(*R) == "std::vector")
      Keeps = true;
  } else if (From->isPRValue() && Kinds.isTensor(From->getType()))
    What = "a temporary tensor";
  const ValueId View = temporary(*From, V, Keeps ? "view" : What, false);
  if (Keeps)
    Build.last().Keeps = true;
  return View;
}
