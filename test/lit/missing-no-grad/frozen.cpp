// REQUIRES: libtorch
// RUN: %silent %s --checks=-*,tensor-missing-no-grad -- %torch
// Where parameters are made constants, or stop to require gradients, a forward()
// may record nothing. ends.cpp reports the same without that.

#include <torch/script.h>
#include <torch/torch.h>

class Frozen {
public:
  explicit Frozen(const std::string &path) : module(torch::jit::load(path)) {
    module.eval();
    module = torch::jit::freeze(module);
  }
  double run(const at::Tensor &x) { return module.forward({x}).toTensor().mean().item<double>(); }

private:
  torch::jit::Module module;
};
