//===- MemberWrites.cpp - what a private member is ever given -------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Modules/MemberWrites.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/UnitTable.h"
#include "Frontend/Modules/InitialValues.h"
#include "Tidy/Compat.h"
#include "llvm/ADT/DenseMap.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;

namespace {

const MemberExpr *memberOf(const Expr *E, const FieldDecl &F) {
  const auto *M = dyn_cast<MemberExpr>(E->IgnoreParenImpCasts());
  return M && M->getMemberDecl() == &F ? M : nullptr;
}

bool names(const clang::Stmt *S, const FieldDecl &F) {
  const auto *M = dyn_cast_or_null<MemberExpr>(S);
  return S && ((M && M->getMemberDecl() == &F) ||
               llvm::any_of(S->children(), [&](const clang::Stmt *Child) {
                 return names(Child, F);
               }));
}

/// Collects the writes of one field in the bodies of its class.
class WriteFinder {
public:
  WriteFinder(const models::ApiModel &Model, const FieldDecl &F)
      : Model(Model), F(F) {}

  llvm::SmallVector<const Expr *, 4> Values;
  llvm::SmallVector<const FieldDecl *, 4> Of; ///< of which member, for each

  /// Whether no other write of the field can hide in \p S: nothing there gets
  /// hold of it but to read it.
  bool visit(const clang::Stmt *S) {
    if (!S)
      return true;
    if (const auto *C = dyn_cast<CXXOperatorCallExpr>(S);
        C && C->getOperator() == OO_Equal)
      if (const MemberExpr *M = memberOf(C->getArg(0), F))
        return write(C->getArg(1), M) && visit(M->getBase());
    if (const auto *B = dyn_cast<BinaryOperator>(S); B && B->isAssignmentOp()) {
      if (const MemberExpr *M = memberOf(B->getLHS(), F))
        return B->getOpcode() == BO_Assign && write(B->getRHS(), M) &&
               visit(M->getBase());
      // Sizes that are written behind a pointer.
      if (F.getType()->isPointerType() && names(B->getLHS(), F))
        return false;
    }
    if (const auto *C = dyn_cast<CXXMemberCallExpr>(S))
      if (const CXXMethodDecl *M = C->getMethodDecl();
          M && M->getIdentifier()) {
        if (changesLayout(Model, M->getName()))
          return false;
        // index_put_() is not const, and writes elements alone.
        const MemberExpr *Of = memberOf(C->getImplicitObjectArgument(), F);
        if (Of && writesElements(Model, M->getName()))
          return visit(Of->getBase()) &&
                 llvm::all_of(C->arguments(),
                              [&](const Expr *A) { return visit(A); });
      }
    if (const auto *M = dyn_cast<MemberExpr>(S);
        M && M->getMemberDecl() == &F && !M->getType().isConstQualified())
      return false;
    if (const auto *C = dyn_cast<ImplicitCastExpr>(S);
        C && (C->getType().isConstQualified() ||
              C->getCastKind() == CK_LValueToRValue))
      if (const MemberExpr *M = memberOf(C->getSubExpr(), F))
        return visit(M->getBase());
    return llvm::all_of(S->children(),
                        [&](const clang::Stmt *Child) { return visit(Child); });
  }

  /// The field, named by \p Target, is given \p Value.
  bool write(const Expr *Value, const MemberExpr *Target = nullptr) {
    // Undefined, until another one comes; and that of another object.
    if (!isUnset(Value) && !memberOf(strip(Value), F)) {
      Values.push_back(Value);
      Of.push_back(partOf(Target));
    }
    return visit(Value);
  }

  /// The `layer_` of `this->layer_.weight`; null for others.
  static const FieldDecl *partOf(const MemberExpr *Target) {
    const auto *Part =
        Target && !Target->isArrow()
            ? dyn_cast<MemberExpr>(Target->getBase()->IgnoreParenImpCasts())
            : nullptr;
    return Part && isa<CXXThisExpr>(Part->getBase()->IgnoreParenImpCasts())
               ? dyn_cast<FieldDecl>(Part->getMemberDecl())
               : nullptr;
  }

private:
  const models::ApiModel &Model;
  const FieldDecl &F;
};

/// Collects what the bodies of a class put into one list.
class ElementFinder {
public:
  ElementFinder(Types &Kinds, const FieldDecl &F) : Kinds(Kinds), F(F) {}

  llvm::SmallVector<const Expr *, 4> Values;

  /// Whether no other element can hide in \p S.
  bool visit(const clang::Stmt *S) {
    if (!S)
      return true;
    if (const auto *L = dyn_cast<CXXForRangeStmt>(S);
        L && memberOf(L->getRangeInit(), F)) {
      const VarDecl &Element = *L->getLoopVariable();
      return !isChanged(Kinds.model(), L->getBody(), Element) &&
             visit(L->getBody());
    }
    if (const auto *C = dyn_cast<CXXOperatorCallExpr>(S);
        C && C->getOperator() == OO_Equal && isElement(C->getArg(0)))
      return write(C->getArg(1)) && visitParts(C->getArg(0));
    if (const auto *B = dyn_cast<BinaryOperator>(S);
        B && B->isAssignmentOp() && isElement(B->getLHS()))
      return B->getOpcode() == BO_Assign && write(B->getRHS()) &&
             visitParts(B->getLHS());
    if (const auto *C = dyn_cast<CXXMemberCallExpr>(S)) {
      const CXXMethodDecl *M = C->getMethodDecl();
      if (M && memberOf(C->getImplicitObjectArgument(), F))
        return call(*C, *M);
      if (M && M->getIdentifier() && changesLayout(Kinds.model(), M->getName()))
        return false;
    }
    if (const auto *C = dyn_cast<ImplicitCastExpr>(S);
        C && (C->getType().isConstQualified() ||
              C->getCastKind() == CK_LValueToRValue)) {
      if (isElement(C->getSubExpr()))
        return visitParts(C->getSubExpr());
      if (memberOf(C->getSubExpr(), F))
        return true;
    }
    if (const auto *E = dyn_cast<Expr>(S); E &&
                                           (isElement(E) || memberOf(E, F)) &&
                                           !E->getType().isConstQualified())
      return false;
    return visitChildren(S);
  }

  /// Whether \p Init makes a list without elements that one can ask for.
  static bool startsEmpty(const Expr *Init) {
    const auto *C = dyn_cast<CXXConstructExpr>(strip(Init));
    return isUnset(Init) ||
           (C && C->getNumArgs() && C->getArg(0)->getType()->isIntegerType() &&
            llvm::all_of(llvm::drop_begin(C->arguments()), [](const Expr *A) {
              return isa<CXXDefaultArgExpr>(A);
            }));
  }

private:
  bool visitChildren(const clang::Stmt *S) {
    return llvm::all_of(S->children(),
                        [&](const clang::Stmt *Child) { return visit(Child); });
  }

  /// The index of an element.
  bool visitParts(const Expr *Element) {
    const auto *C = cast<CallExpr>(strip(Element));
    return llvm::all_of(C->arguments(), [&](const Expr *A) {
      return memberOf(A, F) || visit(A);
    });
  }

  bool isElement(const Expr *E) {
    const auto *C = dyn_cast<CallExpr>(strip(E));
    if (!C || !saidOf(C->getDirectCallee(), Kinds)
                   .has(program::Attribute::GivesElement))
      return false;
    const auto *M = dyn_cast<CXXMemberCallExpr>(C);
    const Expr *Object = M                 ? M->getImplicitObjectArgument()
                         : C->getNumArgs() ? C->getArg(0)
                                           : nullptr;
    return Object && memberOf(Object, F);
  }

  bool call(const CXXMemberCallExpr &C, const CXXMethodDecl &M) {
    using program::Attribute;
    const program::Attributes Does = saidOf(&M, Kinds);
    if (Does.has(Attribute::Appends))
      return C.getNumArgs() == 1 && write(C.getArg(0));
    bool Keeps = M.isConst() && !Does.has(Attribute::GivesIterator);
    for (const Attribute A : {Attribute::Reserves, Attribute::Clears,
                              Attribute::AsksContainer, Attribute::TakesLast})
      Keeps = Keeps || Does.has(A);
    Keeps = Keeps || (Does.has(Attribute::Resizes) && C.getNumArgs() == 1);
    return Keeps &&
           llvm::all_of(C.arguments(), [&](const Expr *A) { return visit(A); });
  }

  bool write(const Expr *Value) {
    if (!isUnset(Value) && !isElement(Value))
      Values.push_back(Value);
    return visit(Value);
  }

  Types &Kinds;
  const FieldDecl &F;
};

/// Compares expressions but for what their numbers and parameters are.
class Likeness {
public:
  bool same(const Expr *A, const Expr *B) {
    A = strip(A);
    B = strip(B);
    if (A->getStmtClass() != B->getStmtClass() ||
        A->getType().getCanonicalType() != B->getType().getCanonicalType())
      return false;
    if (const auto *D = dyn_cast<DeclRefExpr>(A))
      return sameDecl(*D->getDecl(), *cast<DeclRefExpr>(B)->getDecl());
    if (const auto *M = dyn_cast<MemberExpr>(A);
        M && M->getMemberDecl() != cast<MemberExpr>(B)->getMemberDecl())
      return false;
    if (const auto *C = dyn_cast<CallExpr>(A);
        C && (!C->getCalleeDecl() ||
              C->getCalleeDecl() != cast<CallExpr>(B)->getCalleeDecl()))
      return false;
    if (const auto *C = dyn_cast<CXXConstructExpr>(A);
        C && C->getConstructor() != cast<CXXConstructExpr>(B)->getConstructor())
      return false;
    if (const auto *I = dyn_cast<IntegerLiteral>(A))
      return I->getValue() == cast<IntegerLiteral>(B)->getValue();
    if (const auto *O = dyn_cast<BinaryOperator>(A);
        O && O->getOpcode() != cast<BinaryOperator>(B)->getOpcode())
      return false;
    if (const auto *O = dyn_cast<UnaryOperator>(A);
        O && O->getOpcode() != cast<UnaryOperator>(B)->getOpcode())
      return false;
    auto Left = A->child_begin(), Right = B->child_begin();
    for (; Left != A->child_end() && Right != B->child_end(); ++Left, ++Right) {
      const auto *L = dyn_cast_or_null<Expr>(*Left);
      const auto *R = dyn_cast_or_null<Expr>(*Right);
      if (!L || !R || !same(L, R))
        return false;
    }
    return Left == A->child_end() && Right == B->child_end();
  }

private:
  bool sameDecl(const ValueDecl &A, const ValueDecl &B) {
    if (&A == &B)
      return true;
    const auto *Left = dyn_cast<VarDecl>(&A), *Right = dyn_cast<VarDecl>(&B);
    if (!Left || !Right || !Left->isLocalVarDeclOrParm() ||
        !Right->isLocalVarDeclOrParm())
      return false;
    if (const auto [It, New] = Twins.try_emplace(Left, Right);
        !New && It->second != Right)
      return false;
    if (isa<ParmVarDecl>(Left) || isa<ParmVarDecl>(Right))
      return isa<ParmVarDecl>(Left) && isa<ParmVarDecl>(Right) &&
             Left->getType()->isIntegerType();
    return Left->getInit() && Right->getInit() &&
           same(Left->getInit(), Right->getInit());
  }

  llvm::DenseMap<const VarDecl *, const VarDecl *> Twins;
};

/// Whether \p S has parts that may or may not run.
bool hasBranches(const clang::Stmt *S) {
  if (!S)
    return false;
  const auto *B = dyn_cast<BinaryOperator>(S);
  return isa<AbstractConditionalOperator, LambdaExpr, StmtExpr>(S) ||
         (B && B->isLogicalOp()) || llvm::any_of(S->children(), hasBranches);
}

/// Whether \p S calls what this unit defines: a helper that chooses where a
/// weight goes, say, which decides by more than the weight. What gives a number
/// decides nothing.
bool callsOwn(const clang::Stmt *S) {
  if (!S)
    return false;
  const auto *C = dyn_cast<CallExpr>(S);
  const FunctionDecl *F = C ? C->getDirectCallee() : nullptr;
  return (C && !C->getType()->isIntegerType() && (!F || F->hasBody())) ||
         llvm::any_of(S->children(), callsOwn);
}

/// Whether others than the methods of \p Class may see its private members, or
/// some of these cannot be seen.
bool isOpen(const CXXRecordDecl &Class) {
  if (!Class.hasDefinition() || Class.isDependentContext() ||
      Class.isLambda() || Class.hasFriends())
    return true;
  for (const Decl *D : Class.decls()) {
    if (isa<FunctionTemplateDecl, ClassTemplateDecl>(D))
      return true;
    const auto *Inner = dyn_cast<CXXRecordDecl>(D);
    if (Inner && !Inner->isInjectedClassName() && Inner->hasDefinition() &&
        llvm::any_of(Inner->methods(),
                     [](const CXXMethodDecl *M) { return !M->isImplicit(); }))
      return true;
  }
  return llvm::any_of(Class.methods(), [](const CXXMethodDecl *M) {
    return !M->isImplicit() && !M->isDeleted() && !M->isDefaulted() &&
           !compat::isPureVirtual(*M) && !M->hasBody();
  });
}

/// What others than the methods of \p Class give to the field; false where not
/// all of that can be seen. What \p Maker gives that of \p Part is not given
/// elsewhere.
bool othersWrite(const CXXRecordDecl &Class, const FieldUse &Use,
                 const CXXConstructorDecl *Maker, const FieldDecl *Part,
                 WriteFinder &Finder, bool &Elsewhere) {
  size_t Before = Finder.Values.size();
  for (const Expr *E : Use.Listed)
    if (!isa<ImplicitValueInitExpr, CXXDefaultInitExpr>(E) && !Finder.write(E))
      return false;
  for (const FunctionDecl *In : Use.In) {
    const auto *M = dyn_cast<CXXMethodDecl>(In);
    if (M && M->getParent() == &Class)
      continue;
    const size_t First = Finder.Values.size();
    if (!Finder.visit(In->getBody()))
      return false;
    if (In == Maker &&
        llvm::all_of(llvm::drop_begin(Finder.Of, First),
                     [&](const FieldDecl *Of) { return Of == Part; }))
      Before += Finder.Values.size() - First;
    if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(In))
      for (const CXXCtorInitializer *I : Ctor->inits())
        if (!Finder.visit(I->getInit()))
          return false;
  }
  Elsewhere |= Finder.Values.size() != Before;
  return true;
}

/// Lets \p Finder see all that the methods of \p Class do, \p Own how a
/// constructor starts the field \p F. \p Elsewhere: what is no constructor
/// writes it. False where some write cannot be seen.
template <class Finder, class Starts>
bool visitMethods(const CXXRecordDecl &Class, const FieldDecl &F, Finder &Find,
                  const Starts &Own, bool &Elsewhere) {
  for (const CXXMethodDecl *M : Class.methods()) {
    const FunctionDecl *Definition = nullptr;
    if (M->isImplicit() || !M->hasBody(Definition))
      continue;
    const size_t Before = Find.Values.size();
    const auto *Ctor = dyn_cast<CXXConstructorDecl>(Definition);
    if (Ctor)
      for (const CXXCtorInitializer *I : Ctor->inits()) {
        const Expr *Init = I->getInit();
        if (isa<CXXDefaultInitExpr>(Init))
          continue;
        if (!(I->getMember() == &F ? Own(Init) : Find.visit(Init)))
          return false;
      }
    if (!Find.visit(Definition->getBody()))
      return false;
    Elsewhere |= !Ctor && Find.Values.size() != Before;
  }
  return true;
}

} // namespace

MemberWrites tensortidy::frontend::writesOf(const models::ApiModel &Model,
                                            const UnitTable &Unit,
                                            const FieldDecl &F,
                                            const FieldDecl *Part) {
  MemberWrites Out;
  const auto *Class = dyn_cast<CXXRecordDecl>(F.getParent());
  const auto Use = Unit.Fields.find(&F);
  const bool IsSeen = Use != Unit.Fields.end() && !Use->second.Otherwise;
  if (!(F.getAccess() == AS_private || IsSeen) || !Class || isOpen(*Class))
    return Out;
  WriteFinder Finder(Model, F);
  if (const Expr *Init = F.getInClassInitializer())
    Finder.write(Init);
  bool Elsewhere = false; // in what is no constructor
  if (!visitMethods(
          *Class, F, Finder, [&](const Expr *E) { return Finder.write(E); },
          Elsewhere))
    return Out;
  const CXXConstructorDecl *Maker = nullptr;
  if (Part)
    Maker = onlyConstructor(*cast<CXXRecordDecl>(Part->getParent()));
  if (IsSeen &&
      !othersWrite(*Class, Use->second, Maker, Part, Finder, Elsewhere))
    return Out;
  if (llvm::any_of(Finder.Values, hasBranches) ||
      (F.getType()->isPointerType() && llvm::any_of(Finder.Values, callsOwn)))
    return Out;
  Out.Once = Finder.Values.size() == 1 && !Elsewhere;
  for (const Expr *Other : Finder.Values)
    if (!Likeness().same(Finder.Values[0], Other)) {
      if (!Elsewhere)
        Out.Values = initialValues(Model, F).Values;
      Out.Once = !Out.Values.empty();
      return Out;
    }
  // What it is made of itself says nothing of it.
  if (!Finder.Values.empty() && !names(Finder.Values[0], F))
    Out.Values.push_back(Finder.Values[0]);
  return Out;
}

MemberWrites tensortidy::frontend::elementWrites(Types &Kinds,
                                                 const FieldDecl &F) {
  MemberWrites Out;
  const auto *Class = dyn_cast<CXXRecordDecl>(F.getParent());
  const Expr *Init = F.getInClassInitializer();
  if (F.getAccess() != AS_private || !Class || isOpen(*Class) ||
      (Init && !ElementFinder::startsEmpty(Init)))
    return Out;
  ElementFinder Finder(Kinds, F);
  bool Elsewhere = false; // in what is no constructor
  if (!visitMethods(*Class, F, Finder, ElementFinder::startsEmpty, Elsewhere))
    return Out;
  if (Finder.Values.empty() || llvm::any_of(Finder.Values, hasBranches) ||
      (Finder.Values[0]->getType()->isPointerType() &&
       llvm::any_of(Finder.Values, callsOwn)))
    return Out;
  Out.Once = Finder.Values.size() == 1 && !Elsewhere;
  for (const Expr *Other : Finder.Values)
    if (!Likeness().same(Finder.Values[0], Other))
      return Out;
  if (!names(Finder.Values[0], F))
    Out.Values.push_back(Finder.Values[0]);
  return Out;
}
