//===- MemberLowering.cpp - what a constructor made of the members --------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Modules/MemberLowering.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/ModuleTypes.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/FunctionBuilder.h"
#include "Frontend/Build/Lowerer.h"
#include "Frontend/Build/RecordLowering.h"
#include "Frontend/Build/UnitTable.h"
#include "Frontend/Build/VariableTable.h"
#include "Frontend/Modules/InitialValues.h"
#include "Frontend/Modules/LeftBehind.h"
#include "Frontend/Modules/MemberWrites.h"
#include "Frontend/Modules/ModuleReader.h"
#include "Frontend/Modules/ModuleUse.h"
#include "Frontend/Modules/SettingLowering.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SetVector.h"
#include <functional>

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;

/// Whether the member \p Holder holds a module: `!down.is_empty()`, as the
/// constructor tells; 0: it does not.
ValueId MemberLowering::holdsModule(const Expr *Holder, const Expr *At) {
  const FieldDecl *F = Settings.ownField(Holder);
  const CXXRecordDecl *R = F ? recordOf(F->getType()) : nullptr;
  if (!R ||
      (!Kinds.moduleOf(F->getType()) && Kinds.name(*R) != "std::shared_ptr"))
    return 0;
  const Assigned A = initialValues(Kinds.model(), *F, true);
  if (A.Values.empty() || !A.Values.back())
    return 0;
  if (!A.Sometimes)
    return Build.constBool(!isNothing(A.Values.back()), At);
  return A.When && isComputed(A.When, Context) ? Settings.value(A.When, At) : 0;
}

bool MemberLowering::holdsCall(const CallSite &C, ValueId &Result) {
  const Expr *Holder = nullptr;
  bool Not = false;
  if (C.Object && C.Args.empty() &&
      (C.Name == "is_empty" || C.Name == "operator bool")) {
    Holder = C.Object;
    Not = C.Name == "is_empty";
  } else if (C.IsOperator && !C.Object && C.Args.size() == 2 &&
             (C.Name == "operator==" || C.Name == "operator!=") &&
             C.Args[1]->getType()->isNullPtrType()) {
    Holder = C.Args[0];
    Not = C.Name == "operator==";
  }
  Result = Holder ? holdsModule(Holder, C.E) : 0;
  if (Result && Not)
    Result = Build.emitValue(Op::Not, C.E, Result);
  return Result != 0;
}

ValueId MemberLowering::field(const Expr &E) {
  const FieldDecl *F = Settings.ownField(&E);
  if (!E.getType()->isIntegerType())
    return 0;
  const Expr *Whole = &E;
  while (!F) {
    const auto *M = dyn_cast<MemberExpr>(Whole);
    if (!M || M->isArrow() || !isa<FieldDecl>(M->getMemberDecl()))
      return 0;
    Whole = strip(M->getBase());
    F = Settings.ownField(Whole);
  }
  if (!Settings.isModuleField(*F))
    return 0;
  if (Whole != &E) {
    const VarId Given = Settings.givenVar(&E);
    return Given == NoId ? 0 : Records.read(Given, E.getType(), &E);
  }
  const Expr *Value = initialValue(Kinds.model(), *F);
  // A default that anybody may change once the module is there.
  if (!Value ||
      (Value == F->getInClassInitializer() && F->getAccess() == AS_public &&
       !F->getType().isConstQualified()))
    return 0;
  return Settings.value(Value, &E);
}

ValueId MemberLowering::weight(const MemberExpr &E) {
  if (E.getMemberDecl()->getName() != "weight")
    return 0;
  ModuleSpec M;
  const Expr *Holder = arrowObject(E.getBase());
  if (!Kinds.moduleOf(Holder->getType()) || !Modules.read(Holder, M) || M.Users)
    return 0;
  return ModuleUse(M, Kinds.model(), Build, Settings, Constants).weightOfTwo(E);
}

namespace {

using FieldsOfParams =
    llvm::SmallSetVector<std::pair<const ParmVarDecl *, const FieldDecl *>, 4>;

/// The field of a record that is itself a field, `layer_.wqkv`: (outer, inner).
using FieldsOfParts =
    llvm::SmallSetVector<std::pair<const FieldDecl *, const FieldDecl *>, 4>;

/// The tensors of the object itself among \p Named, those of records that it
/// has as members, and those of objects that the function is given.
void findTensors(llvm::ArrayRef<const MemberExpr *> Named, Types &Kinds,
                 llvm::SmallSetVector<const FieldDecl *, 4> &Own,
                 FieldsOfParts &OfParts, FieldsOfParams &Others) {
  for (const MemberExpr *M : Named) {
    const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
    if (!F || !Kinds.isHandle(F->getType()))
      continue;
    const Expr *Base = M->getBase()->IgnoreParenImpCasts();
    const auto *R = dyn_cast<DeclRefExpr>(Base);
    if (isa<CXXThisExpr>(Base))
      Own.insert(F);
    else if (const auto *P = R ? dyn_cast<ParmVarDecl>(R->getDecl()) : nullptr;
             P && !M->isArrow())
      Others.insert({P, F});
    else if (const auto *Part = dyn_cast<MemberExpr>(Base);
             Part && !M->isArrow() &&
             isa<CXXThisExpr>(Part->getBase()->IgnoreParenImpCasts()))
      if (const auto *Outer = dyn_cast<FieldDecl>(Part->getMemberDecl());
          Outer && Outer->getType()->isRecordType())
        OfParts.insert({Outer, F});
  }
}

} // namespace

void MemberLowering::assumeLike(ValueId Own, ValueId Like, const Expr *At) {
  // The sizes first: with them the rank is known, and the strides have numbers.
  for (const Op Of : {Op::Sizes, Op::Strides}) {
    auto Ask = [&](ValueId Self) {
      program::Stmt &S = Build.emit(Of, At);
      S.Args.push_back({"self", Self, Role::Read, NoId});
      return Build.result(S);
    };
    const ValueId Left = Ask(Own), Right = Ask(Like);
    const ValueId Same = Build.emitValue(Op::CmpEq, At, {Left, Right});
    Build.emit(Op::Assume, At).Args.push_back({"", Same, Role::Read, NoId});
  }
}

/// The member \p F was given \p Values, one after the other.
void MemberLowering::lowerMade(const FieldDecl &F,
                               llvm::ArrayRef<const Expr *> Values,
                               bool IsConst) {
  const size_t First = Build.statements().size();
  InConstructor = true;
  for (const Expr *E : Values)
    Made[&F] = Lower.value(E);
  InConstructor = false;
  const VarId V = Vars.member(Object, F);
  Vars[V].IsConst |= IsConst;
  const Expr *At = Values.back();
  assumeLike(Build.load(V, At), Made[&F], At);
  markBefore(First);
}

/// The member \p F, which stays where its module was made, is there.
void MemberLowering::lowerPlace(const FieldDecl &F) {
  const Assigned A = leftBehind(Kinds.model(), F, Fn);
  if (A.Values.empty() || A.Values.size() > 4)
    return;
  const size_t First = Build.statements().size();
  if (!Made.contains(&F)) {
    InConstructor = true;
    for (const Expr *E : A.Values)
      Made[&F] = Lower.value(E);
    InConstructor = false;
  }
  markBefore(First);
  lowerPlaced(F, A.Values.back());
}

void MemberLowering::lowerPlaced(const FieldDecl &F, const Expr *At) {
  const size_t First = Build.statements().size();
  const ValueId Own = Build.load(Vars.member(Object, F), At);
  program::Stmt &P = Build.emit(Op::Placed, At);
  P.Args.push_back({"device", Made[&F], Role::Read, NoId});
  P.Args.push_back({"self", Own, Role::Read, NoId});
  markBefore(First);
}

void MemberLowering::markBefore(size_t First) {
  auto &Stmts = Build.statements();
  for (size_t I = First; I < Stmts.size(); ++I)
    Stmts[I].Before = true;
}

void MemberLowering::lowerElements(const FieldDecl &F) {
  const MemberWrites Writes = elementWrites(Kinds, F);
  if (Writes.Values.empty() ||
      Context.getSourceManager().isPointWithin(
          Writes.Values[0]->getBeginLoc(), Fn.getBeginLoc(), Fn.getEndLoc()))
    return;
  // The numbers of a module are those that its constructor was given.
  const bool OfModule = Settings.isModuleField(F);
  if (OfModule && !Writes.Once)
    return;
  const size_t First = Build.statements().size();
  Numberless = !Writes.Once;
  InPrivate = OfModule ? nullptr : &F;
  InConstructor = true;
  Elements[&F] = Lower.value(Writes.Values[0]);
  InConstructor = false;
  InPrivate = nullptr;
  Numberless = false;
  markBefore(First);
}

void MemberLowering::element(const Expr &E, ValueId Element) {
  const auto *C = Elements.empty() ? nullptr : dyn_cast<CallExpr>(&E);
  if (!C || !saidOf(C->getDirectCallee(), Kinds).has(Attribute::GivesElement))
    return;
  if (const CallSite Site = callSite(*C, Kinds); Site.Object)
    elementOf(*Site.Object, Element, E);
}

void MemberLowering::elementOf(const Expr &List, ValueId Element,
                               const Expr &At) {
  const FieldDecl *F = Elements.empty() ? nullptr : Settings.ownField(&List);
  const auto Like = Elements.find(F);
  if (!F || Like == Elements.end())
    return;
  assumeLike(Element, Like->second, &At);
  // to() moves and converts what a module has registered.
  if (isModuleClass(cast<CXXRecordDecl>(F->getParent()), Kinds))
    return;
  program::Stmt &P = Build.emit(Op::Placed, &At);
  P.Args.push_back({"device", Like->second, Role::Read, NoId});
  P.Args.push_back({"self", Element, Role::Read, NoId});
}

/// The members \p Tensors of the object itself that are registered, and the
/// input of its forward(), are where the unit moves the module to.
void MemberLowering::lowerMoved(
    const CXXMethodDecl &Forward,
    llvm::SmallSetVector<const FieldDecl *, 4> &Tensors, const Expr *At) {
  const size_t First = Build.statements().size();
  auto Put = [&](VarId V) {
    const ValueId Own = Build.load(V, At);
    const ValueId On = Build.constText(ConstKind::Symbol, "module", At);
    program::Stmt &P = Build.emit(Op::Placed, At);
    P.Args.push_back({"device", On, Role::Read, NoId, true});
    P.Args.push_back({"self", Own, Role::Read, NoId, true});
  };
  for (const FieldDecl *F : Tensors)
    if (Settings.isModuleField(*F) && isRegistered(Kinds.model(), *F))
      Put(Vars.member(ThisBase, *F));
  // Who moves the input is given it from anywhere.
  const ParmVarDecl *Input =
      Forward.getNumParams() ? Forward.getParamDecl(0) : nullptr;
  if (Input && Kinds.kind(Input->getType()) == Kind::Tensor &&
      !movesTensor(Fn.getBody(), *Input, Kinds))
    Put(Vars.of(*Input));
  markBefore(First);
}

void MemberLowering::lowerAll(llvm::ArrayRef<const MemberExpr *> Named) {
  llvm::SmallSetVector<const FieldDecl *, 4> Tensors;
  FieldsOfParts OfParts;
  FieldsOfParams Others;
  findTensors(Named, Kinds, Tensors, OfParts, Others);
  const auto *Method = dyn_cast<CXXMethodDecl>(&Fn);
  for (const FieldDecl *F : Tensors) {
    if (Unit.Replaced.contains(F))
      continue;
    if (Settings.isModuleField(*F)) {
      const Assigned A = initialValues(Kinds.model(), *F);
      if (!A.Values.empty() && A.Values.size() <= 4)
        lowerMade(*F, A.Values, true);
      lowerPlace(*F);
      if (A.Values.empty())
        Made.erase(F);
    }
    if (Made.contains(F) || !Method || isa<CXXConstructorDecl>(Method) ||
        Method->getParent() != F->getParent())
      continue;
    lowerWrites(*F, ThisBase, nullptr);
  }
  if (Method && !isa<CXXConstructorDecl>(Method)) {
    llvm::SmallSetVector<const FieldDecl *, 4> Lists;
    for (const MemberExpr *M : Named)
      if (const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
          F && F->getParent() == Method->getParent() &&
          isa<CXXThisExpr>(M->getBase()->IgnoreParenImpCasts()) &&
          Kinds.kind(F->getType()) == Kind::List &&
          Kinds.isHandle(Kinds.elementType(F->getType())) && Lists.insert(F))
        lowerElements(*F);
    for (const auto &[Outer, F] : OfParts)
      if (Outer->getParent() == Method->getParent())
        lowerWrites(*F, Vars.member(ThisBase, *Outer), Outer);
  }
  if (Method && !Named.empty() && forwardOf(*Method->getParent()) &&
      forwardOf(*Method->getParent())->getCanonicalDecl() ==
          Method->getCanonicalDecl() &&
      Unit.moves(*Method->getParent()))
    lowerMoved(*Method, Tensors, Named.front());
  for (const auto &[Of, F] : Others)
    lowerWrites(*F, Vars.of(*Of), nullptr);
  if (Method && !Method->isStatic() && !isa<CXXConstructorDecl>(Method) &&
      !Named.empty())
    lowerChecks(*Method->getParent());
}

/// Whether the code behind \p S is never reached.
static bool neverPasses(const clang::Stmt *S) {
  if (const auto *Body = dyn_cast<CompoundStmt>(S))
    return llvm::any_of(Body->body(), neverPasses);
  const auto *E = dyn_cast<Expr>(S);
  E = E ? strip(E) : nullptr;
  const auto *Call = dyn_cast_or_null<CallExpr>(E);
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  return isa_and_nonnull<CXXThrowExpr>(E) || (F && F->isNoReturn());
}

/// Whether \p E is a member of \p Ctor 's object, a parameter that stays what
/// it was, or a part of one.
static bool isGiven(const Expr &E, const CXXConstructorDecl &Ctor,
                    const models::ApiModel &Model) {
  const Expr *Whole = &E;
  while (const auto *M = dyn_cast<MemberExpr>(Whole)) {
    Whole = strip(M->getBase());
    if (!isa<FieldDecl>(M->getMemberDecl()) ||
        (M->isArrow() && !isa<CXXThisExpr>(Whole)))
      return false;
  }
  const auto *R = dyn_cast<DeclRefExpr>(Whole);
  const auto *P = R ? dyn_cast<ParmVarDecl>(R->getDecl()) : nullptr;
  return isa<CXXThisExpr>(Whole) ||
         (P && !isChanged(Model, Ctor.getBody(), *P));
}

void MemberLowering::assume(const Expr *Condition, bool Holds,
                            const CXXConstructorDecl &Ctor) {
  const Expr *E = strip(Condition);
  if (const auto *C = dyn_cast<CallExpr>(E);
      C && C->getBuiltinCallee() == Builtin::BI__builtin_expect)
    return assume(C->getArg(0), Holds, Ctor);
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->getOpcode() == UO_LNot)
    return assume(U->getSubExpr(), !Holds, Ctor);
  const auto *B = dyn_cast<BinaryOperator>(E);
  if (B && B->getOpcode() == (Holds ? BO_LAnd : BO_LOr)) {
    assume(B->getLHS(), Holds, Ctor);
    return assume(B->getRHS(), Holds, Ctor);
  }
  // What it asks of its own tensors is asked of the members.
  bool OfTensors = false;
  auto Owns = [&](const Expr &Part) {
    if (const auto *Call = dyn_cast<CXXMemberCallExpr>(&Part)) {
      OfTensors = asksOwnTensor(*Call);
      return OfTensors;
    }
    const Expr *Whole = &Part;
    while (const auto *M = dyn_cast<MemberExpr>(Whole))
      Whole = strip(M->getBase());
    return isa<CXXThisExpr>(Whole) && isGiven(Part, Ctor, Kinds.model());
  };
  if (B && B->isComparisonOp() && isComputed(B, Context, Owns) && OfTensors) {
    InConstructor = false;
    assumeValue(Lower.value(B), Holds, *B);
    InConstructor = true;
    return;
  }
  auto Knows = [&](const Expr &Part) {
    return isGiven(Part, Ctor, Kinds.model());
  };
  if (!B || !B->isComparisonOp() || !isComputed(B, Context, Knows))
    return;
  assumeValue(Lower.value(B), Holds, *B);
}

void MemberLowering::assumeValue(ValueId V, bool Holds, const Expr &At) {
  if (!Holds)
    V = Build.emitValue(Op::Not, &At, V);
  Build.emit(Op::Assume, &At).Args.push_back({"", V, Role::Read, NoId});
}

/// `x_.size(0)` of a tensor that the constructor alone gives the object, which
/// nobody else can name.
bool MemberLowering::asksOwnTensor(const CXXMemberCallExpr &C) {
  const CXXMethodDecl *M = C.getMethodDecl();
  const FieldDecl *F = Settings.ownField(strip(C.getImplicitObjectArgument()));
  return M && F && M->isConst() && !M->isTemplateInstantiation() &&
         Kinds.kind(F->getType()) == Kind::Tensor &&
         F->getAccess() != AS_public && !Unit.Replaced.contains(F) &&
         initialValues(Kinds.model(), *F).Values.size() == 1;
}

void MemberLowering::assumeChecks(const CompoundStmt &Body,
                                  const CXXConstructorDecl &Ctor) {
  for (const clang::Stmt *S : Body.body()) {
    if (const auto *D = dyn_cast<DoStmt>(S)) // a macro's
      S = D->getBody();
    if (const auto *If = dyn_cast<IfStmt>(S);
        If && If->getCond() && !If->getElse() && neverPasses(If->getThen()))
      assume(If->getCond(), false, Ctor);
    const auto *E = dyn_cast<Expr>(S);
    if (const auto *C = E ? dyn_cast<ConditionalOperator>(strip(E)) : nullptr;
        C && neverPasses(C->getFalseExpr())) // assert()
      assume(C->getCond(), true, Ctor);
    if (const auto *Inner = dyn_cast<CompoundStmt>(S))
      assumeChecks(*Inner, Ctor);
  }
}

/// Whether code that this unit does not see may give numbers of \p Class other
/// values.
static bool isWrittenElsewhere(const CXXRecordDecl &Class,
                               const SourceManager &SM) {
  return !SM.isInMainFile(SM.getFileLoc(Class.getLocation())) &&
         llvm::any_of(Class.fields(), [](const FieldDecl *F) {
           return F->getAccess() == AS_public &&
                  F->getType()->isIntegerType() &&
                  !F->getType().isConstQualified();
         });
}

void MemberLowering::lowerChecks(const CXXRecordDecl &Class) {
  const CXXConstructorDecl *Ctor =
      Class.isDependentContext() || Class.field_empty() ||
              (isWrittenElsewhere(Class, Context.getSourceManager()) &&
               !Settings.isModuleField(**Class.field_begin()))
          ? nullptr
          : onlyConstructor(Class);
  const auto *Body =
      Ctor ? dyn_cast_or_null<CompoundStmt>(Ctor->getBody()) : nullptr;
  if (!Body)
    return;
  const size_t First = Build.statements().size();
  InConstructor = true;
  if (const FieldDecl *F = *Class.field_begin(); !Settings.isModuleField(*F))
    InPrivate = F;
  assumeChecks(*Body, *Ctor);
  InConstructor = false;
  InPrivate = nullptr;
  markBefore(First);
}

void MemberLowering::lowerWrites(const FieldDecl &F, VarId Of,
                                 const FieldDecl *Part) {
  const MemberWrites Writes = writesOf(Kinds.model(), Unit, F, Part);
  const auto IsOwn = [&](const Expr *E) {
    return Context.getSourceManager().isPointWithin(
        E->getBeginLoc(), Fn.getBeginLoc(), Fn.getEndLoc());
  };
  if (Writes.Values.empty() || Writes.Values.size() > 4 ||
      llvm::any_of(Writes.Values, IsOwn))
    return;
  // What numbers another object was made with is not known.
  Numberless = !Writes.Once || (Of != ThisBase && !Part);
  InPrivate = Part ? Part : &F;
  Object = Of;
  lowerMade(F, Writes.Values, false);
  // to() moves and converts what a module has registered.
  if (!isModuleClass(cast<CXXRecordDecl>(InPrivate->getParent()), Kinds))
    lowerPlaced(F, Writes.Values.back());
  Made.erase(&F);
  Object = ThisBase;
  InPrivate = nullptr;
  Numberless = false;
}

/// What \p E, which the constructor has read, is called in the methods that run
/// later: `n_` for `n_`, and for the `n` that was given to it. Nothing where
/// that may have changed, or is another object's.
VarId MemberLowering::laterName(const Expr &E, unsigned Depth) {
  const Expr *Inner = strip(&E);
  if (const FieldDecl *F = Settings.ownField(Inner))
    return initialValue(Kinds.model(), *F) ? Vars.member(ThisBase, *F) : NoId;
  if (const auto *M = dyn_cast<MemberExpr>(Inner)) {
    constexpr unsigned Deepest = 8;
    if (M->isArrow() || !isa<FieldDecl>(M->getMemberDecl()) || Depth > Deepest)
      return NoId;
    const VarId Base = laterName(*M->getBase(), Depth + 1);
    return Base == NoId ? NoId : Vars.member(Base, *M->getMemberDecl());
  }
  const auto *R = dyn_cast<DeclRefExpr>(Inner);
  const auto *P = R ? dyn_cast<ParmVarDecl>(R->getDecl()) : nullptr;
  if (!P)
    return NoId;
  for (const FieldDecl *F : InPrivate->getParent()->fields()) {
    const Expr *Value = initialValue(Kinds.model(), *F);
    if (Value && namedBy(copied(Value)) == P && !Unit.Replaced.contains(F))
      return Vars.member(ThisBase, *F);
  }
  return NoId;
}

ValueId MemberLowering::before(const Expr &E, const VarDecl *V) {
  constexpr unsigned Deepest = 4;
  if (Numberless || Nested >= Deepest)
    return 0;
  const Expr *Value = nullptr;
  const auto *Ctor =
      V ? dyn_cast<CXXConstructorDecl>(V->getDeclContext()) : nullptr;
  const FieldDecl *F = Settings.ownField(&E);
  if (Ctor && Ctor != &Fn && V->getType()->isIntegerType()) {
    Value = valueAt(Kinds.model(), *V, E);
  } else if (F && F != InPrivate && Kinds.isHandle(F->getType())) {
    const Assigned A = initialValues(Kinds.model(), *F);
    if (A.Pushed.empty() && llvm::count_if(A.Values, std::not_fn(isUnset)) == 1)
      Value = A.Values.back();
  }
  if (!Value)
    return 0;
  ++Nested;
  const ValueId Was = Lower.value(Value);
  --Nested;
  return Was;
}

ValueId MemberLowering::inConstructor(const Expr &E) {
  if (!InConstructor)
    return 0;
  if (const FieldDecl *F = Settings.ownField(&E))
    if (auto It = Made.find(F); It != Made.end())
      return It->second;
  const bool IsNumber =
      E.getType()->isIntegerType() && !E.getType()->isBooleanType();
  if (InPrivate) {
    const auto *R = dyn_cast<DeclRefExpr>(&E);
    const auto *V = R ? dyn_cast<VarDecl>(R->getDecl()) : nullptr;
    if (Numberless && IsNumber && V && V->isLocalVarDeclOrParm()) {
      // Some number, this member's own.
      const VarId Some = Vars.member(Vars.member(Object, *InPrivate), *V);
      Vars[Some].IsConst = Vars[Some].IsOwnNumber = true;
      Vars[Some].IsReference = false;
      return Build.load(Some, &E);
    }
    if (const VarId Later =
            IsNumber && !Numberless ? laterName(E) : VarId(NoId);
        Later != NoId)
      return Build.load(Later, &E);
    if (const ValueId Was = before(E, V))
      return Was;
    const bool IsNow =
        (V && V->getDeclContext() == &Fn) || Settings.ownField(&E);
    if (IsNow || (V && !IsNumber && !V->getInit()))
      return Build.emitOther(Op::Unknown, "", &E, {});
  }
  if (IsNumber)
    return Settings.value(&E, &E);
  const auto *R = dyn_cast<DeclRefExpr>(&E);
  const auto *V = R ? dyn_cast<VarDecl>(R->getDecl()) : nullptr;
  const auto *Ctor =
      V ? dyn_cast<CXXConstructorDecl>(V->getDeclContext()) : nullptr;
  const Expr *Value = Ctor ? valueAt(Kinds.model(), *V, E) : nullptr;
  return Value ? Lower.value(Value) : 0;
}
