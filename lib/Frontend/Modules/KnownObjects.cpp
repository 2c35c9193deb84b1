//===- KnownObjects.cpp - what methods know of their object ---------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Modules/KnownObjects.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/FunctionBuilder.h"
#include "Frontend/Build/PlaceFinder.h"
#include "Frontend/Build/VariableTable.h"
#include "Frontend/Modules/InitialValues.h"
#include "Frontend/Modules/SettingLowering.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;

void KnownObjects::give(const ModuleSpec &M, VarId Object, const Expr &At) {
  const CXXConstructorDecl *Ctor =
      M.Users->hasDefinition() ? onlyConstructor(*M.Users) : nullptr;
  if (!Ctor || M.Args.size() > Ctor->getNumParams() ||
      makesSome(Kinds.model(), *Ctor))
    return;
  auto Give = [&](VarId V, ValueId Value) {
    program::Stmt &S = Build.emit(Op::Store, &At);
    S.Var = V;
    S.Args.push_back({"", Value, Role::Read, NoId, true});
  };
  auto IsNumber = [](QualType T) {
    return T.getNonReferenceType()->isIntegerType();
  };
  for (unsigned I = 0; I < Ctor->getNumParams(); ++I) {
    const ParmVarDecl &P = *Ctor->getParamDecl(I);
    const Expr *Value = I < M.Args.size() ? M.Args[I]
                        : P.hasDefaultArg() &&
                                !P.hasUninstantiatedDefaultArg() &&
                                !P.hasUnparsedDefaultArg()
                            ? P.getDefaultArg()
                            : nullptr;
    if (!Value)
      return;
    if (IsNumber(P.getType())) {
      const ValueId Number = Settings.value(Value, &At);
      Give(Vars.member(Object, P), Number);
      continue;
    }
    const CXXRecordDecl *R = recordOf(P.getType());
    if (!R || Kinds.isLibrary(*R) || !R->hasDefinition())
      continue;
    const VarId From = Settings.givenVar(Value);
    if (From == NoId)
      continue;
    const VarId To = Vars.member(Object, P);
    for (const FieldDecl *F : R->fields())
      if (IsNumber(F->getType())) {
        const ValueId Number = Build.load(Vars.member(From, *F), &At);
        Give(Vars.member(To, *F), Number);
      }
  }
}

void KnownObjects::know(const CallSite &C, Call &To) {
  if (!C.Object || To.This == ThisKind::Same)
    return;
  const Expr *Object = arrowObject(C.Object);
  if (const auto *U = dyn_cast<UnaryOperator>(strip(Object));
      U && U->getOpcode() == UO_Deref)
    Object = U->getSubExpr();
  ModuleSpec Spec;
  if (!Modules.read(Object, Spec) || !Spec.Users)
    return;
  if (To.This == ThisKind::None) {
    const Place P = Places.pointee(Object);
    if (!P || !P.Exact)
      return;
    To.This = ThisKind::Variable;
    To.ThisVar = P.Var;
  }
  give(Spec, To.ThisVar, *C.E);
}
