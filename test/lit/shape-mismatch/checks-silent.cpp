// RUN: %silent %s --checks=-*,tensor-shape-mismatch -- %runtime
// Checks that hold, that may hold, or that are there to fail.

#include <tensortidy/aten.h>

#include <cassert>
#include <stdexcept>

using at::Tensor;

#define CHECK_CONTIGUOUS(x) TORCH_CHECK((x).is_contiguous(), #x " must be contiguous")
#define EXPECT_FAILURE(what) try { what; } catch (const std::exception &) { }

// Made contiguous, or tested, before.
Tensor packed(int64_t rows, int64_t cols) {
  auto weight = at::zeros({rows, cols}).t().contiguous();
  CHECK_CONTIGUOUS(weight);
  auto view = at::zeros({rows, cols}).t();
  if (!view.is_contiguous())
    view = view.contiguous();
  CHECK_CONTIGUOUS(view);
  return weight + view;
}
// Failing is the point.
Tensor mode(const Tensor &x, int64_t which) {
  switch (which) {
  case 0:
    return x;
  case 1:
    return x.t();
  default:
    TORCH_CHECK(false, "no such mode");
  }
  return x;
}
Tensor ranks(const Tensor &x) {
  if (x.dim() == 2)
    return x;
  if (x.dim() == 3)
    return x[0];
  TORCH_CHECK(x.dim() == 4, "2 to 4 dimensions");
  return x[0][0];
}
Tensor unsupported(const Tensor &x) {
  if (x.size(0) != 4)
    TORCH_CHECK(x.size(0) == 4, "of four rows");
  if (x.dim() == 3)
    throw std::runtime_error("not yet");
  return x;
}
static Tensor rows(const Tensor &x) {
  TORCH_CHECK(x.dim() == 2, "a matrix");
  return x.sum(1);
}
void expected() { EXPECT_FAILURE(rows(at::zeros({4}))) }
// What the build or a template decides is no tensor's layout.
constexpr int Heads = 12;
template <int D> Tensor blocks(const Tensor &x) {
  TORCH_CHECK(D % 8 == 0, "blocks of 8");
  TORCH_CHECK(Heads == 16, "configured otherwise");
  return x;
}
Tensor configured(const Tensor &x) { return blocks<12>(x); }
// Only on the paths that ask for it.
static Tensor step(const Tensor &x, bool strict, const Tensor &bias) {
  if (strict)
    CHECK_CONTIGUOUS(x);
  TORCH_CHECK(!strict || x.is_contiguous(), "strict");
  assert(!strict || x.is_contiguous());
  if (bias.defined() && bias.dim() != 1)
    throw std::invalid_argument("bias");
  return x;
}
Tensor steps(bool strict, const Tensor &bias) { return step(at::zeros({8, 4}).t(), strict, bias); }
Tensor lenient() { return step(at::zeros({8, 4}).t(), false, Tensor()); }
// One path passes.
Tensor some(bool turn) {
  auto x = at::zeros({8, 4});
  if (turn)
    x = x.t();
  CHECK_CONTIGUOUS(x);
  return x;
}
// A caller's tensor may be anything, and sizes by two names may be equal.
Tensor parameter(const Tensor &x, int64_t n, int64_t m) {
  CHECK_CONTIGUOUS(x);
  TORCH_CHECK(x.dim() == 3, "x");
  auto y = at::zeros({n, m});
  TORCH_CHECK(y.size(0) == y.size(1), "square");
  TORCH_CHECK(y.size(0) == x.size(0) && rows(y).dim() == 1, "rows");
  return y;
}
