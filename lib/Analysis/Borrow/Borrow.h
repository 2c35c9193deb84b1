//===- Borrow.h - what is used after its owner ------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One analysis for all that points into memory of something else. A loan is
// such memory; it has owners, and expires with the last of them. What borrows
// it is not to be used after that, nor after its memory was moved or freed.
//
//   auto t = x + 1;                 loan of the sum's memory, owner 't'
//   auto *p = t.data_ptr<float>();  'p' borrows
//   t = y;                          expires
//   use(p);                         a fact: Used
//
// Facts are of one path, and without words: checks tell them.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_BORROW_BORROW_H
#define TENSORTIDY_ANALYSIS_BORROW_BORROW_H

#include "Analysis/Facts/Facts.h"
#include "Analysis/Flow/Contexts.h"
#include "Analysis/Flow/FlowInfo.h"

namespace tensortidy::analysis::borrow {

/// Whose memory it is that a pointer was found to go to.
struct MemoryOwner {
  enum Kind : uint8_t {
    Own,     ///< the variable's: it goes when the variable does
    Element, ///< an element's of the variable: growing moves the element only
    Pointee  ///< what the variable points to: until somebody frees it
  };
  program::VarId Var = program::NoId;
  Kind How = Own;
  bool IsPointer = false; ///< Own: a pointer that owns what it points to
  bool IsImage = false;   ///< Own: an image
};

struct Loan {
  enum Kind : uint8_t {
    Elements, ///< of a tensor: while there is a handle of it or of a view
    Metadata, ///< its sizes and strides: while there is a handle of it
    Braces,   ///< a container that nobody names: to the end of its statement
    List,     ///< a variable's list, by a view of it
    Memory,   ///< of a variable, by from_blob()
    Late,     ///< of a variable, by a copy that goes on after its call
  } Of = Elements;
  /// What makes the memory. Of List and Memory, which are there before: what
  /// borrows it. Null: the tensor that Owner.Var has from the beginning.
  const program::Stmt *Maker = nullptr;
  MemoryOwner Owner;
  bool Conditional = false; ///< Maker may return what it is called on instead

  bool isOfTensor() const { return Of <= Braces; }
};

struct BorrowFact {
  enum Kind : uint8_t {
    Temporary, ///< used; the owner ended with the statement that borrows
    Used,      ///< after the loan expired, or its memory was invalidated
    Returned,  ///< by the function whose local is the owner
    Kept,      ///< in something that outlives the owner
  } K = Used;
  Loan Of;
  const program::Stmt *Borrow = nullptr;  ///< data_ptr(), from_blob(), a view
  const program::Stmt *Use = nullptr;     ///< or the return
  const program::Stmt *Expires = nullptr; ///< took the last owner away
  /// Moved the memory, or freed it, under its owner.
  const program::Stmt *Invalidates = nullptr;
  const program::Stmt *NoCopy = nullptr; ///< looks like a copy and makes none
  program::VarId Keeper = program::NoId; ///< Kept; NoId: a detached thread

  /// Where it is told.
  const program::Stmt &at() const {
    return K == Temporary || K == Kept ? *Borrow : *Use;
  }
};

/// Follows the loans of a function: first those of List, then the others in the
/// order of the statements that make them.
std::vector<BorrowFact> findBorrows(const FlowInfo &Flow, const RunResult &Run);

} // namespace tensortidy::analysis::borrow

#endif
