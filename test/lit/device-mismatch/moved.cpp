// REQUIRES: libtorch
// RUN: %exits 1 %tensortidy %s --checks=-*,tensor-device-mismatch -- %torch | FileCheck %s --implicit-check-not=warning:
// Modules that the unit moves: what they register, and the input of forward(), is on their device.

#include <torch/torch.h>

struct OffsetImpl : torch::nn::Module {
  explicit OffsetImpl(int64_t n) {
    offset = torch::ones({2, n});
    scale = register_buffer("scale", torch::linspace(0.5, 1.5, n));
    kept = torch::zeros({n});
    copy = register_buffer("copy", kept.clone());
    number = torch::tensor(2.0);
  }
  torch::Tensor forward(const torch::Tensor &x) {
    // CHECK: :[[#@LINE+2]]:22: warning: x + offset needs all on one device, 'x' is on the device of the module and 'offset' on cpu; throws unless the device of the module is the CPU [tensor-device-mismatch]
    // CHECK: :[[#@LINE-8]]:14: note: 'offset' is put on cpu here
    auto shifted = x + offset;
    // CHECK: :[[#@LINE+2]]:26: warning: scale - kept needs all on one device, 'scale' is on the device of the module and 'kept' on cpu
    // CHECK: :[[#@LINE-9]]:12: note: 'kept' is put on cpu here
    auto centre = (scale - kept).sum().item<double>();
    return shifted * number * centre + copy + offset.to(x.device());
  }
  torch::Tensor offset, scale, kept, copy, number;
};
TORCH_MODULE(Offset);

struct PositionsImpl : torch::nn::Module {
  PositionsImpl(int64_t length, int64_t size) { table = register_module("table", torch::nn::Embedding(length, size)); }
  torch::Tensor forward(const torch::Tensor &x) {
    auto mask = torch::ones({x.size(1), x.size(1)}).tril();
    auto same = torch::ones({x.size(1), x.size(1)}, x.options()).tril();
    // CHECK: :[[#@LINE+1]]:19: warning: matmul(mask, x) needs all on one device, 'x' is on the device of the module and 'mask' on cpu; throws unless the device of the module is the CPU
    return torch::matmul(mask, x) + torch::matmul(same, x) + table(torch::arange(x.size(1), x.device()));
  }
  torch::nn::Embedding table{nullptr};
};
TORCH_MODULE(Positions);

// It takes its input from anywhere.
struct EntryImpl : torch::nn::Module {
  EntryImpl(int64_t length, int64_t size) { table = register_parameter("table", torch::ones({length, size})); }
  torch::Tensor forward(const torch::Tensor &ids) {
    auto seen = ids + torch::ones({ids.size(0)}, torch::kInt64);
    return table.index_select(0, seen.to(table.device())) + table.index_select(0, ids.to(table.device()));
  }
  torch::Tensor table;
};
TORCH_MODULE(Entry);

// So does who gives it its own.
struct LookupImpl : torch::nn::Module {
  explicit LookupImpl(int64_t n) : entry(register_module("entry", Entry(n, n))) {}
  torch::Tensor forward(const torch::Tensor &ids) { return entry->forward(ids) + entry(ids); }
  Entry entry;
};
TORCH_MODULE(Lookup);

struct NetImpl : torch::nn::Module {
  explicit NetImpl(int64_t n) : offset(register_module("offset", Offset(n))), at(register_module("at", Positions(n, n))) {}
  torch::Tensor forward(const torch::Tensor &x) { return at(offset(x)); }
  Offset offset;
  Positions at;
};
TORCH_MODULE(Net);

// Nobody moves this one, or only to the CPU.
struct HostImpl : torch::nn::Module {
  explicit HostImpl(int64_t n) {
    w = register_parameter("w", torch::ones({n, n}));
    shift = torch::ones({n, n});
  }
  torch::Tensor forward(const torch::Tensor &x) { return torch::matmul(x, w + shift) + torch::ones({x.size(0), 1}); }
  torch::Tensor w, shift;
};
TORCH_MODULE(Host);

void run(const torch::Device &device, const torch::Tensor &x) {
  Net net(8);
  net->to(device);
  net->forward(x.to(device));
  Lookup lookup(8);
  lookup->to(device);
  lookup->forward(x);
  Host host(8);
  host->to(torch::kCPU);
  host->to(torch::Device("cpu"));
  host->to(torch::Device(torch::DeviceType::CPU));
  torch::Device here(torch::kCPU);
  const auto there = torch::kCPU;
  host->to(here);
  host->to(there);
  host->to(torch::kDouble);
  host->forward(x);
}
