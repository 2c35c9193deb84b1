// REQUIRES: libtorch
// RUN: %tensortidy %s --checks=-*,tensor-uninitialized-read -- %torch | FileCheck %s --allow-empty --implicit-check-not=warning:
// Something waits, or may wait; what is read is not what is copied; there is no copy that goes on.

#include <ATen/ATen.h>
#include <cstring>
#include <torch/cuda.h>

struct Stream {
  void synchronize() const;
};
struct Event {
  void record();
  void synchronize() const;
  bool query() const;
};
extern "C" {
int cudaDeviceSynchronize();
int cudaStreamSynchronize(void *stream);
int cudaMemcpy(void *to, const void *from, size_t n, int kind);
}
void wait(const Stream &s);

float all(const at::Tensor &x) {
  auto host = x.cuda().to(at::kCPU, true);
  torch::cuda::synchronize();
  return host.item<float>();
}
float stream(const at::Tensor &x, const Stream &s) {
  auto host = x.cuda().to(at::kCPU, true);
  s.synchronize();
  return host.data_ptr<float>()[0];
}
// The pointer is taken before, and read after.
float early(const at::Tensor &x, Event &e) {
  auto host = x.cuda().to(at::kCPU, true);
  const float *p = host.data_ptr<float>();
  auto a = host.accessor<float, 1>();
  e.record();
  while (!e.query()) {
  }
  return p[0] + a[0];
}
float device(const at::Tensor &x) {
  auto host = x.cuda().to(at::kCPU, true);
  cudaDeviceSynchronize();
  return host.sum().item<float>();
}
float streamOf(const at::Tensor &x, void *s) {
  auto host = x.cuda().to(at::kCPU, true);
  cudaStreamSynchronize(s);
  return host.sum().item<float>();
}
float copied(const at::Tensor &x, float *to) {
  auto on = x.cuda();
  auto host = on.to(at::kCPU, true);
  cudaMemcpy(to, on.data_ptr(), 4, 2);
  return host.sum().item<float>();
}
float unseen(const at::Tensor &x, const Stream &s) {
  auto host = x.cuda().to(at::kCPU, true);
  wait(s);
  return host.sum().item<float>();
}
// item() of a tensor on the device waits for all before it, and so does a copy.
float asked(const at::Tensor &x) {
  auto on = x.cuda();
  auto host = on.to(at::kCPU, true);
  float n = on.sum().item<float>();
  return n + host.sum().item<float>();
}
float second(const at::Tensor &x) {
  auto on = x.cuda();
  auto host = on.to(at::kCPU, true), other = (on + 1).cpu();
  return other.sum().item<float>() + host.sum().item<float>();
}
float chosen(const at::Tensor &x) {
  auto on = x.cuda();
  auto host = on.to(at::kCPU, true);
  auto some = on.masked_select(on > 0);
  auto more = on.index({on > 1});
  return host.sum().item<float>();
}
// It waits by itself.
float blocking(const at::Tensor &x, bool async) {
  auto on = x.cuda();
  auto host = on.to(at::kCPU, /*non_blocking=*/false), plain = on.to(at::kCPU), whole = on.cpu(), perhaps = on.to(at::kCPU, async);
  if (async)
    torch::cuda::synchronize();
  return host.sum().item<float>() + plain.sum().item<float>() + whole.sum().item<float>() + perhaps.sum().item<float>();
}
// Nobody knows where it is.
float anywhere(const at::Tensor &x, at::Device d) {
  auto host = x.to(at::kCPU, true), there = x.to(d).to(at::kCPU, true);
  return host.sum().item<float>() + there.sum().item<float>();
}
float onHost(const at::Tensor &x) {
  TORCH_CHECK(x.is_cpu());
  auto host = x.to(at::kCPU, true);
  return host.sum().item<float>();
}
// The other way.
float up(const at::Tensor &x) {
  auto on = x.cpu().pin_memory().to(at::kCUDA, /*non_blocking=*/true);
  return on.sum().item<float>();
}
// The host converts, and waits for what it converts.
float converted(const at::Tensor &x) {
  auto host = x.to(at::kCUDA, at::kHalf).to(at::kCPU, at::kFloat, true);
  auto perhaps = x.cuda().to(at::kCPU, at::kFloat, true);
  return host.sum().item<float>() + perhaps.sum().item<float>();
}
// Memory that is not pinned: the copy waits.
float pageable(const at::Tensor &x) {
  auto on = x.to(at::kCUDA, at::kFloat);
  auto host = at::empty({8}, at::kFloat);
  host.copy_(on, true);
  return host.sum().item<float>();
}
// A buffer that may be on the device itself.
float between(const at::Tensor &x, at::Tensor &into) {
  TORCH_CHECK(x.is_cuda());
  into.copy_(x, true);
  return into.sum().item<float>();
}
// Only given on; or asked for its sizes.
at::Tensor started(const at::Tensor &x, std::vector<at::Tensor> &pending) {
  auto host = x.cuda().to(at::kCPU, true);
  pending.push_back(host);
  if (host.numel() > 4 && host.size(0) > 2)
    return host.view({-1});
  return host;
}
// Back to the device: in its order.
at::Tensor back(const at::Tensor &x, at::Tensor &into) {
  auto on = x.cuda();
  auto host = on.to(at::kCPU, true);
  into = at::empty_like(on);
  into.copy_(host, true);
  return host.to(at::kCUDA, true);
}
// Where it is on the device, it waits.
float together(const at::Tensor &x, bool cuda) {
  at::Tensor host = x;
  if (cuda)
    host = x.cuda().relu().to(at::kCPU, true);
  auto n = x.size(0);
  if (cuda)
    torch::cuda::synchronize();
  return host.sum().item<float>() + n;
}
struct Pipe {
  at::Tensor stage = at::empty({64}, at::TensorOptions().pinned_memory(true));
  at::Tensor ready = at::empty({64}, at::TensorOptions().pinned_memory(true));
  // The other buffer.
  float step(const at::Tensor &x) {
    auto y = x.to(at::kCUDA, at::kFloat);
    stage.copy_(y, true);
    float first = ready.data_ptr<float>()[0];
    return first;
  }
};
// It has been read already.
float before(const at::Tensor &x) {
  auto on = x.cuda();
  float sum = 0;
  for (int i = 0; i < 4; ++i) {
    auto host = on.to(at::kCPU, true);
    torch::cuda::synchronize();
    sum += host.item<float>();
  }
  return sum;
}
