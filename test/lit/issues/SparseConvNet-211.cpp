// https://github.com/facebookresearch/SparseConvNet/issues/211
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// A normalisation permutes its features to and fro, and the next layer's kernel
// takes rows of them.

#include <tensortidy/aten.h>

void convolve(const float *features, int64_t rows, int64_t planes);

static at::Tensor normalized(const at::Tensor &features) {
  auto x = features.t().contiguous();
  return (x - x.mean(1, true)).t();
}

void bug(int64_t rows, int64_t planes) {
  auto features = normalized(torch::rand({rows, planes}));
  convolve(features.data_ptr<float>(), features.size(0), features.size(1));
  // CHECK-MESSAGES: :[[#@LINE-1]]:21: warning: 'convolve' gets 'features' without its strides and takes them for [planes, 1]: sizes [rows, planes], strides [1, rows]
}

void fix(int64_t rows, int64_t planes) {
  auto features = normalized(torch::rand({rows, planes})).contiguous();
  convolve(features.data_ptr<float>(), features.size(0), features.size(1));
}
