//===- FromBlobLifetime.cpp - tensor-from-blob-lifetime -------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: one path. from_blob() borrows: the tensor, its views and what
// calls return that make no copy are followed until the memory dies.
//
//   %2 = opaque "data" write $buf       where the pointer comes from
//   %5 = from_blob data=%2 sizes=%4     borrowers {%5}, memory $buf
//   %6 = contiguous self=%5             proved to be %5: borrowers {%5, %6}
//   return %6                           a finding: $buf is a local
//
// A view of a local vector (`IntArrayRef r = sizes;`) borrows in the same way,
// and is found for tensor-dangling-data-pointer. When the vector is moved or
// swapped its memory has another owner.
//
// What the call itself gets wrong (dtype, strides, size) the interpreter has
// found out: see RunResult::Blobs.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace tensortidy::analysis {

using namespace program;

namespace {

using Definitions = std::vector<const Stmt *>; ///< by ValueId

/// One path's view of one call of from_blob().
struct State {
  std::set<ValueId> Values; ///< that borrow
  std::set<VarId> Holders;
  std::set<VarId> Keepers;      ///< containers with it, of any kind
  const Stmt *NoCopy = nullptr; ///< a call that looks like a copy
  const Stmt *Moved = nullptr;  ///< may have moved, or has freed, the memory
  bool Dead = false;            ///< the memory is gone
  VarId Owner = NoId;           ///< of the memory; NoId: on its way to another
  std::set<ValueId> Memory;     ///< loaded from the owner
  Tested Known;

  bool operator<(const State &O) const {
    return std::tie(Values, Holders, Keepers, NoCopy, Moved, Dead, Owner,
                    Memory, Known) < std::tie(O.Values, O.Holders, O.Keepers,
                                              O.NoCopy, O.Moved, O.Dead,
                                              O.Owner, O.Memory, O.Known);
  }
};

constexpr size_t MaxStates = 16; ///< of one call at one block

/// Whose memory from_blob() was given.
enum class Kept : uint8_t {
  Own,     ///< the variable's: it goes when the variable does
  Element, ///< an element's of the variable: growing moves the element only
  Pointee  ///< what the variable points to: until somebody frees it
};

struct MemoryPlace {
  VarId Var = NoId;
  Kept How = Kept::Own;
  bool IsPointer = false; ///< the variable is a pointer that owns the memory
  bool IsMatrix = false;  ///< the variable is a cv::Mat
};

class Borrower {
public:
  Borrower(CheckRun &C, const Definitions &DefOf, const PathConditions &Paths,
           const Stmt &Maker, MemoryPlace Of)
      : C(C), F(C.F), DefOf(DefOf), Paths(Paths), Maker(Maker), Memory(Of.Var),
        How(Of.How), IsPointer(Of.IsPointer), IsMatrix(Of.IsMatrix) {}

  void run();

private:
  bool step(State &S, const Stmt &At);
  bool opaque(State &S, const Stmt &At);
  std::optional<bool> handsOver(State &S, const Stmt &At) const;
  std::string gone(const State &S) const;
  /// `IntArrayRef r = v;`, not from_blob().
  bool isView() const { return Maker.O == Op::Temporary; }
  /// The memory's owner, or an object it is a field of.
  bool isOwner(const State &S, VarId V) const {
    for (VarId B = S.Owner; B != NoId && B != ThisBase; B = F.Vars[B].Base)
      if (B == V)
        return true;
    return false;
  }
  bool isMemory(const State &S, const Arg &A) const {
    const Stmt *D = A.Value ? DefOf[A.Value] : nullptr;
    return D && ((D->O == Op::Load && isOwner(S, D->Var)) ||
                 (S.Owner == NoId && S.Memory.count(A.Value)));
  }
  /// A container, of any kind, with the tensor in it.
  bool isKeeper(const State &S, const Arg &A) const {
    const Stmt *D = A.Value ? DefOf[A.Value] : nullptr;
    return D && D->O == Op::Load && S.Keepers.count(D->Var);
  }
  bool isSelf(const Stmt &At) const;
  bool staysOnCpu(const Stmt &At) const;
  bool setsDevice(const Arg *Options) const;
  bool outlives(VarId V) const;
  void report(const State &S, const Stmt &At, bool Leaving,
              const std::string &Message);

  CheckRun &C;
  const Function &F;
  const Definitions &DefOf;
  const PathConditions &Paths;
  const Stmt &Maker;
  VarId Memory;
  Kept How;
  bool IsPointer;
  bool IsMatrix;
  bool Reserved = false; ///< somebody saw to it that it does not grow
  /// On some path a holder is changed in a way that is not followed.
  bool HolderChanges = false;
  std::optional<Finding> Leaves; ///< the function with a holder
  bool Reported = false;
};

/// Methods that move a container's memory when it grows.
bool growsMemory(const Stmt &S) { return S.is(Attribute::MovesElements); }

/// Functions and operators that give back what a pointer points to.
bool freesMemory(const Stmt &S) {
  return S.O == Op::Delete || S.calls(Attribute::Frees);
}

} // namespace

/// Whether the result is the tensor it is called on, or a view of it, for
/// certain.
bool Borrower::isSelf(const Stmt &At) const {
  switch (opClass(At.O)) {
  case OpClass::InPlaceMeta:
  case OpClass::InPlaceData:
  case OpClass::View:
    return true;
  case OpClass::MaybeCopy:
    break;
  default:
    return false;
  }
  if (auto It = C.Opaque.Contiguous.find(&At); It != C.Opaque.Contiguous.end())
    return !It->second.Other && !It->second.Unknown;
  if (auto It = C.Opaque.Copies.find(&At);
      At.O != Op::To && It != C.Opaque.Copies.end())
    return !It->second.Copies && !It->second.Unknown;
  auto It = C.Opaque.SelfSites.find(&At);
  if (It != C.Opaque.SelfSites.end() && !It->second.Other)
    return true;
  return At.O == Op::To && staysOnCpu(At);
}

/// `to(torch::kCPU)` of what is on the CPU already.
bool Borrower::staysOnCpu(const Stmt &At) const {
  auto IsCpu = [&](ValueId V) {
    const Stmt *D = V ? DefOf[V] : nullptr;
    if (D && D->O == Op::Load) { // torch::Device device(torch::kCPU);
      const Stmt *Only = nullptr;
      forEachStmt(F, [&](BlockId, const Stmt &S) {
        if (S.O == Op::Store && S.Var == D->Var)
          Only = Only || S.Args.empty() ? &Maker : &S;
        for (const Arg &A : S.Args)
          if (A.Var == D->Var && A.R == Role::Write)
            Only = &Maker;
      });
      D = Only && Only->O == Op::Store && !F.Vars[D->Var].IsMember &&
                  !F.Vars[D->Var].IsParam
              ? DefOf[Only->Args[0].Value]
              : nullptr;
    }
    return D && D->O == Op::Const && D->Text == "cpu";
  };
  bool ToCpu = false;
  for (const Arg &A : At.Args) {
    const Stmt *D = DefOf[A.Value];
    const bool IsOptions = A.Name == "options" && D && D->O == Op::OptionsOp &&
                           D->Args.size() == 1 && D->Args[0].Name == "device";
    if (A.Name == "device" || IsOptions)
      ToCpu = IsCpu(IsOptions ? D->Args[0].Value : A.Value);
    else if (A.Name != "self" && A.Name != "non_blocking")
      return false;
  }
  // Options may say where the memory is.
  return ToCpu && !findArg(Maker, "target_device") &&
         !setsDevice(findArg(Maker, "options"));
}

/// Whether options name a device, or are not seen to name none.
bool Borrower::setsDevice(const Arg *Options) const {
  if (!Options)
    return false;
  const Stmt *D = Options->Value ? DefOf[Options->Value] : nullptr;
  if (!D || D->O != Op::OptionsOp)
    return true;
  for (const Arg &A : D->Args)
    if (A.Name == "device" || (A.Name == "self" && setsDevice(&A)))
      return true;
  return false;
}

bool Borrower::outlives(VarId V) const {
  const Variable &Var = F.Vars[V];
  if (Var.Base != NoId && Var.Base != ThisBase)
    return outlives(Var.Base);
  return (Var.IsMember && !Var.IsEnclosing) || Var.IsStatic ||
         (Var.IsReference && Var.IsParam);
}

/// False when the memory may have moved on, or may live longer than we see.
bool Borrower::opaque(State &S, const Stmt &At) {
  const bool Fills = fillsContainer(At);
  bool Keeps = false;
  for (const Arg &A : At.Args) {
    const bool Own = (A.Var != NoId && isOwner(S, A.Var)) || isMemory(S, A);
    if (How == Kept::Pointee) {
      if (Own && freesMemory(At))
        S.Moved = &At;
    } else if (Own && A.R == Role::Write && &A == At.Args.begin() &&
               How == Kept::Own && IsPointer && At.is(Attribute::Releases)) {
      S.Moved = &At;
    } else if (Own && A.R == Role::Write && &A == At.Args.begin() &&
               growsMemory(At) && !Reserved && How == Kept::Own) {
      // The object of the call, and not what is moved into another.
      S.Moved = &At;
    } else if (Own && A.R != Role::Read &&
               (A.Var == NoId || isMemory(S, A) || !leavesMemory(At))) {
      return false;
    }
    Keeps |= A.R == Role::Keep && A.Value && S.Values.count(A.Value);
  }
  for (const Arg &A : At.Args) {
    if (A.Var == NoId || A.R != Role::Write || isOwner(S, A.Var))
      continue;
    // What a list of tensors becomes is stored next.
    if (S.Holders.count(A.Var) && !Fills) {
      HolderChanges = true;
      return false;
    }
    if (Keeps && (Fills || At.O == Op::Assign))
      S.Keepers.insert(A.Var);
    else if (!Fills && !leavesMemory(At))
      S.Keepers.erase(A.Var);
  }
  return true;
}

/// `w = std::move(v)` and std::swap(v, w): nothing when \p At is none of them;
/// false when who owns the memory then may live longer than we see.
std::optional<bool> Borrower::handsOver(State &S, const Stmt &At) const {
  const ValueId From = At.Args.empty() ? 0 : At.Args[0].Value;
  const bool Takes = From && S.Memory.count(From);
  if (S.Owner != NoId && At.O == Op::Store && At.Moves && At.Var == S.Owner) {
    S.Owner = NoId;
    return true;
  }
  if ((S.Owner == NoId || At.Swaps) && Takes) {
    const Variable &To = F.Vars[At.Var];
    S.Owner = At.Var;
    S.Memory.clear();
    return To.Type == VarType::List && !To.IsReference && !To.Borrows &&
           !outlives(At.Var) && !To.IsCaptured;
  }
  if (At.Swaps && S.Owner != NoId && At.Var == S.Owner)
    return true; // the other half says where it goes
  return std::nullopt;
}

/// What has become of the memory.
std::string Borrower::gone(const State &S) const {
  const std::string Name =
      "'" + markVariable(F, Memory, F.Vars[Memory].Context) + "'";
  std::string Text = isView() ? "this is used as a view of "
                              : "the tensor borrows the memory ";
  if (!isView())
    Text += How == Kept::Pointee ? "behind " : "of ";
  Text += Name + ", ";
  if (isView() && !S.Dead)
    Text += "whose memory ";
  else
    Text += "which ";
  const Stmt *New = S.Moved && S.Moved->O == Op::Store && !S.Moved->Args.empty()
                        ? DefOf[S.Moved->Args[0].Value]
                        : nullptr;
  const std::string Grows = New && New->O == Op::ListInsert  ? "push_back"
                            : S.Moved && S.Moved->isOpaque() ? S.Moved->Text
                                                             : "";
  return Text + (S.Dead                 ? "ended with its block"
                 : How == Kept::Pointee ? "was freed"
                 : IsPointer            ? "was released"
                 : !Grows.empty()       ? Grows + "() moves when it grows"
                                        : "was assigned anew");
}

bool Borrower::step(State &S, const Stmt &At) {
  auto Borrows = [&](const Arg &A) {
    return A.Value && S.Values.count(A.Value);
  };
  switch (At.O) {
  case Op::Load:
    S.Values.erase(At.Result);
    S.Memory.erase(At.Result);
    if (S.Holders.count(At.Var))
      S.Values.insert(At.Result);
    if (S.Owner != NoId && At.Var == S.Owner)
      S.Memory.insert(At.Result);
    return true;
  case Op::FullExprEnd:
    return S.Owner != NoId; // moved to a temporary
  case Op::Store: {
    const Arg *From = At.Args.empty() ? nullptr : &At.Args[0];
    if (How == Kept::Own && !IsPointer)
      if (const auto Goes = handsOver(S, At))
        return *Goes;
    if (How == Kept::Pointee && isOwner(S, At.Var))
      return false; // it points elsewhere
    if (At.Var == S.Owner && From && How == Kept::Own) {
      const Stmt *New = DefOf[From->Value];
      const bool Grows = New && New->O == Op::ListInsert;
      if (New && (New->O == Op::ListSet || New->O == Op::ListErase))
        return true;
      if (!Reserved)
        S.Moved = S.Moved && Grows ? S.Moved : &At;
      return Grows || !Reserved;
    }
    if (isOwner(S, At.Var) ||
        (From && isMemory(S, *From) && How != Kept::Pointee))
      return false; // declared again, or something else holds it
    S.Holders.erase(At.Var);
    S.Keepers.erase(At.Var);
    if (From && Borrows(*From))
      S.Holders.insert(At.Var);
    return true;
  }
  case Op::ScopeEnd:
    S.Dead |= At.Var == S.Owner && How != Kept::Pointee;
    S.Holders.erase(At.Var);
    S.Keepers.erase(At.Var);
    return true;
  case Op::Return: {
    const std::string Name =
        "'" + markVariable(F, Memory, F.Vars[Memory].Context) + "'";
    for (const Arg &A : At.Args)
      if (isMemory(S, A))
        return false;
    if (How == Kept::Pointee) {
      for (const Arg &A : At.Args)
        if (S.Moved && Borrows(A))
          report(S, At, true,
                 "returns a tensor that borrows the memory behind " + Name +
                     ", which was freed");
      return false;
    }
    for (const Arg &A : At.Args)
      if (Borrows(A) || isKeeper(S, A))
        report(S, At, true,
               (isView() ? "returns a view of "
                         : "returns a tensor that borrows the memory of ") +
                   Name + ", which is gone when the function returns");
    S.Keepers.insert(S.Holders.begin(), S.Holders.end());
    for (VarId V : S.Keepers)
      if (outlives(V))
        report(S, Maker, true,
               "'" + markVariable(F, V, F.Vars[V].Context) + "' keeps " +
                   (isView() ? "a view of "
                             : "a tensor that borrows the memory of ") +
                   Name + ", which is gone when the function returns");
    return false;
  }
  case Op::Throw:
    return false;
  case Op::List:
  case Op::Phi:
    for (const Arg &A : At.Args)
      if (isMemory(S, A) && How != Kept::Pointee)
        return false;
    break;
  default:
    break;
  }
  if (S.Owner == NoId && llvm::any_of(At.Args, [&](const Arg &A) {
        return A.Value && S.Memory.count(A.Value);
      }))
    return false; // somebody else has it
  if (&At == &Maker) {
    S.Values.insert(At.Result);
    S.Dead = false;
    S.Moved = nullptr;
    return true;
  }
  // OpenCV's functions keep a matrix's memory where the size allows for it.
  if (IsMatrix && At.isOpaque() && llvm::any_of(At.Args, [&](const Arg &A) {
        return A.R == Role::Write && A.Var != NoId && isOwner(S, A.Var);
      }))
    return false;
  if (At.isOpaque() && !opaque(S, At))
    return false;
  bool Takes = false;
  for (const Arg &A : At.Args) {
    if (!Borrows(A))
      continue;
    const bool Structure = opClass(At.O) == OpClass::Structure;
    const bool Reads = isView() && At.O == Op::ListGet;
    if ((S.Dead || S.Moved) && (!Structure || Reads) && &At != S.Moved) {
      report(S, At, false, gone(S));
      return false;
    }
    const bool Self = A.Name == "self" || A.Name == "out";
    Takes |= (Structure && At.O != Op::ListSize && !Reads &&
              !(isView() && At.O == Op::ListCopy)) ||
             (Self && isSelf(At)) ||
             (At.isOpaque() &&
              (At.Derives || At.O == Op::Closure || At.O == Op::FunctionRef ||
               At.O == Op::Aggregate || At.is(Attribute::MakesObject)));
    if (Self && opClass(At.O) == OpClass::MaybeCopy && isSelf(At))
      S.NoCopy = &At;
  }
  if (At.Result) {
    S.Values.erase(At.Result);
    if (Takes)
      S.Values.insert(At.Result);
  }
  return true;
}

void Borrower::report(const State &S, const Stmt &At, bool Leaving,
                      const std::string &Message) {
  if (Reported || (Leaving && Leaves))
    return;
  Reported = !Leaving;
  Finding Found(isView() ? Check::DanglingDataPointer : Check::FromBlobLifetime,
                0, At);
  Found.Message = Message;
  if (At.Context) // used in a call that is followed
    Found.At = &At;
  if (&At != &Maker)
    Found.Notes.push_back(
        {Maker.point(),
         isView() ? "the view is taken here"
                  : "from_blob() makes no copy; clone() its result to have "
                    "one"});
  if (S.NoCopy)
    Found.Notes.push_back(
        {S.NoCopy->Callee, S.NoCopy->Text + "() copies nothing here: the "
                                            "tensor has that form already"});
  if (Leaving)
    Leaves = std::move(Found);
  else
    C.Out.push_back(std::move(Found));
}

void Borrower::run() {
  forEachStmt(F, [&](BlockId, const Stmt &S) {
    if (S.is(Attribute::Reserves))
      for (const Arg &A : S.Args) {
        const Stmt *D = A.Value ? DefOf[A.Value] : nullptr;
        Reserved |= (D && D->O == Op::Load ? D->Var : A.Var) == Memory;
      }
  });
  std::vector<std::set<State>> Seen(F.Blocks.size());
  std::vector<std::pair<BlockId, State>> Work;
  auto Walk = [&](BlockId B, size_t From, State S) {
    const Block &Blk = F.Blocks[B];
    for (size_t I = From; I < Blk.Stmts.size(); ++I)
      if (!step(S, Blk.Stmts[I]))
        return;
    if (S.Values.empty() && S.Holders.empty() && S.Keepers.empty())
      return;
    for (size_t I = 0; I < Blk.Succs.size(); ++I) {
      const BlockId To = Blk.Succs[I];
      State Next = S;
      if (To != NoId && Paths.takes(B, I, Next.Known) &&
          Seen[To].size() < MaxStates && Seen[To].insert(Next).second)
        Work.push_back({To, std::move(Next)});
    }
  };
  for (BlockId B = 0; B < F.Blocks.size(); ++B)
    for (size_t I = 0; I < F.Blocks[B].Stmts.size(); ++I)
      if (&F.Blocks[B].Stmts[I] == &Maker) {
        State S;
        S.Owner = Memory;
        S.Known = Paths.before(B);
        Walk(B, I, std::move(S));
      }
  while (!Work.empty()) {
    auto [B, S] = std::move(Work.back());
    Work.pop_back();
    Walk(B, 0, std::move(S));
  }
  if (Leaves && !Reported && !HolderChanges)
    C.Out.push_back(std::move(*Leaves));
}

namespace {

/// Finds the variable whose own memory a pointer points into.
class MemoryOf {
public:
  MemoryOf(const Function &F, const Definitions &DefOf) : F(F), DefOf(DefOf) {
    forEachStmt(F, [&](BlockId, const Stmt &S) {
      matrices(S);
      if (S.O == Op::Store && !S.Args.empty()) {
        const Stmt *From = DefOf[S.Args[0].Value];
        // The field of an object that a call returned is the variable's own.
        const Stmt *Whole = From && From->O == Op::ListGet
                                ? DefOf[From->Args[0].Value]
                                : nullptr;
        const bool IsResult =
            Whole && (Whole->isOpaque() ? !Whole->Derives
                                        : Whole->O == Op::Load &&
                                              F.Vars[Whole->Var].IsResult);
        const bool IsOwn = IsResult && F.Vars[S.Var].Field >= 0;
        if (From && From->O == Op::ListGet && !IsOwn)
          Bound.insert(S.Var);
        auto [It, New] = OnlyStore.try_emplace(S.Var, &S);
        if (!New)
          It->second = nullptr;
      }
      for (const Arg &A : S.Args) {
        if (S.isOpaque() && A.R == Role::Write && A.Var != NoId &&
            F.Vars[A.Var].Borrows)
          OnlyStore[A.Var] = nullptr;
        if (S.is(Attribute::LooksThrough))
          continue;
        const Stmt *D = A.Value ? DefOf[A.Value] : nullptr;
        if (D && D->O == Op::Load)
          Copied.insert(D->Var);
        if (A.Var != NoId)
          Copied.insert(A.Var);
      }
    });
  }

  MemoryPlace find(ValueId V, unsigned Depth = 0) const {
    const Stmt *D = V ? DefOf[V] : nullptr;
    if (!D || Depth > 6)
      return {};
    if (D->O == Op::Load) {
      const Variable &Var = F.Vars[D->Var];
      if (Var.Borrows && llvm::StringRef(Var.Name).ends_with(".data") &&
          isMatrix(Var.Base))
        return {Var.Base, Kept::Own, false, true};
      if (!Var.Borrows) // an array
        return {Var.Type == VarType::List ? local(D->Var) : NoId};
      auto It = OnlyStore.find(D->Var);
      if (It == OnlyStore.end() || !It->second || Var.IsMember ||
          Var.IsStatic || Var.IsReference || Var.IsParam)
        return {};
      const MemoryPlace M = find(It->second->Args[0].Value, Depth + 1);
      // What a followed callee's own pointer points to is for the callee.
      return M.Var != NoId || Var.Context ? M
                                          : MemoryPlace{D->Var, Kept::Pointee};
    }
    if (!D->isOpaque() || D->Args.empty())
      return {};
    const Arg &A = D->Args[0];
    const Stmt *Of = A.Value ? DefOf[A.Value] : nullptr;
    const bool IsData = D->is(Attribute::PointsToFirst);
    // p->data(): the vector goes when the pointer does.
    if (IsData && Of && Of->is(Attribute::AccessesMember) && !Of->Args.empty())
      return owner(DefOf[Of->Args[0].Value]);
    if (D->is(Attribute::GivesRow)) {
      const VarId V = Of && Of->O == Op::Load ? Of->Var : A.Var;
      if (isMatrix(V))
        return {V, Kept::Own, false, true};
    }
    if (D->Derives)
      return find(A.Value, Depth + 1);
    if (IsData) {
      const bool IsElement = Of && Of->O == Op::ListGet && !Of->Args.empty();
      if (IsElement)
        Of = DefOf[Of->Args[0].Value];
      const VarId V = Of              ? (Of->O == Op::Load ? Of->Var : NoId)
                      : A.Var != NoId ? A.Var
                                      : NoId;
      if (V != NoId && isString(V))
        return {local(V)};
      return {V != NoId && F.Vars[V].Type == VarType::List ? local(V) : NoId,
              IsElement ? Kept::Element : Kept::Own};
    }
    if (D->is(Attribute::GivesPointer))
      return owner(Of);
    if (D->O == Op::AddressOf) {
      // &*v.begin()
      if (Of && (Of->O == Op::Deref || Of->calls(Attribute::Dereferences)) &&
          Of->Args.size() == 1)
        return find(Of->Args[0].Value, Depth + 1);
      // &text[0]
      if (Of && Of->isOpaque() && Of->is(Attribute::Subscript) &&
          !Of->Args.empty() && Of->Args[0].Var != NoId)
        return {isString(Of->Args[0].Var) ? local(Of->Args[0].Var) : NoId};
      if (Of && Of->O == Op::ListGet && !Of->Args.empty())
        Of = DefOf[Of->Args[0].Value];
      return {Of && Of->O == Op::Load && !F.Vars[Of->Var].Borrows
                  ? local(Of->Var)
                  : NoId};
    }
    return {};
  }

private:
  /// Collects what happens to variables that may be a cv::Mat.
  void matrices(const Stmt &S) {
    const bool Stores = S.O == Op::Store && !S.Args.empty();
    const Stmt *New = Stores ? DefOf[S.Args[0].Value] : nullptr;
    if (Stores) {
      const bool Reads = New && New->is(Attribute::ReadsMatrix);
      const bool Sized = New && New->is(Attribute::MakesMatrix) &&
                         findArg(*New, "channels") && New->Args.size() == 4 &&
                         llvm::all_of(New->Args, [&](const Arg &A) {
                           return isNumber(DefOf[A.Value]);
                         });
      const bool Other =
          New && (New->is(Attribute::CopiesMatrix) ||
                  (New->is(Attribute::MakesMatrix) && New->Args.empty()));
      if (Reads || Sized)
        Matrices.insert(S.Var);
      else if (!Other)
        Shared.insert(S.Var);
    }
    for (const Arg &A : S.Args) {
      const Stmt *D = A.Value ? DefOf[A.Value] : nullptr;
      const VarId V = D && D->O == Op::Load ? D->Var : A.Var;
      if (V == NoId || A.Name == "image" || A.Name == "into")
        continue;
      const bool Looking =
          S.isOpaque() && (S.is(Attribute::KeepsMatrix) ||
                           // In _InputArray(img), which is followed.
                           (S.Context && S.O == Op::AddressOf));
      if (!Looking)
        Shared.insert(V);
      else if (S.is(Attribute::PassesMatrix))
        Matrices.insert(V);
    }
  }

  bool isNumber(const Stmt *D) const {
    if (!D || D->O != Op::Load)
      return D && (D->IsScalar || D->O == Op::Const ||
                   opClass(D->O) == OpClass::Integer);
    return F.Vars[D->Var].Type == VarType::Int;
  }

  /// A local cv::Mat whose memory nobody else has: it is read from a file, made
  /// here, or what OpenCV writes to.
  bool isMatrix(VarId V) const {
    if (V == NoId || V >= F.Vars.size() || !Matrices.count(V) ||
        Shared.count(V))
      return false;
    const Variable &Var = F.Vars[V];
    return Var.Borrows && Var.Type == VarType::Other && !Var.IsMember &&
           !Var.IsStatic && !Var.IsReference && !Var.IsParam &&
           !Var.IsEnclosing && !Var.IsResult && !Var.Context;
  }

  /// The pointer that \p Loaded is, where nobody else owns what it points to.
  MemoryPlace owner(const Stmt *Loaded) const {
    auto It = Loaded && Loaded->O == Op::Load ? OnlyStore.find(Loaded->Var)
                                              : OnlyStore.end();
    const Stmt *Made = It != OnlyStore.end() && It->second
                           ? DefOf[It->second->Args[0].Value]
                           : nullptr;
    if (!Made)
      return {};
    const bool Shared = Made->is(Attribute::MakesShared);
    if (Shared ? Copied.count(Loaded->Var) != 0
               : !Made->is(Attribute::MakesOwner))
      return {};
    // A pointer to what somebody else owns is no pointer that owns.
    if (Shared && !Made->is(Attribute::MakesObject) && Made->Args.size() != 1)
      return {};
    return {local(Loaded->Var), Kept::Own, true};
  }

  /// A std::string that is made as one.
  bool isString(VarId V) const {
    auto It = OnlyStore.find(V);
    const Stmt *Made = It != OnlyStore.end() && It->second
                           ? DefOf[It->second->Args[0].Value]
                           : nullptr;
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
  const Definitions &DefOf;
  std::map<VarId, const Stmt *> OnlyStore;
  std::set<VarId> Copied;   ///< read to be more than looked through
  std::set<VarId> Bound;    ///< to memory of something else, or moved from it
  std::set<VarId> Matrices; ///< a cv::Mat, by what is done with it
  std::set<VarId> Shared;   ///< used in a way that may give it another owner
};

/// Whether a deleter has nothing to delete: it is a function, or a closure that
/// holds nothing.
bool keepsNothing(const Definitions &DefOf, const Arg &Deleter) {
  const Stmt *D = DefOf[Deleter.Value];
  if (D && D->isOpaque() && D->O != Op::Closure && D->Args.size() == 1)
    D = DefOf[D->Args[0].Value]; // std::function(closure)
  return D && D->isOpaque() && D->Args.empty() &&
         (D->O == Op::Closure || D->O == Op::FunctionRef);
}

} // namespace

void checkListViews(CheckRun &C) {
  Definitions DefOf;
  const auto IsView = [](const Stmt &S) {
    return S.O == Op::Temporary && S.Keeps && S.Result;
  };
  std::vector<const Stmt *> Views;
  forEachStmt(C.F, [&](BlockId, const Stmt &S) {
    if (IsView(S))
      Views.push_back(&S);
  });
  if (Views.empty())
    return;
  DefOf.assign(C.F.NextValue, nullptr);
  forEachStmt(C.F, [&](BlockId, const Stmt &S) {
    if (S.Result)
      DefOf[S.Result] = &S;
  });
  const PathConditions &Paths = C.Flow.paths();
  for (const Stmt *S : Views)
    if (const Stmt *Of = DefOf[S->Args[0].Value];
        Of && Of->O == Op::Load && !Of->Context)
      Borrower(C, DefOf, Paths, *S, {Of->Var, Kept::Own}).run();
}

void checkFromBlobLifetime(CheckRun &C) {
  const Function &F = C.F;
  std::vector<const Stmt *> Blobs;
  forEachStmt(F, [&](BlockId, const Stmt &S) {
    if (S.O == Op::FromBlob && S.Result)
      Blobs.push_back(&S);
  });
  if (Blobs.empty())
    return;
  for (const auto &[S, Site] : C.Opaque.Blobs) {
    if (Site.Message.empty() || S->Expected)
      continue;
    Finding Found(Check::FromBlobLifetime, 0, *S);
    Found.Message = Site.Message;
    Found.Notes = Site.Notes;
    Found.At = S;
    C.Out.push_back(std::move(Found));
  }
  Definitions DefOf(F.NextValue, nullptr);
  forEachStmt(F, [&](BlockId, const Stmt &S) {
    if (S.Result)
      DefOf[S.Result] = &S;
  });
  const MemoryOf Memory(F, DefOf);
  const PathConditions &Paths = C.Flow.paths();
  for (const Stmt *S : Blobs) {
    const Arg *Data = findArg(*S, "data");
    const Arg *Deleter = findArg(*S, "deleter");
    if (!Data || (Deleter && !keepsNothing(DefOf, *Deleter))) // that may own it
      continue;
    const MemoryPlace Of = Memory.find(Data->Value);
    if (Of.Var != NoId && !(Deleter && Of.How == Kept::Pointee))
      Borrower(C, DefOf, Paths, *S, Of).run();
  }
}

} // namespace tensortidy::analysis
