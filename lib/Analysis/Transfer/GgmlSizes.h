//===- GgmlSizes.h - sizes that ggml needs -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_GGMLSIZES_H
#define TENSORTIDY_ANALYSIS_GGMLSIZES_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// Sizes \p A and \p B do not fit, as \p Why says. \p Turned: they would if
/// the operands changed places, so that no batch is known to be of one.
void ggmlMisfit(const Context &Ctx, State &W, const Stmt &S, Refusal Why,
                const SymExpr &A, const SymExpr &B, bool Turned = false);
/// Reshapes and copies into a shape: as many elements as there are.
void ggmlCount(const Context &Ctx, State &W, const Stmt &S, const Object &Self,
               const SymDims &New);
/// A size that the call or the model's text ("self[0]+p0") gives.
std::optional<SymExpr> ggmlSize(const Context &Ctx, State &W, const Stmt &S,
                                llvm::StringRef Name);
/// Whether the offset that \p S gives in bytes, of elements of \p Item bytes,
/// is made of the sizes of \p Self and of other counts, and is no number of
/// bytes.
bool countsRows(const Context &Ctx, State &W, const Stmt &S, const Object &Self,
                int64_t Item);
/// \p View, of \p Self, with sizes \p New, \p Offset elements from its start:
/// what is not in its memory, and strides or an offset in elements or blocks
/// where ggml counts bytes.
void ggmlBytesOfView(const Context &Ctx, State &W, const Stmt &S,
                     const Object &Self, const SymDims &New,
                     const SymExpr &Offset, const SymLayout &View);
/// A copy of operand \p Name, element by element: of a type in blocks rows can
/// be copied, and nothing else.
void ggmlMoved(const Context &Ctx, State &W, const Stmt &S,
               llvm::StringRef Name);
/// Checks \p Text, the needs of an operation (Models/Sizes.h), in ggml's order
/// of dimensions.
void ggmlNeedsSizes(const Context &Ctx, State &W, const Stmt &S,
                    llvm::StringRef Text);

} // namespace tensortidy::analysis

#endif
