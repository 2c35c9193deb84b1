//===- Handles.h - who holds a tensor, and what they do with it -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the checks on copies ask of the program's def-use chains: everything
// that may see the storage of a tensor, through variables, views and lists.
//
//   auto y = x.clone();       fate of the copy: read by `+`, written by add_,
//   auto v = y[0];            not returned, not kept
//   v.add_(1);
//   return y + 1;
//
// Variables are followed whatever the order of their uses, so a fate may say
// too much and never too little.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_HANDLES_H
#define TENSORTIDY_ANALYSIS_HANDLES_H

#include "Analysis/Domain/Names.h"
#include "Analysis/Facts/Facts.h"
#include "Analysis/Flow/FlowInfo.h"

namespace tensortidy::analysis {

/// What may happen to a tensor.
struct Fate {
  bool Read = false;     ///< its elements
  bool Written = false;  ///< its elements or metadata, also by a raw pointer
  bool Escapes = false;  ///< kept, or given to code that is not known
  bool Returned = false; ///< or thrown
  bool Asked = false;    ///< for its strides: view() and the like
  bool Kept = false;     ///< of Escapes: by a variable that others can name
  struct Touch {
    const program::Stmt *S;
    const program::Arg *A; ///< as which it is an operand
    bool Whole;            ///< the tensor itself, and not a view of it
  };
  std::vector<Touch> Touches;                      ///< all of that, and views
  llvm::SmallSetVector<program::VarId, 4> Holders; ///< variables with it

  bool onlyRead() const { return !Written && !Escapes && !Returned && !Asked; }
};

class Handles {
  using Stmt = program::Stmt;
  using ValueId = program::ValueId;
  using VarId = program::VarId;
  using BlockId = program::BlockId;

public:
  Handles(const FlowInfo &Flow, const RunResult &Run)
      : F(Flow.F), Flow(Flow), Values(Flow.Values), Blocks(Flow.Blocks),
        Run(Run) {}

  const Stmt *origin(ValueId V) const { return Values.origin(V); }
  /// What made the memory of a value, behind views of it; null as above.
  const Stmt *storage(ValueId V) const;
  /// The same as origin() where branches or arms give several, or variables
  /// hold others before or after: all that \p V may be where it is read. Empty
  /// where one of them is not made here.
  std::vector<const Stmt *> origins(ValueId V) const;
  const Stmt *def(ValueId V) const { return Values.def(V); }
  BlockId blockOf(const Stmt &S) const { return Values.blockOf(S); }
  /// What stores the value that \p Load reads, on each path to it; empty where
  /// something else may.
  std::vector<const Stmt *> reaching(const Stmt &Load) const;
  /// The statement behind a value, also through variables that hold another
  /// value before or after.
  const Stmt *latest(ValueId V) const;
  /// The list that \p V was written as, behind copies of it; null: others.
  const Stmt *latestList(ValueId V) const;
  /// The integer that \p A is written as, or the only element of a list.
  std::optional<int64_t> number(const program::Arg *A) const;
  /// The number that \p A is written as.
  std::optional<double> real(const program::Arg *A) const;
  /// Whether \p A and \p B, what latest() gives, are one tensor for certain.
  bool areSame(const Stmt *A, const Stmt *B) const;
  unsigned uses(ValueId V) const;
  /// Whether \p S makes new storage on every path, for every size.
  bool copies(const Stmt &S) const;
  /// The same, or memory that has no other handle.
  bool isFresh(const Stmt &S) const;
  /// What happens to the tensor that \p V is, but for what \p But does.
  Fate fate(ValueId V, const Stmt *But = nullptr) const;
  /// Whether the tensor \p S makes could be one for all iterations of \p L:
  /// nothing keeps it, and it is never written, or (\p Scratch) is overwritten
  /// before anything reads it. \p Fill, where it is asked for: what gives all
  /// elements the same number in every iteration, before anything reads them.
  bool staysInside(const Stmt &S, program::LoopId L, bool &Scratch,
                   const Stmt **Fill = nullptr) const;
  /// Whether \p Then may run after \p First before \p Anew runs (again).
  bool runsAfter(const Stmt &First, const Stmt &Then,
                 const Stmt *Anew = nullptr) const;
  /// Whether anything may write what \p Of is between \p Holder and a use of
  /// its result: any write but to memory that is another's for certain.
  /// With \p Latest, only the latest result counts.
  bool mayChange(const Stmt &Holder, const Fate &Result, ValueId Of,
                 bool Latest = false) const;
  /// Whether \p V, and what shares its memory, is used before \p S alone, and
  /// kept by nobody.
  bool endsBefore(ValueId V, const Stmt &S) const;
  /// Every path to \p Then runs \p First before.
  bool always(const Stmt &First, const Stmt &Then) const;
  /// The variable holds one tensor or number from its declaration on.
  bool isFixed(VarId V) const;
  /// The one store to the variable, or null.
  const Stmt *store(VarId V) const;
  /// Variables that are given the value are given nothing else.
  bool onlyHeld(ValueId V) const;
  /// Only this function can name the variable's tensor handle.
  bool isLocal(VarId V) const;
  /// What messages call the variable that \p V was read from; or empty.
  std::string name(ValueId V) const;

private:
  bool fillsWithSame(const Stmt &S, program::LoopId L) const;
  /// Whether \p Load may read what \p Store stores.
  bool mayRead(const Stmt &Load, const Stmt &Store) const;
  bool reaches(BlockId Start, size_t Offset, const Stmt &Then,
               const Stmt *Anew) const;

  const program::Function &F;
  const FlowInfo &Flow;
  const DefUse &Values;
  const Graph &Blocks;
  const RunResult &Run;
};

} // namespace tensortidy::analysis

#endif
