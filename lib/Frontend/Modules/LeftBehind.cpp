//===- LeftBehind.cpp - members that do not move with their module --------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Modules/LeftBehind.h"
#include "Frontend/Ast/CallSite.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/ModuleTypes.h"
#include "Frontend/Ast/Types.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;

/// Whether \p S is a call that registers a module, parameter or buffer.
static bool isRegistration(const clang::Stmt *S) {
  const auto *C = dyn_cast<CXXMemberCallExpr>(S);
  const CXXMethodDecl *M = C ? C->getMethodDecl() : nullptr;
  return M && M->getIdentifier() && M->getName().starts_with("register_");
}

/// Whether a part of \p S is what a registration gives:
/// `Sequential(register_module("fc", Linear(4, 4)), ReLU())`.
static bool holdsRegistered(const clang::Stmt *S) {
  if (!S)
    return false;
  return isRegistration(S) || llvm::any_of(S->children(), holdsRegistered);
}

/// Whether \p S registers what \p Is tells: `register_buffer("mask", mask)`.
static bool registers(const clang::Stmt *S,
                      llvm::function_ref<bool(const ValueDecl &)> Is,
                      bool Within = false) {
  if (!S)
    return false;
  if (isRegistration(S)) {
    Within = true;
  } else if (const auto *C = dyn_cast<CXXMemberCallExpr>(S); C && Within) {
    const CXXMethodDecl *M = C->getMethodDecl();
    const CXXRecordDecl *Of =
        recordOf(strip(C->getImplicitObjectArgument())->getType());
    if (M && M->getIdentifier() && Of && recordOf(C->getType()) == Of &&
        !C->getType()->isReferenceType() && !M->getName().ends_with("_") &&
        !M->getName().starts_with("set_"))
      return false; // another one, made of it
  }
  if (const auto *E = dyn_cast<Expr>(S); E && Within)
    if (const ValueDecl *D = namedBy(E); D && Is(*D))
      return true;
  return llvm::any_of(S->children(), [&](const clang::Stmt *Child) {
    return registers(Child, Is, Within);
  });
}

/// Whether \p E names what \p Is tells.
static bool names(const clang::Stmt *E,
                  llvm::function_ref<bool(const ValueDecl &)> Is) {
  if (!E)
    return false;
  if (const auto *X = dyn_cast<Expr>(E))
    if (const ValueDecl *D = namedBy(X); D && Is(*D))
      return true;
  return llvm::any_of(E->children(), [&](const clang::Stmt *Child) {
    return names(Child, Is);
  });
}

/// Whether a body of \p Class registers what \p Is tells.
static bool registersAny(const CXXRecordDecl &Class,
                         llvm::function_ref<bool(const ValueDecl &)> Is) {
  for (const CXXMethodDecl *M : Class.methods()) {
    const FunctionDecl *Definition = nullptr;
    if (M->hasBody(Definition) && registers(Definition->getBody(), Is))
      return true;
    const auto *Ctor = dyn_cast_or_null<CXXConstructorDecl>(Definition);
    for (const CXXCtorInitializer *I :
         Ctor ? Ctor->inits()
              : CXXConstructorDecl::init_range(nullptr, nullptr))
      if (registers(I->getInit(), Is))
        return true;
  }
  return false;
}

/// Whether one of \p Values is what a registration gives, or holds such.
static bool registersSome(const Assigned &Values) {
  return llvm::any_of(Values.Values, holdsRegistered);
}

Assigned frontend::leftBehind(const models::ApiModel &Model, const FieldDecl &F,
                              const FunctionDecl &Of) {
  const Assigned Here = assignedIn(Model, Of.getBody(), F);
  const auto *Class = dyn_cast<CXXRecordDecl>(F.getParent());
  if (!Class || Here.Sometimes || Here.Otherwise)
    return {};
  Assigned Out = initialValues(Model, F, false, &Of);
  // Itself, or a local that it is.
  auto Is = [&](const ValueDecl &D) {
    return &D == &F ||
           (isa<VarDecl>(D) && !isa<ParmVarDecl>(D) &&
            llvm::any_of(Out.Values, [&](const Expr *E) {
              return names(E, [&](const ValueDecl &Of) { return &Of == &D; });
            }));
  };
  return registersAny(*Class, Is) || registersSome(Out) ? Assigned() : Out;
}

bool frontend::isRegistered(const models::ApiModel &Model, const FieldDecl &F) {
  const auto *Class = dyn_cast<CXXRecordDecl>(F.getParent());
  return Class &&
         (registersAny(*Class, [&](const ValueDecl &D) { return &D == &F; }) ||
          registersSome(initialValues(Model, F)));
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// \p E without what only copies or converts it.
static const Expr *bare(const Expr *E) {
  while (true) {
    E = strip(E);
    const auto *C = dyn_cast<CXXConstructExpr>(E);
    if (!C || C->getNumArgs() != 1 ||
        !(C->getConstructor()->isCopyOrMoveConstructor() ||
          C->getConstructor()->isConvertingConstructor(false)) ||
        !C->getArg(0)->getType()->isRecordType())
      return E;
    E = C->getArg(0);
  }
}

/// What the variable of a `for (auto &x : xs)` runs over; null for others.
static const Expr *rangeOf(const VarDecl &V) {
  const Expr *E = V.isCXXForRangeDecl() ? V.getInit() : nullptr;
  // *__begin, __begin = begin(__range), __range = xs
  for (unsigned Depth = 0; E && Depth < 8; ++Depth) {
    E = bare(E);
    if (const auto *C = dyn_cast<CXXOperatorCallExpr>(E))
      E = C->getArg(0);
    else if (const auto *M = dyn_cast<CXXMemberCallExpr>(E))
      E = M->getImplicitObjectArgument();
    else if (const auto *U = dyn_cast<UnaryOperator>(E))
      E = U->getSubExpr();
    else if (const auto *R = dyn_cast<DeclRefExpr>(E);
             R && R->getDecl()->isImplicit() && isa<VarDecl>(R->getDecl()))
      E = cast<VarDecl>(R->getDecl())->getInit();
    else
      return E;
  }
  return nullptr;
}

const FieldDecl *frontend::ownPart(const Expr *E, Types &Kinds) {
  for (unsigned Depth = 0; E && Depth < 8; ++Depth) {
    E = bare(arrowObject(strip(E)));
    if (const auto *M = dyn_cast<MemberExpr>(E))
      return isa<CXXThisExpr>(strip(M->getBase()))
                 ? dyn_cast<FieldDecl>(M->getMemberDecl())
                 : nullptr;
    if (const auto *C = dyn_cast<CallExpr>(E)) {
      // xs[i], *x, xs.at(i)
      const Attributes Does = saidOf(C->getDirectCallee(), Kinds);
      if (!Does.has(Attribute::GivesElement) &&
          !Does.has(Attribute::Dereferences))
        return nullptr;
      E = callSite(*C, Kinds).Object;
    } else {
      const auto *R = dyn_cast<DeclRefExpr>(E);
      const auto *V = R ? dyn_cast<VarDecl>(R->getDecl()) : nullptr;
      E = V ? rangeOf(*V) : nullptr;
    }
  }
  return nullptr;
}

namespace {

// The visitor calls them by these names.
// NOLINTBEGIN(bugprone-derived-method-shadowing-base-method)

/// What the methods of a class do with the modules in a field.
class Holding : public RecursiveASTVisitor<Holding> {
public:
  explicit Holding(const FieldDecl &F, Types &Kinds) : F(F), Kinds(Kinds) {}
  bool GoesElsewhere = false; ///< it is registered, moved or handed on
  const Expr *Made = nullptr; ///< a module that is made for it

  bool VisitCallExpr(CallExpr *C) {
    const auto *O = dyn_cast<CXXOperatorCallExpr>(C);
    if (O && O->getOperator() == OO_Equal &&
        namedBy(bare(O->getArg(0))) == &F) {
      given(O->getArg(1));
      return true;
    }
    // Called, or an element of it.
    const unsigned Own = O ? 1 : 0;
    for (unsigned I = Own; I < C->getNumArgs(); ++I)
      GoesElsewhere = GoesElsewhere || isOwn(C->getArg(I));
    return true;
  }
  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *C) {
    const Expr *Object = C->getImplicitObjectArgument();
    const CXXMethodDecl *M = C->getMethodDecl();
    if (!M || !isOwn(Object))
      return true;
    const Attributes Does = saidOf(M, Kinds);
    if (Does.has(Attribute::Appends)) {
      // emplace_back(4, 8) makes one.
      if (C->getNumArgs() == 1 && moduleClass(C->getArg(0)->getType(), Kinds))
        given(C->getArg(0));
      else
        Made = C;
      return true;
    }
    // Operators and conversions ask it, or call it, as forward() does.
    const bool Calls = !M->getIdentifier() || M->getName() == "forward";
    bool Asks = false;
    for (const Attribute A : {Attribute::GivesElement, Attribute::GivesIterator,
                              Attribute::GivesPointer, Attribute::AsksContainer,
                              Attribute::Reserves})
      Asks = Asks || Does.has(A);
    GoesElsewhere = GoesElsewhere || !(Calls || Asks);
    return true;
  }
  bool VisitVarDecl(VarDecl *V) { // another name for it
    if (V->getInit() && !V->isCXXForRangeDecl() && !V->isImplicit())
      GoesElsewhere = GoesElsewhere || isOwn(V->getInit());
    return true;
  }
  bool VisitReturnStmt(ReturnStmt *R) {
    if (R->getRetValue())
      GoesElsewhere = GoesElsewhere || isOwn(R->getRetValue());
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *) {
    GoesElsewhere = true; // may run anywhere
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *U) {
    if (U->getOpcode() == UO_AddrOf)
      GoesElsewhere = GoesElsewhere || isOwn(U->getSubExpr());
    return true;
  }

  /// The field, or a new element of it, is what \p Value gives.
  void given(const Expr *Value) {
    if (isNothing(strip(Value)))
      return;
    if (holdsRegistered(Value)) {
      GoesElsewhere = true;
      return;
    }
    const Expr *E = bare(Value);
    const auto *C = dyn_cast<CallExpr>(E);
    const FunctionDecl *Callee = C ? C->getDirectCallee() : nullptr;
    if (const auto *N = dyn_cast<CXXConstructExpr>(E)) {
      if (moduleClass(N->getType(), Kinds))
        Made = E;
      return; // or an empty list
    }
    if (saidOf(Callee, Kinds).has(Attribute::MakesObject))
      Made = E;
    else
      GoesElsewhere = true;
  }

private:
  bool isOwn(const Expr *E) const { return ownPart(E, Kinds) == &F; }

  const FieldDecl &F;
  Types &Kinds;
};

/// Whether \p S moves modules to a device.
class Moves : public RecursiveASTVisitor<Moves> {
public:
  bool Any = false;
  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *E) {
    Any = Any || movesModule(*E, Kinds);
    return !Any;
  }
  explicit Moves(Types &Kinds) : Kinds(Kinds) {}

private:
  Types &Kinds;
};

// NOLINTEND(bugprone-derived-method-shadowing-base-method)

} // namespace

/// Whether the device \p E is the CPU whenever it is read.
static bool isCpu(const Expr *E, Types &Kinds, unsigned Depth = 0) {
  E = strip(E);
  if (const auto *Made = dyn_cast<CXXConstructExpr>(E))
    return Made->getNumArgs() && Depth < 8 &&
           isCpu(Made->getArg(0), Kinds, Depth + 1);
  if (const auto *Text = dyn_cast<StringLiteral>(E))
    return Text->getString().split(':').first == "cpu";
  const auto *R = dyn_cast<DeclRefExpr>(E);
  if (const auto *V = R ? dyn_cast<VarDecl>(R->getDecl()) : nullptr) {
    const Expr *Value = V->getType().isConstQualified()
                            ? V->getInit()
                            : valueAt(Kinds.model(), *V, *E);
    return Value && Depth < 8 && isCpu(Value, Kinds, Depth + 1);
  }
  const auto *Named = R ? dyn_cast<EnumConstantDecl>(R->getDecl()) : nullptr;
  return Named && Named->getName() == "CPU";
}

const CXXRecordDecl *frontend::movedToDevice(const CXXMemberCallExpr &C,
                                             Types &Kinds) {
  const CXXRecordDecl *R =
      moduleClass(strip(C.getImplicitObjectArgument())->getType(), Kinds);
  const bool Named =
      R && C.getNumArgs() &&
      isDeviceType(C.getMethodDecl()->getParamDecl(0)->getType(), Kinds);
  return Named && !isCpu(C.getArg(0), Kinds) &&
                 (!Kinds.isLibrary(*R) || Kinds.name(*R) == "torch::nn::Module")
             ? R
             : nullptr;
}

bool frontend::movesParts(const CXXRecordDecl &Class, Types &Kinds) {
  Moves Anything(Kinds);
  for (const CXXMethodDecl *M : Class.methods()) {
    const FunctionDecl *Body = nullptr;
    if (!M->isImplicit() && M->hasBody(Body))
      Anything.TraverseStmt(Body->getBody());
  }
  return Anything.Any;
}

const Expr *frontend::moduleLeftBehind(const FieldDecl &F, Types &Kinds) {
  const auto *Class = dyn_cast<CXXRecordDecl>(F.getParent());
  if (!Class || !Class->hasDefinition() ||
      movesParts(*Class->getDefinition(), Kinds))
    return nullptr;
  Holding Of(F, Kinds);
  if (F.getInClassInitializer())
    Of.given(F.getInClassInitializer());
  for (const CXXMethodDecl *M : Class->getDefinition()->methods()) {
    const FunctionDecl *Body = nullptr;
    if (M->isImplicit() || !M->hasBody(Body))
      continue;
    Of.TraverseStmt(Body->getBody());
    if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(Body))
      for (const CXXCtorInitializer *I : Ctor->inits()) {
        if (I->getMember() == &F && !isa<CXXDefaultInitExpr>(I->getInit()))
          Of.given(I->getInit());
        else
          Of.TraverseStmt(I->getInit());
      }
  }
  return Of.GoesElsewhere ? nullptr : Of.Made;
}
