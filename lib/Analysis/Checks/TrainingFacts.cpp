//===- TrainingFacts.cpp - what training loops do and to what -------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/TrainingLoops.h"
#include "Analysis/Checks/Wording.h"
#include "llvm/ADT/STLExtras.h"

namespace tensortidy::analysis {

using namespace program;

bool evaluates(const LoopFacts &At, const Stmt &S) {
  if (S.is(Attribute::Evaluates))
    return true;
  const Stmt *Mode = nullptr;
  for (const Arg &A : S.Args)
    if (const Stmt *D = At.Def[A.Value];
        D && D->O == Op::Const && D->Const == ConstKind::Bool)
      Mode = D;
  return S.is(Attribute::SetsMode) && Mode && !Mode->Imm;
}

VarId TrainingFacts::rootOf(VarId V) const {
  while (F.Vars[V].Base < F.Vars.size())
    V = F.Vars[V].Base;
  return V;
}

bool TrainingFacts::isIn(VarId Part, VarId Whole) const {
  for (; Part < F.Vars.size(); Part = F.Vars[Part].Base)
    if (Part == Whole)
      return true;
  return false;
}

bool TrainingFacts::livesElsewhere(VarId Root) const {
  const Variable &V = F.Vars[Root];
  return V.IsMember || V.IsStatic || V.IsCaptured;
}

bool TrainingFacts::mayReach(const Stmt &S, VarId Root) const {
  if (S.O != Op::Opaque || S.Forward || S.Reaches == Reach::Arguments)
    return false;
  return S.Reaches == Reach::All || livesElsewhere(Root) ||
         llvm::any_of(S.Args, [&](const Arg &A) {
           return isRelated(A.Var, Root) ||
                  isRelated(At.Values.loaded(A.Value), Root);
         });
}

bool TrainingFacts::isGivenMore(const Stmt &S) const {
  if (S.O != Op::Opaque || S.Forward || S.Reaches == Reach::Arguments)
    return false;
  return llvm::any_of(S.Args, [&](const Arg &A) {
    const VarId V = A.Var != NoId ? A.Var : At.Values.loaded(A.Value);
    const Stmt *D = At.Def[A.Value];
    return (V != NoId && (F.Vars[V].Type == VarType::Other ||
                          F.Vars[V].Type == VarType::List)) ||
           (D && D->is(Attribute::ModuleTensors));
  });
}

std::string TrainingFacts::nameOf(VarId V) const {
  const Variable &Var = F.Vars[V];
  const VarId Named = Var.IsPointee && Var.Base < F.Vars.size() ? Var.Base : V;
  return quoted(nameIn(F, Named, 0), "a module");
}

TrainingFacts::Slice TrainingFacts::behind(ValueId Of) const {
  Slice R;
  std::vector<ValueId> Work{Of};
  auto Add = [&](const Stmt *S) {
    if (S && R.insert(S).second)
      for (const Arg &A : S->Args)
        if (A.Value)
          Work.push_back(A.Value);
  };
  while (!Work.empty()) {
    const Stmt *D = At.Def[Work.back()];
    Work.pop_back();
    Add(D);
    if (D && D->O == Op::Load)
      for (const Stmt *Store : At.Stores[D->Var])
        Add(Store);
  }
  return R;
}

bool TrainingFacts::isOfCall(const Stmt &S, const Stmt &Enter) const {
  auto IsCall = [&](const Range &Where, uint32_t Context) {
    return Where.Begin == Enter.Where.Begin && Where.End == Enter.Where.End &&
           Context == Enter.Context;
  };
  if (IsCall(S.Where, S.Context))
    return true;
  for (uint32_t Id = S.Context; Id; Id = F.Contexts[Id].Parent)
    if (IsCall(F.Contexts[Id].Where, F.Contexts[Id].Parent))
      return true;
  return false;
}

/// Whether something of \p Of was computed by the call behind \p Enter.
bool TrainingFacts::isOfCall(const Slice &Of, const Stmt &Enter) const {
  return llvm::any_of(Of, [&](const Stmt *S) { return isOfCall(*S, Enter); });
}

bool TrainingFacts::runs(const Stmt &S, VarId M, const Slice &Of) const {
  if (S.O == Op::Enters) {
    const Arg *Module = findArg(S, "module");
    return Module && isIn(At.Values.loaded(Module->Value), M) &&
           isOfCall(Of, S);
  }
  return S.O == Op::Opaque && S.Result && Of.count(&S) &&
         (S.Forward || S.Reaches != Reach::Arguments) && isIn(objectOf(S), M);
}

} // namespace tensortidy::analysis
