//===- Precompiled.h - precompiled headers of other compilers ---*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A precompiled header can be read by the release of clang that wrote it, once
// it is written. In any other case the header itself is parsed:
//
//   -Xclang -include-pch -Xclang all.hxx.pch    of clang 14, or not built yet:
//   -Xclang -include -Xclang all.hxx            the first goes (CMake's form)
//
//   -include-pch all.h.pch     ->  -Xclang -include -Xclang all.h
//   -include all.h             ->  the same where there is an all.h.pch that
//                                  clang's driver would take and cannot read
//
// g++'s are passed over by clang's driver.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_PRECOMPILED_H
#define TENSORTIDY_TOOL_PRECOMPILED_H

#include "Arguments.h"

namespace tensortidy::tool {

/// \p Args starts with the compiler and runs in \p Directory.
Arguments withoutForeignHeaders(const Arguments &Args,
                                llvm::StringRef Directory);

} // namespace tensortidy::tool

#endif
