//===- Sources.h - sources as the compiler read them ------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A source may be edited, saved or checked out while it is analysed. So sources
// are read and not mapped into memory, where access to a file that was cut
// short ends the program, and the text is kept for later use: the carets below
// a finding, the fixes.
//
//   child    disk -> text the compiler sees -> findings, offsets into that text
//               |                                   |
//   parent      |  FileResult::Sources: the texts <-+
//               v
//            disk, perhaps another text by now: only compared, never shown
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_SOURCES_H
#define TENSORTIDY_TOOL_SOURCES_H

#include "clang-tidy/ClangTidyDiagnosticConsumer.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <string>
#include <vector>

namespace tensortidy::tool {

class Accesses;

/// A source that findings speak of, as the compiler saw it.
struct SourceText {
  std::string Path; ///< absolute
  std::string Text;
  /// It had another text when it was read again, for another command.
  bool Changed = false;
};

/// The file system of the machine, which reads sources instead of mapping them.
/// What is asked of it is noted in \p Asked, if that is given.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
sourceFileSystem(Accesses *Asked = nullptr);

/// A file system that has nothing but \p Sources.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
onlySources(llvm::ArrayRef<SourceText> Sources);

/// \p Path as the analysis in \p Directory meant it.
std::string pathIn(llvm::StringRef Path, llvm::StringRef Directory);

/// The same without symbolic links, so that one file has one name.
std::string realPath(llvm::StringRef Path, llvm::StringRef Directory);

/// clang-tidy's consumer, which also keeps the texts of the files that it hears
/// of, and the findings that a NOLINT comment hides.
class RecordingConsumer : public clang::tidy::ClangTidyDiagnosticConsumer {
public:
  explicit RecordingConsumer(clang::tidy::ClangTidyContext &Context)
      : ClangTidyDiagnosticConsumer(Context), Context(Context),
        Silenced(Context) {}

  void BeginSourceFile(const clang::LangOptions &Options,
                       const clang::Preprocessor *PP) override;
  void EndSourceFile() override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override;

  /// Whether the first of all errors is that a file to be included is not
  /// there. What comes after it may be due to that.
  bool beginsWithMissingFile() const { return MissesFile; }

  std::vector<clang::tidy::ClangTidyError> takeSilenced();

  /// The texts of all files that the \p Lists of findings name. One that the
  /// compiler knew from a precompiled header only is read from \p FS now. A
  /// place behind the end of its file loses its file's name.
  std::vector<SourceText>
  sourcesOf(llvm::ArrayRef<std::vector<clang::tidy::ClangTidyError> *> Lists,
            llvm::vfs::FileSystem &FS);

private:
  void handleFinding(clang::DiagnosticsEngine::Level Level,
                     const clang::Diagnostic &Info);
  bool wouldShow(const clang::Diagnostic &Info) const;
  void record(const clang::SourceManager &Sources, clang::SourceLocation Where);
  void record(const clang::SourceManager &Sources, clang::FileID File);

  clang::tidy::ClangTidyContext &Context;
  /// Takes what a NOLINT comment hides as errors, which none can hide.
  clang::tidy::ClangTidyDiagnosticConsumer Silenced;
  bool LastWasSilenced = false;
  bool HasErrors = false, MissesFile = false;
  llvm::StringMap<SourceText> Texts; ///< by absolute path
  std::vector<clang::FileID> Seen;   ///< of the present command
};

} // namespace tensortidy::tool

#endif
