//===- Links.h - links in a terminal ----------------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_OUTPUT_LINKS_H
#define TENSORTIDY_TOOL_OUTPUT_LINKS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace tensortidy::tool {

/// Whether the terminal that the environment speaks of is known to show OSC 8
/// links. Others may print the address in the middle of the text.
bool terminalHasLinks(
    llvm::function_ref<std::optional<std::string>(llvm::StringRef)>
        Environment);
bool terminalHasLinks(); ///< that of this process

/// \p Text, which leads to \p Url where it is clicked.
std::string linked(llvm::StringRef Text, llvm::StringRef Url);

} // namespace tensortidy::tool

#endif
