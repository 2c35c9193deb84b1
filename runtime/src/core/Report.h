//===- Report.h - what operations tell the report ---------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One branch where nobody observes.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_RUNTIME_REPORT_H
#define TENSORTIDY_RUNTIME_REPORT_H

#include "tensortidy/types.h"
#include <atomic>

namespace tensortidy::detail {

enum class Event : uint8_t { Allocation, RedundantContiguous, HiddenCopy };

extern std::atomic<bool> Observing;
void observed(Event E, const char *Op, Site Here, size_t Bytes);
inline bool observing() {
  return __builtin_expect(Observing.load(std::memory_order_relaxed), false);
}
inline void observe(Event E, const char *Op, Site Here, size_t Bytes) {
  if (observing())
    observed(E, Op, Here, Bytes);
}

} // namespace tensortidy::detail

#endif
