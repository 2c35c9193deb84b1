//===- recurrent.h - cells of recurrent networks ----------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One step each. With H numbers in the hidden state the weights are [4 * H, .]
// for an LSTM (input, forget, cell and output gate), [3 * H, .] for a GRU
// (reset and update gate, new state) and [H, .] otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_RECURRENT_H
#define TENSORTIDY_RECURRENT_H

#include "tensortidy/tensor.h"
#include <tuple>

namespace tensortidy {

/// From the hidden and the cell state the next ones.
std::tuple<Tensor, Tensor> lstm_cell(const Tensor &input, TensorList hx,
                                     const Tensor &w_ih, const Tensor &w_hh,
                                     const optional<Tensor> &b_ih = {},
                                     const optional<Tensor> &b_hh = {},
                                     Site Here = Site::current());
Tensor gru_cell(const Tensor &input, const Tensor &hx, const Tensor &w_ih,
                const Tensor &w_hh, const optional<Tensor> &b_ih = {},
                const optional<Tensor> &b_hh = {}, Site Here = Site::current());
Tensor rnn_tanh_cell(const Tensor &input, const Tensor &hx, const Tensor &w_ih,
                     const Tensor &w_hh, const optional<Tensor> &b_ih = {},
                     const optional<Tensor> &b_hh = {},
                     Site Here = Site::current());
Tensor rnn_relu_cell(const Tensor &input, const Tensor &hx, const Tensor &w_ih,
                     const Tensor &w_hh, const optional<Tensor> &b_ih = {},
                     const optional<Tensor> &b_hh = {},
                     Site Here = Site::current());

/// Whole networks over [time, batch, features], or [batch, time, features]. The
/// parameters of each layer, and of each direction, are w_ih, w_hh, b_ih, b_hh.
/// They answer all outputs and the last states.
std::tuple<Tensor, Tensor, Tensor>
lstm(const Tensor &input, TensorList hx, TensorList params, bool has_biases,
     int64_t num_layers, double dropout, bool train, bool bidirectional,
     bool batch_first, Site Here = Site::current());
#define TENSORTIDY_RECURRENT(NAME)                                             \
  std::tuple<Tensor, Tensor> NAME(                                             \
      const Tensor &input, const Tensor &hx, TensorList params,                \
      bool has_biases, int64_t num_layers, double dropout, bool train,         \
      bool bidirectional, bool batch_first, Site Here = Site::current());
TENSORTIDY_RECURRENT(gru)
TENSORTIDY_RECURRENT(rnn_tanh)
TENSORTIDY_RECURRENT(rnn_relu)
#undef TENSORTIDY_RECURRENT

} // namespace tensortidy

#endif
