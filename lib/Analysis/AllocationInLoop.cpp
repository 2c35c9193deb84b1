//===- AllocationInLoop.cpp - tensor-allocation-in-loop -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An allocation is reported when, for a loop around it,
//   * every iteration runs it, with arguments the loop does not change;
//   * the tensor does not outlive the iteration: it is held by variables of
//     the loop's body only, and nothing keeps it;
//   * its elements are never written, or it starts uninitialised and the first
//     thing that touches it overwrites all of it.
// This works on the program's def-use chains, not on worlds: what it asks is
// about all iterations at once.
//
//===----------------------------------------------------------------------===//

#include "Analysis/CheckRun.h"
#include <algorithm>
#include <set>

namespace tensortidy::analysis {

using namespace program;

namespace {

class LoopAllocations {
public:
  explicit LoopAllocations(CheckRun &C) : C(C), F(C.F) { index(); }
  void run();

private:
  struct Use {
    const Stmt *S;
    const Arg *A;
    BlockId B;
  };
  void index();
  bool blockInside(BlockId B, LoopId L) const;
  bool inside(LoopId Inner, LoopId L) const;
  bool everyIteration(BlockId B, LoopId L) const;
  bool invariant(ValueId V, LoopId L, unsigned Depth = 0);
  std::set<VarId> roots(ValueId V, unsigned Depth = 0) const;
  VarId find(VarId V) const;
  bool mutated(VarId V, LoopId L);
  bool staysInside(const Stmt &S, BlockId B, LoopId L, bool &Scratch);
  bool copiesSurely(const Stmt &S) const;

  CheckRun &C;
  const Function &F;
  std::vector<const Stmt *> Def;
  std::vector<BlockId> DefBlock;
  std::vector<std::vector<Use>> Uses;           ///< by value
  std::vector<std::vector<const Stmt *>> Loads; ///< by variable
  std::vector<std::set<LoopId>> StoredIn;       ///< loops that store a variable
  mutable std::vector<VarId> Alias;             ///< union-find over variables
  /// Variables whose tensors' data or metadata a loop changes.
  std::vector<std::set<VarId>> Changed;
  bool NoGrad = false;            ///< a guard at the top of the function
  std::vector<bool> CallsUnknown; ///< loops with opaque calls
};

bool LoopAllocations::inside(LoopId Inner, LoopId L) const {
  for (; Inner != NoId; Inner = F.Loops[Inner].Parent)
    if (Inner == L)
      return true;
  return false;
}
bool LoopAllocations::blockInside(BlockId B, LoopId L) const {
  return inside(F.Blocks[B].InLoop, L);
}

VarId LoopAllocations::find(VarId V) const {
  while (Alias[V] != V)
    V = Alias[V] = Alias[Alias[V]];
  return V;
}

/// Variables whose tensor a value may share storage with.
std::set<VarId> LoopAllocations::roots(ValueId V, unsigned Depth) const {
  std::set<VarId> R;
  const Stmt *S = V < Def.size() ? Def[V] : nullptr;
  if (!S || Depth > 24)
    return R;
  if (S->O == Op::Load)
    return {S->Var};
  switch (opClass(S->O)) {
  case OpClass::View:
  case OpClass::MaybeCopy:
  case OpClass::InPlaceMeta:
  case OpClass::InPlaceData:
  case OpClass::Structure:
  case OpClass::Effect:
    for (const Arg &A : S->Args) {
      auto More = roots(A.Value, Depth + 1);
      R.insert(More.begin(), More.end());
    }
    break;
  default:
    break;
  }
  return R;
}

void LoopAllocations::index() {
  Def.assign(F.NextValue, nullptr);
  DefBlock.assign(F.NextValue, 0);
  Uses.resize(F.NextValue);
  Loads.resize(F.Vars.size());
  StoredIn.resize(F.Vars.size());
  Changed.resize(F.Loops.size());
  CallsUnknown.assign(F.Loops.size(), false);
  for (VarId V = 0; V < F.Vars.size(); ++V)
    Alias.push_back(V);
  forEachStmt(F, [&](BlockId B, const Stmt &S) {
    if (S.Result) {
      Def[S.Result] = &S;
      DefBlock[S.Result] = B;
    }
    for (const Arg &A : S.Args)
      if (A.Value)
        Uses[A.Value].push_back({&S, &A, B});
    if (S.O == Op::Load && S.Var < Loads.size())
      Loads[S.Var].push_back(&S);
  });
  auto Around = [&](BlockId B, auto &&Do) {
    for (LoopId L = F.Blocks[B].InLoop; L != NoId; L = F.Loops[L].Parent)
      Do(L);
  };
  forEachStmt(F, [&](BlockId B, const Stmt &S) {
    if (S.O != Op::Store || S.Var >= F.Vars.size())
      return;
    Around(B, [&](LoopId L) { StoredIn[S.Var].insert(L); });
    if (!S.Args.empty() && F.Vars[S.Var].Type == VarType::Tensor)
      for (VarId R : roots(S.Args[0].Value))
        Alias[find(R)] = find(S.Var);
  });
  forEachStmt(F, [&](BlockId B, const Stmt &S) {
    OpClass K = opClass(S.O);
    if (K == OpClass::InPlaceData || K == OpClass::InPlaceMeta)
      for (const Arg &A : S.Args)
        if (A.Name == "self" || A.Name == "out" || A.Name.empty())
          for (VarId R : roots(A.Value))
            Around(B, [&](LoopId L) { Changed[L].insert(find(R)); });
    if (S.O == Op::DataPtr || S.O == Op::Accessor)
      for (const Arg &A : S.Args)
        for (VarId R : roots(A.Value))
          Around(B, [&](LoopId L) { Changed[L].insert(find(R)); });
    if (S.O == Op::Opaque) {
      if (F.Blocks[B].InLoop == NoId &&
          (S.Text == "NoGradGuard" || S.Text == "InferenceMode"))
        NoGrad = true;
      // Arithmetic, and containers that only hold what they are given.
      static const std::set<llvm::StringRef> Harmless = {
          "push_back", "emplace_back", "reserve", "more",  "element", "size",
          "empty",     "back",         "front",   "begin", "end"};
      if (!S.IsScalar && !Harmless.count(S.Text))
        Around(B, [&](LoopId L) { CallsUnknown[L] = true; });
      for (const Arg &A : S.Args)
        if (A.R == Role::Write && A.Var != NoId)
          Around(B, [&](LoopId L) {
            Changed[L].insert(find(A.Var));
            StoredIn[A.Var].insert(L);
          });
    }
  });
}

bool LoopAllocations::mutated(VarId V, LoopId L) {
  // Opaque calls list every variable they may write, but for what a pointer or
  // a lambda may reach.
  return StoredIn[V].count(L) || Changed[L].count(find(V)) ||
         (CallsUnknown[L] && F.Vars[V].IsCaptured);
}

bool LoopAllocations::invariant(ValueId V, LoopId L, unsigned Depth) {
  if (V == 0 || Depth > 24)
    return V == 0;
  const Stmt *S = Def[V];
  if (!S)
    return false;
  if (S->O == Op::Const)
    return true;
  if (S->O == Op::Load) {
    if (!mutated(S->Var, L))
      return true;
    // A local of the body, set once from what does not change.
    const Variable &Var = F.Vars[S->Var];
    if (Var.DeclaredIn == NoId || !inside(Var.DeclaredIn, L) ||
        Var.IsCaptured || Var.IsMember || Changed[L].count(find(S->Var)))
      return false;
    const Stmt *Only = nullptr;
    bool Several = false;
    forEachStmt(F, [&](BlockId, const Stmt &T) {
      if (T.O == Op::Store && T.Var == S->Var && !T.Args.empty()) {
        Several = Several || Only;
        Only = &T;
      }
      if (T.O == Op::Opaque)
        for (const Arg &A : T.Args)
          Several = Several || (A.R == Role::Write && A.Var == S->Var);
    });
    return Only && !Several && invariant(Only->Args[0].Value, L, Depth + 1);
  }
  if (!blockInside(DefBlock[V], L))
    return true;
  switch (opClass(S->O)) {
  case OpClass::Integer:
  case OpClass::Query:
  case OpClass::View:
    break;
  case OpClass::Structure:
    if (S->O == Op::Phi)
      return false;
    break;
  case OpClass::Condition:
    break;
  case OpClass::Effect: { // arithmetic on floating-point numbers
    static const std::set<llvm::StringRef> Pure = {
        "+",    "-",    "*",     "/",   "sqrt", "exp",  "log", "pow", "abs",
        "fabs", "ceil", "floor", "sin", "cos",  "tanh", "max", "min"};
    if (S->O != Op::Opaque || S->Args.empty() ||
        !(S->Text.empty() || Pure.count(S->Text)))
      return false;
    break;
  }
  default:
    return false;
  }
  for (const Arg &A : S->Args)
    if (!invariant(A.Value, L, Depth + 1))
      return false;
  return true;
}

/// Every path around the loop passes B, and B leads back to the head.
bool LoopAllocations::everyIteration(BlockId B, LoopId L) const {
  BlockId Head = F.Loops[L].Head;
  if (Head == NoId)
    return false;
  auto Reaches = [&](BlockId From, BlockId Avoid) {
    std::vector<BlockId> Work{From};
    std::set<BlockId> Seen;
    while (!Work.empty()) {
      BlockId X = Work.back();
      Work.pop_back();
      for (BlockId Y : F.Blocks[X].Succs) {
        if (Y == NoId || Y == Avoid || !(Y == Head || blockInside(Y, L)))
          continue;
        if (Y == Head)
          return true;
        if (Seen.insert(Y).second)
          Work.push_back(Y);
      }
    }
    return false;
  };
  return (B == Head || !Reaches(Head, B)) && Reaches(B, NoId);
}

bool LoopAllocations::copiesSurely(const Stmt &S) const {
  auto Copies = [&](const RunResult *R) {
    if (!R)
      return false;
    auto It = R->Contiguous.find(&S);
    return It != R->Contiguous.end() && It->second.Other &&
           !It->second.Redundant;
  };
  return Copies(&C.Opaque) || Copies(C.Contiguous);
}

/// Follows every use of the allocated tensor.
bool LoopAllocations::staysInside(const Stmt &S, BlockId B, LoopId L,
                                  bool &Scratch) {
  const bool Uninitialised = S.O == Op::Empty || S.O == Op::EmptyLike;
  bool Overwritten = false, Read = false, Saved = false, Written = false;
  // For `empty`: the first statement after it that touches it must overwrite
  // all of it, and stand in the same block.
  std::set<ValueId> Whole, Values;
  std::set<VarId> Vars;
  std::vector<ValueId> Work{S.Result};
  Whole.insert(S.Result);
  Values.insert(S.Result);
  std::vector<std::pair<const Stmt *, bool>> Touches; // statement, overwrites
  auto Follow = [&](ValueId V, bool IsWhole) {
    if (V && Values.insert(V).second)
      Work.push_back(V);
    if (IsWhole)
      Whole.insert(V);
  };
  while (!Work.empty()) {
    ValueId V = Work.back();
    Work.pop_back();
    const bool IsWhole = Whole.count(V);
    for (const Use &U : Uses[V]) {
      const Stmt &T = *U.S;
      switch (T.O) {
      case Op::Store: {
        const Variable &Var = F.Vars[T.Var];
        if (Var.IsParam || Var.IsMember || Var.IsStatic || Var.IsCaptured ||
            Var.IsReference || Var.Type != VarType::Tensor ||
            Var.DeclaredIn == NoId || !inside(Var.DeclaredIn, L))
          return false;
        if (Vars.insert(T.Var).second)
          for (const Stmt *Load : Loads[T.Var])
            Follow(Load->Result, IsWhole);
        continue;
      }
      case Op::Phi:
      case Op::SelfHandle:
      case Op::Detach:
        Follow(T.Result, IsWhole);
        continue;
      case Op::List: {
        // Into cat, stack, index: read there. Kept anywhere else: gives up.
        for (const Use &W : Uses[T.Result])
          if (opClass(W.S->O) != OpClass::Compute && W.S->O != Op::Index)
            return false;
        Read = Saved = true;
        Touches.push_back({&T, false});
        continue;
      }
      case Op::Opaque:
        if (U.A->R != Role::Read)
          return false;
        Read = Saved = true;
        Touches.push_back({&T, false});
        continue;
      case Op::Return:
      case Op::Throw:
      case Op::RequiresGrad:
      case Op::Backward:
        return false;
      case Op::DataPtr:
      case Op::Accessor:
        return false; // what is done with it is not known
      case Op::Overwrite:
      case Op::OutWrite: {
        bool Target = U.A->Name == "self" || U.A->Name == "out";
        if (Target) {
          Written = true;
          Overwritten = Overwritten || IsWhole;
          Touches.push_back({&T, IsWhole});
          Follow(T.Result, IsWhole);
        } else {
          Read = true;
          Touches.push_back({&T, false});
        }
        continue;
      }
      default:
        break;
      }
      switch (opClass(T.O)) {
      case OpClass::Query:
      case OpClass::Condition:
        continue;
      case OpClass::View:
      case OpClass::MaybeCopy:
        if (T.O == Op::Index && U.A->Name != "self")
          Read = true;
        Follow(T.Result, false);
        if (opClass(T.O) == OpClass::MaybeCopy)
          Read = Saved = true;
        Touches.push_back({&T, false});
        continue;
      case OpClass::InPlaceData:
        if (U.A->Name != "self" && U.A->Name != "out") {
          Read = Saved = true;
          Touches.push_back({&T, false});
          continue;
        }
        Written = true;
        Touches.push_back({&T, false});
        Follow(T.Result, IsWhole);
        continue;
      case OpClass::InPlaceMeta:
        return false;
      case OpClass::Copy:
      case OpClass::Factory:
        Read = true;
        Touches.push_back({&T, false});
        continue;
      case OpClass::Compute:
        Read = Saved = true;
        Touches.push_back({&T, false});
        continue;
      case OpClass::Access:
        Read = true;
        Touches.push_back({&T, false});
        continue;
      default:
        return false;
      }
    }
  }
  // A variable that also takes other tensors is not one hoistable value.
  for (VarId V : Vars) {
    unsigned Stores = 0;
    forEachStmt(F, [&](BlockId, const Stmt &T) {
      Stores += T.O == Op::Store && T.Var == V && !T.Args.empty();
    });
    if (Stores != 1)
      return false;
  }
  if (!Written)
    return !Uninitialised && Read;
  // Autograd may have saved what the next iteration would overwrite.
  if (!Uninitialised || !Overwritten || (Saved && !NoGrad))
    return false;
  // The first touch in the block overwrites.
  const auto &Stmts = F.Blocks[B].Stmts;
  for (const Stmt *T = &S + 1; T != Stmts.data() + Stmts.size(); ++T)
    for (const auto &Touch : Touches)
      if (Touch.first == T) {
        Scratch = Touch.second;
        return Touch.second;
      }
  return false;
}

void LoopAllocations::run() {
  for (BlockId B = 0; B < F.Blocks.size(); ++B) {
    if (F.Blocks[B].InLoop == NoId)
      continue;
    for (const Stmt &S : F.Blocks[B].Stmts) {
      bool Copy = false;
      switch (S.O) {
      case Op::Empty:
      case Op::Filled:
      case Op::FilledLike:
      case Op::EmptyLike:
      case Op::Arange:
      case Op::Eye:
      case Op::Linspace:
      case Op::TensorOf:
        break;
      case Op::Contiguous:
        if (!copiesSurely(S))
          continue;
        Copy = true;
        break;
      case Op::To:
        if (!C.Opaque.SureCopies.count(&S))
          continue;
        Copy = true;
        break;
      case Op::Clone:
      case Op::CloneDense:
        Copy = true;
        break;
      default:
        continue;
      }
      // The outermost loop it can leave.
      LoopId Best = NoId;
      bool Scratch = false;
      for (LoopId L = F.Blocks[B].InLoop; L != NoId; L = F.Loops[L].Parent) {
        // What an unknown call does to a tensor's data cannot be seen.
        if (F.Loops[L].RunsOnce || !everyIteration(B, L) ||
            (Copy && CallsUnknown[L]))
          break;
        bool Fixed = true;
        for (const Arg &A : S.Args) {
          Fixed = Fixed && invariant(A.Value, L);
          // A leaf that takes gradients is another tensor each time.
          if (const Stmt *O = Def[A.Value])
            Fixed = Fixed &&
                    !(O->O == Op::OptionsOp && findArg(*O, "requires_grad"));
        }
        if (!Fixed || !staysInside(S, B, L, Scratch))
          break;
        Best = L;
      }
      if (Best == NoId) {
        C.Silent.push_back({Check::AllocationInLoop, S.Callee.Begin});
        continue;
      }
      Finding Found;
      Found.Id = Check::AllocationInLoop;
      Found.Level = 1;
      Found.Where = S.Where;
      Found.Point = S.Callee.Begin ? S.Callee : S.Where;
      const Stmt *Kept = nullptr;
      for (const Use &U : Uses[S.Result])
        if (U.S->O == Op::Store)
          Kept = U.S;
      std::string Text = S.Text.empty() ? opName(S.O).str() : S.Text;
      std::string What = Kept ? "'" + F.Vars[Kept->Var].Name + "'"
                              : "the result of " + Text + "()";
      Found.Message =
          Copy ? What + " is the same copy in every iteration"
               : What + " is allocated" +
                     (Scratch ? " anew in every iteration and overwritten"
                              : " in every iteration with the same arguments");
      Found.Message += "; hoist it out of the loop";
      auto Size = C.Opaque.AllocationSize.find(&S);
      if (Size != C.Opaque.AllocationSize.end() &&
          Size->second.find('?') == std::string::npos)
        Found.Message += " (" + Size->second + " each time)";
      Found.Notes.push_back(
          {F.Loops[Best].Where, "nothing it depends on changes in this loop"});
      // Moving the declaration is right when all it names is outside.
      LoopId Inner = F.Blocks[B].InLoop;
      bool Moves =
          Kept && (S.Edits & EditHoist) && F.Vars[Kept->Var].Decl.Begin != 0;
      std::vector<ValueId> Work;
      for (const Arg &A : S.Args)
        Work.push_back(A.Value);
      while (Moves && !Work.empty()) {
        ValueId V = Work.back();
        Work.pop_back();
        const Stmt *D = V ? Def[V] : nullptr;
        if (!D)
          continue;
        if (D->O == Op::Load) {
          LoopId At = F.Vars[D->Var].DeclaredIn;
          Moves = At == NoId || !inside(At, Inner);
        }
        if (blockInside(DefBlock[V], Inner))
          for (const Arg &A : D->Args)
            Work.push_back(A.Value);
      }
      if (Moves)
        Found.Edits.push_back(
            {Edit::Hoist, F.Vars[Kept->Var].Decl, F.Loops[Inner].Where, ""});
      C.Out.push_back(std::move(Found));
    }
  }
}

} // namespace

void checkAllocationInLoop(CheckRun &C) {
  if (!C.F.Loops.empty())
    LoopAllocations(C).run();
}

} // namespace tensortidy::analysis
