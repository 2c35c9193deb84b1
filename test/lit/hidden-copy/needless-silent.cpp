// RUN: %silent %s --checks=-*,tensor-hidden-copy,tensor-redundant-clone -- %runtime
// Copies that something needs.

#include <tensortidy/aten.h>
#include <vector>

at::Tensor next(const at::Tensor &tokens);

at::Tensor joined(const std::vector<at::Tensor> &pages) {
  std::vector<at::Tensor> rows;
  for (const auto &page : pages)
    rows.push_back(page.relu());
  return torch::cat(rows, 0);
}
// What was joined so far is read in each iteration.
at::Tensor decoded(at::Tensor tokens, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    auto logits = next(tokens);
    tokens = torch::cat({tokens, logits}, 1);
  }
  return tokens;
}
struct Cache {
  at::Tensor keys;
  void add(const std::vector<at::Tensor> &more) {
    for (const auto &k : more)
      keys = torch::cat({keys, k}, 0);
  }
};
// Once, and of another tensor in each iteration.
at::Tensor paired(const std::vector<at::Tensor> &xs, const at::Tensor &start) {
  at::Tensor last;
  auto both = torch::cat({start, start}, 0);
  for (const auto &x : xs) {
    auto pair = torch::cat({x, both}, 0);
    last = pair.sum();
  }
  return last + both;
}

at::Tensor state(int64_t n, at::Device device, const at::Tensor &x) {
  auto h = torch::zeros({n}, torch::TensorOptions().device(device));
  auto noise = torch::randn({n}).to(device); // other numbers there
  auto both = torch::zeros({n});
  auto moved = both.to(device);
  auto same = torch::ones({n}).to(torch::kFloat), data = torch::tensor({1, 2, 3}).to(device);
  return h + noise + moved + both + same + data + x.to(device);
}

void fetch(at::Tensor &host, const at::Tensor &result) {
  host.copy_(result);
  auto here = result.cpu();
  host.copy_(here);
  host.add_(here.sum());
  host.copy_(result.relu());
}

at::Tensor normalised(const at::Tensor &x) {
  auto y = x.clone();
  y.div_(255);
  return y.to(torch::kDouble);
}
at::Tensor own(const at::Tensor &x) { return x.to(torch::kFloat, false, true).div_(255); }
at::Tensor unchanged(const at::Tensor &x) {
  TORCH_CHECK(x.scalar_type() == torch::kFloat);
  return x.clone().to(torch::kFloat).mul_(2);
}
at::Tensor kept(const at::Tensor &q, std::vector<at::Tensor> &all) {
  auto low = (q & 15).to(torch::kByte);
  all.push_back(low);
  return low.clone();
}
