//===- Html.cpp - a report as pages ---------------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output/Html.h"
#include "Analysis/Facts/Finding.h"
#include "Output/HtmlPage.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using llvm::StringRef;

namespace tensortidy::tool {

namespace {

struct FolderRow {
  FindingCounts Counts;           ///< of all that is below it
  std::vector<std::string> Files; ///< with findings, in it
  unsigned Depth = 0;
};

/// The folders that have such files, and those where their paths part.
std::map<std::string, FolderRow> foldersOf(const HtmlReport &H) {
  std::map<std::string, FolderRow> Rows;
  std::map<std::string, std::set<std::string>> Children;
  for (const auto &[Name, File] : H.Files) {
    if (File.Findings.empty())
      continue;
    Rows[folderOf(Name).str()].Files.push_back(Name);
    for (std::string Child = Name;;) {
      std::string Folder = folderOf(Child).str();
      if (Folder == Child)
        break;
      Rows[Folder].Counts.add(File.Counts);
      Children[Folder].insert(Child);
      Child = std::move(Folder);
    }
  }
  for (auto It = Rows.begin(); It != Rows.end();)
    if (It->second.Files.empty() && Children[It->first].size() < 2)
      It = Rows.erase(It);
    else
      ++It;
  for (auto &[Name, Row] : Rows)
    for (StringRef Up = Name; !Up.empty() && Up != "/";) {
      Up = folderOf(Up);
      Row.Depth += Rows.count(Up.str()) != 0;
    }
  return Rows;
}

class Writer {
public:
  Writer(const HtmlReport &H, AddPage Add)
      : H(H), Add(Add), Folders(foldersOf(H)) {
    for (size_t I = 0; I < H.R.Findings.size(); ++I)
      Checks[H.R.Findings[I].Check].push_back(I);
  }

  llvm::Error write() {
    if (llvm::Error E = Add("style.css", HtmlStyle))
      return E;
    if (llvm::Error E = Add("index.html", index()))
      return E;
    if (H.Since)
      if (llvm::Error E = Add("trend.html", trend()))
        return E;
    for (const auto &[Check, Which] : Checks)
      if (llvm::Error E = Add(checkPage(Check), check(Check, Which)))
        return E;
    for (const auto &[Folder, Row] : Folders)
      if (llvm::Error E = Add(folderPage(Folder), folder(Folder, Row)))
        return E;
    for (const auto &[File, Is] : H.Files) {
      if (!Is.HasPage)
        continue;
      auto Page = sourcePage(H, File, Add);
      if (!Page)
        return Page.takeError();
      if (llvm::Error E = Add("files/" + pageName(File), *Page))
        return E;
    }
    return llvm::Error::success();
  }

private:
  std::string index() const;
  void tiles(llvm::raw_ostream &OS) const;
  void problems(llvm::raw_ostream &OS) const;
  void checkTable(llvm::raw_ostream &OS) const;
  void folderTable(llvm::raw_ostream &OS) const;
  void fileTable(llvm::raw_ostream &OS, llvm::ArrayRef<std::string> Files,
                 unsigned Depth) const;
  std::string check(StringRef Check, llvm::ArrayRef<size_t> Which) const;
  std::string folder(StringRef Folder, const FolderRow &Row) const;

  std::string trend() const;
  void trendTable(llvm::raw_ostream &OS) const;
  void oldList(llvm::raw_ostream &OS, StringRef Title, Trend::State S) const;

  const HtmlReport &H;
  AddPage Add;
  std::map<std::string, std::vector<size_t>> Checks;
  std::map<std::string, FolderRow> Folders;
};

//===----------------------------------------------------------------------===//
// The index
//===----------------------------------------------------------------------===//

void tableHead(llvm::raw_ostream &OS, const HtmlReport &H, StringRef What) {
  OS << "<table>\n<thead><tr><th scope=\"col\">" << What << "</th>";
  H.countHeads(OS);
  OS << "</tr></thead>\n<tbody>\n";
}

void tableEnd(llvm::raw_ostream &OS) { OS << "</tbody>\n</table>\n"; }

void Writer::tiles(llvm::raw_ostream &OS) const {
  OS << "<dl class=\"tiles\">\n";
  const auto Tile = [&](StringRef What, size_t N) {
    OS << "<div><dt>" << What << "</dt><dd>" << N << "</dd></div>\n";
  };
  Tile("findings", H.All.New);
  Tile("files with findings", llvm::count_if(H.Files, [](const auto &F) {
         return F.second.Counts.New > 0;
       }));
  if (H.R.HasBaseline)
    Tile("in the baseline", H.All.InBaseline);
  if (H.All.Silenced)
    Tile("silenced by NOLINT", H.All.Silenced);
  OS << "</dl>\n";
}

void Writer::problems(llvm::raw_ostream &OS) const {
  if (H.R.Problems.empty())
    return;
  OS << "<h2>What could not be analysed</h2>\n<ul class=\"list problem\">\n";
  for (const Problem &P : H.R.Problems) {
    OS << "<li>";
    const std::string Link = H.linkTo(P.At, 0);
    const std::string Words =
        P.At.File.empty() ? ""
        : P.At.Begin.Line ? P.At.File + ":" + std::to_string(P.At.Begin.Line)
                          : P.At.File;
    if (Link.empty())
      OS << Esc{Words};
    else
      OS << "<a href=\"" << Link << "\">" << Esc{Words} << "</a>";
    OS << (Words.empty() ? "" : ": ") << Esc{P.Message} << "</li>\n";
  }
  OS << "</ul>\n";
}

void Writer::checkTable(llvm::raw_ostream &OS) const {
  OS << "<h2>By check</h2>\n";
  tableHead(OS, H, "check");
  for (const auto &[Check, Which] : Checks) {
    FindingCounts N;
    for (const size_t I : Which)
      N.add(H.R.Findings[I]);
    OS << "<tr><td><a href=\"" << checkPage(Check) << "\">" << Esc{Check}
       << "</a>";
    if (const analysis::CheckInfo *C = checkCalled(Check))
      OS << "<span class=\"about\">" << Esc{C->Summary} << "</span>";
    OS << "</td>";
    H.countCells(OS, N);
    OS << "</tr>\n";
  }
  tableEnd(OS);
}

void Writer::folderTable(llvm::raw_ostream &OS) const {
  OS << "<h2>By folder</h2>\n";
  tableHead(OS, H, "folder, with all below it");
  for (const auto &[Folder, Row] : Folders) {
    OS << "<tr><td";
    if (Row.Depth)
      OS << " class=\"in" << std::min(Row.Depth, 3U) << '"';
    OS << "><a href=\"" << folderPage(Folder) << "\">"
       << Esc{shownFolder(Folder)} << "</a></td>";
    H.countCells(OS, Row.Counts);
    OS << "</tr>\n";
  }
  tableEnd(OS);
}

void Writer::fileTable(llvm::raw_ostream &OS, llvm::ArrayRef<std::string> Files,
                       unsigned Depth) const {
  tableHead(OS, H, "file");
  for (const std::string &File : Files) {
    const std::string Link = H.linkToFile(File, Depth);
    OS << "<tr><td>";
    if (Link.empty())
      OS << Esc{shownFile(File)};
    else
      OS << "<a href=\"" << Link << "\">" << Esc{File} << "</a>";
    OS << "</td>";
    H.countCells(OS, H.Files.at(File).Counts);
    OS << "</tr>\n";
  }
  tableEnd(OS);
}

std::string Writer::index() const {
  std::string Body;
  llvm::raw_string_ostream OS(Body);
  OS << "<h1>Findings in " << Esc{H.Project} << "</h1>\n";
  tiles(OS);
  if (H.Since) {
    const Trend::Counts N = H.Since->total();
    OS << "<p><a href=\"trend.html\">Since " << Esc{H.Since->name()}
       << "</a>: " << N.New << " new, " << N.Gone << " gone, "
       << N.Before - N.Gone << " as before.</p>\n";
  }
  problems(OS);
  if (H.R.Findings.empty()) {
    OS << "<p>Nothing was found.</p>\n";
  } else {
    checkTable(OS);
    folderTable(OS);
    OS << "<h2>By file</h2>\n";
    std::vector<std::string> Files;
    for (const auto &[Name, File] : H.Files)
      if (!File.Findings.empty())
        Files.push_back(Name);
    fileTable(OS, Files, 0);
  }
  OS.flush();
  return H.page("Findings in " + H.Project, 0, Body);
}

//===----------------------------------------------------------------------===//
// Checks and folders
//===----------------------------------------------------------------------===//

std::string Writer::check(StringRef Check, llvm::ArrayRef<size_t> Which) const {
  std::string Body;
  llvm::raw_string_ostream OS(Body);
  OS << "<h1>" << Esc{Check} << "</h1>\n";
  if (const analysis::CheckInfo *C = checkCalled(Check)) {
    OS << "<p>" << Esc{C->Summary};
    if (const std::string Page = pageOf(H.R, Check); !Page.empty())
      OS << " (<a href=\"" << Esc{Page} << "\">when exactly, and how to "
         << "rewrite</a>)";
    OS << "</p>\n";
  }
  OS << "<h2>Findings</h2>\n";
  H.list(OS, Which, 1, /*WithCheck=*/false);
  OS.flush();
  return H.page(Check, 1, Body);
}

std::string Writer::folder(StringRef Folder, const FolderRow &Row) const {
  std::string Body;
  llvm::raw_string_ostream OS(Body);
  OS << "<h1>" << Esc{shownFolder(Folder)} << "</h1>\n";
  const auto IsIn = [&](StringRef Other) {
    return Other != Folder &&
           (Folder.empty() ? !Other.starts_with("/")
                           : Other.starts_with(Folder.rtrim('/').str() + "/"));
  };
  bool Any = false;
  for (const auto &[Other, Of] : Folders) {
    if (!IsIn(Other))
      continue;
    if (!std::exchange(Any, true))
      tableHead(OS, H, "folder below it");
    OS << "<tr><td><a href=\"" << pageName(Other) << "\">" << Esc{Other}
       << "</a></td>";
    H.countCells(OS, Of.Counts);
    OS << "</tr>\n";
  }
  if (Any)
    tableEnd(OS);
  if (!Row.Files.empty())
    fileTable(OS, Row.Files, 1);
  std::vector<size_t> Which;
  for (const std::string &File : Row.Files)
    llvm::append_range(Which, H.Files.at(File).Findings);
  if (!Which.empty())
    OS << "<h2>Findings</h2>\n";
  H.list(OS, Which, 1, /*WithCheck=*/true);
  OS.flush();
  return H.page(shownFolder(Folder), 1, Body);
}

//===----------------------------------------------------------------------===//
// The trend
//===----------------------------------------------------------------------===//

void Writer::trendTable(llvm::raw_ostream &OS) const {
  OS << "<table>\n<thead><tr><th scope=\"col\">check</th>";
  for (const char *Column : {"before", "gone", "new", "now"})
    OS << "<th scope=\"col\" class=\"n\">" << Column << "</th>";
  OS << "</tr></thead>\n<tbody>\n";
  const auto Cells = [&](const Trend::Counts &N) {
    for (const unsigned Each : {N.Before, N.Gone, N.New, N.Now})
      OS << "<td class=\"n\">" << Each << "</td>";
    OS << "</tr>\n";
  };
  for (const auto &[Check, N] : H.Since->byCheck()) {
    OS << "<tr><td>";
    if (Checks.count(Check))
      OS << "<a href=\"" << checkPage(Check) << "\">" << Esc{Check} << "</a>";
    else
      OS << Esc{Check};
    OS << "</td>";
    Cells(N);
  }
  OS << "<tr><th scope=\"row\">all</th>";
  Cells(H.Since->total());
  tableEnd(OS);
}

void Writer::oldList(llvm::raw_ostream &OS, StringRef Title,
                     Trend::State S) const {
  if (!H.Since->count(S))
    return;
  OS << "<h2>" << Title << "</h2>\n<ul class=\"list\">\n";
  for (const Trend::OldFinding &F : H.Since->old()) {
    if (F.S != S)
      continue;
    OS << "<li>" << Esc{F.File};
    if (F.Line)
      OS << ", line " << F.Line;
    OS << ": " << Esc{F.Message} << " <span class=\"check\">" << Esc{F.Check}
       << "</span></li>\n";
  }
  OS << "</ul>\n";
}

std::string Writer::trend() const {
  std::string Body;
  llvm::raw_string_ostream OS(Body);
  const Trend &T = *H.Since;
  OS << "<h1>Since " << Esc{T.name()} << "</h1>\n<p>"
     << "Findings are told apart by check, function and message: moved lines "
        "and renamed files change nothing. What NOLINT silences is not "
        "counted.</p>\n";
  trendTable(OS);
  std::vector<size_t> New;
  for (size_t I = 0; I < H.R.Findings.size(); ++I)
    if (T.isNew(H.R.Findings[I]))
      New.push_back(I);
  if (!New.empty())
    OS << "<h2>New</h2>\n";
  H.list(OS, New, 0, /*WithCheck=*/true);
  oldList(OS, "Gone", Trend::State::Gone);
  oldList(OS, "Silenced since then", Trend::State::Silenced);
  oldList(OS, "Not looked at by this run", Trend::State::NotLookedAt);
  OS.flush();
  return H.page("Since " + T.name(), 0, Body);
}

} // namespace

llvm::Error writeHtml(const Report &R, const Trend *Since, AddPage Add) {
  const HtmlReport H(R, Since);
  return Writer(H, Add).write();
}

} // namespace tensortidy::tool
