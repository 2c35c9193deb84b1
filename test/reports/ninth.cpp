// Reports that were rewritten before anything was done for them, the ninth lot.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <torch/torch.h>
#include <tuple>
#include <utility>
#include <vector>

// https://github.com/deepspeedai/Megatron-DeepSpeed/issues/304
// The query part of a fused, grouped projection is reshaped with the group axis of the whole row (queries plus key and value) still in the target, so
// the sizes cannot add up.
namespace group_axis {
struct SelfAttentionOptions {
  int64_t hidden_size;
  int64_t num_attention_heads;
  int64_t num_key_value_heads;
};

// One row of the fused projection holds, for every key/value head, its group of
// query heads, then the key head, then the value head.
struct GroupedSelfAttentionImpl : torch::nn::Module {
  using Heads = std::tuple<torch::Tensor, torch::Tensor, torch::Tensor>;

  explicit GroupedSelfAttentionImpl(const SelfAttentionOptions &o)
      : num_kv_heads_(o.num_key_value_heads), group_(o.num_attention_heads / o.num_key_value_heads),
        head_dim_(o.hidden_size / o.num_attention_heads) {
    query_key_value_ = register_module("query_key_value", torch::nn::Linear(o.hidden_size, num_kv_heads_ * (group_ + 2) * head_dim_));
  }

  torch::Tensor mixed(const torch::Tensor &hidden) {
    const auto sq = hidden.size(0);
    const auto batch = hidden.size(1);
    return query_key_value_->forward(hidden).view({sq, batch, num_kv_heads_, group_ + 2, head_dim_});
  }

  Heads split_heads(const torch::Tensor &hidden) {
    auto m = mixed(hidden);
    const auto sq = m.size(0);
    const auto batch = m.size(1);
    auto query = m.slice(3, 0, group_);
    query = query.reshape({sq, batch, num_kv_heads_, group_ + 2, -1, head_dim_}); // expect: tensor-shape-mismatch
    return {query, m.select(3, group_), m.select(3, group_ + 1)};
  }

  Heads split_heads_fixed(const torch::Tensor &hidden) {
    auto m = mixed(hidden);
    const auto sq = m.size(0);
    const auto batch = m.size(1);
    auto query = m.slice(3, 0, group_);
    query = query.reshape({sq, batch, -1, head_dim_});
    return {query, m.select(3, group_), m.select(3, group_ + 1)};
  }

private:
  int64_t num_kv_heads_;
  int64_t group_;
  int64_t head_dim_;
  torch::nn::Linear query_key_value_{nullptr};
};
TORCH_MODULE(GroupedSelfAttention);
} // namespace group_axis

// https://github.com/sgl-project/sglang/pull/28118
// The compressed part that a first split already cut out of the latent row is split once more by the widths of the whole row.
namespace latent_twice {
struct LatentSizes {
  int64_t kv_lora_rank;
  int64_t qk_rope_head_dim;
};

class LatentPreparation {
public:
  LatentPreparation(torch::nn::AnyModule kv_a_proj, torch::Tensor norm_weight, LatentSizes sizes)
      : kv_a_proj_(std::move(kv_a_proj)), norm_weight_(std::move(norm_weight)), sizes_(sizes) {}

  // Writes the row of the draft step into the cache and returns it.
  torch::Tensor prepare_draft(const torch::Tensor &hidden, torch::Tensor &cache, int64_t slot) {
    auto latent = kv_a_proj_.forward(hidden);
    auto row = latent.split_with_sizes({sizes_.kv_lora_rank, sizes_.qk_rope_head_dim}, -1);
    auto compressed = normalise(row[0]);
    cache.select(0, slot).copy_(torch::cat({compressed, row[1]}, -1));

    auto again = compressed.split_with_sizes({sizes_.kv_lora_rank, sizes_.qk_rope_head_dim}, -1); // expect: tensor-shape-mismatch
    return torch::cat({again[0], rotate_half(again[1])}, -1);
  }

  torch::Tensor prepare_draft_fixed(const torch::Tensor &hidden, torch::Tensor &cache, int64_t slot) {
    auto latent = kv_a_proj_.forward(hidden);
    auto row = latent.split_with_sizes({sizes_.kv_lora_rank, sizes_.qk_rope_head_dim}, -1);
    auto compressed = normalise(row[0]);
    auto full = torch::cat({compressed, row[1]}, -1);
    cache.select(0, slot).copy_(full);

    auto again = full.split_with_sizes({sizes_.kv_lora_rank, sizes_.qk_rope_head_dim}, -1);
    return torch::cat({again[0], rotate_half(again[1])}, -1);
  }

private:
  torch::Tensor normalise(const torch::Tensor &x) const {
    auto variance = x.pow(2).mean(-1, /*keepdim=*/true);
    return x * torch::rsqrt(variance + 1e-6) * norm_weight_;
  }

  static torch::Tensor rotate_half(const torch::Tensor &x) {
    auto halves = x.chunk(2, -1);
    return torch::cat({-halves[1], halves[0]}, -1);
  }

  torch::nn::AnyModule kv_a_proj_;
  torch::Tensor norm_weight_;
  LatentSizes sizes_;
};
} // namespace latent_twice

// https://github.com/pytorch/pytorch/issues/130519
// The check proves that a packed row is three times the width of one projection, yet the output made for it has room for one projection only.
namespace width_of_the_row {
namespace {

struct PackedShape {
  int64_t total;
  int64_t nheads;
  int64_t head_size;
  int64_t width() const { return nheads * head_size; }
};

PackedShape inspect(const torch::Tensor &qkv, int64_t nheads, int64_t head_size) {
  TORCH_CHECK(qkv.dim() == 2, "qkv must be [total_seqlen, 3 * nheads * head_size]");
  return {qkv.size(0), nheads, head_size};
}

torch::Tensor turn(const torch::Tensor &part, const torch::Tensor &cos, const torch::Tensor &sin, const PackedShape &s) {
  auto x = part.view({s.total, s.nheads, s.head_size});
  auto halves = x.chunk(2, -1);
  return torch::cat({halves[0] * cos - halves[1] * sin, halves[1] * cos + halves[0] * sin}, -1).view({s.total, s.width()});
}

} // namespace

torch::Tensor rotary_packed(const torch::Tensor &qkv, const torch::Tensor &cos, const torch::Tensor &sin, int64_t nheads, int64_t head_size) {
  const auto s = inspect(qkv, nheads, head_size);
  const auto width = s.width();
  TORCH_CHECK(qkv.size(1) == 3 * width, "row of ", qkv.size(1), " values");
  auto q = turn(qkv.narrow(1, 0, width).contiguous(), cos, sin, s);
  auto k = turn(qkv.narrow(1, width, width).contiguous(), cos, sin, s);
  auto out = torch::empty({s.total, width}, qkv.options());
  out.copy_(torch::cat({q, k, qkv.narrow(1, 2 * width, width)}, 1)); // expect: tensor-shape-mismatch
  return out;
}

torch::Tensor rotary_packed_fixed(const torch::Tensor &qkv, const torch::Tensor &cos, const torch::Tensor &sin, int64_t nheads, int64_t head_size) {
  const auto s = inspect(qkv, nheads, head_size);
  const auto width = s.width();
  TORCH_CHECK(qkv.size(1) == 3 * width, "row of ", qkv.size(1), " values");
  auto q = turn(qkv.narrow(1, 0, width).contiguous(), cos, sin, s);
  auto k = turn(qkv.narrow(1, width, width).contiguous(), cos, sin, s);
  auto out = torch::empty({s.total, 3 * width}, qkv.options());
  out.copy_(torch::cat({q, k, qkv.narrow(1, 2 * width, width)}, 1));
  return out;
}
} // namespace width_of_the_row

// https://github.com/rasbt/LLMs-from-scratch/issues/411
// The rotation expects [batch, heads, tokens, head_dim]; the keys are handed over with heads and tokens the other way round, so the table's tokens
// meet the heads.
namespace keys_of_tokens {
struct LlamaConfig {
  int64_t emb_dim = 2048;
  int64_t n_heads = 32;
  int64_t context_length = 4096;
  double rope_base = 10000.0;
};

struct LlamaAttentionImpl : torch::nn::Module {
  explicit LlamaAttentionImpl(const LlamaConfig &cfg) : n_heads_(cfg.n_heads), head_dim_(cfg.emb_dim / cfg.n_heads) {
    w_query_ = register_module("w_query", torch::nn::Linear(torch::nn::LinearOptions(cfg.emb_dim, cfg.emb_dim).bias(false)));
    w_key_ = register_module("w_key", torch::nn::Linear(torch::nn::LinearOptions(cfg.emb_dim, cfg.emb_dim).bias(false)));
    auto freq = torch::pow(cfg.rope_base, -torch::arange(0, head_dim_, 2, torch::kFloat) / double(head_dim_));
    auto angles = torch::outer(torch::arange(cfg.context_length, torch::kFloat), freq);
    angles = torch::cat({angles, angles}, -1);
    cos_ = register_buffer("cos", angles.cos());
    sin_ = register_buffer("sin", angles.sin());
  }

  torch::Tensor scores(const torch::Tensor &x) {
    const auto b = x.size(0);
    const auto num_tokens = x.size(1);
    auto queries = w_query_->forward(x).view({b, num_tokens, n_heads_, head_dim_});
    auto keys = w_key_->forward(x).view({b, num_tokens, n_heads_, head_dim_});
    auto cos = cos_.narrow(0, 0, num_tokens).unsqueeze(0).unsqueeze(0);
    auto sin = sin_.narrow(0, 0, num_tokens).unsqueeze(0).unsqueeze(0);
    queries = queries.transpose(1, 2);
    queries = queries * cos + rotate_half(queries) * sin;
    keys = keys * cos + rotate_half(keys) * sin; // expect: tensor-shape-mismatch // also: tensor-shape-mismatch
    return torch::matmul(queries, keys.transpose(1, 2).transpose(2, 3));
  }

  torch::Tensor scores_fixed(const torch::Tensor &x) {
    const auto b = x.size(0);
    const auto num_tokens = x.size(1);
    auto queries = w_query_->forward(x).view({b, num_tokens, n_heads_, head_dim_}).transpose(1, 2);
    auto keys = w_key_->forward(x).view({b, num_tokens, n_heads_, head_dim_}).transpose(1, 2);
    auto cos = cos_.narrow(0, 0, num_tokens).unsqueeze(0).unsqueeze(0);
    auto sin = sin_.narrow(0, 0, num_tokens).unsqueeze(0).unsqueeze(0);
    queries = queries * cos + rotate_half(queries) * sin;
    keys = keys * cos + rotate_half(keys) * sin;
    return torch::matmul(queries, keys.transpose(2, 3));
  }

private:
  torch::Tensor rotate_half(const torch::Tensor &x) const {
    auto first = x.narrow(-1, 0, head_dim_ / 2);
    auto second = x.narrow(-1, head_dim_ / 2, head_dim_ / 2);
    return torch::cat({-second, first}, -1);
  }

  int64_t n_heads_;
  int64_t head_dim_;
  torch::nn::Linear w_query_{nullptr}, w_key_{nullptr};
  torch::Tensor cos_, sin_;
};
TORCH_MODULE(LlamaAttention);
} // namespace keys_of_tokens

// https://github.com/NVIDIA/TransformerEngine/pull/1017
// The norm and the product walk the rows of their input at a fixed distance of hidden values; the batch-first input is a transposed view, whose rows
// lie elsewhere, and the results come out in the wrong order.
namespace transposed_by_rows {
namespace {

void norm_rows(const float *x, float *y, int64_t rows, int64_t hidden, float eps) {
  for (int64_t r = 0; r < rows; ++r) {
    const float *in = x + r * hidden;
    float *out = y + r * hidden;
    float mean = 0.0f, var = 0.0f;
    for (int64_t i = 0; i < hidden; ++i)
      mean += in[i];
    mean /= float(hidden);
    for (int64_t i = 0; i < hidden; ++i)
      var += (in[i] - mean) * (in[i] - mean);
    const float scale = 1.0f / std::sqrt(var / float(hidden) + eps);
    for (int64_t i = 0; i < hidden; ++i)
      out[i] = (in[i] - mean) * scale;
  }
}

} // namespace

class LayerNormLinear {
public:
  LayerNormLinear(torch::Tensor weight, int64_t hidden, float eps) : weight_(std::move(weight)), hidden_(hidden), eps_(eps) {}

  // sequence_first: [tokens, batch, hidden]; result: [batch, tokens, out_features]
  torch::Tensor forward(const torch::Tensor &sequence_first) const {
    auto x = batch_first(sequence_first);
    auto normed = torch::empty({x.size(0), x.size(1), hidden_}, x.options());
    const int64_t rows = x.numel() / hidden_;
    norm_rows(x.data_ptr<float>(), normed.data_ptr<float>(), rows, hidden_, eps_); // expect: tensor-raw-pointer-layout
    return torch::matmul(normed, weight_.t());
  }

  torch::Tensor forward_fixed(const torch::Tensor &sequence_first) const {
    auto x = batch_first(sequence_first).contiguous();
    auto normed = torch::empty({x.size(0), x.size(1), hidden_}, x.options());
    const int64_t rows = x.numel() / hidden_;
    norm_rows(x.data_ptr<float>(), normed.data_ptr<float>(), rows, hidden_, eps_);
    return torch::matmul(normed, weight_.t());
  }

private:
  torch::Tensor batch_first(const torch::Tensor &sequence_first) const {
    TORCH_CHECK(sequence_first.dim() == 3 && sequence_first.size(2) == hidden_);
    return sequence_first.to(torch::kFloat).contiguous().transpose(0, 1);
  }

  torch::Tensor weight_;
  int64_t hidden_;
  float eps_;
};
} // namespace transposed_by_rows

// https://github.com/vllm-project/vllm/pull/18046
// The rotary helper works in place, but makes its parameter contiguous first: it is called with the tail of every query row, so a copy is rotated and
// the queries stay as they were.
namespace own_rotation {
namespace {

// x: [tokens, heads, rope_dim], rotated in place; table: [positions, rope_dim], cosines then sines
void rotate_rows(float *data, int64_t tokens, int64_t heads, int64_t dim, int64_t token_pitch, int64_t head_pitch, const float *table,
                 const int64_t *positions) {
  const int64_t half = dim / 2;
  for (int64_t t = 0; t < tokens; ++t) {
    const float *c = table + positions[t] * dim;
    for (int64_t h = 0; h < heads; ++h) {
      float *x = data + t * token_pitch + h * head_pitch;
      for (int64_t i = 0; i < half; ++i) {
        const float a = x[i], b = x[half + i];
        x[i] = a * c[i] - b * c[half + i];
        x[half + i] = b * c[i] + a * c[half + i];
      }
    }
  }
}

void rotary_embedding_(torch::Tensor x, const torch::Tensor &table, const torch::Tensor &positions) {
  x = x.contiguous(); // expect: tensor-lost-write
  rotate_rows(x.data_ptr<float>(), x.size(0), x.size(1), x.size(2), x.stride(0), x.stride(1), table.data_ptr<float>(), positions.data_ptr<int64_t>());
}

void rotary_embedding_strided_(torch::Tensor x, const torch::Tensor &table, const torch::Tensor &positions) {
  TORCH_CHECK(x.stride(2) == 1, "the last axis must be dense");
  rotate_rows(x.data_ptr<float>(), x.size(0), x.size(1), x.size(2), x.stride(0), x.stride(1), table.data_ptr<float>(), positions.data_ptr<int64_t>());
}

} // namespace

class LatentQueries {
public:
  LatentQueries(torch::Tensor table, int64_t nope_dim, int64_t rope_dim) : table_(std::move(table)), nope_dim_(nope_dim), rope_dim_(rope_dim) {}

  torch::Tensor forward(const torch::Tensor &flat, const torch::Tensor &positions, int64_t heads) const {
    auto q = flat.view({flat.size(0), heads, nope_dim_ + rope_dim_});
    rotary_embedding_(q.narrow(2, nope_dim_, rope_dim_), table_, positions);
    return q;
  }

  torch::Tensor forward_fixed(const torch::Tensor &flat, const torch::Tensor &positions, int64_t heads) const {
    auto q = flat.view({flat.size(0), heads, nope_dim_ + rope_dim_});
    rotary_embedding_strided_(q.narrow(2, nope_dim_, rope_dim_), table_, positions);
    return q;
  }

private:
  torch::Tensor table_;
  int64_t nope_dim_;
  int64_t rope_dim_;
};
} // namespace own_rotation

// https://github.com/flagos-ai/FlagGems/pull/4831
// empty_like() of a transposed tensor keeps the transposed strides, so its flat form is a copy: the helper fills the copy and the caller returns the
// untouched output.
namespace flat_buckets {
namespace {

void fill_buckets(const torch::Tensor &values, const torch::Tensor &edges, torch::Tensor buckets) {
  const float *v = values.data_ptr<float>();
  const float *first = edges.data_ptr<float>();
  const float *last = first + edges.numel();
  int64_t *out = buckets.data_ptr<int64_t>();
  for (int64_t i = 0; i < values.numel(); ++i) {
    out[i] = std::lower_bound(first, last, v[i]) - first;
  }
}

} // namespace

class ScoreHistogram {
public:
  ScoreHistogram(torch::Tensor edges, int64_t classes) : edges_(std::move(edges)), classes_(classes) {
    TORCH_CHECK(edges_.is_contiguous() && edges_.scalar_type() == torch::kFloat);
  }

  // scores: [samples, classes]; returns the bucket of each score as [classes, samples]
  torch::Tensor by_class(const torch::Tensor &scores) const {
    auto columns = dense(scores).t();
    auto out = torch::empty_like(columns, columns.options().dtype(torch::kLong));
    fill_buckets(columns.reshape({-1}), edges_, out.flatten()); // expect: tensor-lost-write
    return out;
  }

  torch::Tensor by_class_fixed(const torch::Tensor &scores) const {
    auto columns = dense(scores).t();
    auto out = torch::empty(columns.sizes(), columns.options().dtype(torch::kLong));
    fill_buckets(columns.reshape({-1}), edges_, out.view({-1}));
    return out;
  }

  torch::Tensor counts(const torch::Tensor &scores) const {
    auto buckets = by_class_fixed(scores);
    auto result = torch::zeros({classes_, edges_.numel() + 1}, torch::kLong);
    return result.scatter_add_(1, buckets, torch::ones_like(buckets));
  }

private:
  torch::Tensor dense(const torch::Tensor &scores) const {
    TORCH_CHECK(scores.dim() == 2 && scores.size(1) == classes_, "scores must be [samples, ", classes_, "]");
    return scores.to(torch::kFloat).contiguous();
  }

  torch::Tensor edges_;
  int64_t classes_;
};
} // namespace flat_buckets

// https://github.com/pengzhendong/streaming-sensevoice/issues/3
// The table of positions moves to the GPU with the encoder, the positions of a chunk are made without a device and stay on the CPU, and
// index_select() wants both in one place.
namespace arange_of_the_host {
struct SinusoidalPositionsImpl : torch::nn::Module {
  SinusoidalPositionsImpl(int64_t max_len, int64_t depth) : depth_(depth) {
    auto position = torch::arange(1, max_len + 1, torch::kFloat).unsqueeze(1);
    auto step = -std::log(10000.0) / (depth / 2.0 - 1.0);
    auto scale = torch::exp(torch::arange(depth / 2, torch::kFloat) * step);
    auto angles = position * scale;
    table_ = register_buffer("table", torch::cat({angles.sin(), angles.cos()}, 1));
  }

  const torch::Tensor &table() const { return table_; }

private:
  int64_t depth_;
  torch::Tensor table_;
};
TORCH_MODULE(SinusoidalPositions);

class StreamingEncoder {
public:
  StreamingEncoder(int64_t depth, int64_t out_dim, int64_t max_len) : depth_(depth), positions_(max_len, depth), proj_(depth, out_dim) {
    positions_->to(torch::kCUDA);
    proj_->to(torch::kCUDA);
    proj_->eval();
  }

  torch::Tensor push(const torch::Tensor &chunk) {
    torch::NoGradGuard no_grad;
    auto x = chunk.to(torch::kCUDA) * std::sqrt(double(depth_));
    const auto steps = x.size(1);
    auto at = torch::arange(offset_, offset_ + steps, torch::kLong);
    x = x + positions_->table().index_select(0, at); // expect: tensor-device-mismatch
    offset_ += steps;
    return proj_->forward(x);
  }

  torch::Tensor push_fixed(const torch::Tensor &chunk) {
    torch::NoGradGuard no_grad;
    auto x = chunk.to(torch::kCUDA) * std::sqrt(double(depth_));
    const auto steps = x.size(1);
    auto at = torch::arange(offset_, offset_ + steps, x.options().dtype(torch::kLong));
    x = x + positions_->table().index_select(0, at);
    offset_ += steps;
    return proj_->forward(x);
  }

  void reset() { offset_ = 0; }

private:
  int64_t depth_;
  int64_t offset_ = 0;
  SinusoidalPositions positions_;
  torch::nn::Linear proj_;
};
} // namespace arange_of_the_host

// https://github.com/NVIDIA/cudnn-frontend/pull/554
// The lengths are built from a vector on the host; to(kInt) changes the type and leaves them there, and their address goes to the kernel as a device
// pointer.
namespace lengths_of_the_host {
struct RaggedPointers {
  const float *q;
  const float *k;
  const float *v;
  float *out;
};

// sdpa_ragged.cu: every pointer is a device pointer
void launch_ragged_sdpa_cuda(const RaggedPointers &data, const int32_t *len_q, const int32_t *len_kv, int64_t batch, int64_t max_len, int64_t heads,
                             int64_t dim);

struct RaggedBatch {
  torch::Tensor q, k, v; // [batch, max_len, heads, dim]
  std::vector<int64_t> len_q, len_kv;
};

class RaggedAttention {
public:
  RaggedAttention(int64_t heads, int64_t dim) : heads_(heads), dim_(dim) {}

  torch::Tensor forward(const RaggedBatch &b) const {
    check(b);
    auto seq_len_q = torch::tensor(b.len_q, torch::kLong).to(torch::kInt);
    auto seq_len_kv = torch::tensor(b.len_kv, b.k.options().dtype(torch::kLong)).to(torch::kInt);
    auto out = torch::empty_like(b.q);
    launch_ragged_sdpa_cuda(pointers(b, out), seq_len_q.data_ptr<int32_t>(), seq_len_kv.data_ptr<int32_t>(), b.q.size(0), b.q.size(1), heads_,
                            dim_); // missed: tensor-device-mismatch
    return out;
  }

  torch::Tensor forward_fixed(const RaggedBatch &b) const {
    check(b);
    auto seq_len_q = torch::tensor(b.len_q, b.q.options().dtype(torch::kLong)).to(torch::kInt);
    auto seq_len_kv = torch::tensor(b.len_kv, b.k.options().dtype(torch::kLong)).to(torch::kInt);
    auto out = torch::empty_like(b.q);
    launch_ragged_sdpa_cuda(pointers(b, out), seq_len_q.data_ptr<int32_t>(), seq_len_kv.data_ptr<int32_t>(), b.q.size(0), b.q.size(1), heads_, dim_);
    return out;
  }

private:
  static RaggedPointers pointers(const RaggedBatch &b, const torch::Tensor &out) {
    return {b.q.data_ptr<float>(), b.k.data_ptr<float>(), b.v.data_ptr<float>(), out.data_ptr<float>()};
  }

  void check(const RaggedBatch &b) const {
    for (const auto &t : {b.q, b.k, b.v}) {
      TORCH_CHECK(t.is_cuda() && t.is_contiguous() && t.scalar_type() == torch::kFloat);
      TORCH_CHECK(t.dim() == 4 && t.size(2) == heads_ && t.size(3) == dim_);
    }
    TORCH_CHECK(int64_t(b.len_q.size()) == b.q.size(0) && int64_t(b.len_kv.size()) == b.q.size(0));
  }

  int64_t heads_;
  int64_t dim_;
};
} // namespace lengths_of_the_host

// https://github.com/jostmey/NakedAttention/issues/1
// The mean error of an epoch is summed up as a tensor that still hangs on the graph of every batch, although only its value is printed.
namespace epoch_error {
struct Batch {
  torch::Tensor x;
  torch::Tensor y;
};

struct EpochResult {
  double error = 0.0;
  double accuracy = 0.0;
};

struct DigitNetImpl : torch::nn::Module {
  DigitNetImpl(int64_t features, int64_t hidden, int64_t classes)
      : fc1(register_module("fc1", torch::nn::Linear(features, hidden))), fc2(register_module("fc2", torch::nn::Linear(hidden, classes))) {}
  torch::Tensor forward(const torch::Tensor &x) { return fc2->forward(torch::relu(fc1->forward(x))); }
  torch::nn::Linear fc1, fc2;
};
TORCH_MODULE(DigitNet);

class Trainer {
public:
  Trainer(DigitNet net, double lr) : net_(std::move(net)), optimizer_(net_->parameters(), torch::optim::AdamOptions(lr)) {}

  EpochResult epoch(const std::vector<Batch> &loader) {
    net_->train();
    auto e_train = torch::zeros({});
    double a_train = 0.0;
    for (const auto &batch : loader) {
      auto logits = net_->forward(batch.x);
      auto e_batch = step(logits, batch.y);
      e_train += e_batch / double(loader.size()); // expect: tensor-graph-retention
      a_train += hits(logits, batch.y) / double(loader.size());
    }
    return {e_train.item<double>(), a_train};
  }

  EpochResult epoch_fixed(const std::vector<Batch> &loader) {
    net_->train();
    auto e_train = torch::zeros({});
    double a_train = 0.0;
    for (const auto &batch : loader) {
      auto logits = net_->forward(batch.x);
      auto e_batch = step(logits, batch.y);
      e_train += e_batch.detach() / double(loader.size());
      a_train += hits(logits, batch.y) / double(loader.size());
    }
    return {e_train.item<double>(), a_train};
  }

private:
  torch::Tensor step(const torch::Tensor &logits, const torch::Tensor &y) {
    auto error = torch::nn::functional::cross_entropy(logits, y);
    optimizer_.zero_grad();
    error.backward();
    optimizer_.step();
    return error;
  }

  static double hits(const torch::Tensor &logits, const torch::Tensor &y) { return logits.argmax(1).eq(y).to(torch::kFloat).mean().item<double>(); }

  DigitNet net_;
  torch::optim::Adam optimizer_;
};
} // namespace epoch_error

// https://github.com/rasbt/LLMs-from-scratch/pull/119
// The loss of the validation set is only printed, but the model runs over it with gradients switched on.
namespace validated {
using TokenBatch = std::pair<torch::Tensor, torch::Tensor>;
using TokenLoader = std::vector<TokenBatch>;

struct TinyGptImpl : torch::nn::Module {
  TinyGptImpl(int64_t vocab, int64_t width)
      : tok(register_module("tok", torch::nn::Embedding(vocab, width))), block(register_module("block", torch::nn::Linear(width, width))),
        head(register_module("head", torch::nn::Linear(width, vocab))) {}
  torch::Tensor forward(const torch::Tensor &ids) {
    auto x = tok->forward(ids);
    return head->forward(x + torch::gelu(block->forward(x)));
  }
  torch::nn::Embedding tok;
  torch::nn::Linear block, head;
};
TORCH_MODULE(TinyGpt);

class Evaluation {
public:
  Evaluation(TinyGpt model, torch::Device device) : model_(std::move(model)), device_(device) {}

  double validation_loss(const TokenLoader &loader, size_t num_batches) {
    if (loader.empty())
      return std::numeric_limits<double>::quiet_NaN();
    num_batches = std::min(num_batches, loader.size());
    model_->eval();
    double total = 0.0;
    for (size_t i = 0; i < num_batches; ++i) {
      auto logits = model_->forward(loader[i].first.to(device_)); // expect: tensor-missing-no-grad
      total += cross_entropy(logits, loader[i].second).item<double>();
    }
    model_->train();
    return total / double(num_batches);
  }

  double validation_loss_fixed(const TokenLoader &loader, size_t num_batches) {
    if (loader.empty())
      return std::numeric_limits<double>::quiet_NaN();
    num_batches = std::min(num_batches, loader.size());
    torch::NoGradGuard no_grad;
    model_->eval();
    double total = 0.0;
    for (size_t i = 0; i < num_batches; ++i) {
      auto logits = model_->forward(loader[i].first.to(device_));
      total += cross_entropy(logits, loader[i].second).item<double>();
    }
    model_->train();
    return total / double(num_batches);
  }

private:
  torch::Tensor cross_entropy(const torch::Tensor &logits, const torch::Tensor &targets) const {
    return torch::nn::functional::cross_entropy(logits.flatten(0, 1), targets.to(device_).flatten());
  }

  TinyGpt model_;
  torch::Device device_;
};
} // namespace validated

// https://github.com/sgl-project/sglang/pull/32882
// The packer insists on int32 expert numbers; the native router hands it the indices of topk(), which are always int64, so the check never lets it
// through.
namespace packed_experts {
struct Routing {
  torch::Tensor weights; // [tokens, top_k]
  torch::Tensor packed;  // [tokens, top_k]
};

namespace {

// expert number in the upper half, weight as bfloat16 bits in the lower one
torch::Tensor pack_topk_ids(const torch::Tensor &topk_ids, const torch::Tensor &topk_weights) {
  TORCH_CHECK(topk_ids.sizes() == topk_weights.sizes(), "ids and weights differ in shape");
  TORCH_CHECK(topk_ids.scalar_type() == torch::kInt, "topk_ids must be int32");
  auto bits = topk_weights.to(torch::kBFloat16).view(torch::kShort).to(torch::kInt).bitwise_and(0xffff);
  return topk_ids.bitwise_left_shift(16).bitwise_or(bits);
}

torch::Tensor pack_topk_ids_any(const torch::Tensor &topk_ids, const torch::Tensor &topk_weights) {
  TORCH_CHECK(topk_ids.sizes() == topk_weights.sizes(), "ids and weights differ in shape");
  TORCH_CHECK(topk_ids.scalar_type() == torch::kInt || topk_ids.scalar_type() == torch::kLong);
  auto bits = topk_weights.to(torch::kBFloat16).view(torch::kShort).to(torch::kInt).bitwise_and(0xffff);
  return topk_ids.to(torch::kInt).bitwise_left_shift(16).bitwise_or(bits);
}

} // namespace

class NativeRouter {
public:
  NativeRouter(int64_t top_k, bool renormalize) : top_k_(top_k), renormalize_(renormalize) {}

  Routing route(const torch::Tensor &router_logits) const {
    auto [weights, ids] = select(router_logits);
    return {weights, pack_topk_ids(ids, weights)}; // expect: tensor-shape-mismatch
  }

  Routing route_fixed(const torch::Tensor &router_logits) const {
    auto [weights, ids] = select(router_logits);
    return {weights, pack_topk_ids_any(ids, weights)};
  }

private:
  std::pair<torch::Tensor, torch::Tensor> select(const torch::Tensor &router_logits) const {
    auto scores = torch::softmax(router_logits, -1, torch::kFloat);
    auto [weights, ids] = scores.topk(top_k_, /*dim=*/-1);
    if (renormalize_)
      weights = weights / weights.sum(-1, /*keepdim=*/true);
    return {weights, ids};
  }

  int64_t top_k_;
  bool renormalize_;
};
} // namespace packed_experts

// https://github.com/QwenAudio/CosyVoice/pull/220
// Each decoded token is appended to the cache by cat(), which allocates and copies all of the past keys and values again in every step.
namespace decoder_cache {
struct DecoderOptions {
  int64_t width = 1024;
  int64_t heads = 16;
  int64_t head_dim = 64;
};

class SpeechTokenDecoder {
public:
  SpeechTokenDecoder(torch::nn::Linear to_qkv, torch::nn::Linear to_out, DecoderOptions o)
      : to_qkv_(std::move(to_qkv)), to_out_(std::move(to_out)), o_(o) {}

  torch::Tensor generate(torch::Tensor x, int64_t max_len) {
    torch::NoGradGuard no_grad;
    std::vector<torch::Tensor> steps;
    auto cache = torch::zeros({2, o_.heads, 0, o_.head_dim}, x.options());
    for (int64_t step = 0; step < max_len; ++step) {
      auto qkv = project(x);
      cache = torch::cat({cache, qkv.narrow(0, 1, 2)}, 2); // expect: tensor-hidden-copy
      x = attend(qkv.select(0, 0), cache.select(0, 0), cache.select(0, 1));
      steps.push_back(x);
    }
    return torch::stack(steps);
  }

  torch::Tensor generate_fixed(torch::Tensor x, int64_t max_len) {
    torch::NoGradGuard no_grad;
    std::vector<torch::Tensor> steps;
    auto cache = torch::empty({2, o_.heads, max_len, o_.head_dim}, x.options());
    for (int64_t step = 0; step < max_len; ++step) {
      auto qkv = project(x);
      cache.narrow(2, step, 1).copy_(qkv.narrow(0, 1, 2));
      auto past = cache.narrow(2, 0, step + 1);
      x = attend(qkv.select(0, 0), past.select(0, 0), past.select(0, 1));
      steps.push_back(x);
    }
    return torch::stack(steps);
  }

private:
  // x: [width]; result: [3, heads, 1, head_dim]
  torch::Tensor project(const torch::Tensor &x) { return to_qkv_->forward(x).view({3, o_.heads, 1, o_.head_dim}); }

  torch::Tensor attend(const torch::Tensor &q, const torch::Tensor &k, const torch::Tensor &v) {
    return to_out_->forward(torch::matmul(torch::softmax(torch::matmul(q, k.transpose(-2, -1)), -1), v).reshape({o_.heads * o_.head_dim}));
  }

  torch::nn::Linear to_qkv_;
  torch::nn::Linear to_out_;
  DecoderOptions o_;
};
} // namespace decoder_cache

// https://github.com/flashinfer-ai/flashinfer/issues/5347
// The thresholds are narrowed to int32, the sampler reads them as the type of the row indices: with int64 indices two thresholds become one and the
// later rows read behind the tensor.
namespace thresholds {
namespace {

template <typename IdType> void sample_rows(const torch::Tensor &probs, const torch::Tensor &indices, const IdType *top_k, torch::Tensor &out) {
  auto rows = indices.accessor<IdType, 1>();
  auto result = out.accessor<IdType, 1>();
  for (int64_t i = 0; i < indices.size(0); ++i) {
    const torch::Tensor row = probs.select(0, int64_t(rows[i]));
    const int64_t k = std::min<int64_t>(top_k[i], row.size(0));
    auto [values, ids] = row.topk(k);
    result[i] = static_cast<IdType>(ids[torch::multinomial(values, 1)[0]].item<int64_t>());
  }
}

} // namespace

class TopKSampler {
public:
  explicit TopKSampler(torch::Tensor top_k) : top_k_(std::move(top_k)) { TORCH_CHECK(top_k_.dim() == 1 && top_k_.device().is_cpu()); }

  torch::Tensor sample(const torch::Tensor &probs, const torch::Tensor &indices) const {
    auto out = torch::empty_like(indices);
    auto k = top_k_.to(torch::kInt).contiguous();
    if (indices.scalar_type() == torch::kInt) {
      sample_rows<int32_t>(probs, indices, static_cast<const int32_t *>(k.data_ptr()), out);
    } else {
      sample_rows<int64_t>(probs, indices, static_cast<const int64_t *>(k.data_ptr()), out); // expect: tensor-raw-pointer-layout
    }
    return out;
  }

  torch::Tensor sample_fixed(const torch::Tensor &probs, const torch::Tensor &indices) const {
    auto out = torch::empty_like(indices);
    auto k = top_k_.to(indices.scalar_type()).contiguous();
    if (indices.scalar_type() == torch::kInt) {
      sample_rows<int32_t>(probs, indices, k.data_ptr<int32_t>(), out);
    } else {
      sample_rows<int64_t>(probs, indices, k.data_ptr<int64_t>(), out);
    }
    return out;
  }

private:
  torch::Tensor top_k_;
};
} // namespace thresholds

// https://github.com/sgl-project/sglang/pull/28074
// The expert numbers are replaced by a look-up in an int64 map before their type is asked for, so the cast back to "their" type does nothing and the
// dispatch reads int64 values as int32.
namespace moved_experts {
struct ExpertLocation {
  torch::Tensor logical_to_all_physical; // [experts, copies]
  torch::Tensor num_valid;               // [experts]
};

class ExpertDispatch {
public:
  ExpertDispatch(int64_t experts, int64_t copies) : experts_(experts), copies_(copies) {
    info_.logical_to_all_physical = torch::arange(experts * copies, torch::kLong).view({experts, copies});
    info_.num_valid = torch::full({experts}, copies, torch::kLong);
  }

  // tokens of each physical expert
  std::vector<int64_t> dispatch(const torch::Tensor &router_ids) const {
    TORCH_CHECK(router_ids.scalar_type() == torch::kInt && router_ids.dim() == 2);
    auto topk_ids = router_ids;
    topk_ids = info_.logical_to_all_physical.index({topk_ids.to(torch::kLong), choose(topk_ids)});
    topk_ids = topk_ids.to(topk_ids.scalar_type()).contiguous();
    return count(topk_ids.data_ptr<int32_t>(), topk_ids.numel()); // expect: tensor-shape-mismatch
  }

  std::vector<int64_t> dispatch_fixed(const torch::Tensor &router_ids) const {
    TORCH_CHECK(router_ids.scalar_type() == torch::kInt && router_ids.dim() == 2);
    auto topk_ids = router_ids;
    const auto original = topk_ids.scalar_type();
    topk_ids = info_.logical_to_all_physical.index({topk_ids.to(torch::kLong), choose(topk_ids)});
    topk_ids = topk_ids.to(original).contiguous();
    return count(topk_ids.data_ptr<int32_t>(), topk_ids.numel());
  }

private:
  torch::Tensor choose(const torch::Tensor &ids) const {
    auto valid = info_.num_valid.index({ids.to(torch::kLong)});
    return torch::randint(0, 65536, ids.sizes(), torch::kLong).remainder(valid);
  }

  std::vector<int64_t> count(const int32_t *ids, int64_t n) const {
    std::vector<int64_t> tokens(experts_ * copies_, 0);
    for (int64_t i = 0; i < n; ++i)
      ++tokens[ids[i]];
    return tokens;
  }

  int64_t experts_;
  int64_t copies_;
  ExpertLocation info_;
};
} // namespace moved_experts

// https://github.com/bayesiains/nflows/issues/89
// The spline parameters are a slice of the ReLU's output; dividing the slice in place overwrites what ReLU's backward needs.
namespace spline_knots {
struct SplineCouplingOptions {
  int64_t features = 6;
  int64_t hidden = 64;
  int64_t bins = 8;
};

class SplineCouplingImpl : public torch::nn::Module {
public:
  explicit SplineCouplingImpl(SplineCouplingOptions o) : opt_(o) {
    per_feature_ = 3 * opt_.bins + 1;
    in_ = register_module("in", torch::nn::Linear(opt_.features, opt_.hidden));
    out_ = register_module("out", torch::nn::Linear(opt_.hidden, opt_.features * per_feature_));
  }

  torch::Tensor conditioner(const torch::Tensor &x) {
    auto h = torch::tanh(in_->forward(x));
    return torch::relu(out_->forward(h));
  }

  torch::Tensor log_widths(const torch::Tensor &x) {
    auto raw = conditioner(x).view({x.size(0), opt_.features, per_feature_});
    auto knots = raw.slice(-1, 0, 2 * opt_.bins);
    const double norm = std::sqrt(static_cast<double>(opt_.hidden));
    knots /= norm; // expect: tensor-inplace-on-saved
    auto parts = knots.chunk(2, -1);
    return torch::log_softmax(parts[0], -1) + torch::log_softmax(parts[1], -1);
  }

  torch::Tensor log_widths_scaled(const torch::Tensor &x) {
    auto raw = conditioner(x).view({x.size(0), opt_.features, per_feature_});
    auto knots = raw.slice(-1, 0, 2 * opt_.bins);
    const double norm = std::sqrt(static_cast<double>(opt_.hidden));
    knots = knots / norm;
    auto parts = knots.chunk(2, -1);
    return torch::log_softmax(parts[0], -1) + torch::log_softmax(parts[1], -1);
  }

private:
  SplineCouplingOptions opt_;
  int64_t per_feature_ = 0;
  torch::nn::Linear in_{nullptr}, out_{nullptr};
};
TORCH_MODULE(SplineCoupling);

double fit_step(SplineCoupling &flow, torch::optim::Adam &opt, const torch::Tensor &batch) {
  opt.zero_grad();
  auto nll = -flow->log_widths(batch).sum({1, 2}).mean();
  nll.backward();
  opt.step();
  return nll.item<double>();
}

double fit_step_scaled(SplineCoupling &flow, torch::optim::Adam &opt, const torch::Tensor &batch) {
  opt.zero_grad();
  auto nll = -flow->log_widths_scaled(batch).sum({1, 2}).mean();
  nll.backward();
  opt.step();
  return nll.item<double>();
}
} // namespace spline_knots

// https://github.com/hnuzhy/SSDA-YOLO/issues/21
// The teacher's moving average also runs over BatchNorm's int64 counter; mul_ by a fraction cannot be stored in an integer tensor.
namespace moving_average {
struct StemImpl : torch::nn::Module {
  StemImpl(int64_t in, int64_t width)
      : conv(register_module("conv", torch::nn::Conv2d(torch::nn::Conv2dOptions(in, width, 3).padding(1).bias(false)))),
        bn(register_module("bn", torch::nn::BatchNorm2d(width))) {}
  torch::Tensor forward(const torch::Tensor &x) { return torch::silu(bn(conv(x))); }
  torch::nn::Conv2d conv;
  torch::nn::BatchNorm2d bn;
};
TORCH_MODULE(Stem);

class TeacherAverage {
public:
  TeacherAverage(Stem teacher, double decay) : teacher_(std::move(teacher)), decay_(decay) {
    for (auto &p : teacher_->parameters())
      p.set_requires_grad(false);
  }

  void update(Stem &student) {
    torch::NoGradGuard guard;
    auto online = student->named_parameters();
    for (auto &kv : teacher_->named_parameters())
      kv.value().mul_(decay_).add_(online[kv.key()], 1.0 - decay_);
    auto stats = student->named_buffers();
    for (auto &kv : teacher_->named_buffers()) {
      kv.value().mul_(decay_); // missed: tensor-shape-mismatch
      kv.value().add_(stats[kv.key()] * (1.0 - decay_));
    }
  }

  void update_stats_safe(Stem &student) {
    torch::NoGradGuard guard;
    auto online = student->named_parameters();
    for (auto &kv : teacher_->named_parameters())
      kv.value().mul_(decay_).add_(online[kv.key()], 1.0 - decay_);
    auto stats = student->named_buffers();
    for (auto &kv : teacher_->named_buffers()) {
      const auto &src = stats[kv.key()];
      if (torch::isFloatingType(src.scalar_type()))
        kv.value().mul_(decay_).add_(src, 1.0 - decay_);
      else
        kv.value().copy_(src);
    }
  }

private:
  Stem teacher_;
  double decay_;
};
} // namespace moving_average

// https://github.com/pytorch/tensordict/issues/1008
// The per-environment state is one row expanded over the environments; writing one environment's row changes all of them.
namespace expanded_worlds {
class CartWorld {
public:
  CartWorld(int64_t n_envs, int64_t obs_dim) : n_envs_(n_envs), obs_dim_(obs_dim) {
    auto blank = torch::zeros({obs_dim_});
    obs_ = blank.unsqueeze(0).expand({n_envs_, obs_dim_});
    done_ = torch::zeros({n_envs_}, torch::kBool);
  }

  void reset_finished() {
    for (int64_t i = 0; i < n_envs_; ++i) {
      if (!done_[i].item<bool>())
        continue;
      auto start = torch::empty({obs_dim_}).uniform_(-0.05, 0.05);
      obs_.select(0, i).copy_(start); // expect: tensor-overlapping-write
      done_[i].fill_(false);
    }
  }

  torch::Tensor observe() const { return obs_; }
  void mark_done(int64_t i) { done_[i].fill_(true); }

private:
  int64_t n_envs_, obs_dim_;
  torch::Tensor obs_, done_;
};

class CartWorldOwned {
public:
  CartWorldOwned(int64_t n_envs, int64_t obs_dim) : n_envs_(n_envs), obs_dim_(obs_dim) {
    auto blank = torch::zeros({obs_dim_});
    obs_ = blank.unsqueeze(0).expand({n_envs_, obs_dim_}).clone(torch::MemoryFormat::Contiguous);
    done_ = torch::zeros({n_envs_}, torch::kBool);
  }

  void reset_finished() {
    for (int64_t i = 0; i < n_envs_; ++i) {
      if (!done_[i].item<bool>())
        continue;
      auto start = torch::empty({obs_dim_}).uniform_(-0.05, 0.05);
      obs_.select(0, i).copy_(start);
      done_[i].fill_(false);
    }
  }

  torch::Tensor observe() const { return obs_; }

private:
  int64_t n_envs_, obs_dim_;
  torch::Tensor obs_, done_;
};
} // namespace expanded_worlds

// https://github.com/sgl-project/sglang/pull/16493
// Sequence lengths go from GPU to CPU with non_blocking=true and are read on the host at once, before the copy is known to be done.
namespace unfinished_copy {
class DecodeScheduler {
public:
  explicit DecodeScheduler(int64_t max_batch, int64_t page_size)
      : page_size_(page_size), seq_lens_(torch::ones({max_batch}, torch::dtype(torch::kInt32).device(torch::kCUDA))) {}

  void advance(int64_t batch) { seq_lens_.narrow(0, 0, batch).add_(1); }

  std::vector<int64_t> pages_per_request(int64_t batch) const {
    auto live = seq_lens_.narrow(0, 0, batch);
    auto host = live.to(torch::TensorOptions().device(torch::kCPU), /*non_blocking=*/true);
    auto lens = host.accessor<int32_t, 1>();
    std::vector<int64_t> pages;
    pages.reserve(batch);
    for (int64_t i = 0; i < batch; ++i)
      pages.push_back((lens[i] + page_size_ - 1) / page_size_); // expect: tensor-uninitialized-read
    return pages;
  }

  std::vector<int64_t> pages_per_request_synced(int64_t batch) const {
    auto live = seq_lens_.narrow(0, 0, batch);
    auto host = live.to(torch::TensorOptions().device(torch::kCPU), /*non_blocking=*/true);
    torch::cuda::synchronize();
    auto lens = host.accessor<int32_t, 1>();
    std::vector<int64_t> pages;
    pages.reserve(batch);
    for (int64_t i = 0; i < batch; ++i)
      pages.push_back((lens[i] + page_size_ - 1) / page_size_);
    return pages;
  }

  bool can_admit(int64_t batch, int64_t free_pages) const {
    auto need = pages_per_request_synced(batch);
    return std::accumulate(need.begin(), need.end(), int64_t{0}) <= free_pages;
  }

private:
  int64_t page_size_;
  torch::Tensor seq_lens_;
};
} // namespace unfinished_copy

// https://github.com/huggingface/trl/issues/6804
// The per-sample spread is a vector over the whole batch, so max over dim 0 gives one scalar and no value per group is left to unsqueeze.
namespace spread_of_samples {
struct ReplayConfig {
  int64_t num_groups = 16;
  int64_t num_generations = 8;
};

class GroupReplay {
public:
  explicit GroupReplay(ReplayConfig c) : cfg_(c) { stored_ = torch::zeros({cfg_.num_groups, cfg_.num_generations}); }

  // rewards: one value per completion, group after group
  torch::Tensor refresh(const torch::Tensor &rewards) {
    auto grouped = rewards.view({cfg_.num_groups, cfg_.num_generations});
    auto mean = grouped.mean(1, /*keepdim=*/true);
    auto sample_std = grouped.std({1}, /*unbiased=*/true, /*keepdim=*/false).repeat_interleave(cfg_.num_generations);
    auto advantages = ((grouped - mean).flatten() / (sample_std + 1e-4)).view_as(grouped);
    auto useful = std::get<0>(sample_std.max(0)).gt(0).unsqueeze(1); // expect: tensor-shape-mismatch
    auto mixed = torch::where(useful, advantages, stored_);
    stored_.copy_(mixed);
    return mixed.flatten();
  }

  torch::Tensor refresh_per_group(const torch::Tensor &rewards) {
    auto grouped = rewards.view({cfg_.num_groups, cfg_.num_generations});
    auto mean = grouped.mean(1, /*keepdim=*/true);
    auto sample_std = grouped.std({1}, /*unbiased=*/true, /*keepdim=*/false).repeat_interleave(cfg_.num_generations);
    auto advantages = ((grouped - mean).flatten() / (sample_std + 1e-4)).view_as(grouped);
    auto useful = std::get<0>(sample_std.view_as(grouped).max(1)).gt(0).unsqueeze(1);
    auto mixed = torch::where(useful, advantages, stored_);
    stored_.copy_(mixed);
    return mixed.flatten();
  }

private:
  ReplayConfig cfg_;
  torch::Tensor stored_;
};
} // namespace spread_of_samples

// https://github.com/huggingface/transformers/pull/48922
// The padding mask is additive (0 = attend), but the attention takes its logical_not as "blocked" and hides exactly the allowed keys.
namespace inverted_mask {
// lengths: (B) -> (B, 1, 1, T), 0 where a key may be seen, -inf where it is padding
static torch::Tensor additive_padding_mask(const torch::Tensor &lengths, int64_t frames) {
  auto steps = torch::arange(frames, lengths.options());
  auto pad = steps.unsqueeze(0) >= lengths.unsqueeze(1);
  auto bias = torch::zeros({lengths.size(0), frames});
  bias.masked_fill_(pad, -std::numeric_limits<float>::infinity());
  return bias.unsqueeze(1).unsqueeze(1);
}

class AudioAttentionImpl : public torch::nn::Module {
public:
  AudioAttentionImpl(int64_t dim, int64_t heads) : heads_(heads), head_dim_(dim / heads) {
    qkv_ = register_module("qkv", torch::nn::Linear(dim, 3 * dim));
    proj_ = register_module("proj", torch::nn::Linear(dim, dim));
  }

  torch::Tensor forward(const torch::Tensor &x, const torch::Tensor &lengths) {
    auto mask = additive_padding_mask(lengths, x.size(1));
    auto parts = split(x);
    auto scores = torch::matmul(parts[0], parts[1].transpose(-2, -1)) / std::sqrt(double(head_dim_));
    scores = scores.masked_fill(mask.logical_not(), invalid_); // missed: tensor-shape-mismatch
    return merge(torch::matmul(torch::softmax(scores, -1), parts[2]));
  }

  torch::Tensor forward_additive(const torch::Tensor &x, const torch::Tensor &lengths) {
    auto mask = additive_padding_mask(lengths, x.size(1));
    auto parts = split(x);
    auto scores = torch::matmul(parts[0], parts[1].transpose(-2, -1)) / std::sqrt(double(head_dim_));
    scores = scores.masked_fill(mask.lt(0), invalid_);
    return merge(torch::matmul(torch::softmax(scores, -1), parts[2]));
  }

private:
  std::vector<torch::Tensor> split(const torch::Tensor &x) {
    auto y = qkv_->forward(x).view({x.size(0), x.size(1), 3, heads_, head_dim_});
    return y.permute({2, 0, 3, 1, 4}).unbind(0);
  }
  torch::Tensor merge(const torch::Tensor &y) { return proj_->forward(y.transpose(1, 2).flatten(2)); }

  int64_t heads_, head_dim_;
  double invalid_ = -1e9;
  torch::nn::Linear qkv_{nullptr}, proj_{nullptr};
};
TORCH_MODULE(AudioAttention);
} // namespace inverted_mask

// https://github.com/nkalyanv99/UNI-D2/pull/6
// The rotary positions take the element type of the inv_freq buffer; after the model went to bfloat16 positions above 256 collapse.
namespace collapsed_positions {
class RotaryCacheImpl : public torch::nn::Module {
public:
  RotaryCacheImpl(int64_t head_dim, int64_t max_positions, double base = 10000.0) : max_positions_(max_positions) {
    auto even = torch::arange(0, head_dim, 2, torch::kFloat32);
    inv_freq_ = register_buffer("inv_freq", torch::pow(base, even / double(head_dim)).reciprocal());
  }

  std::pair<torch::Tensor, torch::Tensor> tables() {
    auto pos = torch::arange(max_positions_, torch::kInt64).to(inv_freq_.scalar_type()); // missed: tensor-shape-mismatch
    auto phase = torch::outer(pos, inv_freq_);
    auto both = torch::cat({phase, phase}, -1);
    return {both.cos(), both.sin()};
  }

  std::pair<torch::Tensor, torch::Tensor> tables_f32() {
    auto pos = torch::arange(max_positions_, torch::kFloat32);
    auto phase = torch::outer(pos, inv_freq_.to(torch::kFloat32));
    auto both = torch::cat({phase, phase}, -1);
    return {both.cos().to(inv_freq_.scalar_type()), both.sin().to(inv_freq_.scalar_type())};
  }

private:
  int64_t max_positions_;
  torch::Tensor inv_freq_;
};
TORCH_MODULE(RotaryCache);

struct DenoiserImpl : torch::nn::Module {
  DenoiserImpl(int64_t dim, int64_t heads, int64_t max_positions)
      : rope(register_module("rope", RotaryCache(dim / heads, max_positions))), qk(register_module("qk", torch::nn::Linear(dim, 2 * dim))) {}
  RotaryCache rope;
  torch::nn::Linear qk;
};
TORCH_MODULE(Denoiser);

Denoiser load_denoiser() {
  Denoiser net(512, 8, /*max_positions=*/4096);
  net->to(torch::kBFloat16);
  net->eval();
  return net;
}

torch::Tensor rotate_queries(Denoiser &net, const torch::Tensor &q) {
  auto [cos, sin] = net->rope->tables();
  auto halves = q.chunk(2, -1);
  return q * cos.narrow(0, 0, q.size(-2)) + torch::cat({-halves[1], halves[0]}, -1) * sin.narrow(0, 0, q.size(-2));
}
} // namespace collapsed_positions

// https://github.com/huggingface/kernels-community/pull/1056
// The per-slot score gradient lives in torch::empty memory, only the valid slots are written, and the sum reads the others as well.
namespace dropped_slots {
struct Routing {
  torch::Tensor expert_of_slot; // (tokens * top_k), -1 where a slot was dropped
  int64_t tokens = 0;
  int64_t top_k = 0;
};

class ExpertBackward {
public:
  explicit ExpertBackward(int64_t hidden) : hidden_(hidden) {}

  torch::Tensor valid_slots(const Routing &r) const { return r.expert_of_slot.ge(0).nonzero().squeeze(1); }

  // grad_out, expert_out: (tokens * top_k, hidden)
  torch::Tensor router_grad(const Routing &r, const torch::Tensor &grad_out, const torch::Tensor &expert_out) const {
    auto keep = valid_slots(r);
    auto dscore = (grad_out.index_select(0, keep) * expert_out.index_select(0, keep)).sum(1);
    auto per_slot = torch::empty({r.tokens * r.top_k}, grad_out.options()); // expect: tensor-uninitialized-read
    per_slot.index_copy_(0, keep, dscore);
    return per_slot.view({r.tokens, r.top_k}).sum(1) / double(hidden_);
  }

  torch::Tensor router_grad_zeroed(const Routing &r, const torch::Tensor &grad_out, const torch::Tensor &expert_out) const {
    auto keep = valid_slots(r);
    auto dscore = (grad_out.index_select(0, keep) * expert_out.index_select(0, keep)).sum(1);
    auto per_slot = torch::zeros({r.tokens * r.top_k}, grad_out.options());
    per_slot.index_copy_(0, keep, dscore);
    return per_slot.view({r.tokens, r.top_k}).sum(1) / double(hidden_);
  }

private:
  int64_t hidden_;
};

Routing drop_overflow(const torch::Tensor &choice, int64_t capacity) {
  Routing r;
  r.tokens = choice.size(0);
  r.top_k = choice.size(1);
  auto flat = choice.flatten().clone();
  auto rank_in_expert = torch::one_hot(flat).cumsum(0).gather(1, flat.unsqueeze(1)).squeeze(1);
  r.expert_of_slot = flat.masked_fill(rank_in_expert > capacity, -1);
  return r;
}
} // namespace dropped_slots

// https://github.com/bytetriper/RAE/issues/67
// zero_grad runs for every micro-batch although the optimizer steps once per accumulation window, so only the last micro-batch counts.
namespace micro_batches {
struct TrainArgs {
  int accum_steps = 4;
  double lr = 2e-4;
  double max_norm = 1.0;
};

class DecoderTrainer {
public:
  DecoderTrainer(torch::nn::Sequential net, TrainArgs a)
      : net_(std::move(net)), args_(a), opt_(net_->parameters(), torch::optim::AdamWOptions(a.lr)) {}

  void run_epoch(const std::vector<torch::Tensor> &latents, const std::vector<torch::Tensor> &images) {
    net_->train();
    for (size_t i = 0; i < latents.size(); ++i) {
      opt_.zero_grad(); // expect: tensor-missing-gradient
      auto loss = reconstruction(latents[i], images[i]) / double(args_.accum_steps);
      loss.backward();
      if ((i + 1) % args_.accum_steps != 0)
        continue;
      torch::nn::utils::clip_grad_norm_(net_->parameters(), args_.max_norm);
      opt_.step();
      ++global_step_;
    }
  }

  void run_epoch_accumulated(const std::vector<torch::Tensor> &latents, const std::vector<torch::Tensor> &images) {
    net_->train();
    opt_.zero_grad();
    for (size_t i = 0; i < latents.size(); ++i) {
      auto loss = reconstruction(latents[i], images[i]) / double(args_.accum_steps);
      loss.backward();
      if ((i + 1) % args_.accum_steps != 0)
        continue;
      torch::nn::utils::clip_grad_norm_(net_->parameters(), args_.max_norm);
      opt_.step();
      opt_.zero_grad();
      ++global_step_;
    }
  }

  int64_t global_step() const { return global_step_; }

private:
  torch::Tensor reconstruction(const torch::Tensor &z, const torch::Tensor &x) { return torch::l1_loss(net_->forward(z), x); }

  torch::nn::Sequential net_;
  TrainArgs args_;
  torch::optim::AdamW opt_;
  int64_t global_step_ = 0;
};
} // namespace micro_batches

// https://github.com/pytorch/executorch/pull/18987
// The merged embeddings sit in a local vector; from_blob only borrows it, and the struct that is returned keeps a pointer into freed memory.
namespace merged_rows {
struct PromptEmbeds {
  torch::Tensor values; // (1, positions, dim)
  int64_t positions = 0;
};

class EmbeddingMerger {
public:
  EmbeddingMerger(int64_t dim, int64_t image_token) : dim_(dim), image_token_(image_token) {}

  PromptEmbeds merge(const std::vector<int64_t> &ids, const std::vector<float> &text, const std::vector<float> &image) const {
    std::vector<float> merged = interleave(ids, text, image);
    PromptEmbeds out;
    out.positions = static_cast<int64_t>(ids.size());
    out.values = torch::from_blob(merged.data(), {1, out.positions, dim_}, torch::kFloat32); // expect: tensor-from-blob-lifetime
    return out;
  }

  PromptEmbeds merge_owned(const std::vector<int64_t> &ids, const std::vector<float> &text, const std::vector<float> &image) const {
    auto merged = std::make_shared<std::vector<float>>(interleave(ids, text, image));
    PromptEmbeds out;
    out.positions = static_cast<int64_t>(ids.size());
    out.values = torch::from_blob(merged->data(), {1, out.positions, dim_}, [merged](void *) mutable { merged.reset(); }, torch::kFloat32);
    return out;
  }

private:
  std::vector<float> interleave(const std::vector<int64_t> &ids, const std::vector<float> &text, const std::vector<float> &image) const {
    std::vector<float> rows(ids.size() * dim_);
    size_t next_image = 0;
    for (size_t i = 0; i < ids.size(); ++i) {
      const bool is_image = ids[i] == image_token_;
      const float *src = is_image ? image.data() + dim_ * next_image++ : text.data() + dim_ * i;
      std::copy(src, src + dim_, rows.begin() + dim_ * i);
    }
    return rows;
  }

  int64_t dim_, image_token_;
};
} // namespace merged_rows

// https://github.com/Amshaker/SwiftFormer/issues/4
// The additive attention score has shape (batch, tokens, 1); a softmax over the last axis turns every weight into 1.
namespace softmax_of_one {
class EfficientAdditiveAttentionImpl : public torch::nn::Module {
public:
  EfficientAdditiveAttentionImpl(int64_t in_dims, int64_t token_dim, int64_t heads = 2)
      : inner_(token_dim * heads), scale_(1.0 / std::sqrt(double(token_dim))) {
    to_query_ = register_module("to_query", torch::nn::Linear(in_dims, inner_));
    to_key_ = register_module("to_key", torch::nn::Linear(in_dims, inner_));
    w_g_ = register_parameter("w_g", torch::randn({inner_, 1}));
    proj_ = register_module("proj", torch::nn::Linear(inner_, inner_));
    final_ = register_module("final", torch::nn::Linear(inner_, token_dim));
  }

  // x: (batch, height * width, channels)
  torch::Tensor forward(const torch::Tensor &x) {
    auto query = unit(to_query_->forward(x));
    auto key = unit(to_key_->forward(x));
    auto score = torch::matmul(query, w_g_) * scale_;
    auto weight = torch::softmax(score, /*dim=*/-1); // expect: tensor-shape-mismatch
    return mix(query, key, weight);
  }

  torch::Tensor forward_over_tokens(const torch::Tensor &x) {
    auto query = unit(to_query_->forward(x));
    auto key = unit(to_key_->forward(x));
    auto score = torch::matmul(query, w_g_) * scale_;
    auto weight = torch::softmax(score, /*dim=*/1);
    return mix(query, key, weight);
  }

private:
  static torch::Tensor unit(const torch::Tensor &t) { return t / t.norm(2, -1, /*keepdim=*/true).clamp_min(1e-12); }

  torch::Tensor mix(const torch::Tensor &query, const torch::Tensor &key, const torch::Tensor &weight) {
    auto global = (weight * query).sum(1, /*keepdim=*/true);
    auto out = proj_->forward(global.expand_as(key) * key) + query;
    return final_->forward(out);
  }

  int64_t inner_;
  double scale_;
  torch::nn::Linear to_query_{nullptr}, to_key_{nullptr}, proj_{nullptr}, final_{nullptr};
  torch::Tensor w_g_;
};
TORCH_MODULE(EfficientAdditiveAttention);
} // namespace softmax_of_one

// https://github.com/pymc-devs/pytensor/pull/2242
// An increment at repeated row numbers is written as gather, add, put; each row is stored once and the other contributions are lost.
namespace repeated_rows {
struct DocBatch {
  torch::Tensor token_vectors; // (docs * tokens_per_doc, dim)
  int64_t docs = 0;
  int64_t tokens_per_doc = 32;
};

class DocSumPool {
public:
  explicit DocSumPool(int64_t dim) : dim_(dim) {}

  torch::Tensor row_of_token(const DocBatch &b) const { return torch::arange(b.docs, torch::kInt64).repeat_interleave(b.tokens_per_doc); }

  torch::Tensor pool(const DocBatch &b) const {
    auto rows = row_of_token(b);
    auto sums = torch::zeros({b.docs, dim_}, b.token_vectors.options());
    auto updated = sums.index({rows}) + b.token_vectors;
    sums.index_put_({rows}, updated); // expect: tensor-lost-write
    return sums / double(b.tokens_per_doc);
  }

  torch::Tensor pool_accumulated(const DocBatch &b) const {
    auto rows = row_of_token(b);
    auto sums = torch::zeros({b.docs, dim_}, b.token_vectors.options());
    sums.index_put_({rows}, b.token_vectors, /*accumulate=*/true);
    return sums / double(b.tokens_per_doc);
  }

private:
  int64_t dim_;
};

class DocClassifierImpl : public torch::nn::Module {
public:
  DocClassifierImpl(int64_t dim, int64_t classes) : pool_(dim) {
    norm_ = register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({dim})));
    head_ = register_module("head", torch::nn::Linear(dim, classes));
  }
  torch::Tensor forward(const DocBatch &b) { return head_(norm_(pool_.pool(b))); }
  torch::Tensor forward_summed(const DocBatch &b) { return head_(norm_(pool_.pool_accumulated(b))); }

private:
  DocSumPool pool_;
  torch::nn::LayerNorm norm_{nullptr};
  torch::nn::Linear head_{nullptr};
};
TORCH_MODULE(DocClassifier);
} // namespace repeated_rows

// https://github.com/BaiTheBest/SparseLLM/issues/13
// The optimised activation chunk is a leaf that requires grad; the hand-written gradient step subtracts in place without NoGradGuard.
namespace own_descent {
struct PruneSchedule {
  int64_t chunk = 256;
  int64_t inner_steps = 20;
  double lr = 1e-3;
  double alpha = 5.0;
};

class ActivationSolver {
public:
  ActivationSolver(torch::Tensor up_weight, torch::Tensor down_weight, PruneSchedule s)
      : up_(std::move(up_weight)), down_(std::move(down_weight)), cfg_(s) {}

  // s: (hidden, samples) half precision copy, refined chunk by chunk
  void refine(torch::Tensor s, const torch::Tensor &x, const torch::Tensor &target) {
    for (int64_t begin = 0; begin < s.size(1); begin += cfg_.chunk) {
      const int64_t n = std::min(cfg_.chunk, s.size(1) - begin);
      auto part = s.narrow(1, begin, n).to(torch::kFloat32).detach().requires_grad_(true);
      for (int64_t it = 0; it < cfg_.inner_steps; ++it) {
        auto loss = objective(part, x.narrow(1, begin, n), target.narrow(1, begin, n));
        loss.backward();
        part -= cfg_.lr * part.grad(); // expect: tensor-inplace-on-saved
        part.mutable_grad().zero_();
      }
      s.narrow(1, begin, n).copy_(part.detach());
    }
  }

  void refine_guarded(torch::Tensor s, const torch::Tensor &x, const torch::Tensor &target) {
    for (int64_t begin = 0; begin < s.size(1); begin += cfg_.chunk) {
      const int64_t n = std::min(cfg_.chunk, s.size(1) - begin);
      auto part = s.narrow(1, begin, n).to(torch::kFloat32).detach().requires_grad_(true);
      for (int64_t it = 0; it < cfg_.inner_steps; ++it) {
        auto loss = objective(part, x.narrow(1, begin, n), target.narrow(1, begin, n));
        loss.backward();
        torch::NoGradGuard guard;
        part -= cfg_.lr * part.grad();
        part.mutable_grad().zero_();
      }
      s.narrow(1, begin, n).copy_(part.detach());
    }
  }

private:
  torch::Tensor objective(const torch::Tensor &s, const torch::Tensor &x, const torch::Tensor &y) const {
    auto fit_up = (torch::matmul(up_, x) - s).pow(2).mean();
    auto fit_down = (torch::matmul(down_, torch::relu(s)) - y).pow(2).mean();
    return cfg_.alpha * fit_up + fit_down;
  }

  torch::Tensor up_, down_;
  PruneSchedule cfg_;
};
} // namespace own_descent

// https://github.com/iree-org/iree-turbine/issues/635
// The queries are a transposed view, but the scoring kernel walks their raw pointer as if (batch, head, row, dim) were dense.
namespace transposed_query {
namespace {

struct ScoreShape {
  int64_t batch, heads, rows, dim;
};

void score_kernel(const float *q, const float *k, float *out, ScoreShape s, float scale) {
  for (int64_t bh = 0; bh < s.batch * s.heads; ++bh)
    for (int64_t i = 0; i < s.rows; ++i)
      for (int64_t j = 0; j < s.rows; ++j) {
        const float *a = q + (bh * s.rows + i) * s.dim;
        const float *b = k + (bh * s.rows + j) * s.dim;
        float acc = 0.f;
        for (int64_t d = 0; d < s.dim; ++d)
          acc += a[d] * b[d];
        out[(bh * s.rows + i) * s.rows + j] = acc * scale;
      }
}

torch::Tensor split_heads(const torch::Tensor &x, int64_t heads) { return x.view({x.size(0), x.size(1), heads, x.size(2) / heads}).transpose(1, 2); }

} // namespace

class HostScorer {
public:
  HostScorer(int64_t dim, int64_t heads) : heads_(heads), wq_(torch::randn({dim, dim})), wk_(torch::randn({dim, dim})) {}

  torch::Tensor scores(const torch::Tensor &x) const {
    auto q = split_heads(torch::matmul(x, wq_), heads_);
    auto k = split_heads(torch::matmul(x, wk_), heads_).contiguous();
    ScoreShape s{q.size(0), q.size(1), q.size(2), q.size(3)};
    auto out = torch::empty({s.batch, s.heads, s.rows, s.rows});
    const float *qp = q.data_ptr<float>(); // expect: tensor-raw-pointer-layout
    score_kernel(qp, k.data_ptr<float>(), out.data_ptr<float>(), s, 0.125f);
    return out;
  }

  torch::Tensor scores_dense(const torch::Tensor &x) const {
    auto q = split_heads(torch::matmul(x, wq_), heads_).contiguous();
    auto k = split_heads(torch::matmul(x, wk_), heads_).contiguous();
    ScoreShape s{q.size(0), q.size(1), q.size(2), q.size(3)};
    auto out = torch::empty({s.batch, s.heads, s.rows, s.rows});
    const float *qp = q.data_ptr<float>();
    score_kernel(qp, k.data_ptr<float>(), out.data_ptr<float>(), s, 0.125f);
    return out;
  }

private:
  int64_t heads_;
  torch::Tensor wq_, wk_;
};
} // namespace transposed_query
