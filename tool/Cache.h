//===- Cache.h - results kept from run to run -------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// In two steps, as ccache does it:
//
//   tool, options, command      -> the key of a manifest: what former analyses
//                                  with these asked of the disk (Accesses.h)
//   if the disk still says so   -> the key of their result
//
//   llvmcache-KEY-m  manifest     text /src/net.cpp #a1, text /src/ops.h #07,
//                                 text /src/new/ops.h absent ... -> RESULT
//   llvmcache-RESULT-r            findings with notes and fixes, statistics
//   llvmcache-KEY-h   header      what many files begin with (SharedHeader.h)
//   Thin-*.tmp                    being written; renamed when whole
//
// Each file ends with a hash of its text and name: what is damaged or cut short
// is as good as not there. The names are those that llvm::pruneCache() knows.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_CACHE_H
#define TENSORTIDY_TOOL_CACHE_H

#include "Accesses.h"
#include "Result.h"
#include "SharedHeader.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CachePruning.h"
#include <optional>
#include <string>
#include <vector>

namespace tensortidy::tool {

/// Where results are kept by default; empty: nowhere.
std::string defaultCacheDir();

class Cache {
public:
  /// Without a directory that can be made, nothing is kept or found.
  explicit Cache(llvm::StringRef Directory);

  /// Why nothing can be kept; no error when it can.
  std::error_code problem() const { return Problem; }

  /// The key of what an analysis is given; \p Tool is the program that runs it.
  static std::string keyOf(llvm::ArrayRef<std::string> Inputs,
                           const std::string &Tool);

  /// What is known of a key.
  struct Entry {
    /// The bytes of a result (Result.h) that still holds, and what it depended
    /// on.
    std::optional<std::string> Result;
    std::vector<Access> Asked;
    // Of the last analysis, even if its result does not hold:
    std::optional<double> Seconds; ///< of CPU time
    std::vector<std::string> Read; ///< the files, there or not
  };
  Entry find(llvm::StringRef Key);
  /// Keeps \p Result, unless it may be another one the next time. A disk that
  /// has no room, or takes nothing, keeps nothing.
  void keep(llvm::StringRef Key, const Accesses &Asked, FileResult Result);

  /// The header kept as \p Key, if the disk is still as it was.
  std::optional<SharedHeader> findHeader(llvm::StringRef Key);
  bool hasHeader(llvm::StringRef Key) const;
  bool hasHeaders() const; ///< any
  /// Keeps \p Bytes, which depend on \p Asked. None are worth being kept, too:
  /// there is no such header to be had.
  void keepHeader(llvm::StringRef Key, llvm::StringRef Bytes,
                  const std::vector<SharedHeader::Read> &Files,
                  const std::vector<Access> &Asked) const;

  /// Removes what is kept of \p Key.
  void forget(llvm::StringRef Key) const;
  /// Removes what was not used for long, and what exceeds the size.
  void prune() const;
  static llvm::CachePruningPolicy policy();

private:
  /// What an analysis asked, and the name of its result.
  struct Known {
    std::string Result;
    double Seconds = 0;
    std::vector<Access> Asked;
  };
  std::string pathOf(llvm::StringRef Key, char Kind) const;
  std::vector<Known> manifest(llvm::StringRef Key) const;

  std::string Directory;
  std::error_code Problem;
  Disk Now;
};

} // namespace tensortidy::tool

#endif
