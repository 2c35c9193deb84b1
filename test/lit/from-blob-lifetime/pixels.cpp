// RUN: not %tensortidy --checks=-*,tensor-from-blob-lifetime %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// What cv::Mat has in its memory: rows, columns and channels of one type.

#include <tensortidy/aten.h>

namespace cv {
struct Mat;
struct _InputArray {
  _InputArray(const Mat &m);
};
struct _OutputArray {
  _OutputArray(Mat &m);
};
template <class T> struct Size_ {
  Size_();
  Size_(T width, T height);
  T width, height;
};
using Size = Size_<int>;
struct Scalar_ {
  Scalar_(double v);
};
struct Rect {
  Rect(int x, int y, int w, int h);
};
struct Mat {
  Mat();
  Mat(const Mat &m);
  Mat(int rows, int cols, int type);
  Mat(int rows, int cols, int type, const Scalar_ &s);
  Mat(Size size, int type);
  Mat(int rows, int cols, int type, void *data, size_t step = 0);
  ~Mat();
  Mat &operator=(const Mat &m);
  Mat operator()(const Rect &part) const;
  Mat clone() const;
  void convertTo(const _OutputArray &m, int type, double scale = 1) const;
  bool isContinuous() const;
  int channels() const;
  unsigned char *ptr(int row = 0);
  template <class T> T *ptr(int row = 0);
  static Mat zeros(int rows, int cols, int type);
  unsigned char *data;
  int rows, cols;
};
Mat imread(const char *name, int flags = 1);
void cvtColor(const _InputArray &from, const _OutputArray &to, int code, int channels = 0);
void resize(const _InputArray &from, const _OutputArray &to, Size size, double x = 0, double y = 0);
} // namespace cv
constexpr int CV_8UC1 = 0, CV_8UC3 = 16, CV_32F = 5, CV_32FC3 = 21, BGR2RGB = 4, BGR2GRAY = 6;
void other(cv::Mat &m);

at::Tensor wider(int h, int w) {
  cv::Mat m(h, w, CV_8UC3);
  return at::from_blob(m.data, {h, w, 3}, at::kFloat).clone();
  // CHECK: :[[#@LINE-1]]:14: warning: from_blob() takes the uint8 of 'm' for float32: the values are wrong [tensor-from-blob-lifetime]
}
at::Tensor byDefault(const char *name) {
  cv::Mat image = cv::imread(name);
  return at::from_blob(image.data, {image.rows, image.cols, 3}).clone();
  // CHECK: :[[#@LINE-1]]:14: warning: from_blob() takes the uint8 of 'image' for float32, its default: the values are wrong
}
at::Tensor converted(const cv::Mat &from) {
  cv::Mat m;
  from.convertTo(m, CV_32F);
  return at::from_blob(m.data, {m.rows, m.cols, 3}, at::kByte).clone();
  // CHECK: :[[#@LINE-1]]:14: warning: from_blob() takes the float32 of 'm' for uint8: the values are wrong
}
at::Tensor planes(const char *name) {
  cv::Mat image = cv::imread(name);
  cv::cvtColor(image, image, BGR2RGB);
  cv::resize(image, image, cv::Size(224, 160));
  image.convertTo(image, CV_32FC3, 1 / 255.0);
  return at::from_blob(image.data, {1, 3, 160, 224}).clone();
  // CHECK: :[[#@LINE-1]]:14: warning: from_blob() takes the channels of 'image' for planes: it has [160, 224, 3], pixel by pixel
}
at::Tensor swapped(const char *name) {
  cv::Mat image = cv::imread(name);
  return at::from_blob(image.ptr(), {image.cols, image.rows, 3}, at::kByte).clone();
  // CHECK: :[[#@LINE-1]]:14: warning: from_blob() takes the columns of 'image' for rows: it has [image.rows, image.cols, 3], pixel by pixel
}
at::Tensor gray(const char *name) {
  cv::Mat image = cv::imread(name), one;
  cv::cvtColor(image, one, BGR2GRAY);
  return at::from_blob(one.data, {one.rows, one.cols, 3}, at::kByte).clone();
  // CHECK: :[[#@LINE-1]]:14: warning: from_blob() reads 3*one.rows*one.cols elements of uint8 of 'one', which has [one.rows, one.cols, 1] of uint8
}
at::Tensor black(int n) {
  cv::Mat m = cv::Mat::zeros(n, 8, CV_8UC1);
  return at::from_blob(m.data, {n, 9}, at::kByte).clone();
  // CHECK: :[[#@LINE-1]]:14: warning: from_blob() reads 9*n elements of uint8 of 'm', which has [n, 8, 1] of uint8
}
at::Tensor bySize() {
  cv::Mat m(cv::Size(40, 30), CV_32FC3);
  return at::from_blob(m.ptr<float>(), {40, 30, 3}).clone();
  // CHECK: :[[#@LINE-1]]:14: warning: from_blob() takes the columns of 'm' for rows: it has [30, 40, 3], pixel by pixel
}

// As they lie.
at::Tensor right(const char *name, int h, int w) {
  cv::Mat m(h, w, CV_8UC3), f;
  auto x = at::from_blob(m.data, {h, w, 3}, at::kByte).permute({2, 0, 1}).clone();
  m.convertTo(f, CV_32FC3);
  auto y = at::from_blob(f.data, {1, h, w, 3}).permute({0, 3, 1, 2}).clone();
  cv::Mat image = cv::imread(name);
  if (!image.isContinuous())
    image = image.clone();
  auto z = at::from_blob(image.ptr(), {image.rows, image.cols, image.channels()}, at::kByte).clone();
  cv::resize(image, image, cv::Size(224, 160));
  auto u = at::from_blob(image.data, {160, 224, 3}, at::kByte).clone();
  auto v = at::from_blob(image.data, {3, 160, 224}, {1, 224 * 3, 3}, at::kByte).clone(); // planes by strides
  auto raw = at::from_blob(f.data, {h, w, 12}, at::kByte).clone();                       // its bytes
  return x + y + z + u + v + raw;
}
// What others may have changed, and memory of others.
at::Tensor unknown(const char *name, unsigned char *memory, const cv::Mat &given) {
  cv::Mat image = cv::imread(name);
  other(image);
  auto x = at::from_blob(image.data, {1, 3, image.rows, image.cols}).clone();
  cv::Mat around(4, 6, CV_8UC3, memory);
  auto y = at::from_blob(around.data, {3, 4, 6}, at::kByte).clone();
  cv::Mat any = cv::imread(name, -1), part = image(cv::Rect(0, 0, 4, 4));
  auto z = at::from_blob(any.data, {any.rows, any.cols, 3}).clone();
  return x + y + z + at::from_blob(part.data, {3, 4, 4}, at::kByte) + at::from_blob(given.data, {3, given.rows, given.cols}, at::kByte);
}
