//===- Options.cpp - the command line's options ---------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Models/ReadFile.h"
#include "Output/Formats.h"
#include "Shard.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <variant>

using llvm::StringRef;

namespace tensortidy::tool {

namespace {

/// Where an option's value goes; the type says how it is read.
using Target = std::variant<
    bool Options::*, unsigned Options::*, std::string Options::*,
    std::optional<bool> Options::*, std::optional<std::string> Options::*,
    std::vector<std::string> Options::*, std::vector<Output> Options::*>;

struct Row {
  const char *Name, *Value, *Help;
  Target Into;
};

const Row Table[] = {
    {"p", "DIR",
     "build directory with compile_commands.json; without files, "
     "every source in it is linted",
     &Options::BuildDir},
    {"torch", "DIR",
     "parse with the headers of the libtorch there, or of the Python "
     "environment, instead of with compile commands",
     &Options::Torch},
    {"checks", "GLOBS", "which checks, as -*,tensor-view-after-permute",
     &Options::Checks},
    {"fix", "", "apply the suggested fixes", &Options::Fix},
    {"diff", "", "print them as a patch instead, and the findings to stderr",
     &Options::Diff},
    {"export-fixes", "FILE", "write the suggested fixes as YAML",
     &Options::ExportFixes},
    {"output-format", "FORMAT",
     "format of the findings: text, json, sarif, github, gitlab, "
     "checkstyle or rdjson; may be given again for another output",
     &Options::Outputs},
    {"output", "FILE",
     "where the --output-format before it goes, instead of standard output",
     &Options::Outputs},
    {"html", "DIR", "also write what is found as pages for a browser there",
     &Options::Html},
    {"html-compare", "FILE",
     "with what has changed since the run whose SARIF output this is",
     &Options::HtmlCompare},
    {"baseline", "FILE", "only report what this file does not list",
     &Options::Baseline},
    {"update-baseline", "",
     "update that list: add what is found now, remove what is gone",
     &Options::UpdateBaseline},
    {"add-nolint", "WHY",
     "silence the findings by comments in the sources, with this reason",
     &Options::AddNolint},
    {"header-filter", "REGEX", "also lint headers whose path matches",
     &Options::HeaderFilter},
    {"exclude-header-filter", "REGEX", "but not those whose path matches",
     &Options::ExcludeHeaderFilter},
    {"system-headers", "", "also lint matching system headers",
     &Options::SystemHeaders},
    {"line-filter", "JSON", "only report in these lines", &Options::LineFilter},
    {"model", "FILE", "model of your own types, instead of .tensortidy.yaml",
     &Options::Model},
    {"config", "YAML", "configuration instead of .clang-tidy",
     &Options::Config},
    {"config-file", "FILE", "file with configuration instead of .clang-tidy",
     &Options::ConfigFile},
    {"verify-config", "",
     "only report what in the configuration has no effect; status 1 if there "
     "is something",
     &Options::VerifyConfig},
    {"warnings-as-errors", "GLOBS", "report these checks as errors",
     &Options::WarningsAsErrors},
    {"extra-arg", "FLAG", "append to every compile command",
     &Options::ExtraArgs},
    {"extra-arg-before", "FLAG", "prepend to every compile command",
     &Options::ExtraArgsBefore},
    {"j", "N", "files analysed at once (default 0: one for each core)",
     &Options::Jobs},
    {"since", "REV",
     "report only what lies, or has its cause, in lines changed since the "
     "branch left REV",
     &Options::Since},
    {"all-lines", "", "with --since: all findings of the files that it reads",
     &Options::AllLines},
    {"list-changed", "",
     "with --since: print the files that have changed, and lint none",
     &Options::ListChanged},
    {"watch", "", "lint again what has been saved, until interrupted",
     &Options::Watch},
    {"shard", "N/M", "lint part N of M of the files, the same on each machine",
     &Options::Shard},
    {"emit-ninja", "FILE",
     "write a ninja file that lints each file where it has changed",
     &Options::EmitNinja},
    {"depfile", "FILE",
     "write there what the first --output depends on, for make and ninja",
     &Options::Depfile},
    {"timeout", "SECONDS", "limit for one file (default 600; 0: none)",
     &Options::Timeout},
    {"read-everything", "",
     "also parse bodies in headers of libraries that no analysis needs",
     &Options::ReadEverything},
    {"cache-dir", "DIR",
     "keep results there instead of below XDG_CACHE_HOME or ~/.cache",
     &Options::CacheDir},
    {"no-cache", "", "analyse every file, and keep no result",
     &Options::NoCache},
    {"no-precompiled", "",
     "parse the headers that many files begin with for each of them",
     &Options::NoPrecompiled},
    {"quiet", "", "no progress and no summary", &Options::Quiet},
    {"use-color", "", "colour, or --use-color=0 for none", &Options::UseColor},
    {"print-program", "", "print the tensor program of each function instead",
     &Options::PrintProgram},
    {"print-layouts", "", "the same, with what is known of each tensor",
     &Options::PrintLayouts},
    {"stats", "",
     "print to standard error what was analysed, what was not, and the time",
     &Options::Stats},
    {"statistics", "",
     "print to standard error how many findings each check has",
     &Options::Statistics},
    {"list-checks", "", "list the checks", &Options::ListChecks},
    {"plugin-path", "", "print the path of the plugin, for clang-tidy --load",
     &Options::PluginPath},
    {"cuda-flags", "", "print what clang-tidy and clangd need for CUDA sources",
     &Options::CudaFlags},
    {"completion", "SHELL",
     "print what completes command lines in bash, zsh or fish",
     &Options::Completion},
    {"version", "", "print the version", &Options::Version},
    {"help", "", "print this text", &Options::Help},
};

llvm::Error problem(const llvm::Twine &Text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), Text);
}

/// As it is written on a command line.
std::string spelled(const Row &R) {
  return std::string(R.Name[1] ? "--" : "-") + R.Name;
}

bool isFlag(const Row &R) {
  return std::holds_alternative<bool Options::*>(R.Into) ||
         std::holds_alternative<std::optional<bool> Options::*>(R.Into);
}

llvm::Expected<bool> toBool(const Row &R, StringRef Value) {
  if (Value.empty() || Value == "1" || Value == "true")
    return true;
  if (Value == "0" || Value == "false")
    return false;
  return problem(spelled(R) + " is 0 or 1, not '" + Value + "'");
}

/// --output-format begins an output, --output says where that one goes.
llvm::Error addOutput(std::vector<Output> &To, const Row &R, StringRef Value) {
  if (StringRef(R.Name) == "output-format") {
    if (!formatCalled(Value))
      return problem(spelled(R) + " is one of " + formatNames() + ", not '" +
                     Value + "'");
    To.push_back({Value.str(), ""});
    return llvm::Error::success();
  }
  if (Value.empty())
    return problem(spelled(R) + " needs a file");
  if (To.empty() || !To.back().File.empty())
    return problem("there is no --output-format before --output=" + Value +
                   "; --output-format=sarif --output=" + Value);
  if (Value != "-") // standard output
    To.back().File = Value.str();
  return llvm::Error::success();
}

llvm::Error store(Options &O, const Row &R, StringRef Value) {
  if (auto *Into = std::get_if<bool Options::*>(&R.Into)) {
    auto B = toBool(R, Value);
    if (!B)
      return B.takeError();
    O.*(*Into) = *B;
  } else if (auto *Into =
                 std::get_if<std::optional<bool> Options::*>(&R.Into)) {
    auto B = toBool(R, Value);
    if (!B)
      return B.takeError();
    O.*(*Into) = *B;
  } else if (auto *Into = std::get_if<unsigned Options::*>(&R.Into)) {
    if (Value.getAsInteger(10, O.*(*Into)))
      return problem(spelled(R) + " needs a number, not '" + Value + "'");
  } else if (auto *Into = std::get_if<std::string Options::*>(&R.Into)) {
    O.*(*Into) = Value.str();
  } else if (auto *Into =
                 std::get_if<std::optional<std::string> Options::*>(&R.Into)) {
    O.*(*Into) = Value.str();
  } else if (auto *Into =
                 std::get_if<std::vector<Output> Options::*>(&R.Into)) {
    return addOutput(O.*(*Into), R, Value);
  } else {
    (O.*std::get<std::vector<std::string> Options::*>(R.Into))
        .push_back(Value.str());
  }
  return llvm::Error::success();
}

const Row *find(StringRef Name) {
  for (const Row &R : Table)
    if (Name == R.Name)
      return &R;
  return nullptr;
}

llvm::Error unknown(StringRef Arg, StringRef Name) {
  const Row *Nearest = nullptr;
  unsigned Best = std::min<size_t>(3, Name.size()); // all of -x is no likeness
  for (const Row &R : Table) {
    unsigned Distance = Name.edit_distance(R.Name, true, Best);
    if (Distance < Best) {
      Best = Distance;
      Nearest = &R;
    }
  }
  if (Nearest)
    return problem("unknown option '" + Arg + "'; did you mean '" +
                   spelled(*Nearest) + "'?");
  return problem("unknown option '" + Arg + "'; see tensortidy --help");
}

/// What is wrong with options that are each right.
llvm::Error check(const Options &O) {
  if (!O.Shard.empty())
    if (auto Part = Shard::parse(O.Shard); !Part)
      return Part.takeError();
  if (!O.Shard.empty() && O.UpdateBaseline) // each would write its own
    return problem("--shard and --update-baseline exclude each other");
  if (!O.Torch.empty() && (!O.BuildDir.empty() || O.AfterDashes))
    return problem("--torch is about files without compile commands: it and " +
                   llvm::Twine(O.BuildDir.empty() ? "flags after --" : "-p") +
                   " exclude each other");
  if (O.AllLines && !O.Since)
    return problem("--all-lines is about --since REV");
  if (O.ListChanged && !O.Since)
    return problem("--list-changed is about --since REV");
  if (O.Watch)
    for (const auto &[Is, Name] :
         {std::pair(O.Fix, "fix"),
          std::pair(O.UpdateBaseline, "update-baseline"),
          std::pair(O.AddNolint.has_value(), "add-nolint"),
          std::pair(O.EmitNinja.has_value(), "emit-ninja"),
          std::pair(O.VerifyConfig, "verify-config"),
          std::pair(O.NoCache, "no-cache")})
      if (Is)
        return problem("--watch and --" + llvm::Twine(Name) +
                       " exclude each other");
  if (!O.Depfile.empty() &&
      llvm::all_of(O.Outputs, [](const Output &To) { return To.File.empty(); }))
    return problem("--depfile is about what --output=FILE writes, and there is "
                   "none");
  return llvm::Error::success();
}

/// The words of the command line, with the files `@FILE` read that stand before
/// `--`: those behind it belong to the compile command.
llvm::Expected<std::vector<std::string>> readWords(int Argc,
                                                   const char *const *Argv) {
  const char *const *End = Argv + Argc;
  const char *const *Dashes =
      std::find_if(Argv, End, [](StringRef Word) { return Word == "--"; });
  std::vector<std::string> Words(Argv + std::min(Argc, 1), Dashes);
  if (llvm::Error E = models::readResponseFiles(Words, ""))
    return problem("cannot read the options: " + llvm::toString(std::move(E)));
  Words.insert(Words.end(), Dashes, End);
  return Words;
}

} // namespace

llvm::Expected<Options> parseOptions(int Argc, const char *const *Argv) {
  auto Words = readWords(Argc, Argv);
  if (!Words)
    return Words.takeError();
  Options O;
  for (size_t I = 0; I < Words->size(); ++I) {
    StringRef Arg = (*Words)[I];
    if (Arg == "--") {
      O.AfterDashes.emplace(Words->begin() + static_cast<long>(I) + 1,
                            Words->end());
      break;
    }
    if (!Arg.starts_with("-") || Arg == "-") {
      O.Files.push_back(Arg.str());
      O.Given.emplace_back("", Arg.str());
      continue;
    }
    // One dash or two, as in clang-tidy.
    auto [Name, Value] =
        Arg.drop_front(Arg.starts_with("--") ? 2 : 1).split('=');
    bool Joined = Arg.contains('=');
    const Row *R = find(Name);
    if (!R && !Joined && Name.starts_with("j")) { // -j4
      R = find("j");
      Value = Name.drop_front(1);
      Joined = true;
    }
    if (!R)
      return unknown(Arg, Name);
    if (!Joined && !isFlag(*R)) {
      if (I + 1 == Words->size())
        return problem("option '" + Arg + "' needs a value");
      Value = (*Words)[++I];
    }
    O.Given.emplace_back(R->Name, Value);
    if (llvm::Error E = store(O, *R, Value))
      return llvm::Expected<Options>(std::move(E));
  }
  if (llvm::Error E = check(O))
    return llvm::Expected<Options>(std::move(E));
  return O;
}

std::vector<OptionInfo> optionTable() {
  std::vector<OptionInfo> All;
  for (const Row &R : Table)
    All.push_back(
        {spelled(R), R.Value, R.Help,
         std::holds_alternative<std::vector<std::string> Options::*>(R.Into) ||
             std::holds_alternative<std::vector<Output> Options::*>(R.Into)});
  return All;
}

std::string helpText() {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << "usage: tensortidy [options] FILE... [-- COMPILER FLAGS]\n"
        "       tensortidy [options] -p BUILD_DIR [FILE...]\n"
        "       tensortidy explain \"[2,3,4] permute(0,2,1) view(2,-1)\" "
        "[--svg FILE]\n"
        "       tensortidy explain FILE:LINE [--svg FILE] [-p BUILD_DIR | -- "
        "COMPILER FLAGS]\n"
        "       tensortidy merge [--output=FILE] FILE.sarif...\n"
        "       tensortidy init [DIR]\n"
        "\n"
        "Reports memory-layout bugs in C++ tensor code: views that will "
        "throw,\n"
        "copies that do nothing, allocations that every iteration repeats.\n"
        "Configured by .clang-tidy files; // NOLINT silences a line.\n"
        "@FILE stands for the options in a file.\n"
        "\n"
        "options:\n";
  for (const Row &R : Table) {
    std::string Name = spelled(R);
    if (*R.Value)
      Name += (R.Name[1] ? "=" : " ") + std::string(R.Value);
    OS << "  " << Name;
    OS.indent(Name.size() < 27 ? 27 - Name.size() : 1) << R.Help << '\n';
  }
  OS << "\n"
        "exit status: 0 nothing (new) found, 1 findings, 2 a file could not\n"
        "be analysed, something not be written, or the tool was misused. An\n"
        "interrupted run prints what it has found and ends by the signal.\n";
  return Text;
}

} // namespace tensortidy::tool
