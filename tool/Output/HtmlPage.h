//===- HtmlPage.h - what all pages of a report share ------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Whatever comes from outside, names of files, code, messages, goes through
// Esc on its way into a page:
//
//   OS << "<td>" << Esc{Name} << "</td>"
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_OUTPUT_HTMLPAGE_H
#define TENSORTIDY_TOOL_OUTPUT_HTMLPAGE_H

#include "Output/Html.h"
#include "Progress.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <string>
#include <vector>

namespace tensortidy::tool {

/// Text for the inside of an element or a quoted attribute. What no page may
/// have, or what would change the order of letters on the screen, is shown as a
/// sign for it.
struct Esc {
  llvm::StringRef Text;
};
llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, Esc E);

/// A name for the page of \p Name: letters that every server and file system
/// takes, and no other name's.
std::string pageName(llvm::StringRef Name);

/// The folder of a file: "src" of "src/net.cpp", "" at the top.
llvm::StringRef folderOf(llvm::StringRef File);
std::string shownFolder(llvm::StringRef Folder);
/// \p File, or what stands for none.
llvm::StringRef shownFile(llvm::StringRef File);
/// The page of a folder that has files with findings, from the index.
std::string folderPage(llvm::StringRef Folder);

/// The page of a check, from the index.
std::string checkPage(llvm::StringRef Check);

struct FindingCounts {
  unsigned New = 0, InBaseline = 0, Silenced = 0;

  void add(const ReportedFinding &F);
  void add(const FindingCounts &Other);
};

/// A file that has a page.
struct ReportedFile {
  std::vector<size_t> Findings; ///< those in it, by their place in the report
  std::vector<std::pair<size_t, size_t>> Notes; ///< finding, note
  std::vector<size_t> Problems;
  FindingCounts Counts;
  bool HasPage = false; ///< its text is known
};

class HtmlReport {
public:
  HtmlReport(const Report &R, const Trend *Since);

  const Report &R;
  const Trend *const Since; ///< or null
  std::map<std::string, ReportedFile> Files;
  FindingCounts All;
  std::string Project; ///< its name

  /// A page that is \p Depth folders below the index.
  std::string page(llvm::StringRef Title, unsigned Depth,
                   llvm::StringRef Body) const;

  /// "../files/NAME.html#f3" for a finding, from a page at \p Depth; nothing if
  /// its file has no page.
  std::string linkTo(size_t Finding, unsigned Depth) const;
  std::string linkTo(const Place &At, unsigned Depth) const;
  std::string linkToFile(llvm::StringRef File, unsigned Depth) const;

  /// "new", "in the baseline", "silenced by NOLINT": what is special about a
  /// finding.
  std::string badges(const ReportedFinding &F) const;
  /// The findings \p Which as a list.
  void list(llvm::raw_ostream &OS, llvm::ArrayRef<size_t> Which, unsigned Depth,
            bool WithCheck) const;
  /// The head of a table of counts, and the cells of a row.
  void countHeads(llvm::raw_ostream &OS) const;
  void countCells(llvm::raw_ostream &OS, const FindingCounts &N) const;
};

/// The page of a file. \p Add is given the pictures.
llvm::Expected<std::string> sourcePage(const HtmlReport &H,
                                       llvm::StringRef File, AddPage Add);

/// The style sheet of all pages.
extern const char HtmlStyle[];

} // namespace tensortidy::tool

#endif
