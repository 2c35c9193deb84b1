//===- Pitches.h - strides handed on with raw pointers -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call that gets raw pointers may get strides as well. Which pointer each of
// them is for, whether it is one of that tensor's, and what it leaves unsaid:
//
//   rotary(q, k, q.stride(0), k.stride(0), heads, size)
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_PITCHES_H
#define TENSORTIDY_ANALYSIS_PITCHES_H

#include "Analysis/Transfer/Accesses.h"

namespace tensortidy::analysis {

/// Something that a call is given: an argument, or a field of one.
struct Given {
  Value V;
  ValueId Of;
  llvm::StringRef Name;
  bool IsField = false; ///< whose order means nothing
};

/// What \p S is given. An object with a pointer in it is what its fields are:
///   Params p{q.data_ptr<float>(), heads, size};  launch(p);
std::vector<Given> givenTo(const Context &Ctx, const State &W,
                           const program::Stmt &S);

/// Whether \p Given is taken for the distance of rows of \p O and is that of a
/// dense tensor, or of the outer ones where \p Numbers has rows of several
/// dimensions together. Counted in elements or in bytes.
std::optional<WrongStep> wrongPitch(const State &W, const Object &O,
                                    const SymExpr &Given,
                                    const std::vector<SymExpr> &Numbers);

/// The strides in \p Args for the pointer \p Of of them: all there are where
/// there is no other pointer, else what stands behind it.
std::vector<SymExpr> pitchesOf(const Context &Ctx,
                               const std::vector<Given> &Args, size_t Of);

/// Where as many strides as pointers follow a group of these, each has its own:
///   run(q, o, q.stride(0), q.stride(0), rows, width)
/// gives o that of q. What o has instead, where it is told of the same sizes.
std::optional<WrongStep> strangeStep(const Context &Ctx, const State &W,
                                     const std::vector<Given> &Args, size_t Of);

/// The one stride of \p O that is among \p Pitches leaves inner dimensions, all
/// sizes of which are among \p Numbers: how many elements they are, if they
/// have gaps that nobody is told of.
std::optional<SymExpr> gapsWithin(const State &W, const Object &O,
                                  const std::vector<SymExpr> &Pitches,
                                  const std::vector<SymExpr> &Numbers);

/// The strides in \p Args, but for those that another pointer of them has, and
/// \p Of has not.
std::vector<SymExpr> ownPitches(const Context &Ctx, const State &W,
                                const std::vector<Given> &Args, size_t Of);

/// Whether all strides that \p S is given are those of other pointers than \p
/// Of:
///   post(x, mix, rows, streams, x.stride(0))
bool areOthers(const Context &Ctx, const State &W, const program::Stmt &S,
               const std::vector<Given> &Args, size_t Of);

/// Whether each number in \p Args is a product of sizes of \p O, a constant, or
/// was asked of another tensor, so that none is the distance of rows of \p O.
bool areSizes(const Context &Ctx, const State &W,
              const std::vector<Given> &Args, const Object &O);

} // namespace tensortidy::analysis

#endif
