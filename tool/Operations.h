//===- Operations.h - what a call does to a layout --------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The answering part of `tensortidy explain`: a call as libtorch, numpy or ggml
// spell it, bound to its parameters and run on the layout model.
//
//   [2,3,4]  permute(0,2,1)   ->  [2,4,3], strides [12,1,4]
//   [2,4,3]  view(2,-1)       ->  a refusal: cannot merge dimensions 1 and 2
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_OPERATIONS_H
#define TENSORTIDY_TOOL_OPERATIONS_H

#include "Layout/Layout.h"
#include "Layout/Symbolic.h"
#include "Program/Program.h"
#include "Question.h"
#include <optional>
#include <string>
#include <vector>

namespace tensortidy::tool {

using SymLayout = layout::Layout<layout::SymExpr>;
using SymDims = layout::Dims<layout::SymExpr>;
using Outcome = layout::LayoutOutcome<layout::Symbolic>;

/// The tensor that a question is about, after the steps so far.
struct Subject {
  bool IsThere = false;
  bool Ggml = false; ///< ggml's, whose dimensions are named innermost first
  SymLayout L;
  std::optional<layout::SymExpr> Storage; ///< its elements, where that is known
  std::vector<SymLayout> Pieces; ///< of an operation that gives several
};

struct Call {
  std::string Name; ///< "[]" for an index
  std::vector<Term> Args;
  std::string Text; ///< as written
  size_t At = 0;
};

/// Whether libtorch or numpy have a layout operation of this name.
bool isOperation(llvm::StringRef Name);

/// Of the last part of its name: "channels_last", "ChannelsLast".
std::optional<layout::MemoryFormat> formatNamed(llvm::StringRef Name);

/// The same sizes, the first dimension innermost.
SymLayout inFortranOrder(const layout::Symbolic &Ar, const SymLayout &Of);

class Operations {
public:
  /// What is wrong with a call is said through \p In.
  Operations(layout::Symbolic &Ar, QuestionReader &In, Subject &X)
      : Ar(Ar), In(In), X(X) {}

  /// The layout after \p C, or why there is none; \p Note is what else there is
  /// to say of it.
  Outcome apply(const Call &C, std::string &Note);

  /// The sizes that a view or reshape, the latest call, was given.
  std::optional<SymDims> sizesAsked(const Call &C);

private:
  Outcome applyGgml(llvm::StringRef N, const Call &C, size_t Arity,
                    std::string &Note);
  Outcome applyTorch(program::Op O, const Call &C, std::string &Note);

  // Arguments of the operation at hand.
  std::optional<layout::SymExpr> size(size_t I);
  layout::SymExpr sizeOr(size_t I, std::optional<int64_t> Default,
                         const char *Parameter = "");
  int64_t integer(size_t I, std::optional<int64_t> Default,
                  const char *Parameter = "");
  SymDims dims(size_t I, const char *Parameter);
  std::vector<int64_t> integers(size_t I, const char *Parameter);

  std::string copies() const;
  SymLayout fresh(SymLayout New);
  Outcome contiguous(layout::MemoryFormat F, std::string &Note);
  Outcome copied(bool MayBeSelf, const Call &C, std::string &Note);
  Outcome repeat(const SymDims &Times, std::string &Note);
  Outcome reshapeTo(bool IsView, const SymDims &Sizes, bool Fortran,
                    std::string &Note);
  Outcome pieces(program::Op O);
  Outcome index(const Call &C, std::string &Note);

  layout::Symbolic &Ar;
  QuestionReader &In;
  Subject &X;
  const Call *Here = nullptr; ///< the operation at hand, and its arguments
  std::vector<std::optional<Term>> Bound;
};

} // namespace tensortidy::tool

#endif
