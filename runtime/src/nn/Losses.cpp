//===- Losses.cpp - losses and distances ----------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Composed of the tensor's operations as libtorch composes them, which decides
// the layout of losses that are not reduced.
//
//===----------------------------------------------------------------------===//

#include "core/Release.h"
#include "kernels/Elementwise.h"
#include "kernels/Math.h"
#include "tensortidy/functional.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace tensortidy {

using detail::impl;

static Tensor reduced(const Tensor &Loss, int64_t How, Site Here) {
  if (How == Reduction::Mean)
    return Loss.mean(nullopt, Here);
  return How == Reduction::Sum ? Loss.sum(nullopt, Here) : Loss;
}
/// The reduced loss in the memory of the losses, where libtorch has it.
static Tensor reducedInto(const Tensor &Loss, int64_t How, Site Here) {
  if (How == Reduction::None)
    return Loss;
  const Tensor R = reduced(Loss, How, Here);
  Loss.resize_(IntArrayRef(), nullopt, Here).copy_(R, false, Here);
  return Loss;
}
/// Both in the type they are computed in.
static std::pair<Tensor, Tensor> promoted(const Tensor &A, const Tensor &B,
                                          const char *Op, Site Here) {
  impl(A, Op, Here);
  impl(B, Op, Here);
  const detail::Operand X(A), Y(B);
  const ScalarType Type = detail::resultType({&X, &Y});
  return {detail::castTo(A, Type, Here), detail::castTo(B, Type, Here)};
}
static bool given(const optional<Tensor> &X) { return X && X->defined(); }
/// number - X, as libtorch's operator makes it.
static Tensor from(const Scalar &Number, const Tensor &X, Site Here) {
  return empty_like(X, {}, nullopt, Here).fill_(Number, Here).sub_(X, 1, Here);
}

//===--- of two tensors of one shape ------------------------------------===//

Tensor mse_loss(const Tensor &self, const Tensor &target, int64_t reduction,
                Site Here) {
  const auto [A, B] = promoted(self, target, "mse_loss", Here);
  detail::requireFloating(A, "mse_loss", Here);
  if (impl(A).Type == kHalf || impl(A).Type == kBFloat16) // rounded twice
    return reducedInto(A.sub(B, 1, Here).square_(Here), reduction, Here);
  const Tensor Squares = detail::binary<detail::Kind::Float>(
      detail::Operand(A), detail::Operand(B), "mse_loss", Here,
      [](auto X, auto Y) { return (X - Y) * (X - Y); });
  return reducedInto(Squares, reduction, Here);
}
Tensor mse_loss(const Tensor &self, const Tensor &target, Site Here) {
  return mse_loss(self, target, Reduction::Mean, Here);
}
Tensor l1_loss(const Tensor &self, const Tensor &target, int64_t reduction,
               Site Here) {
  impl(self, "l1_loss", Here);
  return reduced(self.sub(target, 1, Here).abs(Here), reduction, Here);
}
Tensor smooth_l1_loss(const Tensor &self, const Tensor &target,
                      int64_t reduction, double beta, Site Here) {
  const char *Op = "smooth_l1_loss";
  if (beta < 0)
    detail::fail("smooth_l1_loss: beta " + std::to_string(beta) +
                     " is negative",
                 self, Here);
  const auto [A, B] = promoted(self, target, Op, Here);
  detail::requireFloating(A, Op, Here);
  const Tensor Loss = detail::binary<detail::Kind::Float>(
      detail::Operand(A), detail::Operand(B), Op, Here, [=](auto X, auto Y) {
        using T = decltype(X);
        const T Z = std::abs(X - Y), Beta = static_cast<T>(beta);
        return Z < Beta ? T(0.5) * Z * Z / Beta : Z - T(0.5) * Beta;
      });
  return reducedInto(Loss, reduction, Here);
}
Tensor huber_loss(const Tensor &self, const Tensor &target, int64_t reduction,
                  double delta, Site Here) {
  const char *Op = "huber_loss";
  if (delta <= 0)
    detail::fail("huber_loss: delta " + std::to_string(delta) +
                     " is not positive",
                 self, Here);
  detail::requireFloating(self, Op, Here);
  const auto [A, B] = promoted(self, target, Op, Here);
  const detail::Dims Sizes = detail::broadcast(A, B, Op, Here);
  const bool Same = Sizes == impl(self).L.Sizes;
  const Tensor Made = Same ? empty_like(self, {}, nullopt, Here) : Tensor();
  const Tensor Loss = detail::binary<detail::Kind::Float>(
      detail::Operand(A), detail::Operand(B), Op, Here,
      [=](auto X, auto Y) {
        using T = decltype(X);
        const T Z = std::abs(X - Y), Delta = static_cast<T>(delta);
        return Z <= Delta ? T(0.5) * Z * Z : Delta * (Z - T(0.5) * Delta);
      },
      Same ? &Made : nullptr);
  return reduced(Loss, reduction, Here);
}
static void requireSameSizes(const Tensor &X, const Tensor &Y, const char *Op,
                             Site Here) {
  if (impl(X, Op, Here).L.Sizes != impl(Y, Op, Here).L.Sizes)
    detail::fail(std::string(Op) + ": a target of sizes " +
                     detail::text(Y.sizes()) + " does not fit",
                 X, Here);
}
namespace {
/// -(Y log(X) + (1 - Y) log(1 - X)), of which no logarithm is below -100.
struct CrossEntropy {
  template <class T> T operator()(T X, T Y) const {
    return (Y - T(1)) * std::max(std::log1p(-X), T(-100)) -
           Y * std::max(std::log(X), T(-100));
  }
  static void row(const float *X, const float *Y, float *Out, int64_t N) {
    rows(X, Y, Out, N);
  }
  static void row(const double *X, const double *Y, double *Out, int64_t N) {
    rows(X, Y, Out, N);
  }

private:
  template <class T>
  static void rows(const T *X, const T *Y, T *Out, int64_t N) {
    constexpr int64_t Block = 128;
    T Log[Block], Other[Block];
    for (; N > 0; N -= Block, X += Block, Y += Block, Out += Block) {
      const int64_t Now = std::min(N, Block);
      for (int64_t K = 0; K < Now; ++K)
        Other[K] = -X[K];
      detail::Log::row(X, Log, Now);
      detail::Log1p::row(Other, Other, Now);
      TENSORTIDY_INDEPENDENT
      for (int64_t K = 0; K < Now; ++K)
        Out[K] = (Y[K] - T(1)) * std::max(Other[K], T(-100)) -
                 Y[K] * std::max(Log[K], T(-100));
    }
  }
};
} // namespace
Tensor binary_cross_entropy(const Tensor &self, const Tensor &target,
                            const optional<Tensor> &weight, int64_t reduction,
                            Site Here) {
  const char *Op = "binary_cross_entropy";
  requireSameSizes(self, target, Op, Here);
  detail::requireFloating(self, Op, Here);
  if (impl(target).Type != impl(self).Type)
    detail::fail(std::string(Op) + ": tensors of types " +
                     toString(impl(self).Type) + " and " +
                     toString(impl(target).Type),
                 target, Here);
  const Tensor Loss = empty_like(self, {}, nullopt, Here);
  auto requireShares = [&](const Tensor &X, const char *Which) {
    if (X.numel() != 0 &&
        !(X.min(Here).item<double>() >= 0 && X.max(Here).item<double>() <= 1))
      detail::fail(std::string(Op) + ": all elements of the " + Which +
                       " must be between 0 and 1",
                   X, Here);
  };
  requireShares(self, "input");
  if (detail::has(detail::Change::CrossEntropyChecksTarget))
    requireShares(target, "target");
  detail::binary<detail::Kind::Float>(detail::Operand(self),
                                      detail::Operand(target), Op, Here,
                                      CrossEntropy(), &Loss);
  if (given(weight))
    Loss.mul_(*weight, Here);
  return reducedInto(Loss, reduction, Here);
}
Tensor binary_cross_entropy_with_logits(const Tensor &self,
                                        const Tensor &target,
                                        const optional<Tensor> &weight,
                                        const optional<Tensor> &pos_weight,
                                        int64_t reduction, Site Here) {
  impl(self, "binary_cross_entropy_with_logits", Here);
  impl(target, "binary_cross_entropy_with_logits", Here);
  const Tensor Most = self.neg(Here).clamp_min_(0, Here);
  const Tensor Log =
      Most.neg(Here)
          .exp_(Here)
          .add_(self.neg(Here).sub(Most, 1, Here).exp_(Here), 1, Here)
          .log_(Here);
  const Tensor Loss = from(1, target, Here).mul_(self, Here);
  if (given(pos_weight))
    Loss.add_(pos_weight->sub(1, 1, Here)
                  .mul(target, Here)
                  .add_(1, 1, Here)
                  .mul_(Log.add_(Most, 1, Here), Here),
              1, Here);
  else
    Loss.add_(Most, 1, Here).add_(Log, 1, Here);
  if (given(weight))
    Loss.mul_(*weight, Here);
  return reduced(Loss, reduction, Here);
}
Tensor kl_div(const Tensor &self, const Tensor &target, int64_t reduction,
              bool log_target, Site Here) {
  detail::requireFloating(self, "kl_div", Here);
  detail::requireFloating(target, "kl_div", Here);
  return reduced(
      log_target
          ? target.exp(Here).mul(target.sub(self, 1, Here), Here)
          : xlogy(target, target, Here).sub(target.mul(self, Here), 1, Here),
      reduction, Here);
}

Tensor soft_margin_loss(const Tensor &self, const Tensor &target,
                        int64_t reduction, Site Here) {
  impl(self, "soft_margin_loss", Here);
  // Written into a tensor made for it, which is packed where there is nothing.
  Tensor Inner = self.numel()
                     ? self.neg(Here)
                     : empty(self.sizes(), self.options(), nullopt, Here);
  Inner.mul_(target, Here).exp_(Here).log1p_(Here);
  return reducedInto(Inner, reduction, Here);
}
Tensor poisson_nll_loss(const Tensor &input, const Tensor &target,
                        bool log_input, bool full, double eps,
                        int64_t reduction, Site Here) {
  impl(input, "poisson_nll_loss", Here);
  Tensor Loss =
      log_input ? input.exp(Here).sub(target.mul(input, Here), 1, Here)
                : input.sub(target.mul(input.add(eps, 1, Here).log(Here), Here),
                            1, Here);
  if (full) {
    const Tensor More = target.mul(target.log(Here), Here)
                            .sub(target, 1, Here)
                            .add(target.mul(2 * 3.14159265358979323846, Here)
                                     .log(Here)
                                     .mul(0.5, Here),
                                 1, Here);
    Loss.add_(More.masked_fill(target.le(1, Here), 0, Here), 1, Here);
  }
  return reduced(Loss, reduction, Here);
}

//===--- of classes -----------------------------------------------------===//

Tensor nll_loss_nd(const Tensor &self, const Tensor &target,
                   const optional<Tensor> &weight, int64_t reduction,
                   int64_t ignore_index, Site Here) {
  const char *Op = "nll_loss";
  const size_t Rank = impl(self, Op, Here).L.rank();
  detail::requireFloating(self, Op, Here);
  const auto &To = impl(target, Op, Here).L;
  if (Rank == 0 || To.rank() + 1 != Rank)
    detail::fail(std::string(Op) + ": a target of sizes " +
                     detail::text(target.sizes()) + " does not fit",
                 self, Here);
  const int64_t Dim = Rank == 1 ? 0 : 1, Classes = self.size(Dim);
  for (size_t D = 0; D < To.rank(); ++D)
    if (To.Sizes[D] != impl(self).L.Sizes[D + (D > 0)])
      detail::fail(std::string(Op) + ": a target of sizes " +
                       detail::text(target.sizes()) + " does not fit",
                   self, Here);
  if (impl(target).Type != kLong)
    detail::fail(std::string(Op) + ": the target must be of type Long", target,
                 Here);
  if (given(weight) && (weight->dim() > 1 || weight->numel() != Classes))
    detail::fail(std::string(Op) + ": weights of sizes " +
                     detail::text(weight->sizes()) + " do not fit " +
                     std::to_string(Classes) + " classes",
                 *weight, Here);
  const Tensor Ignored = target.eq(ignore_index, Here);
  const Tensor Class = target.masked_fill(Ignored, 0, Here);
  if (Class.numel() != 0) {
    const int64_t Least = Class.min(Here).item<int64_t>(Here),
                  Most = Class.max(Here).item<int64_t>(Here);
    if (Least < 0 || Most >= Classes) {
      const int64_t Bad = Least < 0 ? Least : Most;
      // Nothing but what is ignored: there need not be a class.
      if (!Ignored.all(Here).item<bool>(Here))
        throw IndexError(std::string(Op) + ": target " + std::to_string(Bad) +
                         " is out of range for size " +
                         std::to_string(Classes) + detail::place(Here));
    }
  }
  const Tensor W = given(weight)
                       ? weight->reshape({-1}, Here)
                             .index_select(0, Class.reshape({-1}, Here), Here)
                             .view(target.sizes(), Here)
                             .masked_fill(Ignored, 0, Here)
                       : Ignored.logical_not(Here).to(self.scalar_type(), false,
                                                      false, nullopt, Here);
  const Tensor Loss = detail::allocateDense(detail::dims(target.sizes()),
                                            self.scalar_type(), Op, Here);
  if (Classes == 0 || Class.numel() == 0)
    Loss.zero_(Here);
  else
    Loss.copy_(self.gather(Dim, Class.unsqueeze(Dim, Here), false, Here)
                   .squeeze(Dim, Here)
                   .neg(Here)
                   .mul(W, Here)
                   .masked_fill(Ignored, 0, Here),
               false, Here);
  if (reduction == Reduction::None)
    return Loss;
  const Tensor Sum = Loss.sum(nullopt, Here);
  return reduction == Reduction::Sum ? Sum
                                     : Sum.div(W.sum(nullopt, Here), Here);
}
Tensor nll_loss(const Tensor &self, const Tensor &target,
                const optional<Tensor> &weight, int64_t reduction,
                int64_t ignore_index, Site Here) {
  if (impl(self, "nll_loss", Here).L.rank() > 2)
    detail::fail("nll_loss: expected 1 or 2 dimensions", self, Here);
  return nll_loss_nd(self, target, weight, reduction, ignore_index, Here);
}
Tensor cross_entropy_loss(const Tensor &self, const Tensor &target,
                          const optional<Tensor> &weight, int64_t reduction,
                          int64_t ignore_index, double label_smoothing,
                          Site Here) {
  const char *Op = "cross_entropy_loss";
  const int64_t Dim = impl(self, Op, Here).L.rank() == 1 ? 0 : 1;
  const bool Probabilities =
      impl(self).L.Sizes == impl(target, Op, Here).L.Sizes;
  if (Probabilities && !isFloatingType(impl(target).Type))
    detail::fail(std::string(Op) + ": probabilities must be of a floating type",
                 target, Here);
  if (impl(self).L.rank() == 0)
    detail::fail(std::string(Op) + ": expected at least 1 dimension", self,
                 Here);
  if (label_smoothing < 0 || label_smoothing > 1)
    detail::fail(std::string(Op) + ": label_smoothing must be between 0 and 1",
                 self, Here);
  const int64_t Classes = self.size(Dim);
  if (given(weight) && (weight->dim() != 1 || weight->numel() != Classes))
    detail::fail(std::string(Op) + ": weights of sizes " +
                     detail::text(weight->sizes()) + " do not fit " +
                     std::to_string(Classes) + " classes",
                 *weight, Here);
  std::vector<int64_t> Wide(impl(self).L.rank(), 1);
  Wide[static_cast<size_t>(Dim)] = Classes;
  const Tensor Log = self.log_softmax(Dim, self.scalar_type(), Here);
  const Tensor Weighted =
      given(weight) ? Log.mul(weight->view(Wide, Here), Here) : Log;
  if (Probabilities) {
    Tensor To = target;
    if (label_smoothing > 0)
      To = target.mul(1 - label_smoothing, Here)
               .add(label_smoothing / static_cast<double>(Classes), 1, Here);
    const Tensor Loss =
        Weighted.mul(To, Here).sum(Dim, false, nullopt, Here).neg(Here);
    if (reduction != Reduction::Mean)
      return reduced(Loss, reduction, Here);
    return Loss.sum(nullopt, Here)
        .div(static_cast<double>(self.numel()) / static_cast<double>(Classes),
             Here);
  }
  const Tensor Loss =
      nll_loss_nd(Log, target, weight, reduction, ignore_index, Here);
  if (label_smoothing == 0)
    return Loss;
  // What every class gets of it, where the target is not ignored.
  const Tensor Ignored = target.eq(ignore_index, Here);
  Tensor Smooth = Weighted.neg(Here)
                      .sum(Dim, false, nullopt, Here)
                      .masked_fill(Ignored, 0, Here);
  if (reduction == Reduction::Mean) {
    Tensor N = Ignored.logical_not(Here).sum(nullopt, Here);
    if (given(weight))
      N = weight
              ->gather(
                  0, target.masked_fill(Ignored, 0, Here).flatten(0, -1, Here),
                  false, Here)
              .masked_fill(Ignored.flatten(0, -1, Here), 0, Here)
              .sum(nullopt, Here);
    Smooth = Smooth.sum(nullopt, Here).div(N, Here);
  } else {
    Smooth = reduced(Smooth, reduction, Here);
  }
  const double Share = label_smoothing / static_cast<double>(Classes);
  return Loss.mul(1 - label_smoothing, Here)
      .add(Smooth.mul(Share, Here), 1, Here);
}

//===--- of pairs -------------------------------------------------------===//

Tensor cosine_embedding_loss(const Tensor &input1, const Tensor &input2,
                             const Tensor &target, double margin,
                             int64_t reduction, Site Here) {
  const char *Op = "cosine_embedding_loss";
  if (impl(target, Op, Here).L.rank() > 1)
    detail::fail(std::string(Op) + ": the target must be a vector", target,
                 Here);
  const int64_t Dim = target.dim();
  const auto Rank = static_cast<size_t>(Dim + 1);
  const bool First = impl(input1, Op, Here).L.rank() == Rank,
             Second = impl(input2, Op, Here).L.rank() == Rank;
  if (Dim == 0 ? !First && !Second : !First || !Second)
    detail::fail(std::string(Op) + ": the inputs must have one dimension more "
                                   "than the target, which does not fit",
                 input1, Here);
  constexpr double Eps = 1e-12;
  auto product = [&](const Tensor &A, const Tensor &B) {
    return A.mul(B, Here).sum(Dim, false, nullopt, Here);
  };
  const Tensor Cosine =
      product(input1, input2)
          .div(product(input1, input1)
                   .add(Eps, 1, Here)
                   .mul(product(input2, input2).add(Eps, 1, Here), Here)
                   .sqrt_(Here),
               Here);
  const Tensor Zeros = zeros_like(Cosine, {}, nullopt, Here);
  const Tensor Alike =
      where(target.eq(1, Here), from(1, Cosine, Here), Zeros, Here);
  const Tensor Apart =
      where(target.eq(-1, Here),
            Cosine.sub(margin, 1, Here).clamp_min_(0, Here), Zeros, Here);
  return reduced(Alike.add(Apart, 1, Here), reduction, Here);
}
Tensor margin_ranking_loss(const Tensor &input1, const Tensor &input2,
                           const Tensor &target, double margin,
                           int64_t reduction, Site Here) {
  const char *Op = "margin_ranking_loss";
  if (impl(input1, Op, Here).L.rank() != impl(input2, Op, Here).L.rank() ||
      impl(input1).L.rank() != impl(target, Op, Here).L.rank())
    detail::fail(std::string(Op) + ": a target of sizes " +
                     detail::text(target.sizes()) + " does not fit",
                 input1, Here);
  return reduced(target.neg(Here)
                     .mul(input1.sub(input2, 1, Here), Here)
                     .add(margin, 1, Here)
                     .clamp_min_(0, Here),
                 reduction, Here);
}
Tensor hinge_embedding_loss(const Tensor &self, const Tensor &target,
                            double margin, int64_t reduction, Site Here) {
  impl(self, "hinge_embedding_loss", Here);
  const Tensor Zeros = zeros_like(self, {}, nullopt, Here);
  const Tensor Apart =
      where(target.ne(1, Here), from(margin, self, Here).clamp_min_(0, Here),
            Zeros, Here);
  return reduced(
      Apart.add(where(target.ne(-1, Here), self, Zeros, Here), 1, Here),
      reduction, Here);
}
Tensor triplet_margin_loss(const Tensor &anchor, const Tensor &positive,
                           const Tensor &negative, double margin, double p,
                           double eps, bool swap, int64_t reduction,
                           Site Here) {
  const char *Op = "triplet_margin_loss";
  for (const Tensor *X : {&positive, &negative})
    if (impl(*X, Op, Here).L.rank() != impl(anchor, Op, Here).L.rank())
      detail::fail(std::string(Op) +
                       ": the operands must have equal ranks, sizes " +
                       detail::text(X->sizes()) + " do not fit",
                   anchor, Here);
  const Tensor Near = pairwise_distance(anchor, positive, p, eps, false, Here);
  Tensor Far = pairwise_distance(anchor, negative, p, eps, false, Here);
  if (swap)
    Far = Far.minimum(
        pairwise_distance(positive, negative, p, eps, false, Here), Here);
  return reduced(Near.add(margin, 1, Here).sub(Far, 1, Here).clamp_min(0, Here),
                 reduction, Here);
}

//===--- distances ------------------------------------------------------===//

Tensor cosine_similarity(const Tensor &x1, const Tensor &x2, int64_t dim,
                         double eps, Site Here) {
  const char *Op = "cosine_similarity";
  const auto [A, B] = promoted(x1, x2, Op, Here);
  detail::requireFloating(A, Op, Here);
  const detail::Dims Sizes = detail::broadcast(A, B, Op, Here);
  auto unit = [&, Dim = dim](const Tensor &Given) {
    const Tensor X = Given.expand(detail::ref(Sizes), false, Here);
    if (detail::has(detail::Change::CosineOfNorms))
      return X.div(X.norm(Scalar(2), Dim, true, Here).clamp_min_(eps, Here),
                   Here);
    return X.div(X.square(Here)
                     .sum(Dim, true, nullopt, Here)
                     .clamp_min_(eps * eps, Here)
                     .sqrt_(Here),
                 Here);
  };
  return unit(A).mul(unit(B), Here).sum(dim, false, nullopt, Here);
}
Tensor pairwise_distance(const Tensor &x1, const Tensor &x2, double p,
                         double eps, bool keepdim, Site Here) {
  impl(x1, "pairwise_distance", Here);
  impl(x2, "pairwise_distance", Here);
  const int64_t Last = std::max(x1.dim(), x2.dim()) - 1;
  return x1.sub(x2, 1, Here)
      .add(eps, 1, Here)
      .norm(Scalar(p), Last, keepdim, Here);
}
Tensor dist(const Tensor &self, const Tensor &other, const Scalar &p,
            Site Here) {
  impl(self, "dist", Here);
  return self.sub(other, 1, Here).norm(p, Here);
}
Tensor cdist(const Tensor &x1, const Tensor &x2, double p, optional<int64_t>,
             Site Here) {
  const char *Op = "cdist";
  for (const Tensor *X : {&x1, &x2})
    if (impl(*X, Op, Here).L.rank() < 2)
      detail::fail("cdist: expected at least 2 dimensions", *X, Here);
  if (x1.size(-1) != x2.size(-1))
    detail::fail("cdist: rows of " + std::to_string(x2.size(-1)) +
                     " elements do not fit rows of " +
                     std::to_string(x1.size(-1)),
                 x1, Here);
  if (p < 0)
    detail::fail("cdist: the norm " + std::to_string(p) + " is negative", x1,
                 Here);
  for (const Tensor *X : {&x1, &x2})
    detail::requireFloating(*X, Op, Here);
  if (impl(x1).Type != impl(x2).Type)
    detail::fail(std::string("cdist: tensors of types ") +
                     toString(impl(x1).Type) + " and " +
                     toString(impl(x2).Type),
                 x1, Here);
  // [..., P, 1, M] - [..., 1, R, M]; the batch dimensions are broadcast.
  const Tensor Difference =
      x1.unsqueeze(-2, Here).sub(x2.unsqueeze(-3, Here), 1, Here);
  const Tensor R = p == 0
                       ? Difference.abs(Here).ceil(Here).clamp_max(1, Here).sum(
                             -1, false, nullopt, Here)
                       : Difference.norm(Scalar(p), -1, false, Here);
  return R.contiguous(MemoryFormat::Contiguous, Here);
}

//===--- sequences without places ---------------------------------------===//

/// Minus the logarithm of the chance of \p Labels with blanks around each:
/// Ways[s] are all ways to the s-th of these at a time.
template <class T>
static double ctcOf(const T *Scores, int64_t Time, IntArrayRef Strides,
                    const std::vector<int64_t> &Labels, int64_t Blank) {
  const double Never = -std::numeric_limits<double>::infinity();
  const size_t Count = 2 * Labels.size() + 1;
  auto label = [&](size_t S) { return S % 2 ? Labels[S / 2] : Blank; };
  auto score = [&](int64_t At, size_t S) {
    return static_cast<double>(Scores[At * Strides[0] + label(S) * Strides[2]]);
  };
  auto either = [&](double A, double B) {
    const double Most = std::max(A, B);
    return Most == Never
               ? Never
               : Most + std::log(std::exp(A - Most) + std::exp(B - Most));
  };
  std::vector<double> Ways(Count, Never), Next(Count);
  for (int64_t At = 0; At < Time; ++At) {
    for (size_t S = 0; S < Count; ++S) {
      if (At == 0) {
        Next[S] = S < 2 ? score(0, S) : Never;
        continue;
      }
      double All = Ways[S];
      if (S > 0)
        All = either(All, Ways[S - 1]);
      if (S > 1 && label(S) != label(S - 2))
        All = either(All, Ways[S - 2]);
      Next[S] = All + score(At, S);
    }
    Ways.swap(Next);
  }
  return -(Count == 1 ? Ways[0] : either(Ways[Count - 1], Ways[Count - 2]));
}
Tensor ctc_loss(const Tensor &log_probs, const Tensor &targets,
                IntArrayRef input_lengths, IntArrayRef target_lengths,
                int64_t blank, int64_t reduction, bool zero_infinity,
                Site Here) {
  const char *Op = "ctc_loss";
  const size_t Rank = impl(log_probs, Op, Here).L.rank();
  if (Rank != 2 && Rank != 3)
    detail::fail("ctc_loss expects [time, samples, classes] or "
                 "[time, classes]",
                 log_probs, Here);
  detail::reads(log_probs, Op, Here);
  const Tensor X = Rank == 2 ? log_probs.unsqueeze(1, Here) : log_probs;
  const ScalarType Type = impl(X).Type;
  if (Type != kFloat && Type != kDouble)
    detail::fail("ctc_loss expects float or double", log_probs, Here);
  const int64_t Time = X.size(0), Samples = X.size(1), Classes = X.size(2);
  if (Time == 0 && Samples != 0)
    detail::fail("ctc_loss: there are no steps", log_probs, Here);
  if (blank < 0 || blank >= Classes)
    detail::fail("ctc_loss: the blank " + std::to_string(blank) +
                     " is none of " + std::to_string(Classes) + " classes",
                 log_probs, Here);
  for (const IntArrayRef L : {input_lengths, target_lengths})
    if (static_cast<int64_t>(L.size()) != Samples)
      detail::fail("ctc_loss: " + std::to_string(L.size()) + " lengths for " +
                       std::to_string(Samples) + " samples",
                   log_probs, Here);
  const ScalarType Kind = impl(targets, Op, Here).Type;
  if (Kind != kLong && Kind != kInt)
    detail::fail("ctc_loss: the targets must be int or long", targets, Here);
  int64_t Sum = 0, Longest = 0;
  for (const int64_t L : target_lengths) {
    if (L < 0)
      detail::fail("ctc_loss: a length is negative", targets, Here);
    Sum += L;
    Longest = std::max(Longest, L);
  }
  const Tensor All =
      targets.to(kLong).contiguous(MemoryFormat::Contiguous, Here);
  const bool Joined = All.dim() == 1 && Rank == 3;
  if (Joined ? All.numel() != Sum
             : All.size(-1) < Longest || All.numel() < Samples * Longest)
    detail::fail("ctc_loss: targets of sizes " + detail::text(targets.sizes()) +
                     " do not fit their lengths",
                 targets, Here);
  const auto *From = static_cast<const int64_t *>(All.data_ptr());
  std::vector<double> Losses;
  for (int64_t N = 0; N < Samples; ++N) {
    const auto K = static_cast<size_t>(N);
    if (input_lengths[K] < 0 || input_lengths[K] > Time)
      detail::fail("ctc_loss: the length " + std::to_string(input_lengths[K]) +
                       " is not within " + std::to_string(Time) + " steps",
                   log_probs, Here);
    const std::vector<int64_t> Labels(From, From + target_lengths[K]);
    From += Joined ? target_lengths[K] : All.size(-1);
    for (const int64_t L : Labels)
      if (L < 0 || L >= Classes)
        detail::fail("ctc_loss: the target " + std::to_string(L) +
                         " is none of " + std::to_string(Classes) + " classes",
                     targets, Here);
    detail::dispatchFloating(Type, [&](auto T) {
      using E = typename decltype(T)::type;
      Losses.push_back(
          ctcOf(reinterpret_cast<const E *>(impl(X).data()) + N * X.stride(1),
                input_lengths[K], X.strides(), Labels, blank));
    });
  }
  Tensor R = tensor(Losses, Type, Here);
  if (zero_infinity)
    R = R.masked_fill(R.eq(std::numeric_limits<double>::infinity(), Here),
                      Scalar(0.0), Here);
  if (reduction == Reduction::Mean)
    return R
        .div(tensor(target_lengths, TensorOptions(Type), Here)
                 .clamp_min(1, Here),
             Here)
        .mean(nullopt, Here);
  if (reduction == Reduction::Sum)
    return R.sum(nullopt, Here);
  return Rank == 2 ? R.squeeze(0, Here) : R;
}
static std::vector<int64_t> lengths(const Tensor &X, Site Here) {
  if (!isIntegralType(impl(X, "ctc_loss", Here).Type, false))
    detail::fail("ctc_loss: lengths must be integers", X, Here);
  const Tensor L = X.to(kLong).contiguous(MemoryFormat::Contiguous, Here);
  const auto *From = static_cast<const int64_t *>(L.data_ptr());
  return {From, From + L.numel()};
}
Tensor ctc_loss(const Tensor &log_probs, const Tensor &targets,
                const Tensor &input_lengths, const Tensor &target_lengths,
                int64_t blank, int64_t reduction, bool zero_infinity,
                Site Here) {
  return ctc_loss(log_probs, targets, lengths(input_lengths, Here),
                  lengths(target_lengths, Here), blank, reduction,
                  zero_infinity, Here);
}

} // namespace tensortidy
