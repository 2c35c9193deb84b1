//===- SettingLowering.cpp - torch::nn modules, as they are made ----------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   struct Net : torch::nn::Module {
//     torch::nn::Linear fc{nullptr};
//     Net() { fc = register_module("fc", torch::nn::Linear(784, 10)); }
//     at::Tensor forward(at::Tensor x) { return fc(x); }
//   };                                          %2 = weight size=[10, 784]
//                                               %3 = linear input=%1 weight=%2
//
// Calling a module is the operation it stands for, with the settings it was
// made with: a local's initializer, or for a member what the class's only
// constructor gives it. What is made in another way, or changed later, keeps
// the model of its forward(), which knows no sizes.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lower/Lowering.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;
using llvm::StringRef;

/// The holder in `holder->method()`.
const Expr *Lowering::arrowObject(const Expr *E) {
  const auto *Arrow = dyn_cast<CXXOperatorCallExpr>(E->IgnoreParenImpCasts());
  return Arrow && Arrow->getOperator() == OO_Arrow ? Arrow->getArg(0) : E;
}

namespace {

/// How a body gives a variable or field its value.
struct Assigned {
  /// By statements that always run, in their order.
  llvm::SmallVector<const Expr *, 1> Values;
  llvm::SmallVector<const Expr *, 0> Pushed; ///< elements added, likewise
  bool Sometimes = false;     ///< some of the values, on some path
  const Expr *When = nullptr; ///< the last of those, where it is one condition
  bool Otherwise = false;     ///< in a way not known
};

const ValueDecl *named(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *R = dyn_cast<DeclRefExpr>(E))
    return R->getDecl();
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return M->getMemberDecl();
  return nullptr;
}

/// \p Always: in what runs when \p When holds, or always.
void findAssigned(const clang::Stmt *S, const ValueDecl &D, bool Always,
                  Assigned &Out, const Expr *When = nullptr) {
  if (!S)
    return;
  if (const auto *If = dyn_cast<IfStmt>(S);
      If && Always && !When && !If->getInit() && !If->getConditionVariable()) {
    findAssigned(If->getCond(), D, false, Out);
    findAssigned(If->getThen(), D, true, Out, If->getCond());
    return findAssigned(If->getElse(), D, false, Out);
  }
  auto To = [&](const Expr *Target, const Expr *Value) {
    if (named(Target) != &D) { // a part of it
      while (const auto *M =
                 dyn_cast<MemberExpr>(Target->IgnoreParenImpCasts()))
        Out.Otherwise |= named(Target = M->getBase()) == &D && !M->isArrow();
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
    // Or a tensor whose sizes do.
    static const llvm::StringSet<> Changes{
        "push_back", "extend",    "insert",      "reset",
        "swap",      "resize_",   "resize_as_",  "set_",
        "set_data",  "t_",        "unsqueeze_",  "squeeze_",
        "swapdims_", "swapaxes_", "as_strided_", "transpose_"};
    const StringRef Name =
        Method && Method->getIdentifier() ? Method->getName() : StringRef();
    if (Object && Name == "push_back" && Always && !When &&
        named(Lowering::arrowObject(Object)) == &D)
      Out.Pushed.push_back(M->getArg(M->getNumArgs() - 1));
    else if (Object && Changes.contains(Name))
      To(Lowering::arrowObject(Object), nullptr);
  } else if (const auto *F = dyn_cast<MemberExpr>(S);
             F && F->getMemberDecl()->getName() == "options") {
    To(Lowering::arrowObject(F->getBase()), nullptr);
  }
  const bool Inside =
      isa<CompoundStmt, ExprWithCleanups, ImplicitCastExpr, DeclStmt>(S);
  for (const clang::Stmt *Child : S->children())
    findAssigned(Child, D, Always && Inside, Out, When);
}

bool isChanged(const clang::Stmt *Body, const ValueDecl &D) {
  Assigned A;
  findAssigned(Body, D, true, A);
  return !A.Values.empty() || !A.Pushed.empty() || A.Otherwise;
}

bool isNothing(const Expr *E) {
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

} // namespace

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

/// The one way to construct an object of \p Class; null when there are several,
/// or none that can be seen.
const CXXConstructorDecl *
Lowering::onlyConstructor(const CXXRecordDecl &Class) {
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

/// What constructing an object of its class gives the field, one after the
/// other; nothing when that is not known, or others change it. A module may be
/// made on \p SomePath only: who calls it knows that it was.
static Assigned initialValues(const FieldDecl &F, bool SomePath = false) {
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
    if (Defined->isDelegatingConstructor() && !isChanged(Defined->getBody(), F))
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
    findAssigned(Ctor->getBody(), F, true, Out);
  bool Within = false; // what one method makes, and the constructor calls
  for (const CXXMethodDecl *M : Class->methods()) {
    const FunctionDecl *Definition = nullptr;
    if (isa<CXXConstructorDecl>(M) || !M->hasBody(Definition) ||
        !isChanged(Definition->getBody(), F))
      continue;
    if (Within || !Ctor || M->getNumParams() || !alwaysCalls(*Ctor, *M))
      return None;
    Within = true;
    findAssigned(Definition->getBody(), F, true, Out);
  }
  if (Out.Sometimes && SomePath) {
    llvm::erase_if(Out.Values, isNothing);
    SomePath = Out.Values.size() == 1;
  }
  return Out.Otherwise || (Out.Sometimes && !SomePath) ? None : Out;
}

/// Whether \p E is computed of numbers and of what its function is given.
static bool isComputed(const Expr *E, const ASTContext &Context) {
  E = E->IgnoreParenImpCasts();
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return !B->isAssignmentOp() && isComputed(B->getLHS(), Context) &&
           isComputed(B->getRHS(), Context);
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return U->getOpcode() == UO_LNot && isComputed(U->getSubExpr(), Context);
  const auto *R = dyn_cast<DeclRefExpr>(E);
  return E->getType()->isIntegerType() &&
         ((R && isa<ParmVarDecl>(R->getDecl())) ||
          (!E->isValueDependent() && E->isEvaluatable(Context)));
}

/// Whether \p Ctor makes a member on some paths only, and which is not known.
bool Lowering::makesSome(const CXXConstructorDecl &Ctor) {
  return llvm::any_of(Ctor.getParent()->fields(), [&](const FieldDecl *F) {
    Assigned A;
    findAssigned(Ctor.getBody(), *F, true, A);
    return A.Sometimes &&
           (A.Values.size() != 1 || !A.When || !isComputed(A.When, Context));
  });
}

/// Whether the member \p Holder holds a module: `!down.is_empty()`, as the
/// constructor tells; 0: it does not.
ValueId Lowering::holdsModule(const Expr *Holder, const Expr *At) {
  const FieldDecl *F = ownField(Holder);
  const CXXRecordDecl *R = F ? recordOf(F->getType()) : nullptr;
  if (!R || (!moduleImpl(F->getType()) && Kinds.name(*R) != "std::shared_ptr"))
    return 0;
  const Assigned A = initialValues(*F, true);
  if (A.Values.empty() || !A.Values.back())
    return 0;
  if (!A.Sometimes)
    return constBool(!isNothing(A.Values.back()), At);
  return A.When && isComputed(A.When, Context) ? setting(A.When, At) : 0;
}

/// `is_empty()` of a member, and other tests for whether it holds a module.
bool Lowering::lowerHolds(const CallSite &C, ValueId &Result) {
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
    Result = emitValue(Op::Not, C.E, Result);
  return Result != 0;
}

static const Expr *initialValue(const FieldDecl &F) {
  const Assigned A = initialValues(F);
  return A.Values.empty() || !A.Pushed.empty() ? nullptr : A.Values.back();
}

/// The field of the object itself that \p E names, if others leave it as its
/// constructor made it.
const FieldDecl *Lowering::ownField(const Expr *E) {
  const auto *M = dyn_cast<MemberExpr>(strip(E));
  const auto *F = M ? dyn_cast<FieldDecl>(M->getMemberDecl()) : nullptr;
  return F && !Unit.Replaced.contains(F) &&
                 isa<CXXThisExpr>(strip(M->getBase()))
             ? F
             : nullptr;
}

/// Whether \p F belongs to a module, whose other methods can be seen.
bool Lowering::isModuleField(const FieldDecl &F) {
  const auto *Class = dyn_cast<CXXRecordDecl>(F.getParent());
  const auto *Ctor = dyn_cast<CXXConstructorDecl>(&Fn);
  if (!Class || !Class->hasDefinition() || Class->isDependentContext() ||
      (Ctor && Ctor->getParent() == Class) ||
      Class->forallBases([&](const CXXRecordDecl *Base) {
        return Kinds.name(*Base) != "torch::nn::Module";
      }))
    return false;
  return llvm::all_of(Class->methods(), [](const CXXMethodDecl *M) {
    return M->isImplicit() || M->isStatic() || M->isConst() || M->isDeleted() ||
           M->isDefaulted() || M->isPureVirtual() || M->hasBody();
  });
}

/// A variable for what the constructor of this object was given, or a field of
/// that; NoId when \p E names something else.
VarId Lowering::givenVar(const Expr *E, unsigned Depth) {
  E = strip(E);
  if (const auto *C = dyn_cast<CXXConstructExpr>(E);
      C && C->getConstructor()->isCopyOrMoveConstructor())
    E = strip(C->getArg(0));
  if (const auto *C = dyn_cast<CallExpr>(E);
      C && C->isCallToStdMove() && C->getNumArgs() == 1)
    E = strip(C->getArg(0));
  VarId V = NoId;
  if (const auto *R = dyn_cast<DeclRefExpr>(E)) {
    const auto *P = dyn_cast<ParmVarDecl>(R->getDecl());
    const auto *Ctor =
        P ? dyn_cast<CXXConstructorDecl>(P->getDeclContext()) : nullptr;
    const QualType T = P ? P->getType() : QualType();
    if (!Ctor || Ctor == &Fn ||
        (T->isReferenceType() && !T.getNonReferenceType().isConstQualified()) ||
        isChanged(Ctor->getBody(), *P))
      return NoId;
    V = memberVar(ThisBase, *P);
  } else if (const FieldDecl *F = ownField(E)) {
    const Expr *Value = Depth < 8 ? initialValue(*F) : nullptr;
    return Value ? givenVar(Value, Depth + 1) : NoId;
  } else if (const auto *M = dyn_cast<MemberExpr>(E);
             M && isa<FieldDecl>(M->getMemberDecl()) && !M->isArrow()) {
    const VarId Base =
        Depth < 8 ? givenVar(M->getBase(), Depth + 1) : VarId(NoId);
    if (Base == NoId)
      return NoId;
    V = memberVar(Base, *M->getMemberDecl());
  }
  if (V != NoId) {
    Out.Vars[V].IsConst = true;
    Out.Vars[V].IsReference = false;
  }
  return V;
}

/// A member that has the value its constructor gave it, or a part of one that
/// the constructor was given, `options.heads`; 0 for others.
ValueId Lowering::madeField(const Expr &E) {
  const FieldDecl *F = ownField(&E);
  if (!E.getType()->isIntegerType())
    return 0;
  const Expr *Whole = &E;
  while (!F) {
    const auto *M = dyn_cast<MemberExpr>(Whole);
    if (!M || M->isArrow() || !isa<FieldDecl>(M->getMemberDecl()))
      return 0;
    Whole = strip(M->getBase());
    F = ownField(Whole);
  }
  if (!isModuleField(*F))
    return 0;
  if (Whole != &E) {
    const VarId Given = givenVar(&E);
    return Given == NoId ? 0 : read(Given, E.getType(), &E);
  }
  const Expr *Value = initialValue(*F);
  // A default that anybody may change once the module is there.
  if (!Value ||
      (Value == F->getInClassInitializer() && F->getAccess() == AS_public &&
       !F->getType().isConstQualified()))
    return 0;
  return setting(Value, &E);
}

/// `linear->weight` of a module whose construction can be seen; 0 for others.
ValueId Lowering::moduleWeight(const MemberExpr &E) {
  if (E.getMemberDecl()->getName() != "weight")
    return 0;
  ModuleSpec M;
  const Expr *Holder = arrowObject(E.getBase());
  if (!moduleImpl(Holder->getType()) || !moduleSpec(Holder, M) ||
      M.Args.size() < 2 || (M.Class != "Linear" && M.Class != "Embedding"))
    return 0;
  ValueId First = setting(M.Args[0], &E), Second = setting(M.Args[1], &E);
  if (M.Class == "Linear")
    std::swap(First, Second);
  const ValueId Size = emitValue(Op::List, &E, {First, Second});
  program::Stmt &S = emit(Op::Weight, &E);
  S.Text = M.Class.str();
  S.Args.push_back({"size", Size, Role::Read, NoId, true});
  return result(S);
}

namespace {

/// The members of the object itself that a body reads.
void findOwnTensors(const clang::Stmt *S, Types &Kinds,
                    llvm::SmallSetVector<const FieldDecl *, 4> &Found) {
  if (!S)
    return;
  if (const auto *M = dyn_cast<MemberExpr>(S))
    if (const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
        F && isa<CXXThisExpr>(M->getBase()->IgnoreParenImpCasts()) &&
        Kinds.isPlainTensor(F->getType()))
      Found.insert(F);
  for (const clang::Stmt *Child : S->children())
    findOwnTensors(Child, Kinds, Found);
}

} // namespace

/// A tensor member of a module has the sizes that it was made with:
///
///   w = register_parameter("w", torch::randn({n, m}));
///                                     %2 = list %n %m
///                                     %3 = random size=%2
///                                     assume sizes(w) == sizes(%3)
void Lowering::lowerMembers() {
  llvm::SmallSetVector<const FieldDecl *, 4> Tensors;
  findOwnTensors(Fn.getBody(), Kinds, Tensors);
  for (const FieldDecl *F : Tensors) {
    if (Unit.Replaced.contains(F) || !isModuleField(*F))
      continue;
    const Assigned A = initialValues(*F);
    if (A.Values.empty() || A.Values.size() > 4)
      continue;
    const size_t First = Out.Blocks[Here].Stmts.size();
    InConstructor = true;
    for (const Expr *E : A.Values) {
      while (true) {
        E = strip(E);
        const auto *C = dyn_cast<CXXMemberCallExpr>(E);
        const CXXMethodDecl *M = C ? C->getMethodDecl() : nullptr;
        if (!M || !M->getIdentifier() || C->getNumArgs() < 2 ||
            (M->getName() != "register_parameter" &&
             M->getName() != "register_buffer"))
          break;
        E = C->getArg(1);
      }
      Made[F] = val(E);
    }
    InConstructor = false;
    const VarId V = memberVar(ThisBase, *F);
    Out.Vars[V].IsConst = true;
    const Expr *At = A.Values.back();
    const ValueId Own = load(V, At);
    auto Sizes = [&](ValueId Of) {
      program::Stmt &S = emit(Op::Sizes, At);
      S.Args.push_back({"self", Of, Role::Read, NoId});
      return result(S);
    };
    const ValueId Left = Sizes(Own), Right = Sizes(Made[F]);
    const ValueId Same = emitValue(Op::CmpEq, At, {Left, Right});
    emit(Op::Assume, At).Args.push_back({"", Same, Role::Read, NoId});
    auto &Stmts = Out.Blocks[Here].Stmts;
    for (size_t I = First; I < Stmts.size(); ++I)
      Stmts[I].Before = true;
  }
}

/// What the constructor knew of \p E while it made a member; 0: nothing.
ValueId Lowering::inConstructor(const Expr &E) {
  if (const FieldDecl *F = ownField(&E))
    if (auto It = Made.find(F); It != Made.end())
      return It->second;
  if (E.getType()->isIntegerType() && !E.getType()->isBooleanType())
    return setting(&E, &E);
  const auto *R = dyn_cast<DeclRefExpr>(&E);
  const auto *V = R ? dyn_cast<VarDecl>(R->getDecl()) : nullptr;
  const auto *Ctor =
      V ? dyn_cast<CXXConstructorDecl>(V->getDeclContext()) : nullptr;
  if (!Ctor || !V->getInit() || isChanged(Ctor->getBody(), *V))
    return 0;
  return val(V->getInit());
}

/// How the module that \p E names or makes was made.
bool Lowering::moduleSpec(const Expr *E, ModuleSpec &Spec, unsigned Depth) {
  E = strip(E);
  if (Depth > 8)
    return false;
  if (const auto *M = dyn_cast<MemberExpr>(E)) {
    const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
    const Assigned A =
        F && !Unit.Replaced.contains(F) ? initialValues(*F, true) : Assigned();
    if (A.Values.empty() && !A.Pushed.empty()) // made by default
      Spec.Class = "Sequential";
    else if (A.Values.empty() || !moduleSpec(A.Values.back(), Spec, Depth + 1))
      return false;
    if (!A.Pushed.empty() && Spec.Class != "Sequential")
      return false;
    Spec.Args.append(A.Pushed.begin(), A.Pushed.end());
    Spec.Name = F->getName();
    return true;
  }
  if (const auto *R = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(R->getDecl());
    if (!V || !Scan.DeclOf.count(V) || !V->getInit() ||
        isChanged(Fn.getBody(), *V) ||
        !moduleSpec(V->getInit(), Spec, Depth + 1))
      return false;
    Spec.Name = V->getName();
    return true;
  }
  if (const auto *C = dyn_cast<CallExpr>(E)) {
    const FunctionDecl *F = C->getDirectCallee();
    const StringRef Name = F && F->getIdentifier() ? F->getName() : StringRef();
    if (Name == "register_module" && C->getNumArgs() == 2)
      return moduleSpec(C->getArg(1), Spec, Depth + 1);
    if (Name == "move" && C->getNumArgs() == 1)
      return moduleSpec(C->getArg(0), Spec, Depth + 1);
    const auto *Pointer = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
        recordOf(C->getType()));
    if ((Name != "make_shared" && Name != "make_unique") || !Pointer)
      return false;
    const CXXRecordDecl *Impl =
        recordOf(Pointer->getTemplateArgs()[0].getAsType());
    Spec.Args.append(C->arg_begin(), C->arg_end());
    return Impl && madeWith(*Impl, E, Spec);
  }
  if (const auto *N = dyn_cast<CXXNewExpr>(E))
    return N->getConstructExpr() &&
           moduleSpec(N->getConstructExpr(), Spec, Depth + 1);
  const auto *C = dyn_cast<CXXConstructExpr>(E);
  if (!C || isNothing(C))
    return false;
  const CXXRecordDecl *Impl = moduleImpl(C->getType());
  if (const CXXRecordDecl *R = recordOf(C->getType()); !Impl && R) {
    // A smart pointer to one, or a module itself.
    if (Kinds.name(*R) == "std::shared_ptr" ||
        Kinds.name(*R) == "std::unique_ptr")
      return C->getNumArgs() == 1 && moduleSpec(C->getArg(0), Spec, Depth + 1);
    Impl = Kinds.isLibrary(*R) ? nullptr : R;
  }
  if (!Impl)
    return false;
  for (const Expr *A : C->arguments())
    if (!isa<CXXDefaultArgExpr>(A))
      Spec.Args.push_back(A);
  auto Passes = [&](const Expr *From) { // another holder, or what it holds
    const CXXRecordDecl *R = recordOf(From->getType());
    return moduleImpl(From->getType()) == Impl ||
           (R && Kinds.name(*R) == "std::shared_ptr");
  };
  if (Spec.Args.size() == 1 && Passes(Spec.Args[0])) {
    const Expr *From = Spec.Args[0];
    Spec.Args.clear();
    return moduleSpec(From, Spec, Depth + 1);
  }
  return madeWith(*Impl, C, Spec);
}

/// The class of a module, made by \p Made with the arguments in \p Spec.
bool Lowering::madeWith(const CXXRecordDecl &Impl, const Expr *Made,
                        ModuleSpec &Spec) {
  Spec.Made = Made;
  if (!Kinds.isLibrary(Impl)) {
    Spec.Users = &Impl;
    return true;
  }
  StringRef Class = Kinds.name(Impl);
  if (!Class.consume_front("torch::nn::") || !Class.consume_back("Impl"))
    return false;
  Spec.Class = Class;
  if (Class == "Sequential" && Spec.Args.size() == 1)
    readNamedModules(Spec);
  return Spec.Args.size() != 1 || Class == "Sequential" || readOptions(Spec);
}

/// `Sequential({{"fc", Linear(4, 8)}, {"out", Linear(8, 2)}})`
void Lowering::readNamedModules(ModuleSpec &Spec) {
  const Expr *E = Spec.Args[0]->IgnoreUnlessSpelledInSource();
  const InitListExpr *List = nullptr;
  for (unsigned Depth = 0; Depth < 8 && !List; ++Depth) {
    E = strip(E);
    if (const auto *L = dyn_cast<CXXStdInitializerListExpr>(E))
      E = L->getSubExpr();
    else if (const auto *C = dyn_cast<CXXConstructExpr>(E);
             C && C->getNumArgs() && !moduleImpl(C->getType()))
      E = C->getArg(0);
    else
      List = dyn_cast<InitListExpr>(E);
    if (isa<MaterializeTemporaryExpr>(E))
      E = cast<MaterializeTemporaryExpr>(E)->getSubExpr();
  }
  llvm::SmallVector<const Expr *, 4> Children;
  for (const Expr *One : List ? List->inits() : llvm::ArrayRef<Expr *>()) {
    const auto *C = dyn_cast<CXXConstructExpr>(strip(One));
    const CXXRecordDecl *R = C ? recordOf(C->getType()) : nullptr;
    if (!R || R->getName() != "NamedAnyModule" || C->getNumArgs() != 2)
      return;
    Children.push_back(C->getArg(1));
  }
  if (!Children.empty())
    Spec.Args.assign(Children.begin(), Children.end());
}

/// `Conv2dOptions(1, 20, 5).stride(2)`: the settings by name.
bool Lowering::readOptions(ModuleSpec &Spec) {
  const Expr *E = strip(Spec.Args[0]);
  while (const auto *C = dyn_cast<CXXConstructExpr>(E)) { // copies
    if (C->getNumArgs() != 1 ||
        recordOf(C->getArg(0)->getType()) != recordOf(C->getType()))
      break;
    E = strip(C->getArg(0));
  }
  const CXXRecordDecl *R = recordOf(E->getType());
  if (!R || !R->getName().ends_with("Options"))
    return true; // the one argument itself
  while (const auto *M = dyn_cast<CXXMemberCallExpr>(E)) {
    if (M->getNumArgs() != 1 || !M->getMethodDecl())
      return false;
    Spec.Options.try_emplace(M->getMethodDecl()->getName(), M->getArg(0));
    E = strip(M->getImplicitObjectArgument());
  }
  const auto *Made = dyn_cast<CXXConstructExpr>(E);
  if (!Made)
    return false;
  Spec.Args.clear();
  for (const Expr *A : Made->arguments())
    if (!isa<CXXDefaultArgExpr>(A))
      Spec.Args.push_back(A);
  return true;
}

/// What a setting wraps: `ExpandingArray<2>(3)` and variants stand for the one
/// number or list they are made from.
static const Expr *unwrapped(const Expr *E, Types &Kinds) {
  while (true) {
    E = E->IgnoreParenCasts();
    if (const auto *F = dyn_cast<FullExpr>(E)) {
      E = F->getSubExpr();
      continue;
    }
    if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E)) {
      E = M->getSubExpr();
      continue;
    }
    if (const auto *B = dyn_cast<CXXBindTemporaryExpr>(E)) {
      E = B->getSubExpr();
      continue;
    }
    const auto *C = dyn_cast<CXXConstructExpr>(E);
    const CXXRecordDecl *R = C ? recordOf(C->getType()) : nullptr;
    const StringRef Class = R ? Kinds.name(*R) : StringRef();
    if (!C || C->getNumArgs() != 1 ||
        !(C->getConstructor()->isCopyOrMoveConstructor() ||
          Class.contains("ExpandingArray") || Class.ends_with("::variant")))
      return E;
    E = C->getArg(0);
  }
}

/// The settings that the options of a function of torch::nn::functional were
/// made with stand in their place, named as the parameters of who takes them.
/// Options that come from elsewhere stay.
void Lowering::addSettings(CallSite &C) {
  if (C.Object || C.Args.empty() ||
      !Kinds.name(*C.Callee).starts_with("torch::nn::functional::"))
    return;
  const CXXRecordDecl *R = recordOf(C.Args.back()->getType());
  if (!R || !R->getName().ends_with("Options"))
    return;
  llvm::SmallVector<std::pair<const Expr *, const ParmVarDecl *>, 6> Settings;
  auto Add = [&](const Expr *Value, const ParmVarDecl *Param) {
    if (!isa<CXXDefaultArgExpr>(Value))
      Settings.emplace_back(unwrapped(Value, Kinds), Param);
  };
  const Expr *E = unwrapped(C.Args.back(), Kinds);
  while (const auto *M = dyn_cast<CXXMemberCallExpr>(E)) {
    if (M->getNumArgs() != 1 || !M->getMethodDecl())
      return;
    Add(M->getArg(0), M->getMethodDecl()->getParamDecl(0));
    E = unwrapped(M->getImplicitObjectArgument(), Kinds);
  }
  const auto *Made = dyn_cast<CXXConstructExpr>(E);
  if (!Made)
    return;
  for (unsigned A = 0; A < Made->getNumArgs(); ++A)
    Add(Made->getArg(A), Made->getConstructor()->getParamDecl(A));
  C.OwnArgs = C.Args.size() - 1;
  C.Args.pop_back();
  C.Params.pop_back();
  for (auto [Value, Param] : Settings) {
    C.Args.push_back(Value);
    C.Params.push_back(Param);
  }
}

/// A setting's value: numbers, lists of them, what the constructor was given,
/// locals that do not change, and what is computed of those.
ValueId Lowering::setting(const Expr *E, const Expr *At, unsigned Depth) {
  const Expr *Inner = strip(E);
  Expr::EvalResult R;
  if (!Inner->isValueDependent() &&
      Inner->getType()->isIntegralOrEnumerationType() &&
      Kinds.kind(Inner->getType()) != Kind::Symbol &&
      Inner->EvaluateAsInt(R, Context) && !R.HasSideEffects) {
    const int64_t N = R.Val.getInt().getExtValue();
    return Inner->getType()->isBooleanType() ? constBool(N != 0, At)
                                             : constInt(N, At);
  }
  if (const auto *F = dyn_cast<FloatingLiteral>(Inner)) {
    llvm::SmallString<16> Text;
    shortest(F->getValue(), Text);
    return constText(ConstKind::Float, Text, At);
  }
  auto Of = [&](const Expr *Part) { return setting(Part, At, Depth + 1); };
  if (const auto *L = dyn_cast<InitListExpr>(Inner)) {
    llvm::SmallVector<ValueId, 4> Elements;
    for (const Expr *One : L->inits())
      Elements.push_back(Of(One));
    return emitValue(Op::List, At, Elements);
  }
  if (const auto *C = dyn_cast<CXXConstructExpr>(Inner);
      C && C->getNumArgs() &&
      llvm::all_of(llvm::drop_begin(C->arguments()),
                   [](const Expr *A) { return isa<CXXDefaultArgExpr>(A); }))
    return Of(C->getArg(0));
  auto Unknown = [&] { return emitOther(Op::Unknown, "", At, {}); };
  if (!Inner->getType()->isIntegerType() || Depth > 16)
    return Unknown();
  if (const auto *B = dyn_cast<BinaryOperator>(Inner)) {
    Op O;
    switch (B->getOpcode()) {
    case BO_Add:
      O = Op::IAdd;
      break;
    case BO_Sub:
      O = Op::ISub;
      break;
    case BO_Mul:
      O = Op::IMul;
      break;
    case BO_Div:
      O = Op::IDiv;
      break;
    case BO_EQ:
      O = Op::CmpEq;
      break;
    case BO_NE:
      O = Op::CmpNe;
      break;
    case BO_LT:
      O = Op::CmpLt;
      break;
    case BO_LE:
      O = Op::CmpLe;
      break;
    case BO_GT:
      O = Op::CmpGt;
      break;
    case BO_GE:
      O = Op::CmpGe;
      break;
    case BO_LAnd:
      O = Op::And;
      break;
    case BO_LOr:
      O = Op::Or;
      break;
    default:
      return Unknown();
    }
    const ValueId Left = Of(B->getLHS()), Right = Of(B->getRHS());
    return emitValue(O, At, {Left, Right});
  }
  if (const auto *U = dyn_cast<UnaryOperator>(Inner);
      U && U->getOpcode() == UO_LNot)
    return emitValue(Op::Not, At, Of(U->getSubExpr()));
  if (const auto *D = dyn_cast<DeclRefExpr>(Inner))
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl())) {
      const auto *In = dyn_cast<FunctionDecl>(V->getDeclContext());
      if (In == &Fn && !isChanged(Fn.getBody(), *V))
        return load(varFor(*V), At);
      if (In && isa<CXXConstructorDecl>(In) && !isa<ParmVarDecl>(V) &&
          V->getInit() && !isChanged(In->getBody(), *V))
        return Of(V->getInit());
    }
  if (const VarId V = givenVar(Inner); V != NoId)
    return load(V, At);
  if (const FieldDecl *F = ownField(Inner))
    if (const Expr *Value = initialValue(*F))
      return Of(Value);
  return Unknown();
}
