// RUN: %tensortidy --checks=-*,tensor-redundant-contiguous %s -- %runtime | count 0
// An integer that is no size may well be 0.

#include <tensortidy/aten.h>

at::Tensor mode(int64_t mode, int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  if (mode == 0)
    y = y.t();
  return y.contiguous();
}
