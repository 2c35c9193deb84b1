//===- out.h - results into tensors that are there --------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NAME_out(out, ...) beside those of <tensortidy/tensor.h>.
//
//   auto sums = torch::empty({rows});
//   for (...)
//     torch::sum_out(sums, x, 1);
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_OUT_H
#define TENSORTIDY_OUT_H

#include "tensortidy/tensor.h"

namespace tensortidy {

#define HERE Site Here = Site::current()
Tensor &arange_out(Tensor &out, const Scalar &end, HERE);
Tensor &arange_out(Tensor &out, const Scalar &start, const Scalar &end,
                   const Scalar &step = 1, HERE);
Tensor &linspace_out(Tensor &out, const Scalar &start, const Scalar &end,
                     int64_t steps, HERE);
Tensor &zeros_out(Tensor &out, IntArrayRef size, HERE);
Tensor &ones_out(Tensor &out, IntArrayRef size, HERE);
Tensor &full_out(Tensor &out, IntArrayRef size, const Scalar &fill_value, HERE);
Tensor &eye_out(Tensor &out, int64_t n, HERE);
Tensor &eye_out(Tensor &out, int64_t n, int64_t m, HERE);
Tensor &rand_out(Tensor &out, IntArrayRef size, HERE);
Tensor &randn_out(Tensor &out, IntArrayRef size, HERE);
Tensor &randperm_out(Tensor &out, int64_t n, HERE);
Tensor &sum_out(Tensor &out, const Tensor &self,
                optional<ScalarType> dtype = nullopt, HERE);
Tensor &prod_out(Tensor &out, const Tensor &self, int64_t dim,
                 bool keepdim = false, optional<ScalarType> dtype = nullopt,
                 HERE);
Tensor &amax_out(Tensor &out, const Tensor &self, IntArrayRef dim = {},
                 bool keepdim = false, HERE);
Tensor &amin_out(Tensor &out, const Tensor &self, IntArrayRef dim = {},
                 bool keepdim = false, HERE);
Tensor &argmax_out(Tensor &out, const Tensor &self,
                   optional<int64_t> dim = nullopt, bool keepdim = false, HERE);
Tensor &argmin_out(Tensor &out, const Tensor &self,
                   optional<int64_t> dim = nullopt, bool keepdim = false, HERE);
Tensor &all_out(Tensor &out, const Tensor &self, int64_t dim,
                bool keepdim = false, HERE);
Tensor &any_out(Tensor &out, const Tensor &self, int64_t dim,
                bool keepdim = false, HERE);
Tensor &var_out(Tensor &out, const Tensor &self, OptionalIntArrayRef dim,
                bool unbiased = true, bool keepdim = false, HERE);
Tensor &std_out(Tensor &out, const Tensor &self, OptionalIntArrayRef dim,
                bool unbiased = true, bool keepdim = false, HERE);
Tensor &norm_out(Tensor &out, const Tensor &self, const optional<Scalar> &p,
                 IntArrayRef dim, bool keepdim = false, HERE);
Tensor &logsumexp_out(Tensor &out, const Tensor &self, IntArrayRef dim,
                      bool keepdim = false, HERE);
Tensor &cumsum_out(Tensor &out, const Tensor &self, int64_t dim,
                   optional<ScalarType> dtype = nullopt, HERE);
Tensor &cumprod_out(Tensor &out, const Tensor &self, int64_t dim,
                    optional<ScalarType> dtype = nullopt, HERE);
Tensor &log_softmax_out(Tensor &out, const Tensor &self, int64_t dim,
                        optional<ScalarType> dtype = nullopt, HERE);
Tensor &triu_out(Tensor &out, const Tensor &self, int64_t diagonal = 0, HERE);
Tensor &tril_out(Tensor &out, const Tensor &self, int64_t diagonal = 0, HERE);
Tensor &diag_out(Tensor &out, const Tensor &self, int64_t diagonal = 0, HERE);
Tensor &max_out(Tensor &out, const Tensor &self, const Tensor &other, HERE);
Tensor &min_out(Tensor &out, const Tensor &self, const Tensor &other, HERE);
Tensor &clamp_out(Tensor &out, const Tensor &self, const optional<Scalar> &min,
                  const optional<Scalar> &max = nullopt, HERE);
Tensor &clamp_min_out(Tensor &out, const Tensor &self, const Scalar &min, HERE);
Tensor &clamp_max_out(Tensor &out, const Tensor &self, const Scalar &max, HERE);
Tensor &add_out(Tensor &out, const Tensor &self, const Scalar &other,
                const Scalar &alpha = 1, HERE);
Tensor &sub_out(Tensor &out, const Tensor &self, const Scalar &other,
                const Scalar &alpha = 1, HERE);
Tensor &mul_out(Tensor &out, const Tensor &self, const Scalar &other, HERE);
Tensor &div_out(Tensor &out, const Tensor &self, const Scalar &other, HERE);
Tensor &div_out(Tensor &out, const Tensor &self, const Tensor &other,
                optional<std::string_view> rounding_mode, HERE);
Tensor &pow_out(Tensor &out, const Tensor &self, const Scalar &exponent, HERE);
Tensor &eq_out(Tensor &out, const Tensor &self, const Scalar &other, HERE);
Tensor &ne_out(Tensor &out, const Tensor &self, const Scalar &other, HERE);
Tensor &lt_out(Tensor &out, const Tensor &self, const Scalar &other, HERE);
Tensor &le_out(Tensor &out, const Tensor &self, const Scalar &other, HERE);
Tensor &gt_out(Tensor &out, const Tensor &self, const Scalar &other, HERE);
Tensor &ge_out(Tensor &out, const Tensor &self, const Scalar &other, HERE);
Tensor &remainder_out(Tensor &out, const Tensor &self, const Scalar &other,
                      HERE);
Tensor &fmod_out(Tensor &out, const Tensor &self, const Scalar &other, HERE);
Tensor &where_out(Tensor &out, const Tensor &condition, const Tensor &self,
                  const Tensor &other, HERE);
Tensor &lerp_out(Tensor &out, const Tensor &self, const Tensor &end,
                 const Scalar &weight, HERE);
Tensor &lerp_out(Tensor &out, const Tensor &self, const Tensor &end,
                 const Tensor &weight, HERE);
Tensor &addcmul_out(Tensor &out, const Tensor &self, const Tensor &tensor1,
                    const Tensor &tensor2, const Scalar &value = 1, HERE);
Tensor &addcdiv_out(Tensor &out, const Tensor &self, const Tensor &tensor1,
                    const Tensor &tensor2, const Scalar &value = 1, HERE);
Tensor &silu_out(Tensor &out, const Tensor &self, HERE);
Tensor &gelu_out(Tensor &out, const Tensor &self,
                 std::string_view approximate = "none", HERE);
Tensor &leaky_relu_out(Tensor &out, const Tensor &self,
                       const Scalar &negative_slope = 0.01, HERE);
Tensor &addmv_out(Tensor &out, const Tensor &self, const Tensor &mat,
                  const Tensor &vec, const Scalar &beta = 1,
                  const Scalar &alpha = 1, HERE);
Tensor &baddbmm_out(Tensor &out, const Tensor &self, const Tensor &batch1,
                    const Tensor &batch2, const Scalar &beta = 1,
                    const Scalar &alpha = 1, HERE);
Tensor &outer_out(Tensor &out, const Tensor &self, const Tensor &vec2, HERE);
Tensor &masked_select_out(Tensor &out, const Tensor &self, const Tensor &mask,
                          HERE);
Tensor &nonzero_out(Tensor &out, const Tensor &self, HERE);
Tensor &take_out(Tensor &out, const Tensor &self, const Tensor &index, HERE);
Tensor &vstack_out(Tensor &out, TensorList tensors, HERE);
Tensor &hstack_out(Tensor &out, TensorList tensors, HERE);
std::tuple<Tensor &, Tensor &> max_out(Tensor &max, Tensor &max_values,
                                       const Tensor &self, int64_t dim,
                                       bool keepdim = false, HERE);
std::tuple<Tensor &, Tensor &> min_out(Tensor &min, Tensor &min_indices,
                                       const Tensor &self, int64_t dim,
                                       bool keepdim = false, HERE);
std::tuple<Tensor &, Tensor &> sort_out(Tensor &values, Tensor &indices,
                                        const Tensor &self, int64_t dim = -1,
                                        bool descending = false, HERE);
std::tuple<Tensor &, Tensor &> topk_out(Tensor &values, Tensor &indices,
                                        const Tensor &self, int64_t k,
                                        int64_t dim = -1, bool largest = true,
                                        bool sorted = true, HERE);
#undef HERE

} // namespace tensortidy

#endif
