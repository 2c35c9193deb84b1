//===- Leading.cpp - what a source begins with ----------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Leading.h"
#include "Tidy/Compat.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Tooling/Inclusions/StandardLibrary.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using llvm::StringRef;

namespace tensortidy::tool {

namespace {

/// More lines are seldom the same in many files.
constexpr size_t MostLines = 64;

constexpr StringRef Blank = " \t\r\n\f\v";

/// \p Text without the blanks and comments that it begins with.
StringRef skipComments(StringRef Text) {
  for (;;) {
    Text = Text.ltrim(Blank);
    if (Text.starts_with("//")) {
      const size_t End = Text.find('\n');
      // A comment goes on behind a backslash.
      if (End != StringRef::npos &&
          Text.take_front(End).rtrim('\r').ends_with("\\"))
        return Text;
      Text = Text.substr(End);
    } else if (Text.starts_with("/*") &&
               Text.find("*/", 2) != StringRef::npos) {
      Text = Text.substr(Text.find("*/", 2) + 2);
    } else {
      return Text;
    }
  }
}

/// Whether nothing but a comment follows on the line.
bool isEnd(StringRef Rest) {
  Rest = Rest.trim(Blank);
  return Rest.empty() || Rest.starts_with("//");
}

/// The word that is all there is on the rest of the line, or nothing.
StringRef loneWord(StringRef Rest) {
  Rest = Rest.ltrim(" \t");
  const StringRef Word =
      Rest.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
  return isEnd(Rest.substr(Word.size())) ? Word : "";
}

/// "<torch/torch.h>" and what follows it; empty where it is something else, a
/// macro say.
StringRef takeHeaderName(StringRef &Rest) {
  Rest = Rest.ltrim(" \t");
  if (Rest.empty() || (Rest[0] != '<' && Rest[0] != '"'))
    return "";
  const size_t Close = Rest.find(Rest[0] == '<' ? '>' : '"', 1);
  if (Close == StringRef::npos)
    return "";
  const StringRef Name = Rest.take_front(Close + 1);
  Rest = Rest.substr(Close + 1);
  return Name;
}

/// The directives of a text up to the first thing that is none.
class Directives {
public:
  explicit Directives(StringRef Text) : Text(Text) {}

  bool next() {
    Text = skipComments(Text);
    StringRef Here = Text;
    if (!Here.consume_front("#"))
      return false;
    const size_t Length = std::min(Here.find('\n'), Here.size());
    Line = Here.take_front(Length).trim(Blank);
    // What goes on in the next line.
    if (Line.ends_with("\\") || Line.contains("/*"))
      return false;
    Text = Here.substr(Length);
    Word = Line.take_while([](char C) { return llvm::isAlpha(C); });
    Rest = Line.substr(Word.size());
    return true;
  }

  bool atEnd() { return skipComments(Text).empty(); }

  StringRef Line, Word, Rest;

private:
  StringRef Text;
};

bool isStandard(StringRef Name, const LangOptions &Lang) {
  namespace stdlib = tooling::stdlib;
  const std::string InAngles = ("<" + Name + ">").str();
  return stdlib::Header::named(InAngles, stdlib::Lang::C).has_value() ||
         (Lang.CPlusPlus &&
          stdlib::Header::named(InAngles, stdlib::Lang::CXX).has_value());
}

} // namespace

std::optional<StringRef> LeadingLines::textOf(FileEntryRef File) {
  auto Buffer = Compiler.getSourceManager().getMemoryBufferForFileOrNone(File);
  if (!Buffer)
    return std::nullopt;
  return Buffer->getBuffer();
}

std::optional<LeadingLines::Found>
LeadingLines::find(StringRef Name, bool IsAngled,
                   std::optional<FileEntryRef> From) {
  HeaderSearch &Search = Compiler.getPreprocessor().getHeaderSearchInfo();
  llvm::SmallVector<std::pair<compat::IncluderFile, DirectoryEntryRef>, 1>
      Includers;
  if (From) {
    Search.getFileInfo(*From); // which is expected to be there
    Includers.emplace_back(*From, From->getDir());
  }
  ConstSearchDirIterator Dir = nullptr;
  auto File = Search.LookupFile(
      Name, SourceLocation(), IsAngled, /*FromDir=*/nullptr, &Dir, Includers,
      /*SearchPath=*/nullptr, /*RelativePath=*/nullptr,
      /*RequestingModule=*/nullptr, /*SuggestedModule=*/nullptr,
      /*IsMapped=*/nullptr, /*IsFrameworkFound=*/nullptr);
  if (!File)
    return std::nullopt;
  return Found{*File, !Dir};
}

bool LeadingLines::isOfLibrary(FileEntryRef File) const {
  HeaderSearch &Search = Compiler.getPreprocessor().getHeaderSearchInfo();
  return SrcMgr::isSystem(Search.getFileDirFlavor(File)) ||
         Model.isLibraryHeader(
             Search.suggestPathToFileForDiagnostics(File, /*MainFile=*/""));
}

LeadingLines::End LeadingLines::include(StringRef Name, bool IsAngled,
                                        FileEntryRef From) {
  auto There = find(Name, IsAngled, From);
  if (!There)
    return End::Stop;
  if (!There->IsRelative && isOfLibrary(There->File)) {
    if (isStandard(Name, Compiler.getLangOpts())) {
      HasPassedStandard = true;
      return End::Whole;
    }
    auto InAngles = find(Name, /*IsAngled=*/true, std::nullopt);
    if (!InAngles || InAngles->File != There->File)
      return End::Stop;
    if (Entered.insert(&There->File.getFileEntry()).second) {
      weigh(There->File);
      const auto Kind =
          Compiler.getPreprocessor().getHeaderSearchInfo().getFileDirFlavor(
              There->File);
      Lines.push_back({("#include <" + Name + ">").str(),
                       There->File.getName().str(), SrcMgr::isSystem(Kind),
                       Weight});
    }
    return End::Whole;
  }
  return scan(There->File, /*IsMain=*/false);
}

LeadingLines::End LeadingLines::scan(FileEntryRef File, bool IsMain) {
  const bool IsFirst = Entered.insert(&File.getFileEntry()).second;
  auto Text = textOf(File);
  if (!Text)
    return End::Stop;
  Directives Next(*Text);
  bool IsOnce = false, IsGuarded = false;
  for (unsigned Count = 0; Next.next(); ++Count) {
    if (Lines.size() >= MostLines)
      return End::Stop;
    if (Next.Word == "pragma" && loneWord(Next.Rest) == "once") {
      IsOnce = true;
    } else if (Next.Word == "ifndef" && !Count && !IsMain) {
      const StringRef Guard = loneWord(Next.Rest);
      if (Guard.empty() || !Next.next() || Next.Word != "define" ||
          loneWord(Next.Rest) != Guard)
        return End::Stop;
      IsGuarded = true;
    } else if (Next.Word == "endif" && IsGuarded && isEnd(Next.Rest)) {
      return Next.atEnd() ? End::Whole : End::Stop;
    } else if (Next.Word == "define" && IsMain && !HasPassedStandard) {
      Lines.push_back({"#" + Next.Line.str(), "", false, Weight});
    } else if (Next.Word == "include") {
      const StringRef Name = takeHeaderName(Next.Rest);
      if (Name.empty() || !isEnd(Next.Rest) ||
          include(Name.drop_front().drop_back(), Name[0] == '<', File) ==
              End::Stop)
        return End::Stop;
    } else {
      return End::Stop;
    }
    // A second time there is nothing in it.
    if (!IsFirst && (IsOnce || IsGuarded))
      return End::Whole;
  }
  return Next.atEnd() && !IsGuarded && (IsFirst || IsOnce) ? End::Whole
                                                           : End::Stop;
}

std::vector<LeadingLine> LeadingLines::of(StringRef File) {
  Lines.clear();
  Entered.clear();
  Weighed.clear();
  Weight = 0;
  HasPassedStandard = false;
  bytesBefore();
  if (auto Entry = Compiler.getFileManager().getOptionalFileRef(File))
    scan(*Entry, /*IsMain=*/true);
  while (!Lines.empty() && Lines.back().Header.empty())
    Lines.pop_back();
  return std::move(Lines);
}

uint64_t LeadingLines::bytesBefore() {
  for (const std::string &Name : Compiler.getPreprocessorOpts().Includes)
    if (auto Entry = Compiler.getFileManager().getOptionalFileRef(Name))
      weigh(*Entry);
    else if (auto There = find(Name, /*IsAngled=*/false, std::nullopt))
      weigh(There->File);
  return Weight;
}

void LeadingLines::weigh(FileEntryRef First) {
  std::vector<FileEntryRef> Todo{First};
  if (!Weigh) {
    Todo.clear();
    Weight += 1 << 20;
  }
  while (!Todo.empty()) {
    const FileEntryRef File = Todo.back();
    Todo.pop_back();
    if (!Weighed.insert(&File.getFileEntry()).second)
      continue;
    Weight += File.getSize();
    auto [It, New] = Direct.try_emplace(&File.getFileEntry());
    if (New) {
      const StringRef Text = textOf(File).value_or("");
      for (size_t At = Text.find('#'); At != StringRef::npos;
           At = Text.find('#', At + 1)) {
        StringRef Rest = Text.substr(At + 1).ltrim(" \t");
        if (!Rest.consume_front("include"))
          continue;
        const StringRef Name = takeHeaderName(Rest);
        if (Name.empty())
          continue;
        if (auto There =
                find(Name.drop_front().drop_back(), Name[0] == '<', File))
          It->second.push_back(There->File);
      }
    }
    Todo.insert(Todo.end(), It->second.begin(), It->second.end());
  }
}

} // namespace tensortidy::tool
