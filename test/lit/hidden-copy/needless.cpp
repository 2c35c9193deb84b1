// RUN: %check %s --checks=-*,tensor-hidden-copy,tensor-redundant-clone -- %runtime
// Copies that nothing needs: grown, made in the wrong place, made twice.

#include <tensortidy/aten.h>
#include <vector>

// All that was joined so far is copied again.
at::Tensor collected(const std::vector<at::Tensor> &pages) {
  auto all = torch::empty({0, 64});
  for (const auto &page : pages) {
    auto rows = page.flatten(1).relu();
    all = torch::cat({all, rows}, 0);
    // CHECK-MESSAGES: :[[#@LINE-1]]:18: warning: cat() copies all of 'all' again in every iteration: collect the parts in a list and join them once [tensor-hidden-copy]
  }
  return all;
}
at::Tensor stacked(const at::Tensor &first, int64_t n) {
  at::Tensor rows = first;
  for (int64_t i = 0; i < n; ++i)
    rows = torch::vstack({rows, first * i});
  // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: vstack() copies all of 'rows' again in every iteration
  return rows;
}

// Made in one place, and moved to another.
at::Tensor state(int64_t layers, int64_t width, at::Device device) {
  auto h = torch::zeros({layers, 1, width}).to(device);
  // CHECK-MESSAGES: :[[#@LINE-1]]:45: warning: to() copies what zeros() has just made: zeros() takes the device itself [tensor-hidden-copy]
  // CHECK-MESSAGES: :[[#@LINE-2]]:19: note: made here
  auto steps = torch::arange(width).to(torch::kFloat);
  // CHECK-MESSAGES: :[[#@LINE-1]]:37: warning: to() copies what arange() has just made: arange() takes the dtype itself
  return h + steps;
}

// copy_() moves and converts by itself.
void fetch(at::Tensor &host, const at::Tensor &result) {
  host.copy_(result.cpu());
  // CHECK-MESSAGES: :[[#@LINE-1]]:21: warning: cpu() copies 'result' once more: copy_() moves and converts by itself [tensor-hidden-copy]
  host[0].copy_(result.to(torch::kDouble));
  // CHECK-MESSAGES: :[[#@LINE-1]]:24: warning: to() copies 'result' once more
}

// A copy of a copy.
at::Tensor normalised(at::Tensor x) {
  x = x.clone().to(torch::kFloat);
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: clone() and to() copy 'x' twice, unless it is float32 already; to(float32, false, /*copy=*/true) copies once [tensor-redundant-clone]
  return x.div_(255);
}
at::Tensor widened(const at::Tensor &x) {
  TORCH_CHECK(x.scalar_type() == torch::kByte);
  auto y = x.to(torch::kFloat).clone();
  // CHECK-MESSAGES: :[[#@LINE-1]]:32: warning: clone() copies the result of to(), which nothing uses afterwards [tensor-redundant-clone]
  return y.mul_(2);
}

// The low halves of packed numbers.
at::Tensor unpacked(const at::Tensor &q) {
  auto low = (q & 15).to(torch::kByte).clone();
  // CHECK-MESSAGES: :[[#@LINE-1]]:40: warning: clone() copies {{.*}}, which nothing uses afterwards [tensor-redundant-clone]
  return low;
}
