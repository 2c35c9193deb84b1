//===- DanglingDataPointer.cpp - tensor-dangling-data-pointer -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: one path, that of a fact of lib/Analysis/Borrow: a pointer, an
// accessor, sizes or a view of a list that are used when their owner is gone.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "Analysis/Checks/Wording.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

namespace tensortidy::analysis {

using namespace program;
using borrow::BorrowFact;
using borrow::Loan;

static bool isIdentifier(const std::string &Name) {
  return !Name.empty() && std::all_of(Name.begin(), Name.end(), [](char Ch) {
    return llvm::isAlnum(Ch) || Ch == '_';
  });
}

void nameObject(const Function &F, const Stmt &Of, const std::string &Object,
                const std::string &Name, const std::string &Call,
                Finding &Found) {
  if (!(Of.Edits & EditNameObject) || Of.InMacro || Of.Context ||
      !isIdentifier(Name))
    return;
  const std::string Plain = withoutMarks(Object);
  const std::string Full =
      (isIdentifier(Plain) ? Plain : std::string("kept")) + "_" + Name;
  for (const Variable &V : F.Vars)
    if (V.Name == Full)
      return;
  const Stmt *Decl = nullptr;
  forEachStmt(F, [&](BlockId, const Stmt &X) {
    if (X.O == Op::Store && !X.Args.empty() && X.Args[0].Value == Of.Result)
      Decl = &X;
  });
  if (Decl)
    Found.Edits.push_back(
        {Edit::NameObject, Of.Object, Decl->Where, Full, Call});
}

namespace {

std::string nameOf(const CheckRun &C, const Stmt &Call) {
  const Arg *Self = findArg(Call, "self");
  const Stmt *D = Self ? C.Held.def(Self->Value) : nullptr;
  return D && D->O == Op::Load ? markVariable(C.F, D->Var, D->Context) : "";
}

/// What people call the operation that made the tensor.
std::string nameOfMaker(const Function &F, const Stmt &Maker) {
  if (const uint32_t Call = outermostCall(F, Maker.Context)) {
    const llvm::StringRef Callee = F.Contexts[Call].Callee,
                          Last = Callee.rsplit("::").second;
    return (Last.empty() ? Callee : Last).str() + "()";
  }
  if (Maker.Text.empty())
    return "";
  return isIdentifier(Maker.Text) ? Maker.Text + "()" : "'" + Maker.Text + "'";
}

/// How the last owner went, as in "used after it was emptied: ".
std::string lossOf(const CheckRun &C, const Stmt &Lost) {
  if (Lost.O == Op::ScopeEnd)
    return "the end of its block: ";
  const Stmt *New = Lost.O == Op::Store && !Lost.Args.empty()
                        ? C.Held.def(Lost.Args[0].Value)
                        : nullptr;
  if (New && New->O == Op::ListErase)
    return "it was taken out of its list: ";
  const bool Empties = New ? New->O == Op::List && New->Args.empty()
                           : Lost.isOpaque() && Lost.O != Op::Assign;
  return Empties ? "it was emptied: " : "it was assigned anew: ";
}

/// When the operation makes a tensor of its own: "; only when ...".
std::string whenText(const CheckRun &C, const Loan &L) {
  if (!L.Conditional)
    return "";
  std::string Name = nameOf(C, *L.Maker);
  Name = Name.empty() ? "its tensor" : "'" + Name + "'";
  if (L.Maker->O == Op::Contiguous)
    return "; only when " + Name +
           " is not contiguous, so tests with contiguous input pass";
  if (L.Maker->O == Op::To)
    return "; only when " + Name + " is not of that dtype and device already";
  return "; only when " + L.Maker->Text + "() has to copy";
}

std::string keeperOf(const Function &F, VarId V) {
  return V == NoId ? "a detached thread"
                   : "'" + markVariable(F, V, F.Vars[V].Context) + "'";
}

std::string messageOf(const CheckRun &C, const BorrowFact &B) {
  const std::string Pointer =
      B.Of.Of == Loan::Braces ? "the list" : B.Borrow->Text + "()";
  const std::string When = whenText(C, B.Of);
  switch (B.K) {
  case BorrowFact::Kept:
    return Pointer + " is kept in " + keeperOf(C.F, B.Keeper) +
           ", which outlives the tensor it points into" + When;
  case BorrowFact::Temporary: {
    const std::string Made = B.Of.Maker ? nameOfMaker(C.F, *B.Of.Maker) : "";
    return Pointer + " points into a temporary" +
           (Made.empty() ? "" : ", the result of " + Made + ",") +
           " that is gone at the end of this statement" + When;
  }
  case BorrowFact::Returned:
    return "returns " + Pointer +
           " of a tensor that is gone when the function returns" + When;
  case BorrowFact::Used:
    break;
  }
  if (!B.Invalidates)
    return "used after " + lossOf(C, *B.Expires) + "the tensor that " +
           Pointer + " points into is gone" + When;
  const bool Metadata = B.Of.Of == Loan::Metadata;
  return "used after " + B.Invalidates->Text + "(): " + Pointer +
         (Metadata ? " points to the sizes the tensor had"
                   : " points to the memory the tensor had") +
         (B.Invalidates->O == Op::Resize && !Metadata ? "; only when it grows"
                                                      : "");
}

/// The same of a list that nobody names.
std::string messageOfBraces(const BorrowFact &B) {
  const bool Returns = B.K == BorrowFact::Returned;
  return (Returns ? "returns a view of " : "this is a view of ") +
         B.Borrow->Text + ", which is gone " +
         (Returns ? "when the function returns"
                  : "at the end of this statement");
}

void addNotes(const CheckRun &C, const BorrowFact &B, bool InCall,
              Finding &Found) {
  const bool AtBorrow = &B.at() == B.Borrow;
  if (!AtBorrow || InCall)
    Found.Notes.push_back({B.Borrow->point(), "the pointer comes from here"});
  if (B.K == BorrowFact::Temporary) {
    Found.Notes.push_back({B.Use->point(), "used here, after that"});
    if (const Stmt *Maker = B.Of.Maker)
      nameObject(C.F, *B.Borrow, nameOf(C, *Maker), Maker->Text, "", Found);
  }
  if (AtBorrow)
    return;
  if (B.Invalidates)
    Found.Notes.push_back({B.Invalidates->point(), "changed in place here"});
  else if (B.Expires && B.Expires->Where.Begin)
    Found.Notes.push_back(
        {B.Expires->point(), "the last handle is released here"});
}

/// A copy that may go on when its memory is gone.
void tellLateCopy(CheckRun &C, const BorrowFact &B) {
  const VarId V = B.Of.Owner.Var;
  Finding Found(Check::DanglingDataPointer, 1, B.at());
  Found.At = &B.at();
  Found.Message = B.Borrow->Text + "() may still use the memory of " +
                  quoted(markVariable(C.F, V, C.F.Vars[V].Context), "a local") +
                  " when that is gone: nothing waits for the copy before the "
                  "end of its block";
  C.Out.push_back(std::move(Found));
}

} // namespace

void checkDanglingDataPointer(CheckRun &C) {
  tellGraphMemory(C);
  for (const BorrowFact &B : C.Borrows) {
    if (B.Of.Of == Loan::List)
      tellMemory(C, B);
    if (B.Of.Of == Loan::Late)
      tellLateCopy(C, B);
    if (!B.Of.isOfTensor())
      continue;
    Finding Found(Check::DanglingDataPointer, 0, B.at());
    const uint32_t Call = outermostCall(C.F, B.at().Context);
    if (Call)
      Found.Where = Found.Point = C.F.Contexts[Call].Where;
    Found.Message =
        B.Of.Of == Loan::Braces ? messageOfBraces(B) : messageOf(C, B);
    addNotes(C, B, Call != 0, Found);
    C.Out.push_back(std::move(Found));
  }
}

} // namespace tensortidy::analysis
