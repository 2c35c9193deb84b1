//===- Operands.h - what a statement is given -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_OPERANDS_H
#define TENSORTIDY_ANALYSIS_OPERANDS_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// What \p V holds, until it is made again; an unknown value where it was not
/// made on this path.
const Value &value(const State &W, ValueId V);
/// What operand \p Name holds; an unknown value when it is missing.
Value operand(State &W, const Stmt &S, llvm::StringRef Name);
/// The tensor \p V holds, to be changed; null when it holds none.
Object *tensor(State &W, const Value &V);
/// The tensor operand \p Name. What an unknown call returned becomes an
/// opaque object the first time it is used as a tensor.
Object *tensorArg(const Context &Ctx, State &W, const Stmt &S,
                  llvm::StringRef Name);
/// The operand \p Name as an integer.
std::optional<SymExpr> exprArg(State &W, const Stmt &S, llvm::StringRef Name);
/// The same as a number; \p Default when it is missing, nothing when it is not
/// known.
std::optional<int64_t> intArg(State &W, const Stmt &S, llvm::StringRef Name,
                              std::optional<int64_t> Default = {});
/// The operand \p Name as a list of known numbers.
std::optional<std::vector<int64_t>> dimsArg(State &W, const Stmt &S,
                                            llvm::StringRef Name);
/// \p E serves as a size, so it is not negative (or is -1, written out).
SymExpr usedAsSize(State &W, const SymExpr &E);
/// A list of known length as sizes; a single integer counts as a list.
std::optional<SymDims> sizesArg(const Context &Ctx, State &W, const Stmt &S,
                                llvm::StringRef Name);
/// The format called \p Text: "channels_last".
std::optional<layout::MemoryFormat> formatNamed(llvm::StringRef Text);
/// How many dimensions a tensor of a channels-last format has.
std::optional<unsigned> formatRank(layout::MemoryFormat F);
/// The memory format \p S asks for; \p Known is false when that is not known.
layout::MemoryFormat formatArg(State &W, const Stmt &S,
                               layout::MemoryFormat Default, bool &Known);
/// A symbol for what the integer \p V is, of which nothing is known.
SymExpr variableSymbol(const Context &Ctx, VarId V);
/// A symbol for something statement \p S makes, owned by its loop.
SymExpr valueSymbol(const Context &Ctx, const Stmt &S,
                    layout::SymbolInfo::Kind K, const std::string &Name,
                    unsigned Part = 0);
/// The place of a dimension that \p S names, in the pseudo layout of \p Self.
std::optional<int64_t> dimArg(const Context &Ctx, State &W, const Stmt &S,
                              Object *Self, llvm::StringRef Name,
                              std::optional<int64_t> Default = {});

} // namespace tensortidy::analysis

#endif
