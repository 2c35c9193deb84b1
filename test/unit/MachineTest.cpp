//===- MachineTest.cpp ----------------------------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "Changes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <unistd.h>

using namespace tensortidy::tool;

namespace {

/// The file system of some machine.
class Machine {
public:
  Machine() { llvm::sys::fs::createUniqueDirectory("machine", Root); }
  ~Machine() { llvm::sys::fs::remove_directories(Root); }
  Machine(const Machine &) = delete;
  Machine &operator=(const Machine &) = delete;

  void write(llvm::StringRef Name, llvm::StringRef Text) {
    llvm::SmallString<128> Path(Root);
    llvm::sys::path::append(Path, Name);
    llvm::sys::fs::create_directories(llvm::sys::path::parent_path(Path));
    std::error_code Why;
    llvm::raw_fd_ostream(Path, Why) << Text;
  }
  std::string root() const { return Root.str().str(); }

private:
  llvm::SmallString<128> Root;
};

TEST(Machine, CoresAreThoseOfTheQuota) {
  Machine M;
  const unsigned All = usableCores(M.root());
  EXPECT_GE(All, 1U);
  M.write("sys/fs/cgroup/cpu.max", "100000 100000\n");
  EXPECT_EQ(usableCores(M.root()), 1U);
  M.write("sys/fs/cgroup/cpu.max", "50000 100000\n");
  EXPECT_EQ(usableCores(M.root()), 1U);
  M.write("sys/fs/cgroup/cpu.max", "max 100000\n");
  EXPECT_EQ(usableCores(M.root()), All);
}

TEST(Machine, MemoryIsTheLessOfMachineAndContainer) {
  Machine M;
  EXPECT_FALSE(availableMemory(M.root()));
  M.write("proc/meminfo", "MemTotal:  9000 kB\nMemAvailable:    2000 kB\n");
  EXPECT_EQ(availableMemory(M.root()), 2000U << 10);
  M.write("sys/fs/cgroup/memory.max", "max\n");
  M.write("sys/fs/cgroup/memory.current", "500000\n");
  EXPECT_EQ(availableMemory(M.root()), 2000U << 10);
  M.write("sys/fs/cgroup/memory.max", "1000000\n");
  EXPECT_EQ(availableMemory(M.root()), 500000U);
  M.write("sys/fs/cgroup/memory.stat", "anon 1\ninactive_file 100000\n");
  EXPECT_EQ(availableMemory(M.root()), 600000U);
  M.write("sys/fs/cgroup/memory.max", "100\n");
  EXPECT_EQ(availableMemory(M.root()), 0U);
}

TEST(Machine, WhatAProcessHasInMemory) {
  EXPECT_GT(residentMemory(getpid()), 1U << 20);
  EXPECT_EQ(residentMemory(-1), 0U);
}

TEST(Machine, JobServers) {
  EXPECT_FALSE(JobServer("").isThere());
  EXPECT_FALSE(JobServer("-j8 k -- A=--jobserver-auth=3,4").isThere());
  for (const char *Out :
       {"--jobserver-auth=-2,-2", "--jobserver-auth=x",
        "--jobserver-auth=900,901", "--jobserver-auth=fifo:/none"}) {
    JobServer None(Out);
    EXPECT_TRUE(None.isThere()) << Out;
    EXPECT_FALSE(None.take()) << Out;
  }
  int Ends[2];
  ASSERT_EQ(pipe(Ends), 0);
  ASSERT_EQ(write(Ends[1], "xy", 2), 2);
  const std::string Fds =
      std::to_string(Ends[0]) + "," + std::to_string(Ends[1]);
  char Tokens[3] = {};
  {
    JobServer Two(" -j --jobserver-fds=7,8 --jobserver-auth=" + Fds);
    EXPECT_TRUE(Two.take());
    EXPECT_TRUE(Two.take());
    EXPECT_FALSE(Two.take());
    Two.giveBack();
    EXPECT_TRUE(Two.take());
  }
  // What was not given back before is given back in the end.
  EXPECT_EQ(read(Ends[0], Tokens, 3), 2);
  EXPECT_EQ(Tokens[0] + Tokens[1], 'x' + 'y');
  close(Ends[0]);
  close(Ends[1]);
}

TEST(Changes, AreReadFromADiff) {
  const Changes All = Changes::ofDiff("diff --git a/a.cpp b/a.cpp\n"
                                      "--- a/a.cpp\n"
                                      "+++ b/a.cpp\n"
                                      "@@ -3 +3,2 @@ int f() {\n"
                                      "-old\n"
                                      "+++ b/none.cpp\n"
                                      "+new\n"
                                      "@@ -9,2 +9,0 @@\n"
                                      "-@@ -1 +1 @@\n"
                                      "-gone\n"
                                      "\\ No newline at end of file\n"
                                      "--- /dev/null\n"
                                      "+++ \"b/x/\\303\\244\\t\\\"b.h\"\n"
                                      "@@ -0,0 +1 @@\n"
                                      "+one\n"
                                      "--- a/gone.cpp\n"
                                      "+++ /dev/null\n"
                                      "@@ -1 +0,0 @@\n"
                                      "-one\n"
                                      "similarity index 100%\n"
                                      "rename from old.cpp\n"
                                      "rename to moved here.cpp\n",
                                      "/top");
  EXPECT_EQ(All.files(),
            (std::vector<std::string>{"/top/a.cpp", "/top/moved here.cpp",
                                      "/top/x/\303\244\t\"b.h"}));
  for (const unsigned Line : {3U, 4U, 9U, 10U})
    EXPECT_TRUE(All.has("/top/a.cpp", Line)) << Line;
  for (const unsigned Line : {1U, 2U, 5U, 8U, 11U})
    EXPECT_FALSE(All.has("/top/a.cpp", Line)) << Line;
  EXPECT_TRUE(All.has("/top/moved here.cpp"));
  EXPECT_FALSE(All.has("/top/moved here.cpp", 1));
  EXPECT_TRUE(All.has("/top/sub/../a.cpp"));
  EXPECT_FALSE(All.has("/other/a.cpp"));
}

} // namespace
