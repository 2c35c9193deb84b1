//===- Tidy.h - what a host of our own may ask of the module ----*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Under clang-tidy and clangd the module works by itself: linking or loading it
// registers the checks. The command line asks for more, by attaching a Session
// to the ClangTidyContext it runs with: statistics and the tensor programs.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TIDY_TIDY_H
#define TENSORTIDY_TIDY_TIDY_H

#include "Analysis/Analysis.h"
#include "clang-tidy/ClangTidyOptions.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>

namespace clang {
class ASTContext;
class SourceLocation;
class SourceManager;
namespace tidy {
class ClangTidyContext;
} // namespace tidy
} // namespace clang

namespace tensortidy::tidy {

/// The options that are for all checks: a file with the user's model, and the
/// names of the user's assertions.
inline constexpr llvm::StringLiteral ModelOption = "tensortidy.Model";
inline constexpr llvm::StringLiteral AssertionsOption = "tensortidy.Assertions";
/// Names of reasons (analysis::reasons()) that are to silence nothing.
inline constexpr llvm::StringLiteral DisregardOption = "tensortidy.Disregard";

/// What one or many files' analyses saw, for --stats.
struct Statistics {
  unsigned Seen = 0;        ///< functions with a body in linted files
  unsigned WithTensors = 0; ///< of those, the ones that mention a tensor
  unsigned Analysed = 0;    ///< of those, analysed to the end
  std::map<std::string, unsigned> GivenUp; ///< the others, by reason
  unsigned Modelled = 0; ///< calls whose model determines the result
  std::map<std::string, unsigned> Open; ///< leaves its layout open, by name
  std::map<std::string, unsigned> Unmodelled;       ///< calls without, by name
  unsigned CallsFollowed = 0, CallsNotFollowed = 0; ///< with a body in the unit
  unsigned ViewSites = 0, ViewSitesDecided = 0;
  unsigned LayoutSites = 0, LayoutSitesDecided = 0;
  unsigned PointerSites = 0, PointerSitesDecided = 0;
  unsigned ContiguousSites = 0, ContiguousSitesDecided = 0;
  unsigned CopySites = 0, CopySitesDecided = 0;
  std::map<std::string, unsigned> Silenced; ///< not told, by reason
  /// CPU seconds by phase.
  double Parse = 0, Find = 0, Lower = 0, Analyse = 0, Report = 0;

  void add(const Statistics &Other);
  void print(llvm::raw_ostream &OS) const;
};

/// One finding: its check, the offset of its place in that place's file, and
/// its message.
using FindingKey = std::tuple<std::string, unsigned, std::string>;

struct Session {
  Statistics Stats;
  /// The qualified name of the function that a finding stands in.
  std::map<FindingKey, std::string> Functions;
  /// What was linted: the main file and the headers that the filter admits.
  std::set<std::string> Files;
  /// Where the tensor program of each function is printed; null: nowhere.
  llvm::raw_ostream *Programs = nullptr;
  bool Layouts = false; ///< print what is known of each value with them
};

/// Makes analyses that run with \p Context use \p S (null: none). The session
/// must outlive them.
void attach(const clang::tidy::ClangTidyContext &Context, Session *S);

/// A tensor expression of the main file; offsets in bytes, End behind it.
struct PlacedLayout {
  unsigned Begin = 0, End = 0;
  unsigned NameBegin = 0, NameEnd = 0; ///< of what is called; 0: no name
  analysis::LayoutFact Fact;
  /// Where each note of its history stands: "line 8", or "ops.h:8".
  std::vector<std::string> Places;
};

/// Takes the layouts of one main file (absolute path, text as parsed), by
/// position. Called on the thread that parsed the file.
using LayoutSink =
    std::function<void(llvm::StringRef File, llvm::StringRef Text,
                       std::vector<PlacedLayout> Layouts)>;

/// Makes every analysis of this process record layouts and hand them to
/// \p Sink. To be set before the first one starts.
void setLayoutSink(LayoutSink Sink);

/// Which headers are linted.
class HeaderFilter {
public:
  explicit HeaderFilter(const clang::tidy::ClangTidyOptions &Options);

  bool admitsAny() const { return Include.isValid(); }
  bool admitsSystem() const { return SystemHeaders; }
  /// Whether it would be if it is no system header. An empty filter is no valid
  /// expression and matches nothing.
  bool admitsName(llvm::StringRef Header) const {
    return Include.isValid() && Include.match(Header) &&
           !(Exclude.isValid() && Exclude.match(Header));
  }
  bool admits(llvm::StringRef Header, bool IsSystem) const {
    return (SystemHeaders || !IsSystem) && admitsName(Header);
  }

private:
  bool SystemHeaders;
  llvm::Regex Include, Exclude;
};

/// Whether findings at \p Loc would be shown: it is in the main file, or in a
/// header that the header filter admits.
class FileFilter {
public:
  FileFilter(const clang::tidy::ClangTidyContext &Tidy,
             const clang::ASTContext &AST);
  FileFilter(const clang::tidy::ClangTidyContext &Tidy,
             const clang::SourceManager &SM);
  FileFilter(const clang::tidy::ClangTidyOptions &Options,
             const clang::SourceManager &SM);
  ~FileFilter();
  bool admits(clang::SourceLocation Loc);
  bool admitsHeaders() const; ///< at all
  /// The absolute paths of the files that were read and are admitted.
  std::set<std::string> files() const;

private:
  struct Impl;
  std::unique_ptr<Impl> I;
};

} // namespace tensortidy::tidy

#endif
