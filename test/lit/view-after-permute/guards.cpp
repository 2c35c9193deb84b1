// RUN: %silent %s --checks=-*,tensor-view-after-permute -- %runtime
// No finding: the code tests the layout first.

#include <tensortidy/aten.h>

#include <cassert>
#include <stdexcept>

at::Tensor test(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  if (y.is_contiguous())
    return y.view(-1);
  return y.reshape(-1);
}

at::Tensor ternary(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  return y.is_contiguous() ? y.view(-1) : y.reshape(-1);
}

at::Tensor makeSo(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  if (!y.is_contiguous())
    y = y.contiguous();
  return y.view(-1);
}

at::Tensor earlyReturn(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  if (!y.is_contiguous())
    return y.reshape(-1);
  return y.view(-1);
}

at::Tensor earlyThrow(const at::Tensor &x) {
  auto y = x.t();
  if (!y.is_contiguous())
    throw std::runtime_error("strided");
  return y.view(-1);
}

at::Tensor check(const at::Tensor &x) {
  auto y = x.t();
  TORCH_CHECK(y.is_contiguous(), "strided");
  return y.view(-1);
}

at::Tensor checkMore(const at::Tensor &x) {
  auto y = x.t();
  TORCH_CHECK(y.dim() == 2 && y.is_contiguous(), "strided");
  return y.view(-1);
}

at::Tensor asserted(const at::Tensor &x) {
  auto y = x.t();
  assert(y.is_contiguous());
  return y.view(-1);
}

at::Tensor combined(const at::Tensor &x, bool flag) {
  auto y = x.t();
  if (flag && y.is_contiguous())
    return y.view(-1);
  return y.reshape(-1);
}

at::Tensor negatedOr(const at::Tensor &x, bool flag) {
  auto y = x.t();
  if (!flag || !y.is_contiguous())
    return y.reshape(-1);
  return y.view(-1);
}

at::Tensor storedTest(const at::Tensor &x) {
  auto y = x.t();
  const bool dense = y.is_contiguous();
  if (dense)
    return y.view(-1);
  return y.reshape(-1);
}

at::Tensor strideTest(const at::Tensor &x) {
  auto y = x.t();
  if (y.stride(0) == y.size(1) * y.stride(1))
    return y.view(-1);
  return y.reshape(-1);
}

at::Tensor copyUnless(const at::Tensor &x) {
  auto y = x.t();
  auto z = y.is_contiguous() ? y : y.contiguous();
  return z.view(-1);
}

at::Tensor whileNot(const at::Tensor &x) {
  auto y = x.t();
  while (!y.is_contiguous())
    y = y.contiguous();
  return y.view(-1);
}

// The parameter is known to be the transpose of a dense matrix.
at::Tensor parameterIsTurned(const at::Tensor &x) {
  TORCH_CHECK(x.t().is_contiguous());
  return x.t().view(-1);
}
