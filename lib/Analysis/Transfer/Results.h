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

/// The result of \p S is \p V.
void setResult(State &W, const Stmt &S, Value V);
/// An unknown number.
void unknownInt(const Context &Ctx, State &W, const Stmt &S);
/// A stride of its own for each of \p Rank dimensions of what \p S makes.
SymDims unknownStrides(const Context &Ctx, const Stmt &S, size_t Rank);
/// Part \p Part of what \p S makes is \p O. What it made in an earlier
/// iteration and is still held keeps an identity of its own.
ObjId newObject(const Context &Ctx, State &W, const Stmt &S, Object O,
                unsigned Part = 0);
/// The result of \p S is the tensor \p O.
void result(const Context &Ctx, State &W, const Stmt &S, Object O);
/// That \p S made a layout, of that of \p Of; \p Fresh: in new storage.
ProvRef provenance(const Context &Ctx, State &W, const Stmt &S,
                   const Object *Of, bool Fresh);
/// Some layout: what is asked of it and assumed of it later still agrees.
void resultUnknown(const Context &Ctx, State &W, const Stmt &S, bool Fresh,
                   const Object *Of);
/// How many elements there are in dimensions that may have been counted twice:
/// not known where a number is among them, which may not be there.
SymExpr countOf(const Context &Ctx, State &W, const Stmt &S,
                const SymExpr &Product, unsigned Part);
/// A view of \p Of with layout \p Out, whose unknown dimensions are at \p
/// Segment. Records whether it is refused.
void resultView(const Context &Ctx, State &W, const Stmt &S, const Object &Of,
                layout::LayoutOutcome<Symbolic> Out, int Segment = -1);
/// New storage with layout \p Out; dtype and rank are those of \p Of, if given.
void resultFresh(const Context &Ctx, State &W, const Stmt &S, const Object *Of,
                 layout::LayoutOutcome<Symbolic> Out, int Segment = -1);
/// New storage, contiguous; of unknown sizes without \p Sizes.
void resultDense(const Context &Ctx, State &W, const Stmt &S,
                 std::optional<SymDims> Sizes, const Object *Of);
/// A fresh tensor of these sizes, with a segment where \p Of has one, and of
/// strides that are not known.
void resultSizes(const Context &Ctx, State &W, const Stmt &S, const Object &Of,
                 SymDims Sizes);
/// A fresh tensor of which only the last sizes are known; those before \p Front
/// are the first ones.
void resultTail(const Context &Ctx, State &W, const Stmt &S, const Object *Of,
                SymDims Tail, bool Dense, unsigned AtLeast, int Front = 0);
/// A list of views of \p Of. Records whether it is refused.
void resultList(const Context &Ctx, State &W, const Stmt &S, const Object &Of,
                layout::Outcome<Symbolic, std::vector<SymLayout>> Out);

} // namespace tensortidy::analysis

#endif
