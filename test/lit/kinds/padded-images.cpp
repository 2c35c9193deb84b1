// RUN: not %tensortidy --checks=-*,tensor-* %s -- %opencv %torch | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// REQUIRES: opencv
// Images on a device, whose rows are padded where OpenCV allocates them; each with correct twins.
#include <opencv2/core.hpp>
#include <opencv2/core/cuda.hpp>
#include <torch/torch.h>
enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2, cudaMemcpyDeviceToDevice = 3 };
int cudaMemcpy(void *dst, const void *src, size_t count, cudaMemcpyKind kind);
int cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height, cudaMemcpyKind kind);
namespace cv::cuda { // of cudaimgproc and cudawarping, as they declare it
void cvtColor(InputArray src, OutputArray dst, int code, int dcn = 0, Stream &stream = Stream::Null());
void resize(InputArray src, OutputArray dst, Size dsize, double fx = 0, double fy = 0, int interpolation = 1, Stream &stream = Stream::Null());
} // namespace cv::cuda
// 1. Made with sizes.
torch::Tensor made(int h, int w) {
  cv::cuda::GpuMat image(h, w, CV_8UC3);
  return torch::from_blob(image.data, {h, w, 3}, torch::dtype(torch::kByte).device(torch::kCUDA)).clone();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: from_blob() takes the rows of 'image' for packed ones: the device pads each to its own pitch; wrong unless rows of 3*w bytes need none
}
torch::Tensor madeOk(int h, int w) {
  cv::cuda::GpuMat image(h, w, CV_8UC3);
  return torch::from_blob(image.data, {h, w, 3}, {static_cast<int64_t>(image.step), 3, 1}, torch::dtype(torch::kByte).device(torch::kCUDA)).clone();
}
torch::Tensor known() {
  cv::cuda::GpuMat image(480, 500, CV_8UC1);
  return torch::from_blob(image.data, {480, 500}, torch::dtype(torch::kByte).device(torch::kCUDA)).clone();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: from_blob() takes the rows of 'image' for packed ones: the device pads each to its own pitch [tensor-from-blob-lifetime]
}
torch::Tensor fullOk() { // 512 bytes
  cv::cuda::GpuMat image(480, 128, CV_32FC1);
  return torch::from_blob(image.data, {480, 128}, torch::dtype(torch::kFloat32).device(torch::kCUDA)).clone();
}
torch::Tensor rowOk(int w) {
  cv::cuda::GpuMat image(1, w, CV_8UC3);
  return torch::from_blob(image.data, {1, w, 3}, torch::dtype(torch::kByte).device(torch::kCUDA)).clone();
}
torch::Tensor tallOk(int h) {
  cv::cuda::GpuMat image(h, 1, CV_8UC3);
  return torch::from_blob(image.data, {h, 1, 3}, torch::dtype(torch::kByte).device(torch::kCUDA)).clone();
}
torch::Tensor packedStrides(int h, int w) {
  cv::cuda::GpuMat image(h, w, CV_8UC3);
  return torch::from_blob(image.data, {h, w, 3}, {w * 3, 3, 1}, torch::dtype(torch::kByte).device(torch::kCUDA)).clone();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: from_blob() takes the rows of 'image' for packed ones
}
// 2. What the library writes is allocated in the same way.
torch::Tensor uploaded(const cv::Mat &frame) {
  cv::cuda::GpuMat image;
  image.upload(frame);
  cv::cuda::GpuMat rgb, small, input;
  cv::cuda::cvtColor(image, rgb, 4);
  cv::cuda::resize(rgb, small, cv::Size(300, 200));
  small.convertTo(input, CV_32FC3, 1.0 / 255);
  return torch::from_blob(input.data, {200, 300, 3}, torch::dtype(torch::kFloat32).device(torch::kCUDA)).permute({2, 0, 1}).clone();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: from_blob() takes the rows of 'input' for packed ones: the device pads each to its own pitch [tensor-from-blob-lifetime]
}
torch::Tensor created(int h, int w) {
  cv::cuda::GpuMat image;
  image.create(h, w, CV_32FC1);
  return torch::from_blob(image.data, {image.rows, image.cols}, torch::dtype(torch::kFloat32).device(torch::kCUDA)).clone();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: from_blob() takes the rows of 'image' for packed ones: the device pads each to its own pitch; wrong unless rows of 4*w bytes need none
}
torch::Tensor createdOk(int h, int w) {
  cv::cuda::GpuMat image;
  image.create(h, w, CV_32FC1);
  const int64_t step = image.step / sizeof(float);
  return torch::from_blob(image.data, {h, w}, {step, 1}, torch::dtype(torch::kFloat32).device(torch::kCUDA)).clone();
}
// Who allocates is not known: the sizes may be those that it has already.
torch::Tensor reusedOk(cv::cuda::GpuMat &image, int h, int w) {
  image.create(h, w, CV_32FC1);
  return torch::from_blob(image.data, {h, w}, torch::dtype(torch::kFloat32).device(torch::kCUDA)).clone();
}
torch::Tensor continuousOk(int h, int w) {
  cv::cuda::GpuMat image;
  cv::cuda::createContinuous(h, w, CV_32FC1, image);
  return torch::from_blob(image.data, {h, w}, torch::dtype(torch::kFloat32).device(torch::kCUDA)).clone();
}
torch::Tensor allocatorOk(int h, int w, cv::cuda::GpuMat::Allocator *mine) {
  cv::cuda::GpuMat image(h, w, CV_32FC1, mine);
  return torch::from_blob(image.data, {h, w}, torch::dtype(torch::kFloat32).device(torch::kCUDA)).clone();
}
torch::Tensor aroundOk(const cv::cuda::GpuMat &from, int h, int w) {
  auto out = torch::empty({h, w, 3}, torch::dtype(torch::kByte).device(torch::kCUDA));
  cv::cuda::GpuMat image(h, w, CV_8UC3, out.data_ptr<uint8_t>());
  from.copyTo(image);
  return torch::from_blob(image.data, {h, w, 3}, torch::dtype(torch::kByte).device(torch::kCUDA)).clone();
}
torch::Tensor askedOk(int h, int w) {
  cv::cuda::GpuMat image(h, w, CV_8UC3);
  TORCH_CHECK(image.isContinuous());
  return torch::from_blob(image.data, {h, w, 3}, torch::dtype(torch::kByte).device(torch::kCUDA)).clone();
}
torch::Tensor comparedOk(int h, int w) {
  cv::cuda::GpuMat image(h, w, CV_8UC3);
  if (image.step != static_cast<size_t>(w) * 3)
    throw std::runtime_error("padded");
  return torch::from_blob(image.data, {h, w, 3}, torch::dtype(torch::kByte).device(torch::kCUDA)).clone();
}
torch::Tensor parameterOk(const cv::cuda::GpuMat &image) {
  return torch::from_blob(image.data, {image.rows, image.cols, 3}, torch::dtype(torch::kByte).device(torch::kCUDA)).clone();
}
torch::Tensor downloadedOk(int h, int w) {
  cv::cuda::GpuMat image(h, w, CV_8UC3);
  cv::Mat host;
  image.download(host);
  return torch::from_blob(host.data, {h, w, 3}, torch::kByte).clone();
}
// 3. `step` counts bytes.
torch::Tensor stepped(const cv::cuda::GpuMat &image) {
  return torch::from_blob(image.data, {image.rows, image.cols}, {static_cast<int64_t>(image.step), 1}, torch::dtype(torch::kFloat32).device(torch::kCUDA)).clone();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: from_blob() takes image.step, which counts bytes, for a stride in float32: the values are wrong
}
torch::Tensor steppedOk(const cv::cuda::GpuMat &image) {
  return torch::from_blob(image.data, {image.rows, image.cols}, {static_cast<int64_t>(image.step / sizeof(float)), 1}, torch::dtype(torch::kFloat32).device(torch::kCUDA)).clone();
}
torch::Tensor steppedOk2(const cv::cuda::GpuMat &image) {
  return torch::from_blob(image.data, {image.rows, image.cols}, {static_cast<int64_t>(image.step), 1}, torch::dtype(torch::kByte).device(torch::kCUDA)).clone();
}
// 4. A part of one.
torch::Tensor cut(const cv::cuda::GpuMat &frame, cv::Rect box) {
  cv::cuda::GpuMat part = frame(box);
  return torch::from_blob(part.data, {box.height, box.width, 3}, torch::dtype(torch::kByte).device(torch::kCUDA)).clone();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: from_blob() takes the rows of 'part' for packed ones
}
// 5. Copied as one block.
void block(torch::Tensor out, int h, int w) {
  cv::cuda::GpuMat image(h, w, CV_32FC1);
  cudaMemcpy(out.data_ptr<float>(), image.data, h * w * sizeof(float), cudaMemcpyDeviceToDevice);
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'cudaMemcpy' copies the [h, w, 1] of 'image' as one block: the device pads each to its own pitch
}
void into(const torch::Tensor &x, int h, int w) {
  cv::cuda::GpuMat image(h, w, CV_8UC3);
  cudaMemcpy(image.ptr(), x.data_ptr(), h * w * 3, cudaMemcpyDeviceToDevice);
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'cudaMemcpy' copies the [h, w, 3] of 'image' as one block
}
void blockOk(torch::Tensor out, int h, int w) {
  cv::cuda::GpuMat image(h, w, CV_32FC1);
  cudaMemcpy2D(out.data_ptr<float>(), w * sizeof(float), image.data, image.step, w * sizeof(float), h, cudaMemcpyDeviceToDevice);
}
void oneRowOk(torch::Tensor out, int h, int w) {
  cv::cuda::GpuMat image(h, w, CV_32FC1);
  cudaMemcpy(out.data_ptr<float>(), image.data, w * sizeof(float), cudaMemcpyDeviceToDevice);
}
