//===- Operations.cpp - values and layouts of operations ------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <cmath>
#include <gtest/gtest.h>
#include <tensortidy/memory.h>
#include <tensortidy/torch.h>
#include <vector>

using at::IntArrayRef;
using at::MemoryFormat;
using at::Tensor;
using Numbers = std::vector<double>;
using Sizes = std::vector<int64_t>;

namespace {

Numbers values(const Tensor &X) {
  const Tensor Flat = X.to(at::kDouble).contiguous().view(-1);
  const auto *P = Flat.data_ptr<double>();
  return Numbers(P, P + Flat.numel());
}
Sizes sizes(const Tensor &X) { return X.sizes().vec(); }
Sizes strides(const Tensor &X) { return X.strides().vec(); }
Tensor count(IntArrayRef S, at::ScalarType T = at::kFloat) {
  int64_t N = 1;
  for (int64_t D : S)
    N *= D;
  return torch::arange(N, T).view(S);
}
void expectClose(const Tensor &A, const Tensor &B) {
  ASSERT_EQ(sizes(A), sizes(B));
  EXPECT_TRUE(A.allclose(B, 1e-5, 1e-5)) << A << "\n" << B;
}

//===--- factories ----------------------------------------------------------===//

TEST(Factories, Values) {
  EXPECT_EQ(values(torch::linspace(0, 1, 5)), (Numbers{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(values(torch::eye(2, 3)), (Numbers{1, 0, 0, 0, 1, 0}));
  EXPECT_EQ(values(torch::arange(5, 0, -2)), (Numbers{5, 3, 1}));
  EXPECT_EQ(torch::full({2}, 3).scalar_type(), at::kLong);
  EXPECT_EQ(torch::tensor({{1, 2}, {3, 4}}).scalar_type(), at::kLong);
  EXPECT_EQ(torch::tensor({1.5, 2.0}).scalar_type(), at::kFloat);
}
TEST(Factories, SeededNumbersRepeat) {
  for (int K = 0; K < 2; ++K) {
    torch::manual_seed(7);
    const auto A = torch::rand({3, 4}), B = torch::randn(5),
               C = torch::randint(2, 9, 6), D = torch::randperm(8);
    static Tensor Before[4];
    if (K == 0) {
      Before[0] = A, Before[1] = B, Before[2] = C, Before[3] = D;
      EXPECT_TRUE(A.ge(0).all().item<bool>() && A.lt(1).all().item<bool>());
      EXPECT_TRUE(C.ge(2).all().item<bool>() && C.lt(9).all().item<bool>());
      EXPECT_EQ(values(std::get<0>(D.sort())), values(torch::arange(8)));
    } else {
      EXPECT_TRUE(A.equal(Before[0]) && B.equal(Before[1]));
      EXPECT_TRUE(C.equal(Before[2]) && D.equal(Before[3]));
    }
  }
}

//===--- joining, cutting, picking ------------------------------------------===//

TEST(Picking, Topk) {
  const auto X = torch::tensor({{3, 1, 2}, {4, 6, 5}});
  auto [V, I] = X.topk(2);
  EXPECT_EQ(values(V), (Numbers{3, 2, 6, 5}));
  EXPECT_EQ(values(I), (Numbers{0, 2, 1, 2}));
  EXPECT_EQ(values(std::get<0>(X.topk(1, 0, false))), (Numbers{3, 1, 2}));
  EXPECT_TRUE(std::get<0>(X.t().topk(2, 0)).is_contiguous());
  EXPECT_THROW(X.topk(4), at::Error);
}
TEST(Picking, ScatterAndFill) {
  auto X = torch::zeros({2, 3});
  const auto I = torch::tensor({{0, 2}, {1, 1}});
  X.scatter_add_(1, I, torch::tensor({{1., 2.}, {3., 4.}}));
  EXPECT_EQ(values(X), (Numbers{1, 0, 2, 0, 7, 0}));
  EXPECT_EQ(values(X.index_fill(1, torch::tensor({-1}), 9)), (Numbers{1, 0, 9, 0, 7, 9}));
  EXPECT_EQ(values(torch::zeros({3, 2}).fill_diagonal_(5)), (Numbers{5, 0, 0, 5, 0, 0}));
  EXPECT_EQ(values(torch::zeros({4, 2}).fill_diagonal_(5, true)), (Numbers{5, 0, 0, 5, 0, 0, 5, 0}));
  EXPECT_EQ(values(X.index_put({torch::tensor({1})}, torch::ones({3}))), (Numbers{1, 0, 2, 1, 1, 1}));
  EXPECT_EQ(values(X), (Numbers{1, 0, 2, 0, 7, 0}));
}
TEST(Picking, RepeatsAndTurns) {
  const auto X = count({2, 3});
  EXPECT_EQ(values(torch::tensor({1, 2}).repeat_interleave(torch::tensor({3, 1}))), (Numbers{1, 1, 1, 2}));
  EXPECT_EQ(values(X.rot90()), (Numbers{2, 5, 1, 4, 0, 3}));
  EXPECT_EQ(values(X.rot90(-1)), (Numbers{3, 0, 4, 1, 5, 2}));
  EXPECT_EQ(values(X.rot90(2)), (Numbers{5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(values(X.fliplr()), (Numbers{2, 1, 0, 5, 4, 3}));
  EXPECT_EQ(values(X.flipud()), (Numbers{3, 4, 5, 0, 1, 2}));
  EXPECT_EQ(sizes(count({2, 6}).hsplit(3)[1]), (Sizes{2, 2}));
  EXPECT_THROW(count({2, 4}).hsplit(3), at::Error);
  EXPECT_EQ(sizes(torch::hstack({X, X})), (Sizes{2, 6}));
  EXPECT_EQ(sizes(torch::vstack({torch::ones(3), torch::ones(3)})), (Sizes{2, 3}));
  EXPECT_TRUE(torch::atleast_1d(X).is_same(X));
  EXPECT_EQ(sizes(torch::atleast_3d(X)), (Sizes{2, 3, 1}));
}

//===--- into out -----------------------------------------------------------===//

TEST(Out, KeepsItsStridesOrIsResized) {
  const auto A = count({2, 3}), B = torch::ones({2, 3});
  Tensor Out = torch::zeros({3, 2}).t();
  torch::add_out(Out, A, B, 2);
  EXPECT_EQ(strides(Out), (Sizes{1, 2}));
  EXPECT_EQ(values(Out), (Numbers{2, 3, 4, 5, 6, 7}));
  Tensor Small = torch::empty({0});
  torch::mul_out(Small, A.t(), B.t());
  EXPECT_EQ(sizes(Small), (Sizes{3, 2}));
  EXPECT_EQ(strides(Small), (Sizes{1, 3}));
  torch::exp_out(Out, torch::zeros({2, 3}));
  EXPECT_EQ(values(Out), (Numbers{1, 1, 1, 1, 1, 1}));
  torch::matmul_out(Small, A, B.t());
  EXPECT_EQ(values(Small), (Numbers{3, 3, 12, 12}));
  Tensor Whole = torch::zeros({2, 3}, at::kInt);
  EXPECT_THROW(torch::div_out(Whole, A, B), at::Error);
  EXPECT_THROW(torch::mm_out(Whole, A, B.t()), at::Error);
  Tensor Wide = torch::zeros({1}).expand({2, 3});
  EXPECT_THROW(torch::add_out(Wide, A, B), at::Error);
}

TEST(Out, ComputedInPlaceOrNotAtAll) {
  auto out = torch::zeros({64, 64}), x = torch::ones({64, 64}),
       y = torch::full({64, 64}, 2.0f);
  tensortidy::reset_peak_memory_stats();
  const size_t Before = tensortidy::max_memory_allocated();
  torch::add_out(out, x, y);
  EXPECT_EQ(out.sum().item<float>(), 3 * 64 * 64);
  EXPECT_LT(tensortidy::max_memory_allocated(), Before + out.nbytes());
  // Operands that are out itself are read before.
  torch::add_out(x, x, x, 2);
  EXPECT_EQ(x[5][7].item<float>(), 3);
  // What is computed on the way to a smaller result is not written into out.
  auto bools = torch::ones({2, 3}, torch::kBool), seen = bools.view({6});
  torch::masked_select_out(bools, torch::zeros({2, 3}, torch::kBool),
                           torch::tensor({1, 0, 0, 0, 0, 0}).view({2, 3}).gt(0));
  EXPECT_EQ(bools.numel(), 1);
  EXPECT_EQ(seen.sum().item<int64_t>(), 5);
}

//===--- products -----------------------------------------------------------===//

/// The sum of products, element by element.
Tensor slowProduct(const Tensor &A, const Tensor &B) {
  Tensor R = torch::zeros({A.size(0), B.size(1)}, A.scalar_type());
  for (int64_t I = 0; I < A.size(0); ++I)
    for (int64_t J = 0; J < B.size(1); ++J)
      R[I][J] = A[I].mul(B.select(1, J)).sum();
  return R;
}
TEST(Products, EveryLayoutOfOperands) {
  for (auto T : {at::kFloat, at::kDouble, at::kLong}) {
    const Tensor Of[] = {count({3, 4}, T), count({4, 3}, T).t(),
                         count({6, 8}, T).slice(0, 0, 6, 2).slice(1, 0, 8, 2),
                         count({3, 9}, T).narrow(1, 2, 4),
                         count({1, 4}, T).expand({3, 4}),
                         count({4, 3, 2}, T).permute({1, 0, 2}).select(2, 1)};
    for (const Tensor &A : Of)
      for (const Tensor &B : Of)
        EXPECT_TRUE(A.mm(B.t()).equal(slowProduct(A, B.t()))) << A.strides() << B.strides();
  }
  const auto One = count({1, 3}), Column = count({3, 1});
  EXPECT_EQ(values(One.mm(Column)), Numbers{5});
  EXPECT_EQ(values(Column.mm(One).sum()), Numbers{9});
  EXPECT_EQ(values(torch::ones({2, 0}).mm(torch::ones({0, 2}))), (Numbers{0, 0, 0, 0}));
}
TEST(Products, Einsum) {
  const auto A = count({2, 3, 4}), B = count({2, 4, 5}), M = count({3, 3});
  EXPECT_TRUE(torch::einsum("bij,bjk->bik", {A, B}).equal(A.bmm(B)));
  EXPECT_TRUE(torch::einsum("bij,bkj->bik", {A, A}).equal(A.bmm(A.mT())));
  EXPECT_TRUE(torch::einsum("ij->ji", {M}).is_alias_of(M));
  EXPECT_EQ(values(torch::einsum("ii", {M})), Numbers{12});
  EXPECT_EQ(values(torch::einsum("ii->i", {M})), (Numbers{0, 4, 8}));
  EXPECT_EQ(values(torch::einsum("ij->i", {M})), (Numbers{3, 12, 21}));
  EXPECT_EQ(values(torch::einsum("i,j->ij", {count({2}), count({2})})), (Numbers{0, 0, 0, 1}));
  EXPECT_EQ(strides(torch::einsum("ij,jk->ki", {M, M})), (Sizes{1, 3}));
  EXPECT_TRUE(torch::einsum("ij,jk,kl->il", {M, M, M}).equal(M.mm(M).mm(M)));
  EXPECT_TRUE(torch::tensordot(A, B, {2}, {1}).select(2, 1).equal(A.matmul(B[1])));
  EXPECT_THROW(torch::einsum("ij,jk->ik", {M, count({4, 3})}), at::Error);
  EXPECT_THROW(torch::einsum("ij->ijj", {M}), at::Error);
  EXPECT_THROW(torch::einsum("ij", {A}), at::Error);
}

//===--- networks -----------------------------------------------------------===//

/// conv2d by its definition.
Tensor slowConvolution(const Tensor &X, const Tensor &W, int64_t Stride,
                       int64_t Pad, int64_t Dilation, int64_t Groups) {
  const int64_t H = (X.size(2) + 2 * Pad - Dilation * (W.size(2) - 1) - 1) / Stride + 1;
  const int64_t V = (X.size(3) + 2 * Pad - Dilation * (W.size(3) - 1) - 1) / Stride + 1;
  Tensor R = torch::zeros({X.size(0), W.size(0), H, V});
  const int64_t Outs = W.size(0) / Groups;
  for (int64_t N = 0; N < X.size(0); ++N)
    for (int64_t O = 0; O < W.size(0); ++O)
      for (int64_t Y = 0; Y < H; ++Y)
        for (int64_t Z = 0; Z < V; ++Z) {
          double Sum = 0;
          for (int64_t C = 0; C < W.size(1); ++C)
            for (int64_t I = 0; I < W.size(2); ++I)
              for (int64_t J = 0; J < W.size(3); ++J) {
                const int64_t AtY = Y * Stride - Pad + I * Dilation, AtX = Z * Stride - Pad + J * Dilation;
                if (AtY >= 0 && AtY < X.size(2) && AtX >= 0 && AtX < X.size(3))
                  Sum += X[N][O / Outs * W.size(1) + C][AtY][AtX].item<double>() * W[O][C][I][J].item<double>();
              }
          R[N][O][Y][Z] = torch::tensor(Sum);
        }
  return R;
}
TEST(Networks, Conv2d) {
  torch::manual_seed(1);
  const auto X = torch::randn({2, 4, 6, 5});
  for (int64_t Groups : {1, 2})
    for (int64_t Stride : {1, 2})
      for (int64_t Pad : {0, 1})
        for (int64_t Dilation : {1, 2}) {
          const auto W = torch::randn({6, 4 / Groups, 3, 2});
          const auto R = torch::conv2d(X, W, {}, Stride, Pad, Dilation, Groups);
          expectClose(R, slowConvolution(X, W, Stride, Pad, Dilation, Groups));
          const auto L = torch::conv2d(X.contiguous(MemoryFormat::ChannelsLast), W, {}, Stride, Pad, Dilation, Groups);
          expectClose(L, R);
          EXPECT_TRUE(L.is_contiguous(MemoryFormat::ChannelsLast));
        }
  const auto W = torch::randn({3, 4, 1, 1});
  const auto B = torch::ones(3);
  expectClose(torch::conv2d(X, W, B), torch::conv2d(X, W) + 1);
  EXPECT_EQ(torch::conv2d(X[0], W).dim(), 3);
  EXPECT_THROW(torch::conv2d(X, torch::ones({3, 3, 1, 1})), at::Error);
  EXPECT_THROW(torch::conv2d(X, torch::ones({3, 4, 7, 7})), at::Error);
  EXPECT_THROW(torch::conv2d(X, W, torch::ones(4)), at::Error);
  const auto S = torch::conv1d(X[0], torch::ones({2, 6, 3}).narrow(1, 0, 6));
  EXPECT_EQ(sizes(S), (Sizes{4, 2, 3}));
}
TEST(Networks, PoolsOfVolumes) {
  const auto X = count({1, 1, 2, 2, 4});
  EXPECT_EQ(values(torch::max_pool3d(X, 2)), (Numbers{13, 15}));
  EXPECT_EQ(values(torch::avg_pool3d(X, 2)), (Numbers{6.5, 8.5}));
  EXPECT_EQ(values(torch::avg_pool3d(X, {1, 2, 2}, {1, 2, 2}, 0, false, true, 2)),
            (Numbers{5, 9, 21, 25}));
  EXPECT_EQ(values(torch::adaptive_avg_pool3d(X, {2, 1, 1})), (Numbers{3.5, 11.5}));
  EXPECT_EQ(sizes(torch::max_pool3d(X[0], 2)), (Sizes{1, 1, 1, 2}));
  EXPECT_THROW(torch::max_pool3d(X, 3), at::Error);
  EXPECT_THROW(torch::max_pool3d(X, {2, 2}), at::Error);
  // Windows of avg_pool3d must fit into what is not padding.
  EXPECT_EQ(sizes(torch::max_pool3d(X, 3, 1, 1)), (Sizes{1, 1, 2, 2, 4}));
  EXPECT_THROW(torch::avg_pool3d(X, 3, 1, 1), at::Error);
}
TEST(Networks, PlacesOfMaxima) {
  const auto X = count({1, 2, 4, 4});
  const auto [Most, Where] = torch::max_pool2d_with_indices(X, 2);
  EXPECT_EQ(values(Where), (Numbers{5, 7, 13, 15, 5, 7, 13, 15}));
  EXPECT_TRUE(X.flatten(2).gather(2, Where.flatten(2)).view_as(Most).equal(Most));
  // The first of equal ones, also where nothing is greater than -infinity.
  EXPECT_EQ(values(std::get<1>(torch::max_pool2d_with_indices(torch::full({1, 2, 4}, -INFINITY), 2))),
            (Numbers{0, 2}));
  const auto V = count({1, 1, 2, 2, 4});
  EXPECT_EQ(values(std::get<1>(torch::max_pool3d_with_indices(V, 2))), (Numbers{13, 15}));
}
/// Spreading a kernel is what a convolution with the same weights gathers, the
/// other way round: <conv(x), y> = <x, conv_transpose(y)>.
TEST(Networks, TransposedConvolutionsOfVolumes) {
  for (const int64_t Stride : {1, 2})
    for (const int64_t Pad : {0, 1}) {
      const auto X = torch::rand({2, 2, 5, 5, 3}), W = torch::rand({3, 2, 3, 1, 3});
      const auto Y = torch::rand_like(torch::conv3d(X, W, {}, Stride, {Pad, 0, Pad}));
      std::vector<int64_t> More;
      for (int64_t D = 2; D < 5; ++D)
        More.push_back((X.size(D) + 2 * (D == 3 ? 0 : Pad) - W.size(D)) % Stride);
      const auto Z = torch::conv_transpose3d(Y, W, {}, Stride, {Pad, 0, Pad}, More);
      ASSERT_EQ(sizes(Z), sizes(X));
      EXPECT_NEAR((torch::conv3d(X, W, {}, Stride, {Pad, 0, Pad}) * Y).sum().item<double>(),
                  (X * Z).sum().item<double>(), 1e-2);
    }
  const auto One = torch::ones({2, 2, 2, 2});
  EXPECT_EQ(sizes(torch::conv_transpose3d(One, torch::ones({2, 1, 2, 2, 2}), torch::ones(2), 2, 0, 1, 2)),
            (Sizes{2, 5, 5, 5}));
  EXPECT_THROW(torch::conv_transpose3d(One, torch::ones({3, 1, 2, 2, 2})), at::Error);
  EXPECT_THROW(torch::conv_transpose3d(One, torch::ones({2, 1, 2, 2, 2}), {}, 1, 0, 1), at::Error);
}
TEST(Networks, Pools) {
  const auto X = count({1, 1, 4, 4});
  EXPECT_EQ(values(torch::max_pool2d(X, 2)), (Numbers{5, 7, 13, 15}));
  EXPECT_EQ(values(torch::max_pool2d(X, 3, 2, 1)), (Numbers{5, 7, 13, 15}));
  EXPECT_EQ(values(torch::max_pool2d(X, 3, 2, 0, 1, true)), (Numbers{10, 11, 14, 15}));
  EXPECT_EQ(values(torch::avg_pool2d(X, 2)), (Numbers{2.5, 4.5, 10.5, 12.5}));
  EXPECT_EQ(values(torch::avg_pool2d(X, 2, 2, 1))[0], 0);
  EXPECT_EQ(values(torch::avg_pool2d(X, 2, 2, 1))[4], 7.5);
  EXPECT_EQ(values(torch::avg_pool2d(X, 2, 2, 1, false, false))[1], 1.5);
  EXPECT_EQ(values(torch::adaptive_avg_pool2d(X, {1, 1})), Numbers{7.5});
  const auto L = torch::zeros({2, 3, 4, 4}).contiguous(MemoryFormat::ChannelsLast);
  EXPECT_TRUE(torch::max_pool2d(L, 2).is_contiguous(MemoryFormat::ChannelsLast));
  EXPECT_EQ(strides(torch::adaptive_avg_pool2d(L, {1, 1})), (Sizes{3, 1, 3, 3}));
  EXPECT_THROW(torch::max_pool2d(X, 5), at::Error);
  EXPECT_THROW(torch::max_pool2d(X, 2, 2, 2), at::Error);
}
/// The weights of a new place are computed in the element type, as in libtorch:
/// of bfloat16 they do not add up to 1.
TEST(Networks, CubicWeightsAreRounded) {
  const Tensor One = torch::ones({1, 1, 1, 1});
  const auto Of = [&](at::ScalarType Type) {
    return at::upsample_bicubic2d(One.to(Type), {1, 2}, false)
        .view(-1)[0]
        .item<float>();
  };
  EXPECT_FLOAT_EQ(Of(at::kFloat), 1);
  EXPECT_EQ(Of(at::kBFloat16), 0.96875F);
}
// The largest size of negative numbers, along rows and along columns.
TEST(Networks, NormsOfNegativeNumbers) {
  const auto X = torch::arange(12, torch::kFloat).view({4, 3}).sub(20);
  const auto Most = [&](int64_t Dim) {
    return X.norm(std::numeric_limits<double>::infinity(), {Dim}, false);
  };
  EXPECT_TRUE(torch::equal(Most(0), torch::tensor({20.F, 19.F, 18.F})));
  EXPECT_TRUE(torch::equal(Most(1), torch::tensor({20.F, 17.F, 14.F, 11.F})));
  EXPECT_TRUE(torch::equal(X.slice(0, 0, 1).norm(1, {0}, false),
                           torch::tensor({20.F, 19.F, 18.F})));
}

// What attention is defined as, with masks, causal, and heads that are shared.
TEST(Networks, Attention) {
  torch::manual_seed(3);
  const auto Q = torch::randn({2, 4, 3, 8}), K = torch::randn({2, 4, 5, 8}), V = torch::randn({2, 4, 5, 6});
  const auto Of = [&](const Tensor &Q, const Tensor &K, const Tensor &V, const Tensor &Add) {
    return torch::softmax(Q.matmul(K.transpose(-2, -1)) / std::sqrt(8.0) + Add, -1).matmul(V);
  };
  const auto None = torch::zeros({3, 5});
  expectClose(at::scaled_dot_product_attention(Q, K, V), Of(Q, K, V, None));
  expectClose(at::scaled_dot_product_attention(Q, K, V, {}, 0, false, 1.0), Of(Q * std::sqrt(8.0), K, V, None));
  const auto Later = torch::full({3, 5}, -INFINITY).triu(1), Seen = torch::ones({3, 5}, torch::kBool).tril();
  expectClose(at::scaled_dot_product_attention(Q, K, V, {}, 0, true), Of(Q, K, V, Later));
  expectClose(at::scaled_dot_product_attention(Q, K, V, Later), Of(Q, K, V, Later));
  expectClose(at::scaled_dot_product_attention(Q, K, V, Seen), Of(Q, K, V, Later));
  const auto Blind = torch::zeros({3, 5}, torch::kBool);
  EXPECT_EQ(at::scaled_dot_product_attention(Q, K, V, Blind).abs().sum().item<float>(), 0);
  const auto Shared = at::scaled_dot_product_attention(Q, K.slice(1, 0, 2), V.slice(1, 0, 2), {}, 0, false, {}, true);
  const auto At = torch::tensor({0, 0, 1, 1});
  expectClose(Shared, Of(Q, K.index_select(1, At), V.index_select(1, At), None));
  EXPECT_THROW(at::scaled_dot_product_attention(Q, V, V), c10::Error);
  EXPECT_THROW(at::scaled_dot_product_attention(Q, K, V.slice(2, 1)), c10::Error);
  EXPECT_THROW(at::scaled_dot_product_attention(Q, K, V, Seen, 0, true), c10::Error);
  EXPECT_THROW(at::scaled_dot_product_attention(Q, K.to(torch::kDouble), V), c10::Error);
  EXPECT_THROW(at::scaled_dot_product_attention(Q, K.slice(1, 0, 3), V.slice(1, 0, 3), {}, 0, false, {}, true), c10::Error);
}

TEST(Networks, PadAndNorms) {
  const auto X = count({2, 2});
  EXPECT_EQ(values(torch::constant_pad_nd(X, {1, 0}, 9)), (Numbers{9, 0, 1, 9, 2, 3}));
  EXPECT_EQ(values(torch::constant_pad_nd(X, {-1, 0, 0, 1}, 9)), (Numbers{1, 3, 9}));
  const auto L = torch::layer_norm(X, {2});
  EXPECT_NEAR(L[0][0].item<double>(), -1, 1e-4);
  const auto B = torch::batch_norm(X, {}, {}, {}, {}, true, 0.1, 1e-5);
  EXPECT_NEAR(B[0][1].item<double>(), -1, 1e-4);
  EXPECT_NEAR(torch::softmax(X, 1).sum().item<double>(), 2, 1e-6);
  expectClose(torch::glu(X, 1), (X.narrow(1, 0, 1) * X.narrow(1, 1, 1).sigmoid()));
  EXPECT_EQ(values(torch::nan_to_num(torch::tensor({NAN, INFINITY, 1.f}), 5.0, 6.0)), (Numbers{5, 6, 1}));
}

TEST(Indexing, PutsAccumulate) {
  const at::Tensor X = torch::zeros({3, 3}, torch::kLong);
  const at::Tensor Rows = torch::tensor({0, 0, 2}), Columns = torch::tensor({1, 1, 0});
  X.index_put_({Rows, Columns}, torch::tensor({5, 6, 7}), /*accumulate=*/true);
  EXPECT_EQ(X[0][1].item<int64_t>(), 11);
  EXPECT_EQ(X[2][0].item<int64_t>(), 7);
  X.index_put_({torch::nullopt, torch::tensor({2, 2})}, torch::ones({3, 2}, torch::kLong), true);
  EXPECT_EQ(X.select(1, 2).sum().item<int64_t>(), 6);
  X.index_put_({Rows, Columns}, torch::tensor({1, 1, 1}), false);
  EXPECT_EQ(X.sum().item<int64_t>(), 1 + 1 + 6);
  EXPECT_THROW(X.index_put_({Rows}, torch::ones({3}), true), at::Error) << "another type";
}
TEST(Indexing, MasksOfTwoDimensionsStandBesideOthers) {
  const at::Tensor X = torch::arange(24).view({2, 3, 4});
  const at::Tensor Mask = torch::tensor({true, false, true, false, true, false}).view({2, 3});
  EXPECT_TRUE(X.index({Mask, torch::tensor({3, 0, 1})}).equal(torch::tensor({3, 8, 17})));
  EXPECT_TRUE(X.index({Mask, "...", torch::tensor({3, 0, 1})}).equal(torch::tensor({3, 8, 17})));
  EXPECT_THROW(X.index({Mask, torch::tensor({3, 0})}), at::Error);
  X.index_put_({Mask, torch::tensor({0})}, -1);
  EXPECT_EQ((X < 0).sum().item<int64_t>(), 3);
  EXPECT_EQ(X[1][1][0].item<int64_t>(), -1);
}
TEST(Indexing, BracketsTakeNumbersAndTensorsOfOne) {
  const at::Tensor X = torch::arange(6).view({3, 2});
  EXPECT_TRUE(X[torch::tensor(1)].equal(X[1]));
  EXPECT_THROW(X[torch::tensor({1})], at::IndexError);
  EXPECT_THROW(X[torch::tensor(1.5)], at::Error);
}
TEST(Arithmetic, VarianceOfTooFew) {
  const at::Tensor X = torch::tensor({1.0, 3.0});
  EXPECT_TRUE(std::isinf(torch::var(X, at::IntArrayRef{0}, at::optional<int64_t>(5)).item<double>()));
  EXPECT_TRUE(torch::ones({1}).var().isnan().item<bool>());
  EXPECT_TRUE(torch::zeros({0}).std().isnan().item<bool>());
}
TEST(Arithmetic, DividesByNumbersRounded) {
  const at::Tensor X = torch::tensor({-7, -2, 5});
  EXPECT_TRUE(X.div(2, "floor").equal(torch::tensor({-4, -1, 2})));
  EXPECT_TRUE(torch::div(X, 2, "trunc").equal(torch::tensor({-3, -1, 2})));
  X.div_(2, "floor");
  EXPECT_TRUE(X.equal(torch::tensor({-4, -1, 2})));
  EXPECT_THROW(X.div(2, "up"), at::Error);
}

/// A limit of floats may be beyond all integers.
TEST(Arithmetic, LimitsOfAnySize) {
  const Tensor X = torch::tensor({-2.0, 3.0});
  EXPECT_TRUE(X.clamp(-1, 1e30).equal(torch::tensor({-1.0, 3.0})));
  EXPECT_TRUE(X.clamp_max(INFINITY).equal(X));
  EXPECT_TRUE(torch::threshold(X, 1e30, 7).equal(torch::tensor({7.0, 7.0})));
}

} // namespace
