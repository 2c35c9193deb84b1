//===- Fixes.cpp - which fixes are applied, and how -----------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fixes.h"
#include "Patch.h"
#include "Replace.h"
#include "clang/Format/Format.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace clang;
using namespace clang::tidy;
using clang::tooling::Replacement;
using clang::tooling::Replacements;
using llvm::StringRef;

namespace tensortidy::tool {

namespace {

using Plan = std::map<std::string, std::vector<unsigned>>;

/// What clang-tidy says of fixes of one file that overlap, having dropped them.
constexpr StringRef OverlapNote =
    "this fix will not be applied because it overlaps with another fix";

/// Whether both edits, of two findings, can be made at once.
bool agree(const Edit &A, const Edit &B) {
  if (A.Offset == B.Offset && A.Length == B.Length) {
    // Inserted twice, it stands there in some order, which is good for lines;
    // the same line twice is a second declaration of the same name.
    if (!A.Length)
      return A.Text != B.Text && StringRef(A.Text).contains('\n') &&
             StringRef(B.Text).contains('\n');
    return A.Text == B.Text;
  }
  return A.Offset + A.Length <= B.Offset || B.Offset + B.Length <= A.Offset;
}

/// The accepted edits of one file, which do not overlap.
class Accepted {
public:
  bool takes(const Edit &E) const {
    // Only neighbours can be in its way.
    auto I = Edits.lower_bound({"", E.Offset, 0, ""});
    for (auto J = I; J != Edits.end() && J->Offset <= E.Offset + E.Length; ++J)
      if (!agree(E, *J))
        return false;
    while (I != Edits.begin()) {
      --I;
      if (!agree(E, *I))
        return false;
      if (I->Length && I->Offset + I->Length <= E.Offset)
        break;
    }
    return true;
  }
  void add(const Edit &E) { Edits.insert({"", E.Offset, E.Length, E.Text}); }

private:
  std::multiset<Edit> Edits;
};

} // namespace

//===----------------------------------------------------------------------===//
// What is wanted
//===----------------------------------------------------------------------===//

void Fixes::addSource(const std::string &File, SourceText Source) {
  auto [It, New] = Sources.try_emplace(File);
  if (New)
    It->second = std::move(Source);
  else
    It->second.Changed |= Source.Changed || It->second.Text != Source.Text;
}

void Fixes::add(std::vector<Edit> Fix) {
  llvm::sort(Fix);
  if (!Fix.empty() && Known.insert(Fix).second)
    Wanted.push_back(std::move(Fix));
}

void Fixes::add(const FileResult &R) {
  std::map<std::string, const SourceText *> ByPath;
  for (const SourceText &S : R.Sources)
    ByPath[S.Path] = &S;
  for (const ClangTidyError &E : R.Errors) {
    for (const tooling::DiagnosticMessage &Note : E.Notes)
      if (Note.Message == OverlapNote)
        Overlapping.insert({realPath(E.Message.FilePath, E.BuildDirectory),
                            E.Message.FileOffset, E.Message.Message});
    std::vector<Edit> Fix;
    for (const auto &Entry : E.Message.Fix)
      for (const Replacement &R : Entry.getValue()) {
        std::string Path = pathIn(R.getFilePath(), E.BuildDirectory);
        std::string File = realPath(Path, "");
        if (auto It = ByPath.find(Path); It != ByPath.end())
          addSource(File, *It->second);
        Shown.try_emplace(File, R.getFilePath().str());
        Fix.push_back(
            {File, R.getOffset(), R.getLength(), R.getReplacementText().str()});
      }
    add(std::move(Fix));
  }
}

//===----------------------------------------------------------------------===//
// Which go together
//===----------------------------------------------------------------------===//

Plan Fixes::plan(const std::set<std::string> &Without) const {
  std::map<std::string, Accepted> Files;
  Plan Result;
  for (unsigned I = 0; I < Wanted.size(); ++I) {
    bool Good = llvm::all_of(Wanted[I], [&](const Edit &E) {
      return !Without.count(E.File) && Files[E.File].takes(E);
    });
    if (!Good)
      continue;
    for (const Edit &E : Wanted[I]) {
      Files[E.File].add(E);
      std::vector<unsigned> &Which = Result[E.File];
      if (Which.empty() || Which.back() != I)
        Which.push_back(I);
    }
  }
  return Result;
}

/// The files of the plan, together where a fix changes several.
std::vector<std::vector<std::string>> Fixes::groups(const Plan &P) const {
  llvm::IntEqClasses Classes(Wanted.size());
  for (const auto &[File, Which] : P)
    for (unsigned I : Which)
      Classes.join(Which.front(), I);
  Classes.compress();
  std::map<unsigned, std::vector<std::string>> Groups;
  for (const auto &[File, Which] : P)
    Groups[Classes[Which.front()]].push_back(File);
  std::vector<std::vector<std::string>> Result;
  for (auto &[Class, Files] : Groups)
    Result.push_back(std::move(Files));
  return Result;
}

llvm::Expected<Fixes::NewText>
Fixes::rewrite(const std::string &File, const std::vector<unsigned> &Which,
               const Hooks &H) const {
  const SourceText &Source = Sources.at(File);
  StringRef Old = Source.Text;
  bool CRLF = Old.take_until([](char C) { return C == '\n'; }).ends_with("\r");
  // What several findings insert at one place stands in their order.
  std::map<std::pair<unsigned, unsigned>, std::string> Edits;
  for (unsigned I : Which)
    for (const Edit &E : Wanted[I])
      if (E.File == File) {
        std::string &Text = Edits[{E.Offset, E.Length}];
        if (E.Length)
          Text = E.Text;
        else
          Text += E.Text;
      }
  Replacements Together;
  for (auto &[Where, Text] : Edits) {
    if (CRLF) {
      std::string Ends;
      for (char C : Text)
        Ends += C == '\n' && !StringRef(Ends).ends_with("\r")
                    ? "\r\n"
                    : std::string(1, C);
      Text = std::move(Ends);
    }
    if (llvm::Error E =
            Together.add(Replacement(File, Where.first, Where.second, Text)))
      return E;
  }
  auto Style = format::getStyle(H.Style(File), File, "none");
  if (!Style)
    return llvm::make_error<Refusal>("cannot be formatted (" +
                                     llvm::toString(Style.takeError()) + ")");
  auto Clean = format::cleanupAroundReplacements(Old, Together, *Style);
  if (!Clean)
    return Clean.takeError();
  auto Formatted = format::formatReplacements(Old, *Clean, *Style);
  if (!Formatted)
    return Formatted.takeError();
  auto New = tooling::applyAllReplacements(Old, *Formatted);
  if (!New)
    return New.takeError();
  return NewText{std::move(*New), std::move(*Formatted)};
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

void Fixes::refuse(const std::string &File, llvm::Error E,
                   const Hooks &H) const {
  auto It = Shown.find(File);
  H.Failed(refusalMessage(It == Shown.end() ? File : It->second, std::move(E)));
}

void Fixes::count(const Plan &P, const std::vector<std::string> &Files,
                  std::set<unsigned> &Into) const {
  for (const std::string &File : Files)
    Into.insert(P.at(File).begin(), P.at(File).end());
}

void Fixes::forEachGroup(const Hooks &H,
                         llvm::function_ref<std::string(
                             const std::vector<std::string> &, const Plan &)>
                             Work) {
  std::set<std::string> Bad, Finished;
  for (unsigned I = 0; I < Wanted.size(); ++I)
    for (const Edit &E : Wanted[I]) {
      auto It = Sources.find(E.File);
      bool Fits = It != Sources.end() && !It->second.Changed &&
                  uint64_t(E.Offset) + E.Length <= It->second.Text.size();
      if (!Fits && Bad.insert(E.File).second)
        refuse(E.File, Refusal::changed(), H);
    }
  for (bool Again = true; Again;) {
    Again = false;
    Plan P = plan(Bad);
    for (const std::vector<std::string> &Files : groups(P)) {
      if (Finished.count(Files.front()))
        continue;
      std::string Failed = Work(Files, P);
      if (Failed.empty()) {
        Finished.insert(Files.begin(), Files.end());
      } else {
        // The others of its group may have fixes without it.
        Bad.insert(Failed);
        Again |= Files.size() > 1;
      }
    }
  }
  for (unsigned I = 0; I < Wanted.size(); ++I)
    for (const Edit &E : Wanted[I])
      if (Bad.count(E.File))
        Refused.insert(I);
}

/// Answers the file that cannot be written, so that none is.
std::string Fixes::applyGroup(const std::vector<std::string> &Files,
                              const Plan &P, const Hooks &H) {
  // In the order of their paths, so that two runs never wait for each other.
  std::vector<std::unique_ptr<FileUpdate>> Updates;
  bool AllThere = true;
  std::vector<std::string> New;
  for (const std::string &File : Files) {
    auto Text = rewrite(File, P.at(File), H);
    if (!Text) {
      refuse(File, Text.takeError(), H);
      return File;
    }
    New.push_back(std::move(Text->Text));
  }
  CriticalSection Section;
  for (size_t I = 0; I < Files.size(); ++I) {
    auto Update = FileUpdate::begin(Files[I]);
    llvm::Error E = Update ? llvm::Error::success() : Update.takeError();
    if (!E) {
      const std::string &Now = (*Update)->text();
      AllThere &= Now == New[I];
      if (Now != Sources.at(Files[I]).Text && Now != New[I])
        E = Refusal::changed();
    }
    if (E) {
      refuse(Files[I], std::move(E), H);
      return Files[I];
    }
    Updates.push_back(std::move(*Update));
  }
  if (AllThere) {
    // Another run was faster.
    count(P, Files, Already);
    return "";
  }
  auto NeedsWork = [&](size_t I) { return Updates[I]->text() != New[I]; };
  for (bool Commit : {false, true})
    for (size_t I = 0; I < Files.size(); ++I)
      if (NeedsWork(I))
        if (llvm::Error E =
                Commit ? Updates[I]->commit() : Updates[I]->prepare(New[I])) {
          refuse(Files[I], std::move(E), H);
          for (auto &Update : Updates)
            Update->undo();
          return Files[I];
        }
  for (size_t I = 0; I < Files.size(); ++I)
    if (NeedsWork(I)) {
      Updates[I]->finish();
      ++FilesWritten;
    }
  count(P, Files, Applied);
  return "";
}

void Fixes::apply(const Hooks &H) {
  forEachGroup(H, [&](const std::vector<std::string> &Files, const Plan &P) {
    return applyGroup(Files, P, H);
  });
}

void Fixes::print(llvm::raw_ostream &OS, const Hooks &H) {
  llvm::SmallString<256> Cwd;
  llvm::sys::fs::real_path(".", Cwd);
  Cwd += llvm::sys::path::get_separator();
  std::map<std::string, std::string> Patches; // by file
  forEachGroup(H, [&](const std::vector<std::string> &Files, const Plan &P) {
    std::map<std::string, std::string> Group;
    for (const std::string &File : Files) {
      const std::string &Old = Sources.at(File).Text;
      auto Text = rewrite(File, P.at(File), H);
      if (!Text) {
        refuse(File, Text.takeError(), H);
        return File;
      }
      auto Now = llvm::MemoryBuffer::getFile(File, /*IsText=*/false,
                                             /*RequiresNullTerminator=*/false,
                                             /*IsVolatile=*/true);
      if (!Now || (*Now)->getBuffer() != Old) {
        refuse(File, Refusal::changed(), H);
        return File;
      }
      StringRef Name = File;
      if (!Name.consume_front(Cwd))
        Name.consume_front("/"); // for patch -p1 -d /
      llvm::raw_string_ostream Patch(Group[File]);
      printPatch(Patch, Name, Old, Text->Edits);
    }
    FilesWritten += Files.size();
    Patches.merge(Group);
    count(P, Files, Applied);
    return std::string();
  });
  for (const auto &[File, Text] : Patches)
    OS << Text;
}

std::string Fixes::summary(StringRef Verb, StringRef One,
                           StringRef Many) const {
  auto Plural = [](size_t N, StringRef One, StringRef Many) {
    return std::to_string(N) + " " + (N == 1 ? One : Many).str();
  };
  size_t All = Wanted.size() + Overlapping.size();
  std::string Text = Verb.str() + " " + std::to_string(Applied.size()) +
                     " of " + Plural(All, One, Many) + " in " +
                     Plural(FilesWritten, "file", "files");
  if (!Already.empty())
    Text += "; another run has applied " + std::to_string(Already.size());
  size_t Left = All - Applied.size() - Already.size() - Refused.size();
  if (Left)
    Text += "; " + Plural(Left, "overlaps another", "overlap others") +
            ", run again";
  return Text;
}

} // namespace tensortidy::tool
