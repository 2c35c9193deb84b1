//===- Out.cpp - results into tensors that are there ----------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The result is made as without `out` and copied into it, or made in it (see
// Into). An `out` of other sizes takes the result's layout; one of the same
// sizes keeps its own. It must not overlap itself, nor partly an
// operand.
//
//===----------------------------------------------------------------------===//

#include "tensortidy/out.h"
#include "core/Release.h"
#include "kernels/Elementwise.h"
#include "tensortidy/forms.h"
#include <cstring>

namespace tensortidy {

using detail::impl;

/// \p R into \p Out. \p Converts says whether another element type will do.
static Tensor &into(Tensor &Out, const Tensor &R, bool Converts, const char *Op,
                    Site Here) {
  auto &O = impl(Out, Op, Here);
  if (Converts)
    detail::requireType(Out, impl(R).Type, Op, Here);
  else if (O.Type != impl(R).Type)
    detail::fail(std::string(Op) + ": the result has type " +
                     toString(impl(R).Type) + ", out has " + toString(O.Type),
                 Out, Here);
  if (O.L.Sizes != impl(R).L.Sizes) {
    Out.resize_(R.sizes(), nullopt, Here);
    O.L.Strides = impl(R).L.Strides;
    O.Op = Op;
    O.Made = Here;
  }
  detail::requireNoInternalOverlap(Out, Op, Here);
  if (&impl(R) == &O)
    detail::wrote(Out, Op, Here); // see Into
  else
    Out.copy_(R, false, Here);
  impl(Out).Store->LastOp = Op;
  return Out;
}
Tensor &detail::intoOut(OutHere Out, const Tensor &R, const char *Op) {
  return into(Out.X, R, true, Op, Out.Here);
}
/// What element-wise operations require of \p Out before they compute.
static void writable(const Tensor &Out,
                     std::initializer_list<const Tensor *> Ins, const char *Op,
                     Site Here) {
  impl(Out, Op, Here);
  for (const Tensor *In : Ins)
    impl(*In, Op, Here);
  detail::requireWritable(Out, Ins, Op, Here);
}
static void apart(const Tensor &Out, std::initializer_list<const Tensor *> Ins,
                  const char *Op, Site Here) {
  impl(Out, Op, Here);
  detail::requireNoInternalOverlap(Out, Op, Here);
  for (const Tensor *In : Ins) {
    impl(*In, Op, Here);
    detail::requireNoOverlap(Out, *In, Op, Here, /*OrFull=*/true);
  }
}

// NOLINTBEGIN(bugprone-macro-parentheses)
#define UNARY(NAME)                                                            \
  Tensor &NAME##_out(Tensor &out, const Tensor &self, Site Here) {             \
    writable(out, {&self}, #NAME "_out", Here);                                \
    const detail::Into There(out, {&self});                                    \
    const bool Converts = std::strcmp(#NAME, "abs") != 0;                      \
    return into(out, self.NAME(Here), Converts, #NAME "_out", Here);           \
  }
TENSORTIDY_UNARY_METHODS(UNARY)
#undef UNARY
#define BINARY(NAME)                                                           \
  Tensor &NAME##_out(Tensor &out, const Tensor &self, const Tensor &other,     \
                     Site Here) {                                              \
    writable(out, {&self, &other}, #NAME "_out", Here);                        \
    const detail::Into There(out, {&self, &other});                            \
    return into(out, self.NAME(other, Here), true, #NAME "_out", Here);        \
  }
TENSORTIDY_BINARY_METHODS(BINARY)
TENSORTIDY_TENSOR_BINARY_METHODS(BINARY)
TENSORTIDY_TENSOR_INPLACE_METHODS(BINARY)
BINARY(pow)
#undef BINARY
/// libtorch does not look for overlap with operands here and then computes
/// garbage; ours computes first. It looks at what `out` has become.
#define PRODUCT(NAME)                                                          \
  Tensor &NAME##_out(Tensor &out, const Tensor &self, const Tensor &other,     \
                     Site Here) {                                              \
    impl(out, #NAME "_out", Here);                                             \
    const Tensor R = self.NAME(other, Here);                                   \
    impl(R).L = layout::denseLayout(detail::Ar, impl(R).L.Sizes);              \
    return into(out, R, false, #NAME "_out", Here);                            \
  }
PRODUCT(matmul)
PRODUCT(mm)
PRODUCT(bmm)
PRODUCT(mv)
PRODUCT(dot)
#undef PRODUCT
// NOLINTEND(bugprone-macro-parentheses)

Tensor &add_out(Tensor &out, const Tensor &self, const Tensor &other,
                const Scalar &alpha, Site Here) {
  writable(out, {&self, &other}, "add_out", Here);
  const detail::Into There(out, {&self, &other});
  return into(out, self.add(other, alpha, Here), true, "add_out", Here);
}
Tensor &sub_out(Tensor &out, const Tensor &self, const Tensor &other,
                const Scalar &alpha, Site Here) {
  writable(out, {&self, &other}, "sub_out", Here);
  const detail::Into There(out, {&self, &other});
  return into(out, self.sub(other, alpha, Here), true, "sub_out", Here);
}
static void apartFromAll(const Tensor &Out, TensorList Ins, const char *Op,
                         Site Here) {
  for (const Tensor &X : Ins)
    apart(Out, {&X}, Op, Here);
}
Tensor &cat_out(Tensor &out, TensorList tensors, int64_t dim, Site Here) {
  const Tensor R = cat(tensors, dim, Here);
  // Empty vectors are left out; when nothing remains, libtorch looks no
  // further. It looks at what `out` has become.
  bool Any = false;
  for (const Tensor &X : tensors)
    Any = Any || X.dim() != 1 || X.numel() != 0;
  if (Any && out.defined() && out.sizes() == R.sizes())
    apartFromAll(out, tensors, "cat_out", Here);
  else if (Any)
    for (const Tensor &X : tensors)
      detail::requireNoOverlap(out, X, "cat_out", Here, /*OrFull=*/true);
  return into(out, R, true, "cat_out", Here);
}
Tensor &stack_out(Tensor &out, TensorList tensors, int64_t dim, Site Here) {
  apartFromAll(out, tensors, "stack_out", Here);
  return into(out, stack(tensors, dim, Here), true, "stack_out", Here);
}
Tensor &sum_out(Tensor &out, const Tensor &self, OptionalIntArrayRef dim,
                bool keepdim, optional<ScalarType> dtype, Site Here) {
  if (!dtype)
    dtype = impl(out, "sum_out", Here).Type;
  return into(out, self.sum(dim, keepdim, dtype, Here), false, "sum_out", Here);
}
Tensor &mean_out(Tensor &out, const Tensor &self, OptionalIntArrayRef dim,
                 bool keepdim, optional<ScalarType> dtype, Site Here) {
  return into(out, self.mean(dim, keepdim, dtype, Here), false, "mean_out",
              Here);
}
Tensor &index_select_out(Tensor &out, const Tensor &self, int64_t dim,
                         const Tensor &index, Site Here) {
  apart(out, {&self, &index}, "index_select_out", Here);
  return into(out, self.index_select(dim, index, Here), false,
              "index_select_out", Here);
}
Tensor &gather_out(Tensor &out, const Tensor &self, int64_t dim,
                   const Tensor &index, bool sparse_grad, Site Here) {
  apart(out, {&self, &index}, "gather_out", Here);
  return into(out, self.gather(dim, index, sparse_grad, Here), false,
              "gather_out", Here);
}
Tensor &softmax_out(Tensor &out, const Tensor &self, int64_t dim,
                    optional<ScalarType> dtype, Site Here) {
  writable(out, {}, "softmax_out", Here);
  return into(out, self.softmax(dim, dtype, Here), false, "softmax_out", Here);
}
Tensor &addmm_out(Tensor &out, const Tensor &self, const Tensor &mat1,
                  const Tensor &mat2, const Scalar &beta, const Scalar &alpha,
                  Site Here) {
  writable(out, {&self}, "addmm_out", Here);
  return into(out, self.addmm(mat1, mat2, beta, alpha, Here), false,
              "addmm_out", Here);
}

/// \p R into \p Out, whatever its type.
static Tensor &copiedInto(Tensor &Out, const Tensor &R, const char *Op,
                          Site Here) {
  if (impl(Out, Op, Here).L.Sizes != impl(R).L.Sizes)
    Out.resize_(R.sizes(), nullopt, Here);
  return Out.copy_(R, false, Here);
}
/// What computes in the type of \p Out.
static Tensor inTypeOf(const Tensor &Out, const Tensor &X, Site Here) {
  return isFloatingType(Out.scalar_type()) && X.is_floating_point()
             ? X.to(Out.scalar_type(), false, false, nullopt, Here)
             : X;
}
Tensor &add_out(Tensor &out, const Tensor &self, const Scalar &other,
                const Scalar &alpha, Site Here) {
  if (const ScalarType Type = result_type(self, other);
      Type != impl(out, "add_out", Here).Type &&
      detail::has(detail::Change::AddOutKeepsType))
    detail::fail(std::string("add_out: the result has type ") + toString(Type) +
                     ", out has " + toString(out.scalar_type()),
                 out, Here);
  return copiedInto(out, self.add(other, alpha, Here), "add_out", Here);
}
Tensor &sub_out(Tensor &out, const Tensor &self, const Scalar &other,
                const Scalar &alpha, Site Here) {
  return copiedInto(out, self.sub(other, alpha, Here), "sub_out", Here);
}
Tensor &mul_out(Tensor &out, const Tensor &self, const Scalar &other,
                Site Here) {
  return copiedInto(out, self.mul(other, Here), "mul_out", Here);
}
Tensor &div_out(Tensor &out, const Tensor &self, const Scalar &other,
                Site Here) {
  return copiedInto(out, self.div(other, Here), "div_out", Here);
}
Tensor &full_out(Tensor &out, IntArrayRef size, const Scalar &fill_value,
                 Site Here) {
  out.resize_(size, nullopt, Here);
  return out.fill_(fill_value, Here);
}
Tensor &zeros_out(Tensor &out, IntArrayRef size, Site Here) {
  return full_out(out, size, 0, Here);
}
Tensor &ones_out(Tensor &out, IntArrayRef size, Site Here) {
  return full_out(out, size, 1, Here);
}
Tensor &arange_out(Tensor &out, const Scalar &start, const Scalar &end,
                   const Scalar &step, Site Here) {
  detail::requireNotBool(out, "arange_out", Here);
  const Tensor R =
      arange(start, end, step, TensorOptions(out.scalar_type()), Here);
  // As many elements as there are stay in their sizes.
  return copiedInto(out,
                    out.numel() == R.numel() ? R.view(out.sizes(), Here) : R,
                    "arange_out", Here);
}
Tensor &arange_out(Tensor &out, const Scalar &end, Site Here) {
  return arange_out(out, 0, end, 1, Here);
}
Tensor &eye_out(Tensor &out, int64_t n, int64_t m, Site Here) {
  zeros_out(out, {n, m}, Here).diagonal(0, 0, 1, Here).fill_(1, Here);
  return out;
}
Tensor &eye_out(Tensor &out, int64_t n, Site Here) {
  return eye_out(out, n, n, Here);
}

// NOLINTBEGIN(bugprone-macro-parentheses)
#define UNPACK(...) __VA_ARGS__
#define OUT(NAME, PARAMS, INS, CONVERTS, ...)                                  \
  Tensor &NAME##_out(Tensor &out, UNPACK PARAMS, Site Here) {                  \
    const std::initializer_list<const Tensor *> Ins = {UNPACK INS};            \
    if (Ins.size() != 0) /* reductions look at what out has become */          \
      writable(out, Ins, #NAME "_out", Here);                                  \
    return into(out, __VA_ARGS__, CONVERTS, #NAME "_out", Here);               \
  }
/// Running sums and products look at what `out` has become, when there is a
/// row to run along.
#define RUNNING(NAME)                                                          \
  Tensor &NAME##_out(Tensor &out, const Tensor &self, int64_t dim,             \
                     optional<ScalarType> dtype, Site Here) {                  \
    impl(out, #NAME "_out", Here);                                             \
    const Tensor R = self.NAME(dim, dtype ? dtype : out.scalar_type(), Here);  \
    if (out.sizes() != R.sizes())                                              \
      out.resize_(R.sizes(), nullopt, Here);                                   \
    if (self.dim() != 0 && self.numel() != 0 &&                                \
        self.scalar_type() == out.scalar_type())                               \
      writable(out, {&self}, #NAME "_out", Here);                              \
    return into(out, R, false, #NAME "_out", Here);                            \
  }
RUNNING(cumsum)
RUNNING(cumprod)
#undef RUNNING
#define TWO(NAME, FIRST, SECOND, PARAMS, ...)                                  \
  std::tuple<Tensor &, Tensor &> NAME##_out(Tensor &FIRST, Tensor &SECOND,     \
                                            UNPACK PARAMS, Site Here) {        \
    const auto [A, B] = __VA_ARGS__;                                           \
    return {into(FIRST, A, false, #NAME "_out", Here),                         \
            into(SECOND, B, false, #NAME "_out", Here)};                       \
  }
OUT(linspace, (const Scalar &start, const Scalar &end, int64_t steps), (),
    false, linspace(start, end, steps, TensorOptions(out.scalar_type()), Here))
OUT(rand, (IntArrayRef size), (), false,
    rand(size, TensorOptions(out.scalar_type()), Here))
OUT(randn, (IntArrayRef size), (), false,
    randn(size, TensorOptions(out.scalar_type()), Here))
OUT(randperm, (int64_t n), (), false,
    randperm(n, TensorOptions(out.scalar_type()), Here))
OUT(sum, (const Tensor &self, optional<ScalarType> dtype), (), false,
    self.sum(dtype ? dtype : out.scalar_type(), Here))
OUT(prod,
    (const Tensor &self, int64_t dim, bool keepdim, optional<ScalarType> dtype),
    (), false, self.prod(dim, keepdim, dtype ? dtype : out.scalar_type(), Here))
OUT(amax, (const Tensor &self, IntArrayRef dim, bool keepdim), (), false,
    self.amax(dim, keepdim, Here))
OUT(amin, (const Tensor &self, IntArrayRef dim, bool keepdim), (), false,
    self.amin(dim, keepdim, Here))
OUT(argmax, (const Tensor &self, optional<int64_t> dim, bool keepdim), (),
    false, self.argmax(dim, keepdim, Here))
OUT(argmin, (const Tensor &self, optional<int64_t> dim, bool keepdim), (),
    false, self.argmin(dim, keepdim, Here))
OUT(all, (const Tensor &self, int64_t dim, bool keepdim), (), false,
    self.all(dim, keepdim, Here))
OUT(any, (const Tensor &self, int64_t dim, bool keepdim), (), false,
    self.any(dim, keepdim, Here))
OUT(var,
    (const Tensor &self, OptionalIntArrayRef dim, bool unbiased, bool keepdim),
    (), false, inTypeOf(out, self, Here).var(dim, unbiased, keepdim, Here))
OUT(std,
    (const Tensor &self, OptionalIntArrayRef dim, bool unbiased, bool keepdim),
    (), false, inTypeOf(out, self, Here).std(dim, unbiased, keepdim, Here))
OUT(norm,
    (const Tensor &self, const optional<Scalar> &p, IntArrayRef dim,
     bool keepdim),
    (), false, inTypeOf(out, self, Here).norm(p, dim, keepdim, Here))
OUT(logsumexp, (const Tensor &self, IntArrayRef dim, bool keepdim), (), false,
    inTypeOf(out, self, Here).logsumexp(dim, keepdim, Here))
OUT(log_softmax, (const Tensor &self, int64_t dim, optional<ScalarType> dtype),
    (), false, self.log_softmax(dim, dtype, Here))
OUT(triu, (const Tensor &self, int64_t diagonal), (), false,
    self.triu(diagonal, Here))
OUT(tril, (const Tensor &self, int64_t diagonal), (), false,
    self.tril(diagonal, Here))
OUT(diag, (const Tensor &self, int64_t diagonal), (), false,
    self.diag(diagonal, Here))
OUT(max, (const Tensor &self, const Tensor &other), (&self, &other), true,
    self.maximum(other, Here))
OUT(min, (const Tensor &self, const Tensor &other), (&self, &other), true,
    self.minimum(other, Here))
OUT(clamp,
    (const Tensor &self, const optional<Scalar> &min,
     const optional<Scalar> &max),
    (&self), false, self.clamp(min, max, Here))
OUT(clamp_min, (const Tensor &self, const Scalar &min), (&self), false,
    self.clamp_min(min, Here))
OUT(clamp_max, (const Tensor &self, const Scalar &max), (&self), false,
    self.clamp_max(max, Here))
OUT(div,
    (const Tensor &self, const Tensor &other,
     optional<std::string_view> rounding_mode),
    (&self, &other), true, self.div(other, rounding_mode, Here))
OUT(pow, (const Tensor &self, const Scalar &exponent), (&self),
    detail::has(detail::Change::OutConverts), self.pow(exponent, Here))
OUT(eq, (const Tensor &self, const Scalar &other), (&self), true,
    self.eq(other, Here))
OUT(ne, (const Tensor &self, const Scalar &other), (&self), true,
    self.ne(other, Here))
OUT(lt, (const Tensor &self, const Scalar &other), (&self), true,
    self.lt(other, Here))
OUT(le, (const Tensor &self, const Scalar &other), (&self), true,
    self.le(other, Here))
OUT(gt, (const Tensor &self, const Scalar &other), (&self), true,
    self.gt(other, Here))
OUT(ge, (const Tensor &self, const Scalar &other), (&self), true,
    self.ge(other, Here))
OUT(remainder, (const Tensor &self, const Scalar &other), (&self), true,
    self.remainder(other, Here))
OUT(fmod, (const Tensor &self, const Scalar &other), (&self), true,
    self.fmod(other, Here))
OUT(where, (const Tensor &condition, const Tensor &self, const Tensor &other),
    (&condition, &self, &other), false, where(condition, self, other, Here))
OUT(lerp, (const Tensor &self, const Tensor &end, const Scalar &weight),
    (&self, &end), true, self.lerp(end, weight, Here))
OUT(lerp, (const Tensor &self, const Tensor &end, const Tensor &weight),
    (&self, &end, &weight), true, self.lerp(end, weight, Here))
OUT(addcmul,
    (const Tensor &self, const Tensor &tensor1, const Tensor &tensor2,
     const Scalar &value),
    (&self, &tensor1, &tensor2), detail::has(detail::Change::OutConverts),
    self.addcmul(tensor1, tensor2, value, Here))
OUT(addcdiv,
    (const Tensor &self, const Tensor &tensor1, const Tensor &tensor2,
     const Scalar &value),
    (&self, &tensor1, &tensor2), detail::has(detail::Change::OutConverts),
    self.addcdiv(tensor1, tensor2, value, Here))
OUT(silu, (const Tensor &self), (&self), false, silu(self, Here))
OUT(gelu, (const Tensor &self, std::string_view approximate), (&self), false,
    gelu(self, approximate, Here))
OUT(leaky_relu, (const Tensor &self, const Scalar &negative_slope), (&self),
    false, leaky_relu(self, negative_slope, Here))
OUT(addmv,
    (const Tensor &self, const Tensor &mat, const Tensor &vec,
     const Scalar &beta, const Scalar &alpha),
    (), false, self.addmv(mat, vec, beta, alpha, Here))
OUT(baddbmm,
    (const Tensor &self, const Tensor &batch1, const Tensor &batch2,
     const Scalar &beta, const Scalar &alpha),
    (), false, self.baddbmm(batch1, batch2, beta, alpha, Here))
OUT(outer, (const Tensor &self, const Tensor &vec2), (&self, &vec2), true,
    self.outer(vec2, Here))
OUT(masked_select, (const Tensor &self, const Tensor &mask), (&self, &mask),
    false, self.masked_select(mask, Here))
OUT(nonzero, (const Tensor &self), (&self), false, self.nonzero(Here))
OUT(take, (const Tensor &self, const Tensor &index), (&self, &index), false,
    self.take(index, Here))
OUT(vstack, (TensorList tensors), (), true, vstack(tensors, Here))
OUT(hstack, (TensorList tensors), (), true, hstack(tensors, Here))
TWO(max, max, max_values, (const Tensor &self, int64_t dim, bool keepdim),
    self.max(dim, keepdim, Here))
TWO(min, min, min_indices, (const Tensor &self, int64_t dim, bool keepdim),
    self.min(dim, keepdim, Here))
TWO(sort, values, indices, (const Tensor &self, int64_t dim, bool descending),
    self.sort(dim, descending, Here))
TWO(topk, values, indices,
    (const Tensor &self, int64_t k, int64_t dim, bool largest, bool sorted),
    self.topk(k, dim, largest, sorted, Here))
#undef TWO
#undef OUT
#undef UNPACK
// NOLINTEND(bugprone-macro-parentheses)

} // namespace tensortidy
