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

} // namespace tensortidy
