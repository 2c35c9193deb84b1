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

#include "llvm/ADT/StringRef.h"
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

/// What stands in a Python's packages beside torch.
struct Python {
  std::string Whose; ///< "VIRTUAL_ENV", "CONDA_PREFIX" or "python3"
  std::string Include;
  std::vector<std::string> Packages; ///< its site-packages, first to last
};

/// What a file without a command is parsed with.
struct TorchSetup {
  std::optional<Libtorch> Torch;
  /// Flags for C++, which begin with the standard that the release needs, and
  /// name its headers as system headers; empty without a libtorch.
  std::vector<std::string> Flags;
};

/// \p Dir is a libtorch, its include directory, or a Python environment with
/// one.
std::optional<Libtorch> libtorchIn(llvm::StringRef Dir, llvm::StringRef Whose);

/// The active ones: of VIRTUAL_ENV, of CONDA_PREFIX, and python3. They are
/// asked, because only they know where their packages are.
std::vector<Python> activePythons();

/// The libtorch in \p Dir, given by --torch; or, where that is empty, of
/// LIBTORCH, of the active Python, or of the system. Fails only for a \p Dir
/// that has none.
llvm::Expected<TorchSetup> findTorch(const std::string &Dir);

} // namespace tensortidy::tool

#endif
