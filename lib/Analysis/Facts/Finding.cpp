//===- Finding.cpp - the tables of checks and reasons -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Facts/Budget.h"
#include <chrono>
#include <ctime>

namespace tensortidy::analysis {

llvm::ArrayRef<CheckInfo> checks() {
  static const CheckInfo All[] = {
#define TENSORTIDY_CHECK(Id, Name, Level, HasFix, Summary)                     \
  {Check::Id, Name, Level, HasFix, Summary},
#include "Analysis/Checks.def"
  };
  return All;
}

llvm::ArrayRef<OptionInfo> options() {
  static const OptionInfo All[] = {
#define TENSORTIDY_OPTION(Id, Name, Default, Summary)                          \
  {Check::Id, Name, Default, Summary},
#include "Analysis/Checks.def"
  };
  return All;
}

llvm::ArrayRef<ReasonInfo> reasons() {
  static const ReasonInfo All[] = {
#define TENSORTIDY_REASON(Id, Name, Text) {Name, Text},
#include "Analysis/Relevance.def"
  };
  return All;
}

double cpuSeconds() {
#ifdef CLOCK_THREAD_CPUTIME_ID
  timespec T{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &T) == 0)
    return static_cast<double>(T.tv_sec) +
           1e-9 * static_cast<double>(T.tv_nsec);
#endif
  const auto Now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(Now).count();
}

} // namespace tensortidy::analysis
