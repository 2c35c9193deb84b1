// RUN: not %tensortidy --checks=-*,tensor-* '--config={CheckOptions: {tensor-raw-pointer-layout.NarrowIndex: true}}' %s -- %torch | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// Two sizes of different axes where one is meant, each with a correct twin.
#include <ATen/ATen.h>
#include <torch/torch.h>
at::Tensor attend(const at::Tensor &q, const at::Tensor &k, const at::Tensor &v, int64_t n_head, int64_t head_dim) {
  const int64_t batch = q.size(0), tokens = q.size(1);
  auto qh = q.view({batch, tokens, n_head, head_dim}).transpose(1, 2);
  auto kh = k.view({batch, tokens, head_dim, n_head}).transpose(1, 2);
  auto vh = v.view({batch, tokens, n_head, head_dim}).transpose(1, 2);
  auto scores = at::softmax(at::matmul(qh, kh.transpose(-2, -1)), -1);
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: matmul(qh, ...)
  return at::matmul(scores, vh).transpose(1, 2).reshape({batch, tokens, n_head * head_dim});
}
at::Tensor attendOk(const at::Tensor &q, const at::Tensor &k, const at::Tensor &v, int64_t n_head, int64_t head_dim) {
  const int64_t batch = q.size(0), tokens = q.size(1);
  auto qh = q.view({batch, tokens, n_head, head_dim}).transpose(1, 2);
  auto kh = k.view({batch, tokens, n_head, head_dim}).transpose(1, 2);
  auto vh = v.view({batch, tokens, n_head, head_dim}).transpose(1, 2);
  auto scores = at::softmax(at::matmul(qh, kh.transpose(-2, -1)), -1);
  return at::matmul(scores, vh).transpose(1, 2).reshape({batch, tokens, n_head * head_dim});
}
class Project {
public:
  Project(int64_t in, int64_t out) : weight(at::randn({out, in})), bias(at::zeros({in})), in(in) {}
  at::Tensor forward(const at::Tensor &x) const {
    const int64_t rows = x.size(0);
    auto y = at::matmul(x.reshape({rows, in}), weight.t());
    return y + bias;
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: y + bias
  }

private:
  at::Tensor weight, bias;
  int64_t in;
};
class ProjectOk {
public:
  ProjectOk(int64_t in, int64_t out) : weight(at::randn({out, in})), bias(at::zeros({out})), in(in) {}
  at::Tensor forward(const at::Tensor &x) const {
    const int64_t rows = x.size(0);
    auto y = at::matmul(x.reshape({rows, in}), weight.t());
    return y + bias;
  }

private:
  at::Tensor weight, bias;
  int64_t in;
};
at::Tensor overlay(const at::Tensor &image, int64_t height, int64_t width) {
  TORCH_CHECK(image.dim() == 3 && image.size(1) == height && image.size(2) == width);
  auto mask = at::zeros({width, height});
  for (int64_t i = 0; i < 4; ++i)
    mask.select(0, i).fill_(1.0);
  return image * mask.unsqueeze(0);
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: image * ...
}
at::Tensor overlayOk(const at::Tensor &image, int64_t height, int64_t width) {
  TORCH_CHECK(image.dim() == 3 && image.size(1) == height && image.size(2) == width);
  auto mask = at::zeros({height, width});
  for (int64_t i = 0; i < 4; ++i)
    mask.select(0, i).fill_(1.0);
  return image * mask.unsqueeze(0);
}
static at::Tensor mixTokens(const at::Tensor &x, const at::Tensor &w) { return at::matmul(x, w); }
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: matmul(x, w)
at::Tensor mixer(const at::Tensor &x, int64_t tokens, int64_t channels) {
  const int64_t batch = x.size(0);
  auto w1 = at::randn({tokens, tokens}), w2 = at::randn({channels, channels});
  auto h = x.reshape({batch, tokens, channels});
  auto t = mixTokens(h, w1);
  return mixTokens(t, w2) + h;
}
at::Tensor mixerOk(const at::Tensor &x, int64_t tokens, int64_t channels) {
  const int64_t batch = x.size(0);
  auto w1 = at::randn({tokens, tokens}), w2 = at::randn({channels, channels});
  auto h = x.reshape({batch, tokens, channels});
  auto t = mixTokens(h.transpose(1, 2), w1).transpose(1, 2);
  return mixTokens(t, w2) + h;
}
