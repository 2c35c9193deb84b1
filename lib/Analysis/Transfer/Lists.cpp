//===- Lists.cpp - lists of sizes and of tensors -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Lists.h"
#include "Analysis/Transfer/Describe.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Ranks.h"
#include "Analysis/Transfer/Relevance.h"
#include "Analysis/Transfer/Results.h"
#include "Analysis/Transfer/Shapes.h"
#include "Analysis/Transfer/Sites.h"
#include "Analysis/Transfer/Transfer.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

static void changeList(TENSORTIDY_OPERANDS);

static void someElement(const Context &Ctx, State &W, const Stmt &S,
                        const Value &L);

static Value anyOf(const Context &Ctx, State &W, const Value &L, ValueId V);

TENSORTIDY_TRANSFER(List) {
  std::vector<Value> E;
  for (const Arg &A : S.Args)
    E.push_back(value(W, A.Value));
  setResult(W, S, Value::list(std::move(E)));
}

TENSORTIDY_TRANSFER(ListOf) {
  Value L = Value::each();
  for (const Arg &A : llvm::ArrayRef(S.Args).drop_front()) {
    const Value V = value(W, A.Value);
    L = Ctx.Join.joinLists(W, W, W, L, V.isList() ? V : Value::list({V}),
                           NoId - 1, Joiner::slotOfValue(S.Result));
    if (L.K != Value::Each)
      break;
  }
  setResult(W, S, std::move(L));
}

TENSORTIDY_TRANSFER(ListGet) {
  Value L = S.Args.empty() ? Value() : value(W, S.Args[0].Value);
  std::optional<int64_t> I;
  if (S.Args.size() < 2)
    I = S.Imm;
  else if (const Value At = value(W, S.Args[1].Value); At.K == Value::Int)
    I = W.Ar.known(At.I);
  if (L.K == Value::List && I) {
    int64_t N = static_cast<int64_t>(L.Elems->size());
    if (*I >= -N && *I < N) {
      setResult(W, S, (*L.Elems)[static_cast<size_t>(*I < 0 ? *I + N : *I)]);
      return;
    }
    if (!S.Text.empty() && *I >= N && N > 0)
      noElement(Ctx, W, S, *I, N);
  }
  if (L.K == Value::Unknown && L.Elems && I && *I >= 0 &&
      static_cast<size_t>(*I) < L.Elems->size() &&
      !(*L.Elems)[static_cast<size_t>(*I)].isNothing())
    return setResult(W, S, (*L.Elems)[static_cast<size_t>(*I)]);
  if (L.K == Value::List && !I)
    L = anyOf(Ctx, W, L, S.Result);
  if (L.K == Value::Each) {
    someElement(Ctx, W, S, L);
    return;
  }
  if (Object *O = I ? sizesOf(W, L) : nullptr) {
    auto P = place(Ctx, W, *O, *I);
    if (P && *P >= 0 && *P < static_cast<int64_t>(O->L.rank())) {
      setResult(W, S, Value::integer(O->L.Sizes[static_cast<size_t>(*P)]));
      return;
    }
  }
  // An element of a list that nobody changes is the same each time.
  if (const Stmt *D =
          S.Args.size() == 2 ? Ctx.Flow.DefOf[S.Args[0].Value] : nullptr;
      D && D->O == Op::Load && Ctx.F.Vars[D->Var].OfInts &&
      Ctx.Flow.StableVars[D->Var] && L.K == Value::Unknown && I && *I >= 0 &&
      *I < 64) {
    const std::string Name =
        called(Ctx, D->Var, D->Context) + "[" + std::to_string(*I) + "]";
    SymExpr E = Ctx.Ids.symbol(
        {SymbolKey::ListElement, NoId, D->Var, static_cast<uint32_t>(*I)},
        SymbolInfo::Integer, Name);
    Ctx.Table[*E.asSymbol()].Named = true;
    setResult(W, S, Value::integer(std::move(E)));
    return;
  }
  setResult(W, S, Value());
}

TENSORTIDY_TRANSFER_AS(ListSet, changeList)
TENSORTIDY_TRANSFER_AS(ListInsert, changeList)
TENSORTIDY_TRANSFER_AS(ListErase, changeList)

std::optional<SymExpr> lengthOfParam(const Context &Ctx, VarId V) {
  if (V == NoId || !Ctx.F.Vars[V].IsParam || Ctx.F.Vars[V].IsCaptured ||
      !Ctx.Flow.loops().Stores[V].empty())
    return std::nullopt;
  return Ctx.Ids.symbol(SymbolKey{SymbolKey::Variable, NoId, V}.part(7),
                        SymbolInfo::Size, "?");
}

TENSORTIDY_TRANSFER(ListSize) {
  Value L = S.Args.empty() ? Value() : value(W, S.Args[0].Value);
  if (const Object *O = sizesOf(W, L); O && O->HasLayout) {
    setResult(W, S, rank(Ctx, W, L.T, *O));
    return;
  }
  if (L.K == Value::List)
    return setResult(
        W, S, Value::integer(SymExpr(static_cast<int64_t>(L.Elems->size()))));
  // The same number, wherever it is asked for.
  const Stmt *List = S.Args.empty() ? nullptr : Ctx.Flow.DefOf[S.Args[0].Value];
  const auto N = List && List->O == Op::Load ? lengthOfParam(Ctx, List->Var)
                                             : std::nullopt;
  setResult(
      W, S,
      Value::integer(N ? *N : valueSymbol(Ctx, S, SymbolInfo::Size, "?")));
}

void noElement(const Context &Ctx, State &W, const Stmt &S, int64_t I,
               int64_t Count) {
  LayoutSite &Site = Ctx.Facts.Sites[&S];
  if (hasNoElements(Ctx, W, S))
    return;
  ++Site.Failed;
  if (Site.Failures.size() >= 4)
    return;
  LayoutFailure V;
  V.R = Rule::SelectRange;
  V.Why.K = Refusal::PastEnd;
  V.Why.Left = std::to_string(I);
  V.Why.Right = std::to_string(Count);
  if (!S.is(Attribute::ChecksBounds))
    V.Why.E = Refusal::ReadsPastEnd;
  V.Taken = path(W);
  Site.Failures.push_back(std::move(V));
}

Object *sizesOf(State &W, const Value &L) {
  return L.K == Value::Symbol && L.Text == "%sizes"
             ? tensor(W, Value::tensor(L.T))
             : nullptr;
}

Value rank(const Context &Ctx, State &W, ObjId T, const Object &O) {
  if (O.Segment < 0)
    return Value::integer(SymExpr(static_cast<int64_t>(O.L.rank())));
  SymExpr E = Ctx.Ids.symbol({SymbolKey::Rank, NoId, Ctx.Ids.number(T)},
                             SymbolInfo::Size, O.Name + ".dim()");
  W.RankOf[*E.asSymbol()] = T;
  return Value::integer(E);
}

/// The list \p L, of which it does not matter how many elements it has.
static Value anyOf(const Context &Ctx, State &W, const Value &L, ValueId V) {
  return Ctx.Join.joinLists(W, W, W, L, Value::each(), NoId - 1,
                            Joiner::slotOfValue(V));
}

/// \p S takes some element of \p L: what differs between the elements is
/// another number each time.
///   each [N, d] strides [1, N]   ->   [N, d'] strides [1, N]
static void someElement(const Context &Ctx, State &W, const Stmt &S,
                        const Value &L) {
  const Object *Each = W.Objects.find(L.T);
  if (!Each)
    return setResult(W, S, Value());
  Object O = *Each;
  std::map<SymbolId, SymExpr> New;
  const auto Differs = [&](SymbolId At) {
    return Ctx.Table[At].Owner != NoId || Ctx.Table[At].Joined;
  };
  auto Rename = [&](SymExpr &E) {
    E = W.Ar.norm(E);
    for (const auto &T : E.terms())
      for (unsigned I = 0; I < T.M.Count; ++I) {
        const SymbolId At = T.M.S[I];
        if (!Differs(At) || New.count(At))
          continue;
        const SymExpr N = Ctx.Ids.symbol({SymbolKey::SomeElement, S.Result, At},
                                         Ctx.Table[At].K, Ctx.Table[At].Name);
        Ctx.Table[*N.asSymbol()].Rest = Ctx.Table[At].Rest;
        Ctx.Table[*N.asSymbol()].Owner = Ctx.F.Blocks[Ctx.Block].InLoop;
        New.emplace(At, N);
      }
    if (!New.empty())
      E = W.Ar.substitute(E, New);
  };
  for (SymExpr &E : O.L.Sizes)
    Rename(E);
  if (!New.empty())
    O.Key = {};
  for (SymExpr &E : O.L.Strides)
    Rename(E);
  Rename(O.L.Offset);
  O.Name.clear();
  O.Storage = {};
  O.Holds = std::nullopt;
  result(Ctx, W, S, std::move(O));
}

/// \p L; the sizes of a tensor, whose number may have become known since it
/// was asked for them, as the numbers that they are.
static Value listed(State &W, const Value &L) {
  const Object *O = sizesOf(W, L);
  if (!O || !O->HasLayout || O->Segment >= 0)
    return L;
  std::vector<Value> Sizes;
  for (const SymExpr &E : O->L.Sizes)
    Sizes.push_back(Value::integer(E));
  return Value::list(std::move(Sizes));
}

TENSORTIDY_TRANSFER(ListSlice) {
  const Value L = listed(W, value(W, S.Args[0].Value));
  auto Index = [&](size_t I) {
    const Value At = value(W, S.Args[I].Value);
    return At.K == Value::Int ? W.Ar.known(At.I) : std::nullopt;
  };
  const auto From = Index(1), To = Index(2);
  if (L.K != Value::List || !From || !To || *From < 0 || *To < *From ||
      *To > static_cast<int64_t>(L.Elems->size()))
    return setResult(W, S, Value());
  setResult(W, S,
            Value::list(std::vector<Value>(L.Elems->begin() + *From,
                                           L.Elems->begin() + *To)));
}

/// %r = list_set %l %i %v and its kin.
static void changeList(TENSORTIDY_OPERANDS) {
  Value L = listed(W, value(W, S.Args[0].Value));
  const Value At = value(W, S.Args[1].Value);
  const Value New = S.Args.size() > 2 ? value(W, S.Args[2].Value) : Value();
  const auto Known = At.K == Value::Int ? W.Ar.known(At.I) : std::nullopt;
  const int64_t I = Known.value_or(-1);
  if (Object *O = tensor(W, New))
    O->Listed = true;
  constexpr size_t MaxElements = 64;
  const bool Any =
      L.K == Value::List && (!Known || L.Elems->size() >= MaxElements);
  if (Any)
    L = anyOf(Ctx, W, L, S.Result);
  if (L.K == Value::Each)
    return setResult(W, S,
                     S.O == Op::ListErase
                         ? L
                         : Ctx.Join.joinLists(W, W, W, L, Value::list({New}),
                                              NoId,
                                              Joiner::slotOfValue(S.Result)));
  if (L.K != Value::List)
    return setResult(W, S, Value());
  std::vector<Value> E = *L.Elems;
  const auto N = static_cast<int64_t>(E.size());
  const bool Inserts = S.O == Op::ListInsert;
  if (I >= 0 && I < N + Inserts) {
    if (Inserts)
      E.insert(E.begin() + I, New);
    else if (S.O == Op::ListErase)
      E.erase(E.begin() + I);
    else
      E[static_cast<size_t>(I)] = New;
    return setResult(W, S, Value::list(std::move(E)));
  }
  setResult(W, S, Value());
}

bool isEmptyLater(const Context &Ctx, const State &W, const Stmt &S) {
  const Arg *A =
      S.O == Op::Cat || S.O == Op::Stack ? findArg(S, "tensors") : nullptr;
  if (!A || !A->Value || Ctx.Flow.DefOf[A->Value]->O == Op::List)
    return false;
  return value(W, A->Value).hasNone();
}

void noteReturned(const Context &Ctx, const State &W, const Stmt &S) {
  const Value L = S.Args.empty() ? Value() : value(W, S.Args[0].Value);
  ReturnSite &Site = Ctx.Facts.Returns[&S];
  if (L.K == Value::List)
    Site.Lengths.insert(L.Elems->size());
  else
    Site.Other = true;
}

void catenateEach(const Context &Ctx, State &W, const Stmt &S, const Value &L,
                  std::optional<int64_t> Dim) {
  Object *Each = W.Objects.edit(L.T);
  if (!Each || !Each->HasLayout || !Dim || Each->Segment >= 0) {
    // Contiguous ones give a contiguous one.
    if (Each && Each->HasLayout && Each->SegmentDense &&
        (Ctx.H != Hypothesis::ChannelsLast || !Each->Root))
      return resultDense(Ctx, W, S, std::nullopt, Each);
    return resultUnknown(Ctx, W, S, true, Each);
  }
  const bool IsCat = S.O == Op::Cat;
  auto One = IsCat ? layout::cat(W.Ar, {&Each->L}, *Dim)
                   : layout::stack(W.Ar, {&Each->L}, *Dim);
  if (!site(Ctx, W, S, {Each}, One) || !One.ok())
    return resultUnknown(Ctx, W, S, true, Each);
  const auto At = wrapDim(W.Ar, *Dim, One->rank());
  const bool Dense = isContiguous(W.Ar, *One).yes();
  SymDims Sizes = One->Sizes;
  Sizes[*At] = valueSymbol(Ctx, S, SymbolInfo::Size, "?");
  resultSized(Ctx, W, S, std::move(Sizes), Dense ? "dense" : "unknown", Each);
}

} // namespace tensortidy::analysis
