//===- ModuleCallLowering.cpp - what calling a module does ----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module whose construction can be seen (Modules.cpp) is the operation that
// it stands for. One of the user's own runs its forward(), which knows what the
// constructor of this object was given:
//
//   inner = register_module("inner", Inner(10, 20));
//   inner(x)                         store $*inner.from %1    (10)
//                                    store $*inner.to %2      (20)
//                                    %4 = opaque "forward" %3 -> its body
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lower/Lowering.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;
using llvm::StringRef;

/// The methods of \p Object, of class \p M.Users, know what its constructor was
/// given: numbers, and objects' fields that are.
void Lowering::giveConstructor(const ModuleSpec &M, VarId Object,
                               const Expr &At) {
  const CXXConstructorDecl *Ctor =
      M.Users->hasDefinition() ? onlyConstructor(*M.Users) : nullptr;
  if (!Ctor || M.Args.size() > Ctor->getNumParams() || makesSome(*Ctor))
    return;
  auto Give = [&](VarId V, ValueId Value) {
    program::Stmt &S = emit(Op::Store, &At);
    S.Var = V;
    S.Args.push_back({"", Value, Role::Read, NoId, true});
  };
  auto IsNumber = [](QualType T) {
    return T.getNonReferenceType()->isIntegerType();
  };
  for (unsigned I = 0; I < Ctor->getNumParams(); ++I) {
    const ParmVarDecl &P = *Ctor->getParamDecl(I);
    const Expr *Value = I < M.Args.size() ? M.Args[I]
                        : P.hasDefaultArg() &&
                                !P.hasUninstantiatedDefaultArg() &&
                                !P.hasUnparsedDefaultArg()
                            ? P.getDefaultArg()
                            : nullptr;
    if (!Value)
      return;
    if (IsNumber(P.getType())) {
      Give(memberVar(Object, P), setting(Value, &At));
      continue;
    }
    const CXXRecordDecl *R = recordOf(P.getType());
    if (!R || Kinds.isLibrary(*R) || !R->hasDefinition())
      continue;
    const VarId From = givenVar(Value);
    if (From == NoId)
      continue;
    const VarId To = memberVar(Object, P);
    for (const FieldDecl *F : R->fields())
      if (IsNumber(F->getType()))
        Give(memberVar(To, *F), load(memberVar(From, *F), &At));
  }
}

/// `inner(x)`, `inner->forward(x)`, `inner.forward(x)` of a module of the
/// user's: \p To learns what its constructor was given.
void Lowering::knowObject(const CallSite &C, Call &To) {
  if (!C.Object || To.This == ThisKind::Same)
    return;
  const Expr *Object = arrowObject(C.Object);
  if (const auto *U = dyn_cast<UnaryOperator>(strip(Object));
      U && U->getOpcode() == UO_Deref)
    Object = U->getSubExpr();
  ModuleSpec Spec;
  if (!moduleSpec(Object, Spec) || !Spec.Users)
    return;
  if (To.This == ThisKind::None) {
    const Place P = pointee(Object);
    if (!P || !P.Exact)
      return;
    To.This = ThisKind::Variable;
    To.ThisVar = P.Var;
  }
  giveConstructor(Spec, To.ThisVar, *C.E);
}

/// A module of the user's, called by one of the library's on \p X.
ValueId Lowering::runModule(const ModuleSpec &M, ValueId X, const Expr &At) {
  const CXXMethodDecl *Forward =
      M.Users->hasDefinition() ? forwardOf(*M.Users) : nullptr;
  const FunctionDecl *Body = Forward ? visibleBody(*Forward) : nullptr;
  if (!Body || Body->getNumParams() != 1 || isExpected(&At) ||
      !Kinds.isPlainTensor(Body->getParamDecl(0)->getType()) ||
      !Kinds.isPlainTensor(Body->getReturnType()))
    return 0;
  Variable Object;
  Object.IsMember = Object.IsPointee = true;
  Out.Vars.push_back(std::move(Object));
  Call To;
  To.Body = Unit.idOf(*Body);
  To.This = ThisKind::Variable;
  To.ThisVar = static_cast<VarId>(Out.Vars.size() - 1);
  giveConstructor(M, To.ThisVar, At);
  Binding B;
  B.Value = X;
  To.Params.push_back(B);
  program::Stmt &S = emit(Op::Opaque, &At);
  S.Text = "forward";
  S.Forward = true;
  S.Args.push_back({"", X, Role::Keep, NoId});
  S.Calls = std::make_shared<const Call>(std::move(To));
  reaches(Reach::Members);
  return result(S);
}

/// The result of calling a module on \p X, or 0: nothing better is known than
/// its model says.
ValueId Lowering::applyModule(const ModuleSpec &M, ValueId X, const Expr &At) {
  const StringRef Class = M.Class;
  if (M.Users)
    return runModule(M, X, At);
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

  // Whatever a module is converted to, its numbers are of such a type.
  auto NeedFloats = [&](StringRef Input) {
    Give("needs", constText(ConstKind::String,
                            ("dtype(" + Input + ")=floating").str(), &At));
  };

  if (Class == "Sequential") {
    for (const Expr *Child : M.Args) {
      ModuleSpec Spec;
      ValueId Next =
          moduleSpec(Child, Spec) ? applyModule(Spec, X, At) : ValueId(0);
      if (!Next) {
        program::Stmt &S = emit(Op::OtherMaybeCopy, &At);
        S.Text = "forward";
        S.Forward = true;
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
    NeedFloats("input");
    return Make(Op::Linear, "input");
  }
  if (Class == "Embedding" && M.Args.size() >= 2) {
    const ValueId N = setting(M.Args[0], &At), D = setting(M.Args[1], &At);
    Weight({N, D});
    Give("needs",
         constText(ConstKind::String, "dtype(indices)=int64,int32", &At));
    Give("dtype", constText(ConstKind::Symbol, "weight", &At));
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
    NeedFloats("self");
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
  if (Class == "Upsample") {
    if (Option("size", ByName)) {
      const Expr *Size = Option("size", ByName);
      Give("output_size", setting(Size, &At));
    } else {
      Set("scale_factor", ByName);
    }
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
  if (Class == "Functional" && M.Args.size() == 1) { // of one element-wise
    const auto *R = dyn_cast<DeclRefExpr>(strip(M.Args[0]));
    const auto *F = R ? dyn_cast<FunctionDecl>(R->getDecl()) : nullptr;
    const Api *Called =
        F && F->getIdentifier() && Kinds.isLibrary(*F)
            ? Kinds.model().find(
                  F->getName(), Kinds.name(*F), false,
                  [](const Api &, const ApiCondition &) { return true; })
            : nullptr;
    return Called && Called->O == Op::Unary ? Make(Op::Unary, "self") : 0;
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
                              : emitOther(Op::Unknown, "", At, {});
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
  if (!Impl || !Kinds.isLibrary(*Impl) || !moduleSpec(Holder, Spec) ||
      Spec.Users)
    return false;
  if (!lowerRecurrent(Spec, C, Result) && !lowerAttention(Spec, C, Result) &&
      C.Args.size() == 1)
    Result = applyModule(Spec, val(C.Args[0]), *C.E);
  if (Result)
    countCall(C, Op::Sized);
  return Result != 0;
}
