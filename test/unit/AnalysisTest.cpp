//===- AnalysisTest.cpp - checks on tensor programs in text form ----------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Analysis.h"
#include "Program/Text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tensortidy;
using testing::HasSubstr;

namespace {

analysis::FunctionResult run(const std::string &Text,
                             const analysis::Budget &B = {}) {
  auto Parsed = program::parse(Text);
  if (!Parsed) {
    ADD_FAILURE() << llvm::toString(Parsed.takeError());
    return {};
  }
  EXPECT_EQ(Parsed->size(), 1u);
  EXPECT_EQ(program::verify(Parsed->front()), "");
  return analysis::analyse(Parsed->front(), B);
}

const char *const Transposed = R"(function "f"
  var $0 "a" int param
  var $1 "b" int param
  block 0
    %1 = load $0
    %2 = load $1
    %3 = list %1 %2
    %4 = filled size=%3 "zeros"
    %5 = t self=%4 "t"
    %6 = const -1
    %7 = list %6
    %8 = view self=%5 size=%7 "view" ; 4:2
    return %8
)";

TEST(Analysis, ViewOfATranspose) {
  auto R = run(Transposed);
  ASSERT_EQ(R.Findings.size(), 1u);
  EXPECT_EQ(R.Findings[0].Id, analysis::Check::ViewAfterPermute);
  EXPECT_EQ(R.Findings[0].Level, 0u);
  EXPECT_THAT(R.Findings[0].Message,
              HasSubstr("sizes [b, a], strides [1, b]; throws unless a or b "
                        "is 1"));
  EXPECT_EQ(R.ViewSites, 1u);
  EXPECT_EQ(R.ViewSitesDecided, 1u);
}

TEST(Analysis, BudgetsAreSilentAndSayWhy) {
  analysis::Budget B;
  B.MaxStatements = 3;
  auto R = run(Transposed, B);
  EXPECT_TRUE(R.Findings.empty());
  EXPECT_EQ(R.Reason, program::GiveUp::TooLong);

  analysis::Budget Blocks;
  Blocks.MaxBlocks = 0;
  EXPECT_EQ(run(Transposed, Blocks).Reason, program::GiveUp::TooManyBlocks);

  analysis::Budget Time;
  Time.MaxSeconds = -1;
  R = run(Transposed, Time);
  EXPECT_TRUE(R.Findings.empty());
  EXPECT_EQ(R.Reason, program::GiveUp::TooSlow);
}

// if (c) y = y.t();  if (<On>) y.view(-1)
std::string correlated(bool SameArm) {
  std::string Text = R"(function "f"
  var $0 "c" bool param
  var $1 "a" int param
  var $2 "y" tensor
  block 0 if %5 -> 1, 2
    %1 = load $1
    %2 = const 2
    %3 = list %1 %2
    %4 = filled size=%3 "zeros"
    store $2 %4
    %5 = load $0
  block 1 -> 2
    %6 = load $2
    %7 = t self=%6 "t"
    store $2 %7
  block 2 if %8 -> )";
  Text += SameArm ? "3, 4" : "4, 3";
  return Text + R"(
    %8 = load $0
  block 3
    %9 = load $2
    %10 = const -1
    %11 = list %10
    %12 = view self=%9 size=%11 "view" ; 9:5
    return %12
  block 4
    return
)";
}

TEST(Analysis, CorrelatedBranches) {
  EXPECT_EQ(run(correlated(true)).Findings.size(), 1u);
  EXPECT_TRUE(run(correlated(false)).Findings.empty());
}

TEST(Analysis, ManyIndependentBranchesComeToRest) {
  // y is transposed or not, 12 times over: 4096 paths, few states.
  std::string Text = "function \"f\"\n  var $0 \"y\" tensor param\n";
  const int N = 12;
  for (int I = 0; I < N; ++I)
    Text += "  var $" + std::to_string(I + 1) + " \"c" + std::to_string(I) +
            "\" bool param\n";
  int Value = 1;
  for (int I = 0; I < N; ++I) {
    std::string C = "%" + std::to_string(Value++);
    std::string L = "%" + std::to_string(Value++);
    std::string T = "%" + std::to_string(Value++);
    std::string Next = std::to_string(2 * I + 2);
    Text += "  block " + std::to_string(2 * I) + " if " + C + " -> " +
            std::to_string(2 * I + 1) + ", " + Next + "\n    " + C +
            " = load $" + std::to_string(I + 1) + "\n  block " +
            std::to_string(2 * I + 1) + " -> " + Next + "\n    " + L +
            " = load $0\n    " + T + " = t self=" + L +
            " \"t\"\n    store $0 " + T + "\n";
  }
  Text += "  block " + std::to_string(2 * N) + "\n    return\n";
  auto R = run(Text);
  EXPECT_EQ(R.Reason, program::GiveUp::No);
}

// for (i = 0; i < n; ++i) y = y.t();  y.view(-1)
TEST(Analysis, LoopsReachTheirFixpoint) {
  auto R = run(R"(function "f"
  var $0 "n" int param
  var $1 "y" tensor
  var $2 "i" int
  loop 0 for head 1
  block 0 -> 1
    %1 = const 3
    %2 = const 4
    %3 = list %1 %2
    %4 = filled size=%3 "zeros"
    store $1 %4
    %5 = const 0
    store $2 %5
  block 1 in 0 if %8 -> 2, 3
    %6 = load $2
    %7 = load $0
    %8 = lt_int %6 %7
  block 2 in 0 -> 1
    %9 = load $1
    %10 = t self=%9 "t"
    store $1 %10
    %11 = load $2
    %12 = const 1
    %13 = add_int %11 %12
    store $2 %13
  block 3
    %14 = load $1
    %15 = const -1
    %16 = list %15
    %17 = view self=%14 size=%16 "view" ; 9:5
    return %17
)");
  EXPECT_EQ(R.Reason, program::GiveUp::No);
  ASSERT_EQ(R.Findings.size(), 1u);
  EXPECT_THAT(R.Findings[0].Message, HasSubstr("sizes [4, 3]"));
}

TEST(Analysis, LevelOneNamesTheAssumption) {
  auto R = run(R"(function "f"
  var $0 "x" tensor param ref
  block 0
    %1 = load $0
    %2 = const 0
    %3 = const 2
    %4 = const 1
    %5 = list %2 %3 %4
    %6 = permute self=%1 dims=%5 "permute"
    %7 = const -1
    %8 = list %7
    %9 = view self=%6 size=%8 "view" ; 3:2
    return %9
)");
  ASSERT_EQ(R.Findings.size(), 1u);
  EXPECT_EQ(R.Findings[0].Level, 1u);
  EXPECT_THAT(R.Findings[0].Message,
              HasSubstr("throws when 'x' is contiguous"));
}

} // namespace
