//===- InitialValues.cpp - what constructors give their members -----------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Modules/InitialValues.h"
#include "Frontend/Ast/Code.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;
using llvm::StringRef;

/// Whether an operation that a model has under this name is of class \p K.
static bool isOfClass(const models::ApiModel &Model, StringRef Method,
                      OpClass K) {
  return llvm::any_of(Model.named(Method),
                      [&](const models::Api *A) { return opClass(A->O) == K; });
}

bool frontend::changesLayout(const models::ApiModel &Model, StringRef Method) {
  return isOfClass(Model, Method, OpClass::InPlaceMeta);
}

bool frontend::writesElements(const models::ApiModel &Model, StringRef Method) {
  return isOfClass(Model, Method, OpClass::InPlaceData);
}

namespace {

/// \p Always: in what runs when \p When holds, or always.
void findAssigned(const models::ApiModel &Model, const clang::Stmt *S,
                  const ValueDecl &D, bool Always, Assigned &Out,
                  const Expr *When = nullptr) {
  if (!S)
    return;
  if (const auto *If = dyn_cast<IfStmt>(S);
      If && Always && !When && !If->getInit() && !If->getConditionVariable()) {
    findAssigned(Model, If->getCond(), D, false, Out);
    findAssigned(Model, If->getThen(), D, true, Out, If->getCond());
    return findAssigned(Model, If->getElse(), D, false, Out);
  }
  auto To = [&](const Expr *Target, const Expr *Value) {
    if (namedBy(Target) != &D) { // a part of it
      while (const auto *M =
                 dyn_cast<MemberExpr>(Target->IgnoreParenImpCasts()))
        Out.Otherwise |= namedBy(Target = M->getBase()) == &D && !M->isArrow();
      return;
    }
    Out.Otherwise |= !Value;
    Out.Sometimes |= !Always || When;
    Out.When = Always ? When : nullptr;
    Out.Values.push_back(Value);
  };
  if (const auto *C = dyn_cast<CXXOperatorCallExpr>(S);
      C && C->getOperator() == OO_Equal)
    To(C->getArg(0), C->getArg(1));
  else if (const auto *B = dyn_cast<BinaryOperator>(S);
           B && B->isAssignmentOp())
    To(B->getLHS(), B->getOpcode() == BO_Assign ? B->getRHS() : nullptr);
  else if (const auto *U = dyn_cast<UnaryOperator>(S);
           U && (U->isIncrementDecrementOp() || U->getOpcode() == UO_AddrOf))
    To(U->getSubExpr(), nullptr);
  else if (const auto *M = dyn_cast<CXXMemberCallExpr>(S)) {
    // A sequence that grows, a module that gets other settings.
    const Expr *Object = M->getImplicitObjectArgument();
    const CXXMethodDecl *Method = M->getMethodDecl();
    static const llvm::StringSet<> Changes{"push_back", "extend", "insert",
                                           "reset", "swap"};
    const StringRef Name =
        Method && Method->getIdentifier() ? Method->getName() : StringRef();
    if (Object && Name == "push_back" && Always && !When &&
        namedBy(arrowObject(Object)) == &D)
      Out.Pushed.push_back(M->getArg(M->getNumArgs() - 1));
    else if (Object && (Changes.contains(Name) || changesLayout(Model, Name)))
      To(arrowObject(Object), nullptr);
  } else if (const auto *F = dyn_cast<MemberExpr>(S);
             F && F->getMemberDecl()->getName() == "options") {
    To(arrowObject(F->getBase()), nullptr);
  }
  const bool Inside =
      isa<CompoundStmt, ExprWithCleanups, ImplicitCastExpr, DeclStmt>(S);
  for (const clang::Stmt *Child : S->children())
    findAssigned(Model, Child, D, Always && Inside, Out, When);
}

} // namespace

Assigned frontend::assignedIn(const models::ApiModel &Model,
                              const clang::Stmt *Body, const ValueDecl &D) {
  Assigned A;
  findAssigned(Model, Body, D, true, A);
  return A;
}

const Expr *frontend::valueAt(const models::ApiModel &Model, const VarDecl &V,
                              const Expr &At) {
  const auto *In = dyn_cast<FunctionDecl>(V.getDeclContext());
  const Expr *Value = V.getInit();
  if (!In || isa<ParmVarDecl>(V))
    return nullptr;
  const Assigned A = assignedIn(Model, In->getBody(), V);
  if (A.Otherwise || A.Sometimes || !A.Pushed.empty())
    return nullptr;
  const SourceManager &SM = In->getASTContext().getSourceManager();
  for (const Expr *E : A.Values)
    if (SM.isBeforeInTranslationUnit(E->getEndLoc(), At.getBeginLoc()))
      Value = E;
  return Value;
}

bool frontend::isChanged(const models::ApiModel &Model, const clang::Stmt *Body,
                         const ValueDecl &D) {
  const Assigned A = assignedIn(Model, Body, D);
  return !A.Values.empty() || !A.Pushed.empty() || A.Otherwise;
}

bool frontend::isNothing(const Expr *E) {
  if (!E)
    return false;
  E = E->IgnoreUnlessSpelledInSource();
  if (const auto *L = dyn_cast<InitListExpr>(E))
    return !L->getNumInits() ||
           (L->getNumInits() == 1 && isNothing(L->getInit(0)));
  const auto *C = dyn_cast<CXXConstructExpr>(E);
  if (C && !C->getNumArgs()) { // a holder makes a module
    const CXXRecordDecl *R = C->getConstructor()->getParent();
    return R->getName() == "shared_ptr" || R->getName() == "unique_ptr";
  }
  return isa<CXXNullPtrLiteralExpr>(E) ||
         (C && C->getNumArgs() == 1 && isNothing(C->getArg(0)));
}

bool frontend::isUnset(const Expr *E) {
  const auto *C = dyn_cast<CXXConstructExpr>(strip(E));
  return isNothing(E) || (C && !C->getNumArgs());
}

/// Whether the constructor \p C always calls \p M of its own object.
static bool alwaysCalls(const CXXConstructorDecl &C, const CXXMethodDecl &M) {
  const auto *Body = dyn_cast_or_null<CompoundStmt>(C.getBody());
  if (!Body)
    return false;
  for (const clang::Stmt *S : Body->body()) {
    const auto *E = dyn_cast<Expr>(S);
    const auto *Call =
        E ? dyn_cast<CXXMemberCallExpr>(E->IgnoreImplicit()) : nullptr;
    if (Call && Call->getMethodDecl() &&
        Call->getMethodDecl()->getCanonicalDecl() == M.getCanonicalDecl() &&
        isa<CXXThisExpr>(
            Call->getImplicitObjectArgument()->IgnoreParenImpCasts()))
      return true;
  }
  return false;
}

const CXXConstructorDecl *
frontend::onlyConstructor(const CXXRecordDecl &Class) {
  const CXXConstructorDecl *Only = nullptr;
  for (const CXXConstructorDecl *C : Class.ctors()) {
    if (C->isImplicit() || C->isCopyOrMoveConstructor() || C->isDeleted())
      continue;
    const FunctionDecl *Definition = nullptr;
    if (Only || !C->hasBody(Definition))
      return nullptr;
    Only = cast<CXXConstructorDecl>(Definition);
  }
  return Only && !Only->isDelegatingConstructor() ? Only : nullptr;
}

Assigned frontend::initialValues(const models::ApiModel &Model,
                                 const FieldDecl &F, bool SomePath,
                                 const FunctionDecl *Except) {
  Assigned None, Out;
  const auto *Class = dyn_cast<CXXRecordDecl>(F.getParent());
  if (!Class || Class->isDependentContext())
    return None;
  const Expr *Value = F.getInClassInitializer();
  const CXXConstructorDecl *Ctor = nullptr;
  for (const CXXConstructorDecl *C : Class->ctors()) {
    if (C->isImplicit() || C->isCopyOrMoveConstructor() || C->isDeleted())
      continue;
    const FunctionDecl *Definition = nullptr;
    if (!C->isDefaulted() && !C->hasBody(Definition))
      return None;
    const auto *Defined = cast<CXXConstructorDecl>(Definition ? Definition : C);
    if (Defined->isDelegatingConstructor() &&
        !isChanged(Model, Defined->getBody(), F))
      continue;
    if (Ctor)
      return None;
    Ctor = Defined;
    for (const CXXCtorInitializer *I : Ctor->inits())
      if (I->getMember() == &F && !isa<CXXDefaultInitExpr>(I->getInit()))
        Value = I->getInit();
  }
  if (Value)
    Out.Values.push_back(Value);
  if (Ctor)
    findAssigned(Model, Ctor->getBody(), F, true, Out);
  bool Within = false; // what one method makes, and the constructor calls
  for (const CXXMethodDecl *M : Class->methods()) {
    const FunctionDecl *Definition = nullptr;
    if (isa<CXXConstructorDecl>(M) || !M->hasBody(Definition) ||
        Definition == Except || !isChanged(Model, Definition->getBody(), F))
      continue;
    if (Within || !Ctor || M->getNumParams() || !alwaysCalls(*Ctor, *M))
      return None;
    Within = true;
    findAssigned(Model, Definition->getBody(), F, true, Out);
  }
  if (Out.Sometimes && SomePath) {
    llvm::erase_if(Out.Values, isNothing);
    SomePath = Out.Values.size() == 1;
  }
  return Out.Otherwise || (Out.Sometimes && !SomePath) ? None : Out;
}

bool frontend::isComputed(const Expr *E, const ASTContext &Context,
                          llvm::function_ref<bool(const Expr &)> Knows) {
  E = E->IgnoreParenImpCasts();
  auto Is = [&](const Expr *Part) { return isComputed(Part, Context, Knows); };
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return !B->isAssignmentOp() && Is(B->getLHS()) && Is(B->getRHS());
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return U->getOpcode() == UO_LNot && Is(U->getSubExpr());
  return E->getType()->isIntegerType() &&
         (Knows(*E) || (!E->isValueDependent() && E->isEvaluatable(Context)));
}

bool frontend::makesSome(const models::ApiModel &Model,
                         const CXXConstructorDecl &Ctor) {
  return llvm::any_of(Ctor.getParent()->fields(), [&](const FieldDecl *F) {
    const Assigned A = assignedIn(Model, Ctor.getBody(), *F);
    return A.Sometimes && (A.Values.size() != 1 || !A.When ||
                           !isComputed(A.When, Ctor.getASTContext()));
  });
}

const Expr *frontend::initialValue(const models::ApiModel &Model,
                                   const FieldDecl &F) {
  const Assigned A = initialValues(Model, F);
  return A.Values.empty() || !A.Pushed.empty() ? nullptr : A.Values.back();
}
