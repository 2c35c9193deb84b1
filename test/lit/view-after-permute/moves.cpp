// RUN: %silent %s --checks=-*,tensor-view-after-permute -- %runtime
// No finding: handles that come to hold another tensor.

#include <tensortidy/aten.h>

#include <optional>
#include <tuple>
#include <utility>

at::Tensor reassigned(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  y = torch::zeros({a, b});
  return y.view(-1);
}

at::Tensor aliasKeepsLayout(int64_t a, int64_t b) {
  auto x = torch::zeros({a, b});
  auto y = x;
  y = y.t(); // rebinds y only
  return x.view(-1);
}

at::Tensor viewTurnedInPlace(int64_t a, int64_t b) {
  auto x = torch::zeros({a, b});
  auto y = x.view({a, b}); // another tensor on the same storage
  y.t_();
  return x.view(-1);
}

at::Tensor copyTurnedInPlace(int64_t a, int64_t b) {
  auto x = torch::zeros({a, b});
  auto y = x.clone();
  y.t_();
  return x.view(-1);
}

at::Tensor moved(int64_t a, int64_t b) {
  auto x = torch::zeros({a, b}).t();
  auto y = torch::zeros({a, b});
  x = std::move(y);
  return x.view(-1);
}

at::Tensor shadowed(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  {
    auto y = torch::zeros({a, b}).t();
    (void)y;
  }
  return y.view(-1);
}

at::Tensor bound(int64_t a, int64_t b) {
  auto pair = std::make_tuple(torch::zeros({a, b}).t(), torch::zeros({a, b}));
  auto [first, second] = pair;
  (void)first;
  return second.view(-1);
}

at::Tensor tied(int64_t a, int64_t b) {
  at::Tensor x = torch::zeros({a, b}).t(), y;
  std::tie(x, y) = std::make_tuple(torch::zeros({a, b}), x);
  return x.view(-1);
}

at::Tensor optional(int64_t a, int64_t b) {
  std::optional<at::Tensor> x = torch::zeros({a, b}).t();
  x = torch::zeros({a, b});
  return x->view(-1);
}

at::Tensor lastIterationWins(int64_t n, int64_t a, int64_t b) {
  at::Tensor y = torch::zeros({a, b});
  for (int64_t i = 0; i < n; ++i) {
    auto turned = y.t();
    y = torch::matmul(turned.t(), torch::zeros({b, b}));
  }
  return y.view(-1);
}

at::Tensor fixedInLoop(int64_t n, int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  for (int64_t i = 0; i < n; ++i) {
    y = y.view({a, b});
    y = y.t().contiguous().t();
    y = y.contiguous();
  }
  return y;
}

// The dtype overload changes no shape.
at::Tensor otherType(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  return y.view(at::kInt);
}

at::Tensor resized(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  y.resize_({a + b, a});
  return y.view(-1);
}

at::Tensor indexAssigned(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  y[0] = torch::zeros({b, 1}).t()[0];
  return y.view(-1);
}
