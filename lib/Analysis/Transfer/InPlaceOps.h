//===- InPlaceOps.h - operations that change a tensor in place -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_INPLACEOPS_H
#define TENSORTIDY_ANALYSIS_INPLACEOPS_H

#include "Analysis/Transfer/Context.h"

namespace tensortidy::analysis {

/// transpose_ and its kin: the tensor itself has the layout from here on.
void changeLayout(const Context &Ctx, State &W, const Stmt &S, Object &Self,
                  const layout::LayoutOutcome<Symbolic> &Out);

} // namespace tensortidy::analysis

#endif
