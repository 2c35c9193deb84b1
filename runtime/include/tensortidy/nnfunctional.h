//===- nnfunctional.h - functions with option classes -----------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// torch::nn::functional: the functions of networks with their parameters by
// name. <tensortidy/torch.h> includes it.
//
//   namespace F = torch::nn::functional;
//   x = F::conv2d(x, w, F::Conv2dFuncOptions().bias(b).stride(2).padding(1));
//   x = F::interpolate(x, F::InterpolateFuncOptions().mode(torch::kBilinear)
//                             .scale_factor(std::vector<double>{2, 2})
//                             .align_corners(false));
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_NNFUNCTIONAL_H
#define TENSORTIDY_NNFUNCTIONAL_H

#include "tensortidy/functional.h"
#include "tensortidy/option.h"
#include <cmath>
#include <cstring>
#include <functional>
#include <ostream>

namespace tensortidy {

/// A choice by name: torch::kMean, torch::kBilinear ...
struct Choice {
  const char *Name;
  friend bool operator==(Choice A, Choice B) {
    return std::strcmp(A.Name, B.Name) == 0;
  }
  friend bool operator!=(Choice A, Choice B) { return !(A == B); }
};
#define TENSORTIDY_CHOICE(NAME, TEXT) constexpr Choice NAME{TEXT};
TENSORTIDY_CHOICE(kNone, "none")
TENSORTIDY_CHOICE(kMean, "mean")
TENSORTIDY_CHOICE(kSum, "sum")
TENSORTIDY_CHOICE(kBatchMean, "batchmean")
TENSORTIDY_CHOICE(kNearest, "nearest")
TENSORTIDY_CHOICE(kLinear, "linear")
TENSORTIDY_CHOICE(kBilinear, "bilinear")
TENSORTIDY_CHOICE(kBicubic, "bicubic")
TENSORTIDY_CHOICE(kArea, "area")
TENSORTIDY_CHOICE(kConstant, "constant")
TENSORTIDY_CHOICE(kReflect, "reflect")
TENSORTIDY_CHOICE(kReplicate, "replicate")
TENSORTIDY_CHOICE(kCircular, "circular")
TENSORTIDY_CHOICE(kZeros, "zeros")
TENSORTIDY_CHOICE(kBorder, "border")
TENSORTIDY_CHOICE(kReflection, "reflection")
TENSORTIDY_CHOICE(kTrilinear, "trilinear")
TENSORTIDY_CHOICE(kNearestExact, "nearest-exact")
TENSORTIDY_CHOICE(kSame, "same")
TENSORTIDY_CHOICE(kValid, "valid")
TENSORTIDY_CHOICE(kMax, "max")
TENSORTIDY_CHOICE(kFanIn, "fan_in")
TENSORTIDY_CHOICE(kFanOut, "fan_out")
TENSORTIDY_CHOICE(kSigmoid, "sigmoid")
TENSORTIDY_CHOICE(kTanh, "tanh")
TENSORTIDY_CHOICE(kReLU, "relu")
TENSORTIDY_CHOICE(kGELU, "gelu")
TENSORTIDY_CHOICE(kLeakyReLU, "leaky_relu")
TENSORTIDY_CHOICE(kConv1D, "conv1d")
TENSORTIDY_CHOICE(kConv2D, "conv2d")
TENSORTIDY_CHOICE(kConv3D, "conv3d")
#undef TENSORTIDY_CHOICE

/// One number for each of D dimensions, or one for all.
template <size_t D> class ExpandingArray {
public:
  ExpandingArray(int64_t Value) : Values(D, Value) {}
  ExpandingArray(std::initializer_list<int64_t> List) : Values(List) {}
  ExpandingArray(std::vector<int64_t> List) : Values(std::move(List)) {}
  ExpandingArray(IntArrayRef List) : Values(List.vec()) {}
  operator IntArrayRef() const { return Values; }
  bool empty() const { return Values.empty(); }
  static ExpandingArray none() { return std::vector<int64_t>(); }
  const int64_t *data() const { return Values.data(); }
  size_t size() const { return Values.size(); }
  int64_t operator[](size_t K) const { return Values[K]; }
  auto begin() const { return Values.begin(); }
  auto end() const { return Values.end(); }
  bool operator==(const ExpandingArray &O) const { return Values == O.Values; }
  /// [3, 3]; alone without brackets.
  friend std::ostream &operator<<(std::ostream &Stream,
                                  const ExpandingArray &A) {
    if (D == 1)
      return Stream << A[0];
    return Stream << IntArrayRef(A.Values);
  }

private:
  std::vector<int64_t> Values;
};
/// The same, in which nullopt stands for the input's own size.
template <size_t D>
class ExpandingArrayWithOptionalElem : public ExpandingArray<D> {
public:
  using ExpandingArray<D>::ExpandingArray;
  ExpandingArrayWithOptionalElem(std::initializer_list<optional<int64_t>> List)
      : ExpandingArray<D>(known(List)) {}
  ExpandingArrayWithOptionalElem(const std::vector<optional<int64_t>> &List)
      : ExpandingArray<D>(known(List)) {}
  /// For \p x.
  std::vector<int64_t> of(const Tensor &x) const {
    std::vector<int64_t> R(this->begin(), this->end());
    for (size_t K = 0; K < R.size(); ++K)
      if (R[K] == Own)
        R[K] = x.size(static_cast<int64_t>(K) - static_cast<int64_t>(D));
    return R;
  }
  friend std::ostream &operator<<(std::ostream &Stream,
                                  const ExpandingArrayWithOptionalElem &A) {
    const char *Before = D == 1 ? "" : "[";
    for (const int64_t V : A) {
      Stream << Before;
      V == Own ? Stream << "None" : Stream << V;
      Before = ", ";
    }
    return Stream << (D == 1 ? "" : "]");
  }

private:
  static constexpr int64_t Own = INT64_MIN;
  template <class L> static std::vector<int64_t> known(const L &List) {
    std::vector<int64_t> R;
    for (const optional<int64_t> &V : List)
      R.push_back(V.value_or(Own));
    return R;
  }
};
/// Of a convolution: numbers, or kSame or kValid.
template <size_t D> struct Padding {
  Padding(ExpandingArray<D> Numbers) : Numbers(std::move(Numbers)) {}
  Padding(int64_t Number) : Numbers(Number) {}
  Padding(std::initializer_list<int64_t> List) : Numbers(List) {}
  Padding(std::vector<int64_t> List) : Numbers(std::move(List)) {}
  Padding(IntArrayRef List) : Numbers(List) {}
  Padding(Choice Name) : Numbers(0), Name(Name) {}
  ExpandingArray<D> Numbers;
  optional<Choice> Name;
};

namespace nn::functional {

#define OPTION TENSORTIDY_OPTION
using Sizes = std::vector<int64_t>;
using MaybeBool = optional<bool>;
using MaybeDouble = optional<double>;
using MaybeType = optional<ScalarType>;
using MaybeSizes = optional<std::vector<int64_t>>;
using MaybeFactors = optional<std::vector<double>>;

inline int64_t howReduced(Choice Reduction) {
  return Reduction == kNone  ? tensortidy::Reduction::None
         : Reduction == kSum ? tensortidy::Reduction::Sum
                             : tensortidy::Reduction::Mean;
}
#define HERE Site Here = Site::current()

//===--- activations ----------------------------------------------------===//

#define IN_PLACE OPTION(bool, inplace, false)
class ReLUFuncOptions {
public:
  ReLUFuncOptions(bool inplace = false) : inplace_(inplace) {}
  IN_PLACE
};
class ReLU6FuncOptions {
public:
  ReLU6FuncOptions(bool inplace = false) : inplace_(inplace) {}
  IN_PLACE
};
class SELUFuncOptions {
public:
  SELUFuncOptions(bool inplace = false) : inplace_(inplace) {}
  IN_PLACE
};
class ELUFuncOptions {
  OPTION(double, alpha, 1.0)
  IN_PLACE
};
class CELUFuncOptions {
  OPTION(double, alpha, 1.0)
  IN_PLACE
};
class LeakyReLUFuncOptions {
  OPTION(double, negative_slope, 1e-2)
  IN_PLACE
};
class HardtanhFuncOptions {
  OPTION(double, min_val, -1.0)
  OPTION(double, max_val, 1.0)
  IN_PLACE
};
class SoftplusFuncOptions {
  OPTION(double, beta, 1.0)
  OPTION(double, threshold, 20.0)
};
class HardshrinkFuncOptions {
public:
  HardshrinkFuncOptions(double lambda = 0.5) : lambda_(lambda) {}
  OPTION(double, lambda, 0.5)
};
class SoftshrinkFuncOptions {
public:
  SoftshrinkFuncOptions(double lambda = 0.5) : lambda_(lambda) {}
  OPTION(double, lambda, 0.5)
};
class ThresholdFuncOptions {
public:
  ThresholdFuncOptions(double threshold, double value)
      : threshold_(threshold), value_(value) {}
  OPTION(double, threshold, 0)
  OPTION(double, value, 0)
  IN_PLACE
};
class GELUFuncOptions {
  OPTION(std::string, approximate, "none")
};
class GLUFuncOptions {
public:
  GLUFuncOptions(int64_t dim = -1) : dim_(dim) {}
  OPTION(int64_t, dim, -1)
};
#define ALONG(NAME)                                                            \
  class NAME {                                                                 \
  public:                                                                      \
    NAME(int64_t dim) : dim_(dim) {}                                           \
    OPTION(int64_t, dim, -1)                                                   \
    OPTION(MaybeType, dtype, nullopt)                                          \
  };
ALONG(SoftmaxFuncOptions)
ALONG(SoftminFuncOptions)
ALONG(LogSoftmaxFuncOptions)
#undef ALONG
#undef IN_PLACE

/// \p R, in \p X where that is wanted.
template <class Options>
Tensor placed(const Tensor &X, Tensor R, const Options &O, Site Here) {
  return O.inplace() ? X.copy_(R, false, Here) : R;
}
inline Tensor relu(const Tensor &x, const ReLUFuncOptions &o = {}, HERE) {
  return o.inplace() ? x.relu_(Here) : x.relu(Here);
}
inline Tensor relu6(const Tensor &x, const ReLU6FuncOptions &o = {}, HERE) {
  return placed(x, tensortidy::relu6(x, Here), o, Here);
}
inline Tensor selu(const Tensor &x, const SELUFuncOptions &o = {}, HERE) {
  return placed(x, tensortidy::selu(x, Here), o, Here);
}
inline Tensor elu(const Tensor &x, const ELUFuncOptions &o = {}, HERE) {
  return placed(x, tensortidy::elu(x, o.alpha(), Here), o, Here);
}
inline Tensor celu(const Tensor &x, const CELUFuncOptions &o = {}, HERE) {
  return placed(x, tensortidy::celu(x, o.alpha(), Here), o, Here);
}
inline Tensor leaky_relu(const Tensor &x, const LeakyReLUFuncOptions &o = {},
                         HERE) {
  return placed(x, tensortidy::leaky_relu(x, o.negative_slope(), Here), o,
                Here);
}
inline Tensor hardtanh(const Tensor &x, const HardtanhFuncOptions &o = {},
                       HERE) {
  return placed(x, tensortidy::hardtanh(x, o.min_val(), o.max_val(), Here), o,
                Here);
}
inline Tensor threshold(const Tensor &x, const ThresholdFuncOptions &o, HERE) {
  return placed(x, tensortidy::threshold(x, o.threshold(), o.value(), Here), o,
                Here);
}
inline Tensor softplus(const Tensor &x, const SoftplusFuncOptions &o = {},
                       HERE) {
  return tensortidy::softplus(x, o.beta(), o.threshold(), Here);
}
inline Tensor hardshrink(const Tensor &x, const HardshrinkFuncOptions &o = {},
                         HERE) {
  return tensortidy::hardshrink(x, o.lambda(), Here);
}
inline Tensor softshrink(const Tensor &x, const SoftshrinkFuncOptions &o = {},
                         HERE) {
  return tensortidy::softshrink(x, o.lambda(), Here);
}
inline Tensor gelu(const Tensor &x, const GELUFuncOptions &o = {}, HERE) {
  return tensortidy::gelu(x, o.approximate().c_str(), Here);
}
inline Tensor silu(const Tensor &x, HERE) { return tensortidy::silu(x, Here); }
inline Tensor mish(const Tensor &x, HERE) { return tensortidy::mish(x, Here); }
inline Tensor logsigmoid(const Tensor &x, HERE) {
  return tensortidy::log_sigmoid(x, Here);
}
inline Tensor softsign(const Tensor &x, HERE) {
  return x.div(x.abs(Here).add(1, 1, Here), Here);
}
inline Tensor tanhshrink(const Tensor &x, HERE) {
  return x.sub(x.tanh(Here), 1, Here);
}
inline Tensor prelu(const Tensor &x, const Tensor &weight, HERE) {
  return tensortidy::prelu(x, weight, Here);
}
inline Tensor glu(const Tensor &x, const GLUFuncOptions &o = {}, HERE) {
  return tensortidy::glu(x, o.dim(), Here);
}
inline Tensor softmax(const Tensor &x, const SoftmaxFuncOptions &o, HERE) {
  return x.softmax(o.dim(), o.dtype(), Here);
}
inline Tensor softmin(const Tensor &x, const SoftminFuncOptions &o, HERE) {
  return x.neg(Here).softmax(o.dim(), o.dtype(), Here);
}
inline Tensor log_softmax(const Tensor &x, const LogSoftmaxFuncOptions &o,
                          HERE) {
  return x.log_softmax(o.dim(), o.dtype(), Here);
}

//===--- layers ---------------------------------------------------------===//

class DropoutFuncOptions {
  OPTION(double, p, 0.5)
  OPTION(bool, training, true)
  OPTION(bool, inplace, false)
};
using Dropout2dFuncOptions = DropoutFuncOptions;
using Dropout3dFuncOptions = DropoutFuncOptions;
class AlphaDropoutFuncOptions {
  OPTION(double, p, 0.5)
  OPTION(bool, training, false)
  OPTION(bool, inplace, false)
};
using FeatureAlphaDropoutFuncOptions = AlphaDropoutFuncOptions;
class NormalizeFuncOptions {
  OPTION(double, p, 2.0)
  OPTION(int64_t, dim, 1)
  OPTION(double, eps, 1e-12)
};
class LayerNormFuncOptions {
public:
  LayerNormFuncOptions(Sizes normalized_shape)
      : normalized_shape_(std::move(normalized_shape)) {}
  OPTION(Sizes, normalized_shape, {})
  OPTION(Tensor, weight, {})
  OPTION(Tensor, bias, {})
  OPTION(double, eps, 1e-5)
};
class GroupNormFuncOptions {
public:
  GroupNormFuncOptions(int64_t num_groups) : num_groups_(num_groups) {}
  OPTION(int64_t, num_groups, 1)
  OPTION(Tensor, weight, {})
  OPTION(Tensor, bias, {})
  OPTION(double, eps, 1e-5)
};
class BatchNormFuncOptions {
  OPTION(Tensor, weight, {})
  OPTION(Tensor, bias, {})
  OPTION(bool, training, false)
  OPTION(double, momentum, 0.1)
  OPTION(double, eps, 1e-5)
};
class InstanceNormFuncOptions {
  OPTION(Tensor, running_mean, {})
  OPTION(Tensor, running_var, {})
  OPTION(Tensor, weight, {})
  OPTION(Tensor, bias, {})
  OPTION(bool, use_input_stats, true)
  OPTION(double, momentum, 0.1)
  OPTION(double, eps, 1e-5)
};
using MaybeIndex = optional<int64_t>;
class EmbeddingFuncOptions {
  OPTION(MaybeIndex, padding_idx, nullopt)
  OPTION(MaybeDouble, max_norm, nullopt)
  OPTION(double, norm_type, 2)
  OPTION(bool, scale_grad_by_freq, false)
  OPTION(bool, sparse, false)
};
class EmbeddingBagFuncOptions {
  OPTION(Tensor, offsets, {})
  OPTION(MaybeDouble, max_norm, nullopt)
  OPTION(double, norm_type, 2)
  OPTION(bool, scale_grad_by_freq, false)
  OPTION(Choice, mode, kMean)
  OPTION(bool, sparse, false)
  OPTION(Tensor, per_sample_weights, {})
  OPTION(bool, include_last_offset, false)
  OPTION(MaybeIndex, padding_idx, nullopt)
};
class LocalResponseNormFuncOptions {
public:
  LocalResponseNormFuncOptions(int64_t size) : size_(size) {}
  OPTION(int64_t, size, 1)
  OPTION(double, alpha, 1e-4)
  OPTION(double, beta, 0.75)
  OPTION(double, k, 1)
};
class GumbelSoftmaxFuncOptions {
  OPTION(double, tau, 1)
  OPTION(bool, hard, false)
  OPTION(int, dim, -1)
};
class RReLUFuncOptions {
  OPTION(double, lower, 1.0 / 8)
  OPTION(double, upper, 1.0 / 3)
  OPTION(bool, training, false)
  OPTION(bool, inplace, false)
};
inline optional<Tensor> given(const Tensor &X) {
  return X.defined() ? optional<Tensor>(X) : nullopt;
}
inline Tensor linear(const Tensor &x, const Tensor &weight,
                     const Tensor &bias = {}, HERE) {
  return tensortidy::linear(x, weight, given(bias), Here);
}
inline Tensor bilinear(const Tensor &a, const Tensor &b, const Tensor &weight,
                       const Tensor &bias = {}, HERE) {
  return tensortidy::bilinear(a, b, weight, given(bias), Here);
}
inline Tensor dropout(const Tensor &x, const DropoutFuncOptions &o = {}, HERE) {
  return placed(x, tensortidy::dropout(x, o.p(), o.training(), Here), o, Here);
}
inline Tensor alpha_dropout(const Tensor &x,
                            const AlphaDropoutFuncOptions &o = {}, HERE) {
  return placed(x, tensortidy::alpha_dropout(x, o.p(), o.training(), Here), o,
                Here);
}
inline Tensor
feature_alpha_dropout(const Tensor &x,
                      const FeatureAlphaDropoutFuncOptions &o = {}, HERE) {
  return placed(x,
                tensortidy::feature_alpha_dropout(x, o.p(), o.training(), Here),
                o, Here);
}
inline Tensor normalize(const Tensor &x, const NormalizeFuncOptions &o = {},
                        HERE) {
  return x.div(x.norm(o.p(), o.dim(), true, Here)
                   .clamp_min(o.eps(), Here)
                   .expand_as(x, Here),
               Here);
}
inline Tensor layer_norm(const Tensor &x, const LayerNormFuncOptions &o, HERE) {
  return tensortidy::layer_norm(x, o.normalized_shape(), given(o.weight()),
                                given(o.bias()), o.eps(), true, Here);
}
inline Tensor group_norm(const Tensor &x, const GroupNormFuncOptions &o, HERE) {
  return tensortidy::group_norm(x, o.num_groups(), given(o.weight()),
                                given(o.bias()), o.eps(), true, Here);
}
inline Tensor batch_norm(const Tensor &x, const Tensor &running_mean,
                         const Tensor &running_var,
                         const BatchNormFuncOptions &o = {}, HERE) {
  return tensortidy::batch_norm(
      x, given(o.weight()), given(o.bias()), given(running_mean),
      given(running_var), o.training(), o.momentum(), o.eps(), true, Here);
}
inline Tensor instance_norm(const Tensor &x,
                            const InstanceNormFuncOptions &o = {}, HERE) {
  return tensortidy::instance_norm(x, given(o.weight()), given(o.bias()),
                                   given(o.running_mean()),
                                   given(o.running_var()), o.use_input_stats(),
                                   o.momentum(), o.eps(), true, Here);
}
/// Rows longer than max_norm are shortened, in \p weight itself.
Tensor embedding(const Tensor &input, const Tensor &weight,
                 const EmbeddingFuncOptions &o = {}, HERE);
/// Of each bag of rows the mean, the sum or the greatest.
Tensor embedding_bag(const Tensor &input, const Tensor &weight,
                     const EmbeddingBagFuncOptions &o = {}, HERE);
Tensor local_response_norm(const Tensor &x,
                           const LocalResponseNormFuncOptions &o, HERE);
Tensor gumbel_softmax(const Tensor &logits,
                      const GumbelSoftmaxFuncOptions &o = {}, HERE);
Tensor rrelu(const Tensor &x, const RReLUFuncOptions &o = {}, HERE);
/// Whole channels are left out.
Tensor dropout2d(const Tensor &x, const DropoutFuncOptions &o = {}, HERE);
Tensor dropout3d(const Tensor &x, const DropoutFuncOptions &o = {}, HERE);
inline Tensor one_hot(const Tensor &x, int64_t num_classes = -1, HERE) {
  return tensortidy::one_hot(x, num_classes, Here);
}

//===--- convolutions, pools --------------------------------------------===//

#define CONVOLUTION(D)                                                         \
  class Conv##D##dFuncOptions {                                                \
    OPTION(Tensor, bias, {})                                                   \
    OPTION(ExpandingArray<D>, stride, 1)                                       \
    OPTION(Padding<D>, padding, 0)                                             \
    OPTION(ExpandingArray<D>, dilation, 1)                                     \
    OPTION(int64_t, groups, 1)                                                 \
  };                                                                           \
  inline Tensor conv##D##d(const Tensor &x, const Tensor &weight,              \
                           const Conv##D##dFuncOptions &o = {}, HERE) {        \
    if (o.padding().Name)                                                      \
      return tensortidy::conv##D##d(x, weight, given(o.bias()), o.stride(),    \
                                    o.padding().Name->Name, o.dilation(),      \
                                    o.groups(), Here);                         \
    return tensortidy::conv##D##d(x, weight, given(o.bias()), o.stride(),      \
                                  o.padding().Numbers, o.dilation(),           \
                                  o.groups(), Here);                           \
  }
CONVOLUTION(1)
CONVOLUTION(2)
CONVOLUTION(3)
#undef CONVOLUTION
#define TRANSPOSED(D)                                                          \
  class ConvTranspose##D##dFuncOptions {                                       \
    OPTION(Tensor, bias, {})                                                   \
    OPTION(ExpandingArray<D>, stride, 1)                                       \
    OPTION(ExpandingArray<D>, padding, 0)                                      \
    OPTION(ExpandingArray<D>, output_padding, 0)                               \
    OPTION(int64_t, groups, 1)                                                 \
    OPTION(ExpandingArray<D>, dilation, 1)                                     \
  };                                                                           \
  inline Tensor conv_transpose##D##d(                                          \
      const Tensor &x, const Tensor &weight,                                   \
      const ConvTranspose##D##dFuncOptions &o = {}, HERE) {                    \
    return tensortidy::conv_transpose##D##d(                                   \
        x, weight, given(o.bias()), o.stride(), o.padding(),                   \
        o.output_padding(), o.groups(), o.dilation(), Here);                   \
  }
TRANSPOSED(1)
TRANSPOSED(2)
TRANSPOSED(3)
#undef TRANSPOSED
#define POOLS(D)                                                               \
  class MaxPool##D##dFuncOptions {                                             \
  public:                                                                      \
    MaxPool##D##dFuncOptions(ExpandingArray<D> kernel_size)                    \
        : kernel_size_(kernel_size), stride_(kernel_size) {}                   \
    OPTION(ExpandingArray<D>, kernel_size, 1)                                  \
    OPTION(ExpandingArray<D>, stride, 1)                                       \
    OPTION(ExpandingArray<D>, padding, 0)                                      \
    OPTION(ExpandingArray<D>, dilation, 1)                                     \
    OPTION(bool, ceil_mode, false)                                             \
  };                                                                           \
  inline Tensor max_pool##D##d(const Tensor &x,                                \
                               const MaxPool##D##dFuncOptions &o, HERE) {      \
    return tensortidy::max_pool##D##d(x, o.kernel_size(), o.stride(),          \
                                      o.padding(), o.dilation(),               \
                                      o.ceil_mode(), Here);                    \
  }                                                                            \
  class AdaptiveAvgPool##D##dFuncOptions {                                     \
  public:                                                                      \
    AdaptiveAvgPool##D##dFuncOptions(ExpandingArrayWithOptionalElem<D> o)      \
        : output_size_(o) {}                                                   \
    OPTION(ExpandingArrayWithOptionalElem<D>, output_size, 1)                  \
  };                                                                           \
  inline Tensor adaptive_avg_pool##D##d(                                       \
      const Tensor &x, const AdaptiveAvgPool##D##dFuncOptions &o, HERE) {      \
    return tensortidy::adaptive_avg_pool##D##d(x, o.output_size().of(x),       \
                                               Here);                          \
  }
POOLS(1)
POOLS(2)
POOLS(3)
#undef POOLS
#define ADAPTIVE(D)                                                            \
  class AdaptiveMaxPool##D##dFuncOptions {                                     \
  public:                                                                      \
    AdaptiveMaxPool##D##dFuncOptions(ExpandingArrayWithOptionalElem<D> o)      \
        : output_size_(o) {}                                                   \
    OPTION(ExpandingArrayWithOptionalElem<D>, output_size, 1)                  \
  };                                                                           \
  inline std::tuple<Tensor, Tensor> adaptive_max_pool##D##d_with_indices(      \
      const Tensor &x, const AdaptiveMaxPool##D##dFuncOptions &o, HERE) {      \
    return tensortidy::adaptive_max_pool##D##d(x, o.output_size().of(x),       \
                                               Here);                          \
  }                                                                            \
  inline Tensor adaptive_max_pool##D##d(                                       \
      const Tensor &x, const AdaptiveMaxPool##D##dFuncOptions &o, HERE) {      \
    return std::get<0>(adaptive_max_pool##D##d_with_indices(x, o, Here));      \
  }                                                                            \
  class LPPool##D##dFuncOptions {                                              \
  public:                                                                      \
    LPPool##D##dFuncOptions(double norm_type, ExpandingArray<D> kernel_size)   \
        : norm_type_(norm_type), kernel_size_(kernel_size),                    \
          stride_(kernel_size) {}                                              \
    OPTION(double, norm_type, 2)                                               \
    OPTION(ExpandingArray<D>, kernel_size, 1)                                  \
    OPTION(ExpandingArray<D>, stride, 1)                                       \
    OPTION(bool, ceil_mode, false)                                             \
  };                                                                           \
  Tensor lp_pool##D##d(const Tensor &x, const LPPool##D##dFuncOptions &o,      \
                       HERE);                                                  \
  class MaxUnpool##D##dFuncOptions {                                           \
  public:                                                                      \
    MaxUnpool##D##dFuncOptions(ExpandingArray<D> kernel_size)                  \
        : kernel_size_(kernel_size), stride_(kernel_size) {}                   \
    OPTION(ExpandingArray<D>, kernel_size, 1)                                  \
    OPTION(ExpandingArray<D>, stride, 1)                                       \
    OPTION(ExpandingArray<D>, padding, 0)                                      \
    OPTION(MaybeSizes, output_size, nullopt)                                   \
  };                                                                           \
  Tensor max_unpool##D##d(const Tensor &x, const Tensor &indices,              \
                          const MaxUnpool##D##dFuncOptions &o, HERE);
ADAPTIVE(1)
ADAPTIVE(2)
#undef ADAPTIVE
class AvgPool1dFuncOptions {
public:
  AvgPool1dFuncOptions(ExpandingArray<1> kernel_size)
      : kernel_size_(kernel_size), stride_(kernel_size) {}
  OPTION(ExpandingArray<1>, kernel_size, 1)
  OPTION(ExpandingArray<1>, stride, 1)
  OPTION(ExpandingArray<1>, padding, 0)
  OPTION(bool, ceil_mode, false)
  OPTION(bool, count_include_pad, true)
};
inline Tensor avg_pool1d(const Tensor &x, const AvgPool1dFuncOptions &o, HERE) {
  return tensortidy::avg_pool1d(x, o.kernel_size(), o.stride(), o.padding(),
                                o.ceil_mode(), o.count_include_pad(), Here);
}
inline std::tuple<Tensor, Tensor>
max_pool2d_with_indices(const Tensor &x, const MaxPool2dFuncOptions &o, HERE) {
  return tensortidy::max_pool2d_with_indices(x, o.kernel_size(), o.stride(),
                                             o.padding(), o.dilation(),
                                             o.ceil_mode(), Here);
}
inline std::tuple<Tensor, Tensor>
max_pool3d_with_indices(const Tensor &x, const MaxPool3dFuncOptions &o, HERE) {
  return tensortidy::max_pool3d_with_indices(x, o.kernel_size(), o.stride(),
                                             o.padding(), o.dilation(),
                                             o.ceil_mode(), Here);
}
#define AVERAGES(D)                                                            \
  class AvgPool##D##dFuncOptions {                                             \
  public:                                                                      \
    AvgPool##D##dFuncOptions(ExpandingArray<D> kernel_size)                    \
        : kernel_size_(kernel_size), stride_(kernel_size) {}                   \
    OPTION(ExpandingArray<D>, kernel_size, 1)                                  \
    OPTION(ExpandingArray<D>, stride, 1)                                       \
    OPTION(ExpandingArray<D>, padding, 0)                                      \
    OPTION(bool, ceil_mode, false)                                             \
    OPTION(bool, count_include_pad, true)                                      \
    OPTION(optional<int64_t>, divisor_override, nullopt)                       \
  };                                                                           \
  inline Tensor avg_pool##D##d(const Tensor &x,                                \
                               const AvgPool##D##dFuncOptions &o, HERE) {      \
    return tensortidy::avg_pool##D##d(                                         \
        x, o.kernel_size(), o.stride(), o.padding(), o.ceil_mode(),            \
        o.count_include_pad(), o.divisor_override(), Here);                    \
  }
AVERAGES(2)
AVERAGES(3)
#undef AVERAGES

//===--- images ---------------------------------------------------------===//

class InterpolateFuncOptions {
  OPTION(MaybeSizes, size, nullopt)
  OPTION(MaybeFactors, scale_factor, nullopt)
  OPTION(Choice, mode, kNearest)
  OPTION(MaybeBool, align_corners, nullopt)
  OPTION(MaybeBool, recompute_scale_factor, nullopt)
  OPTION(bool, antialias, false)
};
Tensor interpolate(const Tensor &x, const InterpolateFuncOptions &o = {}, HERE);

class PadFuncOptions {
public:
  PadFuncOptions(Sizes pad) : pad_(std::move(pad)) {}
  OPTION(Sizes, pad, {})
  OPTION(Choice, mode, kConstant)
  OPTION(double, value, 0)
};
inline Tensor pad(const Tensor &x, const PadFuncOptions &o, HERE) {
  return o.mode() == kConstant
             ? tensortidy::constant_pad_nd(x, o.pad(), o.value(), Here)
             : tensortidy::pad(x, o.pad(), o.mode().Name, nullopt, Here);
}
class GridSampleFuncOptions {
  OPTION(Choice, mode, kBilinear)
  OPTION(Choice, padding_mode, kZeros)
  OPTION(MaybeBool, align_corners, nullopt)
};
inline Tensor grid_sample(const Tensor &x, const Tensor &grid,
                          const GridSampleFuncOptions &o = {}, HERE) {
  const int64_t Mode = o.mode() == kBilinear ? 0 : o.mode() == kNearest ? 1 : 2;
  const int64_t Outside = o.padding_mode() == kZeros    ? 0
                          : o.padding_mode() == kBorder ? 1
                                                        : 2;
  return tensortidy::grid_sampler(x, grid, Mode, Outside,
                                  o.align_corners().value_or(false), Here);
}
inline Tensor affine_grid(const Tensor &theta, IntArrayRef size,
                          bool align_corners = false, HERE) {
  return tensortidy::affine_grid_generator(theta, size, align_corners, Here);
}
class UnfoldFuncOptions {
public:
  UnfoldFuncOptions(ExpandingArray<2> kernel_size)
      : kernel_size_(kernel_size) {}
  OPTION(ExpandingArray<2>, kernel_size, 1)
  OPTION(ExpandingArray<2>, dilation, 1)
  OPTION(ExpandingArray<2>, padding, 0)
  OPTION(ExpandingArray<2>, stride, 1)
};
class FoldFuncOptions {
public:
  FoldFuncOptions(ExpandingArray<2> output_size, ExpandingArray<2> kernel_size)
      : output_size_(output_size), kernel_size_(kernel_size) {}
  OPTION(ExpandingArray<2>, output_size, 1)
  OPTION(ExpandingArray<2>, kernel_size, 1)
  OPTION(ExpandingArray<2>, dilation, 1)
  OPTION(ExpandingArray<2>, padding, 0)
  OPTION(ExpandingArray<2>, stride, 1)
};
inline Tensor unfold(const Tensor &x, const UnfoldFuncOptions &o, HERE) {
  return tensortidy::im2col(x, o.kernel_size(), o.dilation(), o.padding(),
                            o.stride(), Here);
}
inline Tensor fold(const Tensor &x, const FoldFuncOptions &o, HERE) {
  return tensortidy::col2im(x, o.output_size(), o.kernel_size(), o.dilation(),
                            o.padding(), o.stride(), Here);
}
class PixelUnshuffleFuncOptions {
public:
  PixelUnshuffleFuncOptions(int64_t downscale_factor)
      : downscale_factor_(downscale_factor) {}
  OPTION(int64_t, downscale_factor, 1)
};
inline Tensor pixel_unshuffle(const Tensor &x,
                              const PixelUnshuffleFuncOptions &o, HERE) {
  return tensortidy::pixel_unshuffle(x, o.downscale_factor(), Here);
}
class PixelShuffleFuncOptions {
public:
  PixelShuffleFuncOptions(int64_t upscale_factor)
      : upscale_factor_(upscale_factor) {}
  OPTION(int64_t, upscale_factor, 1)
};
inline Tensor pixel_shuffle(const Tensor &x, const PixelShuffleFuncOptions &o,
                            HERE) {
  return tensortidy::pixel_shuffle(x, o.upscale_factor(), Here);
}

//===--- losses and distances -------------------------------------------===//

using Distance = std::function<Tensor(const Tensor &, const Tensor &)>;
#define LOSS(NAME, MORE)                                                       \
  class NAME##FuncOptions {                                                    \
  public:                                                                      \
    NAME##FuncOptions(Choice reduction = kMean) : reduction_(reduction) {}     \
    OPTION(Choice, reduction, kMean)                                           \
    MORE                                                                       \
  };
LOSS(MSELoss, )
LOSS(L1Loss, )
LOSS(SmoothL1Loss, )
LOSS(HuberLoss, OPTION(double, delta, 1.0))
LOSS(BinaryCrossEntropy, OPTION(Tensor, weight, {}))
LOSS(BinaryCrossEntropyWithLogits,
     OPTION(Tensor, weight, {}) OPTION(Tensor, pos_weight, {}))
LOSS(KLDiv, OPTION(bool, log_target, false))
LOSS(NLLLoss, OPTION(Tensor, weight, {}) OPTION(int64_t, ignore_index, -100))
LOSS(CrossEntropy,
     OPTION(Tensor, weight, {}) OPTION(int64_t, ignore_index, -100)
         OPTION(double, label_smoothing, 0.0))
LOSS(CTCLoss, OPTION(int64_t, blank, 0) OPTION(bool, zero_infinity, false))
LOSS(SoftMarginLoss, )
LOSS(MultilabelMarginLoss, )
LOSS(MultilabelSoftMarginLoss, OPTION(Tensor, weight, {}))
LOSS(MultiMarginLoss, OPTION(int64_t, p, 1) OPTION(double, margin, 1.0)
                          OPTION(Tensor, weight, {}))
LOSS(PoissonNLLLoss, OPTION(bool, log_input, true) OPTION(bool, full, false)
                         OPTION(double, eps, 1e-8))
LOSS(TripletMarginWithDistanceLoss,
     OPTION(optional<Distance>, distance_function, nullopt)
         OPTION(double, margin, 1.0) OPTION(bool, swap, false))
LOSS(CosineEmbeddingLoss, OPTION(double, margin, 0.0))
LOSS(MarginRankingLoss, OPTION(double, margin, 0.0))
LOSS(HingeEmbeddingLoss, OPTION(double, margin, 1.0))
LOSS(TripletMarginLoss, OPTION(double, margin, 1.0) OPTION(double, p, 2.0)
                            OPTION(double, eps, 1e-6) OPTION(bool, swap, false))
#undef LOSS
using KLDivLossFuncOptions = KLDivFuncOptions;
using MultiLabelMarginLossFuncOptions = MultilabelMarginLossFuncOptions;
using MultiLabelSoftMarginLossFuncOptions = MultilabelSoftMarginLossFuncOptions;
class CosineSimilarityFuncOptions {
  OPTION(int64_t, dim, 1)
  OPTION(double, eps, 1e-8)
};
class PairwiseDistanceFuncOptions {
  OPTION(double, p, 2.0)
  OPTION(double, eps, 1e-6)
  OPTION(bool, keepdim, false)
};
#undef OPTION

#define PAIR const Tensor &input, const Tensor &target
inline Tensor mse_loss(PAIR, const MSELossFuncOptions &o = {}, HERE) {
  return tensortidy::mse_loss(input, target, howReduced(o.reduction()), Here);
}
inline Tensor l1_loss(PAIR, const L1LossFuncOptions &o = {}, HERE) {
  return tensortidy::l1_loss(input, target, howReduced(o.reduction()), Here);
}
inline Tensor smooth_l1_loss(PAIR, const SmoothL1LossFuncOptions &o = {},
                             double beta = 1.0, HERE) {
  return tensortidy::smooth_l1_loss(input, target, howReduced(o.reduction()),
                                    beta, Here);
}
inline Tensor huber_loss(PAIR, const HuberLossFuncOptions &o = {}, HERE) {
  return tensortidy::huber_loss(input, target, howReduced(o.reduction()),
                                o.delta(), Here);
}
inline Tensor
binary_cross_entropy(PAIR, const BinaryCrossEntropyFuncOptions &o = {}, HERE) {
  return tensortidy::binary_cross_entropy(input, target, given(o.weight()),
                                          howReduced(o.reduction()), Here);
}
inline Tensor binary_cross_entropy_with_logits(
    PAIR, const BinaryCrossEntropyWithLogitsFuncOptions &o = {}, HERE) {
  return tensortidy::binary_cross_entropy_with_logits(
      input, target, given(o.weight()), given(o.pos_weight()),
      howReduced(o.reduction()), Here);
}
inline Tensor kl_div(PAIR, const KLDivFuncOptions &o = {}, HERE) {
  if (o.reduction() != kBatchMean)
    return tensortidy::kl_div(input, target, howReduced(o.reduction()),
                              o.log_target(), Here);
  return tensortidy::kl_div(input, target, Reduction::Sum, o.log_target(), Here)
      .div(input.size(0), Here);
}
inline Tensor nll_loss(PAIR, const NLLLossFuncOptions &o = {}, HERE) {
  return tensortidy::nll_loss_nd(input, target, given(o.weight()),
                                 howReduced(o.reduction()), o.ignore_index(),
                                 Here);
}
inline Tensor cross_entropy(PAIR, const CrossEntropyFuncOptions &o = {}, HERE) {
  return tensortidy::cross_entropy_loss(
      input, target, given(o.weight()), howReduced(o.reduction()),
      o.ignore_index(), o.label_smoothing(), Here);
}
inline Tensor
hinge_embedding_loss(PAIR, const HingeEmbeddingLossFuncOptions &o = {}, HERE) {
  return tensortidy::hinge_embedding_loss(input, target, o.margin(),
                                          howReduced(o.reduction()), Here);
}
inline Tensor soft_margin_loss(PAIR, const SoftMarginLossFuncOptions &o = {},
                               HERE) {
  return tensortidy::soft_margin_loss(input, target, howReduced(o.reduction()),
                                      Here);
}
inline Tensor poisson_nll_loss(PAIR, const PoissonNLLLossFuncOptions &o = {},
                               HERE) {
  return tensortidy::poisson_nll_loss(input, target, o.log_input(), o.full(),
                                      o.eps(), howReduced(o.reduction()), Here);
}
inline Tensor multi_margin_loss(PAIR, const MultiMarginLossFuncOptions &o = {},
                                HERE) {
  return tensortidy::multi_margin_loss(input, target, o.p(), o.margin(),
                                       given(o.weight()),
                                       howReduced(o.reduction()), Here);
}
inline Tensor
multilabel_margin_loss(PAIR, const MultilabelMarginLossFuncOptions &o = {},
                       HERE) {
  return tensortidy::multilabel_margin_loss(input, target,
                                            howReduced(o.reduction()), Here);
}
Tensor multilabel_soft_margin_loss(
    PAIR, const MultilabelSoftMarginLossFuncOptions &o = {}, HERE);
#undef PAIR
inline Tensor ctc_loss(const Tensor &log_probs, const Tensor &targets,
                       const Tensor &input_lengths,
                       const Tensor &target_lengths,
                       const CTCLossFuncOptions &o = {}, HERE) {
  return tensortidy::ctc_loss(log_probs, targets, input_lengths, target_lengths,
                              o.blank(), howReduced(o.reduction()),
                              o.zero_infinity(), Here);
}
Tensor triplet_margin_with_distance_loss(
    const Tensor &anchor, const Tensor &positive, const Tensor &negative,
    const TripletMarginWithDistanceLossFuncOptions &o = {}, HERE);
inline Tensor
cosine_embedding_loss(const Tensor &a, const Tensor &b, const Tensor &target,
                      const CosineEmbeddingLossFuncOptions &o = {}, HERE) {
  return tensortidy::cosine_embedding_loss(a, b, target, o.margin(),
                                           howReduced(o.reduction()), Here);
}
inline Tensor margin_ranking_loss(const Tensor &a, const Tensor &b,
                                  const Tensor &target,
                                  const MarginRankingLossFuncOptions &o = {},
                                  HERE) {
  return tensortidy::margin_ranking_loss(a, b, target, o.margin(),
                                         howReduced(o.reduction()), Here);
}
inline Tensor triplet_margin_loss(const Tensor &anchor, const Tensor &positive,
                                  const Tensor &negative,
                                  const TripletMarginLossFuncOptions &o = {},
                                  HERE) {
  return tensortidy::triplet_margin_loss(anchor, positive, negative, o.margin(),
                                         o.p(), o.eps(), o.swap(),
                                         howReduced(o.reduction()), Here);
}
inline Tensor cosine_similarity(const Tensor &a, const Tensor &b,
                                const CosineSimilarityFuncOptions &o = {},
                                HERE) {
  return tensortidy::cosine_similarity(a, b, o.dim(), o.eps(), Here);
}
inline Tensor pdist(const Tensor &x, double p = 2.0, HERE) {
  return tensortidy::pdist(x, p, Here);
}
inline Tensor pairwise_distance(const Tensor &a, const Tensor &b,
                                const PairwiseDistanceFuncOptions &o = {},
                                HERE) {
  return tensortidy::pairwise_distance(a, b, o.p(), o.eps(), o.keepdim(), Here);
}
#undef HERE

} // namespace nn::functional
} // namespace tensortidy

#endif
