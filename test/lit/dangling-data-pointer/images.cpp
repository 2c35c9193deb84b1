// RUN: %check %s --checks=-*,tensor-dangling-data-pointer -- %runtime
// A cv::Mat around a tensor's elements owns nothing, and its copies neither. What clone(), copyTo() and the functions
// that make an image of their own write has memory of its own.

#include <tensortidy/aten.h>
#include <vector>

namespace cv {
struct Mat;
struct InputArray {
  InputArray(const Mat &m);
};
struct OutputArray {
  OutputArray(Mat &m);
};
struct MatExpr {
  operator Mat() const;
};
struct Mat {
  Mat();
  Mat(const Mat &m);
  Mat(int rows, int cols, int type, void *data, size_t step = 0);
  ~Mat();
  Mat &operator=(const Mat &m);
  Mat &operator=(const MatExpr &e);
  Mat clone() const;
  Mat row(int i) const;
  void copyTo(const OutputArray &m) const;
  void convertTo(const OutputArray &m, int type, double scale = 1) const;
  unsigned char *data;
};
MatExpr operator*(const Mat &m, double scale);
void resize(const InputArray &in, const OutputArray &out, int rows, int cols);
bool imwrite(const char *name, const InputArray &image);
} // namespace cv
constexpr int CV_8UC1 = 0, CV_32FC1 = 5;

struct View {
  cv::Mat shown;
  void keep(const at::Tensor &t);
  void copy(const at::Tensor &t);
};

void temporary(const at::Tensor &t) {
  cv::Mat m(t.size(0), t.size(1), CV_8UC1, t.mul(255).to(torch::kByte).data_ptr());
  // CHECK-MESSAGES: :[[#@LINE-1]]:72: warning: data_ptr() points into a temporary, the result of mul(), that is gone at the end of this statement [tensor-dangling-data-pointer]
  // CHECK-MESSAGES: :[[#@LINE+1]]:24: note: used here, after that
  cv::imwrite("a.png", m);
}
cv::Mat returned(const at::Tensor &t) {
  auto u = t.mul(255);
  cv::Mat m(u.size(0), u.size(1), CV_32FC1, u.data_ptr<float>());
  return m;
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: returns data_ptr() of a tensor that is gone when the function returns [tensor-dangling-data-pointer]
}
cv::Mat madeThere(at::Tensor t) {
  t = t.to(torch::kCPU);
  return cv::Mat(t.size(0), t.size(1), CV_32FC1, t.data_ptr<float>());
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: returns data_ptr() of a tensor that is gone when the function returns; only when 't' is not of that dtype and device already [tensor-dangling-data-pointer]
}
cv::Mat part(const at::Tensor &t) {
  auto u = t.mul(255);
  cv::Mat m(u.size(0), u.size(1), CV_32FC1, u.data_ptr<float>());
  return m.row(0);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: returns data_ptr() of a tensor that is gone when the function returns [tensor-dangling-data-pointer]
}
void out(const at::Tensor &t, cv::Mat &image) {
  auto u = t.mul(255);
  image = cv::Mat(u.size(0), u.size(1), CV_32FC1, u.data_ptr<float>());
  // CHECK-MESSAGES: :[[#@LINE-1]]:53: warning: data_ptr() is kept in 'image', which outlives the tensor it points into [tensor-dangling-data-pointer]
}
void View::keep(const at::Tensor &t) {
  auto u = t.mul(255);
  cv::Mat m(u.size(0), u.size(1), CV_32FC1, u.data_ptr<float>());
  // CHECK-MESSAGES: :[[#@LINE-1]]:47: warning: data_ptr() is kept in 'shown', which outlives the tensor it points into [tensor-dangling-data-pointer]
  shown = m;
}
std::vector<cv::Mat> all(const std::vector<at::Tensor> &ts) {
  std::vector<cv::Mat> images;
  for (const auto &t : ts) {
    auto u = t.mul(255);
    images.push_back(cv::Mat(u.size(0), u.size(1), CV_32FC1, u.data_ptr<float>()));
  }
  return images;
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: returns data_ptr() of a tensor that is gone when the function returns [tensor-dangling-data-pointer]
}

// --- silent ---

cv::Mat cloned(const at::Tensor &t) {
  auto u = t.mul(255);
  cv::Mat m(u.size(0), u.size(1), CV_32FC1, u.data_ptr<float>());
  cv::imwrite("a.png", m);
  return m.clone();
}
void View::copy(const at::Tensor &t) {
  auto u = t.mul(255);
  cv::Mat m(u.size(0), u.size(1), CV_32FC1, u.data_ptr<float>());
  m.copyTo(shown);
}
cv::Mat resized(const at::Tensor &t) {
  auto u = t.mul(255);
  cv::Mat m(u.size(0), u.size(1), CV_32FC1, u.data_ptr<float>()), small;
  cv::resize(m, small, 8, 8);
  return small;
}
// It moves to memory of its own where the type changes.
cv::Mat converted(const at::Tensor &t) {
  auto u = t.mul(255).to(torch::kByte);
  cv::Mat m(u.size(0), u.size(1), CV_8UC1, u.data_ptr());
  m.convertTo(m, CV_32FC1, 1 / 255.0);
  return m;
}
cv::Mat product(const at::Tensor &t) {
  auto u = t.mul(255);
  cv::Mat m(u.size(0), u.size(1), CV_32FC1, u.data_ptr<float>());
  m = m * 2;
  return m;
}
void atOnce(const at::Tensor &t) {
  cv::imwrite("a.png", cv::Mat(t.size(0), t.size(1), CV_32FC1, t.mul(2).data_ptr<float>()));
  cv::Mat m = cv::Mat(t.size(0), t.size(1), CV_32FC1, t.mul(2).data_ptr<float>()).clone();
  cv::imwrite("b.png", m);
}
// The caller has the tensor.
cv::Mat ofCaller(const at::Tensor &t) { return cv::Mat(t.size(0), t.size(1), CV_32FC1, t.data_ptr<float>()); }
