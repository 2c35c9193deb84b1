//===- Sites.h - layouts that an operation refuses -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_SITES_H
#define TENSORTIDY_ANALYSIS_SITES_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// Where \p O got its sizes, where an operation before \p S says so.
std::optional<Origin> sizesOrigin(const State &W, const Stmt &S,
                                  const Object &O);
/// Records that \p S is refused: \p E, of the operands \p Of, but where one of
/// \p UnlessOne is 1. \p Role names the operand it is about; \p FromBack: it
/// compares dimensions counted from the back.
void layoutFails(const Context &Ctx, State &W, const Stmt &S,
                 llvm::ArrayRef<const Object *> Of,
                 const layout::LayoutError<SymExpr> &E,
                 const std::vector<SymExpr> &UnlessOne,
                 const std::string &Role = "", bool FromBack = false);
/// Elements of another type than \p S asks for, which is one of \p Wanted. \p
/// Role is that of the operand, or empty: then all operands of a computation
/// are of one type. \p UnlessAutocast: autocast would convert it.
void dtypeFails(const Context &Ctx, State &W, const Stmt &S, const Object &O,
                std::vector<std::string> Wanted, const std::string &Role = "",
                bool UnlessAutocast = false);

/// Records what \p Out says about \p S; true unless it fails for certain.
template <class T>
bool site(const Context &Ctx, State &W, const Stmt &S,
          llvm::ArrayRef<const Object *> Of,
          const layout::Outcome<Symbolic, T> &Out, bool FromBack = false) {
  if (Out.failed()) {
    layoutFails(Ctx, W, S, Of, Out.error(), Out.unlessOne(), "", FromBack);
    return !Out.unlessOne().empty();
  }
  ++(Out.ok() ? Ctx.Facts.Sites[&S].Ok : Ctx.Facts.Sites[&S].Unknown);
  return true;
}

} // namespace tensortidy::analysis

#endif
