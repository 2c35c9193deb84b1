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
/// Over packed samples: the rows of data are those of the first step, then
/// those of the second, ...; batch_sizes says how many each step has.
std::tuple<Tensor, Tensor, Tensor>
lstm(const Tensor &data, const Tensor &batch_sizes, TensorList hx,
     TensorList params, bool has_biases, int64_t num_layers, double dropout,
     bool train, bool bidirectional, Site Here = Site::current());
#define TENSORTIDY_RECURRENT(NAME)                                             \
  std::tuple<Tensor, Tensor> NAME(                                             \
      const Tensor &data, const Tensor &batch_sizes, const Tensor &hx,         \
      TensorList params, bool has_biases, int64_t num_layers, double dropout,  \
      bool train, bool bidirectional, Site Here = Site::current());            \
  std::tuple<Tensor, Tensor> NAME(                                             \
      const Tensor &input, const Tensor &hx, TensorList params,                \
      bool has_biases, int64_t num_layers, double dropout, bool train,         \
      bool bidirectional, bool batch_first, Site Here = Site::current());
TENSORTIDY_RECURRENT(gru)
TENSORTIDY_RECURRENT(rnn_tanh)
TENSORTIDY_RECURRENT(rnn_relu)
#undef TENSORTIDY_RECURRENT

/// The steps of all samples without what pads them, longest first: the rows,
/// and how many each step has. And back.
std::tuple<Tensor, Tensor> _pack_padded_sequence(const Tensor &input,
                                                 const Tensor &lengths,
                                                 bool batch_first,
                                                 Site Here = Site::current());
std::tuple<Tensor, Tensor>
_pad_packed_sequence(const Tensor &data, const Tensor &batch_sizes,
                     bool batch_first, const Scalar &padding_value,
                     int64_t total_length, Site Here = Site::current());
/// Of [length, ...] each, one of [longest, how many, ...].
Tensor pad_sequence(TensorList sequences, bool batch_first = false,
                    double padding_value = 0, Site Here = Site::current());

namespace nn::utils::rnn {

/// Samples of several lengths, step by step; in which order they were sorted.
class PackedSequence {
public:
  explicit PackedSequence(Tensor data, Tensor batch_sizes,
                          Tensor sorted_indices = {},
                          Tensor unsorted_indices = {});
  const Tensor &data() const { return Data; }
  const Tensor &batch_sizes() const { return BatchSizes; }
  const Tensor &sorted_indices() const { return Sorted; }
  const Tensor &unsorted_indices() const { return Unsorted; }
  PackedSequence to(TensorOptions options) const {
    return PackedSequence(Data.to(options), BatchSizes, Sorted, Unsorted);
  }
  PackedSequence cpu() const { return *this; }
  bool is_cuda() const { return false; }
  bool is_pinned() const { return false; }

private:
  Tensor Data, BatchSizes, Sorted, Unsorted;
};
Tensor invert_permutation(const Tensor &permutation);
PackedSequence pack_padded_sequence(Tensor input, Tensor lengths,
                                    bool batch_first = false,
                                    bool enforce_sorted = true);
/// Padded again, and the lengths.
std::tuple<Tensor, Tensor>
pad_packed_sequence(const PackedSequence &sequence, bool batch_first = false,
                    double padding_value = 0.0,
                    optional<int64_t> total_length = nullopt);
inline Tensor pad_sequence(ArrayRef<Tensor> sequences, bool batch_first = false,
                           double padding_value = 0,
                           Site Here = Site::current()) {
  return tensortidy::pad_sequence(sequences, batch_first, padding_value, Here);
}
PackedSequence pack_sequence(ArrayRef<Tensor> sequences,
                             bool enforce_sorted = true);

} // namespace nn::utils::rnn

} // namespace tensortidy

#endif
