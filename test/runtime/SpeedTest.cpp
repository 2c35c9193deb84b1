//===- SpeedTest.cpp - fast paths compute what slow ones would ------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <tensortidy/torch.h>
#include <utility>
#include <vector>

using at::Tensor;

namespace {

constexpr float Infinity = std::numeric_limits<float>::infinity();

/// Within 4 units in the last place of the C library's double function,
/// packed or not.
template <class F>
void expectExact(const char *Name, Tensor (Tensor::*Of)(at::Site) const,
                 float From, float To, F Function) {
  const Tensor X = torch::linspace(From, To, 10007);
  const Tensor All = (X.*Of)(at::Site::none());
  const Tensor Some = (X.slice(0, 1, 10007, 3).*Of)(at::Site::none());
  const auto *In = X.data_ptr<float>(), *Out = All.data_ptr<float>();
  const auto *Third = Some.data_ptr<float>();
  for (int64_t K = 0; K < X.numel(); ++K) {
    const double True = Function(static_cast<double>(In[K]));
    const double Unit =
        std::nextafter(static_cast<float>(std::abs(True)), Infinity) -
        static_cast<float>(std::abs(True));
    ASSERT_LE(std::abs(Out[K] - True), 4 * Unit) << Name << " of " << In[K];
    if (K % 3 == 1)
      ASSERT_EQ(Third[K / 3], Out[K]) << Name << " of " << In[K];
  }
}

TEST(Speed, FunctionsAreExact) {
#define EXPECT_EXACT(NAME, FROM, TO)                                           \
  expectExact(#NAME,                                                           \
              static_cast<Tensor (Tensor::*)(at::Site) const>(&Tensor::NAME),  \
              FROM, TO, [](double X) { return std::NAME(X); })
  EXPECT_EXACT(exp, -80, 80);
  EXPECT_EXACT(expm1, -5, 5);
  EXPECT_EXACT(log, 1e-6F, 100);
  EXPECT_EXACT(log1p, -0.99F, 100);
  EXPECT_EXACT(tanh, -10, 10);
  EXPECT_EXACT(erf, -4, 4);
  EXPECT_EXACT(erfc, -12, 12);
  EXPECT_EXACT(sin, -100, 100);
  EXPECT_EXACT(cos, -100, 100);
#undef EXPECT_EXACT
}
TEST(Speed, FunctionsKnowTheEnds) {
  const Tensor X = torch::tensor({-Infinity, Infinity, NAN});
  const Tensor Exp = X.exp(), Tanh = X.tanh(), Sigmoid = X.sigmoid();
  EXPECT_EQ(Exp[0].item<float>(), 0);
  EXPECT_EQ(Exp[1].item<float>(), Infinity);
  EXPECT_TRUE(std::isnan(Exp[2].item<float>()));
  EXPECT_EQ(Tanh[0].item<float>(), -1);
  EXPECT_EQ(Sigmoid[0].item<float>(), 0);
  EXPECT_EQ(Sigmoid[1].item<float>(), 1);
}
/// One number that leaves the range of a vector does not change the others.
TEST(Speed, ExpIsWhatItIsBesideAnyOther) {
  std::vector<float> Values;
  for (const float End : {-Infinity, -1000.F, -104.5F, -103.F, -88.F, 88.F,
                          88.8F, 89.5F, Infinity})
    for (int K = 0; K < 11; ++K)
      Values.push_back(K == 3 ? End : 0.5F * static_cast<float>(K));
  const Tensor Exp = torch::tensor(Values).exp();
  for (size_t K = 0; K < Values.size(); ++K)
    EXPECT_FLOAT_EQ(Exp[static_cast<int64_t>(K)].item<float>(),
                    std::exp(Values[K]))
        << Values[K];
}

/// What is out of a function's range, beside numbers that are not.
template <class T> void expectEnds(at::ScalarType Type) {
  using L = std::numeric_limits<T>;
  const T Ends[] = {-L::infinity(),
                    L::lowest(),
                    -1e30F,
                    -1100,
                    -745.5F,
                    -104,
                    -40,
                    -2,
                    -1,
                    -0.0F,
                    0,
                    1,
                    1.5F,
                    89.2F,
                    89.45F,
                    128,
                    709.75F,
                    710.3F,
                    1024,
                    1e30F,
                    L::max(),
                    L::infinity(),
                    L::quiet_NaN(),
                    L::min() / 4};
  for (const T End : Ends) {
    std::vector<T> Values(19, T(0.5));
    Values[3] = Values[17] = End;
    const Tensor X = torch::tensor(Values, Type);
    auto Expect = [&](const char *Name, const Tensor &Y, auto Of) {
      for (const int64_t K : {2, 3, 4, 17, 18}) {
        const auto Is = Y.data_ptr<T>()[K], Right = Of(Values[size_t(K)]);
        if (std::isnan(Right) || std::isinf(Right))
          EXPECT_TRUE(Is == Right || (Is != Is && Right != Right))
              << Name << " of " << End << " is " << Is;
        else
          EXPECT_LE(std::abs(Is - Right),
                    4 * L::epsilon() * std::abs(Right) + L::denorm_min())
              << Name << " of " << End;
      }
    };
#define FUNCTION(NAME) Expect(#NAME, X.NAME(), [](T V) { return std::NAME(V); })
    FUNCTION(acos);
    FUNCTION(asin);
    FUNCTION(atanh);
    FUNCTION(cosh);
    FUNCTION(exp);
    FUNCTION(exp2);
    FUNCTION(expm1);
    FUNCTION(log);
    FUNCTION(log10);
    FUNCTION(log1p);
    FUNCTION(log2);
    FUNCTION(sinh);
#undef FUNCTION
    const Tensor Y = (X + T(0.5)).acosh();
    Expect("acosh", Y, [](T V) { return std::acosh(V + T(0.5)); });
  }
}
TEST(Speed, FunctionsKnowWhatIsOutOfRange) {
  expectEnds<float>(at::kFloat);
  expectEnds<double>(at::kDouble);
}

TEST(Speed, ExponentialsKnowTheEnds) {
  std::vector<float> Values = {0,        -0.0F,     1,         -1,   88.72F,
                               88.73F,   -87.4F,    -103.9F,   -105, 1e30F,
                               Infinity, -Infinity, 0x1p-140F, NAN};
  for (int K = 0; K < 3000; ++K)
    Values.push_back(-110 + 0.0671F * static_cast<float>(K));
  const Tensor Y = torch::tensor(Values).exp();
  for (size_t K = 0; K < Values.size(); ++K) {
    const auto Is = Y[int64_t(K)].item<float>(), Right = std::exp(Values[K]);
    if (std::isnan(Right))
      EXPECT_TRUE(std::isnan(Is));
    else
      EXPECT_FLOAT_EQ(Is, Right) << Values[K];
  }
}

/// Whole rows of 16-bit numbers are converted as one is.
template <class T> void expectRowsConverted(at::ScalarType Type) {
  std::vector<T> Bits(0x10000);
  for (size_t K = 0; K < Bits.size(); ++K)
    Bits[K].x = static_cast<uint16_t>(K);
  const Tensor X = torch::from_blob(Bits.data(), {0x10000}, Type),
               Wide = X.to(at::kFloat), Back = Wide.to(Type);
  const auto *Floats = Wide.data_ptr<float>();
  const T *Again = Back.data_ptr<T>();
  for (size_t K = 0; K < Bits.size(); ++K)
    if (const float One = Bits[K]; One != One) {
      EXPECT_TRUE(Floats[K] != Floats[K]);
      EXPECT_TRUE(float(Again[K]) != float(Again[K]));
    } else {
      EXPECT_EQ(Floats[K], One);
      EXPECT_EQ(Again[K].x, Bits[K].x);
    }
  const Tensor Between =
      torch::randint(-(1 << 30), 1 << 30, {4099}, at::kInt).view(at::kFloat);
  const Tensor Rounded = Between.to(Type);
  for (int64_t K = 0; K < Between.numel(); ++K)
    if (const auto One = Between[K].item<float>(); One == One)
      EXPECT_EQ(Rounded.data_ptr<T>()[K].x, T(One).x);
}
TEST(Speed, RowsOf16BitsAreConvertedAsOne) {
  expectRowsConverted<at::Half>(at::kHalf);
  expectRowsConverted<at::BFloat16>(at::kBFloat16);
}

/// The loops of bfloat16 give what those of float give, rounded; of a number,
/// of slices and of other types as well.
TEST(Speed, Bfloat16IsRoundedFloat) {
  const auto B = at::kBFloat16;
  for (const int64_t N : {1, 7, 300, 2000}) {
    const Tensor X = (torch::rand({3, N}) * 200 - 100).to(B),
                 Y = (torch::rand({3, N}) * 200 - 100).to(B),
                 F = X.to(at::kFloat), G = Y.to(at::kFloat);
    EXPECT_TRUE((X + Y).equal((F + G).to(B)));
    EXPECT_TRUE((X * 3).equal((F * 3).to(B)));
    EXPECT_TRUE((X - Y[0]).equal((F - G[0]).to(B)));
    EXPECT_TRUE(X.lt(Y).equal(F.lt(G)));
    EXPECT_TRUE(X.clone().add_(Y).equal((F + G).to(B)));
    EXPECT_TRUE(X.t().div(Y.t()).equal((F / G).t().to(B)));
    EXPECT_TRUE(X.slice(1, 0, N, 2)
                    .abs()
                    .sqrt()
                    .equal(F.slice(1, 0, N, 2).abs().sqrt().to(B)));
    EXPECT_TRUE(X.signbit().equal(F.signbit()));
    for (const auto Other :
         {at::kByte, at::kChar, at::kInt, at::kLong, at::kDouble, at::kHalf}) {
      EXPECT_TRUE(X.to(Other).equal(F.to(Other)));
      EXPECT_TRUE(X.to(Other).to(B).equal(X.to(Other).to(at::kFloat).to(B)));
    }
    EXPECT_TRUE(X.to(at::kBool).equal(F.to(at::kBool)));
    for (const int64_t D : {0, 1}) {
      EXPECT_TRUE(X.amax(D).equal(F.amax(D).to(B)));
      EXPECT_TRUE(X.sum(D).sub(F.sum(D).to(B)).abs().max().item<float>() <= 1);
    }
  }
}

/// One number with each row, on either side, where rows are packed or not.
TEST(Speed, ColumnsAreBroadcast) {
  for (const at::ScalarType Type :
       {at::kFloat, at::kDouble, at::kInt, at::kHalf})
    for (const int64_t M : {1, 5, 300}) {
      const Tensor A = torch::randint(0, 50, {9, M}).to(Type),
                   Column = torch::randint(0, 50, {9, 1}).to(Type),
                   All = Column.expand({9, M}).contiguous();
      EXPECT_TRUE((A - Column).equal(A - All));
      EXPECT_TRUE((Column - A).equal(All - A));
      EXPECT_TRUE(A.lt(Column).equal(A.lt(All)));
      EXPECT_TRUE(Column.lt(A).equal(All.lt(A)));
      EXPECT_TRUE(A.clone().sub_(Column).equal(A - All));
      const Tensor Wide = torch::zeros({9, 2 * M}, Type);
      Wide.slice(1, 0, M).copy_(A);
      EXPECT_TRUE((Wide.slice(1, 0, M) - Column).equal(A - All));
      EXPECT_TRUE((A[0] - Column).equal(A[0].expand({9, M}) - All));
    }
}

/// Every way through a reduction: packed, by rows, strided, short and long.
TEST(Speed, ReductionsAgree) {
  for (const int64_t N : {1, 7, 64, 300})
    for (const int64_t M : {1, 9, 130}) {
      const Tensor X = torch::rand({N, M}) - 0.5;
      for (const Tensor &V :
           {X, X.t(), X.slice(0, 0, N, 2), X.slice(1, 0, M, 2)})
        for (int64_t Dim = 0; Dim < 2; ++Dim) {
          const Tensor Sum = V.sum(Dim), Top = V.amax(Dim), At = V.argmax(Dim);
          const Tensor Other = V.select(Dim, 0);
          ASSERT_EQ(Sum.sizes().vec(), Other.sizes().vec());
          for (int64_t K = 0; K < Sum.numel(); ++K) {
            const Tensor Line = V.select(1 - Dim, K);
            double Exact = 0;
            float Most = -Infinity;
            int64_t Where = 0;
            for (int64_t J = 0; J < Line.numel(); ++J) {
              const auto E = Line[J].item<float>();
              Exact += static_cast<double>(E);
              if (E > Most) {
                Most = E;
                Where = J;
              }
            }
            ASSERT_NEAR(Sum[K].item<double>(), Exact, 1e-5);
            ASSERT_EQ(Top[K].item<float>(), Most);
            ASSERT_EQ(At[K].item<int64_t>(), Where);
          }
        }
    }
}
TEST(Speed, ANanIsTheExtreme) {
  Tensor X = torch::zeros({100, 300});
  X[50][299] = NAN;
  EXPECT_TRUE(std::isnan(X.max().item<float>()));
  EXPECT_TRUE(std::isnan(X.amin(0)[299].item<float>()));
  EXPECT_EQ(X.argmax(1)[50].item<int64_t>(), 299);
  EXPECT_EQ(X.argmin(0)[299].item<int64_t>(), 50);
}

/// Copies \p X, permuted, and compares each element with where it came from.
template <class T>
void expectCopied(const Tensor &X, const std::vector<int64_t> &Order) {
  const Tensor From = X.permute(Order), To = From.contiguous();
  const auto *F = From.data_ptr<T>(), *P = To.data_ptr<T>();
  const auto S = From.sizes(), Step = From.strides();
  int64_t At = 0, Wrong = 0;
  for (int64_t A = 0; A < S[0]; ++A)
    for (int64_t B = 0; B < S[1]; ++B)
      for (int64_t C = 0; C < S[2]; ++C)
        for (int64_t D = 0; D < S[3]; ++D)
          Wrong += P[At++] !=
                   F[A * Step[0] + B * Step[1] + C * Step[2] + D * Step[3]];
  EXPECT_EQ(Wrong, 0) << From.sizes() << " of strides " << From.strides();
}
/// All pairs of numbers that matter, and many others.
template <class T> void expectRemainders() {
  using L = std::numeric_limits<T>;
  std::vector<T> Some{0,
                      1,
                      2,
                      3,
                      T(0.1),
                      T(0.3),
                      7,
                      1000003,
                      L::max(),
                      L::min(),
                      L::denorm_min(),
                      L::epsilon(),
                      L::infinity(),
                      L::quiet_NaN(),
                      1 - L::epsilon() / 2};
  const Tensor Random = torch::rand({40}, torch::kDouble);
  for (int64_t K = 0; K < 40; ++K)
    Some.push_back(static_cast<T>(
        std::ldexp(Random[K].item<double>(), static_cast<int>(K) * 2 - 20)));
  for (size_t K = 0, N = Some.size(); K < N; ++K)
    Some.push_back(-Some[K]);
  std::vector<T> X, Y;
  for (const T A : Some)
    for (const T B : Some) {
      X.push_back(A);
      Y.push_back(B);
    }
  // Numbers with large quotients make blocks fail: the others apart as well.
  const auto Type = sizeof(T) == 4 ? torch::kFloat : torch::kDouble;
  const Tensor A = torch::tensor(X, Type), B = torch::tensor(Y, Type);
  const Tensor Small = (A / B).abs().lt(1e6);
  for (const bool All : {true, false}) {
    const Tensor P = All ? A : A.masked_select(Small),
                 Q = All ? B : B.masked_select(Small), F = P.fmod(Q),
                 R = P.remainder(Q);
    for (int64_t K = 0; K < P.numel(); ++K) {
      const T U = P.data_ptr<T>()[K], V = Q.data_ptr<T>()[K];
      T Is = std::fmod(U, V);
      auto Expect = [&](T Found, const char *Op) {
        ASSERT_TRUE(Found == Is || (Found != Found && Is != Is))
            << Op << " of " << U << " and " << V << ": " << Found << ", " << Is;
        ASSERT_EQ(std::signbit(Found), std::signbit(Is)) << Op << U << V;
      };
      if (Is == Is)
        Expect(F.data_ptr<T>()[K], "fmod");
      if (Is != 0 && (V < 0) != (Is < 0))
        Is += V;
      if (Is == Is)
        Expect(R.data_ptr<T>()[K], "remainder");
    }
  }
}
TEST(Speed, RemaindersAreExact) {
  expectRemainders<float>();
  expectRemainders<double>();
}

TEST(Speed, FunctionsOfDoublesAreExact) {
  auto Expect = [](const char *Name, Tensor (Tensor::*Of)(at::Site) const,
                   double From, double To, auto Function) {
    const Tensor X = torch::linspace(From, To, 1003, torch::kDouble);
    for (const Tensor &In : {X, X.slice(0, 0, 1003, 3)}) {
      const Tensor Out = (In.*Of)(at::Site::none());
      for (int64_t K = 0; K < In.numel(); ++K) {
        const double V = In[K].item<double>(), True = Function(V);
        ASSERT_LE(std::abs(Out[K].item<double>() - True),
                  std::abs(True) * 1e-15 + 1e-300)
            << Name << " of " << V;
      }
    }
  };
#define FUNCTION(NAME, FROM, TO)                                               \
  Expect(#NAME, &Tensor::NAME, FROM, TO, [](double V) { return std::NAME(V); })
  FUNCTION(acos, -1, 1);
  FUNCTION(acosh, 1, 100);
  FUNCTION(asin, -1, 1);
  FUNCTION(asinh, -100, 100);
  FUNCTION(atan, -20, 20);
  FUNCTION(atanh, -0.9, 0.9);
  FUNCTION(cosh, -20, 20);
  FUNCTION(erf, -4, 4);
  FUNCTION(erfc, -4, 4);
  FUNCTION(exp, -700, 700);
  FUNCTION(exp2, -20, 20);
  FUNCTION(expm1, -20, 20);
  FUNCTION(log, 0.01, 100);
  FUNCTION(log10, 0.01, 100);
  FUNCTION(log1p, -0.9, 100);
  FUNCTION(log2, 0.01, 100);
  FUNCTION(sinh, -20, 20);
  FUNCTION(tan, -1.5, 1.5);
  FUNCTION(tanh, -20, 20);
#undef FUNCTION
}

TEST(Speed, ElementsApartAreTheSameElements) {
  for (const auto Type :
       {torch::kByte, torch::kChar, torch::kShort, torch::kInt, torch::kLong,
        torch::kHalf, torch::kFloat, torch::kDouble, torch::kBFloat16})
    for (const int64_t Step : {1, 2, 3, 4, 5, 7})
      for (const int64_t N : {1, 9, 100, 3000}) {
        // Small numbers, which every type has.
        const Tensor
            X = torch::arange(N * Step).remainder(100).to(Type),
            Y = torch::arange(0, N * Step, Step).remainder(100).to(Type);
        const Tensor Part = X.slice(0, 0, N * Step, Step);
        EXPECT_TRUE((Part + Part).equal(Y + Y)) << Step;
        EXPECT_TRUE(Part.neg().equal(Y.neg())) << Step;
        EXPECT_TRUE(Part.sum().equal(Y.sum())) << Step;
        EXPECT_TRUE(Part.cumsum(0).equal(Y.cumsum(0))) << Step;
        EXPECT_TRUE((Part + Y).equal(Y + Y)) << Step;
        X.slice(0, 0, N * Step, Step).mul_(2);
        EXPECT_TRUE(Part.equal(Y * 2)) << Step;
      }
}

/// Rows with gaps between them, of any length, are what they are packed.
TEST(Speed, RowsApartAreTheSameRows) {
  for (const auto Type : {torch::kByte, torch::kShort, torch::kLong,
                          torch::kFloat, torch::kDouble, torch::kBFloat16})
    for (int64_t N = 1; N < 3000; N += N < 70 ? 1 : N / 2) {
      const Tensor
          All =
              torch::arange(20 * 2 * N).remainder(50).to(Type).view({20, 2, N}),
          A = All.select(1, 1), B = All.select(1, 0),
          X = torch::arange(40 * N)
                  .view({20, 2, N})
                  .select(1, 1)
                  .remainder(50)
                  .to(Type),
          Y = torch::arange(40 * N)
                  .view({20, 2, N})
                  .select(1, 0)
                  .remainder(50)
                  .to(Type),
          Column = Y.narrow(1, 0, 1), Mask = X.gt(Y);
      EXPECT_TRUE(A.clone(at::MemoryFormat::Contiguous).equal(X)) << N;
      EXPECT_TRUE((A + B).equal(X + Y)) << N;
      EXPECT_TRUE((A + Y[0]).equal(X + Y[0].expand({20, N}))) << N;
      EXPECT_TRUE((A - Column).equal(X - Column.expand({20, N}))) << N;
      EXPECT_TRUE(A.lt(B).equal(X.lt(Y))) << N;
      EXPECT_TRUE(torch::where(Mask, A, B).equal(torch::where(Mask, X, Y)));
      EXPECT_TRUE(A.to(torch::kInt).equal(X.to(torch::kInt))) << N;
      EXPECT_TRUE(A.to(torch::kFloat).equal(X.to(torch::kFloat))) << N;
      EXPECT_TRUE(A.exp().equal(X.exp())) << N;
      EXPECT_TRUE(A.remainder(7).equal(X.remainder(7))) << N;
      EXPECT_TRUE(A.pow(B.clamp_max(2)).equal(X.pow(Y.clamp_max(2)))) << N;
      A.add_(B).mul_(2);
      EXPECT_TRUE(A.equal((X + Y).mul(2))) << N;
      EXPECT_TRUE(B.equal(Y)) << N;
      B.copy_(A);
      EXPECT_TRUE(B.equal((X + Y).mul(2))) << N;
    }
}

TEST(Speed, SumsOfColumnsAgree) {
  for (const auto Type : {torch::kInt, torch::kLong, torch::kDouble})
    for (const int64_t Columns : {3, 7, 8, 9, 16, 31, 32, 33})
      for (const int64_t Rows : {100, 129, 251, 1000}) {
        const Tensor X = torch::arange(2 * Rows * Columns)
                             .remainder(101)
                             .to(Type)
                             .view({2, Rows, Columns});
        Tensor All = torch::zeros({2, Columns}, Type);
        for (int64_t R = 0; R < Rows; ++R)
          All += X.select(1, R);
        EXPECT_TRUE(X.sum(1).equal(All.to(X.sum(1).scalar_type())));
        EXPECT_TRUE(X.amax(1).equal(X.transpose(1, 2).contiguous().amax(2)));
      }
}

TEST(Speed, RunningSumsOfAnyOrderAgree) {
  for (const auto Type : {torch::kLong, torch::kDouble, torch::kFloat}) {
    const Tensor X =
        torch::arange(7 * 9 * 70).remainder(13).to(Type).view({7, 9, 70});
    for (const std::vector<int64_t> &Order :
         {std::vector<int64_t>{0, 1, 2}, {2, 0, 1}, {1, 2, 0}, {0, 2, 1}})
      for (int64_t D = 0; D < 3; ++D) {
        const Tensor Y = X.permute(Order), Sums = Y.cumsum(D);
        Tensor All = torch::zeros_like(Sums.select(D, 0));
        for (int64_t K = 0; K < Y.size(D); ++K) {
          All += Y.select(D, K);
          ASSERT_TRUE(Sums.select(D, K).equal(All)) << D << " at " << K;
        }
      }
  }
}

TEST(Speed, NumbersAreCutAsOne) {
  for (const auto From : {torch::kFloat, torch::kDouble, torch::kBFloat16})
    for (const auto To : {torch::kByte, torch::kChar, torch::kShort,
                          torch::kInt, torch::kLong}) {
      const Tensor X = torch::linspace(-120, 120, 1501).to(From);
      const Tensor Large = torch::cat({X, X.mul(1e8), X.mul(1e16)});
      for (const Tensor &In : {X, Large}) {
        const Tensor Out = In.to(To);
        for (int64_t K = 0; K < In.numel(); K += 7)
          ASSERT_EQ(Out[K].item<int64_t>(), In[K].to(To).item<int64_t>());
      }
    }
}

TEST(Speed, CopiesOfAnyOrderAreRight) {
  std::vector<int64_t> Order{0, 1, 2, 3};
  do {
    const Tensor Small = torch::arange(3 * 17 * 4 * 21).view({3, 17, 4, 21});
    expectCopied<uint8_t>(Small.to(at::kByte), Order);
    expectCopied<int16_t>(Small.to(at::kShort), Order);
    expectCopied<int32_t>(Small.to(at::kInt), Order);
    expectCopied<int64_t>(Small, Order);
    // Parts: neither packed nor aligned.
    expectCopied<int32_t>(Small.to(at::kInt).slice(3, 1, 20), Order);
    expectCopied<int32_t>(Small.to(at::kInt).slice(3, 0, 21, 2), Order);
    expectCopied<int64_t>(Small.slice(0, 0, 2), Order);
  } while (std::next_permutation(Order.begin(), Order.end()));
}
TEST(Speed, LargeCopiesAreRight) { // they go past the caches
  const Tensor X = torch::arange(36 * 65 * 33 * 32, at::kInt);
  for (const Tensor &Y :
       {X.view({36, 65, 33, 32}), X.view({4, 16, 2145, 18}),
        X.slice(0, 1, X.numel() - 36 * 65 * 32 + 1).view({65, 36, 32, 32})})
    for (const std::vector<int64_t> &Order : {std::vector<int64_t>{3, 1, 0, 2},
                                              {0, 2, 1, 3},
                                              {1, 3, 2, 0},
                                              {0, 3, 1, 2},
                                              {2, 3, 0, 1}})
      expectCopied<int32_t>(Y, Order);
}

/// Of every size of element, to rows that begin anywhere; nothing beside them
/// is written.
TEST(Speed, LargeCopiesIntoPartsAreRight) {
  const Tensor All = torch::arange(2904 * 2911).remainder(127);
  for (const auto Type : {at::kByte, at::kShort, at::kInt, at::kLong})
    for (const int64_t Rows : {2911, 11, 6}) {
      const Tensor X = All.to(Type).view({-1, Rows}) + 1;
      const Tensor Turned = X.t().contiguous();
      EXPECT_TRUE(Turned.t().equal(X));
      const Tensor Room = torch::zeros({Rows + 4, X.size(0) + 9}, Type),
                   Part = Room.slice(0, 3, Rows + 3).slice(1, 5, -4);
      Part.copy_(X.t());
      EXPECT_TRUE(Part.equal(Turned));
      EXPECT_EQ(Room.sum().item<int64_t>(), X.sum().item<int64_t>());
    }
}

/// Slices by an index, in rows, are what they are one by one.
TEST(Speed, SlicesByAnIndexAreRight) {
  for (const auto Type : {at::kFloat, at::kLong, at::kBFloat16, at::kBool})
    for (const std::vector<int64_t> &Order :
         {std::vector<int64_t>{0, 1, 2}, {2, 0, 1}, {1, 2, 0}})
      for (int64_t D = 0; D < 3; ++D) {
        const Tensor X = torch::arange(5 * 6 * 7)
                             .remainder(9)
                             .to(Type)
                             .view({5, 6, 7})
                             .permute(Order),
                     I = torch::tensor({3, 0, 3, 4, 1, 0}),
                     S = X.index_select(D, I), Add = X.clone(),
                     Copy = X.clone(), Fill = X.clone(),
                     Still =
                         torch::tensor({2}).view({1, 1, 1}).expand(X.sizes());
        for (int64_t K = 0; K < I.numel(); ++K) {
          const auto At = I[K].item<int64_t>();
          Add.select(D, At).add_(S.select(D, K));
          Copy.select(D, At).copy_(S.select(D, I.numel() - 1 - K));
          Fill.select(D, At).fill_(1);
        }
        EXPECT_TRUE(X.index_add(D, I, S).equal(Add));
        EXPECT_TRUE(X.index_copy(D, I, S.flip(D)).equal(Copy));
        EXPECT_TRUE(X.index_fill(D, I - I.gt(2).mul(X.size(D)), 1).equal(Fill));
        EXPECT_TRUE(
            X.gather(D, Still).equal(X.narrow(D, 2, 1).expand(X.sizes())));
      }
}

/// What is joined at once, and what is copied part by part.
TEST(Speed, JoinedPartsAreRight) {
  const Tensor None = torch::zeros({0}); // has any dimension
  EXPECT_EQ(torch::cat({None, None}, -1000000).numel(), 0);
  for (const auto Type : {torch::kByte, torch::kInt, torch::kDouble})
    for (const std::vector<int64_t> &Sizes :
         {std::vector<int64_t>{3, 5, 7}, {300, 2, 9}, {2, 90, 70}, {4, 0, 2}}) {
      const Tensor X = torch::arange(Sizes[0] * Sizes[1] * Sizes[2])
                           .remainder(200)
                           .to(Type)
                           .view(Sizes),
                   Y = (X + 3).transpose(0, 2).contiguous().transpose(0, 2);
      for (const std::vector<Tensor> &Parts :
           {std::vector<Tensor>{X, X + 1, X}, {X, Y}})
        for (int64_t D = 0; D < 3; ++D) {
          const Tensor Cat = torch::cat(Parts, D),
                       Stack = torch::stack(Parts, D);
          for (size_t K = 0; K < Parts.size(); ++K) {
            const auto At = static_cast<int64_t>(K);
            EXPECT_TRUE(
                Cat.narrow(D, At * X.size(D), X.size(D)).equal(Parts[K]));
            EXPECT_TRUE(Stack.select(D, At).equal(Parts[K]));
          }
        }
    }
}

/// Slices whose own elements are expanded, or some apart.
TEST(Speed, SlicesOfAnyPartAreRight) {
  const Tensor All = torch::arange(7 * 40 * 33).view({7, 40, 33}),
               I = torch::tensor({6, 0, 3, 3});
  for (const Tensor &X :
       {All, All.slice(2, 0, 33, 2), All.slice(1, 0, 40, 2),
        All.narrow(2, 3, 1).expand({7, 40, 50}),
        All.narrow(1, 3, 1).expand({7, 40, 33}), All.transpose(1, 2)})
    for (int64_t D = 0; D < 3; ++D) {
      const Tensor S = X.index_select(D, I);
      for (int64_t K = 0; K < I.numel(); ++K)
        EXPECT_TRUE(
            S.select(D, K).equal(X.select(D, I[K].item<int64_t>()).clone()));
    }
}

TEST(Speed, LogGammaIsExact) {
  std::vector<float> Values{0,        -0.0F,     1,     2,      -1,
                            Infinity, -Infinity, NAN,   1e-38F, 1e-45F,
                            1e30F,    1e36F,     3e38F, 0.5F};
  for (int K = 0; K < 3000; ++K)
    Values.push_back(static_cast<float>(K) * 0.013F - 4.2F);
  for (int K = 1; K < 40; ++K)
    for (const float Zero : {1.F, 2.F, 8.F})
      Values.push_back(Zero + static_cast<float>(K - 20) * 1.2e-7F);
  const Tensor Y = torch::tensor(Values).lgamma();
  for (size_t K = 0; K < Values.size(); ++K) {
    const double Right = std::lgamma(static_cast<double>(Values[K]));
    const float Is = Y.data_ptr<float>()[K];
    if (std::isnan(Right) || std::abs(Right) > 3.4e38)
      EXPECT_TRUE(Is == static_cast<float>(Right) ||
                  (Is != Is && Right != Right))
          << Values[K];
    else // elsewhere but at 0 and above it is the C library's
      EXPECT_NEAR(Is, Right,
                  4e-7 * std::abs(Right) + (Values[K] < 0 ? 1e-6 : 1e-14))
          << Values[K];
  }
}

/// Integers that a double holds and such that none does, in one row.
TEST(Speed, WholeQuotientsAreExact) {
  const int64_t Edge = int64_t(1) << 51;
  std::vector<int64_t> A, B;
  uint64_t Random = 1;
  for (int K = 0; K < 4000; ++K) {
    Random = Random * 6364136223846793005U + 1442695040888963407U;
    const int Bits = K / 40 % 64;
    A.push_back(static_cast<int64_t>(Random) >> (63 - Bits));
    Random = Random * 6364136223846793005U + 1442695040888963407U;
    B.push_back((static_cast<int64_t>(Random) >> (63 - K % 40)) | 1);
  }
  for (const int64_t V : {Edge, -Edge, Edge - 1, 1 - Edge, INT64_MAX, INT64_MIN,
                          int64_t(0), int64_t(-1)})
    for (const int64_t W : {int64_t(1), int64_t(-1), int64_t(3), int64_t(-7),
                            Edge - 1, -Edge, INT64_MAX, INT64_MIN}) {
      A.insert(A.end(), 150, V); // a row of its own
      B.insert(B.end(), 150, W);
    }
  const Tensor X = torch::tensor(A), Y = torch::tensor(B);
  const Tensor Floors = X.floor_divide(Y), Rests = X.remainder(Y),
               Mods = X.fmod(Y), Third = X.floor_divide(3);
  for (size_t K = 0; K < A.size(); ++K) {
    const bool IsOver = A[K] == INT64_MIN && B[K] == -1;
    const int64_t Q = IsOver ? A[K] : A[K] / B[K], R = IsOver ? 0 : A[K] % B[K];
    const bool Down = R != 0 && (R < 0) != (B[K] < 0);
    ASSERT_EQ(Floors.data_ptr<int64_t>()[K], Q - Down) << A[K] << " / " << B[K];
    ASSERT_EQ(Rests.data_ptr<int64_t>()[K], R + (Down ? B[K] : 0));
    ASSERT_EQ(Mods.data_ptr<int64_t>()[K], R);
    ASSERT_EQ(Third.data_ptr<int64_t>()[K], A[K] / 3 - (A[K] % 3 < 0));
  }
}

/// Numbers of a type that differ, with a NaN where there is one.
Tensor someOf(std::vector<int64_t> Sizes, at::ScalarType Type) {
  Tensor X = torch::rand(Sizes).mul(100).to(Type);
  if (at::isFloatingType(Type) && X.numel() > 7)
    X.view(-1)[X.numel() / 2].fill_(NAN);
  return X;
}
const at::ScalarType AllTypes[] = {
    at::kByte, at::kChar, at::kShort, at::kInt,    at::kLong,
    at::kHalf, at::kBool, at::kFloat, at::kDouble, at::kBFloat16};
/// Equal, or both a NaN.
void expectSame(const Tensor &A, const Tensor &B, const std::string &What) {
  ASSERT_EQ(A.scalar_type(), B.scalar_type()) << What;
  ASSERT_EQ(A.sizes(), B.sizes()) << What;
  const Tensor X = A.to(at::kDouble), Y = B.to(at::kDouble);
  EXPECT_TRUE(
      X.eq(Y).logical_or(X.ne(X).logical_and(Y.ne(Y))).all().item<bool>())
      << What;
}

/// Packed rows beside turned ones, columns and rows of a larger tensor.
TEST(Speed, RowsBesideTurnedOnesAreTheSame) {
  for (const at::ScalarType Type : AllTypes)
    for (const int64_t H : {1, 7, 33, 70})
      for (const int64_t W : {3, 31, 32, 65, 251}) {
        const std::string What = at::toString(Type) + std::string(" ") +
                                 std::to_string(H) + " " + std::to_string(W);
        const Tensor A = someOf({H, W}, Type), B = someOf({W, H}, Type).t(),
                     C = someOf({H, W + 3}, Type).narrow(1, 2, W),
                     R = someOf({W}, Type), D = someOf({H, 1}, Type);
        const Tensor M = A.ne(R);
        auto Packed = [&](const Tensor &X) {
          return X.expand({H, W}).clone(at::MemoryFormat::Contiguous);
        };
        for (const Tensor &X : {A, C, B})
          for (const Tensor &Y : {B, C, R, D}) {
            expectSame(maximum(X, Y), maximum(Packed(X), Packed(Y)), What);
            expectSame(X + Y, Packed(X) + Packed(Y), What);
            expectSame(where(M, X, Y), where(M, Packed(X), Packed(Y)), What);
            expectSame(X < Y, Packed(X) < Packed(Y), What);
            const Tensor In = X.clone();
            expectSame(In.add_(Y), Packed(X) + Packed(Y), What);
          }
        if (Type == at::kBool)
          continue;
        const Tensor Wide = someOf({H, 3 * W}, Type), Was = Wide.clone();
        Wide.slice(1, 1, 3 * W, 3).mul_(B);
        expectSame(Wide.slice(1, 1, 3 * W, 3),
                   Packed(Was.slice(1, 1, 3 * W, 3)) * Packed(B), What);
        Wide.slice(1, 2, 3 * W, 3).fill_(5);
        EXPECT_TRUE(Wide.slice(1, 2, 3 * W, 3).eq(5).all().item<bool>());
        expectSame(Wide.slice(1, 0, 3 * W, 3), Was.slice(1, 0, 3 * W, 3), What);
      }
}

TEST(Speed, ExtremesSoFarAreRight) {
  for (const at::ScalarType Type : AllTypes)
    for (const int64_t H : {1, 5, 70})
      for (const int64_t W : {1, 7, 9, 65}) {
        const Tensor X = someOf({H, W}, Type);
        for (const int64_t D : {0, 1}) {
          const auto [Values, Places] = X.cummax(D);
          const Tensor In = X.to(at::kDouble), Out = Values.to(at::kDouble);
          for (int64_t L = 0; L < X.size(1 - D); ++L) {
            double Best = -Infinity;
            int64_t At = 0;
            for (int64_t K = 0; K < X.size(D); ++K) {
              auto Of = [&](const Tensor &T) {
                return D ? T[L][K].item() : T[K][L].item();
              };
              const double V = Of(In).toDouble();
              if (V != V || (Best == Best && V >= Best)) {
                Best = V;
                At = K;
              }
              const double Is = Of(Out).toDouble();
              ASSERT_TRUE(Is == Best || (Is != Is && Best != Best));
              ASSERT_EQ(Of(Places).toLong(), At);
            }
          }
        }
      }
}

/// Lines that go together in groups, and such that are long enough alone.
TEST(Speed, SoftmaxOfAnyDimensionIsRight) {
  for (const at::ScalarType Type : {at::kFloat, at::kDouble})
    for (const int64_t N : {1, 2, 3, 5, 8, 24, 32, 33, 70, 300})
      for (const int64_t Row : {1, 2, 7, 16, 65, 300})
        for (const int64_t Count : {1, 3, 131}) {
          if (N * Row * Count > 100000)
            continue;
          const Tensor X =
              torch::rand({Count, N, Row}, at::TensorOptions(Type)).mul(9);
          const Tensor Y = X.softmax(1).to(at::kDouble),
                       Z = X.log_softmax(1).to(at::kDouble);
          const Tensor V = X.to(at::kDouble), Powers = V.exp(),
                       Sums = Powers.sum(1, true);
          EXPECT_LT((Y - Powers / Sums).abs().max().item<double>(), 1e-6)
              << N << " " << Row << " " << Count;
          EXPECT_LT((Z - (V - Sums.log())).abs().max().item<double>(), 1e-5)
              << N << " " << Row << " " << Count;
          if (N < 2)
            continue;
          X[0][1][Row - 1].fill_(NAN);
          const Tensor Nans = X.softmax(1).isnan();
          EXPECT_EQ(Nans.sum().item<int64_t>(), N);
          EXPECT_TRUE(Nans[0].select(1, Row - 1).all().item<bool>());
        }
}

TEST(Speed, ReductionsOfWhatStandsStillAgree) {
  for (const at::ScalarType Type : AllTypes)
    for (const int64_t N : {1, 2, 9, 200})
      for (const int64_t Times : {2, 8, 33}) {
        const Tensor X = someOf({4, 1, N}, Type).expand({4, Times, N});
        const Tensor Packed = X.clone(at::MemoryFormat::Contiguous);
        for (const int64_t D : {0, 2}) {
          const std::string What = at::toString(Type) + std::string(" ") +
                                   std::to_string(N) + " " +
                                   std::to_string(Times);
          expectSame(X.amax(D), Packed.amax(D), What);
          expectSame(X.any(D), Packed.any(D), What);
          if (Type != at::kBool)
            expectSame(X.argmin(D).eq(Packed.argmin(D)).all(),
                       torch::ones({}, at::kBool), What);
          if (!at::isFloatingType(Type))
            expectSame(X.sum(D), Packed.sum(D), What);
          else if (Type == at::kDouble || Type == at::kFloat)
            EXPECT_TRUE(X.sum(D)
                            .isclose(Packed.sum(D), 1e-5, 1e-8, true)
                            .all()
                            .item<bool>())
                << What;
        }
        EXPECT_TRUE(X.narrow(2, 0, 1).argmax(2).eq(0).all().item<bool>());
      }
}

/// Rows of whole vectors, which stay in registers, beside other elements; and
/// columns that are apart.
TEST(Speed, SumsOfPartsOfRowsAgree) {
  for (const auto Type :
       {torch::kFloat, torch::kHalf, torch::kBFloat16, torch::kDouble,
        torch::kInt, torch::kLong, torch::kByte})
    for (const int64_t Columns : {4, 16, 32, 48, 64, 96, 128})
      for (const int64_t Rows : {7, 8, 13, 130}) {
        // So few ones that sums and products are exact.
        const Tensor All = torch::arange(3 * Rows * (3 * Columns + 5))
                               .remainder(7)
                               .eq(2)
                               .to(Type)
                               .view({3, Rows, 3 * Columns + 5});
        const int64_t End = 5 + 3 * Columns;
        for (const Tensor &X :
             {All.slice(2, 0, Columns).contiguous(),
              All.slice(2, 2, 2 + Columns), All.slice(2, 5, End, 3),
              All.slice(2, 1, 1 + 2 * Columns, 2)}) {
          const Tensor Turned = X.transpose(1, 2).contiguous();
          EXPECT_TRUE(X.sum(1).equal(Turned.sum(2)));
          EXPECT_TRUE((X + 1).prod(1).equal((Turned + 1).prod(2)));
          EXPECT_TRUE(X.amax(1).equal(Turned.amax(2)));
        }
      }
}

/// The factor of sums, of each type.
TEST(Speed, ScaledSumsAgree) {
  for (const auto Type : {torch::kFloat, torch::kDouble, torch::kInt,
                          torch::kLong, torch::kShort, torch::kByte}) {
    const Tensor X = torch::arange(40).to(Type).view({4, 10}),
                 Y = torch::ones({10}, Type);
    EXPECT_TRUE(X.add(Y, 2).equal((X + 2).to(Type)));
    EXPECT_TRUE(X.addcmul(Y, Y, 3).equal((X + 3).to(Type)));
  }
  const Tensor Long = torch::ones({3}, torch::kLong);
  EXPECT_EQ(Long.add(Long, (int64_t(1) << 60) + 1)[2].item<int64_t>(),
            (int64_t(1) << 60) + 2);
  EXPECT_THROW(Long.addcmul(Long, Long, 1e30), std::runtime_error);
  EXPECT_EQ(torch::ones({1}, torch::kDouble)
                .add(torch::ones({1}, torch::kDouble), 1e30)
                .item<double>(),
            1e30);
}

/// Few columns are summed in groups of rows.
TEST(Speed, GroupsOfColumnsAgree) {
  for (const int64_t Rows : {1, 5, 130, 700})
    for (int64_t Columns = 1; Columns <= 33; Columns += Columns < 10 ? 1 : 7)
      for (const at::ScalarType Type : {at::kFloat, at::kInt, at::kDouble}) {
        const Tensor X = torch::rand({3, Rows, Columns}).mul(9).to(Type);
        const Tensor Sums = X.sum(1).to(at::kDouble), Most = X.amax(1);
        const Tensor Right = X.to(at::kDouble).transpose(1, 2).contiguous();
        for (int64_t I = 0; I < 3; ++I)
          for (int64_t J = 0; J < Columns; ++J) {
            double Sum = 0, Best = -1;
            const auto *P = Right.data_ptr<double>() + (I * Columns + J) * Rows;
            for (int64_t R = 0; R < Rows; ++R) {
              Sum += P[R];
              Best = std::max(Best, P[R]);
            }
            ASSERT_NEAR(Sums[I][J].item<double>(), Sum, 1e-6 * Sum);
            ASSERT_EQ(Most[I][J].item<double>(), Best);
          }
        X[1][Rows - 1][0].fill_(Type == at::kInt ? 99 : NAN);
        if (Type != at::kInt)
          ASSERT_TRUE(X.amax(1).isnan()[1][0].item<bool>());
      }
}

TEST(Speed, RowsAtAnyPlaceAreCopied) {
  for (int64_t Width = 1; Width < 1100; Width += Width < 140 ? 1 : 97) {
    const Tensor X = torch::rand({9, Width}).mul(100).to(at::kByte);
    const Tensor At = torch::tensor({8, 0, 3, 3, 7, 1}, at::kLong);
    const Tensor R = X.index_select(0, At);
    for (int64_t K = 0; K < At.numel(); ++K)
      ASSERT_TRUE(R[K].equal(X[At[K].item<int64_t>()])) << Width;
    ASSERT_TRUE(X.roll(9, 0).equal(X));
  }
}

/// Numbers of each kind at every place of a vector: the ends of the type, 0,
/// and for floating types what is no number.
std::vector<double> endsOf(at::ScalarType Type) {
  std::vector<double> R{0, 1, 2, 7, 100, 3, 5, 11};
  const double Half = Type == at::kChar    ? 0x1p7
                      : Type == at::kShort ? 0x1p15
                      : Type == at::kInt   ? 0x1p31
                                           : 0x1p63;
  if (at::isFloatingType(Type))
    R.insert(R.end(), {-0.0, -1, NAN, INFINITY, -INFINITY, 0.5, -0.5});
  else if (Type == at::kByte)
    R.insert(R.end(), {255, 128, 127});
  else if (Type != at::kBool)
    R.insert(R.end(), {-1, -7, -Half, -Half + 1, 1 - Half});
  return R;
}
Tensor mixed(int64_t N, at::ScalarType Type) {
  const std::vector<double> Ends = endsOf(Type);
  const Tensor R = torch::zeros({N}, Type);
  for (int64_t K = 0; K < N; ++K)
    R[K].fill_(Ends[static_cast<size_t>(K * 7 + K / 9) % Ends.size()]);
  return R;
}
bool isSame(const Tensor &A, const Tensor &B) {
  if (A.sizes() != B.sizes() || A.scalar_type() != B.scalar_type())
    return false;
  return A.eq(B).logical_or(A.ne(A).logical_and(B.ne(B))).all().item<bool>();
}
const std::vector<int64_t> Lengths{1,  2,  3,  7,   8,   15,  16,  17,  31, 33,
                                   63, 64, 65, 127, 128, 129, 255, 257, 600};

/// One by one, each is a row of its own.
TEST(Speed, ElementsOfAnyRowAreWhatTheyAreAlone) {
  for (const at::ScalarType Type :
       {at::kByte, at::kChar, at::kShort, at::kInt, at::kLong, at::kFloat,
        at::kDouble, at::kHalf, at::kBFloat16})
    for (const int64_t N : Lengths) {
      const Tensor X = mixed(N, Type), Y = X.flip(0), Abs = X.abs(),
                   Most = X.maximum(Y), Least = X.minimum(Y),
                   Wide = X.to(at::kDouble);
      const Tensor In = X.clone();
      In.abs_();
      EXPECT_TRUE(isSame(In, Abs));
      const Tensor Float = X.to(at::kFloat), Short = X.to(at::kBFloat16);
      for (int64_t K = 0; K < N; ++K) {
        const auto A = Wide[K].item<double>(),
                   B = Wide[N - 1 - K].item<double>();
        if (at::isFloatingType(Type)) {
          EXPECT_EQ(std::signbit(Abs[K].item<double>()), false);
          const bool IsNan = A != A || B != B;
          EXPECT_TRUE(IsNan ? std::isnan(Most[K].item<double>())
                            : Most[K].item<double>() == std::max(A, B));
          EXPECT_TRUE(IsNan ? std::isnan(Least[K].item<double>())
                            : Least[K].item<double>() == std::min(A, B));
        } else {
          const auto V = X[K].item<int64_t>();
          const auto Size = static_cast<int>(X.element_size()) * 8;
          const auto Is = Abs[K].item<int64_t>();
          const bool IsLeast =
              V < 0 && static_cast<uint64_t>(V) << (64 - Size) == 1ULL << 63;
          EXPECT_EQ(Is, IsLeast || V >= 0 ? V : -V);
          EXPECT_EQ(Float[K].item<float>(), static_cast<float>(V));
          EXPECT_EQ(Short[K].item<float>(),
                    float(at::BFloat16(static_cast<float>(V))));
          EXPECT_EQ(Wide[K].item<double>(), static_cast<double>(V));
        }
      }
    }
}
TEST(Speed, LongIntegersAreRoundedOnce) {
  std::vector<int64_t> Values;
  for (int Bits = 0; Bits < 63; ++Bits)
    for (const int64_t Less : {-1, 0, 1, 3})
      for (const int64_t Sign : {-1, 1})
        Values.push_back(Sign * ((int64_t(1) << Bits) + Less));
  for (const int64_t Most : {20, 51, 63}) { // rows that are short, and others
    std::vector<int64_t> Some;
    for (const int64_t V : Values)
      if (std::abs(V) < int64_t(1) << (Most - 1))
        Some.push_back(V);
    const Tensor X = torch::tensor(Some, at::kLong), F = X.to(at::kFloat),
                 D = X.to(at::kDouble), H = X.to(at::kHalf);
    for (size_t K = 0; K < Some.size(); ++K) {
      const auto At = static_cast<int64_t>(K);
      ASSERT_EQ(F[At].item<float>(), static_cast<float>(Some[K]));
      ASSERT_EQ(D[At].item<double>(), static_cast<double>(Some[K]));
      ASSERT_EQ(H[At].item<float>(),
                float(at::Half(static_cast<float>(Some[K]))));
    }
  }
}

TEST(Speed, ActivationsOfAnyRowAgree) {
  for (const int64_t N : Lengths)
    for (const bool Above : {true, false}) {
      Tensor F = Above ? torch::rand({N}) + 0.125 : mixed(N, at::kFloat);
      const Tensor B = F.to(at::kBFloat16);
      F = B.to(at::kFloat);
      const Tensor D = F.to(at::kDouble);
      auto Expect = [&](const char *Name, auto Of) {
        const Tensor Is = Of(F), Short = Of(B), Right = Of(D);
        EXPECT_TRUE(isSame(Short, Is.to(at::kBFloat16))) << Name << " " << N;
        const Tensor Apart = (Is - Right).abs(),
                     Room = Right.abs().mul(1e-6).add(1e-7);
        EXPECT_TRUE(Apart.le(Room)
                        .logical_or(Is.eq(Right))
                        .logical_or(Is.ne(Is).logical_and(Right.ne(Right)))
                        .all()
                        .template item<bool>())
            << Name << " " << N;
        const Tensor In = B.clone(); // a row with others around it
        EXPECT_TRUE(isSame(
            Of(torch::stack({In, In, In}, 1)).select(1, 1).contiguous(), Short))
            << Name << " " << N;
      };
      Expect("elu", [](const Tensor &X) { return torch::elu(X, 1.5); });
      Expect("selu", [](const Tensor &X) { return torch::selu(X); });
      Expect("celu", [](const Tensor &X) { return torch::celu(X, 2.0); });
      for (const double Value : {0.0, 0.1, -3.0})
        EXPECT_TRUE(isSame(torch::threshold(B, 0.5, Value),
                           torch::threshold(F, 0.5, Value).to(at::kBFloat16)));
      EXPECT_TRUE(isSame(F.lgamma().to(at::kBFloat16), B.lgamma()));
    }
}

/// What stands still is computed once, in any dimension, beside others that
/// move, and written everywhere.
TEST(Speed, WhatStandsStillIsWrittenEverywhere) {
  for (const at::ScalarType Type :
       {at::kChar, at::kLong, at::kFloat, at::kHalf, at::kBFloat16})
    for (int Which = 0; Which < 16; ++Which)
      for (const int64_t Inner : {1, 5, 70}) {
        std::vector<int64_t> Sizes, Wide{3, 2, 9, Inner};
        for (size_t D = 0; D < 4; ++D)
          Sizes.push_back(Which >> D & 1 ? 1 : Wide[D]);
        const Tensor X = torch::arange(3 * 2 * 9 * Inner)
                             .remainder(23)
                             .slice(0, 0, torch::empty(Sizes).numel())
                             .view(Sizes)
                             .to(Type);
        const Tensor A = X.expand(Wide), Full = A.contiguous();
        ASSERT_TRUE(isSame(A.neg(), Full.neg())) << Which;
        ASSERT_TRUE(isSame(A + A, Full + Full)) << Which;
        ASSERT_TRUE(isSame(A.to(at::kBFloat16), Full.to(at::kBFloat16)));
        ASSERT_TRUE(isSame(A.to(at::kDouble), Full.to(at::kDouble)));
        ASSERT_TRUE(isSame(A.transpose(0, 2) * 3, Full.transpose(0, 2) * 3));
        ASSERT_TRUE(isSame(A.lt(5), Full.lt(5)));
        Tensor Out = torch::zeros({3, 2, 9, 2 * Inner}, Type);
        Out.slice(3, 0, 2 * Inner, 2).copy_(A.to(at::kDouble));
        ASSERT_TRUE(isSame(Out.slice(3, 0, 2 * Inner, 2).contiguous(), Full));
        ASSERT_EQ(Out.slice(3, 1, 2 * Inner, 2).ne(0).sum().item<int64_t>(), 0);
        Out = Full.clone();
        Out.add_(A);
        ASSERT_TRUE(isSame(Out, Full + Full));
      }
  const Tensor None = torch::empty({3, 0, 1}).expand({3, 0, 5});
  EXPECT_EQ(None.neg().numel(), 0);
  EXPECT_EQ(None.to(at::kDouble).numel(), 0);
}

/// As many as possible of the largest and smallest numbers, over each
/// dimension.
TEST(Speed, SumsOfSmallIntegersDoNotWrap) {
  for (const at::ScalarType Type : {at::kByte, at::kChar, at::kShort, at::kInt})
    for (const int64_t Columns : {1, 3, 8, 20, 300})
      for (const int64_t Rows : {1, 31, 33, 129, 5000})
        for (const bool Least : {false, true}) {
          const int64_t Bits = Type == at::kInt     ? 31
                               : Type == at::kShort ? 15
                                                    : 7;
          const int64_t V = Type == at::kByte ? (Least ? 0 : 255)
                            : Least           ? -(int64_t(1) << Bits)
                                              : (int64_t(1) << Bits) - 1;
          const Tensor X = torch::full({2, Rows, Columns}, V, Type);
          const Tensor Sums = X.sum(1);
          ASSERT_TRUE(Sums.eq(V * Rows).all().item<bool>());
          ASSERT_TRUE(X.sum(2).eq(V * Columns).all().item<bool>());
          ASSERT_EQ(X.sum().item<int64_t>(), V * 2 * Rows * Columns);
          ASSERT_TRUE(X.transpose(1, 2).sum(2).eq(V * Rows).all().item<bool>());
        }
}
/// Short runs that are not packed, beside many of them.
TEST(Speed, SumsOfShortStridedRunsAgree) {
  for (const at::ScalarType Type :
       {at::kByte, at::kShort, at::kFloat, at::kBFloat16})
    for (const int64_t N : {2, 8, 31, 32, 40})
      for (const int64_t M : {3, 64, 100}) {
        const Tensor X =
            torch::arange(M * N * 3).remainder(7).to(Type).view({M, N, 3});
        const Tensor Sums = X.transpose(1, 2).sum(2),
                     Right = X.to(at::kLong).sum(1);
        ASSERT_TRUE(Sums.to(at::kLong).equal(Right)) << M << " " << N;
        ASSERT_TRUE(X.transpose(1, 2).amax(2).to(at::kLong).equal(
            X.to(at::kLong).amax(1)));
      }
}

/// What is reduced is one element, beside others that are not.
TEST(Speed, ReductionsOfOneElementAgree) {
  for (const at::ScalarType Type :
       {at::kByte, at::kInt, at::kFloat, at::kDouble, at::kHalf, at::kBFloat16})
    for (const int64_t Inner : {1, 3, 7, 63, 64, 70}) {
      const Tensor All = torch::arange(5 * 6 * (Inner + 2))
                             .remainder(3)
                             .to(Type)
                             .view({5, 1, 6, Inner + 2}),
                   X = All.slice(3, 1, Inner + 1), Y = X.squeeze(1).clone();
      ASSERT_TRUE(X.amax(1).equal(Y));
      ASSERT_TRUE(X.sum(1).equal(Y.to(X.sum(1).scalar_type())));
      ASSERT_TRUE(X.any(1).equal(Y.ne(0).to(X.any(1).scalar_type())));
      ASSERT_TRUE(X.transpose(2, 3).amax(1, true).equal(
          Y.transpose(1, 2).unsqueeze(1)));
      if (Type == at::kFloat)
        ASSERT_TRUE(X.norm(1, {1}, false).equal(Y));
    }
  EXPECT_EQ(torch::empty({0, 1, 3}).transpose(0, 2).amax(1).numel(), 0);
  EXPECT_EQ(torch::empty({4, 1, 0, 3}).transpose(0, 3).sum(1).numel(), 0);
}

TEST(Speed, RunningValuesOfAnyLengthAgree) {
  for (const at::ScalarType Type :
       {at::kShort, at::kLong, at::kFloat, at::kDouble})
    for (const int64_t N : {1, 2, 3, 4, 5, 6, 7, 8, 9, 70})
      for (const int64_t Count : {1, 2, 255, 256, 257}) {
        const Tensor X =
            torch::arange(N * Count).remainder(5).to(Type).view({N, Count});
        const Tensor Wide = torch::zeros({N, Count + 3}, Type);
        Wide.slice(1, 0, Count).copy_(X);
        for (const Tensor &V :
             {X, X.t().contiguous().t(), Wide.slice(1, 0, Count)}) {
          const Tensor Sums = V.cumsum(1),
                       Products = (V.remainder(2) + 1)
                                      .remainder(2)
                                      .add(1)
                                      .slice(1, 0, std::min<int64_t>(Count, 20))
                                      .cumprod(1);
          for (int64_t R = 0; R < N; ++R) {
            double Sum = 0, Product = 1;
            for (int64_t K = 0; K < Count; ++K) {
              const auto E = X[R][K].item<double>();
              Sum += E;
              if (K % 50 == 0 || K + 1 == Count)
                ASSERT_EQ(Sums[R][K].item<double>(), Sum);
              if (K < 20) {
                Product *= std::fmod(std::fmod(E, 2) + 1, 2) + 1;
                ASSERT_EQ(Products[R][K].item<double>(), Product);
              }
            }
          }
        }
      }
}

TEST(Speed, FewShortFloatsAgree) {
  for (const int64_t N : {1, 4, 7, 128, 129, 300}) {
    const Tensor A = (torch::rand({N}) - 0.5).to(at::kBFloat16),
                 B = (torch::rand({N}) - 0.5).to(at::kBFloat16),
                 M = (torch::rand({5, N}) - 0.5).to(at::kBFloat16);
    const Tensor F = A.to(at::kFloat), G = B.to(at::kFloat);
    EXPECT_NEAR(A.dot(B).item<float>(), F.dot(G).item<float>(),
                0.01 * (1 + std::sqrt(static_cast<double>(N))));
    EXPECT_LE((M.mv(A).to(at::kFloat) - M.to(at::kFloat).mv(F))
                  .abs()
                  .max()
                  .item<float>(),
              0.01 * (1 + std::sqrt(static_cast<double>(N))));
    for (const Tensor &X : {A, M, M.t()})
      for (const int64_t D : {0, -1}) {
        EXPECT_TRUE(isSame(X.softmax(D),
                           X.to(at::kFloat).softmax(D).to(at::kBFloat16)));
        EXPECT_TRUE(isSame(X.log_softmax(D),
                           X.to(at::kFloat).log_softmax(D).to(at::kBFloat16)));
      }
  }
  EXPECT_EQ(torch::empty({0, 4}, at::kBFloat16).softmax(1).numel(), 0);
}

TEST(Speed, ProductsOfIntegersWrap) {
  for (const at::ScalarType Type :
       {at::kByte, at::kChar, at::kShort, at::kInt, at::kLong})
    for (const int64_t N : Lengths) {
      const Tensor A = mixed(N, Type), B = A.flip(0);
      uint64_t Sum = 0;
      for (int64_t K = 0; K < N; ++K)
        Sum += static_cast<uint64_t>(A[K].item<int64_t>()) *
               static_cast<uint64_t>(B[K].item<int64_t>());
      const Tensor Right =
          torch::full({}, static_cast<int64_t>(Sum), at::kLong).to(Type);
      EXPECT_TRUE(A.dot(B).equal(Right));
      EXPECT_TRUE(
          A.view({1, N}).matmul(B.view({N, 1})).equal(Right.view({1, 1})));
      EXPECT_TRUE(
          A.view({N, 1}).matmul(B.view({1, N})).equal(A.view({N, 1}).mul(B)));
      EXPECT_TRUE(torch::stack({A, A}, 1).select(1, 1).dot(B).equal(Right));
    }
}
TEST(Speed, ErfcKnowsTheEnds) {
  for (const at::ScalarType Type : {at::kFloat, at::kDouble}) {
    const Tensor X = torch::tensor({-1e30, -30.0, -5.0, 0.0, 1.0, 9.0, 30.0,
                                    300.0, 1e30, -HUGE_VAL, HUGE_VAL})
                         .to(Type);
    const Tensor Y = X.erfc();
    for (int64_t K = 0; K < X.numel(); ++K) {
      const double True = std::erfc(X[K].item<double>());
      EXPECT_NEAR(Y[K].item<double>(), True, 1e-6 * True) << X[K];
    }
    const Tensor Nan = torch::full({9}, std::nan(""), Type);
    EXPECT_TRUE(Nan.erfc().isnan().all().item<bool>());
  }
}
TEST(Speed, ProductsOfAnyDepthAgree) {
  for (const at::ScalarType Type :
       {at::kByte, at::kShort, at::kInt, at::kLong, at::kHalf})
    for (int64_t K = 1; K < 12; ++K) {
      const Tensor A = torch::arange(7 * K).remainder(5).to(Type).view({7, K});
      const Tensor B = torch::arange(K * 9).remainder(3).to(Type).view({K, 9});
      const Tensor R = A.unsqueeze(2).mul(B.unsqueeze(0)).to(at::kLong).sum(1);
      EXPECT_TRUE(A.matmul(B).to(at::kLong).equal(
          Type == at::kByte ? R.remainder(256) : R));
    }
}
TEST(Speed, RunningSumsOfFewBesideAgree) {
  for (const at::ScalarType Type :
       {at::kInt, at::kLong, at::kFloat, at::kDouble})
    for (int64_t Beside = 1; Beside < 6; ++Beside)
      for (const int64_t Groups : {1, 3, 21}) {
        const Tensor X = torch::arange(Groups * 7 * Beside)
                             .view({Groups, 7, Beside})
                             .to(Type);
        const Tensor R = X.cumsum(1);
        for (int64_t K = 0; K < 7; ++K)
          EXPECT_TRUE(
              R.select(1, K).equal(X.narrow(1, 0, K + 1).sum(1).to(Type)));
        EXPECT_TRUE(X.transpose(0, 1).cumsum(0).equal(R.transpose(0, 1)));
      }
}
/// Columns side by side, packed, apart, and in any order.
TEST(Speed, VariancesOfColumnsAgree) {
  for (const at::ScalarType Type :
       {at::kHalf, at::kBFloat16, at::kFloat, at::kDouble}) {
    const Tensor X = torch::arange(6 * 5 * 70).remainder(97).view({6, 5, 70});
    const Tensor Y = X.add(1000).to(Type);
    for (const Tensor &Z :
         {Y, Y.transpose(0, 2), Y.permute({1, 2, 0}), Y.slice(2, 1, 70, 3)})
      for (const std::vector<int64_t> &Over : std::vector<std::vector<int64_t>>{
               {0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {0, 1, 2}}) {
        const Tensor D = Z.to(at::kDouble), M = D.mean(Over, true);
        double N = 1;
        for (const int64_t K : Over)
          N *= static_cast<double>(Z.size(K));
        const Tensor Want = (D - M).square().sum(Over).div(N - 1).to(Type);
        EXPECT_TRUE(Z.var(Over, true, false)
                        .allclose(Want, Type == at::kBFloat16 ? 1e-2
                                        : Type == at::kHalf   ? 1e-3
                                                              : 1e-6));
      }
  }
}
/// A sum finds NaNs; where it is one without any, it does not.
TEST(Speed, ExtremesOfInfinitiesAndNans) {
  const float Nan = std::numeric_limits<float>::quiet_NaN(), Big = 3e38f;
  for (int64_t N : {8, 31, 32, 64, 96, 200, 5000}) {
    Tensor X = torch::linspace(-1, 1, N).repeat({3, 1});
    X[0][N / 3] = Infinity;
    X[0][N / 2] = -Infinity;
    X[1][N / 3] = Big;
    X[1][N / 2] = -Big;
    X[1][N - 1] = Big;
    X[2][N / 2] = Nan;
    for (const at::ScalarType Type : {at::kFloat, at::kDouble}) {
      const Tensor Top = X.to(Type).amax({1}), Low = X.to(Type).amin({1});
      EXPECT_EQ(Top[0].item<float>(), Infinity);
      EXPECT_EQ(Low[0].item<float>(), -Infinity);
      EXPECT_EQ(Top[1].item<float>(), Big);
      EXPECT_EQ(Low[1].item<float>(), -Big);
      EXPECT_TRUE(std::isnan(Top[2].item<float>()));
      EXPECT_TRUE(std::isnan(Low[2].item<float>()));
      EXPECT_TRUE(std::isnan(X.to(Type).max().item<float>()));
    }
  }
}
/// The last two parts of a row meet as doubles: as a float, 2^-160 were 0.
TEST(Speed, ProductsOfSmallNumbersAreExact) {
  Tensor X = torch::full({12}, 0x1p-20);
  X.narrow(0, 8, 4).fill_(0x1p20);
  EXPECT_EQ(X.prod().item<float>(), 0x1p-80f);
  EXPECT_TRUE(X.repeat({3, 1}).prod(1).equal(torch::full({3}, 0x1p-80)));
}
/// Rows, single elements, and what is not packed, again and again.
TEST(Speed, RepeatedRowsAgree) {
  for (const at::ScalarType Type :
       {at::kByte, at::kShort, at::kFloat, at::kDouble})
    for (const std::vector<int64_t> &Sizes : std::vector<std::vector<int64_t>>{
             {1}, {7}, {3, 1}, {3, 40}, {2, 3, 4}, {2, 1, 5}})
      for (int64_t A : {1, 2, 70})
        for (int64_t B : {1, 3})
          for (int64_t C : {1, 2}) {
            int64_t N = 1;
            for (const int64_t S : Sizes)
              N *= S;
            const Tensor X = torch::arange(N).to(Type).view(Sizes);
            for (const Tensor &Y : {X, X.transpose(0, -1)}) {
              const Tensor R = Y.repeat({C, B, A});
              auto Three = Y;
              while (Three.dim() < 3)
                Three = Three.unsqueeze(0);
              const auto Want = at::cat(
                  std::vector<Tensor>(
                      C,
                      at::cat(std::vector<Tensor>(
                                  B, at::cat(std::vector<Tensor>(A, Three), 2)),
                              1)),
                  0);
              EXPECT_TRUE(R.equal(Want));
            }
          }
}
TEST(Speed, WholePowersWrap) {
  for (const at::ScalarType Type : {at::kByte, at::kShort, at::kInt, at::kLong})
    for (int64_t Base = Type == at::kByte ? 0 : -5; Base < 9; ++Base)
      for (int64_t E = 0; E < 70; ++E) {
        uint64_t R = 1;
        for (int64_t K = 0; K < E; ++K)
          R *= static_cast<uint64_t>(Base);
        EXPECT_TRUE(
            torch::full({3}, Base, Type)
                .pow(torch::full({3}, E, Type))
                .equal(torch::full({3}, static_cast<int64_t>(R), at::kLong)
                           .to(Type)));
      }
}

TEST(Speed, ContiguousKnowsWhatHasNoPlaces) {
  const Tensor X = torch::rand({4, 1, 6});
  EXPECT_TRUE(X.contiguous().is_same(X));
  const Tensor None = X.slice(2, 0, 0), One = X.as_strided({1, 4}, {9, 1});
  EXPECT_TRUE(None.contiguous().is_same(None));
  EXPECT_TRUE(One.contiguous().is_same(One));
  EXPECT_TRUE(X[0][0][0].contiguous().dim() == 0);
  const Tensor Turned = X.permute({2, 1, 0}), Gap = X.slice(2, 0, 3);
  EXPECT_FALSE(Turned.contiguous().is_same(Turned));
  EXPECT_FALSE(Gap.contiguous().is_same(Gap));
  const Tensor Deep = torch::rand({2, 1, 3, 1, 2, 1, 2}); // beyond six
  EXPECT_TRUE(Deep.contiguous().is_same(Deep));
  EXPECT_FALSE(Deep.transpose(0, 6).is_contiguous());
  EXPECT_TRUE(Deep.transpose(0, 6).contiguous().transpose(0, 6).equal(Deep));
}

} // namespace
