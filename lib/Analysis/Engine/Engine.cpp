//===- Engine.cpp - states through blocks -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Engine/Engine.h"
#include "Analysis/Transfer/Accesses.h"
#include "Analysis/Transfer/Comparisons.h"
#include "Analysis/Transfer/Conditions.h"
#include "Analysis/Transfer/Describe.h"
#include "Analysis/Transfer/Ggml.h"
#include "Analysis/Transfer/Observe.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Questions.h"
#include "Analysis/Transfer/Ranks.h"
#include "Analysis/Transfer/Transfer.h"
#include <algorithm>

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

namespace {

class Engine {
public:
  Engine(const FlowInfo &Flow, Hypothesis H, const Budget &B, double Deadline,
         const Ranks &Given, StateObserver *Sees)
      : Shared(std::make_shared<Symbols>()), Base(*Shared), Ids(*Shared),
        Join(Flow.F, *Shared, Ids), States(Flow.F.Blocks.size()),
        Deadline(Deadline), Sees(Sees),
        Ctx{Flow.F, Flow, H, B, Given, *Shared, Ids, Base, Join, Asked, R} {
    Shared->Marks = symbolMarks(static_cast<unsigned>(H));
    R.Table = Shared;
    for (LoopId L = 0; L < Flow.F.Loops.size(); ++L)
      if (const BlockId Head = Flow.F.Loops[L].Head; Head != NoId) {
        States[Head].IsHead = true;
        States[Head].Loop = L;
      }
  }

  RunResult run();

private:
  struct BlockState {
    std::vector<State> In; ///< every state that ran or will
    std::vector<bool> Pending;
    unsigned Visits = 0;
    bool IsHead = false;
    LoopId Loop = NoId; ///< loop this block heads
  };

  void dropDead(State &W, BlockId At) const;
  State entryState();
  void arrive(BlockId To, State W, BlockId From);
  bool testDecided(const State &W, BlockId Head, LoopId L);
  void enterLoop(State &W, BlockId Head, LoopId L);
  void skipLoop(State &W, LoopId L, BlockId From, BlockId To);
  void repeatLoop(State &W, BlockId Head, LoopId L);
  void chooseArms(State &W, BlockId To) const;
  static void replace(BlockState &S, size_t Of, State J);
  void runBlock(BlockId B, State W);
  void runSwitch(BlockId B, const State &W,
                 llvm::function_ref<void(State, BlockId)> Leave);

  std::shared_ptr<Symbols> Shared;
  Symbolic Base;
  Identities Ids;
  Joiner Join;
  Questions Asked;
  RunResult R;
  std::vector<BlockState> States;
  double Deadline; ///< of cpuSeconds()
  StateObserver *Sees;
  Context Ctx;
};

} // namespace

void Engine::dropDead(State &W, BlockId At) const {
  const llvm::SparseBitVector<> &L = Ctx.Flow.Live[At];
  W.Vars.eraseIf([&](VarId V, const Value &) { return !L.test(V); });
  for (auto It = W.Temps.begin(); It != W.Temps.end();)
    It = Ctx.Flow.CrossBlock[It->first] && L.test(Ctx.Flow.CrossAt[It->first])
             ? std::next(It)
             : W.Temps.erase(It);
}

State Engine::entryState() {
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

//===----------------------------------------------------------------------===//
// The worklist
//===----------------------------------------------------------------------===//

GiveUp refuses(const Function &F, const Budget &B) {
  if (F.Reason != GiveUp::No)
    return F.Reason;
  if (F.Blocks.empty())
    return GiveUp::NoCfg;
  if (F.Blocks.size() > B.MaxBlocks)
    return GiveUp::TooManyBlocks;
  size_t Statements = 0;
  for (const Block &Of : F.Blocks)
    Statements += Of.Stmts.size();
  return Statements > B.MaxStatements ? GiveUp::TooLong : GiveUp::No;
}

RunResult Engine::run() {
  arrive(Ctx.F.Entry, entryState(), NoId);

  // Blocks in reverse post order: all that can reach a merge has run before it.
  std::set<std::pair<BlockId, BlockId>> Work{
      {Ctx.Flow.Order[Ctx.F.Entry], Ctx.F.Entry}};
  while (!Work.empty()) {
    BlockId B = Work.begin()->second;
    Work.erase(Work.begin());
    if (cpuSeconds() > Deadline) {
      R.Reason = GiveUp::TooSlow;
      break;
    }
    BlockState &S = States[B];
    if (++S.Visits > Ctx.Limits.MaxBlockVisits) {
      R.Reason = GiveUp::TooLong;
      break;
    }
    std::vector<State> Todo;
    for (size_t I = 0; I < S.In.size(); ++I)
      if (S.Pending[I]) {
        S.Pending[I] = false;
        Todo.push_back(S.In[I]);
      }
    // Outside loops nothing arrives again: all predecessors have run.
    if (Ctx.F.Blocks[B].InLoop == NoId) {
      S.In.clear();
      S.Pending.clear();
    }
    for (State &W : Todo)
      runBlock(B, std::move(W));
    for (BlockId T : Ctx.F.Blocks[B].Succs)
      if (T != NoId &&
          std::find(States[T].Pending.begin(), States[T].Pending.end(), true) !=
              States[T].Pending.end())
        Work.insert({Ctx.Flow.Order[T], T});
  }
  return std::move(R);
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

void Engine::runBlock(BlockId B, State W) {
  Ctx.Block = B;
  if (Sees)
    Sees->enters(B, W, Ctx.Join);
  const Block &Blk = Ctx.F.Blocks[B];
  for (const Stmt &S : Blk.Stmts) {
    if (!execute(Ctx, W, S))
      return;
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
  CondRef C;
  if (Blk.Condition)
    C = toCondition(Ctx, W, Blk.Condition);
  // The condition may be about objects only temporaries hold: it is assumed
  // before they go.
  auto Leave = [&](State Next, BlockId To) {
    dropDead(Next, To);
    arrive(To, std::move(Next), B);
  };
  if (C && !Blk.Cases.empty())
    return runSwitch(B, W, Leave);
  if (!C || Blk.Succs.size() != 2) {
    for (BlockId To : Blk.Succs)
      if (To != NoId)
        Leave(W, To);
    return;
  }
  Truth T = evaluate(Ctx, W, *C);
  for (int Arm = 0; Arm < 2; ++Arm) {
    BlockId To = Blk.Succs[static_cast<size_t>(Arm)];
    if (To == NoId || T == (Arm == 0 ? Truth::No : Truth::Yes))
      continue;
    State Next = W;
    Ctx.CountedOut = endsCount(Ctx, B, To);
    if (T == Truth::Unknown &&
        failsBySizeAlone(Ctx, W, B, static_cast<unsigned>(Arm)))
      Next.Degenerate = true;
    if (assume(Ctx, Next, *C, Arm == 0) && Next.imply()) {
      keepAnswer(Ctx, Next, Blk.Condition, *C, Arm == 0);
      Leave(std::move(Next), To);
    }
    Ctx.CountedOut = false;
  }
}

static Value label(const CaseLabel &Of) {
  if (Of.Value)
    return Value::integer(SymExpr(*Of.Value));
  Value V;
  V.K = Value::Symbol;
  V.Text = Of.Name;
  return V;
}

/// Each case assumes its value, the default none of them.
void Engine::runSwitch(BlockId B, const State &W,
                       llvm::function_ref<void(State, BlockId)> Leave) {
  const Block &Blk = Ctx.F.Blocks[B];
  Value V = value(W, Blk.Condition);
  for (size_t I = 0; I < Blk.Succs.size(); ++I) {
    if (Blk.Succs[I] == NoId)
      continue;
    State Next = W;
    bool Possible = true;
    for (size_t J = 0; Possible && J < Blk.Cases.size(); ++J) {
      const CaseLabel &Label = Blk.Cases[J];
      const bool Mine = I == J;
      if (Label.isDefault() || !(Mine || Blk.Cases[I].isDefault()))
        continue;
      CondRef Is = equality(V, label(Label));
      if (!Is && Label.Value)
        Is = test(Ctx, W, Blk.Condition, "",
                  " is " + std::to_string(*Label.Value));
      else if (Is && Is->K == Condition::Equal)
        noteTest(Ctx, Blk.Condition, compareKey(Ctx, Next.Ar, *Is));
      if (!Is)
        continue;
      const Truth T = evaluate(Ctx, Next, *Is);
      // Dispatch over dtypes is not a matter of layout: no path for each.
      Possible =
          T != truth(!Mine) && (!Label.Value || assume(Ctx, Next, *Is, Mine));
    }
    if (Possible)
      Leave(std::move(Next), Blk.Succs[I]);
  }
}

/// \p J takes the place of a state that it describes; if it describes more,
/// that has to run, too.
void Engine::replace(BlockState &S, size_t Of, State J) {
  if (J.leq(S.In[Of]))
    return;
  S.In[Of] = std::move(J);
  S.Pending[Of] = true;
}

void Engine::arrive(BlockId To, State W, BlockId From) {
  BlockState &S = States[To];
  for (LoopId L = From == NoId ? NoId : Ctx.F.Blocks[From].InLoop;
       L != NoId && !Ctx.Flow.insideLoop(To, L); L = Ctx.F.Loops[L].Parent)
    if (llvm::is_contained(W.First, L))
      skipLoop(W, L, From, To);
  for (auto *Loops : {&W.Repeats, &W.First})
    llvm::erase_if(*Loops,
                   [&](LoopId L) { return !Ctx.Flow.insideLoop(To, L); });
  if (S.IsHead) {
    const bool Once = Ctx.F.Loops[S.Loop].RunsOnce;
    const bool Again =
        !Once && From != NoId && Ctx.Flow.insideLoop(From, S.Loop);
    if (Again)
      repeatLoop(W, To, S.Loop);
    // A counter with known bounds keeps its value while few states are here.
    if (!Once && !testDecided(W, To, S.Loop))
      enterLoop(W, To, S.Loop);
    if (Again)
      W.Initial.clear();
    if (Again && !llvm::is_contained(W.Repeats, S.Loop))
      W.Repeats.push_back(S.Loop);
    llvm::erase_if(W.First, [&](LoopId L) { return L == S.Loop; });
    if (!Again)
      W.First.push_back(S.Loop);
  }
  chooseArms(W, To);
  W.collect();
  for (size_t I = 0; I < S.In.size(); ++I) {
    if (!S.In[I].sameState(W))
      continue;
    // One state, unless one knows sizes the other does not and there is room.
    if (S.In[I].Ar.facts() != W.Ar.facts() && !S.IsHead &&
        S.In.size() < Ctx.Limits.MaxStates / 2)
      continue;
    if (!W.leq(S.In[I])) {
      Joiner::weaken(S.In[I], W);
      S.Pending[I] = true;
    }
    return;
  }
  for (size_t I = 0; I < S.In.size(); ++I)
    if (Joiner::sameButLists(S.In[I], W))
      return replace(S, I, Ctx.Join.join(S.In[I], W, To));
  // A loop head keeps few states, so that it comes to rest soon.
  size_t Max = S.IsHead ? 4 : Ctx.Limits.MaxStates;
  if (S.In.size() < Max) {
    S.In.push_back(std::move(W));
    S.Pending.push_back(true);
    return;
  }
  // Join with the closest.
  size_t Best = 0, Least = ~size_t(0);
  for (size_t I = 0; I < S.In.size(); ++I)
    if (const size_t D = Joiner::distance(S.In[I], W); D < Least) {
      Least = D;
      Best = I;
    }
  State J = Ctx.Join.join(S.In[Best], W, To);
  if (J.leq(S.In[Best]))
    return;
  for (size_t I = 0; I < S.In.size(); ++I)
    if (I != Best && S.In[I].sameState(J)) {
      Joiner::weaken(S.In[I], J);
      S.Pending[I] = true;
      S.In.erase(S.In.begin() + static_cast<long>(Best));
      S.Pending.erase(S.Pending.begin() + static_cast<long>(Best));
      return;
    }
  S.In[Best] = std::move(J);
  S.Pending[Best] = true;
}

/// A path that comes to `a ? x : y` has one of the two, which then joins with
/// what others have there.
void Engine::chooseArms(State &W, BlockId To) const {
  for (const Stmt &S : Ctx.F.Blocks[To].Stmts) {
    if (S.O != Op::Phi)
      continue;
    const Value *One = nullptr;
    unsigned Seen = 0;
    for (const Arg &A : S.Args)
      if (auto It = W.Temps.find(A.Value); It != W.Temps.end()) {
        One = &It->second;
        ++Seen;
      }
    if (Seen == 1)
      W.Temps[S.Result] = *One;
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Whether the loop's test has one outcome in \p W, as for a counter from 0 to
/// a constant.
bool Engine::testDecided(const State &W, BlockId Head, LoopId L) {
  const Block &B = Ctx.F.Blocks[Head];
  if (!B.Condition || B.Succs.size() != 2 ||
      Ctx.Flow.BlockOf[B.Condition] != Head || B.Stmts.size() > 16)
    return false;
  for (const Stmt &S : B.Stmts) // a test without tensors or calls
    if (opClass(S.O) != OpClass::Structure &&
        opClass(S.O) != OpClass::Integer && opClass(S.O) != OpClass::Condition)
      return false;
  // `while (true)` says nothing of how often it runs.
  if (llvm::none_of(B.Stmts, [&](const Stmt &S) {
        return S.O == Op::Load && Ctx.Flow.Stored[L].count(S.Var);
      }))
    return false;
  State Trial = W;
  BlockId Was = Ctx.Block;
  Ctx.Block = Head;
  for (const Stmt &S : B.Stmts)
    execute(Ctx, Trial, S);
  Ctx.Block = Was;
  Value V = value(Trial, B.Condition);
  if (V.K != Value::Bool || evaluate(Ctx, Trial, *V.C) == Truth::Unknown)
    return false;
  // After `n >= 1` the first iteration of i < n is sure, and no other. A list
  // of what that one puts there would stand for all the others put there, too.
  const bool Fills = llvm::any_of(Ctx.Flow.Filled[L], [&](VarId V) {
    return W.Vars[V].isList() && Ctx.Flow.Live[Head].test(V);
  });
  return !Fills ||
         llvm::all_of(Ctx.Flow.DefOf[B.Condition]->Args, [&](const Arg &A) {
           const Value Side = value(Trial, A.Value);
           return Side.K != Value::Int || W.Ar.known(Side.I);
         });
}

/// Integers and conditions the loop changes have no value that holds for every
/// iteration.
void Engine::enterLoop(State &W, BlockId Head, LoopId L) {
  for (VarId V : Ctx.Flow.Stored[L]) {
    if (!Ctx.Flow.Live[Head].test(V))
      continue;
    const Value &X = W.Vars[V];
    if (X.K == Value::Int || Ctx.F.Vars[V].Type == VarType::Int) {
      SymExpr E = Ctx.Ids.symbol({SymbolKey::LoopCounter, Head, V},
                                 SymbolInfo::Integer, called(Ctx, V));
      Ctx.Table[*E.asSymbol()].Owner = L;
      W.Initial.erase(*E.asSymbol());
      // A member that calls in the loop may change, as they may elsewhere.
      if (Ctx.F.Vars[V].IsMember && X.K == Value::Int && X.I.asSymbol() &&
          !(X.I == E))
        Ctx.Asked.WasInt.emplace(*E.asSymbol(), X.I);
      // Entered again, it may be what the last run of the loop left.
      if (const SymExpr First = W.Ar.norm(X.I);
          X.K == Value::Int &&
          W.Ar.substitute(First, {{*E.asSymbol(), SymExpr(0)}}) == First)
        W.Initial[*E.asSymbol()] = First;
      W.Vars.set(V, Value::integer(E));
    } else if (X.K == Value::Bool) {
      const std::string Key =
          "loop" + std::to_string(Head) + "." + std::to_string(V);
      if (Ctx.F.Vars[V].IsMember && X.C->K == Condition::Atom &&
          X.C->Key != Key)
        Ctx.Asked.WasAtom.emplace(Key, X.C->Key);
      W.Vars.set(V, Value::condition(atom(Key, called(Ctx, V))));
    } else if (X.K == Value::Pointer) {
      Value Moved = X;
      Moved.I = Ctx.Ids.symbol({SymbolKey::LoopDistance, Head, V},
                               SymbolInfo::Integer, called(Ctx, V));
      W.Vars.set(V, std::move(Moved));
    } else if (X.isList() && Ctx.Flow.Filled[L].count(V)) {
      W.Vars.set(V, Ctx.Join.joinLists(W, W, W, X, Value::each(), Head,
                                       Joiner::slotOf(V)));
    } else if (X.K != Value::Tensor && X.K != Value::Unknown) {
      W.Vars.set(V, Value());
    }
  }
}

/// Loop \p L is left in its first iteration. Nobody means one that runs no time
/// at all: what fails only then is not reported. Lists whose elements it would
/// have replaced have none that are known.
void Engine::skipLoop(State &W, LoopId L, BlockId From, BlockId To) {
  const Loop &Of = Ctx.F.Loops[L];
  if (From == Of.Head && Of.Kind != LoopKind::Do)
    W.Degenerate =
        W.Degenerate || llvm::any_of(Ctx.Flow.Stored[L], [&](VarId V) {
          return Ctx.Flow.Live[To].test(V);
        });
  for (VarId V : Ctx.Flow.Replaced[L])
    if (W.Vars[V].K == Value::Each)
      W.Vars.set(V, Value());
}

/// What a finished iteration leaves: symbols the loop owns now mean an earlier
/// iteration's value, and its assumptions are forgotten.
void Engine::repeatLoop(State &W, BlockId Head, LoopId L) {
  std::map<SymbolId, SymExpr> Old;
  auto Rename = [&](SymExpr &E) {
    bool Any = false;
    for (const auto &T : E.terms())
      for (unsigned I = 0; I < T.M.Count; ++I) {
        SymbolId S = T.M.S[I];
        if (Ctx.Table[S].Owner == ~0u || Old.count(S)) {
          Any = Any || Old.count(S);
          continue;
        }
        bool Mine = false;
        for (LoopId P = Ctx.Table[S].Owner; P != NoId;
             P = Ctx.F.Loops[P].Parent)
          Mine = Mine || P == L;
        if (!Mine)
          continue;
        SymExpr N = Ctx.Ids.joined({SymbolKey::Iteration, Head, S},
                                   Ctx.Table[S].K, Ctx.Table[S].Name);
        Old.emplace(S, N);
        Any = true;
      }
    if (Any)
      E = W.Ar.substitute(E, Old);
  };
  W.Vars.change([](VarId, const Value &X) { return X.K == Value::Int; },
                [&](Value &X) {
                  X.I = W.Ar.norm(X.I);
                  Rename(X.I);
                });
  // What a pointer was taken of in an earlier iteration is forgotten.
  auto Changes = [&](SymExpr E) {
    const SymExpr Before = E;
    Rename(E);
    return !(E == Before);
  };
  W.Vars.change(
      [&](VarId, const Value &X) {
        return X.K == Value::Pointer &&
               (llvm::any_of(X.P->Of.L.Sizes, Changes) ||
                llvm::any_of(X.P->Of.L.Strides, Changes) || Changes(X.I));
      },
      [](Value &X) { X = Value(); });
  W.Objects.change([](ObjId, const Object &) { return true; },
                   [&](Object &O) {
                     for (SymExpr &E : O.L.Sizes)
                       Rename(E);
                     for (SymExpr &E : O.L.Strides)
                       Rename(E);
                     Rename(O.L.Offset);
                   });
  std::vector<SymbolId> Gone;
  for (const auto &Fact : W.Ar.facts()) {
    bool Mine = Ctx.Table[Fact.first].Owner != ~0u;
    for (const auto &T : Fact.second.terms())
      for (unsigned I = 0; I < T.M.Count; ++I)
        Mine = Mine || Ctx.Table[T.M.S[I]].Owner != ~0u;
    if (Mine)
      Gone.push_back(Fact.first);
  }
  for (SymbolId S : Gone)
    W.Ar.dropFact(S);
  // Atoms made in the loop get new values; those of parameters stay.
  for (auto It = W.Ranges.begin(); It != W.Ranges.end();)
    It = Ctx.Table[It->first].Owner != ~0u ? W.Ranges.erase(It) : std::next(It);
  for (auto It = W.Assumed.begin(); It != W.Assumed.end();) {
    It = outlivesLoops(It->first) ? std::next(It) : W.Assumed.erase(It);
  }
  llvm::erase_if(W.Implied, [](const State::Implication &I) {
    return !outlivesLoops(I.If) || !outlivesLoops(I.Then);
  });
}

RunResult interpret(const FlowInfo &Flow, Hypothesis H, const Budget &B,
                    double Deadline, StateObserver *Sees) {
  RunResult R = Engine(Flow, H, B, Deadline, {}, Sees).run();
  auto Doubtful = [](const LayoutFailure &V) { return !V.Apart; };
  if (R.Reason != GiveUp::No || llvm::none_of(R.Sites, [&](const auto &Site) {
        return llvm::any_of(Site.second.Failures, Doubtful);
      }))
    return R;
  RunResult Least = Engine(Flow, H, B, Deadline, R.LeastRanks, nullptr).run();
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
