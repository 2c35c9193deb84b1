//===- Objects.h - operands, ranks and results -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_OBJECTS_H
#define TENSORTIDY_ANALYSIS_OBJECTS_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// The format called \p Text: "channels_last".
std::optional<layout::MemoryFormat> formatNamed(llvm::StringRef Text);
/// How many dimensions a tensor of a channels-last format has.
std::optional<unsigned> formatRank(layout::MemoryFormat F);

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
layout::MemoryFormat formatArg(State &W, const Stmt &S,
                               layout::MemoryFormat Default, bool &Known);
SymExpr valueSymbol(const Context &Ctx, const Stmt &S,
                    layout::SymbolInfo::Kind K, const std::string &Name,
                    unsigned Part = 0);
Object opaque(const Context &Ctx, State &W, const std::string &Name,
              SymbolKey Key);
Object denseUnknown(const Context &Ctx, SymbolKey Key);
std::string rootName(const Object &O);
void pullFront(const Context &Ctx, State &W, Object &O, unsigned Count);
void pullBack(const Context &Ctx, State &W, Object &O, unsigned Count);
bool setRank(const Context &Ctx, State &W, Object &O, unsigned Rank);
/// Turns a user's dimension into one of the pseudo layout, adding dimensions
/// out of the segment as needed. Nothing: cannot be placed.
std::optional<int64_t> place(const Context &Ctx, State &W, Object &O,
                             int64_t Dim, bool ForInsert = false);
void setResult(State &W, const Stmt &S, Value V);
ObjId newObject(const Context &Ctx, State &W, const Stmt &S, Object O,
                unsigned Part = 0);
void result(const Context &Ctx, State &W, const Stmt &S, Object O);
void noteLayout(const Context &Ctx, State &W, const Stmt &S);
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
/// "transpose(1, 2)": the call as written, by its values.
std::string callText(const Context &Ctx, const Stmt &S, const State &W);

} // namespace tensortidy::analysis

#endif
