//===- Recurrent.cpp - cells of recurrent networks ------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tensortidy/recurrent.h"
#include "Impl.h"

namespace tensortidy {

using detail::fail;
using detail::impl;
using detail::text;

namespace {

/// What the gates get from the input and from the state.
struct Gates {
  Tensor FromInput, FromState;
};
Gates gatesOf(const Tensor &Input, const Tensor &State, const Tensor &OfInput,
              const Tensor &OfState, const optional<Tensor> &Bias,
              const optional<Tensor> &BiasOfState, const char *Op, Site Here) {
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
  const Gates G = gatesOf(input, hx[0], w_ih, w_hh, b_ih, b_hh, Op, Here);
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
  const Gates G = gatesOf(input, hx, w_ih, w_hh, b_ih, b_hh, "gru_cell", Here);
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
      gatesOf(input, hx, w_ih, w_hh, b_ih, b_hh, "rnn_tanh_cell", Here);
  return G.FromState.add(G.FromInput, 1, Here).tanh(Here);
}
Tensor rnn_relu_cell(const Tensor &input, const Tensor &hx, const Tensor &w_ih,
                     const Tensor &w_hh, const optional<Tensor> &b_ih,
                     const optional<Tensor> &b_hh, Site Here) {
  const Gates G =
      gatesOf(input, hx, w_ih, w_hh, b_ih, b_hh, "rnn_relu_cell", Here);
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

/// Runs all layers. \p States are [layers * directions, batch, hidden] each;
/// Step(x, states, w_ih, w_hh, b_ih, b_hh) answers the next states, the first
/// of which is the output.
template <class F>
std::vector<Tensor> run(const Tensor &Input, std::vector<Tensor> States,
                        const Network &N, const char *Op, Site Here, F Step) {
  const int64_t Directions = N.Both ? 2 : 1;
  const size_t Each = N.Biases ? 4 : 2;
  if (detail::impl(Input, Op, Here).L.rank() != 3)
    detail::fail(std::string(Op) + ": the input needs 3 dimensions", Input,
                 Here);
  if (N.Params.size() != static_cast<size_t>(N.Layers * Directions) * Each)
    detail::fail(std::string(Op) + ": " + std::to_string(N.Params.size()) +
                     " parameters do not fit the layers",
                 Input, Here);
  Tensor X = N.BatchFirst ? Input.transpose(0, 1, Here) : Input;
  const int64_t Time = X.size(0);
  for (const Tensor &S : States)
    if (detail::impl(S, Op, Here).L.rank() != 3 ||
        S.size(0) != N.Layers * Directions || S.size(1) != X.size(1))
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
      std::vector<Tensor> Now;
      for (const Tensor &S : States)
        Now.push_back(S.select(0, At, Here));
      std::vector<Tensor> Out(static_cast<size_t>(Time));
      for (int64_t K = 0; K < Time; ++K) {
        const int64_t T = D ? Time - 1 - K : K;
        Now = Step(X.select(0, T, Here), Now, *P(0), *P(1), P(2), P(3));
        Out[static_cast<size_t>(T)] = Now[0];
      }
      Sides.push_back(stack(Out, 0, Here));
      for (size_t K = 0; K < Now.size(); ++K)
        Last[K].push_back(Now[K]);
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

std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor &input, TensorList hx,
                                        TensorList params, bool has_biases,
                                        int64_t num_layers, double dropout,
                                        bool train, bool bidirectional,
                                        bool batch_first, Site Here) {
  if (hx.size() != 2)
    detail::fail("lstm expects two hidden states", Here);
  const std::vector<Tensor> R =
      run(input, hx.vec(),
          {params, has_biases, num_layers, dropout, train, bidirectional,
           batch_first},
          "lstm", Here,
          [&](const Tensor &X, const std::vector<Tensor> &S, const Tensor &Wi,
              const Tensor &Wh, const optional<Tensor> &Bi,
              const optional<Tensor> &Bh) {
            auto [H, C] = lstm_cell(X, S, Wi, Wh, Bi, Bh, Here);
            return std::vector<Tensor>{H, C};
          });
  return {R[0], R[1], R[2]};
}
#define RECURRENT(NAME)                                                        \
  std::tuple<Tensor, Tensor> NAME(                                             \
      const Tensor &input, const Tensor &hx, TensorList params,                \
      bool has_biases, int64_t num_layers, double dropout, bool train,         \
      bool bidirectional, bool batch_first, Site Here) {                       \
    const std::vector<Tensor> R =                                              \
        run(input, {hx},                                                       \
            {params, has_biases, num_layers, dropout, train, bidirectional,    \
             batch_first},                                                     \
            #NAME, Here,                                                       \
            [&](const Tensor &X, const std::vector<Tensor> &S,                 \
                const Tensor &Wi, const Tensor &Wh,                            \
                const optional<Tensor> &Bi, const optional<Tensor> &Bh) {      \
              return std::vector<Tensor>{                                      \
                  NAME##_cell(X, S[0], Wi, Wh, Bi, Bh, Here)};                 \
            });                                                                \
    return {R[0], R[1]};                                                       \
  }
RECURRENT(gru)
RECURRENT(rnn_tanh)
RECURRENT(rnn_relu)
#undef RECURRENT

} // namespace tensortidy
