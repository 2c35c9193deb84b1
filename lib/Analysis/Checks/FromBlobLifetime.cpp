//===- FromBlobLifetime.cpp - tensor-from-blob-lifetime -------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: one path, that of a fact of lib/Analysis/Borrow: from_blob()
// makes no copy, and the tensor is used, returned or kept when the memory is
// gone.
//
// What the call itself gets wrong (dtype, strides, size) the interpreter has
// found out: see RunResult::Blobs.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "Analysis/Checks/Wording.h"

namespace tensortidy::analysis {

using namespace program;
using borrow::BorrowFact;
using borrow::Loan;
using borrow::MemoryOwner;

namespace {

std::string quoted(const Function &F, VarId V) {
  return analysis::quoted(markVariable(F, V, F.Vars[V].Context), "a temporary");
}

/// How the memory went.
std::string lossOf(const CheckRun &C, const BorrowFact &B) {
  if (B.Expires)
    return "ended with its block";
  if (B.Of.Owner.How == MemoryOwner::Pointee)
    return "was freed";
  if (B.Of.Owner.IsPointer)
    return "was released";
  const Stmt &By = *B.Invalidates;
  const Stmt *New = By.O == Op::Store && !By.Args.empty()
                        ? C.Held.def(By.Args[0].Value)
                        : nullptr;
  const std::string Grows = New && New->O == Op::ListInsert ? "push_back"
                            : By.isOpaque()                 ? By.Text
                                                            : "";
  return Grows.empty() ? "was assigned anew" : Grows + "() moves when it grows";
}

std::string messageOf(const CheckRun &C, const BorrowFact &B) {
  const bool IsView = B.Of.Of == Loan::List;
  const bool IsPointee = B.Of.Owner.How == MemoryOwner::Pointee;
  const std::string Name = quoted(C.F, B.Of.Owner.Var);
  const std::string Borrows = IsView      ? "a view of "
                              : IsPointee ? "a tensor that borrows the memory "
                                            "behind "
                                          : "a tensor that borrows the memory "
                                            "of ";
  switch (B.K) {
  case BorrowFact::Returned:
    return "returns " + Borrows + Name +
           (IsPointee ? ", which was freed"
                      : ", which is gone when the function returns");
  case BorrowFact::Kept:
    return quoted(C.F, B.Keeper) + " keeps " + Borrows + Name +
           ", which is gone when the function returns";
  default:
    return (IsView      ? "this is used as a view of "
            : IsPointee ? "the tensor borrows the memory behind "
                        : "the tensor borrows the memory of ") +
           Name + (IsView && !B.Expires ? ", whose memory " : ", which ") +
           lossOf(C, B);
  }
}

} // namespace

void tellMemory(CheckRun &C, const BorrowFact &B) {
  const bool IsView = B.Of.Of == Loan::List;
  Finding Found(IsView ? Check::DanglingDataPointer : Check::FromBlobLifetime,
                0, B.at());
  Found.Message = messageOf(C, B);
  if (B.at().Context) // used in a call that is followed
    Found.At = &B.at();
  if (&B.at() != B.Borrow)
    Found.Notes.push_back(
        {B.Borrow->point(),
         IsView ? "the view is taken here"
                : "from_blob() makes no copy; clone() its result to have one"});
  if (B.NoCopy)
    Found.Notes.push_back(
        {B.NoCopy->Callee, B.NoCopy->Text + "() copies nothing here: the "
                                            "tensor has that form already"});
  C.Out.push_back(std::move(Found));
}

/// What a from_blob() gets wrong by itself.
static std::string misread(const Stmt &S, const BlobSite &Site) {
  const std::string Takes = S.Text + "() takes ",
                    Reads = S.Text + "() reads " + Site.Wants + " elements of ",
                    Image = quoted(Site.Of, "the image"),
                    Wrong = std::string(Site.IsDefault ? ", its default" : "") +
                            ": the values are wrong";
  switch (Site.K) {
  case BlobSite::Right:
    return "";
  case BlobSite::OtherDevice:
    return Takes + "memory of " + Site.Have +
           " for memory of the CPU: it is told no device";
  case BlobSite::HostMemory:
    return Takes + "memory of the host for memory of " +
           (Site.Of.empty()
                ? Site.Wants
                : "'" + Site.Of + "'; wrong unless that is the CPU");
  case BlobSite::ElementsApart:
    return Takes + "memory of " + Site.Have +
           (Site.Have == "pointer" ? "s" : " objects") +
           ", which have their elements elsewhere, for " +
           (Site.Wants.empty() ? "numbers" : Site.Wants) +
           ": the values are wrong";
  case BlobSite::OtherDType:
    return Takes + "memory of " + Site.Have + " for " + Site.Wants + Wrong;
  case BlobSite::StrideCount:
    return S.Text + "() gets " + Site.Wants + " sizes and " + Site.Have +
           " strides";
  case BlobSite::NegativeStride:
    return S.Text + "() gets a negative stride, " + Site.Have;
  case BlobSite::TooSmall:
    return Reads + "memory that has " + Site.Have;
  case BlobSite::TooFewBytes:
    return Reads + Site.Type + " of memory that has " + Site.Have + " bytes";
  case BlobSite::ImageOtherDType:
    return Takes + "the " + Site.Have + " of " + Image + " for " + Site.Wants +
           Wrong;
  case BlobSite::ImageTooSmall:
    return Reads + Site.Type + " of " + Image + ", which has " + Site.Shape +
           " of " + Site.Have;
  case BlobSite::ChannelsAsPlanes:
    return Takes + "the channels of " + Image + " for planes: it has " +
           Site.Shape + ", pixel by pixel";
  case BlobSite::ColumnsAsRows:
    return Takes + "the columns of " + Image + " for rows: it has " +
           Site.Shape + (Site.HasPixels ? ", pixel by pixel" : "");
  case BlobSite::RowsApart:
    return Takes + "the rows of " + Image + " for packed ones: each is " +
           Site.Have + " pixels of " + Site.Wants + " in memory" +
           (Site.Shape.empty()
                ? ""
                : "; wrong unless " + Site.Have + " is " + Site.Wants);
  case BlobSite::RowsPadded:
    return Takes + "the rows of " + Image +
           " for packed ones: " + paddedRows(Site.Shape);
  case BlobSite::StepInBytes:
    return Takes + Site.Have + ", which counts bytes, for a stride in " +
           Site.Wants + ": the values are wrong";
  }
  return "";
}

void checkFromBlobLifetime(CheckRun &C) {
  for (const auto &[S, Site] : C.Opaque.Blobs) {
    if (Site.K == BlobSite::Right || S->Expected || !S->Result)
      continue;
    const bool Depends = Site.K == BlobSite::HostMemory && !Site.Of.empty();
    Finding Found(Check::FromBlobLifetime, Depends ? 1 : 0, *S);
    Found.Message = misread(*S, Site);
    if (Site.Made.Line)
      Found.Notes.push_back({Site.Made, "the memory is made here"});
    Found.At = S;
    C.Out.push_back(std::move(Found));
  }
  for (const BorrowFact &B : C.Borrows)
    if (B.Of.Of == Loan::Memory)
      tellMemory(C, B);
}

} // namespace tensortidy::analysis
