//===- HiddenCopy.cpp - tensor-hidden-copy -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: every path copies; where that takes a contiguous parameter, the
// message says so. Reported is a call that looks like a view, copies, and makes
// a copy that exists already:
//
//   in a loop    every iteration makes the same one
//   again        the same call on the same tensor was made before, on every
//                path, and the elements have not changed since
//
// Copies under their own name (clone, contiguous, to) that a loop repeats are
// for tensor-allocation-in-loop. Those that nothing needs: NeedlessCopies.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "Analysis/Checks/NeedlessCopies.h"
#include "Analysis/Checks/Wording.h"
#include <map>

namespace tensortidy::analysis {

using namespace program;

namespace {

class HiddenCopies {
public:
  explicit HiddenCopies(CheckRun &C) : C(C), H(C.Held) {}
  void run();

private:
  /// How a statement copies; null: it may not.
  const CopySite *copies(const Stmt &S, bool &Assumes) const;
  bool inLoop(const Stmt &S, BlockId B, Finding &Found) const;
  const Stmt *before(const Stmt &S) const;
  std::string key(ValueId V, std::vector<VarId> &Vars,
                  unsigned Depth = 0) const;

  CheckRun &C;
  const Handles &H;
  std::map<std::string, std::vector<const Stmt *>> Same; ///< in program order
};

bool looksLikeView(Op O) {
  return O == Op::Reshape || O == Op::ReshapeAs || O == Op::Flatten ||
         O == Op::Ravel || O == Op::Index;
}

const CopySite *HiddenCopies::copies(const Stmt &S, bool &Assumes) const {
  for (const RunResult *R : {&C.Opaque, C.Contiguous}) {
    if (!R)
      continue;
    auto It = R->Copies.find(&S);
    if (It == R->Copies.end())
      continue;
    Assumes = R != &C.Opaque;
    if (It->second.always())
      return &It->second;
    if (It->second.Shares)
      return nullptr; // on some path, whatever the parameters
  }
  return nullptr;
}

bool HiddenCopies::inLoop(const Stmt &S, BlockId B, Finding &Found) const {
  if (!looksLikeView(S.O))
    return false;
  const LoopFacts &At = C.Loops;
  LoopId Best = NoId;
  for (LoopId L = C.F.Blocks[B].InLoop; L != NoId; L = C.F.Loops[L].Parent) {
    bool Scratch = false;
    if (C.F.Loops[L].RunsOnce || At.CallsUnknown[L] || !At.everyIteration(B, L))
      break;
    bool Fixed = true;
    for (const Arg &A : S.Args)
      Fixed = Fixed && At.invariant(A.Value, L);
    if (!Fixed || !C.Held.staysInside(S, L, Scratch))
      break;
    Best = L;
  }
  if (Best == NoId)
    return false;
  Found.Message = " in every iteration";
  Found.Notes.push_back({C.F.Loops[Best].Where,
                         "nothing it depends on changes in this loop: make "
                         "the copy before it"});
  At.hoist(S, B, Found.Edits);
  return true;
}

/// A text that only equal values share; empty where equality is not certain.
std::string HiddenCopies::key(ValueId V, std::vector<VarId> &Vars,
                              unsigned Depth) const {
  const Stmt *S = H.def(V);
  if (!S || Depth > 12)
    return "";
  std::string Key = std::to_string(static_cast<unsigned>(S->O)) + "(";
  switch (S->O) {
  case Op::Const:
    return Key + std::to_string(static_cast<unsigned>(S->Const)) + " " +
           std::to_string(S->Imm) + " " + S->Text + ")";
  case Op::Load:
    if (!H.isFixed(S->Var))
      return "";
    Vars.push_back(S->Var);
    return Key + std::to_string(S->Var) + ")";
  default:
    break;
  }
  const OpClass K = opClass(S->O);
  if (S->O == Op::Phi ||
      !(K == OpClass::Structure || K == OpClass::Integer ||
        K == OpClass::View || K == OpClass::MaybeCopy || S->O == Op::Size ||
        S->O == Op::Dim || S->O == Op::Numel || S->O == Op::DTypeOf ||
        S->O == Op::DeviceOf || S->O == Op::OptionsOf))
    return "";
  Key += std::to_string(S->Imm) + " " + S->Text;
  for (const Arg &A : S->Args) {
    std::string Of = key(A.Value, Vars, Depth + 1);
    if (Of.empty())
      return "";
    Key += " " + A.Name + "=" + Of;
  }
  return Key + ")";
}

/// An earlier statement whose result would serve in place of that of \p S.
const Stmt *HiddenCopies::before(const Stmt &S) const {
  std::vector<VarId> Vars;
  const std::string Key = key(S.Result, Vars);
  const Arg *Self = findArg(S, "self");
  auto It = Key.empty() ? Same.end() : Same.find(Key);
  if (It == Same.end() || !Self)
    return nullptr;
  Fate Mine = H.fate(S.Result);
  if (Mine.Written || Mine.Escapes || Mine.Returned)
    return nullptr;
  for (const Stmt *First : It->second) {
    if (First == &S || !H.always(*First, S))
      continue;
    // Since its variables got what they hold, too: a loop gives them more.
    bool Since = true;
    for (VarId V : Vars)
      if (const Stmt *Made = H.store(V))
        Since = Since && !H.runsAfter(*Made, S, First);
    if (!Since)
      continue;
    const Fate Theirs = H.fate(First->Result);
    Fate Until;
    Until.Touches.push_back({&S, Self, true});
    if (!Theirs.Written && !Theirs.Escapes && !Theirs.Returned &&
        !H.mayChange(*First, Until, Self->Value, true))
      return First;
  }
  return nullptr;
}

void HiddenCopies::run() {
  struct Site {
    const Stmt *S;
    BlockId B;
    const CopySite *Copy;
    bool Assumes;
  };
  std::vector<Site> Sites;
  forEachStmt(C.F, [&](BlockId B, const Stmt &S) {
    if (opClass(S.O) != OpClass::MaybeCopy || S.O == Op::Einsum)
      return;
    bool Assumes = false;
    const CopySite *Copy = copies(S, Assumes);
    if (!Copy || S.InMacro || S.Expected || S.Discarded) {
      C.Silent.push_back({Check::HiddenCopy, S.point().Begin});
      return;
    }
    Sites.push_back({&S, B, Copy, Assumes});
    std::vector<VarId> Vars;
    std::string Key = key(S.Result, Vars);
    if (!Key.empty())
      Same[Key].push_back(&S);
  });
  for (const Site &Here : Sites) {
    const Stmt &S = *Here.S;
    const std::string Root = assumedRoot(Here.Copy->Prov);
    Finding Found(Check::HiddenCopy, 1, S);
    bool Is = !(Here.Assumes && (Root.empty() || C.F.CallersVisible));
    if (Is && !inLoop(S, Here.B, Found)) {
      const Stmt *First = before(S);
      Is = First != nullptr;
      if (First) {
        Found.Message = " again";
        Found.Notes.push_back(
            {First->point(), "the same copy is made here: keep its result"});
      }
    }
    if (!Is) {
      C.Silent.push_back({Check::HiddenCopy, Found.Point.Begin});
      continue;
    }
    const Arg *Self = findArg(S, "self");
    const std::string Name = Self ? H.name(Self->Value) : "";
    const bool IsName = !S.Text.empty() && isalpha(S.Text[0]);
    std::string Text = (IsName           ? S.Text + "()"
                        : S.Text.empty() ? opName(S.O).str() + "()"
                                         : "operator" + S.Text) +
                       " copies " + quoted(Name, "its operand") + Found.Message;
    if (!Here.Copy->Size.Number.empty())
      Text += " (" + words(Here.Copy->Size) + " each time)";
    if (Here.Assumes)
      Text += ", " + whenContiguous(Here.Copy->Prov);
    if (!Here.Copy->Unless.empty())
      Text += ", " + words(Here.Copy->Unless);
    Found.Message = std::move(Text);
    const Provenance *P = looksLikeView(S.O) && S.O != Op::Index
                              ? cause(Here.Copy->Prov)
                              : nullptr;
    if (P)
      Found.Notes.push_back(gotLayout(quoted(Name, "the operand"), *P));
    C.Out.push_back(std::move(Found));
  }
}

} // namespace

void checkHiddenCopy(CheckRun &C) {
  HiddenCopies(C).run();
  checkNeedlessCopies(C);
  checkGrownBuffers(C);
}

} // namespace tensortidy::analysis
