// https://github.com/pytorch/pytorch/issues/14368
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// Joints relative to the first one, for every body.

#include <tensortidy/aten.h>

at::Tensor bug(int64_t bodies) {
  auto joints = torch::randn({bodies, 17, 3});
  joints -= joints.narrow(1, 0, 1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: -= writes 'joints' while it reads an operand, a part of it; elements are read after they were overwritten, without an error [tensor-overlapping-write]
  // CHECK-MESSAGES: note: 'joints' is [bodies, 17, 3] here
  // CHECK-MESSAGES: note: the tensor is [bodies, 1, 3] here
  // CHECK-MESSAGES: note: clone() the tensor first
  return joints;
}

at::Tensor fix(int64_t bodies) {
  auto joints = torch::randn({bodies, 17, 3});
  joints = joints - joints.narrow(1, 0, 1);
  return joints;
}
