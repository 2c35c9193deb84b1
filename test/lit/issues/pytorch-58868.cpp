// https://github.com/pytorch/pytorch/issues/58868
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// Quantizing reads through a pointer into a packed copy that nobody holds.

#include <tensortidy/aten.h>

at::Tensor bug(const at::Tensor &weight, double scale) {
  const float *from = weight.contiguous().data_ptr<float>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:43: warning: data_ptr() points into a temporary, the result of contiguous(), that is gone at the end of this statement; only when 'weight' is not contiguous, so tests with contiguous input pass [tensor-dangling-data-pointer]
  auto codes = at::empty({weight.numel()}, at::kInt);
  int *to = codes.data_ptr<int>();
  for (int64_t i = 0; i < weight.numel(); ++i)
    to[i] = static_cast<int>(from[i] / scale);
  return codes;
}

at::Tensor fix(const at::Tensor &weight, double scale) {
  auto packed = weight.contiguous();
  const float *from = packed.data_ptr<float>();
  auto codes = at::empty({weight.numel()}, at::kInt);
  int *to = codes.data_ptr<int>();
  for (int64_t i = 0; i < weight.numel(); ++i)
    to[i] = static_cast<int>(from[i] / scale);
  return codes;
}
