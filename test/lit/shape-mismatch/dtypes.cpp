// RUN: %check %s --checks=-*,tensor-shape-mismatch -- %runtime
// Element types follow arithmetic, and operations ask for them.

#include <tensortidy/aten.h>

void arithmetic(const at::Tensor &x, double scale, int count) {
  auto n = torch::arange(6);
  (n * 2 + count).mean();
  // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: mean() needs a floating-point type, the tensor has int64; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: made here
  (n * scale).mean();
  (n * 0.5).mean();
  (n / 2).mean();
  n.exp().mean();
  (n + x).mean();
  (n + torch::zeros({6})).mean();
  (n + torch::zeros({6}).sum().item<float>()).mean();
  (n > 2).to(at::kFloat).mean();
  x.mean();
  (n > 2).sum().mean();
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: mean() needs a floating-point type, the tensor has int64; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: made here
}

void masks(const at::Tensor &x) {
  auto mask = torch::zeros({4}) > 0;
  1 - mask.to(at::kFloat);
  1 - mask;
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: 1 - mask needs another type than bool, 'mask' has bool; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: made here
  mask * 2 - 1;
  mask + mask;
  x - x;
  auto y = torch::zeros({4}) & mask;
  // CHECK-MESSAGES: :[[#@LINE-1]]:30: warning: ... & mask needs integers, the tensor has float32; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: made here
}

// What a macro or a template stands for may be another type each time.
template <class T> at::Tensor of(T value) {
  auto x = torch::full({3}, value);
  return x.mean();
}
at::Tensor two() { return of(1) + of(1.0); }

// one_hot() gives integers.
at::Tensor chosen(const at::Tensor &ids) {
  return torch::one_hot(ids, 8).matmul(torch::randn({8, 4}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:33: warning: matmul(...) needs int64 on both sides, the tensor has float32; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: made here
}

// A type that nobody knows is not the one there was.
void converted(const at::Tensor &x, at::ScalarType type, at::Device device) {
  auto n = torch::arange(6);
  n.to(type).mean();
  n.to(x).mean();
  n.to(x.dtype()).mean();
  n.to(x.options()).mean();
  n.to(at::TensorOptions().dtype(type).device(device)).mean();
  n.type_as(x).mean();
  n.to(device).mean();
  // CHECK-MESSAGES: :[[#@LINE-1]]:16: warning: mean() needs a floating-point type, the tensor has int64; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: made here
}

// What einsum() adds up over is multiplied as matrices are; other products are promoted.
at::Tensor contracted(int64_t n) {
  auto weights = torch::zeros({4, n}, at::kDouble);
  auto scaled = torch::einsum("ij,ij->ij", {torch::zeros({n, 4}), weights.t()});
  return scaled.to(at::kFloat) + torch::einsum("ij,jk->ik", {torch::zeros({n, 4}), weights}).sum();
  // CHECK-MESSAGES: :[[#@LINE-1]]:41: warning: einsum(ij,jk->ik, {..., weights}) needs float32 on both sides, 'weights' has float64; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: made here
}
at::Tensor contractedFine(int64_t n) {
  auto weights = torch::zeros({4, n}, at::kDouble);
  return torch::einsum("ij,jk->ik", {torch::zeros({n, 4}), weights.to(at::kFloat)});
}
