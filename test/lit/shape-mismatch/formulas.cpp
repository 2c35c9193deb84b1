// RUN: %check %s --checks=-*,tensor-shape-mismatch -- %runtime
// A long formula goes by the name of the variable that holds it, and is left
// out where nobody gave it a name.

#include <tensortidy/aten.h>

at::Tensor named(const at::Tensor &x, int64_t height, int64_t pad,
                 int64_t dilation, int64_t kernel, int64_t stride) {
  auto outHeight =
      (height + 2 * pad - (dilation * (kernel - 1) + 1)) / stride + 1;
  auto y = at::zeros({outHeight, 3});
  return y.view({outHeight, 4});
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: view({outHeight, 4}): shape [outHeight, 4] does not fit the 3*outHeight elements of 'y'; throws
  // CHECK-MESSAGES: note: 'y' is [outHeight, 3] here: zeros({outHeight, 3})
}

at::Tensor unnamed(int64_t height, int64_t width, int64_t pad,
                   int64_t dilation, int64_t kernelHeight, int64_t kernelWidth) {
  auto y = at::zeros({height * width + 2 * pad - dilation * kernelHeight -
                          kernelHeight * kernelWidth - dilation * kernelWidth,
                      3});
  return y.permute({0, 1, 2});
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: permute({0, 1, 2}) names 3 dimensions, but 'y' has 2; throws
  // CHECK-MESSAGES: note: 'y' is [(...), 3] here: zeros({
}
