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
// Grouped-query attention, keys repeated along the wrong axis.
at::Tensor repeatKv(const at::Tensor &k, int64_t n_kv, int64_t groups) {
  const int64_t batch = k.size(0), tokens = k.size(2), head_dim = k.size(3);
  TORCH_CHECK(k.dim() == 4 && k.size(1) == n_kv);
  auto wide = k.unsqueeze(2).expand({batch, n_kv, groups, tokens, head_dim});
  auto flat = wide.reshape({batch, n_kv * groups, head_dim, tokens});
  auto rope = at::ones({tokens, head_dim});
  return flat * rope;
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: flat * rope: sizes tokens and head_dim do not match at dimension 3; throws
}
at::Tensor repeatKvOk(const at::Tensor &k, int64_t n_kv, int64_t groups) {
  const int64_t batch = k.size(0), tokens = k.size(2), head_dim = k.size(3);
  TORCH_CHECK(k.dim() == 4 && k.size(1) == n_kv);
  auto wide = k.unsqueeze(2).expand({batch, n_kv, groups, tokens, head_dim});
  auto flat = wide.reshape({batch, n_kv * groups, tokens, head_dim});
  auto rope = at::ones({tokens, head_dim});
  return flat * rope;
}
// A mask of keys by queries where the scores are queries by keys.
at::Tensor masked(const at::Tensor &q, const at::Tensor &k, int64_t n_query, int64_t n_key, int64_t d) {
  auto scores = at::matmul(q.view({n_query, d}), k.view({n_key, d}).t());
  auto mask = at::zeros({n_key, n_query}).fill_(-1e9).triu(1);
  return at::softmax(scores + mask, -1);
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: scores + mask: sizes n_key and n_query do not match at dimension 1; throws
}
at::Tensor maskedOk(const at::Tensor &q, const at::Tensor &k, int64_t n_query, int64_t n_key, int64_t d) {
  auto scores = at::matmul(q.view({n_query, d}), k.view({n_key, d}).t());
  auto mask = at::zeros({n_query, n_key}).fill_(-1e9).triu(1);
  return at::softmax(scores + mask, -1);
}
// The bias of a layer has its inputs, and an embedding is added by rows of the wrong table.
struct Encoder : torch::nn::Module {
  torch::Tensor table, places, scale;
  int64_t vocab, width, longest;
  Encoder(int64_t vocab, int64_t width, int64_t longest) : vocab(vocab), width(width), longest(longest) {
    table = register_parameter("table", torch::randn({vocab, width}));
    places = register_parameter("places", torch::randn({longest, width}));
    scale = register_parameter("scale", torch::ones({vocab}));
  }
  torch::Tensor forward(const torch::Tensor &ids) {
    auto x = torch::embedding(table, ids.view({-1}));
    return x * scale;
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: x * scale: sizes width and vocab do not match at dimension 1; throws unless
  }
};
struct EncoderOk : torch::nn::Module {
  torch::Tensor table, places, scale;
  int64_t vocab, width, longest;
  EncoderOk(int64_t vocab, int64_t width, int64_t longest) : vocab(vocab), width(width), longest(longest) {
    table = register_parameter("table", torch::randn({vocab, width}));
    places = register_parameter("places", torch::randn({longest, width}));
    scale = register_parameter("scale", torch::ones({width}));
  }
  torch::Tensor forward(const torch::Tensor &ids) {
    auto x = torch::embedding(table, ids.view({-1}));
    return x * scale;
  }
};
// Running statistics of channels, subtracted from rows of pixels.
at::Tensor standardize(const at::Tensor &image, int64_t c, int64_t h, int64_t w) {
  auto x = image.view({c, h * w});
  auto mean = x.mean(1), dev = x.std(1);
  return (x.t() - mean) / dev + x.mean(0).view({h * w}); // not found yet
}
at::Tensor standardizeOk(const at::Tensor &image, int64_t c, int64_t h, int64_t w) {
  auto x = image.view({c, h * w});
  auto mean = x.mean(1), dev = x.std(1);
  return (x.t() - mean) / dev + x.mean(0).view({h * w, 1});
}
// A loop that fills rows of one axis with pieces of another.
at::Tensor unrolled(const at::Tensor &seq, int64_t steps, int64_t hidden) {
  auto x = seq.view({steps, hidden});
  auto out = at::zeros({hidden, steps});
  for (int64_t t = 0; t < steps; ++t)
    out.select(0, t).copy_(x.select(0, t));
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: select(0, t): index steps - 1 is out of range for size hidden of dimension 0; th
  // CHECK: :[[#@LINE-2]]:{{.*}}: warning: copy_(...): size hidden does not fit into the size steps of dimension 0; th
  return out;
}
at::Tensor unrolledOk(const at::Tensor &seq, int64_t steps, int64_t hidden) {
  auto x = seq.view({steps, hidden});
  auto out = at::zeros({hidden, steps});
  for (int64_t t = 0; t < steps; ++t)
    out.select(1, t).copy_(x.select(0, t));
  return out;
}
// cat() along an axis whose others differ.
at::Tensor joinedSides(const at::Tensor &a, const at::Tensor &b, int64_t rows, int64_t cols) {
  auto left = a.view({rows, cols});
  auto right = b.view({cols, rows});
  return at::cat({left, right}, 1);
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: cat(..., 1): tensor 1 has size cols, expected rows (except in dimension 1);
}
at::Tensor joinedSidesOk(const at::Tensor &a, const at::Tensor &b, int64_t rows, int64_t cols) {
  auto left = a.view({rows, cols});
  auto right = b.view({cols, rows});
  return at::cat({left, right.t()}, 1);
}
at::Tensor unit(const at::Tensor &rows, double eps) {
  TORCH_CHECK(rows.dim() == 2);
  auto length = rows.pow(2).sum(-1).sqrt().clamp_min(eps);
  return rows / length;
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: rows / length
}
at::Tensor unitOk(const at::Tensor &rows, double eps) {
  TORCH_CHECK(rows.dim() == 2);
  auto length = rows.pow(2).sum(-1, /*keepdim=*/true).sqrt().clamp_min(eps);
  return rows / length;
}
float brightest(const at::Tensor &image) {
  auto a = image.accessor<float, 2>();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: this loop goes to index image.size(1) - 1 of dimension 0 of 'image'
  float most = 0;
  for (int64_t y = 0; y < image.size(1); ++y)
    for (int64_t x = 0; x < image.size(0); ++x)
      most = a[y][x] > most ? a[y][x] : most;
  return most;
}
float brightestOk(const at::Tensor &image) {
  auto a = image.accessor<float, 2>();
  float most = 0;
  for (int64_t y = 0; y < image.size(0); ++y)
    for (int64_t x = 0; x < image.size(1); ++x)
      most = a[y][x] > most ? a[y][x] : most;
  return most;
}
