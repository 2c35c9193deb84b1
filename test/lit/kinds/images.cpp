// RUN: not %tensortidy --checks=-*,tensor-* %s -- %opencv %torch | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// REQUIRES: opencv
// Images of OpenCV as tensors, each with a correct twin.
#include <opencv2/core.hpp>
#include <torch/torch.h>
#include <string>
#include <vector>
namespace cv { // of imgproc and imgcodecs, as they declare it
enum { COLOR_BGR2RGB = 4, COLOR_BGR2GRAY = 6, IMREAD_GRAYSCALE = 0, IMREAD_COLOR = 1 };
Mat imread(const String &filename, int flags = IMREAD_COLOR);
void cvtColor(InputArray src, OutputArray dst, int code, int dstCn = 0);
void resize(InputArray src, OutputArray dst, Size dsize, double fx = 0, double fy = 0, int interpolation = 1);
} // namespace cv
torch::Tensor load(const std::string &path) {
  cv::Mat image = cv::imread(path);
  cv::cvtColor(image, image, cv::COLOR_BGR2RGB);
  auto t = torch::from_blob(image.data, {image.rows, image.cols, 3}, torch::kFloat32);
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: from_blob() takes the uint8 of 'image' for float32: the values are wrong
  return t.permute({2, 0, 1}).clone();
}
torch::Tensor loadOk(const std::string &path) {
  cv::Mat image = cv::imread(path);
  cv::cvtColor(image, image, cv::COLOR_BGR2RGB);
  auto t = torch::from_blob(image.data, {image.rows, image.cols, 3}, torch::kByte);
  return t.permute({2, 0, 1}).to(torch::kFloat32);
}
torch::Tensor planes(const cv::Mat &frame) {
  cv::Mat rgb;
  cv::cvtColor(frame, rgb, cv::COLOR_BGR2RGB);
  rgb.convertTo(rgb, CV_32FC3, 1.0 / 255.0);
  return torch::from_blob(rgb.data, {1, 3, rgb.rows, rgb.cols}, torch::kFloat32).clone();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: from_blob() takes the channels of 'rgb' for planes: it has [rgb.rows, rgb.c
}
torch::Tensor planesOk(const cv::Mat &frame) {
  cv::Mat rgb;
  cv::cvtColor(frame, rgb, cv::COLOR_BGR2RGB);
  rgb.convertTo(rgb, CV_32FC3, 1.0 / 255.0);
  return torch::from_blob(rgb.data, {1, rgb.rows, rgb.cols, 3}, torch::kFloat32).permute({0, 3, 1, 2}).clone();
}
torch::Tensor borrowed(const cv::Mat &frame, int side) {
  cv::Mat small;
  cv::resize(frame, small, cv::Size(side, side));
  small.convertTo(small, CV_32FC3);
  auto t = torch::from_blob(small.data, {side, side, 3}, torch::kFloat32);
  return t.permute({2, 0, 1});
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: returns a tensor that borrows the memory of 'small', which is gone when the
}
torch::Tensor borrowedOk(const cv::Mat &frame, int side) {
  cv::Mat small;
  cv::resize(frame, small, cv::Size(side, side));
  small.convertTo(small, CV_32FC3);
  auto t = torch::from_blob(small.data, {side, side, 3}, torch::kFloat32);
  return t.permute({2, 0, 1}).contiguous();
}
torch::Tensor gray(const cv::Mat &frame) {
  cv::Mat g;
  cv::cvtColor(frame, g, cv::COLOR_BGR2GRAY);
  auto t = torch::from_blob(g.data, {g.rows, g.cols, 3}, torch::kByte); // not found yet
  return t.to(torch::kFloat32);
}
torch::Tensor grayOk(const cv::Mat &frame) {
  cv::Mat g;
  cv::cvtColor(frame, g, cv::COLOR_BGR2GRAY);
  auto t = torch::from_blob(g.data, {g.rows, g.cols}, torch::kByte);
  return t.to(torch::kFloat32);
}
torch::Tensor swapped(const std::string &path) {
  cv::Mat image = cv::imread(path, cv::IMREAD_GRAYSCALE);
  return torch::from_blob(image.data, {image.cols, image.rows}, torch::kByte).clone();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: from_blob() takes the columns of 'image' for rows: it has [image.rows, imag
}
torch::Tensor swappedOk(const std::string &path) {
  cv::Mat image = cv::imread(path, cv::IMREAD_GRAYSCALE);
  return torch::from_blob(image.data, {image.rows, image.cols}, torch::kByte).clone();
}
cv::Mat shown(const torch::Tensor &chw) {
  auto hwc = chw.mul(255).clamp(0, 255).to(torch::kByte).view({3, 480, 640}).permute({1, 2, 0});
  cv::Mat image(480, 640, CV_8UC3, hwc.data_ptr<uint8_t>());
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'Mat' gets 'hwc' without its strides and takes them for [1920, 3, 1]: sizes
  return image.clone();
}
cv::Mat shownOk(const torch::Tensor &chw) {
  auto hwc = chw.mul(255).clamp(0, 255).to(torch::kByte).view({3, 480, 640}).permute({1, 2, 0}).contiguous();
  cv::Mat image(480, 640, CV_8UC3, hwc.data_ptr<uint8_t>());
  return image.clone();
}
cv::Mat maskOf(const torch::Tensor &logits, int h, int w) {
  auto label = logits.view({21, h, w}).argmax(0);
  cv::Mat image(h, w, CV_8UC1);
  std::memcpy(image.data, label.data_ptr(), label.numel() * sizeof(uint8_t));
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'memcpy' copies one byte for each of the h*w elements of 'label', which hav
  return image;
}
cv::Mat maskOfOk(const torch::Tensor &logits, int h, int w) {
  auto label = logits.view({21, h, w}).argmax(0).to(torch::kByte);
  cv::Mat image(h, w, CV_8UC1);
  std::memcpy(image.data, label.data_ptr(), label.numel() * sizeof(uint8_t));
  return image;
}
std::vector<torch::Tensor> batch(const std::vector<std::string> &paths) {
  std::vector<torch::Tensor> all;
  for (const std::string &p : paths) {
    cv::Mat image = cv::imread(p);
    image.convertTo(image, CV_32F);
    all.push_back(torch::from_blob(image.data, {image.rows, image.cols, 3}));
  }
  return all;
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: returns a tensor that borrows the memory of 'image', which is gone when the
}
std::vector<torch::Tensor> batchOk(const std::vector<std::string> &paths) {
  std::vector<torch::Tensor> all;
  for (const std::string &p : paths) {
    cv::Mat image = cv::imread(p);
    image.convertTo(image, CV_32F);
    all.push_back(torch::from_blob(image.data, {image.rows, image.cols, 3}).clone());
  }
  return all;
}
torch::Tensor roi(const cv::Mat &frame, cv::Rect box) {
  cv::Mat part = frame(box);
  return torch::from_blob(part.data, {box.height, box.width, 3}, torch::kByte).clone();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: from_blob() takes the rows of 'part' for packed ones: each is box.width pix
}
torch::Tensor roiOk(const cv::Mat &frame, cv::Rect box) {
  cv::Mat part = frame(box).clone();
  return torch::from_blob(part.data, {box.height, box.width, 3}, torch::kByte).clone();
}
