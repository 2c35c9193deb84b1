//===- sanitizer.cpp - what AddressSanitizer sees of tensors --------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Raw pointers are not checked by the library. Red zones and memory that is
// gone are poisoned, so that the first stray access ends the program.
//
//===----------------------------------------------------------------------===//

#include <gtest/gtest.h>
#include <tensortidy/torch.h>
#include <vector>

namespace {

/// Not to be optimised away, or seen through.
float read(const volatile float *P, int64_t At) { return P[At]; }
void write(volatile float *P, int64_t At) { P[At] = 1; }

TEST(SanitizerDeathTest, ReadsPastTheEnd) {
  const at::Tensor X = torch::zeros({2, 3});
  const auto *P = X.data_ptr<float>();
  EXPECT_EQ(read(P, 5), 0);
  EXPECT_DEATH(read(P, 6), "AddressSanitizer: .*READ of size 4");
}
TEST(SanitizerDeathTest, ReadsBeforeTheBegin) {
  const at::Tensor X = torch::zeros({2, 3});
  const auto *P = X.data_ptr<float>();
  EXPECT_DEATH(read(P, -1), "AddressSanitizer: .*READ of size 4");
}
TEST(SanitizerDeathTest, WritesPastTheEndOfAView) {
  const at::Tensor X = torch::zeros({4, 3});
  auto *P = X.slice(0, 2).data_ptr<float>().get();
  write(P, 5);
  EXPECT_DEATH(write(P, 6), "AddressSanitizer: .*WRITE of size 4");
}
TEST(SanitizerDeathTest, ReadsWhatIsGone) {
  const float *P = nullptr;
  {
    const at::Tensor X = torch::zeros({2, 3});
    P = X.data_ptr<float>();
    EXPECT_EQ(read(P, 0), 0);
  }
  EXPECT_DEATH(read(P, 0), "AddressSanitizer: heap-use-after-free");
}
TEST(SanitizerDeathTest, ReadsWithTheWrongStrides) {
  // A kernel that takes a row of 8 for one of 6.
  const at::Tensor X = torch::zeros({2, 8}).slice(1, 0, 6).contiguous();
  const auto *P = X.data_ptr<float>();
  EXPECT_DEATH(read(P, 1 * 8 + 5), "AddressSanitizer: .*READ of size 4");
}
TEST(SanitizerDeathTest, UncheckedAccessorsAreWatched) {
  const at::Tensor X = torch::zeros({2, 3});
  at::TensorAccessor<float, 2, false> A(X.data_ptr<float>(), X.sizes().data(),
                                        X.strides().data());
  EXPECT_DEATH(read(&A[1][3], 0), "AddressSanitizer: .*READ of size 4");
}
TEST(Sanitizer, BorrowedMemoryThatIsGone) {
  auto V = std::make_unique<std::vector<float>>(6, 1.0F);
  const at::Tensor X = torch::from_blob(V->data(), {2, 3});
  EXPECT_EQ(X.sum().item<float>(), 6);
  V.reset();
  EXPECT_THROW(X.sum(), at::Error);
}

} // namespace
