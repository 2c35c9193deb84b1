//===- HtmlSource.cpp - the page of a source ------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//   82    auto Copy = Swapped.clone();
//   83    return Copy.view({B, Q, H * K});
//         | tensor-view-after-permute            the finding, below its line
//         | view({B, Q, H*K}) cannot merge ...
//         | - line 78: 'Copy' got this ...       its notes
//         | [before] [after]                     pictures of the tensor
//         | -  return Copy.view(                 its fix
//         | +  return Copy.reshape(
//   84  }
//   > lines 85 to 120                            folded: nothing is there
//
//===----------------------------------------------------------------------===//

#include "Output/HtmlCode.h"
#include "Output/HtmlPage.h"
#include "Patch.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include <set>

using llvm::StringRef;

namespace tensortidy::tool {

namespace {

class SourcePage {
public:
  SourcePage(const HtmlReport &H, StringRef File, AddPage Add)
      : H(H), File(File), Is(H.Files.at(File.str())),
        Text(H.R.Sources.at(File.str())), Code(Text), Add(Add), OS(Body) {}

  llvm::Expected<std::string> make() {
    place();
    heading();
    code();
    OS.flush();
    if (Bad)
      return std::move(Bad);
    return H.page(File, 1, Body);
  }

private:
  void place();
  void show(const Place &At);
  void heading();
  void code();
  void fold(size_t From, size_t To);
  void line(size_t Number);
  void below(size_t Number);

  void finding(size_t Index);
  void notes(const ReportedFinding &F);
  void pictures(const ReportedFinding &F);
  void fix(const ReportedFinding &F);
  void changes(StringRef Name, StringRef Old,
               const clang::tooling::Replacements &Edits);
  void steps(size_t Index);

  const HtmlReport &H;
  const std::string File;
  const ReportedFile &Is;
  const std::string &Text;
  HtmlCode Code;
  AddPage Add;

  // By line: what stands below it, and whether it is folded away.
  std::map<size_t, std::vector<size_t>> Findings, Problems;
  std::map<size_t, std::vector<std::pair<size_t, size_t>>> Notes;
  std::set<size_t> Shown, Linked;

  std::string Body;
  llvm::raw_string_ostream OS;
  llvm::Error Bad = llvm::Error::success();
};

/// The lines around a place are not folded.
void SourcePage::show(const Place &At) {
  constexpr size_t Around = 6;
  const size_t First = At.Begin.Line;
  const size_t Last = std::max(First, size_t(At.End.Line));
  for (size_t L = First > Around ? First - Around : 1;
       L <= std::min(Last + Around, Code.lines()); ++L)
    Shown.insert(L);
}

void SourcePage::place() {
  // Of a place that is not known what there is to say comes first.
  const auto LineOf = [](const Place &At) {
    return std::max<size_t>(1, At.Begin.Line);
  };
  for (const size_t I : Is.Findings) {
    const ReportedFinding &F = H.R.Findings[I];
    Findings[LineOf(F.At)].push_back(I);
    Code.mark(F.At);
    show(F.At);
  }
  for (const size_t I : Is.Problems) {
    Problems[LineOf(H.R.Problems[I].At)].push_back(I);
    Code.mark(H.R.Problems[I].At);
    show(H.R.Problems[I].At);
  }
  for (const auto &[I, N] : Is.Notes) {
    const ReportedFinding &F = H.R.Findings[I];
    const Place &At = F.Notes[N].At;
    Linked.insert(At.Begin.Line);
    show(At);
    // That of the line itself stands in its box.
    if (At.File != F.At.File || At.Begin.Line != F.At.Begin.Line)
      Notes[At.Begin.Line].emplace_back(I, N);
  }
}

void SourcePage::heading() {
  OS << "<h1 class=\"path\">" << Esc{File} << "</h1>\n<p>"
     << counted(Is.Counts.New, "finding");
  if (Is.Counts.InBaseline)
    OS << ", " << Is.Counts.InBaseline << " in the baseline";
  if (Is.Counts.Silenced)
    OS << ", " << Is.Counts.Silenced << " silenced by NOLINT";
  if (!Is.Findings.empty())
    OS << ". <a href=\"../" << folderPage(folderOf(File))
       << "\">All in this folder</a>. <a href=\"#f" << Is.Findings.front() + 1
       << "\">To the " << (Is.Findings.size() > 1 ? "first" : "finding")
       << "</a>";
  OS << "</p>\n";
}

void SourcePage::code() {
  constexpr size_t FewLines = 4; // are not worth a fold
  OS << "<div class=\"code" << (Code.lines() > 9999 ? " wide" : "") << "\">\n";
  for (size_t L = 1; L <= Code.lines();) {
    const auto Next = Shown.lower_bound(L);
    const size_t To = Next == Shown.end() ? Code.lines() + 1 : *Next;
    if (To - L > FewLines)
      fold(L, To);
    else
      for (size_t Each = L; Each < To; ++Each)
        line(Each);
    if (To <= Code.lines()) {
      line(To);
      below(To);
    }
    L = To + 1;
  }
  OS << "</div>\n";
}

void SourcePage::fold(size_t From, size_t To) {
  OS << "<details><summary>lines " << From << " to " << To - 1
     << "</summary>\n";
  for (size_t L = From; L < To; ++L)
    line(L);
  OS << "</details>\n";
}

void SourcePage::line(size_t Number) {
  OS << "<div class=\"l"
     << (Findings.count(Number) || Problems.count(Number) ? " hit" : "") << '"';
  if (Linked.count(Number) || Problems.count(Number))
    OS << " id=\"L" << Number << '"';
  OS << "><span>" << Number << "</span><code>";
  Code.print(OS, Number);
  OS << "</code></div>\n";
}

void SourcePage::below(size_t Number) {
  if (const auto It = Problems.find(Number); It != Problems.end())
    for (const size_t I : It->second)
      OS << "<div class=\"note problem\">error: "
         << Esc{H.R.Problems[I].Message} << "</div>\n";
  if (const auto It = Findings.find(Number); It != Findings.end())
    for (const size_t I : It->second)
      finding(I);
  if (const auto It = Notes.find(Number); It != Notes.end())
    for (const auto &[I, N] : It->second) {
      const ReportedFinding &F = H.R.Findings[I];
      const bool Here = F.At.File == File;
      OS << "<div class=\"note\">" << Esc{F.Notes[N].Text} << " (";
      const std::string Link = H.linkTo(I, 1);
      const std::string Words = (Here ? "" : F.At.File + ", ") + "line " +
                                std::to_string(F.At.Begin.Line);
      if (Link.empty())
        OS << Esc{Words};
      else
        OS << "<a href=\"" << Link << "\">" << Esc{Words} << "</a>";
      OS << ")</div>\n";
    }
}

void SourcePage::finding(size_t Index) {
  const ReportedFinding &F = H.R.Findings[Index];
  OS << "<article class=\"finding"
     << (F.K == ReportedFinding::Kind::New ? "" : " known") << "\" id=\"f"
     << Index + 1 << "\">\n<h2><a href=\"../" << checkPage(F.Check) << "\">"
     << Esc{F.Check} << "</a>" << H.badges(F) << "</h2>\n<p class=\"says\">"
     << Esc{F.Message} << "</p>\n";
  if (!F.Function.empty())
    OS << "<p class=\"faint\">in <code>" << Esc{F.Function} << "</code></p>\n";
  notes(F);
  pictures(F);
  fix(F);
  steps(Index);
  OS << "</article>\n";
}

void SourcePage::notes(const ReportedFinding &F) {
  if (F.Notes.empty())
    return;
  OS << "<ul>\n";
  for (const ReportedFinding::Note &N : F.Notes) {
    OS << "<li>";
    const std::string Words = (N.At.File == F.At.File ? "" : N.At.File + ", ") +
                              "line " + std::to_string(N.At.Begin.Line);
    const std::string Link = H.linkTo(N.At, 1);
    if (!Link.empty())
      OS << "<a href=\"" << Link << "\">" << Esc{Words} << "</a>: ";
    else if (N.At.Begin.Line)
      OS << Esc{Words} << ": ";
    OS << Esc{N.Text} << "</li>\n";
  }
  OS << "</ul>\n";
}

void SourcePage::pictures(const ReportedFinding &F) {
  bool Any = false;
  for (const CaptionedPicture &C : F.Pictures) {
    const Svg S = C.P.draw();
    if (S.Text.empty())
      continue;
    const std::string Name =
        "pictures/" +
        llvm::utohexstr(llvm::xxh3_64bits(S.Text), /*LowerCase=*/true,
                        /*Width=*/16) +
        ".svg";
    if (!Bad)
      Bad = Add(Name, S.Text);
    if (!std::exchange(Any, true))
      OS << "<div class=\"figures\">\n";
    OS << "<figure class=\"figure\" tabindex=\"0\"><figcaption>"
       << Esc{C.Caption} << "</figcaption><img src=\"../" << Name
       << "\" width=\"" << S.Width << "\" height=\"" << S.Height << "\" alt=\""
       << Esc{C.P.title()} << "\"/></figure>\n";
  }
  if (Any)
    OS << "</div>\n";
}

void SourcePage::fix(const ReportedFinding &F) {
  using namespace clang::tooling;
  std::map<std::string, Replacements> Edits;
  for (const ReportedFinding::Change &C : F.Fix)
    if (H.R.Sources.count(C.At.File)) // they were accepted together once
      llvm::consumeError(Edits[C.At.File].add(
          Replacement(C.At.File, C.Offset, C.Length, C.Text)));
  for (const auto &[Name, Of] : Edits)
    changes(Name, H.R.Sources.at(Name), Of);
}

/// What a patch takes out and puts in, without the lines around it.
void SourcePage::changes(StringRef Name, StringRef Old,
                         const clang::tooling::Replacements &Edits) {
  std::string Patch;
  llvm::raw_string_ostream Into(Patch);
  printPatch(Into, Name, Old, Edits);
  Into.flush();
  if (Patch.empty())
    return;
  OS << "<h3>Fix";
  if (Name != File)
    OS << " in " << Esc{Name};
  OS << "</h3>\n<pre class=\"patch\">";
  llvm::SmallVector<StringRef> Lines;
  StringRef(Patch).split(Lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  unsigned Number = 0; // of the line of the old text that comes next
  bool InHunk = false, SaysLine = false;
  for (StringRef Line : Lines) {
    if (Line.starts_with("@@ -")) {
      Line.drop_front(4).consumeInteger(10, Number);
      InHunk = true;
      SaysLine = false;
      continue;
    }
    if (!InHunk || Line.starts_with("\\"))
      continue;
    const bool Goes = Line.starts_with("-"), Comes = Line.starts_with("+");
    if ((Goes || Comes) && !std::exchange(SaysLine, true))
      OS << "<span>line " << Number << "</span>";
    if (!Goes && !Comes)
      SaysLine = false;
    if (Goes || Comes) {
      const char *const Tag = Goes ? "del" : "ins";
      OS << '<' << Tag << '>' << Line.front() << ' '
         << Esc{Line.drop_front().rtrim('\r')} << "</" << Tag << '>';
    }
    Number += !Comes;
  }
  OS << "</pre>\n";
}

/// To the findings before and after it.
void SourcePage::steps(size_t Index) {
  const auto It = llvm::find(Is.Findings, Index);
  const bool First = It == Is.Findings.begin(),
             Last = std::next(It) == Is.Findings.end();
  if (First && Last)
    return;
  OS << "<p class=\"steps\">";
  if (!First)
    OS << "<a href=\"#f" << Index << "\">previous finding</a>";
  if (!Last)
    OS << "<a href=\"#f" << Index + 2 << "\">next finding</a>";
  OS << "</p>\n";
}

} // namespace

llvm::Expected<std::string> sourcePage(const HtmlReport &H, StringRef File,
                                       AddPage Add) {
  return SourcePage(H, File, Add).make();
}

} // namespace tensortidy::tool
