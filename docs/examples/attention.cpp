//===- attention.cpp - attention, blocks and the model --------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "vit.h"
#include <cmath>

namespace vit {

SelfAttentionImpl::SelfAttentionImpl(int64_t Width, int64_t Heads)
    : Heads(Heads) {
  Qkv = register_module("qkv", torch::nn::Linear(Width, 3 * Width));
  Out = register_module("out", torch::nn::Linear(Width, Width));
}

torch::Tensor SelfAttentionImpl::forward(const torch::Tensor &X) {
  const auto B = X.size(0), T = X.size(1), C = X.size(2);
  const auto D = C / Heads;
  auto Parts = Qkv->forward(X).view({B, T, 3, Heads, D});
  Parts = Parts.permute({2, 0, 3, 1, 4}); // [3, B, H, T, D]
  auto Q = Parts[0], K = Parts[1], V = Parts[2];

  auto Scores = torch::matmul(Q, K.transpose(-2, -1)) / std::sqrt(double(D));
  auto Context = torch::matmul(torch::softmax(Scores, -1), V);
  // The heads lie apart in memory: reshape() copies, view() would throw.
  return Out->forward(Context.transpose(1, 2).reshape({B, T, C}));
}

/// The attention map averaged over heads, one row a query, for plots.
torch::Tensor SelfAttentionImpl::weights(const torch::Tensor &X) {
  const auto B = X.size(0), T = X.size(1), C = X.size(2);
  const auto D = C / Heads;
  auto Qk = Qkv->forward(X).narrow(2, 0, 2 * C).reshape({B, T, 2, Heads, D});
  auto Q = Qk.select(2, 0).transpose(1, 2); // [B, H, T, D]
  auto K = Qk.select(2, 1).transpose(1, 2);
  auto Map = torch::softmax(torch::matmul(Q, K.transpose(-2, -1)), -1);
  // mistake: softmax() allocates its result, so there is nothing to do here.
  auto Dense = Map.contiguous();
  return Dense.mean(1);
}

CrossAttentionImpl::CrossAttentionImpl(int64_t Width, int64_t Heads)
    : Heads(Heads) {
  Query = register_module("query", torch::nn::Linear(Width, Width));
  KeyValue = register_module("key_value", torch::nn::Linear(Width, 2 * Width));
  Out = register_module("out", torch::nn::Linear(Width, Width));
}

torch::Tensor CrossAttentionImpl::forward(const torch::Tensor &X,
                                          const torch::Tensor &Memory) {
  const auto B = X.size(0), T = X.size(1), C = X.size(2);
  const auto M = Memory.size(1), D = C / Heads;
  auto Q = Query->forward(X).view({B, T, Heads, D}).transpose(1, 2);
  auto Kv = KeyValue->forward(Memory).chunk(2, -1);
  // chunk() cuts rows in half, and splitting the last dimension still works.
  auto K = Kv[0].view({B, M, Heads, D}).transpose(1, 2);
  auto V = Kv[1].view({B, M, Heads, D}).transpose(1, 2);

  auto Scores = torch::matmul(Q, K.transpose(-2, -1));
  auto Context = torch::matmul(torch::softmax(Scores, -1), V); // [B, H, T, D]
  // mistake: [B, T, H, D] with the strides of [B, H, T, D] has no such view.
  auto Merged = Context.transpose(1, 2).view({B, T, C});
  return Out->forward(Merged);
}

BlockImpl::BlockImpl(int64_t Width, int64_t Heads) {
  Attention = register_module("attention", SelfAttention(Width, Heads));
  Norm1 = register_module(
      "norm1", torch::nn::LayerNorm(torch::nn::LayerNormOptions({Width})));
  Norm2 = register_module(
      "norm2", torch::nn::LayerNorm(torch::nn::LayerNormOptions({Width})));
  Up = register_module("up", torch::nn::Linear(Width, 4 * Width));
  Down = register_module("down", torch::nn::Linear(4 * Width, Width));
}

torch::Tensor BlockImpl::forward(const torch::Tensor &X) {
  auto Y = X + Attention->forward(Norm1->forward(X));
  return Y + Down->forward(torch::gelu(Up->forward(Norm2->forward(Y))));
}

ClassifierImpl::ClassifierImpl(const Config &C) {
  const auto Inputs = C.Channels * C.Patch * C.Patch;
  Embed = register_module("embed", torch::nn::Linear(Inputs, C.Width));
  Positions = register_parameter("positions",
                                 0.02 * torch::randn({1, C.tokens(), C.Width}));
  Blocks = register_module("blocks", torch::nn::ModuleList());
  for (int64_t I = 0; I < C.Layers; ++I)
    Blocks->push_back(Block(C.Width, C.Heads));
  Head = register_module("head", torch::nn::Linear(C.Width, C.Classes));
}

torch::Tensor ClassifierImpl::forward(const torch::Tensor &Patches) {
  auto X = Embed->forward(Patches) + Positions;
  for (const auto &B : *Blocks)
    X = B->as<Block>()->forward(X);
  return Head->forward(X.mean(1));
}

torch::Tensor decode(const torch::Tensor &Tokens, const torch::Tensor &W,
                     int64_t Steps) {
  const auto T = Tokens.size(0), C = Tokens.size(1);
  auto State = Tokens.clone();
  std::vector<torch::Tensor> Outputs;
  for (int64_t Step = 0; Step < Steps; ++Step) {
    // mistake: the same mask is built in every step.
    auto Future = torch::full({T, T}, -1e9);
    // mistake: so is the same copy of the same weights.
    auto Wt = W.t().contiguous();
    // Not a mistake: the accumulator starts again from zero.
    auto Sum = torch::zeros({T, C});
    auto Scores = torch::matmul(State, Wt.matmul(State.t()));
    Sum.add_(torch::softmax(Scores + Future.triu(1), -1).matmul(State));
    State = torch::tanh(Sum);
    // Kept by the list, so this allocation belongs to the step.
    Outputs.push_back(State.mean(0).clone());
  }
  return torch::stack(Outputs);
}

} // namespace vit
