//===- AdviceTest.cpp - what to do about an error of the set-up -----------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Advice.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tensortidy::tool;
using clang::tooling::CompileCommand;
using testing::HasSubstr;

namespace {

TEST(Advice, MissingHeader) {
  EXPECT_EQ(missingHeader("'torch/torch.h' file not found"), "torch/torch.h");
  EXPECT_EQ(missingHeader("unknown type name 'Tensor'"), "");
}

TEST(Advice, OneForEachLibrary) {
  EXPECT_THAT(adviceOnHeader("Python.h", {}), HasSubstr("python3-dev"));
  const std::string Torch = adviceOnHeader("torch/torch.h", {});
  EXPECT_THAT(Torch, HasSubstr("libtorch-dev"));
  for (const char *Same : {"ATen/ATen.h", "torch/extension.h",
                           "c10/cuda/impl/cuda_cmake_macros.h"})
    EXPECT_EQ(adviceOnHeader(Same, {}), Torch) << Same;
  EXPECT_THAT(adviceOnHeader("pybind11/pybind11.h", {}),
              HasSubstr("pybind11-dev"));
  EXPECT_THAT(adviceOnHeader("cuda_runtime.h", {}), HasSubstr("CUDA_HOME"));
  EXPECT_THAT(adviceOnHeader("ggml.h", {}), HasSubstr("libggml-dev"));
  EXPECT_THAT(adviceOnHeader("vector", {}), HasSubstr("g++"));
}

TEST(Advice, NothingAboutTheUsersOwn) {
  for (const char *Header : {"cuda_utils.h", "cuda/utils.h", "my/torch.h",
                             "vectors", "custom.h", "std_utils.h"})
    EXPECT_EQ(adviceOnHeader(Header, {}), "") << Header;
}

TEST(Advice, LibtorchThatIsHere) {
  const std::string Here = TENSORTIDY_TESTS "/../runtime/include";
  EXPECT_EQ(adviceOnHeader("tensortidy/torch.h", {"-isystem", Here}),
            "give -isystem " + Here);
  EXPECT_THAT(adviceOnHeader("torch/torch.h", {"-isystem", Here}),
              HasSubstr("libtorch-dev"));
}

CompileCommand command(std::string Directory, std::vector<std::string> Words) {
  Words.insert(Words.begin(), "c++");
  return CompileCommand(Directory, "a.cpp", std::move(Words), "a.o");
}

TEST(Advice, CommandsOfAnotherMachine) {
  const std::string Here = TENSORTIDY_TESTS;
  EXPECT_EQ(absentDirectory({command(Here, {})}), "");
  EXPECT_EQ(absentDirectory({command(Here, {}), command("/nowhere/b", {})}),
            "/nowhere/b");

  EXPECT_EQ(absentIncludes({command(Here, {"-I/nowhere/a", "-I" + Here})}), "");
  EXPECT_EQ(
      absentIncludes({command(Here, {"-Ia", "-I", "/nowhere/a", "-isystem",
                                     "/nowhere/b", "-I" + Here})}),
      "/nowhere/a");
  EXPECT_EQ(absentIncludes({command(Here, {"-Irelative", "-c", "a.cpp"})}), "");
}

} // namespace
