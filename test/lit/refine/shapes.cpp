// RUN: %check %s --checks=-*,tensor-shape-mismatch,tensor-redundant-contiguous -- %runtime
// What comparisons of whole shapes, and of dtypes, teach.

#include <tensortidy/aten.h>

#include <vector>

#define CHECK_SHAPE(x, ...) TORCH_CHECK(x.sizes() == at::IntArrayRef({__VA_ARGS__}), #x " has another shape")

at::Tensor listed(const at::Tensor &x) {
  TORCH_CHECK(x.sizes() == at::IntArrayRef({3, 4}));
  return x.matmul(torch::zeros({5, 3}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: matmul(...): shapes 3x4 and 5x3 cannot be multiplied; throws [tensor-shape-mismatch]
}
at::Tensor byMacro(const at::Tensor &x, int64_t n) {
  CHECK_SHAPE(x, n, 4);
  return x.matmul(torch::zeros({5, 3}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: matmul(...): shapes [n, 4] and 5x3 cannot be multiplied; throws [tensor-shape-mismatch]
}
at::Tensor elsewhere(const at::Tensor &x) {
  if (x.sizes() != at::IntArrayRef({3, 4}))
    return x;
  return x.matmul(torch::zeros({5, 3}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: matmul(...): shapes 3x4 and 5x3 cannot be multiplied; throws [tensor-shape-mismatch]
}
at::Tensor asVector(const at::Tensor &x) {
  TORCH_CHECK(x.sizes().vec() == std::vector<int64_t>({3, 4}));
  return x.matmul(torch::zeros({5, 3}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: matmul(...): shapes 3x4 and 5x3 cannot be multiplied; throws [tensor-shape-mismatch]
}
static bool hasShape(const at::Tensor &x, at::IntArrayRef s) { return x.sizes() == s; }
at::Tensor byHelper(const at::Tensor &x) {
  TORCH_CHECK(hasShape(x, {3, 4}), "x has another shape");
  return x.matmul(torch::zeros({5, 3}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: matmul(...): shapes 3x4 and 5x3 cannot be multiplied; throws [tensor-shape-mismatch]
}
static void checkShape(const at::Tensor &x, std::vector<int64_t> s) {
  TORCH_CHECK(x.dim() == static_cast<int64_t>(s.size()));
  for (size_t i = 0; i < s.size(); ++i)
    TORCH_CHECK(x.size(i) == s[i]);
}
at::Tensor byLoop(const at::Tensor &x) {
  checkShape(x, {3, 4});
  return x.matmul(torch::zeros({5, 3}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: matmul(...): shapes 3x4 and 5x3 cannot be multiplied; throws [tensor-shape-mismatch]
}
at::Tensor asAnother(const at::Tensor &x) {
  auto y = torch::zeros({3, 4});
  TORCH_CHECK(x.sizes() == y.sizes());
  return x.matmul(torch::zeros({5, 3}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: matmul(...): shapes 3x4 and 5x3 cannot be multiplied; throws [tensor-shape-mismatch]
}
at::Tensor byName(const at::Tensor &x) {
  TORCH_CHECK(x.is_same_size(torch::zeros({3, 4})));
  return x.matmul(torch::zeros({5, 3}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: matmul(...): shapes 3x4 and 5x3 cannot be multiplied; throws [tensor-shape-mismatch]
}
// Neither is known yet: what one is found to be the other is.
at::Tensor paired(const at::Tensor &x, const at::Tensor &y) {
  TORCH_CHECK(x.sizes() == y.sizes());
  TORCH_CHECK(x.dim() == 2 && x.size(1) == 4);
  return y.matmul(torch::zeros({5, 3}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: matmul(...): shapes [y.size(0), 4] and 5x3 cannot be multiplied; throws [tensor-shape-mismatch]
}
// Of the same sizes, not of the same strides.
at::Tensor pairedStrides(const at::Tensor &x, const at::Tensor &y) {
  TORCH_CHECK(x.sizes() == y.sizes() && x.dim() == 2);
  TORCH_CHECK(x.is_contiguous());
  return y.contiguous() + x.contiguous();
  // CHECK-MESSAGES: :[[#@LINE-1]]:29: warning: contiguous() does nothing: 'x' is contiguous already [tensor-redundant-contiguous]
}
at::Tensor notSame(const at::Tensor &x) {
  if (x.sizes() == at::IntArrayRef({3, 4}))
    return x;
  return x.matmul(torch::zeros({5, 3}));
}
at::Tensor oneOrTheOther(const at::Tensor &x) {
  TORCH_CHECK(x.sizes() == at::IntArrayRef({3, 4}) || x.sizes() == at::IntArrayRef({3, 5}));
  return x.matmul(torch::zeros({5, 3}));
}

const double *byDType(const at::Tensor &x) {
  TORCH_CHECK(x.dtype() == torch::kFloat32);
  return x.data_ptr<double>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: data_ptr() asks for float64, 'x' has float32; throws [tensor-shape-mismatch]
}
const double *byBranch(const at::Tensor &x) {
  if (x.scalar_type() == at::kFloat)
    return x.data_ptr<double>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: data_ptr() asks for float64, 'x' has float32; throws [tensor-shape-mismatch]
  return x.data_ptr<double>();
}
const double *asOther(const at::Tensor &x) {
  auto y = torch::zeros({3}, at::kFloat);
  TORCH_CHECK(x.scalar_type() == y.scalar_type());
  return x.data_ptr<double>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: data_ptr() asks for float64, 'x' has float32; throws [tensor-shape-mismatch]
}
const float *otherBranch(const at::Tensor &x) {
  if (x.scalar_type() != at::kFloat)
    return nullptr;
  return x.data_ptr<float>();
}
const double *eitherType(const at::Tensor &x) {
  TORCH_CHECK(x.scalar_type() == at::kFloat || x.scalar_type() == at::kDouble);
  if (x.scalar_type() == at::kFloat)
    return nullptr;
  return x.data_ptr<double>();
}
// Once again a condition is what it was.
const double *correlated(const at::Tensor &x) {
  const bool isFloat = x.scalar_type() == at::kFloat;
  at::Tensor y = isFloat ? x.to(at::kDouble) : x;
  if (isFloat)
    return y.data_ptr<double>();
  return nullptr;
}
