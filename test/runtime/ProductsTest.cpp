// Matrix products of every layout: packed, transposed, sliced, broadcast.

#include "tensortidy/memory.h"
#include "tensortidy/tensor.h"
#include <gtest/gtest.h>

using namespace tensortidy;

namespace {

/// [rows, columns] of small whole numbers, whose sums are exact, laid out in
/// one of seven ways.
Tensor matrix(int64_t Rows, int64_t Columns, int Way, ScalarType Type) {
  const Tensor Values =
      arange(Rows * Columns, Type).remainder(7).sub(3).view({Rows, Columns});
  switch (Way) {
  case 0:
    return Values;
  case 1:
    return Values.t().contiguous().t();
  case 2: { // rows with a gap
    Tensor Wide = zeros({Rows, Columns + 3}, Type).narrow(1, 1, Columns);
    return Wide.copy_(Values);
  }
  case 3: { // columns with a gap
    Tensor Tall = zeros({Columns, Rows + 2}, Type).narrow(1, 2, Rows).t();
    return Tall.copy_(Values);
  }
  case 4: { // every other element
    Tensor Sparse = zeros({Rows, Columns * 2}, Type).slice(1, 0, nullopt, 2);
    return Sparse.copy_(Values);
  }
  case 5: // one row for all
    return Values.narrow(0, 0, 1).expand({Rows, Columns});
  default: // one column for all
    return Values.narrow(1, 0, 1).expand({Rows, Columns});
  }
}

/// The definition.
double element(const Tensor &A, const Tensor &B, int64_t I, int64_t J) {
  double Sum = 0;
  for (int64_t K = 0; K < A.size(1); ++K)
    Sum += A[I][K].item<double>() * B[K][J].item<double>();
  return Sum;
}

TEST(Products, EveryLayoutGivesTheSameProduct) {
  const int64_t Sizes[][3] = {{2, 3, 4}, {1, 3, 4}, {2, 3, 1}, {1, 3, 1},
                              {3, 1, 2}, {1, 1, 1}, {5, 5, 5}};
  for (ScalarType Type : {kFloat, kDouble, kLong})
    for (const auto &S : Sizes)
      for (int WayA = 0; WayA < 7; ++WayA)
        for (int WayB = 0; WayB < 7; ++WayB) {
          const Tensor A = matrix(S[0], S[1], WayA, Type);
          const Tensor B = matrix(S[1], S[2], WayB, Type);
          const Tensor C = A.matmul(B);
          for (int64_t I = 0; I < S[0]; ++I)
            for (int64_t J = 0; J < S[2]; ++J)
              ASSERT_EQ(C[I][J].item<double>(), element(A, B, I, J))
                  << describe(A) << " by " << describe(B);
        }
}

TEST(Products, EmptySums) {
  for (ScalarType Type : {kFloat, kLong}) {
    EXPECT_TRUE(zeros({2, 0}, Type)
                    .matmul(zeros({0, 3}, Type))
                    .eq(0)
                    .all()
                    .item<bool>());
    EXPECT_TRUE(
        zeros({2, 0}, Type).matmul(zeros({0}, Type)).eq(0).all().item<bool>());
    EXPECT_EQ(zeros({0, 2}, Type).matmul(zeros({2, 3}, Type)).numel(), 0);
  }
}

TEST(Products, BatchesOfTransposedOperands) {
  const Tensor A = randn({3, 4, 5}), B = randn({3, 6, 5});
  const Tensor C = A.matmul(B.transpose(1, 2));
  for (int64_t I = 0; I < 3; ++I)
    EXPECT_TRUE(C[I].allclose(A[I].matmul(B[I].t()), 1e-5, 1e-6));
}

TEST(Products, TransposedOperandsAreNotCopied) {
  const Tensor A = zeros({64, 64}), B = zeros({64, 64});
  reset_peak_memory_stats();
  const size_t Before = memory_allocated();
  const Tensor C = A.t().matmul(B.t());
  EXPECT_EQ(max_memory_allocated() - Before, C.nbytes());
}

} // namespace
