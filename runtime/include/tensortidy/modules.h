//===- modules.h - the layers of networks -----------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// torch::nn::Linear and its relatives, with the options, the first values and
// the printed form they have in libtorch.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_MODULES_H
#define TENSORTIDY_MODULES_H

#include "tensortidy/init.h"
#include "tensortidy/module.h"
#include "tensortidy/option.h"
#include "tensortidy/recurrent.h"
#include <ostream>

namespace tensortidy::nn {

namespace detail {
/// "torch::nn::Linear(in_features=4, ...)", piece by piece.
class Printed {
public:
  Printed(std::ostream &Stream, const char *Name);
  ~Printed();
  Printed(const Printed &) = delete;
  template <class T> Printed &operator()(const T &Value) {
    next() << Value;
    return *this;
  }
  template <class T> Printed &operator()(const char *Name, const T &Value) {
    if constexpr (std::is_same_v<T, bool>)
      inWords();
    next() << Name << '=' << Value;
    return *this;
  }
  /// Truth is printed so from here on, also what follows, as in libtorch.
  Printed &inWords();
  Printed &operator()(const char *Name, Choice Value);
  /// Only where it is not as usual.
  template <class T, class U>
  Printed &operator()(const char *Name, const T &Value, const U &Usual) {
    return Value == T(Usual) ? *this : (*this)(Name, Value);
  }

  /// Without parentheses.
  void bare() { First = false; }

private:
  std::ostream &next();
  std::ostream &Stream;
  const char *Close = "";
  bool First = true;
};
} // namespace detail

// What every layer has: options, made from what the layer is made from.
#define LAYER(NAME)                                                            \
public:                                                                        \
  template <class... A,                                                        \
            class = std::enable_if_t<                                          \
                std::is_constructible_v<NAME##Options, A...> &&                \
                !(std::is_base_of_v<NAME##Impl, std::decay_t<A>> || ...)>>     \
  explicit NAME##Impl(A &&...a) : options(std::forward<A>(a)...) {             \
    reset();                                                                   \
  }                                                                            \
  NAME##Options options;
#define OPTION TENSORTIDY_OPTION
#define UNPACK(...) __VA_ARGS__

//===--- activations, dropout, pools: what keeps no numbers -------------===//

#define SIMPLE(NAME, TAKES, VALUE, SHOWN)                                      \
  class NAME##Impl : public Cloneable<NAME##Impl> {                            \
    LAYER(NAME)                                                                \
    void reset() override {}                                                   \
    Tensor forward(UNPACK TAKES) { return VALUE; }                             \
    void pretty_print(std::ostream &stream) const override {                   \
      detail::Printed Show(stream, #NAME);                                     \
      [[maybe_unused]] const auto &o = options;                                \
      SHOWN;                                                                   \
    }                                                                          \
  };                                                                           \
  TORCH_MODULE(NAME);
/// With the options of the function of this name.
#define ACTIVATION(NAME, FUNCTION, SHOWN)                                      \
  using NAME##Options = functional::NAME##FuncOptions;                         \
  SIMPLE(NAME, (const Tensor &input), functional::FUNCTION(input, options),    \
         SHOWN)
#define IN_PLACE ("inplace", o.inplace(), false)
ACTIVATION(ReLU, relu, Show IN_PLACE)
ACTIVATION(ReLU6, relu6, Show IN_PLACE)
ACTIVATION(SELU, selu, Show IN_PLACE)
ACTIVATION(ELU, elu, Show("alpha", o.alpha()) IN_PLACE)
ACTIVATION(CELU, celu, Show("alpha", o.alpha()) IN_PLACE)
ACTIVATION(LeakyReLU, leaky_relu,
           Show.inWords()("negative_slope", o.negative_slope()) IN_PLACE)
ACTIVATION(Hardtanh, hardtanh,
           Show.inWords()("min_val", o.min_val())("max_val",
                                                  o.max_val())IN_PLACE)
ACTIVATION(Threshold, threshold,
           Show("threshold", o.threshold())("value", o.value()) IN_PLACE)
ACTIVATION(RReLU, rrelu, Show("lower", o.lower())("upper", o.upper()) IN_PLACE)
#undef IN_PLACE
ACTIVATION(GELU, gelu, )
ACTIVATION(GLU, glu, Show("dim", o.dim()))
ACTIVATION(Softplus, softplus,
           Show("beta", o.beta())("threshold", o.threshold()))
ACTIVATION(Softshrink, softshrink, Show(o.lambda()))
ACTIVATION(Hardshrink, hardshrink, Show.inWords()(o.lambda()))
ACTIVATION(Softmax, softmax, Show("dim", o.dim()))
ACTIVATION(Softmin, softmin, Show("dim", o.dim()))
ACTIVATION(LogSoftmax, log_softmax, Show("dim", o.dim()))
ACTIVATION(PixelShuffle, pixel_shuffle,
           Show("upscale_factor", o.upscale_factor()))
ACTIVATION(PixelUnshuffle, pixel_unshuffle,
           Show("downscale_factor", o.downscale_factor()))
ACTIVATION(LocalResponseNorm, local_response_norm,
           Show.inWords()(o.size())("alpha", o.alpha())("beta",
                                                        o.beta())("k", o.k()))
ACTIVATION(Fold, fold,
           Show("output_size", o.output_size())("kernel_size", o.kernel_size())(
               "dilation", o.dilation())("padding", o.padding())("stride",
                                                                 o.stride()))
ACTIVATION(Unfold, unfold,
           Show("kernel_size", o.kernel_size())("dilation", o.dilation())(
               "padding", o.padding())("stride", o.stride()))
#define POOLS(D)                                                               \
  ACTIVATION(MaxPool##D##d, max_pool##D##d,                                    \
             Show("kernel_size", o.kernel_size())("stride", o.stride())(       \
                 "padding", o.padding())("dilation", o.dilation())(            \
                 "ceil_mode", o.ceil_mode()))                                  \
  ACTIVATION(AvgPool##D##d, avg_pool##D##d,                                    \
             Show("kernel_size", o.kernel_size())("stride", o.stride())(       \
                 "padding", o.padding()))                                      \
  ACTIVATION(AdaptiveAvgPool##D##d, adaptive_avg_pool##D##d,                   \
             Show("output_size", o.output_size()))
POOLS(1)
POOLS(2)
POOLS(3)
#undef POOLS
#define POOLS(D)                                                               \
  ACTIVATION(AdaptiveMaxPool##D##d, adaptive_max_pool##D##d,                   \
             Show("output_size", o.output_size()))                             \
  ACTIVATION(LPPool##D##d, lp_pool##D##d,                                      \
             Show("norm_type", o.norm_type())("kernel_size", o.kernel_size())( \
                 "stride", o.stride())("ceil_mode", o.ceil_mode()))            \
  using MaxUnpool##D##dOptions = functional::MaxUnpool##D##dFuncOptions;       \
  SIMPLE(MaxUnpool##D##d, (const Tensor &input, const Tensor &indices),        \
         functional::max_unpool##D##d(input, indices, options),                \
         Show.inWords()("kernel_size", o.kernel_size())("stride", o.stride())( \
             "padding", o.padding()))
POOLS(1)
POOLS(2)
#undef POOLS
#undef ACTIVATION

/// Those without options.
struct NoOptions {};
#define PLAIN(NAME, VALUE)                                                     \
  using NAME##Options = NoOptions;                                             \
  SIMPLE(NAME, (const Tensor &input), VALUE, )
PLAIN(Sigmoid, input.sigmoid())
PLAIN(Tanh, input.tanh())
PLAIN(SiLU, functional::silu(input))
PLAIN(Mish, functional::mish(input))
PLAIN(Softsign, functional::softsign(input))
PLAIN(Tanhshrink, functional::tanhshrink(input))
PLAIN(LogSigmoid, functional::logsigmoid(input))
PLAIN(Softmax2d, input.softmax(1))
#undef PLAIN
class IdentityImpl : public Cloneable<IdentityImpl> {
public:
  void reset() override {}
  Tensor forward(const Tensor &input) { return input; }
  void pretty_print(std::ostream &stream) const override {
    detail::Printed(stream, "Identity");
  }
};
TORCH_MODULE(Identity);

class DropoutOptions {
public:
  DropoutOptions(double p = 0.5) : p_(p) {}
  OPTION(double, p, 0.5)
  OPTION(bool, inplace, false)
};
#define DROPOUT(NAME, FUNCTION)                                                \
  SIMPLE(NAME, (const Tensor &input),                                          \
         functional::FUNCTION(input, functional::NAME##FuncOptions()           \
                                         .p(options.p())                       \
                                         .inplace(options.inplace())           \
                                         .training(is_training())),            \
         Show("p", o.p())("inplace", o.inplace()))
DROPOUT(Dropout, dropout)
using Dropout2dOptions = DropoutOptions;
DROPOUT(Dropout2d, dropout2d)
using Dropout3dOptions = DropoutOptions;
DROPOUT(Dropout3d, dropout3d)
using AlphaDropoutOptions = DropoutOptions;
DROPOUT(AlphaDropout, alpha_dropout)
using FeatureAlphaDropoutOptions = DropoutOptions;
DROPOUT(FeatureAlphaDropout, feature_alpha_dropout)
#undef DROPOUT

class FlattenOptions {
  OPTION(int64_t, start_dim, 1)
  OPTION(int64_t, end_dim, -1)
};
SIMPLE(Flatten, (const Tensor &input),
       input.flatten(options.start_dim(), options.end_dim()),
       Show("start_dim", o.start_dim())("end_dim", o.end_dim()))
class UnflattenOptions {
public:
  UnflattenOptions(int64_t dim, std::vector<int64_t> sizes)
      : dim_(dim), sizes_(std::move(sizes)) {}
  OPTION(int64_t, dim, 0)
  OPTION(std::vector<int64_t>, sizes, {})
};
class UnflattenImpl : public Cloneable<UnflattenImpl> {
  LAYER(Unflatten)
  void reset() override {}
  Tensor forward(const Tensor &input) {
    return input.unflatten(options.dim(), options.sizes());
  }
  void pretty_print(std::ostream &stream) const override;
};
TORCH_MODULE(Unflatten);

/// \p D dimensions, with a number before and behind each, the last first.
#define PADS(NAME, D, MODE)                                                    \
  class NAME##Options {                                                        \
  public:                                                                      \
    NAME##Options(ExpandingArray<2 * D> padding) : padding_(padding) {}        \
    OPTION(ExpandingArray<2 * D>, padding, 0)                                  \
  };                                                                           \
  SIMPLE(NAME, (const Tensor &input),                                          \
         functional::pad(input, functional::PadFuncOptions(                    \
                                    IntArrayRef(options.padding()).vec())      \
                                    .mode(MODE)),                              \
         Show("padding", o.padding()))
PADS(ReflectionPad1d, 1, kReflect)
PADS(ReflectionPad2d, 2, kReflect)
PADS(ReplicationPad1d, 1, kReplicate)
PADS(ReplicationPad2d, 2, kReplicate)
PADS(ReplicationPad3d, 3, kReplicate)
PADS(ZeroPad2d, 2, kConstant)
#undef PADS
#define PADS(NAME, D)                                                          \
  class NAME##Options {                                                        \
  public:                                                                      \
    NAME##Options(ExpandingArray<2 * D> padding, double value = 0)             \
        : padding_(padding), value_(value) {}                                  \
    OPTION(ExpandingArray<2 * D>, padding, 0)                                  \
    OPTION(double, value, 0)                                                   \
  };                                                                           \
  SIMPLE(NAME, (const Tensor &input),                                          \
         functional::pad(input, functional::PadFuncOptions(                    \
                                    IntArrayRef(options.padding()).vec())      \
                                    .value(options.value())),                  \
         Show("padding", o.padding())("value", o.value()))
PADS(ConstantPad1d, 1)
PADS(ConstantPad2d, 2)
PADS(ConstantPad3d, 3)
#undef PADS

class UpsampleOptions {
  OPTION(functional::MaybeSizes, size, nullopt)
  OPTION(functional::MaybeFactors, scale_factor, nullopt)
  OPTION(Choice, mode, kNearest)
  OPTION(functional::MaybeBool, align_corners, nullopt)
};
class UpsampleImpl : public Cloneable<UpsampleImpl> {
  LAYER(Upsample)
  void reset() override {}
  Tensor forward(const Tensor &input);
  void pretty_print(std::ostream &stream) const override;
};
TORCH_MODULE(Upsample);

//===--- losses, distances ----------------------------------------------===//

#define LOSS(NAME, FUNCTION, ...)                                              \
  SIMPLE(NAME, (const Tensor &input, const Tensor &target),                    \
         functional::FUNCTION(input, target, options), __VA_ARGS__)
using MSELossOptions = functional::MSELossFuncOptions;
using L1LossOptions = functional::L1LossFuncOptions;
using SmoothL1LossOptions = functional::SmoothL1LossFuncOptions;
using HuberLossOptions = functional::HuberLossFuncOptions;
using BCELossOptions = functional::BinaryCrossEntropyFuncOptions;
using BCEWithLogitsLossOptions =
    functional::BinaryCrossEntropyWithLogitsFuncOptions;
using CrossEntropyLossOptions = functional::CrossEntropyFuncOptions;
using NLLLossOptions = functional::NLLLossFuncOptions;
using KLDivLossOptions = functional::KLDivFuncOptions;
using HingeEmbeddingLossOptions = functional::HingeEmbeddingLossFuncOptions;
using SoftMarginLossOptions = functional::SoftMarginLossFuncOptions;
using PoissonNLLLossOptions = functional::PoissonNLLLossFuncOptions;
using MultiMarginLossOptions = functional::MultiMarginLossFuncOptions;
using MultiLabelMarginLossOptions = functional::MultilabelMarginLossFuncOptions;
using MultiLabelSoftMarginLossOptions =
    functional::MultilabelSoftMarginLossFuncOptions;
LOSS(MSELoss, mse_loss)
LOSS(L1Loss, l1_loss)
LOSS(SmoothL1Loss, smooth_l1_loss, Show.bare())
LOSS(HuberLoss, huber_loss, Show.bare())
LOSS(BCELoss, binary_cross_entropy)
LOSS(BCEWithLogitsLoss, binary_cross_entropy_with_logits)
LOSS(CrossEntropyLoss, cross_entropy)
LOSS(NLLLoss, nll_loss)
LOSS(KLDivLoss, kl_div)
LOSS(HingeEmbeddingLoss, hinge_embedding_loss, Show("margin", o.margin()))
LOSS(SoftMarginLoss, soft_margin_loss)
LOSS(PoissonNLLLoss, poisson_nll_loss)
LOSS(MultiMarginLoss, multi_margin_loss,
     Show("p", o.p())("margin", o.margin())("weight",
                                            o.weight())("reduction",
                                                        o.reduction()))
LOSS(MultiLabelMarginLoss, multilabel_margin_loss)
LOSS(MultiLabelSoftMarginLoss, multilabel_soft_margin_loss)
#undef LOSS
#define OF_THREE(NAME, FUNCTION, FIRST, SECOND, THIRD, ...)                    \
  using NAME##Options = functional::NAME##FuncOptions;                         \
  SIMPLE(NAME,                                                                 \
         (const Tensor &FIRST, const Tensor &SECOND, const Tensor &THIRD),     \
         functional::FUNCTION(FIRST, SECOND, THIRD, options), __VA_ARGS__)
OF_THREE(CosineEmbeddingLoss, cosine_embedding_loss, input1, input2, target,
         Show("margin", o.margin()))
OF_THREE(MarginRankingLoss, margin_ranking_loss, input1, input2, target)
OF_THREE(TripletMarginLoss, triplet_margin_loss, anchor, positive, negative,
         Show("margin", o.margin())("p", o.p())("eps", o.eps())("swap",
                                                                o.swap()))
OF_THREE(TripletMarginWithDistanceLoss, triplet_margin_with_distance_loss,
         anchor, positive, negative,
         Show("margin", o.margin())("swap", o.swap()))
#undef OF_THREE
using CTCLossOptions = functional::CTCLossFuncOptions;
SIMPLE(CTCLoss,
       (const Tensor &log_probs, const Tensor &targets,
        const Tensor &input_lengths, const Tensor &target_lengths),
       functional::ctc_loss(log_probs, targets, input_lengths, target_lengths,
                            options), )
using CosineSimilarityOptions = functional::CosineSimilarityFuncOptions;
SIMPLE(CosineSimilarity, (const Tensor &input1, const Tensor &input2),
       functional::cosine_similarity(input1, input2, options),
       Show.inWords()("dim", o.dim())("eps", o.eps()))
using PairwiseDistanceOptions = functional::PairwiseDistanceFuncOptions;
SIMPLE(PairwiseDistance, (const Tensor &input1, const Tensor &input2),
       functional::pairwise_distance(input1, input2, options),
       Show("p", o.p())("eps", o.eps())("keepdim", o.keepdim()))
#undef SIMPLE

/// A function as a module.
class FunctionalImpl : public Cloneable<FunctionalImpl> {
public:
  using Function = std::function<Tensor(Tensor)>;
  explicit FunctionalImpl(Function function) : F(std::move(function)) {}
  /// One of this library, with its further arguments.
  template <class R, class... P, class... A,
            class = std::enable_if_t<sizeof...(P) == 2 + sizeof...(A)>>
  explicit FunctionalImpl(R (*function)(P...), A... args)
      : F([=](const Tensor &X) { return function(X, args..., Site::none()); }) {
  }
  template <class C, class A, class... More>
  explicit FunctionalImpl(C function, A arg, More... args)
      : F([=](const Tensor &X) { return function(X, arg, args...); }) {}
  void reset() override {}
  Tensor forward(Tensor input) { return F(std::move(input)); }
  Tensor operator()(Tensor input) { return forward(std::move(input)); }
  bool is_serializable() const override { return false; }
  void pretty_print(std::ostream &stream) const override {
    detail::Printed(stream, "Functional");
  }

private:
  Function F;
};
TORCH_MODULE(Functional);

//===--- products, embeddings -------------------------------------------===//

#define CHANGES(NAME)                                                          \
public:                                                                        \
  void reset() override;                                                       \
  void reset_parameters();                                                     \
  void pretty_print(std::ostream &stream) const override;
class LinearOptions {
public:
  LinearOptions(int64_t in_features, int64_t out_features)
      : in_features_(in_features), out_features_(out_features) {}
  OPTION(int64_t, in_features, 0)
  OPTION(int64_t, out_features, 0)
  OPTION(bool, bias, true)
};
class LinearImpl : public Cloneable<LinearImpl> {
  LAYER(Linear)
  CHANGES(Linear)
  Tensor forward(const Tensor &input) {
    return functional::linear(input, weight, bias);
  }
  Tensor weight, bias;
};
TORCH_MODULE(Linear);

class BilinearOptions {
public:
  BilinearOptions(int64_t in1_features, int64_t in2_features,
                  int64_t out_features)
      : in1_features_(in1_features), in2_features_(in2_features),
        out_features_(out_features) {}
  OPTION(int64_t, in1_features, 0)
  OPTION(int64_t, in2_features, 0)
  OPTION(int64_t, out_features, 0)
  OPTION(bool, bias, true)
};
class BilinearImpl : public Cloneable<BilinearImpl> {
  LAYER(Bilinear)
  CHANGES(Bilinear)
  Tensor forward(const Tensor &input1, const Tensor &input2) {
    return functional::bilinear(input1, input2, weight, bias);
  }
  Tensor weight, bias;
};
TORCH_MODULE(Bilinear);

class PReLUOptions {
  OPTION(int64_t, num_parameters, 1)
  OPTION(double, init, 0.25)
};
class PReLUImpl : public Cloneable<PReLUImpl> {
  LAYER(PReLU)
  void reset() override;
  void pretty_print(std::ostream &stream) const override;
  Tensor forward(const Tensor &input) {
    return functional::prelu(input, weight);
  }
  Tensor weight;
};
TORCH_MODULE(PReLU);

class EmbeddingOptions {
public:
  EmbeddingOptions(int64_t num_embeddings, int64_t embedding_dim)
      : num_embeddings_(num_embeddings), embedding_dim_(embedding_dim) {}
  OPTION(int64_t, num_embeddings, 0)
  OPTION(int64_t, embedding_dim, 0)
  OPTION(functional::MaybeIndex, padding_idx, nullopt)
  OPTION(functional::MaybeDouble, max_norm, nullopt)
  OPTION(double, norm_type, 2)
  OPTION(bool, scale_grad_by_freq, false)
  OPTION(bool, sparse, false)
  OPTION(Tensor, _weight, {})
};
class EmbeddingImpl : public Cloneable<EmbeddingImpl> {
  LAYER(Embedding)
  CHANGES(Embedding)
  Tensor forward(const Tensor &indices);
  Tensor weight;
};
/// With weights that are there.
class Embedding : public ModuleHolder<EmbeddingImpl> {
public:
  using ModuleHolder<EmbeddingImpl>::ModuleHolder;
  using Impl = EmbeddingImpl;
  static Embedding from_pretrained(const Tensor &embeddings,
                                   bool freeze = true);
};
class EmbeddingBagOptions {
public:
  EmbeddingBagOptions(int64_t num_embeddings, int64_t embedding_dim)
      : num_embeddings_(num_embeddings), embedding_dim_(embedding_dim) {}
  OPTION(int64_t, num_embeddings, 0)
  OPTION(int64_t, embedding_dim, 0)
  OPTION(functional::MaybeDouble, max_norm, nullopt)
  OPTION(double, norm_type, 2)
  OPTION(bool, scale_grad_by_freq, false)
  OPTION(Choice, mode, kMean)
  OPTION(bool, sparse, false)
  OPTION(bool, include_last_offset, false)
  OPTION(functional::MaybeIndex, padding_idx, nullopt)
};
class EmbeddingBagImpl : public Cloneable<EmbeddingBagImpl> {
  LAYER(EmbeddingBag)
  CHANGES(EmbeddingBag)
  Tensor forward(const Tensor &input, const Tensor &offsets = {},
                 const Tensor &per_sample_weights = {});
  Tensor weight;
};
TORCH_MODULE(EmbeddingBag);

//===--- convolutions ---------------------------------------------------===//

/// The options of both kinds.
template <size_t D> class ConvOptions {
public:
  ConvOptions(int64_t in_channels, int64_t out_channels,
              ExpandingArray<D> kernel_size)
      : in_channels_(in_channels), out_channels_(out_channels),
        kernel_size_(std::move(kernel_size)) {}
  OPTION(int64_t, in_channels, 0)
  OPTION(int64_t, out_channels, 0)
  OPTION(ExpandingArray<D>, kernel_size, 1)
  OPTION(ExpandingArray<D>, stride, 1)
  OPTION(Padding<D>, padding, 0)
  OPTION(ExpandingArray<D>, dilation, 1)
  OPTION(int64_t, groups, 1)
  OPTION(bool, bias, true)
  OPTION(Choice, padding_mode, kZeros)
  OPTION(ExpandingArray<D>, output_padding, 0) // of transposed ones
};
template <size_t D, class Derived>
class ConvNdImpl : public Cloneable<Derived> {
public:
  explicit ConvNdImpl(ConvOptions<D> options) : options(std::move(options)) {}
  void reset() override;
  void reset_parameters();
  void pretty_print(std::ostream &stream) const override;
  ConvOptions<D> options;
  Tensor weight, bias;
};
#define CONVOLUTION(D)                                                         \
  using Conv##D##dOptions = ConvOptions<D>;                                    \
  using ConvTranspose##D##dOptions = ConvOptions<D>;                           \
  class Conv##D##dImpl : public ConvNdImpl<D, Conv##D##dImpl> {                \
  public:                                                                      \
    explicit Conv##D##dImpl(ConvOptions<D> options);                           \
    Conv##D##dImpl(int64_t input_channels, int64_t output_channels,            \
                   ExpandingArray<D> kernel_size)                              \
        : Conv##D##dImpl(ConvOptions<D>(input_channels, output_channels,       \
                                        std::move(kernel_size))) {}            \
    Tensor forward(const Tensor &input);                                       \
  };                                                                           \
  TORCH_MODULE(Conv##D##d);                                                    \
  class ConvTranspose##D##dImpl                                                \
      : public ConvNdImpl<D, ConvTranspose##D##dImpl> {                        \
  public:                                                                      \
    explicit ConvTranspose##D##dImpl(ConvOptions<D> options);                  \
    ConvTranspose##D##dImpl(int64_t input_channels, int64_t output_channels,   \
                            ExpandingArray<D> kernel_size)                     \
        : ConvTranspose##D##dImpl(ConvOptions<D>(                              \
              input_channels, output_channels, std::move(kernel_size))) {}     \
    Tensor forward(const Tensor &input);                                       \
  };                                                                           \
  TORCH_MODULE(ConvTranspose##D##d);
CONVOLUTION(1)
CONVOLUTION(2)
CONVOLUTION(3)
#undef CONVOLUTION

//===--- normalization --------------------------------------------------===//

using MaybeMomentum = optional<double>;
/// Of batches and of single samples.
template <bool OfSamples> class RunningNormOptions {
public:
  RunningNormOptions(int64_t num_features) : num_features_(num_features) {}
  OPTION(int64_t, num_features, 0)
  OPTION(double, eps, 1e-5)
  OPTION(MaybeMomentum, momentum, 0.1)
  OPTION(bool, affine, !OfSamples)
  OPTION(bool, track_running_stats, !OfSamples)
};
using BatchNormOptions = RunningNormOptions<false>;
using InstanceNormOptions = RunningNormOptions<true>;
template <bool OfSamples, class Derived>
class RunningNormImpl : public Cloneable<Derived> {
public:
  explicit RunningNormImpl(RunningNormOptions<OfSamples> options)
      : options(options) {}
  void reset() override;
  void reset_parameters();
  void reset_running_stats();
  void pretty_print(std::ostream &stream) const override;
  RunningNormOptions<OfSamples> options;
  Tensor weight, bias, running_mean, running_var, num_batches_tracked;
};
#define NORMS(D)                                                               \
  using BatchNorm##D##dOptions = BatchNormOptions;                             \
  using InstanceNorm##D##dOptions = InstanceNormOptions;                       \
  class BatchNorm##D##dImpl                                                    \
      : public RunningNormImpl<false, BatchNorm##D##dImpl> {                   \
  public:                                                                      \
    explicit BatchNorm##D##dImpl(BatchNormOptions options);                    \
    Tensor forward(const Tensor &input);                                       \
  };                                                                           \
  TORCH_MODULE(BatchNorm##D##d);                                               \
  class InstanceNorm##D##dImpl                                                 \
      : public RunningNormImpl<true, InstanceNorm##D##dImpl> {                 \
  public:                                                                      \
    explicit InstanceNorm##D##dImpl(InstanceNormOptions options);              \
    Tensor forward(const Tensor &input);                                       \
  };                                                                           \
  TORCH_MODULE(InstanceNorm##D##d);
NORMS(1)
NORMS(2)
NORMS(3)
#undef NORMS

class LayerNormOptions {
public:
  LayerNormOptions(std::vector<int64_t> normalized_shape)
      : normalized_shape_(std::move(normalized_shape)) {}
  OPTION(std::vector<int64_t>, normalized_shape, {})
  OPTION(double, eps, 1e-5)
  OPTION(bool, elementwise_affine, true)
};
class LayerNormImpl : public Cloneable<LayerNormImpl> {
  LAYER(LayerNorm)
  CHANGES(LayerNorm)
  Tensor forward(const Tensor &input);
  Tensor weight, bias;
};
TORCH_MODULE(LayerNorm);

class GroupNormOptions {
public:
  GroupNormOptions(int64_t num_groups, int64_t num_channels)
      : num_groups_(num_groups), num_channels_(num_channels) {}
  OPTION(int64_t, num_groups, 1)
  OPTION(int64_t, num_channels, 1)
  OPTION(double, eps, 1e-5)
  OPTION(bool, affine, true)
};
class GroupNormImpl : public Cloneable<GroupNormImpl> {
  LAYER(GroupNorm)
  CHANGES(GroupNorm)
  Tensor forward(const Tensor &input);
  Tensor weight, bias;
};
TORCH_MODULE(GroupNorm);

//===--- recurrent networks ---------------------------------------------===//

class RecurrentOptions {
public:
  RecurrentOptions(int64_t input_size, int64_t hidden_size)
      : input_size_(input_size), hidden_size_(hidden_size) {}
  OPTION(int64_t, input_size, 0)
  OPTION(int64_t, hidden_size, 0)
  OPTION(int64_t, num_layers, 1)
  OPTION(bool, bias, true)
  OPTION(bool, batch_first, false)
  OPTION(double, dropout, 0.0)
  OPTION(bool, bidirectional, false)
  OPTION(Choice, nonlinearity, kTanh) // of plain ones
};
using RNNOptions = RecurrentOptions;
using LSTMOptions = RecurrentOptions;
using GRUOptions = RecurrentOptions;
template <class Derived> class RecurrentImpl : public Cloneable<Derived> {
public:
  explicit RecurrentImpl(RecurrentOptions options) : options(options) {}
  void reset() override;
  void reset_parameters();
  void pretty_print(std::ostream &stream) const override;
  void flatten_parameters() {}
  std::vector<Tensor> all_weights() const { return this->parameters(); }
  RecurrentOptions options;

protected:
  /// The given state, or zeros for so many samples.
  Tensor stateFor(const Tensor &Input, const Tensor &Given) const;
  Tensor stateFor(const utils::rnn::PackedSequence &Input,
                  const Tensor &Given) const;
};
using TwoStates = std::tuple<Tensor, Tensor>;
#define RECURRENT(NAME)                                                        \
  class NAME##Impl : public RecurrentImpl<NAME##Impl> {                        \
  public:                                                                      \
    explicit NAME##Impl(RecurrentOptions options);                             \
    NAME##Impl(int64_t input_size, int64_t hidden_size)                        \
        : NAME##Impl(RecurrentOptions(input_size, hidden_size)) {}
RECURRENT(LSTM)
std::tuple<Tensor, TwoStates> forward(const Tensor &input,
                                      optional<TwoStates> hx_opt = {});
std::tuple<utils::rnn::PackedSequence, TwoStates>
forward_with_packed_input(const utils::rnn::PackedSequence &packed_input,
                          optional<TwoStates> hx_opt = {});
};
TORCH_MODULE(LSTM);
RECURRENT(GRU)
std::tuple<Tensor, Tensor> forward(const Tensor &input, Tensor hx = {});
std::tuple<utils::rnn::PackedSequence, Tensor>
forward_with_packed_input(const utils::rnn::PackedSequence &packed_input,
                          Tensor hx = {});
}
;
TORCH_MODULE(GRU);
RECURRENT(RNN)
std::tuple<Tensor, Tensor> forward(const Tensor &input, Tensor hx = {});
std::tuple<utils::rnn::PackedSequence, Tensor>
forward_with_packed_input(const utils::rnn::PackedSequence &packed_input,
                          Tensor hx = {});
}
;
TORCH_MODULE(RNN);
#undef RECURRENT

class RNNCellOptions {
public:
  RNNCellOptions(int64_t input_size, int64_t hidden_size)
      : input_size_(input_size), hidden_size_(hidden_size) {}
  OPTION(int64_t, input_size, 0)
  OPTION(int64_t, hidden_size, 0)
  OPTION(bool, bias, true)
  OPTION(Choice, nonlinearity, kTanh)
};
using LSTMCellOptions = RNNCellOptions;
using GRUCellOptions = RNNCellOptions;
template <class Derived> class CellImpl : public Cloneable<Derived> {
public:
  explicit CellImpl(RNNCellOptions options) : options(options) {}
  void reset() override;
  void reset_parameters();
  void pretty_print(std::ostream &stream) const override;
  RNNCellOptions options;
  Tensor weight_ih, weight_hh, bias_ih, bias_hh;

protected:
  Tensor stateFor(const Tensor &Input, const Tensor &Given) const;
};
#define CELL(NAME, RESULT, STATE)                                              \
  class NAME##Impl : public CellImpl<NAME##Impl> {                             \
  public:                                                                      \
    explicit NAME##Impl(RNNCellOptions options);                               \
    NAME##Impl(int64_t input_size, int64_t hidden_size)                        \
        : NAME##Impl(RNNCellOptions(input_size, hidden_size)) {}               \
    RESULT forward(const Tensor &input, STATE hx = {});                        \
  };                                                                           \
  TORCH_MODULE(NAME);
CELL(LSTMCell, TwoStates, optional<TwoStates>)
CELL(GRUCell, Tensor, const Tensor &)
CELL(RNNCell, Tensor, const Tensor &)
#undef CELL

//===--- attention ------------------------------------------------------===//

class MultiheadAttentionOptions {
public:
  MultiheadAttentionOptions(int64_t embed_dim, int64_t num_heads)
      : embed_dim_(embed_dim), num_heads_(num_heads), kdim_(embed_dim),
        vdim_(embed_dim) {}
  OPTION(int64_t, embed_dim, 0)
  OPTION(int64_t, num_heads, 1)
  OPTION(double, dropout, 0.0)
  OPTION(bool, bias, true)
  OPTION(bool, add_bias_kv, false)
  OPTION(bool, add_zero_attn, false)
  OPTION(int64_t, kdim, 0)
  OPTION(int64_t, vdim, 0)
};
class MultiheadAttentionImpl : public Cloneable<MultiheadAttentionImpl> {
public:
  explicit MultiheadAttentionImpl(MultiheadAttentionOptions options)
      : Cloneable("torch::nn::MultiheadAttention"), options(options) {
    reset();
  }
  MultiheadAttentionImpl(int64_t embed_dim, int64_t num_heads)
      : MultiheadAttentionImpl(
            MultiheadAttentionOptions(embed_dim, num_heads)) {}
  void reset() override;
  void _reset_parameters();
  /// Of [time, batch, numbers]; the result and the weights of the heads.
  std::tuple<Tensor, Tensor>
  forward(const Tensor &query, const Tensor &key, const Tensor &value,
          const Tensor &key_padding_mask = {}, bool need_weights = true,
          const Tensor &attn_mask = {}, bool average_attn_weights = true);
  MultiheadAttentionOptions options;
  /// One for all, or one each where keys or values have another size.
  Tensor in_proj_weight, q_proj_weight, k_proj_weight, v_proj_weight;
  Tensor in_proj_bias, bias_k, bias_v;
  Linear out_proj{nullptr};
};
TORCH_MODULE(MultiheadAttention);

/// kReLU, kGELU or a function.
class Activation {
public:
  Activation(Choice name) : Name(name) {}
  template <class F, class = std::enable_if_t<
                         std::is_invocable_r_v<Tensor, F, const Tensor &>>>
  Activation(F function) : Name(kNone), Function(std::move(function)) {}
  Tensor operator()(const Tensor &X) const;

private:
  Choice Name;
  std::function<Tensor(const Tensor &)> Function;
};
using activation_t = Activation;
#define TRANSFORMER_LAYER(NAME)                                                \
  class NAME##Options {                                                        \
  public:                                                                      \
    NAME##Options(int64_t d_model, int64_t nhead)                              \
        : d_model_(d_model), nhead_(nhead) {}                                  \
    OPTION(int64_t, d_model, 0)                                                \
    OPTION(int64_t, nhead, 1)                                                  \
    OPTION(int64_t, dim_feedforward, 2048)                                     \
    OPTION(double, dropout, 0.1)                                               \
    OPTION(Activation, activation, kReLU)                                      \
  };
TRANSFORMER_LAYER(TransformerEncoderLayer)
TRANSFORMER_LAYER(TransformerDecoderLayer)
#undef TRANSFORMER_LAYER
class TransformerEncoderLayerImpl
    : public Cloneable<TransformerEncoderLayerImpl> {
  LAYER(TransformerEncoderLayer)
  void reset() override;
  void reset_parameters();
  Tensor forward(const Tensor &src, const Tensor &src_mask = {},
                 const Tensor &src_key_padding_mask = {});
  MultiheadAttention self_attn{nullptr};
  Linear linear1{nullptr}, linear2{nullptr};
  Dropout dropout{nullptr}, dropout1{nullptr}, dropout2{nullptr};
  LayerNorm norm1{nullptr}, norm2{nullptr};
};
TORCH_MODULE(TransformerEncoderLayer);
class TransformerDecoderLayerImpl
    : public Cloneable<TransformerDecoderLayerImpl> {
  LAYER(TransformerDecoderLayer)
  void reset() override;
  void reset_parameters();
  /// \p memory is what an encoder gave.
  Tensor forward(Tensor tgt, const Tensor &memory, const Tensor &tgt_mask = {},
                 const Tensor &memory_mask = {},
                 const Tensor &tgt_key_padding_mask = {},
                 const Tensor &memory_key_padding_mask = {});
  MultiheadAttention self_attn{nullptr}, multihead_attn{nullptr};
  Linear linear1{nullptr}, linear2{nullptr};
  LayerNorm norm1{nullptr}, norm2{nullptr}, norm3{nullptr};
  Dropout dropout{nullptr}, dropout1{nullptr}, dropout2{nullptr},
      dropout3{nullptr};
};
TORCH_MODULE(TransformerDecoderLayer);
/// So many copies of a layer.
#define TRANSFORMER_LAYERS(NAME, MEMBER)                                       \
  class NAME##Options {                                                        \
  public:                                                                      \
    NAME##Options(NAME##Layer layer, int64_t num_layers)                       \
        : MEMBER##_(std::move(layer)), num_layers_(num_layers) {}              \
    NAME##Options(const NAME##LayerOptions &layer_options, int64_t num_layers) \
        : NAME##Options(NAME##Layer(layer_options), num_layers) {}             \
    OPTION(NAME##Layer, MEMBER, nullptr)                                       \
    OPTION(int64_t, num_layers, 1)                                             \
    OPTION(AnyModule, norm, {})                                                \
  };
TRANSFORMER_LAYERS(TransformerEncoder, encoder_layer)
TRANSFORMER_LAYERS(TransformerDecoder, decoder_layer)
#undef TRANSFORMER_LAYERS
class TransformerEncoderImpl : public Cloneable<TransformerEncoderImpl> {
  LAYER(TransformerEncoder)
  void reset() override;
  Tensor forward(const Tensor &src, const Tensor &src_mask = {},
                 const Tensor &src_key_padding_mask = {});
  ModuleList layers{nullptr};
  AnyModule norm;
};
TORCH_MODULE(TransformerEncoder);
class TransformerDecoderImpl : public Cloneable<TransformerDecoderImpl> {
  LAYER(TransformerDecoder)
  void reset() override;
  Tensor forward(const Tensor &tgt, const Tensor &memory,
                 const Tensor &tgt_mask = {}, const Tensor &memory_mask = {},
                 const Tensor &tgt_key_padding_mask = {},
                 const Tensor &memory_key_padding_mask = {});
  ModuleList layers{nullptr};
  AnyModule norm;
};
TORCH_MODULE(TransformerDecoder);

class TransformerOptions {
public:
  TransformerOptions() = default;
  TransformerOptions(int64_t d_model, int64_t nhead)
      : d_model_(d_model), nhead_(nhead) {}
  TransformerOptions(int64_t d_model, int64_t nhead, int64_t num_encoder_layers,
                     int64_t num_decoder_layers)
      : d_model_(d_model), nhead_(nhead),
        num_encoder_layers_(num_encoder_layers),
        num_decoder_layers_(num_decoder_layers) {}
  OPTION(int64_t, d_model, 512)
  OPTION(int64_t, nhead, 8)
  OPTION(int64_t, num_encoder_layers, 6)
  OPTION(int64_t, num_decoder_layers, 6)
  OPTION(int64_t, dim_feedforward, 2048)
  OPTION(double, dropout, 0.1)
  OPTION(Activation, activation, kReLU)
  OPTION(AnyModule, custom_encoder, {})
  OPTION(AnyModule, custom_decoder, {})
};
class TransformerImpl : public Cloneable<TransformerImpl> {
  LAYER(Transformer)
  void reset() override;
  void reset_parameters();
  /// [time, samples, numbers] to what follows \p tgt.
  Tensor forward(const Tensor &src, const Tensor &tgt,
                 const Tensor &src_mask = {}, const Tensor &tgt_mask = {},
                 const Tensor &memory_mask = {},
                 const Tensor &src_key_padding_mask = {},
                 const Tensor &tgt_key_padding_mask = {},
                 const Tensor &memory_key_padding_mask = {});
  /// -inf for what comes later.
  static Tensor generate_square_subsequent_mask(int64_t sz);
  AnyModule encoder, decoder;
};
TORCH_MODULE(Transformer);

namespace utils {
/// All elements in one vector, and back.
inline Tensor parameters_to_vector(const std::vector<Tensor> &parameters) {
  std::vector<Tensor> Flat;
  for (const Tensor &P : parameters)
    Flat.push_back(P.view(-1));
  return cat(Flat);
}
inline void vector_to_parameters(const Tensor &vec,
                                 const std::vector<Tensor> &parameters) {
  int64_t At = 0;
  for (const Tensor &P : parameters) {
    P.set_data(vec.slice(0, At, At + P.numel()).view_as(P));
    At += P.numel();
  }
}
} // namespace utils
#undef CHANGES
#undef LAYER
#undef OPTION
#undef UNPACK

} // namespace tensortidy::nn

#endif
