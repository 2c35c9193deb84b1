//===- HtmlPage.cpp - what all pages of a report share --------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output/HtmlPage.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using llvm::StringRef;

namespace tensortidy::tool {

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Whether a page may not have it, or it turns the text around it.
static bool isHidden(uint32_t Point) {
  return (Point < 0x20 && Point != '\t' && Point != '\n') ||
         (Point >= 0x7F && Point < 0xA0) || Point == 0x061C ||
         Point == 0x200E || Point == 0x200F ||
         (Point >= 0x202A && Point <= 0x202E) ||
         (Point >= 0x2066 && Point <= 0x2069) ||
         (Point >= 0xFDD0 && Point <= 0xFDEF) || (Point & 0xFFFE) == 0xFFFE;
}

llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, Esc E) {
  const std::string Valid =
      llvm::json::isUTF8(E.Text) ? E.Text.str() : llvm::json::fixUTF8(E.Text);
  const auto *At = reinterpret_cast<const llvm::UTF8 *>(Valid.data());
  const auto *const End = At + Valid.size();
  while (At != End) {
    const auto *const From = At;
    llvm::UTF32 Point = 0;
    if (llvm::convertUTF8Sequence(&At, End, &Point, llvm::strictConversion) !=
        llvm::conversionOK)
      break; // fixUTF8() leaves nothing of this kind
    const StringRef Letter(reinterpret_cast<const char *>(From),
                           static_cast<size_t>(At - From));
    if (isHidden(Point))
      OS << "[U+" << llvm::format_hex_no_prefix(Point, 4, /*Upper=*/true)
         << ']';
    else
      llvm::printHTMLEscaped(Letter, OS);
  }
  return OS;
}

std::string pageName(StringRef Name) {
  constexpr size_t Longest = 60;
  std::string Readable;
  for (const char C : Name.take_back(Longest))
    Readable += llvm::isAlnum(C) || C == '.' || C == '_' ? C : '-';
  return StringRef(Readable).ltrim("-.").str() + "-" +
         llvm::utohexstr(llvm::xxh3_64bits(Name), /*LowerCase=*/true,
                         /*Width=*/16) +
         ".html";
}

StringRef folderOf(StringRef File) {
  const size_t Slash = File.rfind('/');
  return Slash == StringRef::npos ? ""
                                  : File.take_front(std::max<size_t>(Slash, 1));
}

std::string shownFolder(StringRef Folder) {
  return Folder.empty() ? "(top)" : Folder.str();
}

StringRef shownFile(StringRef File) {
  return File.empty() ? "(no file)" : File;
}

std::string folderPage(StringRef Folder) {
  return "folders/" + pageName(Folder);
}

std::string checkPage(StringRef Check) {
  return "checks/" +
         (checkCalled(Check) ? Check.str() + ".html" : pageName(Check));
}

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

void FindingCounts::add(const ReportedFinding &F) {
  New += F.K == ReportedFinding::Kind::New;
  InBaseline += F.K == ReportedFinding::Kind::InBaseline;
  Silenced += F.K == ReportedFinding::Kind::Silenced;
}

void FindingCounts::add(const FindingCounts &Other) {
  New += Other.New;
  InBaseline += Other.InBaseline;
  Silenced += Other.Silenced;
}

HtmlReport::HtmlReport(const Report &R, const Trend *Since)
    : R(R), Since(Since) {
  Project = llvm::sys::path::filename(R.project().root()).str();
  for (size_t I = 0; I < R.Findings.size(); ++I) {
    const ReportedFinding &F = R.Findings[I];
    All.add(F);
    ReportedFile &Of = Files[F.At.File];
    Of.Findings.push_back(I);
    Of.Counts.add(F);
    for (size_t N = 0; N < F.Notes.size(); ++N)
      if (F.Notes[N].At.Begin.Line)
        Files[F.Notes[N].At.File].Notes.emplace_back(I, N);
  }
  for (size_t I = 0; I < R.Problems.size(); ++I)
    if (R.Problems[I].At.Begin.Line)
      Files[R.Problems[I].At.File].Problems.push_back(I);
  for (auto &[Name, File] : Files)
    File.HasPage = !Name.empty() && R.Sources.count(Name);
}

std::string HtmlReport::page(StringRef Title, unsigned Depth,
                             StringRef Body) const {
  const char *const Up = Depth ? "../" : "";
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << "<!DOCTYPE html>\n<html lang=\"en\" "
        "xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
        "<meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\"/>\n"
        "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>"
     << Esc{Title} << "</title>\n<link rel=\"stylesheet\" href=\"" << Up
     << "style.css\"/>\n</head>\n<body>\n"
     << "<a class=\"skip\" href=\"#main\">To the content</a>\n"
     << "<header class=\"top\"><nav aria-label=\"Report\"><a href=\"" << Up
     << "index.html\">" << Esc{Project} << "</a>";
  if (Since)
    OS << " <a href=\"" << Up << "trend.html\">Trend</a>";
  OS << "</nav></header>\n<main id=\"main\">\n"
     << Body << "</main>\n<footer>tensortidy " << Esc{R.Version}
     << "</footer>\n</body>\n</html>\n";
  return Text;
}

std::string HtmlReport::linkToFile(StringRef File, unsigned Depth) const {
  const auto It = Files.find(File.str());
  if (It == Files.end() || !It->second.HasPage)
    return "";
  return (Depth ? "../files/" : "files/") + pageName(File);
}

std::string HtmlReport::linkTo(size_t Finding, unsigned Depth) const {
  const std::string Page = linkToFile(R.Findings[Finding].At.File, Depth);
  return Page.empty() ? "" : Page + "#f" + std::to_string(Finding + 1);
}

std::string HtmlReport::linkTo(const Place &At, unsigned Depth) const {
  const std::string Page = At.Begin.Line ? linkToFile(At.File, Depth) : "";
  return Page.empty() ? "" : Page + "#L" + std::to_string(At.Begin.Line);
}

std::string HtmlReport::badges(const ReportedFinding &F) const {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  if (F.IsError)
    OS << " <span class=\"badge\">error</span>";
  if (Since && Since->isNew(F))
    OS << " <span class=\"badge fresh\">new</span>";
  if (F.K == ReportedFinding::Kind::InBaseline)
    OS << " <span class=\"badge\">in the baseline</span>";
  if (F.K == ReportedFinding::Kind::Silenced) {
    OS << " <span class=\"badge\">silenced by NOLINT";
    if (!F.Reason.empty())
      OS << ": " << Esc{F.Reason};
    OS << "</span>";
  }
  return Text;
}

void HtmlReport::list(llvm::raw_ostream &OS, llvm::ArrayRef<size_t> Which,
                      unsigned Depth, bool WithCheck) const {
  const std::string *Before = nullptr;
  for (const size_t I : Which) {
    const ReportedFinding &F = R.Findings[I];
    if (!Before || F.At.File != *Before) {
      if (Before)
        OS << "</ul>\n";
      const std::string &File = F.At.File;
      Before = &File;
      OS << "<h3 class=\"path\">";
      const std::string Page = linkToFile(File, Depth);
      if (Page.empty())
        OS << Esc{shownFile(File)};
      else
        OS << "<a href=\"" << Page << "\">" << Esc{File} << "</a>";
      OS << "</h3>\n<ul class=\"list\">\n";
    }
    OS << "<li>";
    const std::string Link = linkTo(I, Depth);
    const std::string Line =
        F.At.Begin.Line ? "line " + std::to_string(F.At.Begin.Line) : "";
    if (Link.empty())
      OS << Esc{Line};
    else
      OS << "<a href=\"" << Link << "\">" << Line << "</a>";
    OS << ' ' << Esc{F.Message};
    if (WithCheck)
      OS << " <span class=\"check\">" << Esc{F.Check} << "</span>";
    OS << badges(F) << "</li>\n";
  }
  if (!Which.empty())
    OS << "</ul>\n";
}

void HtmlReport::countHeads(llvm::raw_ostream &OS) const {
  OS << "<th scope=\"col\" class=\"n\">findings</th>";
  if (All.InBaseline)
    OS << "<th scope=\"col\" class=\"n\">in baseline</th>";
  if (All.Silenced)
    OS << "<th scope=\"col\" class=\"n\">silenced</th>";
}

void HtmlReport::countCells(llvm::raw_ostream &OS,
                            const FindingCounts &N) const {
  OS << "<td class=\"n\">" << N.New << "</td>";
  if (All.InBaseline)
    OS << "<td class=\"n\">" << N.InBaseline << "</td>";
  if (All.Silenced)
    OS << "<td class=\"n\">" << N.Silenced << "</td>";
}

//===----------------------------------------------------------------------===//
// The style
//===----------------------------------------------------------------------===//

// Each colour of text has a contrast of 4.5 or more to what is behind it.
const char HtmlStyle[] = R"css(:root {
  color-scheme: light dark;
  --page: #ffffff; --text: #1f2328; --faint: #57606a; --line: #d0d7de;
  --code: #f6f8fa; --link: #0550ae; --box: #fff8e5; --edge: #b35900;
  --mark: #ffe9a8; --word: #8a1f5c; --string: #0a5c36; --number: #0a50a0;
  --old: #ffe3e0; --new: #d6f5dd; --bad: #a40e26;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0d1117; --text: #e6edf3; --faint: #9da7b3; --line: #3d444d;
    --code: #151b23; --link: #79b8ff; --box: #231d10; --edge: #e0a030;
    --mark: #5a4600; --word: #f29ac9; --string: #8fd8a8; --number: #8cc4ff;
    --old: #4a1f22; --new: #12391f; --bad: #ff8a85;
  }
  .figure img { filter: invert(0.92) hue-rotate(180deg); }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans",
    "DejaVu Sans", sans-serif;
}
a { color: var(--link); }
a:focus-visible, summary:focus-visible, .figure:focus-visible {
  outline: 3px solid var(--link); outline-offset: 2px;
}
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 0.5rem; top: 0.5rem; background: var(--page); }
.top { border-bottom: 1px solid var(--line); }
.top nav, main, footer { max-width: 76rem; margin: 0 auto; padding: 0 1rem; }
.top nav { padding-top: 0.6rem; padding-bottom: 0.6rem; }
.top a { margin-right: 1rem; font-weight: 600; text-decoration: none; }
footer { color: var(--faint); padding-top: 2rem; padding-bottom: 2rem; }
h1, h2, h3 { line-height: 1.25; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; }
h2 { font-size: 1.2rem; margin-top: 2rem; }
h3 { font-size: 1rem; margin-bottom: 0.3rem; }
p, li, td, th, dd { overflow-wrap: anywhere; }
.faint, .check { color: var(--faint); }
.tiles { display: flex; flex-wrap: wrap; gap: 0.8rem; margin: 1rem 0; }
.tiles div {
  border: 1px solid var(--line); border-radius: 6px; padding: 0.5rem 1rem;
  min-width: 7rem;
}
.tiles dt { color: var(--faint); font-size: 0.9rem; }
.tiles dd { margin: 0; font-size: 1.4rem; font-weight: 600; }
table { border-collapse: collapse; width: 100%; }
th, td {
  text-align: left; vertical-align: top; padding: 0.35rem 0.5rem;
  border-bottom: 1px solid var(--line); font-weight: normal;
}
thead th { color: var(--faint); font-size: 0.9rem; }
.n {
  text-align: right; width: 1%; min-width: 4.5rem; overflow-wrap: normal;
  font-variant-numeric: tabular-nums;
}
td .about { display: block; color: var(--faint); font-size: 0.9rem; }
.in1 { padding-left: 1.5rem; }
.in2 { padding-left: 2.5rem; }
.in3 { padding-left: 3.5rem; }
.list { padding-left: 1.2rem; margin-top: 0.2rem; }
.list li { margin-bottom: 0.4rem; }
.badge {
  border: 1px solid var(--line); border-radius: 1rem; padding: 0 0.5rem;
  font-size: 0.85rem; color: var(--faint);
}
.badge.fresh { border-color: var(--edge); color: var(--text); }
.problem { border-left: 4px solid var(--bad); padding-left: 0.7rem; }
.list.problem { padding-left: 1.8rem; }
code, pre, .code {
  font: 13px/1.55 ui-monospace, SFMono-Regular, Menlo, Consolas,
    "DejaVu Sans Mono", monospace;
}
.code { border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
.l { display: grid; grid-template-columns: 3.6rem minmax(0, 1fr); }
.wide .l { grid-template-columns: 4.6rem minmax(0, 1fr); }
.l > span {
  color: var(--faint); text-align: right; padding-right: 0.8rem;
  user-select: none; -webkit-user-select: none;
}
.l code { white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; }
.l code { padding: 0 0.5rem 0 2ch; text-indent: -2ch; }
.hit { background: var(--code); }
.l:target > span, .l:target code { background: var(--mark); }
.k { color: var(--word); }
.s { color: var(--string); }
.d { color: var(--number); }
.c { color: var(--faint); font-style: italic; }
mark {
  background: var(--mark); color: inherit;
  text-decoration: underline 2px var(--edge); text-underline-offset: 3px;
}
.code details { border-top: 1px dashed var(--line); }
.code details + .l, .code details + details { border-top: 1px dashed var(--line); }
.code summary {
  font-family: system-ui, sans-serif; color: var(--faint);
  padding: 0.15rem 0.8rem; cursor: pointer; background: var(--code);
}
.finding, .note {
  font: 15px/1.45 system-ui, -apple-system, "Segoe UI", "Noto Sans",
    "DejaVu Sans", sans-serif;
  margin: 0.3rem 0.6rem 0.5rem 3.6rem; padding: 0.5rem 0.8rem;
  border-left: 4px solid var(--edge); background: var(--box);
  border-radius: 0 6px 6px 0;
}
.finding:target { outline: 2px solid var(--edge); }
.finding.known { border-left-color: var(--line); background: var(--code); }
.finding h2 { font-size: 0.95rem; margin: 0 0 0.3rem; font-weight: normal; }
.finding h3 { font-size: 0.95rem; margin: 0.7rem 0 0.2rem; }
.finding p { margin: 0.2rem 0; }
.finding .says { font-weight: 600; }
.finding ul { margin: 0.3rem 0; padding-left: 1.2rem; }
.note { border-left-style: dotted; background: none; padding: 0.1rem 0.8rem; }
.figures { display: flex; flex-wrap: wrap; gap: 0.8rem; }
.figure { margin: 0.5rem 0 0; max-width: 100%; overflow-x: auto; }
.figure img { display: block; max-width: none; border-radius: 4px; }
.figures figcaption { position: sticky; left: 0; }
.patch {
  margin: 0.2rem 0; white-space: pre-wrap; overflow-wrap: anywhere;
  tab-size: 4; border: 1px solid var(--line); background: var(--page);
}
.patch del, .patch ins, .patch span {
  display: block; text-decoration: none; padding: 0 0.5rem;
}
.patch del { background: var(--old); }
.patch ins { background: var(--new); }
.patch span { color: var(--faint); }
.steps { font-size: 0.9rem; }
.steps a { margin-right: 1rem; }
@media (max-width: 40rem) {
  .n { min-width: 0; }
  .l { grid-template-columns: 2.6rem minmax(0, 1fr); }
  .wide .l { grid-template-columns: 3.8rem minmax(0, 1fr); }
  .l > span { padding-right: 0.5rem; }
  .finding, .note { margin-left: 0.4rem; margin-right: 0.4rem; }
}
)css";

} // namespace tensortidy::tool
