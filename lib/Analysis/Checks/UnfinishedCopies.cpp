//===- UnfinishedCopies.cpp - copies that are read before they are done ---===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: one path from a copy off a device, which on every path to it is
// one and is told not to wait, to where the host reads what it writes. Nothing
// on that path may wait for the device; what cannot be seen may.
//
//   auto host = x.to(at::kCPU, /*non_blocking=*/true);   pinned, by libtorch
//   auto a = host.accessor<float, 1>();
//   return a[0];                                         maybe not there yet
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "Analysis/Checks/Wording.h"
#include "Analysis/Flow/Closure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <deque>

namespace tensortidy::analysis {

using namespace program;

namespace {

/// Whether the host copies to memory that a device can write by itself.
enum class Pinned : uint8_t { No, Unknown, Yes };

class Copies {
public:
  explicit Copies(CheckRun &C)
      : C(C), F(C.F), Held(C.Held), Values(C.Flow.Values) {}

  void check(const Stmt &Copy, const FetchSite &Site) {
    if (!Site.Later || Site.Other || Copy.InTry || Copy.Expected)
      return;
    const ValueId Into = target(Copy);
    const Pinned Is = Copy.O == Op::To ? Pinned::Yes : pinned(Into);
    if (Is == Pinned::No)
      return;
    Reads.clear();
    Name.clear();
    // A tensor of which nobody knows where it is may be on the device.
    const bool OnHost = Site.IntoHost || Is == Pinned::Yes;
    for (ValueId V : handles(Copy, Into))
      findReads(V, OnHost);
    if (const Stmt *Read = Reads.empty() ? nullptr : firstRead(Copy))
      tell(Copy, *Read, Site, Is);
  }

private:
  /// What \p Copy writes.
  static ValueId target(const Stmt &Copy) {
    const Arg *Self = findArg(Copy, "self");
    return Copy.O == Op::To ? Copy.Result : Self ? Self->Value : 0;
  }

  /// The statement behind \p V and behind views.
  const Stmt *maker(ValueId V) const {
    const Stmt *S = Held.origin(V);
    for (unsigned Depth = 0; S && opClass(S->O) == OpClass::View && Depth < 16;
         ++Depth) {
      const Arg *Self = findArg(*S, "self");
      S = Self ? Held.origin(Self->Value) : nullptr;
    }
    return S;
  }

  bool isTrue(ValueId V) const {
    const Stmt *S = Held.origin(V);
    return S && S->O == Op::Const && S->Const == ConstKind::Bool && S->Imm;
  }

  bool asksForPinned(const Stmt &S, unsigned Depth = 0) const {
    for (const char *Told : {"pinned_memory", "pin_memory"})
      if (const Arg *A = findArg(S, Told))
        return isTrue(A->Value);
    const Arg *Of = findArg(S, S.O == Op::OptionsOp ? "self" : "options");
    const Stmt *Options = Of ? Held.origin(Of->Value) : nullptr;
    return Options && Options->O == Op::OptionsOp && Depth < 8 &&
           asksForPinned(*Options, Depth + 1);
  }

  /// What the constructor of the object makes of the member that \p Load reads,
  /// or null.
  const Stmt *madeBefore(const Stmt &Load) const {
    const Stmt *Found = nullptr;
    forEachStmt(F, [&](BlockId, const Stmt &S) {
      const Arg *Self = S.O == Op::Placed ? findArg(S, "self") : nullptr;
      const Arg *Made = Self ? findArg(S, "device") : nullptr;
      if (Made && Values.loaded(Self->Value) == Load.Var)
        Found = maker(Made->Value);
    });
    return Found;
  }

  Pinned pinned(ValueId Into) const {
    const Stmt *S = maker(Into);
    if (S && S->O == Op::Load) {
      const Variable &Var = F.Vars[S->Var];
      if (!Values.Stores[S->Var].empty() || (!Var.IsMember && !Var.IsParam))
        return Pinned::No;
      S = madeBefore(*S);
      if (!S)
        return Pinned::Unknown;
    }
    return S && (S->is(Attribute::Pins) ||
                 (opClass(S->O) == OpClass::Factory && asksForPinned(*S)))
               ? Pinned::Yes
               : Pinned::No;
  }

  /// The values through which the memory that \p Copy writes is reached.
  std::vector<ValueId> handles(const Stmt &Copy, ValueId Into) const {
    std::vector<ValueId> All{Copy.Result};
    const Stmt *S = Copy.O == Op::To ? nullptr : maker(Into);
    if (S && S->O == Op::Load)
      for (const Stmt *L : Values.Loads[S->Var])
        All.push_back(L->Result);
    else if (S)
      All.push_back(S->Result);
    return All;
  }

  bool mayRead(const Stmt &Load, const Stmt &Store) const {
    return Values.Stores[Load.Var].size() < 2 ||
           llvm::is_contained(Held.reaching(Load), &Store);
  }

  template <class Fn> void throughVariable(const Stmt &Store, Fn Add) {
    if (!Held.isLocal(Store.Var) && !Values.isOwn(Store.Var))
      return;
    if (Name.empty() && F.Vars[Store.Var].Type == VarType::Tensor)
      Name = called(F, Store.Var, Store.Context);
    for (const Stmt *L : Values.Loads[Store.Var])
      if (mayRead(*L, Store))
        Add(L->Result);
  }

  /// Notes what reads elements of \p V, a tensor on the host, or of views.
  void findReads(ValueId V, bool OnHost) {
    closure(V, [&](ValueId At, auto Add) {
      if (Name.empty())
        Name = Held.name(At);
      for (const DefUse::Use &U : Values.Uses[At])
        if (U.S->O == Op::Store)
          throughVariable(*U.S, Add);
        else
          useOfTensor(*U.S, *U.A, OnHost, Add);
      return true;
    });
  }

  template <class Fn>
  void useOfTensor(const Stmt &T, const Arg &A, bool OnHost, Fn Add) {
    const bool IsSelf = A.Name == "self";
    auto Read = [&] {
      if (OnHost)
        Reads.insert(&T);
    };
    switch (opClass(T.O)) {
    case OpClass::View:
      if (IsSelf)
        Add(T.Result);
      return;
    case OpClass::MaybeCopy:
      if (!IsSelf || (T.O == Op::To && moves(T)))
        return;
      if (Held.copies(T) || C.Opaque.SureCopies.contains(&T))
        return Read();
      return Add(T.Result);
    case OpClass::Structure:
      if (T.O == Op::List) // of cat(), stack()
        Add(T.Result);
      return;
    case OpClass::Copy:
    case OpClass::Compute:
      return Read();
    case OpClass::Query:
      if (T.is(Attribute::ReadsValues))
        Read();
      return;
    case OpClass::InPlaceData:
      // A copy to a device waits for this one there.
      if (T.O == Op::Update && !T.is(Attribute::Assigns) &&
          !T.is(Attribute::PutsAt) && (!IsSelf || T.is(Attribute::AddsOn)))
        Read();
      if (IsSelf)
        Add(T.Result);
      return;
    case OpClass::Access:
      if (T.O == Op::Item)
        return Read();
      if (T.O == Op::DataPtr || T.is(Attribute::BorrowsSizes))
        findReadsBehind(T.Result);
      return;
    default:
      return;
    }
  }

  /// The same of \p V, a pointer or an accessor.
  void findReadsBehind(ValueId V) {
    closure(V, [&](ValueId At, auto Add) {
      for (const DefUse::Use &U : Values.Uses[At]) {
        const Stmt &T = *U.S;
        if (T.O == Op::Store) {
          if (isOnly(T)) {
            for (const Stmt *L : Values.Loads[T.Var])
              Add(L->Result);
            findSubscripts(T.Var);
          }
        } else if (T.Derives && (T.O == Op::Plus || T.O == Op::Minus ||
                                 T.O == Op::Cast || T.O == Op::AddressOf)) {
          Add(T.Result);
        } else if ((T.O == Op::Element && U.A == T.Args.begin()) ||
                   (T.O == Op::Deref && T.IsScalar) ||
                   T.calls(Attribute::Subscript) ||
                   (T.calls(Attribute::OnHost) &&
                    (U.A->R == Role::Read || T.is(Attribute::MakesVector)))) {
          Reads.insert(&T);
        }
      }
      return true;
    });
  }

  /// Whether \p Store gives a variable of the function's own the only pointer
  /// that it ever holds; subscripts do not change it.
  bool isOnly(const Stmt &Store) const {
    const Variable &Var = F.Vars[Store.Var];
    if (Var.IsMember || Var.IsStatic || Var.IsReference || Var.IsParam)
      return false;
    bool Only = true;
    forEachStmt(F, [&](BlockId, const Stmt &S) {
      if (S.O == Op::Store && S.Var == Store.Var)
        Only = Only && (&S == &Store || S.Args.empty());
      for (const Arg &A : S.Args)
        if (A.Var == Store.Var && A.R == Role::Write)
          Only = Only && S.calls(Attribute::Subscript);
    });
    return Only;
  }

  /// `a[i]` of an accessor names the variable itself.
  void findSubscripts(VarId V) {
    forEachStmt(F, [&](BlockId, const Stmt &S) {
      if (S.calls(Attribute::Subscript) &&
          llvm::any_of(S.Args, [&](const Arg &A) { return A.Var == V; }))
        Reads.insert(&S);
    });
  }

  /// Whether to() is told of a device, or of a tensor that has one.
  static bool moves(const Stmt &S) {
    return findArg(S, "device") || findArg(S, "options") ||
           findArg(S, "target_device") || findArg(S, "other");
  }

  /// A copy off a device that is known not to wait.
  bool goesOn(const Stmt &S) const {
    const auto It = C.Opaque.Fetches.find(&S);
    return It != C.Opaque.Fetches.end() && It->second.Later &&
           !It->second.Other;
  }

  bool isPlainIndex(const Stmt &S) const {
    const Arg *Indices = findArg(S, "indices");
    const Stmt *List = Indices ? Held.def(Indices->Value) : nullptr;
    return List && List->O == Op::List &&
           llvm::all_of(List->Args, [&](const Arg &A) {
             return C.Loops.isInteger(A.Value) ||
                    (Held.def(A.Value) && Held.def(A.Value)->O != Op::Load &&
                     opClass(Held.def(A.Value)->O) == OpClass::Structure);
           });
  }

  /// A call into a library that does not look at a device.
  static bool isHarmless(const Stmt &S) {
    if (S.O != Op::Opaque)
      return true;
    static constexpr Attribute Known[] = {
        Attribute::ReturnsAtOnce,  Attribute::Pure,
        Attribute::OnHost,         Attribute::Subscript,
        Attribute::Fills,          Attribute::Appends,
        Attribute::OnlyHolds,      Attribute::KeepsMemory,
        Attribute::AsksContainer,  Attribute::ChangesElements,
        Attribute::MakesVector,    Attribute::MakesString,
        Attribute::GivesIterator,  Attribute::GivesMemory,
        Attribute::PointsToFirst,  Attribute::GivesElement,
        Attribute::HandsOn,        Attribute::SameText,
        Attribute::Formats,        Attribute::LooksThrough,
        Attribute::AccessesMember, Attribute::Dereferences,
        Attribute::ReadsClock,     Attribute::AsksSizes,
        Attribute::CountsUp,       Attribute::Subtracts};
    return S.Reaches == Reach::Arguments &&
           llvm::any_of(Known, [&](Attribute A) { return S.is(A); });
  }

  /// Whether \p S may wait for the device, or may do what is not seen.
  bool mayWait(const Stmt &S) const {
    if (S.is(Attribute::Syncs) || S.is(Attribute::Waits))
      return true;
    switch (opClass(S.O)) {
    case OpClass::Structure:
    case OpClass::Integer:
    case OpClass::Condition:
    case OpClass::Query:
    case OpClass::View:
    case OpClass::Copy:
    case OpClass::InPlaceMeta:
      return false;
    case OpClass::MaybeCopy:
      return S.O == Op::To      ? moves(S) && !goesOn(S)
             : S.O == Op::Index ? !isPlainIndex(S)
                                : S.O == Op::OtherMaybeCopy;
    case OpClass::Factory:
      return S.O == Op::TensorOf || S.O == Op::FromBlob;
    case OpClass::Compute:
      return S.O == Op::Fresh || S.O == Op::DenseFresh || S.O == Op::Sized;
    case OpClass::InPlaceData:
      return S.O == Op::OutWrite || S.is(Attribute::PutsAt) ||
             (findArg(S, "src") && !goesOn(S));
    case OpClass::Access:
      return S.O == Op::Item || S.O == Op::Backward;
    case OpClass::Graph:
      return true;
    case OpClass::Effect:
      return S.Forward || !isHarmless(S);
    }
    return true;
  }

  /// A read that a path from \p Copy comes to before anything waits, the first
  /// in the order of the text where several are; null: there is none.
  const Stmt *firstRead(const Stmt &Copy) const {
    struct From {
      BlockId B;
      size_t First;
      Tested Known;
    };
    const BlockId Start = Held.blockOf(Copy);
    if (Start == NoId)
      return nullptr;
    const Stmt *Found = nullptr;
    std::vector<bool> Seen(F.Blocks.size(), false);
    std::deque<From> Work;
    Work.push_back(
        {Start, static_cast<size_t>(&Copy - F.Blocks[Start].Stmts.data()) + 1,
         C.Flow.paths().before(Start)});
    while (!Work.empty()) {
      From At = std::move(Work.front());
      Work.pop_front();
      const Block &Blk = F.Blocks[At.B];
      bool Goes = true;
      for (size_t I = At.First; Goes && I < Blk.Stmts.size(); ++I) {
        const Stmt &S = Blk.Stmts[I];
        const bool IsRead = Reads.contains(&S) && !S.InTry && !S.Expected;
        if (IsRead && (!Found || comesBefore(S, *Found)))
          Found = &S;
        Goes = !IsRead && &S != &Copy && !mayWait(S);
      }
      for (size_t Way = 0; Goes && Way < Blk.Succs.size(); ++Way) {
        const BlockId To = Blk.Succs[Way];
        Tested Known = At.Known;
        if (To == NoId || Seen[To] || !C.Flow.paths().takes(At.B, Way, Known))
          continue;
        Seen[To] = true;
        Work.push_back({To, 0, std::move(Known)});
      }
    }
    return Found;
  }

  static bool comesBefore(const Stmt &A, const Stmt &B) {
    return std::pair(A.Where.Line, A.Where.Column) <
           std::pair(B.Where.Line, B.Where.Column);
  }

  void tell(const Stmt &Copy, const Stmt &Read, const FetchSite &Site,
            Pinned Is) {
    Finding Found(Check::UninitializedRead, Is == Pinned::Yes ? 0 : 1, Read);
    Found.At = &Read;
    const std::string From =
        Site.From.Device.Name.empty() ? "the device" : Site.From.Device.Name;
    Found.Message = "reads elements of " + quoted(Name, "the copy") +
                    " that the copy from " + From +
                    " may not have written yet: nothing has waited for it" +
                    (Is == Pinned::Yes ? "" : ", where its memory is pinned");
    Found.Notes.push_back(
        {Copy.point(), quoted(Copy.Text, "the call") +
                           " returns before it is done; call "
                           "torch::cuda::synchronize() before the read, or "
                           "leave out non_blocking"});
    if (Site.From.Put.Line && !Site.From.Name.empty())
      Found.Notes.push_back(
          {Site.From.Put,
           quoted(Site.From.Name, "") + " is put on " + From + " here"});
    C.Out.push_back(std::move(Found));
  }

  CheckRun &C;
  const Function &F;
  const Handles &Held;
  const DefUse &Values;
  llvm::SmallPtrSet<const Stmt *, 16> Reads; ///< of what the copy writes
  std::string Name;                          ///< of a variable with it
};

} // namespace

void tellUnfinishedCopies(CheckRun &C) {
  Copies Of(C);
  for (const auto &[S, Site] : C.Opaque.Fetches)
    Of.check(*S, Site);
}

} // namespace tensortidy::analysis
