// RUN: %silent %s --checks=-*,tensor-allocation-in-loop -- %runtime
// No finding: autograd may need each iteration's own tensor.

#include <tensortidy/aten.h>

#include <vector>

// The graph of each loss keeps its buffer, which the next copy_ would overwrite.
std::vector<at::Tensor> saved(const at::Tensor &x, const at::Tensor &w, int64_t n) {
  std::vector<at::Tensor> losses;
  for (int64_t i = 0; i < n; ++i) {
    auto buffer = torch::empty({8});
    buffer.copy_(x[i]);
    losses.push_back((buffer * w).sum());
  }
  return losses;
}

at::Tensor savedInSum(const at::Tensor &x, const at::Tensor &w, int64_t n) {
  auto total = torch::zeros({1});
  for (int64_t i = 0; i < n; ++i) {
    auto buffer = torch::empty({8});
    buffer.copy_(x[i]);
    total = total + (buffer * w).sum();
  }
  return total;
}

// A leaf of its own: gradients would add up in a shared one.
void leaf(const at::Tensor &x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    auto delta = torch::zeros({8}, at::TensorOptions().requires_grad(true));
    auto loss = ((x[i] + delta) * x[i]).sum();
    loss.backward();
  }
}

void leafLater(const at::Tensor &x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    auto delta = torch::zeros({8});
    delta.requires_grad_(true);
    auto loss = ((x[i] + delta) * x[i]).sum();
    loss.backward();
  }
}
