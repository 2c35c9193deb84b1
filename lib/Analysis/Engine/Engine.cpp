//===- Engine.cpp - states through blocks -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Engine/Engine.h"
#include "Analysis/Domain/Names.h"
#include <algorithm>

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

namespace {

class Engine {
public:
  Engine(const FlowInfo &Flow, const Budget &B, double Deadline, RunNames Names,
         Steps &Rules, StateObserver *Sees)
      : F(Flow.F), Flow(Flow), Limits(B), Deadline(Deadline), Names(Names),
        Rules(Rules), Sees(Sees), States(F.Blocks.size()) {
    for (LoopId L = 0; L < F.Loops.size(); ++L)
      if (const BlockId Head = F.Loops[L].Head; Head != NoId) {
        States[Head].IsHead = true;
        States[Head].Loop = L;
      }
  }

  GiveUp run();

private:
  struct BlockState {
    llvm::SmallVector<State, 0> In; ///< every state that ran or will
    std::vector<bool> Pending;
    unsigned Visits = 0;
    bool IsHead = false;
    LoopId Loop = NoId; ///< loop this block heads
  };

  void dropDead(State &W, BlockId At) const;
  void arrive(BlockId To, State W, BlockId From);
  /// The most states that the head of a loop keeps: few, so that it comes to
  /// rest soon.
  static constexpr int64_t MostAtHead = 4;
  bool leavesValues(BlockId Head, LoopId L) const;
  bool testDecided(const State &W, BlockId Head, LoopId L, bool Again);
  void enterLoop(State &W, BlockId Head, LoopId L);
  void skipLoop(State &W, LoopId L, BlockId From, BlockId To);
  void repeatLoop(State &W, BlockId Head, LoopId L);
  void chooseArms(State &W, BlockId To) const;
  static void replace(BlockState &S, size_t Of, State J);
  void runBlock(BlockId B, State W);

  const Function &F;
  const FlowInfo &Flow;
  const Budget &Limits;
  const double Deadline; ///< of cpuSeconds()
  const RunNames Names;
  Steps &Rules;
  StateObserver *Sees;
  std::vector<BlockState> States;
};

} // namespace

void Engine::dropDead(State &W, BlockId At) const {
  const llvm::SparseBitVector<> &L = Flow.Live[At];
  W.Vars.eraseIf([&](VarId V, const Value &) { return !L.test(V); });
  W.Temps.eraseIf([&](ValueId V, const Value &) {
    return !Flow.CrossBlock[V] || !L.test(Flow.CrossAt[V]);
  });
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

GiveUp Engine::run() {
  arrive(F.Entry, Rules.entry(), NoId);

  // Blocks in reverse post order: all that can reach a merge has run before it.
  std::set<std::pair<BlockId, BlockId>> Work{{Flow.Order[F.Entry], F.Entry}};
  while (!Work.empty()) {
    BlockId B = Work.begin()->second;
    Work.erase(Work.begin());
    if (cpuSeconds() > Deadline)
      return GiveUp::TooSlow;
    BlockState &S = States[B];
    if (++S.Visits > Limits.MaxBlockVisits)
      return GiveUp::TooLong;
    // Outside loops nothing arrives again: all predecessors have run.
    const bool Again = F.Blocks[B].InLoop != NoId;
    llvm::SmallVector<State, 0> Todo;
    for (size_t I = 0; I < S.In.size(); ++I)
      if (S.Pending[I]) {
        S.Pending[I] = false;
        Todo.push_back(Again ? S.In[I] : std::move(S.In[I]));
      }
    if (!Again) {
      S.In.clear();
      S.Pending.clear();
    }
    for (State &W : Todo)
      runBlock(B, std::move(W));
    for (BlockId T : F.Blocks[B].Succs)
      if (T != NoId &&
          std::find(States[T].Pending.begin(), States[T].Pending.end(), true) !=
              States[T].Pending.end())
        Work.insert({Flow.Order[T], T});
  }
  return GiveUp::No;
}

void Engine::runBlock(BlockId B, State W) {
  if (Sees)
    Sees->enters(B, W, Names.Join);
  if (!Rules.run(B, W))
    return;
  // The condition may be about objects only temporaries hold: it is assumed
  // before they go.
  Rules.leave(B, std::move(W), [&](State Next, BlockId To) {
    dropDead(Next, To);
    arrive(To, std::move(Next), B);
  });
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
  for (LoopId L = From == NoId ? NoId : F.Blocks[From].InLoop;
       L != NoId && !Flow.insideLoop(To, L); L = F.Loops[L].Parent)
    if (llvm::is_contained(W.First, L))
      skipLoop(W, L, From, To);
  for (auto *Loops : {&W.Repeats, &W.First})
    llvm::erase_if(*Loops, [&](LoopId L) { return !Flow.insideLoop(To, L); });
  if (S.IsHead) {
    const bool Once = F.Loops[S.Loop].RunsOnce;
    const bool Again = !Once && From != NoId && Flow.insideLoop(From, S.Loop);
    if (Again)
      repeatLoop(W, To, S.Loop);
    // A counter with known bounds keeps its value while few states are here.
    if (!Once && !testDecided(W, To, S.Loop, Again))
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
        S.In.size() < Limits.MaxStates / 2)
      continue;
    if (!W.leq(S.In[I])) {
      Joiner::weaken(S.In[I], W);
      S.Pending[I] = true;
    }
    return;
  }
  for (size_t I = 0; I < S.In.size(); ++I)
    if (Joiner::sameButLists(S.In[I], W))
      return replace(S, I, Names.Join.join(S.In[I], W, To));
  const size_t Max = S.IsHead ? MostAtHead : Limits.MaxStates;
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
  State J = Names.Join.join(S.In[Best], W, To);
  if (J.leq(S.In[Best]))
    return;
  for (size_t I = 0; I < S.In.size(); ++I)
    if (I != Best && S.In[I].sameState(J)) {
      Joiner::weaken(S.In[I], J);
      S.Pending[I] = true;
      S.In.erase(S.In.begin() + Best);
      S.Pending.erase(S.Pending.begin() + static_cast<long>(Best));
      return;
    }
  S.In[Best] = std::move(J);
  S.Pending[Best] = true;
}

/// A path that comes to `a ? x : y` has one of the two, which then joins with
/// what others have there.
void Engine::chooseArms(State &W, BlockId To) const {
  for (const Stmt &S : F.Blocks[To].Stmts) {
    if (S.O != Op::Phi)
      continue;
    const Value *One = nullptr;
    unsigned Seen = 0;
    for (const Arg &A : S.Args)
      if (const Value *X = W.Temps.find(A.Value)) {
        One = X;
        ++Seen;
      }
    if (Seen == 1)
      W.Temps.assign(S.Result, *One);
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Whether loop \p L leaves something behind in a variable.
bool Engine::leavesValues(BlockId Head, LoopId L) const {
  return llvm::any_of(F.Blocks[Head].Succs, [&](BlockId To) {
    return To != NoId && !Flow.insideLoop(To, L) &&
           llvm::any_of(Flow.Stored[L],
                        [&](VarId V) { return Flow.Live[To].test(V); });
  });
}

/// Whether the loop's test has one outcome in \p W, as for a counter from 0 to
/// a constant. Of a loop that would come to the head more often than that has
/// states at most the first iteration is told apart (\p Again: it is another
/// one): the others would be joined, and what its counter has to do with other
/// numbers, such as the distance a pointer has gone, be lost.
bool Engine::testDecided(const State &W, BlockId Head, LoopId L, bool Again) {
  const Block &B = F.Blocks[Head];
  if (!B.Condition || B.Succs.size() != 2 ||
      Flow.BlockOf[B.Condition] != Head || B.Stmts.size() > 16)
    return false;
  for (const Stmt &S : B.Stmts) // a test without tensors or calls
    if (opClass(S.O) != OpClass::Structure &&
        opClass(S.O) != OpClass::Integer && opClass(S.O) != OpClass::Condition)
      return false;
  // `while (true)` says nothing of how often it runs.
  if (llvm::none_of(B.Stmts, [&](const Stmt &S) {
        return S.O == Op::Load && Flow.Stored[L].count(S.Var);
      }))
    return false;
  State Trial = W;
  if (Rules.test(Head, Trial) == Truth::Unknown)
    return false;
  auto Side = [&](const Arg &A) {
    const Value *X = Trial.Temps.find(A.Value);
    return X && X->K == Value::Int ? W.Ar.known(X->I) : std::nullopt;
  };
  auto IsFar = [](int64_t A, int64_t Z) { // the difference may overflow
    int64_t Apart = 0;
    return __builtin_sub_overflow(std::max(A, Z), std::min(A, Z), &Apart) ||
           Apart > MostAtHead;
  };
  const auto &Sides = Flow.DefOf[B.Condition]->Args;
  if (Sides.size() == 2 && (Again || !leavesValues(Head, L)))
    if (const auto A = Side(Sides[0]), Z = Side(Sides[1]);
        A && Z && IsFar(*A, *Z))
      return false;
  // After `n >= 1` the first iteration of i < n is sure, and no other. A list
  // of what that one puts there would stand for all the others put there, too.
  const bool Fills = llvm::any_of(Flow.Filled[L], [&](VarId V) {
    return W.Vars[V].isList() && Flow.Live[Head].test(V);
  });
  return !Fills ||
         llvm::all_of(Flow.DefOf[B.Condition]->Args, [&](const Arg &A) {
           const Value *Side = Trial.Temps.find(A.Value);
           return !Side || Side->K != Value::Int || W.Ar.known(Side->I);
         });
}

/// Integers and conditions the loop changes have no value that holds for every
/// iteration.
void Engine::enterLoop(State &W, BlockId Head, LoopId L) {
  for (VarId V : Flow.Stored[L]) {
    if (!Flow.Live[Head].test(V))
      continue;
    const Value &X = W.Vars[V];
    if (X.K == Value::Int || F.Vars[V].Type == VarType::Int) {
      SymExpr E = Names.Ids.symbol({SymbolKey::LoopCounter, Head, V},
                                   SymbolInfo::Integer, called(F, V));
      Names.Table[*E.asSymbol()].Owner = L;
      W.Initial.erase(*E.asSymbol());
      Rules.changesInLoop(V, X, Value::integer(E));
      // Entered again, it may be what the last run of the loop left.
      if (const SymExpr First = W.Ar.norm(X.I);
          X.K == Value::Int &&
          W.Ar.substitute(First, {{*E.asSymbol(), SymExpr(0)}}) == First)
        W.Initial[*E.asSymbol()] = First;
      W.Vars.set(V, Value::integer(E));
    } else if (X.K == Value::Bool) {
      const std::string Key =
          "loop" + std::to_string(Head) + "." + std::to_string(V);
      Value Any = Value::condition(atom(Key, called(F, V)));
      Rules.changesInLoop(V, X, Any);
      W.Vars.set(V, std::move(Any));
    } else if (X.K == Value::Pointer) {
      Value Moved = X;
      Moved.I = Names.Ids.symbol({SymbolKey::LoopDistance, Head, V},
                                 SymbolInfo::Integer, called(F, V));
      W.Vars.set(V, std::move(Moved));
    } else if (X.isList() && Flow.Filled[L].count(V)) {
      W.Vars.set(V, Names.Join.joinLists(W, W, W, X, Value::each(), Head,
                                         Joiner::slotOf(V)));
    } else if (X.K == Value::Accessor &&
               llvm::count(Flow.Values.Stores[V], nullptr) + 1 ==
                   static_cast<ptrdiff_t>(Flow.Values.Stores[V].size())) {
      continue; // only its elements change
    } else if (X.K != Value::Tensor && X.K != Value::Unknown) {
      W.Vars.set(V, Value());
    }
  }
}

/// Loop \p L is left in its first iteration. Nobody means one that runs no time
/// at all: what fails only then is not reported. Lists whose elements it would
/// have replaced have none that are known.
void Engine::skipLoop(State &W, LoopId L, BlockId From, BlockId To) {
  const Loop &Of = F.Loops[L];
  if (From == Of.Head && Of.Kind != LoopKind::Do)
    W.Degenerate = W.Degenerate || llvm::any_of(Flow.Stored[L], [&](VarId V) {
                     return Flow.Live[To].test(V);
                   });
  for (VarId V : Flow.Replaced[L])
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
        if (Names.Table[S].Owner == ~0u || Old.count(S)) {
          Any = Any || Old.count(S);
          continue;
        }
        bool Mine = false;
        for (LoopId P = Names.Table[S].Owner; P != NoId; P = F.Loops[P].Parent)
          Mine = Mine || P == L;
        if (!Mine)
          continue;
        SymExpr N = Names.Ids.joined({SymbolKey::Iteration, Head, S},
                                     Names.Table[S].K, Names.Table[S].Name);
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
        return X.P &&
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
    if (isOfLoop(Names.Table, SymExpr::symbol(Fact.first)) ||
        isOfLoop(Names.Table, Fact.second))
      Gone.push_back(Fact.first);
  }
  for (SymbolId S : Gone)
    W.Ar.dropFact(S);
  W.Ar.eraseFloors([&](SymbolId Of, const SymExpr &E) {
    return isOfLoop(Names.Table, SymExpr::symbol(Of)) ||
           isOfLoop(Names.Table, E);
  });
  // Atoms made in the loop get new values; those of parameters stay.
  for (auto It = W.Ranges.begin(); It != W.Ranges.end();)
    It = Names.Table[It->first].Owner != ~0u ? W.Ranges.erase(It)
                                             : std::next(It);
  W.Assumed.eraseIf([](const auto &A) { return !outlivesLoops(A.first); });
  llvm::erase_if(W.Implied, [](const State::Implication &I) {
    return !outlivesLoops(I.If) || !outlivesLoops(I.Then);
  });
}

GiveUp runToFixpoint(const FlowInfo &Flow, const Budget &B, double Deadline,
                     RunNames Names, Steps &Rules, StateObserver *Sees) {
  return Engine(Flow, B, Deadline, Names, Rules, Sees).run();
}

} // namespace tensortidy::analysis
