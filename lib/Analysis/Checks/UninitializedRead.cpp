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
#include "Analysis/Checks/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tensortidy::analysis {

using namespace program;

namespace {

/// The uses of one tensor that are of interest.
struct Uses {
  std::vector<const Stmt *> Adds;   ///< to the elements there are
  std::vector<const Stmt *> Writes; ///< to its elements, or what may be one
};

bool leavesElements(const Stmt &S) {
  return S.O == Op::Empty || S.O == Op::EmptyLike || S.O == Op::EmptyStrided ||
         S.O == Op::EmptyPermuted;
}

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
             auto IsZero = [](const Stmt *N) {
               return N && N->O == Op::Const && N->Const == ConstKind::Int &&
                      N->Imm == 0;
             };
             return IsZero(D) || (D->O == Op::List &&
                                  llvm::any_of(D->Args, [&](const Arg &A) {
                                    return IsZero(Held.origin(A.Value));
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
      const bool Target = T.A->Name == "self" || T.A->Name == "out";
      switch (opClass(S.O)) {
      case OpClass::Integer:
      case OpClass::Condition:
      case OpClass::Query:
      case OpClass::View:
      case OpClass::MaybeCopy:
      case OpClass::Copy:
        break;
      case OpClass::Compute:
        if (T.Whole && isStoredBack(S, All))
          Of.Adds.push_back(&S);
        break;
      case OpClass::InPlaceData:
        if (!Target || S.O == Op::RequiresGrad)
          break;
        // beta=0 leaves out what is there.
        (S.is(Attribute::AddsOn) && !findArg(S, "beta") ? Of.Adds : Of.Writes)
            .push_back(&S);
        break;
      case OpClass::Access:
        if (S.O != Op::Item && S.O != Op::Backward)
          Of.Writes.push_back(&S);
        break;
      case OpClass::Structure:
        if (S.O != Op::Phi && S.O != Op::List && S.O != Op::ListGet &&
            S.O != Op::ListSize && S.O != Op::OptionsOp)
          Of.Writes.push_back(&S);
        break;
      case OpClass::Effect:
        if (S.O != Op::Return)
          Of.Writes.push_back(&S);
        break;
      case OpClass::Factory:
      case OpClass::InPlaceMeta:
      case OpClass::Graph:
        Of.Writes.push_back(&S);
        break;
      }
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
    Found.Notes.push_back(
        {Made.point(), quoted(Made.Text, "the call") +
                           " leaves them as they are; zeros would set them"});
    C.Out.push_back(std::move(Found));
  }

  CheckRun &C;
  const Handles &Held;
};

/// Nodes of a ggml graph whose memory is given to others:
///   y = ggml_mul_mat(ctx, w, x); z = ggml_add(ctx, y, b);
///   ggml_gallocr_alloc_graph(alloc, graph); ...
///   ggml_backend_tensor_get(y, ...);   // z may lie there
class Nodes {
public:
  explicit Nodes(CheckRun &C) : F(C.F), Held(C.Held), C(C) {}

  void check() {
    forEachStmt(F, [&](BlockId, const Stmt &S) {
      if (S.is(Attribute::SharesMemory))
        Shares.push_back(&S);
      if (S.is(Attribute::ReadsBlock))
        Reads.push_back(&S);
      if (S.is(Attribute::KeepsNode))
        keep(S);
    });
    if (Shares.empty() || KeepsSome)
      return;
    for (const Stmt *S : Reads)
      read(*S);
  }

private:
  static bool isNode(const Stmt &S) {
    return opClass(S.O) == OpClass::Graph && S.O != Op::GgmlNew;
  }
  static bool isAlias(const Stmt &S) {
    return S.O == Op::GgmlView || S.O == Op::GgmlReshape ||
           S.O == Op::GgmlPermute || S.O == Op::GgmlAlias ||
           S.O == Op::GgmlInPlace;
  }

  /// The node that computes what \p V names; null where that is not known.
  const Stmt *node(ValueId V) const {
    for (unsigned Depth = 0; Depth < 24; ++Depth) {
      const auto From = Held.origins(V);
      if (From.size() != 1)
        return nullptr;
      const Arg *Self = isAlias(*From[0]) ? findArg(*From[0], "self") : nullptr;
      if (!Self)
        return From[0];
      V = Self->Value;
    }
    return nullptr;
  }

  void keep(const Stmt &S) {
    bool Known = false;
    for (const Arg &A : S.Args)
      if (const Stmt *Of = A.Value ? node(A.Value) : nullptr) {
        Kept.insert(Of);
        Known = true;
      }
    KeepsSome = KeepsSome || !Known;
  }

  void read(const Stmt &S) {
    const Arg *Self = findArg(S, "self");
    const Stmt *Node = Self ? node(Self->Value) : nullptr;
    if (!Node || !isNode(*Node) || isAlias(*Node) || Kept.contains(Node))
      return;
    const Stmt *Given = nullptr, *Reader = nullptr;
    for (const Stmt *T : Shares)
      if (Held.runsAfter(*Node, *T) && Held.runsAfter(*T, S, Node))
        Given = T;
    forEachStmt(F, [&](BlockId, const Stmt &T) {
      if (isNode(T) && !isAlias(T) && &T != Node &&
          llvm::any_of(T.Args, [&](const Arg &A) {
            return A.Value && A.Value != T.Result && node(A.Value) == Node;
          }))
        Reader = &T;
    });
    if (!Given || !Reader)
      return;
    Finding Found(Check::UninitializedRead, 1, S);
    Found.At = &S;
    Found.Message = "reads " + quoted(Held.name(Self->Value), "a node") +
                    ", which is no output of its graph: its memory is given to "
                    "nodes that come later";
    Found.Notes.push_back(
        {Reader->point(), "once this has run, nothing needs it any more"});
    Found.Notes.push_back(
        {Given->point(), quoted(Given->Text, "this") +
                             " gives memory out; ggml_set_output() before it "
                             "keeps that of the node"});
    C.Out.push_back(std::move(Found));
  }

  const Function &F;
  const Handles &Held;
  CheckRun &C;
  std::vector<const Stmt *> Shares, Reads;
  llvm::SmallPtrSet<const Stmt *, 4> Kept;
  bool KeepsSome = false; ///< of a node that is not known
};

} // namespace

void checkUninitializedRead(CheckRun &C) {
  Nodes(C).check();
  Sums Of(C);
  forEachStmt(C.F, [&](BlockId, const Stmt &S) {
    if (leavesElements(S) && S.Result)
      Of.check(S);
  });
}

} // namespace tensortidy::analysis
