//===- MissingNoGrad.cpp - tensor-missing-no-grad -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: the function. It puts a module into evaluation mode and runs it,
// never asks for a gradient, and never says that it does not want any. Another
// method may have put the module into that mode; one that was loaded from a
// file, and is not trained here, is there to be run.
//
//   net->eval(); n = net(x).argmax(1)...item()   level 1: nothing that has a
//                                                gradient leaves the function
//   net->eval(); return net(x)                   level 2: somebody may ask
//   load(net, path); NoGradGuard g; net(x)       the other half: no eval()
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/LossGraph.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace tensortidy::analysis {

using namespace program;

namespace {

/// Where the gradients of what modules give could still be asked for: whether
/// all of it ends in numbers, elements and detached tensors here.
class GraphEnds {
public:
  explicit GraphEnds(const CheckRun &C) : C(C), F(C.F), At(C.Loops) {}
  bool hold(llvm::ArrayRef<const Stmt *> Runs);

private:
  void add(ValueId V) {
    if (V && Seen.insert(V).second)
      Work.push_back(V);
  }
  bool follows(const DefUse::Use &U);
  bool stores(VarId V);
  bool writes(ValueId Into);
  bool isInteger(const Stmt &S) const;
  bool isNumber(VarId V) const {
    return V != NoId &&
           (F.Vars[V].Type == VarType::Int || F.Vars[V].Type == VarType::Bool);
  }

  const CheckRun &C;
  const Function &F;
  const LoopFacts &At;
  llvm::DenseSet<ValueId> Seen;
  std::vector<ValueId> Work;
};

/// Whether \p S gives integers, which have no gradient.
bool GraphEnds::isInteger(const Stmt &S) const {
  const Stmt *In = &S;
  if (const Arg *Options = findArg(S, "options"))
    In = C.Held.latest(Options->Value);
  const Arg *Type = S.O == Op::To && In ? findArg(*In, "dtype") : nullptr;
  const Stmt *D = Type ? C.Held.latest(Type->Value) : nullptr;
  return D && D->Const == ConstKind::Symbol && isIntegral(D->Text);
}

/// What is stored in \p V; false: others can name it.
bool GraphEnds::stores(VarId V) {
  while (F.Vars[V].Base < F.Vars.size())
    V = F.Vars[V].Base;
  if (!F.Vars[V].IsResult && !At.Values.isOwn(V))
    return false;
  for (VarId Part = 0; Part < F.Vars.size(); ++Part) {
    VarId Root = Part;
    while (F.Vars[Root].Base < F.Vars.size())
      Root = F.Vars[Root].Base;
    if (Root == V)
      for (const Stmt *Load : At.Loads[Part])
        add(Load->Result);
  }
  return true;
}

/// A tensor with a gradient is written into \p Into.
bool GraphEnds::writes(ValueId Into) {
  const auto From = C.Held.origins(Into);
  for (const Stmt *S : From) {
    const OpClass Class = opClass(S->O);
    if (Class == OpClass::View || Class == OpClass::MaybeCopy) {
      const Arg *Self = findArg(*S, "self");
      if (!Self || !writes(Self->Value))
        return false;
    } else if (Class != OpClass::Factory && Class != OpClass::Compute &&
               Class != OpClass::Copy) {
      return false;
    }
    add(S->Result);
  }
  return !From.empty();
}

/// What is computed by \p U; false: it may be kept for others.
bool GraphEnds::follows(const DefUse::Use &U) {
  const Stmt &S = *U.S;
  if (S.O == Op::Store)
    return stores(S.Var);
  switch (opClass(S.O)) {
  case OpClass::Query:
  case OpClass::Integer:
  case OpClass::Condition:
  case OpClass::Access:
  case OpClass::Factory:
    return true;
  case OpClass::View:
  case OpClass::MaybeCopy:
  case OpClass::Copy:
  case OpClass::Compute:
    if (isDifferentiable(S) && !isInteger(S))
      add(S.Result);
    return true;
  case OpClass::InPlaceMeta:
  case OpClass::InPlaceData: {
    add(S.Result);
    const Arg *Self = findArg(S, "self");
    return Self && (U.A == Self || writes(Self->Value));
  }
  case OpClass::Structure:
    if (isDifferentiable(S) || S.O == Op::ListErase || S.O == Op::ListSlice)
      add(S.Result);
    return true;
  default:
    break;
  }
  if (!S.isOpaque())
    return false;
  const bool Kept = U.A->R == Role::Keep && !S.keepsElement();
  if (!S.Forward && (Kept || !llvm::all_of(S.Args, [&](const Arg &A) {
                       return A.R != Role::Write || isNumber(A.Var) ||
                              (S.keepsElement() && A.Var != NoId &&
                               stores(A.Var));
                     })))
    return false;
  if (!S.IsScalar && !At.isNumber(S.Result) && !S.is(Attribute::NoGradient))
    add(S.Result);
  return true;
}

bool GraphEnds::hold(llvm::ArrayRef<const Stmt *> Runs) {
  constexpr size_t Most = 512;
  for (const Stmt *S : Runs)
    if (!S->is(Attribute::NoGradient))
      add(S->Result);
  while (!Work.empty()) {
    const ValueId V = Work.back();
    Work.pop_back();
    if (Seen.size() > Most ||
        !llvm::all_of(At.Uses[V], [&](const auto &U) { return follows(U); }))
      return false;
  }
  return !Seen.empty();
}

} // namespace

/// A module that was read from a file runs where nothing is recorded, in the
/// mode that it was made in.
static void tellTrainingMode(CheckRun &C) {
  const Gradients Grads(C);
  forEachStmt(C.F, [&](BlockId, const Stmt &S) {
    const Arg *Kind = S.O == Op::Enters ? findArg(S, "kind") : nullptr;
    const Stmt *Is = Kind ? C.Loops.Def[Kind->Value] : nullptr;
    const Stmt *Guard =
        Is && Is->Text == "training" && !S.Context ? Grads.guard(S) : nullptr;
    if (!Guard)
      return;
    Finding Found(Check::MissingNoGrad, 1, S);
    Found.At = &S;
    Found.Message = "'" + S.Text +
                    "' was read from a file and runs in training mode: dropout "
                    "and batch norm do here what they do in training; call "
                    "eval()";
    Found.Notes.push_back(
        {Guard->point(), "this keeps autograd from recording, and no more"});
    C.Out.push_back(std::move(Found));
  });
}

void checkMissingNoGrad(CheckRun &C) {
  tellTrainingMode(C);
  const Stmt *Eval = nullptr, *Run = nullptr;
  std::string Why = "eval() changes what some modules do; it does not keep "
                    "autograd from recording";
  auto Kind = [&](const Stmt &S) -> llvm::StringRef {
    const Arg *A = S.O == Op::Enters ? findArg(S, "kind") : nullptr;
    const Stmt *D = A ? C.Loops.Def[A->Value] : nullptr;
    return D ? llvm::StringRef(D->Text) : "";
  };
  // A module that this function loads, or runs again and again.
  auto IsInference = [&](const Stmt &S, BlockId B) {
    if (Kind(S) != "loaded")
      return false;
    const Arg *Module = findArg(S, "module");
    const Stmt *Load = Module ? C.Loops.Def[Module->Value] : nullptr;
    return C.F.Blocks[B].InLoop != NoId ||
           (Load && Load->O == Op::Load &&
            llvm::any_of(C.Loops.Stores[Load->Var], [&](const Stmt *Store) {
              const Stmt *D =
                  Store ? C.Loops.Def[Store->Args[0].Value] : nullptr;
              return D && D->is(Attribute::LoadsModule);
            }));
  };
  program::Range RunAt;
  llvm::SmallVector<const Stmt *, 16> Runs;
  BlockId EvalAt = 0;
  bool Asks = C.F.IsLambda;
  llvm::SmallVector<std::pair<const Stmt *, BlockId>, 2> Modes;
  auto IsModule = [&](const Stmt &S) {
    const Arg *Weight = findArg(S, "weight");
    const Stmt *D = Weight ? C.Loops.Def[Weight->Value] : nullptr;
    return S.Forward || (D && D->O == Op::Weight);
  };
  // The function's own call that runs a module's forward(), if \p S is in one:
  // `net->forward(x)`, `net->step(x, state)`, `predict(net, x)`.
  auto CallOf = [&](const Stmt &S) -> const CallContext * {
    const CallContext *Outer = nullptr;
    for (uint32_t Id = S.Context; Id; Id = C.F.Contexts[Id].Parent)
      Outer = &C.F.Contexts[Id];
    return Outer && (Outer->IsForward || IsModule(S)) ? Outer : nullptr;
  };
  forEachStmt(C.F, [&](BlockId B, const Stmt &S) {
    const bool Evaluates = evaluates(C.Loops, S);
    // train() at the end puts the module back as it was.
    if (S.is(Attribute::SetsMode) && !Evaluates)
      Modes.push_back({&S, B});
    else
      Asks = Asks || S.O == Op::Backward || S.O == Op::RequiresGrad ||
             (S.is(Attribute::Trains) && !Evaluates);
    const CallContext *Call = CallOf(S);
    if (IsModule(S) || (Call && opClass(S.O) == OpClass::Compute))
      Runs.push_back(&S);
    if (S.Context && !Call)
      return;
    const bool Elsewhere = Kind(S) == "evaluates";
    if (!Eval && !Call && (Elsewhere || IsInference(S, B))) {
      Eval = &S;
      EvalAt = B;
      Why = Elsewhere ? "another method calls eval(), which does not keep "
                        "autograd from recording"
                      : "a loaded module records as well, where it was saved "
                        "with parameters that require gradients";
    } else if (Evaluates && !Call && !Eval) {
      Eval = &S;
      EvalAt = B;
    } else if (Eval && !Run && (Call || IsModule(S)) &&
               C.Loops.leadsTo(*Eval, EvalAt, S, B)) {
      Run = &S;
      RunAt = Call ? Call->Where : S.point();
    }
  });
  const bool Trains = llvm::any_of(Modes, [&](const auto &M) {
    return Run &&
           C.Loops.leadsTo(*M.first, M.second, *Run, C.Held.blockOf(*Run));
  });
  if (Asks || Trains || !Run)
    return;
  const bool Ends = !C.F.PerhapsUnrecorded && GraphEnds(C).hold(Runs);
  Finding Found(Check::MissingNoGrad, Ends ? 1 : 2, *Run);
  Found.Point = RunAt;
  Found.Message =
      Ends ? "this forward() records a graph for gradients, and the function "
             "keeps nothing that has one, unless the caller has a NoGradGuard"
           : "this forward() records a graph for gradients that this function "
             "does not use, unless the caller has a NoGradGuard";
  Found.Notes.push_back({Eval->Where, Why});
  C.Out.push_back(std::move(Found));
}

} // namespace tensortidy::analysis
