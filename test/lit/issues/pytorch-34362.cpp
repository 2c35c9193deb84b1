// https://github.com/pytorch/pytorch/issues/34362
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// A state of doubles read as floats.

#include <tensortidy/aten.h>
#include <vector>

at::Tensor bug(std::vector<double> &state, at::Device device) {
  return at::from_blob(state.data(), {9}).to(device);
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: from_blob() takes memory of float64 for float32, its default: the values are wrong [tensor-from-blob-lifetime]
}

at::Tensor fix(std::vector<double> &state, at::Device device) {
  return at::from_blob(state.data(), {9}, at::kDouble).to(device, at::kFloat);
}
