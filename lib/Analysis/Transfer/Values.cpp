//===- Values.cpp - numbers, conditions and options -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Values.h"
#include "Analysis/Transfer/Comparisons.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Questions.h"
#include "Analysis/Transfer/Results.h"
#include "Analysis/Transfer/Transfer.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

/// What `&&` and `||` did not ask: \p Of, of numbers that every path can read.
/// So `wanted && x->ne[1] == 1` is one question on all paths, that has one
/// answer when it is asked again.
static CondRef askSkipped(const Context &Ctx, State &W, ValueId Of) {
  if (W.Temps.count(Of) || !Ctx.Flow.DefOf[Of] ||
      Ctx.Flow.BlockOf[Of] == Ctx.Block)
    return toCondition(Ctx, W, Of);
  llvm::SmallVector<const Stmt *, 8> Asked;
  for (const Stmt &S : Ctx.F.Blocks[Ctx.Flow.BlockOf[Of]].Stmts) {
    switch (S.O) {
    case Op::Load:
    case Op::Const:
    case Op::GgmlNe:
    case Op::IsContiguous:
    case Op::CmpEq:
    case Op::CmpNe:
    case Op::CmpLt:
    case Op::CmpLe:
    case Op::CmpGt:
    case Op::CmpGe:
    case Op::Not:
      Asked.push_back(&S);
      break;
    default:
      return toCondition(Ctx, W, Of);
    }
    if (&S == Ctx.Flow.DefOf[Of])
      break;
  }
  for (const Stmt *S : Asked)
    execute(Ctx, W, *S);
  CondRef C = toCondition(Ctx, W, Of);
  for (const Stmt *S : Asked)
    W.Temps.erase(S->Result);
  return C;
}

/// Constants, indices, options, integers and conditions.
void executeValue(const Context &Ctx, State &W, const Stmt &S) {
  auto Int = [&](size_t I) -> std::optional<SymExpr> {
    Value V = I < S.Args.size() ? value(W, S.Args[I].Value) : Value();
    return V.K == Value::Int ? std::optional<SymExpr>(V.I) : std::nullopt;
  };
  auto Unknown = [&] {
    return Value::integer(valueSymbol(Ctx, S, SymbolInfo::Integer, "?"));
  };
  switch (S.O) {
  case Op::Const: {
    Value V;
    switch (S.Const) {
    case ConstKind::Int:
      V = Value::integer(SymExpr(S.Imm));
      break;
    case ConstKind::Bool: {
      auto C = std::make_shared<Condition>();
      C->Flag = S.Imm != 0;
      V = Value::condition(std::move(C));
      break;
    }
    case ConstKind::None:
      V.K = Value::None;
      break;
    case ConstKind::Symbol:
    case ConstKind::String:
      V.K = Value::Symbol;
      V.Text = S.Text;
      break;
    case ConstKind::Float:
      V = Value::number();
      break;
    }
    setResult(W, S, std::move(V));
    return;
  }
  case Op::SliceIdx: {
    Value V;
    V.K = Value::Slice;
    V.Elems = std::make_shared<const std::vector<Value>>(std::vector<Value>{
        operand(W, S, "start"), operand(W, S, "stop"), operand(W, S, "step")});
    setResult(W, S, std::move(V));
    return;
  }
  case Op::EllipsisIdx:
  case Op::NewAxisIdx: {
    Value V;
    V.K = S.O == Op::EllipsisIdx ? Value::Ellipsis : Value::NewAxis;
    setResult(W, S, std::move(V));
    return;
  }
  case Op::OptionsOp: {
    // An options value: the dtype ("" if there is none, or "unknown") and the
    // memory format.
    Value V, D = operand(W, S, "dtype"), From = operand(W, S, "self");
    V.K = From.K == Value::Unknown && findArg(S, "self") ? Value::Unknown
                                                         : Value::Symbol;
    if (findArg(S, "dtype") && D.K != Value::None)
      V.Text = D.K == Value::Symbol && !D.Text.empty() ? D.Text : "unknown";
    else if (From.K == Value::Symbol)
      V.Text = From.Text;
    if (findArg(S, "memory_format"))
      V.Elems = std::make_shared<const std::vector<Value>>(
          1, operand(W, S, "memory_format"));
    else
      V.Elems = From.Elems;
    setResult(W, S, std::move(V));
    return;
  }
  case Op::IAdd:
  case Op::ISub:
  case Op::IMul:
  case Op::IDiv:
  case Op::IMod:
  case Op::IMin:
  case Op::IMax: {
    auto A = Int(0), B = Int(1);
    if (!A || !B) {
      setResult(W, S, Unknown());
      return;
    }
    SymExpr E;
    switch (S.O) {
    case Op::IAdd:
      E = W.Ar.add(*A, *B);
      break;
    case Op::ISub:
      E = W.Ar.sub(*A, *B);
      break;
    case Op::IMul:
      E = W.Ar.mul(*A, *B);
      break;
    case Op::IDiv: {
      auto KA = W.Ar.known(*A), KB = W.Ar.known(*B);
      if (KA && KB && *KB != 0)
        E = SymExpr(*KA / *KB); // towards zero
      else if (KB && *KB == 0)
        E = valueSymbol(Ctx, S, SymbolInfo::Integer, "?");
      else
        E = W.Ar.floorDiv(*A, *B);
      break;
    }
    case Op::IMod:
      E = W.Ar.mod(*A, *B);
      break;
    case Op::IMin:
      E = W.Ar.min(*A, *B);
      break;
    default:
      E = W.Ar.max(*A, *B);
      break;
    }
    setResult(W, S, Value::integer(std::move(E)));
    return;
  }
  case Op::INeg: {
    auto A = Int(0);
    setResult(W, S, A ? Value::integer(W.Ar.sub(SymExpr(0), *A)) : Unknown());
    return;
  }
  case Op::CmpEq:
  case Op::CmpNe:
  case Op::CmpLt:
  case Op::CmpLe:
  case Op::CmpGt:
  case Op::CmpGe: {
    auto A = Int(0), B = Int(1);
    auto C = std::make_shared<Condition>();
    if (!A || !B) {
      const bool IsEq = S.O == Op::CmpEq, IsNe = S.O == Op::CmpNe;
      CondRef Equal = IsEq || IsNe ? equality(value(W, S.Args[0].Value),
                                              value(W, S.Args[1].Value))
                                   : nullptr;
      if (!Equal)
        Equal = test(Ctx, W, S.Result);
      if (IsNe)
        Equal = negation(Equal);
      setResult(W, S, Value::condition(std::move(Equal)));
      return;
    }
    // a > b is b < a; a <= b is !(b < a).
    bool Swap = S.O == Op::CmpGt || S.O == Op::CmpLe;
    bool Negate = S.O == Op::CmpNe || S.O == Op::CmpLe || S.O == Op::CmpGe;
    C->K = S.O == Op::CmpEq || S.O == Op::CmpNe ? Condition::Equal
                                                : Condition::Less;
    C->A = Swap ? *B : *A;
    C->B = Swap ? *A : *B;
    C->Where = S.Where;
    if (C->K == Condition::Equal)
      noteTest(Ctx, S.Result, compareKey(Ctx, W.Ar, *C));
    CondRef Out = C;
    setResult(W, S, Value::condition(Negate ? negation(Out) : Out));
    return;
  }
  case Op::Not:
  case Op::And:
  case Op::Or: {
    auto C = std::make_shared<Condition>();
    C->K = S.O == Op::Not   ? Condition::Not
           : S.O == Op::And ? Condition::And
                            : Condition::Or;
    auto Get = [&](size_t I) -> CondRef {
      if (I >= S.Args.size())
        return test(Ctx, W, S.Result);
      return I > 0 ? askSkipped(Ctx, W, S.Args[I].Value)
                   : toCondition(Ctx, W, S.Args[I].Value);
    };
    C->L = Get(0);
    if (S.O != Op::Not)
      C->R = Get(1);
    setResult(W, S, Value::condition(std::move(C)));
    return;
  }
  default:
    return;
  }
}

} // namespace tensortidy::analysis
