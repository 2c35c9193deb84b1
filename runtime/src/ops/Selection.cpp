//===- Selection.cpp - choosing, counting and placing elements ------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Release.h"
#include "kernels/Elementwise.h"
#include "tensortidy/functional.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tensortidy {

using detail::allocateDense;
using detail::impl;
using std::tuple;

namespace {

Tensor packed(const Tensor &X, Site Here) {
  return X.contiguous(MemoryFormat::Contiguous, Here);
}
/// The elements of a contiguous tensor.
template <class E> E *elements(const Tensor &X) {
  return reinterpret_cast<E *>(impl(X).data());
}
/// \p Dim as a position; 0 of a number.
size_t position(const Tensor &X, int64_t Dim, const char *Op, Site Here) {
  const auto &L = impl(X, Op, Here).L;
  return detail::orThrow(layout::wrapDim(detail::Ar, Dim, L.rank()), X, Here,
                         [&] { return detail::call(Op, Dim); });
}

/// The runs along a dimension of a contiguous tensor: for each, where it
/// starts and how far apart its elements are.
struct Runs {
  int64_t Size = 1, Step = 1, Outer = 1;
  Runs(const detail::Dims &Sizes, size_t Dim) {
    if (Sizes.empty())
      return;
    Size = Sizes[Dim];
    for (size_t D = 0; D < Sizes.size(); ++D)
      (D < Dim ? Outer : D > Dim ? Step : Size) *= D == Dim ? 1 : Sizes[D];
  }
  template <class F> void forEach(F Function) const {
    for (int64_t O = 0; O < Outer; ++O)
      for (int64_t I = 0; I < Step; ++I)
        Function(O * Size * Step + I);
  }
};

} // namespace

//===--- classes and random choices -------------------------------------===//

Tensor one_hot(const Tensor &self, int64_t num_classes, Site Here) {
  const char *Op = "one_hot";
  if (impl(self, Op, Here).Type != kLong)
    detail::fail("one_hot: the classes must be of type Long", self, Here);
  std::vector<int64_t> Sizes = self.sizes().vec();
  if (self.numel() == 0) {
    if (num_classes <= 0)
      detail::fail("one_hot: how many classes there are is not known, the "
                   "tensor has no elements",
                   self, Here);
    Sizes.push_back(num_classes);
    return empty(Sizes, kLong, nullopt, Here);
  }
  const int64_t Least = self.min(Here).item<int64_t>(Here),
                Most = self.max(Here).item<int64_t>(Here);
  const int64_t Classes = num_classes == -1 ? Most + 1 : num_classes;
  if (Least < 0 || Most >= Classes)
    detail::fail("one_hot: class " + std::to_string(Least < 0 ? Least : Most) +
                     " is out of range for size " + std::to_string(Classes),
                 self, Here);
  Sizes.push_back(Classes);
  const Tensor R = zeros(Sizes, kLong, Here);
  R.scatter_(-1, self.unsqueeze(-1, Here), Scalar(1), Here);
  return R;
}

//===--- searching ------------------------------------------------------===//

static Tensor searchIn(const Tensor &Sorted, const Tensor &Values, bool OutInt,
                       bool Right, const char *Op, Site Here) {
  detail::reads(Sorted, Op, Here);
  detail::reads(Values, Op, Here);
  const auto &B = impl(Sorted).L, &V = impl(Values).L;
  bool Match = B.rank() == 1 || (B.rank() != 0 && B.rank() == V.rank());
  for (size_t D = 0; Match && B.rank() > 1 && D + 1 < B.rank(); ++D)
    Match = B.Sizes[D] == V.Sizes[D];
  if (!Match)
    detail::fail(std::string(Op) + ": values of sizes " +
                     detail::text(Values.sizes()) +
                     " do not fit, only the last dimension may differ",
                 Sorted, Here);
  const detail::Operand P(Sorted), Q(Values);
  const ScalarType Type = detail::resultType({&P, &Q});
  const Tensor R = allocateDense(V.Sizes, OutInt ? kInt : kLong, Op, Here);
  const Tensor X = packed(detail::castTo(Sorted, Type, Here), Here);
  const Tensor Y = packed(detail::castTo(Values, Type, Here), Here);
  detail::requireNotBool(X, Op, Here);
  const int64_t Size = Sorted.size(-1);
  const int64_t Row = B.rank() > 1 ? Values.size(-1) : 0;
  detail::dispatchNumber(Type, [&](auto T) {
    using E = typename decltype(T)::type;
    const E *From = elements<E>(X), *Find = elements<E>(Y);
    for (int64_t K = 0, N = Y.numel(); K < N; ++K) {
      const E *Start = From + (Row ? K / Row * Size : 0);
      const auto Value = detail::load(Find[K]);
      int64_t Low = 0, High = Size;
      while (Low < High) {
        const int64_t Middle = Low + (High - Low) / 2;
        const auto At = detail::load(Start[Middle]);
        if (Right ? !(At > Value) : !(At >= Value))
          Low = Middle + 1;
        else
          High = Middle;
      }
      if (OutInt)
        elements<int32_t>(R)[K] = static_cast<int32_t>(Low);
      else
        elements<int64_t>(R)[K] = Low;
    }
  });
  detail::wrote(R, Op, Here);
  return R;
}
Tensor searchsorted(const Tensor &sorted_sequence, const Tensor &self,
                    bool out_int32, bool right, Site Here) {
  return searchIn(sorted_sequence, self, out_int32, right, "searchsorted",
                  Here);
}
Tensor searchsorted(const Tensor &sorted_sequence, const Scalar &self,
                    bool out_int32, bool right, Site Here) {
  return searchIn(sorted_sequence,
                  scalar_tensor(self, sorted_sequence.scalar_type(), Here),
                  out_int32, right, "searchsorted", Here);
}
Tensor searchsorted(const Tensor &sorted_sequence, const Tensor &self,
                    bool out_int32, bool right, optional<std::string_view> side,
                    const optional<Tensor> &sorter, Site Here) {
  if (side && *side != "left" && *side != "right")
    detail::fail("searchsorted: side must be left or right", self, Here);
  if (side && *side == "left" && right)
    detail::fail("searchsorted: side and right contradict each other", self,
                 Here);
  return searchsorted(sorter && sorter->defined()
                          ? sorted_sequence.gather(-1, *sorter, false, Here)
                          : sorted_sequence,
                      self, out_int32, right || (side && *side == "right"),
                      Here);
}
Tensor bucketize(const Tensor &self, const Tensor &boundaries, bool out_int32,
                 bool right, Site Here) {
  if (impl(boundaries, "bucketize", Here).L.rank() != 1)
    detail::fail("bucketize: the boundaries must be a vector", boundaries,
                 Here);
  return searchIn(boundaries, self, out_int32, right, "bucketize", Here);
}
Tensor bucketize(const Scalar &self, const Tensor &boundaries, bool out_int32,
                 bool right, Site Here) {
  return bucketize(scalar_tensor(self, boundaries.scalar_type(), Here),
                   boundaries, out_int32, right, Here);
}
Tensor isin(const Tensor &elements, const Scalar &test_element, bool,
            bool invert, Site Here) {
  const ScalarType Type = impl(elements, "isin", Here).Type;
  if (Type == kBool ||
      (Type == kBFloat16 && !detail::has(detail::Change::IsinTakesBFloat16)))
    detail::fail(std::string("isin is not defined for type ") + toString(Type),
                 elements, Here);
  const Tensor R = allocateDense(impl(elements).L.Sizes, kBool, "isin", Here);
  return R.copy_(invert ? elements.ne(test_element, Here)
                        : elements.eq(test_element, Here),
                 false, Here);
}
Tensor isin(const Scalar &element, const Tensor &test_elements,
            bool assume_unique, bool invert, Site Here) {
  return isin(scalar_tensor(element, {}, Here), test_elements, assume_unique,
              invert, Here);
}
Tensor isin(const Tensor &elements, const Tensor &test_elements, bool,
            bool invert, Site Here) {
  for (const Tensor *X : {&elements, &test_elements}) {
    const ScalarType Type = impl(*X, "isin", Here).Type;
    if (Type == kBool ||
        (Type == kBFloat16 && !detail::has(detail::Change::IsinTakesBFloat16)))
      detail::fail(std::string("isin is not defined for type ") +
                       toString(Type),
                   *X, Here);
  }
  const Tensor R = allocateDense(impl(elements).L.Sizes, kBool, "isin", Here);
  R.fill_(invert, Here);
  const ScalarType Type = result_type(elements, test_elements);
  const Tensor X = detail::castTo(elements, Type, Here);
  const Tensor Tests =
      detail::castTo(test_elements, Type, Here).reshape({-1}, Here);
  for (int64_t K = 0, N = Tests.numel(); K < N; ++K) {
    const Tensor Same = X.eq(Tests.select(0, K, Here), Here);
    if (invert)
      R.bitwise_and_(Same.logical_not(Here), Here);
    else
      R.bitwise_or_(Same, Here);
  }
  return R;
}

//===--- gathering and scattering ---------------------------------------===//

Tensor take_along_dim(const Tensor &self, const Tensor &indices,
                      optional<int64_t> dim, Site Here) {
  const char *Op = "take_along_dim";
  if (impl(indices, Op, Here).Type != kLong)
    detail::fail("take_along_dim: the indices must be of type Long", indices,
                 Here);
  if (!dim)
    return self.view({-1}, Here)
        .gather(0, indices.view({-1}, Here), false, Here);
  if (impl(self, Op, Here).L.rank() != impl(indices).L.rank())
    detail::fail("take_along_dim: the index has " +
                     std::to_string(indices.dim()) + " dimensions, not " +
                     std::to_string(self.dim()),
                 self, Here);
  if (self.dim() == 0)
    detail::fail("take_along_dim cannot be applied to a 0-dim tensor", self,
                 Here);
  const size_t D = position(self, *dim, Op, Here);
  // All dimensions but this one are broadcast.
  detail::Dims From = impl(self).L.Sizes, To = impl(indices).L.Sizes;
  for (size_t K = 0; K < From.size(); ++K)
    if (K != D) {
      if (From[K] != To[K] && From[K] != 1 && To[K] != 1)
        detail::fail("take_along_dim: indices of sizes " +
                         detail::text(indices.sizes()) + " do not fit",
                     self, Here);
      From[K] = To[K] = From[K] == 1 ? To[K] : From[K];
    }
  const Tensor Places = detail::has(detail::Change::TakeAlongDimWraps)
                            ? indices.remainder(self.size(*dim), Here)
                            : indices;
  return self.expand(detail::ref(From), false, Here)
      .gather(*dim, Places.expand(detail::ref(To), false, Here), false, Here);
}
Tensor scatter(const Tensor &self, int64_t dim, const Tensor &index,
               const Scalar &value, Site Here) {
  return self.clone(MemoryFormat::Contiguous, Here)
      .scatter_(dim, index, value, Here);
}
Tensor index_copy(const Tensor &self, int64_t dim, const Tensor &index,
                  const Tensor &source, Site Here) {
  return self.clone(MemoryFormat::Contiguous, Here)
      .index_copy_(dim, index, source, Here);
}
Tensor scatter_reduce(const Tensor &self, int64_t dim, const Tensor &index,
                      const Tensor &src, std::string_view reduce,
                      bool include_self, Site Here) {
  const char *Op = "scatter_reduce";
  enum { Sum, Prod, Mean, Most, Least } How;
  if (reduce == "sum")
    How = Sum;
  else if (reduce == "prod")
    How = Prod;
  else if (reduce == "mean")
    How = Mean;
  else if (reduce == "amax")
    How = Most;
  else if (reduce == "amin")
    How = Least;
  else
    detail::fail("scatter_reduce: reduce must be sum, prod, mean, amax or "
                 "amin, not " +
                     std::string(reduce),
                 Here);
  detail::reads(self, Op, Here);
  // Sizes, types and indices are checked by what scatters.
  const Tensor Seen =
      scatter(zeros(self.sizes(), kBool, Here), dim, index, Scalar(true), Here);
  if (impl(src, Op, Here).Type != impl(self).Type)
    detail::fail(std::string(Op) + ": tensors of types " +
                     toString(impl(self).Type) + " and " +
                     toString(impl(src).Type),
                 src, Here);
  const Tensor R = self.clone(MemoryFormat::Contiguous, Here);
  if (index.numel() == 0)
    return R;
  if (std::max(src.dim(), int64_t(1)) != std::max(self.dim(), int64_t(1)))
    detail::fail("scatter_reduce: the index has " +
                     std::to_string(index.dim()) + " dimensions, not " +
                     std::to_string(src.dim()),
                 src, Here);
  if (R.dim() == 0)
    return scatter_reduce(self.view({1}, Here), dim, index.reshape({-1}, Here),
                          src.reshape({-1}, Here), reduce, include_self, Here)
        .view(IntArrayRef(), Here);
  for (int64_t D = 0; D < index.dim(); ++D)
    if (index.size(D) > (src.dim() ? src.size(D) : 1))
      detail::fail("scatter_reduce: the index exceeds the sizes of the source",
                   src, Here);
  const size_t D = position(self, dim, Op, Here);
  const Tensor I = packed(index.dim() ? index : index.view({1}, Here), Here);
  const Tensor Source = packed(src, Here);
  const Tensor Counts = zeros(self.sizes(), kLong, Here);
  if (include_self)
    Counts.fill_(1, Here);
  detail::dispatch(impl(self).Type, [&](auto T) {
    using E = typename decltype(T)::type;
    E *To = elements<E>(R);
    const E *From = elements<E>(Source);
    int64_t *Count = elements<int64_t>(Counts);
    const int64_t *At = elements<int64_t>(I);
    detail::Dims Index(impl(I).L.rank(), 0);
    for (int64_t K = 0, N = I.numel(); K < N; ++K) {
      int64_t Out = 0, In = 0;
      for (size_t Q = 0; Q < Index.size(); ++Q) {
        In += Index[Q] * impl(Source).L.Strides[Q];
        Out += (Q == D ? At[K] : Index[Q]) * impl(R).L.Strides[Q];
      }
      using C = detail::Compute<E>;
      const C Old = detail::load(To[Out]), New = detail::load(From[In]);
      C Both = New;
      if (Count[Out]++ != 0) {
        if (How == Sum || How == Mean)
          Both = detail::Add()(Old, New);
        else if (How == Prod)
          Both = detail::Mul()(Old, New);
        else if (Old != Old || (How == Most ? New <= Old : New >= Old))
          Both = Old;
      }
      detail::store(To[Out], Both);
      for (size_t Q = Index.size(); Q-- > 0;) {
        if (++Index[Q] < impl(I).L.Sizes[Q])
          break;
        Index[Q] = 0;
      }
    }
  });
  detail::wrote(R, Op, Here);
  if (How != Mean)
    return R;
  Counts.masked_fill_(Counts.eq(0, Here), 1, Here);
  if (isFloatingType(impl(R).Type))
    R.div_(Counts, Here);
  else
    R.div_(Counts, "floor", Here);
  return R;
}
Tensor masked_scatter(const Tensor &self, const Tensor &mask,
                      const Tensor &source, Site Here) {
  const char *Op = "masked_scatter";
  if (impl(self, Op, Here).Type != impl(source, Op, Here).Type)
    detail::fail(std::string(Op) + ": tensors of types " +
                     toString(impl(self).Type) + " and " +
                     toString(impl(source).Type),
                 self, Here);
  if (impl(mask, Op, Here).Type != kBool)
    detail::fail("masked_scatter: the mask must be a boolean tensor", mask,
                 Here);
  const detail::Dims Sizes = detail::broadcast(self, mask, Op, Here);
  const Tensor R = self.expand(detail::ref(Sizes), false, Here)
                       .clone(MemoryFormat::Contiguous, Here);
  const Tensor Places = mask.expand(detail::ref(Sizes), false, Here)
                            .reshape({-1}, Here)
                            .nonzero(Here)
                            .view({-1}, Here);
  const int64_t N = Places.numel();
  if (N > source.numel())
    detail::fail("masked_scatter: " + std::to_string(N) +
                     " places for a source of " +
                     std::to_string(source.numel()) + " elements do not fit",
                 source, Here);
  R.view({-1}, Here)
      .index_copy_(0, Places, source.reshape({-1}, Here).narrow(0, 0, N, Here),
                   Here);
  return R;
}

//===--- orders ---------------------------------------------------------===//

/// The greatest, or least, so far and where it was; the last of equal ones: of
/// \p Count elements that are \p Step apart, in \p Lines lines beside each
/// other that take each step together.
template <class E, bool Greatest> struct ExtremeSoFar {
  using C = detail::Compute<E>;
  using Place = std::conditional_t<sizeof(C) == 8, int64_t, int32_t>;
  static void run(const E *X, E *V, int64_t *I, int64_t Count, int64_t Step,
                  int64_t Lines) {
    if (Lines < 8 || Count > INT32_MAX) {
      for (int64_t J = 0; J < Lines; ++J)
        one(X + J, V + J, I + J, Count, Step);
      return;
    }
    constexpr int64_t Block = 64;
    for (; Lines > 0; Lines -= Block, X += Block, V += Block, I += Block) {
      const int64_t Now = std::min(Block, Lines);
      C Best[Block];
      Place At[Block] = {};
      for (int64_t J = 0; J < Now; ++J)
        Best[J] = detail::load(X[J]);
      for (int64_t K = 0; K < Count; ++K) {
        const E *From = X + K * Step;
        E *To = V + K * Step;
        int64_t *Places = I + K * Step;
        TENSORTIDY_INDEPENDENT
        for (int64_t J = 0; J < Now; ++J) {
          const C A = detail::load(From[J]);
          const bool Is = wins(A, Best[J]);
          Best[J] = Is ? A : Best[J];
          At[J] = Is ? static_cast<Place>(K) : At[J];
        }
        TENSORTIDY_INDEPENDENT
        for (int64_t J = 0; J < Now; ++J)
          detail::store(To[J], Best[J]);
        TENSORTIDY_INDEPENDENT
        for (int64_t J = 0; J < Now; ++J)
          Places[J] = At[J];
      }
    }
  }

private:
  static bool wins(C A, C B) {
    const bool Is = Greatest ? A >= B : A <= B;
    if constexpr (detail::IsFloating<E>)
      return (A != A) | ((B == B) & Is);
    else
      return Is;
  }
  static void one(const E *X, E *V, int64_t *I, int64_t Count, int64_t Step) {
    E Best = *X;
    int64_t At = 0;
    for (int64_t K = 0; K < Count; ++K) {
      const E A = X[K * Step];
      const bool Is = wins(detail::load(A), detail::load(Best));
      if constexpr (detail::IsFloating<E>) { // seldom, and foreseen not to be
        if (__builtin_expect(Is, false)) {
          Best = A;
          At = K;
        }
      } else {
        Best = Is ? A : Best;
        At = Is ? K : At;
      }
      V[K * Step] = Best;
      I[K * Step] = At;
    }
  }
};
template <bool Greatest>
static tuple<Tensor, Tensor> extremeSoFar(const Tensor &X, int64_t Dim,
                                          const char *Op, Site Here) {
  detail::reads(X, Op, Here);
  const Tensor From = packed(X, Here);
  const Tensor V = allocateDense(impl(X).L.Sizes, impl(X).Type, Op, Here);
  const Tensor I = allocateDense(impl(X).L.Sizes, kLong, Op, Here);
  // Of a number, or of nothing, libtorch did not look at the dimension.
  const bool Checks = detail::has(detail::Change::CummaxChecksDimension);
  const Runs R(impl(X).L.Sizes, Checks || (X.dim() && X.numel())
                                    ? position(X, Dim, Op, Here)
                                    : 0);
  if (X.numel() != 0)
    detail::dispatch(impl(X).Type, [&](auto T) {
      using E = typename decltype(T)::type;
      const auto Run = detail::forProcessor<ExtremeSoFar<E, Greatest>>();
      for (int64_t O = 0; O < R.Outer; ++O) {
        const int64_t Start = O * R.Size * R.Step;
        Run(elements<E>(From) + Start, elements<E>(V) + Start,
            elements<int64_t>(I) + Start, R.Size, R.Step, R.Step);
      }
    });
  detail::wrote(V, Op, Here);
  detail::wrote(I, Op, Here);
  return {V, I};
}
tuple<Tensor, Tensor> cummax(const Tensor &self, int64_t dim, Site Here) {
  return extremeSoFar<true>(self, dim, "cummax", Here);
}
tuple<Tensor, Tensor> cummin(const Tensor &self, int64_t dim, Site Here) {
  return extremeSoFar<false>(self, dim, "cummin", Here);
}
tuple<Tensor, Tensor> kthvalue(const Tensor &self, int64_t k, int64_t dim,
                               bool keepdim, Site Here) {
  const char *Op = "kthvalue";
  const size_t D = position(self, dim, Op, Here);
  const int64_t Size = self.dim() ? self.size(dim) : 1;
  if (Size == 0 && self.numel() == 0)
    detail::fail("kthvalue: the reduced dimensions have no elements", self,
                 Here);
  if (k < 1 || k > Size)
    detail::fail("kthvalue: k is out of range, it is " + std::to_string(k) +
                     " for size " + std::to_string(Size),
                 self, Here);
  if (self.dim() == 0)
    return {self.clone(nullopt, Here), zeros(IntArrayRef(), kLong, Here)};
  detail::requireNotBool(self, Op, Here);
  const auto [Values, Where] = self.sort(dim, false, Here);
  auto at = [&, N = static_cast<int64_t>(D)](const Tensor &X) {
    const Tensor R =
        X.narrow(N, k - 1, 1, Here).clone(MemoryFormat::Contiguous, Here);
    return keepdim ? R : R.squeeze(N, Here);
  };
  return {at(Values), at(Where)};
}
tuple<Tensor, Tensor> median(const Tensor &self, int64_t dim, bool keepdim,
                             Site Here) {
  position(self, dim, "median", Here);
  detail::requireNotBool(self, "median", Here);
  const int64_t Size = self.dim() ? self.size(dim) : 1;
  if (Size == 0)
    detail::fail("median: the reduced dimensions have no elements", self, Here);
  auto [V, I] = kthvalue(self, (Size + 1) / 2, dim, keepdim, Here);
  if (!isFloatingType(impl(self).Type) || self.dim() == 0)
    return {V, I};
  // NaNs are sorted behind everything; one is the answer.
  const auto [Last, At] = kthvalue(self, Size, dim, keepdim, Here);
  const Tensor None = Last.isnan(Here);
  return {packed(where(None, Last, V, Here), Here),
          packed(where(None, At, I, Here), Here)};
}
Tensor median(const Tensor &self, Site Here) {
  impl(self, "median", Here);
  if (self.numel() == 0)
    return full(IntArrayRef(), std::numeric_limits<double>::quiet_NaN(),
                self.scalar_type(), Here);
  return std::get<0>(median(self.reshape({-1}, Here), 0, false, Here));
}
/// Where in \p N elements that are sorted; \p q is a number of their type.
static double quantileRank(double Q, int64_t N, ScalarType Type) {
  const auto Most = static_cast<double>(N - 1);
  if (Type != kFloat)
    return Q * Most;
  const auto OfType = static_cast<float>(Q);
  return detail::has(detail::Change::QuantileRanksInDouble)
             ? static_cast<double>(OfType) * Most
             : static_cast<double>(OfType * static_cast<float>(Most));
}
Tensor quantile(const Tensor &self, double q, optional<int64_t> dim,
                bool keepdim, std::string_view interpolation, Site Here) {
  const char *Op = "quantile";
  const std::string_view Ways[] = {"linear", "lower", "higher", "midpoint",
                                   "nearest"};
  if (std::find(std::begin(Ways), std::end(Ways), interpolation) ==
      std::end(Ways))
    detail::fail("quantile: unknown interpolation '" +
                     std::string(interpolation) + "'",
                 self, Here);
  const ScalarType Type = impl(self, Op, Here).Type;
  if (Type != kFloat && Type != kDouble)
    detail::fail(std::string("quantile is not defined for type ") +
                     toString(Type),
                 self, Here);
  if (!(q >= 0 && q <= 1))
    detail::fail("quantile: " + std::to_string(q) + " is not between 0 and 1",
                 self, Here);
  const Tensor X = dim ? self : self.reshape({-1}, Here);
  const int64_t D = dim.value_or(0);
  position(X, D, Op, Here);
  if (X.numel() == 0)
    detail::fail("quantile: the tensor has no elements", self, Here);
  const bool Between = interpolation == "linear" || interpolation == "midpoint";
  if (X.dim() == 0)
    return Between ? X.lerp(X, Scalar(0), Here) : X.clone(nullopt, Here);
  const Tensor Sorted = std::get<0>(X.sort(D, false, Here));
  double At = quantileRank(q, X.size(D), Type);
  if (interpolation == "lower")
    At = std::floor(At);
  else if (interpolation == "higher")
    At = std::ceil(At);
  else if (interpolation == "nearest")
    At = std::nearbyint(At);
  const auto Low = static_cast<int64_t>(At);
  const auto High = static_cast<int64_t>(std::ceil(At));
  Tensor R = Sorted.select(D, Low, Here);
  if (Between)
    R = R.lerp(Sorted.select(D, High, Here),
               interpolation == "midpoint" ? 0.5
                                           : At - static_cast<double>(Low),
               Here);
  if (isFloatingType(Type)) {
    const Tensor Most = Sorted.select(D, X.size(D) - 1, Here);
    R = where(Most.isnan(Here), Most, R, Here);
  }
  R = packed(R, Here);
  if (!keepdim)
    return R;
  return dim ? R.unsqueeze(D, Here)
             : R.view(std::vector<int64_t>(static_cast<size_t>(self.dim()), 1),
                      Here);
}

//===--- two reductions at once -----------------------------------------===//

tuple<Tensor, Tensor> var_mean(const Tensor &self, bool unbiased, Site Here) {
  return {self.var(unbiased, Here), self.mean(nullopt, Here)};
}
tuple<Tensor, Tensor> var_mean(const Tensor &self, OptionalIntArrayRef dim,
                               bool unbiased, bool keepdim, Site Here) {
  return {self.var(dim, unbiased, keepdim, Here),
          self.mean(dim, keepdim, nullopt, Here)};
}
tuple<Tensor, Tensor> std_mean(const Tensor &self, bool unbiased, Site Here) {
  return {self.std(unbiased, Here), self.mean(nullopt, Here)};
}
tuple<Tensor, Tensor> std_mean(const Tensor &self, OptionalIntArrayRef dim,
                               bool unbiased, bool keepdim, Site Here) {
  return {self.std(dim, unbiased, keepdim, Here),
          self.mean(dim, keepdim, nullopt, Here)};
}
tuple<Tensor, Tensor> aminmax(const Tensor &self, optional<int64_t> dim,
                              bool keepdim, Site Here) {
  if (dim) {
    // libtorch keeps a dimension of a number, too.
    const Tensor X = keepdim && self.dim() == 0 &&
                             !detail::has(detail::Change::AminmaxOfNumber)
                         ? self.view({1}, Here)
                         : self;
    return {X.amin(*dim, keepdim, Here), X.amax(*dim, keepdim, Here)};
  }
  return {self.amin({}, keepdim, Here), self.amax({}, keepdim, Here)};
}
Tensor nansum(const Tensor &self, OptionalIntArrayRef dim, bool keepdim,
              optional<ScalarType> dtype, Site Here) {
  const Tensor X = isFloatingType(impl(self, "nansum", Here).Type)
                       ? self.masked_fill(self.isnan(Here), 0, Here)
                       : self;
  return X.sum(dim, keepdim, dtype, Here);
}
static Tensor differences(const Tensor &self, int64_t n, int64_t dim,
                          Site Here) {
  const char *Op = "diff";
  if (impl(self, Op, Here).L.rank() == 0)
    detail::fail("diff needs at least 1 dimension", self, Here);
  const size_t D = position(self, dim, Op, Here);
  if (n < 0)
    detail::fail("diff: the order is negative", self, Here);
  Tensor R = n == 0 ? self.clone(nullopt, Here) : self;
  for (int64_t K = 0, N = std::min(n, self.size(dim)); K < N; ++K) {
    const auto At = static_cast<int64_t>(D);
    const int64_t Left = R.size(At) - 1;
    const Tensor A = R.narrow(At, 1, Left, Here),
                 B = R.narrow(At, 0, Left, Here);
    R = impl(self).Type == kBool ? A.logical_xor(B, Here) : A.sub(B, 1, Here);
  }
  return R;
}

Tensor diff(const Tensor &self, int64_t n, int64_t dim,
            const optional<Tensor> &prepend, const optional<Tensor> &append,
            Site Here) {
  std::vector<Tensor> Parts;
  // cat() leaves out a vector of no elements, which this does not.
  auto Add = [&](const optional<Tensor> &Part) {
    if (!Part || !Part->defined())
      return;
    if (Part->dim() != self.dim())
      detail::fail(
          "diff: what is put before or behind has other dimensions than self",
          *Part, Here);
    Parts.push_back(*Part);
  };
  Add(prepend);
  Parts.push_back(self);
  Add(append);
  return differences(Parts.size() == 1 ? self : cat(Parts, dim, Here), n, dim,
                     Here);
}

//===--- counting -------------------------------------------------------===//

/// The runs of equal elements of \p Sorted, and which run each one is in.
static tuple<Tensor, Tensor, Tensor> runsOf(const Tensor &Sorted, bool Inverse,
                                            bool Counts, Site Here) {
  const int64_t N = Sorted.numel();
  Tensor First = ones({N}, kBool, Here);
  if (N > 1)
    First.narrow(0, 1, N - 1, Here)
        .copy_(Sorted.narrow(0, 1, N - 1, Here)
                   .ne(Sorted.narrow(0, 0, N - 1, Here), Here),
               false, Here);
  const Tensor Starts = First.nonzero(Here).view({-1}, Here);
  Tensor Run = empty({0}, kLong, nullopt, Here), Lengths = Run;
  if (Inverse)
    Run = First.cumsum(0, kLong, Here).sub_(1, 1, Here);
  if (Counts)
    Lengths = cat({Starts, full({1}, N, kLong, Here)}, 0, Here)
                  .narrow(0, 1, Starts.numel(), Here)
                  .sub(Starts, 1, Here);
  return {Sorted.index_select(0, Starts, Here), Run, Lengths};
}
/// The same in memory for \p N elements, as libtorch leaves it.
static Tensor roomFor(int64_t N, const Tensor &X, Site Here) {
  if (X.numel() == 0)
    return X;
  const Tensor R = allocateDense({N}, impl(X).Type, "unique_consecutive", Here);
  R.narrow(0, 0, X.numel(), Here).copy_(X, false, Here);
  R.resize_(X.sizes(), nullopt, Here);
  return R;
}
tuple<Tensor, Tensor, Tensor> unique_consecutive(const Tensor &self,
                                                 bool return_inverse,
                                                 bool return_counts,
                                                 Site Here) {
  impl(self, "unique_consecutive", Here);
  auto [V, I, C] =
      runsOf(self.reshape({-1}, Here), return_inverse, return_counts, Here);
  if (return_inverse)
    I = I.view(self.sizes(), Here);
  return {roomFor(self.numel(), V, Here), I, roomFor(self.numel(), C, Here)};
}
tuple<Tensor, Tensor, Tensor> _unique2(const Tensor &self, bool,
                                       bool return_inverse, bool return_counts,
                                       Site Here) {
  impl(self, "_unique2", Here);
  const auto [Sorted, Where] = self.reshape({-1}, Here).sort(0, false, Here);
  auto [V, I, C] = runsOf(Sorted, return_inverse, return_counts, Here);
  if (return_inverse)
    I = zeros({self.numel()}, kLong, Here)
            .scatter_(0, Where, I, Here)
            .view(self.sizes(), Here);
  return {V, I, C};
}
tuple<Tensor, Tensor> _unique(const Tensor &self, bool sorted,
                              bool return_inverse, Site Here) {
  auto [V, I, C] = _unique2(self, sorted, return_inverse, false, Here);
  return {V, I};
}
tuple<Tensor, Tensor, Tensor> unique_dim(const Tensor &self, int64_t dim, bool,
                                         bool return_inverse,
                                         bool return_counts, Site Here) {
  const int64_t D = position(self, dim, "unique_dim", Here);
  const int64_t N = self.size(D);
  const Tensor Moved = self.transpose(D, 0, Here);
  if (self.numel() == 0) {
    const IntArrayRef S = self.sizes();
    if (N != 0 || std::count(S.begin(), S.end(), 0) > 1)
      detail::fail("unique_dim: a dimension beside " + std::to_string(dim) +
                       " has no elements",
                   self, Here);
    const Tensor None = empty({0}, kLong, nullopt, Here);
    return {empty(self.sizes(), self.options(), nullopt, Here), None, None};
  }
  const Tensor Rows = Moved.reshape({N, -1}, Here);
  // Sorted by the last column first; each sort keeps the order of equal rows.
  Tensor Order = arange(N, kLong, Here);
  for (int64_t C = Rows.size(1); C-- > 0;)
    Order = Order.index_select(0,
                               Rows.select(1, C, Here)
                                   .index_select(0, Order, Here)
                                   .argsort(0, false, Here),
                               Here);
  const Tensor Sorted = Rows.index_select(0, Order, Here);
  // Each run of equal rows has a number.
  const Tensor Starts = cat(
      {zeros({1}, kLong, Here), Sorted.narrow(0, 1, N - 1, Here)
                                    .ne(Sorted.narrow(0, 0, N - 1, Here), Here)
                                    .any(1, false, Here)
                                    .to(kLong)},
      0, Here);
  const Tensor Run = Starts.cumsum(0, nullopt, Here);
  const auto [Number, Inverse, Counts] = _unique2(Run, true, false, true, Here);
  const Tensor First = Counts.cumsum(0, nullopt, Here).sub(Counts, 1, Here);
  std::vector<int64_t> Sizes = Moved.sizes().vec();
  Sizes[0] = Number.numel();
  const Tensor None = empty({0}, kLong, nullopt, Here);
  return {Sorted.index_select(0, First, Here)
              .view(Sizes, Here)
              .transpose(0, D, Here),
          return_inverse || return_counts
              ? zeros({N}, kLong, Here).scatter_(0, Order, Run, Here)
              : None,
          return_inverse || return_counts ? Counts : None};
}
Tensor bincount(const Tensor &self, const optional<Tensor> &weights,
                int64_t minlength, Site Here) {
  const char *Op = "bincount";
  detail::requireNotBool(self, Op, Here);
  detail::requireIntegral(self, Op, Here);
  if (minlength < 0)
    detail::fail("bincount: minlength is negative", self, Here);
  if (self.dim() != 1)
    detail::fail("bincount: the tensor must be a vector", self, Here);
  const bool Weighted = weights && weights->defined();
  if (Weighted && (weights->dim() != 1 || weights->numel() != self.numel()))
    detail::fail("bincount: weights of sizes " +
                     detail::text(weights->sizes()) + " do not fit",
                 self, Here);
  if (self.numel() == 0)
    return zeros({minlength}, kLong, Here);
  const Tensor At = self.to(kLong, false, false, nullopt, Here);
  if (At.min(Here).item<int64_t>(Here) < 0)
    detail::fail("bincount: a number is negative, which is out of range for "
                 "size 0",
                 self, Here);
  const int64_t N = std::max(At.max(Here).item<int64_t>(Here) + 1, minlength);
  const ScalarType Type = !Weighted                          ? kLong
                          : weights->scalar_type() == kFloat ? kFloat
                                                             : kDouble;
  const Tensor R = zeros({N}, Type, Here);
  return R.scatter_add_(0, At,
                        Weighted
                            ? weights->to(Type, false, false, nullopt, Here)
                            : ones_like(At, {}, nullopt, Here),
                        Here);
}
std::vector<Tensor> nonzero_numpy(const Tensor &self, Site Here) {
  impl(self, "nonzero_numpy", Here);
  if (self.dim() == 0)
    return self.unsqueeze(0, Here).nonzero(Here).unbind(1, Here);
  return self.nonzero(Here).unbind(1, Here);
}

//===--- building tensors -----------------------------------------------===//

static Tensor triangleIndices(bool Upper, int64_t Rows, int64_t Columns,
                              int64_t Offset, TensorOptions Options,
                              const char *Op, Site Here) {
  for (int64_t N : {Rows, Columns})
    if (N < 0)
      detail::fail(std::string(Op) + ": the size " + std::to_string(N) +
                       " is negative: the number of steps is negative",
                   Here);
  const Tensor All = ones({Rows, Columns}, kBool, Here);
  return (Upper ? All.triu(Offset, Here) : All.tril(Offset, Here))
      .nonzero(Here)
      .t(Here)
      .to(Options.dtype(), false, false, nullopt, Here)
      .clone(MemoryFormat::Contiguous, Here);
}
Tensor tril_indices(int64_t row, int64_t col, int64_t offset,
                    TensorOptions options, Site Here) {
  return triangleIndices(false, row, col, offset, options, "tril_indices",
                         Here);
}
Tensor triu_indices(int64_t row, int64_t col, int64_t offset,
                    TensorOptions options, Site Here) {
  return triangleIndices(true, row, col, offset, options, "triu_indices", Here);
}
Tensor diag_embed(const Tensor &self, int64_t offset, int64_t dim1,
                  int64_t dim2, Site Here) {
  const char *Op = "diag_embed";
  const size_t Rank = impl(self, Op, Here).L.rank();
  auto at = [&](int64_t Dim) {
    return detail::orThrow(
        layout::wrapDim(detail::Ar, Dim, Rank + 1), self, Here,
        [&] { return detail::call(Op, offset, dim1, dim2); });
  };
  const size_t A = at(dim1), B = at(dim2);
  if (A == B)
    detail::fail("diag_embed: a dimension is given twice", self, Here);
  std::vector<int64_t> Sizes = self.sizes().vec();
  const int64_t N = self.size(-1) + std::abs(offset);
  Sizes.pop_back();
  Sizes.insert(Sizes.begin() + static_cast<long>(std::min(A, B)), N);
  Sizes.insert(Sizes.begin() + static_cast<long>(std::max(A, B)), N);
  const Tensor R = zeros(Sizes, self.scalar_type(), Here);
  R.diagonal(offset, dim1, dim2, Here).copy_(self, false, Here);
  return R;
}
Tensor diagflat(const Tensor &self, int64_t offset, Site Here) {
  return packed(self, Here).view({-1}, Here).diag(offset, Here);
}
Tensor block_diag(TensorList tensors, Site Here) {
  if (tensors.empty())
    detail::fail("block_diag: there are no tensors", Here);
  std::vector<Tensor> Blocks;
  // Numbers count less than what has dimensions.
  optional<ScalarType> Type, OfNumbers;
  int64_t Rows = 0, Columns = 0;
  for (const Tensor &X : tensors) {
    if (impl(X, "block_diag", Here).L.rank() > 2)
      detail::fail("block_diag: expected numbers or vectors or matrices", X,
                   Here);
    auto &Of = X.dim() ? Type : OfNumbers;
    Of = Of ? promoteTypes(*Of, impl(X).Type) : impl(X).Type;
    Blocks.push_back(atleast_2d(X, Here));
    Rows += Blocks.back().size(0);
    Columns += Blocks.back().size(1);
  }
  if (!Type)
    Type = OfNumbers;
  const detail::Operand A(zeros({1}, *Type, Here)),
      B(zeros(IntArrayRef(), OfNumbers.value_or(*Type), Here));
  const Tensor R = zeros({Rows, Columns}, detail::resultType({&A, &B}), Here);
  int64_t AtRow = 0, AtColumn = 0;
  for (const Tensor &X : Blocks) {
    R.narrow(0, AtRow, X.size(0), Here)
        .narrow(1, AtColumn, X.size(1), Here)
        .copy_(X, false, Here);
    AtRow += X.size(0);
    AtColumn += X.size(1);
  }
  return R;
}
Tensor cartesian_prod(TensorList tensors, Site Here) {
  for (const Tensor &X : tensors)
    if (impl(X, "cartesian_prod", Here).L.rank() != 1)
      detail::fail("cartesian_prod: each tensor must be a vector", X, Here);
  if (tensors.size() == 1)
    return tensors[0];
  std::vector<Tensor> Columns;
  for (const Tensor &X : meshgrid(tensors, "ij", Here))
    Columns.push_back(X.flatten(0, -1, Here));
  return stack(Columns, 1, Here);
}
Tensor column_stack(TensorList tensors, Site Here) {
  std::vector<Tensor> Columns;
  for (const Tensor &X : tensors)
    Columns.push_back(impl(X, "column_stack", Here).L.rank() <= 1
                          ? X.reshape({X.numel(), 1}, Here)
                          : X);
  return hstack(Columns, Here);
}
Tensor dstack(TensorList tensors, Site Here) {
  std::vector<Tensor> Deep;
  for (const Tensor &X : tensors)
    Deep.push_back(atleast_3d(X, Here));
  return cat(Deep, 2, Here);
}
Tensor logspace(const Scalar &start, const Scalar &end, int64_t steps,
                double base, TensorOptions options, Site Here) {
  const Tensor At = linspace(start, end, steps, kDouble, Here);
  return pow(Scalar(base), At, Here)
      .to(options.dtype(), false, false, nullopt, Here);
}

//===--- products -------------------------------------------------------===//

Tensor addmv(const Tensor &self, const Tensor &mat, const Tensor &vec,
             const Scalar &beta, const Scalar &alpha, Site Here) {
  const char *Op = "addmv";
  if (impl(mat, Op, Here).L.rank() != 2)
    detail::fail("addmv: the first factor must be a matrix", mat, Here);
  if (impl(vec, Op, Here).L.rank() != 1 || impl(self, Op, Here).L.rank() > 1)
    detail::fail("addmv: what is added and the second factor must be a vector",
                 vec, Here);
  // What is added may be of another type, which is not the result's.
  const Tensor Added = detail::castTo(self, impl(vec).Type, Here);
  const Tensor R = Added.expand({mat.size(0)}, false, Here)
                       .unsqueeze(1, Here)
                       .addmm(mat, vec.unsqueeze(1, Here), beta, alpha, Here)
                       .squeeze(1, Here);
  if (mat.numel())
    return R;
  // Where there is nothing to add, the result gets the sizes of self.
  if (!beta.equal(0))
    detail::requireType(R, impl(self).Type, Op, Here);
  return R.resize_(Added.sizes(), nullopt, Here)
      .copy_(Added.mul(beta, Here), false, Here);
}
Tensor inner(const Tensor &self, const Tensor &other, Site Here) {
  if (impl(self, "inner", Here).L.rank() == 0 ||
      impl(other, "inner", Here).L.rank() == 0)
    return self.mul(other, Here);
  if (self.size(-1) != other.size(-1))
    detail::fail("inner: a last dimension of size " +
                     std::to_string(other.size(-1)) + " does not fit",
                 self, Here);
  return tensordot(self, other, {-1}, {-1}, Here);
}
Tensor kron(const Tensor &self, const Tensor &other, Site Here) {
  const size_t N = std::max(impl(self, "kron", Here).L.rank(),
                            impl(other, "kron", Here).L.rank());
  // [a, 1, b, 1] * [1, c, 1, d] -> [a*c, b*d]
  std::vector<int64_t> A, B, Sizes;
  for (size_t K = N; K-- > 0;) {
    auto size = [&](const Tensor &X) {
      const auto Back = static_cast<int64_t>(K) + 1;
      return X.dim() >= Back ? X.size(-Back) : 1;
    };
    A.insert(A.end(), {size(self), 1});
    B.insert(B.end(), {1, size(other)});
    Sizes.push_back(size(self) * size(other));
  }
  return self.reshape(A, Here)
      .mul(other.reshape(B, Here), Here)
      .reshape(Sizes, Here);
}
Tensor cross(const Tensor &self, const Tensor &other, optional<int64_t> dim,
             Site Here) {
  const char *Op = "cross";
  if (impl(self, Op, Here).L.rank() != impl(other, Op, Here).L.rank())
    detail::fail("cross: the operands must have equal ranks, sizes " +
                     detail::text(other.sizes()) + " do not fit",
                 self, Here);
  const detail::Dims Sizes = detail::broadcast(self, other, Op, Here);
  size_t D = 0;
  if (dim)
    D = position(self, *dim, Op, Here);
  else
    while (D < Sizes.size() && self.sizes()[D] != 3)
      ++D;
  if (D >= Sizes.size() || self.sizes()[D] != 3 || other.sizes()[D] != 3)
    detail::fail("cross: sizes " + detail::text(self.sizes()) +
                     " do not fit, a dimension of size 3 is needed",
                 self, Here);
  if (impl(self).Type != impl(other).Type)
    detail::fail(std::string(Op) + ": tensors of types " +
                     toString(impl(self).Type) + " and " +
                     toString(impl(other).Type),
                 other, Here);
  const auto At = static_cast<int64_t>(D);
  auto turned = [&](const Tensor &X, int64_t By) {
    return X.expand(detail::ref(Sizes), false, Here).roll(-By, At, Here);
  };
  return packed(turned(self, 1)
                    .mul(turned(other, 2), Here)
                    .sub(turned(self, 2).mul(turned(other, 1), Here), 1, Here),
                Here);
}
Tensor bilinear(const Tensor &input1, const Tensor &input2,
                const Tensor &weight, const optional<Tensor> &bias, Site Here) {
  const char *Op = "bilinear";
  if (impl(weight, Op, Here).L.rank() != 3)
    detail::fail("bilinear: the weight must have 3 dimensions", weight, Here);
  std::vector<int64_t> Sizes = input1.sizes().vec();
  if (Sizes.empty() || impl(input2, Op, Here).L.rank() != Sizes.size() ||
      input1.size(-1) != weight.size(1) || input2.size(-1) != weight.size(2))
    detail::fail("bilinear: a weight of sizes " + detail::text(weight.sizes()) +
                     " does not fit",
                 input1, Here);
  Sizes.back() = weight.size(0);
  const Tensor R = einsum("bi,oij,bj->bo",
                          {input1.reshape({-1, input1.size(-1)}, Here), weight,
                           input2.reshape({-1, input2.size(-1)}, Here)},
                          Here)
                       .reshape(Sizes, Here);
  return bias && bias->defined() ? R.add(*bias, 1, Here) : R;
}

} // namespace tensortidy
