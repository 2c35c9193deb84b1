// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-device-mismatch -- %torch
// An index on a device that code names by a variable, of a tensor on the CPU.

#include <torch/torch.h>

class Diffusion {
public:
  Diffusion(int64_t steps, int gpu) : steps(steps), device(torch::kCUDA, gpu) {
    variance = torch::full({steps}, 0.5, torch::kFloat);
    alphas = torch::cumprod(1 - torch::linspace(1e-4, 2e-2, steps), 0).to(device);
  }
  at::Tensor wrong(const at::Tensor &x) {
    auto t = torch::randint(0, steps, {x.size(0)}, torch::TensorOptions(torch::kLong).device(device));
    return variance.index({t}).to(device);
    // CHECK-MESSAGES: :[[#@LINE-1]]:21: warning: 'variance' is on cpu, and its index 't' on 'device'; throws unless 'device' is the CPU [tensor-device-mismatch]
    // CHECK-MESSAGES: :[[#@LINE-7]]:{{.*}}: note: 'variance' is put on cpu here
    // CHECK-MESSAGES: :[[#@LINE-4]]:{{.*}}: note: 't' is put on 'device' here
  }
  at::Tensor moved(const at::Tensor &x) {
    auto t = torch::randint(0, steps, {x.size(0)}, torch::TensorOptions(torch::kLong).device(device));
    return variance.to(device).index({t});
  }
  at::Tensor there(const at::Tensor &x) {
    auto t = torch::randint(0, steps, {x.size(0)}, torch::TensorOptions(torch::kLong).device(device));
    return alphas.index({t});
  }
  at::Tensor onTheHost(const at::Tensor &x) {
    auto t = torch::randint(0, steps, {x.size(0)}, torch::kLong);
    return variance.index({t}) + alphas.index({t}).cpu();
  }

private:
  int64_t steps;
  torch::Device device;
  at::Tensor variance, alphas;
};
