// Reports that were rewritten before anything was done for them, the third lot.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
#include <torch/torch.h>

// https://github.com/kyegomez/zeta/issues/406
// The coefficients are turned to [batch, time, mfcc] right before a Conv1d that wants the 40 coefficients as its channels.
namespace mfcc_encoder {
struct AudioEncoderImpl : torch::nn::Module {
  static constexpr int64_t kMfcc = 40;
  static constexpr int64_t kMels = 128;
  torch::Tensor dct; // [mels, mfcc]
  torch::nn::Conv1d conv1{nullptr}, conv2{nullptr};
  torch::nn::BatchNorm1d norm{nullptr};
  torch::nn::Linear out{nullptr};

  explicit AudioEncoderImpl(int64_t dim) {
    auto n = torch::arange(kMels, torch::kFloat);
    auto k = torch::arange(kMfcc, torch::kFloat).unsqueeze(1);
    dct = register_buffer("dct", torch::cos((n + 0.5) * k * (M_PI / kMels)).t().contiguous());
    conv1 = register_module("conv1", torch::nn::Conv1d(torch::nn::Conv1dOptions(kMfcc, 64, 3).padding(1)));
    norm = register_module("norm", torch::nn::BatchNorm1d(64));
    conv2 = register_module("conv2", torch::nn::Conv1d(torch::nn::Conv1dOptions(64, 128, 3).stride(2).padding(1)));
    out = register_module("out", torch::nn::Linear(128, dim));
  }

  // mel [batch, time, mels] -> [batch, mfcc, time]
  torch::Tensor cepstra(const torch::Tensor &mel) {
    TORCH_CHECK(mel.dim() == 3 && mel.size(2) == kMels, "mel has to be [batch, time, ", kMels, "]");
    auto logs = torch::log(mel.clamp_min(1e-6));
    return torch::matmul(logs, dct).transpose(1, 2);
  }

  torch::Tensor forward(const torch::Tensor &mel) {
    auto mfcc = cepstra(mel);
    mfcc = mfcc.transpose(1, 2);
    auto x = conv1(mfcc); // expect: tensor-shape-mismatch
    x = torch::gelu(norm(x));
    x = torch::gelu(conv2(x));
    return out(x.mean(2));
  }

  torch::Tensor forwardRight(const torch::Tensor &mel) {
    auto mfcc = cepstra(mel);
    auto x = conv1(mfcc);
    x = torch::gelu(norm(x));
    x = torch::gelu(conv2(x));
    return out(x.mean(2));
  }
};
TORCH_MODULE(AudioEncoder);
} // namespace mfcc_encoder

// https://github.com/lablup/mlxcel/pull/614
// The indices of the experts are [batch, steps, top], and the last reshape reads batch and steps from them as if they were tokens and top.
namespace switch_glu {
struct SwitchGluImpl : torch::nn::Module {
  int64_t experts, hidden, inner;
  torch::Tensor gate, up, down; // [experts, inner, hidden], [experts, inner, hidden], [experts, hidden, inner]

  SwitchGluImpl(int64_t experts_, int64_t hidden_, int64_t inner_) : experts(experts_), hidden(hidden_), inner(inner_) {
    gate = register_parameter("gate", torch::randn({experts, inner, hidden}) * 0.02);
    up = register_parameter("up", torch::randn({experts, inner, hidden}) * 0.02);
    down = register_parameter("down", torch::randn({experts, hidden, inner}) * 0.02);
  }

  // one product for each pair of token and expert
  torch::Tensor apply(const torch::Tensor &w, const torch::Tensor &x, const torch::Tensor &flat) {
    return torch::bmm(w.index_select(0, flat), x.unsqueeze(2)).squeeze(2);
  }
};
TORCH_MODULE(SwitchGlu);

struct MoeImpl : torch::nn::Module {
  int64_t top;
  torch::nn::Linear router{nullptr};
  SwitchGlu glu{nullptr};
  MoeImpl(int64_t experts, int64_t hidden, int64_t inner, int64_t top_) : top(top_) {
    router = register_module("router", torch::nn::Linear(torch::nn::LinearOptions(hidden, experts).bias(false)));
    glu = register_module("glu", SwitchGlu(experts, hidden, inner));
  }

  torch::Tensor expertRows(const torch::Tensor &x, const torch::Tensor &indices) {
    auto flat = indices.reshape({-1});
    auto rows = x.unsqueeze(2).expand({x.size(0), x.size(1), top, x.size(2)}).reshape({-1, x.size(2)});
    auto h = torch::silu(glu->apply(glu->gate, rows, flat)) * glu->apply(glu->up, rows, flat);
    return glu->apply(glu->down, h, flat);
  }

  // x [batch, steps, hidden]
  torch::Tensor forward(const torch::Tensor &x) {
    TORCH_CHECK(x.dim() == 3, "the hidden states have to be [batch, steps, hidden]");
    auto [scores, indices] = torch::softmax(router(x), -1).topk(top, -1);
    auto rows = expertRows(x, indices);
    auto y = rows.reshape({indices.size(0), indices.size(1), -1});
    return (y * scores.unsqueeze(-1)).sum(2); // expect: tensor-shape-mismatch
  }

  torch::Tensor forwardRight(const torch::Tensor &x) {
    TORCH_CHECK(x.dim() == 3, "the hidden states have to be [batch, steps, hidden]");
    auto [scores, indices] = torch::softmax(router(x), -1).topk(top, -1);
    auto rows = expertRows(x, indices);
    auto y = rows.reshape({indices.size(0), indices.size(1), indices.size(2), -1});
    return (y * scores.unsqueeze(-1)).sum(2);
  }
};
TORCH_MODULE(Moe);
} // namespace switch_glu

// https://github.com/RLinf/RLinf/issues/1568
// The returns are [batch, 1] and the values that come from the head [batch], so their difference is [batch, batch].
namespace clipped_critic {
struct ValueHeadImpl : torch::nn::Module {
  torch::nn::Linear l1{nullptr}, l2{nullptr};
  explicit ValueHeadImpl(int64_t dim) {
    l1 = register_module("l1", torch::nn::Linear(dim, 256));
    l2 = register_module("l2", torch::nn::Linear(256, 1));
  }
  // features [batch, dim] -> [batch]
  torch::Tensor forward(const torch::Tensor &features) { return l2(torch::silu(l1(features))).squeeze(-1); }
};
TORCH_MODULE(ValueHead);

struct Rollout {
  torch::Tensor features;    // [batch, dim]
  torch::Tensor prev_values; // [batch, 1]
  torch::Tensor rewards;     // [batch]
  torch::Tensor dones;       // [batch]
};

torch::Tensor oneStepReturns(const Rollout &r, double gamma) {
  auto next = torch::roll(r.prev_values, -1, 0);
  auto alive = 1.0 - r.dones.to(torch::kFloat).unsqueeze(1);
  return r.rewards.unsqueeze(1) + gamma * alive * next; // [batch, 1]
}

std::tuple<torch::Tensor, torch::Tensor> criticLoss(ValueHead &head, const Rollout &r, double clip) {
  TORCH_CHECK(r.prev_values.dim() == 2 && r.prev_values.size(1) == 1);
  auto returns = oneStepReturns(r, 0.99).detach();
  auto values = head(r.features);
  auto plain = (returns - values).pow(2); // missed: tensor-shape-mismatch
  auto clipped = r.prev_values + (values.unsqueeze(1) - r.prev_values).clamp(-clip, clip);
  auto bounded = (returns - clipped).pow(2);
  auto loss = 0.5 * torch::max(plain, bounded).mean();
  auto fraction = (values.unsqueeze(1) - r.prev_values).abs().gt(clip).to(torch::kFloat).mean();
  return {loss, fraction};
}

std::tuple<torch::Tensor, torch::Tensor> criticLossRight(ValueHead &head, const Rollout &r, double clip) {
  TORCH_CHECK(r.prev_values.dim() == 2 && r.prev_values.size(1) == 1);
  auto returns = oneStepReturns(r, 0.99).detach();
  auto values = head(r.features).unsqueeze(1);
  auto plain = (returns - values).pow(2);
  auto clipped = r.prev_values + (values - r.prev_values).clamp(-clip, clip);
  auto bounded = (returns - clipped).pow(2);
  auto loss = 0.5 * torch::max(plain, bounded).mean();
  auto fraction = (values - r.prev_values).abs().gt(clip).to(torch::kFloat).mean();
  return {loss, fraction};
}
} // namespace clipped_critic

// https://github.com/vllm-project/vllm/pull/31203
// The result of the attention is transposed back to [batch, steps, heads, size] and then viewed as if it were one run of memory.
namespace vit_attention {
struct EncoderAttentionImpl : torch::nn::Module {
  int64_t heads, size;
  torch::nn::Linear qkv{nullptr}, proj{nullptr};

  EncoderAttentionImpl(int64_t heads_, int64_t size_) : heads(heads_), size(size_) {
    qkv = register_module("qkv", torch::nn::Linear(heads * size, 3 * heads * size));
    proj = register_module("proj", torch::nn::Linear(heads * size, heads * size));
  }

  torch::Tensor attend(const torch::Tensor &q, const torch::Tensor &k, const torch::Tensor &v) {
    auto scores = torch::matmul(q, k.transpose(-2, -1)) / std::sqrt((double)size);
    return torch::matmul(torch::softmax(scores, -1), v); // [batch, heads, steps, size]
  }

  torch::Tensor forward(const torch::Tensor &x) {
    TORCH_CHECK(x.dim() == 3 && x.size(2) == heads * size, "wrong hidden size");
    const int64_t batch = x.size(0), steps = x.size(1);
    auto parts = qkv(x).view({batch, steps, 3, heads, size}).permute({2, 0, 3, 1, 4});
    auto out = attend(parts[0], parts[1], parts[2]);
    out = out.transpose(1, 2);
    return proj(out.view({batch, steps, -1})); // expect: tensor-view-after-permute
  }

  torch::Tensor forwardRight(const torch::Tensor &x) {
    TORCH_CHECK(x.dim() == 3 && x.size(2) == heads * size, "wrong hidden size");
    const int64_t batch = x.size(0), steps = x.size(1);
    auto parts = qkv(x).view({batch, steps, 3, heads, size}).permute({2, 0, 3, 1, 4});
    auto out = attend(parts[0], parts[1], parts[2]);
    out = out.transpose(1, 2);
    return proj(out.reshape({batch, steps, -1}));
  }
};
TORCH_MODULE(EncoderAttention);

torch::Tensor encode(EncoderAttention &layer, torch::Tensor patches, int64_t depth) {
  torch::NoGradGuard guard;
  for (int64_t i = 0; i < depth; ++i)
    patches = patches + layer->forwardRight(torch::layer_norm(patches, {patches.size(2)}));
  return patches + layer(patches);
}
} // namespace vit_attention

// https://github.com/NVIDIA/TensorRT-LLM/pull/9551
// The first result is already taken out of the list and shaped like x; taking [0] of it once more leaves a single row.
namespace fused_moe_op {
struct Experts {
  torch::Tensor w1; // [experts, inner, hidden]
  torch::Tensor w2; // [experts, hidden, inner]
};

// the results: the new rows, and how many tokens each expert has got
std::vector<torch::Tensor> fusedMoe(const torch::Tensor &rows, const torch::Tensor &chosen, const torch::Tensor &weights, const Experts &e) {
  TORCH_CHECK(rows.dim() == 2 && chosen.sizes() == weights.sizes());
  auto out = torch::zeros_like(rows);
  const int64_t n = e.w1.size(0);
  auto counts = torch::zeros({n}, torch::dtype(torch::kLong).device(rows.device()));
  for (int64_t i = 0; i < n; ++i) {
    auto mask = chosen.eq(i);
    auto scale = (weights * mask.to(weights.dtype())).sum(1, true);
    auto h = torch::relu(torch::matmul(rows, e.w1[i].t()));
    out.add_(torch::matmul(h, e.w2[i].t()) * scale);
    counts[i] = mask.sum();
  }
  return {out, counts};
}

torch::Tensor moeForward(const torch::Tensor &x, const torch::Tensor &router, const Experts &e, int64_t top) {
  const int64_t hidden = x.size(-1);
  auto rows = x.reshape({-1, hidden});
  auto [weights, chosen] = torch::softmax(torch::matmul(rows, router.t()), 1).topk(top, 1);
  weights = weights / weights.sum(1, true);
  auto out = fusedMoe(rows, chosen, weights, e)[0].view(x.sizes());
  return out[0].view(x.sizes()); // missed: tensor-shape-mismatch
}

torch::Tensor moeForwardRight(const torch::Tensor &x, const torch::Tensor &router, const Experts &e, int64_t top) {
  const int64_t hidden = x.size(-1);
  auto rows = x.reshape({-1, hidden});
  auto [weights, chosen] = torch::softmax(torch::matmul(rows, router.t()), 1).topk(top, 1);
  weights = weights / weights.sum(1, true);
  auto out = fusedMoe(rows, chosen, weights, e)[0].view(x.sizes());
  return out;
}
} // namespace fused_moe_op

// https://github.com/rasbt/LLMs-from-scratch/pull/697
// With a cache the scores are [queries, all keys], but the mask is cut to [queries, queries].
namespace cached_attention {
struct CausalAttentionImpl : torch::nn::Module {
  int64_t heads, size, context;
  torch::nn::Linear wq{nullptr}, wk{nullptr}, wv{nullptr}, wo{nullptr};
  torch::Tensor mask;             // [context, context], true where a query may not look
  torch::Tensor cache_k, cache_v; // [batch, heads, past, size]

  CausalAttentionImpl(int64_t heads_, int64_t size_, int64_t context_) : heads(heads_), size(size_), context(context_) {
    const int64_t d = heads * size;
    wq = register_module("wq", torch::nn::Linear(d, d));
    wk = register_module("wk", torch::nn::Linear(d, d));
    wv = register_module("wv", torch::nn::Linear(d, d));
    wo = register_module("wo", torch::nn::Linear(d, d));
    mask = register_buffer("mask", torch::ones({context, context}, torch::kBool).triu(1));
  }
  torch::Tensor split(const torch::Tensor &x) { return x.view({x.size(0), x.size(1), heads, size}).transpose(1, 2); }

  void append(const torch::Tensor &k, const torch::Tensor &v) {
    cache_k = cache_k.defined() ? torch::cat({cache_k, k}, 2) : k;
    cache_v = cache_v.defined() ? torch::cat({cache_v, v}, 2) : v;
    TORCH_CHECK(cache_k.size(2) <= context, "the context is full");
  }
  torch::Tensor join(const torch::Tensor &weights) {
    auto out = torch::matmul(weights, cache_v).transpose(1, 2);
    return wo(out.reshape({out.size(0), out.size(1), heads * size}));
  }

  // a further piece of a prompt, two steps or more, whose beginning is in the cache
  torch::Tensor extend(const torch::Tensor &x) {
    TORCH_CHECK(cache_k.defined() && x.size(1) > 1);
    append(split(wk(x)), split(wv(x)));
    const int64_t steps = x.size(1);
    auto scores = torch::matmul(split(wq(x)), cache_k.transpose(2, 3)) / std::sqrt((double)size);
    auto m = mask.slice(0, 0, steps).slice(1, 0, steps);
    scores = scores.masked_fill(m, -std::numeric_limits<float>::infinity()); // missed: tensor-shape-mismatch
    return join(torch::softmax(scores, -1));
  }

  torch::Tensor extendRight(const torch::Tensor &x) {
    TORCH_CHECK(cache_k.defined() && x.size(1) > 1);
    append(split(wk(x)), split(wv(x)));
    const int64_t all = cache_k.size(2), steps = x.size(1);
    auto scores = torch::matmul(split(wq(x)), cache_k.transpose(2, 3)) / std::sqrt((double)size);
    auto m = mask.slice(0, all - steps, all).slice(1, 0, all);
    scores = scores.masked_fill(m, -std::numeric_limits<float>::infinity());
    return join(torch::softmax(scores, -1));
  }
};
TORCH_MODULE(CausalAttention);
} // namespace cached_attention

// https://github.com/speechbrain/speechbrain/issues/2784
// The predictions have the one axis [batch], and the smoothing averages them along axis 1.
namespace smoothed_bce {
struct KeywordNetImpl : torch::nn::Module {
  torch::nn::GRU rnn{nullptr};
  torch::nn::Linear out{nullptr};
  KeywordNetImpl(int64_t mels, int64_t hidden) {
    rnn = register_module("rnn", torch::nn::GRU(torch::nn::GRUOptions(mels, hidden).batch_first(true)));
    out = register_module("out", torch::nn::Linear(hidden, 1));
  }
  // [batch, time, mels] -> [batch]
  torch::Tensor forward(const torch::Tensor &x) {
    auto hidden = std::get<1>(rnn(x))[0];
    return out(hidden).squeeze(1);
  }
};
TORCH_MODULE(KeywordNet);

torch::Tensor elementLoss(const torch::Tensor &p, const torch::Tensor &t) {
  namespace F = torch::nn::functional;
  return F::binary_cross_entropy_with_logits(p, t, F::BinaryCrossEntropyWithLogitsFuncOptions().reduction(torch::kNone));
}

torch::Tensor bceLoss(const torch::Tensor &predictions, const torch::Tensor &targets, const torch::Tensor &mask, double smoothing) {
  TORCH_CHECK(predictions.dim() == 1 && predictions.sizes() == targets.sizes(), "one value for each item of the batch");
  auto loss = (elementLoss(predictions, targets) * mask).sum() / mask.sum();
  if (smoothing == 0)
    return loss;
  auto reg = predictions.mean(1) * mask; // expect: tensor-shape-mismatch
  return (1 - smoothing) * loss - smoothing * reg.sum() / mask.sum();
}

torch::Tensor bceLossRight(const torch::Tensor &predictions, const torch::Tensor &targets, const torch::Tensor &mask, double smoothing) {
  TORCH_CHECK(predictions.dim() == 1 && predictions.sizes() == targets.sizes(), "one value for each item of the batch");
  auto loss = (elementLoss(predictions, targets) * mask).sum() / mask.sum();
  if (smoothing == 0)
    return loss;
  auto reg = predictions * mask;
  return (1 - smoothing) * loss - smoothing * reg.sum() / mask.sum();
}

double step(KeywordNet &net, torch::optim::Adam &opt, const torch::Tensor &mels, const torch::Tensor &labels) {
  opt.zero_grad();
  auto mask = labels.ge(0).to(torch::kFloat);
  auto targets = labels.clamp_min(0).to(torch::kFloat);
  auto loss = bceLossRight(net(mels), targets, mask, 0.0);
  loss.backward();
  opt.step();
  return loss.item<double>() + bceLoss(net(mels), targets, mask, 0.01).item<double>();
}
} // namespace smoothed_bce

// https://github.com/SeanLee97/AnglE/pull/102
// The sum of the tokens of a sentence is divided by the tokens of the whole batch, since the mask is summed without an axis.
namespace sentence_pooling {
struct EncoderImpl : torch::nn::Module {
  torch::nn::Embedding words{nullptr};
  torch::nn::TransformerEncoder layers{nullptr};
  EncoderImpl(int64_t vocab, int64_t dim) {
    words = register_module("words", torch::nn::Embedding(vocab, dim));
    auto layer = torch::nn::TransformerEncoderLayer(torch::nn::TransformerEncoderLayerOptions(dim, 8).dropout(0.1));
    layers = register_module("layers", torch::nn::TransformerEncoder(torch::nn::TransformerEncoderOptions(layer, 4)));
  }
  // ids [batch, steps] -> [batch, steps, dim]
  torch::Tensor forward(const torch::Tensor &ids) { return layers(words(ids).transpose(0, 1)).transpose(0, 1); }
};
TORCH_MODULE(Encoder);

torch::Tensor pooled(const torch::Tensor &hidden, const torch::Tensor &mask, const std::string &how) {
  TORCH_CHECK(hidden.dim() == 3 && mask.dim() == 2, "hidden [batch, steps, dim], mask [batch, steps]");
  if (how == "cls")
    return hidden.select(1, 0);
  if (how == "max")
    return hidden.masked_fill(mask.unsqueeze(-1).eq(0), -1e4).amax(1);
  auto m = mask.to(hidden.dtype());
  auto summed = (hidden * m.unsqueeze(-1)).sum(1);
  return summed / m.sum(); // expect: tensor-value-domain
}

torch::Tensor pooledRight(const torch::Tensor &hidden, const torch::Tensor &mask, const std::string &how) {
  TORCH_CHECK(hidden.dim() == 3 && mask.dim() == 2, "hidden [batch, steps, dim], mask [batch, steps]");
  if (how == "cls")
    return hidden.select(1, 0);
  if (how == "max")
    return hidden.masked_fill(mask.unsqueeze(-1).eq(0), -1e4).amax(1);
  auto m = mask.to(hidden.dtype());
  auto summed = (hidden * m.unsqueeze(-1)).sum(1);
  return summed / m.sum(1, true);
}

torch::Tensor distances(Encoder &net, const torch::Tensor &a, const torch::Tensor &b, int64_t pad) {
  torch::NoGradGuard guard;
  auto x = pooled(net(a), a.ne(pad), "mean");
  auto y = pooledRight(net(b), b.ne(pad), "mean");
  return torch::norm(x - y, 2, {1});
}
} // namespace sentence_pooling

// https://github.com/jolibrain/deepdetect/pull/1567
// The scores are [batch, classes, height, width], and the best class is looked for along the batch.
namespace segment_eval {
struct DecoderImpl : torch::nn::Module {
  torch::nn::Conv2d reduce{nullptr}, classify{nullptr};
  DecoderImpl(int64_t channels, int64_t classes) {
    reduce = register_module("reduce", torch::nn::Conv2d(torch::nn::Conv2dOptions(channels, 64, 3).padding(1)));
    classify = register_module("classify", torch::nn::Conv2d(torch::nn::Conv2dOptions(64, classes, 1)));
  }
  torch::Tensor forward(const torch::Tensor &features, int64_t height, int64_t width) {
    auto x = classify(torch::relu(reduce(features)));
    return torch::upsample_bilinear2d(x, {height, width}, false);
  }
};
TORCH_MODULE(Decoder);

struct Confusion {
  int64_t classes;
  torch::Tensor counts; // [classes, classes]
  explicit Confusion(int64_t n) : classes(n), counts(torch::zeros({n, n}, torch::kLong)) {}
  void add(const torch::Tensor &predicted, const torch::Tensor &wanted) {
    TORCH_CHECK(predicted.numel() == wanted.numel(), "as many classes as labels are needed");
    auto cell = wanted.reshape({-1}) * classes + predicted.reshape({-1});
    counts += torch::bincount(cell, {}, classes * classes).view({classes, classes});
  }
  double meanIou() const {
    auto hit = counts.diag().to(torch::kDouble);
    auto all = (counts.sum(0) + counts.sum(1)).to(torch::kDouble) - hit;
    return (hit / all.clamp_min(1)).mean().item<double>();
  }
};

double evaluate(Decoder &net, const std::vector<std::pair<torch::Tensor, torch::Tensor>> &batches, int64_t classes) {
  torch::NoGradGuard guard;
  Confusion table(classes);
  for (const auto &[features, labels] : batches) { // labels [batch, height, width]
    auto scores = net(features, labels.size(1), labels.size(2));
    auto segmap = torch::argmax(scores, 0); // missed: tensor-shape-mismatch
    table.add(segmap.cpu(), labels.cpu());
  }
  return table.meanIou();
}

double evaluateRight(Decoder &net, const std::vector<std::pair<torch::Tensor, torch::Tensor>> &batches, int64_t classes) {
  torch::NoGradGuard guard;
  Confusion table(classes);
  for (const auto &[features, labels] : batches) {
    auto scores = net(features, labels.size(1), labels.size(2));
    auto segmap = torch::argmax(scores, 1);
    table.add(segmap.cpu(), labels.cpu());
  }
  return table.meanIou();
}
} // namespace segment_eval

// https://github.com/huggingface/diffusers/issues/2893
// An image is [batch, channels, height, width]; the height is read from the last axis and the width from the one before.
namespace control_pipeline {
struct Request {
  torch::Tensor image; // [batch, 3, height, width], 0 to 1
  std::optional<int64_t> height, width;
  int64_t steps = 20;
};

int64_t roundedTo8(int64_t v) { return v / 8 * 8; }

std::pair<int64_t, int64_t> defaultSize(const Request &r) {
  TORCH_CHECK(r.image.dim() == 4 && r.image.size(1) == 3, "the image has to be [batch, 3, height, width]");
  const int64_t height = r.height ? *r.height : r.image.size(3);
  const int64_t width = r.width ? *r.width : r.image.size(2);
  return {roundedTo8(height), roundedTo8(width)};
}

std::pair<int64_t, int64_t> defaultSizeRight(const Request &r) {
  TORCH_CHECK(r.image.dim() == 4 && r.image.size(1) == 3, "the image has to be [batch, 3, height, width]");
  const int64_t height = r.height ? *r.height : r.image.size(2);
  const int64_t width = r.width ? *r.width : r.image.size(3);
  return {roundedTo8(height), roundedTo8(width)};
}

torch::Tensor hint(const torch::Tensor &image) {
  auto gray = (image * torch::tensor({0.299, 0.587, 0.114}, image.options()).view({1, 3, 1, 1})).sum(1, true);
  auto dx = torch::constant_pad_nd(gray.diff(1, 3), {0, 1});
  auto dy = torch::constant_pad_nd(gray.diff(1, 2), {0, 0, 0, 1});
  return (dx.pow(2) + dy.pow(2)).sqrt().expand({-1, 3, -1, -1});
}

// a picture as large as the one given, with the edges of that one drawn into it
torch::Tensor compose(Request r) {
  r.height.reset();
  r.width.reset();
  auto [height, width] = defaultSize(r);
  auto canvas = torch::rand({r.image.size(0), 3, height, width}, r.image.options());
  auto edges = hint(r.image.slice(2, 0, roundedTo8(r.image.size(2))).slice(3, 0, roundedTo8(r.image.size(3))));
  return canvas * 0.5 + edges * 0.5; // missed: tensor-shape-mismatch
}

torch::Tensor composeRight(Request r) {
  r.height.reset();
  r.width.reset();
  auto [height, width] = defaultSizeRight(r);
  auto canvas = torch::rand({r.image.size(0), 3, height, width}, r.image.options());
  auto edges = hint(r.image.slice(2, 0, roundedTo8(r.image.size(2))).slice(3, 0, roundedTo8(r.image.size(3))));
  return canvas * 0.5 + edges * 0.5;
}
} // namespace control_pipeline

// https://github.com/pytorch/FBGEMM/pull/5761
// The data is made contiguous, the lengths are not: they are a column of the table of segments, and the kernel reads them one after the other.
namespace pack_segments_gpu {
// lengths and starts one after the other, data [rows, width] dense, packed [segments, longest, width] dense
void launch_pack(const int64_t *lengths, const int64_t *starts, const float *data, float *packed, int64_t segments, int64_t longest, int64_t width);

#define CHECK_GPU(x) TORCH_CHECK((x).is_cuda(), #x " has to be on the GPU")

torch::Tensor exclusiveSum(const torch::Tensor &lengths) {
  auto ends = lengths.cumsum(0);
  return (ends - lengths).contiguous(); // also: tensor-redundant-contiguous
}

// segments [n, 3]: id, length, kind
torch::Tensor packSegments(const torch::Tensor &data, const torch::Tensor &segments, int64_t longest) {
  CHECK_GPU(data);
  CHECK_GPU(segments);
  TORCH_CHECK(segments.dim() == 2 && segments.size(1) == 3 && segments.scalar_type() == torch::kLong);
  TORCH_CHECK(data.dim() == 2 && data.scalar_type() == torch::kFloat);
  auto dense = data.contiguous();
  auto lengths = segments.select(1, 1);
  auto starts = exclusiveSum(lengths);
  auto packed = torch::zeros({lengths.size(0), longest, dense.size(1)}, dense.options());
  launch_pack(lengths.data_ptr<int64_t>(), starts.data_ptr<int64_t>(), dense.data_ptr<float>(), packed.data_ptr<float>(), lengths.size(0), longest, // expect: tensor-raw-pointer-layout
              dense.size(1));
  return packed;
}

torch::Tensor packSegmentsRight(const torch::Tensor &data, const torch::Tensor &segments, int64_t longest) {
  CHECK_GPU(data);
  CHECK_GPU(segments);
  TORCH_CHECK(segments.dim() == 2 && segments.size(1) == 3 && segments.scalar_type() == torch::kLong);
  TORCH_CHECK(data.dim() == 2 && data.scalar_type() == torch::kFloat);
  auto dense = data.contiguous();
  auto lengths = segments.select(1, 1).contiguous();
  auto starts = exclusiveSum(lengths);
  auto packed = torch::zeros({lengths.size(0), longest, dense.size(1)}, dense.options());
  launch_pack(lengths.data_ptr<int64_t>(), starts.data_ptr<int64_t>(), dense.data_ptr<float>(), packed.data_ptr<float>(), lengths.size(0), longest,
              dense.size(1));
  return packed;
}
#undef CHECK_GPU
} // namespace pack_segments_gpu

// https://github.com/pytorch/FBGEMM/pull/1553
// The gradient of a sum is one value expanded over all rows; the kernel takes its pointer as that of a dense matrix.
namespace unary_embedding {
// out[row] = weight[ids[row]], dense; the backward adds grad[row] to grad_weight[ids[row]], grad dense
void launch_lookup(const float *weight, const int64_t *ids, float *out, int64_t rows, int64_t width);
void launch_lookup_backward(const float *grad, const int64_t *ids, float *grad_weight, int64_t rows, int64_t width);

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

struct Lookup : torch::autograd::Function<Lookup> {
  static torch::Tensor forward(AutogradContext *ctx, const torch::Tensor &weight, const torch::Tensor &ids) {
    TORCH_CHECK(weight.is_cuda() && weight.is_contiguous() && weight.dim() == 2);
    TORCH_CHECK(ids.is_cuda() && ids.is_contiguous() && ids.scalar_type() == torch::kLong);
    auto out = torch::empty({ids.size(0), weight.size(1)}, weight.options());
    launch_lookup(weight.data_ptr<float>(), ids.data_ptr<int64_t>(), out.data_ptr<float>(), ids.size(0), weight.size(1));
    ctx->save_for_backward({ids});
    ctx->saved_data["count"] = weight.size(0);
    return out;
  }

  static tensor_list backward(AutogradContext *ctx, tensor_list grads) {
    auto ids = ctx->get_saved_variables()[0];
    auto grad = grads[0];
    auto grad_weight = torch::zeros({ctx->saved_data["count"].toInt(), grad.size(1)}, grad.options());
    launch_lookup_backward(grad.data_ptr<float>(), ids.data_ptr<int64_t>(), grad_weight.data_ptr<float>(), ids.size(0), grad.size(1)); // expect: tensor-raw-pointer-layout
    return {grad_weight, torch::Tensor()};
  }
};

struct LookupRight : torch::autograd::Function<LookupRight> {
  static torch::Tensor forward(AutogradContext *ctx, const torch::Tensor &weight, const torch::Tensor &ids) { return Lookup::forward(ctx, weight, ids); }

  static tensor_list backward(AutogradContext *ctx, tensor_list grads) {
    auto ids = ctx->get_saved_variables()[0];
    auto grad = grads[0].contiguous();
    auto grad_weight = torch::zeros({ctx->saved_data["count"].toInt(), grad.size(1)}, grad.options());
    launch_lookup_backward(grad.data_ptr<float>(), ids.data_ptr<int64_t>(), grad_weight.data_ptr<float>(), ids.size(0), grad.size(1));
    return {grad_weight, torch::Tensor()};
  }
};

// what the training adds to its loss
void pushUp(torch::Tensor &weight, const torch::Tensor &ids, double lr) {
  auto score = Lookup::apply(weight, ids).sum() + LookupRight::apply(weight, ids).sum();
  score.backward();
  torch::NoGradGuard guard;
  weight.add_(weight.grad(), lr);
  weight.mutable_grad().zero_();
}
} // namespace unary_embedding

// https://github.com/ByteDance-Seed/Triton-distributed/issues/182
// The kernel adds its partial sums to the result, which comes uninitialized from empty.
namespace persistent_reduce {
// every block adds the sum of its part to *total (atomically); total has to be 0 before
void launch_add_sum(const float *src, float *total, int64_t n, int64_t stride, int blocks, void *stream);
// every block writes the rows that are its own
void launch_row_sum(const float *src, float *out, int64_t rows, int64_t cols, int blocks, void *stream);

constexpr int64_t kPerBlock = 1024;

int blocksFor(int64_t n, int limit) { return (int)std::min<int64_t>((n + kPerBlock - 1) / kPerBlock, limit); }

torch::Tensor rowSums(const torch::Tensor &x, int processors, void *stream) {
  TORCH_CHECK(x.is_cuda() && x.dim() == 2 && x.is_contiguous() && x.scalar_type() == torch::kFloat);
  auto out = torch::empty({x.size(0)}, x.options());
  launch_row_sum(x.data_ptr<float>(), out.data_ptr<float>(), x.size(0), x.size(1), blocksFor(x.numel(), processors), stream);
  return out;
}

torch::Tensor totalSum(const torch::Tensor &x, int processors, void *stream) {
  TORCH_CHECK(x.is_cuda() && x.dim() == 1 && x.scalar_type() == torch::kFloat);
  if (x.numel() == 0)
    return torch::zeros({1}, x.options());
  auto out = torch::empty({1}, x.options());
  launch_add_sum(x.data_ptr<float>(), out.data_ptr<float>(), x.numel(), x.stride(0), blocksFor(x.numel(), processors), stream); // missed: tensor-raw-pointer-layout
  return out;
}

torch::Tensor totalSumRight(const torch::Tensor &x, int processors, void *stream) {
  TORCH_CHECK(x.is_cuda() && x.dim() == 1 && x.scalar_type() == torch::kFloat);
  if (x.numel() == 0)
    return torch::zeros({1}, x.options());
  auto out = torch::zeros({1}, x.options());
  launch_add_sum(x.data_ptr<float>(), out.data_ptr<float>(), x.numel(), x.stride(0), blocksFor(x.numel(), processors), stream);
  return out;
}

torch::Tensor meanOf(const torch::Tensor &x, int processors, void *stream) {
  auto rows = rowSums(x, processors, stream);
  return (totalSum(rows, processors, stream) + totalSumRight(rows, processors, stream)) / (2.0 * x.numel());
}
} // namespace persistent_reduce

// https://github.com/graphdeco-inria/diff-gaussian-rasterization/pull/65
// The background is made without a device and so on the CPU, and its pointer goes to the kernel.
namespace splat_raster {
struct Camera {
  int64_t height, width;
  double tan_x, tan_y;
  torch::Tensor view; // [4, 4], on the GPU
};
struct Cloud {
  torch::Tensor means;   // [n, 3]
  torch::Tensor colors;  // [n, 3]
  torch::Tensor opacity; // [n, 1]
};

// all pointers are to memory of the GPU
void launch_render(const float *means, const float *colors, const float *opacity, const float *view, const float *background, float *image, int64_t n,
                   int64_t height, int64_t width, float tan_x, float tan_y);

void checkCloud(const Cloud &c) {
  TORCH_CHECK(c.means.is_cuda() && c.colors.is_cuda() && c.opacity.is_cuda(), "the cloud has to be on the GPU");
  TORCH_CHECK(c.means.dim() == 2 && c.means.size(1) == 3, "means have to be [n, 3]");
  TORCH_CHECK(c.colors.sizes() == c.means.sizes());
}

torch::Tensor render(const Cloud &c, const Camera &cam, bool white) {
  checkCloud(c);
  auto means = c.means.contiguous(), colors = c.colors.contiguous(), opacity = c.opacity.contiguous();
  auto view = cam.view.to(means.device()).contiguous();
  auto background = white ? torch::ones({3}) : torch::zeros({3});
  auto image = torch::empty({3, cam.height, cam.width}, means.options());
  launch_render(means.data_ptr<float>(), colors.data_ptr<float>(), opacity.data_ptr<float>(), view.data_ptr<float>(), background.data_ptr<float>(), // expect: tensor-device-mismatch
                image.data_ptr<float>(), means.size(0), cam.height, cam.width, cam.tan_x, cam.tan_y);
  return image;
}

torch::Tensor renderRight(const Cloud &c, const Camera &cam, bool white) {
  checkCloud(c);
  auto means = c.means.contiguous(), colors = c.colors.contiguous(), opacity = c.opacity.contiguous();
  auto view = cam.view.to(means.device()).contiguous();
  auto background = white ? torch::ones({3}, means.options()) : torch::zeros({3}, means.options());
  auto image = torch::empty({3, cam.height, cam.width}, means.options());
  launch_render(means.data_ptr<float>(), colors.data_ptr<float>(), opacity.data_ptr<float>(), view.data_ptr<float>(), background.data_ptr<float>(),
                image.data_ptr<float>(), means.size(0), cam.height, cam.width, cam.tan_x, cam.tan_y);
  return image;
}
} // namespace splat_raster

// https://github.com/RussWong/CUDATutorial/pull/12
// The grid is made for as many threads as the tensor has bytes, and the kernel takes one element a thread without asking for the end.
namespace stream_scale {
struct Grid {
  unsigned x = 1, y = 1, z = 1;
};
// thread i of grid.x * block handles element i; there is no test of the end
void launch_scale(Grid grid, unsigned block, float *data, float factor, void *stream);
// the same with a test of the end
void launch_scale_checked(Grid grid, unsigned block, float *data, float factor, int64_t n, void *stream);

constexpr unsigned kBlock = 256;

Grid gridFor(int64_t threads) { return {(unsigned)((threads + kBlock - 1) / kBlock), 1, 1}; }

struct Chunked {
  torch::Tensor data;
  int64_t streams;
  torch::Tensor part(int64_t i) const {
    const int64_t n = data.numel() / streams;
    return data.narrow(0, i * n, n);
  }
};

void checkParts(const Chunked &c) {
  TORCH_CHECK(c.data.is_cuda() && c.data.dim() == 1 && c.data.is_contiguous() && c.data.scalar_type() == torch::kFloat);
  TORCH_CHECK(c.data.numel() % (c.streams * kBlock) == 0, "every stream gets full blocks");
}

void scaleAll(const Chunked &c, float factor, void *const *streams) {
  checkParts(c);
  for (int64_t i = 0; i < c.streams; ++i) {
    auto part = c.part(i);
    launch_scale(gridFor(part.nbytes()), kBlock, part.data_ptr<float>(), factor, streams[i]); // missed: tensor-raw-pointer-layout
  }
}

void scaleAllRight(const Chunked &c, float factor, void *const *streams) {
  checkParts(c);
  for (int64_t i = 0; i < c.streams; ++i) {
    auto part = c.part(i);
    launch_scale(gridFor(part.numel()), kBlock, part.data_ptr<float>(), factor, streams[i]);
  }
}

void scaleWhole(const torch::Tensor &t, float factor, void *stream) {
  launch_scale_checked(gridFor(t.numel()), kBlock, t.data_ptr<float>(), factor, t.numel(), stream);
}
} // namespace stream_scale

// https://github.com/tensara/tensara/pull/176
// The helper hands out the pointers of tensors that it has made itself; they are freed when it returns, before the kernel runs.
namespace kernel_arguments {
// the whole of what a solution gets: in, out, then the shape and the strides as arrays on the GPU
void launch_solution(void *const *arguments, int64_t count);

struct Problem {
  torch::Tensor input, expected;
  int64_t axis;
};

torch::Tensor onGpu(torch::IntArrayRef values, const torch::Device &device) {
  return torch::tensor(values, torch::kLong).to(device);
}

std::vector<void *> makeArguments(const Problem &p, const torch::Tensor &output) {
  std::vector<void *> arguments{p.input.data_ptr(), output.data_ptr()};
  auto shape = onGpu(p.input.sizes(), p.input.device());
  auto strides = onGpu(p.input.strides(), p.input.device());
  arguments.push_back(shape.data_ptr());
  arguments.push_back(strides.data_ptr()); // expect: tensor-dangling-data-pointer
  return arguments;
}

std::vector<void *> makeArgumentsRight(const Problem &p, const torch::Tensor &output, std::vector<torch::Tensor> &keep) {
  std::vector<void *> arguments{p.input.data_ptr(), output.data_ptr()};
  keep.push_back(onGpu(p.input.sizes(), p.input.device()));
  keep.push_back(onGpu(p.input.strides(), p.input.device()));
  for (const auto &t : keep)
    arguments.push_back(t.data_ptr());
  return arguments;
}

bool judge(const Problem &p) {
  TORCH_CHECK(p.input.is_cuda() && p.expected.sizes() == p.input.sizes());
  auto output = torch::full_like(p.expected, -1.0);
  auto arguments = makeArguments(p, output);
  launch_solution(arguments.data(), (int64_t)arguments.size());
  return torch::allclose(output, p.expected, 1e-4, 1e-5);
}

bool judgeRight(const Problem &p) {
  TORCH_CHECK(p.input.is_cuda() && p.expected.sizes() == p.input.sizes());
  auto output = torch::full_like(p.expected, -1.0);
  std::vector<torch::Tensor> keep;
  auto arguments = makeArgumentsRight(p, output, keep);
  launch_solution(arguments.data(), (int64_t)arguments.size());
  return torch::allclose(output, p.expected, 1e-4, 1e-5);
}
} // namespace kernel_arguments

// https://github.com/rusty1s/pytorch_scatter/issues/382
// The groups are made by zeros() without a type and are floats, while the sum by groups asks them for pointers to int64.
namespace scatter_by_hand {
struct Sizes {
  int64_t outer, n, inner;
};

Sizes around(const torch::Tensor &src, int64_t dim) {
  Sizes s{1, src.size(dim), 1};
  for (int64_t i = 0; i < dim; ++i)
    s.outer *= src.size(i);
  for (int64_t i = dim + 1; i < src.dim(); ++i)
    s.inner *= src.size(i);
  return s;
}

torch::Tensor scatterSum(const torch::Tensor &src, const torch::Tensor &index, int64_t dim, int64_t groups) {
  TORCH_CHECK(src.device().is_cpu() && index.device().is_cpu());
  TORCH_CHECK(index.dim() == 1 && index.size(0) == src.size(dim), "one group for each entry along dim");
  auto dense = src.contiguous(), idx = index.contiguous();
  auto sizes = dense.sizes().vec();
  sizes[dim] = groups;
  auto out = torch::zeros(sizes, dense.options());
  const Sizes s = around(dense, dim);
  const int64_t *group = idx.data_ptr<int64_t>();
  const float *from = dense.data_ptr<float>();
  float *to = out.data_ptr<float>();
  for (int64_t o = 0; o < s.outer; ++o)
    for (int64_t i = 0; i < s.n; ++i) {
      TORCH_CHECK(group[i] >= 0 && group[i] < groups, "no such group: ", group[i]);
      for (int64_t k = 0; k < s.inner; ++k)
        to[(o * groups + group[i]) * s.inner + k] += from[(o * s.n + i) * s.inner + k];
    }
  return out;
}

// everything into one group, as a check of the installation
double smallest() {
  auto src = torch::ones({7});
  auto index = torch::zeros({7});
  auto out = scatterSum(src, index, 0, 7); // missed: tensor-shape-mismatch
  return out[0].item<double>();
}

double smallestRight() {
  auto src = torch::ones({7});
  auto index = torch::zeros({7}, torch::kLong);
  auto out = scatterSum(src, index, 0, 7);
  return out[0].item<double>();
}
} // namespace scatter_by_hand

// https://github.com/pytorch/executorch/pull/18725
// The tensor looks at the memory of the vector, and push_back moves the vector to other memory.
namespace token_generator {
struct ModelImpl : torch::nn::Module {
  torch::nn::Embedding words{nullptr};
  torch::nn::GRU body{nullptr};
  torch::nn::Linear head{nullptr};
  ModelImpl(int64_t vocab, int64_t dim) {
    words = register_module("words", torch::nn::Embedding(vocab, dim));
    body = register_module("body", torch::nn::GRU(torch::nn::GRUOptions(dim, dim).batch_first(true)));
    head = register_module("head", torch::nn::Linear(dim, vocab));
  }
  // ids [1, steps] -> [vocab], for the last step
  torch::Tensor forward(const torch::Tensor &ids) { return head(std::get<0>(body(words(ids))).select(1, -1)).squeeze(0); }
};
TORCH_MODULE(Model);

struct Generator {
  Model model;
  int64_t end_id;

  std::vector<int64_t> generate(std::vector<int64_t> tokens, int64_t most, const std::function<void(int64_t)> &seen) {
    TORCH_CHECK(!tokens.empty());
    torch::NoGradGuard guard;
    std::vector<int64_t> data(tokens.begin(), tokens.end());
    const int64_t prompt = (int64_t)data.size();
    auto first = torch::from_blob(data.data(), {1, prompt}, torch::kLong);
    for (int64_t i = 0; i < most; ++i) {
      auto input = i == 0 ? first : torch::cat({first, torch::tensor(std::vector<int64_t>(data.begin() + prompt, data.end())).unsqueeze(0)}, 1); // expect: tensor-from-blob-lifetime
      const int64_t next = model(input).argmax(-1).item<int64_t>();
      seen(next);
      if (next == end_id)
        break;
      data.push_back(next);
    }
    return data;
  }

  std::vector<int64_t> generateRight(std::vector<int64_t> tokens, int64_t most, const std::function<void(int64_t)> &seen) {
    TORCH_CHECK(!tokens.empty());
    torch::NoGradGuard guard;
    std::vector<int64_t> data(tokens.begin(), tokens.end());
    data.reserve(tokens.size() + most);
    const int64_t prompt = (int64_t)data.size();
    auto first = torch::from_blob(data.data(), {1, prompt}, torch::kLong);
    for (int64_t i = 0; i < most; ++i) {
      auto input = i == 0 ? first : torch::cat({first, torch::tensor(std::vector<int64_t>(data.begin() + prompt, data.end())).unsqueeze(0)}, 1);
      const int64_t next = model(input).argmax(-1).item<int64_t>();
      seen(next);
      if (next == end_id)
        break;
      data.push_back(next);
    }
    return data;
  }
};
} // namespace token_generator

// https://github.com/tracel-ai/burn/issues/2091
// The mask is one row expanded over the batch, and the in-place addition would write every row to the same memory.
namespace padded_batches {
struct Positions {
  int64_t longest;
  torch::Tensor forBatch(int64_t batch, const torch::Device &device) const {
    TORCH_CHECK(batch > 1 && longest > 1);
    auto row = torch::arange(longest, torch::dtype(torch::kLong).device(device));
    return row.expand({batch, longest});
  }
};

struct TokensImpl : torch::nn::Module {
  torch::nn::Embedding words{nullptr}, places{nullptr};
  int64_t pad;
  Positions positions;
  TokensImpl(int64_t vocab, int64_t dim, int64_t longest, int64_t pad_) : pad(pad_), positions{longest} {
    words = register_module("words", torch::nn::Embedding(vocab, dim));
    places = register_module("places", torch::nn::Embedding(longest + pad + 1, dim));
  }

  // as in fairseq: the places begin behind the number of the padding, and padding has that number itself
  torch::Tensor forward(const torch::Tensor &ids) {
    TORCH_CHECK(ids.dim() == 2 && ids.size(1) == positions.longest);
    auto at = positions.forBatch(ids.size(0), ids.device());
    at.add_(pad + 1); // expect: tensor-overlapping-write
    auto filled = at.masked_fill(ids.eq(pad), pad);
    return words(ids) + places(filled);
  }

  torch::Tensor forwardRight(const torch::Tensor &ids) {
    TORCH_CHECK(ids.dim() == 2 && ids.size(1) == positions.longest);
    auto at = positions.forBatch(ids.size(0), ids.device());
    at = at.add(pad + 1);
    auto filled = at.masked_fill(ids.eq(pad), pad);
    return words(ids) + places(filled);
  }
};
TORCH_MODULE(Tokens);

std::pair<torch::Tensor, torch::Tensor> both(Tokens &t, const torch::Tensor &ids) {
  torch::NoGradGuard guard;
  return {t->forward(ids), t->forwardRight(ids)};
}
} // namespace padded_batches

// https://github.com/ndif-team/nnsight/pull/126
// Rows of a weight that wants a gradient are set to zero in place while gradients are recorded.
namespace ablation {
struct MlpImpl : torch::nn::Module {
  torch::nn::Linear up{nullptr}, down{nullptr};
  MlpImpl(int64_t dim, int64_t inner) {
    up = register_module("up", torch::nn::Linear(dim, inner));
    down = register_module("down", torch::nn::Linear(inner, dim));
  }
  torch::Tensor forward(const torch::Tensor &x) { return down(torch::gelu(up(x))); }
};
TORCH_MODULE(Mlp);

// the neurons that do least on these inputs
std::vector<int64_t> idle(Mlp &mlp, const torch::Tensor &x, int64_t count) {
  torch::NoGradGuard guard;
  auto strength = torch::gelu(mlp->up(x)).abs().flatten(0, -2).mean(0);
  auto [values, order] = strength.topk(count, 0, false);
  auto on_cpu = order.cpu();
  return std::vector<int64_t>(on_cpu.data_ptr<int64_t>(), on_cpu.data_ptr<int64_t>() + count);
}

torch::Tensor lossWithout(Mlp &mlp, const torch::Tensor &x, const torch::Tensor &wanted, int64_t count) {
  TORCH_CHECK(count > 0 && count < mlp->up->weight.size(0));
  TORCH_CHECK(mlp->up->weight.requires_grad(), "the weights have to be trained afterwards");
  for (int64_t row : idle(mlp, x, count)) {
    mlp->up->weight.select(0, row).zero_(); // expect: tensor-inplace-on-saved
    mlp->up->bias.data()[row] = 0;
  }
  return torch::mse_loss(mlp(x), wanted);
}

torch::Tensor lossWithoutRight(Mlp &mlp, const torch::Tensor &x, const torch::Tensor &wanted, int64_t count) {
  TORCH_CHECK(count > 0 && count < mlp->up->weight.size(0));
  TORCH_CHECK(mlp->up->weight.requires_grad(), "the weights have to be trained afterwards");
  {
    torch::NoGradGuard guard;
    for (int64_t row : idle(mlp, x, count)) {
      mlp->up->weight.select(0, row).zero_();
      mlp->up->bias[row].zero_();
    }
  }
  return torch::mse_loss(mlp(x), wanted);
}

void finetune(Mlp &mlp, const torch::Tensor &x, const torch::Tensor &wanted) {
  torch::optim::SGD opt(mlp->parameters(), 0.01);
  opt.zero_grad();
  lossWithoutRight(mlp, x, wanted, 16).backward();
  opt.step();
  opt.zero_grad();
  lossWithout(mlp, x, wanted, 16).backward();
  opt.step();
}
} // namespace ablation

// https://github.com/meta-pytorch/torchforge/pull/71
// After each step the schedule goes on but the gradients stay, so the next step gets those of all batches so far.
namespace sft_trainer {
struct Batch {
  torch::Tensor ids;    // [batch, steps]
  torch::Tensor labels; // [batch, steps], -100 where there is no loss
};

struct LanguageModelImpl : torch::nn::Module {
  torch::nn::Embedding words{nullptr};
  torch::nn::LSTM body{nullptr};
  torch::nn::Linear head{nullptr};
  LanguageModelImpl(int64_t vocab, int64_t dim) {
    words = register_module("words", torch::nn::Embedding(vocab, dim));
    body = register_module("body", torch::nn::LSTM(torch::nn::LSTMOptions(dim, dim).num_layers(2).batch_first(true)));
    head = register_module("head", torch::nn::Linear(dim, vocab));
  }
  torch::Tensor forward(const torch::Tensor &ids) { return head(std::get<0>(body(words(ids)))); }
};
TORCH_MODULE(LanguageModel);

struct Trainer {
  LanguageModel model;
  std::unique_ptr<torch::optim::AdamW> opt;
  std::unique_ptr<torch::optim::StepLR> schedule;
  double last = 0;

  explicit Trainer(LanguageModel m) : model(std::move(m)) {
    opt = std::make_unique<torch::optim::AdamW>(model->parameters(), torch::optim::AdamWOptions(1e-4));
    schedule = std::make_unique<torch::optim::StepLR>(*opt, 100, 0.9);
  }

  torch::Tensor loss(const Batch &b) {
    auto logits = model(b.ids);
    return torch::cross_entropy_loss(logits.flatten(0, 1), b.labels.flatten());
  }

  void train(const std::vector<Batch> &batches) {
    model->train();
    for (const auto &b : batches) {
      auto l = loss(b);
      l.backward(); // missed: tensor-graph-retention
      torch::nn::utils::clip_grad_norm_(model->parameters(), 1.0);
      opt->step();
      schedule->step();
      last = l.item<double>();
    }
  }

  void trainRight(const std::vector<Batch> &batches) {
    model->train();
    for (const auto &b : batches) {
      auto l = loss(b);
      opt->zero_grad();
      l.backward();
      torch::nn::utils::clip_grad_norm_(model->parameters(), 1.0);
      opt->step();
      schedule->step();
      last = l.item<double>();
    }
  }
};
} // namespace sft_trainer

// https://github.com/karpathy/nn-zero-to-hero/issues/31
// The loss is computed once in front of the loop, and each turn runs backward through the same graph, which the first one has freed.
namespace bigrams {
constexpr int64_t kLetters = 27;

struct Pairs {
  torch::Tensor xs, ys; // [n]
};

Pairs pairsOf(const std::vector<std::string> &words) {
  std::vector<int64_t> xs, ys;
  for (const auto &w : words) {
    int64_t before = 0;
    for (char c : w + ".") {
      const int64_t now = c == '.' ? 0 : c - 'a' + 1;
      xs.push_back(before);
      ys.push_back(now);
      before = now;
    }
  }
  return {torch::tensor(xs, torch::kLong), torch::tensor(ys, torch::kLong)};
}

torch::Tensor lossOf(const torch::Tensor &w, const Pairs &p) {
  auto hot = torch::one_hot(p.xs, kLetters).to(torch::kFloat);
  auto counts = torch::mm(hot, w).exp();
  auto probs = counts / counts.sum(1, true);
  auto picked = probs.gather(1, p.ys.unsqueeze(1)).squeeze(1);
  return -picked.log().mean() + 0.01 * w.pow(2).mean();
}

torch::Tensor fit(const std::vector<std::string> &words, int64_t turns) {
  TORCH_CHECK(turns > 1);
  auto p = pairsOf(words);
  auto w = torch::randn({kLetters, kLetters}, torch::requires_grad());
  auto loss = lossOf(w, p);
  for (int64_t i = 0; i < turns; ++i) {
    w.mutable_grad() = torch::Tensor();
    loss.backward(); // expect: tensor-graph-retention
    torch::NoGradGuard guard;
    w.add_(w.grad(), -50.0); // also: tensor-inplace-on-saved
  }
  return w.detach();
}

torch::Tensor fitRight(const std::vector<std::string> &words, int64_t turns) {
  TORCH_CHECK(turns > 1);
  auto p = pairsOf(words);
  auto w = torch::randn({kLetters, kLetters}, torch::requires_grad());
  for (int64_t i = 0; i < turns; ++i) {
    auto loss = lossOf(w, p);
    w.mutable_grad() = torch::Tensor();
    loss.backward();
    torch::NoGradGuard guard;
    w.add_(w.grad(), -50.0);
  }
  return w.detach();
}
} // namespace bigrams

// https://github.com/radixark/miles/pull/1832
// The log probabilities of the old policy keep their graph in the rollout, which holds its memory and lets the gradient into the ratio twice.
namespace policy_rollouts {
struct PolicyImpl : torch::nn::Module {
  torch::nn::Linear l1{nullptr}, l2{nullptr};
  PolicyImpl(int64_t obs, int64_t actions) {
    l1 = register_module("l1", torch::nn::Linear(obs, 128));
    l2 = register_module("l2", torch::nn::Linear(128, actions));
  }
  torch::Tensor forward(const torch::Tensor &obs) { return torch::log_softmax(l2(torch::tanh(l1(obs))), -1); }
};
TORCH_MODULE(Policy);

struct Rollout {
  torch::Tensor obs, actions, rewards; // [n, obs], [n], [n]
  torch::Tensor log_probs;             // [n]
};

torch::Tensor logProbs(Policy &policy, const Rollout &r) { return policy(r.obs).gather(1, r.actions.unsqueeze(1)).squeeze(1); }

torch::Tensor surrogate(Policy &policy, const Rollout &r, double clip) {
  auto advantages = (r.rewards - r.rewards.mean()) / (r.rewards.std() + 1e-6);
  auto ratio = torch::exp(logProbs(policy, r) - r.log_probs);
  return -torch::min(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages).mean();
}

void update(Policy &policy, torch::optim::Adam &opt, std::vector<Rollout> &rollouts, int64_t epochs) {
  for (auto &r : rollouts)
    r.log_probs = logProbs(policy, r); // missed: tensor-graph-retention
  for (int64_t e = 0; e < epochs; ++e)
    for (auto &r : rollouts) {
      opt.zero_grad();
      surrogate(policy, r, 0.2).backward();
      opt.step();
    }
}

void updateRight(Policy &policy, torch::optim::Adam &opt, std::vector<Rollout> &rollouts, int64_t epochs) {
  for (auto &r : rollouts)
    r.log_probs = logProbs(policy, r).detach();
  for (int64_t e = 0; e < epochs; ++e)
    for (auto &r : rollouts) {
      opt.zero_grad();
      surrogate(policy, r, 0.2).backward();
      opt.step();
    }
}
} // namespace policy_rollouts

// https://github.com/vllm-project/vllm-omni/pull/1614
// The slot of every token is fetched from the GPU by its own item(), which waits for the GPU once a token.
namespace slot_mapping {
struct BlockTable {
  torch::Tensor blocks; // [requests, blocks], int, on the GPU
  int64_t block_size;

  BlockTable(int64_t requests, int64_t longest, int64_t block) : block_size(block) {
    const int64_t n = (longest + block - 1) / block;
    blocks = torch::arange(requests * n, torch::dtype(torch::kInt).device(torch::kCUDA)).view({requests, n});
  }
};

struct Metadata {
  torch::Tensor slots; // [tokens], on the GPU
  std::vector<int64_t> starts;
};

void checkLengths(const BlockTable &t, const std::vector<int64_t> &query, const std::vector<int64_t> &total) {
  TORCH_CHECK(query.size() == total.size() && (int64_t)query.size() <= t.blocks.size(0));
  for (size_t i = 0; i < query.size(); ++i)
    TORCH_CHECK(query[i] > 0 && query[i] <= total[i] && total[i] <= t.blocks.size(1) * t.block_size);
}

// for each step of the decoder
Metadata build(const BlockTable &t, const std::vector<int64_t> &query, const std::vector<int64_t> &total) {
  checkLengths(t, query, total);
  std::vector<int64_t> slots, starts{0};
  for (size_t i = 0; i < query.size(); ++i) {
    for (int64_t p = total[i] - query[i]; p < total[i]; ++p) {
      const int64_t block = t.blocks[(int64_t)i][p / t.block_size].item<int>(); // expect: tensor-sync-in-loop
      slots.push_back(block * t.block_size + p % t.block_size);
    }
    starts.push_back((int64_t)slots.size());
  }
  return {torch::tensor(slots, torch::kLong).to(t.blocks.device()), starts};
}

Metadata buildRight(const BlockTable &t, const std::vector<int64_t> &query, const std::vector<int64_t> &total) {
  checkLengths(t, query, total);
  std::vector<int64_t> slots, starts{0};
  auto on_cpu = t.blocks.cpu();
  auto blocks = on_cpu.accessor<int, 2>();
  for (size_t i = 0; i < query.size(); ++i) {
    for (int64_t p = total[i] - query[i]; p < total[i]; ++p) {
      const int64_t block = blocks[(int64_t)i][p / t.block_size];
      slots.push_back(block * t.block_size + p % t.block_size);
    }
    starts.push_back((int64_t)slots.size());
  }
  return {torch::tensor(slots, torch::kLong).to(t.blocks.device()), starts};
}
} // namespace slot_mapping

// https://github.com/bytedance/Dolphin/pull/150
// The page is made half whatever the device is, and the model on the CPU has stayed float.
namespace page_reader {
struct VisionImpl : torch::nn::Module {
  torch::nn::Conv2d stem{nullptr}, down{nullptr};
  torch::nn::BatchNorm2d norm{nullptr};
  explicit VisionImpl(int64_t dim) {
    stem = register_module("stem", torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 32, 7).stride(4).padding(3)));
    norm = register_module("norm", torch::nn::BatchNorm2d(32));
    down = register_module("down", torch::nn::Conv2d(torch::nn::Conv2dOptions(32, dim, 3).stride(2).padding(1)));
  }
  torch::Tensor forward(const torch::Tensor &x) { return down(torch::gelu(norm(stem(x)))).flatten(2).transpose(1, 2); }
};
TORCH_MODULE(Vision);

torch::Tensor normalized(const torch::Tensor &page) {
  TORCH_CHECK(page.scalar_type() == torch::kUInt8 && page.dim() == 3 && page.size(2) == 3, "the page has to be bytes, [height, width, 3]");
  auto x = page.permute({2, 0, 1}).unsqueeze(0).to(torch::kFloat).div(255);
  return (x - 0.5) / 0.5;
}

struct CpuReader {
  Vision vision;
  explicit CpuReader(int64_t dim) : vision(dim) {
    vision->to(torch::kCPU);
    vision->eval();
  }

  torch::Tensor read(const torch::Tensor &page) {
    torch::InferenceMode guard;
    auto pixels = normalized(page).to(torch::kHalf);
    return vision(pixels); // missed: tensor-shape-mismatch
  }

  torch::Tensor readRight(const torch::Tensor &page) {
    torch::InferenceMode guard;
    auto pixels = normalized(page);
    return vision(pixels);
  }
};

struct GpuReader {
  Vision vision;
  explicit GpuReader(int64_t dim) : vision(dim) {
    vision->to(torch::kCUDA, torch::kHalf);
    vision->eval();
  }
  torch::Tensor read(const torch::Tensor &page) {
    torch::InferenceMode guard;
    return vision(normalized(page).to(torch::kCUDA, torch::kHalf));
  }
};
} // namespace page_reader

// https://github.com/facebookresearch/momentum/pull/1047
// The check puts a batch axis in front of the transforms, and the accessor is still one of three axes.
namespace rasterize_axes {
struct Canvas {
  torch::Tensor rgb;   // [height, width, 3]
  torch::Tensor depth; // [height, width]
};

// to [batch, joints, rows, 4]: a missing batch axis is added
torch::Tensor validated(const torch::Tensor &t, int64_t rows) {
  TORCH_CHECK(t.dim() == 3 || t.dim() == 4, "transforms have to be [joints, ", rows, ", 4] or have a batch in front");
  TORCH_CHECK(t.size(-1) == 4 && t.size(-2) == rows);
  auto fixed = t.to(torch::kCPU, torch::kFloat).contiguous();
  return fixed.dim() == 3 ? fixed.unsqueeze(0) : fixed;
}

void drawDot(Canvas &c, float x, float y, float z) {
  const int64_t u = std::lround(x / z * 500 + c.rgb.size(1) / 2.0), v = std::lround(y / z * 500 + c.rgb.size(0) / 2.0);
  if (z <= 0 || u < 0 || v < 0 || u >= c.rgb.size(1) || v >= c.rgb.size(0))
    return;
  auto depth = c.depth.accessor<float, 2>();
  if (z >= depth[v][u])
    return;
  depth[v][u] = z;
  auto rgb = c.rgb.accessor<float, 3>();
  for (int64_t k = 0; k < 3; ++k)
    rgb[v][u][k] = k == 0 ? 1.0f : 0.0f;
}

void rasterizeTransforms(Canvas &c, const torch::Tensor &transforms) {
  auto fixed = validated(transforms, 4);
  TORCH_CHECK(fixed.size(0) == 1, "one frame at a time");
  auto t = fixed.accessor<float, 3>(); // expect: tensor-shape-mismatch
  for (int64_t j = 0; j < t.size(0); ++j)
    drawDot(c, t[j][0][3], t[j][1][3], t[j][2][3]);
}

void rasterizeTransformsRight(Canvas &c, const torch::Tensor &transforms) {
  auto fixed = validated(transforms, 4);
  TORCH_CHECK(fixed.size(0) == 1, "one frame at a time");
  auto first = fixed.select(0, 0);
  auto t = first.accessor<float, 3>();
  for (int64_t j = 0; j < t.size(0); ++j)
    drawDot(c, t[j][0][3], t[j][1][3], t[j][2][3]);
}

Canvas emptyCanvas(int64_t height, int64_t width) {
  return {torch::ones({height, width, 3}), torch::full({height, width}, 1e9f)};
}
} // namespace rasterize_axes

// https://github.com/microsoft/onnxruntime-genai/pull/1639
// A row of the static mask is as long as the longest text, and the pointer goes on by the length of the prompt.
namespace static_mask {
struct State {
  int64_t batch, longest;
  int32_t pad_id;
  torch::Tensor mask;      // [batch, longest]
  torch::Tensor positions; // [batch, prompt]

  State(int64_t batch_, int64_t longest_, int32_t pad) : batch(batch_), longest(longest_), pad_id(pad) {
    TORCH_CHECK(batch > 1, "for one text there is a shorter way");
    mask = torch::zeros({batch, longest}, torch::kInt);
  }

  void checkPrompt(const torch::Tensor &ids) const {
    TORCH_CHECK(ids.dim() == 2 && ids.size(0) == batch && ids.size(1) < longest);
    TORCH_CHECK(ids.scalar_type() == torch::kInt && ids.is_contiguous() && ids.device().is_cpu());
  }

  void fill(const torch::Tensor &ids) {
    checkPrompt(ids);
    const int64_t prompt = ids.size(1);
    positions = torch::zeros({batch, prompt}, torch::kInt);
    const int32_t *word = ids.data_ptr<int32_t>();
    int32_t *position = positions.data_ptr<int32_t>();
    int32_t *m = mask.data_ptr<int32_t>();
    for (int64_t i = 0; i < batch; ++i) {
      int32_t at = 0;
      for (int64_t j = 0; j < prompt; ++j, ++word, ++m, ++position) {
        *m = *word != pad_id; // missed: tensor-raw-pointer-layout
        *position = *m ? at++ : 0;
      }
    }
  }

  void fillRight(const torch::Tensor &ids) {
    checkPrompt(ids);
    const int64_t prompt = ids.size(1);
    positions = torch::zeros({batch, prompt}, torch::kInt);
    const int32_t *word = ids.data_ptr<int32_t>();
    int32_t *position = positions.data_ptr<int32_t>();
    for (int64_t i = 0; i < batch; ++i) {
      int32_t at = 0;
      int32_t *m = mask.data_ptr<int32_t>() + i * longest;
      for (int64_t j = 0; j < prompt; ++j, ++word, ++m, ++position) {
        *m = *word != pad_id;
        *position = *m ? at++ : 0;
      }
    }
  }

  void extend(int64_t length) {
    TORCH_CHECK(length < longest);
    mask.select(1, length).fill_(1);
  }
};
} // namespace static_mask

// https://github.com/tenstorrent/tt-metal/pull/55573
// to() gives a new tensor and leaves the old one as it is; the new one is dropped.
namespace random_inputs {
struct Case {
  std::vector<int64_t> shape;
  double low, high;
  double zeros; // the part of the values that is exactly 0
  torch::ScalarType dtype;
};

torch::Tensor withZeros(const Case &c) {
  TORCH_CHECK(c.zeros >= 0 && c.zeros <= 1 && c.low < c.high);
  int64_t n = 1;
  for (int64_t s : c.shape)
    n *= s;
  const int64_t zeros = (int64_t)(n * c.zeros);
  auto values = torch::cat({torch::zeros({zeros}), torch::empty({n - zeros}).uniform_(c.low, c.high)});
  auto shuffled = values.index_select(0, torch::randperm(n, torch::kLong));
  auto result = shuffled.view(c.shape);
  result.to(c.dtype); // expect: tensor-discarded-result
  return result;
}

torch::Tensor withZerosRight(const Case &c) {
  TORCH_CHECK(c.zeros >= 0 && c.zeros <= 1 && c.low < c.high);
  int64_t n = 1;
  for (int64_t s : c.shape)
    n *= s;
  const int64_t zeros = (int64_t)(n * c.zeros);
  auto values = torch::cat({torch::zeros({zeros}), torch::empty({n - zeros}).uniform_(c.low, c.high)});
  auto shuffled = values.index_select(0, torch::randperm(n, torch::kLong));
  auto result = shuffled.view(c.shape);
  return result.to(c.dtype);
}

// how far a product in bfloat16 is from that in double
double errorOf(int64_t rows, int64_t cols) {
  Case c{{rows, cols}, -100, 100, 0.1, torch::kBFloat16};
  auto a = withZeros(c), b = withZerosRight(c);
  auto exact = torch::mm(a.to(torch::kDouble), b.to(torch::kDouble).t());
  auto rough = torch::mm(a.to(torch::kBFloat16), b.t()).to(torch::kDouble);
  auto scale = exact.abs().amax().clamp_min(1e-12);
  return ((exact - rough).abs().amax() / scale).item<double>();
}
} // namespace random_inputs

// https://github.com/WenjieDu/PyPOTS/issues/667
// What is kept as the best weights are the weights themselves, and the training goes on changing them.
namespace early_stop {
struct ImputerImpl : torch::nn::Module {
  torch::nn::Linear in{nullptr}, out{nullptr};
  ImputerImpl(int64_t features, int64_t hidden) {
    in = register_module("in", torch::nn::Linear(2 * features, hidden));
    out = register_module("out", torch::nn::Linear(hidden, features));
  }
  torch::Tensor forward(const torch::Tensor &x, const torch::Tensor &mask) { return out(torch::relu(in(torch::cat({x * mask, mask}, -1)))); }
};
TORCH_MODULE(Imputer);

using Weights = std::map<std::string, torch::Tensor>;
struct Data {
  torch::Tensor x, mask, hidden; // [n, features] each; hidden marks what is to be guessed
};

torch::Tensor lossOn(Imputer &net, const Data &d) { return ((net(d.x, d.mask) - d.x).pow(2) * d.hidden).sum() / d.hidden.sum().clamp_min(1); }

double epoch(Imputer &net, torch::optim::Adam &opt, const std::vector<Data> &train, const Data &val) {
  for (const auto &d : train) {
    opt.zero_grad();
    lossOn(net, d).backward();
    opt.step();
  }
  torch::NoGradGuard guard;
  return lossOn(net, val).item<double>();
}

void restore(Imputer &net, const Weights &w) {
  torch::NoGradGuard guard;
  for (auto &p : net->named_parameters())
    p.value().copy_(w.at(p.key()));
}

void fit(Imputer &net, torch::optim::Adam &opt, const std::vector<Data> &train, const Data &val, int64_t epochs) {
  double best = std::numeric_limits<double>::infinity();
  Weights kept;
  for (int64_t e = 0; e < epochs; ++e) {
    const double now = epoch(net, opt, train, val);
    if (now < best) {
      best = now;
      for (const auto &p : net->named_parameters())
        kept[p.key()] = p.value().detach(); // missed: tensor-lost-write
    }
  }
  restore(net, kept);
}

void fitRight(Imputer &net, torch::optim::Adam &opt, const std::vector<Data> &train, const Data &val, int64_t epochs) {
  double best = std::numeric_limits<double>::infinity();
  Weights kept;
  for (int64_t e = 0; e < epochs; ++e) {
    const double now = epoch(net, opt, train, val);
    if (now < best) {
      best = now;
      for (const auto &p : net->named_parameters())
        kept[p.key()] = p.value().detach().clone();
    }
  }
  restore(net, kept);
}
} // namespace early_stop
