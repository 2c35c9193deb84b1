//===- Surroundings.h - what stands around a statement ----------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a statement in the source: the try that expects it to throw, the macro it
// is written in, and whether anybody asks for its value.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_AST_SURROUNDINGS_H
#define TENSORTIDY_FRONTEND_AST_SURROUNDINGS_H

#include "clang/Basic/SourceLocation.h"

namespace clang {
class CXXTryStmt;
class Expr;
class FunctionDecl;
class SourceManager;
class Stmt;
} // namespace clang

namespace tensortidy::frontend {

struct BodyScan;

class Surroundings {
public:
  Surroundings(const clang::FunctionDecl &Fn, const clang::SourceManager &SM,
               const BodyScan &Scan)
      : Fn(Fn), SM(SM), Scan(Scan) {}

  const clang::CXXTryStmt *tryAround(const clang::Stmt *S) const;
  /// Whether someone expects that \p S throws: macros of tests do, and who
  /// tries little and goes on. Not who wraps a program to print what it threw.
  bool isExpected(const clang::Stmt *S) const;
  /// Whether a macro's own text has what stands there.
  bool inMacro(clang::SourceRange R) const;
  /// Whether \p E is a statement of its own, whose value is not used. A
  /// cast to void asks for nothing and says so.
  bool isDiscarded(const clang::Expr &E) const;

private:
  const clang::FunctionDecl &Fn;
  const clang::SourceManager &SM;
  const BodyScan &Scan;
};

} // namespace tensortidy::frontend

#endif
