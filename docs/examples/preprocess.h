//===- preprocess.h - camera frames to batches ------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PREPROCESS_H
#define PREPROCESS_H

#include <ATen/ATen.h>
#include <cstdint>
#include <vector>

namespace vit {

// preprocess.cpp
at::Tensor fromFrame(const uint8_t *Pixels, int64_t Height, int64_t Width);
at::Tensor normalise(const at::Tensor &Batch);
at::Tensor centreCrop(const at::Tensor &Batch, int64_t Side);
at::Tensor patches(const at::Tensor &Batch, int64_t Patch);
at::Tensor histogram(const at::Tensor &Image, int64_t Bins);
at::Tensor contactSheet(const std::vector<at::Tensor> &Frames);
at::Tensor flattenPixels(const at::Tensor &Frame);

// kernel.cpp
at::Tensor grey(const at::Tensor &Batch);
at::Tensor boxBlur(const at::Tensor &Image, int64_t Radius);
void rowSoftmax(float *Data, int64_t Rows, int64_t Columns);
at::Tensor softmaxOverKeys(const at::Tensor &Scores);

} // namespace vit

#endif
