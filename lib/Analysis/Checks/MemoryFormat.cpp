//===- MemoryFormat.cpp - tensor-memory-format -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: every path, with parameters of any layout.
//
//   unchanged   to(format) asks suggest_memory_format(), not is_contiguous():
//               it returns a tensor that is not of that format as it is
//   undone      two changes of format, and nobody reads what is between
//   given up    contiguous() of a channels-last tensor, for a convolution or
//               pooling that would have kept the format
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "Analysis/Checks/Wording.h"

namespace tensortidy::analysis {

using namespace program;

namespace {

class Formats {
public:
  explicit Formats(CheckRun &C) : C(C), H(C.Held) {}
  void run();

private:
  bool unchanged(const Stmt &S, Finding &Found) const;
  bool undone(const Stmt &S, Finding &Found) const;
  bool givenUp(const Stmt &S, Finding &Found) const;
  std::string format(const Stmt &S) const;

  CheckRun &C;
  const Handles &H;
};

/// "contiguous(channels_last)".
std::string spelled(const Stmt &S, const std::string &Format) {
  return S.Text + "(" +
         (S.O == Op::Contiguous && Format == "contiguous" ? "" : Format) + ")";
}

/// The format that every path asks for; empty when not known or none.
std::string Formats::format(const Stmt &S) const {
  auto It = C.Opaque.Formats.find(&S);
  return It == C.Opaque.Formats.end() || It->second.Mixed ? ""
                                                          : It->second.Format;
}

bool Formats::unchanged(const Stmt &S, Finding &Found) const {
  auto It = C.Opaque.Formats.find(&S);
  if (S.O != Op::To || It == C.Opaque.Formats.end() || !It->second.Plain ||
      !It->second.Unchanged || It->second.Other || It->second.Mixed)
    return false;
  const std::string Name = H.name(findArg(S, "self")->Value);
  const Excepted &Unless = It->second.Unless;
  Found.Level = Unless.empty() ? 0 : 1;
  Found.Message = spelled(S, It->second.Format) + " returns " +
                  quoted(Name, "its operand") +
                  " as it is, and that is not contiguous in this format" +
                  (Unless.empty() ? "" : ", " + words(Unless));
  if (const Provenance *P = cause(It->second.Prov))
    Found.Notes.push_back(gotLayout(quoted(Name, "the operand"), *P));
  Found.Notes.push_back(
      {Found.Point, "to() asks suggest_memory_format(), which guesses from the "
                    "strides; contiguous(format) packs"});
  if ((S.Edits & EditRenameCallee))
    Found.Edits.push_back(
        {Edit::RenameCallee, S.Callee, Range(), "contiguous"});
  return true;
}

bool Formats::undone(const Stmt &S, Finding &Found) const {
  const Stmt *First = H.latest(findArg(S, "self")->Value);
  if (!First || (First->O != Op::Contiguous && First->O != Op::To) ||
      First->InMacro || !H.fate(First->Result, &S).Touches.empty())
    return false;
  const std::string To = format(S), From = format(*First);
  const auto &Sites = C.Opaque.Formats;
  if (To.empty() || From.empty() || To == From || !Sites.find(&S)->second.Plain)
    return false;
  Found.Message = spelled(S, To) + " undoes " + spelled(*First, From) +
                  ", which nothing else uses";
  Found.Notes.push_back({First->point(), "nothing else uses this copy"});
  // to(format) might then return a tensor as it is that contiguous() packed.
  if (H.def(findArg(S, "self")->Value) == First && S.O == Op::Contiguous &&
      (First->Edits & EditDropCall))
    Found.Edits.push_back({Edit::DropCall, First->Where, First->Object, ""});
  return true;
}

bool Formats::givenUp(const Stmt &S, Finding &Found) const {
  auto It = C.Opaque.Formats.find(&S);
  if (S.O != Op::Contiguous || It == C.Opaque.Formats.end() ||
      format(S) != "contiguous" || !It->second.WasLast || It->second.WasOther)
    return false;
  const Stmt *Consumer = nullptr;
  const Fate Result = H.fate(S.Result);
  for (const Fate::Touch &Touch : Result.Touches) {
    const Stmt *T = Touch.S;
    const bool Keeps =
        T->O == Op::Conv || T->O == Op::Pool || T->O == Op::Resample;
    if (!Keeps && opClass(T->O) != OpClass::Query)
      return false;
    if (Keeps && !Consumer)
      Consumer = T;
  }
  if (!Consumer || Result.Asked || !Result.onlyRead())
    return false;
  const std::string Name =
      quoted(H.name(findArg(S, "self")->Value), "its operand");
  Found.Message = "contiguous() takes " + Name + " out of channels-last for " +
                  Consumer->Text + "(), which keeps the format";
  auto Size = C.Opaque.AllocationSize.find(&S);
  if (Size != C.Opaque.AllocationSize.end() && Size->second.known())
    Found.Message += " (copies " + words(Size->second) + ")";
  Found.Notes.push_back(
      {Consumer->point(),
       "without the copy, this runs on channels-last data and returns it"});
  return true;
}

void Formats::run() {
  forEachStmt(C.F, [&](BlockId, const Stmt &S) {
    if ((S.O != Op::Contiguous && S.O != Op::To) || !findArg(S, "self"))
      return;
    Finding Found(Check::MemoryFormat, 1, S);
    if (!S.InMacro && !S.Expected &&
        (undone(S, Found) || unchanged(S, Found) || givenUp(S, Found)))
      C.Out.push_back(std::move(Found));
    else
      C.Silent.push_back({Check::MemoryFormat, Found.Point.Begin});
  });
}

} // namespace

void checkMemoryFormat(CheckRun &C) { Formats(C).run(); }

} // namespace tensortidy::analysis
