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
#include "Frontend/Modules/ModuleUse.h"
#include "Frontend/Modules/SettingLowering.h"
#include "Program/Inline.h"

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

/// Functional(f), where f is element-wise.
ValueId ModuleCallLowering::functional(const ModuleSpec &M, ValueId X,
                                       const Expr &At) {
  const auto *R =
      M.Args.size() == 1 ? dyn_cast<DeclRefExpr>(strip(M.Args[0])) : nullptr;
  const auto *F = R ? dyn_cast<FunctionDecl>(R->getDecl()) : nullptr;
  const Api *Called =
      F && F->getIdentifier() && Kinds.isLibrary(*F)
          ? Kinds.model().find(
                F->getName(), Kinds.name(*F), false,
                [](const Api &, const ApiCondition &) { return true; })
          : nullptr;
  if (!Called || Called->O != Op::Unary)
    return 0;
  program::Stmt &S = Build.emit(Op::Unary, &At);
  S.Text = M.Name.empty() ? M.Class.str() : M.Name.str();
  S.Args.push_back({"self", X, Role::Read, NoId});
  return Build.result(S);
}

/// The result of calling a module on \p X, or 0: nothing better is known than
/// its model says.
ValueId ModuleCallLowering::apply(const ModuleSpec &M, ValueId X,
                                  const Expr &At) {
  if (M.Users)
    return run(M, X, At);
  if (M.Class == "Functional")
    return functional(M, X, At);
  if (M.Class != "Sequential") {
    const ModuleUse Use(M, Kinds.model(), Build, Settings, Constants);
    return Use.call(X, At);
  }
  for (const Expr *Child : M.Args) {
    ModuleSpec Spec;
    ValueId Next = 0;
    if (Modules.read(Child, Spec)) {
      if (M.DType.empty())
        Spec.DType = "";
      Next = apply(Spec, X, At);
    }
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
  const ValueId Weight = emitWeight(Build, M, Size, M.Made);
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
  Needs += "; dtype(input)=floating; dtype(input)=dtype(weight)";
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
  const ValueId Weight = emitWeight(Build, M, Size, M.Made);
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
  const ValueId Y = Make(
      "query", "rank(query)=3; query[2]=weight[0]; dtype(query)=dtype(weight)");
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
  if (!Impl || !Modules.read(Holder, Spec) || Spec.Users)
    return false;
  if (!recurrent(Spec, C, Result) && !attention(Spec, C, Result) &&
      C.Args.size() == 1)
    Result = apply(Spec, Lower.value(C.Args[0]), *C.E);
  if (Result)
    Counts.count(C, Op::Sized);
  return Result != 0;
}
