//===- Json.cpp - findings as JSON of our own -----------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// docs/integration.md says what the keys mean. Keys may be added; those that
// are there keep their meaning.
//
//===----------------------------------------------------------------------===//

#include "llvm/Support/JSON.h"
#include "Output/Formats.h"

using llvm::json::Array;
using llvm::json::Object;

namespace tensortidy::tool {

static Object place(const Place &At) {
  Object O{{"file", llvm::json::fixUTF8(At.File)}};
  if (At.Begin.Line) {
    O["line"] = At.Begin.Line;
    O["column"] = At.Begin.Column;
    O["endLine"] = At.End.Line;
    O["endColumn"] = At.End.Column;
  }
  return O;
}

static const char *stateOf(ReportedFinding::Kind K) {
  switch (K) {
  case ReportedFinding::Kind::New:
    return "new";
  case ReportedFinding::Kind::InBaseline:
    return "baseline";
  case ReportedFinding::Kind::Silenced:
    return "silenced";
  }
  return "";
}

static Object finding(const Report &R, const ReportedFinding &F) {
  Object O = place(F.At);
  O["check"] = F.Check;
  O["level"] = F.IsError ? "error" : "warning";
  O["message"] = F.Message;
  O["function"] = F.Function;
  O["state"] = stateOf(F.K);
  if (!F.Reason.empty())
    O["reason"] = F.Reason;
  O["fingerprint"] = F.Fingerprint;
  if (std::string Page = pageOf(R, F.Check); !Page.empty())
    O["page"] = Page;
  Array Notes, Fix;
  for (const ReportedFinding::Note &N : F.Notes) {
    Object Note = place(N.At);
    Note["message"] = N.Text;
    Notes.push_back(std::move(Note));
  }
  for (const ReportedFinding::Change &C : F.Fix) {
    Object Change = place(C.At);
    Change["offset"] = C.Offset;
    Change["length"] = C.Length;
    Change["text"] = C.Text;
    Fix.push_back(std::move(Change));
  }
  O["notes"] = std::move(Notes);
  O["fix"] = std::move(Fix);
  return O;
}

void printJson(const Report &R, llvm::raw_ostream &OS) {
  Array Findings, Problems;
  for (const ReportedFinding &F : R.Findings)
    Findings.push_back(finding(R, F));
  for (const Problem &P : R.Problems) {
    Object O;
    if (!P.At.File.empty())
      O = place(P.At);
    O["message"] = P.Message;
    Problems.push_back(std::move(O));
  }
  const llvm::json::Value All = Object{
      {"tool", Object{{"name", "tensortidy"}, {"version", R.Version}}},
      {"root", llvm::json::fixUTF8(R.project().root())},
      {"findings", std::move(Findings)},
      {"problems", std::move(Problems)},
      {"exitStatus", R.ExitStatus},
  };
  OS << llvm::formatv("{0:2}", All) << '\n';
}

} // namespace tensortidy::tool
