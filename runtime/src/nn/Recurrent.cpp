//===- Recurrent.cpp - cells of recurrent networks ------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tensortidy/recurrent.h"
#include "core/Impl.h"
#include "core/Release.h"

namespace tensortidy {

using detail::fail;
using detail::impl;
using detail::text;

namespace {

/// What the gates get from the input and from the state.
struct Gates {
  Tensor FromInput, FromState;
};
Gates gatesOf(int64_t Gates, const Tensor &Input, const Tensor &State,
              const Tensor &OfInput, const Tensor &OfState,
              const optional<Tensor> &Bias, const optional<Tensor> &BiasOfState,
              const char *Op, Site Here) {
  for (const Tensor *X : {&Input, &State, &OfInput, &OfState})
    if (impl(*X, Op, Here).L.rank() != 2)
      fail(std::string(Op) + ": matrices are needed, got sizes " +
               text(X->sizes()),
           *X, Here);
  if (Input.size(1) != OfInput.size(1))
    fail(std::string(Op) + ": the input has " + text(Input.size(1)) +
             " numbers in a row, the weights are for " + text(OfInput.size(1)),
         Input, Here);
  if (Input.size(0) != State.size(0))
    fail(std::string(Op) + ": the input has " + text(Input.size(0)) +
             " rows, the state " + text(State.size(0)),
         State, Here);
  if (State.size(1) != OfState.size(1))
    fail(std::string(Op) + ": the state has " + text(State.size(1)) +
             " numbers in a row, the weights are for " + text(OfState.size(1)),
         State, Here);
  if (detail::has(detail::Change::CellsCheckWeights))
    for (const Tensor *Weights : {&OfInput, &OfState})
      if (Weights->size(0) != Gates * State.size(1))
        fail(std::string(Op) + ": the state has " + text(State.size(1)) +
                 " numbers in a row, the weights are for " +
                 text(Weights->size(0)) + " by " + text(Gates),
             State, Here);
  return {linear(Input, OfInput, Bias, Here),
          linear(State, OfState, BiasOfState, Here)};
}

} // namespace

std::tuple<Tensor, Tensor> lstm_cell(const Tensor &input, TensorList hx,
                                     const Tensor &w_ih, const Tensor &w_hh,
                                     const optional<Tensor> &b_ih,
                                     const optional<Tensor> &b_hh, Site Here) {
  const char *Op = "lstm_cell";
  if (hx.size() != 2)
    fail("lstm_cell: a hidden and a cell state are needed, got " +
             std::to_string(hx.size()) + " tensors",
         Here);
  const Gates G = gatesOf(4, input, hx[0], w_ih, w_hh, b_ih, b_hh, Op, Here);
  const auto Each = G.FromState.add(G.FromInput, 1, Here).chunk(4, 1, Here);
  const Tensor Cell =
      Each[1]
          .sigmoid(Here)
          .mul(hx[1], Here)
          .add(Each[0].sigmoid(Here).mul(Each[2].tanh(Here), Here), 1, Here);
  return {Each[3].sigmoid(Here).mul(Cell.tanh(Here), Here), Cell};
}
Tensor gru_cell(const Tensor &input, const Tensor &hx, const Tensor &w_ih,
                const Tensor &w_hh, const optional<Tensor> &b_ih,
                const optional<Tensor> &b_hh, Site Here) {
  const Gates G =
      gatesOf(3, input, hx, w_ih, w_hh, b_ih, b_hh, "gru_cell", Here);
  const auto I = G.FromInput.chunk(3, 1, Here),
             S = G.FromState.chunk(3, 1, Here);
  const Tensor Reset = S[0].add(I[0], 1, Here).sigmoid(Here),
               Update = S[1].add(I[1], 1, Here).sigmoid(Here),
               New = I[2].add(S[2].mul(Reset, Here), 1, Here).tanh(Here);
  return hx.sub(New, 1, Here).mul(Update, Here).add(New, 1, Here);
}
Tensor rnn_tanh_cell(const Tensor &input, const Tensor &hx, const Tensor &w_ih,
                     const Tensor &w_hh, const optional<Tensor> &b_ih,
                     const optional<Tensor> &b_hh, Site Here) {
  const Gates G =
      gatesOf(1, input, hx, w_ih, w_hh, b_ih, b_hh, "rnn_tanh_cell", Here);
  return G.FromState.add(G.FromInput, 1, Here).tanh(Here);
}
Tensor rnn_relu_cell(const Tensor &input, const Tensor &hx, const Tensor &w_ih,
                     const Tensor &w_hh, const optional<Tensor> &b_ih,
                     const optional<Tensor> &b_hh, Site Here) {
  const Gates G =
      gatesOf(1, input, hx, w_ih, w_hh, b_ih, b_hh, "rnn_relu_cell", Here);
  return G.FromState.add(G.FromInput, 1, Here).relu(Here);
}

//===--- layers over time -----------------------------------------------===//

namespace {

struct Network {
  TensorList Params;
  bool Biases;
  int64_t Layers;
  double Dropout;
  bool Train, Both, BatchFirst;
};

/// All steps of one direction: what each gives, and the last states.
struct Swept {
  Tensor Out;
  std::vector<Tensor> Last;
};
template <class F>
Swept sweep(const Tensor &X, std::vector<Tensor> Now, bool Back, Site Here,
            F Step) {
  const int64_t Time = X.size(0);
  std::vector<Tensor> Out(static_cast<size_t>(Time));
  for (int64_t K = 0; K < Time; ++K) {
    const int64_t T = Back ? Time - 1 - K : K;
    Now = Step(X.select(0, T, Here), Now);
    Out[static_cast<size_t>(T)] = Now[0];
  }
  return {stack(Out, 0, Here), Now};
}
/// The same of packed samples. Forward, the shortest end first, and backward
/// they come last.
template <class F>
Swept sweepPacked(const Tensor &X, const std::vector<int64_t> &Rows,
                  const std::vector<Tensor> &First, bool Back, Site Here,
                  F Step) {
  const size_t Time = Rows.size(), States = First.size();
  std::vector<Tensor> Parts = X.split_with_sizes(Rows, 0, Here), Out(Time);
  std::vector<Tensor> Now;
  auto take = [&](const std::vector<Tensor> &From, int64_t At, int64_t Count) {
    std::vector<Tensor> R;
    for (const Tensor &S : From)
      R.push_back(S.narrow(0, At, Count, Here));
    return R;
  };
  int64_t Have = Back ? Rows.back() : Rows.front();
  Now = take(First, 0, Have);
  std::vector<std::vector<Tensor>> Ended; // from the shortest
  for (size_t K = 0; K < Time; ++K) {
    const size_t T = Back ? Time - 1 - K : K;
    if (Rows[T] < Have) {
      Ended.push_back(take(Now, Rows[T], Have - Rows[T]));
      Now = take(Now, 0, Rows[T]);
    } else if (Rows[T] > Have) {
      const std::vector<Tensor> More = take(First, Have, Rows[T] - Have);
      for (size_t S = 0; S < States; ++S)
        Now[S] = cat({Now[S], More[S]}, 0, Here);
    }
    Have = Rows[T];
    Now = Step(Parts[T], Now);
    Out[T] = Now[0];
  }
  Ended.push_back(Now);
  std::vector<Tensor> Last;
  for (size_t S = 0; S < States; ++S) {
    std::vector<Tensor> All;
    for (size_t K = Ended.size(); K-- > 0;)
      All.push_back(Ended[K][S]);
    Last.push_back(All.size() == 1 ? All[0] : cat(All, 0, Here));
  }
  return {cat(Out, 0, Here), Last};
}

/// How many samples each step has.
std::vector<int64_t> rowsOf(const Tensor &BatchSizes, const char *Op,
                            Site Here) {
  if (detail::impl(BatchSizes, Op, Here).L.rank() != 1 ||
      BatchSizes.scalar_type() != kLong || BatchSizes.numel() == 0)
    detail::fail(std::string(Op) +
                     ": the batch sizes must be a vector of int64",
                 BatchSizes, Here);
  std::vector<int64_t> R;
  for (int64_t K = 0; K < BatchSizes.size(0); ++K) {
    R.push_back(BatchSizes.select(0, K, Here).item<int64_t>());
    if (R.back() <= 0 || (K > 0 && R.back() > R[R.size() - 2]))
      detail::fail(std::string(Op) +
                       ": the batch sizes must be positive and not grow",
                   BatchSizes, Here);
  }
  return R;
}

/// Runs all layers. \p States are [layers * directions, batch, hidden] each;
/// Step(x, states, w_ih, w_hh, b_ih, b_hh) answers the next states, the first
/// of which is the output. \p Packed says how many samples each step has.
template <class F>
std::vector<Tensor> run(const Tensor &Input, std::vector<Tensor> States,
                        const Network &N, const char *Op, Site Here, F Step,
                        const Tensor *Packed = nullptr) {
  const int64_t Directions = N.Both ? 2 : 1;
  const size_t Each = N.Biases ? 4 : 2;
  if (detail::impl(Input, Op, Here).L.rank() != (Packed ? 2U : 3U))
    detail::fail(std::string(Op) + ": the input needs " + (Packed ? "2" : "3") +
                     " dimensions",
                 Input, Here);
  if (N.Params.size() != static_cast<size_t>(N.Layers * Directions) * Each)
    detail::fail(std::string(Op) + ": " + std::to_string(N.Params.size()) +
                     " parameters do not fit the layers",
                 Input, Here);
  const std::vector<int64_t> Rows =
      Packed ? rowsOf(*Packed, Op, Here) : std::vector<int64_t>();
  Tensor X = N.BatchFirst ? Input.transpose(0, 1, Here) : Input;
  const int64_t Batch = Packed ? Rows[0] : X.size(1);
  for (const Tensor &S : States)
    if (detail::impl(S, Op, Here).L.rank() != 3 ||
        S.size(0) != N.Layers * Directions || S.size(1) != Batch)
      detail::fail(std::string(Op) + ": a state of sizes " +
                       detail::text(S.sizes()) + " does not fit",
                   Input, Here);
  std::vector<std::vector<Tensor>> Last(States.size());
  for (int64_t Layer = 0; Layer < N.Layers; ++Layer) {
    std::vector<Tensor> Sides;
    for (int64_t D = 0; D < Directions; ++D) {
      const int64_t At = Layer * Directions + D;
      const auto P = [&](size_t K) {
        return K < Each ? optional<Tensor>(
                              N.Params[static_cast<size_t>(At) * Each + K])
                        : nullopt;
      };
      std::vector<Tensor> First;
      for (const Tensor &S : States)
        First.push_back(S.select(0, At, Here));
      const auto One = [&](const Tensor &Of, const std::vector<Tensor> &Now) {
        return Step(Of, Now, *P(0), *P(1), P(2), P(3));
      };
      const Swept Side = Packed ? sweepPacked(X, Rows, First, D != 0, Here, One)
                                : sweep(X, First, D != 0, Here, One);
      Sides.push_back(Side.Out);
      for (size_t K = 0; K < First.size(); ++K)
        Last[K].push_back(Side.Last[K]);
    }
    X = N.Both ? cat(Sides, -1, Here) : Sides[0];
    if (N.Dropout > 0 && N.Train && Layer + 1 < N.Layers)
      X = dropout(X, N.Dropout, true, Here);
  }
  std::vector<Tensor> R{N.BatchFirst ? X.transpose(0, 1, Here) : X};
  for (const auto &S : Last)
    R.push_back(stack(S, 0, Here));
  return R;
}

} // namespace

static std::tuple<Tensor, Tensor, Tensor>
runLstm(const Tensor &Input, TensorList States, const Network &N,
        const Tensor *Packed, Site Here) {
  if (States.size() != 2)
    detail::fail("lstm expects two hidden states", Here);
  const std::vector<Tensor> R = run(
      Input, States.vec(), N, "lstm", Here,
      [&](const Tensor &X, const std::vector<Tensor> &S, const Tensor &Wi,
          const Tensor &Wh, const optional<Tensor> &Bi,
          const optional<Tensor> &Bh) {
        auto [H, C] = lstm_cell(X, S, Wi, Wh, Bi, Bh, Here);
        return std::vector<Tensor>{H, C};
      },
      Packed);
  return {R[0], R[1], R[2]};
}
std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor &input, TensorList hx,
                                        TensorList params, bool has_biases,
                                        int64_t num_layers, double dropout,
                                        bool train, bool bidirectional,
                                        bool batch_first, Site Here) {
  return runLstm(input, hx,
                 {params, has_biases, num_layers, dropout, train, bidirectional,
                  batch_first},
                 nullptr, Here);
}
std::tuple<Tensor, Tensor, Tensor>
lstm(const Tensor &data, const Tensor &batch_sizes, TensorList hx,
     TensorList params, bool has_biases, int64_t num_layers, double dropout,
     bool train, bool bidirectional, Site Here) {
  return runLstm(
      data, hx,
      {params, has_biases, num_layers, dropout, train, bidirectional, false},
      &batch_sizes, Here);
}
#define RECURRENT(NAME)                                                        \
  static std::tuple<Tensor, Tensor> run_##NAME(                                \
      const Tensor &Input, const Tensor &State, const Network &N,              \
      const Tensor *Packed, Site Here) {                                       \
    const std::vector<Tensor> R = run(                                         \
        Input, {State}, N, #NAME, Here,                                        \
        [&](const Tensor &X, const std::vector<Tensor> &S, const Tensor &Wi,   \
            const Tensor &Wh, const optional<Tensor> &Bi,                      \
            const optional<Tensor> &Bh) {                                      \
          return std::vector<Tensor>{                                          \
              NAME##_cell(X, S[0], Wi, Wh, Bi, Bh, Here)};                     \
        },                                                                     \
        Packed);                                                               \
    return {R[0], R[1]};                                                       \
  }                                                                            \
  std::tuple<Tensor, Tensor> NAME(                                             \
      const Tensor &input, const Tensor &hx, TensorList params,                \
      bool has_biases, int64_t num_layers, double dropout, bool train,         \
      bool bidirectional, bool batch_first, Site Here) {                       \
    return run_##NAME(input, hx,                                               \
                      {params, has_biases, num_layers, dropout, train,         \
                       bidirectional, batch_first},                            \
                      nullptr, Here);                                          \
  }                                                                            \
  std::tuple<Tensor, Tensor> NAME(                                             \
      const Tensor &data, const Tensor &batch_sizes, const Tensor &hx,         \
      TensorList params, bool has_biases, int64_t num_layers, double dropout,  \
      bool train, bool bidirectional, Site Here) {                             \
    return run_##NAME(data, hx,                                                \
                      {params, has_biases, num_layers, dropout, train,         \
                       bidirectional, false},                                  \
                      &batch_sizes, Here);                                     \
  }
RECURRENT(gru)
RECURRENT(rnn_tanh)
RECURRENT(rnn_relu)
#undef RECURRENT

//===--- samples of several lengths -------------------------------------===//

Tensor pad_sequence(TensorList sequences, bool batch_first,
                    double padding_value, Site Here) {
  if (sequences.empty())
    detail::fail("pad_sequence: there are no sequences", Here);
  int64_t Longest = 0;
  for (const Tensor &X : sequences)
    Longest = std::max(Longest, X.size(0));
  std::vector<int64_t> Sizes = sequences[0].sizes().vec();
  Sizes[0] = static_cast<int64_t>(sequences.size());
  Sizes.insert(Sizes.begin() + (batch_first ? 1 : 0), Longest);
  const Tensor R = full(Sizes, padding_value, sequences[0].options(), Here);
  for (size_t K = 0; K < sequences.size(); ++K)
    R.select(batch_first ? 0 : 1, static_cast<int64_t>(K), Here)
        .narrow(0, 0, sequences[K].size(0), Here)
        .copy_(sequences[K], false, Here);
  return R;
}
std::tuple<Tensor, Tensor> _pack_padded_sequence(const Tensor &input,
                                                 const Tensor &lengths,
                                                 bool batch_first, Site Here) {
  const char *Op = "_pack_padded_sequence";
  if (detail::impl(input, Op, Here).L.rank() < 2)
    detail::fail("_pack_padded_sequence needs 2 dimensions or more", input,
                 Here);
  const Tensor X = batch_first ? input.transpose(0, 1, Here) : input;
  if (detail::impl(lengths, Op, Here).L.rank() != 1 ||
      lengths.scalar_type() != kLong || lengths.size(0) != X.size(1) ||
      X.size(1) == 0)
    detail::fail("_pack_padded_sequence: lengths of sizes " +
                     detail::text(lengths.sizes()) + " do not fit " +
                     std::to_string(X.size(1)) + " samples",
                 lengths, Here);
  std::vector<int64_t> Long;
  for (int64_t K = 0; K < lengths.size(0); ++K) {
    Long.push_back(lengths.select(0, K, Here).item<int64_t>());
    if (Long.back() <= 0 || (K > 0 && Long.back() > Long[Long.size() - 2]))
      detail::fail("_pack_padded_sequence: the lengths must be positive, the "
                   "longest first",
                   lengths, Here);
  }
  if (Long[0] > X.size(0))
    detail::fail("_pack_padded_sequence: the length " +
                     std::to_string(Long[0]) + " is more than " +
                     std::to_string(X.size(0)) + " steps",
                 lengths, Here);
  std::vector<Tensor> Steps;
  std::vector<int64_t> Rows;
  auto Have = static_cast<int64_t>(Long.size());
  for (int64_t T = 0; T < Long[0]; ++T) {
    while (Long[static_cast<size_t>(Have) - 1] <= T)
      --Have;
    Steps.push_back(X.select(0, T, Here).narrow(0, 0, Have, Here));
    Rows.push_back(Have);
  }
  return {cat(Steps, 0, Here), tensor(Rows, kLong, Here)};
}
std::tuple<Tensor, Tensor>
_pad_packed_sequence(const Tensor &data, const Tensor &batch_sizes,
                     bool batch_first, const Scalar &padding_value,
                     int64_t total_length, Site Here) {
  const char *Op = "_pad_packed_sequence";
  const std::vector<int64_t> Rows = rowsOf(batch_sizes, Op, Here);
  const auto Time = static_cast<int64_t>(Rows.size());
  if (detail::impl(data, Op, Here).L.rank() < 1)
    detail::fail("_pad_packed_sequence needs rows", data, Here);
  if (total_length > 0 && total_length < Time)
    detail::fail("_pad_packed_sequence: " + std::to_string(total_length) +
                     " steps are fewer than " + std::to_string(Time),
                 data, Here);
  std::vector<int64_t> Sizes = data.sizes().vec();
  Sizes[0] = Rows[0];
  Sizes.insert(Sizes.begin(), std::max(total_length, Time));
  const Tensor R = full(Sizes, padding_value, data.options(), Here);
  std::vector<int64_t> Long(static_cast<size_t>(Rows[0]));
  int64_t At = 0;
  for (int64_t T = 0; T < Time; ++T) {
    const int64_t Count = Rows[static_cast<size_t>(T)];
    R.select(0, T, Here)
        .narrow(0, 0, Count, Here)
        .copy_(data.narrow(0, At, Count, Here), false, Here);
    At += Count;
    for (int64_t K = 0; K < Count; ++K)
      ++Long[static_cast<size_t>(K)];
  }
  return {batch_first ? R.transpose(0, 1, Here) : R, tensor(Long, kLong, Here)};
}

namespace nn::utils::rnn {

Tensor invert_permutation(const Tensor &permutation) {
  if (!permutation.defined())
    return {};
  return empty_like(permutation)
      .scatter_(0, permutation, arange(permutation.numel(), kLong));
}
PackedSequence::PackedSequence(Tensor data, Tensor batch_sizes,
                               Tensor sorted_indices, Tensor unsorted_indices)
    : Data(std::move(data)), BatchSizes(std::move(batch_sizes)),
      Sorted(std::move(sorted_indices)), Unsorted(std::move(unsorted_indices)) {
  if (!Unsorted.defined())
    Unsorted = invert_permutation(Sorted);
}
PackedSequence pack_padded_sequence(Tensor input, Tensor lengths,
                                    bool batch_first, bool enforce_sorted) {
  lengths = lengths.to(kLong);
  Tensor Order;
  if (!enforce_sorted) {
    std::tie(lengths, Order) = lengths.sort(-1, true);
    input = input.index_select(batch_first ? 0 : 1, Order);
  }
  auto [Data, Rows] = _pack_padded_sequence(input, lengths, batch_first);
  return PackedSequence(Data, Rows, Order);
}
std::tuple<Tensor, Tensor> pad_packed_sequence(const PackedSequence &sequence,
                                               bool batch_first,
                                               double padding_value,
                                               optional<int64_t> total_length) {
  auto [Padded, Long] = _pad_packed_sequence(
      sequence.data(), sequence.batch_sizes(), batch_first, padding_value,
      total_length.value_or(sequence.batch_sizes().size(0)));
  const Tensor &Order = sequence.unsorted_indices();
  if (!Order.defined())
    return {Padded, Long};
  return {Padded.index_select(batch_first ? 0 : 1, Order),
          Long.index_select(0, Order)};
}
PackedSequence pack_sequence(ArrayRef<Tensor> sequences, bool enforce_sorted) {
  std::vector<int64_t> Long;
  for (const Tensor &X : sequences)
    Long.push_back(X.size(0));
  return pack_padded_sequence(tensortidy::pad_sequence(sequences),
                              tensor(Long, kLong), false, enforce_sorted);
}

} // namespace nn::utils::rnn

} // namespace tensortidy
