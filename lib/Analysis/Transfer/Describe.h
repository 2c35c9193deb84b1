//===- Describe.h - tensors, calls and paths in words -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_DESCRIBE_H
#define TENSORTIDY_ANALYSIS_DESCRIBE_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// What its dimensions are called after: "x", "x[i]", "x.select(0, i)".
std::string rootName(const Object &O);
/// "[2, 3] strides [3, 1] storage %4 offset 0 float32": what is known, for
/// people and tests. `?` is a number nobody knows, `...` dimensions nobody
/// counted.
void noteLayout(const Context &Ctx, State &W, const Stmt &S);
/// "[B, ..., C]": \p Dims, the sizes or strides of \p O; the dimensions that
/// nobody counted are `...`.
std::string dimsText(const State &W, const Object &O, const SymDims &Dims);
/// How \p O is now.
Appearance appearance(const Context &Ctx, const State &W, const Object &O);
/// Whether a stride of \p O has no name that tells anything.
bool hasUnknownStride(const Context &Ctx, const State &W, const Object &O);
/// "transpose(1, 2)": the call as written, by its values.
std::string callText(const Context &Ctx, const Stmt &S, const State &W);
/// What branches decided.
Path path(const State &W);
/// The tensor's name at this call: the variable it is called on, if one.
std::string nameAt(const Context &Ctx, const Stmt &S, const Object &O);
/// That one of \p Exceptions is so, without those that another implies or that
/// comparisons have ruled out.
Excepted excepted(const State &W, const std::vector<SymExpr> &Exceptions);
/// What \p O takes, or nothing.
Amount amount(const State &W, const Object &O);
/// \p Size is \p Text to who reads \p S, if it has a name only elsewhere.
void nameHere(const Context &Ctx, const Stmt &S, const SymExpr &Size,
              const std::string &Text);

} // namespace tensortidy::analysis

#endif
