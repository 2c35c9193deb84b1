//===- findings.cpp - what was found in public code, made small -----------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each case does in our own words what a finding of docs/evaluation.md is about,
// and so shows that it is true: it throws, or copies nothing, on libtorch as on
// the runtime. Those of freed memory are in test/lifetimes/findings.cpp.
//
//===----------------------------------------------------------------------===//

#include "judge.h"

using judge::number;
using judge::require;
using judge::same;

// --- it throws ---

// facebookresearch/detectron2@4a5e6d79e6 deform_conv_cuda.cu:401
// microsoft/Cream@4a13c4091e mmdet/ops/dcn/src/deform_conv_cuda.cpp:225
CASE(findingColumnsOfTheNextStep) {
  const int64_t group = number(2), steps = number(3);
  auto columns = torch::zeros({group * number(6), number(20)});
  for (int64_t step = 0; step < steps; ++step)
    columns = columns.view({group, columns.size(0) / group, columns.size(1)}); // mismatch: view
}

// facebookresearch/detectron2@4a5e6d79e6 deform_conv_cuda.cu:402
// microsoft/Cream@4a13c4091e mmdet/ops/dcn/src/deform_conv_cuda.cpp:226
CASE(findingWeightOfTheNextStep) {
  const int64_t group = number(2);
  auto weight = torch::zeros({number(8), number(4), number(3), number(3)});
  for (int64_t step = 0; step < number(3); ++step)
    weight = weight.view({group, weight.size(0) / group, weight.size(1), weight.size(2), weight.size(3)}); // mismatch: view
}

// facebookresearch/detectron2@4a5e6d79e6 deform_conv_cuda.cu:638
// open-mmlab/mmcv@834f94db23 mmcv/ops/csrc/pytorch/deform_conv.cpp:388
// microsoft/Cream@4a13c4091e mmdet/ops/dcn/src/deform_conv_cuda.cpp:367
CASE(findingSizeOfADroppedDimension) {
  auto offset = torch::zeros({1, number(18), number(5), number(5)});
  auto gradient = torch::zeros_like(offset);
  offset = offset.view({offset.size(1), offset.size(2), offset.size(3)});
  gradient.view({offset.size(1), offset.size(2), offset.size(3)}); // mismatch: size
}

// facebookresearch/detectron2@4a5e6d79e6 deform_conv_cuda.cu:868
CASE(findingRankThatTheCheckLetsThrough) {
  auto input = torch::zeros({number(4), number(5), number(6)});
  TORCH_CHECK(input.dim() == 3 || input.dim() == 4, "3 or 4 dimensions");
  input.size(3); // mismatch: size
}

// --- it copies nothing ---

// facebookresearch/detectron2@4a5e6d79e6 deform_conv_cuda.cu:314
CASE(findingBehindItsCheck) {
  auto weight = torch::randn({number(6), number(4)});
  TORCH_CHECK(weight.is_contiguous(), "weight has to be contiguous");
  same(weight, weight.contiguous()); // no-op: contiguous
}

// nerfstudio-project/gsplat@90d7b4b349 gaussian_scene_pack.cpp:158
CASE(findingBehindTheCheckOfItsCaller) {
  auto pack = [](const at::Tensor &colors, int64_t degree) {
    TORCH_CHECK(colors.is_contiguous());
    at::Tensor packed;
    if (degree == 3)
      packed = colors.clamp(-1, 1).to(at::kHalf);
    else
      packed = colors.contiguous(); // no-op: contiguous
    return packed;
  };
  auto colors = torch::randn({number(5), number(9)});
  same(colors, pack(colors, number(2)));
}

// facebookresearch/pytorch3d@c8af1c45ca rasterize_points.cu:211
CASE(findingOutputForTheKernel) {
  auto closest = torch::full({number(2), number(8), number(8), number(3)}, -1, at::kInt);
  same(closest, closest.contiguous()); // no-op: contiguous
}

// facebookresearch/pytorch3d@c8af1c45ca rasterize_coarse.cu:324
CASE(findingScratchOfTheKernel) {
  const int64_t faces = number(7);
  auto boxes = torch::empty({4, faces}, at::kFloat);
  same(boxes, boxes.contiguous()); // no-op: contiguous
}

// pytorch/FBGEMM@d2ac911dd1 sparse_ops.cu:1046, rahul-goel/fused-ssim@0ac916a05f
// ssim3d.cu:718
CASE(findingEmpty) {
  const int64_t rows = number(4);
  auto sums = at::empty({rows + 1}, at::kLong);
  same(sums, sums.contiguous()); // no-op: contiguous
}

// nerfstudio-project/gsplat@90d7b4b349 DistributedCollectives.cpp:214
CASE(findingConcatenatedRows) {
  std::vector<at::Tensor> flat;
  for (int64_t i = 0; i < number(3); ++i)
    flat.push_back(torch::ones({number(2), i + 1}).reshape({number(2), -1}));
  auto all = at::cat(flat, -1);
  same(all, all.contiguous()); // no-op: contiguous
}

// nerfstudio-project/gsplat@90d7b4b349 camera_torch.cpp:2139
CASE(findingStackedNumbers) {
  auto flat = torch::arange(8).to(at::kFloat).view({2, 4});
  auto a = flat.select(0, 0), b = flat.select(0, 1);
  auto both = at::stack({a / 2, -b});
  same(both, both.contiguous()); // no-op: contiguous
}

// nerfstudio-project/gsplat@90d7b4b349 test_raster_eval3d.cpp:270
CASE(findingOneMoreDimension) {
  auto opacities = torch::ones({number(9)});
  auto row = opacities.unsqueeze(0);
  same(row, row.contiguous()); // no-op: contiguous
}

// koba-jon/pytorch_cpp@92a1f71208 Object_Detection/YOLOv2/src/loss.cpp:256
CASE(findingViewOfConcatenated) {
  auto corners = torch::cat({torch::zeros({2, number(3), number(5)}), torch::ones({2, number(3), number(5)})}, 0);
  auto grid = corners.view({4, 1, -1});
  same(grid, grid.contiguous()); // no-op: contiguous
}

// pytorch/nestedtensor@a97e1f6fc1 nestedtensor/csrc/cuda/mha.cpp:72
CASE(findingProduct) {
  auto query = torch::randn({number(2), number(3), number(4), number(5)});
  auto key = torch::randn({number(2), number(3), number(4), number(5)}).transpose(2, 3);
  auto weights = at::matmul(query, key);
  same(weights, weights.contiguous()); // no-op: contiguous
}

// pytorch/nestedtensor@a97e1f6fc1 nestedtensor/csrc/cuda/mha.cpp:104
CASE(findingHeadsMerged) {
  const int64_t batch = number(2), length = number(4), heads = number(3), size = number(5);
  auto output = torch::randn({batch, heads, length, size});
  auto merged = output.transpose(1, 2).reshape({batch, length, heads * size});
  same(merged, merged.contiguous()); // no-op: contiguous
}

// rusty1s/pytorch_cluster@82e9df9441 csrc/cuda/grid_cuda.cu:54: the second line
// names the first one's variable.
CASE(findingTheOtherVariable) {
  auto start = torch::zeros({number(6), 2}).t(), end = torch::ones({number(6), 2}).t();
  start = start.contiguous();
  same(start, start.contiguous()); // no-op: contiguous
  require(!end.is_contiguous());
}

// alibaba/rtp-llm@4b8d39cd5c cpp/model_utils/RopeCache.cc:35
CASE(findingTableOfAngles) {
  auto angles = torch::outer(torch::arange(number(6)).to(at::kFloat), torch::arange(number(4)).to(at::kFloat));
  auto table = torch::stack({angles.cos(), angles.sin()}, -1).reshape({number(6), -1});
  same(table, table.contiguous()); // no-op: contiguous
}

// --- nothing is written ---

// facebookresearch/detectron2@4a5e6d79e6 deform_conv_cuda.cu:352
// open-mmlab/mmcv@834f94db23 mmcv/ops/csrc/pytorch/deform_conv.cpp:201
static void grow(at::Tensor ones, int64_t rows, int64_t columns) {
  if (ones.dim() != 2 || ones.size(0) * ones.size(1) < rows * columns)
    ones = torch::ones({rows, columns}); // lost: =
}
CASE(findingBufferByValue) {
  auto ones = torch::ones({1, 1});
  grow(ones, number(3), number(4));
  require(ones.numel() == 1);
}
