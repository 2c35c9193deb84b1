// RUN: %check %s --checks=-*,tensor-view-after-permute,tensor-raw-pointer-layout -- %runtime
// What the program goes on after proves how long rows are whose width nothing else tells.

#include <tensortidy/aten.h>

using namespace at::indexing;
void normalize(const void *p, int64_t rows, int64_t width);

// Behind q there is a part of k: rows are longer than k.
at::Tensor keys(const at::Tensor &x, const at::Tensor &w, int64_t b, int64_t t, int64_t q, int64_t k) {
  auto qkv = at::linear(x.view({b * t, -1}), w);
  auto part = qkv.narrow(1, q, k);
  return part.view({b, t * k});
  // CHECK-MESSAGES: :[[#@LINE-1]]:15: warning: view({b, t*k}) cannot merge dimensions 0 and 1 of 'part': sizes [b*t, k], strides [w.size(0), 1]; throws unless t or k is 1, or q is 0 [tensor-view-after-permute]
  // CHECK-MESSAGES: note: 'part' got this layout here: narrow(1, q, k) of a contiguous
  // CHECK-MESSAGES: :[[#@LINE-4]]:19: note: w.size(0) is at least k + q by this
  // CHECK-MESSAGES: note: reshape() copies
}

// A later line proves it as well.
at::Tensor gated(const at::Tensor &x, const at::Tensor &w, int64_t n, int64_t d) {
  auto y = at::mm(x.view({n, -1}), w);
  auto gate = y.narrow(-1, 0, d).view({-1});
  // CHECK-MESSAGES: :[[#@LINE-1]]:34: warning: view({-1}) cannot merge dimensions 0 and 1: sizes [n, d], strides [w.size(1), 1]; throws unless n or d is 1 [tensor-view-after-permute]
  // CHECK-MESSAGES: note: the tensor got this layout here
  // CHECK-MESSAGES: :[[#@LINE+2]]:15: note: w.size(1) is at least 2*d by this
  // CHECK-MESSAGES: note: reshape() copies
  auto up = y.narrow(-1, d, d);
  return gate * up.reshape({-1});
}

struct Projection {
  int64_t first, second;
  at::Tensor weight;
  at::Tensor apply(const at::Tensor &x) const {
    auto n = x.size(0), c = x.size(1);
    auto y = at::mm(x.view({n, c}), weight);
    auto a = y.narrow(1, 0, first), b = y.narrow(1, first, second);
    return a.view({n * first}) * b.sum();
    // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: view({n*first}) cannot merge dimensions 0 and 1 of 'a': sizes [n, first], strides [weight.size(1), 1]; throws unless n or first is 1 [tensor-view-after-permute]
    // CHECK-MESSAGES: note: 'a' got this layout here
    // CHECK-MESSAGES: :[[#@LINE-4]]:43: note: weight.size(1) is at least second + first by this
    // CHECK-MESSAGES: note: reshape() copies
  }
};

// Ranges between two names are there.
void ranges(const at::Tensor &given, int64_t q, int64_t k) {
  TORCH_CHECK(given.dim() == 2);
  auto x = given.contiguous();
  auto part = x.slice(1, q, q + k);
  normalize(part.data_ptr<float>(), x.size(0), k);
  // CHECK-MESSAGES: :[[#@LINE-1]]:18: warning: 'normalize' gets 'part' without its strides and takes given.size(0)*k elements in a row: sizes [given.size(0), k], strides [given.size(1), 1]; wrong unless given.size(0) is 1 or q is 0 [tensor-raw-pointer-layout]
  // CHECK-MESSAGES: note: 'part' got this layout here
  // CHECK-MESSAGES: note: contiguous() before data_ptr() copies
  auto same = x.index({Slice(), Slice(q, q + k)}).view({-1});
  // CHECK-MESSAGES: :[[#@LINE-1]]:51: warning: view({-1}) cannot merge dimensions 0 and 1: sizes [given.size(0), k], strides [given.size(1), 1]; throws unless given.size(0) or k is 1, or q is 0 [tensor-view-after-permute]
  // CHECK-MESSAGES: note: the tensor got this layout here
  // CHECK-MESSAGES: note: given.size(1) is at least k + q by this
  // CHECK-MESSAGES: note: reshape() copies
}

at::Tensor corners(const at::Tensor &given) {
  TORCH_CHECK(given.dim() == 2);
  auto x = given.contiguous();
  auto from = x.slice(1, 0, 2), to = x.slice(1, 2, 4);
  return from.view({-1}) - to.contiguous().view({-1});
  // CHECK-MESSAGES: :[[#@LINE-1]]:15: warning: view({-1}) cannot merge dimensions 0 and 1 of 'from': sizes [given.size(0), 2], strides [given.size(1), 1]; throws unless given.size(0) is 1 [tensor-view-after-permute]
  // CHECK-MESSAGES: note: 'from' got this layout here
  // CHECK-MESSAGES: note: given.size(1) is at least 4
  // CHECK-MESSAGES: note: reshape() copies
}

// So is an element.
at::Tensor boxes(const at::Tensor &given) {
  TORCH_CHECK(given.dim() == 2);
  auto x = given.contiguous();
  auto score = x.select(1, 4);
  return x.narrow(1, 0, 4).view({-1}) + score.sum();
  // CHECK-MESSAGES: :[[#@LINE-1]]:28: warning: view({-1}) cannot merge dimensions 0 and 1: sizes [given.size(0), 4], strides [given.size(1), 1]; throws unless given.size(0) is 1 [tensor-view-after-permute]
  // CHECK-MESSAGES: note: the tensor got this layout here
  // CHECK-MESSAGES: note: given.size(1) is at least 5
  // CHECK-MESSAGES: note: reshape() copies
}

// Parts of all sizes are the whole.
at::Tensor split(const at::Tensor &given, int64_t q, int64_t k) {
  TORCH_CHECK(given.dim() == 2);
  auto parts = given.contiguous().split_with_sizes({q, k, k}, -1);
  return parts[0].view({-1});
  // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: view({-1}) cannot merge dimensions 0 and 1: sizes [given.size(0), q], strides [2*k + q, 1]; throws unless given.size(0) or q is 1 [tensor-view-after-permute]
  // CHECK-MESSAGES: note: the tensor got this layout here
  // CHECK-MESSAGES: note: reshape() copies
}

// Checks say it.
at::Tensor checked(const at::Tensor &given, int64_t q, int64_t k) {
  TORCH_CHECK(given.dim() == 2 && given.size(1) >= q + k);
  return given.contiguous().narrow(1, 0, q).view({-1});
  // CHECK-MESSAGES: :[[#@LINE-1]]:45: warning: view({-1}) cannot merge dimensions 0 and 1: sizes [given.size(0), q], strides [given.size(1), 1]; throws unless given.size(0) or q is 1, or k is 0 [tensor-view-after-permute]
  // CHECK-MESSAGES: note: the tensor got this layout here
  // CHECK-MESSAGES: note: reshape() copies
}
at::Tensor less(const at::Tensor &given, int64_t q) {
  TORCH_CHECK(given.dim() == 2);
  TORCH_CHECK(q < given.size(1));
  return given.contiguous().narrow(1, 0, q).view({-1});
  // CHECK-MESSAGES: :[[#@LINE-1]]:45: warning: view({-1}) cannot merge dimensions 0 and 1: sizes [given.size(0), q], strides [given.size(1), 1]; throws unless given.size(0) or q is 1 [tensor-view-after-permute]
  // CHECK-MESSAGES: note: the tensor got this layout here
  // CHECK-MESSAGES: note: reshape() copies
}

// --- It may be all of a row, or nothing says that it is not.

at::Tensor all(const at::Tensor &given, int64_t q) {
  TORCH_CHECK(given.dim() == 2);
  return given.contiguous().narrow(1, 0, q).view({-1});
}
at::Tensor most(const at::Tensor &given, int64_t q) {
  TORCH_CHECK(given.dim() == 2);
  return given.contiguous().slice(1, 0, q).view({-1});
}
at::Tensor onePath(const at::Tensor &given, bool both, int64_t q, int64_t k) {
  TORCH_CHECK(given.dim() == 2);
  auto x = given.contiguous();
  auto a = x.narrow(1, 0, q).view({-1});
  if (both)
    a = a + x.narrow(1, q, k).sum();
  return a;
}
at::Tensor inLoops(const at::Tensor &given, int64_t n, int64_t step) {
  TORCH_CHECK(given.dim() == 2);
  auto x = given.contiguous(), s = at::zeros({1});
  for (int64_t i = 0; i < n; i += step)
    s = s + x.slice(0, i, i + step).view({-1}).sum();
  for (int64_t i = 0; i < n; ++i)
    s = s + x.slice(1, i * step, i * step + step).view({-1}).sum();
  return s;
}
at::Tensor wholeRows(const at::Tensor &given, int64_t q, int64_t k) {
  TORCH_CHECK(given.dim() == 2);
  auto x = given.contiguous();
  return x.narrow(0, 0, q).view({-1}) * x.narrow(0, q, k).view({-1}).sum();
}
at::Tensor known(const at::Tensor &given, int64_t q) {
  TORCH_CHECK(given.dim() == 2 && given.size(1) == q);
  return given.contiguous().narrow(1, 0, q).view({-1});
}
at::Tensor splitOnly(const at::Tensor &given, int64_t q, int64_t k) {
  TORCH_CHECK(given.dim() == 2);
  auto parts = given.contiguous().split_with_sizes({q, k}, 1);
  return parts[0].view({-1, q, 1}).sum() + parts[1].contiguous().view({-1}).sum();
}
