// RUN: %silent %s --checks=-*,tensor-view-after-permute,tensor-redundant-contiguous,tensor-shape-mismatch,tensor-lost-write -- %runtime
// Vectors of tensors whose elements are not alike, or not as they were pushed.
#include <tensortidy/aten.h>
#include <utility>
#include <vector>

void refill(std::vector<at::Tensor> &v);

at::Tensor replaced(const at::Tensor &x) {
  std::vector<at::Tensor> ts;
  for (int64_t i = 0; i < x.size(0); ++i)
    ts.push_back(x.select(0, i).contiguous());
  for (auto &t : ts)
    t = t.t();
  return ts[0].contiguous();
}

at::Tensor turnedInPlace(const at::Tensor &x) {
  std::vector<at::Tensor> ts;
  for (int64_t i = 0; i < x.size(0); ++i)
    ts.push_back(x.select(0, i).contiguous());
  for (auto &t : ts)
    t.transpose_(0, 1);
  return ts[0].contiguous();
}

at::Tensor turnedAfterwards(const at::Tensor &x) {
  std::vector<at::Tensor> ts;
  for (int64_t i = 0; i < x.size(0); ++i) {
    auto y = x.select(0, i).contiguous();
    ts.push_back(y);
    y.t_();
  }
  return ts[0].contiguous();
}

at::Tensor refilled(const at::Tensor &x) {
  std::vector<at::Tensor> ts;
  for (int64_t i = 0; i < x.size(0); ++i)
    ts.push_back(x.select(0, i).contiguous());
  refill(ts);
  return ts[0].contiguous();
}

at::Tensor ofOwnSizes(int64_t n) {
  std::vector<at::Tensor> ts;
  for (int64_t i = 0; i < n; ++i)
    ts.push_back(torch::zeros({i, 4}));
  return ts[0] + ts[1];
}

at::Tensor twoKinds(int64_t n) {
  std::vector<at::Tensor> ts;
  for (int64_t i = 0; i < n; ++i) {
    if (i % 2)
      ts.push_back(torch::zeros({3, 4}));
    else
      ts.push_back(torch::zeros({4, 3}).t());
  }
  for (auto &t : ts)
    refill(*new std::vector<at::Tensor>{t.contiguous()});
  return ts[0].view({12});
}

at::Tensor firstIsOther(int64_t n) {
  std::vector<at::Tensor> h{torch::zeros({3, 4})};
  while (n--)
    h.push_back(h.back().t());
  return h[0].view({12});
}

at::Tensor ranNotOnce(const at::Tensor &x, int64_t n) {
  std::vector<at::Tensor> outs;
  for (int64_t i = 0; i < n; ++i)
    outs.push_back(x.narrow(1, i, 1));
  if (outs.empty())
    return x;
  return torch::cat(outs, 1).view({x.size(0), -1});
}

at::Tensor swapped() {
  at::Tensor a = torch::zeros({4, 5}), b = a.t();
  std::swap(a, b);
  return a.reshape({20});
}

at::Tensor ofNumbers(const std::vector<std::vector<int64_t>> &rows, int64_t width) {
  std::vector<int64_t> all;
  const auto count = static_cast<int64_t>(rows.size());
  for (const auto &row : rows)
    for (auto entry : row)
      all.push_back(entry);
  return torch::tensor(all).reshape({count, width});
}

at::Tensor countedParts(const at::Tensor &x, int64_t n) {
  std::vector<at::Tensor> parts;
  for (int64_t i = 0; i < n; ++i)
    parts.push_back(x.select(0, i));
  return x.view({static_cast<int64_t>(parts.size()), -1});
}
