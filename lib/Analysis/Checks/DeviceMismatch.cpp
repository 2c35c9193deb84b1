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

namespace tensortidy::analysis {

using namespace program;

using Tensor = DeviceSite::Tensor;

static std::string words(const DeviceSite::DeviceName &D) {
  return D.IsVariable ? quoted(D.Name, "") : D.Name;
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

void checkDeviceMismatch(CheckRun &C) {
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
