// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-device-mismatch,tensor-from-blob-lifetime -- %torch
// Tensors, modules, indices and memory on devices that do not fit together.

#include <cstring>
#include <numeric>
#include <torch/cuda.h>
#include <torch/nn.h>
#include <torch/script.h>

namespace nn = torch::nn;

// The mask is made where nobody said.
at::Tensor masked(const at::Tensor &scores, int64_t length) {
  auto logits = scores.to(torch::kCUDA);
  auto mask = torch::tril(torch::ones({length, length}));
  return logits.masked_fill(mask == 0, -1e9);
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: masked_fill(..., -1.0E+9) needs all on one device, 'logits' is on cuda and mask == 0 on cpu; throws [tensor-device-mismatch]
}

// A device that an option names, and a tensor made without it.
at::Tensor positions(const at::Tensor &tokens, const torch::Device &device, int64_t width) {
  auto x = tokens.to(device);
  auto steps = torch::arange(0, width, torch::kFloat);
  auto scaled = torch::outer(steps, torch::ones({width}));
  return torch::matmul(x.to(torch::kFloat), scaled);
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: matmul({{.*}}) needs all on one device, to(float32) is on 'device' and 'scaled' on cpu; throws unless 'device' is the CPU [tensor-device-mismatch]
  // CHECK-MESSAGES: note: {{.*}} is put on 'device' here
}

// One of two paths.
double validate(const std::vector<at::Tensor> &batches, const std::vector<at::Tensor> &labels) {
  torch::Device device = torch::kCPU;
  if (torch::cuda::is_available())
    device = torch::Device(torch::kCUDA, 0);
  auto weights = torch::tensor({0.2, 0.3, 0.5});
  double sum = 0;
  for (size_t i = 0; i < batches.size(); ++i) {
    auto logits = batches[i].to(device);
    auto loss = torch::nll_loss(torch::log_softmax(logits, 1), labels[i].to(device), weights);
    // CHECK-MESSAGES: :[[#@LINE-1]]:24: warning: nll_loss({{.*}}) needs all on one device, {{.*}} is on cuda and 'weights' on cpu; throws {{.*}}when 'is_available()' is true [tensor-device-mismatch]
    sum += loss.item<double>();
  }
  return sum;
}

// A loaded module and inputs that stay behind.
at::Tensor scripted(const std::string &path) {
  torch::jit::script::Module model = torch::jit::load(path);
  model.to(at::kCUDA);
  model.eval();
  std::vector<torch::jit::IValue> inputs;
  inputs.push_back(torch::ones({1, 3, 224, 224}));
  at::Tensor out = model.forward(inputs).toTensor();
  // CHECK-MESSAGES: :[[#@LINE-1]]:20: warning: 'model' is on cuda, and its input ones({1, 3, 224, 224}) on cpu; throws [tensor-device-mismatch]
  return out.argmax(1);
}

struct ClassifierImpl : nn::Module {
  ClassifierImpl() : hidden(register_module("hidden", nn::Linear(16, 8))), out(register_module("out", nn::Linear(8, 2))) {}
  at::Tensor forward(const at::Tensor &x) { return out(torch::relu(hidden(x))); }
  nn::Linear hidden, out;
};
TORCH_MODULE(Classifier);

// The module was moved, the batch was not.
at::Tensor stays(int64_t n) {
  Classifier net;
  net->to(torch::kCUDA);
  auto x = torch::randn({n, 16});
  x.to(torch::kCUDA);
  return net->forward(x);
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: 'net' is on cuda, and its input 'x' on cpu; throws [tensor-device-mismatch]
  // CHECK-MESSAGES: :[[#@LINE-4]]:19: note: 'x' is put on cpu here
}

// The batch was moved, the module was not.
at::Tensor forgotten(const at::Tensor &image) {
  auto net = std::make_shared<ClassifierImpl>();
  auto x = image.to(torch::kCUDA);
  return net->forward(x);
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: 'net' is on cpu, and its input 'x' on cuda; throws [tensor-device-mismatch]
}

// The first state of a recurrent network.
at::Tensor encoded(const at::Tensor &words, int64_t batch) {
  nn::GRU gru(nn::GRUOptions(32, 64));
  gru->to(torch::kCUDA);
  auto h0 = torch::zeros({1, batch, 64});
  auto [out, h] = gru->forward(words.cuda(), h0);
  // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: gru(...) needs all on one device, cuda() is on cuda and 'h0' on cpu; throws [tensor-device-mismatch]
  return out;
}

// What a module gives is where it is.
at::Tensor compared(nn::Sequential &net, const at::Tensor &x, int64_t n) {
  net->to(torch::kCUDA);
  auto y = net->forward(x.to(torch::kCUDA));
  auto target = torch::full({n, 10}, 0.1);
  return torch::mse_loss(y, target);
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: mse_loss(y, target) needs all on one device, 'y' is on cuda and 'target' on cpu; throws
}

// An index of a device for a tensor of the CPU.
at::Tensor shuffled(const at::Tensor &images, int64_t n) {
  auto data = images.to(torch::kCPU);
  auto order = torch::randperm(n, torch::device(torch::kCUDA).dtype(torch::kLong));
  return data.index({order});
  // CHECK-MESSAGES: :[[#@LINE-1]]:15: warning: 'data' is on cpu, and its index 'order' on cuda; throws [tensor-device-mismatch]
}

// index_select() wants its index where the tensor is.
at::Tensor rows(const at::Tensor &table, const std::vector<int64_t> &ids) {
  auto weights = table.cuda();
  auto index = torch::tensor(ids);
  return weights.index_select(0, index);
  // CHECK-MESSAGES: :[[#@LINE-1]]:18: warning: index_select(0, index) needs all on one device, 'weights' is on cuda and 'index' on cpu; throws
}

// Joined.
at::Tensor padded(const at::Tensor &x, int64_t missing) {
  TORCH_CHECK(x.is_cuda(), "x must be a CUDA tensor");
  auto fill = torch::zeros({missing, 8});
  return torch::cat({x, fill}, 0);
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: cat({{.*}}) needs all on one device, 'x' is on cuda and 'fill' on cpu; throws
}

// In place.
void accumulate(at::Tensor &total, const at::Tensor &x) {
  auto sums = torch::zeros({64}, torch::TensorOptions().device("cuda:0"));
  sums += torch::linspace(0, 1, 64);
  // CHECK-MESSAGES: :[[#@LINE-1]]:8: warning: {{.*}} needs all on one device, 'sums' is on cuda and {{.*}} on cpu; throws
  total = sums;
}

// Elements on the host.
std::vector<float> best(const at::Tensor &scores) {
  auto s = scores.to(torch::kCUDA).contiguous();
  const float *p = s.data_ptr<float>();
  std::vector<float> found;
  for (int64_t i = 0; i < s.numel(); ++i)
    found.push_back(p[i]);
  // CHECK-MESSAGES: :[[#@LINE-1]]:21: warning: the host reads memory of 's', which is on cuda; crashes [tensor-device-mismatch]
  return found;
}

void copied(const at::Tensor &x, float *host) {
  auto y = torch::relu(x.cuda());
  std::memcpy(host, y.data_ptr<float>(), y.nbytes());
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: the host reads memory of 'y', which is on cuda; crashes
}

float corner(int64_t n) {
  auto grid = torch::rand({n, n}, torch::kCUDA);
  auto cells = grid.accessor<float, 2>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:21: warning: the host reads memory of 'grid', which is on cuda; crashes
  return cells[0][0];
}

// Memory of a device taken for the CPU's.
at::Tensor window(const at::Tensor &frame, int64_t h, int64_t w) {
  auto device = frame.to(torch::kCUDA);
  auto view = torch::from_blob(device.data_ptr<float>(), {h, w}, torch::kFloat);
  // CHECK-MESSAGES: :[[#@LINE-1]]:22: warning: from_blob() takes memory of cuda for memory of the CPU: it is told no device [tensor-from-blob-lifetime]
  return view.clone();
}

// In a helper, for this caller.
static at::Tensor weighted(const at::Tensor &x, const at::Tensor &w) { return (x * w).sum(); }
// CHECK-MESSAGES: :[[#@LINE-1]]:82: warning: x * w needs all on one device, 'x' is on cuda and 'w' on cpu; throws
at::Tensor score(const at::Tensor &x) { return weighted(x.cuda(), torch::ones({4})); }
// CHECK-MESSAGES: :[[#@LINE-1]]:48: note: in the call of 'weighted' here
