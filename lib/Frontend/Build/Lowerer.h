//===- Lowerer.h - the value of an expression -------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What concerns need of each other: the value of a part, whatever makes it.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_BUILD_LOWERER_H
#define TENSORTIDY_FRONTEND_BUILD_LOWERER_H

#include "Program/Program.h"

namespace clang {
class Expr;
} // namespace clang

namespace tensortidy::frontend {

class Lowerer {
public:
  virtual ~Lowerer() = default;
  /// The value of \p E, made where it is asked for first. 0: it has none.
  virtual program::ValueId value(const clang::Expr *E) = 0;
  /// Likewise, of a condition: an integer is compared with 0.
  virtual program::ValueId condition(const clang::Expr *E) = 0;
};

} // namespace tensortidy::frontend

#endif
