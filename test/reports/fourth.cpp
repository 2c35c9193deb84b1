// Reports that were rewritten before anything was done for them, the fourth lot.
#include <ATen/Parallel.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <fstream>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <torch/script.h>
#include <torch/torch.h>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

// https://github.com/vllm-project/vllm/pull/17091
// The rope part of the MLA query is a slice of the full head, but the kernel walks its pointer as if heads were packed, so it rotates the wrong
// elements.
namespace rope_part {
namespace mla {

// x: [tokens, heads, dim], densely packed; cache: [max_pos, dim] holding cos | sin halves
void rope_kernel(const int64_t *positions, float *x, const float *cache, int64_t tokens, int64_t heads, int64_t dim) {
  const int64_t half = dim / 2;
  at::parallel_for(0, tokens, 16, [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
      const float *cos = cache + positions[t] * dim;
      const float *sin = cos + half;
      for (int64_t h = 0; h < heads; ++h) {
        float *head = x + (t * heads + h) * dim;
        for (int64_t i = 0; i < half; ++i) {
          const float a = head[i], b = head[i + half];
          head[i] = a * cos[i] - b * sin[i];
          head[i + half] = b * cos[i] + a * sin[i];
        }
      }
    }
  });
}

class MlaQuery {
public:
  MlaQuery(int64_t hidden, int64_t heads, int64_t nope_dim, int64_t rope_dim, torch::Tensor cache)
      : heads_(heads), nope_dim_(nope_dim), rope_dim_(rope_dim), wq_(torch::randn({hidden, heads * (nope_dim + rope_dim)})),
        cache_(cache.to(torch::kFloat).contiguous()) {
    TORCH_CHECK(heads > 1 && nope_dim > 0 && rope_dim % 2 == 0);
  }

  torch::Tensor project(const torch::Tensor &hidden, const torch::Tensor &positions) {
    const int64_t tokens = hidden.size(0);
    auto pos = positions.to(torch::kLong).contiguous();
    auto q = torch::mm(hidden, wq_).view({tokens, heads_, nope_dim_ + rope_dim_});
    auto q_pe = q.narrow(2, nope_dim_, rope_dim_);
    rope_kernel(pos.data_ptr<int64_t>(), q_pe.data_ptr<float>(), cache_.data_ptr<float>(), tokens, heads_,
                rope_dim_); // expect: tensor-raw-pointer-layout
    return q;
  }

  torch::Tensor project_packed(const torch::Tensor &hidden, const torch::Tensor &positions) {
    const int64_t tokens = hidden.size(0);
    auto pos = positions.to(torch::kLong).contiguous();
    auto q = torch::mm(hidden, wq_).view({tokens, heads_, nope_dim_ + rope_dim_});
    auto q_pe = q.narrow(2, nope_dim_, rope_dim_);
    auto packed = q_pe.contiguous();
    rope_kernel(pos.data_ptr<int64_t>(), packed.data_ptr<float>(), cache_.data_ptr<float>(), tokens, heads_, rope_dim_);
    q_pe.copy_(packed);
    return q;
  }

private:
  int64_t heads_, nope_dim_, rope_dim_;
  torch::Tensor wq_, cache_;
};

} // namespace mla
} // namespace rope_part

// https://github.com/rahul-goel/fused-ssim/pull/44
// zeros_like() keeps the strides of the NHWC->NCHW permuted image, while the kernel fills the map as packed NCHW, so values land on the wrong pixels.
namespace zeros_of_image {
namespace {

constexpr float kC1 = 0.01f * 0.01f;
constexpr float kC2 = 0.03f * 0.03f;

void ssim_plane(const float *a, const float *b, float *out, int64_t h, int64_t w) {
  for (int64_t y = 0; y < h; ++y) {
    for (int64_t x = 0; x < w; ++x) {
      float sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0, n = 0;
      for (int64_t dy = -2; dy <= 2; ++dy) {
        for (int64_t dx = -2; dx <= 2; ++dx) {
          const int64_t yy = y + dy, xx = x + dx;
          if (yy < 0 || yy >= h || xx < 0 || xx >= w)
            continue;
          const float u = a[yy * w + xx], v = b[yy * w + xx];
          sa += u;
          sb += v;
          saa += u * u;
          sbb += v * v;
          sab += u * v;
          n += 1;
        }
      }
      const float ma = sa / n, mb = sb / n;
      const float va = saa / n - ma * ma, vb = sbb / n - mb * mb, cov = sab / n - ma * mb;
      out[y * w + x] = (2 * ma * mb + kC1) * (2 * cov + kC2) / ((ma * ma + mb * mb + kC1) * (va + vb + kC2));
    }
  }
}

torch::Tensor to_nchw(const torch::Tensor &frames) { return frames.permute({0, 3, 1, 2}); }

} // namespace

torch::Tensor ssim_map(int64_t batch, int64_t height, int64_t width) {
  TORCH_CHECK(height > 8 && width > 8);
  auto img1 = to_nchw(torch::rand({batch, height, width, 3}));
  auto img2 = to_nchw(torch::rand({batch, height, width, 3}));
  auto a = img1.contiguous();
  auto b = img2.contiguous();
  auto map = torch::zeros_like(img1);
  const float *pa = a.data_ptr<float>();
  const float *pb = b.data_ptr<float>();
  float *dst = map.data_ptr<float>(); // expect: tensor-raw-pointer-layout
  const int64_t plane = height * width;
  for (int64_t p = 0; p < batch * 3; ++p)
    ssim_plane(pa + p * plane, pb + p * plane, dst + p * plane, height, width);
  return map.mean({1, 2, 3});
}

torch::Tensor ssim_map_dense(int64_t batch, int64_t height, int64_t width) {
  TORCH_CHECK(height > 8 && width > 8);
  auto img1 = to_nchw(torch::rand({batch, height, width, 3}));
  auto img2 = to_nchw(torch::rand({batch, height, width, 3}));
  auto a = img1.contiguous();
  auto b = img2.contiguous();
  auto map = torch::zeros_like(a);
  const float *pa = a.data_ptr<float>();
  const float *pb = b.data_ptr<float>();
  float *dst = map.data_ptr<float>();
  const int64_t plane = height * width;
  for (int64_t p = 0; p < batch * 3; ++p)
    ssim_plane(pa + p * plane, pb + p * plane, dst + p * plane, height, width);
  return map.mean({1, 2, 3});
}
} // namespace zeros_of_image

// https://github.com/pyg-team/pyg-lib/pull/290
// The transposed weight copy lives only for one loop iteration, yet its pointer is kept in the table that the grouped GEMM reads later.
namespace grouped_gemm {
struct GemmProblem {
  int64_t m, n, k;
};

// out[g] = a[g] (m x k, row major) * b[g] (k x n, row major)
static void run_grouped_gemm(const std::vector<GemmProblem> &problems, const std::vector<const float *> &a, const std::vector<const float *> &b,
                             const std::vector<float *> &out) {
  for (size_t g = 0; g < problems.size(); ++g) {
    const auto &p = problems[g];
    for (int64_t i = 0; i < p.m; ++i)
      for (int64_t j = 0; j < p.n; ++j) {
        float acc = 0.f;
        for (int64_t l = 0; l < p.k; ++l)
          acc += a[g][i * p.k + l] * b[g][l * p.n + j];
        out[g][i * p.n + j] = acc;
      }
  }
}

// x[g]: [m_g, k], weight[g]: [n, k] as nn::Linear stores it
std::vector<at::Tensor> grouped_linear(const std::vector<at::Tensor> &x, const std::vector<at::Tensor> &weight) {
  TORCH_CHECK(x.size() == weight.size(), "one weight per node type");
  std::vector<GemmProblem> problems;
  std::vector<const float *> a, b;
  std::vector<float *> c;
  std::vector<at::Tensor> out, inputs;
  for (size_t g = 0; g < x.size(); ++g) {
    TORCH_CHECK(weight[g].size(0) > 1 && weight[g].size(1) > 1);
    inputs.push_back(x[g].contiguous());
    out.push_back(x[g].new_empty({x[g].size(0), weight[g].size(0)}));
    at::Tensor rhs = weight[g].contiguous().t().contiguous();
    problems.push_back({x[g].size(0), rhs.size(1), rhs.size(0)});
    a.push_back(inputs.back().data_ptr<float>());
    b.push_back(rhs.data_ptr<float>()); // expect: tensor-dangling-data-pointer
    c.push_back(out.back().data_ptr<float>());
  }
  run_grouped_gemm(problems, a, b, c);
  return out;
}

std::vector<at::Tensor> grouped_linear_owned(const std::vector<at::Tensor> &x, const std::vector<at::Tensor> &weight) {
  TORCH_CHECK(x.size() == weight.size(), "one weight per node type");
  std::vector<GemmProblem> problems;
  std::vector<const float *> a, b;
  std::vector<float *> c;
  std::vector<at::Tensor> out, inputs, transposed;
  for (size_t g = 0; g < x.size(); ++g) {
    inputs.push_back(x[g].contiguous());
    out.push_back(x[g].new_empty({x[g].size(0), weight[g].size(0)}));
    transposed.push_back(weight[g].contiguous().t().contiguous());
    problems.push_back({x[g].size(0), transposed.back().size(1), transposed.back().size(0)});
    a.push_back(inputs.back().data_ptr<float>());
    b.push_back(transposed.back().data_ptr<float>());
    c.push_back(out.back().data_ptr<float>());
  }
  run_grouped_gemm(problems, a, b, c);
  return out;
}
} // namespace grouped_gemm

// https://github.com/idaholab/marlin/pull/91
// The field tensor stored in the member aliases the local read buffer, which is gone when the reader returns.
namespace saved_solution {
struct FieldHeader {
  uint32_t dims;
  uint32_t extent[3];
};

class LatticeField {
public:
  LatticeField(std::string path, torch::Device device) : path_(std::move(path)), device_(device) {}

  void read_initial_state() {
    std::ifstream in(path_, std::ios::binary);
    auto header = read_header(in);
    std::vector<float> buffer(count(header));
    in.read(reinterpret_cast<char *>(buffer.data()), static_cast<std::streamsize>(buffer.size() * sizeof(float)));
    auto shape = to_shape(header);
    u_ = torch::from_blob(buffer.data(), shape, torch::TensorOptions().dtype(torch::kFloat)); // expect: tensor-from-blob-lifetime
    while (u_.dim() < 4)
      u_ = u_.unsqueeze(-1);
  }

  void read_initial_state_owned() {
    std::ifstream in(path_, std::ios::binary);
    auto header = read_header(in);
    std::vector<float> buffer(count(header));
    in.read(reinterpret_cast<char *>(buffer.data()), static_cast<std::streamsize>(buffer.size() * sizeof(float)));
    auto shape = to_shape(header);
    u_ = torch::from_blob(buffer.data(), shape, torch::TensorOptions().dtype(torch::kFloat)).clone().to(device_);
    while (u_.dim() < 4)
      u_ = u_.unsqueeze(-1);
  }

  double total_mass() const { return u_.sum().item<double>(); }

private:
  static FieldHeader read_header(std::ifstream &in) {
    FieldHeader header{};
    in.read(reinterpret_cast<char *>(&header), sizeof(header));
    if (!in || header.dims < 2 || header.dims > 3)
      throw std::runtime_error("bad lattice header");
    return header;
  }
  static size_t count(const FieldHeader &h) {
    size_t n = 1;
    for (uint32_t d = 0; d < h.dims; ++d)
      n *= h.extent[d];
    return n;
  }
  static std::vector<int64_t> to_shape(const FieldHeader &h) {
    std::vector<int64_t> shape;
    for (uint32_t d = 0; d < h.dims; ++d)
      shape.push_back(h.extent[d]);
    return shape;
  }

  std::string path_;
  torch::Device device_;
  torch::Tensor u_;
};
} // namespace saved_solution

// https://github.com/anira-project/anira/issues/45
// The audio inference thread runs the loaded module with grad mode on, so every block records an autograd graph and memory keeps growing.
namespace audio_thread {
struct InferenceConfig {
  std::string model_path;
  int64_t block_size = 2048;
  int64_t context = 512;
};

class LibtorchProcessor {
public:
  explicit LibtorchProcessor(InferenceConfig config)
      : config_(std::move(config)), module_(torch::jit::load(config_.model_path)),
        window_(static_cast<size_t>(config_.context + config_.block_size), 0.f) {
    module_.to(torch::kCPU);
    module_.eval();
    inputs_.resize(1);
  }

  // called for each block by the inference thread
  void process(const std::vector<float> &in, std::vector<float> &out) {
    push(in);
    inputs_[0] = torch::from_blob(window_.data(), {1, 1, static_cast<int64_t>(window_.size())}, torch::kFloat);
    torch::Tensor wet = module_.forward(inputs_).toTensor(); // expect: tensor-missing-no-grad
    write(wet, out);
  }

  void process_without_grad(const std::vector<float> &in, std::vector<float> &out) {
    torch::NoGradGuard no_grad;
    push(in);
    inputs_[0] = torch::from_blob(window_.data(), {1, 1, static_cast<int64_t>(window_.size())}, torch::kFloat);
    torch::Tensor wet = module_.forward(inputs_).toTensor();
    write(wet, out);
  }

private:
  void push(const std::vector<float> &in) {
    TORCH_CHECK(static_cast<int64_t>(in.size()) == config_.block_size, "unexpected block size");
    std::copy(window_.end() - config_.context, window_.end(), window_.begin());
    std::copy(in.begin(), in.end(), window_.begin() + config_.context);
  }
  void write(const torch::Tensor &wet, std::vector<float> &out) {
    auto tail = wet.detach().flatten().slice(0, -config_.block_size).to(torch::kFloat).contiguous();
    out.assign(tail.data_ptr<float>(), tail.data_ptr<float>() + tail.numel());
  }

  InferenceConfig config_;
  torch::jit::script::Module module_;
  std::vector<float> window_;
  std::vector<torch::jit::IValue> inputs_;
};
} // namespace audio_thread

// https://github.com/open-mmlab/Amphion/issues/263
// The epoch total adds the loss tensors themselves, so the graphs of all batches stay alive until the epoch ends.
namespace epoch_loss {
struct Batch {
  torch::Tensor phones; // [B, T] int64
  torch::Tensor codes;  // [B, T] int64
};

struct AcousticModelImpl : torch::nn::Module {
  AcousticModelImpl(int64_t vocab, int64_t codebook, int64_t width)
      : embed(register_module("embed", torch::nn::Embedding(vocab, width))),
        gru(register_module("gru", torch::nn::GRU(torch::nn::GRUOptions(width, width).batch_first(true)))),
        head(register_module("head", torch::nn::Linear(width, codebook))) {}
  torch::Tensor forward(const torch::Tensor &phones) { return head(std::get<0>(gru->forward(embed(phones)))); }
  torch::nn::Embedding embed;
  torch::nn::GRU gru;
  torch::nn::Linear head;
};
TORCH_MODULE(AcousticModel);

class Trainer {
public:
  Trainer(AcousticModel model, double lr) : model_(model), optimizer_(model_->parameters(), torch::optim::AdamWOptions(lr)) {}

  double train_epoch(const std::vector<Batch> &batches) {
    model_->train();
    torch::Tensor epoch_sum_loss = torch::zeros({});
    for (const auto &batch : batches) {
      torch::Tensor loss = train_step(batch);
      epoch_sum_loss += loss; // expect: tensor-graph-retention
      if (++step_ % 100 == 0)
        std::printf("step %ld loss %.4f\n", static_cast<long>(step_), loss.item<float>());
    }
    return epoch_sum_loss.item<double>() / static_cast<double>(batches.size());
  }

  double train_epoch_scalar(const std::vector<Batch> &batches) {
    model_->train();
    double epoch_sum_loss = 0.0;
    for (const auto &batch : batches) {
      torch::Tensor loss = train_step(batch);
      epoch_sum_loss += loss.item<double>();
      ++step_;
    }
    return epoch_sum_loss / static_cast<double>(batches.size());
  }

private:
  torch::Tensor train_step(const Batch &batch) {
    optimizer_.zero_grad();
    auto logits = model_->forward(batch.phones);
    auto loss = torch::nn::functional::cross_entropy(logits.flatten(0, 1), batch.codes.flatten());
    loss.backward();
    optimizer_.step();
    return loss;
  }

  AcousticModel model_;
  torch::optim::AdamW optimizer_;
  int64_t step_ = 0;
};
} // namespace epoch_loss

// https://github.com/juliendenize/torchaug/issues/10
// The grayscale step returns an expanded view with three aliased channels, and normalization then subtracts in place on it.
namespace three_channels {
namespace aug {

torch::Tensor luma(const torch::Tensor &batch) {
  auto rgb = batch.unbind(1);
  return (0.2989 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2]).unsqueeze(1);
}

// keeps three channels so that the backbone does not change
torch::Tensor to_grayscale(const torch::Tensor &batch) { return luma(batch).expand({batch.size(0), 3, batch.size(2), batch.size(3)}); }

class BatchPipeline {
public:
  BatchPipeline(std::vector<float> mean, std::vector<float> std, int64_t crop)
      : mean_(torch::tensor(mean).view({1, 3, 1, 1})), std_(torch::tensor(std).view({1, 3, 1, 1})), crop_(crop) {
    TORCH_CHECK(mean.size() == 3 && std.size() == 3, "three channels expected");
  }

  torch::Tensor operator()(const torch::Tensor &images) const {
    TORCH_CHECK(images.dim() == 4 && images.size(1) == 3);
    auto batch = to_grayscale(center_crop(images));
    batch.sub_(mean_).div_(std_); // expect: tensor-overlapping-write // also: tensor-overlapping-write
    return batch;
  }

  torch::Tensor apply_fixed(const torch::Tensor &images) const {
    TORCH_CHECK(images.dim() == 4 && images.size(1) == 3);
    auto batch = to_grayscale(center_crop(images)).contiguous();
    batch.sub_(mean_).div_(std_);
    return batch;
  }

private:
  torch::Tensor center_crop(const torch::Tensor &images) const {
    const int64_t top = (images.size(2) - crop_) / 2;
    const int64_t left = (images.size(3) - crop_) / 2;
    return images.narrow(2, top, crop_).narrow(3, left, crop_);
  }

  torch::Tensor mean_, std_;
  int64_t crop_;
};

} // namespace aug
} // namespace three_channels

// https://github.com/AggMan96/RK-Net/issues/9
// The border of the attention map is zeroed in place although relu() keeps that very tensor for its backward, so backward() throws.
namespace masked_scores {
namespace F = torch::nn::functional;

struct KeypointAttentionImpl : torch::nn::Module {
  KeypointAttentionImpl(int64_t channels, int64_t map_size)
      : reduce(register_module("reduce", torch::nn::Conv2d(torch::nn::Conv2dOptions(channels, 1, 3).padding(1)))),
        norm(register_module("norm", torch::nn::BatchNorm2d(1))) {
    auto border = torch::ones({map_size, map_size}, torch::kBool);
    border.narrow(0, 1, map_size - 2).narrow(1, 1, map_size - 2).fill_(false);
    border_mask = register_buffer("border_mask", border);
  }

  torch::Tensor forward(const torch::Tensor &features) {
    auto att = torch::relu(norm(reduce(features)));
    att.masked_fill_(border_mask, 0.0); // expect: tensor-inplace-on-saved
    return weight_features(features, att);
  }

  torch::Tensor forward_fixed(const torch::Tensor &features) {
    auto att = torch::relu(norm(reduce(features)));
    att = att.masked_fill(border_mask, 0.0);
    return weight_features(features, att);
  }

  static torch::Tensor weight_features(const torch::Tensor &features, const torch::Tensor &att) {
    auto total = att.sum({2, 3}, /*keepdim=*/true).clamp_min(1e-6);
    return (features * (att / total)).sum({2, 3});
  }

  torch::nn::Conv2d reduce;
  torch::nn::BatchNorm2d norm;
  torch::Tensor border_mask;
};
TORCH_MODULE(KeypointAttention);

float train_step(KeypointAttention &attention, torch::nn::Linear &classifier, torch::optim::Optimizer &optimizer, const torch::Tensor &features,
                 const torch::Tensor &labels) {
  optimizer.zero_grad();
  auto logits = classifier(attention->forward(features));
  auto loss = F::cross_entropy(logits, labels);
  loss.backward();
  optimizer.step();
  return loss.item<float>();
}
} // namespace masked_scores

// https://github.com/vllm-project/vllm-ascend/pull/16664
// The slot mapping is built as int64, but the cache writer reinterprets its memory as int32, so every second slot read is the high word of the one
// before.
namespace slot_mapping {
class PagedKvWriter {
public:
  PagedKvWriter(int64_t num_blocks, int64_t block_size, int64_t heads, int64_t head_dim, int64_t max_tokens)
      : block_size_(block_size), row_(heads * head_dim), cache_(torch::zeros({num_blocks, block_size, heads, head_dim}, torch::kFloat)),
        slot_mapping_(torch::full({max_tokens}, -1, torch::kLong)) {}

  void assign_slots(const std::vector<int64_t> &blocks, int64_t first_pos, int64_t tokens) {
    auto acc = slot_mapping_.accessor<int64_t, 1>();
    for (int64_t t = 0; t < tokens; ++t) {
      const int64_t pos = first_pos + t;
      acc[t] = blocks[static_cast<size_t>(pos / block_size_)] * block_size_ + pos % block_size_;
    }
  }

  void store(const torch::Tensor &keys) {
    auto rows = keys.to(torch::kFloat).contiguous();
    const int64_t tokens = rows.size(0);
    TORCH_CHECK(tokens <= slot_mapping_.size(0) && rows.numel() == tokens * row_);
    const auto *slots = static_cast<const int32_t *>(slot_mapping_.data_ptr()); // expect: tensor-raw-pointer-layout
    copy_rows(rows.data_ptr<float>(), slots, tokens);
  }

  void store_checked(const torch::Tensor &keys) {
    auto rows = keys.to(torch::kFloat).contiguous();
    const int64_t tokens = rows.size(0);
    TORCH_CHECK(tokens <= slot_mapping_.size(0) && rows.numel() == tokens * row_);
    auto slots32 = slot_mapping_.to(torch::kInt);
    copy_rows(rows.data_ptr<float>(), slots32.data_ptr<int32_t>(), tokens);
  }

private:
  void copy_rows(const float *rows, const int32_t *slots, int64_t tokens) {
    float *cache = cache_.data_ptr<float>();
    for (int64_t t = 0; t < tokens; ++t) {
      if (slots[t] < 0)
        continue; // padded token
      std::memcpy(cache + int64_t(slots[t]) * row_, rows + t * row_, sizeof(float) * static_cast<size_t>(row_));
    }
  }

  int64_t block_size_, row_;
  torch::Tensor cache_;        // [blocks, block_size, heads, head_dim]
  torch::Tensor slot_mapping_; // flat slot per token, -1 for padding
};
} // namespace slot_mapping

// https://github.com/OUCMachineLearning/OUCML/issues/24
// The generated features are double while the parameters are float, so the matrix product refuses the two element types.
namespace double_features {
class LinearRegression {
public:
  LinearRegression(int64_t inputs, double lr)
      : inputs_(inputs), lr_(lr), weight_(torch::normal(0.0, 0.01, {inputs, 1}).to(torch::kFloat).set_requires_grad(true)),
        bias_(torch::zeros({1}, torch::requires_grad())) {}

  torch::Tensor synthesize(int64_t examples, unsigned seed) const {
    std::mt19937 gen(seed);
    std::normal_distribution<double> normal(0.0, 1.0);
    std::vector<double> values(static_cast<size_t>(examples * inputs_));
    for (auto &v : values)
      v = normal(gen);
    return torch::from_blob(values.data(), {examples, inputs_}, torch::kDouble).clone();
  }

  torch::Tensor predict(const torch::Tensor &x) const { return torch::mm(x, weight_) + bias_; }

  double fit_step(int64_t batch, const torch::Tensor &labels) {
    auto features = synthesize(batch, 7);
    auto y_hat = torch::mm(features, weight_) + bias_; // missed: tensor-shape-mismatch
    return update(y_hat, labels);
  }

  double fit_step_float(int64_t batch, const torch::Tensor &labels) {
    auto features = synthesize(batch, 7).to(weight_.scalar_type());
    auto y_hat = torch::mm(features, weight_) + bias_;
    return update(y_hat, labels);
  }

private:
  double update(const torch::Tensor &y_hat, const torch::Tensor &labels) {
    auto loss = (y_hat - labels.view_as(y_hat)).pow(2).mean() / 2;
    loss.backward();
    torch::NoGradGuard no_grad;
    for (auto *p : {&weight_, &bias_}) {
      p->sub_(lr_ * p->grad());
      p->grad().zero_();
    }
    return loss.item<double>();
  }

  int64_t inputs_;
  double lr_;
  torch::Tensor weight_, bias_;
};
} // namespace double_features

// https://github.com/NVIDIA/Megatron-LM/issues/875
// With grouped queries the query is a slice of the mixed QKV projection, so merging group and head dimensions needs a copy and view() throws.
namespace grouped_query {
struct AttentionConfig {
  int64_t hidden = 4096;
  int64_t heads = 32;
  int64_t query_groups = 8;
};

struct SelfAttentionImpl : torch::nn::Module {
  explicit SelfAttentionImpl(AttentionConfig cfg)
      : groups(cfg.query_groups), heads_per_group(cfg.heads / cfg.query_groups), head_dim(cfg.hidden / cfg.heads) {
    TORCH_CHECK(groups > 1 && cfg.heads % groups == 0);
    qkv = register_module("qkv", torch::nn::Linear(cfg.hidden, groups * (heads_per_group + 2) * head_dim));
    out = register_module("out", torch::nn::Linear(cfg.hidden, cfg.hidden));
  }

  std::vector<torch::Tensor> split_qkv(const torch::Tensor &hidden_states) {
    auto mixed = qkv(hidden_states);
    mixed = mixed.view({mixed.size(0), mixed.size(1), groups, (heads_per_group + 2) * head_dim});
    return mixed.split_with_sizes({heads_per_group * head_dim, head_dim, head_dim}, 3);
  }

  // hidden_states: [seq, batch, hidden]
  torch::Tensor forward(const torch::Tensor &hidden_states) {
    auto parts = split_qkv(hidden_states);
    auto query = parts[0].view({parts[0].size(0), parts[0].size(1), -1, head_dim}); // expect: tensor-view-after-permute
    return attend(query, parts[1], parts[2]);
  }

  torch::Tensor forward_fixed(const torch::Tensor &hidden_states) {
    auto parts = split_qkv(hidden_states);
    auto query = parts[0].reshape({parts[0].size(0), parts[0].size(1), -1, head_dim});
    return attend(query, parts[1], parts[2]);
  }

  torch::Tensor attend(const torch::Tensor &query, const torch::Tensor &key, const torch::Tensor &value) {
    auto k = key.repeat_interleave(heads_per_group, 2).permute({1, 2, 0, 3});
    auto v = value.repeat_interleave(heads_per_group, 2).permute({1, 2, 0, 3});
    auto q = query.permute({1, 2, 0, 3});
    auto scores = torch::matmul(q, k.transpose(-2, -1)) / std::sqrt(static_cast<double>(head_dim));
    auto context = torch::matmul(torch::softmax(scores, -1), v).permute({2, 0, 1, 3}).contiguous();
    return out(context.view({context.size(0), context.size(1), -1}));
  }

  int64_t groups, heads_per_group, head_dim;
  torch::nn::Linear qkv{nullptr}, out{nullptr};
};
TORCH_MODULE(SelfAttention);
} // namespace grouped_query

// https://github.com/mit-han-lab/temporal-shift-module/issues/235
// The hit matrix inherits the transposed layout of the predictions, so flattening its first k rows with view(-1) throws for top-5.
namespace top_five {
struct AverageMeter {
  double sum = 0;
  int64_t count = 0;
  void update(double value, int64_t n) {
    sum += value * static_cast<double>(n);
    count += n;
  }
  double avg() const { return count ? sum / static_cast<double>(count) : 0.0; }
};

class VideoEvaluator {
public:
  VideoEvaluator(int64_t batch_size, int64_t num_classes) : batch_size_(batch_size), num_classes_(num_classes) {
    TORCH_CHECK(batch_size_ > 1 && num_classes_ >= kTop);
  }

  // logits: [batch, classes], target: [batch]
  void add(const torch::Tensor &logits, const torch::Tensor &target) {
    auto correct = hits(logits, target);
    auto first = correct.select(0, 0).sum().item<double>();
    auto top5 = correct.slice(0, 0, kTop).view({-1}).to(torch::kFloat).sum(0).item<double>(); // expect: tensor-view-after-permute
    top1_.update(100.0 * first / static_cast<double>(batch_size_), batch_size_);
    top5_.update(100.0 * top5 / static_cast<double>(batch_size_), batch_size_);
  }

  void add_fixed(const torch::Tensor &logits, const torch::Tensor &target) {
    auto correct = hits(logits, target);
    auto first = correct.select(0, 0).sum().item<double>();
    auto top5 = correct.slice(0, 0, kTop).reshape({-1}).to(torch::kFloat).sum(0).item<double>();
    top1_.update(100.0 * first / static_cast<double>(batch_size_), batch_size_);
    top5_.update(100.0 * top5 / static_cast<double>(batch_size_), batch_size_);
  }

  double top1() const { return top1_.avg(); }
  double top5() const { return top5_.avg(); }

private:
  static constexpr int64_t kTop = 5;

  torch::Tensor hits(const torch::Tensor &logits, const torch::Tensor &target) const {
    TORCH_CHECK(logits.size(0) == batch_size_ && logits.size(1) == num_classes_);
    auto pred = std::get<1>(logits.topk(kTop, 1, /*largest=*/true, /*sorted=*/true)).t();
    return pred.eq(target.view({1, -1}).expand_as(pred));
  }

  int64_t batch_size_, num_classes_;
  AverageMeter top1_, top5_;
};
} // namespace top_five

// https://github.com/LAMDA-Tabular/TALENT/pull/92
// The predictions are squeezed to [n] while the targets stay [n, 1], so the MSE is taken over an n x n table of all pairs.
namespace tabular {
struct TabularMlpImpl : torch::nn::Module {
  TabularMlpImpl(int64_t features, int64_t width) {
    body = register_module(
        "body", torch::nn::Sequential(torch::nn::Linear(features, width), torch::nn::ReLU(), torch::nn::Linear(width, width), torch::nn::ReLU()));
    head = register_module("head", torch::nn::Linear(width, 1));
  }
  torch::Tensor forward(const torch::Tensor &x) { return head(body->forward(x)).squeeze(-1); }
  torch::nn::Sequential body{nullptr};
  torch::nn::Linear head{nullptr};
};
TORCH_MODULE(TabularMlp);

class Regressor {
public:
  Regressor(const std::vector<float> &rows, const std::vector<float> &targets, int64_t features)
      : x_(torch::tensor(rows).view({-1, features})), y_(torch::tensor(targets).view({-1, 1})), model_(features, 128),
        optimizer_(model_->parameters(), torch::optim::AdamOptions(1e-3)) {
    const auto mean = y_.mean(), std = y_.std();
    y_ = (y_ - mean) / std;
  }

  void fit(int64_t epochs, int64_t batch_size) {
    for (int64_t e = 0; e < epochs; ++e) {
      for (int64_t at = 0; at + batch_size <= x_.size(0); at += batch_size) {
        auto pred = model_->forward(x_.narrow(0, at, batch_size));
        auto loss = torch::mse_loss(pred, y_.narrow(0, at, batch_size)); // expect: tensor-shape-mismatch
        step(loss);
      }
    }
  }

  void fit_aligned(int64_t epochs, int64_t batch_size) {
    for (int64_t e = 0; e < epochs; ++e) {
      for (int64_t at = 0; at + batch_size <= x_.size(0); at += batch_size) {
        auto pred = model_->forward(x_.narrow(0, at, batch_size));
        auto loss = torch::mse_loss(pred, y_.narrow(0, at, batch_size).squeeze(-1));
        step(loss);
      }
    }
  }

private:
  void step(torch::Tensor &loss) {
    optimizer_.zero_grad();
    loss.backward();
    optimizer_.step();
  }

  torch::Tensor x_, y_;
  TabularMlp model_;
  torch::optim::Adam optimizer_;
};
} // namespace tabular

// https://github.com/dreamzero0/dreamzero/issues/25
// The per-sample flag of shape [B, 1] is multiplied with a loss of shape [B, T, A] and lines up with T instead of B, which throws for B > 1.
namespace flow_matching {
namespace F = torch::nn::functional;

struct FlowMatchingActionImpl : torch::nn::Module {
  FlowMatchingActionImpl(int64_t context_dim)
      : net(register_module("net", torch::nn::Sequential(torch::nn::Linear(context_dim + kActionDim + 1, 512), torch::nn::SiLU(),
                                                         torch::nn::Linear(512, kActionDim)))) {}

  static constexpr int64_t kBatch = 8;
  static constexpr int64_t kHorizon = 96;
  static constexpr int64_t kActionDim = 14;

  // context: [B, T, C], has_real_action: [B] bool
  torch::Tensor forward(const torch::Tensor &context, const torch::Tensor &has_real_action) {
    auto flags = has_real_action.view({kBatch}).to(torch::kFloat);
    auto per_step = velocity_error(context);
    auto masked = flags.unsqueeze(1) * per_step; // expect: tensor-shape-mismatch
    return reduce(masked, flags);
  }

  torch::Tensor forward_fixed(const torch::Tensor &context, const torch::Tensor &has_real_action) {
    auto flags = has_real_action.view({kBatch}).to(torch::kFloat);
    auto per_step = velocity_error(context);
    auto masked = flags.view({kBatch, 1, 1}) * per_step;
    return reduce(masked, flags);
  }

  torch::Tensor velocity_error(const torch::Tensor &context) {
    auto actions = torch::randn({kBatch, kHorizon, kActionDim}, context.options());
    auto noise = torch::randn_like(actions);
    auto t = torch::rand({kBatch, 1, 1}, context.options());
    auto noisy = t * actions + (1 - t) * noise;
    auto input = torch::cat({context, noisy, t.expand({kBatch, kHorizon, 1})}, -1);
    return F::mse_loss(net->forward(input), actions - noise, F::MSELossFuncOptions(torch::kNone));
  }

  static torch::Tensor reduce(const torch::Tensor &masked, const torch::Tensor &flags) {
    return masked.sum() / (flags.sum().clamp_min(1.0) * kHorizon * kActionDim);
  }

  torch::nn::Sequential net;
};
TORCH_MODULE(FlowMatchingAction);
} // namespace flow_matching

// https://github.com/artyom-beilis/pytorch_dlprim/pull/64
// The in-place activation runs on the packed copy of a transposed view and is never copied back, so the caller's buffer keeps the old values.
namespace packed_activation {
class ActivationBuffer {
public:
  ActivationBuffer(int64_t channels, int64_t frames, float floor) : floor_(floor), data_(torch::zeros({channels, frames})) {
    TORCH_CHECK(channels > 1 && frames > 1, "a real map is expected");
  }

  void load(const torch::Tensor &features) { data_.copy_(features); }

  // applies x * relu6(x + 3) / 6 frame by frame, the backend wants frames x channels packed
  void hardswish_() {
    auto frames_major = data_.t();
    if (floor_ > 0.f)
      frames_major.clamp_min_(floor_);
    auto packed = frames_major.contiguous();
    auto gate = gate_of(packed);
    packed.mul_(gate); // expect: tensor-lost-write
  }

  void hardswish_fixed_() {
    auto frames_major = data_.t();
    if (floor_ > 0.f)
      frames_major.clamp_min_(floor_);
    auto packed = frames_major.contiguous();
    auto gate = gate_of(packed);
    packed.mul_(gate);
    frames_major.copy_(packed);
  }

  torch::Tensor pooled() const { return data_.mean(1); }

private:
  static torch::Tensor gate_of(const torch::Tensor &x) {
    auto gate = torch::empty_like(x);
    const float *src = x.data_ptr<float>();
    float *dst = gate.data_ptr<float>();
    for (int64_t i = 0; i < x.numel(); ++i) {
      const float r = src[i] + 3.f;
      dst[i] = (r < 0.f ? 0.f : r > 6.f ? 6.f : r) / 6.f;
    }
    return gate;
  }

  float floor_;
  torch::Tensor data_; // [channels, frames]
};
} // namespace packed_activation

// https://github.com/pytorch/pytorch/issues/133456
// The second mask is applied to the gathered copy of the first one, so the suppressed scores never reach the score tensor.
namespace masked_put {
struct Detections {
  torch::Tensor boxes;  // [N, 4] x1 y1 x2 y2
  torch::Tensor scores; // [N]
  torch::Tensor labels; // [N] int64
};

class PostProcessor {
public:
  PostProcessor(double score_threshold, double min_side, int64_t person_class)
      : score_threshold_(score_threshold), min_side_(min_side), person_class_(person_class) {}

  Detections operator()(Detections det) const {
    drop_small_persons(det);
    return keep_confident(det);
  }

  // boxes of persons that are too small get score zero
  void drop_small_persons(Detections &det) const {
    auto person = det.labels == person_class_;
    auto small = shorter_side(det.boxes.index({person})) < min_side_;
    det.scores.index({person}).index_put_({small}, 0.0); // expect: tensor-lost-write
  }

  void drop_small_persons_fixed(Detections &det) const {
    auto person = det.labels == person_class_;
    auto small = shorter_side(det.boxes) < min_side_;
    det.scores.index_put_({person.logical_and(small)}, 0.0);
  }

private:
  static torch::Tensor shorter_side(const torch::Tensor &boxes) {
    auto width = boxes.select(1, 2) - boxes.select(1, 0);
    auto height = boxes.select(1, 3) - boxes.select(1, 1);
    return torch::minimum(width, height);
  }

  Detections keep_confident(const Detections &det) const {
    auto keep = torch::nonzero(det.scores > score_threshold_).squeeze(1);
    return {det.boxes.index_select(0, keep), det.scores.index_select(0, keep), det.labels.index_select(0, keep)};
  }

  double score_threshold_, min_side_;
  int64_t person_class_;
};
} // namespace masked_put

// https://github.com/gdalsanto/flamo/pull/30
// The decay envelope is a plain member, not a buffer, so to(CUDA) leaves it on the CPU and the first forward mixes both devices.
namespace plain_member {
struct RenderOptions {
  int64_t nfft = 4096;
  double alias_decay_db = 30.0;
};

torch::Tensor decay_envelope(const RenderOptions &o) {
  const double gamma = std::pow(10.0, -std::abs(o.alias_decay_db) / static_cast<double>(o.nfft) / 20.0);
  return torch::pow(torch::full({o.nfft}, gamma), torch::arange(o.nfft, torch::kFloat));
}

struct AntiAliasFirImpl : torch::nn::Module {
  explicit AntiAliasFirImpl(RenderOptions o) : opts(o), envelope(decay_envelope(o)) {
    taps = register_parameter("taps", torch::randn({o.nfft}) * 0.01);
  }
  torch::Tensor forward(const torch::Tensor &x) {
    auto h = torch::fft::rfft(taps * envelope, opts.nfft); // expect: tensor-device-mismatch
    auto y = torch::fft::irfft(torch::fft::rfft(x, opts.nfft) * h, opts.nfft); // also: tensor-device-mismatch
    return y.narrow(-1, 0, x.size(-1));
  }
  RenderOptions opts;
  torch::Tensor envelope, taps;
};
TORCH_MODULE(AntiAliasFir);

struct BufferedFirImpl : torch::nn::Module {
  explicit BufferedFirImpl(RenderOptions o) : opts(o) {
    envelope = register_buffer("envelope", decay_envelope(o));
    taps = register_parameter("taps", torch::randn({o.nfft}) * 0.01);
  }
  torch::Tensor forward(const torch::Tensor &x) {
    auto h = torch::fft::rfft(taps * envelope, opts.nfft);
    auto y = torch::fft::irfft(torch::fft::rfft(x, opts.nfft) * h, opts.nfft);
    return y.narrow(-1, 0, x.size(-1));
  }
  RenderOptions opts;
  torch::Tensor envelope, taps;
};
TORCH_MODULE(BufferedFir);

torch::Tensor render_on_gpu(const torch::Tensor &impulse) {
  torch::NoGradGuard no_grad;
  AntiAliasFir fir{RenderOptions{}};
  fir->to(torch::kCUDA);
  return fir->forward(impulse.to(torch::kCUDA)).cpu();
}

torch::Tensor render_on_gpu_fixed(const torch::Tensor &impulse) {
  torch::NoGradGuard no_grad;
  BufferedFir fir{RenderOptions{}};
  fir->to(torch::kCUDA);
  return fir->forward(impulse.to(torch::kCUDA)).cpu();
}
} // namespace plain_member

// https://github.com/pyg-team/pytorch-frame/pull/434
// The tensor with the fill value of each column never changes, but is created anew for every batch of the loop.
namespace constant_column {
struct ColumnStats {
  float mean;
  float std;
};

struct NumericalEncoderImpl : torch::nn::Module {
  NumericalEncoderImpl(std::vector<ColumnStats> stats, int64_t width) : stats_(std::move(stats)) {
    const auto columns = static_cast<int64_t>(stats_.size());
    weight = register_parameter("weight", torch::randn({columns, width}) * 0.1);
    bias = register_parameter("bias", torch::zeros({columns, width}));
  }

  // rows: [N, columns], NaN marks a missing value
  std::vector<torch::Tensor> encode(const torch::Tensor &rows, int64_t batch_size) {
    torch::NoGradGuard no_grad;
    std::vector<torch::Tensor> encoded;
    const auto means = column_means();
    for (int64_t at = 0; at < rows.size(0); at += batch_size) {
      auto feat = rows.narrow(0, at, std::min(batch_size, rows.size(0) - at));
      auto fill = torch::tensor(means, rows.options()); // expect: tensor-allocation-in-loop
      feat = torch::where(torch::isnan(feat), fill, feat);
      encoded.push_back(feat.unsqueeze(-1) * weight + bias);
    }
    return encoded;
  }

  std::vector<torch::Tensor> encode_hoisted(const torch::Tensor &rows, int64_t batch_size) {
    torch::NoGradGuard no_grad;
    std::vector<torch::Tensor> encoded;
    const auto means = column_means();
    const auto fill = torch::tensor(means, rows.options());
    for (int64_t at = 0; at < rows.size(0); at += batch_size) {
      auto feat = rows.narrow(0, at, std::min(batch_size, rows.size(0) - at));
      feat = torch::where(torch::isnan(feat), fill, feat);
      encoded.push_back(feat.unsqueeze(-1) * weight + bias);
    }
    return encoded;
  }

  std::vector<float> column_means() const {
    std::vector<float> means;
    for (const auto &s : stats_)
      means.push_back(s.mean);
    return means;
  }

  std::vector<ColumnStats> stats_;
  torch::Tensor weight, bias;
};
TORCH_MODULE(NumericalEncoder);
} // namespace constant_column

// https://github.com/huggingface/candle/pull/1968
// The repeated key/value heads come straight out of a concatenation and are packed already, so contiguous() does nothing.
namespace repeated_heads {
struct GqaConfig {
  int64_t hidden = 2048;
  int64_t heads = 32;
  int64_t kv_heads = 8;
};

// [b, kv_heads, s, d] -> [b, kv_heads * n_rep, s, d]
static torch::Tensor repeat_kv(const torch::Tensor &x, int64_t n_rep) {
  const auto b = x.size(0), h = x.size(1), s = x.size(2), d = x.size(3);
  return torch::cat(std::vector<torch::Tensor>(static_cast<size_t>(n_rep), x), 2).view({b, h * n_rep, s, d});
}

struct DecoderAttentionImpl : torch::nn::Module {
  explicit DecoderAttentionImpl(GqaConfig c) : cfg(c), head_dim(c.hidden / c.heads), n_rep(c.heads / c.kv_heads) {
    q_proj = register_module("q_proj", torch::nn::Linear(torch::nn::LinearOptions(c.hidden, c.hidden).bias(false)));
    k_proj = register_module("k_proj", torch::nn::Linear(torch::nn::LinearOptions(c.hidden, c.kv_heads * head_dim).bias(false)));
    v_proj = register_module("v_proj", torch::nn::Linear(torch::nn::LinearOptions(c.hidden, c.kv_heads * head_dim).bias(false)));
    o_proj = register_module("o_proj", torch::nn::Linear(torch::nn::LinearOptions(c.hidden, c.hidden).bias(false)));
  }

  torch::Tensor forward(const torch::Tensor &x, const torch::Tensor &mask) {
    auto q = heads_first(q_proj(x), cfg.heads), k = heads_first(k_proj(x), cfg.kv_heads), v = heads_first(v_proj(x), cfg.kv_heads);
    auto keys = repeat_kv(k, n_rep).contiguous(); // missed: tensor-redundant-contiguous
    auto values = repeat_kv(v, n_rep);
    return attend(q, keys, values, mask);
  }

  torch::Tensor forward_lean(const torch::Tensor &x, const torch::Tensor &mask) {
    auto q = heads_first(q_proj(x), cfg.heads), k = heads_first(k_proj(x), cfg.kv_heads), v = heads_first(v_proj(x), cfg.kv_heads);
    auto keys = repeat_kv(k, n_rep);
    auto values = repeat_kv(v, n_rep);
    return attend(q, keys, values, mask);
  }

  torch::Tensor heads_first(const torch::Tensor &t, int64_t heads) const { return t.view({t.size(0), t.size(1), heads, head_dim}).transpose(1, 2); }

  torch::Tensor attend(const torch::Tensor &q, const torch::Tensor &k, const torch::Tensor &v, const torch::Tensor &mask) {
    auto scores = torch::matmul(q, k.transpose(2, 3)) / std::sqrt(static_cast<double>(head_dim)) + mask;
    auto ctx = torch::matmul(torch::softmax(scores, -1), v).transpose(1, 2);
    return o_proj(ctx.reshape({ctx.size(0), ctx.size(1), cfg.hidden}));
  }

  GqaConfig cfg;
  int64_t head_dim, n_rep;
  torch::nn::Linear q_proj{nullptr}, k_proj{nullptr}, v_proj{nullptr}, o_proj{nullptr};
};
TORCH_MODULE(DecoderAttention);
} // namespace repeated_heads

// https://github.com/pytorch/FBGEMM/pull/5754
// Rows of segments longer than max_length are never written, but the gradient buffer is allocated uninitialized, so they return garbage.
namespace packed_segments {
namespace pack {

std::vector<int64_t> exclusive_offsets(const at::Tensor &lengths) {
  auto len = lengths.to(at::kLong).contiguous();
  const int64_t *p = len.data_ptr<int64_t>();
  std::vector<int64_t> offsets(static_cast<size_t>(len.numel()) + 1, 0);
  for (int64_t s = 0; s < len.numel(); ++s)
    offsets[s + 1] = offsets[s] + p[s];
  return offsets;
}

// padded: [segments, max_length, cell]; events beyond max_length were cut in forward
void unpack_rows(const float *padded, float *rows, const std::vector<int64_t> &offsets, int64_t max_length, int64_t cell) {
  const auto segments = static_cast<int64_t>(offsets.size()) - 1;
  at::parallel_for(0, segments, 1, [&](int64_t begin, int64_t end) {
    for (int64_t s = begin; s < end; ++s) {
      const int64_t kept = std::min(offsets[s + 1] - offsets[s], max_length);
      std::memcpy(rows + offsets[s] * cell, padded + s * max_length * cell, sizeof(float) * static_cast<size_t>(kept * cell));
    }
  });
}

at::Tensor pack_segments_backward(const at::Tensor &grad, const at::Tensor &lengths, int64_t total_rows, int64_t max_length) {
  TORCH_CHECK(grad.dim() == 3 && grad.size(1) == max_length && grad.scalar_type() == at::kFloat);
  const auto offsets = exclusive_offsets(lengths);
  TORCH_CHECK(offsets.back() == total_rows, "lengths do not add up to the number of rows");
  auto dense = grad.contiguous();
  auto grad_rows = at::empty({total_rows, grad.size(2)}, grad.options()); // missed: tensor-uninitialized-read
  unpack_rows(dense.data_ptr<float>(), grad_rows.data_ptr<float>(), offsets, max_length, grad.size(2));
  return grad_rows;
}

at::Tensor pack_segments_backward_zeroed(const at::Tensor &grad, const at::Tensor &lengths, int64_t total_rows, int64_t max_length) {
  TORCH_CHECK(grad.dim() == 3 && grad.size(1) == max_length && grad.scalar_type() == at::kFloat);
  const auto offsets = exclusive_offsets(lengths);
  TORCH_CHECK(offsets.back() == total_rows, "lengths do not add up to the number of rows");
  auto dense = grad.contiguous();
  auto grad_rows = at::zeros({total_rows, grad.size(2)}, grad.options());
  unpack_rows(dense.data_ptr<float>(), grad_rows.data_ptr<float>(), offsets, max_length, grad.size(2));
  return grad_rows;
}

} // namespace pack
} // namespace packed_segments

// https://github.com/alexhernandezgarcia/gflownet/pull/133
// The running average of the loss is computed on tensors that still carry their graph, so every training step's graph stays alive and memory grows
// without bound.
namespace flow_tracker {
struct FlowNetImpl : torch::nn::Module {
  FlowNetImpl(int64_t state_dim, int64_t n_actions, int64_t hidden)
      : trunk(register_module("trunk", torch::nn::Linear(state_dim, hidden))),
        policy(register_module("policy", torch::nn::Linear(hidden, n_actions))), log_flow(register_module("log_flow", torch::nn::Linear(hidden, 1))) {
  }

  std::pair<torch::Tensor, torch::Tensor> forward(const torch::Tensor &s) {
    auto h = torch::leaky_relu(trunk->forward(s), 0.01);
    return {torch::log_softmax(policy->forward(h), -1), log_flow->forward(h).squeeze(-1)};
  }

  torch::nn::Linear trunk, policy, log_flow;
};
TORCH_MODULE(FlowNet);

struct TransitionBatch {
  torch::Tensor states;      // [B, D]
  torch::Tensor actions;     // [B] int64
  torch::Tensor next_states; // [B, D]
  torch::Tensor log_reward;  // [B], only meaningful for terminal rows
  torch::Tensor done;        // [B] float
};

static torch::Tensor flow_residual(FlowNet &net, const TransitionBatch &b) {
  auto [logp, logf] = net->forward(b.states);
  auto chosen = logp.gather(1, b.actions.unsqueeze(1)).squeeze(1);
  auto next_logf = net->forward(b.next_states).second;
  auto target = torch::where(b.done > 0.5, b.log_reward, next_logf);
  return (logf + chosen - target).pow(2);
}

// Exponential moving averages that the progress bar shows.
class LossTracker {
public:
  explicit LossTracker(double alpha) : alpha_(alpha), terms_(torch::zeros({})), flows_(torch::zeros({})) {}

  void add(const torch::Tensor &residual, const torch::Tensor &done) {
    auto weight = done.sum().clamp_min(1.0);
    auto term = (residual.detach() * done).sum() / weight;
    terms_ = alpha_ * terms_ + (1.0 - alpha_) * term;
    flows_ = alpha_ * flows_ + (1.0 - alpha_) * residual.mean(); // expect: tensor-graph-retention
  }
  double terminal() const { return terms_.item<double>(); }
  double flow() const { return flows_.item<double>(); }

private:
  double alpha_;
  torch::Tensor terms_, flows_;
};

void train(FlowNet net, const std::vector<TransitionBatch> &data, int64_t n_iter, double lr) {
  torch::optim::Adam opt(net->parameters(), torch::optim::AdamOptions(lr));
  LossTracker tracker(0.95);
  for (int64_t it = 0; it < n_iter; ++it) {
    const auto &batch = data[it % data.size()];
    auto residual = flow_residual(net, batch);
    opt.zero_grad();
    residual.mean().backward();
    opt.step();
    tracker.add(residual, batch.done);
    if (it % 500 == 0)
      std::printf("it %ld flow %.4f term %.4f\n", (long)it, tracker.flow(), tracker.terminal());
  }
}

// ---- corrected ----

class ScalarLossTracker {
public:
  explicit ScalarLossTracker(double alpha) : alpha_(alpha) {}
  void add(const torch::Tensor &residual) { flow_ = alpha_ * flow_ + (1.0 - alpha_) * residual.detach().mean().item<double>(); }
  double flow() const { return flow_; }

private:
  double alpha_;
  double flow_ = 0.0;
};

void train_fixed(FlowNet net, const std::vector<TransitionBatch> &data, int64_t n_iter, double lr) {
  torch::optim::Adam opt(net->parameters(), torch::optim::AdamOptions(lr));
  ScalarLossTracker tracker(0.95);
  for (int64_t it = 0; it < n_iter; ++it) {
    auto residual = flow_residual(net, data[it % data.size()]);
    opt.zero_grad();
    residual.mean().backward();
    opt.step();
    tracker.add(residual);
    if (it % 500 == 0)
      std::printf("it %ld flow %.4f\n", (long)it, tracker.flow());
  }
}
} // namespace flow_tracker

// https://github.com/Metta-AI/metta/pull/1139
// The LSTM state of each step is put into the long-lived experience buffer with its graph attached, so the graphs of all collected episodes are kept
// in memory.
namespace replayed_state {
struct AgentOptions {
  int64_t obs_dim = 48;
  int64_t hidden = 128;
  int64_t n_actions = 9;
  size_t capacity = 20000;
};

struct Experience {
  torch::Tensor obs, action, h, c;
  float reward;
};

struct RecurrentPolicyImpl : torch::nn::Module {
  explicit RecurrentPolicyImpl(const AgentOptions &o)
      : encoder(register_module("encoder", torch::nn::Linear(o.obs_dim, o.hidden))),
        cell(register_module("cell", torch::nn::LSTMCell(o.hidden, o.hidden))),
        head(register_module("head", torch::nn::Linear(o.hidden, o.n_actions))) {}

  std::tuple<torch::Tensor, torch::Tensor, torch::Tensor> forward(const torch::Tensor &obs, const torch::Tensor &h, const torch::Tensor &c) {
    auto [h1, c1] = cell->forward(torch::relu(encoder->forward(obs)), std::make_tuple(h, c));
    return std::make_tuple(torch::log_softmax(head->forward(h1), 1), h1, c1);
  }

  torch::nn::Linear encoder;
  torch::nn::LSTMCell cell;
  torch::nn::Linear head;
};
TORCH_MODULE(RecurrentPolicy);

struct Env {
  torch::Tensor reset();                                // [1, obs_dim]
  std::pair<torch::Tensor, float> step(int64_t action); // next observation, reward
};

class Trainer {
public:
  Trainer(AgentOptions o) : opts_(o), policy_(o), optim_(policy_->parameters(), 3e-4) {}

  // One REINFORCE update on a fresh episode; the steps also feed the replay for the auxiliary losses.
  void run_episode(Env &env, int64_t horizon) {
    auto h = torch::zeros({1, opts_.hidden});
    auto c = torch::zeros({1, opts_.hidden});
    auto obs = env.reset();
    std::vector<torch::Tensor> log_probs;
    float ret = 0.f;
    for (int64_t t = 0; t < horizon; ++t) {
      auto [logp, h1, c1] = policy_->forward(obs, h, c);
      auto action = logp.detach().exp().multinomial(1);
      auto [next, reward] = env.step(action.item<int64_t>());
      log_probs.push_back(logp.gather(1, action));
      replay_.push_back(Experience{obs, action, h1, c1, reward}); // missed: tensor-graph-retention
      if (replay_.size() > opts_.capacity)
        replay_.pop_front();
      h = h1;
      c = c1;
      obs = next;
      ret += reward;
    }
    auto loss = -torch::cat(log_probs).sum() * ret;
    optim_.zero_grad();
    loss.backward();
    optim_.step();
  }

  // ---- corrected ----
  void run_episode_fixed(Env &env, int64_t horizon) {
    auto h = torch::zeros({1, opts_.hidden});
    auto c = torch::zeros({1, opts_.hidden});
    auto obs = env.reset();
    std::vector<torch::Tensor> log_probs;
    float ret = 0.f;
    for (int64_t t = 0; t < horizon; ++t) {
      auto [logp, h1, c1] = policy_->forward(obs, h, c);
      auto action = logp.detach().exp().multinomial(1);
      auto [next, reward] = env.step(action.item<int64_t>());
      log_probs.push_back(logp.gather(1, action));
      replay_.push_back(Experience{obs, action, h1.detach(), c1.detach(), reward});
      if (replay_.size() > opts_.capacity)
        replay_.pop_front();
      h = h1;
      c = c1;
      obs = next;
      ret += reward;
    }
    auto loss = -torch::cat(log_probs).sum() * ret;
    optim_.zero_grad();
    loss.backward();
    optim_.step();
  }

private:
  AgentOptions opts_;
  RecurrentPolicy policy_;
  torch::optim::Adam optim_;
  std::deque<Experience> replay_;
};
} // namespace replayed_state

// https://github.com/reinforcement-learning-kr/pg_travel/issues/22
// The joint PPO loss is backpropagated twice; the critic's optimizer step in between changes the critic weights in place although the retained graph
// still needs them.
namespace two_optimizers {
struct ActorImpl : torch::nn::Module {
  ActorImpl(int64_t n_obs, int64_t n_act, int64_t hidden)
      : fc1(register_module("fc1", torch::nn::Linear(n_obs, hidden))), mu(register_module("mu", torch::nn::Linear(hidden, n_act))),
        log_std(register_parameter("log_std", torch::zeros({n_act}))) {}
  torch::Tensor log_prob(const torch::Tensor &s, const torch::Tensor &a) {
    auto m = mu->forward(torch::tanh(fc1->forward(s)));
    auto z = (a - m) / log_std.exp();
    return (-0.5 * z.pow(2) - log_std).sum(-1, /*keepdim=*/true);
  }
  torch::nn::Linear fc1, mu;
  torch::Tensor log_std;
};
TORCH_MODULE(Actor);

struct CriticImpl : torch::nn::Module {
  CriticImpl(int64_t n_obs, int64_t hidden)
      : fc1(register_module("fc1", torch::nn::Linear(n_obs, hidden))), fc2(register_module("fc2", torch::nn::Linear(hidden, hidden))),
        value(register_module("value", torch::nn::Linear(hidden, 1))) {}
  torch::Tensor forward(const torch::Tensor &s) { return value->forward(torch::tanh(fc2->forward(torch::tanh(fc1->forward(s))))); }
  torch::nn::Linear fc1, fc2, value;
};
TORCH_MODULE(Critic);

struct Memory {
  torch::Tensor states, actions, old_logp, returns, advantages; // all [N, *], without grad
};

torch::Tensor ppo_loss(Actor &actor, Critic &critic, const Memory &m, const torch::Tensor &idx, double clip) {
  auto s = m.states.index_select(0, idx);
  auto ratio = (actor->log_prob(s, m.actions.index_select(0, idx)) - m.old_logp.index_select(0, idx)).exp();
  auto adv = m.advantages.index_select(0, idx);
  auto policy_loss = -torch::min(ratio * adv, ratio.clamp(1.0 - clip, 1.0 + clip) * adv).mean();
  auto value_loss = (critic->forward(s) - m.returns.index_select(0, idx)).pow(2).mean();
  return policy_loss + 0.5 * value_loss;
}

void train_ppo(Actor actor, Critic critic, const Memory &mem, int64_t epochs, int64_t mini_batch) {
  torch::optim::Adam actor_opt(actor->parameters(), 3e-4);
  torch::optim::Adam critic_opt(critic->parameters(), torch::optim::AdamOptions(1e-3).weight_decay(1e-3));
  const int64_t n = mem.states.size(0);
  for (int64_t e = 0; e < epochs; ++e) {
    auto perm = torch::randperm(n, torch::kLong);
    for (int64_t i = 0; i + mini_batch <= n; i += mini_batch) {
      auto loss = ppo_loss(actor, critic, mem, perm.narrow(0, i, mini_batch), 0.2);
      critic_opt.zero_grad();
      loss.backward({}, /*retain_graph=*/true);
      critic_opt.step(); // expect: tensor-graph-retention
      actor_opt.zero_grad();
      loss.backward();
      actor_opt.step();
    }
  }
}

// ---- corrected ----

void train_ppo_fixed(Actor actor, Critic critic, const Memory &mem, int64_t epochs, int64_t mini_batch) {
  torch::optim::Adam actor_opt(actor->parameters(), 3e-4);
  torch::optim::Adam critic_opt(critic->parameters(), torch::optim::AdamOptions(1e-3).weight_decay(1e-3));
  const int64_t n = mem.states.size(0);
  for (int64_t e = 0; e < epochs; ++e) {
    auto perm = torch::randperm(n, torch::kLong);
    for (int64_t i = 0; i + mini_batch <= n; i += mini_batch) {
      auto loss = ppo_loss(actor, critic, mem, perm.narrow(0, i, mini_batch), 0.2);
      critic_opt.zero_grad();
      actor_opt.zero_grad();
      loss.backward();
      critic_opt.step();
      actor_opt.step();
    }
  }
}
} // namespace two_optimizers

// https://github.com/isaac-sim/IsaacLab/pull/1821
// Resetting the sensor drift fills the copy that indexing by environment ids returns; the stored drift never changes.
namespace drifting {
struct RayCasterCfg {
  std::pair<double, double> drift_range{-0.05, 0.05};
  double max_distance = 30.0;
  double update_period = 0.02;
};

class RayCaster {
public:
  RayCaster(RayCasterCfg cfg, int64_t num_envs, int64_t num_rays, torch::Device device) : cfg_(cfg), num_envs_(num_envs) {
    auto opts = torch::TensorOptions().dtype(torch::kFloat32).device(device);
    drift_ = torch::zeros({num_envs, 3}, opts);
    timestamp_ = torch::zeros({num_envs}, opts);
    outdated_ = torch::ones({num_envs}, opts.dtype(torch::kBool));
    ray_starts_ = torch::zeros({num_envs, num_rays, 3}, opts);
  }

  void reset(const std::optional<torch::Tensor> &env_ids) {
    auto ids = env_ids ? *env_ids : all_ids();
    timestamp_.index_fill_(0, ids, 0.0);
    outdated_.index_put_({ids}, true);
    drift_.index({ids}).uniform_(cfg_.drift_range.first, cfg_.drift_range.second); // expect: tensor-lost-write
  }

  // ---- corrected ----
  void reset_fixed(const std::optional<torch::Tensor> &env_ids) {
    auto ids = env_ids ? *env_ids : all_ids();
    timestamp_.index_fill_(0, ids, 0.0);
    outdated_.index_put_({ids}, true);
    auto sampled = torch::empty({ids.size(0), 3}, drift_.options());
    sampled.uniform_(cfg_.drift_range.first, cfg_.drift_range.second);
    drift_.index_put_({ids}, sampled);
  }

  void update(double dt, const torch::Tensor &sensor_pos_w) {
    timestamp_ += dt;
    outdated_ |= timestamp_ >= cfg_.update_period;
    auto pos = sensor_pos_w + drift_;
    ray_starts_.copy_(pos.unsqueeze(1).expand_as(ray_starts_));
  }

  const torch::Tensor &drift() const { return drift_; }

private:
  torch::Tensor all_ids() const { return torch::arange(num_envs_, torch::TensorOptions().dtype(torch::kLong).device(drift_.device())); }

  RayCasterCfg cfg_;
  int64_t num_envs_;
  torch::Tensor drift_, timestamp_, outdated_, ray_starts_;
};
} // namespace drifting

// https://github.com/lyuwenyu/RT-DETR/issues/677
// The positional embedding is a plain member, not a buffer, so to(kHalf) leaves it in float32: the sum is float32 and meets half weights in the
// query/key projection.
namespace half_positions {
static torch::Tensor build_2d_sincos(int64_t w, int64_t h, int64_t dim, double temperature) {
  auto gw = torch::arange(w, torch::kFloat32).repeat_interleave(h); // also: tensor-constant-in-forward
  auto gh = torch::arange(h, torch::kFloat32).repeat({w}); // also: tensor-constant-in-forward
  const int64_t quarter = dim / 4;
  auto omega = torch::arange(quarter, torch::kFloat32) / static_cast<double>(quarter); // also: tensor-constant-in-forward
  omega = 1.0 / torch::pow(temperature, omega);
  auto ow = torch::outer(gw, omega);
  auto oh = torch::outer(gh, omega);
  return torch::cat({ow.sin(), ow.cos(), oh.sin(), oh.cos()}, 1).unsqueeze(0); // [1, w*h, dim]
}

struct EncoderLayerImpl : torch::nn::Module {
  EncoderLayerImpl(int64_t dim, int64_t heads, int64_t w, int64_t h) : heads_(heads), pos_embed_(build_2d_sincos(w, h, dim, 10000.0)) {
    qk_proj_ = register_module("qk_proj", torch::nn::Linear(dim, 2 * dim));
    v_proj_ = register_module("v_proj", torch::nn::Linear(dim, dim));
  }

  torch::Tensor forward(const torch::Tensor &src) { // [B, L, dim]
    auto with_pos = src + pos_embed_.to(src.device());
    auto qk = qk_proj_->forward(with_pos).chunk(2, -1); // missed: tensor-shape-mismatch
    auto q = split(qk[0]), k = split(qk[1]);
    auto v = split(v_proj_->forward(src));
    auto out = torch::matmul(torch::softmax(torch::matmul(q, k.transpose(-2, -1)), -1), v);
    return src + out.transpose(1, 2).flatten(2);
  }

  torch::Tensor split(const torch::Tensor &x) { return x.unflatten(-1, {heads_, -1}).transpose(1, 2); }

  int64_t heads_;
  torch::Tensor pos_embed_;
  torch::nn::Linear qk_proj_{nullptr}, v_proj_{nullptr};
};
TORCH_MODULE(EncoderLayer);

torch::Tensor run_fp16(const torch::Tensor &feats, int64_t w, int64_t h) {
  torch::NoGradGuard no_grad;
  EncoderLayer enc(256, 8, w, h);
  enc->eval();
  enc->to(torch::kCUDA);
  enc->to(torch::kHalf);
  return enc->forward(feats.to(torch::kCUDA).to(torch::kHalf));
}

// ---- corrected ----

struct BufferedEncoderLayerImpl : torch::nn::Module {
  BufferedEncoderLayerImpl(int64_t dim, int64_t heads, int64_t w, int64_t h) : heads_(heads) {
    pos_embed_ = register_buffer("pos_embed", build_2d_sincos(w, h, dim, 10000.0));
    qk_proj_ = register_module("qk_proj", torch::nn::Linear(dim, 2 * dim));
    v_proj_ = register_module("v_proj", torch::nn::Linear(dim, dim));
  }

  torch::Tensor forward(const torch::Tensor &src) {
    auto with_pos = src + pos_embed_;
    auto qk = qk_proj_->forward(with_pos).chunk(2, -1);
    auto q = split(qk[0]), k = split(qk[1]);
    auto v = split(v_proj_->forward(src));
    auto out = torch::matmul(torch::softmax(torch::matmul(q, k.transpose(-2, -1)), -1), v);
    return src + out.transpose(1, 2).flatten(2);
  }

  torch::Tensor split(const torch::Tensor &x) { return x.unflatten(-1, {heads_, -1}).transpose(1, 2); }

  int64_t heads_;
  torch::Tensor pos_embed_;
  torch::nn::Linear qk_proj_{nullptr}, v_proj_{nullptr};
};
TORCH_MODULE(BufferedEncoderLayer);

torch::Tensor run_fp16_fixed(const torch::Tensor &feats, int64_t w, int64_t h) {
  torch::NoGradGuard no_grad;
  BufferedEncoderLayer enc(256, 8, w, h);
  enc->eval();
  enc->to(torch::kCUDA);
  enc->to(torch::kHalf);
  return enc->forward(feats.to(torch::kCUDA).to(torch::kHalf));
}
} // namespace half_positions

// https://github.com/NVIDIA/Model-Optimizer/pull/348
// The blocks that extend the speculative-decoding mask are created without a device, hence on the CPU, and are concatenated with a mask that lives on
// CUDA.
namespace mask_blocks {
struct EagleOptions {
  int64_t batch = 2;
  int64_t seq_len = 512;
  int64_t steps = 3;
};

// true = masked out, as in the Megatron convention
torch::Tensor causal_mask(int64_t batch, int64_t seq_len, torch::Device device) {
  auto opts = torch::TensorOptions().dtype(torch::kBool).device(device);
  auto m = torch::ones({seq_len, seq_len}, opts).triu(1);
  return m.view({1, 1, seq_len, seq_len}).repeat({batch, 1, 1, 1});
}

static torch::Tensor diagonal_open(torch::Tensor block, int64_t offset) {
  const int64_t s = block.size(-1);
  for (int64_t i = offset; i < s; ++i)
    block.select(2, i).select(2, i - offset).fill_(false);
  return block;
}

torch::Tensor multi_step_mask(torch::Tensor mask, int64_t steps) {
  const int64_t b = mask.size(0), s = mask.size(-1);
  auto blocked = torch::ones({b, 1, s, s}, torch::kBool);
  auto result = mask;
  for (int64_t step = 2; step <= steps; ++step) {
    const int64_t width = result.size(-1);
    auto left = torch::cat({result, result.narrow(2, width - s, s)}, 2);
    auto diag = diagonal_open(blocked.clone(), step - 1);
    auto right = torch::cat({blocked.repeat({1, 1, width / s, 1}), diag}, 2);
    result = torch::cat({left, right}, 3); // expect: tensor-device-mismatch
  }
  return result;
}

torch::Tensor draft_attention(const EagleOptions &o, const torch::Tensor &scores) {
  auto mask = causal_mask(o.batch, o.seq_len, torch::Device(torch::kCUDA, 0));
  auto full = multi_step_mask(mask, o.steps);
  return scores.masked_fill(full, -1e4).softmax(-1);
}

// ---- corrected ----

torch::Tensor multi_step_mask_fixed(torch::Tensor mask, int64_t steps) {
  const int64_t b = mask.size(0), s = mask.size(-1);
  auto blocked = torch::ones({b, 1, s, s}, mask.options());
  auto result = mask;
  for (int64_t step = 2; step <= steps; ++step) {
    const int64_t width = result.size(-1);
    auto left = torch::cat({result, result.narrow(2, width - s, s)}, 2);
    auto diag = diagonal_open(blocked.clone(), step - 1);
    auto right = torch::cat({blocked.repeat({1, 1, width / s, 1}), diag}, 2);
    result = torch::cat({left, right}, 3);
  }
  return result;
}

torch::Tensor draft_attention_fixed(const EagleOptions &o, const torch::Tensor &scores) {
  auto mask = causal_mask(o.batch, o.seq_len, torch::Device(torch::kCUDA, 0));
  auto full = multi_step_mask_fixed(mask, o.steps);
  return scores.masked_fill(full, -1e4).softmax(-1);
}
} // namespace mask_blocks
