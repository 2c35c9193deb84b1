// RUN: %check %s --checks=-*,tensor-shape-mismatch -- %runtime
// Two calls of one function tell two numbers apart case by case: who calls it knows how they fit.

#include <tensortidy/aten.h>

static int64_t basesOf(int64_t degree) {
  switch (degree) {
  case 0:
    return 1;
  case 1:
    return 4;
  case 2:
    return 9;
  default:
    return 16;
  }
}

at::Tensor evaluated(const at::Tensor &directions, int64_t degree, int64_t used) {
  auto bases = basesOf(used);
  auto result = at::zeros({directions.size(0), basesOf(degree)});
  result.select(1, 0).fill_(0.28);
  if (bases > 1) {
    result.select(1, 1).fill_(0.48);
    result.select(1, 3).fill_(0.48);
    if (bases > 4)
      result.select(1, 8).fill_(1.09);
  }
  return result;
}

// One number: each case stands for itself.
at::Tensor one(const at::Tensor &directions, int64_t degree) {
  auto result = at::zeros({directions.size(0), basesOf(degree)});
  result.select(1, 16).fill_(0.28);
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: select(1, 16): index 16 is out of range for size
  return result;
}
