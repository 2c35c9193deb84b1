// RUN: %check %s --checks=-*,tensor-raw-pointer-layout -- %runtime
// What else a call gets says what it takes a pointer for.

#include <cstdio>
#include <cstring>
#include <tensortidy/aten.h>
#include <vector>

void rows(const float *p, int64_t n, int64_t m);
void change(float *p, int64_t n, int64_t m);
void all(const float *p, int64_t n);
void map(const float *p, float *o, int64_t n);
void sized(const float *p, at::IntArrayRef sizes);

void sizesInTheirOrder(int64_t B, int64_t C, int64_t T) {
  auto x = torch::empty({B, C, T});
  auto y = x.permute({0, 2, 1});
  rows(y.data_ptr<float>(), y.size(1), y.size(2));
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: 'rows' gets 'y' without its strides and takes them for [C*T, C, 1]: sizes [B, T, C], strides [C*T, 1, T]; wrong unless C or T is 1 [tensor-raw-pointer-layout]
  // CHECK-MESSAGES: :[[#@LINE-3]]:14: note: 'y' got this layout here: permute({0, 2, 1}) of a contiguous [B, C, T]
  // CHECK-MESSAGES: :[[#@LINE-3]]:3: note: used here
  // CHECK-MESSAGES: :[[#@LINE-4]]:10: note: contiguous() before data_ptr() copies B*C*T elements
  // CHECK-FIXES: rows(y.contiguous().data_ptr<float>(), y.size(1), y.size(2));
}
void written(int64_t B, int64_t C) {
  auto y = torch::empty({B, C}).t();
  change(y.data_ptr<float>(), C, B);
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: 'change' gets 'y' without its strides
  // CHECK-FIXES: change(y.data_ptr<float>(), C, B);
}
void listOfSizes(int64_t B, int64_t C) {
  auto y = torch::empty({B, C}).t();
  sized(y.data_ptr<float>(), y.sizes());
  // CHECK-MESSAGES: :[[#@LINE-1]]:11: warning: 'sized' gets 'y' without its strides and takes them for [B, 1]
}
void stridesThatSurvive(int64_t B, int64_t C) {
  auto y = torch::empty({B, C}).t();
  auto copy = y.clone(), sum = y + y, like = torch::zeros_like(y);
  rows(copy.data_ptr<float>(), C, B);
  // CHECK-MESSAGES: :[[#@LINE-1]]:13: warning: 'rows' gets 'copy' without its strides
  rows(sum.data_ptr<float>(), C, B);
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: 'rows' gets 'sum' without its strides
  rows(like.data_ptr<float>(), C, B);
  // CHECK-MESSAGES: :[[#@LINE-1]]:13: warning: 'rows' gets 'like' without its strides
}
void gaps(int64_t B, int64_t C, int64_t T) {
  auto y = torch::empty({B, C, T}).select(1, 0);
  all(y.data_ptr<float>(), y.numel());
  // CHECK-MESSAGES: :[[#@LINE-1]]:9: warning: 'all' gets 'y' without its strides and takes B*T elements in a row: sizes [B, T], strides [C*T, 1]; wrong unless B or C is 1
  auto z = torch::empty({B, 1, T}).expand({B, 8, T});
  all(z.data_ptr<float>(), z.numel());
  // CHECK-MESSAGES: :[[#@LINE-1]]:9: warning: 'all' gets 'z' without its strides and takes 8*B*T elements in a row: sizes [B, 8, T], strides [T, 0, 1]
}
void besideAnother(int64_t B, int64_t C) {
  auto y = torch::empty({B, C}).t();
  auto out = torch::empty(y.sizes());
  map(y.data_ptr<float>(), out.data_ptr<float>(), y.numel());
  // CHECK-MESSAGES: :[[#@LINE-1]]:9: warning: 'map' gets 'y' without its strides, together with 'out', which has others: sizes [C, B], strides [1, C]
}
void onOnePath(int64_t B, int64_t C, bool swap) {
  auto y = torch::empty({B, C});
  if (swap)
    y = y.t();
  rows(y.data_ptr<float>(), y.size(0), y.size(1));
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: 'rows' gets 'y' without its strides and takes them for [B, 1]: sizes [C, B], strides [1, C]; wrong when 'swap' is true, unless B or C is 1
}
void parameter(const at::Tensor &x) {
  auto y = x.transpose(1, 2);
  rows(y.data_ptr<float>(), y.size(1), y.size(2));
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: 'rows' gets 'y' without its strides {{.*}}; wrong when 'x' is contiguous, unless x.size(1) or x.size(2) is 1
}

// --- copies ---

void copied(int64_t B, int64_t C, float *raw, FILE *file) {
  auto y = torch::empty({B, C}).t();
  std::memcpy(raw, y.data_ptr<float>(), y.numel() * sizeof(float));
  // CHECK-MESSAGES: :[[#@LINE-1]]:22: warning: 'memcpy' copies 'y' in the order of its memory, [B, C]: sizes [C, B], strides [1, C]; wrong unless B or C is 1
  std::memcpy(raw, y.data_ptr(), y.nbytes());
  // CHECK-MESSAGES: :[[#@LINE-1]]:22: warning: 'memcpy' copies
  std::memcpy(raw, y.data_ptr(), y.numel() * y.element_size());
  // CHECK-MESSAGES: :[[#@LINE-1]]:22: warning: 'memcpy' copies
  fwrite(y.data_ptr<float>(), 4, y.numel(), file);
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: 'fwrite' copies
  std::copy(y.data_ptr<float>(), y.data_ptr<float>() + y.numel(), raw);
  // CHECK-MESSAGES: :[[#@LINE-1]]:15: warning: 'copy' copies
  const float *p = y.data_ptr<float>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:22: warning: the vector copies
  // CHECK-FIXES: auto y_contiguous = y.contiguous();
  // CHECK-FIXES-NEXT: const float *p = y_contiguous.data_ptr<float>();
  std::vector<float> v(p, p + y.numel());
  auto dense = torch::empty(y.sizes());
  std::memcpy(dense.data_ptr<float>(), y.data_ptr<float>(), y.numel() * 4);
  // CHECK-MESSAGES: :[[#@LINE-1]]:42: warning: 'memcpy' gets 'y' without its strides, together with 'dense', which has others
  auto z = torch::from_blob(y.data_ptr<float>(), y.sizes());
  // CHECK-MESSAGES: :[[#@LINE-1]]:31: warning: from_blob() takes the strides of 'y' for [B, 1]
}

/// A vector's size() is what it was resized to.
void intoVectors(int64_t B, int64_t C, std::vector<float> &out) {
  auto y = torch::empty({B, C}).t();
  std::vector<float> own(y.numel());
  std::memcpy(own.data(), y.data_ptr<float>(), own.size() * sizeof(float));
  // CHECK-MESSAGES: :[[#@LINE-1]]:29: warning: 'memcpy' copies 'y' in the order of its memory
  out.resize(y.numel());
  std::memcpy(out.data(), y.data_ptr<float>(), out.size() * sizeof(float));
  // CHECK-MESSAGES: :[[#@LINE-1]]:29: warning: 'memcpy' copies 'y' in the order of its memory
  out.resize(C);
  std::memcpy(out.data(), y.data_ptr<float>(), out.size() * sizeof(float));
  own.push_back(1);
  std::memcpy(out.data(), y.data_ptr<float>(), own.size() * sizeof(float));
  // Two columns, one after the other: no more than a part.
}

// --- objects around memory ---

namespace cv {
template <class T> struct Size_ {
  Size_(T width, T height);
  T width, height;
};
using Size = Size_<int>;
struct Mat {
  Mat(int rows, int cols, int type, void *data, size_t step = 0);
  Mat(Size size, int type, void *data, size_t step = 0);
};
} // namespace cv
constexpr int CV_8UC3 = 16;
struct Rows {
  Rows(float *data, int64_t n, int64_t m);
};

void objects(int64_t H, int64_t W) {
  auto image = torch::zeros({3, H, W}, torch::kByte).permute({1, 2, 0});
  cv::Mat m(image.size(0), image.size(1), CV_8UC3, image.data_ptr());
  // CHECK-MESSAGES: :[[#@LINE-1]]:58: warning: 'Mat' gets 'image' without its strides and takes them for [3*W, 3, 1]: sizes [H, W, 3], strides [W, 1, H*W]
  auto dense = image.contiguous();
  cv::Mat n(dense.size(0), dense.size(1), CV_8UC3, dense.data_ptr());
  auto y = torch::zeros({H, W}).t();
  Rows rows(y.data_ptr<float>(), W, H);
  // CHECK-MESSAGES: :[[#@LINE-1]]:15: warning: 'Rows' gets 'y' without its strides and takes them for [H, 1]
}

// How many channels there are, only the image says.
void images(const at::Tensor &x, const at::Tensor &interleaved) {
  auto image = x.contiguous().permute({1, 2, 0}).mul(255).to(torch::kByte);
  cv::Mat m(image.size(0), image.size(1), CV_8UC3, image.data_ptr());
  // CHECK-MESSAGES: :[[#@LINE-1]]:58: warning: 'Mat' gets 'image' without its strides
  cv::Size size(image.size(1), image.size(0));
  cv::Mat n(size, CV_8UC3, image.data_ptr());
  // CHECK-MESSAGES: :[[#@LINE-1]]:34: warning: 'Mat' gets 'image' without its strides
  auto planes = interleaved.contiguous().permute({2, 0, 1});
  cv::Mat o(planes.size(1), planes.size(2), CV_8UC3, planes.data_ptr());
}
