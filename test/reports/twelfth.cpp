// Reports that were rewritten before anything was done for them, the twelfth lot.
#include <algorithm>
#include <array>
#include <ATen/CPUGeneratorImpl.h>
#include <cmath>
#include <cstdint>
#include <deque>
#include <fstream>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <torch/script.h>
#include <torch/torch.h>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

// https://github.com/jingyaogong/minimind/issues/787
// The adapter takes its input width from weight.size(0) and its output width from weight.size(1), but a Linear weight is {out, in}, so every
// non-square projection fails in matmul.
namespace swapped_adapter {
namespace nn = torch::nn;

struct LowRankImpl : nn::Module {
    LowRankImpl(int64_t width_in, int64_t width_out, int64_t rank, double alpha)
        : scale(alpha / static_cast<double>(rank)) {
        down = register_module("down", nn::Linear(nn::LinearOptions(width_in, rank).bias(false)));
        up = register_module("up", nn::Linear(nn::LinearOptions(rank, width_out).bias(false)));
        nn::init::normal_(down->weight, 0.0, 0.02);
        nn::init::zeros_(up->weight);
    }

    torch::Tensor forward(const torch::Tensor& x) { return up(down(x)) * scale; }

    nn::Linear down{nullptr}, up{nullptr};
    double scale;
};
TORCH_MODULE(LowRank);

struct AdaptedLinearImpl : nn::Module {
    AdaptedLinearImpl(nn::Linear wrapped, int64_t rank, double alpha) {
        base = register_module("base", wrapped);
        base->weight.set_requires_grad(false);
        const torch::Tensor& w = base->weight;
        delta = register_module("delta", LowRank(w.size(0), w.size(1), rank, alpha)); // missed: tensor-shape-mismatch
    }

    torch::Tensor forward(const torch::Tensor& x) { return base(x) + delta(x); }

    nn::Linear base{nullptr};
    LowRank delta{nullptr};
};
TORCH_MODULE(AdaptedLinear);

struct LmHeadImpl : nn::Module {
    LmHeadImpl(nn::Linear wrapped, int64_t rank, double alpha) {
        base = register_module("base", wrapped);
        delta = register_module(
            "delta", LowRank(base->options.in_features(), base->options.out_features(), rank, alpha));
    }

    torch::Tensor forward(const torch::Tensor& x) { return base(x) + delta(x); }

    nn::Linear base{nullptr};
    LowRank delta{nullptr};
};
TORCH_MODULE(LmHead);

struct GatedFeedForwardImpl : nn::Module {
    GatedFeedForwardImpl(int64_t hidden, int64_t intermediate, int64_t rank, double alpha) {
        auto plain = [](int64_t i, int64_t o) { return nn::Linear(nn::LinearOptions(i, o).bias(false)); };
        gate = register_module("gate", AdaptedLinear(plain(hidden, intermediate), rank, alpha));
        lift = register_module("lift", AdaptedLinear(plain(hidden, intermediate), rank, alpha));
        drop = register_module("drop", AdaptedLinear(plain(intermediate, hidden), rank, alpha));
    }

    torch::Tensor forward(const torch::Tensor& x) { return drop(torch::silu(gate(x)) * lift(x)); }

    AdaptedLinear gate{nullptr}, lift{nullptr}, drop{nullptr};
};
TORCH_MODULE(GatedFeedForward);
} // namespace swapped_adapter

// https://github.com/bghira/SimpleTuner/pull/2777
// The joint sequence is split at residual.size(1), which for a {B, C, H, W} input is the number of channels and not the number of image tokens: both
// streams are cut at the wrong place.
namespace split_streams {
class JointAttention : public torch::nn::Module {
public:
    JointAttention(int64_t channels, int64_t heads)
        : heads_(heads),
          to_q_(register_module("to_q", torch::nn::Linear(channels, channels))),
          to_kv_(register_module("to_kv", torch::nn::Linear(channels, 2 * channels))),
          out_image_(register_module("out_image", torch::nn::Linear(channels, channels))),
          out_text_(register_module("out_text", torch::nn::Linear(channels, channels))) {
        TORCH_CHECK(channels % heads == 0, "channels must be divisible by the number of heads");
    }

    // image: {B, C, H, W}, text: {B, L, C}
    std::tuple<torch::Tensor, torch::Tensor> forward(const torch::Tensor& image, const torch::Tensor& text) {
        const torch::Tensor residual = image;
        const int64_t batch = image.size(0);
        const int64_t channels = image.size(1);
        const int64_t height = image.size(2);
        const int64_t width = image.size(3);

        auto tokens = image.flatten(2).transpose(1, 2);
        auto joint = attend(torch::cat({tokens, text}, 1));

        const int64_t n_image = residual.size(1); // missed: tensor-shape-mismatch
        auto image_out = out_image_(joint.slice(1, 0, n_image));
        auto text_out = out_text_(joint.slice(1, n_image));

        image_out = image_out.transpose(1, 2).reshape({batch, channels, height, width});
        return std::make_tuple(image_out + residual, text_out + text);
    }

    // image: {B, N, C}, text: {B, L, C}
    std::tuple<torch::Tensor, torch::Tensor> forward_tokens(const torch::Tensor& image, const torch::Tensor& text) {
        auto joint = attend(torch::cat({image, text}, 1));
        const int64_t n_image = image.size(1);
        return std::make_tuple(out_image_(joint.slice(1, 0, n_image)) + image,
                               out_text_(joint.slice(1, n_image)) + text);
    }

private:
    torch::Tensor split_heads(const torch::Tensor& x) const {
        return x.view({x.size(0), x.size(1), heads_, x.size(2) / heads_}).transpose(1, 2);
    }

    torch::Tensor attend(const torch::Tensor& x) {
        auto q = split_heads(to_q_(x));
        auto kv = to_kv_(x).chunk(2, -1);
        auto k = split_heads(kv[0]);
        auto v = split_heads(kv[1]);
        auto weights = torch::softmax(torch::matmul(q, k.transpose(-2, -1)) / std::sqrt(double(q.size(-1))), -1);
        return torch::matmul(weights, v).transpose(1, 2).reshape({x.size(0), x.size(1), x.size(2)});
    }

    int64_t heads_;
    torch::nn::Linear to_q_, to_kv_, out_image_, out_text_;
};
} // namespace split_streams

// https://github.com/1bit-MONSTER/1bit-MONSTER/pull/2479
// The pointer to a block of rows of the fused {out, in} weight is advanced by the row number instead of rows * in_features, so K and V are packed
// from the rows of Q.
namespace packed_rows {
struct AttnShape {
    int64_t hidden;
    int64_t n_heads;
    int64_t n_kv_heads;
    int64_t head_dim;

    int64_t q_rows() const { return n_heads * head_dim; }
    int64_t kv_rows() const { return n_kv_heads * head_dim; }
};

struct RowBlock {
    int64_t first;
    int64_t count;
};

// dst becomes the {in, out} image of `rows` consecutive rows that start at src
static void pack_transposed(const float* src, int64_t rows, int64_t cols, std::vector<float>& dst) {
    dst.resize(static_cast<size_t>(rows) * static_cast<size_t>(cols));
    for (int64_t o = 0; o < rows; ++o) {
        for (int64_t i = 0; i < cols; ++i) {
            dst[i * rows + o] = src[o * cols + i];
        }
    }
}

class EngineWeights {
public:
    explicit EngineWeights(const AttnShape& shape) : shape_(shape) {}

    void load_attention(const torch::Tensor& fused) {
        const int64_t expected = shape_.q_rows() + 2 * shape_.kv_rows();
        TORCH_CHECK(fused.dim() == 2 && fused.size(0) == expected && fused.size(1) == shape_.hidden,
                    "unexpected shape of the fused attention weight");
        const torch::Tensor w = fused.to(torch::kCPU, torch::kFloat32).contiguous();
        const float* base = w.data_ptr<float>();

        const RowBlock blocks[] = {
            {0, shape_.q_rows()},
            {shape_.q_rows(), shape_.kv_rows()},
            {shape_.q_rows() + shape_.kv_rows(), shape_.kv_rows()},
        };
        std::vector<float>* targets[] = {&q_, &k_, &v_};
        for (int n = 0; n < 3; ++n) {
            const float* src = base + blocks[n].first; // missed: tensor-raw-pointer-layout
            pack_transposed(src, blocks[n].count, shape_.hidden, *targets[n]);
        }
    }

    void load_gate_up(const torch::Tensor& fused) {
        TORCH_CHECK(fused.dim() == 2 && fused.size(0) % 2 == 0, "gate and up have the same number of rows");
        const torch::Tensor w = fused.to(torch::kCPU, torch::kFloat32).contiguous();
        const int64_t half = w.size(0) / 2;
        const int64_t cols = w.size(1);
        const float* base = w.data_ptr<float>();
        pack_transposed(base, half, cols, gate_);
        pack_transposed(base + half * cols, half, cols, up_);
    }

    const std::vector<float>& q() const { return q_; }
    const std::vector<float>& k() const { return k_; }
    const std::vector<float>& v() const { return v_; }

private:
    AttnShape shape_;
    std::vector<float> q_, k_, v_, gate_, up_;
};
} // namespace packed_rows

// https://github.com/Deep-Learning-Profiling-Tools/triton-viz/pull/370
// data_ptr() already points at the first element of a view, adding storage_offset() again shifts every registered address range of a slice past its
// memory.
namespace registered_ranges {
struct Segment {
    uintptr_t begin;
    uintptr_t end;  // one past the last byte
};

class AccessMap {
public:
    void track(const torch::Tensor& t) {
        if (t.numel() == 0) {
            return;
        }
        if (t.is_contiguous()) {
            const auto first = reinterpret_cast<uintptr_t>(t.data_ptr());
            segments_.push_back({first, first + static_cast<uintptr_t>(t.numel() * t.itemsize())});
            return;
        }
        track_rows(t);
    }

    // the whole allocation behind t, no matter which part of it t shows
    void track_storage(const torch::Tensor& t) {
        const auto first = reinterpret_cast<uintptr_t>(t.storage().data());
        segments_.push_back({first, first + static_cast<uintptr_t>(t.storage().nbytes())});
    }

    int64_t offset_in_storage(const torch::Tensor& t) const {
        return t.storage_offset() * static_cast<int64_t>(t.itemsize());
    }

    bool covers(uintptr_t address, size_t bytes) const {
        for (const auto& s : segments_) {
            if (address >= s.begin && address + bytes <= s.end) {
                return true;
            }
        }
        return false;
    }

private:
    void track_rows(const torch::Tensor& t) {
        const int64_t last = t.dim() - 1;
        const int64_t itemsize = static_cast<int64_t>(t.itemsize());
        const bool dense_rows = t.stride(last) == 1;
        const int64_t run = dense_rows ? t.size(last) : 1;
        const int64_t outer = t.numel() / run;

        for (int64_t n = 0; n < outer; ++n) {
            int64_t offset = t.storage_offset(); // missed: tensor-raw-pointer-layout
            int64_t rest = n;
            for (int64_t d = dense_rows ? last - 1 : last; d >= 0; --d) {
                offset += (rest % t.size(d)) * t.stride(d);
                rest /= t.size(d);
            }
            const auto begin = reinterpret_cast<uintptr_t>(t.data_ptr()) + static_cast<uintptr_t>(offset * itemsize);
            segments_.push_back({begin, begin + static_cast<uintptr_t>(run * itemsize)});
        }
    }

    std::vector<Segment> segments_;
};
} // namespace registered_ranges

// https://github.com/microsoft/unilm/pull/999
// The positional convolution saved its input for the weight gradient, and that same tensor is then changed in place by the residual add: backward
// throws.
namespace positional_residual {
struct EncoderConfig {
  int64_t embed_dim = 768;
  int64_t ffn_dim = 3072;
  int64_t heads = 12;
  int64_t conv_pos = 128;
  int64_t conv_groups = 16;
  int64_t layers = 12;
  double dropout = 0.1;
};

class ConvPositionImpl : public torch::nn::Module {
 public:
  explicit ConvPositionImpl(const EncoderConfig& c)
      : conv_(torch::nn::Conv1dOptions(c.embed_dim, c.embed_dim, c.conv_pos)
                  .padding(c.conv_pos / 2)
                  .groups(c.conv_groups)),
        trim_(c.conv_pos % 2 == 0) {
    register_module("conv", conv_);
  }

  torch::Tensor forward(const torch::Tensor& x) {
    auto y = conv_->forward(x);
    if (trim_) y = y.narrow(2, 0, y.size(2) - 1);
    return torch::gelu(y);
  }

 private:
  torch::nn::Conv1d conv_;
  bool trim_;
};
TORCH_MODULE(ConvPosition);

class SpeechEncoderImpl : public torch::nn::Module {
 public:
  explicit SpeechEncoderImpl(const EncoderConfig& c)
      : cfg_(c), proj_(c.embed_dim, c.embed_dim), pos_(c),
        norm_(torch::nn::LayerNormOptions({c.embed_dim})) {
    register_module("proj", proj_);
    register_module("pos", pos_);
    register_module("norm", norm_);
    for (int64_t i = 0; i < c.layers; ++i) {
      auto opts = torch::nn::TransformerEncoderLayerOptions(c.embed_dim, c.heads)
                      .dim_feedforward(c.ffn_dim)
                      .dropout(c.dropout);
      layers_->push_back(torch::nn::TransformerEncoderLayer(opts));
    }
    register_module("layers", layers_);
  }

  torch::Tensor forward(const torch::Tensor& features) {
    auto x = proj_->forward(features);
    auto pos = pos_->forward(x.transpose(1, 2)).transpose(1, 2);
    x += pos; // expect: tensor-inplace-on-saved
    x = norm_->forward(x);
    x = torch::dropout(x, cfg_.dropout, is_training());
    x = x.transpose(0, 1);
    for (auto& layer : *layers_) {
      x = layer->as<torch::nn::TransformerEncoderLayer>()->forward(x);
    }
    return x.transpose(0, 1);
  }

 private:
  EncoderConfig cfg_;
  torch::nn::Linear proj_;
  ConvPosition pos_;
  torch::nn::LayerNorm norm_;
  torch::nn::ModuleList layers_;
};
TORCH_MODULE(SpeechEncoder);

float train_step(SpeechEncoder& model, torch::optim::Optimizer& optim, const torch::Tensor& features,
                 const torch::Tensor& target) {
  model->train();
  optim.zero_grad();
  auto loss = torch::mse_loss(model->forward(features), target);
  loss.backward();
  optim.step();
  return loss.item<float>();
}
} // namespace positional_residual

// https://github.com/yihong-97/Source-free-IAPC/pull/6
// The per-pixel class probabilities are [b, h*w, c] and are viewed as [b, c, h, w] without moving the class axis first: the sizes fit, the values are
// scrambled.
namespace cluster_probability {
struct PrototypeConfig {
  int64_t num_classes = 19;
  int64_t feat_dim = 2048;
  double temperature = 1.0;
};

class PrototypeLabeler {
 public:
  PrototypeLabeler(PrototypeConfig cfg, torch::Tensor prototypes)
      : cfg_(cfg), prototypes_(std::move(prototypes)) {
    TORCH_CHECK(prototypes_.size(0) == cfg_.num_classes && prototypes_.size(1) == cfg_.feat_dim,
                "unexpected prototype bank");
  }

  torch::Tensor cluster_probability(const torch::Tensor& feat) const {
    const auto b = feat.size(0);
    const auto c = feat.size(1);
    const auto h = feat.size(2);
    const auto w = feat.size(3);
    auto pixels = feat.permute({0, 2, 3, 1}).reshape({b, h * w, c});
    auto bank = prototypes_.unsqueeze(0).expand({b, -1, -1});
    auto dist = torch::cdist(pixels, bank);
    auto prob = torch::softmax(-dist / cfg_.temperature, -1);
    return prob.view({b, cfg_.num_classes, h, w}); // missed: tensor-shape-mismatch
  }

  torch::Tensor rectify(const torch::Tensor& logits, const torch::Tensor& feat) const {
    auto prob = torch::softmax(logits, 1);
    auto weight = cluster_probability(feat);
    if (weight.size(2) != prob.size(2) || weight.size(3) != prob.size(3)) {
      namespace F = torch::nn::functional;
      weight = F::interpolate(weight, F::InterpolateFuncOptions()
                                          .size(std::vector<int64_t>{prob.size(2), prob.size(3)})
                                          .mode(torch::kBilinear)
                                          .align_corners(true));
    }
    auto joint = prob * weight;
    return joint / joint.sum(1, /*keepdim=*/true).clamp_min(1e-6);
  }

  void update(const torch::Tensor& feat, const torch::Tensor& labels, double momentum) {
    torch::NoGradGuard guard;
    auto pixels = feat.permute({0, 2, 3, 1}).reshape({-1, feat.size(1)});
    auto onehot = torch::one_hot(labels.reshape({-1}), cfg_.num_classes).to(pixels.scalar_type());
    auto sums = torch::matmul(onehot.t(), pixels);
    auto counts = onehot.sum(0).unsqueeze(1).clamp_min(1.0);
    prototypes_.mul_(momentum).add_(sums / counts, 1.0 - momentum);
  }

 private:
  PrototypeConfig cfg_;
  torch::Tensor prototypes_;
};

std::pair<torch::Tensor, torch::Tensor> pseudo_labels(const PrototypeLabeler& labeler,
                                                      const torch::Tensor& logits,
                                                      const torch::Tensor& feat, double threshold) {
  torch::NoGradGuard guard;
  auto [conf, label] = labeler.rectify(logits, feat).max(1);
  return {label.masked_fill(conf < threshold, 255), conf};
}
} // namespace cluster_probability

// https://github.com/embeddings-benchmark/mteb/pull/1378
// The image embeddings of a whole benchmark are collected without no_grad (the text ones are not): every batch keeps its graph and activations,
// memory runs out.
namespace benchmark_embeddings {
struct EmbedOptions {
  int64_t width = 512;
  int64_t image_channels = 3;
  int64_t patch = 16;
  int64_t vocab = 49408;
  int64_t batch_size = 64;
};

class DualEncoderImpl : public torch::nn::Module {
 public:
  explicit DualEncoderImpl(const EmbedOptions& o)
      : patch_(torch::nn::Conv2dOptions(o.image_channels, o.width, o.patch).stride(o.patch)),
        tokens_(o.vocab, o.width), image_proj_(o.width, o.width), text_proj_(o.width, o.width) {
    register_module("patch", patch_);
    register_module("tokens", tokens_);
    register_module("image_proj", image_proj_);
    register_module("text_proj", text_proj_);
  }

  torch::Tensor image(const torch::Tensor& pixels) {
    auto h = torch::gelu(patch_->forward(pixels)).flatten(2).mean(-1);
    return image_proj_->forward(h);
  }

  torch::Tensor text(const torch::Tensor& ids) {
    return text_proj_->forward(tokens_->forward(ids).mean(1));
  }

 private:
  torch::nn::Conv2d patch_;
  torch::nn::Embedding tokens_;
  torch::nn::Linear image_proj_, text_proj_;
};
TORCH_MODULE(DualEncoder);

class BenchmarkModel {
 public:
  BenchmarkModel(DualEncoder net, EmbedOptions opt, torch::Device device)
      : net_(std::move(net)), opt_(opt), device_(device) {
    net_->to(device_);
    net_->eval();
  }

  torch::Tensor text_embeddings(const torch::Tensor& ids) {
    torch::NoGradGuard no_grad;
    std::vector<torch::Tensor> all;
    for (int64_t i = 0; i < ids.size(0); i += opt_.batch_size) {
      auto part = ids.slice(0, i, i + opt_.batch_size).to(device_);
      all.push_back(net_->text(part));
    }
    return torch::cat(all, 0);
  }

  torch::Tensor image_embeddings(const torch::Tensor& images) {
    std::vector<torch::Tensor> all;
    for (int64_t i = 0; i < images.size(0); i += opt_.batch_size) {
      auto part = images.slice(0, i, i + opt_.batch_size).to(device_);
      all.push_back(net_->image(part)); // missed: tensor-missing-no-grad
    }
    return torch::cat(all, 0);
  }

  double retrieval_top1(const torch::Tensor& images, const torch::Tensor& ids) {
    auto im = torch::nn::functional::normalize(image_embeddings(images));
    auto tx = torch::nn::functional::normalize(text_embeddings(ids));
    auto best = torch::matmul(im, tx.t()).argmax(1);
    auto want = torch::arange(best.size(0), best.options());
    return best.eq(want).to(torch::kFloat32).mean().item<double>();
  }

 private:
  DualEncoder net_;
  EmbedOptions opt_;
  torch::Device device_;
};
} // namespace benchmark_embeddings

// https://github.com/recursionpharma/gflownet/issues/61
// The replay buffer keeps views of the rows of the batch's reward tensor; that tensor is then rescaled in place, so the stored rewards change with
// it.
namespace replayed_rewards {
struct Trajectory {
  std::vector<int64_t> actions;
  torch::Tensor flat_reward;
  double log_p = 0.0;
};

struct TrajectoryBatch {
  std::vector<std::vector<int64_t>> actions;
  torch::Tensor flat_rewards;
  torch::Tensor log_ps;
};

class TrajectoryReplay {
 public:
  explicit TrajectoryReplay(size_t capacity) : capacity_(capacity) {}

  void push(const TrajectoryBatch& batch) {
    auto rows = batch.flat_rewards.unbind(0);
    auto log_ps = batch.log_ps.detach().to(torch::kCPU, torch::kFloat64).contiguous();
    const double* lp = log_ps.data_ptr<double>();
    for (size_t i = 0; i < rows.size(); ++i) {
      if (items_.size() == capacity_) items_.pop_front();
      items_.push_back(Trajectory{batch.actions[i], rows[i], lp[i]});
    }
  }

  torch::Tensor sample_rewards(int64_t n) const {
    auto idx = torch::randint(static_cast<int64_t>(items_.size()), {n}, torch::kInt64);
    auto pick = idx.accessor<int64_t, 1>();
    std::vector<torch::Tensor> out;
    out.reserve(n);
    for (int64_t i = 0; i < n; ++i) out.push_back(items_[pick[i]].flat_reward);
    return torch::stack(out, 0);
  }

  size_t size() const { return items_.size(); }

 private:
  size_t capacity_;
  std::deque<Trajectory> items_;
};

class RewardTransform {
 public:
  RewardTransform(double beta, double floor) : beta_(beta), floor_(floor) {}

  torch::Tensor to_log_reward(const torch::Tensor& flat, const torch::Tensor& preferences) const {
    auto scalar = (flat * preferences).sum(-1);
    return scalar.clamp_min(floor_).log() * beta_;
  }

 private:
  double beta_;
  double floor_;
};

torch::Tensor balance_targets(TrajectoryReplay& replay, const RewardTransform& transform,
                              TrajectoryBatch& batch, const torch::Tensor& preferences) {
  torch::NoGradGuard guard;
  replay.push(batch);
  auto scale = batch.flat_rewards.amax(0, /*keepdim=*/true).clamp_min(1e-8);
  batch.flat_rewards.div_(scale); // missed: tensor-shared-metadata
  return transform.to_log_reward(batch.flat_rewards, preferences);
}

torch::Tensor normalized_rewards(const TrajectoryBatch& batch) {
  auto scale = batch.flat_rewards.amax(0, /*keepdim=*/true).clamp_min(1e-8);
  return batch.flat_rewards / scale;
}
} // namespace replayed_rewards

// https://github.com/Lliu666/MSHNet/issues/5
// The centre of the predicted mask is computed from the indices of the thresholded mask, which carry no gradient: the location term trains nothing.
namespace mask_centre {
struct LossConfig {
  double smooth = 1e-3;
  double location_weight = 1.0;
  int64_t warm_epochs = 5;
};

static torch::Tensor soft_iou(const torch::Tensor& prob, const torch::Tensor& target, double smooth) {
  auto inter = (prob * target).sum({1, 2, 3});
  auto total = prob.sum({1, 2, 3}) + target.sum({1, 2, 3});
  return 1.0 - ((inter + smooth) / (total - inter + smooth)).mean();
}

class ScaleLocationLoss {
 public:
  explicit ScaleLocationLoss(LossConfig cfg) : cfg_(cfg) {}

  torch::Tensor operator()(const torch::Tensor& logits, const torch::Tensor& target, int64_t epoch) const {
    auto prob = torch::sigmoid(logits);
    auto loss = soft_iou(prob, target, cfg_.smooth);
    if (epoch > cfg_.warm_epochs) loss = loss + cfg_.location_weight * location(prob, target);
    return loss;
  }

 private:
  static std::pair<torch::Tensor, torch::Tensor> centre(const torch::Tensor& mask) {
    auto idx = torch::nonzero(mask > 0.5).to(mask.scalar_type()); // missed: tensor-missing-gradient
    const auto n = std::max<int64_t>(idx.size(0), 1);
    return {idx.select(1, 1).sum() / n, idx.select(1, 2).sum() / n};
  }

  torch::Tensor location(const torch::Tensor& prob, const torch::Tensor& target) const {
    auto total = torch::zeros({}, prob.options());
    for (int64_t i = 0; i < prob.size(0); ++i) {
      auto [py, px] = centre(prob[i]);
      auto [ty, tx] = centre(target[i]);
      auto angle = (torch::atan(py / (px + cfg_.smooth)) - torch::atan(ty / (tx + cfg_.smooth))).square();
      auto pl = torch::sqrt(py.square() + px.square() + cfg_.smooth);
      auto tl = torch::sqrt(ty.square() + tx.square() + cfg_.smooth);
      total = total + 4.0 / (M_PI * M_PI) * angle + 1.0 - torch::min(pl, tl) / torch::max(pl, tl);
    }
    return total / prob.size(0);
  }

  LossConfig cfg_;
};

torch::Tensor soft_centre_row(const torch::Tensor& prob) {
  auto rows = torch::arange(prob.size(-2), prob.options()).view({-1, 1});
  return (prob * rows).sum({-2, -1}) / prob.sum({-2, -1}).clamp_min(1e-6);
}

double step(torch::nn::Sequential& net, torch::optim::Optimizer& opt, const ScaleLocationLoss& crit,
            const torch::Tensor& image, const torch::Tensor& target, int64_t epoch) {
  opt.zero_grad();
  auto loss = crit(net->forward(image), target, epoch);
  loss.backward();
  opt.step();
  return loss.item<double>();
}
} // namespace mask_centre

// https://github.com/lululxvi/deepxde/pull/1388
// The loss terms are read out with item() and put into a fresh tensor, which has no graph: backward() on the weighted sum throws and nothing is
// trained.
namespace weighted_terms {
using LossTerm = std::function<torch::Tensor(torch::nn::Sequential&, const torch::Tensor&)>;

static torch::Tensor heat_residual(torch::nn::Sequential& net, const torch::Tensor& xt) {
    auto input = xt.detach().clone().requires_grad_(true);
    auto u = net->forward(input);
    auto ones = torch::ones_like(u);
    auto first = torch::autograd::grad({u}, {input}, {ones}, true, true)[0];
    auto u_x = first.select(1, 0);
    auto u_t = first.select(1, 1);
    auto second = torch::autograd::grad({u_x}, {input}, {torch::ones_like(u_x)}, true, true)[0];
    return torch::mse_loss(u_t, second.select(1, 0));
}

class OperatorTrainer {
public:
    OperatorTrainer(int64_t width, std::vector<float> weights)
        : net_(torch::nn::Linear(2, width), torch::nn::Tanh(), torch::nn::Linear(width, width), torch::nn::Tanh(),
               torch::nn::Linear(width, 1)),
          optimizer_(net_->parameters(), torch::optim::AdamOptions(1e-3)),
          weights_(torch::tensor(weights)) {}

    void add_term(std::string name, LossTerm term) {
        names_.push_back(std::move(name));
        terms_.push_back(std::move(term));
    }

    double step(const std::vector<torch::Tensor>& points) {
        TORCH_CHECK(points.size() == terms_.size(), "one set of points for each loss term");
        optimizer_.zero_grad();
        std::vector<float> values;
        values.reserve(terms_.size());
        for (size_t n = 0; n < terms_.size(); ++n) {
            values.push_back(terms_[n](net_, points[n]).item<float>());
        }
        auto losses = torch::tensor(values); // missed: tensor-missing-gradient
        auto total = (losses * weights_).sum();
        total.backward();
        optimizer_.step();
        return total.item<double>();
    }

    double step_boundary(const torch::Tensor& points, const torch::Tensor& target) {
        optimizer_.zero_grad();
        std::vector<torch::Tensor> parts;
        parts.push_back(torch::mse_loss(net_->forward(points), target));
        parts.push_back(torch::l1_loss(net_->forward(points), target) * 0.1);
        auto total = torch::stack(parts).sum();
        total.backward();
        optimizer_.step();
        return total.item<double>();
    }

private:
    torch::nn::Sequential net_;
    torch::optim::Adam optimizer_;
    torch::Tensor weights_;
    std::vector<std::string> names_;
    std::vector<LossTerm> terms_;
};
} // namespace weighted_terms

// https://github.com/ByteDance-Seed/VeOmni/pull/747
// The image sizes lie on the GPU and every image of the loop fetches its row to the host, one synchronization per image instead of one for the whole
// table.
namespace fetched_rows {
class VisionPositions : public torch::nn::Module {
public:
    VisionPositions(int64_t side, int64_t dim, int64_t merge)
        : side_(side), dim_(dim), merge_(merge),
          table_(register_module("table", torch::nn::Embedding(side * side, dim))) {}

    // grid_thw: {n_images, 3} int64 on the device of the table
    torch::Tensor interpolate(const torch::Tensor& grid_thw) {
        const auto device = table_->weight.device();
        TORCH_CHECK(device.is_cuda() && grid_thw.device() == device, "grid sizes must be on the model's GPU");
        std::vector<torch::Tensor> out;
        out.reserve(static_cast<size_t>(grid_thw.size(0)));

        for (int64_t n = 0; n < grid_thw.size(0); ++n) {
            const auto row = grid_thw.select(0, n).cpu(); // missed: tensor-sync-in-loop
            const auto* thw = row.data_ptr<int64_t>();
            const int64_t t = thw[0], h = thw[1], w = thw[2];

            auto ys = torch::linspace(0, double(side_ - 1), h, table_->weight.options().requires_grad(false));
            auto xs = torch::linspace(0, double(side_ - 1), w, table_->weight.options().requires_grad(false));
            auto y0 = ys.to(torch::kInt64), x0 = xs.to(torch::kInt64);
            auto y1 = (y0 + 1).clamp_max(side_ - 1), x1 = (x0 + 1).clamp_max(side_ - 1);
            auto fy = (ys - y0).view({h, 1, 1}), fx = (xs - x0).view({1, w, 1});

            auto top = lookup(y0, x0) * (1 - fx) + lookup(y0, x1) * fx;
            auto bottom = lookup(y1, x0) * (1 - fx) + lookup(y1, x1) * fx;
            auto grid = top * (1 - fy) + bottom * fy;
            grid = grid.view({h / merge_, merge_, w / merge_, merge_, dim_}).permute({0, 2, 1, 3, 4});
            out.push_back(grid.reshape({1, h * w, dim_}).expand({t, h * w, dim_}).reshape({-1, dim_}));
        }
        return torch::cat(out, 0);
    }

    torch::Tensor rotary_ids(const torch::Tensor& grid_thw) const {
        const auto sizes = grid_thw.cpu();
        const auto acc = sizes.accessor<int64_t, 2>();
        std::vector<torch::Tensor> ids;
        for (int64_t n = 0; n < sizes.size(0); ++n) {
            const int64_t h = acc[n][1], w = acc[n][2];
            auto ys = torch::arange(h, grid_thw.options()).view({h, 1}).expand({h, w});
            auto xs = torch::arange(w, grid_thw.options()).view({1, w}).expand({h, w});
            ids.push_back(torch::stack({ys.reshape({-1}), xs.reshape({-1})}, 1).repeat({acc[n][0], 1}));
        }
        return torch::cat(ids, 0);
    }

private:
    torch::Tensor lookup(const torch::Tensor& y, const torch::Tensor& x) {
        return table_(y.view({-1, 1}) * side_ + x.view({1, -1}));
    }

    int64_t side_, dim_, merge_;
    torch::nn::Embedding table_;
};
} // namespace fetched_rows

// https://github.com/hpcaitech/Open-Sora/pull/638
// The spatial position table is built width-major but added to tokens that are ordered row by row (h, then w): it is wrong whenever the latent is not
// square.
namespace position_table {
struct VideoDitOptions {
  std::array<int64_t, 3> input_size{16, 32, 32};
  std::array<int64_t, 3> patch_size{1, 2, 2};
  int64_t hidden = 1152;
  int64_t in_channels = 4;
  double space_scale = 1.0;
};

static torch::Tensor sincos_1d(int64_t dim, const torch::Tensor& pos) {
  auto omega = torch::arange(dim / 2, torch::kFloat64) / (dim / 2.0);
  omega = torch::pow(10000.0, -omega);
  auto out = pos.reshape({-1, 1}) * omega.unsqueeze(0);
  return torch::cat({torch::sin(out), torch::cos(out)}, 1);
}

class VideoDitImpl : public torch::nn::Module {
 public:
  explicit VideoDitImpl(const VideoDitOptions& o)
      : opt_(o),
        embed_(torch::nn::Conv3dOptions(o.in_channels, o.hidden, {o.patch_size[0], o.patch_size[1], o.patch_size[2]})
                   .stride({o.patch_size[0], o.patch_size[1], o.patch_size[2]})) {
    for (size_t i = 0; i < 3; ++i) grid_[i] = o.input_size[i] / o.patch_size[i];
    register_module("embed", embed_);
    pos_embed_ = register_buffer("pos_embed", spatial_pos_embed());
    pos_embed_temporal_ = register_buffer("pos_embed_temporal", temporal_pos_embed());
  }

  torch::Tensor forward(const torch::Tensor& latent) {
    auto x = embed_->forward(latent);
    const auto b = x.size(0);
    const auto t = x.size(2);
    const auto s = x.size(3) * x.size(4);
    x = x.flatten(2).transpose(1, 2).reshape({b, t, s, opt_.hidden});
    x = x + pos_embed_.unsqueeze(1);
    x = x + pos_embed_temporal_.unsqueeze(2);
    return x.reshape({b, t * s, opt_.hidden});
  }

 private:
  torch::Tensor spatial_pos_embed() const {
    auto gh = torch::arange(grid_[1], torch::kFloat64) / opt_.space_scale;
    auto gw = torch::arange(grid_[2], torch::kFloat64) / opt_.space_scale;
    auto mesh = torch::meshgrid({gw, gh}, "ij"); // missed: tensor-shape-mismatch
    auto emb_w = sincos_1d(opt_.hidden / 2, mesh[0]);
    auto emb_h = sincos_1d(opt_.hidden / 2, mesh[1]);
    return torch::cat({emb_h, emb_w}, 1).to(torch::kFloat32).unsqueeze(0);
  }

  torch::Tensor temporal_pos_embed() const {
    auto pos = torch::arange(grid_[0], torch::kFloat64);
    return sincos_1d(opt_.hidden, pos).to(torch::kFloat32).unsqueeze(0);
  }

  VideoDitOptions opt_;
  std::array<int64_t, 3> grid_{};
  torch::nn::Conv3d embed_;
  torch::Tensor pos_embed_, pos_embed_temporal_;
};
TORCH_MODULE(VideoDit);
} // namespace position_table

// https://github.com/ROCm/aiter/pull/2358
// The transposed scale tensor lives only inside the if block, the argument struct keeps its pointer: the kernel launched afterwards reads freed
// memory.
namespace transposed_scale {
struct BlockscaleArgs {
  const void* a_ptr = nullptr;
  const void* b_ptr = nullptr;
  const float* aq_ptr = nullptr;
  const float* bq_ptr = nullptr;
  void* c_ptr = nullptr;
  int64_t m = 0, n = 0, k = 0;
  int64_t stride_aq = 0;
  int64_t stride_bq = 0;
};

struct BlockscaleConfig {
  int64_t block_k = 128;
  int64_t warps = 4;
  bool preshuffle_b = false;
};

void launch_blockscale_gemm(const BlockscaleArgs& args, const BlockscaleConfig& cfg);

static void check_inputs(const torch::Tensor& xq, const torch::Tensor& wq, const torch::Tensor& x_scale,
                         const BlockscaleConfig& cfg) {
  TORCH_CHECK(xq.dim() == 2 && wq.dim() == 2, "expected 2-d operands");
  TORCH_CHECK(xq.size(1) == wq.size(1), "inner dimensions differ");
  TORCH_CHECK(xq.is_contiguous() && wq.is_contiguous(), "operands must be contiguous");
  TORCH_CHECK(x_scale.size(0) == xq.size(0), "one scale row for each row of x");
  TORCH_CHECK(x_scale.size(1) == (xq.size(1) + cfg.block_k - 1) / cfg.block_k, "bad number of scale blocks");
}

torch::Tensor gemm_blockscale(const torch::Tensor& xq, const torch::Tensor& wq, const torch::Tensor& x_scale,
                              const torch::Tensor& w_scale, const BlockscaleConfig& cfg) {
  check_inputs(xq, wq, x_scale, cfg);
  auto out = torch::empty({xq.size(0), wq.size(0)}, xq.options().dtype(torch::kBFloat16));
  auto w_scale_c = w_scale.contiguous();
  auto x_scale_c = x_scale.contiguous();

  BlockscaleArgs args;
  args.a_ptr = xq.data_ptr();
  args.b_ptr = wq.data_ptr();
  args.bq_ptr = w_scale_c.data_ptr<float>();
  args.c_ptr = out.data_ptr();
  args.m = xq.size(0);
  args.n = wq.size(0);
  args.k = xq.size(1);
  args.stride_bq = w_scale_c.stride(0);

  if (cfg.warps == 8 || cfg.preshuffle_b) {
    auto x_scale_t = x_scale_c.t().contiguous();
    args.aq_ptr = x_scale_t.data_ptr<float>();
    args.stride_aq = x_scale_t.stride(0);
  } else {
    args.aq_ptr = x_scale_c.data_ptr<float>();
    args.stride_aq = x_scale_c.stride(0);
  }

  launch_blockscale_gemm(args, cfg); // expect: tensor-dangling-data-pointer
  return out;
}
} // namespace transposed_scale

// https://github.com/bytedeco/storch/pull/26
// The images of a batch are wrapped with from_blob around a buffer that ends with the function (the labels are cloned): the returned tensor holds
// corrupted data.
namespace image_batch {
struct ArchiveHeader {
  int64_t count = 0;
  int64_t channels = 0;
  int64_t height = 0;
  int64_t width = 0;

  int64_t image_size() const { return channels * height * width; }
};

class RecordArchive {
 public:
  explicit RecordArchive(const std::string& path) : file_(path, std::ios::binary) {
    if (!file_) throw std::runtime_error("cannot open " + path);
    file_.read(reinterpret_cast<char*>(&header_), sizeof(header_));
    data_start_ = file_.tellg();
  }

  const ArchiveHeader& header() const { return header_; }

  torch::Tensor read_labels(int64_t first, int64_t n) {
    std::vector<int64_t> labels(n);
    file_.seekg(data_start_ + static_cast<std::streamoff>(first * sizeof(int64_t)));
    file_.read(reinterpret_cast<char*>(labels.data()), n * sizeof(int64_t));
    return torch::from_blob(labels.data(), {n}, torch::kInt64).clone();
  }

  torch::Tensor read_images(int64_t first, int64_t n) {
    std::vector<float> pixels(n * header_.image_size());
    const auto skip = header_.count * sizeof(int64_t) + first * header_.image_size() * sizeof(float);
    file_.seekg(data_start_ + static_cast<std::streamoff>(skip));
    file_.read(reinterpret_cast<char*>(pixels.data()), pixels.size() * sizeof(float));
    return torch::from_blob(pixels.data(), {n, header_.channels, header_.height, header_.width}, torch::kFloat32); // expect: tensor-from-blob-lifetime
  }

 private:
  std::ifstream file_;
  ArchiveHeader header_;
  std::streamoff data_start_ = 0;
};

double epoch(RecordArchive& archive, torch::nn::Sequential& net, torch::optim::Optimizer& optim, int64_t batch) {
  double total = 0.0;
  int64_t steps = 0;
  for (int64_t i = 0; i + batch <= archive.header().count; i += batch, ++steps) {
    auto images = archive.read_images(i, batch);
    auto labels = archive.read_labels(i, batch);
    optim.zero_grad();
    auto loss = torch::nn::functional::cross_entropy(net->forward(images), labels);
    loss.backward();
    optim.step();
    total += loss.item<double>();
  }
  return steps > 0 ? total / steps : 0.0;
}
} // namespace image_batch

// https://github.com/openclimatefix/pvnet/issues/210
// Adapting the batch to one model writes into the tensors it got by const reference: the caller's batch is changed for all models that see it
// afterwards.
namespace adapted_batch {
using Batch = std::map<std::string, torch::Tensor>;

struct ModelInputs {
  std::vector<std::string> keys;
  int64_t nwp_size = 24;
  int64_t forecast_steps = 8;
  double capacity_scale = 1.0;
};

class SiteModelImpl : public torch::nn::Module {
 public:
  SiteModelImpl(int64_t features, ModelInputs in) : in_(std::move(in)), head_(features, in_.forecast_steps) {
    register_module("head", head_);
  }

  Batch adapt(const Batch& batch) const {
    Batch out;
    for (const auto& key : in_.keys) {
      auto it = batch.find(key);
      TORCH_CHECK(it != batch.end(), "missing input ", key);
      out[key] = it->second;
    }
    if (out.count("nwp")) out["nwp"] = centre_crop(out["nwp"], in_.nwp_size);
    if (out.count("capacity")) out["capacity"].div_(in_.capacity_scale); // missed: tensor-shared-metadata
    return out;
  }

  Batch shifted(const Batch& batch, double offset) const {
    Batch out = batch;
    for (auto& entry : out) entry.second = entry.second + offset;
    return out;
  }

  torch::Tensor forward(const Batch& batch) {
    auto adapted = adapt(batch);
    std::vector<torch::Tensor> flat;
    for (const auto& key : in_.keys) flat.push_back(adapted.at(key).flatten(1));
    return torch::relu(head_->forward(torch::cat(flat, 1)));
  }

 private:
  static torch::Tensor centre_crop(const torch::Tensor& x, int64_t size) {
    const auto top = (x.size(-2) - size) / 2;
    const auto left = (x.size(-1) - size) / 2;
    return x.narrow(-2, top, size).narrow(-1, left, size);
  }

  ModelInputs in_;
  torch::nn::Linear head_;
};
TORCH_MODULE(SiteModel);

std::vector<torch::Tensor> forecast_all(std::vector<SiteModel>& models, const Batch& batch) {
  torch::NoGradGuard guard;
  std::vector<torch::Tensor> out;
  out.reserve(models.size());
  for (auto& model : models) {
    model->eval();
    out.push_back(model->forward(batch));
  }
  return out;
}
} // namespace adapted_batch

// https://github.com/meta-pytorch/torchcodec/pull/1026
// A frame that is only read once, for the copy into the preallocated batch, is cloned first: one full frame copy and allocation per frame for
// nothing.
namespace decoded_frames {
struct StreamOptions {
  int64_t height = 0;
  int64_t width = 0;
  int64_t channels = 3;
  bool channels_first = true;
};

struct RawFrame {
  uint8_t* data = nullptr;
  int64_t pitch = 0;
  double pts = 0.0;
};

class FrameSource {
 public:
  virtual ~FrameSource() = default;
  virtual RawFrame frame_at(int64_t index) = 0;
  virtual int64_t size() const = 0;
};

class BatchDecoder {
 public:
  BatchDecoder(FrameSource& source, StreamOptions opt) : source_(source), opt_(opt) {}

  std::tuple<torch::Tensor, torch::Tensor> frames(const std::vector<int64_t>& indices) {
    const auto n = static_cast<int64_t>(indices.size());
    auto batch = torch::empty({n, opt_.height, opt_.width, opt_.channels}, torch::kUInt8);
    auto pts = torch::empty({n}, torch::kFloat64);
    auto pts_a = pts.accessor<double, 1>();
    for (int64_t i = 0; i < n; ++i) {
      check(indices[i]);
      RawFrame raw = source_.frame_at(indices[i]);
      auto frame = wrap(raw).clone(); // expect: tensor-redundant-clone
      batch[i].copy_(frame);
      pts_a[i] = raw.pts;
    }
    return std::make_tuple(layout(batch), pts);
  }

  torch::Tensor frame(int64_t index) {
    check(index);
    RawFrame raw = source_.frame_at(index);
    return layout(wrap(raw).clone());
  }

 private:
  void check(int64_t index) const {
    TORCH_CHECK(index >= 0 && index < source_.size(), "frame index ", index, " out of range");
  }

  torch::Tensor wrap(const RawFrame& raw) const {
    return torch::from_blob(raw.data, {opt_.height, opt_.width, opt_.channels}, {raw.pitch, opt_.channels, 1},
                            torch::kUInt8);
  }

  torch::Tensor layout(const torch::Tensor& hwc) const {
    return opt_.channels_first ? hwc.movedim(-1, -3) : hwc;
  }

  FrameSource& source_;
  StreamOptions opt_;
};
} // namespace decoded_frames

// https://github.com/anthonytorlucci/rlevo/issues/342
// The advantage recursion reads the done flag of step t+1 although the buffer stores the outcome of the transition out of step t, so bootstrapping is
// cut one step early and kept across the real episode end.
namespace done_flags {
struct PpoConfig {
  double gamma = 0.99;
  double gae_lambda = 0.95;
  bool normalize_advantage = true;
};

class RolloutBuffer {
 public:
  RolloutBuffer(int64_t horizon, int64_t num_envs, int64_t obs_dim)
      : horizon_(horizon),
        obs_(torch::zeros({horizon, num_envs, obs_dim})),
        rewards_(torch::zeros({horizon, num_envs})),
        values_(torch::zeros({horizon, num_envs})),
        dones_(torch::zeros({horizon, num_envs})) {}

  // Stores the observation together with what acting on it led to.
  void push(const torch::Tensor& obs, const torch::Tensor& value, const torch::Tensor& reward,
            const torch::Tensor& terminated) {
    TORCH_CHECK(cursor_ < horizon_, "rollout buffer is full");
    obs_[cursor_].copy_(obs);
    values_[cursor_].copy_(value);
    rewards_[cursor_].copy_(reward);
    dones_[cursor_].copy_(terminated);
    ++cursor_;
  }

  // Returns advantages and value targets, both [horizon, num_envs].
  std::pair<torch::Tensor, torch::Tensor> advantages(const torch::Tensor& last_value, const PpoConfig& cfg) const {
    torch::NoGradGuard no_grad;
    auto adv = torch::zeros_like(rewards_);
    auto running = torch::zeros_like(last_value);
    for (int64_t t = cursor_ - 1; t >= 0; --t) {
      const bool last = t == cursor_ - 1;
      auto next_value = last ? last_value : values_[t + 1];
      auto alive = 1.0 - (last ? dones_[t] : dones_[t + 1]); // missed: tensor-shape-mismatch
      auto delta = rewards_[t] + cfg.gamma * next_value * alive - values_[t];
      running = delta + cfg.gamma * cfg.gae_lambda * alive * running;
      adv[t].copy_(running);
    }
    auto targets = adv + values_;
    if (cfg.normalize_advantage) {
      adv = (adv - adv.mean()) / (adv.std() + 1e-8);
    }
    return {adv, targets};
  }

  // Plain discounted returns, used for the value warm-up.
  torch::Tensor discounted_returns(const torch::Tensor& last_value, const PpoConfig& cfg) const {
    torch::NoGradGuard no_grad;
    auto out = torch::zeros_like(rewards_);
    auto running = last_value.clone(); // also: tensor-redundant-clone
    for (int64_t t = cursor_ - 1; t >= 0; --t) {
      running = rewards_[t] + cfg.gamma * running * (1.0 - dones_[t]);
      out[t].copy_(running);
    }
    return out;
  }

  void clear() { cursor_ = 0; }

 private:
  int64_t horizon_;
  int64_t cursor_ = 0;
  torch::Tensor obs_;
  torch::Tensor rewards_;
  torch::Tensor values_;
  torch::Tensor dones_;
};
} // namespace done_flags

// https://github.com/HomebrewML/HeavyBall/issues/96
// The Frobenius norm of a stack of matrices is reduced without keepdim, so the [K] divisor broadcasts against the last axis: raises for K > 1, or
// scales columns when K equals the width.
namespace stacked_norm {
struct MuonConfig {
  double lr = 0.02;
  double momentum = 0.95;
  double eps = 1e-7;
  int64_t ns_steps = 5;
  bool nesterov = true;
};

// Orthogonalises a single matrix.
torch::Tensor orthogonalize_matrix(const torch::Tensor& grad, const MuonConfig& cfg) {
  TORCH_CHECK(grad.dim() == 2, "expected a matrix");
  auto x = grad / (grad.norm() + cfg.eps);
  for (int64_t i = 0; i < cfg.ns_steps; ++i) {
    auto a = x.matmul(x.t());
    x = 1.5 * x - 0.5 * a.matmul(x);
  }
  return x;
}

// Orthogonalises a stack of matrices [K, m, n] in one go.
torch::Tensor orthogonalize_stack(const torch::Tensor& grads, const MuonConfig& cfg) {
  TORCH_CHECK(grads.dim() == 3, "expected a stack of matrices");
  static constexpr std::array<double, 3> coeff = {3.4445, -4.7750, 2.0315};
  const bool tall = grads.size(-2) > grads.size(-1);
  auto x = tall ? grads.transpose(-2, -1) : grads;

  auto scale = x.square().sum(torch::IntArrayRef{-2, -1}).sqrt().clamp_min(cfg.eps);
  x = x / scale; // missed: tensor-shape-mismatch

  for (int64_t i = 0; i < cfg.ns_steps; ++i) {
    auto a = torch::matmul(x, x.transpose(-2, -1));
    auto b = coeff[1] * a + coeff[2] * torch::matmul(a, a);
    x = coeff[0] * x + torch::matmul(b, x);
  }
  return tall ? x.transpose(-2, -1) : x;
}

class StackedMuon {
 public:
  StackedMuon(std::vector<torch::Tensor> params, MuonConfig cfg) : params_(std::move(params)), cfg_(cfg) {
    for (const auto& p : params_) {
      momentum_.push_back(torch::zeros_like(p));
    }
  }

  void step() {
    torch::NoGradGuard no_grad;
    for (size_t i = 0; i < params_.size(); ++i) {
      auto& p = params_[i];
      if (!p.grad().defined()) {
        continue;
      }
      auto& buf = momentum_[i];
      buf.mul_(cfg_.momentum).add_(p.grad());
      auto update = cfg_.nesterov ? p.grad().add(buf, cfg_.momentum) : buf;
      auto direction = p.dim() == 3 ? orthogonalize_stack(update, cfg_) : orthogonalize_matrix(update, cfg_);
      p.add_(direction, -cfg_.lr);
    }
  }

 private:
  std::vector<torch::Tensor> params_;
  std::vector<torch::Tensor> momentum_;
  MuonConfig cfg_;
};
} // namespace stacked_norm

// https://github.com/logix-project/logix/pull/43
// squeeze() without a dimension also removes the test axis when the last test batch holds one sample, so concatenating the batches' influence scores
// fails.
namespace last_batch {
using ModuleGrads = std::unordered_map<std::string, torch::Tensor>;

struct InfluenceOptions {
  double damping = 1e-3;
  bool normalize = false;
};

class InfluenceAnalyzer {
 public:
  InfluenceAnalyzer(ModuleGrads train, InfluenceOptions opts) : train_(std::move(train)), opts_(opts) {}

  // train grads are [n_train, out, in], test grads are [n_test, out, in]; result [n_test, n_train].
  torch::Tensor cross(const ModuleGrads& test) const {
    torch::Tensor total;
    for (const auto& entry : test) {
      const auto& stored = train_.at(entry.first);
      auto g = precondition(entry.second);
      auto score = torch::matmul(g.flatten(1), stored.flatten(1).t());
      total = total.defined() ? total + score : score;
    }
    return total;
  }

  // <g_i, H^-1 g_i> per test example; result [n_test].
  torch::Tensor self(const ModuleGrads& test) const {
    torch::Tensor total;
    for (const auto& entry : test) {
      auto g = precondition(entry.second).flatten(1);
      auto raw = entry.second.flatten(1);
      auto module_influence = torch::bmm(g.unsqueeze(1), raw.unsqueeze(2)).squeeze(); // missed: tensor-shape-mismatch
      total = total.defined() ? total + module_influence : module_influence;
    }
    return total;
  }

  torch::Tensor cross_all(const std::vector<ModuleGrads>& batches) const {
    std::vector<torch::Tensor> rows;
    rows.reserve(batches.size());
    for (const auto& b : batches) {
      rows.push_back(cross(b));
    }
    return torch::cat(rows, 0);
  }

  torch::Tensor self_all(const std::vector<ModuleGrads>& batches) const {
    std::vector<torch::Tensor> rows;
    rows.reserve(batches.size());
    for (const auto& b : batches) {
      rows.push_back(self(b));
    }
    return torch::cat(rows, 0);
  }

 private:
  torch::Tensor precondition(const torch::Tensor& grad) const {
    auto g = grad / (grad.square().mean() + opts_.damping);
    if (opts_.normalize) {
      g = g / g.flatten(1).norm(2, 1).view({-1, 1, 1}).clamp_min(1e-12);
    }
    return g;
  }

  ModuleGrads train_;
  InfluenceOptions opts_;
};
} // namespace last_batch

// https://github.com/modelscope/DiffSynth-Studio/pull/1404
// Gradients are cleared at the start of every micro step, so with accumulation the optimizer only ever sees the last micro batch.
namespace accumulated_steps {
struct RunnerConfig {
  int64_t accumulation_steps = 1;
  double max_grad_norm = 1.0;
  int64_t log_every = 50;
};

struct LatentBatch {
  torch::Tensor latents;
  torch::Tensor context;
};

using LossFn = std::function<torch::Tensor(const LatentBatch&)>;

class DiffusionRunner {
 public:
  DiffusionRunner(std::vector<torch::Tensor> params, torch::optim::Optimizer& opt, RunnerConfig cfg)
      : params_(std::move(params)), opt_(opt), cfg_(cfg) {}

  double train_epoch(const std::vector<LatentBatch>& batches, const LossFn& loss_fn) {
    double running = 0.0;
    int64_t seen = 0;
    for (const auto& batch : batches) {
      opt_.zero_grad(); // expect: tensor-missing-gradient
      auto loss = loss_fn(batch);
      (loss / static_cast<double>(cfg_.accumulation_steps)).backward();
      running += loss.item<double>();
      ++seen;
      if (seen % cfg_.accumulation_steps == 0) {
        apply_update();
      }
    }
    return seen > 0 ? running / static_cast<double>(seen) : 0.0;
  }

  // Fits only the extra embedding rows; every batch is one update.
  double train_embeddings(const std::vector<LatentBatch>& batches, const LossFn& loss_fn) {
    double running = 0.0;
    for (const auto& batch : batches) {
      opt_.zero_grad();
      auto loss = loss_fn(batch);
      loss.backward();
      apply_update();
      running += loss.item<double>();
    }
    return batches.empty() ? 0.0 : running / static_cast<double>(batches.size());
  }

  double validate(const std::vector<LatentBatch>& batches, const LossFn& loss_fn) const {
    torch::NoGradGuard no_grad;
    double total = 0.0;
    for (const auto& batch : batches) {
      total += loss_fn(batch).item<double>();
    }
    return batches.empty() ? 0.0 : total / static_cast<double>(batches.size());
  }

  int64_t updates() const { return updates_; }

 private:
  void apply_update() {
    if (cfg_.max_grad_norm > 0) {
      torch::nn::utils::clip_grad_norm_(params_, cfg_.max_grad_norm);
    }
    opt_.step();
    ++updates_;
  }

  std::vector<torch::Tensor> params_;
  torch::optim::Optimizer& opt_;
  RunnerConfig cfg_;
  int64_t updates_ = 0;
};
} // namespace accumulated_steps

// https://github.com/flashinfer-ai/flashinfer/pull/3819
// The embedding is concatenated as [cos, sin] before flip_sin_to_cos swaps the halves, so the flip yields [sin, cos] and the time conditioning is
// scrambled.
namespace flipped_halves {
struct TimestepOptions {
  int64_t channels = 256;
  bool flip_sin_to_cos = true;
  double downscale_freq_shift = 0.0;
  double max_period = 10000.0;
};

static torch::Tensor inverse_frequencies(int64_t half, double shift, double max_period, const torch::Device& dev) {
  auto exponent = -std::log(max_period) * torch::arange(half, torch::dtype(torch::kFloat).device(dev));
  return torch::exp(exponent / (static_cast<double>(half) - shift));
}

class TimestepsImpl : public torch::nn::Module {
 public:
  explicit TimestepsImpl(const TimestepOptions& o) : o_(o) {}

  torch::Tensor forward(const torch::Tensor& timesteps) {
    const int64_t half = o_.channels / 2;
    auto freqs = inverse_frequencies(half, o_.downscale_freq_shift, o_.max_period, timesteps.device());
    auto args = timesteps.to(torch::kFloat).unsqueeze(-1) * freqs.unsqueeze(0);
    auto emb = torch::cat({torch::cos(args), torch::sin(args)}, -1); // missed: tensor-value-domain
    if (o_.flip_sin_to_cos) {
      emb = torch::cat({emb.slice(-1, half), emb.slice(-1, 0, half)}, -1);
    }
    if (o_.channels % 2 == 1) {
      emb = torch::constant_pad_nd(emb, {0, 1});
    }
    return emb;
  }

 private:
  TimestepOptions o_;
};
TORCH_MODULE(Timesteps);

class TimeConditionerImpl : public torch::nn::Module {
 public:
  TimeConditionerImpl(const TimestepOptions& o, int64_t width) : proj_(o) {
    register_module("proj", proj_);
    fc1_ = register_module("fc1", torch::nn::Linear(o.channels, width));
    fc2_ = register_module("fc2", torch::nn::Linear(width, width));
    mod_ = register_module("mod", torch::nn::Linear(width, 6 * width));
  }

  std::pair<torch::Tensor, torch::Tensor> forward(const torch::Tensor& t, torch::ScalarType compute_dtype) {
    auto e = proj_(t).to(compute_dtype);
    auto temb = fc2_(torch::silu(fc1_(e)));
    auto mod = mod_(torch::silu(temb)).unflatten(1, {6, temb.size(-1)});
    return {temb, mod};
  }

 private:
  Timesteps proj_;
  torch::nn::Linear fc1_{nullptr}, fc2_{nullptr}, mod_{nullptr};
};
TORCH_MODULE(TimeConditioner);

torch::Tensor sinusoidal_positions(int64_t length, int64_t dim, const torch::Device& dev) {
  auto freqs = inverse_frequencies(dim / 2, 0.0, 10000.0, dev);
  auto args = torch::arange(length, torch::dtype(torch::kFloat).device(dev)).unsqueeze(1) * freqs.unsqueeze(0);
  return torch::stack({torch::sin(args), torch::cos(args)}, -1).flatten(1);
}
} // namespace flipped_halves

// https://github.com/databricks/megablocks/pull/87
// For top-1 routing max(-1) drops the last dimension, so the following norm over dim -1 runs across tokens and the expert weights are normalised by
// the wrong sum.
namespace top_one {
struct MoeArgs {
  int64_t hidden_size = 1024;
  int64_t num_experts = 8;
  int64_t top_k = 1;
  double jitter_eps = 0.0;
  double normalize_p = 0.0;
};

class LearnedRouterImpl : public torch::nn::Module {
 public:
  explicit LearnedRouterImpl(const MoeArgs& args) : args_(args) {
    layer_ = register_module(
        "layer", torch::nn::Linear(torch::nn::LinearOptions(args.hidden_size, args.num_experts).bias(false)));
  }

  std::tuple<torch::Tensor, torch::Tensor, torch::Tensor> forward(torch::Tensor x) {
    if (is_training() && args_.jitter_eps > 0) x = x * jitter(x);
    auto scores = layer_(x.reshape({-1, x.size(-1)})).softmax(-1);
    torch::Tensor weights, indices;
    std::tie(weights, indices) = select(scores);
    if (args_.normalize_p > 0) {
      weights = weights / torch::norm(weights, args_.normalize_p, -1, /*keepdim=*/true);
    }
    return std::make_tuple(scores, weights.flatten(), indices.flatten());
  }

 private:
  torch::Tensor jitter(const torch::Tensor& x) const {
    const double low = 1.0 - args_.jitter_eps, high = 1.0 + args_.jitter_eps;
    return low + torch::rand_like(x) * (high - low);
  }

  std::tuple<torch::Tensor, torch::Tensor> select(const torch::Tensor& scores) const {
    if (args_.top_k == 1) {
      return scores.max(-1); // missed: tensor-shape-mismatch
    }
    return scores.topk(args_.top_k, -1);
  }

  MoeArgs args_;
  torch::nn::Linear layer_{nullptr};
};
TORCH_MODULE(LearnedRouter);

torch::Tensor load_balancing_loss(const torch::Tensor& scores, const torch::Tensor& indices, const MoeArgs& args) {
  auto counts = torch::bincount(indices, {}, args.num_experts).to(scores.scalar_type());
  auto fraction = counts / static_cast<double>(indices.numel());
  return args.num_experts * torch::dot(fraction, scores.mean(0));
}

torch::Tensor renormalised_topk(const torch::Tensor& scores, const MoeArgs& args) {
  torch::Tensor w, idx;
  std::tie(w, idx) = scores.topk(args.top_k, -1);
  return w / w.sum(-1, /*keepdim=*/true);
}
} // namespace top_one

// https://github.com/pytorch/pytorch/issues/114544
// The position indices are generated in the model's bfloat16, which cannot represent integers above 256, so neighbouring positions collapse onto the
// same value.
namespace coarse_rotations {
struct RotaryConfig {
  int64_t head_dim = 128;
  double base = 10000.0;
  int64_t max_positions = 4096;
};

class RotaryEmbeddingImpl : public torch::nn::Module {
 public:
  explicit RotaryEmbeddingImpl(const RotaryConfig& cfg) : cfg_(cfg) {
    auto i = torch::arange(0, cfg.head_dim, 2, torch::kFloat);
    inv_freq_ = torch::pow(cfg.base, -i / static_cast<double>(cfg.head_dim));
  }

  std::pair<torch::Tensor, torch::Tensor> forward(const torch::Tensor& q, const torch::Tensor& k, int64_t offset) {
    extend(offset + q.size(-2), q);
    auto cos = cos_.narrow(0, offset, q.size(-2));
    auto sin = sin_.narrow(0, offset, q.size(-2));
    return {rotate(q, cos, sin), rotate(k, cos, sin)};
  }

 private:
  void extend(int64_t length, const torch::Tensor& like) {
    const bool usable = cos_.defined() && cos_.scalar_type() == like.scalar_type() && cos_.device() == like.device();
    if (usable && cos_.size(0) >= length) return;
    const int64_t n = std::max(length, cfg_.max_positions);
    auto t = torch::arange(n, like.options()); // missed: tensor-value-domain
    auto freqs = torch::outer(t.to(torch::kFloat), inv_freq_.to(like.device()));
    auto emb = torch::cat({freqs, freqs}, -1);
    cos_ = emb.cos().to(like.scalar_type());
    sin_ = emb.sin().to(like.scalar_type());
  }

  static torch::Tensor rotate(const torch::Tensor& x, const torch::Tensor& cos, const torch::Tensor& sin) {
    auto halves = x.chunk(2, -1);
    auto turned = torch::cat({-halves[1], halves[0]}, -1);
    return x * cos + turned * sin;
  }

  RotaryConfig cfg_;
  torch::Tensor inv_freq_, cos_, sin_;
};
TORCH_MODULE(RotaryEmbedding);

torch::Tensor alibi_bias(int64_t heads, int64_t length, const torch::Tensor& like) {
  auto opts = torch::dtype(torch::kFloat).device(like.device());
  auto slopes = torch::pow(2.0, -8.0 * torch::arange(1, heads + 1, opts) / static_cast<double>(heads));
  auto pos = torch::arange(length, opts);
  auto distance = -(pos.unsqueeze(0) - pos.unsqueeze(1)).abs();
  return (slopes.view({heads, 1, 1}) * distance).to(like.scalar_type());
}

torch::Tensor attend(RotaryEmbedding& rope, const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                     int64_t offset) {
  auto qk = rope->forward(q.to(torch::kBFloat16), k.to(torch::kBFloat16), offset);
  auto scores = torch::matmul(qk.first, qk.second.transpose(-2, -1)).to(torch::kFloat);
  scores = scores / std::sqrt(static_cast<double>(q.size(-1)));
  return torch::matmul(scores.softmax(-1).to(torch::kBFloat16), v.to(torch::kBFloat16));
}
} // namespace coarse_rotations

// https://github.com/mlfoundations/open_clip/issues/1151
// argmax over an all-false comparison returns 0, so a text truncated before its end token is silently pooled at the start token.
namespace missing_end {
struct TextTowerConfig {
  int64_t vocab = 49408;
  int64_t width = 512;
  int64_t context = 77;
  int64_t eos_id = 49407;
  int64_t pad_id = 0;
  std::string pool = "eos";
};

torch::Tensor take_positions(const torch::Tensor& x, const torch::Tensor& idx) {
  auto rows = torch::arange(x.size(0), torch::dtype(torch::kLong).device(x.device()));
  return x.index({rows, idx});
}

class TextTowerImpl : public torch::nn::Module {
 public:
  explicit TextTowerImpl(const TextTowerConfig& cfg) : cfg_(cfg) {
    tok_ = register_module("tok", torch::nn::Embedding(cfg.vocab, cfg.width));
    pos_ = register_parameter("pos", torch::randn({cfg.context, cfg.width}) * 0.01);
    auto layer = torch::nn::TransformerEncoderLayer(torch::nn::TransformerEncoderLayerOptions(cfg.width, 8));
    body_ = register_module("body", torch::nn::TransformerEncoder(layer, 6));
    ln_ = register_module("ln", torch::nn::LayerNorm(torch::nn::LayerNormOptions({cfg.width})));
  }

  torch::Tensor clip_tokens(const torch::Tensor& ids) const {
    return ids.size(1) > cfg_.context ? ids.slice(1, 0, cfg_.context) : ids;
  }

  torch::Tensor forward(const torch::Tensor& raw_ids) {
    auto ids = clip_tokens(raw_ids);
    auto x = tok_(ids) + pos_.slice(0, 0, ids.size(1));
    x = body_(x.transpose(0, 1)).transpose(0, 1);
    return pool(ln_(x), ids);
  }

 private:
  torch::Tensor pool(const torch::Tensor& x, const torch::Tensor& ids) const {
    if (cfg_.pool == "first") return x.select(1, 0);
    if (cfg_.pool == "last") return last_token(x, ids);
    auto idx = ids.eq(cfg_.eos_id).to(torch::kInt).argmax(-1); // missed: tensor-value-domain
    return take_positions(x, idx);
  }

  torch::Tensor last_token(const torch::Tensor& x, const torch::Tensor& ids) const {
    auto real = ids.ne(cfg_.pad_id);
    TORCH_CHECK(real.any(-1).all().item<bool>(), "every text needs at least one token");
    auto pos = torch::arange(ids.size(1), ids.options());
    return take_positions(x, (real.to(torch::kLong) * pos).argmax(-1));
  }

  TextTowerConfig cfg_;
  torch::nn::Embedding tok_{nullptr};
  torch::Tensor pos_;
  torch::nn::TransformerEncoder body_{nullptr};
  torch::nn::LayerNorm ln_{nullptr};
};
TORCH_MODULE(TextTower);
} // namespace missing_end

// https://github.com/aidotse/LeakPro/issues/229
// The network already ends in a sigmoid but the handler trains it with BCEWithLogitsLoss, so the sigmoid is applied twice and the loss saturates.
namespace twice_probability {
struct TabularBatch {
  torch::Tensor numeric, categorical, label;
};

struct AdultConfig {
  int64_t n_numeric = 6;
  std::vector<int64_t> cardinalities;
  int64_t embed_dim = 8;
  int64_t hidden = 64;
  double dropout = 0.1;
};

class AdultNetImpl : public torch::nn::Module {
 public:
  explicit AdultNetImpl(const AdultConfig& c) {
    tables_ = register_module("tables", torch::nn::ModuleList());
    for (auto n : c.cardinalities) tables_->push_back(torch::nn::Embedding(n, c.embed_dim));
    const int64_t in = c.n_numeric + c.embed_dim * static_cast<int64_t>(c.cardinalities.size());
    fc1_ = register_module("fc1", torch::nn::Linear(in, c.hidden));
    fc2_ = register_module("fc2", torch::nn::Linear(c.hidden, 1));
    drop_ = register_module("drop", torch::nn::Dropout(c.dropout));
  }

  torch::Tensor forward(const TabularBatch& b) {
    std::vector<torch::Tensor> parts{b.numeric};
    for (size_t i = 0; i < tables_->size(); ++i) {
      parts.push_back(tables_->at<torch::nn::EmbeddingImpl>(i).forward(b.categorical.select(1, i)));
    }
    auto h = drop_(torch::relu(fc1_(torch::cat(parts, 1))));
    return torch::sigmoid(fc2_(h)).squeeze(1);
  }

 private:
  torch::nn::ModuleList tables_{nullptr};
  torch::nn::Linear fc1_{nullptr}, fc2_{nullptr};
  torch::nn::Dropout drop_{nullptr};
};
TORCH_MODULE(AdultNet);

class AdultHandler {
 public:
  explicit AdultHandler(AdultNet net) : net_(std::move(net)) {}

  double train_epoch(const std::vector<TabularBatch>& loader, torch::optim::Optimizer& opt) {
    net_->train();
    torch::nn::BCEWithLogitsLoss criterion;
    double total = 0;
    int64_t seen = 0;
    for (const auto& b : loader) {
      opt.zero_grad();
      auto loss = criterion(net_(b), b.label.to(torch::kFloat)); // expect: tensor-value-domain
      loss.backward();
      opt.step();
      total += loss.item<double>() * b.label.size(0);
      seen += b.label.size(0);
    }
    return seen ? total / seen : 0.0;
  }

  double accuracy(const std::vector<TabularBatch>& loader) {
    torch::NoGradGuard guard;
    net_->eval();
    int64_t hit = 0, seen = 0;
    for (const auto& b : loader) {
      hit += net_(b).gt(0.5).eq(b.label.gt(0)).sum().item<int64_t>();
      seen += b.label.size(0);
    }
    return seen ? static_cast<double>(hit) / seen : 0.0;
  }

 private:
  AdultNet net_;
};
} // namespace twice_probability

// https://github.com/Nerogar/OneTrainer/issues/775
// The pooled embeddings are stacked positive-first while the prompt embeddings and the guidance chunk are negative-first, so each half of the batch
// gets the other prompt's pooled vector.
namespace pooled_order {
struct PromptEncoding {
  torch::Tensor tokens;  // [1, n, c]
  torch::Tensor pooled;  // [1, p]
};

struct UNetCondition {
  torch::Tensor encoder_states, text_embeds, time_ids;
};

using UNetFn = std::function<torch::Tensor(const torch::Tensor&, const torch::Tensor&, const UNetCondition&)>;

struct SampleOptions {
  int64_t height = 1024, width = 1024, steps = 20;
  double cfg_scale = 7.0;
};

class XlSampler {
 public:
  XlSampler(UNetFn unet, torch::Tensor sigmas) : unet_(std::move(unet)), sigmas_(std::move(sigmas)) {}

  torch::Tensor sample(torch::Tensor latent, const PromptEncoding& pos, const PromptEncoding& neg,
                       const SampleOptions& o) const {
    torch::NoGradGuard guard;
    UNetCondition cond;
    cond.encoder_states = torch::cat({neg.tokens, pos.tokens}, 0);
    cond.text_embeds = torch::cat({pos.pooled, neg.pooled}, 0); // missed: tensor-value-domain
    cond.time_ids = size_ids(o, latent).repeat({2, 1});

    for (int64_t i = 0; i + 1 < sigmas_.size(0); ++i) {
      auto sigma = sigmas_[i];
      auto scaled = latent / torch::sqrt(sigma * sigma + 1.0);
      auto out = unet_(torch::cat({scaled, scaled}, 0), sigma, cond).chunk(2, 0);
      auto noise = out[0] + o.cfg_scale * (out[1] - out[0]);
      latent = latent + noise * (sigmas_[i + 1] - sigma);
    }
    return latent;
  }

  torch::Tensor refine(torch::Tensor latent, const PromptEncoding& pos, const PromptEncoding& neg,
                       const SampleOptions& o, int64_t start) const {
    torch::NoGradGuard guard;
    UNetCondition cond{torch::cat({neg.tokens, pos.tokens}), torch::cat({neg.pooled, pos.pooled}),
                       size_ids(o, latent).repeat({2, 1})};
    for (int64_t i = start; i + 1 < sigmas_.size(0); ++i) {
      auto sigma = sigmas_[i];
      auto scaled = latent / torch::sqrt(sigma * sigma + 1.0);
      auto out = unet_(scaled.repeat({2, 1, 1, 1}), sigma, cond).chunk(2, 0);
      latent = latent + torch::lerp(out[0], out[1], o.cfg_scale) * (sigmas_[i + 1] - sigma);
    }
    return latent;
  }

 private:
  static torch::Tensor size_ids(const SampleOptions& o, const torch::Tensor& like) {
    std::vector<int64_t> ids{o.height, o.width, 0, 0, o.height, o.width};
    return torch::tensor(ids, torch::kLong).to(like.options()).unsqueeze(0);
  }

  UNetFn unet_;
  torch::Tensor sigmas_;
};
} // namespace pooled_order

// https://github.com/Comfy-Org/ComfyUI/pull/13770
// The node seeds the process-wide generator to draw its noise, so every later random draw in the pipeline without its own generator is changed by it.
namespace global_seed {
class Node {
 public:
  virtual ~Node() = default;
  virtual torch::Tensor execute(const torch::Tensor& image) = 0;
  virtual std::string name() const = 0;
};

class ImageAddNoise : public Node {
 public:
  ImageAddNoise(uint64_t seed, double strength) : seed_(seed), strength_(strength) {}

  torch::Tensor execute(const torch::Tensor& image) override {
    torch::manual_seed(seed_); // missed: tensor-allocation-in-loop
    auto noise = torch::randn(image.sizes(), torch::kFloat);
    return (image + strength_ * noise.to(image.options())).clamp(0.0, 1.0);
  }
  std::string name() const override { return "ImageAddNoise"; }

 private:
  uint64_t seed_;
  double strength_;
};

class LatentNoise : public Node {
 public:
  explicit LatentNoise(uint64_t seed) : seed_(seed) {}

  torch::Tensor execute(const torch::Tensor& latent) override {
    auto gen = at::detail::createCPUGenerator(seed_);
    auto noise = torch::randn(latent.sizes(), gen, torch::TensorOptions().dtype(torch::kFloat));
    return latent + noise.to(latent.options());
  }
  std::string name() const override { return "LatentNoise"; }

 private:
  uint64_t seed_;
};

class VariationInject : public Node {
 public:
  explicit VariationInject(double amount) : amount_(amount) {}

  torch::Tensor execute(const torch::Tensor& latent) override {
    auto mixed = torch::lerp(latent, torch::randn_like(latent), amount_);
    return mixed * (latent.std() / mixed.std());
  }
  std::string name() const override { return "VariationInject"; }

 private:
  double amount_;
};

class Pipeline {
 public:
  void add(std::unique_ptr<Node> n) { nodes_.push_back(std::move(n)); }

  torch::Tensor run(torch::Tensor x, uint64_t pipeline_seed) {
    torch::NoGradGuard guard;
    torch::manual_seed(pipeline_seed);
    for (auto& n : nodes_) {
      x = n->execute(x);
      TORCH_CHECK(x.defined(), n->name(), " returned nothing");
    }
    return x;
  }

 private:
  std::vector<std::unique_ptr<Node>> nodes_;
};
} // namespace global_seed

// https://github.com/tenstorrent/tt-metal/issues/55438
// running_var is updated with the biased batch variance instead of the unbiased estimate, so it is too small by (m-1)/m and evaluation output is off
// for small batches.
namespace biased_variance {
struct NormOptions {
  int64_t channels = 0;
  double eps = 1e-5;
  double momentum = 0.1;
  bool affine = true;
};

static torch::Tensor per_channel(const torch::Tensor& v) { return v.view({1, -1, 1, 1}); }

class FusedBatchNormImpl : public torch::nn::Module {
 public:
  explicit FusedBatchNormImpl(const NormOptions& o) : o_(o) {
    running_mean_ = register_buffer("running_mean", torch::zeros({o.channels}));
    running_var_ = register_buffer("running_var", torch::ones({o.channels}));
    if (o.affine) {
      weight_ = register_parameter("weight", torch::ones({o.channels}));
      bias_ = register_parameter("bias", torch::zeros({o.channels}));
    }
  }

  torch::Tensor forward(const torch::Tensor& x) {
    TORCH_CHECK(x.dim() == 4 && x.size(1) == o_.channels, "expected [N, C, H, W]");
    torch::Tensor mean = running_mean_, var = running_var_;
    if (is_training()) {
      TORCH_CHECK(x.numel() / o_.channels > 1, "more than one value per channel needed");
      mean = x.mean({0, 2, 3});
      var = (x - per_channel(mean)).square().mean({0, 2, 3});
      track(mean.detach(), var.detach());
    }
    auto y = (x - per_channel(mean)) * torch::rsqrt(per_channel(var) + o_.eps);
    return o_.affine ? y * per_channel(weight_) + per_channel(bias_) : y;
  }

 private:
  void track(const torch::Tensor& mean, const torch::Tensor& var) {
    torch::NoGradGuard guard;
    running_mean_.mul_(1.0 - o_.momentum).add_(mean, o_.momentum);
    running_var_.mul_(1.0 - o_.momentum).add_(var, o_.momentum); // missed: tensor-value-domain
  }

  NormOptions o_;
  torch::Tensor running_mean_, running_var_, weight_, bias_;
};
TORCH_MODULE(FusedBatchNorm);

void recalibrate(const std::vector<torch::Tensor>& activations, torch::Tensor mean_out, torch::Tensor var_out) {
  torch::NoGradGuard guard;
  mean_out.zero_();
  var_out.zero_();
  for (const auto& a : activations) {
    mean_out.add_(a.mean({0, 2, 3}));
    var_out.add_(a.var({0, 2, 3}, /*unbiased=*/true));
  }
  const double n = static_cast<double>(activations.size());
  mean_out.div_(n);
  var_out.div_(n);
}
} // namespace biased_variance

// https://github.com/LCAV/LenslessPiCam/pull/173
// The integer brightness percentage is multiplied onto the uint8 image, which wraps modulo 256 before the division by 100.
namespace wrapped_brightness {
struct DisplayConfig {
  std::array<int64_t, 2> screen{1080, 1920};
  std::array<int64_t, 2> pad{0, 0};
  int64_t brightness = 100;
  bool flip_vertical = false;
  bool flip_horizontal = false;
};

class DisplayFormatter {
 public:
  explicit DisplayFormatter(DisplayConfig cfg) : cfg_(cfg) {}

  torch::Tensor operator()(const torch::Tensor& hwc_u8) const {
    TORCH_CHECK(hwc_u8.scalar_type() == torch::kUInt8 && hwc_u8.dim() == 3, "uint8 HWC image expected");
    auto img = fit(hwc_u8);
    if (cfg_.flip_vertical) img = img.flip({0});
    if (cfg_.flip_horizontal) img = img.flip({1});
    if (cfg_.brightness != 100) img = dim(img);
    return center(img);
  }

 private:
  torch::Tensor fit(const torch::Tensor& img) const {
    const double rh = static_cast<double>(cfg_.screen[0] - 2 * cfg_.pad[0]) / img.size(0);
    const double rw = static_cast<double>(cfg_.screen[1] - 2 * cfg_.pad[1]) / img.size(1);
    const double r = std::min(rh, rw);
    std::vector<int64_t> size{static_cast<int64_t>(img.size(0) * r), static_cast<int64_t>(img.size(1) * r)};
    auto chw = img.permute({2, 0, 1}).unsqueeze(0).to(torch::kFloat);
    auto resized = torch::nn::functional::interpolate(
        chw, torch::nn::functional::InterpolateFuncOptions().size(size).mode(torch::kBilinear).align_corners(false));
    return resized.squeeze(0).permute({1, 2, 0}).round().clamp(0, 255).to(torch::kUInt8);
  }

  torch::Tensor dim(const torch::Tensor& img) const {
    return (img * cfg_.brightness / 100).to(torch::kUInt8); // missed: tensor-value-domain
  }

  torch::Tensor center(const torch::Tensor& img) const {
    auto canvas = torch::zeros({cfg_.screen[0], cfg_.screen[1], img.size(2)}, img.options());
    const int64_t top = (cfg_.screen[0] - img.size(0)) / 2;
    const int64_t left = (cfg_.screen[1] - img.size(1)) / 2;
    canvas.narrow(0, top, img.size(0)).narrow(1, left, img.size(1)).copy_(img);
    return canvas;
  }

  DisplayConfig cfg_;
};

torch::Tensor apply_gain(const torch::Tensor& raw_u8, int64_t black_level, double gain) {
  auto f = raw_u8.to(torch::kFloat) - static_cast<double>(black_level);
  return (f * gain).clamp(0, 255).to(torch::kUInt8);
}
} // namespace wrapped_brightness

// https://github.com/Geekgineer/YOLOs-CPP/pull/122
// The segmentation path feeds the capture's BGR planes to a network trained on RGB, so red and blue are exchanged and the predictions degrade.
namespace captured_planes {
struct BgrFrame {
  uint8_t* data = nullptr;  // interleaved b, g, r
  int64_t height = 0, width = 0;
};

struct ModelMeta {
  int64_t input_h = 640, input_w = 640;
  std::vector<double> mean{0.485, 0.456, 0.406};
  std::vector<double> stdev{0.229, 0.224, 0.225};
};

class VisionModel {
 public:
  VisionModel(const std::string& path, ModelMeta meta, torch::Device dev) : meta_(std::move(meta)), dev_(dev) {
    net_ = torch::jit::load(path, dev);
    net_.eval();
    mean_ = torch::tensor(meta_.mean).to(torch::kFloat).view({1, 3, 1, 1}).to(dev);
    std_ = torch::tensor(meta_.stdev).to(torch::kFloat).view({1, 3, 1, 1}).to(dev);
  }

  torch::Tensor detect(const BgrFrame& f) {
    torch::InferenceMode guard;
    auto t = to_batch(f).flip({1});
    return net_.forward({resize_input(t)}).toTensor();
  }

  torch::Tensor segment(const BgrFrame& f) {
    torch::InferenceMode guard;
    auto t = to_batch(f); // missed: tensor-value-domain
    auto logits = net_.forward({(resize_input(t) - mean_) / std_}).toTensor();
    auto up = torch::nn::functional::interpolate(logits, torch::nn::functional::InterpolateFuncOptions()
                                                             .size(std::vector<int64_t>{f.height, f.width})
                                                             .mode(torch::kBilinear)
                                                             .align_corners(false));
    return up.argmax(1).squeeze(0).to(torch::kUInt8).cpu();
  }

 private:
  torch::Tensor to_batch(const BgrFrame& f) const {
    auto hwc = torch::from_blob(f.data, {f.height, f.width, 3}, torch::kUInt8);
    return hwc.permute({2, 0, 1}).unsqueeze(0).to(dev_, torch::kFloat).div(255.0);
  }

  torch::Tensor resize_input(const torch::Tensor& t) const {
    auto opts = torch::nn::functional::InterpolateFuncOptions()
                    .size(std::vector<int64_t>{meta_.input_h, meta_.input_w})
                    .mode(torch::kBilinear)
                    .align_corners(false);
    return torch::nn::functional::interpolate(t, opts);
  }

  ModelMeta meta_;
  torch::Device dev_;
  torch::jit::script::Module net_;
  torch::Tensor mean_, std_;
};
} // namespace captured_planes

// https://github.com/ultralytics/ultralytics/pull/24990
// The raw query-key product is formed in half precision before the scale is applied, so it exceeds 65504, becomes inf and the softmax turns it into
// NaN.
namespace late_scale {
struct AttentionOptions {
  int64_t dim = 256;
  int64_t num_heads = 8;
  double attn_ratio = 0.5;
};

class SpatialAttentionImpl : public torch::nn::Module {
 public:
  explicit SpatialAttentionImpl(const AttentionOptions& o)
      : heads_(o.num_heads), head_dim_(o.dim / o.num_heads) {
    key_dim_ = static_cast<int64_t>(head_dim_ * o.attn_ratio);
    scale_ = 1.0 / std::sqrt(static_cast<double>(key_dim_));
    const int64_t width = o.dim + 2 * key_dim_ * heads_;
    qkv_ = register_module("qkv", torch::nn::Conv2d(torch::nn::Conv2dOptions(o.dim, width, 1)));
    proj_ = register_module("proj", torch::nn::Conv2d(torch::nn::Conv2dOptions(o.dim, o.dim, 1)));
    pe_ = register_module(
        "pe", torch::nn::Conv2d(torch::nn::Conv2dOptions(o.dim, o.dim, 3).padding(1).groups(o.dim)));
  }

  torch::Tensor forward(const torch::Tensor& x) {
    const auto b = x.size(0), c = x.size(1), h = x.size(2), w = x.size(3);
    auto parts = qkv_(x)
                     .view({b, heads_, key_dim_ * 2 + head_dim_, h * w})
                     .split_with_sizes({key_dim_, key_dim_, head_dim_}, 2);
    auto& q = parts[0];
    auto& k = parts[1];
    auto& v = parts[2];
    auto attn = torch::matmul(q.transpose(-2, -1), k) * scale_; // missed: tensor-value-domain
    attn = attn.softmax(-1);
    auto out = torch::matmul(v, attn.transpose(-2, -1)).view({b, c, h, w});
    return proj_(out + pe_(v.reshape({b, c, h, w})));
  }

 private:
  int64_t heads_, head_dim_, key_dim_;
  double scale_;
  torch::nn::Conv2d qkv_{nullptr}, proj_{nullptr}, pe_{nullptr};
};
TORCH_MODULE(SpatialAttention);

class TextCrossAttentionImpl : public torch::nn::Module {
 public:
  TextCrossAttentionImpl(int64_t dim, int64_t ctx_dim, int64_t heads) : heads_(heads), head_dim_(dim / heads) {
    q_ = register_module("q", torch::nn::Linear(dim, dim));
    kv_ = register_module("kv", torch::nn::Linear(ctx_dim, 2 * dim));
  }

  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& text) {
    auto q = split(q_(x)) * std::pow(static_cast<double>(head_dim_), -0.5);
    auto kv = kv_(text).chunk(2, -1);
    auto w = torch::matmul(q, split(kv[0]).transpose(-2, -1)).softmax(-1);
    return torch::matmul(w, split(kv[1])).transpose(1, 2).flatten(2);
  }

 private:
  torch::Tensor split(const torch::Tensor& t) const {
    return t.view({t.size(0), t.size(1), heads_, head_dim_}).transpose(1, 2);
  }
  int64_t heads_, head_dim_;
  torch::nn::Linear q_{nullptr}, kv_{nullptr};
};
TORCH_MODULE(TextCrossAttention);

torch::Tensor run_half(SpatialAttention& block, const torch::Tensor& features) {
  torch::NoGradGuard guard;
  block->eval();
  block->to(torch::kCUDA, torch::kHalf);
  return block->forward(features.to(torch::kCUDA, torch::kHalf)).to(torch::kFloat);
}
} // namespace late_scale

// https://github.com/awslabs/graphstorm/issues/1366
// The gradient norm is clipped after the optimizer has already stepped, so max_grad_norm has no effect on the update.
namespace clipped_after {
struct TrainConfig {
  double lr = 1e-3;
  double weight_decay = 5e-4;
  double max_grad_norm = 1.0;
  int64_t epochs = 20;
};

struct NodeBatch {
  torch::Tensor feats, adj, labels;
};

struct EdgeBatch {
  torch::Tensor feats, adj, src, dst, labels;
};

class GraphEncoderImpl : public torch::nn::Module {
 public:
  GraphEncoderImpl(int64_t in, int64_t hidden, int64_t out) {
    l1_ = register_module("l1", torch::nn::Linear(in, hidden));
    l2_ = register_module("l2", torch::nn::Linear(hidden, out));
  }
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& adj) {
    auto h = torch::relu(torch::matmul(adj, l1_(x)));
    return torch::matmul(adj, l2_(h));
  }

 private:
  torch::nn::Linear l1_{nullptr}, l2_{nullptr};
};
TORCH_MODULE(GraphEncoder);

class Trainer {
 public:
  Trainer(GraphEncoder model, const TrainConfig& cfg)
      : cfg_(cfg),
        model_(std::move(model)),
        opt_(model_->parameters(), torch::optim::AdamOptions(cfg.lr).weight_decay(cfg.weight_decay)) {}

  double fit_edges(const std::vector<EdgeBatch>& loader) {
    model_->train();
    double total = 0.0;
    for (const auto& b : loader) {
      auto h = model_(b.feats, b.adj);
      auto score = (h.index_select(0, b.src) * h.index_select(0, b.dst)).sum(-1);
      auto loss = torch::binary_cross_entropy_with_logits(score, b.labels);
      opt_.zero_grad();
      loss.backward();
      if (cfg_.max_grad_norm > 0) torch::nn::utils::clip_grad_norm_(model_->parameters(), cfg_.max_grad_norm);
      opt_.step();
      total += loss.item<double>();
    }
    return loader.empty() ? 0.0 : total / static_cast<double>(loader.size());
  }

  double fit_nodes(const std::vector<NodeBatch>& loader) {
    model_->train();
    double total = 0.0;
    for (const auto& b : loader) {
      auto logits = model_(b.feats, b.adj);
      auto loss = torch::nn::functional::cross_entropy(logits, b.labels);
      opt_.zero_grad();
      loss.backward();
      opt_.step();
      if (cfg_.max_grad_norm > 0) {
        torch::nn::utils::clip_grad_norm_(model_->parameters(), cfg_.max_grad_norm); // expect: tensor-missing-gradient
      }
      total += loss.item<double>();
    }
    return loader.empty() ? 0.0 : total / static_cast<double>(loader.size());
  }

 private:
  TrainConfig cfg_;
  GraphEncoder model_;
  torch::optim::Adam opt_;
};

void train(Trainer& t, const TrainConfig& cfg, const std::vector<NodeBatch>& nodes) {
  for (int64_t e = 0; e < cfg.epochs; ++e) std::cout << "epoch " << e << " loss " << t.fit_nodes(nodes) << '\n';
}
} // namespace clipped_after

// https://github.com/StarlightSearch/EmbedAnything/issues/210
// Mean pooling divides every row by the number of real tokens in the whole batch instead of its own count, so embeddings shrink by a batch-dependent
// factor.
namespace counted_tokens {
enum class PoolKind { Cls, Mean, Max, LastToken };

struct EncoderOutput {
  torch::Tensor hidden;          // [batch, tokens, dim]
  torch::Tensor attention_mask;  // [batch, tokens], 1 = token, 0 = padding
};

class Pooler {
 public:
  Pooler(PoolKind kind, bool unit_length) : kind_(kind), unit_length_(unit_length) {}

  static PoolKind parse(const std::string& name) {
    if (name == "cls") return PoolKind::Cls;
    if (name == "mean") return PoolKind::Mean;
    if (name == "max") return PoolKind::Max;
    if (name == "lasttoken") return PoolKind::LastToken;
    throw std::invalid_argument("unknown pooling: " + name);
  }

  torch::Tensor operator()(const EncoderOutput& out) const {
    torch::Tensor e;
    switch (kind_) {
      case PoolKind::Cls: e = out.hidden.select(1, 0); break;
      case PoolKind::Mean: e = mean(out); break;
      case PoolKind::Max: e = max(out); break;
      case PoolKind::LastToken: e = last(out); break;
    }
    if (unit_length_) e = torch::nn::functional::normalize(e, torch::nn::functional::NormalizeFuncOptions().dim(-1));
    return e;
  }

 private:
  static torch::Tensor mean(const EncoderOutput& out) {
    auto mask = out.attention_mask.to(out.hidden.scalar_type()).unsqueeze(-1);
    auto summed = (out.hidden * mask).sum(1);
    auto counts = mask.sum().clamp_min(1.0);
    return summed / counts; // expect: tensor-value-domain
  }

  static torch::Tensor max(const EncoderOutput& out) {
    auto pad = out.attention_mask.eq(0).unsqueeze(-1);
    return std::get<0>(out.hidden.masked_fill(pad, -std::numeric_limits<float>::infinity()).max(1));
  }

  static torch::Tensor last(const EncoderOutput& out) {
    auto pos = torch::arange(out.attention_mask.size(1), out.attention_mask.options().dtype(torch::kLong));
    auto idx = (out.attention_mask.ne(0).to(torch::kLong) * pos).argmax(1);
    auto gather_idx = idx.view({-1, 1, 1}).expand({-1, 1, out.hidden.size(2)});
    return out.hidden.gather(1, gather_idx).squeeze(1);
  }

  PoolKind kind_;
  bool unit_length_;
};

torch::Tensor segment_mean(const torch::Tensor& hidden, const torch::Tensor& segment_mask) {
  auto m = segment_mask.to(hidden.scalar_type());
  auto n = m.sum(-1, /*keepdim=*/true).clamp_min(1.0);
  return torch::bmm(m.unsqueeze(1), hidden).squeeze(1) / n;
}
} // namespace counted_tokens

// https://github.com/sonos/torch-to-nnef/pull/217
// The past length is read from the batch dimension of the cached keys instead of their sequence dimension, so mask and positions ignore the cache and
// decoding degenerates.
namespace past_length {
using KeyValue = std::pair<torch::Tensor, torch::Tensor>;  // each [batch, kv_heads, past, head_dim]

struct StepInputs {
  torch::Tensor input_ids;
  torch::Tensor attn_bias;
  torch::Tensor position_ids;
};

torch::Tensor additive_causal(int64_t query_len, int64_t past_len, const torch::TensorOptions& opts) {
  auto long_opts = opts.dtype(torch::kLong);
  auto q_pos = torch::arange(past_len, past_len + query_len, long_opts).unsqueeze(1);
  auto k_pos = torch::arange(0, past_len + query_len, long_opts).unsqueeze(0);
  auto bias = torch::zeros({query_len, past_len + query_len}, opts);
  bias.masked_fill_(k_pos > q_pos, -std::numeric_limits<float>::infinity());
  return bias.unsqueeze(0).unsqueeze(0);
}

class CausalLmWrapper {
 public:
  CausalLmWrapper(int64_t n_layers, int64_t kv_heads, int64_t head_dim)
      : n_layers_(n_layers), kv_heads_(kv_heads), head_dim_(head_dim) {}

  std::vector<KeyValue> empty_cache(int64_t batch, const torch::TensorOptions& opts) const {
    std::vector<KeyValue> cache;
    cache.reserve(n_layers_);
    const std::vector<int64_t> shape{batch, kv_heads_, 0, head_dim_};
    for (int64_t i = 0; i < n_layers_; ++i) {
      cache.emplace_back(torch::empty(shape, opts), torch::empty(shape, opts));
    }
    return cache;
  }

  StepInputs build_inputs(const torch::Tensor& input_ids, const std::vector<KeyValue>& cache) const {
    TORCH_CHECK(static_cast<int64_t>(cache.size()) == n_layers_, "one cache entry per layer");
    const torch::Tensor& keys = cache.front().first;
    const int64_t batch = input_ids.size(0);
    const int64_t query_len = input_ids.size(1);
    const int64_t past_len = keys.size(0); // missed: tensor-shape-mismatch
    StepInputs in;
    in.input_ids = input_ids;
    in.attn_bias = additive_causal(query_len, past_len, keys.options());
    in.position_ids =
        torch::arange(past_len, past_len + query_len, input_ids.options()).unsqueeze(0).expand({batch, query_len});
    return in;
  }

  void append(std::vector<KeyValue>& cache, const std::vector<KeyValue>& fresh) const {
    for (size_t i = 0; i < cache.size(); ++i) {
      cache[i].first = torch::cat({cache[i].first, fresh[i].first}, 2);
      cache[i].second = torch::cat({cache[i].second, fresh[i].second}, 2);
    }
  }

  void truncate(std::vector<KeyValue>& cache, int64_t keep) const {
    for (auto& kv : cache) {
      const int64_t n = std::min(keep, kv.first.size(2));
      kv.first = kv.first.narrow(2, 0, n);
      kv.second = kv.second.narrow(2, 0, n);
    }
  }

 private:
  int64_t n_layers_, kv_heads_, head_dim_;
};
} // namespace past_length
