// RUN: %silent %s --checks=-*,tensor-redundant-contiguous -- %runtime
// No finding: contiguous on some paths only.

#include <tensortidy/aten.h>

#include <stdexcept>

at::Tensor oneBranch(const at::Tensor &x, bool copy) {
  auto y = x;
  if (copy)
    y = y.contiguous();
  return y.contiguous();
}

at::Tensor turnedInOneBranch(bool turn, int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  if (turn)
    y = y.t();
  return y.contiguous();
}

at::Tensor ternary(const at::Tensor &x, bool turn) {
  auto y = turn ? x.t() : x.contiguous();
  return y.contiguous();
}

at::Tensor perhapsNoIteration(const at::Tensor &x, int64_t n) {
  auto y = x;
  for (int64_t i = 0; i < n; ++i)
    y = y.contiguous();
  return y.contiguous();
}

at::Tensor turnedInLoop(int64_t a, int64_t b, int64_t n) {
  auto y = torch::zeros({a, b});
  auto total = torch::zeros({a, b});
  for (int64_t i = 0; i < n; ++i) {
    total.add_(y.contiguous().sum());
    y = y.t();
  }
  return total;
}

at::Tensor testOfSomethingElse(const at::Tensor &x, const at::Tensor &y) {
  if (x.is_contiguous())
    return y.contiguous();
  return x;
}

at::Tensor testWithoutExit(const at::Tensor &x, int64_t &count) {
  if (!x.is_contiguous())
    ++count;
  return x.contiguous();
}

at::Tensor wrongTest(const at::Tensor &x) {
  if (x.is_contiguous(at::MemoryFormat::ChannelsLast))
    return x.contiguous();
  return x.contiguous(at::MemoryFormat::ChannelsLast);
}

at::Tensor eitherTest(const at::Tensor &x, bool trust) {
  TORCH_CHECK(trust || x.is_contiguous());
  return x.contiguous();
}

at::Tensor negatedTest(const at::Tensor &x) {
  if (!x.is_contiguous())
    return x.contiguous();
  return x;
}

at::Tensor testedThenTurned(at::Tensor x) {
  TORCH_CHECK(x.is_contiguous());
  x = x.transpose(0, 1);
  return x.contiguous();
}

void mayThrow(int64_t step);

at::Tensor afterCatch(const at::Tensor &x) {
  auto y = x;
  try {
    mayThrow(1);
    y = y.contiguous();
  } catch (const std::exception &) {
  }
  return y.contiguous();
}

at::Tensor onlyWhenOne(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  if (a != 1)
    return y.contiguous();
  return y;
}

// Sizes decide, and they are not known.
at::Tensor perhapsWhole(int64_t a, int64_t b, int64_t n) {
  return torch::zeros({a, b}).narrow(1, 0, n).contiguous();
}

at::Tensor perhapsOne(int64_t a, int64_t b, int64_t c) {
  return torch::zeros({a, b, c}).transpose(0, 1).contiguous();
}

// One source line, several types: needed for one of them.
template <bool Turn> at::Tensor inTemplate(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b});
  if constexpr (Turn)
    y = y.t();
  return y.contiguous();
}
template at::Tensor inTemplate<true>(int64_t, int64_t);
template at::Tensor inTemplate<false>(int64_t, int64_t);

// The macro serves other uses, too.
#define CHECKED_POINTER(x) ((x).contiguous().data_ptr<float>())

float inMacro(const at::Tensor &x) {
  auto y = torch::zeros({3, 4});
  return CHECKED_POINTER(y)[0] + CHECKED_POINTER(x)[0];
}

// A helper that other callers need.
static at::Tensor dense(const at::Tensor &x) { return x.contiguous(); }
at::Tensor useDense(const at::Tensor &x) { return dense(torch::zeros({3, 4})) + dense(x.t()); }

// An assignment, not a copy.
void assignThrough(const at::Tensor &x) { x.t().contiguous() = x; }
