//===- LossGraph.h - what a loss is computed from ---------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The graph that backward() goes through, from its end to its sources:
//
//   h = net->forward(x)           the source: ofModule()
//   losses["box"] = f(h)          found by the map and its key
//   y = h.detach()                ends the graph; so do item(), argmax() and
//                                 scopes that record nothing
//   losses["box"].backward()      where it starts
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_CHECKS_LOSSGRAPH_H
#define TENSORTIDY_ANALYSIS_CHECKS_LOSSGRAPH_H

#include "Analysis/Checks/Gradients.h"
#include "Analysis/Checks/TrainingLoops.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

namespace tensortidy::analysis {

/// Whether gradients flow from the result of \p S to its operands.
bool isDifferentiable(const program::Stmt &S);

/// What comes of a backward() that goes by weights which \p Step has changed.
const char *effectOfStep(const program::Stmt &Step);

/// What a value depends on by differentiable operations.
struct LossGraph {
  using Stmt = program::Stmt;
  llvm::SmallSetVector<const Stmt *, 16> Stmts;
  llvm::SmallSetVector<const Stmt *, 8> Loads;
  bool has(const Stmt *S) const { return Stmts.contains(S); }
  bool loads(program::VarId V) const {
    return llvm::any_of(Loads, [&](const Stmt *L) { return L->Var == V; });
  }
};

class LossGraphs : protected TrainingFacts {
protected:
  using Graph = LossGraph;

  explicit LossGraphs(CheckRun &C) : TrainingFacts(C), H(C.Held), Grads(C) {}

  Graph graph(ValueId V, llvm::ArrayRef<const Stmt *> Stop = {}) const;
  /// What gives the variable its value where \p Load reads it.
  std::vector<const Stmt *> stores(const Stmt &Load) const;
  std::vector<const Stmt *> filled(VarId Map) const;
  VarId mapOf(const Stmt &S) const;
  bool ofModule(const Stmt &S) const;
  bool changes(const Stmt &S, VarId V) const;
  LoopId loopOf(const Stmt &S) const { return At.loopAround(H.blockOf(S)); }

  const Handles &H;
  const Gradients Grads;

private:
  bool isRange(VarId V) const;
  llvm::StringRef keyOf(const Stmt &Element) const;
};

} // namespace tensortidy::analysis

#endif
