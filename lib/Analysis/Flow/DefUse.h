//===- DefUse.h - where values and variables are set and read ---*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The def-use chains of one function, computed once for all who ask:
//
//   b0: %1 = load $x      Def[1], Loads[$x]
//   b1: store $y %1       Uses[1], Stores[$y]
//       opaque "f" write $y    Stores[$y] has a null: who knows what it is then
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_FLOW_DEFUSE_H
#define TENSORTIDY_ANALYSIS_FLOW_DEFUSE_H

#include "Program/Program.h"
#include <vector>

namespace tensortidy::analysis {

class DefUse {
  using Stmt = program::Stmt;
  using ValueId = program::ValueId;
  using VarId = program::VarId;
  using BlockId = program::BlockId;

public:
  explicit DefUse(const program::Function &F);

  const Stmt *def(ValueId V) const { return V < Def.size() ? Def[V] : nullptr; }
  /// The variable that \p V was loaded from, or NoId.
  VarId loaded(ValueId V) const;
  /// What the only store of \p V gives it, where no call may change it.
  ValueId onlyStored(VarId V) const;
  /// Only the function can name the variable, and what it holds was put there
  /// by it.
  bool isOwn(VarId V) const;
  /// The one value that a variable of the function's own ever holds, or 0.
  ValueId onlyValue(VarId V) const { return isOwn(V) ? onlyStored(V) : 0; }
  /// The statement behind \p V, through variables that hold only one value;
  /// null for what the function does not make.
  const Stmt *origin(ValueId V) const;
  /// NoId for a statement of another function.
  BlockId blockOf(const Stmt &S) const;

  struct Use {
    const Stmt *S;
    const program::Arg *A;
    BlockId B;
  };
  const program::Function &F;
  std::vector<const Stmt *> Def;      ///< by value
  std::vector<BlockId> DefBlock;      ///< by value
  std::vector<std::vector<Use>> Uses; ///< by value
  std::vector<bool> Tested;           ///< by value: a branch depends on it
  std::vector<std::vector<const Stmt *>> Loads; ///< by variable
  /// By variable: what gives it a value; null for a call that may.
  std::vector<std::vector<const Stmt *>> Stores;

private:
  /// Where the statements of a block begin, in the order of addresses.
  std::vector<std::pair<const Stmt *, BlockId>> Begins;
};

/// Whether loop \p Inner is \p L or inside it.
bool isInside(const program::Function &F, program::LoopId Inner,
              program::LoopId L);

} // namespace tensortidy::analysis

#endif
