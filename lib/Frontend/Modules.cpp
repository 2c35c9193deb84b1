//===- Modules.cpp - torch::nn modules whose construction can be seen -----===//
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

#include "Frontend/Lowering.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;
using llvm::StringRef;

namespace {

/// How a body gives a variable or field its value.
struct Assigned {
  /// By statements that always run, in their order.
  llvm::SmallVector<const Expr *, 1> Values;
  llvm::SmallVector<const Expr *, 0> Pushed; ///< elements added, likewise
  bool Otherwise = false; ///< on some path, or in a way not known
};

const ValueDecl *named(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *R = dyn_cast<DeclRefExpr>(E))
    return R->getDecl();
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return M->getMemberDecl();
  return nullptr;
}

/// The holder in `holder->method()`.
const Expr *arrowObject(const Expr *E) {
  const auto *Arrow = dyn_cast<CXXOperatorCallExpr>(E->IgnoreParenImpCasts());
  return Arrow && Arrow->getOperator() == OO_Arrow ? Arrow->getArg(0) : E;
}

void findAssigned(const clang::Stmt *S, const ValueDecl &D, bool Always,
                  Assigned &Out) {
  if (!S)
    return;
  auto To = [&](const Expr *Target, const Expr *Value) {
    if (named(Target) != &D) { // a part of it
      while (const auto *M =
                 dyn_cast<MemberExpr>(Target->IgnoreParenImpCasts()))
        Out.Otherwise |= named(Target = M->getBase()) == &D && !M->isArrow();
      return;
    }
    Out.Otherwise |= !Always || !Value;
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
    if (Object && Name == "push_back" && Always &&
        named(arrowObject(Object)) == &D)
      Out.Pushed.push_back(M->getArg(M->getNumArgs() - 1));
    else if (Object && Changes.contains(Name))
      To(arrowObject(Object), nullptr);
  } else if (const auto *F = dyn_cast<MemberExpr>(S);
             F && F->getMemberDecl()->getName() == "options") {
    To(arrowObject(F->getBase()), nullptr);
  }
  const bool Inside =
      isa<CompoundStmt, ExprWithCleanups, ImplicitCastExpr, DeclStmt>(S);
  for (const clang::Stmt *Child : S->children())
    findAssigned(Child, D, Always && Inside, Out);
}

bool isChanged(const clang::Stmt *Body, const ValueDecl &D) {
  Assigned A;
  findAssigned(Body, D, true, A);
  return !A.Values.empty() || !A.Pushed.empty() || A.Otherwise;
}

bool isNothing(const Expr *E) {
  const auto *C = dyn_cast<CXXConstructExpr>(E);
  return C && C->getNumArgs() == 1 &&
         isa<CXXNullPtrLiteralExpr>(C->getArg(0)->IgnoreParenImpCasts());
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

/// What constructing an object of its class gives the field, one after the
/// other; nothing when that is not known, or others change it.
static Assigned initialValues(const FieldDecl &F) {
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
  return Out.Otherwise ? None : Out;
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

/// A member that has the value its constructor gave it; 0 for others.
ValueId Lowering::madeField(const Expr &E) {
  const FieldDecl *F = ownField(&E);
  if (!F || !F->getType()->isIntegerType() || F->getType()->isBooleanType() ||
      !isModuleField(*F))
    return 0;
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
        F && !Unit.Replaced.contains(F) ? initialValues(*F) : Assigned();
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
    return Name == "move" && C->getNumArgs() == 1 &&
           moduleSpec(C->getArg(0), Spec, Depth + 1);
  }
  const auto *C = dyn_cast<CXXConstructExpr>(E);
  const CXXRecordDecl *Impl = C ? moduleImpl(C->getType()) : nullptr;
  if (!Impl || isNothing(C))
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
  StringRef Class = Kinds.name(*Impl);
  if (!Class.consume_front("torch::nn::") || !Class.consume_back("Impl"))
    return false;
  Spec.Class = Class;
  Spec.Made = C;
  return Spec.Args.size() != 1 || Class == "Sequential" || readOptions(Spec);
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
  auto Unknown = [&] { return emitOpaque("setting", At, {}); };
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
    default:
      return Unknown();
    }
    const ValueId Left = Of(B->getLHS()), Right = Of(B->getRHS());
    return emitValue(O, At, {Left, Right});
  }
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

/// The result of calling a module on \p X, or 0: nothing better is known than
/// its model says.
ValueId Lowering::applyModule(const ModuleSpec &M, ValueId X, const Expr &At) {
  const StringRef Class = M.Class;
  auto Option = [&](StringRef Name, size_t Position) -> const Expr * {
    auto It = M.Options.find(Name);
    return It != M.Options.end()      ? It->second
           : Position < M.Args.size() ? M.Args[Position]
                                      : nullptr;
  };
  constexpr size_t ByName = ~size_t(0);
  llvm::SmallVector<Arg, 6> Operands;
  auto Give = [&](StringRef Name, ValueId V) {
    Operands.push_back({Name.str(), V, Role::Read, NoId, true});
  };
  auto Set = [&](StringRef Name, size_t Position) {
    if (const Expr *E = Option(Name, Position))
      Give(Name, setting(E, &At));
  };
  auto Make = [&](Op O, StringRef Input) {
    program::Stmt &S = emit(O, &At);
    S.Text = M.Name.empty() ? Class.str() : M.Name.str();
    S.Args.push_back({Input.str(), X, Role::Read, NoId});
    S.Args.append(Operands.begin(), Operands.end());
    return result(S);
  };
  auto Weight = [&](llvm::ArrayRef<ValueId> Sizes) {
    const ValueId Size = emitValue(Op::List, &At, Sizes);
    llvm::SmallVector<ValueId, 4> Written;
    for (const Expr *A : M.Args)
      Written.push_back(setting(A, &At));
    program::Stmt &S = emit(Op::Weight, M.Made);
    S.Text = Class.str();
    S.Args.push_back({"size", Size, Role::Read, NoId, true});
    for (ValueId V : Written)
      S.Args.push_back({"", V, Role::Read, NoId});
    Give("weight", result(S));
  };

  if (Class == "Sequential") {
    for (const Expr *Child : M.Args) {
      ModuleSpec Spec;
      ValueId Next =
          moduleSpec(Child, Spec) ? applyModule(Spec, X, At) : ValueId(0);
      if (!Next) {
        program::Stmt &S = emit(Op::OtherMaybeCopy, &At);
        S.Text = "forward";
        S.Args.push_back({"self", X, Role::Read, NoId});
        Next = result(S);
      }
      X = Next;
    }
    return M.Args.empty() ? ValueId(0) : X;
  }
  if (Class == "Linear" && M.Args.size() >= 2) {
    const ValueId From = setting(M.Args[0], &At), To = setting(M.Args[1], &At);
    Weight({To, From});
    return Make(Op::Linear, "input");
  }
  if (Class == "Embedding" && M.Args.size() >= 2) {
    const ValueId N = setting(M.Args[0], &At), D = setting(M.Args[1], &At);
    Weight({N, D});
    Give("sizes", constText(ConstKind::String, "indices weight[1]", &At));
    Give("strides", constText(ConstKind::String, "dense", &At));
    return Make(Op::Sized, "indices");
  }
  const int64_t Dims = llvm::StringSwitch<int64_t>(Class.take_back(2))
                           .Case("1d", 1)
                           .Case("2d", 2)
                           .Case("3d", 3)
                           .Default(0);
  const StringRef Family = Dims ? Class.drop_back(2) : Class;
  const bool Transposed = Family == "ConvTranspose";
  if ((Family == "Conv" || Transposed) && Dims && M.Args.size() >= 3) {
    ValueId From = setting(M.Args[0], &At), To = setting(M.Args[1], &At);
    const Expr *Groups = Option("groups", ByName);
    const ValueId N = Groups ? setting(Groups, &At) : constInt(1, &At);
    ValueId &Shared = Transposed ? To : From;
    if (Groups)
      Shared = emitValue(Op::IDiv, &At, {Shared, N});
    const ValueId Kernel = setting(M.Args[2], &At);
    llvm::SmallVector<ValueId, 5> Sizes{Transposed ? From : To,
                                        Transposed ? To : From};
    const bool IsList = Out.Blocks[Here].Stmts.back().O == Op::List;
    for (int64_t D = 0; D < Dims; ++D)
      Sizes.push_back(
          IsList ? emitValue(Op::ListGet, &At, {Kernel, constInt(D, &At)})
                 : Kernel);
    Weight(Sizes);
    Give("groups", N);
    for (StringRef Name : {"stride", "padding", "dilation", "output_padding"})
      Set(Name, ByName);
    Give("dims", constInt(Dims, &At));
    if (Transposed)
      Give("transposed", constBool(true, &At));
    return Make(Op::Conv, "self");
  }
  if ((Family == "MaxPool" || Family == "AvgPool") &&
      (Dims == 1 || Dims == 2) && !M.Args.empty()) {
    Set("kernel_size", 0);
    for (StringRef Name : {"stride", "padding", "dilation", "ceil_mode"})
      Set(Name, ByName);
    Give("dims", constInt(Dims, &At));
    return Make(Op::Pool, "self");
  }
  if (Class == "AdaptiveAvgPool2d" && M.Args.size() == 1) {
    Set("output_size", 0);
    Give("dims", constInt(2, &At));
    return Make(Op::Resample, "self");
  }
  if (Class == "Flatten") {
    const Expr *From = Option("start_dim", 0), *To = Option("end_dim", 1);
    Give("start_dim", From ? setting(From, &At) : constInt(1, &At));
    Give("end_dim", To ? setting(To, &At) : constInt(-1, &At));
    return Make(Op::Flatten, "self");
  }
  if (Family == "BatchNorm" || Family == "InstanceNorm" ||
      Class == "GroupNorm") {
    // Without weights or statistics nothing asks for the channels.
    const size_t Channels = Class == "GroupNorm" ? 1 : 0;
    if (Family != "InstanceNorm" && M.Args.size() > Channels &&
        !M.Options.contains(Channels ? "affine" : "track_running_stats")) {
      Weight({setting(M.Args[Channels], &At)});
      const char *Ranks = Channels    ? "2<=rank(input)"
                          : Dims == 1 ? "2<=rank(input); rank(input)<=3"
                          : Dims == 2 ? "rank(input)=4"
                                      : "rank(input)=5";
      Give("needs",
           constText(ConstKind::String,
                     std::string(Ranks) + "; input[1]=weight[0]", &At));
    }
    Give("sizes", constText(ConstKind::String, "input", &At));
    Give("strides",
         constText(ConstKind::String,
                   Family == "BatchNorm" ? "format" : "unknown", &At));
    return Make(Op::Sized, "input");
  }
  if (Class == "LayerNorm" && !M.Args.empty()) {
    Set("normalized_shape", 0);
    Give("needs",
         constText(ConstKind::String, "self ends normalized_shape", &At));
    return Make(Op::CloneDense, "self");
  }
  if (Class == "LayerNorm" || Class == "Softmax" || Class == "LogSoftmax")
    return Make(Op::CloneDense, "self");
  if (Class == "Tanh" || Class == "Sigmoid" || Class == "GELU" ||
      Class == "SiLU" ||
      ((Class == "ReLU" || Class == "LeakyReLU" || Class == "ELU" ||
        Class == "ReLU6" || Class == "SELU" || Class == "CELU" ||
        Class == "Hardtanh") &&
       M.Args.empty() && M.Options.empty()))
    return Make(Op::Unary, "self");
  if (Family == "Dropout" || Class == "Dropout" || Class == "ReLU" ||
      Class == "LeakyReLU" || Class == "ELU" || Class == "ReLU6")
    return Make(Op::SameSizes, "self");
  return 0;
}

/// `lstm(x)`, `gru(x, h)` and cells: [y, h], the state of an LSTM being two.
bool Lowering::lowerRecurrent(const ModuleSpec &M, const CallSite &C,
                              ValueId &Result) {
  const bool IsCell = M.Class.ends_with("Cell");
  const StringRef Kind = IsCell ? M.Class.drop_back(4) : M.Class;
  const bool IsLstm = Kind == "LSTM";
  if ((!IsLstm && Kind != "GRU" && Kind != "RNN") || M.Args.size() < 2 ||
      C.Args.size() > 2 || M.Options.contains("proj_size"))
    return false;
  auto IsSet = [&](StringRef Name) -> std::optional<bool> {
    auto It = M.Options.find(Name);
    bool Is = false;
    if (It == M.Options.end())
      return false;
    const Expr *E = strip(It->second);
    return !E->isValueDependent() && E->EvaluateAsBooleanCondition(Is, Context)
               ? std::optional(Is)
               : std::nullopt;
  };
  const auto Both = IsSet("bidirectional"), BatchFirst = IsSet("batch_first");
  if (!Both || !BatchFirst)
    return false;
  const Expr *At = C.E;
  auto Doubled = [&](ValueId V) {
    return *Both ? emitValue(Op::IMul, At, {constInt(2, At), V}) : V;
  };
  const ValueId X = val(C.Args[0]);
  ValueId Before = C.Args.size() > 1 ? val(C.Args[1]) : 0;
  if (Before && IsLstm)
    Before = emitValue(Op::ListGet, At, {Before, constInt(0, At)});
  const ValueId In = setting(M.Args[0], At), Hidden = setting(M.Args[1], At);
  auto Layers = M.Options.find("num_layers");
  const ValueId Stacked =
      Doubled(Layers == M.Options.end() ? constInt(1, At)
                                        : setting(Layers->second, At));
  const ValueId Size = emitValue(Op::List, At, {Doubled(Hidden), In});
  program::Stmt &W = emit(Op::Weight, M.Made);
  W.Text = M.Class.str();
  W.Args.push_back({"size", Size, Role::Read, NoId, true});
  const ValueId Weight = result(W);
  const StringRef Batch = *BatchFirst ? "input[0]" : "input[1]";
  auto Make = [&](const std::string &Sizes, const std::string &Needs) {
    std::pair<const char *, ValueId> Operands[] = {
        {"weight", Weight},
        {"hx", Before},
        {"layers", Stacked},
        {"hidden", Hidden},
        {"sizes", constText(ConstKind::String, Sizes, At)},
        {"strides", constText(ConstKind::String, "unknown", At)},
        {"needs", constText(ConstKind::String, Needs, At)}};
    program::Stmt &S = emit(Op::Sized, At);
    S.Text = M.Name.empty() ? M.Class.str() : M.Name.str();
    S.Args.push_back({"input", X, Role::Read, NoId});
    for (auto [Name, V] : Operands)
      if (V)
        S.Args.push_back({Name, V, Role::Read, NoId, true});
    return result(S);
  };
  std::string Needs = IsCell ? "rank(input)=2; input[1]=weight[1]"
                             : "rank(input)=3; input[2]=weight[1]";
  if (Before)
    Needs += IsCell ? "; rank(hx)=2; hx[0]=input[0]; hx[1]=hidden"
                    : "; rank(hx)=3; hx[0]=layers; hx[1]=" + Batch.str() +
                          "; hx[2]=hidden";
  const ValueId Y =
      Make(IsCell ? "input[0] hidden" : "input[:2] weight[0]", Needs);
  auto State = [&] {
    return Make(
        IsCell ? "input[0] hidden" : "layers " + Batch.str() + " hidden", "");
  };
  if (!IsCell) {
    ValueId H = State();
    if (IsLstm)
      H = emitValue(Op::List, At, {H, State()});
    Result = emitValue(Op::List, At, {Y, H});
  } else {
    Result = IsLstm ? emitValue(Op::List, At, {Y, State()}) : Y;
  }
  return true;
}

/// `attention(query, key, value)`: [output, weights].
bool Lowering::lowerAttention(const ModuleSpec &M, const CallSite &C,
                              ValueId &Result) {
  if (M.Class != "MultiheadAttention" || M.Args.size() < 2 || C.Args.size() < 3)
    return false;
  const Expr *At = C.E;
  llvm::SmallVector<ValueId, 3> Given;
  for (size_t I = 0; I < 3; ++I) {
    if (!Kinds.isPlainTensor(C.Args[I]->getType()))
      return false;
    Given.push_back(val(C.Args[I]));
  }
  const ValueId Size = emitValue(Op::List, At, {setting(M.Args[0], At)});
  program::Stmt &W = emit(Op::Weight, M.Made);
  W.Text = M.Class.str();
  W.Args.push_back({"size", Size, Role::Read, NoId, true});
  const ValueId Weight = result(W);
  auto Make = [&](StringRef Sizes, StringRef Needs) {
    const ValueId Z = constText(ConstKind::String, Sizes, At),
                  T = constText(ConstKind::String, "unknown", At),
                  N = constText(ConstKind::String, Needs, At);
    program::Stmt &S = emit(Op::Sized, At);
    S.Text = M.Name.empty() ? M.Class.str() : M.Name.str();
    for (auto [Name, V] :
         {std::pair("query", Given[0]), std::pair("key", Given[1]),
          std::pair("value", Given[2])})
      S.Args.push_back({Name, V, Role::Read, NoId});
    for (auto [Name, V] : {std::pair("weight", Weight), std::pair("sizes", Z),
                           std::pair("strides", T), std::pair("needs", N)})
      S.Args.push_back({Name, V, Role::Read, NoId, true});
    return result(S);
  };
  const ValueId Y = Make("query", "rank(query)=3; query[2]=weight[0]");
  const ValueId Weights = C.Args.size() == 3
                              ? Make("query[1] query[0] key[0]", "")
                              : emitOpaque("weights", At, {});
  Result = emitValue(Op::List, At, {Y, Weights});
  return true;
}

/// A call of a library's module whose settings are known.
bool Lowering::lowerModule(const CallSite &C, ValueId &Result) {
  if (!C.Object || (C.Name != "operator()" && C.Name != "forward") ||
      C.Args.empty() || !Kinds.isPlainTensor(C.Args[0]->getType()))
    return false;
  const Expr *Holder = arrowObject(C.Object);
  const CXXRecordDecl *Impl = moduleImpl(Holder->getType());
  ModuleSpec Spec;
  if (!Impl || !Kinds.isLibrary(*Impl) || !moduleSpec(Holder, Spec))
    return false;
  if (!lowerRecurrent(Spec, C, Result) && !lowerAttention(Spec, C, Result) &&
      C.Args.size() == 1)
    Result = applyModule(Spec, val(C.Args[0]), *C.E);
  if (Result)
    countCall(C, Op::Sized);
  return Result != 0;
}
