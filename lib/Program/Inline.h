//===- Inline.h - calls replaced by the bodies they run ---------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An opaque statement may name the body it runs (Stmt::Calls). Replaced by that
// body, with its parameters bound to what the caller passes, a call is one more
// stretch of blocks: it refines what the caller knows, changes what it is given
// by reference and returns on several paths, and nothing else has to know.
//
//   block 1                              block 1 -> 4
//     %5 = opaque "heads" read %4    =>    store $7 "x" %4
//     %6 = view self=%5 ...              block 4                 (context 1)
//                                          %9 = load $7
//                                          %10 = transpose self=%9 ...
//                                          store $8 %10          -> 5
//                                        block 5
//                                          %5 = load $8
//                                          %6 = view self=%5 ...
//
// A call stays opaque where it would recurse, where its body is not known, and
// past the limits. Context numbers tell which call a statement came with.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_PROGRAM_INLINE_H
#define TENSORTIDY_PROGRAM_INLINE_H

#include "Program/Program.h"

namespace tensortidy::program {

/// Gives bodies when they are asked for.
class FunctionSource {
public:
  virtual ~FunctionSource() = default;
  /// The body's program; null, or one with a Reason, when there is none.
  virtual const Function *body(BodyId Id) = 0;
};

struct InlineLimits {
  unsigned Depth = 5;         ///< calls within calls
  unsigned BodyBlocks = 150;  ///< of one body
  unsigned Statements = 6000; ///< that bodies may add to one function
  unsigned Blocks = 1500;     ///< likewise
};

/// \p F with the calls in it replaced as far as the limits admit.
Function inlineCalls(const Function &F, FunctionSource &Source,
                     const InlineLimits &Limits = InlineLimits());

} // namespace tensortidy::program

#endif
