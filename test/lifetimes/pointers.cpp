// The cases of tensor-raw-pointer-layout: see lifetimes.h. Each compares what a
// pointer reads with what the tensor says.

#include "lifetimes.h"
#include <algorithm>
#include <cstring>

using namespace lifetimes;

static at::Tensor counted(int64_t n) {
  auto x = at::empty({n});
  float *p = x.data_ptr<float>();
  for (int64_t i = 0; i < n; ++i)
    p[i] = static_cast<float>(i);
  return x;
}
/// Element [i, j] of a tensor with two dimensions.
static float element(const at::Tensor &x, int64_t i, int64_t j) {
  return x.select(0, i).select(0, j).item<float>();
}
static bool same(const at::Tensor &x, const float *Values) {
  bool Same = true;
  for (int64_t i = 0; i < x.size(0); ++i)
    for (int64_t j = 0; j < x.size(1); ++j)
      Same = Same && element(x, i, j) == *Values++;
  return Same;
}

// --- in a loop ---

STALE(indexed) {
  auto y = counted(24).view({4, 6}).t();
  const float *p = y.data_ptr<float>();
  bool Same = true;
  for (int64_t i = 0; i < y.size(0); ++i)
    for (int64_t j = 0; j < y.size(1); ++j) {
      float Read = p[i * y.size(1) + j];
      Same = Same && Read == element(y, i, j);
    }
  return Same;
}
LIVES(indexedWithStrides) {
  auto y = counted(24).view({4, 6}).t();
  const float *p = y.data_ptr<float>();
  bool Same = true;
  for (int64_t i = 0; i < y.size(0); ++i)
    for (int64_t j = 0; j < y.size(1); ++j) {
      float Read = p[i * y.stride(0) + j * y.stride(1)];
      Same = Same && Read == element(y, i, j);
    }
  return Same;
}
/// Rows without an inner loop: 4 of 7 elements each.
STALE(unrolledRows) {
  auto y = counted(28).view({4, 7}).slice(1, 0, 4);
  const float *p = y.data_ptr<float>();
  bool Same = true;
  for (int64_t i = 0; i < 4; ++i) {
    float Read = p[i * 4 + 2];
    Same = Same && Read == element(y, i, 2);
  }
  return Same;
}
LIVES(unrolledByStride) {
  auto y = counted(28).view({4, 7}).slice(1, 0, 4);
  const float *p = y.data_ptr<float>();
  bool Same = true;
  for (int64_t i = 0; i < 4; ++i) {
    float Read = p[i * 7 + 2];
    Same = Same && Read == element(y, i, 2);
  }
  return Same;
}
LIVES(indexedAsItLies) {
  auto y = counted(24).view({4, 6}).t();
  const float *p = y.data_ptr<float>();
  bool Same = true;
  for (int64_t j = 0; j < y.size(1); ++j)
    for (int64_t i = 0; i < y.size(0); ++i) {
      float Read = p[j * y.size(0) + i];
      Same = Same && Read == element(y, i, j);
    }
  return Same;
}
LIVES(indexedContiguous) {
  auto y = counted(24).view({4, 6}).t().contiguous();
  const float *p = y.data_ptr<float>();
  bool Same = true;
  for (int64_t i = 0; i < y.size(0); ++i)
    for (int64_t j = 0; j < y.size(1); ++j) {
      float Read = p[i * y.size(1) + j];
      Same = Same && Read == element(y, i, j);
    }
  return Same;
}
STALE(copiedInLoop) {
  auto y = counted(24).view({4, 6}).t();
  const float *p = y.data_ptr<float>();
  std::vector<float> v(24);
  for (int64_t i = 0; i < y.numel(); ++i)
    v[i] = p[i];
  return same(y, v.data());
}
STALE(elementByElement) {
  auto y = counted(24).view({4, 6}).t();
  auto z = at::empty({6, 4});
  const float *p = y.data_ptr<float>();
  float *q = z.data_ptr<float>();
  for (int64_t i = 0; i < y.numel(); ++i)
    q[i] = p[i] * 2;
  const auto Twice = y.mul(2).contiguous();
  return same(z, Twice.data_ptr<float>());
}
LIVES(elementByElementAlike) {
  auto y = counted(24).view({4, 6}).t();
  auto z = at::empty_like(y);
  const float *p = y.data_ptr<float>();
  float *q = z.data_ptr<float>();
  for (int64_t i = 0; i < y.numel(); ++i)
    q[i] = p[i] * 2;
  const auto Twice = y.mul(2).contiguous();
  return same(z, Twice.data_ptr<float>());
}
LIVES(summed) {
  auto y = counted(24).view({4, 6}).t();
  const float *p = y.data_ptr<float>();
  float Sum = 0;
  for (int64_t i = 0; i < y.numel(); ++i)
    Sum += p[i];
  return Sum == 276;
}
STALE(summedWithGaps) {
  auto y = counted(24).view({4, 6}).narrow(1, 0, 2);
  const float *p = y.data_ptr<float>();
  float Sum = 0;
  for (int64_t i = 0; i < y.numel(); ++i)
    Sum += p[i];
  return Sum == y.sum().item<float>();
}
STALE(cloneKeepsStrides) {
  auto y = counted(24).view({4, 6}).t().clone();
  const float *p = y.data_ptr<float>();
  bool Same = true;
  for (int64_t i = 0; i < y.size(0); ++i)
    for (int64_t j = 0; j < y.size(1); ++j) {
      float Read = p[i * y.size(1) + j];
      Same = Same && Read == element(y, i, j);
    }
  return Same;
}

// --- copied ---

STALE(copiedToVector) {
  auto y = counted(24).view({4, 6}).t();
  std::vector<float> v(y.data_ptr<float>(), y.data_ptr<float>() + y.numel());
  return same(y, v.data());
}
LIVES(copiedContiguous) {
  auto y = counted(24).view({4, 6}).t().contiguous();
  std::vector<float> v(y.data_ptr<float>(), y.data_ptr<float>() + y.numel());
  return same(y, v.data());
}
STALE(copiedBytes) {
  auto y = counted(24).view({4, 6}).t();
  std::vector<float> v(24);
  std::memcpy(v.data(), y.data_ptr<float>(), y.numel() * sizeof(float));
  return same(y, v.data());
}
LIVES(copiedBytesAlike) {
  auto y = counted(24).view({4, 6}).t();
  auto z = at::empty_like(y);
  std::memcpy(z.data_ptr<float>(), y.data_ptr<float>(), y.numel() * sizeof(float));
  const auto Dense = y.contiguous();
  return same(z, Dense.data_ptr<float>());
}
LIVES(filledAsItLies) {
  std::vector<float> v(24, 3);
  auto y = at::empty({4, 6}).t();
  std::memcpy(y.data_ptr<float>(), v.data(), y.numel() * sizeof(float));
  return same(y, v.data());
}
STALE(blob) {
  auto y = counted(24).view({4, 6}).t();
  auto z = at::from_blob(y.data_ptr<float>(), y.sizes());
  const auto Dense = y.contiguous();
  return same(z, Dense.data_ptr<float>());
}
LIVES(blobWithStrides) {
  auto y = counted(24).view({4, 6}).t();
  auto z = at::from_blob(y.data_ptr<float>(), y.sizes(), y.strides());
  const auto Dense = y.contiguous();
  return same(z, Dense.data_ptr<float>());
}

// --- handed on ---

STALE(handedOn) {
  auto y = counted(24).view({4, 6}).t();
  return entry(y.data_ptr<float>(), y.size(0), y.size(1), 1, 2) == element(y, 1, 2);
}
LIVES(handedOnContiguous) {
  auto y = counted(24).view({4, 6}).t();
  return entry(y.contiguous().data_ptr<float>(), y.size(0), y.size(1), 1, 2) == element(y, 1, 2);
}
LIVES(handedOnAsItLies) {
  auto y = counted(24).view({4, 6}).t();
  return entry(y.data_ptr<float>(), y.size(1), y.size(0), 2, 1) == element(y, 1, 2);
}
LIVES(handedOnWithStride) {
  auto y = counted(24).view({4, 6}).t();
  return strided(y.data_ptr<float>(), y.size(0), y.size(1), y.stride(0), y.stride(1)) == 276;
}
LIVES(handedOnToBeSummed) {
  auto y = counted(24).view({4, 6}).t();
  return sum(y.data_ptr<float>(), y.numel()) == 276;
}
STALE(handedOnWithGaps) {
  auto y = counted(24).view({4, 6}).select(1, 0);
  return sum(y.data_ptr<float>(), y.numel()) == 36;
}
STALE(handedOnBesideAnother) {
  auto y = counted(24).view({4, 6}).t();
  auto z = at::empty({6, 4});
  copy(y.data_ptr<float>(), z.data_ptr<float>(), y.numel());
  const auto Dense = y.contiguous();
  return same(z, Dense.data_ptr<float>());
}
LIVES(handedOnBesideAlike) {
  auto y = counted(24).view({4, 6}).t();
  auto z = at::empty_like(y);
  copy(y.data_ptr<float>(), z.data_ptr<float>(), y.numel());
  const auto Dense = y.contiguous();
  return same(z, Dense.data_ptr<float>());
}
