//===- Libtorch.h - the libtorch that a file is meant for -------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Of a file without a compile command nobody says which libtorch it is for. It
// is taken to be the one of the active Python, which is how most people have
// it:
//
//   pip install torch     site-packages/torch/include
//   conda                 the same, or include of the environment
//   LibTorch's archive    libtorch/include
//   Debian                /usr/include
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_LIBTORCH_H
#define TENSORTIDY_TOOL_LIBTORCH_H

#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace tensortidy::tool {

/// Headers of a libtorch on this machine.
struct Libtorch {
  std::string Include; ///< where ATen/ATen.h is
  std::string Release; ///< "2.14.1"; empty: its headers do not say
  std::string Whose;   ///< who named it: "--torch", "VIRTUAL_ENV", "/usr"
};

/// "libtorch 2.14.1 (VIRTUAL_ENV)"
std::string describe(const Libtorch &Torch);

/// What a file without a command is parsed with.
struct TorchSetup {
  std::optional<Libtorch> Torch;
  /// Flags for C++, which begin with the standard that the release needs, and
  /// name its headers as system headers; empty without a libtorch.
  std::vector<std::string> Flags;
};

/// The libtorch in \p Dir, given by --torch, which may be an include directory
/// or a Python environment as well; or, where that is empty, of
/// LIBTORCH, of the active Python, or of the system. Fails only for a \p Dir
/// that has none.
llvm::Expected<TorchSetup> findTorch(const std::string &Dir);

} // namespace tensortidy::tool

#endif
