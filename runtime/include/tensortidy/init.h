//===- init.h - first values of weights -------------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// torch::nn::init, and sequences of different lengths in one tensor.
//
//   auto w = torch::nn::init::xavier_uniform_(torch::empty({out, in}));
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_INIT_H
#define TENSORTIDY_INIT_H

#include "tensortidy/nnfunctional.h"
#include <algorithm>
#include <cmath>
#include <tuple>

namespace tensortidy {

#define HERE Site Here = Site::current()
namespace nn::init {

inline Tensor uniform_(Tensor tensor, double low = 0, double high = 1, HERE) {
  return tensor.uniform_(low, high, Here);
}
inline Tensor normal_(Tensor tensor, double mean = 0, double std = 1, HERE) {
  return tensor.normal_(mean, std, Here);
}
inline Tensor constant_(Tensor tensor, const Scalar &value, HERE) {
  return tensor.fill_(value, Here);
}
inline Tensor ones_(Tensor tensor, HERE) { return tensor.fill_(1, Here); }
inline Tensor zeros_(Tensor tensor, HERE) { return tensor.zero_(Here); }
/// \p matrix with orthonormal rows or columns.
Tensor orthogonal_(Tensor tensor, double gain = 1.0, HERE);
/// Normal numbers, and in each column this share of zeros.
Tensor sparse_(Tensor tensor, double sparsity, double std = 0.01, HERE);
/// Ones that hand each channel on.
Tensor dirac_(Tensor tensor, HERE);
inline Tensor eye_(Tensor matrix, HERE) {
  if (matrix.dim() != 2)
    throw Error("eye_ expects a matrix");
  return matrix.copy_(
      eye(matrix.size(0), matrix.size(1), matrix.options(), Here), false, Here);
}

/// How many numbers each output sums up, and each input goes to.
inline std::tuple<int64_t, int64_t>
_calculate_fan_in_and_fan_out(const Tensor &tensor) {
  if (tensor.dim() < 2)
    throw Error("weights need at least 2 dimensions, not those of " +
                describe(tensor));
  const int64_t Window = tensor.dim() == 2 ? 1 : tensor[0][0].numel();
  return {tensor.size(1) * Window, tensor.size(0) * Window};
}
/// What keeps the deviation the same behind this function.
inline double calculate_gain(Choice nonlinearity, double param = 0.01) {
  if (nonlinearity == kTanh)
    return 5.0 / 3.0;
  if (nonlinearity == kReLU)
    return std::sqrt(2.0);
  if (nonlinearity == kLeakyReLU)
    return std::sqrt(2.0 / (1 + param * param));
  return 1;
}
inline Tensor xavier_uniform_(Tensor tensor, double gain = 1.0, HERE) {
  const auto [In, Out] = _calculate_fan_in_and_fan_out(tensor);
  const double Std = gain * std::sqrt(2.0 / static_cast<double>(In + Out));
  const double Bound = std::sqrt(3.0) * Std;
  return tensor.uniform_(-Bound, Bound, Here);
}
inline Tensor xavier_normal_(Tensor tensor, double gain = 1.0, HERE) {
  const auto [In, Out] = _calculate_fan_in_and_fan_out(tensor);
  return tensor.normal_(
      0, gain * std::sqrt(2.0 / static_cast<double>(In + Out)), Here);
}
namespace detail {
inline double kaimingDeviation(const Tensor &X, double A, Choice Mode,
                               Choice Nonlinearity) {
  const auto [In, Out] = _calculate_fan_in_and_fan_out(X);
  return calculate_gain(Nonlinearity, A) /
         std::sqrt(static_cast<double>(Mode == kFanIn ? In : Out));
}
} // namespace detail
inline Tensor kaiming_uniform_(Tensor tensor, double a = 0,
                               Choice mode = kFanIn,
                               Choice nonlinearity = kLeakyReLU, HERE) {
  const double Bound =
      std::sqrt(3.0) * detail::kaimingDeviation(tensor, a, mode, nonlinearity);
  return tensor.uniform_(-Bound, Bound, Here);
}
inline Tensor kaiming_normal_(Tensor tensor, double a = 0, Choice mode = kFanIn,
                              Choice nonlinearity = kLeakyReLU, HERE) {
  return tensor.normal_(
      0, detail::kaimingDeviation(tensor, a, mode, nonlinearity), Here);
}

} // namespace nn::init
#undef HERE

} // namespace tensortidy

#endif
