//===- SarifParts.h - what is in a SARIF log --------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Sarif.cpp writes it; merge and --html-compare read it again. Of a log that
// another tool has written any part may be missing, or be something else.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_OUTPUT_SARIFPARTS_H
#define TENSORTIDY_TOOL_OUTPUT_SARIFPARTS_H

#include "llvm/Support/JSON.h"
#include <string>

namespace tensortidy::tool {

/// Null, or empty, where there is none.
const llvm::json::Object *objectIn(const llvm::json::Object *O,
                                   llvm::StringRef Key);
std::string stringIn(const llvm::json::Object *O, llvm::StringRef Key);
/// The first of a list.
const llvm::json::Object *firstIn(const llvm::json::Object *O,
                                  llvm::StringRef Key);

/// The place of a result or a notification.
const llvm::json::Object *placeIn(const llvm::json::Object &Result);
/// The name of its file, as a report has it (Project.h):
/// "src/a b.cpp" of "src/a%20b.cpp", "/x" of "file:///x".
std::string fileIn(const llvm::json::Object *Place);

/// Whether a comment in the code hides a result.
bool isSilenced(const llvm::json::Object &Result);

} // namespace tensortidy::tool

#endif
