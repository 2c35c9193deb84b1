//===- Methods.cpp - functions as methods ---------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What <tensortidy/functional.h> has as functions and libtorch as methods, too,
// and the forms that write the result into the tensor.
//
//===----------------------------------------------------------------------===//

#include "core/Release.h"
#include "kernels/Elementwise.h"
#include "tensortidy/functional.h"

namespace tensortidy {

using detail::impl;
using std::tuple;

/// What Compute() answers becomes the elements of \p X.
template <class F>
static void become(const Tensor &X, std::initializer_list<const Tensor *> Ins,
                   const char *Op, Site Here, F Compute) {
  impl(X, Op, Here);
  for (const Tensor *In : Ins)
    impl(*In, Op, Here);
  detail::requireWritable(X, Ins, Op, Here);
  const Tensor R = Compute();
  detail::requireShape(X, impl(R).L.Sizes, Op, Here);
  detail::requireType(X, impl(R).Type, Op, Here);
  X.copy_(R, false, Here);
  impl(X).Store->LastOp = Op;
}

// NOLINTBEGIN(bugprone-macro-parentheses)
#define METHOD(RESULT, NAME, PARAMS, ...)                                      \
  RESULT Tensor::NAME PARAMS const {                                           \
    return tensortidy::NAME(*this, __VA_ARGS__);                               \
  }
#define COMMA ,
METHOD(Tensor, prelu, (const Tensor &weight, Site Here), weight, Here)
METHOD(Tensor, hardshrink, (const Scalar &lambd, Site Here), lambd, Here)
METHOD(Tensor, isclose,
       (const Tensor &other, double rtol, double atol, bool equal_nan,
        Site Here),
       other, rtol, atol, equal_nan, Here)
METHOD(tuple<Tensor COMMA Tensor>, cummax, (int64_t dim, Site Here), dim, Here)
METHOD(tuple<Tensor COMMA Tensor>, cummin, (int64_t dim, Site Here), dim, Here)
METHOD(Tensor, median, (Site Here), Here)
METHOD(tuple<Tensor COMMA Tensor>, median,
       (int64_t dim, bool keepdim, Site Here), dim, keepdim, Here)
METHOD(Tensor, nanmedian, (Site Here), Here)
METHOD(tuple<Tensor COMMA Tensor>, nanmedian,
       (int64_t dim, bool keepdim, Site Here), dim, keepdim, Here)
METHOD(tuple<Tensor COMMA Tensor>, mode, (int64_t dim, bool keepdim, Site Here),
       dim, keepdim, Here)
METHOD(tuple<Tensor COMMA Tensor>, kthvalue,
       (int64_t k, int64_t dim, bool keepdim, Site Here), k, dim, keepdim, Here)
METHOD(Tensor, quantile,
       (double q, optional<int64_t> dim, bool keepdim,
        std::string_view interpolation, Site Here),
       q, dim, keepdim, interpolation, Here)
METHOD(Tensor, quantile,
       (const Tensor &q, optional<int64_t> dim, bool keepdim,
        std::string_view interpolation, Site Here),
       q, dim, keepdim, interpolation, Here)
METHOD(Tensor, nanquantile,
       (double q, optional<int64_t> dim, bool keepdim,
        std::string_view interpolation, Site Here),
       q, dim, keepdim, interpolation, Here)
METHOD(tuple<Tensor COMMA Tensor>, aminmax,
       (optional<int64_t> dim, bool keepdim, Site Here), dim, keepdim, Here)
METHOD(Tensor, nansum,
       (OptionalIntArrayRef dim, bool keepdim, optional<ScalarType> dtype,
        Site Here),
       dim, keepdim, dtype, Here)
METHOD(Tensor, nanmean,
       (OptionalIntArrayRef dim, bool keepdim, optional<ScalarType> dtype,
        Site Here),
       dim, keepdim, dtype, Here)
METHOD(Tensor, bincount,
       (const optional<Tensor> &weights, int64_t minlength, Site Here), weights,
       minlength, Here)
METHOD(Tensor, histc,
       (int64_t bins, const Scalar &min, const Scalar &max, Site Here), bins,
       min, max, Here)
METHOD(Tensor, diff,
       (int64_t n, int64_t dim, const optional<Tensor> &prepend,
        const optional<Tensor> &append, Site Here),
       n, dim, prepend, append, Here)
METHOD(Tensor, cov,
       (int64_t correction, const optional<Tensor> &fweights,
        const optional<Tensor> &aweights, Site Here),
       correction, fweights, aweights, Here)
METHOD(Tensor, corrcoef, (Site Here), Here)
METHOD(Tensor, dist, (const Tensor &other, const Scalar &p, Site Here), other,
       p, Here)
METHOD(Tensor, renorm,
       (const Scalar &p, int64_t dim, const Scalar &maxnorm, Site Here), p, dim,
       maxnorm, Here)
METHOD(Tensor, addmv,
       (const Tensor &mat, const Tensor &vec, const Scalar &beta,
        const Scalar &alpha, Site Here),
       mat, vec, beta, alpha, Here)
METHOD(Tensor, inner, (const Tensor &other, Site Here), other, Here)
METHOD(Tensor, kron, (const Tensor &other, Site Here), other, Here)
METHOD(Tensor, cross, (const Tensor &other, optional<int64_t> dim, Site Here),
       other, dim, Here)
METHOD(Tensor, scatter,
       (int64_t dim, const Tensor &index, const Scalar &value, Site Here), dim,
       index, value, Here)
METHOD(Tensor, scatter_reduce,
       (int64_t dim, const Tensor &index, const Tensor &src,
        std::string_view reduce, bool include_self, Site Here),
       dim, index, src, reduce, include_self, Here)
METHOD(Tensor, masked_scatter,
       (const Tensor &mask, const Tensor &source, Site Here), mask, source,
       Here)
METHOD(Tensor, index_copy,
       (int64_t dim, const Tensor &index, const Tensor &source, Site Here), dim,
       index, source, Here)
METHOD(Tensor, take_along_dim,
       (const Tensor &indices, optional<int64_t> dim, Site Here), indices, dim,
       Here)
METHOD(std::vector<Tensor>, nonzero_numpy, (Site Here), Here)
METHOD(Tensor, diag_embed,
       (int64_t offset, int64_t dim1, int64_t dim2, Site Here), offset, dim1,
       dim2, Here)
METHOD(Tensor, diagflat, (int64_t offset, Site Here), offset, Here)
METHOD(Tensor, multinomial, (int64_t num_samples, bool replacement, Site Here),
       num_samples, replacement, Here)
METHOD(Tensor, bernoulli, (Site Here), Here)
METHOD(Tensor, bernoulli, (double p, Site Here), p, Here)
#undef METHOD
#undef COMMA
// NOLINTEND(bugprone-macro-parentheses)

//===--- products -------------------------------------------------------===//

Tensor Tensor::addbmm(const Tensor &batch1, const Tensor &batch2,
                      const Scalar &beta, const Scalar &alpha,
                      Site Here) const {
  impl(*this, "addbmm", Here);
  const Tensor Sum =
      batch1.bmm(batch2, Here)
          .sum(0, false, impl(batch1, "addbmm", Here).Type, Here);
  const Tensor Bias = expand(Sum.sizes(), false, Here);
  if (batch1.size(0) == 0)
    return Bias.clone(nullopt, Here).mul_(beta, Here);
  const Tensor R = alpha.equal(1) ? Sum : Sum.mul(alpha, Here);
  return (beta.equal(0) ? R : Bias.mul(beta, Here).add(R, 1, Here))
      .to(batch1.scalar_type(), false, false, nullopt, Here);
}
Tensor Tensor::addr(const Tensor &vec1, const Tensor &vec2, const Scalar &beta,
                    const Scalar &alpha, Site Here) const {
  impl(*this, "addr", Here);
  // All is computed in the type of the result.
  const ScalarType Type =
      promoteTypes(scalar_type(), promoteTypes(impl(vec1, "addr", Here).Type,
                                               impl(vec2, "addr", Here).Type));
  const Tensor Scaled = detail::castTo(vec1, Type, Here)
                            .mul(alpha, Here)
                            .outer(detail::castTo(vec2, Type, Here), Here),
               Bias = detail::castTo(*this, Type, Here)
                          .expand(Scaled.sizes(), false, Here);
  return (beta.equal(0) ? Scaled : Bias.mul(beta, Here).add(Scaled, 1, Here))
      .to(Type, false, false, nullopt, Here);
}
#define SUMMED(NAME)                                                           \
  Tensor &Tensor::NAME##_(const Tensor &A, const Tensor &B,                    \
                          const Scalar &beta, const Scalar &alpha, Site Here)  \
      const {                                                                  \
    detail::requireNoInternalOverlap(*this, #NAME "_", Here);                  \
    become(*this, {}, #NAME "_", Here,                                         \
           [&] { return NAME(A, B, beta, alpha, Here); });                     \
    return self();                                                             \
  }
SUMMED(baddbmm)
SUMMED(addbmm)
SUMMED(addmv)
SUMMED(addr)
#undef SUMMED

//===--- into the tensor ------------------------------------------------===//

Tensor &Tensor::renorm_(const Scalar &p, int64_t dim, const Scalar &maxnorm,
                        Site Here) const {
  become(*this, {}, "renorm_", Here,
         [&] { return renorm(p, dim, maxnorm, Here); });
  return self();
}
Tensor &Tensor::masked_scatter_(const Tensor &mask, const Tensor &source,
                                Site Here) const {
  become(*this, {}, "masked_scatter_", Here, [&] {
    // The mask is broadcast, the tensor is not.
    const Tensor Wide = mask.expand(sizes(), false, Here);
    return masked_scatter(Wide, source, Here);
  });
  return self();
}
Tensor &Tensor::scatter_reduce_(int64_t dim, const Tensor &index,
                                const Tensor &src, std::string_view reduce,
                                bool include_self, Site Here) const {
  for (const Tensor *X : {&index, &src})
    detail::requireNoOverlap(*this, *X, "scatter_reduce_", Here, true);
  become(*this, {}, "scatter_reduce_", Here, [&] {
    return scatter_reduce(dim, index, src, reduce, include_self, Here);
  });
  return self();
}
static const char *reductionOf(std::string_view Name, Site Here) {
  if (Name == "add")
    return "sum";
  if (Name == "multiply")
    return "prod";
  detail::fail("scatter_: reduce must be add or multiply", Here);
}
Tensor &Tensor::scatter_(int64_t dim, const Tensor &index, const Tensor &src,
                         std::string_view reduce, Site Here) const {
  return scatter_reduce_(dim, index, src, reductionOf(reduce, Here), true,
                         Here);
}
Tensor &Tensor::scatter_(int64_t dim, const Tensor &index, const Scalar &value,
                         std::string_view reduce, Site Here) const {
  const Tensor Values =
      full(index.sizes(), value, TensorOptions(scalar_type()), Here);
  return scatter_reduce_(dim, index, Values, reductionOf(reduce, Here), true,
                         Here);
}
Tensor &Tensor::put_(const Tensor &index, const Tensor &source, bool accumulate,
                     Site Here) const {
  const char *Op = "put_";
  impl(*this, Op, Here);
  if (impl(index, Op, Here).Type != kLong)
    detail::fail("put_: the index must be of type Long", index, Here);
  if (impl(source, Op, Here).Type != scalar_type())
    detail::fail(std::string("put_: tensors of types ") +
                     tensortidy::toString(scalar_type()) + " and " +
                     tensortidy::toString(source.scalar_type()),
                 source, Here);
  if (index.numel() != source.numel())
    detail::fail("put_: a source of " + std::to_string(source.numel()) +
                     " elements does not fit " + std::to_string(index.numel()) +
                     " indices",
                 *this, Here);
  for (const Tensor *X : {&index, &source})
    detail::requireNoOverlap(*this, *X, Op, Here, true);
  become(*this, {}, Op, Here, [&] {
    const Tensor Flat = clone(MemoryFormat::Contiguous, Here).view({-1}, Here);
    const Tensor At = index.reshape({-1}, Here);
    const Tensor From = source.reshape({-1}, Here);
    if (At.numel() > 0 && (At.min(Here).item<int64_t>(Here) < -numel() ||
                           At.max(Here).item<int64_t>(Here) >= numel()))
      throw IndexError("put_: an index is out of range for size " +
                       std::to_string(numel()) + detail::place(Here));
    const Tensor Place =
        tensortidy::where(At.lt(0, Here), At.add(numel(), 1, Here), At, Here);
    return Flat.index_put_({optional<Tensor>(Place)}, From, accumulate, Here)
        .view(sizes(), Here);
  });
  return self();
}
Tensor Tensor::put(const Tensor &index, const Tensor &source, bool accumulate,
                   Site Here) const {
  return clone(nullopt, Here).put_(index, source, accumulate, Here);
}

//===--- a copy with some elements replaced -----------------------------===//

/// A copy of \p X; where such functions keep strides, of all its storage.
static Tensor wholeClone(const Tensor &X, Site Here) {
  const detail::Shape &L = impl(X).L;
  const auto Item = static_cast<int64_t>(elementSize(impl(X).Type)),
             Bytes = static_cast<int64_t>(impl(X).Store->Bytes);
  bool Repeats = false;
  for (size_t D = 0; D < L.rank(); ++D)
    Repeats =
        Repeats || (L.Strides[D] == 0 && L.Sizes[D] > 1 && X.numel() != 0);
  if (Repeats || Bytes % Item ||
      !detail::has(detail::Change::ScatterKeepsStrides))
    return X.clone(nullopt, Here);
  return X.as_strided({Bytes / Item}, {1}, 0, Here)
      .clone(nullopt, Here)
      .as_strided(X.sizes(), X.strides(), X.storage_offset(), Here);
}
/// \p Src in \p X where \p Part says; they must have the same sizes.
template <class F>
static Tensor replaced(const Tensor &X, const Tensor &Src, const char *Op,
                       Site Here, F Part) {
  impl(Src, Op, Here);
  const Tensor R = wholeClone(X, Here), Into = Part(R);
  if (Into.sizes() != Src.sizes())
    detail::fail(std::string(Op) + ": a source of sizes " +
                     detail::text(Src.sizes()) + " does not fit " +
                     detail::text(Into.sizes()),
                 X, Here);
  Into.copy_(Src, false, Here);
  return R;
}
Tensor Tensor::select_scatter(const Tensor &src, int64_t dim, int64_t index,
                              Site Here) const {
  return replaced(*this, src, "select_scatter", Here,
                  [&](const Tensor &R) { return R.select(dim, index, Here); });
}
Tensor Tensor::slice_scatter(const Tensor &src, int64_t dim,
                             optional<int64_t> start, optional<int64_t> end,
                             int64_t step, Site Here) const {
  return replaced(*this, src, "slice_scatter", Here, [&](const Tensor &R) {
    return R.slice(dim, start, end, step, Here);
  });
}
Tensor Tensor::diagonal_scatter(const Tensor &src, int64_t offset, int64_t dim1,
                                int64_t dim2, Site Here) const {
  return replaced(*this, src, "diagonal_scatter", Here, [&](const Tensor &R) {
    return R.diagonal(offset, dim1, dim2, Here);
  });
}

} // namespace tensortidy
