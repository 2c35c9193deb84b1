//===- Out.cpp - results into tensors that are there ----------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The result is made as without `out` and copied into it. An `out` of other
// sizes takes the result's layout; one of the same sizes keeps its own (rule
// A7). It must not overlap itself, nor partly an operand.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"
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
  Out.copy_(R, false, Here);
  impl(Out).Store->LastOp = Op;
  return Out;
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
    const bool Converts = std::strcmp(#NAME, "abs") != 0;                      \
    return into(out, self.NAME(Here), Converts, #NAME "_out", Here);           \
  }
TENSORTIDY_UNARY_METHODS(UNARY)
#undef UNARY
#define BINARY(NAME)                                                           \
  Tensor &NAME##_out(Tensor &out, const Tensor &self, const Tensor &other,     \
                     Site Here) {                                              \
    writable(out, {&self, &other}, #NAME "_out", Here);                        \
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
  return into(out, self.add(other, alpha, Here), true, "add_out", Here);
}
Tensor &sub_out(Tensor &out, const Tensor &self, const Tensor &other,
                const Scalar &alpha, Site Here) {
  writable(out, {&self, &other}, "sub_out", Here);
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

} // namespace tensortidy
