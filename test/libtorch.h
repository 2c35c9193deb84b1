//===- libtorch.h - what libtorch's releases spell differently --*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For programs of the tests that are built with any release from 1.13 on.
// at::NoGradGuard has a header of its own, which ATen.h includes in 1.13 only.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TEST_LIBTORCH_H
#define TENSORTIDY_TEST_LIBTORCH_H

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <c10/util/Exception.h>
#include <torch/csrc/api/include/torch/version.h>

namespace libtorch {

#if TORCH_VERSION_MAJOR < 2
struct Silent : c10::WarningHandler {
  void process(const c10::SourceLocation & /*At*/, const std::string & /*Text*/,
               const bool /*Verbatim*/) override {}
};
namespace warnings = c10::Warning;
#else
struct Silent : c10::WarningHandler {
  void process(const c10::Warning & /*W*/) override {}
};
namespace warnings = c10::WarningUtils;
#endif

/// From here on libtorch keeps its warnings to itself.
inline void silenceWarnings() {
  static Silent Handler;
  warnings::set_warning_handler(&Handler);
}

} // namespace libtorch

#endif
