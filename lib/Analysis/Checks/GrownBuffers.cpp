//===- GrownBuffers.cpp - tensors that loops grow and read ----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of tensor-hidden-copy: what a loop appends to and reads in between.
//
//   for (i = 0; i < n; ++i) {
//     k = cat({k, x.mm(w)}, 0);         all of k is copied, n times
//     x = attend(x, k);
//   }
//
// With memory for all of it at once only the new rows are written:
//
//     k.narrow(0, i, 1).copy_(x.mm(w));
//     x = attend(x, k.narrow(0, 0, i + 1));
//
// Quantifier: every iteration appends as many rows, and how often it does is
// known before the loop. Where gradients are recorded, what was read must stay
// as it was, and the copies are needed.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/NeedlessCopies.h"
#include "Analysis/Checks/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

namespace tensortidy::analysis {

using namespace program;

namespace {

class GrownBuffers {
public:
  explicit GrownBuffers(CheckRun &C) : C(C), F(C.F), H(C.Held), At(C.Loops) {}
  void run();

private:
  /// What is appended, and along which dimension.
  struct Part {
    int64_t Dim = 0;
    std::string Size;
  };
  void joined(const Stmt &S, BlockId B);
  bool recordsNothing(const Stmt &S, LoopId L) const;
  bool endsBefore(const Stmt &Guard, const Stmt &S) const;
  bool onlyGrows(VarId V, const Stmt &S, LoopId L, const Stmt *&Starts) const;
  bool eitherRuns(BlockId B, const Stmt &Starts, LoopId L) const;
  bool isReadIn(VarId V, LoopId L, const Stmt &But) const;
  bool staysHere(const Stmt &S, LoopId L, const Part &P) const;
  std::optional<Part> part(const Stmt &S, ValueId Of) const;
  bool isAsLong(ValueId First, const Stmt &S, ValueId Next,
                const Part &P) const;
  std::string times(LoopId L) const;

  CheckRun &C;
  const Function &F;
  const Handles &H;
  const LoopFacts &At;
};

/// Whether \p S may run when \p Guard is gone.
bool GrownBuffers::endsBefore(const Stmt &Guard, const Stmt &S) const {
  bool Ends = false;
  for (const LoopFacts::Use &U : At.Uses[Guard.Result])
    if (U.S->O == Op::Store)
      forEachStmt(F, [&](BlockId, const Stmt &End) {
        Ends = Ends || (End.O == Op::ScopeEnd && End.Var == U.S->Var &&
                        H.runsAfter(End, S, &Guard));
      });
  return Ends;
}

/// Whether autograd is off in all of \p L, in which \p S is.
bool GrownBuffers::recordsNothing(const Stmt &S, LoopId L) const {
  bool Off = false;
  forEachStmt(F, [&](BlockId B, const Stmt &Guard) {
    Off = Off || (Guard.calls(Attribute::NoGrad) && !Guard.Context &&
                  At.passes(B, F.Loops[L].Head) && !endsBefore(Guard, S));
  });
  return Off;
}

/// Whether \p S gives \p V other tensors in \p L, and nothing else does but,
/// at most, one store \p Starts of a part that is the first.
bool GrownBuffers::onlyGrows(VarId V, const Stmt &S, LoopId L,
                             const Stmt *&Starts) const {
  bool IsThere = F.Vars[V].IsParam, Grows = false;
  for (const Stmt *Store : At.Stores[V]) {
    if (!Store)
      return false;
    const bool IsInside = At.blockInside(H.blockOf(*Store), L);
    if (Store->Args.empty()) {
      if (IsInside)
        return false;
    } else if (Store->Args[0].Value == S.Result) {
      Grows = true;
    } else if (!IsInside) {
      IsThere = true;
    } else if (std::exchange(Starts, Store)) {
      return false;
    }
  }
  return (IsThere || Starts) && Grows;
}

/// Whether each iteration of \p L passes block \p B or \p Starts, and none
/// passes both.
bool GrownBuffers::eitherRuns(BlockId B, const Stmt &Starts, LoopId L) const {
  const BlockId Head = F.Loops[L].Head, Other = H.blockOf(Starts);
  auto Reaches = [&](BlockId From, BlockId To, BlockId Past1, BlockId Past2) {
    return At.Blocks.reaches(At.Blocks.succs(From), [&](BlockId X) {
      if (X == To)
        return Visit::Found;
      return X == Past1 || X == Past2 || X == Head || !At.blockInside(X, L)
                 ? Visit::End
                 : Visit::Pass;
    });
  };
  return Head != NoId && Other != NoId && !Reaches(Head, Head, B, Other) &&
         !Reaches(B, Other, Head, Head) && !Reaches(Other, B, Head, Head) &&
         At.comesBack(B, L) && At.comesBack(Other, L);
}

/// Whether \p L reads the elements of \p V, elsewhere than at \p But.
bool GrownBuffers::isReadIn(VarId V, LoopId L, const Stmt &But) const {
  return llvm::any_of(At.Loads[V], [&](const Stmt *Load) {
    return Load != &But && At.blockInside(H.blockOf(*Load), L) &&
           llvm::any_of(At.Uses[Load->Result], [](const LoopFacts::Use &U) {
             return opClass(U.S->O) != OpClass::Query;
           });
  });
}

/// Whether what \p S makes is only read, until the next iteration makes
/// another; a part of a buffer does for that.
bool GrownBuffers::staysHere(const Stmt &S, LoopId L, const Part &P) const {
  const Arg *Tensors = findArg(S, "tensors");
  const Stmt *Joined = Tensors ? H.def(Tensors->Value) : nullptr;
  const Fate All = H.fate(S.Result, Joined);
  // Rows in the middle of a buffer are no longer dense, but the first ones are.
  return !All.Escapes && !All.Kept && !All.Written && !(All.Asked && P.Dim) &&
         llvm::none_of(All.Holders, [&](VarId V) {
           const LoopId In = F.Vars[V].DeclaredIn;
           const bool IsOuter =
               !F.Vars[V].Context && (In == NoId || !At.inside(In, L));
           return IsOuter && llvm::none_of(At.Stores[V], [&](const Stmt *T) {
                    return T && T->Args[0].Value == S.Result;
                  });
         });
}

std::optional<GrownBuffers::Part> GrownBuffers::part(const Stmt &S,
                                                     ValueId Of) const {
  auto Number = [&](const Arg *A) -> std::optional<int64_t> {
    return A ? writtenNumber(H.def(A->Value)) : std::optional<int64_t>(0);
  };
  const auto Dim = Number(findArg(S, "dim")),
             Least = Number(findArg(S, "at_least"));
  const Stmt *D = H.def(Of);
  const auto It = C.Opaque.InLoops.find(D);
  if (!Dim || !Least || It == C.Opaque.InLoops.end() || It->second.Rank < 1)
    return std::nullopt;
  const TensorFact &Fact = It->second;
  // Indices, as those of the words so far: a few bytes for each iteration.
  if (isIntegral(Fact.DType))
    return std::nullopt;
  const int64_t Added = std::max<int64_t>(0, *Least - Fact.Rank);
  Part P;
  P.Dim = *Dim < 0 ? *Dim + Fact.Rank + Added : *Dim;
  if (P.Dim < 0 || P.Dim >= Fact.Rank + Added)
    return std::nullopt;
  if (P.Dim < Added) {
    P.Size = "1";
    return P;
  }
  const auto I = static_cast<size_t>(P.Dim - Added);
  P.Size = Fact.Sizes[I];
  if (P.Size.empty() || P.Size == "0" || !Fact.Stays[I])
    return std::nullopt;
  return P;
}

/// Whether \p First, of which \p S makes more, is of the size of \p Next.
bool GrownBuffers::isAsLong(ValueId First, const Stmt &S, ValueId Next,
                            const Part &P) const {
  const Stmt *D = H.latest(First);
  const auto Size = part(S, First);
  return (D && D->O != Op::Load && D == H.latest(Next)) ||
         (Size && Size->Size == P.Size);
}

/// How often \p L runs, where that is known before; or empty.
std::string GrownBuffers::times(LoopId L) const {
  // Fewer are no matter; a number that is never reached says nothing.
  constexpr int64_t Few = 4, Endless = 65536;
  for (VarId V = 0; V < F.Vars.size(); ++V)
    for (const bool Inclusive : {false, true}) {
      const auto Counts = At.counter(V, Inclusive);
      if (!Counts || Counts->Of != L || !At.invariant(Counts->Bound, L))
        continue;
      const Stmt *Bound = At.Values.origin(Counts->Bound);
      if (Bound && Bound->O == Op::Const)
        return Bound->Imm < Few || Bound->Imm > Endless
                   ? ""
                   : std::to_string(Bound->Imm);
      const std::string Name = H.name(Counts->Bound);
      return Name.empty() ? "so many" : "'" + Name + "'";
    }
  return "";
}

void GrownBuffers::joined(const Stmt &S, BlockId B) {
  const Arg *Tensors = findArg(S, "tensors");
  const Stmt *List = Tensors ? H.def(Tensors->Value) : nullptr;
  if (List && List->O == Op::ListCopy && !List->Args.empty())
    List = H.def(List->Args[0].Value);
  const LoopId L = At.loopAround(B);
  if (!List || List->O != Op::List || List->Args.size() != 2 || L == NoId ||
      F.Loops[L].Parallel || S.Context)
    return;
  const Stmt *Grown = H.def(List->Args[0].Value);
  if (!Grown || Grown->O != Op::Load || !H.isLocal(Grown->Var))
    return;
  const VarId V = Grown->Var;
  const LoopId In = F.Vars[V].DeclaredIn;
  const Stmt *Starts = nullptr;
  if ((In != NoId && At.inside(In, L)) || !onlyGrows(V, S, L, Starts) ||
      !(Starts ? eitherRuns(B, *Starts, L) : At.everyIteration(B, L)) ||
      !isReadIn(V, L, *Grown) || !recordsNothing(S, L))
    return;
  const auto P = part(S, List->Args[1].Value);
  const std::string Times = P ? times(L) : "";
  if (Times.empty() || !staysHere(S, L, *P))
    return;
  if (Starts && !isAsLong(Starts->Args[0].Value, S, List->Args[1].Value, *P))
    return;
  const std::string Dim = std::to_string(P->Dim);
  Finding Found(Check::HiddenCopy, 1, S);
  Found.At = &S;
  Found.Message = S.Text + "() copies all of " +
                  quoted(H.name(Grown->Result), "its operand") +
                  " again in every iteration: in a buffer that has room for "
                  "all of it only what is new is written";
  Found.Notes.push_back(
      {F.Loops[L].Where, "before this loop, allocate dimension " + Dim +
                             " for " + Times + " times " + P->Size +
                             " more, and copy into it what there is"});
  Found.Notes.push_back({S.point(), "here, narrow(" + Dim + ", used, " +
                                        P->Size +
                                        ").copy_() writes into it; read "
                                        "narrow(" +
                                        Dim + ", 0, used + " + P->Size + ")"});
  C.Out.push_back(std::move(Found));
}

void GrownBuffers::run() {
  forEachStmt(F, [&](BlockId B, const Stmt &S) {
    if (S.O == Op::Cat && !S.InMacro && !S.InTry && !S.Expected)
      joined(S, B);
  });
}

} // namespace

void checkGrownBuffers(CheckRun &C) {
  if (!C.F.Loops.empty())
    GrownBuffers(C).run();
}

} // namespace tensortidy::analysis
