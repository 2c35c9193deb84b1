//===- Loans.h - following one loan through a function ----------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What one path knows of a loan, and what is the same whoever owns it: how
// borrows go through variables, what is left at a return.
//
//   %3 = contiguous self=%1      owners {%3}
//   %4 = data_ptr self=%3        owners {%3}    borrowers {%4}
//   store $p %4                                 borrowers {%4, $p}
//   full_expr_end                owners {}      the loan has expired
//   %5 = load $p                                borrowers {%5, $p}
//   opaque "use" read %5         a fact
//
// A tensor has any number of owners, its handles (TensorLoan.cpp); the memory
// of a variable has one, which may hand it on (MemoryLoan.cpp). What code that
// is not seen may own is alive: following ends there.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_BORROW_LOANS_H
#define TENSORTIDY_ANALYSIS_BORROW_LOANS_H

#include "Analysis/Borrow/Borrow.h"
#include <tuple>

namespace tensortidy::analysis::borrow {

using namespace program;

struct LoanState {
  std::set<ValueId> OwnerValues; ///< temporaries and values that own it
  std::set<VarId> Owners;        ///< variables that do
  std::map<ValueId, const Stmt *> BorrowerValues; ///< by what they borrow
  std::map<VarId, const Stmt *> Borrowers;
  std::set<VarId> Containers;        ///< with a tensor in it that borrows
  const Stmt *Expires = nullptr;     ///< took the last owner away
  const Stmt *Invalidates = nullptr; ///< moved the memory under its owner
  const Stmt *NoCopy = nullptr;      ///< BorrowFact::NoCopy
  bool Immortal = false;  ///< a caller's, or till the statement's end
  std::set<VarId> LastIn; ///< lists whose last element it is
  std::map<VarId, std::string> Slots; ///< which element of a list or container
  const Stmt *Detached = nullptr;     ///< the pointer in a thread never joined
  bool Vague = false;  ///< some pointer may go to another element instead
  bool OnHeap = false; ///< made by `new`: only `delete` ends it
  Tested Known;

  bool alive() const {
    return Immortal || !OwnerValues.empty() || !Owners.empty();
  }
  /// Takes \p V away from the owners.
  void release(VarId V, const Stmt &At) {
    Owners.erase(V);
    Slots.erase(V);
    LastIn.erase(V);
    if (Owners.empty())
      Expires = &At;
  }
  bool operator<(const LoanState &O) const {
    const auto Tie = [](const LoanState &S) {
      return std::tie(S.OwnerValues, S.Owners, S.BorrowerValues, S.Borrowers,
                      S.Containers, S.Expires, S.Invalidates, S.NoCopy,
                      S.Immortal, S.LastIn, S.Slots, S.Detached, S.Vague,
                      S.OnHeap, S.Known);
    };
    return Tie(*this) < Tie(O);
  }
};

template <class Set, class Fn> void eraseIf(Set &Of, Fn &&Is) {
  for (auto It = Of.begin(); It != Of.end();)
    It = Is(*It) ? Of.erase(It) : std::next(It);
}

class LoanAnalysis : public PathDataflow<LoanAnalysis, LoanState> {
public:
  LoanAnalysis(const FlowInfo &Flow, const RunResult &Run, const Loan &L,
               std::vector<BorrowFact> &Out)
      : F(Flow.F), Flow(Flow), Values(Flow.Values), Run(Run), L(L), Out(Out) {}
  virtual ~LoanAnalysis() = default;

  /// Follows the loan from \p S on, in which it is made.
  void run(LoanState S, BlockId B, size_t From);

  bool step(LoanState &S, const Block &B, const Stmt &At);
  virtual bool matters(const LoanState &S) const = 0;
  bool takes(BlockId B, size_t Way, LoanState &S) const {
    return Flow.paths().takes(B, Way, S.Known);
  }

protected:
  // What statements do to owners. False: the loan is followed no further.
  virtual void begin(LoanState &, const Stmt &) {} ///< any statement
  virtual bool load(LoanState &S, const Stmt &At) = 0;
  virtual bool store(LoanState &S, const Stmt &At) = 0;
  virtual void endScope(LoanState &S, const Stmt &At) = 0;
  virtual bool endStatement(LoanState &S, const Stmt &At) = 0;
  virtual void leave(LoanState &S, const Stmt &At) = 0; ///< the function
  virtual bool other(LoanState &S, const Block &B, const Stmt &At) = 0;

  /// What \p V is part of, from itself outwards.
  template <class Fn> bool anyWhole(VarId V, Fn &&Is) const {
    for (; V != NoId && V != ThisBase; V = F.Vars[V].Base)
      if (Is(V))
        return true;
    return false;
  }
  bool isPartOf(VarId V, VarId Whole) const {
    return anyWhole(V, [&](VarId W) { return W == Whole; });
  }
  /// Whether \p V owns the memory, itself or in a field.
  bool owns(const LoanState &S, VarId V) const {
    return llvm::any_of(S.Owners,
                        [&](VarId Owner) { return isPartOf(Owner, V); });
  }
  /// Whether a pointer owns the tensor that \p V, behind it, is.
  bool ownsPointee(const LoanState &S, VarId V) const;
  /// Whether what \p V has is there after the function returns.
  bool outlives(VarId V) const;
  /// A pointer, or a tensor made of one.
  bool mayBorrow(VarId V) const {
    return F.Vars[V].Borrows || F.Vars[V].Type == VarType::Tensor;
  }

  const Stmt *borrow(const LoanState &S, ValueId V) const {
    auto It = V ? S.BorrowerValues.find(V) : S.BorrowerValues.end();
    return It == S.BorrowerValues.end() ? nullptr : It->second;
  }
  /// The value of a borrower, the field of an object made with it, an object
  /// with it in a field.
  void loadBorrow(LoanState &S, const Stmt &At) const;
  /// A variable gets a value, which may borrow.
  void lend(LoanState &S, VarId To, ValueId From) const;
  /// Learns of what is kept when the function returns.
  void keep(const LoanState &S, const Stmt &At);
  BorrowFact fact(const LoanState &S, BorrowFact::Kind K, const Stmt *Borrow,
                  const Stmt &Use, VarId Keeper = NoId) const {
    return {K, L, Borrow, &Use, S.Expires, S.Invalidates, S.NoCopy, Keeper};
  }
  /// Tells one fact of each borrow.
  void tell(const BorrowFact &Found);

  const Function &F;
  const FlowInfo &Flow;
  const DefUse &Values;
  const RunResult &Run;
  const Loan L;
  /// Told when nothing else was, and all paths were followed to their end:
  /// whether what is kept is kept on the same path as the owner may hang on
  /// conditions that are not followed.
  std::vector<BorrowFact> Deferred;
  bool Unsure = false;

private:
  std::vector<BorrowFact> &Out;
  std::set<const Stmt *> Told;
};

/// What a run says of an operation that may return what it is called on.
struct Sharing {
  bool Self = false; ///< it may
  bool New = false;  ///< it may make a tensor of its own
  bool Seen = false; ///< the run came by, and knows
};
Sharing sharing(const RunResult &Run, const Stmt &S);
/// Whether the result is another tensor object than self, whosever elements it
/// has.
bool isNewObject(const Stmt &S);

/// Follow the loans of a kind that a function takes: of tensors, which their
/// handles own; of a variable's memory, which L.Maker borrows; of memory that
/// from_blob() is given, or a copy that goes on after its call.
void followTensors(const FlowInfo &Flow, const RunResult &Run,
                   std::vector<BorrowFact> &Out);
void followMemory(const FlowInfo &Flow, const RunResult &Run, const Loan &L,
                  std::vector<BorrowFact> &Out);
void followBlobs(const FlowInfo &Flow, const RunResult &Run,
                 std::vector<BorrowFact> &Out);
void followCopies(const FlowInfo &Flow, std::vector<BorrowFact> &Out);

} // namespace tensortidy::analysis::borrow

#endif
