//===- ModuleCallLowering.cpp - what calling a module does ----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Modules/ModuleCallLowering.h"
#include "Frontend/Ast/Code.h"
#include "Frontend/Ast/Surroundings.h"
#include "Frontend/Ast/Types.h"
#include "Frontend/Build/CallCounter.h"
#include "Frontend/Build/FunctionBuilder.h"
#include "Frontend/Build/Lowerer.h"
#include "Frontend/Build/UnitTable.h"
#include "Frontend/Build/VariableTable.h"
#include "Frontend/Modules/KnownObjects.h"
#include "Frontend/Modules/SettingLowering.h"
#include "Program/Inline.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;
using llvm::StringRef;

/// A module of the user's, called by one of the library's on \p X.
ValueId ModuleCallLowering::run(const ModuleSpec &M, ValueId X,
                                const Expr &At) {
  const CXXMethodDecl *Forward =
      M.Users->hasDefinition() ? forwardOf(*M.Users) : nullptr;
  const FunctionDecl *Body = Forward ? visibleBody(*Forward) : nullptr;
  if (!Body || Body->getNumParams() != 1 || Around.isExpected(&At) ||
      !Kinds.isPlainTensor(Body->getParamDecl(0)->getType()) ||
      !Kinds.isPlainTensor(Body->getReturnType()))
    return 0;
  Variable Object;
  Object.IsMember = Object.IsPointee = true;
  Call To;
  To.Body = Unit.idOf(*Body);
  To.This = ThisKind::Variable;
  To.ThisVar = Vars.add(std::move(Object));
  Known.give(M, To.ThisVar, At);
  Binding B;
  B.Value = X;
  To.Params.push_back(B);
  program::Stmt &S = Build.emit(Op::Opaque, &At);
  S.Text = "forward";
  S.Forward = true;
  S.Args.push_back({"", X, Role::Keep, NoId});
  S.Calls = std::make_shared<const Call>(std::move(To));
  Build.reaches(Reach::Members);
  return Build.result(S);
}

namespace {

/// One of the library's modules, called on one tensor: the operation that it
/// stands for, its operands gathered first.
class ModuleUse {
public:
  ModuleUse(const ModuleSpec &M, ValueId X, const Expr &At,
            FunctionBuilder &Build, SettingLowering &Settings)
      : M(M), X(X), At(At), Build(Build), Settings(Settings), Class(M.Class),
        Dims(llvm::StringSwitch<int64_t>(Class.take_back(2))
                 .Case("1d", 1)
                 .Case("2d", 2)
                 .Case("3d", 3)
                 .Default(0)),
        Family(Dims ? Class.drop_back(2) : Class) {}

  /// 0: nothing better is known than its model says.
  ValueId result(Types &Kinds);

private:
  static constexpr size_t ByName = ~size_t(0);

  const Expr *option(StringRef Name, size_t Position) const;
  ValueId value(const Expr *E) { return Settings.value(E, &At); }
  ValueId text(const llvm::Twine &T, ConstKind K = ConstKind::String) {
    return Build.constText(K, T.str(), &At);
  }
  void give(StringRef Name, ValueId V) {
    Operands.push_back({Name.str(), V, Role::Read, NoId, true});
  }
  void set(StringRef Name, size_t Position) {
    if (const Expr *E = option(Name, Position))
      give(Name, value(E));
  }
  /// Whatever a module is converted to, its numbers are of such a type.
  void needFloats(StringRef Input) {
    give("needs", text("dtype(" + Input + ")=floating"));
  }
  void weight(llvm::ArrayRef<ValueId> Sizes);
  ValueId make(Op O, StringRef Input);

  ValueId linear();
  ValueId embedding();
  ValueId convolution();
  ValueId pool();
  ValueId upsample();
  ValueId flatten();
  ValueId norm();
  ValueId elementwise(Types &Kinds);

  const ModuleSpec &M;
  const ValueId X;
  const Expr &At;
  FunctionBuilder &Build;
  SettingLowering &Settings;
  const StringRef Class;
  const int64_t Dims; ///< of Conv2d: 2; 0 where the class has none
  const StringRef Family;
  llvm::SmallVector<Arg, 6> Operands;
};

const Expr *ModuleUse::option(StringRef Name, size_t Position) const {
  auto It = M.Options.find(Name);
  return It != M.Options.end()      ? It->second
         : Position < M.Args.size() ? M.Args[Position]
                                    : nullptr;
}

ValueId ModuleUse::make(Op O, StringRef Input) {
  program::Stmt &S = Build.emit(O, &At);
  S.Text = M.Name.empty() ? Class.str() : M.Name.str();
  S.Args.push_back({Input.str(), X, Role::Read, NoId});
  S.Args.append(Operands.begin(), Operands.end());
  return Build.result(S);
}

void ModuleUse::weight(llvm::ArrayRef<ValueId> Sizes) {
  const ValueId Size = Build.emitValue(Op::List, &At, Sizes);
  llvm::SmallVector<ValueId, 4> Written;
  for (const Expr *A : M.Args)
    Written.push_back(value(A));
  program::Stmt &S = Build.emit(Op::Weight, M.Made);
  S.Text = Class.str();
  S.Args.push_back({"size", Size, Role::Read, NoId, true});
  for (ValueId V : Written)
    S.Args.push_back({"", V, Role::Read, NoId});
  give("weight", Build.result(S));
}

ValueId ModuleUse::linear() {
  const ValueId From = value(M.Args[0]), To = value(M.Args[1]);
  weight({To, From});
  needFloats("input");
  return make(Op::Linear, "input");
}

ValueId ModuleUse::embedding() {
  const ValueId N = value(M.Args[0]), D = value(M.Args[1]);
  weight({N, D});
  give("needs", text("dtype(indices)=int64,int32"));
  give("dtype", text("weight", ConstKind::Symbol));
  give("sizes", text("indices weight[1]"));
  give("strides", text("dense"));
  return make(Op::Sized, "indices");
}

ValueId ModuleUse::convolution() {
  const bool Transposed = Family == "ConvTranspose";
  ValueId From = value(M.Args[0]), To = value(M.Args[1]);
  const Expr *Groups = option("groups", ByName);
  const ValueId N = Groups ? value(Groups) : Build.constInt(1, &At);
  ValueId &Shared = Transposed ? To : From;
  if (Groups)
    Shared = Build.emitValue(Op::IDiv, &At, {Shared, N});
  const ValueId Kernel = value(M.Args[2]);
  llvm::SmallVector<ValueId, 5> Sizes{Transposed ? From : To,
                                      Transposed ? To : From};
  const bool IsList = Build.last().O == Op::List;
  for (int64_t D = 0; D < Dims; ++D)
    Sizes.push_back(IsList ? Build.emitValue(Op::ListGet, &At,
                                             {Kernel, Build.constInt(D, &At)})
                           : Kernel);
  weight(Sizes);
  give("groups", N);
  for (StringRef Name : {"stride", "padding", "dilation", "output_padding"})
    set(Name, ByName);
  give("dims", Build.constInt(Dims, &At));
  if (Transposed)
    give("transposed", Build.constBool(true, &At));
  needFloats("self");
  return make(Op::Conv, "self");
}

ValueId ModuleUse::pool() {
  set("kernel_size", 0);
  for (StringRef Name : {"stride", "padding", "dilation", "ceil_mode"})
    set(Name, ByName);
  give("dims", Build.constInt(Dims, &At));
  return make(Op::Pool, "self");
}

ValueId ModuleUse::upsample() {
  if (const Expr *Size = option("size", ByName))
    give("output_size", value(Size));
  else
    set("scale_factor", ByName);
  return make(Op::Resample, "self");
}

ValueId ModuleUse::flatten() {
  const Expr *From = option("start_dim", 0), *To = option("end_dim", 1);
  give("start_dim", From ? value(From) : Build.constInt(1, &At));
  give("end_dim", To ? value(To) : Build.constInt(-1, &At));
  return make(Op::Flatten, "self");
}

ValueId ModuleUse::norm() {
  // Without weights or statistics nothing asks for the channels.
  const size_t Channels = Class == "GroupNorm" ? 1 : 0;
  if (Family != "InstanceNorm" && M.Args.size() > Channels &&
      !M.Options.contains(Channels ? "affine" : "track_running_stats")) {
    weight({value(M.Args[Channels])});
    const char *Ranks = Channels    ? "2<=rank(input)"
                        : Dims == 1 ? "2<=rank(input); rank(input)<=3"
                        : Dims == 2 ? "rank(input)=4"
                                    : "rank(input)=5";
    give("needs", text(llvm::Twine(Ranks) + "; input[1]=weight[0]"));
  }
  give("sizes", text("input"));
  give("strides", text(Family == "BatchNorm" ? "format" : "unknown"));
  return make(Op::Sized, "input");
}

/// Modules that keep the sizes of what they are called on.
ValueId ModuleUse::elementwise(Types &Kinds) {
  if (Class == "Functional" && M.Args.size() == 1) { // of one element-wise
    const auto *R = dyn_cast<DeclRefExpr>(strip(M.Args[0]));
    const auto *F = R ? dyn_cast<FunctionDecl>(R->getDecl()) : nullptr;
    const Api *Called =
        F && F->getIdentifier() && Kinds.isLibrary(*F)
            ? Kinds.model().find(
                  F->getName(), Kinds.name(*F), false,
                  [](const Api &, const ApiCondition &) { return true; })
            : nullptr;
    return Called && Called->O == Op::Unary ? make(Op::Unary, "self") : 0;
  }
  if (Class == "LayerNorm" && !M.Args.empty()) {
    set("normalized_shape", 0);
    give("needs", text("self ends normalized_shape"));
  }
  if (Class == "LayerNorm" || Class == "Softmax" || Class == "LogSoftmax")
    return make(Op::CloneDense, "self");
  if (Class == "Tanh" || Class == "Sigmoid" || Class == "GELU" ||
      Class == "SiLU" ||
      ((Class == "ReLU" || Class == "LeakyReLU" || Class == "ELU" ||
        Class == "ReLU6" || Class == "SELU" || Class == "CELU" ||
        Class == "Hardtanh") &&
       M.Args.empty() && M.Options.empty()))
    return make(Op::Unary, "self");
  if (Family == "Dropout" || Class == "Dropout" || Class == "ReLU" ||
      Class == "LeakyReLU" || Class == "ELU" || Class == "ReLU6")
    return make(Op::SameSizes, "self");
  return 0;
}

ValueId ModuleUse::result(Types &Kinds) {
  if (Class == "Linear" && M.Args.size() >= 2)
    return linear();
  if (Class == "Embedding" && M.Args.size() >= 2)
    return embedding();
  if ((Family == "Conv" || Family == "ConvTranspose") && Dims &&
      M.Args.size() >= 3)
    return convolution();
  if ((Family == "MaxPool" || Family == "AvgPool") &&
      (Dims == 1 || Dims == 2) && !M.Args.empty())
    return pool();
  if (Class == "AdaptiveAvgPool2d" && M.Args.size() == 1) {
    set("output_size", 0);
    give("dims", Build.constInt(2, &At));
    return make(Op::Resample, "self");
  }
  if (Class == "Upsample")
    return upsample();
  if (Class == "Flatten")
    return flatten();
  if (Family == "BatchNorm" || Family == "InstanceNorm" || Class == "GroupNorm")
    return norm();
  return elementwise(Kinds);
}

} // namespace

/// The result of calling a module on \p X, or 0: nothing better is known than
/// its model says.
ValueId ModuleCallLowering::apply(const ModuleSpec &M, ValueId X,
                                  const Expr &At) {
  if (M.Users)
    return run(M, X, At);
  if (M.Class != "Sequential")
    return ModuleUse(M, X, At, Build, Settings).result(Kinds);
  for (const Expr *Child : M.Args) {
    ModuleSpec Spec;
    ValueId Next = Modules.read(Child, Spec) ? apply(Spec, X, At) : ValueId(0);
    if (!Next) {
      program::Stmt &S = Build.emit(Op::OtherMaybeCopy, &At);
      S.Text = "forward";
      S.Forward = true;
      S.Args.push_back({"self", X, Role::Read, NoId});
      Next = Build.result(S);
    }
    X = Next;
  }
  return M.Args.empty() ? ValueId(0) : X;
}

/// `lstm(x)`, `gru(x, h)` and cells: [y, h], the state of an LSTM being two.
bool ModuleCallLowering::recurrent(const ModuleSpec &M, const CallSite &C,
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
    return *Both ? Build.emitValue(Op::IMul, At, {Build.constInt(2, At), V})
                 : V;
  };
  const ValueId X = Lower.value(C.Args[0]);
  ValueId Before = C.Args.size() > 1 ? Lower.value(C.Args[1]) : 0;
  if (Before && IsLstm)
    Before = Build.emitValue(Op::ListGet, At, {Before, Build.constInt(0, At)});
  const ValueId In = Settings.value(M.Args[0], At),
                Hidden = Settings.value(M.Args[1], At);
  auto Layers = M.Options.find("num_layers");
  const ValueId Stacked =
      Doubled(Layers == M.Options.end() ? Build.constInt(1, At)
                                        : Settings.value(Layers->second, At));
  const ValueId Size = Build.emitValue(Op::List, At, {Doubled(Hidden), In});
  program::Stmt &W = Build.emit(Op::Weight, M.Made);
  W.Text = M.Class.str();
  W.Args.push_back({"size", Size, Role::Read, NoId, true});
  const ValueId Weight = Build.result(W);
  const StringRef Batch = *BatchFirst ? "input[0]" : "input[1]";
  auto Make = [&](const std::string &Sizes, const std::string &Needs) {
    std::pair<const char *, ValueId> Operands[] = {
        {"weight", Weight},
        {"hx", Before},
        {"layers", Stacked},
        {"hidden", Hidden},
        {"sizes", Build.constText(ConstKind::String, Sizes, At)},
        {"strides", Build.constText(ConstKind::String, "unknown", At)},
        {"needs", Build.constText(ConstKind::String, Needs, At)}};
    program::Stmt &S = Build.emit(Op::Sized, At);
    S.Text = M.Name.empty() ? M.Class.str() : M.Name.str();
    S.Args.push_back({"input", X, Role::Read, NoId});
    for (auto [Name, V] : Operands)
      if (V)
        S.Args.push_back({Name, V, Role::Read, NoId, true});
    return Build.result(S);
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
      H = Build.emitValue(Op::List, At, {H, State()});
    Result = Build.emitValue(Op::List, At, {Y, H});
  } else {
    Result = IsLstm ? Build.emitValue(Op::List, At, {Y, State()}) : Y;
  }
  return true;
}

/// `attention(query, key, value)`: [output, weights].
bool ModuleCallLowering::attention(const ModuleSpec &M, const CallSite &C,
                                   ValueId &Result) {
  if (M.Class != "MultiheadAttention" || M.Args.size() < 2 || C.Args.size() < 3)
    return false;
  const Expr *At = C.E;
  llvm::SmallVector<ValueId, 3> Given;
  for (size_t I = 0; I < 3; ++I) {
    if (!Kinds.isPlainTensor(C.Args[I]->getType()))
      return false;
    Given.push_back(Lower.value(C.Args[I]));
  }
  const ValueId Size =
      Build.emitValue(Op::List, At, {Settings.value(M.Args[0], At)});
  program::Stmt &W = Build.emit(Op::Weight, M.Made);
  W.Text = M.Class.str();
  W.Args.push_back({"size", Size, Role::Read, NoId, true});
  const ValueId Weight = Build.result(W);
  auto Make = [&](StringRef Sizes, StringRef Needs) {
    const ValueId Z = Build.constText(ConstKind::String, Sizes, At),
                  T = Build.constText(ConstKind::String, "unknown", At),
                  N = Build.constText(ConstKind::String, Needs, At);
    program::Stmt &S = Build.emit(Op::Sized, At);
    S.Text = M.Name.empty() ? M.Class.str() : M.Name.str();
    for (auto [Name, V] :
         {std::pair("query", Given[0]), std::pair("key", Given[1]),
          std::pair("value", Given[2])})
      S.Args.push_back({Name, V, Role::Read, NoId});
    for (auto [Name, V] : {std::pair("weight", Weight), std::pair("sizes", Z),
                           std::pair("strides", T), std::pair("needs", N)})
      S.Args.push_back({Name, V, Role::Read, NoId, true});
    return Build.result(S);
  };
  const ValueId Y = Make("query", "rank(query)=3; query[2]=weight[0]");
  const ValueId Weights = C.Args.size() == 3
                              ? Make("query[1] query[0] key[0]", "")
                              : Build.emitOther(Op::Unknown, "", At, {});
  Result = Build.emitValue(Op::List, At, {Y, Weights});
  return true;
}

bool ModuleCallLowering::call(const CallSite &C, ValueId &Result) {
  if (!C.Object || (C.Name != "operator()" && C.Name != "forward") ||
      C.Args.empty() || !Kinds.isPlainTensor(C.Args[0]->getType()))
    return false;
  const Expr *Holder = arrowObject(C.Object);
  const CXXRecordDecl *Impl = Kinds.moduleOf(Holder->getType());
  ModuleSpec Spec;
  if (!Impl || !Kinds.isLibrary(*Impl) || !Modules.read(Holder, Spec) ||
      Spec.Users)
    return false;
  if (!recurrent(Spec, C, Result) && !attention(Spec, C, Result) &&
      C.Args.size() == 1)
    Result = apply(Spec, Lower.value(C.Args[0]), *C.E);
  if (Result)
    Counts.count(C, Op::Sized);
  return Result != 0;
}
