//===- DeviceMismatch.cpp - tensor-device-mismatch -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: one feasible path on which the operands are on two devices that
// are both known. Where one of them is the CPU, and code names the other by a
// variable, the message says that it fails unless this is the CPU: level 1.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "Analysis/Checks/Wording.h"
#include "Analysis/Flow/Closure.h"

namespace tensortidy::analysis {

using namespace program;

using Tensor = DeviceSite::Tensor;

static std::string words(const DeviceSite::DeviceName &D) {
  if (D.IsVariable)
    return quoted(D.Name, "");
  return (D.OfModule ? "the device of the " : "") + D.Name;
}

static std::string words(const Tensor &T) {
  if (!T.Name.empty() || !T.Call.empty())
    return quoted(T.Name, T.Call);
  return T.Role.empty() ? "the tensor" : "its " + T.Role;
}

static std::string message(const DeviceSite &Site, const Stmt &S) {
  const std::string One = words(Site.One), Other = words(Site.Other),
                    OneOn = words(Site.One.Device),
                    OtherOn = words(Site.Other.Device);
  switch (Site.What) {
  case DeviceSite::Operands:
    return Site.Call + " needs all on one device, " + One + " is on " + OneOn +
           " and " + Other + " on " + OtherOn + "; throws";
  case DeviceSite::Index:
    return One + " is on " + OneOn + ", and its index" +
           (Site.Other.Name.empty() && Site.Other.Call.empty() ? ""
                                                               : " " + Other) +
           " on " + OtherOn + "; throws";
  case DeviceSite::Input:
    return One + " is on " + OneOn + ", and its input " + Other + " on " +
           OtherOn + "; throws";
  case DeviceSite::HostReads:
  case DeviceSite::HostWrites:
    return "the host " +
           std::string(Site.What == DeviceSite::HostReads ? "reads"
                                                          : "writes") +
           " memory of " + One + ", which is on " + OneOn + "; crashes";
  case DeviceSite::Kernel:
    return "kernel '" + S.Text + "' gets memory of " + One + ", which is on " +
           OneOn + "; it fails";
  case DeviceSite::Pointers:
    return S.Text + "() gets memory of " + One + ", which is on " + OneOn +
           ", and of " + Other + ", which is on " + OtherOn +
           "; it fails where it runs on one of them";
  }
  llvm_unreachable("all kinds are told");
}

static std::string unless(const DeviceSite &Site) {
  if (!Site.UnlessCpu.Name.empty())
    return "unless " + words(Site.UnlessCpu) + " is the CPU";
  for (const Tensor *T : {&Site.One, &Site.Other})
    if (T->MayFit)
      return "unless " + words(*T) + " has no dimensions";
  return "";
}

/// Whether the host touches the memory that \p A of \p S points to.
static bool touches(const Stmt &S, const Arg &A) {
  if (S.O == Op::Element || S.O == Op::StoreElement || S.O == Op::Deref)
    return &A == S.Args.begin();
  return S.calls(Attribute::OnHost) && S.is(Attribute::Copies);
}

/// What the host does with the memory at \p Pointer, or null.
static const Stmt *touchedBy(const CheckRun &C, ValueId Pointer) {
  const DefUse &Values = C.Flow.Values;
  const Stmt *Found = nullptr;
  closure(
      Pointer,
      [&](ValueId V, auto Add) {
        for (const DefUse::Use &U : Values.Uses[V]) {
          if (touches(*U.S, *U.A)) {
            Found = U.S;
            return false;
          }
          if (U.S->O == Op::Store && Values.isOwn(U.S->Var))
            for (const Stmt *Load : Values.Loads[U.S->Var])
              Add(Load->Result);
          else if (U.S->Derives || U.S->O == Op::Cast)
            Add(U.S->Result);
        }
        return true;
      },
      /*Most=*/64);
  return Found;
}

/// Memory of a tensor of ggml that the unit elsewhere copies to and from by
/// calls: it is where its backend has it.
static void tellBackendMemory(CheckRun &C) {
  forEachStmt(C.F, [&](BlockId, const Stmt &S) {
    const Arg *On = S.O == Op::Placed ? findArg(S, "device") : nullptr;
    const Arg *Self = On ? findArg(S, "self") : nullptr;
    const Stmt *Device = On ? C.Held.def(On->Value) : nullptr;
    if (!Self || !Device || Device->O != Op::Const ||
        Device->Text != "backend" || S.Context)
      return;
    for (const DefUse::Use &U : C.Flow.Values.Uses[Self->Value]) {
      if (U.S->O != Op::DataPtr || U.S->Where.Begin != S.Where.Begin)
        continue;
      const Stmt *At = touchedBy(C, U.S->Result);
      if (!At || At->InTry)
        continue;
      const Stmt *Of = C.Held.def(Self->Value);
      const std::string Name = C.Held.name(Self->Value);
      Finding Found(Check::DeviceMismatch, 1, *At);
      Found.At = At;
      Found.Message =
          "the host touches memory of " +
          quoted(Name.empty() && Of ? Of->Text : Name, "a tensor") +
          ", which other code here copies to or from by "
          "ggml_backend_tensor_set() or _get(); it crashes unless the backend "
          "is the CPU";
      C.Out.push_back(std::move(Found));
    }
  });
}

void checkDeviceMismatch(CheckRun &C) {
  tellBackendMemory(C);
  for (const auto &[S, Site] : C.Opaque.Devices) {
    if (!Site.Failed || S->Expected || S->InTry)
      continue;
    const std::string Unless = unless(Site);
    Finding Found(Check::DeviceMismatch, Unless.empty() ? 0 : 1, *S);
    Found.At = S;
    std::string When;
    if (Site.Ok && !Site.Taken.empty())
      addPath(When, Site.Taken);
    if (!Unless.empty())
      When += (When.empty() ? " " : ", ") + Unless;
    Found.Message = message(Site, *S) + When;
    for (const Tensor *T : {&Site.One, &Site.Other})
      if (T->Put.Line)
        Found.Notes.push_back(
            {T->Put, words(*T) + " is put on " + words(T->Device) + " here"});
    C.Out.push_back(std::move(Found));
  }
}

} // namespace tensortidy::analysis
