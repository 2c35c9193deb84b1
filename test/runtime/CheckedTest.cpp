//===- CheckedTest.cpp - what the runtime refuses -------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <gtest/gtest.h>
#include <string>
#include <tensortidy/io.h>
#include <tensortidy/torch.h>
#include <vector>

using tensortidy::BorrowScope;
using tensortidy::SavedTensor;

namespace {

/// The text of what is thrown; empty when nothing is.
template <class F> std::string thrown(F Function) {
  try {
    Function();
  } catch (const at::Error &E) {
    return E.what();
  }
  return "";
}
#define THROWS(TEXT, ...)                                                      \
  EXPECT_NE(thrown([&] { __VA_ARGS__; }).find(TEXT), std::string::npos)        \
      << thrown([&] { __VA_ARGS__; })

/// AddressSanitizer ends the program at a stray access (sanitizer.cpp), before
/// the library looks.
#if defined(__SANITIZE_ADDRESS__)
#define STOPPED_BY_ASAN GTEST_SKIP() << "AddressSanitizer stops it earlier"
#else
#define STOPPED_BY_ASAN (void)0
#endif
#define LINE_HERE (std::string("CheckedTest.cpp:") + std::to_string(__LINE__))

//===--- provenance ---------------------------------------------------------===//

TEST(Provenance, NamesTheOperationAndItsLine) {
  auto x = torch::zeros({2, 3}); const auto Made = LINE_HERE;
  auto y = x.t(); const auto Turned = LINE_HERE;
  const auto Text = thrown([&] { y.view(-1); });
  const auto Failed = LINE_HERE;
  EXPECT_NE(Text.find("view([-1]) cannot merge dimensions 0 and 1: sizes [3, 2], strides [1, 3]"), std::string::npos) << Text;
  EXPECT_NE(Text.find("from t at "), std::string::npos) << Text;
  EXPECT_NE(Text.find(Turned), std::string::npos) << Text;
  EXPECT_NE(Text.find("its memory is from zeros at "), std::string::npos);
  EXPECT_NE(Text.find(Made), std::string::npos) << Text;
  EXPECT_EQ(Text.find(Failed), std::string::npos) << "it was thrown a line before";
}
TEST(Provenance, OfOperatorsToo) {
  auto x = torch::ones({2, 3});
  auto y = x + x; const auto Sum = LINE_HERE;
  EXPECT_NE(y.provenance().find(Sum), std::string::npos) << y.provenance();
  auto z = 2 * x; const auto Product = LINE_HERE;
  EXPECT_NE(z.provenance().find(Product), std::string::npos) << z.provenance();
  auto w = x[1]; const auto Row = LINE_HERE;
  EXPECT_NE(w.provenance().find(Row), std::string::npos) << w.provenance();
  x += y;
  EXPECT_EQ(x.sum().item<float>(), 18);
}

//===--- elements -----------------------------------------------------------===//

TEST(Accessor, BoundsRankAndType) {
  auto x = torch::arange(6, at::kFloat).view({2, 3});
  auto a = x.accessor<float, 2>();
  EXPECT_EQ(a[1][2], 5);
  a[0][1] = 9;
  EXPECT_EQ(x[0][1].item<float>(), 9);
  THROWS("index 3 is out of range for size 3", a[1][3] = 0);
  THROWS("index 2 is out of range for size 2", a[2]);
  THROWS("index -1", a[-1]);
  THROWS("its memory is from arange at ", a[2]);
  THROWS("there is no dimension 2 of 2", a.size(2));
  THROWS("there is no dimension -1", (x.packed_accessor64<float, 2>().stride(-1)));
  THROWS("expected 3 dimensions", (x.accessor<float, 3>()));
  THROWS("expected scalar type Double but found Float", (x.accessor<double, 2>()));
  auto t = x.t();
  auto b = t.accessor<float, 2>();
  EXPECT_EQ(b[2][1], 5);
}
TEST(Accessor, Packed) {
  auto x = torch::arange(24, at::kLong).view({2, 3, 4}).permute({2, 0, 1});
  auto a = x.packed_accessor64<int64_t, 3>();
  auto b = x.packed_accessor32<int64_t, 3, torch::RestrictPtrTraits>();
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(a[i][j][k], x[i][j][k].item<int64_t>());
        EXPECT_EQ(b[i][j][k], a[i][j][k]);
      }
  THROWS("out of range", b[3][2][0] = 0);
}
TEST(Accessor, UncheckedDoesNotLook) {
  float Data[4] = {1, 2, 3, 4};
  const int64_t Sizes[] = {2}, Strides[] = {1};
  at::TensorAccessor<float, 1, false> a(Data, Sizes, Strides);
  EXPECT_EQ(a[3], 4);
}

//===--- writes -------------------------------------------------------------===//

TEST(Overlap, RefusesWhatLibtorchRefuses) {
  auto e = torch::zeros({3, 1}).expand({3, 4});
  THROWS("writes an element more than once", e.add_(1));
  THROWS("writes an element more than once", e.copy_(torch::ones({3, 4})));
  THROWS("writes an element more than once", e += e);
  e.fill_(2); // the same for all
  auto m = torch::arange(9, at::kFloat).view({3, 3});
  THROWS("partly shares the memory", m.add_(m.t()));
  THROWS("partly shares the memory", m.copy_(m.t()));
  auto v = torch::arange(8, at::kFloat);
  auto lo = v.slice(0, 0, 6), hi = v.slice(0, 2, 8);
  THROWS("partly shares the memory", lo.mul_(hi));
  auto out = v.slice(0, 1, 7);
  THROWS("partly shares the memory", torch::add_out(out, lo, hi));
  lo.add_(lo);
  EXPECT_EQ(v[5].item<float>(), 10);
  THROWS("shares the memory", v.index_put_({torch::tensor({0, 1})}, v.slice(0, 2, 4)));
}

//===--- borrowed memory ----------------------------------------------------===//

TEST(Borrow, EndsForEveryView) {
  std::vector<float> v = {0, 1, 2, 3, 4, 5};
  BorrowScope scope;
  auto x = torch::from_blob(v.data(), {2, 3}, scope);
  auto y = x.t();
  auto own = x.clone();
  EXPECT_EQ(y[2][1].item<float>(), 5);
  scope.end();
  THROWS("its owner said it is gone at", x.add_(1));
  THROWS("borrowed by from_blob at", y.sum());
  THROWS("gone", y[0]);
  THROWS("gone", x.data_ptr<float>());
  THROWS("data: the memory was borrowed by from_blob at ", y.storage().data());
  THROWS("gone", own.copy_(x));
  EXPECT_EQ(y.size(0), 3); // asks nothing of the memory
  EXPECT_EQ(own.sum().item<float>(), 15);
}
TEST(Borrow, EndsWithTheScope) {
  float Data[4] = {1, 2, 3, 4};
  at::Tensor x;
  {
    BorrowScope scope;
    x = torch::from_blob(Data, {2, 2}, {1, 2}, scope);
    EXPECT_EQ(x[0][1].item<float>(), 3);
  }
  THROWS("gone", x.contiguous().item());
  THROWS("gone", x.mul(2));
}
TEST(Borrow, DeleterRunsOnce) {
  int Runs = 0;
  float Data[2] = {1, 2};
  {
    auto x = torch::from_blob(Data, {2}, [&](void *P) { Runs += P == Data; });
    auto y = x.slice(0, 1, 2);
    x = {};
    EXPECT_EQ(Runs, 0);
  }
  EXPECT_EQ(Runs, 1);
}

//===--- pointers of temporaries --------------------------------------------===//

TEST(TemporaryPointer, ThrowsWhenTheMemoryIsGone) {
  auto x = torch::arange(6, at::kFloat).view({2, 3});
  auto p = x.t().contiguous().data_ptr<float>();
  THROWS("taken from a temporary", p[0]);
  THROWS("contiguous at", *p = 1);
}
TEST(TemporaryPointer, IsFineWhileSomebodyOwnsIt) {
  auto x = torch::arange(6, at::kFloat).view({2, 3});
  auto p = x.t().data_ptr<float>(); // x's own memory
  EXPECT_EQ(p[5], 5);
  auto sum = [](const float *v, int n) {
    float s = 0;
    for (int i = 0; i < n; ++i)
      s += v[i];
    return s;
  };
  EXPECT_EQ(sum(x.t().contiguous().data_ptr<float>(), 6), 15);
  EXPECT_EQ(static_cast<float *>(x.view(-1).data_ptr()), x.data_ptr<float>());
  EXPECT_TRUE(x.t().data_ptr() == x.data_ptr());
  float Lent[2] = {1, 2};
  auto q = torch::from_blob(Lent, {2}).data_ptr<float>();
  EXPECT_EQ(q[1], 2);
}
TEST(TemporaryPointer, IsAnIterator) {
  auto x = torch::arange(6, at::kFloat).view({2, 3});
  const std::vector<float> v(x.view(-1).data_ptr<float>(), x.view(-1).data_ptr<float>() + 6);
  EXPECT_EQ(v, (std::vector<float>{0, 1, 2, 3, 4, 5}));
  std::fill(x[1].data_ptr<float>(), x[1].data_ptr<float>() + 3, 7.F);
  EXPECT_EQ(x.sum().item<float>(), 24);
  EXPECT_TRUE(x[0].data_ptr<float>() + 3 == x[1].data_ptr<float>());
  THROWS("two temporaries", std::vector<float>(x.t().contiguous().data_ptr<float>(), x.t().contiguous().data_ptr<float>() + 6));
  auto p = x.clone().data_ptr<float>() + 1;
  THROWS("taken from a temporary", *p);
}
TEST(TemporaryPointer, WritesThroughAPlainOneAreFound) {
  STOPPED_BY_ASAN;
  auto x = torch::arange(6, at::kFloat).view({2, 3});
  tensortidy::verify_memory();
  float *p = x.t().contiguous().data_ptr<float>();
  const float was = p[0];
  EXPECT_TRUE(was != was); // the memory is gone: NaN
  p[3] = 1;
  THROWS("a write through a pointer of a temporary", tensortidy::verify_memory());
  const unsigned char back[] = {0xff, 0xff, 0xff, 0xff};
  __builtin_memcpy(p + 3, back, 4);
  tensortidy::verify_memory();
}

//===--- memory never written -----------------------------------------------===//

TEST(Unwritten, ReadsThrow) {
  auto x = torch::empty({2, 3});
  THROWS("never written, from empty at", x.add(1));
  THROWS("never written", x.sum());
  THROWS("never written", x.mul_(2));
  THROWS("never written", x[0][0].item());
  THROWS("never written", torch::matmul(x, torch::ones({3, 2})));
  THROWS("never written", torch::ones({2, 3}) += torch::empty_like(x));
  x.fill_(1);
  EXPECT_EQ(x.sum().item<float>(), 6);
}
TEST(Unwritten, ElementByElement) {
  auto x = torch::empty({2, 3});
  x[0].fill_(1);
  EXPECT_EQ(x[0].sum().item<float>(), 3);
  THROWS("never written", x[1].sum());
  x.select(1, 0).zero_();
  EXPECT_EQ(x[1][0].item<float>(), 0);
  THROWS("never written", x.sum());
  x.index({torch::indexing::Slice(1, 2), torch::indexing::Slice(1)}).copy_(torch::ones({1, 2}));
  EXPECT_EQ(x.sum().item<float>(), 4);
}
TEST(Unwritten, CopiesCarryItAlong) {
  auto x = torch::empty({2, 3});
  auto y = x.t().contiguous(); // moves bytes, computes nothing
  THROWS("never written", y.neg());
  x[1].fill_(2);
  auto z = x.t().clone();
  EXPECT_EQ(z.select(1, 1).sum().item<float>(), 6);
  THROWS("never written", z.select(1, 0).sum());
  auto full = torch::cat({torch::ones({1, 3}), x.slice(0, 1, 2)});
  EXPECT_EQ(full.sum().item<float>(), 9);
  x.copy_(torch::zeros({2, 3}));
  EXPECT_EQ(x.sum().item<float>(), 0);
}
TEST(Unwritten, PlacesAreWrittenOneByOne) {
  auto x = torch::empty({4});
  x.index_put_({torch::tensor({0, 1, 3})}, 1.0);
  THROWS("never written", x.sum());
  x.scatter_(0, torch::tensor({2}), 5.0);
  EXPECT_EQ(x.sum().item<float>(), 8);
  auto y = torch::empty({2, 2});
  y.masked_fill_(torch::tensor({true, false, true, true}).view({2, 2}), 1);
  EXPECT_EQ(y[1].sum().item<float>(), 2);
  THROWS("never written", y.sum());
  y.index_put_({torch::tensor({0}), torch::tensor({1})}, 3.0);
  EXPECT_EQ(y.sum().item<float>(), 6);
  THROWS("never written", torch::empty({3}).scatter_add_(0, torch::tensor({1}), torch::ones({1})));
}
TEST(Unwritten, WhatGrowsIsNew) {
  auto x = torch::ones({2});
  x.resize_({4});
  EXPECT_EQ(x.slice(0, 0, 2).sum().item<float>(), 2);
  THROWS("never written", x.sum());
  x.slice(0, 2).zero_();
  EXPECT_EQ(x.sum().item<float>(), 2);
  auto y = torch::empty({0});
  torch::add_out(y, x, x);
  EXPECT_EQ(y.sum().item<float>(), 4);
  y.resize_({2});
  y.resize_({4}); // grows into what was there
  EXPECT_EQ(y.sum().item<float>(), 4);
}
TEST(Unwritten, FilesTakeNothingUnwritten) {
  auto x = torch::empty({2});
  THROWS("to_npy: reads memory that was never written", tensortidy::to_npy(x));
  THROWS("never written", tensortidy::to_bytes(x));
  x.fill_(1);
  EXPECT_EQ(tensortidy::to_bytes(x).size(), 8U);
}
TEST(Unwritten, PointersEndTheWatch) {
  auto x = torch::empty({2, 2});
  auto a = x.accessor<float, 2>();
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      a[i][j] = 1;
  EXPECT_EQ(x.sum().item<float>(), 4);
  EXPECT_EQ(torch::empty({0, 3}).sum().item<float>(), 0);
}

//===--- red zones ----------------------------------------------------------===//

TEST(RedZones, FoundOnDemand) {
  STOPPED_BY_ASAN;
  auto x = torch::zeros({5});
  auto *p = x.data_ptr<float>();
  const float before = p[-1], after = p[5];
  p[5] = 1;
  THROWS("0 bytes behind the end of memory of 20 bytes from zeros at", x.storage().verify());
  THROWS("verify", tensortidy::verify_memory());
  p[5] = after;
  p[-1] = 1;
  THROWS("4 bytes before", x.storage().verify());
  p[-1] = before;
  x.storage().verify();
  tensortidy::verify_memory();
}
TEST(RedZonesDeathTest, FoundWhenFreed) {
  STOPPED_BY_ASAN;
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(
      {
        auto x = torch::zeros({5});
        x.data_ptr<float>()[6] = 1;
      },
      "4 bytes behind the end of memory of 20 bytes from zeros");
}
TEST(RedZones, MoveWithResize) {
  auto x = torch::ones({2});
  x.resize_({100});
  x.storage().verify();
  EXPECT_EQ(x[1].item<float>(), 1);
  tensortidy::verify_memory();
}

//===--- storage ------------------------------------------------------------===//

TEST(Storage, SharedSetAndRefused) {
  auto x = torch::arange(12, at::kFloat);
  auto y = torch::zeros({0});
  y.set_(x.storage(), 2, {2, 2}, {4, 1});
  EXPECT_TRUE(y.is_alias_of(x));
  EXPECT_EQ(y[1][1].item<float>(), 7);
  EXPECT_EQ(x.storage().nbytes(), 48u);
  THROWS("as_strided", x.as_strided({100}, {1}));
  THROWS("needs 15 elements of storage, there are 12", x.as_strided({3}, {7}));
  THROWS("negative stride", x.as_strided({2}, {-1}));
  THROWS("cannot grow", torch::from_blob(x.data_ptr(), {12}).resize_({100}));
}

//===--- saved tensors ------------------------------------------------------===//

TEST(Saved, UnpackAfterAWriteThrows) {
  auto x = torch::ones({2, 3});
  SavedTensor saved(x);
  auto y = x.t();
  EXPECT_EQ(saved.unpack().sum().item<float>(), 6);
  y.mul_(2); const auto Line = LINE_HERE;
  const auto Text = thrown([&] { saved.unpack(); });
  EXPECT_NE(Text.find("was changed in place"), std::string::npos) << Text;
  EXPECT_NE(Text.find("last written by mul_ at "), std::string::npos) << Text;
  EXPECT_NE(Text.find(Line), std::string::npos) << Text;
  SavedTensor again(x);
  auto z = x + 1;
  z.add_(1);
  again.unpack();
}

} // namespace
