// RUN: not %tensortidy --checks=-*,tensor-* %s -- %opencv %torch | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// REQUIRES: opencv
// Images whose class says what a pixel is, and images on a device; each with a correct twin.
#include <opencv2/core.hpp>
#include <opencv2/core/cuda.hpp>
#include <torch/torch.h>
torch::Tensor depths(int h, int w) {
  cv::Mat_<float> map(h, w);
  map(0, 0) = 1;
  return torch::from_blob(map.data, {h, w}, torch::kFloat64).clone();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: from_blob() takes the float32 of 'map' for float64: the values are wrong
}
torch::Tensor depthsOk(int h, int w) {
  cv::Mat_<float> map(h, w, 0.0F);
  map(0, 0) = 1;
  return torch::from_blob(map.data, {h, w}, torch::kFloat32).clone();
}
torch::Tensor colours(int h, int w) {
  cv::Mat_<cv::Vec3b> rgb(h, w);
  return torch::from_blob(rgb.data, {3, h, w}, torch::kByte).clone();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: from_blob() takes the channels of 'rgb' for planes
}
torch::Tensor coloursOk(int h, int w) {
  cv::Mat_<cv::Vec3b> rgb(h, w);
  return torch::from_blob(rgb.data, {h, w, 3}, torch::kByte).permute({2, 0, 1}).clone();
}
torch::Tensor lent(int h, int w) {
  cv::Mat_<float> map(h, w);
  return torch::from_blob(map.data, {h, w}, torch::kFloat32);
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: returns a tensor that borrows the memory of 'map', which is gone when the
}
// What a typed image is given is converted, where it is of another type.
torch::Tensor converted(int h, int w) {
  cv::Mat bytes(h, w, CV_8UC1);
  cv::Mat_<float> map = bytes;
  return torch::from_blob(map.data, {h, w}, torch::kByte).clone();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: from_blob() takes the float32 of 'map' for uint8: the values are wrong
}
torch::Tensor convertedOk(int h, int w) {
  cv::Mat bytes(h, w, CV_8UC1);
  cv::Mat_<float> map = bytes;
  return torch::from_blob(map.data, {h, w}, torch::kFloat32).clone();
}
torch::Tensor assignedOk(int h, int w) {
  cv::Mat bytes(h, w, CV_8UC1);
  cv::Mat_<float> map;
  map = bytes;
  return torch::from_blob(map.data, {h, w}, torch::kFloat32).clone();
}
// Rows of another number of columns: three bytes are no pixel of these.
torch::Tensor regrouped(int h, int w) {
  cv::Mat rgb(h, w, CV_8UC3);
  cv::Mat_<uint8_t> bytes = rgb;
  return torch::from_blob(bytes.data, {h, 3 * w}, torch::kByte).clone();
}
torch::Tensor partOk(const cv::Mat_<float> &map, cv::Rect box) {
  cv::Mat_<float> part = map(box).clone();
  return torch::from_blob(part.data, {box.height, box.width}, torch::kFloat32).clone();
}
torch::Tensor part(const cv::Mat_<float> &map, cv::Rect box) {
  cv::Mat_<float> part = map(box);
  return torch::from_blob(part.data, {box.height, box.width}, torch::kFloat32).clone();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: from_blob() takes the rows of 'part' for packed ones: each is box.width pix
}
torch::Tensor onDevice(int h, int w) {
  cv::cuda::GpuMat image(h, w, CV_32FC3);
  return torch::from_blob(image.data, {h, w, 3}, torch::dtype(torch::kByte).device(torch::kCUDA)).clone();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: from_blob() takes the float32 of 'image' for uint8: the values are wrong
}
cv::Mat around(const torch::Tensor &x) {
  auto y = x.to(torch::kCUDA).contiguous();
  cv::cuda::GpuMat image(480, 640, CV_32FC3, y.data_ptr<float>());
  cv::Mat host;
  image.download(host);
  return host;
}
torch::Tensor unified(int h, int w) {
  cv::UMat image(h, w, CV_8UC3);
  cv::Mat host;
  image.copyTo(host);
  return torch::from_blob(host.data, {h, w, 3}, torch::kFloat32).clone();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: from_blob() takes the uint8 of 'host' for float32: the values are wrong
}
torch::Tensor unifiedOk(int h, int w) {
  cv::UMat image(h, w, CV_8UC3);
  cv::Mat host;
  image.copyTo(host);
  return torch::from_blob(host.data, {h, w, 3}, torch::kByte).clone();
}
