//===- TrainedModules.cpp - a module between two steps --------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a step() of an optimizer has to do with the modules whose parameters it
// was made with. Quantifier: one path.
//
//   changed    y = g(x); f(y).backward(); opt_g.step(); h(y).backward()
//              the second backward() needs g's weights as y was made with them
//   unreached  y = g(x).detach(); f(y).backward(); opt_g.step()
//              no gradient comes to g, and nothing else of it is in the graph
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/LossGraph.h"
#include "Analysis/Checks/Wording.h"

namespace tensortidy::analysis {

using namespace program;

namespace {

class Trained : LossGraphs {
public:
  explicit Trained(CheckRun &C) : LossGraphs(C) {}

  void check() {
    forEachStmt(F, [&](BlockId, const Stmt &S) {
      if (S.InTry || S.Expected)
        return;
      if (S.O == Op::Backward && !S.Args.empty())
        Backwards.push_back(&S);
      else if (S.O == Op::Steps)
        Steps.push_back(&S);
      else if (S.O == Op::Enters && findArg(S, "module"))
        Runs.push_back(&S);
    });
    if (Backwards.empty())
      return;
    for (const Stmt *Step : Steps) {
      const VarId M = moduleOf(*Step);
      for (const Stmt *Enter : Runs) {
        if (M == NoId || !isSame(moduleOf(*Enter), M))
          continue;
        changed(*Step, *Enter, M);
        unreached(*Step, *Enter, M);
      }
    }
  }

private:
  VarId moduleOf(const Stmt &S) const {
    return At.Values.loaded(findArg(S, "module")->Value);
  }

  /// Whether the holders \p A and \p B hold one module: a callee has its own
  /// name for what it is given.
  bool isSame(VarId A, VarId B) const {
    if (A == NoId || A == B)
      return A == B;
    const Variable &X = F.Vars[A], &Y = F.Vars[B];
    return X.IsPointee && Y.IsPointee && X.Base == Y.Base;
  }

  /// What of \p G was computed by the call at \p Enter.
  bool hasRun(const Graph &G, const Stmt &Enter) const {
    return llvm::any_of(G.Stmts, [&](const Stmt *S) {
      return ofModule(*S) && !Grads.isGuarded(*S) && isOfCall(*S, Enter);
    });
  }

  /// Whether gradients that come to what \p Enter gave go by its weights:
  /// through all layers but the first, and through that to other modules.
  bool goesByWeights(const Graph &G, const Stmt &Enter) const {
    if (findArg(Enter, "layers") || llvm::count_if(G.Stmts, [&](const Stmt *S) {
                                      return ofModule(*S) &&
                                             isOfCall(*S, Enter);
                                    }) > 1)
      return true;
    return llvm::any_of(Enter.Args, [&](const Arg &A) {
      if (!A.Name.empty() || !A.Value)
        return false;
      const Graph Before = graph(A.Value);
      return llvm::any_of(Before.Stmts,
                          [&](const Stmt *S) { return ofModule(*S); });
    });
  }

  /// Whether a backward() before \p Step went through the graph that \p B
  /// does, and kept it: tensor-graph-retention tells that.
  bool isKept(const Stmt &B, const Stmt &Step) const {
    auto Of = [&](const Stmt &S) {
      const Stmt *Load = H.def(S.Args[0].Value);
      return Load && Load->O == Op::Load ? H.reaching(*Load)
                                         : std::vector<const Stmt *>();
    };
    return llvm::any_of(Backwards, [&](const Stmt *Other) {
      return Other != &B && H.runsAfter(*Other, Step) && !Of(B).empty() &&
             Of(*Other) == Of(B);
    });
  }

  void changed(const Stmt &Step, const Stmt &Enter, VarId M) {
    // The step is one that a backward() before it was for.
    const bool Earns = llvm::any_of(Backwards, [&](const Stmt *B) {
      return H.runsAfter(*B, Step, &Enter);
    });
    if (!Earns || !H.runsAfter(Enter, Step) || Told.count(&Step))
      return;
    for (const Stmt *B : Backwards) {
      if (!H.runsAfter(Step, *B, &Enter) || isKept(*B, Step))
        continue;
      const Graph G = graph(B->Args[0].Value);
      if (!hasRun(G, Enter) || !goesByWeights(G, Enter))
        continue;
      Told.insert(&Step);
      Finding Found(Check::InplaceOnSaved, 1, Step);
      Found.At = &Step;
      Found.Message = "step() changes the weights of " + nameOf(M) +
                      " in place, and a backward() that comes later needs them "
                      "as they were; " +
                      effectOfStep(Step);
      Found.Notes.push_back({Enter.Where, "the module ran here"});
      Found.Notes.push_back(
          {B->point(), "backward() goes through that here: step after it, or "
                       "run the module again"});
      C.Out.push_back(std::move(Found));
      return;
    }
  }

  /// Whether nothing of a module is in \p G, nor what may hide one.
  bool hasNoModule(const Graph &G) const {
    return llvm::none_of(G.Stmts, [&](const Stmt *S) {
      return ofModule(*S) ||
             (S->O == Op::Opaque && !S->IsScalar && !isDifferentiable(*S));
    });
  }

  void unreached(const Stmt &Step, const Stmt &Enter, VarId M) {
    if (Grads.isGuarded(Enter))
      return;
    const Stmt *Detached = nullptr;
    for (const Stmt *B : Backwards) {
      if (!hasNoModule(graph(B->Args[0].Value)))
        return;
      if (!H.runsAfter(Enter, *B) || !H.runsAfter(*B, Step, &Enter))
        continue;
      for (const Stmt *S : behind(B->Args[0].Value)) {
        const Arg *Self = S->O == Op::Detach ? findArg(*S, "self") : nullptr;
        if (Self && hasRun(graph(Self->Value), Enter))
          Detached = S;
      }
    }
    if (!Detached || !Told.insert(Detached).second)
      return;
    Finding Found(Check::MissingGradient, 1, *Detached);
    Found.At = Detached;
    Found.Message = "gradients end here: backward() reaches no module, and "
                    "step() does not train " +
                    nameOf(M) + " by what it gave";
    Found.Notes.push_back({Enter.Where, "the module ran here"});
    Found.Notes.push_back({Step.Where, "its optimizer steps here"});
    C.Out.push_back(std::move(Found));
  }

  std::vector<const Stmt *> Backwards, Steps, Runs;
  llvm::SmallPtrSet<const Stmt *, 8> Told;
};

} // namespace

void checkTrainedModules(CheckRun &C) { Trained(C).check(); }

} // namespace tensortidy::analysis
