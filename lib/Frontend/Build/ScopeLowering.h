//===- ScopeLowering.h - what ends, and when --------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Full expressions end, and with them the objects without a name that they
// made; variables end field by field.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_BUILD_SCOPELOWERING_H
#define TENSORTIDY_FRONTEND_BUILD_SCOPELOWERING_H

#include "Program/Program.h"
#include "clang/AST/Type.h"

namespace clang {
class Stmt;
} // namespace clang

namespace tensortidy::frontend {

class FunctionBuilder;
class Types;
class VariableTable;

class ScopeLowering {
public:
  ScopeLowering(Types &Kinds, FunctionBuilder &Build, VariableTable &Vars)
      : Kinds(Kinds), Build(Build), Vars(Vars) {}

  /// A full expression ends, and with it the objects it made.
  void endFullExpr(const clang::Stmt *At);
  /// The lifetime of \p V, of type \p T, ends.
  void endScope(program::VarId V, clang::QualType T);
  /// The full expression has made \p V, of type \p T, in this block.
  void made(program::VarId V, clang::QualType T) {
    Temporaries.push_back({V, T});
  }
  /// Another block begins.
  void startBlock() { Temporaries.clear(); }

private:
  Types &Kinds;
  FunctionBuilder &Build;
  VariableTable &Vars;

  llvm::SmallVector<std::pair<program::VarId, clang::QualType>, 2> Temporaries;
};

} // namespace tensortidy::frontend

#endif
