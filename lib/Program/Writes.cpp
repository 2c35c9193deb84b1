//===- Writes.cpp - what else a write changes -----------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program/Writes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace tensortidy::program {

namespace {

class Writes {
public:
  explicit Writes(Function &F) : F(F) {}

  void run() {
    sort();
    for (Block &B : F.Blocks)
      complete(B);
  }

private:
  using Set = llvm::SmallSetVector<VarId, 8>;

  /// The variable that \p V is a part of; NoId for none that is named.
  VarId whole(VarId V) const {
    const VarId B = F.Vars[V].Base;
    return B == ThisBase ? NoId : B;
  }

  VarId root(VarId V) const {
    while (whole(V) != NoId)
      V = whole(V);
    return V;
  }

  /// A reference whose referent nobody knows, and which may write it.
  bool isUnknownReference(VarId V) const {
    const Variable &Var = F.Vars[V];
    return Var.IsReference && !Var.IsConst && !Var.IsParam && !Var.IsMember &&
           Var.Refers.empty();
  }

  /// Whether \p V stands for an object somewhere else.
  bool isIndirect(VarId V) const {
    const Variable &Var = F.Vars[V];
    return Var.IsPointee || isUnknownReference(V) ||
           (Var.IsReference && Var.Base != NoId);
  }

  bool isField(VarId V) const {
    return F.Vars[V].Base != NoId && !F.Vars[V].IsPointee && F.Vars[V].Identity;
  }

  void sort() {
    const auto Size = static_cast<VarId>(F.Vars.size());
    Parts.resize(Size);
    RefersTo.resize(Size);
    Through.resize(Size);
    Outside.resize(Size);
    Known.resize(Size);
    for (VarId V = 0; V < Size; ++V) {
      const Variable &Var = F.Vars[V];
      Through[V] = isIndirect(V);
      for (VarId B = whole(V); B != NoId; B = whole(B)) {
        Parts[B].push_back(V);
        Through[V] = Through[V] || isIndirect(B);
      }
      for (VarId Of : Var.Refers)
        RefersTo[Of].push_back(V);
      const Variable &Root = F.Vars[root(V)];
      Outside[V] = Through[V] || Root.IsCaptured || Root.IsMember ||
                   (Root.IsReference && Root.IsParam && !Root.IsConst);
      if (Var.IsMember && whole(V) == NoId && !Var.IsConst)
        Outlives.push_back(V);
      if (Through[V])
        Reached.push_back(V);
      if (!Outside[V])
        continue;
      if (isField(V))
        SameField[Var.Identity].push_back(V);
      if (Var.Type == VarType::Tensor || Var.Type == VarType::List) {
        Typed.push_back(V);
        if (isIndirect(V))
          Pointed.push_back(V);
      }
      if (isField(V) || Var.IsPointee)
        Objects.push_back(V);
    }
    forEachStmt(F, [&](BlockId, const Stmt &S) {
      if (S.O == Op::Load)
        LoadOf[S.Result] = S.Var;
    });
  }

  /// What may be the same object as \p V.
  void addAliases(VarId V, Set &To) const {
    if (!Outside[V])
      return;
    const Variable &Var = F.Vars[V];
    auto Add = [&](VarId W) {
      if (W == V)
        return;
      To.insert(W);
      To.insert(Parts[W].begin(), Parts[W].end());
    };
    if (isField(V))
      if (auto It = SameField.find(Var.Identity); It != SameField.end())
        for (VarId W : It->second)
          if (Through[V] || Through[W])
            Add(W);
    const bool Direct = isIndirect(V);
    if (Var.Type == VarType::Tensor || Var.Type == VarType::List)
      for (VarId W : Direct ? Typed : Pointed)
        Add(W); // a tensor may be an element of a list
    if (Direct && Var.Type == VarType::Other)
      for (VarId W : Objects)
        if (!Var.Class || !F.Vars[W].Class || Var.Class == F.Vars[W].Class)
          Add(W);
  }

  /// What changes when \p V does.
  llvm::ArrayRef<VarId> changedWith(VarId V) {
    if (Known[V])
      return Known[V]->getArrayRef();
    Set All;
    All.insert(V);
    All.insert(Parts[V].begin(), Parts[V].end());
    for (VarId X : Set(All))
      addAliases(X, All);
    // References, and what they may refer to.
    for (size_t I = 0; I < All.size(); ++I)
      for (VarId B = All[I]; B != NoId; B = whole(B)) {
        for (llvm::ArrayRef<VarId> Names :
             {llvm::ArrayRef<VarId>(F.Vars[B].Refers),
              llvm::ArrayRef<VarId>(RefersTo[B])})
          for (VarId W : Names) {
            All.insert(W);
            All.insert(Parts[W].begin(), Parts[W].end());
          }
      }
    All.remove(V);
    Known[V] = std::make_unique<Set>(std::move(All));
    return Known[V]->getArrayRef();
  }

  void complete(Stmt &S) {
    llvm::DenseSet<VarId> Seen;
    llvm::SmallVector<VarId, 8> Named;
    for (const Arg &A : S.Args)
      if (A.Var != NoId && A.R == Role::Write && Seen.insert(A.Var).second)
        Named.push_back(A.Var);
    auto Add = [&](llvm::ArrayRef<VarId> All) {
      for (VarId V : All)
        if (Seen.insert(V).second)
          S.Args.push_back({"", 0, Role::Write, V});
    };
    for (VarId V : Named)
      Add(changedWith(V));
    if (S.Reaches == Reach::Arguments)
      return;
    Add(Reached);
    if (S.Reaches == Reach::Pointees)
      return;
    for (VarId V : Outlives)
      if (S.Reaches == Reach::All || !F.Vars[V].IsEnclosing) {
        Add(V);
        Add(Parts[V]);
      }
  }

  /// What changes beside what \p S names, in a statement of its own.
  llvm::ArrayRef<VarId> beside(const Stmt &S) {
    if (S.O == Op::Store)
      return S.Binds ? llvm::ArrayRef<VarId>(Parts[S.Var]) : changedWith(S.Var);
    // Another handle of the same tensor, perhaps.
    if (opClass(S.O) == OpClass::InPlaceMeta)
      if (const Arg *Self = findArg(S, "self"))
        if (auto It = LoadOf.find(Self->Value); It != LoadOf.end())
          return changedWith(It->second);
    return {};
  }

  void complete(Block &B) {
    llvm::SmallVector<Stmt, 0> All;
    for (size_t I = 0; I < B.Stmts.size(); ++I) {
      Stmt &S = B.Stmts[I];
      if (S.isOpaque())
        complete(S);
      const llvm::ArrayRef<VarId> More = beside(S);
      if (All.empty() && More.empty())
        continue; // nothing to insert so far
      if (All.empty())
        All.assign(std::make_move_iterator(B.Stmts.begin()),
                   std::make_move_iterator(B.Stmts.begin() + I));
      All.push_back(std::move(S));
      if (More.empty())
        continue;
      Stmt New;
      New.O = Op::MayChange;
      New.IsScalar = true; // no call: nothing else runs
      New.Where = All.back().Where;
      New.Context = All.back().Context;
      New.InMacro = All.back().InMacro;
      New.InTry = All.back().InTry;
      New.Expected = All.back().Expected;
      for (VarId V : More)
        New.Args.push_back({"", 0, Role::Write, V});
      All.push_back(std::move(New));
    }
    if (!All.empty())
      B.Stmts = std::move(All);
  }

  Function &F;
  std::vector<llvm::SmallVector<VarId, 2>> Parts, RefersTo;
  std::vector<uint8_t> Through; ///< reached by a pointer
  std::vector<uint8_t> Outside; ///< others may know the object
  std::vector<std::unique_ptr<Set>> Known;
  llvm::SmallVector<VarId, 8> Outlives, Reached, Typed, Pointed, Objects;
  llvm::DenseMap<uint64_t, llvm::SmallVector<VarId, 2>> SameField;
  llvm::DenseMap<ValueId, VarId> LoadOf;
};

} // namespace

void completeWrites(Function &F) { Writes(F).run(); }

/// The one tensor that \p S writes, as a schema says.
static const Arg *registeredOperand(const Stmt &S) {
  const Arg *Written = findArg(S, "written");
  const bool Only =
      Written && llvm::none_of(S.Args, [&](const Arg &A) {
        return &A != Written && (A.Name == "written" || A.Var != NoId);
      });
  return Only && !S.Result ? Written : nullptr;
}

const Arg *writtenOperand(const Stmt &S) {
  switch (S.O) {
  case Op::OutWrite: // at::add_out(out, x, y)
    return findArg(S, "out");
  case Op::Update:
  case Op::Overwrite:
    return findArg(S, "self");
  case Op::Opaque:
    return registeredOperand(S);
  default:
    return nullptr;
  }
}

} // namespace tensortidy::program
