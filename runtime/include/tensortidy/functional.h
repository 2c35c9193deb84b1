//===- functional.h - functions of networks ---------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What model code needs beside the tensor's own operations: activations, losses
// and distances, choosing and counting elements, images. Spelled as in
// libtorch; <tensortidy/torch.h> includes it.
//
//   auto loss = cross_entropy_loss(logits, target);    // logits [N, C, ...]
//   auto next = multinomial(logits.softmax(-1), 1);
//   auto big  = upsample_bilinear2d(x, {2 * h, 2 * w}, false);
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FUNCTIONAL_H
#define TENSORTIDY_FUNCTIONAL_H

#include "tensortidy/linalg.h"
#include <string_view>

namespace tensortidy {

#define HERE Site Here = Site::current()

/// What a loss does with the elements' losses.
namespace Reduction {
enum Reduction { None, Mean, Sum, END };
} // namespace Reduction

//===--- activations ----------------------------------------------------===//

Tensor selu(const Tensor &self, HERE);
Tensor celu(const Tensor &self, const Scalar &alpha = 1.0, HERE);
Tensor mish(const Tensor &self, HERE);
Tensor hardswish(const Tensor &self, HERE);
Tensor hardsigmoid(const Tensor &self, HERE);
Tensor relu6(const Tensor &self, HERE);
Tensor log_sigmoid(const Tensor &self, HERE);
Tensor threshold(const Tensor &self, const Scalar &threshold,
                 const Scalar &value, HERE);
Tensor softshrink(const Tensor &self, const Scalar &lambd = 0.5, HERE);
Tensor hardshrink(const Tensor &self, const Scalar &lambd = 0.5, HERE);
/// One slope, or one for each channel.
Tensor prelu(const Tensor &self, const Tensor &weight, HERE);

//===--- losses and distances -------------------------------------------===//

Tensor mse_loss(const Tensor &self, const Tensor &target, int64_t reduction,
                HERE);
Tensor l1_loss(const Tensor &self, const Tensor &target,
               int64_t reduction = Reduction::Mean, HERE);
Tensor smooth_l1_loss(const Tensor &self, const Tensor &target,
                      int64_t reduction = Reduction::Mean, double beta = 1.0,
                      HERE);
Tensor huber_loss(const Tensor &self, const Tensor &target,
                  int64_t reduction = Reduction::Mean, double delta = 1.0,
                  HERE);
Tensor binary_cross_entropy(const Tensor &self, const Tensor &target,
                            const optional<Tensor> &weight = {},
                            int64_t reduction = Reduction::Mean, HERE);
Tensor binary_cross_entropy_with_logits(const Tensor &self,
                                        const Tensor &target,
                                        const optional<Tensor> &weight = {},
                                        const optional<Tensor> &pos_weight = {},
                                        int64_t reduction = Reduction::Mean,
                                        HERE);
Tensor kl_div(const Tensor &self, const Tensor &target,
              int64_t reduction = Reduction::Mean, bool log_target = false,
              HERE);
/// Of log-probabilities [C], [N, C] or [N, C, ...]; nll_loss_nd is its name in
/// libtorch where there are more than two dimensions.
Tensor nll_loss(const Tensor &self, const Tensor &target,
                const optional<Tensor> &weight = {},
                int64_t reduction = Reduction::Mean,
                int64_t ignore_index = -100, HERE);
Tensor nll_loss_nd(const Tensor &self, const Tensor &target,
                   const optional<Tensor> &weight = {},
                   int64_t reduction = Reduction::Mean,
                   int64_t ignore_index = -100, HERE);
/// Targets are classes, or probabilities in the sizes of the input.
Tensor cross_entropy_loss(const Tensor &self, const Tensor &target,
                          const optional<Tensor> &weight = {},
                          int64_t reduction = Reduction::Mean,
                          int64_t ignore_index = -100,
                          double label_smoothing = 0.0, HERE);
Tensor cosine_embedding_loss(const Tensor &input1, const Tensor &input2,
                             const Tensor &target, double margin = 0.0,
                             int64_t reduction = Reduction::Mean, HERE);
Tensor margin_ranking_loss(const Tensor &input1, const Tensor &input2,
                           const Tensor &target, double margin = 0.0,
                           int64_t reduction = Reduction::Mean, HERE);
Tensor hinge_embedding_loss(const Tensor &self, const Tensor &target,
                            double margin = 1.0,
                            int64_t reduction = Reduction::Mean, HERE);
Tensor triplet_margin_loss(const Tensor &anchor, const Tensor &positive,
                           const Tensor &negative, double margin = 1.0,
                           double p = 2, double eps = 1e-06, bool swap = false,
                           int64_t reduction = Reduction::Mean, HERE);
/// Of [time, samples, classes], the sequences of targets that may stand there
/// with repetitions and blanks between.
Tensor ctc_loss(const Tensor &log_probs, const Tensor &targets,
                IntArrayRef input_lengths, IntArrayRef target_lengths,
                int64_t blank = 0, int64_t reduction = Reduction::Mean,
                bool zero_infinity = false, HERE);
Tensor ctc_loss(const Tensor &log_probs, const Tensor &targets,
                const Tensor &input_lengths, const Tensor &target_lengths,
                int64_t blank = 0, int64_t reduction = Reduction::Mean,
                bool zero_infinity = false, HERE);
Tensor soft_margin_loss(const Tensor &self, const Tensor &target,
                        int64_t reduction = Reduction::Mean, HERE);
Tensor poisson_nll_loss(const Tensor &input, const Tensor &target,
                        bool log_input, bool full, double eps,
                        int64_t reduction, HERE);
/// Of each sample's classes, those that come near the right one's score.
Tensor multi_margin_loss(const Tensor &self, const Tensor &target,
                         const Scalar &p = 1, const Scalar &margin = 1,
                         const optional<Tensor> &weight = {},
                         int64_t reduction = Reduction::Mean, HERE);
/// The right classes stand first in each row of \p target, then -1.
Tensor multilabel_margin_loss(const Tensor &self, const Tensor &target,
                              int64_t reduction = Reduction::Mean, HERE);
/// max_pool's numbers back at their places; the others are 0.
Tensor max_unpool2d(const Tensor &self, const Tensor &indices,
                    IntArrayRef output_size, HERE);
Tensor cosine_similarity(const Tensor &x1, const Tensor &x2, int64_t dim = 1,
                         double eps = 1e-08, HERE);
Tensor pairwise_distance(const Tensor &x1, const Tensor &x2, double p = 2,
                         double eps = 1e-06, bool keepdim = false, HERE);
/// Between each row of x1 and each of x2: [..., P, M], [..., R, M] -> [..., P,
/// R].
Tensor cdist(const Tensor &x1, const Tensor &x2, double p = 2,
             optional<int64_t> compute_mode = nullopt, HERE);
Tensor dist(const Tensor &self, const Tensor &other, const Scalar &p = 2, HERE);

//===--- choosing, counting ---------------------------------------------===//

Tensor one_hot(const Tensor &self, int64_t num_classes = -1, HERE);
/// Indices drawn with these weights, from each row.
Tensor multinomial(const Tensor &self, int64_t num_samples,
                   bool replacement = false, HERE);
Tensor normal(const Tensor &mean, double std = 1, HERE);
Tensor normal(double mean, const Tensor &std, HERE);
Tensor normal(const Tensor &mean, const Tensor &std, HERE);
Tensor normal(double mean, double std, IntArrayRef size,
              TensorOptions options = {}, HERE);
#define GENERATOR const optional<Generator> &generator
#define DRAWN(NAME, PARAMS, ARGS)                                              \
  inline Tensor NAME PARAMS {                                                  \
    const detail::Drawing From(generator);                                     \
    return NAME ARGS;                                                          \
  }
DRAWN(normal, (const Tensor &mean, double std, GENERATOR, HERE),
      (mean, std, Here))
DRAWN(normal, (double mean, const Tensor &std, GENERATOR, HERE),
      (mean, std, Here))
DRAWN(normal, (const Tensor &mean, const Tensor &std, GENERATOR, HERE),
      (mean, std, Here))
DRAWN(normal,
      (double mean, double std, IntArrayRef size, GENERATOR,
       TensorOptions options = {}, HERE),
      (mean, std, size, options, Here))
DRAWN(multinomial,
      (const Tensor &self, int64_t num_samples, bool replacement, GENERATOR,
       HERE),
      (self, num_samples, replacement, Here))
DRAWN(bernoulli, (const Tensor &self, GENERATOR, HERE), (self, Here))
DRAWN(bernoulli, (const Tensor &self, double p, GENERATOR, HERE),
      (self, p, Here))
#undef DRAWN
#undef GENERATOR
Tensor randint_like(const Tensor &self, int64_t low, int64_t high,
                    TensorOptions options = {},
                    optional<MemoryFormat> memory_format = nullopt, HERE);
Tensor randint_like(const Tensor &self, int64_t high,
                    TensorOptions options = {},
                    optional<MemoryFormat> memory_format = nullopt, HERE);
/// Where each value belongs among the sorted ones of the last dimension.
Tensor searchsorted(const Tensor &sorted_sequence, const Tensor &self,
                    bool out_int32 = false, bool right = false, HERE);
Tensor searchsorted(const Tensor &sorted_sequence, const Scalar &self,
                    bool out_int32 = false, bool right = false, HERE);
Tensor bucketize(const Tensor &self, const Tensor &boundaries,
                 bool out_int32 = false, bool right = false, HERE);
Tensor bucketize(const Scalar &self, const Tensor &boundaries,
                 bool out_int32 = false, bool right = false, HERE);
Tensor take_along_dim(const Tensor &self, const Tensor &indices,
                      optional<int64_t> dim = nullopt, HERE);
Tensor scatter(const Tensor &self, int64_t dim, const Tensor &index,
               const Scalar &value, HERE);
inline Tensor scatter(const Tensor &self, int64_t dim, const Tensor &index,
                      const Tensor &src, std::string_view reduce, HERE) {
  return self.scatter(dim, index, src, reduce, Here);
}
inline Tensor scatter(const Tensor &self, int64_t dim, const Tensor &index,
                      const Scalar &value, std::string_view reduce, HERE) {
  return self.scatter(dim, index, value, reduce, Here);
}
/// \p reduce is sum, prod, mean, amax or amin.
Tensor scatter_reduce(const Tensor &self, int64_t dim, const Tensor &index,
                      const Tensor &src, std::string_view reduce,
                      bool include_self = true, HERE);
Tensor masked_scatter(const Tensor &self, const Tensor &mask,
                      const Tensor &source, HERE);
Tensor index_copy(const Tensor &self, int64_t dim, const Tensor &index,
                  const Tensor &source, HERE);
std::tuple<Tensor, Tensor> cummax(const Tensor &self, int64_t dim, HERE);
std::tuple<Tensor, Tensor> cummin(const Tensor &self, int64_t dim, HERE);
/// The lower one of the two in the middle.
Tensor median(const Tensor &self, HERE);
std::tuple<Tensor, Tensor> median(const Tensor &self, int64_t dim,
                                  bool keepdim = false, HERE);
std::tuple<Tensor, Tensor> kthvalue(const Tensor &self, int64_t k,
                                    int64_t dim = -1, bool keepdim = false,
                                    HERE);
Tensor quantile(const Tensor &self, double q, optional<int64_t> dim = nullopt,
                bool keepdim = false, std::string_view interpolation = "linear",
                HERE);
/// Of the elements that are numbers.
Tensor nanquantile(const Tensor &self, double q,
                   optional<int64_t> dim = nullopt, bool keepdim = false,
                   std::string_view interpolation = "linear", HERE);
std::tuple<Tensor, Tensor> var_mean(const Tensor &self, bool unbiased = true,
                                    HERE);
std::tuple<Tensor, Tensor> var_mean(const Tensor &self, OptionalIntArrayRef dim,
                                    bool unbiased = true, bool keepdim = false,
                                    HERE);
std::tuple<Tensor, Tensor> var_mean(const Tensor &self, OptionalIntArrayRef dim,
                                    optional<int64_t> correction,
                                    bool keepdim = false, HERE);
std::tuple<Tensor, Tensor> std_mean(const Tensor &self, OptionalIntArrayRef dim,
                                    optional<int64_t> correction,
                                    bool keepdim = false, HERE);
inline std::tuple<Tensor, Tensor> var_mean(const Tensor &self, int dim, HERE) {
  const int64_t One = dim;
  return var_mean(self, OptionalIntArrayRef(One), true, false, Here);
}
std::tuple<Tensor, Tensor> std_mean(const Tensor &self, bool unbiased = true,
                                    HERE);
std::tuple<Tensor, Tensor> std_mean(const Tensor &self, OptionalIntArrayRef dim,
                                    bool unbiased = true, bool keepdim = false,
                                    HERE);
inline std::tuple<Tensor, Tensor> std_mean(const Tensor &self, int dim, HERE) {
  const int64_t One = dim;
  return std_mean(self, OptionalIntArrayRef(One), true, false, Here);
}
std::tuple<Tensor, Tensor> aminmax(const Tensor &self,
                                   optional<int64_t> dim = nullopt,
                                   bool keepdim = false, HERE);
std::tuple<Tensor, Tensor> nanmedian(const Tensor &self, int64_t dim,
                                     bool keepdim = false, HERE);
Tensor nanmedian(const Tensor &self, HERE);
/// The most frequent value, the least of several.
std::tuple<Tensor, Tensor> mode(const Tensor &self, int64_t dim = -1,
                                bool keepdim = false, HERE);
Tensor quantile(const Tensor &self, const Tensor &q,
                optional<int64_t> dim = nullopt, bool keepdim = false,
                std::string_view interpolation = "linear", HERE);
Tensor nanmean(const Tensor &self, OptionalIntArrayRef dim = nullopt,
               bool keepdim = false, optional<ScalarType> dtype = nullopt,
               HERE);
/// How many elements fall into each of equal parts of a range.
Tensor histc(const Tensor &self, int64_t bins = 100, const Scalar &min = 0,
             const Scalar &max = 0, HERE);
/// Of variables, the rows, seen together in each column.
Tensor cov(const Tensor &self, int64_t correction = 1,
           const optional<Tensor> &fweights = {},
           const optional<Tensor> &aweights = {}, HERE);
Tensor corrcoef(const Tensor &self, HERE);
Tensor renorm(const Tensor &self, const Scalar &p, int64_t dim,
              const Scalar &maxnorm, HERE);
Tensor trapezoid(const Tensor &y, const Scalar &dx = 1, int64_t dim = -1, HERE);
Tensor trapezoid(const Tensor &y, const Tensor &x, int64_t dim = -1, HERE);
inline Tensor trapz(const Tensor &y, double dx = 1, int64_t dim = -1, HERE) {
  return trapezoid(y, Scalar(dx), dim, Here);
}
inline Tensor trapz(const Tensor &y, const Tensor &x, int64_t dim = -1, HERE) {
  return trapezoid(y, x, dim, Here);
}
Tensor cumulative_trapezoid(const Tensor &y, const Scalar &dx = 1,
                            int64_t dim = -1, HERE);
Tensor cumulative_trapezoid(const Tensor &y, const Tensor &x, int64_t dim = -1,
                            HERE);
/// How many elements, or what they weigh, fall between neighbours of \p bins;
/// the counts and the bins.
std::tuple<Tensor, Tensor> histogram(const Tensor &self, const Tensor &bins,
                                     const optional<Tensor> &weight = {},
                                     bool density = false, HERE);
std::tuple<Tensor, Tensor> histogram(const Tensor &self, int64_t bins = 100,
                                     optional<ArrayRef<double>> range = nullopt,
                                     const optional<Tensor> &weight = {},
                                     bool density = false, HERE);
/// Slopes along dimensions, by differences of the neighbours.
std::vector<Tensor> gradient(const Tensor &self,
                             const optional<Scalar> &spacing = nullopt,
                             optional<int64_t> dim = nullopt,
                             int64_t edge_order = 1, HERE);
std::vector<Tensor> gradient(const Tensor &self, IntArrayRef dim,
                             int64_t edge_order = 1, HERE);
Tensor nansum(const Tensor &self, OptionalIntArrayRef dim = nullopt,
              bool keepdim = false, optional<ScalarType> dtype = nullopt, HERE);
Tensor diff(const Tensor &self, int64_t n = 1, int64_t dim = -1,
            const optional<Tensor> &prepend = {},
            const optional<Tensor> &append = {}, HERE);
/// Sorted, with where each element went and how often each occurs.
std::tuple<Tensor, Tensor, Tensor> _unique2(const Tensor &self,
                                            bool sorted = true,
                                            bool return_inverse = false,
                                            bool return_counts = false, HERE);
std::tuple<Tensor, Tensor, Tensor>
unique_consecutive(const Tensor &self, bool return_inverse = false,
                   bool return_counts = false, HERE);
/// Rows, or what lies along \p dim, without repetitions.
std::tuple<Tensor, Tensor, Tensor> unique_dim(const Tensor &self, int64_t dim,
                                              bool sorted = true,
                                              bool return_inverse = false,
                                              bool return_counts = false, HERE);
std::tuple<Tensor, Tensor> _unique(const Tensor &self, bool sorted = true,
                                   bool return_inverse = false, HERE);
Tensor bincount(const Tensor &self, const optional<Tensor> &weights = {},
                int64_t minlength = 0, HERE);
Tensor isin(const Tensor &elements, const Tensor &test_elements,
            bool assume_unique = false, bool invert = false, HERE);
Tensor isin(const Tensor &elements, const Scalar &test_element,
            bool assume_unique = false, bool invert = false, HERE);
Tensor isin(const Scalar &element, const Tensor &test_elements,
            bool assume_unique = false, bool invert = false, HERE);
std::vector<Tensor> nonzero_numpy(const Tensor &self, HERE);

//===--- building tensors -----------------------------------------------===//

Tensor tril_indices(int64_t row, int64_t col, int64_t offset = 0,
                    TensorOptions options = kLong, HERE);
Tensor triu_indices(int64_t row, int64_t col, int64_t offset = 0,
                    TensorOptions options = kLong, HERE);
Tensor diag_embed(const Tensor &self, int64_t offset = 0, int64_t dim1 = -2,
                  int64_t dim2 = -1, HERE);
Tensor diagflat(const Tensor &self, int64_t offset = 0, HERE);
Tensor block_diag(TensorList tensors, HERE);
Tensor cartesian_prod(TensorList tensors, HERE);
Tensor column_stack(TensorList tensors, HERE);
Tensor dstack(TensorList tensors, HERE);
Tensor logspace(const Scalar &start, const Scalar &end, int64_t steps,
                double base = 10.0, TensorOptions options = {}, HERE);

/// Weights of windows of a signal; a periodic one leaves out the last.
Tensor hann_window(int64_t window_length, TensorOptions options = {}, HERE);
Tensor hann_window(int64_t window_length, bool periodic,
                   TensorOptions options = {}, HERE);
Tensor hamming_window(int64_t window_length, TensorOptions options = {}, HERE);
Tensor hamming_window(int64_t window_length, bool periodic,
                      TensorOptions options = {}, HERE);
Tensor bartlett_window(int64_t window_length, TensorOptions options = {}, HERE);
Tensor bartlett_window(int64_t window_length, bool periodic,
                       TensorOptions options = {}, HERE);
Tensor blackman_window(int64_t window_length, TensorOptions options = {}, HERE);
Tensor blackman_window(int64_t window_length, bool periodic,
                       TensorOptions options = {}, HERE);
/// As arange(), with the end.
Tensor range(const Scalar &start, const Scalar &end, const Scalar &step = 1,
             TensorOptions options = {}, HERE);
/// The columns' powers: [n, N].
Tensor vander(const Tensor &x, optional<int64_t> N = nullopt,
              bool increasing = false, HERE);
/// All choices of r elements, in order.
Tensor combinations(const Tensor &self, int64_t r = 2,
                    bool with_replacement = false, HERE);
/// Distances between all pairs of rows, those above the diagonal of cdist().
Tensor pdist(const Tensor &self, double p = 2, HERE);
ScalarType result_type(const Tensor &tensor, const Tensor &other);
ScalarType result_type(const Tensor &tensor, const Scalar &other);
inline Tensor real(const Tensor &self) { return self; }

//===--- products -------------------------------------------------------===//

Tensor addmv(const Tensor &self, const Tensor &mat, const Tensor &vec,
             const Scalar &beta = 1, const Scalar &alpha = 1, HERE);
Tensor inner(const Tensor &self, const Tensor &other, HERE);
Tensor kron(const Tensor &self, const Tensor &other, HERE);
Tensor cross(const Tensor &self, const Tensor &other,
             optional<int64_t> dim = nullopt, HERE);
Tensor bilinear(const Tensor &input1, const Tensor &input2,
                const Tensor &weight, const optional<Tensor> &bias = {}, HERE);

//===--- dropout --------------------------------------------------------===//

/// Of whole channels; so that what selu() gave keeps mean and variance; both.
Tensor feature_dropout(const Tensor &input, double p, bool train, HERE);
Tensor alpha_dropout(const Tensor &input, double p, bool train, HERE);
Tensor feature_alpha_dropout(const Tensor &input, double p, bool train, HERE);

//===--- images ---------------------------------------------------------===//

/// The windows of images as columns, and the sums of columns as images; in
/// libtorch's namespace nn::functional they are called unfold and fold.
Tensor im2col(const Tensor &self, IntArrayRef kernel_size, IntArrayRef dilation,
              IntArrayRef padding, IntArrayRef stride, HERE);
Tensor col2im(const Tensor &self, IntArrayRef output_size,
              IntArrayRef kernel_size, IntArrayRef dilation,
              IntArrayRef padding, IntArrayRef stride, HERE);
#define TENSORTIDY_NEAREST(NAME)                                               \
  Tensor NAME##1d(const Tensor &self, IntArrayRef output_size,                 \
                  optional<double> scales = nullopt, HERE);                    \
  Tensor NAME##2d(const Tensor &self, IntArrayRef output_size,                 \
                  optional<double> scales_h = nullopt,                         \
                  optional<double> scales_w = nullopt, HERE);                  \
  Tensor NAME##3d(const Tensor &self, IntArrayRef output_size,                 \
                  optional<double> scales_d = nullopt,                         \
                  optional<double> scales_h = nullopt,                         \
                  optional<double> scales_w = nullopt, HERE);
TENSORTIDY_NEAREST(upsample_nearest)
TENSORTIDY_NEAREST(_upsample_nearest_exact)
#undef TENSORTIDY_NEAREST
Tensor upsample_linear1d(const Tensor &self, IntArrayRef output_size,
                         bool align_corners, optional<double> scales = nullopt,
                         HERE);
Tensor upsample_bilinear2d(const Tensor &self, IntArrayRef output_size,
                           bool align_corners,
                           optional<double> scales_h = nullopt,
                           optional<double> scales_w = nullopt, HERE);
Tensor upsample_trilinear3d(const Tensor &self, IntArrayRef output_size,
                            bool align_corners,
                            optional<double> scales_d = nullopt,
                            optional<double> scales_h = nullopt,
                            optional<double> scales_w = nullopt, HERE);
Tensor upsample_bicubic2d(const Tensor &self, IntArrayRef output_size,
                          bool align_corners,
                          optional<double> scales_h = nullopt,
                          optional<double> scales_w = nullopt, HERE);
/// \p mode is constant, reflect, replicate or circular.
Tensor pad(const Tensor &self, IntArrayRef pad,
           std::string_view mode = "constant", optional<double> value = nullopt,
           HERE);
Tensor reflection_pad1d(const Tensor &self, IntArrayRef padding, HERE);
Tensor reflection_pad2d(const Tensor &self, IntArrayRef padding, HERE);
Tensor replication_pad1d(const Tensor &self, IntArrayRef padding, HERE);
Tensor replication_pad2d(const Tensor &self, IntArrayRef padding, HERE);
Tensor pixel_shuffle(const Tensor &self, int64_t upscale_factor, HERE);
Tensor pixel_unshuffle(const Tensor &self, int64_t downscale_factor, HERE);
Tensor channel_shuffle(const Tensor &self, int64_t groups, HERE);
Tensor group_norm(const Tensor &input, int64_t num_groups,
                  const optional<Tensor> &weight = {},
                  const optional<Tensor> &bias = {}, double eps = 1e-05,
                  bool cudnn_enabled = true, HERE);
Tensor instance_norm(const Tensor &input, const optional<Tensor> &weight,
                     const optional<Tensor> &bias,
                     const optional<Tensor> &running_mean,
                     const optional<Tensor> &running_var, bool use_input_stats,
                     double momentum, double eps, bool cudnn_enabled, HERE);
Tensor conv3d(const Tensor &input, const Tensor &weight,
              const optional<Tensor> &bias = {}, IntArrayRef stride = 1,
              IntArrayRef padding = 0, IntArrayRef dilation = 1,
              int64_t groups = 1, HERE);
Tensor conv_transpose1d(const Tensor &input, const Tensor &weight,
                        const optional<Tensor> &bias = {},
                        IntArrayRef stride = 1, IntArrayRef padding = 0,
                        IntArrayRef output_padding = 0, int64_t groups = 1,
                        IntArrayRef dilation = 1, HERE);
Tensor conv_transpose2d(const Tensor &input, const Tensor &weight,
                        const optional<Tensor> &bias = {},
                        IntArrayRef stride = 1, IntArrayRef padding = 0,
                        IntArrayRef output_padding = 0, int64_t groups = 1,
                        IntArrayRef dilation = 1, HERE);
Tensor conv_transpose3d(const Tensor &input, const Tensor &weight,
                        const optional<Tensor> &bias = {},
                        IntArrayRef stride = 1, IntArrayRef padding = 0,
                        IntArrayRef output_padding = 0, int64_t groups = 1,
                        IntArrayRef dilation = 1, HERE);
Tensor max_pool1d(const Tensor &self, IntArrayRef kernel_size,
                  IntArrayRef stride = {}, IntArrayRef padding = 0,
                  IntArrayRef dilation = 1, bool ceil_mode = false, HERE);
Tensor avg_pool1d(const Tensor &self, IntArrayRef kernel_size,
                  IntArrayRef stride = {}, IntArrayRef padding = 0,
                  bool ceil_mode = false, bool count_include_pad = true, HERE);
Tensor adaptive_avg_pool1d(const Tensor &self, IntArrayRef output_size, HERE);
Tensor max_pool3d(const Tensor &self, IntArrayRef kernel_size,
                  IntArrayRef stride = {}, IntArrayRef padding = 0,
                  IntArrayRef dilation = 1, bool ceil_mode = false, HERE);
Tensor avg_pool3d(const Tensor &self, IntArrayRef kernel_size,
                  IntArrayRef stride = {}, IntArrayRef padding = 0,
                  bool ceil_mode = false, bool count_include_pad = true,
                  optional<int64_t> divisor_override = nullopt, HERE);
Tensor adaptive_avg_pool3d(const Tensor &self, IntArrayRef output_size, HERE);
/// The greatest of each window, and its place in the image or volume.
std::tuple<Tensor, Tensor>
max_pool2d_with_indices(const Tensor &self, IntArrayRef kernel_size,
                        IntArrayRef stride = {}, IntArrayRef padding = 0,
                        IntArrayRef dilation = 1, bool ceil_mode = false, HERE);
std::tuple<Tensor, Tensor>
max_pool3d_with_indices(const Tensor &self, IntArrayRef kernel_size,
                        IntArrayRef stride = {}, IntArrayRef padding = 0,
                        IntArrayRef dilation = 1, bool ceil_mode = false, HERE);
Tensor affine_grid_generator(const Tensor &theta, IntArrayRef size,
                             bool align_corners, HERE);
/// Reads [N, C, H, W] at places between -1 and 1. Modes are 0 bilinear, 1
/// nearest; outside of the image 0 is zero, 1 the border, 2 a reflection.
Tensor grid_sampler(const Tensor &input, const Tensor &grid,
                    int64_t interpolation_mode, int64_t padding_mode,
                    bool align_corners, HERE);
/// Softmax of query [..., L, E] times key [..., S, E] transposed, times value
/// [..., S, V]: [..., L, V], contiguous. attn_mask, broadcast to [..., L, S],
/// is added or, if boolean, selects keys; a row without keys gives zeros. scale
/// is 1 / sqrt(E); with enable_gqa, heads of query share those of key and
/// value. As in PyTorch 2.5.
Tensor scaled_dot_product_attention(const Tensor &query, const Tensor &key,
                                    const Tensor &value,
                                    const optional<Tensor> &attn_mask = {},
                                    double dropout_p = 0.0,
                                    bool is_causal = false,
                                    optional<double> scale = nullopt,
                                    bool enable_gqa = false, HERE);

//===--- methods as functions -------------------------------------------===//

#define FORWARD(RESULT, NAME, PARAMS, ARGS)                                    \
  inline RESULT NAME PARAMS { return self.NAME ARGS; }
#define SELF const Tensor &self
FORWARD(Tensor, index, (SELF, const List<optional<Tensor>> &indices, HERE),
        (indices, Here))
FORWARD(Tensor, index_put,
        (SELF, const List<optional<Tensor>> &indices, const Tensor &values,
         bool accumulate = false, HERE),
        (indices, values, accumulate, Here))
FORWARD(Tensor &, index_put_,
        (SELF, const List<optional<Tensor>> &indices, const Tensor &values,
         bool accumulate = false, HERE),
        (indices, values, accumulate, Here))
FORWARD(Tensor, clip,
        (SELF, const optional<Scalar> &min,
         const optional<Scalar> &max = nullopt, HERE),
        (min, max, Here))
FORWARD(Tensor, clamp,
        (SELF, const optional<Tensor> &min = {},
         const optional<Tensor> &max = {}, HERE),
        (min, max, Here))
FORWARD(Tensor, clamp_min, (SELF, const Tensor &min, HERE), (min, Here))
FORWARD(Tensor, clamp_max, (SELF, const Tensor &max, HERE), (max, Here))
FORWARD(Tensor, logit, (SELF, optional<double> eps = nullopt, HERE),
        (eps, Here))
FORWARD(Tensor &, logit_, (SELF, optional<double> eps = nullopt, HERE),
        (eps, Here))
FORWARD(Tensor, index_fill,
        (SELF, int64_t dim, const Tensor &index, const Tensor &value, HERE),
        (dim, index, value, Here))
FORWARD(Tensor &, detach_, (SELF), ())
FORWARD(Tensor, isneginf, (SELF, HERE), (Here))
FORWARD(Tensor, isposinf, (SELF, HERE), (Here))
FORWARD(Tensor, isreal, (SELF, HERE), (Here))
FORWARD(Tensor, signbit, (SELF, HERE), (Here))
FORWARD(Tensor, angle, (SELF, HERE), (Here))
FORWARD(Tensor, positive, (SELF, HERE), (Here))
FORWARD(Tensor, argwhere, (SELF, HERE), (Here))
FORWARD(Tensor, logcumsumexp, (SELF, int64_t dim, HERE), (dim, Here))
FORWARD(Tensor, msort, (SELF, HERE), (Here))
FORWARD(Tensor, count_nonzero, (SELF, IntArrayRef dim, HERE), (dim, Here))
FORWARD(Tensor, addbmm,
        (SELF, const Tensor &batch1, const Tensor &batch2,
         const Scalar &beta = 1, const Scalar &alpha = 1, HERE),
        (batch1, batch2, beta, alpha, Here))
FORWARD(Tensor, addr,
        (SELF, const Tensor &vec1, const Tensor &vec2, const Scalar &beta = 1,
         const Scalar &alpha = 1, HERE),
        (vec1, vec2, beta, alpha, Here))
FORWARD(Tensor, ger, (SELF, const Tensor &vec2, HERE), (vec2, Here))
FORWARD(Tensor, vdot, (SELF, const Tensor &other, HERE), (other, Here))
FORWARD(Tensor, put,
        (SELF, const Tensor &index, const Tensor &source,
         bool accumulate = false, HERE),
        (index, source, accumulate, Here))
FORWARD(Tensor, select_scatter,
        (SELF, const Tensor &src, int64_t dim, int64_t index, HERE),
        (src, dim, index, Here))
FORWARD(Tensor, slice_scatter,
        (SELF, const Tensor &src, int64_t dim = 0,
         optional<int64_t> start = nullopt, optional<int64_t> end = nullopt,
         int64_t step = 1, HERE),
        (src, dim, start, end, step, Here))
FORWARD(Tensor, diagonal_scatter,
        (SELF, const Tensor &src, int64_t offset = 0, int64_t dim1 = 0,
         int64_t dim2 = 1, HERE),
        (src, offset, dim1, dim2, Here))
FORWARD(Tensor, scatter_add,
        (SELF, int64_t dim, const Tensor &index, const Tensor &src, HERE),
        (dim, index, src, Here))
FORWARD(Tensor, index_add,
        (SELF, int64_t dim, const Tensor &index, const Tensor &source,
         const Scalar &alpha = 1, HERE),
        (dim, index, source, alpha, Here))
FORWARD(Tensor, index_fill,
        (SELF, int64_t dim, const Tensor &index, const Scalar &value, HERE),
        (dim, index, value, Here))
#undef SELF
#undef FORWARD

/// Numbers on the left.
#define REVERSED(NAME)                                                         \
  inline Tensor NAME(const Scalar &self, const Tensor &other, HERE) {          \
    return scalar_tensor(self, {}, Here).NAME(other, Here);                    \
  }
REVERSED(remainder)
REVERSED(xlogy)
REVERSED(float_power)
REVERSED(bitwise_and)
REVERSED(bitwise_or)
REVERSED(bitwise_xor)
REVERSED(bitwise_left_shift)
REVERSED(bitwise_right_shift)
#undef REVERSED

/// The result becomes the tensor's elements.
#define IN_PLACE(NAME, PARAMS, ...)                                            \
  inline Tensor &NAME##_ PARAMS {                                              \
    return self.copy_(tensortidy::NAME(self, __VA_ARGS__), false, Here);       \
  }
IN_PLACE(gelu, (Tensor & self, std::string_view approximate = "none", HERE),
         approximate, Here)
IN_PLACE(silu, (Tensor & self, HERE), Here)
IN_PLACE(mish, (Tensor & self, HERE), Here)
IN_PLACE(selu, (Tensor & self, HERE), Here)
IN_PLACE(celu, (Tensor & self, const Scalar &alpha = 1.0, HERE), alpha, Here)
IN_PLACE(elu, (Tensor & self, const Scalar &alpha = 1, HERE), alpha, Here)
IN_PLACE(leaky_relu, (Tensor & self, const Scalar &negative_slope = 0.01, HERE),
         negative_slope, Here)
IN_PLACE(hardtanh,
         (Tensor & self, const Scalar &min_val = -1, const Scalar &max_val = 1,
          HERE),
         min_val, max_val, Here)
IN_PLACE(hardswish, (Tensor & self, HERE), Here)
IN_PLACE(hardsigmoid, (Tensor & self, HERE), Here)
IN_PLACE(relu6, (Tensor & self, HERE), Here)
IN_PLACE(threshold,
         (Tensor & self, const Scalar &threshold, const Scalar &value, HERE),
         threshold, value, Here)
IN_PLACE(dropout, (Tensor & self, double p, bool train, HERE), p, train, Here)
IN_PLACE(alpha_dropout, (Tensor & self, double p, bool train, HERE), p, train,
         Here)
IN_PLACE(feature_dropout, (Tensor & self, double p, bool train, HERE), p, train,
         Here)
IN_PLACE(feature_alpha_dropout, (Tensor & self, double p, bool train, HERE), p,
         train, Here)
#undef IN_PLACE
inline Tensor &xlogy_(Tensor &self, const Tensor &other, HERE) {
  return self.xlogy_(other, Here);
}
inline Tensor &gcd_(Tensor &self, const Tensor &other, HERE) {
  return self.gcd_(other, Here);
}
inline Tensor &lcm_(Tensor &self, const Tensor &other, HERE) {
  return self.lcm_(other, Here);
}
inline Tensor _softmax(const Tensor &self, int64_t dim, bool, HERE) {
  return self.softmax(dim, nullopt, Here);
}
inline Tensor _log_softmax(const Tensor &self, int64_t dim, bool, HERE) {
  return self.log_softmax(dim, nullopt, Here);
}
inline Tensor _unsafe_view(const Tensor &self, IntArrayRef size, HERE) {
  return self.view(size, Here);
}
inline Tensor _shape_as_tensor(const Tensor &self, HERE) {
  return tensor(self.sizes(), kLong, Here);
}
/// Each place as often as it is said for it.
inline Tensor repeat_interleave(const Tensor &repeats, HERE) {
  return arange(repeats.numel(), TensorOptions(kLong), Here)
      .repeat_interleave(repeats, 0, Here);
}
Tensor nuclear_norm(const Tensor &self, bool keepdim = false, HERE);
/// Of all where no dimension is named.
Tensor frobenius_norm(const Tensor &self, IntArrayRef dim = {},
                      bool keepdim = false, HERE);
/// "same" or "valid" instead of a padding.
#define PADDED(NAME)                                                           \
  Tensor NAME(const Tensor &input, const Tensor &weight,                       \
              const optional<Tensor> &bias, IntArrayRef stride,                \
              std::string_view padding, IntArrayRef dilation = 1,              \
              int64_t groups = 1, HERE);
PADDED(conv1d)
PADDED(conv2d)
PADDED(conv3d)
#undef PADDED
Tensor hamming_window(int64_t window_length, bool periodic, double alpha,
                      double beta = 0.46, TensorOptions options = {}, HERE);
inline Tensor range(const Scalar &start, const Scalar &end,
                    TensorOptions options, HERE) {
  return range(start, end, 1, options, Here);
}
/// \p side is left or right, \p sorter says how the sequence is sorted.
Tensor searchsorted(const Tensor &sorted_sequence, const Tensor &self,
                    bool out_int32, bool right, optional<std::string_view> side,
                    const optional<Tensor> &sorter = {}, HERE);
ScalarType result_type(const Scalar &scalar, const Tensor &tensor);
ScalarType result_type(const Scalar &scalar1, const Scalar &scalar2);
/// The greatest of each part, and its place.
std::tuple<Tensor, Tensor> adaptive_max_pool1d(const Tensor &self,
                                               IntArrayRef output_size, HERE);
std::tuple<Tensor, Tensor> adaptive_max_pool2d(const Tensor &self,
                                               IntArrayRef output_size, HERE);

std::tuple<Tensor, Tensor> frexp(const Tensor &self, HERE);
/// The sum of k to the power of -x, from k = q on.
Tensor special_zeta(const Tensor &self, const Tensor &other, HERE);
#define FORWARD(RESULT, NAME, PARAMS, ARGS)                                    \
  inline RESULT NAME PARAMS { return self.NAME ARGS; }
FORWARD(Tensor, mvlgamma, (const Tensor &self, int64_t p, HERE), (p, Here))
FORWARD(Tensor, igamma, (const Tensor &self, const Tensor &other, HERE),
        (other, Here))
FORWARD(Tensor, igammac, (const Tensor &self, const Tensor &other, HERE),
        (other, Here))
FORWARD(Tensor, as_strided_scatter,
        (const Tensor &self, const Tensor &src, IntArrayRef size,
         IntArrayRef stride, optional<int64_t> storage_offset = nullopt, HERE),
        (src, size, stride, storage_offset, Here))
FORWARD(Tensor, nanquantile,
        (const Tensor &self, const Tensor &q, optional<int64_t> dim = nullopt,
         bool keepdim = false, std::string_view interpolation = "linear", HERE),
        (q, dim, keepdim, interpolation, Here))
FORWARD(std::vector<Tensor>, unsafe_split_with_sizes,
        (const Tensor &self, IntArrayRef split_sizes, int64_t dim = 0, HERE),
        (split_sizes, dim, Here))
#undef FORWARD
inline Tensor polygamma(int64_t n, const Tensor &self, HERE) {
  return self.polygamma(n, Here);
}

//===--- special functions ----------------------------------------------===//

#define SPECIAL(NAME, PARAMS, VALUE)                                           \
  inline Tensor special_##NAME PARAMS { return VALUE; }                        \
  namespace special {                                                          \
  inline Tensor NAME PARAMS { return special_##NAME ARGS; }                    \
  }
#define SELF (const Tensor &self, HERE)
#define ARGS (self, Here)
SPECIAL(digamma, SELF, self.digamma(Here))
SPECIAL(psi, SELF, self.digamma(Here))
SPECIAL(gammaln, SELF, self.lgamma(Here))
SPECIAL(erf, SELF, self.erf(Here))
SPECIAL(erfc, SELF, self.erfc(Here))
SPECIAL(erfinv, SELF, self.erfinv(Here))
SPECIAL(exp2, SELF, self.exp2(Here))
SPECIAL(expit, SELF, self.sigmoid(Here))
SPECIAL(expm1, SELF, self.expm1(Here))
SPECIAL(log1p, SELF, self.log1p(Here))
SPECIAL(i0, SELF, self.i0(Here))
SPECIAL(sinc, SELF, self.sinc(Here))
#undef SPECIAL
#define SPECIAL(NAME)                                                          \
  Tensor special_##NAME(const Tensor &self, HERE);                             \
  namespace special {                                                          \
  inline Tensor NAME(const Tensor &self, HERE) {                               \
    return special_##NAME(self, Here);                                         \
  }                                                                            \
  }
SPECIAL(entr)
SPECIAL(erfcx)
SPECIAL(i0e)
SPECIAL(i1)
SPECIAL(i1e)
SPECIAL(ndtr)
SPECIAL(ndtri)
SPECIAL(log_ndtr)
SPECIAL(bessel_j0)
SPECIAL(bessel_j1)
SPECIAL(bessel_y0)
SPECIAL(bessel_y1)
#undef SPECIAL
#define SPECIAL(NAME, PARAMS, VALUE)                                           \
  inline Tensor special_##NAME PARAMS { return VALUE; }                        \
  namespace special {                                                          \
  inline Tensor NAME PARAMS { return special_##NAME ARGS; }                    \
  }
#undef ARGS
#define ARGS (self, p, Here)
SPECIAL(multigammaln, (const Tensor &self, int64_t p, HERE),
        self.mvlgamma(p, Here))
#undef ARGS
#define ARGS (n, self, Here)
SPECIAL(polygamma, (int64_t n, const Tensor &self, HERE),
        self.polygamma(n, Here))
#undef ARGS
#define ARGS (self, eps, Here)
SPECIAL(logit, (const Tensor &self, optional<double> eps = nullopt, HERE),
        self.logit(eps, Here))
#undef ARGS
#define ARGS (self, other, Here)
#define BOTH (const Tensor &self, const Tensor &other, HERE)
#define LEFT (const Scalar &self, const Tensor &other, HERE)
#define RIGHT (const Tensor &self, const Scalar &other, HERE)
SPECIAL(xlogy, BOTH, self.xlogy(other, Here))
SPECIAL(xlogy, LEFT, tensortidy::xlogy(self, other, Here))
SPECIAL(xlogy, RIGHT, self.xlogy(other, Here))
SPECIAL(gammainc, BOTH, self.igamma(other, Here))
SPECIAL(gammaincc, BOTH, self.igammac(other, Here))
Tensor special_xlog1py BOTH;
namespace special {
inline Tensor xlog1py BOTH { return special_xlog1py ARGS; }
} // namespace special
#undef BOTH
#undef LEFT
#undef RIGHT
#undef ARGS
#define ARGS (self, dim, keepdim, Here)
SPECIAL(logsumexp,
        (const Tensor &self, IntArrayRef dim, bool keepdim = false, HERE),
        self.logsumexp(dim, keepdim, Here))
#undef ARGS
#define ARGS (self, dim, dtype, Here)
SPECIAL(softmax,
        (const Tensor &self, int64_t dim, optional<ScalarType> dtype = nullopt,
         HERE),
        self.softmax(dim, dtype, Here))
SPECIAL(log_softmax,
        (const Tensor &self, int64_t dim, optional<ScalarType> dtype = nullopt,
         HERE),
        self.log_softmax(dim, dtype, Here))
#undef ARGS
#undef SELF
#undef SPECIAL

#undef HERE

} // namespace tensortidy

#endif
