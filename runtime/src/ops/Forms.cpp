//===- Forms.cpp - other arguments for the same operations ----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers given as tensors, places instead of counts, a type, a way of
// rounding.
//
//===----------------------------------------------------------------------===//

#include "core/Release.h"
#include "kernels/Elementwise.h"
#include "tensortidy/functional.h"
#include <cmath>

namespace tensortidy {

using detail::impl;
using std::tuple;

//===--- views ----------------------------------------------------------===//

/// Parts between places, along the dimension \p Dim, or 0 of a vector.
static std::vector<Tensor> partsAt(const Tensor &X, IntArrayRef Places,
                                   int64_t Dim, int64_t Least, const char *Op,
                                   Site Here) {
  impl(X, Op, Here);
  if (X.dim() < Least)
    detail::fail(detail::call(Op, Places) + " needs at least " +
                     std::to_string(Least) + " dimensions",
                 X, Here);
  return X.tensor_split(Places, X.dim() == 1 ? 0 : Dim, Here);
}
std::vector<Tensor> Tensor::hsplit(IntArrayRef indices, Site Here) const {
  return partsAt(*this, indices, 1, 1, "hsplit", Here);
}
std::vector<Tensor> Tensor::vsplit(IntArrayRef indices, Site Here) const {
  return partsAt(*this, indices, 0, 2, "vsplit", Here);
}
std::vector<Tensor> Tensor::dsplit(IntArrayRef indices, Site Here) const {
  return partsAt(*this, indices, 2, 3, "dsplit", Here);
}
Tensor Tensor::narrow(int64_t dim, const Tensor &start, int64_t length,
                      Site Here) const {
  if (impl(start, "narrow", Here).L.rank() != 0 ||
      !isIntegralType(impl(start).Type, false))
    detail::fail("narrow: the start must be an integer", start, Here);
  return narrow(dim, start.item<int64_t>(Here), length, Here);
}
#define EACH(NAME)                                                             \
  std::vector<Tensor> NAME(TensorList tensors, Site Here) {                    \
    std::vector<Tensor> R;                                                     \
    for (const Tensor &X : tensors)                                            \
      R.push_back(NAME(X, Here));                                              \
    return R;                                                                  \
  }
EACH(atleast_1d)
EACH(atleast_2d)
EACH(atleast_3d)
#undef EACH

//===--- itself ---------------------------------------------------------===//

Tensor Tensor::cuda(Site Here) const {
  return to(TensorOptions(kCUDA), false, false, nullopt, Here);
}
void Tensor::set_data(const Tensor &new_data) const {
  auto &To = impl(*this, "set_data", Site::none());
  const auto &From = impl(new_data, "set_data", Site::none());
  To.Type = From.Type;
  set_(new_data, Site::none());
}

//===--- copies ---------------------------------------------------------===//

static const Tensor &requireLength(const Tensor &R, int64_t Dim,
                                   optional<int64_t> Length, Site Here) {
  if (Length && R.size(Dim) != *Length)
    detail::fail("repeat_interleave: output_size is " +
                     std::to_string(*Length) + ", the repeats sum up to " +
                     std::to_string(R.size(Dim)),
                 Here);
  return R;
}
Tensor Tensor::repeat_interleave(int64_t repeats, optional<int64_t> dim,
                                 optional<int64_t> output_size,
                                 Site Here) const {
  return requireLength(repeat_interleave(repeats, dim, Here), dim.value_or(0),
                       output_size, Here);
}
Tensor Tensor::repeat_interleave(const Tensor &repeats, optional<int64_t> dim,
                                 optional<int64_t> output_size,
                                 Site Here) const {
  return requireLength(repeat_interleave(repeats, dim, Here), dim.value_or(0),
                       output_size, Here);
}
Tensor Tensor::scatter(int64_t dim, const Tensor &index, const Tensor &src,
                       std::string_view reduce, Site Here) const {
  return clone(MemoryFormat::Contiguous, Here)
      .scatter_(dim, index, src, reduce, Here);
}
Tensor Tensor::scatter(int64_t dim, const Tensor &index, const Scalar &value,
                       std::string_view reduce, Site Here) const {
  return clone(MemoryFormat::Contiguous, Here)
      .scatter_(dim, index, value, reduce, Here);
}
Tensor &Tensor::index_fill_(int64_t dim, const Tensor &index,
                            const Tensor &value, Site Here) const {
  if (impl(value, "index_fill_", Here).L.rank() != 0)
    detail::fail("index_fill_: the value must be a number", value, Here);
  return index_fill_(dim, index, value.item(Here), Here);
}
Tensor Tensor::index_fill(int64_t dim, const Tensor &index, const Tensor &value,
                          Site Here) const {
  return clone(nullopt, Here).index_fill_(dim, index, value, Here);
}

//===--- element by element ---------------------------------------------===//

Tensor Tensor::round(int64_t decimals, Site Here) const {
  detail::requireFloating(*this, "round", Here);
  const double Power = std::pow(10.0, std::abs(static_cast<double>(decimals)));
  if (decimals == 0)
    return round(Here);
  const Tensor R = round(Here);
  const bool Wide = elementSize(scalar_type()) == 2 &&
                    detail::has(detail::Change::RoundsInFloat);
  const Tensor X = Wide ? to(kFloat) : *this;
  return R.copy_(decimals < 0
                     ? X.div(Power, Here).round_(Here).mul_(Power, Here)
                     : X.mul(Power, Here).round_(Here).div_(Power, Here),
                 false, Here);
}
Tensor &Tensor::round_(int64_t decimals, Site Here) const {
  return copy_(round(decimals, Here), false, Here);
}

//===--- reductions -----------------------------------------------------===//

static void requireNormed(const Tensor &X, Site Here) {
  if (detail::has(detail::Change::NormRefusesIntegers))
    detail::requireFloating(X, "norm", Here);
}
Tensor Tensor::norm(const optional<Scalar> &p, ScalarType dtype,
                    Site Here) const {
  requireNormed(*this, Here);
  return to(dtype, false, false, nullopt, Here).norm(p.value_or(2), Here);
}
Tensor Tensor::norm(const optional<Scalar> &p, IntArrayRef dim, bool keepdim,
                    ScalarType dtype, Site Here) const {
  requireNormed(*this, Here);
  return to(dtype, false, false, nullopt, Here).norm(p, dim, keepdim, Here);
}
#define TWO(NAME)                                                              \
  tuple<Tensor, Tensor> NAME##_mean(                                           \
      const Tensor &self, OptionalIntArrayRef dim,                             \
      optional<int64_t> correction, bool keepdim, Site Here) {                 \
    return {self.NAME(dim, correction, keepdim, Here),                         \
            self.mean(dim, keepdim, nullopt, Here)};                           \
  }
TWO(var)
TWO(std)
#undef TWO

Tensor nuclear_norm(const Tensor &self, bool keepdim, Site Here) {
  return linalg_matrix_norm(self, "nuc", {-2, -1}, keepdim, nullopt, Here);
}
Tensor frobenius_norm(const Tensor &self, IntArrayRef dim, bool keepdim,
                      Site Here) {
  return self.norm(2, dim, keepdim, Here);
}

//===--- convolutions ---------------------------------------------------===//

/// What "same" or "valid" adds around the input; an odd rest is added behind
/// it.
static std::vector<int64_t> paddingNamed(std::string_view Name, Tensor &Input,
                                         const Tensor &Weight,
                                         IntArrayRef Stride,
                                         IntArrayRef Dilation, size_t Dims,
                                         const char *Op, Site Here) {
  impl(Weight, Op, Here);
  std::vector<int64_t> R(Dims, 0), Rest;
  if (Name == "valid")
    return R;
  if (Name != "same")
    detail::fail(std::string(Op) + ": the padding must be same or valid", Here);
  for (int64_t S : Stride)
    if (S != 1)
      detail::fail(std::string(Op) + ": padding 'same' needs strides of 1",
                   Input, Here);
  bool Odd = false;
  for (size_t D = Dims; D-- > 0;) {
    const int64_t Step = Dilation.size() == 1 ? Dilation[0] : Dilation.at(D);
    const int64_t Total = Step * (Weight.size(static_cast<int64_t>(D) + 2) - 1);
    R[D] = Total / 2;
    Rest.push_back(0);
    Rest.push_back(Total % 2);
    Odd = Odd || Total % 2 != 0;
  }
  if (Odd)
    Input = constant_pad_nd(Input, Rest, 0, Here);
  return R;
}
#define PADDED(D)                                                              \
  Tensor conv##D##d(const Tensor &input, const Tensor &weight,                 \
                    const optional<Tensor> &bias, IntArrayRef stride,          \
                    std::string_view padding, IntArrayRef dilation,            \
                    int64_t groups, Site Here) {                               \
    Tensor X = input;                                                          \
    const std::vector<int64_t> P = paddingNamed(                               \
        padding, X, weight, stride, dilation, D, "conv" #D "d", Here);         \
    return conv##D##d(X, weight, bias, stride, IntArrayRef(P), dilation,       \
                      groups, Here);                                           \
  }
PADDED(1)
PADDED(2)
PADDED(3)
#undef PADDED
tuple<Tensor, Tensor> adaptive_max_pool2d(const Tensor &self,
                                          IntArrayRef output_size, Site Here) {
  const char *Op = "adaptive_max_pool2d";
  detail::requireFloating(self, Op, Here);
  const auto Rank = impl(self, Op, Here).L.rank();
  if (Rank != 3 && Rank != 4)
    detail::fail(std::string(Op) + " expects 3 or 4 dimensions", self, Here);
  if (output_size.size() != 2)
    detail::fail(std::string(Op) + ": output_size needs two numbers", self,
                 Here);
  for (size_t D = 1; D < Rank; ++D)
    if (self.sizes()[D] == 0)
      detail::fail(std::string(Op) + ": dimension " + std::to_string(D) +
                       " has no elements",
                   self, Here);
  const int64_t H = self.size(-2), W = self.size(-1);
  const int64_t Down = output_size[0], Across = output_size[1];
  std::vector<Tensor> Values, Places;
  for (int64_t Y = 0; Y < Down; ++Y)
    for (int64_t X = 0; X < Across; ++X) {
      const int64_t Top = Y * H / Down, Left = X * W / Across;
      const int64_t High = ((Y + 1) * H + Down - 1) / Down - Top,
                    Wide = ((X + 1) * W + Across - 1) / Across - Left;
      const auto [V, At] = self.narrow(-2, Top, High, Here)
                               .narrow(-1, Left, Wide, Here)
                               .flatten(-2, -1, Here)
                               .max(-1, false, Here);
      Values.push_back(V);
      Places.push_back(
          At.div(Wide, "floor", Here)
              .add_(Top, 1, Here)
              .mul_(W, Here)
              .add_(At.remainder(Wide, Here).add_(Left, 1, Here), 1, Here));
    }
  std::vector<int64_t> Sizes = self.sizes().vec();
  Sizes[Rank - 2] = Down, Sizes[Rank - 1] = Across;
  if (Values.empty())
    return {empty(Sizes, self.options(), nullopt, Here),
            empty(Sizes, kLong, nullopt, Here)};
  return {stack(Values, -1, Here).view(Sizes, Here),
          stack(Places, -1, Here).view(Sizes, Here)};
}
tuple<Tensor, Tensor> adaptive_max_pool1d(const Tensor &self,
                                          IntArrayRef output_size, Site Here) {
  const auto [V, At] = adaptive_max_pool2d(self.unsqueeze(-2, Here),
                                           {1, output_size.at(0)}, Here);
  return {V.squeeze(-2, Here), At.squeeze(-2, Here)};
}

} // namespace tensortidy
