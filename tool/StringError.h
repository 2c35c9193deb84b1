//===- StringError.h - an error that is only said ---------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_STRINGERROR_H
#define TENSORTIDY_TOOL_STRINGERROR_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace tensortidy::tool {

inline llvm::Error stringError(const llvm::Twine &Text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), Text);
}

} // namespace tensortidy::tool

#endif
