//===- ModuleTypes.cpp - modules, and what moves them ---------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Ast/ModuleTypes.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/Types.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;
using llvm::StringRef;

bool frontend::isModuleClass(const CXXRecordDecl *R, Types &Kinds,
                             unsigned Depth) {
  if (!R || Depth > 8)
    return false;
  const StringRef Name = Kinds.name(*R);
  if (Name.ends_with("::nn::Module") || Name == "torch::jit::Module")
    return true;
  return R->hasDefinition() &&
         llvm::any_of(R->bases(), [&](const CXXBaseSpecifier &B) {
           return isModuleClass(recordOf(B.getType()), Kinds, Depth + 1);
         });
}

const CXXRecordDecl *frontend::moduleClass(QualType T, Types &Kinds) {
  if (const CXXRecordDecl *Held = Kinds.moduleOf(T))
    return Held;
  T = T.getNonReferenceType();
  if (T->isPointerType())
    T = T->getPointeeType();
  const CXXRecordDecl *R = recordOf(T);
  if (const auto *S = dyn_cast_or_null<ClassTemplateSpecializationDecl>(R);
      S && (Kinds.name(*R) == "std::shared_ptr" ||
            Kinds.name(*R) == "std::unique_ptr"))
    R = recordOf(S->getTemplateArgs()[0].getAsType());
  return isModuleClass(R, Kinds) ? R : nullptr;
}

bool frontend::isDeviceType(QualType T, Types &Kinds) {
  T = T.getNonReferenceType();
  if (const CXXRecordDecl *R = recordOf(T))
    return StringRef(Kinds.name(*R)).ends_with("::Device");
  const auto *E = T->getAs<EnumType>();
  return E && StringRef(Kinds.name(*E->getDecl())).ends_with("::DeviceType");
}

bool frontend::convertsModules(const CallExpr &C, Types &Kinds) {
  const FunctionDecl *F = C.getDirectCallee();
  return F && F->getIdentifier() &&
         Kinds.model()
             .attributesOf(Kinds.name(*F), false)
             .has(Attribute::ConvertsModules) &&
         llvm::any_of(F->parameters(), [&](const ParmVarDecl *P) {
           return !P->getType()->isBooleanType() &&
                  !isDeviceType(P->getType(), Kinds);
         });
}

bool frontend::movesObject(const CXXMemberCallExpr &C, Types &Kinds) {
  return saidOf(C.getMethodDecl(), Kinds).has(Attribute::MovesModules);
}

bool frontend::movesModule(const CXXMemberCallExpr &C, Types &Kinds) {
  return movesObject(C, Kinds) &&
         moduleClass(strip(C.getImplicitObjectArgument())->getType(), Kinds);
}

/// The parameter of the forward() that \p C runs which gets operand \p I, and
/// the function; null for other calls.
static std::pair<const FunctionDecl *, const ParmVarDecl *>
forwarded(const CallExpr &C, unsigned I, Types &Kinds) {
  const FunctionDecl *F = C.getDirectCallee();
  if (const auto *O = dyn_cast<CXXOperatorCallExpr>(&C)) {
    const CXXRecordDecl *Module =
        O->getOperator() == OO_Call && I
            ? moduleClass(O->getArg(0)->getType(), Kinds)
            : nullptr;
    F = Module && Module->hasDefinition() ? forwardOf(*Module->getDefinition())
                                          : nullptr;
    --I;
  }
  const FunctionDecl *Body = nullptr;
  return F && I < F->getNumParams() && F->hasBody(Body)
             ? std::pair(Body, Body->getParamDecl(I))
             : std::pair<const FunctionDecl *, const ParmVarDecl *>();
}

/// Whether \p Body moves \p Tensor itself, or gives it to who does.
static bool movesTensor(const clang::Stmt *Body, const ValueDecl &Tensor,
                        Types &Kinds, unsigned Depth) {
  constexpr unsigned Deepest = 4;
  if (!Body || Depth > Deepest)
    return false;
  const auto *Any = dyn_cast<CallExpr>(Body);
  for (unsigned I = 0; Any && I < Any->getNumArgs(); ++I)
    if (namedBy(copied(Any->getArg(I))) == &Tensor)
      if (const auto [F, P] = forwarded(*Any, I, Kinds);
          F && movesTensor(F->getBody(), *P, Kinds, Depth + 1))
        return true;
  if (const auto *C = dyn_cast<CXXMemberCallExpr>(Body);
      C && C->getMethodDecl() && movesObject(*C, Kinds) &&
      namedBy(strip(C->getImplicitObjectArgument())) == &Tensor) {
    const CXXMethodDecl *M = C->getMethodDecl();
    const QualType To =
        M->getNumParams() ? M->getParamDecl(0)->getType() : QualType();
    if (To.isNull() || !To->isEnumeralType() || isDeviceType(To, Kinds))
      return true;
  }
  return llvm::any_of(Body->children(), [&](const clang::Stmt *Child) {
    return movesTensor(Child, Tensor, Kinds, Depth);
  });
}

bool frontend::movesTensor(const clang::Stmt *Body, const ValueDecl &Tensor,
                           Types &Kinds) {
  return ::movesTensor(Body, Tensor, Kinds, 0);
}
