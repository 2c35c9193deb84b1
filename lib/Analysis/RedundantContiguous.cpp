//===- RedundantContiguous.cpp - tensor-redundant-contiguous -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: every world, with parameters of any layout.
//
//===----------------------------------------------------------------------===//

#include "Analysis/CheckRun.h"

namespace tensortidy::analysis {

using namespace program;

void checkRedundantContiguous(CheckRun &C) {
  for (const auto &Entry : C.Opaque.Contiguous) {
    const Stmt *S = Entry.first;
    const ContiguousSite &Site = Entry.second;
    // Text from a macro's body serves other uses of the macro, too.
    if (!Site.Redundant || Site.Other || Site.Unknown || S->InMacro) {
      C.Silent.push_back({Check::RedundantContiguous, S->Callee.Begin});
      continue;
    }
    Finding Found;
    Found.Id = Check::RedundantContiguous;
    Found.Level = 0;
    Found.Where = S->Where;
    Found.Point = S->Callee.Begin ? S->Callee : S->Where;
    const std::string Name =
        Site.Name.empty() ? "its operand" : "'" + Site.Name + "'";
    Found.Message =
        "contiguous(" + Site.Format + ") does nothing: " + Name + " is " +
        (Site.Format.empty() ? "contiguous" : Site.Format) + " already";
    const Provenance *P = Site.Prov.get();
    while (P && P->What.empty())
      P = P->Parent.get();
    if (P) {
      llvm::StringRef What = P->What;
      std::string Text = Name == "its operand" ? "it" : Name;
      if (P->Checked)
        Text += " is known to be contiguous from here: " + P->What;
      else if (What.starts_with("contiguous("))
        Text += " is the result of " + P->What + " here";
      else if (P->Fresh)
        Text += " is a fresh allocation made here: " + P->What;
      else
        Text += " got this layout here: " + P->What +
                (P->Of.empty() ? "" : " of " + P->Of);
      Found.Notes.push_back({P->Where, Text});
    }
    if (S->Edits & EditDropCall)
      Found.Edits.push_back({Edit::DropCall, S->Where, S->Object, ""});
    C.Out.push_back(std::move(Found));
  }
}

} // namespace tensortidy::analysis
