// RUN: not %tensortidy --checks=-*,tensor-view-after-permute,tensor-redundant-contiguous,tensor-overlapping-write,tensor-hidden-copy,tensor-shape-mismatch,tensor-raw-pointer-layout %s -- %runtime-torch | FileCheck %s --implicit-check-not=warning:
// A test that nobody can see into may have asked what matters.

#include <tensortidy/torch.h>

bool packed(const at::Tensor &t);
int order(const at::Tensor &t);
void say(const char *text);
static bool usable(const at::Tensor &t) { return t.dim() > 1 && packed(t); }
void kernel(const float *x, int64_t rows, int64_t columns);

at::Tensor chosen(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  auto z = packed(y) ? y : y.contiguous();
  return z.view({-1});
}
at::Tensor replaced(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  if (!packed(y))
    y = y.contiguous();
  return y.view({-1});
}
at::Tensor byHelper(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  if (!usable(y))
    y = y.contiguous();
  return y.view({-1});
}
at::Tensor kept(int64_t a, int64_t b, bool force) {
  auto y = torch::zeros({a, b}).t();
  const bool ok = packed(y);
  if (force || !ok)
    y = y.contiguous();
  return y.view({-1});
}
at::Tensor both(int64_t a, int64_t b, bool force) {
  auto y = torch::zeros({a, b}).t();
  if (!(force && packed(y)))
    y = y.contiguous();
  return y.view({-1});
}
at::Tensor compared(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  if (order(y) == 0)
    return y.view({-1});
  return y;
}
at::Tensor checked(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  TORCH_CHECK(packed(y), "transposed");
  return y.view({-1});
}
at::Tensor overlapping(int64_t a) {
  auto y = torch::zeros({a, 1}).expand({a, 4});
  if (packed(y))
    y.add_(1);
  return y;
}
void pointers(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  if (packed(y))
    kernel(y.data_ptr<float>(), y.size(0), y.size(1));
}
at::Tensor aligned(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  return packed(y) ? y : y.contiguous();
}

enum class Order { Rows, Any };
Order orderOf(const at::Tensor &t);
at::Tensor switched(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  switch (orderOf(y)) {
  case Order::Rows:
    return y.view({-1});
  default:
    return y.reshape({-1});
  }
}
struct Facts {
  int order;
  bool isPacked() const;
};
Facts factsOf(const at::Tensor &t);
at::Tensor described(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  auto facts = factsOf(y);
  if (facts.isPacked())
    return y.view({-1});
  const int order = factsOf(y).order;
  if (order == 1)
    return y.view({-1});
  return y;
}

// Whatever the answer was.
at::Tensor logged(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  if (packed(y))
    say("packed");
  return y.view({-1});
  // CHECK: :[[#@LINE-1]]:12: warning: view({-1}) cannot merge dimensions 0 and 1 of 'y': sizes [b, a], strides [1, b]; throws unless a or b is 1 [tensor-view-after-permute]
}
// Of another tensor.
at::Tensor before(int64_t a, int64_t b) {
  auto x = torch::zeros({a, b});
  if (packed(x))
    return x.t().view({-1});
  // CHECK: :[[#@LINE-1]]:18: warning: view({-1}) cannot merge dimensions 0 and 1: sizes [b, a], strides [1, b]; throws unless a or b is 1 [tensor-view-after-permute]
  return x;
}
// Of no tensor.
at::Tensor flagged(int64_t a, int64_t b, bool fast) {
  auto y = torch::zeros({a, b}).t();
  if (!fast)
    y = y.contiguous();
  return y.view({-1});
  // CHECK: :[[#@LINE-1]]:12: warning: view({-1}) cannot merge dimensions 0 and 1 of 'y': sizes [b, a], strides [1, b]; throws when 'fast' is true, unless a or b is 1 [tensor-view-after-permute]
}
