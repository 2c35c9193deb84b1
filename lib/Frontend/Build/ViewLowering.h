//===- ViewLowering.h - views of what dies first ----------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   at::IntArrayRef s = {2, 3};        %3 = temporary %2 "the array behind ..."
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_BUILD_VIEWLOWERING_H
#define TENSORTIDY_FRONTEND_BUILD_VIEWLOWERING_H

#include "Program/Program.h"

namespace clang {
class Expr;
} // namespace clang

namespace tensortidy::frontend {

class FunctionBuilder;
class Types;
struct BodyScan;

class ViewLowering {
  using ValueId = program::ValueId;

public:
  ViewLowering(Types &Kinds, const BodyScan &Scan, FunctionBuilder &Build)
      : Kinds(Kinds), Scan(Scan), Build(Build) {}

  /// Of what \p E, which gives a view of a list, is a view when that dies
  /// first: the braces' hidden array, a temporary, a local the function
  /// returns. A view of a local vector is called just that.
  ValueId viewOfShortLived(const clang::Expr &E, ValueId V, bool Returned);
  /// \p V, as a view of \p What, which dies at the end of the statement. With
  /// \p Until it may be used till then; otherwise it is being kept.
  ValueId temporary(const clang::Expr &From, ValueId V, const std::string &What,
                    bool Until);
  /// What messages call \p E, where that is a container that dies at the end of
  /// its statement; empty for others.
  std::string dyingContainer(const clang::Expr &E);

private:
  Types &Kinds;
  const BodyScan &Scan;
  FunctionBuilder &Build;
};

} // namespace tensortidy::frontend

#endif
