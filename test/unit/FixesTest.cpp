//===- FixesTest.cpp - fixes, patches, files replaced ---------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fixes.h"
#include "Patch.h"
#include "Replace.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace tensortidy::tool;
using clang::tooling::Replacement;
using clang::tooling::Replacements;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

namespace {

//===----------------------------------------------------------------------===//
// Which fixes go together
//===----------------------------------------------------------------------===//

using Fix = std::vector<Edit>;
using Plan = std::map<std::string, std::vector<unsigned>>;

Plan planOf(std::initializer_list<Fix> Given,
            const std::set<std::string> &Without = {}) {
  Fixes F;
  for (const Fix &Each : Given)
    F.add(Each);
  return F.plan(Without);
}

TEST(Fixes, ApartAreAllApplied) {
  EXPECT_THAT(
      planOf({{{"a", 0, 3, "x"}}, {{"a", 3, 2, "y"}}, {{"b", 0, 1, ""}}}),
      ElementsAre(Pair("a", ElementsAre(0, 1)), Pair("b", ElementsAre(2))));
}

TEST(Fixes, WhatSeveralFilesWantIsOneFix) {
  EXPECT_THAT(planOf({{{"h", 0, 3, "x"}, {"h", 9, 0, ")"}},
                      {{"h", 9, 0, ")"}, {"h", 0, 3, "x"}}}),
              ElementsAre(Pair("h", ElementsAre(0))));
}

TEST(Fixes, TheFirstOfTwoThatOverlap) {
  for (const Edit &Second :
       {Edit{"a", 4, 4, "y"}, Edit{"a", 2, 9, "y"}, Edit{"a", 3, 1, "y"},
        Edit{"a", 4, 0, "y"}, Edit{"a", 2, 4, "y"}})
    EXPECT_THAT(planOf({{{"a", 2, 4, "x"}}, {Second}}),
                ElementsAre(Pair("a", ElementsAre(0))))
        << Second.Offset << '+' << Second.Length;
  // Whichever order they come in.
  EXPECT_THAT(planOf({{{"a", 4, 0, "y"}}, {{"a", 2, 4, "x"}}}),
              ElementsAre(Pair("a", ElementsAre(0))));
  EXPECT_THAT(planOf({{{"a", 0, 20, "y"}},
                      {{"a", 30, 1, "y"}},
                      {{"a", 8, 0, "x"}},
                      {{"a", 19, 11, "x"}}}),
              ElementsAre(Pair("a", ElementsAre(0, 1))));
}

TEST(Fixes, NeighboursDoNotOverlap) {
  EXPECT_THAT(
      planOf({{{"a", 2, 4, "x"}}, {{"a", 6, 0, "y"}}, {{"a", 2, 0, "z"}}}),
      ElementsAre(Pair("a", ElementsAre(0, 1, 2))));
}

TEST(Fixes, InsertedAtOnePlace) {
  // Lines go below each other, in the order of the findings.
  EXPECT_THAT(planOf({{{"a", 2, 0, "a;\n"}}, {{"a", 2, 0, "b;\n"}}}),
              ElementsAre(Pair("a", ElementsAre(0, 1))));
  // Of parts of an expression nobody knows the order.
  EXPECT_THAT(planOf({{{"a", 2, 0, "f("}}, {{"a", 2, 0, "g("}}}),
              ElementsAre(Pair("a", ElementsAre(0))));
  // The same line twice declares a name twice.
  EXPECT_THAT(planOf({{{"a", 2, 0, "a;\n"}, {"a", 5, 1, ""}},
                      {{"a", 2, 0, "a;\n"}, {"a", 8, 1, ""}}}),
              ElementsAre(Pair("a", ElementsAre(0))));
}

TEST(Fixes, AllFilesOfAFixOrNone) {
  const Fix Both = {{"a", 0, 1, "x"}, {"b", 0, 1, "x"}};
  EXPECT_THAT(
      planOf({Both, {{"b", 5, 1, "y"}}}),
      ElementsAre(Pair("a", ElementsAre(0)), Pair("b", ElementsAre(0, 1))));
  EXPECT_THAT(planOf({Both, {{"b", 5, 1, "y"}}}, {"a"}),
              ElementsAre(Pair("b", ElementsAre(1))));
  // Its other half is not applied where one half overlaps.
  EXPECT_THAT(
      planOf({{{"a", 0, 2, "z"}}, Both, {{"b", 0, 1, "y"}}}),
      ElementsAre(Pair("a", ElementsAre(0)), Pair("b", ElementsAre(2))));
}

//===----------------------------------------------------------------------===//
// Patches
//===----------------------------------------------------------------------===//

std::string patchOf(llvm::StringRef Old, std::initializer_list<Edit> Edits) {
  Replacements R;
  for (const Edit &E : Edits)
    llvm::cantFail(R.add(Replacement("f", E.Offset, E.Length, E.Text)));
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printPatch(OS, "f", Old, R);
  return OS.str();
}

const char *const Header = "--- a/f\n+++ b/f\n";
std::string lines(unsigned From, unsigned To) {
  std::string Text;
  for (unsigned I = From; I <= To; ++I)
    Text += std::string(1, char('a' + I - 1)) + "\n";
  return Text;
}

TEST(Patch, NothingForNoChange) {
  EXPECT_EQ(patchOf("a\nb\n", {}), "");
  EXPECT_EQ(patchOf("a\nb\n", {{"f", 0, 1, "a"}}), "");
}

TEST(Patch, OneLine) {
  EXPECT_EQ(patchOf(lines(1, 9), {{"f", 8, 1, "X"}}),
            std::string(Header) +
                "@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+X\n f\n g\n h\n");
  EXPECT_EQ(patchOf("a\n", {{"f", 0, 1, "X"}}),
            std::string(Header) + "@@ -1 +1 @@\n-a\n+X\n");
}

TEST(Patch, LinesInsertedAndRemoved) {
  EXPECT_EQ(patchOf(lines(1, 3), {{"f", 2, 0, "X\nY\n"}}),
            std::string(Header) + "@@ -1,3 +1,5 @@\n a\n+X\n+Y\n b\n c\n");
  EXPECT_EQ(patchOf(lines(1, 3), {{"f", 2, 2, ""}}),
            std::string(Header) + "@@ -1,3 +1,2 @@\n a\n-b\n c\n");
  EXPECT_EQ(patchOf("a\n", {{"f", 0, 2, ""}}),
            std::string(Header) + "@@ -1 +0,0 @@\n-a\n");
  EXPECT_EQ(patchOf("", {{"f", 0, 0, "a\n"}}),
            std::string(Header) + "@@ -0,0 +1 @@\n+a\n");
  EXPECT_EQ(patchOf(lines(1, 2), {{"f", 4, 0, "X\n"}}),
            std::string(Header) + "@@ -1,2 +1,3 @@\n a\n b\n+X\n");
  // Two lines become one.
  EXPECT_EQ(patchOf(lines(1, 3), {{"f", 1, 1, ""}}),
            std::string(Header) + "@@ -1,3 +1,2 @@\n-a\n-b\n+ab\n c\n");
}

TEST(Patch, HunksApartAndTogether) {
  // Six lines between: the contexts touch. Seven: they do not.
  EXPECT_EQ(patchOf(lines(1, 8), {{"f", 0, 1, "X"}, {"f", 14, 1, "Y"}}),
            std::string(Header) + "@@ -1,8 +1,8 @@\n-a\n+X\n b\n c\n d\n e\n "
                                  "f\n g\n-h\n+Y\n");
  EXPECT_EQ(patchOf(lines(1, 9), {{"f", 0, 2, ""}, {"f", 16, 1, "Y"}}),
            std::string(Header) + "@@ -1,4 +1,3 @@\n-a\n b\n c\n d\n"
                                  "@@ -6,4 +5,4 @@\n f\n g\n h\n-i\n+Y\n");
}

TEST(Patch, EndsOfLines) {
  EXPECT_EQ(patchOf("a\nb", {{"f", 2, 1, "X"}}),
            std::string(Header) +
                "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end "
                "of file\n+X\n\\ No newline at end of file\n");
  EXPECT_EQ(patchOf("a\nb", {{"f", 0, 1, "X"}}),
            std::string(Header) +
                "@@ -1,2 +1,2 @@\n-a\n+X\n b\n\\ No newline at "
                "end of file\n");
  EXPECT_EQ(patchOf("a\nb", {{"f", 3, 0, "\n"}}),
            std::string(Header) +
                "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end "
                "of file\n+b\n");
  EXPECT_EQ(patchOf("a\r\nb\r\n", {{"f", 0, 1, "X"}}),
            std::string(Header) + "@@ -1,2 +1,2 @@\n-a\r\n+X\r\n b\r\n");
}

TEST(Patch, NamesThatNeedQuotes) {
  Replacements R(Replacement("f", 0, 1, "b"));
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printPatch(OS, "my file", "a\n", R);
  printPatch(OS, "a\"b", "a\n", R);
  EXPECT_THAT(OS.str(), HasSubstr("--- a/my file\t\n+++ b/my file\t\n"));
  EXPECT_THAT(OS.str(), HasSubstr("--- \"a/a\\042b\"\n"));
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

class Files : public testing::Test {
protected:
  void SetUp() override {
    llvm::cantFail(llvm::errorCodeToError(
        llvm::sys::fs::createUniqueDirectory("fixes", Dir)));
    llvm::SmallString<128> Real;
    llvm::cantFail(llvm::errorCodeToError(llvm::sys::fs::real_path(Dir, Real)));
    Dir = Real;
  }
  void TearDown() override { llvm::sys::fs::remove_directories(Dir); }

  std::string path(llvm::StringRef Name) const {
    return (Dir + "/" + Name).str();
  }
  std::string write(llvm::StringRef Name, llvm::StringRef Text) const {
    std::ofstream(path(Name)) << Text.str();
    return path(Name);
  }
  static std::string text(const std::string &Path) {
    auto Buffer = llvm::MemoryBuffer::getFile(Path);
    return Buffer ? (*Buffer)->getBuffer().str() : "(none)";
  }
  unsigned count() const {
    unsigned N = 0;
    std::error_code Ignored;
    for (llvm::sys::fs::directory_iterator I(Dir, Ignored), End; I != End;
         I.increment(Ignored))
      ++N;
    return N;
  }

  llvm::SmallString<128> Dir;
};

/// One finding in a.cpp, which changes that file and b.h.
FileResult result(const std::string &A, const std::string &B) {
  FileResult R;
  auto &E = R.Errors.emplace_back(
      "tensor-x", clang::tidy::ClangTidyError::Warning, "", false);
  for (const std::string &Path : {A, B}) {
    R.Sources.push_back({Path, "old\n"});
    llvm::cantFail(E.Message.Fix[Path].add(Replacement(Path, 0, 3, "new")));
  }
  return R;
}

struct Told {
  std::vector<std::string> Messages;
  Fixes::Hooks hooks() {
    return {[](llvm::StringRef) { return "none"; },
            [this](const std::string &M) { Messages.push_back(M); }};
  }
};

TEST_F(Files, BothAreWritten) {
  std::string A = write("a.cpp", "old\n"), B = write("b.h", "old\n");
  Fixes F;
  Told T;
  F.add(result(A, B));
  F.add(result(A, B));
  F.apply(T.hooks());
  EXPECT_THAT(T.Messages, ElementsAre());
  EXPECT_EQ(text(A), "new\n");
  EXPECT_EQ(text(B), "new\n");
  EXPECT_EQ(F.summary("applied"), "applied 1 of 1 fix in 2 files");
  EXPECT_EQ(count(), 2u);
}

TEST_F(Files, NoneIsWrittenWhereOneCannotBe) {
  std::string A = write("a.cpp", "old\n"), B = write("b.h", "other\n");
  Fixes F;
  Told T;
  F.add(result(A, B));
  F.apply(T.hooks());
  EXPECT_THAT(T.Messages,
              ElementsAre("'" + B +
                          "' changed since it was analysed; nothing "
                          "was written to it, run again"));
  EXPECT_EQ(text(A), "old\n");
  EXPECT_EQ(text(B), "other\n");
  EXPECT_EQ(F.summary("applied"), "applied 0 of 1 fix in 0 files");
}

TEST_F(Files, WhatOthersWantOfTheFirstIsWritten) {
  std::string A = write("a.cpp", "old\n"), B = write("b.h", "other\n");
  Fixes F;
  Told T;
  F.add(result(A, B));
  F.add({{A, 3, 0, "er"}});
  F.add({{A, 3, 0, "est"}});
  F.apply(T.hooks());
  EXPECT_EQ(text(A), "older\n");
  EXPECT_EQ(F.summary("applied"), "applied 1 of 3 fixes in 1 file; 1 overlaps "
                                  "another, run again");
}

TEST_F(Files, AFixThatIsThereAlready) {
  std::string A = write("a.cpp", "new\n"), B = write("b.h", "new\n");
  Fixes F;
  Told T;
  F.add(result(A, B));
  F.apply(T.hooks());
  EXPECT_THAT(T.Messages, ElementsAre());
  EXPECT_EQ(F.summary("applied"),
            "applied 0 of 1 fix in 0 files; another run has applied 1");
}

TEST_F(Files, AnalysedWithTwoTexts) {
  std::string A = write("a.cpp", "old\n"), B = write("b.h", "old\n");
  FileResult Other = result(A, B);
  Other.Sources[0].Text = "older\n";
  Fixes F;
  Told T;
  F.add(result(A, B));
  F.add(Other);
  F.apply(T.hooks());
  EXPECT_EQ(T.Messages.size(), 1u);
  EXPECT_EQ(text(A), "old\n");
}

TEST_F(Files, TwoLinksToOneFileAreOneFile) {
  std::string A = write("a.cpp", "old\n"), B = path("b.h");
  ASSERT_EQ(symlink("a.cpp", B.c_str()), 0);
  Fixes F;
  Told T;
  F.add(result(A, A));
  F.add(result(B, B));
  F.apply(T.hooks());
  EXPECT_EQ(text(A), "new\n");
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(B));
  EXPECT_EQ(F.summary("applied"), "applied 1 of 1 fix in 1 file");
}

TEST_F(Files, LinesEndAsTheFilesDo) {
  std::string A = write("a.cpp", "one\r\ntwo\r\n");
  Fixes F;
  Told T;
  F.addSource(A, {A, "one\r\ntwo\r\n"});
  F.add({{A, 5, 0, "x\n"}});
  F.apply(T.hooks());
  EXPECT_EQ(text(A), "one\r\nx\r\ntwo\r\n");
}

TEST_F(Files, SavedInTheMiddle) {
  std::string A = write("a.cpp", "old\n");
  // As an editor saves that writes into the file.
  auto U = llvm::cantFail(FileUpdate::begin(A));
  llvm::cantFail(U->prepare("new\n"));
  write("a.cpp", "mine\n");
  EXPECT_EQ(refusalMessage("a", U->commit()),
            "'a' changed since it was analysed; nothing was written to it, run "
            "again");
  U.reset();
  EXPECT_EQ(text(A), "mine\n");
  // As one does that puts another file in its place.
  U = llvm::cantFail(FileUpdate::begin(A));
  llvm::cantFail(U->prepare("new\n"));
  write("b", "mine, too\n");
  ASSERT_EQ(rename(path("b").c_str(), A.c_str()), 0);
  EXPECT_THAT(refusalMessage("a", U->commit()), HasSubstr("changed"));
  U.reset();
  EXPECT_EQ(text(A), "mine, too\n");
  EXPECT_EQ(count(), 1u);
}

TEST_F(Files, UndoneUnlessFinished) {
  std::string A = write("a.cpp", "old\n");
  auto U = llvm::cantFail(FileUpdate::begin(A));
  llvm::cantFail(U->prepare("new\n"));
  llvm::cantFail(U->commit());
  EXPECT_EQ(text(A), "new\n");
  U.reset();
  EXPECT_EQ(text(A), "old\n");
  EXPECT_EQ(count(), 1u);
}

TEST_F(Files, LeftoversOfKilledRunsGo) {
  std::string A = write("a.cpp", "old\n");
  std::string Left;
  {
    auto U = llvm::cantFail(FileUpdate::begin(A));
    llvm::cantFail(U->prepare("new\n"));
    std::error_code Ignored;
    for (llvm::sys::fs::directory_iterator I(Dir, Ignored), End; I != End;
         I.increment(Ignored))
      if (I->path() != A)
        Left = llvm::sys::path::filename(I->path()).str();
  }
  EXPECT_EQ(llvm::sys::path::extension(Left), ".tmp");
  EXPECT_EQ(Left[0], '.');
  write(Left, "half");
  write(".tensortidy-0000000000000000-AAAAAA.tmp", "another file's");
  auto U = llvm::cantFail(FileUpdate::begin(A));
  llvm::cantFail(U->prepare("new\n"));
  llvm::cantFail(U->commit());
  U->finish();
  EXPECT_EQ(text(path(Left)), "(none)");
  EXPECT_EQ(count(), 2u);
}

TEST_F(Files, ModesAndOtherNames) {
  std::string A = write("a.cpp", "old\n");
  ASSERT_EQ(chmod(A.c_str(), 0751), 0);
  auto U = llvm::cantFail(FileUpdate::begin(A));
  llvm::cantFail(U->prepare("new\n"));
  llvm::cantFail(U->commit());
  U->finish();
  U.reset();
  struct stat S;
  ASSERT_EQ(stat(A.c_str(), &S), 0);
  EXPECT_EQ(S.st_mode & 07777, 0751u);

  ASSERT_EQ(link(A.c_str(), path("b").c_str()), 0);
  U = llvm::cantFail(FileUpdate::begin(A));
  EXPECT_THAT(refusalMessage("a", U->prepare("x")), HasSubstr("hard link"));
  U.reset();
  EXPECT_EQ(text(A), "new\n");

  ASSERT_EQ(chmod(A.c_str(), 0444), 0);
  auto Locked = FileUpdate::begin(A);
  ASSERT_FALSE(Locked);
  EXPECT_EQ(refusalMessage("a", Locked.takeError()),
            "'a' is read-only; nothing was written to it, make it writable and "
            "run again");
}

TEST_F(Files, Output) {
  std::string A = path("fixes.yaml");
  EXPECT_FALSE(llvm::errorToBool(writeOutput(A, "one")));
  EXPECT_EQ(text(A), "one");
  EXPECT_FALSE(llvm::errorToBool(writeOutput(A, "two")));
  EXPECT_EQ(text(A), "two");
  EXPECT_FALSE(llvm::errorToBool(writeOutput("/dev/null", "two")));
  EXPECT_EQ(llvm::toString(writeOutput(path("no/such"), "")),
            "cannot write '" + path("no/such") +
                "': No such file or directory");
  EXPECT_EQ(count(), 1u);
}

} // namespace
