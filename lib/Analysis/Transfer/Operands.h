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

Value value(const State &W, ValueId V);
Value operand(State &W, const Stmt &S, llvm::StringRef Name);
Object *tensor(State &W, const Value &V);
Object *tensorArg(const Context &Ctx, State &W, const Stmt &S,
                  llvm::StringRef Name);
std::optional<SymExpr> exprArg(State &W, const Stmt &S, llvm::StringRef Name);
std::optional<int64_t> intArg(State &W, const Stmt &S, llvm::StringRef Name,
                              std::optional<int64_t> Default = {});
std::optional<std::vector<int64_t>> dimsArg(State &W, const Stmt &S,
                                            llvm::StringRef Name);
SymExpr usedAsSize(State &W, const SymExpr &E);
/// A list of known length as sizes; a single integer counts as a list.
std::optional<SymDims> sizesArg(const Context &Ctx, State &W, const Stmt &S,
                                llvm::StringRef Name);
/// The format called \p Text: "channels_last".
std::optional<layout::MemoryFormat> formatNamed(llvm::StringRef Text);
/// How many dimensions a tensor of a channels-last format has.
std::optional<unsigned> formatRank(layout::MemoryFormat F);
layout::MemoryFormat formatArg(State &W, const Stmt &S,
                               layout::MemoryFormat Default, bool &Known);
SymExpr valueSymbol(const Context &Ctx, const Stmt &S,
                    layout::SymbolInfo::Kind K, const std::string &Name,
                    unsigned Part = 0);
/// The place of a dimension that \p S names, in the pseudo layout of \p Self.
std::optional<int64_t> dimArg(const Context &Ctx, State &W, const Stmt &S,
                              Object *Self, llvm::StringRef Name,
                              std::optional<int64_t> Default = {});

} // namespace tensortidy::analysis

#endif
