//===- Context.h - what a transfer function may know -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transfer function says what a statement does to a state:
//
//   void transpose(const Context &Ctx, State &W, const Stmt &S);
//
// State and statement are its subject; the context is all it may ask beyond
// them: the function's flow, who names symbols, the sink of facts, and what is
// assumed of this run. Functions that take no context depend on the state
// alone, and are tested with one.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_TRANSFER_CONTEXT_H
#define TENSORTIDY_ANALYSIS_TRANSFER_CONTEXT_H

#include "Analysis/Domain/Join.h"
#include "Analysis/Domain/Names.h"
#include "Analysis/Facts/Facts.h"
#include "Analysis/Flow/FlowInfo.h"
#include "Layout/Elementwise.h"
#include "Layout/Exceptions.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tensortidy::analysis {

using program::Arg;
using program::BlockId;
using program::Op;
using program::Stmt;
using program::ValueId;
using program::VarId;

/// What questions and their answers were about, in all states of a run.
struct Questions {
  /// Members that a call may have changed, or not: what they are then -> what
  /// they were. Most calls change none of those that a function tests twice.
  std::map<std::string, std::string> WasAtom;
  std::map<SymbolId, SymExpr> WasInt;
  /// The tensors of calls without a model, by what they give and where that
  /// is kept, and of the tests of those by their key.
  std::map<ValueId, std::vector<Object>> GivenToCall;
  std::map<VarId, std::vector<Object>> GivenToVariable;
  std::map<std::string, std::vector<Object>> Tested;
  /// The comparisons with cases of a switch, by their key: the call whose body
  /// it stands in.
  std::map<std::string, uint32_t> CaseIn;
  /// The questions whether a tensor that is part of an object is defined, by
  /// their key: that object.
  std::map<std::string, VarId> DefinedIn;
  /// By block and arm: see failsBySizeAlone().
  std::map<std::pair<BlockId, unsigned>, llvm::SmallVector<ValueId, 2>>
      SizeTests;
};

struct Context {
  const program::Function &F;
  const FlowInfo &Flow;
  Hypothesis H;
  const Budget &Limits;
  const Ranks &Given;     ///< of opaque tensors
  layout::Symbols &Table; ///< what symbols are called
  Identities &Ids;        ///< makes symbols
  const Symbolic &Base;   ///< sizes of which nothing is known yet
  Joiner &Join;
  Questions &Asked;
  RunResult &Facts;
  BlockId Block = 0; ///< the one that runs
  /// What is assumed ends a loop over dimensions: that it may run 0 times does
  /// not mean that tensors without dimensions are expected.
  bool CountedOut = false;
  /// Whether tensors of unknown rank have as many dimensions as they mostly
  /// have: see Spreads.h.
  bool UsualRanks = false;
};

/// What messages call variable \p V, as it is called in context \p At.
inline std::string called(const Context &Ctx, VarId V, uint32_t At) {
  return called(Ctx.F, V, At);
}
inline std::string called(const Context &Ctx, VarId V) {
  return called(Ctx.F, V);
}

} // namespace tensortidy::analysis

#endif
