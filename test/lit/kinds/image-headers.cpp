// RUN: not %tensortidy --checks=-*,tensor-* %s -- %opencv %torch | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// REQUIRES: opencv-images
// OpenCV's functions as its own headers declare them, each with a correct twin.
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <torch/torch.h>
#include <string>
#include <vector>
torch::Tensor loaded(const std::string &path) {
  cv::Mat image = cv::imread(path, cv::IMREAD_COLOR);
  cv::cvtColor(image, image, cv::COLOR_BGR2RGB);
  return torch::from_blob(image.data, {image.rows, image.cols, 3}, torch::kFloat32).clone();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: from_blob() takes the uint8 of 'image' for float32: the values are wrong
}
torch::Tensor loadedOk(const std::string &path) {
  cv::Mat image = cv::imread(path, cv::IMREAD_COLOR);
  cv::cvtColor(image, image, cv::COLOR_BGR2RGB);
  return torch::from_blob(image.data, {image.rows, image.cols, 3}, torch::kByte).clone();
}
torch::Tensor rawOk(const std::string &path) { // as many channels as the file has
  cv::Mat image = cv::imread(path, cv::IMREAD_UNCHANGED);
  return torch::from_blob(image.data, {image.rows, image.cols, image.channels()}, torch::kByte).clone();
}
torch::Tensor decoded(const std::vector<uint8_t> &bytes) {
  cv::Mat gray = cv::imdecode(bytes, cv::IMREAD_GRAYSCALE);
  return torch::from_blob(gray.data, {gray.cols, gray.rows}, torch::kByte).clone();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: from_blob() takes the columns of 'gray' for rows
}
torch::Tensor scaled(const cv::Mat &frame, int side) {
  cv::Mat small, real;
  cv::resize(frame, small, cv::Size(side, 2 * side), 0, 0, cv::INTER_AREA);
  cv::cvtColor(small, small, cv::COLOR_BGR2RGB);
  small.convertTo(real, CV_32FC3, 1.0 / 255);
  return torch::from_blob(real.data, {side, 2 * side, 3}, torch::kFloat32).clone();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: from_blob() takes the columns of 'real' for rows: it has [2*side, side, 3]
}
torch::Tensor scaledOk(const cv::Mat &frame, int side) {
  cv::Mat small, real;
  cv::resize(frame, small, cv::Size(side, 2 * side), 0, 0, cv::INTER_AREA);
  cv::cvtColor(small, small, cv::COLOR_BGR2RGB);
  small.convertTo(real, CV_32FC3, 1.0 / 255);
  return torch::from_blob(real.data, {2 * side, side, 3}, torch::kFloat32).clone();
}
torch::Tensor halvedOk(const cv::Mat &frame) { // its size is computed from a factor
  cv::Mat small;
  cv::resize(frame, small, cv::Size(), 0.5, 0.5);
  return torch::from_blob(small.data, {small.rows, small.cols, 3}, torch::kByte).clone();
}
torch::Tensor planesOk(const cv::Mat &frame) {
  std::vector<cv::Mat> planes;
  cv::split(frame, planes);
  std::vector<torch::Tensor> all;
  for (const cv::Mat &p : planes)
    all.push_back(torch::from_blob(p.data, {p.rows, p.cols}, torch::kByte).clone());
  return torch::stack(all);
}
cv::Mat mergedOk(const torch::Tensor &chw) {
  auto t = chw.to(torch::kByte).contiguous();
  std::vector<cv::Mat> planes;
  for (int c = 0; c < 3; ++c)
    planes.emplace_back(480, 640, CV_8UC1, t[c].data_ptr<uint8_t>());
  cv::Mat image;
  cv::merge(planes, image);
  return image;
}
torch::Tensor mergedBackOk(const std::vector<cv::Mat> &planes, int h, int w) {
  cv::Mat image;
  cv::merge(planes, image);
  return torch::from_blob(image.data, {h, w, 3}, torch::kByte).clone();
}
torch::Tensor created(int h, int w) {
  cv::Mat image;
  image.create(h, w, CV_32FC1);
  image.setTo(0);
  return torch::from_blob(image.data, {h, w}, torch::kByte).clone();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: from_blob() takes the float32 of 'image' for uint8: the values are wrong
}
torch::Tensor createdOk(int h, int w) {
  cv::Mat image;
  image.create(h, w, CV_32FC1);
  image.setTo(0);
  return torch::from_blob(image.data, {h, w}, torch::kFloat32).clone();
}
// What functions take an image by, and what they give back.
static torch::Tensor tensorOf(cv::InputArray in) {
  cv::Mat image = in.getMat();
  return torch::from_blob(image.data, {image.rows, image.cols, 3}, torch::kFloat32).clone();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: from_blob() takes the uint8 of 'image' for float32: the values are wrong
}
torch::Tensor passed(int h, int w) {
  cv::Mat image(h, w, CV_8UC3);
  return tensorOf(image);
}
static torch::Tensor tensorOfOk(cv::InputArray in) {
  cv::Mat image = in.getMat();
  return torch::from_blob(image.data, {image.rows, image.cols, 3}, torch::kFloat32).clone();
}
torch::Tensor passedOk(int h, int w) {
  cv::Mat image(h, w, CV_32FC3);
  return tensorOfOk(image);
}
void filled(const torch::Tensor &x, int h, int w, cv::OutputArray out) {
  out.create(h, w, CV_8UC3);
  cv::Mat image = out.getMat();
  auto y = torch::from_blob(image.data, {3, h, w}, torch::kByte);
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: from_blob() takes the channels of 'image' for planes
  y.copy_(x);
}
void filledOk(const torch::Tensor &x, int h, int w, cv::OutputArray out) {
  out.create(h, w, CV_8UC3);
  cv::Mat image = out.getMat();
  auto y = torch::from_blob(image.data, {h, w, 3}, torch::kByte);
  y.copy_(x);
}
