//===- Questions.cpp - tests with an unknown answer -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Questions.h"
#include "Analysis/Transfer/Comparisons.h"
#include "Analysis/Transfer/Conditions.h"
#include "Analysis/Transfer/Operands.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

CondRef negation(CondRef C) {
  auto N = std::make_shared<Condition>();
  N->K = Condition::Not;
  N->L = std::move(C);
  return N;
}

CondRef toCondition(const Context &Ctx, State &W, ValueId Of) {
  const Value V = value(W, Of);
  if (V.K == Value::Bool)
    return V.C;
  if (V.K == Value::Int) // if (n): n != 0
    return negation(equalInts(V.I, SymExpr(0)));
  return test(Ctx, W, Of);
}

static bool sameTest(const Context &Ctx, const State &W, program::ValueId Of,
                     std::string &Key, unsigned Depth);

/// What a test that nothing is known of is called. Where it asks the same of
/// the same variables once more, the answer is taken to be the same:
///   auto t = fits(x) ? at::kFloat : at::kInt;
///   ...
///   if (fits(x)) use(y.data_ptr<float>());
/// So it is of a ggml tensor under any name: no call changes its layout.
/// In loops, which would not end, only within one iteration.
static std::string testKey(const Context &Ctx, const State &W, ValueId Of) {
  const bool InLoop = Ctx.F.Blocks[Ctx.Flow.BlockOf[Of]].InLoop != NoId;
  std::string Key = InLoop ? "test" : "var test";
  if (sameTest(Ctx, W, Of, Key, 0) &&
      llvm::StringRef(Key).contains(InLoop ? "$of" : "$"))
    return Key;
  return "v" + std::to_string(Of);
}

CondRef test(const Context &Ctx, const State &W, ValueId Of, std::string Text,
             const std::string &Case) {
  CondRef C = atom(testKey(Ctx, W, Of) + Case, std::move(Text));
  noteTest(Ctx, Of, C->Key);
  return C;
}

void noteTest(const Context &Ctx, ValueId Of, const std::string &Key) {
  std::vector<Object> Told;
  addGiven(Ctx, Of, Told, 0);
  if (!Told.empty())
    Ctx.Asked.Tested[Key] = std::move(Told);
}

void addGiven(const Context &Ctx, ValueId Of, std::vector<Object> &Into,
              unsigned Depth) {
  const Stmt *D = Ctx.Flow.DefOf[Of];
  if (!D || Depth > 4)
    return;
  auto Add = [&](const std::vector<Object> &Told) {
    for (const Object &O : Told)
      if (!llvm::is_contained(Into, O))
        Into.push_back(O);
  };
  if (auto Told = Ctx.Asked.GivenToCall.find(Of);
      Told != Ctx.Asked.GivenToCall.end())
    Add(Told->second);
  if (auto Told = D->O == Op::Load ? Ctx.Asked.GivenToVariable.find(D->Var)
                                   : Ctx.Asked.GivenToVariable.end();
      Told != Ctx.Asked.GivenToVariable.end())
    Add(Told->second);
  for (const Arg &A : D->Args)
    addGiven(Ctx, A.Value, Into, Depth + 1);
}

static bool sameTest(const Context &Ctx, const State &W, ValueId Of,
                     std::string &Key, unsigned Depth) {
  const Stmt *D = Ctx.Flow.DefOf[Of];
  if (!D || Depth > 8)
    return false;
  if (D->O == Op::Load) {
    if (const Value V = value(W, Of);
        Ctx.F.Vars[D->Var].IsGgml && V.K == Value::Tensor && V.T) {
      Key += " $of " + V.T.text();
      return true;
    }
    Key += " $" + std::to_string(D->Var);
    return D->Var < Ctx.Flow.StableVars.size() && Ctx.Flow.StableVars[D->Var];
  }
  if (D->O == Op::Const) {
    Key += ' ' + std::to_string(static_cast<int>(D->Const)) + ' ' +
           std::to_string(D->Imm) + D->Text;
    return true;
  }
  if (D->O == Op::Phi || D->O == Op::Unknown)
    return false;
  const Op Asks = D->O == Op::CmpNe ? Op::CmpEq : D->O; // turned over there
  Key += " (" + std::to_string(static_cast<int>(Asks)) + D->Text;
  for (const Arg &A : D->Args) {
    if (A.R == Role::Write || !A.Value ||
        !sameTest(Ctx, W, A.Value, Key, Depth + 1))
      return false;
  }
  Key += ')';
  return !D->Args.empty();
}

/// Whether the opposite held before a call that may have changed a member.
bool wasOtherwise(const Context &Ctx, const State &W, const Condition &C,
                  bool Holds) {
  if (Ctx.Asked.WasInt.empty())
    return false;
  Condition Before = C;
  for (unsigned Calls = 0; Calls < MostCalls; ++Calls) {
    const Condition After = Before;
    for (SymExpr *E : {&Before.A, &Before.B})
      *E = W.Ar.substitute(W.Ar.norm(*E), Ctx.Asked.WasInt);
    if (Before.A == W.Ar.norm(After.A) && Before.B == W.Ar.norm(After.B))
      return false;
    if (const Truth Was = evaluate(Ctx, W, Before); Was != Truth::Unknown)
      return Was == truth(!Holds);
  }
  return false;
}

/// The tests of sizes that are asked together with a test for the rank of the
/// same tensor, where \p Arm of block \p B says that they do not all hold:
///   if (x.dim() == 2 && x.size(1) == 1) x = x.squeeze(1);  // [n] or [n, 1]
static llvm::SmallVector<ValueId, 2> sizeTests(const Context &Ctx, BlockId B,
                                               unsigned Arm) {
  const auto Asks = [&](ValueId Of, Op What) -> VarId {
    const Stmt *S = Ctx.Flow.Values.origin(Of);
    if (S && S->O == (What == Op::Dim ? Op::ListSize : Op::ListGet)) {
      S = Ctx.Flow.Values.origin(S->Args[0].Value);
      What = Op::Sizes;
    }
    const Arg *Self = S && S->O == What ? findArg(*S, "self") : nullptr;
    const Stmt *Load = Self ? Ctx.Flow.DefOf[Self->Value] : nullptr;
    return Load && Load->O == Op::Load ? Load->Var : NoId;
  };
  llvm::SmallVector<VarId, 2> Ranks;
  // The parts of a test, and whether each must hold for the whole to.
  llvm::SmallVector<std::pair<ValueId, bool>, 8> Parts;
  const auto Take = [&](ValueId Test, bool Holds) {
    const size_t From = Parts.size();
    Parts.push_back({Test, true});
    for (size_t I = From; I < Parts.size() && I < From + 16; ++I) {
      const auto [V, Needed] = Parts[I];
      const Stmt *S = Ctx.Flow.DefOf[V];
      if (!S)
        continue;
      if (S->O == Op::And || S->O == Op::Or)
        for (const Arg &A : S->Args)
          Parts.push_back({A.Value, Needed && (S->O == Op::And) == Holds});
      else if (Needed && S->O == (Holds ? Op::CmpEq : Op::CmpNe))
        for (const Arg &A : S->Args)
          if (VarId Of = Asks(A.Value, Op::Dim); Of != NoId)
            Ranks.push_back(Of);
    }
  };
  const Block &Blk = Ctx.F.Blocks[B];
  Take(Blk.Condition, Arm == 1);
  llvm::SmallVector<std::pair<VarId, ValueId>, 4> Sizes;
  for (const auto &Part : Parts)
    if (const Stmt *S = Ctx.Flow.DefOf[Part.first];
        S && opClass(S->O) == OpClass::Condition)
      for (const Arg &A : S->Args)
        if (VarId Of = Asks(A.Value, Op::Size); Of != NoId)
          Sizes.push_back({Of, Part.first});
  // What was tested in blocks before this and leads to the same place.
  BlockId X = B;
  for (unsigned Steps = 0; Steps < 8 && !Sizes.empty(); ++Steps) {
    BlockId Before = NoId;
    unsigned Ways = 0;
    for (BlockId P = 0; P < Ctx.F.Blocks.size(); ++P)
      if (llvm::is_contained(Ctx.F.Blocks[P].Succs, X)) {
        Before = P;
        ++Ways;
      }
    if (Ways != 1 || Ctx.F.Blocks[Before].Succs.size() != 2 ||
        !Ctx.F.Blocks[Before].Condition)
      break;
    const auto &Succs = Ctx.F.Blocks[Before].Succs;
    const unsigned Skips = Succs[0] == X;
    if (Succs[Skips] == Blk.Succs[Arm] && Succs[0] != Succs[1])
      Take(Ctx.F.Blocks[Before].Condition, Skips == 1);
    X = Before;
  }
  llvm::SmallVector<ValueId, 2> R;
  for (const auto &[Of, Test] : Sizes)
    if (llvm::is_contained(Ranks, Of))
      R.push_back(Test);
  return R;
}

bool failsBySizeAlone(const Context &Ctx, State &W, BlockId B, unsigned Arm) {
  auto [It, New] = Ctx.Asked.SizeTests.try_emplace({B, Arm});
  if (New)
    It->second = sizeTests(Ctx, B, Arm);
  return llvm::any_of(It->second, [&](ValueId Test) {
    const CondRef C = toCondition(Ctx, W, Test);
    return C && evaluate(Ctx, W, *C) == Truth::Unknown;
  });
}

} // namespace tensortidy::analysis
