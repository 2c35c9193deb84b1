//===- LostRows.cpp - tensor-lost-write: sums at repeated indices ---------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: the rows that are read are those that are written, and what made
// their numbers gives some of them several times:
//
//   auto rows = arange(n).repeat_interleave(k);
//   sums.index_put_({rows}, sums.index({rows}) + x);
//
// Each row of x is added to what was there before, and of the results for one
// row the last is kept. Where nothing says that numbers repeat, nothing is
// told.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "Analysis/Checks/Wording.h"
#include "Analysis/Flow/Closure.h"
#include "llvm/ADT/STLExtras.h"

namespace tensortidy::analysis {

using namespace program;

namespace {

/// What makes numbers that repeat.
struct Repeats {
  const Stmt *By = nullptr; ///< null: nothing is known to
  bool Always = false;      ///< it does for all inputs
};

/// Elements of a tensor that indices name.
struct Place {
  ValueId Self = 0, Index = 0;
  std::optional<int64_t> Dim; ///< none: index_put
  bool Along = false;         ///< one index for each element: scatter
};

class LostRows {
public:
  explicit LostRows(CheckRun &C) : C(C), F(C.F), H(C.Held) {}
  void run();

private:
  const Stmt *made(const Arg *A) const;
  std::optional<int64_t> number(const Arg *A) const;
  bool isSame(ValueId V, ValueId W) const;
  std::optional<ValueId> onlyIndex(const Stmt &S) const;
  std::optional<Place> written(const Stmt &S, ValueId &Values) const;
  bool reads(const Stmt &S, const Place &P) const;
  bool adds(ValueId V, const Place &P, const Stmt &Before) const;
  bool isAddedTo(const Stmt &Read, const Stmt &Before) const;
  bool isDistinct(ValueId V) const;
  Repeats quotient(const Stmt &S) const;
  Repeats copies(const Stmt &S, const Place &P) const;
  Repeats bins(const Stmt &S) const;
  Repeats literal(const Stmt &S) const;
  bool keepsAlong(const Stmt &S, const Place &P) const;
  Repeats repeats(const Place &P) const;
  void look(const Stmt &S);

  CheckRun &C;
  const Function &F;
  const Handles &H;
};

const Stmt *LostRows::made(const Arg *A) const {
  return A ? H.latest(A->Value) : nullptr;
}

std::optional<int64_t> LostRows::number(const Arg *A) const {
  return writtenNumber(made(A));
}

/// Whether two values are one tensor.
bool LostRows::isSame(ValueId V, ValueId W) const {
  const Stmt *X = H.latest(V), *Y = H.latest(W);
  if (!X || !Y || X->O != Op::Load || Y->O != Op::Load)
    return X && X == Y;
  if (X->Var != Y->Var)
    return false;
  const auto From = H.reaching(*X);
  if (!From.empty() || C.Flow.Values.Stores[X->Var].empty())
    return From == H.reaching(*Y);
  // A parameter, as it was given.
  return F.Vars[X->Var].IsParam &&
         llvm::none_of(C.Flow.Values.Stores[X->Var], [&](const Stmt *Store) {
           return !Store || H.runsAfter(*Store, *X) || H.runsAfter(*Store, *Y);
         });
}

/// The tensor in {rows}, {rows, Slice()}.
std::optional<ValueId> LostRows::onlyIndex(const Stmt &S) const {
  const Arg *Indices = findArg(S, "indices");
  const Stmt *List = Indices ? H.latestList(Indices->Value) : nullptr;
  if (!List)
    return std::nullopt;
  std::optional<ValueId> Only;
  for (const Arg &A : List->Args) {
    const Stmt *D = H.def(A.Value);
    if (D && (D->O == Op::SliceIdx || D->O == Op::EllipsisIdx ||
              (D->O == Op::Const && D->Const == ConstKind::None)))
      continue;
    if (Only || C.Loops.isNumber(A.Value))
      return std::nullopt;
    Only = A.Value;
  }
  return Only;
}

/// Where \p S stores \p Values, and of what is stored twice keeps one.
std::optional<Place> LostRows::written(const Stmt &S, ValueId &Values) const {
  const Arg *Self = findArg(S, "self"), *Index = findArg(S, "index");
  const Arg *From = findArg(S, "values");
  Place P;
  if (!Self)
    return std::nullopt;
  P.Self = Self->Value;
  if (S.is(Attribute::PutsAt)) {
    const auto Only = onlyIndex(S);
    const Arg *Adds = findArg(S, "accumulate");
    const Stmt *D = Adds ? H.def(Adds->Value) : nullptr;
    if (!From || !Only || (Adds && !(D && D->O == Op::Const && D->Imm == 0)))
      return std::nullopt;
    P.Index = *Only;
  } else {
    P.Along = findArg(S, "src") != nullptr;
    From = findArg(S, P.Along ? "src" : "source");
    P.Dim = number(findArg(S, "dim"));
    if (!S.is(Attribute::StoresAt) || !From || !Index || !P.Dim ||
        findArg(S, "reduce"))
      return std::nullopt;
    P.Index = Index->Value;
  }
  Values = From->Value;
  return P;
}

/// Whether \p S reads what \p P names.
bool LostRows::reads(const Stmt &S, const Place &P) const {
  const Arg *Self = findArg(S, "self"), *Index = findArg(S, "index");
  if (!Self || !isSame(Self->Value, P.Self))
    return false;
  if (S.O == Op::Index) {
    const auto Only = onlyIndex(S);
    return !P.Along && P.Dim.value_or(0) == 0 && Only && isSame(*Only, P.Index);
  }
  if (S.O != (P.Along ? Op::Gather : Op::IndexSelect) || !Index)
    return false;
  return number(findArg(S, "dim")) == P.Dim.value_or(0) &&
         isSame(Index->Value, P.Index);
}

/// Whether something is added in place to what \p Read has read.
bool LostRows::isAddedTo(const Stmt &Read, const Stmt &Before) const {
  const Fate All = H.fate(Read.Result);
  return llvm::any_of(All.Touches, [&](const Fate::Touch &T) {
    return T.S->is(Attribute::AddsOn) && T.A->Name == "self" && T.Whole &&
           H.runsAfter(Read, *T.S) && H.runsAfter(*T.S, Before, &Read);
  });
}

/// Whether \p V is what \p P names, and something added to it.
bool LostRows::adds(ValueId V, const Place &P, const Stmt &Before) const {
  bool Adds = false;
  auto Looks = [&](ValueId At, auto Add) {
    const Stmt *S = H.latest(At);
    if (!S)
      return true;
    const Arg *Self = findArg(*S, "self"), *Other = findArg(*S, "other");
    const bool InPlace = S->O == Op::Update && S->is(Attribute::AddsOn);
    if (reads(*S, P)) {
      Adds = At != V ? true : isAddedTo(*S, Before);
    } else if ((S->is(Attribute::AddsUp) || InPlace) && Self) {
      Add(Self->Value);
      if (Other && !InPlace && S->Text != "-")
        Add(Other->Value);
    }
    return !Adds;
  };
  closure(V, Looks, 32);
  return Adds;
}

/// Whether the numbers of \p V are those of an arange(), or others that are
/// all different, moved or scaled by the same amount.
bool LostRows::isDistinct(ValueId V) const {
  bool Is = false;
  closure(
      V,
      [&](ValueId At, auto Add) {
        const Stmt *S = H.latest(At);
        if (!S)
          return true;
        Is = Is || S->O == Op::Arange || S->is(Attribute::AllDifferent);
        const OpClass K = opClass(S->O);
        if (S->O == Op::ListGet)
          Add(S->Args[0].Value);
        if (S->O == Op::List) // of results
          for (const Arg &A : S->Args)
            Add(A.Value);
        if (K == OpClass::View || K == OpClass::MaybeCopy ||
            K == OpClass::Copy || S->O == Op::Binary || S->O == Op::Unary)
          for (const char *Name : {"self", "other"})
            if (const Arg *A = findArg(*S, Name))
              Add(A->Value);
        return !Is;
      },
      32);
  return Is;
}

/// arange(n) / k, as integers.
Repeats LostRows::quotient(const Stmt &S) const {
  const auto By = number(findArg(S, "other"));
  const Arg *Divisor = findArg(S, "other");
  if (!Divisor || !C.Loops.isNumber(Divisor->Value) || (By && *By < 2))
    return {};
  for (const Stmt *D = made(findArg(S, "self")); D;) {
    if (D->O == Op::Arange) {
      const auto Step = number(findArg(*D, "step"));
      return findArg(*D, "step") && Step != 1 ? Repeats()
                                              : Repeats{&S, By.has_value()};
    }
    const OpClass K = opClass(D->O);
    const Arg *Other = findArg(*D, "other");
    const bool Moves =
        D->is(Attribute::AddsUp) && Other && C.Loops.isNumber(Other->Value);
    if (K != OpClass::View && K != OpClass::MaybeCopy && K != OpClass::Copy &&
        !Moves)
      break;
    D = made(findArg(*D, "self"));
  }
  return {};
}

/// repeat_interleave(k), repeat({k}).
Repeats LostRows::copies(const Stmt &S, const Place &P) const {
  if (const Stmt *Times = made(findArg(S, "repeats"));
      Times && Times->O == Op::List) {
    const auto Dim = static_cast<size_t>(P.Dim.value_or(0));
    bool Some = false;
    for (size_t I = 0; I < Times->Args.size(); ++I) {
      const bool IsOne = writtenNumber(H.latest(Times->Args[I].Value)) == 1;
      Some = Some || (!IsOne && (!P.Along || I == Dim));
    }
    return Some ? Repeats{&S, false} : Repeats();
  }
  const auto Times = number(findArg(S, "repeats"));
  if (!findArg(S, "repeats") || (Times && *Times < 2))
    return {};
  if (P.Along && findArg(S, "dim") && number(findArg(S, "dim")) != P.Dim)
    return {};
  return {&S, Times.has_value()};
}

/// Bins, classes, random numbers.
Repeats LostRows::bins(const Stmt &S) const {
  const Arg *Self = findArg(S, "self");
  if (S.O == Op::Reduce && !findArg(S, "dim"))
    return {}; // one number
  if (const Stmt *Size = made(findArg(S, "size"));
      Size && Size->O == Op::List &&
      llvm::all_of(Size->Args, [&](const Arg &A) {
        const auto N = writtenNumber(H.latest(A.Value));
        return N && *N <= 1;
      }))
    return {};
  if (S.O != Op::Reduce && Self && isDistinct(Self->Value))
    return {};
  return {&S, false};
}

/// tensor({0, 1, 0})
Repeats LostRows::literal(const Stmt &S) const {
  const Arg *Data = findArg(S, "data");
  const Stmt *List = Data ? H.latestList(Data->Value) : nullptr;
  std::set<int64_t> Seen;
  if (List)
    for (const Arg &A : List->Args) {
      const auto N = writtenNumber(H.latest(A.Value));
      if (N && !Seen.insert(*N).second)
        return {&S, true};
    }
  return {};
}

/// Whether the numbers of an index, as the view \p S of them has them, meet
/// where they did before: of scatter(0, ...) those of one column do.
bool LostRows::keepsAlong(const Stmt &S, const Place &P) const {
  if (!P.Along)
    return true;
  switch (S.O) {
  case Op::Unsqueeze:
    return P.Dim == 0 && number(findArg(S, "dim")) &&
           number(findArg(S, "dim")) != 0;
  case Op::View:
  case Op::Reshape: {
    const Stmt *Size =
        made(S.O == Op::View ? findArg(S, "size") : findArg(S, "shape"));
    const Stmt *First = Size && Size->O == Op::List && !Size->Args.empty()
                            ? H.latest(Size->Args[0].Value)
                            : nullptr;
    return P.Dim == 0 && writtenNumber(First) == -1;
  }
  case Op::Expand:
  case Op::ExpandAs:
  case Op::Contiguous:
  case Op::To:
  case Op::Clone:
    return true;
  default:
    return false;
  }
}

/// What makes the numbers of the index of \p P, if they repeat.
Repeats LostRows::repeats(const Place &P) const {
  const Stmt *S = H.latest(P.Index);
  for (unsigned Depth = 0; S && Depth < 24; ++Depth) {
    if (S->is(Attribute::RepeatsNumbers))
      if (const Repeats R = copies(*S, P); R.By || !P.Along)
        return R;
    if (S->is(Attribute::GivesBins))
      return bins(*S);
    if (S->is(Attribute::Divides))
      return quotient(*S);
    if (S->O == Op::TensorOf)
      return literal(*S);
    if ((S->O == Op::Expand || S->O == Op::ExpandAs) && !P.Along &&
        !findArg(*S, "implicit"))
      return {S, false};
    const OpClass K = opClass(S->O);
    const Arg *Other = findArg(*S, "other");
    const bool Passes =
        S->is(Attribute::RepeatsNumbers) || S->O == Op::Unary ||
        S->O == Op::Unsqueeze || S->O == Op::Squeeze || S->O == Op::View ||
        S->O == Op::Reshape || S->O == Op::Flatten || S->O == Op::Ravel ||
        S->O == Op::Contiguous || S->O == Op::To || S->O == Op::Detach ||
        S->O == Op::Clone || S->O == Op::Expand || S->O == Op::ExpandAs ||
        (S->O == Op::Binary && Other && C.Loops.isNumber(Other->Value));
    const bool Moves = K == OpClass::View || K == OpClass::MaybeCopy;
    if (!Passes || (Moves && !keepsAlong(*S, P)))
      return {};
    S = made(findArg(*S, "self"));
  }
  return {};
}

void LostRows::look(const Stmt &S) {
  ValueId Values = 0;
  const auto P = written(S, Values);
  if (!P || !adds(Values, *P, S))
    return;
  const Repeats R = repeats(*P);
  if (!R.By)
    return;
  const std::string Call = S.Text + "()";
  Finding Found(Check::LostWrite, R.Always ? 0 : 1, S);
  Found.At = &S;
  Found.Message = Call + " keeps one of the sums for each row of " +
                  quoted(H.name(P->Self), "the tensor") + " that " +
                  quoted(H.name(P->Index), "the index") +
                  " names several times: the others are lost";
  Found.Notes.push_back(
      {R.By->point(), "the numbers repeat as " +
                          (isalpha(R.By->Text.empty() ? 0 : R.By->Text[0])
                               ? R.By->Text + "()"
                               : quoted(R.By->Text, "this")) +
                          " makes them"});
  Found.Notes.push_back(
      {S.point(), P->Along ? "scatter_add_() of what is added adds all of it"
                  : P->Dim ? "index_add_() of what is added adds all of it"
                           : "index_put_(..., /*accumulate=*/true) of what is "
                             "added adds all of it"});
  C.Out.push_back(std::move(Found));
}

void LostRows::run() {
  forEachStmt(F, [&](BlockId, const Stmt &S) {
    if ((S.is(Attribute::PutsAt) || S.is(Attribute::StoresAt)) && !S.Context &&
        !S.InTry && !S.Expected)
      look(S);
  });
}

} // namespace

void tellLostRows(CheckRun &C) { LostRows(C).run(); }

} // namespace tensortidy::analysis
