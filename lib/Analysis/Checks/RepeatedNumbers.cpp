//===- RepeatedNumbers.cpp - random numbers that are not ------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: every iteration. The part of tensor-allocation-in-loop that is
// about generators: one that is made, or set to a seed, in a loop that does not
// change the seed, so that each iteration draws the numbers of the one before.
//
//   for (i = 0; i < n; ++i) {
//     auto gen = make_generator<CPUGeneratorImpl>(seed);
//     rows.push_back(torch::randn({4}, gen));    n equal rows
//   }
//
// Whoever compares settings wants that, and uses what was drawn up. Numbers
// count that go into what several iterations write together, by operations that
// are seen, and beside nothing else that changes but data.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "Analysis/Checks/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

namespace tensortidy::analysis {

using namespace program;

namespace {

class Repeated {
public:
  explicit Repeated(CheckRun &C) : C(C), F(C.F), At(C.Loops) {}

  void check() {
    bool Compares = false;
    forEachStmt(F, [&](BlockId B, const Stmt &S) {
      if (S.is(Attribute::BeginsNumbers))
        Begins.push_back({&S, B});
      else if (S.is(Attribute::DrawsNumbers))
        Draws.push_back({&S, B});
      Compares = Compares || isClock(S) || S.is(Attribute::ReadsValues);
    });
    if (Compares || Draws.empty())
      return;
    for (const Place &P : Begins)
      begins(P);
  }

private:
  struct Place {
    const Stmt *S;
    BlockId B;
  };

  /// The generator that \p V is, behind what it was put into for a call.
  const Stmt *generator(ValueId V) const {
    constexpr unsigned Deepest = 8;
    const Stmt *S = C.Held.origin(V);
    for (unsigned Depth = 0; S && Depth < Deepest; ++Depth) {
      if (S->is(Attribute::BeginsNumbers) || S->Args.size() != 1 ||
          S->O != Op::Opaque || S->Reaches != Reach::Arguments)
        break;
      S = C.Held.origin(S->Args[0].Value);
    }
    return S;
  }
  /// The variable that holds the generator which \p S begins again; NoId: it
  /// is the library's own.
  VarId seeded(const Stmt &S) const {
    for (const Arg &A : S.Args)
      if (A.Var != NoId)
        return A.Var;
    return NoId;
  }
  /// Whether each iteration of \p L gives \p S the same seed.
  bool isSame(const Stmt &S, LoopId L) const {
    return llvm::all_of(S.Args, [&](const Arg &A) {
      return A.Var != NoId || At.invariant(A.Value, L);
    });
  }
  /// Whether \p Draw goes by the generator of \p Begin.
  bool drawsFrom(const Stmt &Draw, const Stmt &Begin) const {
    const Arg *Of = findArg(Draw, "generator");
    if (!Begin.Result && seeded(Begin) == NoId)
      return !Of || Of->Implied;
    if (!Of)
      return false;
    const Stmt *Made = generator(Of->Value);
    if (Begin.Result)
      return Made == &Begin;
    const ValueId Only = At.Values.onlyStored(seeded(Begin));
    return Made && Only && Made == generator(Only);
  }
  /// Whether \p Draw is asked for the same in each iteration: what it changes
  /// or chooses from may be another tensor.
  bool isAlike(const Stmt &Draw, LoopId L) const {
    return llvm::all_of(Draw.Args, [&](const Arg &A) {
      return A.Name == "generator" || A.Name == "self" ||
             At.invariant(A.Value, L);
    });
  }

  void begins(const Place &Begin) {
    const LoopId L = At.loopAround(Begin.B);
    const Stmt &S = *Begin.S;
    if (L == NoId || F.Loops[L].Parallel || S.InTry || !isSame(S, L) ||
        !At.comesBack(Begin.B, L))
      return;
    // Another seed in between.
    if (llvm::any_of(Begins, [&](const Place &P) {
          return !P.S->Result && At.blockInside(P.B, L) && !isSame(*P.S, L);
        }))
      return;
    for (const Place &Draw : Draws) {
      const bool After =
          Draw.B == Begin.B ? &S < Draw.S : At.passes(Begin.B, Draw.B);
      if (!At.blockInside(Draw.B, L) || !After || !drawsFrom(*Draw.S, S) ||
          !isAlike(*Draw.S, L))
        continue;
      if (const Stmt *Keeps = kept(Draw.S->Result, L)) {
        tell(S, *Draw.S, *Keeps);
        return;
      }
    }
  }

  void tell(const Stmt &Begin, const Stmt &Draw, const Stmt &Keeps) {
    Finding Found(Check::AllocationInLoop, 1, Begin);
    Found.At = &Begin;
    Found.Message =
        callOf(Begin) +
        " begins at the same seed in every iteration: " + callOf(Draw) +
        " gives the same numbers each time; ";
    Found.Message += Begin.Result ? "make the generator before the loop"
                                  : "set the seed before the loop";
    Found.Notes.push_back({Draw.point(), "these are the numbers"});
    Found.Notes.push_back(
        {Keeps.point(), "they are kept here, with those of other iterations"});
    C.Out.push_back(std::move(Found));
  }

  //===--------------------------------------------------------------------===//
  // What becomes of the numbers
  //===--------------------------------------------------------------------===//

  bool isOutside(VarId V, LoopId L) const {
    const LoopId In = F.Vars[V].DeclaredIn;
    return !F.Vars[V].InTemporary && (In == NoId || !At.inside(In, L));
  }
  /// Whether \p S computes a tensor that is as random as one of its operands.
  /// Numbers that change beside it are settings, which are compared.
  bool handsOn(const Stmt &S, LoopId L) const {
    switch (opClass(S.O)) {
    case OpClass::View:
    case OpClass::MaybeCopy:
    case OpClass::Copy:
    case OpClass::Compute:
      break;
    default:
      return S.O == Op::List || S.O == Op::ListInsert;
    }
    return !S.IsScalar && llvm::all_of(S.Args, [&](const Arg &A) {
      return !At.isNumber(A.Value) || At.invariant(A.Value, L);
    });
  }
  /// What keeps \p V, or what is computed from it, beyond an iteration of
  /// \p L, beside what other iterations have made of theirs; null: nothing.
  const Stmt *kept(ValueId V, LoopId L) const {
    llvm::SmallSet<ValueId, 16> Seen;
    std::vector<ValueId> Work{V};
    while (!Work.empty()) {
      const ValueId Of = Work.back();
      Work.pop_back();
      if (!Of || !Seen.insert(Of).second)
        continue;
      for (const LoopFacts::Use &U : At.Uses[Of]) {
        const Stmt &S = *U.S;
        if (S.O == Op::Store) {
          for (const Stmt *Load : At.Loads[S.Var])
            if (isCarried(S, *Load, L))
              return &S;
            else if (At.blockInside(C.Held.blockOf(*Load), L) &&
                     C.Held.runsAfter(S, *Load))
              Work.push_back(Load->Result);
        } else if (isFilled(S, *U.A, L) || isWritten(S, *U.A, L)) {
          return &S;
        } else if (handsOn(S, L)) {
          Work.push_back(S.Result);
        }
      }
    }
    return nullptr;
  }
  /// Whether \p Load reads in an iteration of \p L what \p Store gives the
  /// variable in the one before.
  bool isCarried(const Stmt &Store, const Stmt &Load, LoopId L) const {
    if (!isOutside(Store.Var, L) || !At.blockInside(C.Held.blockOf(Load), L))
      return false;
    const std::vector<const Stmt *> From = C.Held.reaching(Load);
    return llvm::is_contained(From, &Store) &&
           llvm::any_of(From, [&](const Stmt *Other) {
             return !At.blockInside(C.Held.blockOf(*Other), L);
           });
  }
  /// all.push_back(x)
  bool isFilled(const Stmt &S, const Arg &As, LoopId L) const {
    return S.is(Attribute::Appends) && As.Var == NoId &&
           llvm::any_of(S.Args, [&](const Arg &A) {
             return A.R == Role::Write && A.Var != NoId && isOutside(A.Var, L);
           });
  }
  /// all[i] = x; sum += x
  bool isWritten(const Stmt &S, const Arg &As, LoopId L) const {
    const Arg *Self = findArg(S, "self");
    if (opClass(S.O) != OpClass::InPlaceData || !Self || Self == &As)
      return false;
    const bool Adds = S.is(Attribute::AddsOn) || S.is(Attribute::AddsUp);
    return (Adds || !At.sameTensor(Self->Value, L)) &&
           llvm::any_of(At.roots(Self->Value), [&](VarId V) {
             return isOutside(V, L) && F.Vars[V].Type == VarType::Tensor;
           });
  }

  CheckRun &C;
  const Function &F;
  const LoopFacts &At;
  std::vector<Place> Begins, Draws;
};

} // namespace

void tellRepeatedNumbers(CheckRun &C) { Repeated(C).check(); }

} // namespace tensortidy::analysis
