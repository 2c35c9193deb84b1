//===- Sarif.cpp - findings as SARIF 2.1.0 --------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//   run
//     tool.driver.rules      the checks, with their pages
//     invocations            the exit status; what could not be analysed
//     originalUriBaseIds     %SRCROOT%: where the project was
//     results                a finding each:
//       locations            the use
//       relatedLocations     the notes
//       codeFlows            the way from the cause to the use
//       fixes                what --fix would do
//       partialFingerprints  its identity (Identity.h)
//       suppressions         inSource: NOLINT; external: the baseline
//
// The same findings of a project in the same folder give the same bytes:
// nothing says when.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Facts/Finding.h"
#include "Output/Formats.h"
#include "Pages.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using llvm::json::Array;
using llvm::json::Object;

namespace tensortidy::tool {

namespace {

Object message(llvm::StringRef Text) {
  return Object{{"text", llvm::json::fixUTF8(Text)}};
}

Object artifact(llvm::StringRef File) {
  if (llvm::sys::path::is_absolute(File))
    return Object{{"uri", "file://" + uriEncoded(File)}};
  return Object{{"uri", uriEncoded(File)}, {"uriBaseId", "%SRCROOT%"}};
}

Object region(const Place &At) {
  Object R{{"startLine", At.Begin.Line}, {"startColumn", At.Begin.Wide}};
  // From a lone caret a region reaches to the end of the line.
  R["endLine"] = At.End.Line;
  R["endColumn"] = At.End.Wide;
  return R;
}

Object physical(const Place &At) {
  Object P{{"artifactLocation", artifact(At.File)}};
  if (At.Begin.Line)
    P["region"] = region(At);
  return P;
}

Object location(const Place &At, llvm::StringRef Text = "") {
  Object L;
  if (!At.File.empty())
    L["physicalLocation"] = physical(At);
  if (!Text.empty())
    L["message"] = message(Text);
  return L;
}

/// A note where the finding itself stands gives advice: it is no cause.
bool isCause(const ReportedFinding &F, const ReportedFinding::Note &N) {
  return !N.At.File.empty() &&
         std::tie(N.At.File, N.At.Begin.Line, N.At.Begin.Column) !=
             std::tie(F.At.File, F.At.Begin.Line, F.At.Begin.Column);
}

Array codeFlows(const ReportedFinding &F) {
  Array Steps;
  for (const ReportedFinding::Note &N : F.Notes)
    if (isCause(F, N))
      Steps.push_back(Object{{"location", location(N.At, N.Text)}});
  if (Steps.empty())
    return {};
  Steps.push_back(Object{{"location", location(F.At, F.Message)}});
  return Array{
      Object{{"threadFlows", Array{Object{{"locations", std::move(Steps)}}}}}};
}

Array relatedLocations(const ReportedFinding &F) {
  Array Notes;
  for (const ReportedFinding::Note &N : F.Notes) {
    Object L = location(N.At, N.Text);
    L["id"] = static_cast<int64_t>(Notes.size());
    Notes.push_back(std::move(L));
  }
  return Notes;
}

/// One fix, with the changes of each file together.
Array fixes(const ReportedFinding &F) {
  std::map<std::string, Array> Files;
  for (const ReportedFinding::Change &C : F.Fix) {
    if (!C.At.Begin.Line)
      return {}; // of a text that is not known
    Files[C.At.File].push_back(Object{{"deletedRegion", region(C.At)},
                                      {"insertedContent", message(C.Text)}});
  }
  Array Changes;
  for (auto &[File, Replacements] : Files)
    Changes.push_back(Object{{"artifactLocation", artifact(File)},
                             {"replacements", std::move(Replacements)}});
  if (Changes.empty())
    return {};
  return Array{Object{{"artifactChanges", std::move(Changes)}}};
}

Object suppression(const ReportedFinding &F) {
  if (F.K != ReportedFinding::Kind::Silenced)
    return Object{{"kind", "external"}, {"justification", "in the baseline"}};
  Object O{{"kind", "inSource"}};
  if (!F.Reason.empty())
    O["justification"] = F.Reason;
  return O;
}

Object result(const Report &R, const ReportedFinding &F) {
  Object O{{"ruleId", F.Check},
           {"level", F.IsError ? "error" : "warning"},
           {"message", message(F.Message)}};
  if (const analysis::CheckInfo *C = checkCalled(F.Check))
    O["ruleIndex"] = C - analysis::checks().begin();
  Object Use = location(F.At);
  if (!F.Function.empty())
    Use["logicalLocations"] =
        Array{Object{{"fullyQualifiedName", F.Function}, {"kind", "function"}}};
  O["locations"] = Array{std::move(Use)};
  O["partialFingerprints"] = Object{{"tensortidy/v1", F.Fingerprint}};
  const auto Put = [&](llvm::StringRef Key, Array Items) {
    if (!Items.empty())
      O[Key] = std::move(Items);
  };
  Put("relatedLocations", relatedLocations(F));
  Put("codeFlows", codeFlows(F));
  Put("fixes", fixes(F));
  if (F.K != ReportedFinding::Kind::New)
    O["suppressions"] = Array{suppression(F)};
  if (R.HasBaseline && F.K != ReportedFinding::Kind::Silenced)
    O["baselineState"] =
        F.K == ReportedFinding::Kind::InBaseline ? "unchanged" : "new";
  return O;
}

Array rules(const Report &R) {
  static const char *const Precision[] = {"very-high", "high", "medium"};
  Array Rules;
  for (const analysis::CheckInfo &C : analysis::checks()) {
    Object Rule{
        {"id", C.Name},
        {"shortDescription", message(C.Summary)},
        {"fullDescription", message(C.Summary)},
        {"defaultConfiguration", Object{{"level", "warning"}}},
        {"properties", Object{{"tags", Array{"tensor"}},
                              {"precision", Precision[std::min(C.Level, 2U)]},
                              {"problem.severity",
                               C.Level > 1 ? "recommendation" : "warning"}}}};
    // GitHub shows the text, others the page.
    Object Help = message(C.Summary);
    if (std::string Page = pageOf(R, C.Name); !Page.empty()) {
      Rule["helpUri"] = Page;
      Help["markdown"] = (llvm::Twine(C.Summary) +
                          "; [when exactly, and how to "
                          "rewrite](" +
                          Page + ")")
                             .str();
    }
    Rule["help"] = std::move(Help);
    Rules.push_back(std::move(Rule));
  }
  return Rules;
}

Object invocation(const Report &R) {
  Array Problems;
  for (const Problem &P : R.Problems) {
    Object O{{"level", "error"}, {"message", message(P.Message)}};
    if (!P.At.File.empty())
      O["locations"] = Array{location(P.At)};
    Problems.push_back(std::move(O));
  }
  static const char *const Means[] = {"nothing found", "findings",
                                      "a file could not be analysed"};
  return Object{{"executionSuccessful", R.ExitStatus < 2},
                {"exitCode", R.ExitStatus},
                {"exitCodeDescription", Means[std::min(R.ExitStatus, 2)]},
                {"toolExecutionNotifications", std::move(Problems)}};
}

} // namespace

void printSarif(const Report &R, llvm::raw_ostream &OS) {
  Array Results;
  for (const ReportedFinding &F : R.Findings)
    Results.push_back(result(R, F));
  std::string Root = R.project().root();
  if (Root != "/")
    Root += "/";
  Object Run{
      {"tool", Object{{"driver", Object{{"name", "tensortidy"},
                                        {"semanticVersion", R.Version},
                                        {"rules", rules(R)}}}}},
      {"invocations", Array{invocation(R)}},
      {"originalUriBaseIds",
       Object{{"%SRCROOT%", Object{{"uri", "file://" + uriEncoded(Root)}}}}},
      {"columnKind", "utf16CodeUnits"},
      {"results", std::move(Results)}};
  const llvm::json::Value Log = Object{
      {"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/"
                  "schemas/sarif-schema-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs", Array{std::move(Run)}}};
  OS << llvm::formatv("{0:2}", Log) << '\n';
}

} // namespace tensortidy::tool
