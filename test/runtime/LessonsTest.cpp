//===- LessonsTest.cpp - lessons that only the runtime can show -----------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The others are in test/judges/lessons.cpp; docs/lessons.md names them all.
//
//===----------------------------------------------------------------------===//

#include "gtest/gtest.h"
#include <cstdio>
#include <tensortidy/io.h>
#include <tensortidy/memory.h>
#include <tensortidy/report.h>
#include <tensortidy/torch.h>

namespace {

/// What the error says that \p Function throws.
template <class F> std::string errorOf(F Function) {
  try {
    Function();
  } catch (const tensortidy::Error &E) {
    return E.what();
  }
  return "nothing was thrown";
}

TEST(Lessons, lessonMemoryUse) {
  const bool Cached = tensortidy::caching_allocator_enabled();
  tensortidy::set_caching_allocator_enabled(true);
  tensortidy::empty_cache();
  const size_t Before = tensortidy::memory_allocated();
  {
    auto x = torch::zeros({1024});
    EXPECT_EQ(x.numel() * static_cast<int64_t>(x.element_size()), 4096);
    EXPECT_GE(tensortidy::memory_allocated(), Before + 4096);
  }
  EXPECT_EQ(tensortidy::memory_allocated(), Before);
  if (tensortidy::caching_allocator_enabled()) { // not under AddressSanitizer
    const size_t Kept = tensortidy::memory_reserved();
    EXPECT_GE(Kept, Before + 4096);
    tensortidy::empty_cache();
    EXPECT_LT(tensortidy::memory_reserved(), Kept);
  }
  tensortidy::set_caching_allocator_enabled(Cached);
}

TEST(Lessons, lessonAllocationsInLoops) {
  tensortidy::start_report();
  auto sum = torch::zeros({4});
  for (int i = 0; i < 5; ++i)
    sum += torch::ones({4}) * i;
  tensortidy::stop_report();
  const std::string Text = tensortidy::report_text();
  EXPECT_NE(Text.find("ones() allocated 16 bytes, 5 times "
                      "[tensor-allocation-in-loop]"),
            std::string::npos)
      << Text;
}

TEST(Lessons, lessonSavedTensor) {
  auto x = torch::ones({3});
  const tensortidy::SavedTensor Saved(x);
  x.mul_(2);
  const std::string Text = errorOf([&] { (void)Saved.unpack(); });
  EXPECT_NE(Text.find("mul_"), std::string::npos) << Text;
}

TEST(Lessons, lessonSavedFiles) {
  auto x = torch::arange(6).view({2, 3}).t(); // column-major
  const std::string Bytes = tensortidy::to_npy(x);
  EXPECT_NE(Bytes.find("'fortran_order': True"), std::string::npos);
  EXPECT_TRUE(
      tensortidy::from_npy(Bytes.data(), Bytes.size()).equal(x));
  const auto Raw = tensortidy::to_bytes(x);
  EXPECT_EQ(Raw.size(), x.nbytes());
}

TEST(Lessons, lessonBorrowedMemory) {
  std::vector<float> Data(4, 1);
  tensortidy::BorrowScope Scope;
  auto x = torch::from_blob(Data.data(), {4}, Scope);
  Scope.end();
  const std::string Text = errorOf([&] { x.sum(); });
  EXPECT_NE(Text.find("gone"), std::string::npos) << Text;
}

TEST(Lessons, lessonPointerOfTemporary) {
#if TENSORTIDY_CHECKED
  auto x = torch::zeros({2, 3});
  auto p = x.t().contiguous().data_ptr<float>();
  EXPECT_NE(errorOf([&] { p[0] = 1; }), "nothing was thrown");
#endif
}

} // namespace
