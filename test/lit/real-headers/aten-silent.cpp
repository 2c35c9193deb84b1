// RUN: %silent %s --checks=-*,tensor-* -- %aten
// REQUIRES: libtorch
// No finding: what real code does, behind <ATen/ATen.h>.

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <tuple>
#include <vector>

at::Tensor dispatched(const at::Tensor &x) {
  auto in = x.contiguous();
  auto out = at::empty_like(in);
  AT_DISPATCH_FLOATING_TYPES(in.scalar_type(), "dispatched", [&] {
    const scalar_t *from = in.data_ptr<scalar_t>();
    scalar_t *to = out.data_ptr<scalar_t>();
    for (int64_t i = 0; i < in.numel(); ++i)
      to[i] = from[i] * 2;
  });
  return out.view({-1});
}

// Columns of nonzero() and factorisations do not come out dense.
at::Tensor positions(const at::Tensor &mask) { return at::nonzero(mask).contiguous(); }

at::Tensor inverse(const at::Tensor &a) { return at::linalg_inv(a).contiguous(); }

// Channels-last in, channels-last out, and nobody says what went in.
at::Tensor convolved(const at::Tensor &x, const at::Tensor &w) {
  auto y = at::conv2d(x, w);
  auto z = at::batch_norm(y, {}, {}, {}, {}, true, 0.1, 1e-5, false);
  auto p = at::max_pool2d(at::relu(z), {2, 2});
  return y.contiguous() + z.contiguous() + p.contiguous();
}

at::Tensor concatenated(const at::Tensor &x, const at::Tensor &y) {
  return at::cat({x, y}, 1).contiguous() + at::stack({x, y}).contiguous();
}

at::Tensor flattenFeatures(const at::Tensor &x, const at::Tensor &w) {
  auto y = at::conv2d(x, w);
  return y.view({y.size(0), -1});
}

at::Tensor sorted(const at::Tensor &x) {
  auto [values, indices] = x.t().sort(0);
  return values.contiguous() + indices.contiguous();
}

at::Tensor einsum(const at::Tensor &a, const at::Tensor &b) {
  return at::einsum("ij,jk->ki", {a, b}).contiguous();
}

at::Tensor resultOfOut(at::Tensor &out, const at::Tensor &x) {
  at::add_out(out, x, x);
  return out.contiguous();
}

at::Tensor bufferPerIteration(const std::vector<at::Tensor> &xs) {
  std::vector<at::Tensor> out;
  out.reserve(xs.size());
  for (const auto &x : xs) {
    auto y = at::empty({x.size(0), 4}, x.options());
    at::matmul_out(y, x, at::ones({x.size(1), 4}, x.options()));
    out.push_back(y);
  }
  return at::cat(out);
}

std::tuple<at::Tensor, at::Tensor> recurrent(const at::Tensor &x, const at::Tensor &w, int64_t steps) {
  auto h = at::zeros({x.size(1), w.size(0)}, x.options());
  std::vector<at::Tensor> states;
  for (int64_t t = 0; t < steps; ++t) {
    h = at::tanh(at::matmul(x[t], w.t()) + h);
    states.push_back(h);
  }
  return {at::stack(states), h};
}

// Sparse and undefined tensors have no strides to speak of.
at::Tensor maybe(const c10::optional<at::Tensor> &bias, const at::Tensor &x) {
  at::Tensor b = bias.has_value() ? *bias : at::Tensor();
  if (!b.defined())
    b = at::zeros({x.size(-1)}, x.options());
  return b.contiguous();
}
