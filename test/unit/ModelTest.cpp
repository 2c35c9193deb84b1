//===- ModelTest.cpp - what the shipped models cover ----------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Frontend.h"
#include "Models/ApiModel.h"
#include "Models/ModelFiles.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace tensortidy;
using namespace tensortidy::models;

/// Whether a call by this name can have a determined result.
static bool isModelled(llvm::StringRef Name, bool IsMethod) {
  const ApiModel &Model = builtinModel();
  for (const Api *A : Model.named(Name))
    if ((A->Form == ApiForm::Both ||
         (A->Form == ApiForm::Method) == IsMethod) &&
        !program::leavesLayoutOpen(A->O))
      return true;
  program::Op BySuffix;
  return Model.named(Name).empty() && Model.findSuffix(Name, BySuffix);
}

TEST(Model, FrequentCallsHaveAMeaningOrAReason) {
  auto File =
      llvm::MemoryBuffer::getFile(TENSORTIDY_TESTS "/models/frequent.txt");
  ASSERT_TRUE(File);
  llvm::SmallVector<llvm::StringRef, 0> Rows;
  (*File)->getBuffer().split(Rows, '\n', -1, false);
  unsigned Calls = 0;
  for (llvm::StringRef Row : Rows) {
    if (Row.starts_with("#"))
      continue;
    auto [Name, Rest] = Row.split(' ');
    auto [Kind, Reason] = Rest.split(' ');
    ASSERT_TRUE(Kind == "method" || Kind == "function") << Row.str();
    ++Calls;
    if (isModelled(Name, Kind == "method"))
      EXPECT_EQ(Reason, "") << Name.str() << " is modelled";
    else
      EXPECT_NE(Reason, "") << Name.str() << " is not modelled, nor says why";
  }
  EXPECT_GT(Calls, 250u);
}

TEST(Model, CodesSayWhatPixelsAre) {
  const ImageApi *Images = builtinModel().images("cv::Mat::create");
  ASSERT_NE(Images, nullptr);
  EXPECT_EQ(builtinModel().images("cvx::Mat"), nullptr);
  auto Decoded = [&](llvm::StringRef Parameter, int64_t Code) -> std::string {
    for (const ImageCode &C : Images->Codes)
      if (llvm::is_contained(C.Parameters, Parameter))
        if (const auto Is = C.decode(Code))
          return Is->Element + "*" + std::to_string(Is->Channels);
    return "";
  };
  EXPECT_EQ(Decoded("type", 16), "uint8*3");   // CV_8UC3
  EXPECT_EQ(Decoded("rtype", 5), "float32*1"); // CV_32F
  EXPECT_EQ(Decoded("type", -1), "");          // as it is
  EXPECT_EQ(Decoded("code", 6), "*1");         // COLOR_BGR2GRAY
  EXPECT_EQ(Decoded("code", 12), "");
  EXPECT_EQ(Images->operandOf("cols"), "columns");
  EXPECT_EQ(Images->operandOf("thresh"), "");
  ImageCode::Range R;
  EXPECT_EQ(parseCode("6-7=int8", R), "");
  EXPECT_EQ(R.Is.Element, "int8");
  EXPECT_EQ(R.Is.Channels, 0u);
  for (const char *Bad : {"", "=3", "6=", "a=3", "6=uint8*", "6=uint8*x"})
    EXPECT_NE(parseCode(Bad, R), "") << Bad;
}

TEST(Model, HeadersAreWholeComponentsOfTheNameInAnInclude) {
  const ApiModel &Shipped = builtinModel();
  for (const char *Header :
       {"ATen/ATen.h", "torch/csrc/api/include/torch/all.h", "c10/a/b.h",
        "tensortidy/aten.h"})
    EXPECT_TRUE(Shipped.isLibraryHeader(Header)) << Header;
  for (const char *Header : {"", "ATen.h", "ATenX/ATen.h", "my/ATen/ATen.h",
                             "/usr/include/ATen/ATen.h", "vector"})
    EXPECT_FALSE(Shipped.isLibraryHeader(Header)) << Header;

  auto Own = ApiModel::parse("version: 1\nheaders: [mat.h, big/lib/]\n", "m");
  ASSERT_TRUE(bool(Own));
  EXPECT_TRUE(Own->isLibraryHeader("mat.h"));
  EXPECT_TRUE(Own->isLibraryHeader("big/lib/x/y.h"));
  EXPECT_FALSE(Own->isLibraryHeader("big/other.h"));
}

TEST(Model, AHeaderThatNoIncludeCanNameIsAnError) {
  for (const char *Header : {"/usr/include", "../x", "a//b", "'*.h'", "''"}) {
    auto M = ApiModel::parse(
        "version: 1\nheaders: [" + std::string(Header) + "]\n", "m.yaml");
    ASSERT_FALSE(bool(M)) << Header;
    EXPECT_NE(llvm::toString(M.takeError()).find("m.yaml:2:11: expected a"),
              std::string::npos)
        << Header;
  }
}

namespace {

using program::Attribute;

/// The model that \p Text is.
ApiModel model(llvm::StringRef Text) {
  auto Own = ApiModel::parse(Text, "user.yaml", ModelOwner::User);
  if (!Own) {
    ADD_FAILURE() << llvm::toString(Own.takeError());
    return {};
  }
  return std::move(*Own);
}

} // namespace

TEST(Model, AttributesGoOverToTheFormsOfAName) {
  const ApiModel &Shipped = builtinModel();
  for (const char *Name : {"add", "add_", "add_out", "add_outf", "+="})
    EXPECT_TRUE(Shipped.attributes(Name, true).has(Attribute::TypeCommon))
        << Name;
  // What is kept for the gradient does not.
  EXPECT_TRUE(Shipped.attributes("relu", true).has(Attribute::SavesResult));
  EXPECT_FALSE(Shipped.attributes("relu_", true).has(Attribute::SavesResult));
  EXPECT_TRUE(Shipped.attributes("relu_", true).has(Attribute::Elementwise));
}

TEST(Model, AttributesAreOfOperationsOrOfOtherCalls) {
  const ApiModel &Shipped = builtinModel();
  EXPECT_TRUE(Shipped.attributes("max", true).has(Attribute::TypeCommon));
  EXPECT_FALSE(Shipped.attributes("max", false).has(Attribute::TypeCommon));
  EXPECT_TRUE(Shipped.attributes("max", false).has(Attribute::Pure));
  EXPECT_FALSE(Shipped.attributes("max", true).has(Attribute::Pure));
  EXPECT_TRUE(Shipped.attributes("cond_WaitFor", false).has(Attribute::Waits));
}

TEST(Model, AUsersAttributesAreForTheNameAsItIsWritten) {
  const ApiModel M = model("version: 1\nattributes:\n"
                           "  - { names: [my::drop, release], has: [frees] }\n"
                           "  - { like: ['*Later'], has: [waits] }\n");
  EXPECT_TRUE(M.attributes("release", false).has(Attribute::Frees));
  EXPECT_FALSE(M.attributes("drop", false).has(Attribute::Frees));
  EXPECT_TRUE(M.attributesOf("my::drop", false).has(Attribute::Frees));
  EXPECT_TRUE(M.attributes("runLater", false).has(Attribute::Waits));
  EXPECT_FALSE(M.attributes("runLaterOn", false).has(Attribute::Waits));
}

TEST(Model, TheFirstModuleThatHoldsIsAskedFirst) {
  const ApiModel M = model("version: 1\nmodules:\n"
                           "  - { op: unary, names: [my::Act], alone: true }\n"
                           "  - { op: same_sizes, names: [my::Act] }\n");
  const auto Found = M.modules("my::Act");
  ASSERT_EQ(Found.size(), 2u);
  EXPECT_EQ(Found[0]->O, program::Op::Unary);
  EXPECT_TRUE(Found[0]->Alone);
  EXPECT_TRUE(M.modules("my::Other").empty());
  const auto Conv = builtinModel().modules("torch::nn::Conv2d");
  ASSERT_EQ(Conv.size(), 1u);
  ASSERT_EQ(Conv[0]->Weight.size(), 3u);
  EXPECT_EQ(Conv[0]->Weight[1].DividedBy, "groups");
  EXPECT_EQ(Conv[0]->Weight[2].Times, 2u);
}
