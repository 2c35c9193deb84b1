//===- SharedHeaders.h - which headers a run precompiles --------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The commands of a run are grouped by their flags, and in each group by the
// lines that their files begin with. Each node of such a tree could be
// precompiled (SharedHeader.h):
//
//   <torch/torch.h>               20 files, 17 MB of text: pays
//     <torch/script.h>             3 of them, 0.2 MB more: does not
//   <iostream_of_ours>             2 files
//
// From the third file on, where what the files save is more than it takes to
// make it. What the cache has already costs nothing.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_SHAREDHEADERS_H
#define TENSORTIDY_TOOL_SHAREDHEADERS_H

#include "Analyse.h"
#include "Cache.h"
#include <deque>
#include <map>

namespace tensortidy::tool {

/// Of one run. All but build() is for the process that starts the others.
class SharedHeaders {
public:
  SharedHeaders(Cache &Kept, const Request &Asked) : Kept(Kept), Asked(Asked) {}

  /// Decides what each of the jobs \p Pending begins with. A header that is not
  /// there yet is to be built before.
  void plan(llvm::ArrayRef<Job> Jobs, llvm::ArrayRef<unsigned> Pending);

  /// The headers to be built are numbered from 0.
  unsigned builds() const { return ToBuild.size(); }
  /// Builds one and keeps it.
  void build(unsigned Number) const;
  /// Somebody has tried to.
  void built(unsigned Number);

  /// Whether all that \p Job begins with is there, or will never be.
  bool isReady(unsigned Job) const;
  /// For each command of \p Job, null where there is none.
  std::vector<const SharedHeader *> of(unsigned Job) const;
  /// What \p Job began with fitted, or did not and it was read once more. What
  /// does not fit is given to no more files.
  void learn(unsigned Job, bool Fitted);
  /// \p Job is to be read by itself.
  void forget(unsigned Job) { Chosen.erase(Job); }

  unsigned found() const { return Found; } ///< from former runs, and used

private:
  struct Build {
    std::string Key;
    std::string Text; ///< what is precompiled
    std::vector<std::string> Headers;
    const Job *Like; ///< with the flags of this one
    size_t Command;
    bool Tried = false;
    std::optional<SharedHeader> Result = std::nullopt;
    unsigned Fits = 0, Misfits = 0; ///< files that were read with it

    /// Half of the files or more would be read twice.
    bool isUnfit() const { return Misfits > 1 && Misfits >= Fits; }
  };
  struct Group;
  class Tree;

  void look(Group &G, llvm::ArrayRef<Job> Jobs) const;
  void planGroup(Group &G, llvm::ArrayRef<Job> Jobs);

  Cache &Kept;
  const Request &Asked;
  std::deque<Build> All; ///< addresses stay
  std::vector<Build *> ToBuild;
  std::map<std::string, Build *> ByKey;
  std::map<unsigned, std::vector<Build *>> Chosen; ///< by job and command
  unsigned Found = 0;
};

} // namespace tensortidy::tool

#endif
