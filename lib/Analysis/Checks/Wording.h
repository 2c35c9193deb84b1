//===- Wording.h - facts in words -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts are typed (Facts/Facts.h), and what they say in English is written here
// and in the checks:
//
//   LayoutFailure{NotPacked, Rows, "ggml_rope(x)", ...}
//     -> "ggml_rope(x) needs dense rows, 'x' has ne [8, 2], nb [2, 1] elements"
//
// lib/Layout has the words of its own rules.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_CHECKS_WORDING_H
#define TENSORTIDY_ANALYSIS_CHECKS_WORDING_H

#include "Analysis/Facts/Facts.h"

namespace tensortidy::analysis {

/// "'x'", or \p Else.
std::string quoted(llvm::StringRef Name, llvm::StringRef Else);
/// "relu()", "'*'": what \p S calls.
std::string callOf(const program::Stmt &S);
/// "'swap' is true", "x.dim() is 3": \p Holds is what was answered.
std::string words(bool Holds, const Asked &What);
/// "when 'swap' is true and x.dim() is 3", "in a later iteration".
std::string words(const Path &P);
/// Adds a path to what is said of when a finding holds.
void addPath(std::string &When, const Path &P);
/// "unless T or H is 1", "unless head_dim divides n_head".
std::string words(const Excepted &E);
/// "4*T bytes", "T elements"; empty for none.
std::string words(const Amount &A);
/// "'x'", "a contiguous [B, T]", "[B, T] with strides [1, B]".
std::string words(const Appearance &A);
/// "transpose(1, 2) of a contiguous [B, T]".
std::string operation(const Provenance &P);
/// \p Name "got this layout here: transpose(1, 2) of a contiguous [B, T]".
Note gotLayout(const std::string &Name, const Provenance &P);
/// "'y' is [2, 3] here: zeros({2, 3})".
Note words(const Origin &O);
/// "y is at least q + k by this".
Note words(const Proof &P);
/// Adds what \p Facts say.
template <class Fact>
void addWords(std::vector<Note> &Notes, const std::vector<Fact> &Facts) {
  for (const Fact &F : Facts)
    Notes.push_back(words(F));
}
/// "'x' is [4, 8] with strides [1, 4], 'y' is int64".
std::string words(const std::vector<Answered> &Answers);
/// What is refused, without its conditions.
std::string words(const LayoutFailure &V);
/// "throws", "aborts on the CPU backend".
const char *effect(const Refusal &R);
/// The layout that an editor shows.
LayoutFact shown(ObservedLayout Seen);

/// Why rows of an image do not follow each other. \p Row: unless that many
/// bytes need no padding; empty: they do.
std::string paddedRows(const std::string &Row);

} // namespace tensortidy::analysis

#endif
