//===- Engine.cpp - states through blocks -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Machine.h"
#include "Analysis/Tests.h"
#include <algorithm>
#include <chrono>
#include <ctime>

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

//===----------------------------------------------------------------------===//
// Preparation
//===----------------------------------------------------------------------===//

Machine::Machine(const Function &F, Hypothesis H, const Budget &B,
                 double Deadline, const Ranks &Given, StateObserver *Sees)
    : F(F), H(H), Limits(B), Deadline(Deadline), Given(Given), Sees(Sees),
      Shared(std::make_shared<Symbols>()), Table(*Shared), Base(Table),
      Ids(Table), Join(F, Table, Ids) {
  Table.Marks = symbolMarks(static_cast<unsigned>(H));
  R.Table = Shared;
}

bool Machine::insideLoop(BlockId B, LoopId L) const {
  for (LoopId I = F.Blocks[B].InLoop; I != NoId; I = F.Loops[I].Parent)
    if (I == L)
      return true;
  return false;
}

/// Of which variables a test has the same answer each time. A tensor keeps its
/// elements, too: nothing is written in place, nor by a pointer or a call that
/// is made for what it does.
void Machine::findStableVariables() {
  StableVars = keepValues(F);
  const auto IsTensor = [&](VarId V) {
    return F.Vars[V].Type == VarType::Tensor;
  };
  bool Writes = false;
  forEachStmt(F, [&](BlockId, const Stmt &S) {
    const OpClass K = opClass(S.O);
    Writes = Writes || K == OpClass::InPlaceMeta || K == OpClass::InPlaceData;
    const bool Exposes = K == OpClass::Access && S.O != Op::Item;
    if (Exposes || (S.isOpaque() && (!S.Result || S.Discarded)))
      for (const Arg &A : S.Args)
        if (const Stmt *D = A.Value ? DefOf[A.Value] : nullptr;
            D && D->O == Op::Load && IsTensor(D->Var))
          StableVars[D->Var] = false;
  });
  for (VarId V = 0; Writes && V < F.Vars.size(); ++V)
    StableVars[V] = StableVars[V] && !IsTensor(V);
}

void Machine::prepare() {
  const size_t N = F.Blocks.size();
  States.resize(N);
  DefOf.assign(F.NextValue, nullptr);
  BlockOf.assign(F.NextValue, NoId);
  CrossBlock.assign(F.NextValue, false);
  Stored.resize(F.Loops.size());
  Filled.resize(F.Loops.size());
  Replaced.resize(F.Loops.size());
  for (VarId V = 0; V < F.Vars.size(); ++V)
    if (F.Vars[V].IsCaptured)
      Captured.push_back(V);
  forEachStmt(F, [&](BlockId B, const Stmt &S) {
    if (S.Result) {
      DefOf[S.Result] = &S;
      BlockOf[S.Result] = B;
    }
  });
  findStableVariables();
  forEachStmt(F, [&](BlockId B, const Stmt &S) {
    for (const Arg &A : S.Args) {
      if (A.Value && BlockOf[A.Value] != B)
        CrossBlock[A.Value] = true;
      if (A.R != Role::Read && A.Var != NoId && !writesElement(S, A))
        for (LoopId L = F.Blocks[B].InLoop; L != NoId; L = F.Loops[L].Parent)
          Stored[L].insert(A.Var);
    }
    if (S.O != Op::Store)
      return;
    const Stmt *From =
        S.Args.empty() || !S.Args[0].Value ? nullptr : DefOf[S.Args[0].Value];
    const bool Fills =
        From && (From->O == Op::ListInsert || From->O == Op::ListSet);
    for (LoopId L = F.Blocks[B].InLoop; L != NoId; L = F.Loops[L].Parent) {
      Stored[L].insert(S.Var);
      if (Fills)
        Filled[L].insert(S.Var);
      if (Fills && From->O == Op::ListSet)
        Replaced[L].insert(S.Var);
    }
  });
  for (BlockId B = 0; B < N; ++B)
    if (ValueId C = F.Blocks[B].Condition)
      if (BlockOf[C] != B)
        CrossBlock[C] = true;
  for (LoopId L = 0; L < F.Loops.size(); ++L)
    if (F.Loops[L].Head != NoId) {
      States[F.Loops[L].Head].IsHead = true;
      States[F.Loops[L].Head].Loop = L;
    }
  // Reverse post order, iteratively.
  std::vector<uint8_t> Seen(N, 0);
  std::vector<std::pair<BlockId, unsigned>> Stack{{F.Entry, 0}};
  std::vector<BlockId> Post;
  Seen[F.Entry] = 1;
  while (!Stack.empty()) {
    auto &[B, I] = Stack.back();
    // What leaves the loop comes first here, and so last in the order: the loop
    // has come to rest by then.
    const auto &Succs = F.Blocks[B].Succs;
    const auto Leaves = [&, At = B](BlockId S) {
      return S != NoId && F.Blocks[At].InLoop != NoId &&
             !insideLoop(S, F.Blocks[At].InLoop);
    };
    if (I < 2 * Succs.size()) {
      const bool First = I < Succs.size();
      BlockId S = Succs[I++ % Succs.size()];
      if (S != NoId && !Seen[S] && (!First || Leaves(S))) {
        Seen[S] = 1;
        Stack.push_back({S, 0});
      }
    } else {
      Post.push_back(B);
      Stack.pop_back();
    }
  }
  Order.assign(N, NoId);
  for (size_t I = 0; I < Post.size(); ++I)
    Order[Post[I]] = static_cast<BlockId>(Post.size() - 1 - I);
  findLive();
}

/// Backwards to a fixpoint, blocks in post order. What nobody reads again need
/// not be copied from state to state, nor keep states apart.
void Machine::findLive() {
  const size_t N = F.Blocks.size();
  CrossAt.assign(F.NextValue, 0);
  auto Size = static_cast<uint32_t>(F.Vars.size());
  for (ValueId V = 0; V < F.NextValue; ++V)
    if (CrossBlock[V])
      CrossAt[V] = Size++;
  std::vector<llvm::SparseBitVector<>> Sets(N);
  Live.resize(N);
  for (BlockId B = 0; B < N; ++B) {
    auto Use = [&](ValueId V) {
      if (V && CrossBlock[V] && BlockOf[V] != B)
        Live[B].set(CrossAt[V]);
    };
    for (const Stmt &S : F.Blocks[B].Stmts) {
      for (const Arg &A : S.Args)
        Use(A.Value);
      if (S.O == Op::Load && S.Var < F.Vars.size() && !Sets[B].test(S.Var))
        Live[B].set(S.Var);
      if (S.O == Op::Store && S.Var < F.Vars.size())
        Sets[B].set(S.Var);
      if (S.Result && CrossBlock[S.Result])
        Sets[B].set(CrossAt[S.Result]);
    }
    Use(F.Blocks[B].Condition);
  }
  std::vector<BlockId> Post;
  for (BlockId B = 0; B < N; ++B)
    if (Order[B] != NoId)
      Post.push_back(B);
  std::sort(Post.begin(), Post.end(),
            [&](BlockId A, BlockId B) { return Order[A] > Order[B]; });
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BlockId B : Post) {
      llvm::SparseBitVector<> Out;
      for (BlockId S : F.Blocks[B].Succs)
        if (S != NoId)
          Out |= Live[S];
      Out.intersectWithComplement(Sets[B]);
      Out |= Live[B];
      if (Out != Live[B]) {
        Live[B] = std::move(Out);
        Changed = true;
      }
    }
  }
}

void Machine::dropDead(State &W, BlockId At) const {
  const llvm::SparseBitVector<> &L = Live[At];
  W.Vars.eraseIf([&](VarId V, const Value &) { return !L.test(V); });
  for (auto It = W.Temps.begin(); It != W.Temps.end();)
    It = CrossBlock[It->first] && L.test(CrossAt[It->first])
             ? std::next(It)
             : W.Temps.erase(It);
}

State Machine::entryWorld() {
  State W(Base);
  for (VarId V = 0; V < F.Vars.size(); ++V) {
    const Variable &Var = F.Vars[V];
    bool Lives = Var.IsParam || Var.IsMember || Var.IsStatic ||
                 Var.IsReference || Var.IsCaptured;
    if (!Lives || Var.Type != VarType::Tensor)
      continue;
    const std::string Name = called(V);
    Object O = opaque(W, Name, {SymbolKey::Parameter, NoId, V});
    O.Name = Name;
    const ObjId Id{ObjId::Variable, 0, V};
    O.Storage = Id;
    if (Var.IsGgml)
      makeGgml(W, O, Id);
    W.Objects.assign(Id, std::move(O));
    W.Vars.set(V, Value::tensor(Id));
  }
  return W;
}

//===----------------------------------------------------------------------===//
// The worklist
//===----------------------------------------------------------------------===//

RunResult Machine::run() {
  if (F.Reason != GiveUp::No) {
    R.Reason = F.Reason;
    return std::move(R);
  }
  size_t Statements = 0;
  for (const Block &B : F.Blocks)
    Statements += B.Stmts.size();
  if (F.Blocks.empty() || F.Blocks.size() > Limits.MaxBlocks) {
    R.Reason = F.Blocks.empty() ? GiveUp::NoCfg : GiveUp::TooManyBlocks;
    return std::move(R);
  }
  if (Statements > Limits.MaxStatements) {
    R.Reason = GiveUp::TooLong;
    return std::move(R);
  }
  prepare();
  arrive(F.Entry, entryWorld(), NoId);

  // Blocks in reverse post order: all that can reach a merge has run before it.
  std::set<std::pair<BlockId, BlockId>> Work{{Order[F.Entry], F.Entry}};
  while (!Work.empty()) {
    BlockId B = Work.begin()->second;
    Work.erase(Work.begin());
    if (cpuSeconds() > Deadline) {
      R.Reason = GiveUp::TooSlow;
      return std::move(R);
    }
    BlockState &S = States[B];
    if (++S.Visits > Limits.MaxBlockVisits) {
      R.Reason = GiveUp::TooLong;
      return std::move(R);
    }
    std::vector<State> Todo;
    for (size_t I = 0; I < S.In.size(); ++I)
      if (S.Pending[I]) {
        S.Pending[I] = false;
        Todo.push_back(S.In[I]);
      }
    // Outside loops nothing arrives again: all predecessors have run.
    if (F.Blocks[B].InLoop == NoId) {
      S.In.clear();
      S.Pending.clear();
    }
    for (State &W : Todo)
      runBlock(B, std::move(W));
    for (BlockId T : F.Blocks[B].Succs)
      if (T != NoId &&
          std::find(States[T].Pending.begin(), States[T].Pending.end(), true) !=
              States[T].Pending.end())
        Work.insert({Order[T], T});
  }
  return std::move(R);
}

void Machine::runBlock(BlockId B, State W) {
  Current = B;
  if (Sees)
    Sees->enters(B, W, Join);
  const Block &Blk = F.Blocks[B];
  for (const Stmt &S : Blk.Stmts) {
    if (!execute(W, S))
      return;
    if (S.Narrows)
      noteNarrow(W, S);
    if (Limits.Observe)
      observe(W, S);
    if (Blk.InLoop != NoId && S.Result && H == Hypothesis::Opaque)
      if (const Object *O = tensor(W, value(W, S.Result)))
        noteInLoop(W, S, *O);
    if (Limits.Describe && S.Result)
      noteLayout(W, S);
  }
  CondRef C;
  if (Blk.Condition)
    C = toCondition(W, Blk.Condition);
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
  Truth T = evaluate(W, *C);
  for (int Arm = 0; Arm < 2; ++Arm) {
    BlockId To = Blk.Succs[static_cast<size_t>(Arm)];
    if (To == NoId || T == (Arm == 0 ? Truth::No : Truth::Yes))
      continue;
    State Next = W;
    CountedOut = endsCount(B, To);
    if (T == Truth::Unknown &&
        failsBySizeAlone(W, B, static_cast<unsigned>(Arm)))
      Next.Degenerate = true;
    if (assume(Next, *C, Arm == 0) && Next.imply()) {
      keepAnswer(Next, Blk.Condition, *C, Arm == 0);
      Leave(std::move(Next), To);
    }
    CountedOut = false;
  }
}

/// A variable that two questions made is what a branch on it said, also where
/// what is known of the two is not:
///   const bool fold = wanted && x->ne[1] == 1;
void Machine::keepAnswer(State &W, ValueId Of, const Condition &C, bool Holds) {
  const Stmt *S = DefOf[Of];
  if (!S || S->O != Op::Load || (C.K != Condition::And && C.K != Condition::Or))
    return;
  auto Answer = std::make_shared<Condition>();
  Answer->Flag = Holds;
  W.Vars.set(S->Var, Value::condition(std::move(Answer)));
}

/// Whether a loop is left by a test of what it counts, or of a tensor that it
/// makes like another:
///   while (bias.dim() < x.dim()) bias = bias.unsqueeze(-1);
bool Machine::endsCount(BlockId B, BlockId To) const {
  const LoopId L = F.Blocks[B].InLoop;
  if (L == NoId || insideLoop(To, L))
    return false;
  bool Counts = false, Makes = false, Like = false;
  for (const Stmt &S : F.Blocks[B].Stmts)
    if (S.O == Op::Load) {
      const bool Stores = Stored[L].count(S.Var);
      const bool IsTensor = F.Vars[S.Var].Type == VarType::Tensor;
      Counts |= Stores && F.Vars[S.Var].Type == VarType::Int;
      Makes |= Stores && IsTensor;
      Like |= !Stores && IsTensor;
    }
  return Counts || (Makes && Like);
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
void Machine::runSwitch(BlockId B, const State &W,
                        llvm::function_ref<void(State, BlockId)> Leave) {
  const Block &Blk = F.Blocks[B];
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
        Is = test(W, Blk.Condition, "", " is " + std::to_string(*Label.Value));
      else if (Is && Is->K == Condition::Equal)
        noteTest(Blk.Condition, compareKey(Next.Ar, *Is));
      if (!Is)
        continue;
      const Truth T = evaluate(Next, *Is);
      // Dispatch over dtypes is not a matter of layout: no path for each.
      Possible = T != truth(!Mine) && (!Label.Value || assume(Next, *Is, Mine));
    }
    if (Possible)
      Leave(std::move(Next), Blk.Succs[I]);
  }
}

/// \p J takes the place of a state that it describes; if it describes more,
/// that has to run, too.
void Machine::replace(BlockState &S, size_t Of, State J) {
  if (J.leq(S.In[Of]))
    return;
  S.In[Of] = std::move(J);
  S.Pending[Of] = true;
}

void Machine::arrive(BlockId To, State W, BlockId From) {
  BlockState &S = States[To];
  for (LoopId L = From == NoId ? NoId : F.Blocks[From].InLoop;
       L != NoId && !insideLoop(To, L); L = F.Loops[L].Parent)
    if (llvm::is_contained(W.First, L))
      skipLoop(W, L, From, To);
  for (auto *Loops : {&W.Repeats, &W.First})
    llvm::erase_if(*Loops, [&](LoopId L) { return !insideLoop(To, L); });
  if (S.IsHead) {
    const bool Once = F.Loops[S.Loop].RunsOnce;
    const bool Again = !Once && From != NoId && insideLoop(From, S.Loop);
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
      return replace(S, I, Join.join(S.In[I], W, To));
  // A loop head keeps few states, so that it comes to rest soon.
  size_t Max = S.IsHead ? 4 : Limits.MaxStates;
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
  State J = Join.join(S.In[Best], W, To);
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
void Machine::chooseArms(State &W, BlockId To) const {
  for (const Stmt &S : F.Blocks[To].Stmts) {
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
bool Machine::testDecided(const State &W, BlockId Head, LoopId L) {
  const Block &B = F.Blocks[Head];
  if (!B.Condition || B.Succs.size() != 2 || BlockOf[B.Condition] != Head ||
      B.Stmts.size() > 16)
    return false;
  for (const Stmt &S : B.Stmts) // a test without tensors or calls
    if (opClass(S.O) != OpClass::Structure &&
        opClass(S.O) != OpClass::Integer && opClass(S.O) != OpClass::Condition)
      return false;
  // `while (true)` says nothing of how often it runs.
  if (llvm::none_of(B.Stmts, [&](const Stmt &S) {
        return S.O == Op::Load && Stored[L].count(S.Var);
      }))
    return false;
  State Trial = W;
  BlockId Was = Current;
  Current = Head;
  for (const Stmt &S : B.Stmts)
    execute(Trial, S);
  Current = Was;
  Value V = value(Trial, B.Condition);
  if (V.K != Value::Bool || evaluate(Trial, *V.C) == Truth::Unknown)
    return false;
  // After `n >= 1` the first iteration of i < n is sure, and no other. A list
  // of what that one puts there would stand for all the others put there, too.
  const bool Fills = llvm::any_of(Filled[L], [&](VarId V) {
    return W.Vars[V].isList() && Live[Head].test(V);
  });
  return !Fills || llvm::all_of(DefOf[B.Condition]->Args, [&](const Arg &A) {
    const Value Side = value(Trial, A.Value);
    return Side.K != Value::Int || W.Ar.known(Side.I);
  });
}

/// Integers and conditions the loop changes have no value that holds for every
/// iteration.
void Machine::enterLoop(State &W, BlockId Head, LoopId L) {
  for (VarId V : Stored[L]) {
    if (!Live[Head].test(V))
      continue;
    const Value &X = W.Vars[V];
    if (X.K == Value::Int || F.Vars[V].Type == VarType::Int) {
      SymExpr E = Ids.symbol({SymbolKey::LoopCounter, Head, V},
                             SymbolInfo::Integer, called(V));
      Table[*E.asSymbol()].Owner = L;
      W.Initial.erase(*E.asSymbol());
      // Entered again, it may be what the last run of the loop left.
      if (const SymExpr First = W.Ar.norm(X.I);
          X.K == Value::Int &&
          W.Ar.substitute(First, {{*E.asSymbol(), SymExpr(0)}}) == First)
        W.Initial[*E.asSymbol()] = First;
      W.Vars.set(V, Value::integer(E));
    } else if (X.K == Value::Bool) {
      const std::string Key =
          "loop" + std::to_string(Head) + "." + std::to_string(V);
      W.Vars.set(V, Value::condition(atom(Key, called(V))));
    } else if (X.K == Value::Pointer) {
      Value Moved = X;
      Moved.I = Ids.symbol({SymbolKey::LoopDistance, Head, V},
                           SymbolInfo::Integer, called(V));
      W.Vars.set(V, std::move(Moved));
    } else if (X.isList() && Filled[L].count(V)) {
      W.Vars.set(V, Join.joinLists(W, W, W, X, Value::each(), Head,
                                   Joiner::slotOf(V)));
    } else if (X.K != Value::Tensor && X.K != Value::Unknown) {
      W.Vars.set(V, Value());
    }
  }
}

/// Loop \p L is left in its first iteration. Nobody means one that runs no time
/// at all: what fails only then is not reported. Lists whose elements it would
/// have replaced have none that are known.
void Machine::skipLoop(State &W, LoopId L, BlockId From, BlockId To) {
  const Loop &Of = F.Loops[L];
  if (From == Of.Head && Of.Kind != LoopKind::Do)
    W.Degenerate = W.Degenerate || llvm::any_of(Stored[L], [&](VarId V) {
                     return Live[To].test(V);
                   });
  for (VarId V : Replaced[L])
    if (W.Vars[V].K == Value::Each)
      W.Vars.set(V, Value());
}

/// What a finished iteration leaves: symbols the loop owns now mean an earlier
/// iteration's value, and its assumptions are forgotten.
void Machine::repeatLoop(State &W, BlockId Head, LoopId L) {
  std::map<SymbolId, SymExpr> Old;
  auto Rename = [&](SymExpr &E) {
    bool Any = false;
    for (const auto &T : E.terms())
      for (unsigned I = 0; I < T.M.Count; ++I) {
        SymbolId S = T.M.S[I];
        if (Table[S].Owner == ~0u || Old.count(S)) {
          Any = Any || Old.count(S);
          continue;
        }
        bool Mine = false;
        for (LoopId P = Table[S].Owner; P != NoId; P = F.Loops[P].Parent)
          Mine = Mine || P == L;
        if (!Mine)
          continue;
        SymExpr N = Ids.joined({SymbolKey::Iteration, Head, S}, Table[S].K,
                               Table[S].Name);
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
    bool Mine = Table[Fact.first].Owner != ~0u;
    for (const auto &T : Fact.second.terms())
      for (unsigned I = 0; I < T.M.Count; ++I)
        Mine = Mine || Table[T.M.S[I]].Owner != ~0u;
    if (Mine)
      Gone.push_back(Fact.first);
  }
  for (SymbolId S : Gone)
    W.Ar.dropFact(S);
  // Atoms made in the loop get new values; those of parameters stay.
  for (auto It = W.Ranges.begin(); It != W.Ranges.end();)
    It = Table[It->first].Owner != ~0u ? W.Ranges.erase(It) : std::next(It);
  for (auto It = W.Assumed.begin(); It != W.Assumed.end();) {
    It = outlivesLoops(It->first) ? std::next(It) : W.Assumed.erase(It);
  }
  llvm::erase_if(W.Implied, [](const State::Implication &I) {
    return !outlivesLoops(I.If) || !outlivesLoops(I.Then);
  });
}

double cpuSeconds() {
#ifdef CLOCK_THREAD_CPUTIME_ID
  timespec T{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &T) == 0)
    return static_cast<double>(T.tv_sec) +
           1e-9 * static_cast<double>(T.tv_nsec);
#endif
  const auto Now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(Now).count();
}

RunResult interpret(const Function &F, Hypothesis H, const Budget &B,
                    double Deadline, StateObserver *Sees) {
  RunResult R = Machine(F, H, B, Deadline, {}, Sees).run();
  auto Doubtful = [](const LayoutFailure &V) { return !V.Apart; };
  if (R.Reason != GiveUp::No || llvm::none_of(R.Sites, [&](const auto &Site) {
        return llvm::any_of(Site.second.Failures, Doubtful);
      }))
    return R;
  RunResult Least = Machine(F, H, B, Deadline, R.LeastRanks, nullptr).run();
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
