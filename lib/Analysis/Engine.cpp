//===- Engine.cpp - worlds through blocks -*- C++ -*-===//
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
// World
//===----------------------------------------------------------------------===//

static bool sameCondition(const CondRef &A, const CondRef &B) {
  if (A == B)
    return true;
  if (!A || !B)
    return false;
  return A->K == B->K && A->Flag == B->Flag && A->Key == B->Key &&
         A->T == B->T && A->F == B->F && A->A == B->A && A->B == B->B &&
         sameCondition(A->L, B->L) && sameCondition(A->R, B->R);
}

bool Value::operator==(const Value &O) const {
  if (K != O.K || T != O.T || I != O.I || Text != O.Text ||
      !sameCondition(C, O.C))
    return false;
  if (P != O.P && !(P && O.P && P->Taken == O.P->Taken && P->Of == O.P->Of))
    return false;
  if (Elems == O.Elems)
    return true;
  return Elems && O.Elems && *Elems == *O.Elems;
}

using Marks = llvm::DenseSet<ObjId>;
static void mark(const Value &V, Marks &Live);
static void mark(const CondRef &C, Marks &Live) {
  if (!C)
    return;
  if (C->T)
    Live.insert(C->T);
  mark(C->L, Live);
  mark(C->R, Live);
}
static void mark(const Value &V, Marks &Live) {
  if (V.T && V.T != AnyTensor)
    Live.insert(V.T);
  mark(V.C, Live);
  if (V.Elems)
    for (const Value &E : *V.Elems)
      mark(E, Live);
}

void World::collect() {
  Marks Live;
  Vars.forEach([&](VarId, const Value &V) { mark(V, Live); });
  for (const auto &T : Temps)
    mark(T.second, Live);
  Objects.eraseIf([&](ObjId Id, const Object &) { return !Live.count(Id); });
  for (auto It = RankOf.begin(); It != RankOf.end();)
    It = Objects.find(It->second) ? std::next(It) : RankOf.erase(It);
}

//===----------------------------------------------------------------------===//
// Preparation
//===----------------------------------------------------------------------===//

Machine::Machine(const Function &F, Hypothesis H, const Budget &B,
                 double Deadline, const Ranks &Given)
    : F(F), H(H), Limits(B), Deadline(Deadline), Given(Given),
      Shared(std::make_shared<Symbols>()), Table(*Shared), Base(Table) {
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
void Machine::keepTested() {
  Keeps = keepValues(F);
  const auto IsTensor = [&](VarId V) {
    return F.Vars[V].Type == VarType::Tensor;
  };
  bool Writes = false;
  forEachStmt(F, [&](BlockId, const Stmt &S) {
    const OpClass K = opClass(S.O);
    Writes = Writes || K == OpClass::InPlaceMeta || K == OpClass::InPlaceData;
    const bool Exposes = K == OpClass::Access && S.O != Op::Item;
    if (Exposes || (S.O == Op::Opaque && (!S.Result || S.Discarded)))
      for (const Arg &A : S.Args)
        if (const Stmt *D = A.Value ? DefOf[A.Value] : nullptr;
            D && D->O == Op::Load && IsTensor(D->Var))
          Keeps[D->Var] = false;
  });
  for (VarId V = 0; Writes && V < F.Vars.size(); ++V)
    Keeps[V] = Keeps[V] && !IsTensor(V);
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
  keepTested();
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
/// not be copied from world to world, nor keep worlds apart.
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

void Machine::dropDead(World &W, BlockId At) const {
  const llvm::SparseBitVector<> &L = Live[At];
  W.Vars.eraseIf([&](VarId V, const Value &) { return !L.test(V); });
  for (auto It = W.Temps.begin(); It != W.Temps.end();)
    It = CrossBlock[It->first] && L.test(CrossAt[It->first])
             ? std::next(It)
             : W.Temps.erase(It);
}

World Machine::entryWorld() {
  World W(Base);
  for (VarId V = 0; V < F.Vars.size(); ++V) {
    const Variable &Var = F.Vars[V];
    bool Lives = Var.IsParam || Var.IsMember || Var.IsStatic ||
                 Var.IsReference || Var.IsCaptured;
    if (!Lives || Var.Type != VarType::Tensor)
      continue;
    const std::string Name = called(V);
    Object O = opaque(W, Name, V);
    O.Name = Name;
    ObjId Id = (1u << 30) + V;
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
    std::vector<World> Todo;
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
    for (World &W : Todo)
      runBlock(B, std::move(W));
    for (BlockId T : F.Blocks[B].Succs)
      if (T != NoId &&
          std::find(States[T].Pending.begin(), States[T].Pending.end(), true) !=
              States[T].Pending.end())
        Work.insert({Order[T], T});
  }
  return std::move(R);
}

void Machine::runBlock(BlockId B, World W) {
  Current = B;
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
  auto Leave = [&](World Next, BlockId To) {
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
    World Next = W;
    CountedOut = endsCount(B, To);
    if (T == Truth::Unknown && leftOver(W, B, static_cast<unsigned>(Arm)))
      Next.Moot = true;
    if (assume(Next, *C, Arm == 0) && imply(Next)) {
      keepAnswer(Next, Blk.Condition, *C, Arm == 0);
      Leave(std::move(Next), To);
    }
    CountedOut = false;
  }
}

/// A variable that two questions made is what a branch on it said, also where
/// what is known of the two is not:
///   const bool fold = wanted && x->ne[1] == 1;
void Machine::keepAnswer(World &W, ValueId Of, const Condition &C, bool Holds) {
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
void Machine::runSwitch(BlockId B, const World &W,
                        llvm::function_ref<void(World, BlockId)> Leave) {
  const Block &Blk = F.Blocks[B];
  Value V = value(W, Blk.Condition);
  for (size_t I = 0; I < Blk.Succs.size(); ++I) {
    if (Blk.Succs[I] == NoId)
      continue;
    World Next = W;
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

void Machine::arrive(BlockId To, World W, BlockId From) {
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
    // A counter with known bounds keeps its value while few worlds are here.
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
    // One world, unless one knows sizes the other does not and there is room.
    if (S.In[I].Ar.facts() != W.Ar.facts() && !S.IsHead &&
        S.In.size() < Limits.MaxWorlds / 2)
      continue;
    auto Known = [](const World &Of) {
      return Of.Assumed.size() + Of.Ar.facts().size() +
             Of.Ar.usedAsSizes().size() + Of.Initial.size() +
             Of.Repeats.size() + Of.First.size();
    };
    const size_t Before = Known(S.In[I]), Loose = S.In[I].Loose.size();
    const bool Moot = S.In[I].Moot;
    const auto Implied = S.In[I].Implied;
    weaken(S.In[I], W);
    if (Known(S.In[I]) != Before || S.In[I].Loose.size() != Loose ||
        S.In[I].Moot != Moot || S.In[I].Implied != Implied)
      S.Pending[I] = true;
    return;
  }
  for (size_t I = 0; I < S.In.size(); ++I)
    if (sameButLists(S.In[I], W)) {
      World J = join(S.In[I], W, To);
      if (!J.sameState(S.In[I]) || J.Assumed.size() != S.In[I].Assumed.size() ||
          J.Repeats.size() != S.In[I].Repeats.size() ||
          J.First.size() != S.In[I].First.size() || J.Moot != S.In[I].Moot ||
          J.Implied != S.In[I].Implied) {
        S.In[I] = std::move(J);
        S.Pending[I] = true;
      }
      return;
    }
  // A loop head keeps few worlds, so that it comes to rest soon.
  size_t Max = S.IsHead ? 4 : Limits.MaxWorlds;
  if (S.In.size() < Max) {
    S.In.push_back(std::move(W));
    S.Pending.push_back(true);
    return;
  }
  // Join with the closest: fewest variables that differ.
  size_t Best = 0, BestDistance = ~size_t(0);
  for (size_t I = 0; I < S.In.size(); ++I) {
    size_t D = 0;
    Variables::difference(S.In[I].Vars, W.Vars,
                          [&](VarId, const Value *X, const Value *Y) {
                            D += !(X && Y && *X == *Y);
                          });
    SharedMap<ObjId, Object>::difference(
        S.In[I].Objects, W.Objects,
        [&](ObjId, const Object *X, const Object *Y) {
          D += !(X && Y && *X == *Y);
        });
    if (D < BestDistance) {
      BestDistance = D;
      Best = I;
    }
  }
  World J = join(S.In[Best], W, To);
  if (J.sameState(S.In[Best]) &&
      J.Assumed.size() == S.In[Best].Assumed.size() &&
      J.Initial.size() == S.In[Best].Initial.size() &&
      J.Repeats.size() == S.In[Best].Repeats.size() &&
      J.First.size() == S.In[Best].First.size() && J.Moot == S.In[Best].Moot &&
      J.Implied == S.In[Best].Implied)
    return;
  for (size_t I = 0; I < S.In.size(); ++I)
    if (I != Best && S.In[I].sameState(J)) {
      weaken(S.In[I], J);
      S.Pending[I] = true;
      S.In.erase(S.In.begin() + static_cast<long>(Best));
      S.Pending.erase(S.Pending.begin() + static_cast<long>(Best));
      return;
    }
  S.In[Best] = std::move(J);
  S.Pending[Best] = true;
}

/// Whether nothing but the lengths of lists tells \p A from \p B: what a loop
/// fills is empty before it, and the paths are the same otherwise.
bool Machine::sameButLists(const World &A, const World &B) {
  if (!(A.Temps == B.Temps))
    return false;
  bool Same = true;
  llvm::SmallVector<ObjId, 4> Each;
  Variables::difference(
      A.Vars, B.Vars, [&](VarId, const Value *X, const Value *Y) {
        if (X && Y && *X == *Y)
          return;
        const bool Grows = X && Y && X->isList() && Y->isList() &&
                           (X->K == Value::Each || Y->K == Value::Each);
        Same = Same && Grows;
        if (Grows)
          Each.append({X->T, Y->T});
      });
  Same = Same && !Each.empty();
  SharedMap<ObjId, Object>::difference(
      A.Objects, B.Objects, [&](ObjId Id, const Object *X, const Object *Y) {
        Same = Same && (!X || !Y || *X == *Y || llvm::is_contained(Each, Id));
      });
  return Same;
}

/// The symbols in what \p A knows and \p B does not.
static std::set<SymbolId> knownOnlyIn(const Symbolic &A, const Symbolic &B) {
  std::set<SymbolId> Symbols;
  for (const auto &[S, Is] : A.facts()) {
    auto Other = B.facts().find(S);
    if (Other != B.facts().end() && Other->second == Is)
      continue;
    Symbols.insert(S);
    for (const auto &T : Is.terms())
      Symbols.insert(T.M.S, T.M.S + T.M.Count);
  }
  return Symbols;
}

/// A path that comes to `a ? x : y` has one of the two, which then joins with
/// what others have there.
void Machine::chooseArms(World &W, BlockId To) const {
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

/// What holds in both, and where they answered one question differently, what
/// else either knows:
///   {a} or {not a, b}   ->   not a says b
void Machine::implications(World &Into, const World &From) {
  constexpr size_t Most = 8;
  auto Answers = [](const World &W, const std::string &Key, bool As) {
    const auto It = W.Assumed.find(Key);
    return It != W.Assumed.end() && It->second.first == As;
  };
  std::vector<World::Implication> All;
  auto Holds = [&](const World &W, const World::Implication &I) {
    return Answers(W, I.If, !I.Is) || Answers(W, I.Then, I.Holds) ||
           llvm::is_contained(W.Implied, I);
  };
  auto Add = [&](const World::Implication &I) {
    if (All.size() < Most && Holds(Into, I) && Holds(From, I) &&
        !llvm::is_contained(All, I))
      All.push_back(I);
  };
  for (const World::Implication &I : Into.Implied)
    Add(I);
  for (const World::Implication &I : From.Implied)
    Add(I);
  auto Learn = [&](const World &W, const World &Other, const std::string &Key,
                   bool Is) {
    for (const auto &A : W.Assumed)
      if (A.first != Key && !Answers(Other, A.first, A.second.first))
        Add({Key, Is, A.first, A.second.first});
  };
  for (const auto &A : Into.Assumed) {
    const std::string &Key = A.first;
    const bool Is = A.second.first;
    if (!Answers(From, Key, !Is))
      continue;
    Learn(From, Into, Key, !Is);
    Learn(Into, From, Key, Is);
  }
  Into.Implied = std::move(All);
}

/// Adds what the answers of \p W say of others; false where these are
/// otherwise.
bool Machine::imply(World &W) {
  for (bool Changed = !W.Implied.empty(); Changed;) {
    Changed = false;
    for (const World::Implication &I : W.Implied) {
      const auto It = W.Assumed.find(I.If);
      if (It == W.Assumed.end() || It->second.first != I.Is)
        continue;
      const auto [Then, New] =
          W.Assumed.emplace(I.Then, std::make_pair(I.Holds, std::string()));
      if (!New && Then->second.first != I.Holds)
        return false;
      Changed = Changed || New;
    }
  }
  return true;
}

/// Keeps the assumptions and facts that hold in both.
void Machine::weaken(World &Into, const World &From) {
  implications(Into, From);
  Into.Moot = Into.Moot && From.Moot;
  Into.Paired = Into.Paired || From.Paired;
  llvm::erase_if(Into.Repeats, [&](LoopId L) {
    return !llvm::is_contained(From.Repeats, L);
  });
  llvm::erase_if(Into.First,
                 [&](LoopId L) { return !llvm::is_contained(From.First, L); });
  for (auto It = Into.Assumed.begin(); It != Into.Assumed.end();) {
    auto Other = From.Assumed.find(It->first);
    bool Same =
        Other != From.Assumed.end() && Other->second.first == It->second.first;
    It = Same ? std::next(It) : Into.Assumed.erase(It);
  }
  for (auto It = Into.Ranges.begin(); It != Into.Ranges.end();) {
    auto Other = From.Ranges.find(It->first);
    if (Other == From.Ranges.end()) {
      It = Into.Ranges.erase(It);
      continue;
    }
    World::Range &R = It->second;
    const World::Range &O = Other->second;
    R.Least = R.Least && O.Least ? std::min(R.Least, O.Least) : std::nullopt;
    R.Most = R.Most && O.Most ? std::max(R.Most, O.Most) : std::nullopt;
    ++It;
  }
  for (auto It = Into.Initial.begin(); It != Into.Initial.end();) {
    auto Other = From.Initial.find(It->first);
    bool Same = Other != From.Initial.end() && Other->second == It->second;
    It = Same ? std::next(It) : Into.Initial.erase(It);
  }
  Into.Loose.insert(From.Loose.begin(), From.Loose.end());
  const auto OnlyInto = knownOnlyIn(Into.Ar, From.Ar),
             OnlyFrom = knownOnlyIn(From.Ar, Into.Ar);
  std::set_intersection(OnlyInto.begin(), OnlyInto.end(), OnlyFrom.begin(),
                        OnlyFrom.end(),
                        std::inserter(Into.Loose, Into.Loose.end()));
  std::vector<SymbolId> Gone;
  for (const auto &Fact : Into.Ar.facts()) {
    auto Other = From.Ar.facts().find(Fact.first);
    if (Other == From.Ar.facts().end() || Other->second != Fact.second)
      Gone.push_back(Fact.first);
  }
  for (SymbolId S : Gone)
    Into.Ar.dropFact(S);
  Gone.clear();
  for (SymbolId S : Into.Ar.usedAsSizes())
    if (!From.Ar.usedAsSizes().count(S))
      Gone.push_back(S);
  for (SymbolId S : Gone)
    Into.Ar.forgetSize(S);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// A symbol that takes the place of an atom does not know what that was made
/// of: of a sum it is the size, of a quotient some integer.
static SymbolInfo::Kind plain(SymbolInfo::Kind K) {
  if (K == SymbolInfo::Sum)
    return SymbolInfo::Size;
  return K < SymbolInfo::Floor ? K : SymbolInfo::Integer;
}

SymExpr Machine::keyed(BlockId At, uint64_t Slot, unsigned Dim,
                       SymbolInfo::Kind K, const std::string &Name) {
  auto Key = std::make_tuple(uint64_t(At), Slot, Dim);
  auto It = Keyed.find(Key);
  if (It == Keyed.end()) {
    It = Keyed.emplace(Key, Table.fresh(plain(K), Name.empty() ? "?" : Name))
             .first;
    Table[It->second].Line = Line;
  }
  return SymExpr::symbol(It->second);
}

/// The same of what differs between the paths that meet there.
SymExpr Machine::joined(BlockId At, uint64_t Slot, unsigned Dim,
                        SymbolInfo::Kind K, const std::string &Name) {
  SymExpr E = keyed(At, Slot, Dim, K, Name);
  Table[*E.asSymbol()].Joined = true;
  return E;
}

/// One number for each place that joins and what it joins there.
uint32_t Machine::joinNumber(BlockId At, uint64_t What) {
  const auto Next = static_cast<uint32_t>(JoinNumbers.size());
  return JoinNumbers.try_emplace({At, What}, Next).first->second & 0xfffffff;
}

/// Whether the loop's test has one outcome in \p W, as for a counter from 0 to
/// a constant.
bool Machine::testDecided(const World &W, BlockId Head, LoopId L) {
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
  World Trial = W;
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
void Machine::enterLoop(World &W, BlockId Head, LoopId L) {
  for (VarId V : Stored[L]) {
    if (!Live[Head].test(V))
      continue;
    const Value &X = W.Vars[V];
    if (X.K == Value::Int || F.Vars[V].Type == VarType::Int) {
      SymExpr E = keyed(Head, (uint64_t(1) << 32) + V, 0, SymbolInfo::Integer,
                        called(V));
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
      Moved.I = keyed(Head, (uint64_t(3) << 32) + V, 0, SymbolInfo::Integer,
                      called(V));
      W.Vars.set(V, std::move(Moved));
    } else if (X.isList() && Filled[L].count(V)) {
      W.Vars.set(V, joinLists(W, W, W, X, Value::each(), Head, V));
    } else if (X.K != Value::Tensor && X.K != Value::Unknown) {
      W.Vars.set(V, Value());
    }
  }
}

/// Loop \p L is left in its first iteration. Nobody means one that runs no time
/// at all: what fails only then is not reported. Lists whose elements it would
/// have replaced have none that are known.
void Machine::skipLoop(World &W, LoopId L, BlockId From, BlockId To) {
  const Loop &Of = F.Loops[L];
  if (From == Of.Head && Of.Kind != LoopKind::Do)
    W.Moot = W.Moot ||
             llvm::any_of(Stored[L], [&](VarId V) { return Live[To].test(V); });
  for (VarId V : Replaced[L])
    if (W.Vars[V].K == Value::Each)
      W.Vars.set(V, Value());
}

/// What a finished iteration leaves: symbols the loop owns now mean an earlier
/// iteration's value, and its assumptions are forgotten.
void Machine::repeatLoop(World &W, BlockId Head, LoopId L) {
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
        SymExpr N =
            joined(Head, (uint64_t(2) << 32) + S, 0, Table[S].K, Table[S].Name);
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
  llvm::erase_if(W.Implied, [](const World::Implication &I) {
    return !outlivesLoops(I.If) || !outlivesLoops(I.Then);
  });
}

//===----------------------------------------------------------------------===//
// Joins
//===----------------------------------------------------------------------===//

/// What \p X is in \p A and \p Y in \p B, if that is one number. Of one by two
/// names it is the number itself: what either name stood for may be forgotten.
static std::optional<SymExpr> agreed(const World &A, const SymExpr &X,
                                     const World &B, const SymExpr &Y) {
  if (X == Y)
    return X;
  SymExpr Both = A.Ar.norm(X);
  if (Both != B.Ar.norm(Y))
    return std::nullopt;
  return Both;
}

Object Machine::joinObject(const World &WA, const World &WB, const Object &X,
                           const Object &Y, BlockId At, uint32_t Slot) {
  if (X == Y)
    return X;
  Object J = X;
  const bool SameCall = X.Prov && Y.Prov && X.Prov->O == Y.Prov->O &&
                        X.Prov->Where.Begin == Y.Prov->Where.Begin &&
                        X.Prov->What == Y.Prov->What &&
                        X.Prov->Of == Y.Prov->Of;
  if (X.Prov != Y.Prov && !SameCall)
    J.Prov = nullptr;
  if (X.DType != Y.DType)
    J.DType.clear();
  if (X.Storage != Y.Storage)
    J.Storage = (uint32_t(3) << 28) + Slot;
  J.NotContiguous = X.NotContiguous && Y.NotContiguous;
  J.Resized = X.Resized || Y.Resized;
  J.Root = X.Root && Y.Root;
  J.Listed = X.Listed || Y.Listed;
  J.AtLeast = std::min(X.AtLeast, Y.AtLeast);
  if (X.Key != Y.Key || X.Over != Y.Over)
    J.Key = 0;
  J.Own = X.Own && Y.Own;
  J.Part = X.Part || Y.Part;
  bool Dense = X.HasLayout && Y.HasLayout && isContiguous(WA.Ar, X.L).yes() &&
               isContiguous(WB.Ar, Y.L).yes() &&
               (X.Segment < 0 || X.SegmentDense) &&
               (Y.Segment < 0 || Y.SegmentDense);
  const uint64_t Key = (uint64_t(4) << 32) + Slot;
  // What is empty in one of them leaves no sizes to rely on.
  auto MayBeEmpty = [](const World &W, const Object &O) {
    return O.HasLayout && llvm::any_of(O.L.Sizes, [&](const SymExpr &E) {
             const SymExpr Size = W.Ar.norm(E);
             return Size.isZero() ||
                    llvm::any_of(Size.terms(), [&](const auto &T) {
                      return T.M.Count == 1 &&
                             W.Ar.kind(T.M.S[0]) == SymbolInfo::Integer;
                    });
           });
  };
  auto JoinedSize = [&](unsigned Dim, const std::string &Name) {
    SymExpr E = joined(At, Key, Dim, SymbolInfo::Size, Name);
    if (MayBeEmpty(WA, X) || MayBeEmpty(WB, Y))
      Table[*E.asSymbol()].K = SymbolInfo::Integer;
    return E;
  };
  if (!X.HasLayout || !Y.HasLayout || X.L.rank() != Y.L.rank() ||
      X.Segment != Y.Segment) {
    J.HasLayout = true;
    J.Ggml = false; // until its dimensions are asked for
    J.Segment = 0;
    J.SegmentDense = Dense;
    J.L.Sizes = SymDims(1, JoinedSize(0, "?"));
    J.L.Strides = SymDims(
        1, Dense ? SymExpr(1) : joined(At, Key, 1, SymbolInfo::Stride, "?"));
    J.L.Offset = joined(At, Key, 2, SymbolInfo::Stride, "?");
    return J;
  }
  auto One = [&](SymExpr &Into, const SymExpr &Other, unsigned Dim,
                 const std::string &Name) {
    auto Both = agreed(WA, Into, WB, Other);
    Into = Both ? *Both : joined(At, Key, Dim, SymbolInfo::Stride, Name);
  };
  auto Name = [&](const char *Plain, const char *Field, size_t D) {
    return J.Ggml ? ggmlName(J.Name, Field, D)
                  : (J.Name.empty() ? "?" : J.Name) + Plain + "(" +
                        std::to_string(D) + ")";
  };
  for (size_t D = 0; D < X.L.rank(); ++D) {
    auto Both = agreed(WA, X.L.Sizes[D], WB, Y.L.Sizes[D]);
    J.L.Sizes[D] = Both ? *Both
                        : JoinedSize(static_cast<unsigned>(8 + 2 * D),
                                     Name(".size", "ne", D));
  }
  if (Dense) {
    J.L.Strides = denseStrides(WA.Ar, J.L.Sizes);
    J.SegmentDense = true;
  } else {
    for (size_t D = 0; D < X.L.rank(); ++D)
      One(J.L.Strides[D], Y.L.Strides[D], static_cast<unsigned>(9 + 2 * D),
          Name(".stride", "nb", D));
    J.SegmentDense = X.SegmentDense && Y.SegmentDense;
  }
  One(J.L.Offset, Y.L.Offset, 3, "?");
  return J;
}

/// What \p X, of \p A, and \p Y, of \p B, have in common: as many elements of
/// any kind, or any number of tensors.
///   [a, b] and [a, c]   ->   [a, b or c]
///   [] and [a, b]       ->   each like a or b
Value Machine::joinLists(World &Out, const World &A, const World &B,
                         const Value &X, const Value &Y, BlockId At,
                         uint32_t Slot) {
  if (X.K == Value::List && Y.K == Value::List &&
      X.Elems->size() == Y.Elems->size()) {
    std::vector<Value> E;
    for (size_t I = 0; I < X.Elems->size(); ++I)
      E.push_back(joinValue(
          Out, A, B, (*X.Elems)[I], (*Y.Elems)[I], At,
          (1u << 31) |
              joinNumber(At, (uint64_t(9) << 48) | (uint64_t(Slot) << 8) | I)));
    return Value::list(std::move(E));
  }
  const uint32_t Number = joinNumber(At, (uint64_t(2) << 32) + Slot);
  std::optional<Object> All;
  const World *Of = nullptr;
  auto Add = [&](const World &W, const Value &V) {
    if (V.K == Value::None || (V.K == Value::Each && !V.T))
      return true; // undefined: whoever reads it throws
    const Object *O = V.K == Value::Tensor || V.K == Value::Each
                          ? W.Objects.find(V.T)
                          : nullptr;
    if (!O)
      return false;
    All = All ? joinObject(*Of, W, *All, *O, At, Number) : *O;
    Of = &W;
    return true;
  };
  auto AddAll = [&](const World &W, const Value &L) {
    return L.K == Value::Each ? Add(W, L)
                              : llvm::all_of(*L.Elems, [&](const Value &E) {
                                  return Add(W, E);
                                });
  };
  if (!AddAll(A, X) || !AddAll(B, Y) || (All && All->Ggml))
    return Value();
  if (!All)
    return Value::each();
  All->Listed = true;
  // The tensors themselves are in a list now, too.
  for (const Value *L : {&X, &Y})
    if (L->K == Value::List)
      for (const Value &E : *L->Elems)
        if (Object *O = Out.Objects.edit(E.T))
          O->Listed = true;
  const ObjId Id = (uint32_t(2) << 28) + Number;
  Out.Objects.assign(Id, std::move(*All));
  return Value::each(Id);
}

Value Machine::joinValue(World &Out, const World &A, const World &B,
                         const Value &X, const Value &Y, BlockId At,
                         uint32_t Slot) {
  if (X.isList() && Y.isList() && !(X.K == Value::Each && X.T == Y.T))
    return joinLists(Out, A, B, X, Y, At, Slot);
  if (X.K != Y.K)
    return Value();
  switch (X.K) {
  case Value::Each:
  case Value::Int: {
    if (auto Both = agreed(A, X.I, B, Y.I)) {
      Value Known = X;
      Known.I = *Both;
      return Known;
    }
    std::string Name = Slot < F.Vars.size() ? called(Slot) : "?";
    return Value::integer(
        joined(At, (uint64_t(5) << 32) + Slot, 0, SymbolInfo::Integer, Name));
  }
  case Value::Tensor: {
    const Object *OX = A.Objects.find(X.T), *OY = B.Objects.find(Y.T);
    if (!OX || !OY)
      return Value();
    if (X.T == Y.T) {
      if (OX != OY)
        Out.Objects.assign(X.T,
                           joinObject(A, B, *OX, *OY, At, joinNumber(At, X.T)));
      return X;
    }
    // Two objects become one of its own; what aliases them no longer does,
    // which only forgets.
    const uint32_t Number = joinNumber(At, (uint64_t(1) << 32) + Slot);
    const ObjId Id = (uint32_t(2) << 28) + Number;
    Out.Objects.assign(Id, joinObject(A, B, *OX, *OY, At, Number));
    return Value::tensor(Id);
  }
  case Value::Pointer: {
    if (X == Y)
      return X;
    Value Moved = X;
    Moved.I = Y.I;
    if (!(Moved == Y))
      return Value();
    Moved.I =
        joined(At, (uint64_t(6) << 32) + Slot, 0, SymbolInfo::Integer, "?");
    return Moved;
  }
  default:
    return X == Y ? X : Value();
  }
}

World Machine::join(const World &A, const World &B, BlockId At) {
  World Out = A;
  weaken(Out, B);
  A.Vars.forEach([&](VarId V, const Value &X) {
    const Value &Y = B.Vars[V];
    if (&X != &Y || X.K == Value::Tensor || X.isList())
      Out.Vars.set(V, joinValue(Out, A, B, X, Y, At, V));
  });
  for (auto It = Out.Temps.begin(); It != Out.Temps.end();) {
    auto Other = B.Temps.find(It->first);
    if (Other == B.Temps.end()) {
      It = Out.Temps.erase(It);
      continue;
    }
    It->second = joinValue(Out, A, B, A.Temps.at(It->first), Other->second, At,
                           static_cast<uint32_t>(F.Vars.size() + It->first));
    ++It;
  }
  Out.collect();
  return Out;
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
                    double Deadline) {
  RunResult R = Machine(F, H, B, Deadline, {}).run();
  auto Doubtful = [](const LayoutFailure &V) { return !V.Apart; };
  if (R.Reason != GiveUp::No || llvm::none_of(R.Sites, [&](const auto &Site) {
        return llvm::any_of(Site.second.Failures, Doubtful);
      }))
    return R;
  RunResult Least = Machine(F, H, B, Deadline, R.LeastRanks).run();
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
