//===- Objects.cpp - tensor objects, ranks, operands -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Objects.h"
#include "Analysis/Transfer/Conditions.h"
#include "Analysis/Transfer/Ggml.h"
#include "Analysis/Transfer/Lists.h"
#include "Analysis/Transfer/Sites.h"
#include "Layout/Error.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

Value value(const State &W, ValueId V) {
  auto It = W.Temps.find(V);
  return It == W.Temps.end() ? Value() : It->second;
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

/// The tensor operand \p Name. What an unknown call returned becomes an
/// opaque object the first time it is used as a tensor.
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
  const ObjId Id = ObjId::of(A->Value);
  if (Root && Ctx.F.Contexts.size() > 1)
    Called = markName(Called, Def->Context);
  Object O =
      Root ? opaque(Ctx, W, Called, {SymbolKey::OpaqueValue, NoId, A->Value})
           : Object();
  O.Storage = Id;
  W.Temps[A->Value] = Value::tensor(Id);
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

/// \p E serves as a size, so it is not negative (or is -1, written out).
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

/// A symbol for something statement \p S makes, owned by its loop.
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

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

Object opaque(const Context &Ctx, State &W, const std::string &Name,
              SymbolKey Key) {
  Object O;
  O.HasLayout = true;
  O.Root = true;
  O.Key = Key;
  O.Name = Name;
  O.Segment = 0;
  // Channels-last takes effect once the rank is known to be 4.
  O.SegmentDense = Ctx.H != Hypothesis::Opaque;
  O.L.Sizes = SymDims(1, Ctx.Ids.symbol(Key, SymbolInfo::Size, "?"));
  O.L.Strides = SymDims(
      1, O.SegmentDense ? SymExpr(1)
                        : Ctx.Ids.symbol(Key.part(1), SymbolInfo::Stride, "?"));
  O.L.Offset = Ctx.Ids.symbol(Key.part(2), SymbolInfo::Stride, "?");
  auto P = std::make_shared<Provenance>();
  P->Assumed = Name;
  O.Prov = std::move(P);
  if (auto It = Ctx.Given.find(O.Key); It != Ctx.Given.end())
    setRank(Ctx, W, O, It->second);
  return O;
}

/// Contiguous, of unknown sizes.
Object denseUnknown(const Context &Ctx, SymbolKey Key) {
  Object O;
  O.HasLayout = true;
  O.Segment = 0;
  O.SegmentDense = true;
  O.L.Sizes = SymDims(1, Ctx.Ids.symbol(Key.part(0), SymbolInfo::Size, "?"));
  O.L.Strides = SymDims(1, SymExpr(1));
  return O;
}

/// What its dimensions are called after: "x", "x[i]", "x.select(0, i)".
std::string rootName(const Object &O) {
  if (!O.Name.empty())
    return O.Name;
  llvm::SmallVector<llvm::StringRef, 2> Calls; // the last one first
  const Provenance *P = O.Prov.get();
  for (; P && P->Assumed.empty(); P = P->Parent.get())
    if (!P->What.empty() && !P->Checked)
      Calls.push_back(P->What);
  if (!P || Calls.size() > 2)
    return "?";
  std::string Name = P->Assumed;
  for (llvm::StringRef Call : llvm::reverse(Calls)) {
    if (Call.contains("..."))
      return "?";
    const std::string Plain = withoutMarks(Name);
    const bool Names = Call.starts_with(Plain + "[") ||
                       Call.contains("(" + Plain + ")") ||
                       Call.contains("(" + Plain + ",");
    const uint32_t Of = contextOf(Name);
    Name = !Names       ? Name + "." + Call.str()
           : Of == NoId ? Call.str()
                        : markName(Call, Of);
  }
  return Name;
}

static SymbolKey dimensionKey(const Object &O) {
  auto S = O.L.Sizes[static_cast<size_t>(O.Segment)].asSymbol();
  return {SymbolKey::Dimension, NoId, S ? *S : 0};
}

/// Two tensors may be known to have the same sizes: strides are each one's own.
static SymbolKey strideKey(const Context &Ctx, const Object &O) {
  auto Symbol = [&](const SymDims &Of) {
    return Of[static_cast<size_t>(O.Segment)].asSymbol().value_or(0);
  };
  return {SymbolKey::Stride, NoId,
          Ctx.Ids.number({SymbolKey::Strides, NoId, Symbol(O.L.Sizes),
                          Symbol(O.L.Strides)})};
}

/// \p Part changes as the element count \p Whole does.
static void partOf(const Context &Ctx, const SymExpr &Whole,
                   const SymExpr &Part) {
  if (auto S = Whole.asSymbol()) {
    Ctx.Table[*Part.asSymbol()].Owner = Ctx.Table[*S].Owner;
    Ctx.Table[*Part.asSymbol()].Joined = Ctx.Table[*S].Joined;
  }
}

/// Takes \p Count dimensions out of the segment's front:
///   [..., seg n, ...]  ->  [..., d, seg n', ...]   n == d * n'
void pullFront(const Context &Ctx, State &W, Object &O, unsigned Count) {
  for (; Count; --Count) {
    auto At = static_cast<size_t>(O.Segment);
    const SymbolKey Key = dimensionKey(O), StrideKey = strideKey(Ctx, O);
    std::string Name = rootName(O), Dim = std::to_string(At);
    SymExpr N = O.L.Sizes[At];
    SymExpr D = Ctx.Ids.symbol(Key.part(0), SymbolInfo::Size,
                               Name + ".size(" + Dim + ")");
    SymExpr Rest = Ctx.Ids.symbol(Key.part(1), SymbolInfo::Size, "...");
    partOf(Ctx, N, D);
    partOf(Ctx, N, Rest);
    Ctx.Table[*Rest.asSymbol()].Rest = true;
    if (auto S = N.asSymbol())
      if (!W.Ar.facts().count(*S))
        W.Ar.rewrite(*S, W.Ar.mul(D, Rest));
    SymExpr Stride = O.SegmentDense
                         ? W.Ar.mul(Rest, O.L.Strides[At])
                         : Ctx.Ids.symbol(StrideKey.part(2), SymbolInfo::Stride,
                                          Name + ".stride(" + Dim + ")");
    O.L.Sizes[At] = Rest;
    O.L.Sizes.insert(O.L.Sizes.begin() + O.Segment, D);
    O.L.Strides.insert(O.L.Strides.begin() + O.Segment, Stride);
    ++O.Segment;
  }
}

/// The same at the back:  [..., seg n', d]   n == n' * d
void pullBack(const Context &Ctx, State &W, Object &O, unsigned Count) {
  for (; Count; --Count) {
    auto At = static_cast<size_t>(O.Segment);
    const SymbolKey Key = dimensionKey(O), StrideKey = strideKey(Ctx, O);
    std::string Name = rootName(O);
    std::string Dim = std::to_string(static_cast<int64_t>(At) -
                                     static_cast<int64_t>(O.L.rank()));
    SymExpr N = O.L.Sizes[At];
    SymExpr D = Ctx.Ids.symbol(Key.part(3), SymbolInfo::Size,
                               Name + ".size(" + Dim + ")");
    SymExpr Rest = Ctx.Ids.symbol(Key.part(4), SymbolInfo::Size, "...");
    partOf(Ctx, N, D);
    partOf(Ctx, N, Rest);
    Ctx.Table[*Rest.asSymbol()].Rest = true;
    if (auto S = N.asSymbol())
      if (!W.Ar.facts().count(*S))
        W.Ar.rewrite(*S, W.Ar.mul(Rest, D));
    SymExpr Inner = O.L.Strides[At];
    SymExpr Stride = O.SegmentDense
                         ? Inner
                         : Ctx.Ids.symbol(StrideKey.part(5), SymbolInfo::Stride,
                                          Name + ".stride(" + Dim + ")");
    O.L.Sizes[At] = Rest;
    O.L.Strides[At] = O.SegmentDense ? W.Ar.mul(D, Inner)
                                     : Ctx.Ids.symbol(StrideKey.part(6),
                                                      SymbolInfo::Stride, "?");
    O.L.Sizes.insert(O.L.Sizes.begin() + O.Segment + 1, D);
    O.L.Strides.insert(O.L.Strides.begin() + O.Segment + 1, Stride);
  }
}

/// The rank is known now, and less than what was counted from either end:
///   [a, b, seg, c]  of rank 2  ->  [a, b], c == b
static bool meetEnds(State &W, Object &O, unsigned Rank) {
  const auto Front = static_cast<unsigned>(O.Segment);
  const auto Back = static_cast<unsigned>(O.L.rank()) - 1 - Front;
  const size_t Behind = O.L.rank() - Rank; // of dimension 0, from the back
  SymLayout L;
  L.Offset = O.L.Offset;
  for (unsigned D = 0; D < Rank; ++D) {
    const size_t At = D < Front ? D : Behind + D;
    L.Sizes.push_back(O.L.Sizes[At]);
    L.Strides.push_back(O.L.Strides[At]);
  }
  for (unsigned D = Rank - std::min(Rank, Back); D < std::min(Rank, Front); ++D)
    if (!W.Ar.assumeEqual(O.L.Sizes[D], O.L.Sizes[Behind + D]))
      return false;
  if (O.SegmentDense && isContiguous(W.Ar, O.L).yes())
    L.Strides = denseStrides(W.Ar, L.Sizes);
  O.L = std::move(L);
  O.Segment = -1;
  return true;
}

/// The rank is known now: the segment gives up the missing dimensions and
/// goes. False when it has too many already.
bool setRank(const Context &Ctx, State &W, Object &O, unsigned Rank) {
  if (!O.HasLayout)
    return true;
  if (O.Segment < 0)
    return O.L.rank() == Rank;
  if (Rank < O.AtLeast)
    return false;
  if (Rank + 1 < O.L.rank())
    return meetEnds(W, O, Rank);
  auto Have = static_cast<unsigned>(O.L.rank() - 1);
  const SymExpr Segment = O.L.Sizes[static_cast<size_t>(O.Segment)];
  if (W.SameUnknownRanks && Segment.asSymbol()) {
    W.SameUnknownRanks = false; // each other one once
    bool Fits = true;
    W.Objects.change(
        [&](ObjId, const Object &P) {
          return &P != &O && P.HasLayout && P.Segment >= 0 &&
                 P.L.Sizes[static_cast<size_t>(P.Segment)] == Segment;
        },
        [&](Object &P) {
          Fits &= setRank(Ctx, W, P,
                          Rank + static_cast<unsigned>(P.L.rank()) - 1 - Have);
        });
    W.SameUnknownRanks = true;
    if (!Fits)
      return false;
  }
  pullFront(Ctx, W, O, Rank - Have);
  if (auto S = O.L.Sizes[static_cast<size_t>(O.Segment)].asSymbol())
    if (!W.Ar.facts().count(*S))
      W.Ar.rewrite(*S, SymExpr(1));
  O.L.Sizes.erase(O.L.Sizes.begin() + O.Segment);
  O.L.Strides.erase(O.L.Strides.begin() + O.Segment);
  O.Segment = -1;
  if (O.Root && Ctx.H == Hypothesis::ChannelsLast)
    O.L.Strides =
        Rank == 4 ? *formatStrides(W.Ar, O.L.Sizes, MemoryFormat::ChannelsLast)
                  : denseStrides(W.Ar, O.L.Sizes);
  for (SymExpr &E : O.L.Strides)
    E = W.Ar.norm(E);
  return true;
}

std::optional<int64_t> place(const Context &Ctx, State &W, Object &O,
                             int64_t Dim, bool ForInsert) {
  if (!O.HasLayout)
    return std::nullopt;
  if (O.Segment < 0)
    return Dim;
  if (Dim < -32 || Dim > 32)
    return std::nullopt;
  const bool Front = Dim >= 0;
  const auto Need =
      static_cast<unsigned>(Front ? Dim + !ForInsert : -Dim - ForInsert);
  // More than tests leave: refused as for the most.
  if (auto Most = mostRank(Ctx, W, O); Most && *Most < Need)
    return setRank(Ctx, W, O, *Most) ? std::optional<int64_t>(Dim)
                                     : std::nullopt;
  if (O.AtMost && Need >= O.AtMost)
    return setRank(Ctx, W, O, O.AtMost)
               ? std::optional(Front ? Dim
                                     : static_cast<int64_t>(O.L.rank()) + Dim +
                                           ForInsert)
               : std::nullopt;
  const auto Before = static_cast<unsigned>(O.Segment);
  const auto Behind = static_cast<unsigned>(O.L.rank()) - 1 - Before;
  if (Front && Need > Before)
    pullFront(Ctx, W, O, Need - Before);
  if (!Front && Need > Behind)
    pullBack(Ctx, W, O, Need - Behind);
  O.AtLeast = std::max(O.AtLeast, Need);
  if (O.Key && !O.isApart()) {
    unsigned &Least = Ctx.Facts.LeastRanks[O.Key];
    const int Rank = static_cast<int>(O.AtLeast) - O.Over;
    Least = std::max(Least, static_cast<unsigned>(std::max(Rank, 0)));
  }
  return Front ? Dim : static_cast<int64_t>(O.L.rank()) + Dim + ForInsert;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

void setResult(State &W, const Stmt &S, Value V) {
  if (S.Result)
    W.Temps[S.Result] = std::move(V);
}

ObjId newObject(const Context &Ctx, State &W, const Stmt &S, Object O,
                unsigned Part) {
  const ObjId Id = ObjId::of(S.Result, Part);
  if (const Object *Before = W.Objects.find(Id)) {
    // Made by this statement in an earlier iteration, and still held.
    const Object Was = *Before;
    const ObjId Old{ObjId::Earlier, Part, S.Result};
    bool Held = false;
    auto Is = [&](const Value &V) { return V.K == Value::Tensor && V.T == Id; };
    W.Vars.change([&](VarId, const Value &V) { return Is(V); },
                  [&](Value &V) {
                    V.T = Old;
                    Held = true;
                  });
    if (Held)
      W.Objects.assign(Old, Was);
    std::vector<std::pair<VarId, Value>> Lists;
    W.Vars.forEach([&](VarId V, const Value &X) {
      if (X.K == Value::List && llvm::any_of(*X.Elems, Is))
        Lists.push_back({V, X});
    });
    // Each element of a list is one of its own then.
    for (auto &[V, X] : Lists) {
      std::vector<Value> E = *X.Elems;
      for (size_t I = 0; I < E.size(); ++I) {
        if (!Is(E[I]))
          continue;
        E[I].T = {ObjId::Element, 0,
                  Ctx.Ids.number({SymbolKey::HeldElement, NoId, V,
                                  static_cast<uint32_t>(I)})};
        if (W.Objects.find(E[I].T))
          E[I] = Value(); // that of another place, which moved
        else
          W.Objects.assign(E[I].T, Was);
      }
      W.Vars.set(V, Value::list(std::move(E)));
    }
  }
  if (!O.Storage)
    O.Storage = Id;
  W.Objects.assign(Id, std::move(O));
  return Id;
}

void result(const Context &Ctx, State &W, const Stmt &S, Object O) {
  if (!S.Result)
    return;
  ObjId Id = newObject(Ctx, W, S, std::move(O));
  setResult(W, S, Value::tensor(Id));
}

/// "[2, 3] strides [3, 1] storage %4 offset 0 float32": what is known, for
/// people and tests. `?` is a number nobody knows, `...` dimensions nobody
/// counted.
void noteLayout(const Context &Ctx, State &W, const Stmt &S) {
  const Object *O = tensor(W, value(W, S.Result));
  if (!O)
    return;
  auto Number = [&](const SymExpr &E) {
    const SymExpr Normal = W.Ar.norm(E);
    for (const auto &T : Normal.terms())
      for (unsigned I = 0; I < T.M.Count; ++I)
        if (Ctx.Table[T.M.S[I]].K == SymbolInfo::Stride)
          return std::string("?");
    return W.Ar.str(E);
  };
  auto List = [&](const SymDims &Dims) {
    std::string Out;
    for (size_t D = 0; D < Dims.size(); ++D)
      Out += (D ? ", " : "") +
             (static_cast<int>(D) == O->Segment ? "..." : Number(Dims[D]));
    return '[' + Out + ']';
  };
  std::string Text = "unknown";
  if (O->HasLayout) {
    bool Dense =
        isContiguous(W.Ar, O->L).yes() && (O->Segment < 0 || O->SegmentDense);
    Text = List(O->L.Sizes) + " strides " +
           (Dense && O->Segment >= 0 ? "contiguous" : List(O->L.Strides));
  }
  Text += " storage " + O->Storage.text();
  if (O->HasLayout)
    Text += " offset " + Number(O->L.Offset);
  if (!O->DType.empty())
    Text += " " + O->DType;
  auto [It, New] = Ctx.Facts.ValueLayouts.try_emplace(S.Result, Text);
  if (!New && It->second != Text)
    It->second = "varies";
}

/// "'x'", "a contiguous [B, T]", "[B, T] with strides [1, B]".
static std::string describe(const Context &Ctx, const State &W,
                            const Object &O) {
  if (!O.HasLayout || O.Segment >= 0)
    return rootName(O) == "?" ? "" : "'" + rootName(O) + "'";
  bool Dense = isContiguous(W.Ar, O.L).yes();
  if (O.Ggml) {
    std::string Ne = ggmlText(W, O.L, false);
    return Dense ? "a contiguous tensor of ne " + Ne
           : O.Root && !O.Name.empty()
               ? "'" + O.Name + "'"
               : "ne " + Ne + ", nb " + ggmlText(W, O.L, true) + " elements";
  }
  std::string Sizes = listText(W.Ar, O.L.Sizes);
  if (Dense)
    return "a contiguous " + Sizes;
  for (const SymExpr &E : O.L.Strides) {
    const SymExpr Stride = W.Ar.norm(E);
    for (const auto &T : Stride.terms())
      for (unsigned I = 0; I < T.M.Count; ++I)
        if (Ctx.Table[T.M.S[I]].K == SymbolInfo::Stride)
          return rootName(O) == "?" ? "a " + Sizes : "'" + rootName(O) + "'";
  }
  return "a " + Sizes + " with strides " + listText(W.Ar, O.L.Strides);
}

ProvRef provenance(const Context &Ctx, State &W, const Stmt &S,
                   const Object *Of, bool Fresh) {
  auto P = std::make_shared<Provenance>();
  P->Where = S.point();
  P->What = callText(Ctx, S, W);
  P->O = S.O;
  P->Fresh = Fresh;
  if (Of) {
    P->Of = describe(Ctx, W, *Of);
    P->Parent = Of->Prov;
    P->FromContiguous = Of->HasLayout && isContiguous(W.Ar, Of->L).yes() &&
                        (Of->Segment < 0 || Of->SegmentDense);
  }
  return P;
}

/// Some layout: what is asked of it and assumed of it later still agrees.
void resultUnknown(const Context &Ctx, State &W, const Stmt &S, bool Fresh,
                   const Object *Of) {
  const SymbolKey Key{SymbolKey::UnknownResult, NoId, S.Result};
  Object O = denseUnknown(Ctx, Key);
  O.SegmentDense = false;
  O.L.Strides[0] = Ctx.Ids.symbol(Key.part(1), SymbolInfo::Stride, "?");
  O.L.Offset = Ctx.Ids.symbol(Key.part(2), SymbolInfo::Stride, "?");
  for (const SymExpr &E : {O.L.Sizes[0], O.L.Strides[0], O.L.Offset})
    Ctx.Table[*E.asSymbol()].Owner = Ctx.F.Blocks[Ctx.Block].InLoop;
  O.Prov = provenance(Ctx, W, S, Of, Fresh);
  if (!Fresh && Of)
    O.Storage = Of->Storage;
  result(Ctx, W, S, std::move(O));
}

/// How many elements there are in dimensions that may have been counted twice:
/// not known where a number is among them, which may not be there.
SymExpr countOf(const Context &Ctx, State &W, const Stmt &S,
                const SymExpr &Product, unsigned Part) {
  const SymExpr N = W.Ar.norm(Product);
  if (llvm::all_of(N.terms(), [](const auto &T) { return T.C == 1; }))
    return Product;
  return valueSymbol(Ctx, S, SymbolInfo::Size, "...", Part);
}

/// \p O is a view of \p Of, changed in dimensions that were counted from one
/// end. They may be those which are known from the other end too; the segment
/// takes these in:
///   [a, b, ..., 3].narrow(1, 0, 2)  ->  [a, 2, ...]   b may have been the 3
static void forgetOtherEnd(const Context &Ctx, State &W, const Stmt &S,
                           Object &O, const Object &Of) {
  if (O.Segment < 0 || Of.Segment < 0 || Of.isApart())
    return;
  const auto Least = static_cast<int>(Of.leastRank());
  const int Front = O.Segment, Back = static_cast<int>(O.L.rank()) - 1 - Front;
  const int OldFront = Of.Segment,
            OldBack = static_cast<int>(Of.L.rank()) - 1 - OldFront;
  auto Same = [&](int New, int Old) {
    const auto N = static_cast<size_t>(New), P = static_cast<size_t>(Old);
    return O.L.Sizes[N] == Of.L.Sizes[P] && O.L.Strides[N] == Of.L.Strides[P];
  };
  // Those next to the segment that it left alone, and how many it may not have.
  int Kept = 0;
  while (Kept < std::min(Front, OldFront) &&
         Same(Front - 1 - Kept, OldFront - 1 - Kept))
    ++Kept;
  const int FromFront =
      Front == OldFront && Kept == Front ? 0 : OldFront - Kept;
  Kept = 0;
  while (Kept < std::min(Back, OldBack) &&
         Same(Front + 1 + Kept, OldFront + 1 + Kept))
    ++Kept;
  const int FromBack = Back == OldBack && Kept == Back ? 0 : OldBack - Kept;
  const int KeepBack = FromFront ? std::max(0, Least - FromFront) : Back;
  const int KeepFront = FromBack ? std::max(0, Least - FromBack) : Front;
  if (KeepBack >= Back && KeepFront >= Front)
    return;
  const int First = std::min(KeepFront, Front),
            Last = Front + 1 + Back - std::min(KeepBack, Back);
  auto Sizes = llvm::MutableArrayRef(O.L.Sizes).slice(First, Last - First);
  auto Strides = llvm::MutableArrayRef(O.L.Strides).slice(First, Last - First);
  for (size_t D = Sizes.size() - 1; D > 0; --D) {
    O.SegmentDense =
        O.SegmentDense &&
        W.Ar.eq(Strides[D - 1], W.Ar.mul(Sizes[D], Strides[D])).yes();
    Sizes[D - 1] = W.Ar.mul(Sizes[D - 1], Sizes[D]);
  }
  Sizes[0] = countOf(Ctx, W, S, Sizes[0], 193);
  Strides[0] = O.SegmentDense
                   ? Strides.back()
                   : valueSymbol(Ctx, S, SymbolInfo::Stride, "?", 192);
  for (SymDims *Dims : {&O.L.Sizes, &O.L.Strides})
    Dims->erase(Dims->begin() + First + 1, Dims->begin() + Last);
  O.Segment = First;
  O.Merged = true;
}

void resultView(const Context &Ctx, State &W, const Stmt &S, const Object &Of,
                LayoutOutcome<Symbolic> Out, int Segment) {
  site(Ctx, W, S, {&Of}, Out);
  ProvRef P = provenance(Ctx, W, S, &Of, false);
  Object O;
  O.Storage = Of.Storage;
  O.DType = Of.DType;
  O.Prov = std::move(P);
  if (Out.ok()) {
    O.HasLayout = true;
    O.L = std::move(*Out);
    O.Segment = Segment;
    O.SegmentDense = Of.SegmentDense;
    O.Resized = Of.Resized;
    O.rankFrom(Of);
    forgetOtherEnd(Ctx, W, S, O, Of);
  }
  result(Ctx, W, S, std::move(O));
}

void resultFresh(const Context &Ctx, State &W, const Stmt &S, const Object *Of,
                 LayoutOutcome<Symbolic> Out, int Segment) {
  Object O;
  O.Prov = provenance(Ctx, W, S, Of, true);
  if (Of)
    O.DType = Of->DType;
  if (Out.ok()) {
    O.HasLayout = true;
    O.L = std::move(*Out);
    O.Segment = Segment;
    O.SegmentDense = Segment >= 0;
    if (Of)
      O.rankFrom(*Of);
  }
  result(Ctx, W, S, std::move(O));
}

void resultDense(const Context &Ctx, State &W, const Stmt &S,
                 std::optional<SymDims> Sizes, const Object *Of) {
  if (Sizes) {
    resultFresh(Ctx, W, S, Of,
                LayoutOutcome<Symbolic>(denseLayout(W.Ar, *Sizes)));
    return;
  }
  ProvRef P = provenance(Ctx, W, S, Of, true);
  Object O = denseUnknown(Ctx, {SymbolKey::DenseResult, NoId, S.Result});
  Ctx.Table[*O.L.Sizes[0].asSymbol()].Owner = Ctx.F.Blocks[Ctx.Block].InLoop;
  O.Prov = std::move(P);
  result(Ctx, W, S, std::move(O));
}

/// A fresh tensor of these sizes, with a segment where \p Of has one, and of
/// strides that are not known.
void resultSizes(const Context &Ctx, State &W, const Stmt &S, const Object &Of,
                 SymDims Sizes) {
  Object O;
  O.HasLayout = true;
  O.Segment = Of.Segment;
  O.DType = Of.DType;
  O.Prov = provenance(Ctx, W, S, &Of, true);
  for (unsigned D = 0; D < Sizes.size(); ++D)
    O.L.Strides.push_back(
        valueSymbol(Ctx, S, SymbolInfo::Stride, "?", 128 + D));
  O.L.Sizes = std::move(Sizes);
  O.rankFrom(Of);
  result(Ctx, W, S, std::move(O));
}

/// A fresh tensor of which only the last sizes are known.
void resultTail(const Context &Ctx, State &W, const Stmt &S, const Object *Of,
                SymDims Tail, bool Dense, unsigned AtLeast) {
  const SymbolKey Key{SymbolKey::TailResult, NoId, S.Result};
  Object O;
  O.HasLayout = true;
  O.Segment = 0;
  O.SegmentDense = Dense;
  O.AtLeast = std::max(AtLeast, static_cast<unsigned>(Tail.size()));
  const SymExpr Rest = Ctx.Ids.symbol(Key.part(0), SymbolInfo::Size, "...");
  Ctx.Table[*Rest.asSymbol()].Owner = Ctx.F.Blocks[Ctx.Block].InLoop;
  Ctx.Table[*Rest.asSymbol()].Rest = true;
  Tail.insert(Tail.begin(), Rest);
  if (Dense) {
    O.L = denseLayout(W.Ar, Tail);
  } else {
    for (unsigned D = 0; D < Tail.size(); ++D)
      O.L.Strides.push_back(
          valueSymbol(Ctx, S, SymbolInfo::Stride, "?", 128 + D));
    O.L.Sizes = std::move(Tail);
    O.L.Offset = SymExpr(0);
  }
  O.Prov = provenance(Ctx, W, S, Of, true);
  if (Of)
    O.DType = Of->DType;
  result(Ctx, W, S, std::move(O));
}

void resultList(const Context &Ctx, State &W, const Stmt &S, const Object &Of,
                Outcome<Symbolic, std::vector<SymLayout>> Out) {
  site(Ctx, W, S, {&Of}, Out);
  if (!S.Result || !Out.ok())
    return setResult(W, S, Value());
  ProvRef P = provenance(Ctx, W, S, &Of, false);
  std::vector<Value> Elems;
  unsigned Part = 1;
  for (SymLayout &L : *Out) {
    Object O;
    O.HasLayout = true;
    O.L = std::move(L);
    O.Segment = Of.Segment;
    O.SegmentDense = Of.SegmentDense;
    O.rankFrom(Of);
    forgetOtherEnd(Ctx, W, S, O, Of);
    O.Storage = Of.Storage;
    O.DType = Of.DType;
    O.Prov = P;
    Elems.push_back(Value::tensor(newObject(Ctx, W, S, std::move(O), Part++)));
  }
  setResult(W, S, Value::list(std::move(Elems)));
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string argText(const Context &Ctx, ValueId V, const State &W,
                           unsigned Depth) {
  const Stmt *D = V < Ctx.Flow.DefOf.size() ? Ctx.Flow.DefOf[V] : nullptr;
  if (!D || Depth > 4)
    return "...";
  if (D->O == Op::Load && D->Var < Ctx.F.Vars.size()) {
    // As it is written there.
    const llvm::StringRef Name = nameIn(Ctx.F, D->Var, D->Context);
    return Name.empty() ? "..."
                        : Name.str(); // what a call that was followed gave
  }
  if (D->O == Op::List) {
    std::string R = "{";
    for (const Arg &A : D->Args)
      R += (R.size() > 1 ? ", " : "") + argText(Ctx, A.Value, W, Depth + 1);
    return R + "}";
  }
  if (D->O == Op::Const) {
    if (D->Const == ConstKind::Int)
      return std::to_string(D->Imm);
    if (D->Const == ConstKind::Bool)
      return D->Imm ? "true" : "false";
    if (!D->Text.empty())
      return D->Text;
    return "{}";
  }
  auto It = W.Temps.find(V);
  if (It != W.Temps.end() && It->second.K == Value::Int) {
    Symbolic Plain(W.Ar.symbols());
    return Plain.str(It->second.I);
  }
  return "...";
}

std::string callText(const Context &Ctx, const Stmt &S, const State &W) {
  std::string R = S.Text.empty() ? opName(S.O).str() : S.Text;
  const bool IsOperator = !R.empty() && !isalpha(R[0]) && R[0] != '_';
  if (R == "=")
    return "the assignment";
  const auto Count =
      llvm::count_if(S.Args, [](const Arg &A) { return !A.Implied; });
  if (IsOperator && Count == 1)
    return R + argText(Ctx, S.Args[0].Value, W, 0);
  if (IsOperator && Count >= 2) {
    const std::string Left = argText(Ctx, S.Args[0].Value, W, 0);
    const std::string Right = argText(Ctx, S.Args[1].Value, W, 0);
    return R == "[]" ? Left + "[" + Right + "]" : Left + " " + R + " " + Right;
  }
  R += "(";
  bool First = true;
  for (const Arg &A : S.Args) {
    if (&A == S.Args.begin() && S.Object.Begin && A.Name != "ctx")
      continue; // the object of a member call
    if (A.Implied)
      continue;
    std::string Written = argText(Ctx, A.Value, W, 0);
    if (Written == "{}" && isGgml(S.O))
      Written = "NULL";
    llvm::StringRef Text = Written;
    if (A.Name == "ctx")
      Text.consume_front("this->");
    R += (First ? "" : ", ") + Text.str();
    First = false;
  }
  return R + ")";
}

} // namespace tensortidy::analysis
