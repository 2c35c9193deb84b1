//===- LostHandles.cpp - tensor-lost-write: handles in place of copies ----===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: every path. What was to be remembered is a handle, and changes
// with the tensor:
//
//   best_[key] = p.detach();  ...  p.copy_(best_[key]);   onto itself
//   auto old = w;  w.add_(g);  (w - old).norm()           0
//
// The first may be spread over the methods of a class: Frontend looks for it.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "Analysis/Checks/Wording.h"
#include "llvm/ADT/STLExtras.h"

namespace tensortidy::analysis {

using namespace program;

namespace {

class LostHandles {
public:
  explicit LostHandles(CheckRun &C) : C(C), F(C.F), H(C.Held) {}

  void run() {
    forEachStmt(F, [&](BlockId, const Stmt &S) {
      if (S.O == Op::Remembers)
        putBy(S);
      else if (S.is(Attribute::TellsDifference) && !S.Expected)
        differs(S);
    });
  }

private:
  /// A variable whose handle a value is, and what took it under another name.
  struct Handle {
    const Stmt *Load = nullptr;
    const Stmt *Named = nullptr;
  };

  void putBy(const Stmt &S) {
    const Arg *Back = findArg(S, "back");
    const Stmt *Copy = Back ? H.def(Back->Value) : nullptr;
    if (!Copy || S.Context)
      return;
    Finding Found(Check::LostWrite, 1, S);
    Found.Message = quoted(S.Text, "this") +
                    " keeps a handle here, which changes with the parameter: "
                    "clone() keeps what it is now";
    Found.Notes.push_back(
        {Copy->Where, "this copies the parameter onto itself"});
    C.Out.push_back(std::move(Found));
  }

  Handle handle(ValueId V) const {
    constexpr unsigned Deepest = 8;
    Handle R;
    for (unsigned Depth = 0; Depth < Deepest; ++Depth) {
      const Stmt *D = H.def(V);
      if (!D)
        break;
      if (D->O == Op::Detach || D->O == Op::SelfHandle) {
        const Arg *Self = findArg(*D, "self");
        V = Self ? Self->Value : 0;
        continue;
      }
      if (D->O != Op::Load || F.Vars[D->Var].Type != VarType::Tensor)
        return Handle();
      R.Load = D;
      const auto From = H.reaching(*D);
      const Stmt *Of =
          From.size() == 1 && H.isLocal(D->Var) && !From[0]->Args.empty()
              ? H.def(From[0]->Args[0].Value)
              : nullptr;
      if (!Of || (Of->O != Op::Load && Of->O != Op::Detach))
        return R;
      R.Named = From[0];
      V = From[0]->Args[0].Value;
    }
    return Handle();
  }
  /// Whether the variable holds one tensor for as long as the function runs.
  bool isOne(VarId V) const {
    const auto &Stores = C.Loops.Stores[V];
    return Stores.empty() || (Stores.size() == 1 && Stores[0] && H.isLocal(V) &&
                              !F.Vars[V].IsParam &&
                              F.Blocks[H.blockOf(*Stores[0])].InLoop == NoId);
  }
  /// What changes the tensor in place behind \p Named and before \p S.
  const Stmt *changed(VarId V, const Stmt &Named, const Stmt &S) const {
    const Stmt *Found = nullptr;
    forEachStmt(F, [&](BlockId, const Stmt &W) {
      const Arg *Self =
          opClass(W.O) == OpClass::InPlaceData ? findArg(W, "self") : nullptr;
      if (!Found && Self && C.Loops.roots(Self->Value).contains(V) &&
          H.runsAfter(Named, W) && H.runsAfter(W, S))
        Found = &W;
    });
    return Found;
  }

  void differs(const Stmt &S) {
    const Arg *One = findArg(S, "self"), *Two = findArg(S, "other");
    if (!Two)
      Two = findArg(S, "target");
    if (!One || !Two || One->Value == Two->Value)
      return;
    const Handle A = handle(One->Value), B = handle(Two->Value);
    if (!A.Load || !B.Load || A.Load->Var != B.Load->Var ||
        !isOne(A.Load->Var) || (A.Named != nullptr) == (B.Named != nullptr))
      return;
    const Stmt &Named = A.Named ? *A.Named : *B.Named;
    const Stmt *Write = changed(A.Load->Var, Named, S);
    if (!Write || Named.InTry)
      return;
    const std::string Old = quoted(F.Vars[Named.Var].Name, "this"),
                      Now = quoted(F.Vars[A.Load->Var].Name, "this");
    Finding Found(Check::LostWrite, 1, S);
    Found.At = &S;
    Found.Message =
        Old + " and " + Now +
        " are one tensor, which differs from itself by 0: " + callOf(*Write) +
        " changes both";
    Found.Notes.push_back(
        {Named.point(), Old + " is another handle: clone() keeps what it is"});
    Found.Notes.push_back({Write->point(), "changed in place here"});
    C.Out.push_back(std::move(Found));
  }

  CheckRun &C;
  const Function &F;
  const Handles &H;
};

} // namespace

void tellLostHandles(CheckRun &C) { LostHandles(C).run(); }

} // namespace tensortidy::analysis
