//===- Checkstyle.cpp - findings as the XML of Checkstyle -----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output/Formats.h"
#include "llvm/Support/JSON.h"

using llvm::StringRef;

namespace tensortidy::tool {

/// As the value of an attribute. XML has no way to write most control
/// characters.
static std::string escaped(StringRef Text) {
  std::string Out;
  for (const char C : llvm::json::fixUTF8(Text))
    switch (C) {
    case '&':
      Out += "&amp;";
      break;
    case '<':
      Out += "&lt;";
      break;
    case '>':
      Out += "&gt;";
      break;
    case '"':
      Out += "&quot;";
      break;
    case '\t':
    case '\n':
    case '\r': // which a reader would make spaces
      Out += "&#" + std::to_string(C) + ";";
      break;
    default:
      Out += static_cast<unsigned char>(C) < 0x20 || C == 0x7f ? '?' : C;
    }
  return Out;
}

static void printError(const Place &At, StringRef Severity, StringRef Message,
                       StringRef Source, llvm::raw_ostream &OS) {
  OS << "    <error";
  if (At.Begin.Line)
    OS << " line=\"" << At.Begin.Line << "\" column=\"" << At.Begin.Column
       << '"';
  OS << " severity=\"" << Severity << "\" message=\"" << escaped(Message)
     << "\" source=\"" << escaped(Source) << "\"/>\n";
}

void printCheckstyle(const Report &R, llvm::raw_ostream &OS) {
  std::map<std::string, std::string> Files;
  for (const Problem &P : R.Problems)
    if (!P.At.File.empty()) {
      llvm::raw_string_ostream Into(Files[P.At.File]);
      printError(P.At, "error", P.Message, "clang-diagnostic-error", Into);
    }
  for (const ReportedFinding *F : R.shown()) {
    llvm::raw_string_ostream Into(Files[F->At.File]);
    printError(F->At, F->IsError ? "error" : "warning", F->Message, F->Check,
               Into);
  }
  OS << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<checkstyle version=\"8.0\">\n";
  for (const auto &[File, Errors] : Files)
    OS << "  <file name=\"" << escaped(File) << "\">\n"
       << Errors << "  </file>\n";
  OS << "</checkstyle>\n";
}

} // namespace tensortidy::tool
