// https://github.com/pytorch/pytorch/issues/47298
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// The bias is packed in one branch of a conditional, and gone after it.

#include <tensortidy/aten.h>

void setUp(const float *weight, const float *bias, int64_t channels);

void bug(const at::Tensor &weight, const std::optional<at::Tensor> &bias) {
  const float *b = bias ? bias->contiguous().data_ptr<float>() : nullptr;
  // CHECK-MESSAGES: :[[#@LINE-1]]:46: warning: data_ptr() points into a temporary, the result of contiguous(), that is gone at the end of this statement; only when 'bias' is not contiguous, so tests with contiguous input pass [tensor-dangling-data-pointer]
  setUp(weight.data_ptr<float>(), b, weight.size(0));
}

void fix(const at::Tensor &weight, const std::optional<at::Tensor> &bias) {
  at::Tensor packed;
  if (bias)
    packed = bias->contiguous();
  setUp(weight.data_ptr<float>(), packed.defined() ? packed.data_ptr<float>() : nullptr, weight.size(0));
}
