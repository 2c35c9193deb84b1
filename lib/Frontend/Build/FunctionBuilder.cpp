//===- FunctionBuilder.cpp - statements of a tensor program, one by one ---===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Build/FunctionBuilder.h"
#include "Frontend/Ast/Ranges.h"
#include "Frontend/Ast/Surroundings.h"
#include "Frontend/Ast/Types.h"
#include "clang/AST/Stmt.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;
using llvm::StringRef;

program::Stmt &FunctionBuilder::emit(Op O, const clang::Stmt *At) {
  Out.Blocks[Here].Stmts.emplace_back();
  program::Stmt &S = Out.Blocks[Here].Stmts.back();
  S.O = O;
  if (At) {
    S.Where = range(At->getSourceRange());
    S.InMacro = Around.inMacro(At->getSourceRange());
    S.TypesVary = IsInstance || (!S.InMacro && At->getBeginLoc().isMacroID());
    S.InTry = Around.tryAround(At) != nullptr;
    S.Expected = Around.isExpected(At);
  }
  return S;
}

ValueId FunctionBuilder::emitValue(Op O, const clang::Stmt *At,
                                   llvm::ArrayRef<ValueId> Operands) {
  program::Stmt &S = emit(O, At);
  for (ValueId V : Operands)
    S.Args.push_back({"", V, Role::Read, NoId});
  return result(S);
}

ValueId FunctionBuilder::emitOther(Op O, StringRef Text, const clang::Stmt *At,
                                   llvm::ArrayRef<ValueId> Reads) {
  program::Stmt &S = emit(O, At);
  S.Text = Text.str();
  for (ValueId V : Reads)
    S.Args.push_back({"", V, Role::Read, NoId});
  return result(S);
}

ValueId FunctionBuilder::derives(ValueId V, QualType T) {
  program::Stmt &S = Out.Blocks[Here].Stmts.back();
  S.Derives = V && S.Result == V && Kinds.borrows(T);
  return V;
}

ValueId FunctionBuilder::constInt(int64_t V, const clang::Stmt *At,
                                  bool IsNamed) {
  program::Stmt &S = emit(Op::Const, At);
  S.Const = ConstKind::Int;
  S.IsNamed = IsNamed;
  S.Imm = V;
  return result(S);
}

ValueId FunctionBuilder::constBool(bool V, const clang::Stmt *At) {
  program::Stmt &S = emit(Op::Const, At);
  S.Const = ConstKind::Bool;
  S.Imm = V;
  return result(S);
}

ValueId FunctionBuilder::constNone(const clang::Stmt *At) {
  return result(emit(Op::Const, At));
}

ValueId FunctionBuilder::constText(ConstKind K, StringRef Text,
                                   const clang::Stmt *At) {
  program::Stmt &S = emit(Op::Const, At);
  S.Const = K;
  S.Text = Text.str();
  return result(S);
}

ValueId FunctionBuilder::load(VarId V, const clang::Stmt *At) {
  program::Stmt &S = emit(Op::Load, At);
  S.Var = V;
  return result(S);
}

program::Range FunctionBuilder::range(SourceRange R) const {
  return makeRange(R, SM);
}
