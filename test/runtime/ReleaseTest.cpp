//===- ReleaseTest.cpp - the release that was asked for -------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <gtest/gtest.h>
#include <sstream>
#include <stdexcept>
#include <tensortidy/release.h>
#include <tensortidy/torch.h>

namespace {

/// What the tests say of the runtime is what libtorch 1.13 does, but where they
/// ask for another one.
class Asked : public testing::Environment {
  void SetUp() override { tensortidy::set_libtorch("1.13"); }
};
const testing::Environment *const Added =
    testing::AddGlobalTestEnvironment(new Asked);

/// For the time of a test.
class As {
public:
  explicit As(const std::string &Release) : Before(tensortidy::libtorch()) {
    tensortidy::set_libtorch(Release);
  }
  As(const As &) = delete;
  ~As() { tensortidy::set_libtorch(Before); }

private:
  std::string Before;
};

std::string printed(const at::Tensor &X) {
  std::ostringstream Text;
  Text << X;
  return Text.str();
}

TEST(Release, IsRead) {
  EXPECT_EQ(tensortidy::libtorch(), "1.13");
  const As Newer("2.6.0");
  EXPECT_EQ(tensortidy::libtorch(), "2.6");
  for (const char *Text : {"", "2", "2.", ".6", "two", "2.6.1.1", "2.6a",
                           "-2.6", "1.12", "0.4", "2.1000"})
    EXPECT_THROW(tensortidy::set_libtorch(Text), std::invalid_argument) << Text;
  EXPECT_EQ(tensortidy::libtorch(), "2.6");
}

TEST(Release, DecidesWhatIsPrinted) {
  const at::Tensor X = at::full({}, 0.1, at::kDouble).add(1e-9);
  EXPECT_EQ(printed(X), "0.1\n[ CPUDoubleType{} ]");
  const As Newest("2.14");
  EXPECT_EQ(printed(X), "0.100000001\n[ CPUDoubleType{} ]");
}

TEST(Release, DecidesWhichLayout) {
  const at::Tensor X =
      at::rand({2, 3, 4, 5}).contiguous(at::MemoryFormat::ChannelsLast);
  EXPECT_TRUE(at::pad(X, {1, 1, 1, 1}, "reflect").is_contiguous());
  const As Newer("2.6");
  EXPECT_TRUE(at::pad(X, {1, 1, 1, 1}, "reflect")
                  .is_contiguous(at::MemoryFormat::ChannelsLast));
}

TEST(Release, DecidesWhatIsRefused) {
  const at::Tensor X = at::rand({2, 3, 4}), M = at::ones({2, 3}) > 0;
  const at::indexing::TensorIndex None = at::indexing::None;
  EXPECT_THROW((void)X.index({M, None}), at::Error);
  {
    const As Between("2.6"); // as before 2.14
    EXPECT_THROW((void)X.index({M, None}), at::Error);
  }
  const As Newest("2.14");
  EXPECT_EQ(X.index({M, None}).sizes(), (at::IntArrayRef{6, 1, 4}));
}

} // namespace
