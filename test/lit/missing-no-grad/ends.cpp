// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-missing-no-grad -- %torch
// Level 1: all that a forward() gives ends in numbers, elements and detached
// tensors, and nobody in the unit calls the function while nothing is recorded.

#include <torch/torch.h>
#include <torch/script.h>

struct NetImpl : torch::nn::Module {
  NetImpl() {
    a = register_module("a", torch::nn::Linear(4, 8));
    b = register_module("b", torch::nn::Linear(8, 2));
  }
  at::Tensor forward(const at::Tensor &x) { return b->forward(torch::relu(a->forward(x))); }
  torch::nn::Linear a{nullptr}, b{nullptr};
};
TORCH_MODULE(Net);

double worst(Net &net, const std::vector<at::Tensor> &xs, const std::vector<at::Tensor> &expected) {
  net->eval();
  double most = 0;
  for (size_t i = 0; i < xs.size(); ++i) {
    auto y = net->forward(xs[i]);
    // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: this forward() records a graph for gradients, and the function keeps nothing that has one, unless the caller has a NoGradGuard [tensor-missing-no-grad]
    // CHECK-MESSAGES: :[[#@LINE-5]]:{{.*}}: note: eval() changes what some modules do; it does not keep autograd from recording
    most = std::max(most, (y - expected[i]).abs().max().item<double>());
  }
  return most;
}

// What goes on by lists, records, copies into elements and integers.
at::Tensor bytes(const std::string &path, const std::vector<at::Tensor> &frames) {
  Net net;
  torch::load(net, path);
  net->eval();
  std::vector<at::Tensor> all;
  for (const auto &frame : frames)
    all.push_back(net->forward(frame).sigmoid());
  // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: this forward() records a graph
  return torch::cat(all).mul(255).to(torch::kUInt8);
}
class Processor {
public:
  explicit Processor(const std::string &path) : module(torch::jit::load(path)) { module.eval(); }
  void process(const at::Tensor &in, std::vector<float> &out) {
    auto y = module.forward({in}).toTensor().contiguous();
    // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: this forward() records a graph
    std::copy(y.data_ptr<float>(), y.data_ptr<float>() + y.numel(), out.begin());
  }

private:
  torch::jit::Module module;
};

// What leaves the function with its graph: somebody may want its gradients.
at::Tensor returned(Net &net, const at::Tensor &x) {
  net->eval();
  return net->forward(x) * 2;
}
void stored(Net &net, const at::Tensor &x, std::vector<at::Tensor> &out) {
  net->eval();
  out.push_back(net->forward(x));
}
void written(Net &net, const at::Tensor &x, at::Tensor &out) {
  net->eval();
  out.copy_(net->forward(x));
}
void keep(std::vector<at::Tensor> all);
void handedOn(Net &net, const at::Tensor &x) {
  net->eval();
  std::vector<at::Tensor> all{net->forward(x)};
  keep(std::move(all));
}
// A caller whose guard lives meanwhile, also by another call.
static double score(Net &net, const at::Tensor &x) {
  net->eval();
  return net->forward(x).mean().item<double>();
}
static double twice(Net &net, const at::Tensor &x) { return score(net, x) + score(net, x); }
double evaluate(Net &net, const at::Tensor &x) {
  c10::InferenceMode mode;
  return twice(net, x);
}
