// RUN: %check %s --checks=-*,tensor-batchable-loop -- %runtime
// The rows that unbind() gives, by range-for and by number.

#include <tensortidy/aten.h>
#include <vector>

at::Tensor rangeFor(const at::Tensor &x, const at::Tensor &w) {
  std::vector<at::Tensor> ys;
  for (auto &row : x.unbind(0))
    ys.push_back(row.mm(w));
    // CHECK-MESSAGES: :[[#@LINE-1]]:22: warning: this loop goes row by row; x.matmul(w) computes all rows at once: [x.size(0), row.size(0), w.size(1)] [tensor-batchable-loop]
  return torch::stack(ys);
}

at::Tensor counted(const at::Tensor &x, const at::Tensor &w) {
  std::vector<at::Tensor> ys;
  auto rows = x.unbind();
  for (size_t i = 0; i < rows.size(); ++i)
    ys.push_back(torch::mm(rows[i], w));
    // CHECK-MESSAGES: :[[#@LINE-1]]:25: warning: this loop goes row by row; x.matmul(w) computes all rows at once: [x.size(0), ?.size(0), w.size(1)] [tensor-batchable-loop]
  return torch::stack(ys);
}

at::Tensor columns(const at::Tensor &x, const at::Tensor &w) {
  std::vector<at::Tensor> ys;
  for (auto &column : x.unbind(1))
    ys.push_back(column.mm(w));
  return torch::stack(ys);
}

at::Tensor pieces(const std::vector<at::Tensor> &xs, const at::Tensor &w) {
  std::vector<at::Tensor> ys;
  for (auto &x : xs)
    ys.push_back(x.mm(w));
  return torch::stack(ys);
}

at::Tensor state(const at::Tensor &x, const at::Tensor &w) {
  std::vector<at::Tensor> ys;
  auto h = torch::zeros({4, 4});
  for (auto &row : x.unbind(0)) {
    h = torch::tanh(row.mm(w) + h);
    ys.push_back(h);
  }
  return torch::stack(ys);
}
