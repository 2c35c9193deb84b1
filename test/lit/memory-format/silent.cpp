// RUN: %check %s --checks=-*,tensor-memory-format -- %runtime
// Changes of memory format that do something, or may.

#include <tensortidy/aten.h>

at::Tensor changes(const at::Tensor &x, const at::Tensor &w) {
  auto y = torch::zeros({2, 3, 4, 5}).to(at::MemoryFormat::ChannelsLast);
  auto z = x.to(at::MemoryFormat::ChannelsLast); // not known
  auto last = x.contiguous(at::MemoryFormat::ChannelsLast);
  auto out = torch::conv2d(last, w).contiguous();
  auto used = last.contiguous(); // both are used
  return y.sum() + z.sum() + out.sum() + used.sum();
}
at::Tensor isContiguous(int64_t a, int64_t b) {
  return torch::zeros({a, b}).to(at::MemoryFormat::Contiguous);
}
at::Tensor withDType(int64_t a, int64_t b) {
  return torch::zeros({a, b}).t().to(torch::kDouble, false, false, at::MemoryFormat::Contiguous);
}
at::Tensor onePath(int64_t a, int64_t b, bool swap) {
  auto x = torch::zeros({a, b});
  if (swap)
    x = x.t();
  return x.to(at::MemoryFormat::Contiguous);
}
float *raw(at::Tensor &keep) {
  auto x = torch::zeros({2, 3, 8, 8}, at::MemoryFormat::ChannelsLast);
  keep = x.contiguous(); // for a kernel
  return keep.data_ptr<float>();
}
at::Tensor alsoRead(const at::Tensor &w) {
  auto x = torch::zeros({2, 3, 8, 8}, at::MemoryFormat::ChannelsLast);
  auto y = x.contiguous();
  return torch::conv2d(y, w).sum() + y.view({-1}).sum();
}
