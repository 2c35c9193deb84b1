//===- Identity.cpp - what objects and symbols are named after ------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Domain/Identity.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

llvm::StringRef ObjId::prefix(Origin From) {
  static constexpr llvm::StringLiteral Origins[] = {
      "none", "%",        "element", "joined", "joined-storage",
      "$",    "reloaded", "earlier", "any"};
  static_assert(std::size(Origins) == Any + 1);
  return Origins[From];
}

std::string ObjId::text() const {
  std::string Text = prefix(From).str() + std::to_string(Of);
  return Part ? Text + '/' + std::to_string(Part) : Text;
}

/// A symbol that takes the place of an atom does not know what that was made
/// of: of a sum it is the size, of a quotient some integer.
static SymbolInfo::Kind plain(SymbolInfo::Kind K) {
  if (K == SymbolInfo::Sum)
    return SymbolInfo::Size;
  return K < SymbolInfo::Floor ? K : SymbolInfo::Integer;
}

SymExpr Identities::symbol(const SymbolKey &Key, SymbolInfo::Kind K,
                           const std::string &Name) {
  auto [It, New] = Made.try_emplace(Key, 0);
  if (New) {
    It->second = Table.fresh(plain(K), Name.empty() ? "?" : Name);
    Table[It->second].Line = Line;
  }
  return SymExpr::symbol(It->second);
}

SymExpr Identities::joined(const SymbolKey &Key, SymbolInfo::Kind K,
                           const std::string &Name) {
  SymExpr E = symbol(Key, K, Name);
  Table[*E.asSymbol()].Joined = true;
  return E;
}

uint32_t Identities::number(const SymbolKey &What) {
  const auto Next = static_cast<uint32_t>(Numbers.size());
  return Numbers.try_emplace(What, Next).first->second;
}

} // namespace tensortidy::analysis
