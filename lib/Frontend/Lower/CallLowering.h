//===- CallLowering.h - which way a call is lowered -------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first that knows what it means: a test for a module, the vocabulary
// around tensors, a module, a model, and what may happen at the worst.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_LOWER_CALLLOWERING_H
#define TENSORTIDY_FRONTEND_LOWER_CALLLOWERING_H

#include "Program/Program.h"

namespace clang {
class CallExpr;
} // namespace clang

namespace tensortidy::frontend {

class ApiCallLowering;
class MemberLowering;
class ModuleCallLowering;
class ModulePlaces;
class OpaqueCallLowering;
class StandardLowering;
class Types;

class CallLowering {
public:
  CallLowering(Types &Kinds, MemberLowering &Members,
               StandardLowering &Standard, ModuleCallLowering &ModuleCalls,
               ModulePlaces &Placed, ApiCallLowering &ApiCalls,
               OpaqueCallLowering &OpaqueCalls)
      : Kinds(Kinds), Members(Members), Standard(Standard),
        ModuleCalls(ModuleCalls), Placed(Placed), ApiCalls(ApiCalls),
        OpaqueCalls(OpaqueCalls) {}

  program::ValueId call(const clang::CallExpr &E);

private:
  Types &Kinds;
  MemberLowering &Members;
  StandardLowering &Standard;
  ModuleCallLowering &ModuleCalls;
  ModulePlaces &Placed;
  ApiCallLowering &ApiCalls;
  OpaqueCallLowering &OpaqueCalls;
};

} // namespace tensortidy::frontend

#endif
