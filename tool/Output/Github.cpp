//===- Github.cpp - findings as annotations of a GitHub run ---------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//   ::warning
//   file=src/a.cpp,line=5,col=14,endLine=5,endColumn=20,title=...::...
//
// GitHub shows ten warnings and ten errors of one step. What comes after these
// is printed as a folded group of the log, and the summary page of the run has
// a table of everything.
//
//===----------------------------------------------------------------------===//

#include "Output/Formats.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace tensortidy::tool {

namespace {

/// What GitHub shows of each kind, a step.
constexpr unsigned Limit = 10;

/// How a command's text, and with \p InProperty the value of one of its
/// properties, is written so that it stays one.
std::string escaped(StringRef Text, bool InProperty = false) {
  std::string Out;
  for (const char C : Text)
    if (StringRef(InProperty ? "%\r\n:," : "%\r\n").contains(C))
      Out += "%" + llvm::utohexstr(static_cast<unsigned char>(C), false, 2);
    else
      Out += C;
  return Out;
}

std::string spot(const Place &At) {
  if (!At.Begin.Line)
    return At.File;
  return At.File + ":" + std::to_string(At.Begin.Line) + ":" +
         std::to_string(At.Begin.Column);
}

void printCommand(StringRef Command, const Place &At, StringRef Title,
                  StringRef Text, llvm::raw_ostream &OS) {
  OS << "::" << Command << ' ';
  if (!At.File.empty())
    OS << "file=" << escaped(At.File, true) << ',';
  if (At.Begin.Line) {
    OS << "line=" << At.Begin.Line << ",endLine=" << At.End.Line << ',';
    // GitHub refuses columns of a region of several lines.
    if (At.Begin.Line == At.End.Line)
      OS << "col=" << At.Begin.Column << ",endColumn=" << At.End.Column << ',';
  }
  OS << "title=" << escaped(Title, true) << "::" << escaped(Text) << '\n';
}

std::string withNotes(const ReportedFinding &F) {
  std::string Text = F.Message;
  for (const ReportedFinding::Note &N : F.Notes)
    Text += "\n" + (N.At.File.empty() ? "" : spot(N.At) + ": ") + N.Text;
  return Text;
}

/// In a cell of a table in Markdown.
std::string cell(StringRef Text) {
  std::string Out;
  for (const char C : Text)
    if (C == '\n' || C == '\r')
      Out += ' ';
    else if (C == '<')
      Out += "&lt;";
    else if (C == '&')
      Out += "&amp;";
    else if (StringRef("\\|`*_[]~").contains(C))
      Out += {'\\', C};
    else
      Out += C;
  return Out;
}

} // namespace

void printGithub(const Report &R, llvm::raw_ostream &OS) {
  unsigned Warnings = 0, Errors = 0;
  for (const Problem &P : R.Problems)
    if (++Errors <= Limit)
      printCommand("error", P.At, "tensortidy", P.Message, OS);
  std::vector<const ReportedFinding *> Rest;
  for (const ReportedFinding *F : R.shown())
    if (++(F->IsError ? Errors : Warnings) <= Limit)
      printCommand(F->IsError ? "error" : "warning", F->At, F->Check,
                   withNotes(*F), OS);
    else
      Rest.push_back(F);
  if (Rest.empty())
    return;
  OS << "::group::" << Rest.size() << " more of tensortidy\n";
  for (const ReportedFinding *F : Rest) // a line that begins with :: is none
    OS << escaped(spot(F->At) + ": " + F->Message + " [" + F->Check + "]")
       << '\n';
  OS << "::endgroup::\n";
}

std::string githubSummary(const Report &R) {
  // GitHub refuses a summary of more than 1 MiB.
  constexpr size_t MostBytes = 900 << 10;
  const std::vector<const ReportedFinding *> Shown = R.shown();
  const auto Count = [](size_t N, StringRef What) {
    return std::to_string(N) + " " + What.str() + (N == 1 ? "" : "s");
  };
  std::string Text = "### tensortidy: " + Count(Shown.size(), "finding") + "\n";
  if (!R.Problems.empty())
    Text += "\n" + Count(R.Problems.size(), "problem") +
            ": not everything was analysed.\n\n";
  for (const Problem &P : R.Problems)
    if (Text.size() < MostBytes / 4)
      Text += "* " +
              cell((P.At.File.empty() ? "" : spot(P.At) + ": ") + P.Message) +
              "\n";
  if (!Shown.empty())
    Text += "\n| place | finding | check |\n|---|---|---|\n";
  for (size_t I = 0; I < Shown.size(); ++I) {
    if (Text.size() > MostBytes) {
      Text += "\nand " + Count(Shown.size() - I, "other") + "\n";
      break;
    }
    const ReportedFinding &F = *Shown[I];
    const std::string Page = pageOf(R, F.Check);
    Text += "| " + cell(spot(F.At)) + " | " + cell(F.Message) + " | " +
            (StringRef(Page).starts_with("http")
                 ? "[" + cell(F.Check) + "](" + Page + ")"
                 : cell(F.Check)) +
            " |\n";
  }
  return Text;
}

} // namespace tensortidy::tool
