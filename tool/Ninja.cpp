//===- Ninja.cpp - a run as a ninja file ----------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ninja.h"
#include "Output/Project.h"
#include "Places.h"
#include "Replace.h"
#include "StringError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace json = llvm::json;
namespace path = llvm::sys::path;

namespace tensortidy::tool {

namespace {

/// The options that mean the same to the edge of one file; the others are about
/// a run, and of these some make no difference to its file of edges.
constexpr StringRef OfAFile[] = {
    "checks",      "header-filter",      "exclude-header-filter",
    "line-filter", "system-headers",     "config",
    "extra-arg",   "warnings-as-errors", "extra-arg-before",
    "timeout",     "read-everything",    "no-cache",
    "model",       "config-file",        "baseline",
    "cache-dir",   "no-precompiled",
};
constexpr StringRef WithPath[] = {"model", "config-file", "baseline",
                                  "cache-dir"};
constexpr StringRef OfTheFile[] = {"p", "emit-ninja", "shard",
                                   "j", "quiet",      "use-color"};

/// As /bin/sh reads it as one word.
std::string quoted(StringRef Word) {
  const auto IsPlain = [](char C) {
    return llvm::isAlnum(C) || StringRef("_-+=./,:@%").contains(C);
  };
  if (!Word.empty() && llvm::all_of(Word, IsPlain))
    return Word.str();
  std::string Out = "'";
  for (const char C : Word)
    Out += C == '\'' ? "'\\''" : std::string(1, C);
  return Out + "'";
}

/// As the value of a variable.
std::string value(StringRef Text) {
  std::string Out;
  for (const char C : Text)
    Out += C == '$' ? "$$" : std::string(1, C);
  return Out;
}

/// As a file that an edge names.
std::string node(StringRef Path) {
  std::string Out;
  for (const char C : Path)
    Out += (StringRef("$ :").contains(C) ? "$" : "") + std::string(1, C);
  return Out;
}

std::string spelled(StringRef Name) {
  return (Name.size() > 1 ? "--" : "-") + Name.str();
}

llvm::Error noLineBreak(StringRef Text) {
  return stringError("a ninja file cannot hold '" + Text +
                     "', which has a line break");
}

/// A file is new for ninja when it has been written.
llvm::Error writeIfDifferent(StringRef Path, StringRef Text) {
  if (auto Old = llvm::MemoryBuffer::getFile(Path))
    if ((*Old)->getBuffer() == Text)
      return llvm::Error::success();
  if (std::error_code Error = fs::create_directories(path::parent_path(Path)))
    return stringError("cannot create the folder of '" + Path +
                       "': " + Error.message());
  // Not flushed to the disk: of thousands, each can be made again.
  return llvm::writeToOutput(Path, [&](llvm::raw_ostream &OS) {
    OS << Text;
    return llvm::Error::success();
  });
}

/// A compile database of one file.
std::string databaseOf(const Job &J) {
  json::Array All;
  for (const clang::tooling::CompileCommand &C : J.Commands) {
    json::Array Words;
    for (const std::string &Word : C.CommandLine)
      Words.push_back(json::fixUTF8(Word));
    All.push_back(json::Object{{"directory", C.Directory},
                               {"file", C.Filename},
                               {"arguments", std::move(Words)}});
  }
  return llvm::formatv("{0:2}\n", json::Value(std::move(All))).str();
}

class Emitter {
public:
  explicit Emitter(const Options &O)
      : O(O), File(absolutePath(*O.EmitNinja)), Here(absolutePath(".")),
        Base(StringRef(File).ends_with(".ninja")
                 ? File.substr(0, File.size() - 6)
                 : File) {}

  llvm::Error check() const {
    if (O.EmitNinja->empty())
      return stringError("--emit-ninja needs a file");
    for (const auto &[Name, Value] : O.Given) {
      if (!Name.empty() && !llvm::is_contained(OfAFile, Name) &&
          !llvm::is_contained(OfTheFile, Name))
        return stringError(spelled(Name) +
                           " and --emit-ninja exclude each other");
      if (StringRef(Value).contains('\n'))
        return noLineBreak(Value);
    }
    return StringRef(Here).contains('\n') ? noLineBreak(Here)
                                          : llvm::Error::success();
  }

  llvm::Error write(llvm::ArrayRef<Job> Jobs,
                    llvm::ArrayRef<std::string> Inputs) {
    std::string Edges, Units;
    std::set<std::string> Seen;
    const std::string Tool = executable();
    const Project Names(Jobs.empty() ? "." : Jobs.front().File);
    for (const Job &J : Jobs) {
      const std::string Source = absolutePath(J.File);
      if (StringRef(Source).contains('\n'))
        return noLineBreak(J.File);
      std::string Name = Names.name(J.File);
      if (path::is_absolute(Name))
        Name = "elsewhere" + Name;
      const std::string Unit = Base + ".units/" + Name;
      if (!Seen.insert(Unit).second)
        continue;
      if (llvm::Error E = writeIfDifferent(Unit + ".json", databaseOf(J)))
        return E;
      const std::string Findings = node(Unit + ".sarif");
      Edges += "build " + Findings + ": lint " + node(Source) + " | " +
               node(Unit + ".json") + " " + node(Tool);
      for (const std::string &Path : paths())
        Edges += " " + node(Path);
      Edges += "\n  commands = " + value(quoted(Unit + ".json")) +
               "\n  name = " + value(Name) + "\n";
      Units += " $\n  " + Findings;
    }
    std::string Text = "# Written by tensortidy --emit-ninja.\n"
                       "ninja_required_version = 1.5\n"
                       "builddir = " +
                       value(Base + ".units") + "\n\n" + rules(Tool) + Edges +
                       "build " + node(Base + ".sarif") + ": merge" + Units +
                       "\nbuild units: phony" + Units + "\ndefault " +
                       node(Base + ".sarif") + "\n";
    if (!Inputs.empty()) {
      // As ninja is given it: else it does not know this for its own file.
      llvm::SmallString<256> Name(*O.EmitNinja);
      path::remove_dots(Name, /*remove_dot_dot=*/true);
      Text += "build " + node(Name) + ": emit |";
      for (const std::string &Input : Inputs)
        Text += " $\n  " + node(absolutePath(Input));
      Text += "\n";
    }
    if (std::error_code Error = fs::create_directories(path::parent_path(File)))
      return stringError("cannot create the folder of '" + *O.EmitNinja +
                         "': " + Error.message());
    return writeOutput(File, Text);
  }

private:
  std::string rules(StringRef Tool) const {
    const std::string In = "cd " + quoted(Here) + " && ";
    std::string Words, All = quoted(Tool);
    for (const auto &[Name, Value] : O.Given) {
      const std::string Word =
          quoted(Name.empty() ? Value : spelled(Name) + "=" + Value);
      All += " " + Word;
      if (llvm::is_contained(OfAFile, Name))
        Words += " " + Word;
    }
    return "rule lint\n"
           "  command = " +
           value(In) + "rm -f $out && { $$TENSORTIDY_LAUNCHER " +
           value(quoted(Tool) + Words) +
           " --quiet -p $commands --output-format=sarif --output=$out "
           "--output-format=text --output=/dev/null --depfile=$out.d $in; "
           "test -s $out; }\n"
           "  depfile = $out.d\n"
           "  deps = gcc\n"
           "  description = tensortidy $name\n"
           "rule merge\n"
           "  command = " +
           value(In + quoted(Tool)) +
           " merge --output=$out @$out.rsp\n"
           "  rspfile = $out.rsp\n"
           "  rspfile_content = $in_newline\n"
           "  description = tensortidy merge\n"
           "rule emit\n"
           "  command = " +
           value(In + All) +
           "\n"
           "  generator = 1\n"
           "  description = tensortidy --emit-ninja\n\n";
  }

  /// Files that options name: a change of them is one for each edge.
  std::vector<std::string> paths() const {
    std::vector<std::string> Paths;
    for (const auto &[Name, Value] : O.Given)
      if (llvm::is_contained(WithPath, Name) && fs::is_regular_file(Value))
        Paths.push_back(absolutePath(Value));
    return Paths;
  }

  const Options &O;
  std::string File, Here;
  std::string Base; ///< of the other names
};

} // namespace

llvm::Error emitNinja(const Options &O, llvm::ArrayRef<Job> Jobs,
                      llvm::ArrayRef<std::string> Inputs) {
  Emitter E(O);
  if (llvm::Error Bad = E.check())
    return Bad;
  return E.write(Jobs, Inputs);
}

} // namespace tensortidy::tool
