//===- AlgebraTest.cpp - linear algebra, statistics, random numbers -------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <sstream>
#include <tensortidy/torch.h>

namespace {

namespace F = torch::nn::functional;
using torch::Tensor;

std::vector<double> values(const Tensor &X) {
  const Tensor Flat = X.to(torch::kDouble).contiguous().view({-1});
  return {Flat.data_ptr<double>(), Flat.data_ptr<double>() + Flat.numel()};
}
auto near(std::vector<double> Wanted) {
  return testing::Pointwise(testing::DoubleNear(1e-4), Wanted);
}

// The first numbers after these seeds, as libtorch 1.13 draws them.
TEST(Random, IsLibtorchs) {
  torch::manual_seed(0);
  EXPECT_THAT(values(torch::rand(3)), near({0.4963, 0.7682, 0.0885}));
  torch::manual_seed(0);
  EXPECT_THAT(values(torch::randn(3)), near({1.5410, -0.2934, -2.1788}));
  torch::manual_seed(42);
  EXPECT_THAT(values(torch::rand(2)), near({0.8823, 0.9150}));
  torch::manual_seed(0);
  EXPECT_THAT(values(torch::randperm(4)), near({0, 1, 3, 2}));
}
TEST(Random, NormalsComeInPairs) {
  torch::manual_seed(3);
  const Tensor Both = torch::randn(2, torch::kDouble);
  torch::manual_seed(3);
  const Tensor First = torch::randn(1, torch::kDouble),
               Second = torch::randn(1, torch::kDouble);
  EXPECT_EQ(values(Both), (std::vector<double>{First.item<double>(),
                                               Second.item<double>()}));
}

Tensor matrix() {
  return torch::tensor({{4.0, 2.0, 0.0}, {2.0, 5.0, 1.0}, {0.0, 1.0, 3.0}},
                       torch::kDouble);
}
bool hasLapack() {
  try {
    torch::det(matrix());
    return true;
  } catch (const tensortidy::Error &) {
    return false;
  }
}
class Algebra : public testing::Test {
  void SetUp() override {
    if (!hasLapack())
      GTEST_SKIP() << "built without LAPACK";
  }
};
TEST_F(Algebra, Solves) {
  const Tensor A = matrix(), B = torch::tensor({1.0, 2.0, 3.0}, torch::kDouble);
  EXPECT_NEAR(A.det().item<double>(), 44, 1e-9);
  const Tensor X = torch::linalg::solve(A, B);
  EXPECT_TRUE(A.mv(X).allclose(B));
  EXPECT_TRUE(A.mm(A.inverse()).allclose(torch::eye(3, torch::kDouble)));
  EXPECT_EQ(A.inverse().strides(), (std::vector<int64_t>{1, 3}));
  EXPECT_THROW(torch::linalg::inv(torch::zeros({2, 2})), tensortidy::Error);
  EXPECT_THROW(torch::linalg::inv(torch::zeros({2, 3})), tensortidy::Error);
  EXPECT_THROW(torch::linalg::solve(A, torch::zeros({4}, torch::kDouble)),
               tensortidy::Error);
}
TEST_F(Algebra, Factorises) {
  const Tensor A = matrix();
  const Tensor L = torch::linalg::cholesky(A);
  EXPECT_TRUE(L.mm(L.t()).allclose(A));
  const auto [Q, R] = torch::linalg::qr(A.narrow(1, 0, 2));
  EXPECT_TRUE(Q.mm(R).allclose(A.narrow(1, 0, 2)));
  EXPECT_EQ(Q.sizes(), (std::vector<int64_t>{3, 2}));
  const auto [U, S, V] = A.svd();
  EXPECT_TRUE(U.mm(S.diag()).mm(V.t()).allclose(A));
  const auto [Values, Vectors] = torch::linalg::eigh(A);
  EXPECT_TRUE(A.mm(Vectors).allclose(Vectors * Values));
  EXPECT_THROW(torch::linalg::cholesky(-A), tensortidy::Error);
}
TEST_F(Algebra, WorksOnBatches) {
  const Tensor A = torch::stack({matrix(), matrix() * 2});
  EXPECT_THAT(values(torch::linalg::det(A)), near({44, 352}));
  const Tensor X = torch::linalg::solve(A, torch::ones({3, 1}, torch::kDouble));
  EXPECT_EQ(X.sizes(), (std::vector<int64_t>{2, 3, 1}));
}
TEST_F(Algebra, FitsLeastSquares) {
  const Tensor T = torch::arange(5, torch::kDouble);
  const Tensor A = torch::stack({torch::ones_like(T), T}, 1);
  const auto [X, Residuals, Rank, None] =
      torch::linalg::lstsq(A, (T * 2 + 1).unsqueeze(1));
  EXPECT_THAT(values(X), near({1, 2}));
  EXPECT_EQ(Rank.item<int64_t>(), 2);
}

TEST(Statistics, Choose) {
  const Tensor X = torch::tensor({3.0, 1.0, 2.0, 1.0});
  EXPECT_EQ(std::get<0>(X.mode()).item<float>(), 1);
  EXPECT_EQ(X.median().item<float>(), 1);
  EXPECT_THAT(values(torch::histc(X, 2, 1, 3)), near({2, 2}));
  EXPECT_THAT(values(X.quantile(torch::tensor({0.0, 0.5, 1.0}))),
              near({1, 1.5, 3}));
  EXPECT_NEAR(X.cov().item<double>(), 0.9167, 1e-4);
  EXPECT_THAT(values(X.diff()), near({-2, 1, -1}));
  const Tensor Rows = torch::tensor({{1.0, 2.0}, {3.0, 6.0}});
  EXPECT_THAT(values(Rows.var(0)), near({2, 8})); // not var(false)
  EXPECT_THAT(values(torch::std(Rows, 1)), near({0.7071, 2.1213}));
}
TEST(Methods, WriteInPlace) {
  Tensor X = torch::tensor({1.0, 2.0, 3.0});
  X.cumsum_(0);
  EXPECT_THAT(values(X), near({1, 3, 6}));
  X.lerp_(torch::zeros(3), 0.5).clip_(1, 2);
  EXPECT_THAT(values(X), near({1, 1.5, 2}));
  X.masked_scatter_(X.gt(1), torch::tensor({7.0, 8.0}));
  EXPECT_THAT(values(X), near({1, 7, 8}));
  EXPECT_THROW(torch::zeros({2}).expand({3, 2}).xlogy_(torch::ones({2})),
               tensortidy::Error);
  Tensor Y = torch::zeros({3});
  Y.scatter_(0, torch::tensor({1, 1}), torch::tensor({2.0, 3.0}), "add");
  EXPECT_THAT(values(Y), near({0, 5, 0}));
}
TEST(Functional, TakesOptions) {
  const Tensor X = torch::arange(16, torch::kFloat).view({1, 1, 4, 4});
  EXPECT_THAT(values(F::max_pool2d(X, F::MaxPool2dFuncOptions(2))),
              near({5, 7, 13, 15}));
  EXPECT_EQ(F::conv2d(X, torch::ones({2, 1, 3, 3}),
                      F::Conv2dFuncOptions().padding(1).stride({2, 1}))
                .sizes(),
            (std::vector<int64_t>{1, 2, 2, 4}));
  EXPECT_EQ(F::interpolate(X, F::InterpolateFuncOptions()
                                  .size(std::vector<int64_t>{6, 2})
                                  .mode(torch::kNearest))
                .sizes(),
            (std::vector<int64_t>{1, 1, 6, 2}));
  EXPECT_NEAR(F::mse_loss(X, X + 2, F::MSELossFuncOptions(torch::kSum))
                  .item<float>(),
              64, 1e-4);
  EXPECT_THROW(F::interpolate(X), tensortidy::Error);
}
TEST(Dispatch, NamesTheType) {
  const Tensor X = torch::ones({2}, torch::kInt);
  const size_t Size = AT_DISPATCH_ALL_TYPES(
      X.scalar_type(), "size", [&] { return sizeof(scalar_t); });
  EXPECT_EQ(Size, 4U);
  EXPECT_THROW(AT_DISPATCH_FLOATING_TYPES(X.scalar_type(), "none",
                                          [&] { return sizeof(scalar_t); }),
               tensortidy::Error);
  std::ostringstream Text;
  Text << X.dtype() << " " << X.device() << " " << X.layout();
  EXPECT_EQ(Text.str(), "int cpu Strided");
}

} // namespace
