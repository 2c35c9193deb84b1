// RUN: %check %s --checks=-*,tensor-sync-in-loop -- %runtime
// The same number, or the same transfer, in every iteration.

#include <tensortidy/aten.h>

#include <vector>

void number(const at::Tensor &scale, std::vector<float> &out) {
  for (size_t i = 0; i < out.size(); ++i) {
    float s = scale.item<float>();
    // CHECK-MESSAGES: :[[#@LINE-1]]:21: warning: item() reads the same number of 'scale' in every iteration; hoist it out of the loop [tensor-sync-in-loop]
    // CHECK-MESSAGES: :[[#@LINE-3]]:3: note: nothing it depends on changes in this loop
    out[i] = out[i] * s;
  }
  // CHECK-FIXES: {{^}}  float s = scale.item<float>();
  // CHECK-FIXES-NEXT: {{^}}  for (size_t i = 0; i < out.size(); ++i) {
}

int64_t bound(const at::Tensor &length, const std::vector<int64_t> &in) {
  int64_t sum = 0;
  for (int64_t i = 0; i < length.item<int64_t>(); ++i)
    // CHECK-MESSAGES: :[[#@LINE-1]]:34: warning: item() reads the same number of 'length' in every iteration
    // CHECK-MESSAGES: :[[#@LINE-2]]:3: note:
    sum += in[i];
  return sum;
}

at::Tensor transfer(at::Tensor x, c10::Device device) {
  auto mask = torch::ones({8, 8});
  for (int i = 0; i < 100; ++i) {
    auto m = mask.to(device);
    // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: to() makes the same transfer of 'mask' in every iteration, unless it is there already; hoist it out of the loop [tensor-sync-in-loop]
    // CHECK-MESSAGES: :[[#@LINE-3]]:3: note: nothing it depends on changes in this loop
    x = torch::relu(x + m);
  }
  // CHECK-FIXES: {{^}}  auto m = mask.to(device);
  return x;
}
