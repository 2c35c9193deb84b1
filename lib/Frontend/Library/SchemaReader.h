//===- SchemaReader.h - operators that a unit registers ---------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a registered function writes stands in its operator's schema:
//
//   m.def("scale(Tensor(a!) out, Tensor x) -> ()");   out: Writes
//   m.impl("scale", torch::kCUDA, &scale);            x: Reads
//
// A schema without a result and without a `!` is of a function whose effects
// nobody wrote down; it says nothing.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_LIBRARY_SCHEMAREADER_H
#define TENSORTIDY_FRONTEND_LIBRARY_SCHEMAREADER_H

#include "Frontend/Build/UnitTable.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringMap.h"

namespace tensortidy::frontend {

class Types;

class SchemaReader {
public:
  explicit SchemaReader(Types &Kinds) : Kinds(Kinds) {}

  /// Notes \p C, where it registers an operator or a function of one.
  void registration(const clang::CXXMemberCallExpr &C);
  /// What is known of functions, when all registrations are noted.
  llvm::DenseMap<const clang::FunctionDecl *, Promises> take();

private:
  Types &Kinds;
  llvm::StringMap<Promises> Schemas; ///< by the operator's name
  std::vector<std::pair<const clang::FunctionDecl *, std::string>> Functions;
};

} // namespace tensortidy::frontend

#endif
