// RUN: not %tensortidy --checks=-*,tensor-shape-mismatch %s -- %torch | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// The last size of what a layer gives, where the sizes of its input were asked
// for from the front: the last of those may be the one that goes.

#include <torch/torch.h>

using torch::Tensor;

struct FusedImpl : torch::nn::Module {
  FusedImpl(int64_t width, int64_t heads, int64_t kv, int64_t dim)
      : q(heads * dim), k(kv * dim) {
    proj = register_module("proj", torch::nn::Linear(width, 2 * q + 2 * k));
  }
  Tensor forward(const Tensor &x) {
    const int64_t batch = x.size(0), steps = x.size(1);
    auto row = proj->forward(x);
    auto parts = row.split_with_sizes({q, k, k}, -1);
    // CHECK: :[[#@LINE-1]]:{{.*}}: warning: split_with_sizes({heads*dim, dim*kv, dim*kv}, -1): sizes sum to 2*dim*kv + heads*dim, the dimension has 2*dim*kv + 2*heads*dim; throws unless it is empty [tensor-shape-mismatch]
    // CHECK: :[[#@LINE-3]]:{{.*}}: note: 'row' is {{.*}} here: proj(x)
    return parts[0].reshape({batch, steps, q});
  }
  Tensor gated(const Tensor &x) {
    const int64_t batch = x.size(0), steps = x.size(1);
    auto parts = proj->forward(x).split_with_sizes({q, q, k, k}, -1);
    return parts[0].reshape({batch, steps, q}) * parts[1].sigmoid();
  }
  // Rows of a matrix: the second size is the one that goes.
  Tensor rows(const Tensor &x) {
    const int64_t n = x.size(0), width = x.size(1);
    auto row = proj->forward(x);
    return row.view({n, 2 * q + 2 * k}) + x.new_zeros({n, 1}) +
           x.new_zeros({width}).sum();
  }
  Tensor one(const Tensor &x) {
    const int64_t width = x.size(0);
    return proj->forward(x).view({2, q + k}) + x.new_zeros({width}).sum();
  }
  int64_t q, k;
  torch::nn::Linear proj{nullptr};
};

Tensor project(const Tensor &x, int64_t width, int64_t out) {
  const int64_t n = x.size(0);
  auto y = x.matmul(torch::zeros({width, 2 * out}));
  return (y + torch::zeros({2 * out})).narrow(-1, out, out + 1) + n;
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: narrow(-1, out, out + 1): start out + length out + 1 exceeds the size 2*out; throws [tensor-shape-mismatch]
  // CHECK: note: {{.*}} here: y + {{.*}}
}
