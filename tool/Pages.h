//===- Pages.h - where the pages of the checks are --------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_PAGES_H
#define TENSORTIDY_TOOL_PAGES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace tensortidy::tool {

/// \p Text as part of a URI: what is neither a letter, a digit, a slash nor one
/// of -._~ becomes %XX.
std::string uriEncoded(llvm::StringRef Text);

/// What "<check>.md" is put behind to name a check's page: where the build says
/// they are published, else the folder of the installation that has the program
/// in \p ExecutableDir, else that of the sources. Empty: they are nowhere.
std::string pagesUrl(llvm::StringRef ExecutableDir);

} // namespace tensortidy::tool

#endif
