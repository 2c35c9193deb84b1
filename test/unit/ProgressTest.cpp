//===- ProgressTest.cpp - how far a run has come --------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Progress.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tensortidy::tool;

namespace {

/// \p N files, of \p Seconds each, one after the other from 0 on.
void finish(Progress &P, unsigned N, double Seconds) {
  for (unsigned I = 0; I < N; ++I) {
    P.started(I, "done.cpp", I * Seconds);
    P.ended(I, (I + 1) * Seconds);
  }
}

TEST(Progress, TimeLeftNeedsSomeFiles) {
  Progress P(24, 1);
  EXPECT_EQ(P.secondsLeft(0), std::nullopt);
  finish(P, 1, 10);
  EXPECT_EQ(P.secondsLeft(10), std::nullopt);
  P.started(1, "b.cpp", 10);
  P.ended(1, 24);
  EXPECT_EQ(P.secondsLeft(24), 22 * 12.0);

  Progress Large(1000, 1);
  finish(Large, 9, 1);
  EXPECT_EQ(Large.secondsLeft(9), std::nullopt);
  Large.started(9, "c.cpp", 9);
  Large.ended(9, 10);
  EXPECT_EQ(Large.secondsLeft(10), 990.0);
}

TEST(Progress, TimeLeftOfSeveralAtOnce) {
  // The example of the header: two of six done.
  Progress P(6, 2);
  P.started(0, "a.cpp", 0);
  P.started(1, "b.cpp", 0);
  P.ended(0, 10);
  P.started(2, "c.cpp", 10);
  P.ended(1, 14);
  EXPECT_EQ(P.secondsLeft(15), (7 + 36) / 2.0);
  // More at once than there are files left: the longest decides.
  Progress Wide(4, 8);
  finish(Wide, 2, 10);
  Wide.started(2, "c.cpp", 20);
  Wide.started(3, "d.cpp", 26);
  EXPECT_EQ(Wide.secondsLeft(28), 8.0);
}

TEST(Progress, NothingLeftOfOneThatTakesLonger) {
  Progress P(3, 1);
  finish(P, 2, 10);
  P.started(2, "long.cpp", 20);
  EXPECT_EQ(P.secondsLeft(50), 0.0);
  EXPECT_EQ(P.line(0, 50, 80), "[2/3] 0 findings: long.cpp");
}

TEST(Progress, TimesAreRounded) {
  EXPECT_EQ(timeLeftText(0.5), "");
  EXPECT_EQ(timeLeftText(1), "about 5 s left");
  EXPECT_EQ(timeLeftText(41), "about 45 s left");
  EXPECT_EQ(timeLeftText(55), "about 55 s left");
  EXPECT_EQ(timeLeftText(56), "about 1 min left");
  EXPECT_EQ(timeLeftText(61), "about 2 min left");
  EXPECT_EQ(timeLeftText(59 * 60), "about 59 min left");
  EXPECT_EQ(timeLeftText(59 * 60 + 1), "about 1 h left");
  EXPECT_EQ(timeLeftText(71 * 60), "about 1 h 20 min left");
}

TEST(Progress, TheLineFits) {
  Progress P(24, 2);
  P.started(0, "src/attention.cpp", 0);
  P.started(1, "src/model.cpp", 1);
  EXPECT_EQ(P.line(1, 2, 80), "[0/24] 1 finding: src/attention.cpp");
  EXPECT_EQ(P.line(1, 2, 36), "[0/24] 1 finding: src/attention.cpp");
  EXPECT_EQ(P.line(1, 2, 35), "[0/24] 1 finding: ...attention.cpp");
  EXPECT_EQ(P.line(1, 2, 24), "[0/24] 1 finding");
  EXPECT_EQ(P.line(1, 2, 10), "[0/24] 1 ");
  EXPECT_EQ(P.line(1, 2, 0), "");
  P.ended(0, 4); // the oldest is named
  EXPECT_EQ(P.line(2, 4, 80), "[1/24] 2 findings: src/model.cpp");
}

TEST(Progress, NamesThatAreNoAscii) {
  Progress P(2, 1);
  // Cut between letters, counted in columns and not in bytes.
  P.started(0, "/home/\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9.cpp", 0);
  EXPECT_EQ(P.line(0, 0, 34),
            "[0/2] 0 findings: /home/\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"
            ".cpp");
  EXPECT_EQ(P.line(0, 0, 30), "[0/2] 0 findings: ...\xC3\xA9\xC3\xA9\xC3\xA9"
                              "\xC3\xA9.cpp");
  Progress Q(2, 1);
  Q.started(0, "bad\033[2Jname.cpp", 0);
  EXPECT_EQ(Q.line(0, 0, 80), "[0/2] 0 findings");
}

TEST(Progress, ForALog) {
  Progress P(24, 1);
  finish(P, 7, 10);
  EXPECT_EQ(P.plain(5, 70),
            "tensortidy: 7 of 24 files, 5 findings, about 3 min left");
}

} // namespace
