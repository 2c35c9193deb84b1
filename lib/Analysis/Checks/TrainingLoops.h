//===- TrainingLoops.h - what iterations leave behind -----------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of tensor-missing-gradient that are about training loops: a module
// that stays in evaluation mode, a part of one that does not, gradients that
// are erased before an optimizer has used them, or clipped when it has. What
// they ask:
//
//   net->forward(x)      runs `net`, to give what backward() is called on
//   optimizer_->step()   is called on "*optimizer_", a part of a member, which
//                        other methods reach
//   log(loss.item())     is code that is not seen, and comes to neither, unless
//                        it is a method
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_CHECKS_TRAININGLOOPS_H
#define TENSORTIDY_ANALYSIS_CHECKS_TRAININGLOOPS_H

#include "Analysis/Checks/CheckRun.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tensortidy::analysis {

/// Whether \p S puts a module into evaluation mode: eval(), train(false).
bool evaluates(const LoopFacts &At, const program::Stmt &S);

/// Who looks for mistakes of training loops.
class TrainingFacts {
protected:
  using Stmt = program::Stmt;
  using ValueId = program::ValueId;
  using VarId = program::VarId;
  using BlockId = program::BlockId;
  using LoopId = program::LoopId;

  struct Place {
    const Stmt *S;
    BlockId B;
  };
  /// What a value is computed from.
  using Slice = llvm::SmallPtrSet<const Stmt *, 32>;

  explicit TrainingFacts(CheckRun &C) : C(C), F(C.F), At(C.Loops) {}

  /// What the method \p S is called on; NoId: not known.
  static VarId objectOf(const Stmt &S) {
    return S.Args.empty() ? VarId(program::NoId) : S.Args.front().Var;
  }
  /// The variable that \p V is a part of, or what it points to belongs to.
  VarId rootOf(VarId V) const;
  /// Whether \p Part is \p Whole or in it.
  bool isIn(VarId Part, VarId Whole) const;
  bool isRelated(VarId V, VarId Root) const {
    return V < F.Vars.size() && rootOf(V) == Root;
  }
  /// Whether code of the user's can name it that is not given it.
  bool livesElsewhere(VarId Root) const;
  /// Whether \p S runs code that is not seen, and that may come to what \p Root
  /// holds.
  bool mayReach(const Stmt &S, VarId Root) const;
  /// Whether \p S runs the user's code that is not seen, and that is given more
  /// than numbers and tensors.
  bool isGivenMore(const Stmt &S) const;
  std::string nameOf(VarId V) const;
  Slice behind(ValueId Of) const;
  /// Whether \p S was computed by the call that \p Enter comes before.
  bool isOfCall(const Stmt &S, const Stmt &Enter) const;
  /// Where the module \p M runs, or a part of it, to give something of \p Of.
  bool runs(const Stmt &S, VarId M, const Slice &Of) const;

  CheckRun &C;
  const program::Function &F;
  const LoopFacts &At;

private:
  bool isOfCall(const Slice &Of, const Stmt &Enter) const;
};

void checkTrainingLoops(CheckRun &C);
/// The order of calls on one optimizer: clip_grad_norm_() when its step() has
/// used the gradients, zero_grad() before it has.
void checkOptimizerOrder(CheckRun &C);
/// What step() has to do with the modules that it is for.
void checkTrainedModules(CheckRun &C);
/// Modules that run in forward() and are not registered.
void checkUnregistered(CheckRun &C);

} // namespace tensortidy::analysis

#endif
