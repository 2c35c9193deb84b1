// cv::fastFree() frees, says the model of OpenCV in the documentation.

// RUN: %exits 1 %tensortidy --quiet --model %examples/opencv/.tensortidy.yaml %s -- %aten | FileCheck %s --implicit-check-not=warning:
// RUN: %tensortidy --quiet %s -- %aten | count 0

#include <ATen/ATen.h>

namespace cv {
void *fastMalloc(size_t bufSize);
void fastFree(void *ptr);
} // namespace cv

at::Tensor freed(int64_t n) {
  auto *p = static_cast<float *>(cv::fastMalloc(n * sizeof(float)));
  at::Tensor x = at::from_blob(p, {n});
  cv::fastFree(p);
  // CHECK: opencv-memory.cpp:[[@LINE+1]]:12: warning: the tensor borrows the memory behind 'p', which was freed [tensor-from-blob-lifetime]
  return x + x;
}

at::Tensor kept(int64_t n) {
  auto *p = static_cast<float *>(cv::fastMalloc(n * sizeof(float)));
  at::Tensor x = at::from_blob(p, {n}).clone();
  cv::fastFree(p);
  return x + x;
}
