// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-missing-no-grad --config='{CheckOptions: {tensor-missing-no-grad.Level: 2}}' -- %torch
// eval() in another method, and modules that were loaded.

#include <torch/nn.h>
#include <torch/script.h>

class Detector {
public:
  explicit Detector(const std::string &path) : module(torch::jit::load(path)) { module.eval(); }
  at::Tensor run(const at::Tensor &image) {
    std::vector<torch::jit::IValue> inputs{image};
    return module.forward(inputs).toTensor();
    // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: this forward() records a graph for gradients that this function does not use
    // CHECK-MESSAGES: :[[#@LINE-2]]:12: note: another method calls eval(), which does not keep autograd from recording
  }
  at::Tensor guarded(const at::Tensor &image) {
    torch::NoGradGuard guard;
    return module.forward({image}).toTensor();
  }

private:
  torch::jit::script::Module module;
};

std::vector<at::Tensor> files(const std::string &path, const std::vector<at::Tensor> &images) {
  auto model = torch::jit::load(path);
  std::vector<at::Tensor> found;
  for (const auto &image : images)
    found.push_back(model.forward({image}).toTensor());
  // CHECK-MESSAGES: :[[#@LINE-1]]:21: warning: this forward() records a graph for gradients that this function does not use
  // CHECK-MESSAGES: :[[#@LINE-2]]:21: note: a loaded module records as well, where it was saved with parameters that require gradients
  return found;
}
void each(torch::jit::script::Module &model, const std::vector<at::Tensor> &images) {
  for (const auto &image : images)
    model.forward({image});
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: this forward() records a graph
}

// Once, for whoever calls: nobody knows.
at::Tensor once(torch::jit::script::Module &model, const at::Tensor &image) { return model.forward({image}).toTensor(); }
std::vector<at::Tensor> inference(const std::string &path, const std::vector<at::Tensor> &images) {
  c10::InferenceMode guard;
  auto model = torch::jit::load(path);
  std::vector<at::Tensor> found;
  for (const auto &image : images)
    found.push_back(model.forward({image}).toTensor());
  return found;
}
void tuned(const std::string &path, const std::vector<at::Tensor> &images) {
  auto model = torch::jit::load(path);
  model.train();
  for (const auto &image : images)
    model.forward({image}).toTensor().sum().backward();
}

// A class that trains as well.
class Trainer {
public:
  void fit(const at::Tensor &x) {
    net->train();
    net->forward(x).sum().backward();
  }
  void test() { net->eval(); }
  at::Tensor run(const at::Tensor &x) { return net->forward(x); }

private:
  torch::nn::Linear net{4, 2};
};

// A method of the user's that runs modules, and is no optimizer's step().
struct PredictorImpl : torch::nn::Module {
  PredictorImpl(int64_t h, int64_t n) {
    head = register_module("head", torch::nn::Linear(h, n));
    cell = register_module("cell", torch::nn::GRUCell(h, h));
  }
  at::Tensor step(const at::Tensor &x, at::Tensor &state) {
    state = cell->forward(x, state);
    return head->forward(state);
  }
  at::Tensor quiet(const at::Tensor &x, at::Tensor &state) {
    torch::NoGradGuard none;
    return step(x, state);
  }
  torch::nn::Linear head{nullptr};
  torch::nn::GRUCell cell{nullptr};
};
TORCH_MODULE(Predictor);
class Speaker {
public:
  Speaker(const std::string &path, int64_t h, int64_t n) : net(h, n) {
    torch::load(net, path);
    net->eval();
  }
  std::vector<at::Tensor> codes(const at::Tensor &x, int n) {
    std::vector<at::Tensor> found;
    at::Tensor state = torch::zeros_like(x);
    for (int i = 0; i < n; ++i)
      found.push_back(net->step(x, state).argmax(-1));
    // CHECK-MESSAGES: :[[#@LINE-1]]:23: warning: this forward() records a graph
    // CHECK-MESSAGES: :[[#@LINE-2]]:{{.*}}: note: another method calls eval(), which does not keep autograd from recording
    return found;
  }
  at::Tensor guarded(const at::Tensor &x) {
    torch::NoGradGuard none;
    at::Tensor state = torch::zeros_like(x);
    return net->step(x, state).argmax(-1);
  }
  at::Tensor quiet(const at::Tensor &x) {
    at::Tensor state = torch::zeros_like(x);
    return net->quiet(x, state).argmax(-1);
  }

private:
  Predictor net;
};
// One that is trained elsewhere may be trained here.
class Learner {
public:
  Learner(int64_t h, int64_t n) : net(h, n) { net->eval(); }
  at::Tensor one(const at::Tensor &x) {
    at::Tensor state = torch::zeros_like(x);
    return net->step(x, state);
  }
  void learn(const at::Tensor &x) { one(x).sum().backward(); }

private:
  Predictor net;
};

// A helper that runs the module; another that guards itself.
static at::Tensor predict(torch::nn::Linear &net, const at::Tensor &x) { return net->forward(x).argmax(-1); }
static at::Tensor predictQuietly(torch::nn::Linear &net, const at::Tensor &x) {
  torch::NoGradGuard none;
  return net->forward(x).argmax(-1);
}
at::Tensor helped(torch::nn::Linear &net, const at::Tensor &x) {
  net->eval();
  return predict(net, x);
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: this forward() records a graph
}
at::Tensor helpedQuietly(torch::nn::Linear &net, const at::Tensor &x) {
  net->eval();
  return predictQuietly(net, x);
}
