//===- Explain.h - layout questions without a program -----------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   tensortidy explain "[2,3,4] permute(0,2,1) view(2,-1)"
//
// reads a tensor's sizes and a chain of operations, in the spelling of
// libtorch, numpy or ggml, runs them on the layout model and says after each
// step what the tensor looks like, or why the step fails and what to write
// instead. Sizes may be names: "[B,T,H*D] view(B,T,H,D) transpose(1,2)".
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_EXPLAIN_H
#define TENSORTIDY_TOOL_EXPLAIN_H

#include "Layout/Layout.h"
#include "llvm/Support/Error.h"
#include <string>

namespace tensortidy::tool {

struct Explanation {
  std::string Text;    ///< for a terminal
  bool Failed = false; ///< a step would throw
  /// The last layout reached and its steps, when all its sizes are numbers.
  std::string Svg;
};

/// An error: the question is not understood.
llvm::Expected<Explanation> explain(llvm::StringRef Question);

/// tensortidy explain ...; for FILE:LINE see Main.cpp.
int explainMain(llvm::StringRef Question, llvm::StringRef SvgFile);

/// Writes a picture; false when that failed, with a complaint.
bool writeSvg(llvm::StringRef File, llvm::StringRef Svg);

} // namespace tensortidy::tool

#endif
