// Reports that were rewritten before anything was done for them, the eighth lot.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <torch/script.h>
#include <torch/torch.h>
#include <tuple>
#include <utility>
#include <vector>

// https://github.com/local-inference-lab/vllm/pull/454
// With an output gate the fused projection carries q twice (query and gate); the split of the row still counts q once.
namespace gate_in_the_row {
struct GatedAttnConfig {
  int64_t hidden;
  int64_t n_heads;
  int64_t n_kv_heads;
  int64_t head_dim;
};

class GatedAttentionImpl : public torch::nn::Module {
public:
  explicit GatedAttentionImpl(const GatedAttnConfig &cfg)
      : n_heads_(cfg.n_heads), n_kv_heads_(cfg.n_kv_heads), head_dim_(cfg.head_dim), q_size_(cfg.n_heads * cfg.head_dim),
        kv_size_(cfg.n_kv_heads * cfg.head_dim) {
    // rows: [query | gate | key | value]
    qkv_proj_ = register_module("qkv_proj", torch::nn::Linear(torch::nn::LinearOptions(cfg.hidden, 2 * q_size_ + 2 * kv_size_).bias(false)));
    o_proj_ = register_module("o_proj", torch::nn::Linear(q_size_, cfg.hidden));
  }

  torch::Tensor forward(const torch::Tensor &x) {
    const int64_t batch = x.size(0), seq = x.size(1);
    auto row = qkv_proj_->forward(x);
    auto parts = row.split_with_sizes({q_size_, kv_size_, kv_size_}, -1); // expect: tensor-shape-mismatch
    auto q = parts[0].reshape({batch, seq, n_heads_, head_dim_}).transpose(1, 2);
    auto k = parts[1].reshape({batch, seq, n_kv_heads_, head_dim_}).transpose(1, 2);
    auto v = parts[2].reshape({batch, seq, n_kv_heads_, head_dim_}).transpose(1, 2);
    return o_proj_->forward(attend(q, k, v).reshape({batch, seq, q_size_}));
  }

  torch::Tensor forward_gated(const torch::Tensor &x) {
    const int64_t batch = x.size(0), seq = x.size(1);
    auto row = qkv_proj_->forward(x);
    auto parts = row.split_with_sizes({q_size_, q_size_, kv_size_, kv_size_}, -1);
    auto q = parts[0].reshape({batch, seq, n_heads_, head_dim_}).transpose(1, 2);
    auto k = parts[2].reshape({batch, seq, n_kv_heads_, head_dim_}).transpose(1, 2);
    auto v = parts[3].reshape({batch, seq, n_kv_heads_, head_dim_}).transpose(1, 2);
    auto ctx = attend(q, k, v).reshape({batch, seq, q_size_});
    return o_proj_->forward(ctx * torch::sigmoid(parts[1]));
  }

private:
  torch::Tensor attend(const torch::Tensor &q, torch::Tensor k, torch::Tensor v) const {
    k = k.repeat_interleave(n_heads_ / n_kv_heads_, 1);
    v = v.repeat_interleave(n_heads_ / n_kv_heads_, 1);
    return torch::softmax(torch::matmul(q, k.transpose(-2, -1)) * (1.0 / std::sqrt(double(head_dim_))), -1).matmul(v).transpose(1, 2);
  }

  const int64_t n_heads_, n_kv_heads_, head_dim_, q_size_, kv_size_;
  torch::nn::Linear qkv_proj_{nullptr}, o_proj_{nullptr};
};
} // namespace gate_in_the_row

// https://github.com/ultralytics/ultralytics/issues/17381
// The segmentation head has 4 + nc + nm channels (no objectness); the coefficients are cut as if a fifth box channel were there.
namespace mask_coefficients {
struct SegDetections {
  torch::Tensor boxes;  // [n, 4] xyxy
  torch::Tensor scores; // [n]
  torch::Tensor coeffs; // [n, nm]
};

static torch::Tensor xywh2xyxy(const torch::Tensor &b) {
  auto half = b.narrow(-1, 2, 2) / 2;
  auto centre = b.narrow(-1, 0, 2);
  return torch::cat({centre - half, centre + half}, -1);
}

class SegDecoder {
public:
  SegDecoder(std::vector<std::string> names, int64_t n_masks, float conf)
      : names_(std::move(names)), nc_(static_cast<int64_t>(names_.size())), nm_(n_masks), conf_(conf) {}

  // pred: [1, channels, anchors] straight from the exported module
  SegDetections decode(const torch::Tensor &pred) const {
    TORCH_CHECK(pred.dim() == 3 && pred.size(1) == 4 + nc_ + nm_, "unexpected head width");
    auto rows = pred[0].transpose(0, 1);
    auto best = rows.narrow(1, 4, nc_).max(1);
    auto keep = (std::get<0>(best) > conf_).nonzero().squeeze(1);

    SegDetections out;
    out.boxes = xywh2xyxy(rows.narrow(1, 0, 4).index_select(0, keep));
    out.scores = std::get<0>(best).index_select(0, keep);
    out.coeffs = rows.narrow(1, 5 + nc_, nm_).index_select(0, keep); // expect: tensor-shape-mismatch
    return out;
  }

  SegDetections decode_v8(const torch::Tensor &pred) const {
    TORCH_CHECK(pred.dim() == 3 && pred.size(1) == 4 + nc_ + nm_, "unexpected head width");
    auto rows = pred[0].transpose(0, 1);
    auto best = rows.narrow(1, 4, nc_).max(1);
    auto keep = (std::get<0>(best) > conf_).nonzero().squeeze(1);

    SegDetections out;
    out.boxes = xywh2xyxy(rows.narrow(1, 0, 4).index_select(0, keep));
    out.scores = std::get<0>(best).index_select(0, keep);
    out.coeffs = rows.narrow(1, 4 + nc_, nm_).index_select(0, keep);
    return out;
  }

private:
  std::vector<std::string> names_;
  const int64_t nc_, nm_;
  const float conf_;
};
} // namespace mask_coefficients

// https://github.com/AutoGPTQ/AutoGPTQ/issues/436
// The split has shown a row of q + k + v with fewer kv heads; the flat view for the q/k norm then takes the row for q + k alone.
namespace kv_of_the_row {
namespace fused {

struct HeadLayout {
  int64_t n_heads;
  int64_t n_kv_heads;
  int64_t head_dim;
  int64_t q_dim() const { return n_heads * head_dim; }
  int64_t kv_dim() const { return n_kv_heads * head_dim; }
};

static torch::Tensor rms_norm(const torch::Tensor &x, const torch::Tensor &weight, double eps) {
  auto inv = torch::rsqrt(x.pow(2).mean(-1, true) + eps);
  return x * inv * weight;
}

// qkv comes out of one quantized matmul, whose width the caller chose
std::pair<torch::Tensor, torch::Tensor> normed_qk(const torch::Tensor &qkv, const HeadLayout &lay, const torch::Tensor &weight) {
  const int64_t bsz = qkv.size(0), q_len = qkv.size(1);
  auto states = qkv.split_with_sizes({lay.q_dim(), lay.kv_dim(), lay.kv_dim()}, 2);
  auto value = states[2].reshape({bsz, q_len, lay.n_kv_heads, lay.head_dim});

  const int64_t tokens = bsz * q_len;
  auto qk = qkv.reshape({tokens, lay.q_dim() + lay.kv_dim()}); // expect: tensor-shape-mismatch
  qk = rms_norm(qk.reshape({tokens, lay.n_heads + lay.n_kv_heads, lay.head_dim}), weight, 1e-6);
  auto heads = torch::cat({qk.narrow(1, lay.n_heads, lay.n_kv_heads).reshape_as(value), value}, -1);
  return {qk.narrow(1, 0, lay.n_heads), heads};
}

std::pair<torch::Tensor, torch::Tensor> normed_qk_sliced(const torch::Tensor &qkv, const HeadLayout &lay, const torch::Tensor &weight) {
  const int64_t bsz = qkv.size(0), q_len = qkv.size(1);
  auto states = qkv.split_with_sizes({lay.q_dim(), lay.kv_dim(), lay.kv_dim()}, 2);
  auto value = states[2].reshape({bsz, q_len, lay.n_kv_heads, lay.head_dim});

  const int64_t tokens = bsz * q_len;
  auto qk = qkv.narrow(2, 0, lay.q_dim() + lay.kv_dim()).reshape({tokens, lay.n_heads + lay.n_kv_heads, lay.head_dim});
  qk = rms_norm(qk, weight, 1e-6);
  auto heads = torch::cat({qk.narrow(1, lay.n_heads, lay.n_kv_heads).reshape_as(value), value}, -1);
  return {qk.narrow(1, 0, lay.n_heads), heads};
}

} // namespace fused
} // namespace kv_of_the_row

// https://github.com/a1600012888/LaCT/issues/1
// w2 is made with d_out rows where the gated product needs d_h rows, which shows once the expansion factor is not 1.
namespace rows_of_the_gate {
struct FastWeightOptions {
  static constexpr int64_t head_dim = 64;
  static constexpr int64_t inter_multi = 2;
};

// SwiGLU fast weights of one layer, one set a head: w1 (silu(w0 x) * (w2 x))
class FastWeightsImpl : public torch::nn::Module {
public:
  FastWeightsImpl(int64_t dim, int64_t n_heads) : n_heads_(n_heads) {
    const int64_t d_in = FastWeightOptions::head_dim;
    const int64_t d_out = FastWeightOptions::head_dim;
    const int64_t d_h = FastWeightOptions::head_dim * FastWeightOptions::inter_multi;
    w0_ = register_parameter("w0", torch::randn({n_heads_, d_h, d_in}) / std::sqrt(double(d_in)));
    w1_ = register_parameter("w1", torch::randn({n_heads_, d_out, d_h}) / std::sqrt(double(d_h)));
    w2_ = register_parameter("w2", torch::randn({n_heads_, d_out, d_in}) / std::sqrt(double(d_in)));
    to_q_ = register_module("to_q", torch::nn::Linear(dim, n_heads_ * d_in));
  }

  torch::Tensor forward(const torch::Tensor &tokens) {
    const int64_t len = tokens.size(0);
    auto q = to_q_->forward(tokens).view({len, n_heads_, FastWeightOptions::head_dim}).permute({1, 2, 0});
    auto gate = torch::silu(torch::bmm(w0_, q));
    auto hidden = gate * torch::bmm(w2_, q); // expect: tensor-shape-mismatch
    return torch::bmm(w1_, hidden);
  }

private:
  int64_t n_heads_;
  torch::Tensor w0_, w1_, w2_;
  torch::nn::Linear to_q_{nullptr};
};

class FastWeightsFixedImpl : public torch::nn::Module {
public:
  FastWeightsFixedImpl(int64_t dim, int64_t n_heads) : n_heads_(n_heads) {
    const int64_t d_in = FastWeightOptions::head_dim, d_out = FastWeightOptions::head_dim;
    const int64_t d_h = FastWeightOptions::head_dim * FastWeightOptions::inter_multi;
    w0_ = register_parameter("w0", torch::randn({n_heads_, d_h, d_in}) / std::sqrt(double(d_in)));
    w1_ = register_parameter("w1", torch::randn({n_heads_, d_out, d_h}) / std::sqrt(double(d_h)));
    w2_ = register_parameter("w2", torch::randn({n_heads_, d_h, d_in}) / std::sqrt(double(d_in)));
    to_q_ = register_module("to_q", torch::nn::Linear(dim, n_heads_ * d_in));
  }

  torch::Tensor forward(const torch::Tensor &tokens) {
    const int64_t len = tokens.size(0);
    auto q = to_q_->forward(tokens).view({len, n_heads_, FastWeightOptions::head_dim}).permute({1, 2, 0});
    auto hidden = torch::silu(torch::bmm(w0_, q)) * torch::bmm(w2_, q);
    return torch::bmm(w1_, hidden);
  }

private:
  int64_t n_heads_;
  torch::Tensor w0_, w1_, w2_;
  torch::nn::Linear to_q_{nullptr};
};
} // namespace rows_of_the_gate

// https://github.com/NVIDIA/TransformerEngine/issues/1195
// q, k and v are splits of one fused qkv row, and the kernel walks them with the pitch of packed tensors.
namespace fused_rows {
// packed [seq, heads, dim] operands
static void attention_packed(const float *q, const float *k, const float *v, float *out, int64_t seq, int64_t q_heads, int64_t kv_heads,
                             int64_t dim) {
  const int64_t group = q_heads / kv_heads;
  std::vector<float> prob(seq);
  for (int64_t t = 0; t < seq; ++t) {
    for (int64_t h = 0; h < q_heads; ++h) {
      const float *qr = q + (t * q_heads + h) * dim;
      float total = 0.f;
      for (int64_t s = 0; s <= t; ++s) {
        const float *kr = k + (s * kv_heads + h / group) * dim;
        float dot = 0.f;
        for (int64_t d = 0; d < dim; ++d)
          dot += qr[d] * kr[d];
        prob[s] = std::exp(dot / std::sqrt(float(dim)));
        total += prob[s];
      }
      float *o = out + (t * q_heads + h) * dim;
      for (int64_t s = 0; s <= t; ++s) {
        const float *vr = v + (s * kv_heads + h / group) * dim;
        for (int64_t d = 0; d < dim; ++d)
          o[d] += prob[s] / total * vr[d];
      }
    }
  }
}

torch::Tensor compare_fused() {
  const int64_t seqlen = 2048, q_heads = 16, kv_heads = 1, kv_channels = 64;
  auto qkv = torch::randn({seqlen, q_heads + 2 * kv_heads, kv_channels});
  auto parts = qkv.split_with_sizes({q_heads, kv_heads, kv_heads}, 1);
  const auto &q = parts[0], &k = parts[1], &v = parts[2];

  auto out = torch::zeros({seqlen, q_heads, kv_channels});
  attention_packed(q.data_ptr<float>(), k.data_ptr<float>(), v.data_ptr<float>(), out.data_ptr<float>(), seqlen, q_heads, kv_heads, // also: tensor-raw-pointer-layout // also: tensor-raw-pointer-layout
                   kv_channels); // expect: tensor-raw-pointer-layout
  return out.reshape({seqlen, q_heads * kv_channels});
}

torch::Tensor compare_fused_packed() {
  const int64_t seqlen = 2048, q_heads = 16, kv_heads = 1, kv_channels = 64;
  auto qkv = torch::randn({seqlen, q_heads + 2 * kv_heads, kv_channels});
  auto parts = qkv.split_with_sizes({q_heads, kv_heads, kv_heads}, 1);
  auto q = parts[0].contiguous(), k = parts[1].contiguous(), v = parts[2].contiguous();

  auto out = torch::zeros({seqlen, q_heads, kv_channels});
  attention_packed(q.data_ptr<float>(), k.data_ptr<float>(), v.data_ptr<float>(), out.data_ptr<float>(), seqlen, q_heads, kv_heads, kv_channels);
  return out.reshape({seqlen, q_heads * kv_channels});
}
} // namespace fused_rows

// https://github.com/PaddlePaddle/Paddle/pull/72282
// The inverse transform drops its batch axis with squeeze_ on a second handle of the caller's buffer, which loses the axis too.
namespace axis_of_the_caller {
constexpr int64_t kSampleRate = 16000;
constexpr int64_t kHop = 160;

// overlap-add output is [1, samples]; the envelope is 1-D
static torch::Tensor normalise(const torch::Tensor &signal, const torch::Tensor &envelope) {
  torch::Tensor out = signal;
  out.squeeze_(0); // expect: tensor-shared-metadata
  return out / envelope.clamp_min(1e-8);
}

static torch::Tensor normalise_pure(const torch::Tensor &signal, const torch::Tensor &envelope) {
  torch::Tensor out = signal.squeeze(0);
  return out / envelope.clamp_min(1e-8);
}

class StreamingVocoder {
public:
  StreamingVocoder() : history_(torch::zeros({1, kHop * 4})), envelope_(torch::ones({kSampleRate})) {}

  // returns the finished samples and keeps the raw second behind the history
  torch::Tensor push() {
    auto second = torch::zeros({1, kSampleRate});
    for (int64_t f = 0; f < kSampleRate / kHop; ++f) {
      second.narrow(1, f * kHop, kHop).add_(torch::randn({1, kHop}));
    }
    auto finished = normalise(second, envelope_);
    auto joined = torch::cat({history_, second}, 1);
    history_ = joined.slice(1, joined.size(1) - kHop * 4).clone();
    return finished;
  }

  torch::Tensor push_pure() {
    auto second = torch::zeros({1, kSampleRate});
    for (int64_t f = 0; f < kSampleRate / kHop; ++f) {
      second.narrow(1, f * kHop, kHop).add_(torch::randn({1, kHop}));
    }
    auto finished = normalise_pure(second, envelope_);
    auto joined = torch::cat({history_, second}, 1);
    history_ = joined.slice(1, joined.size(1) - kHop * 4).clone();
    return finished;
  }

private:
  torch::Tensor history_, envelope_;
};
} // namespace axis_of_the_caller

// https://github.com/artyom-beilis/pytorch_dlprim/pull/66
// The in-place activation makes its own handle contiguous and writes there; a permuted argument of the caller keeps the old values.
namespace own_copy {
namespace ops {

static void hardswish_kernel(float *p, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    p[i] = p[i] * std::min(std::max(p[i] + 3.f, 0.f), 6.f) / 6.f;
  }
}

void hardswish_(torch::Tensor self) {
  self = self.contiguous(); // expect: tensor-lost-write
  hardswish_kernel(self.data_ptr<float>(), self.numel());
}

void hardswish_back_(torch::Tensor self) {
  auto dense = self.contiguous();
  hardswish_kernel(dense.data_ptr<float>(), dense.numel());
  if (!self.is_same(dense)) {
    self.copy_(dense);
  }
}

} // namespace ops

class NhwcStem {
public:
  explicit NhwcStem(int64_t channels) : channels_(channels), scale_(torch::ones({1, 8, 1, 1})) {}

  torch::Tensor run() const {
    auto nhwc = torch::rand({4, 32, 48, 8}) * 6 - 3;
    auto nchw = nhwc.permute({0, 3, 1, 2});
    ops::hardswish_(nchw);
    return (nchw * scale_).mean({2, 3});
  }

  torch::Tensor run_back() const {
    auto nhwc = torch::rand({4, 32, 48, 8}) * 6 - 3;
    auto nchw = nhwc.permute({0, 3, 1, 2});
    ops::hardswish_back_(nchw);
    return (nchw * scale_).mean({2, 3});
  }

private:
  int64_t channels_;
  torch::Tensor scale_;
};
} // namespace own_copy

// https://github.com/pytorch/pytorch/issues/149880
// from_blob is told that a std::array of the host lies on the GPU; it does not copy, it takes the address for device memory.
namespace host_array {
struct Normalisation {
  std::array<float, 3> mean{0.485f, 0.456f, 0.406f};
  std::array<float, 3> stddev{0.229f, 0.224f, 0.225f};
};

class GpuPreprocessor {
public:
  GpuPreprocessor(int64_t height, int64_t width) : height_(height), width_(width), device_(torch::kCUDA, 0) {}

  torch::Tensor operator()(const torch::Tensor &frame_u8) {
    auto img = upload(frame_u8);
    auto opts = torch::TensorOptions().dtype(torch::kFloat32).device(device_);
    auto mean = torch::from_blob(norm_.mean.data(), {3, 1, 1}, opts); // expect: tensor-from-blob-lifetime
    return ((img - mean) / 0.226).unsqueeze(0);
  }

  torch::Tensor normalised(const torch::Tensor &frame_u8) {
    auto img = upload(frame_u8);
    auto mean = torch::from_blob(norm_.mean.data(), {3, 1, 1}, torch::kFloat32).to(device_);
    auto stddev = torch::from_blob(norm_.stddev.data(), {3, 1, 1}, torch::kFloat32).to(device_);
    return ((img - mean) / stddev).unsqueeze(0);
  }

private:
  torch::Tensor upload(const torch::Tensor &frame_u8) const {
    TORCH_CHECK(frame_u8.dim() == 3 && frame_u8.size(0) == height_ && frame_u8.size(1) == width_);
    return frame_u8.to(device_).permute({2, 0, 1}).to(torch::kFloat32).div(255.0);
  }

  int64_t height_, width_;
  torch::Device device_;
  Normalisation norm_;
};
} // namespace host_array

// https://github.com/inclusionAI/cuLA/pull/86
// The sequence map is built on the host and its address goes to the kernel launch as it is; dtype and layout are checked, the device is not.
namespace host_map {
using stream_handle = struct CUstream_st *;

// kda_fwd.cu: launches kda_fwd_kernel<<<...>>>; every pointer is device memory
void launch_kda_fwd_kernel(float *out, const float *q, const float *k, const int32_t *cu_seqlens, const int32_t *seq_map, int num_seqs, int heads,
                           int dim, stream_handle stream);

struct ContextParallelPlan {
  std::vector<int32_t> chunk_of_sequence;
  std::vector<int32_t> raw_cu_seqlens;
};

static torch::Tensor host_ints(const std::vector<int32_t> &values) { return torch::tensor(values, torch::TensorOptions().dtype(torch::kInt32)); }

torch::Tensor kda_forward(const torch::Tensor &q, const torch::Tensor &k, const ContextParallelPlan &plan, stream_handle stream) {
  TORCH_CHECK(q.is_cuda() && k.is_cuda() && q.is_contiguous() && k.is_contiguous());
  auto seq_map = host_ints(plan.chunk_of_sequence);
  auto cu_seqlens = host_ints(plan.raw_cu_seqlens).to(q.device());
  TORCH_CHECK(seq_map.dtype() == torch::kInt32 && seq_map.is_contiguous(), "seq_map must be packed int32");

  auto out = torch::empty_like(q);
  launch_kda_fwd_kernel(out.data_ptr<float>(), q.data_ptr<float>(), k.data_ptr<float>(), cu_seqlens.data_ptr<int32_t>(),
                        seq_map.data_ptr<int32_t>(), // expect: tensor-device-mismatch
                        int(seq_map.size(0)), int(q.size(1)), int(q.size(2)), stream);
  return out;
}

torch::Tensor kda_forward_uploaded(const torch::Tensor &q, const torch::Tensor &k, const ContextParallelPlan &plan, stream_handle stream) {
  TORCH_CHECK(q.is_cuda() && k.is_cuda() && q.is_contiguous() && k.is_contiguous());
  auto seq_map = host_ints(plan.chunk_of_sequence).to(q.device());
  auto cu_seqlens = host_ints(plan.raw_cu_seqlens).to(q.device());
  TORCH_CHECK(seq_map.dtype() == torch::kInt32 && seq_map.is_contiguous(), "seq_map must be packed int32");

  auto out = torch::empty_like(q);
  launch_kda_fwd_kernel(out.data_ptr<float>(), q.data_ptr<float>(), k.data_ptr<float>(), cu_seqlens.data_ptr<int32_t>(), seq_map.data_ptr<int32_t>(),
                        int(seq_map.size(0)), int(q.size(1)), int(q.size(2)), stream);
  return out;
}
} // namespace host_map

// https://github.com/boschresearch/Continuous-Recurrent-Units/pull/4
// The statistics of an epoch sum the losses as tensors with their graphs, so that every batch of the epoch stays in memory.
namespace sums_of_an_epoch {
struct EpochStats {
  torch::Tensor log_lik = torch::zeros({});
  torch::Tensor mse = torch::zeros({});
  int64_t batches = 0;
};

class CruRegressorImpl : public torch::nn::Module {
public:
  CruRegressorImpl(int64_t in, int64_t hidden)
      : gru_(register_module("gru", torch::nn::GRU(torch::nn::GRUOptions(in, hidden).batch_first(true)))),
        head_(register_module("head", torch::nn::Linear(hidden, 2 * in))) {}

  torch::Tensor forward(const torch::Tensor &obs) { return head_->forward(std::get<0>(gru_->forward(obs))); }

private:
  torch::nn::GRU gru_;
  torch::nn::Linear head_;
};
TORCH_MODULE(CruRegressor);

static torch::Tensor gaussian_nll(const torch::Tensor &out, const torch::Tensor &target) {
  auto halves = out.chunk(2, -1);
  auto var = torch::softplus(halves[1]) + 1e-4;
  return ((target - halves[0]).pow(2) / var + var.log()).mean();
}

EpochStats train_epoch(CruRegressor &model, torch::optim::Optimizer &opt, const std::vector<torch::Tensor> &batches) {
  EpochStats stats;
  for (const auto &obs : batches) {
    opt.zero_grad();
    auto loss = gaussian_nll(model->forward(obs), obs);
    loss.backward();
    opt.step();
    stats.log_lik = stats.log_lik - loss; // expect: tensor-graph-retention
    ++stats.batches;
  }
  return stats;
}

EpochStats train_epoch_detached(CruRegressor &model, torch::optim::Optimizer &opt, const std::vector<torch::Tensor> &batches) {
  EpochStats stats;
  for (const auto &obs : batches) {
    opt.zero_grad();
    auto loss = gaussian_nll(model->forward(obs), obs);
    loss.backward();
    opt.step();
    stats.log_lik = stats.log_lik - loss.detach();
    ++stats.batches;
  }
  return stats;
}
} // namespace sums_of_an_epoch

// https://github.com/pytorch/pytorch/pull/168176
// The accuracy check of the benchmark runs the model on parameters that require gradients and records the whole graph for nothing.
namespace validation {
struct DenoiserImpl : torch::nn::Module {
  explicit DenoiserImpl(int64_t width) {
    in = register_module("in", torch::nn::Conv2d(torch::nn::Conv2dOptions(4, width, 3).padding(1)));
    mid = register_module("mid", torch::nn::Conv2d(torch::nn::Conv2dOptions(width, width, 3).padding(1)));
    out = register_module("out", torch::nn::Conv2d(torch::nn::Conv2dOptions(width, 4, 3).padding(1)));
  }
  torch::Tensor forward(torch::Tensor x) {
    x = torch::silu(in->forward(x));
    x = torch::silu(mid->forward(x)) + x;
    return out->forward(x);
  }
  torch::nn::Conv2d in{nullptr}, mid{nullptr}, out{nullptr};
};
TORCH_MODULE(Denoiser);

// largest deviation of the model from stored reference outputs
double validate_model(Denoiser &model, const std::vector<torch::Tensor> &latents, const std::vector<torch::Tensor> &reference) {
  model->eval();
  double worst = 0;
  for (size_t i = 0; i < latents.size(); ++i) {
    auto predicted = model->forward(latents[i]); // expect: tensor-missing-no-grad
    worst = std::max(worst, (predicted - reference[i]).abs().max().item<double>());
  }
  std::cout << "max deviation " << worst << '\n';
  return worst;
}

double validate_model_no_grad(Denoiser &model, const std::vector<torch::Tensor> &latents, const std::vector<torch::Tensor> &reference) {
  torch::NoGradGuard no_grad;
  model->eval();
  double worst = 0;
  for (size_t i = 0; i < latents.size(); ++i) {
    auto predicted = model->forward(latents[i]);
    worst = std::max(worst, (predicted - reference[i]).abs().max().item<double>());
  }
  std::cout << "max deviation " << worst << '\n';
  return worst;
}
} // namespace validation

// https://github.com/nerfstudio-project/gsplat/issues/764
// Packed colours are [nnz, C], so the leading dims taken from them are empty and the check of the backgrounds [cameras, C] always fails.
namespace packed_colors {
struct TileGrid {
  int64_t cameras, tile_h, tile_w;
};

static torch::Tensor isect_offsets(const TileGrid &g) { return torch::zeros({g.cameras, g.tile_h, g.tile_w}, torch::kInt32); }

torch::Tensor rasterize_to_pixels(const torch::Tensor &colors, const torch::Tensor &offsets, const torch::Tensor &backgrounds, int64_t tile_size) {
  const int64_t channels = colors.size(-1);
  auto shape = colors.sizes().slice(0, colors.dim() - 2).vec();
  shape.push_back(channels);
  TORCH_CHECK(backgrounds.sizes() == torch::IntArrayRef(shape), "backgrounds must be [..., C]");
  auto image = backgrounds.unsqueeze(-2).unsqueeze(-2);
  return image.expand({offsets.size(0), offsets.size(1) * tile_size, offsets.size(2) * tile_size, channels}).clone();
}

torch::Tensor rasterize_to_pixels_by_offsets(const torch::Tensor &colors, const torch::Tensor &offsets, const torch::Tensor &backgrounds,
                                             int64_t tile_size) {
  const int64_t channels = colors.size(-1);
  auto shape = offsets.sizes().slice(0, offsets.dim() - 2).vec();
  shape.push_back(channels);
  TORCH_CHECK(backgrounds.sizes() == torch::IntArrayRef(shape), "backgrounds must be [..., C]");
  auto image = backgrounds.unsqueeze(-2).unsqueeze(-2);
  return image.expand({offsets.size(0), offsets.size(1) * tile_size, offsets.size(2) * tile_size, channels}).clone();
}

torch::Tensor render_packed(int64_t nnz) {
  const TileGrid grid{1, 32, 32};
  auto colors = torch::rand({nnz, 3});
  auto background = torch::ones({grid.cameras, 3});
  return rasterize_to_pixels(colors, isect_offsets(grid), background, 16); // expect: tensor-shape-mismatch
}

torch::Tensor render_packed_fixed(int64_t nnz) {
  const TileGrid grid{1, 32, 32};
  auto colors = torch::rand({nnz, 3});
  auto background = torch::ones({grid.cameras, 3});
  return rasterize_to_pixels_by_offsets(colors, isect_offsets(grid), background, 16);
}
} // namespace packed_colors

// https://github.com/lotus-data/lotus/pull/16
// The embeddings of all batches are joined batch by batch, so each round copies everything gathered before.
namespace grown_matrix {
class TextEmbedderImpl : public torch::nn::Module {
public:
  TextEmbedderImpl(int64_t vocab, int64_t dim) : dim_(dim), table_(register_module("table", torch::nn::Embedding(vocab, dim))) {}

  torch::Tensor forward(const torch::Tensor &ids) {
    auto pooled = table_->forward(ids).mean(1);
    return torch::nn::functional::normalize(pooled);
  }
  int64_t dim() const { return dim_; }

private:
  int64_t dim_;
  torch::nn::Embedding table_;
};
TORCH_MODULE(TextEmbedder);

class CorpusIndex {
public:
  explicit CorpusIndex(TextEmbedder model, int64_t batch = 64) : model_(std::move(model)), batch_(batch) {}

  torch::Tensor embed(const torch::Tensor &token_ids) {
    torch::NoGradGuard no_grad;
    const int64_t docs = token_ids.size(0);
    auto all = torch::empty({0, model_->dim()});
    for (int64_t at = 0; at < docs; at += batch_) {
      auto ids = token_ids.slice(0, at, std::min(at + batch_, docs));
      all = torch::cat({all, model_->forward(ids)}, 0); // expect: tensor-hidden-copy
    }
    return all;
  }

  torch::Tensor embed_into(const torch::Tensor &token_ids) {
    torch::NoGradGuard no_grad;
    const int64_t docs = token_ids.size(0);
    auto all = torch::empty({docs, model_->dim()});
    for (int64_t at = 0; at < docs; at += batch_) {
      const int64_t end = std::min(at + batch_, docs);
      all.slice(0, at, end).copy_(model_->forward(token_ids.slice(0, at, end)));
    }
    return all;
  }

private:
  TextEmbedder model_;
  int64_t batch_;
};
} // namespace grown_matrix

// https://github.com/openvdb/fvdb-core/pull/708
// The intersection offsets come out of cumsum as int64, the tile loop still takes an int32 accessor.
namespace ends_of_rows {
struct TileRange {
  int64_t begin;
  int64_t end;
};

class TileIntersections {
public:
  TileIntersections(int64_t cameras, int64_t tiles_h, int64_t tiles_w)
      : tiles_per_camera_(tiles_h * tiles_w), counts_(torch::zeros({cameras * tiles_h * tiles_w}, torch::TensorOptions().dtype(torch::kInt32))) {}

  void add(int64_t camera, int64_t tile, int32_t n) {
    auto acc = counts_.accessor<int32_t, 1>();
    acc[camera * tiles_per_camera_ + tile] += n;
  }

  std::vector<TileRange> ranges() const {
    auto ends = torch::cumsum(counts_, 0);
    auto acc = ends.accessor<int32_t, 1>(); // expect: tensor-shape-mismatch
    std::vector<TileRange> out;
    out.reserve(ends.size(0));
    for (int64_t t = 0; t < ends.size(0); ++t) {
      out.push_back({t == 0 ? 0 : int64_t(acc[t - 1]), int64_t(acc[t])});
    }
    return out;
  }

  std::vector<TileRange> ranges64() const {
    auto ends = torch::cumsum(counts_, 0);
    auto acc = ends.accessor<int64_t, 1>();
    std::vector<TileRange> out;
    out.reserve(ends.size(0));
    for (int64_t t = 0; t < ends.size(0); ++t) {
      out.push_back({t == 0 ? 0 : acc[t - 1], acc[t]});
    }
    return out;
  }

private:
  int64_t tiles_per_camera_;
  torch::Tensor counts_;
};
} // namespace ends_of_rows

// https://github.com/ROCm/gsplat/pull/10
// With 81 cameras there are more than 2^31 tile intersections; their number is kept in an int32 field of the kernel arguments.
namespace many_tiles {
constexpr int64_t kCameras = 81;
constexpr int64_t kIsectsPerCamera = 32ll * 1024 * 1024;
constexpr int64_t kThreads = 256;

struct RasterArgs {
  const int32_t *flatten_ids = nullptr;
  int32_t n_isects = 0;
  int32_t tile_size = 16;
};

struct RasterArgs64 {
  const int32_t *flatten_ids = nullptr;
  int64_t n_isects = 0;
  int32_t tile_size = 16;
};

template <typename Args> static int64_t blocks_for(const Args &args) { return (int64_t(args.n_isects) + kThreads - 1) / kThreads; }

int64_t plan_rasterization() {
  auto flatten_ids = torch::empty({kCameras * kIsectsPerCamera}, torch::TensorOptions().dtype(torch::kInt32));
  RasterArgs args;
  args.flatten_ids = flatten_ids.data_ptr<int32_t>();
  args.n_isects = flatten_ids.numel(); // expect: tensor-raw-pointer-layout
  return blocks_for(args);
}

int64_t plan_rasterization64() {
  auto flatten_ids = torch::empty({kCameras * kIsectsPerCamera}, torch::TensorOptions().dtype(torch::kInt32));
  RasterArgs64 args;
  args.flatten_ids = flatten_ids.data_ptr<int32_t>();
  args.n_isects = flatten_ids.numel();
  return blocks_for(args);
}
} // namespace many_tiles

// https://github.com/PStelldinger/PuzzleBoard/pull/2
// A [E, 1] length mask (norm taken with keepdim) is multiplied with a [E] score vector, so every score is paired
// with every mask and an [E, E] matrix comes out instead of one masked score per edge.
namespace mask_of_edges {
struct EdgeTable {
  torch::Tensor from; // [E, 2] pixel coordinates
  torch::Tensor to;   // [E, 2]
};

static EdgeTable make_edges(const torch::Tensor &corners, const torch::Tensor &links) {
  const int64_t n_edges = links.size(0);
  auto a = corners.index_select(0, links.select(1, 0)).view({n_edges, 2});
  auto b = corners.index_select(0, links.select(1, 1)).view({n_edges, 2});
  return {a, b};
}

class OrthogonalEdgeFinder {
public:
  OrthogonalEdgeFinder(double min_len, double max_len) : min_len_(min_len), max_len_(max_len) {}

  // index of the edge that is most orthogonal to `dir` ([2], unit length) among those of a plausible length
  int64_t best(const EdgeTable &edges, const torch::Tensor &dir) const {
    auto delta = edges.to - edges.from;
    auto len = delta.norm(2, /*dim=*/1, /*keepdim=*/true);
    auto length_ok = len.gt(min_len_).logical_and(len.lt(max_len_));
    auto unit = delta / len.clamp_min(1e-6);
    auto score = 1.0 - unit.mv(dir).abs();
    auto masked = score * length_ok.to(torch::kFloat); // missed: tensor-shape-mismatch
    return masked.argmax(/*dim=*/0).max().item<int64_t>();
  }

  int64_t best_masked(const EdgeTable &edges, const torch::Tensor &dir) const {
    auto delta = edges.to - edges.from;
    auto len = delta.norm(2, /*dim=*/1, /*keepdim=*/true);
    auto length_ok = len.gt(min_len_).logical_and(len.lt(max_len_)).squeeze(1);
    auto unit = delta / len.clamp_min(1e-6);
    auto score = 1.0 - unit.mv(dir).abs();
    auto masked = score * length_ok.to(torch::kFloat);
    return masked.argmax(/*dim=*/0).item<int64_t>();
  }

private:
  double min_len_;
  double max_len_;
};

std::pair<int64_t, int64_t> probe_board(const torch::Tensor &corners, const torch::Tensor &links) {
  auto edges = make_edges(corners, links);
  OrthogonalEdgeFinder finder(4.0, 120.0);
  auto x_axis = torch::tensor({1.0f, 0.0f});
  return {finder.best(edges, x_axis), finder.best_masked(edges, x_axis)};
}
} // namespace mask_of_edges

// https://github.com/hyunwoongko/transformer/pull/40
// The padding mask is unsqueezed to [B, 1, T, 1], so it blanks whole query rows instead of the padded keys: every row
// of a padded token becomes -inf everywhere and the softmax turns it into NaN.
namespace padding_of_queries {
struct EncoderConfig {
  int64_t d_model = 256;
  int64_t n_heads = 8;
  int64_t pad_id = 1;
};

class SelfAttentionImpl : public torch::nn::Module {
public:
  explicit SelfAttentionImpl(const EncoderConfig &cfg)
      : heads_(cfg.n_heads), head_dim_(cfg.d_model / cfg.n_heads), pad_id_(cfg.pad_id),
        qkv_(register_module("qkv", torch::nn::Linear(cfg.d_model, 3 * cfg.d_model))),
        out_(register_module("out", torch::nn::Linear(cfg.d_model, cfg.d_model))) {}

  // x: [B, T, D], ids: [B, T] token ids, right padded with pad_id_
  torch::Tensor forward(const torch::Tensor &x, const torch::Tensor &ids) {
    const int64_t b = x.size(0), t = x.size(1);
    auto parts = qkv_->forward(x).view({b, t, 3, heads_, head_dim_}).permute({2, 0, 3, 1, 4});
    auto scores = torch::matmul(parts[0], parts[1].transpose(-2, -1)) / std::sqrt(double(head_dim_));
    auto is_pad = ids.eq(pad_id_).unsqueeze(1).unsqueeze(3);
    scores = scores.masked_fill(is_pad, -std::numeric_limits<float>::infinity()); // expect: tensor-value-domain
    auto weights = torch::softmax(scores, -1);
    return out_->forward(merge(torch::matmul(weights, parts[2])));
  }

  torch::Tensor forward_key_mask(const torch::Tensor &x, const torch::Tensor &ids) {
    const int64_t b = x.size(0), t = x.size(1);
    auto parts = qkv_->forward(x).view({b, t, 3, heads_, head_dim_}).permute({2, 0, 3, 1, 4});
    auto scores = torch::matmul(parts[0], parts[1].transpose(-2, -1)) / std::sqrt(double(head_dim_));
    auto is_pad = ids.eq(pad_id_).unsqueeze(1).unsqueeze(2);
    scores = scores.masked_fill(is_pad, -std::numeric_limits<float>::infinity());
    auto weights = torch::softmax(scores, -1);
    return out_->forward(merge(torch::matmul(weights, parts[2])));
  }

private:
  static torch::Tensor merge(const torch::Tensor &ctx) { return ctx.transpose(1, 2).flatten(2); }

  int64_t heads_;
  int64_t head_dim_;
  int64_t pad_id_;
  torch::nn::Linear qkv_;
  torch::nn::Linear out_;
};
TORCH_MODULE(SelfAttention);
} // namespace padding_of_queries

// https://github.com/tgale96/grouped_gemm/issues/36
// The grouped weight gradient is allocated with empty(), but an expert that received no token is skipped, so its slice
// is returned uninitialised (garbage or NaN).
namespace expert_without_tokens {
struct GroupedShape {
  int64_t experts;
  int64_t k;
  int64_t n;
};

class GroupedLinearGrad {
public:
  GroupedLinearGrad(int64_t experts, int64_t hidden, int64_t ffn) : shape_{experts, hidden, ffn} {}

  // x: [tokens, k], dy: [tokens, n], both sorted by expert; batch_sizes[e] tokens belong to expert e
  torch::Tensor weight_grad(const torch::Tensor &x, const torch::Tensor &dy, const std::vector<int64_t> &batch_sizes) const {
    auto dw = torch::empty({shape_.experts, shape_.k, shape_.n}, x.options()); // expect: tensor-uninitialized-read
    int64_t row = 0;
    for (int64_t e = 0; e < shape_.experts; ++e) {
      const int64_t count = batch_sizes[e];
      if (count == 0) {
        continue;
      }
      auto xe = x.narrow(0, row, count);
      auto ye = dy.narrow(0, row, count);
      dw.select(0, e).copy_(xe.t().mm(ye));
      row += count;
    }
    return dw;
  }

  torch::Tensor weight_grad_zeroed(const torch::Tensor &x, const torch::Tensor &dy, const std::vector<int64_t> &batch_sizes) const {
    auto dw = torch::empty({shape_.experts, shape_.k, shape_.n}, x.options());
    int64_t row = 0;
    for (int64_t e = 0; e < shape_.experts; ++e) {
      const int64_t count = batch_sizes[e];
      auto slot = dw.select(0, e);
      if (count == 0) {
        slot.zero_();
        continue;
      }
      slot.copy_(x.narrow(0, row, count).t().mm(dy.narrow(0, row, count)));
      row += count;
    }
    return dw;
  }

private:
  GroupedShape shape_;
};
} // namespace expert_without_tokens

// https://github.com/huggingface/lerobot/issues/3668
// The periodic evaluation switches the policy to eval mode and never back, so after the first evaluation the training
// loop goes on without dropout and with frozen batch-norm statistics.
namespace evaluated_for_good {
struct ChunkPolicyImpl : torch::nn::Module {
  ChunkPolicyImpl(int64_t obs, int64_t act) {
    in = register_module("in", torch::nn::Linear(obs, 256));
    bn = register_module("bn", torch::nn::BatchNorm1d(256));
    drop = register_module("drop", torch::nn::Dropout(0.1));
    head = register_module("head", torch::nn::Linear(256, act));
  }
  torch::Tensor forward(const torch::Tensor &x) { return head->forward(drop->forward(torch::relu(bn->forward(in->forward(x))))); }
  torch::nn::Linear in{nullptr}, head{nullptr};
  torch::nn::BatchNorm1d bn{nullptr};
  torch::nn::Dropout drop{nullptr};
};
TORCH_MODULE(ChunkPolicy);

struct Batch {
  torch::Tensor obs, action;
};

static double action_error(ChunkPolicy &policy, const std::vector<Batch> &held_out) {
  torch::NoGradGuard no_grad;
  double total = 0.0;
  for (const auto &b : held_out)
    total += torch::l1_loss(policy->forward(b.obs), b.action).item<double>();
  return total / static_cast<double>(held_out.size());
}

double fit(ChunkPolicy policy, const std::vector<Batch> &data, const std::vector<Batch> &held_out, int epochs) {
  torch::optim::AdamW opt(policy->parameters(), torch::optim::AdamWOptions(1e-4));
  double last = 0.0;
  policy->train();
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (const auto &b : data) {
      opt.zero_grad();
      torch::l1_loss(policy->forward(b.obs), b.action).backward();
      opt.step();
    }
    policy->eval(); // expect: tensor-missing-gradient
    last = action_error(policy, held_out);
  }
  return last;
}

double fit_restoring(ChunkPolicy policy, const std::vector<Batch> &data, const std::vector<Batch> &held_out, int epochs) {
  torch::optim::AdamW opt(policy->parameters(), torch::optim::AdamWOptions(1e-4));
  double last = 0.0;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    policy->train();
    for (const auto &b : data) {
      opt.zero_grad();
      torch::l1_loss(policy->forward(b.obs), b.action).backward();
      opt.step();
    }
    policy->eval();
    last = action_error(policy, held_out);
  }
  return last;
}
} // namespace evaluated_for_good

// https://github.com/gaozhihan/PreDiff/issues/32
// Gradient accumulation: zero_grad() is called for every micro batch while step() runs only every accum_ batches, so
// all gradients but those of the last micro batch are erased before they are used.
namespace zeroed_gradients {
struct VaeImpl : torch::nn::Module {
  VaeImpl(int64_t in, int64_t latent)
      : enc(register_module("enc", torch::nn::Linear(in, 2 * latent))), dec(register_module("dec", torch::nn::Linear(latent, in))) {}
  torch::Tensor loss(const torch::Tensor &x) {
    auto stats = enc->forward(x).chunk(2, 1);
    auto z = stats[0] + torch::randn_like(stats[0]) * (0.5 * stats[1]).exp();
    auto kl = -0.5 * (1 + stats[1] - stats[0].pow(2) - stats[1].exp()).sum(1).mean();
    return torch::mse_loss(dec->forward(z), x) + 1e-4 * kl;
  }
  torch::nn::Linear enc, dec;
};
TORCH_MODULE(Vae);

class VaeTrainer {
public:
  VaeTrainer(Vae vae, double lr, int accum) : vae_(std::move(vae)), opt_(vae_->parameters(), torch::optim::AdamOptions(lr)), accum_(accum) {}

  void run_epoch(const std::vector<torch::Tensor> &micro_batches) {
    int seen = 0;
    for (const auto &x : micro_batches) {
      opt_.zero_grad(); // expect: tensor-missing-gradient
      auto loss = vae_->loss(x) / accum_;
      loss.backward();
      if (++seen % accum_ == 0) {
        torch::nn::utils::clip_grad_norm_(vae_->parameters(), 1.0);
        opt_.step();
      }
    }
  }

  void run_epoch_accumulating(const std::vector<torch::Tensor> &micro_batches) {
    int seen = 0;
    opt_.zero_grad();
    for (const auto &x : micro_batches) {
      auto loss = vae_->loss(x) / accum_;
      loss.backward();
      if (++seen % accum_ == 0) {
        torch::nn::utils::clip_grad_norm_(vae_->parameters(), 1.0);
        opt_.step();
        opt_.zero_grad();
      }
    }
  }

private:
  Vae vae_;
  torch::optim::Adam opt_;
  int accum_;
};
} // namespace zeroed_gradients

// https://github.com/alibaba/AliceMind/issues/74
// The beam each candidate came from is computed with `/`, which is true division and yields floats; gather() needs an
// integer index tensor and throws.
namespace beam_parents {
struct BeamStep {
  torch::Tensor tokens;  // [B, K]
  torch::Tensor parents; // [B, K] beam each token extends
  torch::Tensor scores;  // [B, K]
};

class BeamSearcher {
public:
  BeamSearcher(int64_t beam, int64_t vocab) : beam_(beam), vocab_(vocab) {}

  // log_probs: [B * K, V]; scores, lengths: [B, K] of the running beams
  BeamStep advance(const torch::Tensor &log_probs, const torch::Tensor &scores, torch::Tensor &lengths) const {
    auto [best, flat] = expand(log_probs, scores);
    auto parents = flat / vocab_;
    auto tokens = flat.remainder(vocab_);
    lengths = lengths.gather(1, parents) + 1; // expect: tensor-shape-mismatch
    return {tokens, parents, best};
  }

  BeamStep advance_floor(const torch::Tensor &log_probs, const torch::Tensor &scores, torch::Tensor &lengths) const {
    auto [best, flat] = expand(log_probs, scores);
    auto parents = flat.div(vocab_, "floor");
    auto tokens = flat.remainder(vocab_);
    lengths = lengths.gather(1, parents) + 1;
    return {tokens, parents, best};
  }

private:
  std::tuple<torch::Tensor, torch::Tensor> expand(const torch::Tensor &log_probs, const torch::Tensor &scores) const {
    auto total = log_probs.view({-1, beam_, vocab_}) + scores.unsqueeze(2);
    return total.view({-1, beam_ * vocab_}).topk(beam_, /*dim=*/1);
  }

  int64_t beam_;
  int64_t vocab_;
};

std::vector<BeamStep> decode(const std::vector<torch::Tensor> &logits, int64_t batch) {
  const int64_t beam = 4, vocab = 21128;
  BeamSearcher search(beam, vocab);
  auto scores = torch::zeros({batch, beam});
  auto lengths = torch::zeros({batch, beam}, torch::kLong);
  std::vector<BeamStep> trace;
  for (const auto &l : logits) {
    auto lp = torch::log_softmax(l, -1);
    trace.push_back(trace.empty() ? search.advance(lp, scores, lengths) : search.advance_floor(lp, scores, lengths));
    scores = trace.back().scores;
  }
  return trace;
}
} // namespace beam_parents

// https://github.com/chojw/genb/issues/6
// The generator is stepped while its forward graph is still needed: the critic loss runs backward through the same
// prediction after Adam has rewritten the generator weights in place ("modified by an inplace operation").
namespace step_between {
namespace F = torch::nn::functional;

static torch::nn::Sequential mlp(int64_t in, int64_t hidden, int64_t out) {
  return torch::nn::Sequential(torch::nn::Linear(in, hidden), torch::nn::ReLU(), torch::nn::Linear(hidden, out));
}

class DebiasTrainer {
public:
  DebiasTrainer(int64_t feat, int64_t answers)
      : gen_(mlp(feat, 512, answers)), critic_(mlp(answers, 256, 1)), gen_opt_(gen_->parameters(), torch::optim::AdamOptions(1e-3)),
        critic_opt_(critic_->parameters(), torch::optim::AdamOptions(1e-3)) {}

  void step(const torch::Tensor &question, const torch::Tensor &answer, const torch::Tensor &real_pred) {
    gen_opt_.zero_grad();
    auto pred = gen_->forward(question);
    auto gen_loss = F::binary_cross_entropy_with_logits(pred, answer);
    gen_loss.backward({}, /*retain_graph=*/true);
    gen_opt_.step(); // expect: tensor-inplace-on-saved

    critic_opt_.zero_grad();
    auto critic_loss = critic_->forward(pred).mean() - critic_->forward(real_pred).mean();
    critic_loss.backward();
    critic_opt_.step();
  }

  void step_detached(const torch::Tensor &question, const torch::Tensor &answer, const torch::Tensor &real_pred) {
    gen_opt_.zero_grad();
    auto pred = gen_->forward(question);
    auto gen_loss = F::binary_cross_entropy_with_logits(pred, answer);
    gen_loss.backward();
    gen_opt_.step();

    critic_opt_.zero_grad();
    auto critic_loss = critic_->forward(pred.detach()).mean() - critic_->forward(real_pred).mean();
    critic_loss.backward();
    critic_opt_.step();
  }

private:
  torch::nn::Sequential gen_;
  torch::nn::Sequential critic_;
  torch::optim::Adam gen_opt_;
  torch::optim::Adam critic_opt_;
};

void train_round(const torch::Tensor &q, const torch::Tensor &a, const torch::Tensor &real_pred) {
  DebiasTrainer trainer(q.size(1), a.size(1));
  trainer.step(q, a, real_pred);
  trainer.step_detached(q, a, real_pred);
}
} // namespace step_between

// https://github.com/open-edge-platform/physical-ai-studio/issues/589
// The expert's position ids are made by assigning the tensor (same storage) and shifting it in place, so the shared
// position ids move again in every layer and all layers after the first rotate with wrong positions.
namespace shared_positions {
static torch::Tensor rotate(const torch::Tensor &x, const torch::Tensor &pos) {
  const int64_t half = x.size(-1) / 2;
  auto freq = torch::pow(10000.0, -torch::arange(half, torch::kFloat) / double(half));
  auto angle = (pos.to(torch::kFloat).unsqueeze(-1) * freq).unsqueeze(1); // [B, 1, T, half]
  auto a = x.narrow(-1, 0, half), b = x.narrow(-1, half, half);
  return torch::cat({a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin()}, -1);
}

struct LayerKeys {
  torch::Tensor vlm_q, vlm_k;       // [B, H, T, Dh]
  torch::Tensor expert_q, expert_k; // [B, H, T, Dh]
};

class ActionExpert {
public:
  ActionExpert(int64_t prefix_len, double scale) : prefix_len_(prefix_len), scale_(scale) {}

  // position_ids: [B, T], absolute positions that start at prefix_len_
  std::vector<torch::Tensor> scores(const std::vector<LayerKeys> &layers, torch::Tensor position_ids) const {
    std::vector<torch::Tensor> out;
    for (const auto &l : layers) {
      auto self_att = attend(rotate(l.vlm_q, position_ids), rotate(l.vlm_k, position_ids));
      auto expert_position_id = position_ids;
      expert_position_id -= prefix_len_; // missed: tensor-shared-metadata
      auto cross = attend(rotate(l.expert_q, expert_position_id), rotate(l.expert_k, expert_position_id));
      out.push_back(self_att + cross);
    }
    return out;
  }

  std::vector<torch::Tensor> scores_copied(const std::vector<LayerKeys> &layers, torch::Tensor position_ids) const {
    std::vector<torch::Tensor> out;
    for (const auto &l : layers) {
      auto self_att = attend(rotate(l.vlm_q, position_ids), rotate(l.vlm_k, position_ids));
      auto expert_position_id = position_ids.clone();
      expert_position_id -= prefix_len_;
      auto cross = attend(rotate(l.expert_q, expert_position_id), rotate(l.expert_k, expert_position_id));
      out.push_back(self_att + cross);
    }
    return out;
  }

private:
  torch::Tensor attend(const torch::Tensor &q, const torch::Tensor &k) const {
    return torch::softmax(torch::matmul(q, k.transpose(-2, -1)) * scale_, -1);
  }
  int64_t prefix_len_;
  double scale_;
};
} // namespace shared_positions

// https://github.com/ratschlab/DeepSpot2Cell/issues/2
// Predictions are appended to a member list for the epoch metrics without detach(), so the graph of every batch stays
// alive until the epoch ends and memory grows linearly.
namespace kept_predictions {
struct SpotBatch {
  torch::Tensor features; // [N, F]
  torch::Tensor targets;  // [N, G]
  torch::Tensor inside;   // [N] bool
};

class SpotTrainer {
public:
  SpotTrainer(int64_t features, int64_t genes, double lr)
      : net_(torch::nn::Linear(features, 512), torch::nn::GELU(), torch::nn::Linear(512, genes)),
        opt_(net_->parameters(), torch::optim::AdamOptions(lr)) {}

  void training_step(const SpotBatch &batch) {
    auto preds = net_->forward(batch.features);
    auto loss = torch::mse_loss(preds, batch.targets);
    update(loss);
    inside_preds_.push_back(preds.index({batch.inside})); // expect: tensor-graph-retention
    inside_targets_.push_back(batch.targets.index({batch.inside}));
  }

  void training_step_detached(const SpotBatch &batch) {
    auto preds = net_->forward(batch.features);
    auto loss = torch::mse_loss(preds, batch.targets);
    update(loss);
    inside_preds_.push_back(preds.index({batch.inside}).detach().cpu());
    inside_targets_.push_back(batch.targets.index({batch.inside}).cpu());
  }

  double end_epoch() {
    torch::NoGradGuard no_grad;
    auto p = torch::cat(inside_preds_), t = torch::cat(inside_targets_);
    inside_preds_.clear();
    inside_targets_.clear();
    return (p - t).abs().mean().item<double>();
  }

private:
  void update(torch::Tensor &loss) {
    opt_.zero_grad();
    loss.backward();
    opt_.step();
  }
  torch::nn::Sequential net_;
  torch::optim::Adam opt_;
  std::vector<torch::Tensor> inside_preds_;
  std::vector<torch::Tensor> inside_targets_;
};
} // namespace kept_predictions

// https://github.com/kornia/kornia-rs/issues/903
// The key and value caches grow by cat() in every decoding step, so each token reallocates and copies the whole cache
// instead of writing one row into a buffer that was allocated once.
namespace grown_cache {
class DecoderAttention {
public:
  DecoderAttention(int64_t dim, int64_t max_len)
      : wq_(torch::randn({dim, dim})), wk_(torch::randn({dim, dim})), wv_(torch::randn({dim, dim})), dim_(dim), max_len_(max_len) {}

  // prompt: [T, D], start: [1, D]; feeds the output back `steps` times
  torch::Tensor generate(const torch::Tensor &prompt, const torch::Tensor &start, int64_t steps) const {
    torch::NoGradGuard no_grad;
    auto k = prompt.mm(wk_);
    auto v = prompt.mm(wv_);
    auto x = start;
    for (int64_t i = 0; i < steps; ++i) {
      k = torch::cat({k, x.mm(wk_)}, 0); // expect: tensor-hidden-copy
      v = torch::cat({v, x.mm(wv_)}, 0); // also: tensor-hidden-copy
      x = attend(x, k, v);
    }
    return x;
  }

  torch::Tensor generate_preallocated(const torch::Tensor &prompt, const torch::Tensor &start, int64_t steps) const {
    torch::NoGradGuard no_grad;
    int64_t used = prompt.size(0);
    TORCH_CHECK(used + steps <= max_len_, "sequence too long");
    auto k = torch::zeros({max_len_, dim_}), v = torch::zeros({max_len_, dim_});
    k.narrow(0, 0, used).copy_(prompt.mm(wk_));
    v.narrow(0, 0, used).copy_(prompt.mm(wv_));
    auto x = start;
    for (int64_t i = 0; i < steps; ++i, ++used) {
      k.narrow(0, used, 1).copy_(x.mm(wk_));
      v.narrow(0, used, 1).copy_(x.mm(wv_));
      x = attend(x, k.narrow(0, 0, used + 1), v.narrow(0, 0, used + 1));
    }
    return x;
  }

private:
  torch::Tensor attend(const torch::Tensor &x, const torch::Tensor &k, const torch::Tensor &v) const {
    return torch::softmax(x.mm(wq_).mm(k.t()), -1).mm(v);
  }
  torch::Tensor wq_, wk_, wv_;
  int64_t dim_, max_len_;
};
} // namespace grown_cache

// https://github.com/ml-explore/mlx/pull/3692
// The radius is sqrt(x^2 + y^2) of offsets that start at zero; the clamp behind it fixes the value only, in backward
// sqrt(0) gives 0 * inf and all gradients become NaN.
namespace root_at_zero {
struct LensOptions {
  int64_t points = 64;
  double min_radius = 1e-10;
};

class LensFitImpl : public torch::nn::Module {
public:
  explicit LensFitImpl(const LensOptions &opt) : min_radius_(opt.min_radius) {
    offset_ = register_parameter("offset", torch::zeros({opt.points, 2}));
    k1_ = register_parameter("k1", torch::full({1}, 0.1));
  }

  torch::Tensor residual(const torch::Tensor &observed) const {
    auto x = offset_.select(1, 0), y = offset_.select(1, 1);
    auto rho = (x * x + y * y).sqrt(); // expect: tensor-value-domain
    auto rho_safe = rho.clamp_min(min_radius_);
    return distort(x, y, rho_safe) - observed;
  }

  torch::Tensor residual_guarded(const torch::Tensor &observed) const {
    auto x = offset_.select(1, 0), y = offset_.select(1, 1);
    auto rho_safe = (x * x + y * y).clamp_min(min_radius_ * min_radius_).sqrt();
    return distort(x, y, rho_safe) - observed;
  }

private:
  torch::Tensor distort(const torch::Tensor &x, const torch::Tensor &y, const torch::Tensor &rho) const {
    auto theta = rho.atan();
    auto scale = theta * (1.0 + k1_ * theta * theta) / rho;
    return torch::stack({x * scale, y * scale}, 1);
  }
  double min_radius_;
  torch::Tensor offset_, k1_;
};
TORCH_MODULE(LensFit);

void calibrate(const torch::Tensor &observed, int iterations, bool guarded) {
  LensFit fit{LensOptions{observed.size(0)}};
  torch::optim::Adam opt(fit->parameters(), torch::optim::AdamOptions(1e-2));
  for (int i = 0; i < iterations; ++i) {
    opt.zero_grad();
    auto r = guarded ? fit->residual_guarded(observed) : fit->residual(observed);
    r.square().sum().backward();
    opt.step();
  }
}
} // namespace root_at_zero

// https://github.com/meta-pytorch/torchrec/pull/4363
// The number of gradients that backward() returns is not the number of inputs of forward() (in C++ an undefined surplus
// is dropped, so here one is missing), and every backward pass throws "incorrect number of gradients".
namespace gradient_too_few {
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

static torch::Tensor local_shard(const torch::Tensor &full, int64_t world, int64_t rank) {
  const int64_t rows = full.size(0) / world;
  return full.narrow(0, rank * rows, rows).clone();
}

static torch::Tensor spread(const torch::Tensor &grad, int64_t world, bool average) {
  std::vector<torch::Tensor> copies(world, grad);
  auto full = torch::cat(copies, 0);
  return average ? full / static_cast<double>(world) : full;
}

struct ReduceScatterRows : public torch::autograd::Function<ReduceScatterRows> {
  static torch::Tensor forward(AutogradContext *ctx, const torch::Tensor &input, int64_t world, int64_t rank, std::string group,
                               bool gradient_division) {
    ctx->saved_data["world"] = world;
    ctx->saved_data["average"] = gradient_division;
    return local_shard(input, world, rank);
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto dx = spread(grads[0], ctx->saved_data["world"].toInt(), ctx->saved_data["average"].toBool());
    return {dx, torch::Tensor(), torch::Tensor(), torch::Tensor()}; // expect: tensor-missing-gradient
  }
};

struct ReduceScatterRowsFixed : public torch::autograd::Function<ReduceScatterRowsFixed> {
  static torch::Tensor forward(AutogradContext *ctx, const torch::Tensor &input, int64_t world, int64_t rank, std::string group,
                               bool gradient_division) {
    ctx->saved_data["world"] = world;
    ctx->saved_data["average"] = gradient_division;
    return local_shard(input, world, rank);
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto dx = spread(grads[0], ctx->saved_data["world"].toInt(), ctx->saved_data["average"].toBool());
    return {dx, torch::Tensor(), torch::Tensor(), torch::Tensor(), torch::Tensor()};
  }
};

torch::Tensor pooled_loss(const torch::Tensor &pooled, int64_t world, int64_t rank, bool fixed) {
  auto shard = fixed ? ReduceScatterRowsFixed::apply(pooled, world, rank, std::string("tp"), true)
                     : ReduceScatterRows::apply(pooled, world, rank, std::string("tp"), true);
  return shard.square().mean();
}
} // namespace gradient_too_few

// https://github.com/vllm-project/vllm/pull/49092
// reshape() of a column slice stays a strided view, but the quantiser reads its buffer linearly: row 0 is right, every
// further row is taken from the wrong memory.
namespace strided_rows {
static void quant_row(const float *src, int64_t cols, int8_t *dst, float *scale) {
  float top = 1e-8f;
  for (int64_t c = 0; c < cols; ++c) {
    top = std::max(top, std::fabs(src[c]));
  }
  *scale = top / 127.0f;
  for (int64_t c = 0; c < cols; ++c) {
    dst[c] = static_cast<int8_t>(std::lrintf(src[c] / *scale));
  }
}

class GatedMlpQuant {
public:
  explicit GatedMlpQuant(int64_t inter) : inter_(inter) {}

  // gate_up: [B, T, 2 * inter], contiguous output of the fused projection
  std::pair<torch::Tensor, torch::Tensor> quant_gate(const torch::Tensor &gate_up) const {
    auto gate = gate_up.narrow(-1, 0, inter_);
    auto rows2d = gate.reshape({-1, inter_});
    const int64_t rows = rows2d.size(0);
    auto q = torch::empty({rows, inter_}, torch::kChar);
    auto s = torch::empty({rows}, torch::kFloat);
    const float *src = rows2d.data_ptr<float>(); // missed: tensor-raw-pointer-layout
    for (int64_t r = 0; r < rows; ++r) {
      quant_row(src + r * inter_, inter_, q.data_ptr<int8_t>() + r * inter_, s.data_ptr<float>() + r);
    }
    return {q, s};
  }

  std::pair<torch::Tensor, torch::Tensor> quant_gate_dense(const torch::Tensor &gate_up) const {
    auto gate = gate_up.narrow(-1, 0, inter_);
    auto rows2d = gate.reshape({-1, inter_}).contiguous();
    const int64_t rows = rows2d.size(0);
    auto q = torch::empty({rows, inter_}, torch::kChar);
    auto s = torch::empty({rows}, torch::kFloat);
    const float *src = rows2d.data_ptr<float>();
    for (int64_t r = 0; r < rows; ++r) {
      quant_row(src + r * inter_, inter_, q.data_ptr<int8_t>() + r * inter_, s.data_ptr<float>() + r);
    }
    return {q, s};
  }

private:
  int64_t inter_;
};
} // namespace strided_rows

// https://github.com/llvm/torch-mlir/pull/4224
// An ArrayRef is assigned from a helper that returns a vector by value; the vector dies at the end of the statement and
// the shape that is used below points into freed memory.
namespace sizes_of_nobody {
static std::vector<int64_t> promoted_shape(const torch::Tensor &t) {
  auto shape = t.sizes().vec();
  if (shape.empty()) {
    shape.push_back(1);
  }
  return shape;
}

class IndexSelectLowering {
public:
  explicit IndexSelectLowering(int64_t dim) : dim_(dim) {}

  // index may be a 0-d tensor, in which case it selects one entry and the dimension is kept
  torch::Tensor lower(const torch::Tensor &input, const torch::Tensor &index) const {
    c10::IntArrayRef index_shape = index.sizes();
    if (index.dim() == 0) {
      index_shape = promoted_shape(index); // expect: tensor-dangling-data-pointer
    }
    auto flat = index.reshape(index_shape);
    return input.gather(dim_, widen(flat, input));
  }

  torch::Tensor lower_owned(const torch::Tensor &input, const torch::Tensor &index) const {
    std::vector<int64_t> index_shape = index.sizes().vec();
    if (index.dim() == 0) {
      index_shape = promoted_shape(index);
    }
    auto flat = index.reshape(index_shape);
    return input.gather(dim_, widen(flat, input));
  }

private:
  // [I] -> the shape of input with I in place of dim_
  torch::Tensor widen(const torch::Tensor &flat, const torch::Tensor &input) const {
    std::vector<int64_t> view(input.dim(), 1);
    view[dim_] = flat.numel();
    auto shape = input.sizes().vec();
    shape[dim_] = flat.numel();
    return flat.view(view).expand(shape);
  }

  int64_t dim_;
};
} // namespace sizes_of_nobody
