//===- MissingGradient.cpp - tensor-missing-gradient ------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: every way a tensor can get there; of grad(), one of them is
// enough. Gradients are asked for where none can come to:
//
//   backward()    of what is computed from nothing that requires any: throws
//   grad()        of what is no leaf, or requires none: is undefined
//   SGD({w})      of w = v.to(device), which is no leaf: throws
//
// Or a backward() of the user's gives another number of them than autograd
// takes, whichever way it is come to.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/Gradients.h"
#include "Analysis/Checks/TrainingLoops.h"
#include "Analysis/Checks/Wording.h"
#include "llvm/ADT/STLExtras.h"

namespace tensortidy::analysis {

using namespace program;

namespace {

class Missing {
public:
  explicit Missing(CheckRun &C) : C(C), Held(C.Held), Grads(C) {}

  void check() {
    if (!Grads.areMentioned() || Grads.areSwitched() || asksForDefined())
      return;
    forEachStmt(C.F, [&](BlockId, const Stmt &S) {
      const Arg *Self = findArg(S, "self");
      if (S.InTry || S.Expected)
        return;
      if (S.O == Op::Backward && Self)
        backward(S, Self->Value);
      else if (S.is(Attribute::ReadsGradient) && Self)
        gradient(S, Self->Value);
      else if (S.is(Attribute::Optimizes))
        for (const Arg &A : S.Args)
          if (A.Value)
            optimizer(S, A.Value, 0);
    });
  }

private:
  /// Whoever asks whether there is a gradient knows that there may be none.
  bool asksForDefined() const {
    bool Asks = false;
    forEachStmt(C.F, [&](BlockId, const Stmt &S) {
      if (S.O != Op::Defined || S.Args.empty())
        return;
      const auto From = Held.origins(S.Args[0].Value);
      Asks = Asks || llvm::any_of(From, [](const Stmt *D) {
               return D->is(Attribute::ReadsGradient);
             });
    });
    return Asks;
  }

  void backward(const Stmt &S, ValueId Of) {
    llvm::SmallVector<const Stmt *, 4> Ends;
    if (!Grads.hasNone(Of, Ends) || Ends.empty())
      return;
    Finding Found(Check::MissingGradient, 0, S);
    Found.At = &S;
    Found.Message = "backward() of " + quoted(Held.name(Of), "a tensor") +
                    ", which nothing that requires gradients leads to; throws";
    // What has cut a graph off says more than what never had one.
    const auto *Cut = llvm::find_if(
        Ends, [](const Stmt *E) { return opClass(E->O) != OpClass::Factory; });
    const Stmt &End = Cut != Ends.end() ? **Cut : *Ends.front();
    Found.Notes.push_back(
        {End.point(),
         End.O == Op::Store ? std::string("nothing is recorded from here on")
         : End.O == Op::Detach || End.is(Attribute::NoGradient)
             ? "gradients end at " + callOf(End)
             : "what " + callOf(End) + " gives requires no gradients"});
    C.Out.push_back(std::move(Found));
  }

  enum class Lack : uint8_t { No, UnlessSame, Yes };

  /// Whether \p S is a to() of a leaf, which may have nothing to do.
  bool movesLeaf(const Stmt &S) {
    const Arg *Self = findArg(S, "self");
    return S.O == Op::To && !Grads.isView(S) && Self &&
           Grads.gradOf(Self->Value) == Grad::Leaf;
  }

  /// Whether \p S makes a tensor that no gradient is kept for. to() may give
  /// the leaf itself.
  Lack lacks(const Stmt &S) {
    // register_parameter() gives what it is given, and asks for gradients.
    if (S.Forward || S.O == Op::Weight || S.O == Op::SelfHandle)
      return Lack::No;
    const OpClass K = opClass(S.O);
    const bool Anew =
        K == OpClass::Compute || K == OpClass::View || Held.copies(S) ||
        (K == OpClass::Factory && Grads.asksInOptions(S) == Truth::No);
    const bool MayMove = movesLeaf(S);
    if ((!Anew && !MayMove) || !Grads.isLeftAlone(S, [](ValueId) {}))
      return Lack::No;
    return Anew ? Lack::Yes : Lack::UnlessSame;
  }

  static std::string unlessSame(const Stmt &To) {
    return ", unless " + callOf(To) + " has nothing to do";
  }

  static std::string reason(const Stmt &Made) {
    return opClass(Made.O) == OpClass::Factory || Made.O == Op::Detach
               ? "what " + callOf(Made) + " gives requires no gradients"
               : "what " + callOf(Made) +
                     " gives is no leaf: backward() keeps no gradient for it";
  }

  void gradient(const Stmt &S, ValueId Of) {
    const Stmt *Made = nullptr;
    Lack Most = Lack::Yes;
    const auto From = Held.origins(Of);
    for (const Stmt *D : From) {
      const Lack L = lacks(*D);
      if (L != Lack::No && !Made)
        Made = D;
      Most = std::min(Most, L);
    }
    if (!Made)
      return;
    Finding Found(Check::MissingGradient, Most == Lack::Yes ? 0 : 1, S);
    Found.At = &S;
    Found.Message = "grad() of " + quoted(Held.name(Of), "a tensor") +
                    (Most == Lack::No ? " is undefined once this has run"
                                      : " is undefined");
    if (Most == Lack::UnlessSame)
      Found.Message += unlessSame(*Made);
    Found.Notes.push_back({Made->point(), reason(*Made)});
    C.Out.push_back(std::move(Found));
  }

  /// A tensor, or a list of them, that an optimizer is given.
  void optimizer(const Stmt &S, ValueId Given, unsigned Depth) {
    constexpr unsigned Deepest = 6;
    for (const Stmt *D : Held.origins(Given)) {
      if (D->O == Op::List || D->O == Op::ListCopy) {
        if (Depth < Deepest)
          for (const Arg &A : D->Args)
            if (A.Value)
              optimizer(S, A.Value, Depth + 1);
        continue;
      }
      const OpClass K = opClass(D->O);
      const bool Inner = K == OpClass::Compute || Held.copies(*D) ||
                         (K == OpClass::View && D->O != Op::Detach);
      const bool MayMove = movesLeaf(*D);
      if (!(Inner && Grads.gradOf(D->Result) == Grad::Inner) && !MayMove)
        continue;
      Finding Found(Check::MissingGradient, Inner ? 0 : 1, S);
      Found.At = &S;
      Found.Message = callOf(S) + " takes leaves, and " +
                      quoted(Held.name(Given), "a tensor") + " is none; throws";
      if (!Inner)
        Found.Message += unlessSame(*D);
      Found.Notes.push_back({D->point(), reason(*D)});
      C.Out.push_back(std::move(Found));
      return;
    }
  }

  CheckRun &C;
  const Handles &Held;
  Gradients Grads;
};

/// Whether the return \p S gives a list that has a defined tensor behind the
/// first \p Most. Autograd drops undefined ones there.
bool hasSurplus(const CheckRun &C, const Stmt &S, unsigned Most) {
  const Stmt *List = C.Held.origin(S.Args.front().Value);
  while (List && List->O == Op::ListCopy && !List->Args.empty())
    List = C.Held.origin(List->Args.front().Value);
  if (!List || List->O != Op::List || List->Args.size() <= Most)
    return false;
  return llvm::any_of(
      llvm::ArrayRef(List->Args).drop_front(Most), [&](const Arg &A) {
        const auto From = C.Held.origins(A.Value);
        return !From.empty() && llvm::all_of(From, [&](const Stmt *D) {
          const OpClass K = opClass(D->O);
          return K == OpClass::Compute || K == OpClass::Factory ||
                 C.Held.copies(*D);
        });
      });
}

/// Gradients that backward() gives back, counted.
void countReturned(CheckRun &C) {
  const unsigned Least = C.F.LeastGradients, Most = C.F.MostGradients;
  for (const auto &[S, Site] : C.Opaque.Returns) {
    if (Site.Other || Site.Lengths.empty())
      continue;
    const size_t Length = *Site.Lengths.rbegin();
    const bool Few = Length < Least;
    if (!Few && (*Site.Lengths.begin() <= Most || !hasSurplus(C, *S, Most)))
      continue;
    auto Counted = [](size_t N, const char *Of) {
      return std::to_string(N) + Of + (N == 1 ? "" : "s");
    };
    Finding Found(Check::MissingGradient, 0, *S);
    Found.Message = "backward() returns " + Counted(Length, " gradient") +
                    ", forward() has " +
                    (Least == Most ? ""
                     : Few         ? "at least "
                                   : "at most ") +
                    Counted(Few ? Least : Most, " input") +
                    "; throws when its graph runs backward";
    C.Out.push_back(std::move(Found));
  }
}

} // namespace

void checkMissingGradient(CheckRun &C) {
  Missing(C).check();
  countReturned(C);
  checkTrainingLoops(C);
  checkOptimizerOrder(C);
  checkTrainedModules(C);
  checkUnregistered(C);
}

} // namespace tensortidy::analysis
