//===- TensorLoan.cpp - what handles of a tensor own ----------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each handle of a tensor owns its elements, and its sizes if it is no view. A
// statement that makes a tensor is followed by itself, and so is a parameter
// whose memory is moved.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Borrow/Elements.h"

namespace tensortidy::analysis::borrow {

namespace {

/// Makes a tensor whose memory, or sizes, nobody else holds.
bool makesTensor(const Stmt &S, Loan::Kind K) {
  if (!S.Result || isGgml(S.O))
    return false;
  switch (opClass(S.O)) {
  case OpClass::Copy:
  case OpClass::Compute:
    return true;
  case OpClass::MaybeCopy:
    return S.O != Op::OtherMaybeCopy &&
           S.O != Op::SameSizes; // perhaps somebody's: grad()
  case OpClass::Factory:
    return S.O != Op::FromBlob || K == Loan::Metadata;
  case OpClass::View:
    return K == Loan::Metadata && S.O != Op::SelfHandle && S.O != Op::OtherView;
  default:
    return false;
  }
}

/// Changes the number of a tensor's dimensions, or its memory; with \p
/// Metadata, what its sizes are kept in, too.
bool movesMemory(const Stmt &S, bool Metadata) {
  if (S.O == Op::Resize || S.is(Attribute::MovesMemory))
    return true;
  return Metadata && (S.O == Op::SqueezeInPlace || S.O == Op::UnsqueezeInPlace);
}

/// Reads nothing through a pointer.
bool onlyCompares(const Stmt &S) {
  return S.O == Op::Cast || S.O == Op::Compare || S.O == Op::Minus ||
         S.O == Op::Assign || S.O == Op::ListSize ||
         opClass(S.O) == OpClass::Condition ||
         opClass(S.O) == OpClass::Integer || S.O == Op::Assume;
}

/// A tensor made of a pointer borrows what that points to, and so do its views.
bool borrowsOn(const Stmt &S) {
  return (S.O == Op::FromBlob && !findArg(S, "deleter")) ||
         (opClass(S.O) == OpClass::View && S.O != Op::SelfHandle);
}

/// The result holds the operand, or points where it does.
bool handsOn(const Stmt &S) {
  return S.Derives || S.O == Op::Phi || S.O == Op::List || S.O == Op::Temporary;
}

class TensorLoan : public LoanAnalysis {
public:
  TensorLoan(const FlowInfo &Flow, const RunResult &Run, const Loan &L,
             const Elements &Which, std::vector<BorrowFact> &Out)
      : LoanAnalysis(Flow, Run, L, Out), Which(Which) {}

  bool matters(const LoanState &S) const override {
    return S.alive() || !S.Borrowers.empty() || !S.BorrowerValues.empty();
  }
  /// A container that its statement makes and uses.
  bool isTemporary() const { return L.Of == Loan::Braces && L.Maker->Derives; }

private:
  bool isStorage() const { return L.Of != Loan::Metadata; }
  bool isDead(const LoanState &S) const { return S.Invalidates || !S.alive(); }

  /// Parameters, locals and temporaries of calls go with the call.
  template <class Fn> void endCalls(LoanState &S, Fn &&Ended) const {
    eraseIf(S.Owners, [&](VarId Owner) {
      const Variable &V = F.Vars[Owner];
      return V.Context && !V.IsMember && !V.IsStatic && Ended(V.Context);
    });
    eraseIf(S.OwnerValues, [&](ValueId V) {
      const Stmt *D = Values.Def[V];
      return D && D->Context && Ended(D->Context);
    });
  }

  void begin(LoanState &S, const Stmt &At) override {
    if (At.O != Op::Load || !F.Vars[At.Var].IsResult)
      endCalls(S, [&](uint32_t Context) {
        return !isWithin(F, At.Context, Context);
      });
  }

  bool load(LoanState &S, const Stmt &At) override {
    if (!F.Vars[At.Var].IsResult) {
      loadBorrow(S, At);
      return true;
    }
    takeResult(S, At);
    // What dies in the callee is found where the callee stands for itself.
    return S.alive() || S.BorrowerValues.empty() || !L.Maker ||
           !L.Maker->Context;
  }

  /// A followed call is over and its result is read.
  void takeResult(LoanState &S, const Stmt &At) const {
    const uint32_t Call = F.Vars[At.Var].Context;
    const bool Returns = S.Owners.count(At.Var);
    endCalls(S, [&](uint32_t Context) { return isWithin(F, Context, Call); });
    S.OwnerValues.erase(At.Result);
    S.BorrowerValues.erase(At.Result);
    if (Returns)
      S.OwnerValues.insert(At.Result);
    if (auto It = S.Borrowers.find(At.Var); It != S.Borrowers.end()) {
      S.BorrowerValues[At.Result] = It->second;
      S.Borrowers.erase(It);
    }
  }

  /// Pointer \p V, that owned the tensor, goes or is set to another.
  void drop(LoanState &S, VarId V) const {
    S.Immortal = S.Immortal || (S.OnHeap && F.Vars[V].Borrows);
  }

  bool store(LoanState &S, const Stmt &At) override {
    const VarId V = At.Var;
    const ValueId From = At.Args.empty() ? 0 : At.Args[0].Value;
    const bool Owns = From && S.OwnerValues.count(From);
    const std::string Slot = Owns ? Which.slotIn(S, From) : "";
    bool Held = S.Owners.erase(V);
    if (Held && !Owns)
      drop(S, V);
    if (!Owns && ownsPointee(S, V)) // *p = t
      Held = S.Owners.erase(F.Vars[V].Base);
    S.Slots.erase(V);
    S.LastIn.erase(V);
    if (!Slot.empty())
      S.Slots[V] = Slot;
    // What a reference refers to holds it longer than the reference.
    S.Immortal = S.Immortal ||
                 (Owns && F.Vars[V].IsReference && !At.Binds && !outlives(V));
    if (Owns) {
      S.Owners.insert(V);
      S.Expires = nullptr;
      S.OnHeap = S.OnHeap || Values.Def[From]->O == Op::New;
    }
    if (From && Which.isLast(S, From))
      S.LastIn.insert(V);
    anyWhole(V, [&](VarId Whole) {
      S.Borrowers.erase(Whole);
      return false;
    });
    lend(S, V, From);
    if (Held && S.Owners.empty())
      S.Expires = &At; // a temporary may hold it to the end of the statement
    return true;
  }

  void endScope(LoanState &S, const Stmt &At) override {
    S.Slots.erase(At.Var);
    if (!S.Owners.count(At.Var))
      return;
    drop(S, At.Var);
    S.release(At.Var, At);
  }

  bool endStatement(LoanState &S, const Stmt &At) override {
    if (isTemporary() && isWithin(F, L.Maker->Context, At.Context))
      S.Immortal = false;
    eraseIf(S.OwnerValues, [&](ValueId V) {
      const Stmt *D = Values.Def[V];
      return D && isWithin(F, D->Context, At.Context);
    });
    return true;
  }

  /// The function returns: what is local dies.
  void leave(LoanState &S, const Stmt &At) override {
    S.Immortal = S.Immortal && !isTemporary();
    const bool Alive = S.Immortal || llvm::any_of(S.Owners, [&](VarId V) {
                         return outlives(V);
                       });
    Unsure = Unsure || Alive;
    if (S.Immortal || (Alive && !S.Invalidates))
      return;
    for (const Arg &A : At.Args) {
      if (S.OwnerValues.count(A.Value)) {
        Unsure = true;
        return; // the caller gets it
      }
      const Stmt *Borrow = borrow(S, A.Value);
      if (Borrow &&
          (F.ReturnsBorrowed || F.ReturnsTensor || F.Returns == VarType::Int))
        tell(fact(S, S.Invalidates ? BorrowFact::Used : BorrowFact::Returned,
                  Borrow, At));
    }
    keep(S, At);
    if (S.Detached)
      Deferred.push_back(fact(S, BorrowFact::Kept, S.Detached, At));
  }

  /// Whether \p At can change the tensor behind a pointer: not if that is the
  /// function's own, and nobody was given it.
  bool mayReach(const Arg &A, const Stmt &At) const {
    const Variable &Pointer = F.Vars[F.Vars[A.Var].Base];
    return At.O != Op::MayChange &&
           (A.Value || Pointer.Borrows || Pointer.IsMember || Pointer.IsParam ||
            Pointer.IsStatic || Pointer.IsCaptured || Pointer.IsReference);
  }

  /// Whether \p V is a pointer to the tensor, which others may copy.
  bool isPointerTo(ValueId V) const {
    const Stmt *D = V ? Values.Def[V] : nullptr;
    return D &&
           (D->isOpaque()
                ? D->O == Op::AddressOf || D->is(Attribute::GivesPointer)
                : D->O == Op::Load && F.Vars[D->Var].Type == VarType::Other);
  }

  void deleteOwner(LoanState &S, const Stmt &At) const {
    eraseIf(S.Owners, [&](VarId V) { return F.Vars[V].Borrows; });
    S.OwnerValues.clear();
    S.OnHeap = false;
    if (S.Owners.empty())
      S.Expires = &At;
  }

  /// A thread may be waited for by other means than join(): by a call made for
  /// it, or by one that reads what the thread writes.
  void watchThread(LoanState &S, const Stmt &At) const {
    if (!At.is(Attribute::Detaches)) {
      S.Detached = At.is(Attribute::Waits) ? nullptr : S.Detached;
      return;
    }
    for (const Arg &A : At.Args) {
      if (const Stmt *Borrow = borrow(S, A.Value))
        S.Detached = Borrow;
      if (auto It = S.Borrowers.find(A.Var); It != S.Borrowers.end())
        S.Detached = It->second;
    }
  }

  /// A container of the library's that keeps what it is given.
  const Arg *container(const Stmt &At) const {
    for (const Arg &A : At.Args)
      if (A.Var != NoId && A.R == Role::Write && F.Vars[A.Var].IsContainer &&
          (At.O == Op::Assign ||
           (&A == At.Args.begin() && changesContainer(At))) &&
          !F.Vars[A.Var].IsCaptured)
        return &A;
    return nullptr;
  }

  /// Whether the tensor stays in the list or container \p A, or is followed
  /// where \p At takes it out.
  bool staysInside(LoanState &S, const Block &B, const Stmt &At,
                   const Arg &A) const {
    if (F.Vars[A.Var].Type == VarType::List) {
      // Where v.erase() is to begin, known by the index that stands for it.
      if (&A == At.Args.begin() && isIterator(At) && At.Result &&
          Which.erases(B, At, A.Var))
        return true;
      const Stmt *Change = Which.changeBefore(B, At, A.Var);
      return Change && (!S.Vague || S.OwnerValues.count(Change->Result));
    }
    if (!F.Vars[A.Var].IsContainer)
      return false;
    const std::optional<bool> Lets = Which.letsGo(S, At, A);
    if (Lets && *Lets)
      S.release(A.Var, At);
    return !Lets || *Lets;
  }

  /// Whether \p At may keep the tensor, or a handle of it, where that is not
  /// seen.
  bool escapes(const LoanState &S, const Stmt &At, const Arg &A) const {
    const bool Held = A.Value && S.OwnerValues.count(A.Value);
    return (Held && A.R != Role::Read) ||
           (A.Var != NoId && A.R == Role::Write &&
            (owns(S, A.Var) || (ownsPointee(S, A.Var) && mayReach(A, At)))) ||
           (Held && At.Reaches >= Reach::Pointees && isPointerTo(A.Value));
  }

  /// False when the tensor need not be followed further on this path.
  bool call(LoanState &S, const Block &B, const Stmt &At) {
    if (At.O == Op::Delete && !At.Args.empty() &&
        S.OwnerValues.count(At.Args[0].Value)) {
      deleteOwner(S, At);
      return true;
    }
    watchThread(S, At);
    const Arg *Into = container(At);
    const Stmt *Borrow = nullptr;
    bool Keeps = false;
    // What is stored next is the empty list, or the longer one.
    const bool Clears =
        Which.addsToList(At) || (At.is(Attribute::Clears) && !At.Args.empty() &&
                                 At.Args[0].Var != NoId &&
                                 F.Vars[At.Args[0].Var].Type == VarType::List);
    for (const Arg &A : At.Args) {
      const bool Held = A.Value && S.OwnerValues.count(A.Value);
      const bool Holds = A.Var != NoId && S.Owners.count(A.Var);
      // It may be kept, or assigned.
      if (Clears && (A.R == Role::Keep || Holds))
        continue;
      if (Holds && Which.takesLast(S, At)) {
        S.release(A.Var, At);
        return true;
      }
      if (Holds && A.R == Role::Write && staysInside(S, B, At, A))
        continue;
      if (Held && A.R == Role::Keep && (Into || Which.keepsInList(B, At))) {
        Keeps = true;
        continue;
      }
      if (escapes(S, At, A)) {
        Unsure = true;
        return false;
      }
      if (const Stmt *Of = borrow(S, A.Value))
        Borrow = Of;
    }
    fill(S, At, Keeps ? Into : nullptr, Borrow);
    return true;
  }

  /// What containers have after \p At: the tensor, if that goes \p Into one,
  /// and \p Borrow.
  void fill(LoanState &S, const Stmt &At, const Arg *Into,
            const Stmt *Borrow) const {
    if (Into) {
      const bool Twice = !S.Owners.insert(Into->Var).second;
      S.Slots[Into->Var] = Twice ? "" : Which.keyOfNew(At);
      S.Expires = nullptr;
    }
    const bool Changes = changesContainer(At);
    for (const Arg &A : At.Args) {
      if (A.Var == NoId || A.R != Role::Write || (At.Derives && !Changes))
        continue;
      if (!Changes || assigns(At))
        S.Borrowers.erase(A.Var);
      if (Changes && Borrow && F.Vars[A.Var].Borrows)
        S.Borrowers[A.Var] = Borrow;
    }
  }

  /// Whether the result is the tensor the operation is called on, or may be.
  bool sharesSelf(const Stmt &At) const {
    switch (opClass(At.O)) {
    case OpClass::InPlaceMeta:
    case OpClass::InPlaceData:
      return true;
    case OpClass::View:
      return isStorage() || At.O == Op::SelfHandle;
    case OpClass::MaybeCopy:
      return (isStorage() || !isNewObject(At)) && sharing(Run, At).Self;
    default:
      return false;
    }
  }

  /// What operand \p A of \p At borrows: by itself, or as a container of
  /// pointers, or an accessor, that is read or handed on.
  const Stmt *usedBy(const LoanState &S, const Arg &A, const Stmt &At) const {
    if (const Stmt *Borrow = borrow(S, A.Value))
      return Borrow;
    if (A.Var == NoId || A.R != Role::Write || changesContainer(At) ||
        !(At.Derives || At.is(Attribute::Subscript) ||
          F.Vars[A.Var].Type == VarType::List))
      return nullptr;
    auto It = S.Borrowers.find(A.Var);
    return It == S.Borrowers.end() ? nullptr : It->second;
  }

  /// Whether \p At uses what borrows from a loan that has expired.
  bool usesDead(const LoanState &S, const Stmt &At) {
    if (!isDead(S) || handsOn(At) || onlyCompares(At) || changesContainer(At) ||
        (isStorage() && borrowsOn(At)))
      return false;
    const bool Later = S.Invalidates || S.Expires;
    for (const Arg &A : At.Args)
      if (const Stmt *Borrow = usedBy(S, A, At)) {
        tell(fact(S, Later ? BorrowFact::Used : BorrowFact::Temporary, Borrow,
                  At));
        return true;
      }
    return false;
  }

  /// Whether the result of \p At owns the tensor because its operand \p A does.
  /// \p Owner: it does so already.
  bool isOwner(LoanState &S, const Stmt &At, const Arg &A, bool Owner) const {
    if (Owner || !A.Value || !S.OwnerValues.count(A.Value))
      return Owner;
    switch (At.O) {
    case Op::ListGet:
      return Which.isElement(S, At, A);
    case Op::ListSet:
    case Op::ListErase:
      if (&A == At.Args.begin())
        return Which.staysIn(S, At, A.Value);
      return At.O == Op::ListSet;
    case Op::ListOf: // resize()
      return Which.staysIn(S, At, A.Value);
    case Op::ListCopy:
    case Op::ListInsert:
      return true;
    default:
      break;
    }
    const bool Self = A.Name == "self" || A.Name == "out";
    return handsOn(At) || (Self && sharesSelf(At)) ||
           (At.isOpaque() && !At.IsScalar &&
            !(A.Var != NoId && F.Vars[A.Var].IsContainer));
  }

  /// Whether \p At, called on an owner, gives something that borrows.
  bool lends(const Stmt &At) const {
    if (At.O == Op::Accessor)
      return isStorage() != At.is(Attribute::BorrowsSizes);
    return isStorage() ? At.O == Op::DataPtr
                       : At.O == Op::Sizes || At.O == Op::Strides;
  }

  /// \p At moves the memory of an owner. False when the tensor need not be
  /// followed further.
  bool invalidates(LoanState &S, const Stmt &At) const {
    if (isStorage() && At.O == Op::Resize) {
      auto Site = Run.SelfSites.find(&At);
      if (Site != Run.SelfSites.end() && !Site->second.Other)
        return true; // it never grows
    }
    // Which of several handles of one tensor it moves is not followed.
    if (S.Owners.size() > 1)
      return false;
    if (!S.Borrowers.empty() || !S.BorrowerValues.empty())
      S.Invalidates = &At;
    return true;
  }

  /// What the result has to do with the tensor. \p Owner: it is known to be the
  /// tensor.
  bool result(LoanState &S, const Stmt &At, bool Owner) const {
    const Stmt *Borrow = nullptr;
    for (const Arg &A : At.Args) {
      Owner = isOwner(S, At, A, Owner);
      const bool Called = A.Value && S.OwnerValues.count(A.Value) &&
                          (A.Name == "self" || A.Name == "out");
      if (Called && !S.Invalidates && lends(At))
        Borrow = &At;
      if (handsOn(At) || (isStorage() && borrowsOn(At) &&
                          (A.Name == "self" || A.Name == "data")))
        if (const Stmt *Of = usedBy(S, A, At))
          Borrow = Of;
      if (Called && movesMemory(At, !isStorage()) && !invalidates(S, At))
        return false;
    }
    if (!At.Result)
      return true;
    S.OwnerValues.erase(At.Result);
    S.BorrowerValues.erase(At.Result);
    if (&At == L.Maker) // in a loop: another tensor, followed by its own state
      return true;
    if (Owner)
      S.OwnerValues.insert(At.Result);
    if (Borrow)
      S.BorrowerValues[At.Result] = Borrow;
    return true;
  }

  bool other(LoanState &S, const Block &B, const Stmt &At) override {
    if (usesDead(S, At))
      return false;
    // Which element an operation reads depends on what is in it before.
    bool Owner = false;
    if (At.isOpaque() && !At.Args.empty() && readsElement(At))
      if (const Arg &A = At.Args[0];
          A.Var != NoId && F.Vars[A.Var].IsContainer && S.Owners.count(A.Var))
        Owner = Which.isElement(S, At, A);
    return (!At.isOpaque() || call(S, B, At)) && result(S, At, Owner);
  }

  const Elements &Which;
};

/// The tensors of one function.
class Tensors {
public:
  Tensors(const FlowInfo &Flow, const RunResult &Run,
          std::vector<BorrowFact> &Out)
      : Flow(Flow), F(Flow.F), Run(Run), Which(Flow), Out(Out) {}

  /// \p Points, \p Metadata: there are pointers to elements, or to sizes.
  void run(bool Points, bool Metadata) {
    std::set<VarId> Changed; // the caller's, whose memory is moved
    forEachStmt(F, [&](BlockId, const Stmt &S) {
      if (S.O == Op::Temporary && !S.Keeps)
        follow(Loan::Braces, &S, NoId);
      if (Points && makesTensor(S, Loan::Elements))
        follow(Loan::Elements, &S, NoId);
      if (Metadata && makesTensor(S, Loan::Metadata))
        follow(Loan::Metadata, &S, NoId);
      const Arg *A = findArg(S, "self");
      const VarId V =
          A && movesMemory(S, true) ? Flow.Values.loaded(A->Value) : NoId;
      if (V != NoId && (F.Vars[V].IsParam || F.Vars[V].IsMember))
        Changed.insert(V);
    });
    for (VarId V : Changed) {
      if (Points)
        follow(Loan::Elements, nullptr, V);
      if (Metadata)
        follow(Loan::Metadata, nullptr, V);
    }
  }

private:
  void follow(Loan::Kind K, const Stmt *Maker, VarId Owner) {
    Loan L{K, Maker, {Owner}};
    if (Maker && opClass(Maker->O) == OpClass::MaybeCopy &&
        !(K == Loan::Metadata && isNewObject(*Maker))) {
      const Sharing Does = sharing(Run, *Maker);
      if (!Does.New)
        return;
      L.Conditional = Does.Self;
    }
    TensorLoan One(Flow, Run, L, Which, Out);
    LoanState S;
    S.Immortal = !Maker || One.isTemporary();
    if (!Maker) {
      S.Owners.insert(Owner);
      One.run(std::move(S), F.Entry, 0);
      return;
    }
    if (K == Loan::Braces)
      S.BorrowerValues[Maker->Result] = Maker;
    else
      S.OwnerValues.insert(Maker->Result);
    const BlockId B = Flow.Values.blockOf(*Maker);
    One.run(std::move(S), B,
            static_cast<size_t>(Maker - F.Blocks[B].Stmts.data()) + 1);
  }

  const FlowInfo &Flow;
  const Function &F;
  const RunResult &Run;
  const Elements Which;
  std::vector<BorrowFact> &Out;
};

} // namespace

void followTensors(const FlowInfo &Flow, const RunResult &Run,
                   std::vector<BorrowFact> &Out) {
  bool Points = false, Metadata = false, Braces = false;
  forEachStmt(Flow.F, [&](BlockId, const Stmt &S) {
    Points |= S.O == Op::DataPtr || S.O == Op::Accessor;
    Metadata |= S.O == Op::Sizes || S.O == Op::Strides || S.O == Op::Accessor;
    Braces |= S.O == Op::Temporary && !S.Keeps;
  });
  if (Points || Metadata || Braces)
    Tensors(Flow, Run, Out).run(Points, Metadata);
}

} // namespace tensortidy::analysis::borrow
