//===- ArgumentsTest.cpp - other compilers' commands ----------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "SourceKind.h"
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
  EXPECT_THAT(adjusted(Root + "/bin/nvcc k.cu", "k.cu"),
              testing::Not(testing::HasSubstr("-D__CUDACC_VER")));
  // A release without the file that tells its build: as CUDA's wheels are laid.
  std::filesystem::create_directories(Root + "/include/cccl");
  std::ofstream(Root + "/include/cuda_runtime_api.h")
      << "#define CUDART_VERSION  12080\n";
  EXPECT_THAT(
      adjusted(Root + "/bin/nvcc k.cu", "k.cu"),
      testing::AllOf(testing::HasSubstr("-D__CUDACC_VER_MAJOR__=12 "
                                        "-D__CUDACC_VER_MINOR__=8 "),
                     testing::HasSubstr("-D__CUDACC_VER_BUILD__=0 "),
                     testing::HasSubstr("/include/cccl ")));
  std::string Wheel = "/dist-info/nvidia_cuda_nvcc_cu12-12.8.93.dist-info";
  std::filesystem::create_directories(Root + Wheel);
  EXPECT_THAT(adjusted(Root + "/bin/nvcc k.cu", "k.cu"),
              testing::HasSubstr("-D__CUDACC_VER_BUILD__=93 "));
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

std::string afterDashes(llvm::StringRef Words, llvm::StringRef File) {
  return llvm::join(commandAfterDashes(words(Words), File), " ");
}

TEST(Arguments, ACommandAfterDashesHasACompiler) {
  EXPECT_EQ(afterDashes("-std=c++17 -Iinc", "/a.cpp"),
            "clang-tool -std=c++17 -Iinc /a.cpp");
  EXPECT_EQ(afterDashes("", "/a.cpp"), "clang-tool /a.cpp");
  EXPECT_EQ(afterDashes("/usr/bin/c++ -c a.cpp", "/a.cpp"),
            "/usr/bin/c++ -c a.cpp /a.cpp");
  EXPECT_EQ(afterDashes("ccache g++ -c a.cpp", "/a.cpp"),
            "g++ -c a.cpp /a.cpp");
  EXPECT_EQ(afterDashes("a.cpp -DX", "/a.cpp"), "clang-tool a.cpp -DX /a.cpp");
  EXPECT_EQ(afterDashes("@flags -DX", "/a.cpp"),
            "clang-tool @flags -DX /a.cpp");
}

TEST(Arguments, OneInputOfSeveralStays) {
  EXPECT_EQ(adjusted("g++ -c a.cpp b.cpp x.o -lm", "/p/b.cpp", "/p"),
            "g++ -c b.cpp -lm");
  EXPECT_EQ(adjusted("g++ -DX -c ../p/a.cpp /p/a.cpp", "/p/a.cpp", "/p"),
            "g++ -DX -c /p/a.cpp");
  EXPECT_EQ(adjusted("g++ -o out -c b.cpp c.cpp", "/p/a.cpp", "/p"),
            "g++ -o out -c /p/a.cpp");
  // A single one is what the command says, by whatever name.
  EXPECT_EQ(adjusted("g++ -c link.cpp", "/p/a.cpp", "/p"), "g++ -c link.cpp");
  EXPECT_EQ(
      adjusted("nvcc -gencode arch=a,code=b -c b.cpp a.cpp", "/p/a.cpp", "/p"),
      "clang++ -c a.cpp");
}

std::string kept(llvm::StringRef Words) {
  return llvm::join(withoutEffects(words(Words)), " ");
}

TEST(Arguments, NothingIsWrittenAndNothingIsRun) {
  EXPECT_EQ(kept("g++ -DX -MD -MF x.d -MJ y -MJz -o x.o -ox.o -save-temps "
                 "-ftime-trace=t --serialize-diagnostics d a.cpp"),
            "g++ -DX a.cpp");
  EXPECT_EQ(kept("g++ -fplugin=x.so --config c.cfg --config=c.cfg "
                 "-Xarch_host -MJx --offload-arch=native a.cpp"),
            "g++ a.cpp");
  EXPECT_EQ(kept("g++ --nvptx-arch-tool=./evil --amdgpu-arch-tool=./evil -O2 "
                 "a.cpp"),
            "g++ -O2 a.cpp");
  // A value is not taken for an option.
  EXPECT_EQ(kept("g++ -D -MD -include -o a.cpp"),
            "g++ -D -MD -include -o a.cpp");
  EXPECT_TRUE(withoutEffects({}).empty());
}

TEST(SourceKind, ByExtension) {
  for (const char *Name : {"a.cpp", "a.cc", "a.cxx", "a.c++", "a.C", "a.cppm",
                           "a.cu", "a.c", "a.m", "a.mm", "x.y/a.c"})
    EXPECT_TRUE(isSource(Name)) << Name;
  for (const char *Name : {"a.h", "a.hpp", "a.cuh", "a.inl", "a.o", "a.s", "a",
                           "a.txt", "c.d/a", "a.i"})
    EXPECT_FALSE(isSource(Name)) << Name;
  EXPECT_TRUE(isC("a.c") && isC("a.m"));
  EXPECT_FALSE(isC("a.C") || isC("a.cpp") || isC("a.cu"));
  EXPECT_TRUE(isCuda("a.cu") && isCuda("a.cuh"));
  EXPECT_FALSE(isCuda("a.cpp"));
}

} // namespace
