//===- Main.cpp - the tensortidy command line -----------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//   options -> files and their compile commands -> a process for each file
//           -> findings, in the order of the files, as clang-tidy prints them
//
//===----------------------------------------------------------------------===//

#include "Advice.h"
#include "Analyse.h"
#include "Analysis/Facts/Finding.h"
#include "BuildPaths.h"
#include "Cache.h"
#include "Changes.h"
#include "Config.h"
#include "Database.h"
#include "Depfile.h"
#include "Explain.h"
#include "ExplainWords.h"
#include "Fixes.h"
#include "Information.h"
#include "Init.h"
#include "Interrupts.h"
#include "Merge.h"
#include "Models/ModelFiles.h"
#include "Ninja.h"
#include "Options.h"
#include "Output/Reporting.h"
#include "Places.h"
#include "Progress.h"
#include "Replace.h"
#include "Shard.h"
#include "SharedHeaders.h"
#include "SourceLayouts.h"
#include "Tidy/Compat.h"
#include "Watch.h"
#include "Workers.h"
#include "clang-tidy/ClangTidy.h"
#include "clang-tidy/GlobList.h"
#include "clang/Basic/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <csignal>
#include <limits>
#include <map>
#include <set>

using namespace clang::tidy;
using llvm::StringRef;

namespace tensortidy::tool {

namespace {

enum Exit { Clean = 0, Findings = 1, Failure = 2 };

void say(const char *Kind, const llvm::Twine &Text) {
  llvm::outs().flush();
  llvm::errs() << "tensortidy: " << Kind << ": " << Text << '\n';
}

int fail(const llvm::Twine &Text) {
  say("error", Text);
  return Failure;
}

int fail(llvm::Error E) { return fail(llvm::toString(std::move(E))); }

//===----------------------------------------------------------------------===//
// A run
//===----------------------------------------------------------------------===//

class Linter {
public:
  explicit Linter(Options Given) : O(std::move(Given)) {
    O.PrintProgram |= O.PrintLayouts;
  }

  int run() {
    if (O.VerifyConfig)
      return verifyConfig();
    if (int Bad = prepare())
      return Bad;
    if (O.EmitNinja)
      return writeNinja();
    Work W;
    W.Count = Jobs.size();
    std::vector<double> Seconds(Jobs.size());
    W.AtOnce = O.Jobs ? O.Jobs : usableCores();
    // Who says how many has said it.
    const char *MakeFlags = std::getenv("MAKEFLAGS");
    JobServer Tokens(!O.Jobs && MakeFlags ? MakeFlags : "");
    if (Tokens.isThere()) {
      W.Tokens = &Tokens;
      W.AtOnce = std::max(1U, W.Count);
    }
    W.Timeout = O.Timeout;
    if (Kept && !O.NoPrecompiled)
      Shared.emplace(*Kept, Asked);
    const auto Errand = [&](unsigned I) { return I - unsigned(Jobs.size()); };
    W.Plan = [&](std::vector<unsigned> Pending) {
      if (Shared)
        Shared->plan(Jobs, Pending);
      // The last to start is the last to end: that it be a short one.
      llvm::stable_sort(Pending, [&](unsigned A, unsigned B) {
        return Seconds[A] > Seconds[B];
      });
      std::vector<unsigned> Order;
      for (unsigned I = 0; Shared && I < Shared->builds(); ++I)
        Order.push_back(Jobs.size() + I);
      llvm::append_range(Order, Pending);
      return Order;
    };
    W.Ready = [&](unsigned I) {
      return I >= Jobs.size() || !Shared || Shared->isReady(I);
    };
    W.Again = [&](unsigned I, const Outcome &End) {
      // Perhaps for what it was given; then it is one that does not fit.
      if (I >= Jobs.size() || !Shared || End.How != Outcome::Crashed ||
          llvm::all_of(Shared->of(I), [](auto *Header) { return !Header; }))
        return false;
      Shared->forget(I);
      ++Misfits;
      return true;
    };
    W.Known = [&](unsigned I) {
      Cache::Entry Known;
      if (Kept)
        Known = Kept->find(keyOf(Jobs[I], Jobs[I].Options));
      // Of one that is not known it may be the slowest.
      Seconds[I] =
          Known.Seconds.value_or(std::numeric_limits<double>::infinity());
      if (Known.Result) {
        ++FromCache;
        Hits.insert(I);
        Read.add(filesOf(Known.Asked));
      }
      return std::move(Known.Result);
    };
    W.Run = [&](unsigned I) {
      if (I >= Jobs.size()) {
        Shared->build(Errand(I));
        return std::string();
      }
      return write(analyseOne(I));
    };
    ProgressDisplay Display(W.Count, std::max(1u, W.AtOnce), O.Quiet);
    W.Started = [&](unsigned I) {
      if (I < Jobs.size())
        Display.started(I, Jobs[I].File);
    };
    W.Ended = [&](unsigned I) {
      if (I < Jobs.size())
        Display.ended(I);
      else
        Shared->built(Errand(I));
    };
    W.Waiting = [&] { Display.show(Found); };
    W.Done = [&](unsigned I, const Outcome &Result) {
      Display.clear();
      if (O.Watch)
        Said.push_back(digestOf(Result.Output));
      if (!Last || !Hits.count(I) ||
          !llvm::is_contained(Last->Said, Said.back()))
        done(Jobs[I], Result);
      ++Analysed;
      llvm::outs().flush();
      return !llvm::outs().has_error();
    };
    const int Signal = runAll(W);
    Display.clear();
    if (llvm::outs().has_error())
      return cannotPrint();
    if (Signal)
      endInterrupted(Signal);
    return finish();
  }

  /// Says nothing of files of which nothing has changed since \p Before.
  void reportOnlyNew(const WatchedRun *Before) { Last = Before; }
  /// What was read, by any file, and said.
  WatchedRun watched() {
    addConfiguration();
    return {Read.files(), std::move(Said)};
  }

private:
  bool wantsFiles() const { return !O.Depfile.empty() || O.Watch; }

  /// In a process of its own.
  FileResult analyseOne(unsigned I) {
    std::string Layouts;
    if (O.ExplainLine)
      tidy::setLayoutSink([&](StringRef, StringRef Text,
                              const std::vector<tidy::PlacedLayout> &Found) {
        Layouts = layoutsOfLine(Text, Found, O.ExplainLine);
        if (!O.ExplainSvg.empty())
          Layouts += '\0' + pictureOfLine(Text, Found, O.ExplainLine);
      });
    std::vector<const SharedHeader *> Headers;
    if (Shared)
      Headers = Shared->of(I);
    bool Misfit = false;
    Request How = Asked;
    for (;;) {
      std::unique_ptr<ConfigProvider> Config = provider();
      // As it is now, and as the analysis will have it.
      const std::string Key =
          Kept ? keyOf(Jobs[I], Config->getOptions(Jobs[I].File)) : "";
      Accesses Disk;
      FileResult Result =
          analyse(Jobs[I], std::move(Config), How,
                  Key.empty() && !wantsFiles() ? nullptr : &Disk, Headers);
      // An error may be one that the file alone does not have. A header that is
      // not there is no such error, nor are those that follow from it.
      if (Result.HasCompileErrors && Result.WithShared && !Result.MissesFile) {
        Headers.clear();
        Misfit = true;
        continue;
      }
      if (Result.HasLateErrors && !How.ReadEverything) {
        How.ReadEverything = true;
        continue;
      }
      Result.Misfit = Misfit;
      if (Kept)
        Kept->keep(Key, Disk, Result);
      if (wantsFiles())
        Result.Read = filesOf(Disk.list());
      if (O.ExplainLine)
        Result.Programs = std::move(Layouts); // and, behind a 0, the picture
      return Result;
    }
  }

  ConfigRequest request() const {
    ConfigRequest R;
    R.Checks = O.Checks;
    R.Config = O.Config;
    R.ConfigFile = O.ConfigFile;
    R.LineFilter = O.LineFilter;
    R.Overrides.HeaderFilterRegex = O.HeaderFilter;
    if (O.ExcludeHeaderFilter)
      compat::excludeHeaders(R.Overrides, *O.ExcludeHeaderFilter);
    R.Overrides.SystemHeaders = O.SystemHeaders;
    R.Overrides.WarningsAsErrors = O.WarningsAsErrors;
    R.Overrides.UseColor = O.UseColor;
    if (!O.Model.empty())
      R.Overrides.CheckOptions[tidy::ModelOption].Value = O.Model;
    if (!O.ExtraArgs.empty())
      R.Overrides.ExtraArgs = O.ExtraArgs;
    if (!O.ExtraArgsBefore.empty())
      R.Overrides.ExtraArgsBefore = O.ExtraArgsBefore;
    return R;
  }

  std::unique_ptr<ConfigProvider> provider() const {
    return llvm::cantFail(ConfigProvider::create(request()));
  }

  /// Finds files, commands and configuration; a mistake in the request itself
  /// ends the run, one that concerns a file ends that file.
  int prepare() {
    auto Config = ConfigProvider::create(request());
    if (!Config)
      return fail(Config.takeError());
    if (O.Checks)
      if (std::string Why = unknownChecks(*O.Checks); !Why.empty())
        return fail(Why);
    Asked = {resourceDir(), O.PrintProgram, O.PrintLayouts, O.ReadEverything,
             !O.Html.empty()};
    if (Asked.ResourceDir.empty())
      return fail("clang's own headers are not installed: install "
                  "libclang-common-" CLANG_VERSION_MAJOR_STRING "-dev");

    openCache();

    if (O.AfterDashes && !O.BuildDir.empty())
      return fail("-p and flags after -- exclude each other");
    if (!O.BuildDir.empty())
      if (llvm::Error E = Database.use(O.BuildDir))
        return fail(std::move(E));
    if (!O.Torch.empty())
      if (llvm::Error E = Database.useTorch(O.Torch))
        return fail(std::move(E));
    if (O.Files.empty() && !O.BuildDir.empty()) {
      O.Files = Database.sources();
      Listed = true;
      if (O.Files.empty())
        return fail("there is no C++ source in the compile database of '" +
                    llvm::Twine(O.BuildDir) + "'");
    }
    if (O.Files.empty())
      return fail("no files given; see tensortidy --help");
    if (llvm::Error E = Reports.begin())
      return fail(std::move(E));
    if (!O.Shard.empty())
      O.Files = llvm::cantFail(Shard::parse(O.Shard)).take(O.Files);
    if (O.Files.empty() && !O.Quiet)
      say("note", "there is no file in shard " + O.Shard);
    for (const std::string &File : O.Files)
      add(File);
    if (Jobs.empty() && !Failed && O.Shard.empty())
      return fail("no checks enabled");
    if (O.Since)
      return keepChanged();
    return Clean;
  }

  /// Keeps the jobs that a change may concern: of the file itself, or of what
  /// the last run asked for.
  int keepChanged() {
    auto Found = Changes::since(*O.Since);
    if (!Found)
      return fail(Found.takeError());
    Changed = std::move(*Found);
    O.Files.clear();
    for (const Job &J : Jobs) {
      Cache::Entry Known;
      if (Kept)
        Known = Kept->find(keyOf(J, J.Options));
      const bool IsTouched =
          Changed->has(J.File) ||
          (Known.Seconds ? llvm::any_of(Known.Read,
                                        [&](const std::string &Path) {
                                          return Changed->has(Path);
                                        })
                         : Changed->mayConcernOthers());
      if (IsTouched)
        O.Files.push_back(J.File);
    }
    // What changed in headers is to be seen, too.
    Jobs.clear();
    if (const std::string Headers = Changed->headerFilter();
        !Headers.empty() && !O.HeaderFilter)
      O.HeaderFilter = Headers;
    for (const std::string &File : O.Files)
      add(File);
    if (Jobs.empty() && !Failed && !O.Quiet)
      say("note",
          "nothing to lint: no file is concerned by what changed since " +
              llvm::Twine(*O.Since));
    return Clean;
  }

  /// 0 for a file that is none of \p Sources.
  static size_t lineOf(llvm::ArrayRef<SourceText> Sources, StringRef Path,
                       unsigned Offset) {
    const auto *Source = llvm::find_if(
        Sources, [&](const SourceText &S) { return S.Path == Path; });
    return Source == Sources.end()
               ? 0
               : StringRef(Source->Text).take_front(Offset).count('\n') + 1;
  }

  /// Whether \p E or something that its notes name lies in changed lines.
  bool isInChange(const ClangTidyError &E,
                  llvm::ArrayRef<SourceText> Sources) const {
    const auto Lies = [&](const clang::tooling::DiagnosticMessage &M) {
      const std::string Path = pathIn(M.FilePath, E.BuildDirectory);
      const size_t Line = lineOf(Sources, Path, M.FileOffset);
      return Line && Changed->has(Path, Line);
    };
    return Lies(E.Message) || llvm::any_of(E.Notes, Lies);
  }

  int writeNinja() {
    addConfiguration();
    if (llvm::Error E = emitNinja(O, Jobs, Read.files()))
      return fail(std::move(E));
    return Failed ? Failure : Clean;
  }

  /// What decides on the files, their commands and their checks.
  void addConfiguration() {
    Read.addOptions(O);
    for (const Job &J : Jobs)
      Read.add(provider()->files(J.File));
  }

  void add(const std::string &File) {
    StringRef Folder = llvm::sys::path::parent_path(File);
    if (Listed && !llvm::sys::fs::exists(Folder))
      return commandsFailed(File, Folder);
    if (!llvm::sys::fs::exists(File))
      return fileFailed("no such file: '" + llvm::Twine(File) + "'");
    if (llvm::sys::fs::is_directory(File))
      return fileFailed("'" + llvm::Twine(File) + "' is a directory");

    // A provider remembers what it has read, but not for which file it failed.
    std::unique_ptr<ConfigProvider> Config = provider();
    ClangTidyOptions FileOptions = Config->getOptions(File);
    for (const std::string &Problem : Config->problems())
      fileFailed(Problem);
    if (!Config->problems().empty())
      return;
    for (const ConfigMistake &M : Config->mistakes(File))
      warn(llvm::Twine(M.Source) + ": " + M.Text +
           (StringRef(M.Text).contains("; did you mean ") ? "?" : ""));
    GlobList Enabled(FileOptions.Checks.value_or(""));
    bool Any = false;
    for (const analysis::CheckInfo &C : analysis::checks())
      Any |= Enabled.contains(C.Name);
    if (!Any)
      return;

    auto Model = FileOptions.CheckOptions.find(tidy::ModelOption);
    if (!modelIsGood(File, Model == FileOptions.CheckOptions.end()
                               ? ""
                               : Model->second.Value))
      return;

    std::string Note;
    auto Found = Database.of(File, Note);
    if (!Found)
      return fileFailed(llvm::toString(Found.takeError()));
    if (std::string Absent = absentDirectory(*Found); !Absent.empty())
      return commandsFailed(File, Absent);
    if (!Note.empty() && !O.Quiet && !std::exchange(Guessed, true))
      say("note", Note);
    Jobs.push_back({File, std::move(*Found), std::move(FileOptions)});
  }

  /// As clang-tidy's, for what is about us.
  int verifyConfig() {
    std::vector<std::string> Files = O.Files;
    if (Files.empty())
      Files.emplace_back("dummy"); // what is here counts
    std::set<std::string> Said;
    for (const std::string &File : Files) {
      auto Config = ConfigProvider::create(request());
      if (!Config)
        return fail(Config.takeError());
      for (const ConfigMistake &M : (*Config)->mistakes(File)) {
        std::string Text =
            M.Source + ": warning: " + M.Text + " [-verify-config]\n";
        if (Said.insert(Text).second)
          llvm::errs() << Text;
      }
      for (const std::string &Problem : (*Config)->problems())
        fileFailed(Problem);
    }
    if (!Failed && Said.empty())
      llvm::outs() << "No config errors detected.\n";
    return Failed ? Failure : Said.empty() ? Clean : Findings;
  }

  /// Reads the user's model once before anything is analysed with it.
  bool modelIsGood(StringRef File, StringRef Given) {
    llvm::vfs::FileSystem &FS = *llvm::vfs::getRealFileSystem();
    std::string Path = models::userModelFile(File, Given, FS);
    if (Path.empty())
      return true;
    auto [It, New] = Models.try_emplace(Path, true);
    if (New)
      if (auto Model = models::readUserModel(Path, FS); !Model) {
        It->second = false;
        fileFailed(llvm::toString(Model.takeError()));
      }
    return It->second;
  }

  /// Every command of a database that was made elsewhere fails in the same way:
  /// that is said once. \p Absent is not on this machine.
  void commandsFailed(StringRef File, StringRef Absent) {
    Failed = true;
    if (!std::exchange(SaidForeign, true))
      fileFailed(absentMessage(
          O.BuildDir.empty() ? File : StringRef(O.BuildDir), Absent));
  }

  /// What to do about headers that are not found, once for each library.
  void advise(const Job &J, const std::vector<ClangTidyError> &Errors) {
    for (const ClangTidyError &E : Errors) {
      StringRef Header = missingHeader(E.Message.Message);
      if (Header.empty())
        continue;
      if (std::string Absent = absentIncludes(J.Commands); !Absent.empty())
        return commandsFailed(J.File, Absent);
      std::string Advice = adviceOnHeader(Header, Database.torch().Flags);
      if (!Advice.empty() && Complaints.insert(Advice).second)
        say("note", "for '" + Header + "': " + Advice);
    }
  }

  void fileFailed(const llvm::Twine &Why) {
    // One broken database is one message, however many files need it.
    if (Complaints.insert(Why.str()).second) {
      say("error", Why);
      Reports.problem(Why);
    }
    Failed = true;
  }

  /// Of one configuration, however many files it is for.
  void warn(const llvm::Twine &Text) {
    if (Complaints.insert(Text.str()).second)
      say("warning", Text);
  }

  /// What \p End left of \p J; nothing, with a complaint, where that is none.
  std::optional<FileResult> resultOf(const Job &J, const Outcome &End) {
    const std::string File = "'" + J.File + "'";
    std::string Why;
    std::optional<FileResult> Result;
    switch (End.How) {
    case Outcome::Crashed:
      // A signal handler that has no stack left cannot even say where it was.
      Why = End.Status == SIGSEGV && !StringRef(End.Stderr).contains("#0 ")
                ? File + " is nested too deeply to be analysed; the other "
                         "files are not affected"
                : "the analysis of " + File + " crashed (" +
                      strsignal(End.Status) +
                      "); this is a bug in tensortidy, the other files are "
                      "not affected";
      break;
    case Outcome::TimedOut:
      Why = "the analysis of " + File + " took more than " +
            std::to_string(O.Timeout) + " seconds; see --timeout";
      break;
    case Outcome::NotStarted:
      Why = "cannot start a process for " + File + ": " + End.Stderr;
      break;
    case Outcome::Finished:
      Result = read(End.Output);
      if (!Result)
        Why = "the analysis of " + File + " ended early";
    }
    if (!Result)
      fileFailed(Why);
    return Result;
  }

  /// The findings of \p Result that nothing was said of before.
  std::vector<ClangTidyError> newFindings(const FileResult &Result) {
    std::vector<ClangTidyError> New;
    for (const ClangTidyError &E : Result.Errors) {
      if (E.DiagnosticName == "clang-tidy-config") {
        // Values that say nothing were warned of before the run.
        if (E.DiagLevel == ClangTidyError::Error)
          fileFailed(E.Message.Message);
        continue;
      }
      bool Finding = E.DiagnosticName != "clang-diagnostic-error";
      if (Finding &&
          (O.PrintProgram || (O.ExplainLine && !isAsked(E, Result.Sources))))
        continue;
      // A finding in a header comes once, whoever includes it by which name.
      if (!Seen.insert(placeOf(E)).second)
        continue;
      if (Finding && !Reports.isNew(E, Result)) {
        InBaseline.insert(placeOf(E));
        continue;
      }
      Found += Finding;
      New.push_back(E);
    }
    return New;
  }

  /// What --print-program and explain print, and draw.
  void printPrograms(const FileResult &Result) {
    auto [Text, Picture] = StringRef(Result.Programs).split('\0');
    llvm::outs() << Text;
    if (O.ExplainSvg.empty())
      return;
    llvm::outs().flush();
    if (!Picture.consume_front("<svg"))
      fileFailed("nothing is drawn: " +
                 (Picture.empty() ? "there is no tensor with a known layout"
                                  : Picture));
    else
      Failed |= !writeSvg(O.ExplainSvg, ("<svg" + Picture).str());
  }

  void done(const Job &J, const Outcome &End) {
    // A crash dump tells what it has to tell in its first lines.
    StringRef Said = End.Stderr;
    if (End.How == Outcome::NotStarted)
      Said = ""; // the reason, said below
    for (unsigned Lines = 0; !Said.empty() && Lines < 40; ++Lines) {
      auto [Line, Rest] = Said.split('\n');
      llvm::errs() << Line << '\n';
      Said = Rest;
    }
    if (Kept && !End.Stderr.empty()) // which is no part of the result
      Kept->forget(keyOf(J, J.Options));
    auto Result = resultOf(J, End);
    if (!Result)
      return;
    Stats.add(Result->Stats);
    Read.add(Result->Read);
    WithShared += Result->WithShared != 0;
    Misfits += Result->Misfit;
    if (Shared && (Result->WithShared || Result->Misfit))
      Shared->learn(unsigned(&J - Jobs.data()), !Result->Misfit);
    if (Changed && !O.AllLines)
      llvm::erase_if(Result->Errors, [&](const ClangTidyError &E) {
        return StringRef(E.DiagnosticName).starts_with("tensor-") &&
               !isInChange(E, Result->Sources);
      });
    std::vector<ClangTidyError> New = newFindings(*Result);
    if (!O.PrintProgram && !O.ExplainLine) {
      if ((!O.Baseline.empty() || !O.HtmlCompare.empty()) &&
          !Result->HasCompileErrors)
        Reports.linted(*Result,
                       provider()->getOptions(J.File).Checks.value_or(""));
      suggestFixes(*Result);
    }
    printPrograms(*Result);
    std::string HowMany;
    if (Result->HasCompileErrors)
      HowMany = keepFirstErrors(New);
    if (!O.PrintProgram && !O.ExplainLine)
      Reports.add(New, *Result);
    Reports.print(
        New, *Result,
        [&](bool InColour) {
          if (InColour)
            O.UseColor = true; // of a terminal, though LLVM does not see it
          return provider();
        },
        Jobs.front().File);
    if (Result->HasCompileErrors) {
      advise(J, New);
      ++Broken;
      fileFailed("'" + llvm::Twine(J.File) + "' does not compile" + HowMany +
                 "; its functions that contain an error were not analysed");
    }
    if (!O.ExportFixes.empty())
      llvm::append_range(ToExport, New);
  }

  /// What tells one finding of a run from another.
  using FindingPlace =
      std::tuple<std::string, unsigned, std::string, std::string>;
  static FindingPlace placeOf(const ClangTidyError &E) {
    return {realPath(E.Message.FilePath, E.BuildDirectory),
            E.Message.FileOffset, E.DiagnosticName, E.Message.Message};
  }

  /// Only what is shown is fixed.
  void suggestFixes(FileResult &R) {
    if ((!O.Fix && !O.Diff) || O.AddNolint || R.HasCompileErrors)
      return;
    llvm::erase_if(R.Errors, [&](const ClangTidyError &E) {
      return !InBaseline.empty() && InBaseline.count(placeOf(E));
    });
    Suggested.add(R);
  }

  /// Once, over the findings of all files: two files may want the same change
  /// in a header.
  void fix() {
    if (O.AddNolint)
      Reports.suggestComments(Suggested);
    if (Suggested.empty())
      return;
    std::unique_ptr<ConfigProvider> Config = provider();
    Fixes::Hooks Hooks;
    Hooks.Style = [&](StringRef File) {
      // A comment that is broken into two lines no longer silences.
      return O.AddNolint
                 ? "none"
                 : Config->getOptions(File).FormatStyle.value_or("none");
    };
    Hooks.Failed = [&](const std::string &Why) { fileFailed(Why); };
    if (O.Diff)
      Suggested.print(llvm::outs(), Hooks);
    else
      Suggested.apply(Hooks);
    llvm::outs().flush();
    if (O.Quiet)
      return;
    const char *Verb = O.Diff ? "printed" : O.AddNolint ? "wrote" : "applied";
    llvm::errs() << (O.AddNolint
                         ? Suggested.summary(Verb, "comment", "comments")
                         : Suggested.summary(Verb))
                 << '\n';
  }

  void exportFixes() {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    exportReplacements(Jobs.size() == 1 ? Jobs.front().File : "", ToExport, OS);
    OS.flush();
    if (llvm::Error E = writeOutput(O.ExportFixes, Text))
      fileFailed(llvm::toString(std::move(E)));
  }

  std::string keyOf(const Job &J, const ClangTidyOptions &Options) const {
    std::vector<std::string> Inputs = inputsOf(J, Options, Asked);
    if (!Inputs.empty())
      Inputs.push_back(O.LineFilter);
    return Cache::keyOf(Inputs, executable());
  }

  /// A line of a source is explained by what an analysis does, not by its
  /// result.
  void openCache() {
    const std::string Dir = O.CacheDir.empty() ? defaultCacheDir() : O.CacheDir;
    if (O.NoCache || O.ExplainLine || Dir.empty())
      return;
    Kept.emplace(Dir);
    if (!Kept->problem())
      return;
    if (!O.CacheDir.empty())
      warn("nothing is kept in '" + llvm::Twine(Dir) +
           "': " + Kept->problem().message());
    Kept.reset();
  }

  int finish() {
    if (Kept)
      Kept->prune();
    fix();
    if (!O.ExportFixes.empty())
      exportFixes();
    Reports.updateBaseline();
    Reports.finish(status(), TENSORTIDY_VERSION);
    if (!O.Depfile.empty()) {
      addConfiguration();
      if (llvm::Error E = Read.write(O, Failed))
        fileFailed(llvm::toString(std::move(E)));
    }
    llvm::outs().flush();
    if (llvm::outs().has_error())
      return cannotPrint();
    if (O.Stats) {
      if (Kept)
        llvm::errs() << "results from the cache: " << FromCache << " of "
                     << Jobs.size() << '\n';
      if (Shared)
        llvm::errs() << "precompiled headers: " << Shared->builds() << " made, "
                     << Shared->found() << " of former runs; read with one: "
                     << counted(WithShared, "file") << ", did not fit "
                     << Misfits << '\n';
      if (const Libtorch *Torch = Database.usedTorch())
        llvm::errs() << "files without a command: " << describe(*Torch)
                     << " in " << Torch->Include << '\n';
      Stats.print(llvm::errs());
    }
    if (!O.Quiet && !O.PrintProgram && !O.ExplainLine &&
        (Found || Reports.silenced() || Reports.inBaseline() ||
         Jobs.size() > 1))
      llvm::errs() << summary() << '\n';
    return status();
  }

  Exit status() const { return Failed ? Failure : Found ? Findings : Clean; }

  /// The disk is full, or nobody reads and SIGPIPE is ignored.
  int cannotPrint() {
    std::string Why = llvm::outs().error().message();
    llvm::outs().clear_error(); // which would end us again, at exit
    return fail("cannot write to standard output: " + llvm::Twine(Why));
  }

  /// A run that was interrupted has printed what it found. It changes no file:
  /// what a later file says may be missing from its fixes.
  [[noreturn]] void endInterrupted(int Signal) {
    std::string Text = std::to_string(Analysed) + " of " +
                       counted(Jobs.size(), "file") + " analysed, " +
                       counted(Found, "finding") + " so far";
    if (O.Fix && !O.Diff)
      Text += "; no fix was applied";
    if (O.AddNolint && !O.Diff)
      Text += "; no comment was written";
    if (O.Diff)
      Text += "; no patch was printed";
    std::vector<std::string> Files = Reports.unwritten();
    if (!O.ExportFixes.empty())
      Files.push_back(O.ExportFixes);
    for (const std::string &File : Files)
      Text += "; '" + File + "' was not written";
    say("interrupted", Text);
    dieOf(Signal);
  }

  std::string summary() const {
    std::string Text =
        counted(Found, "finding") + " in " + counted(Jobs.size(), "file");
    if (Broken)
      Text += ", of which " + std::to_string(Broken) +
              (Broken == 1 ? " does" : " do") + " not compile";
    if (Reports.inBaseline())
      Text += ", " + std::to_string(Reports.inBaseline()) + " in the baseline";
    if (Reports.silenced())
      Text += ", " + std::to_string(Reports.silenced()) + " silenced by NOLINT";
    return Text;
  }

  /// Whether a finding stands on the line that `explain` asks about.
  bool isAsked(const ClangTidyError &E,
               llvm::ArrayRef<SourceText> Sources) const {
    const std::string &File = Jobs.front().File;
    return StringRef(E.DiagnosticName).starts_with("tensor-") &&
           E.Message.FilePath == File &&
           lineOf(Sources, File, E.Message.FileOffset) == O.ExplainLine;
  }

  Options O;
  Commands Database{O.AfterDashes};
  Request Asked;
  std::vector<Job> Jobs;
  std::set<std::string> Complaints;
  std::map<std::string, bool> Models; ///< the users', and whether they are good
  std::set<FindingPlace> Seen, InBaseline;
  Reporting Reports{O, [this](const llvm::Twine &Why) { fileFailed(Why); }};
  std::vector<ClangTidyError> ToExport;
  Fixes Suggested;
  Depfile Read; ///< by the analyses
  tidy::Statistics Stats;
  std::optional<Cache> Kept; ///< results of former runs
  unsigned FromCache = 0;
  std::set<unsigned> Hits;          ///< the jobs that were
  const WatchedRun *Last = nullptr; ///< --watch; and digests of this run
  std::vector<uint64_t> Said;
  std::optional<Changes> Changed; ///< --since
  std::optional<SharedHeaders> Shared;
  unsigned WithShared = 0, Misfits = 0; ///< files that began with one, and not
  unsigned Analysed = 0, Broken = 0, Found = 0;
  bool Failed = false, Guessed = false, SaidForeign = false;
  bool Listed = false; ///< the files are those of the compile database
};

} // namespace

/// tensortidy explain QUESTION | FILE:LINE
static int explainCommand(llvm::ArrayRef<const char *> Words) {
  auto Given = ExplainWords::parse(Words);
  if (!Given)
    return fail(Given.takeError());
  if (Given->Help) {
    llvm::outs() << ExplainHelp;
    return Clean;
  }
  if (Given->File.empty())
    return explainMain(Given->Question, Given->Svg);
  std::vector<const char *> Rest{"tensortidy", Given->File.c_str()};
  llvm::append_range(Rest, Given->Rest);
  llvm::Expected<Options> O =
      parseOptions(static_cast<int>(Rest.size()), Rest.data());
  if (!O)
    return fail(O.takeError());
  if (O->Files.size() != 1)
    return fail("explain: one FILE:LINE at a time");
  O->ExplainLine = Given->Line;
  O->ExplainSvg = Given->Svg;
  return Linter(std::move(*O)).run();
}

static int mainImpl(int Argc, const char *const *Argv) {
  StringRef Command = Argc > 1 ? Argv[1] : "";
  if (Command == "explain")
    return explainCommand({Argv + 2, static_cast<size_t>(Argc - 2)});
  if (Command == "merge")
    return mergeMain({Argv + 2, Argv + Argc});
  if (Command == "init")
    return initMain({Argv + 2, Argv + Argc},
                    executableDir() + "/tensortidy-clangd");
  llvm::Expected<Options> O = parseOptions(Argc, Argv);
  if (!O)
    return fail(O.takeError());
  if (O->Help || O->Version || O->PluginPath || O->CudaFlags || O->ListChecks ||
      O->Completion || O->ListChanged) {
    auto Text = information(*O);
    if (!Text)
      return fail(Text.takeError());
    llvm::outs() << *Text;
    return Clean;
  }
  if (O->Watch)
    return watchFiles(O->Quiet, [&](const WatchedRun *Last) {
      Linter L(*O);
      L.reportOnlyNew(Last);
      L.run();
      return L.watched();
    });
  return Linter(std::move(*O)).run();
}

} // namespace tensortidy::tool

int main(int Argc, const char **Argv) {
  llvm::sys::Process::FixupStandardFileDescriptors();
  tensortidy::tool::handleCrashes(Argv[0]);
  return tensortidy::tool::mainImpl(Argc, Argv);
}
