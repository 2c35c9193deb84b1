//===- Pointers.h - what raw pointers into tensors do -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_POINTERS_H
#define TENSORTIDY_ANALYSIS_POINTERS_H

#include "Analysis/Transfer/Accesses.h"

namespace tensortidy::analysis {

/// A pointer to the first element of \p O, taken by \p S.
Value pointerTo(const Stmt &S, const Object &O);
/// Whether the use need not be looked at: the layout is right, or not known.
bool leaves(const Context &Ctx, State &W, const Stmt &S, const Pointee &P,
            const layout::Answer<SymExpr> &Is, bool Dense);
/// Adds a use by \p S, of the pointer that \p Taken takes of \p O, that is
/// wrong; null where enough of them are known.
PointerUse *wrongUse(const Context &Ctx, State &W, const Stmt &S,
                     const Stmt &Taken, const Object &O, PointerUse::Kind K);
/// Adds a use that fails; null when the layout was made so on purpose, or the
/// path has no elements.
PointerUse *pointerFails(const Context &Ctx, State &W, const Stmt &S,
                         const Pointee &P, PointerUse::Kind K,
                         const layout::Answer<SymExpr> &Contiguous);
/// Records that \p S goes by \p Step.
void pointerSteps(const Context &Ctx, State &W, const Stmt &S, const Pointee &P,
                  const WrongStep &Step,
                  const layout::Answer<SymExpr> &Contiguous);
/// Whether \p S needs \p Count elements from where \p P points to, and the
/// memory ends before; records it.
bool reachesBeyond(const Context &Ctx, State &W, const Stmt &S,
                   const Pointee &P, const SymExpr &Count);
/// Whether a value comes from strides, by any path through the function.
bool namesStride(const Context &Ctx, ValueId V, unsigned Depth);
/// from_blob(p, sizes): a contiguous tensor over the same memory.
void blobOf(const Context &Ctx, State &W, const Stmt &S, const SymDims &Sizes);
/// ggml_backend_tensor_set(t, data, 0, bytes): the bytes of all elements of \p
/// O as one block, though they have gaps between them.
void moveBlock(const Context &Ctx, State &W, const Stmt &S, const Object &O);
/// Records what \p S does with the raw pointers it is given; gives the
/// pointer it makes of them, if one.
Value usePointers(const Context &Ctx, State &W, const Stmt &S);

} // namespace tensortidy::analysis

#endif
