//===- Promotion.cpp - dtypes of results -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Promotion.h"
#include "Analysis/Transfer/DTypes.h"
#include "Analysis/Transfer/Lists.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Relevance.h"
#include "Analysis/Transfer/Sites.h"
#include "llvm/ADT/StringExtras.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

/// The operands of \p S whose types count for its result.
static std::vector<DTypeOperand> dtypeOperands(const Context &Ctx, State &W,
                                               const Stmt &S) {
  // Numbers that count: arithmetic's operands, bounds, what is chosen from.
  const bool Chooses = S.O == Op::Ternary && S.is(Attribute::Chooses);
  auto Counts = [&](llvm::StringRef Name) {
    if (S.O == Op::Binary || S.O == Op::Update)
      return Name == "self" || Name == "other" || Name == "min" ||
             Name == "max";
    return S.O == Op::Unary ? Name == "min" || Name == "max"
                            : Chooses && Name != "a";
  };
  std::vector<DTypeOperand> Of;
  for (const Arg &A : S.Args) {
    const Value V = value(W, A.Value);
    const Object *O = tensor(W, V);
    if (O && !(Chooses && A.Name == "a"))
      Of.push_back({O->DType, O->HasLayout && O->Segment < 0
                                  ? std::optional(O->L.rank() > 0)
                                  : std::nullopt});
    else if (!O && V.K != Value::None && Counts(A.Name))
      Of.push_back({isInteger(Ctx, A.Value) ? "int"
                    : Ctx.Flow.DefOf[A.Value] &&
                            Ctx.Flow.DefOf[A.Value]->Const == ConstKind::Float
                        ? "float"
                        : "",
                    std::nullopt, V.K != Value::Unknown});
  }
  return Of;
}

void promote(const Context &Ctx, State &W, const Stmt &S) {
  switch (S.O) {
  case Op::Unary:
  case Op::Binary:
  case Op::Ternary:
  case Op::Reduce:
  case Op::CloneDense:
  case Op::Loss:
    break;
  default:
    return;
  }
  Object *Made = tensor(W, value(W, S.Result));
  if (!Made)
    return;
  Made->DType = computedDType(Ctx, W, S);
}

std::string computedDType(const Context &Ctx, State &W, const Stmt &S) {
  std::optional<Attribute> Rule = S.Has.first(AttributeKind::Type);
  // div(x, "trunc") is computed in the operands' type.
  if (findArg(S, "rounding_mode") &&
      operand(W, S, "rounding_mode").K != Value::None)
    Rule = Attribute::TypeCommon;
  return resultDType(S.O, Rule, dtypeOperands(Ctx, W, S));
}

/// Whether \p V is a number of an integer type, and not one that was read from
/// a tensor.
bool isInteger(const Context &Ctx, ValueId V) {
  const Stmt *D = Ctx.Flow.DefOf[V];
  switch (D ? D->O : Op::Opaque) {
  case Op::Const:
    return D->Const == ConstKind::Int;
  case Op::Load:
    return Ctx.F.Vars[D->Var].Type == VarType::Int;
  case Op::Size:
  case Op::Dim:
  case Op::Numel:
  case Op::ListSize:
    return true;
  default:
    return false;
  }
}

bool toldDType(State &W, const Stmt &S, std::string &DType) {
  bool Told = false;
  for (const char *N : {"dtype", "type_meta", "options"}) {
    const Value V = operand(W, S, N);
    const bool Symbol = V.K == Value::Symbol;
    if (!findArg(S, N) || V.K == Value::None ||
        (llvm::StringRef(N) == "options" && Symbol && V.Text.empty()))
      continue;
    Told = true;
    DType = Symbol && V.Text != "unknown" ? V.Text : "";
  }
  return Told;
}

void setDType(const Context &Ctx, State &W, const Stmt &S, Object &O) {
  const bool Told = toldDType(W, S, O.DType);
  if (S.O == Op::TensorOf && !Told)
    O.DType = operand(W, S, "element").Text;
  if (Told || !O.DType.empty() || S.O == Op::TensorOf)
    return;
  if (findArg(S, "self"))
    return; // as the operand's, which is not known
  O.DType = "float32";
  if (S.O == Op::Arange) {
    O.DType = "int64";
    for (const Arg &A : S.Args)
      if (value(W, A.Value).K != Value::Int || !isInteger(Ctx, A.Value))
        O.DType.clear();
  }
  if (S.O == Op::Filled && S.is(Attribute::TypeOfValue)) {
    const Arg *Fill = findArg(S, "fill_value");
    const Stmt *Of = Fill ? Ctx.Flow.DefOf[Fill->Value] : nullptr;
    const bool IsConst = Of && Of->O == Op::Const;
    O.DType = IsConst && Of->Const == ConstKind::Float  ? "float32"
              : IsConst && Of->Const == ConstKind::Bool ? "bool"
              : IsConst && Of->Const == ConstKind::Int  ? "int64"
                                                        : "";
  }
}

void sameDTypes(const Context &Ctx, State &W, const Stmt &S, Object *X,
                const Object *Y, llvm::StringRef Role) {
  if (!X || !Y || X->DType.empty() || Y->DType.empty() ||
      X->DType == Y->DType || S.InMacro || S.TypesVary)
    return;
  // Autocast converts floats and halves to one type, and nothing else; whoever
  // calls this function may have switched it on.
  auto IsCast = [](const Object &O) {
    return O.DType == "float16" || O.DType == "bfloat16" ||
           O.DType == "float32";
  };
  const bool Casts = IsCast(*X) && IsCast(*Y);
  if (isSilenced(Ctx, S, Silence::Autocast, Casts && Ctx.Flow.SetsAutocast))
    return;
  const Object &Wrong = Role.empty() ? *Y : *X, &Right = Role.empty() ? *X : *Y;
  dtypeFails(Ctx, W, S, Wrong, {Right.DType}, Role.str(), Casts);
  X->DType.clear(); // told
}

} // namespace tensortidy::analysis
