//===- lifetimes.h - cases for AddressSanitizer -----------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A case says what must happen when it runs, each in a process of its own:
//
//   DANGLES(named) { ... }   AddressSanitizer stops it; lint reports it
//   STALE(named) { ... }     it returns a wrong answer (false); lint reports it
//   LIVES(named) { ... }     it returns true, and lint is silent
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TEST_LIFETIMES_H
#define TENSORTIDY_TEST_LIFETIMES_H

#ifdef LIFETIMES_LIBTORCH
#include <ATen/ATen.h>
#else
#include <tensortidy/torch.h>
#endif
#include <cstdint>
#include <vector>

namespace lifetimes {

enum class Outcome { Lives, Stale, Dangles };

struct Case {
  Case(const char *Name, const char *File, int Line, Outcome Expected,
       bool (*Run)());
};

/// What the compiler, and so the linter, does not know.
int64_t number(int64_t Value);
bool flag(bool Value);
float sum(const float *Data, int64_t Count);
int64_t product(at::IntArrayRef Sizes);
float entry(const float *Data, int64_t Rows, int64_t Columns, int64_t Row,
            int64_t Column);
float strided(const float *Data, int64_t Rows, int64_t Columns,
              int64_t RowStride, int64_t ColumnStride); ///< the sum
void copy(const float *From, float *To, int64_t Count);
at::Tensor rows();       ///< [4, 6], contiguous
at::Tensor transposed(); ///< [6, 4], not contiguous

#define LIFETIMES_CASE(Name, Expected)                                         \
  static bool Name();                                                          \
  static lifetimes::Case Name##Case(#Name, __FILE__, __LINE__,                 \
                                    lifetimes::Outcome::Expected, Name);       \
  static bool Name()
#define DANGLES(Name) LIFETIMES_CASE(Name, Dangles)
#define STALE(Name) LIFETIMES_CASE(Name, Stale)
#define LIVES(Name) LIFETIMES_CASE(Name, Lives)

} // namespace lifetimes

#endif
