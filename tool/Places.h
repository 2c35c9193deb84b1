//===- Places.h - what comes with the tool, and where it is -----*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   bin/tensortidy   lib/tensortidy/plugins   share/tensortidy/cuda
//   from any of them to the others: an installation may be moved
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TOOL_PLACES_H
#define TENSORTIDY_TOOL_PLACES_H

#include <string>

namespace tensortidy::tool {

/// The program that runs, and its folder.
std::string executable();
std::string executableDir();

/// The plugin stands below the lib directory beside our bin.
std::string pluginPath();

/// The installed stand-ins for CUDA's headers.
std::string cudaDir();

/// Clang's own headers: beside an installation that brought them along, or of
/// the release this was built with.
std::string resourceDir();

} // namespace tensortidy::tool

#endif
