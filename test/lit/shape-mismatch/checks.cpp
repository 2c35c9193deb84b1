// RUN: %check %s --checks=-*,tensor-shape-mismatch -- %runtime
// Checks that no call passes: in the function itself, or in one that it calls
// with such tensors; then the finding stands at the call.

#include <tensortidy/aten.h>

#include <cassert>
#include <stdexcept>

using at::Tensor;

#define CHECK_CONTIGUOUS(x) TORCH_CHECK((x).is_contiguous(), #x " must be contiguous")
#define CHECK_INPUT(x) TORCH_CHECK((x).dim() == 4, #x " must be [B, H, T, D]"); CHECK_CONTIGUOUS(x)

Tensor transposed(int64_t rows, int64_t cols) {
  auto weight = at::zeros({rows, cols}).t();
  CHECK_CONTIGUOUS(weight);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: this check can never hold: 'weight' is [cols, rows] with strides [1, cols]; fails unless rows or cols is 1 [tensor-shape-mismatch]
  // CHECK-MESSAGES: :[[#@LINE-3]]:41: note: 'weight' is [cols, rows] here: t()
  return weight;
}

static Tensor launch(const Tensor &q, const Tensor &k) {
  CHECK_INPUT(q);
  CHECK_INPUT(k);
  return at::matmul(q, k.transpose(-2, -1));
}
Tensor attention(const Tensor &x, int64_t b, int64_t t, int64_t h, int64_t d) {
  auto q = x.view({b, t, h, d}).transpose(1, 2);
  auto k = x.view({b, t, h, d}).transpose(1, 2).contiguous();
  return launch(q, k);
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: a check in 'launch' can never hold for this call when 'x' is contiguous: 'q' is [b, h, t, d] with strides [t*h*d, d, h*d, 1]; fails unless t or h is 1 [tensor-shape-mismatch]
  // CHECK-MESSAGES: :[[#@LINE-9]]:3: note: the check is here
  // CHECK-MESSAGES: :[[#@LINE-5]]:33: note: 'q' is [b, h, t, d] here: transpose(1, 2)
}
Tensor attentionOfOwn(int64_t b, int64_t t, int64_t h, int64_t d) {
  auto k = at::zeros({b, h, t, d});
  return launch(at::zeros({b, t, h, d}).transpose(1, 2), k);
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: a check in 'launch' can never hold for this call: 'launch::q' is [b, h, t, d] with strides [h*t*d, d, h*d, 1]; fails unless h or t is 1 [tensor-shape-mismatch]
  // CHECK-MESSAGES: :[[#@LINE-16]]:3: note: the check is here
  // CHECK-MESSAGES: :[[#@LINE-3]]:41: note: 'launch::q' is [b, h, t, d] here: transpose(1, 2)
}

static void scatterTo(Tensor &out, const Tensor &index) {
  TORCH_CHECK(index.scalar_type() == at::kInt, "32-bit indices expected");
  out.add_(index.sum());
}
void countAll(Tensor &out, int64_t n) {
  auto index = at::arange(n, at::kLong);
  scatterTo(out, index);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: a check in 'scatterTo' can never hold for this call: 'index' is int64 [tensor-shape-mismatch]
  // CHECK-MESSAGES: :[[#@LINE-7]]:15: note: the check is here
  // CHECK-MESSAGES: :[[#@LINE-4]]:20: note: 'index' is [n] here: arange(n, ...)
}

static void require(bool holds, const char *message) {
  if (!holds)
    throw std::runtime_error(message);
}
Tensor images(int64_t n) {
  auto batch = at::zeros({n, 3, 8, 8});
  require(batch.dim() == 3, "an image");
  // CHECK-MESSAGES: :[[#@LINE-1]]:11: warning: this check can never hold: 'batch' is [n, 3, 8, 8] [tensor-shape-mismatch]
  // CHECK-MESSAGES: :[[#@LINE-3]]:20: note: 'batch' is [n, 3, 8, 8] here: zeros({n, 3, 8, 8})
  return batch;
}

static Tensor rotate(const Tensor &x, const Tensor &cos) {
  if (x.size(-1) != 2 * cos.size(-1))
    throw std::invalid_argument("cos has half of the channels");
  return x;
}
Tensor rotated(int64_t t) { return rotate(at::zeros({t, 64}), at::ones({t, 64})); }
// CHECK-MESSAGES: :[[#@LINE-1]]:36: warning: a check in 'rotate' can never hold for this call: 'rotate::x' is [t, 64], 'rotate::cos' is [t, 64] [tensor-shape-mismatch]
// CHECK-MESSAGES: :[[#@LINE-6]]:7: note: the check is here
// CHECK-MESSAGES: :[[#@LINE-3]]:47: note: 'rotate::x' is [t, 64] here: zeros({t, 64})
// CHECK-MESSAGES: :[[#@LINE-4]]:67: note: 'rotate::cos' is [t, 64] here: ones({t, 64})

class Layer {
public:
  Tensor run(const Tensor &x) const {
    check(x);
    return x.sum(2);
  }

private:
  void check(const Tensor &x) const { assert(x.dim() == 3); }
};
Tensor layered() {
  Layer layer;
  return layer.run(at::zeros({4, 4}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: a check in 'Layer::check' can never hold for this call: 'run::x' is [4, 4] [tensor-shape-mismatch]
  // CHECK-MESSAGES: :[[#@LINE-6]]:46: note: the check is here
  // CHECK-MESSAGES: :[[#@LINE-12]]:5: note: in the call of 'Layer::check' here
  // CHECK-MESSAGES: :[[#@LINE-4]]:24: note: 'run::x' is [4, 4] here: zeros({4, 4})
}

Tensor pair(int64_t n) {
  auto a = at::zeros({n, 4}), b = at::zeros({n, 3});
  TORCH_CHECK(a.size(0) == b.size(0) && a.sizes() == b.sizes(), "same");
  // CHECK-MESSAGES: :[[#@LINE-1]]:41: warning: this check can never hold: 'a' is [n, 4], 'b' is [n, 3] [tensor-shape-mismatch]
  // CHECK-MESSAGES: :[[#@LINE-3]]:16: note: 'a' is [n, 4] here: zeros({n, 4})
  // CHECK-MESSAGES: :[[#@LINE-4]]:39: note: 'b' is [n, 3] here: zeros({n, 3})
  return a + b.sum();
}
Tensor either(const Tensor &x, int64_t n) {
  auto ids = at::zeros({n, 4});
  TORCH_CHECK(x.dim() == 2 && ids.dim() == 1, "a matrix, and a row of indices");
  // CHECK-MESSAGES: :[[#@LINE-1]]:31: warning: this check can never hold: 'ids' is [n, 4] [tensor-shape-mismatch]
  // CHECK-MESSAGES: :[[#@LINE-3]]:18: note: 'ids' is [n, 4] here: zeros({n, 4})
  return x.index_select(0, ids);
}

// Numbers of which one is computed from the other.
Tensor rotated(const Tensor &x, int64_t width, int64_t heads) {
  const int64_t head = width / heads, rot = head / 4;
  auto rows = x.view({-1, heads, head});
  TORCH_CHECK(rot == head, "the whole head is rotated");
  // CHECK-MESSAGES: :[[#@LINE-1]]:15: warning: this check can never hold: 'rot' is head/4{{.*}} [tensor-shape-mismatch]
  return rows.narrow(2, 0, rot);
}
Tensor rotatedPart(const Tensor &x, int64_t width, int64_t heads) {
  constexpr int64_t parts = 4, most = 2;
  const int64_t head = width / heads, rot = head / parts;
  auto rows = x.view({-1, heads, head});
  TORCH_CHECK(rot * parts == head && heads / parts == rot);
  TORCH_CHECK(parts == most, "of this build");
  return rows.narrow(2, 0, rot);
}

// The rows come in fours, and one call gives it a single one.
static void rows(const float *from, float *to, int64_t n, int64_t count) {
  TORCH_CHECK(count % 4 == 0);
  for (int64_t i = 0; i < n * count; ++i)
    to[i] = from[i];
}
void copyRows(const at::Tensor &x, at::Tensor &y) {
  TORCH_CHECK(x.dim() == 2 && x.is_contiguous() && y.is_contiguous());
  const int64_t n = x.size(1), full = x.size(0) - x.size(0) % 4;
  const float *from = x.data_ptr<float>();
  float *to = y.data_ptr<float>();
  rows(from, to, n, full);
  for (int64_t r = full; r < x.size(0); ++r)
    rows(from + r * n, to + r * n, n, 1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: a check in 'rows' can never hold for this call: 'rows::count' is 1 [tensor-shape-mismatch]
  rows(from, to, n, 4);
}
