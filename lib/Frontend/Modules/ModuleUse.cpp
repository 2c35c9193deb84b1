//===- ModuleUse.cpp - what a module with a model does --------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Modules/ModuleUse.h"
#include "Frontend/Build/ConstantMaker.h"
#include "Frontend/Build/FunctionBuilder.h"
#include "Frontend/Modules/SettingLowering.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;
using namespace tensortidy::program;
using llvm::StringRef;
using models::ApiCondition;
using models::ApiConstant;
using models::ModuleApi;
using models::WeightSize;

ModuleUse::ModuleUse(const ModuleSpec &M, const models::ApiModel &Model,
                     FunctionBuilder &Build, SettingLowering &Settings,
                     ConstantMaker &Constants)
    : M(M), Build(Build), Settings(Settings), Constants(Constants),
      Has(Model.attributesOf(M.Qualified, /*IsOperation=*/true)) {
  for (const ModuleApi *A : Model.modules(M.Qualified))
    if (!Found && holds(*A))
      Found = A;
}

ValueId frontend::emitWeight(FunctionBuilder &Build, const ModuleSpec &M,
                             ValueId Size, const Expr *At,
                             llvm::ArrayRef<ValueId> Written) {
  const ValueId Type = M.DType.empty()
                           ? ValueId(0)
                           : Build.constText(ConstKind::Symbol, M.DType, At);
  program::Stmt &S = Build.emit(Op::Weight, At);
  S.Text = M.Class.str();
  S.Args.push_back({"size", Size, Role::Read, NoId, true});
  if (Type)
    S.Args.push_back({"dtype", Type, Role::Read, NoId, true});
  for (ValueId V : Written)
    S.Args.push_back({"", V, Role::Read, NoId});
  return Build.result(S);
}

/// What the setting \p Name was made with: by its name, or by its place among
/// the arguments; null where it is not given.
const Expr *ModuleUse::setting(const ModuleApi &A, StringRef Name) const {
  if (auto It = M.Options.find(Name); It != M.Options.end())
    return It->second;
  for (size_t I = 0; I < A.Made.size() && I < M.Args.size(); ++I)
    if (StringRef(A.Made[I]).rtrim('?') == Name)
      return M.Args[I];
  return nullptr;
}

bool ModuleUse::holds(const ModuleApi &A) const {
  const size_t Needed = llvm::count_if(
      A.Made, [](StringRef Name) { return !Name.ends_with("?"); });
  if (M.Args.size() < Needed ||
      (A.Alone && !(M.Args.empty() && M.Options.empty())))
    return false;
  return llvm::all_of(A.When, [&](const ApiCondition &C) {
    return (setting(A, C.Param) != nullptr) != C.Absent;
  });
}

/// The sizes of the weight.
llvm::SmallVector<ValueId, 5> ModuleUse::sizes(const Expr &At) const {
  llvm::SmallVector<ValueId, 5> Sizes;
  for (const WeightSize &W : Found->Weight) {
    const Expr *Given = setting(*Found, W.Name);
    if (!Given)
      return {};
    const ValueId V = Settings.value(Given, &At);
    const bool IsList = Build.last().O == Op::List;
    const Expr *By =
        W.DividedBy.empty() ? nullptr : setting(*Found, W.DividedBy);
    if (By)
      Sizes.push_back(
          Build.emitValue(Op::IDiv, &At, {V, Settings.value(By, &At)}));
    else if (!W.Times)
      Sizes.push_back(V);
    for (unsigned I = 0; I < W.Times; ++I)
      Sizes.push_back(IsList ? Build.emitValue(Op::ListGet, &At,
                                               {V, Build.constInt(I, &At)})
                             : V);
  }
  return Sizes;
}

ValueId ModuleUse::weightOfTwo(const Expr &At) const {
  if (!Found || Found->Weight.size() != 2)
    return 0;
  const auto Of = sizes(At);
  if (Of.size() != 2)
    return 0;
  return emitWeight(Build, M, Build.emitValue(Op::List, &At, Of), &At);
}

ValueId ModuleUse::call(ValueId X, const Expr &At) const {
  if (!Found)
    return 0;
  llvm::SmallVector<Arg, 6> Operands;
  auto Give = [&](StringRef Name, ValueId V) {
    Operands.push_back({Name.str(), V, Role::Read, NoId, true});
  };
  if (!Found->Weight.empty()) {
    const auto Of = sizes(At);
    if (Of.empty())
      return 0;
    const ValueId Size = Build.emitValue(Op::List, &At, Of);
    llvm::SmallVector<ValueId, 4> Written;
    for (const Expr *A : M.Args)
      Written.push_back(Settings.value(A, &At));
    Give("weight", emitWeight(Build, M, Size, M.Made, Written));
  }
  for (const auto &[Setting, Operand] : Found->Options)
    if (const Expr *E = setting(*Found, Setting))
      Give(Operand, Settings.value(E, &At));
  for (const ApiConstant &K : Found->Set)
    if (llvm::none_of(Operands, [&](const Arg &A) { return A.Name == K.Name; }))
      Give(K.Name, Constants.given(K, &At));
  program::Stmt &S = Build.emit(Found->O, &At);
  S.Has |= Has;
  S.Text = M.Name.empty() ? M.Class.str() : M.Name.str();
  S.Args.push_back({Found->Input, X, Role::Read, NoId});
  S.Args.append(Operands.begin(), Operands.end());
  return Build.result(S);
}
