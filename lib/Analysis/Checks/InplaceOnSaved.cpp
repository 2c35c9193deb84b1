//===- InplaceOnSaved.cpp - tensor-inplace-on-saved -------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: one path. On each way a tensor can get there it is known to
// require gradients; a path leads from what saved it to the write, and on to
// backward(), which throws.
//
//   auto y = torch::sigmoid(w);   // keeps y
//   y.mul_(2);                    // changes it
//   y.sum().backward();           // throws
//
// In the backward() of a user's own function every write counts of what is not
// its own: a tensor that forward() has saved, a gradient that it is given.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "Analysis/Checks/Gradients.h"
#include "Analysis/Checks/Wording.h"
#include "Analysis/Flow/Closure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

namespace tensortidy::analysis {

using namespace program;

namespace {

class InPlace {
public:
  explicit InPlace(CheckRun &C) : C(C), F(C.F), Held(C.Held), Grads(C) {}

  void check() {
    if (F.TakesGradients)
      forEachStmt(F, [&](BlockId, const Stmt &S) {
        if (isWrite(S) && !S.InTry)
          checkShared(S);
      });
    if (!Grads.areMentioned() || Grads.areSwitched() || F.IsLambda)
      return;
    constexpr size_t Most = 64;
    forEachStmt(F, [&](BlockId, const Stmt &S) {
      if (S.O == Op::Update && S.Args.size() > 1 && isWrite(S) &&
          Written.size() < Most)
        if (const auto To = base(findArg(S, "self")->Value))
          Written.push_back({&S, *To});
    });
    forEachStmt(F, [&](BlockId, const Stmt &S) {
      if (isWrite(S)) {
        checkLeaf(S);
        checkPart(S);
      }
      if (S.O == Op::Backward && !S.InTry)
        if (const Arg *A = findArg(S, "self"))
          checkGraph(S, A->Value);
      // Whoever trains the module calls backward() on what this is part of.
      if (S.O == Op::Return && F.IsForward && !S.Args.empty())
        checkGraph(S, S.Args[0].Value);
    });
  }

private:
  static bool isWrite(const Stmt &S) {
    return (S.O == Op::Update || S.O == Op::Overwrite) && findArg(S, "self") &&
           !findArg(S, "guarded");
  }

  /// What is behind a tensor's storage: the statement that makes it, or a
  /// variable that nothing here stores.
  struct Base {
    const Stmt *Made = nullptr;
    VarId Var = NoId;
    bool operator==(const Base &B) const {
      return Made == B.Made && Var == B.Var;
    }
  };

  /// The one base of a value; nothing when it is not known, or one of several.
  std::optional<Base> base(ValueId V) const {
    std::optional<Base> Only;
    auto Found = [&](Base B) {
      const bool Same = !Only || *Only == B;
      Only = B;
      return Same;
    };
    bool Known = true;
    closure(V, [&](ValueId At, auto Add) {
      const Stmt *D = Held.def(At);
      if (D && D->O == Op::Load && F.Vars[D->Var].IsParam &&
          Held.isFixed(D->Var))
        return Known = Found({nullptr, D->Var});
      const auto From = Held.origins(At);
      Known = !From.empty();
      for (const Stmt *S : From) {
        const Arg *Self = findArg(*S, "self");
        const OpClass K = opClass(S->O);
        // data() has a version of its own.
        if ((S->O == Op::Detach && S->is(Attribute::OwnVersion)) ||
            (K == OpClass::MaybeCopy && !Grads.isView(*S) && !Held.copies(*S)))
          Known = false;
        else if (Self && (Grads.isView(*S) || K == OpClass::InPlaceData))
          Add(Self->Value);
        else
          Known = Known && Found({S, NoId});
      }
      return Known;
    });
    if (!Known)
      return std::nullopt;
    return Only;
  }

  /// "'y'", "a view of 'y'".
  std::string nameOf(ValueId V) const {
    std::string Prefix;
    const Stmt *S = Held.def(V);
    for (unsigned Depth = 0; S && Depth < 24; ++Depth) {
      const Arg *Self = findArg(*S, "self");
      if (!Self || !Grads.isView(*S))
        break;
      Prefix = "a view of ";
      V = Self->Value;
      S = Held.def(V);
    }
    return Prefix + quoted(Held.name(V), "a tensor");
  }

  void checkLeaf(const Stmt &S) {
    const ValueId Self = findArg(S, "self")->Value;
    if (S.InTry || Grads.gradOf(Self) != Grad::Leaf || Grads.isGuarded(S))
      return;
    Finding Found(Check::InplaceOnSaved, 0, S);
    Found.Message = callOf(S) + " changes " + nameOf(Self) +
                    " in place, a leaf that requires gradients; throws";
    if (const auto From = base(Self); From && From->Made)
      Found.Notes.push_back({From->Made->point(), "the leaf is made here"});
    Found.Notes.push_back(
        {S.point(), "a torch::NoGradGuard around it, or data(), allows it"});
    Found.At = &S;
    C.Out.push_back(std::move(Found));
  }

  /// `parts = x.chunk(2); parts[0].mul_(2);`
  void checkPart(const Stmt &S) {
    const ValueId Self = findArg(S, "self")->Value;
    if (S.InTry || Grads.gradOf(Self) != Grad::Inner || Grads.isGuarded(S))
      return;
    const Stmt *Maker = viewOfPart(Self);
    if (!Maker || Grads.isGuarded(*Maker))
      return;
    Finding Found(Check::InplaceOnSaved, 1, S);
    Found.Message = callOf(S) + " changes " + nameOf(Self) +
                    " in place, one of the views that " + callOf(*Maker) +
                    " gives; throws where gradients are recorded";
    Found.Notes.push_back({Maker->point(), "the views are made here"});
    Found.At = &S;
    C.Out.push_back(std::move(Found));
  }

  /// What gave the views of which \p V is one, or a view of one; null.
  const Stmt *viewOfPart(ValueId V) const {
    for (unsigned Depth = 0; Depth < 24; ++Depth) {
      const auto From = Held.origins(V);
      const Stmt *S = From.size() == 1 ? From[0] : nullptr;
      if (!S || S->Args.empty())
        return nullptr;
      if (S->O == Op::ListGet) {
        const auto Lists = Held.origins(S->Args[0].Value);
        return Lists.size() == 1 && Lists[0]->is(Attribute::ViewsTogether)
                   ? Lists[0]
                   : nullptr;
      }
      const Arg *Of = findArg(*S, "self");
      if (!Of || !Grads.isView(*S))
        return nullptr;
      V = Of->Value;
    }
    return nullptr;
  }

  /// backward() of a user's own function may neither write what forward() has
  /// saved, which is its caller's, nor the gradients that it is given, which
  /// others may be given as well.
  void checkShared(const Stmt &S) {
    const ValueId Self = findArg(S, "self")->Value;
    const auto Of = base(Self);
    const Stmt *Get = Of ? Of->Made : nullptr;
    if (!Get || Get->O != Op::ListGet || Get->Args.empty())
      return;
    const Stmt *List = Held.def(Get->Args[0].Value);
    const bool IsGradient = List && List->O == Op::Load &&
                            F.Vars[List->Var].IsParam &&
                            Held.isFixed(List->Var);
    const Stmt *Given = Held.origin(Get->Args[0].Value);
    if (!IsGradient && !(Given && Given->is(Attribute::GivesSaved)))
      return;
    Finding Found(Check::InplaceOnSaved, 1, S);
    Found.Message =
        callOf(S) + " changes " + nameOf(Self) + " in place, " +
        (IsGradient ? "a gradient that autograd may have given to others too"
                    : "which forward() has saved: it is its caller's");
    Found.Notes.push_back({Get->point(), "taken from the list here"});
    Found.At = &S;
    C.Out.push_back(std::move(Found));
  }

  /// What \p S keeps for its gradient.
  llvm::SmallVector<ValueId, 2> savedBy(const Stmt &S) {
    const Saves What = keptBy(S);
    auto First = [&](std::initializer_list<llvm::StringRef> Names) {
      for (llvm::StringRef N : Names)
        if (const Arg *A = findArg(S, N))
          return A->Value;
      return ValueId(0);
    };
    switch (What) {
    case Saves::Nothing:
      return {};
    case Saves::Result:
      return {S.Result};
    case Saves::Self:
      if (const Arg *A = findArg(S, "self"))
        return {A->Value};
      return {};
    case Saves::Factors:
    case Saves::Quotient: {
      const ValueId A = First({"mat1", "input", "self"}),
                    B = First({"mat2", "weight", "other"});
      llvm::SmallVector<ValueId, 2> Kept;
      if (!A || !B)
        return Kept;
      const bool OfA = Grads.gradOf(A) != Grad::Unknown,
                 OfB = Grads.gradOf(B) != Grad::Unknown;
      if (OfB)
        Kept.push_back(A);
      if (OfA || (OfB && What == Saves::Quotient))
        Kept.push_back(B);
      return Kept;
    }
    }
    return {};
  }

  /// \p End runs backward from \p Of, or returns it.
  void checkGraph(const Stmt &End, ValueId Of) {
    if (End.O == Op::Backward) {
      Grads.prove(Of);
    }
    // Everything the gradient goes through.
    llvm::SmallSetVector<const Stmt *, 16> Graph;
    closure(
        Of,
        [&](ValueId V, auto Add) {
          if (Grads.gradOf(V) == Grad::Unknown)
            return true;
          auto Through = [&](const Stmt *S) {
            if (Graph.insert(S))
              for (const Arg &A : S->Args)
                if (A.Value)
                  Add(A.Value);
          };
          llvm::for_each(Held.origins(V), Through);
          // What was added to it in place: y += norm(y).
          if (const auto Of = Written.empty() ? std::nullopt : base(V))
            for (const auto &[W, To] : Written)
              if (To == *Of && Held.runsAfter(*W, End))
                Through(W);
          return true;
        },
        /*Most=*/1000);
    for (const Stmt *S : Graph)
      for (const ValueId Kept : savedBy(*S))
        checkSaved(End, *S, Kept);
  }

  void checkSaved(const Stmt &End, const Stmt &Saver, ValueId Kept) {
    const auto Of = base(Kept);
    if (!Of)
      return;
    forEachStmt(F, [&](BlockId, const Stmt &W) {
      if (!isWrite(W) || W.InTry || &W == &Saver || !Held.runsAfter(Saver, W) ||
          !Held.runsAfter(W, End, &Saver))
        return;
      // A new tensor, or the same one?
      if (!Held.runsAfter(Saver, W, Of->Made == &Saver ? nullptr : Of->Made))
        return;
      const ValueId Self = findArg(W, "self")->Value;
      const auto There = base(Self);
      if (!There || !(*There == *Of) || !Said.insert(&W).second)
        return;
      const bool Runs = End.O == Op::Backward;
      Finding Found(Check::InplaceOnSaved, Runs ? 0 : 1, W);
      Found.Message = callOf(W) + " changes " + nameOf(Self) +
                      ", which the gradient of " + callOf(Saver) +
                      " needs; backward() throws" +
                      (Runs ? "" : " where the module is trained");
      Found.Notes.push_back({Saver.point(), "saved here for the gradient"});
      if (Runs)
        Found.Notes.push_back({End.point(), "backward() needs it here"});
      Found.At = &W;
      C.Out.push_back(std::move(Found));
    });
  }

  CheckRun &C;
  const Function &F;
  const Handles &Held;
  Gradients Grads;
  std::set<const Stmt *> Said;
  /// What is updated by other tensors, and the base of it.
  std::vector<std::pair<const Stmt *, Base>> Written;
};

} // namespace

void checkInplaceOnSaved(CheckRun &C) { InPlace(C).check(); }

} // namespace tensortidy::analysis
