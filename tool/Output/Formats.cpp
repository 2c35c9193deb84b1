//===- Formats.cpp - what findings are written as -------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output/Formats.h"
#include "llvm/ADT/StringExtras.h"

namespace tensortidy::tool {

static const Format Formats[] = {
    {"text", nullptr},       {"json", printJson},
    {"sarif", printSarif},   {"github", printGithub},
    {"gitlab", printGitlab}, {"checkstyle", printCheckstyle},
    {"rdjson", printRdjson},
};

const Format *formatCalled(llvm::StringRef Name) {
  for (const Format &F : Formats)
    if (Name == F.Name)
      return &F;
  return nullptr;
}

std::string formatNames() {
  std::string Names;
  for (const Format &F : Formats)
    Names += (Names.empty() ? "" : ", ") + std::string(F.Name);
  return Names;
}

} // namespace tensortidy::tool
