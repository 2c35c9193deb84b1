//===- Evidence.h - what success proves -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that goes on after it took a range of something had that much of
// it:
//
//   k = rows.narrow(1, q, k)            rows have q + k elements, or more
//   ggml_view_2d(ctx, y, k, n, y->nb[1], q * 4)           the same
//
// So the first q of them are a part, whatever the width is. And sizes that
// stand in one tensor are different axes of what is computed (Layout/Axes.h).
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_TRANSFER_EVIDENCE_H
#define TENSORTIDY_ANALYSIS_TRANSFER_EVIDENCE_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// What a statement asks of a size while this lives, it proves itself: to know
/// more of the size from the start answers nothing.
class ProvesItself {
public:
  explicit ProvesItself(State &W)
      : Ar(W.Ar), Open(std::exchange(W.Ar.Open, nullptr)) {}
  ProvesItself(const ProvesItself &) = delete;
  ProvesItself &operator=(const ProvesItself &) = delete;
  ~ProvesItself() { Ar.Open = Open; }

private:
  Symbolic &Ar;
  layout::OpenQuestions *Open;
};

/// From here on \p Size is \p Least or more. False where that says nothing: it
/// is known, or of numbers that a loop changes.
bool assumeAtLeast(const Context &Ctx, State &W, const SymExpr &Size,
                   const SymExpr &Least);
/// \p S goes on only where \p Size has a range: from \p Start on, which is not
/// where it begins, \p Length of it.
void provesRange(const Context &Ctx, State &W, const Stmt &S,
                 const SymExpr &Size, const SymExpr &Start,
                 const SymExpr &Length);
/// The same of one element, where it is known which.
void provesIndex(const Context &Ctx, State &W, const Stmt &S,
                 const SymExpr &Size, const SymExpr &Index);
/// What a view \p L into \p Of, at \p Offset from its start, says of the rows
/// it steps over.
void provesRows(const Context &Ctx, State &W, const Stmt &S, const Object &Of,
                const SymLayout &L, const SymExpr &Offset);
/// The sizes of \p O are those of one tensor.
void noteShape(const Context &Ctx, const State &W, const Object &O);
/// The code compares \p A and \p B.
void noteRelated(const Context &Ctx, const State &W, const SymExpr &A,
                 const SymExpr &B);
/// As many elements are \p Have and \p Want: a size may be the product of
/// others by what the model is, as n_embd of heads and what each has.
void noteSplit(const Context &Ctx, const State &W, const SymExpr &Have,
               const SymExpr &Want);

/// Which sizes are different axes: named ones of one tensor, or in the same
/// place of two that are alike otherwise; and what has no name beside a number,
/// or beside an integer of the user's.
///
///   [hd, nh, n]  [hd, nkv, n]      hd and nh, hd and n, nh and n, nh and nkv
layout::Axes axes(const layout::Symbols &Table, const Evidence &Shown);

/// Whether \p A and \p B are dimensions of one tensor.
bool areOfOneTensor(const Context &Ctx, const State &W, const SymExpr &A,
                    const SymExpr &B);

/// Where it was proved how large what is in \p Dims is.
std::vector<Proof> proofs(const Context &Ctx, const State &W,
                          const SymDims &Dims);

} // namespace tensortidy::analysis

#endif
