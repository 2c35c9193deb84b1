//===- Rdjson.cpp - findings for reviewdog --------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The Reviewdog Diagnostic Format. Reviewdog reads SARIF as well, but shows
// what is suppressed there; here is what is new, with columns in bytes, as it
// counts them.
//
//===----------------------------------------------------------------------===//

#include "Output/Formats.h"
#include "llvm/Support/JSON.h"

using llvm::json::Array;
using llvm::json::Object;

namespace tensortidy::tool {

namespace {

Object position(const Place::Point &P) {
  return Object{{"line", P.Line}, {"column", P.Column}};
}

Object range(const Place &At) {
  return Object{{"start", position(At.Begin)}, {"end", position(At.End)}};
}

Object location(const Place &At) {
  Object L{{"path", llvm::json::fixUTF8(At.File)}};
  if (At.Begin.Line)
    L["range"] = range(At);
  return L;
}

/// What --fix would do, where it is all in the file of the finding: reviewdog
/// knows no other.
Array suggestions(const ReportedFinding &F) {
  Array All;
  for (const ReportedFinding::Change &C : F.Fix) {
    if (C.At.File != F.At.File || !C.At.Begin.Line)
      return {};
    All.push_back(Object{{"range", range(C.At)}, {"text", C.Text}});
  }
  return All;
}

Object diagnostic(const Report &R, const ReportedFinding &F) {
  Object Code{{"value", F.Check}};
  // For those who read a review; a page of this machine is nothing to them.
  if (std::string Page = pageOf(R, F.Check);
      llvm::StringRef(Page).starts_with("http"))
    Code["url"] = Page;
  Object D{{"message", F.Message},
           {"location", location(F.At)},
           {"severity", F.IsError ? "ERROR" : "WARNING"},
           {"code", std::move(Code)}};
  Array Notes;
  for (const ReportedFinding::Note &N : F.Notes)
    if (!N.At.File.empty())
      Notes.push_back(
          Object{{"message", N.Text}, {"location", location(N.At)}});
  if (!Notes.empty())
    D["related_locations"] = std::move(Notes);
  if (Array Changes = suggestions(F); !Changes.empty())
    D["suggestions"] = std::move(Changes);
  return D;
}

} // namespace

void printRdjson(const Report &R, llvm::raw_ostream &OS) {
  Array All;
  for (const Problem &P : R.Problems)
    if (!P.At.File.empty())
      All.push_back(Object{{"message", P.Message},
                           {"location", location(P.At)},
                           {"severity", "ERROR"}});
  for (const ReportedFinding *F : R.shown())
    All.push_back(diagnostic(R, *F));
  const llvm::json::Value Result =
      Object{{"source", Object{{"name", "tensortidy"}}},
             {"severity", "WARNING"},
             {"diagnostics", std::move(All)}};
  OS << llvm::formatv("{0:2}", Result) << '\n';
}

} // namespace tensortidy::tool
