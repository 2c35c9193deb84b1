// Reports that were rewritten before anything was done for them, the second lot: modules, training loops and extensions.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <tuple>
#include <vector>
#include <torch/torch.h>

// https://github.com/pytorch/pytorch/issues/139037
// The features of the six views are joined along the batch, so the head sees rows of one view and not of six.
namespace six_views {
struct BranchImpl : torch::nn::Module {
  torch::nn::Conv2d c1{nullptr}, c2{nullptr};
  torch::nn::BatchNorm2d bn{nullptr};
  BranchImpl(int64_t width) {
    c1 = register_module("c1", torch::nn::Conv2d(torch::nn::Conv2dOptions(3, width, 3).padding(1)));
    bn = register_module("bn", torch::nn::BatchNorm2d(width));
    c2 = register_module("c2", torch::nn::Conv2d(torch::nn::Conv2dOptions(width, 2 * width, 3).stride(2).padding(1)));
  }
  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(bn(c1(x)));
    x = torch::relu(c2(x));
    return torch::adaptive_avg_pool2d(x, {1, 1}).flatten(1); // [batch, 2 * width]
  }
};
TORCH_MODULE(Branch);

struct ClassifierImpl : torch::nn::Module {
  static constexpr int64_t kViews = 6;
  Branch branch{nullptr};
  torch::nn::Sequential head{nullptr};
  int64_t width;

  ClassifierImpl(int64_t width_, int64_t classes) : width(width_) {
    branch = register_module("branch", Branch(width));
    head = register_module("head", torch::nn::Sequential(torch::nn::Linear(kViews * 2 * width, 128), torch::nn::ReLU(),
                                                         torch::nn::Dropout(0.3), torch::nn::Linear(128, classes)));
  }

  torch::Tensor forward(const std::vector<torch::Tensor> &views) {
    TORCH_CHECK((int64_t)views.size() == kViews, "six views are expected");
    std::vector<torch::Tensor> parts;
    parts.reserve(views.size());
    for (const auto &v : views)
      parts.push_back(branch(v));
    auto all = torch::cat(parts, 0);
    return head->forward(all); // expect: tensor-shape-mismatch
  }

  torch::Tensor forwardRight(const std::vector<torch::Tensor> &views) {
    TORCH_CHECK((int64_t)views.size() == kViews, "six views are expected");
    std::vector<torch::Tensor> parts;
    parts.reserve(views.size());
    for (const auto &v : views)
      parts.push_back(branch(v));
    auto all = torch::cat(parts, 1);
    return head->forward(all);
  }
};
TORCH_MODULE(Classifier);
} // namespace six_views

// https://github.com/llvm/torch-mlir/pull/4470
// The heads are split by a view straight to [batch, heads, steps, size], which mixes the steps; it takes a view and a transpose.
namespace gqa_lowering {
struct Config {
  int64_t hidden = 768;
  int64_t heads = 12;
  int64_t kv_heads = 4;
};

torch::Tensor repeatKv(const torch::Tensor &x, int64_t times) {
  if (times == 1)
    return x;
  return x.repeat_interleave(times, 1);
}

torch::Tensor attend(const torch::Tensor &q, const torch::Tensor &k, const torch::Tensor &v, bool causal) {
  const double scale = 1.0 / std::sqrt((double)q.size(-1));
  auto scores = torch::matmul(q, k.transpose(-2, -1)) * scale;
  if (causal) {
    auto mask = torch::ones({q.size(2), k.size(2)}, q.options().dtype(torch::kBool)).triu(1);
    scores = scores.masked_fill(mask, -INFINITY);
  }
  return torch::matmul(torch::softmax(scores, -1), v);
}

torch::Tensor groupQuery(const Config &cfg, const torch::Tensor &q, const torch::Tensor &k, const torch::Tensor &v) {
  const int64_t batch = q.size(0), steps = q.size(1);
  const int64_t size = cfg.hidden / cfg.heads;
  TORCH_CHECK(q.size(2) == cfg.hidden && k.size(2) == cfg.kv_heads * size && v.sizes() == k.sizes());
  auto qh = q.reshape({batch, cfg.heads, steps, size}); // missed: tensor-shape-mismatch
  auto kh = k.reshape({batch, steps, cfg.kv_heads, size}).transpose(1, 2);
  auto vh = v.reshape({batch, steps, cfg.kv_heads, size}).transpose(1, 2);
  kh = repeatKv(kh, cfg.heads / cfg.kv_heads);
  vh = repeatKv(vh, cfg.heads / cfg.kv_heads);
  auto out = attend(qh, kh, vh, true);
  return out.transpose(1, 2).reshape({batch, steps, cfg.hidden});
}

torch::Tensor groupQueryRight(const Config &cfg, const torch::Tensor &q, const torch::Tensor &k, const torch::Tensor &v) {
  const int64_t batch = q.size(0), steps = q.size(1);
  const int64_t size = cfg.hidden / cfg.heads;
  TORCH_CHECK(q.size(2) == cfg.hidden && k.size(2) == cfg.kv_heads * size && v.sizes() == k.sizes());
  auto qh = q.reshape({batch, steps, cfg.heads, size}).transpose(1, 2);
  auto kh = k.reshape({batch, steps, cfg.kv_heads, size}).transpose(1, 2);
  auto vh = v.reshape({batch, steps, cfg.kv_heads, size}).transpose(1, 2);
  kh = repeatKv(kh, cfg.heads / cfg.kv_heads);
  vh = repeatKv(vh, cfg.heads / cfg.kv_heads);
  auto out = attend(qh, kh, vh, true);
  return out.transpose(1, 2).reshape({batch, steps, cfg.hidden});
}
} // namespace gqa_lowering

// https://github.com/benedekrozemberczki/pytorch_geometric_temporal/pull/233
// The prediction is [nodes, 1] and the target [nodes], so their difference is [nodes, nodes] and the loss averages that.
namespace snapshots {
struct Snapshot {
  torch::Tensor x; // [nodes, lags]
  torch::Tensor y; // [nodes]
};

struct RecurrentImpl : torch::nn::Module {
  torch::nn::GRUCell cell{nullptr};
  torch::nn::Linear out{nullptr};
  RecurrentImpl(int64_t lags, int64_t filters) {
    cell = register_module("cell", torch::nn::GRUCell(lags, filters));
    out = register_module("out", torch::nn::Linear(filters, 1));
  }
  torch::Tensor forward(const torch::Tensor &x) {
    auto h = torch::relu(cell(x));
    return out(h);
  }
};
TORCH_MODULE(Recurrent);

std::vector<Snapshot> chickenpox(int64_t weeks, int64_t nodes, int64_t lags) {
  std::vector<Snapshot> all;
  auto series = torch::rand({weeks + lags, nodes});
  for (int64_t t = 0; t < weeks; ++t)
    all.push_back({series.slice(0, t, t + lags).t().contiguous(), series[t + lags]});
  return all;
}

double trainEpoch(Recurrent &model, torch::optim::Optimizer &optimizer, const std::vector<Snapshot> &data) {
  model->train();
  torch::Tensor cost = torch::zeros({});
  for (const auto &snapshot : data) {
    auto y_hat = model(snapshot.x);
    cost = cost + torch::mean(torch::pow(y_hat - snapshot.y, 2)); // missed: tensor-shape-mismatch
  }
  cost = cost / (double)data.size();
  optimizer.zero_grad();
  cost.backward();
  optimizer.step();
  return cost.item<double>();
}

double trainEpochRight(Recurrent &model, torch::optim::Optimizer &optimizer, const std::vector<Snapshot> &data) {
  model->train();
  torch::Tensor cost = torch::zeros({});
  for (const auto &snapshot : data) {
    auto y_hat = model(snapshot.x).squeeze(1);
    cost = cost + torch::mean(torch::pow(y_hat - snapshot.y, 2));
  }
  cost = cost / (double)data.size();
  optimizer.zero_grad();
  cost.backward();
  optimizer.step();
  return cost.item<double>();
}

void run() {
  Recurrent model(4, 32), other(4, 32);
  torch::optim::Adam a(model->parameters(), 0.01), b(other->parameters(), 0.01);
  auto data = chickenpox(100, 20, 4);
  for (int epoch = 0; epoch < 20; ++epoch) {
    trainEpoch(model, a, data);
    trainEpochRight(other, b, data);
  }
}
} // namespace snapshots

// https://github.com/sunwuzhou03/reinforcement-learning-lab/issues/1
// The log probability keeps one column for each action and is never summed, so the target is [batch, actions] against a critic of [batch, 1].
namespace sac_walker {
struct PolicyImpl : torch::nn::Module {
  torch::nn::Linear fc{nullptr}, mu{nullptr}, std{nullptr};
  PolicyImpl(int64_t states, int64_t hidden, int64_t actions) {
    TORCH_CHECK(actions > 1);
    fc = register_module("fc", torch::nn::Linear(states, hidden));
    mu = register_module("mu", torch::nn::Linear(hidden, actions));
    std = register_module("std", torch::nn::Linear(hidden, actions));
  }
  std::tuple<torch::Tensor, torch::Tensor> forward(const torch::Tensor &s) {
    auto h = torch::relu(fc(s));
    auto m = mu(h);
    auto sd = torch::softplus(std(h)) + 1e-4;
    auto sample = m + sd * torch::randn_like(m);
    auto action = torch::tanh(sample);
    auto log_prob = -0.5 * torch::pow((sample - m) / sd, 2) - torch::log(sd) - 0.5 * std::log(2 * M_PI);
    log_prob = log_prob - torch::log(1 - action.pow(2) + 1e-7);
    return {action, log_prob};
  }
};
TORCH_MODULE(Policy);

struct CriticImpl : torch::nn::Module {
  torch::nn::Linear fc1{nullptr}, out{nullptr};
  CriticImpl(int64_t states, int64_t hidden, int64_t actions) {
    fc1 = register_module("fc1", torch::nn::Linear(states + actions, hidden));
    out = register_module("out", torch::nn::Linear(hidden, 1));
  }
  torch::Tensor forward(const torch::Tensor &s, const torch::Tensor &a) { return out(torch::relu(fc1(torch::cat({s, a}, 1)))); }
};
TORCH_MODULE(Critic);

struct Batch {
  torch::Tensor state, action, reward, next_state, done; // reward, done: [batch, 1]
};

torch::Tensor criticLoss(Policy &policy, Critic &critic, Critic &target, const Batch &b, const torch::Tensor &log_alpha, double gamma) {
  torch::Tensor td;
  {
    torch::NoGradGuard guard;
    auto [next_action, log_prob] = policy(b.next_state);
    auto next_value = target(b.next_state, next_action) - log_alpha.exp() * log_prob;
    td = b.reward + gamma * next_value * (1 - b.done);
  }
  return torch::mse_loss(critic(b.state, b.action), td); // missed: tensor-shape-mismatch
}

torch::Tensor criticLossRight(Policy &policy, Critic &critic, Critic &target, const Batch &b, const torch::Tensor &log_alpha, double gamma) {
  torch::Tensor td;
  {
    torch::NoGradGuard guard;
    auto [next_action, log_prob] = policy(b.next_state);
    auto next_value = target(b.next_state, next_action) - log_alpha.exp() * log_prob.sum(1, true);
    td = b.reward + gamma * next_value * (1 - b.done);
  }
  return torch::mse_loss(critic(b.state, b.action), td);
}
} // namespace sac_walker

// https://github.com/bearpaw/pytorch-classification/issues/56
// The rows of the transposed comparison are not one run of memory, so view(-1) of the first k rows throws for k > 1.
namespace top_k_eval {
struct Meter {
  double sum = 0;
  int64_t count = 0;
  void update(double value, int64_t n) {
    sum += value * n;
    count += n;
  }
  double average() const { return count ? sum / count : 0; }
};

std::vector<double> accuracy(const torch::Tensor &output, const torch::Tensor &target, const std::vector<int64_t> &ks) {
  TORCH_CHECK(output.dim() == 2 && target.dim() == 1 && output.size(0) == target.size(0));
  const int64_t maxk = *std::max_element(ks.begin(), ks.end());
  const int64_t batch = target.size(0);
  auto pred = std::get<1>(output.topk(maxk, 1, true, true)).t();
  auto correct = pred.eq(target.view({1, -1}).expand_as(pred));
  std::vector<double> res;
  for (int64_t k : ks) {
    auto correct_k = correct.slice(0, 0, k).view(-1).to(torch::kFloat).sum(0); // expect: tensor-view-after-permute
    res.push_back(correct_k.item<double>() * 100.0 / batch);
  }
  return res;
}

std::vector<double> accuracyRight(const torch::Tensor &output, const torch::Tensor &target, const std::vector<int64_t> &ks) {
  TORCH_CHECK(output.dim() == 2 && target.dim() == 1 && output.size(0) == target.size(0));
  const int64_t maxk = *std::max_element(ks.begin(), ks.end());
  const int64_t batch = target.size(0);
  auto pred = std::get<1>(output.topk(maxk, 1, true, true)).t();
  auto correct = pred.eq(target.view({1, -1}).expand_as(pred));
  std::vector<double> res;
  for (int64_t k : ks) {
    auto correct_k = correct.slice(0, 0, k).reshape(-1).to(torch::kFloat).sum(0);
    res.push_back(correct_k.item<double>() * 100.0 / batch);
  }
  return res;
}

void validate(torch::nn::Sequential &net, const std::vector<std::pair<torch::Tensor, torch::Tensor>> &loader) {
  torch::NoGradGuard guard;
  net->eval();
  Meter top1, top5, right1, right5;
  for (const auto &[images, labels] : loader) {
    auto logits = net->forward(images);
    auto prec = accuracy(logits, labels, {1, 5});
    auto same = accuracyRight(logits, labels, {1, 5});
    top1.update(prec[0], images.size(0));
    top5.update(prec[1], images.size(0));
    right1.update(same[0], images.size(0));
    right5.update(same[1], images.size(0));
  }
}
} // namespace top_k_eval

// https://github.com/rahul-goel/fused-ssim/pull/44
// zeros_like keeps the strides of the permuted image, while the kernel writes the map as dense memory.
namespace fused_ssim {
void launch_ssim(int height, int width, int channels, int batch, float c1, float c2, const float *img1, const float *img2, float *ssim_map,
                 float *dm_dmu1, float *dm_dsigma1);

std::tuple<torch::Tensor, torch::Tensor, torch::Tensor> forward(float c1, float c2, const torch::Tensor &img1, const torch::Tensor &img2) {
  TORCH_CHECK(img1.is_cuda() && img2.is_cuda(), "images have to be on the GPU");
  TORCH_CHECK(img1.scalar_type() == torch::kFloat32 && img1.sizes() == img2.sizes() && img1.dim() == 4);
  const int B = img1.size(0), CH = img1.size(1), H = img1.size(2), W = img1.size(3);
  auto a = img1.contiguous();
  auto b = img2.contiguous();
  auto map = torch::zeros_like(img1); // expect: tensor-raw-pointer-layout
  auto dmu = torch::zeros_like(a);
  auto dsigma = torch::zeros_like(a);
  launch_ssim(H, W, CH, B, c1, c2, a.data_ptr<float>(), b.data_ptr<float>(), map.data_ptr<float>(), dmu.data_ptr<float>(),
              dsigma.data_ptr<float>());
  return {map, dmu, dsigma};
}

std::tuple<torch::Tensor, torch::Tensor, torch::Tensor> forwardRight(float c1, float c2, const torch::Tensor &img1, const torch::Tensor &img2) {
  TORCH_CHECK(img1.is_cuda() && img2.is_cuda(), "images have to be on the GPU");
  TORCH_CHECK(img1.scalar_type() == torch::kFloat32 && img1.sizes() == img2.sizes() && img1.dim() == 4);
  const int B = img1.size(0), CH = img1.size(1), H = img1.size(2), W = img1.size(3);
  auto a = img1.contiguous();
  auto b = img2.contiguous();
  auto map = torch::zeros_like(a);
  auto dmu = torch::zeros_like(a);
  auto dsigma = torch::zeros_like(a);
  launch_ssim(H, W, CH, B, c1, c2, a.data_ptr<float>(), b.data_ptr<float>(), map.data_ptr<float>(), dmu.data_ptr<float>(),
              dsigma.data_ptr<float>());
  return {map, dmu, dsigma};
}

torch::Tensor photometric(const torch::Tensor &rendered_hwc, const torch::Tensor &truth_hwc) {
  // both [height, width, 3], as the rasterizer leaves them
  auto rendered = rendered_hwc.contiguous().permute({2, 0, 1}).unsqueeze(0);
  auto truth = truth_hwc.contiguous().permute({2, 0, 1}).unsqueeze(0);
  auto ssim = std::get<0>(forward(0.0001f, 0.0009f, rendered, truth)).mean();
  auto again = std::get<0>(forwardRight(0.0001f, 0.0009f, rendered, truth)).mean();
  return 0.8 * torch::l1_loss(rendered, truth) + 0.1 * (1 - ssim) + 0.1 * (1 - again);
}
} // namespace fused_ssim

// https://github.com/pyg-team/pyg-lib/pull/290
// The contiguous copies of the weights die at the end of each turn of the loop, and the grouped product runs on their pointers afterwards.
namespace grouped {
struct Problem {
  int m, n, k;
};
void launch_grouped_gemm(const std::vector<Problem> &problems, const std::vector<float *> &a, const std::vector<float *> &b,
                         const std::vector<float *> &out);

void check(const std::vector<torch::Tensor> &input, const std::vector<torch::Tensor> &other) {
  TORCH_CHECK(input.size() == other.size(), "as many inputs as weights");
  for (size_t i = 0; i < input.size(); ++i) {
    TORCH_CHECK(input[i].is_cuda() && other[i].is_cuda());
    TORCH_CHECK(input[i].scalar_type() == torch::kFloat && other[i].scalar_type() == torch::kFloat);
    TORCH_CHECK(input[i].size(-1) == other[i].size(-2));
  }
}

std::vector<torch::Tensor> matmul(const std::vector<torch::Tensor> &input, const std::vector<torch::Tensor> &other) {
  check(input, other);
  std::vector<torch::Tensor> out, rows;
  std::vector<Problem> problems;
  std::vector<float *> a, b, c;
  for (size_t i = 0; i < input.size(); ++i) {
    rows.push_back(input[i].contiguous());
    out.push_back(rows[i].new_empty({rows[i].size(0), other[i].size(1)}));
    problems.push_back({(int)rows[i].size(0), (int)other[i].size(1), (int)rows[i].size(1)});
    a.push_back(rows[i].data_ptr<float>());
    b.push_back(other[i].contiguous().data_ptr<float>()); // expect: tensor-dangling-data-pointer
    c.push_back(out.back().data_ptr<float>());
  }
  launch_grouped_gemm(problems, a, b, c);
  return out;
}

std::vector<torch::Tensor> matmulRight(const std::vector<torch::Tensor> &input, const std::vector<torch::Tensor> &other) {
  check(input, other);
  std::vector<torch::Tensor> out, rows, weights;
  std::vector<Problem> problems;
  std::vector<float *> a, b, c;
  for (size_t i = 0; i < input.size(); ++i) {
    rows.push_back(input[i].contiguous());
    weights.push_back(other[i].contiguous());
    out.push_back(rows[i].new_empty({rows[i].size(0), weights[i].size(1)}));
    problems.push_back({(int)rows[i].size(0), (int)weights[i].size(1), (int)rows[i].size(1)});
    a.push_back(rows[i].data_ptr<float>());
    b.push_back(weights[i].data_ptr<float>());
    c.push_back(out.back().data_ptr<float>());
  }
  launch_grouped_gemm(problems, a, b, c);
  return out;
}

// The gradient of the inputs needs every weight turned over.
std::vector<torch::Tensor> gradInput(const std::vector<torch::Tensor> &grads, const std::vector<torch::Tensor> &weights, bool fixed) {
  std::vector<torch::Tensor> dense, turned;
  for (const auto &g : grads)
    dense.push_back(g.contiguous());
  for (const auto &w : weights)
    turned.push_back(w.transpose(-2, -1));
  return fixed ? matmulRight(dense, turned) : matmul(dense, turned);
}
} // namespace grouped

// https://github.com/pyg-team/pyg-lib/pull/572
// The kernel reads the pseudo coordinates as dense rows; the caller hands it the first columns of a wider table.
namespace spline {
void launch_basis(const float *pseudo, const int64_t *kernel_size, const uint8_t *is_open, float *basis, int64_t *weight_index, int64_t edges,
                  int64_t dims, int64_t s, int blocks, int threads);
constexpr int kThreads = 256;

int64_t power(int64_t base, int64_t exponent) {
  int64_t r = 1;
  while (exponent-- > 0)
    r *= base;
  return r;
}

std::tuple<torch::Tensor, torch::Tensor> basis(const torch::Tensor &pseudo, const torch::Tensor &kernel_size, const torch::Tensor &is_open,
                                               int64_t degree) {
  TORCH_CHECK(pseudo.is_cuda() && kernel_size.is_cuda() && is_open.is_cuda());
  TORCH_CHECK(pseudo.dim() == 2 && pseudo.scalar_type() == torch::kFloat);
  TORCH_CHECK(pseudo.size(1) == kernel_size.numel());
  const int64_t E = pseudo.size(0), D = pseudo.size(1), S = power(degree + 1, D);
  auto out = torch::empty({E, S}, pseudo.options());
  auto index = torch::empty({E, S}, kernel_size.options());
  const int blocks = (int)((E * S + kThreads - 1) / kThreads);
  launch_basis(pseudo.data_ptr<float>(), kernel_size.data_ptr<int64_t>(), is_open.data_ptr<uint8_t>(), out.data_ptr<float>(), // expect: tensor-raw-pointer-layout
               index.data_ptr<int64_t>(), E, D, S, blocks, kThreads);
  return {out, index};
}

std::tuple<torch::Tensor, torch::Tensor> basisRight(const torch::Tensor &pseudo_, const torch::Tensor &kernel_size, const torch::Tensor &is_open,
                                                    int64_t degree) {
  TORCH_CHECK(pseudo_.is_cuda() && kernel_size.is_cuda() && is_open.is_cuda());
  TORCH_CHECK(pseudo_.dim() == 2 && pseudo_.scalar_type() == torch::kFloat);
  TORCH_CHECK(pseudo_.size(1) == kernel_size.numel());
  auto pseudo = pseudo_.contiguous();
  const int64_t E = pseudo.size(0), D = pseudo.size(1), S = power(degree + 1, D);
  auto out = torch::empty({E, S}, pseudo.options());
  auto index = torch::empty({E, S}, kernel_size.options());
  const int blocks = (int)((E * S + kThreads - 1) / kThreads);
  launch_basis(pseudo.data_ptr<float>(), kernel_size.data_ptr<int64_t>(), is_open.data_ptr<uint8_t>(), out.data_ptr<float>(),
               index.data_ptr<int64_t>(), E, D, S, blocks, kThreads);
  return {out, index};
}

torch::Tensor convolve(const torch::Tensor &edges, const torch::Tensor &x) {
  // edges: [count, 5] = two coordinates, then length, weight and kind
  auto table = edges.to(torch::kCUDA, torch::kFloat).contiguous();
  TORCH_CHECK(table.size(1) == 5);
  auto coordinates = table.slice(1, 0, 2);
  auto size = torch::full({2}, 5, table.options().dtype(torch::kLong));
  auto open = torch::ones({2}, table.options().dtype(torch::kByte));
  auto b = std::get<0>(basis(coordinates, size, open, 1));
  auto c = std::get<0>(basisRight(coordinates, size, open, 1));
  return (b + c).sum(1, true) * x;
}
} // namespace spline

// https://github.com/LMCache/LMCache/pull/2902
// The count of slots and the count of tokens of the buffer are swapped, so the grid runs over the buffer and reads slots that are not there.
namespace kv_transfer {
// One block for every (slot, layer); kv is [2, layers, kv_tokens, hidden], slots is [slot_count].
void launch_transfer(float *kv, float *const *layers, const int64_t *slots, int num_layers, int slot_count, int kv_tokens, int hidden, int grid_x,
                     int grid_y, int threads, bool to_cache);
constexpr int kMaxThreads = 128;

void check(const torch::Tensor &kv, const torch::Tensor &table, const torch::Tensor &slots) {
  TORCH_CHECK(kv.is_cuda() && table.is_cuda() && slots.is_cuda());
  TORCH_CHECK(kv.dim() == 4 && kv.size(0) == 2 && kv.is_contiguous() && kv.scalar_type() == torch::kFloat);
  TORCH_CHECK(slots.dim() == 1 && slots.is_contiguous() && slots.scalar_type() == torch::kLong);
  TORCH_CHECK(table.numel() == kv.size(1) && table.scalar_type() == torch::kLong);
}

void transfer(torch::Tensor &kv, const torch::Tensor &table, const torch::Tensor &slots, bool to_cache) {
  check(kv, table, slots);
  const int num_layers = kv.size(1);
  const int num_tokens = slots.size(0);
  const int slot_count = kv.size(2); // missed: tensor-raw-pointer-layout
  const int hidden = kv.size(3);
  const int threads = std::min(hidden, kMaxThreads);
  launch_transfer(kv.data_ptr<float>(), reinterpret_cast<float *const *>(table.data_ptr<int64_t>()), slots.data_ptr<int64_t>(), num_layers,
                  slot_count, num_tokens, hidden, slot_count, num_layers, threads, to_cache);
}

void transferRight(torch::Tensor &kv, const torch::Tensor &table, const torch::Tensor &slots, bool to_cache) {
  check(kv, table, slots);
  const int num_layers = kv.size(1);
  const int num_tokens = kv.size(2);
  const int slot_count = slots.size(0);
  const int hidden = kv.size(3);
  const int threads = std::min(hidden, kMaxThreads);
  launch_transfer(kv.data_ptr<float>(), reinterpret_cast<float *const *>(table.data_ptr<int64_t>()), slots.data_ptr<int64_t>(), num_layers,
                  slot_count, num_tokens, hidden, slot_count, num_layers, threads, to_cache);
}

void storePrefix(const torch::Tensor &table, const torch::Tensor &slots, int64_t layers, int64_t hidden) {
  // The buffer holds 256 tokens, a request fills at most half of them.
  auto kv = torch::zeros({2, layers, 256, hidden}, torch::dtype(torch::kFloat).device(torch::kCUDA));
  auto used = slots.slice(0, 0, 128).contiguous();
  transfer(kv, table, used, true);
  transferRight(kv, table, used, true);
}
} // namespace kv_transfer

// https://github.com/thu-ml/SageAttention/issues/104
// The heads are made half for the tensor cores, and the binding asks them for pointers to float.
namespace sage_attn {
void launch_attention_f16(const at::Half *q, const at::Half *k, const at::Half *v, float *out, float *lse, float scale, int batch, int heads,
                          int q_len, int kv_len, int size, int grid_x, int grid_y);
void launch_attention_f32(const float *q, const float *k, const float *v, float *out, float *lse, float scale, int batch, int heads, int q_len,
                          int kv_len, int size, int grid_x, int grid_y);
constexpr int kTile = 64;

struct Shape {
  int batch, heads, q_len, kv_len, size;
};

Shape check(const torch::Tensor &q, const torch::Tensor &k, const torch::Tensor &v) {
  TORCH_CHECK(q.is_cuda() && k.is_cuda() && v.is_cuda(), "q, k and v have to be on the GPU");
  TORCH_CHECK(q.dim() == 4 && k.dim() == 4 && k.sizes() == v.sizes());
  TORCH_CHECK(q.size(1) == k.size(1) && q.size(3) == k.size(3));
  TORCH_CHECK(q.size(3) == 64 || q.size(3) == 128, "head sizes of 64 and 128 only");
  return {(int)q.size(0), (int)q.size(1), (int)q.size(2), (int)k.size(2), (int)q.size(3)};
}

torch::Tensor forward(const torch::Tensor &query, const torch::Tensor &key, const torch::Tensor &value) {
  auto s = check(query, key, value);
  auto mean = key.mean(2, true);
  auto q = query.to(torch::kHalf).contiguous();
  auto k = (key - mean).to(torch::kHalf).contiguous();
  auto v = value.to(torch::kHalf).contiguous();
  auto out = torch::empty(q.sizes(), q.options().dtype(torch::kFloat));
  auto lse = torch::empty({s.batch, s.heads, s.q_len}, out.options());
  launch_attention_f32(q.data_ptr<float>(), k.data_ptr<float>(), v.data_ptr<float>(), out.data_ptr<float>(), lse.data_ptr<float>(), // expect: tensor-shape-mismatch // also: tensor-shape-mismatch // also: tensor-shape-mismatch
                       1.0f / std::sqrt((float)s.size), s.batch, s.heads, s.q_len, s.kv_len, s.size, (s.q_len + kTile - 1) / kTile,
                       s.batch * s.heads);
  return out.to(query.scalar_type());
}

torch::Tensor forwardRight(const torch::Tensor &query, const torch::Tensor &key, const torch::Tensor &value) {
  auto s = check(query, key, value);
  auto mean = key.mean(2, true);
  auto q = query.to(torch::kHalf).contiguous();
  auto k = (key - mean).to(torch::kHalf).contiguous();
  auto v = value.to(torch::kHalf).contiguous();
  auto out = torch::empty(q.sizes(), q.options().dtype(torch::kFloat));
  auto lse = torch::empty({s.batch, s.heads, s.q_len}, out.options());
  launch_attention_f16(q.data_ptr<at::Half>(), k.data_ptr<at::Half>(), v.data_ptr<at::Half>(), out.data_ptr<float>(), lse.data_ptr<float>(),
                       1.0f / std::sqrt((float)s.size), s.batch, s.heads, s.q_len, s.kv_len, s.size, (s.q_len + kTile - 1) / kTile,
                       s.batch * s.heads);
  return out.to(query.scalar_type());
}
} // namespace sage_attn

// https://github.com/sniklaus/pytorch-pwc/pull/63
// The padded copy of the first image is allocated without options and lies on the CPU when the kernel writes to it.
namespace pwc_correlation {
void launch_rearrange(int n, const float *in, float *padded, int channels, int height, int width, int grid_x, int grid_y, int grid_z);
void launch_correlate(const float *first, const float *second, float *top, int batch, int channels, int height, int width);

constexpr int64_t kReach = 4;
constexpr int64_t kSide = 2 * kReach + 1;

int blocks(int64_t count, int threads) { return (int)((count + threads - 1) / threads); }

torch::Tensor correlate(const torch::Tensor &one, const torch::Tensor &two) {
  TORCH_CHECK(one.is_cuda() && two.is_cuda(), "both feature maps on the GPU, please");
  TORCH_CHECK(one.is_contiguous() && two.is_contiguous() && one.sizes() == two.sizes());
  TORCH_CHECK(one.scalar_type() == torch::kFloat && two.scalar_type() == torch::kFloat);
  const int64_t B = one.size(0), C = one.size(1), H = one.size(2), W = one.size(3);
  auto rbot0 = torch::zeros({B, H + 2 * kReach, W + 2 * kReach, C});
  auto rbot1 = torch::zeros({B, H + 2 * kReach, W + 2 * kReach, C}, one.options());
  auto top = torch::zeros({B, kSide * kSide, H, W}, one.options());
  const int n = (int)(H * W); // also: tensor-raw-pointer-layout
  launch_rearrange(n, one.data_ptr<float>(), rbot0.data_ptr<float>(), C, H, W, blocks(n, 16), C, B); // expect: tensor-device-mismatch
  launch_rearrange(n, two.data_ptr<float>(), rbot1.data_ptr<float>(), C, H, W, blocks(n, 16), C, B);
  launch_correlate(rbot0.data_ptr<float>(), rbot1.data_ptr<float>(), top.data_ptr<float>(), B, C, H, W); // also: tensor-device-mismatch
  return torch::leaky_relu(top, 0.1);
}

torch::Tensor correlateRight(const torch::Tensor &one, const torch::Tensor &two) {
  TORCH_CHECK(one.is_cuda() && two.is_cuda(), "both feature maps on the GPU, please");
  TORCH_CHECK(one.is_contiguous() && two.is_contiguous() && one.sizes() == two.sizes());
  TORCH_CHECK(one.scalar_type() == torch::kFloat && two.scalar_type() == torch::kFloat);
  const int64_t B = one.size(0), C = one.size(1), H = one.size(2), W = one.size(3);
  auto rbot0 = torch::zeros({B, H + 2 * kReach, W + 2 * kReach, C}, one.options());
  auto rbot1 = torch::zeros({B, H + 2 * kReach, W + 2 * kReach, C}, one.options());
  auto top = torch::zeros({B, kSide * kSide, H, W}, one.options());
  const int n = (int)(H * W); // also: tensor-raw-pointer-layout
  launch_rearrange(n, one.data_ptr<float>(), rbot0.data_ptr<float>(), C, H, W, blocks(n, 16), C, B);
  launch_rearrange(n, two.data_ptr<float>(), rbot1.data_ptr<float>(), C, H, W, blocks(n, 16), C, B);
  launch_correlate(rbot0.data_ptr<float>(), rbot1.data_ptr<float>(), top.data_ptr<float>(), B, C, H, W);
  return torch::leaky_relu(top, 0.1);
}
} // namespace pwc_correlation

// https://github.com/pytorch/pytorch/pull/180162
// The offsets lie on the GPU, and the packing on the host reads them through their pointer.
namespace jagged {
struct Batch {
  torch::Tensor values;  // [total, dim]
  torch::Tensor lengths; // [rows]
};

Batch upload(const std::vector<std::vector<int64_t>> &rows, const torch::Tensor &table) {
  std::vector<int64_t> flat, lengths;
  for (const auto &r : rows) {
    flat.insert(flat.end(), r.begin(), r.end());
    lengths.push_back((int64_t)r.size());
  }
  auto ids = torch::tensor(flat, torch::kLong);
  return {table.index_select(0, ids).to(torch::kCUDA), torch::tensor(lengths, torch::kLong).to(torch::kCUDA)};
}

std::vector<torch::Tensor> unpack(const Batch &batch) {
  TORCH_CHECK(batch.values.is_cuda() && batch.lengths.is_cuda(), "an uploaded batch is expected");
  const int64_t rows = batch.lengths.numel();
  auto offsets = torch::zeros({rows + 1}, batch.lengths.options());
  offsets.slice(0, 1).copy_(batch.lengths.cumsum(0));
  const int64_t *begin = offsets.data_ptr<int64_t>();
  std::vector<torch::Tensor> parts;
  parts.reserve(rows);
  for (int64_t i = 0; i < rows; ++i)
    parts.push_back(batch.values.slice(0, begin[i], begin[i + 1])); // expect: tensor-device-mismatch // also: tensor-device-mismatch
  return parts;
}

std::vector<torch::Tensor> unpackRight(const Batch &batch) {
  TORCH_CHECK(batch.values.is_cuda() && batch.lengths.is_cuda(), "an uploaded batch is expected");
  const int64_t rows = batch.lengths.numel();
  auto offsets = torch::zeros({rows + 1}, batch.lengths.options());
  offsets.slice(0, 1).copy_(batch.lengths.cumsum(0));
  auto host = offsets.cpu();
  const int64_t *begin = host.data_ptr<int64_t>();
  std::vector<torch::Tensor> parts;
  parts.reserve(rows);
  for (int64_t i = 0; i < rows; ++i)
    parts.push_back(batch.values.slice(0, begin[i], begin[i + 1]));
  return parts;
}

torch::Tensor pool(const std::vector<std::vector<int64_t>> &rows, const torch::Tensor &table, bool fixed) {
  auto batch = upload(rows, table);
  auto parts = fixed ? unpackRight(batch) : unpack(batch);
  std::vector<torch::Tensor> means;
  for (const auto &p : parts)
    means.push_back(p.sum(0) / std::max<int64_t>(p.size(0), 1));
  return torch::stack(means);
}
} // namespace jagged

// https://github.com/idaholab/marlin/pull/91
// The field keeps looking at the vector that the file was read into, and the vector ends with the function.
namespace lattice {
class Field {
public:
  Field(std::vector<int64_t> shape, torch::TensorOptions options) : _shape(std::move(shape)), _options(options) {
    int64_t n = 1;
    for (auto s : _shape)
      n *= s;
    _count = n;
  }

  void init() { _u = torch::zeros(_shape, _options.dtype(torch::kDouble)); }

  void read(const std::string &path) {
    std::ifstream in(path, std::ios::binary);
    TORCH_CHECK(in.good(), "cannot open ", path);
    std::vector<double> buffer(_count);
    in.read(reinterpret_cast<char *>(buffer.data()), (std::streamsize)(_count * sizeof(double)));
    TORCH_CHECK(in.gcount() == (std::streamsize)(_count * sizeof(double)), "the file is too short");
    _u = torch::from_blob(buffer.data(), _shape, torch::kDouble); // expect: tensor-from-blob-lifetime
  }

  void readRight(const std::string &path) {
    std::ifstream in(path, std::ios::binary);
    TORCH_CHECK(in.good(), "cannot open ", path);
    std::vector<double> buffer(_count);
    in.read(reinterpret_cast<char *>(buffer.data()), (std::streamsize)(_count * sizeof(double)));
    TORCH_CHECK(in.gcount() == (std::streamsize)(_count * sizeof(double)), "the file is too short");
    _u = torch::from_blob(buffer.data(), _shape, torch::kDouble).clone().to(_options.device());
  }

  // One relaxation towards the equilibrium of the nine speeds.
  void relax(const torch::Tensor &equilibrium, double tau) { _u = _u - (_u - equilibrium) / tau; }

  torch::Tensor density() const { return _u.sum(-1); }

private:
  std::vector<int64_t> _shape;
  torch::TensorOptions _options;
  int64_t _count = 0;
  torch::Tensor _u;
};

double mass(const std::string &path, const torch::Tensor &equilibrium, bool fixed) {
  Field field({64, 64, 9}, torch::TensorOptions(torch::kCPU));
  field.init();
  if (fixed)
    field.readRight(path);
  else
    field.read(path);
  for (int step = 0; step < 100; ++step)
    field.relax(equilibrium, 0.6);
  return field.density().sum().item<double>();
}
} // namespace lattice

// https://github.com/metatensor/metatensor/pull/302
// The sizes belong to a temporary tensor that is gone before the loop over them begins.
namespace blocks {
class Block {
public:
  Block(torch::Tensor values, std::vector<int64_t> properties) : values_(std::move(values)), properties_(std::move(properties)) {
    TORCH_CHECK(values_.dim() >= 2, "a block has samples and properties");
    TORCH_CHECK(values_.size(-1) == (int64_t)properties_.size());
  }
  const torch::Tensor &values() const { return values_; }
  torch::Tensor componentsFirst() const { return values_.movedim(0, -2); }
  int64_t samples() const { return values_.size(0); }

private:
  torch::Tensor values_; // [samples, components..., properties]
  std::vector<int64_t> properties_;
};

torch::Tensor emptyLike(const Block &block, int64_t extra) {
  std::vector<int64_t> shape;
  for (int64_t size : block.componentsFirst().sizes()) // expect: tensor-dangling-data-pointer
    shape.push_back(size);
  shape.back() += extra;
  return torch::zeros(shape, block.values().options());
}

torch::Tensor emptyLikeRight(const Block &block, int64_t extra) {
  std::vector<int64_t> shape;
  auto first = block.componentsFirst();
  for (int64_t size : first.sizes())
    shape.push_back(size);
  shape.back() += extra;
  return torch::zeros(shape, block.values().options());
}

torch::Tensor widen(const Block &block, const torch::Tensor &more, bool fixed) {
  TORCH_CHECK(more.size(0) == block.samples());
  auto out = fixed ? emptyLikeRight(block, more.size(-1)) : emptyLike(block, more.size(-1));
  const int64_t old = block.values().size(-1);
  out.slice(-1, 0, old).copy_(block.componentsFirst());
  out.slice(-1, old).copy_(more.movedim(0, -2));
  return out.movedim(-2, 0);
}

torch::Tensor run() {
  Block block(torch::rand({10, 3, 4}), {0, 1, 2, 3});
  auto more = torch::rand({10, 3, 2});
  return widen(block, more, false) + widen(block, more, true);
}
} // namespace blocks

// https://github.com/allenai/satlaspretrain_models/issues/5
// The class of each pixel is stored as a float, and cross_entropy takes class numbers as integers of 64 bits.
namespace satlas {
struct SegmentHeadImpl : torch::nn::Module {
  torch::nn::Sequential layers{nullptr};
  int64_t classes;

  SegmentHeadImpl(int64_t channels, int64_t classes_, int64_t depth) : classes(classes_) {
    torch::nn::Sequential seq;
    for (int64_t i = 0; i + 1 < depth; ++i) {
      seq->push_back(torch::nn::Conv2d(torch::nn::Conv2dOptions(channels, channels, 3).padding(1)));
      seq->push_back(torch::nn::ReLU(torch::nn::ReLUOptions(true)));
    }
    seq->push_back(torch::nn::Conv2d(torch::nn::Conv2dOptions(channels, classes, 3).padding(1)));
    layers = register_module("layers", seq);
  }

  std::tuple<torch::Tensor, torch::Tensor> forward(const torch::Tensor &features, const std::vector<torch::Tensor> &targets) {
    auto raw = layers->forward(features);
    auto outputs = torch::softmax(raw, 1);
    torch::Tensor loss;
    if (!targets.empty()) {
      auto task = torch::stack(targets, 0).to(torch::kFloat); // [batch, height, width]
      TORCH_CHECK(task.dim() == 3 && task.size(0) == raw.size(0));
      loss = torch::nn::functional::cross_entropy(raw, task, torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kNone)); // missed: tensor-shape-mismatch
      loss = loss.mean();
    }
    return {outputs, loss};
  }

  std::tuple<torch::Tensor, torch::Tensor> forwardRight(const torch::Tensor &features, const std::vector<torch::Tensor> &targets) {
    auto raw = layers->forward(features);
    auto outputs = torch::softmax(raw, 1);
    torch::Tensor loss;
    if (!targets.empty()) {
      auto task = torch::stack(targets, 0).to(torch::kLong);
      TORCH_CHECK(task.dim() == 3 && task.size(0) == raw.size(0));
      loss = torch::nn::functional::cross_entropy(raw, task, torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kNone));
      loss = loss.mean();
    }
    return {outputs, loss};
  }
};
TORCH_MODULE(SegmentHead);

double step(SegmentHead &head, torch::optim::Optimizer &optimizer, const torch::Tensor &features, const std::vector<torch::Tensor> &masks) {
  optimizer.zero_grad();
  auto loss = std::get<1>(head->forwardRight(features, masks));
  loss.backward();
  optimizer.step();
  return std::get<1>(head->forward(features, masks)).item<double>();
}
} // namespace satlas

// https://github.com/ultralytics/ultralytics/pull/23743
// The frames are bytes when they are divided in place, which cannot hold the quotient.
namespace tensor_source {
struct Frame {
  int height, width;
  std::vector<uint8_t> rgb; // height * width * 3
};

torch::Tensor toTensor(const Frame &frame) {
  TORCH_CHECK(frame.rgb.size() == (size_t)frame.height * frame.width * 3);
  return torch::from_blob(const_cast<uint8_t *>(frame.rgb.data()), {frame.height, frame.width, 3}, torch::kUInt8).clone().permute({2, 0, 1});
}

torch::Tensor single(torch::Tensor im, int64_t stride) {
  if (im.dim() == 3)
    im = im.unsqueeze(0);
  TORCH_CHECK(im.dim() == 4, "images of [batch, 3, height, width] are expected");
  TORCH_CHECK(im.size(2) % stride == 0 && im.size(3) % stride == 0, "height and width have to be multiples of ", stride);
  return im;
}

torch::Tensor load(const std::vector<Frame> &frames, int64_t stride) {
  std::vector<torch::Tensor> all;
  for (const auto &f : frames)
    all.push_back(toTensor(f));
  auto im = single(torch::stack(all), stride);
  if (im.max().item<double>() > 1.0)
    im.div_(255.0); // expect: tensor-shape-mismatch
  return im;
}

torch::Tensor loadRight(const std::vector<Frame> &frames, int64_t stride) {
  std::vector<torch::Tensor> all;
  for (const auto &f : frames)
    all.push_back(toTensor(f));
  auto im = single(torch::stack(all), stride);
  if (im.max().item<double>() > 1.0)
    im = im.to(torch::kFloat).div_(255.0);
  return im;
}

std::vector<torch::Tensor> detect(torch::nn::Sequential &net, const std::vector<Frame> &frames, double threshold, bool fixed) {
  torch::NoGradGuard guard;
  net->eval();
  auto im = fixed ? loadRight(frames, 32) : load(frames, 32);
  auto out = net->forward(im.contiguous()); // [batch, boxes, 6] // also: tensor-redundant-contiguous
  std::vector<torch::Tensor> kept;
  for (int64_t i = 0; i < out.size(0); ++i) {
    auto boxes = out[i];
    kept.push_back(boxes.index({boxes.select(1, 4) > threshold}));
  }
  return kept;
}
} // namespace tensor_source

// https://github.com/BSI-OFIQ/OFIQ-Project/pull/25
// A crop shares the rows of the whole image and is not continuous, yet from_blob is told nothing of the step.
namespace face_crop {
namespace cv { // as much of OpenCV as is used here
struct Rect {
  int x, y, width, height;
};
struct Mat {
  int rows = 0, cols = 0;
  size_t step = 0; // bytes of a row
  uint8_t *data = nullptr;
  static constexpr int kChannels = 3;
  Mat() = default;
  Mat(int r, int c, uint8_t *d, size_t s) : rows(r), cols(c), step(s), data(d) {}
  int channels() const { return kChannels; }
  bool isContinuous() const { return step == (size_t)cols * kChannels; }
  Mat operator()(const Rect &r) const { return Mat(r.height, r.width, data + r.y * step + r.x * kChannels, step); }
};
} // namespace cv

struct Session {
  std::vector<uint8_t> pixels;
  int width, height;
  cv::Rect face;
};

cv::Mat wholeImage(Session &s) { return cv::Mat(s.height, s.width, s.pixels.data(), (size_t)s.width * 3); }

torch::Tensor faceTensor(Session &s) {
  cv::Mat image = wholeImage(s);
  TORCH_CHECK(image.isContinuous() && s.face.width > 0 && s.face.width < image.cols);
  TORCH_CHECK(s.face.x >= 0 && s.face.x + s.face.width <= image.cols && s.face.y + s.face.height <= image.rows);
  cv::Mat crop = image(s.face);
  auto bytes = torch::from_blob(crop.data, {1, crop.rows, crop.cols, crop.channels()}, torch::kUInt8); // missed: tensor-from-blob-lifetime
  auto x = bytes.permute({0, 3, 1, 2}).to(torch::kFloat).div(255);
  return torch::upsample_bilinear2d(x, {112, 112}, false);
}

torch::Tensor faceTensorRight(Session &s) {
  cv::Mat image = wholeImage(s);
  TORCH_CHECK(image.isContinuous() && s.face.width > 0 && s.face.width < image.cols);
  TORCH_CHECK(s.face.x >= 0 && s.face.x + s.face.width <= image.cols && s.face.y + s.face.height <= image.rows);
  cv::Mat crop = image(s.face);
  auto bytes = torch::from_blob(crop.data, {1, crop.rows, crop.cols, crop.channels()}, {0, (int64_t)crop.step, crop.channels(), 1}, torch::kUInt8);
  auto x = bytes.permute({0, 3, 1, 2}).to(torch::kFloat).div(255);
  return torch::upsample_bilinear2d(x, {112, 112}, false);
}

double sharpness(Session &s, torch::nn::Sequential &net) {
  torch::NoGradGuard guard;
  auto a = net->forward(faceTensor(s));
  auto b = net->forward(faceTensorRight(s));
  return (a - b).abs().max().item<double>();
}
} // namespace face_crop

// https://github.com/styalai/xLSTM-pytorch/issues/2
// The state of the cell is a plain member and no buffer, so it stays on the CPU when the module is moved.
namespace slstm {
struct CellImpl : torch::nn::Module {
  torch::nn::Linear wz{nullptr}, wi{nullptr}, wf{nullptr}, wo{nullptr};
  torch::nn::LayerNorm norm{nullptr};
  torch::Tensor ct_1, nt_1;

  CellImpl(int64_t batch, int64_t size) {
    wz = register_module("wz", torch::nn::Linear(size, size));
    wi = register_module("wi", torch::nn::Linear(size, size));
    wf = register_module("wf", torch::nn::Linear(size, size));
    wo = register_module("wo", torch::nn::Linear(size, size));
    norm = register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({size})));
    ct_1 = register_buffer("ct_1", torch::zeros({batch, size}));
    nt_1 = torch::zeros({batch, size});
  }

  torch::Tensor forward(const torch::Tensor &x) {
    auto i = torch::exp(wi(x)), f = torch::sigmoid(wf(x)), o = torch::sigmoid(wo(x));
    auto ct = f * ct_1 + i * torch::tanh(wz(x));
    auto nt = f * nt_1 + i; // expect: tensor-device-mismatch
    ct_1 = ct.detach();
    nt_1 = nt.detach();
    return norm(o * ct / nt);
  }
};
TORCH_MODULE(Cell);

struct CellRightImpl : torch::nn::Module {
  torch::nn::Linear wz{nullptr}, wi{nullptr}, wf{nullptr}, wo{nullptr};
  torch::nn::LayerNorm norm{nullptr};
  torch::Tensor ct_1, nt_1;

  CellRightImpl(int64_t batch, int64_t size) {
    wz = register_module("wz", torch::nn::Linear(size, size));
    wi = register_module("wi", torch::nn::Linear(size, size));
    wf = register_module("wf", torch::nn::Linear(size, size));
    wo = register_module("wo", torch::nn::Linear(size, size));
    norm = register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({size})));
    ct_1 = register_buffer("ct_1", torch::zeros({batch, size}));
    nt_1 = register_buffer("nt_1", torch::zeros({batch, size}));
  }

  torch::Tensor forward(const torch::Tensor &x) {
    auto i = torch::exp(wi(x)), f = torch::sigmoid(wf(x)), o = torch::sigmoid(wo(x));
    auto ct = f * ct_1 + i * torch::tanh(wz(x));
    auto nt = f * nt_1 + i;
    ct_1 = ct.detach();
    nt_1 = nt.detach();
    return norm(o * ct / nt);
  }
};
TORCH_MODULE(CellRight);

torch::Tensor run(int64_t steps) {
  Cell cell(8, 64);
  CellRight right(8, 64);
  cell->to(torch::kCUDA);
  right->to(torch::kCUDA);
  torch::Tensor sum = torch::zeros({8, 64}, torch::kCUDA);
  for (int64_t t = 0; t < steps; ++t) {
    auto x = torch::randn({8, 64}, torch::kCUDA);
    sum = sum + cell(x) + right(x);
  }
  return sum;
}
} // namespace slstm

// https://github.com/AggMan96/RK-Net/issues/9
// The border of the attention map is cleared in place, but relu has saved that map for its gradient.
namespace rk_net {
struct UnitImpl : torch::nn::Module {
  torch::nn::Conv2d squeeze{nullptr}, fuse{nullptr};
  torch::nn::BatchNorm2d bn{nullptr};
  bool polish;
  UnitImpl(int64_t channels, bool polish_) : polish(polish_) {
    squeeze = register_module("squeeze", torch::nn::Conv2d(torch::nn::Conv2dOptions(channels, 1, 3).padding(1)));
    fuse = register_module("fuse", torch::nn::Conv2d(torch::nn::Conv2dOptions(channels, channels, 1)));
    bn = register_module("bn", torch::nn::BatchNorm2d(1));
  }

  torch::Tensor attention(const torch::Tensor &x) {
    auto att = torch::relu(bn(squeeze(x)));
    att.select(3, 0).zero_(); // expect: tensor-inplace-on-saved
    att.select(3, -1).zero_(); // also: tensor-inplace-on-saved
    att.select(2, 0).zero_(); // also: tensor-inplace-on-saved
    att.select(2, -1).zero_(); // also: tensor-inplace-on-saved
    return att;
  }

  torch::Tensor attentionRight(const torch::Tensor &x) {
    auto att = torch::relu(bn(squeeze(x))).clone();
    att.select(3, 0).zero_();
    att.select(3, -1).zero_();
    att.select(2, 0).zero_();
    att.select(2, -1).zero_();
    return att;
  }

  torch::Tensor forward(const torch::Tensor &x, bool fixed) {
    auto att = fixed ? attentionRight(x) : attention(x);
    return fuse(x * att) + x;
  }
};
TORCH_MODULE(Unit);

struct HeadImpl : torch::nn::Module {
  torch::nn::Linear fc{nullptr};
  HeadImpl(int64_t channels, int64_t classes) { fc = register_module("fc", torch::nn::Linear(channels, classes)); }
  torch::Tensor forward(const torch::Tensor &x) { return fc(x.mean({2, 3})); }
};
TORCH_MODULE(Head);

void train(Unit &unit, Head &head, torch::optim::Optimizer &optimizer, const torch::Tensor &images, const torch::Tensor &labels) {
  unit->train();
  head->train();
  for (bool fixed : {false, true}) {
    optimizer.zero_grad();
    auto logits = head(unit->forward(images, fixed));
    auto loss = torch::cross_entropy_loss(logits, labels);
    loss.backward();
    optimizer.step();
  }
}
} // namespace rk_net

// https://github.com/NM512/r2dreamer/issues/9
// The actions are shifted by a copy between two overlapping parts of one tensor; some are overwritten before they are read.
namespace dreamer_buffer {
struct Sample {
  torch::Tensor image;    // [batch, time, 3, 64, 64]
  torch::Tensor action;   // [batch, time, actions]
  torch::Tensor is_first; // [batch, time]
};

class Buffer {
public:
  Buffer(int64_t capacity, int64_t actions, int64_t batch, int64_t length) : capacity_(capacity), batch_(batch), length_(length) {
    TORCH_CHECK(batch > 1 && length > 2);
    image_ = torch::zeros({capacity, 3, 64, 64}, torch::kUInt8);
    action_ = torch::zeros({capacity, actions});
    first_ = torch::zeros({capacity}, torch::kBool);
  }

  void add(const torch::Tensor &image, const torch::Tensor &action, bool first) {
    const int64_t at = count_ % capacity_;
    image_[at].copy_(image);
    action_[at].copy_(action);
    first_[at].fill_(first);
    ++count_;
  }

  Sample draw() const {
    TORCH_CHECK(count_ >= length_);
    const int64_t filled = std::min(count_, capacity_);
    auto begin = torch::randint(0, filled - length_ + 1, {batch_, 1}, torch::kLong);
    auto index = begin + torch::arange(length_, torch::kLong);
    return {image_.index({index}), action_.index({index}), first_.index({index})};
  }

  // The model expects the action that led to an image beside it.
  Sample sample() const {
    auto s = draw();
    s.action.slice(1, 1).copy_(s.action.slice(1, 0, length_ - 1)); // expect: tensor-overlapping-write
    s.action.select(1, 0).zero_();
    return s;
  }

  Sample sampleRight() const {
    auto s = draw();
    s.action.slice(1, 1).copy_(s.action.slice(1, 0, length_ - 1).clone());
    s.action.select(1, 0).zero_();
    return s;
  }

private:
  int64_t capacity_, batch_, length_, count_ = 0;
  torch::Tensor image_, action_, first_;
};

torch::Tensor behave(const Buffer &buffer) {
  auto a = buffer.sample(), b = buffer.sampleRight();
  auto keep = (~a.is_first).unsqueeze(-1).to(torch::kFloat);
  return (a.action * keep).sum() + b.action.sum();
}
} // namespace dreamer_buffer

// https://github.com/nerminnuraydogan/vision-transformer/issues/1
// The scores are [batch, queries, keys] and softmax runs over the queries, so the weights of a query do not add up to 1.
namespace vit_notebook {
struct PatchesImpl : torch::nn::Module {
  torch::nn::Conv2d proj{nullptr};
  torch::Tensor cls, pos;
  PatchesImpl(int64_t image, int64_t patch, int64_t dim) {
    const int64_t n = (image / patch) * (image / patch);
    proj = register_module("proj", torch::nn::Conv2d(torch::nn::Conv2dOptions(3, dim, patch).stride(patch)));
    cls = register_parameter("cls", torch::randn({1, 1, dim}));
    pos = register_parameter("pos", torch::randn({1, n + 1, dim}));
  }
  torch::Tensor forward(const torch::Tensor &x) {
    auto p = proj(x).flatten(2).transpose(1, 2);
    return torch::cat({cls.expand({x.size(0), -1, -1}), p}, 1) + pos;
  }
};
TORCH_MODULE(Patches);

struct HeadImpl : torch::nn::Module {
  torch::nn::Linear query{nullptr}, key{nullptr}, value{nullptr};
  int64_t size;
  HeadImpl(int64_t dim, int64_t size_) : size(size_) {
    query = register_module("query", torch::nn::Linear(torch::nn::LinearOptions(dim, size).bias(false)));
    key = register_module("key", torch::nn::Linear(torch::nn::LinearOptions(dim, size).bias(false)));
    value = register_module("value", torch::nn::Linear(torch::nn::LinearOptions(dim, size).bias(false)));
  }

  std::tuple<torch::Tensor, torch::Tensor> forward(const torch::Tensor &x) {
    TORCH_CHECK(x.dim() == 3, "tokens of [batch, count, dim]");
    auto q = query(x), k = key(x), v = value(x);
    auto scores = torch::bmm(q, k.transpose(1, 2)) / std::sqrt((double)size);
    auto weights = torch::softmax(scores, 1);
    return {torch::bmm(weights, v), weights}; // expect: tensor-shape-mismatch
  }

  std::tuple<torch::Tensor, torch::Tensor> forwardRight(const torch::Tensor &x) {
    TORCH_CHECK(x.dim() == 3, "tokens of [batch, count, dim]");
    auto q = query(x), k = key(x), v = value(x);
    auto scores = torch::bmm(q, k.transpose(1, 2)) / std::sqrt((double)size);
    auto weights = torch::softmax(scores, -1);
    return {torch::bmm(weights, v), weights};
  }
};
TORCH_MODULE(Head);

torch::Tensor clsAttention(const torch::Tensor &images) {
  Patches patches(224, 16, 192);
  Head head(192, 64);
  auto tokens = patches(images);
  auto a = std::get<1>(head->forward(tokens)), b = std::get<1>(head->forwardRight(tokens));
  return a.select(1, 0).slice(1, 1) - b.select(1, 0).slice(1, 1);
}
} // namespace vit_notebook

// https://github.com/pyg-team/pytorch_geometric/pull/9766
// The tensors are joined along dim, but the groups are put in order along axis 0 whatever dim is.
namespace group_cat {
void check(const std::vector<torch::Tensor> &tensors, const std::vector<torch::Tensor> &indices, int64_t dim) {
  TORCH_CHECK(!tensors.empty() && tensors.size() == indices.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    TORCH_CHECK(indices[i].dim() == 1 && indices[i].scalar_type() == torch::kLong);
    TORCH_CHECK(tensors[i].size(dim) == indices[i].numel(), "one index for each entry along dim");
  }
}

std::tuple<torch::Tensor, torch::Tensor> groupCat(const std::vector<torch::Tensor> &tensors, const std::vector<torch::Tensor> &indices, int64_t dim) {
  check(tensors, indices, dim);
  auto [index, perm] = torch::sort(torch::cat(indices), /*stable=*/true, /*dim=*/0, /*descending=*/false);
  auto joined = torch::cat(tensors, dim);
  return {joined.index_select(0, perm), index}; // missed: tensor-shape-mismatch
}

std::tuple<torch::Tensor, torch::Tensor> groupCatRight(const std::vector<torch::Tensor> &tensors, const std::vector<torch::Tensor> &indices,
                                                       int64_t dim) {
  check(tensors, indices, dim);
  auto [index, perm] = torch::sort(torch::cat(indices), /*stable=*/true, /*dim=*/0, /*descending=*/false);
  auto joined = torch::cat(tensors, dim);
  return {joined.index_select(dim, perm), index};
}

torch::Tensor pool(const torch::Tensor &x, const torch::Tensor &index, int64_t dim, int64_t groups) {
  auto sizes = x.sizes().vec();
  sizes[dim] = groups;
  return torch::zeros(sizes, x.options()).index_add_(dim, index, x);
}

torch::Tensor merge(int64_t features) {
  // The features are the rows here and the nodes the columns.
  auto a = torch::rand({features, 4}), b = torch::rand({features, 5});
  auto ia = torch::tensor({0, 0, 1, 2}, torch::kLong), ib = torch::tensor({0, 1, 1, 1, 2}, torch::kLong);
  auto [wrong, wi] = groupCat({a, b}, {ia, ib}, 1);
  auto [right, ri] = groupCatRight({a, b}, {ia, ib}, 1);
  return pool(wrong, wi, 1, 3) + pool(right, ri, 1, 3);
}
} // namespace group_cat

// https://github.com/tenstorrent/tt-metal/pull/21121
// argmax drops the axis of the vocabulary, and the [batch] of new tokens does not go behind the [batch, steps] of old ones.
namespace decode_demo {
struct LmImpl : torch::nn::Module {
  torch::nn::Embedding embed{nullptr};
  torch::nn::GRU rnn{nullptr};
  torch::nn::Linear head{nullptr};
  LmImpl(int64_t vocab, int64_t dim) {
    embed = register_module("embed", torch::nn::Embedding(vocab, dim));
    rnn = register_module("rnn", torch::nn::GRU(torch::nn::GRUOptions(dim, dim).num_layers(2).batch_first(true)));
    head = register_module("head", torch::nn::Linear(dim, vocab));
  }
  torch::Tensor forward(const torch::Tensor &tokens) {
    auto h = std::get<0>(rnn->forward(embed(tokens)));
    return head(h); // [batch, steps, vocab]
  }
};
TORCH_MODULE(Lm);

struct Options {
  int64_t max_new = 32;
  int64_t eos = 2;
};

torch::Tensor generate(Lm &model, const torch::Tensor &prompt, const Options &opt) {
  TORCH_CHECK(prompt.dim() == 2 && prompt.scalar_type() == torch::kLong);
  torch::NoGradGuard guard;
  model->eval();
  auto tokens = prompt;
  for (int64_t i = 0; i < opt.max_new; ++i) {
    auto logits = model(tokens).select(1, -1);
    auto next = torch::argmax(logits, -1);
    tokens = torch::cat({tokens, next}, 1); // expect: tensor-shape-mismatch
    if (next.eq(opt.eos).all().item<bool>())
      break;
  }
  return tokens.slice(1, prompt.size(1));
}

torch::Tensor generateRight(Lm &model, const torch::Tensor &prompt, const Options &opt) {
  TORCH_CHECK(prompt.dim() == 2 && prompt.scalar_type() == torch::kLong);
  torch::NoGradGuard guard;
  model->eval();
  auto tokens = prompt;
  for (int64_t i = 0; i < opt.max_new; ++i) {
    auto logits = model(tokens).select(1, -1);
    auto next = torch::argmax(logits, -1, true);
    tokens = torch::cat({tokens, next}, 1);
    if (next.eq(opt.eos).all().item<bool>())
      break;
  }
  return tokens.slice(1, prompt.size(1));
}
} // namespace decode_demo

// https://github.com/danijar/dreamerv3/pull/215
// The target is kept as (height, width), and the resize is given (width, height).
namespace resize_wrapper {
namespace F = torch::nn::functional;

struct Spec {
  int64_t height, width, channels;
  bool operator==(const Spec &) const = default;
};

class Env {
public:
  explicit Env(Spec spec) : spec_(spec) {}
  Spec spec() const { return spec_; }
  torch::Tensor observe() const { return torch::randint(0, 256, {spec_.height, spec_.width, spec_.channels}, torch::kUInt8); }

private:
  Spec spec_;
};

class ResizeImage {
public:
  ResizeImage(const Env &env, int64_t height, int64_t width) : env_(env), height_(height), width_(width) {
    TORCH_CHECK(height > 0 && width > 0);
    TORCH_CHECK(height != width, "square targets go through the fast path");
  }
  Spec spec() const { return {height_, width_, env_.spec().channels}; }

  torch::Tensor observe() const {
    auto image = env_.observe().permute({2, 0, 1}).unsqueeze(0).to(torch::kFloat);
    image = F::interpolate(image, F::InterpolateFuncOptions().size(std::vector<int64_t>{width_, height_}).mode(torch::kBilinear).align_corners(false));
    return image.squeeze(0).permute({1, 2, 0}).round().clamp(0, 255).to(torch::kUInt8);
  }

  torch::Tensor observeRight() const {
    auto image = env_.observe().permute({2, 0, 1}).unsqueeze(0).to(torch::kFloat);
    image = F::interpolate(image, F::InterpolateFuncOptions().size(std::vector<int64_t>{height_, width_}).mode(torch::kBilinear).align_corners(false));
    return image.squeeze(0).permute({1, 2, 0}).round().clamp(0, 255).to(torch::kUInt8);
  }

private:
  const Env &env_;
  int64_t height_, width_;
};

torch::Tensor collect(int64_t steps, bool fixed) {
  Env env({210, 160, 3});
  ResizeImage resized(env, 96, 64);
  auto s = resized.spec();
  auto log = torch::empty({steps, s.height, s.width, s.channels}, torch::kUInt8);
  for (int64_t t = 0; t < steps; ++t)
    log[t].copy_(fixed ? resized.observeRight() : resized.observe()); // expect: tensor-shape-mismatch
  return log;
}
} // namespace resize_wrapper

// https://github.com/mlech26l/ncps/issues/62
// The state of the last step is fed to the next one with its graph, which the first backward has freed.
namespace cfc_loop {
struct CfcImpl : torch::nn::Module {
  torch::nn::Linear backbone{nullptr}, ff1{nullptr}, ff2{nullptr}, time_a{nullptr}, time_b{nullptr}, readout{nullptr};
  int64_t units;
  CfcImpl(int64_t in, int64_t units_, int64_t out) : units(units_) {
    backbone = register_module("backbone", torch::nn::Linear(in + units, 128));
    ff1 = register_module("ff1", torch::nn::Linear(128, units));
    ff2 = register_module("ff2", torch::nn::Linear(128, units));
    time_a = register_module("time_a", torch::nn::Linear(128, units));
    time_b = register_module("time_b", torch::nn::Linear(128, units));
    readout = register_module("readout", torch::nn::Linear(units, out));
  }
  std::pair<torch::Tensor, torch::Tensor> forward(const torch::Tensor &x, const torch::Tensor &hx, double ts) {
    auto z = torch::silu(backbone(torch::cat({x, hx}, 1)));
    auto gate = torch::sigmoid(time_a(z) * ts + time_b(z));
    auto next = torch::tanh(ff1(z)) * (1 - gate) + gate * torch::tanh(ff2(z));
    return {readout(next), next};
  }
};
TORCH_MODULE(Cfc);

struct Chunk {
  torch::Tensor x, y; // [batch, features], [batch, outputs]
};

std::vector<double> train(Cfc &model, const std::vector<Chunk> &chunks, int64_t batch) {
  torch::optim::Adam optimizer(model->parameters(), torch::optim::AdamOptions(1e-3));
  auto hx = torch::zeros({batch, model->units});
  std::vector<double> history;
  for (const auto &c : chunks) {
    auto [pred, next] = model->forward(c.x, hx, 1.0);
    auto loss = torch::mse_loss(pred, c.y);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    hx = next; // expect: tensor-graph-retention
    history.push_back(loss.item<double>());
  }
  return history;
}

std::vector<double> trainRight(Cfc &model, const std::vector<Chunk> &chunks, int64_t batch) {
  torch::optim::Adam optimizer(model->parameters(), torch::optim::AdamOptions(1e-3));
  auto hx = torch::zeros({batch, model->units});
  std::vector<double> history;
  for (const auto &c : chunks) {
    auto [pred, next] = model->forward(c.x, hx, 1.0);
    auto loss = torch::mse_loss(pred, c.y);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    hx = next.detach();
    history.push_back(loss.item<double>());
  }
  return history;
}
} // namespace cfc_loop

// https://github.com/Quantinuum/lambeq/pull/251
// The losses of the epoch are summed as tensors, so the graph of every batch of the epoch stays alive until the sum is read.
namespace pytorch_trainer {
struct Batch {
  torch::Tensor x, y;
};

struct Log {
  std::vector<double> train_epoch_costs, val_costs;
  std::vector<torch::Tensor> outputs;
};

class Trainer {
public:
  Trainer(torch::nn::Sequential model, double lr, int64_t epochs)
      : model_(std::move(model)), optimizer_(model_->parameters(), torch::optim::AdamWOptions(lr)), epochs_(epochs) {}

  std::pair<torch::Tensor, torch::Tensor> trainingStep(const Batch &b) {
    auto y_hat = model_->forward(b.x);
    auto loss = torch::binary_cross_entropy_with_logits(y_hat, b.y);
    optimizer_.zero_grad();
    loss.backward();
    optimizer_.step();
    return {y_hat, loss};
  }

  void fit(const std::vector<Batch> &train, Log &log) {
    model_->train();
    for (int64_t e = 0; e < epochs_; ++e) {
      auto total = torch::zeros({});
      for (const auto &b : train) {
        auto [y_hat, loss] = trainingStep(b);
        total = total + loss; // expect: tensor-graph-retention
        log.outputs.push_back(y_hat.detach().sigmoid());
      }
      log.train_epoch_costs.push_back(total.item<double>() / train.size());
    }
  }

  void fitRight(const std::vector<Batch> &train, Log &log) {
    model_->train();
    for (int64_t e = 0; e < epochs_; ++e) {
      auto total = torch::zeros({});
      for (const auto &b : train) {
        auto [y_hat, loss] = trainingStep(b);
        total = total + loss.detach();
        log.outputs.push_back(y_hat.detach().sigmoid());
      }
      log.train_epoch_costs.push_back(total.item<double>() / train.size());
    }
  }

  double validate(const std::vector<Batch> &data) {
    torch::NoGradGuard guard;
    model_->eval();
    double sum = 0;
    for (const auto &b : data)
      sum += torch::binary_cross_entropy_with_logits(model_->forward(b.x), b.y).item<double>();
    return sum / data.size();
  }

private:
  torch::nn::Sequential model_;
  torch::optim::AdamW optimizer_;
  int64_t epochs_;
};
} // namespace pytorch_trainer

// https://github.com/yastrebksv/TennisCourtDetector/issues/7
// The gradients are never set to zero, so each step goes along the sum of all batches so far.
namespace court {
struct TrackNetImpl : torch::nn::Module {
  torch::nn::Sequential encoder{nullptr}, decoder{nullptr};
  TrackNetImpl(int64_t out_channels) {
    encoder = register_module("encoder", torch::nn::Sequential(torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 64, 3).padding(1)), torch::nn::ReLU(),
                                                               torch::nn::BatchNorm2d(64), torch::nn::MaxPool2d(2)));
    decoder = register_module("decoder",
                              torch::nn::Sequential(torch::nn::Upsample(torch::nn::UpsampleOptions().scale_factor(std::vector<double>{2, 2})),
                                                    torch::nn::Conv2d(torch::nn::Conv2dOptions(64, out_channels, 3).padding(1))));
  }
  torch::Tensor forward(const torch::Tensor &x) { return decoder->forward(encoder->forward(x)); }
};
TORCH_MODULE(TrackNet);

struct Sample {
  torch::Tensor image, heatmap;
};

double trainEpoch(TrackNet &model, const std::vector<Sample> &loader, torch::optim::Adam &optimizer, int64_t max_iters, torch::Device device) {
  model->train();
  std::vector<double> losses;
  for (const auto &batch : loader) {
    auto out = model(batch.image.to(device));
    auto loss = torch::mse_loss(torch::sigmoid(out), batch.heatmap.to(device));
    loss.backward();
    optimizer.step(); // expect: tensor-graph-retention
    losses.push_back(loss.item<double>());
    if ((int64_t)losses.size() >= max_iters)
      break;
  }
  double sum = 0;
  for (double l : losses)
    sum += l;
  return sum / losses.size();
}

double trainEpochRight(TrackNet &model, const std::vector<Sample> &loader, torch::optim::Adam &optimizer, int64_t max_iters, torch::Device device) {
  model->train();
  std::vector<double> losses;
  for (const auto &batch : loader) {
    optimizer.zero_grad();
    auto out = model(batch.image.to(device));
    auto loss = torch::mse_loss(torch::sigmoid(out), batch.heatmap.to(device));
    loss.backward();
    optimizer.step();
    losses.push_back(loss.item<double>());
    if ((int64_t)losses.size() >= max_iters)
      break;
  }
  double sum = 0;
  for (double l : losses)
    sum += l;
  return sum / losses.size();
}

void fit(const std::vector<Sample> &data, int64_t epochs, bool fixed) {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  TrackNet model(15);
  model->to(device);
  torch::optim::Adam optimizer(model->parameters(), torch::optim::AdamOptions(1e-5).betas({0.9, 0.999}));
  for (int64_t e = 0; e < epochs; ++e)
    fixed ? trainEpochRight(model, data, optimizer, 1000, device) : trainEpoch(model, data, optimizer, 1000, device);
}
} // namespace court

// https://github.com/QwenLM/FlashQLA/issues/6
// The number of chunks is fetched from the GPU in every layer, though it is the same for all; each fetch waits for the whole queue.
namespace flash_qla {
void launch_prepare_h(const float *k, const float *v, const int64_t *chunk_offsets, float *h, int64_t chunks, int heads, int size);

torch::Tensor chunkOffsets(const torch::Tensor &cu_seqlens, int64_t chunk) {
  auto lengths = cu_seqlens.slice(0, 1) - cu_seqlens.slice(0, 0, -1);
  auto counts = torch::div(lengths + (chunk - 1), chunk, "floor");
  return torch::cat({cu_seqlens.new_zeros({1}), counts}).cumsum(0);
}

struct Layer {
  torch::Tensor k, v; // [tokens, heads, size], float, on the GPU
};

std::vector<torch::Tensor> prepare(const std::vector<Layer> &layers, const torch::Tensor &cu_seqlens, int64_t chunk) {
  TORCH_CHECK(cu_seqlens.is_cuda() && cu_seqlens.scalar_type() == torch::kLong && cu_seqlens.dim() == 1);
  auto offsets = chunkOffsets(cu_seqlens, chunk);
  std::vector<torch::Tensor> states;
  states.reserve(layers.size());
  for (const auto &layer : layers) {
    TORCH_CHECK(layer.k.is_contiguous() && layer.v.is_contiguous() && layer.k.sizes() == layer.v.sizes());
    const int64_t heads = layer.k.size(1), size = layer.k.size(2);
    const int64_t chunks = offsets[-1].item<int64_t>(); // expect: tensor-sync-in-loop
    auto h = layer.k.new_empty({chunks, heads, size, size});
    launch_prepare_h(layer.k.data_ptr<float>(), layer.v.data_ptr<float>(), offsets.data_ptr<int64_t>(), h.data_ptr<float>(), chunks, heads, size);
    states.push_back(h);
  }
  return states;
}

std::vector<torch::Tensor> prepareRight(const std::vector<Layer> &layers, const torch::Tensor &cu_seqlens, int64_t chunk) {
  TORCH_CHECK(cu_seqlens.is_cuda() && cu_seqlens.scalar_type() == torch::kLong && cu_seqlens.dim() == 1);
  auto offsets = chunkOffsets(cu_seqlens, chunk);
  const int64_t chunks = offsets[-1].item<int64_t>();
  std::vector<torch::Tensor> states;
  states.reserve(layers.size());
  for (const auto &layer : layers) {
    TORCH_CHECK(layer.k.is_contiguous() && layer.v.is_contiguous() && layer.k.sizes() == layer.v.sizes());
    const int64_t heads = layer.k.size(1), size = layer.k.size(2);
    auto h = layer.k.new_empty({chunks, heads, size, size});
    launch_prepare_h(layer.k.data_ptr<float>(), layer.v.data_ptr<float>(), offsets.data_ptr<int64_t>(), h.data_ptr<float>(), chunks, heads, size);
    states.push_back(h);
  }
  return states;
}
} // namespace flash_qla

// https://github.com/XiandaGuo/OpenStereo/pull/80
// With nothing padded on the right the slice ends at -0, that is at 0, and the disparity has no columns left.
namespace open_stereo {
namespace F = torch::nn::functional;

struct Pad {
  int64_t top = 0, right = 0;
};

struct Pair {
  torch::Tensor left, right; // [batch, 3, height, width]
};

// KITTI is padded at the top only; the width has to fit already.
std::tuple<Pair, Pad> padTop(const Pair &in, int64_t divisor) {
  const int64_t h = in.left.size(2), w = in.left.size(3);
  TORCH_CHECK(w % divisor == 0, "the width has to be a multiple of ", divisor);
  Pad pad;
  pad.top = (divisor - h % divisor) % divisor;
  auto grow = [&](const torch::Tensor &x) {
    return F::pad(x, F::PadFuncOptions({0, pad.right, pad.top, 0}).mode(torch::kConstant).value(0));
  };
  return {Pair{grow(in.left), grow(in.right)}, pad};
}

torch::Tensor match(const Pair &p, int64_t max_disp) {
  std::vector<torch::Tensor> costs;
  for (int64_t d = 0; d < max_disp; ++d)
    costs.push_back((p.left - torch::roll(p.right, {d}, {3})).abs().mean(1));
  auto volume = torch::stack(costs, 1);
  auto disp = torch::arange(max_disp, volume.options()).view({1, max_disp, 1, 1});
  return (torch::softmax(-volume, 1) * disp).sum(1); // [batch, height, width]
}

torch::Tensor estimate(const Pair &in, const torch::Tensor &truth) {
  auto [padded, pad] = padTop(in, 32);
  auto disp = match(padded, 48);
  disp = disp.slice(1, pad.top).slice(2, 0, -pad.right); // missed: tensor-shape-mismatch
  auto valid = truth > 0;
  return (disp - truth).abs().masked_select(valid).mean();
}

torch::Tensor estimateRight(const Pair &in, const torch::Tensor &truth) {
  auto [padded, pad] = padTop(in, 32);
  auto disp = match(padded, 48);
  disp = disp.slice(1, pad.top).slice(2, 0, disp.size(2) - pad.right);
  auto valid = truth > 0;
  return (disp - truth).abs().masked_select(valid).mean();
}
} // namespace open_stereo
