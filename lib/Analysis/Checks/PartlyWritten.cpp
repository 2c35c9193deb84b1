//===- PartlyWritten.cpp - memory of empty() that is set in part ----------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: one path, on which nothing but one choice of elements is written:
// those that a comparison finds. What mixes all elements reads the others too.
//
//   auto out = torch::empty({n});
//   out.index_copy_(0, mask.nonzero().squeeze(1), y);
//   return out.sum();
//
// Or a loop writes a row in each iteration but those that it skips:
//
//   for (i = 0; i < n; ++i) { if (!count[i]) continue; out[i].copy_(y); }
//   return out;
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "Analysis/Checks/Unset.h"
#include "Analysis/Checks/Wording.h"
#include "Analysis/Flow/Closure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tensortidy::analysis {

using namespace program;

namespace {

class Parts {
public:
  explicit Parts(CheckRun &C) : C(C), Held(C.Held), Values(C.Flow.Values) {}

  void check(const Stmt &Made) {
    if (Made.InTry)
      return;
    const Fate All = Held.fate(Made.Result);
    if (All.Kept)
      return;
    Chosen = nullptr;
    Writes.clear();
    Chosens.clear();
    Condition.clear();
    if (!sortUses(Made, All) || !Chosen)
      return;
    Vector = isVector(Made);
    Along = alongOf(*Chosens.front());
    findMixing(Made);
  }

private:
  //===--------------------------------------------------------------------===//
  // What is written
  //===--------------------------------------------------------------------===//

  /// Which elements \p S writes: an index, a mask; 0: it is not known.
  ValueId choiceOf(const Stmt &S) const {
    for (const char *Name : {"index", "mask"})
      if (const Arg *A = findArg(S, Name))
        return A->Value;
    const Arg *A = findArg(S, "indices");
    const Stmt *List = A ? Held.def(A->Value) : nullptr;
    return List && List->O == Op::List && List->Args.size() == 1
               ? List->Args[0].Value
               : 0;
  }

  /// What one choice of elements is written by, and what else may set some;
  /// false where there are several choices.
  bool sortUses(const Stmt &Made, const Fate &All) {
    for (const Fate::Touch &T : All.Touches) {
      const Stmt &S = *T.S;
      if (S.is(Attribute::WritesChosen) && T.A->Name == "self" && T.Whole) {
        const ValueId V = choiceOf(S);
        const Stmt *Of = V ? Held.latest(V) : nullptr;
        if (!Of || (Chosen && Chosen != Of) || !staysWith(*Of, Made) ||
            !leavesSome(V))
          return false;
        Chosen = Of;
        Chosens.push_back(&S);
      } else if (maySet(S, *T.A)) {
        Writes.push_back(&S);
      }
    }
    return true;
  }

  /// Whether there is one choice for each tensor that is made: rounds of a loop
  /// that choose anew may reach all elements together.
  bool staysWith(const Stmt &Of, const Stmt &Made) const {
    const BlockId B = Held.blockOf(Of), With = Held.blockOf(Made);
    if (B == NoId || With == NoId)
      return false;
    const LoopId L = C.F.Blocks[B].InLoop;
    return L == NoId || C.Loops.blockInside(With, L);
  }

  /// Whether \p V is a mask that a comparison gives, or the places where
  /// something is not 0: not all of them, or nobody would ask.
  bool leavesSome(ValueId V, bool Flattened = false, unsigned Depth = 0) {
    const Stmt *S = Depth < 16 ? Held.latest(V) : nullptr;
    if (!S)
      return false;
    Condition.insert(S);
    const Arg *Self = findArg(*S, "self");
    auto Of = [&](const Arg *A, bool Flat) {
      return A && leavesSome(A->Value, Flat, Depth + 1);
    };
    if (S->is(Attribute::FindsPlaces)) {
      for (const Arg &A : S->Args)
        if (const Stmt *Asked = Held.latest(A.Value))
          Condition.insert(Asked);
      const auto It = C.Opaque.OfVector.find(S);
      return Flattened || (It != C.Opaque.OfVector.end() && It->second);
    }
    switch (S->O) {
    case Op::Unary:
    case Op::Binary:
      return isTruth(*S) || Of(Self, false) || Of(findArg(*S, "other"), false);
    case Op::Squeeze:
    case Op::Flatten:
    case Op::Ravel:
    case Op::View:
    case Op::Reshape:
      return Of(Self, true);
    case Op::To:
    case Op::Contiguous:
    case Op::Detach:
    case Op::Select:
    case Op::Unsqueeze:
    case Op::Clone:
      return Of(Self, Flattened);
    case Op::ListGet:
      return !S->Args.empty() && Of(&S->Args[0], Flattened);
    default:
      return false;
    }
  }

  /// A comparison and the like.
  bool isTruth(const Stmt &S) const {
    const Arg *Type = findArg(S, "dtype");
    const Stmt *Is = Type ? Held.def(Type->Value) : nullptr;
    return Is && Is->O == Op::Const && Is->Text == "bool";
  }

  //===--------------------------------------------------------------------===//
  // What is read
  //===--------------------------------------------------------------------===//

  bool isVector(const Stmt &Made) const {
    const Arg *Size = findArg(Made, "size");
    const Stmt *List = Size ? Held.def(Size->Value) : nullptr;
    return List && List->O == Op::List && List->Args.size() == 1;
  }

  /// The dimension that \p Write leaves elements of.
  std::optional<int64_t> alongOf(const Stmt &Write) const {
    return findArg(Write, "dim") ? Held.number(findArg(Write, "dim"))
                                 : std::optional<int64_t>(0);
  }

  /// Whether operand \p A of a statement is made of what chose the elements, or
  /// of some comparison: it may leave out the others.
  bool leavesOut(const Arg &A) const {
    bool Is = false;
    closure(
        A.Value,
        [&](ValueId V, auto Add) {
          const Stmt *S = Held.latest(V);
          if (!S)
            return true;
          Is = Is || Condition.contains(S) || isTruth(*S);
          if (opClass(S->O) == OpClass::View ||
              opClass(S->O) == OpClass::MaybeCopy ||
              opClass(S->O) == OpClass::Compute || S->O == Op::List)
            for (const Arg &Next : S->Args)
              Add(Next.Value);
          return !Is;
        },
        64);
    return Is;
  }

  /// What is read of the tensor: all of it, element by element.
  struct Seen {
    ValueId V;
    bool InPlace; ///< its dimensions are still those of the tensor
    bool operator<(const Seen &O) const { return V < O.V; }
  };

  void findMixing(const Stmt &Made) {
    std::vector<Seen> Work{{Made.Result, true}};
    std::set<ValueId> Done{Made.Result};
    auto Add = [&](ValueId V, bool InPlace) {
      if (V && Done.insert(V).second)
        Work.push_back({V, InPlace});
    };
    for (size_t I = 0; I < Work.size() && I < 256; ++I) {
      const Seen At = Work[I];
      for (const DefUse::Use &U : Values.Uses[At.V]) {
        const Stmt &S = *U.S;
        if (S.O == Op::Store) {
          if (Held.isLocal(S.Var))
            for (const Stmt *L : Values.Loads[S.Var])
              if (Values.Stores[S.Var].size() < 2 ||
                  llvm::is_contained(Held.reaching(*L), &S))
                Add(L->Result, At.InPlace);
        } else if (mixes(S, *U.A, At.InPlace)) {
          if (comesAfter(Made, S))
            return tell(Made, S);
        } else if (keepsPlaces(S, *U.A)) {
          Add(S.Result, At.InPlace && opClass(S.O) != OpClass::View);
        }
      }
    }
  }

  /// Whether \p S puts elements together that are apart in the tensor.
  bool mixes(const Stmt &S, const Arg &A, bool InPlace) const {
    if (S.O == Op::Reduce && A.Name == "self") {
      if (isTruth(S))
        return false;
      const Arg *Dim = findArg(S, "dim");
      if (!Dim || Vector)
        return true;
      const Stmt *List = Held.def(Dim->Value);
      auto Is = [&](const Arg &D) {
        return InPlace && Along && Held.number(&D) == Along;
      };
      return List && List->O == Op::List ? llvm::any_of(List->Args, Is)
                                         : Is(*Dim);
    }
    if (isProduct(S.O) && S.O != Op::Conv)
      return (Vector && otherIsWhole(S, A)) ||
             (InPlace && Along == 0 && otherIsWhole(S, A) &&
              (S.O == Op::MatMul || S.O == Op::MM) &&
              (A.Name == "other" || A.Name == "mat2"));
    return Vector && S.O == Op::CloneDense && A.Name == "self";
  }

  bool otherIsWhole(const Stmt &S, const Arg &A) const {
    return llvm::all_of(S.Args, [&](const Arg &B) {
      return &B == &A || B.Implied || !leavesOut(B);
    });
  }

  /// Whether each element of the result of \p S is made of the same one.
  bool keepsPlaces(const Stmt &S, const Arg &A) const {
    switch (S.O) {
    case Op::Unary:
      return !isTruth(S);
    case Op::Binary:
      return !isTruth(S) && otherIsWhole(S, A);
    case Op::To:
    case Op::Contiguous:
    case Op::Clone:
    case Op::SameSizes:
    case Op::Detach:
    case Op::SelfHandle:
    case Op::View:
    case Op::Reshape:
    case Op::T:
    case Op::Transpose:
    case Op::Flatten:
      return A.Name == "self";
    default:
      return S.is(Attribute::WritesChosen) && A.Name == "self";
    }
  }

  bool comesAfter(const Stmt &Made, const Stmt &Read) const {
    auto IsBetween = [&](const Stmt *S) {
      return S != &Read && Held.runsAfter(Made, *S) &&
             Held.runsAfter(*S, Read, &Made);
    };
    return !Read.InTry && !Read.Expected && llvm::any_of(Chosens, IsBetween) &&
           llvm::none_of(Writes, IsBetween);
  }

  void tell(const Stmt &Made, const Stmt &Read) {
    const Stmt &Write = *Chosens.front();
    const Arg *Self = findArg(Write, "self");
    const std::string Name = quoted(Self ? Held.name(Self->Value) : "",
                                    "the tensor"),
                      By = quoted(Held.name(choiceOf(Write)), "");
    Finding Found(Check::UninitializedRead, 1, Read);
    Found.At = &Read;
    Found.Message =
        quoted(Read.Text, "this") + " reads all of " + Name +
        ", of which only the elements that " +
        (By.empty() ? "were chosen" : By + " chooses") +
        " are set: the others are what its memory held, unless those are all";
    Found.Notes.push_back(
        {Write.point(), quoted(Write.Text, "the call") + " sets them here"});
    Found.Notes.push_back(leftNote(Made));
    C.Out.push_back(std::move(Found));
  }

  CheckRun &C;
  const Handles &Held;
  const DefUse &Values;
  const Stmt *Chosen = nullptr;                 ///< what names the elements
  std::vector<const Stmt *> Chosens;            ///< what writes those
  std::vector<const Stmt *> Writes;             ///< what may set others
  llvm::SmallPtrSet<const Stmt *, 8> Condition; ///< what Chosen is made of
  bool Vector = false;                          ///< it has one dimension
  std::optional<int64_t> Along;                 ///< the dimension of the choice
};

} // namespace

/// The loop that counts which row \p V is: out[i], out.select(0, i); NoId for
/// what is no row.
static LoopId countedBy(const CheckRun &C, ValueId V) {
  const Stmt *Row = C.Held.latest(V);
  const Arg *Index =
      Row && Row->O == Op::Select ? findArg(*Row, "index") : nullptr;
  const VarId I = Index ? C.Flow.Values.loaded(Index->Value) : VarId(NoId);
  const auto Count = I == NoId ? std::nullopt : C.Loops.counter(I);
  return Count && Count->Start == 0 && Count->Step == 1 ? Count->Of
                                                        : LoopId(NoId);
}

/// A function returns \p Made, of which a loop writes one row in each iteration
/// that goes that far, and nothing writes any other.
static void skipsRows(CheckRun &C, const Stmt &Made) {
  const Fate All = C.Held.fate(Made.Result);
  if (Made.InTry || All.Escapes || !All.Returned)
    return;
  const Stmt *Write = nullptr;
  LoopId L = NoId;
  for (const Fate::Touch &T : All.Touches) {
    if (!maySet(*T.S, *T.A))
      continue;
    const LoopId By = T.Whole ? LoopId(NoId) : countedBy(C, T.A->Value);
    if (By == NoId ||
        (Write && (By != L || C.Held.blockOf(*Write) != C.Held.blockOf(*T.S))))
      return;
    Write = T.S;
    L = By;
  }
  if (!Write || Write->InTry || Write->Expected)
    return;
  const BlockId B = C.Held.blockOf(*Write);
  if (C.F.Blocks[B].InLoop != L ||
      C.Loops.blockInside(C.Held.blockOf(Made), L) ||
      C.Loops.everyIteration(B, L) || C.Loops.LeavesEarly[L] ||
      !C.Loops.comesBack(C.F.Loops[L].Head, L, B))
    return;
  Finding Found(Check::UninitializedRead, 1, Made);
  Found.At = &Made;
  Found.Message = "the loop skips iterations, and the rows that it does not "
                  "write keep what the memory held before: use zeros()";
  Found.Notes.push_back(
      {Write->point(), quoted(Write->Text, "this") + " writes a row here"});
  C.Out.push_back(std::move(Found));
}

void tellPartlyWritten(CheckRun &C) {
  Parts Of(C);
  forEachStmt(C.F, [&](BlockId, const Stmt &S) {
    if (leavesElements(S) && S.Result) {
      Of.check(S);
      skipsRows(C, S);
    }
  });
}

} // namespace tensortidy::analysis
