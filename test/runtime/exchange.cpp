// DLPack with real libtorch: the same memory, strides kept, one deletion.

#include "tensortidy/io.h"
#include "tensortidy/memory.h"
#include <ATen/ATen.h>
#include <ATen/DLConvertor.h>
#include <gtest/gtest.h>

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

} // namespace
