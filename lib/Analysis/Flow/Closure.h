//===- Closure.h - all that is reached, each once ---------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The walk that questions about values have in common: what a value comes from,
// what is computed of it. For blocks there is Graph (Reachability.h).
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_FLOW_CLOSURE_H
#define TENSORTIDY_ANALYSIS_FLOW_CLOSURE_H

#include "llvm/ADT/SetVector.h"

namespace tensortidy::analysis {

/// Everything that is reached from \p First, each once: \p Of says of one what
/// it leads to, by calling its second argument with each, and false to end the
/// walk. At most \p Most are asked.
template <class T, class Fn>
llvm::SmallSetVector<T, 8> closure(T First, Fn &&Of, size_t Most = SIZE_MAX) {
  llvm::SmallSetVector<T, 8> Seen;
  Seen.insert(First);
  auto Add = [&](T Next) { Seen.insert(Next); };
  for (size_t I = 0; I < Seen.size() && I < Most; ++I)
    if (!Of(T(Seen[I]), Add))
      break;
  return Seen;
}

} // namespace tensortidy::analysis

#endif
