// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-missing-no-grad -- %torch
// A guard, and no eval(): what was read from a file runs in training mode.

#include <torch/torch.h>

struct MatcherImpl : torch::nn::Module {
  MatcherImpl() {
    proj = register_module("proj", torch::nn::Linear(8, 4));
    drop = register_module("drop", torch::nn::Dropout(0.1));
  }
  at::Tensor forward(const at::Tensor &x) { return proj->forward(drop->forward(x)); }
  torch::nn::Linear proj{nullptr};
  torch::nn::Dropout drop{nullptr};
};
TORCH_MODULE(Matcher);
struct PlainImpl : torch::nn::Module {
  PlainImpl() { proj = register_module("proj", torch::nn::Linear(8, 4)); }
  at::Tensor forward(const at::Tensor &x) { return proj->forward(x); }
  torch::nn::Linear proj{nullptr};
};
TORCH_MODULE(Plain);

std::vector<double> scores(const std::string &path, const std::vector<at::Tensor> &xs) {
  Matcher model;
  torch::load(model, path);
  model->to(torch::kCUDA);
  torch::NoGradGuard none;
  // CHECK-MESSAGES: :[[#@LINE+4]]:{{.*}}: warning: 'model' was read from a file and runs in training mode: dropout and batch norm do here what they do in training; call eval() [tensor-missing-no-grad]
  // CHECK-MESSAGES: :[[#@LINE-2]]:{{.*}}: note: this keeps autograd from recording, and no more
  std::vector<double> all;
  for (const auto &x : xs)
    all.push_back(model->forward(x.to(torch::kCUDA)).mean().item<double>());
  return all;
}
class Server {
public:
  explicit Server(const std::string &path) { torch::load(net, path); }
  at::Tensor run(const at::Tensor &x) {
    c10::InferenceMode mode;
    return net->forward(x);
    // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: 'net' was read from a file and runs in training mode
  }

private:
  Matcher net;
};

// In evaluation mode; without anything that asks for it; trained meanwhile;
// given to who may set the mode.
at::Tensor ready(const std::string &path, const at::Tensor &x) {
  Matcher model;
  torch::load(model, path);
  model->eval();
  torch::NoGradGuard none;
  return model->forward(x);
}
at::Tensor plain(const std::string &path, const at::Tensor &x) {
  Plain model;
  torch::load(model, path);
  torch::NoGradGuard none;
  return model->forward(x);
}
void prepare(Matcher &model);
at::Tensor prepared(const std::string &path, const at::Tensor &x) {
  Matcher model;
  torch::load(model, path);
  prepare(model);
  torch::NoGradGuard none;
  return model->forward(x);
}
class Ready {
public:
  explicit Ready(const std::string &path) {
    torch::load(net, path);
    net->eval();
  }
  at::Tensor run(const at::Tensor &x) {
    c10::InferenceMode mode;
    return net->forward(x);
  }

private:
  Matcher net;
};
// Who gets the module may set its mode.
class Open {
public:
  explicit Open(const std::string &path) { torch::load(net, path); }
  Matcher &module() { return net; }
  at::Tensor run(const at::Tensor &x) {
    c10::InferenceMode mode;
    return net->forward(x);
  }

private:
  Matcher net;
};
// New weights, for the sizes of what comes out.
at::Tensor probe(const at::Tensor &x) {
  Matcher model;
  torch::NoGradGuard none;
  return model->forward(x);
}
