//===- forms.h - more ways to call what there is ----------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NAME_out(out, ...) and NAME_copy(...) of functions that compute a new tensor,
// and factories with their options one by one. <tensortidy/out.h> has those
// NAME_out() that have rules of their own.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FORMS_H
#define TENSORTIDY_FORMS_H

#include "tensortidy/functional.h"
#include "tensortidy/out.h"
#include "tensortidy/recurrent.h"
#include <type_traits>

namespace tensortidy {

namespace detail {
/// Where a result goes, with the place of the call.
struct OutHere {
  OutHere(Tensor &X, Site Here = Site::current()) : X(X), Here(Here) {}
  Tensor &X;
  Site Here;
};
/// \p R becomes the elements of \p Out, which is resized where it must be.
Tensor &intoOut(OutHere Out, const Tensor &R, const char *Op);
template <class R>
using IfTensor =
    std::enable_if_t<std::is_convertible_v<R, const Tensor &>, Tensor &>;
} // namespace detail

// NOLINTBEGIN(bugprone-macro-parentheses)
/// The second takes a list in braces, too.
#define OUT(NAME)                                                              \
  template <class... A>                                                        \
  auto NAME##_out(detail::OutHere out, A &&...args)                            \
      ->detail::IfTensor<decltype(tensortidy::NAME(                            \
          std::forward<A>(args)...))> {                                        \
    return detail::intoOut(out, tensortidy::NAME(std::forward<A>(args)...),    \
                           #NAME "_out");                                      \
  }                                                                            \
  template <class... A>                                                        \
  auto NAME##_out(detail::OutHere out, const Tensor &self, IntArrayRef list,   \
                  A &&...args)                                                 \
      ->detail::IfTensor<decltype(tensortidy::NAME(                            \
          self, list, std::forward<A>(args)...))> {                            \
    return detail::intoOut(                                                    \
        out, tensortidy::NAME(self, list, std::forward<A>(args)...),           \
        #NAME "_out");                                                         \
  }
/// With a number among the operands.
#define MIXED(NAME)                                                            \
  template <class... A,                                                        \
            class =                                                            \
                std::enable_if_t<!(std::is_convertible_v<A, Tensor> && ...)>>  \
  auto NAME##_out(detail::OutHere out, A &&...args)                            \
      ->detail::IfTensor<decltype(tensortidy::NAME(                            \
          std::forward<A>(args)...))> {                                        \
    return detail::intoOut(out, tensortidy::NAME(std::forward<A>(args)...),    \
                           #NAME "_out");                                      \
  }
#define TWO(NAME)                                                              \
  template <class... A,                                                        \
            class R = decltype(tensortidy::NAME(std::declval<A>()...)),        \
            class = std::enable_if_t<std::tuple_size_v<R> == 2>>               \
  std::tuple<Tensor &, Tensor &> NAME##_out(detail::OutHere out0,              \
                                            Tensor &out1, A &&...args) {       \
    const R Both = tensortidy::NAME(std::forward<A>(args)...);                 \
    return {                                                                   \
        detail::intoOut(out0, std::get<0>(Both), #NAME "_out"),                \
        detail::intoOut({out1, out0.Here}, std::get<1>(Both), #NAME "_out")};  \
  }
#define THREE(NAME)                                                            \
  template <class... A,                                                        \
            class R = decltype(tensortidy::NAME(std::declval<A>()...)),        \
            class = std::enable_if_t<std::tuple_size_v<R> == 3>>               \
  std::tuple<Tensor &, Tensor &, Tensor &> NAME##_out(                         \
      detail::OutHere out0, Tensor &out1, Tensor &out2, A &&...args) {         \
    const R All = tensortidy::NAME(std::forward<A>(args)...);                  \
    return {                                                                   \
        detail::intoOut(out0, std::get<0>(All), #NAME "_out"),                 \
        detail::intoOut({out1, out0.Here}, std::get<1>(All), #NAME "_out"),    \
        detail::intoOut({out2, out0.Here}, std::get<2>(All), #NAME "_out")};   \
  }
// clang-format off
#define ALL(M)                                                                 \
  M(adaptive_avg_pool2d) M(adaptive_avg_pool3d) M(addbmm) M(addr)              \
  M(affine_grid_generator) M(angle) M(argsort) M(avg_pool2d) M(avg_pool3d)     \
  M(bernoulli) M(binary_cross_entropy) M(binary_cross_entropy_with_logits)     \
  M(bincount) M(block_diag) M(bucketize) M(celu) M(chain_matmul)               \
  M(channel_shuffle) M(cholesky) M(cholesky_inverse) M(cholesky_solve)         \
  M(clip) M(clone) M(col2im) M(column_stack) M(concat) M(conj_physical)        \
  M(constant_pad_nd) M(count_nonzero) M(cross) M(diag_embed)                   \
  M(diagonal_scatter) M(diff) M(dist) M(dstack) M(elu) M(embedding) M(flip)    \
  M(full_like) M(ger) M(glu) M(grid_sampler) M(group_norm) M(hardshrink)       \
  M(hardsigmoid) M(hardswish) M(hardtanh) M(histc) M(huber_loss) M(igamma)     \
  M(igammac) M(im2col) M(index) M(index_add) M(index_copy) M(index_fill)       \
  M(index_put) M(inner) M(inverse) M(isin) M(isinf) M(isnan) M(isneginf)       \
  M(isposinf) M(kron) M(linalg_cholesky) M(linalg_cond) M(linalg_cross)        \
  M(linalg_det) M(linalg_eigvalsh) M(linalg_householder_product)               \
  M(linalg_inv) M(linalg_lu_solve) M(linalg_matmul) M(linalg_matrix_exp)       \
  M(linalg_matrix_norm) M(linalg_matrix_power) M(linalg_matrix_rank)           \
  M(linalg_multi_dot) M(linalg_norm) M(linalg_pinv) M(linalg_solve)            \
  M(linalg_solve_triangular) M(linalg_svdvals) M(linalg_tensorinv)             \
  M(linalg_tensorsolve) M(linalg_vecdot) M(linalg_vector_norm) M(linear)       \
  M(log_sigmoid) M(logcumsumexp) M(logit) M(logspace) M(lu_solve)              \
  M(masked_fill) M(masked_scatter) M(matrix_power) M(max_unpool2d) M(median)   \
  M(mish) M(mse_loss) M(msort) M(multi_margin_loss) M(multilabel_margin_loss)  \
  M(multinomial) M(mvlgamma) M(nan_to_num) M(nanmean) M(nanmedian)             \
  M(nanquantile) M(nansum) M(narrow_copy) M(nll_loss) M(normal)                \
  M(nuclear_norm) M(ones_like) M(orgqr) M(pixel_shuffle) M(pixel_unshuffle)    \
  M(polygamma) M(prelu) M(put) M(quantile) M(rand_like) M(randint_like)        \
  M(randn_like) M(range) M(reflection_pad1d) M(reflection_pad2d) M(renorm)     \
  M(repeat_interleave) M(replication_pad1d) M(replication_pad2d) M(rot90)      \
  M(row_stack) M(rsub) M(scatter) M(scatter_add) M(scatter_reduce)             \
  M(searchsorted) M(select_scatter) M(signbit) M(slice_scatter)                \
  M(smooth_l1_loss) M(soft_margin_loss) M(softplus) M(softshrink)              \
  M(special_bessel_j0) M(special_bessel_j1) M(special_bessel_y0)               \
  M(special_bessel_y1) M(special_digamma) M(special_entr) M(special_erf)       \
  M(special_erfc) M(special_erfcx) M(special_erfinv) M(special_exp2)           \
  M(special_expit) M(special_expm1) M(special_gammainc) M(special_gammaincc)   \
  M(special_gammaln) M(special_i0) M(special_i0e) M(special_i1)                \
  M(special_i1e) M(special_log1p) M(special_log_ndtr) M(special_logit)         \
  M(special_logsumexp) M(special_multigammaln) M(special_ndtr)                 \
  M(special_ndtri) M(special_polygamma) M(special_psi) M(special_sinc)         \
  M(special_xlog1py) M(special_xlogy) M(special_zeta) M(subtract)              \
  M(take_along_dim) M(tensordot) M(threshold) M(trace) M(upsample_bicubic2d)   \
  M(upsample_bilinear2d) M(upsample_nearest1d) M(upsample_nearest2d) M(vdot)   \
  M(zeros_like)
ALL(OUT)
#undef ALL
#define ALL(M)                                                                 \
  M(bitwise_and) M(bitwise_left_shift) M(bitwise_or) M(bitwise_right_shift)    \
  M(bitwise_xor) M(copysign) M(float_power) M(floor_divide) M(greater)         \
  M(greater_equal) M(less) M(less_equal) M(not_equal) M(xlogy)
ALL(MIXED)
#undef ALL
#define ALL(M)                                                                 \
  M(adaptive_max_pool2d) M(aminmax) M(cummax) M(cummin) M(frexp) M(geqrf)      \
  M(histogram) M(kthvalue) M(linalg_cholesky_ex) M(linalg_eigh)                \
  M(linalg_inv_ex) M(linalg_lu_factor) M(linalg_qr) M(linalg_slogdet)          \
  M(linalg_solve_ex) M(max_pool2d_with_indices) M(max_pool3d_with_indices)     \
  M(median) M(mode) M(nanmedian) M(qr) M(slogdet) M(std_mean)                  \
  M(triangular_solve) M(var_mean)
ALL(TWO)
#undef ALL
#define ALL(M)                                                                 \
  M(linalg_lu) M(linalg_lu_factor_ex) M(linalg_svd) M(lu_unpack) M(svd)        \
  M(unique_consecutive) M(unique_dim)
ALL(THREE)
#undef ALL
// clang-format on
#undef OUT
#undef MIXED
#undef TWO
#undef THREE
inline Tensor &roll_out(detail::OutHere out, const Tensor &self,
                        IntArrayRef shifts, IntArrayRef dims = {}) {
  return detail::intoOut(out, self.roll(shifts, dims, out.Here), "roll_out");
}

/// Views as tensors of their own.
#define COPIED(NAME)                                                           \
  template <class... A>                                                        \
  auto NAME##_copy(const Tensor &self, A &&...args)                            \
      ->decltype(tensortidy::NAME(self, std::forward<A>(args)...)) {           \
    return tensortidy::NAME(self, std::forward<A>(args)...)                    \
        .clone(MemoryFormat::Contiguous);                                      \
  }                                                                            \
  template <class... A>                                                        \
  auto NAME##_copy(const Tensor &self, IntArrayRef list, A &&...args)          \
      ->decltype(tensortidy::NAME(self, list, std::forward<A>(args)...)) {     \
    return tensortidy::NAME(self, list, std::forward<A>(args)...)              \
        .clone(MemoryFormat::Contiguous);                                      \
  }
COPIED(alias)
COPIED(as_strided)
COPIED(detach)
COPIED(diagonal)
COPIED(permute)
COPIED(select)
COPIED(slice)
COPIED(squeeze)
COPIED(t)
COPIED(transpose)
COPIED(unsqueeze)
#undef COPIED
inline Tensor expand_copy(const Tensor &self, IntArrayRef size,
                          bool implicit = false, Site Here = Site::current()) {
  return self.expand(size, implicit, Here)
      .clone(MemoryFormat::Contiguous, Here);
}
inline Tensor view_copy(const Tensor &self, IntArrayRef size,
                        Site Here = Site::current()) {
  return self.view(size, Here).clone(MemoryFormat::Contiguous, Here);
}
inline Tensor view_copy(const Tensor &self, ScalarType dtype,
                        Site Here = Site::current()) {
  return self.view(dtype, Here).clone(MemoryFormat::Contiguous, Here);
}
inline Tensor unfold_copy(const Tensor &self, int64_t dimension, int64_t size,
                          int64_t step, Site Here = Site::current()) {
  return self.unfold(dimension, size, step, Here)
      .clone(MemoryFormat::Contiguous, Here);
}

#define HERE Site Here = Site::current()
/// Views of it into tensors that are there.
#define COPIED(NAME, PARAMS, ...)                                              \
  inline Tensor &NAME##_copy_out(detail::OutHere out,                          \
                                 const Tensor &self UNPACK PARAMS) {           \
    return detail::intoOut(out, self.NAME(__VA_ARGS__), #NAME "_copy_out");    \
  }
#define UNPACK(...) __VA_ARGS__
#define AND ,
COPIED(alias, (), out.Here)
COPIED(detach, (), out.Here)
COPIED(t, (), out.Here)
COPIED(squeeze, (), out.Here)
COPIED(squeeze, (AND int64_t dim), dim, out.Here)
COPIED(unsqueeze, (AND int64_t dim), dim, out.Here)
COPIED(permute, (AND IntArrayRef dims), dims, out.Here)
COPIED(transpose, (AND int64_t dim0, int64_t dim1), dim0, dim1, out.Here)
COPIED(select, (AND int64_t dim, int64_t index), dim, index, out.Here)
COPIED(expand, (AND IntArrayRef size, bool implicit = false), size, implicit,
       out.Here)
COPIED(view, (AND IntArrayRef size), size, out.Here)
COPIED(view, (AND ScalarType dtype), dtype, out.Here)
COPIED(unfold, (AND int64_t dimension, int64_t size, int64_t step), dimension,
       size, step, out.Here)
COPIED(diagonal, (AND int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1),
       offset, dim1, dim2, out.Here)
COPIED(slice,
       (AND int64_t dim = 0, optional<int64_t> start = nullopt,
        optional<int64_t> end = nullopt, int64_t step = 1),
       dim, start, end, step, out.Here)
COPIED(as_strided,
       (AND IntArrayRef size, IntArrayRef stride,
        optional<int64_t> storage_offset = nullopt),
       size, stride, storage_offset, out.Here)
#undef COPIED
#undef AND
inline std::vector<Tensor> unbind_copy(const Tensor &self, int64_t dim = 0,
                                       HERE) {
  return self.clone(MemoryFormat::Contiguous, Here).unbind(dim, Here);
}
inline std::vector<Tensor> split_copy(const Tensor &self, int64_t split_size,
                                      int64_t dim = 0, HERE) {
  return self.clone(MemoryFormat::Contiguous, Here)
      .split(split_size, dim, Here);
}
inline std::vector<Tensor> split_with_sizes_copy(const Tensor &self,
                                                 IntArrayRef split_sizes,
                                                 int64_t dim = 0, HERE) {
  return self.clone(MemoryFormat::Contiguous, Here)
      .split_with_sizes(split_sizes, dim, Here);
}

//===--- further parameters ---------------------------------------------===//

#define SELF Tensor &self
#define FORWARD(RESULT, NAME, PARAMS, ARGS)                                    \
  inline RESULT NAME PARAMS { return self.NAME ARGS; }
FORWARD(Tensor &, clamp_,
        (SELF, const optional<Tensor> &min = {},
         const optional<Tensor> &max = {}, HERE),
        (min, max, Here))
FORWARD(Tensor &, clamp_max_, (SELF, const Tensor &max, HERE), (max, Here))
FORWARD(Tensor &, clamp_min_, (SELF, const Tensor &min, HERE), (min, Here))
FORWARD(Tensor &, clip_,
        (SELF, const optional<Scalar> &min,
         const optional<Scalar> &max = nullopt, HERE),
        (min, max, Here))
FORWARD(Tensor &, ldexp_, (SELF, const Tensor &other, HERE), (other, Here))
FORWARD(Tensor &, addmv_,
        (SELF, const Tensor &mat, const Tensor &vec, const Scalar &beta = 1,
         const Scalar &alpha = 1, HERE),
        (mat, vec, beta, alpha, Here))
#undef FORWARD
#undef SELF
#define SELF const Tensor &self
inline Tensor clip(SELF, const optional<Tensor> &min = {},
                   const optional<Tensor> &max = {}, HERE) {
  return self.clamp(min, max, Here);
}
inline Tensor &clamp_out(Tensor &out, SELF, const optional<Tensor> &min = {},
                         const optional<Tensor> &max = {}, HERE) {
  return detail::intoOut({out, Here}, self.clamp(min, max, Here), "clamp_out");
}
inline Tensor &clamp_min_out(Tensor &out, SELF, const Tensor &min, HERE) {
  return detail::intoOut({out, Here}, self.clamp_min(min, Here),
                         "clamp_min_out");
}
inline Tensor &clamp_max_out(Tensor &out, SELF, const Tensor &max, HERE) {
  return detail::intoOut({out, Here}, self.clamp_max(max, Here),
                         "clamp_max_out");
}
inline Tensor &all_out(Tensor &out, SELF, HERE) {
  return detail::intoOut({out, Here}, self.all(Here), "all_out");
}
inline Tensor &any_out(Tensor &out, SELF, HERE) {
  return detail::intoOut({out, Here}, self.any(Here), "any_out");
}
inline Tensor &norm_out(Tensor &out, SELF, const Scalar &p = 2, HERE) {
  return detail::intoOut({out, Here}, self.norm(p, Here), "norm_out");
}
inline Tensor &prod_out(Tensor &out, SELF, optional<ScalarType> dtype = nullopt,
                        HERE) {
  return detail::intoOut({out, Here}, self.prod(dtype, Here), "prod_out");
}
inline Tensor &pow_out(Tensor &out, const Scalar &self, const Tensor &exponent,
                       HERE) {
  return detail::intoOut({out, Here}, pow(self, exponent, Here), "pow_out");
}
inline Tensor &round_out(Tensor &out, SELF, int64_t decimals, HERE) {
  return detail::intoOut({out, Here}, self.round(decimals, Here), "round_out");
}
inline Tensor &var_out(Tensor &out, SELF, OptionalIntArrayRef dim,
                       optional<int64_t> correction, bool keepdim = false,
                       HERE) {
  return detail::intoOut({out, Here}, self.var(dim, correction, keepdim, Here),
                         "var_out");
}
inline Tensor &std_out(Tensor &out, SELF, OptionalIntArrayRef dim,
                       optional<int64_t> correction, bool keepdim = false,
                       HERE) {
  return detail::intoOut({out, Here}, self.std(dim, correction, keepdim, Here),
                         "std_out");
}
inline Tensor fill(SELF, const Scalar &value, HERE) {
  return self.clone(nullopt, Here).fill_(value, Here);
}
inline Tensor fill(SELF, const Tensor &value, HERE) {
  return self.clone(nullopt, Here).fill_(value, Here);
}
inline Tensor zero(SELF, HERE) { return fill(self, 0, Here); }
inline Tensor grid_sampler_2d(const Tensor &input, const Tensor &grid,
                              int64_t interpolation_mode, int64_t padding_mode,
                              bool align_corners, HERE) {
  return grid_sampler(input, grid, interpolation_mode, padding_mode,
                      align_corners, Here);
}
inline Tensor einsum(std::string_view equation, TensorList tensors,
                     OptionalIntArrayRef, HERE) {
  return einsum(equation, tensors, Here);
}
inline Tensor special_round(SELF, int64_t decimals = 0, HERE) {
  return decimals ? self.round(decimals, Here) : self.round(Here);
}
/// Any convolution, by the rank of the weights.
inline Tensor convolution(const Tensor &input, const Tensor &weight,
                          const optional<Tensor> &bias, IntArrayRef stride,
                          IntArrayRef padding, IntArrayRef dilation,
                          bool transposed, IntArrayRef output_padding,
                          int64_t groups, HERE) {
  switch (weight.dim()) {
  case 3:
    return transposed ? conv_transpose1d(input, weight, bias, stride, padding,
                                         output_padding, groups, dilation, Here)
                      : conv1d(input, weight, bias, stride, padding, dilation,
                               groups, Here);
  case 4:
    return transposed ? conv_transpose2d(input, weight, bias, stride, padding,
                                         output_padding, groups, dilation, Here)
                      : conv2d(input, weight, bias, stride, padding, dilation,
                               groups, Here);
  default:
    return transposed ? conv_transpose3d(input, weight, bias, stride, padding,
                                         output_padding, groups, dilation, Here)
                      : conv3d(input, weight, bias, stride, padding, dilation,
                               groups, Here);
  }
}
/// Matrices whose singular values count from a bound on.
inline Tensor linalg_matrix_rank(SELF, optional<double> atol,
                                 optional<double> rtol, bool hermitian = false,
                                 HERE) {
  if (!rtol)
    return linalg_matrix_rank(self, atol, hermitian, Here);
  const Tensor S = linalg_svdvals(self, nullopt, Here);
  const Tensor Bound =
      S.amax(-1, true, Here).mul(*rtol, Here).clamp_min(atol.value_or(0), Here);
  return S.gt(Bound, Here).sum(-1, false, nullopt, Here);
}
inline Tensor linalg_pinv(SELF, optional<double> atol, optional<double> rtol,
                          bool hermitian = false, HERE) {
  if (atol.value_or(0) == 0)
    return linalg_pinv(self, rtol.value_or(1e-15), hermitian, Here);
  const auto [U, S, V] = linalg_svd(self, false, nullopt, Here);
  const Tensor Bound =
      S.amax(-1, true, Here).mul(rtol.value_or(0), Here).clamp_min(*atol, Here);
  const Tensor Inverse = where(S.gt(Bound, Here), S.reciprocal(Here),
                               zeros_like(S, {}, nullopt, Here), Here);
  return V.mT(Here)
      .mul(Inverse.unsqueeze(-2, Here), Here)
      .matmul(U.mT(Here), Here);
}
#undef SELF
#undef UNPACK
#undef HERE

/// The four options of a tensor that is made.
#define SPREAD                                                                 \
  optional<ScalarType> dtype, optional<Layout> layout,                         \
      optional<Device> device, optional<bool> pin_memory
#define GATHERED                                                               \
  TensorOptions().dtype(dtype).layout(layout).device(device).pinned_memory(    \
      pin_memory)
#define HERE Site Here = Site::current()
#define UNPACK(...) __VA_ARGS__
#define MADE(NAME, PARAMS, ARGS)                                               \
  inline Tensor NAME(UNPACK PARAMS, SPREAD, HERE) {                            \
    return NAME(UNPACK ARGS, GATHERED, Here);                                  \
  }
#define SIZED(NAME) MADE(NAME, (IntArrayRef size), (size))
SIZED(zeros)
SIZED(ones)
SIZED(rand)
SIZED(randn)
#undef SIZED
MADE(full, (IntArrayRef size, const Scalar &fill_value), (size, fill_value))
MADE(empty_strided, (IntArrayRef size, IntArrayRef stride), (size, stride))
MADE(eye, (int64_t n), (n))
MADE(eye, (int64_t n, int64_t m), (n, m))
MADE(arange, (const Scalar &end), (end))
MADE(arange, (const Scalar &start, const Scalar &end), (start, end))
MADE(arange, (const Scalar &start, const Scalar &end, const Scalar &step),
     (start, end, step))
MADE(range, (const Scalar &start, const Scalar &end, const Scalar &step),
     (start, end, step))
MADE(linspace, (const Scalar &start, const Scalar &end, int64_t steps),
     (start, end, steps))
MADE(logspace,
     (const Scalar &start, const Scalar &end, int64_t steps, double base),
     (start, end, steps, base))
MADE(randint, (int64_t high, IntArrayRef size), (high, size))
MADE(randint, (int64_t low, int64_t high, IntArrayRef size), (low, high, size))
MADE(randperm, (int64_t n), (n))
MADE(scalar_tensor, (const Scalar &s), (s))
#define WINDOW(NAME)                                                           \
  MADE(NAME, (int64_t window_length), (window_length))                         \
  MADE(NAME, (int64_t window_length, bool periodic), (window_length, periodic))
WINDOW(hann_window)
WINDOW(hamming_window)
WINDOW(bartlett_window)
WINDOW(blackman_window)
#undef WINDOW
#undef MADE
inline Tensor empty(IntArrayRef size, SPREAD,
                    optional<MemoryFormat> memory_format, HERE) {
  return empty(size, GATHERED, memory_format, Here);
}
#define LIKE(NAME, PARAMS, ARGS)                                               \
  inline Tensor NAME(UNPACK PARAMS, SPREAD,                                    \
                     optional<MemoryFormat> memory_format, HERE) {             \
    return NAME(UNPACK ARGS, GATHERED, memory_format, Here);                   \
  }
#define SELF const Tensor &self
LIKE(empty_like, (SELF), (self))
LIKE(rand_like, (SELF), (self))
LIKE(randn_like, (SELF), (self))
LIKE(full_like, (SELF, const Scalar &fill_value), (self, fill_value))
LIKE(randint_like, (SELF, int64_t high), (self, high))
LIKE(randint_like, (SELF, int64_t low, int64_t high), (self, low, high))
#undef LIKE
inline Tensor zeros_like(SELF, SPREAD, optional<MemoryFormat> memory_format,
                         HERE) {
  return zeros_like(self, GATHERED, memory_format, Here);
}
inline Tensor ones_like(SELF, SPREAD, optional<MemoryFormat> memory_format,
                        HERE) {
  return ones_like(self, GATHERED, memory_format, Here);
}
#undef SELF
#undef UNPACK
#undef HERE
#undef GATHERED
#undef SPREAD
// NOLINTEND(bugprone-macro-parentheses)

} // namespace tensortidy

#endif
