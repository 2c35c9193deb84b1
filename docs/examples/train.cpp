//===- train.cpp - optimiser loop, evaluation, main -----------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   $ train              trains for a few steps, prints the loss
//   $ train --mistakes   also runs the functions that throw, and prints why
//
//===----------------------------------------------------------------------===//

#include "preprocess.h"
#include "vit.h"
#include <cstdio>
#include <functional>
#include <string>

namespace vit {

struct Batch {
  torch::Tensor Patches, Labels;
};

/// Stripes in one of four directions on a noisy ground, as a camera sends them.
static std::vector<uint8_t> drawFrame(const Config &C, int64_t Label) {
  auto Noise = torch::randint(0, 64, {C.Image, C.Image, 3}, torch::kByte);
  auto Axis = torch::arange(C.Image);
  auto Row = Axis.unsqueeze(1).expand({C.Image, C.Image});
  auto Column = Axis.unsqueeze(0).expand({C.Image, C.Image});
  auto Phase = Label == 0   ? Row
               : Label == 1 ? Column
               : Label == 2 ? Row + Column
                            : Row - Column + C.Image;
  auto Stripes = Phase.remainder(8).lt(4).to(torch::kByte).mul(160);
  auto Pixels = Noise + Stripes.unsqueeze(2); // takes the layout of Noise
  const auto *Data = Pixels.data_ptr<uint8_t>();
  return std::vector<uint8_t>(Data, Data + Pixels.numel());
}

static Batch drawBatch(const Config &C, int64_t Count) {
  std::vector<torch::Tensor> Images;
  auto Labels = torch::randint(0, C.Classes, {Count}, torch::kLong);
  for (int64_t I = 0; I < Count; ++I) {
    auto Pixels = drawFrame(C, Labels[I].item<int64_t>());
    Images.push_back(fromFrame(Pixels.data(), C.Image, C.Image));
  }
  auto Frames = normalise(centreCrop(torch::cat(Images), C.Image));
  return {patches(Frames, C.Patch), Labels};
}

static double trainEpoch(Classifier &Model, torch::optim::Optimizer &Optimizer,
                         const Config &C, int64_t Steps) {
  double Total = 0;
  for (int64_t Step = 0; Step < Steps; ++Step) {
    auto Data = drawBatch(C, 16);
    // mistake: the class weights are the same in every step.
    auto Weights = torch::ones({C.Classes});
    // Not a mistake: the noise must be new in every step.
    auto Noise = torch::randn({1, C.tokens(), 1});
    auto Logits = Model->forward(Data.Patches + 0.01 * Noise);
    auto Loss = torch::cross_entropy_loss(Logits, Data.Labels, Weights);
    Optimizer.zero_grad();
    Loss.backward();
    Optimizer.step();
    Total += Loss.item<double>();
  }
  return Total / double(Steps);
}

static double accuracy(Classifier &Model, const Config &C, int64_t Batches) {
  torch::NoGradGuard NoGrad;
  int64_t Right = 0, Seen = 0;
  // Right: made once, overwritten by every batch.
  auto Hits = torch::empty({32}, torch::kBool);
  for (int64_t I = 0; I < Batches; ++I) {
    auto Data = drawBatch(C, 32);
    auto Guess = Model->forward(Data.Patches).argmax(1);
    torch::eq_out(Hits, Guess, Data.Labels);
    Right += Hits.sum().item<int64_t>();
    Seen += Hits.numel();
  }
  return double(Right) / double(Seen);
}

/// Mean patch of every class, as one row each.
static torch::Tensor prototypes(const Config &C, int64_t Count) {
  auto Data = drawBatch(C, Count);
  const auto N = Data.Patches.size(0);
  auto Sums = torch::zeros({C.Classes, Data.Patches.size(2)});
  Sums.index_add_(0, Data.Labels, Data.Patches.mean(1));
  // mistake: a quotient of a contiguous tensor is contiguous.
  auto Means = (Sums / double(N)).contiguous();
  // Right: t() makes this one necessary.
  return Means.t().contiguous();
}

} // namespace vit

int main(int Count, char **Words) {
  using namespace vit;
  torch::manual_seed(1);
  const Config C;
  Classifier Model(C);
  torch::optim::Adam Optimizer(Model->parameters(),
                               torch::optim::AdamOptions(2e-3));
  for (int Epoch = 0; Epoch < 3; ++Epoch) {
    const double Loss = trainEpoch(Model, Optimizer, C, 10);
    std::printf("epoch %d: loss %.3f, accuracy %.2f\n", Epoch, Loss,
                accuracy(Model, C, 2));
  }
  std::printf("prototypes: %s\n",
              prototypes(C, 16).is_contiguous() ? "contiguous" : "strided");
  if (Count < 2 || std::string(Words[1]) != "--mistakes")
    return 0;

  const std::pair<const char *, std::function<void()>> Mistakes[] = {
      {"CrossAttention",
       [&] {
         CrossAttention Cross(C.Width, C.Heads);
         Cross->forward(torch::randn({2, 5, C.Width}),
                        torch::randn({2, 7, C.Width}));
       }},
      {"flattenPixels", [] { flattenPixels(torch::rand({4, 5, 3})); }},
      {"softmaxOverKeys", [] { softmaxOverKeys(torch::rand({2, 3, 4, 5})); }},
  };
  for (const auto &[Name, Run] : Mistakes) {
    try {
      Run();
      std::printf("%s: did not throw\n", Name);
    } catch (const std::exception &E) {
      const std::string Text = E.what();
      std::printf("%s: %s\n", Name, Text.substr(0, Text.find('\n')).c_str());
    }
  }
  return 0;
}
