//===- Sources.cpp - sources as the compiler read them --------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sources.h"
#include "Accesses.h"
#include "Tidy/Compat.h"
#include "Tidy/Tidy.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/LexDiagnostic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace clang;
using namespace clang::tidy;
using llvm::StringRef;

namespace tensortidy::tool {

namespace {

/// A file that is read when it is opened: its size is that of the text, however
/// much is written to it afterwards. Clang refuses a file whose size differs
/// from its text's, and has nothing to go on with where that is the main file.
class UnmappedFile : public llvm::vfs::File {
public:
  UnmappedFile(std::unique_ptr<llvm::vfs::File> Real,
               std::unique_ptr<llvm::MemoryBuffer> Text)
      : Real(std::move(Real)), Size(Text->getBufferSize()),
        Text(std::move(Text)) {}

  llvm::ErrorOr<llvm::vfs::Status> status() override {
    auto Status = Real->status();
    if (!Status)
      return Status;
    return llvm::vfs::Status::copyWithNewSize(*Status, Size);
  }
  llvm::ErrorOr<std::string> getName() override { return Real->getName(); }
  std::error_code close() override { return Real->close(); }

  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
  getBuffer(const llvm::Twine &Name, int64_t /*FileSize*/,
            bool RequiresNullTerminator, bool /*IsVolatile*/) override {
    if (Text)
      return std::move(Text);
    return Real->getBuffer(Name, /*FileSize=*/-1, RequiresNullTerminator,
                           /*IsVolatile=*/true);
  }

private:
  std::unique_ptr<llvm::vfs::File> Real;
  uint64_t Size;
  std::unique_ptr<llvm::MemoryBuffer> Text; ///< null once it was handed out
};

class UnmappedFileSystem : public compat::ProxyFileSystem {
public:
  UnmappedFileSystem(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Real,
                     Accesses *Asked)
      : ProxyFileSystem(std::move(Real)), Asked(Asked) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &Path) override {
    auto Status = ProxyFileSystem::status(Path);
    for (const Question Q : {Question::Status, Question::Stamp})
      note(Q, Path, [&] {
        return Status ? Answer::of(Q, *Status)
                      : Answer::failed(Status.getError());
      });
    return Status;
  }

  bool exists(const llvm::Twine &Path) override { return bool(status(Path)); }

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &Path) override {
    auto File = ProxyFileSystem::openFileForRead(Path);
    if (!File || isPrecompiled(Path)) {
      note(Question::Text, Path, [&] {
        return File ? mapped(Path, **File) : Answer::failed(File.getError());
      });
      return File;
    }
    auto Text = (*File)->getBuffer(Path, /*FileSize=*/-1,
                                   /*RequiresNullTerminator=*/true,
                                   /*IsVolatile=*/true);
    note(Question::Text, Path, [&] {
      auto Status = (*File)->status();
      if (Text && !(Status && Status->isRegularFile()))
        Asked->cannotBeAsked();
      return Answer::ofText(Text, Status);
    });
    if (!Text) // a directory
      return File;
    return std::make_unique<UnmappedFile>(std::move(*File), std::move(*Text));
  }

  llvm::vfs::directory_iterator dir_begin(const llvm::Twine &Path,
                                          std::error_code &Why) override {
    auto It = ProxyFileSystem::dir_begin(Path, Why);
    note(Question::Listing, Path,
         [&] { return Why ? Answer::failed(Why) : listing(Path); });
    return It;
  }

  std::error_code realPath(const llvm::Twine &Path,
                           llvm::SmallVectorImpl<char> &Out) override {
    std::error_code Why = ProxyFileSystem::realPath(Path, Out);
    note(Question::RealPath, Path, [&] {
      return Why ? Answer::failed(Why)
                 : Answer{std::string(Out.begin(), Out.end()), {}};
    });
    return Why;
  }

private:
  template <class Fn>
  void note(Question Q, const llvm::Twine &Path, Fn Say) const {
    if (!Asked)
      return;
    llvm::SmallString<256> Absolute;
    Path.toVector(Absolute);
    if (!makeAbsolute(Absolute))
      Asked->note(Q, Absolute.str().str(), Say());
  }

  Answer listing(const llvm::Twine &Path) {
    std::error_code Why;
    std::vector<std::string> Names;
    for (auto It = ProxyFileSystem::dir_begin(Path, Why);
         !Why && It != llvm::vfs::directory_iterator(); It.increment(Why))
      Names.push_back(It->path().str());
    return Answer::ofNames(std::move(Names));
  }

  /// What a precompiled header holds, which is not read but mapped.
  Answer mapped(const llvm::Twine &Path, llvm::vfs::File &File) const {
    Asked->readsPrecompiled();
    return Answer::ofText(
        llvm::MemoryBuffer::getFile(Path, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false),
        File.status());
  }

  /// Compilers replace these whole, and they have a hundred megabytes.
  static bool isPrecompiled(const llvm::Twine &Path) {
    llvm::SmallString<256> Storage;
    StringRef Extension = llvm::sys::path::extension(Path.toStringRef(Storage));
    return Extension == ".pch" || Extension == ".gch" || Extension == ".pcm";
  }

  Accesses *const Asked;
};

/// Calls \p Each with the path of every place in \p M and the furthest offset
/// that is looked at there.
template <class Fn> void eachPlace(tooling::DiagnosticMessage &M, Fn Each) {
  Each(M.FilePath, M.FileOffset);
  for (tooling::FileByteRange &R : M.Ranges)
    Each(R.FilePath, R.FileOffset + R.Length);
  for (const auto &Entry : M.Fix)
    for (const tooling::Replacement &R : Entry.getValue()) {
      std::string Path = R.getFilePath().str();
      Each(Path, R.getOffset() + R.getLength());
    }
}

} // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
sourceFileSystem(Accesses *Asked) {
  return llvm::makeIntrusiveRefCnt<UnmappedFileSystem>(
      llvm::vfs::getRealFileSystem(), Asked);
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
onlySources(llvm::ArrayRef<SourceText> Sources) {
  auto FS = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  FS->setCurrentWorkingDirectory("/");
  for (const SourceText &S : Sources)
    FS->addFile(S.Path, 0, llvm::MemoryBuffer::getMemBuffer(S.Text, S.Path));
  return FS;
}

std::string pathIn(StringRef Path, StringRef Directory) {
  if (llvm::sys::path::is_absolute(Path) || Directory.empty())
    return Path.str();
  llvm::SmallString<256> Absolute(Directory);
  llvm::sys::path::append(Absolute, Path);
  return Absolute.str().str();
}

std::string realPath(StringRef Path, StringRef Directory) {
  std::string Absolute = pathIn(Path, Directory);
  llvm::SmallString<256> Real;
  if (llvm::sys::fs::real_path(Absolute, Real))
    return Absolute;
  return Real.str().str();
}

void RecordingConsumer::BeginSourceFile(const LangOptions &Options,
                                        const Preprocessor *PP) {
  Seen.clear();
  ClangTidyDiagnosticConsumer::BeginSourceFile(Options, PP);
  Silenced.BeginSourceFile(Options, PP);
}

void RecordingConsumer::EndSourceFile() {
  Silenced.EndSourceFile();
  ClangTidyDiagnosticConsumer::EndSourceFile();
}

void RecordingConsumer::HandleDiagnostic(DiagnosticsEngine::Level Level,
                                         const Diagnostic &Info) {
  if (Info.hasSourceManager()) {
    const SourceManager &Sources = Info.getSourceManager();
    record(Sources, Info.getLocation());
    for (const CharSourceRange &R : Info.getRanges())
      record(Sources, R.getBegin());
    for (const FixItHint &Hint : Info.getFixItHints())
      record(Sources, Hint.RemoveRange.getBegin());
  }
  if (Level == DiagnosticsEngine::Note) {
    if (LastWasSilenced)
      Silenced.HandleDiagnostic(Level, Info);
    else
      ClangTidyDiagnosticConsumer::HandleDiagnostic(Level, Info);
    return;
  }
  LastWasSilenced = false;
  if (Level >= DiagnosticsEngine::Error && !HasErrors) {
    HasErrors = true;
    MissesFile = Info.getID() == diag::err_pp_file_not_found;
  }
  if (StringRef(Context.getCheckName(Info.getID())).starts_with("tensor-"))
    handleFinding(Level, Info);
  else
    ClangTidyDiagnosticConsumer::HandleDiagnostic(Level, Info);
}

/// clang-tidy's own consumer asks for comments, too, and drops what they hide.
/// So this one asks first.
void RecordingConsumer::handleFinding(DiagnosticsEngine::Level Level,
                                      const Diagnostic &Info) {
  llvm::SmallVector<tooling::Diagnostic, 1> Malformed; // told only once
  LastWasSilenced = Info.hasSourceManager() &&
                    Context.shouldSuppressDiagnostic(Level, Info, Malformed) &&
                    wouldShow(Info);
  if (LastWasSilenced)
    Silenced.HandleDiagnostic(DiagnosticsEngine::Error, Info);
  else
    ClangTidyDiagnosticConsumer::HandleDiagnostic(Level, Info);
  for (const tooling::Diagnostic &Problem : Malformed)
    Context.diag(Problem);
}

/// Whether the filters on headers and lines admit a finding: errors pass them.
bool RecordingConsumer::wouldShow(const Diagnostic &Info) const {
  const SourceManager &Sources = Info.getSourceManager();
  tensortidy::tidy::FileFilter Filter(Context, Sources);
  if (!Filter.admits(Info.getLocation()))
    return false;
  const auto &Lines = Context.getGlobalOptions().LineFilter;
  const SourceLocation Where = Sources.getExpansionLoc(Info.getLocation());
  const unsigned Line = Sources.getExpansionLineNumber(Where);
  for (const clang::tidy::FileFilter &F : Lines)
    if (Sources.getFilename(Where).ends_with(F.Name))
      return F.LineRanges.empty() ||
             llvm::any_of(F.LineRanges,
                          [&](const clang::tidy::FileFilter::LineRange &R) {
                            return R.first <= Line && Line <= R.second;
                          });
  return Lines.empty();
}

std::vector<ClangTidyError> RecordingConsumer::takeSilenced() {
  std::vector<ClangTidyError> Found = Silenced.take();
  for (ClangTidyError &E : Found)
    E.DiagLevel = ClangTidyError::Warning;
  return Found;
}

void RecordingConsumer::record(const SourceManager &Sources,
                               SourceLocation Where) {
  // A place in a macro is printed with all the places it is expanded at.
  while (Where.isMacroID()) {
    record(Sources, Sources.getFileID(Sources.getSpellingLoc(Where)));
    record(Sources, Sources.getFileID(Sources.getExpansionLoc(Where)));
    Where = Sources.getImmediateMacroCallerLoc(Where);
  }
  if (Where.isValid())
    record(Sources, Sources.getFileID(Where));
}

void RecordingConsumer::record(const SourceManager &Sources, FileID File) {
  if (llvm::is_contained(Seen, File))
    return;
  Seen.push_back(File);
  OptionalFileEntryRef Entry = Sources.getFileEntryRefForID(File);
  std::optional<StringRef> Text = Sources.getBufferDataOrNone(File);
  if (!Entry || !Text)
    return;
  llvm::SmallString<256> Path(Entry->getName());
  Sources.getFileManager().makeAbsolutePath(Path);
  auto [It, New] = Texts.try_emplace(Path);
  SourceText &Known = It->second;
  if (New)
    Known = {Path.str().str(), Text->str()};
  else
    Known.Changed |= Known.Text != *Text;
}

std::vector<SourceText> RecordingConsumer::sourcesOf(
    llvm::ArrayRef<std::vector<ClangTidyError> *> Lists,
    llvm::vfs::FileSystem &FS) {
  std::set<std::string> Named;
  for (std::vector<ClangTidyError> *Errors : Lists)
    for (ClangTidyError &E : *Errors) {
      auto Check = [&](std::string &Name, unsigned Offset) {
        if (Name.empty())
          return;
        std::string Path = pathIn(Name, E.BuildDirectory);
        auto [It, New] = Texts.try_emplace(Path);
        if (New) {
          auto Buffer = FS.getBufferForFile(Path);
          if (!Buffer) {
            Texts.erase(It);
            return;
          }
          It->second = {Path, (*Buffer)->getBuffer().str()};
        }
        if (Offset > It->second.Text.size())
          Name.clear();
        else
          Named.insert(Path);
      };
      eachPlace(E.Message, Check);
      for (tooling::DiagnosticMessage &Note : E.Notes)
        eachPlace(Note, Check);
    }
  std::vector<SourceText> Sources;
  for (const std::string &Path : Named)
    Sources.push_back(std::move(Texts[Path]));
  return Sources;
}

} // namespace tensortidy::tool
