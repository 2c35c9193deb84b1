//===- Recording.cpp - who may run while nothing is recorded --------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Ast/Recording.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/Types.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using program::Attribute;

bool Unrecorded::has(const FunctionDecl &F) const {
  if (All || Some.contains(F.getCanonicalDecl()))
    return true;
  // Who calls the method of a base may mean this one.
  const auto *M = dyn_cast<CXXMethodDecl>(&F);
  return M && (Classes.contains(M->getParent()->getCanonicalDecl()) ||
               llvm::any_of(M->overridden_methods(),
                            [&](const CXXMethodDecl *Of) { return has(*Of); }));
}

/// Whether an object of type \p T switches recording off while it lives, or
/// may.
bool Recording::guards(QualType T, unsigned Depth) const {
  const CXXRecordDecl *R = recordOf(T.getNonReferenceType());
  if (!R || !R->hasDefinition() || Depth > 3)
    return false;
  const auto Said = saidOfClass(R, Kinds);
  if (Said.has(Attribute::NoGrad) || Said.has(Attribute::SwitchesGradients))
    return true;
  return !Kinds.isLibrary(*R) &&
         llvm::any_of(R->getDefinition()->fields(), [&](const FieldDecl *F) {
           return guards(F->getType(), Depth + 1);
         });
}

void Recording::off(const FunctionDecl *In) {
  if (!In)
    Out.All = true;
  else if (Out.Some.insert(In->getCanonicalDecl()).second)
    Work.push_back(In->getCanonicalDecl());
}

void Recording::named(const FunctionDecl &F, const FunctionDecl *In) {
  if (In)
    Names[In->getCanonicalDecl()].push_back(F.getCanonicalDecl());
}

void Recording::variable(const ValueDecl &V, const FunctionDecl *In) {
  if (guards(V.getType()))
    off(In);
}

void Recording::expression(const Expr &E, const FunctionDecl *In) {
  if (const auto *R = dyn_cast<DeclRefExpr>(&E)) {
    if (const auto *F = dyn_cast<FunctionDecl>(R->getDecl()))
      named(*F, In);
  } else if (const auto *M = dyn_cast<MemberExpr>(&E)) {
    if (const auto *F = dyn_cast<FunctionDecl>(M->getMemberDecl()))
      named(*F, In);
  } else if (const auto *C = dyn_cast<CXXConstructExpr>(&E)) {
    named(*C->getConstructor(), In);
    if (guards(C->getType()))
      off(In);
  }
  const auto *C = dyn_cast<CallExpr>(&E);
  const FunctionDecl *F = C ? C->getDirectCallee() : nullptr;
  if (!F || !F->getIdentifier())
    return;
  program::Attributes Said = saidOf(F, Kinds);
  Said |= Kinds.attributes(F->getName(), /*IsOperation=*/true);
  const bool Switches = Said.has(Attribute::SwitchesGradients) &&
                        !isa<CXXMemberCallExpr>(C); // x.detach_() does for x
  const auto *Asked = Said.has(Attribute::AsksGradient) && C->getNumArgs()
                          ? dyn_cast<CXXBoolLiteralExpr>(strip(C->getArg(0)))
                          : nullptr;
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(In);
  const bool Freezes = Asked && !Asked->getValue();
  if (Freezes && Method)
    Out.Classes.insert(Method->getParent()->getCanonicalDecl());
  else if (Freezes || Switches || Said.has(Attribute::FreezesModules))
    Out.All = true;
}

Unrecorded Recording::take() {
  while (!Work.empty()) {
    const FunctionDecl *F = Work.back();
    Work.pop_back();
    auto It = Names.find(F);
    if (It != Names.end())
      for (const FunctionDecl *Named : It->second)
        off(Named);
  }
  return std::move(Out);
}
