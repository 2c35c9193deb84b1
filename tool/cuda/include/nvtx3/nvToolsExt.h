//===- nvToolsExt.h - stands in for NVTX -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#pragma once
#include <cstdint>

typedef uint64_t nvtxRangeId_t;
extern "C" {
int nvtxRangePushA(const char *);
int nvtxRangePop();
void nvtxMarkA(const char *);
nvtxRangeId_t nvtxRangeStartA(const char *);
void nvtxRangeEnd(nvtxRangeId_t);
}
#define nvtxRangePush nvtxRangePushA
#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
