//===- CacheFlushInLoop.cpp - tensor-cache-flush-in-loop -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: every iteration. An opinion: whoever is short of memory may have
// his reasons.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

namespace tensortidy::analysis {

using namespace program;

void checkCacheFlushInLoop(CheckRun &C) {
  forEachStmt(C.F, [&](BlockId B, const Stmt &S) {
    const LoopId L = C.F.Blocks[B].InLoop;
    if (!S.isOpaque() || !S.Args.empty() || L == NoId ||
        !S.is(Attribute::EmptiesCache) || C.F.Loops[L].RunsOnce ||
        !C.Loops.everyIteration(B, L))
      return;
    Finding Found(Check::CacheFlushInLoop, 2, S);
    Found.Point = S.Where;
    Found.At = &S;
    Found.Message = S.Text + "() in every iteration: memory that is returned "
                             "to the device is requested again in the next";
    Found.Notes.push_back(
        {C.F.Loops[L].Where,
         "the cache serves this loop's allocations without it; empty it once, "
         "before something else needs the memory"});
    C.Out.push_back(std::move(Found));
  });
}

} // namespace tensortidy::analysis
