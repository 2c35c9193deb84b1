// Reports that were rewritten before anything was done for them, the fifth lot.
#include <ATen/ATen.h>
#include <ATen/NestedTensorImpl.h>
#include <ATen/Parallel.h>
#include <algorithm>
#include <array>
#include <c10/util/Exception.h>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <torch/script.h>
#include <torch/torch.h>
#include <tuple>
#include <utility>
#include <vector>

// https://github.com/sgl-project/sglang/pull/7462
// The decode kernel walks the query with num_heads * head_size per token, but the query is a slice of the fused qkv rows.
namespace query_of_fused_rows {
struct DecodeConfig {
  int64_t num_heads = 16, num_kv_heads = 4, head_size = 64;
  int64_t q_size() const { return num_heads * head_size; }
  int64_t kv_size() const { return num_kv_heads * head_size; }
};

static void score_head(const float *q, const float *keys, float *out, int64_t len, int64_t dim, int64_t key_stride) {
  const float scale = 1.0f / std::sqrt(static_cast<float>(dim));
  for (int64_t t = 0; t < len; ++t) {
    float acc = 0.f;
    for (int64_t d = 0; d < dim; ++d)
      acc += q[d] * keys[t * key_stride + d];
    out[t] = acc * scale;
  }
}

class DecodeAttention {
public:
  DecodeAttention(DecodeConfig cfg, torch::Tensor w_qkv) : cfg_(cfg), w_qkv_(std::move(w_qkv)) {}

  // hidden [tokens, hidden], k_cache [len, kv_heads, head]
  torch::Tensor scores(const torch::Tensor &hidden, const torch::Tensor &k_cache) const {
    auto qkv = at::linear(hidden, w_qkv_);
    auto parts = qkv.split_with_sizes({cfg_.q_size(), cfg_.kv_size(), cfg_.kv_size()}, -1);
    auto query = parts[0].view({-1, cfg_.num_heads, cfg_.head_size});
    const int64_t tokens = query.size(0), len = k_cache.size(0), H = cfg_.num_heads, D = cfg_.head_size;
    auto cache = k_cache.contiguous();
    auto out = torch::empty({tokens, H, len}, query.options());
    const float *q_ptr = query.data_ptr<float>(); // missed: tensor-raw-pointer-layout
    const float *k_ptr = cache.data_ptr<float>();
    float *o_ptr = out.data_ptr<float>();
    const int64_t group = H / cfg_.num_kv_heads;
    at::parallel_for(0, tokens * H, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        score_head(q_ptr + i * D, k_ptr + (i % H) / group * D, o_ptr + i * len, len, D, cfg_.num_kv_heads * D);
    });
    return out;
  }

  torch::Tensor scores_strided(const torch::Tensor &hidden, const torch::Tensor &k_cache) const {
    auto qkv = at::linear(hidden, w_qkv_);
    auto query = qkv.narrow(-1, 0, cfg_.q_size()).view({-1, cfg_.num_heads, cfg_.head_size});
    const int64_t tokens = query.size(0), len = k_cache.size(0), H = cfg_.num_heads, D = cfg_.head_size;
    auto cache = k_cache.contiguous();
    auto out = torch::empty({tokens, H, len}, query.options());
    const float *q_ptr = query.data_ptr<float>();
    const int64_t q_stride_m = query.stride(0), q_stride_h = query.stride(1);
    const float *k_ptr = cache.data_ptr<float>();
    float *o_ptr = out.data_ptr<float>();
    const int64_t group = H / cfg_.num_kv_heads;
    at::parallel_for(0, tokens * H, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        score_head(q_ptr + (i / H) * q_stride_m + (i % H) * q_stride_h, k_ptr + (i % H) / group * D, o_ptr + i * len, len, D, cfg_.num_kv_heads * D);
    });
    return out;
  }

private:
  DecodeConfig cfg_;
  torch::Tensor w_qkv_;
};
} // namespace query_of_fused_rows

// https://github.com/flagos-ai/FlagGems/pull/6003
// The dynamic quantizer reads its input as one flat buffer, although it is called on every second column of the activations.
namespace gates_column_slice {
namespace quant {

struct QParams {
  float scale;
  int32_t zero_point;
};

static QParams choose_qparams(float lo, float hi) {
  lo = std::min(lo, 0.f);
  hi = std::max(hi, 0.f);
  const float scale = std::max((hi - lo) / 255.f, 1e-8f);
  return {scale, static_cast<int32_t>(std::lround(-lo / scale))};
}

static void quantize_flat(const float *src, uint8_t *dst, int64_t n, QParams qp) {
  at::parallel_for(0, n, 4096, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const long q = std::lround(src[i] / qp.scale) + qp.zero_point;
      dst[i] = static_cast<uint8_t>(std::clamp<long>(q, 0, 255));
    }
  });
}

// activations [rows, 2 * width] hold (gate, value) pairs; only the gates are quantized
std::tuple<at::Tensor, float> quantize_gates(const at::Tensor &activations) {
  TORCH_CHECK(activations.scalar_type() == at::kFloat && activations.dim() == 2);
  at::Tensor gates = activations.slice(/*dim=*/1, 0, activations.size(1), /*step=*/2);
  const QParams qp = choose_qparams(gates.min().item<float>(), gates.max().item<float>());
  at::Tensor int_repr = at::empty(gates.sizes(), gates.options().dtype(at::kByte));
  quantize_flat(gates.data_ptr<float>(), int_repr.data_ptr<uint8_t>(), gates.numel(), qp); // expect: tensor-raw-pointer-layout
  return {int_repr, qp.scale};
}

std::tuple<at::Tensor, float> quantize_gates_dense(const at::Tensor &activations) {
  TORCH_CHECK(activations.scalar_type() == at::kFloat && activations.dim() == 2);
  at::Tensor gates = activations.slice(1, 0, activations.size(1), 2).contiguous();
  const QParams qp = choose_qparams(gates.min().item<float>(), gates.max().item<float>());
  at::Tensor int_repr = at::empty(gates.sizes(), gates.options().dtype(at::kByte));
  quantize_flat(gates.data_ptr<float>(), int_repr.data_ptr<uint8_t>(), gates.numel(), qp);
  return {int_repr, qp.scale};
}

} // namespace quant
} // namespace gates_column_slice

// https://github.com/vllm-project/vllm/pull/11979
// The context is transposed back to [batch, seq, heads, dim] and then viewed as [batch, seq, hidden], which its strides cannot give.
namespace context_of_heads {
class VisionAttentionImpl : public torch::nn::Module {
public:
  VisionAttentionImpl(int64_t hidden, int64_t heads)
      : num_heads_(heads), head_dim_(hidden / heads), scale_(1.0 / std::sqrt(static_cast<double>(hidden / heads))) {
    qkv_ = register_module("qkv", torch::nn::Linear(hidden, 3 * hidden));
    out_ = register_module("out", torch::nn::Linear(hidden, hidden));
  }

  torch::Tensor forward(const torch::Tensor &x) {
    const auto bsz = x.size(0), q_len = x.size(1);
    auto [query, key, value] = project(x);
    auto context = attend(query, key, value).transpose(1, 2);
    auto merged = context.view({bsz, q_len, num_heads_ * head_dim_}); // expect: tensor-view-after-permute
    return out_(merged);
  }

  torch::Tensor forward_merged(const torch::Tensor &x) {
    const auto bsz = x.size(0), q_len = x.size(1);
    auto [query, key, value] = project(x);
    auto context = attend(query, key, value).transpose(1, 2);
    return out_(context.reshape({bsz, q_len, num_heads_ * head_dim_}));
  }

private:
  std::tuple<torch::Tensor, torch::Tensor, torch::Tensor> project(const torch::Tensor &x) {
    auto parts = qkv_(x).chunk(3, -1);
    auto heads = [&](const torch::Tensor &t) { return t.reshape({t.size(0), t.size(1), num_heads_, head_dim_}).transpose(1, 2); };
    return {heads(parts[0]), heads(parts[1]), heads(parts[2])};
  }

  // fallback without fused kernels, [batch, heads, seq, dim]
  torch::Tensor attend(const torch::Tensor &q, const torch::Tensor &k, const torch::Tensor &v) const {
    auto weights = torch::softmax(torch::matmul(q * scale_, k.transpose(-2, -1)), -1);
    return torch::matmul(weights, v);
  }

  int64_t num_heads_, head_dim_;
  double scale_;
  torch::nn::Linear qkv_{nullptr}, out_{nullptr};
};
TORCH_MODULE(VisionAttention);
} // namespace context_of_heads

// https://github.com/pytorch/pytorch/pull/174885
// The guard gets only its message: a string literal is always true, so a nested input with a bias is never refused and the bias is ignored.
namespace text_for_condition {
namespace mha {

struct GraphKey {
  int64_t batch = 0, heads = 0, head_dim = 0;
  bool has_bias = false, nested = false;
};

static GraphKey make_key(const at::Tensor &q, const std::optional<at::Tensor> &bias, bool nested) {
  GraphKey key;
  key.batch = q.size(0);
  key.nested = nested;
  key.has_bias = bias.has_value() && bias->defined();
  if (!nested) {
    key.heads = q.size(1);
    key.head_dim = q.size(3);
  }
  return key;
}

static at::Tensor run_dense(const at::Tensor &q, const at::Tensor &k, const at::Tensor &v, const std::optional<at::Tensor> &bias) {
  auto logits = at::matmul(q, k.transpose(-2, -1)) / std::sqrt(static_cast<double>(q.size(-1)));
  if (bias && bias->defined())
    logits = logits + *bias;
  return at::matmul(at::softmax(logits, -1), v);
}

static at::Tensor run_nested(const at::Tensor &q, const at::Tensor &k, const at::Tensor &v) {
  return at::matmul(at::softmax(at::matmul(q, k.transpose(-2, -1)), -1), v);
}

at::Tensor forward(const at::Tensor &q, const at::Tensor &k, const at::Tensor &v, const std::optional<at::Tensor> &bias) {
  const GraphKey key = make_key(q, bias, q.is_nested());
  if (key.nested) {
    if (key.has_bias) {
      TORCH_CHECK("attention bias is not supported with nested tensors"); // expect: tensor-shape-mismatch
    }
    return run_nested(q, k, v);
  }
  return run_dense(q, k, v, bias);
}

at::Tensor forward_checked(const at::Tensor &q, const at::Tensor &k, const at::Tensor &v, const std::optional<at::Tensor> &bias) {
  const GraphKey key = make_key(q, bias, q.is_nested());
  if (key.nested) {
    TORCH_CHECK(!key.has_bias, "attention bias is not supported with nested tensors");
    return run_nested(q, k, v);
  }
  return run_dense(q, k, v, bias);
}

} // namespace mha
} // namespace text_for_condition

// https://github.com/facebookresearch/fairseq/issues/5248
// The emissions carry a batch dimension, but the column for the star token is appended as a two-dimensional [frames, 1] tensor.
namespace star_column {
struct AlignOptions {
  int64_t window = 16000 * 30;
  bool use_star = true;
};

class CtcAligner {
public:
  CtcAligner(const std::string &path, AlignOptions options) : options_(options), model_(torch::jit::load(path)) { model_.eval(); }

  // waveform [samples] -> emissions [1, frames, vocabulary (+ star)]
  torch::Tensor emissions(const torch::Tensor &waveform) {
    c10::InferenceMode guard;
    auto emissions = run_model(waveform);
    const auto frames = emissions.size(1);
    if (options_.use_star) {
      auto star = torch::zeros({frames, 1}, emissions.options());
      emissions = torch::cat({emissions, star}, 1); // expect: tensor-shape-mismatch
    }
    return emissions;
  }

  torch::Tensor emissions_batched(const torch::Tensor &waveform) {
    c10::InferenceMode guard;
    auto emissions = run_model(waveform);
    if (options_.use_star) {
      auto star = torch::zeros({emissions.size(0), emissions.size(1), 1}, emissions.options());
      emissions = torch::cat({emissions, star}, -1);
    }
    return emissions;
  }

private:
  torch::Tensor run_model(const torch::Tensor &waveform) {
    std::vector<torch::Tensor> pieces;
    for (const auto &piece : waveform.split(options_.window, 0)) {
      auto logits = model_.forward({piece.unsqueeze(0)}).toTensor();
      TORCH_CHECK(logits.dim() == 3 && logits.size(0) == 1, "model returns [1, frames, vocabulary]");
      pieces.push_back(torch::log_softmax(logits, -1));
    }
    return torch::cat(pieces, 1);
  }

  AlignOptions options_;
  torch::jit::Module model_;
};
} // namespace star_column

// https://github.com/TheTom/llama-cpp-turboquant/pull/116
// After attention over padded values the result has one block per query head, but it is reshaped with the number of kv heads.
namespace padded_heads {
struct HParams {
  int64_t n_embd = 896;
  int64_t n_head = 14;
  int64_t n_head_kv = 2;
  int64_t head_dim() const { return n_embd / n_head; }
};

class PaddedAttention {
public:
  explicit PaddedAttention(int64_t pad_to) : hparams_(), padded_v_((hparams_.head_dim() + pad_to - 1) / pad_to * pad_to) {
    wo_ = torch::randn({hparams_.n_embd, hparams_.n_embd}) * 0.02;
  }

  // q [tokens, n_head, head_dim], k [cells, n_head_kv, head_dim], v [cells, n_head_kv, padded]
  torch::Tensor forward(const torch::Tensor &q, const torch::Tensor &k, const torch::Tensor &v) const {
    auto cur = build_mha(q, k, v);
    const auto n_tokens = cur.size(0);
    if (padded_v_ != hparams_.head_dim()) {
      cur = cur.reshape({n_tokens, hparams_.n_head_kv, padded_v_}); // missed: tensor-shape-mismatch
      cur = cur.narrow(-1, 0, hparams_.head_dim()).reshape({n_tokens, -1});
    }
    return at::linear(cur, wo_);
  }

  torch::Tensor forward_q_heads(const torch::Tensor &q, const torch::Tensor &k, const torch::Tensor &v) const {
    auto cur = build_mha(q, k, v);
    const auto n_tokens = cur.size(0);
    if (padded_v_ != hparams_.head_dim()) {
      cur = cur.reshape({n_tokens, hparams_.n_head, padded_v_});
      cur = cur.narrow(-1, 0, hparams_.head_dim()).reshape({n_tokens, -1});
    }
    return at::linear(cur, wo_);
  }

private:
  torch::Tensor build_mha(const torch::Tensor &q, const torch::Tensor &k, const torch::Tensor &v) const {
    const auto tokens = q.size(0);
    const auto group = hparams_.n_head / hparams_.n_head_kv;
    auto query = q.view({tokens, hparams_.n_head, hparams_.head_dim()}).permute({1, 0, 2});
    auto keys = k.repeat_interleave(group, 1).permute({1, 2, 0});
    auto values = v.view({v.size(0), hparams_.n_head_kv, padded_v_}).repeat_interleave(group, 1).permute({1, 0, 2});
    auto probs = torch::softmax(torch::bmm(query, keys) / std::sqrt(static_cast<double>(hparams_.head_dim())), -1);
    return torch::bmm(probs, values).permute({1, 0, 2}).reshape({tokens, hparams_.n_head * padded_v_});
  }

  HParams hparams_;
  int64_t padded_v_;
  torch::Tensor wo_;
};

static const PaddedAttention kQwenHalfB(/*pad_to=*/128);
} // namespace padded_heads

// https://github.com/huggingface/trl/pull/6045
// Selecting rows by an index tensor already gives a fresh dense tensor, so contiguous() behind it does nothing.
namespace selected_rows {
struct Rollout {
  torch::Tensor completion_ids; // [groups * samples, tokens]
  torch::Tensor logprobs;       // [groups * samples, tokens]
  torch::Tensor rewards;        // [groups * samples]
};

class GroupFilter {
public:
  GroupFilter(int64_t num_samples, int64_t num_keep) : num_samples_(num_samples), num_keep_(num_keep) {}

  Rollout apply(const Rollout &in) const {
    auto keep = select(in.rewards, in.completion_ids);
    Rollout out;
    out.rewards = in.rewards.index_select(0, keep);
    out.completion_ids = in.completion_ids.index_select(0, keep);
    out.logprobs = in.logprobs.index_select(0, keep).contiguous(); // expect: tensor-redundant-contiguous
    return out;
  }

  Rollout apply_direct(const Rollout &in) const {
    auto keep = select(in.rewards, in.completion_ids);
    Rollout out;
    out.rewards = in.rewards.index_select(0, keep);
    out.completion_ids = in.completion_ids.index_select(0, keep);
    out.logprobs = in.logprobs.index_select(0, keep);
    return out;
  }

private:
  // shortest completions of every group, as flat row numbers
  torch::Tensor select(const torch::Tensor &rewards, const torch::Tensor &ids) const {
    const auto groups = rewards.size(0) / num_samples_;
    auto lengths = ids.ne(0).sum(1).view({groups, num_samples_});
    auto order = std::get<1>(lengths.topk(num_keep_, /*dim=*/1, /*largest=*/false));
    auto base = torch::arange(groups, order.options()).unsqueeze(1) * num_samples_;
    return (order + base).flatten();
  }

  int64_t num_samples_, num_keep_;
};
} // namespace selected_rows

// https://github.com/sgl-project/mini-sglang/pull/143
// Every generated token builds a new tensor with the whole history, because the request appends with cat in the decode loop.
namespace grown_history {
using StepFn = std::function<torch::Tensor(const torch::Tensor &)>;

class Request {
public:
  Request(torch::Tensor prompt, int64_t max_new) : input_ids_(std::move(prompt)), max_new_(max_new) {}

  void run(const StepFn &step) {
    torch::NoGradGuard no_grad;
    for (int64_t i = 0; i < max_new_; ++i) {
      auto next = step(input_ids_).argmax(-1, /*keepdim=*/true).to(torch::kCPU);
      input_ids_ = torch::cat({input_ids_, next}); // missed: tensor-allocation-in-loop
      if (next.item<int64_t>() == eos_)
        break;
    }
  }

  const torch::Tensor &ids() const { return input_ids_; }

private:
  torch::Tensor input_ids_;
  int64_t max_new_;
  int64_t eos_ = 2;
};

class BufferedRequest {
public:
  BufferedRequest(const torch::Tensor &prompt, int64_t max_new) : length_(prompt.size(0)), max_new_(max_new) {
    buffer_ = torch::empty({length_ + max_new_}, prompt.options());
    buffer_.narrow(0, 0, length_).copy_(prompt);
  }

  void run(const StepFn &step) {
    torch::NoGradGuard no_grad;
    for (int64_t i = 0; i < max_new_; ++i) {
      const auto token = step(ids()).argmax(-1).item<int64_t>();
      buffer_.select(0, length_++).fill_(token);
      if (token == eos_)
        break;
    }
  }

  torch::Tensor ids() const { return buffer_.narrow(0, 0, length_); }

private:
  torch::Tensor buffer_;
  int64_t length_, max_new_;
  int64_t eos_ = 2;
};
} // namespace grown_history

// https://github.com/karpathy/nanochat/pull/186
// The cache is grown with resize_ along the sequence dimension in its middle, so the stored keys and values land at other positions.
namespace grown_cache {
class KVCache {
public:
  KVCache(int64_t layers, int64_t batch, int64_t heads, int64_t seq, int64_t dim) : shape_{layers, 2, batch, heads, seq, dim} {
    cache_ = torch::zeros(shape_);
  }

  std::tuple<torch::Tensor, torch::Tensor> insert(int64_t layer, const torch::Tensor &k, const torch::Tensor &v) {
    const auto t1 = pos_ + k.size(2);
    if (t1 > cache_.size(4)) {
      shape_[4] = round_up(t1);
      cache_.resize_(shape_); // missed: tensor-shape-mismatch
    }
    return write(layer, k, v, t1);
  }

  std::tuple<torch::Tensor, torch::Tensor> insert_grown(int64_t layer, const torch::Tensor &k, const torch::Tensor &v) {
    const auto t1 = pos_ + k.size(2);
    if (t1 > cache_.size(4)) {
      auto extra = shape_;
      extra[4] = round_up(t1) - cache_.size(4);
      cache_ = torch::cat({cache_, torch::zeros(extra, cache_.options())}, 4);
      shape_ = cache_.sizes().vec();
    }
    return write(layer, k, v, t1);
  }

  void advance(int64_t n) { pos_ += n; }

private:
  static int64_t round_up(int64_t t) { return (t + 1024 + 1023) & ~int64_t{1023}; }

  std::tuple<torch::Tensor, torch::Tensor> write(int64_t layer, const torch::Tensor &k, const torch::Tensor &v, int64_t t1) {
    auto slot = cache_.select(0, layer);
    auto keys = slot.select(0, 0), values = slot.select(0, 1);
    keys.slice(2, pos_, t1).copy_(k);
    values.slice(2, pos_, t1).copy_(v);
    return {keys.slice(2, 0, t1), values.slice(2, 0, t1)};
  }

  std::vector<int64_t> shape_;
  torch::Tensor cache_;
  int64_t pos_ = 0;
};
} // namespace grown_cache

// https://github.com/ROCm/aiter/pull/962
// The tensor of IPC handles is laid over a local byte string, which is gone when the function returns.
namespace bytes_of_handles {
struct MemHandle {
  std::array<char, 64> reserved{};
};

class CustomAllReduce {
public:
  void register_buffer(void *ptr, int64_t offset) {
    MemHandle handle;
    std::memcpy(handle.reserved.data(), &ptr, sizeof(ptr));
    handles_.push_back(handle);
    offsets_.push_back(offset);
  }

  std::string pack() const {
    std::string bytes(handles_.size() * sizeof(MemHandle), '\0');
    for (size_t i = 0; i < handles_.size(); ++i)
      std::memcpy(bytes.data() + i * sizeof(MemHandle), handles_[i].reserved.data(), sizeof(MemHandle));
    return bytes;
  }

  const std::vector<int64_t> &offsets() const { return offsets_; }

private:
  std::vector<MemHandle> handles_;
  std::vector<int64_t> offsets_;
};

using fptr_t = int64_t;

std::tuple<torch::Tensor, std::vector<int64_t>> get_graph_buffer_ipc_meta(fptr_t fa) {
  auto *reducer = reinterpret_cast<CustomAllReduce *>(fa);
  auto options = torch::TensorOptions().dtype(torch::kUInt8).device(torch::kCPU);
  std::string bytes = reducer->pack();
  const auto num_bytes = static_cast<int64_t>(bytes.size());
  return {torch::from_blob(bytes.data(), {num_bytes}, options), reducer->offsets()}; // expect: tensor-from-blob-lifetime
}

std::tuple<torch::Tensor, std::vector<int64_t>> get_graph_buffer_ipc_meta_owned(fptr_t fa) {
  auto *reducer = reinterpret_cast<CustomAllReduce *>(fa);
  auto options = torch::TensorOptions().dtype(torch::kUInt8).device(torch::kCPU);
  std::string bytes = reducer->pack();
  const auto num_bytes = static_cast<int64_t>(bytes.size());
  return {torch::from_blob(bytes.data(), {num_bytes}, options).clone(), reducer->offsets()};
}
} // namespace bytes_of_handles

// https://github.com/pytorch/pytorch/pull/183781
// The shape callbacks return an IntArrayRef over a braced list on their own stack, so the caller reads dead memory.
namespace shape_of_braces {
struct TileSpec {
  int64_t batch = 8;
  int64_t channels = 4;
  int64_t tile = 64;
  int64_t overlap = 8;
};

class ShapeRegistry {
public:
  void def(const std::string &name, std::function<at::IntArrayRef(const TileSpec &)> fn) { views_[name] = std::move(fn); }
  void def_owned(const std::string &name, std::function<std::vector<int64_t>(const TileSpec &)> fn) { owned_[name] = std::move(fn); }

  torch::Tensor allocate(const std::string &name, const TileSpec &spec) const {
    auto owned = owned_.find(name);
    if (owned != owned_.end())
      return torch::zeros(owned->second(spec));
    return torch::zeros(views_.at(name)(spec));
  }

private:
  std::map<std::string, std::function<at::IntArrayRef(const TileSpec &)>> views_;
  std::map<std::string, std::function<std::vector<int64_t>(const TileSpec &)>> owned_;
};

void bind_shapes(ShapeRegistry &registry) {
  registry.def("latent", [](const TileSpec &spec) {
    const int64_t side = spec.tile + 2 * spec.overlap;
    return at::IntArrayRef({spec.batch, spec.channels, side, side}); // expect: tensor-dangling-data-pointer
  });
}

void bind_shapes_owned(ShapeRegistry &registry) {
  registry.def_owned("latent", [](const TileSpec &spec) {
    const int64_t side = spec.tile + 2 * spec.overlap;
    return std::vector<int64_t>{spec.batch, spec.channels, side, side};
  });
}
} // namespace shape_of_braces

// https://github.com/pytorch/torchtitan/pull/3794
// The per-projection weights handed out by the fused layer are copies, so filling them never reaches the fused parameter.
namespace exported_weights {
using StateDict = std::map<std::string, torch::Tensor>;

class FusedQKVLinearImpl : public torch::nn::Module {
public:
  FusedQKVLinearImpl(int64_t dim, int64_t heads, int64_t kv_heads)
      : dim_(dim), head_dim_(dim / heads), kv_heads_(kv_heads), per_group_(heads / kv_heads) {
    wqkv = register_parameter("wqkv", torch::empty({kv_heads_ * (per_group_ + 2) * head_dim_, dim_}));
  }

  torch::Tensor forward(const torch::Tensor &x) { return at::linear(x, wqkv); }

  // rows of the fused weight are grouped by kv head: r query heads, one key head, one value head
  torch::Tensor rows() const { return wqkv.view({kv_heads_, per_group_ + 2, head_dim_, dim_}); }

  torch::Tensor part(int64_t first, int64_t count) const {
    return rows().slice(1, first, first + count).clone(torch::MemoryFormat::Contiguous).view({-1, dim_});
  }

  StateDict export_state() const { return {{"wq", part(0, per_group_)}, {"wk", part(per_group_, 1)}, {"wv", part(per_group_ + 1, 1)}}; }

  void pull(const StateDict &received) {
    torch::NoGradGuard no_grad;
    auto state = export_state();
    for (const char *name : {"wq", "wk", "wv"}) {
      state.at(name).copy_(received.at(name), /*non_blocking=*/true); // missed: tensor-lost-write
    }
  }

  void pull_fused(const StateDict &received) {
    torch::NoGradGuard no_grad;
    auto fused = rows();
    const std::array<int64_t, 4> bounds{0, per_group_, per_group_ + 1, per_group_ + 2};
    const std::array<const char *, 3> names{"wq", "wk", "wv"};
    for (size_t i = 0; i < names.size(); ++i) {
      auto target = fused.slice(1, bounds[i], bounds[i + 1]);
      target.copy_(received.at(names[i]).view(target.sizes()));
    }
  }

  torch::Tensor wqkv;

private:
  int64_t dim_, head_dim_, kv_heads_, per_group_;
};
TORCH_MODULE(FusedQKVLinear);
} // namespace exported_weights

// https://github.com/pytorch/pytorch/issues/126097
// The rotation block of the pose is overwritten by its own transpose, a view of the memory that is being written.
namespace rotation_of_itself {
// camera poses as 4x4 rigid transforms on the CPU
class PoseGraph {
public:
  explicit PoseGraph(int64_t num_cameras) : poses_(torch::eye(4).repeat({num_cameras, 1, 1})) {}

  void set(int64_t index, const torch::Tensor &rotation, const torch::Tensor &translation) {
    auto pose = poses_[index];
    pose.slice(0, 0, 3).slice(1, 0, 3).copy_(rotation);
    pose.slice(0, 0, 3).select(1, 3).copy_(translation);
  }

  // camera-to-world -> world-to-camera, in place
  void invert_all() {
    for (int64_t i = 0; i < poses_.size(0); ++i) {
      auto pose = poses_.select(0, i);
      auto rotation = pose.slice(0, 0, 3).slice(1, 0, 3);
      auto translation = pose.slice(0, 0, 3).select(1, 3);
      auto moved = -torch::mv(rotation.t(), translation);
      rotation.copy_(rotation.t()); // expect: tensor-overlapping-write
      translation.copy_(moved);
    }
  }

  void invert_all_safe() {
    for (int64_t i = 0; i < poses_.size(0); ++i) {
      auto pose = poses_.select(0, i);
      auto rotation = pose.slice(0, 0, 3).slice(1, 0, 3);
      auto translation = pose.slice(0, 0, 3).select(1, 3);
      auto inverse = rotation.t().clone();
      auto moved = -torch::mv(inverse, translation);
      rotation.copy_(inverse);
      translation.copy_(moved);
    }
  }

  const torch::Tensor &poses() const { return poses_; }

private:
  torch::Tensor poses_;
};
} // namespace rotation_of_itself

// https://github.com/facebookresearch/detectron2/issues/4813
// The network runs in half precision, but the sampling grid comes from float boxes, and grid_sample wants both in one type.
namespace half_features {
namespace F = torch::nn::functional;

struct PoolerOptions {
  int64_t resolution = 7;
  double scale = 1.0 / 16;
};

class HalfBoxHead {
public:
  HalfBoxHead(int64_t channels, PoolerOptions options)
      : options_(options), fc_(torch::nn::Linear(channels * options.resolution * options.resolution, 1024)) {
    fc_->to(torch::kCUDA, torch::kHalf);
    fc_->eval();
  }

  // features [1, channels, height, width]; boxes [n, 4] in image pixels, float
  torch::Tensor forward(const torch::Tensor &features, const torch::Tensor &boxes) {
    torch::NoGradGuard no_grad;
    auto maps = features.to(torch::kHalf).expand({boxes.size(0), -1, -1, -1});
    auto grid = make_grid(boxes.to(torch::kFloat), features.size(2), features.size(3));
    auto pooled = F::grid_sample(maps, grid, sampling()); // expect: tensor-shape-mismatch
    return fc_(pooled.flatten(1)).relu();
  }

  torch::Tensor forward_same_type(const torch::Tensor &features, const torch::Tensor &boxes) {
    torch::NoGradGuard no_grad;
    auto maps = features.to(torch::kHalf).expand({boxes.size(0), -1, -1, -1});
    auto grid = make_grid(boxes.to(torch::kFloat), features.size(2), features.size(3)).to(maps.scalar_type());
    auto pooled = F::grid_sample(maps, grid, sampling());
    return fc_(pooled.flatten(1)).relu();
  }

private:
  static F::GridSampleFuncOptions sampling() {
    return F::GridSampleFuncOptions().mode(torch::kBilinear).padding_mode(torch::kZeros).align_corners(false);
  }

  torch::Tensor make_grid(const torch::Tensor &boxes, int64_t height, int64_t width) const {
    auto steps = (torch::arange(options_.resolution, boxes.options()) + 0.5) / options_.resolution;
    auto corners = boxes * options_.scale;
    auto xs = corners.select(1, 0).unsqueeze(1) + steps * (corners.select(1, 2) - corners.select(1, 0)).unsqueeze(1);
    auto ys = corners.select(1, 1).unsqueeze(1) + steps * (corners.select(1, 3) - corners.select(1, 1)).unsqueeze(1);
    auto gx = (xs * (2.0 / width) - 1).unsqueeze(1).expand({-1, options_.resolution, -1});
    auto gy = (ys * (2.0 / height) - 1).unsqueeze(2).expand({-1, -1, options_.resolution});
    return torch::stack({gx, gy}, -1);
  }

  PoolerOptions options_;
  torch::nn::Linear fc_;
};
} // namespace half_features

// https://github.com/Cambridge-ICCS/FTorch/pull/377
// The options name the GPU, but from_blob is given the address of an array in host memory.
namespace host_columns {
enum class DeviceKind { Cpu, Cuda };

struct FieldBuffer {
  std::vector<float> values;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
};

// climate model columns, filled by the host solver
class ColumnPhysics {
public:
  ColumnPhysics(const std::string &path, int device_index)
      : device_(torch::kCUDA, static_cast<c10::DeviceIndex>(device_index)), net_(torch::jit::load(path, device_)) {
    net_.eval();
  }

  torch::Tensor tendencies(FieldBuffer &columns) {
    c10::InferenceMode guard;
    auto options = torch::TensorOptions().dtype(torch::kFloat32).device(device_).requires_grad(false);
    auto input = torch::from_blob(columns.values.data(), columns.shape, columns.strides, options); // expect: tensor-from-blob-lifetime
    return net_.forward({input}).toTensor().to(torch::kCPU);
  }

  torch::Tensor tendencies_moved(FieldBuffer &columns) {
    c10::InferenceMode guard;
    auto options = torch::TensorOptions().dtype(torch::kFloat32).requires_grad(false);
    auto input = torch::from_blob(columns.values.data(), columns.shape, columns.strides, options).to(device_);
    return net_.forward({input}).toTensor().to(torch::kCPU);
  }

private:
  torch::Device device_;
  torch::jit::Module net_;
};

FieldBuffer make_columns(int64_t columns, int64_t levels) {
  FieldBuffer buffer;
  buffer.values.assign(static_cast<size_t>(columns * levels), 0.f);
  buffer.shape = {columns, levels};
  buffer.strides = {1, columns}; // column-major, as the solver stores it
  return buffer;
}
} // namespace host_columns

// https://github.com/pytorch/executorch/pull/19174
// The positions for index_copy_ are made with arange on the CPU while the cache lies on the GPU.
namespace cpu_positions {
struct CacheArgs {
  int64_t max_batch = 4;
  int64_t n_kv_heads = 8;
  int64_t max_context = 2048;
  int64_t head_dim = 64;
};

class KVCacheImpl : public torch::nn::Module {
public:
  explicit KVCacheImpl(const CacheArgs &args) : args_(args) {
    auto options = torch::TensorOptions().dtype(torch::kBFloat16).device(torch::kCUDA);
    const std::vector<int64_t> shape{args_.max_batch, args_.n_kv_heads, args_.max_context, args_.head_dim};
    k_cache = torch::zeros(shape, options);
    v_cache = torch::zeros(shape, options);
  }

  std::tuple<torch::Tensor, torch::Tensor> update(int64_t start_pos, const torch::Tensor &k_val, const torch::Tensor &v_val) {
    const auto seq_length = k_val.size(2);
    check(start_pos, seq_length);
    auto indices = torch::arange(seq_length) + start_pos;
    k_cache.index_copy_(2, indices, k_val); // expect: tensor-device-mismatch
    v_cache.narrow(2, start_pos, seq_length).copy_(v_val);
    return {k_cache, v_cache};
  }

  std::tuple<torch::Tensor, torch::Tensor> update_on_device(int64_t start_pos, const torch::Tensor &k_val, const torch::Tensor &v_val) {
    const auto seq_length = k_val.size(2);
    check(start_pos, seq_length);
    auto indices = torch::arange(seq_length, torch::TensorOptions().dtype(torch::kLong).device(k_cache.device())) + start_pos;
    k_cache.index_copy_(2, indices, k_val);
    v_cache.index_copy_(2, indices, v_val);
    return {k_cache, v_cache};
  }

  torch::Tensor k_cache, v_cache;

private:
  void check(int64_t start_pos, int64_t seq_length) const {
    TORCH_CHECK(start_pos + seq_length <= args_.max_context, "cache of ", args_.max_context, " positions is full");
  }

  CacheArgs args_;
};
TORCH_MODULE(KVCache);
} // namespace cpu_positions

// https://github.com/recursionpharma/gflownet/pull/130
// The replay buffer keeps trajectory tensors with their autograd graph, so the graph of every sampled batch stays in memory.
namespace replayed_flow {
struct Trajectory {
  torch::Tensor states; // [steps, features]
  torch::Tensor log_pf; // sum of forward log-probabilities
  double reward = 0.0;
};

class ReplayBuffer {
public:
  explicit ReplayBuffer(size_t capacity) : capacity_(capacity) {}

  void push(const Trajectory &t) {
    if (items_.size() == capacity_)
      items_.pop_front();
    items_.push_back(t); // expect: tensor-graph-retention
  }

private:
  size_t capacity_;
  std::deque<Trajectory> items_;
};

class Trainer {
public:
  Trainer(int64_t features, int64_t actions)
      : policy_(torch::nn::Linear(features, 128), torch::nn::ReLU(), torch::nn::Linear(128, actions)),
        optimizer_(policy_->parameters(), torch::optim::AdamOptions(1e-4)), replay_(80000) {}

  void train(const std::vector<torch::Tensor> &starts, double reward) {
    for (const auto &states : starts) {
      auto log_pf = rollout(states);
      replay_.push({states, log_pf, reward});
      if (++seen_ > warmup_)
        step(log_pf, reward);
    }
  }

  void train_detached(const std::vector<torch::Tensor> &starts, double reward) {
    for (const auto &states : starts) {
      auto log_pf = rollout(states);
      replay_.push({states.to(torch::kCPU), log_pf.detach().to(torch::kCPU), reward});
      if (++seen_ > warmup_)
        step(log_pf, reward);
    }
  }

private:
  torch::Tensor rollout(const torch::Tensor &states) {
    auto logits = policy_->forward(states);
    auto actions = logits.detach().softmax(-1).multinomial(1);
    return torch::log_softmax(logits, -1).gather(-1, actions).sum();
  }

  void step(const torch::Tensor &log_pf, double reward) {
    optimizer_.zero_grad();
    (log_pf - std::log(reward)).pow(2).backward();
    optimizer_.step();
  }

  torch::nn::Sequential policy_;
  torch::optim::Adam optimizer_;
  ReplayBuffer replay_;
  int64_t seen_ = 0, warmup_ = 10000; // the first samples only fill the buffer
};
} // namespace replayed_flow

// https://github.com/ZettaAI/zetta_utils/pull/750
// The exported network is run over the volume with gradient recording on, so memory for a backward pass is kept that never comes.
namespace volume_chunks {
struct Chunk {
  int64_t z0, z1;
};

class VolumeInference {
public:
  VolumeInference(const std::string &path, int64_t depth) : device_(torch::kCUDA), chunk_depth_(depth) {
    model_ = torch::jit::load(path, device_);
    model_.eval();
  }

  // volume [1, depth, height, width], bytes
  torch::Tensor run(const torch::Tensor &volume) {
    std::vector<torch::Tensor> slabs;
    for (const auto &chunk : chunks(volume.size(1))) {
      auto input = prepare(volume, chunk);
      auto output = model_.forward({input}).toTensor(); // expect: tensor-missing-no-grad
      slabs.push_back(output.squeeze(0).sigmoid().to(torch::kCPU));
    }
    return torch::cat(slabs, 1).mul(255).to(torch::kUInt8);
  }

  torch::Tensor run_inference_mode(const torch::Tensor &volume) {
    c10::InferenceMode guard;
    std::vector<torch::Tensor> slabs;
    for (const auto &chunk : chunks(volume.size(1))) {
      auto input = prepare(volume, chunk);
      auto output = model_.forward({input}).toTensor();
      slabs.push_back(output.squeeze(0).sigmoid().to(torch::kCPU));
    }
    return torch::cat(slabs, 1).mul(255).to(torch::kUInt8);
  }

private:
  std::vector<Chunk> chunks(int64_t depth) const {
    std::vector<Chunk> out;
    for (int64_t z = 0; z < depth; z += chunk_depth_)
      out.push_back({z, std::min(z + chunk_depth_, depth)});
    return out;
  }

  torch::Tensor prepare(const torch::Tensor &volume, const Chunk &chunk) const {
    return volume.slice(1, chunk.z0, chunk.z1).unsqueeze(0).to(device_).to(torch::kFloat32).div(255.0);
  }

  torch::Device device_;
  int64_t chunk_depth_;
  torch::jit::Module model_;
};
} // namespace volume_chunks

// https://github.com/linkedin/Liger-Kernel/issues/254
// The backward writes the gradient into the saved gate, which is at the same time the saved output of exp in front of it.
namespace saved_gate {
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct SwiGluFunction : public torch::autograd::Function<SwiGluFunction> {
  static torch::Tensor forward(AutogradContext *ctx, torch::Tensor gate, torch::Tensor up) {
    ctx->save_for_backward({gate, up});
    return gate * torch::sigmoid(gate) * up;
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto saved = ctx->get_saved_variables();
    auto gate = saved[0], up = saved[1];
    auto sig = torch::sigmoid(gate);
    auto silu = gate * sig;
    auto d_up = grads[0] * silu;
    auto d_gate = grads[0] * up * (silu * (1 - sig) + sig);
    gate.copy_(d_gate); // expect: tensor-inplace-on-saved
    return {gate, d_up};
  }
};

struct SwiGluSafe : public torch::autograd::Function<SwiGluSafe> {
  static torch::Tensor forward(AutogradContext *ctx, torch::Tensor gate, torch::Tensor up) {
    ctx->save_for_backward({gate, up});
    return gate * torch::sigmoid(gate) * up;
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto saved = ctx->get_saved_variables();
    auto gate = saved[0], up = saved[1];
    auto sig = torch::sigmoid(gate);
    auto silu = gate * sig;
    return {grads[0] * up * (silu * (1 - sig) + sig), grads[0] * silu};
  }
};

class GatedMlpImpl : public torch::nn::Module {
public:
  GatedMlpImpl(int64_t hidden, int64_t inner) {
    gate_proj_ = register_module("gate_proj", torch::nn::Linear(hidden, inner));
    up_proj_ = register_module("up_proj", torch::nn::Linear(hidden, inner));
    down_proj_ = register_module("down_proj", torch::nn::Linear(inner, hidden));
  }

  torch::Tensor forward(const torch::Tensor &x, bool safe) {
    auto gate = gate_proj_(x).clamp_max(8.0).exp();
    auto up = up_proj_(x);
    return down_proj_(safe ? SwiGluSafe::apply(gate, up) : SwiGluFunction::apply(gate, up));
  }

private:
  torch::nn::Linear gate_proj_{nullptr}, up_proj_{nullptr}, down_proj_{nullptr};
};
TORCH_MODULE(GatedMlp);
} // namespace saved_gate

// https://github.com/sgl-project/sglang/pull/25380
// The table of physical experts is built as int64, so the ids looked up in it are int64, and the dispatcher reads them as int32.
namespace physical_experts {
struct DispatchPlan {
  std::vector<int32_t> offsets; // first row of every physical expert
};

class ExpertDispatcher {
public:
  ExpertDispatcher(const std::vector<int64_t> &logical_to_physical, int64_t top_k)
      : num_physical_(static_cast<int64_t>(logical_to_physical.size())), top_k_(top_k) {
    logical_to_physical_ = torch::tensor(logical_to_physical);
  }

  DispatchPlan plan(const torch::Tensor &router_logits) const {
    auto topk_ids = select(router_logits);
    auto physical = logical_to_physical_.index_select(0, topk_ids.flatten());
    const int32_t *ids = physical.data_ptr<int32_t>(); // expect: tensor-shape-mismatch
    return count(ids, physical.numel());
  }

  DispatchPlan plan_int32(const torch::Tensor &router_logits) const {
    auto topk_ids = select(router_logits);
    auto physical = logical_to_physical_.index_select(0, topk_ids.flatten()).to(torch::kInt32);
    const int32_t *ids = physical.data_ptr<int32_t>();
    return count(ids, physical.numel());
  }

private:
  torch::Tensor select(const torch::Tensor &router_logits) const {
    auto weights = torch::softmax(router_logits.to(torch::kFloat32), -1);
    return std::get<1>(weights.topk(top_k_, -1)).to(torch::kInt32);
  }

  DispatchPlan count(const int32_t *ids, int64_t n) const {
    DispatchPlan plan;
    plan.offsets.assign(static_cast<size_t>(num_physical_ + 1), 0);
    for (int64_t i = 0; i < n; ++i)
      ++plan.offsets[static_cast<size_t>(ids[i]) + 1];
    for (int64_t e = 0; e < num_physical_; ++e)
      plan.offsets[e + 1] += plan.offsets[e];
    return plan;
  }

  int64_t num_physical_, top_k_;
  torch::Tensor logical_to_physical_;
};
} // namespace physical_experts

// https://github.com/jaiwei98/MobileNetV4-pytorch/pull/1
// The attention output is transposed to [B, L, heads, dim] and then flattened with view(), which the strides do not allow.
namespace merged_query {
struct MultiQueryAttentionOptions {
  int64_t channels = 160;
  int64_t num_heads = 4;
  int64_t key_dim = 64;
  int64_t query_stride = 2;
};

class MultiQueryAttentionImpl : public torch::nn::Module {
public:
  explicit MultiQueryAttentionImpl(const MultiQueryAttentionOptions &o) : heads_(o.num_heads), key_dim_(o.key_dim) {
    namespace nn = torch::nn;
    query_ = register_module("query", nn::Conv2d(nn::Conv2dOptions(o.channels, heads_ * key_dim_, 1).stride(o.query_stride).bias(false)));
    key_ = register_module("key", nn::Conv2d(nn::Conv2dOptions(o.channels, key_dim_, 1).bias(false)));
    value_ = register_module("value", nn::Conv2d(nn::Conv2dOptions(o.channels, key_dim_, 1).bias(false)));
    out_ = register_module("out", nn::Linear(heads_ * key_dim_, o.channels));
  }

  torch::Tensor forward(const torch::Tensor &x) {
    const auto b = x.size(0);
    auto q = query_->forward(x);
    const auto qh = q.size(2), qw = q.size(3);
    auto context = attend(q, x, b, qh * qw).transpose(1, 2);
    auto merged = context.view({b, qh, qw, heads_ * key_dim_}); // missed: tensor-view-after-permute
    return out_->forward(merged).permute({0, 3, 1, 2});
  }

  torch::Tensor forward_merged(const torch::Tensor &x) {
    const auto b = x.size(0);
    auto q = query_->forward(x);
    const auto qh = q.size(2), qw = q.size(3);
    auto context = attend(q, x, b, qh * qw).transpose(1, 2).contiguous();
    auto merged = context.view({b, qh, qw, heads_ * key_dim_});
    return out_->forward(merged).permute({0, 3, 1, 2});
  }

private:
  // returns [b, heads, positions, key_dim]
  torch::Tensor attend(const torch::Tensor &q, const torch::Tensor &x, int64_t b, int64_t positions) {
    auto qs = q.reshape({b, heads_, key_dim_, positions}).transpose(2, 3);
    auto k = key_->forward(x).flatten(2).unsqueeze(1);
    auto v = value_->forward(x).flatten(2).transpose(1, 2).unsqueeze(1);
    auto score = torch::softmax(torch::matmul(qs, k) / std::sqrt(double(key_dim_)), -1);
    return torch::matmul(score, v);
  }

  int64_t heads_, key_dim_;
  torch::nn::Conv2d query_{nullptr}, key_{nullptr}, value_{nullptr};
  torch::nn::Linear out_{nullptr};
};
TORCH_MODULE(MultiQueryAttention);
} // namespace merged_query

// https://github.com/pytorch/rl/issues/1243
// The log-probability has shape [T], the advantage [T, 1]: their product is broadcast to [T, T] before the mean.
namespace advantage_column {
constexpr int64_t kObs = 3, kAct = 2, kHidden = 64, kHorizon = 512;

struct Rollout {
  torch::Tensor obs = torch::zeros({kHorizon, kObs});
  torch::Tensor actions = torch::zeros({kHorizon, kAct});
  std::vector<float> rewards = std::vector<float>(kHorizon, 0.f);
};

class Reinforce {
public:
  Reinforce()
      : actor_(torch::nn::Linear(kObs, kHidden), torch::nn::Tanh(), torch::nn::Linear(kHidden, kAct)),
        critic_(torch::nn::Linear(kObs, kHidden), torch::nn::Tanh(), torch::nn::Linear(kHidden, 1)),
        log_std_(torch::zeros({kAct}, torch::requires_grad())) {}

  torch::Tensor actor_loss(const Rollout &r) {
    auto logp = log_prob(r.obs, r.actions);
    auto advantage = returns(r) - critic_->forward(r.obs);
    return -(logp * advantage.detach()).mean(); // expect: tensor-shape-mismatch
  }

  torch::Tensor actor_loss_per_step(const Rollout &r) {
    auto logp = log_prob(r.obs, r.actions);
    auto advantage = (returns(r) - critic_->forward(r.obs)).squeeze(-1);
    return -(logp * advantage.detach()).mean();
  }

private:
  torch::Tensor log_prob(const torch::Tensor &obs, const torch::Tensor &act) {
    auto mean = actor_->forward(obs);
    auto z = (act - mean) / log_std_.exp();
    auto per_dim = -0.5 * z * z - log_std_ - 0.5 * std::log(2.0 * M_PI);
    return per_dim.sum(-1);
  }

  torch::Tensor returns(const Rollout &r) const {
    auto out = torch::empty({kHorizon, 1});
    auto acc = out.accessor<float, 2>();
    float running = 0.f;
    for (int64_t t = kHorizon - 1; t >= 0; --t) {
      running = r.rewards[t] + 0.99f * running;
      acc[t][0] = running;
    }
    return out;
  }

  torch::nn::Sequential actor_, critic_;
  torch::Tensor log_std_;
};
} // namespace advantage_column

// https://github.com/philtabor/Actor-Critic-Methods-Paper-To-Code/issues/6
// The critic's optimizer steps (in place on the weights) while the actor loss, computed with those weights, still waits for its backward.
namespace critic_first {
constexpr int64_t kState = 8, kAction = 2, kWidth = 256;

torch::nn::Sequential mlp(int64_t in, int64_t out) {
  return torch::nn::Sequential(torch::nn::Linear(in, kWidth), torch::nn::ReLU(), torch::nn::Linear(kWidth, kWidth), torch::nn::ReLU(),
                               torch::nn::Linear(kWidth, out));
}

struct Batch {
  torch::Tensor state, action, reward, next_state, done; // reward and done are [B, 1]
};

class Agent {
public:
  explicit Agent(double lr)
      : actor_(mlp(kState, kAction)), critic_(mlp(kState + kAction, 1)), target_(mlp(kState + kAction, 1)),
        actor_opt_(actor_->parameters(), torch::optim::AdamOptions(lr)), critic_opt_(critic_->parameters(), torch::optim::AdamOptions(lr)) {}

  void learn(const Batch &b) {
    auto critic_loss = torch::mse_loss(q(critic_, b.state, b.action), td_target(b));
    auto actor_loss = -q(critic_, b.state, torch::tanh(actor_->forward(b.state))).mean();

    critic_opt_.zero_grad();
    critic_loss.backward();
    critic_opt_.step(); // expect: tensor-inplace-on-saved

    actor_opt_.zero_grad();
    actor_loss.backward();
    actor_opt_.step();
  }

  void learn_in_order(const Batch &b) {
    auto critic_loss = torch::mse_loss(q(critic_, b.state, b.action), td_target(b));
    critic_opt_.zero_grad();
    critic_loss.backward();
    critic_opt_.step();

    auto actor_loss = -q(critic_, b.state, torch::tanh(actor_->forward(b.state))).mean();
    actor_opt_.zero_grad();
    actor_loss.backward();
    actor_opt_.step();
  }

private:
  static torch::Tensor q(torch::nn::Sequential &net, const torch::Tensor &s, const torch::Tensor &a) { return net->forward(torch::cat({s, a}, 1)); }
  torch::Tensor td_target(const Batch &b) {
    torch::NoGradGuard no_grad;
    auto next_action = torch::tanh(actor_->forward(b.next_state));
    return b.reward + 0.99 * (1 - b.done) * q(target_, b.next_state, next_action);
  }

  torch::nn::Sequential actor_, critic_, target_;
  torch::optim::Adam actor_opt_, critic_opt_;
};
} // namespace critic_first

// https://github.com/huggingface/accelerate/issues/2251
// The result of weights.to(device) is thrown away, so CPU weights meet a CUDA loss.
namespace weights_left {
struct ScheduleSampler {
  explicit ScheduleSampler(int64_t steps) : probs(steps, 1.0 / steps) {}
  std::pair<torch::Tensor, torch::Tensor> sample(int64_t n) {
    std::discrete_distribution<int64_t> dist(probs.begin(), probs.end());
    auto t = torch::empty({n}, torch::kLong);
    auto w = torch::empty({n}, torch::kFloat32);
    for (int64_t i = 0; i < n; ++i) {
      const auto k = dist(rng);
      t[i] = k; // also: tensor-sync-in-loop
      w[i] = 1.0 / (probs.size() * probs[k]); // also: tensor-sync-in-loop
    }
    return {t, w};
  }
  std::vector<double> probs;
  std::mt19937 rng{0};
};

class DiffusionTrainer {
public:
  DiffusionTrainer(torch::nn::Sequential net, int64_t steps) : net_(std::move(net)), sampler_(steps), device_(torch::kCUDA, 0) {
    net_->to(device_);
    alphas_ = torch::linspace(0.999, 0.001, steps).to(device_); // also: tensor-hidden-copy
  }

  torch::Tensor step(const torch::Tensor &host_batch) {
    auto x = host_batch.to(device_);
    auto [t, weights] = sampler_.sample(x.size(0));
    t = t.to(x.device());
    weights.to(x.device()); // also: tensor-discarded-result
    auto per_sample = denoise_error(x, t);
    return (per_sample * weights).mean(); // expect: tensor-device-mismatch
  }

  torch::Tensor step_on_device(const torch::Tensor &host_batch) {
    auto x = host_batch.to(device_);
    auto [t, weights] = sampler_.sample(x.size(0));
    t = t.to(x.device());
    weights = weights.to(x.device());
    auto per_sample = denoise_error(x, t);
    return (per_sample * weights).mean();
  }

private:
  torch::Tensor denoise_error(const torch::Tensor &x, const torch::Tensor &t) {
    auto a = alphas_.index_select(0, t).view({-1, 1});
    auto noise = torch::randn_like(x);
    auto pred = net_->forward(a.sqrt() * x + (1 - a).sqrt() * noise);
    return (pred - noise).pow(2).mean(1);
  }
  torch::nn::Sequential net_;
  ScheduleSampler sampler_;
  torch::Device device_;
  torch::Tensor alphas_;
};
} // namespace weights_left

// https://github.com/burlachenkok/flpytorch/pull/14
// The client stores class labels as float, but cross_entropy with class indices needs Long.
namespace float_labels {
namespace F = torch::nn::functional;

struct ClientShard {
  torch::Tensor features; // [n, dim]
  torch::Tensor labels;   // [n]
};

class FederatedClient {
public:
  FederatedClient(int64_t dim, int64_t classes)
      : model_(torch::nn::Linear(dim, 128), torch::nn::ReLU(), torch::nn::Linear(128, classes)), dim_(dim) {}

  double local_round(const std::vector<std::vector<float>> &rows, double lr) {
    const auto n = static_cast<int64_t>(rows.size());
    ClientShard shard{torch::empty({n, dim_}), torch::empty({n}, torch::kFloat32)};
    fill(shard, rows);
    auto logits = model_->forward(shard.features);
    auto loss = F::cross_entropy(logits, shard.labels); // expect: tensor-shape-mismatch
    return apply(loss, lr);
  }

  double local_round_indices(const std::vector<std::vector<float>> &rows, double lr) {
    const auto n = static_cast<int64_t>(rows.size());
    ClientShard shard{torch::empty({n, dim_}), torch::empty({n}, torch::kFloat32)};
    fill(shard, rows);
    auto logits = model_->forward(shard.features);
    auto loss = F::cross_entropy(logits, shard.labels.to(torch::kLong));
    return apply(loss, lr);
  }

private:
  // the last column of a row is the class number
  void fill(ClientShard &shard, const std::vector<std::vector<float>> &rows) const {
    for (size_t i = 0; i < rows.size(); ++i) {
      for (int64_t d = 0; d < dim_; ++d)
        shard.features[i][d] = rows[i][d]; // also: tensor-sync-in-loop
      shard.labels[i] = rows[i].back();
    }
  }
  double apply(const torch::Tensor &loss, double lr) {
    model_->zero_grad();
    loss.backward();
    torch::NoGradGuard no_grad;
    for (auto &p : model_->parameters())
      p.sub_(p.grad(), lr);
    return loss.item<double>();
  }

  torch::nn::Sequential model_;
  int64_t dim_;
};
} // namespace float_labels

// https://github.com/tier4/Diffusion-Planner/pull/372
// Each batch's loss tensors, still attached to their graphs, are collected until the end of the epoch.
namespace losses_of_epoch {
using LossDict = std::map<std::string, torch::Tensor>;

struct PlannerImpl : torch::nn::Module {
  PlannerImpl(int64_t in, int64_t horizon) : horizon(horizon) {
    body = register_module("body", torch::nn::Linear(in, 192));
    ego = register_module("ego", torch::nn::Linear(192, horizon * 4));
    others = register_module("others", torch::nn::Linear(192, horizon * 4));
  }
  LossDict losses(const torch::Tensor &x, const torch::Tensor &ego_gt, const torch::Tensor &other_gt) {
    auto h = torch::gelu(body->forward(x));
    LossDict d;
    d["ego"] = torch::mse_loss(ego->forward(h), ego_gt);
    d["neighbor"] = torch::smooth_l1_loss(others->forward(h), other_gt);
    d["total"] = d["ego"] + 0.1 * d["neighbor"];
    return d;
  }
  int64_t horizon;
  torch::nn::Linear body{nullptr}, ego{nullptr}, others{nullptr};
};
TORCH_MODULE(Planner);

struct Sample {
  torch::Tensor x, ego, other;
};

std::map<std::string, double> train_epoch(Planner &net, torch::optim::Optimizer &opt, const std::vector<Sample> &data) {
  std::vector<LossDict> epoch_loss;
  for (const auto &s : data) {
    opt.zero_grad();
    auto loss = net->losses(s.x, s.ego, s.other);
    loss["total"].backward();
    opt.step();
    epoch_loss.push_back(loss); // expect: tensor-graph-retention
  }
  std::map<std::string, double> mean;
  for (auto &d : epoch_loss)
    for (auto &[name, value] : d)
      mean[name] += value.item<double>() / epoch_loss.size();
  return mean;
}

std::map<std::string, double> train_epoch_scalars(Planner &net, torch::optim::Optimizer &opt, const std::vector<Sample> &data) {
  std::vector<std::map<std::string, double>> epoch_loss;
  for (const auto &s : data) {
    opt.zero_grad();
    auto loss = net->losses(s.x, s.ego, s.other);
    loss["total"].backward();
    opt.step();
    auto &row = epoch_loss.emplace_back();
    for (auto &[name, value] : loss)
      row[name] = value.item<double>();
  }
  std::map<std::string, double> mean;
  for (auto &d : epoch_loss)
    for (auto &[name, value] : d)
      mean[name] += value / epoch_loss.size();
  return mean;
}
} // namespace losses_of_epoch

// https://github.com/jpata/particleflow/pull/290
// The validation pass runs the forward with autograd on, which keeps every activation and runs out of memory.
namespace events_validated {
struct Event {
  torch::Tensor elements, mask, particle_id, momentum;
};

struct MLPFImpl : torch::nn::Module {
  MLPFImpl(int64_t n_in, int64_t width, int64_t n_id) {
    encode = register_module("encode", torch::nn::Linear(n_in, width));
    mixer = register_module("mixer", torch::nn::TransformerEncoder(torch::nn::TransformerEncoderLayer(width, 8), 3));
    id_head = register_module("id_head", torch::nn::Linear(width, n_id));
    p4_head = register_module("p4_head", torch::nn::Linear(width, 4));
  }
  std::pair<torch::Tensor, torch::Tensor> forward(const torch::Tensor &x) {
    auto h = mixer->forward(torch::elu(encode->forward(x)));
    return {id_head->forward(h), p4_head->forward(h)};
  }
  torch::nn::Linear encode{nullptr}, id_head{nullptr}, p4_head{nullptr};
  torch::nn::TransformerEncoder mixer{nullptr};
};
TORCH_MODULE(MLPF);

torch::Tensor particle_loss(const std::pair<torch::Tensor, torch::Tensor> &pred, const Event &ev) {
  auto id = torch::nn::functional::cross_entropy(pred.first.flatten(0, 1), ev.particle_id.flatten());
  return id + 10.0 * torch::huber_loss(pred.second, ev.momentum);
}

double validate(MLPF &model, const std::vector<Event> &events, const torch::Device &device) {
  model->eval();
  double sum = 0;
  for (const auto &ev : events) {
    auto pred = model->forward(ev.elements.to(device)); // expect: tensor-missing-no-grad
    Event gpu{ev.elements, ev.mask, ev.particle_id.to(device), ev.momentum.to(device)};
    sum += particle_loss(pred, gpu).item<double>();
  }
  model->train();
  std::printf("valid loss %.4f\n", sum / events.size());
  return sum / events.size();
}

double validate_light(MLPF &model, const std::vector<Event> &events, const torch::Device &device) {
  torch::NoGradGuard no_grad;
  model->eval();
  double sum = 0;
  for (const auto &ev : events) {
    auto pred = model->forward(ev.elements.to(device));
    Event gpu{ev.elements, ev.mask, ev.particle_id.to(device), ev.momentum.to(device)};
    sum += particle_loss(pred, gpu).item<double>();
  }
  model->train();
  std::printf("valid loss %.4f\n", sum / events.size());
  return sum / events.size();
}
} // namespace events_validated

// https://github.com/microsoft/onnxruntime-genai/pull/2233
// The pointer to the verified logits is taken from a temporary CPU copy that is gone before the first row is read.
namespace logits_of_device {
class SpeculativeDecoder {
public:
  SpeculativeDecoder(torch::jit::Module target, int64_t vocab) : target_(std::move(target)), vocab_(vocab), device_(torch::kCUDA) {
    target_.to(device_, torch::kHalf);
    target_.eval();
  }

  // number of draft tokens that the target model agrees with
  int64_t verify(const std::vector<int64_t> &prefix, const std::vector<int64_t> &draft) {
    auto logits = run_target(prefix, draft);
    const float *rows = logits.to(torch::kCPU, torch::kFloat32).data_ptr<float>(); // expect: tensor-dangling-data-pointer
    return count_accepted(rows, draft);
  }

  int64_t verify_owned(const std::vector<int64_t> &prefix, const std::vector<int64_t> &draft) {
    auto logits = run_target(prefix, draft);
    auto host = logits.to(torch::kCPU, torch::kFloat32).contiguous();
    const float *rows = host.data_ptr<float>();
    return count_accepted(rows, draft);
  }

private:
  torch::Tensor run_target(const std::vector<int64_t> &prefix, const std::vector<int64_t> &draft) {
    torch::InferenceMode guard;
    std::vector<int64_t> ids(prefix);
    ids.insert(ids.end(), draft.begin(), draft.end());
    auto input = torch::tensor(ids, torch::kLong).unsqueeze(0).to(device_);
    auto out = target_.forward({input}).toTensor(); // [1, T, vocab], half, on the GPU
    return out[0].narrow(0, static_cast<int64_t>(prefix.size()) - 1, static_cast<int64_t>(draft.size()));
  }

  int64_t count_accepted(const float *rows, const std::vector<int64_t> &draft) const {
    int64_t accepted = 0;
    for (size_t i = 0; i < draft.size(); ++i) {
      const float *row = rows + i * vocab_;
      if (std::max_element(row, row + vocab_) - row != draft[i])
        break;
      ++accepted;
    }
    return accepted;
  }

  torch::jit::Module target_;
  int64_t vocab_;
  torch::Device device_;
};
} // namespace logits_of_device

// https://github.com/pytorch/pytorch/issues/95989
// A constant material value is expanded over the mesh; filling a few layers of it writes the one shared element, so all cells change.
namespace expanded_layers {
struct Mesh {
  int64_t nx, ny, nz;
  double dx;
};

class Micromagnetics {
public:
  explicit Micromagnetics(const Mesh &mesh) : mesh_(mesh), opts_(torch::TensorOptions().dtype(torch::kDouble)) {}

  void set_constant(const std::string &name, double value) {
    material_[name] = torch::full({1, 1, 1}, value, opts_).expand({mesh_.nz, mesh_.ny, mesh_.nx});
  }

  // the capping layers are not magnetic
  void build_stack(double ms, double a_exchange, int64_t cap_layers) {
    set_constant("A", a_exchange);
    auto field = torch::full({1, 1, 1}, ms, opts_).expand({mesh_.nz, mesh_.ny, mesh_.nx});
    field.narrow(0, mesh_.nz - cap_layers, cap_layers).fill_(0.0); // missed: tensor-overlapping-write
    material_["Ms"] = field;
  }

  void build_stack_dense(double ms, double a_exchange, int64_t cap_layers) {
    set_constant("A", a_exchange);
    auto field = torch::full({1, 1, 1}, ms, opts_).expand({mesh_.nz, mesh_.ny, mesh_.nx}).clone();
    field.narrow(0, mesh_.nz - cap_layers, cap_layers).fill_(0.0);
    material_["Ms"] = field;
  }

  // h = 2 A / (mu0 Ms) * laplace(m), one component
  torch::Tensor exchange_field(const torch::Tensor &m) const {
    auto lap = torch::roll(m, 1, 0) + torch::roll(m, -1, 0) + torch::roll(m, 1, 1) + torch::roll(m, -1, 1) - 4 * m;
    auto ms = material_.at("Ms");
    auto pre = 2.0 * material_.at("A") / (4e-7 * M_PI * mesh_.dx * mesh_.dx);
    return torch::where(ms > 0, pre * lap / ms.clamp_min(1.0), torch::zeros_like(lap));
  }

private:
  Mesh mesh_;
  torch::TensorOptions opts_;
  std::map<std::string, torch::Tensor> material_;
};
} // namespace expanded_layers

// https://github.com/helmholtz-analytics/heat/issues/1786
// The leading rows of a freshly allocated matrix are contiguous already, so contiguous() does nothing.
namespace front_of_buffer {
class RowGatherer {
public:
  RowGatherer(int64_t capacity, int64_t features) : capacity_(capacity), features_(features) {}

  // keeps the rows of each chunk whose norm is above the threshold and returns them as one matrix
  torch::Tensor gather(const std::vector<torch::Tensor> &chunks, double threshold) const {
    auto buffer = torch::empty({capacity_, features_}, torch::kFloat32);
    int64_t used = copy_rows(buffer, chunks, threshold);
    auto rows = buffer.narrow(0, 0, used).contiguous(); // expect: tensor-redundant-contiguous
    return std::get<0>(torch::linalg_qr(rows, "reduced"));
  }

  // same, but only the first features of each row take part: here the columns are cut, and a copy is needed
  torch::Tensor gather_leading(const std::vector<torch::Tensor> &chunks, double threshold, int64_t leading) const {
    auto buffer = torch::empty({capacity_, features_}, torch::kFloat32);
    int64_t used = copy_rows(buffer, chunks, threshold);
    auto rows = buffer.narrow(0, 0, used);
    auto head = rows.narrow(1, 0, std::min(leading, features_ - 1)).contiguous();
    return std::get<0>(torch::linalg_qr(head, "reduced"));
  }

private:
  int64_t copy_rows(torch::Tensor &buffer, const std::vector<torch::Tensor> &chunks, double threshold) const {
    int64_t used = 0;
    for (const auto &chunk : chunks) {
      auto keep = torch::nonzero(chunk.norm(2, 1) > threshold).flatten();
      const auto n = std::min(keep.size(0), capacity_ - used);
      if (n == 0)
        continue;
      buffer.narrow(0, used, n).copy_(chunk.index_select(0, keep.narrow(0, 0, n)));
      used += n;
    }
    return used;
  }

  int64_t capacity_, features_;
};
} // namespace front_of_buffer
