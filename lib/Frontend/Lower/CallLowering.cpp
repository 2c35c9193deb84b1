//===- CallLowering.cpp - which way a call is lowered ---------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lower/CallLowering.h"
#include "Frontend/Ast/CallSite.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Calls/ApiCallLowering.h"
#include "Frontend/Calls/OpaqueCallLowering.h"
#include "Frontend/Library/StandardLowering.h"
#include "Frontend/Modules/MemberLowering.h"
#include "Frontend/Modules/ModuleCallLowering.h"
#include "Frontend/Modules/ModulePlaces.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;

ValueId CallLowering::call(const CallExpr &E) {
  CallSite C = callSite(E, Kinds);
  ValueId V = 0;
  if (C.Callee)
    Placed.remembers(C);
  if (C.Callee && (Members.holdsCall(C, V) || Standard.call(C, V)))
    return V;
  if (C.Callee) {
    Placed.enters(C);
    Placed.steps(C);
    CallSite WithSettings = C;
    addSettings(WithSettings, Kinds);
    if (ModuleCalls.call(C, V) || ApiCalls.call(WithSettings, V))
      return V;
  }
  V = OpaqueCalls.call(C);
  Placed.moved(C);
  return V;
}
