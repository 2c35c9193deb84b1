//===- Answer.h - what `tensortidy explain` prints and draws ----*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//                   sizes         strides
//   [B,T,H*D]       [B, T, H*D]   [T*H*D, H*D, 1]     contiguous       a row
//   view(B,T,H,D)   [B, T, H, D]  [T*H*D, H*D, D, 1]  contiguous      a step
//   ...
//   view(B,T,H*D) cannot merge dimensions 2 and 3: ...                remarks
//
//   place of each element in the storage, for B=2, T=3, H=2:        a picture
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_ANSWER_H
#define TENSORTIDY_TOOL_ANSWER_H

#include "Explain.h"
#include "Operations.h"

namespace tensortidy::tool {

class Answer {
public:
  Answer(const layout::Symbolic &Ar, const Subject &X) : Ar(Ar), X(X) {}

  bool failed() const { return Result.Failed; }

  /// A row of the tensor as it is.
  void row(std::string What, llvm::StringRef Note = "");
  /// A step that the sizes do not decide; a view or reshape was given \p Sizes.
  void undecided(const Call &C, const std::optional<SymDims> &Sizes);
  /// A step that fails.
  void refused(const Call &C, const Outcome &O, const std::string &Note);

  /// All of it, with a picture for small numbers in place of \p Names.
  Explanation
  take(llvm::ArrayRef<std::pair<std::string, layout::SymbolId>> Names);

private:
  struct Row {
    std::string What, Sizes, Strides, Says;
  };

  SymDims inOrder(SymDims D) const;
  std::string describe() const;
  std::string condition(const SymDims &Sizes) const;
  void printRows();
  void draw(llvm::ArrayRef<std::pair<std::string, layout::SymbolId>> Names);

  const layout::Symbolic &Ar;
  const Subject &X;
  std::string Remarks;
  std::vector<Row> Rows;
  Explanation Result;
};

} // namespace tensortidy::tool

#endif
