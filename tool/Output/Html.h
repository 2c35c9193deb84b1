//===- Html.h - a report as pages -------------------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
//   index.html            counts by check, by folder and by file
//   trend.html            what has changed since an older run
//   checks/CHECK.html     the findings of one check
//   folders/NAME.html     the findings of the files in one folder
//   files/NAME.html       a source, with its findings where they are
//   pictures/HASH.svg     a tensor of a finding, for all that are laid out so
//   style.css
//
// Plain pages: they need no server, no script and no network, and are the same
// for the same findings. HTML that is well-formed XML, too.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_OUTPUT_HTML_H
#define TENSORTIDY_TOOL_OUTPUT_HTML_H

#include "Output/Report.h"
#include "Output/Trend.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace tensortidy::tool {

/// Takes a page and its name below the report's folder; one that it has already
/// comes again with the same text.
using AddPage =
    llvm::function_ref<llvm::Error(llvm::StringRef Name, llvm::StringRef Text)>;

/// The pages of \p R, which is sorted and has its sources, compared with an
/// older run unless \p Since is null.
llvm::Error writeHtml(const Report &R, const Trend *Since, AddPage Add);

} // namespace tensortidy::tool

#endif
