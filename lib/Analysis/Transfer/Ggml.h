//===- Ggml.h - operations of ggml -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_GGML_H
#define TENSORTIDY_ANALYSIS_GGML_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// Whether \p DType stands for an element type that nobody has named.
inline bool isUnnamedType(llvm::StringRef DType) {
  return DType.starts_with("%type");
}
/// Gives \p O its four dimensions. \p Id is the object's.
void makeGgml(const Context &Ctx, State &W, Object &O, ObjId Id);
/// The operand \p Name as a tensor of four dimensions, or null.
Object *ggmlArg(const Context &Ctx, State &W, const Stmt &S,
                llvm::StringRef Name);
/// "[D, H, T]": sizes (or strides, in elements) without trailing ones.
std::string ggmlText(const State &W, const SymLayout &L, bool Strides);
/// Bytes of \p N elements of \p DType in a row.
SymExpr ggmlRowBytes(const Context &Ctx, const State &W,
                     const std::string &DType, const SymExpr &N);
/// Of how many elements of \p DType in a row \p Bytes are the bytes.
std::optional<SymExpr> ggmlElements(const Context &Ctx, const State &W,
                                    const std::string &DType,
                                    const SymExpr &Bytes);
/// How many elements of \p DType the \p E blocks have, if E is bytes that were
/// divided by those of a block.
std::optional<SymExpr> ggmlBlocks(const Context &Ctx, const State &W,
                                  const std::string &DType, const SymExpr &E);
/// Names sizes without a name after the variable that holds the tensor.
void nameGgml(const Context &Ctx, const Object &O);
/// Remembers what \p S reads, more than to look at it, or keeps in an array.
void ggmlReads(const Context &Ctx, State &W, const Stmt &S);
/// What the operands of \p S must be like; its operand `self`, or null.
Object *ggmlOperands(const Context &Ctx, State &W, const Stmt &S);
/// The result is a tensor of which nothing is known.
void ggmlAny(const Context &Ctx, State &W, const Stmt &S, const Object *Self);

} // namespace tensortidy::analysis

#endif
