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
  const Expr *Value = nullptr; ///< by one statement that always runs
  bool Otherwise = false;      ///< on some path, twice, or in a way not known
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
    if (named(Target) != &D)
      return;
    Out.Otherwise |= !Always || Out.Value || !Value;
    Out.Value = Value;
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
    if (Object && Method && Method->getIdentifier() &&
        Changes.contains(Method->getName()))
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
  return A.Value || A.Otherwise;
}

bool isNothing(const Expr *E) {
  const auto *C = dyn_cast<CXXConstructExpr>(E);
  return C && C->getNumArgs() == 1 &&
         isa<CXXNullPtrLiteralExpr>(C->getArg(0)->IgnoreParenImpCasts());
}

} // namespace

/// What constructing an object of its class gives the field; null when that is
/// not one expression.
static const Expr *initialValue(const FieldDecl &F) {
  const auto *Class = dyn_cast<CXXRecordDecl>(F.getParent());
  if (!Class || Class->isDependentContext())
    return nullptr;
  const Expr *Value = F.getInClassInitializer();
  bool HaveConstructor = false;
  for (const CXXConstructorDecl *C : Class->ctors()) {
    if (C->isImplicit() || C->isCopyOrMoveConstructor() || C->isDeleted() ||
        C->isDelegatingConstructor())
      continue;
    const FunctionDecl *Definition = nullptr;
    if (HaveConstructor || (!C->isDefaulted() && !C->hasBody(Definition)))
      return nullptr;
    HaveConstructor = true;
    const auto *Ctor = cast<CXXConstructorDecl>(Definition ? Definition : C);
    for (const CXXCtorInitializer *I : Ctor->inits())
      if (I->getMember() == &F && !isa<CXXDefaultInitExpr>(I->getInit()))
        Value = I->getInit();
    Assigned A;
    findAssigned(Ctor->getBody(), F, true, A);
    if (A.Otherwise)
      return nullptr;
    if (A.Value)
      Value = A.Value;
  }
  for (const CXXMethodDecl *M : Class->methods())
    if (const FunctionDecl *Definition = nullptr;
        !isa<CXXConstructorDecl>(M) && M->hasBody(Definition) &&
        isChanged(Definition->getBody(), F))
      return nullptr;
  return Value;
}

/// How the module that \p E names or makes was made.
bool Lowering::moduleSpec(const Expr *E, ModuleSpec &Spec, unsigned Depth) {
  E = strip(E);
  if (Depth > 8)
    return false;
  if (const auto *M = dyn_cast<MemberExpr>(E)) {
    const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
    const Expr *Value =
        F && !Unit.Replaced.contains(F) ? initialValue(*F) : nullptr;
    if (!Value || !moduleSpec(Value, Spec, Depth + 1))
      return false;
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

/// A setting's value: numbers, lists of them, and locals that do not change.
ValueId Lowering::setting(const Expr *E, const Expr *At) {
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
  if (const auto *L = dyn_cast<InitListExpr>(Inner)) {
    llvm::SmallVector<ValueId, 4> Elements;
    for (const Expr *One : L->inits())
      Elements.push_back(setting(One, At));
    return emitValue(Op::List, At, Elements);
  }
  if (const auto *C = dyn_cast<CXXConstructExpr>(Inner);
      C && C->getNumArgs() == 1)
    return setting(C->getArg(0), At);
  if (const auto *D = dyn_cast<DeclRefExpr>(Inner))
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl());
        V && V->getDeclContext() == &Fn && V->getType()->isIntegerType() &&
        !isChanged(Fn.getBody(), *V))
      return load(varFor(*V), At);
  return emitOpaque("setting", At, {});
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
    Give("sizes", constText(ConstKind::String, "input", &At));
    Give("strides",
         constText(ConstKind::String,
                   Family == "BatchNorm" ? "format" : "unknown", &At));
    return Make(Op::Sized, "input");
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

/// A call of a library's module whose settings are known.
bool Lowering::lowerModule(const CallSite &C, ValueId &Result) {
  if (!C.Object || (C.Name != "operator()" && C.Name != "forward") ||
      C.Args.size() != 1 || !Kinds.isPlainTensor(C.Args[0]->getType()))
    return false;
  const Expr *Holder = arrowObject(C.Object);
  const CXXRecordDecl *Impl = moduleImpl(Holder->getType());
  ModuleSpec Spec;
  if (!Impl || !Kinds.isLibrary(*Impl) || !moduleSpec(Holder, Spec))
    return false;
  const ValueId X = val(C.Args[0]);
  Result = applyModule(Spec, X, *C.E);
  if (Result)
    countCall(C, Op::Sized);
  return Result != 0;
}
