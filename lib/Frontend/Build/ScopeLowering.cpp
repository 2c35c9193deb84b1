//===- ScopeLowering.cpp - what ends, and when ----------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Build/ScopeLowering.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/FunctionBuilder.h"
#include "Frontend/Build/VariableTable.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;

void ScopeLowering::endFullExpr(const clang::Stmt *At) {
  Build.emit(Op::FullExprEnd, At);
  for (const auto &[V, T] : Temporaries)
    endScope(V, T);
  Temporaries.clear();
}

void ScopeLowering::endScope(VarId V, QualType T) {
  for (const FieldDecl *F : llvm::reverse(Kinds.fields(T)))
    endScope(Vars.member(V, *F), F->getType());
  Build.emit(Op::ScopeEnd, nullptr).Var = V;
}
