//===- OverlappingWrite.cpp - tensor-overlapping-write -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: one feasible path on which a write meets one element twice, for
// every layout the inputs may have. Overwrite.cpp decides that. Level 1 where
// it is so unless a named size is 1.
//
//===----------------------------------------------------------------------===//

#include "Analysis/CheckRun.h"

namespace tensortidy::analysis {

using namespace program;

void checkOverlappingWrite(CheckRun &C) {
  for (const auto &[S, Site] : C.Opaque.Writes) {
    if (S->InTry || !Site.Bad)
      continue;
    Finding Found(Check::OverlappingWrite, Site.Unless.empty() ? 0 : 1, *S);
    Found.At = S;
    Found.Message = Site.Message;
    if (!Site.Unless.empty())
      Found.Message +=
          (llvm::StringRef(Site.Message).ends_with("; throws") ? " " : ", ") +
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
