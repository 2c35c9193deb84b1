//===- ImageReader.cpp - what cv::Mat says of its memory ------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Library/ImageReader.h"
#include "Frontend/Ast/BodyScan.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/FunctionBuilder.h"
#include "Frontend/Build/Lowerer.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;

void ImageReader::describe(const CallSite &C,
                           llvm::SmallVectorImpl<Arg> &Operands) {
  if (Kinds.name(*cast<CXXConstructorDecl>(C.Callee)->getParent()) != "cv::Mat")
    return;
  for (size_t I = 0; I < C.Args.size(); ++I) {
    const Expr *Size = strip(C.Args[I]);
    if (const auto *Copy = dyn_cast<CXXConstructExpr>(Size);
        Copy && Copy->getNumArgs() == 1)
      Size = strip(Copy->getArg(0));
    if (const auto *Named = dyn_cast<DeclRefExpr>(Size))
      if (const auto *V = dyn_cast<VarDecl>(Named->getDecl());
          V && V->getInit() && Scan.DeclOf.count(V))
        Size = strip(V->getInit());
    const auto *Made = dyn_cast<CXXConstructExpr>(Size);
    if (Made && Made->getNumArgs() == 2 &&
        Kinds.name(*Made->getConstructor()->getParent()) == "cv::Size_" &&
        Kinds.kind(Made->getArg(0)->getType()) == Kind::Int)
      for (unsigned Side : {1u, 0u})
        Operands.push_back(
            {"", Lower.value(Made->getArg(Side)), Role::Read, NoId});
    Expr::EvalResult Type;
    if (!C.Params[I] || !C.Params[I]->getName().ends_with("type") ||
        C.Args[I]->isValueDependent() ||
        !C.Args[I]->EvaluateAsInt(Type, Context))
      continue;
    const int64_t Channels = ((Type.Val.getInt().getExtValue() >> 3) & 511) + 1;
    if (Channels > 1)
      Operands.push_back(
          {"channels", Build.constInt(Channels, C.E), Role::Read, NoId});
  }
}
