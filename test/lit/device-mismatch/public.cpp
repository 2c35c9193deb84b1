// REQUIRES: libtorch
// RUN: %exits 1 %tensortidy %s --checks=-*,tensor-device-mismatch,tensor-shape-mismatch -- %torch | FileCheck %s --implicit-check-not=warning:
// Public members of a class in a source file are where they are made; those of a module move with it.

#include <torch/torch.h>

struct Tables {
  explicit Tables(int64_t n) : sines(torch::zeros({n}, torch::kDouble)) {}
  at::Tensor sines;
};
at::Tensor added(const Tables &t, int64_t n) {
  // CHECK: :[[#@LINE+1]]:18: warning: t.sines + ... needs all on one device, ones({n, n}, ...) is on cuda and 't.sines' on cpu; throws
  return t.sines + torch::ones({n, n}, torch::kCUDA);
}

struct Scale : torch::nn::Module {
  explicit Scale(int64_t n) {
    if (n > 4)
      weight = register_parameter("weight", torch::ones({n}));
    else
      weight = register_parameter("weight", torch::ones({n}));
  }
  at::Tensor forward(const at::Tensor &x) { return x.cuda() * weight; }
  at::Tensor weight;
};
at::Tensor scaled(Scale &scale, int64_t n) { return scale.weight + torch::ones({n, n}, torch::kCUDA); }
at::Tensor halves(Scale &scale, int64_t n) { return torch::mm(scale.weight.view({1, -1}), torch::ones({n, n}, torch::kHalf)); }
