//===- Gitlab.cpp - findings as a code quality report ---------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Facts/Finding.h"
#include "Output/Formats.h"
#include "llvm/Support/JSON.h"

using llvm::json::Array;
using llvm::json::Object;

namespace tensortidy::tool {

/// By how far the check is to be trusted.
static const char *severity(const ReportedFinding &F) {
  static const char *const ByLevel[] = {"major", "minor", "info"};
  if (F.IsError)
    return "critical";
  const analysis::CheckInfo *C = checkCalled(F.Check);
  return ByLevel[C ? std::min(C->Level, 2U) : 1];
}

void printGitlab(const Report &R, llvm::raw_ostream &OS) {
  Array All;
  for (const ReportedFinding *F : R.shown()) {
    Object Lines{{"begin", std::max(F->At.Begin.Line, 1U)}};
    if (F->At.End.Line)
      Lines["end"] = F->At.End.Line;
    All.push_back(
        Object{{"description", F->Message},
               {"check_name", F->Check},
               {"fingerprint", F->Fingerprint},
               {"severity", severity(*F)},
               {"location", Object{{"path", llvm::json::fixUTF8(F->At.File)},
                                   {"lines", std::move(Lines)}}}});
  }
  OS << llvm::formatv("{0:2}", llvm::json::Value(std::move(All))) << '\n';
}

} // namespace tensortidy::tool
