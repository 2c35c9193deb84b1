//===- Interpret.cpp - runs of a function -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Interpret.h"
#include "Analysis/Transfer/Accesses.h"
#include "Analysis/Transfer/Assertions.h"
#include "Analysis/Transfer/Comparisons.h"
#include "Analysis/Transfer/Conditions.h"
#include "Analysis/Transfer/Describe.h"
#include "Analysis/Transfer/Evidence.h"
#include "Analysis/Transfer/Ggml.h"
#include "Analysis/Transfer/Observe.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Questions.h"
#include "Analysis/Transfer/Ranks.h"
#include "Analysis/Transfer/Transfer.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

namespace {

/// The symbols of a run, and what they are of.
struct Named {
  Symbols Table;
  Identities Ids{Table};
};

/// What a run may take for granted of these symbols.
struct Known {
  std::map<SymbolId, std::vector<SymExpr>> Floors;
  std::vector<Evidence::Floor> Proofs; ///< of Floors
  Axes Apart;
  std::set<SymDims> Shapes; ///< all there are
};

/// One run, with what it knows of all its states.
class Interpreter : public Steps {
public:
  Interpreter(const FlowInfo &Flow, Hypothesis H, const Budget &B,
              const Ranks &Given,
              std::shared_ptr<Named> Of = std::make_shared<Named>(),
              const Known *Shown = nullptr, bool UsualRanks = false)
      : Shared(std::move(Of)), Base(Shared->Table), Ids(Shared->Ids),
        Join(Flow.F, Shared->Table, Ids),
        Ctx{Flow.F, Flow, H,    B,     Given, Shared->Table,
            Ids,    Base, Join, Asked, R} {
    Ctx.UsualRanks = UsualRanks;
    Shared->Table.Marks = symbolMarks(static_cast<unsigned>(H));
    R.Table = {Shared, &Shared->Table};
    if (!Shown) {
      Base.Open = &R.Shown.Open;
      return;
    }
    Base.Apart = &Shown->Apart;
    Base.setFloors(Shown->Floors);
    for (const Evidence::Floor &F : Shown->Proofs)
      Base.assumeSize(F.Least);
    R.Shown.Floors = Shown->Proofs;
    R.Shown.Shapes = Shown->Shapes;
  }

  RunResult runs(double Until, StateObserver *Sees) {
    Deadline = Until;
    R.Reason = runToFixpoint(Ctx.Flow, Ctx.Limits, Deadline,
                             {Shared->Table, Ids, Join}, *this, Sees);
    if (TooSlow)
      R.Reason = GiveUp::TooSlow;
    return std::move(R);
  }

  State entry() override;
  bool run(BlockId B, State &W) override;
  void leave(BlockId B, State W,
             llvm::function_ref<void(State, BlockId)> Next) override;
  void changesInLoop(VarId V, const Value &Was, const Value &Now) override;
  Truth test(BlockId B, State &Trial) override;

private:
  void leaveSwitch(BlockId B, const State &W,
                   llvm::function_ref<void(State, BlockId)> Next);

  std::shared_ptr<Named> Shared;
  Symbolic Base;
  Identities &Ids;
  Joiner Join;
  Questions Asked;
  RunResult R;
  Context Ctx;
  double Deadline = 0; ///< of cpuSeconds(); the worklist looks between blocks
  unsigned Executed = 0;
  bool TooSlow = false;
};

} // namespace

State Interpreter::entry() {
  State W(Ctx.Base);
  for (VarId V = 0; V < Ctx.F.Vars.size(); ++V) {
    const Variable &Var = Ctx.F.Vars[V];
    bool Lives = Var.IsParam || Var.IsMember || Var.IsStatic ||
                 Var.IsReference || Var.IsCaptured;
    if (!Lives || Var.Type != VarType::Tensor)
      continue;
    const std::string Name = called(Ctx, V);
    Object O = opaque(Ctx, W, Name, {SymbolKey::Parameter, NoId, V});
    O.Name = Name;
    const ObjId Id{ObjId::Variable, 0, V};
    O.Storage = Id;
    if (Var.IsGgml)
      makeGgml(Ctx, W, O, Id);
    W.Objects.assign(Id, std::move(O));
    W.Vars.set(V, Value::tensor(Id));
  }
  return W;
}

bool Interpreter::run(BlockId B, State &W) {
  Ctx.Block = B;
  R.Comes.resize(Ctx.F.Blocks.size());
  R.Comes[B] = true;
  const Block &Blk = Ctx.F.Blocks[B];
  for (const Stmt &S : Blk.Stmts) {
    constexpr unsigned Often = 256;
    if (++Executed % Often == 0 && cpuSeconds() > Deadline)
      TooSlow = true;
    if (TooSlow || !execute(Ctx, W, S))
      return false;
    if (S.Narrows)
      noteNarrow(Ctx, W, S);
    if (Ctx.Limits.Observe)
      observe(Ctx, W, S);
    if (Blk.InLoop != NoId && S.Result && Ctx.H == Hypothesis::Opaque)
      if (const Object *O = tensor(W, value(W, S.Result)))
        noteInLoop(Ctx, W, S, *O);
    if (Ctx.Limits.Describe && S.Result)
      noteLayout(Ctx, W, S);
  }
  W.Objects.forEach([&](ObjId, const Object &O) {
    if (O.Root)
      noteShape(Ctx, W, O);
  });
  return true;
}

/// A member that calls in the loop may change, as they may elsewhere.
void Interpreter::changesInLoop(VarId V, const Value &Was, const Value &Now) {
  if (!Ctx.F.Vars[V].IsMember || Was.K != Now.K)
    return;
  if (Was.K == Value::Int && Was.I.asSymbol() && !(Was.I == Now.I))
    Asked.WasInt.emplace(*Now.I.asSymbol(), Was.I);
  if (Was.K == Value::Bool && Was.C->K == Condition::Atom &&
      Was.C->Key != Now.C->Key)
    Asked.WasAtom.emplace(Now.C->Key, Was.C->Key);
}

Truth Interpreter::test(BlockId B, State &Trial) {
  const BlockId Was = Ctx.Block;
  Ctx.Block = B;
  for (const Stmt &S : Ctx.F.Blocks[B].Stmts)
    execute(Ctx, Trial, S);
  Ctx.Block = Was;
  const Value V = value(Trial, Ctx.F.Blocks[B].Condition);
  return V.K == Value::Bool ? evaluate(Ctx, Trial, *V.C) : Truth::Unknown;
}

/// A variable that two questions made is what a branch on it said, also where
/// what is known of the two is not:
///   const bool fold = wanted && x->ne[1] == 1;
static void keepAnswer(const Context &Ctx, State &W, ValueId Of,
                       const Condition &C, bool Holds) {
  const Stmt *S = Ctx.Flow.DefOf[Of];
  if (!S || S->O != Op::Load || (C.K != Condition::And && C.K != Condition::Or))
    return;
  auto Answer = std::make_shared<Condition>();
  Answer->Flag = Holds;
  W.Vars.set(S->Var, Value::condition(std::move(Answer)));
}

/// Whether a loop is left by a test of what it counts, or of a tensor that it
/// makes like another:
///   while (bias.dim() < x.dim()) bias = bias.unsqueeze(-1);
static bool endsCount(const Context &Ctx, BlockId B, BlockId To) {
  const LoopId L = Ctx.F.Blocks[B].InLoop;
  if (L == NoId || Ctx.Flow.insideLoop(To, L))
    return false;
  bool Counts = false, Makes = false, Like = false;
  for (const Stmt &S : Ctx.F.Blocks[B].Stmts)
    if (S.O == Op::Load) {
      const bool Stores = Ctx.Flow.Stored[L].count(S.Var);
      const bool IsTensor = Ctx.F.Vars[S.Var].Type == VarType::Tensor;
      Counts |= Stores && Ctx.F.Vars[S.Var].Type == VarType::Int;
      Makes |= Stores && IsTensor;
      Like |= !Stores && IsTensor;
    }
  return Counts || (Makes && Like);
}

void Interpreter::leave(BlockId B, State W,
                        llvm::function_ref<void(State, BlockId)> Next) {
  const Block &Blk = Ctx.F.Blocks[B];
  CondRef C;
  if (Blk.Condition)
    C = toCondition(Ctx, W, Blk.Condition);
  if (C && !Blk.Cases.empty())
    return leaveSwitch(B, W, Next);
  if (!C && Blk.Succs.size() == 1 && Blk.Succs[0] != NoId)
    return Next(std::move(W), Blk.Succs[0]);
  if (!C || Blk.Succs.size() != 2) {
    for (BlockId To : Blk.Succs)
      if (To != NoId)
        Next(W, To);
    return;
  }
  const Truth T = evaluate(Ctx, W, *C);
  noteBranch(Ctx, W, B, C, T);
  auto Take = [&](State Taken, unsigned Arm) {
    const BlockId To = Blk.Succs[Arm];
    if (To == NoId || T == (Arm == 0 ? Truth::No : Truth::Yes))
      return;
    const bool OfSize =
        T == Truth::Unknown && failsBySizeAlone(Ctx, Taken, B, Arm);
    Ctx.CountedOut = endsCount(Ctx, B, To);
    Taken.Degenerate = Taken.Degenerate || OfSize;
    if (assume(Ctx, Taken, *C, Arm == 0) && Taken.imply()) {
      keepAnswer(Ctx, Taken, Blk.Condition, *C, Arm == 0);
      Next(std::move(Taken), To);
    }
    Ctx.CountedOut = false;
  };
  Take(W, 0);
  Take(std::move(W), 1);
}

static Value label(const CaseLabel &Of) {
  if (Of.Value)
    return Value::integer(SymExpr(*Of.Value));
  Value V;
  V.K = Value::Symbol;
  V.Text = Of.Name;
  return V;
}

static void noteCase(const Context &Ctx, const State &W, ValueId Of,
                     const Condition &Is) {
  const std::string Key = compareKey(Ctx, W.Ar, Is);
  noteTest(Ctx, Of, Key);
  if (const Stmt *Compared = Ctx.Flow.DefOf[Of]; Compared && Compared->Context)
    Ctx.Asked.CaseIn.emplace(Key, Compared->Context);
}

/// Each case assumes its value, the default none of them.
void Interpreter::leaveSwitch(BlockId B, const State &W,
                              llvm::function_ref<void(State, BlockId)> Next) {
  const Block &Blk = Ctx.F.Blocks[B];
  Value V = value(W, Blk.Condition);
  for (size_t I = 0; I < Blk.Succs.size(); ++I) {
    if (Blk.Succs[I] == NoId)
      continue;
    State Taken = W;
    bool Possible = true;
    for (size_t J = 0; Possible && J < Blk.Cases.size(); ++J) {
      const CaseLabel &Label = Blk.Cases[J];
      const bool Mine = I == J;
      if (Label.isDefault() || !(Mine || Blk.Cases[I].isDefault()))
        continue;
      CondRef Is = equality(V, label(Label));
      if (!Is && Label.Value)
        Is = analysis::test(Ctx, W, Blk.Condition, "",
                            " is " + std::to_string(*Label.Value));
      else if (Is && Is->K == Condition::Equal)
        noteCase(Ctx, Taken, Blk.Condition, *Is);
      if (!Is)
        continue;
      const Truth T = evaluate(Ctx, Taken, *Is);
      // Dispatch over dtypes is not a matter of layout: no path for each.
      Possible =
          T != truth(!Mine) && (!Label.Value || assume(Ctx, Taken, *Is, Mine));
    }
    if (Possible)
      Next(std::move(Taken), Blk.Succs[I]);
  }
}

/// Whether the function returns only by way of block \p B.
static bool isOnEveryPath(const Graph &Blocks, BlockId B) {
  return !Blocks.reaches({Blocks.F.Entry}, [&](BlockId At) {
    if (At == B)
      return Visit::End;
    const bool Leaves =
        llvm::all_of(Blocks.succs(At), [](BlockId To) { return To == NoId; });
    const bool Throws =
        llvm::any_of(Blocks.F.Blocks[At].Stmts,
                     [](const Stmt &S) { return S.O == Op::Throw; });
    return Leaves && !Throws ? Visit::Found : Visit::Pass;
  });
}

/// What the function shows that holds from its entry on.
static Known known(const FlowInfo &Flow, const Symbols &Table,
                   const Evidence &Shown) {
  constexpr size_t Most = 16; // of one size, which many lines index
  Known K;
  std::map<BlockId, bool> OnEveryPath;
  std::map<SymbolId, Evidence::Floor> Largest; // of those that are numbers
  for (const Evidence::Floor &Proved : Shown.Floors) {
    if (isOfLoop(Table, SymExpr::symbol(Proved.Of)) ||
        isOfLoop(Table, Proved.Least))
      continue;
    const auto [At, New] = OnEveryPath.try_emplace(Proved.At, false);
    if (New)
      At->second = isOnEveryPath(Flow.Blocks, Proved.At);
    if (!At->second)
      continue;
    if (const auto Number = Proved.Least.constant()) {
      const auto [It, First] = Largest.try_emplace(Proved.Of, Proved);
      if (!First && *It->second.Least.constant() < *Number)
        It->second = Proved;
      continue;
    }
    std::vector<SymExpr> &All = K.Floors[Proved.Of];
    if (All.size() >= Most || llvm::is_contained(All, Proved.Least))
      continue;
    All.push_back(Proved.Least);
    K.Proofs.push_back(Proved);
  }
  for (const auto &[Of, Proved] : Largest) {
    K.Floors[Of].push_back(Proved.Least);
    K.Proofs.push_back(Proved);
  }
  K.Apart = axes(Table, Shown);
  K.Shapes = Shown.Shapes;
  return K;
}

/// Whether a run that knows \p K from the start may answer what one that found
/// it on its way could not.
static bool answersMore(const Symbols &Table, const Known &K,
                        const Evidence &Shown) {
  const auto IsSize = [&](const SymExpr &E) {
    return llvm::all_of(E.terms(), [&](const auto &T) {
      return std::all_of(T.M.S, T.M.S + T.M.Count, [&](SymbolId S) {
        return Table[S].K == SymbolInfo::Size;
      });
    });
  };
  return K.Apart.meets(Shown.Open.Apart) ||
         (Shown.AsksShapes && !K.Apart.empty()) ||
         llvm::any_of(K.Floors, [&](const auto &Floor) {
           // What else is in a size is one, too.
           return Shown.Open.Size.count(Floor.first) != 0 ||
                  !llvm::all_of(Floor.second, IsSize);
         });
}

/// Adds what \p Usual alone has to say, a run in which layers are given
/// matrices.
static void addUsual(RunResult &R, RunResult Usual) {
  for (auto &[S, Site] : Usual.Spread)
    R.Spread.insert({S, std::move(Site)});
}

RunResult interpret(const FlowInfo &Flow, Hypothesis H, const Budget &B,
                    double Deadline, StateObserver *Sees) {
  auto Of = std::make_shared<Named>();
  RunResult R = Interpreter(Flow, H, B, {}, Of).runs(Deadline, Sees);
  const Known Shown = known(Flow, Of->Table, R.Shown);
  if (R.Reason == GiveUp::No && answersMore(Of->Table, Shown, R.Shown))
    R = Interpreter(Flow, H, B, {}, Of, &Shown).runs(Deadline, nullptr);
  if (R.Reason == GiveUp::No && R.LayersOfAnyRank && R.AsksRanks &&
      H == Hypothesis::Opaque)
    addUsual(
        R,
        Interpreter(Flow, H, B, {}, Of, &Shown, true).runs(Deadline, nullptr));
  auto Doubtful = [](const LayoutFailure &V) { return !V.Apart; };
  if (R.Reason != GiveUp::No || llvm::none_of(R.Sites, [&](const auto &Site) {
        return llvm::any_of(Site.second.Failures, Doubtful);
      }))
    return R;
  RunResult Least =
      Interpreter(Flow, H, B, R.LeastRanks).runs(Deadline, nullptr);
  R.Reason = Least.Reason;
  for (auto &[S, Site] : R.Sites) {
    auto It = Least.Sites.find(S);
    const size_t Before = Site.Failures.size();
    llvm::erase_if(Site.Failures, [&](const LayoutFailure &V) {
      return Doubtful(V) &&
             (It == Least.Sites.end() ||
              llvm::none_of(It->second.Failures, [&](const LayoutFailure &L) {
                return L.R == V.R && L.Apart;
              }));
    });
    const auto Gone = static_cast<unsigned>(Before - Site.Failures.size());
    Site.Unknown += Gone;
    Site.Failed = Site.Failures.empty() ? 0 : Site.Failed - Gone;
  }
  return R;
}

} // namespace tensortidy::analysis
