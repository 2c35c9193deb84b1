//===- LoopFinder.h - the loops of a function, and their blocks -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops are those of the source. A block is in the loop of the first statement
// in it that is in one; where it has none, its neighbours tell.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_LOWER_LOOPFINDER_H
#define TENSORTIDY_FRONTEND_LOWER_LOOPFINDER_H

#include "Program/Program.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace clang {
class ASTContext;
class CFG;
class CFGBlock;
} // namespace clang

namespace tensortidy::frontend {

class FunctionBuilder;
struct BodyScan;

using BlockIds = llvm::DenseMap<const clang::CFGBlock *, program::BlockId>;

class LoopFinder {
public:
  LoopFinder(clang::ASTContext &Context, program::Function &Out,
             const BodyScan &Scan, FunctionBuilder &Build)
      : Context(Context), Out(Out), Scan(Scan), Build(Build) {}

  /// The loops that the source has.
  void make();
  /// The loop of a block is that of the first statement in it that has one;
  /// null when nothing in it says.
  const program::LoopId *loopOf(const clang::CFGBlock &B) const;
  /// The block where each loop begins anew.
  void findHeads(const clang::CFG &Graph, const BlockIds &Ids);
  /// A block without source text is in the innermost loop that holds both a
  /// block it comes from and one it leads to.
  void inferLoops(llvm::DenseSet<program::BlockId> Unknown);

private:
  clang::ASTContext &Context;
  program::Function &Out;
  const BodyScan &Scan;
  FunctionBuilder &Build;
};

} // namespace tensortidy::frontend

#endif
