//===- Ninja.h - a run as a ninja file --------------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
//   tensortidy -p build --emit-ninja build/lint.ninja
//   ninja -f build/lint.ninja
//
//   build/lint.ninja            an edge for each source, one that merges
//   build/lint.units/
//     src/net.cpp.json          its compile commands; rewritten when they
//     differ src/net.cpp.sarif         its findings, with a depfile while it is
//     made
//   build/lint.sarif            all of them (Merge.h)
//
// An edge fails only when it says nothing: findings, and what could not be
// analysed, are in its SARIF, and the edge that merges ends with their status.
// So one file keeps no other from being linted, and none is linted again for
// the findings it has. One that could not be analysed is (Depfile.h).
//
// The command of an edge has no more in it than its own options, so that it
// runs anywhere the files are the same. What $TENSORTIDY_LAUNCHER holds when
// ninja runs stands before it.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_NINJA_H
#define TENSORTIDY_TOOL_NINJA_H

#include "Analyse.h"
#include "Options.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace tensortidy::tool {

/// Writes what \p O asks for; the edges are those of \p Jobs. \p Inputs are
/// the files that decide which these are.
llvm::Error emitNinja(const Options &O, llvm::ArrayRef<Job> Jobs,
                      llvm::ArrayRef<std::string> Inputs);

} // namespace tensortidy::tool

#endif
