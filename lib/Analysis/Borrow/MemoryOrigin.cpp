//===- MemoryOrigin.cpp - whose memory a pointer points into --------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Borrow/Loans.h"

namespace tensortidy::analysis::borrow {

namespace {

/// Finds the variable whose memory the operand of a from_blob() points into.
class MemoryOrigin {
public:
  explicit MemoryOrigin(const DefUse &Values) : F(Values.F), Values(Values) {
    forEachStmt(F, [&](BlockId, const Stmt &S) {
      addImage(S);
      if (S.O == Op::Store && !S.Args.empty())
        addStore(S);
      for (const Arg &A : S.Args)
        addOperand(S, A);
    });
  }

  MemoryOwner find(ValueId V, unsigned Depth = 0) const {
    const Stmt *D = Values.def(V);
    if (!D || Depth > 6)
      return {};
    if (D->O == Op::Load)
      return ofLoad(*D, Depth);
    if (!D->isOpaque() || D->Args.empty())
      return {};
    const Arg &A = D->Args[0];
    const Stmt *Of = Values.def(A.Value);
    const bool IsData = D->is(Attribute::PointsToFirst);
    // p->data(): the vector goes when the pointer does.
    if (IsData && Of && Of->is(Attribute::AccessesMember) && !Of->Args.empty())
      return owner(Values.def(Of->Args[0].Value));
    if (D->is(Attribute::GivesRow)) {
      const VarId Loaded = Values.loaded(A.Value),
                  M = Loaded != NoId ? Loaded : A.Var;
      if (isImage(M))
        return {M, MemoryOwner::Own, false, true};
    }
    if (D->Derives)
      return find(A.Value, Depth + 1);
    if (IsData)
      return ofData(*D, Of, A);
    if (D->is(Attribute::GivesPointer))
      return owner(Of);
    return D->O == Op::AddressOf ? ofAddress(Of, Depth) : MemoryOwner();
  }

private:
  void addStore(const Stmt &S) {
    const Stmt *From = Values.def(S.Args[0].Value);
    if (From && From->O == Op::ListGet) {
      // The field of an object that a call returned is the variable's own.
      const Stmt *Whole = Values.def(From->Args[0].Value);
      const bool IsResult =
          Whole && (Whole->isOpaque()
                        ? !Whole->Derives
                        : Whole->O == Op::Load && F.Vars[Whole->Var].IsResult);
      if (!IsResult || F.Vars[S.Var].Field < 0)
        Bound.insert(S.Var);
    }
    auto [It, New] = OnlyStore.try_emplace(S.Var, &S);
    if (!New)
      It->second = nullptr;
  }

  void addOperand(const Stmt &S, const Arg &A) {
    if (S.isOpaque() && A.R == Role::Write && A.Var != NoId &&
        F.Vars[A.Var].Borrows)
      OnlyStore[A.Var] = nullptr;
    for (VarId V : {Values.loaded(A.Value), A.Var})
      if (V != NoId && !S.is(Attribute::LooksThrough))
        Copied.insert(V);
  }

  /// Collects what happens to variables that may be an image.
  void addImage(const Stmt &S) {
    if (S.O == Op::Store && !S.Args.empty()) {
      const Stmt *New = Values.def(S.Args[0].Value);
      const bool Makes = New && New->is(Attribute::MakesImage);
      const bool Sized = Makes && findArg(*New, "rows") &&
                         findArg(*New, "columns") &&
                         findArg(*New, "channels") && !findArg(*New, "data") &&
                         !findArg(*New, "image");
      if (Sized || (New && New->is(Attribute::ReadsImage)))
        Images.insert(S.Var);
      else if (!(New && New->is(Attribute::CopiesImage)) &&
               !(Makes && New->Args.empty()))
        Shared.insert(S.Var);
    }
    for (const Arg &A : S.Args) {
      const VarId Loaded = Values.loaded(A.Value),
                  V = Loaded != NoId ? Loaded : A.Var;
      if (V == NoId || A.Name == "image" || A.Name == "into")
        continue;
      const bool Looking =
          S.isOpaque() && (S.is(Attribute::KeepsImage) ||
                           // In _InputArray(img), which is followed.
                           (S.Context && S.O == Op::AddressOf));
      if (!Looking)
        Shared.insert(V);
      else if (S.is(Attribute::PassesImage))
        Images.insert(V); // what a library's functions take them by
    }
  }

  /// An array, the data of an image, or a pointer.
  MemoryOwner ofLoad(const Stmt &Load, unsigned Depth) const {
    const Variable &Var = F.Vars[Load.Var];
    if (Var.Of == ImageField::Data && isImage(Var.Base))
      return {Var.Base, MemoryOwner::Own, false, true};
    if (!Var.Borrows)
      return {Var.Type == VarType::List ? local(Load.Var) : NoId};
    auto It = OnlyStore.find(Load.Var);
    if (It == OnlyStore.end() || !It->second || Var.IsMember || Var.IsStatic ||
        Var.IsReference || Var.IsParam)
      return {};
    const MemoryOwner Found = find(It->second->Args[0].Value, Depth + 1);
    // What a followed callee's own pointer points to is for the callee.
    return Found.Var != NoId || Var.Context
               ? Found
               : MemoryOwner{Load.Var, MemoryOwner::Pointee};
  }

  /// v.data(), v[0].data(), text.data()
  MemoryOwner ofData(const Stmt &D, const Stmt *Of, const Arg &A) const {
    const bool IsElement = Of && Of->O == Op::ListGet && !Of->Args.empty();
    const VarId V = IsElement ? Values.loaded(Of->Args[0].Value)
                    : Of      ? Values.loaded(A.Value)
                              : A.Var;
    if (V != NoId && F.Vars[V].Type == VarType::Other &&
        D.is(Attribute::OwnsHostMemory)) // a string
      return {local(V)};
    return {V != NoId && F.Vars[V].Type == VarType::List ? local(V) : NoId,
            IsElement ? MemoryOwner::Element : MemoryOwner::Own};
  }

  /// &*v.begin(), &text[0], &v[0], &x
  MemoryOwner ofAddress(const Stmt *Of, unsigned Depth) const {
    if (!Of)
      return {};
    if ((Of->O == Op::Deref || Of->calls(Attribute::Dereferences)) &&
        Of->Args.size() == 1)
      return find(Of->Args[0].Value, Depth + 1);
    if (Of->isOpaque() && Of->is(Attribute::Subscript) && !Of->Args.empty() &&
        Of->Args[0].Var != NoId)
      return {isString(Of->Args[0].Var) ? local(Of->Args[0].Var) : NoId};
    if (Of->O == Op::ListGet && !Of->Args.empty())
      Of = Values.def(Of->Args[0].Value);
    return {Of && Of->O == Op::Load && !F.Vars[Of->Var].Borrows ? local(Of->Var)
                                                                : NoId};
  }

  /// A local image whose memory nobody else has: it is read from a file, made
  /// here, or what its library writes to.
  bool isImage(VarId V) const {
    if (V == NoId || V >= F.Vars.size() || !Images.count(V) || Shared.count(V))
      return false;
    const Variable &Var = F.Vars[V];
    return Var.Borrows && Var.Type == VarType::Other && !Var.IsMember &&
           !Var.IsStatic && !Var.IsReference && !Var.IsParam &&
           !Var.IsEnclosing && !Var.IsResult && !Var.Context;
  }

  /// What the only store to \p V gives it, or null.
  const Stmt *madeOf(VarId V) const {
    auto It = OnlyStore.find(V);
    return It != OnlyStore.end() && It->second
               ? Values.def(It->second->Args[0].Value)
               : nullptr;
  }

  /// The pointer that \p Loaded is, where nobody else owns what it points to.
  MemoryOwner owner(const Stmt *Loaded) const {
    const Stmt *Made =
        Loaded && Loaded->O == Op::Load ? madeOf(Loaded->Var) : nullptr;
    // An object's constructor made it, and the object moved here.
    for (unsigned Moves = 0; Made && Made->O == Op::Load && Moves < 4; ++Moves)
      Made = F.Vars[Made->Var].Name.empty() ? madeOf(Made->Var) : nullptr;
    if (!Made)
      return {};
    const bool Shared = Made->is(Attribute::MakesShared);
    if (Shared ? Copied.count(Loaded->Var) != 0
               : !Made->is(Attribute::MakesOwner))
      return {};
    // A pointer to what somebody else owns is no pointer that owns.
    if (Shared && !Made->is(Attribute::MakesObject) && Made->Args.size() != 1)
      return {};
    return {local(Loaded->Var), MemoryOwner::Own, true};
  }

  /// A std::string that is made as one.
  bool isString(VarId V) const {
    const Stmt *Made = madeOf(V);
    return Made && Made->is(Attribute::MakesString);
  }

  /// Variables whose memory goes when their block does.
  VarId local(VarId V) const {
    VarId Whole = V; // a field goes with the object
    while (F.Vars[Whole].Base != NoId && F.Vars[Whole].Base != ThisBase)
      Whole = F.Vars[Whole].Base;
    const Variable &Var = F.Vars[Whole];
    return Var.IsMember || Var.IsStatic || Var.IsReference || Var.Borrows ||
                   F.Vars[V].IsReference || F.Vars[V].Borrows || Var.IsResult ||
                   Var.Context || Bound.count(V) || Bound.count(Whole)
               ? NoId
               : V;
  }

  const Function &F;
  const DefUse &Values;
  std::map<VarId, const Stmt *> OnlyStore;
  std::set<VarId> Copied; ///< read to be more than looked through
  std::set<VarId> Bound;  ///< to memory of something else, or moved from it
  std::set<VarId> Images; ///< an image, by what is done with it
  std::set<VarId> Shared; ///< used in a way that may give it another owner
};

/// Whether a deleter has nothing to delete: it is a function, or a closure that
/// holds nothing.
bool keepsNothing(const DefUse &Values, const Arg &Deleter) {
  const Stmt *D = Values.def(Deleter.Value);
  if (D && D->isOpaque() && D->O != Op::Closure && D->Args.size() == 1)
    D = Values.def(D->Args[0].Value); // std::function(closure)
  return D && D->isOpaque() && D->Args.empty() &&
         (D->O == Op::Closure || D->O == Op::FunctionRef);
}

struct CopyState {
  Tested Known;
  bool operator<(const CopyState &O) const { return Known < O.Known; }
};

/// Follows a copy that goes on after its call to the end of the memory.
class LateCopy : public PathDataflow<LateCopy, CopyState> {
public:
  LateCopy(const FlowInfo &Flow, const Stmt &Begins, VarId Owner)
      : Flow(Flow), Begins(Begins), Owner(Owner) {}

  /// The end of a block that some path comes to, and nothing on it may wait;
  /// or null.
  const Stmt *run() {
    const BlockId B = Flow.Values.blockOf(Begins);
    const auto At =
        static_cast<size_t>(&Begins - Flow.F.Blocks[B].Stmts.data());
    follow(Flow.F, B, At + 1, {Flow.paths().before(B)}, 32);
    return Ends;
  }

  bool step(CopyState &, const Block &, const Stmt &At) {
    if (At.O == Op::ScopeEnd && At.Var == Owner)
      Ends = &At;
    return !Ends && &At != &Begins && At.O != Op::Throw && !mayWait(At) &&
           !handsOver(At);
  }
  bool matters(const CopyState &) const { return !Ends; }
  bool takes(BlockId B, size_t Way, CopyState &S) const {
    return Flow.paths().takes(B, Way, S.Known);
  }

private:
  bool mayWait(const Stmt &At) const {
    if (!At.isOpaque() || At.is(Attribute::LeavesValues) ||
        At.is(Attribute::OwnMemory))
      return false;
    if (At.is(Attribute::EndsCopies) || At.Reaches > Reach::Arguments)
      return true;
    const Arg *Backend = findArg(Begins, "backend");
    const VarId V = Backend ? Flow.Values.loaded(Backend->Value) : NoId;
    return At.O == Op::Opaque && !At.is(Attribute::RunsGraph) && V != NoId &&
           llvm::any_of(At.Args, [&](const Arg &A) {
             return Flow.Values.loaded(A.Value) == V;
           });
  }

  bool isMemory(const Arg &A) const {
    return A.Var == Owner || Flow.Values.loaded(A.Value) == Owner;
  }

  /// Whether the memory may have another owner after \p At.
  bool handsOver(const Stmt &At) const {
    if (At.O == Op::Store)
      return At.Var == Owner ||
             llvm::any_of(At.Args, [&](const Arg &A) { return isMemory(A); });
    if (At.O == Op::Return || At.O == Op::List || At.O == Op::Phi)
      return llvm::any_of(At.Args, [&](const Arg &A) { return isMemory(A); });
    return At.isOpaque() && !leavesMemory(At) &&
           llvm::any_of(At.Args, [&](const Arg &A) {
             return A.R != Role::Read && isMemory(A);
           });
  }

  const FlowInfo &Flow;
  const Stmt &Begins;
  const VarId Owner;
  const Stmt *Ends = nullptr;
};

} // namespace

void followCopies(const FlowInfo &Flow, std::vector<BorrowFact> &Out) {
  std::optional<MemoryOrigin> Origin;
  forEachStmt(Flow.F, [&](BlockId, const Stmt &S) {
    const Arg *Data = findArg(S, "data"), *Backend = findArg(S, "backend");
    if (!S.is(Attribute::CopiesLater) || !Data)
      return;
    const Stmt *On = Backend ? Flow.Values.origin(Backend->Value) : nullptr;
    if (On && On->is(Attribute::CopiesAtOnce))
      return;
    if (!Origin)
      Origin.emplace(Flow.Values);
    const MemoryOwner Of = Origin->find(Data->Value);
    if (Of.Var == NoId || Of.How != MemoryOwner::Own || Of.IsImage)
      return;
    if (const Stmt *Ends = LateCopy(Flow, S, Of.Var).run()) {
      BorrowFact Found;
      Found.Of = {Loan::Late, &S, Of};
      Found.Borrow = Found.Use = &S;
      Found.Expires = Ends;
      Out.push_back(Found);
    }
  });
}

void followBlobs(const FlowInfo &Flow, const RunResult &Run,
                 std::vector<BorrowFact> &Out) {
  std::vector<const Stmt *> Blobs;
  forEachStmt(Flow.F, [&](BlockId, const Stmt &S) {
    const Arg *Deleter = findArg(S, "deleter"); // that may own it
    if (S.O == Op::FromBlob && S.Result && findArg(S, "data") &&
        (!Deleter || keepsNothing(Flow.Values, *Deleter)))
      Blobs.push_back(&S);
  });
  if (Blobs.empty())
    return;
  const MemoryOrigin Origin(Flow.Values);
  for (const Stmt *S : Blobs) {
    const MemoryOwner Of = Origin.find(findArg(*S, "data")->Value);
    if (Of.Var != NoId &&
        !(Of.How == MemoryOwner::Pointee && findArg(*S, "deleter")))
      followMemory(Flow, Run, {Loan::Memory, S, Of}, Out);
  }
}

} // namespace tensortidy::analysis::borrow
