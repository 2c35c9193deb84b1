//===- ExplainTest.cpp - layout questions and their answers ---------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explain.h"
#include "Init.h"
#include "gmock/gmock.h"

using namespace tensortidy::tool;
using testing::HasSubstr;
using testing::Not;

namespace {

Explanation ask(llvm::StringRef Question) {
  auto E = explain(Question);
  EXPECT_TRUE(bool(E)) << Question.str();
  if (!E) {
    ADD_FAILURE() << llvm::toString(E.takeError());
    return {};
  }
  return std::move(*E);
}

std::string complaint(llvm::StringRef Question) {
  auto E = explain(Question);
  if (E)
    return "understood: " + E->Text;
  return llvm::toString(E.takeError());
}

TEST(Explain, ViewOfPermuted) {
  Explanation E = ask("[2,3,4] permute(0,2,1) view(2,-1)");
  EXPECT_TRUE(E.Failed);
  EXPECT_THAT(E.Text, HasSubstr("[2, 4, 3]  [12, 1, 4]  not contiguous"));
  EXPECT_THAT(E.Text, HasSubstr("cannot merge dimensions 1 and 2"));
  EXPECT_THAT(E.Text, HasSubstr("reshape(2,-1): copies 24 elements"));
  // The second row of the grid is the second row of the permuted tensor.
  EXPECT_THAT(E.Text, HasSubstr("[0,1,:]     1  5  9"));
}

TEST(Explain, SymbolicSizes) {
  Explanation E =
      ask("[B,T,H*D] view(B,T,H,D) transpose(1,2) reshape(B,T,H*D)");
  EXPECT_FALSE(E.Failed);
  EXPECT_THAT(E.Text, HasSubstr("[T*H*D, D, H*D, 1]"));
  EXPECT_THAT(E.Text, HasSubstr("copies B*T*H*D elements"));
  EXPECT_TRUE(E.Svg.empty());
  // A division with a remainder is nobody's size.
  EXPECT_THAT(complaint("[B,T/2]"), HasSubstr("not exact"));
}

TEST(Explain, Spellings) {
  // One layout, asked for as libtorch, PyTorch and numpy spell it.
  for (const char *Q :
       {"{4, 6} transpose(0, 1)", "torch.zeros(4, 6).T", "[4,6] swapaxes(0,1)",
        "x = [4, 6] .t()", "[4,6] permute({1, 0})", "[4,6] np.transpose()",
        "[4,6] transpose(dim0=0, dim1=1)", "[4,6] movedim(0, 1)"})
    EXPECT_THAT(ask(Q).Text, HasSubstr("[6, 4]")) << Q;
  EXPECT_THAT(ask("[4,6][::2, 1:4]").Text,
              HasSubstr("[2, 3]  [12, 1]  not contiguous, offset 1"));
  EXPECT_THAT(ask("[4,6][..., None, -1]").Text, HasSubstr("[4, 1]"));
  EXPECT_THAT(ask("[2,3,4,5] channels_last contiguous(ChannelsLast)").Text,
              HasSubstr("does nothing"));
  EXPECT_THAT(ask("[4,6] chunk(2, 1) [1]").Text, HasSubstr("offset 3"));
  EXPECT_THAT(ask("[2,3] strides [1,2] contiguous()").Text,
              HasSubstr("copies 6 elements"));
}

TEST(Explain, Ggml) {
  Explanation E = ask("ne[64,32,8,1] ggml_permute(0,2,1,3) "
                      "ggml_reshape_2d(64*8, 32)");
  EXPECT_TRUE(E.Failed);
  EXPECT_THAT(E.Text, HasSubstr("[64, 8, 32, 1]"));
  EXPECT_THAT(E.Text, HasSubstr("aborts"));
  EXPECT_THAT(E.Text, HasSubstr("write ggml_cont before it"));
  EXPECT_FALSE(ask("ne[64,32] ggml_reshape_3d(8, 8, 32)").Failed);
}

TEST(Explain, Drawn) {
  Explanation E = ask("[2,3] t()");
  EXPECT_THAT(E.Svg, HasSubstr("<svg"));
  EXPECT_THAT(E.Svg, HasSubstr("sizes [3, 2], strides [1, 3]"));
  // 6 cells, and a step between each two of the 6 elements.
  size_t Cells = 0, Steps = 0;
  for (size_t At = 0; (At = E.Svg.find("<rect x=", At)) != std::string::npos;
       ++At)
    ++Cells;
  for (size_t At = 0; (At = E.Svg.find("<path d=\"M", At)) != std::string::npos;
       ++At)
    Steps += E.Svg[At + 10] != '0';
  EXPECT_EQ(Cells, 6u);
  EXPECT_EQ(Steps, 5u);
  EXPECT_TRUE(ask("[100,100]").Svg.empty());
}

TEST(Explain, Misunderstood) {
  EXPECT_THAT(complaint(""), HasSubstr("begins with sizes"));
  EXPECT_THAT(complaint("hello"), HasSubstr("begins with sizes"));
  EXPECT_THAT(complaint("[2,3"), HasSubstr("expected ']'"));
  EXPECT_THAT(complaint("[2,-3]"), HasSubstr("not negative"));
  EXPECT_THAT(complaint("[2,3] frobnicate(1)"),
              HasSubstr("no layout operation"));
  EXPECT_THAT(complaint("[2,3] view(2,"), HasSubstr("expected a number"));
  EXPECT_THAT(complaint("[2,3] strides [1]"), HasSubstr("as many strides"));
  EXPECT_THAT(complaint("[99999999999999999999]"), HasSubstr("too large"));
  EXPECT_THAT(complaint("[2,3] )("), HasSubstr("expected an operation"));
}

std::string checks(llvm::StringRef Text) {
  auto R = withChecks(Text);
  return R ? *R : "error: " + llvm::toString(R.takeError());
}

TEST(Init, KeepsWhatIsThere) {
  EXPECT_EQ(checks(""), "Checks: '-*,tensor-*'\n");
  EXPECT_EQ(checks("Checks: '-*,bugprone-*'\nHeaderFilterRegex: 'x'\n"),
            "Checks: '-*,bugprone-*,tensor-*'\nHeaderFilterRegex: 'x'\n");
  EXPECT_EQ(checks("Checks: bugprone-*, # ours\nUser: me\n"),
            "Checks: 'bugprone-*,tensor-*' # ours\nUser: me\n");
  EXPECT_EQ(checks("HeaderFilterRegex: 'x'"),
            "HeaderFilterRegex: 'x'\nChecks: 'tensor-*'\n");
  // Twice is once; someone who named a check has chosen.
  EXPECT_EQ(checks("Checks: '-*,tensor-*'\n"), "Checks: '-*,tensor-*'\n");
  EXPECT_EQ(checks("Checks: >\n  -*,\n  tensor-shape-*\n"),
            "Checks: >\n  -*,\n  tensor-shape-*\n");
  EXPECT_THAT(checks("Checks: >\n  -*,\n  bugprone-*\n"), HasSubstr("by hand"));
  EXPECT_THAT(checks("[1, 2]"), HasSubstr("not a mapping"));
  EXPECT_THAT(checks("Checks: 'open\n"), HasSubstr("error: "));
}

TEST(Init, LooseFilter) {
  auto Fresh = withLooseFilter("");
  ASSERT_TRUE(bool(Fresh));
  EXPECT_THAT(*Fresh, HasSubstr("FastCheckFilter: Loose"));
  EXPECT_THAT(*Fresh, Not(HasSubstr("---")));
  auto Again = withLooseFilter(*Fresh);
  ASSERT_TRUE(bool(Again));
  EXPECT_EQ(*Again, *Fresh);
  auto Beside = withLooseFilter("CompileFlags:\n  Add: [-Wall]\n");
  ASSERT_TRUE(bool(Beside));
  EXPECT_THAT(*Beside,
              testing::StartsWith("CompileFlags:\n  Add: [-Wall]\n---\n"));
}

} // namespace
