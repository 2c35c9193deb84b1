//===- OlderGlibc.cpp - what older C libraries lack -----------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// So that a program built with glibc 2.36 also runs with 2.34, which systems of
// 2022 have. LLVM's archives and libstdc++ ask for this one function more.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdlib>
#include <sys/random.h>

extern "C" uint32_t arc4random() noexcept {
  uint32_t Bits = 0;
  if (getrandom(&Bits, sizeof Bits, 0) != sizeof Bits) // never, of four bytes
    std::abort();
  return Bits;
}
