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
