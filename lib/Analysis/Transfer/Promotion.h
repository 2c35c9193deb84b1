//===- Promotion.h - dtypes of results -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_PROMOTION_H
#define TENSORTIDY_ANALYSIS_PROMOTION_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// Gives the result of \p S the dtype of what it computes.
void promote(const Context &Ctx, State &W, const Stmt &S);
/// What \p S computes, or computes before it is stored in `self`.
std::string computedDType(const Context &Ctx, State &W, const Stmt &S);
/// Whether \p V is a number of an integer type, and not one that was read from
/// a tensor.
bool isInteger(const Context &Ctx, ValueId V);
/// Whether \p S is told a dtype, by itself or among options; \p DType becomes
/// it, or empty.
bool toldDType(State &W, const Stmt &S, std::string &DType);
/// A factory's dtype: what it is told, its operand's, or the default.
void setDType(const Context &Ctx, State &W, const Stmt &S, Object &O);
/// Whether both are of one dtype, or \p S throws. With a role, X is the operand
/// that has the wrong one.
void sameDTypes(const Context &Ctx, State &W, const Stmt &S, Object *X,
                const Object *Y, llvm::StringRef Role = "");

} // namespace tensortidy::analysis

#endif
