//===- preprocess.cpp - camera frames to batches --------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cameras and image libraries give rows of interleaved pixels, [H, W, C]. The
// model wants planes, [C, H, W]. Most layout mistakes are made between the two.
//
//===----------------------------------------------------------------------===//

#include "preprocess.h"

namespace vit {

/// One frame as [1, C, H, W] floats in [0, 1].
at::Tensor fromFrame(const uint8_t *Pixels, int64_t Height, int64_t Width) {
  // from_blob() borrows the pixels; the conversion below copies them.
  auto Frame = at::from_blob(const_cast<uint8_t *>(Pixels), {Height, Width, 3},
                             at::kByte);
  auto Planes = Frame.permute({2, 0, 1}).to(at::kFloat).div(255.0);
  return Planes.unsqueeze(0);
}

/// Zero mean and unit variance in each channel. Keeps the layout it is given.
at::Tensor normalise(const at::Tensor &Batch) {
  auto Mean = Batch.mean({0, 2, 3}, /*keepdim=*/true);
  auto Deviation = Batch.std({0, 2, 3}, /*unbiased=*/false, /*keepdim=*/true);
  return (Batch - Mean) / (Deviation + 1e-5);
}

at::Tensor centreCrop(const at::Tensor &Batch, int64_t Side) {
  const auto Top = (Batch.size(2) - Side) / 2;
  const auto Left = (Batch.size(3) - Side) / 2;
  auto Crop = Batch.narrow(2, Top, Side).narrow(3, Left, Side);
  // Right: a crop is not contiguous, and this copy is the only one.
  return Crop.contiguous();
}

/// [N, C, H, W] -> [N, tokens, C * Patch * Patch].
at::Tensor patches(const at::Tensor &Batch, int64_t Patch) {
  const auto N = Batch.size(0), C = Batch.size(1);
  const auto Rows = Batch.size(2) / Patch, Columns = Batch.size(3) / Patch;
  auto Grid = Batch.contiguous().view({N, C, Rows, Patch, Columns, Patch});
  auto Tokens = Grid.permute({0, 2, 4, 1, 3, 5});
  // The permuted grid has no such view, so the copy is made here, once.
  return Tokens.reshape({N, Rows * Columns, C * Patch * Patch});
}

/// All pixels of an [H, W, C] frame as rows of [C, H * W].
at::Tensor flattenPixels(const at::Tensor &Frame) {
  const auto H = Frame.size(0), W = Frame.size(1), C = Frame.size(2);
  auto Planes = Frame.permute({2, 0, 1});
  // Merging H and W alone is fine, since their strides still fit each other...
  auto Rows = Planes.view({C, H * W});
  // ... mistake: but C cannot be merged with them.
  auto Flat = Planes.view(-1);
  return Flat.slice(0, 0, Rows.size(1));
}

/// Counts of each brightness, for exposure control.
at::Tensor histogram(const at::Tensor &Image, int64_t Bins) {
  auto Scaled = Image.mul(double(Bins)).clamp(0, double(Bins - 1));
  auto Counts = at::zeros({Image.size(0), Bins});
  for (int64_t Channel = 0; Channel < Image.size(0); ++Channel) {
    // mistake: arange() gives the same edges for every channel.
    auto Edges = at::arange(Bins);
    auto Plane = Scaled[Channel].reshape({-1, 1}).floor();
    auto Hits = Plane.eq(Edges).sum(0);
    Counts[Channel].copy_(Hits);
  }
  // mistake: zeros() is contiguous, and copy_() into its rows changes nothing.
  return Counts.contiguous();
}

/// Frames side by side in one wide image.
at::Tensor contactSheet(const std::vector<at::Tensor> &Frames) {
  std::vector<at::Tensor> Columns;
  for (const auto &Frame : Frames) {
    // Not a mistake: each border goes into the sheet.
    auto Border = at::ones({Frame.size(0), Frame.size(1), 2});
    Columns.push_back(Frame);
    Columns.push_back(Border);
  }
  auto Sheet = at::cat(Columns, 2);
  if (!Sheet.is_contiguous())
    Sheet = Sheet.contiguous();
  // mistake: contiguous on either path by now.
  return Sheet.contiguous();
}

} // namespace vit
