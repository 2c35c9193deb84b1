// RUN: %check %s --checks=-*,tensor-from-blob-lifetime -- %runtime
// A local cv::Mat that is read from a file, or made by its sizes, and never handed on takes its memory along.

#include <tensortidy/aten.h>

#include <utility>
#include <vector>

namespace cv {
struct Mat;
struct _InputArray {
  _InputArray(const Mat &m);
};
struct _OutputArray {
  _OutputArray(Mat &m);
};
struct Mat {
  Mat();
  Mat(const Mat &m);
  Mat(int rows, int cols, int type);
  Mat(int rows, int cols, int type, void *data, size_t step = 0);
  ~Mat();
  Mat &operator=(const Mat &m);
  void convertTo(const _OutputArray &m, int type, double scale = 1) const;
  unsigned char *data;
  int rows, cols;
};
Mat imread(const char *name);
void cvtColor(const _InputArray &from, const _OutputArray &to, int code);
} // namespace cv
constexpr int CV_8UC3 = 16, CV_32FC3 = 21;

at::Tensor readIn(const char *name) {
  cv::Mat image = cv::imread(name);
  cv::cvtColor(image, image, 4);
  image.convertTo(image, CV_32FC3, 1 / 255.0);
  auto x = torch::from_blob(image.data, {image.rows, image.cols, 3}).to(torch::kFloat).permute({2, 0, 1});
  return x;
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'image', which is gone when the function returns [tensor-from-blob-lifetime]
  // CHECK-MESSAGES: :[[#@LINE-3]]:19: note: from_blob() makes no copy; clone() its result to have one
}
at::Tensor converted(const cv::Mat &from) {
  cv::Mat image;
  from.convertTo(image, CV_32FC3);
  return torch::from_blob(image.data, {image.rows, image.cols, 3});
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'image'
  // CHECK-MESSAGES: note:
}
at::Tensor bySizes() {
  cv::Mat image(4, 6, CV_32FC3);
  return torch::from_blob(image.data, {4, 6, 3});
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'image'
  // CHECK-MESSAGES: note:
}

// Another may have the memory, or the tensor a copy.
struct Album {
  cv::Mat last;
  std::vector<cv::Mat> all;
  at::Tensor member(const char *name);
  at::Tensor element(const char *name);
};
at::Tensor Album::member(const char *name) {
  cv::Mat image = cv::imread(name);
  last = image;
  return torch::from_blob(image.data, {image.rows});
}
at::Tensor Album::element(const char *name) {
  cv::Mat image = cv::imread(name);
  all.push_back(image);
  return torch::from_blob(image.data, {image.rows});
}
at::Tensor header(const cv::Mat &from) {
  cv::Mat image = from;
  cv::cvtColor(image, image, 4);
  return torch::from_blob(image.data, {image.rows});
}
at::Tensor around(unsigned char *memory) {
  cv::Mat image(4, 6, CV_8UC3, memory);
  return torch::from_blob(image.data, {4, 6, 3}, torch::kByte);
}
at::Tensor copied(const char *name) {
  cv::Mat image = cv::imread(name);
  return torch::from_blob(image.data, {image.rows}).clone();
}
std::pair<cv::Mat, at::Tensor> together(const char *name) {
  cv::Mat image = cv::imread(name);
  auto x = torch::from_blob(image.data, {image.rows});
  return {image, x};
}
