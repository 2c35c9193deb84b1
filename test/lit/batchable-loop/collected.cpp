// RUN: %check %s --checks=-*,tensor-batchable-loop -- %runtime
// Rows computed one by one and joined: the batched form, with its shape.

#include <tensortidy/aten.h>

#include <vector>

at::Tensor matmul(const at::Tensor &x, const at::Tensor &w) {
  TORCH_CHECK(x.dim() == 3 && w.dim() == 2, "[B, T, C] and [C, D]");
  std::vector<at::Tensor> ys;
  ys.reserve(x.size(0));
  for (int64_t i = 0; i < x.size(0); ++i)
    ys.push_back(x[i].matmul(w));
  // CHECK-MESSAGES: :[[#@LINE-1]]:23: warning: this loop goes row by row; x.matmul(w) computes all rows at once: [x.size(0), x.size(1), w.size(1)] [tensor-batchable-loop]
  // CHECK-MESSAGES: :[[#@LINE-2]]:5: note: the rows are collected here
  // CHECK-MESSAGES: :[[#@LINE+1]]:17: note: and joined here, with a copy that is then not needed
  return torch::stack(ys);
}

at::Tensor vectors(const at::Tensor &w, int64_t n) {
  TORCH_CHECK(w.dim() == 2, "a matrix");
  auto x = torch::ones({n, 8});
  std::vector<at::Tensor> ys;
  for (int64_t i = 0; i < n; ++i) {
    auto row = torch::relu(w.mv(x[i])) * 2 + 1;
    // CHECK-MESSAGES: :[[#@LINE-1]]:44: warning: this loop goes row by row; (torch::relu(x.matmul(w.t())) * 2) + 1 computes all rows at once
    // CHECK-MESSAGES: :[[#@LINE+1]]:5: note: the rows are collected here
    ys.push_back(row.unsqueeze(0));
  }
  // CHECK-MESSAGES: :[[#@LINE+1]]:17: note: and joined here
  return torch::cat(ys, 0);
}

at::Tensor kept(const at::Tensor &x, const at::Tensor &w, const at::Tensor &b) {
  TORCH_CHECK(x.dim() == 2 && w.dim() == 2 && b.dim() == 1, "");
  std::vector<at::Tensor> ys;
  for (int64_t i = 0; i < x.size(0); ++i)
    ys.push_back(torch::linear(x[i].unsqueeze(0), w, b));
  // CHECK-MESSAGES: :[[#@LINE-1]]:25: warning: this loop goes row by row; torch::linear(x, w, b) computes all rows at once
  // CHECK-MESSAGES: :[[#@LINE-2]]:5: note:
  // CHECK-MESSAGES: :[[#@LINE+1]]:17: note:
  return torch::cat(ys);
}

// Matrices joined along their own rows, along another dimension; two batches.
at::Tensor joined(const at::Tensor &x, const at::Tensor &y, const at::Tensor &w, int64_t n) {
  TORCH_CHECK(x.dim() == 3 && y.dim() == 3 && w.dim() == 2, "");
  std::vector<at::Tensor> a, b;
  for (int64_t i = 0; i < x.size(0); ++i)
    a.push_back(x[i].mm(w));
  // CHECK-MESSAGES: :[[#@LINE-1]]:22: warning: this loop goes row by row; x.matmul(w).flatten(0, 1) computes all rows at once [tensor-batchable-loop]
  // CHECK-MESSAGES: :[[#@LINE-2]]:5: note:
  // CHECK-MESSAGES: :[[#@LINE+6]]:17: note:
  for (int64_t i = 0; i < n; ++i)
    b.push_back(x[i].mm(y[i]));
  // CHECK-MESSAGES: :[[#@LINE-1]]:22: warning: this loop goes row by row; x.narrow(0, 0, n).bmm(y.narrow(0, 0, n)).movedim(0, 1) computes all rows at once [tensor-batchable-loop]
  // CHECK-MESSAGES: :[[#@LINE-2]]:5: note:
  // CHECK-MESSAGES: :[[#@LINE+1]]:39: note:
  return torch::cat(a).sum() + torch::stack(b, 1);
}

at::Tensor assigned(const at::Tensor &x, const at::Tensor &bias) {
  TORCH_CHECK(x.dim() == 3 && bias.dim() == 1, "");
  auto y = torch::empty_like(x);
  for (int64_t i = 0; i < x.size(0); ++i)
    y[i] = torch::sigmoid(x[i] + bias);
  // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: this loop goes row by row; torch::sigmoid(x + bias) computes all rows at once: [x.size(0), x.size(1), ?] [tensor-batchable-loop]
  // CHECK-MESSAGES: :[[#@LINE-2]]:10: note: the rows are copied here, into 'y'
  return y;
}

// Ranks nobody checked: mm() and linear() ask for theirs, matmul() does not.
at::Tensor unchecked(const at::Tensor &x, const at::Tensor &w, const at::Tensor &b, int64_t n) {
  std::vector<at::Tensor> ys, zs, us, vs;
  for (int64_t i = 0; i < n; ++i)
    ys.push_back(torch::relu(x[i].matmul(w)) * 2);
  // CHECK-MESSAGES: :[[#@LINE-1]]:46: warning: this loop goes row by row; torch::relu(x.narrow(0, 0, n).matmul(w)) * 2 computes all rows at once where 'w' has at most two dimensions [tensor-batchable-loop]
  for (int64_t i = 0; i < x.size(0); ++i)
    zs.push_back(x[i].mm(w));
  // CHECK-MESSAGES: :[[#@LINE-1]]:23: warning: this loop goes row by row; x.matmul(w).flatten(0, 1) computes all rows at once [tensor-batchable-loop]
  for (int64_t i = 0; i < x.size(0); ++i)
    us.push_back(torch::linear(x[i], w, b));
  // CHECK-MESSAGES: :[[#@LINE-1]]:25: warning: this loop goes row by row; torch::linear(x, w, b) computes all rows at once [tensor-batchable-loop]
  for (int64_t i = 0; i < x.size(0); ++i)
    vs.push_back(x[i].mm(w));
  // CHECK-MESSAGES: :[[#@LINE-1]]:23: warning: this loop goes row by row; x.matmul(w) computes all rows at once: [x.size(0), x[i].size(0), w.size(1)] [tensor-batchable-loop]
  return torch::stack(ys).sum() + torch::cat(zs).sum() + torch::stack(us) + torch::stack(vs);
}

// Through a variable that is given something else meanwhile, and into rows of
// a tensor like x, whatever its rank.
at::Tensor stepwise(const at::Tensor &x, const at::Tensor &w) {
  std::vector<at::Tensor> ys;
  for (int64_t i = 0; i < x.size(0); ++i) {
    auto h = x[i].mm(w);
    h = torch::relu(h);
    // CHECK-MESSAGES: :[[#@LINE-1]]:16: warning: this loop goes row by row; torch::relu(x.matmul(w)) computes all rows at once: {{.*}} [tensor-batchable-loop]
    ys.push_back(h);
  }
  return torch::stack(ys);
}

at::Tensor alike(const at::Tensor &x) {
  auto y = torch::empty_like(x);
  for (int64_t i = 0; i < x.size(0); ++i)
    y[i] = torch::sigmoid(x[i]) * 2;
  // CHECK-MESSAGES: :[[#@LINE-1]]:33: warning: this loop goes row by row; torch::sigmoid(x) * 2 computes all rows at once [tensor-batchable-loop]
  return y;
}

// Rows of one tensor twice, and of another one.
at::Tensor swish(const at::Tensor &x) {
  auto y = torch::zeros(x.sizes());
  for (int64_t i = 0; i < x.size(0); ++i)
    y[i] = torch::sigmoid(x[i]) * x[i];
  // CHECK-MESSAGES: :[[#@LINE-1]]:33: warning: this loop goes row by row; torch::sigmoid(x) * x computes all rows at once [tensor-batchable-loop]
  return y;
}

at::Tensor products(const at::Tensor &a, const at::Tensor &b) {
  std::vector<at::Tensor> all;
  for (int i = 0; i < a.size(0); ++i)
    all.push_back(a[i].mm(b[i]));
  // CHECK-MESSAGES: :[[#@LINE-1]]:24: warning: this loop goes row by row; a.bmm(b.narrow(0, 0, a.size(0))) computes all rows at once{{.*}} [tensor-batchable-loop]
  return torch::stack(all);
}

// Their ranks may differ.
at::Tensor unlike(const at::Tensor &x, const at::Tensor &z) {
  auto y = torch::zeros(x.sizes());
  for (int64_t i = 0; i < x.size(0); ++i)
    y[i] = torch::sigmoid(x[i]) * z[i];
  return y;
}
