//===- ExplainTest.cpp - layout questions and their answers ---------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explain.h"
#include "Drawing.h"
#include "Init.h"
#include "gmock/gmock.h"
#include <random>
#include <set>

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
  EXPECT_THAT(E.Text, HasSubstr("[0,1,:]   1  5  9"));
}

TEST(Explain, SymbolicSizes) {
  Explanation E =
      ask("[B,T,H*D] view(B,T,H,D) transpose(1,2) reshape(B,T,H*D)");
  EXPECT_FALSE(E.Failed);
  EXPECT_THAT(E.Text, HasSubstr("[T*H*D, D, H*D, 1]"));
  EXPECT_THAT(E.Text, HasSubstr("copies B*T*H*D elements"));
  // Drawn with small sizes.
  EXPECT_THAT(E.Text, HasSubstr("storage, for B=2, T=3, H=2, D=3:"));
  EXPECT_THAT(E.Svg, HasSubstr("drawn for B=2, T=3, H=2, D=3"));
  // A division is rounded down, as C++ does; a sum is one size.
  E = ask("[B, 2*H, T//4, 3] view(B, 2, H, T/4*3)");
  EXPECT_FALSE(E.Failed);
  EXPECT_THAT(E.Text, HasSubstr("[B, 2, H, 3*(T/4)]"));
  EXPECT_FALSE(ask("[B, T-1, C] view(B, (T-1)*C)").Failed);
  E = ask("[N] view(-1, 2)");
  EXPECT_TRUE(E.Failed);
  EXPECT_THAT(E.Text, HasSubstr("needs N to be a multiple of 2"));
  // With D 1 it works where H is T by chance: that is no exception.
  EXPECT_THAT(ask("[B,T,H*D] view(B,T,H,D) transpose(1,2) view(B,T,H*D)").Text,
              HasSubstr("unless T or H is 1"));
  EXPECT_THAT(ask("[B,T,H] transpose(1,2) view(B,-1)").Text,
              HasSubstr("unless T or H is 1"));
}

TEST(Explain, Spellings) {
  // One layout, asked for as libtorch, PyTorch and numpy spell it.
  for (const char *Q :
       {"{4, 6} transpose(0, 1)", "torch.zeros(4, 6).T", "[4,6] swapaxes(0,1)",
        "x = [4, 6] .t()", "[4,6] permute({1, 0})", "[4,6] np.transpose()",
        "[4,6] transpose(dim1=1, dim0=0)", "[4,6] movedim(0, 1)",
        "[4,6] permute(dims=(1, 0))", "np.transpose([4,6], (1,0))",
        "at::transpose(torch::ones({4, 6}), 0, 1)", "x=[4,6]; x.T",
        "auto x = torch::zeros({4, 6}); auto y = x.t(); y", "x[4,6].mT",
        "np.zeros((4,6)).transpose(1, 0)", "[4,6] transpose(-1, -2)"})
    EXPECT_THAT(ask(Q).Text, HasSubstr("[6, 4]")) << Q;
  EXPECT_THAT(ask("[4,6][::2, 1:4]").Text,
              HasSubstr("[2, 3]  [12, 1]  not contiguous, offset 1"));
  EXPECT_THAT(ask("[4,6][..., None, -1]").Text, HasSubstr("[4, 1]"));
  EXPECT_THAT(ask("[2,3,4,5] channels_last contiguous(ChannelsLast)").Text,
              HasSubstr("does nothing"));
  EXPECT_THAT(ask("[4,6] chunk(2, 1) [1]").Text, HasSubstr("offset 3"));
  EXPECT_THAT(ask("[4,6] chunk(2, 1)[-1]").Text, HasSubstr("offset 3"));
  EXPECT_THAT(ask("[2,3] strides [1,2] contiguous()").Text,
              HasSubstr("copies 6 elements"));
  EXPECT_THAT(ask("[2,3] strides (1,2)").Text, HasSubstr("[1, 2]"));
  EXPECT_THAT(ask("[2,3,4] flatten(end_dim=1)").Text, HasSubstr("[6, 4]"));
  EXPECT_THAT(ask("[2,3,4] flatten(start_dim=1)").Text, HasSubstr("[2, 12]"));
  EXPECT_THAT(ask("[4,5].index({Slice(), Slice(0, None, 2)})").Text,
              HasSubstr("[4, 3]  [5, 2]"));
  EXPECT_THAT(
      ask("torch.zeros(2,3,4,5, memory_format=torch.channels_last)").Text,
      HasSubstr("[60, 1, 15, 3]  channels_last"));
  EXPECT_THAT(ask("[2,3,4].view(x.size(0), x.shape[1] * x.stride(1))").Text,
              HasSubstr("[2, 12]"));
}

TEST(Explain, NamedTensors) {
  Explanation E = ask("x = [2,3,4]; y = x.transpose(1,2); y.view(2,12)");
  EXPECT_TRUE(E.Failed);
  EXPECT_THAT(E.Text, HasSubstr("cannot merge dimensions 1 and 2"));
  // A name stands for what it was given, not for the latest tensor.
  E = ask("x = [2,3]; y = x.t(); x.view(6)");
  EXPECT_FALSE(E.Failed);
  EXPECT_THAT(E.Text, HasSubstr("view(6)  [6]     [1]"));
}

TEST(Explain, Fortran) {
  EXPECT_THAT(ask("np.zeros((2,3), order='F')").Text, HasSubstr("[1, 2]"));
  EXPECT_THAT(ask("[2,3].T.ravel(order='F')").Text, HasSubstr("a view"));
  EXPECT_THAT(ask("[2,3].ravel(order='F')").Text, HasSubstr("copies 6"));
  EXPECT_THAT(ask("np.arange(6).reshape((2,3), order='F')").Text,
              HasSubstr("[2, 3]  [1, 2]"));
}

TEST(Explain, Storage) {
  // as_strided() looks at the storage, not at the sizes.
  EXPECT_FALSE(ask("[2,3] as_strided((3,2), (1,3))").Failed);
  EXPECT_THAT(ask("[2,3] as_strided((3,3), (3,1))").Text,
              HasSubstr("needs 9 elements of storage, there are 6"));
  EXPECT_FALSE(ask("[4,3] [0:1] as_strided((3,3), (3,1))").Failed);
}

TEST(Explain, Ggml) {
  Explanation E = ask("ne[64,32,8,1] ggml_permute(0,2,1,3) "
                      "ggml_reshape_2d(64*8, 32)");
  EXPECT_TRUE(E.Failed);
  EXPECT_THAT(E.Text, HasSubstr("[64, 8, 32, 1]"));
  EXPECT_THAT(E.Text, HasSubstr("aborts"));
  EXPECT_THAT(E.Text, HasSubstr("write ggml_cont before it"));
  EXPECT_THAT(E.Text, HasSubstr("needs a contiguous tensor: ne [64, 8, 32, "
                                "1], nb / type size [1, 2048, 64, 16384]"));
  EXPECT_FALSE(ask("ne[64,32] ggml_reshape_3d(8, 8, 32)").Failed);
  EXPECT_THAT(ask("ne[64,32] ggml_reshape_2d(64, 33)").Text,
              HasSubstr("ne [64, 33, 1, 1] does not fit the 2048 elements"));
  // As it is written in programs.
  for (const char *Q :
       {"ne[8,4,2] ggml_permute(0,2,1,3) ggml_cont",
        "ne[8,4,2] ggml_permute(ctx, x, 0,2,1,3) ggml_cont(ctx)",
        "ggml_cont(ctx, ggml_permute(ctx0, ne[8,4,2], 0, 2, 1, 3))",
        "x = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, 8, 4, 2); "
        "ggml_cont(ctx, ggml_permute(ctx, x, 0,2,1,3))"})
    EXPECT_THAT(ask(Q).Text, HasSubstr("[8, 2, 4, 1]  [1, 8, 16, 64]")) << Q;
  EXPECT_THAT(ask("ne[8,4,2] ggml_view_2d(ctx, x, 8, 2, x->nb[2], 0)").Text,
              HasSubstr("[8, 2, 1, 1]  [1, 32, 64, 64]"));
  EXPECT_THAT(complaint("ne[8,4] ggml_permute(0,1)"),
              HasSubstr("takes 4 numbers, not 2"));
  EXPECT_THAT(complaint("[8,4,2] ggml_cont"), HasSubstr("begins with ne"));
  EXPECT_THAT(complaint("ne[8,4] ggml_mul_mat(x)"),
              HasSubstr("no layout operation of ggml"));
}

TEST(Explain, Drawn) {
  Explanation E = ask("[2,3] t()");
  EXPECT_THAT(E.Svg, HasSubstr("<svg"));
  EXPECT_THAT(E.Svg, HasSubstr("sizes [3, 2], strides [1, 3]"));
  // 6 cells, and a step between each two of the 6 elements.
  auto Count = [](llvm::StringRef Svg, llvm::StringRef What) {
    return Svg.count(What);
  };
  EXPECT_EQ(Count(E.Svg, "<rect x="), 12u); // the matrix, and the storage
  EXPECT_EQ(Count(E.Svg, "class=\"step\""), 5u);
  EXPECT_THAT(E.Svg, HasSubstr("dimension 1: stride 3<"));
  EXPECT_THAT(E.Svg, HasSubstr("dimension 0: stride 1; its arrows go -2, "));
  // Gaps are cells as well; five dimensions are drawn, ggml's own way round.
  EXPECT_EQ(Count(ask("[5][::2]").Svg, "<rect x="), 3 + 5u);
  EXPECT_FALSE(ask("[1,2,1,2,2] permute(4,3,2,1,0)").Svg.empty());
  EXPECT_THAT(ask("ne[3,2] ggml_transpose").Svg,
              HasSubstr("ne [2, 3, 1, 1], nb / type size [3, 1, 6, 6]"));
  EXPECT_TRUE(ask("[0,3]").Svg.empty());
  // A cell stands for a gap, however long.
  EXPECT_EQ(Count(ask("[2] strides [1000000000]").Svg, "<rect x="), 2 + 3u);
  // Of a large tensor the first elements are drawn, and said to be these.
  const std::string Large = ask("[100,100]").Svg;
  EXPECT_EQ(Count(Large, "class=\"step\""), 63u);
  EXPECT_THAT(Large, HasSubstr("stands for those left out"));
  EXPECT_THAT(Large, HasSubstr("dimension 0: stride 100; its arrows go +93"));
  EXPECT_THAT(ask("[8,8]").Svg, Not(HasSubstr("stands for those left out")));
}

/// Width and height of a picture.
std::pair<double, double> extent(llvm::StringRef Svg) {
  auto Number = [&](llvm::StringRef Name) {
    double N = 0;
    EXPECT_FALSE(Svg.split(Name).second.split('"').first.getAsDouble(N));
    return N;
  };
  return {Number("width=\""), Number("height=\"")};
}

TEST(Explain, DrawnWithinBounds) {
  for (const char *Q :
       {"[64]", "[1000]", "[1000000]", "[2,2,2,2,2,2]", "[64] strides [4]",
        "[8,8] t()", "[3,1] expand(3,20)", "[100,3,224,224]",
        "[2,3,2,4] transpose(1,3)", "[1]", "[1000,2]", "[2,1000]"}) {
    const auto [Width, Height] = extent(ask(Q).Svg);
    EXPECT_LE(Width, 900) << Q;
    EXPECT_LE(Width, 3 * Height) << Q;
    EXPECT_LE(Height, 3 * Width) << Q;
  }
}

TEST(Explain, LegendSaysTheStrides) {
  std::mt19937 Random(7);
  auto Pick = [&](int64_t Least, int64_t Most) {
    return std::uniform_int_distribution<int64_t>(Least, Most)(Random);
  };
  for (unsigned Round = 0; Round < 300; ++Round) {
    Picture P;
    P.Ggml = Round % 4 == 3;
    const int64_t Rank = P.Ggml ? 4 : Pick(1, 5);
    for (int64_t D = 0; D < Rank; ++D) {
      P.L.Sizes.push_back(Pick(1, Round % 2 ? 3 : 40));
      P.L.Strides.push_back(Pick(-3, 50));
    }
    P.L.Offset = 1000;
    const std::string Svg = P.svg();
    std::set<size_t> Said;
    for (const auto &[D, Words] : P.legend()) {
      Said.insert(D);
      const auto Name =
          P.Ggml ? Rank - 1 - static_cast<int64_t>(D) : static_cast<int64_t>(D);
      const std::string Head = "dimension " + std::to_string(Name);
      const int64_t Stride = P.L.Strides[D];
      EXPECT_TRUE(llvm::StringRef(Words).starts_with(Head + ": stride " +
                                                     std::to_string(Stride)) ||
                  (Stride == 0 && llvm::StringRef(Words).starts_with(Head)))
          << Words;
      EXPECT_THAT(Svg, HasSubstr(Words));
    }
    for (size_t D = 0; D < P.L.rank(); ++D)
      EXPECT_EQ(Said.count(D) != 0, P.L.Sizes[D] > 1) << D;
  }
}

TEST(Explain, Misunderstood) {
  EXPECT_THAT(complaint(""), HasSubstr("begins with sizes"));
  EXPECT_THAT(complaint("hello"), HasSubstr("sizes of 'hello' are not given"));
  EXPECT_THAT(complaint("[2,3"), HasSubstr("expected ']'"));
  EXPECT_THAT(complaint("[2,-3]"), HasSubstr("not negative"));
  EXPECT_THAT(complaint("[2,3] frobnicate(1)"),
              HasSubstr("no layout operation"));
  EXPECT_THAT(complaint("[2,3] view(2,"), HasSubstr("expected a number"));
  EXPECT_THAT(complaint("[2,3] strides [1]"), HasSubstr("as many strides"));
  EXPECT_THAT(complaint("[99999999999999999999]"), HasSubstr("too large"));
  EXPECT_THAT(complaint("[2,3] )("), HasSubstr("expected an operation"));
  EXPECT_THAT(complaint("[4294967296,4294967296]"),
              HasSubstr("more elements than can be counted"));
  EXPECT_THAT(complaint("[2.5,3]"), HasSubstr("whole numbers"));
  EXPECT_THAT(complaint("[B/0]"), HasSubstr("divides by 0"));
  EXPECT_THAT(complaint("[2,3] transpose(1)"), HasSubstr("needs two"));
  EXPECT_THAT(complaint("[2,3] t(1)"), HasSubstr("takes no arguments"));
  EXPECT_THAT(complaint("[2,3] view(size=6, to=1)"),
              HasSubstr("no argument 'to'"));
  EXPECT_THAT(complaint("[2,3] permute(B, 0)"), HasSubstr("not names"));
  EXPECT_THAT(complaint("[2,3][0,1,2]"), HasSubstr("too many indices"));
  EXPECT_THAT(complaint("[2,3] offset -1"), HasSubstr("not negative"));
  EXPECT_THAT(complaint(std::string(5000, '(')), HasSubstr("brackets"));
  EXPECT_THAT(complaint("[" + std::string(5000, '-') + "]"),
              HasSubstr("brackets"));
  // The mark stands under the place, a column a character.
  EXPECT_THAT(complaint("[2,3 view(6)"), HasSubstr("\n  [2,3 view(6)\n"
                                                   "       ^"));
  EXPECT_THAT(complaint("[n\u00e4,\u00e9] f()"), HasSubstr("\n         ^"));
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
  // However they are written, what is there stays as it is.
  EXPECT_EQ(checks("Checks: >-\n  -*,\n  bugprone-*\n\nUser: me\n"),
            "Checks: >-\n  -*,\n  bugprone-*,\n  tensor-*\n\nUser: me\n");
  EXPECT_EQ(checks("---\nChecks: |\n  -*,\n  bugprone-*,\n...\n"),
            "---\nChecks: |\n  -*,\n  bugprone-*,\n  tensor-*\n...\n");
  EXPECT_EQ(checks("Checks: >\n  -*,\n  cert-*"),
            "Checks: >\n  -*,\n  cert-*,\n  tensor-*");
  EXPECT_EQ(checks("Checks: '-*,\n  bugprone-*,\n  '\nUser: me\n"),
            "Checks: '-*,\n  bugprone-*,tensor-*'\nUser: me\n");
  EXPECT_EQ(checks("Checks:\n  - '-*'\n  - bugprone-* # ours\nUser: me\n"),
            "Checks:\n  - '-*'\n  - bugprone-* # ours\n  - 'tensor-*'\n"
            "User: me\n");
  EXPECT_EQ(checks("Checks: ['-*', bugprone-*]\n"),
            "Checks: ['-*', bugprone-*, 'tensor-*']\n");
  EXPECT_EQ(checks("Checks: ''\n"), "Checks: 'tensor-*'\n");
  EXPECT_EQ(checks("Checks: \"-*,cert-*\"\r\nUser: me\r\n"),
            "Checks: \"-*,cert-*,tensor-*\"\r\nUser: me\r\n");
  EXPECT_EQ(checks("Checks: >\r\n  -*,\r\n  cert-*\r\n"),
            "Checks: >\r\n  -*,\r\n  cert-*,\r\n  tensor-*\r\n");
  EXPECT_EQ(checks("\xEF\xBB\xBF"
                   "Checks: '-*'\n"),
            "\xEF\xBB\xBF"
            "Checks: '-*,tensor-*'\n");
  EXPECT_THAT(checks("Checks: {a: b}\n"), HasSubstr("by hand"));
  for (const char *Text :
       {"Checks: >\n  -*,\n  cert-*\n", "Checks:\n- cert-*\n",
        "Checks: [cert-*]", "User: x"})
    EXPECT_EQ(checks(checks(Text)), checks(Text)) << "twice: " << Text;
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
  auto Dos = withLooseFilter("CompileFlags:\r\n  Add: [-Wall]\r\n");
  ASSERT_TRUE(bool(Dos));
  EXPECT_EQ(llvm::StringRef(*Dos).count('\n'),
            llvm::StringRef(*Dos).count("\r\n"));
}

} // namespace
