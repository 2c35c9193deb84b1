//===- Values.cpp - numbers, conditions and options -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Comparisons.h"
#include "Analysis/Transfer/Devices.h"
#include "Analysis/Transfer/Evidence.h"
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
  if (W.Temps.find(Of) || !Ctx.Flow.DefOf[Of] ||
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

static std::optional<SymExpr> integer(const State &W, const Stmt &S, size_t I) {
  const Value V = I < S.Args.size() ? value(W, S.Args[I].Value) : Value();
  return V.K == Value::Int ? std::optional<SymExpr>(V.I) : std::nullopt;
}

TENSORTIDY_TRANSFER(Const) {
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
}

TENSORTIDY_TRANSFER(SliceIdx) {
  Value V;
  V.K = Value::Slice;
  V.Elems = std::make_shared<const std::vector<Value>>(std::vector<Value>{
      operand(W, S, "start"), operand(W, S, "stop"), operand(W, S, "step")});
  setResult(W, S, std::move(V));
}

static void indexMark(TENSORTIDY_OPERANDS) {
  Value V;
  V.K = S.O == Op::EllipsisIdx ? Value::Ellipsis : Value::NewAxis;
  setResult(W, S, std::move(V));
}
TENSORTIDY_TRANSFER_AS(EllipsisIdx, indexMark)
TENSORTIDY_TRANSFER_AS(NewAxisIdx, indexMark)

TENSORTIDY_TRANSFER(OptionsOp) {
  // An options value: the dtype ("" if there is none, or "unknown"), the
  // memory format and the device.
  Value V, D = operand(W, S, "dtype"), From = operand(W, S, "self");
  V.K = From.K == Value::Unknown && findArg(S, "self") ? Value::Unknown
                                                       : Value::Symbol;
  if (findArg(S, "dtype") && D.K != Value::None)
    V.Text = D.K == Value::Symbol && !D.Text.empty() ? D.Text : "unknown";
  else if (From.K == Value::Symbol)
    V.Text = From.Text;
  V.Elems = From.Elems;
  if (findArg(S, "memory_format") || findArg(S, "device") ||
      findArg(S, "pinned_memory")) {
    Value None;
    None.K = Value::None;
    std::vector<Value> E{V.Elems && !V.Elems->empty() ? V.Elems->front() : None,
                         findArg(S, "self") ? optionsOn(From) : None};
    if (findArg(S, "memory_format"))
      E[0] = operand(W, S, "memory_format");
    if (const Arg *A = findArg(S, "device"))
      E[1] = asDevice(Ctx, W, A->Value);
    if (findArg(S, "pinned_memory")) // devices read it as well
      E[1] = Value();
    V.Elems = std::make_shared<const std::vector<Value>>(std::move(E));
  }
  setResult(W, S, std::move(V));
}

/// As integer(); what is read through a pointer, `order[i] * 5`, is some
/// number.
static std::optional<SymExpr> factor(const Context &Ctx, State &W,
                                     const Stmt &S, size_t I) {
  const Stmt *D = I < S.Args.size() ? Ctx.Flow.DefOf[S.Args[I].Value] : nullptr;
  if (D && D->O == Op::Element && S.O == Op::IMul &&
      value(W, D->Result).isNothing())
    unknownInt(Ctx, W, *D);
  return integer(W, S, I);
}

static void arithmetic(TENSORTIDY_OPERANDS) {
  auto A = factor(Ctx, W, S, 0), B = factor(Ctx, W, S, 1);
  if (!A || !B) {
    unknownInt(Ctx, W, S);
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
}
TENSORTIDY_TRANSFER_AS(IAdd, arithmetic)
TENSORTIDY_TRANSFER_AS(ISub, arithmetic)
TENSORTIDY_TRANSFER_AS(IMul, arithmetic)
TENSORTIDY_TRANSFER_AS(IDiv, arithmetic)
TENSORTIDY_TRANSFER_AS(IMod, arithmetic)
TENSORTIDY_TRANSFER_AS(IMin, arithmetic)
TENSORTIDY_TRANSFER_AS(IMax, arithmetic)

TENSORTIDY_TRANSFER(INeg) {
  auto A = integer(W, S, 0);
  if (A)
    setResult(W, S, Value::integer(W.Ar.sub(SymExpr(0), *A)));
  else
    unknownInt(Ctx, W, S);
}

/// Of a tensor's dtype, compared with one that nobody knows: whose it is.
static std::string ofDType(const Value &X, const Value &Y) {
  for (const Value *V : {&X, &Y})
    if (V->K == Value::Symbol && V->T &&
        (V->Text.empty() || isKnownDType(V->Text)))
      return dtypeCase(V->T);
  return "";
}

static void compareInts(TENSORTIDY_OPERANDS) {
  auto A = integer(W, S, 0), B = integer(W, S, 1);
  auto C = std::make_shared<Condition>();
  if (!A || !B) {
    const bool IsEq = S.O == Op::CmpEq, IsNe = S.O == Op::CmpNe;
    // `device == at::kCUDA`
    auto IsDevice = [&](size_t I) {
      const Value V = value(W, S.Args[I].Value);
      return isDevice(V) ||
             (V.K == Value::Symbol && !deviceNamed(V.Text).empty());
    };
    if ((IsEq || IsNe) && S.Args.size() == 2)
      for (size_t I = 0; I < 2; ++I)
        if (IsDevice(I) && !IsDevice(1 - I))
          asDevice(Ctx, W, S.Args[1 - I].Value);
    CondRef Equal;
    std::string Case;
    if (IsEq || IsNe) {
      const Value X = value(W, S.Args[0].Value), Y = value(W, S.Args[1].Value);
      Equal = equality(X, Y);
      Case = ofDType(X, Y);
    }
    if (!Equal)
      Equal = test(Ctx, W, S.Result, "", Case);
    if (IsNe)
      Equal = negation(Equal);
    setResult(W, S, Value::condition(std::move(Equal)));
    return;
  }
  if (!S.Before) // what a constructor checked is a fact, and no question
    noteRelated(Ctx, W, *A, *B);
  // a > b is b < a; a <= b is !(b < a).
  bool Swap = S.O == Op::CmpGt || S.O == Op::CmpLe;
  bool Negate = S.O == Op::CmpNe || S.O == Op::CmpLe || S.O == Op::CmpGe;
  C->K =
      S.O == Op::CmpEq || S.O == Op::CmpNe ? Condition::Equal : Condition::Less;
  C->A = Swap ? *B : *A;
  C->B = Swap ? *A : *B;
  C->Where = S.Where;
  if (C->K == Condition::Equal)
    noteTest(Ctx, S.Result, compareKey(Ctx, W.Ar, *C));
  CondRef Out = C;
  setResult(W, S, Value::condition(Negate ? negation(Out) : Out));
}
TENSORTIDY_TRANSFER_AS(CmpEq, compareInts)
TENSORTIDY_TRANSFER_AS(CmpNe, compareInts)
TENSORTIDY_TRANSFER_AS(CmpLt, compareInts)
TENSORTIDY_TRANSFER_AS(CmpLe, compareInts)
TENSORTIDY_TRANSFER_AS(CmpGt, compareInts)
TENSORTIDY_TRANSFER_AS(CmpGe, compareInts)

static void logic(TENSORTIDY_OPERANDS) {
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
}
TENSORTIDY_TRANSFER_AS(Not, logic)
TENSORTIDY_TRANSFER_AS(And, logic)
TENSORTIDY_TRANSFER_AS(Or, logic)

} // namespace tensortidy::analysis
