// RUN: %check %s --checks=-*,tensor-view-after-permute --config='{CheckOptions: {tensor-view-after-permute.Level: 0}}' -- %runtime
// What fails whatever the sizes are, but for a 1, stays level 0.

#include <tensortidy/aten.h>

at::Tensor merged(int64_t b, int64_t h, int64_t t, int64_t d) {
  auto x = at::zeros({b, h, t, d});
  return x.transpose(1, 2).view({b, t, h * d});
  // CHECK-MESSAGES: :[[#@LINE-1]]:28: warning: view({b, t, h*d}) cannot merge dimensions 2 and 3
}
