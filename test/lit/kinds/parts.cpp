// RUN: not %tensortidy --checks=-*,tensor-from-blob-lifetime,tensor-raw-pointer-layout,tensor-device-mismatch,tensor-dangling-data-pointer %s -- %opencv %torch | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// REQUIRES: opencv
// Parts of images, whose rows are not packed, and images around the memory of tensors, each with correct twins.
#include <opencv2/core.hpp>
#include <torch/torch.h>
#include <cstring>
#include <string>
#include <vector>
namespace cv { // of imgproc and imgcodecs, as they declare it
enum ColorConversionCodes { COLOR_BGR2RGB = 4, COLOR_BGR2GRAY = 6 };
enum ImreadModes { IMREAD_GRAYSCALE = 0, IMREAD_COLOR = 1 };
Mat imread(const String &filename, int flags = IMREAD_COLOR);
void cvtColor(InputArray src, OutputArray dst, int code, int dstCn = 0);
void resize(InputArray src, OutputArray dst, Size dsize, double fx = 0, double fy = 0, int interpolation = 1);
} // namespace cv
// 1. A detector's box as packed memory.
torch::Tensor face(const cv::Mat &frame, const cv::Rect &box) {
  cv::Mat part = frame(box);
  return torch::from_blob(part.data, {box.height, box.width, 3}, torch::kByte).clone();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: from_blob() takes the rows of 'part' for packed ones: each is box.width pixels of frame.cols in memory; wrong unless box.width is frame.cols [tensor-from-blob-lifetime]
}
// 2. A left half, copied as one block.
torch::Tensor leftHalf(const std::string &path) {
  cv::Mat image = cv::imread(path);
  cv::Mat left = image.colRange(0, image.cols / 2);
  auto out = torch::empty({left.rows, left.cols, 3}, torch::kByte);
  std::memcpy(out.data_ptr(), left.data, left.rows * left.cols * left.channels()); // not found yet
  return out;
}
// 3. Pixels by index in a crop.
void normalize(const cv::Mat &frame, int x, int y, int w, int h, torch::Tensor planes) {
  float *out = planes.data_ptr<float>();
  cv::Mat rgb;
  cv::cvtColor(frame, rgb, cv::COLOR_BGR2RGB);
  rgb.convertTo(rgb, CV_32FC3, 1.0 / 255);
  cv::Mat crop = rgb(cv::Rect(x, y, w, h));
  const float *p = crop.ptr<float>();
  for (int i = 0; i < h; ++i)
    for (int j = 0; j < w; ++j)
      for (int c = 0; c < 3; ++c)
        out[(c * h + i) * w + j] = p[(i * w + j) * 3 + c]; // not found yet
}
// 4. resize() takes width and height.
torch::Tensor input(const cv::Mat &frame, int w, int h) {
  cv::Mat small;
  cv::cvtColor(frame, small, cv::COLOR_BGR2RGB);
  cv::resize(small, small, cv::Size(w, h));
  return torch::from_blob(small.data, {1, w, h, 3}, torch::kByte).permute({0, 3, 1, 2}).clone();
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: from_blob() takes the columns of 'small' for rows: it has [h, w, 3], pixel by pixel
}
// 5. float tensor shown as bytes.
cv::Mat shown(torch::Tensor t) {
  auto hwc = t.view({3, 480, 640}).permute({1, 2, 0}).contiguous().mul(255).to(torch::kFloat32);
  cv::Mat image(480, 640, CV_8UC3, hwc.data_ptr());
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: the elements of 'hwc' are float32, and this pointer reads them as uint8 [tensor-raw-pointer-layout]
  return image.clone();
}
// 6. Planes taken for pixels.
cv::Mat planes(torch::Tensor t) {
  auto chw = t.view({3, 480, 640}).mul(255).to(torch::kByte).contiguous();
  cv::Mat image(480, 640, CV_8UC3, chw.data_ptr<uint8_t>());
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'Mat' takes the planes of 'chw' for the channels of pixels: sizes [3, 480, 640], and it is told [480, 640, 3] [tensor-raw-pointer-layout]
  return image.clone();
}
// 7. A tensor of the device.
cv::Mat onDevice(torch::Tensor t) {
  auto mask = t.view({480, 640}).to(torch::kCUDA).to(torch::kByte);
  cv::Mat image(480, 640, CV_8UC1, mask.data_ptr<uint8_t>());
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: the host reads memory of 'mask', which is on cuda; crashes [tensor-device-mismatch]
  return image.clone();
}
// 8. The tensor is gone before the matrix.
cv::Mat dangling(const torch::Tensor &t) {
  auto mask = t.view({480, 640}).mul(255).to(torch::kByte).contiguous();
  return cv::Mat(480, 640, CV_8UC1, mask.data_ptr<uint8_t>());
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: returns data_ptr() of a tensor that is gone when the function returns
}
// 9. patch of constructor, rows through ptr()
torch::Tensor patch(const cv::Mat &frame, int side) {
  cv::Mat gray;
  cv::cvtColor(frame, gray, cv::COLOR_BGR2GRAY);
  cv::Mat part(gray, cv::Rect(8, 8, side, side));
  auto t = torch::from_blob(part.ptr(), {side, side}, torch::kByte);
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: from_blob() takes the rows of 'part' for packed ones: each is side pixels of gray.cols in memory
  return t.to(torch::kFloat32);
}
// ---- right
torch::Tensor faceOk(const cv::Mat &frame, const cv::Rect &box) {
  cv::Mat part = frame(box).clone();
  return torch::from_blob(part.data, {box.height, box.width, 3}, torch::kByte).clone();
}
torch::Tensor faceOk2(const cv::Mat &frame, const cv::Rect &box) {
  cv::Mat part;
  frame(box).copyTo(part);
  return torch::from_blob(part.data, {part.rows, part.cols, 3}, torch::kByte).clone();
}
torch::Tensor faceOk3(const cv::Mat &frame, const cv::Rect &box) {
  cv::Mat part = frame(box);
  if (!part.isContinuous())
    part = part.clone();
  return torch::from_blob(part.data, {part.rows, part.cols, 3}, torch::kByte).clone();
}
torch::Tensor faceOk4(const cv::Mat &frame, const cv::Rect &box) {
  CV_Assert(frame.type() == CV_8UC3);
  cv::Mat part = frame(box);
  return torch::from_blob(part.data, {part.rows, part.cols, 3}, {static_cast<int64_t>(part.step), 3, 1}, torch::kByte).clone();
}
torch::Tensor upperHalf(const std::string &path) {
  cv::Mat image = cv::imread(path);
  cv::Mat upper = image.rowRange(0, image.rows / 2);
  auto out = torch::empty({upper.rows, upper.cols, 3}, torch::kByte);
  std::memcpy(out.data_ptr(), upper.data, upper.rows * upper.cols * upper.channels());
  return out;
}
torch::Tensor rowsOk(const std::string &path) {
  cv::Mat image = cv::imread(path);
  cv::Mat left = image.colRange(0, image.cols / 2);
  auto out = torch::empty({left.rows, left.cols, 3}, torch::kByte);
  uint8_t *to = out.data_ptr<uint8_t>();
  for (int i = 0; i < left.rows; ++i)
    std::memcpy(to + i * left.cols * 3, left.ptr(i), left.cols * 3);
  return out;
}
void normalizeOk(const cv::Mat &frame, int x, int y, int w, int h, torch::Tensor planes) {
  float *out = planes.data_ptr<float>();
  cv::Mat rgb;
  cv::cvtColor(frame, rgb, cv::COLOR_BGR2RGB);
  rgb.convertTo(rgb, CV_32FC3, 1.0 / 255);
  cv::Mat crop = rgb(cv::Rect(x, y, w, h));
  for (int i = 0; i < h; ++i) {
    const float *p = crop.ptr<float>(i);
    for (int j = 0; j < w; ++j)
      for (int c = 0; c < 3; ++c)
        out[(c * h + i) * w + j] = p[j * 3 + c];
  }
}
torch::Tensor inputOk(const cv::Mat &frame, int w, int h) {
  cv::Mat small;
  cv::cvtColor(frame, small, cv::COLOR_BGR2RGB);
  cv::resize(small, small, cv::Size(w, h));
  return torch::from_blob(small.data, {1, h, w, 3}, torch::kByte).permute({0, 3, 1, 2}).clone();
}
// the crop is resized: new memory, packed
torch::Tensor cropOk(const cv::Mat &frame, const cv::Rect &box) {
  cv::Mat small, part = frame(box);
  cv::resize(part, small, cv::Size(112, 112));
  return torch::from_blob(small.data, {112, 112, 3}, torch::kByte).clone();
}
cv::Mat shownOk(torch::Tensor t) {
  auto hwc = t.view({3, 480, 640}).permute({1, 2, 0}).mul(255).to(torch::kByte).contiguous();
  cv::Mat image(480, 640, CV_8UC3, hwc.data_ptr());
  return image.clone();
}
cv::Mat floatOk(torch::Tensor t) {
  auto hwc = t.view({3, 480, 640}).permute({1, 2, 0}).to(torch::kFloat32).contiguous();
  cv::Mat image(480, 640, CV_32FC3, hwc.data_ptr());
  return image.clone();
}
cv::Mat onDeviceOk(torch::Tensor t) {
  auto mask = t.view({480, 640}).to(torch::kCUDA).to(torch::kByte).cpu();
  cv::Mat image(480, 640, CV_8UC1, mask.data_ptr<uint8_t>());
  return image.clone();
}
torch::Tensor wholeRows(const std::string &path, int top, int h) {
  cv::Mat image = cv::imread(path);
  cv::Mat band = image(cv::Rect(0, top, image.cols, h));
  return torch::from_blob(band.data, {h, image.cols, 3}, torch::kByte).clone();
}
