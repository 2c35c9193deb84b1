// RUN: %check %s -- %runtime
// RUN: %silent %s -- -DSILENT %runtime

// Autocast makes floats and halves one type, and leaves all others.

#include <tensortidy/aten.h>

#ifndef SILENT

at::Tensor scores(int64_t n, int64_t d) {
  at::Tensor q = at::zeros({n, d}, at::kHalf), k = at::zeros({d, n});
  // CHECK-MESSAGES: :[[@LINE+1]]:14: warning: mm(q, k) needs float16 on both sides, 'k' has float32; throws unless autocast is on
  return at::mm(q, k);
}
at::Tensor cached(const at::Tensor &x, int64_t n) {
  at::Tensor keys = x.view({n, 64}).to(at::kBFloat16);
  at::Tensor query = at::ones({1, 64});
  // CHECK-MESSAGES: :[[@LINE+1]]:14: warning: matmul(query, ...) needs float32 on both sides, the tensor has bfloat16; throws unless autocast is on
  return at::matmul(query, keys.t());
}
at::Tensor mixed(int64_t n) {
  at::Tensor q = at::zeros({n, 4}, at::kHalf), k = at::zeros({4, n}, at::kDouble);
  // CHECK-MESSAGES: :[[@LINE+1]]:14: warning: mm(q, k) needs float16 on both sides, 'k' has float64; throws [
  return at::mm(q, k);
}
at::Tensor put(int64_t n, const at::Tensor &rows) {
  at::Tensor x = at::zeros({n, 6}), some = at::zeros({4}, at::kLong);
  // CHECK-MESSAGES: :[[@LINE+1]]:5: warning: index_put_({some}, ...): size 3 does not fit into the size 4 of dimension 0; throws
  x.index_put_({some}, at::ones({3, 6}));
  return x;
}

#else

namespace at::autocast {
bool is_autocast_enabled(at::DeviceType);
}

at::Tensor guarded(int64_t n, int64_t d) {
  at::Tensor q = at::zeros({n, d}, at::kHalf), k = at::zeros({d, n});
  if (!at::autocast::is_autocast_enabled(at::kCUDA))
    k = k.to(at::kHalf);
  return at::mm(q, k);
}
at::Tensor converted(const at::Tensor &x, int64_t n) {
  at::Tensor keys = x.view({n, 64}).to(at::kHalf);
  return at::matmul(at::ones({1, 64}, keys.scalar_type()), keys.t()) + at::ones({1, n});
}
at::Tensor either(const at::Tensor &x, bool half, int64_t n) {
  at::Tensor w = at::zeros({n, n});
  at::Tensor y = half ? x.to(at::kHalf) : x.to(at::kFloat);
  if (half)
    w = w.to(at::kHalf);
  return at::mm(y, w);
}
at::Tensor placed(int64_t n, const at::Tensor &values) {
  at::Tensor x = at::zeros({n, 6}), some = at::zeros({4}, at::kLong);
  x.index_put_({some}, at::ones({4, 6}));
  x.index_put_({some}, at::ones({6}));
  x.index_put_({some}, at::ones({1, 1, 4, 6}));
  x.index_put_({some, some}, at::ones({4}));
  x.index_put_({some}, at::ones({1}));
  x.index_put_({some}, values);
  return x;
}

#endif
