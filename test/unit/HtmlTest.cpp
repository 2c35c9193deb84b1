//===- HtmlTest.cpp - pages, their pictures, and comparisons --------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What the pages look like is in html_pages.py.

#include "Analysis/Facts/Finding.h"
#include "Output/HtmlCode.h"
#include "Output/HtmlPage.h"
#include "SourceLayouts.h"
#include "StringError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <set>

using namespace tensortidy;
using namespace tensortidy::tool;
using llvm::StringRef;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

namespace {

std::string escaped(StringRef Text) {
  std::string R;
  llvm::raw_string_ostream(R) << Esc{Text};
  return R;
}

TEST(Html, WhatComesFromOutsideIsNoMarkup) {
  EXPECT_EQ(escaped("a<b> & \"c\" 'd'"),
            "a&lt;b&gt; &amp; &quot;c&quot; &apos;d&apos;");
  EXPECT_EQ(escaped("h\xC3\xB6he \xF0\x9F\x98\x80\t\n"),
            "h\xC3\xB6he \xF0\x9F\x98\x80\t\n");
  EXPECT_EQ(escaped(StringRef("\0\x1B\x7F\xC2\x85", 5)),
            "[U+0000][U+001B][U+007F][U+0085]");
  EXPECT_EQ(escaped("\xE2\x80\xAE\xE2\x81\xA6\xEF\xBF\xBF\xEF\xB7\x90"),
            "[U+202E][U+2066][U+FFFF][U+FDD0]");
  EXPECT_EQ(escaped("\xF0\x9F\xBF\xBE"), "[U+1FFFE]");
  EXPECT_EQ(escaped("\xFF"), "\xEF\xBF\xBD");
}

TEST(Html, PagesHaveNamesOfTheirOwn) {
  std::set<std::string> Names;
  for (const char *File :
       {"a/b", "a-b", "a b", "A/b", "../a/b", "/a/b", "", ".", "\xC3\xA4"}) {
    const std::string Name = pageName(File);
    EXPECT_TRUE(Names.insert(Name).second) << File;
    EXPECT_NE(Name.front(), '.');
    EXPECT_TRUE(llvm::all_of(Name, [](char C) {
      return llvm::isAlnum(C) || C == '-' || C == '.' || C == '_';
    })) << Name;
  }
  EXPECT_LT(pageName(std::string(4000, 'x')).size(), 100u);
  EXPECT_EQ(checkPage("tensor-hidden-copy"), "checks/tensor-hidden-copy.html");
}

TEST(Html, CodeIsColouredAndMarked) {
  HtmlCode Code("if (x) { // <y>\r\n/* a\nb */ f(\"c\", 1);\n");
  Place At;
  At.Begin = {1, 5, 5};
  At.End = {2, 3, 3};
  Code.mark(At);
  ASSERT_EQ(Code.lines(), 3u);
  const auto Line = [&](size_t N) {
    std::string R;
    llvm::raw_string_ostream OS(R);
    Code.print(OS, N);
    return R;
  };
  EXPECT_EQ(Line(1), "<span class=\"k\">if</span> (<mark>x) { </mark><mark>"
                     "<span class=\"c\">// &lt;y&gt;</span></mark>");
  EXPECT_EQ(Line(2), "<mark><span class=\"c\">/*</span></mark>"
                     "<span class=\"c\"> a</span>");
  EXPECT_EQ(Line(3), "<span class=\"c\">b */</span> f("
                     "<span class=\"s\">&quot;c&quot;</span>, "
                     "<span class=\"d\">1</span>);");
  // Neither a place that is not there nor code that ends early does harm.
  At.Begin = {9, 1, 1};
  At.End = {9, 7, 7};
  Code.mark(At);
  EXPECT_EQ(HtmlCode("").lines(), 1u);
  EXPECT_EQ(HtmlCode("/* \"\n'").lines(), 2u);
}

TEST(Html, FindingsWithoutAPlaceAreThere) {
  Report R{Project("/")};
  R.KeepsSources = true;
  for (const char *File : {"", "/gone.cpp"}) { // whose text is not known
    ReportedFinding &F = R.Findings.emplace_back();
    F.Check = "tensor-hidden-copy";
    F.Message = std::string("<of> '") + File + "'";
    F.At.File = File;
    F.At.Begin.Line = File[0] ? 7 : 0;
    F.Notes.push_back({F.At, "note"});
  }
  R.sort();
  std::map<std::string, std::string> Pages;
  llvm::cantFail(writeHtml(R, nullptr, [&](StringRef Name, StringRef Page) {
    EXPECT_TRUE(Pages.try_emplace(Name.str(), Page.str()).second) << Name.str();
    return llvm::Error::success();
  }));
  std::set<std::string> Names;
  for (const auto &Page : Pages)
    Names.insert(Page.first);
  EXPECT_THAT(Names,
              ElementsAre("checks/tensor-hidden-copy.html", folderPage(""),
                          folderPage("/"), "index.html", "style.css"));
  EXPECT_THAT(Pages["index.html"], HasSubstr("<td>(no file)</td>"));
  const std::string &Check = Pages["checks/tensor-hidden-copy.html"];
  EXPECT_THAT(Check, HasSubstr("&lt;of&gt; &apos;&apos;"));
  EXPECT_THAT(Check, HasSubstr("line 7 &lt;of&gt; &apos;/gone.cpp&apos;"));
  EXPECT_THAT(Check, Not(HasSubstr("../files/")));
  // What cannot be written ends it.
  llvm::Error E = writeHtml(R, nullptr, [&](StringRef Name, StringRef) {
    return Name == "index.html" ? stringError("full") : llvm::Error::success();
  });
  EXPECT_EQ(llvm::toString(std::move(E)), "full");
}

//===----------------------------------------------------------------------===//
// Pictures
//===----------------------------------------------------------------------===//

constexpr StringRef Source = "return x.t().view({-1}) + y;";

clang::tidy::ClangTidyError finding(StringRef Check, StringRef Underlined,
                                    StringRef Message = "message") {
  clang::tidy::ClangTidyError E(Check, clang::tidy::ClangTidyError::Warning,
                                "/", false);
  E.Message.Message = Message.str();
  E.Message.FilePath = "/f.cpp";
  E.Message.FileOffset =
      static_cast<unsigned>(Source.find(Underlined) + Underlined.size() - 1);
  E.Message.Ranges.emplace_back();
  E.Message.Ranges[0].FilePath = "/f.cpp";
  E.Message.Ranges[0].FileOffset =
      static_cast<unsigned>(Source.find(Underlined));
  E.Message.Ranges[0].Length = static_cast<unsigned>(Underlined.size());
  return E;
}

tidy::PlacedLayout layout(StringRef Of, std::vector<int64_t> Sizes,
                          std::vector<int64_t> Strides,
                          const char *Where = "") {
  tidy::PlacedLayout P;
  P.Begin = static_cast<unsigned>(Source.find(Of));
  P.End = P.Begin + static_cast<unsigned>(Of.size());
  P.Fact.Layouts = {"[a, b], strides [1, b]"};
  P.Fact.Drawn.Sizes = std::move(Sizes);
  P.Fact.Drawn.Strides = std::move(Strides);
  P.Fact.Drawn.Where = Where;
  return P;
}

std::vector<std::string> drawn(const clang::tidy::ClangTidyError &E,
                               std::vector<tidy::PlacedLayout> Found) {
  std::vector<std::string> R;
  for (const CaptionedPicture &C : picturesOf(E, Source, Found))
    R.push_back(C.Caption + "; " + C.P.title());
  return R;
}

TEST(Pictures, BeforeAndAfter) {
  const auto E = finding("tensor-view-after-permute", "x.t().view({-1})");
  const auto X = layout("x", {2, 3}, {3, 1}),
             Turned = layout("x.t()", {3, 2}, {1, 3}, "a=3, b=2"),
             Other = layout("y", {7}, {1});
  // The outermost tensor inside what is underlined, and what the whole gives.
  EXPECT_THAT(
      drawn(E, {X, Turned, Other,
                layout("x.t().view({-1})", {6}, {1}, "a=3, b=2")}),
      ElementsAre("before: 'x.t()'; sizes [3, 2], strides [1, 3], offset 0",
                  "after; sizes [6], strides [1], offset 0"));
  // With other numbers for the same names the two cannot be compared.
  const char *const Before =
      "before: 'x.t()'; sizes [3, 2], strides [1, 3], offset 0";
  const char *const Copy = "after: the copy, before it gets other sizes; sizes "
                           "[3, 2], strides [2, 1], offset 0";
  EXPECT_THAT(
      drawn(E, {X, Turned, layout("x.t().view({-1})", {6}, {1}, "a=2, b=3")}),
      ElementsAre(Before, Copy));
  EXPECT_THAT(drawn(E, {X, Turned}), ElementsAre(Before, Copy));
  EXPECT_THAT(drawn(E, {X, Turned, layout("x.t().view({-1})", {7}, {1})}),
              ElementsAre(Before, Copy));
  EXPECT_THAT(drawn(E, {Other}), ElementsAre());
  EXPECT_THAT(drawn(E, {}), ElementsAre());
}

TEST(Pictures, OnlyWhatTheFindingSpeaksOf) {
  auto Turned = layout("x.t()", {3, 2}, {1, 3});
  Turned.Fact.Layouts.push_back("[a, b], contiguous"); // on another path
  const StringRef Check = "tensor-view-after-permute",
                  Underlined = "x.t().view({-1})";
  EXPECT_THAT(drawn(finding(Check, Underlined), {Turned}), ElementsAre());
  EXPECT_EQ(drawn(finding(Check, Underlined,
                          "view({-1}): sizes [a, b], strides [1, b]; throws"),
                  {Turned})
                .size(),
            2u);
  // That of another operand, by its name, its strides or its number.
  const std::vector<tidy::PlacedLayout> Two = {layout("x.t()", {3, 2}, {1, 3}),
                                               layout("y", {2, 3}, {3, 1})};
  const auto Drawn = [&](StringRef Message) {
    return drawn(finding("tensor-lost-write", "x.t().view({-1}) + y", Message),
                 Two);
  };
  const auto OfX = ElementsAre(HasSubstr("'x.t()'")),
             OfY = ElementsAre(HasSubstr("'y'"));
  EXPECT_THAT(Drawn("fill_() is lost"), OfX);
  EXPECT_THAT(Drawn("'y' needs"), OfY);
  EXPECT_THAT(Drawn("operand 1 has strides [1, b]"), OfX);
  EXPECT_THAT(Drawn("operand 2 has strides [1, c]"), ElementsAre());
  auto Unknown = layout("x.t()", {3, 2}, {1, 3});
  Unknown.Fact.Drawn.Why = "its strides are not known";
  EXPECT_THAT(drawn(finding(Check, Underlined), {Unknown}), ElementsAre());
}

TEST(Pictures, OfTheChecksThatAreAboutLayouts) {
  const std::vector<tidy::PlacedLayout> Found = {
      layout("x.t()", {3, 2}, {1, 3}), layout("y", {2, 3}, {3, 1})};
  std::set<std::string> With;
  for (const analysis::CheckInfo &C : analysis::checks())
    if (!drawn(finding(C.Name, "x.t().view({-1}) + y"), Found).empty())
      With.insert(C.Name);
  EXPECT_THAT(
      With, ElementsAre("tensor-hidden-copy", "tensor-lost-write",
                        "tensor-memory-format", "tensor-overlapping-write",
                        "tensor-raw-pointer-layout", "tensor-redundant-clone",
                        "tensor-redundant-contiguous", "tensor-shape-mismatch",
                        "tensor-view-after-permute"));
  EXPECT_THAT(
      drawn(finding("tensor-shape-mismatch", "x.t().view({-1}) + y"), Found),
      ElementsAre("operand: 'x.t()'; sizes [3, 2], strides [1, 3], "
                  "offset 0",
                  "operand: 'y'; sizes [2, 3], strides [3, 1], offset "
                  "0"));
  EXPECT_THAT(
      drawn(finding("tensor-raw-pointer-layout", "x.t().view({-1})"), Found),
      ElementsAre("as it is: 'x.t()'; sizes [3, 2], strides [1, 3], offset 0",
                  "as the pointer is used; sizes [3, 2], strides [2, 1], "
                  "offset 0"));
}

} // namespace
