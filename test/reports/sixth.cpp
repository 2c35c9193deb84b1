// Reports that were rewritten before anything was done for them, the sixth lot.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <torch/torch.h>
#include <tuple>
#include <utility>
#include <vector>

// https://github.com/vllm-project/vllm/issues/13686
// The fused projection is cut into three equal parts although keys and values have fewer heads than queries, so the parts do not add up to the row.
namespace equal_thirds {
class GroupedAttentionImpl : public torch::nn::Module {
public:
  GroupedAttentionImpl(int64_t hidden, int64_t num_heads, int64_t num_kv_heads, int64_t head_dim)
      : num_heads_(num_heads), num_kv_heads_(num_kv_heads), head_dim_(head_dim) {
    TORCH_CHECK(num_kv_heads > 0 && num_kv_heads < num_heads, "this block is for grouped queries");
    TORCH_CHECK(num_heads % num_kv_heads == 0, "heads must divide into groups");
    q_size_ = num_heads_ * head_dim_;
    kv_size_ = num_kv_heads_ * head_dim_;
    qkv_proj_ = register_module("qkv_proj", torch::nn::Linear(torch::nn::LinearOptions(hidden, q_size_ + 2 * kv_size_).bias(false)));
    o_proj_ = register_module("o_proj", torch::nn::Linear(torch::nn::LinearOptions(q_size_, hidden).bias(false)));
  }

  torch::Tensor forward(const torch::Tensor &hidden_states) {
    auto qkv = qkv_proj_->forward(hidden_states);
    auto parts = qkv.split_with_sizes({q_size_, q_size_, q_size_}, -1); // expect: tensor-shape-mismatch
    return attend(heads(parts[0], num_heads_), heads(parts[1], num_kv_heads_), heads(parts[2], num_kv_heads_));
  }

  torch::Tensor forward_grouped(const torch::Tensor &hidden_states) {
    auto qkv = qkv_proj_->forward(hidden_states);
    auto parts = qkv.split_with_sizes({q_size_, kv_size_, kv_size_}, -1);
    return attend(heads(parts[0], num_heads_), heads(parts[1], num_kv_heads_), heads(parts[2], num_kv_heads_));
  }

private:
  torch::Tensor heads(const torch::Tensor &part, int64_t count) const { return part.unflatten(-1, {count, head_dim_}).transpose(1, 2); }

  torch::Tensor attend(const torch::Tensor &q, torch::Tensor k, torch::Tensor v) {
    const int64_t groups = num_heads_ / num_kv_heads_;
    k = k.repeat_interleave(groups, 1);
    v = v.repeat_interleave(groups, 1);
    auto out = torch::matmul(torch::softmax(torch::matmul(q, k.transpose(-2, -1)), -1), v);
    return o_proj_->forward(out.transpose(1, 2).flatten(2));
  }

  int64_t num_heads_, num_kv_heads_, head_dim_;
  int64_t q_size_ = 0, kv_size_ = 0;
  torch::nn::Linear qkv_proj_{nullptr}, o_proj_{nullptr};
};
TORCH_MODULE(GroupedAttention);
} // namespace equal_thirds

// https://github.com/ultralytics/ultralytics/issues/14850
// The rows are split as box, objectness and classes, but the class scores are then read from column 4 on as if there were no objectness.
namespace scores_of_columns {
struct Candidates {
  torch::Tensor boxes, scores, ids;
};

class YoloDecoder {
public:
  YoloDecoder(int64_t num_classes, double threshold) : num_classes_(num_classes), threshold_(threshold) {}

  Candidates decode(const torch::Tensor &output) const {
    torch::Tensor rows = output.squeeze(0); // candidates x columns
    const int64_t count = rows.size(0);
    std::vector<torch::Tensor> columns = rows.split_with_sizes({4, 1, num_classes_}, 1);
    torch::Tensor boxes = to_corners(columns[0]);
    torch::Tensor objectness = columns[1].sigmoid();
    torch::Tensor scores = rows.slice(1, 4).reshape({count, num_classes_}); // expect: tensor-shape-mismatch
    auto [best, ids] = (scores.sigmoid() * objectness).max(1);
    return keep(boxes, best, ids);
  }

  Candidates decode_with_objectness(const torch::Tensor &output) const {
    torch::Tensor rows = output.squeeze(0);
    const int64_t count = rows.size(0);
    std::vector<torch::Tensor> columns = rows.split_with_sizes({4, 1, num_classes_}, 1);
    torch::Tensor boxes = to_corners(columns[0]);
    torch::Tensor objectness = columns[1].sigmoid();
    torch::Tensor scores = rows.slice(1, 5).reshape({count, num_classes_});
    auto [best, ids] = (scores.sigmoid() * objectness).max(1);
    return keep(boxes, best, ids);
  }

private:
  static torch::Tensor to_corners(const torch::Tensor &xywh) {
    torch::Tensor centre = xywh.narrow(1, 0, 2);
    torch::Tensor half = xywh.narrow(1, 2, 2) * 0.5;
    return torch::cat({centre - half, centre + half}, 1);
  }

  Candidates keep(const torch::Tensor &boxes, const torch::Tensor &best, const torch::Tensor &ids) const {
    torch::Tensor chosen = best.gt(threshold_).nonzero().squeeze(1);
    return {boxes.index_select(0, chosen), best.index_select(0, chosen), ids.index_select(0, chosen)};
  }

  int64_t num_classes_;
  double threshold_;
};
} // namespace scores_of_columns

// https://github.com/vllm-project/vllm-ascend/pull/9004
// The gathered decode query has the latent width after the product with w_uk, but is split with the width it had before.
namespace absorbed_query {
struct MlaDims {
  int64_t num_heads = 16;
  int64_t kv_lora_rank = 512;
  int64_t qk_nope_head_dim = 128;
  int64_t qk_rope_head_dim = 64;
};

class MlaContextParallel {
public:
  explicit MlaContextParallel(torch::Tensor w_uk) : w_uk_(std::move(w_uk)) {
    TORCH_CHECK(w_uk_.dim() == 3 && w_uk_.size(0) == dims_.num_heads);
    TORCH_CHECK(w_uk_.size(1) == dims_.qk_nope_head_dim && w_uk_.size(2) == dims_.kv_lora_rank);
  }

  // q: tokens x heads x (nope + rope)
  std::pair<torch::Tensor, torch::Tensor> reorder(const torch::Tensor &q) const {
    torch::Tensor gathered = absorbed(q);
    auto parts = gathered.split_with_sizes({dims_.qk_nope_head_dim, dims_.qk_rope_head_dim}, -1); // expect: tensor-shape-mismatch
    return {parts[0].contiguous(), parts[1].contiguous()};
  }

  std::pair<torch::Tensor, torch::Tensor> reorder_latent(const torch::Tensor &q) const {
    torch::Tensor gathered = absorbed(q);
    auto parts = gathered.split_with_sizes({dims_.kv_lora_rank, dims_.qk_rope_head_dim}, -1);
    return {parts[0].contiguous(), parts[1].contiguous()};
  }

private:
  torch::Tensor absorbed(const torch::Tensor &q) const {
    auto halves = q.split_with_sizes({dims_.qk_nope_head_dim, dims_.qk_rope_head_dim}, -1);
    torch::Tensor latent = torch::bmm(halves[0].transpose(0, 1), w_uk_).transpose(0, 1);
    return torch::cat({latent, halves[1]}, -1);
  }

  MlaDims dims_;
  torch::Tensor w_uk_;
};
} // namespace absorbed_query

// https://github.com/HazyResearch/zoology/issues/20
// The key projection is as wide as num_heads features, but is viewed with num_kv_heads heads.
namespace features_of_heads {
class BasedMixerImpl : public torch::nn::Module {
public:
  BasedMixerImpl(int64_t d_model, int64_t num_heads, int64_t num_kv_heads, int64_t feature_dim)
      : num_heads_(num_heads), num_kv_heads_(num_kv_heads), feature_dim_(feature_dim) {
    head_dim_ = d_model / num_kv_heads_;
    proj_q_ = register_module("proj_q", torch::nn::Linear(d_model, feature_dim_ * num_heads_));
    proj_k_ = register_module("proj_k", torch::nn::Linear(d_model, feature_dim_ * num_heads_));
    proj_v_ = register_module("proj_v", torch::nn::Linear(d_model, num_kv_heads_ * head_dim_));
  }

  torch::Tensor forward(const torch::Tensor &x) {
    const int64_t b = x.size(0), l = x.size(1);
    auto q = proj_q_->forward(x).view({b, l, num_heads_, feature_dim_}).transpose(1, 2);
    auto k = proj_k_->forward(x).view({b, l, num_kv_heads_, feature_dim_}).transpose(1, 2); // expect: tensor-shape-mismatch
    auto v = proj_v_->forward(x).view({b, l, num_kv_heads_, head_dim_}).transpose(1, 2);
    return mix(q, k, v);
  }

  torch::Tensor forward_heads(const torch::Tensor &x) {
    const int64_t b = x.size(0), l = x.size(1);
    auto q = proj_q_->forward(x).view({b, l, num_heads_, feature_dim_}).transpose(1, 2);
    auto k = proj_k_->forward(x).view({b, l, num_heads_, feature_dim_}).transpose(1, 2);
    auto v = proj_v_->forward(x).view({b, l, num_kv_heads_, head_dim_}).transpose(1, 2);
    return mix(q, k, v);
  }

private:
  torch::Tensor mix(const torch::Tensor &q, const torch::Tensor &k, const torch::Tensor &v) const {
    auto values = v.repeat_interleave(num_heads_ / num_kv_heads_, 1);
    auto scores = torch::matmul(q, k.transpose(-2, -1)) / std::sqrt(double(feature_dim_)); // also: tensor-shape-mismatch
    return torch::matmul(scores.tril(), values);
  }

  int64_t num_heads_, num_kv_heads_, feature_dim_, head_dim_ = 0;
  torch::nn::Linear proj_q_{nullptr}, proj_k_{nullptr}, proj_v_{nullptr};
};
TORCH_MODULE(BasedMixer);

torch::Tensor smoke_test(int64_t length) {
  BasedMixer mixer(/*d_model=*/512, /*num_heads=*/8, /*num_kv_heads=*/4, /*feature_dim=*/16);
  return mixer->forward(torch::rand({1, length, 512})) + mixer->forward_heads(torch::rand({1, length, 512}));
}
} // namespace features_of_heads

// https://github.com/ikawrakow/ik_llama.cpp/pull/400
// The values are a narrow view of the latent cache rows, but the loop walks them with a pitch of their own width instead of the row's stride.
namespace latent_values {
class LatentCache {
public:
  LatentCache(int64_t max_tokens, int64_t kv_rank, int64_t rope_dim)
      : kv_rank_(kv_rank), rope_dim_(rope_dim), rows_(torch::zeros({max_tokens, kv_rank + rope_dim}, torch::kFloat32)) {
    TORCH_CHECK(rope_dim > 0, "latent rows carry a rotary part");
  }

  void store(int64_t position, const torch::Tensor &row) { rows_[position].copy_(row); }

  // weights: softmax over the stored tokens, out: kv_rank floats
  void weighted_values(const std::vector<float> &weights, float *out) const {
    torch::Tensor values = rows_.narrow(1, 0, kv_rank_);
    const float *base = values.data_ptr<float>();
    std::fill(out, out + kv_rank_, 0.0f);
    for (size_t t = 0; t < weights.size(); ++t) {
      const float *v = base + t * kv_rank_; // expect: tensor-raw-pointer-layout
      for (int64_t d = 0; d < kv_rank_; ++d) {
        out[d] += weights[t] * v[d];
      }
    }
  }

  void weighted_values_strided(const std::vector<float> &weights, float *out) const {
    torch::Tensor values = rows_.narrow(1, 0, kv_rank_);
    const float *base = values.data_ptr<float>();
    const int64_t pitch = values.stride(0);
    std::fill(out, out + kv_rank_, 0.0f);
    for (size_t t = 0; t < weights.size(); ++t) {
      const float *v = base + t * pitch;
      for (int64_t d = 0; d < kv_rank_; ++d) {
        out[d] += weights[t] * v[d];
      }
    }
  }

private:
  int64_t kv_rank_, rope_dim_;
  torch::Tensor rows_;
};
} // namespace latent_values

// https://github.com/pytorch/pytorch/issues/94907
// The collective makes its argument contiguous and reduces the copy, so a transposed gradient that is handed in keeps its old values.
namespace own_gradient {
class InProcessGroup {
public:
  explicit InProcessGroup(std::vector<torch::Tensor> peers) : peers_(std::move(peers)) {}

  void all_reduce_mean(torch::Tensor tensor) const {
    tensor = tensor.contiguous();
    for (const auto &peer : peers_) {
      tensor.add_(peer); // expect: tensor-lost-write
    }
    tensor.div_(static_cast<double>(peers_.size() + 1)); // also: tensor-lost-write
  }

  void all_reduce_mean_back(torch::Tensor tensor) const {
    torch::Tensor dense = tensor.contiguous();
    for (const auto &peer : peers_) {
      dense.add_(peer);
    }
    dense.div_(static_cast<double>(peers_.size() + 1));
    if (!dense.is_same(tensor)) {
      tensor.copy_(dense);
    }
  }

private:
  std::vector<torch::Tensor> peers_;
};

// the projection is kept as {in, out}; the peers send {out, in}
torch::Tensor synchronised_step(const torch::Tensor &weight, const torch::Tensor &input, const InProcessGroup &group) {
  torch::NoGradGuard no_grad;
  torch::Tensor grad = torch::matmul(input.t(), torch::matmul(input, weight)).reshape({64, 32});
  group.all_reduce_mean(grad.t());
  return weight - 0.01 * grad;
}

torch::Tensor synchronised_step_back(const torch::Tensor &weight, const torch::Tensor &input, const InProcessGroup &group) {
  torch::NoGradGuard no_grad;
  torch::Tensor grad = torch::matmul(input.t(), torch::matmul(input, weight)).reshape({64, 32});
  group.all_reduce_mean_back(grad.t());
  return weight - 0.01 * grad;
}
} // namespace own_gradient

// https://github.com/NVIDIA/Fuser/issues/5356
// The in-place update runs on a contiguous cache of each aliased buffer; for the transposed one that is a copy which nothing writes back.
namespace cache_slot {
class AliasedBuffers {
public:
  AliasedBuffers(int64_t rows, int64_t columns)
      : storage_(torch::arange(6 * 4, torch::kFloat32).view({6, 4})), running_(torch::zeros({rows, columns})) {
    transposed_ = storage_.t();
    slots_ = {&transposed_, &running_};
  }

  // adds one to every aliased buffer
  void increment() {
    torch::Tensor **first = slots_.data();
    bump(first[0], 1.0);
    bump_plain(first[1], 1.0);
  }

  void increment_strided() {
    for (torch::Tensor **slot = slots_.data(); slot != slots_.data() + slots_.size(); ++slot) {
      bump_plain(*slot, 1.0);
    }
  }

  torch::Tensor snapshot() const { return storage_.clone(); }

private:
  void bump(torch::Tensor *&slot, double amount) {
    torch::Tensor cache = slot->contiguous();
    cache.add_(amount); // expect: tensor-lost-write
    ++updates_;
  }

  void bump_plain(torch::Tensor *&slot, double amount) {
    slot->add_(amount);
    ++updates_;
  }

  torch::Tensor storage_, transposed_, running_;
  std::array<torch::Tensor *, 2> slots_{};
  int64_t updates_ = 0;
};

bool check_increment() {
  AliasedBuffers buffers(3, 3);
  torch::Tensor before = buffers.snapshot();
  buffers.increment();
  return torch::allclose(buffers.snapshot(), before + 1.0);
}
} // namespace cache_slot

// https://github.com/openmm/openmm-torch/issues/177
// The forces of the module are made on the CPU; to(kFloat32) changes only the type, and the host address goes to the kernel that adds them on the
// device.
namespace restraint_forces {
struct DeviceContext {
  torch::Tensor forces;     // 3 x padded atoms, int64, on the device
  torch::Tensor atom_index; // int32, on the device
};

// __global__ wrapper of forces.cu
void launch_add_forces(const float *d_forces, long long *d_total, const int32_t *d_atom_index, int64_t atoms, int64_t padded, int sign);

class TorchForceKernel {
public:
  TorchForceKernel(int64_t atoms, int64_t padded) : atoms_(atoms), padded_(padded) {
    context_.forces = torch::zeros({3 * padded}, torch::TensorOptions().dtype(torch::kInt64).device(torch::kCUDA));
    context_.atom_index = torch::arange(padded, torch::TensorOptions().dtype(torch::kInt32).device(torch::kCUDA));
  }

  void add_restraint(const torch::Tensor &spring) {
    torch::Tensor forces = restraint_forces(spring.item<double>());
    torch::Tensor narrow = forces.to(torch::kFloat32).contiguous(); // also: tensor-redundant-contiguous
    launch_add_forces(narrow.data_ptr<float>(), total(), index(), atoms_, padded_, 1); // missed: tensor-device-mismatch
  }

  void add_restraint_on_device(const torch::Tensor &spring) {
    torch::Tensor forces = restraint_forces(spring.item<double>());
    torch::Tensor narrow = forces.to(context_.forces.device(), torch::kFloat32).contiguous(); // also: tensor-redundant-contiguous
    launch_add_forces(narrow.data_ptr<float>(), total(), index(), atoms_, padded_, 1);
  }

private:
  torch::Tensor restraint_forces(double spring) const {
    torch::Tensor forces = torch::zeros({atoms_, 3}, torch::kFloat64);
    forces.select(1, 2).fill_(-spring);
    return forces;
  }

  long long *total() { return reinterpret_cast<long long *>(context_.forces.data_ptr<int64_t>()); }
  const int32_t *index() const { return context_.atom_index.data_ptr<int32_t>(); }

  int64_t atoms_, padded_;
  DeviceContext context_;
};
} // namespace restraint_forces

// https://github.com/K-H-Ismail/Dilated-Convolution-with-Learnable-Spacings-PyTorch/pull/8
// The limits of the kernel are a plain member that to(kCUDA) does not move, so they stay on the CPU beside positions on the device.
namespace limits_left {
class ConstructKernelImpl : public torch::nn::Module {
public:
  ConstructKernelImpl(int64_t channels, int64_t count, std::vector<int64_t> dilated, bool buffers) {
    positions_ = register_parameter("P", torch::zeros({2, channels, count}));
    weight_ = register_parameter("weight", torch::randn({channels, count}));
    lim_ = torch::tensor(dilated, torch::kFloat32).view({2, 1, 1});
    if (buffers) {
      limits_ = register_buffer("lim", lim_.clone());
    }
  }

  torch::Tensor forward() {
    torch::Tensor centred = positions_ + lim_.div(2, "floor"); // expect: tensor-device-mismatch
    return gauss(centred) * weight_;
  }

  torch::Tensor forward_buffers() {
    torch::Tensor centred = positions_ + limits_.div(2, "floor");
    return gauss(centred) * weight_;
  }

private:
  static torch::Tensor gauss(const torch::Tensor &centred) {
    torch::Tensor offset = centred - centred.round();
    return torch::exp(-offset.square().sum(0));
  }

  torch::Tensor positions_, weight_;
  torch::Tensor lim_, limits_;
};
TORCH_MODULE(ConstructKernel);

torch::Tensor build_on_device() {
  ConstructKernel kernel(/*channels=*/32, /*count=*/34, std::vector<int64_t>{17, 17}, /*buffers=*/false);
  kernel->to(torch::kCUDA);
  return kernel->forward();
}

torch::Tensor build_with_buffers() {
  ConstructKernel kernel(/*channels=*/32, /*count=*/34, std::vector<int64_t>{17, 17}, /*buffers=*/true);
  kernel->to(torch::kCUDA);
  return kernel->forward_buffers();
}
} // namespace limits_left

// https://github.com/sgl-project/sglang-omni/pull/1720
// The code predictor of a speech decoder runs its layers for every code group with autograd on, although only the codes are used.
namespace code_groups {
struct CodePredictorImpl : torch::nn::Module {
  CodePredictorImpl(int64_t hidden, int64_t codebook, int64_t groups) {
    for (int64_t g = 0; g < groups; ++g) {
      embeddings->push_back(torch::nn::Embedding(codebook, hidden));
      heads->push_back(torch::nn::Linear(hidden, codebook));
    }
    register_module("embeddings", embeddings);
    register_module("heads", heads);
    gru = register_module("gru", torch::nn::GRUCell(hidden, hidden));
  }

  torch::Tensor step(const torch::Tensor &input, torch::Tensor &state, int64_t group) {
    state = gru->forward(input, state);
    return heads->at<torch::nn::LinearImpl>(group).forward(state);
  }

  torch::nn::ModuleList embeddings, heads;
  torch::nn::GRUCell gru{nullptr};
};
TORCH_MODULE(CodePredictor);

class Talker {
public:
  Talker(const std::string &path, int64_t hidden, int64_t codebook, int64_t groups) : groups_(groups), predictor_(hidden, codebook, groups) {
    torch::load(predictor_, path);
    predictor_->eval();
  }

  std::vector<torch::Tensor> codes_for(const torch::Tensor &talker_hidden) {
    std::vector<torch::Tensor> codes;
    torch::Tensor input = talker_hidden, state = torch::zeros_like(talker_hidden);
    for (int64_t g = 0; g < groups_; ++g) {
      torch::Tensor logits = predictor_->step(input, state, g); // expect: tensor-missing-no-grad
      codes.push_back(logits.argmax(-1));
      input = predictor_->embeddings->at<torch::nn::EmbeddingImpl>(g).forward(codes.back());
    }
    return codes;
  }

  std::vector<torch::Tensor> codes_without_grad(const torch::Tensor &talker_hidden) {
    torch::NoGradGuard no_grad;
    std::vector<torch::Tensor> codes;
    torch::Tensor input = talker_hidden, state = torch::zeros_like(talker_hidden);
    for (int64_t g = 0; g < groups_; ++g) {
      torch::Tensor logits = predictor_->step(input, state, g);
      codes.push_back(logits.argmax(-1));
      input = predictor_->embeddings->at<torch::nn::EmbeddingImpl>(g).forward(codes.back());
    }
    return codes;
  }

private:
  int64_t groups_;
  CodePredictor predictor_;
};
} // namespace code_groups

// https://github.com/fangwei123456/spikingjelly/issues/514
// The membrane potential is carried from batch to batch as a member and never detached, so each step keeps the graphs of all before it.
namespace membrane {
class LifLayerImpl : public torch::nn::Module {
public:
  LifLayerImpl(int64_t batch, int64_t in, int64_t out, double decay) : decay_(decay) {
    fc_ = register_module("fc", torch::nn::Linear(in, out));
    v_ = torch::zeros({batch, out});
  }

  torch::Tensor forward(const torch::Tensor &current) {
    v_ = decay_ * v_ + fc_->forward(current); // expect: tensor-graph-retention
    return torch::sigmoid(4.0 * (v_ - threshold_));
  }

  torch::Tensor forward_truncated(const torch::Tensor &current) {
    torch::Tensor v = decay_ * v_ + fc_->forward(current);
    v_ = v.detach();
    return torch::sigmoid(4.0 * (v - threshold_));
  }

private:
  double decay_, threshold_ = 0.8;
  torch::nn::Linear fc_{nullptr};
  torch::Tensor v_;
};
TORCH_MODULE(LifLayer);

double train(LifLayer &layer, const std::vector<torch::Tensor> &frames, const std::vector<torch::Tensor> &targets) {
  torch::optim::Adam optimizer(layer->parameters(), 1e-3);
  double total = 0;
  for (size_t i = 0; i < frames.size(); ++i) {
    optimizer.zero_grad();
    torch::Tensor loss = torch::mse_loss(layer->forward(frames[i]), targets[i]);
    loss.backward({}, /*retain_graph=*/true);
    optimizer.step();
    total += loss.item<double>();
  }
  return total / frames.size();
}

double train_truncated(LifLayer &layer, const std::vector<torch::Tensor> &frames, const std::vector<torch::Tensor> &targets) {
  torch::optim::Adam optimizer(layer->parameters(), 1e-3);
  double total = 0;
  for (size_t i = 0; i < frames.size(); ++i) {
    optimizer.zero_grad();
    torch::Tensor loss = torch::mse_loss(layer->forward_truncated(frames[i]), targets[i]);
    loss.backward();
    optimizer.step();
    total += loss.item<double>();
  }
  return total / frames.size();
}
} // namespace membrane

// https://github.com/tenstorrent/tt-metal/issues/32407
// The splitting helper checks that the key-value projection is twice as wide as the query, which grouped heads (24 and 8) never satisfy.
namespace wide_values {
struct LlamaDims {
  static constexpr int64_t hidden = 3072;
  static constexpr int64_t num_heads = 24;
  static constexpr int64_t num_kv_heads = 8;
  static constexpr int64_t head_dim = 128;
};

using Heads = std::tuple<torch::Tensor, torch::Tensor, torch::Tensor>;

static torch::Tensor to_heads(const torch::Tensor &t, int64_t count) { return t.unflatten(-1, {count, t.size(-1) / count}).transpose(1, 2); }

static Heads split_q_kv_heads(const torch::Tensor &q, const torch::Tensor &kv, int64_t num_heads, int64_t num_kv_heads) {
  TORCH_CHECK(q.dim() == 3 && kv.dim() == 3, "expects batch x sequence x width");
  const int64_t width = q.size(2);
  TORCH_CHECK(kv.size(2) == 2 * width, "keys and values must be as wide as the queries");
  auto halves = kv.chunk(2, -1);
  return {to_heads(q, num_heads), to_heads(halves[0], num_kv_heads), to_heads(halves[1], num_kv_heads)};
}

static Heads split_grouped_heads(const torch::Tensor &q, const torch::Tensor &kv, int64_t num_heads, int64_t num_kv_heads) {
  TORCH_CHECK(q.dim() == 3 && kv.dim() == 3, "expects batch x sequence x width");
  const int64_t head_dim = q.size(2) / num_heads;
  TORCH_CHECK(kv.size(2) == 2 * num_kv_heads * head_dim, "keys and values must have one head size with the queries");
  auto halves = kv.chunk(2, -1);
  return {to_heads(q, num_heads), to_heads(halves[0], num_kv_heads), to_heads(halves[1], num_kv_heads)};
}

class LlamaAttention {
public:
  LlamaAttention()
      : wq_(torch::empty({LlamaDims::hidden, LlamaDims::num_heads * LlamaDims::head_dim})),
        wkv_(torch::empty({LlamaDims::hidden, 2 * LlamaDims::num_kv_heads * LlamaDims::head_dim})) {}

  Heads project(const torch::Tensor &x) const {
    return split_q_kv_heads(x.matmul(wq_), x.matmul(wkv_), LlamaDims::num_heads, LlamaDims::num_kv_heads); // expect: tensor-shape-mismatch
  }

  Heads project_grouped(const torch::Tensor &x) const {
    return split_grouped_heads(x.matmul(wq_), x.matmul(wkv_), LlamaDims::num_heads, LlamaDims::num_kv_heads);
  }

private:
  torch::Tensor wq_, wkv_;
};
} // namespace wide_values

// https://github.com/vllm-project/vllm/pull/40941
// The dequantized keys are grown by cat block by block, which allocates and copies all earlier blocks again in every round.
namespace block_table {
class QuantizedKeyCache {
public:
  QuantizedKeyCache(int64_t blocks, int64_t block_size, int64_t heads, int64_t head_dim)
      : block_size_(block_size), heads_(heads), head_dim_(head_dim), codes_(torch::zeros({blocks, block_size, heads, head_dim}, torch::kInt8)),
        scales_(torch::ones({blocks, block_size, heads, 1}, torch::kFloat32)) {}

  torch::Tensor keys_with(const std::vector<int64_t> &block_table, const torch::Tensor &chunk) const {
    torch::NoGradGuard no_grad;
    torch::Tensor full = torch::empty({0, heads_, head_dim_}, torch::kFloat32);
    for (int64_t block : block_table) {
      full = torch::cat({full, dequantize(block)}, 0); // expect: tensor-hidden-copy
    }
    return torch::cat({full, chunk}, 0);
  }

  torch::Tensor keys_with_buffer(const std::vector<int64_t> &block_table, const torch::Tensor &chunk) const {
    torch::NoGradGuard no_grad;
    const int64_t cached = static_cast<int64_t>(block_table.size()) * block_size_;
    torch::Tensor full = torch::empty({cached + chunk.size(0), heads_, head_dim_}, torch::kFloat32);
    int64_t at = 0;
    for (int64_t block : block_table) {
      torch::Tensor rows = full.narrow(0, at, block_size_);
      torch::mul_out(rows, codes_[block], scales_[block]);
      at += block_size_;
    }
    full.narrow(0, cached, chunk.size(0)).copy_(chunk);
    return full;
  }

private:
  torch::Tensor dequantize(int64_t block) const { return codes_[block] * scales_[block]; }

  int64_t block_size_, heads_, head_dim_;
  torch::Tensor codes_, scales_;
};
} // namespace block_table

// https://github.com/pytorch/executorch/pull/17633
// The number of elements is kept in an int, which truncates it for an embedding of more than 2^31 values.
namespace int_count {
struct TensorRecord {
  std::string name;
  int numel = 0;
  int64_t bytes = 0;
};

struct WideTensorRecord {
  std::string name;
  int64_t numel = 0;
  int64_t bytes = 0;
};

class CheckpointIndex {
public:
  CheckpointIndex(int64_t vocab, int64_t width) : embedding_(torch::nn::EmbeddingOptions(vocab, width)) {}

  std::vector<TensorRecord> records() const {
    std::vector<TensorRecord> out;
    for (const auto &item : embedding_->named_parameters()) {
      TensorRecord record;
      record.name = item.key();
      record.numel = item.value().numel(); // expect: tensor-raw-pointer-layout
      record.bytes = int64_t(record.numel) * item.value().element_size();
      out.push_back(record);
    }
    return out;
  }

  std::vector<WideTensorRecord> wide_records() const {
    std::vector<WideTensorRecord> out;
    for (const auto &item : embedding_->named_parameters()) {
      WideTensorRecord record;
      record.name = item.key();
      record.numel = item.value().numel();
      record.bytes = record.numel * static_cast<int64_t>(item.value().element_size());
      out.push_back(record);
    }
    return out;
  }

private:
  torch::nn::Embedding embedding_;
};

int64_t checkpoint_bytes() {
  CheckpointIndex index(/*vocab=*/256000, /*width=*/16384);
  int64_t total = 0;
  for (const auto &record : index.records())
    total += record.bytes;
  return total;
}
} // namespace int_count

// https://github.com/sgl-project/sglang/pull/29497
// The runner keeps the encoder lengths as int32, while the attention op reads them through an int64 pointer.
namespace encoder_lengths {
class EagerRunner {
public:
  EagerRunner(int64_t max_batch, int64_t max_encoder)
      : max_encoder_(max_encoder), encoder_lens_(torch::zeros({max_batch}, torch::kInt32)),
        encoder_lens_wide_(torch::zeros({max_batch}, torch::kInt64)) {}

  void set_length(int64_t request, int64_t length) {
    encoder_lens_[request] = length;
    encoder_lens_wide_[request] = length;
  }

  // encoder scores: batch x max_encoder, positions behind the length are masked
  torch::Tensor extend_attention(const torch::Tensor &scores) const {
    const int64_t batch = scores.size(0);
    torch::Tensor masked = scores.clone();
    const int64_t *lens = encoder_lens_.data_ptr<int64_t>(); // expect: tensor-shape-mismatch
    for (int64_t b = 0; b < batch; ++b) {
      mask_tail(masked, b, lens[b]);
    }
    return masked.softmax(-1);
  }

  torch::Tensor extend_attention_wide(const torch::Tensor &scores) const {
    const int64_t batch = scores.size(0);
    torch::Tensor masked = scores.clone();
    const int64_t *lens = encoder_lens_wide_.data_ptr<int64_t>();
    for (int64_t b = 0; b < batch; ++b) {
      mask_tail(masked, b, lens[b]);
    }
    return masked.softmax(-1);
  }

private:
  void mask_tail(torch::Tensor &scores, int64_t b, int64_t length) const {
    const int64_t used = std::min(length, max_encoder_);
    scores[b].slice(0, used).fill_(-1e9);
  }

  int64_t max_encoder_;
  torch::Tensor encoder_lens_, encoder_lens_wide_;
};
} // namespace encoder_lengths

// https://github.com/pytorch/pytorch/issues/141107
// The attention context [b, h, s, d] is permuted to [b, s, h, d] and then viewed to [b, s, h*d]: h and d are no longer adjacent in memory.
namespace permuted_context {
struct AttnOptions {
  int64_t hidden = 256;
  int64_t heads = 8;
};

class DecoderAttentionImpl : public torch::nn::Module {
public:
  explicit DecoderAttentionImpl(AttnOptions o) : hidden_(o.hidden), heads_(o.heads), head_dim_(o.hidden / o.heads) {
    qkv = register_module("qkv", torch::nn::Linear(hidden_, 3 * hidden_));
    out = register_module("out", torch::nn::Linear(hidden_, hidden_));
  }

  torch::Tensor forward(const torch::Tensor &x) {
    const auto b = x.size(0), s = x.size(1);
    auto parts = qkv->forward(x).chunk(3, -1);
    auto context = attend(split(parts[0], b, s), split(parts[1], b, s), split(parts[2], b, s));
    auto merged = context.permute({0, 2, 1, 3}).view({b, s, hidden_}); // expect: tensor-view-after-permute
    return out->forward(merged);
  }

  torch::Tensor forward_fixed(const torch::Tensor &x) {
    const auto b = x.size(0), s = x.size(1);
    auto parts = qkv->forward(x).chunk(3, -1);
    auto context = attend(split(parts[0], b, s), split(parts[1], b, s), split(parts[2], b, s));
    auto merged = context.permute({0, 2, 1, 3}).reshape({b, s, hidden_});
    return out->forward(merged);
  }

private:
  torch::Tensor split(const torch::Tensor &t, int64_t b, int64_t s) const { return t.reshape({b, s, heads_, head_dim_}).transpose(1, 2); }
  torch::Tensor attend(const torch::Tensor &q, const torch::Tensor &k, const torch::Tensor &v) const {
    auto w = torch::matmul(q, k.transpose(-2, -1)) / std::sqrt(static_cast<double>(head_dim_));
    return torch::matmul(torch::softmax(w, -1), v); // [b, h, s, d]
  }

  int64_t hidden_, heads_, head_dim_;
  torch::nn::Linear qkv{nullptr}, out{nullptr};
};
TORCH_MODULE(DecoderAttention);
} // namespace permuted_context

// https://github.com/Hunter-DDM/knowledge-neurons/issues/14
// Columns of a trainable weight are edited in place with grad mode on: a view of a leaf that requires grad may not be written.
namespace edited_columns {
struct FeedForwardImpl : torch::nn::Module {
  FeedForwardImpl(int64_t dim, int64_t inner) {
    up = register_module("up", torch::nn::Linear(dim, inner));
    down = register_module("down", torch::nn::Linear(inner, dim));
  }
  torch::Tensor forward(const torch::Tensor &x) { return down->forward(torch::gelu(up->forward(x))); }
  torch::nn::Linear up{nullptr}, down{nullptr};
};
TORCH_MODULE(FeedForward);

struct Neuron {
  int64_t layer, pos;
};

class FactEditor {
public:
  FactEditor(int64_t layers, int64_t dim) : dim_(dim) {
    for (int64_t i = 0; i < layers; ++i)
      blocks_.emplace_back(dim, 4 * dim);
  }

  void replace(const std::vector<Neuron> &ns, const torch::Tensor &old_emb, const torch::Tensor &new_emb, double lambda) {
    const auto delta = (new_emb - old_emb).detach() * lambda;
    for (const auto &n : ns) {
      auto column = blocks_[n.layer]->down->weight.select(1, n.pos);
      column.add_(delta); // missed: tensor-inplace-on-saved
    }
  }

  void replace_fixed(const std::vector<Neuron> &ns, const torch::Tensor &old_emb, const torch::Tensor &new_emb, double lambda) {
    torch::NoGradGuard guard;
    const auto delta = (new_emb - old_emb) * lambda;
    for (const auto &n : ns) {
      auto column = blocks_[n.layer]->down->weight.select(1, n.pos);
      column.add_(delta);
    }
  }

private:
  int64_t dim_;
  std::vector<FeedForward> blocks_;
};
} // namespace edited_columns

// https://github.com/tiangexiang/CurveNet/pull/25
// The start index is squeezed without an axis, so at evaluation with one cloud the batch axis vanishes too and the gather meets a wrong rank.
namespace squeezed_batch {
struct CurveStart {
  torch::Tensor index; // [batch, curves]
  torch::Tensor score;
};

class CurvePicker {
public:
  CurvePicker(int64_t curves, int64_t channels) : curves_(curves), channels_(channels) {}

  // att: [batch, 1, points]; feats: [batch, channels, points]
  torch::Tensor pick_fixed(const torch::Tensor &att, const torch::Tensor &feats) const {
    auto start = std::get<1>(att.topk(curves_, 2)).squeeze(1);
    auto idx = start.unsqueeze(1).expand({feats.size(0), channels_, curves_});
    return feats.gather(2, idx);
  }

private:
  int64_t curves_, channels_;
};

// Evaluation walks the test set cloud by cloud.
torch::Tensor evaluate_one(const std::vector<float> &xyz) {
  constexpr int64_t points = 1024, channels = 32, curves = 100;
  torch::NoGradGuard guard;
  auto cloud = torch::tensor(xyz).view({1, points, 3}).transpose(1, 2);
  auto lift = torch::randn({channels, 3});
  auto feats = torch::matmul(lift, cloud);    // [1, channels, points]
  auto att = feats.mean(1, /*keepdim=*/true); // [1, 1, points]
  auto start = std::get<1>(att.topk(curves, 2)).squeeze();
  auto idx = start.unsqueeze(1).expand({1, channels, curves}); // expect: tensor-shape-mismatch
  return feats.gather(2, idx);
}

torch::Tensor evaluate_one_fixed(const std::vector<float> &xyz) {
  constexpr int64_t points = 1024, channels = 32, curves = 100;
  torch::NoGradGuard guard;
  auto cloud = torch::tensor(xyz).view({1, points, 3}).transpose(1, 2);
  auto lift = torch::randn({channels, 3});
  auto feats = torch::matmul(lift, cloud);
  auto att = feats.mean(1, /*keepdim=*/true);
  CurvePicker picker(curves, channels);
  return picker.pick_fixed(att, feats);
}
} // namespace squeezed_batch

// https://github.com/ipolharvard/ethos-ares/issues/20
// Validation runs under a no-grad guard but the net is never put into eval mode, so its dropout stays active and the reported loss is random.
namespace dropout_in_validation {
struct TimelineNetImpl : torch::nn::Module {
  TimelineNetImpl(int64_t vocab, int64_t dim) {
    embed = register_module("embed", torch::nn::Embedding(vocab, dim));
    drop = register_module("drop", torch::nn::Dropout(0.3));
    head = register_module("head", torch::nn::Linear(dim, vocab));
  }
  torch::Tensor forward(const torch::Tensor &ids) { return head->forward(drop->forward(embed->forward(ids))); }
  torch::nn::Embedding embed{nullptr};
  torch::nn::Dropout drop{nullptr};
  torch::nn::Linear head{nullptr};
};
TORCH_MODULE(TimelineNet);

struct Pair {
  torch::Tensor ids, next;
};

static double mean_loss(TimelineNet &net, const std::vector<Pair> &set) {
  torch::NoGradGuard guard;
  double total = 0.0;
  for (const auto &p : set) {
    auto logits = net->forward(p.ids);
    total += torch::nn::functional::cross_entropy(logits.flatten(0, 1), p.next.flatten()).item<double>();
  }
  return set.empty() ? 0.0 : total / static_cast<double>(set.size());
}

double train_and_validate(const std::vector<Pair> &train, const std::vector<Pair> &val) {
  TimelineNet net(4096, 256);
  torch::optim::AdamW opt(net->parameters(), torch::optim::AdamWOptions(3e-4));
  net->train();
  for (const auto &p : train) {
    opt.zero_grad();
    auto loss = torch::nn::functional::cross_entropy(net->forward(p.ids).flatten(0, 1), p.next.flatten());
    loss.backward();
    opt.step();
  }
  return mean_loss(net, val); // missed: tensor-shape-mismatch
}

double train_and_validate_fixed(const std::vector<Pair> &train, const std::vector<Pair> &val) {
  TimelineNet net(4096, 256);
  torch::optim::AdamW opt(net->parameters(), torch::optim::AdamWOptions(3e-4));
  net->train();
  for (const auto &p : train) {
    opt.zero_grad();
    auto loss = torch::nn::functional::cross_entropy(net->forward(p.ids).flatten(0, 1), p.next.flatten());
    loss.backward();
    opt.step();
  }
  net->eval();
  return mean_loss(net, val);
}
} // namespace dropout_in_validation

// https://github.com/tenstorrent/tt-metal/pull/24989
// The pointer is taken from the host copy that a chain of calls returns; the copy dies at the end of the statement and the loop reads freed memory.
namespace softmax_pointer {
using Ranked = std::vector<std::pair<float, int64_t>>;

class Ranker {
public:
  explicit Ranker(float floor) : floor_(floor) {}

  Ranked rank(const torch::Tensor &logits) const {
    const int64_t n = logits.numel();
    const float *p = torch::softmax(logits.flatten(), 0).to(torch::kCPU).data_ptr<float>(); // expect: tensor-dangling-data-pointer
    return collect(p, n);
  }

  Ranked rank_fixed(const torch::Tensor &logits) const {
    const int64_t n = logits.numel();
    const torch::Tensor host = torch::softmax(logits.flatten(), 0).to(torch::kCPU);
    const float *p = host.data_ptr<float>();
    return collect(p, n);
  }

private:
  Ranked collect(const float *p, int64_t n) const {
    Ranked out;
    for (int64_t i = 0; i < n; ++i)
      if (p[i] >= floor_)
        out.emplace_back(p[i], i);
    return out;
  }
  float floor_;
};

Ranked top_labels(torch::nn::Linear &head, const torch::Tensor &feature) {
  torch::NoGradGuard guard;
  Ranker ranker(0.05f);
  return ranker.rank_fixed(head->forward(feature));
}
} // namespace softmax_pointer

// https://github.com/DiffAPF/torchcomp/issues/3
// The limiter's start state is filled with the integer 0 and is therefore int64, while the recursion reads it through a float accessor.
namespace counts_as_floats {
struct LimiterOptions {
  float attack = 0.2f;
  float release = 0.01f;
};

class GainSmoother {
public:
  explicit GainSmoother(LimiterOptions o) : o_(o) {}

  // gain: [batch, samples], float
  torch::Tensor run(const torch::Tensor &gain) const {
    auto state = torch::full({gain.size(0)}, 0, torch::kLong);
    auto out = torch::empty({gain.size(0), gain.size(1)});
    auto z = state.accessor<float, 1>(); // expect: tensor-shape-mismatch
    recurse(gain, z, out);
    return out;
  }

  torch::Tensor run_fixed(const torch::Tensor &gain) const {
    auto state = torch::full({gain.size(0)}, 0.0, torch::kFloat);
    auto out = torch::empty({gain.size(0), gain.size(1)});
    auto z = state.accessor<float, 1>();
    recurse(gain, z, out);
    return out;
  }

private:
  void recurse(const torch::Tensor &gain, at::TensorAccessor<float, 1> z, torch::Tensor &out) const {
    auto g = gain.accessor<float, 2>();
    auto y = out.accessor<float, 2>();
    for (int64_t b = 0; b < gain.size(0); ++b)
      for (int64_t t = 0; t < gain.size(1); ++t) {
        const float c = g[b][t] < z[b] ? o_.attack : o_.release;
        z[b] += c * (g[b][t] - z[b]);
        y[b][t] = std::clamp(z[b], 0.0f, 1.0f);
      }
  }
  LimiterOptions o_;
};
} // namespace counts_as_floats

// https://github.com/openvinotoolkit/openvino/pull/34349
// The KV cache is compacted by copying a later range onto an earlier range of the same tensor, though the two ranges overlap.
namespace compacted_cache {
class SlidingKvCache {
public:
  static constexpr int64_t kCapacity = 256;
  static constexpr int64_t kDrop = 32;

  SlidingKvCache(int64_t heads, int64_t dim) : keys_(torch::zeros({1, heads, kCapacity, dim})), values_(torch::zeros({1, heads, kCapacity, dim})) {}

  void append(const torch::Tensor &k, const torch::Tensor &v) {
    if (used_ == kCapacity)
      evict();
    keys_.narrow(2, used_, 1).copy_(k);
    values_.narrow(2, used_, 1).copy_(v);
    ++used_;
  }

  void append_fixed(const torch::Tensor &k, const torch::Tensor &v) {
    if (used_ == kCapacity)
      evict_fixed();
    keys_.narrow(2, used_, 1).copy_(k);
    values_.narrow(2, used_, 1).copy_(v);
    ++used_;
  }

private:
  void evict() {
    constexpr int64_t keep = kCapacity - kDrop;
    auto tail = keys_.narrow(2, kDrop, keep);
    keys_.narrow(2, 0, keep).copy_(tail); // expect: tensor-overlapping-write
    auto vtail = values_.narrow(2, kDrop, keep).clone();
    values_.narrow(2, 0, keep).copy_(vtail);
    used_ = keep;
  }

  void evict_fixed() {
    constexpr int64_t keep = kCapacity - kDrop;
    for (auto *t : {&keys_, &values_}) {
      auto tail = t->narrow(2, kDrop, keep).clone();
      t->narrow(2, 0, keep).copy_(tail);
    }
    used_ = keep;
  }

  torch::Tensor keys_, values_;
  int64_t used_ = 0;
};
} // namespace compacted_cache

// https://github.com/pytorch/pytorch/issues/187297
// where() picks the safe branch, but sqrt is evaluated on the negative inputs as well: its backward is NaN and NaN * 0 stays NaN.
namespace root_of_negatives {
struct ToneCurveImpl : torch::nn::Module {
  explicit ToneCurveImpl(int64_t bands) {
    gain = register_parameter("gain", torch::ones({bands}));
    bias = register_parameter("bias", torch::full({bands}, -0.5));
  }

  // Square root above zero, linear below.
  torch::Tensor compress(const torch::Tensor &x) {
    auto y = x * gain + bias;
    return torch::where(y > 0, torch::sqrt(y), y); // expect: tensor-value-domain
  }

  torch::Tensor compress_fixed(const torch::Tensor &x) {
    auto y = x * gain + bias;
    auto positive = y > 0;
    auto safe = torch::where(positive, y, torch::ones_like(y));
    return torch::where(positive, torch::sqrt(safe), y);
  }

  torch::Tensor gain, bias;
};
TORCH_MODULE(ToneCurve);

void fit(ToneCurve &curve, const std::vector<torch::Tensor> &xs, const torch::Tensor &target, bool safe) {
  torch::optim::SGD opt(curve->parameters(), 0.01);
  for (const auto &x : xs) {
    opt.zero_grad();
    auto y = safe ? curve->compress_fixed(x) : curve->compress(x);
    torch::mse_loss(y, target).backward();
    opt.step();
  }
}
} // namespace root_of_negatives

// https://github.com/verl-project/verl/pull/7874
// For each micro-batch a report is stored with its graph attached: the entropy never sees backward, so its graph stays alive for the whole
// mini-batch.
namespace micro_batches {
struct PolicyImpl : torch::nn::Module {
  PolicyImpl(int64_t dim, int64_t vocab) {
    body = register_module("body", torch::nn::Linear(dim, dim));
    head = register_module("head", torch::nn::Linear(dim, vocab));
  }
  torch::Tensor forward(const torch::Tensor &x) { return head->forward(torch::tanh(body->forward(x))); }
  torch::nn::Linear body{nullptr}, head{nullptr};
};
TORCH_MODULE(Policy);

struct Micro {
  torch::Tensor x, action, advantage;
};
struct Report {
  torch::Tensor log_prob, entropy;
};

class Trainer {
public:
  Trainer(int64_t dim, int64_t vocab) : policy_(dim, vocab), opt_(policy_->parameters(), 1e-5) {}

  double mini_batch(const std::vector<Micro> &micros) {
    opt_.zero_grad();
    reports_.clear();
    for (const auto &m : micros) {
      auto logp = torch::log_softmax(policy_->forward(m.x), -1);
      auto chosen = logp.gather(-1, m.action.unsqueeze(-1)).squeeze(-1);
      auto entropy = -(logp.exp() * logp).sum(-1);
      (-(chosen * m.advantage).mean() / static_cast<double>(micros.size())).backward();
      reports_.push_back({chosen, entropy}); // expect: tensor-graph-retention
    }
    opt_.step();
    return mean_entropy();
  }

  double mini_batch_fixed(const std::vector<Micro> &micros) {
    opt_.zero_grad();
    reports_.clear();
    for (const auto &m : micros) {
      auto logp = torch::log_softmax(policy_->forward(m.x), -1);
      auto chosen = logp.gather(-1, m.action.unsqueeze(-1)).squeeze(-1);
      auto entropy = -(logp.exp() * logp).sum(-1);
      (-(chosen * m.advantage).mean() / static_cast<double>(micros.size())).backward();
      reports_.push_back({chosen.detach(), entropy.detach()});
    }
    opt_.step();
    return mean_entropy();
  }

private:
  double mean_entropy() const {
    double total = 0.0;
    for (const auto &r : reports_)
      total += r.entropy.mean().item<double>();
    return reports_.empty() ? 0.0 : total / static_cast<double>(reports_.size());
  }
  Policy policy_;
  torch::optim::Adam opt_;
  std::vector<Report> reports_;
};
} // namespace micro_batches

// https://github.com/msu-video-group/memfof/issues/5
// Flow for a whole video is predicted in eval mode but with gradients recorded: every full-HD frame builds a graph that nothing uses.
namespace video_frames {
struct FlowNetImpl : torch::nn::Module {
  FlowNetImpl() {
    stem = register_module("stem", torch::nn::Conv2d(torch::nn::Conv2dOptions(6, 64, 7).padding(3)));
    body = register_module("body", torch::nn::Conv2d(torch::nn::Conv2dOptions(64, 64, 3).padding(1)));
    head = register_module("head", torch::nn::Conv2d(torch::nn::Conv2dOptions(64, 2, 3).padding(1)));
  }
  torch::Tensor forward(const torch::Tensor &a, const torch::Tensor &b) {
    auto x = torch::relu(stem->forward(torch::cat({a, b}, 1)));
    for (int i = 0; i < 8; ++i)
      x = torch::relu(body->forward(x)) + x;
    return head->forward(x);
  }
  torch::nn::Conv2d stem{nullptr}, body{nullptr}, head{nullptr};
};
TORCH_MODULE(FlowNet);

std::vector<torch::Tensor> infer_video(const std::string &weights, const std::vector<torch::Tensor> &frames) {
  FlowNet net;
  torch::load(net, weights);
  net->eval();
  std::vector<torch::Tensor> flows;
  for (size_t i = 1; i < frames.size(); ++i) {
    auto flow = net->forward(frames[i - 1], frames[i]); // expect: tensor-missing-no-grad
    flows.push_back(flow.detach().to(torch::kCPU));
  }
  return flows;
}

std::vector<torch::Tensor> infer_video_fixed(const std::string &weights, const std::vector<torch::Tensor> &frames) {
  FlowNet net;
  torch::load(net, weights);
  net->eval();
  c10::InferenceMode mode;
  std::vector<torch::Tensor> flows;
  for (size_t i = 1; i < frames.size(); ++i) {
    auto flow = net->forward(frames[i - 1], frames[i]);
    flows.push_back(flow.to(torch::kCPU));
  }
  return flows;
}
} // namespace video_frames

// https://github.com/numpy/numpy/issues/26874
// An explicit in-place method is called on the result of advanced indexing, which is a copy: the table never changes.
namespace table_update {
class VisitTable {
public:
  VisitTable(int64_t states, int64_t actions) : counts_(torch::zeros({states, actions})), value_(torch::zeros({states, actions})) {}

  void update(const std::vector<int64_t> &states, const std::vector<int64_t> &actions, const torch::Tensor &target, double lr) {
    const auto s = torch::tensor(states), a = torch::tensor(actions);
    auto now = value_.index({s, a});
    auto step = (target - now) * lr;
    counts_.index_put_({s, a}, torch::ones_like(step), /*accumulate=*/true);
    value_.index({s, a}).add_(step); // expect: tensor-lost-write
  }

  void update_fixed(const std::vector<int64_t> &states, const std::vector<int64_t> &actions, const torch::Tensor &target, double lr) {
    const auto s = torch::tensor(states), a = torch::tensor(actions);
    auto now = value_.index({s, a});
    auto step = (target - now) * lr;
    counts_.index_put_({s, a}, torch::ones_like(step), /*accumulate=*/true);
    value_.index_put_({s, a}, step, /*accumulate=*/true);
  }

  torch::Tensor greedy() const { return value_.argmax(1); }

private:
  torch::Tensor counts_, value_;
};
} // namespace table_update

// https://github.com/vllm-project/vllm/issues/940
// The KV block is allocated without initialisation and attention reads all its slots, also those that no token has filled: garbage (NaN) reaches the
// output.
namespace unfilled_slots {
class BlockAttention {
public:
  static constexpr int64_t kBlock = 16;
  explicit BlockAttention(int64_t dim) : dim_(dim) {}

  // keys, values: [filled, dim] with filled < kBlock; q: [1, dim]
  torch::Tensor attend(const torch::Tensor &q, const torch::Tensor &keys, const torch::Tensor &values) const {
    const int64_t filled = keys.size(0);
    auto kb = torch::zeros({kBlock, dim_});
    auto vb = torch::empty({kBlock, dim_});
    kb.narrow(0, 0, filled).copy_(keys);
    vb.narrow(0, 0, filled).copy_(values);
    return torch::matmul(weights(q, kb, filled), vb); // missed: tensor-uninitialized-read
  }

  torch::Tensor attend_fixed(const torch::Tensor &q, const torch::Tensor &keys, const torch::Tensor &values) const {
    const int64_t filled = keys.size(0);
    auto kb = torch::zeros({kBlock, dim_});
    auto vb = torch::zeros({kBlock, dim_});
    kb.narrow(0, 0, filled).copy_(keys);
    vb.narrow(0, 0, filled).copy_(values);
    return torch::matmul(weights(q, kb, filled), vb);
  }

private:
  torch::Tensor weights(const torch::Tensor &q, const torch::Tensor &kb, int64_t filled) const {
    auto s = torch::matmul(q, kb.t()) / std::sqrt(static_cast<double>(dim_));
    auto unused = torch::arange(kBlock) >= filled;
    return torch::softmax(s.masked_fill(unused, -INFINITY), -1); // 0 * NaN is still NaN
  }
  int64_t dim_;
};
} // namespace unfilled_slots

// https://github.com/NVIDIA/Megatron-LM/pull/411
// The first forward in eval mode overwrites the member dropout_p_ with 0; after going back to train() dropout never works again.
namespace dropout_overwritten {
namespace F = torch::nn::functional;

class CoreAttentionImpl : public torch::nn::Module {
public:
  CoreAttentionImpl(int64_t dim, double dropout) : scale_(1.0 / std::sqrt(static_cast<double>(dim))), dropout_p_(dropout) {}

  torch::Tensor forward(const torch::Tensor &q, const torch::Tensor &k, const torch::Tensor &v) {
    auto w = torch::softmax(torch::matmul(q, k.transpose(-2, -1)) * scale_, -1);
    if (!is_training())
      dropout_p_ = 0.0; // missed: tensor-shape-mismatch
    w = F::dropout(w, F::DropoutFuncOptions().p(dropout_p_));
    return torch::matmul(w, v);
  }

private:
  double scale_, dropout_p_;
};
TORCH_MODULE(CoreAttention);

class CoreAttentionFixedImpl : public torch::nn::Module {
public:
  CoreAttentionFixedImpl(int64_t dim, double dropout) : scale_(1.0 / std::sqrt(static_cast<double>(dim))), dropout_p_(dropout) {}

  torch::Tensor forward(const torch::Tensor &q, const torch::Tensor &k, const torch::Tensor &v) {
    auto w = torch::softmax(torch::matmul(q, k.transpose(-2, -1)) * scale_, -1);
    w = F::dropout(w, F::DropoutFuncOptions().p(dropout_p_).training(is_training()));
    return torch::matmul(w, v);
  }

private:
  double scale_, dropout_p_;
};
TORCH_MODULE(CoreAttentionFixed);
} // namespace dropout_overwritten
