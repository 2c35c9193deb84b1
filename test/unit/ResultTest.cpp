//===- ResultTest.cpp - results and the processes they come from ----------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Result.h"
#include "Workers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <csignal>
#include <sys/resource.h>
#include <unistd.h>

using namespace tensortidy::tool;
using clang::tooling::Replacement;

namespace {

FileResult sample() {
  FileResult R;
  auto &E = R.Errors.emplace_back(
      "tensor-x", clang::tidy::ClangTidyError::Warning, "/build", true);
  E.Message.Message = std::string("a\0\xff b", 5);
  E.Message.FilePath = "/f.cpp";
  E.Message.FileOffset = 12;
  E.Message.Ranges.emplace_back();
  E.Message.Ranges[0].FilePath = "/f.cpp";
  E.Message.Ranges[0].FileOffset = 10;
  E.Message.Ranges[0].Length = 4;
  llvm::cantFail(E.Message.Fix["/f.cpp"].add(Replacement("/f.cpp", 1, 2, "x")));
  llvm::cantFail(E.Message.Fix["/f.cpp"].add(Replacement("/f.cpp", 9, 0, "y")));
  E.Notes.emplace_back("note");
  E.Notes[0].FileOffset = 3;
  E.EnabledDiagnosticAliases = {"alias"};
  R.Sources.push_back({"/f.cpp", std::string("x\0y", 3), true});
  R.HasCompileErrors = true;
  R.Silenced.push_back(R.Errors[0]);
  R.Silenced[0].Message.Message = "hidden";
  R.Functions[{"tensor-x", 12, std::string("a\0\xff b", 5)}] = "net::run";
  R.Files = {"/f.cpp", "/f.h"};
  CaptionedPicture &P = R.Pictures[keyOf(E)].emplace_back();
  P.Caption = "before";
  P.P.L.Sizes = {2, 3};
  P.P.L.Strides = {1, 2};
  P.P.L.Offset = 4;
  P.P.Ggml = true;
  P.P.What = "x";
  P.P.Where = "n=2";
  R.Stats.Seen = 7;
  R.Stats.Lower = 0.5;
  R.Stats.GivenUp["why"] = 3;
  R.Programs = "function";
  return R;
}

TEST(Result, ComesBackWhole) {
  std::optional<FileResult> R = read(write(sample()));
  ASSERT_TRUE(R);
  ASSERT_EQ(R->Errors.size(), 1u);
  const auto &E = R->Errors[0];
  EXPECT_EQ(E.DiagnosticName, "tensor-x");
  EXPECT_EQ(E.Message.Message, std::string("a\0\xff b", 5));
  EXPECT_EQ(E.Message.FileOffset, 12u);
  EXPECT_EQ(E.Message.Ranges[0].Length, 4u);
  EXPECT_EQ(E.Message.Fix.lookup("/f.cpp").size(), 2u);
  EXPECT_EQ(E.Notes[0].Message, "note");
  EXPECT_EQ(E.BuildDirectory, "/build");
  EXPECT_TRUE(E.IsWarningAsError);
  EXPECT_EQ(E.EnabledDiagnosticAliases[0], "alias");
  ASSERT_EQ(R->Sources.size(), 1u);
  EXPECT_EQ(R->Sources[0].Path, "/f.cpp");
  EXPECT_EQ(R->Sources[0].Text, std::string("x\0y", 3));
  EXPECT_TRUE(R->Sources[0].Changed);
  EXPECT_TRUE(R->HasCompileErrors);
  ASSERT_EQ(R->Silenced.size(), 1u);
  EXPECT_EQ(R->Silenced[0].Message.Message, "hidden");
  EXPECT_EQ(R->functionOf(E), "net::run");
  EXPECT_EQ(R->functionOf(R->Silenced[0]), "");
  EXPECT_THAT(R->Files, testing::ElementsAre("/f.cpp", "/f.h"));
  ASSERT_EQ(R->Pictures[keyOf(E)].size(), 1u);
  EXPECT_EQ(R->Pictures[keyOf(E)][0].Caption, "before");
  EXPECT_EQ(R->Pictures[keyOf(E)][0].P.title(),
            "ne [3, 2], nb / type size [2, 1], offset 4");
  EXPECT_EQ(R->Pictures[keyOf(E)][0].P.Where, "n=2");
  EXPECT_EQ(R->Stats.Seen, 7u);
  EXPECT_EQ(R->Stats.Lower, 0.5);
  EXPECT_EQ(R->Stats.GivenUp["why"], 3u);
  EXPECT_EQ(R->Programs, "function");
  EXPECT_EQ(write(*R), write(sample()));
}

TEST(Result, CutShortIsNoResult) {
  std::string Bytes = write(sample());
  for (size_t N = 0; N < Bytes.size(); ++N)
    EXPECT_FALSE(read(llvm::StringRef(Bytes).take_front(N))) << N;
}

TEST(Workers, OneBadChildHurtsNoOther) {
  std::vector<Outcome> Outcomes;
  std::vector<unsigned> Order;
  Work W;
  W.Count = 5;
  W.AtOnce = 3;
  W.Timeout = 1;
  W.Run = [](unsigned I) -> std::string {
    if (I == 0)
      usleep(100'000); // ends after the next, is reported before it
    if (I == 2) {
      signal(SIGSEGV, SIG_DFL);
      raise(SIGSEGV);
    }
    if (I == 3)
      pause();
    (void)!write(STDERR_FILENO, "said", 4);
    return std::string(100'000, 'a' + I); // more than a pipe holds
  };
  W.Done = [&](unsigned I, const Outcome &O) {
    Order.push_back(I);
    Outcomes.push_back(O);
    return true;
  };
  EXPECT_EQ(runAll(W), 0);
  EXPECT_THAT(Order, testing::ElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(Outcomes[0].Output, std::string(100'000, 'a'));
  EXPECT_EQ(Outcomes[0].Stderr, "said");
  EXPECT_EQ(Outcomes[2].How, Outcome::Crashed);
  EXPECT_EQ(Outcomes[2].Status, SIGSEGV);
  EXPECT_EQ(Outcomes[3].How, Outcome::TimedOut);
  EXPECT_EQ(Outcomes[4].Output, std::string(100'000, 'e'));
}

TEST(Workers, WithoutRoomFewerAtOnce) {
  // Each child takes two descriptors here while it runs.
  rlimit Before;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &Before), 0);
  const int Next = dup(STDERR_FILENO);
  close(Next);
  rlimit Few = Before;
  Few.rlim_cur = static_cast<rlim_t>(Next) + 10;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &Few), 0);
  unsigned Running = 0, Most = 0;
  std::vector<unsigned> Order;
  Work W;
  W.Count = 20;
  W.AtOnce = 20;
  W.Run = [](unsigned) -> std::string {
    usleep(50'000);
    return "said";
  };
  W.Started = [&](unsigned) { Most = std::max(Most, ++Running); };
  W.Ended = [&](unsigned) { --Running; };
  W.Done = [&](unsigned I, const Outcome &O) {
    EXPECT_EQ(O.How, Outcome::Finished);
    EXPECT_EQ(O.Output, "said");
    Order.push_back(I);
    return true;
  };
  runAll(W);
  setrlimit(RLIMIT_NOFILE, &Before);
  EXPECT_EQ(Order.size(), 20u);
  EXPECT_TRUE(std::is_sorted(Order.begin(), Order.end()));
  EXPECT_GE(Most, 2u);
  EXPECT_LE(Most, 4u);
}

TEST(Workers, WhatIsKnownDoesNotRun) {
  std::vector<std::string> Said;
  unsigned Started = 0, Ended = 0;
  Work W;
  W.Count = 5;
  W.AtOnce = 2;
  W.Known = [](unsigned I) -> std::optional<std::string> {
    if (I % 2)
      return "known";
    return std::nullopt;
  };
  W.Run = [](unsigned I) -> std::string { return I % 2 ? "run twice" : "run"; };
  W.Started = [&](unsigned) { ++Started; };
  W.Ended = [&](unsigned) { ++Ended; };
  W.Done = [&](unsigned, const Outcome &O) {
    Said.push_back(O.Output);
    return true;
  };
  runAll(W);
  EXPECT_THAT(Said,
              testing::ElementsAre("run", "known", "run", "known", "run"));
  EXPECT_EQ(Started, 5u);
  EXPECT_EQ(Ended, 5u);
}

TEST(Workers, DoneMayEndARun) {
  unsigned Reported = 0;
  Work W;
  W.Count = 3;
  W.AtOnce = 2;
  W.Run = [](unsigned I) -> std::string {
    if (I == 1)
      pause(); // killed, or this never ends
    return "said";
  };
  W.Done = [&](unsigned, const Outcome &) { return ++Reported < 1; };
  EXPECT_EQ(runAll(W), 0);
  EXPECT_EQ(Reported, 1u);
}

} // namespace
