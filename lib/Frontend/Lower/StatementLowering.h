//===- StatementLowering.h - statements, as the CFG has them ----*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declarations, returns, and expressions that are evaluated where they stand.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_LOWER_STATEMENTLOWERING_H
#define TENSORTIDY_FRONTEND_LOWER_STATEMENTLOWERING_H

#include "Program/Program.h"

namespace clang {
class ReturnStmt;
class Stmt;
} // namespace clang

namespace tensortidy::frontend {

class DeclarationLowering;
class FunctionBuilder;
class Lowerer;
class ScopeLowering;
class Types;
class ViewLowering;
struct BodyScan;

class StatementLowering {
public:
  StatementLowering(Types &Kinds, const BodyScan &Scan, FunctionBuilder &Build,
                    ScopeLowering &Scopes, ViewLowering &Views,
                    DeclarationLowering &Declarations, Lowerer &Lower)
      : Kinds(Kinds), Scan(Scan), Build(Build), Scopes(Scopes), Views(Views),
        Declarations(Declarations), Lower(Lower) {}

  void lower(const clang::Stmt &S);

private:
  void returns(const clang::ReturnStmt &S);

  Types &Kinds;
  const BodyScan &Scan;
  FunctionBuilder &Build;
  ScopeLowering &Scopes;
  ViewLowering &Views;
  DeclarationLowering &Declarations;
  Lowerer &Lower;
};

} // namespace tensortidy::frontend

#endif
