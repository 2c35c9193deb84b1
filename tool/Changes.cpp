//===- Changes.cpp - what a branch changed --------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Changes.h"
#include "Programs.h"
#include "SourceKind.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
#include <limits>

using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace tensortidy::tool {

namespace {

constexpr unsigned LastLine = std::numeric_limits<unsigned>::max();

llvm::Error problem(const llvm::Twine &Text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), Text);
}

/// What git prints, and with which exit status it ends.
llvm::Expected<ProgramResult> git(llvm::ArrayRef<StringRef> Arguments) {
  auto Program = llvm::sys::findProgramByName("git");
  if (!Program)
    return problem("--since needs git, which is not installed");
  return runProgram(*Program, Arguments);
}

/// The same, where only success will do.
llvm::Expected<std::string> text(llvm::ArrayRef<StringRef> Arguments) {
  auto Out = git(Arguments);
  if (!Out)
    return Out.takeError();
  if (Out->Status)
    return problem("--since: git " + Arguments.front() + ": " +
                   StringRef(Out->Err).trim());
  return std::move(Out->Out);
}

/// A name as git writes it: one with unusual letters stands in quotation marks.
std::string unquoted(StringRef Name) {
  if (!Name.consume_front("\"") || !Name.consume_back("\""))
    return Name.str();
  std::string Out;
  for (size_t I = 0; I < Name.size(); ++I) {
    if (Name[I] != '\\' || I + 1 == Name.size()) {
      Out += Name[I];
      continue;
    }
    unsigned Code = 0;
    if (!Name.substr(++I, 3).getAsInteger(8, Code)) {
      Out += static_cast<char>(Code);
      I += 2;
      continue;
    }
    const size_t At = StringRef("abtnvfr").find(Name[I]);
    Out += At == StringRef::npos ? Name[I] : static_cast<char>('\a' + At);
  }
  return Out;
}

} // namespace

llvm::Expected<Changes> Changes::since(StringRef Revision) {
  auto Top = text({"rev-parse", "--show-toplevel"});
  if (!Top)
    return Top.takeError();
  const std::string Root = StringRef(*Top).rtrim('\n').str();
  const std::string Commit = (Revision + "^{commit}").str();
  auto There =
      git({"rev-parse", "--quiet", "--verify", "--end-of-options", Commit});
  if (!There)
    return There.takeError();
  if (There->Status)
    return problem("--since: there is no '" + Revision +
                   "' in this clone: git fetch it first");
  auto Base = git({"merge-base", StringRef(There->Out).trim(), "HEAD"});
  if (!Base)
    return Base.takeError();
  if (Base->Status)
    return problem(
        "--since: HEAD and '" + Revision +
        "' have no common commit in this clone, which may be shallow: fetch "
        "the history (git fetch --unshallow; fetch-depth: 0 for "
        "actions/checkout)");
  auto Diff = text({"diff", "-U0", "--inter-hunk-context=0", "--no-color",
                    "--no-ext-diff", "--no-textconv", "--no-relative",
                    "--find-renames", "--ignore-submodules", "--src-prefix=a/",
                    "--dst-prefix=b/", StringRef(Base->Out).trim()});
  if (!Diff)
    return Diff.takeError();
  Changes All = ofDiff(*Diff, Root);
  // What git does not know yet.
  auto Others = text({"ls-files", "--others", "--exclude-standard",
                      "--full-name", "-z", ":/"});
  if (!Others)
    return Others.takeError();
  llvm::SmallVector<StringRef, 16> Names;
  StringRef(*Others).split(Names, '\0', -1, /*KeepEmpty=*/false);
  for (const StringRef Name : Names)
    All.addFile(Root + "/" + Name.str());
  return All;
}

Changes Changes::ofDiff(StringRef Diff, StringRef Top) {
  Changes All;
  Lines *Of = nullptr;
  unsigned Left = 0; // of a hunk: these may look like anything
  while (!Diff.empty()) {
    StringRef Line;
    std::tie(Line, Diff) = Diff.split('\n');
    if (Left) {
      Left -= !Line.starts_with("\\");
    } else if (Line.consume_front("+++ ")) {
      Of = nullptr;
      // Behind a name with blanks there is a tab.
      StringRef Name = Line.rtrim('\t');
      std::string Path = unquoted(Name);
      if (StringRef(Path).starts_with("b/")) { // and not /dev/null
        Path = (Top + "/" + StringRef(Path).drop_front(2)).str();
        All.Names.insert(path::filename(Path));
        Of = &All.ByFile[Path];
      }
    } else if (Line.consume_front("@@ -")) {
      // "12,3 +14,0 @@": one line where there is no number of them
      auto [Old, Rest] = Line.split(" +");
      const StringRef New = Rest.split(' ').first;
      unsigned Removed = 1, First = 0, Count = 1;
      if (Old.contains(','))
        Old.split(',').second.getAsInteger(10, Removed);
      New.split(',').first.getAsInteger(10, First);
      if (New.contains(','))
        New.split(',').second.getAsInteger(10, Count);
      Left = Removed + Count;
      if (Of && Count)
        Of->emplace_back(First, First + Count - 1);
      else if (Of)
        Of->emplace_back(First, First + 1);
    } else if (Line.consume_front("Binary files ") &&
               Line.consume_back(" differ")) {
      // No lines are told apart: all may have changed.
      const size_t At = Line.rfind(" and ");
      std::string Path =
          At == StringRef::npos ? "" : unquoted(Line.drop_front(At + 5));
      if (StringRef(Path).starts_with("b/"))
        All.addFile((Top + "/" + StringRef(Path).drop_front(2)).str());
    } else if (Line.consume_front("rename to ") ||
               Line.consume_front("copy to ")) {
      // One that moved is read under its new name, with no line changed.
      const std::string Path = (Top + "/" + unquoted(Line)).str();
      All.Names.insert(path::filename(Path));
      All.ByFile[Path];
    }
  }
  return All;
}

void Changes::addFile(StringRef File) {
  Names.insert(path::filename(File));
  ByFile[File.str()].emplace_back(1, LastLine);
}

const Changes::Lines *Changes::linesOf(StringRef File) const {
  if (!Names.contains(path::filename(File)))
    return nullptr;
  const std::string Path = absolutePath(File);
  auto It = ByFile.find(Path);
  if (It == ByFile.end()) // perhaps by way of a link
    It = llvm::find_if(ByFile, [&](const auto &Entry) {
      return path::filename(Entry.first) == path::filename(Path) &&
             fs::equivalent(Entry.first, Path);
    });
  return It == ByFile.end() ? nullptr : &It->second;
}

bool Changes::has(StringRef File, unsigned Line) const {
  const Lines *Of = linesOf(File);
  return Of && llvm::any_of(*Of, [&](const auto &Range) {
           return Range.first <= Line && Line <= Range.second;
         });
}

std::vector<std::string> Changes::files() const {
  std::vector<std::string> All;
  for (const auto &Entry : ByFile)
    All.push_back(Entry.first);
  return All;
}

/// By its name, which may be any: what is neither is seldom included.
static bool isNamedAsHeader(StringRef File) {
  StringRef Extension = path::extension(File);
  Extension.consume_front(".");
  return isHeader(File) ||
         llvm::is_contained({"H", "inc", "ipp", "tpp", "txx"}, Extension);
}

bool Changes::mayConcernOthers() const {
  return llvm::any_of(ByFile, [](const auto &Entry) {
    const StringRef Name = path::filename(Entry.first);
    return isNamedAsHeader(Name) || Name == ".clang-tidy" ||
           Name == ".tensortidy.yaml";
  });
}

std::string Changes::headerFilter() const {
  std::vector<std::string> Headers;
  for (const auto &Entry : ByFile)
    if (const StringRef Name = path::filename(Entry.first);
        isNamedAsHeader(Name))
      Headers.push_back(llvm::Regex::escape(Name));
  return Headers.empty() ? "" : "(^|/)(" + llvm::join(Headers, "|") + ")$";
}

} // namespace tensortidy::tool
