//===- Windows.cpp - windows, ranges, choices -----------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernels/Elementwise.h"
#include "tensortidy/functional.h"
#include <cmath>

namespace tensortidy {

using detail::impl;

constexpr double Pi = 3.14159265358979323846;

//===--- windows --------------------------------------------------------===//

/// Shape(places 0, 1, ..., how many) of a window.
template <class F>
static Tensor window(int64_t N, bool Periodic, const TensorOptions &Options,
                     const char *Op, Site Here, F Shape) {
  if (N < 0)
    detail::fail(std::string(Op) + ": the length is negative", Here);
  if (!isFloatingType(Options.dtype()))
    detail::fail(std::string(Op) + " is not defined for type " +
                     toString(Options.dtype()),
                 Here);
  if (N <= 1)
    return ones({N}, Options, Here);
  const int64_t All = N + (Periodic ? 1 : 0);
  const Tensor R = Shape(arange(All, TensorOptions(Options.dtype()), Here),
                         static_cast<double>(All - 1));
  return Periodic ? R.narrow(0, 0, N, Here) : R;
}
#define WINDOW(NAME, ...)                                                      \
  Tensor NAME(int64_t window_length, bool periodic, TensorOptions options,     \
              Site Here) {                                                     \
    return window(window_length, periodic, options, #NAME, Here,               \
                  [&]([[maybe_unused]] const Tensor &At,                       \
                      double Last) -> Tensor { return __VA_ARGS__; });         \
  }                                                                            \
  Tensor NAME(int64_t window_length, TensorOptions options, Site Here) {       \
    return NAME(window_length, true, options, Here);                           \
  }
WINDOW(
    hann_window,
    At.mul_(2 * Pi / Last, Here).cos_(Here).mul_(-0.5, Here).add_(0.5, 1, Here))
WINDOW(bartlett_window,
       At.mul_(2 / Last, Here).minimum(At.neg(Here).add_(2, 1, Here), Here))
WINDOW(blackman_window,
       At.mul_(Pi / Last, Here)
           .mul(4, Here)
           .cos_(Here)
           .mul_(0.08, Here)
           .sub_(At.mul(2, Here).cos_(Here).mul_(0.5, Here), 1, Here)
           .add_(0.42, 1, Here))
#undef WINDOW
Tensor hamming_window(int64_t window_length, bool periodic,
                      TensorOptions options, Site Here) {
  return hamming_window(window_length, periodic, 0.54, 0.46, options, Here);
}
Tensor hamming_window(int64_t window_length, TensorOptions options, Site Here) {
  return hamming_window(window_length, true, options, Here);
}
Tensor hamming_window(int64_t window_length, bool periodic, double alpha,
                      double beta, TensorOptions options, Site Here) {
  return window(window_length, periodic, options, "hamming_window", Here,
                [&](const Tensor &At, double Last) {
                  return At.mul_(2 * Pi / Last, Here)
                      .cos_(Here)
                      .mul_(-beta, Here)
                      .add_(alpha, 1, Here);
                });
}

//===--- ranges, choices ------------------------------------------------===//

Tensor range(const Scalar &start, const Scalar &end, const Scalar &step,
             TensorOptions options, Site Here) {
  if (step.toDouble() == 0)
    detail::fail("range: the step is 0", Here);
  const double Count =
      std::floor((end.toDouble() - start.toDouble()) / step.toDouble()) + 1;
  if (Count < 1)
    detail::fail("range: the bounds do not fit the sign of the step", Here);
  if (!options.has_dtype())
    options = options.dtype(get_default_dtype());
  return arange(static_cast<int64_t>(Count), TensorOptions(options.dtype()),
                Here)
      .mul_(step, Here)
      .add_(start, 1, Here);
}
Tensor vander(const Tensor &x, optional<int64_t> N, bool increasing,
              Site Here) {
  if (impl(x, "vander", Here).L.rank() != 1)
    detail::fail("vander: expected a vector", x, Here);
  const int64_t Count = N.value_or(x.size(0));
  const ScalarType Type =
      isIntegralType(x.scalar_type(), true) ? kLong : x.scalar_type();
  const Tensor R = empty({x.size(0), Count}, Type, nullopt, Here);
  if (Count > 0) {
    R.select(1, 0, Here).fill_(1, Here);
    if (Count > 1) {
      const Tensor Rest = R.narrow(1, 1, Count - 1, Here);
      Rest.copy_(x.unsqueeze(-1, Here), false, Here);
      Rest.copy_(Rest.cumprod(1, nullopt, Here), false, Here);
    }
  }
  return increasing ? R : R.flip({1}, Here);
}
Tensor combinations(const Tensor &self, int64_t r, bool with_replacement,
                    Site Here) {
  if (impl(self, "combinations", Here).L.rank() != 1)
    detail::fail("combinations: expected a vector", self, Here);
  if (r < 0)
    detail::fail("combinations: the number of elements is negative", self,
                 Here);
  if (r == 0)
    return empty({0}, self.options(), nullopt, Here);
  const int64_t N = self.numel();
  const std::vector<Tensor> Numbers(static_cast<size_t>(r),
                                    arange(N, TensorOptions(kLong), Here));
  const std::vector<Tensor> At = meshgrid(Numbers, "ij", Here);
  Tensor Mask =
      ones(std::vector<int64_t>(static_cast<size_t>(r), N), kBool, Here);
  for (size_t K = 0; K + 1 < At.size(); ++K)
    Mask = Mask.logical_and(with_replacement ? At[K].le(At[K + 1], Here)
                                             : At[K].lt(At[K + 1], Here),
                            Here);
  std::vector<Tensor> Columns;
  for (const Tensor &K : At)
    Columns.push_back(self.index_select(0, K.masked_select(Mask, Here), Here));
  return stack(Columns, 1, Here);
}
Tensor pdist(const Tensor &self, double p, Site Here) {
  if (impl(self, "pdist", Here).L.rank() != 2)
    detail::fail("pdist: expected a matrix", self, Here);
  const int64_t N = self.size(0);
  return cdist(self, self, p, 2, Here)
      .masked_select(ones({N, N}, kBool, Here).triu(1, Here), Here);
}
ScalarType result_type(const Tensor &tensor, const Tensor &other) {
  const detail::Operand A(tensor), B(other);
  return detail::resultType({&A, &B});
}
ScalarType result_type(const Tensor &tensor, const Scalar &other) {
  const detail::Operand A(tensor), B(other);
  return detail::resultType({&A, &B});
}
ScalarType result_type(const Scalar &scalar, const Tensor &tensor) {
  return result_type(tensor, scalar);
}
ScalarType result_type(const Scalar &scalar1, const Scalar &scalar2) {
  const detail::Operand A(scalar1), B(scalar2);
  return detail::resultType({&A, &B});
}
bool can_cast(ScalarType from, ScalarType to) {
  return detail::canCast(from, to);
}

} // namespace tensortidy
