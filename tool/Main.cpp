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

#include "Analyse.h"
#include "Analysis/Finding.h"
#include "BuildPaths.h"
#include "Config.h"
#include "Cuda.h"
#include "Database.h"
#include "Explain.h"
#include "Fixes.h"
#include "Frontend/ApiModel.h"
#include "Frontend/Frontend.h"
#include "Init.h"
#include "Options.h"
#include "Replace.h"
#include "Workers.h"
#include "clang-tidy/ClangTidy.h"
#include "clang-tidy/GlobList.h"
#include "clang/Basic/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include <csignal>
#include <map>
#include <set>
#include <thread>
#include <unistd.h>

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
// Where things are
//===----------------------------------------------------------------------===//

std::string executableDir() {
  static int Anchor;
  std::string Path = llvm::sys::fs::getMainExecutable(nullptr, &Anchor);
  return llvm::sys::path::parent_path(Path).str();
}

/// The plugin stands in the lib directory beside our bin.
std::string pluginPath() {
  llvm::SmallString<256> Path(executableDir());
  llvm::sys::path::append(Path, "..", TENSORTIDY_LIBDIR, TENSORTIDY_PLUGIN);
  llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

/// The installed stand-ins for CUDA's headers.
std::string cudaDir() {
  llvm::SmallString<256> Path(executableDir());
  llvm::sys::path::append(Path, "..", TENSORTIDY_DATADIR, "tensortidy", "cuda");
  llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

/// Clang's own headers: beside an installation that brought them along, or of
/// the release this was built with.
std::string resourceDir() {
  llvm::SmallString<256> Beside(executableDir());
  llvm::sys::path::append(Beside, "..", "lib", "clang",
                          CLANG_VERSION_MAJOR_STRING);
  llvm::sys::path::remove_dots(Beside, /*remove_dot_dot=*/true);
  for (const llvm::Twine &Dir :
       {llvm::Twine(Beside), llvm::Twine(TENSORTIDY_RESOURCE_DIR),
        llvm::Twine("/usr/lib/llvm-" CLANG_VERSION_MAJOR_STRING
                    "/lib/clang/" CLANG_VERSION_MAJOR_STRING)})
    if (llvm::sys::fs::exists(Dir + "/include/stddef.h"))
      return Dir.str();
  return "";
}

//===----------------------------------------------------------------------===//
// What is printed
//===----------------------------------------------------------------------===//

int printInformation(const Options &O) {
  llvm::raw_ostream &OS = llvm::outs();
  if (O.Help)
    OS << helpText();
  else if (O.Version)
    OS << "tensortidy " TENSORTIDY_VERSION " (LLVM " CLANG_VERSION_STRING ")\n";
  else if (O.PluginPath) {
    std::string Path = pluginPath();
    if (!llvm::sys::fs::exists(Path))
      return fail("the plugin has not been built: " + llvm::Twine(Path));
    OS << Path << '\n';
  } else if (O.CudaFlags) {
    OS << llvm::join(cudaFlags(cudaDir(), resourceDir(), cudaToolkit("")), " ")
       << '\n';
  } else {
    for (const analysis::CheckInfo &C : analysis::checks()) {
      OS << C.Name;
      OS.indent(30 - std::min<size_t>(29, StringRef(C.Name).size()))
          << "level " << C.Level << (C.HasFix ? "  fix  " : "       ")
          << C.Summary << '\n';
    }
  }
  return Clean;
}

/// While one exists, what is written to standard output goes to standard error.
class StandardError {
public:
  StandardError() : Output(dup(STDOUT_FILENO)) {
    llvm::outs().flush();
    dup2(STDERR_FILENO, STDOUT_FILENO);
  }
  ~StandardError() {
    llvm::outs().flush();
    dup2(Output, STDOUT_FILENO);
    close(Output);
  }
  StandardError(const StandardError &) = delete;
  StandardError &operator=(const StandardError &) = delete;

private:
  const int Output;
};

//===----------------------------------------------------------------------===//
// A run
//===----------------------------------------------------------------------===//

class Linter {
public:
  explicit Linter(Options Given) : O(std::move(Given)) {
    O.PrintProgram |= O.PrintLayouts;
  }

  int run() {
    if (int Bad = prepare())
      return Bad;
    Work W;
    W.Count = Jobs.size();
    W.AtOnce = O.Jobs ? O.Jobs : std::thread::hardware_concurrency();
    W.Timeout = O.Timeout;
    W.Run = [&](unsigned I) {
      std::string Layouts;
      if (O.ExplainLine)
        tidy::setLayoutSink([&](StringRef, StringRef Text,
                                const std::vector<tidy::PlacedLayout> &Found) {
          Layouts = layoutsOfLine(Text, Found, O.ExplainLine);
        });
      FileResult Result = analyse(Jobs[I], provider(), Resources,
                                  O.PrintProgram, O.PrintLayouts);
      if (O.ExplainLine)
        Result.Programs = std::move(Layouts);
      return write(Result);
    };
    bool ShowProgress = !O.Quiet && Jobs.size() > 1 &&
                        llvm::sys::Process::StandardErrIsDisplayed();
    W.Started = [&](unsigned I) {
      if (ShowProgress)
        llvm::errs() << '[' << I + 1 << '/' << Jobs.size() << "] "
                     << Jobs[I].File << '\n';
    };
    W.Done = [&](unsigned I, const Outcome &Result) { done(Jobs[I], Result); };
    runAll(W);
    return finish();
  }

private:
  ConfigRequest request() const {
    ConfigRequest R;
    R.Checks = O.Checks;
    R.Config = O.Config;
    R.ConfigFile = O.ConfigFile;
    R.LineFilter = O.LineFilter;
    R.Overrides.HeaderFilterRegex = O.HeaderFilter;
    R.Overrides.ExcludeHeaderFilterRegex = O.ExcludeHeaderFilter;
    R.Overrides.SystemHeaders = O.SystemHeaders;
    R.Overrides.WarningsAsErrors = O.WarningsAsErrors;
    R.Overrides.UseColor = O.UseColor;
    if (!O.Model.empty())
      R.Overrides.CheckOptions["tensortidy.Model"].Value = O.Model;
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
    Resources = resourceDir();
    if (Resources.empty())
      return fail("clang's own headers are not installed: install "
                  "libclang-common-" CLANG_VERSION_MAJOR_STRING "-dev");

    std::unique_ptr<clang::tooling::CompilationDatabase> Fixed;
    if (O.AfterDashes) {
      llvm::SmallString<256> Cwd;
      llvm::sys::fs::current_path(Cwd);
      Fixed = std::make_unique<clang::tooling::FixedCompilationDatabase>(
          Cwd, *O.AfterDashes);
      if (!O.BuildDir.empty())
        return fail("-p and flags after -- exclude each other");
    }
    Commands Database(std::move(Fixed));
    if (!O.BuildDir.empty())
      if (llvm::Error E = Database.use(O.BuildDir))
        return fail(std::move(E));
    if (O.Files.empty() && !O.BuildDir.empty()) {
      O.Files = Database.sources();
      if (O.Files.empty())
        return fail("there is no C++ source in the compile database of '" +
                    llvm::Twine(O.BuildDir) + "'");
    }
    if (O.Files.empty())
      return fail("no files given; see tensortidy --help");
    for (const std::string &File : O.Files)
      add(File, Database);
    if (Jobs.empty() && !Failed)
      return fail("no checks enabled");
    return Clean;
  }

  void add(const std::string &File, Commands &Database) {
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
    GlobList Enabled(FileOptions.Checks.value_or(""));
    bool Any = false;
    for (const analysis::CheckInfo &C : analysis::checks())
      Any |= Enabled.contains(C.Name);
    if (!Any)
      return;

    auto Model = FileOptions.CheckOptions.find("tensortidy.Model");
    if (!modelIsGood(File, Model == FileOptions.CheckOptions.end()
                               ? ""
                               : Model->second.Value))
      return;

    std::string Note;
    auto Found = Database.of(File, Note);
    if (!Found)
      return fileFailed(llvm::toString(Found.takeError()));
    if (!Note.empty() && !O.Quiet && !std::exchange(Guessed, true))
      say("note", Note);
    Jobs.push_back({File, std::move(*Found)});
  }

  /// Reads the user's model once before anything is analysed with it.
  bool modelIsGood(StringRef File, StringRef Given) {
    llvm::vfs::FileSystem &FS = *llvm::vfs::getRealFileSystem();
    std::string Path = frontend::userModelFile(File, Given, FS);
    if (Path.empty())
      return true;
    auto [It, New] = Models.try_emplace(Path, true);
    if (New)
      if (auto Model = frontend::readUserModel(Path, FS); !Model) {
        It->second = false;
        fileFailed(llvm::toString(Model.takeError()));
      }
    return It->second;
  }

  void fileFailed(const llvm::Twine &Why) {
    // One broken database is one message, however many files need it.
    if (Complaints.insert(Why.str()).second)
      say("error", Why);
    Failed = true;
  }

  void done(const Job &J, const Outcome &End) {
    // A crash dump tells what it has to tell in its first lines.
    StringRef Said = End.Stderr;
    for (unsigned Lines = 0; !Said.empty() && Lines < 40; ++Lines) {
      auto [Line, Rest] = Said.split('\n');
      llvm::errs() << Line << '\n';
      Said = Rest;
    }
    std::optional<FileResult> Result;
    switch (End.How) {
    case Outcome::Crashed:
      return fileFailed("the analysis of '" + llvm::Twine(J.File) +
                        "' crashed (" + strsignal(End.Status) +
                        "); this is a bug in tensortidy, the other files are "
                        "not affected");
    case Outcome::TimedOut:
      return fileFailed("the analysis of '" + llvm::Twine(J.File) +
                        "' took more than " + llvm::Twine(O.Timeout) +
                        " seconds; see --timeout");
    case Outcome::NotStarted:
      return fileFailed("cannot start a process for '" + llvm::Twine(J.File) +
                        "': " + End.Stderr);
    case Outcome::Finished:
      Result = read(End.Output);
    }
    if (!Result)
      return fileFailed("the analysis of '" + llvm::Twine(J.File) +
                        "' ended early");

    Stats.add(Result->Stats);
    Silenced += Result->Silenced;
    if ((O.Fix || O.Diff) && !Result->HasCompileErrors && !O.PrintProgram &&
        !O.ExplainLine)
      Suggested.add(*Result);
    std::vector<ClangTidyError> New;
    for (ClangTidyError &E : Result->Errors) {
      bool Finding = E.DiagnosticName != "clang-diagnostic-error";
      if (Finding &&
          (O.PrintProgram || (O.ExplainLine && !isAsked(E, Result->Sources))))
        continue;
      // A finding in a header comes once, whoever includes it by which name.
      if (!Seen.insert({realPath(E.Message.FilePath, E.BuildDirectory),
                        E.Message.FileOffset, E.DiagnosticName,
                        E.Message.Message})
               .second)
        continue;
      Found += Finding;
      New.push_back(std::move(E));
    }
    llvm::outs() << Result->Programs;
    show(New, Result->Sources);
    if (Result->HasCompileErrors)
      fileFailed("'" + llvm::Twine(J.File) +
                 "' does not compile; its functions that contain an error "
                 "were not analysed");
    if (!O.ExportFixes.empty())
      llvm::append_range(ToExport, New);
  }

  /// Prints findings, with the lines that were analysed and not those which
  /// the files have by now.
  void show(const std::vector<ClangTidyError> &Errors,
            llvm::ArrayRef<SourceText> Sources) {
    if (Errors.empty() || (O.Diff && O.Quiet))
      return;
    auto FS = onlySources(Sources);
    llvm::SmallString<256> Cwd;
    llvm::sys::fs::current_path(Cwd);
    FS->setCurrentWorkingDirectory(Cwd);
    ClangTidyContext Context(provider());
    unsigned AsErrors = 0;
    // clang-tidy knows one output only, and a patch has that to itself.
    std::optional<StandardError> Elsewhere;
    if (O.Diff)
      Elsewhere.emplace();
    handleErrors(Errors, Context, FB_NoFix, AsErrors, FS);
    llvm::outs().flush();
  }

  /// Once, over the findings of all files: two files may want the same change
  /// in a header.
  void fix() {
    if (Suggested.empty())
      return;
    std::unique_ptr<ConfigProvider> Config = provider();
    Fixes::Hooks Hooks;
    Hooks.Style = [&](StringRef File) {
      return Config->getOptions(File).FormatStyle.value_or("none");
    };
    Hooks.Failed = [&](const std::string &Why) { fileFailed(Why); };
    if (O.Diff)
      Suggested.print(llvm::outs(), Hooks);
    else
      Suggested.apply(Hooks);
    llvm::outs().flush();
    if (!O.Quiet)
      llvm::errs() << Suggested.summary(O.Diff ? "printed" : "applied") << '\n';
  }

  void exportFixes() {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    exportReplacements(Jobs.size() == 1 ? Jobs.front().File : "", ToExport, OS);
    OS.flush();
    if (llvm::Error E = writeOutput(O.ExportFixes, Text))
      fileFailed(llvm::toString(std::move(E)));
  }

  int finish() {
    fix();
    if (!O.ExportFixes.empty())
      exportFixes();
    if (O.Stats) {
      Stats.print(llvm::outs());
      llvm::outs().flush();
    }
    if (!O.Quiet && !O.PrintProgram && !O.ExplainLine &&
        (Found || Silenced || Jobs.size() > 1))
      llvm::errs() << summary() << '\n';
    return Failed ? Failure : Found ? Findings : Clean;
  }

  std::string summary() const {
    std::string Text = std::to_string(Found) +
                       (Found == 1 ? " finding" : " findings") + " in " +
                       std::to_string(Jobs.size()) +
                       (Jobs.size() == 1 ? " file" : " files");
    if (Silenced)
      Text += ", " + std::to_string(Silenced) + " silenced by NOLINT";
    return Text;
  }

  /// Whether a finding stands on the line that `explain` asks about.
  bool isAsked(const ClangTidyError &E,
               llvm::ArrayRef<SourceText> Sources) const {
    const std::string &File = Jobs.front().File;
    const auto *Source = llvm::find_if(
        Sources, [&](const SourceText &S) { return S.Path == File; });
    return StringRef(E.DiagnosticName).starts_with("tensor-") &&
           E.Message.FilePath == File && Source != Sources.end() &&
           StringRef(Source->Text)
                       .take_front(E.Message.FileOffset)
                       .count('\n') +
                   1 ==
               O.ExplainLine;
  }

  /// Each tensor expression of the line, widest first, with its history.
  static std::string layoutsOfLine(StringRef Text,
                                   const std::vector<tidy::PlacedLayout> &Found,
                                   unsigned Line) {
    size_t Begin = 0;
    for (unsigned L = 1; L < Line; ++L) // npos + 1 is 0, of a file cut since
      Begin = Text.find('\n', Begin) + 1;
    size_t End = std::min(Text.find('\n', Begin), Text.size());
    std::string Out = Text.slice(Begin, End).str() + "\n";
    bool Any = false;
    for (const tidy::PlacedLayout &P : Found) {
      if (P.Begin < Begin || P.Begin >= End)
        continue;
      Any = true;
      StringRef Written = Text.slice(P.Begin, P.End);
      Out += "  " + Written.take_until([](char C) { return C == '\n'; }).str();
      if (!P.Fact.DType.empty())
        Out += "  " + P.Fact.DType;
      for (const std::string &L : P.Fact.Layouts)
        Out += (P.Fact.Layouts.size() > 1 ? "\n    on some path " : "  ") + L;
      Out += "\n";
      for (const analysis::Note &N : P.Fact.History)
        Out +=
            "    line " + std::to_string(N.Where.Line) + ": " + N.Text + "\n";
    }
    return Any ? Out : Out + "  no tensor with a known layout here\n";
  }

  Options O;
  std::string Resources;
  std::vector<Job> Jobs;
  std::set<std::string> Complaints;
  std::map<std::string, bool> Models; ///< the users', and whether they are good
  std::set<std::tuple<std::string, unsigned, std::string, std::string>> Seen;
  std::vector<ClangTidyError> ToExport;
  Fixes Suggested;
  tidy::Statistics Stats;
  unsigned Found = 0, Silenced = 0;
  bool Failed = false, Guessed = false;
};

} // namespace

static const char ExplainHelp[] =
    R"help(tensortidy explain QUESTION [--svg FILE]
tensortidy explain FILE:LINE [-p BUILD_DIR] [-- COMPILER FLAGS]

QUESTION is a tensor and what is done to it, as in
  "[2,3,4] permute(0,2,1) view(2,-1)"
  "[B,T,H*D] view(B,T,H,D) transpose(1,2)"
  "np.arange(24).reshape(2,3,4).T[::2]"
  "ne[64,32,8] ggml_permute(0,2,1,3) ggml_cont"
  "x=[2,3,4]; y=x.transpose(1,2); y.view(x.size(0), -1)"
docs/editors.md has all of it. --svg draws the last tensor and its storage.

FILE:LINE is a place in a source file: says the layout of each tensor there and
how it came about.

Exit status: 0 every step works, 1 a step throws, 2 not understood.
)help";

namespace {
/// FILE:LINE or FILE:LINE:COLUMN, as compilers print it.
struct SourceLine {
  StringRef File;
  unsigned Line = 0;

  static std::optional<SourceLine> parse(StringRef Word) {
    SourceLine R;
    if (Word.find_first_of("[]{}()= ") != StringRef::npos)
      return std::nullopt; // a question, x:[2,3]
    auto [Rest, Last] = Word.rsplit(':');
    if (Last.getAsInteger(10, R.Line))
      return std::nullopt;
    R.File = Rest;
    unsigned Line = 0;
    if (auto [File, Middle] = Rest.rsplit(':'); !Middle.getAsInteger(10, Line))
      R = {File, Line};
    return R;
  }
};
} // namespace

/// tensortidy explain QUESTION | FILE:LINE
static int explainCommand(std::vector<const char *> Words) {
  std::string Question, Svg;
  std::vector<const char *> Rest{"tensortidy"};
  unsigned Line = 0;
  std::string File;
  for (size_t I = 0; I < Words.size(); ++I) {
    StringRef Word = Words[I];
    if (File.empty() && (Word == "--help" || Word == "-h")) {
      llvm::outs() << ExplainHelp;
      return 0;
    }
    if (Word == "--svg" && I + 1 == Words.size())
      return fail("explain: --svg needs a file");
    if (Word == "--svg") {
      Svg = Words[++I];
    } else if (Word.starts_with("--svg=")) {
      Svg = Word.drop_front(6).str();
    } else if (auto Place = SourceLine::parse(Word);
               Place && File.empty() && Question.empty()) {
      if (!llvm::sys::fs::exists(Place->File))
        return fail("no such file: '" + Place->File + "'");
      auto Text = llvm::MemoryBuffer::getFile(Place->File, /*IsText=*/false,
                                              /*RequiresNullTerminator=*/true,
                                              /*IsVolatile=*/true);
      if (!Text)
        return fail("cannot read '" + Place->File +
                    "': " + Text.getError().message());
      const size_t Lines = (*Text)->getBuffer().count('\n') + 1;
      if (!Place->Line || Place->Line > Lines)
        return fail("'" + Place->File + "' has the lines 1 to " +
                    llvm::Twine(Lines));
      File = Place->File.str();
      Line = Place->Line;
    } else if (Question.empty() && File.empty() &&
               llvm::sys::fs::exists(Word)) {
      return fail("explain which line? " + Word + ":LINE");
    } else if (!File.empty() || Word.starts_with("-")) {
      Rest.insert(Rest.end(), Words.begin() + static_cast<long>(I),
                  Words.end());
      break;
    } else {
      Question += (Question.empty() ? "" : " ") + Word.str();
    }
  }
  if (File.empty() && Rest.size() > 1)
    return fail("explain: unknown option '" + llvm::Twine(Rest[1]) + "'");
  if (File.empty() && Question.empty())
    return fail("explain what? \"[2,3,4] permute(0,2,1) view(2,-1)\", or "
                "FILE:LINE");
  if (File.empty())
    return explainMain(Question, Svg);
  if (!Svg.empty())
    return fail("--svg draws a question, not a line of a file");
  Rest.insert(Rest.begin() + 1, File.c_str());
  llvm::Expected<Options> O =
      parseOptions(static_cast<int>(Rest.size()), Rest.data());
  if (!O)
    return fail(O.takeError());
  if (O->Files.size() != 1)
    return fail("explain: one FILE:LINE at a time");
  O->ExplainLine = Line;
  return Linter(std::move(*O)).run();
}

static int mainImpl(int Argc, const char *const *Argv) {
  StringRef Command = Argc > 1 ? Argv[1] : "";
  if (Command == "explain")
    return explainCommand({Argv + 2, Argv + Argc});
  if (Command == "init") {
    if (Argc > 2 && StringRef(Argv[2]).starts_with("-")) {
      if (StringRef(Argv[2]) != "--help" && StringRef(Argv[2]) != "-h")
        return fail("init: unknown option '" + llvm::Twine(Argv[2]) + "'");
      llvm::outs() << "tensortidy init [DIR]\n\n"
                      "Writes DIR/.clangd, adds tensor-* to the Checks of "
                      "DIR/.clang-tidy, keeps what\nboth files say, and prints "
                      "the editor's setting (docs/editors.md).\n";
      return 0;
    }
    if (Argc > 3)
      return fail("init takes one directory");
    return initMain(Argc > 2 ? Argv[2] : ".",
                    executableDir() + "/tensortidy-clangd");
  }
  llvm::Expected<Options> O = parseOptions(Argc, Argv);
  if (!O)
    return fail(O.takeError());
  if (O->Help || O->Version || O->PluginPath || O->CudaFlags || O->ListChecks)
    return printInformation(*O);
  return Linter(std::move(*O)).run();
}

} // namespace tensortidy::tool

int main(int Argc, const char **Argv) {
  llvm::sys::PrintStackTraceOnErrorSignal(Argv[0]);
  return tensortidy::tool::mainImpl(Argc, Argv);
}
