//===- Unset.h - memory that nothing has set yet ----------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the parts of tensor-uninitialized-read have in common:
//
//   auto sum = torch::empty({n});     leavesElements()
//   fill(sum.data_ptr<float>(), n);   maySet(), of "self"
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_CHECKS_UNSET_H
#define TENSORTIDY_ANALYSIS_CHECKS_UNSET_H

#include "Analysis/Facts/Finding.h"
#include "Program/Program.h"

namespace tensortidy::analysis {

/// Whether the tensor that \p S makes holds what its memory held before.
bool leavesElements(const program::Stmt &S);

/// Whether \p S may set elements of its operand \p A.
bool maySet(const program::Stmt &S, const program::Arg &A);

/// Says that \p Made leaves the elements as they are.
Note leftNote(const program::Stmt &Made);

} // namespace tensortidy::analysis

#endif // TENSORTIDY_ANALYSIS_CHECKS_UNSET_H
