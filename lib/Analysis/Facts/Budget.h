//===- Budget.h - what an analysis may spend, and is to record -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_FACTS_BUDGET_H
#define TENSORTIDY_ANALYSIS_FACTS_BUDGET_H

#include "Analysis/Facts/Finding.h"

namespace tensortidy::analysis {

/// Bounds; reaching one means silence for the function.
struct Budget {
  unsigned MaxBlocks = program::MaxBlocks;
  unsigned MaxStatements = 500000;
  unsigned MaxBlockVisits = 60; ///< visits of one block before giving up
  unsigned MaxStates = 8;
  /// CPU time for all that is asked of one function. The other limits do
  /// not depend on the machine.
  double MaxSeconds = 10;
  /// Reasons not to tell something that are not in force: a bit for each of
  /// reasons(), in their order.
  uint32_t Disregarded = 0;
  bool Describe = false; ///< fill FunctionResult::ValueLayouts
  /// Record the layout of every tensor expression, for editors and `explain`.
  bool Observe = false;
};

/// A layout in numbers, to be drawn: small ones stand for sizes that are not
/// known.
struct DrawnLayout {
  std::vector<int64_t> Sizes, Strides;
  int64_t Offset = 0;
  std::string Where; ///< "B=2, T=3": what stands for names, or empty
  bool Ggml = false;
  std::string Why; ///< it cannot be drawn; else empty
};

/// What is known of the tensor an expression stands for.
struct LayoutFact {
  program::Range Where;  ///< the expression, or the name being declared
  program::Range Point;  ///< the name of what is called, if it has one
  std::string Name;      ///< the variable, or empty
  bool IsStored = false; ///< the value a declaration or assignment stores
  /// One text per different path: "[B, T, C], strides [T*C, 1, T]".
  std::vector<std::string> Layouts;
  std::string DType;         ///< "float32", or empty
  DrawnLayout Drawn;         ///< that of the first path
  std::vector<Note> History; ///< the operations that led here, latest first
};

/// CPU time of this thread, in seconds, where that can be asked; else the time.
double cpuSeconds();

} // namespace tensortidy::analysis

#endif
