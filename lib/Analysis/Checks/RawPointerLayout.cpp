//===- RawPointerLayout.cpp - tensor-raw-pointer-layout -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: one feasible path on which a pointer to a tensor that is not
// contiguous is used as if it were (Pointers.cpp says when that is). Level 0
// when that holds for any layout of the parameters, level 1 when for contiguous
// ones, and channels-last input would not make it right.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "Analysis/Checks/Wording.h"
#include <limits>
#include <set>

namespace tensortidy::analysis {

using namespace program;

static const PointerSite *failing(const RunResult *R, const Stmt *S) {
  if (!R)
    return nullptr;
  auto It = R->Pointers.find(S);
  return It == R->Pointers.end() || It->second.Uses.empty() ? nullptr
                                                            : &It->second;
}

static bool isLoop(const Stmt &Use) {
  return Use.O == Op::Element || Use.O == Op::StoreElement ||
         program::isOperator(Use.O);
}

/// Whether pointers to the rows are handed on, and not a number for all.
static bool isCopyOrGiven(const PointerUse &U) {
  return !U.Use->Strided && !U.Count.empty();
}

/// "'scale' gets 'y' without its strides", or what a loop does.
static std::string message(const PointerUse &U) {
  const std::string Name =
                        quoted(U.Name, U.K == PointerUse::Short ? "the memory"
                                                                : "the tensor"),
                    Other = quoted(U.Other, "a tensor");
  const bool Loop = isLoop(*U.Use) || U.K == PointerUse::Subscript,
             Blob = U.Use->O == Op::FromBlob;
  const std::string Who = Loop                                ? "this loop"
                          : U.Use->is(Attribute::MakesVector) ? "the vector"
                          : Blob ? U.Use->Text + "()"
                                 : "'" + U.Use->Text + "'";
  const std::string Gets = Who + " gets " + Name + " without its strides";
  const std::string Moves =
      U.Use->is(Attribute::Copies) || U.Use->is(Attribute::MovesBlock)
          ? " copies "
          : " counts ";
  const std::string Type = U.Other.empty() ? "" : " (" + U.Other + ")";
  std::string Text;
  switch (U.K) {
  case PointerUse::Shape:
    Text = (Loop || Blob ? Who + " takes the strides of " + Name + " for "
                         : Gets + " and takes them for ") +
           U.Dense;
    break;
  case PointerUse::Beside:
    Text = Loop ? Who + " goes through " + Name +
                      " in storage order, together with " + Other +
                      ", which has another order"
                : Gets + ", together with " + Other + ", which has others";
    break;
  case PointerUse::Row:
    Text = Loop || Blob ? Who + " takes " + U.Count + " elements of " + Name +
                              " in a row"
           : U.Given.empty()
               ? Gets + " and takes " + U.Count + " elements in a row"
               : Who + " gets one stride of " + Name + " and takes " + U.Given +
                     " elements in a row within";
    break;
  case PointerUse::Order:
    Text = Who + " copies " + Name + " in the order of its memory, " + U.Memory;
    break;
  case PointerUse::Step:
    Text = (Loop || Blob || isCopyOrGiven(U)
                ? Who + " goes through " + Name + " in steps of "
                : Who + " gets " + Name + " with a stride of ") +
           U.Given + " elements, which are " + U.Real + " in its memory";
    break;
  case PointerUse::Beyond:
    return Who + " reaches element " + U.Given + " of the memory of " + Name +
           ", which has " + U.Real;
  case PointerUse::Subscript:
    return Who + " goes to index " + U.Given + " of dimension " + U.Count +
           " of " + Name + ", whose size is " + U.Real;
  case PointerUse::Bytes:
    return Who + Moves + (U.Given == "1" ? "one byte" : U.Given + " bytes") +
           (U.Count.find('?') == std::string::npos
                ? " for each of the " + U.Count + " elements of "
                : " for each of the elements of ") +
           Name + ", which have " + U.Real + Type;
  case PointerUse::Rows:
    return Who + Moves + U.Given + " bytes of rows of " + U.Count +
           " elements of " + Name + ", which have " + U.Real + " each" + Type;
  case PointerUse::Mixed:
    return Who + Moves + "elements of " + U.Given + " bytes and those of " +
           Name + ", which have " + U.Real + Type + ", for each other";
  case PointerUse::Short:
    return U.Given.find('?') == std::string::npos &&
                   U.Real.find('?') == std::string::npos
               ? Who + Moves + U.Given + " bytes, and " + Name + " has " +
                     U.Real + Type
               : Who + Moves + "more bytes than " + Name + " has" + Type;
  case PointerUse::Start:
    return Who + " starts " + U.Given + " bytes behind the first of " + Name +
           ", which is a number of its elements: they have " + U.Real +
           " each" + Type;
  case PointerUse::Type:
    return "the elements of " + Name + " are " + U.Real +
           ", and this pointer reads them as " + U.Given;
  case PointerUse::Pixels:
    return Who + " takes the planes of " + Name +
           " for the channels of pixels: sizes " + U.Sizes +
           ", and it is told " + U.Given;
  case PointerUse::Unchecked:
    return (Loop ? Who + " treats " + Name + " as contiguous" : Gets) +
           ", and nothing has checked " +
           (U.LastStride ? "more than its last stride"
                         : "that it is contiguous");
  }
  return Text + ": sizes " + U.Sizes + ", strides " + U.Strides;
}

/// Whether anything may be written through pointer \p P, or one made of it.
static bool mayBeWritten(const Function &F, ValueId P) {
  std::set<ValueId> Pointers{P};
  std::set<VarId> Vars;
  bool Written = false;
  for (size_t Before = 0; Before != Pointers.size() + Vars.size();) {
    Before = Pointers.size() + Vars.size();
    forEachStmt(F, [&](BlockId, const Stmt &S) {
      if (S.O == Op::Load && Vars.count(S.Var))
        Pointers.insert(S.Result);
      for (const Arg &A : S.Args) {
        if (!A.Value || !Pointers.count(A.Value))
          continue;
        const bool First = &A == S.Args.begin();
        if (S.O == Op::Store)
          Vars.insert(S.Var);
        else if (S.O == Op::StoreElement)
          Written = Written || First;
        else if (S.isOpaque() && S.Derives && S.O != Op::Closure)
          Pointers.insert(S.Result);
        else if (S.isOpaque())
          Written = Written || A.R != Role::Read || S.O == Op::Closure;
        else if (S.O == Op::FromBlob)
          Written = true;
      }
    });
  }
  return Written;
}

/// What is only read may be read from a copy: `y.contiguous().data_ptr()` where
/// the call needs it no longer than its statement, or a tensor with a name.
static void copyFirst(const CheckRun &C, const Stmt &Taken, const PointerUse &U,
                      Finding &Found) {
  if (Taken.InMacro || Taken.Context || !Taken.Callee.Begin)
    return;
  if (!Taken.is(Attribute::ReadOnly) && mayBeWritten(C.F, Taken.Result))
    return;
  for (const Arg &A : U.Use->Args)
    if (A.Value == Taken.Result && A.R == Role::Read && !isLoop(*U.Use) &&
        U.Use->isOpaque() && C.Held.uses(Taken.Result) == 1) {
      Found.Edits.push_back(
          {Edit::Insert, Taken.Callee, Range(), "contiguous()."});
      return;
    }
  nameObject(C.F, Taken, U.Name, "contiguous", ".contiguous()", Found);
}

static Finding start(const Stmt &Taken) {
  Finding Found(Check::RawPointerLayout, 1, Taken);
  Found.At = &Taken;
  return Found;
}

/// Option Unchecked: a caller's tensor, of which nothing is known. Autograd is
/// a caller that is known to give others than contiguous ones.
static void unchecked(CheckRun &C, const Stmt &Taken, const PointerSite &Site) {
  if (!Site.Unchecked ||
      (!Site.Unchecked->Gradient && (Taken.Context || C.F.CallersVisible)))
    return;
  const PointerUse &U = *Site.Unchecked;
  Finding Found = start(Taken);
  Found.Level = 1;
  Found.Message = message(U);
  if (U.Gradient)
    Found.Message += "; the gradient of a sum is one number, expanded";
  else
    Found.Option = "Unchecked";
  Found.Notes.push_back({U.Use->point(), "used here"});
  C.Out.push_back(std::move(Found));
}

/// A number of elements that does not fit into 32 bits; option NarrowIndex: one
/// of any size.
static void narrow(CheckRun &C) {
  bool Checks = false;
  forEachStmt(C.F, [&](BlockId, const Stmt &S) {
    Checks |= S.is(Attribute::ChecksIndexWidth) ||
              (S.O == Op::Const && S.Const == ConstKind::Int &&
               S.Imm >= std::numeric_limits<int32_t>::max());
  });
  for (const auto &[S, Count] : C.Opaque.Narrowed) {
    if (S->Context || (Checks && !Count))
      continue;
    Finding Found = start(*S);
    if (Count) {
      Found.Message = std::to_string(*Count) +
                      " elements become a 32-bit integer, which holds no more "
                      "than 2^" +
                      (S->ToSigned ? "31 - 1" : "32 - 1");
      C.Out.push_back(std::move(Found));
      continue;
    }
    Found.Level = 1;
    Found.Option = "NarrowIndex";
    const bool Bytes = S->O == Op::GgmlNb || S->O == Op::GgmlNbytes;
    const char *Of = Bytes ? "bytes" : "elements";
    Found.Message =
        (S->O == Op::Accessor
             ? S->Text + "() indexes with 32-bit integers"
             : "a number of " + std::string(Of) + " becomes a 32-bit integer") +
        ": wrong from 2^31 " + Of + " on";
    C.Out.push_back(std::move(Found));
  }
}

/// Blocks of bytes that are no image with gaps between its rows.
static void tellPadded(CheckRun &C) {
  for (const auto &[S, Site] : C.Opaque.Padded) {
    if (S->Expected)
      continue;
    Finding Found(Check::RawPointerLayout, 0, *S);
    Found.Message = "'" + S->Text + "' copies the " + Site.Shape + " of " +
                    quoted(Site.Of, "the image") +
                    " as one block: " + paddedRows(Site.Row);
    C.Out.push_back(std::move(Found));
  }
}

void checkRawPointerLayout(CheckRun &C) {
  narrow(C);
  tellPadded(C);
  for (const auto &[S, All] : C.Opaque.Pointers) {
    const PointerSite *Site = failing(&C.Opaque, S);
    unsigned Level = 0;
    if (!Site) {
      Site = failing(C.Contiguous, S);
      // What callers pass decides, and can be seen; or someone expects this.
      if (!Site || !failing(C.ChannelsLast, S) || C.F.CallersVisible ||
          S->Expected) {
        unchecked(C, *S, All);
        continue;
      }
      Level = 1;
    }
    // In the first iteration less is seen of where a loop goes.
    const auto Whole = llvm::find_if(Site->Uses, [](const PointerUse &U) {
      return U.K != PointerUse::Step;
    });
    const PointerUse &U =
        Whole == Site->Uses.end() ? Site->Uses.front() : *Whole;
    Finding Found = start(*S);
    Found.Level = U.Unless.Axes ? 1 : Level;
    std::string When;
    if (Level == 1)
      When = " " + whenContiguous(U.Prov);
    if ((Site->Ok || Site->Unknown) && !U.Taken.empty())
      addPath(When, U.Taken);
    if (!U.Unless.empty())
      When += (When.empty() ? " " : ", ") + words(U.Unless);
    Found.Message = message(U) + (When.empty() ? "" : "; wrong" + When);
    const std::string Name = quoted(U.Name, "the tensor");
    if (U.K == PointerUse::Type || U.K == PointerUse::Bytes ||
        U.K == PointerUse::Rows || U.K == PointerUse::Mixed ||
        U.K == PointerUse::Short || U.K == PointerUse::Start) {
      if (U.K != PointerUse::Type && U.Use != S)
        Found.Notes.push_back({U.Use->point(), "used here"});
      C.Out.push_back(std::move(Found));
      continue;
    }
    if (U.K == PointerUse::Subscript || U.K == PointerUse::Pixels) {
      Found.Notes.push_back({U.Use->point(), "used here"});
      C.Out.push_back(std::move(Found));
      continue;
    }
    if (U.K == PointerUse::Beyond) {
      if (const Provenance *P = maker(U.Prov))
        Found.Notes.push_back({P->Where, Name + " is made here: " + P->What});
      Found.Notes.push_back({U.Use->point(), "used here"});
      C.Out.push_back(std::move(Found));
      continue;
    }
    if (const Provenance *P = cause(U.Prov))
      Found.Notes.push_back(gotLayout(Name, *P));
    Found.Notes.push_back({U.Use->point(), "used here"});
    if (!U.Count.empty() && !S->is(Attribute::GivesRow) &&
        S->O != Op::Load) { // it is contiguous, and told to be otherwise
      Found.Notes.push_back({Found.Point, "contiguous() before " + S->Text +
                                              "() copies " + U.Count +
                                              " elements"});
      copyFirst(C, *S, U, Found);
    }
    C.Out.push_back(std::move(Found));
  }
}

} // namespace tensortidy::analysis
