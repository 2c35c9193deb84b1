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

namespace tensortidy::analysis {

using namespace program;

void checkDeviceMismatch(CheckRun &C) {
  for (const auto &[S, Site] : C.Opaque.Devices) {
    if (!Site.Failed || S->Expected || S->InTry)
      continue;
    Finding Found(Check::DeviceMismatch, Site.Unless.empty() ? 0 : 1, *S);
    Found.At = S;
    std::string When;
    if (Site.Ok && !Site.Path.empty())
      addPath(When, Site.Path);
    if (!Site.Unless.empty())
      When += (When.empty() ? " " : ", ") + Site.Unless;
    Found.Message = Site.Message + When;
    Found.Notes = Site.Notes;
    C.Out.push_back(std::move(Found));
  }
}

} // namespace tensortidy::analysis
