//===- Release.h - the release that was asked for ---------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations ask has(Change::Name), see lib/Layout/Changes.def.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_RUNTIME_RELEASE_H
#define TENSORTIDY_RUNTIME_RELEASE_H

#include "Layout/Release.h"
#include <atomic>

namespace tensortidy::detail {

using layout::Change;

/// 0 before anybody asked.
extern std::atomic<layout::Release> AskedRelease;
/// Reads the environment.
layout::Release firstAsked();

inline layout::Release askedRelease() {
  const layout::Release R = AskedRelease.load(std::memory_order_relaxed);
  return R ? R : firstAsked();
}
inline bool has(Change C) { return layout::since(C, askedRelease()); }

} // namespace tensortidy::detail

#endif
