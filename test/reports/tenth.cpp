// Reports that were rewritten before anything was done for them, the tenth lot.
#include <algorithm>
#include <array>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/WrapDimUtils.h>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <torch/torch.h>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

// https://github.com/roboflow/rf-detr/issues/148
// The window split uses the number of patch rows per window for the column axis too, so rectangular inputs give "shape is invalid" or, where the
// product happens to fit, windows of mixed up patches.
namespace window_rows {
namespace F = torch::nn::functional;

struct WindowEmbedConfig {
  int64_t in_channels = 3;
  int64_t hidden = 384;
  int64_t patch = 14;
  int64_t num_windows = 4;
  int64_t base_grid = 37;
};

class WindowedEmbeddingsImpl : public torch::nn::Module {
 public:
  explicit WindowedEmbeddingsImpl(const WindowEmbedConfig& cfg) : cfg_(cfg) {
    patch_ = register_module(
        "patch",
        torch::nn::Conv2d(torch::nn::Conv2dOptions(cfg.in_channels, cfg.hidden, cfg.patch).stride(cfg.patch)));
    pos_ = register_parameter("pos", torch::randn({1, cfg.hidden, cfg.base_grid, cfg.base_grid}) * 0.02);
    cls_ = register_parameter("cls", torch::zeros({1, 1, cfg.hidden}));
  }

  torch::Tensor forward(const torch::Tensor& pixels) {
    TORCH_CHECK(pixels.dim() == 4, "expected a batch of images");
    auto grid = patch_->forward(pixels);
    const int64_t rows = grid.size(2);
    const int64_t cols = grid.size(3);
    TORCH_CHECK(rows % cfg_.num_windows == 0 && cols % cfg_.num_windows == 0,
                "patch grid ", rows, "x", cols, " does not divide into windows");
    grid = grid + resized_positions(rows, cols);
    auto windows = split_windows(grid.permute({0, 2, 3, 1}));
    auto cls = cls_.expand({windows.size(0), -1, -1});
    return torch::cat({cls, windows}, 1);
  }

  torch::Tensor merge_windows(const torch::Tensor& tokens, int64_t rows, int64_t cols) const {
    const int64_t n = cfg_.num_windows;
    const int64_t batch = tokens.size(0) / (n * n);
    auto x = tokens.slice(1, 1).reshape({batch, n, n, rows / n, cols / n, cfg_.hidden});
    return x.permute({0, 1, 3, 2, 4, 5}).reshape({batch, rows, cols, cfg_.hidden});
  }

 private:
  torch::Tensor resized_positions(int64_t rows, int64_t cols) const {
    if (rows == cfg_.base_grid && cols == cfg_.base_grid) {
      return pos_;
    }
    return F::interpolate(pos_, F::InterpolateFuncOptions()
                                    .size(std::vector<int64_t>{rows, cols})
                                    .mode(torch::kBicubic)
                                    .align_corners(false));
  }

  torch::Tensor split_windows(const torch::Tensor& grid) const {
    const int64_t batch = grid.size(0);
    const int64_t n = cfg_.num_windows;
    const int64_t rows_per_window = grid.size(1) / n;
    const int64_t cols_per_window = grid.size(2) / n;
    auto x = grid.reshape({batch, n, rows_per_window, n, rows_per_window, -1}); // missed: tensor-shape-mismatch
    x = x.permute({0, 1, 3, 2, 4, 5});
    return x.reshape({batch * n * n, rows_per_window * cols_per_window, -1});
  }

  WindowEmbedConfig cfg_;
  torch::nn::Conv2d patch_{nullptr};
  torch::Tensor pos_;
  torch::Tensor cls_;
};
TORCH_MODULE(WindowedEmbeddings);
} // namespace window_rows

// https://github.com/tenstorrent/tt-metal/pull/38321
// The head size of a fused QKV tensor with fewer KV heads is taken as hidden / num_heads although hidden holds Q, K and V, so the slices run past the
// end of the fused axis.
namespace fused_width {
struct HeadSplit {
  torch::Tensor query;
  torch::Tensor key;
  torch::Tensor value;
};

static torch::Tensor to_heads(const torch::Tensor& x, int64_t heads, int64_t head_size) {
  return x.reshape({x.size(0), x.size(1), heads, head_size}).transpose(1, 2);
}

static HeadSplit split_multi_head(const torch::Tensor& qkv, int64_t num_heads) {
  const int64_t hidden = qkv.size(2);
  TORCH_CHECK(hidden % (3 * num_heads) == 0, "fused width ", hidden, " does not fit ", num_heads, " heads");
  const int64_t head_size = hidden / (3 * num_heads);
  auto parts = qkv.chunk(3, 2);
  return {to_heads(parts[0], num_heads, head_size),
          to_heads(parts[1], num_heads, head_size),
          to_heads(parts[2], num_heads, head_size)};
}

static HeadSplit split_grouped(const torch::Tensor& qkv, int64_t num_heads, int64_t num_kv_heads) {
  const int64_t hidden = qkv.size(2);
  TORCH_CHECK(num_heads % num_kv_heads == 0, "query heads must be a multiple of kv heads");
  const int64_t head_size = hidden / num_heads;
  const int64_t q_width = num_heads * head_size;
  const int64_t kv_width = num_kv_heads * head_size;
  auto q = qkv.narrow(2, 0, q_width);
  auto k = qkv.narrow(2, q_width, kv_width);
  auto v = qkv.narrow(2, q_width + kv_width, kv_width); // expect: tensor-shape-mismatch
  return {to_heads(q, num_heads, head_size),
          to_heads(k, num_kv_heads, head_size),
          to_heads(v, num_kv_heads, head_size)};
}

static HeadSplit split_separate(
    const torch::Tensor& q, const torch::Tensor& kv, int64_t num_heads, int64_t num_kv_heads) {
  TORCH_CHECK(q.size(0) == kv.size(0), "batch of q and kv differ");
  const int64_t head_size = q.size(2) / num_heads;
  TORCH_CHECK(kv.size(2) == 2 * num_kv_heads * head_size, "kv width does not match the query's head size");
  auto parts = kv.chunk(2, 2);
  return {to_heads(q, num_heads, head_size),
          to_heads(parts[0], num_kv_heads, head_size),
          to_heads(parts[1], num_kv_heads, head_size)};
}

HeadSplit split_query_key_value(
    const torch::Tensor& input,
    const c10::optional<torch::Tensor>& input_kv,
    int64_t num_heads,
    c10::optional<int64_t> num_kv_heads,
    bool transpose_key) {
  TORCH_CHECK(input.dim() == 3, "expected [batch, seq, hidden]");
  const int64_t kv_heads = num_kv_heads.value_or(num_heads);
  HeadSplit out;
  if (input_kv.has_value()) {
    out = split_separate(input, *input_kv, num_heads, kv_heads);
  } else if (kv_heads != num_heads) {
    out = split_grouped(input, num_heads, kv_heads);
  } else {
    out = split_multi_head(input, num_heads);
  }
  if (transpose_key) {
    out.key = out.key.transpose(-2, -1);
  }
  return out;
}
} // namespace fused_width

// https://github.com/torch-spyre/torch-spyre/pull/3018
// Input addresses of a job are taken from the storage's base and never add storage_offset, so every view (all slices of an unbind) reads the
// beginning of its parent.
namespace storage_base {
struct JobOperand {
  std::uintptr_t address = 0;
  std::array<int64_t, 6> sizes{};
  std::array<int64_t, 6> strides{};
  int32_t rank = 0;
  int32_t item_size = 0;
};

struct JobDescriptor {
  std::string kernel;
  std::vector<JobOperand> inputs;
  std::vector<JobOperand> outputs;
};

int submit_job(const JobDescriptor& job, void* queue);
void wait_queue(void* queue);

class JobPlan {
 public:
  JobPlan(std::string kernel, void* queue) : queue_(queue) {
    job_.kernel = std::move(kernel);
  }

  void run(const std::vector<torch::Tensor>& inputs, const std::vector<torch::Tensor>& outputs) {
    job_.inputs.clear();
    job_.outputs.clear();
    job_.inputs.reserve(inputs.size());
    job_.outputs.reserve(outputs.size());
    for (const auto& t : inputs) {
      job_.inputs.push_back(describe_input(t));
    }
    for (const auto& t : outputs) {
      job_.outputs.push_back(describe_output(t));
    }
    const int status = submit_job(job_, queue_);
    TORCH_CHECK(status == 0, "kernel ", job_.kernel, " was refused with status ", status);
    wait_queue(queue_);
  }

 private:
  static void fill_shape(JobOperand& op, const torch::Tensor& t) {
    TORCH_CHECK(t.dim() <= static_cast<int64_t>(op.sizes.size()), "rank ", t.dim(), " is not supported");
    op.rank = static_cast<int32_t>(t.dim());
    op.item_size = static_cast<int32_t>(t.element_size());
    for (int64_t d = 0; d < t.dim(); ++d) {
      op.sizes[d] = t.size(d);
      op.strides[d] = t.stride(d);
    }
  }

  static JobOperand describe_input(const torch::Tensor& t) {
    JobOperand op;
    fill_shape(op, t);
    op.address = reinterpret_cast<std::uintptr_t>(t.storage().data()); // missed: tensor-raw-pointer-layout
    return op;
  }

  static JobOperand describe_output(const torch::Tensor& t) {
    TORCH_CHECK(t.is_non_overlapping_and_dense(), "outputs must be dense");
    JobOperand op;
    fill_shape(op, t);
    op.address = reinterpret_cast<std::uintptr_t>(t.data_ptr());
    return op;
  }

  JobDescriptor job_;
  void* queue_;
};
} // namespace storage_base

// https://github.com/pytorch/vision/pull/7523
// Decoded RGB frames have rows padded to the codec's alignment, but the tensor is made with rows of width * 3 bytes, so frames whose width is no
// multiple of 8 come out sheared with a black bar.
namespace line_size {
struct PictureBuffer {
  uint8_t* planes[3] = {nullptr, nullptr, nullptr};
  int linesize[3] = {0, 0, 0};
  int width = 0;
  int height = 0;
  double pts = 0.0;
};

class FrameSource {
 public:
  virtual ~FrameSource() = default;
  virtual bool next(PictureBuffer& out) = 0;
};

struct VideoClip {
  torch::Tensor frames;
  torch::Tensor pts;
};

static torch::Tensor luma_to_tensor(const PictureBuffer& pic) {
  auto out = torch::empty({pic.height, pic.width}, torch::kByte);
  auto* dst = out.data_ptr<uint8_t>();
  const uint8_t* src = pic.planes[0];
  for (int row = 0; row < pic.height; ++row) {
    std::memcpy(dst, src, pic.width);
    dst += pic.width;
    src += pic.linesize[0];
  }
  return out;
}

static torch::Tensor rgb_to_tensor(const PictureBuffer& pic) {
  const int64_t height = pic.height;
  const int64_t width = pic.width;
  auto pixels = torch::from_blob(pic.planes[0], {height, width, 3}, torch::kByte); // missed: tensor-raw-pointer-layout
  return pixels.permute({2, 0, 1}).clone();
}

VideoClip read_clip(FrameSource& source, int64_t max_frames, bool gray) {
  std::vector<torch::Tensor> frames;
  std::vector<double> stamps;
  frames.reserve(max_frames);
  stamps.reserve(max_frames);
  PictureBuffer pic;
  while (static_cast<int64_t>(frames.size()) < max_frames && source.next(pic)) {
    TORCH_CHECK(pic.planes[0] != nullptr, "decoder returned an empty picture");
    frames.push_back(gray ? luma_to_tensor(pic) : rgb_to_tensor(pic));
    stamps.push_back(pic.pts);
  }
  VideoClip clip;
  clip.frames = frames.empty() ? torch::empty({0}, torch::kByte) : torch::stack(frames);
  clip.pts = torch::tensor(stamps, torch::kDouble);
  return clip;
}

torch::Tensor normalize_clip(const VideoClip& clip, const std::vector<double>& mean, const std::vector<double>& std_dev) {
  TORCH_CHECK(clip.frames.dim() == 4, "expected colour frames");
  auto m = torch::tensor(mean, torch::kFloat).view({1, -1, 1, 1});
  auto s = torch::tensor(std_dev, torch::kFloat).view({1, -1, 1, 1});
  return clip.frames.to(torch::kFloat).div_(255.0).sub_(m).div_(s);
}
} // namespace line_size

// https://github.com/ROCm/aiter/pull/2582
// The workspace tensor lives in an inner block and is freed before the sorting kernels are launched with its address, which ends in illegal memory
// accesses.
namespace inner_workspace {
struct MoeSortingArgs {
  const int32_t* topk_ids = nullptr;
  const float* topk_weights = nullptr;
  int32_t* sorted_ids = nullptr;
  float* sorted_weights = nullptr;
  int32_t* expert_ids = nullptr;
  int32_t* num_valid = nullptr;
  void* workspace = nullptr;
  int64_t tokens = 0;
  int64_t topk = 0;
  int64_t num_experts = 0;
  int64_t unit = 0;
};

int64_t sorting_workspace_bytes(int64_t tokens, int64_t num_experts, int64_t topk);
int64_t gemm_workspace_bytes(int64_t rows, int64_t cols);
void launch_moe_sorting(const MoeSortingArgs& args);
void launch_grouped_gemm(
    const float* a, const float* b, float* c, const int32_t* expert_ids,
    int64_t rows, int64_t cols, int64_t depth, void* workspace);

void moe_sorting_fwd(
    const torch::Tensor& topk_ids,
    const torch::Tensor& topk_weights,
    torch::Tensor& sorted_ids,
    torch::Tensor& sorted_weights,
    torch::Tensor& expert_ids,
    torch::Tensor& num_valid,
    int64_t num_experts,
    int64_t unit) {
  TORCH_CHECK(topk_ids.is_contiguous() && topk_weights.is_contiguous(), "routing tensors must be contiguous");
  TORCH_CHECK(topk_ids.scalar_type() == torch::kInt, "topk_ids must be int32");
  TORCH_CHECK(topk_weights.scalar_type() == torch::kFloat, "topk_weights must be float32");
  TORCH_CHECK(sorted_ids.is_contiguous() && sorted_weights.is_contiguous() && expert_ids.is_contiguous(),
              "outputs must be contiguous");
  MoeSortingArgs args;
  args.tokens = topk_ids.size(0);
  args.topk = topk_ids.size(1);
  args.num_experts = num_experts;
  args.unit = unit;
  const int64_t bytes = sorting_workspace_bytes(args.tokens, num_experts, args.topk);
  if (bytes > 0) {
    auto workspace = torch::zeros({bytes}, topk_ids.options().dtype(torch::kByte));
    args.workspace = workspace.data_ptr();
  }
  args.topk_ids = topk_ids.data_ptr<int32_t>();
  args.topk_weights = topk_weights.data_ptr<float>();
  args.sorted_ids = sorted_ids.data_ptr<int32_t>();
  args.sorted_weights = sorted_weights.data_ptr<float>();
  args.expert_ids = expert_ids.data_ptr<int32_t>();
  args.num_valid = num_valid.data_ptr<int32_t>();
  launch_moe_sorting(args); // expect: tensor-dangling-data-pointer
}

torch::Tensor moe_gemm(const torch::Tensor& a, const torch::Tensor& b, const torch::Tensor& expert_ids) {
  TORCH_CHECK(a.is_contiguous() && b.is_contiguous() && expert_ids.is_contiguous(), "inputs must be contiguous");
  const int64_t rows = a.size(0);
  const int64_t depth = a.size(1);
  const int64_t cols = b.size(1);
  TORCH_CHECK(b.size(2) == depth, "weights do not match the activations");
  auto out = torch::empty({rows, cols}, a.options());
  const int64_t bytes = gemm_workspace_bytes(rows, cols);
  torch::Tensor scratch;
  if (bytes > 0) {
    scratch = torch::empty({bytes}, a.options().dtype(torch::kByte));
  }
  launch_grouped_gemm(
      a.data_ptr<float>(), b.data_ptr<float>(), out.data_ptr<float>(), expert_ids.data_ptr<int32_t>(),
      rows, cols, depth, scratch.defined() ? scratch.data_ptr() : nullptr);
  return out;
}
} // namespace inner_workspace

// https://github.com/tenstorrent/tt-mlir/pull/4395
// A plan keeps only a reference to the grid shape that was computed in a local vector, so the grid it reads after the builder returned is freed
// memory.
namespace local_plan {
struct DeviceInfo {
  std::vector<int64_t> worker_grid;
  int64_t reserved_rows = 0;
};

struct TilePlan {
  at::IntArrayRef grid;
  int64_t tile = 32;
  bool transpose = false;
};

static int64_t round_up(int64_t n, int64_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

TilePlan plan_for_full_device(const DeviceInfo& device) {
  TilePlan plan;
  plan.grid = device.worker_grid;
  plan.tile = 32;
  return plan;
}

TilePlan plan_for_square(const DeviceInfo& device, bool transpose) {
  TORCH_CHECK(device.worker_grid.size() == 2, "expected a 2-D worker grid");
  const int64_t side =
      std::min(device.worker_grid[0] - device.reserved_rows, device.worker_grid[1]);
  TORCH_CHECK(side > 0, "no workers left");
  std::vector<int64_t> square(2, side);
  TilePlan plan;
  plan.grid = square;
  plan.transpose = transpose;
  return plan; // expect: tensor-dangling-data-pointer
}

torch::Tensor lay_out(const torch::Tensor& x, const TilePlan& plan) {
  TORCH_CHECK(x.dim() == 2, "expected a matrix");
  auto src = plan.transpose ? x.t() : x;
  const int64_t rows = round_up(src.size(0), plan.grid[0] * plan.tile);
  const int64_t cols = round_up(src.size(1), plan.grid[1] * plan.tile);
  auto padded = torch::constant_pad_nd(src, {0, cols - src.size(1), 0, rows - src.size(0)}, 0);
  auto blocks = padded.reshape({plan.grid[0], rows / plan.grid[0], plan.grid[1], cols / plan.grid[1]});
  return blocks.transpose(1, 2).contiguous();
}

class LayoutPass {
 public:
  explicit LayoutPass(DeviceInfo device) : device_(std::move(device)) {}

  std::vector<torch::Tensor> run(const std::vector<torch::Tensor>& operands, bool square_only) const {
    const TilePlan plan = square_only ? plan_for_square(device_, false) : plan_for_full_device(device_);
    std::vector<torch::Tensor> laid_out;
    laid_out.reserve(operands.size());
    for (const auto& operand : operands) {
      laid_out.push_back(lay_out(operand, plan));
    }
    return laid_out;
  }

 private:
  DeviceInfo device_;
};
} // namespace local_plan

// https://github.com/flashinfer-ai/flashinfer/pull/2509
// The state pool of one layer is a strided slice, reshape copies it, and the recurrent update goes into that copy: the pool keeps its old states.
namespace strided_pool {
struct DeltaRuleConfig {
  int64_t layers = 0;
  int64_t pool_size = 0;
  int64_t value_heads = 0;
  int64_t value_dim = 0;
  int64_t key_dim = 0;
};

class StatePool {
 public:
  StatePool(const DeltaRuleConfig& cfg, const torch::Device& device) : cfg_(cfg) {
    states_ = torch::zeros(
        {cfg.pool_size, cfg.layers, cfg.value_heads, cfg.value_dim, cfg.key_dim},
        torch::TensorOptions().dtype(torch::kFloat).device(device));
  }

  torch::Tensor layer(int64_t index) const {
    return states_.select(1, index);
  }

  void clear(const torch::Tensor& slots) {
    states_.index_fill_(0, slots, 0.0);
  }

 private:
  DeltaRuleConfig cfg_;
  torch::Tensor states_;
};

static torch::Tensor apply_delta_rule(
    torch::Tensor rows, const torch::Tensor& row_ids, const torch::Tensor& q, const torch::Tensor& k,
    const torch::Tensor& v, const torch::Tensor& decay, const torch::Tensor& beta) {
  auto h = rows.index_select(0, row_ids) * decay.view({-1, 1, 1});
  auto predicted = torch::einsum("nvk,nk->nv", {h, k});
  auto update = (v - predicted) * beta.view({-1, 1});
  h = h + update.unsqueeze(-1) * k.unsqueeze(1);
  rows.index_copy_(0, row_ids, h);
  return torch::einsum("nvk,nk->nv", {h, q});
}

class GatedDeltaDecoder {
 public:
  GatedDeltaDecoder(const DeltaRuleConfig& cfg, const torch::Device& device) : cfg_(cfg), pool_(cfg, device) {}

  torch::Tensor step(
      int64_t layer, const torch::Tensor& slots, const torch::Tensor& q, const torch::Tensor& k,
      const torch::Tensor& v, const torch::Tensor& decay, const torch::Tensor& beta) {
    torch::NoGradGuard no_grad;
    const int64_t batch = slots.size(0);
    const int64_t heads = cfg_.value_heads;
    auto state = pool_.layer(layer);
    auto rows = state.reshape({cfg_.pool_size * heads, cfg_.value_dim, cfg_.key_dim}); // missed: tensor-lost-write
    auto head_ids = torch::arange(heads, slots.options());
    auto row_ids = (slots.unsqueeze(1) * heads + head_ids).flatten();
    auto out = apply_delta_rule(
        rows, row_ids, q.flatten(0, 1) / std::sqrt(static_cast<double>(cfg_.key_dim)), k.flatten(0, 1),
        v.flatten(0, 1), decay.flatten(), beta.flatten());
    return out.view({batch, heads, cfg_.value_dim});
  }

  void reset(const torch::Tensor& slots) {
    torch::NoGradGuard no_grad;
    pool_.clear(slots);
  }

 private:
  DeltaRuleConfig cfg_;
  StatePool pool_;
};
} // namespace strided_pool

// https://github.com/liugangcode/torch-molecule/pull/19
// The best epoch's weights are remembered without a copy, so they share memory with the model and the weights restored at the end are those of the
// last epoch.
namespace best_weights {
using StateMap = std::map<std::string, torch::Tensor>;

struct Batch {
  torch::Tensor features;
  torch::Tensor target;
};

struct FitOptions {
  int64_t epochs = 100;
  int64_t patience = 10;
  double lr = 1e-3;
};

class PropertyPredictor {
 public:
  PropertyPredictor(torch::nn::Sequential model, FitOptions options)
      : model_(std::move(model)), options_(options) {
    for (const auto& item : model_->named_parameters()) {
      initial_state_[item.key()] = item.value().detach().clone();
    }
  }

  double fit(const std::vector<Batch>& train, const std::vector<Batch>& valid) {
    torch::optim::AdamW optimizer(model_->parameters(), torch::optim::AdamWOptions(options_.lr));
    double best = std::numeric_limits<double>::infinity();
    int64_t stale = 0;
    for (int64_t epoch = 0; epoch < options_.epochs && stale < options_.patience; ++epoch) {
      model_->train();
      for (const auto& batch : train) {
        optimizer.zero_grad();
        auto loss = torch::mse_loss(model_->forward(batch.features), batch.target);
        loss.backward();
        optimizer.step();
      }
      const double score = evaluate(valid);
      ++stale;
      if (score < best) {
        best = score;
        stale = 0;
        for (const auto& item : model_->named_parameters()) {
          best_state_[item.key()] = item.value().detach(); // expect: tensor-lost-write
        }
      }
    }
    load(best_state_);
    return best;
  }

  void reset() {
    load(initial_state_);
  }

 private:
  void load(const StateMap& state) {
    torch::NoGradGuard no_grad;
    for (auto& item : model_->named_parameters()) {
      auto found = state.find(item.key());
      if (found != state.end()) {
        item.value().copy_(found->second);
      }
    }
  }

  double evaluate(const std::vector<Batch>& batches) {
    torch::NoGradGuard no_grad;
    model_->eval();
    std::vector<torch::Tensor> losses;
    for (const auto& batch : batches) {
      losses.push_back(torch::mse_loss(model_->forward(batch.features), batch.target));
    }
    return torch::stack(losses).mean().item<double>();
  }

  torch::nn::Sequential model_;
  FitOptions options_;
  StateMap initial_state_;
  StateMap best_state_;
};
} // namespace best_weights

// https://github.com/microsoft/onnxruntime/issues/28107
// The flat input index of a gather is kept in a 32-bit integer and overflows for tables of more than 2^31 elements, which reads outside the table.
namespace flat_index {
namespace {

int64_t product(at::IntArrayRef sizes, int64_t begin, int64_t end) {
  int64_t n = 1;
  for (int64_t d = begin; d < end; ++d) {
    n *= sizes[d];
  }
  return n;
}

template <typename T, typename Index>
void gather_copy(
    const T* input, const Index* indices, T* output, int64_t outer, int64_t axis_size, int64_t num_indices,
    int64_t inner) {
  const int64_t input_block = axis_size * inner;
  const int64_t output_block = num_indices * inner;
  at::parallel_for(0, outer * output_block, at::internal::GRAIN_SIZE, [&](int64_t begin, int64_t end) {
    for (int64_t id = begin; id < end; ++id) {
      const int64_t block = id / output_block;
      const int64_t rest = id % output_block;
      const int64_t offset = rest % inner;
      int64_t idx = static_cast<int64_t>(indices[rest / inner]);
      if (idx < 0) {
        idx += axis_size;
      }
      if (idx < 0 || idx >= axis_size) {
        output[id] = T(0);
        continue;
      }
      const int32_t input_index = block * input_block + idx * inner + offset; // missed: tensor-raw-pointer-layout
      output[id] = input[input_index];
    }
  });
}

}  // namespace

torch::Tensor gather_axis(const torch::Tensor& input, const torch::Tensor& indices, int64_t axis) {
  TORCH_CHECK(input.device().is_cpu() && indices.device().is_cpu(), "gather_axis runs on the CPU");
  TORCH_CHECK(indices.scalar_type() == torch::kLong || indices.scalar_type() == torch::kInt,
              "indices must be int32 or int64");
  axis = at::maybe_wrap_dim(axis, input.dim());
  auto data = input.contiguous();
  auto ids = indices.contiguous();
  std::vector<int64_t> shape(data.sizes().begin(), data.sizes().begin() + axis);
  shape.insert(shape.end(), ids.sizes().begin(), ids.sizes().end());
  shape.insert(shape.end(), data.sizes().begin() + axis + 1, data.sizes().end());
  auto output = torch::empty(shape, data.options());
  if (output.numel() == 0) {
    return output;
  }
  const int64_t outer = product(data.sizes(), 0, axis);
  const int64_t inner = product(data.sizes(), axis + 1, data.dim());
  AT_DISPATCH_ALL_TYPES(data.scalar_type(), "gather_axis", [&] {
    if (ids.scalar_type() == torch::kLong) {
      gather_copy<scalar_t, int64_t>(
          data.data_ptr<scalar_t>(), ids.data_ptr<int64_t>(), output.data_ptr<scalar_t>(), outer,
          data.size(axis), ids.numel(), inner);
    } else {
      gather_copy<scalar_t, int32_t>(
          data.data_ptr<scalar_t>(), ids.data_ptr<int32_t>(), output.data_ptr<scalar_t>(), outer,
          data.size(axis), ids.numel(), inner);
    }
  });
  return output;
}
} // namespace flat_index

// https://github.com/llvm/torch-mlir/pull/2332
// The tensor a module adds is a plain member and no buffer, so module.to(device) leaves it on the CPU and forward mixes devices.
namespace plain_member {
class ScaleModuleImpl : public torch::nn::Module {
 public:
  explicit ScaleModuleImpl(int64_t features) {
    scale_ = register_buffer("scale", torch::linspace(0.5, 1.5, features));
  }

  torch::Tensor forward(const torch::Tensor& x) {
    return x * scale_;
  }

 private:
  torch::Tensor scale_;
};
TORCH_MODULE(ScaleModule);

class AddModuleImpl : public torch::nn::Module {
 public:
  explicit AddModuleImpl(int64_t features) {
    offset_ = torch::ones({2, features});
    scale_ = register_module("inner", ScaleModule(features));
  }

  torch::Tensor forward(const torch::Tensor& x) {
    auto shifted = x + offset_; // expect: tensor-device-mismatch
    return scale_->forward(shifted);
  }

 private:
  torch::Tensor offset_;
  ScaleModule scale_{nullptr};
};
TORCH_MODULE(AddModule);

struct BackendCase {
  std::string name;
  std::shared_ptr<torch::nn::Module> module;
  std::function<torch::Tensor(const torch::Tensor&)> call;
};

std::vector<BackendCase> make_cases(int64_t features) {
  std::vector<BackendCase> cases;
  ScaleModule scale(features);
  cases.push_back({"scale", scale.ptr(), [scale](const torch::Tensor& x) mutable { return scale->forward(x); }});
  AddModule add(features);
  cases.push_back({"add", add.ptr(), [add](const torch::Tensor& x) mutable { return add->forward(x); }});
  return cases;
}

bool compare_backends(const torch::Device& device, int64_t features, double tolerance) {
  torch::NoGradGuard no_grad;
  bool all_equal = true;
  for (auto& entry : make_cases(features)) {
    auto sample = torch::rand({2, features});
    auto expected = entry.call(sample);
    entry.module->to(device);
    auto actual = entry.call(sample.to(device)).to(torch::kCPU);
    if (!torch::allclose(expected, actual, tolerance, tolerance)) {
      TORCH_WARN("case ", entry.name, " differs on ", device);
      all_equal = false;
    }
  }
  return all_equal;
}
} // namespace plain_member

// https://github.com/lyongo/NWPU-MOC/issues/4
// The top-down path of the pyramid adds into laterals that are outputs of ReLU, which ReLU's backward needs unchanged, so backward() throws.
namespace added_laterals {
namespace F = torch::nn::functional;

struct PyramidConfig {
  std::vector<int64_t> in_channels;
  int64_t out_channels = 128;
  bool extra_path = false;
};

class LateralImpl : public torch::nn::Module {
 public:
  LateralImpl(int64_t in, int64_t out) {
    conv_ = register_module("conv", torch::nn::Conv2d(torch::nn::Conv2dOptions(in, out, 1).bias(false)));
    norm_ = register_module("norm", torch::nn::BatchNorm2d(out));
  }

  torch::Tensor forward(const torch::Tensor& x) {
    return torch::relu(norm_->forward(conv_->forward(x)));
  }

 private:
  torch::nn::Conv2d conv_{nullptr};
  torch::nn::BatchNorm2d norm_{nullptr};
};
TORCH_MODULE(Lateral);

class FeaturePyramidImpl : public torch::nn::Module {
 public:
  explicit FeaturePyramidImpl(const PyramidConfig& cfg) : cfg_(cfg) {
    for (size_t i = 0; i < cfg.in_channels.size(); ++i) {
      const auto tag = std::to_string(i);
      laterals_.push_back(
          register_module("lateral" + tag, Lateral(cfg.in_channels[i], cfg.out_channels)));
      outputs_.push_back(register_module(
          "output" + tag,
          torch::nn::Conv2d(torch::nn::Conv2dOptions(cfg.out_channels, cfg.out_channels, 3).padding(1))));
    }
  }

  std::vector<torch::Tensor> forward(const std::vector<torch::Tensor>& features) {
    TORCH_CHECK(features.size() == laterals_.size(), "expected ", laterals_.size(), " levels");
    std::vector<torch::Tensor> levels;
    levels.reserve(features.size());
    for (size_t i = 0; i < features.size(); ++i) {
      levels.push_back(laterals_[i]->forward(features[i]));
    }
    for (size_t i = levels.size(); i-- > 1;) {
      levels[i - 1] += resize_like(levels[i], levels[i - 1]); // missed: tensor-inplace-on-saved
    }
    if (cfg_.extra_path) {
      for (size_t i = 1; i < levels.size(); ++i) {
        levels[i] = levels[i] + resize_like(levels[i - 1], levels[i]);
      }
    }
    std::vector<torch::Tensor> result;
    result.reserve(levels.size());
    for (size_t i = 0; i < levels.size(); ++i) {
      result.push_back(outputs_[i]->forward(levels[i]));
    }
    return result;
  }

 private:
  static torch::Tensor resize_like(const torch::Tensor& x, const torch::Tensor& reference) {
    const std::vector<int64_t> size = {reference.size(2), reference.size(3)};
    return F::interpolate(x, F::InterpolateFuncOptions().size(size).mode(torch::kNearest));
  }

  PyramidConfig cfg_;
  std::vector<Lateral> laterals_;
  std::vector<torch::nn::Conv2d> outputs_;
};
TORCH_MODULE(FeaturePyramid);
} // namespace added_laterals

// https://github.com/NVIDIA-NeMo/Automodel/issues/1408
// The result of the function that hangs the auxiliary loss into the graph is thrown away and the original weights are returned, so the balancing loss
// never reaches the router's weights.
namespace hung_loss {
struct RouterConfig {
  int64_t hidden = 0;
  int64_t experts = 0;
  int64_t topk = 2;
  double aux_coeff = 0.0;
  double z_coeff = 0.0;
};

struct Routing {
  torch::Tensor weights;
  torch::Tensor experts;
};

class AttachLoss : public torch::autograd::Function<AttachLoss> {
 public:
  static torch::Tensor forward(
      torch::autograd::AutogradContext* ctx, const torch::Tensor& carrier, const torch::Tensor& loss) {
    ctx->save_for_backward({loss});
    return carrier.view_as(carrier);
  }

  static torch::autograd::variable_list backward(
      torch::autograd::AutogradContext* ctx, torch::autograd::variable_list grads) {
    auto saved = ctx->get_saved_variables();
    return {grads[0], torch::ones_like(saved[0])};
  }
};

class RouterImpl : public torch::nn::Module {
 public:
  explicit RouterImpl(const RouterConfig& cfg) : cfg_(cfg) {
    gate_ = register_module("gate", torch::nn::Linear(torch::nn::LinearOptions(cfg.hidden, cfg.experts).bias(false)));
  }

  Routing forward(const torch::Tensor& tokens) {
    auto logits = gate_->forward(tokens);
    if (is_training() && cfg_.z_coeff > 0.0) {
      auto z_loss = torch::logsumexp(logits, {-1}).square().mean() * cfg_.z_coeff;
      logits = AttachLoss::apply(logits, z_loss);
    }
    auto scores = torch::softmax(logits, -1);
    auto [weights, experts] = scores.topk(cfg_.topk, -1);
    weights = weights / weights.sum(-1, true);
    if (is_training() && cfg_.aux_coeff > 0.0) {
      auto aux_loss = balance_loss(scores, experts) * cfg_.aux_coeff;
      AttachLoss::apply(weights, aux_loss); // expect: tensor-discarded-result
    }
    return {weights, experts};
  }

 private:
  torch::Tensor balance_loss(const torch::Tensor& scores, const torch::Tensor& experts) const {
    auto counts = torch::zeros({cfg_.experts}, scores.options());
    auto flat = experts.flatten();
    counts.index_add_(0, flat, torch::ones({flat.size(0)}, scores.options()));
    auto load = counts / static_cast<double>(flat.size(0));
    auto importance = scores.mean(0);
    return (load * importance).sum() * static_cast<double>(cfg_.experts);
  }

  RouterConfig cfg_;
  torch::nn::Linear gate_{nullptr};
};
TORCH_MODULE(Router);
} // namespace hung_loss

// https://github.com/pnnl/neuromancer/pull/292
// The trainer stores each step's metrics with their autograd graphs in the history it keeps for the whole run, so memory grows with every step.
namespace kept_metrics {
using TensorMap = std::map<std::string, torch::Tensor>;

struct RunConfig {
  int64_t epochs = 1000;
  int64_t log_every = 10;
  double lr = 1e-3;
  double penalty_weight = 10.0;
};

class ConstrainedProblemImpl : public torch::nn::Module {
 public:
  ConstrainedProblemImpl(int64_t inputs, int64_t width, int64_t outputs, double penalty_weight)
      : penalty_weight_(penalty_weight) {
    net_ = register_module(
        "net", torch::nn::Sequential(
                   torch::nn::Linear(inputs, width), torch::nn::Tanh(), torch::nn::Linear(width, outputs)));
  }

  TensorMap forward(const torch::Tensor& x, const torch::Tensor& reference) {
    auto u = net_->forward(x);
    TensorMap out;
    out["objective"] = torch::mse_loss(u, reference);
    out["penalty"] = torch::relu(u.abs() - 1.0).mean() * penalty_weight_;
    out["loss"] = out["objective"] + out["penalty"];
    return out;
  }

 private:
  torch::nn::Sequential net_{nullptr};
  double penalty_weight_;
};
TORCH_MODULE(ConstrainedProblem);

class ProblemTrainer {
 public:
  ProblemTrainer(ConstrainedProblem problem, RunConfig cfg)
      : problem_(std::move(problem)), cfg_(cfg), optimizer_(problem_->parameters(), cfg.lr) {}

  void train(const std::vector<std::pair<torch::Tensor, torch::Tensor>>& batches,
             const std::vector<std::pair<torch::Tensor, torch::Tensor>>& held_out) {
    for (int64_t epoch = 0; epoch < cfg_.epochs; ++epoch) {
      problem_->train();
      for (const auto& batch : batches) {
        auto out = problem_->forward(batch.first, batch.second);
        optimizer_.zero_grad();
        out["loss"].backward();
        optimizer_.step();
        for (const auto& entry : out) {
          history_["train_" + entry.first].push_back(entry.second); // missed: tensor-graph-retention
        }
      }
      if (epoch % cfg_.log_every == 0) {
        evaluate(held_out);
      }
    }
  }

  torch::Tensor curve(const std::string& name) const {
    auto found = history_.find(name);
    return found == history_.end() ? torch::empty({0}) : torch::stack(found->second).detach();
  }

 private:
  void evaluate(const std::vector<std::pair<torch::Tensor, torch::Tensor>>& batches) {
    torch::NoGradGuard no_grad;
    problem_->eval();
    for (const auto& batch : batches) {
      for (const auto& entry : problem_->forward(batch.first, batch.second)) {
        history_["dev_" + entry.first].push_back(entry.second);
      }
    }
  }

  ConstrainedProblem problem_;
  RunConfig cfg_;
  torch::optim::Adam optimizer_;
  std::map<std::string, std::vector<torch::Tensor>> history_;
};
} // namespace kept_metrics

// https://github.com/Koratahiu/Advanced_Optimizers/pull/5
// The projection factor of every parameter is fetched with item(), which waits for the whole CUDA stream once per parameter in each optimizer step.
namespace item_per_parameter {
struct OrthoOptions {
  double lr = 1e-4;
  double beta1 = 0.9;
  double beta2 = 0.99;
  double eps = 1e-30;
  bool orthogonal_gradient = true;
};

struct ParamState {
  torch::Tensor exp_avg;
  torch::Tensor exp_avg_sq;
};

class OrthoAdam {
 public:
  OrthoAdam(std::vector<torch::Tensor> params, OrthoOptions options)
      : params_(std::move(params)), options_(options) {
    states_.resize(params_.size());
    for (size_t i = 0; i < params_.size(); ++i) {
      states_[i].exp_avg = torch::zeros_like(params_[i]);
      states_[i].exp_avg_sq = torch::zeros_like(params_[i]);
    }
  }

  void zero_grad() {
    for (auto& p : params_) {
      p.mutable_grad().reset();
    }
  }

  void step() {
    torch::NoGradGuard no_grad;
    ++steps_;
    const double bias1 = 1.0 - std::pow(options_.beta1, static_cast<double>(steps_));
    const double bias2 = 1.0 - std::pow(options_.beta2, static_cast<double>(steps_));
    for (size_t i = 0; i < params_.size(); ++i) {
      auto& p = params_[i];
      if (!p.grad().defined()) {
        continue;
      }
      auto grad = options_.orthogonal_gradient ? orthogonalize(p, p.grad()) : p.grad();
      auto& state = states_[i];
      state.exp_avg.mul_(options_.beta1).add_(grad, 1.0 - options_.beta1);
      state.exp_avg_sq.mul_(options_.beta2).addcmul_(grad, grad, 1.0 - options_.beta2);
      auto denom = (state.exp_avg_sq / bias2).sqrt_().add_(1e-8);
      p.addcdiv_(state.exp_avg, denom, -options_.lr / bias1);
    }
  }

  torch::Tensor grad_norm() const {
    std::vector<torch::Tensor> norms;
    for (const auto& p : params_) {
      if (p.grad().defined()) {
        norms.push_back(p.grad().norm());
      }
    }
    return norms.empty() ? torch::zeros({}) : torch::stack(norms).norm();
  }

 private:
  torch::Tensor orthogonalize(const torch::Tensor& p, const torch::Tensor& grad) const {
    auto w = p.flatten();
    auto g = grad.flatten();
    auto w_norm_sq = torch::dot(w, w).add_(options_.eps);
    auto proj = torch::dot(w, g) / w_norm_sq;
    auto g_orth = g.sub(w, proj.item()); // missed: tensor-sync-in-loop
    auto rescale = g.norm() / (g_orth.norm() + options_.eps);
    return (g_orth * rescale).view_as(grad);
  }

  std::vector<torch::Tensor> params_;
  OrthoOptions options_;
  std::vector<ParamState> states_;
  int64_t steps_ = 0;
};
} // namespace item_per_parameter

// https://github.com/CAMMA-public/rendezvous/issues/10
// The attention scores [B, heads, D, D] are soft-maxed over the head dimension instead of the keys, so the rows of the attention map are no
// distribution.
namespace softmax_heads {
namespace rdv {

struct MixedAttentionOptions {
  int64_t heads = 4;
  int64_t channels = 128;
  double dropout = 0.1;
};

class MixedAttentionImpl : public torch::nn::Module {
 public:
  explicit MixedAttentionImpl(const MixedAttentionOptions& o)
      : o_(o),
        to_q_(register_module("to_q", torch::nn::Linear(o.channels, o.channels * o.heads))),
        to_k_(register_module("to_k", torch::nn::Linear(o.channels, o.channels * o.heads))),
        to_v_(register_module("to_v", torch::nn::Conv2d(torch::nn::Conv2dOptions(o.channels, o.channels * o.heads, 1)))),
        drop_(register_module("drop", torch::nn::Dropout(o.dropout))) {}

  // verbs, targets: class activation maps [B, C, H, W]
  torch::Tensor forward(const torch::Tensor& verbs, const torch::Tensor& targets) {
    auto q = pooled(verbs, to_q_);
    auto k = pooled(targets, to_k_);
    auto v = values(targets);
    auto out = scaled_dot(q, k, v);
    return out.mean(1).view({targets.size(0), o_.channels, targets.size(2), targets.size(3)}) + targets;
  }

  std::tuple<torch::Tensor, torch::Tensor> pooled_map(const torch::Tensor& frames) {
    // frames: [B, T, C], attention of every frame to every other
    auto sim = torch::matmul(frames, frames.transpose(1, 2)) / std::sqrt(static_cast<double>(frames.size(2)));
    auto w = torch::softmax(sim, -1);
    return {torch::matmul(w, frames), w};
  }

 private:
  torch::Tensor pooled(const torch::Tensor& cam, torch::nn::Linear& proj) {
    auto g = cam.mean({2, 3});
    return proj(g).view({cam.size(0), o_.heads, o_.channels, 1});
  }

  torch::Tensor values(const torch::Tensor& cam) {
    auto v = to_v_(cam);
    return v.view({cam.size(0), o_.heads, o_.channels, cam.size(2) * cam.size(3)});
  }

  torch::Tensor scaled_dot(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v) {
    const double scale = 1.0 / std::sqrt(static_cast<double>(k.size(2)));
    auto scores = torch::matmul(q, k.transpose(2, 3)) * scale;
    auto attn = drop_(torch::softmax(scores, 1));
    return torch::matmul(attn, v); // expect: tensor-shape-mismatch
  }

  MixedAttentionOptions o_;
  torch::nn::Linear to_q_, to_k_;
  torch::nn::Conv2d to_v_;
  torch::nn::Dropout drop_;
};
TORCH_MODULE(MixedAttention);

}  // namespace rdv
} // namespace softmax_heads

// https://github.com/IntelLabs/matsciml/pull/347
// The readout gives [N], the labels come as [N, 1] from the collate function; mse_loss broadcasts them to [N, N] and averages all pairs.
namespace label_columns {
namespace matsci {

struct Sample {
  torch::Tensor node_feats;  // [n_i, F]
  float band_gap = 0.f;
  int64_t is_metal = 0;
};

struct Batch {
  torch::Tensor nodes;   // [sum n_i, F]
  torch::Tensor graph_of_node;  // [sum n_i]
  int64_t num_graphs = 0;
  std::unordered_map<std::string, torch::Tensor> labels;
};

Batch collate(const std::vector<Sample>& samples) {
  Batch b;
  std::vector<torch::Tensor> nodes, owner, gap, metal;
  for (size_t i = 0; i < samples.size(); ++i) {
    const auto& s = samples[i];
    nodes.push_back(s.node_feats);
    owner.push_back(torch::full({s.node_feats.size(0)}, static_cast<int64_t>(i), torch::kLong));
    gap.push_back(torch::full({1}, s.band_gap));
    metal.push_back(torch::full({1}, s.is_metal, torch::kLong));
  }
  b.nodes = torch::cat(nodes);
  b.graph_of_node = torch::cat(owner);
  b.num_graphs = static_cast<int64_t>(samples.size());
  b.labels["band_gap"] = torch::stack(gap);
  b.labels["is_metal"] = torch::stack(metal);
  return b;
}

class PropertyTaskImpl : public torch::nn::Module {
 public:
  PropertyTaskImpl(int64_t feats, int64_t hidden)
      : enc_(register_module("enc", torch::nn::Linear(feats, hidden))),
        gap_(register_module("gap", torch::nn::Linear(hidden, 1))),
        metal_(register_module("metal", torch::nn::Linear(hidden, 2))) {}

  torch::Tensor readout(const Batch& b) {
    auto h = torch::silu(enc_(b.nodes));
    auto pooled = torch::zeros({b.num_graphs, h.size(1)}, h.options());
    return pooled.index_add(0, b.graph_of_node, h);
  }

  torch::Tensor predict_gap(const torch::Tensor& graph_emb) {
    return gap_(graph_emb).squeeze(-1);
  }

  std::pair<torch::Tensor, torch::Tensor> losses(const Batch& b) {
    auto emb = readout(b);
    auto reg = torch::mse_loss(predict_gap(emb), b.labels.at("band_gap")); // missed: tensor-shape-mismatch
    auto cls = torch::nn::functional::cross_entropy(metal_(emb), b.labels.at("is_metal").squeeze(1));
    return {reg, cls};
  }

  torch::Tensor absolute_errors(const Batch& b) {
    torch::NoGradGuard guard;
    auto pred = predict_gap(readout(b));
    return (pred - b.labels.at("band_gap").view_as(pred)).abs();
  }

 private:
  torch::nn::Linear enc_, gap_, metal_;
};
TORCH_MODULE(PropertyTask);

}  // namespace matsci
} // namespace label_columns

// https://github.com/InseeFrLab/torchTextClassifiers/pull/92
// The mask is true for real tokens, yet the masked_fill puts -inf on those and leaves the padding: the label queries attend to the padding only.
namespace kept_tokens {
namespace ttc {

struct EncoderConfig {
  int64_t vocab = 0;
  int64_t dim = 96;
  int64_t heads = 4;
  int64_t labels = 0;
  int64_t pad_id = 0;
};

inline torch::Tensor token_mask(const torch::Tensor& ids, int64_t pad_id) {
  return ids.ne(pad_id);
}

class LabelAttentionImpl : public torch::nn::Module {
 public:
  explicit LabelAttentionImpl(const EncoderConfig& c)
      : heads_(c.heads),
        head_dim_(c.dim / c.heads),
        label_emb_(register_module("label_emb", torch::nn::Embedding(c.labels, c.dim))),
        kv_(register_module("kv", torch::nn::Linear(c.dim, 2 * c.dim))),
        out_(register_module("out", torch::nn::Linear(c.dim, 1))) {}

  // tokens [B, T, D], keep [B, T] -> one score per label [B, L]
  torch::Tensor forward(const torch::Tensor& tokens, const torch::Tensor& keep) {
    const auto B = tokens.size(0), T = tokens.size(1);
    const auto L = label_emb_->weight.size(0);
    auto q = label_emb_->weight.view({1, L, heads_, head_dim_}).transpose(1, 2).expand({B, heads_, L, head_dim_});
    auto kv = kv_(tokens).view({B, T, 2, heads_, head_dim_}).permute({2, 0, 3, 1, 4});
    auto scores = torch::matmul(q, kv[0].transpose(-2, -1)) / std::sqrt(static_cast<double>(head_dim_));
    auto m = keep.view({B, 1, 1, T});
    scores = scores.masked_fill(m, -std::numeric_limits<float>::infinity()); // expect: tensor-value-domain
    auto ctx = torch::matmul(torch::softmax(scores, -1), kv[1]);
    return out_(ctx.transpose(1, 2).reshape({B, L, heads_ * head_dim_})).squeeze(-1);
  }

 private:
  int64_t heads_, head_dim_;
  torch::nn::Embedding label_emb_;
  torch::nn::Linear kv_, out_;
};
TORCH_MODULE(LabelAttention);

class TextClassifierImpl : public torch::nn::Module {
 public:
  explicit TextClassifierImpl(const EncoderConfig& c)
      : c_(c),
        emb_(register_module("emb", torch::nn::Embedding(torch::nn::EmbeddingOptions(c.vocab, c.dim).padding_idx(c.pad_id)))),
        attn_(register_module("attn", LabelAttention(c))),
        linear_(register_module("linear", torch::nn::Linear(c.dim, c.labels))) {}

  torch::Tensor forward(const torch::Tensor& ids) {
    return attn_(emb_(ids), token_mask(ids, c_.pad_id));
  }

  // mean pooling over the real tokens
  torch::Tensor forward_pooled(const torch::Tensor& ids) {
    auto keep = token_mask(ids, c_.pad_id).unsqueeze(-1);
    auto x = emb_(ids).masked_fill(keep.logical_not(), 0.0);
    return linear_(x.sum(1) / keep.sum(1).clamp_min(1));
  }

 private:
  EncoderConfig c_;
  torch::nn::Embedding emb_;
  LabelAttention attn_;
  torch::nn::Linear linear_;
};
TORCH_MODULE(TextClassifier);

}  // namespace ttc
} // namespace kept_tokens

// https://github.com/lucidrains/deformable-attention/issues/6
// The sampling points are stacked as (y, x), grid_sample reads the last axis as (x, y): the features are sampled at transposed places.
namespace swapped_points {
namespace dattn {
namespace F = torch::nn::functional;

struct DeformConfig {
  int64_t dim = 256;
  int64_t groups = 4;
  int64_t stride = 4;
  double offset_scale = 4.0;
};

inline torch::Tensor base_points(int64_t h, int64_t w, const torch::TensorOptions& o) {
  auto m = torch::meshgrid({torch::arange(h, o), torch::arange(w, o)}, "ij");
  return torch::stack({m[0], m[1]});  // [2, h, w], rows then columns
}

inline F::GridSampleFuncOptions bilinear() {
  return F::GridSampleFuncOptions().mode(torch::kBilinear).padding_mode(torch::kZeros).align_corners(true);
}

class DeformableSamplerImpl : public torch::nn::Module {
 public:
  explicit DeformableSamplerImpl(const DeformConfig& c)
      : c_(c),
        offsets_(register_module("offsets", torch::nn::Conv2d(
            torch::nn::Conv2dOptions(c.dim / c.groups, 2, c.stride).stride(c.stride)))) {}

  // x: [B, dim, H, W] -> sampled keys [B * groups, dim / groups, h, w]
  torch::Tensor forward(const torch::Tensor& x) {
    const auto B = x.size(0), H = x.size(2), W = x.size(3);
    auto grouped = x.reshape({B * c_.groups, x.size(1) / c_.groups, H, W});
    auto off = torch::tanh(offsets_(grouped)) * c_.offset_scale;
    auto pts = base_points(off.size(2), off.size(3), off.options()) * static_cast<double>(c_.stride) + off;
    return F::grid_sample(grouped, to_unit(pts, H, W), bilinear());
  }

 private:
  static torch::Tensor to_unit(const torch::Tensor& pts, int64_t H, int64_t W) {
    auto rows = pts.select(1, 0), cols = pts.select(1, 1);
    rows = 2.0 * rows / std::max<int64_t>(H - 1, 1) - 1.0;
    cols = 2.0 * cols / std::max<int64_t>(W - 1, 1) - 1.0;
    return torch::stack({rows, cols}, -1); // missed: tensor-shape-mismatch
  }

  DeformConfig c_;
  torch::nn::Conv2d offsets_;
};
TORCH_MODULE(DeformableSampler);

// flow: [B, 2, H, W], channel 0 horizontal, channel 1 vertical displacement in pixels
torch::Tensor warp_with_flow(const torch::Tensor& image, const torch::Tensor& flow) {
  const auto H = image.size(2), W = image.size(3);
  auto base = base_points(H, W, flow.options());
  auto px = base[1] + flow.select(1, 0);
  auto py = base[0] + flow.select(1, 1);
  auto grid = torch::stack({2.0 * px / std::max<int64_t>(W - 1, 1) - 1.0,
                            2.0 * py / std::max<int64_t>(H - 1, 1) - 1.0}, -1);
  return F::grid_sample(image, grid, bilinear());
}

}  // namespace dattn
} // namespace swapped_points

// https://github.com/HikariTJU/LD/issues/74
// The elementwise KL terms are averaged over the bins instead of summed, so the distillation loss is (reg_max + 1) times too small.
namespace averaged_bins {
namespace ld {
namespace F = torch::nn::functional;

struct DistillOptions {
  int64_t reg_max = 16;
  double temperature = 10.0;
  double loss_weight = 0.25;
};

// average of per-row losses, weighted, over avg_factor boxes
inline torch::Tensor reduce_rows(const torch::Tensor& rows, const torch::Tensor& weight, double avg_factor) {
  return (rows * weight).sum() / avg_factor;
}

// KL divergence of each row between the two box-edge distributions
torch::Tensor edge_kl(const torch::Tensor& student, const torch::Tensor& teacher, double T) {
  TORCH_CHECK(student.sizes() == teacher.sizes(), "student and teacher disagree");
  auto target = F::softmax(teacher / T, F::SoftmaxFuncOptions(1)).detach();
  auto logp = F::log_softmax(student / T, F::LogSoftmaxFuncOptions(1));
  auto elem = F::kl_div(logp, target, F::KLDivFuncOptions().reduction(torch::kNone));
  return elem.mean(1) * (T * T); // expect: tensor-value-domain
}

// cross entropy to the two bins around the continuous target
torch::Tensor focal_distribution(const torch::Tensor& pred, const torch::Tensor& edges) {
  auto target = edges.clamp(0.0, static_cast<double>(pred.size(1)) - 1.01);
  auto left = target.floor().to(torch::kLong);
  auto right = left + 1;
  auto wl = right.to(pred.scalar_type()) - target;
  auto wr = target - left.to(pred.scalar_type());
  auto opt = F::CrossEntropyFuncOptions().reduction(torch::kNone);
  return F::cross_entropy(pred, left, opt) * wl + F::cross_entropy(pred, right, opt) * wr;
}

class LocalizationDistillImpl : public torch::nn::Module {
 public:
  explicit LocalizationDistillImpl(const DistillOptions& o) : o_(o) {
    project_ = register_buffer("project", torch::linspace(0, o.reg_max, o.reg_max + 1));
  }

  // corners: [N, 4 * (reg_max + 1)] logits of positive boxes
  torch::Tensor forward(const torch::Tensor& corners, const torch::Tensor& soft_corners,
                        const torch::Tensor& score, const torch::Tensor& target_edges) {
    const auto bins = o_.reg_max + 1;
    auto s = corners.reshape({-1, bins});
    auto t = soft_corners.reshape({-1, bins});
    auto w = score.unsqueeze(1).expand({-1, 4}).reshape({-1});
    auto ld = reduce_rows(edge_kl(s, t, o_.temperature), w, 4.0);
    auto dfl = reduce_rows(focal_distribution(s, target_edges.reshape({-1})), w, 4.0);
    return dfl + o_.loss_weight * ld;
  }

  torch::Tensor decode(const torch::Tensor& corners) {
    auto p = torch::softmax(corners.reshape({-1, 4, o_.reg_max + 1}), -1);
    return (p * project_).sum(-1);
  }

 private:
  DistillOptions o_;
  torch::Tensor project_;
};
TORCH_MODULE(LocalizationDistill);

}  // namespace ld
} // namespace averaged_bins

// https://github.com/APPFL/APPFL/pull/198
// The gradients are clipped after optimizer.step(), when the update has already used the unclipped ones, so the clip setting has no effect.
namespace late_clip {
namespace fl {

struct ClientConfig {
  int64_t local_steps = 100;
  double lr = 0.01;
  bool clip_grad = false;
  double clip_value = 1.0;
  double clip_norm = 2.0;
};

struct Example {
  torch::Tensor data, target;
};

class LocalTrainer {
 public:
  LocalTrainer(torch::nn::Sequential model, const ClientConfig& cfg)
      : model_(std::move(model)),
        cfg_(cfg),
        opt_(std::make_unique<torch::optim::SGD>(model_->parameters(), torch::optim::SGDOptions(cfg.lr).momentum(0.9))) {}

  double run_steps(const std::vector<Example>& stream) {
    model_->train();
    double total = 0.0;
    int64_t done = 0;
    for (const auto& ex : stream) {
      if (done++ == cfg_.local_steps) break;
      opt_->zero_grad();
      auto out = model_->forward(ex.data);
      auto loss = torch::nn::functional::cross_entropy(out, ex.target);
      loss.backward();
      opt_->step();
      if (cfg_.clip_grad) {
        torch::nn::utils::clip_grad_norm_(model_->parameters(), cfg_.clip_value, cfg_.clip_norm); // expect: tensor-missing-gradient
      }
      total += loss.item<double>();
    }
    return done ? total / static_cast<double>(done) : 0.0;
  }

  // FedProx: pulls the local weights towards the weights received from the server
  double run_proximal(const std::vector<Example>& stream, const std::vector<torch::Tensor>& global, double mu) {
    model_->train();
    double total = 0.0;
    for (const auto& ex : stream) {
      opt_->zero_grad();
      auto loss = torch::nn::functional::cross_entropy(model_->forward(ex.data), ex.target);
      auto params = model_->parameters();
      for (size_t i = 0; i < params.size(); ++i) {
        loss = loss + 0.5 * mu * (params[i] - global[i]).pow(2).sum();
      }
      loss.backward();
      if (cfg_.clip_grad) torch::nn::utils::clip_grad_norm_(params, cfg_.clip_value, cfg_.clip_norm);
      opt_->step();
      total += loss.item<double>();
    }
    return stream.empty() ? 0.0 : total / static_cast<double>(stream.size());
  }

  std::vector<torch::Tensor> state() const {
    std::vector<torch::Tensor> out;
    for (const auto& p : model_->parameters()) out.push_back(p.detach().clone());
    return out;
  }

 private:
  torch::nn::Sequential model_;
  ClientConfig cfg_;
  std::unique_ptr<torch::optim::SGD> opt_;
};

}  // namespace fl
} // namespace late_clip

// https://github.com/MrGiovanni/R-Super/pull/8
// F::pad takes the last dimension first, so the branch for a volume too short in depth pads the width and leaves the depth too short.
namespace padded_width {
namespace rsuper {
namespace F = torch::nn::functional;

struct PredictConfig {
  std::array<int64_t, 3> training_size{96, 96, 96};  // depth, height, width
  double background = -1.0;
};

inline std::pair<int64_t, int64_t> split(int64_t missing) {
  return {missing / 2, missing - missing / 2};
}

// volume: [N, C, D, H, W], no side shorter than the training size afterwards
torch::Tensor pad_to_training_size(torch::Tensor vol, const PredictConfig& cfg) {
  TORCH_CHECK(vol.dim() == 5, "expected a batch of volumes");
  auto with = [&](std::vector<int64_t> amounts) {
    return F::pad(vol, F::PadFuncOptions(std::move(amounts)).mode(torch::kConstant).value(cfg.background));
  };
  if (vol.size(2) < cfg.training_size[0]) {
    auto [lo, hi] = split(cfg.training_size[0] - vol.size(2));
    vol = with({lo, hi, 0, 0, 0, 0}); // missed: tensor-shape-mismatch
  }
  if (vol.size(3) < cfg.training_size[1]) {
    auto [lo, hi] = split(cfg.training_size[1] - vol.size(3));
    vol = with({0, 0, lo, hi, 0, 0});
  }
  if (vol.size(4) < cfg.training_size[2]) {
    auto [lo, hi] = split(cfg.training_size[2] - vol.size(4));
    vol = with({lo, hi, 0, 0, 0, 0});
  }
  return vol;
}

// cuts the middle of a prediction back to the size before padding
torch::Tensor crop_center(const torch::Tensor& pred, torch::IntArrayRef size) {
  auto out = pred;
  for (int64_t d = 2; d < pred.dim(); ++d) {
    const auto extra = out.size(d) - size[d];
    if (extra > 0) out = out.narrow(d, extra / 2, size[d]);
  }
  return out;
}

class WindowPredictor {
 public:
  WindowPredictor(torch::nn::AnyModule net, PredictConfig cfg) : net_(std::move(net)), cfg_(cfg) {}

  torch::Tensor operator()(const torch::Tensor& volume) {
    torch::NoGradGuard guard;
    auto sizes = volume.sizes().vec();
    auto padded = pad_to_training_size(volume, cfg_);
    auto acc = torch::zeros_like(padded);
    auto hits = torch::zeros_like(padded);
    const auto step = cfg_.training_size[0] / 2;
    const auto last = padded.size(2) - cfg_.training_size[0];
    for (int64_t z = 0; z <= last; z = (z < last && z + step > last) ? last : z + step) {
      auto win = padded.narrow(2, z, cfg_.training_size[0]);
      acc.narrow(2, z, cfg_.training_size[0]) += torch::sigmoid(net_.forward<torch::Tensor>(win));
      hits.narrow(2, z, cfg_.training_size[0]) += 1;
    }
    return crop_center(acc / hits, sizes);
  }

 private:
  torch::nn::AnyModule net_;
  PredictConfig cfg_;
};

}  // namespace rsuper
} // namespace padded_width

// https://github.com/yuvraj108c/ComfyUI-FLOAT/issues/21
// The generator is created and seeded anew for every chunk, so all chunks of the sequence start from the same noise.
namespace same_noise {
namespace motion {

struct SampleOptions {
  int64_t frames_per_chunk = 50;
  int64_t prev_frames = 10;
  int64_t dim = 512;
  int64_t ode_steps = 10;
  uint64_t seed = 25;
};

using VectorField = std::function<torch::Tensor(double t, const torch::Tensor& x, const torch::Tensor& audio,
                                                const torch::Tensor& prev)>;

class MotionSampler {
 public:
  MotionSampler(VectorField field, SampleOptions o) : field_(std::move(field)), o_(o) {}

  // audio: [B, T, A] features, one row per frame -> motion latents [B, T, dim]
  torch::Tensor sample(const torch::Tensor& audio) const {
    torch::NoGradGuard guard;
    const auto B = audio.size(0), T = audio.size(1);
    const auto chunks = (T + o_.frames_per_chunk - 1) / o_.frames_per_chunk;
    auto prev = torch::zeros({B, o_.prev_frames, o_.dim});
    std::vector<torch::Tensor> out;
    for (int64_t c = 0; c < chunks; ++c) {
      const auto begin = c * o_.frames_per_chunk;
      const auto count = std::min(o_.frames_per_chunk, T - begin);
      auto gen = at::make_generator<at::CPUGeneratorImpl>(o_.seed); // missed: tensor-allocation-in-loop
      auto x = torch::randn({B, o_.frames_per_chunk, o_.dim}, gen, torch::TensorOptions());
      auto cond = padded(audio.narrow(1, begin, count));
      x = integrate(x, cond, prev);
      prev = x.narrow(1, x.size(1) - o_.prev_frames, o_.prev_frames).clone();
      out.push_back(x.narrow(1, 0, count));
    }
    return torch::cat(out, 1);
  }

  // several different takes of one short clip
  std::vector<torch::Tensor> variations(const torch::Tensor& audio, int64_t takes) const {
    torch::NoGradGuard guard;
    auto gen = at::make_generator<at::CPUGeneratorImpl>(o_.seed);
    auto prev = torch::zeros({audio.size(0), o_.prev_frames, o_.dim});
    std::vector<torch::Tensor> out;
    for (int64_t i = 0; i < takes; ++i) {
      auto x = torch::randn({audio.size(0), audio.size(1), o_.dim}, gen, torch::TensorOptions());
      out.push_back(integrate(x, audio, prev));
    }
    return out;
  }

 private:
  torch::Tensor padded(const torch::Tensor& a) const {
    const auto missing = o_.frames_per_chunk - a.size(1);
    if (missing <= 0) return a;
    return torch::cat({a, a.narrow(1, a.size(1) - 1, 1).expand({-1, missing, -1})}, 1);
  }

  torch::Tensor integrate(torch::Tensor x, const torch::Tensor& cond, const torch::Tensor& prev) const {
    const double dt = 1.0 / static_cast<double>(o_.ode_steps);
    for (int64_t s = 0; s < o_.ode_steps; ++s) x = x + dt * field_(s * dt, x, cond, prev);
    return x;
  }

  VectorField field_;
  SampleOptions o_;
};

}  // namespace motion
} // namespace same_noise

// https://github.com/cvg/glue-factory/issues/89
// The confidence head ends with a sigmoid and its output goes to BCEWithLogitsLoss, which applies a second one: the targets 0 and 1 cannot be
// reached.
namespace twice_sigmoid {
namespace glue {

struct MatcherConfig {
  int64_t dim = 256;
  int64_t layers = 9;
  double depth_confidence = 0.95;
};

class TokenConfidenceImpl : public torch::nn::Module {
 public:
  explicit TokenConfidenceImpl(int64_t dim)
      : token_(register_module("token", torch::nn::Sequential(torch::nn::Linear(dim, 1), torch::nn::Sigmoid()))),
        loss_fn_(register_module("loss_fn", torch::nn::BCEWithLogitsLoss(
            torch::nn::BCEWithLogitsLossOptions().reduction(torch::kNone)))) {}

  std::pair<torch::Tensor, torch::Tensor> forward(const torch::Tensor& d0, const torch::Tensor& d1) {
    return {token_->forward(d0.detach()).squeeze(-1), token_->forward(d1.detach()).squeeze(-1)};
  }

  // now, last: log assignments [B, M + 1, N + 1] of this layer and of the last one
  torch::Tensor loss(const torch::Tensor& d0, const torch::Tensor& d1, const torch::Tensor& now, const torch::Tensor& last) {
    auto [c0, c1] = forward(d0, d1);
    auto rows = [](const torch::Tensor& la) { return la.slice(1, 0, -1).argmax(2); };
    auto cols = [](const torch::Tensor& la) { return la.slice(2, 0, -1).argmax(1); };
    auto same0 = (rows(last.detach()) == rows(now.detach())).to(torch::kFloat);
    auto same1 = (cols(last.detach()) == cols(now.detach())).to(torch::kFloat);
    auto l0 = loss_fn_(c0, same0).mean(-1); // expect: tensor-value-domain
    return 0.5 * (l0 + loss_fn_(c1, same1).mean(-1)); // also: tensor-value-domain
  }

 private:
  torch::nn::Sequential token_;
  torch::nn::BCEWithLogitsLoss loss_fn_;
};
TORCH_MODULE(TokenConfidence);

class MatchabilityImpl : public torch::nn::Module {
 public:
  explicit MatchabilityImpl(int64_t dim) : proj_(register_module("proj", torch::nn::Linear(dim, 1))) {}

  torch::Tensor logits(const torch::Tensor& d) { return proj_(d).squeeze(-1); }
  torch::Tensor forward(const torch::Tensor& d) { return torch::sigmoid(logits(d)); }

  torch::Tensor loss(const torch::Tensor& d, const torch::Tensor& matchable) {
    return torch::binary_cross_entropy_with_logits(logits(d), matchable.to(d.scalar_type()));
  }

 private:
  torch::nn::Linear proj_;
};
TORCH_MODULE(Matchability);

class EarlyStop {
 public:
  explicit EarlyStop(const MatcherConfig& c) : c_(c) {}

  double threshold(int64_t layer) const {
    return 0.8 + 0.1 * std::exp(-4.0 * static_cast<double>(layer) / static_cast<double>(c_.layers));
  }

  bool operator()(const torch::Tensor& c0, const torch::Tensor& c1, int64_t layer) const {
    auto conf = torch::cat({c0, c1}, -1);
    auto ratio = 1.0 - (conf < threshold(layer)).to(torch::kFloat).mean();
    return ratio.item<double>() > c_.depth_confidence;
  }

 private:
  MatcherConfig c_;
};

}  // namespace glue
} // namespace twice_sigmoid

// https://github.com/pgniewko/gt-pyg/issues/112
// freeze() puts the batch norms of the encoder into eval mode once, the train() of each epoch undoes it, and their running statistics drift.
namespace thawed_norms {
namespace gt {

struct GraphNetOptions {
  int64_t in = 0;
  int64_t hidden = 128;
  int64_t blocks = 4;
  int64_t targets = 1;
  double dropout = 0.1;
};

class EncoderImpl : public torch::nn::Module {
 public:
  explicit EncoderImpl(const GraphNetOptions& o) : body_(register_module("body", torch::nn::Sequential())) {
    auto width = o.in;
    for (int64_t i = 0; i < o.blocks; ++i) {
      body_->push_back(torch::nn::Linear(width, o.hidden));
      body_->push_back(torch::nn::BatchNorm1d(o.hidden));
      body_->push_back(torch::nn::ReLU());
      body_->push_back(torch::nn::Dropout(o.dropout));
      width = o.hidden;
    }
  }
  torch::Tensor forward(const torch::Tensor& x) { return body_->forward(x); }

 private:
  torch::nn::Sequential body_;
};
TORCH_MODULE(Encoder);

class GraphNetImpl : public torch::nn::Module {
 public:
  explicit GraphNetImpl(const GraphNetOptions& o)
      : encoder(register_module("encoder", Encoder(o))),
        head(register_module("head", torch::nn::Linear(o.hidden, o.targets))) {}

  torch::Tensor forward(const torch::Tensor& x) { return head(encoder(x)); }

  void freeze_encoder(bool frozen) {
    for (auto& p : encoder->parameters()) p.set_requires_grad(!frozen);
    for (auto& m : encoder->modules()) {
      if (auto* bn = m->as<torch::nn::BatchNorm1d>()) bn->train(!frozen);
    }
  }

  Encoder encoder;
  torch::nn::Linear head;
};
TORCH_MODULE(GraphNet);

using Loader = std::vector<std::pair<torch::Tensor, torch::Tensor>>;

double evaluate(GraphNet& net, const Loader& data) {
  torch::NoGradGuard guard;
  net->eval();
  double err = 0.0;
  for (const auto& [x, y] : data) err += torch::l1_loss(net(x), y).item<double>();
  return data.empty() ? 0.0 : err / static_cast<double>(data.size());
}

double finetune_head(GraphNet& net, const Loader& train, const Loader& valid, int64_t epochs, double lr) {
  net->freeze_encoder(true);
  torch::optim::AdamW opt(net->head->parameters(), torch::optim::AdamWOptions(lr));
  double best = std::numeric_limits<double>::infinity();
  for (int64_t e = 0; e < epochs; ++e) {
    net->train(); // missed: tensor-missing-gradient
    for (const auto& [x, y] : train) {
      opt.zero_grad();
      torch::mse_loss(net(x), y).backward();
      opt.step();
    }
    best = std::min(best, evaluate(net, valid));
  }
  return best;
}

}  // namespace gt
} // namespace thawed_norms

// https://github.com/roboflow/inference/pull/2828
// BGR frames are normalised with the RGB-ordered means and deviations before the channels are swapped, so red gets blue's statistics and vice versa.
namespace swapped_channels {
namespace rfdetr {
namespace F = torch::nn::functional;

struct PreprocConfig {
  int64_t height = 512;
  int64_t width = 512;
  std::array<float, 3> means_rgb{0.485f, 0.456f, 0.406f};
  std::array<float, 3> stds_rgb{0.229f, 0.224f, 0.225f};
  double fill = 114.0;
};

class Preprocessor {
 public:
  explicit Preprocessor(const PreprocConfig& c)
      : c_(c),
        mean_(torch::tensor({c.means_rgb[0], c.means_rgb[1], c.means_rgb[2]}).view({1, 3, 1, 1})),
        std_(torch::tensor({c.stds_rgb[0], c.stds_rgb[1], c.stds_rgb[2]}).view({1, 3, 1, 1})) {}

  // frame: [H, W, 3] bytes as the camera or the decoder delivers them
  torch::Tensor operator()(const torch::Tensor& frame, bool is_bgr) const {
    auto x = letterbox(to_planes(frame));
    x = (x / 255.0 - mean_) / std_; // missed: tensor-value-domain
    if (is_bgr) x = x.flip({1});
    return x.contiguous();
  }

  // thumbnails for the debug view, [3, h, w] in RGB
  torch::Tensor thumbnail(const torch::Tensor& frame, bool is_bgr, int64_t side) const {
    auto x = to_planes(frame);
    if (is_bgr) x = x.flip({1});
    x = resize(x, side, side);
    return x.round().clamp(0, 255).to(torch::kUInt8).squeeze(0);
  }

 private:
  static torch::Tensor to_planes(const torch::Tensor& frame) {
    TORCH_CHECK(frame.dim() == 3 && frame.size(2) == 3, "expected an interleaved colour image");
    return frame.permute({2, 0, 1}).unsqueeze(0).to(torch::kFloat);
  }

  static torch::Tensor resize(const torch::Tensor& x, int64_t h, int64_t w) {
    auto o = F::InterpolateFuncOptions().size(std::vector<int64_t>{h, w}).mode(torch::kBilinear).align_corners(false);
    return F::interpolate(x, o);
  }

  torch::Tensor letterbox(const torch::Tensor& x) const {
    const double r = std::min(static_cast<double>(c_.height) / static_cast<double>(x.size(2)),
                              static_cast<double>(c_.width) / static_cast<double>(x.size(3)));
    const auto h = std::max<int64_t>(1, static_cast<int64_t>(x.size(2) * r));
    const auto w = std::max<int64_t>(1, static_cast<int64_t>(x.size(3) * r));
    const auto top = (c_.height - h) / 2, left = (c_.width - w) / 2;
    return F::pad(resize(x, h, w), F::PadFuncOptions({left, c_.width - w - left, top, c_.height - h - top})
                                       .mode(torch::kConstant).value(c_.fill));
  }

  PreprocConfig c_;
  torch::Tensor mean_, std_;
};

}  // namespace rfdetr
} // namespace swapped_channels

// https://github.com/huggingface/lerobot/pull/710
// The fill value -2.38e38 does not fit the half-precision scores: masked_fill throws "value cannot be converted to type at::Half without overflow".
namespace half_fill {
namespace pi0 {

struct ExpertConfig {
  int64_t num_heads = 8;
  int64_t num_kv_heads = 1;
  int64_t head_dim = 256;
};

constexpr double kBigNeg = -2.3819763e38;

class EagerAttention {
 public:
  explicit EagerAttention(const ExpertConfig& c) : c_(c) {}

  // q [B, S, Hq, D], k and v [B, T, Hkv, D], mask [B, S, T] true where a query may look
  torch::Tensor operator()(const torch::Tensor& q_in, const torch::Tensor& k_in, const torch::Tensor& v_in,
                           const torch::Tensor& mask) const {
    auto q = q_in.to(torch::kHalf).transpose(1, 2);
    auto k = repeat_kv(k_in.to(torch::kHalf)).transpose(1, 2);
    auto v = repeat_kv(v_in.to(torch::kHalf)).transpose(1, 2);
    auto att = torch::matmul(q, k.transpose(2, 3)) * std::pow(static_cast<double>(c_.head_dim), -0.5);
    att = att.masked_fill(mask.unsqueeze(1).logical_not(), kBigNeg); // expect: tensor-shape-mismatch
    auto probs = torch::softmax(att, -1);
    auto out = torch::matmul(probs, v).transpose(1, 2);
    return out.reshape({q_in.size(0), q_in.size(1), c_.num_heads * c_.head_dim});
  }

  // the attention weights averaged over the heads, for the viewer
  torch::Tensor weights(const torch::Tensor& q_in, const torch::Tensor& k_in, const torch::Tensor& mask) const {
    auto q = q_in.to(torch::kFloat).transpose(1, 2);
    auto k = repeat_kv(k_in.to(torch::kFloat)).transpose(1, 2);
    auto att = torch::matmul(q, k.transpose(2, 3)) * std::pow(static_cast<double>(c_.head_dim), -0.5);
    return torch::softmax(att.masked_fill(mask.unsqueeze(1).logical_not(), kBigNeg), -1).mean(1);
  }

 private:
  torch::Tensor repeat_kv(const torch::Tensor& x) const {
    const auto rep = c_.num_heads / c_.num_kv_heads;
    return x.unsqueeze(3).expand({-1, -1, -1, rep, -1}).reshape({x.size(0), x.size(1), c_.num_heads, c_.head_dim});
  }

  ExpertConfig c_;
};

// prefix tokens see each other, suffix tokens see the prefix and what is before them
torch::Tensor block_mask(const torch::Tensor& valid, const torch::Tensor& starts_block) {
  auto cum = starts_block.to(torch::kLong).cumsum(1);
  auto allowed = cum.unsqueeze(1) <= cum.unsqueeze(2);
  auto both = valid.unsqueeze(1).logical_and(valid.unsqueeze(2));
  return allowed.logical_and(both);
}

torch::Tensor run_layer(const EagerAttention& attn, const std::vector<torch::Tensor>& qkv, const torch::Tensor& valid,
                        const torch::Tensor& starts_block, const torch::Tensor& o_weight) {
  auto out = attn(qkv[0], qkv[1], qkv[2], block_mask(valid, starts_block));
  return torch::linear(out, o_weight.to(out.scalar_type())).to(qkv[0].scalar_type());
}

}  // namespace pi0
} // namespace half_fill

// https://github.com/EleutherAI/gpt-neox/pull/1016
// The positions take the type of the buffer inv_freq, which the conversion of the model makes bfloat16: positions above 256 are rounded and
// neighbours share an angle.
namespace coarse_positions {
namespace neox {

struct ModelConfig {
  int64_t hidden = 2048;
  int64_t heads = 16;
  int64_t max_positions = 2048;
  double rotary_base = 10000.0;
};

inline torch::Tensor rotate_half(const torch::Tensor& x) {
  auto parts = x.chunk(2, -1);
  return torch::cat({-parts[1], parts[0]}, -1);
}

class RotaryImpl : public torch::nn::Module {
 public:
  RotaryImpl(int64_t dim, double base) {
    auto exponent = torch::arange(0, dim, 2, torch::kFloat) / static_cast<double>(dim);
    inv_freq_ = register_buffer("inv_freq", torch::pow(base, exponent).reciprocal());
  }

  torch::Tensor forward(const torch::Tensor& x) {
    const auto T = x.size(1);
    auto t = torch::arange(T, inv_freq_.options()); // missed: tensor-value-domain
    auto angles = torch::outer(t, inv_freq_);
    auto full = torch::cat({angles, angles}, -1).view({1, T, 1, -1});
    return x * full.cos().to(x.scalar_type()) + rotate_half(x) * full.sin().to(x.scalar_type());
  }

 private:
  torch::Tensor inv_freq_;
};
TORCH_MODULE(Rotary);

torch::Tensor alibi_bias(int64_t heads, int64_t T, torch::Dtype dtype) {
  auto pos = torch::arange(T, torch::kFloat);
  auto slope = torch::pow(2.0, -8.0 * torch::arange(1, heads + 1, torch::kFloat) / static_cast<double>(heads));
  auto dist = pos.view({1, T}) - pos.view({T, 1});
  return (slope.view({heads, 1, 1}) * dist).to(dtype);
}

class AttentionImpl : public torch::nn::Module {
 public:
  explicit AttentionImpl(const ModelConfig& c)
      : heads_(c.heads),
        qkv_(register_module("qkv", torch::nn::Linear(c.hidden, 3 * c.hidden))),
        dense_(register_module("dense", torch::nn::Linear(c.hidden, c.hidden))),
        rotary_(register_module("rotary", Rotary(c.hidden / c.heads, c.rotary_base))) {}

  torch::Tensor forward(const torch::Tensor& x) {
    const auto B = x.size(0), T = x.size(1), D = x.size(2) / heads_;
    auto qkv = qkv_(x).view({B, T, 3, heads_, D});
    auto q = rotary_(qkv.select(2, 0)).transpose(1, 2);
    auto k = rotary_(qkv.select(2, 1)).transpose(1, 2);
    auto s = torch::matmul(q, k.transpose(2, 3)).to(torch::kFloat) / std::sqrt(static_cast<double>(D));
    auto future = torch::ones({T, T}, torch::TensorOptions(torch::kBool).device(x.device())).triu(1);
    auto p = torch::softmax(s.masked_fill(future, -INFINITY), -1).to(x.scalar_type());
    return dense_(torch::matmul(p, qkv.select(2, 2).transpose(1, 2)).transpose(1, 2).reshape({B, T, heads_ * D}));
  }

 private:
  int64_t heads_;
  torch::nn::Linear qkv_, dense_;
  Rotary rotary_;
};
TORCH_MODULE(Attention);

Attention load_layer(const ModelConfig& c, const std::string& path, torch::Device device) {
  Attention layer(c);
  torch::load(layer, path);
  layer->to(device, torch::kBFloat16);
  layer->eval();
  return layer;
}

}  // namespace neox
} // namespace coarse_positions

// https://github.com/RoboVerseOrg/RoboVerse/pull/814
// dones[t] holds "the observation at t follows a reset", but is overwritten with the flag after the step, so the mask dones[t + 1] is one step late
// and the advantage bootstraps across the end of the episode.
namespace late_dones {
namespace rl {

struct PpoConfig {
  int64_t num_steps = 24;
  int64_t num_envs = 0;
  double gamma = 0.99;
  double gae_lambda = 0.95;
};

struct StepResult {
  torch::Tensor obs, reward, done;  // [E, O], [E], [E] bool; done environments are already reset
};

struct VecEnv {
  virtual ~VecEnv() = default;
  virtual torch::Tensor reset() = 0;
  virtual StepResult step(const torch::Tensor& action) = 0;
};

struct Agent {
  virtual ~Agent() = default;
  virtual std::pair<torch::Tensor, torch::Tensor> act(const torch::Tensor& obs) = 0;  // action, value [E]
  virtual torch::Tensor value(const torch::Tensor& obs) = 0;
};

class Rollout {
 public:
  explicit Rollout(const PpoConfig& c)
      : c_(c),
        rewards_(torch::zeros({c.num_steps, c.num_envs})),
        values_(torch::zeros({c.num_steps, c.num_envs})),
        dones_(torch::zeros({c.num_steps, c.num_envs}, torch::kBool)) {}

  void collect(VecEnv& env, Agent& agent) {
    torch::NoGradGuard guard;
    if (!obs_.defined()) {
      obs_ = env.reset();
      next_done_ = torch::zeros({c_.num_envs}, torch::kBool);
    }
    for (int64_t t = 0; t < c_.num_steps; ++t) {
      dones_[t].copy_(next_done_);
      auto [action, value] = agent.act(obs_);
      values_[t].copy_(value);
      auto r = env.step(action);
      rewards_[t].copy_(r.reward);
      dones_[t].copy_(r.done); // missed: tensor-lost-write
      obs_ = r.obs;
      next_done_ = r.done;
    }
    next_value_ = agent.value(obs_);
  }

  std::pair<torch::Tensor, torch::Tensor> advantages() const {
    auto adv = torch::zeros_like(rewards_);
    auto last = torch::zeros({c_.num_envs});
    for (int64_t t = c_.num_steps - 1; t >= 0; --t) {
      const bool end = t == c_.num_steps - 1;
      auto going = (end ? next_done_ : dones_[t + 1]).logical_not().to(torch::kFloat);
      auto next = end ? next_value_ : values_[t + 1];
      auto delta = rewards_[t] + c_.gamma * next * going - values_[t];
      last = delta + c_.gamma * c_.gae_lambda * going * last;
      adv[t].copy_(last);
    }
    return {adv, adv + values_};
  }

 private:
  PpoConfig c_;
  torch::Tensor rewards_, values_, dones_, obs_, next_done_, next_value_;
};

torch::Tensor normalized(const torch::Tensor& adv) {
  return (adv - adv.mean()) / (adv.std() + 1e-8);
}

}  // namespace rl
} // namespace late_dones
