//===- RedundantContiguous.cpp - tensor-redundant-contiguous -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: every state, with parameters of any layout.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/CheckRun.h"
#include "Analysis/Checks/Wording.h"

namespace tensortidy::analysis {

using namespace program;

/// What does the same as ggml_cont_1d .. 4d() without a copy, or empty.
static std::string ggmlReshape(const Stmt &S, const ContiguousSite &Site) {
  const unsigned Dims = givenSizes(S);
  return Site.Ggml && Dims ? "ggml_reshape_" + std::to_string(Dims) + "d" : "";
}

/// The copy is there to be looked at: it has a name or is an output, and
/// nothing reads it. Then it is no view, whose memory may be used again; and
/// something else may read what is copied, as it may where the copy is written
/// in place.
static bool isSnapshot(const RunResult &R, const Stmt &S,
                       const ContiguousSite &Site) {
  auto Reads = [&](ObjId Storage) {
    auto At = R.Readers.find(Storage);
    return At != R.Readers.end() && At->second.size() > At->second.count(&S);
  };
  const ObjId Made = ObjId::of(S.Result);
  const bool Shown =
      (R.Outputs.count(Made) || R.Named.count(Made)) && !Reads(Made);
  return Site.Ggml &&
         ((Shown && Site.View) ||
          ((Shown || Site.CopyWritten) && llvm::any_of(Site.Storages, Reads)));
}

void checkRedundantContiguous(CheckRun &C) {
  for (const auto &Entry : C.Opaque.Contiguous) {
    const Stmt *S = Entry.first;
    const ContiguousSite &Site = Entry.second;
    // Text from a macro's body serves other uses of the macro, too.
    if (!Site.Redundant || Site.Other || Site.Unknown || Site.Unreported ||
        S->InMacro) {
      C.Silent.push_back({Check::RedundantContiguous, S->Callee.Begin});
      continue;
    }
    // What is copied is not what is written later; an output is better no view,
    // and a node of its own beside what the graph goes on with.
    if (Site.Rewritten ||
        (Site.View && C.Opaque.Outputs.count(ObjId::of(S->Result))) ||
        isSnapshot(C.Opaque, *S, Site)) {
      C.Silent.push_back({Check::RedundantContiguous, S->Callee.Begin});
      continue;
    }
    Finding Found(Check::RedundantContiguous, Site.Moved ? 2 : 0, *S);
    const std::string Name =
        Site.Name.empty() ? "its operand" : "'" + Site.Name + "'";
    Found.Message =
        "contiguous(" + Site.Format + ") does nothing: " + Name + " is " +
        (Site.Format.empty() ? "contiguous" : Site.Format) + " already";
    // ggml_cont_2d(x, a, b) of a contiguous x: ggml_reshape_2d(x, a, b).
    std::string Reshape = ggmlReshape(*S, Site);
    if (Site.Ggml) {
      Found.Message = Site.Format + " copies " + Site.Copies + " elements; " +
                      Name + " is contiguous already";
      if (Site.Moved)
        Found.Message += ", as only dimensions of size 1 have moved: reshape "
                         "them instead";
      else if (!Reshape.empty())
        Found.Message += "; " + Reshape + "() copies nothing";
    }
    const Provenance *P = Site.Prov.get();
    while (P && P->What.empty())
      P = P->Parent.get();
    // Not the tensor that was cloned, which may have gaps.
    if (P && P->O == Op::Clone && Site.Name.empty() && !Site.Ggml)
      Found.Message =
          "contiguous(" + Site.Format + ") does nothing: the clone is packed";
    if (P) {
      llvm::StringRef What = P->What;
      std::string Text = Name == "its operand" ? "it" : Name;
      if (P->Checked)
        Text += " is known to be contiguous from here: " + P->What;
      else if (What.starts_with("contiguous(") ||
               (P->Fresh && opClass(P->O) == OpClass::MaybeCopy))
        Text += " is the result of " + P->What + " here";
      else if (P->Fresh)
        Text += " is a fresh allocation made here: " + P->What;
      else
        Text = gotLayout(Text, *P).Text;
      Found.Notes.push_back({P->Where, Text});
    }
    if (Site.Moved) {
      C.Out.push_back(std::move(Found));
      continue;
    }
    if (!Reshape.empty() && (S->Edits & EditRenameCallee))
      Found.Edits.push_back({Edit::RenameCallee, S->Callee, Range(), Reshape});
    else if (Reshape.empty() && (S->Edits & EditDropCall))
      Found.Edits.push_back({Edit::DropCall, S->Where, S->Object, ""});
    C.Out.push_back(std::move(Found));
  }
}

} // namespace tensortidy::analysis
