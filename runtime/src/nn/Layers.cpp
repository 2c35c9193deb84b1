//===- Layers.cpp - functions that other functions make up ----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernels/Elementwise.h"
#include "tensortidy/init.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace tensortidy {

using detail::fail;
using detail::impl;

static Tensor reducedLoss(const Tensor &Loss, int64_t Reduction, Site Here) {
  return Reduction == Reduction::Mean  ? Loss.mean(nullopt, Here)
         : Reduction == Reduction::Sum ? Loss.sum(nullopt, Here)
                                       : Loss;
}
Tensor multi_margin_loss(const Tensor &self, const Tensor &target,
                         const Scalar &p, const Scalar &margin,
                         const optional<Tensor> &weight, int64_t reduction,
                         Site Here) {
  const char *Op = "multi_margin_loss";
  const size_t Rank = impl(self, Op, Here).L.rank();
  detail::requireFloating(self, Op, Here);
  if (p.toLong() != 1 && p.toLong() != 2)
    fail("multi_margin_loss: only p == 1 and p == 2 are supported", self, Here);
  if (Rank > 2 || impl(target, Op, Here).Type != kLong ||
      target.numel() != (Rank == 2 ? self.size(0) : 1))
    fail("multi_margin_loss: a class for each row is needed", self, Here);
  const Tensor X = Rank == 2 ? self : self.view({1, -1}, Here),
               Y = target.view({-1, 1}, Here);
  const Tensor Outside = Y.lt(0, Here).logical_or(Y.ge(X.size(1), Here), Here);
  if (Outside.numel() && Outside.any(Here).item<bool>(Here))
    fail("multi_margin_loss: a target is out of range", self, Here);
  Tensor Loss =
      X.sub(X.gather(1, Y, false, Here), 1, Here).add_(margin, 1, Here);
  Loss.masked_fill_(Loss.gt(0, Here).logical_not_(Here), Scalar(0), Here);
  if (p.toLong() == 2)
    Loss.square_(Here);
  if (weight && weight->defined())
    Loss.mul_(
        weight->index_select(0, Y.view({-1}, Here), Here).unsqueeze(1, Here),
        Here);
  Loss.scatter_(1, Y, Scalar(0), Here);
  Loss = Loss.sum(1, false, nullopt, Here).div_(X.size(1), Here);
  return reducedLoss(Rank == 2 ? Loss : Loss.view(IntArrayRef(), Here),
                     reduction, Here);
}
Tensor multilabel_margin_loss(const Tensor &self, const Tensor &target,
                              int64_t reduction, Site Here) {
  const char *Op = "multilabel_margin_loss";
  const size_t Rank = impl(self, Op, Here).L.rank();
  if (Rank > 2 || impl(target, Op, Here).Type != kLong ||
      self.sizes() != target.sizes())
    fail("multilabel_margin_loss: targets in the sizes of the input are needed",
         self, Here);
  const Tensor X = self.view({Rank == 2 ? self.size(0) : 1, -1}, Here);
  const Tensor Y = target.view(X.sizes(), Here);
  // What follows the first -1 does not count.
  const Tensor Counts = Y.ge(0, Here).cumprod(1, nullopt, Here).to(kBool);
  const Tensor IsTarget = zeros({X.size(0), X.size(1)}, self.options(), Here)
                              .scatter_add_(1, Y.clamp_min(0, Here),
                                            Counts.to(self.scalar_type()), Here)
                              .gt(0, Here);
  const Tensor Margins = X.unsqueeze(1, Here)
                             .sub(X.unsqueeze(2, Here), 1, Here)
                             .add_(1, 1, Here); // [n, right, other]
  Margins.masked_fill_(Margins.gt(0, Here).logical_not_(Here), Scalar(0), Here);
  const Tensor Wanted = Counts.unsqueeze(2, Here).mul(
      IsTarget.logical_not(Here).unsqueeze(1, Here), Here);
  const Tensor Rows = Margins.gather(
      1, Y.clamp_min(0, Here).unsqueeze(2, Here).expand_as(Margins, Here),
      false, Here);
  const Tensor Loss = Rows.mul(Wanted, Here)
                          .sum(IntArrayRef({1, 2}), false, nullopt, Here)
                          .div_(X.size(1), Here);
  return reducedLoss(Rank == 2 ? Loss : Loss.view(IntArrayRef(), Here),
                     reduction, Here);
}
Tensor max_unpool2d(const Tensor &self, const Tensor &indices,
                    IntArrayRef output_size, Site Here) {
  const size_t Rank = impl(self, "max_unpool2d", Here).L.rank();
  if ((Rank != 3 && Rank != 4) || output_size.size() != 2 ||
      self.sizes() != indices.sizes())
    fail("max_unpool2d: 3 or 4 dimensions and as many indices are needed", self,
         Here);
  detail::requireFloating(self, "max_unpool2d", Here);
  std::vector<int64_t> Flat(self.sizes().begin(), self.sizes().end() - 2);
  Flat.push_back(output_size[0] * output_size[1]);
  const Tensor R = zeros(Flat, self.options(), Here)
                       .scatter_(-1, indices.flatten(-2, -1, Here),
                                 self.flatten(-2, -1, Here), Here);
  Flat.back() = output_size[0];
  Flat.push_back(output_size[1]);
  return empty(Flat, self.options(),
               Rank == 4 ? self.suggest_memory_format()
                         : MemoryFormat::Contiguous,
               Here)
      .copy_(R.view(Flat, Here), false, Here);
}

//===--- attention ------------------------------------------------------===//

Tensor scaled_dot_product_attention(const Tensor &query, const Tensor &key,
                                    const Tensor &value,
                                    const optional<Tensor> &attn_mask,
                                    double dropout_p, bool is_causal,
                                    optional<double> scale, bool enable_gqa,
                                    Site Here) {
  const char *Op = "scaled_dot_product_attention";
  auto Fail = [&](const char *Why, const Tensor &X) {
    fail(std::string(Op) + ": " + Why, X, Here);
  };
  for (const Tensor *X : {&query, &key, &value}) {
    if (impl(*X, Op, Here).L.rank() < 2)
      Fail("expected at least 2 dimensions", *X);
    if (X->scalar_type() != query.scalar_type())
      Fail("query, key and value must have one type", *X);
  }
  detail::requireFloating(query, Op, Here);
  const bool IsMasked = attn_mask && attn_mask->defined();
  if (IsMasked && is_causal)
    Fail("a mask and is_causal exclude each other", *attn_mask);
  Tensor K = key, V = value;
  if (enable_gqa) {
    if (query.dim() < 3 || key.dim() < 3 || value.dim() < 3)
      Fail("enable_gqa expects at least 3 dimensions", query);
    auto Shared = [&](const Tensor &X) {
      const int64_t Heads = X.size(-3);
      if (Heads == 0 || query.size(-3) % Heads != 0)
        Fail("the heads of query are no multiple of these", X);
      return X.repeat_interleave(query.size(-3) / Heads, -3, Here);
    };
    K = Shared(key);
    V = Shared(value);
  }
  const double Factor = scale.value_or(
      1 / std::sqrt(static_cast<double>(std::max<int64_t>(query.size(-1), 1))));
  Tensor Weights =
      query.mul(Factor, Here).matmul(K.transpose(-2, -1, Here), Here);
  auto Keep = [&](const Tensor &Seen) {
    Weights.masked_fill_(Seen.logical_not(Here),
                         -std::numeric_limits<double>::infinity(), Here);
  };
  if (is_causal)
    Keep(ones({query.size(-2), K.size(-2)}, kBool, Here).tril(0, Here));
  else if (IsMasked && attn_mask->scalar_type() == kBool)
    Keep(*attn_mask);
  else if (IsMasked)
    Weights.add_(*attn_mask, 1, Here);
  // Who sees nobody has no weights, which softmax() makes NaNs of.
  const Tensor Blind =
      Weights.eq(-std::numeric_limits<double>::infinity(), Here)
          .all(-1, true, Here);
  Weights = Weights.softmax(-1, nullopt, Here).masked_fill_(Blind, 0, Here);
  return dropout(Weights, dropout_p, true, Here).matmul(V, Here);
}

namespace nn::functional {

/// The sum of powers, from their average, and its root.
static Tensor fromPowers(const Tensor &Average, double Norm, int64_t Window,
                         Site Here) {
  return Average.sign(Here)
      .mul(Average.abs(Here).relu(Here), Here)
      .mul(Window, Here)
      .pow(1 / Norm, Here);
}
Tensor lp_pool1d(const Tensor &x, const LPPool1dFuncOptions &o, Site Here) {
  return fromPowers(tensortidy::avg_pool1d(x.pow(o.norm_type(), Here),
                                           o.kernel_size(), o.stride(), 0,
                                           o.ceil_mode(), true, Here),
                    o.norm_type(), o.kernel_size()[0], Here);
}
Tensor lp_pool2d(const Tensor &x, const LPPool2dFuncOptions &o, Site Here) {
  return fromPowers(
      tensortidy::avg_pool2d(x.pow(o.norm_type(), Here), o.kernel_size(),
                             o.stride(), 0, o.ceil_mode(), true, nullopt, Here),
      o.norm_type(), o.kernel_size()[0] * o.kernel_size()[1], Here);
}
template <class Options>
static std::vector<int64_t> unpooledSizes(const Tensor &X, const Options &O) {
  const size_t Dims = O.kernel_size().size();
  std::vector<int64_t> R;
  if (O.output_size())
    R.assign(O.output_size()->end() - static_cast<std::ptrdiff_t>(std::min(
                                          Dims, O.output_size()->size())),
             O.output_size()->end());
  else
    for (size_t D = 0; D < Dims; ++D)
      R.push_back(
          (X.size(static_cast<int64_t>(D) - static_cast<int64_t>(Dims)) - 1) *
              O.stride()[D] +
          O.kernel_size()[D] - 2 * O.padding()[D]);
  return R;
}
Tensor max_unpool1d(const Tensor &x, const Tensor &indices,
                    const MaxUnpool1dFuncOptions &o, Site Here) {
  return tensortidy::max_unpool2d(x.unsqueeze(-1, Here),
                                  indices.unsqueeze(-1, Here),
                                  {unpooledSizes(x, o)[0], 1}, Here)
      .squeeze(-1, Here);
}
Tensor max_unpool2d(const Tensor &x, const Tensor &indices,
                    const MaxUnpool2dFuncOptions &o, Site Here) {
  return tensortidy::max_unpool2d(x, indices, unpooledSizes(x, o), Here);
}
Tensor multilabel_soft_margin_loss(const Tensor &input, const Tensor &target,
                                   const MultilabelSoftMarginLossFuncOptions &o,
                                   Site Here) {
  Tensor Loss =
      target.mul(tensortidy::log_sigmoid(input, Here), Here)
          .add(target.neg(Here)
                   .add(1, 1, Here)
                   .mul(tensortidy::log_sigmoid(input.neg(Here), Here), Here),
               1, Here)
          .neg(Here);
  if (o.weight().defined())
    Loss = Loss.mul(o.weight(), Here);
  Loss = Loss.sum(-1, false, nullopt, Here).div(input.size(-1), Here);
  return reducedLoss(Loss, howReduced(o.reduction()), Here);
}
Tensor triplet_margin_with_distance_loss(
    const Tensor &anchor, const Tensor &positive, const Tensor &negative,
    const TripletMarginWithDistanceLossFuncOptions &o, Site Here) {
  auto Between = [&](const Tensor &A, const Tensor &B) {
    return o.distance_function()
               ? (*o.distance_function())(A, B)
               : tensortidy::pairwise_distance(A, B, 2, 1e-6, false, Here);
  };
  const Tensor Near = Between(anchor, positive);
  Tensor Far = Between(anchor, negative);
  if (o.swap())
    Far = Far.minimum(Between(positive, negative), Here);
  return reducedLoss(
      Near.sub(Far, 1, Here).add(o.margin(), 1, Here).clamp_min(0, Here),
      howReduced(o.reduction()), Here);
}

/// Rows of \p Weight that \p Used names and that are too long become shorter.
static void renormalize(const Tensor &Weight, const Tensor &Used,
                        const MaybeDouble &Most, double Norm, Site Here) {
  if (!Most)
    return;
  const Tensor Rows = std::get<0>(
      tensortidy::_unique2(Used.contiguous(MemoryFormat::Contiguous, Here),
                           true, false, false, Here));
  for (int64_t K = 0; K < Rows.numel(); ++K) {
    const Tensor Row = Weight.select(0, Rows[K].item<int64_t>(), Here);
    const double Length = Row.norm(Norm, Here).item().toDouble();
    if (Length > *Most)
      Row.mul_(*Most / (Length + 1e-7), Here);
  }
}
Tensor embedding(const Tensor &input, const Tensor &weight,
                 const EmbeddingFuncOptions &o, Site Here) {
  renormalize(weight, input, o.max_norm(), o.norm_type(), Here);
  return tensortidy::embedding(weight, input, Here);
}
Tensor embedding_bag(const Tensor &input, const Tensor &weight,
                     const EmbeddingBagFuncOptions &o, Site Here) {
  const char *Op = "embedding_bag";
  const size_t Rank = impl(input, Op, Here).L.rank();
  if (Rank != 1 && Rank != 2)
    fail("embedding_bag: the input needs 1 or 2 dimensions", input, Here);
  if ((Rank == 1) != o.offsets().defined())
    fail("embedding_bag: offsets are for an input of 1 dimension", input, Here);
  if (o.per_sample_weights().defined() && o.mode() != kSum)
    fail("embedding_bag: weights of samples are for sums", input, Here);
  renormalize(weight, input, o.max_norm(), o.norm_type(), Here);
  std::vector<int64_t> Starts;
  if (Rank == 2)
    for (int64_t K = 0; K <= input.size(0); ++K)
      Starts.push_back(K * input.size(1));
  else
    for (int64_t K = 0; K < o.offsets().numel(); ++K)
      Starts.push_back(o.offsets()[K].item().toLong());
  if (Rank == 1 && !o.include_last_offset())
    Starts.push_back(input.numel());
  const Tensor Flat = input.reshape({-1}, Here);
  std::vector<Tensor> Bags;
  for (size_t K = 0; K + 1 < Starts.size(); ++K) {
    Tensor In = Flat.slice(0, Starts[K], Starts[K + 1], 1, Here);
    Tensor Of;
    if (o.per_sample_weights().defined())
      Of = o.per_sample_weights()
               .reshape({-1}, Here)
               .slice(0, Starts[K], Starts[K + 1], 1, Here);
    if (o.padding_idx()) {
      const Tensor Counts = In.ne(*o.padding_idx(), Here);
      In = In.masked_select(Counts, Here);
      if (Of.defined())
        Of = Of.masked_select(Counts, Here);
    }
    Tensor Rows = tensortidy::embedding(weight, In, Here);
    if (Of.defined())
      Rows = Rows.mul(Of.unsqueeze(1, Here), Here);
    if (In.numel() == 0)
      Bags.push_back(zeros({weight.size(1)}, weight.options(), Here));
    else if (o.mode() == kMax)
      Bags.push_back(Rows.amax(0, false, Here));
    else
      Bags.push_back(o.mode() == kSum ? Rows.sum(0, false, nullopt, Here)
                                      : Rows.mean(0, false, nullopt, Here));
  }
  return Bags.empty() ? zeros({0, weight.size(1)}, weight.options(), Here)
                      : stack(Bags, 0, Here);
}
Tensor local_response_norm(const Tensor &x,
                           const LocalResponseNormFuncOptions &o, Site Here) {
  if (impl(x, "local_response_norm", Here).L.rank() < 3)
    fail("local_response_norm expects 3 or more dimensions", x, Here);
  // Over neighbouring channels, as planes of a volume.
  const Tensor Squares =
      x.mul(x, Here).view({x.size(0), 1, x.size(1), x.size(2), -1}, Here);
  const Tensor Near =
      tensortidy::avg_pool3d(
          constant_pad_nd(
              Squares, {0, 0, 0, 0, o.size() / 2, (o.size() - 1) / 2}, 0, Here),
          {o.size(), 1, 1}, 1, 0, false, true, nullopt, Here)
          .view(x.sizes(), Here);
  return x.div(
      Near.mul(o.alpha(), Here).add(o.k(), 1, Here).pow(o.beta(), Here), Here);
}
Tensor gumbel_softmax(const Tensor &logits, const GumbelSoftmaxFuncOptions &o,
                      Site Here) {
  const Tensor Noise = empty_like(logits, {}, nullopt, Here)
                           .exponential_(1, Here)
                           .log(Here)
                           .neg(Here);
  const Tensor Soft = logits.add(Noise, 1, Here)
                          .div(o.tau(), Here)
                          .softmax(o.dim(), nullopt, Here);
  if (!o.hard())
    return Soft;
  const Tensor Hard =
      zeros_like(logits, {}, nullopt, Here)
          .scatter_(o.dim(), std::get<1>(Soft.max(o.dim(), true, Here)),
                    Scalar(1.0), Here);
  return Hard.sub(Soft, 1, Here).add(Soft, 1, Here);
}
Tensor rrelu(const Tensor &x, const RReLUFuncOptions &o, Site Here) {
  if (o.training())
    throw NotImplementedError("rrelu: slopes are not drawn by this library");
  return placed(x, tensortidy::leaky_relu(x, (o.lower() + o.upper()) / 2, Here),
                o, Here);
}
static Tensor dropChannels(const Tensor &X, const DropoutFuncOptions &O,
                           Site Here) {
  if (!O.training() || O.p() == 0 || X.numel() == 0)
    return X;
  std::vector<int64_t> Sizes(X.sizes().size(), 1);
  for (size_t D = 0; D < 2 && D < Sizes.size(); ++D)
    Sizes[D] = X.sizes()[D];
  const Tensor Kept = empty(Sizes, X.options(), nullopt, Here);
  if (O.p() == 1)
    Kept.zero_(Here);
  else
    Kept.bernoulli_(1 - O.p(), Here).div_(1 - O.p(), Here);
  return placed(X, X.mul(Kept, Here), O, Here);
}
Tensor dropout2d(const Tensor &x, const DropoutFuncOptions &o, Site Here) {
  return dropChannels(x, o, Here);
}
Tensor dropout3d(const Tensor &x, const DropoutFuncOptions &o, Site Here) {
  return dropChannels(x, o, Here);
}

} // namespace nn::functional

namespace nn::init {

Tensor orthogonal_(Tensor tensor, double gain, Site Here) {
  if (impl(tensor, "orthogonal_", Here).L.rank() < 2)
    fail("orthogonal_ expects 2 or more dimensions", tensor, Here);
  const int64_t Rows = tensor.size(0), Columns = tensor.numel() / Rows;
  Tensor Normal = randn({Rows, Columns}, tensor.options(), Here);
  if (Rows < Columns)
    Normal = Normal.t(Here);
  const auto [Q, R] = linalg_qr(Normal, "reduced", Here);
  const Tensor Signed = Q.mul(R.diag(0, Here).sign(Here), Here);
  tensor.copy_(
      (Rows < Columns ? Signed.t(Here) : Signed).reshape(tensor.sizes(), Here),
      false, Here);
  return tensor.mul_(gain, Here);
}
Tensor sparse_(Tensor tensor, double sparsity, double std, Site Here) {
  if (impl(tensor, "sparse_", Here).L.rank() != 2)
    fail("sparse_ expects a matrix", tensor, Here);
  const int64_t Rows = tensor.size(0);
  const auto Zeros =
      static_cast<int64_t>(std::ceil(sparsity * static_cast<double>(Rows)));
  tensor.normal_(0, std, Here);
  for (int64_t C = 0; C < tensor.size(1); ++C)
    tensor.select(1, C, Here)
        .index_fill_(0,
                     randperm(Rows, TensorOptions(kLong), Here)
                         .slice(0, 0, Zeros, 1, Here),
                     Scalar(0), Here);
  return tensor;
}
Tensor dirac_(Tensor tensor, Site Here) {
  const size_t Rank = impl(tensor, "dirac_", Here).L.rank();
  if (Rank < 3 || Rank > 5)
    fail("dirac_ expects 3, 4 or 5 dimensions", tensor, Here);
  tensor.zero_(Here);
  for (int64_t D = 0; D < std::min(tensor.size(0), tensor.size(1)); ++D) {
    Tensor At = tensor[D][D];
    while (At.dim())
      At = At.select(0, At.size(0) / 2, Here);
    At.fill_(1, Here);
  }
  return tensor;
}

} // namespace nn::init
} // namespace tensortidy
