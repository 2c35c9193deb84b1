//===- MemoryLoan.cpp - what a variable owns --------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// from_blob() borrows the memory of an array, a vector, an image, or of what a
// pointer points to: the tensor, its views and what calls return that make no
// copy are followed until that ends.
//
//   %2 = opaque "data" write $buf       where the pointer comes from
//   %5 = from_blob data=%2 sizes=%4     borrowers {%5}, owner $buf
//   %6 = contiguous self=%5             proved to be %5: borrowers {%5, %6}
//   return %6                           a fact: $buf is a local
//
// A view of a local vector (`IntArrayRef r = sizes;`) borrows in the same way.
// When the vector is moved or swapped its memory has another owner.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Borrow/Loans.h"

namespace tensortidy::analysis::borrow {

namespace {

/// Methods that move a container's memory when it grows.
bool growsMemory(const Stmt &S) { return S.is(Attribute::MovesElements); }

/// Functions and operators that give back what a pointer points to.
bool freesMemory(const Stmt &S) {
  return S.O == Op::Delete || S.calls(Attribute::Frees);
}

class MemoryLoan : public LoanAnalysis {
public:
  MemoryLoan(const FlowInfo &Flow, const RunResult &Run, const Loan &L,
             std::vector<BorrowFact> &Out)
      : LoanAnalysis(Flow, Run, L, Out) {
    forEachStmt(F, [&](BlockId, const Stmt &S) {
      if (S.is(Attribute::Reserves))
        for (const Arg &A : S.Args) {
          const VarId Loaded = Values.loaded(A.Value);
          Reserved |= (Loaded != NoId ? Loaded : A.Var) == L.Owner.Var;
        }
    });
  }

  bool matters(const LoanState &S) const override {
    return !S.BorrowerValues.empty() || !S.Borrowers.empty() ||
           !S.Containers.empty();
  }

private:
  /// `IntArrayRef r = v;`, not from_blob().
  bool isView() const { return L.Of == Loan::List; }
  bool isPointee() const { return L.Owner.How == MemoryOwner::Pointee; }
  bool isOwn() const { return L.Owner.How == MemoryOwner::Own; }
  /// The owner, on its way to another variable.
  bool isMoved(const LoanState &S, ValueId V) const {
    return S.Owners.empty() && V && S.OwnerValues.count(V);
  }
  bool isMemory(const LoanState &S, const Arg &A) const {
    const VarId V = Values.loaded(A.Value);
    return isMoved(S, A.Value) || (V != NoId && owns(S, V));
  }

  /// Whether the result is the tensor it is called on, or a view of it, for
  /// certain.
  bool isSelf(const Stmt &At) const {
    switch (opClass(At.O)) {
    case OpClass::InPlaceMeta:
    case OpClass::InPlaceData:
    case OpClass::View:
      return true;
    case OpClass::MaybeCopy: {
      const Sharing Does = sharing(Run, At);
      return (Does.Seen && !Does.New) || (At.O == Op::To && staysOnCpu(At));
    }
    default:
      return false;
    }
  }

  bool isCpu(ValueId V) const {
    const Stmt *D = Values.def(V);
    if (D && D->O == Op::Load) { // torch::Device device(torch::kCPU);
      const Variable &Var = F.Vars[D->Var];
      D = Var.IsMember || Var.IsParam ? nullptr
                                      : Values.def(Values.onlyStored(D->Var));
    }
    return D && D->O == Op::Const && D->Text == "cpu";
  }

  /// `to(torch::kCPU)` of what is on the CPU already.
  bool staysOnCpu(const Stmt &At) const {
    bool ToCpu = false;
    for (const Arg &A : At.Args) {
      const Stmt *D = Values.def(A.Value);
      const bool IsOptions = A.Name == "options" && D &&
                             D->O == Op::OptionsOp && D->Args.size() == 1 &&
                             D->Args[0].Name == "device";
      if (A.Name == "device" || IsOptions)
        ToCpu = isCpu(IsOptions ? D->Args[0].Value : A.Value);
      else if (A.Name != "self" && A.Name != "non_blocking")
        return false;
    }
    // Options may say where the memory is.
    return ToCpu && !findArg(*L.Maker, "target_device") &&
           !setsDevice(findArg(*L.Maker, "options"));
  }

  /// Whether options name a device, or are not seen to name none.
  bool setsDevice(const Arg *Options) const {
    if (!Options)
      return false;
    const Stmt *D = Values.def(Options->Value);
    if (!D || D->O != Op::OptionsOp)
      return true;
    return llvm::any_of(D->Args, [&](const Arg &A) {
      return A.Name == "device" || (A.Name == "self" && setsDevice(&A));
    });
  }

  /// What \p At does to the owner as its operand \p A. False when the memory
  /// may have moved on, or may live longer than we see.
  bool touchesOwner(LoanState &S, const Stmt &At, const Arg &A) const {
    const bool Own = (A.Var != NoId && owns(S, A.Var)) || isMemory(S, A);
    if (!Own)
      return true;
    if (isPointee()) {
      if (freesMemory(At))
        S.Invalidates = &At;
      return true;
    }
    // The object of the call, and not what is moved into another.
    const bool IsObject =
        A.R == Role::Write && &A == At.Args.begin() && isOwn();
    if (IsObject && ((L.Owner.IsPointer && At.is(Attribute::Releases)) ||
                     (growsMemory(At) && !Reserved))) {
      S.Invalidates = &At;
      return true;
    }
    return A.R == Role::Read ||
           (A.Var != NoId && !isMemory(S, A) && leavesMemory(At));
  }

  /// False when the memory may have moved on, or may live longer than we see.
  bool call(LoanState &S, const Stmt &At) {
    const bool Fills = fillsContainer(At);
    bool Keeps = false;
    for (const Arg &A : At.Args) {
      // An image that is written may keep its memory, where the sizes allow.
      if ((L.Owner.IsImage && A.R == Role::Write && A.Var != NoId &&
           owns(S, A.Var)) ||
          !touchesOwner(S, At, A))
        return false;
      Keeps |= A.R == Role::Keep && borrow(S, A.Value);
    }
    for (const Arg &A : At.Args) {
      if (A.Var == NoId || A.R != Role::Write || owns(S, A.Var))
        continue;
      // What a list of tensors becomes is stored next.
      if (S.Borrowers.count(A.Var) && !Fills) {
        Unsure = true;
        return false;
      }
      if (Keeps && (Fills || At.O == Op::Assign))
        S.Containers.insert(A.Var);
      else if (!Fills && !leavesMemory(At))
        S.Containers.erase(A.Var);
    }
    return true;
  }

  /// `w = std::move(v)` and std::swap(v, w): nothing when \p At is none of
  /// them; false when who owns the memory then may live longer than we see.
  std::optional<bool> handsOver(LoanState &S, const Stmt &At) const {
    const ValueId From = At.Args.empty() ? 0 : At.Args[0].Value;
    const bool IsOwner = S.Owners.count(At.Var);
    if (IsOwner && At.Moves) {
      S.Owners.clear();
      return true;
    }
    if ((S.Owners.empty() || At.Swaps) && From && S.OwnerValues.count(From)) {
      const Variable &To = F.Vars[At.Var];
      S.Owners = {At.Var};
      S.OwnerValues.clear();
      return To.Type == VarType::List && !To.IsReference && !To.Borrows &&
             !outlives(At.Var) && !To.IsCaptured;
    }
    if (At.Swaps && IsOwner)
      return true; // the other half says where it goes
    return std::nullopt;
  }

  bool store(LoanState &S, const Stmt &At) override {
    const Arg *From = At.Args.empty() ? nullptr : &At.Args[0];
    if (isOwn() && !L.Owner.IsPointer)
      if (const auto Goes = handsOver(S, At))
        return *Goes;
    if (isOwn() && From && S.Owners.count(At.Var)) {
      const Stmt *New = Values.def(From->Value);
      const bool Grows = New && New->O == Op::ListInsert;
      if (New && (New->O == Op::ListSet || New->O == Op::ListErase))
        return true;
      if (!Reserved)
        S.Invalidates = S.Invalidates && Grows ? S.Invalidates : &At;
      return Grows || !Reserved;
    }
    // It points elsewhere, is declared again, or something else holds it.
    if (owns(S, At.Var) || (From && !isPointee() && isMemory(S, *From)))
      return false;
    lend(S, At.Var, From ? From->Value : 0);
    return true;
  }

  /// The function returns.
  void leave(LoanState &S, const Stmt &At) override {
    if (llvm::any_of(At.Args, [&](const Arg &A) { return isMemory(S, A); }) ||
        (isPointee() && !S.Invalidates))
      return;
    for (const Arg &A : At.Args) {
      const VarId V = Values.loaded(A.Value);
      if (borrow(S, A.Value) ||
          (!isPointee() && V != NoId && S.Containers.count(V)))
        Deferred.push_back(fact(S, BorrowFact::Returned, L.Maker, At));
    }
    if (!isPointee())
      keep(S, At);
  }

  /// Whether the result of \p At borrows because its operand \p A does.
  bool takes(const Stmt &At, const Arg &A) const {
    if (opClass(At.O) == OpClass::Structure)
      return At.O != Op::ListSize &&
             !(isView() && (At.O == Op::ListGet || At.O == Op::ListCopy));
    if (At.isOpaque())
      return At.Derives || At.O == Op::Closure || At.O == Op::FunctionRef ||
             At.O == Op::Aggregate || At.is(Attribute::MakesObject);
    return (A.Name == "self" || A.Name == "out") && isSelf(At);
  }

  /// What \p At does with what borrows. False after a use that is too late.
  bool use(LoanState &S, const Stmt &At) {
    const bool Uses = opClass(At.O) != OpClass::Structure ||
                      (isView() && At.O == Op::ListGet);
    bool Takes = false;
    for (const Arg &A : At.Args) {
      if (!borrow(S, A.Value))
        continue;
      if ((S.Expires || S.Invalidates) && Uses && &At != S.Invalidates) {
        tell(fact(S, BorrowFact::Used, L.Maker, At));
        return false;
      }
      const bool TakesThis = takes(At, A);
      if (TakesThis && opClass(At.O) == OpClass::MaybeCopy)
        S.NoCopy = &At;
      Takes |= TakesThis;
    }
    if (At.Result)
      S.BorrowerValues.erase(At.Result);
    if (At.Result && Takes)
      S.BorrowerValues[At.Result] = L.Maker;
    return true;
  }

  bool load(LoanState &S, const Stmt &At) override {
    loadBorrow(S, At);
    return true;
  }

  bool endStatement(LoanState &S, const Stmt &) override {
    return !S.Owners.empty(); // moved to a temporary
  }

  void endScope(LoanState &S, const Stmt &At) override {
    if (S.Owners.count(At.Var) && !isPointee())
      S.Expires = &At;
  }

  bool other(LoanState &S, const Block &, const Stmt &At) override {
    const bool Holds = At.O == Op::List || At.O == Op::Phi;
    for (const Arg &A : At.Args)
      if ((Holds && !isPointee() && isMemory(S, A)) || isMoved(S, A.Value))
        return false; // somebody else has it
    if (&At == L.Maker) {
      S.BorrowerValues[At.Result] = &At;
      S.Expires = S.Invalidates = nullptr;
      return true;
    }
    return (!At.isOpaque() || call(S, At)) && use(S, At);
  }

  bool Reserved = false; ///< somebody saw to it that it does not grow
};

} // namespace

void followMemory(const FlowInfo &Flow, const RunResult &Run, const Loan &L,
                  std::vector<BorrowFact> &Out) {
  LoanState S;
  S.Owners.insert(L.Owner.Var);
  const BlockId B = Flow.Values.blockOf(*L.Maker);
  MemoryLoan(Flow, Run, L, Out)
      .run(std::move(S), B,
           static_cast<size_t>(L.Maker - Flow.F.Blocks[B].Stmts.data()));
}

} // namespace tensortidy::analysis::borrow
