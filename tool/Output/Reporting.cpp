//===- Reporting.cpp - what becomes of the findings of a run --------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output/Reporting.h"
#include "Analysis/Facts/Finding.h"
#include "Output/Folder.h"
#include "Output/Formats.h"
#include "Output/Html.h"
#include "Pages.h"
#include "Places.h"
#include "Progress.h"
#include "Replace.h"
#include "StringError.h"
#include "clang-tidy/GlobList.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using clang::tidy::ClangTidyError;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace tensortidy::tool {

namespace {

llvm::Error exclude(StringRef A, StringRef B) {
  return stringError(A + " and " + B + " exclude each other");
}

/// Said before an hour of work rather than after it.
llvm::Error checkWritable(StringRef File) {
  const auto Cannot = [&](const llvm::Twine &Why) {
    return stringError("cannot write '" + File + "': " + Why);
  };
  StringRef Folder = llvm::sys::path::parent_path(File);
  if (Folder.empty())
    Folder = ".";
  if (!fs::is_directory(Folder))
    return Cannot("there is no folder '" + Folder + "'");
  if (fs::is_directory(File))
    return Cannot("it is a directory");
  if (fs::exists(File) && !fs::is_regular_file(File))
    return llvm::Error::success(); // a device, a pipe
  if (std::error_code Error = fs::access(Folder, fs::AccessMode::Write))
    return Cannot("in its folder, " + Error.message());
  return llvm::Error::success();
}

bool isText(const Output &To) { return To.Format == "text"; }

} // namespace

//===----------------------------------------------------------------------===//
// The request
//===----------------------------------------------------------------------===//

llvm::Error Reporting::begin() {
  if (llvm::Error E = check())
    return E;
  if (llvm::Error E = checkFiles())
    return E;
  if (!O.Baseline.empty())
    if (llvm::Error E = Known.read(O.Baseline, O.UpdateBaseline))
      return E;
  if (!O.HtmlCompare.empty()) {
    auto Older = Trend::read(O.HtmlCompare);
    if (!Older)
      return Older.takeError();
    Since = std::move(*Older);
  }
  All.emplace(Project(O.Files.front()));
  All->KeepsSources = !O.Html.empty();
  All->Pages = pagesUrl(executableDir());
  All->HasBaseline = !O.Baseline.empty();

  Text.emplace(textGoes(), All->Pages);
  return llvm::Error::success();
}

TextPrinter::To Reporting::textGoes() const {
  using To = TextPrinter::To;
  const Output *Asked = textOutput();
  if (Asked && !Asked->File.empty())
    return To::File;
  if (O.Diff) // whose patch is on standard output
    return O.Quiet ? To::Nowhere : To::StandardError;
  return llvm::any_of(O.Outputs,
                      [](const Output &Other) {
                        return !isText(Other) && Other.File.empty();
                      })
             ? To::Nowhere
             : To::StandardOutput;
}

const Output *Reporting::textOutput() const {
  const auto It = llvm::find_if(O.Outputs, isText);
  return It == O.Outputs.end() ? nullptr : &*It;
}

llvm::Error Reporting::check() const {
  const bool Instead = O.PrintProgram || O.ExplainLine;
  const StringRef Other = O.ExplainLine ? "explain" : "--print-program";
  if (Instead && !O.Outputs.empty())
    return exclude("--output-format", Other);
  if (Instead && !O.Html.empty())
    return exclude("--html", Other);
  if (O.Html.empty() && !O.HtmlCompare.empty())
    return stringError("--html-compare needs --html DIR");
  if (Instead && !O.Baseline.empty())
    return exclude("--baseline", Other);
  if (Instead && O.AddNolint)
    return exclude("--add-nolint", Other);
  if (O.UpdateBaseline && O.Baseline.empty())
    return stringError("--update-baseline needs --baseline FILE");
  if (O.AddNolint) {
    if (std::string Why = badReason(*O.AddNolint); !Why.empty())
      return stringError("what --add-nolint is given " + Why);
    if (O.Fix)
      return exclude("--add-nolint", "--fix");
    if (O.UpdateBaseline)
      return exclude("--add-nolint", "--update-baseline");
  }
  return llvm::Error::success();
}

llvm::Error Reporting::checkFiles() const {
  std::map<std::string, std::string> Formats; // by where they go
  const auto Path = [](StringRef File) {
    return File.empty() ? "" : realPath(absolutePath(File), "");
  };
  if (O.Diff)
    Formats[""] = "the patch of --diff";
  if (!O.Baseline.empty())
    Formats[Path(O.Baseline)] = "the baseline";
  if (!O.ExportFixes.empty())
    Formats[Path(O.ExportFixes)] = "what --export-fixes writes";
  if (!O.Depfile.empty())
    Formats[Path(O.Depfile)] = "what --depfile writes";
  for (const Output &To : O.Outputs) {
    if (O.Diff && isText(To) && To.File.empty())
      return stringError("--diff prints a patch to standard output; give "
                         "--output=FILE behind --output-format=text");
    const auto [It, New] = Formats.try_emplace(Path(To.File), To.Format);
    if (!New)
      return stringError(It->second + " and " + To.Format + " both go to " +
                         (To.File.empty()
                              ? "standard output; give --output=FILE "
                                "behind one --output-format"
                              : "'" + To.File + "'"));
  }
  if (O.UpdateBaseline)
    if (llvm::Error E = checkWritable(O.Baseline))
      return E;
  if (!O.Html.empty())
    if (llvm::Error E = checkFolder(O.Html))
      return E;
  if (!O.Depfile.empty())
    if (llvm::Error E = checkWritable(O.Depfile))
      return E;
  for (const Output &To : O.Outputs) {
    if (To.File.empty())
      continue;
    if (llvm::Error E = checkWritable(To.File))
      return E;
    for (const std::string &File : O.Files)
      if (fs::equivalent(File, To.File))
        return stringError("--output=" + To.File + " is a source to be linted");
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// What is found
//===----------------------------------------------------------------------===//

bool Reporting::isNew(const ClangTidyError &E, const FileResult &R) {
  if (O.Baseline.empty())
    return true;
  const FindingIdentity Id(E.DiagnosticName, R.functionOf(E),
                           E.Message.Message);
  const std::string File =
      All->project().name(E.Message.FilePath, E.BuildDirectory);
  const bool Covered = Known.covers(Id, File, All->project());
  if (!Covered && !O.UpdateBaseline)
    return true;
  if (!Covered) {
    Known.add(Id, File);
    ++Added;
  }
  ++InBaseline;
  All->add(ReportedFinding::Kind::InBaseline, E, R);
  return false;
}

void Reporting::add(llvm::ArrayRef<ClangTidyError> New, const FileResult &R) {
  std::vector<ClangTidyError> Findings;
  for (const ClangTidyError &E : New)
    if (E.DiagnosticName == "clang-diagnostic-error") {
      All->addError(E, R);
    } else {
      All->add(ReportedFinding::Kind::New, E, R);
      Findings.push_back(E);
    }
  if (O.AddNolint && !R.HasCompileErrors)
    Comments.add(Findings, R);
  // One in a header comes once, whoever includes it.
  for (const ClangTidyError &E : R.Silenced)
    if (SeenSilenced
            .insert({realPath(E.Message.FilePath, E.BuildDirectory),
                     E.Message.FileOffset, E.DiagnosticName})
            .second) {
      All->add(ReportedFinding::Kind::Silenced, E, R);
      ++Silenced;
    }
}

void Reporting::linted(const FileResult &R, StringRef Checks) {
  if (!O.LineFilter.empty())
    return;
  clang::tidy::GlobList Enabled(Checks);
  for (const std::string &File : R.Files) {
    auto [Name, New] = Names.try_emplace(File);
    if (New)
      Name->second = All->project().name(File);
    std::set<std::string> &Of = Linted[Name->second];
    for (const analysis::CheckInfo &C : analysis::checks())
      if (Enabled.contains(C.Name))
        Of.insert(C.Name);
  }
}

void Reporting::problem(const llvm::Twine &Why) {
  EarlyProblems.push_back(Why.str());
}

void Reporting::print(const std::vector<ClangTidyError> &Errors,
                      const FileResult &R, TextPrinter::MakeProvider Provider,
                      StringRef First) {
  if (!Text->print(Errors, R.Sources, Provider, First))
    Failed("cannot create a temporary file");
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

void Reporting::reportGone(llvm::ArrayRef<Baseline::Entry> Gone) const {
  constexpr size_t Shown = 10;
  if (Gone.empty() || O.Quiet)
    return;
  unsigned Count = 0;
  for (const Baseline::Entry &E : Gone)
    Count += E.Count;
  llvm::errs() << "tensortidy: note: " << counted(Count, "finding")
               << " of the baseline " << (Count == 1 ? "is" : "are") << " gone"
               << (O.UpdateBaseline
                       ? " and no longer in it"
                       : "; --update-baseline takes what is gone out of it")
               << '\n';
  for (const Baseline::Entry &E : Gone.take_front(Shown))
    llvm::errs() << "  " << E.File << ": "
                 << (E.Finding.Function.empty() ? "" : "in ")
                 << E.Finding.Function
                 << (E.Finding.Function.empty() ? "" : ": ")
                 << E.Finding.Message << " [" << E.Finding.Check << "]\n";
  if (Gone.size() > Shown)
    llvm::errs() << "  and " << Gone.size() - Shown << " more\n";
}

bool Reporting::hasLinted(StringRef File, StringRef Check) const {
  auto It = Linted.find(File.str());
  return It != Linted.end() && It->second.count(Check.str());
}

void Reporting::updateBaseline() {
  if (O.Baseline.empty())
    return;
  const bool Whole = EarlyProblems.empty() && All->Problems.empty();
  const std::vector<Baseline::Entry> Gone =
      Known.gone(All->project(), Whole, [&](StringRef File, StringRef Check) {
        return hasLinted(File, Check);
      });
  if (O.UpdateBaseline) {
    Known.prune(Gone);
    if (llvm::Error E = Known.write(O.Baseline))
      return Failed(llvm::toString(std::move(E)));
    if (!O.Quiet)
      llvm::errs() << "tensortidy: note: '" << O.Baseline << "' lists "
                   << counted(Known.size(), "finding") << ", of which " << Added
                   << (Added == 1 ? " is" : " are") << " new\n";
  }
  reportGone(Gone);
}

void Reporting::finish(int ExitStatus, StringRef Version) {
  for (const std::string &Problem : EarlyProblems)
    All->addProblem(Problem);
  All->Version = Version.str();
  All->ExitStatus = ExitStatus;
  All->sort();
  for (const Output &To : O.Outputs) {
    if (isText(To)) {
      if (!To.File.empty())
        write(To, Text->take());
      continue;
    }
    std::string Whole;
    llvm::raw_string_ostream OS(Whole);
    formatCalled(To.Format)->Print(*All, OS);
    OS.flush();
    write(To, Whole);
    if (To.Format == "github")
      writeSummary();
  }
  if (!O.Html.empty())
    if (llvm::Error E = writePages())
      Failed(llvm::toString(std::move(E)));
  if (O.Statistics) {
    llvm::outs().flush();
    printStatistics(*All, llvm::errs());
  }
}

llvm::Error Reporting::writePages() {
  if (Since)
    Since->compare(*All, [&](StringRef File, StringRef Check) {
      return hasLinted(File, Check);
    });
  PageFolder Into(O.Html);
  if (llvm::Error E = Into.begin())
    return E;
  if (llvm::Error E = writeHtml(
          *All, Since ? &*Since : nullptr,
          [&](StringRef Name, StringRef Page) { return Into.add(Name, Page); }))
    return E;
  return Into.commit();
}

void Reporting::write(const Output &To, StringRef Whole) {
  if (To.File.empty())
    llvm::outs() << Whole;
  else if (llvm::Error E = writeOutput(To.File, Whole))
    Failed(llvm::toString(std::move(E)));
}

/// Where a step of a GitHub workflow may say something on the run's page.
void Reporting::writeSummary() {
  const auto Path = llvm::sys::Process::GetEnv("GITHUB_STEP_SUMMARY");
  if (!Path || Path->empty())
    return;
  std::error_code Error;
  llvm::raw_fd_ostream OS(*Path, Error, fs::OF_Append);
  if (!Error) {
    OS << githubSummary(*All);
    OS.close();
    Error = OS.error();
    OS.clear_error();
  }
  if (Error)
    Failed("cannot write GITHUB_STEP_SUMMARY '" + *Path +
           "': " + Error.message());
}

std::vector<std::string> Reporting::unwritten() const {
  std::vector<std::string> Files;
  for (const Output &To : O.Outputs)
    if (!To.File.empty())
      Files.push_back(To.File);
  if (O.UpdateBaseline)
    Files.push_back(O.Baseline);
  if (!O.Html.empty())
    Files.push_back(O.Html);
  if (!O.Depfile.empty())
    Files.push_back(O.Depfile);
  return Files;
}

} // namespace tensortidy::tool
