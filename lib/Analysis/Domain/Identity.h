//===- Identity.h - what objects and symbols are named after ----*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block runs many times, once for each state and iteration, and must give the
// same names each time, or no fixpoint is reached. So an object or a symbol is
// named by what makes it and where, never by when:
//
//   %7 = narrow ...              object   {Value, 7}
//   its unknown last stride      symbol   {Result, 7, part 130}
//   a size in which paths
//   differ that meet             symbol   {JoinedLayout, block 4, 2, part 8}
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_DOMAIN_IDENTITY_H
#define TENSORTIDY_ANALYSIS_DOMAIN_IDENTITY_H

#include "Layout/Symbolic.h"
#include "Program/Program.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace tensortidy::analysis {

using layout::SymbolId;

/// Names a tensor object, or a storage by the object it was made with.
struct ObjId {
  // In the order in which states keep them.
  enum Origin : uint8_t {
    None,
    Value,         ///< part Part of what value Of gave
    Element,       ///< of a list, once its statement ran again; a number
    Joined,        ///< what several paths gave; a number of Identities
    JoinedStorage, ///< the same of storages
    Variable,      ///< what variable Of held at the entry
    Reloaded,      ///< what a variable holds after a call without a body
    Earlier,       ///< what Value was in an earlier iteration
    Any,           ///< some tensor: see AnyTensor
  };
  Origin From = None;
  uint32_t Part = 0;
  uint32_t Of = 0;

  /// What value \p V gave, or part \p Part of it.
  static constexpr ObjId of(program::ValueId V, uint32_t Part = 0) {
    return {Value, Part, V};
  }
  explicit operator bool() const { return From != None; }
  bool operator==(const ObjId &O) const {
    return From == O.From && Part == O.Part && Of == O.Of;
  }
  bool operator!=(const ObjId &O) const { return !(*this == O); }
  bool operator<(const ObjId &O) const {
    return std::tie(From, Part, Of) < std::tie(O.From, O.Part, O.Of);
  }
  /// For keys and printed layouts, as the text form of a program names values
  /// and variables: "%7", "%7/2" is part 2 of it, "$3", "joined4".
  std::string text() const;
  /// What text() begins with.
  static llvm::StringRef prefix(Origin From);
};

/// Value::T of an unknown value that is some tensor; its object is made when
/// it is read.
constexpr ObjId AnyTensor{ObjId::Any, 0, 0};

/// Names a symbol: what it is of, and where.
struct SymbolKey {
  enum Origin : uint8_t {
    None,
    // Unknown tensors; Part is 0 for the size, 1 for the
    // stride, 2 for the offset of their unknown dimensions.
    Parameter,        ///< variable Of at the entry
    OpaqueValue,      ///< value Of: a field, what a call gave
    ReloadedTensor,   ///< number Of
    ContiguousObject, ///< number Of: a test said it is contiguous
    UnknownResult,    ///< of value Of
    DenseResult,      ///< of value Of, which is contiguous
    TailResult,       ///< of value Of, whose last sizes are known
    GgmlObject,       ///< number Of; Part: dimension, 4 + dimension, offset
    // What they are found to have; Part counts from the front or the back.
    Dimension, ///< of the unknown dimensions whose size is symbol Of
    Stride,    ///< the same, number Of
    Rank,      ///< of object number Of
    // Numbers.
    Variable,    ///< integer variable Of that nothing is known of
    StoredValue, ///< value Of when a variable takes it
    ChangedInt,  ///< number Of: by a call without a body
    ListElement, ///< element Part of the list in variable Of
    SomeElement, ///< symbol Of, of some element that value At took
    GgmlType,    ///< bytes of an element of type Of
    Result,      ///< Part of what value Of gave
    Statement,   ///< the same of the Of-th statement of block At
    // Where paths meet, in block At.
    LoopCounter,   ///< variable Of in any iteration
    LoopDistance,  ///< how far the pointer in variable Of has gone
    Iteration,     ///< symbol Of in an earlier iteration
    JoinedLayout,  ///< Part of the layout of object number Of
    JoinedNumber,  ///< the integer in slot Of
    JoinedPointer, ///< the distance of the pointer in slot Of
    // What only gets a number: see Identities::number().
    VarSlot,     ///< what variable Of holds
    ValueSlot,   ///< what value Of is
    ElementSlot, ///< element Part of the list in slot Of, in block At
    AllElements, ///< what they have in common, the same
    TwoTensors,  ///< the tensor in slot Of, which is another one on each path
    OneTensor,   ///< object number Of, which differs between them
    Object,      ///< Of and Part are an ObjId's, At its origin
    Strides,     ///< of size symbol Of and stride symbol Part
    Havoc,       ///< variable Of, by value or place Part
    HeldElement, ///< element Part of the list in variable Of
  };
  Origin From = None;
  uint32_t At = program::NoId; ///< block or value; NoId: the whole function
  uint32_t Of = 0;
  uint32_t Part = 0;

  explicit operator bool() const { return From != None; }
  SymbolKey part(uint32_t P) const { return {From, At, Of, P}; }
  bool operator==(const SymbolKey &O) const {
    return From == O.From && At == O.At && Of == O.Of && Part == O.Part;
  }
  bool operator!=(const SymbolKey &O) const { return !(*this == O); }
  bool operator<(const SymbolKey &O) const {
    return std::tie(From, At, Of, Part) < std::tie(O.From, O.At, O.Of, O.Part);
  }
};

} // namespace tensortidy::analysis

namespace llvm {
template <> struct DenseMapInfo<tensortidy::analysis::ObjId> {
  using ObjId = tensortidy::analysis::ObjId;
  static ObjId getEmptyKey() { return {ObjId::Any, ~0u, 0}; }
  static ObjId getTombstoneKey() { return {ObjId::Any, ~0u, 1}; }
  static unsigned getHashValue(const ObjId &I) {
    return DenseMapInfo<std::pair<uint32_t, uint32_t>>::getHashValue(
        {I.Of, I.Part << 4 | I.From});
  }
  static bool isEqual(const ObjId &A, const ObjId &B) { return A == B; }
};
template <> struct DenseMapInfo<tensortidy::analysis::SymbolKey> {
  using SymbolKey = tensortidy::analysis::SymbolKey;
  static SymbolKey getEmptyKey() { return {SymbolKey::None, 0, 0, 0}; }
  static SymbolKey getTombstoneKey() { return {SymbolKey::None, 0, 0, 1}; }
  static unsigned getHashValue(const SymbolKey &K) {
    return static_cast<unsigned>(
        hash_combine(static_cast<uint8_t>(K.From), K.At, K.Of, K.Part));
  }
  static bool isEqual(const SymbolKey &A, const SymbolKey &B) { return A == B; }
};
} // namespace llvm

namespace tensortidy::analysis {

/// All names of one analysis.
class Identities {
public:
  explicit Identities(layout::Symbols &Table) : Table(Table) {}

  /// The symbol of \p Key, which is made when it is asked for first.
  layout::SymExpr symbol(const SymbolKey &Key, layout::SymbolInfo::Kind K,
                         const std::string &Name);
  /// The same of what differs between paths that meet.
  layout::SymExpr joined(const SymbolKey &Key, layout::SymbolInfo::Kind K,
                         const std::string &Name);
  /// A number for \p What, the same each time: 0, 1, 2 ...
  uint32_t number(const SymbolKey &What);
  uint32_t number(const ObjId &What) {
    return number({SymbolKey::Object, What.From, What.Of, What.Part});
  }

  uint32_t Line = 0; ///< of the statement that runs: where symbols get names
  /// Sizes that are called after an expression until they are stored.
  std::set<SymbolId> NamedByExpression;
  std::map<std::string, unsigned> GgmlTypes; ///< those of unknown size

private:
  layout::Symbols &Table;
  llvm::DenseMap<SymbolKey, SymbolId> Made;
  llvm::DenseMap<SymbolKey, uint32_t> Numbers;
};

} // namespace tensortidy::analysis

#endif
