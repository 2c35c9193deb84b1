//===- Images.cpp - the memory of images ----------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/Images.h"
#include "Analysis/Transfer/DTypes.h"
#include "Analysis/Transfer/Devices.h"
#include "Analysis/Transfer/Evidence.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Pointers.h"
#include "Analysis/Transfer/Relevance.h"
#include "Analysis/Transfer/Results.h"
#include "Layout/Contiguity.h"
#include "Layout/Error.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

std::optional<Image> imageOf(const Value &V) {
  return V.K == Value::Image ? std::optional(*V.M) : std::nullopt;
}

/// Variable \p V holds \p M, and its fields say so. Sizes nobody knows are what
/// the fields hold.
static void setImage(const Context &Ctx, State &W, VarId V, Image M) {
  auto Field = [&](VarId Part, std::optional<SymExpr> &Size) {
    if (Size)
      return W.Vars.set(Part, Value::integer(*Size));
    if (W.Vars[Part].K != Value::Int)
      W.Vars.set(Part, Value::integer(variableSymbol(Ctx, Part)));
    Size = W.Vars[Part].I;
  };
  std::vector<VarId> Data;
  for (VarId Part = 0; Part < Ctx.F.Vars.size(); ++Part) {
    if (Ctx.F.Vars[Part].Base != V)
      continue;
    switch (Ctx.F.Vars[Part].Of) {
    case ImageField::Rows:
      Field(Part, M.Rows);
      break;
    case ImageField::Columns:
      Field(Part, M.Columns);
      break;
    case ImageField::Data:
      Data.push_back(Part);
      break;
    case ImageField::Pitch:
    case ImageField::None:
      break;
    }
  }
  const Value All = Value::image(M);
  for (VarId Part : Data)
    W.Vars.set(Part, All);
  W.Vars.set(V, All);
}

/// What \p S says of the rows of what it makes in memory of the library's.
static Image::Padding padding(State &W, const Stmt &S) {
  if (!findArg(S, "padded"))
    return Image::None;
  return exprArg(W, S, "padded") == SymExpr(1) ? Image::Some : Image::Unknown;
}

/// With memory of its own, that \p S allocates.
static Image packed(State &W, const Stmt &S, Image M) {
  M.Pitch = std::nullopt;
  M.Prov = nullptr;
  M.Padded = padding(W, S);
  return M;
}

/// Another element type and number of channels, as far as \p S is told.
static void setPixels(State &W, const Stmt &S, Image &M) {
  if (const Value Type = operand(W, S, "dtype"); Type.K == Value::Symbol)
    M.Type = Type.Text;
  if (auto Channels = exprArg(W, S, "channels"))
    M.Channels = std::move(Channels);
}

/// What an image of the pixels that \p S names holds after it was given \p M:
/// of another element type it is a copy, and of other channels it has other
/// columns as well.
static std::optional<Image> asTyped(State &W, const Stmt &S, Image M) {
  const Value Type = operand(W, S, "dtype");
  const auto Channels = exprArg(W, S, "channels");
  if (Type.K != Value::Symbol || !Channels)
    return M;
  if (M.Type != Type.Text) {
    if (M.Pitch && M.Type.empty())
      return std::nullopt;
    M = packed(W, S, M);
  }
  if (!M.Channels || !W.Ar.eq(*M.Channels, *Channels).yes())
    M.Columns = std::nullopt;
  setPixels(W, S, M);
  return M;
}

/// A new image of the sizes that \p S is given, or a copy of a handle.
static std::optional<Image> constructed(State &W, const Stmt &S) {
  if (findArg(S, "data"))
    return std::nullopt; // memory of somebody else
  Image M;
  M.Rows = exprArg(W, S, "rows");
  M.Columns = exprArg(W, S, "columns");
  setPixels(W, S, M);
  if (findArg(S, "padded")) { // nothing yet, of given sizes, or a copy
    const auto Of = imageOf(operand(W, S, "image"));
    return packed(W, S, Of ? *Of : M);
  }
  if (M.Rows && M.Columns && M.Channels && !findArg(S, "image"))
    return M;
  if (findArg(S, "image") && findArg(S, "dtype"))
    if (const auto Of = imageOf(operand(W, S, "image")))
      return asTyped(W, S, *Of);
  return S.Args.size() == 1 || (S.Args.size() == 2 && findArg(S, "image"))
             ? imageOf(value(W, S.Args[0].Value))
             : std::nullopt;
}

/// A new image that is not around memory of somebody else's, or a copy of a
/// handle.
static std::optional<Image> filled(State &W, const Stmt &S) {
  if (!findArg(S, "image") || padding(W, S) == Image::Some)
    return constructed(W, S);
  auto M = imageOf(operand(W, S, "image"));
  if (!M || !findArg(S, "padded") || findArg(S, "columns"))
    return std::nullopt;
  if (M->Padded != Image::Some)
    M->Padded = Image::Unknown;
  return M;
}

/// How many rows or columns a part has: from one to another, or the one that it
/// is told.
static std::optional<SymExpr> countOf(State &W, const Stmt &S) {
  const auto From = exprArg(W, S, "from"), To = exprArg(W, S, "to");
  if (From && To)
    return W.Ar.sub(*To, *From);
  const bool One = llvm::any_of(S.Args, [&](const Arg &A) {
    return A.Name.empty() && value(W, A.Value).K == Value::Int;
  });
  return One && !findArg(S, "from") ? std::optional(SymExpr(1)) : std::nullopt;
}

static ProvRef partOf(const Context &Ctx, const Stmt &S) {
  auto P = std::make_shared<Provenance>();
  P->Where = S.point();
  P->What = S.Text.back() == ')' ? S.Text : S.Text + "()";
  P->O = Op::Narrow;
  P->FromContiguous = true;
  if (const Arg *Of = findArg(S, "image"))
    if (const Stmt *L = Ctx.Flow.DefOf[Of->Value]; L && L->O == Op::Load)
      P->Of = {Appearance::Named, called(Ctx, L->Var), "", ""};
  return P;
}

/// The rows and columns that \p S gives of \p Whole; the rows of the result
/// are as far from each other. Whole rows may be all that there is.
static std::optional<Image> part(const Context &Ctx, State &W, const Stmt &S,
                                 const std::optional<Image> &Whole) {
  Image M = Whole ? *Whole : Image();
  if (!M.Rows)
    M.Rows = exprArg(W, S, "of_rows");
  if (!M.Columns)
    M.Columns = exprArg(W, S, "of_columns");
  const auto Count = countOf(W, S);
  if (S.is(Attribute::GivesRows)) {
    M.Rows = Count;
    return Whole && Count ? std::optional(M) : std::nullopt;
  }
  if (!M.Columns || !findArg(S, "image"))
    return std::nullopt;
  if (!Whole)
    M.Padded = padding(W, S);
  if (!M.Pitch && M.Padded != Image::Some) {
    M.Pitch = M.Columns;
    M.Prov = partOf(Ctx, S);
  }
  if (S.is(Attribute::GivesColumns)) {
    M.Columns = Count;
  } else {
    M.Rows = exprArg(W, S, "rows");
    M.Columns = exprArg(W, S, "columns");
  }
  for (std::optional<SymExpr> *N : {&M.Rows, &M.Columns, &M.Pitch})
    if (*N)
      *N = usedAsSize(W, **N);
  return M.Columns || findArg(S, "columns") ? std::optional(M) : std::nullopt;
}

/// Whether the rows of \p M follow each other: one is not apart from others.
static void askPacked(State &W, const Stmt &S, const Image &M) {
  if (!M.Pitch || !M.Columns || (M.Rows && W.Ar.known(*M.Rows) == 1))
    return;
  auto C = std::make_shared<Condition>();
  C->K = Condition::Equal;
  C->A = *M.Columns;
  C->B = *M.Pitch;
  C->Where = S.Where;
  setResult(W, S, Value::condition(std::move(C)));
}

Value imageAddress(const Context &Ctx, State &W, const Stmt &S, const Image &M,
                   VarId Var) {
  if (!M.Pitch || M.Padded || !M.Rows || !M.Columns || !M.Channels ||
      M.Type.empty())
    return Value::image(M);
  Object O;
  O.HasLayout = true;
  O.L.Sizes = {*M.Rows, *M.Columns, *M.Channels};
  O.L.Strides = {W.Ar.mul(*M.Pitch, *M.Channels), *M.Channels, SymExpr(1)};
  O.DType = M.Type;
  O.Device = "cpu";
  O.Name = Var == NoId ? "" : called(Ctx, Var);
  O.Prov = M.Prov;
  // The columns of the whole and of its part are not the same by purpose.
  noteShape(Ctx, W, O);
  Object Whole = O;
  Whole.L.Sizes[1] = *M.Pitch;
  noteShape(Ctx, W, Whole);
  return pointerTo(S, O);
}

/// The address of the first row; of another one nothing is known.
static Value addressOfRow(const Context &Ctx, State &W, const Stmt &S,
                          const Image &M) {
  const bool IsFirst = llvm::all_of(S.Args, [&](const Arg &A) {
    const Value V = value(W, A.Value);
    return V.K != Value::Int || W.Ar.known(V.I) == 0;
  });
  if (!IsFirst)
    return M.Pitch || M.Padded ? Value() : Value::image(M);
  const Stmt *L = Ctx.Flow.DefOf[findArg(S, "image")->Value];
  const Value Seen = operand(W, S, "seen");
  return Seen.K == Value::Symbol && itemSize(Seen.Text) == itemSize(M.Type)
             ? imageAddress(Ctx, W, S, M, L && L->O == Op::Load ? L->Var : NoId)
             : Value::image(M);
}

void knowsPitch(const Context &Ctx, State &W, VarId Var) {
  if (auto M = imageOf(W.Vars[Var]); M && M->Padded == Image::Some) {
    M->Padded = Image::Unknown;
    setImage(Ctx, W, Var, *M);
  }
}

/// What a function that reads image \p Of writes.
static std::optional<Image> written(const Context &Ctx, State &W, const Stmt &S,
                                    Image Of) {
  if (S.is(Attribute::ConvertsImage)) {
    const Value Type = operand(W, S, "dtype");
    if (Type.K != Value::Symbol)
      return std::nullopt;
    Of.Type = Type.Text;
    if (!Of.Channels)
      Of.Channels = Ctx.Ids.symbol(
          {SymbolKey::StoredValue, NoId, findArg(S, "into")->Value},
          SymbolInfo::Size, "channels");
    return Of;
  }
  if (S.is(Attribute::Recolors)) {
    if (!findArg(S, "channels"))
      return std::nullopt;
    Of.Channels = exprArg(W, S, "channels");
    return Of;
  }
  if (S.is(Attribute::ResizesImage)) {
    Of.Rows = exprArg(W, S, "rows");
    Of.Columns = exprArg(W, S, "columns");
    return Of;
  }
  if (S.is(Attribute::CreatesImage)) {
    Image M;
    M.Rows = exprArg(W, S, "rows");
    M.Columns = exprArg(W, S, "columns");
    setPixels(W, S, M);
    M.Padded = Of.Padded;
    return M.Rows && M.Columns && !Of.Pitch ? std::optional(M) : std::nullopt;
  }
  return S.is(Attribute::WritesAlike) ? std::optional(Of) : std::nullopt;
}

/// The image that variable \p Var held before \p S, which writes it.
static std::optional<Image> heldBefore(const Context &Ctx, const State &W,
                                       const Stmt &S, VarId Var) {
  for (const Arg &A : S.Args) {
    const Stmt *D = Ctx.Flow.DefOf[A.Value];
    const bool Is =
        D && ((D->O == Op::Load && D->Var == Var) ||
              (D->O == Op::Opaque && D->is(Attribute::PassesImage) &&
               !D->Args.empty() && D->Args[0].Var == Var));
    if (const auto M = Is ? imageOf(value(W, A.Value)) : std::nullopt)
      return M;
  }
  return std::nullopt;
}

/// Image \p Of, or what is not known of it, as \p S writes it to \p Var: memory
/// of its own, or that which was there, if the sizes and the type are the same.
static Image rewritten(const Context &Ctx, State &W, const Stmt &S,
                       const std::optional<Image> &Of, VarId Var) {
  Image M = packed(W, S, Of ? *Of : Image());
  const auto Was = heldBefore(Ctx, W, S, Var);
  if (M.Padded && !(Was && Was->Padded == Image::Some))
    M.Padded = Image::Unknown;
  if (Was && S.is(Attribute::CreatesImage)) // a part of that size stays one
    M.Pitch = Was->Pitch;
  return M;
}

/// Finds out if \p S copies the rows of a padded image as one block.
static void checkCopied(const Context &Ctx, State &W, const Stmt &S) {
  const auto Bytes = exprArg(W, S, "bytes");
  if (!Bytes)
    return;
  for (const Arg &A : S.Args) {
    if (A.Name == "bytes" || !A.Value)
      continue;
    const auto Memory = imageBehind(Ctx, W, A.Value);
    if (!Memory || !isPadded(W, Memory->Of))
      continue;
    const Image &M = Memory->Of;
    const auto Row = rowBytes(W, M);
    if (Row && M.Rows && W.Ar.eq(*Bytes, W.Ar.mul(*M.Rows, *Row)).yes())
      Ctx.Facts.Padded[&S] = {
          Memory->Name, listText(W.Ar, {*M.Rows, *M.Columns, *M.Channels}),
          W.Ar.known(*Row) ? "" : W.Ar.str(*Row)};
  }
}

Value boundImage(const State &W, const Stmt &S) {
  if (S.O != Op::Opaque || !S.is(Attribute::PassesImage) || S.Args.empty())
    return Value();
  const Arg &Of = S.Args[0];
  const Value V = Of.Var != NoId ? W.Vars[Of.Var] : value(W, Of.Value);
  return imageOf(V) ? V : Value();
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
  checkCopied(Ctx, W, S);
  const Arg *From = findArg(S, "image"), *Into = findArg(S, "into");
  auto Of = From ? imageOf(value(W, From->Value)) : std::nullopt;
  if (S.is(Attribute::GivesPart) || S.is(Attribute::GivesRows) ||
      S.is(Attribute::GivesColumns) ||
      (S.is(Attribute::MakesImage) && From && findArg(S, "columns"))) {
    const bool Told = S.is(Attribute::GivesRows) ||
                      S.is(Attribute::GivesColumns) || findArg(S, "columns");
    if (const auto M = Told ? part(Ctx, W, S, Of) : std::nullopt)
      setResult(W, S, Value::image(*M));
    if (Told || !S.is(Attribute::KeepsForm))
      return; // not one pixel
  }
  if (S.is(Attribute::MakesImage)) {
    if (const Value Data = operand(W, S, "data"); Data.K == Value::Pointer)
      checkImageAround(Ctx, W, S, *Data.P);
    if (const auto M = constructed(W, S))
      setResult(W, S, Value::image(*M));
    return;
  }
  if (S.is(Attribute::ReadsImage)) {
    Image M;
    setPixels(W, S, M);
    return setResult(W, S, Value::image(M));
  }
  if (S.is(Attribute::ReplacesAll)) {
    if (!S.Args.empty() && S.Args[0].Var != NoId)
      for (const Arg &A : S.Args)
        if (const auto Of = imageOf(value(W, A.Value)))
          if (const auto M = asTyped(W, S, *Of))
            setImage(Ctx, W, S.Args[0].Var, *M);
    return;
  }
  if (S.is(Attribute::FillsImage) && !Into) {
    if (const auto M = filled(W, S))
      setResult(W, S, Value::image(*M));
    return;
  }
  if (!From && !Into)
    return;
  const Stmt *Target = Into ? Ctx.Flow.DefOf[Into->Value] : nullptr;
  // m.convertTo(m, ...): it was bound to be written before it was read.
  if (const Stmt *Source = From ? Ctx.Flow.DefOf[From->Value] : nullptr;
      !Of && Target && Source && Source->O == Op::Load &&
      Source->Var == Target->Var)
    for (const Arg &A : S.Args)
      if (!Of)
        Of = imageOf(value(W, A.Value));
  if (Target && Target->O == Op::Load)
    if (auto M = written(Ctx, W, S, rewritten(Ctx, W, S, Of, Target->Var)))
      setImage(Ctx, W, Target->Var, *M);
  if (!Of)
    return;
  if (S.is(Attribute::KeepsForm))
    if (const Stmt *Object = Ctx.Flow.DefOf[From->Value];
        Object && Object->O == Op::Load)
      if (!Target || Target->Var != Object->Var) {
        setImage(Ctx, W, Object->Var, *Of);
        if (S.is(Attribute::AsksPacked))
          knowsPitch(Ctx, W, Object->Var);
      }
  if (S.is(Attribute::CopiesImage))
    setResult(W, S, Value::image(packed(W, S, *Of)));
  else if (S.is(Attribute::GivesImage))
    setResult(W, S, Value::image(*Of));
  else if (S.is(Attribute::GivesRow))
    setResult(W, S, addressOfRow(Ctx, W, S, *Of));
  else if (S.is(Attribute::AsksPacked))
    askPacked(W, S, *Of);
  else if (S.is(Attribute::CountsChannels) && Of->Channels)
    setResult(W, S, Value::integer(*Of->Channels));
  else if (S.is(Attribute::CountsRows) && Of->Rows)
    setResult(W, S, Value::integer(*Of->Rows));
  else if (S.is(Attribute::CountsColumns) && Of->Columns)
    setResult(W, S, Value::integer(*Of->Columns));
  else if (S.is(Attribute::CountsPixels) && Of->Rows && Of->Columns)
    setResult(W, S, Value::integer(W.Ar.mul(*Of->Rows, *Of->Columns)));
}

std::optional<SymExpr> rowBytes(const State &W, const Image &M) {
  const int64_t Item = itemSize(M.Type);
  if (!M.Columns || !M.Channels || !Item)
    return std::nullopt;
  return W.Ar.mul(W.Ar.mul(*M.Columns, *M.Channels), SymExpr(Item));
}

bool isPadded(const State &W, const Image &M) {
  constexpr int64_t Aligned = 512; // what drivers give rows, or a part of it
  auto IsOne = [&](const std::optional<SymExpr> &N) {
    return N && W.Ar.known(*N) == 1;
  };
  const auto Row = rowBytes(W, M);
  return M.Padded == Image::Some && !IsOne(M.Rows) && !IsOne(M.Columns) &&
         Row && !W.Ar.divExact(*Row, SymExpr(Aligned));
}

/// The image whose address \p D, of value \p V, is or reads.
static std::optional<ImageMemory> imageAt(const Context &Ctx, const State &W,
                                          const Stmt *D, const Value &V) {
  ImageMemory M;
  if (V.K == Value::Pointer) {
    const Object &O = V.P->Of;
    const Stmt &Taken = *V.P->Taken;
    if ((Taken.O != Op::Load && !Taken.is(Attribute::GivesRow)) ||
        !W.Ar.eq(V.I, SymExpr(0)).yes())
      return std::nullopt;
    M.Of.Rows = O.L.Sizes[0];
    M.Of.Columns = O.L.Sizes[1];
    M.Of.Channels = O.L.Sizes[2];
    M.Of.Pitch = W.Ar.divExact(O.L.Strides[0], O.L.Sizes[2]);
    M.Of.Type = O.DType;
    M.Name = O.Name;
    return M;
  }
  const auto Of = imageOf(V);
  if (!Of)
    return std::nullopt;
  M.Of = *Of;
  VarId Var = NoId;
  if (D && D->O == Op::Load)
    Var = Ctx.F.Vars[D->Var].Base != NoId ? Ctx.F.Vars[D->Var].Base : D->Var;
  if (const Arg *From = D ? findArg(*D, "image") : nullptr)
    if (const Stmt *L = Ctx.Flow.DefOf[From->Value]; L && L->O == Op::Load)
      Var = L->Var;
  M.Name = Var == NoId ? "" : called(Ctx, Var);
  return M;
}

std::optional<ImageMemory> imageBehind(const Context &Ctx, const State &W,
                                       ValueId V) {
  for (unsigned Depth = 0; V && Depth < 8; ++Depth) {
    const Stmt *D = Ctx.Flow.DefOf[V];
    if (const auto M = imageAt(Ctx, W, D, value(W, V)))
      return M;
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

std::optional<SymExpr> pitchBehind(const Context &Ctx, const State &W,
                                   ValueId V) {
  const Stmt *D = Ctx.Flow.Values.origin(V);
  for (unsigned Depth = 0; D && D->O == Op::Cast && Depth < 8; ++Depth)
    D = D->Args.size() == 1 ? Ctx.Flow.Values.origin(D->Args[0].Value)
                            : nullptr;
  if (!D || D->O != Op::Load || Ctx.F.Vars[D->Var].Of != ImageField::Data)
    return std::nullopt;
  for (VarId Part = 0; Part < Ctx.F.Vars.size(); ++Part)
    if (Ctx.F.Vars[Part].Of == ImageField::Pitch &&
        Ctx.F.Vars[Part].Base == Ctx.F.Vars[D->Var].Base &&
        W.Vars[Part].K == Value::Int)
      return W.Vars[Part].I;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// An image around a tensor's memory
//===----------------------------------------------------------------------===//

/// Whether numbers of \p As may be a way to look at those of \p Type.
static bool mayBeSeenAs(llvm::StringRef Type, llvm::StringRef As) {
  auto IsHalf = [](llvm::StringRef T) {
    return T == "float16" || T == "bfloat16";
  };
  const int64_t Item = itemSize(Type);
  return Type == As || !Item || !itemSize(As) ||
         (Item == itemSize(As) && (Item == 1 || IsHalf(Type) || IsHalf(As)));
}

void checkImageAround(const Context &Ctx, State &W, const Stmt &S,
                      const Pointee &P) {
  const Object &O = P.Of;
  readsOnHost(Ctx, W, S, O); // whatever is done with the image
  Image M;
  M.Rows = exprArg(W, S, "rows");
  M.Columns = exprArg(W, S, "columns");
  setPixels(W, S, M);
  if (!M.Rows || !M.Columns || !M.Channels || !O.HasLayout || O.Segment >= 0 ||
      hasNoElements(Ctx, W, S))
    return;
  const SymExpr Rows = *M.Rows, Columns = *M.Columns, Channels = *M.Channels;
  const SymExpr All = W.Ar.mul(W.Ar.mul(Rows, Columns), Channels);
  // Bytes may be meant, if there are as many.
  if (!mayBeSeenAs(O.DType, M.Type) &&
      W.Ar.eq(All, numel(W.Ar, O.L.Sizes)).yes()) {
    if (PointerUse *U = wrongUse(Ctx, W, S, *P.Taken, O, PointerUse::Type)) {
      U->Given = M.Type;
      U->Real = O.DType;
    }
    return;
  }
  SymDims Planes{Channels, Rows, Columns}, Sizes;
  for (const SymExpr &N : O.L.Sizes)
    if (!Sizes.empty() || W.Ar.known(N) != 1)
      Sizes.push_back(N);
  const auto Many = W.Ar.known(Channels);
  auto Are = [&](const SymDims &Dims) {
    return Sizes.size() == Dims.size() &&
           std::equal(Sizes.begin(), Sizes.end(), Dims.begin(),
                      [&](const SymExpr &A, const SymExpr &B) {
                        return W.Ar.eq(A, B).yes();
                      });
  };
  if (!Many || *Many < 2 || !Are(Planes) || Are({Rows, Columns, Channels}) ||
      !isContiguous(W.Ar, O.L).yes())
    return;
  if (PointerUse *U = wrongUse(Ctx, W, S, *P.Taken, O, PointerUse::Pixels)) {
    U->Sizes = listText(W.Ar, O.L.Sizes);
    U->Given = listText(W.Ar, {Rows, Columns, Channels});
  }
}

} // namespace tensortidy::analysis
