//===- Attributes.h - what models say of calls ------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A statement's attributes say what the analysis would otherwise have to know
// by the callee's name. Models give them (lib/Models), Attributes.def lists
// them.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_PROGRAM_ATTRIBUTES_H
#define TENSORTIDY_PROGRAM_ATTRIBUTES_H

#include "llvm/ADT/StringRef.h"
#include <bitset>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>

namespace tensortidy::program {

enum class Attribute : uint8_t {
#define TENSORTIDY_ATTRIBUTE(Id, Name, Kind, Text) Id,
#include "Program/Attributes.def"
};

/// Which statements may have an attribute, and how many of a kind.
enum class AttributeKind : uint8_t {
  Type,
  Overlap,
  Gradient,
  Operation,
  Call,
  Any,
};

constexpr Attribute AllAttributes[] = {
#define TENSORTIDY_ATTRIBUTE(Id, Name, Kind, Text) Attribute::Id,
#include "Program/Attributes.def"
};
constexpr size_t NumAttributes = std::size(AllAttributes);

class Attributes {
public:
  bool has(Attribute A) const { return Bits[static_cast<size_t>(A)]; }
  void add(Attribute A) { Bits.set(static_cast<size_t>(A)); }
  bool empty() const { return Bits.none(); }
  Attributes &operator|=(const Attributes &O) {
    Bits |= O.Bits;
    return *this;
  }
  /// The first of this kind.
  std::optional<Attribute> first(AttributeKind K) const;
  bool any(AttributeKind K) const { return first(K).has_value(); }
  bool operator==(const Attributes &O) const { return Bits == O.Bits; }
  bool operator!=(const Attributes &O) const { return Bits != O.Bits; }
  /// Those of operations, or of other calls.
  Attributes of(bool IsOperation) const;
  /// Those that hold for `add_` and `add_out`, too.
  Attributes inherited() const;
  /// What is wrong with having all of them, or nothing.
  std::string problem() const;

private:
  std::bitset<NumAttributes> Bits;
};

llvm::StringRef attributeName(Attribute A);
/// The attribute of this name, or false.
bool findAttribute(llvm::StringRef Name, Attribute &A);

} // namespace tensortidy::program

#endif
