//===- JsonText.h - JSON that others have written ---------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// llvm::json reads JSON as the standard has it, and calls itself for each level
// of nesting. Settings of editors have comments as well, and commas behind the
// last item; a program that adds to them leaves all that as it is:
//
//   {                               {
//     "a": 1, // why          ->      "a": 1, // why
//     /* ... */                       /* ... */
//                                     "clangd.path": "/usr/bin/x",
//   }                               }
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_JSONTEXT_H
#define TENSORTIDY_TOOL_JSONTEXT_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace tensortidy::tool {

/// Whether \p Json has more levels than anything that is meant to be read.
bool nestsTooDeep(llvm::StringRef Json);

/// \p Text, settings of an editor, with the member \p Key of the outermost
/// object; all that is there stays as it is. An error: it is not JSON with
/// comments, or has that member with another value, which \p MayReplace, given
/// that, does not want to see replaced.
llvm::Expected<std::string>
withMember(llvm::StringRef Text, llvm::StringRef Key, llvm::StringRef Value,
           llvm::function_ref<bool(llvm::StringRef)> MayReplace);

} // namespace tensortidy::tool

#endif
