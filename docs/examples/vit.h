//===- vit.h - a small vision transformer -----------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program Tensortidy is shown on: it trains a vision transformer on images
// it draws itself. It builds and runs. The mistakes sit in functions that the
// default run does not reach, where such mistakes live, and each has the right
// form beside it.
//
//   preprocess.cpp   camera frames (NHWC bytes) -> batches of patches
//   attention.cpp    attention, blocks, the model
//   kernel.cpp       loops over raw pointers
//   train.cpp        optimiser loop, evaluation, main
//
//   g++ -std=c++17 -I/usr/include/torch/csrc/api/include *.cpp -o train
//       -ltorch -ltorch_cpu -lc10
//
//===----------------------------------------------------------------------===//

#ifndef VIT_H
#define VIT_H

#include <torch/torch.h>
#include <vector>

namespace vit {

struct Config {
  int64_t Image = 32, Patch = 8, Channels = 3;
  int64_t Width = 48, Heads = 4, Layers = 2, Classes = 4;
  int64_t tokens() const { return (Image / Patch) * (Image / Patch); }
};

// attention.cpp
struct SelfAttentionImpl : torch::nn::Module {
  SelfAttentionImpl(int64_t Width, int64_t Heads);
  torch::Tensor forward(const torch::Tensor &X);
  torch::Tensor weights(const torch::Tensor &X);

  int64_t Heads;
  torch::nn::Linear Qkv{nullptr}, Out{nullptr};
};
TORCH_MODULE(SelfAttention);

struct CrossAttentionImpl : torch::nn::Module {
  CrossAttentionImpl(int64_t Width, int64_t Heads);
  torch::Tensor forward(const torch::Tensor &X, const torch::Tensor &Memory);

  int64_t Heads;
  torch::nn::Linear Query{nullptr}, KeyValue{nullptr}, Out{nullptr};
};
TORCH_MODULE(CrossAttention);

struct BlockImpl : torch::nn::Module {
  BlockImpl(int64_t Width, int64_t Heads);
  torch::Tensor forward(const torch::Tensor &X);

  SelfAttention Attention{nullptr};
  torch::nn::LayerNorm Norm1{nullptr}, Norm2{nullptr};
  torch::nn::Linear Up{nullptr}, Down{nullptr};
};
TORCH_MODULE(Block);

struct ClassifierImpl : torch::nn::Module {
  explicit ClassifierImpl(const Config &C);
  torch::Tensor forward(const torch::Tensor &Patches);

  torch::nn::Linear Embed{nullptr}, Head{nullptr};
  torch::Tensor Positions;
  torch::nn::ModuleList Blocks{nullptr};
};
TORCH_MODULE(Classifier);

/// Attention where position I sees only positions up to I, one step at a time.
torch::Tensor decode(const torch::Tensor &Tokens, const torch::Tensor &W,
                     int64_t Steps);

} // namespace vit

#endif
