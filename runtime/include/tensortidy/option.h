//===- option.h - an option of a function or a module -----------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TENSORTIDY_OPTION(double, eps, 1e-5) in a class: eps(value) sets, and returns
// the options; eps() asks.
//
//   LayerNormOptions({8}).eps(1e-6).elementwise_affine(false)
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_OPTION_H
#define TENSORTIDY_OPTION_H

#define TENSORTIDY_OPTION(TYPE, NAME, ...)                                     \
public:                                                                        \
  auto NAME(const TYPE &Value) -> decltype(*this) {                            \
    NAME##_ = Value;                                                           \
    return *this;                                                              \
  }                                                                            \
  const TYPE &NAME() const { return NAME##_; }                                 \
  TYPE &NAME() { return NAME##_; }                                             \
                                                                               \
private:                                                                       \
  TYPE NAME##_ = __VA_ARGS__;

#endif
