//===- Types.cpp - element types and conversions --------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <sstream>
#include <tensortidy/torch.h>

namespace {

const at::ScalarType AllTypes[] = {
    at::kBool,  at::kByte, at::kChar,     at::kShort, at::kInt,
    at::kLong,  at::kHalf, at::kBFloat16, at::kFloat, at::kDouble};

TEST(Types, EveryHalfSurvivesFloat) {
  for (uint32_t Bits = 0; Bits < 0x10000; ++Bits) {
    at::Half H;
    H.x = static_cast<uint16_t>(Bits);
    const float F = H;
    if (std::isnan(F)) {
      EXPECT_TRUE((Bits & 0x7fff) > 0x7c00);
      continue;
    }
    EXPECT_EQ(at::Half(F).x, Bits);
    at::BFloat16 B;
    B.x = static_cast<uint16_t>(Bits);
    if (const float G = B; !std::isnan(G))
      EXPECT_EQ(at::BFloat16(G).x, Bits);
  }
}

/// What fits no int32 becomes its least, then is cut; uint8 and int64 go
/// through int64. A row alone and rows of vectors agree.
TEST(Types, FloatsThatFitNoInteger) {
  const double Inf = std::numeric_limits<double>::infinity();
  const std::pair<double, std::vector<int64_t>> Cases[] = {
      // uint8, int8, int16, int32, int64
      {Inf, {0, 0, 0, INT32_MIN, INT64_MIN}},
      {-Inf, {0, 0, 0, INT32_MIN, INT64_MIN}},
      {3e9, {0, 0, 0, INT32_MIN, 3000000000}},
      {-4294967297.0, {255, 0, 0, INT32_MIN, -4294967297}},
      {40000, {64, 64, -25536, 40000, 40000}},
      {-2147483648.0, {0, 0, 0, INT32_MIN, INT32_MIN}},
      {1e30, {0, 0, 0, INT32_MIN, INT64_MIN}}};
  const at::ScalarType To[] = {at::kByte, at::kChar, at::kShort, at::kInt,
                               at::kLong};
  for (const auto &[X, Want] : Cases)
    for (int64_t N : {1, 40})
      for (size_t T = 0; T < 5; ++T) {
        const auto R = at::full({N}, X, at::kDouble).to(To[T]);
        EXPECT_EQ(R[N - 1].item<int64_t>(), Want[T]) << X << " " << T;
      }
}

/// Rounding must give the nearer neighbour, the even one when both are near.
template <class T> void expectNearest(float F) {
  const T R(F);
  if (std::isinf(float(R)))
    return;
  for (int Step : {-1, 1}) {
    T Next;
    Next.x = static_cast<uint16_t>(R.x + Step);
    const float N = Next;
    if (std::isnan(N) || std::isinf(N) || (N < 0) != (F < 0))
      continue;
    const double Ours = std::abs(double(float(R)) - double(F)),
                 Theirs = std::abs(double(N) - double(F));
    EXPECT_LE(Ours, Theirs) << F;
    if (Ours == Theirs)
      EXPECT_EQ(R.x & 1, 0) << F;
  }
}
TEST(Types, RoundsToNearestEven) {
  uint32_t Seed = 1;
  for (int K = 0; K < 200000; ++K) {
    Seed = Seed * 1664525 + 1013904223;
    const uint32_t Bits = (Seed & 0x8fffffff) | ((0x30 + (Seed >> 27)) << 24 & 0x7f000000);
    float F;
    std::memcpy(&F, &Bits, sizeof F);
    if (!std::isfinite(F))
      continue;
    expectNearest<at::Half>(F);
    expectNearest<at::BFloat16>(F);
  }
  EXPECT_EQ(at::Half(65519.f).x, 0x7bff);
  EXPECT_EQ(at::Half(65520.f).x, 0x7c00); // the tie goes to infinity
  EXPECT_EQ(at::Half(0x1p-25f).x, 0);     // and to the even zero
  EXPECT_EQ(at::Half(0x1.8p-25f).x, 1);
  EXPECT_EQ(float(at::Half(-0.f)), 0.f);
  EXPECT_TRUE(std::signbit(float(at::Half(-0.f))));
  EXPECT_TRUE(std::isnan(float(at::BFloat16(NAN))));
  EXPECT_TRUE(std::isnan(float(at::Half(NAN))));
}

TEST(Types, EveryPairConverts) {
  for (auto From : AllTypes)
    for (auto To : AllTypes) {
      const auto X = torch::tensor({0, 1, 3}).to(From);
      const auto Y = X.to(To).to(at::kDouble);
      const double Third = From == at::kBool || To == at::kBool ? 1 : 3;
      EXPECT_EQ(Y[0].item<double>(), 0);
      EXPECT_EQ(Y[1].item<double>(), 1);
      EXPECT_EQ(Y[2].item<double>(), Third) << From << " to " << To;
    }
}

TEST(Types, EveryTypeComputes) {
  for (auto T : AllTypes) {
    const auto X = torch::ones({2, 3}, T);
    EXPECT_EQ((X + X).scalar_type(), T);
    EXPECT_EQ(X.sum().item<double>(), 6) << T;
    EXPECT_TRUE(X.t().contiguous().eq(X.t()).all().item<bool>());
    EXPECT_EQ(torch::cat({X, X.mul(X)}).size(0), 4);
    EXPECT_EQ(X.nbytes(), 6 * X.element_size());
    if (T != at::kBool)
      EXPECT_EQ(X.matmul(X.t())[0][0].item<double>(), 3) << T;
  }
}

TEST(Types, Promotion) {
  EXPECT_EQ(at::promoteTypes(at::kByte, at::kChar), at::kShort);
  EXPECT_EQ(at::promoteTypes(at::kHalf, at::kBFloat16), at::kFloat);
  EXPECT_EQ(at::promoteTypes(at::kLong, at::kHalf), at::kHalf);
  EXPECT_EQ((torch::ones(2, at::kInt) + 1.5).scalar_type(), at::kFloat);
  EXPECT_EQ((torch::ones(2, at::kHalf) + torch::tensor(1.5, at::kDouble)).scalar_type(), at::kHalf);
  EXPECT_THROW(torch::ones(2, at::kInt).add_(1.5), at::Error);
}

TEST(Types, NumbersThatDoNotFitAreRefused) {
  EXPECT_THROW(at::Scalar(int64_t(1) << 40).toInt(), std::runtime_error);
  EXPECT_THROW(at::Scalar(1e40).toFloat(), std::runtime_error);
  EXPECT_THROW(at::Scalar(1e30).toLong(), std::runtime_error);
  EXPECT_THROW(at::Scalar(NAN).toLong(), std::runtime_error);
  EXPECT_EQ(at::Scalar(-3.7).toInt(), -3);
  EXPECT_EQ(at::Scalar(-3).toByte(), 253);
}
TEST(Types, Printing) {
  std::ostringstream S;
  S << torch::arange(6).view({2, 3}).t();
  EXPECT_EQ(S.str(), " 0  3\n 1  4\n 2  5\n[ CPULongType{3,2} ]");
  EXPECT_EQ(at::describe(torch::zeros({2, 3}).t()[1]),
            "float32 [2], strides [3], offset 1");
}

} // namespace
