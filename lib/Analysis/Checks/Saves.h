//===- Saves.h - what an operation saves for backward() ---------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_CHECKS_SAVES_H
#define TENSORTIDY_ANALYSIS_CHECKS_SAVES_H

#include "Program/Program.h"

namespace tensortidy::analysis {

/// Which tensors backward() reads again. What is not known to keep one keeps
/// none.
enum class Saves : uint8_t {
  Nothing,
  Self,
  Result,
  Factors,  ///< each that the gradient of the other needs
  Quotient, ///< the same, and the divisor in any case
};

/// What the models say of \p S.
inline Saves savesOf(const program::Stmt &S) {
  using program::Attribute;
  return S.is(Attribute::SavesSelf)       ? Saves::Self
         : S.is(Attribute::SavesResult)   ? Saves::Result
         : S.is(Attribute::SavesFactors)  ? Saves::Factors
         : S.is(Attribute::SavesQuotient) ? Saves::Quotient
                                          : Saves::Nothing;
}

} // namespace tensortidy::analysis

#endif
