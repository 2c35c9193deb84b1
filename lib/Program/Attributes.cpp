//===- Attributes.cpp - what models say of calls --------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program/Attributes.h"
#include "llvm/ADT/StringMap.h"
#include <iterator>

namespace tensortidy::program {

namespace {

struct Info {
  llvm::StringLiteral Name;
  AttributeKind Kind;
};

constexpr Info Infos[] = {
#define TENSORTIDY_ATTRIBUTE(Id, Name, Kind, Text) {Name, AttributeKind::Kind},
#include "Program/Attributes.def"
};

bool isOfCalls(AttributeKind K) {
  return K == AttributeKind::Call || K == AttributeKind::Any;
}
bool isOfOperations(AttributeKind K) { return K != AttributeKind::Call; }
bool goesOver(AttributeKind K) {
  return K == AttributeKind::Type || K == AttributeKind::Overlap;
}

/// The attributes of kinds that \p Is holds for.
std::bitset<NumAttributes> ofKinds(bool (*Is)(AttributeKind)) {
  std::bitset<NumAttributes> Mask;
  for (size_t I = 0; I < NumAttributes; ++I)
    Mask[I] = Is(Infos[I].Kind);
  return Mask;
}

} // namespace

llvm::StringRef attributeName(Attribute A) {
  return Infos[static_cast<size_t>(A)].Name;
}

bool findAttribute(llvm::StringRef Name, Attribute &A) {
  static const llvm::StringMap<Attribute> ByName = [] {
    llvm::StringMap<Attribute> Map;
    for (size_t I = 0; I < NumAttributes; ++I)
      Map[Infos[I].Name] = static_cast<Attribute>(I);
    return Map;
  }();
  auto It = ByName.find(Name);
  if (It == ByName.end())
    return false;
  A = It->second;
  return true;
}

Attributes Attributes::of(bool IsOperation) const {
  static const auto Operations = ofKinds(isOfOperations),
                    Calls = ofKinds(isOfCalls);
  Attributes R;
  R.Bits = Bits & (IsOperation ? Operations : Calls);
  return R;
}

Attributes Attributes::inherited() const {
  static const auto Over = ofKinds(goesOver);
  Attributes R;
  R.Bits = Bits & Over;
  return R;
}

std::optional<Attribute> Attributes::first(AttributeKind K) const {
  for (size_t I = 0; I < NumAttributes; ++I)
    if (Bits[I] && Infos[I].Kind == K)
      return static_cast<Attribute>(I);
  return std::nullopt;
}

std::string Attributes::problem() const {
  static const auto Exclusive = ofKinds([](AttributeKind K) {
    return K == AttributeKind::Type || K == AttributeKind::Gradient;
  });
  if ((Bits & Exclusive).count() < 2)
    return "";
  const Info *Types = nullptr, *Saves = nullptr;
  for (size_t I = 0; I < NumAttributes; ++I) {
    const bool IsType = Infos[I].Kind == AttributeKind::Type;
    if (!Bits[I] || (!IsType && Infos[I].Kind != AttributeKind::Gradient))
      continue;
    const Info *&Only = IsType ? Types : Saves;
    if (Only)
      return "'" + Only->Name.str() + "' and '" + Infos[I].Name.str() +
             "' exclude each other";
    Only = &Infos[I];
  }
  return "";
}

} // namespace tensortidy::program
