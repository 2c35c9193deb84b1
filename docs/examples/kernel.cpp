//===- kernel.cpp - loops over raw pointers -------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop over data_ptr() assumes a layout, of which each function makes sure.
//
//===----------------------------------------------------------------------===//

#include "preprocess.h"
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <cmath>

namespace vit {

/// Softmax over each row of a dense matrix, in place.
void rowSoftmax(float *Data, int64_t Rows, int64_t Columns) {
  for (int64_t R = 0; R < Rows; ++R) {
    float *Row = Data + R * Columns;
    const float Top = *std::max_element(Row, Row + Columns);
    float Sum = 0;
    for (int64_t C = 0; C < Columns; ++C)
      Sum += Row[C] = std::exp(Row[C] - Top);
    for (int64_t C = 0; C < Columns; ++C)
      Row[C] /= Sum;
  }
}

/// Luminance of an [N, 3, H, W] batch.
at::Tensor grey(const at::Tensor &Batch) {
  TORCH_CHECK(Batch.dim() == 4 && Batch.size(1) == 3, "expected RGB planes");
  TORCH_CHECK(Batch.is_contiguous(), "expected a contiguous batch");
  const auto N = Batch.size(0), Pixels = Batch.size(2) * Batch.size(3);
  auto Result = at::empty({N, Batch.size(2), Batch.size(3)});

  // mistake: checked four lines above.
  const float *In = Batch.contiguous().data_ptr<float>();
  float *Out = Result.data_ptr<float>();
  for (int64_t I = 0; I < N; ++I, In += 3 * Pixels, Out += Pixels)
    for (int64_t P = 0; P < Pixels; ++P)
      Out[P] = 0.299f * In[P] + 0.587f * In[P + Pixels] +
               0.114f * In[P + 2 * Pixels];
  return Result;
}

/// Mean over a square of 2 * Radius + 1 pixels of an [H, W] image.
at::Tensor boxBlur(const at::Tensor &Image, int64_t Radius) {
  at::NoGradGuard NoGrad;
  const auto H = Image.size(0), W = Image.size(1);
  auto Result = Image.clone();
  for (int64_t Pass = 0; Pass < 2; ++Pass) {
    // mistake: empty() is written all over before it is read, in each pass.
    auto Row = at::empty({H, W});
    Row.copy_(Result);
    for (int64_t Shift = 1; Shift <= Radius; ++Shift) {
      Row.add_(at::roll(Result, Shift, 1));
      Row.add_(at::roll(Result, -Shift, 1));
    }
    // Right: this one outlives the pass.
    Result = Row.div(2.0 * double(Radius) + 1.0);
  }
  return Result;
}

/// Softmax over the keys of [B, H, Q, K] scores by the hand-written kernel.
at::Tensor softmaxOverKeys(const at::Tensor &Scores) {
  const auto B = Scores.size(0), H = Scores.size(1);
  const auto Q = Scores.size(2), K = Scores.size(3);
  auto Result = at::empty({B, H, Q, K});
  Result.copy_(Scores);
  rowSoftmax(Result.data_ptr<float>(), B * H * Q, K);

  // Queries first, as the caller wants it: [B, Q, H, K].
  auto Swapped = Result.transpose(1, 2);
  if (Swapped.is_contiguous())
    return Swapped.view({B, Q, H * K}); // only with one head or one query
  // mistake: the clone keeps the permuted strides, so it does not help.
  auto Copy = Swapped.clone();
  return Copy.view({B, Q, H * K});
}

} // namespace vit
