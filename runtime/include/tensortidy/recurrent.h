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

} // namespace tensortidy

#endif
