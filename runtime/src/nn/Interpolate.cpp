//===- Interpolate.cpp - images of other sizes ----------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Impl.h"
#include "tensortidy/nnfunctional.h"
#include <cmath>

namespace tensortidy::nn::functional {

Tensor interpolate(const Tensor &x, const InterpolateFuncOptions &o,
                   Site Here) {
  const char *Op = "interpolate";
  const auto Rank = static_cast<int64_t>(detail::impl(x, Op, Here).L.rank());
  const auto Dims = static_cast<size_t>(std::max<int64_t>(Rank - 2, 0));
  if (Dims < 1 || Dims > 3)
    detail::fail("interpolate expects 3 to 5 dimensions", x, Here);
  if (o.size().has_value() == o.scale_factor().has_value())
    detail::fail("interpolate: either size or scale_factor must be given", x,
                 Here);
  std::vector<int64_t> Size(Dims);
  optional<double> Scale[3];
  for (size_t D = 0; D < Dims; ++D)
    if (o.size()) {
      Size[D] = o.size()->size() == 1 ? o.size()->front() : o.size()->at(D);
    } else {
      const double Factor = o.scale_factor()->size() == 1
                                ? o.scale_factor()->front()
                                : o.scale_factor()->at(D);
      const auto In = static_cast<double>(x.size(static_cast<int64_t>(D) + 2));
      Size[D] = static_cast<int64_t>(std::floor(In * Factor));
      if (!o.recompute_scale_factor().value_or(false))
        Scale[D] = Factor;
    }
  const Choice Mode = o.mode();
  const bool Corners = o.align_corners().value_or(false);
  if (Dims == 1) {
    if (Mode == kNearest)
      return upsample_nearest1d(x, Size, Scale[0], Here);
    if (Mode == kNearestExact)
      return _upsample_nearest_exact1d(x, Size, Scale[0], Here);
    if (Mode == kArea)
      return tensortidy::adaptive_avg_pool1d(x, Size, Here);
    if (Mode == kLinear)
      return upsample_linear1d(x, Size, Corners, Scale[0], Here);
  } else if (Dims == 2) {
    if (Mode == kNearest)
      return upsample_nearest2d(x, Size, Scale[0], Scale[1], Here);
    if (Mode == kNearestExact)
      return _upsample_nearest_exact2d(x, Size, Scale[0], Scale[1], Here);
    if (Mode == kArea)
      return tensortidy::adaptive_avg_pool2d(x, Size, Here);
    if (Mode == kBilinear)
      return upsample_bilinear2d(x, Size, Corners, Scale[0], Scale[1], Here);
    if (Mode == kBicubic)
      return upsample_bicubic2d(x, Size, Corners, Scale[0], Scale[1], Here);
  } else {
    if (Mode == kNearest)
      return upsample_nearest3d(x, Size, Scale[0], Scale[1], Scale[2], Here);
    if (Mode == kNearestExact)
      return _upsample_nearest_exact3d(x, Size, Scale[0], Scale[1], Scale[2],
                                       Here);
    if (Mode == kArea)
      return tensortidy::adaptive_avg_pool3d(x, Size, Here);
    if (Mode == kTrilinear)
      return upsample_trilinear3d(x, Size, Corners, Scale[0], Scale[1],
                                  Scale[2], Here);
  }
  detail::fail(std::string("interpolate: the mode ") + Mode.Name +
                   " does not fit the dimensions",
               x, Here);
}

} // namespace tensortidy::nn::functional
