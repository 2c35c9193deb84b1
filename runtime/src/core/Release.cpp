//===- Release.cpp - the release that was asked for -----------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Release.h"
#include "tensortidy/release.h"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace tensortidy {

namespace {

layout::Release readRelease(const std::string &Text) {
  const auto R = layout::parseRelease(Text);
  if (!R)
    throw std::invalid_argument("'" + Text +
                                "' is no release of libtorch, such as 2.6");
  if (*R < layout::OldestRelease)
    throw std::invalid_argument("libtorch " + Text +
                                " is not known, only 1.13 and later");
  return *R;
}

} // namespace

std::atomic<layout::Release> detail::AskedRelease{0};

layout::Release detail::firstAsked() {
  layout::Release R = layout::NewestRelease;
  if (const char *Asked = std::getenv("TENSORTIDY_LIBTORCH"); Asked && *Asked)
    try {
      R = readRelease(Asked);
    } catch (const std::invalid_argument &E) {
      // Not passed over: the program would behave as another release.
      std::fprintf(stderr, "tensortidy: TENSORTIDY_LIBTORCH: %s\n", E.what());
      std::exit(2);
    }
  AskedRelease = R;
  return R;
}

void set_libtorch(const std::string &release) {
  detail::AskedRelease = readRelease(release);
}

std::string libtorch() {
  const layout::Release R = detail::askedRelease();
  return std::to_string(R / 1000) + "." + std::to_string(R % 1000);
}

} // namespace tensortidy
