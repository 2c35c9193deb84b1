//===- FreshOps.h - operations that make storage -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_FRESHOPS_H
#define TENSORTIDY_ANALYSIS_FRESHOPS_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

std::string sizeText(const State &W, const Object &O);
void noteAllocation(const Context &Ctx, State &W, const Stmt &S,
                    const Object &O);
void promote(const Context &Ctx, State &W, const Stmt &S);
std::string computedDType(const Context &Ctx, State &W, const Stmt &S);
bool toldDType(State &W, const Stmt &S, std::string &DType);
void setDType(const Context &Ctx, State &W, const Stmt &S, Object &O);
void sameDTypes(const Context &Ctx, State &W, const Stmt &S, const Object *X,
                const Object *Y);
void executeFresh(const Context &Ctx, State &W, const Stmt &S, Object *Self);

} // namespace tensortidy::analysis

#endif
