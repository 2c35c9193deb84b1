// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-from-blob-lifetime -- %torch
// Memory of the host, and a device that it is not on.

#include <torch/torch.h>

struct Columns {
  std::vector<float> values;
  std::vector<int64_t> shape;
};

at::Tensor upload(Columns &columns, int64_t n) {
  auto options = torch::TensorOptions().dtype(torch::kFloat32).device(torch::kCUDA);
  auto wrong = torch::from_blob(columns.values.data(), {n, 4}, options);
  // CHECK-MESSAGES: :[[#@LINE-1]]:23: warning: from_blob() takes memory of the host for memory of cuda [tensor-from-blob-lifetime]
  auto right = torch::from_blob(columns.values.data(), {n, 4}, torch::kFloat32).to(torch::kCUDA);
  return wrong + right;
}
class Model {
public:
  explicit Model(int index) : device_(torch::kCUDA, static_cast<c10::DeviceIndex>(index)) {}
  at::Tensor input(std::array<float, 12> &pixels) {
    return torch::from_blob(pixels.data(), {3, 4}, torch::TensorOptions().device(device_)) * 2;
    // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: from_blob() takes memory of the host for memory of 'device_'; wrong unless that is the CPU
  }
  at::Tensor moved(std::array<float, 12> &pixels) { return torch::from_blob(pixels.data(), {3, 4}).to(device_); }

private:
  torch::Device device_;
};
at::Tensor either(std::vector<float> &values, torch::Device device) {
  if (device.is_cpu())
    return torch::from_blob(values.data(), {3, 4}, torch::TensorOptions().device(device)) + 1;
  return torch::from_blob(values.data(), {3, 4}).to(device);
}
// A buffer of one's own may be anywhere.
struct Buffer {
  float *data();
};
at::Tensor there(Buffer &buffer) { return torch::from_blob(buffer.data(), {3, 4}, torch::TensorOptions().device(torch::kCUDA)) + 1; }

// A string that a call gives is this function's own.
struct Reducer {
  std::string pack() const;
  const std::string &packed() const;
};
std::tuple<at::Tensor, int> handles(const Reducer &reducer) {
  std::string bytes = reducer.pack();
  const auto n = static_cast<int64_t>(bytes.size());
  return {torch::from_blob(bytes.data(), {n}, torch::kUInt8), 1};
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'bytes', which is gone when the function returns
}
at::Tensor kept(const Reducer &reducer) {
  const std::string &bytes = reducer.packed();
  return torch::from_blob(const_cast<char *>(bytes.data()), {8}, torch::kUInt8);
}
