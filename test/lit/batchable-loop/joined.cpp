// RUN: %check %s --checks=-*,tensor-batchable-loop -- %runtime
// Rows joined one by one, and rows that keep their dimension.

#include <tensortidy/aten.h>
#include <vector>

at::Tensor grows(const at::Tensor &x, const at::Tensor &w) {
  auto all = torch::empty({0, 5});
  for (int64_t i = 0; i < x.size(0); ++i)
    all = torch::cat({all, x[i].unsqueeze(0).mm(w)});
  // CHECK-MESSAGES: :[[#@LINE-1]]:46: warning: this loop goes row by row; x.matmul(w) computes all rows at once [tensor-batchable-loop]
  // CHECK-MESSAGES: :[[#@LINE-2]]:18: note: 'all' grows here, by a copy of all rows before it each time
  return all;
}

at::Tensor read(const at::Tensor &x, const at::Tensor &w) {
  auto all = torch::empty({0, 5});
  for (int64_t i = 0; i < x.size(0); ++i) {
    auto row = x[i].unsqueeze(0).mm(w) + all.sum();
    all = torch::cat({all, row});
  }
  return all;
}

at::Tensor narrowed(const at::Tensor &x, const at::Tensor &w) {
  std::vector<at::Tensor> ys;
  for (int64_t i = 0; i < x.size(0); ++i)
    ys.push_back(x.narrow(0, i, 1).mm(w));
  // CHECK-MESSAGES: :[[#@LINE-1]]:36: warning: this loop goes row by row; x.matmul(w) computes all rows at once [tensor-batchable-loop]
  // CHECK-MESSAGES: :[[#@LINE-2]]:5: note: the rows are collected here
  // CHECK-MESSAGES: :[[#@LINE+1]]:17: note: and joined here, with a copy that is then not needed
  return torch::cat(ys, 0);
}

at::Tensor windows(const at::Tensor &x, const at::Tensor &w) {
  std::vector<at::Tensor> ys;
  for (int64_t i = 0; i < x.size(0); ++i)
    ys.push_back(x.slice(0, i, i + 2).mm(w));
  return torch::cat(ys, 0);
}

at::Tensor placed(const at::Tensor &x, const at::Tensor &w) {
  auto out = torch::empty({x.size(0), w.size(1)});
  for (int64_t i = 0; i < x.size(0); ++i)
    out[i] = x[i].matmul(w);
  // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: this loop goes row by row; x.matmul(w) computes all rows at once where 'w' has at most two dimensions [tensor-batchable-loop]
  // CHECK-MESSAGES: :[[#@LINE-2]]:12: note: the rows are copied here, into 'out'
  return out;
}
