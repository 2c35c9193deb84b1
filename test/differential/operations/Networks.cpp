//===- Networks.cpp - what networks are made of ---------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <tensortidy/recurrent.h>

#include "Table.h"

TABLE(networks)
// networks
OP("conv1d", 1, Inexact, genConv1d, ns::conv1d(x, weights(), {}, pick(0), pick(1), pick(2), i0))
OP("conv2d", 1, Inexact, genConv2d, ns::conv2d(x, weights(), {}, pick(0), pick(1), pick(2), i0))
OP("conv2d", 1, Inexact, genConv2d, ns::conv2d(x.to(ns::kFloat), weights(), {}, pick(0), {pick(1), pick(3)}, {pick(2), 1}, i0))
OP("conv2d_format", 1, Inexact | Rare, genConv2dFull,
   ns::conv2d(x.to(ns::kFloat), weights().contiguous(ns::MemoryFormat::ChannelsLast), {}, pick(0), pick(1), pick(2), i0))
// Weights of a cell, from a square matrix.
#define CELL(X) (X).to(ns::kFloat).clamp(-1, 1)
#define CELL_WEIGHTS(N) CELL(x).repeat({N, 1})
OP("lstm_cell", 1, Inexact | Rare, genSquare,
   std::get<0>(ns::lstm_cell(CELL(x), {CELL(x), CELL(x).abs()}, CELL_WEIGHTS(4), CELL_WEIGHTS(4).neg())))
OP("lstm_cell_state", 1, Inexact | Rare, genSquare,
   std::get<1>(ns::lstm_cell(CELL(x), {CELL(x), CELL(x).abs()}, CELL_WEIGHTS(4), CELL_WEIGHTS(4), CELL_WEIGHTS(4).select(1, 0))))
OP("gru_cell", 1, Inexact | Rare, genSquare,
   ns::gru_cell(CELL(x), CELL(x).neg(), CELL_WEIGHTS(3), CELL_WEIGHTS(3), CELL_WEIGHTS(3).select(1, 0), CELL_WEIGHTS(3).select(1, 0)))
OP("rnn_tanh_cell", 1, Inexact | Rare, genSquare, ns::rnn_tanh_cell(CELL(x), CELL(x).neg(), CELL(x), CELL(x).abs()))
OP("rnn_relu_cell", 2, Inexact | Rare, genMatrices, ns::rnn_relu_cell(CELL(x), CELL(y), CELL(x), CELL(y).mT()))
// Two steps of a network, for which the rows are a batch.
#undef CELL_WEIGHTS
#define FIRST CELL(x.reshape({-1, x.size(-1)}).narrow(0, 0, x.size(-1)))
#define CELL_WEIGHTS(N) FIRST.repeat({N, 1})
#define SEQUENCE ns::stack({FIRST, FIRST.neg()})
#define STATE FIRST.unsqueeze(0)
#define LAYER(N) CELL_WEIGHTS(N), CELL_WEIGHTS(N).neg(), CELL_WEIGHTS(N).select(1, 0), CELL_WEIGHTS(N).select(1, 0)
OP("lstm", 1, Inexact | Rare, genSquare,
   std::get<0>(ns::lstm(SEQUENCE, {STATE, STATE.neg()}, {LAYER(4)}, true, 1, 0.0, false, false, false)).contiguous())
OP("lstm_cell_states", 1, Inexact | Rare, genSquare,
   std::get<2>(ns::lstm(SEQUENCE, {STATE.repeat({2, 1, 1}), STATE.repeat({2, 1, 1})}, {LAYER(4), LAYER(4)}, true, 2, 0.0, false, false, false)).contiguous())
OP("gru", 1, Inexact | Rare, genSquare,
   std::get<0>(ns::gru(SEQUENCE, STATE.repeat({2, 1, 1}), {LAYER(3), LAYER(3)}, true, 1, 0.0, false, true, false)).contiguous())
OP("gru_state", 1, Inexact | Rare, genSquare, std::get<1>(ns::gru(SEQUENCE.transpose(0, 1), STATE, {LAYER(3)}, true, 1, 0.0, false, false, true)).contiguous())
OP("rnn_tanh", 1, Inexact | Rare, genSquare, std::get<0>(ns::rnn_tanh(SEQUENCE, STATE, {LAYER(1)}, true, 1, 0.0, false, false, false)).contiguous())
OP("rnn_relu", 1, Inexact | Rare, genSquare, std::get<0>(ns::rnn_relu(SEQUENCE, STATE, {LAYER(1)}, true, 1, 0.0, false, false, false)).contiguous())
// Packed samples of two steps, of which the second has fewer.
#define LENGTHS ns::arange(x.size(-1), ns::kLong).mul(-1).add(x.size(-1)).clamp(1, 2)
#define PACKED(K) std::get<K>(ns::_pack_padded_sequence(SEQUENCE, LENGTHS, false))
OP("pack_padded_sequence", 1, Rare, genSquare, PACKED(0))
OP("pack_padded_sequence_sizes", 1, Rare, genSquare, PACKED(1))
OP("pad_packed_sequence", 1, Rare, genSquare, std::get<0>(ns::_pad_packed_sequence(PACKED(0), PACKED(1), b0, 7, 3)).contiguous())
OP("pad_packed_sequence_lengths", 1, Rare, genSquare, std::get<1>(ns::_pad_packed_sequence(PACKED(0), PACKED(1), false, 0, 2)))
OP("lstm_packed", 1, Inexact | Rare, genSquare,
   std::get<0>(ns::lstm(PACKED(0), PACKED(1), {STATE.repeat({2, 1, 1}), STATE.repeat({2, 1, 1})}, {LAYER(4), LAYER(4)}, true, 1, 0.0, false, true)).contiguous())
OP("lstm_packed_state", 1, Inexact | Rare, genSquare,
   std::get<2>(ns::lstm(PACKED(0), PACKED(1), {STATE.repeat({2, 1, 1}), STATE.repeat({2, 1, 1})}, {LAYER(4), LAYER(4)}, true, 1, 0.0, false, true)).contiguous())
OP("gru_packed", 1, Inexact | Rare, genSquare,
   std::get<1>(ns::gru(PACKED(0), PACKED(1), STATE.repeat({2, 1, 1}), {LAYER(3), LAYER(3)}, true, 2, 0.0, false, false)).contiguous())
OP("rnn_tanh_packed", 1, Inexact | Rare, genSquare, std::get<0>(ns::rnn_tanh(PACKED(0), PACKED(1), STATE, {LAYER(1)}, true, 1, 0.0, false, false)).contiguous())
OP("pad_sequence", 1, Rare, genSquare, ns::pad_sequence({FIRST, FIRST.narrow(0, 0, 1)}, b0, 7))
#undef LENGTHS
#undef PACKED
#undef FIRST
#undef SEQUENCE
#undef STATE
#undef LAYER
#undef CELL
#undef CELL_WEIGHTS
OP("conv1d_same", 1, Inexact | Rare, genConv1d, ns::conv1d(x.to(ns::kFloat), weights(), {}, 1, "same", pick(2), i0))
OP("conv2d_same", 1, Inexact | Rare, genConv2d, ns::conv2d(x.to(ns::kFloat), weights(), {}, 1, "same", pick(2), i0))
OP("conv2d_valid", 1, Inexact | Rare, genConv2d, ns::conv2d(x.to(ns::kFloat), weights(), {}, pick(0), "valid", pick(2), i0))
OP("adaptive_max_pool2d", 1, Rare, genAdaptive, std::get<0>(ns::adaptive_max_pool2d(x, l0)).clone(ns::MemoryFormat::Contiguous))
OP("max_unpool2d", 1, Rare, genPool, ns::max_unpool2d(std::get<0>(ns::max_pool2d_with_indices(x, l0, l1, i0, i1, b2)), std::get<1>(ns::max_pool2d_with_indices(x, l0, l1, i0, i1, b2)), {x.size(-2), x.size(-1)}).contiguous())
OP("max_pool2d", 1, None, genPool, ns::max_pool2d(x, l0, l1, i0, i1, b2))
OP("max_pool2d_places", 1, None, genPool, std::get<1>(ns::max_pool2d_with_indices(x, l0, l1, i0, i1, b2)))
OP("max_pool3d", 1, Rare, genPool3d, ns::max_pool3d(x, l0, l1, i0, i1, b2))
OP("max_pool3d_places", 1, Rare, genPlaces3d, std::get<1>(ns::max_pool3d_with_indices(x, l0, l1, i0, i1, b2)))
OP("avg_pool3d", 1, Inexact | Overflows | Rare, genPool3d, ns::avg_pool3d(x, l0, l1, i0, b2, i1 == 1))
OP("adaptive_avg_pool3d", 1, Inexact | Overflows | Rare, genAdaptive3d, ns::adaptive_avg_pool3d(x, l0))
OP("avg_pool2d", 1, Inexact | Overflows, genPool, ns::avg_pool2d(x, l0, l1, i0, b2, i1 == 1))
OP("adaptive_avg_pool2d", 1, Inexact | Overflows, genAdaptive, ns::adaptive_avg_pool2d(x, l0))
OP("constant_pad_nd", 1, None, genPad, ns::constant_pad_nd(x, l0, number))
OP("batch_norm", 2, Inexact | Amplifies, genChannels, ns::batch_norm(x, y, y, y, y.abs(), false, 0.1, 1e-5, false))
OP("batch_norm_training", 1, Inexact | Amplifies, genWithChannels, ns::batch_norm(x, {}, {}, {}, {}, true, 0.1, 1e-5, false))
OP("layer_norm_affine", 2, Inexact | Amplifies, genSame, ns::layer_norm(x, x.sizes(), y, y))
OP("mse_loss", 2, Inexact | Amplifies | Overflows, genSame, ns::mse_loss(x, y))
OP("glu", 1, Inexact, genDim, ns::glu(x, i0))

// activations and rarer functions
OP("selu", 1, Inexact | Rare, genNothing, ns::selu(x))
OP("celu", 1, Inexact | Rare, genNumber, ns::celu(x, number))
OP("mish", 1, Inexact | Rare, genNothing, ns::mish(x))
OP("hardswish", 1, Inexact, genNothing, ns::hardswish(x))
OP("hardsigmoid", 1, Inexact | Rare, genNothing, ns::hardsigmoid(x))
OP("relu6", 1, Rare, genNothing, ns::relu6(x))
OP("log_sigmoid", 1, Inexact | Rare, genNothing, ns::log_sigmoid(x))
OP("threshold", 1, Rare, genNumber, ns::threshold(x, whole, 7))
OP("softshrink", 1, Inexact | Rare, genNumber, ns::softshrink(x, number))
OP("hardshrink", 1, Rare, genNumber, ns::hardshrink(x, whole))
OP("prelu", 2, Inexact, genSlopes, ns::prelu(x, y))
OP("clip", 1, Rare, genNothing, x.clip(0, 2))
OP("logit", 1, Inexact | Rare, genNothing, ns::logit(x, 0.25))
OP("logit_", 1, Inexact | Rare | Writes, genNothing, x.logit_(0.25))

// losses and distances
OP("mse_loss_how", 2, Inexact | Amplifies | Overflows | Rare, genLoss, ns::mse_loss(x, y, i0))
OP("l1_loss", 2, Inexact | Overflows, genLoss, ns::l1_loss(x, y, i0))
OP("smooth_l1_loss", 2, Inexact | Overflows | Rare, genLoss, ns::smooth_l1_loss(x, y, i0, number))
OP("huber_loss", 2, Inexact | Overflows | Rare, genLoss, ns::huber_loss(x, y, i0, number))
OP("binary_cross_entropy", 2, Inexact | Amplifies | Rare, genLoss, ns::binary_cross_entropy(x.sigmoid(), y.to(x.scalar_type()), {}, i0))
OP("bce_with_logits", 2, Inexact | Overflows | Rare, genLoss, ns::binary_cross_entropy_with_logits(x, y, {}, {}, i0))
OP("bce_with_logits_weighted", 3, Inexact | Overflows | Rare, genLossWeighted, ns::binary_cross_entropy_with_logits(x, y, z, z, i0))
OP("soft_margin_loss", 2, Inexact | Overflows | Rare, genLoss, ns::soft_margin_loss(x, y, i0))
OP("poisson_nll_loss", 2, Inexact | Overflows | Amplifies | Rare, genLoss, ns::poisson_nll_loss(x, y, b1, true, 1e-6, i0))
OP("kl_div", 2, Inexact | Overflows | Rare, genLoss, ns::kl_div(x, y, i0, b1))
OP("nll_loss", 1, Inexact | Overflows, genClasses, ns::nll_loss_nd(x, indexing(), {}, i0, i1))
OP("cross_entropy_loss", 1, Inexact | Overflows, genClasses, ns::cross_entropy_loss(x, indexing(), {}, i0, i1, i2 ? 0.125 : 0))
OP("cross_entropy_weighted", 1, Inexact | Overflows | Rare, genClasses, ns::cross_entropy_loss(x, indexing(), ns::arange(x.size(x.dim() > 1), x.options()) + 1, i0, i1, i2 ? 0.125 : 0))
OP("cross_entropy_probabilities", 2, Inexact | Overflows | Amplifies | Rare, genProbabilities, ns::cross_entropy_loss(x, y, {}, i0))
OP("multi_margin_loss", 1, Inexact | Overflows | Rare, genClasses, ns::multi_margin_loss(x.to(ns::kFloat), indexing(), 1, 1, {}, i0))
OP("margin_ranking_loss", 3, Inexact | Overflows | Rare, genLossWeighted, ns::margin_ranking_loss(x, y, z, number, i0))
OP("hinge_embedding_loss", 2, Inexact | Overflows | Rare, genLoss, ns::hinge_embedding_loss(x, y, number, i0))
OP("triplet_margin_loss", 3, Inexact | Amplifies | Overflows | Rare, genLossWeighted, ns::triplet_margin_loss(x, y, z, number, 2, 1e-6, b1, i0))
OP("cosine_embedding_loss", 2, Inexact | Amplifies | Overflows | Rare, genLoss, ns::cosine_embedding_loss(x.flatten().unsqueeze(1), y.flatten().unsqueeze(1), y.flatten(), 0.25, i0))
// Two samples of the rows' classes, the second shorter.
#define SCORES ns::stack({WIDE, WIDE.flip(0)}, 1).log_softmax(2)
#define WIDE x.to(ns::kFloat).nan_to_num().clamp(-9, 9).reshape({-1, x.size(-1)})
OP("ctc_loss", 1, Inexact | Rare, genProduct,
   ns::ctc_loss(SCORES, ns::arange(4, ns::kLong).remainder(x.size(-1)).view({2, 2}), {SCORES.size(0), SCORES.size(0)}, {2, 1}, x.size(-1) - 1, 0, b1))
OP("ctc_loss_joined", 1, Inexact | Rare, genProduct,
   ns::ctc_loss(SCORES, ns::arange(3, ns::kLong).remainder(x.size(-1)), ns::ones(2, ns::kLong) * SCORES.size(0), ns::arange(1, 3, ns::kLong), 0, 0, true))
#undef WIDE
#undef SCORES
OP("cosine_similarity", 2, Inexact | Amplifies | Overflows | Rare, genSameDim, ns::cosine_similarity(x, y, i0, 1e-6))
OP("pairwise_distance", 2, Inexact | Amplifies | Overflows | Rare, genLoss, ns::pairwise_distance(x, y, number, 1e-6, b1))
OP("cdist", 2, Inexact | Amplifies | Overflows, genRows, ns::cdist(x, y, number))
OP("dist", 2, Inexact | Narrow | Overflows | Rare, genSame, ns::dist(x, y))

// images
OP("im2col", 1, None, genWindows, ns::im2col(x, l0, l1, {i0, i0}, {i1, i1}))
OP("col2im", 1, Inexact, genWindows, ns::col2im(ns::im2col(x, l0, l1, {i0, i0}, {i1, i1}), {x.size(-2), x.size(-1)}, l0, l1, {i0, i0}, {i1, i1}))
OP("upsample_nearest1d", 1, None, genRow, ns::upsample_nearest1d(x, i0))
OP("upsample_nearest2d", 1, None, genScaled, ns::upsample_nearest2d(x, l0))
// Beside an infinity, a last bit of where bfloat16 looks decides over a NaN.
OP("upsample_bilinear2d", 1, Inexact, genScaled, ns::upsample_bilinear2d(x.nan_to_num(0, 9, -9), l0, b0))
OP("upsample_bicubic2d", 1, Inexact | Rare, genScaled, ns::upsample_bicubic2d(x, l0, b0))
OP("upsample_linear1d", 1, Inexact | Rare, genRow, ns::upsample_linear1d(x.nan_to_num(0, 9, -9), i0, b2))
OP("upsample_nearest3d", 1, Rare, genScaled3d, ns::upsample_nearest3d(x, l0))
OP("upsample_trilinear3d", 1, Inexact | Rare, genScaled3d, ns::upsample_trilinear3d(x.nan_to_num(0, 9, -9), l0, b0))
OP("upsample_nearest_exact1d", 1, Rare, genRow, ns::_upsample_nearest_exact1d(x, i0))
OP("upsample_nearest_exact2d", 1, Rare, genScaled, ns::_upsample_nearest_exact2d(x, l0))
OP("upsample_nearest_exact3d", 1, Rare, genScaled3d, ns::_upsample_nearest_exact3d(x, l0))
OP("pad_constant", 1, Rare, genPad, ns::pad(x, l0, "constant", number))
OP("pad_reflect", 1, None, genBorder, ns::pad(x, l0, "reflect"))
OP("pad_replicate", 1, None, genBorder, ns::pad(x, l0, "replicate"))
OP("pad_circular", 1, Rare, genCircular, ns::pad(x, l0, "circular"))
OP("pixel_shuffle", 1, None, genFactor, ns::pixel_shuffle(x, i0))
OP("pixel_unshuffle", 1, None, genFactor, ns::pixel_unshuffle(x, i0))
OP("channel_shuffle", 1, Rare, genFactor, ns::channel_shuffle(x, i0))
OP("group_norm", 1, Inexact | Amplifies, genGroups, ns::group_norm(x, i0))
OP("instance_norm", 1, Inexact | Amplifies | Rare, genWithChannels, ns::instance_norm(x, {}, {}, {}, {}, true, 0.1, 1e-5, false))
OP("conv3d", 1, Inexact | Rare, genConv3d, ns::conv3d(x.to(ns::kFloat), weights(), {}, pick(0), pick(1), pick(2), i0))
OP("conv_transpose1d", 1, Inexact | Rare, genConvBack1d, ns::conv_transpose1d(x.to(ns::kFloat), weights(), {}, pick(0), pick(1), pick(3), i0, pick(2)))
OP("conv_transpose2d", 1, Inexact, genConvBack2d, ns::conv_transpose2d(x.to(ns::kFloat), weights(), {}, pick(0), pick(1), pick(3), i0, pick(2)))
// libtorch's storage is not smaller than the input's.
OP("conv_transpose3d", 1, Inexact | Rare, genConvBack3d, ns::conv_transpose3d(x.to(ns::kFloat), weights(), {}, pick(0), pick(1), pick(3), i0, pick(2)).clone())
OP("max_pool1d", 1, Rare, genRow, ns::max_pool1d(x, i1, i2, i3, 1, b0))
OP("avg_pool1d", 1, Inexact | Overflows | Rare, genRow, ns::avg_pool1d(x, i1, i2, i3, b0))
OP("adaptive_avg_pool1d", 1, Inexact | Overflows | Rare, genRow, ns::adaptive_avg_pool1d(x, i0))
OP("affine_grid", 1, Inexact | Rare, genSmall, ns::affine_grid_generator(x.to(ns::kFloat).reshape({-1, 2, 3}), {x.numel() / 6, 1, 3, 2}, b1))
OP("grid_sampler", 1, Inexact, genSampler, ns::grid_sampler(x.to(ns::kFloat), (ns::arange(x.size(0) * 12, ns::kFloat) * 0.125 - 1).view({x.size(0), 3, 2, 2}), i0, i1, b2))
END_TABLE
