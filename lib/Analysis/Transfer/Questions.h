//===- Questions.h - tests with an unknown answer -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_QUESTIONS_H
#define TENSORTIDY_ANALYSIS_QUESTIONS_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// Between two tests of a member: so many calls are looked at.
constexpr unsigned MostCalls = 16;

/// `!C`, and C of `!C`.
CondRef negation(CondRef C);
/// The value \p Of as a condition: numbers are compared with 0.
CondRef toCondition(const Context &Ctx, State &W, ValueId Of);
/// A test that nothing is known of; \p Case says which answer is asked for.
CondRef test(const Context &Ctx, const State &W, ValueId Of,
             std::string Text = "", const std::string &Case = "");
/// \p Key asks for \p Of.
void noteTest(const Context &Ctx, ValueId Of, const std::string &Key);
/// Adds to \p Into the tensors that calls without a model were asked of for \p
/// Of.
void addGiven(const Context &Ctx, ValueId Of, std::vector<Object> &Into,
              unsigned Depth);
/// Whether the opposite held before a call that may have changed a member.
bool wasOtherwise(const Context &Ctx, const State &W, const Condition &C,
                  bool Holds);
/// Whether this way only a size is another than the test for a rank asks for
/// with it. Nobody means what comes next for a matrix of more columns.
bool failsBySizeAlone(const Context &Ctx, State &W, BlockId B, unsigned Arm);

} // namespace tensortidy::analysis

#endif
