//===- Operands.cpp - what a statement is given -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Devices.h"
#include "Analysis/Transfer/Ranks.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

const Value &value(const State &W, ValueId V) {
  static const Value Nothing;
  const Value *X = W.Temps.find(V);
  return X ? *X : Nothing;
}

Value operand(State &W, const Stmt &S, llvm::StringRef Name) {
  const Arg *A = findArg(S, Name);
  return A ? value(W, A->Value) : Value();
}

Object *tensor(State &W, const Value &V) {
  if (V.K != Value::Tensor)
    return nullptr;
  return W.Objects.edit(V.T);
}

namespace {
/// `xs[2]`, of a list in a variable of which nothing is known.
struct ReadElement {
  VarId List = NoId;
  size_t At = 0;
  std::string Name;
};
} // namespace

static ReadElement elementOf(const Context &Ctx, const State &W,
                             const Stmt &Get) {
  ReadElement E;
  const Stmt *Load = Get.O == Op::ListGet && !Get.Args.empty()
                         ? Ctx.Flow.DefOf[Get.Args[0].Value]
                         : nullptr;
  if (!Load || Load->O != Op::Load)
    return E;
  int64_t At = Get.Imm;
  if (Get.Args.size() > 1) {
    const Value I = value(W, Get.Args[1].Value);
    At = I.K == Value::Int ? W.Ar.known(I.I).value_or(-1) : -1;
  }
  const Value &Held = W.Vars[Load->Var];
  if (At < 0 || At >= 16 || Held.K != Value::Unknown || Held.T)
    return E;
  E.Name = called(Ctx, Load->Var, Load->Context);
  if (!E.Name.empty())
    E.Name += "[" + std::to_string(At) + "]";
  if (const Value Was = value(W, Get.Args[0].Value);
      Was.K == Value::Unknown && !Was.T) {
    E.List = Load->Var;
    E.At = static_cast<size_t>(At);
  }
  return E;
}

static Value readBefore(const State &W, const ReadElement &E) {
  if (E.List == NoId || !W.Vars[E.List].Elems)
    return Value();
  const auto &Elems = *W.Vars[E.List].Elems;
  return E.At < Elems.size() ? Elems[E.At] : Value();
}

/// The list holds it when it is read again.
static void remember(State &W, const ReadElement &E, const Value &Is) {
  if (E.List == NoId)
    return;
  Value Held = W.Vars[E.List];
  std::vector<Value> Elems;
  if (Held.Elems)
    Elems = *Held.Elems;
  Elems.resize(std::max(Elems.size(), E.At + 1));
  Elems[E.At] = Is;
  Held.Elems = std::make_shared<const std::vector<Value>>(std::move(Elems));
  W.Vars.set(E.List, std::move(Held));
}

Object *tensorArg(const Context &Ctx, State &W, const Stmt &S,
                  llvm::StringRef Name) {
  const Arg *A = findArg(S, Name);
  if (!A || !A->Value)
    return nullptr;
  Value V = value(W, A->Value);
  if (Object *O = tensor(W, V))
    return O;
  if (V.K != Value::Unknown)
    return nullptr;
  const Stmt *Def = Ctx.Flow.DefOf[A->Value];
  bool Root = Def && (Def->isOpaque() || Def->O == Op::ListGet);
  std::string Called;
  if (const llvm::StringRef Text = Root ? llvm::StringRef(Def->Text) : "";
      Text.contains('.'))
    Called = Text.ltrim('.').str(); // a field
  else if (Root && Def->isOpaque() && !Text.empty())
    Called = Text.front() == '*' && Text.size() > 1 ? "(" + Text.str() + ")"
                                                    : Text.str() + "(...)";
  const ReadElement Element = Def ? elementOf(Ctx, W, *Def) : ReadElement();
  if (!Element.Name.empty())
    Called = Element.Name;
  if (const Value Read = readBefore(W, Element); Read.K == Value::Tensor) {
    W.Temps.assign(A->Value, Read);
    return tensor(W, Read);
  }
  const ObjId Id = ObjId::of(A->Value);
  if (Root && Ctx.F.Contexts.size() > 1)
    Called = markName(Called, Def->Context);
  Object O =
      Root ? opaque(Ctx, W, Called, {SymbolKey::OpaqueValue, NoId, A->Value})
           : Object();
  O.Storage = Id;
  if (Root)
    O.Device = deviceOfCall(Ctx, W, *Def);
  remember(W, Element, *W.Temps.assign(A->Value, Value::tensor(Id)));
  return W.Objects.assign(Id, std::move(O));
}

std::optional<SymExpr> exprArg(State &W, const Stmt &S, llvm::StringRef Name) {
  Value V = operand(W, S, Name);
  if (V.K == Value::Int)
    return V.I;
  if (V.K == Value::List && V.Elems->size() == 1 &&
      (*V.Elems)[0].K == Value::Int)
    return (*V.Elems)[0].I;
  return std::nullopt;
}

std::optional<int64_t> intArg(State &W, const Stmt &S, llvm::StringRef Name,
                              std::optional<int64_t> Default) {
  if (!findArg(S, Name))
    return Default;
  auto E = exprArg(W, S, Name);
  return E ? W.Ar.known(*E) : std::nullopt;
}

std::optional<std::vector<int64_t>> dimsArg(State &W, const Stmt &S,
                                            llvm::StringRef Name) {
  Value V = operand(W, S, Name);
  std::vector<int64_t> R;
  if (V.K == Value::Int) {
    auto K = W.Ar.known(V.I);
    if (!K)
      return std::nullopt;
    R.push_back(*K);
    return R;
  }
  if (V.K != Value::List)
    return std::nullopt;
  for (const Value &E : *V.Elems) {
    auto K = E.K == Value::Int ? W.Ar.known(E.I) : std::nullopt;
    if (!K)
      return std::nullopt;
    R.push_back(*K);
  }
  return R;
}

SymExpr usedAsSize(State &W, const SymExpr &E) {
  W.Ar.assumeSize(E);
  return W.Ar.asSize(E);
}

std::optional<SymDims> sizesArg(const Context &Ctx, State &W, const Stmt &S,
                                llvm::StringRef Name) {
  Value V = operand(W, S, Name);
  SymDims R;
  // What stands in one place of one list and of another are two numbers.
  const Arg *Of = findArg(S, Name);
  const auto At = static_cast<unsigned>(Of ? Of - S.Args.begin() + 1 : 0) << 16;
  auto Take = [&](const Value &E, unsigned Part) {
    R.push_back(E.K == Value::Int
                    ? usedAsSize(W, E.I)
                    : valueSymbol(Ctx, S, SymbolInfo::Size, "?", At + Part));
  };
  if (V.K == Value::Int) {
    Take(V, 0);
    return R;
  }
  if (V.K != Value::List)
    return std::nullopt;
  for (unsigned I = 0; I < V.Elems->size(); ++I) {
    if ((*V.Elems)[I].K == Value::Tensor)
      return std::nullopt;
    Take((*V.Elems)[I], I);
  }
  return R;
}

std::optional<MemoryFormat> formatNamed(llvm::StringRef Text) {
  for (MemoryFormat F :
       {MemoryFormat::Contiguous, MemoryFormat::Preserve,
        MemoryFormat::ChannelsLast, MemoryFormat::ChannelsLast3d})
    if (Text == name(F))
      return F;
  return std::nullopt;
}

std::optional<unsigned> formatRank(MemoryFormat F) {
  size_t Rank = 0;
  if (!layout::detail::channelsLastOrder(F, Rank))
    return std::nullopt;
  return static_cast<unsigned>(Rank);
}

MemoryFormat formatArg(State &W, const Stmt &S, MemoryFormat Default,
                       bool &Known) {
  Known = true;
  Value V = operand(W, S, "memory_format");
  const Arg *A = findArg(S, "memory_format");
  if (!A || V.K == Value::None) { // it may come with the options
    Value Options = operand(W, S, "options");
    if (!Options.Elems || Options.Elems->empty())
      return Default;
    V = Options.Elems->front();
  }
  if (V.K != Value::Symbol) {
    Known = V.K == Value::None;
    return Default;
  }
  const auto F = formatNamed(V.Text);
  Known = F.has_value();
  return F.value_or(Default);
}

SymExpr variableSymbol(const Context &Ctx, VarId V) {
  const program::Variable &Var = Ctx.F.Vars[V];
  SymExpr E = Ctx.Ids.symbol({SymbolKey::Variable, NoId, V},
                             SymbolInfo::Integer, called(Ctx, V));
  SymbolInfo &Info = Ctx.Table[*E.asSymbol()];
  Info.Named = !Var.Name.empty() && !Var.IsOwnNumber;
  Info.Line = Var.Where.Line;
  return E;
}

SymExpr valueSymbol(const Context &Ctx, const Stmt &S, SymbolInfo::Kind K,
                    const std::string &Name, unsigned Part) {
  SymbolKey Key{SymbolKey::Result, NoId, S.Result, Part};
  if (!S.Result) // distinct per statement all the same
    Key = {SymbolKey::Statement, Ctx.Block,
           static_cast<uint32_t>(&S - Ctx.F.Blocks[Ctx.Block].Stmts.data()),
           Part};
  SymExpr E = Ctx.Ids.symbol(Key, K, Name);
  Ctx.Table[*E.asSymbol()].Owner = Ctx.F.Blocks[Ctx.Block].InLoop;
  return E;
}

/// The place of a dimension that \p S names, in the pseudo layout of \p Self.
std::optional<int64_t> dimArg(const Context &Ctx, State &W, const Stmt &S,
                              Object *Self, llvm::StringRef Name,
                              std::optional<int64_t> Default) {
  const auto D = intArg(W, S, Name, Default);
  return D && Self ? place(Ctx, W, *Self, *D) : std::nullopt;
}

} // namespace tensortidy::analysis
