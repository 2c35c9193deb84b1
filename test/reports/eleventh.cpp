// Reports that were rewritten before anything was done for them, the eleventh lot.
#include <algorithm>
#include <array>
#include <ATen/CPUGeneratorImpl.h>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <string>
#include <torch/script.h>
#include <torch/torch.h>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

// https://github.com/mrdbourke/pytorch-deep-learning/issues/763
// The classifier of the small VGG takes hidden_units input features although the flattened map has hidden_units * side * side; the linear layer
// throws "mat1 and mat2 shapes cannot be multiplied" on the first batch.
namespace flattened_map {
struct ImageModelOptions {
  int64_t in_channels = 1;
  int64_t hidden_units = 10;
  int64_t num_classes = 10;
  int64_t image_size = 28;
};

struct ConvBlockImpl : torch::nn::Module {
  ConvBlockImpl(int64_t in, int64_t out)
      : first(torch::nn::Conv2dOptions(in, out, 3).padding(1)),
        second(torch::nn::Conv2dOptions(out, out, 3).padding(1)) {
    register_module("first", first);
    register_module("second", second);
  }

  torch::Tensor forward(const torch::Tensor& x) {
    auto y = torch::relu(first->forward(x));
    y = torch::relu(second->forward(y));
    return torch::max_pool2d(y, 2);
  }

  torch::nn::Conv2d first, second;
};
TORCH_MODULE(ConvBlock);

class AutoEncoderHeadImpl : public torch::nn::Module {
 public:
  explicit AutoEncoderHeadImpl(const ImageModelOptions& o, int64_t code_size) {
    block_ = register_module("block", ConvBlock(o.in_channels, o.hidden_units));
    const int64_t side = o.image_size / 2;
    to_code_ = register_module("to_code", torch::nn::Linear(o.hidden_units * side * side, code_size));
  }

  torch::Tensor forward(const torch::Tensor& x) {
    return to_code_->forward(block_->forward(x).flatten(1));
  }

 private:
  ConvBlock block_{nullptr};
  torch::nn::Linear to_code_{nullptr};
};
TORCH_MODULE(AutoEncoderHead);

class FashionNetImpl : public torch::nn::Module {
 public:
  explicit FashionNetImpl(const ImageModelOptions& o) {
    block1_ = register_module("block1", ConvBlock(o.in_channels, o.hidden_units));
    block2_ = register_module("block2", ConvBlock(o.hidden_units, o.hidden_units));
    classifier_ = register_module("classifier", torch::nn::Linear(o.hidden_units, o.num_classes)); // missed: tensor-shape-mismatch
  }

  torch::Tensor forward(torch::Tensor x) {
    x = block1_->forward(x);
    x = block2_->forward(x);
    x = x.flatten(1);
    return classifier_->forward(x);
  }

 private:
  ConvBlock block1_{nullptr}, block2_{nullptr};
  torch::nn::Linear classifier_{nullptr};
};
TORCH_MODULE(FashionNet);

double train_step(FashionNet& net, torch::optim::Optimizer& opt, const torch::Tensor& images, const torch::Tensor& labels) {
  opt.zero_grad();
  auto loss = torch::nn::functional::cross_entropy(net->forward(images), labels);
  loss.backward();
  opt.step();
  return loss.item<double>();
}
} // namespace flattened_map

// https://github.com/deepseek-ai/DeepGEMM/pull/311
// The fused cache stores [values | scale] per token, but the value tensor is made with a token stride of head_dim instead of the full row, so every
// token after the first is read from shifted bytes.
namespace fused_rows {
namespace paged {

struct CacheLayout {
  int64_t num_blocks;
  int64_t block_tokens;
  int64_t head_dim;

  int64_t row_bytes() const {
    return head_dim + static_cast<int64_t>(sizeof(float));
  }
};

CacheLayout check_layout(const torch::Tensor& fused, int64_t head_dim) {
  TORCH_CHECK(fused.dim() == 3, "fused cache must be [blocks, tokens, bytes]");
  TORCH_CHECK(fused.scalar_type() == torch::kUInt8, "fused cache must be uint8");
  CacheLayout layout{fused.size(0), fused.size(1), head_dim};
  TORCH_CHECK(fused.size(2) == layout.row_bytes(), "row must hold the values and one scale");
  TORCH_CHECK(fused.stride(1) == layout.row_bytes() && fused.stride(2) == 1, "rows must be packed");
  TORCH_CHECK(head_dim % 4 == 0, "head_dim must keep the scales aligned");
  return layout;
}

std::tuple<torch::Tensor, torch::Tensor> split_values_and_scales(const torch::Tensor& fused, int64_t head_dim) {
  const auto layout = check_layout(fused, head_dim);
  auto* base = fused.data_ptr<uint8_t>();

  auto values = torch::from_blob(
      base,
      {layout.num_blocks, layout.block_tokens, layout.head_dim},
      {fused.stride(0), layout.head_dim, 1}, // missed: tensor-from-blob-lifetime
      fused.options());

  const int64_t float_bytes = static_cast<int64_t>(sizeof(float));
  auto scales = torch::from_blob(
      base + layout.head_dim,
      {layout.num_blocks, layout.block_tokens},
      {fused.stride(0) / float_bytes, fused.stride(1) / float_bytes},
      fused.options().dtype(torch::kFloat));

  return std::make_tuple(values, scales);
}

void store_token(torch::Tensor fused, int64_t block, int64_t slot, const torch::Tensor& quantized, float scale) {
  const int64_t head_dim = quantized.size(0);
  check_layout(fused, head_dim);
  auto row = fused.select(0, block).select(0, slot);
  row.slice(0, 0, head_dim).copy_(quantized);
  row.slice(0, head_dim).copy_(torch::full({1}, scale, torch::kFloat).view(torch::kUInt8));
}

torch::Tensor mqa_logits(const torch::Tensor& query, const torch::Tensor& fused, const torch::Tensor& block_table) {
  const int64_t head_dim = query.size(-1);
  torch::Tensor values, scales;
  std::tie(values, scales) = split_values_and_scales(fused, head_dim);

  auto keys = values.index_select(0, block_table).to(torch::kFloat) - 128.0;
  keys = keys * scales.index_select(0, block_table).unsqueeze(-1);
  return torch::matmul(query, keys.reshape({-1, head_dim}).t());
}

}  // namespace paged
} // namespace fused_rows

// https://github.com/vllm-project/vllm-xpu-kernels/pull/262
// The view of the weight is made over the memory of a local pinned copy and nothing keeps that copy alive; it is freed on return while the view is
// still used (use after free).
namespace pinned_copies {
struct OffloadOptions {
  int64_t max_bytes = int64_t(8) << 30;
  bool pin_memory = true;
};

class WeightOffloader {
 public:
  explicit WeightOffloader(const OffloadOptions& options) : options_(options) {}

  int64_t offload(torch::nn::Module& module) {
    torch::NoGradGuard no_grad;
    for (auto& item : module.named_parameters()) {
      auto& param = item.value();
      const int64_t bytes = param.numel() * param.element_size();
      if (used_bytes_ + bytes > options_.max_bytes) {
        break;
      }
      param.set_data(host_view(param));
      used_bytes_ += bytes;
    }
    return used_bytes_;
  }

  void stash_activation(const std::string& name, const torch::Tensor& activation) {
    auto host = staging(activation);
    activations_[name] = std::make_pair(host, flat_view(host));
  }

  torch::Tensor flat_activation(const std::string& name) const {
    return activations_.at(name).second;
  }

 private:
  torch::Tensor staging(const torch::Tensor& source) const {
    auto host = torch::empty(source.sizes(), source.options().device(torch::kCPU).pinned_memory(options_.pin_memory));
    host.copy_(source);
    return host;
  }

  torch::Tensor host_view(const torch::Tensor& weight) const {
    auto host = staging(weight);
    return torch::from_blob(host.data_ptr(), host.sizes(), host.strides(), host.options()); // expect: tensor-dangling-data-pointer
  }

  static torch::Tensor flat_view(const torch::Tensor& host) {
    return torch::from_blob(host.data_ptr(), {host.numel()}, host.options());
  }

  OffloadOptions options_;
  int64_t used_bytes_ = 0;
  std::unordered_map<std::string, std::pair<torch::Tensor, torch::Tensor>> activations_;
};
} // namespace pinned_copies

// https://github.com/NVIDIA-NeMo/RL/pull/1734
// Assigning the result of to() to the loop variable changes only a handle in a temporary list, so the buffers of the policy stay on the GPU after the
// offload and their memory is never released.
namespace moved_copies {
struct PolicyNetImpl : torch::nn::Module {
  PolicyNetImpl(int64_t obs_dim, int64_t hidden, int64_t n_actions)
      : fc1(obs_dim, hidden), norm(hidden), fc2(hidden, n_actions) {
    register_module("fc1", fc1);
    register_module("norm", norm);
    register_module("fc2", fc2);
    obs_mean = register_buffer("obs_mean", torch::zeros({obs_dim}));
    obs_std = register_buffer("obs_std", torch::ones({obs_dim}));
  }

  torch::Tensor forward(const torch::Tensor& obs) {
    auto x = (obs - obs_mean) / obs_std;
    return fc2->forward(torch::relu(norm->forward(fc1->forward(x))));
  }

  torch::nn::Linear fc1;
  torch::nn::BatchNorm1d norm;
  torch::nn::Linear fc2;
  torch::Tensor obs_mean, obs_std;
};
TORCH_MODULE(PolicyNet);

class PolicyWorker {
 public:
  PolicyWorker(PolicyNet net, torch::Device device) : net_(std::move(net)), device_(device) {
    net_->to(device_);
  }

  void offload_before_refit() {
    torch::NoGradGuard no_grad;
    move_params(torch::kCPU);
    move_buffers(torch::kCPU);
  }

  void reload_after_refit() {
    torch::NoGradGuard no_grad;
    move_params(device_);
    move_buffers(device_);
  }

  torch::Tensor act(const torch::Tensor& obs) {
    torch::NoGradGuard no_grad;
    net_->eval();
    return net_->forward(obs.to(device_)).argmax(-1);
  }

 private:
  void move_params(torch::Device target) {
    for (auto& param : net_->parameters()) {
      param.set_data(param.to(target));
    }
  }

  void move_buffers(torch::Device target) {
    for (auto& buffer : net_->buffers()) {
      buffer = buffer.to(target); // expect: tensor-lost-write
    }
  }

  PolicyNet net_;
  torch::Device device_;
};
} // namespace moved_copies

// https://github.com/wendelinboehmer/dcg/pull/19
// The payoffs of the reverse direction are copied from their own transpose, source and destination overlap, and copy_ throws "some elements of the
// input tensor and the written-to tensor refer to a single memory location".
namespace both_triangles {
struct GraphOptions {
  int64_t n_agents = 4;
  int64_t n_actions = 6;
  int64_t hidden = 64;
};

class CoordinationGraphImpl : public torch::nn::Module {
 public:
  explicit CoordinationGraphImpl(const GraphOptions& o) : n_actions_(o.n_actions) {
    payoff_ = register_module("payoff", torch::nn::Linear(2 * o.hidden, o.n_actions * o.n_actions));
    utility_ = register_module("utility", torch::nn::Linear(o.hidden, o.n_actions));
    std::vector<int64_t> from, to;
    for (int64_t i = 0; i < o.n_agents; ++i) {
      for (int64_t j = i + 1; j < o.n_agents; ++j) {
        from.push_back(i);
        to.push_back(j);
      }
    }
    edges_from_ = register_buffer("edges_from", torch::tensor(from, torch::kLong));
    edges_to_ = register_buffer("edges_to", torch::tensor(to, torch::kLong));
  }

  torch::Tensor edge_payoffs(const torch::Tensor& hidden) {
    const int64_t batch = hidden.size(0);
    const int64_t n_edges = edges_from_.size(0);
    auto source = hidden.index_select(1, edges_from_);
    auto target = hidden.index_select(1, edges_to_);
    auto forward_in = torch::cat({source, target}, -1);
    auto backward_in = torch::cat({target, source}, -1);
    auto both = payoff_->forward(torch::stack({forward_in, backward_in}));
    both = both.view({2, batch, n_edges, n_actions_, n_actions_});
    both[1].copy_(both[1].transpose(-2, -1)); // expect: tensor-overlapping-write
    return both.mean(0);
  }

  torch::Tensor utilities(const torch::Tensor& hidden) {
    return utility_->forward(hidden);
  }

 private:
  int64_t n_actions_;
  torch::nn::Linear payoff_{nullptr}, utility_{nullptr};
  torch::Tensor edges_from_, edges_to_;
};
TORCH_MODULE(CoordinationGraph);

void reverse_messages(torch::Tensor messages, int64_t dim) {
  auto reversed = messages.flip(dim);
  messages.copy_(reversed);
}

torch::Tensor joint_value(
    const torch::Tensor& utilities,
    const torch::Tensor& payoffs,
    const torch::Tensor& actions,
    const torch::Tensor& from,
    const torch::Tensor& to) {
  auto own = utilities.gather(-1, actions.unsqueeze(-1)).squeeze(-1).sum(-1);
  auto a_from = actions.index_select(1, from).unsqueeze(-1).unsqueeze(-1);
  auto a_to = actions.index_select(1, to).unsqueeze(-1).unsqueeze(-1);
  auto picked = payoffs.gather(2, a_from.expand({-1, -1, 1, payoffs.size(-1)})).gather(3, a_to);
  return own + picked.flatten(1).sum(-1);
}
} // namespace both_triangles

// https://github.com/CompVis/latent-diffusion/pull/282
// logvar lives on the CPU while the timesteps are on the GPU; indexing happens before the move, so it throws "indices should be either on cpu or on
// the same device as the indexed tensor".
namespace variance_table {
struct DiffusionConfig {
  int64_t timesteps = 1000;
  double logvar_init = 0.0;
  double elbo_weight = 1e-3;
  int gpu = 0;
};

struct NoiseNetImpl : torch::nn::Module {
  NoiseNetImpl(int64_t channels, int64_t timesteps)
      : embed(timesteps, channels),
        conv1(torch::nn::Conv2dOptions(channels, 64, 3).padding(1)),
        conv2(torch::nn::Conv2dOptions(64, channels, 3).padding(1)) {
    register_module("embed", embed);
    register_module("conv1", conv1);
    register_module("conv2", conv2);
  }

  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& t) {
    auto shift = embed->forward(t).unsqueeze(-1).unsqueeze(-1);
    return conv2->forward(torch::silu(conv1->forward(x + shift)));
  }

  torch::nn::Embedding embed;
  torch::nn::Conv2d conv1, conv2;
};
TORCH_MODULE(NoiseNet);

class LatentDiffusion {
 public:
  LatentDiffusion(const DiffusionConfig& cfg, NoiseNet net)
      : cfg_(cfg), device_(torch::kCUDA, cfg.gpu), net_(std::move(net)) {
    net_->to(device_);
    auto betas = torch::linspace(1e-4, 2e-2, cfg_.timesteps, torch::kFloat);
    alphas_cumprod_ = torch::cumprod(1.0 - betas, 0).to(device_);
    logvar_ = torch::full({cfg_.timesteps}, cfg_.logvar_init, torch::kFloat);
  }

  torch::Tensor training_loss(const torch::Tensor& latents) {
    auto x0 = latents.to(device_);
    auto t = torch::randint(0, cfg_.timesteps, {x0.size(0)}, torch::TensorOptions(torch::kLong).device(device_));
    auto noise = torch::randn_like(x0);
    auto noised = q_sample(x0, t, noise);

    auto simple = (net_->forward(noised, t) - noise).pow(2).mean({1, 2, 3});
    auto logvar_t = logvar_.index({t}).to(device_); // expect: tensor-device-mismatch
    auto weighted = simple / torch::exp(logvar_t) + logvar_t;
    return weighted.mean() + cfg_.elbo_weight * simple.mean();
  }

 private:
  torch::Tensor q_sample(const torch::Tensor& x0, const torch::Tensor& t, const torch::Tensor& noise) const {
    auto a = alphas_cumprod_.index({t}).view({-1, 1, 1, 1});
    return a.sqrt() * x0 + (1.0 - a).sqrt() * noise;
  }

  DiffusionConfig cfg_;
  torch::Device device_;
  NoiseNet net_;
  torch::Tensor alphas_cumprod_;
  torch::Tensor logvar_;
};
} // namespace variance_table

// https://github.com/sgrvinod/a-PyTorch-Tutorial-to-Transformers/pull/5
// The lengths were moved to the GPU for the padding mask and are then given to pack_padded_sequence, which needs them on the CPU and throws
// "'lengths' argument should be a 1D CPU int64 tensor".
namespace padded_lengths {
namespace rnn_utils = torch::nn::utils::rnn;

struct TextBatch {
  torch::Tensor tokens;
  torch::Tensor lengths;
};

TextBatch collate(const std::vector<std::vector<int64_t>>& sentences, int64_t pad_id) {
  std::vector<torch::Tensor> rows;
  std::vector<int64_t> lengths;
  for (const auto& s : sentences) {
    rows.push_back(torch::tensor(s, torch::kLong));
    lengths.push_back(static_cast<int64_t>(s.size()));
  }
  return {rnn_utils::pad_sequence(rows, true, static_cast<double>(pad_id)), torch::tensor(lengths, torch::kLong)};
}

class SentenceEncoderImpl : public torch::nn::Module {
 public:
  SentenceEncoderImpl(int64_t vocab, int64_t dim, int64_t hidden, torch::Device device)
      : device_(device),
        embed_(vocab, dim),
        lstm_(torch::nn::LSTMOptions(dim, hidden).batch_first(true).bidirectional(true)),
        score_(2 * hidden, 1) {
    register_module("embed", embed_);
    register_module("lstm", lstm_);
    register_module("score", score_);
    this->to(device_);
  }

  torch::Tensor encode(const TextBatch& batch) {
    const auto tokens = batch.tokens.to(device_);
    const auto lengths = batch.lengths.to(device_);
    const auto positions = torch::arange(tokens.size(1), lengths.options());
    const auto padding = positions.unsqueeze(0) >= lengths.unsqueeze(1);

    auto packed = rnn_utils::pack_padded_sequence(embed_->forward(tokens), lengths, true, false); // missed: tensor-device-mismatch
    auto states = unpack(std::get<0>(lstm_->forward_with_packed_input(packed)), tokens.size(1));
    auto weights = score_->forward(states).squeeze(-1).masked_fill(padding, -1e9).softmax(-1);
    return torch::bmm(weights.unsqueeze(1), states).squeeze(1);
  }

  torch::Tensor last_states(const TextBatch& batch) {
    const auto tokens = batch.tokens.to(device_);
    auto packed = rnn_utils::pack_padded_sequence(embed_->forward(tokens), batch.lengths.cpu(), true, false);
    auto result = lstm_->forward_with_packed_input(packed);
    return std::get<0>(std::get<1>(result)).transpose(0, 1).flatten(1);
  }

 private:
  torch::Tensor unpack(const rnn_utils::PackedSequence& packed, int64_t max_len) const {
    return std::get<0>(rnn_utils::pad_packed_sequence(packed, true, 0.0, max_len));
  }

  torch::Device device_;
  torch::nn::Embedding embed_;
  torch::nn::LSTM lstm_;
  torch::nn::Linear score_;
};
TORCH_MODULE(SentenceEncoder);
} // namespace padded_lengths

// https://github.com/mertyg/vision-language-models-are-bows/issues/17
// The retrieval scores are computed without gradients but the model is never put into eval mode, so dropout stays active and the scores differ from
// run to run.
namespace retrieval_scores {
struct MatcherOptions {
  int64_t vocab = 30522;
  int64_t text_dim = 256;
  int64_t image_dim = 512;
  int64_t joint_dim = 128;
  double dropout = 0.1;
};

struct MatcherImpl : torch::nn::Module {
  explicit MatcherImpl(const MatcherOptions& o)
      : embed(torch::nn::EmbeddingBagOptions(o.vocab, o.text_dim).mode(torch::kMean)),
        text_drop(o.dropout),
        text_proj(o.text_dim, o.joint_dim),
        image_drop(o.dropout),
        image_proj(o.image_dim, o.joint_dim) {
    register_module("embed", embed);
    register_module("text_drop", text_drop);
    register_module("text_proj", text_proj);
    register_module("image_drop", image_drop);
    register_module("image_proj", image_proj);
  }

  torch::Tensor encode_text(const torch::Tensor& tokens) {
    return torch::nn::functional::normalize(text_proj->forward(text_drop->forward(embed->forward(tokens))));
  }

  torch::Tensor encode_image(const torch::Tensor& features) {
    return torch::nn::functional::normalize(image_proj->forward(image_drop->forward(features)));
  }

  torch::Tensor forward(const torch::Tensor& features, const torch::Tensor& tokens) {
    return (encode_image(features) * encode_text(tokens)).sum(-1);
  }

  torch::nn::EmbeddingBag embed;
  torch::nn::Dropout text_drop;
  torch::nn::Linear text_proj;
  torch::nn::Dropout image_drop;
  torch::nn::Linear image_proj;
};
TORCH_MODULE(Matcher);

torch::Tensor build_gallery(const std::string& checkpoint, const MatcherOptions& options, const torch::Tensor& features) {
  Matcher model(options);
  torch::load(model, checkpoint);
  model->eval();
  torch::NoGradGuard no_grad;
  return model->encode_image(features);
}

std::vector<double> retrieval_scores(
    const std::string& checkpoint,
    const MatcherOptions& options,
    const std::vector<torch::Tensor>& features,
    const std::vector<torch::Tensor>& captions,
    torch::Device device) {
  Matcher model(options);
  torch::load(model, checkpoint);
  model->to(device);

  torch::NoGradGuard no_grad;
  std::vector<double> scores;
  scores.reserve(features.size());
  for (size_t i = 0; i < features.size(); ++i) {
    auto match = model->forward(features[i].to(device), captions[i].to(device)); // expect: tensor-missing-no-grad
    scores.push_back(match.mean().item<double>());
  }
  return scores;
}
} // namespace retrieval_scores

// https://github.com/alexhernandezgarcia/gflownet/pull/251
// The logits from which the log probabilities of the trajectory are computed are a detached clone, so the trajectory balance loss sends no gradient
// to the policy and only logZ is trained.
namespace detached_logits {
struct Trajectories {
  torch::Tensor states;
  torch::Tensor actions;
  torch::Tensor invalid_mask;
  torch::Tensor log_reward;
  int64_t length;
};

class GridEnv {
 public:
  torch::Tensor sample_actions(const torch::Tensor& policy_outputs, const torch::Tensor& invalid, double temperature) const {
    torch::NoGradGuard no_grad;
    auto logits = policy_outputs.detach().clone();
    logits.masked_fill_(invalid, -1e9);
    return torch::multinomial((logits / temperature).softmax(-1), 1).squeeze(-1);
  }

  torch::Tensor get_logprobs(
      const torch::Tensor& policy_outputs,
      const torch::Tensor& actions,
      const torch::Tensor& invalid) const {
    auto logits = policy_outputs.clone().detach(); // expect: tensor-missing-gradient
    logits.masked_fill_(invalid, -1e9);
    return logits.log_softmax(-1).gather(1, actions.unsqueeze(1)).squeeze(1);
  }
};

struct FlowPolicyImpl : torch::nn::Module {
  FlowPolicyImpl(int64_t state_dim, int64_t hidden, int64_t n_actions)
      : fc1(state_dim, hidden), fc2(hidden, n_actions) {
    register_module("fc1", fc1);
    register_module("fc2", fc2);
    log_z = register_parameter("log_z", torch::zeros({1}));
  }

  torch::Tensor forward(const torch::Tensor& states) {
    return fc2->forward(torch::leaky_relu(fc1->forward(states)));
  }

  torch::nn::Linear fc1, fc2;
  torch::Tensor log_z;
};
TORCH_MODULE(FlowPolicy);

class TrajectoryBalance {
 public:
  TrajectoryBalance(FlowPolicy policy, GridEnv env, double lr)
      : policy_(std::move(policy)), env_(env), optimizer_(policy_->parameters(), torch::optim::AdamOptions(lr)) {}

  double update(const Trajectories& batch) {
    optimizer_.zero_grad();
    auto outputs = policy_->forward(batch.states);
    auto logprobs = env_.get_logprobs(outputs, batch.actions, batch.invalid_mask);
    auto per_trajectory = logprobs.view({-1, batch.length}).sum(1);
    auto loss = (policy_->log_z + per_trajectory - batch.log_reward).pow(2).mean();
    loss.backward();
    optimizer_.step();
    return loss.item<double>();
  }

 private:
  FlowPolicy policy_;
  GridEnv env_;
  torch::optim::Adam optimizer_;
};
} // namespace detached_logits

// https://github.com/iMED-Lab/ER-Net/pull/3
// The residual is added in place to the output of relu, which backward needs; training stops with "one of the variables needed for gradient
// computation has been modified by an inplace operation".
namespace added_residual {
namespace vessel {

torch::nn::Conv3d conv3x3(int64_t in, int64_t out) {
  return torch::nn::Conv3d(torch::nn::Conv3dOptions(in, out, 3).padding(1).bias(false));
}

class DecoderBlockImpl : public torch::nn::Module {
 public:
  DecoderBlockImpl(int64_t in, int64_t out) : conv_(conv3x3(in, out)), norm_(out) {
    register_module("conv", conv_);
    register_module("norm", norm_);
  }

  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& skip) {
    auto up = torch::upsample_nearest3d(x, skip.sizes().slice(2));
    auto out = norm_->forward(conv_->forward(up));
    out += skip;
    return torch::relu(out);
  }

 private:
  torch::nn::Conv3d conv_;
  torch::nn::BatchNorm3d norm_;
};
TORCH_MODULE(DecoderBlock);

class ResEncoderBlockImpl : public torch::nn::Module {
 public:
  ResEncoderBlockImpl(int64_t in, int64_t out)
      : conv1_(conv3x3(in, out)),
        norm1_(out),
        conv2_(conv3x3(out, out)),
        norm2_(out),
        project_(torch::nn::Conv3dOptions(in, out, 1)) {
    register_module("conv1", conv1_);
    register_module("norm1", norm1_);
    register_module("conv2", conv2_);
    register_module("norm2", norm2_);
    register_module("project", project_);
  }

  torch::Tensor forward(const torch::Tensor& x) {
    auto residual = project_->forward(x);
    auto out = torch::relu(norm1_->forward(conv1_->forward(x)));
    out = torch::relu(norm2_->forward(conv2_->forward(out)));
    out += residual; // expect: tensor-inplace-on-saved
    return out;
  }

 private:
  torch::nn::Conv3d conv1_;
  torch::nn::BatchNorm3d norm1_;
  torch::nn::Conv3d conv2_;
  torch::nn::BatchNorm3d norm2_;
  torch::nn::Conv3d project_;
};
TORCH_MODULE(ResEncoderBlock);

torch::Tensor edge_loss(const torch::Tensor& logits, const torch::Tensor& mask) {
  return torch::binary_cross_entropy_with_logits(logits, mask);
}

}  // namespace vessel
} // namespace added_residual

// https://github.com/pytorch/pytorch/pull/171795
// The size check asks whether all tensors differ from the first one, which the first one itself never does, so tensors of different length are
// accepted and get() later fails or pairs the wrong rows.
namespace same_lengths {
class MultiTensorDataset {
 public:
  explicit MultiTensorDataset(std::vector<torch::Tensor> tensors) : tensors_(std::move(tensors)) {
    TORCH_CHECK(!tensors_.empty(), "at least one tensor is needed");
    const bool mismatch = std::all_of(tensors_.begin(), tensors_.end(), [this](const torch::Tensor& t) {
      return t.size(0) != tensors_.front().size(0);
    });
    TORCH_CHECK(!mismatch, "size mismatch between the tensors"); // missed: tensor-shape-mismatch
  }

  std::vector<torch::Tensor> get(int64_t index) const {
    std::vector<torch::Tensor> row;
    row.reserve(tensors_.size());
    for (const auto& t : tensors_) {
      row.push_back(t.select(0, index));
    }
    return row;
  }

  int64_t size() const {
    return tensors_.front().size(0);
  }

 private:
  std::vector<torch::Tensor> tensors_;
};

class StackedDataset {
 public:
  explicit StackedDataset(std::vector<MultiTensorDataset> parts) : parts_(std::move(parts)) {
    TORCH_CHECK(!parts_.empty(), "at least one dataset is needed");
    const int64_t expected = parts_.front().size();
    const bool same = std::all_of(parts_.begin(), parts_.end(), [expected](const MultiTensorDataset& d) {
      return d.size() == expected;
    });
    TORCH_CHECK(same, "the datasets must have the same length");
  }

  std::vector<torch::Tensor> get(int64_t index) const {
    std::vector<torch::Tensor> row;
    for (const auto& part : parts_) {
      auto values = part.get(index);
      row.insert(row.end(), values.begin(), values.end());
    }
    return row;
  }

 private:
  std::vector<MultiTensorDataset> parts_;
};

std::vector<torch::Tensor> collate(const MultiTensorDataset& dataset, const std::vector<int64_t>& indices) {
  std::vector<std::vector<torch::Tensor>> columns;
  for (const int64_t index : indices) {
    auto row = dataset.get(index);
    columns.resize(row.size());
    for (size_t c = 0; c < row.size(); ++c) {
      columns[c].push_back(row[c]);
    }
  }
  std::vector<torch::Tensor> batch;
  for (const auto& column : columns) {
    batch.push_back(torch::stack(column));
  }
  return batch;
}
} // namespace same_lengths

// https://github.com/meta-pytorch/torchtune/pull/522
// The loss is read with item() in every step although it is only printed every few steps; each read waits for the GPU and costs tens of milliseconds
// per step.
namespace logged_loss {
struct FinetuneConfig {
  int64_t epochs = 1;
  int64_t log_every_n_steps = 50;
  int64_t grad_accumulation = 1;
  double lr = 3e-4;
  double max_grad_norm = 1.0;
};

struct TokenBatch {
  torch::Tensor input_ids;
  torch::Tensor labels;
};

class LoraFinetuner {
 public:
  LoraFinetuner(torch::nn::Sequential model, const FinetuneConfig& cfg)
      : model_(std::move(model)),
        cfg_(cfg),
        device_(torch::kCUDA),
        optimizer_(model_->parameters(), torch::optim::AdamWOptions(cfg.lr)) {
    model_->to(device_);
  }

  void train(const std::vector<TokenBatch>& batches) {
    model_->train();
    int64_t step = 0;
    for (int64_t epoch = 0; epoch < cfg_.epochs; ++epoch) {
      for (const auto& batch : batches) {
        auto loss = compute_loss(batch);
        const float loss_value = loss.item<float>(); // expect: tensor-sync-in-loop
        (loss / static_cast<double>(cfg_.grad_accumulation)).backward();
        if ((step + 1) % cfg_.grad_accumulation == 0) {
          torch::nn::utils::clip_grad_norm_(model_->parameters(), cfg_.max_grad_norm);
          optimizer_.step();
          optimizer_.zero_grad();
        }
        if (step % cfg_.log_every_n_steps == 0) {
          std::printf("epoch %ld step %ld loss %.4f\n", static_cast<long>(epoch), static_cast<long>(step), loss_value);
        }
        ++step;
      }
    }
  }

  double evaluate(const std::vector<TokenBatch>& batches) {
    torch::NoGradGuard no_grad;
    model_->eval();
    auto total = torch::zeros({}, torch::TensorOptions(torch::kFloat).device(device_));
    for (const auto& batch : batches) {
      total += compute_loss(batch);
    }
    return total.item<double>() / static_cast<double>(batches.size());
  }

 private:
  torch::Tensor compute_loss(const TokenBatch& batch) {
    auto ids = batch.input_ids.to(device_, true);
    auto labels = batch.labels.to(device_, true);
    auto logits = model_->forward(ids);
    return torch::nn::functional::cross_entropy(logits.flatten(0, 1), labels.flatten());
  }

  torch::nn::Sequential model_;
  FinetuneConfig cfg_;
  torch::Device device_;
  torch::optim::AdamW optimizer_;
};
} // namespace logged_loss

// https://github.com/mmcdermott/MEDS_EIC_AR/pull/86
// The generated sequence grows by a cat in every step, so the whole history is copied for each new token and generation becomes quadratic in its
// length.
namespace rolling_tokens {
using StepFn = std::function<torch::Tensor(const torch::Tensor& context)>;

struct GenerationConfig {
  int64_t max_new_tokens = 4096;
  int64_t context_size = 1024;
  int64_t pad_id = 0;
  double temperature = 1.0;
};

class RollingGenerator {
 public:
  RollingGenerator(StepFn step, const GenerationConfig& cfg) : step_(std::move(step)), cfg_(cfg) {}

  torch::Tensor generate(const torch::Tensor& prompt) const {
    torch::NoGradGuard no_grad;
    auto tokens = prompt;
    for (int64_t i = 0; i < cfg_.max_new_tokens; ++i) {
      const int64_t begin = std::max<int64_t>(0, tokens.size(1) - cfg_.context_size);
      auto logits = step_(tokens.slice(1, begin));
      auto next = sample(logits.select(1, -1));
      tokens = torch::cat({tokens, next}, 1); // missed: tensor-allocation-in-loop
    }
    return tokens.slice(1, prompt.size(1));
  }

  torch::Tensor score(const torch::Tensor& tokens, int64_t chunk) const {
    torch::NoGradGuard no_grad;
    std::vector<torch::Tensor> parts;
    for (int64_t begin = 0; begin + 1 < tokens.size(1); begin += chunk) {
      const int64_t end = std::min(begin + chunk, tokens.size(1) - 1);
      auto logprobs = step_(tokens.slice(1, begin, end)).log_softmax(-1);
      auto targets = tokens.slice(1, begin + 1, end + 1).unsqueeze(-1);
      parts.push_back(logprobs.gather(2, targets).squeeze(-1));
    }
    return torch::cat(parts, 1).sum(1);
  }

 private:
  torch::Tensor sample(const torch::Tensor& logits) const {
    auto masked = logits.clone();
    masked.select(1, cfg_.pad_id).fill_(-1e9);
    return torch::multinomial((masked / cfg_.temperature).softmax(-1), 1);
  }

  StepFn step_;
  GenerationConfig cfg_;
};

torch::Tensor count_events(const torch::Tensor& generated, int64_t vocab) {
  auto counts = torch::zeros({generated.size(0), vocab}, generated.options());
  counts.scatter_add_(1, generated, torch::ones_like(generated));
  return counts;
}
} // namespace rolling_tokens

// https://github.com/pytorch/FBGEMM/pull/3870
// The remapping table of all embedding tables together can have more than 2^31 entries, but its accessor uses 32 bit indices; the call throws or the
// kernel reads wrapped offsets.
namespace remapped_rows {
template <typename T>
using Acc32 = torch::PackedTensorAccessor32<T, 1>;
template <typename T>
using Acc64 = torch::PackedTensorAccessor64<T, 1>;

void launch_pruned_array_lookup(
    Acc64<int64_t> indices,
    Acc64<int64_t> offsets,
    Acc32<int32_t> remappings,
    Acc64<int64_t> remapping_offsets,
    Acc64<int64_t> dense_indices,
    int64_t batch);

void launch_pruned_hash_lookup(
    Acc64<int64_t> indices,
    Acc64<int64_t> offsets,
    Acc64<int64_t> table,
    Acc64<int64_t> table_offsets,
    Acc64<int64_t> dense_indices,
    int64_t batch);

namespace {

void check_lookup_inputs(const torch::Tensor& indices, const torch::Tensor& offsets, int64_t tables) {
  TORCH_CHECK(indices.is_cuda() && offsets.is_cuda(), "indices and offsets must be on the GPU");
  TORCH_CHECK(indices.scalar_type() == torch::kLong, "indices must be int64");
  TORCH_CHECK(offsets.scalar_type() == torch::kLong, "offsets must be int64");
  TORCH_CHECK(tables > 0 && (offsets.size(0) - 1) % tables == 0, "offsets do not match the tables");
}

}  // namespace

torch::Tensor pruned_array_lookup(
    const torch::Tensor& indices,
    const torch::Tensor& offsets,
    const torch::Tensor& index_remappings,
    const torch::Tensor& index_remappings_offsets) {
  const int64_t tables = index_remappings_offsets.size(0) - 1;
  check_lookup_inputs(indices, offsets, tables);
  TORCH_CHECK(index_remappings.scalar_type() == torch::kInt, "remappings must be int32");
  auto dense_indices = torch::empty_like(indices);
  launch_pruned_array_lookup(
      indices.packed_accessor64<int64_t, 1>(),
      offsets.packed_accessor64<int64_t, 1>(),
      index_remappings.packed_accessor32<int32_t, 1>(), // expect: tensor-raw-pointer-layout
      index_remappings_offsets.packed_accessor64<int64_t, 1>(),
      dense_indices.packed_accessor64<int64_t, 1>(),
      (offsets.size(0) - 1) / tables);
  return dense_indices;
}

torch::Tensor pruned_hash_lookup(
    const torch::Tensor& indices,
    const torch::Tensor& offsets,
    const torch::Tensor& hash_table,
    const torch::Tensor& hash_table_offsets) {
  const int64_t tables = hash_table_offsets.size(0) - 1;
  check_lookup_inputs(indices, offsets, tables);
  auto dense_indices = torch::empty_like(indices);
  launch_pruned_hash_lookup(
      indices.packed_accessor64<int64_t, 1>(),
      offsets.packed_accessor64<int64_t, 1>(),
      hash_table.packed_accessor64<int64_t, 1>(),
      hash_table_offsets.packed_accessor64<int64_t, 1>(),
      dense_indices.packed_accessor64<int64_t, 1>(),
      (offsets.size(0) - 1) / tables);
  return dense_indices;
}
} // namespace remapped_rows

// https://github.com/om-ai-lab/OmDet/issues/19
// The encoder feeds (batch, tokens, channels) into a MultiheadAttention that expects (tokens, batch, channels), so with more than one image every
// position attends over the images of the batch instead of over the tokens of its own image.
namespace batch_first {
namespace F = torch::nn::functional;

struct EncoderConfig {
  int64_t d_model = 256;
  int64_t n_heads = 8;
  int64_t ffn_dim = 1024;
  double dropout = 0.0;
  int64_t num_layers = 1;
};

struct HybridEncoderLayerImpl : torch::nn::Module {
  explicit HybridEncoderLayerImpl(const EncoderConfig& cfg) {
    self_attn = register_module(
        "self_attn",
        torch::nn::MultiheadAttention(
            torch::nn::MultiheadAttentionOptions(cfg.d_model, cfg.n_heads).dropout(cfg.dropout)));
    linear1 = register_module("linear1", torch::nn::Linear(cfg.d_model, cfg.ffn_dim));
    linear2 = register_module("linear2", torch::nn::Linear(cfg.ffn_dim, cfg.d_model));
    norm1 = register_module("norm1", torch::nn::LayerNorm(torch::nn::LayerNormOptions({cfg.d_model})));
    norm2 = register_module("norm2", torch::nn::LayerNorm(torch::nn::LayerNormOptions({cfg.d_model})));
    drop = register_module("drop", torch::nn::Dropout(cfg.dropout));
  }

  // src: [batch, h * w, d_model], pos: [1, h * w, d_model]
  torch::Tensor forward(const torch::Tensor& src, const torch::Tensor& pos) {
    auto qk = src + pos;
    auto attended = std::get<0>(self_attn->forward(qk, qk, src)); // missed: tensor-shape-mismatch
    auto x = norm1->forward(src + drop->forward(attended));
    auto y = linear2->forward(drop->forward(F::gelu(linear1->forward(x))));
    return norm2->forward(x + drop->forward(y));
  }

  torch::nn::MultiheadAttention self_attn{nullptr};
  torch::nn::Linear linear1{nullptr}, linear2{nullptr};
  torch::nn::LayerNorm norm1{nullptr}, norm2{nullptr};
  torch::nn::Dropout drop{nullptr};
};
TORCH_MODULE(HybridEncoderLayer);

struct PromptFusionImpl : torch::nn::Module {
  explicit PromptFusionImpl(const EncoderConfig& cfg) {
    attn = register_module("attn", torch::nn::MultiheadAttention(cfg.d_model, cfg.n_heads));
    norm = register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({cfg.d_model})));
  }

  // queries: [batch, n_queries, d_model], text: [batch, n_words, d_model]
  torch::Tensor forward(const torch::Tensor& queries, const torch::Tensor& text) {
    auto q = queries.transpose(0, 1);
    auto kv = text.transpose(0, 1);
    auto out = std::get<0>(attn->forward(q, kv, kv));
    return norm->forward(queries + out.transpose(0, 1));
  }

  torch::nn::MultiheadAttention attn{nullptr};
  torch::nn::LayerNorm norm{nullptr};
};
TORCH_MODULE(PromptFusion);

struct HybridEncoderImpl : torch::nn::Module {
  explicit HybridEncoderImpl(const EncoderConfig& cfg) {
    layers = register_module("layers", torch::nn::ModuleList());
    for (int64_t i = 0; i < cfg.num_layers; ++i) layers->push_back(HybridEncoderLayer(cfg));
  }

  torch::Tensor forward(const torch::Tensor& feature_map, const torch::Tensor& pos) {
    const auto h = feature_map.size(2), w = feature_map.size(3);
    auto tokens = feature_map.flatten(2).transpose(1, 2);
    for (auto& layer : *layers) tokens = layer->as<HybridEncoderLayer>()->forward(tokens, pos);
    return tokens.transpose(1, 2).reshape({feature_map.size(0), feature_map.size(1), h, w});
  }

  torch::nn::ModuleList layers{nullptr};
};
TORCH_MODULE(HybridEncoder);
} // namespace batch_first

// https://github.com/itakurah/focal-loss-pytorch/pull/5
// The sigmoid is applied before binary_cross_entropy_with_logits, which applies it again, so the loss sees probabilities squeezed into [0.5, 0.73]
// and never goes to zero.
namespace focal_loss {
namespace F = torch::nn::functional;

struct FocalOptions {
  double alpha = 0.25;
  double gamma = 2.0;
  bool average = true;
};

class MultiLabelFocalLoss {
 public:
  explicit MultiLabelFocalLoss(FocalOptions options) : options_(options) {}

  // logits, targets: [batch, classes]
  torch::Tensor operator()(const torch::Tensor& logits, const torch::Tensor& targets) const {
    auto labels = targets.to(logits.scalar_type());
    auto probs = torch::sigmoid(logits);
    auto ce = F::binary_cross_entropy_with_logits( // expect: tensor-value-domain
        probs, labels, F::BinaryCrossEntropyWithLogitsFuncOptions().reduction(torch::kNone));
    auto p_t = probs * labels + (1 - probs) * (1 - labels);
    auto loss = ce * (1 - p_t).pow(options_.gamma);
    if (options_.alpha >= 0) {
      auto alpha_t = options_.alpha * labels + (1 - options_.alpha) * (1 - labels);
      loss = alpha_t * loss;
    }
    return options_.average ? loss.mean() : loss.sum();
  }

 private:
  FocalOptions options_;
};

class SoftmaxFocalLoss {
 public:
  explicit SoftmaxFocalLoss(FocalOptions options, torch::Tensor class_weights = {})
      : options_(options), class_weights_(std::move(class_weights)) {}

  // logits: [batch, classes], targets: [batch] class ids
  torch::Tensor operator()(const torch::Tensor& logits, const torch::Tensor& targets) const {
    auto ce_options = F::CrossEntropyFuncOptions().reduction(torch::kNone);
    auto ce = F::cross_entropy(logits, targets, ce_options);
    auto p_t = torch::exp(-ce);
    auto loss = (1 - p_t).pow(options_.gamma) * ce;
    if (class_weights_.defined()) loss = loss * class_weights_.to(logits.device()).index_select(0, targets);
    return options_.average ? loss.mean() : loss.sum();
  }

 private:
  FocalOptions options_;
  torch::Tensor class_weights_;
};

double train_epoch(
    torch::nn::Sequential& model,
    torch::optim::Optimizer& optimizer,
    const std::vector<std::pair<torch::Tensor, torch::Tensor>>& batches,
    const MultiLabelFocalLoss& criterion) {
  model->train();
  double total = 0.0;
  for (const auto& [images, labels] : batches) {
    optimizer.zero_grad();
    auto loss = criterion(model->forward(images), labels);
    loss.backward();
    optimizer.step();
    total += loss.item<double>();
  }
  return batches.empty() ? 0.0 : total / static_cast<double>(batches.size());
}
} // namespace focal_loss

// https://github.com/lucidrains/byol-pytorch/issues/93
// zero_grad() is called between backward() and step(), so every optimizer step sees empty gradients and the online network is never trained.
namespace erased_gradients {
namespace F = torch::nn::functional;

struct TrainerOptions {
  double lr = 3e-4;
  double moving_average = 0.99;
  double grad_clip = 0.0;
};

torch::nn::Sequential make_mlp(int64_t in, int64_t hidden, int64_t out) {
  return torch::nn::Sequential(
      torch::nn::Linear(in, hidden),
      torch::nn::BatchNorm1d(hidden),
      torch::nn::ReLU(torch::nn::ReLUOptions(true)),
      torch::nn::Linear(hidden, out));
}

torch::Tensor cosine_regression(const torch::Tensor& prediction, const torch::Tensor& target) {
  auto p = F::normalize(prediction, F::NormalizeFuncOptions().dim(-1));
  auto z = F::normalize(target, F::NormalizeFuncOptions().dim(-1));
  return 2 - 2 * (p * z).sum(-1);
}

class ByolTrainer {
 public:
  ByolTrainer(int64_t in_dim, int64_t hidden, int64_t out_dim, TrainerOptions options)
      : options_(options),
        online_(make_mlp(in_dim, hidden, out_dim)),
        target_(make_mlp(in_dim, hidden, out_dim)),
        predictor_(make_mlp(out_dim, hidden, out_dim)),
        optimizer_(trainable(), torch::optim::AdamOptions(options.lr)) {
    for (auto& p : target_->parameters()) p.set_requires_grad(false);
    update_target(0.0);
  }

  double train_step(const torch::Tensor& view_a, const torch::Tensor& view_b) {
    auto pred_a = predictor_->forward(online_->forward(view_a));
    auto pred_b = predictor_->forward(online_->forward(view_b));
    torch::Tensor proj_a, proj_b;
    {
      torch::NoGradGuard no_grad;
      proj_a = target_->forward(view_a);
      proj_b = target_->forward(view_b);
    }
    auto loss = (cosine_regression(pred_a, proj_b) + cosine_regression(pred_b, proj_a)).mean();
    loss.backward();
    if (options_.grad_clip > 0) torch::nn::utils::clip_grad_norm_(trainable(), options_.grad_clip);
    optimizer_.zero_grad(); // expect: tensor-missing-gradient
    optimizer_.step();
    update_target(options_.moving_average);
    return loss.item<double>();
  }

  double fit_probe(torch::nn::Linear& probe, torch::optim::Optimizer& opt,
                   const torch::Tensor& x, const torch::Tensor& labels) {
    opt.zero_grad();
    torch::Tensor features;
    {
      torch::NoGradGuard no_grad;
      online_->eval();
      features = online_->forward(x);
      online_->train();
    }
    auto loss = F::cross_entropy(probe->forward(features), labels);
    loss.backward();
    opt.step();
    return loss.item<double>();
  }

 private:
  std::vector<torch::Tensor> trainable() const {
    auto params = online_->parameters();
    for (auto& p : predictor_->parameters()) params.push_back(p);
    return params;
  }

  void update_target(double decay) {
    torch::NoGradGuard no_grad;
    auto source = online_->parameters();
    auto dest = target_->parameters();
    for (size_t i = 0; i < dest.size(); ++i) dest[i].mul_(decay).add_(source[i], 1.0 - decay);
  }

  TrainerOptions options_;
  torch::nn::Sequential online_, target_, predictor_;
  torch::optim::Adam optimizer_;
};
} // namespace erased_gradients

// https://github.com/pfnet/pytorch-pfn-extras/issues/688
// The evaluation that runs in the middle of an epoch switches the model to eval mode and nothing switches it back, so the rest of the epoch trains
// without dropout and with frozen batch-norm statistics.
namespace evaluated_between {
namespace F = torch::nn::functional;

using Batch = std::pair<torch::Tensor, torch::Tensor>;
using BatchList = std::vector<Batch>;

struct ClassifierImpl : torch::nn::Module {
  ClassifierImpl(int64_t channels, int64_t classes)
      : conv(torch::nn::Conv2dOptions(3, channels, 3).padding(1).bias(false)),
        bn(channels),
        drop(0.5),
        fc(channels, classes) {
    register_module("conv", conv);
    register_module("bn", bn);
    register_module("drop", drop);
    register_module("fc", fc);
  }

  torch::Tensor forward(const torch::Tensor& x) {
    auto h = torch::relu(bn->forward(conv->forward(x)));
    return fc->forward(drop->forward(h.mean({2, 3})));
  }

  torch::nn::Conv2d conv;
  torch::nn::BatchNorm2d bn;
  torch::nn::Dropout drop;
  torch::nn::Linear fc;
};
TORCH_MODULE(Classifier);

class TrainLoop {
 public:
  TrainLoop(Classifier model, torch::optim::Optimizer& optimizer, int64_t eval_interval)
      : model_(std::move(model)), optimizer_(optimizer), eval_interval_(eval_interval) {}

  void run(const BatchList& train_set, const BatchList& val_set, int64_t epochs) {
    for (int64_t epoch = 0; epoch < epochs; ++epoch) {
      model_->train();
      for (const auto& batch : train_set) {
        optimizer_.zero_grad();
        auto loss = F::cross_entropy(model_->forward(batch.first), batch.second);
        loss.backward();
        optimizer_.step();
        if (++iteration_ % eval_interval_ == 0) {
          std::cout << "iter " << iteration_ << " accuracy " << evaluate(val_set) << "\n";
        }
      }
    }
  }

  double evaluate(const BatchList& val_set) {
    torch::NoGradGuard no_grad;
    model_->eval(); // expect: tensor-missing-gradient
    int64_t correct = 0, seen = 0;
    for (const auto& [x, y] : val_set) {
      correct += model_->forward(x).argmax(1).eq(y).sum().item<int64_t>();
      seen += y.size(0);
    }
    return seen == 0 ? 0.0 : static_cast<double>(correct) / static_cast<double>(seen);
  }

  torch::Tensor predict(const torch::Tensor& images) {
    torch::NoGradGuard no_grad;
    const bool was_training = model_->is_training();
    model_->eval();
    auto probs = torch::softmax(model_->forward(images), 1);
    model_->train(was_training);
    return probs;
  }

 private:
  Classifier model_;
  torch::optim::Optimizer& optimizer_;
  int64_t eval_interval_;
  int64_t iteration_ = 0;
};
} // namespace evaluated_between

// https://github.com/ultralytics/ultralytics/pull/17864
// The captured frame is in BGR order but is handed to a detector trained on RGB without swapping the channels, so boxes and classes are wrong for
// coloured objects.
namespace channel_order {
namespace F = torch::nn::functional;

// 8 bit, three interleaved channels in the order blue, green, red (what the capture backend delivers)
struct BgrFrame {
  int64_t height = 0;
  int64_t width = 0;
  std::vector<uint8_t> pixels;
};

struct Letterbox {
  double scale = 1.0;
  int64_t pad_x = 0;
  int64_t pad_y = 0;
};

torch::Tensor resize_and_pad(const torch::Tensor& image, int64_t size, Letterbox& info) {
  const auto h = image.size(2), w = image.size(3);
  info.scale = std::min(static_cast<double>(size) / h, static_cast<double>(size) / w);
  const auto nh = static_cast<int64_t>(h * info.scale), nw = static_cast<int64_t>(w * info.scale);
  info.pad_x = (size - nw) / 2;
  info.pad_y = (size - nh) / 2;
  auto resized = F::interpolate(
      image,
      F::InterpolateFuncOptions().size(std::vector<int64_t>{nh, nw}).mode(torch::kBilinear).align_corners(false));
  return F::pad(resized, F::PadFuncOptions({info.pad_x, size - nw - info.pad_x, info.pad_y, size - nh - info.pad_y})
                             .value(114.0 / 255.0));
}

class Detector {
 public:
  Detector(const std::string& weights, int64_t input_size, torch::Device device)
      : module_(torch::jit::load(weights, device)), input_size_(input_size), device_(device) {
    module_.eval();
  }

  torch::Tensor detect(BgrFrame& frame, double conf_threshold) {
    torch::NoGradGuard no_grad;
    auto image = torch::from_blob(frame.pixels.data(), {frame.height, frame.width, 3}, torch::kByte)
                     .to(device_, torch::kFloat32)
                     .permute({2, 0, 1}) // missed: tensor-value-domain
                     .unsqueeze(0)
                     .div(255.0);
    Letterbox info;
    auto input = resize_and_pad(image, input_size_, info);
    auto pred = module_.forward({input}).toTensor().squeeze(0).transpose(0, 1);  // [anchors, 4 + classes]
    auto scores = pred.slice(1, 4).amax(1);
    auto keep = scores > conf_threshold;
    auto boxes = pred.index({keep}).slice(1, 0, 4);
    auto shift = torch::tensor({info.pad_x, info.pad_y, int64_t{0}, int64_t{0}}, boxes.options());
    return torch::cat({(boxes - shift) / info.scale, scores.index({keep}).unsqueeze(1)}, 1);
  }

  // appearance embedding of one crop, for the tracker
  torch::Tensor embed(BgrFrame& crop, torch::jit::Module& reid) {
    torch::NoGradGuard no_grad;
    auto rgb = torch::from_blob(crop.pixels.data(), {crop.height, crop.width, 3}, torch::kByte).flip({2});
    auto image = rgb.to(device_, torch::kFloat32).permute({2, 0, 1}).unsqueeze(0).div(255.0);
    return F::normalize(reid.forward({image}).toTensor(), F::NormalizeFuncOptions().dim(1));
  }

 private:
  torch::jit::Module module_;
  int64_t input_size_;
  torch::Device device_;
};
} // namespace channel_order

// https://github.com/huggingface/transformers/pull/37830
// The logits and labels are shifted by one before they go to a loss helper that shifts them again, so the model is trained to predict the token after
// the next one.
namespace shifted_twice {
namespace F = torch::nn::functional;
using torch::indexing::None;
using torch::indexing::Slice;

struct LmConfig {
  int64_t vocab_size = 32000;
  int64_t hidden = 768;
  int64_t num_layers = 12;
  int64_t ignore_index = -100;
  double aux_loss_coef = 0.01;
};

// logits: [batch, seq, vocab], labels: [batch, seq] aligned with the inputs
torch::Tensor causal_lm_loss(const torch::Tensor& logits, const torch::Tensor& labels, const LmConfig& cfg) {
  auto scores = logits.to(torch::kFloat32).index({Slice(), Slice(None, -1)}).contiguous();
  auto targets = labels.index({Slice(), Slice(1, None)}).contiguous();
  return F::cross_entropy(
      scores.view({-1, cfg.vocab_size}),
      targets.view({-1}).to(scores.device()),
      F::CrossEntropyFuncOptions().ignore_index(cfg.ignore_index));
}

struct LmOutput {
  torch::Tensor logits;
  torch::Tensor loss;
};

struct DenseCausalLmImpl : torch::nn::Module {
  explicit DenseCausalLmImpl(const LmConfig& cfg) : cfg(cfg) {
    embed = register_module("embed", torch::nn::Embedding(cfg.vocab_size, cfg.hidden));
    body = register_module(
        "body", torch::nn::GRU(torch::nn::GRUOptions(cfg.hidden, cfg.hidden).num_layers(cfg.num_layers).batch_first(true)));
    head = register_module("head", torch::nn::Linear(torch::nn::LinearOptions(cfg.hidden, cfg.vocab_size).bias(false)));
  }

  LmOutput forward(const torch::Tensor& ids, const torch::Tensor& labels = {}) {
    LmOutput out;
    out.logits = head->forward(std::get<0>(body->forward(embed->forward(ids))));
    if (labels.defined()) out.loss = causal_lm_loss(out.logits, labels, cfg);
    return out;
  }

  LmConfig cfg;
  torch::nn::Embedding embed{nullptr};
  torch::nn::GRU body{nullptr};
  torch::nn::Linear head{nullptr};
};
TORCH_MODULE(DenseCausalLm);

struct MoeCausalLmImpl : torch::nn::Module {
  explicit MoeCausalLmImpl(const LmConfig& cfg) : cfg(cfg) {
    backbone = register_module("backbone", DenseCausalLm(cfg));
    router = register_module("router", torch::nn::Linear(cfg.vocab_size, 8));
  }

  LmOutput forward(const torch::Tensor& ids, const torch::Tensor& labels = {}) {
    LmOutput out;
    out.logits = backbone->forward(ids).logits;
    if (labels.defined()) {
      auto shift_logits = out.logits.index({Slice(), Slice(None, -1)}).contiguous();
      auto shift_labels = labels.index({Slice(), Slice(1, None)}).contiguous();
      out.loss = causal_lm_loss(shift_logits, shift_labels, cfg); // missed: tensor-value-domain
      auto gate = torch::softmax(router->forward(out.logits), -1);
      out.loss = out.loss + cfg.aux_loss_coef * gate.flatten(0, 1).mean(0).pow(2).sum() * gate.size(-1);
    }
    return out;
  }

  LmConfig cfg;
  DenseCausalLm backbone{nullptr};
  torch::nn::Linear router{nullptr};
};
TORCH_MODULE(MoeCausalLm);

double perplexity(DenseCausalLm& model, const torch::Tensor& ids) {
  torch::NoGradGuard no_grad;
  return std::exp(model->forward(ids, ids).loss.item<double>());
}
} // namespace shifted_twice

// https://github.com/pytorch/pytorch/pull/134106
// The mean of squares is computed in half precision: activations above 256 overflow to infinity when squared and the normalised row becomes zero.
namespace half_squares {
struct DecoderConfig {
  int64_t hidden_size = 4096;
  int64_t intermediate_size = 11008;
  double rms_norm_eps = 1e-6;
  torch::ScalarType dtype = torch::kHalf;
};

struct RmsNormImpl : torch::nn::Module {
  RmsNormImpl(int64_t size, double eps) : eps(eps) {
    weight = register_parameter("weight", torch::ones({size}));
  }

  torch::Tensor forward(const torch::Tensor& hidden) {
    auto mean_square = hidden.pow(2).mean(-1, /*keepdim=*/true); // missed: tensor-value-domain
    return hidden * torch::rsqrt(mean_square + eps) * weight;
  }

  double eps;
  torch::Tensor weight;
};
TORCH_MODULE(RmsNorm);

// per-head normalisation of queries and keys
struct QkNormImpl : torch::nn::Module {
  QkNormImpl(int64_t head_dim, double eps) : eps(eps) {
    scale = register_parameter("scale", torch::ones({head_dim}));
  }

  torch::Tensor forward(const torch::Tensor& x) {
    auto wide = x.to(torch::kFloat32);
    auto inv = torch::rsqrt(wide.pow(2).mean(-1, /*keepdim=*/true) + eps);
    return scale * (wide * inv).to(x.scalar_type());
  }

  double eps;
  torch::Tensor scale;
};
TORCH_MODULE(QkNorm);

struct GatedMlpImpl : torch::nn::Module {
  explicit GatedMlpImpl(const DecoderConfig& cfg) {
    using torch::nn::LinearOptions;
    gate = register_module("gate", torch::nn::Linear(LinearOptions(cfg.hidden_size, cfg.intermediate_size).bias(false)));
    up = register_module("up", torch::nn::Linear(LinearOptions(cfg.hidden_size, cfg.intermediate_size).bias(false)));
    down = register_module("down", torch::nn::Linear(LinearOptions(cfg.intermediate_size, cfg.hidden_size).bias(false)));
  }

  torch::Tensor forward(const torch::Tensor& x) {
    return down->forward(torch::silu(gate->forward(x)) * up->forward(x));
  }

  torch::nn::Linear gate{nullptr}, up{nullptr}, down{nullptr};
};
TORCH_MODULE(GatedMlp);

struct DecoderBlockImpl : torch::nn::Module {
  explicit DecoderBlockImpl(const DecoderConfig& cfg) {
    norm = register_module("norm", RmsNorm(cfg.hidden_size, cfg.rms_norm_eps));
    mlp = register_module("mlp", GatedMlp(cfg));
  }

  torch::Tensor forward(const torch::Tensor& x) { return x + mlp->forward(norm->forward(x)); }

  RmsNorm norm{nullptr};
  GatedMlp mlp{nullptr};
};
TORCH_MODULE(DecoderBlock);

DecoderBlock load_block(const DecoderConfig& cfg, const std::string& path, torch::Device device) {
  DecoderBlock block(cfg);
  torch::load(block, path);
  block->to(device, cfg.dtype);
  block->eval();
  return block;
}
} // namespace half_squares

// https://github.com/reservoirpy/reservoirpy/issues/97
// The noise helper builds a new generator from the same seed at every call, so each time step of the reservoir receives the identical "random"
// vector.
namespace noise_of_calls {
struct ReservoirOptions {
  int64_t units = 500;
  int64_t inputs = 1;
  double leak_rate = 0.3;
  double spectral_radius = 0.9;
  double input_scaling = 1.0;
  double connectivity = 0.1;
  double noise_in = 0.0;
  double noise_rc = 0.0;
  uint64_t seed = 1234;
};

class NoiseSource {
 public:
  NoiseSource(uint64_t seed, double gain) : seed_(seed), gain_(gain) {}

  torch::Tensor sample(c10::IntArrayRef shape, const torch::TensorOptions& options) const {
    if (gain_ <= 0.0) return torch::zeros(shape, options);
    auto generator = at::detail::createCPUGenerator(seed_); // missed: tensor-allocation-in-loop
    return gain_ * torch::randn(shape, generator, options);
  }

 private:
  uint64_t seed_;
  double gain_;
};

std::pair<torch::Tensor, torch::Tensor> make_weights(const ReservoirOptions& opt) {
  auto generator = at::detail::createCPUGenerator(opt.seed);
  auto w_in = opt.input_scaling * (2 * torch::rand({opt.units, opt.inputs}, generator, torch::kFloat64) - 1);
  auto w = torch::randn({opt.units, opt.units}, generator, torch::kFloat64);
  auto kept = torch::rand({opt.units, opt.units}, generator, torch::kFloat64) < opt.connectivity;
  w = w * kept.to(torch::kFloat64);
  auto radius = torch::linalg_eigvals(w).abs().max();
  return {w_in, w * (opt.spectral_radius / radius.item<double>())};
}

class Reservoir {
 public:
  explicit Reservoir(const ReservoirOptions& opt)
      : opt_(opt), input_noise_(opt.seed + 1, opt.noise_in), state_noise_(opt.seed + 2, opt.noise_rc) {
    std::tie(w_in_, w_) = make_weights(opt);
    reset();
  }

  void reset() { state_ = torch::zeros({opt_.units}, torch::kFloat64); }

  torch::Tensor step(const torch::Tensor& u) {
    auto x = u.to(torch::kFloat64);
    auto noisy_in = x + input_noise_.sample(x.sizes(), x.options());
    auto pre = torch::mv(w_, state_) + torch::mv(w_in_, noisy_in);
    auto next = torch::tanh(pre) + state_noise_.sample(state_.sizes(), state_.options());
    state_ = (1 - opt_.leak_rate) * state_ + opt_.leak_rate * next;
    return state_;
  }

  // series: [time, inputs] -> [time, units]
  torch::Tensor run(const torch::Tensor& series) {
    auto states = torch::empty({series.size(0), opt_.units}, torch::kFloat64);
    for (int64_t t = 0; t < series.size(0); ++t) states[t].copy_(step(series[t]));
    return states;
  }

 private:
  ReservoirOptions opt_;
  NoiseSource input_noise_, state_noise_;
  torch::Tensor w_in_, w_, state_;
};

torch::Tensor fit_ridge(const torch::Tensor& states, const torch::Tensor& targets, double ridge) {
  auto gram = states.t().mm(states) + ridge * torch::eye(states.size(1), states.options());
  return torch::linalg_solve(gram, states.t().mm(targets.to(states.scalar_type())));
}
} // namespace noise_of_calls

// https://github.com/hyprstream/hyprstream/pull/1521
// The causal mask for a multi-token forward on a filled KV cache is not offset by the number of cached keys, so the new tokens see only the first few
// keys and the prompt history is masked out.
namespace offset_mask {
struct AttentionConfig {
  int64_t hidden = 2048;
  int64_t heads = 16;
  int64_t window = 0;
  int64_t head_dim() const { return hidden / heads; }
};

struct KvCache {
  torch::Tensor keys, values;

  int64_t length() const { return keys.defined() ? keys.size(2) : 0; }

  void append(const torch::Tensor& k, const torch::Tensor& v) {
    keys = keys.defined() ? torch::cat({keys, k}, 2) : k;
    values = values.defined() ? torch::cat({values, v}, 2) : v;
  }
};

torch::Tensor causal_bias(int64_t q_len, int64_t kv_len, const torch::TensorOptions& options) {
  auto allowed = torch::ones({q_len, kv_len}, options.dtype(torch::kBool)).tril(); // missed: tensor-value-domain
  auto bias = torch::zeros({q_len, kv_len}, options);
  return bias.masked_fill(allowed.logical_not(), -std::numeric_limits<float>::infinity());
}

torch::Tensor sliding_bias(int64_t start, int64_t q_len, int64_t kv_len, int64_t window,
                           const torch::TensorOptions& options) {
  auto rows = torch::arange(start, start + q_len, options.dtype(torch::kLong)).unsqueeze(1);
  auto cols = torch::arange(kv_len, options.dtype(torch::kLong)).unsqueeze(0);
  auto hidden = (cols > rows).logical_or(cols <= rows - window);
  return torch::zeros({q_len, kv_len}, options).masked_fill(hidden, -std::numeric_limits<float>::infinity());
}

struct SelfAttentionImpl : torch::nn::Module {
  explicit SelfAttentionImpl(const AttentionConfig& cfg) : cfg(cfg) {
    qkv = register_module("qkv", torch::nn::Linear(cfg.hidden, 3 * cfg.hidden));
    out = register_module("out", torch::nn::Linear(cfg.hidden, cfg.hidden));
  }

  torch::Tensor forward(const torch::Tensor& x, KvCache& cache) {
    const auto batch = x.size(0), q_len = x.size(1);
    auto parts = qkv->forward(x).view({batch, q_len, 3, cfg.heads, cfg.head_dim()}).permute({2, 0, 3, 1, 4});
    const auto start = cache.length();
    cache.append(parts[1], parts[2]);
    auto scores = torch::matmul(parts[0], cache.keys.transpose(-2, -1)) / std::sqrt(double(cfg.head_dim()));
    if (q_len > 1) {
      const auto kv_len = cache.length();
      auto bias = cfg.window > 0 ? sliding_bias(start, q_len, kv_len, cfg.window, scores.options())
                                 : causal_bias(q_len, kv_len, scores.options());
      scores = scores + bias;
    }
    auto context = torch::matmul(torch::softmax(scores, -1), cache.values);
    return out->forward(context.transpose(1, 2).reshape({batch, q_len, cfg.hidden}));
  }

  AttentionConfig cfg;
  torch::nn::Linear qkv{nullptr}, out{nullptr};
};
TORCH_MODULE(SelfAttention);

torch::Tensor prefill(SelfAttention& layer, const torch::Tensor& prompt, KvCache& cache, int64_t chunk) {
  torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> outputs;
  for (const auto& piece : prompt.split(chunk, 1)) outputs.push_back(layer->forward(piece, cache));
  return torch::cat(outputs, 1);
}
} // namespace offset_mask

// https://github.com/lucidrains/halonet-pytorch/pull/6
// The unfolded mask is one on real pixels, and masked_fill blocks exactly those, so the attention of border blocks goes to the zero padding only.
namespace inverted_halo {
namespace F = torch::nn::functional;

struct HaloOptions {
  int64_t dim = 64;
  int64_t block = 8;
  int64_t halo = 4;
  int64_t heads = 4;
  int64_t head_dim = 16;
};

struct HaloAttentionImpl : torch::nn::Module {
  explicit HaloAttentionImpl(const HaloOptions& o) : opt(o) {
    const auto inner = o.heads * o.head_dim;
    to_q = register_module("to_q", torch::nn::Linear(torch::nn::LinearOptions(o.dim, inner).bias(false)));
    to_kv = register_module("to_kv", torch::nn::Linear(torch::nn::LinearOptions(o.dim, 2 * inner).bias(false)));
    to_out = register_module("to_out", torch::nn::Linear(inner, o.dim));
  }

  torch::Tensor forward(const torch::Tensor& x) {
    const auto b = x.size(0), h = x.size(2), w = x.size(3);
    TORCH_CHECK(h % opt.block == 0 && w % opt.block == 0, "feature map must be divisible by the block size");
    auto blocks = tokens(x, opt.block, 0);
    auto windows = tokens(x, opt.block + 2 * opt.halo, opt.halo);

    auto q = split_heads(to_q->forward(blocks)) * (1.0 / std::sqrt(double(opt.head_dim)));
    auto kv = to_kv->forward(windows).chunk(2, -1);
    auto sim = torch::matmul(q, split_heads(kv[0]).transpose(-2, -1));

    auto mask = tokens(torch::ones({1, 1, h, w}, x.options()), opt.block + 2 * opt.halo, opt.halo);
    mask = mask.squeeze(-1).repeat({b, 1}).unsqueeze(1).unsqueeze(1);
    sim = sim.masked_fill(mask.to(torch::kBool), -std::numeric_limits<float>::max()); // missed: tensor-value-domain

    auto out = torch::matmul(torch::softmax(sim, -1), split_heads(kv[1]));
    out = to_out->forward(out.transpose(1, 2).flatten(2));
    const auto n = (h / opt.block) * (w / opt.block), area = opt.block * opt.block;
    auto columns = out.view({b, n, area, opt.dim}).permute({0, 3, 2, 1}).reshape({b, opt.dim * area, n});
    return F::fold(columns, F::FoldFuncOptions({h, w}, {opt.block, opt.block}).stride({opt.block, opt.block}));
  }

  // [b, c, h, w] -> [b * n_blocks, kernel * kernel, c]
  torch::Tensor tokens(const torch::Tensor& x, int64_t kernel, int64_t padding) const {
    const auto c = x.size(1);
    auto cols = F::unfold(x, F::UnfoldFuncOptions({kernel, kernel}).stride({opt.block, opt.block}).padding({padding, padding}));
    const auto n = cols.size(2);
    return cols.view({x.size(0), c, kernel * kernel, n}).permute({0, 3, 2, 1}).reshape({x.size(0) * n, kernel * kernel, c});
  }

  torch::Tensor split_heads(const torch::Tensor& t) const {
    return t.view({t.size(0), t.size(1), opt.heads, opt.head_dim}).transpose(1, 2);
  }

  HaloOptions opt;
  torch::nn::Linear to_q{nullptr}, to_kv{nullptr}, to_out{nullptr};
};
TORCH_MODULE(HaloAttention);

// pooled: [batch, regions, dim], valid: [batch, regions] with one for regions that exist
torch::Tensor attend_regions(const torch::Tensor& query, const torch::Tensor& pooled, const torch::Tensor& valid) {
  auto sim = torch::bmm(query, pooled.transpose(1, 2)) / std::sqrt(double(query.size(-1)));
  auto blocked = valid.to(torch::kBool).logical_not().unsqueeze(1);
  sim = sim.masked_fill(blocked, -std::numeric_limits<float>::max());
  return torch::bmm(torch::softmax(sim, -1), pooled);
}
} // namespace inverted_halo

// https://github.com/jsboige/CoursIA/issues/15045
// The sentence embedding is the plain mean over all positions of the padded batch, so padding tokens enter the average and a sentence gets a
// different vector depending on the length of its neighbours.
namespace pooled_padding {
namespace F = torch::nn::functional;

struct EncoderOptions {
  int64_t vocab = 30522;
  int64_t dim = 384;
  int64_t heads = 12;
  int64_t layers = 6;
  int64_t max_len = 512;
  int64_t pad_id = 0;
};

enum class Pooling { kMean, kMax, kFirst };

struct TokenBatch {
  torch::Tensor ids;   // [batch, len]
  torch::Tensor mask;  // [batch, len], one on tokens
};

TokenBatch collate(const std::vector<std::vector<int64_t>>& sentences, const EncoderOptions& opt) {
  std::vector<torch::Tensor> rows, ones;
  for (const auto& s : sentences) {
    auto row = torch::tensor(s, torch::kLong).slice(0, 0, opt.max_len);
    rows.push_back(row);
    ones.push_back(torch::ones_like(row));
  }
  return {torch::nn::utils::rnn::pad_sequence(rows, true, static_cast<double>(opt.pad_id)),
          torch::nn::utils::rnn::pad_sequence(ones, true, 0.0)};
}

struct SentenceEncoderImpl : torch::nn::Module {
  explicit SentenceEncoderImpl(const EncoderOptions& o) : opt(o) {
    tokens = register_module("tokens", torch::nn::Embedding(torch::nn::EmbeddingOptions(o.vocab, o.dim).padding_idx(o.pad_id)));
    positions = register_module("positions", torch::nn::Embedding(o.max_len, o.dim));
    auto layer = torch::nn::TransformerEncoderLayer(
        torch::nn::TransformerEncoderLayerOptions(o.dim, o.heads).dim_feedforward(4 * o.dim).activation(torch::kGELU));
    body = register_module("body", torch::nn::TransformerEncoder(torch::nn::TransformerEncoderOptions(layer, o.layers)));
  }

  // [batch, len, dim]
  torch::Tensor hidden_states(const TokenBatch& batch) {
    auto index = torch::arange(batch.ids.size(1), batch.ids.options());
    auto x = tokens->forward(batch.ids) + positions->forward(index).unsqueeze(0);
    auto padding = batch.mask.eq(0);
    return body->forward(x.transpose(0, 1), {}, padding).transpose(0, 1);
  }

  torch::Tensor embed(const TokenBatch& batch, Pooling pooling) {
    auto hidden = hidden_states(batch);
    torch::Tensor pooled;
    switch (pooling) {
      case Pooling::kMean:
        pooled = hidden.mean(1); // missed: tensor-value-domain
        break;
      case Pooling::kMax:
        pooled = hidden.masked_fill(batch.mask.eq(0).unsqueeze(-1), -std::numeric_limits<float>::infinity()).amax(1);
        break;
      case Pooling::kFirst:
        pooled = hidden.select(1, 0);
        break;
    }
    return F::normalize(pooled, F::NormalizeFuncOptions().dim(1));
  }

  EncoderOptions opt;
  torch::nn::Embedding tokens{nullptr}, positions{nullptr};
  torch::nn::TransformerEncoder body{nullptr};
};
TORCH_MODULE(SentenceEncoder);

torch::Tensor similarity(SentenceEncoder& encoder, const std::vector<std::vector<int64_t>>& a,
                         const std::vector<std::vector<int64_t>>& b) {
  torch::NoGradGuard no_grad;
  encoder->eval();
  auto left = encoder->embed(collate(a, encoder->opt), Pooling::kMean);
  auto right = encoder->embed(collate(b, encoder->opt), Pooling::kMean);
  return left.mm(right.t());
}
} // namespace pooled_padding

// https://github.com/omertov/encoder4editing/pull/100
// squeeze() without a dimension also removes the batch dimension when a single image is encoded, so the styles are stacked along the wrong axis and
// the rest of the code breaks.
namespace squeezed_batch {
namespace F = torch::nn::functional;

struct EncoderSettings {
  int64_t in_channels = 3;
  int64_t width = 64;
  int64_t style_dim = 512;
  int64_t image_size = 1024;
  int64_t num_styles() const { return 2 * static_cast<int64_t>(std::log2(image_size)) - 2; }
};

struct StyleHeadImpl : torch::nn::Module {
  StyleHeadImpl(int64_t in, int64_t out) {
    conv1 = register_module("conv1", torch::nn::Conv2d(torch::nn::Conv2dOptions(in, out, 3).stride(2).padding(1)));
    conv2 = register_module("conv2", torch::nn::Conv2d(torch::nn::Conv2dOptions(out, out, 3).stride(2).padding(1)));
    linear = register_module("linear", torch::nn::Linear(out, out));
  }

  // [batch, in, h, w] -> [batch, out]
  torch::Tensor forward(const torch::Tensor& features) {
    auto x = torch::leaky_relu(conv1->forward(features), 0.2);
    x = torch::leaky_relu(conv2->forward(x), 0.2);
    x = torch::adaptive_avg_pool2d(x, {1, 1});
    return linear->forward(x.squeeze()); // missed: tensor-shape-mismatch
  }

  torch::nn::Conv2d conv1{nullptr}, conv2{nullptr};
  torch::nn::Linear linear{nullptr};
};
TORCH_MODULE(StyleHead);

struct StyleEncoderImpl : torch::nn::Module {
  explicit StyleEncoderImpl(const EncoderSettings& s) : settings(s) {
    stem = register_module("stem", torch::nn::Conv2d(torch::nn::Conv2dOptions(s.in_channels, s.width, 7).stride(4).padding(3)));
    body = register_module("body", torch::nn::Conv2d(torch::nn::Conv2dOptions(s.width, s.width, 3).stride(2).padding(1)));
    heads = register_module("heads", torch::nn::ModuleList());
    for (int64_t i = 0; i < s.num_styles(); ++i) heads->push_back(StyleHead(s.width, s.style_dim));
    latent_avg = register_buffer("latent_avg", torch::zeros({s.num_styles(), s.style_dim}));
  }

  // first style for all layers, the others as offsets from it up to `stage`; returns [batch, styles, style_dim]
  torch::Tensor forward(const torch::Tensor& images, int64_t stage) {
    auto features = torch::relu(body->forward(torch::relu(stem->forward(images))));
    std::vector<torch::Tensor> codes;
    auto w0 = heads[0]->as<StyleHead>()->forward(features);
    for (int64_t i = 0; i < settings.num_styles(); ++i) {
      codes.push_back(i == 0 || i > stage ? w0 : w0 + heads[i]->as<StyleHead>()->forward(features));
    }
    return torch::stack(codes, 1) + latent_avg.unsqueeze(0);
  }

  EncoderSettings settings;
  torch::nn::Conv2d stem{nullptr}, body{nullptr};
  torch::nn::ModuleList heads{nullptr};
  torch::Tensor latent_avg;
};
TORCH_MODULE(StyleEncoder);

struct LatentCriticImpl : torch::nn::Module {
  explicit LatentCriticImpl(const EncoderSettings& s) {
    net = register_module("net", torch::nn::Sequential(torch::nn::Linear(s.style_dim, s.style_dim), torch::nn::LeakyReLU(),
                                                       torch::nn::Linear(s.style_dim, 1)));
  }

  // one logit per latent: [n, style_dim] -> [n]
  torch::Tensor forward(const torch::Tensor& w) { return net->forward(w).squeeze(1); }

  torch::nn::Sequential net{nullptr};
};
TORCH_MODULE(LatentCritic);

torch::Tensor invert(StyleEncoder& encoder, const torch::Tensor& image) {
  torch::NoGradGuard no_grad;
  encoder->eval();
  const auto stage = encoder->settings.num_styles() - 1;
  return encoder->forward(image.dim() == 3 ? image.unsqueeze(0) : image, stage).squeeze(0);
}
} // namespace squeezed_batch

// https://github.com/tenstorrent/tt-metal/pull/28604
// The input is expanded to four dimensions for the kernel but the requested dim is passed on unchanged, so for tensors with fewer dimensions the
// softmax runs over the wrong axis.
namespace expanded_dim {
// kernels for contiguous four-dimensional tensors, dim in [0, 3]
void launch_softmax_4d(const at::Tensor& input, at::Tensor& output, int64_t dim, bool stable);
void launch_softmax_backward_4d(const at::Tensor& grad, const at::Tensor& output, at::Tensor& grad_input, int64_t dim);

namespace {

constexpr int64_t kKernelRank = 4;

at::Tensor to_4d(const at::Tensor& t) {
  std::vector<int64_t> shape(kKernelRank - t.dim(), 1);
  shape.insert(shape.end(), t.sizes().begin(), t.sizes().end());
  return t.contiguous().view(shape);
}

void check_input(const at::Tensor& t) {
  TORCH_CHECK(t.dim() >= 1 && t.dim() <= kKernelRank, "softmax: expected 1 to 4 dimensions, got ", t.dim());
  TORCH_CHECK(t.is_floating_point(), "softmax: expected a floating point tensor");
}

int64_t wrap_dim(int64_t dim, int64_t rank) {
  TORCH_CHECK(dim >= -rank && dim < rank, "softmax: dimension ", dim, " out of range for rank ", rank);
  return dim < 0 ? dim + rank : dim;
}

}  // namespace

at::Tensor softmax_forward(const at::Tensor& input, int64_t dim, bool stable) {
  check_input(input);
  const auto axis = wrap_dim(dim, input.dim());
  auto expanded = to_4d(input);
  auto output = at::empty_like(expanded);
  launch_softmax_4d(expanded, output, axis, stable); // missed: tensor-shape-mismatch
  return output.view(input.sizes());
}

at::Tensor softmax_backward(const at::Tensor& grad, const at::Tensor& output, int64_t dim) {
  check_input(output);
  TORCH_CHECK(grad.sizes() == output.sizes(), "softmax backward: shape mismatch");
  const auto axis = wrap_dim(dim, output.dim()) + kKernelRank - output.dim();
  auto grad_4d = to_4d(grad);
  auto output_4d = to_4d(output);
  auto grad_input = at::empty_like(output_4d);
  launch_softmax_backward_4d(grad_4d, output_4d, grad_input, axis);
  return grad_input.view(output.sizes());
}

class SoftmaxFunction : public torch::autograd::Function<SoftmaxFunction> {
 public:
  static at::Tensor forward(torch::autograd::AutogradContext* ctx, const at::Tensor& input, int64_t dim, bool stable) {
    auto output = softmax_forward(input, dim, stable);
    ctx->save_for_backward({output});
    ctx->saved_data["dim"] = dim;
    return output;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* ctx,
                                                 torch::autograd::variable_list grads) {
    auto output = ctx->get_saved_variables()[0];
    auto grad_input = softmax_backward(grads[0], output, ctx->saved_data["dim"].toInt());
    return {grad_input, at::Tensor(), at::Tensor()};
  }
};

at::Tensor device_softmax(const at::Tensor& input, int64_t dim) {
  return SoftmaxFunction::apply(input, dim, /*stable=*/true);
}

TORCH_LIBRARY(device_ops, m) {
  m.def("softmax(Tensor input, int dim) -> Tensor", &device_softmax);
}
} // namespace expanded_dim

// https://github.com/LianpoWang/SLIIF/issues/13
// The residual branches are kept in a plain vector and never registered, so their weights are missing from parameters(): they are not trained, not
// moved to the device and not saved.
namespace residual_branches {
namespace F = torch::nn::functional;

struct DecoderOptions {
  int64_t feature_dim = 580;
  int64_t out_dim = 3;
  int64_t branches = 10;
  std::vector<int64_t> hidden = {256, 256, 256};
  std::vector<int64_t> coord_hidden = {64, 64};
  double lr = 1e-4;
};

torch::nn::Sequential build_mlp(int64_t in, const std::vector<int64_t>& hidden, int64_t out) {
  torch::nn::Sequential net;
  auto last = in;
  for (auto width : hidden) {
    net->push_back(torch::nn::Linear(last, width));
    net->push_back(torch::nn::ReLU());
    last = width;
  }
  net->push_back(torch::nn::Linear(last, out));
  return net;
}

struct ResidualMlpImpl : torch::nn::Module {
  ResidualMlpImpl(int64_t in, const std::vector<int64_t>& hidden, int64_t out) {
    body = register_module("body", build_mlp(in, hidden, out));
    skip = register_module("skip", torch::nn::Linear(in, out));
  }

  torch::Tensor forward(const torch::Tensor& x) { return body->forward(x) + skip->forward(x); }

  torch::nn::Sequential body{nullptr};
  torch::nn::Linear skip{nullptr};
};
TORCH_MODULE(ResidualMlp);

struct ImplicitDecoderImpl : torch::nn::Module {
  explicit ImplicitDecoderImpl(const DecoderOptions& o) {
    coord_net = register_module("coord_net", build_mlp(2, o.coord_hidden, o.feature_dim));
    for (int64_t i = 0; i < o.branches; ++i) {
      branches.push_back(ResidualMlp(o.feature_dim, o.hidden, o.out_dim)); // expect: tensor-missing-gradient
    }
    gate = register_module("gate", torch::nn::Linear(o.feature_dim, o.branches));
    refine = register_module("refine", torch::nn::ModuleList());
    for (size_t i = 0; i < o.coord_hidden.size(); ++i) refine->push_back(torch::nn::Linear(o.out_dim, o.out_dim));
  }

  // features: [points, feature_dim], coords: [points, 2]
  torch::Tensor forward(const torch::Tensor& features, const torch::Tensor& coords) {
    auto x = features * torch::sigmoid(coord_net->forward(coords));
    std::vector<torch::Tensor> outputs;
    outputs.reserve(branches.size());
    for (auto& branch : branches) outputs.push_back(branch->forward(x));
    auto weights = torch::softmax(gate->forward(x), 1).unsqueeze(2);
    auto rgb = (torch::stack(outputs, 1) * weights).sum(1);
    for (auto& layer : *refine) rgb = rgb + torch::tanh(layer->as<torch::nn::Linear>()->forward(rgb));
    return rgb;
  }

  torch::nn::Sequential coord_net{nullptr};
  std::vector<ResidualMlp> branches;
  torch::nn::Linear gate{nullptr};
  torch::nn::ModuleList refine{nullptr};
};
TORCH_MODULE(ImplicitDecoder);

void train(const DecoderOptions& options, const std::vector<std::array<torch::Tensor, 3>>& batches,
           const std::string& checkpoint) {
  ImplicitDecoder model(options);
  torch::optim::Adam optimizer(model->parameters(), torch::optim::AdamOptions(options.lr));
  model->train();
  for (const auto& [features, coords, target] : batches) {
    optimizer.zero_grad();
    auto loss = F::l1_loss(model->forward(features, coords), target);
    loss.backward();
    optimizer.step();
  }
  torch::save(model, checkpoint);
}
} // namespace residual_branches
