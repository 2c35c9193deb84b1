//===- ImageCalls.cpp - what OpenCV's functions do to images --------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Calls/ImageCalls.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Build/Lowerer.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;
using llvm::StringRef;

static bool isA(Types &Kinds, QualType T, StringRef Name) {
  const CXXRecordDecl *R = recordOf(T.getNonReferenceType());
  return R && Kinds.name(*R) == Name;
}

/// The cv::Mat in what \p E is converted to, or null.
static const Expr *matrixIn(Types &Kinds, const Expr *E) {
  for (unsigned Depth = 0; E && Depth < 8; ++Depth) {
    E = strip(E);
    if (isA(Kinds, E->getType(), "cv::Mat"))
      return isa<DeclRefExpr, MemberExpr, CallExpr>(E) ? E : nullptr;
    const auto *Made = dyn_cast<CXXConstructExpr>(E);
    E = Made && Made->getNumArgs() >= 1 ? Made->getArg(0) : nullptr;
  }
  return nullptr;
}

void frontend::describeImages(const CallSite &C, Types &Kinds, Lowerer &Lower,
                              llvm::SmallVectorImpl<Arg> &Operands) {
  if (!C.Callee || C.IsOperator || !Kinds.name(*C.Callee).starts_with("cv::"))
    return;
  auto Give = [&](StringRef Name, const Expr *E) {
    for (const Arg &A : Operands)
      if (A.Name == Name)
        return;
    if (const ValueId V = Lower.value(E))
      Operands.push_back({Name.str(), V, Role::Read, NoId});
  };
  if (C.Object)
    if (const Expr *Of = matrixIn(Kinds, C.Object))
      Give("image", Of);
  for (size_t I = 0; I < C.Args.size(); ++I) {
    const Expr *E = strip(C.Args[I]);
    const QualType T = C.Params[I] ? C.Params[I]->getType() : E->getType();
    if (isA(Kinds, T, "cv::_OutputArray") ||
        isA(Kinds, T, "cv::_InputOutputArray")) {
      if (const Expr *Of = matrixIn(Kinds, E); Of && isa<DeclRefExpr>(Of))
        Give("into", Of);
    } else if (isA(Kinds, T, "cv::_InputArray") || isA(Kinds, T, "cv::Mat")) {
      if (const Expr *Of = matrixIn(Kinds, E))
        Give("image", Of);
    } else if (isA(Kinds, T, "cv::Size_")) {
      while (const auto *Copy = dyn_cast<CXXConstructExpr>(E)) {
        if (Copy->getNumArgs() != 1)
          break;
        E = strip(Copy->getArg(0));
      }
      const auto *Made = dyn_cast<CXXConstructExpr>(E);
      if (Made && Made->getNumArgs() == 2 &&
          Kinds.kind(Made->getArg(0)->getType()) == Kind::Int) {
        Give("columns", Made->getArg(0));
        Give("rows", Made->getArg(1));
      }
    }
  }
}
