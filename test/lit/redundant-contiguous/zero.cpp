// RUN: %silent %s --checks=-*,tensor-redundant-contiguous -- %runtime
// An integer that is no size may well be 0.

#include <tensortidy/aten.h>

at::Tensor mode(int64_t mode, int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  if (mode == 0)
    y = y.t();
  return y.contiguous();
}
