//===- Comparisons.h - comparisons of integers, sizes and dtypes -*- C++
//-*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_COMPARISONS_H
#define TENSORTIDY_ANALYSIS_COMPARISONS_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// A - B as C*S + K with C 1 or -1.
struct Difference {
  SymbolId S = 0;
  int64_t C = 0, K = 0;
};

/// Two integers are equal.
CondRef equalInts(const SymExpr &A, const SymExpr &B);
/// Whether \p DType names one dtype.
bool isKnownDType(llvm::StringRef DType);
/// What has to hold for two integers, lists of sizes or dtypes to be the same;
/// null when that cannot be said.
CondRef equality(const Value &X, const Value &Y);
/// Whether the sizes that \p C compares are the same.
Truth sameSizes(const Context &Ctx, const State &W, const Condition &C);
/// From here on two tensors have the same sizes, or one has those listed.
bool assumeSameSizes(const Context &Ctx, State &W, const Condition &C);
/// How the keys of what is known of \p T's dtype begin.
std::string dtypeKey(ObjId T);
/// How states call the question whether \p T is defined.
std::string definedKey(ObjId T);
/// What tells a test of \p T's dtype against one that nobody knows from others:
/// the end of its key.
std::string dtypeCase(ObjId T);
/// Whether the dtypes that \p C compares are the same.
Truth sameDType(const State &W, const Condition &C);
/// Whether nothing but sizes occurs in \p E: integers may be 0, sizes may not
/// while there are elements.
bool onlySizes(const State &W, const SymExpr &E);
/// By the symbols, not their names: two counters may both be called `i`.
std::string compareKey(const Context &Ctx, const layout::Symbolic &Ar,
                       const Condition &C);
/// What \p C compares, where that has one symbol.
std::optional<Difference> difference(const Symbolic &Ar, const Condition &C);
/// What the ranges of integers say of a comparison.
Truth byRange(const State &W, const Condition &C);
/// Whether no path takes a comparison this way: a loop from 0 to 4 does not end
/// before its first iteration.
bool refuted(const State &W, const Condition &C, bool Holds);
/// A comparison \p Holds, or does not.
void limit(const Context &Ctx, State &W, const Condition &C, bool Holds);
/// Narrows the range of an integer that is compared with a number.
void limitTo(State &W, const Condition &C, bool Holds);
/// Whether comparisons leave it nothing else than that one of \p Exceptions,
/// which are 1 where they hold, does.
bool mustBeOne(const State &W, const std::vector<SymExpr> &Exceptions);

} // namespace tensortidy::analysis

#endif
