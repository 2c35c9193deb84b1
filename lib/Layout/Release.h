//===- Release.h - releases of libtorch -------------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A release is a number, 2.6 is 2006, so that a later one is greater. What
// changed is in Changes.def; who knows which release it is asks
//
//   since(Change::MatmulPacks, Asked)
//
// The runtime knows (TENSORTIDY_LIBTORCH), the analyzer takes it from
// libtorch's version macros, and models have entries with `release:`.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_LAYOUT_RELEASE_H
#define TENSORTIDY_LAYOUT_RELEASE_H

#include <optional>
#include <string_view>

namespace tensortidy::layout {

/// 0 is not known.
using Release = unsigned;

constexpr Release release(unsigned Major, unsigned Minor) {
  return Major * 1000 + Minor;
}

/// Those that the rules are compared with, first and last.
constexpr Release OldestRelease = release(1, 13),
                  NewestRelease = release(2, 14);

enum class Change : unsigned {
#define TENSORTIDY_CHANGE(NAME, MAJOR, MINOR, WHAT) NAME,
#include "Layout/Changes.def"
};

constexpr Release broughtBy(Change C) {
  constexpr Release By[] = {
#define TENSORTIDY_CHANGE(NAME, MAJOR, MINOR, WHAT) release(MAJOR, MINOR),
#include "Layout/Changes.def"
  };
  return By[static_cast<unsigned>(C)];
}

/// Whether release \p R has it.
constexpr bool since(Change C, Release R) { return R >= broughtBy(C); }

/// "2.6", or "2.6.0".
inline std::optional<Release> parseRelease(std::string_view Text) {
  unsigned Parts[3] = {}, At = 0;
  bool Digits = false;
  for (char C : Text) {
    if (C == '.' && Digits && At < 2) {
      ++At;
      Digits = false;
    } else if (C >= '0' && C <= '9' && Parts[At] < 100) {
      Parts[At] = Parts[At] * 10 + static_cast<unsigned>(C - '0');
      Digits = true;
    } else {
      return std::nullopt;
    }
  }
  if (!Digits || At == 0 || Parts[1] >= 1000)
    return std::nullopt;
  return release(Parts[0], Parts[1]);
}

} // namespace tensortidy::layout

#endif
