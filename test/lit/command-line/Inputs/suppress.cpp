#include "suppress.h"
#define TWICE(a, b) (a, b)

at::Tensor plain(at::Tensor x) { auto y = x.t().contiguous(); return y.contiguous(); }

at::Tensor two(int64_t a) {
  auto y = at::zeros({a, 3});
  return y.contiguous().t().view(-1);
}

at::Tensor lines(int64_t a) {
  return at::zeros({a, 3})
      .t()
      .view(-1);
}

at::Tensor joined(at::Tensor x) {
  auto y = x.t().contiguous();
  // NOLINTNEXTLINE(bugprone-x): already here
  return y.contiguous();
}

at::Tensor macro(int64_t a) {
  auto x = at::zeros({a, 3});
  return TWICE(x.t().view(-1),
               x);
}

const char *strings(at::Tensor x) {
  auto y = x.t().contiguous();
  const char *a = R"(first
  second)", *b = ""; y = y.contiguous();
  y = x.t().contiguous(); y \
    = y.contiguous(), y \
    = y;
  return a ? b : a;
}
