//===- GraphSchedule.cpp - graphs that schedulers hold --------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of tensor-uninitialized-read. A scheduler of ggml that has given a
// graph memory computes that graph, whatever it is told to, until it is reset:
//
//   ggml_backend_sched_alloc_graph(sched, train);
//   ggml_backend_sched_graph_compute(sched, train);
//   ggml_backend_sched_graph_compute(sched, eval);    computes train again
//
// Quantifier: all paths to there, which hold the same graph, and another one
// for certain.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "Analysis/Checks/Wording.h"
#include "Analysis/Flow/Dataflow.h"
#include "llvm/ADT/STLExtras.h"

namespace tensortidy::analysis {

using namespace program;

namespace {

/// What a pointer is: what a statement made, or what a variable has had since
/// the function began.
struct Thing {
  const Stmt *Made = nullptr;
  VarId Var = NoId;
  bool known() const { return Made || Var != NoId; }
  bool operator==(const Thing &O) const {
    return Made == O.Made && Var == O.Var;
  }
  bool operator<(const Thing &O) const {
    return std::tie(Made, Var) < std::tie(O.Made, O.Var);
  }
};

/// The graph that a scheduler holds, since \p By gave it that.
struct HeldGraph {
  Thing Graph;
  const Stmt *By = nullptr;
  bool operator==(const HeldGraph &O) const { return Graph == O.Graph; }
};
using Schedulers = std::map<Thing, HeldGraph>;

class Schedules : public Dataflow<Schedules, Schedulers, Direction::Forward> {
public:
  explicit Schedules(CheckRun &C) : C(C), F(C.F), Held(C.Held) {}

  void check() {
    bool Runs = false;
    forEachStmt(F, [&](BlockId, const Stmt &S) {
      Runs = Runs || S.calls(Attribute::RunsHeld);
    });
    if (!Runs)
      return;
    solve(C.Flow.Blocks, {});
    for (BlockId B = 0; B < F.Blocks.size(); ++B) {
      const Schedulers *At = at(B);
      Schedulers Now = At ? *At : Schedulers();
      for (const Stmt &S : F.Blocks[B].Stmts) {
        if (At && S.calls(Attribute::RunsHeld) && S.Args.size() == 2)
          run(S, B, Now);
        step(S, Now);
      }
    }
  }

  void transfer(BlockId B, Schedulers &Now) const {
    for (const Stmt &S : F.Blocks[B].Stmts)
      step(S, Now);
  }
  /// Where memory could not be given, nothing is held.
  bool takes(BlockId B, size_t Way, Schedulers &Now) const {
    const Block &Blk = F.Blocks[B];
    const Stmt *D = Blk.Cases.empty() ? Held.def(Blk.Condition) : nullptr;
    bool Fails = Way == 1;
    for (; D && D->O == Op::Not && !D->Args.empty(); Fails = !Fails)
      D = Held.def(D->Args[0].Value);
    for (auto It = Now.begin(); It != Now.end();)
      It = D && Fails && It->second.By == D ? Now.erase(It) : std::next(It);
    return true;
  }
  static bool join(Schedulers &Into, const Schedulers &From) {
    return keepCommon(Into, From);
  }

private:
  /// What \p V is, behind variables and parameters that were given it.
  Thing thing(ValueId V) const {
    for (unsigned Depth = 0; Depth < 24; ++Depth) {
      const Stmt *D = Held.def(V);
      if (!D || D->O == Op::Phi || D->O == Op::ListGet || D->O == Op::Element)
        return {};
      if (D->calls(Attribute::GivesPointer) && !D->Args.empty()) {
        const Arg &Owner = D->Args[0]; // owner.get()
        const VarId Var =
            Owner.Var != NoId ? Owner.Var : C.Flow.Values.loaded(Owner.Value);
        return isKept(Var) ? Thing{nullptr, Var} : Thing();
      }
      if (D->O != Op::Load)
        return D->O == Op::Const ? Thing() : Thing{D, NoId};
      const auto From = Held.reaching(*D);
      if (From.size() != 1)
        return isKept(D->Var) ? Thing{nullptr, D->Var} : Thing();
      V = From[0]->Args[0].Value;
    }
    return {};
  }
  /// Nothing in the function gives it another value.
  bool isKept(VarId V) const {
    return V != NoId && C.Flow.Values.Stores[V].empty();
  }

  bool isMade(const Thing &X) const {
    return X.Made && X.Made->is(Attribute::MakesGraph);
  }
  /// Whether they are two graphs.
  bool differ(const Thing &X, const Thing &Y) const {
    if (!X.known() || !Y.known() || X == Y)
      return false;
    if (X.Made && Y.Made) // other code may give one of them twice
      return isMade(X) && isMade(Y);
    if (X.Made || Y.Made)
      return isMade(X.Made ? X : Y);
    // Two members of one object, or two parameters.
    const Variable &V = F.Vars[X.Var], &W = F.Vars[Y.Var];
    return V.IsMember == W.IsMember && V.Base == W.Base &&
           (V.IsMember || (V.IsParam && W.IsParam));
  }

  /// Whether \p S may reset some scheduler.
  static bool mayReset(const Stmt &S) {
    return S.isOpaque() &&
           (S.is(Attribute::DropsGraph) || S.Reaches > Reach::Arguments);
  }

  void step(const Stmt &S, Schedulers &Now) const {
    if (mayReset(S)) {
      Now.clear();
    } else if (S.Args.size() == 2 && (S.calls(Attribute::HoldsGraph) ||
                                      S.calls(Attribute::RunsHeld))) {
      const Thing By = thing(S.Args[0].Value), Graph = thing(S.Args[1].Value);
      if (!By.known())
        Now.clear();
      else if (S.calls(Attribute::RunsHeld) && Now.count(By))
        return;
      else if (Graph.known())
        Now[By] = {Graph, &S};
      else
        Now.erase(By);
    } else if (S.Result) {
      // Made again: another one.
      for (auto It = Now.begin(); It != Now.end();)
        It = It->first.Made == &S || It->second.Graph.Made == &S
                 ? Now.erase(It)
                 : std::next(It);
    }
  }

  std::string name(const Thing &X, const Stmt &At,
                   const char *Otherwise) const {
    if (!X.Made)
      return quoted(called(F, X.Var, At.Context), Otherwise);
    for (const DefUse::Use &U : C.Flow.Values.Uses[X.Made->Result])
      if (U.S->O == Op::Store && !F.Vars[U.S->Var].Name.empty())
        return quoted(called(F, U.S->Var, U.S->Context), Otherwise);
    return Otherwise;
  }

  void run(const Stmt &S, BlockId B, const Schedulers &Now) {
    const Thing By = thing(S.Args[0].Value), Graph = thing(S.Args[1].Value);
    const auto It = Now.find(By);
    if (By.known() && It != Now.end()) {
      if (differ(It->second.Graph, Graph))
        tell(S, Graph, By, It->second);
    } else if (isMade(Graph) && By.known() && isEachTime(S, B, By, Graph)) {
      tellAgain(S, Graph, By);
    }
  }

  /// Whether a loop computes a graph that it has made, in each iteration, and
  /// resets nothing.
  bool isEachTime(const Stmt &S, BlockId B, const Thing &By,
                  const Thing &Graph) const {
    const LoopId L = F.Blocks[B].InLoop;
    const BlockId Made = Held.blockOf(*Graph.Made);
    if (L == NoId || F.Loops[L].RunsOnce || !C.Loops.everyIteration(B, L) ||
        Made == NoId || !C.Loops.blockInside(Made, L) ||
        !C.Loops.everyIteration(Made, L) || S.InTry)
      return false;
    bool Resets = By.Made && C.Loops.blockInside(Held.blockOf(*By.Made), L);
    forEachStmt(F, [&](BlockId At, const Stmt &T) {
      Resets = Resets || (C.Loops.blockInside(At, L) && mayReset(T));
    });
    return !Resets;
  }

  Finding found(const Stmt &S) const {
    Finding Found(Check::UninitializedRead, 0, S);
    if (const uint32_t Call = outermostCall(F, S.Context)) {
      Found.Where = Found.Point = F.Contexts[Call].Where;
      Found.InCall = true;
      Found.Notes.push_back({S.point(), "computed here"});
    } else {
      Found.At = &S;
    }
    return Found;
  }

  void tell(const Stmt &S, const Thing &Graph, const Thing &By,
            const HeldGraph &Of) {
    Finding Found = found(S);
    Found.Message = "does not compute " + name(Graph, S, "this graph") + ": " +
                    name(By, S, "the scheduler") + " holds " +
                    name(Of.Graph, S, "another one") +
                    ", and computes that again";
    Found.Notes.push_back(
        {Of.By->point(), quoted(Of.By->Text, "this") +
                             " gave it that graph; after "
                             "ggml_backend_sched_reset() it takes "
                             "another one"});
    C.Out.push_back(std::move(Found));
  }

  void tellAgain(const Stmt &S, const Thing &Graph, const Thing &By) {
    Finding Found = found(S);
    Found.Message =
        "computes the graph of the first iteration again, and not " +
        name(Graph, S, "this one") + ": nothing in the loop resets " +
        name(By, S, "the scheduler") + ", which holds it";
    Found.Notes.push_back(
        {Graph.Made->point(), "another graph in each iteration"});
    C.Out.push_back(std::move(Found));
  }

  CheckRun &C;
  const Function &F;
  const Handles &Held;
};

} // namespace

void tellGraphSchedules(CheckRun &C) { Schedules(C).check(); }

} // namespace tensortidy::analysis
