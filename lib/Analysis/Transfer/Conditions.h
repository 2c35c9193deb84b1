//===- Conditions.h - conditions: evaluated, assumed -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_CONDITIONS_H
#define TENSORTIDY_ANALYSIS_CONDITIONS_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// Whether what a state assumes by this name is of parameters and the like,
/// not of what each iteration of a loop makes anew.
bool outlivesLoops(llvm::StringRef Key);

CondRef atom(std::string Key, std::string Text);
CondRef negation(CondRef C);
CondRef toCondition(const Context &Ctx, State &W, ValueId Of);
CondRef test(const Context &Ctx, const State &W, ValueId Of,
             std::string Text = "", const std::string &Case = "");
void noteTest(const Context &Ctx, ValueId Of, const std::string &Key);
void addGiven(const Context &Ctx, ValueId Of, std::vector<Object> &Into,
              unsigned Depth);
bool isVouchedFor(const Context &Ctx, const State &W, const Object &O);
CondRef equality(const Value &X, const Value &Y);
std::string compareKey(const Context &Ctx, const layout::Symbolic &Ar,
                       const Condition &C);
bool leftOne(const State &W, const std::vector<SymExpr> &Sizes);
Truth evaluate(const Context &Ctx, const State &W, const Condition &C);
bool assumeContiguous(const Context &Ctx, State &W, ObjId T,
                      layout::MemoryFormat F, bool Holds, program::Range Where);
bool failsBySizeAlone(const Context &Ctx, State &W, BlockId B, unsigned Arm);
/// Refines \p W; false when that leaves no path.
bool assume(const Context &Ctx, State &W, const Condition &C, bool Holds);
std::optional<unsigned> mostRank(const Context &Ctx, const State &W,
                                 const Object &O);
std::string pathText(const State &W);

} // namespace tensortidy::analysis

#endif
