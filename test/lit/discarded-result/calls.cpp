// RUN: %check %s --checks=-*,tensor-discarded-result -- %runtime
// What changes nothing is reported by type, and assigned back where it can be.

#include <tensortidy/aten.h>
#include <vector>

void local(at::Tensor x, at::Tensor &y, const at::Tensor &z) {
  x.contiguous();
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: contiguous() does not change 'x', and its result is thrown away [tensor-discarded-result]
  // CHECK-FIXES: {{^}}  x = x.contiguous();
  y.to(at::kLong);
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: to() does not change 'y', and its result is thrown away [tensor-discarded-result]
  // CHECK-FIXES: {{^}}  y = y.to(at::kLong);
  z.permute({1, 0});
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: permute() does not change 'z', and its result is thrown away [tensor-discarded-result]
  // CHECK-FIXES: {{^}}  z.permute({1, 0});
  if (x.dim() == 2)
    x.add(y);
  // CHECK-MESSAGES: :[[#@LINE-1]]:7: warning: add() does not change 'x', and its result is thrown away [tensor-discarded-result]
  // CHECK-FIXES: {{^}}    x = x.add(y);
  torch::relu(x);
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: relu() does not change 'x', and its result is thrown away [tensor-discarded-result]
}

void elements(std::vector<at::Tensor> &all) {
  for (auto &t : all)
    t.to(at::kDouble);
  // CHECK-MESSAGES: :[[#@LINE-1]]:7: warning: to() does not change 't', and its result is thrown away [tensor-discarded-result]
  // CHECK-FIXES: {{^}}    t = t.to(at::kDouble);
  for (auto t : all)
    t.to(at::kFloat);
  // CHECK-MESSAGES: :[[#@LINE-1]]:7: warning: to() does not change 't', and its result is thrown away [tensor-discarded-result]
  // CHECK-FIXES: {{^}}    t.to(at::kFloat);
}

struct Net {
  Net &to(int) { return *this; }
  void reshape(int) {}
};

#define WARM(X) X

at::Tensor silent(at::Tensor x, at::Tensor y, Net &net) {
  net.to(1);
  net.reshape(2);
  (void)x.contiguous();
  x.add_(y);
  x.t_();
  x.fill_(1);
  x.requires_grad_();
  WARM(x.contiguous());
  for (int i = 0; i < 10; ++i)
    torch::matmul(x, y); // timed
  try {
    x.view({2, 3});
  } catch (...) {
  }
  auto z = x.contiguous();
  return x.contiguous(), z;
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: contiguous() does not change 'x', and its result is thrown away [tensor-discarded-result]
}

struct Store {
  Store() : memory(torch::zeros({4, 2}).to(at::kDouble)), held(torch::ones({2})) {}
  at::Tensor memory, held;
  at::Tensor later = torch::zeros({2}).contiguous();
};

static at::Tensor half(const at::Tensor &x) {
  auto y = -x;
  return at::cat({y, x}, -1);
}
void product(const at::Tensor &x, const at::Tensor &y) {
  (half(x) * y);
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: operator* does not change its operand, and its result is thrown away [tensor-discarded-result]
}
