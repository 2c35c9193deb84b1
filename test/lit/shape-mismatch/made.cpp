// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-shape-mismatch -- %torch
// What members are, the constructor says: a check in a helper that no such tensor passes.

#include <torch/torch.h>

using at::Tensor;

static void splitHeads(const Tensor &q, const Tensor &kv) {
  TORCH_CHECK(q.dim() == 3 && kv.dim() == 3, "[B, T, D]");
  const int64_t width = q.size(2);
  TORCH_CHECK(kv.size(2) == 2 * width, "keys and values");
}
class Grouped {
public:
  Grouped() : wq(torch::empty({3072, 3072})), wkv(torch::empty({3072, 2048})), wide(torch::empty({3072, 6144})) {}
  void project(const Tensor &x) const {
    splitHeads(x.matmul(wq), x.matmul(wkv));
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: a check in 'splitHeads' can never hold for this call
  }
  void right(const Tensor &x) const { splitHeads(x.matmul(wq), x.matmul(wide)); }

private:
  Tensor wq, wkv, wide;
};

// What a branch has found is not what tensors are made: not by a call, either, of a method whose members are known.
class Weighted {
public:
  Weighted() : w(torch::empty({4, 4})) {}
  Tensor apply(const Tensor &x) const { return x.matmul(w); }

private:
  Tensor w;
};
Tensor branched(const Weighted &own, const Tensor &x) {
  auto y = x + 1;
  if (y.size(0) == 3) {
    auto z = own.apply(y);
    TORCH_CHECK(y.size(0) == 4, "not this one");
    return z;
  }
  return y;
}
