#include "suppress.h"
#define DISPATCH(T, ...) [&] { using S = T; return __VA_ARGS__(); }()
#define VIEWED(x) x.t().view(-1)
#define TWO_LINES(x) \
  x.t()              \
   .view(-1)

at::Tensor a(int64_t n) {
  auto x = at::zeros({n, 3});
  return DISPATCH(float, [&] {
    S s = 1; (void)s;
    auto y = x.t();
    return y
        .view(-1);
  });
}
at::Tensor b(int64_t n) {
  auto x = at::zeros({n, 3});
  return VIEWED(x);
}
at::Tensor c(int64_t n) {
  auto x = at::zeros({n, 3});
  auto z = TWO_LINES(
     x);
  return
    TWO_LINES(x);
}
template <class T> at::Tensor d(T n) {
  auto x = at::zeros({n, 3});
  if (n > 3)
    return x.t().view(-1);
  else return x.t().view({n * 3});
}
struct S {
  at::Tensor m;
  S(int64_t n) : m(at::zeros({n, 3})
                       .t()
                       .view(-1)) {}
};
at::Tensor e(int64_t n) { return d(n); }
#if 1
at::Tensor f(int64_t n) {
#pragma GCC unroll 4
  for (int i = 0; i < 3; ++i)
    at::zeros({n, 3}).t().view(-1);
  switch (n) {
  case 1: return at::zeros({n, 3, 2}).t().view(-1);
  default: return at::zeros({n, 3}).t().view(-1); }
}
#endif
