//===- Results.h - what a statement makes -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_RESULTS_H
#define TENSORTIDY_ANALYSIS_RESULTS_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

void setResult(State &W, const Stmt &S, Value V);
/// A number that nobody knows.
void unknownInt(const Context &Ctx, State &W, const Stmt &S);
ObjId newObject(const Context &Ctx, State &W, const Stmt &S, Object O,
                unsigned Part = 0);
void result(const Context &Ctx, State &W, const Stmt &S, Object O);
ProvRef provenance(const Context &Ctx, State &W, const Stmt &S,
                   const Object *Of, bool Fresh);
void resultUnknown(const Context &Ctx, State &W, const Stmt &S, bool Fresh,
                   const Object *Of);
SymExpr countOf(const Context &Ctx, State &W, const Stmt &S,
                const SymExpr &Product, unsigned Part);
void resultView(const Context &Ctx, State &W, const Stmt &S, const Object &Of,
                layout::LayoutOutcome<Symbolic> Out, int Segment = -1);
void resultFresh(const Context &Ctx, State &W, const Stmt &S, const Object *Of,
                 layout::LayoutOutcome<Symbolic> Out, int Segment = -1);
void resultDense(const Context &Ctx, State &W, const Stmt &S,
                 std::optional<SymDims> Sizes, const Object *Of);
void resultSizes(const Context &Ctx, State &W, const Stmt &S, const Object &Of,
                 SymDims Sizes);
void resultTail(const Context &Ctx, State &W, const Stmt &S, const Object *Of,
                SymDims Tail, bool Dense, unsigned AtLeast);
void resultList(const Context &Ctx, State &W, const Stmt &S, const Object &Of,
                layout::Outcome<Symbolic, std::vector<SymLayout>> Out);

} // namespace tensortidy::analysis

#endif
