//===- OptimizerOrder.cpp - the order of calls on one optimizer -----------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: every path, from a call on. Gradients go from backward() to
// clip_grad_norm_() to step() to zero_grad(), and then from the beginning.
//
//   too late    step(); clip_grad_norm_(p, 1); ... zero_grad()
//   too soon    backward(); zero_grad(); step()
//
// A clip is too late if each way from it comes to a zero_grad() of the
// optimizer before its next step(): whatever parameters it is of, those that
// any optimizer in the function goes by are set to zero first. Behind the last
// iteration that holds where the function itself begins with zero_grad().
// Whatever else may use gradients on one of these ways silences both.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/TrainingLoops.h"
#include "Analysis/Checks/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace tensortidy::analysis {

using namespace program;

namespace {

/// A clip of more than this only asks for the norm.
constexpr double LargestBound = 1000;

class Order : TrainingFacts {
  using Of = llvm::function_ref<Visit(const Stmt &)>;

public:
  explicit Order(CheckRun &C) : TrainingFacts(C) {}

  void check() {
    bool Unnamed = false;
    forEachStmt(F, [&](BlockId B, const Stmt &S) {
      if (S.O == Op::Backward && !S.Args.empty())
        Backwards.push_back({&S, B});
      else if (S.is(Attribute::ClipsGradients))
        Clips.push_back({&S, B});
      else if (S.is(Attribute::StepsByGradients)) {
        Steps.push_back({&S, B});
        Optimizers.insert(objectOf(S));
        // A closure does what it does in between.
        Unnamed = Unnamed || objectOf(S) == NoId ||
                  llvm::any_of(S.Args, [](const Arg &A) { return A.Value; });
      }
    });
    if (Unnamed || Backwards.empty() || Steps.empty())
      return;
    for (const Place &P : Backwards) {
      const Slice Made = behind(P.S->Args.front().Value);
      Behind.insert(Made.begin(), Made.end());
    }
    for (const Place &Step : Steps)
      tooSoon(Step);
    for (const Place &Clip : Clips)
      tooLate(Clip);
  }

private:
  //===--------------------------------------------------------------------===//
  // Along paths
  //===--------------------------------------------------------------------===//

  /// Whether a path from behind \p From comes to what \p Is says is Found.
  /// \p Leaves: what it is to leave the function.
  bool leads(const Place &From, Of Is, bool Leaves) const {
    auto Within = [&](BlockId B, const Stmt *After) {
      for (const Stmt &S : F.Blocks[B].Stmts)
        if (!After || &S > After)
          if (const Visit V = Is(S); V != Visit::Pass)
            return V;
      const bool Last =
          llvm::all_of(F.Blocks[B].Succs, [](BlockId X) { return X == NoId; });
      return Last ? (Leaves ? Visit::Found : Visit::End) : Visit::Pass;
    };
    const Visit First = Within(From.B, From.S);
    return First == Visit::Found ||
           (First == Visit::Pass &&
            C.Flow.Blocks.reaches(C.Flow.Blocks.succs(From.B), [&](BlockId B) {
              return Within(B, nullptr);
            }));
  }
  /// The same against the direction of paths; the entry is Found.
  bool leadsBack(const Place &From, Of Is) const {
    auto Within = [&](BlockId B, const Stmt *Before) {
      for (const Stmt &S : llvm::reverse(F.Blocks[B].Stmts))
        if (!Before || &S < Before)
          if (const Visit V = Is(S); V != Visit::Pass)
            return V;
      return B == F.Entry ? Visit::Found : Visit::Pass;
    };
    const Visit First = Within(From.B, From.S);
    return First == Visit::Found ||
           (First == Visit::Pass &&
            C.Flow.Blocks.reachesBack(
                C.Flow.Blocks.preds(From.B),
                [&](BlockId B) { return Within(B, nullptr); }));
  }
  /// Whether \p A has always run where \p B runs, in the same iteration.
  bool isBefore(const Place &A, const Place &B) const {
    return At.loopAround(A.B) == At.loopAround(B.B) &&
           (A.B == B.B ? A.S < B.S : At.passes(A.B, B.B));
  }

  //===--------------------------------------------------------------------===//
  // What calls do to gradients
  //===--------------------------------------------------------------------===//

  /// Whether \p S sets those to zero by which \p Optimizer steps. A module's
  /// are those of the only optimizer, if backward() goes through it.
  bool erases(const Stmt &S, VarId Optimizer) const {
    const VarId On = objectOf(S);
    if (!S.is(Attribute::ErasesGradients) || On == NoId)
      return false;
    bool Is = On == Optimizer;
    if (!Is && Optimizers.size() == 1)
      forEachStmt(F, [&](BlockId, const Stmt &Run) {
        Is = Is || runs(Run, On, Behind);
      });
    return Is;
  }
  /// Whether \p S may read or change gradients, or set the tensors of
  /// \p Optimizer by them, in a way that is not seen.
  bool mayUse(const Stmt &S, VarId Optimizer) const {
    if (S.is(Attribute::ErasesGradients) || S.is(Attribute::StepsByGradients) ||
        S.is(Attribute::ClipsGradients))
      return false;
    return S.is(Attribute::ReadsGradient) ||
           S.is(Attribute::ReachesGradients) ||
           (S.O == Op::Opaque && S.is(Attribute::Trains) &&
            !S.is(Attribute::NoGrad) && !S.is(Attribute::SetsMode)) ||
           (!Behind.count(&S) &&
            (mayReach(S, rootOf(Optimizer)) || isGivenMore(S)));
  }
  /// Whether no step() of \p Optimizer goes by gradients that were there
  /// before the function.
  bool beginsAnew(VarId Optimizer) const {
    const Place Entry{nullptr, F.Entry};
    return !leads(
        Entry,
        [&](const Stmt &S) {
          return erases(S, Optimizer) ? Visit::End
                 : S.is(Attribute::StepsByGradients) && objectOf(S) == Optimizer
                     ? Visit::Found
                     : Visit::Pass;
        },
        false);
  }

  //===--------------------------------------------------------------------===//
  // Too late
  //===--------------------------------------------------------------------===//

  /// Whether \p Clip does more than to give a number: no one asks for that, or
  /// the bound is small.
  bool isMeant(const Stmt &Clip) const {
    if (!Clip.Result || At.Uses[Clip.Result].empty())
      return true;
    const Stmt *Bound =
        Clip.Args.size() > 1 ? C.Held.origin(Clip.Args[1].Value) : nullptr;
    const auto Number = writtenReal(Bound);
    return Number && *Number <= LargestBound;
  }
  /// Whether gradients come to no step() of \p Optimizer behind \p Clip, and
  /// \p Erasing sets them to zero.
  bool isLost(const Place &Clip, VarId Optimizer, const Stmt *&Erasing) const {
    return !leads(
        Clip,
        [&](const Stmt &S) {
          if (erases(S, Optimizer)) {
            Erasing = &S;
            return Visit::End;
          }
          const bool Steps =
              S.is(Attribute::StepsByGradients) && objectOf(S) == Optimizer;
          return Steps || mayUse(S, Optimizer) ? Visit::Found : Visit::Pass;
        },
        !beginsAnew(Optimizer));
  }
  void tooLate(const Place &Clip) {
    if (!isMeant(*Clip.S) || Clip.S->InTry)
      return;
    const Stmt *Erasing = nullptr, *Used = nullptr;
    for (VarId Optimizer : Optimizers)
      if (!isLost(Clip, Optimizer, Erasing))
        return;
    for (const Place &Step : Steps)
      if (isBefore(Step, Clip))
        Used = Step.S;
    // Those that another finding says are lost anyway.
    if ((!Erasing && !Used) || (Erasing && Told.count(Erasing)))
      return;
    Finding Found(Check::MissingGradient, 1, *Clip.S);
    Found.At = Clip.S;
    Found.Message = callOf(*Clip.S) + " clips gradients that ";
    Found.Message +=
        Used ? callOf(*Used) + " has used already, and that zero_grad() sets "
                               "to zero next"
             : std::string("zero_grad() sets to zero before a step() uses "
                           "them");
    if (Used)
      Found.Notes.push_back(
          {Used->point(), "clip them before this, behind backward()"});
    if (Erasing)
      Found.Notes.push_back({Erasing->point(), "they are set to zero here"});
    C.Out.push_back(std::move(Found));
  }

  //===--------------------------------------------------------------------===//
  // Too soon
  //===--------------------------------------------------------------------===//

  void tooSoon(const Place &Step) {
    const VarId Optimizer = objectOf(*Step.S);
    llvm::SmallSetVector<const Stmt *, 2> Erasing;
    const bool Has = leadsBack(Step, [&](const Stmt &S) {
      if (erases(S, Optimizer)) {
        Erasing.insert(&S);
        return Visit::End;
      }
      return S.O == Op::Backward || mayUse(S, Optimizer) ? Visit::Found
                                                         : Visit::Pass;
    });
    if (Has || Step.S->InTry)
      return;
    for (const Stmt *S : Erasing) {
      const Place Zero{S, C.Held.blockOf(*S)};
      const Place *Back = nullptr;
      for (const Place &P : Backwards)
        if (isBefore(P, Zero) && isBefore(Zero, Step) &&
            !isUsedBetween(P, Zero, Optimizer))
          Back = &P;
      if (!Back || !Told.insert(S).second)
        continue;
      Finding Found(Check::MissingGradient, 1, *S);
      Found.At = S;
      Found.Message = callOf(*S) +
                      " erases the gradients of backward() before " +
                      callOf(*Step.S) + " uses them: there are none left";
      Found.Notes.push_back(
          {Back->S->point(), "backward() computes them here"});
      Found.Notes.push_back({Step.S->point(), "set them to zero after this"});
      C.Out.push_back(std::move(Found));
    }
  }
  /// Whether anything may use gradients of \p Back before \p Zero runs.
  bool isUsedBetween(const Place &Back, const Place &Zero,
                     VarId Optimizer) const {
    return leads(
        Back,
        [&](const Stmt &S) {
          return &S == Zero.S ? Visit::End
                 : S.is(Attribute::StepsByGradients) || mayUse(S, Optimizer)
                     ? Visit::Found
                     : Visit::Pass;
        },
        false);
  }

  std::vector<Place> Backwards, Steps, Clips;
  llvm::SmallSetVector<VarId, 2> Optimizers;
  Slice Behind; ///< what losses are computed from
  llvm::SmallPtrSet<const Stmt *, 2> Told;
};

} // namespace

void checkOptimizerOrder(CheckRun &C) { Order(C).check(); }

} // namespace tensortidy::analysis
