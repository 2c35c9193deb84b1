//===- Gradients.h - what autograd records ----------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a function says about gradients, and which tensors are known to require
// some, or to have none.
//
//   auto w = torch::zeros({n}, torch::requires_grad());   // a leaf
//   auto y = w * x;                                       // inner
//   auto z = y.detach();                                  // has none
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_CHECKS_GRADIENTS_H
#define TENSORTIDY_ANALYSIS_CHECKS_GRADIENTS_H

#include "Analysis/Checks/CheckRun.h"
#include "Analysis/Checks/Saves.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace tensortidy::analysis {

/// What is known of a tensor: that it requires gradients, and whether it is
/// where they end.
enum class Grad : uint8_t { Unknown, Inner, Leaf };

/// Which tensors \p S keeps for backward(). The text of a layer is the name
/// that the user gave it, and says nothing.
Saves keptBy(const program::Stmt &S);

class Gradients {
  using Stmt = program::Stmt;
  using ValueId = program::ValueId;
  using VarId = program::VarId;

public:
  /// With \p Members, those that the constructor registers as parameters are
  /// leaves in other methods, too.
  explicit Gradients(const CheckRun &C, bool Members = false);

  /// Whether the function has to do with gradients. Most do not.
  bool areMentioned() const { return Mentioned; }
  /// Whether calls switch recording on and off, which is not followed.
  bool areSwitched() const { return Switched; }
  /// Whether \p S may run in a scope, of this function, that records nothing.
  bool isGuarded(const Stmt &S) const;
  /// The scope that \p S runs in whichever way it is come to; null: none.
  const Stmt *guard(const Stmt &S) const;
  /// Whether \p S gives a view on every path.
  bool isView(const Stmt &S) const;
  /// What is known of \p V: what holds on each way it can get there.
  Grad gradOf(ValueId V);
  /// backward() of \p Of returns only if that requires gradients, and so does
  /// what it is computed from, where that is one tensor, or are several that
  /// are all computed from one. Otherwise it throws as well. From here on
  /// gradOf() goes by that.
  void prove(ValueId Of);
  /// Whether no gradient comes to \p V, whatever the way it gets there: none
  /// of what it is computed from requires any. \p Ends are the statements
  /// where what is known of it ends.
  bool hasNone(ValueId V, llvm::SmallVectorImpl<const Stmt *> &Ends) const;
  /// Whether \p Made, a tensor that this function makes, is never made to
  /// require gradients, or to keep its own, by anything that has it. \p Write
  /// is called with what is written into it.
  bool isLeftAlone(const Stmt &Made,
                   llvm::function_ref<void(ValueId)> Write) const;
  /// Whether options, of a factory, ask for gradients.
  layout::Truth asksInOptions(const Stmt &Factory) const;

private:
  /// One of the views that chunk(), split() or unbind() gives.
  bool isPart(const program::Stmt &S) const;
  llvm::SmallVector<program::ValueId, 2> sources(const program::Stmt &S) const;
  program::ValueId commonSource(llvm::ArrayRef<program::ValueId> Parts) const;
  layout::Truth asks(const Stmt &S) const;
  bool isLeftAlone(ValueId Of, llvm::function_ref<void(ValueId)> Write,
                   unsigned Depth) const;
  bool isMarked(const Stmt &Made, const Stmt &Use) const;
  bool isProved(ValueId V) const;
  bool isDifferentiable(const Stmt &S) const;
  Grad computeGrad(ValueId V);
  Grad gradOf(const Stmt &S, const Stmt &Use);
  Grad operand(const Stmt &S, llvm::StringRef Name);
  const Stmt *endOf(const Stmt &Guard) const;
  bool isWithinCall(const Stmt &Guard, const Stmt &S) const;
  bool comesWithout(const Stmt &S, llvm::function_ref<void(ValueId)> Add,
                    llvm::SmallVectorImpl<const Stmt *> &Ends) const;

  void findMembers();

  const CheckRun &C;
  const program::Function &F;
  const Handles &Held;
  llvm::SmallVector<const Stmt *, 2> Marks, Freezes, Guards;
  bool Mentioned, Switched = false;
  llvm::SmallSetVector<VarId, 8> Parameters; ///< members of the object
  llvm::DenseMap<ValueId, Grad> Known;
  /// What is being computed, what of that was asked for in between, and all
  /// values in the order of their first question.
  llvm::DenseSet<ValueId> InProgress, Assumed;
  std::vector<ValueId> Order;
  /// What makes tensors of which backward() proves that they require gradients,
  /// and parameters that are such.
  llvm::SmallSetVector<const Stmt *, 16> Proved;
  std::set<VarId> ProvedVars;
};

/// Gradients that are nan where the code itself replaces a value.
void checkPoles(CheckRun &C);

} // namespace tensortidy::analysis

#endif
