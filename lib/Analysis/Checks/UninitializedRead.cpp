//===- UninitializedRead.cpp - tensor-uninitialized-read --------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: one path. What is added to is the tensor that empty() made and
// no other, and on no path to there may anything have set its elements.
//
//   auto sum = torch::empty({n});     // whatever its memory holds
//   for (auto &x : xs)
//     sum += x;                       // plus that
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "Analysis/Checks/Unset.h"
#include "Analysis/Checks/Wording.h"
#include "llvm/ADT/STLExtras.h"

namespace tensortidy::analysis {

using namespace program;

bool leavesElements(const Stmt &S) {
  return S.O == Op::Empty || S.O == Op::EmptyLike || S.O == Op::EmptyStrided ||
         S.O == Op::EmptyPermuted;
}

bool maySet(const Stmt &S, const Arg &A) {
  const bool Target = A.Name == "self" || A.Name == "out";
  switch (opClass(S.O)) {
  case OpClass::Integer:
  case OpClass::Condition:
  case OpClass::Query:
  case OpClass::View:
  case OpClass::MaybeCopy:
  case OpClass::Copy:
  case OpClass::Compute:
    return false;
  case OpClass::InPlaceData:
    return Target && S.O != Op::RequiresGrad;
  case OpClass::Access:
    return S.O != Op::Item && S.O != Op::Backward;
  case OpClass::Structure:
    return S.O != Op::Phi && S.O != Op::List && S.O != Op::ListGet &&
           S.O != Op::ListSize && S.O != Op::OptionsOp;
  case OpClass::Effect:
    return S.O != Op::Return;
  case OpClass::Factory: // like it
    return S.O == Op::FromBlob;
  case OpClass::InPlaceMeta:
  case OpClass::Graph:
    return true;
  }
  return true;
}

Note leftNote(const Stmt &Made) {
  return {Made.point(), quoted(Made.Text, "the call") +
                            " leaves them as they are; zeros would set them"};
}

namespace {

/// The uses of one tensor that are of interest.
struct Uses {
  std::vector<const Stmt *> Adds;   ///< to the elements there are
  std::vector<const Stmt *> Writes; ///< to its elements, or what may be one
};

class Sums {
public:
  explicit Sums(CheckRun &C) : C(C), Held(C.Held) {}

  void check(const Stmt &Made) {
    if (Made.InTry || hasNoElements(Made))
      return;
    const Fate All = Held.fate(Made.Result);
    if (All.Kept)
      return;
    const Uses Of = uses(All);
    for (const Stmt *Add : Of.Adds)
      if (comesFirst(Made, *Add, Of))
        return tell(Made, *Add);
  }

private:
  /// `empty({0})`, or of a size that is written as 0.
  bool hasNoElements(const Stmt &Made) const {
    const Arg *Size = findArg(Made, "size");
    return Size && llvm::any_of(Held.origins(Size->Value), [&](const Stmt *D) {
             return writtenNumber(D) == 0 ||
                    (D->O == Op::List &&
                     llvm::any_of(D->Args, [&](const Arg &A) {
                       return writtenNumber(Held.origin(A.Value)) == 0;
                     }));
           });
  }

  /// `sum = sum + x` where the tensor is in `sum`.
  bool isStoredBack(const Stmt &S, const Fate &All) const {
    return S.O == Op::Binary && C.Loops.Uses.size() > S.Result &&
           llvm::any_of(C.Loops.Uses[S.Result], [&](const DefUse::Use &U) {
             return U.S->O == Op::Store && All.Holders.contains(U.S->Var);
           });
  }

  Uses uses(const Fate &All) const {
    Uses Of;
    for (const Fate::Touch &T : All.Touches) {
      const Stmt &S = *T.S;
      const bool Computes = opClass(S.O) == OpClass::Compute;
      // beta=0 leaves out what is there.
      const bool AddsOn = S.is(Attribute::AddsOn) && !findArg(S, "beta") &&
                          opClass(S.O) == OpClass::InPlaceData;
      if (Computes ? T.Whole && isStoredBack(S, All)
                   : AddsOn && maySet(S, *T.A))
        Of.Adds.push_back(&S);
      else if (maySet(S, *T.A))
        Of.Writes.push_back(&S);
    }
    return Of;
  }

  ValueId behindViews(ValueId V) const {
    auto IsView = [](const Stmt *S) {
      return S && (opClass(S->O) == OpClass::View ||
                   (S->O == Op::Index && S->is(Attribute::Subscript)));
    };
    for (const Stmt *S = Held.origin(V); IsView(S); S = Held.origin(V)) {
      const Arg *Self = findArg(*S, "self");
      if (!Self)
        break;
      V = Self->Value;
    }
    return V;
  }

  /// The tensor that \p Add adds to, and no other one.
  bool isOf(const Stmt &Made, const Stmt &Add) const {
    return llvm::any_of(Add.Args, [&](const Arg &A) {
      if (!A.Value || (A.Name != "self" && A.Name != "other"))
        return false;
      const auto From = Held.origins(behindViews(A.Value));
      return llvm::is_contained(From, &Made) &&
             llvm::all_of(
                 From, [&](const Stmt *S) { return S == &Made || S == &Add; });
    });
  }

  bool comesFirst(const Stmt &Made, const Stmt &Add, const Uses &Of) const {
    auto MayBeBefore = [&](const Stmt *S) {
      return S != &Add && Held.runsAfter(Made, *S) &&
             Held.runsAfter(*S, Add, &Made);
    };
    return !Add.InTry && isOf(Made, Add) && Held.runsAfter(Made, Add) &&
           llvm::none_of(Of.Writes, MayBeBefore) &&
           llvm::none_of(Of.Adds, MayBeBefore);
  }

  void tell(const Stmt &Made, const Stmt &Add) {
    const Arg *Self = findArg(Add, "self");
    const std::string Name =
        quoted(Self ? Held.name(behindViews(Self->Value)) : "", "the tensor");
    Finding Found(Check::UninitializedRead, 0, Add);
    Found.At = &Add;
    Found.Message = "adds to elements of " + Name +
                    " that nothing has set: they are what its memory held";
    Found.Notes.push_back(leftNote(Made));
    C.Out.push_back(std::move(Found));
  }

  CheckRun &C;
  const Handles &Held;
};

} // namespace

void checkUninitializedRead(CheckRun &C) {
  tellGraphNodes(C);
  tellUnfinishedCopies(C);
  tellPartlyWritten(C);
  tellGraphSchedules(C);
  Sums Of(C);
  forEachStmt(C.F, [&](BlockId, const Stmt &S) {
    if (leavesElements(S) && S.Result)
      Of.check(S);
  });
}

} // namespace tensortidy::analysis
