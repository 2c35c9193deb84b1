//===- Poles.cpp - gradients that are nan though values are not -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of tensor-value-domain. Some operations have no finite gradient where
// their operand is 0. Who replaces their value there afterwards gives them the
// gradient 0, and 0 / 0 is nan:
//
//   r = x.sqrt().clamp_min(eps)          where x is 0: value eps, gradient nan
//   y = where(x > 0, x.log(), zeros)     the same
//   r = x.clamp_min(eps).sqrt()          gradient 0
//
// Quantifier: some path, for some element. Reported only where the operand
// requires gradients for certain, and the code itself says that it may be 0.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "Analysis/Checks/Gradients.h"
#include "Analysis/Checks/Wording.h"

namespace tensortidy::analysis {

using namespace program;

namespace {

/// An operation whose gradient is not finite where \c At is 0.
struct Pole {
  const Stmt *By = nullptr;
  ValueId At = 0;
  bool Below = false; ///< nan for numbers below 0 as well: sqrt
  explicit operator bool() const { return By; }
};

class Poles {
public:
  explicit Poles(CheckRun &C) : C(C), H(C.Held), Grads(C, true) {}

  void check(const Stmt &S) {
    if (S.InTry || S.Expected || S.InMacro)
      return;
    if (S.is(Attribute::Chooses))
      chosen(S);
    else if (S.is(Attribute::Limits) && opClass(S.O) == OpClass::Compute)
      limited(S);
  }

private:
  static Pole poleOf(const Stmt &S) {
    if (opClass(S.O) != OpClass::Compute)
      return {};
    const Arg *Self = findArg(S, "self"), *Other = findArg(S, "other");
    if (S.is(Attribute::Divides) && Other && Other->Value)
      return {&S, Other->Value, false};
    if (!Self || !Self->Value)
      return {};
    if (S.is(Attribute::TakesPositive))
      return {&S, Self->Value, S.is(Attribute::SavesResult)};
    if (S.is(Attribute::GrowsAtZero))
      return {&S, Self->Value, false};
    return {};
  }

  bool isRecorded(const Pole &P, const Stmt &End) {
    return Grads.gradOf(P.At) != Grad::Unknown && !Grads.isGuarded(*P.By) &&
           !Grads.isGuarded(End);
  }

  /// What \p Mask is where the operand of \p P is at its pole: 0 or, for
  /// roots, below it; nothing where it may be either.
  std::optional<bool> atPole(const Stmt &Mask, const Pole &P) const {
    const Arg *Self = findArg(Mask, "self"), *Other = findArg(Mask, "other");
    const auto N =
        Self && Other && H.areSame(H.latest(Self->Value), H.latest(P.At))
            ? H.real(Other)
            : std::nullopt;
    if (!N || *N < 0)
      return std::nullopt;
    // x >= 0 takes 0 itself, x >= eps does not.
    const bool IsAbove = *N > 0;
    if (Mask.is(Attribute::MarksLarger))
      return false;
    if (Mask.is(Attribute::MarksSmallerOrEqual))
      return true;
    if (Mask.is(Attribute::MarksLargerOrEqual))
      return IsAbove || P.Below ? std::optional(false) : std::nullopt;
    if (Mask.is(Attribute::MarksSmaller))
      return IsAbove || P.Below ? std::optional(true) : std::nullopt;
    if (*N != 0)
      return std::nullopt;
    if (Mask.is(Attribute::MarksEqual))
      return true;
    return Mask.is(Attribute::MarksUnequal) ? std::optional(false)
                                            : std::nullopt;
  }

  /// The operation with a pole at which \p Mask is \p Left that \p V is
  /// computed from, element by element.
  Pole behind(ValueId V, const Stmt &Mask, bool Left, unsigned Depth = 0) {
    const Stmt *S = H.latest(V);
    if (!S || Depth > 4 || opClass(S->O) != OpClass::Compute ||
        (S->O != Op::Unary && S->O != Op::Binary))
      return {};
    if (const Pole P = poleOf(*S))
      if (const auto At = atPole(Mask, P); At && *At == Left)
        return P;
    for (const Arg &A : S->Args)
      if (A.Value)
        if (const Pole P = behind(A.Value, Mask, Left, Depth + 1))
          return P;
    return {};
  }

  /// For which operands \p Mask takes the other value.
  std::string where(const Stmt &Mask, const Pole &P) const {
    if (!P.Below)
      return "0";
    const bool AtZero = Mask.is(Attribute::MarksLargerOrEqual) ||
                        Mask.is(Attribute::MarksSmaller);
    return AtZero && H.real(findArg(Mask, "other")) == 0.0 ? "below 0"
                                                           : "not above 0";
  }

  void chosen(const Stmt &S) {
    const Arg *Cond = findArg(S, "a");
    const Stmt *Mask = Cond ? H.latest(Cond->Value) : nullptr;
    if (!Mask)
      return;
    for (const char *Name : {"b", "c"}) {
      const Arg *Branch = findArg(S, Name);
      // The other branch is taken at the pole.
      const Pole P =
          Branch ? behind(Branch->Value, *Mask, *Name == 'c') : Pole();
      if (!P || !isRecorded(P, S))
        continue;
      report(P, S,
             callOf(S) + " takes the other value where " + nameOf(P.At) +
                 " is " + where(*Mask, P) + ", but " + callOf(*P.By) +
                 " runs on all elements: its gradient is nan there");
    }
  }

  /// x + eps: it is not 0 where x is.
  bool isShifted(ValueId V) const {
    const Stmt *S = H.latest(V);
    return S && S->is(Attribute::AddsUp) &&
           llvm::any_of(S->Args, [&](const Arg &A) {
             return A.Value && C.Loops.isNumber(A.Value);
           });
  }

  void limited(const Stmt &S) {
    const Arg *Self = findArg(S, "self");
    const Stmt *Of = Self ? H.latest(Self->Value) : nullptr;
    const Pole P = Of && !Of->is(Attribute::Divides) ? poleOf(*Of) : Pole();
    if (!P || isShifted(P.At))
      return;
    const bool Above = Of->is(Attribute::GrowsAtZero);
    const Arg *Bound = findArg(S, Above ? "max" : "min");
    if (!Bound || !Bound->Value || !isRecorded(P, S))
      return;
    // sqrt() is 0 there already.
    if (const auto N = H.real(Bound); N && *N <= 0 && P.Below && !Above)
      return;
    report(P, S,
           callOf(S) + " changes the value of " + callOf(*Of) + " where " +
               nameOf(P.At) +
               " is 0, and not its gradient, which is nan there");
  }

  std::string nameOf(ValueId V) const {
    return quoted(H.name(V), "its operand");
  }

  void report(const Pole &P, const Stmt &At, std::string Message) {
    Finding Found(Check::ValueDomain, 1, At);
    Found.At = &At;
    Found.Message = std::move(Message);
    Found.Notes.push_back(
        {P.By->point(), "replace what is 0 in its operand instead"});
    C.Out.push_back(std::move(Found));
  }

  CheckRun &C;
  const Handles &H;
  Gradients Grads;
};

} // namespace

void checkPoles(CheckRun &C) {
  std::optional<Poles> Of; // made where there is something to ask
  forEachStmt(C.F, [&](BlockId, const Stmt &S) {
    if (!S.is(Attribute::Chooses) && !S.is(Attribute::Limits))
      return;
    if (!Of)
      Of.emplace(C);
    Of->check(S);
  });
}

} // namespace tensortidy::analysis
