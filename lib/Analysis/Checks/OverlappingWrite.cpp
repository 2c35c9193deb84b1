//===- OverlappingWrite.cpp - tensor-overlapping-write -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: one feasible path on which a write meets one element twice, for
// every layout the inputs may have, or for contiguous and for channels-last
// ones. Overwrite.cpp decides that. Level 1 where it is so unless a named size
// is 1, or when a named input is contiguous.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"

namespace tensortidy::analysis {

using namespace program;

/// How \p R says that \p S goes wrong, or null.
static const WriteSite *badSite(const RunResult *R, const Stmt *S) {
  if (!R)
    return nullptr;
  auto It = R->Writes.find(S);
  return It == R->Writes.end() || !It->second.Bad ? nullptr : &It->second;
}

void checkOverlappingWrite(CheckRun &C) {
  for (const auto &Entry : C.Opaque.Writes) {
    const Stmt *S = Entry.first;
    const WriteSite *Bad = badSite(&C.Opaque, S);
    std::string When;
    if (!Bad && Entry.second.Open && badSite(C.ChannelsLast, S)) {
      Bad = badSite(C.Contiguous, S);
      When = Bad ? " " + whenContiguous(Bad->Prov) : "";
    }
    if (S->Expected || !Bad)
      continue;
    const WriteSite &Site = *Bad;
    Finding Found(Check::OverlappingWrite,
                  Site.Unless.empty() && When.empty() ? 0 : 1, *S);
    Found.At = S;
    Found.Message = Site.Message + When;
    if (!Site.Unless.empty())
      Found.Message +=
          (llvm::StringRef(Found.Message).ends_with("; throws") ? " " : ", ") +
          Site.Unless;
    if (Site.Bad < Site.Paths && !Site.Path.empty())
      Found.Message += " " + Site.Path;
    Found.Notes = Site.Notes;
    Found.Notes.push_back(
        {Found.Point, "clone() the tensor first, or write the result out of "
                      "place"});
    C.Out.push_back(std::move(Found));
  }
}

} // namespace tensortidy::analysis
