// RUN: %check %s --checks=-*,tensor-shape-mismatch,tensor-view-after-permute,tensor-redundant-contiguous -- %runtime
// Dimensions counted from the front and from the back may be the same ones.

#include <tensortidy/aten.h>

// Of one dimension, the columns are the elements.
at::Tensor head(const at::Tensor &x) {
  auto dense = x.contiguous();
  auto rows = dense.size(0), columns = dense.size(-1);
  auto part = dense.index({torch::indexing::Ellipsis, torch::indexing::Slice(0, columns / 2)});
  return part.view({-1}) * rows;
}
at::Tensor ends(const at::Tensor &x0) {
  auto x = x0.contiguous();
  auto rows = x.size(0), columns = x.size(-1);
  return x.narrow(-1, 0, columns / 2).view({-1}) * rows;
}
// Of two dimensions, there is nothing between them.
at::Tensor between(const at::Tensor &x0) {
  auto x = x0.contiguous();
  auto b = x.size(0), t = x.size(1), c = x.size(-1);
  return x.narrow(-1, 0, c / 2).view({b, -1}) * t;
}
at::Tensor swapped(const at::Tensor &x0) {
  auto x = x0.contiguous();
  auto b = x.size(0), t = x.size(1), c = x.size(-1);
  return x.transpose(1, -1).view({b, t * c});
}

// Of any rank it may have, the view throws.
at::Tensor columns(const at::Tensor &x0) {
  auto x = x0.contiguous();
  auto b = x.size(0), t = x.size(1), c = x.size(2);
  return x.transpose(-1, -2).view({b, -1}) * (t + c);
  // CHECK-MESSAGES: :[[#@LINE-1]]:30: warning: view({b, -1}) cannot merge dimensions {{.*}} [tensor-view-after-permute]
  // CHECK-MESSAGES: note: the tensor got this layout here
  // CHECK-MESSAGES: note: reshape() copies
}
// The rank was asked for.
at::Tensor asked(const at::Tensor &x0) {
  auto x = x0.contiguous();
  TORCH_CHECK(x.dim() >= 3, "dimensions");
  auto b = x.size(0), t = x.size(1), c = x.size(-1);
  return x.narrow(-1, 0, c / 2).view({b, -1}) * t;
  // CHECK-MESSAGES: :[[#@LINE-1]]:33: warning: view({b, -1}) cannot merge dimensions {{.*}} [tensor-view-after-permute]
  // CHECK-MESSAGES: note: the tensor got this layout here
  // CHECK-MESSAGES: note: reshape() copies
}

// What was counted twice says nothing of the number of elements.
at::Tensor flat(const at::Tensor &x) {
  auto n = x.size(0), d = x.size(-1);
  auto y = x.view({n});
  return torch::zeros({n, d}).t().contiguous() + y;
}

// The rank is less than what was counted, and this is no dead code.
at::Tensor later(const at::Tensor &x) {
  auto n = x.size(0), d = x.size(-1);
  auto y = x.contiguous();
  if (x.dim() == 1)
    y = torch::zeros({d, n + 1}).t();
  return y.contiguous();
}
at::Tensor vector(const at::Tensor &x) {
  auto n = x.size(0), d = x.size(-1);
  TORCH_CHECK(x.dim() == 1, "one dimension");
  auto y = torch::zeros({n, 3}) + torch::zeros({d, 3});
  return y + torch::zeros({x.size(0) + 2, 3});
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: y + ...: sizes n and n + 2 do not match at dimension 0; {{.*}} [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'y' is
  // CHECK-MESSAGES: note:
}

// A view by a dimension from the front may be one of the last, which is known.
at::Tensor cut(const at::Tensor &x) {
  auto y = torch::linear(x, torch::zeros({3, 10}));
  return torch::linear(y.narrow(1, 0, 2), torch::zeros({4, 2}));
}
at::Tensor column(const at::Tensor &x) {
  return torch::linear(x, torch::zeros({3, 10})).select(1, 0) + torch::zeros({5});
}
at::Tensor parts(const at::Tensor &x) {
  auto parts = torch::linear(x, torch::zeros({6, 10})).chunk(2, 1);
  return torch::linear(parts[0], torch::zeros({4, 3}));
}
at::Tensor turned(const at::Tensor &x) {
  return torch::linear(x, torch::zeros({3, 10})).transpose(0, 1).mm(torch::zeros({5, 2}));
}
at::Tensor rows(const at::Tensor &x) { // the last one stays where it is
  auto y = torch::linear(x, torch::zeros({3, 10}));
  TORCH_CHECK(y.dim() >= 2, "rows");
  return torch::linear(y.narrow(0, 0, 2), torch::zeros({4, 2}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: linear({{.*}}): shapes {{.*}} and 2x4 cannot be multiplied; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: the tensor is
  // CHECK-MESSAGES: note: the tensor is
}
at::Tensor both(const at::Tensor &x) { // which place the first is depends on the other
  TORCH_CHECK(x.dim() == 3 || x.dim() == 2, "images");
  return x.unsqueeze(0).flatten(-2, 2);
}

// Who takes heads times width / heads of a row means all of it.
at::Tensor fusedKeys(const at::Tensor &qkv, int64_t heads, int64_t kv) {
  const int64_t width = qkv.size(2), dim = width / heads;
  auto k = qkv.narrow(2, heads * dim, kv * dim);
  auto v = qkv.narrow(2, (heads + kv) * dim, kv * dim);
  // CHECK-MESSAGES: :[[#@LINE-1]]:16: warning: narrow({{.*}} is out of range for size width
  return k + v;
}
at::Tensor fusedKeysRight(const at::Tensor &qkv, int64_t heads, int64_t kv) {
  const int64_t width = qkv.size(2), dim = width / (heads + 2 * kv);
  auto k = qkv.narrow(2, heads * dim, kv * dim);
  auto v = qkv.narrow(2, (heads + kv) * dim, kv * dim);
  return k + v;
}
// What is left of the last block.
at::Tensor blocks(const at::Tensor &x, int64_t block) {
  const int64_t n = x.size(0), full = n / block;
  auto rest = x.narrow(0, full * block, n - full * block);
  auto more = x.narrow(0, full * block, n % block);
  return x.narrow(0, 0, full * block).view({full, block, -1}).sum(1).sum(0) + rest.sum(0) + more.sum(0);
}
