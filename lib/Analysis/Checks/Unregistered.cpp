//===- Unregistered.cpp - modules that nothing trains ---------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantifier: every object of the class. What forward() runs is a part of it
// that nothing registers, so that parameters() does not give its weights:
//
//   Net() { heads.push_back(Linear(8, 2)); }          the module
//   forward(x) { return heads[0]->forward(x); }       runs it, and records
//
// The frontend says where such a module is made (Frontend/Modules/LeftBehind.h)
// as long as nobody else gets hold of it.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Checks/Gradients.h"
#include "Analysis/Checks/TrainingLoops.h"
#include "llvm/ADT/DenseSet.h"

namespace tensortidy::analysis {

using namespace program;

void checkUnregistered(CheckRun &C) {
  if (!C.F.IsForward)
    return;
  const Gradients Grads(C);
  llvm::DenseSet<uint32_t> Told;
  forEachStmt(C.F, [&](BlockId, const Stmt &S) {
    const Arg *Module = S.O == Op::Enters ? findArg(S, "module") : nullptr;
    const Stmt *Made = Module ? C.Held.def(Module->Value) : nullptr;
    if (!Made || Made->O != Op::Placed || !Made->Before || S.Context ||
        Grads.isGuarded(S) || !Told.insert(Made->Where.Begin).second)
      return;
    Finding Found(Check::MissingGradient, 1, S);
    Found.At = &S;
    Found.Where = Found.Point = Made->Where;
    Found.Message = "'" + Made->Text +
                    "' is not registered: no optimizer trains this module, as "
                    "parameters() of the class does not give its weights; "
                    "neither does to() move them, nor save() keep them";
    Found.Notes.push_back({S.point(), "forward() runs it here"});
    C.Out.push_back(std::move(Found));
  });
}

} // namespace tensortidy::analysis
