// REQUIRES: libtorch
// RUN: %silent %s --checks=-*,tensor-device-mismatch,tensor-from-blob-lifetime -- %torch
// RUN: %exits 1 %tensortidy '--config={Checks: "-*,tensor-device-mismatch", CheckOptions: {tensortidy.Disregard: no-device}}' %s -- %torch | FileCheck %s --implicit-check-not=warning:
// All on one device, or not known to be on two.

#include <cstring>
#include <torch/cuda.h>
#include <torch/nn.h>
#include <torch/script.h>

namespace nn = torch::nn;

at::Tensor masked(const at::Tensor &scores, int64_t length) {
  auto logits = scores.to(torch::kCUDA);
  auto mask = torch::tril(torch::ones({length, length}, logits.options()));
  return logits.masked_fill(mask == 0, -1e9);
}

// Options made elsewhere, and those of an operand.
at::Tensor positions(const at::Tensor &tokens, const torch::Device &device, const torch::TensorOptions &options, int64_t n) {
  auto x = tokens.to(device);
  auto steps = torch::arange(n, torch::TensorOptions().dtype(torch::kFloat).device(device));
  auto other = torch::arange(n, options), like = torch::zeros({n}, x.options().dtype(torch::kFloat));
  return x * steps + other + like + torch::zeros_like(x);
}

// A number of the CPU goes with anything.
at::Tensor scaled(int64_t n) {
  auto x = torch::rand({n, n}, torch::kCUDA);
  auto gain = torch::tensor(0.5);
  return torch::where(x > 0, x * gain, x / torch::ones({})) + x.mean().cpu();
}

// The device is chosen once, and used for both.
struct ClassifierImpl : nn::Module {
  ClassifierImpl() : out(register_module("out", nn::Linear(16, 2))) {}
  at::Tensor forward(const at::Tensor &x) { return out(x); }
  nn::Linear out;
};
TORCH_MODULE(Classifier);

at::Tensor chosen(int64_t n) {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  Classifier net;
  net->to(device);
  auto x = torch::randn({n, 16}, device);
  auto weights = torch::ones({2}).to(device);
  return net->forward(x) * weights;
}

// Two tests of the same.
at::Tensor twice(int64_t n) {
  Classifier net;
  if (torch::cuda::is_available())
    net->to(torch::kCUDA);
  auto x = torch::randn({n, 16});
  if (torch::cuda::is_available())
    x = x.to(torch::kCUDA);
  return net->forward(x);
}

at::Tensor flagged(bool gpu, int64_t n) {
  nn::Linear fc(4, 4);
  auto x = torch::randn({n, 4});
  if (gpu) {
    fc->to(torch::kCUDA);
    x = x.cuda();
  }
  return fc(x);
}

// Who goes on without a device uses none.
at::Tensor fallback(const at::Tensor &image) {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  auto x = image.to(device);
  return x + torch::ones({3, 8, 8}, torch::kCUDA);
  // CHECK: silent.cpp:[[#@LINE-1]]:12: warning: {{.*}} is on cuda and 'x' on cpu; throws when 'is_available()' is false{{.*}} [tensor-device-mismatch]
}

// A module that moves its input.
struct AnywhereImpl : nn::Module {
  AnywhereImpl() : fc(register_module("fc", nn::Linear(16, 2))) {}
  at::Tensor forward(at::Tensor x) {
    x = x.to(fc->weight.device());
    return fc(x);
  }
  nn::Linear fc;
};
at::Tensor anywhere(int64_t n) {
  auto net = std::make_shared<AnywhereImpl>();
  net->to(torch::kCUDA);
  return net->forward(torch::randn({n, 16}));
}

// Code that is not seen may move the module.
void prepare(Classifier &net);
at::Tensor prepared(const at::Tensor &x) {
  Classifier net;
  prepare(net);
  return net->forward(x.cuda());
}
struct OwnPlaceImpl : nn::Module {
  OwnPlaceImpl() : fc(register_module("fc", nn::Linear(16, 2))) { to(torch::kCUDA); }
  at::Tensor forward(const at::Tensor &x) { return fc(x); }
  nn::Linear fc;
};
TORCH_MODULE(OwnPlace);
at::Tensor ownPlace(const at::Tensor &x) {
  OwnPlace net;
  return net->forward(x.cuda());
}

// Nobody says where the file was saved from.
at::Tensor loaded(const std::string &path, const at::Tensor &x) {
  auto model = torch::jit::load(path);
  return model.forward({x.cuda()}).toTensor() + model.forward({torch::ones({1, 3})}).toTensor();
}
at::Tensor onDevice(const std::string &path, const at::Tensor &x) {
  auto model = torch::jit::load(path, torch::kCUDA);
  std::vector<torch::jit::IValue> inputs{x.to(torch::kCUDA)};
  return model.forward(inputs).toTensor().cpu() + torch::ones({1, 10});
}

// Indices of the CPU, and copies between devices.
void between(const at::Tensor &images, int64_t n) {
  auto data = images.to(torch::kCUDA), host = torch::empty({n, 3});
  auto some = data.index({torch::randperm(n)});
  host.copy_(some);
  data[0] = torch::zeros({3});
  data.index_put_({torch::arange(n)}, torch::ones({}));
}

// Checked.
at::Tensor checked(const at::Tensor &x, const at::Tensor &y) {
  TORCH_CHECK(x.device() == y.device(), "on one device");
  if (x.is_cuda())
    return x + y.cuda();
  return x + y.cpu() + torch::ones({4});
}
at::Tensor either(const at::Tensor &x) {
  auto mask = torch::ones({4, 4});
  if (x.is_cuda())
    mask = mask.cuda();
  return x.reshape({4, 4}) * mask;
}

// On the host: a copy there.
float onHost(const at::Tensor &scores, float *out) {
  auto s = scores.to(torch::kCUDA);
  auto h = s.cpu().contiguous();
  std::memcpy(out, h.data_ptr<float>(), h.nbytes());
  auto cells = h.accessor<float, 1>();
  return h.data_ptr<float>()[0] + cells[1] + s[0].item<float>();
}
void launched(const float *in, float *out, int64_t n);
void called(const at::Tensor &x) {
  auto in = x.cuda(), out = torch::empty_like(in);
  launched(in.data_ptr<float>(), out.data_ptr<float>(), in.numel());
  auto view = torch::from_blob(out.data_ptr<float>(), {in.numel()}, torch::device(torch::kCUDA).dtype(torch::kFloat));
}
at::Tensor wrapped(const at::Tensor &x, int64_t n) {
  auto y = x.cuda();
  return torch::from_blob(y.data_ptr<float>(), {n}, y.options()).clone();
}

// Lengths belong to the CPU.
at::Tensor aligned(const at::Tensor &logs, const at::Tensor &targets, int64_t n) {
  auto lengths = torch::full({n}, 50, torch::kLong);
  return torch::ctc_loss(logs.cuda(), targets.cuda(), lengths, lengths);
}

// Two devices with names.
at::Tensor pipeline(const at::Tensor &x, torch::Device first, torch::Device second) {
  return x.to(first) + x.to(second);
}
at::Tensor moved(const at::Tensor &x, torch::Device device) {
  auto y = x.to(device);
  device = torch::kCPU;
  return y.cpu() + torch::ones({4}, device);
}
