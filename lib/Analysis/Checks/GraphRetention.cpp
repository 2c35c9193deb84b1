//===- GraphRetention.cpp - tensor-graph-retention -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: every iteration of the loop in which backward() runs, or every
// call of the function where it stands in no loop. One of three things outlives
// it:
//
//   kept      sum += loss; all.push_back(out)     after loss.backward(), which
//             has used up the graph that they hold on to
//   carried   h = net(x, h); f(h).backward()      the next backward() goes
//             through this iteration's graph again, and throws
//   freed     y = f(x); for (...) y.backward()    the second goes through what
//             the first has freed; so do two that stand one behind the other
//
// A graph is what differentiable operations build between a module, or another
// source of gradients, and what backward() is called on. detach(), item(), and
// scopes that record nothing end it; so does, for all we know, any call without
// a model.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/AddedGradients.h"
#include "Analysis/Checks/LossGraph.h"
#include "Analysis/Flow/Closure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tensortidy::analysis {

using namespace program;

namespace {

class Graphs : LossGraphs {
public:
  explicit Graphs(CheckRun &C) : LossGraphs(C) {}
  void run();

private:
  bool meet(const Graph &A, const Graph &B) const;
  bool within(BlockId B, LoopId L) const {
    return L == NoId || At.blockInside(B, L);
  }
  bool outlives(VarId V, LoopId L) const;
  bool flows(const Stmt *From, const Stmt *To, VarId V) const;
  bool comesAround(const Stmt &Store, const Stmt &Load, LoopId L) const;
  bool isBefore(const Stmt &A, const Stmt &B) const;
  bool isGivenAfter(const Stmt &Load, const Stmt &Backward, LoopId L) const;
  bool retains(const Stmt &Backward) const;
  bool retainsAll(const Stmt &Backward) const;
  ValueId loaded(ValueId V) const;

  std::optional<int64_t> atFirst(ValueId Asked, VarId V, LoopId L,
                                 unsigned Depth = 0) const;
  bool begins(BlockId B, VarId V, LoopId L) const;
  bool isSetAnew(const Stmt &S, VarId V, LoopId L) const;

  void kept(const Stmt &Backward, LoopId L);
  bool varies(ValueId Key, LoopId L) const;
  void addsUp(const Stmt &S, const Stmt &Backward, LoopId L);
  void takesElement(const Stmt &S, const Stmt &Backward, LoopId L);
  void keeps(const Stmt &S, VarId V, ValueId X, const Stmt &Backward, LoopId L);
  void carried(const Stmt &Backward, LoopId L);
  bool isSaved(ValueId V, LoopId L, unsigned Depth = 0) const;
  void freed(const Stmt &Backward, LoopId L);
  void freedBefore(const Stmt &Backward);
  void stepped(const Stmt &Backward);
  std::string name(VarId V, const Stmt &S) const;

  std::vector<const Stmt *> Backwards, Steps;
  llvm::SmallPtrSet<const Stmt *, 8> Told;
};

/// Whether gradients of \p B go to what \p A is computed from as well.
bool Graphs::meet(const Graph &A, const Graph &B) const {
  // A call that is not seen is their only source.
  const Stmt *Source = nullptr;
  bool Others = false;
  for (const Stmt *S : B.Stmts)
    if (S->O == Op::Opaque && !S->IsScalar && !isDifferentiable(*S) &&
        filled(mapOf(*S)).empty()) {
      Others = Others || Source;
      Source = S;
    }
  for (const Stmt *Load : B.Loads)
    Others = Others || stores(*Load).empty();
  return llvm::any_of(A.Stmts, [&](const Stmt *S) {
    return B.has(S) && (ofModule(*S) || (S == Source && !Others));
  });
}

/// Whether what \p V holds is there in the next iteration of \p L.
bool Graphs::outlives(VarId V, LoopId L) const {
  const bool OfThis = F.Vars[V].Base == ThisBase;
  while (F.Vars[V].Base != NoId && F.Vars[V].Base != ThisBase)
    V = F.Vars[V].Base;
  const Variable &Of = F.Vars[V];
  if (Of.IsReference && !Of.IsParam)
    return false;
  if (L == NoId)
    return OfThis || Of.IsMember || Of.IsStatic || Of.IsReference ||
           (Of.IsEnclosing && !Of.IsCopy);
  return Of.DeclaredIn == NoId || !At.inside(Of.DeclaredIn, L);
}

/// Whether \p V may still hold at \p To, or where the function returns, what
/// it holds after \p From, or at the entry.
bool Graphs::flows(const Stmt *From, const Stmt *To, VarId V) const {
  const BlockId Start = From ? H.blockOf(*From) : F.Entry;
  auto After = [&](BlockId B, const Stmt *First) {
    bool Runs = !First;
    for (const Stmt &S : F.Blocks[B].Stmts) {
      if (Runs && &S == To)
        return Visit::Found;
      if (Runs && changes(S, V))
        return Visit::End;
      Runs = Runs || &S == First;
    }
    return !To && F.Blocks[B].Succs.empty() ? Visit::Found : Visit::Pass;
  };
  const Visit Here = After(Start, From);
  return Here == Visit::Found ||
         (Here == Visit::Pass &&
          At.Blocks.reaches(At.Blocks.succs(Start),
                            [&](BlockId B) { return After(B, nullptr); }));
}

/// Whether \p Load may read what \p Store stored in an iteration, or a call,
/// before.
bool Graphs::comesAround(const Stmt &Store, const Stmt &Load, LoopId L) const {
  const VarId V = Load.Var;
  if (V != Store.Var)
    return false;
  return flows(&Store, &Load, V) ||
         (L == NoId && flows(&Store, nullptr, V) && flows(nullptr, &Load, V));
}

/// What \p Asked is where \p V holds nothing yet, a counter is 0, and a flag
/// is not what the loop makes it.
std::optional<int64_t> Graphs::atFirst(ValueId Asked, VarId V, LoopId L,
                                       unsigned Depth) const {
  const Stmt *D = H.def(Asked);
  if (!D || Depth > 8)
    return std::nullopt;
  if (D->O == Op::Const && D->Const != ConstKind::None)
    return D->Imm;
  auto Arg = [&](size_t I) {
    return atFirst(D->Args[I].Value, V, L, Depth + 1);
  };
  switch (D->O) {
  case Op::Defined:
  case Op::Numel:
  case Op::Size:
  case Op::ListSize: {
    const Stmt *Of = H.def(D->Args[0].Value);
    if (Of && Of->O == Op::Load && Of->Var == V)
      return 0;
    return std::nullopt;
  }
  case Op::Load: {
    std::optional<int64_t> First;
    for (const Stmt *Store : At.Stores[D->Var]) {
      if (!Store || Store->Args.empty())
        return std::nullopt;
      const Stmt *Value = H.def(Store->Args[0].Value);
      if (!within(H.blockOf(*Store), L))
        continue;
      const bool IsConst = Value && Value->O == Op::Const;
      if (F.Vars[D->Var].Type == VarType::Bool ? !IsConst : IsConst)
        return std::nullopt;
      First = IsConst ? !Value->Imm : 0;
    }
    return First;
  }
  case Op::Not:
    if (auto A = Arg(0))
      return !*A;
    return std::nullopt;
  default:
    break;
  }
  if (D->Args.size() != 2)
    return std::nullopt;
  const auto A = Arg(0), B = Arg(1);
  if (!A || !B)
    return std::nullopt;
  switch (D->O) {
  case Op::CmpEq:
    return *A == *B;
  case Op::CmpNe:
    return *A != *B;
  case Op::CmpLt:
    return *A < *B;
  case Op::CmpLe:
    return *A <= *B;
  case Op::CmpGt:
    return *A > *B;
  case Op::CmpGe:
    return *A >= *B;
  default:
    return std::nullopt;
  }
}

/// Whether \p B runs only where a sum begins that \p V holds afterwards.
bool Graphs::begins(BlockId B, VarId V, LoopId L) const {
  for (BlockId P = 0; P < F.Blocks.size(); ++P) {
    const Block &Branch = F.Blocks[P];
    if (!Branch.Condition || Branch.Succs.size() != 2 ||
        !Branch.Cases.empty() || !within(P, L) ||
        (Branch.InLoop != NoId && F.Loops[Branch.InLoop].Head == P))
      continue;
    const auto First = atFirst(Branch.Condition, V, L);
    if (!First)
      continue;
    const BlockId Then = Branch.Succs[*First ? 0 : 1],
                  Else = Branch.Succs[*First ? 1 : 0];
    if (Then != NoId && Then != Else && At.passes(Then, B))
      return true;
  }
  return false;
}

/// Whether the loop, or the function, gives \p V something new, or empties it,
/// other than by \p S and where the sum begins.
bool Graphs::isSetAnew(const Stmt &S, VarId V, LoopId L) const {
  bool Anew = false;
  forEachStmt(F, [&](BlockId B, const Stmt &T) {
    if (Anew || &T == &S || !within(B, L) || !changes(T, V) ||
        T.keepsElement() || T.is(Attribute::Reserves) ||
        T.is(Attribute::TakesFirst) || T.is(Attribute::Subscript))
      return;
    const Stmt *D =
        T.O == Op::Store && !T.Args.empty() ? H.def(T.Args[0].Value) : nullptr;
    Anew = !(D && D->O == Op::ListInsert) && !begins(B, V, L);
  });
  return Anew;
}

/// Whether \p Backward keeps its graph, for another one.
bool Graphs::retains(const Stmt &Backward) const {
  for (const char *Name : {"retain_graph", "create_graph", "keep_graph"})
    if (const Arg *A = findArg(Backward, Name)) {
      const Stmt *D = H.def(A->Value);
      if (!(D && D->O == Op::Const && !D->Imm))
        return true;
    }
  return false;
}

/// Whether it says so, and not for gradients of gradients, which may go through
/// the steps that are taken: `create_graph`.
bool Graphs::retainsAll(const Stmt &Backward) const {
  const Arg *Creates = findArg(Backward, "create_graph");
  const Stmt *Is = Creates ? H.def(Creates->Value) : nullptr;
  if (Creates && !(Is && Is->O == Op::Const && !Is->Imm))
    return false;
  return llvm::any_of(Backward.Args, [&](const Arg &A) {
    const Stmt *D = H.def(A.Value);
    return (A.Name == "retain_graph" || A.Name == "keep_graph") && D &&
           D->O == Op::Const && D->Imm;
  });
}

std::string Graphs::name(VarId V, const Stmt &S) const {
  const llvm::StringRef Name = nameIn(F, V, S.Context);
  return Name.empty() ? "it" : "'" + markVariable(F, V, S.Context) + "'";
}

/// What was stored in the variable that \p V is read from, if it is one thing;
/// 0 if not. Another value is what it is.
ValueId Graphs::loaded(ValueId V) const {
  const Stmt *D = H.def(V);
  for (unsigned Depth = 0; D && D->O == Op::Load && Depth < 8; ++Depth) {
    const auto Of = stores(*D);
    V = Of.size() == 1 && !Of[0]->Args.empty() ? Of[0]->Args[0].Value : 0;
    D = V ? H.def(V) : nullptr;
  }
  return D && D->O == Op::Load ? 0 : V;
}

void Graphs::keeps(const Stmt &S, VarId V, ValueId X, const Stmt &Backward,
                   LoopId L) {
  if (!outlives(V, L) || Told.count(&S) || Grads.isGuarded(S) || S.Expected)
    return;
  const Graph Kept = graph(X);
  const Graph Used = graph(Backward.Args[0].Value);
  const Arg *Self = findArg(Backward, "self");
  const Stmt *Of = Self ? H.def(loaded(Self->Value)) : nullptr;
  if (!(Of && Kept.has(Of)) && !meet(Kept, Used))
    return;
  // Whoever runs backward through what is kept needs it.
  for (const Stmt *B : Backwards)
    if (const Arg *A = findArg(*B, "self"))
      if (graph(A->Value).loads(V))
        return;
  if (isSetAnew(S, V, L))
    return;
  Told.insert(&S);
  Finding Found(Check::GraphRetention, 1, S);
  Found.At = &S;
  Found.Message = name(V, S) + " keeps the graph of every " +
                  (L == NoId ? "call" : "iteration") +
                  ", which backward() has used up: give it detach() or item() "
                  "of this";
  Found.Notes.push_back({Backward.point(), "backward() runs here"});
  C.Out.push_back(std::move(Found));
}

/// `total = total + x`, and any other value that is computed from what the
/// variable held, and from something with a graph: averages, `cat`, `lerp`,
/// `total.defined() ? total + x : x`.
void Graphs::addsUp(const Stmt &S, const Stmt &Backward, LoopId L) {
  const ValueId Value = S.Args[0].Value;
  llvm::SmallVector<const Stmt *, 4> Own;
  for (const Stmt *Load : graph(Value).Loads)
    if (comesAround(S, *Load, L))
      Own.push_back(Load);
  if (Own.empty())
    return;
  auto OfItself = [&](ValueId V) {
    return llvm::any_of(graph(V, Own).Loads, [&](const Stmt *Load) {
      return llvm::is_contained(Own, Load);
    });
  };
  const Graph New = graph(Value, Own);
  // c ? total + x : x begins again, unless it does so once.
  for (const Stmt *J : New.Stmts)
    if (J->O == Op::Phi && llvm::any_of(J->Args, [&](const Arg &A) {
          const Stmt *D = H.def(A.Value);
          return D && !OfItself(A.Value) && !begins(H.blockOf(*D), S.Var, L);
        }))
      return;
  for (const Stmt *J : New.Stmts) {
    if (J->O == Op::Phi || !isDifferentiable(*J) || J->Args.size() < 2)
      continue;
    llvm::SmallVector<ValueId, 4> Others;
    for (const Arg &A : J->Args)
      if (A.Value && !OfItself(A.Value))
        Others.push_back(A.Value);
    if (Others.size() < J->Args.size())
      for (ValueId X : Others)
        keeps(S, S.Var, X, Backward, L);
  }
}

/// `all.push_back(x)`, `all[i] = x`; `by["loss"] = x` replaces the last one.
void Graphs::takesElement(const Stmt &S, const Stmt &Backward, LoopId L) {
  VarId V = NoId;
  for (const Arg &A : S.Args)
    if (A.R == Role::Write && A.Var != NoId && V == NoId)
      V = A.Var;
  // A list of the caller may be there for what one call gives.
  if (V == NoId || (L == NoId && F.Vars[V].IsParam))
    return;
  if (const Arg *Element = findArg(S, "element")) {
    const Stmt *At = H.def(Element->Value);
    const bool Varies = At && llvm::any_of(At->Args, [&](const Arg &Key) {
                          return Key.R == Role::Read && varies(Key.Value, L);
                        });
    if (!Varies)
      return;
  }
  for (const Arg &A : S.Args) {
    const Stmt *D = A.Value && A.Var == NoId ? H.def(A.Value) : nullptr;
    // An object of which the fields are known is their list.
    if (D &&
        (A.R == Role::Keep || (D->O == Op::List && S.is(Attribute::Fills))))
      keeps(S, V, A.Value, Backward, L);
  }
}

/// Whether a key or index is another one in another iteration, or call.
bool Graphs::varies(ValueId Key, LoopId L) const {
  const Stmt *D = H.def(Key);
  while (D && D->is(Attribute::SameText) && D->Args.size() == 1) {
    Key = D->Args[0].Value;
    D = H.def(Key);
  }
  return L == NoId ? D && D->O != Op::Const : !At.invariant(Key, L);
}

/// Sums and lists, of what has a graph that \p Backward uses up.
void Graphs::kept(const Stmt &Backward, LoopId L) {
  auto VarOf = [&](ValueId V) {
    const Stmt *D = H.def(V);
    return D && D->O == Op::Load ? D->Var : NoId;
  };
  forEachStmt(F, [&](BlockId B, const Stmt &S) {
    if (!within(B, L))
      return;
    if (S.O == Op::Update && !S.is(Attribute::Assigns)) {
      const Arg *Self = findArg(S, "self"), *Other = findArg(S, "other");
      const VarId V = Self ? VarOf(Self->Value) : NoId;
      if (V != NoId && Other)
        keeps(S, V, Other->Value, Backward, L);
      return;
    }
    if (S.keepsElement() || S.is(Attribute::Fills))
      return takesElement(S, Backward, L);
    if (S.O != Op::Store || S.Args.empty())
      return;
    const Stmt *D = H.def(S.Args[0].Value);
    if (D && D->O == Op::ListSet && D->Args.size() == 3 &&
        VarOf(D->Args[0].Value) == S.Var) {
      if (varies(D->Args[1].Value, L))
        keeps(S, S.Var, D->Args[2].Value, Backward, L);
      return;
    }
    if (D)
      addsUp(S, Backward, L);
  });
}

/// Whether each path that comes to \p B has passed \p A.
bool Graphs::isBefore(const Stmt &A, const Stmt &B) const {
  const BlockId InA = H.blockOf(A), InB = H.blockOf(B);
  return InA == InB ? &A < &B : At.passes(InA, InB);
}

/// Whether \p Load reads what its variable is given after \p Backward, in the
/// iteration of \p L before: `loss.backward(); h = next;` with the loss of
/// `f(x, h)`.
bool Graphs::isGivenAfter(const Stmt &Load, const Stmt &Backward,
                          LoopId L) const {
  return isBefore(Load, Backward) &&
         llvm::any_of(stores(Load), [&](const Stmt *Store) {
           return At.everyIteration(H.blockOf(*Store), L) &&
                  isBefore(Backward, *Store) && flows(Store, &Load, Load.Var);
         });
}

/// Variables through which \p Backward comes to the graph of the iteration
/// before. Where that is kept, it comes to those of all before: of a sequence
/// that is often meant, and not of what outlives the function.
void Graphs::carried(const Stmt &Backward, LoopId L) {
  const Arg *Self = findArg(Backward, "self");
  const bool Keeps = retains(Backward);
  bool Detaches = Keeps && !retainsAll(Backward);
  forEachStmt(F, [&](BlockId B, const Stmt &S) {
    Detaches =
        Detaches || (At.blockInside(B, L) && S.is(Attribute::DetachesItself));
  });
  if (!Self || Detaches)
    return;
  llvm::SmallVector<const Stmt *, 4> Before;
  for (const Stmt *Load : graph(Self->Value).Loads)
    if (outlives(Load->Var, Keeps ? NoId : L) &&
        At.blockInside(H.blockOf(*Load), L) &&
        (flows(&Backward, Load, Load->Var) || isGivenAfter(*Load, Backward, L)))
      Before.push_back(Load);
  if (Before.empty())
    return;
  const Graph Used = graph(Self->Value, Before);
  for (const Stmt *Load : Before) {
    if (!Used.Loads.contains(Load))
      continue;
    for (const Stmt *Store : stores(*Load)) {
      if (Store->Args.empty() || !At.blockInside(H.blockOf(*Store), L) ||
          Told.count(Store) || Grads.isGuarded(*Store) || Store->Expected ||
          !flows(Store, &Backward, Load->Var) ||
          !flows(Store, Load, Load->Var) ||
          !meet(graph(Store->Args[0].Value, Before), Used))
        continue;
      Told.insert(Store);
      Finding Found(Check::GraphRetention, Keeps ? 1 : 0, *Store);
      Found.At = Store;
      Found.Message = name(Load->Var, *Store) +
                      " takes the graph of this iteration into the next one, "
                      "whose backward() goes through ";
      Found.Message +=
          Keeps ? "those of all iterations before: each takes more time and "
                  "memory, unless it is detached"
                : "it again; throws, unless it is detached";
      Found.Notes.push_back(
          {Backward.point(), Keeps ? "backward() runs here, and keeps the graph"
                                   : "backward() runs here, and frees the "
                                     "graph"});
      C.Out.push_back(std::move(Found));
    }
  }
}

/// Whether what is computed from \p V, which has gradients, goes through
/// something that is saved outside \p L, whichever of its operands has them.
bool Graphs::isSaved(ValueId V, LoopId L, unsigned Depth) const {
  constexpr unsigned Deepest = 24;
  const Stmt *S = H.def(V);
  if (!S || Depth > Deepest || At.blockInside(H.blockOf(*S), L))
    return false;
  if (S->O == Op::Load) {
    const auto Of = stores(*S);
    return Of.size() == 1 && !Of[0]->Args.empty() &&
           isSaved(Of[0]->Args[0].Value, L, Depth + 1);
  }
  const Saves What = savesOf(*S);
  if (ofModule(*S) || S->O == Op::Loss || What == Saves::Self ||
      What == Saves::Result)
    return true;
  if (!isDifferentiable(*S) || S->O == Op::Phi)
    return false;
  llvm::SmallVector<ValueId, 4> Operands; // tensors
  for (const Arg &A : S->Args) {
    const Stmt *D = A.Value ? H.def(A.Value) : nullptr;
    const bool Number =
        !D || D->O == Op::Const || D->IsScalar ||
        opClass(D->O) == OpClass::Integer ||
        (D->O == Op::Load && F.Vars[D->Var].Type != VarType::Tensor);
    if (!Number)
      Operands.push_back(A.Value);
  }
  // Of two factors, what the gradient of one needs is the other.
  if (Operands.size() > 1 && What != Saves::Nothing)
    return true;
  return !Operands.empty() && llvm::all_of(Operands, [&](ValueId Of) {
    return isSaved(Of, L, Depth + 1);
  });
}

/// A graph that is there before the loop, and used up by its first iteration.
void Graphs::freed(const Stmt &Backward, LoopId L) {
  const Arg *Self = findArg(Backward, "self");
  const BlockId B = H.blockOf(Backward);
  if (!Self || !At.everyIteration(B, L) || Grads.isGuarded(Backward) ||
      Backward.Expected)
    return;
  // What may come from the iteration before is not followed.
  llvm::SmallVector<const Stmt *, 8> Changed;
  for (const Stmt *Load : graph(Self->Value).Loads) {
    bool Inside = false, Outside = false, Unseen = false;
    for (const Stmt *Store : stores(*Load))
      (At.blockInside(H.blockOf(*Store), L) ? Inside : Outside) = true;
    forEachStmt(F, [&](BlockId In, const Stmt &S) {
      Unseen = Unseen ||
               (S.isOpaque() && At.blockInside(In, L) && changes(S, Load->Var));
    });
    if (Unseen || Inside == Outside)
      Changed.push_back(Load);
  }
  const Graph Left = graph(Self->Value, Changed);
  const auto *Made = llvm::find_if(Left.Stmts, [&](const Stmt *S) {
    return ofModule(*S) && !At.blockInside(H.blockOf(*S), L);
  });
  const ValueId Whole = loaded(Self->Value);
  const Stmt *First = Made != Left.Stmts.end() ? *Made : H.def(Whole);
  if (!First ||
      (Made == Left.Stmts.end() && !(Changed.empty() && isSaved(Whole, L))))
    return;
  Finding Found(Check::GraphRetention, 0, Backward);
  Found.At = &Backward;
  Found.Message = "backward() goes through a graph that is made before the "
                  "loop, which the first iteration frees; throws, unless there "
                  "is no other";
  Found.Notes.push_back({First->point(), "made here"});
  C.Out.push_back(std::move(Found));
}

/// Another backward(), in the same iteration, has freed the graph.
void Graphs::freedBefore(const Stmt &Backward) {
  const Arg *Self = findArg(Backward, "self");
  const LoopId L = loopOf(Backward);
  if (!Self || Grads.isGuarded(Backward) || Backward.Expected)
    return;
  const Graph Used = graph(Self->Value);
  for (const Stmt *Before : Backwards) {
    const Arg *Other = findArg(*Before, "self");
    if (!Other || Before == &Backward || retains(*Before) ||
        loopOf(*Before) != L || !isBefore(*Before, Backward))
      continue;
    const Graph Freed = graph(Other->Value);
    const bool Same = llvm::any_of(Freed.Stmts, [&](const Stmt *S) {
      return ofModule(*S) && Used.has(S) && isBefore(*S, *Before) &&
             loopOf(*S) == L;
    });
    if (!Same)
      continue;
    Finding Found(Check::GraphRetention, 0, Backward);
    Found.At = &Backward;
    Found.Message = "backward() goes through a graph that another one has "
                    "freed; throws, unless that one has retain_graph";
    Found.Notes.push_back({Before->point(), "backward() runs here first"});
    C.Out.push_back(std::move(Found));
    return;
  }
}

/// A graph that another backward() has kept, after weights that it goes by
/// were changed: loss.backward(retain); optimizer.step(); loss.backward().
void Graphs::stepped(const Stmt &Backward) {
  const Stmt *Load = H.def(Backward.Args.empty() ? 0 : Backward.Args[0].Value);
  const auto Of = Load && Load->O == Op::Load ? H.reaching(*Load)
                                              : std::vector<const Stmt *>();
  // The gradient of one layer alone does not go by its weights.
  const Graph Used = graph(Backward.Args.empty() ? 0 : Backward.Args[0].Value);
  if (Of.size() != 1 || Grads.isGuarded(Backward) || Backward.Expected ||
      llvm::count_if(Used.Stmts, [&](const Stmt *S) { return ofModule(*S); }) <
          2)
    return;
  for (const Stmt *Before : Backwards) {
    const Stmt *Other = H.def(Before->Args.empty() ? 0 : Before->Args[0].Value);
    if (Before == &Backward || !retains(*Before) || !Other ||
        Other->O != Op::Load || H.reaching(*Other) != Of)
      continue;
    for (const Stmt *Step : Steps) {
      if (!H.runsAfter(*Before, *Step, Of[0]) ||
          !H.runsAfter(*Step, Backward, Of[0]) || Told.count(Step))
        continue;
      Told.insert(Step);
      Finding Found(Check::GraphRetention, 1, *Step);
      Found.At = Step;
      Found.Message = Step->Text +
                      "() changes weights that the graph goes by, and "
                      "backward() goes through it again; " +
                      effectOfStep(*Step);
      Found.Notes.push_back({Before->point(), "backward() keeps the graph"});
      Found.Notes.push_back(
          {Backward.point(), "and goes through it here: step after that"});
      C.Out.push_back(std::move(Found));
    }
  }
}

void Graphs::run() {
  if (At.NoGrad)
    return;
  forEachStmt(F, [&](BlockId, const Stmt &S) {
    if (S.O == Op::Backward && !S.InTry)
      Backwards.push_back(&S);
    if (S.is(Attribute::StepsByGradients) && !S.InTry)
      Steps.push_back(&S);
  });
  for (const Stmt *B : Backwards) {
    const LoopId L = loopOf(*B);
    if (B->Args.empty())
      continue;
    if (L != NoId)
      carried(*B, L);
    if (retains(*B))
      continue;
    if (L != NoId)
      freed(*B, L);
    kept(*B, L);
  }
  for (const Stmt *B : Backwards) {
    freedBefore(*B);
    stepped(*B);
  }
}

} // namespace

void checkGraphRetention(CheckRun &C) {
  Graphs(C).run();
  checkAddedGradients(C);
}

} // namespace tensortidy::analysis
