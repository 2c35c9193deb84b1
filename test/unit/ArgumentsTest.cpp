//===- ArgumentsTest.cpp - other compilers' commands ----------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "llvm/ADT/StringExtras.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace tensortidy::tool;

namespace {

std::vector<std::string> words(llvm::StringRef Text) {
  llvm::SmallVector<llvm::StringRef, 32> Parts;
  Text.split(Parts, ' ', -1, /*KeepEmpty=*/false);
  return {Parts.begin(), Parts.end()};
}

/// The adjusted command without what is added to every one of them.
std::string adjusted(llvm::StringRef Command, llvm::StringRef File = "x.cpp",
                     llvm::StringRef Directory = ".") {
  std::vector<std::string> Args =
      adjustArguments(words(Command), File, Directory);
  llvm::erase_if(Args, [](llvm::StringRef Arg) {
    return Arg == "-w" || Arg == "-fno-caret-diagnostics" ||
           Arg == "-Wno-error=c++11-narrowing";
  });
  // Every source may include CUDA's headers.
  auto After = llvm::find(Args, "-idirafter");
  if (After != Args.end() && After + 1 != Args.end() &&
      After[1] == "/tensortidy-cuda/include")
    Args.erase(After, After + 2);
  return llvm::join(Args, " ");
}

TEST(Arguments, ClangStaysAsItIs) {
  EXPECT_EQ(adjusted("clang++-19 -std=c++20 -O2 -march=native -DX=1 -Iinc "
                     "-isystem sys -fopenmp -c x.cpp -o x.o"),
            "clang++-19 -std=c++20 -O2 -march=native -DX=1 -Iinc -isystem sys "
            "-fopenmp -c x.cpp -o x.o");
}

TEST(Arguments, GccFlagsClangDoesNotKnowAreDropped) {
  EXPECT_EQ(adjusted("g++ -fno-var-tracking-assignments -fconcepts "
                     "-mno-avx256-split-unaligned-load "
                     "-fno-canonical-system-headers -std=gnu++17 -Ia x.cpp"),
            "g++ -std=gnu++17 -Ia x.cpp");
}

TEST(Arguments, WarningsAreNoErrors) {
  EXPECT_EQ(adjusted("g++ -Wall -Werror -Werror=return-type -pedantic-errors "
                     "-Wno-maybe-uninitialized x.cpp"),
            "g++ -Wall -Wno-maybe-uninitialized x.cpp");
}

TEST(Arguments, AValueIsNotTakenForAnOption) {
  EXPECT_EQ(adjusted("g++ -D -fconcepts -include -Werror x.cpp"),
            "g++ -D -fconcepts -include -Werror x.cpp");
}

TEST(Arguments, AnOptionWithoutItsValueAtTheEnd) {
  EXPECT_EQ(adjusted("g++ x.cpp -I"), "g++ x.cpp");
  EXPECT_EQ(adjusted("nvcc x.cpp -Xcompiler"), "clang++ x.cpp");
  EXPECT_EQ(adjusted("g++"), "g++");
  EXPECT_TRUE(adjustArguments({}, "x.cpp", ".").empty());
}

TEST(Arguments, NvccHostFlagsStayDeviceFlagsGo) {
  EXPECT_EQ(
      adjusted("/usr/local/cuda/bin/nvcc -forward-unknown-to-host-compiler "
               "-DNAME=1 -D OTHER -I=inc --include-path inc2 "
               "-isystem=/opt/torch/include -O3 -DNDEBUG -std=c++17 "
               "--generate-code=arch=compute_80,code=[compute_80,sm_80] "
               "-gencode arch=compute_90,code=sm_90 -arch sm_70 "
               "-Xcompiler -fPIC,-Wall --compiler-options=-fopenmp "
               "--expt-relaxed-constexpr --extended-lambda -lineinfo "
               "-Xptxas -v --use_fast_math -ccbin g++-12 -rdc=true "
               "-maxrregcount=64 -Xcudafe --diag_suppress=20012 -dc x.cpp"),
      "clang++ -DNAME=1 -DOTHER -Iinc -Iinc2 -isystem /opt/torch/include -O3 "
      "-DNDEBUG -std=c++17 -fPIC -Wall -fopenmp x.cpp");
}

TEST(Arguments, CudaSourcesAreParsedForTheHost) {
  std::string Line =
      adjusted("nvcc -x cu -std=c++17 -c k.cu -o k.o", "dir/k.cu");
  EXPECT_THAT(Line, testing::HasSubstr("-x cuda --cuda-host-only"));
  EXPECT_THAT(Line, testing::HasSubstr("-nocudainc"));
  EXPECT_THAT(Line, testing::Not(testing::HasSubstr("-x cu ")));
  EXPECT_THAT(Line, testing::EndsWith("-std=c++17 -c k.cu -o k.o"));
  // A .cu file that is compiled as C++ is no CUDA, and the reverse.
  EXPECT_THAT(adjusted("g++ -x c++ k.cu", "k.cu"),
              testing::Not(testing::HasSubstr("cuda")));
  EXPECT_THAT(adjusted("nvcc -x cu k.cpp", "k.cpp"),
              testing::HasSubstr("-x cuda"));
}

TEST(Arguments, ClangsOwnCudaCommandsAreForTheHostToo) {
  std::string Line =
      adjusted("clang++ --cuda-gpu-arch=sm_90a --cuda-path=/none -fgpu-rdc "
               "--offload-arch=native -xcuda --cuda-device-only -O2 k.cu",
               "k.cu");
  EXPECT_THAT(Line, testing::StartsWith("clang++ -x cuda --cuda-host-only"));
  EXPECT_THAT(Line, testing::EndsWith(" -O2 k.cu"));
  EXPECT_THAT(Line, testing::Not(testing::HasSubstr("arch")));
  EXPECT_THAT(Line, testing::Not(testing::HasSubstr("/none")));
}

TEST(Arguments, TheToolkitOfTheCompilerIsUsed) {
  std::string Root = testing::TempDir() + "tensortidy-toolkit";
  std::filesystem::create_directories(Root + "/bin");
  std::filesystem::create_directories(Root + "/include");
  std::ofstream(Root + "/include/cuda_runtime.h");
  std::ofstream(Root + "/bin/nvcc");
  std::string Given = "-isystem " + std::filesystem::canonical(Root).string();
  EXPECT_THAT(adjusted(Root + "/bin/nvcc k.cu", "k.cu"),
              testing::HasSubstr(Given));
  EXPECT_THAT(adjusted("clang++ --cuda-path=" + Root + " k.cu", "k.cu"),
              testing::HasSubstr("-isystem " + Root + "/include"));
  // What is set and has no toolkit means that there is none.
  setenv("CUDA_HOME", "/nowhere", 1);
  EXPECT_THAT(adjusted("clang++ k.cu", "k.cu"),
              testing::HasSubstr("-isystem /tensortidy-cuda/include"));
  setenv("CUDA_HOME", Root.c_str(), 1);
  EXPECT_THAT(adjusted("clang++ k.cu", "k.cu"),
              testing::HasSubstr("-isystem " + Root + "/include"));
  unsetenv("CUDA_HOME");
  std::filesystem::remove_all(Root);
}

TEST(Arguments, ClangsHeadersComeLastForCuda) {
  EXPECT_THAT(adjusted("nvcc -resource-dir=/res k.cu", "k.cu"),
              testing::HasSubstr("-idirafter /res/include"));
}

TEST(Arguments, NvccResponseFilesAreRead) {
  std::string Name = testing::TempDir() + "tensortidy-includes.rsp";
  std::ofstream(Name) << "-I\"/a b\" -isystem /sys -DQ=\\\"x\\\"";
  std::vector<std::string> Args = adjustArguments(
      {"nvcc", "--options-file", "tensortidy-includes.rsp", "x.cpp"}, "x.cpp",
      testing::TempDir());
  EXPECT_THAT(Args, testing::IsSupersetOf(
                        {"-I/a b", "-isystem", "/sys", "-DQ=\"x\"", "x.cpp"}));
  std::remove(Name.c_str());
}

} // namespace
