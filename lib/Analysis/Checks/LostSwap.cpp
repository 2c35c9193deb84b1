//===- LostSwap.cpp - tensor-lost-write: views that were to be swapped ----===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: every path. In one block, of the same places A and B:
//
//   auto a = x[0];     a view of A
//   x[0] = x[1];       A is B now, and so is a
//   x[1] = a;          B is copied to itself: what A was is lost
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"

namespace tensortidy::analysis {

using namespace program;

namespace {

class LostSwaps {
public:
  explicit LostSwaps(CheckRun &C) : C(C), F(C.F), H(C.Held) {}
  void run();

private:
  /// A copy of the elements of From to To.
  struct Copy {
    const Stmt *S;
    ValueId To, From;
  };
  bool same(ValueId A, ValueId B, unsigned Depth = 0) const;
  bool isInteger(ValueId V) const;
  bool isWritten(VarId V) const;
  void look(const Copy &First, const Copy &Then);

  CheckRun &C;
  const Function &F;
  const Handles &H;
  const Block *In = nullptr;
};

/// Whether the block gives the variable something, or anything may.
bool LostSwaps::isWritten(VarId V) const {
  return llvm::any_of(In->Stmts, [&](const Stmt &S) {
    return (S.O == Op::Store && S.Var == V) ||
           (S.isOpaque() && llvm::any_of(S.Args, [&](const Arg &A) {
              return A.R == Role::Write && A.Var == V;
            }));
  });
}

/// Whether \p V is an integer, or a list of such: with these, index() is a
/// view.
bool LostSwaps::isInteger(ValueId V) const {
  const Stmt *D = H.def(V);
  if (D && D->O == Op::List)
    return llvm::all_of(D->Args,
                        [&](const Arg &A) { return isInteger(A.Value); });
  return C.Loops.isInteger(V);
}

/// Whether two values are the same place: the same view of one variable, by the
/// same numbers.
bool LostSwaps::same(ValueId A, ValueId B, unsigned Depth) const {
  const VarId V = C.Flow.Values.loaded(A);
  if (V != NoId && V == C.Flow.Values.loaded(B) &&
      (C.Flow.Values.onlyValue(V) || !isWritten(V)))
    return true;
  const Stmt *X = H.origin(A), *Y = H.origin(B);
  if (!X || !Y || Depth > 6 || X->O != Y->O || X->Args.size() != Y->Args.size())
    return false;
  if (X->O == Op::Const)
    return X->Const == Y->Const && X->Imm == Y->Imm && X->Text == Y->Text;
  if (X->O == Op::Load)
    return X->Var == Y->Var && !isWritten(X->Var);
  const OpClass K = opClass(X->O);
  const Arg *Indices = X->O == Op::Index ? findArg(*X, "indices") : nullptr;
  if (K != OpClass::View && K != OpClass::Integer && K != OpClass::Query &&
      X->O != Op::List && !(Indices && isInteger(Indices->Value)))
    return false;
  for (size_t I = 0; I < X->Args.size(); ++I)
    if (X->Args[I].Name != Y->Args[I].Name ||
        !same(X->Args[I].Value, Y->Args[I].Value, Depth + 1))
      return false;
  return true;
}

void LostSwaps::look(const Copy &First, const Copy &Then) {
  const Stmt *Kept = H.origin(Then.From);
  const Stmt *Load = H.def(Then.From);
  if (!Kept || !Load || Load->O != Op::Load || Load->Var == NoId ||
      !same(First.To, Then.From) || !same(First.From, Then.To) ||
      same(First.To, First.From))
    return;
  // A name for a view that was taken before, or for another variable.
  if (Kept->O == Op::Load && Kept->Var == Load->Var)
    return;
  const Stmt *Taken = nullptr;
  for (const Stmt &S : In->Stmts)
    if (S.O == Op::Store && S.Var == Load->Var)
      Taken = &S;
  if (!Taken || Taken > First.S)
    return;
  Finding Found(Check::LostWrite, 0, *Then.S);
  Found.At = Then.S;
  const std::string Name = H.name(Then.From);
  Found.Message = "this copies elements to themselves: '" + Name +
                  "' is a view of what was overwritten since; what it was to "
                  "keep is lost";
  Found.Notes.push_back({First.S->point(), "overwritten here"});
  const char *Keeps = "' is a view here: clone() keeps the elements";
  Found.Notes.push_back({Taken->point(), "'" + Name + Keeps});
  C.Out.push_back(std::move(Found));
}

void LostSwaps::run() {
  for (const Block &B : F.Blocks) {
    In = &B;
    std::vector<Copy> Copies;
    for (const Stmt &S : B.Stmts) {
      if (!S.is(Attribute::CopiesElements) || S.Context)
        continue;
      const Arg *To = findArg(S, "self"), *From = findArg(S, "src");
      if (!From)
        From = findArg(S, "other");
      if (!To || !From || !To->Value || !From->Value)
        continue;
      const Copy Now{&S, To->Value, From->Value};
      if (!Copies.empty()) // nothing else is written between the two
        look(Copies.back(), Now);
      Copies.push_back(Now);
    }
  }
}

} // namespace

void tellLostSwaps(CheckRun &C) { LostSwaps(C).run(); }

} // namespace tensortidy::analysis
