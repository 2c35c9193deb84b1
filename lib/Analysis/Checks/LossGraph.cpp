//===- LossGraph.cpp - what a loss is computed from -----------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/LossGraph.h"
#include "Analysis/Flow/Closure.h"
#include <set>

namespace tensortidy::analysis {

using namespace program;

bool isDifferentiable(const Stmt &S) {
  switch (opClass(S.O)) {
  case OpClass::Compute:
  case OpClass::Copy:
  case OpClass::MaybeCopy:
    return !S.is(Attribute::NoGradient);
  case OpClass::View:
    return S.O != Op::Detach;
  case OpClass::InPlaceData:
    return S.O == Op::Update;
  default:
    break;
  }
  switch (S.O) {
  case Op::List:
  case Op::ListOf:
  case Op::ListGet:
  case Op::ListSet:
  case Op::ListInsert:
  case Op::ListCopy:
  case Op::Phi:
  case Op::Temporary:
    return true;
  default:
    return S.Forward || S.is(Attribute::HoldsTensor);
  }
}

const char *effectOfStep(const Stmt &Step) {
  return Step.is(Attribute::ChangesData)
             ? "throws, or, with SGD, gives wrong gradients"
             : "throws";
}

std::vector<const Stmt *> LossGraphs::stores(const Stmt &Load) const {
  std::vector<const Stmt *> Of = H.reaching(Load);
  if (Of.empty() && F.Vars[Load.Var].IsContainer)
    Of = filled(Load.Var);
  if (!Of.empty())
    return Of;
  // A field: what the loop gives it, if that is all seen.
  const LoopId L = loopOf(Load);
  for (const Stmt *S : At.Stores[Load.Var])
    if (S && !S->Args.empty())
      Of.push_back(S);
    else if (L == NoId)
      return {};
  bool Unseen = L == NoId && Of.size() != 1;
  forEachStmt(F, [&](BlockId B, const Stmt &S) {
    Unseen = Unseen || (L != NoId && S.isOpaque() && At.blockInside(B, L) &&
                        changes(S, Load.Var));
  });
  if (Unseen)
    Of.clear();
  return Of;
}

/// The map of which \p S gives an element; or NoId.
VarId LossGraphs::mapOf(const Stmt &S) const {
  const bool Gives = S.is(Attribute::GivesElement) && !S.Args.empty() &&
                     S.Args[0].Var != NoId && F.Vars[S.Args[0].Var].IsContainer;
  return Gives ? S.Args[0].Var : VarId(NoId);
}

/// Whether a loop goes through what \p V holds.
bool LossGraphs::isRange(VarId V) const {
  return llvm::any_of(At.Loads[V], [&](const Stmt *Load) {
    return llvm::any_of(At.Uses[Load->Result], [](const DefUse::Use &U) {
      return U.S->O == Op::RangeMore;
    });
  });
}

/// The text by which \p Element names one element of a map; empty: another.
llvm::StringRef LossGraphs::keyOf(const Stmt &Element) const {
  const Stmt *Key =
      Element.Args.size() > 1 ? H.def(Element.Args[1].Value) : nullptr;
  while (Key && Key->is(Attribute::SameText) && Key->Args.size() == 1)
    Key = H.def(Key->Args[0].Value);
  return Key && Key->Const == ConstKind::String ? llvm::StringRef(Key->Text)
                                                : llvm::StringRef();
}

/// What gives a map its elements: `losses = net->losses(x)`, or one by one,
/// each once: `losses["box"] = f(x)`. Nothing where they may be written
/// otherwise.
std::vector<const Stmt *> LossGraphs::filled(VarId Map) const {
  auto Reads = [](const DefUse::Use &U) {
    const OpClass K = opClass(U.S->O);
    return K == OpClass::Compute || K == OpClass::Copy ||
           K == OpClass::MaybeCopy || K == OpClass::Query ||
           U.S->O == Op::Item || U.S->O == Op::Backward ||
           (U.S->O == Op::Assign && U.A->Name == "element");
  };
  std::vector<const Stmt *> All;
  std::set<llvm::StringRef> Keys;
  bool Written = Map == NoId, Whole = false;
  forEachStmt(F, [&](BlockId, const Stmt &S) {
    if (Written)
      return;
    if (S.O == Op::Store && S.Var == Map && !S.Args.empty()) {
      const Stmt *Made = H.def(S.Args[0].Value);
      if (!Made || !Made->isOpaque() || !Made->Args.empty()) { // not `Map m;`
        Whole = true;
        All.push_back(&S);
      }
    } else if (const Arg *To = findArg(S, "element");
               To && S.O == Op::Assign && changes(S, Map)) {
      const Stmt *Element = H.def(To->Value);
      const llvm::StringRef Key = Element ? keyOf(*Element) : "";
      Written = Key.empty() || !Keys.insert(Key).second;
      All.push_back(&S);
    } else if (mapOf(S) == Map) {
      Written = !llvm::all_of(At.Uses[S.Result], Reads);
    } else if (S.O == Op::Load && S.Var == Map) {
      // for (auto &[name, x] : map)
      Written = llvm::any_of(At.Uses[S.Result], [&](const DefUse::Use &U) {
        return U.S->O == Op::Store &&
               (U.S->Binds ||
                !(F.Vars[U.S->Var].IsContainer || F.Vars[U.S->Var].IsResult) ||
                F.Vars[U.S->Var].IsReference || isRange(U.S->Var));
      });
    } else {
      Written = changes(S, Map);
    }
  });
  return Written || (Whole && !Keys.empty()) ? std::vector<const Stmt *>()
                                             : All;
}

LossGraph LossGraphs::graph(ValueId V,
                            llvm::ArrayRef<const Stmt *> Stop) const {
  LossGraph G;
  closure(
      V,
      [&](ValueId At, auto Add) {
        const Stmt *S = H.def(At);
        if (S && S->O == Op::Load) {
          G.Loads.insert(S);
          if (!llvm::is_contained(Stop, S))
            for (const Stmt *Store : stores(*S))
              if (!Store->Args.empty())
                Add(Store->Args[0].Value);
        } else if (S && !Grads.isGuarded(*S)) {
          G.Stmts.insert(S);
          for (const Stmt *Store : filled(mapOf(*S)))
            Add(Store->Args[0].Value);
          if (isDifferentiable(*S))
            for (const Arg &A : S->Args)
              if (A.Value)
                Add(A.Value);
        }
        return true;
      },
      /*Most=*/512);
  return G;
}

/// Whether \p S computes with the parameters of a module.
bool LossGraphs::ofModule(const Stmt &S) const {
  const Arg *Weight = findArg(S, "weight");
  const Stmt *D = Weight ? H.def(Weight->Value) : nullptr;
  return S.Forward || (D && D->O == Op::Weight);
}

bool LossGraphs::changes(const Stmt &S, VarId V) const {
  if (S.O == Op::Store)
    return S.Var == V;
  return S.isOpaque() && llvm::any_of(S.Args, [&](const Arg &A) {
           return A.R == Role::Write && A.Var == V;
         });
}

} // namespace tensortidy::analysis
