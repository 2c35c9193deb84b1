//===- Images.cpp - the memory of cv::Mat ---------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Images.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Results.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

constexpr const char *Mark = "%image";

static Value valueOf(const Image &M) {
  auto Number = [](const std::optional<SymExpr> &N) {
    return N ? Value::integer(*N) : Value();
  };
  auto Text = [](std::string T) {
    Value V;
    V.K = Value::Symbol;
    V.Text = std::move(T);
    return V;
  };
  return Value::list({Number(M.Rows), Number(M.Columns), Number(M.Channels),
                      Text(M.Type), Text(Mark)});
}

std::optional<Image> imageOf(const Value &V) {
  if (V.K != Value::List || V.Elems->size() != 5)
    return std::nullopt;
  const std::vector<Value> &E = *V.Elems;
  if (E[4].K != Value::Symbol || E[4].Text != Mark)
    return std::nullopt;
  auto Number = [](const Value &N) {
    return N.K == Value::Int ? std::optional(N.I) : std::nullopt;
  };
  Image M;
  M.Rows = Number(E[0]);
  M.Columns = Number(E[1]);
  M.Channels = Number(E[2]);
  M.Type = E[3].K == Value::Symbol ? E[3].Text : "";
  return M;
}

/// What CV_8UC3 and the like say: channels - 1, and three bits of the depth.
static void setType(Image &M, int64_t Code, bool WithChannels) {
  static const char *const Depths[] = {"uint8",   "int8",   "uint16",
                                       "int16",   "int32",  "float32",
                                       "float64", "float16"};
  if (Code < 0)
    return;
  M.Type = Depths[Code & 7];
  if (WithChannels)
    M.Channels = SymExpr((Code >> 3 & 511) + 1);
}

/// The channels that cv::cvtColor() gives for \p Code; 0: not known.
static int64_t channelsOf(int64_t Code) {
  switch (Code) {
  case 0: // BGR2BGRA
  case 2: // BGR2RGBA
  case 5: // BGRA2RGBA
  case 9: // GRAY2BGRA
    return 4;
  case 6: // BGR2GRAY
  case 7:
  case 10: // BGRA2GRAY
  case 11:
    return 1;
  case 1: // BGRA2BGR
  case 3:
  case 4: // BGR2RGB
  case 8: // GRAY2BGR
    return 3;
  default: // XYZ, YCrCb, HSV, Lab, Luv, HLS and back
    return Code >= 32 && Code <= 71 && !(Code >= 46 && Code <= 49) ? 3 : 0;
  }
}

/// Variable \p V holds \p M, and its fields say so. Sizes nobody knows are what
/// the fields hold.
static void setImage(const Context &Ctx, State &W, VarId V, Image M) {
  auto Field = [&](VarId Part, std::optional<SymExpr> &Size) {
    if (Size)
      return W.Vars.set(Part, Value::integer(*Size));
    if (W.Vars[Part].K != Value::Int)
      W.Vars.set(Part, Value::integer(Ctx.Ids.symbol(
                           {SymbolKey::Variable, NoId, Part},
                           SymbolInfo::Integer, called(Ctx, Part))));
    Size = W.Vars[Part].I;
  };
  std::vector<VarId> Data;
  for (VarId Part = 0; Part < Ctx.F.Vars.size(); ++Part) {
    const Variable &Var = Ctx.F.Vars[Part];
    const llvm::StringRef Name = Var.Name;
    if (Var.Base != V)
      continue;
    if (Var.Type == VarType::Int && Name.ends_with(".rows"))
      Field(Part, M.Rows);
    else if (Var.Type == VarType::Int && Name.ends_with(".cols"))
      Field(Part, M.Columns);
    else if (Name.ends_with(".data"))
      Data.push_back(Part);
  }
  const Value All = valueOf(M);
  for (VarId Part : Data)
    W.Vars.set(Part, All);
  W.Vars.set(V, All);
}

static std::vector<Value> unnamed(const State &W, const Stmt &S) {
  std::vector<Value> All;
  for (const Arg &A : S.Args)
    if (A.Name.empty() && A.Value)
      All.push_back(value(W, A.Value));
  return All;
}

/// cv::Mat(rows, columns, type), with a color after it; (size, type), which
/// gives its rows and columns last.
static std::optional<Image> constructed(const Context &Ctx, const State &W,
                                        const Stmt &S) {
  std::vector<Value> Given = unnamed(W, S);
  if (Given.size() == 1)
    return imageOf(Given[0]);
  auto IsColor = [&](size_t I) {
    for (const Arg &A : S.Args)
      if (A.Name.empty() && A.Value && I-- == 0) {
        const Stmt *D = Ctx.Flow.DefOf[A.Value];
        return D && D->is(Attribute::MakesColor);
      }
    return false;
  };
  auto Are = [&](std::initializer_list<size_t> All) {
    return llvm::all_of(All, [&](size_t I) {
      return I < Given.size() && Given[I].K == Value::Int;
    });
  };
  size_t Rows = 0, Type = 2, Fixed = 3;
  if (!Given.empty() && Given[0].K != Value::Int && Given.size() >= 4) {
    Rows = Given.size() - 2;
    Type = 1;
    Fixed = 4;
    if (Given.size() == 5 && !IsColor(2))
      return std::nullopt;
  } else if (Given.size() == 4 && !IsColor(3)) {
    return std::nullopt; // memory of somebody else
  }
  if (Given.size() > Fixed + 1 || !Are({Rows, Rows + 1, Type}))
    return std::nullopt;
  const auto Code = W.Ar.known(Given[Type].I);
  if (!Code)
    return std::nullopt;
  Image M;
  M.Rows = Given[Rows].I;
  M.Columns = Given[Rows + 1].I;
  setType(M, *Code, true);
  return M;
}

/// cv::imread(name, flags), cv::imdecode(bytes, flags).
static Image readIn(const State &W, const Stmt &S) {
  Image M;
  const std::vector<Value> Given = unnamed(W, S);
  std::optional<int64_t> Flags = 1;
  if (Given.size() > 1)
    Flags = Given[1].K == Value::Int ? W.Ar.known(Given[1].I) : std::nullopt;
  if (Flags == 1 || Flags == 0) {
    M.Type = "uint8";
    M.Channels = SymExpr(*Flags ? 3 : 1);
  }
  return M;
}

/// What a function that reads image \p Of writes.
static std::optional<Image> written(const Context &Ctx, State &W, const Stmt &S,
                                    Image Of) {
  std::optional<int64_t> Code; // the last integer that is known
  for (const Value &V : unnamed(W, S))
    if (V.K == Value::Int && !Code)
      Code = W.Ar.known(V.I);
  if (S.is(Attribute::ConvertsMatrix)) {
    if (!Code)
      return std::nullopt;
    setType(Of, *Code, false);
    if (!Of.Channels)
      Of.Channels = Ctx.Ids.symbol(
          {SymbolKey::StoredValue, NoId, findArg(S, "into")->Value},
          SymbolInfo::Size, "channels");
    return Of;
  }
  if (S.is(Attribute::Recolors)) {
    if (!Code || !channelsOf(*Code))
      return std::nullopt;
    Of.Channels = SymExpr(channelsOf(*Code));
    return Of;
  }
  if (S.is(Attribute::Resizes)) {
    Of.Rows = exprArg(W, S, "rows");
    Of.Columns = exprArg(W, S, "columns");
    return Of;
  }
  return S.is(Attribute::WritesAlike) ? std::optional(Of) : std::nullopt;
}

Value boundImage(const State &W, const Stmt &S) {
  if (S.O == Op::Opaque && S.is(Attribute::PassesMatrix) && !S.Args.empty() &&
      S.Args[0].Var != NoId)
    if (const Value &V = W.Vars[S.Args[0].Var]; imageOf(V))
      return V;
  return Value();
}

void changeImages(const Context &Ctx, State &W, const Stmt &S,
                  const Value &Bound) {
  if (imageOf(Bound))
    return setResult(W, S, Bound);
  if (S.O == Op::MayChange) { // the fields of what was just stored
    for (const Arg &A : S.Args)
      if (A.Var != NoId && Ctx.F.Vars[A.Var].Base != NoId &&
          Ctx.F.Vars[A.Var].Base != ThisBase)
        if (const auto M = imageOf(W.Vars[Ctx.F.Vars[A.Var].Base]))
          setImage(Ctx, W, Ctx.F.Vars[A.Var].Base, *M);
    return;
  }
  if (S.O != Op::Opaque)
    return;
  if (S.is(Attribute::MakesMatrix)) {
    if (const auto M = constructed(Ctx, W, S))
      setResult(W, S, valueOf(*M));
    return;
  }
  if (S.is(Attribute::ReadsMatrix))
    return setResult(W, S, valueOf(readIn(W, S)));
  if (S.is(Attribute::ReplacesAll)) {
    const std::vector<Value> Given = unnamed(W, S);
    if (!S.Args.empty() && S.Args[0].Var != NoId && !Given.empty())
      if (const auto M = imageOf(Given.back()))
        setImage(Ctx, W, S.Args[0].Var, *M);
    return;
  }
  const Arg *From = findArg(S, "image"), *Into = findArg(S, "into");
  if (!From && !Into) {
    if (S.is(Attribute::FillsMatrix))
      if (const auto M = constructed(Ctx, W, S))
        setResult(W, S, valueOf(*M));
    return;
  }
  auto Of = From ? imageOf(value(W, From->Value)) : std::nullopt;
  const Stmt *Target = Into ? Ctx.Flow.DefOf[Into->Value] : nullptr;
  // m.convertTo(m, ...): it was bound to be written before it was read.
  if (const Stmt *Source = From ? Ctx.Flow.DefOf[From->Value] : nullptr;
      !Of && Target && Source && Source->O == Op::Load &&
      Source->Var == Target->Var)
    for (const Value &V : unnamed(W, S))
      if (!Of)
        Of = imageOf(V);
  if (Target && Target->O == Op::Load)
    if (auto M = written(Ctx, W, S, Of ? *Of : Image()))
      setImage(Ctx, W, Target->Var, *M);
  if (!Of)
    return;
  if (S.is(Attribute::KeepsForm))
    if (const Stmt *Object = Ctx.Flow.DefOf[From->Value];
        Object && Object->O == Op::Load)
      if (!Target || Target->Var != Object->Var)
        setImage(Ctx, W, Object->Var, *Of);
  if (S.is(Attribute::CopiesMatrix) || S.is(Attribute::GivesRow))
    setResult(W, S, valueOf(*Of));
  else if (S.is(Attribute::CountsChannels) && Of->Channels)
    setResult(W, S, Value::integer(*Of->Channels));
  else if (S.is(Attribute::CountsPixels) && Of->Rows && Of->Columns)
    setResult(W, S, Value::integer(W.Ar.mul(*Of->Rows, *Of->Columns)));
}

std::optional<Image> imageBehind(const Context &Ctx, const State &W,
                                 ValueId V) {
  for (unsigned Depth = 0; V && Depth < 8; ++Depth) {
    const Stmt *D = Ctx.Flow.DefOf[V];
    if (auto M = imageOf(value(W, V))) {
      if (D && D->O == Op::Load)
        M->Var =
            Ctx.F.Vars[D->Var].Base != NoId ? Ctx.F.Vars[D->Var].Base : D->Var;
      if (const Arg *Of = D ? findArg(*D, "image") : nullptr)
        if (const Stmt *L = Ctx.Flow.DefOf[Of->Value]; L && L->O == Op::Load)
          M->Var = L->Var;
      return M;
    }
    if (!D)
      return std::nullopt;
    if (D->O == Op::Cast && D->Args.size() == 1)
      V = D->Args[0].Value;
    else if (D->O == Op::Load)
      V = Ctx.Flow.Values.onlyValue(D->Var);
    else
      return std::nullopt;
  }
  return std::nullopt;
}

} // namespace tensortidy::analysis
