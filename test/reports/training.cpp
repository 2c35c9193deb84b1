// Graphs, modes and devices of training loops.
#include <torch/torch.h>
#include <torch/script.h>
#include <iostream>
#include <vector>

// https://github.com/ray-project/ray/pull/40940
// The sum of losses keeps every step's graph.
namespace finetune {
struct Net : torch::nn::Module {
  torch::nn::Linear in{nullptr}, out{nullptr};
  explicit Net(int64_t width) {
    in = register_module("in", torch::nn::Linear(width, 64));
    out = register_module("out", torch::nn::Linear(64, 1));
  }
  torch::Tensor forward(torch::Tensor x) { return out->forward(torch::relu(in->forward(x))); }
};

template <typename Loader> double bug(Net &net, Loader &loader, torch::optim::Adam &optimizer) {
  net.train();
  torch::Tensor loss_sum = torch::zeros({});
  int64_t steps = 0;
  for (auto &batch : loader) {
    auto prediction = net.forward(batch.data);
    auto loss = torch::mse_loss(prediction, batch.target);
    loss_sum += loss;
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    ++steps;
  }
  return loss_sum.template item<double>() / steps;
}

double epoch(Net &net, const std::vector<std::pair<at::Tensor, at::Tensor>> &batches, torch::optim::Adam &optimizer) {
  net.train();
  torch::Tensor loss_sum = torch::zeros({});
  int64_t steps = 0;
  for (const auto &batch : batches) {
    auto prediction = net.forward(batch.first);
    auto loss = torch::mse_loss(prediction, batch.second);
    loss_sum += loss; // expect: tensor-graph-retention
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    ++steps;
  }
  return loss_sum.item<double>() / steps;
}

double fixed(Net &net, const std::vector<std::pair<at::Tensor, at::Tensor>> &batches, torch::optim::Adam &optimizer) {
  double loss_sum = 0;
  for (const auto &batch : batches) {
    auto loss = torch::mse_loss(net.forward(batch.first), batch.second);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    loss_sum += loss.item<double>();
  }
  return loss_sum / batches.size();
}
} // namespace finetune

// https://github.com/anira-project/anira/issues/45
// Real-time inference records a graph for each buffer.
namespace inference {
class Processor {
public:
  explicit Processor(const std::string &path) : module_(torch::jit::load(path)) { module_.eval(); }
  void process(const std::vector<float> &in, std::vector<float> &out) {
    inputs_.clear();
    auto buffer = torch::from_blob(const_cast<float *>(in.data()), {1, 1, static_cast<int64_t>(in.size())}).clone();
    inputs_.push_back(buffer);
    auto result = module_.forward(inputs_).toTensor(); // expect: tensor-missing-no-grad
    auto values = result.contiguous();
    for (size_t i = 0; i < out.size(); ++i)
      out[i] = values.data_ptr<float>()[i];
  }

private:
  torch::jit::Module module_;
  std::vector<torch::jit::IValue> inputs_;
};
} // namespace inference

// https://github.com/asahi417/lmppl/pull/12
// The labels stay where they were read.
namespace perplexity {
at::Tensor bug(torch::nn::Linear &head, const std::vector<int64_t> &tokens, int64_t vocabulary) {
  torch::NoGradGuard guard;
  torch::Device device(torch::kCUDA);
  head->to(device);
  auto ids = torch::tensor(tokens, torch::kLong);
  auto hidden = torch::rand({ids.size(0), 32}, torch::TensorOptions().device(device));
  auto logits = head->forward(hidden);
  auto shifted = logits.slice(0, 0, -1);
  auto labels = ids.slice(0, 1);
  auto logprob = torch::log_softmax(shifted, 1);
  return torch::nll_loss(logprob, labels); // expect: tensor-device-mismatch
}

at::Tensor fix(torch::nn::Linear &head, const std::vector<int64_t> &tokens, int64_t vocabulary) {
  torch::NoGradGuard guard;
  torch::Device device(torch::kCUDA);
  head->to(device);
  auto ids = torch::tensor(tokens, torch::kLong).to(device);
  auto hidden = torch::rand({ids.size(0), 32}, torch::TensorOptions().device(device));
  auto logprob = torch::log_softmax(head->forward(hidden).slice(0, 0, -1), 1);
  return torch::nll_loss(logprob, ids.slice(0, 1));
}
} // namespace perplexity

// https://github.com/KUL-recon-lab/parallelproj/pull/120
// Projection geometry lies on the host, the image on the device.
namespace projector {
struct Geometry {
  at::Tensor origin, spacing;
  explicit Geometry(int64_t dims) : origin(torch::zeros({dims})), spacing(torch::ones({dims})) {}
};

at::Tensor bug(int64_t events) {
  Geometry g(3);
  auto points = torch::rand({events, 3}, torch::kCUDA);
  auto image = torch::zeros({64, 64, 64}, torch::kCUDA);
  auto local = (points - g.origin) / g.spacing; // expect: tensor-device-mismatch // also: tensor-device-mismatch
  auto voxel = local.floor().to(torch::kLong).clamp(0, 63);
  return image.index({voxel.select(1, 0), voxel.select(1, 1), voxel.select(1, 2)});
}

at::Tensor fix(int64_t events) {
  Geometry g(3);
  auto points = torch::rand({events, 3}, torch::kCUDA);
  auto image = torch::zeros({64, 64, 64}, torch::kCUDA);
  auto local = (points - g.origin.to(points.device())) / g.spacing.to(points.device());
  auto voxel = local.floor().to(torch::kLong).clamp(0, 63);
  return image.index({voxel.select(1, 0), voxel.select(1, 1), voxel.select(1, 2)});
}
} // namespace projector

// https://github.com/openforcefield/smee/pull/80
// A mask made beside the values, on another device.
namespace forces {
at::Tensor bug(const at::Tensor &coordinates, double cutoff) {
  auto x = coordinates.cuda();
  const int64_t n = x.size(0);
  auto distances = torch::cdist(x, x);
  auto upper = torch::triu(torch::ones({n, n}), 1);
  auto inside = distances.lt(cutoff).to(torch::kFloat);
  auto pairs = inside * upper; // expect: tensor-device-mismatch
  auto energy = (pairs / (distances + 1e-6)).sum();
  return energy;
}

at::Tensor fix(const at::Tensor &coordinates, double cutoff) {
  auto x = coordinates.cuda();
  const int64_t n = x.size(0);
  auto distances = torch::cdist(x, x);
  auto upper = torch::triu(torch::ones({n, n}, x.options()), 1);
  auto pairs = distances.lt(cutoff).to(torch::kFloat) * upper;
  return (pairs / (distances + 1e-6)).sum();
}
} // namespace forces

// https://github.com/openvdb/fvdb-reality-capture/pull/144
// The loss is waited for twice in each step.
namespace reconstruct {
struct Bar {
  void set(double value);
  void tick();
};
void log(int64_t step, double value);

void bug(torch::nn::Linear &net, const std::vector<at::Tensor> &images, torch::optim::Adam &optimizer, Bar &bar) {
  int64_t step = 0;
  for (const auto &image : images) {
    auto loss = net->forward(image.to(torch::kCUDA)).pow(2).mean();
    bar.set(loss.item<double>());
    loss.backward();
    optimizer.step();
    optimizer.zero_grad();
    log(step, loss.item<double>()); // missed: tensor-sync-in-loop
    bar.tick();
    ++step;
  }
}
} // namespace reconstruct

// https://github.com/andrewgcodes/xlstm/issues/4
// Predictions [batch, 1] and targets [batch] broadcast to a square.
namespace dqn {
struct Batch {
  torch::Tensor states, actions, rewards, next, done;
};
struct NetImpl : torch::nn::Module {
  torch::nn::Linear hidden{nullptr}, out{nullptr};
  NetImpl(int64_t in, int64_t actions) {
    hidden = register_module("hidden", torch::nn::Linear(in, 64));
    out = register_module("out", torch::nn::Linear(64, actions));
  }
  torch::Tensor forward(const torch::Tensor &x) { return out(torch::relu(hidden(x))); }
};
TORCH_MODULE(Net);

torch::Tensor loss(Net net, Net target, const Batch &b, double gamma) {
  auto q = net->forward(b.states).gather(1, b.actions.unsqueeze(1));
  torch::Tensor expected;
  {
    torch::NoGradGuard guard;
    auto best = std::get<0>(target->forward(b.next).max(1));
    expected = best * gamma;
  }
  return torch::mse_loss(q, expected); // expect: tensor-shape-mismatch
}

torch::Tensor lossRight(Net net, Net target, const Batch &b, double gamma) {
  auto q = net->forward(b.states).gather(1, b.actions.unsqueeze(1)).squeeze(1);
  torch::Tensor expected;
  {
    torch::NoGradGuard guard;
    auto best = std::get<0>(target->forward(b.next).max(1));
    expected = best * gamma;
  }
  return torch::mse_loss(q, expected);
}
} // namespace dqn
