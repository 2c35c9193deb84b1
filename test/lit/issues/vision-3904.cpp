// https://github.com/pytorch/vision/pull/3904
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// Two pointers into copies that are gone, given to the kernel a line later.

#include <tensortidy/aten.h>

void align(const float *images, const float *boxes, int64_t n);

template <class T> void bug(const at::Tensor &images, const at::Tensor &boxes) {
  const T *i = images.contiguous().data_ptr<T>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:36: warning: data_ptr() points into a temporary
  const T *b = boxes.contiguous().data_ptr<T>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:35: warning: data_ptr() points into a temporary
  align(i, b, boxes.size(0));
}
template void bug<float>(const at::Tensor &, const at::Tensor &);

template <class T> void fix(const at::Tensor &images, const at::Tensor &boxes) {
  auto dense = images.contiguous(), denseBoxes = boxes.contiguous();
  const T *i = dense.data_ptr<T>();
  const T *b = denseBoxes.data_ptr<T>();
  align(i, b, boxes.size(0));
}
template void fix<float>(const at::Tensor &, const at::Tensor &);
