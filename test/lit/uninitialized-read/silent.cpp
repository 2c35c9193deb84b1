// RUN: %silent %s --checks=-*,tensor-uninitialized-read -- %runtime
// What is set first, in whole, in part, by others or perhaps; what has no elements; what is read for its shape.

#include <tensortidy/aten.h>

void fill(at::Tensor &x);
void fillRow(float *p, int64_t n);
at::Tensor given(bool some);

at::Tensor set(const std::vector<at::Tensor> &xs, int64_t n) {
  auto a = at::empty({n}), b = at::empty({n}), c = at::empty({n, n}), d = at::empty({n}), e = at::empty({n});
  a.zero_();
  b.copy_(xs[0]);
  for (int64_t i = 0; i < n; ++i)
    c[i] = xs[0];
  fill(d);
  fillRow(e.data_ptr<float>(), n);
  for (const auto &x : xs) {
    a += x;
    b.add_(x);
    c.add_(x);
    d += x;
    e += x;
  }
  return a + b + c + d + e;
}
at::Tensor first(const std::vector<at::Tensor> &xs, int64_t n) {
  at::Tensor total = at::empty({n});
  bool any = false;
  for (const auto &x : xs) {
    if (any)
      total += x;
    else
      total = x.clone();
    any = true;
  }
  return total;
}
at::Tensor firstFilled(const std::vector<at::Tensor> &xs, int64_t n) {
  auto total = at::empty({n});
  for (size_t i = 0; i < xs.size(); ++i) {
    if (i == 0)
      total.zero_();
    total += xs[i];
  }
  return total;
}
at::Tensor grown(const std::vector<at::Tensor> &xs) {
  auto all = at::empty({0});
  auto none = at::empty({0, 4});
  for (const auto &x : xs) {
    all = at::cat({all, x});
    none += x;
  }
  return all;
}
at::Tensor either(bool some, const at::Tensor &x, int64_t n) {
  auto out = some ? given(some) : at::empty({n});
  if (some)
    out += x;
  return out;
}
at::Tensor shapes(const at::Tensor &x, int64_t n) {
  auto like = at::empty({n, n});
  auto z = at::zeros_like(like);
  z += x.expand_as(like);
  auto y = like + x; // garbage, but who only asks for its sizes does so
  return z.sum() + y.size(0);
}
struct Holder {
  at::Tensor total;
  void start(int64_t n) {
    total = at::empty({n});
    fill(total);
  }
  void add(const at::Tensor &x) { total += x; }
};
at::Tensor none(const at::Tensor &x, int64_t n) {
  auto out = at::empty({n, n});
  return at::addmm_out(out, x, x, x);
}
