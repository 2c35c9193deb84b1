//===- Statistics.cpp - what is said of many numbers ----------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Composed of the tensor's operations, as libtorch composes them.
//
//===----------------------------------------------------------------------===//

#include "core/Release.h"
#include "kernels/Elementwise.h"
#include "tensortidy/functional.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace tensortidy {

using detail::impl;
using detail::orThrow;
using std::tuple;

static int64_t wrapped(const Tensor &X, int64_t Dim, const char *Op,
                       Site Here) {
  return static_cast<int64_t>(
      orThrow(layout::wrapDim(detail::Ar, Dim, impl(X, Op, Here).L.rank()), X,
              Here, [&] { return detail::call(Op, Dim); }));
}

//===--- along one dimension --------------------------------------------===//

tuple<Tensor, Tensor> Tensor::sort(optional<bool>, int64_t dim, bool descending,
                                   Site Here) const {
  return sort(dim, descending, Here); // always stable
}
Tensor Tensor::argsort(bool, int64_t dim, bool descending, Site Here) const {
  return argsort(dim, descending, Here);
}
Tensor Tensor::msort(Site Here) const {
  return std::get<0>(sort(0, false, Here));
}
Tensor &Tensor::cumsum_(int64_t dim, optional<ScalarType> dtype,
                        Site Here) const {
  detail::requireNoInternalOverlap(*this, "cumsum_", Here);
  const Tensor R = cumsum(dim, dtype ? dtype : scalar_type(), Here);
  return copy_(R, false, Here);
}
Tensor &Tensor::cumprod_(int64_t dim, optional<ScalarType> dtype,
                         Site Here) const {
  detail::requireNoInternalOverlap(*this, "cumprod_", Here);
  const Tensor R = cumprod(dim, dtype ? dtype : scalar_type(), Here);
  return copy_(R, false, Here);
}
Tensor Tensor::logcumsumexp(int64_t dim, Site Here) const {
  const char *Op = "logcumsumexp";
  detail::requireFloating(*this, Op, Here);
  const int64_t D = wrapped(*this, dim, Op, Here);
  Tensor R = clone(MemoryFormat::Contiguous, Here)
                 .to(kDouble, false, false, nullopt, Here);
  if (R.dim() == 0 || R.numel() == 0)
    return R.to(scalar_type(), false, false, nullopt, Here);
  const int64_t N = R.size(D);
  for (int64_t K = 1; K < N; ++K)
    R.select(D, K, Here)
        .copy_(R.select(D, K, Here).logaddexp(R.select(D, K - 1, Here), Here),
               false, Here);
  return R.to(scalar_type(), false, false, nullopt, Here);
}

//===--- one of the elements --------------------------------------------===//

tuple<Tensor, Tensor> nanmedian(const Tensor &self, int64_t dim, bool keepdim,
                                Site Here) {
  const char *Op = "nanmedian";
  const int64_t D = wrapped(self, dim, Op, Here);
  if (!isFloatingType(impl(self).Type) || self.dim() == 0 || self.numel() == 0)
    return self.median(dim, keepdim, Here);
  // NaNs are sorted behind everything: the middle of those before them.
  const auto [Sorted, Where] = self.sort(D, false, Here);
  const Tensor Middle = self.isnan(Here)
                            .logical_not(Here)
                            .sum(D, true, nullopt, Here)
                            .sub(1, 1, Here)
                            .clamp_min(0, Here)
                            .floor_divide(2, Here);
  const Tensor V = Sorted.gather(D, Middle, false, Here),
               I = Where.gather(D, Middle, false, Here);
  if (keepdim)
    return {V, I};
  return {V.squeeze(D, Here), I.squeeze(D, Here)};
}
Tensor nanmedian(const Tensor &self, Site Here) {
  impl(self, "nanmedian", Here);
  if (self.numel() == 0)
    return self.median(Here);
  return std::get<0>(nanmedian(self.reshape({-1}, Here), 0, false, Here));
}
tuple<Tensor, Tensor> mode(const Tensor &self, int64_t dim, bool keepdim,
                           Site Here) {
  const char *Op = "mode";
  const int64_t D = wrapped(self, dim, Op, Here);
  if (self.dim() == 0)
    return {self.clone(nullopt, Here), zeros(IntArrayRef(), kLong, Here)};
  if (self.size(D) == 0)
    throw IndexError(std::string(Op) + ": dimension " + std::to_string(dim) +
                     " has no elements" + detail::place(Here));
  // How long the run of equal elements is that ends at each place.
  const auto [Sorted, Where] = self.sort(D, false, Here);
  const Tensor Run = ones_like(Where, {}, MemoryFormat::Contiguous, Here);
  for (int64_t K = 1; K < self.size(D); ++K) {
    const Tensor Same =
        Sorted.select(D, K, Here).eq(Sorted.select(D, K - 1, Here), Here);
    Run.select(D, K, Here)
        .copy_(Run.select(D, K - 1, Here).mul(Same, Here).add(1, 1, Here),
               false, Here);
  }
  const Tensor Best = Run.argmax(D, true, Here);
  const Tensor V = Sorted.gather(D, Best, false, Here),
               I = Where.gather(D, Best, false, Here);
  if (keepdim)
    return {V, I};
  return {V.squeeze(D, Here), I.squeeze(D, Here)};
}
Tensor quantile(const Tensor &self, const Tensor &q, optional<int64_t> dim,
                bool keepdim, std::string_view interpolation, Site Here) {
  const char *Op = "quantile";
  if (impl(q, Op, Here).L.rank() > 1)
    detail::fail("quantile: q must be a number or a vector", q, Here);
  if (impl(q).Type != impl(self, Op, Here).Type)
    detail::fail(std::string("quantile: tensors of types ") +
                     toString(impl(self).Type) + " and " +
                     toString(impl(q).Type),
                 q, Here);
  if (q.dim() == 0)
    return quantile(self, q.item<double>(Here), dim, keepdim, interpolation,
                    Here);
  std::vector<Tensor> All;
  for (int64_t K = 0; K < q.numel(); ++K)
    All.push_back(quantile(self, q.select(0, K, Here).item<double>(Here), dim,
                           keepdim, interpolation, Here));
  // Those of one element lie side by side.
  return stack(All, -1, Here).movedim(-1, 0, Here);
}
Tensor nanquantile(const Tensor &self, double q, optional<int64_t> dim,
                   bool keepdim, std::string_view interpolation, Site Here) {
  // What quantile() refuses.
  quantile(self, q, dim, keepdim, interpolation, Here);
  if (self.dim() == 0)
    return quantile(self, q, dim, keepdim, interpolation, Here);
  const int64_t D = dim.value_or(0);
  const Tensor X = dim ? self : self.reshape({-1}, Here);
  const Tensor Sorted = std::get<0>(X.sort(D, false, Here));
  const bool Wide = X.scalar_type() == kFloat &&
                    detail::has(detail::Change::QuantileRanksInDouble);
  // NaNs are behind the numbers.
  Tensor At = X.isnan(Here)
                  .logical_not(Here)
                  .sum(D, true, nullopt, Here)
                  .sub(1, 1, Here)
                  .to(Wide ? kDouble : X.scalar_type())
                  .mul_(Wide ? static_cast<float>(q) : q, Here)
                  .clamp_min_(0, Here);
  if (interpolation == "lower")
    At.floor_(Here);
  else if (interpolation == "higher")
    At.ceil_(Here);
  else if (interpolation == "nearest")
    At.round_(Here);
  const Tensor Low = At.to(kLong), High = At.ceil(Here).to(kLong);
  Tensor R = Sorted.gather(D, Low, false, Here);
  if (interpolation == "midpoint")
    R = R.lerp(Sorted.gather(D, High, false, Here), Scalar(0.5), Here);
  else if (interpolation == "linear")
    R = R.lerp(Sorted.gather(D, High, false, Here),
               At.sub(Low, 1, Here).to(R.scalar_type()), Here);
  if (!keepdim)
    return R.squeeze(D, Here);
  return dim ? R
             : R.view(std::vector<int64_t>(static_cast<size_t>(self.dim()), 1),
                      Here);
}
Tensor nanmean(const Tensor &self, OptionalIntArrayRef dim, bool keepdim,
               optional<ScalarType> dtype, Site Here) {
  detail::requireFloating(self, "nanmean", Here);
  return self.nansum(dim, keepdim, dtype, Here)
      .div(self.isnan(Here).logical_not(Here).sum(dim, keepdim, nullopt, Here),
           Here);
}

//===--- counting, spreads ----------------------------------------------===//

Tensor Tensor::count_nonzero(IntArrayRef dim, Site Here) const {
  return ne(0, Here).sum(dim, false, nullopt, Here);
}
Tensor histc(const Tensor &self, int64_t bins, const Scalar &min,
             const Scalar &max, Site Here) {
  const char *Op = "histc";
  const ScalarType Type = impl(self, Op, Here).Type;
  if (Type != kFloat && Type != kDouble)
    detail::fail(std::string("histc is not defined for type ") + toString(Type),
                 self, Here);
  if (bins <= 0)
    detail::fail("histc: the number of bins must be positive", self, Here);
  double Least = min.toDouble(), Most = max.toDouble();
  if (Least == Most && self.numel() > 0) {
    Least = self.min(Here).item<double>(Here);
    Most = self.max(Here).item<double>(Here);
  }
  if (Least == Most)
    Least -= 1, Most += 1;
  if (!std::isfinite(Least) || !std::isfinite(Most))
    detail::fail("histc: the range is not finite", self, Here);
  if (Least > Most)
    detail::fail("histc: max must be larger than min", self, Here);
  const Tensor R = zeros({bins}, Type, Here);
  const Tensor X =
      self.reshape({-1}, Here).contiguous(MemoryFormat::Contiguous, Here);
  detail::dispatchFloating(Type, [&](auto T) {
    using E = typename decltype(T)::type;
    using C = detail::Compute<E>;
    const auto *From = reinterpret_cast<const E *>(impl(X).data());
    auto *To = reinterpret_cast<E *>(impl(R).data());
    const C Low = static_cast<C>(Least), High = static_cast<C>(Most);
    for (int64_t K = 0; K < X.numel(); ++K) {
      const C V = detail::load(From[K]);
      if (!(V >= Low && V <= High))
        continue;
      const auto At =
          static_cast<int64_t>((V - Low) / (High - Low) * static_cast<C>(bins));
      E &Bin = To[std::min(At, bins - 1)];
      detail::store(Bin, detail::load(Bin) + 1);
    }
  });
  return R;
}
Tensor cov(const Tensor &self, int64_t correction,
           const optional<Tensor> &fweights, const optional<Tensor> &aweights,
           Site Here) {
  const char *Op = "cov";
  if (impl(self, Op, Here).L.rank() > 2)
    detail::fail("cov: expected at most 2 dimensions", self, Here);
  detail::requireNotBool(self, Op, Here);
  const Tensor X = self.dim() < 2 ? self.view({1, -1}, Here) : self;
  const int64_t N = X.size(1);
  Tensor W;
  for (const auto *Given : {&fweights, &aweights})
    if (*Given && (*Given)->defined()) {
      if ((*Given)->dim() > 1 || (*Given)->numel() != N)
        detail::fail("cov: weights of sizes " +
                         detail::text((*Given)->sizes()) + " do not fit",
                     self, Here);
      W = W.defined() ? W.mul(**Given, Here) : **Given;
    }
  const Tensor Total =
      W.defined() ? W.sum(nullopt, Here) : scalar_tensor(N, kLong, Here);
  const Tensor Mean = (W.defined() ? X.mul(W, Here) : X)
                          .sum(1, false, nullopt, Here)
                          .div(Total, Here);
  Tensor Norm = Total;
  if (W.defined() && aweights && aweights->defined() && correction != 0)
    Norm = Total.sub(W.mul(*aweights, Here)
                         .sum(nullopt, Here)
                         .mul(correction, Here)
                         .div(Total, Here),
                     1, Here);
  else
    Norm = Total.sub(correction, 1, Here);
  if (Norm.item<double>(Here) <= 0)
    Norm = zeros_like(Norm, {}, nullopt, Here);
  const Tensor Apart = X.sub(Mean.unsqueeze(1, Here), 1, Here);
  return Apart.mm((W.defined() ? Apart.mul(W, Here) : Apart).t(Here), Here)
      .div(Norm, Here)
      .squeeze(Here);
}
Tensor corrcoef(const Tensor &self, Site Here) {
  const Tensor C = cov(self, 1, {}, {}, Here);
  if (C.dim() == 0)
    return C.div(C, Here);
  const Tensor Deviation = C.diag(0, Here).sqrt(Here);
  return C.div(Deviation.view({-1, 1}, Here), Here)
      .div(Deviation.view({1, -1}, Here), Here)
      .clamp(Scalar(-1), Scalar(1), Here);
}
Tensor trapezoid(const Tensor &y, const Scalar &dx, int64_t dim, Site Here) {
  detail::requireNotBool(y, "trapezoid", Here);
  const int64_t D = wrapped(y, dim, "trapezoid", Here), N = y.size(D);
  if (N == 0) {
    std::vector<int64_t> Left = y.sizes().vec();
    Left.erase(Left.begin() + D);
    return zeros(Left, y.options(), Here);
  }
  return y.sum(D, false, nullopt, Here)
      .sub(y.select(D, 0, Here)
               .add(y.select(D, N - 1, Here), 1, Here)
               .mul(Scalar(0.5), Here),
           1, Here)
      .mul(dx, Here);
}
Tensor trapezoid(const Tensor &y, const Tensor &x, int64_t dim, Site Here) {
  const int64_t D = wrapped(y, dim, "trapezoid", Here), N = y.size(D);
  const int64_t XD = x.dim() == 1 ? 0 : D;
  if (x.size(XD) != N)
    detail::fail("trapezoid: x of sizes " + detail::text(x.sizes()) +
                     " does not fit",
                 y, Here);
  const Tensor Step = x.diff(1, XD, {}, {}, Here);
  std::vector<int64_t> Wide(static_cast<size_t>(y.dim()), 1);
  if (x.dim() == 1)
    Wide[static_cast<size_t>(D)] = N - 1;
  return y.narrow(D, 1, N - 1, Here)
      .add(y.narrow(D, 0, N - 1, Here), 1, Here)
      .mul(x.dim() == 1 ? Step.view(Wide, Here) : Step, Here)
      .sum(D, false, nullopt, Here)
      .div(Scalar(2.0), Here);
}
Tensor cumulative_trapezoid(const Tensor &y, const Scalar &dx, int64_t dim,
                            Site Here) {
  const int64_t D = wrapped(y, dim, "cumulative_trapezoid", Here);
  return y.slice(D, 1, nullopt, 1, Here)
      .add(y.slice(D, 0, -1, 1, Here), 1, Here)
      .cumsum(D, nullopt, Here)
      .mul(Scalar(dx.toDouble() / 2), Here);
}

Tensor cumulative_trapezoid(const Tensor &y, const Tensor &x, int64_t dim,
                            Site Here) {
  const int64_t D = wrapped(y, dim, "cumulative_trapezoid", Here),
                N = y.size(D);
  const int64_t XD = x.dim() == 1 ? 0 : D;
  if (x.size(XD) != N)
    detail::fail("cumulative_trapezoid: x of sizes " + detail::text(x.sizes()) +
                     " does not fit",
                 y, Here);
  Tensor Step = x.diff(1, XD, {}, {}, Here);
  if (x.dim() == 1) {
    std::vector<int64_t> Wide(static_cast<size_t>(y.dim()), 1);
    Wide[static_cast<size_t>(D)] = Step.numel();
    Step = Step.view(Wide, Here);
  }
  return y.slice(D, 1, nullopt, 1, Here)
      .add(y.slice(D, 0, -1, 1, Here), 1, Here)
      .mul(Step, Here)
      .cumsum(D, nullopt, Here)
      .div(Scalar(2.0), Here);
}
tuple<Tensor, Tensor> histogram(const Tensor &self, const Tensor &bins,
                                const optional<Tensor> &weight, bool density,
                                Site Here) {
  const char *Op = "histogram";
  const ScalarType Type = impl(self, Op, Here).Type;
  if ((Type != kFloat && Type != kDouble) || impl(bins, Op, Here).Type != Type)
    detail::fail("histogram: the elements and the bins must be of one type, "
                 "Float or Double",
                 self, Here);
  if (bins.dim() != 1 || bins.numel() == 0)
    detail::fail("histogram: the bins must be a vector", bins, Here);
  const bool Weighted = weight && weight->defined();
  if (Weighted &&
      (weight->sizes() != self.sizes() || impl(*weight, Op, Here).Type != Type))
    detail::fail("histogram: weights must have the type and the sizes of what "
                 "they weigh",
                 *weight, Here);
  const int64_t N = bins.numel() - 1;
  const Tensor X = self.reshape({-1}, Here);
  // The last bin has both its ends.
  const Tensor Last = bins.select(0, N, Here), First = bins.select(0, 0, Here);
  const Tensor Inside = X.ge(First, Here)
                            .logical_and(X.le(Last, Here), Here)
                            .nonzero(Here)
                            .view({-1}, Here);
  const Tensor At =
      searchsorted(bins.contiguous(), X.index_select(0, Inside, Here), false,
                   true, Here)
          .sub_(1, 1, Here)
          .clamp_max_(std::max<int64_t>(N - 1, 0), Here);
  Tensor R = zeros({N}, Type, Here);
  if (N > 0)
    R.index_add_(0, At,
                 Weighted
                     ? weight->reshape({-1}, Here).index_select(0, Inside, Here)
                     : ones({At.numel()}, Type, Here),
                 1, Here);
  if (density)
    R = R.div(R.sum(nullopt, Here), Here)
            .div(bins.diff(1, -1, {}, {}, Here), Here);
  return {R, bins};
}
tuple<Tensor, Tensor> histogram(const Tensor &self, int64_t bins,
                                optional<ArrayRef<double>> range,
                                const optional<Tensor> &weight, bool density,
                                Site Here) {
  const char *Op = "histogram";
  impl(self, Op, Here);
  if (bins <= 0)
    detail::fail("histogram: the number of bins must be positive", self, Here);
  double Least = 0, Most = 1;
  if (range) {
    if (range->size() != 2)
      detail::fail("histogram: a range has two ends", self, Here);
    Least = (*range)[0], Most = (*range)[1];
  } else if (self.numel() > 0) {
    Least = self.min(Here).item<double>(Here);
    Most = self.max(Here).item<double>(Here);
  }
  if (!std::isfinite(Least) || !std::isfinite(Most) || Least > Most)
    detail::fail("histogram: the range is not finite", self, Here);
  if (Least == Most)
    Least -= 0.5, Most += 0.5;
  if (self.scalar_type() == kFloat) { // as libtorch keeps them
    Least = static_cast<float>(Least);
    Most = static_cast<float>(Most);
  }
  return histogram(
      self,
      linspace(Least, Most, bins + 1, TensorOptions(self.scalar_type()), Here),
      weight, density, Here);
}
static Tensor slope(const Tensor &X, int64_t D, double Step, int64_t Edges,
                    Site Here) {
  const int64_t N = X.size(D);
  if (N < Edges + 1)
    detail::fail("gradient: dimension " + std::to_string(D) +
                     " needs at least " + std::to_string(Edges + 1) +
                     " elements",
                 X, Here);
  const auto At = [&](int64_t K) { return X.narrow(D, K, 1, Here); };
  Tensor First, Last;
  if (Edges == 1) {
    First = At(1).sub(At(0), 1, Here).div(Step, Here);
    Last = At(N - 1).sub(At(N - 2), 1, Here).div(Step, Here);
  } else {
    First = At(0)
                .mul(-1.5, Here)
                .add(At(1).mul(2, Here), 1, Here)
                .sub(At(2).mul(0.5, Here), 1, Here)
                .div(Step, Here);
    Last = At(N - 3)
               .mul(0.5, Here)
               .sub(At(N - 2).mul(2, Here), 1, Here)
               .add(At(N - 1).mul(1.5, Here), 1, Here)
               .div(Step, Here);
  }
  const Tensor Middle = X.narrow(D, 2, N - 2, Here)
                            .sub(X.narrow(D, 0, N - 2, Here), 1, Here)
                            .div(2 * Step, Here);
  return cat({First, Middle, Last}, D, Here);
}
std::vector<Tensor> gradient(const Tensor &self, IntArrayRef dim,
                             int64_t edge_order, Site Here) {
  impl(self, "gradient", Here);
  if (edge_order != 1 && edge_order != 2)
    detail::fail("gradient: edge_order must be 1 or 2", self, Here);
  std::vector<Tensor> R;
  for (int64_t D : dim)
    R.push_back(
        slope(self, wrapped(self, D, "gradient", Here), 1, edge_order, Here));
  return R;
}
std::vector<Tensor> gradient(const Tensor &self,
                             const optional<Scalar> &spacing,
                             optional<int64_t> dim, int64_t edge_order,
                             Site Here) {
  impl(self, "gradient", Here);
  if (edge_order != 1 && edge_order != 2)
    detail::fail("gradient: edge_order must be 1 or 2", self, Here);
  const double Step = spacing ? spacing->toDouble() : 1;
  std::vector<Tensor> R;
  for (int64_t D = dim.value_or(0), N = dim ? D + 1 : self.dim(); D < N; ++D)
    R.push_back(slope(self, wrapped(self, D, "gradient", Here), Step,
                      edge_order, Here));
  return R;
}

//===--- scaled, summed -------------------------------------------------===//

Tensor renorm(const Tensor &self, const Scalar &p, int64_t dim,
              const Scalar &maxnorm, Site Here) {
  const char *Op = "renorm";
  detail::requireFloating(self, Op, Here);
  if (self.dim() < 2)
    detail::fail("renorm: expected at least 2 dimensions", self, Here);
  if (p.toDouble() <= 0 || maxnorm.toDouble() < 0)
    detail::fail("renorm: the norm and its limit must not be negative", self,
                 Here);
  const int64_t D = wrapped(self, dim, Op, Here);
  std::vector<int64_t> Others;
  for (int64_t K = 0; K < self.dim(); ++K)
    if (K != D)
      Others.push_back(K);
  const Tensor Norm = self.norm(p, Others, true, Here);
  const Tensor Factor =
      where(Norm.gt(maxnorm, Here),
            Norm.add(1e-7, 1, Here).reciprocal(Here).mul(maxnorm, Here),
            ones_like(Norm, {}, nullopt, Here), Here);
  return self.mul(Factor, Here).clone(MemoryFormat::Contiguous, Here);
}
Tensor Tensor::sum_to_size(IntArrayRef size, Site Here) const {
  const auto Rank = static_cast<int64_t>(size.size());
  if (Rank > dim())
    detail::fail("sum_to_size: a size of rank " + std::to_string(Rank) +
                     " is not expandable to this size",
                 *this, Here);
  const int64_t Lead = dim() - Rank;
  std::vector<int64_t> Over;
  for (int64_t D = 0; D < dim(); ++D) {
    const bool Sum = D < Lead || (size[static_cast<size_t>(D - Lead)] == 1 &&
                                  this->size(D) != 1);
    if (!Sum && size[static_cast<size_t>(D - Lead)] != this->size(D))
      detail::fail(detail::call("sum_to_size", size) +
                       ": it is not expandable to this size",
                   *this, Here);
    if (Sum)
      Over.push_back(D);
  }
  if (size.empty())
    return sum(nullopt, Here);
  if (Over.empty())
    return *this;
  const Tensor R = sum(IntArrayRef(Over), true, nullopt, Here);
  return Lead == 0 ? R : R.view(size, Here);
}

} // namespace tensortidy
