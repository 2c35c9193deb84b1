//===- Machine.h - how much of the machine a run may use --------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_MACHINE_H
#define TENSORTIDY_TOOL_MACHINE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace tensortidy::tool {

/// The cores that this process may use: those of its affinity, or fewer where a
/// container's quota (in \p Root, as of the machine's file system) says so.
unsigned usableCores(const std::string &Root = "");

/// The bytes of memory that are free for more processes, in the machine and in
/// the container; nothing where that cannot be known.
std::optional<uint64_t> availableMemory(const std::string &Root = "");

/// What \p Process has in memory.
uint64_t residentMemory(pid_t Process);

/// The tokens of a make that started this program. A process may always run one
/// job; for each further one it takes a token, and gives it back.
///
///   MAKEFLAGS="-j8 --jobserver-auth=3,4"          a pipe, make 4.2
///   MAKEFLAGS="-j8 --jobserver-auth=fifo:/tmp/x"  a fifo, make 4.4, ninja 1.13
class JobServer {
public:
  /// \p Flags are those of the environment's MAKEFLAGS.
  explicit JobServer(llvm::StringRef Flags);
  ~JobServer();
  JobServer(const JobServer &) = delete;
  JobServer &operator=(const JobServer &) = delete;

  /// Whether there is one, even one that we cannot reach: then one job at a
  /// time is all there is.
  bool isThere() const { return IsThere; }
  /// False where there is no token now.
  bool take();
  void giveBack();

private:
  bool IsThere = false;
  int In = -1, Out = -1;
  std::vector<char> Taken; ///< each goes back as it came
};

} // namespace tensortidy::tool

#endif
