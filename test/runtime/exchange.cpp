// With real libtorch: DLPack, the same memory, strides kept, one deletion; and
// the files of torch::save(), in both directions.

#include "tensortidy/io.h"
#include "tensortidy/memory.h"
#include <ATen/ATen.h>
#include <ATen/DLConvertor.h>
#include <gtest/gtest.h>
#include <sstream>
#include <torch/serialize.h>

namespace {

TEST(Exchange, ToLibtorchAndBack) {
  const size_t Before = tensortidy::memory_allocated();
  {
    tensortidy::Tensor X = tensortidy::arange(24, tensortidy::kFloat)
                               .view({2, 3, 4})
                               .permute({2, 0, 1})
                               .slice(0, 1, 4, 2);
    void *Memory = X.data_ptr();
    at::Tensor Y = at::fromDLPack(tensortidy::toDLPack(X));
    EXPECT_EQ(Y.data_ptr(), Memory);
    EXPECT_EQ(Y.sizes().vec(), X.sizes().vec());
    EXPECT_EQ(Y.strides().vec(), X.strides().vec());
    Y.index({1, 0, 2}).fill_(100);
    EXPECT_EQ((X[1][0][2].item<float>()), 100);
    X = tensortidy::Tensor();
    EXPECT_GT(tensortidy::memory_allocated(), Before) << "libtorch holds it";
    EXPECT_EQ((Y.index({1, 0, 2}).item<float>()), 100);

    tensortidy::Tensor Z = tensortidy::fromDLPack(at::toDLPack(Y));
    EXPECT_EQ(Z.data_ptr(), Memory);
    EXPECT_EQ(Z.strides().vec(), Y.strides().vec());
    Y = at::Tensor();
    EXPECT_EQ((Z[1][0][2].item<float>()), 100);
  }
  EXPECT_EQ(tensortidy::memory_allocated(), Before);
}

TEST(Exchange, FromLibtorch) {
  int Deleted = 0;
  float Data[6] = {0, 1, 2, 3, 4, 5};
  {
    tensortidy::Tensor View;
    {
      at::Tensor X =
          at::from_blob(Data, {2, 3}, [&](void *) { ++Deleted; }).t();
      View = tensortidy::fromDLPack(at::toDLPack(X)).select(0, 1);
    }
    EXPECT_EQ(Deleted, 0) << "the view holds it";
    EXPECT_EQ(View.strides().vec(), std::vector<int64_t>({3}));
    EXPECT_EQ(View[1].item<float>(), 4);
  }
  EXPECT_EQ(Deleted, 1);
}

TEST(Exchange, EveryTypeBothKnow) {
  for (const auto Type :
       {tensortidy::kByte, tensortidy::kChar, tensortidy::kShort,
        tensortidy::kInt, tensortidy::kLong, tensortidy::kHalf,
        tensortidy::kFloat, tensortidy::kDouble, tensortidy::kBFloat16}) {
    const tensortidy::Tensor X = tensortidy::arange(5, Type);
    const at::Tensor Y = at::fromDLPack(tensortidy::toDLPack(X));
    EXPECT_EQ(static_cast<int>(Y.scalar_type()), static_cast<int>(Type));
    EXPECT_EQ(Y.index({3}).item<double>(), 3);
    EXPECT_EQ(tensortidy::fromDLPack(at::toDLPack(Y)).scalar_type(), Type);
  }
}

template <class A, class B> void expectSame(const A &X, const B &Y) {
  EXPECT_EQ(static_cast<int>(X.scalar_type()),
            static_cast<int>(Y.scalar_type()));
  EXPECT_EQ(X.sizes().vec(), Y.sizes().vec());
  EXPECT_EQ(X.strides().vec(), Y.strides().vec());
  EXPECT_EQ(X.storage_offset(), Y.storage_offset());
  EXPECT_EQ(X.requires_grad(), Y.requires_grad());
  const auto P = X.contiguous();
  const auto Q = Y.contiguous();
  ASSERT_EQ(P.nbytes(), Q.nbytes());
  EXPECT_EQ(std::memcmp(P.data_ptr(), Q.data_ptr(), P.nbytes()), 0);
}

/// Tensors of every type and of layouts that matter, more than a byte counts.
template <class Tensor, class F> std::vector<Tensor> samples(F Arange) {
  std::vector<Tensor> R;
  for (const int Type : {0, 1, 2, 3, 4, 5, 6, 7, 11, 15}) {
    const Tensor X = Arange(24, Type).view({2, 3, 4});
    R.push_back(X);
    R.push_back(X.permute({2, 0, 1}));
    R.push_back(X.select(1, 2).slice(1, 1, 4, 2));
    R.push_back(X[1][2][3]);
    R.push_back(X[0][0].unsqueeze(0).expand({3, 4}));
    R.push_back(X.slice(0, 0, 0));
  }
  R.push_back(Arange(100000, 6).requires_grad_(true));
  for (int K = 0; K < 250; ++K)
    R.push_back(R.front());
  return R;
}

TEST(Exchange, LibtorchLoadsWhatIsSaved) {
  const auto L = samples<tensortidy::Tensor>([](int64_t N, int Type) {
    return tensortidy::arange(N).to(static_cast<tensortidy::ScalarType>(Type));
  });
  std::stringstream Stream, One;
  tensortidy::save(L, Stream);
  std::vector<at::Tensor> M;
  torch::load(M, Stream);
  ASSERT_EQ(M.size(), L.size());
  for (size_t K = 0; K < L.size(); ++K)
    expectSame(L[K], M[K]);
  EXPECT_TRUE(M[1].is_alias_of(M[0]));
  tensortidy::save(L[1], One);
  at::Tensor X;
  torch::load(X, One);
  expectSame(L[1], X);
}
TEST(Exchange, LoadsWhatLibtorchSaved) {
  const auto L = samples<at::Tensor>([](int64_t N, int Type) {
    return at::arange(N).to(static_cast<at::ScalarType>(Type));
  });
  std::stringstream Stream, One;
  torch::save(L, Stream);
  std::vector<tensortidy::Tensor> M;
  tensortidy::load(M, Stream);
  ASSERT_EQ(M.size(), L.size());
  for (size_t K = 0; K < L.size(); ++K)
    expectSame(M[K], L[K]);
  EXPECT_EQ(M[1].storage().data(), M[0].storage().data());
  torch::save(L[1], One);
  tensortidy::Tensor X;
  tensortidy::load(X, One);
  expectSame(X, L[1]);
}

} // namespace
