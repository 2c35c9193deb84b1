//===- TrainingLoops.cpp - what iterations leave behind -------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: iterations of a training loop, one of which comes after another:
// forward(), backward() of what that gives, and an optimizer's step(). Nothing
// in the loop does what is missed, and no code that is not seen can.
//
//   net->train();                       for (...) {
//   for (...) {                           optimizer.zero_grad();   <- erases
//     ... net->forward(x) ...             ... backward();
//     loss.backward();                    if (i % 4 == 0)
//     optimizer.step();                     optimizer.step();
//     net->eval();   <- for good        }
//     test(net);
//   }
//
// That a condition holds again and again is known of one that does not change
// in the loop, and of the remainder of a number.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/TrainingLoops.h"
#include "Analysis/Checks/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

namespace tensortidy::analysis {

using namespace program;

namespace {

class Training : TrainingFacts {
public:
  explicit Training(CheckRun &C) : TrainingFacts(C) {}

  void check() {
    forEachStmt(F, [&](BlockId B, const Stmt &S) {
      if (F.Blocks[B].InLoop == NoId)
        return;
      if (S.O == Op::Backward && !S.Args.empty())
        Backwards.push_back({&S, B});
      else if (S.is(Attribute::StepsByGradients) && objectOf(S) != NoId)
        Steps.push_back({&S, B});
    });
    if (Backwards.empty() || Steps.empty())
      return;
    forEachStmt(F, [&](BlockId B, const Stmt &S) {
      if (!S.isOpaque() || objectOf(S) == NoId)
        return;
      if (evaluates(At, S))
        stays(S, B);
      else if (S.is(Attribute::SetsMode))
        thaws({&S, B});
    });
    for (const Place &Step : Steps)
      erased(Step);
  }

private:
  //===--------------------------------------------------------------------===//
  // Which way iterations go
  //===--------------------------------------------------------------------===//

  /// Whether an iteration of \p L that has come to \p B may end without \p To.
  bool avoids(BlockId B, BlockId To, LoopId L) const {
    return B != To && (B == F.Loops[L].Head || At.comesBack(B, L, To));
  }
  /// The blocks of \p L whose conditions decide whether an iteration comes to
  /// \p B.
  llvm::SmallSet<BlockId, 4> decides(BlockId B, LoopId L) const {
    llvm::SmallSet<BlockId, 4> R;
    std::vector<BlockId> Work{B};
    while (!Work.empty()) {
      const BlockId To = Work.back();
      Work.pop_back();
      for (BlockId X = 0; X < F.Blocks.size(); ++X) {
        const auto &Succs = F.Blocks[X].Succs;
        if (Succs.size() < 2 || X == F.Loops[L].Head || R.count(X) ||
            !At.blockInside(X, L) || !avoids(X, To, L) ||
            llvm::none_of(Succs, [&](BlockId Y) {
              return Y != NoId && At.blockInside(Y, L) && comes(Y, To, L) &&
                     !avoids(Y, To, L);
            }))
          continue;
        R.insert(X);
        Work.push_back(X);
      }
    }
    return R;
  }
  /// Whether an iteration of \p L that is at \p From may come to \p To.
  bool comes(BlockId From, BlockId To, LoopId L, BlockId Avoid = NoId) const {
    const BlockId Head = F.Loops[L].Head;
    return C.Flow.Blocks.reaches({From}, [&](BlockId X) {
      if (X == To)
        return Visit::Found;
      return X == Avoid || !At.blockInside(X, L) || (X == Head && X != From)
                 ? Visit::End
                 : Visit::Pass;
    });
  }

  /// Whether \p V asks for the remainder of a number, by anything but 1.
  bool isPeriodic(ValueId V, unsigned Depth = 0) const {
    const Stmt *S = C.Held.origin(V);
    if (!S || Depth > 6)
      return false;
    if (S->O == Op::IMod && S->Args.size() == 2) {
      const Stmt *By = C.Held.origin(S->Args[1].Value);
      return !By || By->O != Op::Const || By->Imm > 1;
    }
    return opClass(S->O) == OpClass::Condition &&
           llvm::any_of(S->Args, [&](const Arg &A) {
             return isPeriodic(A.Value, Depth + 1);
           });
  }
  /// Whether nothing in \p L that is seen changes the flag \p V.
  bool isSteady(ValueId V, LoopId L) const {
    const Stmt *S = At.Def[V];
    if (S && S->O == Op::Not)
      return isSteady(S->Args.front().Value, L);
    return S && S->O == Op::Load && F.Vars[S->Var].Type == VarType::Bool &&
           llvm::none_of(At.Stores[S->Var], [&](const Stmt *Store) {
             return Store && At.blockInside(C.Held.blockOf(*Store), L);
           });
  }
  /// Whether the condition of \p B holds again and again, if it holds at all.
  bool recurs(BlockId B, LoopId L) const {
    if (llvm::any_of(F.Loops,
                     [&](const Loop &Inner) { return Inner.Head == B; }))
      return true;
    const ValueId V = F.Blocks[B].Condition;
    if (!V)
      return false;
    const Stmt *S = At.Def[V];
    const bool Orders = S && (S->O == Op::CmpLt || S->O == Op::CmpLe ||
                              S->O == Op::CmpGt || S->O == Op::CmpGe);
    return isPeriodic(V) || At.invariant(V, L) || isSteady(V, L) ||
           (Orders && llvm::any_of(S->Args, [&](const Arg &A) {
              const Stmt *D = At.Def[A.Value];
              return D && D->O == Op::Const;
            }));
  }

  //===--------------------------------------------------------------------===//
  // eval() for good
  //===--------------------------------------------------------------------===//

  /// Whether the call that \p S stands in is that of a constructor: its
  /// object's destructor may put the mode back.
  bool inConstructor(const Stmt &S) const {
    for (uint32_t Id = S.Context; Id; Id = F.Contexts[Id].Parent) {
      const auto [Outer, Name] =
          llvm::StringRef(F.Contexts[Id].Callee).rsplit("::");
      if (Outer == Name || Outer.ends_with("::" + Name.str()))
        return true;
    }
    return false;
  }

  /// Whether something in \p L may put the module \p M into another mode than
  /// \p Eval does, or another module into its place.
  bool mayTrain(LoopId L, VarId M, const Slice &Of) const {
    const VarId Root = rootOf(M);
    bool May = false;
    forEachStmt(F, [&](BlockId B, const Stmt &S) {
      if (May || !At.blockInside(B, L))
        return;
      if (S.O == Op::Store) {
        const Stmt *D = S.Args.empty() ? nullptr : At.Def[S.Args[0].Value];
        May = isIn(M, S.Var) && !(D && D->O == Op::Placed);
      } else if (S.is(Attribute::SetsMode)) {
        May = !evaluates(At, S);
      } else if (!evaluates(At, S) && !Of.count(&S)) {
        May = mayReach(S, Root);
      }
    });
    return May;
  }

  /// What puts \p M into training mode before \p L, whatever comes between;
  /// null: nothing does.
  const Stmt *trained(LoopId L, VarId M) const {
    const BlockId Head = F.Loops[L].Head;
    const Stmt *Train = nullptr;
    BlockId TrainAt = NoId;
    forEachStmt(F, [&](BlockId B, const Stmt &S) {
      if (S.is(Attribute::SetsMode) && !evaluates(At, S) && objectOf(S) == M &&
          !At.blockInside(B, L) && At.passes(B, Head)) {
        Train = &S;
        TrainAt = B;
      }
    });
    if (!Train)
      return nullptr;
    bool Undone = false;
    forEachStmt(F, [&](BlockId B, const Stmt &S) {
      if (At.blockInside(B, L) || !evaluates(At, S) || objectOf(S) == NoId ||
          !isRelated(objectOf(S), rootOf(M)))
        return;
      // In its own block it comes before, or it comes after.
      Undone = Undone || (B == TrainAt && &S > Train) ||
               C.Flow.Blocks.reaches(C.Flow.Blocks.succs(B), [&](BlockId X) {
                 return X == Head      ? Visit::Found
                        : X == TrainAt ? Visit::End
                                       : Visit::Pass;
               });
    });
    return Undone ? nullptr : Train;
  }

  /// Whether each way to what \p Eval does decides about it again and again.
  bool isRepeated(BlockId Eval, LoopId L) const {
    return At.comesBack(Eval, L) &&
           llvm::all_of(decides(Eval, L),
                        [&](BlockId X) { return recurs(X, L); });
  }

  void stays(const Stmt &Eval, BlockId B) {
    const VarId M = objectOf(Eval);
    if (Eval.InTry || inConstructor(Eval))
      return;
    for (LoopId L = At.loopAround(B); L != NoId;
         L = At.repeated(F.Loops[L].Parent))
      for (const Place &Back : Backwards) {
        if (!At.blockInside(Back.B, L) ||
            llvm::none_of(Steps, [&](const Place &Step) {
              return At.blockInside(Step.B, L);
            }))
          continue;
        const Slice Of = behind(Back.S->Args.front().Value);
        const Stmt *Run = runBefore(L, M, Of, Eval, B);
        if (!Run)
          continue;
        const Stmt *Train = trained(L, M);
        if (Train && isRepeated(B, L) && !mayTrain(L, M, Of))
          tellStays(Eval, *Train, *Run);
        return;
      }
  }

  /// What runs \p M to give something of \p Of, where an iteration of \p L may
  /// come to before \p Eval.
  const Stmt *runBefore(LoopId L, VarId M, const Slice &Of, const Stmt &Eval,
                        BlockId EvalAt) const {
    const Stmt *Run = nullptr;
    forEachStmt(F, [&](BlockId B, const Stmt &S) {
      if (!Run && At.blockInside(B, L) && runs(S, M, Of) &&
          (B == EvalAt ? &S < &Eval : comes(F.Loops[L].Head, B, L, EvalAt)))
        Run = &S;
    });
    return Run;
  }

  void tellStays(const Stmt &Eval, const Stmt &Train, const Stmt &Run) {
    const std::string Name = nameOf(objectOf(Eval));
    Finding Found(Check::MissingGradient, 1, Eval);
    Found.At = &Eval;
    Found.Message = Name +
                    " stays in evaluation mode: nothing in the loop puts "
                    "it back, and its next iterations train it so";
    Found.Notes.push_back(
        {Train.point(), "it is put into training mode here, before the loop"});
    Found.Notes.push_back({Run.point(), "it is trained here"});
    C.Out.push_back(std::move(Found));
  }

  //===--------------------------------------------------------------------===//
  // train() of what was to stay in evaluation mode
  //===--------------------------------------------------------------------===//

  /// Whether \p V is a part of the module \p M, and not all of it: by its name,
  /// or one of its modules().
  bool isPart(VarId V, VarId M) const {
    if (V == M)
      return false;
    if (isIn(V, M))
      return true;
    return llvm::any_of(At.Stores[rootOf(V)], [&](const Stmt *Store) {
      return Store && !Store->Args.empty() &&
             llvm::any_of(behind(Store->Args[0].Value), [&](const Stmt *S) {
               return S->O == Op::Opaque && S->Reaches == Reach::Arguments &&
                      llvm::any_of(S->Args, [&](const Arg &A) {
                        return A.Var == M || At.Values.loaded(A.Value) == M ||
                               isOwner(A.Value, M);
                      });
             });
    });
  }
  /// Whether \p V is the holder of the module \p M.
  bool isOwner(ValueId V, VarId M) const {
    const Stmt *D = At.Def[V];
    return D && D->is(Attribute::AccessesMember) && !D->Args.empty() &&
           F.Vars[M].IsPointee &&
           At.Values.loaded(D->Args[0].Value) == F.Vars[M].Base;
  }
  /// What puts a part of \p M into evaluation mode before \p L, to train it so:
  /// nothing runs it in between.
  const Stmt *frozen(VarId M, LoopId L) const {
    const BlockId Head = F.Loops[L].Head;
    const Stmt *Freeze = nullptr;
    bool Other = false;
    forEachStmt(F, [&](BlockId B, const Stmt &S) {
      if (At.blockInside(B, L) || !C.Flow.Blocks.reaches({B}, [&](BlockId X) {
            return X == Head ? Visit::Found : Visit::Pass;
          }))
        return;
      const Arg *Run = S.O == Op::Enters ? findArg(S, "module") : nullptr;
      const VarId V = Run ? At.Values.loaded(Run->Value) : objectOf(S);
      if (V == NoId)
        return;
      if (evaluates(At, S) && !S.InTry && isPart(V, M))
        Freeze = &S;
      else if (isRelated(V, rootOf(M)))
        Other =
            Other || Run || S.Forward ||
            (Freeze && (S.is(Attribute::SetsMode) || mayReach(S, rootOf(M))));
    });
    return Other ? nullptr : Freeze;
  }
  /// Whether something in \p L may put parts of \p M into evaluation mode.
  bool mayFreeze(LoopId L, VarId M, const Slice &Of) const {
    bool May = false;
    forEachStmt(F, [&](BlockId B, const Stmt &S) {
      if (!At.blockInside(B, L) || Of.count(&S))
        return;
      May =
          May || (evaluates(At, S) ? objectOf(S) != M
                                   : mayReach(S, rootOf(M)) || isGivenMore(S));
    });
    return May;
  }
  void thaws(const Place &Train) {
    const VarId M = objectOf(*Train.S);
    const LoopId L = At.loopAround(Train.B);
    if (L == NoId || Train.S->InTry || Train.S->Reaches != Reach::Arguments)
      return;
    const Stmt *Freeze = frozen(M, L);
    for (const Place &Back : Backwards) {
      if (!Freeze || !At.blockInside(Back.B, L))
        continue;
      const Slice Of = behind(Back.S->Args.front().Value);
      if (!isRun(L, M, Of) || mayFreeze(L, M, Of))
        return;
      Finding Found(Check::MissingGradient, 1, *Train.S);
      Found.At = Train.S;
      Found.Message = callOf(*Train.S) + " puts all of " + nameOf(M) +
                      " into training mode, with the part that was put into "
                      "evaluation mode before the loop";
      Found.Notes.push_back(
          {Freeze->point(), "eval() of a part of it; call it behind train()"});
      C.Out.push_back(std::move(Found));
      return;
    }
  }

  //===--------------------------------------------------------------------===//
  // zero_grad() before step()
  //===--------------------------------------------------------------------===//

  /// Whether code in \p L may use gradients in another way than \p Step does.
  bool usesGradients(LoopId L, const Stmt &Step, const Slice &Of) const {
    const VarId Root = rootOf(objectOf(Step));
    bool Uses = false;
    forEachStmt(F, [&](BlockId B, const Stmt &S) {
      if (Uses || !At.blockInside(B, L) || S.is(Attribute::ErasesGradients))
        return;
      Uses = S.is(Attribute::ReadsGradient) ||
             S.is(Attribute::ReachesGradients) ||
             (!S.is(Attribute::StepsByGradients) && !Of.count(&S) &&
              (mayReach(S, Root) || isGivenMore(S)));
    });
    return Uses;
  }
  /// Whether \p Step runs only where a remainder says so; every backward() in
  /// \p L runs whatever it says.
  bool isPeriodicStep(const Place &Step, LoopId L) const {
    llvm::SmallSet<BlockId, 4> Periodic;
    for (BlockId X : decides(Step.B, L))
      if (isPeriodic(F.Blocks[X].Condition))
        Periodic.insert(X);
    return !Periodic.empty() &&
           llvm::none_of(Backwards, [&](const Place &Back) {
             return At.blockInside(Back.B, L) &&
                    llvm::any_of(decides(Back.B, L), [&](BlockId X) {
                      return Periodic.count(X) != 0;
                    });
           });
  }

  void erased(const Place &Step) {
    const LoopId L = At.loopAround(Step.B);
    if (L == NoId ||
        llvm::any_of(Step.S->Args, [](const Arg &A) { return A.Value != 0; }))
      return;
    const Place *Back = nullptr;
    for (const Place &P : Backwards)
      if (At.blockInside(P.B, L))
        Back = &P;
    const bool Alone = llvm::none_of(Steps, [&](const Place &P) {
      return P.S != Step.S && At.blockInside(P.B, L);
    });
    if (!Back || !Alone || !isPeriodicStep(Step, L))
      return;
    const Slice Of = behind(Back->S->Args.front().Value);
    const Stmt *Zero = nullptr;
    forEachStmt(F, [&](BlockId B, const Stmt &S) {
      if (!Zero && S.is(Attribute::ErasesGradients) && objectOf(S) != NoId &&
          At.blockInside(B, L) && At.everyIteration(B, L) &&
          (objectOf(S) == objectOf(*Step.S) || isRun(L, objectOf(S), Of)))
        Zero = &S;
    });
    if (!Zero || usesGradients(L, *Step.S, Of))
      return;
    Finding Found(Check::MissingGradient, 1, *Zero);
    Found.At = Zero;
    Found.Message =
        callOf(*Zero) + " in every iteration erases gradients that " +
        callOf(*Step.S) + " has not used: it runs in some iterations only";
    Found.Notes.push_back({Step.S->point(), "set them to zero after this"});
    C.Out.push_back(std::move(Found));
  }

  /// Whether \p M is a module that \p L runs to give something of \p Of.
  bool isRun(LoopId L, VarId M, const Slice &Of) const {
    bool Is = false;
    forEachStmt(F, [&](BlockId B, const Stmt &S) {
      Is = Is || (At.blockInside(B, L) && runs(S, M, Of));
    });
    return Is;
  }

  std::vector<Place> Backwards, Steps; ///< in loops
};

} // namespace

void checkTrainingLoops(CheckRun &C) { Training(C).check(); }

} // namespace tensortidy::analysis
