// Reports that were rewritten before anything was done for them, the seventh lot.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <torch/script.h>
#include <torch/torch.h>
#include <tuple>
#include <utility>
#include <vector>

// https://github.com/NVIDIA/Megatron-LM/issues/4731
// The optimizer takes the fused projection apart as query, key and value, but the weight of a gated attention also holds a gate as large as the
// query, so the blocks do not cover it.
namespace gated_projection {
static torch::Tensor orthogonalize(const torch::Tensor &g, int64_t steps) {
  auto x = g / (g.norm() + 1e-7);
  for (int64_t i = 0; i < steps; ++i) {
    auto a = x.matmul(x.mT());
    x = 3.4445 * x - 4.7750 * a.matmul(x) + 2.0315 * a.matmul(a).matmul(x);
  }
  return x;
}

class GatedQkvMuon {
public:
  GatedQkvMuon(int64_t hidden, int64_t num_heads, int64_t num_groups, int64_t kv_channels, double lr)
      : hidden_(hidden), num_groups_(num_groups), kv_channels_(kv_channels), lr_(lr) {
    TORCH_CHECK(num_groups > 0 && num_heads % num_groups == 0, "heads must divide into query groups");
    query_rows_ = num_heads / num_groups * kv_channels;
    const int64_t rows_per_group = query_rows_ /* query */ + query_rows_ /* gate */ + 2 * kv_channels_;
    weight_ = torch::empty({num_groups_ * rows_per_group, hidden_});
    momentum_ = torch::zeros_like(weight_);
  }

  void step(const torch::Tensor &grad) {
    torch::NoGradGuard guard;
    momentum_.mul_(0.95).add_(grad);
    const std::vector<int64_t> rows = {query_rows_, kv_channels_, kv_channels_};
    apply(momentum_.view({num_groups_, query_rows_ + 2 * kv_channels_, hidden_}), rows); // expect: tensor-shape-mismatch
  }

  void step_gated(const torch::Tensor &grad) {
    torch::NoGradGuard guard;
    momentum_.mul_(0.95).add_(grad);
    const std::vector<int64_t> rows = {query_rows_, query_rows_, kv_channels_, kv_channels_};
    apply(momentum_.view({num_groups_, 2 * query_rows_ + 2 * kv_channels_, hidden_}), rows);
  }

private:
  void apply(const torch::Tensor &grouped, const std::vector<int64_t> &rows) {
    std::vector<torch::Tensor> updates;
    updates.reserve(rows.size());
    for (const auto &part : grouped.split_with_sizes(rows, 1)) {
      auto flat = part.reshape({-1, hidden_});
      updates.push_back(orthogonalize(flat, 5).view({num_groups_, part.size(1), hidden_}));
    }
    weight_.sub_(torch::cat(updates, 1).view_as(weight_), lr_);
  }

  int64_t hidden_, num_groups_, kv_channels_, query_rows_ = 0;
  double lr_;
  torch::Tensor weight_, momentum_;
};
} // namespace gated_projection

// https://github.com/ultralytics/ultralytics/issues/20522
// The split into four box rows and the class rows shows that the head gives no objectness row, but the scores are then read from row five, one row
// past the end.
namespace split_boxes {
struct Detections {
  torch::Tensor boxes;   // kept x 4
  torch::Tensor scores;  // kept
  torch::Tensor classes; // kept
};

class YoloDetector {
public:
  YoloDetector(const std::string &path, std::vector<std::string> names, double threshold)
      : module_(torch::jit::load(path)), names_(std::move(names)), threshold_(threshold) {
    num_classes_ = static_cast<int64_t>(names_.size());
    TORCH_CHECK(num_classes_ > 0, "a detector without classes");
    module_.eval();
  }

  Detections detect(const torch::Tensor &image) {
    torch::NoGradGuard no_grad;
    auto pred = run(image);
    auto rows = pred.split_with_sizes({4, num_classes_}, 0);
    auto corners = to_corners(rows[0]);
    auto objectness = pred.select(0, 4);
    auto confidence = pred.narrow(0, 5, num_classes_) * objectness; // expect: tensor-shape-mismatch
    return keep(corners, confidence);
  }

  Detections detect_anchor_free(const torch::Tensor &image) {
    torch::NoGradGuard no_grad;
    auto pred = run(image);
    auto rows = pred.split_with_sizes({4, num_classes_}, 0);
    return keep(to_corners(rows[0]), rows[1]);
  }

private:
  torch::Tensor run(const torch::Tensor &image) {
    auto out = module_.forward({image.unsqueeze(0)}).toTensor();
    TORCH_CHECK(out.dim() == 3 && out.size(0) == 1, "expects 1 x rows x anchors");
    return out.squeeze(0);
  }

  static torch::Tensor to_corners(const torch::Tensor &xywh) {
    auto centre = xywh.narrow(0, 0, 2);
    auto half = xywh.narrow(0, 2, 2) * 0.5;
    return torch::cat({centre - half, centre + half}, 0);
  }

  Detections keep(const torch::Tensor &corners, const torch::Tensor &confidence) const {
    auto [best, which] = confidence.max(0);
    auto index = (best > threshold_).nonzero().squeeze(1);
    return {corners.index_select(1, index).t(), best.index_select(0, index), which.index_select(0, index)};
  }

  torch::jit::script::Module module_;
  std::vector<std::string> names_;
  double threshold_;
  int64_t num_classes_ = 0;
};
} // namespace split_boxes

// https://github.com/junfanz1/MiniGPT-and-DeepSeek-MLA-Multi-Head-Latent-Attention/issues/1
// What stands behind the latent in a compressed row is the rotary part of the key, which the check against the cache proves, but it is reshaped to
// the larger size of the part without rotation.
namespace latent_rows {
struct MlaDims {
  int64_t kv_lora_rank;
  int64_t qk_nope_head_dim;
  int64_t qk_rope_head_dim;
  int64_t max_tokens;
};

class LatentCacheImpl : public torch::nn::Module {
public:
  // the down projection comes from the checkpoint, its width is what the file says
  LatentCacheImpl(const MlaDims &dims, torch::nn::Linear kv_down) : dims_(dims), kv_down_(std::move(kv_down)) {
    TORCH_CHECK(dims.qk_nope_head_dim > dims.qk_rope_head_dim && dims.qk_rope_head_dim > 0, "the rotary part is the smaller one");
    register_module("kv_down", kv_down_);
    norm_ = register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({dims.kv_lora_rank})));
    rows_ = register_buffer("rows", torch::zeros({dims.max_tokens, dims.kv_lora_rank + dims.qk_rope_head_dim}));
  }

  torch::Tensor append(const torch::Tensor &hidden, const torch::Tensor &cos, const torch::Tensor &sin) {
    torch::NoGradGuard no_grad;
    auto row = compress(hidden);
    auto latent = norm_->forward(row.slice(-1, 0, dims_.kv_lora_rank));
    auto k_rope = row.slice(-1, dims_.kv_lora_rank).reshape({row.size(0), 1, dims_.qk_nope_head_dim}); // expect: tensor-shape-mismatch
    return store(latent, rotate(k_rope, cos, sin));
  }

  torch::Tensor append_rotary(const torch::Tensor &hidden, const torch::Tensor &cos, const torch::Tensor &sin) {
    torch::NoGradGuard no_grad;
    auto row = compress(hidden);
    auto latent = norm_->forward(row.slice(-1, 0, dims_.kv_lora_rank));
    auto k_rope = row.slice(-1, dims_.kv_lora_rank).reshape({row.size(0), 1, dims_.qk_rope_head_dim});
    return store(latent, rotate(k_rope, cos, sin));
  }

private:
  torch::Tensor compress(const torch::Tensor &hidden) {
    auto row = kv_down_->forward(hidden);
    TORCH_CHECK(row.dim() == 2, "expects tokens x width");
    TORCH_CHECK(row.size(1) == rows_.size(1), "the projection does not fit the cache");
    return row;
  }

  static torch::Tensor rotate(const torch::Tensor &k, const torch::Tensor &cos, const torch::Tensor &sin) {
    auto halves = k.chunk(2, -1);
    return k * cos + torch::cat({-halves[1], halves[0]}, -1) * sin;
  }

  torch::Tensor store(const torch::Tensor &latent, const torch::Tensor &k_rope) {
    auto target = rows_.narrow(0, used_, latent.size(0));
    target.copy_(torch::cat({latent, k_rope.squeeze(1)}, -1));
    used_ += latent.size(0);
    return rows_.narrow(0, 0, used_);
  }

  MlaDims dims_;
  torch::nn::Linear kv_down_{nullptr};
  torch::nn::LayerNorm norm_{nullptr};
  torch::Tensor rows_;
  int64_t used_ = 0;
};
TORCH_MODULE(LatentCache);
} // namespace latent_rows

// https://github.com/jsbaan/transformer-from-scratch/pull/6
// The heads stand before the positions when they are merged, so the reshape takes the head axis for positions and mixes tokens.
namespace heads_as_tokens {
class MultiHeadAttentionImpl : public torch::nn::Module {
public:
  MultiHeadAttentionImpl(int64_t hidden_dim, int64_t num_heads) : hidden_dim_(hidden_dim), num_heads_(num_heads), qkv_dim_(hidden_dim / num_heads) {
    TORCH_CHECK(num_heads > 1, "one head needs no merging");
    TORCH_CHECK(hidden_dim % num_heads == 0, "the hidden size must divide into heads");
    qkv_proj_ = register_module("qkv_proj", torch::nn::Linear(hidden_dim_, 3 * num_heads_ * qkv_dim_));
    o_proj_ = register_module("o_proj", torch::nn::Linear(num_heads_ * qkv_dim_, hidden_dim_));
  }

  torch::Tensor forward(const torch::Tensor &x, const torch::Tensor &padding_mask) {
    const auto batch_size = x.size(0);
    const auto sequence_length = x.size(1);
    auto values = attend(x, padding_mask);
    auto merged = values.reshape({batch_size, sequence_length, num_heads_ * qkv_dim_}); // expect: tensor-shape-mismatch
    return o_proj_->forward(merged);
  }

  torch::Tensor forward_by_token(const torch::Tensor &x, const torch::Tensor &padding_mask) {
    const auto batch_size = x.size(0);
    const auto sequence_length = x.size(1);
    auto values = attend(x, padding_mask).permute({0, 2, 1, 3});
    auto merged = values.reshape({batch_size, sequence_length, num_heads_ * qkv_dim_});
    return o_proj_->forward(merged);
  }

private:
  // batch x heads x positions x qkv_dim
  torch::Tensor attend(const torch::Tensor &x, const torch::Tensor &padding_mask) {
    auto qkv = qkv_proj_->forward(x).view({x.size(0), x.size(1), num_heads_, 3 * qkv_dim_});
    auto parts = qkv.permute({0, 2, 1, 3}).chunk(3, -1);
    auto logits = torch::matmul(parts[0], parts[1].transpose(-2, -1)) / std::sqrt(static_cast<double>(qkv_dim_));
    if (padding_mask.defined()) {
      logits = logits.masked_fill(padding_mask.view({x.size(0), 1, 1, x.size(1)}), -1e9);
    }
    return torch::matmul(torch::softmax(logits, -1), parts[2]);
  }

  int64_t hidden_dim_, num_heads_, qkv_dim_;
  torch::nn::Linear qkv_proj_{nullptr}, o_proj_{nullptr};
};
TORCH_MODULE(MultiHeadAttention);
} // namespace heads_as_tokens

// https://github.com/pytorch/pytorch/issues/119486
// A vector of vectors does not lie in one piece: from_blob reads the headers of the inner vectors (pointers) as if they were the indices.
namespace vector_headers {
class MeshLoader {
public:
  explicit MeshLoader(int64_t corners) : corners_(corners) { TORCH_CHECK(corners_ == 3, "only triangles are supported"); }

  void add_vertex(float x, float y, float z) { positions_.push_back({x, y, z}); }

  void add_face(const std::vector<int> &face) {
    TORCH_CHECK(static_cast<int64_t>(face.size()) == corners_, "a face with ", face.size(), " corners");
    faces_.push_back(face);
  }

  torch::Tensor vertices() const {
    const auto count = static_cast<int64_t>(positions_.size());
    auto options = torch::TensorOptions().dtype(torch::kFloat32);
    return torch::from_blob(const_cast<std::array<float, 3> *>(positions_.data()), {count, 3}, options).clone();
  }

  torch::Tensor faces() {
    const auto count = static_cast<int64_t>(faces_.size());
    auto options = torch::TensorOptions().dtype(torch::kInt32);
    auto index = torch::from_blob(faces_.data(), {count, corners_}, options); // expect: tensor-from-blob-lifetime
    return index.to(torch::kInt64);
  }

  torch::Tensor faces_in_rows() const {
    const auto count = static_cast<int64_t>(faces_.size());
    std::vector<int> flat;
    flat.reserve(faces_.size() * corners_);
    for (const auto &face : faces_) {
      flat.insert(flat.end(), face.begin(), face.end());
    }
    auto options = torch::TensorOptions().dtype(torch::kInt32);
    return torch::from_blob(flat.data(), {count, corners_}, options).to(torch::kInt64);
  }

  torch::Tensor face_normals(const torch::Tensor &index) const {
    auto corners = vertices().index_select(0, index.reshape({-1})).view({-1, 3, 3});
    auto a = corners.select(1, 1) - corners.select(1, 0);
    auto b = corners.select(1, 2) - corners.select(1, 0);
    return torch::nn::functional::normalize(torch::cross(a, b, 1));
  }

private:
  int64_t corners_;
  std::vector<std::array<float, 3>> positions_;
  std::vector<std::vector<int>> faces_;
};
} // namespace vector_headers

// https://github.com/pytorch/FBGEMM/pull/1808
// The parts of the table are handed out through contiguous(), so what the loader writes goes into copies and the table keeps its old values.
namespace table_copies {
struct TableParts {
  torch::Tensor scale_bias; // rows x 2, half
  torch::Tensor weights;    // rows x dim, uint8
};

class QuantizedTable {
public:
  static constexpr int64_t kScaleBiasBytes = 4;

  QuantizedTable(int64_t rows, int64_t dim) : rows_(rows), dim_(dim) {
    TORCH_CHECK(rows > 1 && dim > 0 && dim % 4 == 0, "a table of ", rows, " x ", dim);
    data_ = torch::zeros({rows_, kScaleBiasBytes + dim_}, torch::kUInt8);
  }

  // scale and bias as uint8 bytes, then the quantized values
  TableParts split_copies() const { return {data_.slice(1, 0, kScaleBiasBytes).contiguous(), data_.slice(1, kScaleBiasBytes).contiguous()}; }

  TableParts split() const { return {data_.slice(1, 0, kScaleBiasBytes), data_.slice(1, kScaleBiasBytes)}; }

  const torch::Tensor &data() const { return data_; }

private:
  int64_t rows_, dim_;
  torch::Tensor data_;
};

class TableLoader {
public:
  void load_weights(QuantizedTable &table, const torch::Tensor &weights) {
    torch::NoGradGuard guard;
    TableParts parts = table.split_copies();
    TORCH_CHECK(parts.weights.sizes() == weights.sizes(), "the checkpoint holds another table");
    parts.weights.copy_(weights); // missed: tensor-lost-write
    loaded_ += weights.numel();
  }

  void load_weights_in_place(QuantizedTable &table, const torch::Tensor &weights) {
    torch::NoGradGuard guard;
    TableParts parts = table.split();
    TORCH_CHECK(parts.weights.sizes() == weights.sizes(), "the checkpoint holds another table");
    parts.weights.copy_(weights);
    loaded_ += weights.numel();
  }

  int64_t loaded() const { return loaded_; }

private:
  int64_t loaded_ = 0;
};
} // namespace table_copies

// https://github.com/aramis-lab/clinicadl/pull/810
// The field is taken out of the sample without a copy, and squeeze_ then takes the channel axis away from the image of the sample itself, which is
// read with four axes afterwards.
namespace shared_volume {
struct Sample {
  std::string participant;
  torch::Tensor image; // 1 x depth x height x width
  torch::Tensor mask;  // 1 x depth x height x width
};

struct Summary {
  std::vector<double> means;
  torch::Tensor images;
  int64_t voxels = 0;
};

class ScanBatch {
public:
  void add(Sample sample) {
    TORCH_CHECK(sample.image.dim() == 4 && sample.image.size(0) == 1, "expects one channel: ", sample.participant);
    TORCH_CHECK(sample.mask.sizes() == sample.image.sizes(), "the mask must fit the image");
    samples_.push_back(std::move(sample));
  }

  Summary summarize() const {
    Summary summary;
    std::vector<torch::Tensor> images;
    images.reserve(samples_.size());
    for (const Sample &sample : samples_) {
      torch::Tensor volume = sample.image;
      volume.squeeze_(0); // expect: tensor-shared-metadata
      summary.means.push_back(mean_of(volume));
      summary.voxels += sample.image.size(1) * sample.image.size(2) * sample.image.size(3);
      images.push_back(sample.image);
    }
    summary.images = torch::cat(images, 0).unsqueeze(1);
    return summary;
  }

  Summary summarize_views() const {
    Summary summary;
    std::vector<torch::Tensor> images;
    images.reserve(samples_.size());
    for (const Sample &sample : samples_) {
      torch::Tensor volume = sample.image.squeeze(0);
      summary.means.push_back(mean_of(volume));
      summary.voxels += sample.image.size(1) * sample.image.size(2) * sample.image.size(3);
      images.push_back(sample.image);
    }
    summary.images = torch::cat(images, 0).unsqueeze(1);
    return summary;
  }

private:
  static double mean_of(const torch::Tensor &volume) {
    TORCH_CHECK(volume.dim() == 3, "expects depth x height x width");
    return volume.mean().item<double>();
  }

  std::vector<Sample> samples_;
};
} // namespace shared_volume

// https://github.com/modelscope/modelscope/issues/220
// The tables of the noise schedule stay on the CPU, but they are indexed with time steps that live on the GPU beside the latents.
namespace noise_schedule {
class GaussianDiffusion {
public:
  GaussianDiffusion(int64_t num_timesteps, double beta_start, double beta_end) : num_timesteps_(num_timesteps) {
    auto options = torch::TensorOptions().dtype(torch::kFloat64);
    auto betas = torch::linspace(beta_start, beta_end, num_timesteps_, options);
    auto alphas_cumprod = torch::cumprod(1.0 - betas, 0);
    sqrt_alphas_cumprod_ = torch::sqrt(alphas_cumprod);
    sqrt_one_minus_alphas_cumprod_ = torch::sqrt(1.0 - alphas_cumprod);
  }

  torch::Tensor add_noise(const torch::Tensor &x0, const torch::Tensor &noise) const {
    TORCH_CHECK(x0.is_cuda() && noise.is_cuda(), "latents are noised on the GPU");
    auto t = timesteps(x0);
    return pick(sqrt_alphas_cumprod_, t, x0) * x0 + pick(sqrt_one_minus_alphas_cumprod_, t, x0) * noise;
  }

  torch::Tensor add_noise_moved(const torch::Tensor &x0, const torch::Tensor &noise) const {
    TORCH_CHECK(x0.is_cuda() && noise.is_cuda(), "latents are noised on the GPU");
    auto t = timesteps(x0);
    return pick_moved(sqrt_alphas_cumprod_, t, x0) * x0 + pick_moved(sqrt_one_minus_alphas_cumprod_, t, x0) * noise;
  }

private:
  torch::Tensor timesteps(const torch::Tensor &x) const { return torch::randint(num_timesteps_, {x.size(0)}, x.options().dtype(torch::kInt64)); }

  // the entries of a table for t, shaped so that they multiply x
  static torch::Tensor pick(const torch::Tensor &table, const torch::Tensor &t, const torch::Tensor &x) {
    std::vector<int64_t> shape(x.dim(), 1);
    shape[0] = x.size(0);
    return table.index({t}).view(shape).to(x); // expect: tensor-device-mismatch
  }

  static torch::Tensor pick_moved(const torch::Tensor &table, const torch::Tensor &t, const torch::Tensor &x) {
    std::vector<int64_t> shape(x.dim(), 1);
    shape[0] = x.size(0);
    return table.to(x).index({t}).view(shape);
  }

  int64_t num_timesteps_;
  torch::Tensor sqrt_alphas_cumprod_, sqrt_one_minus_alphas_cumprod_;
};
} // namespace noise_schedule

// https://github.com/graphdeco-inria/gaussian-splatting/issues/417
// The counts lie in a buffer on the GPU, but from_blob is given no device, so clone() reads device memory as if it were the host's.
namespace contributions {
struct ImageState {
  uint32_t *n_contrib;
  float *accum_alpha;

  static size_t required(size_t pixels) { return pixels * (sizeof(uint32_t) + sizeof(float)); }

  static ImageState from_chunk(char *chunk, size_t pixels) {
    ImageState state;
    state.n_contrib = reinterpret_cast<uint32_t *>(chunk);
    state.accum_alpha = reinterpret_cast<float *>(chunk + pixels * sizeof(uint32_t));
    return state;
  }
};

// launches the kernels, all pointers are device pointers
void render_forward(int count, int height, int width, const float *means, const float *opacities, ImageState image, float *out);

class Rasterizer {
public:
  Rasterizer(int64_t height, int64_t width) : height_(height), width_(width), device_(torch::kCUDA, 0) {
    const auto bytes = static_cast<int64_t>(ImageState::required(height_ * width_));
    img_buffer_ = torch::empty({bytes}, torch::TensorOptions().dtype(torch::kUInt8).device(device_));
  }

  std::tuple<torch::Tensor, torch::Tensor> render(const torch::Tensor &means3d, const torch::Tensor &opacity) {
    auto color = launch(means3d, opacity);
    auto options = torch::TensorOptions().dtype(torch::kInt32);
    auto n_contrib = torch::from_blob(state_.n_contrib, {height_, width_}, options).clone(); // missed: tensor-device-mismatch
    return {color, n_contrib};
  }

  std::tuple<torch::Tensor, torch::Tensor> render_on_device(const torch::Tensor &means3d, const torch::Tensor &opacity) {
    auto color = launch(means3d, opacity);
    auto options = torch::TensorOptions().dtype(torch::kInt32).device(device_);
    auto n_contrib = torch::from_blob(state_.n_contrib, {height_, width_}, options).clone();
    return {color, n_contrib};
  }

private:
  torch::Tensor launch(const torch::Tensor &means3d, const torch::Tensor &opacity) {
    TORCH_CHECK(means3d.is_cuda() && means3d.is_contiguous() && means3d.dim() == 2 && means3d.size(1) == 3, "means3d must be N x 3 on the GPU");
    TORCH_CHECK(opacity.is_cuda() && opacity.is_contiguous(), "opacity must lie on the GPU");
    auto color = torch::zeros({3, height_, width_}, means3d.options().dtype(torch::kFloat32));
    state_ = ImageState::from_chunk(reinterpret_cast<char *>(img_buffer_.data_ptr()), height_ * width_);
    render_forward(static_cast<int>(means3d.size(0)), static_cast<int>(height_), static_cast<int>(width_), means3d.data_ptr<float>(),
                   opacity.data_ptr<float>(), state_, color.data_ptr<float>());
    return color;
  }

  int64_t height_, width_;
  torch::Device device_;
  torch::Tensor img_buffer_;
  ImageState state_{};
};
} // namespace contributions

// https://github.com/benedekrozemberczki/pytorch_geometric_temporal/issues/305
// The evolved weight stays in the module from one epoch to the next, so the second backward() runs into the graph of the first epoch, which is freed.
namespace evolved_weight {
struct Snapshot {
  torch::Tensor x;         // nodes x channels
  torch::Tensor adjacency; // nodes x nodes, normalized
  torch::Tensor y;         // nodes
};

class EvolvingGcnImpl : public torch::nn::Module {
public:
  explicit EvolvingGcnImpl(int64_t channels) : channels_(channels) {
    initial_weight_ = register_parameter("initial_weight", torch::empty({channels_, channels_}));
    torch::nn::init::xavier_uniform_(initial_weight_);
    evolve_ = register_module("evolve", torch::nn::GRUCell(channels_, channels_));
    head_ = register_module("head", torch::nn::Linear(channels_, 1));
    weight_ = initial_weight_;
  }

  std::vector<torch::Tensor> forward(const std::vector<Snapshot> &sequence) {
    std::vector<torch::Tensor> outputs;
    for (const auto &s : sequence) {
      weight_ = evolve_->forward(weight_, weight_); // expect: tensor-graph-retention
      outputs.push_back(predict(s, weight_));
    }
    return outputs;
  }

  std::vector<torch::Tensor> forward_from_start(const std::vector<Snapshot> &sequence) {
    std::vector<torch::Tensor> outputs;
    auto weight = initial_weight_;
    for (const auto &s : sequence) {
      weight = evolve_->forward(weight, weight);
      outputs.push_back(predict(s, weight));
    }
    return outputs;
  }

private:
  torch::Tensor predict(const Snapshot &s, const torch::Tensor &weight) {
    auto h = torch::relu(s.adjacency.matmul(s.x.matmul(weight)));
    return head_->forward(h).squeeze(-1);
  }

  int64_t channels_;
  torch::Tensor initial_weight_, weight_;
  torch::nn::GRUCell evolve_{nullptr};
  torch::nn::Linear head_{nullptr};
};
TORCH_MODULE(EvolvingGcn);

void train(EvolvingGcn &net, torch::optim::Optimizer &opt, const std::vector<Snapshot> &sequence, int epochs, bool from_start) {
  for (int epoch = 0; epoch < epochs; ++epoch) {
    auto outputs = from_start ? net->forward_from_start(sequence) : net->forward(sequence);
    auto cost = torch::zeros({});
    for (size_t i = 0; i < sequence.size(); ++i) {
      cost = cost + torch::mse_loss(outputs[i], sequence[i].y);
    }
    opt.zero_grad();
    (cost / static_cast<double>(sequence.size())).backward();
    opt.step();
  }
}
} // namespace evolved_weight

// https://github.com/anthonytorlucci/rlevo/issues/508
// The logits of the frozen policy are only copied into a plain buffer, but the pass that makes them records a graph for every chunk.
namespace frozen_policy {
class PolicyNetImpl : public torch::nn::Module {
public:
  PolicyNetImpl(int64_t obs_dim, int64_t hidden, int64_t num_actions) {
    body_ = register_module("body", torch::nn::Linear(obs_dim, hidden));
    actor_ = register_module("actor", torch::nn::Linear(hidden, num_actions));
    aux_value_ = register_module("aux_value", torch::nn::Linear(hidden, 1));
  }

  torch::Tensor forward(const torch::Tensor &obs) { return actor_->forward(torch::tanh(body_->forward(obs))); }
  torch::Tensor aux_value(const torch::Tensor &obs) { return aux_value_->forward(torch::tanh(body_->forward(obs))).squeeze(-1); }

private:
  torch::nn::Linear body_{nullptr}, actor_{nullptr}, aux_value_{nullptr};
};
TORCH_MODULE(PolicyNet);

class PpgAgent {
public:
  PpgAgent(int64_t obs_dim, int64_t num_actions, int64_t chunk)
      : num_actions_(num_actions), chunk_(chunk), policy_(obs_dim, 64, num_actions), opt_(policy_->parameters(), 3e-4) {}

  std::vector<float> old_logits(const torch::Tensor &obs) {
    std::vector<float> out;
    for (int64_t at = 0; at < obs.size(0); at += chunk_) {
      const int64_t n = std::min(chunk_, obs.size(0) - at);
      auto logits = policy_->forward(obs.narrow(0, at, n)); // missed: tensor-missing-no-grad
      const float *p = logits.data_ptr<float>();
      out.insert(out.end(), p, p + logits.numel());
    }
    return out;
  }

  std::vector<float> old_logits_frozen(const torch::Tensor &obs) {
    torch::NoGradGuard no_grad;
    std::vector<float> out;
    for (int64_t at = 0; at < obs.size(0); at += chunk_) {
      const int64_t n = std::min(chunk_, obs.size(0) - at);
      auto logits = policy_->forward(obs.narrow(0, at, n));
      const float *p = logits.data_ptr<float>();
      out.insert(out.end(), p, p + logits.numel());
    }
    return out;
  }

  void auxiliary_phase(const torch::Tensor &obs, const torch::Tensor &returns, int64_t epochs, bool frozen) {
    auto rows = torch::tensor(frozen ? old_logits_frozen(obs) : old_logits(obs)).view({obs.size(0), num_actions_});
    auto old_probs = torch::softmax(rows, -1);
    for (int64_t epoch = 0; epoch < epochs; ++epoch) {
      auto logp = torch::log_softmax(policy_->forward(obs), -1);
      auto loss = torch::mse_loss(policy_->aux_value(obs), returns) - (old_probs * logp).sum(-1).mean();
      opt_.zero_grad();
      loss.backward();
      opt_.step();
    }
  }

private:
  int64_t num_actions_, chunk_;
  PolicyNet policy_;
  torch::optim::Adam opt_;
};
} // namespace frozen_policy

// https://github.com/flashinfer-ai/flashinfer/pull/2848
// Interleaving pads the 90 scale columns of this model to 92, so weight over scale gives 31 values for each scale, and the check for 16 or 32 always
// fails.
namespace scale_groups {
struct MoeDims {
  static constexpr int64_t num_experts = 128;
  static constexpr int64_t hidden = 2880;
  static constexpr int64_t intermediate = 2880;
  static constexpr int64_t sf_block = 32;
};

static constexpr int64_t pad_up(int64_t n, int64_t to) { return (n + to - 1) / to * to; }

struct PackedExperts {
  torch::Tensor weight; // experts x rows x hidden / 2, two values in a byte
  torch::Tensor scale;  // experts x rows x padded scale columns

  static PackedExperts make(int64_t experts, int64_t rows, int64_t hidden, int64_t sf_block) {
    auto options = torch::TensorOptions().dtype(torch::kUInt8);
    const int64_t sf_cols = pad_up(hidden / sf_block, 4);
    return {torch::empty({experts, rows, hidden / 2}, options), torch::empty({experts, rows, sf_cols}, options)};
  }
};

static bool use_mx_format(const PackedExperts &w) {
  TORCH_CHECK(w.weight.dim() == 3 && w.scale.dim() == 3, "expects experts x rows x columns");
  const int64_t values = w.weight.size(0) * w.weight.size(1) * w.weight.size(2) * 2;
  const int64_t vec_size = values / w.scale.numel();
  TORCH_CHECK(vec_size == 16 || vec_size == 32, "unsupported number of values for each scale: ", vec_size); // missed: tensor-shape-mismatch
  return vec_size == 32;
}

static bool use_mx_format_padded(const PackedExperts &w, int64_t sf_block) {
  TORCH_CHECK(w.weight.dim() == 3 && w.scale.dim() == 3, "expects experts x rows x columns");
  TORCH_CHECK(sf_block == 16 || sf_block == 32, "unsupported number of values for each scale: ", sf_block);
  const int64_t hidden = w.weight.size(2) * 2;
  TORCH_CHECK(w.scale.size(2) == pad_up(hidden / sf_block, 4), "the scales do not fit the weight");
  return sf_block == 32;
}

class FusedMoe {
public:
  FusedMoe() : gate_up_(PackedExperts::make(MoeDims::num_experts, 2 * MoeDims::intermediate, MoeDims::hidden, MoeDims::sf_block)) {}

  void prepare() { mx_ = use_mx_format(gate_up_); }
  void prepare_padded() { mx_ = use_mx_format_padded(gate_up_, MoeDims::sf_block); }
  bool mx() const { return mx_; }

private:
  PackedExperts gate_up_;
  bool mx_ = false;
};
} // namespace scale_groups

// https://github.com/andimarafioti/faster-qwen3-tts/pull/111
// The history for the repetition penalty is stacked anew from all earlier tokens in every step, which copies a growing list each time.
namespace growing_history {
class CodecTalkerImpl : public torch::nn::Module {
public:
  CodecTalkerImpl(int64_t vocab, int64_t width) : vocab_(vocab) {
    embed_ = register_module("embed", torch::nn::Embedding(vocab, width));
    cell_ = register_module("cell", torch::nn::GRUCell(width, width));
    head_ = register_module("head", torch::nn::Linear(width, vocab));
  }

  torch::Tensor step(const torch::Tensor &token, torch::Tensor &state) {
    state = cell_->forward(embed_->forward(token.unsqueeze(0)), state);
    return head_->forward(state).squeeze(0);
  }

private:
  int64_t vocab_;
  torch::nn::Embedding embed_{nullptr};
  torch::nn::GRUCell cell_{nullptr};
  torch::nn::Linear head_{nullptr};
};
TORCH_MODULE(CodecTalker);

static torch::Tensor penalize(const torch::Tensor &logits, const torch::Tensor &history, double penalty) {
  auto seen = logits.index_select(0, history);
  auto lowered = torch::where(seen > 0, seen / penalty, seen * penalty);
  return logits.scatter(0, history, lowered);
}

torch::Tensor generate(CodecTalker &talker, torch::Tensor token, torch::Tensor state, int64_t max_new_tokens, double penalty) {
  torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> all_tokens;
  for (int64_t step = 0; step < max_new_tokens; ++step) {
    all_tokens.push_back(token);
    auto history = torch::stack(all_tokens); // missed: tensor-allocation-in-loop
    auto logits = talker->step(token, state);
    token = penalize(logits, history, penalty).argmax(0);
  }
  return torch::stack(all_tokens);
}

torch::Tensor generate_buffered(CodecTalker &talker, torch::Tensor token, torch::Tensor state, int64_t max_new_tokens, double penalty) {
  torch::NoGradGuard no_grad;
  auto tokens = torch::empty({max_new_tokens}, token.options());
  for (int64_t step = 0; step < max_new_tokens; ++step) {
    tokens.select(0, step).copy_(token);
    auto logits = talker->step(token, state);
    token = penalize(logits, tokens.narrow(0, 0, step + 1), penalty).argmax(0);
  }
  return tokens;
}
} // namespace growing_history

// https://github.com/pytorch/FBGEMM/pull/6029
// The order of the features is made with 64-bit indices, but the operator reads it through a pointer to 32-bit ones, which throws.
namespace permute_of_longs {
// where each feature of each rank comes from after the exchange
static torch::Tensor recat(int64_t num_ranks, int64_t num_features) {
  std::vector<int64_t> order;
  order.reserve(num_ranks * num_features);
  for (int64_t f = 0; f < num_features; ++f) {
    for (int64_t r = 0; r < num_ranks; ++r) {
      order.push_back(r * num_features + f);
    }
  }
  return torch::tensor(order, torch::kInt64);
}

template <typename index_t> static void permute_lengths(const index_t *permute, const int32_t *lengths, int32_t *out, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    out[i] = lengths[permute[i]];
  }
}

class FeatureExchange {
public:
  FeatureExchange(int64_t num_ranks, int64_t num_features) : count_(num_ranks * num_features), permute_(recat(num_ranks, num_features)) {}

  torch::Tensor lengths(const torch::Tensor &received) const {
    auto in = check(received);
    auto out = torch::empty_like(in);
    permute_lengths(permute_.data_ptr<int32_t>(), in.data_ptr<int32_t>(), out.data_ptr<int32_t>(), count_); // expect: tensor-shape-mismatch
    return out;
  }

  torch::Tensor lengths_any_index(const torch::Tensor &received) const {
    auto in = check(received);
    auto out = torch::empty_like(in);
    if (permute_.scalar_type() == torch::kInt64) {
      permute_lengths(permute_.data_ptr<int64_t>(), in.data_ptr<int32_t>(), out.data_ptr<int32_t>(), count_);
    } else {
      permute_lengths(permute_.data_ptr<int32_t>(), in.data_ptr<int32_t>(), out.data_ptr<int32_t>(), count_);
    }
    return out;
  }

private:
  torch::Tensor check(const torch::Tensor &received) const {
    TORCH_CHECK(received.device().is_cpu() && received.scalar_type() == torch::kInt32, "lengths are 32-bit and on the CPU");
    TORCH_CHECK(received.dim() == 1 && received.size(0) == count_, "one length for each feature and rank");
    return received.contiguous();
  }

  int64_t count_;
  torch::Tensor permute_;
};
} // namespace permute_of_longs

// https://github.com/huggingface/transformers/issues/47743
// The window mask is always float, so adding it makes the half scores float, and their product with the half values throws.
namespace float_mask {
class WindowAttentionImpl : public torch::nn::Module {
public:
  WindowAttentionImpl(int64_t dim, int64_t heads, int64_t window, int64_t shift)
      : heads_(heads), head_dim_(dim / heads), window_(window), shift_(shift) {
    TORCH_CHECK(dim % heads == 0 && shift > 0 && shift < window, "a shifted window");
    qkv_ = register_module("qkv", torch::nn::Linear(dim, 3 * dim));
    proj_ = register_module("proj", torch::nn::Linear(dim, dim));
    to(torch::kHalf);
    scale_ = 1.0 / std::sqrt(static_cast<double>(head_dim_));
  }

  torch::Tensor forward(const torch::Tensor &windows) {
    const auto tokens = windows.size(1);
    auto qkv = project(windows);
    auto scores = torch::matmul(qkv[0], qkv[1].transpose(-2, -1)) * scale_;
    scores = scores + shift_mask(tokens, windows.options().dtype(torch::kFloat32));
    auto context = torch::matmul(torch::softmax(scores, -1), qkv[2]); // expect: tensor-shape-mismatch
    return merge(context);
  }

  torch::Tensor forward_half(const torch::Tensor &windows) {
    const auto tokens = windows.size(1);
    auto qkv = project(windows);
    auto scores = torch::matmul(qkv[0], qkv[1].transpose(-2, -1)) * scale_;
    scores = scores + shift_mask(tokens, scores.options());
    auto context = torch::matmul(torch::softmax(scores, -1), qkv[2]);
    return merge(context);
  }

private:
  // 3 x windows x heads x tokens x head_dim
  torch::Tensor project(const torch::Tensor &windows) {
    auto fused = qkv_->forward(windows.to(torch::kHalf));
    return fused.view({windows.size(0), windows.size(1), 3, heads_, head_dim_}).permute({2, 0, 3, 1, 4});
  }

  torch::Tensor shift_mask(int64_t tokens, const torch::TensorOptions &options) const {
    auto region = torch::arange(tokens, options.dtype(torch::kInt64)).remainder(window_).ge(window_ - shift_);
    auto differs = region.unsqueeze(0).ne(region.unsqueeze(1));
    return torch::zeros({tokens, tokens}, options).masked_fill(differs, -100.0);
  }

  torch::Tensor merge(const torch::Tensor &context) { return proj_->forward(context.transpose(1, 2).flatten(2)); }

  int64_t heads_, head_dim_, window_, shift_;
  double scale_ = 1.0;
  torch::nn::Linear qkv_{nullptr}, proj_{nullptr};
};
TORCH_MODULE(WindowAttention);
} // namespace float_mask

// https://github.com/jsboige/CoursIA/pull/926
// With a horizon of one the forecaster answers [batch, 1] while the targets are [batch]: the mse is taken over a [batch, batch] matrix.
namespace horizon_of_one {
struct SeriesBatch {
  torch::Tensor window; // [batch, lookback, features]
  torch::Tensor target; // [batch]
};

class PatchForecasterImpl : public torch::nn::Module {
public:
  PatchForecasterImpl(int64_t features, int64_t width) : width_(width) {
    embed_ = register_module("embed", torch::nn::Linear(features, width_));
    mix_ = register_module("mix", torch::nn::Linear(width_, width_));
    head_ = register_module("head", torch::nn::Linear(width_, kHorizon));
  }

  torch::Tensor forward(const torch::Tensor &window) {
    auto pooled = torch::gelu(embed_->forward(window)).mean(1);
    return head_->forward(torch::gelu(mix_->forward(pooled)));
  }

private:
  static constexpr int64_t kHorizon = 1;
  int64_t width_;
  torch::nn::Linear embed_{nullptr}, mix_{nullptr}, head_{nullptr};
};
TORCH_MODULE(PatchForecaster);

SeriesBatch cut(const torch::Tensor &series, const torch::Tensor &starts, int64_t lookback) {
  TORCH_CHECK(series.dim() == 2, "series is [time, features]");
  TORCH_CHECK(starts.dim() == 1 && starts.size(0) > 1, "one start for each sample");
  auto steps = torch::arange(lookback, torch::kLong);
  auto rows = starts.unsqueeze(1) + steps.unsqueeze(0);
  return {series.index({rows}), series.index({starts + lookback, 0})};
}

double train_epoch(PatchForecaster &net, torch::optim::Optimizer &opt, const torch::Tensor &series, const std::vector<torch::Tensor> &folds,
                   int64_t lookback) {
  double sum = 0;
  for (const auto &starts : folds) {
    SeriesBatch b = cut(series, starts, lookback);
    opt.zero_grad();
    auto loss = torch::nn::functional::mse_loss(net->forward(b.window), b.target); // missed: tensor-shape-mismatch
    loss.backward();
    opt.step();
    sum += loss.item<double>();
  }
  return sum / folds.size();
}

double train_epoch_fixed(PatchForecaster &net, torch::optim::Optimizer &opt, const torch::Tensor &series, const std::vector<torch::Tensor> &folds,
                         int64_t lookback) {
  double sum = 0;
  for (const auto &starts : folds) {
    SeriesBatch b = cut(series, starts, lookback);
    opt.zero_grad();
    auto pred = net->forward(b.window);
    auto loss = torch::nn::functional::mse_loss(pred, b.target.view_as(pred));
    loss.backward();
    opt.step();
    sum += loss.item<double>();
  }
  return sum / folds.size();
}
} // namespace horizon_of_one

// https://github.com/Alescontrela/AMP_for_hardware/pull/32
// The history buffer is shifted by copying its tail onto its own head: source and destination share most of their elements.
namespace shifted_history {
class ObservationHistory {
public:
  ObservationHistory(int64_t num_envs, int64_t num_obs, int64_t steps, torch::Device device) : num_envs_(num_envs), num_obs_(num_obs), steps_(steps) {
    TORCH_CHECK(steps_ > 2, "a history needs more than two steps");
    buffer_ = torch::zeros({num_envs_, num_obs_ * steps_}, torch::TensorOptions().device(device));
  }

  void reset(const torch::Tensor &env_ids, const torch::Tensor &first) { buffer_.index_put_({env_ids}, first.repeat({1, steps_})); }

  void insert(const torch::Tensor &obs) {
    const int64_t kept = num_obs_ * (steps_ - 1);
    auto older = buffer_.slice(1, 0, kept);
    auto newer = buffer_.slice(1, num_obs_, num_obs_ * steps_);
    older.copy_(newer); // expect: tensor-overlapping-write
    buffer_.slice(1, kept).copy_(obs);
  }

  void insert_fixed(const torch::Tensor &obs) {
    const int64_t kept = num_obs_ * (steps_ - 1);
    auto older = buffer_.slice(1, 0, kept);
    auto newer = buffer_.slice(1, num_obs_, num_obs_ * steps_).clone();
    older.copy_(newer);
    buffer_.slice(1, kept).copy_(obs);
  }

  torch::Tensor last(int64_t n) const { return buffer_.slice(1, num_obs_ * (steps_ - n)); }

private:
  int64_t num_envs_, num_obs_, steps_;
  torch::Tensor buffer_;
};
} // namespace shifted_history

// https://github.com/huggingface/transformers/issues/35162
// The attention scores go through masked_fill (not masked_fill_) and the result is dropped, so padding is attended to.
namespace dropped_mask {
struct DisentangledOptions {
  int64_t hidden = 768;
  int64_t heads = 12;
};

class DisentangledSelfAttentionImpl : public torch::nn::Module {
public:
  explicit DisentangledSelfAttentionImpl(const DisentangledOptions &o)
      : heads_(o.heads), head_dim_(o.hidden / o.heads), scale_(1.0 / std::sqrt(3.0 * head_dim_)) {
    in_proj_ = register_module("in_proj", torch::nn::Linear(torch::nn::LinearOptions(o.hidden, 3 * o.hidden).bias(false)));
    out_ = register_module("out", torch::nn::Linear(o.hidden, o.hidden));
    dropout_ = register_module("dropout", torch::nn::Dropout(0.1));
  }

  // attention_mask: [b, s], false where the token is padding
  torch::Tensor forward(const torch::Tensor &x, const torch::Tensor &attention_mask) {
    auto heads = split(x);
    auto scores = torch::matmul(heads.select(2, 0), heads.select(2, 1).transpose(-1, -2)) * scale_;
    auto hidden = attention_mask.logical_not().unsqueeze(1).unsqueeze(2);
    scores.masked_fill(hidden, std::numeric_limits<float>::lowest()); // expect: tensor-discarded-result
    return merge(torch::matmul(dropout_->forward(scores.softmax(-1)), heads.select(2, 2)));
  }

  torch::Tensor forward_fixed(const torch::Tensor &x, const torch::Tensor &attention_mask) {
    auto heads = split(x);
    auto scores = torch::matmul(heads.select(2, 0), heads.select(2, 1).transpose(-1, -2)) * scale_;
    auto hidden = attention_mask.logical_not().unsqueeze(1).unsqueeze(2);
    scores = scores.masked_fill(hidden, std::numeric_limits<float>::lowest());
    return merge(torch::matmul(dropout_->forward(scores.softmax(-1)), heads.select(2, 2)));
  }

private:
  torch::Tensor split(const torch::Tensor &x) { // [b, h, 3, s, d]
    return in_proj_->forward(x).reshape({x.size(0), x.size(1), heads_, 3, head_dim_}).permute({0, 2, 3, 1, 4});
  }
  torch::Tensor merge(const torch::Tensor &context) { return out_->forward(context.transpose(1, 2).flatten(2)); }

  int64_t heads_, head_dim_;
  double scale_;
  torch::nn::Linear in_proj_{nullptr}, out_{nullptr};
  torch::nn::Dropout dropout_{nullptr};
};
TORCH_MODULE(DisentangledSelfAttention);
} // namespace dropped_mask

// https://github.com/getkeops/keops/issues/327
// The custom function's forward takes five arguments, its backward returns four gradients: the engine refuses the count.
namespace missing_gradients {
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

namespace {
torch::Tensor kernel_matrix(const torch::Tensor &x, const torch::Tensor &y, double sigma) {
  auto d2 = (x.unsqueeze(1) - y.unsqueeze(0)).square().sum(-1);
  return torch::exp(-d2 / (2 * sigma * sigma));
}

variable_list reduction_grads(const variable_list &saved, const torch::Tensor &g, double sigma) {
  auto k = kernel_matrix(saved[0], saved[1], sigma);
  auto diff = saved[0].unsqueeze(1) - saved[1].unsqueeze(0);
  auto w = (g.matmul(saved[2].t()) * k).unsqueeze(-1) * diff / (sigma * sigma);
  return {-w.sum(1), w.sum(0), k.t().matmul(g)};
}
} // namespace

class GaussReduction : public torch::autograd::Function<GaussReduction> {
public:
  static torch::Tensor forward(AutogradContext *ctx, const torch::Tensor &x, const torch::Tensor &y, const torch::Tensor &b, double sigma,
                               bool normalize) {
    TORCH_CHECK(!normalize, "normalised reductions are not differentiable yet");
    ctx->save_for_backward({x, y, b});
    ctx->saved_data["sigma"] = sigma;
    return kernel_matrix(x, y, sigma).matmul(b);
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto g = reduction_grads(ctx->get_saved_variables(), grads[0], ctx->saved_data["sigma"].toDouble());
    return {g[0], g[1], g[2], torch::Tensor()}; // expect: tensor-missing-gradient
  }
};

class GaussReductionFixed : public torch::autograd::Function<GaussReductionFixed> {
public:
  static torch::Tensor forward(AutogradContext *ctx, const torch::Tensor &x, const torch::Tensor &y, const torch::Tensor &b, double sigma,
                               bool normalize) {
    TORCH_CHECK(!normalize, "normalised reductions are not differentiable yet");
    ctx->save_for_backward({x, y, b});
    ctx->saved_data["sigma"] = sigma;
    return kernel_matrix(x, y, sigma).matmul(b);
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto g = reduction_grads(ctx->get_saved_variables(), grads[0], ctx->saved_data["sigma"].toDouble());
    return {g[0], g[1], g[2], torch::Tensor(), torch::Tensor()};
  }
};

torch::Tensor gauss_conv(const torch::Tensor &x, const torch::Tensor &y, const torch::Tensor &b, double sigma, bool fixed) {
  return fixed ? GaussReductionFixed::apply(x, y, b, sigma, false) : GaussReduction::apply(x, y, b, sigma, false);
}
} // namespace missing_gradients

// https://github.com/pytorch/tutorials/pull/3717
// requires_grad is set before the weights are divided by sqrt(n): what the optimizer gets is the quotient, not a leaf.
namespace scaled_weights {
struct MnistSizes {
  int64_t pixels = 784;
  int64_t classes = 10;
};

class HandWrittenClassifier {
public:
  explicit HandWrittenClassifier(const MnistSizes &s, double lr) {
    const auto opts = torch::TensorOptions().dtype(torch::kFloat32).requires_grad(true);
    weights_ = torch::randn({s.pixels, s.classes}, opts) / std::sqrt(static_cast<double>(s.pixels));
    bias_ = torch::zeros({s.classes}, opts);
    opt_ = std::make_unique<torch::optim::SGD>(std::vector<torch::Tensor>{weights_, bias_}, lr); // missed: tensor-shape-mismatch
  }

  torch::Tensor scores(const torch::Tensor &x) const { return torch::log_softmax(x.matmul(weights_) + bias_, -1); }

  double fit(const torch::Tensor &x, const torch::Tensor &y) {
    opt_->zero_grad();
    auto loss = torch::nll_loss(scores(x), y);
    loss.backward();
    opt_->step();
    return loss.item<double>();
  }

private:
  torch::Tensor weights_, bias_;
  std::unique_ptr<torch::optim::SGD> opt_;
};

class HandWrittenClassifierFixed {
public:
  explicit HandWrittenClassifierFixed(const MnistSizes &s, double lr) {
    weights_ = torch::randn({s.pixels, s.classes}) / std::sqrt(static_cast<double>(s.pixels));
    weights_.requires_grad_();
    bias_ = torch::zeros({s.classes}, torch::requires_grad());
    opt_ = std::make_unique<torch::optim::SGD>(std::vector<torch::Tensor>{weights_, bias_}, lr);
  }

  torch::Tensor scores(const torch::Tensor &x) const { return torch::log_softmax(x.matmul(weights_) + bias_, -1); }

  double fit(const torch::Tensor &x, const torch::Tensor &y) {
    opt_->zero_grad();
    auto loss = torch::nll_loss(scores(x), y);
    loss.backward();
    opt_->step();
    return loss.item<double>();
  }

private:
  torch::Tensor weights_, bias_;
  std::unique_ptr<torch::optim::SGD> opt_;
};
} // namespace scaled_weights

// https://github.com/spdlearn/spd_learn/issues/28
// The [b, queries, keys] energies are normalised over the queries (dim -2), then used to average the values over the keys.
namespace softmax_over_queries {
class PatchAttentionImpl : public torch::nn::Module {
public:
  PatchAttentionImpl(int64_t channels, int64_t width) : width_(width) {
    q_ = register_module("q", torch::nn::Linear(channels, width_));
    k_ = register_module("k", torch::nn::Linear(channels, width_));
    v_ = register_module("v", torch::nn::Linear(channels, width_));
    norm_ = register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({width_})));
  }

  torch::Tensor forward(const torch::Tensor &patches, const torch::Tensor &memory) {
    const auto energy = energies(patches, memory);
    const auto prob = torch::softmax(energy, -2); // expect: tensor-shape-mismatch
    return norm_->forward(torch::bmm(prob, v_->forward(memory)));
  }

  torch::Tensor forward_fixed(const torch::Tensor &patches, const torch::Tensor &memory) {
    const auto energy = energies(patches, memory);
    const auto prob = torch::softmax(energy, -1);
    return norm_->forward(torch::bmm(prob, v_->forward(memory)));
  }

private:
  torch::Tensor energies(const torch::Tensor &patches, const torch::Tensor &memory) {
    TORCH_CHECK(patches.dim() == 3 && memory.dim() == 3, "patches and memory are [batch, count, channels]");
    const auto queries = q_->forward(patches);
    const auto keys = k_->forward(memory);
    return torch::bmm(queries, keys.transpose(1, 2)) / std::sqrt(static_cast<double>(width_));
  }

  int64_t width_;
  torch::nn::Linear q_{nullptr}, k_{nullptr}, v_{nullptr};
  torch::nn::LayerNorm norm_{nullptr};
};
TORCH_MODULE(PatchAttention);

torch::Tensor encode(PatchAttention &layer, const torch::Tensor &windows) {
  torch::NoGradGuard guard;
  return layer->forward_fixed(windows, windows).mean(1);
}
} // namespace softmax_over_queries

// https://github.com/pytorch/FBGEMM/pull/4593
// The permutation is a column of the plan; a contiguous copy is made, but the kernel gets the data pointer of the column itself.
namespace strided_plan {
static void permute_lengths_kernel(int64_t rows, int64_t batch, const int32_t *lengths, const int32_t *permute, int32_t *out) {
  for (int64_t t = 0; t < rows; ++t) {
    const int32_t from = permute[t];
    for (int64_t b = 0; b < batch; ++b) {
      out[t * batch + b] = lengths[from * batch + b];
    }
  }
}

class ShardPlan {
public:
  // plan: [tables, 2] of (source table, destination rank)
  explicit ShardPlan(const torch::Tensor &plan) : plan_(plan.to(torch::kCPU, torch::kInt32).contiguous()) {
    TORCH_CHECK(plan_.dim() == 2 && plan_.size(1) == 2 && plan_.size(0) > 1, "a plan is [tables, 2]");
  }

  torch::Tensor permuted_lengths(const torch::Tensor &lengths) const {
    const auto lengths_contig = lengths.contiguous();
    const auto permute = plan_.select(1, 0);
    const auto permute_contig = permute.contiguous();
    const int64_t rows = permute.numel(), batch = lengths_contig.size(1);
    auto out = torch::empty({rows, batch}, lengths_contig.options());
    permute_lengths_kernel(rows, batch, lengths_contig.data_ptr<int32_t>(), permute.data_ptr<int32_t>(),
                           out.data_ptr<int32_t>()); // expect: tensor-raw-pointer-layout
    return out;
  }

  torch::Tensor permuted_lengths_fixed(const torch::Tensor &lengths) const {
    const auto lengths_contig = lengths.contiguous();
    const auto permute = plan_.select(1, 0);
    const auto permute_contig = permute.contiguous();
    const int64_t rows = permute.numel(), batch = lengths_contig.size(1);
    auto out = torch::empty({rows, batch}, lengths_contig.options());
    permute_lengths_kernel(rows, batch, lengths_contig.data_ptr<int32_t>(), permute_contig.data_ptr<int32_t>(), out.data_ptr<int32_t>());
    return out;
  }

  torch::Tensor ranks() const { return plan_.select(1, 1).unsqueeze(1); }

private:
  torch::Tensor plan_;
};
} // namespace strided_plan

// https://github.com/pytorch/executorch/issues/21837
// The camera frame is made channels_last, the runtime accepts it and copies its memory into a program input that is planar (NCHW).
namespace planar_input {
struct ProgramInput {
  std::vector<int64_t> sizes; // NCHW, planar
  std::vector<float> arena;

  explicit ProgramInput(std::vector<int64_t> s) : sizes(std::move(s)) {
    int64_t n = 1;
    for (int64_t d : sizes)
      n *= d;
    arena.resize(n);
  }

  void load(const float *planar, size_t bytes) {
    TORCH_CHECK(bytes == arena.size() * sizeof(float), "input of another size");
    std::memcpy(arena.data(), planar, bytes);
  }
};

class EdgeClassifier {
public:
  EdgeClassifier(int64_t height, int64_t width) : height_(height), width_(width), slot_({1, 3, height, width}) {
    TORCH_CHECK(height_ > 1 && width_ > 1, "an image is at least 2 x 2");
    mean_ = torch::tensor({0.485, 0.456, 0.406}, torch::kFloat32).view({1, 3, 1, 1});
    std_ = torch::tensor({0.229, 0.224, 0.225}, torch::kFloat32).view({1, 3, 1, 1});
  }

  // frame: [height, width, 3], uint8 from the camera
  void set_frame(const torch::Tensor &frame) {
    auto input = prepare(frame);
    TORCH_CHECK(input.is_contiguous() || input.is_contiguous(torch::MemoryFormat::ChannelsLast), "input should be dense");
    slot_.load(input.data_ptr<float>(), input.nbytes()); // missed: tensor-raw-pointer-layout
  }

  void set_frame_fixed(const torch::Tensor &frame) {
    auto input = prepare(frame).contiguous(torch::MemoryFormat::Contiguous); // also: tensor-memory-format
    TORCH_CHECK(input.is_contiguous(), "input should be planar");
    slot_.load(input.data_ptr<float>(), input.nbytes());
  }

private:
  torch::Tensor prepare(const torch::Tensor &frame) const {
    TORCH_CHECK(frame.dim() == 3 && frame.size(2) == 3, "frames are [height, width, 3]");
    auto image = frame.to(torch::kFloat32).div(255).permute({2, 0, 1}).unsqueeze(0);
    image = torch::upsample_bilinear2d(image, {height_, width_}, false);
    return image.sub(mean_).div(std_).contiguous(torch::MemoryFormat::ChannelsLast);
  }

  int64_t height_, width_;
  ProgramInput slot_;
  torch::Tensor mean_, std_;
};
} // namespace planar_input

// https://github.com/vllm-project/vllm/pull/24500
// The residual is added in place to x, which the layer norm above has saved for its backward.
namespace residual_in_place {
class AudioBlockImpl : public torch::nn::Module {
public:
  AudioBlockImpl(int64_t dim, int64_t hidden) {
    norm1_ = register_module("norm1", torch::nn::LayerNorm(torch::nn::LayerNormOptions({dim})));
    norm2_ = register_module("norm2", torch::nn::LayerNorm(torch::nn::LayerNormOptions({dim})));
    mix_ = register_module("mix", torch::nn::Linear(dim, dim));
    fc1_ = register_module("fc1", torch::nn::Linear(dim, hidden));
    fc2_ = register_module("fc2", torch::nn::Linear(hidden, dim));
    scale1_ = register_parameter("scale1", torch::full({dim}, 1e-2));
    scale2_ = register_parameter("scale2", torch::full({dim}, 1e-2));
  }

  torch::Tensor forward(torch::Tensor x) {
    x = x + scale1_ * mix_->forward(norm1_->forward(x));
    x += scale2_ * mlp(norm2_->forward(x)); // expect: tensor-inplace-on-saved
    return x;
  }

  torch::Tensor forward_fixed(torch::Tensor x) {
    x = x + scale1_ * mix_->forward(norm1_->forward(x));
    x = x + scale2_ * mlp(norm2_->forward(x));
    return x;
  }

private:
  torch::Tensor mlp(const torch::Tensor &x) { return fc2_->forward(torch::gelu(fc1_->forward(x))); }

  torch::nn::LayerNorm norm1_{nullptr}, norm2_{nullptr};
  torch::nn::Linear mix_{nullptr}, fc1_{nullptr}, fc2_{nullptr};
  torch::Tensor scale1_, scale2_;
};
TORCH_MODULE(AudioBlock);

double train_step(std::vector<AudioBlock> &blocks, torch::optim::Optimizer &opt, torch::Tensor x, const torch::Tensor &target) {
  for (auto &block : blocks)
    x = block->forward(x);
  auto loss = torch::mse_loss(x, target);
  opt.zero_grad();
  loss.backward();
  opt.step();
  return loss.item<double>();
}

double train_step_fixed(std::vector<AudioBlock> &blocks, torch::optim::Optimizer &opt, torch::Tensor x, const torch::Tensor &target) {
  for (auto &block : blocks)
    x = block->forward_fixed(x);
  auto loss = torch::mse_loss(x, target);
  opt.zero_grad();
  loss.backward();
  opt.step();
  return loss.item<double>();
}
} // namespace residual_in_place

// https://github.com/keras-team/keras/issues/23075
// The prototypes start as zero rows; rsqrt(0) is infinite and clamping afterwards repairs the value only: their gradient is NaN.
namespace root_of_zero_rows {
class PrototypeHeadImpl : public torch::nn::Module {
public:
  PrototypeHeadImpl(int64_t classes, int64_t dim, double eps = 1e-6) : eps_(eps) {
    prototypes_ = register_parameter("prototypes", torch::zeros({classes, dim}));
    proj_ = register_module("proj", torch::nn::Linear(dim, dim));
    bias_ = register_parameter("bias", torch::zeros({classes}));
  }

  torch::Tensor forward(const torch::Tensor &features) {
    const auto z = torch::nn::functional::normalize(proj_->forward(features));
    const auto square_sum = prototypes_.square().sum(1, /*keepdim=*/true);
    const auto inv_norm = torch::rsqrt(square_sum).clamp_max(1.0 / eps_); // expect: tensor-value-domain
    return torch::matmul(z, (prototypes_ * inv_norm).t()) + bias_;
  }

  torch::Tensor forward_fixed(const torch::Tensor &features) {
    const auto z = torch::nn::functional::normalize(proj_->forward(features));
    const auto square_sum = prototypes_.square().sum(1, /*keepdim=*/true);
    const auto inv_norm = torch::rsqrt(square_sum.clamp_min(eps_ * eps_));
    return torch::matmul(z, (prototypes_ * inv_norm).t()) + bias_;
  }

private:
  double eps_;
  torch::Tensor prototypes_, bias_;
  torch::nn::Linear proj_{nullptr};
};
TORCH_MODULE(PrototypeHead);

double first_step(PrototypeHead &head, torch::optim::Optimizer &opt, const torch::Tensor &x, const torch::Tensor &y, bool fixed) {
  opt.zero_grad();
  auto logits = fixed ? head->forward_fixed(x) : head->forward(x);
  auto loss = torch::nn::functional::cross_entropy(logits, y);
  loss.backward();
  opt.step();
  return loss.item<double>();
}
} // namespace root_of_zero_rows

// https://github.com/pytorch/rl/pull/1461
// The values of both critics are stacked to [2, batch, actions], the gather index stays [batch, 1]: one dimension too few.
namespace stacked_critics {
struct Transitions {
  torch::Tensor observation; // [batch, features]
  torch::Tensor action;      // [batch], int64
  torch::Tensor target;      // [batch]
};

class TwinCriticImpl : public torch::nn::Module {
public:
  TwinCriticImpl(int64_t features, int64_t actions, int64_t width) {
    q1_ = register_module("q1", make(features, actions, width));
    q2_ = register_module("q2", make(features, actions, width));
  }

  torch::Tensor forward(const torch::Tensor &obs) { return torch::stack({q1_->forward(obs), q2_->forward(obs)}, 0); }

private:
  static torch::nn::Sequential make(int64_t features, int64_t actions, int64_t width) {
    return torch::nn::Sequential(torch::nn::Linear(features, width), torch::nn::ReLU(), torch::nn::Linear(width, actions));
  }
  torch::nn::Sequential q1_{nullptr}, q2_{nullptr};
};
TORCH_MODULE(TwinCritic);

static void check(const Transitions &t) {
  TORCH_CHECK(t.observation.dim() == 2, "observations are [batch, features]");
  TORCH_CHECK(t.action.dim() == 1 && t.action.scalar_type() == torch::kLong, "actions are a vector of indices");
  TORCH_CHECK(t.target.dim() == 1, "targets are [batch]");
}

torch::Tensor critic_loss(TwinCritic &critic, const Transitions &t) {
  check(t);
  auto values = critic->forward(t.observation);
  auto index = t.action.unsqueeze(-1);
  auto chosen = values.gather(-1, index).squeeze(-1); // missed: tensor-shape-mismatch
  return torch::smooth_l1_loss(chosen, t.target.detach().expand_as(chosen));
}

torch::Tensor critic_loss_fixed(TwinCritic &critic, const Transitions &t) {
  check(t);
  auto values = critic->forward(t.observation);
  auto index = t.action.unsqueeze(-1).expand({values.size(0), t.action.size(0), 1});
  auto chosen = values.gather(-1, index).squeeze(-1);
  return torch::smooth_l1_loss(chosen, t.target.detach().expand_as(chosen));
}
} // namespace stacked_critics

// https://github.com/ray075hl/Bi-Model-Intent-And-Slot/pull/2
// The decoder's LSTM is not batch_first, yet it is fed [batch, 1, features]: the batch is taken for time and the state does not fit.
namespace time_major {
struct SlotOptions {
  int64_t hidden = 200;
  int64_t slots = 130;
  int64_t layers = 1;
};

class SlotDecoderImpl : public torch::nn::Module {
public:
  explicit SlotDecoderImpl(const SlotOptions &o) : o_(o) {
    const int64_t width = 2 * o.hidden;
    time_major_ = register_module("time_major", torch::nn::LSTM(torch::nn::LSTMOptions(width, o.hidden).num_layers(o.layers)));
    batch_major_ = register_module("batch_major", torch::nn::LSTM(torch::nn::LSTMOptions(width, o.hidden).num_layers(o.layers).batch_first(true)));
    fc_ = register_module("fc", torch::nn::Linear(o.hidden, o.slots));
  }

  // encoded: [batch, time, 2 * hidden] with more than one sentence
  torch::Tensor forward(const torch::Tensor &encoded) {
    const auto batch = encoded.size(0);
    TORCH_CHECK(encoded.dim() == 3 && batch > 1, "the decoder wants a batch of sentences");
    auto state = start(batch, encoded.options());
    std::vector<torch::Tensor> steps;
    torch::Tensor y;
    for (int64_t t = 0; t < encoded.size(1); ++t) {
      auto x = encoded.select(1, t).unsqueeze(1);
      std::tie(y, state) = time_major_->forward(x, state); // missed: tensor-shape-mismatch
      steps.push_back(y);
    }
    return fc_->forward(torch::cat(steps, 1));
  }

  torch::Tensor forward_fixed(const torch::Tensor &encoded) {
    const auto batch = encoded.size(0);
    TORCH_CHECK(encoded.dim() == 3 && batch > 1, "the decoder wants a batch of sentences");
    auto state = start(batch, encoded.options());
    std::vector<torch::Tensor> steps;
    torch::Tensor y;
    for (int64_t t = 0; t < encoded.size(1); ++t) {
      auto x = encoded.select(1, t).unsqueeze(1);
      std::tie(y, state) = batch_major_->forward(x, state);
      steps.push_back(y);
    }
    return fc_->forward(torch::cat(steps, 1));
  }

private:
  std::tuple<torch::Tensor, torch::Tensor> start(int64_t batch, const torch::TensorOptions &like) const {
    auto zeros = torch::zeros({o_.layers, batch, o_.hidden}, like);
    return std::make_tuple(zeros, zeros.clone());
  }

  SlotOptions o_;
  torch::nn::LSTM time_major_{nullptr}, batch_major_{nullptr};
  torch::nn::Linear fc_{nullptr};
};
TORCH_MODULE(SlotDecoder);
} // namespace time_major

// https://github.com/pytorch/pytorch/pull/190075
// An accessor borrows the sizes and strides of its tensor; the helper returns the accessor of a view that dies with the helper.
namespace accessor_of_local {
class FeaturePyramid {
public:
  explicit FeaturePyramid(torch::Tensor maps) : maps_(maps.to(torch::kCPU, torch::kFloat32).contiguous()) {
    TORCH_CHECK(maps_.dim() == 4, "maps are [level, channel, height, width]");
  }

  torch::TensorAccessor<float, 2> plane(int64_t level, int64_t channel) const {
    auto view = maps_.select(0, level).select(0, channel);
    return view.accessor<float, 2>(); // expect: tensor-dangling-data-pointer
  }

  torch::Tensor plane_fixed(int64_t level, int64_t channel) const { return maps_.select(0, level).select(0, channel); }

  int64_t channels() const { return maps_.size(1); }

private:
  torch::Tensor maps_;
};

static float bilinear(const torch::TensorAccessor<float, 2> &p, float y, float x) {
  const int64_t y0 = std::clamp<int64_t>(static_cast<int64_t>(y), 0, p.size(0) - 1);
  const int64_t x0 = std::clamp<int64_t>(static_cast<int64_t>(x), 0, p.size(1) - 1);
  const int64_t y1 = std::min(y0 + 1, p.size(0) - 1), x1 = std::min(x0 + 1, p.size(1) - 1);
  const float fy = y - y0, fx = x - x0;
  return (1 - fy) * ((1 - fx) * p[y0][x0] + fx * p[y0][x1]) + fy * ((1 - fx) * p[y1][x0] + fx * p[y1][x1]);
}

torch::Tensor sample(const FeaturePyramid &pyramid, int64_t level, float y, float x) {
  auto out = torch::empty({pyramid.channels()});
  float *dst = out.data_ptr<float>();
  for (int64_t c = 0; c < pyramid.channels(); ++c) {
    auto plane = pyramid.plane(level, c);
    dst[c] = bilinear(plane, y, x);
  }
  return out;
}

torch::Tensor sample_fixed(const FeaturePyramid &pyramid, int64_t level, float y, float x) {
  auto out = torch::empty({pyramid.channels()});
  float *dst = out.data_ptr<float>();
  for (int64_t c = 0; c < pyramid.channels(); ++c) {
    auto view = pyramid.plane_fixed(level, c);
    auto plane = view.accessor<float, 2>();
    dst[c] = bilinear(plane, y, x);
  }
  return out;
}
} // namespace accessor_of_local

// https://github.com/AgileRL/AgileRL/pull/464
// The soft update assigns the mixture to a local handle of the target's parameter: the target network itself never changes.
namespace soft_update {
class QNetImpl : public torch::nn::Module {
public:
  QNetImpl(int64_t obs, int64_t actions) {
    fc1_ = register_module("fc1", torch::nn::Linear(obs, 128));
    fc2_ = register_module("fc2", torch::nn::Linear(128, actions));
  }
  torch::Tensor forward(const torch::Tensor &x) { return fc2_->forward(torch::relu(fc1_->forward(x))); }

private:
  torch::nn::Linear fc1_{nullptr}, fc2_{nullptr};
};
TORCH_MODULE(QNet);

class DqnAgent {
public:
  DqnAgent(int64_t obs, int64_t actions, double tau) : tau_(tau), online_(obs, actions), target_(obs, actions), opt_(online_->parameters(), 1e-3) {
    torch::NoGradGuard guard;
    auto to = target_->parameters(), from = online_->parameters();
    for (size_t i = 0; i < to.size(); ++i)
      to[i].copy_(from[i]);
  }

  void soft_update() {
    torch::NoGradGuard guard;
    const auto targets = target_->parameters(), online = online_->parameters();
    for (size_t i = 0; i < targets.size(); ++i) {
      torch::Tensor param = targets[i];
      param = tau_ * online[i] + (1.0 - tau_) * param; // expect: tensor-lost-write
    }
  }

  void soft_update_fixed() {
    torch::NoGradGuard guard;
    const auto targets = target_->parameters(), online = online_->parameters();
    for (size_t i = 0; i < targets.size(); ++i) {
      torch::Tensor param = targets[i];
      param.mul_(1.0 - tau_).add_(online[i], tau_);
    }
  }

  double learn(const torch::Tensor &s, const torch::Tensor &a, const torch::Tensor &r, const torch::Tensor &next) {
    torch::Tensor goal;
    {
      torch::NoGradGuard guard;
      goal = r + 0.99 * std::get<0>(target_->forward(next).max(1));
    }
    auto loss = torch::mse_loss(online_->forward(s).gather(1, a.unsqueeze(1)).squeeze(1), goal);
    opt_.zero_grad();
    loss.backward();
    opt_.step();
    return loss.item<double>();
  }

private:
  double tau_;
  QNet online_, target_;
  torch::optim::Adam opt_;
};
} // namespace soft_update
