//===- Elements.h - elements of lists and containers ------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which element of a list or container the followed tensor is, so that a
// pointer into another element is none into it.
//
//   l.push_back(t);            slot "#0" of l, its last element
//   m["w"] = t;                slot "=w" of m
//   l.erase(l.begin());        slot "#0" goes, those behind it are renumbered
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_BORROW_ELEMENTS_H
#define TENSORTIDY_ANALYSIS_BORROW_ELEMENTS_H

#include "Analysis/Borrow/Loans.h"

namespace tensortidy::analysis::borrow {

/// How long lists are, by variable.
using Lengths = std::map<VarId, int64_t>;

/// How long lists are, where the function says: by the value of a list, or of
/// the question after its length.
class ListLengths : public Dataflow<ListLengths, Lengths, Direction::Forward> {
public:
  explicit ListLengths(const FlowInfo &Flow);

  std::optional<int64_t> of(ValueId V) const {
    auto It = Of.find(V);
    return It == Of.end() ? std::nullopt : std::optional(It->second);
  }
  /// The number that \p V is.
  std::optional<int64_t> number(ValueId V, unsigned Depth = 0) const;

  void transfer(BlockId B, Lengths &Now);
  bool join(Lengths &Into, const Lengths &From) {
    return keepCommon(Into, From);
  }

private:
  std::optional<int64_t> lengthOf(const Stmt &S, const Lengths &Now) const;

  const Function &F;
  const DefUse &Values;
  std::map<ValueId, int64_t> Of;
};

class Elements {
public:
  explicit Elements(const FlowInfo &Flow)
      : F(Flow.F), Values(Flow.Values), Length(Flow) {}

  /// What tells elements of lists and containers apart: a number or a name;
  /// empty where it is not known.
  std::string keyOf(ValueId V) const;
  /// The key of what \p At puts into a container.
  std::string keyOfNew(const Stmt &At) const;
  /// Which element of \p List, that owns it, the tensor is.
  std::string slotIn(const LoanState &S, ValueId List,
                     unsigned Depth = 0) const;
  /// Whether \p At, which reads an element of what \p A is, may give the
  /// tensor; Vague learns that it may give another instead.
  bool isElement(LoanState &S, const Stmt &At, const Arg &A) const;
  /// Whether the tensor stays in the list that \p At makes of one with it.
  bool staysIn(const LoanState &S, const Stmt &At, ValueId List) const;
  /// What \p At does with the container that is its operand \p A: nullopt when
  /// it leaves the tensor where it is, true when it lets it go, false when that
  /// is not known.
  std::optional<bool> letsGo(const LoanState &S, const Stmt &At,
                             const Arg &A) const;
  /// `l.push_back(t)` of a list that is followed: what it becomes is stored
  /// next.
  bool addsToList(const Stmt &At) const;
  /// The change of an element of \p List that \p At is a part of: the list that
  /// results is stored next.
  const Stmt *changeBefore(const Block &B, const Stmt &At, VarId List) const;
  /// `l[i] = t` of a list that is followed.
  bool keepsInList(const Block &B, const Stmt &At) const;
  /// Whether the iterator \p At of \p List is for an erasure that is followed.
  bool erases(const Block &B, const Stmt &At, VarId List) const;
  /// Whether the tensor is the last element of the list \p List.
  bool isLast(const LoanState &S, ValueId List) const;
  /// `l.pop_back()` of a list whose last element is the tensor, to which each
  /// pointer goes by way of `l.back()`.
  bool takesLast(const LoanState &S, const Stmt &At) const;

private:
  bool isBack(ValueId Index, ValueId List) const;
  std::string moved(const LoanState &S, const Stmt &D, int64_t By,
                    unsigned Depth) const;

  const Function &F;
  const DefUse &Values;
  const ListLengths Length;
};

/// Puts something in the place of all that was there.
bool assigns(const Stmt &S);
/// Methods of containers that read no element.
bool changesContainer(const Stmt &S);
/// Methods that read an element of a container.
bool readsElement(const Stmt &S);
/// begin() and end().
bool isIterator(const Stmt &S);

} // namespace tensortidy::analysis::borrow

#endif
