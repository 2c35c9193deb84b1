//===- CallCounter.cpp - which calls have a model -------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Build/CallCounter.h"
#include "Frontend/Ast/Types.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;

void CallCounter::count(const CallSite &C, std::optional<Op> Meaning) {
  if (Meaning) {
    if (leavesLayoutOpen(*Meaning))
      Out.Open.push_back(C.Name);
    else
      ++Out.Modelled;
    return;
  }
  if (!C.Callee || !Kinds.isLibrary(*C.Callee) ||
      Kinds.name(*C.Callee).starts_with("std::"))
    return;
  // A holder runs forward() of the module that it holds.
  const CXXRecordDecl *Module = C.Object && C.Name == "operator()"
                                    ? Kinds.moduleOf(C.Object->getType())
                                    : nullptr;
  if (Module && !Kinds.isLibrary(*Module))
    return;
  bool Touches = Kinds.hasTensor(C.E->getType()) ||
                 (C.Object && Kinds.hasTensor(C.Object->getType()));
  for (const Expr *A : C.Args)
    Touches |= Kinds.hasTensor(A->getType());
  if (Touches && Module)
    Out.Unmodelled.push_back(Kinds.name(*Module).str() + "::forward");
  else if (Touches)
    Out.Unmodelled.push_back(C.Object && !Kinds.hasTensor(C.Object->getType())
                                 ? Kinds.name(*C.Callee).str()
                                 : C.Name);
}
