//===- ModulePlaces.cpp - which device a module is on ---------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Modules/ModulePlaces.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/ModuleTypes.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/FunctionBuilder.h"
#include "Frontend/Build/Lowerer.h"
#include "Frontend/Build/PlaceFinder.h"
#include "Frontend/Build/UnitTable.h"
#include "Frontend/Build/VariableTable.h"
#include "Frontend/Modules/InitialValues.h"
#include "Frontend/Modules/LeftBehind.h"
#include "Frontend/Modules/RememberedHandles.h"
#include "Frontend/Modules/SettingLowering.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;
using llvm::StringRef;

/// Whether a module of \p Class has parameters, however it is made: there is
/// nothing to be moved in others, and what they get may be anywhere.
static bool hasParameters(const CXXRecordDecl *Class, Types &Kinds,
                          unsigned Depth = 0) {
  if (!Class || !Class->hasDefinition() || Depth > 4)
    return false;
  if (Kinds.isLibrary(*Class))
    return Kinds.model()
        .attributesOf(Kinds.name(*Class), false)
        .has(Attribute::HoldsParameters);
  return llvm::any_of(Class->getDefinition()->fields(),
                      [&](const FieldDecl *F) {
                        return Kinds.kind(F->getType()) == Kind::Tensor ||
                               hasParameters(moduleClass(F->getType(), Kinds),
                                             Kinds, Depth + 1);
                      }) ||
         llvm::any_of(Class->bases(), [&](const CXXBaseSpecifier &B) {
           return hasParameters(recordOf(B.getType()), Kinds, Depth + 1);
         });
}

namespace {

// The visitor calls them by these names.
// NOLINTBEGIN(bugprone-derived-method-shadowing-base-method)

/// Whether a body moves something to a device, or may: `x = x.to(device)`.
class Moves : public RecursiveASTVisitor<Moves> {
public:
  explicit Moves(Types &Kinds) : Kinds(Kinds) {}
  bool Any = false;
  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *E) {
    Any = Any || movesObject(*E, Kinds);
    return !Any;
  }

private:
  Types &Kinds;
};

bool moves(const clang::Stmt *Body, Types &Kinds) {
  Moves M(Kinds);
  if (Body)
    M.TraverseStmt(const_cast<clang::Stmt *>(Body));
  return M.Any;
}

} // namespace

namespace {

/// What the methods of a class do with the module in a field, or a function
/// with the one in a variable.
class Uses : public RecursiveASTVisitor<Uses> {
public:
  Uses(const ValueDecl *Of, Types &Kinds) : Of(Of), Kinds(Kinds) {}
  bool Evaluates = false;
  bool SetsAny = false; ///< the mode of any module
  bool Trains = false;  ///< or records on purpose, or not at all
  bool Loads = false;   ///< from a file
  bool Given = false;   ///< to code that may do anything with it
  bool VisitCallExpr(CallExpr *E) {
    const bool IsLoad =
        saidOf(E->getDirectCallee(), Kinds).has(Attribute::LoadsModule);
    for (const Expr *A : E->arguments())
      if (!isa<CXXOperatorCallExpr>(E) && Of && namedBy(strip(A)) == Of)
        (IsLoad ? Loads : Given) = true;
    return true;
  }
  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *E) {
    const Attributes Does = saidOf(E->getMethodDecl(), Kinds);
    const bool SetsMode = Does.has(Attribute::SetsMode);
    SetsAny = SetsAny || SetsMode || Does.has(Attribute::Evaluates);
    Trains = Trains || (Does.has(Attribute::Trains) && !SetsMode);
    if (!Of ||
        namedBy(strip(arrowObject(E->getImplicitObjectArgument()))) != Of)
      return true;
    const auto *Mode = SetsMode && E->getNumArgs()
                           ? dyn_cast<CXXBoolLiteralExpr>(strip(E->getArg(0)))
                           : nullptr;
    if (Does.has(Attribute::Evaluates) || (Mode && !Mode->getValue()))
      Evaluates = true;
    else if (SetsMode)
      Trains = true;
    return true;
  }
  bool VisitReturnStmt(ReturnStmt *R) {
    Given = Given || isIt(R->getRetValue());
    return true;
  }
  bool VisitVarDecl(VarDecl *V) {
    // Another name for it.
    Given = Given || isIt(V->getInit());
    Trains = Trains || saidOfClass(recordOf(V->getType()), Kinds)
                           .has(Attribute::SwitchesGradients);
    return true;
  }

private:
  bool isIt(const Expr *E) const {
    E = E ? strip(E) : nullptr;
    if (const auto *C = dyn_cast_or_null<CXXConstructExpr>(E);
        C && C->getNumArgs() == 1)
      E = strip(C->getArg(0));
    return Of && E && namedBy(E) == Of;
  }

  const ValueDecl *Of; ///< null: none in particular
  Types &Kinds;
};

/// What all methods of \p Class do.
void traverse(Uses &Of, const CXXRecordDecl &Class) {
  for (const CXXMethodDecl *M : Class.methods()) {
    const FunctionDecl *Body = nullptr;
    if (M->hasBody(Body))
      Of.TraverseStmt(Body->getBody());
  }
}

// NOLINTEND(bugprone-derived-method-shadowing-base-method)

} // namespace

/// Whether other methods put the module in \p F into evaluation mode, and none
/// trains it.
static bool findEvaluates(const FieldDecl &F, Types &Kinds) {
  const auto *Class = dyn_cast<CXXRecordDecl>(F.getParent());
  if (!Class || !Class->getDefinition())
    return false;
  Uses Of(&F, Kinds);
  for (const FieldDecl *Other : Class->getDefinition()->fields())
    if (saidOfClass(recordOf(Other->getType()), Kinds).has(Attribute::NoGrad))
      return false;
  traverse(Of, *Class->getDefinition());
  return Of.Evaluates && !Of.Trains;
}

/// The same, asked once of each.
static bool evaluates(const FieldDecl &F, UnitTable &Unit, Types &Kinds) {
  auto [It, New] = Unit.Evaluating.try_emplace(&F, false);
  if (New)
    It->second = findEvaluates(F, Kinds);
  return It->second;
}

/// Whether modules of \p Class, which puts none into a mode itself, do
/// something else in evaluation mode.
static bool changesWithMode(const CXXRecordDecl *Class, Types &Kinds,
                            unsigned Depth = 0) {
  if (!Class || !Class->hasDefinition() || Depth > 4)
    return false;
  if (Kinds.isLibrary(*Class))
    return saidOfClass(Class, Kinds).has(Attribute::ChangesWithMode);
  Uses Own(nullptr, Kinds);
  traverse(Own, *Class->getDefinition());
  return !Own.SetsAny &&
         llvm::any_of(Class->getDefinition()->fields(),
                      [&](const FieldDecl *F) {
                        return changesWithMode(moduleClass(F->getType(), Kinds),
                                               Kinds, Depth + 1);
                      });
}

/// Whether the module of \p Class in \p Of was made in training mode, was
/// loaded from a file, and nothing puts it into another mode: a variable of a
/// function, or a private member.
static bool findUnprepared(const ValueDecl *Of, const CXXRecordDecl *Class,
                           Types &Kinds) {
  const auto *V = dyn_cast<VarDecl>(Of);
  const auto *F = dyn_cast<FieldDecl>(Of);
  if (!(V && V->isLocalVarDecl() && !V->isStaticLocal() &&
        !V->getType()->isReferenceType() && V->getInit()) &&
      !(F && F->getAccess() != AS_public))
    return false;
  Uses All(Of, Kinds);
  if (V) {
    const auto *Made = dyn_cast<CXXConstructExpr>(strip(V->getInit()));
    const auto *In = dyn_cast<FunctionDecl>(V->getDeclContext());
    if (!Made || !In || !In->getBody() ||
        Made->getConstructor()->isCopyOrMoveConstructor())
      return false;
    All.TraverseStmt(In->getBody());
  } else if (const auto *Owner = dyn_cast<CXXRecordDecl>(F->getParent());
             Owner && Owner->hasDefinition()) {
    traverse(All, *Owner->getDefinition());
  }
  return All.Loads && !All.Given && !All.SetsAny && !All.Trains &&
         changesWithMode(Class, Kinds);
}

/// The same of the module that \p C calls, asked once of each.
static bool isUnprepared(const CallSite &C, const CXXRecordDecl *Class,
                         UnitTable &Unit, Types &Kinds) {
  const ValueDecl *Of = namedBy(strip(arrowObject(C.Object)));
  if (!Of)
    return false;
  auto [It, New] = Unit.Unprepared.try_emplace(Of, false);
  if (New)
    It->second = findUnprepared(Of, Class, Kinds);
  return It->second;
}

/// The object that the call \p C of a module is about; NoId for other calls.
VarId ModulePlaces::object(const CallSite &C) {
  if (!C.Object || isa<CXXThisExpr>(strip(C.Object)))
    return NoId;
  // strip(): to() is a method of the base class.
  if (!hasParameters(moduleClass(strip(C.Object)->getType(), Kinds), Kinds))
    return NoId;
  const bool Holds = C.Object->getType()->isPointerType() ||
                     Kinds.moduleOf(C.Object->getType());
  Place P = Holds ? Places.pointee(C.Object) : Place();
  if (!P && !Holds)
    P = Places.place(C.Object);
  return P && P.Exact ? P.Var : NoId;
}

void ModulePlaces::put(VarId Object, ValueId Device, ValueId Type,
                       const Expr &At) {
  const ValueId Before = Device && Type ? 0 : Build.load(Object, &At);
  program::Stmt &P = Build.emit(Op::Placed, &At);
  for (auto [Name, V] : {std::pair("device", Device), std::pair("dtype", Type),
                         std::pair("self", Before)})
    if (V)
      P.Args.push_back({Name, V, Role::Read, NoId, true});
  const ValueId Placed = Build.result(P);
  program::Stmt &S = Build.emit(Op::Store, &At);
  S.Var = Object;
  S.Binds = true; // nothing else changes
  S.Args.push_back({"", Placed, Role::Read, NoId, true});
}

void ModulePlaces::made(const VarDecl &V) {
  const Expr *Init = V.getInit();
  const CXXRecordDecl *Class = Init ? moduleClass(V.getType(), Kinds) : nullptr;
  if (!hasParameters(Class, Kinds) || V.getType()->isReferenceType())
    return;
  const Place Holder = Places.of(V);
  const bool IsObject = recordOf(V.getType()) == Class;
  const VarId Object =
      IsObject ? Holder.Var
               : Vars.pointee(Holder.Var, V.getASTContext().getTypeDeclType(
                                              cast<TypeDecl>(Class)));
  if (!Holder || !Holder.Exact || Object == NoId)
    return;
  if (Kinds.name(*Class) == "torch::jit::Module") {
    const auto *Load = dyn_cast<CallExpr>(strip(Init));
    for (const Expr *A : Load ? llvm::ArrayRef<const Expr *>(Load->getArgs(),
                                                             Load->getNumArgs())
                              : llvm::ArrayRef<const Expr *>())
      if (isDeviceType(A->getType(), Kinds) && !isa<CXXDefaultArgExpr>(A))
        put(Object, Lower.value(A), 0, *Init);
    return;
  }
  ModuleSpec Spec;
  if (!Modules.read(Init, Spec))
    return;
  if (Spec.Users) {
    if (!Spec.Users->hasDefinition() ||
        movesParts(*Spec.Users->getDefinition(), Kinds) ||
        llvm::any_of(Spec.Users->getDefinition()->fields(),
                     [&](const FieldDecl *F) {
                       return Unit.Replaced.contains(F) &&
                              moduleClass(F->getType(), Kinds);
                     }))
      return;
    for (const CXXConstructorDecl *Ctor : Spec.Users->getDefinition()->ctors())
      if (const FunctionDecl *Body = nullptr;
          !Ctor->isImplicit() && !Ctor->isDeleted() &&
          (!Ctor->hasBody(Body) || moves(Body->getBody(), Kinds)))
        return;
  }
  put(Object, Build.constText(ConstKind::Symbol, "cpu", Init), 0, *Init);
}

/// Whether \p C gives the elements of what it is called on as they are.
static bool keepsElements(const CallSite &C, Types &Kinds) {
  const models::Api *Is =
      C.Callee ? Kinds.model().find(
                     C.Name, Kinds.name(*C.Callee), true,
                     [](const models::Api &, const models::ApiCondition &) {
                       return true;
                     })
               : nullptr;
  if (!Is)
    return false;
  switch (Is->O) {
  case Op::Reshape:
  case Op::Flatten:
  case Op::Contiguous:
    return true;
  default:
    return opClass(Is->O) == OpClass::View;
  }
}

/// The member of a module that the parameter \p P of its forward() goes to
/// first, as it is or in other sizes; null for all that is done before.
static const Expr *firstLayer(const clang::Stmt *S, const ParmVarDecl &P,
                              Types &Kinds, bool &Seen) {
  if (!S || Seen)
    return nullptr;
  if (const auto *R = dyn_cast<DeclRefExpr>(S))
    Seen = R->getDecl() == &P;
  if (const auto *E = dyn_cast<CallExpr>(S)) {
    const CallSite C = callSite(*E, Kinds);
    if (C.Object && C.Args.size() == 1 &&
        (C.Name == "operator()" || C.Name == "forward")) {
      const Expr *X = strip(C.Args[0]);
      while (const auto *M = dyn_cast<CXXMemberCallExpr>(X)) {
        if (!keepsElements(callSite(*M, Kinds), Kinds))
          break;
        X = strip(M->getImplicitObjectArgument());
      }
      if (const auto *R = dyn_cast<DeclRefExpr>(X); R && R->getDecl() == &P) {
        Seen = true;
        return C.Object;
      }
    }
  }
  for (const clang::Stmt *Child : S->children())
    if (const Expr *Found = firstLayer(Child, P, Kinds, Seen))
      return Found;
  return nullptr;
}

/// Whether the module \p M compares its input's element type with that of its
/// weights before anything else.
bool ModulePlaces::meetsInput(const Expr *M, const CXXRecordDecl *Class,
                              unsigned Depth) {
  if (!Class || Depth > 4)
    return false;
  if (!Kinds.isLibrary(*Class)) {
    const FunctionDecl *Body = nullptr;
    bool Seen = false;
    for (const CXXMethodDecl *F : Class->getDefinition()->methods())
      if (F->getIdentifier() && F->getName() == "forward" && F->hasBody(Body) &&
          Body->getNumParams() == 1) {
        const Expr *First =
            firstLayer(Body->getBody(), *Body->getParamDecl(0), Kinds, Seen);
        return First && meetsInput(First, moduleClass(First->getType(), Kinds),
                                   Depth + 1);
      }
    return false;
  }
  ModuleSpec Spec;
  StringRef Name = Kinds.name(*Class);
  if (Name.consume_back("Impl") && !Name.ends_with("Sequential"))
    return llvm::any_of(Kinds.model().modules(Name), [](const auto *A) {
      return A->O == Op::Linear || A->O == Op::Conv;
    });
  if (!M || !Modules.read(arrowObject(M), Spec) || Spec.Args.empty())
    return false;
  const Expr *First = Spec.Args.front();
  return meetsInput(First, moduleClass(First->getType(), Kinds), Depth + 1);
}

/// What the module that \p C calls was made by, if that is a member of the
/// object that does not move with it; else null.
const Expr *ModulePlaces::staysBehind(const CallSite &C,
                                      const CXXRecordDecl *Class) {
  const FieldDecl *F = C.Object && hasParameters(Class, Kinds)
                           ? ownPart(C.Object, Kinds)
                           : nullptr;
  if (!F || Unit.Replaced.contains(F) || !Settings.isModuleField(*F))
    return nullptr;
  // One of the user's may put itself somewhere.
  if (!Kinds.isLibrary(*Class))
    for (const CXXConstructorDecl *Ctor : Class->getDefinition()->ctors())
      if (const FunctionDecl *Body = nullptr;
          !Ctor->isImplicit() && !Ctor->isDeleted() &&
          (!Ctor->hasBody(Body) || moves(Body->getBody(), Kinds)))
        return nullptr;
  return moduleLeftBehind(*F, Kinds);
}

ValueId ModulePlaces::madeHere(const Expr &Made, StringRef Member) {
  const ValueId Cpu = Build.constText(ConstKind::Symbol, "cpu", &Made);
  program::Stmt &P = Build.emit(Op::Placed, &Made);
  P.Args.push_back({"device", Cpu, Role::Read, NoId, true});
  P.Text = Member.str();
  P.Before = true;
  return Build.result(P);
}

/// The member that \p C is called on: a module.
static const FieldDecl *calledField(const CallSite &C) {
  const auto *Member =
      C.Object ? dyn_cast<MemberExpr>(strip(arrowObject(C.Object))) : nullptr;
  return Member ? dyn_cast<FieldDecl>(Member->getMemberDecl()) : nullptr;
}

/// A method of the user's that runs modules as forward() does:
/// `net_->step(x, state)`, where another method calls net_->eval().
void ModulePlaces::runs(const CallSite &C) {
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(C.Callee);
  const FieldDecl *Field = calledField(C);
  if (!Method || !Field || Kinds.isLibrary(*Method->getParent()) ||
      !evaluates(*Field, Unit, Kinds))
    return;
  const VarId Object = object(C);
  if (Object == NoId)
    return;
  const ValueId Kind = Build.constText(ConstKind::String, "evaluates", C.E);
  const ValueId Module = Build.load(Object, C.E);
  program::Stmt &S = Build.emit(Op::Enters, C.E);
  S.Text = Field->getNameAsString();
  S.Args.push_back({"module", Module, Role::Read, NoId, true});
  S.Args.push_back({"kind", Kind, Role::Read, NoId, true});
}

/// The module whose parameters() the optimizer that \p Made makes is given.
static const CXXMemberCallExpr *trainedBy(const Expr *Made, Types &Kinds) {
  const Expr *E = Made ? strip(Made) : nullptr;
  const Expr *First = nullptr;
  if (const auto *C = dyn_cast_or_null<CXXConstructExpr>(E))
    First = C->getNumArgs() ? C->getArg(0) : nullptr;
  else if (const auto *C = dyn_cast_or_null<CallExpr>(E);
           C && C->getNumArgs() &&
           saidOf(C->getDirectCallee(), Kinds).has(Attribute::MakesObject))
    First = C->getArg(0);
  while (First) {
    First = strip(First);
    if (const auto *List = dyn_cast<CXXMemberCallExpr>(First))
      return saidOf(List->getMethodDecl(), Kinds).has(Attribute::ModuleTensors)
                 ? List
                 : nullptr;
    // std::vector<OptimizerParamGroup>{net->parameters()}
    const auto *C = dyn_cast<CXXConstructExpr>(First);
    First = C && C->getNumArgs() ? C->getArg(0) : nullptr;
  }
  return nullptr;
}

void ModulePlaces::steps(const CallSite &C) {
  const Attributes Does = saidOf(C.Callee, Kinds);
  if (!C.Object || !Does.has(Attribute::StepsByGradients))
    return;
  const auto *Named = dyn_cast<DeclRefExpr>(strip(arrowObject(C.Object)));
  const auto *V = Named ? dyn_cast<VarDecl>(Named->getDecl()) : nullptr;
  const FieldDecl *F = V ? nullptr : ownPart(C.Object, Kinds);
  const CXXMemberCallExpr *List = nullptr;
  if (V && V->isLocalVarDecl()) {
    List = trainedBy(V->getInit(), Kinds);
  } else if (F && !Unit.Replaced.contains(F)) {
    const Assigned Of = initialValues(Kinds.model(), *F);
    if (!Of.Otherwise && Of.Values.size() == 1)
      List = trainedBy(Of.Values.front(), Kinds);
    // The constructor's own names mean nothing here.
    if (List && !ownPart(List->getImplicitObjectArgument(), Kinds))
      List = nullptr;
  }
  const VarId Object = List ? object(callSite(*List, Kinds)) : VarId(NoId);
  if (Object == NoId)
    return;
  const ValueId Module = Build.load(Object, C.E);
  program::Stmt &S = Build.emit(Op::Steps, C.E);
  if (Does.has(Attribute::ChangesData))
    S.Has.add(Attribute::ChangesData);
  S.Args.push_back({"module", Module, Role::Read, NoId, true});
}

void ModulePlaces::remembers(const CallSite &C) {
  const Remembered R = remembered(C, Kinds);
  if (!R.Back)
    return;
  const ValueId Back = Build.constText(ConstKind::String, "copied", R.Back);
  program::Stmt &S = Build.emit(Op::Remembers, C.E);
  S.Text = R.In->getNameAsString();
  S.Args.push_back({"back", Back, Role::Read, NoId, true});
}

/// Whether modules of \p Class have more than one layer, mostly.
static bool hasLayers(const CXXRecordDecl &Class, Types &Kinds) {
  if (Kinds.isLibrary(Class))
    return saidOfClass(&Class, Kinds).has(Attribute::SeveralLayers);
  return Class.hasDefinition() &&
         llvm::count_if(
             Class.getDefinition()->fields(), [&](const FieldDecl *F) {
               return hasParameters(moduleClass(F->getType(), Kinds), Kinds);
             }) > 1;
}

void ModulePlaces::enters(const CallSite &C) {
  if (!C.Callee || C.Args.empty())
    return;
  if (C.Name != "operator()" && C.Name != "forward")
    return runs(C);
  const VarId Object = object(C);
  const CXXRecordDecl *Class =
      C.Object ? moduleClass(C.Object->getType(), Kinds) : nullptr;
  const Expr *Stays = staysBehind(C, Class);
  if (Object == NoId && !Stays)
    return;
  if (!Kinds.isLibrary(*Class) && Class->hasDefinition()) {
    // One that moves what it gets takes it from anywhere.
    const FunctionDecl *Body = nullptr;
    for (const CXXMethodDecl *M : Class->getDefinition()->methods())
      if (M->getIdentifier() && M->getName() == "forward" && M->hasBody(Body) &&
          moves(Body->getBody(), Kinds))
        return;
  }
  llvm::SmallVector<ValueId, 2> Inputs;
  for (const Expr *A : C.Args)
    if (Kinds.kind(A->getType()) == Kind::Tensor ||
        Kinds.kind(A->getType()) == Kind::List)
      if (const ValueId V = Lower.value(A))
        Inputs.push_back(V);
  if (Inputs.empty())
    return;
  const auto *Named = dyn_cast<DeclRefExpr>(strip(arrowObject(C.Object)));
  const FieldDecl *Field = calledField(C);
  const ValueId Kind =
      Field && evaluates(*Field, Unit, Kinds)
          ? Build.constText(ConstKind::String, "evaluates", C.E)
      : Kinds.name(*Class) == "torch::jit::Module"
          ? Build.constText(ConstKind::String, "loaded", C.E)
      : isUnprepared(C, Class, Unit, Kinds)
          ? Build.constText(ConstKind::String, "training", C.E)
          : ValueId(0);
  const ValueId Types = Unit.ConvertsModules && meetsInput(C.Object, Class)
                            ? Build.constText(ConstKind::String, "same", C.E)
                            : ValueId(0);
  const ValueId Layers =
      hasLayers(*Class, Kinds)
          ? Build.constText(ConstKind::String, "several", C.E)
          : ValueId(0);
  const ValueId Module =
      Stays ? madeHere(*Stays, ownPart(C.Object, Kinds)->getName())
            : Build.load(Object, C.E);
  program::Stmt &S = Build.emit(Op::Enters, C.E);
  S.Text = Named   ? Named->getDecl()->getNameAsString()
           : Field ? Field->getNameAsString()
                   : "the module";
  S.Args.push_back({"module", Module, Role::Read, NoId, true});
  if (Kind)
    S.Args.push_back({"kind", Kind, Role::Read, NoId, true});
  if (Types)
    S.Args.push_back({"types", Types, Role::Read, NoId, true});
  if (Layers)
    S.Args.push_back({"layers", Layers, Role::Read, NoId, true});
  for (ValueId V : Inputs)
    S.Args.push_back({"", V, Role::Read, NoId});
}

void ModulePlaces::moved(const CallSite &C) {
  const auto *Call = dyn_cast_or_null<CXXMemberCallExpr>(C.E);
  if (!Call || !movesObject(*Call, Kinds))
    return;
  const VarId Object = object(C);
  if (Object == NoId)
    return;
  ValueId Device = 0, Type = 0;
  bool Told = false;
  for (size_t I = 0; I < C.Args.size() && I < 2; ++I) {
    const QualType T = C.Args[I]->getType();
    if (T->isBuiltinType()) // which of its devices, whether it waits
      continue;
    Told = true;
    (isDeviceType(T, Kinds) ? Device : Type) = Lower.value(C.Args[I]);
  }
  if (!Told) // cuda()
    Device = Build.constText(ConstKind::Symbol, C.Name, C.E);
  if (Device || Type)
    put(Object, Device, Type, *C.E);
}
