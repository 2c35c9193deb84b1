//===- RememberedHandles.cpp - parameters that are put by -----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Modules/RememberedHandles.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/ModuleTypes.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <optional>

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using program::Attribute;
using program::Attributes;

namespace {

/// The names that lead to a module, or to a tensor: net_, fc, weight.
using Path = llvm::SmallVector<const ValueDecl *, 3>;

/// The tensor that a handle is of: one of a module's, or that one.
struct Tensor {
  Path Of;
  bool Any; ///< of the module Of
  bool operator==(const Tensor &O) const { return Any == O.Any && Of == O.Of; }
};

// What of a body leads where.
class Names {
public:
  explicit Names(Types &Kinds) : Kinds(Kinds) {}

  std::optional<Path> path(const Expr *E) const;
  /// The module whose parameters \p E lists, or \p Named, has a dictionary of.
  std::optional<Path> listed(const Expr *E, bool Named) const;
  std::optional<Tensor> handle(const Expr *E, unsigned Depth = 0) const;
  /// Of loop variables: what the loop goes over.
  llvm::DenseMap<const VarDecl *, const Expr *> Ranges;

protected:
  Attributes said(const CXXMemberCallExpr &C) const {
    return saidOf(C.getMethodDecl(), Kinds);
  }
  bool keepsStorage(const CXXMemberCallExpr &C) const;
  Types &Kinds;
};

std::optional<Path> Names::path(const Expr *E) const {
  E = strip(arrowObject(strip(E)));
  if (isa<CXXThisExpr>(E))
    return Path();
  if (const auto *D = dyn_cast<DeclRefExpr>(E))
    return Path{D->getDecl()};
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->getOpcode() == UO_Deref)
    return path(U->getSubExpr());
  if (const auto *O = dyn_cast<CXXOperatorCallExpr>(E);
      O && O->getOperator() == OO_Star && O->getNumArgs() == 1)
    return path(O->getArg(0));
  const auto *M = dyn_cast<MemberExpr>(E);
  std::optional<Path> P = M ? path(M->getBase()) : std::nullopt;
  if (P)
    P->push_back(M->getMemberDecl());
  return P;
}

std::optional<Path> Names::listed(const Expr *E, bool Named) const {
  E = strip(E);
  if (const auto *D = dyn_cast<DeclRefExpr>(E))
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl()); V && V->getInit())
      return listed(V->getInit(), Named);
  if (const auto *Copy = dyn_cast<CXXConstructExpr>(E);
      Copy && Copy->getNumArgs() == 1)
    return listed(Copy->getArg(0), Named);
  const auto *C = dyn_cast<CXXMemberCallExpr>(E);
  if (!C || !said(*C).has(Attribute::ModuleTensors) ||
      Named == Kinds.hasTensor(C->getType()))
    return std::nullopt;
  return path(C->getImplicitObjectArgument());
}

/// Whether \p C gives another handle of the same memory: detach(), data().
bool Names::keepsStorage(const CXXMemberCallExpr &C) const {
  const CXXMethodDecl *M = C.getMethodDecl();
  if (!M || !M->getIdentifier() ||
      !Kinds.isPlainTensor(C.getImplicitObjectArgument()->getType()))
    return false;
  return Kinds.attributes(M->getName(), true).has(Attribute::OwnVersion) ||
         llvm::any_of(
             Kinds.model().named(M->getName()),
             [](const models::Api *A) { return A->O == program::Op::Detach; });
}

std::optional<Tensor> Names::handle(const Expr *E, unsigned Depth) const {
  constexpr unsigned Deepest = 8;
  E = copied(E);
  if (Depth > Deepest)
    return std::nullopt;
  auto OneOf = [](std::optional<Path> P) -> std::optional<Tensor> {
    return P ? std::optional(Tensor{*P, true}) : std::nullopt;
  };
  if (const auto *C = dyn_cast<CXXMemberCallExpr>(E)) {
    const Expr *Object = strip(C->getImplicitObjectArgument());
    if (keepsStorage(*C))
      return handle(Object, Depth + 1);
    // An element of named_parameters() is a pair; its value() is the tensor.
    const auto *D = dyn_cast<DeclRefExpr>(strip(arrowObject(Object)));
    const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    const auto Range = V ? Ranges.find(V) : Ranges.end();
    if (Range != Ranges.end() && Kinds.isPlainTensor(C->getType()))
      return OneOf(listed(Range->second, true));
    return said(*C).has(Attribute::GivesElement) ? OneOf(listed(Object, false))
                                                 : std::nullopt;
  }
  if (const auto *O = dyn_cast<CXXOperatorCallExpr>(E);
      O && O->getOperator() == OO_Subscript) {
    auto P = listed(O->getArg(0), false);
    return OneOf(P ? P : listed(O->getArg(0), true));
  }
  if (!Kinds.isPlainTensor(E->getType()))
    return std::nullopt;
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    const auto Range = V ? Ranges.find(V) : Ranges.end();
    if (Range != Ranges.end())
      return OneOf(listed(Range->second, false));
    const bool Fixed = V && (V->getType()->isReferenceType() ||
                             V->getType().isConstQualified());
    return Fixed && V->isLocalVarDecl() && V->getInit()
               ? handle(V->getInit(), Depth + 1)
               : std::nullopt;
  }
  // A module's own weight.
  const auto *M = dyn_cast<MemberExpr>(E);
  const auto *Class =
      M ? dyn_cast<CXXRecordDecl>(M->getMemberDecl()->getDeclContext())
        : nullptr;
  std::optional<Path> P =
      Class && isModuleClass(Class, Kinds) ? path(E) : std::nullopt;
  return P ? std::optional(Tensor{*P, false}) : std::nullopt;
}

// The visitor calls them by these names.
// NOLINTBEGIN(bugprone-derived-method-shadowing-base-method)

/// Who puts what into a variable or member, and takes it out.
class Keeper : public RecursiveASTVisitor<Keeper>, public Names {
public:
  Keeper(const ValueDecl &In, Types &Kinds) : Names(Kinds), In(In) {}

  /// What the parameters are called that \p Body gives it to: the names of it
  /// in methods of one class, as long as these only read it.
  void findNames(const clang::Stmt *Body) {
    if (const auto *C = dyn_cast_or_null<CXXMemberCallExpr>(Body))
      for (unsigned I = 0; I < C->getNumArgs(); ++I)
        if (const Expr *Name = itself(C->getArg(I)); Name && readsOwn(*C, I)) {
          Known.insert(Name);
          Given.insert(C->getMethodDecl()->getDefinition()->getParamDecl(I));
        }
    if (Body)
      for (const clang::Stmt *Child : Body->children())
        findNames(Child);
  }
  void look(const clang::Stmt *Body, bool Constructs) {
    Makes = Constructs;
    TraverseStmt(const_cast<clang::Stmt *>(Body));
  }
  /// What is copied back, of what else is put there; null: not only that.
  const Expr *back(const Tensor &Of) const {
    if (Otherwise || Uses != Known.size() || Moved)
      return nullptr;
    for (const Tensor &T : Stored)
      if (!(T == Of))
        return nullptr;
    for (const Path &P : Assigned)
      if (const size_t N = std::min(P.size(), Of.Of.size());
          (Of.Any || P.size() <= N) &&
          std::equal(P.begin(), P.begin() + N, Of.Of.begin()))
        return nullptr;
    for (const auto &[To, E] : Copies)
      if (To == Of)
        return E;
    return nullptr;
  }
  /// The value of a pair in braces.
  static const Expr *lastOf(const Expr *E) {
    E = strip(E);
    if (const auto *L = dyn_cast<InitListExpr>(E); L && L->getNumInits())
      return lastOf(L->getInit(L->getNumInits() - 1));
    if (const auto *C = dyn_cast<CXXConstructExpr>(E);
        C && C->getNumArgs() == 2)
      return lastOf(C->getArg(1));
    return E;
  }
  /// The name of the variable in \p E, if that is it or an element of it.
  const Expr *element(const Expr *E) const;
  const Expr *itself(const Expr *E) const;

  bool VisitCXXForRangeStmt(CXXForRangeStmt *S) {
    if (const auto *V = dyn_cast_or_null<VarDecl>(S->getLoopVariable()))
      Ranges[V] = S->getRangeInit();
    if (const Expr *Name = itself(S->getRangeInit())) {
      Known.insert(Name);
      leads(S->getLoopVariable());
    }
    return true;
  }
  /// `auto it = best_.find(key)`
  bool VisitVarDecl(VarDecl *V) {
    const auto *C = V->getInit()
                        ? dyn_cast<CXXMemberCallExpr>(copied(V->getInit()))
                        : nullptr;
    const Expr *Name = C ? iterated(*C) : nullptr;
    if (Name) {
      Known.insert(Name);
      Leading.insert(V);
    }
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) {
    Uses += isNameOf(E->getDecl()) || Leading.count(E->getDecl());
    return true;
  }
  bool VisitMemberExpr(MemberExpr *E) {
    Uses += E->getMemberDecl() == &In;
    // The key of a pair.
    if (const Expr *Of = leading(E->getBase());
        Of && !Kinds.isPlainTensor(E->getType()))
      Known.insert(Of);
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *E) {
    if (E->isComparisonOp() || E->getOperator() == OO_PlusPlus)
      for (const Expr *A : E->arguments())
        asks(A);
    if (E->getOperator() != OO_Equal || E->getNumArgs() != 2)
      return true;
    const Expr *To = element(E->getArg(0));
    if (!To && Kinds.isPlainTensor(In.getType()))
      To = itself(E->getArg(0));
    if (To)
      stores(*To, *E->getArg(1));
    else if (auto P = path(E->getArg(0)); P && !P->empty() && !Makes)
      Assigned.push_back(*P);
    return true;
  }
  /// `it != best_.end()` since C++20, of which == is what is called.
  bool VisitCXXRewrittenBinaryOperator(CXXRewrittenBinaryOperator *E) {
    asks(E->getLHS());
    asks(E->getRHS());
    return true;
  }
  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *E) {
    const Attributes Does = said(*E);
    const Expr *Object = E->getImplicitObjectArgument();
    const Expr *Name = Object ? itself(Object) : nullptr;
    Moved = Moved || (movesModule(*E, Kinds) && !Makes) ||
            (E->getMethodDecl() && E->getMethodDecl()->getIdentifier() &&
             Kinds.attributes(E->getMethodDecl()->getName(), true)
                 .has(Attribute::MovesMemory));
    if (Name && Does.has(Attribute::Fills) && E->getNumArgs())
      stores(*Name, *lastOf(E->getArg(E->getNumArgs() - 1)));
    else if (Name &&
             (Does.has(Attribute::AsksContainer) ||
              Does.has(Attribute::Clears) || Does.has(Attribute::Reserves)))
      Known.insert(Name);
    else if (copies(*E))
      takes(*E);
    return true;
  }

private:
  /// \p A is compared, or moves on: an iterator.
  void asks(const Expr *A) {
    const auto *C = dyn_cast<CXXMemberCallExpr>(copied(A));
    if (const Expr *Of = C ? iterated(*C) : leading(copied(A)))
      Known.insert(Of);
  }
  bool isNameOf(const ValueDecl *D) const {
    const auto *P = dyn_cast<ParmVarDecl>(D);
    return D == &In || (P && Given.contains(P));
  }
  /// Whether argument \p I of \p C is for a constant reference of a method of
  /// the class that \p In is a member of.
  bool readsOwn(const CXXMemberCallExpr &C, unsigned I) const {
    const CXXMethodDecl *M = C.getMethodDecl();
    const FunctionDecl *Body = M ? M->getDefinition() : nullptr;
    if (!Body || M->getParent() != In.getDeclContext() ||
        I >= Body->getNumParams())
      return false;
    const QualType T = Body->getParamDecl(I)->getType();
    return T->isReferenceType() && T.getNonReferenceType().isConstQualified();
  }
  /// What the loop variable \p V names are elements.
  void leads(const VarDecl *V) {
    const auto *Parts = dyn_cast_or_null<DecompositionDecl>(V);
    if (!Parts) {
      Leading.insert(V);
      return;
    }
    for (const BindingDecl *B : Parts->bindings())
      if (Kinds.isPlainTensor(B->getType()))
        Leading.insert(B);
  }
  /// The name of what leads to an element, if \p E is it.
  const Expr *leading(const Expr *E) const {
    const auto *D = dyn_cast<DeclRefExpr>(strip(arrowObject(strip(E))));
    return D && Leading.count(D->getDecl()) ? D : nullptr;
  }
  /// The name of the container, if \p C gives an iterator of it.
  const Expr *iterated(const CXXMemberCallExpr &C) const {
    return C.getType()->isRecordType() && !Kinds.hasTensor(C.getType()) &&
                   C.getMethodDecl() && Kinds.isLibrary(*C.getMethodDecl())
               ? itself(C.getImplicitObjectArgument())
               : nullptr;
  }
  bool copies(const CXXMemberCallExpr &E) const {
    const CXXMethodDecl *M = E.getMethodDecl();
    return M && M->getIdentifier() && E.getNumArgs() &&
           Kinds.isPlainTensor(E.getImplicitObjectArgument()->getType()) &&
           Kinds.attributes(M->getName(), true).has(Attribute::CopiesElements);
  }
  void takes(const CXXMemberCallExpr &E) {
    const Expr *From = copied(E.getArg(0));
    const Expr *Name = element(From);
    if (!Name && Kinds.isPlainTensor(In.getType()))
      Name = itself(From);
    if (!Name)
      return;
    Known.insert(Name);
    if (auto To = handle(E.getImplicitObjectArgument()))
      Copies.push_back({*To, &E});
  }
  void stores(const Expr &Name, const Expr &What) {
    Known.insert(&Name);
    if (auto H = handle(&What))
      Stored.push_back(*H);
    else
      Otherwise = true;
  }
  const ValueDecl &In;
  /// Iterators, and variables of loops over it.
  llvm::SmallPtrSet<const ValueDecl *, 2> Leading;
  llvm::SmallPtrSet<const ParmVarDecl *, 2> Given; ///< other names of it
  size_t Uses = 0;                                 ///< names of it, or of these
  llvm::SmallPtrSet<const Expr *, 8> Known;        ///< of these
  bool Otherwise = false; ///< something else is put there
  bool Moved = false;     ///< tensors get other memory
  bool Makes = false;     ///< in a constructor
  std::vector<Tensor> Stored;
  std::vector<Path> Assigned;
  std::vector<std::pair<Tensor, const Expr *>> Copies;
};

// NOLINTEND(bugprone-derived-method-shadowing-base-method)

const Expr *Keeper::itself(const Expr *E) const {
  E = strip(E);
  if (const auto *D = dyn_cast<DeclRefExpr>(E))
    return isNameOf(D->getDecl()) ? E : nullptr;
  const auto *M = dyn_cast<MemberExpr>(E);
  return M && M->getMemberDecl() == &In && isa<CXXThisExpr>(strip(M->getBase()))
             ? E
             : nullptr;
}

const Expr *Keeper::element(const Expr *E) const {
  E = strip(E);
  if (const Expr *Of =
          Kinds.isPlainTensor(E->getType())
              ? leading(isa<MemberExpr>(E) ? cast<MemberExpr>(E)->getBase() : E)
              : nullptr)
    return Of;
  if (const auto *O = dyn_cast<CXXOperatorCallExpr>(E))
    return O->getOperator() == OO_Subscript ? itself(O->getArg(0)) : nullptr;
  const auto *C = dyn_cast<CXXMemberCallExpr>(E);
  return C && said(*C).has(Attribute::GivesElement)
             ? itself(C->getImplicitObjectArgument())
             : nullptr;
}

} // namespace

/// What the call \p C may put something into; null for others.
static const ValueDecl *keeper(const CallSite &C, Types &Kinds) {
  if (!C.Object || C.Args.empty())
    return nullptr;
  const Expr *To = strip(C.Object);
  if (C.Name == "operator=") {
    if (const auto *O = dyn_cast<CXXOperatorCallExpr>(To);
        O && O->getOperator() == OO_Subscript)
      return namedBy(strip(O->getArg(0)));
    return namedBy(To);
  }
  return saidOf(C.Callee, Kinds).has(Attribute::Fills) ? namedBy(To) : nullptr;
}

/// Whether \p E may be a handle of a module's tensor, by what it looks like:
/// most of what is assigned is not, and no other code is read for it.
static bool mayBeHandle(const Expr *E, Types &Kinds) {
  E = copied(E);
  if (const auto *C = dyn_cast<CXXMemberCallExpr>(E)) {
    const Expr *Object = C->getImplicitObjectArgument();
    return Kinds.isPlainTensor(Object->getType())
               ? C->getNumArgs() == 0 && mayBeHandle(Object, Kinds)
               : Kinds.isPlainTensor(C->getType());
  }
  if (const auto *O = dyn_cast<CXXOperatorCallExpr>(E))
    return O->getOperator() == OO_Subscript &&
           !Kinds.isPlainTensor(O->getArg(0)->getType());
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    return V && V->isLocalVarDecl() &&
           (V->isCXXForRangeDecl() || V->getType()->isReferenceType() ||
            V->getType().isConstQualified());
  }
  return isa<MemberExpr>(E);
}

Remembered frontend::remembered(const CallSite &C, Types &Kinds) {
  const ValueDecl *In = keeper(C, Kinds);
  if (!In || !Kinds.holdsTensors(In->getType()) ||
      !mayBeHandle(Keeper::lastOf(C.Args.back()), Kinds))
    return {};
  Keeper All(*In, Kinds);
  if (const auto *F = dyn_cast<FieldDecl>(In)) {
    const auto *Class = dyn_cast<CXXRecordDecl>(F->getParent());
    if (!Class || !Class->getDefinition())
      return {};
    for (const CXXMethodDecl *M : Class->getDefinition()->methods())
      if (const FunctionDecl *Body = nullptr; M->hasBody(Body))
        All.findNames(Body->getBody());
    for (const CXXMethodDecl *M : Class->getDefinition()->methods())
      if (const FunctionDecl *Body = nullptr; M->hasBody(Body))
        All.look(Body->getBody(), isa<CXXConstructorDecl>(M));
  } else if (const auto *V = dyn_cast<VarDecl>(In);
             V && V->isLocalVarDecl() && V->hasLocalStorage() &&
             !V->getType()->isReferenceType()) {
    if (const auto *Of = dyn_cast<FunctionDecl>(V->getDeclContext()))
      All.look(Of->getBody(), false);
  } else {
    return {};
  }
  const Expr *Value = Keeper::lastOf(C.Args.back());
  const auto Of = All.handle(Value);
  const Expr *Back = Of ? All.back(*Of) : nullptr;
  return Back ? Remembered{In, Back} : Remembered();
}
