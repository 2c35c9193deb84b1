//===- Watch.h - do something again when files are saved --------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_WATCH_H
#define TENSORTIDY_TOOL_WATCH_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tensortidy::tool {

/// What one run read, and a digest of what it said of each file.
struct WatchedRun {
  std::vector<std::string> Files;
  std::vector<uint64_t> Said;
};

/// Calls \p Run in a process of its own, first and then whenever one of the
/// files has changed that it answered, with what the last one answered. Ends
/// with 2 where the first answers none, and otherwise by a signal.
int watchFiles(bool Quiet,
               const std::function<WatchedRun(const WatchedRun *Last)> &Run);

} // namespace tensortidy::tool

#endif
