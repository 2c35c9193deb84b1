// RUN: not %tensortidy --checks=-*,tensor-* %s -- %torch | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// Copies for nothing, each with a correct twin.
#include <torch/torch.h>
at::Tensor grown(const std::vector<at::Tensor> &parts) {
  at::Tensor all = torch::empty({0, 4});
  for (const auto &p : parts)
    all = torch::cat({all, p.unsqueeze(0)}, 0);
    // CHECK: :[[#@LINE-1]]:18: warning: cat() copies all of 'all' again in every iteration: collect the parts in a list and join t{{.*}}[tensor-hidden-copy]
  return all;
}
at::Tensor joined(const std::vector<at::Tensor> &parts) {
  std::vector<at::Tensor> rows;
  at::Tensor all;
  for (const auto &p : parts) {
    rows.push_back(p.flatten());
    all = torch::stack(rows);
    // CHECK: :[[#@LINE-1]]:18: warning: stack() copies all of 'rows' again in every iteration, and the loop does not read it: join t{{.*}}[tensor-hidden-copy]
  }
  return all;
}
// Joined once, read in the loop, joined where there are enough, or begun anew.
at::Tensor joinedFine(const std::vector<at::Tensor> &parts, size_t n) {
  std::vector<at::Tensor> rows, some;
  at::Tensor all, batch, last = at::zeros({});
  for (const auto &p : parts) {
    rows.push_back(p.flatten());
    all = torch::stack(rows);
    last = last + all.sum();
  }
  for (const auto &p : parts) {
    some.push_back(p);
    if (some.size() < n)
      continue;
    batch = torch::stack(some);
    some.clear();
  }
  for (const auto &p : parts) {
    some.clear();
    some.push_back(p);
    some.push_back(last);
    batch = torch::cat(some);
  }
  return batch + last + torch::stack(rows).sum();
}
at::Tensor grownFine(const std::vector<at::Tensor> &parts) { return torch::stack(parts, 0); }
at::Tensor moved(int64_t n) { return torch::zeros({n, n}).to(torch::kCUDA); }
// CHECK: :[[#@LINE-1]]:59: warning: to() copies what zeros() has just made: zeros() takes the device itself{{.*}}[tensor-hidden-copy]
at::Tensor movedFine(int64_t n) { return torch::zeros({n, n}, torch::kCUDA); }
void into(at::Tensor &out, const at::Tensor &x) { out.copy_(x.cpu()); }
// CHECK: :[[#@LINE-1]]:63: warning: cpu() copies 'x' once more: copy_() moves and converts by itself{{.*}}[tensor-hidden-copy]
void intoFine(at::Tensor &out, const at::Tensor &x) { out.copy_(x); }
at::Tensor cloned(const at::Tensor &q) { return (q & 15).to(torch::kByte).clone(); }
// CHECK: :[[#@LINE-1]]:75: warning: clone() copies the result of operator&, which nothing uses afterwards{{.*}}[tensor-redundant-clone]
at::Tensor clonedFine(const at::Tensor &q) { return (q & 15).to(torch::kByte); }
at::Tensor readOnce(at::Tensor x) {
  auto y = x.clone().to(torch::kDouble);
  // CHECK: :[[#@LINE-1]]:14: warning: clone() of 'x' is not needed: the copy is only read, and nothing changes the original mean{{.*}}[tensor-redundant-clone]
  return y.sum();
}
at::Tensor readOnceFine(at::Tensor x) {
  auto y = x.clone();
  y.add_(1);
  return y.sum() + x.sum();
}
