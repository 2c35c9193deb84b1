//===- OutputTest.cpp - formats, baselines, comments ----------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Output/Baseline.h"
#include "Output/Formats.h"
#include "Output/Links.h"
#include "Output/Reporting.h"
#include "Output/Suppress.h"
#include "Pages.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tensortidy::tool;
using llvm::StringRef;
using testing::HasSubstr;
using testing::Not;

namespace {

/// A folder that goes with the test.
struct Folder {
  Folder() {
    llvm::cantFail(llvm::errorCodeToError(
        llvm::sys::fs::createUniqueDirectory("output", Path)));
  }
  ~Folder() { llvm::sys::fs::remove_directories(Path); }
  std::string operator/(const char *Name) const {
    return (Path + "/" + Name).str();
  }
  std::string write(const char *Name, StringRef Text) const {
    llvm::sys::fs::create_directories(
        llvm::sys::path::parent_path(*this / Name));
    std::error_code Error;
    llvm::raw_fd_ostream(*this / Name, Error) << Text;
    EXPECT_FALSE(Error);
    return *this / Name;
  }
  std::string read(const char *Name) const {
    auto Text = llvm::MemoryBuffer::getFile(*this / Name);
    return Text ? (*Text)->getBuffer().str() : "";
  }
  llvm::SmallString<128> Path;
};

//===----------------------------------------------------------------------===//
// Names and identities
//===----------------------------------------------------------------------===//

TEST(Project, NamesAreRelativeToTheGitWorkTree) {
  Folder F;
  F.write("p/.git", "gitdir: elsewhere\n");
  const std::string File = F.write("p/src/a.cpp", "");
  const std::string Other = F.write("q/b.h", "");
  const Project P(File);
  EXPECT_EQ(P.name(File), "src/a.cpp");
  EXPECT_EQ(P.name("a.cpp", F / "p/src"), "src/a.cpp");
  EXPECT_EQ(P.name(F / "p/src/../src/./a.cpp"), "src/a.cpp");
  EXPECT_TRUE(llvm::sys::path::is_absolute(P.name(Other)));
  EXPECT_TRUE(llvm::sys::fs::equivalent(P.path("src/a.cpp"), File));
}

TEST(Project, LinksKeepTheirNameOnlyWhereTheirTargetHasNone) {
  Folder F;
  F.write("p/.git", "");
  const std::string File = F.write("p/a.cpp", "");
  const std::string Other = F.write("q/b.h", "");
  llvm::cantFail(
      llvm::errorCodeToError(llvm::sys::fs::create_link(Other, F / "p/out.h")));
  llvm::cantFail(
      llvm::errorCodeToError(llvm::sys::fs::create_link(File, F / "p/in.cpp")));
  const Project P(File);
  EXPECT_EQ(P.name(F / "p/in.cpp"), "a.cpp");
  EXPECT_EQ(P.name(F / "p/out.h"), "out.h");
}

TEST(Project, WhereOneWorksGoesBeforeASubmodule) {
  Folder F;
  F.write("p/.git/HEAD", "");
  F.write("p/sub/.git", "gitdir: ../.git/modules/sub\n");
  const std::string File = F.write("p/sub/a.cpp", "");
  llvm::SmallString<128> Before;
  llvm::sys::fs::current_path(Before);
  llvm::sys::fs::set_current_path(F / "p");
  EXPECT_EQ(Project(File).name(File), "sub/a.cpp");
  llvm::sys::fs::set_current_path(F / "p/sub");
  EXPECT_EQ(Project(File).name(File), "a.cpp");
  llvm::sys::fs::set_current_path(Before);
  EXPECT_EQ(Project(File).name(File), "a.cpp");
}

TEST(Pages, UriEncoding) {
  EXPECT_EQ(uriEncoded("src/a b#%:\xc3\xa4.cpp"),
            "src/a%20b%23%25%3A%C3%A4.cpp");
}

TEST(Identity, LinesInMessagesDoNotCount) {
  const auto Hash = [](const char *Message) {
    return FindingIdentity("c", "f", Message).hash();
  };
  EXPECT_EQ(Hash("sizes [n, d*n@12/n]"), Hash("sizes [n, d*n@340/n]"));
  EXPECT_EQ(Hash("a\n  b "), Hash("a b"));
  EXPECT_NE(Hash("sizes [n@12]"), Hash("sizes [n]"));
  EXPECT_NE(Hash("sizes [2, 3]"), Hash("sizes [2, 4]"));
  EXPECT_NE(Hash("x @3"), Hash("x @4"));
  EXPECT_NE(FindingIdentity("c", "f", "m").hash(),
            FindingIdentity("c", "g", "m").hash());
  // Of an earlier release: servers and baselines compare with it.
  EXPECT_EQ(FindingIdentity("tensor-x", "net::run", "view() throws").hash(),
            "ce1498975f6bf1f2");
}

//===----------------------------------------------------------------------===//
// Baselines
//===----------------------------------------------------------------------===//

struct BaselineTest : testing::Test {
  BaselineTest() : P(F.write("a.cpp", "")) {
    F.write(".git", "");
    P = Project(F / "a.cpp");
  }
  void read(StringRef Entries) {
    F.write("base",
            ("{\"version\": 1, \"findings\": [" + Entries + "]}").str());
    llvm::cantFail(B.read(F / "base", false));
  }
  std::string problem(StringRef Text) {
    F.write("base", Text);
    return llvm::toString(B.read(F / "base", true));
  }
  bool covers(const char *Function, const char *File) {
    return B.covers(FindingIdentity("c", Function, "m"), File, P);
  }
  std::vector<std::string> gone(bool Whole = true) {
    std::vector<std::string> Names;
    Gone = B.gone(P, Whole, [&](StringRef File, StringRef) {
      return llvm::is_contained(Linted, File);
    });
    for (const Baseline::Entry &E : Gone)
      Names.push_back(E.File + ":" + E.Finding.Function + "*" +
                      std::to_string(E.Count));
    return Names;
  }

  Folder F;
  Project P;
  Baseline B;
  std::vector<std::string> Linted{"a.cpp"};
  std::vector<Baseline::Entry> Gone;
};

TEST_F(BaselineTest, EachEntryCoversSoMany) {
  read(
      R"({"check":"c","function":"f","message":"m","file":"a.cpp","count":2})");
  EXPECT_TRUE(covers("f", "a.cpp"));
  EXPECT_FALSE(covers("g", "a.cpp"));
  EXPECT_TRUE(covers("f", "a.cpp"));
  EXPECT_FALSE(covers("f", "a.cpp"));
  EXPECT_THAT(gone(), testing::IsEmpty());
}

TEST_F(BaselineTest, AnotherFileOnlyWhenItsOwnIsGone) {
  F.write("b.cpp", "");
  read(R"({"check":"c","function":"f","message":"m","file":"b.cpp","count":1},
          {"check":"c","function":"g","message":"m","file":"old.cpp","count":1})");
  EXPECT_FALSE(covers("f", "a.cpp"));
  EXPECT_TRUE(covers("g", "a.cpp"));
  EXPECT_FALSE(covers("g", "a.cpp"));
  B.prune({});
  llvm::cantFail(B.write(F / "base"));
  EXPECT_THAT(F.read("base"), Not(HasSubstr("old.cpp")));
  EXPECT_THAT(F.read("base"),
              HasSubstr("\"file\":\"a.cpp\",\"function\":\"g\""));
}

TEST_F(BaselineTest, GoneIsWhatWasLookedFor) {
  F.write("b.cpp", "");
  const char *Entries =
      R"({"check":"c","function":"f","message":"m","file":"a.cpp","count":2},
         {"check":"c","function":"f","message":"m","file":"b.cpp","count":1},
         {"check":"c","function":"f","message":"n","file":"old.cpp","count":1})";
  read(Entries);
  EXPECT_TRUE(covers("f", "a.cpp"));
  // b.cpp was not looked at, where the function of old.cpp may be.
  EXPECT_THAT(gone(), testing::ElementsAre("a.cpp:f*1"));
  Linted.push_back("b.cpp");
  EXPECT_THAT(gone(false), testing::ElementsAre("a.cpp:f*1", "b.cpp:f*1"));
  EXPECT_THAT(gone(),
              testing::ElementsAre("a.cpp:f*1", "b.cpp:f*1", "old.cpp:f*1"));
  B.prune(Gone);
  EXPECT_EQ(B.size(), 1u);
  llvm::cantFail(B.write(F / "base"));
  EXPECT_EQ(F.read("base"),
            "{\"version\": 1, \"tool\": \"tensortidy\", \"findings\": [\n"
            "{\"check\":\"c\",\"count\":1,\"file\":\"a.cpp\",\"function\":"
            "\"f\",\"message\":\"m\"}\n]}\n");
}

TEST_F(BaselineTest, WhatIsNoBaselineIsSaidAndKept) {
  EXPECT_THAT(problem("{"), HasSubstr("is no baseline: "));
  EXPECT_THAT(problem("[]"), HasSubstr("it has no list of findings"));
  EXPECT_THAT(problem(R"({"version":2,"findings":[]})"),
              HasSubstr("not of version 1"));
  EXPECT_THAT(problem(R"({"findings":[]})"), HasSubstr("not of version 1"));
  for (const char *Entry :
       {"1", "{}",
        R"({"check":"c","function":"f","message":"m","file":"a","count":0})",
        R"({"check":"c","function":"f","message":"m","file":"a","count":-1})",
        R"({"check":"c","function":1,"message":"m","file":"a","count":1})"})
    EXPECT_THAT(
        problem(
            (R"({"version":1,"findings":[)" + StringRef(Entry) + "]}").str()),
        HasSubstr("finding 1 lacks"))
        << Entry;
  EXPECT_THAT(llvm::toString(B.read(F / "none", false)),
              HasSubstr("--update-baseline writes one"));
  llvm::cantFail(B.read(F / "none", true));
}

TEST_F(BaselineTest, IsNotWrittenOverAnotherText) {
  read("");
  F.write("base", "somebody's");
  B.add(FindingIdentity("c", "f", "m"), "a.cpp");
  EXPECT_THAT(llvm::toString(B.write(F / "base")),
              HasSubstr("changed since it was read"));
  EXPECT_EQ(F.read("base"), "somebody's");
}

TEST_F(BaselineTest, BytesThatAreNoTextComeBack) {
  llvm::cantFail(B.read(F / "none", true));
  const FindingIdentity Bad("c", "f\xff", "m \xc3(");
  B.add(Bad, "\xff.cpp");
  llvm::cantFail(B.write(F / "base"));
  Baseline Again;
  llvm::cantFail(Again.read(F / "base", false));
  EXPECT_TRUE(Again.covers(Bad, "\xff.cpp", P));
}

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

ReportedFinding finding(unsigned Line, const char *Message = "message") {
  ReportedFinding F;
  F.Check = "tensor-view-after-permute";
  F.Message = Message;
  F.At.File = "src/a.cpp";
  F.At.Begin = {Line, 3, 3};
  F.At.End = {Line, 7, 7};
  return F;
}

struct FormatTest : testing::Test {
  std::string print(const char *Name) {
    R.sort();
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    formatCalled(Name)->Print(R, OS);
    OS.flush();
    return Text;
  }
  Report R{Project("/")};
};

TEST_F(FormatTest, GithubEscapes) {
  R.Findings.push_back(finding(5, "100%: a\r\nb, c"));
  R.Findings[0].At.File = "src/a,b:c%.cpp";
  EXPECT_EQ(print("github"),
            "::warning file=src/a%2Cb%3Ac%25.cpp,line=5,endLine=5,col=3,"
            "endColumn=7,title=tensor-view-after-permute::100%25: a%0D%0Ab, "
            "c\n");
}

TEST_F(FormatTest, GithubShowsTenOfAStep) {
  for (unsigned Line = 1; Line <= 12; ++Line)
    R.Findings.push_back(finding(Line));
  R.Findings.push_back(finding(20));
  R.Findings.back().IsError = true;
  R.Findings.push_back(finding(21));
  R.Findings.back().K = ReportedFinding::Kind::InBaseline;
  R.addProblem("'x.cpp' does not compile");
  const std::string Text = print("github");
  EXPECT_EQ(StringRef(Text).count("::warning "), 10u);
  EXPECT_EQ(StringRef(Text).count("::error "), 2u);
  EXPECT_THAT(Text, HasSubstr("::group::2 more of tensortidy\n"
                              "src/a.cpp:11:3: message [tensor-view-after-"
                              "permute]\nsrc/a.cpp:12:3: "));
  EXPECT_THAT(Text, HasSubstr("::error title=tensortidy::'x.cpp' does"));
  EXPECT_THAT(Text, Not(HasSubstr(":21:")));
  const std::string Table = githubSummary(R);
  EXPECT_THAT(Table, HasSubstr("### tensortidy: 13 findings\n"));
  EXPECT_THAT(Table, HasSubstr("\n| src/a.cpp:12:3 | message | "));
}

TEST_F(FormatTest, GithubSummaryIsSmallEnoughAndATable) {
  R.Findings.push_back(finding(1, "a | b <c> `d`\ne"));
  for (unsigned I = 0; I < 20000; ++I)
    R.Findings.push_back(finding(I + 2));
  R.sort();
  const std::string Table = githubSummary(R);
  EXPECT_LT(Table.size(), size_t(1) << 20);
  EXPECT_THAT(Table, HasSubstr("| a \\| b &lt;c> \\`d\\` e |"));
  EXPECT_THAT(Table, HasSubstr(" others\n"));
}

TEST_F(FormatTest, CheckstyleHasNoCharacterThatXmlHasNot) {
  R.Findings.push_back(finding(1, "<a> & \"b\"\x01\n\x7f \xff"));
  EXPECT_THAT(print("checkstyle"),
              HasSubstr("message=\"&lt;a&gt; &amp; &quot;b&quot;?&#10;? "
                        "\xef\xbf\xbd\""));
}

TEST_F(FormatTest, EqualFindingsHaveDifferentFingerprints) {
  for (unsigned Line : {1, 2, 3})
    R.Findings.push_back(finding(Line));
  R.sort();
  EXPECT_EQ(R.Findings[1].Fingerprint, R.Findings[0].Fingerprint + ":2");
  EXPECT_EQ(R.Findings[2].Fingerprint, R.Findings[0].Fingerprint + ":3");
}

TEST_F(FormatTest, NothingFoundIsWellFormed) {
  EXPECT_EQ(print("gitlab"), "[]\n");
  EXPECT_EQ(print("github"), "");
  for (const char *Name : {"json", "sarif", "rdjson"})
    EXPECT_TRUE(bool(llvm::json::parse(print(Name)))) << Name;
}

TEST(Report, ColumnsInBytesAndInUtf16) {
  FileResult Result;
  //                              2 bytes, 4 bytes
  Result.Sources.push_back({"/a.cpp", "x\n/*\xc3\xa4\xf0\x9f\x98\x80*/ y;\n"});
  clang::tidy::ClangTidyError E(
      "tensor-x", clang::tidy::ClangTidyError::Warning, "/", false);
  E.Message.Message = "m\xff";
  E.Message.FilePath = "/a.cpp";
  E.Message.FileOffset = 13;
  Report R{Project("/")};
  R.add(ReportedFinding::Kind::New, E, Result);
  const ReportedFinding &F = R.Findings[0];
  EXPECT_EQ(F.At.Begin.Line, 2u);
  EXPECT_EQ(F.At.Begin.Column, 12u);
  EXPECT_EQ(F.At.Begin.Wide, 9u);
  EXPECT_EQ(F.At.End.Column, 13u); // the name there
  EXPECT_TRUE(llvm::json::isUTF8(F.Message));
}

TEST(Report, ReasonsOfComments) {
  const auto Reason = [](std::string Text) {
    FileResult Result;
    clang::tidy::ClangTidyError E(
        "tensor-x", clang::tidy::ClangTidyError::Warning, "/", false);
    E.Message.FilePath = "/a.cpp";
    E.Message.FileOffset = Text.find('x');
    Result.Sources.push_back({"/a.cpp", std::move(Text)});
    Report R{Project("/")};
    R.add(ReportedFinding::Kind::Silenced, E, Result);
    return R.Findings[0].Reason;
  };
  EXPECT_EQ(Reason("x; // NOLINT(tensor-a): old code \r\n"), "old code");
  EXPECT_EQ(Reason("// NOLINTNEXTLINE(tensor-a,b): (old) code\nx;"),
            "(old) code");
  EXPECT_EQ(Reason("// NOLINTNEXTLINE\nx;"), "");
  EXPECT_EQ(Reason("x; // NOLINT - see below\n"), "see below");
  EXPECT_EQ(Reason("// NOLINT(tensor-a): of another line\nx;"), "");
  EXPECT_EQ(Reason("// NOLINTBEGIN(tensor-a): why\nx; // NOLINTEND"), "");
}

TEST(Outputs, HelpNamesAllFormats) {
  const std::string All = formatNames();
  for (StringRef Names = All; !Names.empty();) {
    const auto [Name, Rest] = Names.split(", ");
    EXPECT_THAT(helpText(), HasSubstr(Name.str()));
    Names = Rest;
  }
}

//===----------------------------------------------------------------------===//
// Comments
//===----------------------------------------------------------------------===//

/// \p Text with comments for check `c` on those lines.
std::string silenced(std::string Text, SilencedLines Lines) {
  std::vector<Edit> All;
  for (std::vector<Edit> &Fix : suppressions(Text, Lines, "why"))
    All.insert(All.end(), Fix.begin(), Fix.end());
  llvm::sort(All);
  for (const Edit &E : llvm::reverse(All))
    Text.replace(E.Offset, E.Length, E.Text);
  return Text;
}

TEST(Suppress, AboveWithTheLinesIndentation) {
  EXPECT_EQ(silenced("a;\n\t  b;\n", {{2, {"c"}}}),
            "a;\n\t  // NOLINTNEXTLINE(c): why\n\t  b;\n");
  EXPECT_EQ(silenced("a;", {{1, {"d", "c"}}}),
            "// NOLINTNEXTLINE(c,d): why\na;");
  EXPECT_EQ(silenced("\xef\xbb\xbf a;", {{1, {"c"}}}),
            "\xef\xbb\xbf // NOLINTNEXTLINE(c): why\n a;");
  EXPECT_EQ(silenced("f(a,\n  b);\n", {{2, {"c"}}}),
            "f(a,\n  // NOLINTNEXTLINE(c): why\n  b);\n");
}

TEST(Suppress, JoinsTheCommentThatIsThere) {
  EXPECT_EQ(silenced("// NOLINTNEXTLINE(d): old\na;\n", {{2, {"c"}}}),
            "// NOLINTNEXTLINE(d,c): old\na;\n");
  EXPECT_EQ(silenced("// NOLINTNEXTLINE()\na;\n", {{2, {"c"}}}),
            "// NOLINTNEXTLINE(c)\na;\n");
}

TEST(Suppress, BehindTheEndOfWhatIsNoCode) {
  EXPECT_EQ(silenced("s = R\"(x\n)\"; a;\n", {{2, {"c"}}}),
            "s = R\"(x\n)\"; a; // NOLINT(c): why\n");
  EXPECT_EQ(silenced("/* x\n*/ a; // b\r\n", {{2, {"c"}}}),
            "/* x\n*/ a; // b // NOLINT(c): why\r\n");
  EXPECT_EQ(silenced("a + \\\n b;", {{2, {"c"}}}),
            "a + \\\n b; // NOLINT(c): why");
}

TEST(Suppress, AroundWhatHasNoPlace) {
  EXPECT_EQ(silenced("{\n  x = a + \\\n b + \\\n d;\n}\n", {{3, {"c"}}}),
            "{\n  // NOLINTBEGIN(c): why\n  x = a + \\\n b + \\\n d;\n"
            "  // NOLINTEND(c)\n}\n");
  EXPECT_EQ(silenced("x = R\"(\n)\" + a + R\"(\n)\";\ny;\n",
                     {{2, {"c"}}, {3, {"d"}}}),
            "// NOLINTBEGIN(c): why\nx = R\"(\n)\" + a + R\"(\n)\"; // "
            "NOLINT(d): why\n// NOLINTEND(c)\ny;\n");
}

TEST(Suppress, ReasonsThatWouldChangeTheCode) {
  EXPECT_EQ(badReason("old code, #31"), "");
  for (const char *Why : {"", " ", "a\nb", "a\\", "a\\ ", "see NOLINTEND"})
    EXPECT_NE(badReason(Why), "") << Why;
}

//===----------------------------------------------------------------------===//
// Links
//===----------------------------------------------------------------------===//

TEST(Links, OnlyWhereTheyAreKnownToBeShown) {
  using Variables = std::map<std::string, std::string>;
  const auto Has = [](const Variables &V) {
    return terminalHasLinks([&](StringRef Name) -> std::optional<std::string> {
      auto It = V.find(Name.str());
      if (It == V.end())
        return std::nullopt;
      return It->second;
    });
  };
  EXPECT_FALSE(Has({}));
  EXPECT_FALSE(Has({{"TERM", "xterm-256color"}}));
  EXPECT_TRUE(Has({{"TERM", "xterm-256color"}, {"VTE_VERSION", "7006"}}));
  EXPECT_FALSE(Has({{"TERM", "xterm-256color"}, {"VTE_VERSION", "4205"}}));
  EXPECT_FALSE(Has({{"TERM", "screen-256color"}, {"VTE_VERSION", "7006"}}));
  EXPECT_TRUE(Has({{"TERM", "xterm-kitty"}}));
  EXPECT_TRUE(Has({{"TERM", "xterm"}, {"TERM_PROGRAM", "vscode"}}));
  EXPECT_FALSE(Has({{"TERM", "xterm"}, {"TERM_PROGRAM", "Apple_Terminal"}}));
  EXPECT_EQ(linked("t", "u"), "\033]8;;u\033\\t\033]8;;\033\\");
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

std::string refused(std::vector<const char *> Args) {
  Args.insert(Args.begin(), {"tensortidy", "/dev/null"});
  auto O = parseOptions(Args.size(), Args.data());
  if (!O)
    return llvm::toString(O.takeError());
  Reporting R(*O, [](const llvm::Twine &) {});
  return llvm::toString(R.begin());
}

TEST(Outputs, EachFormatHasItsPlace) {
  EXPECT_EQ(refused({"--output-format=sarif", "--output=a",
                     "--output-format=github"}),
            "");
  EXPECT_THAT(
      refused({"--output-format=xml"}),
      HasSubstr("text, json, sarif, github, gitlab, checkstyle, rdjson"));
  EXPECT_THAT(refused({"--output=a"}),
              HasSubstr("--output-format=sarif --output=a"));
  EXPECT_THAT(refused({"--output-format=sarif", "--output=a", "--output=b"}),
              HasSubstr("no --output-format before --output=b"));
  EXPECT_THAT(refused({"--output-format=sarif", "--output-format=json"}),
              HasSubstr("sarif and json both go to standard output"));
  EXPECT_THAT(
      refused({"--output-format=sarif", "--output=-", "--output-format=json"}),
      HasSubstr("both go to standard output"));
  EXPECT_THAT(refused({"--output-format=sarif", "--output=a",
                       "--output-format=json", "--output=./a"}),
              HasSubstr("both go to './a'"));
  EXPECT_THAT(refused({"--output-format=json", "--output=a", "--baseline=a",
                       "--update-baseline"}),
              HasSubstr("the baseline and json both go to 'a'"));
  EXPECT_THAT(refused({"--diff", "--output-format=json"}),
              HasSubstr("the patch of --diff and json both go"));
  EXPECT_THAT(refused({"--output-format=json", "--output=/nowhere/a"}),
              HasSubstr("there is no folder '/nowhere'"));
  EXPECT_THAT(refused({"--output-format=json", "--output=/"}),
              HasSubstr("is a directory"));
  EXPECT_THAT(refused({"--output-format=json", "--output=/dev/null"}),
              HasSubstr("is a source to be linted"));
}

TEST(Outputs, WhatExcludesEachOther) {
  EXPECT_THAT(refused({"--print-program", "--output-format=json"}),
              HasSubstr("exclude each other"));
  EXPECT_THAT(refused({"--update-baseline"}),
              HasSubstr("needs --baseline FILE"));
  EXPECT_THAT(refused({"--update-baseline", "--baseline=/nowhere/a"}),
              HasSubstr("there is no folder '/nowhere'"));
  EXPECT_THAT(refused({"--add-nolint=a", "--fix"}),
              HasSubstr("exclude each other"));
  EXPECT_THAT(refused({"--add-nolint=a", "--baseline=b", "--update-baseline"}),
              HasSubstr("exclude each other"));
  EXPECT_THAT(refused({"--add-nolint="}), HasSubstr("is empty"));
  EXPECT_THAT(refused({"--add-nolint=a\nb"}),
              HasSubstr("has more than one line"));
}

} // namespace
