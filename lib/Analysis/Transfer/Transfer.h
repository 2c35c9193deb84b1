//===- Transfer.h - what each statement does to a state -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each operation of Ops.def has a rule, in a file of its family:
//
//   TENSORTIDY_TRANSFER(NumpyT) {                        ViewOps.cpp
//     if (!Self || !Self->HasLayout || Self->Segment >= 0)
//       return resultUnknown(Ctx, W, S, false, Self);
//     resultView(Ctx, W, S, *Self, reverseDims(W.Ar, Self->L));
//   }
//
// What the result's layout is says lib/Layout; the rule reads the operands, and
// tells the sink of facts when they are refused. One that is missing does not
// link.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_TRANSFER_H
#define TENSORTIDY_ANALYSIS_TRANSFER_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// \p Self is the operand `self`, or null.
using TransferRule = void(const Context &Ctx, State &W, const Stmt &S,
                          Object *Self);

template <Op O>
void transfer(const Context &Ctx, State &W, const Stmt &S, Object *Self);
#define TENSORTIDY_OP(Id, ...)                                                 \
  template <>                                                                  \
  void transfer<Op::Id>(const Context &Ctx, State &W, const Stmt &S,           \
                        Object *Self);
#include "Program/Ops.def"

#define TENSORTIDY_OPERANDS                                                    \
  [[maybe_unused]] const Context &Ctx, [[maybe_unused]] State &W,              \
      [[maybe_unused]] const Stmt &S, [[maybe_unused]] Object *Self
#define TENSORTIDY_TRANSFER(Id)                                                \
  template <> void transfer<Op::Id>(TENSORTIDY_OPERANDS)
/// Operation \p Id does what function \p Rule does.
#define TENSORTIDY_TRANSFER_AS(Id, Rule)                                       \
  TENSORTIDY_TRANSFER(Id) { Rule(Ctx, W, S, Self); }

TransferRule *ruleOf(Op O);

/// Runs \p S; false when the path ends here.
bool execute(const Context &Ctx, State &W, const Stmt &S);

/// Nothing is known of the tensor's layout any more.
void forget(Object &O);

} // namespace tensortidy::analysis

#endif
