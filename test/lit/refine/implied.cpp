// RUN: not %tensortidy --checks=-*,tensor-shape-mismatch %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// Two tests that are asked together once more, where the paths of the first
// time have met.

#include <tensortidy/aten.h>
#include <vector>

at::Tensor either(int64_t n, int64_t m, bool want) {
  at::Tensor a = torch::zeros({n, 7}), b = torch::zeros({7, m});
  if (want || n > 5)
    a = torch::zeros({n, 5});
  at::Tensor c = a + 1;
  if (want || n > 5)
    b = torch::zeros({5, m});
  return torch::mm(c, b);
}

at::Tensor both(int64_t n, int64_t m, bool want) {
  at::Tensor a = torch::zeros({n, 7}), b = torch::zeros({7, m});
  if (want && n > 5)
    a = torch::zeros({n, 5});
  at::Tensor c = a + 1;
  if (want && n > 5)
    b = torch::zeros({5, m});
  return torch::mm(c, b);
}

at::Tensor inLoops(const std::vector<at::Tensor> &all, int64_t m, bool want) {
  at::Tensor sum = torch::zeros({m, m});
  for (const at::Tensor &x : all) {
    at::Tensor a = torch::zeros({m, 7}), b = torch::zeros({7, m});
    if (want && x.size(0) > 5)
      a = torch::zeros({m, 5});
    at::Tensor c = a + 1;
    if (want && x.size(0) > 5)
      b = torch::zeros({5, m});
    sum += torch::mm(c, b);
  }
  return sum;
}

at::Tensor notBoth(int64_t n, int64_t m, bool want) {
  at::Tensor a = torch::zeros({n, 7}), b = torch::zeros({7, m});
  if (want || n > 5)
    a = torch::zeros({n, 5});
  at::Tensor c = a + 1;
  if (want)
    b = torch::zeros({5, m});
  return torch::mm(c, b);
  // CHECK: :[[#@LINE-1]]:17: warning: mm(c, b): shapes [n, 5] and [7, m] cannot be multiplied; throws when 'want' is false
}
