// RUN: not %tensortidy --checks=-*,tensor-shape-mismatch %s -- %runtime | FileCheck %s
// What fails on one path says which.

#include <tensortidy/aten.h>

using at::Tensor;

Tensor pooled(const Tensor &input) {
  auto rank = input.dim();
  TORCH_CHECK(rank == 3 || rank == 4, "expects images");
  // CHECK: size(3): dimension 3 of 'input' is out of range [-3, 2]; throws when rank is 3
  return at::zeros({input.size(1), input.size(2), input.size(3)});
}

Tensor scattered(const Tensor &self, const Tensor &at) {
  Tensor out;
  if (self.dim() == 3)
    out = self.reshape({self.size(0), self.size(1) * self.size(2)});
  else
    out = self.reshape({self.size(0), self.size(1), -1});
  // CHECK: scatter(2, at, 1): dimension 2 of 'out' is out of range [-2, 1]; throws when self.dim() is 3
  return out.scatter(2, at, 1.0);
}

Tensor turned(Tensor x, int mode, bool wide) {
  x = x.reshape({2, 3, 4});
  if (mode == 4 && wide)
    x = x.flatten();
  // CHECK: transpose(0, 1): dimension 1 of 'x' is out of range [-1, 0]; throws when mode is 4 and 'wide' is true
  return x.transpose(0, 1);
}

struct Model {
  bool fast = false;
  void load();
  Tensor weight;
  // What a call may have changed is no reason to be silent about the rest.
  Tensor forward(const Tensor &x) {
    Tensor y = x.reshape({2, 3});
    if (fast)
      y = y.flatten();
    load();
    if (fast)
      // CHECK: transpose(0, 1): dimension 1 of 'y' is out of range [-1, 0]; throws when 'fast' is true {{.}}tensor
      return y.transpose(0, 1);
    return y;
  }
};

Tensor rows(const Tensor &x, int64_t n) {
  // A zero in the code itself is no test of a path.
  // CHECK: view({0, 4}): shape [0, 4] does not fit the 8 elements of 'y'; throws
  Tensor y = at::zeros({2, 4});
  return y.view({0, 4});
}
