//===- release.h - which libtorch the runtime behaves as --------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Releases of libtorch differ: in the layout of some results, in what they
// refuse, in a few values. The runtime behaves as the release it is asked for,
// the newest it knows where nobody asks:
//
//   $ TENSORTIDY_LIBTORCH=2.6 ./train
//
// docs/semantics.md lists what differs. A release between two that are listed
// is the earlier one of them.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_RELEASE_H
#define TENSORTIDY_RELEASE_H

#include <string>

namespace tensortidy {

/// From here on the runtime behaves as this release: "2.6". Throws
/// std::invalid_argument for what is no release, or is older than 1.13.
void set_libtorch(const std::string &release);
/// The release that the runtime behaves as.
std::string libtorch();

} // namespace tensortidy

#endif
