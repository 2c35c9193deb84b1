// REQUIRES: libtorch
// RUN: %exits 1 %tensortidy %s --checks=-*,tensor-sync-in-loop -- %torch | FileCheck %s --implicit-check-not=warning:
// A number that is the same in every iteration, though calls that are not seen get a pointer to it, which is const.

#include <torch/torch.h>

void launch(const float *keys, const int64_t *offsets, float *states, int64_t chunks);
void advance(const float *keys, int64_t *offsets, float *states, int64_t chunks);
const int64_t *kept(const int64_t *offsets);

struct Layer {
  at::Tensor keys;
};

static at::Tensor offsetsOf(const at::Tensor &lengths) { return torch::cat({lengths.new_zeros({1}), lengths}).cumsum(0); }

std::vector<at::Tensor> prepare(const std::vector<Layer> &layers, const at::Tensor &lengths) {
  auto offsets = offsetsOf(lengths);
  std::vector<at::Tensor> all;
  // CHECK: :[[#@LINE+3]]:40: warning: item() reads the same number of the same tensor in every iteration; hoist it out of the loop [tensor-sync-in-loop]
  all.reserve(layers.size());
  for (const auto &layer : layers) {
    const int64_t chunks = offsets[-1].item<int64_t>();
    auto states = layer.keys.new_empty({chunks, 4});
    launch(layer.keys.data_ptr<float>(), offsets.data_ptr<int64_t>(), states.data_ptr<float>(), chunks);
    all.push_back(states);
  }
  return all;
}

// The call may write it; or the pointer goes elsewhere.
std::vector<at::Tensor> legal(const std::vector<Layer> &layers, const at::Tensor &lengths) {
  auto offsets = offsetsOf(lengths), more = offsetsOf(lengths);
  std::vector<at::Tensor> all;
  for (const auto &layer : layers) {
    const int64_t chunks = offsets[-1].item<int64_t>();
    auto states = layer.keys.new_empty({chunks, 4});
    advance(layer.keys.data_ptr<float>(), offsets.data_ptr<int64_t>(), states.data_ptr<float>(), chunks);
    auto *p = const_cast<int64_t *>(kept(more.data_ptr<int64_t>()));
    p[0] += more[-1].item<int64_t>();
    all.push_back(states);
  }
  return all;
}
