//===- ShardTest.cpp - a part of the files --------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shard.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <map>

using namespace tensortidy::tool;

namespace {

std::vector<std::string> files(unsigned Count) {
  std::vector<std::string> Names;
  for (unsigned I = 0; I < Count; ++I)
    Names.push_back("/nowhere/src/unit" + std::to_string(I) + ".cpp");
  return Names;
}

std::map<std::string, unsigned> parts(const std::vector<std::string> &Files,
                                      unsigned Of) {
  std::map<std::string, unsigned> Parts;
  for (unsigned Number = 1; Number <= Of; ++Number) {
    const std::vector<std::string> Part = Shard{Number, Of}.take(Files);
    EXPECT_GE(Part.size(), Files.size() / Of);
    EXPECT_LE(Part.size(), Files.size() / Of + 1);
    for (const std::string &File : Part)
      EXPECT_TRUE(Parts.emplace(File, Number).second) << File;
  }
  EXPECT_EQ(Parts.size(), Files.size());
  return Parts;
}

TEST(Shard, PartsAreDisjointAndWhole) {
  for (unsigned Count : {0U, 1U, 7U, 100U})
    for (unsigned Of : {1U, 2U, 3U, 8U, 200U})
      parts(files(Count), Of);
}

TEST(Shard, TheOrderOfFilesIsKeptAndMakesNoDifference) {
  std::vector<std::string> Files = files(50);
  const auto Parts = parts(Files, 4);
  EXPECT_TRUE(llvm::is_sorted(Shard{1, 1}.take(files(9))));
  std::reverse(Files.begin(), Files.end());
  EXPECT_EQ(parts(Files, 4), Parts);
}

TEST(Shard, ANewFileMovesFewOthers) {
  const auto Before = parts(files(400), 8), After = parts(files(401), 8);
  unsigned Moved = 0;
  for (const auto &[File, Part] : Before)
    Moved += After.at(File) != Part;
  EXPECT_LE(Moved, 7U); // one at each end that two parts have in common
}

TEST(Shard, NeighboursAreApart) {
  std::map<unsigned, unsigned> OfTheFirst;
  const auto Parts = parts(files(400), 4);
  for (const std::string &File : files(40))
    ++OfTheFirst[Parts.at(File)];
  EXPECT_EQ(OfTheFirst.size(), 4U);
}

} // namespace
