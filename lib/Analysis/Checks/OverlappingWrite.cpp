//===- OverlappingWrite.cpp - tensor-overlapping-write -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: one feasible path on which a write meets one element twice, for
// every layout the inputs may have, or for contiguous and for channels-last
// ones. Transfer/Overwrite.cpp decides that. Level 1 where it is so unless a
// named size is 1, or when a named input is contiguous.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "Analysis/Checks/Wording.h"

namespace tensortidy::analysis {

using namespace program;

/// How \p R says that \p S goes wrong, or null.
static const WriteSite *badSite(const RunResult *R, const Stmt *S) {
  if (!R)
    return nullptr;
  auto It = R->Writes.find(S);
  return It == R->Writes.end() || !It->second.Bad ? nullptr : &It->second;
}

static std::string whatHappens(const Overlap &O) {
  const std::string To = quoted(O.Target, "its target");
  const std::string Twice = "writes elements of " + To + " more than once: ";
  const std::string While = "writes " + To + " while it reads " +
                            quoted(O.Operand, "an operand") + ", ";
  switch (O.K) {
  case Overlap::ZeroStride:
    return Twice + "a dimension of size " + O.Size + " has stride 0";
  case Overlap::Windows:
    return Twice + "its windows overlap";
  case Overlap::ReadsTarget:
    return "writes " + To + " while it still reads it";
  case Overlap::ReadsPart:
    return While + "a part of it";
  case Overlap::SharesMemory:
    return While + "a part of the same memory";
  case Overlap::Shifted:
    return While + "the same memory shifted by " + O.Steps;
  case Overlap::Transposed:
    return While + "the same memory transposed";
  case Overlap::OtherOrder:
    return While + "the same memory in another order";
  case Overlap::OneOfSame:
    return "writes at one index of " + To + ", of which a dimension of size " +
           O.Size + " has stride 0";
  }
  return "";
}

static const char *consequence(Overlap::Effect E) {
  switch (E) {
  case Overlap::Throws:
    return "throws";
  case Overlap::WrongValues:
    return "the values are wrong, without an error";
  case Overlap::ChangesTogether:
    return "elements that share memory change together, without an error";
  case Overlap::ReadsOverwritten:
    return "elements are read after they were overwritten, without an error";
  case Overlap::ThrowsIfDense:
    return "throws where it is dense, and reads elements after they were "
           "overwritten where not";
  case Overlap::ThrowsIfBothDense:
    return "throws where both are dense, and the values are wrong where not";
  case Overlap::WrongInThreads:
    return "the values are wrong where several threads or a GPU write";
  }
  return "";
}

void checkOverlappingWrite(CheckRun &C) {
  for (const auto &Entry : C.Opaque.Writes) {
    const Stmt *S = Entry.first;
    const WriteSite *Bad = badSite(&C.Opaque, S);
    std::string When;
    if (!Bad && Entry.second.Open && badSite(C.ChannelsLast, S)) {
      Bad = badSite(C.Contiguous, S);
      When = Bad ? " " + whenContiguous(Bad->Prov) : "";
    }
    if (S->Expected || !Bad)
      continue;
    const WriteSite &Site = *Bad;
    Finding Found(Check::OverlappingWrite,
                  Site.Unless.empty() && When.empty() &&
                          Site.What.E != Overlap::WrongInThreads
                      ? 0
                      : 1,
                  *S);
    Found.At = S;
    const bool IsName = isalpha(S->Text[0]) || S->Text[0] == '_';
    Found.Message = S->Text + (IsName ? "() " : " ") + whatHappens(Site.What) +
                    "; " + consequence(Site.What.E) + When;
    if (!Site.Unless.empty())
      Found.Message +=
          (Site.What.E == Overlap::Throws && When.empty() ? " " : ", ") +
          words(Site.Unless);
    if (Site.Bad < Site.Paths && !Site.Taken.empty())
      Found.Message += " " + words(Site.Taken);
    for (const Origin &Made : Site.Origins)
      Found.Notes.push_back(words(Made));
    Found.Notes.push_back(
        {Found.Point, isGgml(S->O)
                          ? "copy what is read to memory of its own first"
                          : "clone() the tensor first, or write the result out "
                            "of place"});
    C.Out.push_back(std::move(Found));
  }
}

} // namespace tensortidy::analysis
