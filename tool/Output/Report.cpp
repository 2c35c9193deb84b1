//===- Report.cpp - what a run has to say, for other programs -------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output/Report.h"
#include "Analysis/Facts/Finding.h"
#include "Output/Identity.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using clang::tidy::ClangTidyError;
using clang::tooling::DiagnosticMessage;
using llvm::StringRef;

namespace tensortidy::tool {

/// Line and columns of \p Offset in \p Text.
static Place::Point pointAt(StringRef Text, size_t Offset) {
  const StringRef Before = Text.take_front(Offset);
  const size_t LineStart = Before.rfind('\n') + 1; // npos + 1 is 0
  Place::Point P;
  P.Line = static_cast<unsigned>(Before.count('\n')) + 1;
  P.Column = static_cast<unsigned>(Before.size() - LineStart) + 1;
  P.Wide = 1;
  for (const unsigned char C : Before.drop_front(LineStart))
    P.Wide += (C & 0xC0) == 0x80 ? 0 : C >= 0xF0 ? 2 : 1;
  return P;
}

Place Report::placeOf(StringRef Path, StringRef Directory, unsigned Offset,
                      unsigned Length, const FileResult &R) const {
  Place At;
  if (Path.empty())
    return At;
  const std::string Absolute = pathIn(Path, Directory);
  At.File = Where.name(Absolute);
  for (const SourceText &S : R.Sources)
    if (S.Path == Absolute && uint64_t(Offset) + Length <= S.Text.size()) {
      At.Begin = pointAt(S.Text, Offset);
      At.End = pointAt(S.Text, size_t(Offset) + Length);
    }
  return At;
}

/// How long the name is that \p Text has at \p Offset.
static unsigned nameLength(StringRef Text, size_t Offset) {
  return static_cast<unsigned>(
      Text.substr(Offset)
          .take_while([](char C) { return llvm::isAlnum(C) || C == '_'; })
          .size());
}

/// From the caret to the end of what is underlined, or of the name there.
Place Report::placeOf(const DiagnosticMessage &M, StringRef Directory,
                      const FileResult &R) const {
  unsigned End = M.FileOffset;
  for (const clang::tooling::FileByteRange &Range : M.Ranges)
    if (Range.FilePath == M.FilePath && Range.FileOffset <= M.FileOffset)
      End = std::max(End, Range.FileOffset + Range.Length);
  if (End == M.FileOffset)
    for (const SourceText &S : R.Sources)
      if (S.Path == pathIn(M.FilePath, Directory))
        End += nameLength(S.Text, M.FileOffset);
  return placeOf(M.FilePath, Directory, M.FileOffset, End - M.FileOffset, R);
}

/// "old code", if a comment `// NOLINT(tensor-x): old code` is on the line of
/// \p Offset, or its NOLINTNEXTLINE on the line before.
static std::string reasonAt(StringRef Text, size_t Offset) {
  const size_t Begin = Text.take_front(Offset).rfind('\n') + 1;
  const auto Line = [&](size_t From) {
    return Text.substr(From).take_until([](char C) { return C == '\n'; });
  };
  const StringRef Earlier = Text.take_front(Begin ? Begin - 1 : 0);
  const StringRef Before = Begin ? Line(Earlier.rfind('\n') + 1) : "";
  for (const auto &[Where, Marker] :
       {std::pair(Line(Begin), StringRef("NOLINT")),
        std::pair(Before, StringRef("NOLINTNEXTLINE"))}) {
    const size_t At = Where.find(Marker);
    if (At == StringRef::npos)
      continue;
    StringRef Rest = Where.substr(At + Marker.size());
    if (!Rest.empty() && llvm::isAlpha(Rest.front()))
      continue; // NOLINTBEGIN
    if (Rest.consume_front("("))
      Rest = Rest.split(')').second;
    return Rest.ltrim(":- \t").rtrim().str();
  }
  return "";
}

void Report::add(ReportedFinding::Kind K, const ClangTidyError &E,
                 const FileResult &R) {
  ReportedFinding &F = Findings.emplace_back();
  F.K = K;
  F.Check = E.DiagnosticName;
  F.Message = llvm::json::fixUTF8(E.Message.Message);
  F.Function = llvm::json::fixUTF8(R.functionOf(E));
  F.IsError = E.IsWarningAsError;
  if (auto It = R.Pictures.find(keyOf(E)); It != R.Pictures.end())
    F.Pictures = It->second;
  keepSources(R);
  F.At = placeOf(E.Message, E.BuildDirectory, R);
  if (K == ReportedFinding::Kind::Silenced)
    for (const SourceText &S : R.Sources)
      if (S.Path == pathIn(E.Message.FilePath, E.BuildDirectory))
        F.Reason = llvm::json::fixUTF8(reasonAt(S.Text, E.Message.FileOffset));
  for (const DiagnosticMessage &Note : E.Notes)
    F.Notes.push_back({placeOf(Note, E.BuildDirectory, R),
                       llvm::json::fixUTF8(Note.Message)});
  for (const auto &Entry : E.Message.Fix)
    for (const clang::tooling::Replacement &C : Entry.getValue())
      F.Fix.push_back({placeOf(C.getFilePath(), E.BuildDirectory, C.getOffset(),
                               C.getLength(), R),
                       C.getOffset(), C.getLength(),
                       llvm::json::fixUTF8(C.getReplacementText())});
  llvm::stable_sort(F.Fix, [](const auto &A, const auto &B) {
    return std::tie(A.At.File, A.Offset) < std::tie(B.At.File, B.Offset);
  });
}

void Report::addError(const ClangTidyError &E, const FileResult &R) {
  Problems.push_back({llvm::json::fixUTF8(E.Message.Message),
                      placeOf(E.Message, E.BuildDirectory, R)});
  keepSources(R);
}

void Report::keepSources(const FileResult &R) {
  if (!KeepsSources)
    return;
  for (const SourceText &S : R.Sources)
    Sources.try_emplace(Where.name(S.Path), S.Text);
}

void Report::addProblem(StringRef Message) {
  Problems.push_back({llvm::json::fixUTF8(Message), {}});
}

void Report::sort() {
  llvm::stable_sort(Findings, [](const auto &A, const auto &B) {
    return std::tie(A.At.File, A.At.Begin.Line, A.At.Begin.Column, A.Check) <
           std::tie(B.At.File, B.At.Begin.Line, B.At.Begin.Column, B.Check);
  });
  std::map<std::string, unsigned> Count;
  for (ReportedFinding &F : Findings) {
    F.Fingerprint = FindingIdentity(F.Check, F.Function, F.Message).hash();
    if (const unsigned N = ++Count[F.Fingerprint]; N > 1)
      F.Fingerprint += ":" + std::to_string(N);
  }
}

std::vector<const ReportedFinding *> Report::shown() const {
  std::vector<const ReportedFinding *> Shown;
  for (const ReportedFinding &F : Findings)
    if (F.K == ReportedFinding::Kind::New)
      Shown.push_back(&F);
  return Shown;
}

const analysis::CheckInfo *checkCalled(StringRef Name) {
  for (const analysis::CheckInfo &C : analysis::checks())
    if (Name == C.Name)
      return &C;
  return nullptr;
}

std::string pageOf(const Report &R, StringRef Check) {
  return R.Pages.empty() || !checkCalled(Check) ? ""
                                                : R.Pages + Check.str() + ".md";
}

void printStatistics(const Report &R, llvm::raw_ostream &OS) {
  struct Row {
    unsigned New = 0, WithFix = 0, InBaseline = 0, Silenced = 0;
  };
  std::map<std::string, Row> Rows;
  for (const ReportedFinding &F : R.Findings) {
    Row &Of = Rows[F.Check];
    Of.New += F.K == ReportedFinding::Kind::New;
    Of.WithFix += F.K == ReportedFinding::Kind::New && !F.Fix.empty();
    Of.InBaseline += F.K == ReportedFinding::Kind::InBaseline;
    Of.Silenced += F.K == ReportedFinding::Kind::Silenced;
  }
  std::vector<std::pair<std::string, Row>> Sorted(Rows.begin(), Rows.end());
  llvm::stable_sort(Sorted, [](const auto &A, const auto &B) {
    return A.second.New > B.second.New;
  });
  OS << "findings  with fix  in baseline  silenced  check\n";
  for (const auto &[Check, N] : Sorted)
    OS << llvm::format("%8u  %8u  %11u  %8u  ", N.New, N.WithFix, N.InBaseline,
                       N.Silenced)
       << Check << '\n';
}

} // namespace tensortidy::tool
