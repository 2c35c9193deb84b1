//===- Narrow.h - rows of 16-bit floats -------------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers of 16 bits are computed with as floats. Whole rows of them become
// floats, and floats become them, by the processor's own instructions where it
// has them; load() and store() (Impl.h) give the same one by one, but for the
// bits of a NaN.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_RUNTIME_NARROW_H
#define TENSORTIDY_RUNTIME_NARROW_H

#include "tensortidy/types.h"
#include <cstdint>

namespace tensortidy::detail {

void widen(const Half *From, float *To, int64_t N);
void widen(const BFloat16 *From, float *To, int64_t N);
void narrow(const float *From, Half *To, int64_t N);
void narrow(const float *From, BFloat16 *To, int64_t N);

/// Numbers cut to integers of 32 bits; false where one of them does not fit.
bool whole(const float *From, int32_t *To, int64_t N);
bool whole(const double *From, int32_t *To, int64_t N);
bool whole(const BFloat16 *From, int32_t *To, int64_t N);

} // namespace tensortidy::detail

#endif
