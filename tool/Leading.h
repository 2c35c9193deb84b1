//===- Leading.h - what a source begins with --------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The lines that a compiler sees first, as far as they are the headers of
// libraries, and macros before these:
//
//   net.cpp                        net.h
//     // comments                    #pragma once
//     #define NO_DEBUG               #include <cstdint>
//     #include "net.h"               #include <torch/torch.h>
//     #include <ATen/cuda/...>       class Net {
//
//   -> #define NO_DEBUG
//      #include <torch/torch.h>      and no further: there is code
//
// Headers of the standard library are left out: they may be included in any
// order, and any number of times ([using.headers]).
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_LEADING_H
#define TENSORTIDY_TOOL_LEADING_H

#include "Models/ApiModel.h"
#include "clang/Basic/FileEntry.h"
#include "clang/Frontend/CompilerInstance.h"
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tensortidy::tool {

struct LeadingLine {
  std::string Text;   ///< "#include <torch/torch.h>"
  std::string Header; ///< its path; empty: it includes nothing
  bool IsSystem = false;
  uint64_t Bytes = 0; ///< of all that is included from the first line to here
};

/// Of many files that have the same flags.
class LeadingLines {
public:
  /// Without \p Weigh, each line counts the same.
  LeadingLines(clang::CompilerInstance &Compiler, const models::ApiModel &Model,
               bool Weigh)
      : Compiler(Compiler), Model(Model), Weigh(Weigh) {}

  std::vector<LeadingLine> of(llvm::StringRef File);
  /// Of what the flags say is to be included before anything else.
  uint64_t bytesBefore();

private:
  enum class End { Whole, Stop };
  struct Found {
    clang::FileEntryRef File;
    bool IsRelative; ///< to the file that includes it
  };

  End scan(clang::FileEntryRef File, bool IsMain);
  End include(llvm::StringRef Name, bool IsAngled, clang::FileEntryRef From);
  std::optional<Found> find(llvm::StringRef Name, bool IsAngled,
                            std::optional<clang::FileEntryRef> From);
  bool isOfLibrary(clang::FileEntryRef File) const;
  std::optional<llvm::StringRef> textOf(clang::FileEntryRef File);

  /// Adds \p File and all that it names in an #include, whatever conditions
  /// that has: roughly what it costs to read.
  void weigh(clang::FileEntryRef File);

  clang::CompilerInstance &Compiler;
  const models::ApiModel &Model;
  const bool Weigh;
  // Of the file at hand:
  std::vector<LeadingLine> Lines;
  std::set<const clang::FileEntry *> Entered, Weighed;
  uint64_t Weight = 0;
  bool HasPassedStandard = false;
  /// Of all: what a file includes, found.
  std::map<const clang::FileEntry *, std::vector<clang::FileEntryRef>> Direct;
};

} // namespace tensortidy::tool

#endif
