//===- CacheTest.cpp - results kept from run to run -----------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cache.h"
#include "Program/Program.h"
#include "Tidy/Compat.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <sys/stat.h>
#include <unistd.h>

using namespace tensortidy;
using namespace tensortidy::tool;
namespace fs = llvm::sys::fs;

namespace {

class CacheTest : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> Dir;
    ASSERT_FALSE(fs::createUniqueDirectory("tensortidy-cache", Dir));
    ASSERT_FALSE(fs::real_path(Dir, Root));
    Kept = Root.str().str() + "/kept";
  }
  void TearDown() override { fs::remove_directories(Root); }

  std::string path(llvm::StringRef Name) const {
    return (Root + "/" + Name).str();
  }
  void write(llvm::StringRef Name, llvm::StringRef Text) const {
    std::error_code Why;
    llvm::raw_fd_ostream OS(path(Name), Why);
    ASSERT_FALSE(Why);
    OS << Text;
  }
  /// What an analysis sees that reads \p Name through our file system.
  Accesses reading(std::vector<llvm::StringRef> Names) const {
    Accesses All;
    auto FS = sourceFileSystem(&All);
    for (llvm::StringRef Name : Names)
      (void)FS->getBufferForFile(path(Name));
    return All;
  }
  std::vector<std::string> files() const {
    std::vector<std::string> All;
    std::error_code Why;
    for (fs::directory_iterator It(Kept, Why), End; !Why && It != End;
         It.increment(Why))
      All.push_back(It->path());
    return All;
  }
  bool finds() const { return Cache(Kept).find("key").Result.has_value(); }

  llvm::SmallString<128> Root;
  std::string Kept;
};

FileResult result() {
  FileResult R;
  R.Programs = "function";
  R.Stats.Parse = 9.5;
  return R;
}

TEST_F(CacheTest, AResultHoldsAsLongAsTheDiskSaysTheSame) {
  write("a.h", "one");
  Cache(Kept).keep("key", reading({"a.h", "none.h"}), result());
  auto Bytes = Cache(Kept).find("key").Result;
  ASSERT_TRUE(Bytes);
  auto R = read(*Bytes);
  ASSERT_TRUE(R);
  EXPECT_EQ(R->Programs, "function");
  EXPECT_EQ(R->Stats.Parse, 0) << "finding it takes no time";
  EXPECT_FALSE(Cache(Kept).find("other key").Result);

  write("a.h", "two");
  EXPECT_FALSE(finds());
  write("a.h", "one");
  EXPECT_TRUE(finds());
  write("none.h", "");
  EXPECT_FALSE(finds()) << "a header that would come first";
  fs::remove(path("none.h"));
  EXPECT_TRUE(finds());
  fs::remove(path("a.h"));
  EXPECT_FALSE(finds());
}

TEST_F(CacheTest, NobodyWaitsForAPipe) {
  write("a.h", "one");
  Cache(Kept).keep("key", reading({"a.h"}), result());
  fs::remove(path("a.h"));
  ASSERT_EQ(mkfifo(path("a.h").c_str(), 0600), 0);
  EXPECT_FALSE(finds());
}

TEST_F(CacheTest, SeveralStatesOfTheDiskAreRemembered) {
  for (const char *Text : {"one", "two"}) {
    write("a.h", Text);
    EXPECT_FALSE(finds());
    Cache(Kept).keep("key", reading({"a.h"}), result());
  }
  for (const char *Text : {"one", "two"}) {
    write("a.h", Text);
    EXPECT_TRUE(finds()) << Text;
  }
  Cache(Kept).forget("key");
  EXPECT_FALSE(finds());
}

TEST_F(CacheTest, TwoNamesOfOneFileAreNotTwoFiles) {
  write("a.h", "same");
  ASSERT_EQ(link(path("a.h").c_str(), path("b.h").c_str()), 0);
  Cache(Kept).keep("key", reading({"a.h", "b.h"}), result());
  EXPECT_TRUE(finds());
  fs::remove(path("b.h"));
  write("b.h", "same");
  EXPECT_FALSE(finds()) << "#pragma once would let both in";
  Cache(Kept).keep("key", reading({"a.h", "b.h"}), result());
  EXPECT_TRUE(finds());
  fs::remove(path("b.h"));
  ASSERT_EQ(symlink(path("a.h").c_str(), path("b.h").c_str()), 0);
  EXPECT_TRUE(finds()) << "as it was at first";
}

TEST_F(CacheTest, WhatIsDamagedIsNotThere) {
  write("a.h", "one");
  Cache(Kept).keep("key", reading({"a.h"}), result());
  ASSERT_EQ(files().size(), 2u);
  for (const std::string &File : files()) {
    auto Buffer = llvm::MemoryBuffer::getFile(File, false, true, true);
    ASSERT_TRUE(Buffer);
    const std::string Whole = (*Buffer)->getBuffer().str();
    const std::string Name =
        llvm::StringRef(File).substr(Root.size() + 1).str();
    for (size_t At = 0; At < Whole.size(); ++At) {
      write(Name, llvm::StringRef(Whole).take_front(At));
      EXPECT_FALSE(finds()) << Name << " cut at " << At;
      std::string Other = Whole;
      Other[At] ^= 4;
      write(Name, Other);
      EXPECT_FALSE(finds()) << Name << " changed at " << At;
    }
    write(Name, Whole + "x");
    EXPECT_FALSE(finds());
    write(Name, Whole);
    EXPECT_TRUE(finds());
  }
  // Whole, but in another's place.
  const std::vector<std::string> Both = files();
  ASSERT_FALSE(fs::copy_file(Both[0], Both[1]));
  EXPECT_FALSE(finds());
}

TEST_F(CacheTest, WhatMayBeAnotherTheNextTimeIsNotKept) {
  write("a.h", "one");
  FileResult Slow = result();
  Slow.Stats.GivenUp[program::giveUpName(program::GiveUp::TooSlow).str()] = 1;
  Cache(Kept).keep("key", reading({"a.h"}), Slow);
  EXPECT_FALSE(finds());

  FileResult Changed = result();
  Changed.Sources.push_back({path("a.h"), "one", /*Changed=*/true});
  Cache(Kept).keep("key", reading({"a.h"}), Changed);
  EXPECT_FALSE(finds());

  Accesses Asked;
  auto FS = sourceFileSystem(&Asked);
  (void)FS->getBufferForFile(path("a.h"));
  write("a.h", "two");
  (void)FS->getBufferForFile(path("a.h"));
  EXPECT_TRUE(Asked.unstable());
  Cache(Kept).keep("key", Asked, result());
  EXPECT_FALSE(finds());
}

TEST_F(CacheTest, PrecompiledHeadersNameTimes) {
  write("a.h", "one");
  auto Asks = [&](bool Precompiled) {
    Accesses Asked;
    auto FS = sourceFileSystem(&Asked);
    (void)FS->status(path("a.h"));
    if (Precompiled) {
      write("all.pch", "x");
      (void)FS->openFileForRead(path("all.pch"));
    }
    return Asked;
  };
  auto Touch = [&] { write("a.h", "other size"); };
  Cache(Kept).keep("key", Asks(false), result());
  Touch();
  EXPECT_TRUE(finds()) << "only asked whether it is there";
  Cache(Kept).forget("key");
  write("a.h", "one");
  Cache(Kept).keep("key", Asks(true), result());
  EXPECT_TRUE(finds());
  Touch();
  EXPECT_FALSE(finds());
}

TEST_F(CacheTest, TheKeyHasAllInputsAndTheProgram) {
  write("tool", "one");
  const std::string Tool = path("tool");
  EXPECT_NE(Cache::keyOf({"ab", "c"}, Tool), Cache::keyOf({"a", "bc"}, Tool));
  EXPECT_NE(Cache::keyOf({"ab"}, Tool), Cache::keyOf({"ab", ""}, Tool));
  EXPECT_EQ(Cache::keyOf({}, Tool), "") << "no key for what is not known";
}

TEST_F(CacheTest, IsPruned) {
  write("a.h", "one");
  Cache(Kept).keep("key", reading({"a.h"}), result());
  llvm::CachePruningPolicy P = Cache::policy();
  EXPECT_GT(P.MaxSizeBytes, 0u);
  P.Interval = std::chrono::seconds(0);
  P.MaxSizeBytes = 1;
  compat::pruneCache(Kept, P);
  EXPECT_FALSE(finds());
}

} // namespace
