// RUN: %check %s --checks=-*,tensor-hidden-copy -- %runtime
// Views, copies that differ each time, and copies that must be two.

#include <tensortidy/aten.h>

#include <vector>

void change(at::Tensor &x);
void use(const at::Tensor &x);

at::Tensor views(at::Tensor x, const at::Tensor &w, int64_t a, int64_t n) {
  auto dense = torch::ones({a, 4});
  for (int64_t i = 0; i < n; ++i)
    x = x + dense.reshape({-1}) + w.reshape({-1}) + dense.flatten() + dense.index({0}).sum();
  return x + w.reshape({-1}) + w.reshape({-1});
}
at::Tensor variesByIteration(at::Tensor x, const at::Tensor &w, int64_t n) {
  auto y = torch::ones({4, 5}).t();
  for (int64_t i = 0; i < n; ++i) {
    x = x + w.select(0, i).t().reshape({-1});
    x = x + y.reshape({-1});
    y = y + 1;
  }
  return x;
}
at::Tensor elementsChange(at::Tensor x, int64_t n) {
  auto w = torch::ones({4, 5}).t();
  for (int64_t i = 0; i < n; ++i) {
    x = x + w.reshape({-1});
    w.add_(1);
  }
  auto a = w.reshape({-1}) + 1;
  w.mul_(2);
  auto b = w.reshape({-1}) + 1;
  return x + a + b;
}
void kept(std::vector<at::Tensor> &out, int64_t n) {
  auto w = torch::ones({4, 5}).t();
  for (int64_t i = 0; i < n; ++i)
    out.push_back(w.reshape({-1}));
}
at::Tensor written(int64_t n) {
  auto w = torch::ones({4, 5}).t();
  auto a = w.reshape({-1});
  auto b = w.reshape({-1});
  a.add_(1);
  b.add_(2);
  for (int64_t i = 0; i < n; ++i) {
    auto c = w.reshape({-1});
    c.add_(i);
    a = a + c;
  }
  return a + b;
}
at::Tensor sometimes(at::Tensor x, int64_t n, bool rare) {
  auto w = torch::ones({4, 5}).t();
  for (int64_t i = 0; i < n; ++i)
    if (i % 100 == 0)
      x = x + w.reshape({-1});
  if (rare)
    x = x + w.reshape({-1});
  else
    x = x - w.reshape({-1});
  return x;
}
at::Tensor unknownCode(int64_t n) {
  auto w = torch::ones({4, 5}).t();
  auto a = w.reshape({-1}) + 1;
  change(w);
  auto b = w.reshape({-1}) + 1;
  return a + b;
}
at::Tensor otherShape(int64_t n) {
  auto w = torch::ones({4, 5}).t();
  return w.reshape({-1, 2}).sum() + w.reshape({2, -1}).sum();
}
at::Tensor otherTensor(int64_t n) {
  auto w = torch::ones({4, 5}).t();
  auto a = w.reshape({-1}) + 1;
  w = torch::zeros({4, 5}).t();
  return a + w.reshape({-1});
}
at::Tensor perhaps(at::Tensor x, bool swap, int64_t n) {
  auto w = torch::ones({4, 5});
  if (swap)
    w = w.t();
  for (int64_t i = 0; i < n; ++i)
    x = x + w.reshape({-1});
  return x + w.reshape({-1});
}
at::Tensor returned(int64_t n) {
  auto w = torch::ones({4, 5}).t();
  use(w.reshape({-1}));
  return w.reshape({-1});
}
at::Tensor once(at::Tensor x) {
  auto w = torch::ones({4, 5}).t();
  do {
    x = x + w.reshape({-1});
  } while (false);
  return x;
}
