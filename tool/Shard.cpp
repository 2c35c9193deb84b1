//===- Shard.cpp - a part of the files, the same everywhere ---------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shard.h"
#include "Output/Project.h"
#include "StringError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"
#include <numeric>

using llvm::StringRef;

namespace tensortidy::tool {

llvm::Expected<Shard> Shard::parse(StringRef Text) {
  const auto [Number, Of] = Text.split('/');
  Shard S;
  if (Number.getAsInteger(10, S.Number) || Of.getAsInteger(10, S.Of) ||
      !S.Number || S.Number > S.Of)
    return stringError("--shard is N/M, part N of M parts, such as "
                       "2/3, not '" +
                       Text + "'");
  return S;
}

std::vector<std::string>
Shard::take(const std::vector<std::string> &Files) const {
  if (Files.empty())
    return {};
  const Project Names(Files.front());
  std::vector<std::pair<uint64_t, std::string>> Keys;
  for (const std::string &File : Files) {
    std::string Name = Names.name(File);
    const uint64_t Hash = llvm::xxh3_64bits(Name);
    Keys.emplace_back(Hash, std::move(Name));
  }
  std::vector<size_t> Order(Files.size());
  std::iota(Order.begin(), Order.end(), size_t(0));
  llvm::stable_sort(Order,
                    [&](size_t A, size_t B) { return Keys[A] < Keys[B]; });
  std::vector<size_t> Part(
      Order.begin() + static_cast<long>(Files.size() * (Number - 1) / Of),
      Order.begin() + static_cast<long>(Files.size() * Number / Of));
  llvm::sort(Part);
  std::vector<std::string> Taken;
  for (const size_t I : Part)
    Taken.push_back(Files[I]);
  return Taken;
}

} // namespace tensortidy::tool
