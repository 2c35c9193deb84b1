// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-uninitialized-read -- %torch
// A loop that writes a row in each iteration, but those that it skips.

#include <torch/torch.h>

at::Tensor products(const at::Tensor &x, const at::Tensor &dy, const std::vector<int64_t> &counts, int64_t k, int64_t n) {
  auto dw = torch::empty({static_cast<int64_t>(counts.size()), k, n}, x.options());
  // CHECK-MESSAGES: :[[#@LINE-1]]:{{.*}}: warning: the loop skips iterations, and the rows that it does not write keep what the memory held before: use zeros() [tensor-uninitialized-read]
  int64_t row = 0;
  for (size_t e = 0; e < counts.size(); ++e) {
    if (counts[e] == 0)
      continue;
    dw.select(0, e).copy_(x.narrow(0, row, counts[e]).t().mm(dy.narrow(0, row, counts[e])));
    // CHECK-MESSAGES: :[[#@LINE-1]]:{{.*}}: note: 'copy_' writes a row here
    row += counts[e];
  }
  return dw;
}
at::Tensor rows(const at::Tensor &x, const std::vector<bool> &valid) {
  auto out = torch::empty_like(x);
  // CHECK-MESSAGES: :[[#@LINE-1]]:{{.*}}: warning: the loop skips iterations
  for (size_t i = 0; i < valid.size(); ++i)
    if (valid[i])
      out[i].copy_(x[i] * 2);
  return out;
}

// All are written, by one arm or the other, or before.
at::Tensor both(const at::Tensor &x, const std::vector<bool> &valid) {
  auto out = torch::empty_like(x);
  for (size_t i = 0; i < valid.size(); ++i)
    if (valid[i])
      out[i].copy_(x[i] * 2);
    else
      out[i].zero_();
  return out;
}
at::Tensor before(const at::Tensor &x, const std::vector<bool> &valid) {
  auto out = torch::empty_like(x);
  out.zero_();
  for (size_t i = 0; i < valid.size(); ++i)
    if (valid[i])
      out[i].copy_(x[i] * 2);
  return out;
}
at::Tensor checked(const at::Tensor &x, const std::vector<int64_t> &counts) {
  auto out = torch::empty_like(x);
  for (size_t i = 0; i < counts.size(); ++i) {
    TORCH_CHECK(counts[i] > 0, "a row of nothing");
    out[i].copy_(x[i] / counts[i]);
  }
  return out;
}
// The rows that are there are packed: how many is counted as well.
at::Tensor packed(const at::Tensor &x, const std::vector<bool> &valid) {
  auto out = torch::empty_like(x);
  int64_t n = 0;
  for (size_t i = 0; i < valid.size(); ++i)
    if (valid[i])
      out[n++].copy_(x[i]);
  return out.narrow(0, 0, n);
}
// Elements of each row by a loop inside.
at::Tensor nested(const at::Tensor &x, int64_t n) {
  auto out = torch::empty_like(x);
  for (int64_t i = 0; i < x.size(0); ++i)
    for (int64_t j = 0; j < n; ++j)
      out[i][j].copy_(x[i][j]);
  return out;
}
