//===- LoopFacts.cpp - what iterations have in common ---------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Flow/LoopFacts.h"
#include "Analysis/Flow/Closure.h"

namespace tensortidy::analysis {

using namespace program;

VarId LoopFacts::find(VarId V) const {
  while (Alias[V] != V)
    V = Alias[V] = Alias[Alias[V]];
  return V;
}

void LoopFacts::addRoots(ValueId V, Variables &R, unsigned Depth) const {
  const Stmt *S = V < Def.size() ? Def[V] : nullptr;
  if (!S || Depth > 24)
    return;
  if (S->O == Op::Load) {
    R.insert(S->Var);
    return;
  }
  switch (opClass(S->O)) {
  case OpClass::View:
  case OpClass::MaybeCopy:
  case OpClass::InPlaceMeta:
  case OpClass::InPlaceData:
    for (const Arg &A : S->Args)
      if (A.Name == "self" || A.Name == "tensors" || A.Name == "out" ||
          A.Name.empty())
        addRoots(A.Value, R, Depth + 1);
    break;
  case OpClass::Structure:
  case OpClass::Effect:
    for (const Arg &A : S->Args)
      addRoots(A.Value, R, Depth + 1);
    break;
  default:
    break;
  }
}

LoopFacts::LoopFacts(const DefUse &Values, const Graph &Blocks)
    : F(Values.F), Values(Values), Blocks(Blocks), Def(Values.Def),
      DefBlock(Values.DefBlock), Uses(Values.Uses), Loads(Values.Loads),
      Stores(Values.Stores) {
  findLeaving();
  findChanges();
}

/// The loops around \p B, from the inside.
template <class Fn> static void around(const Function &F, BlockId B, Fn &&Do) {
  for (LoopId L = F.Blocks[B].InLoop; L != NoId; L = F.Loops[L].Parent)
    Do(L);
}

void LoopFacts::findLeaving() {
  LeavesEarly.assign(F.Loops.size(), false);
  auto Returns = [&](BlockId B) {
    return llvm::any_of(F.Blocks[B].Stmts,
                        [](const Stmt &S) { return S.O == Op::Return; });
  };
  for (BlockId B = 0; B < F.Blocks.size(); ++B) {
    if (F.Blocks[B].InLoop == NoId)
      continue;
    const bool Ends = Returns(B);
    around(F, B, [&](LoopId L) {
      if (B == F.Loops[L].Head)
        return;
      bool Leaves = Ends;
      for (BlockId To : F.Blocks[B].Succs)
        Leaves |= To != NoId && !blockInside(To, L) &&
                  (!F.Blocks[To].Succs.empty() || Returns(To));
      if (Leaves)
        LeavesEarly[L] = true;
    });
  }
}

/// Whether calls take the pointer \p V, which promise not to write through it
/// and give nothing back; and nothing else does.
bool LoopFacts::isOnlyRead(ValueId V) const {
  return V != 0 && llvm::all_of(Uses[V], [](const Use &U) {
           return U.S->O == Op::Opaque && !U.S->Result && U.A &&
                  U.A->R == Role::Read;
         });
}

void LoopFacts::findChanges() {
  StoredIn.resize(F.Loops.size());
  Changed.resize(F.Loops.size());
  CallsUnknown.assign(F.Loops.size(), false);
  Reshapes.assign(F.Loops.size(), false);
  for (VarId V = 0; V < F.Vars.size(); ++V)
    Alias.push_back(V);
  forEachStmt(F, [&](BlockId B, const Stmt &S) {
    if (opClass(S.O) == OpClass::InPlaceMeta)
      around(F, B, [&](LoopId L) { Reshapes[L] = true; });
    if (S.O != Op::Store || S.Var >= F.Vars.size())
      return;
    around(F, B, [&](LoopId L) { StoredIn[L].insert(S.Var); });
    if (!S.Args.empty() && F.Vars[S.Var].Type == VarType::Tensor)
      for (VarId R : roots(S.Args[0].Value))
        Alias[find(R)] = find(S.Var);
  });
  forEachStmt(F, [&](BlockId B, const Stmt &S) {
    auto Changes = [&](const Arg &A) {
      if (F.Blocks[B].InLoop == NoId)
        return;
      for (VarId R : roots(A.Value))
        around(F, B, [&](LoopId L) { Changed[L].insert(find(R)); });
    };
    const OpClass K = opClass(S.O);
    const bool Writes = K == OpClass::InPlaceData || K == OpClass::InPlaceMeta;
    const bool Exposes =
        (S.O == Op::DataPtr && !isOnlyRead(S.Result)) || S.O == Op::Accessor;
    for (const Arg &A : S.Args)
      if (Exposes ||
          (Writes && (A.Name == "self" || A.Name == "out" || A.Name.empty())))
        Changes(A);
    if (S.isOpaque())
      addCall(S, B);
  });
}

/// What a call without a model changes in the loops around it.
void LoopFacts::addCall(const Stmt &S, BlockId B) {
  if (F.Blocks[B].InLoop == NoId && S.is(Attribute::NoGrad))
    NoGrad = true;
  if ((S.O == Op::Opaque || S.O == Op::CalleeWrites) && !S.IsScalar &&
      !S.is(Attribute::OnlyHolds))
    around(F, B, [&](LoopId L) { CallsUnknown[L] = true; });
  for (const Arg &A : S.Args)
    if (A.R == Role::Write && A.Var != NoId)
      around(F, B, [&](LoopId L) {
        Changed[L].insert(find(A.Var));
        StoredIn[L].insert(A.Var);
      });
}

bool LoopFacts::mutated(VarId V, LoopId L, bool Elements) const {
  // Opaque calls list every variable they may write, but for what a pointer or
  // a lambda may reach.
  return StoredIn[L].count(V) || (Elements && Changed[L].count(find(V))) ||
         (CallsUnknown[L] && F.Vars[V].IsCaptured);
}

bool LoopFacts::fixed(ValueId V, LoopId L, bool Elements,
                      unsigned Depth) const {
  if (V == 0 || Depth > 24)
    return V == 0;
  const Stmt *S = Def[V];
  if (!S)
    return false;
  if (S->O == Op::Const)
    return true;
  if (S->O == Op::Load) {
    if (!mutated(S->Var, L, Elements))
      return true;
    // A local of the body, set once from what does not change.
    const Variable &Var = F.Vars[S->Var];
    ValueId Only = Values.onlyValue(S->Var);
    return Only && Var.DeclaredIn != NoId && inside(Var.DeclaredIn, L) &&
           !(Elements && Changed[L].count(find(S->Var))) &&
           fixed(Only, L, Elements, Depth + 1);
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
    if (S->Args.empty() ||
        !(isFloatArithmetic(S->O) || S->calls(Attribute::Pure)))
      return false;
    break;
  }
  default:
    return false;
  }
  // A type or a device is not among the elements a call may change.
  const bool Reached = Elements && S->O != Op::OptionsOp;
  for (const Arg &A : S->Args)
    if (!fixed(A.Value, L, Reached, Depth + 1))
      return false;
  return true;
}

bool LoopFacts::comesBack(BlockId B, LoopId L, BlockId Avoid) const {
  const BlockId Head = F.Loops[L].Head;
  return Blocks.reaches(Blocks.succs(B), [&](BlockId X) {
    if (X == Avoid || !(X == Head || blockInside(X, L)))
      return Visit::End;
    return X == Head ? Visit::Found : Visit::Pass;
  });
}

bool LoopFacts::everyIteration(BlockId B, LoopId L) const {
  const BlockId Head = F.Loops[L].Head;
  return Head != NoId && (B == Head || !comesBack(Head, L, B)) &&
         comesBack(B, L);
}

bool LoopFacts::isInteger(ValueId V) const {
  const Stmt *S = Def[V];
  return S && (opClass(S->O) == OpClass::Integer || S->O == Op::Size ||
               (S->O == Op::Load && F.Vars[S->Var].Type == VarType::Int) ||
               (S->O == Op::Const && S->Const == ConstKind::Int));
}

bool LoopFacts::isNumber(ValueId V) const {
  const Stmt *S = Def[V];
  return isInteger(V) ||
         (S && (S->IsScalar || S->O == Op::Item ||
                (S->O == Op::Const && S->Const == ConstKind::Float)));
}

std::optional<Counter> LoopFacts::counterIn(const Shares &All, VarId V) const {
  auto Reads = [&](ValueId Of, VarId What) {
    const Stmt *D = Def[Of];
    return D && D->O == Op::Load && D->Var == What;
  };
  for (const Stmt *S : Stores[V])
    if (S && Reads(S->Args[0].Value, All.First)) {
      auto R = counter(V, false, S);
      if (!R || !Reads(R->Bound, All.Last))
        return std::nullopt;
      R->Bound = All.End;
      return R;
    }
  return std::nullopt;
}

std::optional<Counter> LoopFacts::counter(VarId V, bool Inclusive,
                                          const Stmt *From) const {
  const Variable &Var = F.Vars[V];
  if (!Values.isOwn(V))
    return std::nullopt;
  Counter R;
  if (ValueId Only = Values.onlyValue(V)) {
    // for (auto i : irange(n))
    const Stmt *D = Def[Only];
    const Stmt *Range = D && D->O == Op::Element && D->Args.size() == 1
                            ? Def[D->Args[0].Value]
                            : nullptr;
    if (!Range || !Range->is(Attribute::CountsUp) || Range->Args.size() != 1 ||
        Var.DeclaredIn == NoId || Inclusive)
      return std::nullopt;
    R.Of = Var.DeclaredIn;
    R.Bound = Range->Args[0].Value;
    return R;
  }
  if (Stores[V].size() != 2)
    return std::nullopt;
  const Stmt *Step = nullptr;
  bool Starts = false, FromItself = false;
  for (const Stmt *S : Stores[V]) {
    const Stmt *D = S ? Def[S->Args[0].Value] : nullptr;
    if (!D)
      return std::nullopt;
    if (S == From) {
      Starts = true;
    } else if (D->O == Op::Const && D->Const == ConstKind::Int && D->Imm >= 0) {
      Starts = true;
      R.Start = D->Imm;
    } else if (D->O == Op::IAdd && D->Args.size() == 2) {
      Step = D;
    }
  }
  if (!Starts || !Step)
    return std::nullopt;
  R.Step = 0;
  for (const Arg &A : Step->Args) {
    const Stmt *D = Def[A.Value];
    FromItself = FromItself || (D && D->O == Op::Load && D->Var == V);
    if (D && D->O == Op::Const && D->Const == ConstKind::Int)
      R.Step = D->Imm;
  }
  const BlockId StepAt = DefBlock[Step->Result];
  for (LoopId L = 0; FromItself && R.Step > 0 && L < F.Loops.size(); ++L) {
    const BlockId Head = F.Loops[L].Head;
    // The step is the last thing an iteration does.
    if (Head == NoId || F.Blocks[StepAt].Succs.size() != 1 ||
        F.Blocks[StepAt].Succs[0] != Head || !F.Blocks[Head].Condition)
      continue;
    const Stmt *Test = Def[F.Blocks[Head].Condition];
    const Stmt *Left = Test && Test->O == (Inclusive ? Op::CmpLe : Op::CmpLt) &&
                               Test->Args.size() == 2
                           ? Def[Test->Args[0].Value]
                           : nullptr;
    if (!Left || Left->O != Op::Load || Left->Var != V)
      continue;
    R.Of = L;
    R.Bound = Test->Args[1].Value;
    return R;
  }
  return std::nullopt;
}

bool LoopFacts::ownElements(ValueId V) const {
  const Variables Roots = roots(V);
  std::set<VarId> Same;
  for (VarId R : Roots)
    Same.insert(find(R));
  for (VarId R = 0; R < F.Vars.size(); ++R) {
    if (!Same.count(find(R)))
      continue;
    if (!Values.isOwn(R))
      return false;
    for (const Stmt *S : Stores[R]) {
      const Stmt *D = S ? Def[S->Args[0].Value] : nullptr;
      OpClass K = D ? opClass(D->O) : OpClass::Effect;
      bool Fresh = K == OpClass::Factory || K == OpClass::Copy ||
                   K == OpClass::Compute || K == OpClass::View ||
                   K == OpClass::MaybeCopy ||
                   (D && D->O == Op::Load && Same.count(find(D->Var)));
      // What it views is among the roots.
      if (!Fresh || D->O == Op::FromBlob)
        return false;
    }
  }
  bool Own = !Roots.empty();
  forEachStmt(F, [&](BlockId, const Stmt &S) {
    if (S.isOpaque())
      for (const Arg &A : S.Args)
        if (A.R != Role::Read && A.Value)
          for (VarId R : roots(A.Value))
            Own = Own && !Same.count(find(R));
  });
  return Own;
}

bool LoopFacts::passes(BlockId B, BlockId To) const {
  return !Blocks.reaches(F.Entry, [&](BlockId X) {
    return X == B ? Visit::End : X == To ? Visit::Found : Visit::Pass;
  });
}

bool LoopFacts::comesTo(BlockId B, BlockId From) const {
  return !Blocks.reaches(From, [&](BlockId X) {
    const Block &Blk = F.Blocks[X];
    if (X == B || (!Blk.Stmts.empty() && Blk.Stmts.back().O == Op::Throw))
      return Visit::End;
    return llvm::all_of(Blk.Succs, [](BlockId Y) { return Y == NoId; })
               ? Visit::Found
               : Visit::Pass;
  });
}

bool LoopFacts::leadsTo(const Stmt &A, BlockId InA, const Stmt &B,
                        BlockId InB) const {
  return (InA == InB && &A < &B) ||
         Blocks.reaches(Blocks.succs(InA), [&](BlockId X) {
           return X == InB ? Visit::Found : Visit::Pass;
         });
}

void LoopFacts::hoist(const Stmt &S, BlockId B,
                      std::vector<Edit> &Edits) const {
  const Stmt *Kept = nullptr;
  for (const Use &U : Uses[S.Result])
    if (U.S->O == Op::Store)
      Kept = U.S;
  if (!Kept || !(S.Edits & EditHoist) || !F.Vars[Kept->Var].Decl.Begin)
    return;
  const LoopId Inner = F.Blocks[B].InLoop;
  bool NamesInner = false;
  closure(S.Result, [&](ValueId V, auto Add) {
    const Stmt *D = V ? Def[V] : nullptr;
    if (!D)
      return true;
    if (D->O == Op::Load) {
      const LoopId In = F.Vars[D->Var].DeclaredIn;
      NamesInner |= In != NoId && inside(In, Inner);
    }
    if (blockInside(DefBlock[V], Inner))
      for (const Arg &A : D->Args)
        Add(A.Value);
    return !NamesInner;
  });
  if (NamesInner)
    return;
  Edits.push_back(
      {Edit::Hoist, F.Vars[Kept->Var].Decl, F.Loops[Inner].Where, ""});
}

} // namespace tensortidy::analysis
