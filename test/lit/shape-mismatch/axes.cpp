// RUN: %check %s --checks=-*,tensor-shape-mismatch -- %runtime
// Sizes that are different dimensions of one tensor are different axes: two of them are equal by chance only.

#include <tensortidy/aten.h>

at::Tensor sum(int64_t t, int64_t d) { return at::zeros({t, d}) + at::zeros({d, t}); }
// CHECK-MESSAGES: :[[#@LINE-1]]:65: warning: ... + ...: sizes d and t do not match at dimension 1; throws unless t or d is 1, or d is t [tensor-shape-mismatch]
at::Tensor scores(const at::Tensor &x, int64_t w) {
  const auto B = x.size(0), T = x.size(1), C = x.size(2);
  auto q = x.view({B, T, C}), k = x * 2.0;
  return at::bmm(q, k);
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: bmm(q, k): shapes [T, C] and [T, C] cannot be multiplied; throws unless C is T [tensor-shape-mismatch]
}
at::Tensor flattened(int64_t n, int64_t heads, int64_t groups, int64_t size) {
  auto q = at::zeros({n, heads, size}), k = at::zeros({n, groups, size});
  auto flat = k.view({n, heads * size});
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: view({n, heads*size}): shape [n, heads*size] does not fit the n*size*groups elements of 'k'; throws unless groups is heads [tensor-shape-mismatch]
  return flat + q.view({n, heads * size});
}
at::Tensor layers(int64_t batch, int64_t in, int64_t hidden, int64_t out) {
  auto x = at::zeros({batch, in});
  auto w1 = at::zeros({hidden, in}), w2 = at::zeros({hidden, out});
  auto h = at::mm(x, w1.t());
  return at::mm(h, w2.t());
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: mm(h, ...): shapes [batch, hidden] and [out, hidden] cannot be multiplied; throws unless hidden is out [tensor-shape-mismatch]
}
struct Net {
  int64_t channels, kernels;
  at::Tensor f(int64_t n) const {
    auto w = at::zeros({kernels, channels});
    return at::matmul(at::zeros({n, kernels}), w.t());
    // CHECK-MESSAGES: :[[#@LINE-1]]:16: warning: matmul(..., ...): shapes [n, kernels] and [channels, kernels] cannot be multiplied; throws unless kernels is channels [tensor-shape-mismatch]
  }
};
at::Tensor headsFirst(int64_t b, int64_t h, int64_t t, int64_t d) {
  auto q = at::zeros({b, h, t, d}), k = at::zeros({b, t, h, d});
  return at::matmul(q, k.transpose(-2, -1));
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: matmul(q, ...): sizes h and t do not match at dimension 1; throws unless h or t is 1, or h is t [tensor-shape-mismatch]
}
at::Tensor mergedHeads(const at::Tensor &x, const at::Tensor &y, int64_t n, int64_t heads, int64_t steps, int64_t size) {
  auto q = x.view({n, steps, heads, size}).transpose(1, 2).reshape({n * heads, steps, size});
  auto k = y.view({n, steps, heads, size}).permute({2, 1, 0, 3}).reshape({size, steps, heads * n});
  // CHECK-MESSAGES: :[[#@LINE-1]]:66: warning: reshape({size, steps, n*heads}) keeps the order of the elements
  return at::bmm(q, k.transpose(1, 2));
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: bmm(q, ...): sizes n*heads and size do not match at dimension 0; throws unless n*heads is size [tensor-shape-mismatch]
}
at::Tensor masked(const at::Tensor &img) {
  auto n = img.size(0), c = img.size(1), h = img.size(2), w = img.size(3);
  auto flat = img.view({n, c, h * w});
  auto mask = at::ones({n, w, h});
  return flat.view({n, c, h, w}) * mask.unsqueeze(1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:34: warning: ... * ...: sizes w and h do not match at dimension 3; throws unless h or w is 1, or w is h [tensor-shape-mismatch]
}
at::Tensor centred(int64_t rows, int64_t cols) {
  auto x = at::zeros({rows, cols});
  auto mean = x.mean(1);
  return x - mean;
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: x - mean: sizes cols and rows do not match at dimension 1; throws unless rows or cols is 1, or cols is rows [tensor-shape-mismatch]
}
at::Tensor copied(int64_t rows, int64_t cols) {
  auto x = at::zeros({rows, cols});
  auto y = at::empty({cols, rows});
  y.copy_(x);
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: copy_(x): size rows does not fit into the size cols of dimension 0 of 'y'; throws unless rows is 1 or rows is cols [tensor-shape-mismatch]
  return y;
}
at::Tensor gated(int64_t b, int64_t t, int64_t c) {
  auto x = at::zeros({b, t, c}), g = at::zeros({t});
  return x * g;
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: x * g: sizes c and t do not match at dimension 2; throws unless t or c is 1, or c is t [tensor-shape-mismatch]
}
at::Tensor joined(int64_t b, int64_t t, int64_t c) {
  auto x = at::zeros({b, t, c});
  return at::cat({x, x.transpose(1, 2)}, 0);
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: cat({x, ...}, 0): tensor 1 has size c, expected t (except in dimension 0); throws unless t is c [tensor-shape-mismatch]
}
at::Tensor expanded(int64_t b, int64_t t, int64_t c) {
  return at::zeros({b, t, c}).expand({b, c, t});
  // CHECK-MESSAGES: :[[#@LINE-1]]:31: warning: expand({b, c, t}): size c of dimension 2 is neither 1 nor t; throws unless c is 1 or t is c [tensor-shape-mismatch]
}

// --- Nothing says that they differ, or something that they do not.

at::Tensor square(const at::Tensor &a) { return a.mm(a); }
at::Tensor unrelated(const at::Tensor &a, const at::Tensor &b) {
  auto n = a.size(0), m = b.size(0);
  return a + b.sum() * n * m;
}
at::Tensor checked(int64_t n, int64_t m) {
  TORCH_CHECK(n == m);
  auto x = at::zeros({n, m});
  return x + x.t();
}
at::Tensor groups(int64_t h, int64_t g, int64_t d) {
  auto k = at::zeros({h / g, d}), q = at::zeros({h, d});
  return q + k.repeat_interleave(g, 0);
}
at::Tensor given(const at::Tensor &x, int64_t channels) {
  auto B = x.size(0), C = x.size(1), H = x.size(2), W = x.size(3);
  return x.view({B, channels, H, W}) + x.view({B, C, H * W}).sum();
}
at::Tensor cross(const at::Tensor &q, const at::Tensor &k) {
  auto B = q.size(0), T = q.size(1), D = q.size(2), S = k.size(1), E = k.size(2);
  auto att = at::bmm(q, k.transpose(1, 2)).view({B, T, S});
  return at::bmm(att, k).view({B, T, E}) + q.view({B, T, D});
}
at::Tensor gram(int64_t n, int64_t d) {
  auto x = at::zeros({n, d});
  auto s = at::mm(x, x.t());
  return s + s.t() + at::eye(n);
}
at::Tensor alike(const at::Tensor &w, int64_t in_features, int64_t in_size, int64_t out) {
  auto a = at::zeros({out, in_features}), b = at::zeros({out, in_size});
  return a + b;
}
at::Tensor tested(bool square, int64_t n, int64_t m) {
  auto x = at::zeros({n, m});
  if (n == m)
    return x + x.t();
  return x;
}
at::Tensor turned(int64_t n, int64_t m, bool flip) {
  auto x = at::zeros({n, m});
  if (flip)
    x = x.t();
  auto rows = x.size(0), cols = x.size(1);
  return x.view({rows, cols}) + at::zeros({rows, cols});
}
at::Tensor row(const at::Tensor &x, const at::Tensor &y) {
  auto B = x.size(0), T = x.size(1);
  auto m = y.view({1, T});
  return x.view({B, T}) * m + x.sum(1, true);
}

// Who adds two numbers up does not take them for one.
at::Tensor fused(const at::Tensor &x, int64_t heads, int64_t kv, int64_t dim) {
  auto row = at::zeros({x.size(0), heads * dim + 2 * kv * dim});
  auto parts = row.split_with_sizes({heads * dim, heads * dim, heads * dim}, -1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:20: warning: split_with_sizes({heads*dim, heads*dim, heads*dim}, -1): sizes sum to 3*heads*dim, the dimension has 2*dim*kv + heads*dim; throws unless heads is kv
  return parts[0];
}
at::Tensor fusedOfAnyRank(const at::Tensor &x, int64_t h, int64_t heads, int64_t kv, int64_t dim) {
  auto row = x.matmul(at::zeros({h, heads * dim + 2 * kv * dim}));
  return row.split_with_sizes({heads * dim, heads * dim, heads * dim}, -1)[0];
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: split_with_sizes({heads*dim, heads*dim, heads*dim}, -1): sizes sum to 3*heads*dim, the dimension has 2*dim*kv + heads*dim; throws unless heads is kv
}
at::Tensor fusedRight(const at::Tensor &x, int64_t heads, int64_t kv, int64_t dim) {
  auto row = at::zeros({x.size(0), heads * dim + 2 * kv * dim});
  return row.split_with_sizes({heads * dim, kv * dim, kv * dim}, -1)[0];
}
at::Tensor fusedAlike(const at::Tensor &x, int64_t heads, int64_t kv, int64_t dim) {
  TORCH_CHECK(heads == kv, "no groups");
  auto row = at::zeros({x.size(0), heads * dim + 2 * kv * dim});
  return row.view({x.size(0), 3, heads, dim});
}
// Of tensors that are given: they may have as many rows.
at::Tensor joined(const at::Tensor &left, const at::Tensor &right) {
  auto all = at::cat({left, right});
  return all.view({2, left.size(0), -1});
}
