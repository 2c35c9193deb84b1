//===- ReadFileTest.cpp - files that anybody may have written -------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Models/ReadFile.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tensortidy::models;

namespace {

std::string repeated(llvm::StringRef Text, size_t Times) {
  std::string Out;
  for (size_t I = 0; I < Times; ++I)
    Out += Text;
  return Out;
}

std::string mistake(const std::string &Text) {
  std::string Mistake;
  llvm::Error E = checkYaml(Text, "x", MostBytesOfConfig, &Mistake);
  return E ? llvm::toString(std::move(E)) : Mistake;
}

TEST(CheckYaml, WhatPeopleWritePasses) {
  EXPECT_EQ(mistake(""), "");
  EXPECT_EQ(mistake("a: [1, {b: c}]\nd:\n  - e: |\n      [[[[\n"), "");
  EXPECT_EQ(mistake("---\na: b\n---\nc: d\n...\n"), "");
  // As many siblings as one likes, and brackets that open nothing.
  EXPECT_EQ(mistake(repeated("- [a, b]\n", 5000)), "");
  EXPECT_EQ(mistake("a: '" + repeated("[", 5000) + "'\n"), "");
  EXPECT_EQ(mistake("{" + repeated("? a, ", 5000) + "b: c}"), "");
}

TEST(CheckYaml, EveryWayToNest) {
  for (const char *Level :
       {"[", "{a: ", "[a: ", "- ", "? ", "- ? ", "[? ", "{? ", "!t [", "&a [",
        "[[], ", ": ", "[: ", "- - a\n", "- [a, "}) {
    const std::string Text = repeated(Level, 50000);
    // Either it is too deep or no nesting for a parser; it is never a crash.
    std::string What = mistake(Text);
    if (llvm::StringRef(Level) != "- - a\n")
      EXPECT_NE(What, "") << Level;
  }
  EXPECT_EQ(mistake(repeated("[", 1000)), "'x' nests more than 64 levels deep");
  std::string Stairs;
  for (unsigned I = 0; I < 100; ++I)
    Stairs += std::string(I, ' ') + "a:\n";
  EXPECT_EQ(mistake(Stairs), "'x' nests more than 64 levels deep");
}

TEST(CheckYaml, SizeAndMistakes) {
  EXPECT_EQ(mistake(std::string(MostBytesOfConfig + 1, '#')),
            "'x' is larger than 1 MiB");
  EXPECT_THAT(mistake("a: b\nc: [d\n"), testing::StartsWith("2:6: "));
}

TEST(ReadRegularFile, OthersAreRefused) {
  llvm::vfs::FileSystem &FS = *llvm::vfs::getRealFileSystem();
  auto Why = [&](const char *Path) {
    auto Text = readRegularFile(Path, FS, MostBytesOfConfig, "the model ");
    return Text ? "" : llvm::toString(Text.takeError());
  };
  EXPECT_EQ(Why("/dev/null"),
            "cannot read the model '/dev/null': it is not a regular file");
  EXPECT_EQ(Why("/"), "cannot read the model '/': it is a directory");
  EXPECT_THAT(Why("/no/such"),
              testing::StartsWith("cannot read the model '/no/such': "));
}

} // namespace
