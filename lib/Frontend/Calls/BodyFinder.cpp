//===- BodyFinder.cpp - calls whose body can be seen ----------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Calls/BodyFinder.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/Surroundings.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/ConstantMaker.h"
#include "Frontend/Build/FunctionBuilder.h"
#include "Frontend/Build/Lowerer.h"
#include "Frontend/Build/PlaceFinder.h"
#include "Frontend/Build/UnitTable.h"
#include "Frontend/Modules/KnownObjects.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;
using llvm::StringRef;

/// The call operator of a lambda that is no template, or null.
static const CXXMethodDecl *callOperator(QualType T) {
  const CXXRecordDecl *R = recordOf(T);
  return R && R->isLambda() && !R->isGenericLambda()
             ? R->getLambdaCallOperator()
             : nullptr;
}

/// Functions that run what they are given, now and with all its effects.
static bool runsItsArgument(StringRef Name) {
  static const llvm::StringSet<> Names{
      "parallel_for", "parallel_reduce", "for_each",  "for_each_n",
      "transform",    "generate",        "call_once", "accumulate",
      "any_of",       "all_of",          "none_of",   "find_if",
      "count_if",     "invoke",          "apply",     "visit"};
  return Names.contains(Name);
}

const FunctionDecl *BodyFinder::followed(const CallSite &C, Call &To) {
  const FunctionDecl *F = C.Callee;
  if (!F)
    return nullptr;
  const CXXRecordDecl *Module =
      C.Object ? Kinds.moduleOf(C.Object->getType()) : nullptr;
  if (Module && C.Name == "operator()" && !Kinds.isLibrary(*Module)) {
    // A holder's call runs forward() of the module it holds.
    F = forwardOf(*Module);
    if (!F)
      return nullptr;
  } else if (Kinds.isLibrary(*F)) {
    if (C.Object || !F->getIdentifier() || !runsItsArgument(F->getName()))
      return nullptr;
    const CXXMethodDecl *Runs = nullptr;
    for (const Expr *A : C.Args)
      if (const CXXMethodDecl *One = callOperator(A->getType())) {
        if (Runs)
          return nullptr;
        Runs = One;
      }
    if (!Runs)
      return nullptr;
    To.PassedOn = true;
    F = Runs;
  } else if (const auto *M = dyn_cast<CXXMethodDecl>(F);
             M && M->isInstance() && !M->getParent()->isLambda() &&
             !isa<CXXConstructorDecl>(M)) {
    if (!C.Object)
      return nullptr;
    if (M->isVirtual()) {
      const auto *Named = dyn_cast<MemberExpr>(
          cast<CallExpr>(C.E)->getCallee()->IgnoreParens());
      if (!Named || !Named->hasQualifier())
        M = const_cast<CXXMethodDecl *>(M)->getDevirtualizedMethod(C.Object,
                                                                   false);
      if (!M)
        return nullptr;
      F = M;
    }
    const Expr *Object = strip(C.Object);
    bool IsPointer = C.Object->getType()->isPointerType();
    const auto *Deref = dyn_cast<UnaryOperator>(Object);
    if (Deref && Deref->getOpcode() == UO_Deref)
      Object = strip(Deref->getSubExpr());
    const auto *Arrow = dyn_cast<CXXOperatorCallExpr>(Object);
    if (isa<CXXThisExpr>(Object)) {
      To.This = ThisKind::Same;
    } else if (Place P = IsPointer || Deref ? Places.pointee(Object)
                                            : Places.place(Object);
               P && P.Exact) {
      To.This = ThisKind::Variable;
      To.ThisVar = P.Var;
    } else if (!M->isConst() && !(Arrow && Arrow->getOperator() == OO_Arrow)) {
      return nullptr; // it may change what this function names otherwise
    }
  }
  const FunctionDecl *Definition = visibleBody(*F);
  if (!Definition || isa<CXXDestructorDecl, CXXConversionDecl>(Definition))
    return nullptr;
  if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(Definition)) {
    if (C.Made == NoId || Ctor->isDelegatingConstructor())
      return nullptr;
    To.This = ThisKind::Variable;
    To.ThisVar = C.Made;
  }
  return Definition;
}

/// What a parameter of type \p Param is bound to by \p E: a reference and a
/// class that is only read to the variable itself, anything else to its value.
Binding BodyFinder::bind(const Expr *E, QualType Param) {
  Binding B;
  const Expr *Inner = strip(E);
  if (Kinds.kind(E->getType()) == Kind::Void || isa<CXXThisExpr>(Inner))
    return B;
  if (Param->isReferenceType() && !Param->isRValueReferenceType()) {
    bool IsConst = Param.getNonReferenceType().isConstQualified();
    // A vector stays the caller's own, whose memory it is.
    if (!IsConst || Kinds.kind(Inner->getType()) == Kind::Other ||
        (!Kinds.elementType(Inner->getType()).isNull() &&
         Context.hasSameUnqualifiedType(Inner->getType().getNonReferenceType(),
                                        Param.getNonReferenceType())))
      if (Place P = Places.place(E); P && P.Exact) {
        B.Var = P.Var;
        return B;
      }
  }
  if (isa<InitListExpr>(Inner) && Kinds.kind(E->getType()) == Kind::Other &&
      Kinds.fields(E->getType()).empty())
    return B;
  if (Place P = Places.pointee(E); P && P.Exact)
    B.Pointee = P.Var;
  B.Value = Lower.value(E);
  return B;
}

std::shared_ptr<const Call> BodyFinder::bodyOf(const CallSite &C,
                                               llvm::ArrayRef<Arg> Passed) {
  Call To;
  const FunctionDecl *F = followed(C, To);
  if (!F || Around.isExpected(C.E))
    return nullptr;
  To.Body = Unit.idOf(*F);
  Known.know(C, To);
  To.IsHere = !To.PassedOn && C.Object && isa<LambdaExpr>(strip(C.Object));
  if (!To.PassedOn)
    for (size_t I = 0; I < F->getNumParams(); ++I) {
      const ParmVarDecl *P = F->getParamDecl(I);
      Binding B;
      if (I < C.Args.size()) {
        B = bind(C.Args[I], P->getType());
      } else if (const ParmVarDecl *Named = C.Callee->getNumParams() > I
                                                ? C.Callee->getParamDecl(I)
                                                : nullptr;
                 Named && Named->hasDefaultArg() &&
                 !Named->hasUninstantiatedDefaultArg() &&
                 !Named->hasUnparsedDefaultArg()) {
        // Its other parts would be evaluated here a second time.
        const Expr *Default = strip(Named->getDefaultArg());
        if (const auto *Made = dyn_cast<CXXConstructExpr>(Default);
            Made && Made->getNumArgs() == 1)
          Default = strip(Made->getArg(0));
        if (Kinds.kind(Default->getType()) == Kind::None)
          B.Value = Build.constNone(C.E);
        else if (!Constants.known(Default, B.Value))
          B.Value = 0;
      }
      To.Params.push_back(B);
    }
  for (const Arg &A : Passed) {
    if (A.R != Role::Write || A.Var == NoId)
      continue;
    bool Seen = To.This == ThisKind::Variable && To.ThisVar == A.Var;
    for (const Binding &B : To.Params)
      Seen |= B.Var == A.Var || B.Pointee == A.Var;
    if (!Seen && !To.IsHere)
      To.Pointees.push_back(A.Var);
  }
  return std::make_shared<Call>(std::move(To));
}
