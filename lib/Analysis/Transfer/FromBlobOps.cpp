//===- FromBlobOps.cpp - from_blob(): memory, sizes, types ----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/FromBlobOps.h"
#include "Analysis/Transfer/Accesses.h"
#include "Analysis/Transfer/BlobMemory.h"
#include "Analysis/Transfer/DTypes.h"
#include "Analysis/Transfer/Devices.h"
#include "Analysis/Transfer/Images.h"
#include "Analysis/Transfer/Operands.h"
#include "Analysis/Transfer/Promotion.h"
#include "Analysis/Transfer/Relevance.h"
#include "Layout/Contiguity.h"
#include "Layout/Error.h"

using namespace tensortidy::layout;

namespace tensortidy::analysis {

using namespace program;

static bool isByte(llvm::StringRef DType) {
  return DType == "uint8" || DType == "int8" || DType == "bool";
}

/// Whether \p Sizes, but for leading ones, are \p Dims.
static bool areSizes(const State &W, const SymDims &Sizes,
                     std::initializer_list<SymExpr> Dims) {
  size_t First = 0;
  while (First < Sizes.size() && Sizes.size() - First > Dims.size() &&
         W.Ar.known(Sizes[First]) == 1)
    ++First;
  return Sizes.size() - First == Dims.size() &&
         std::equal(Dims.begin(), Dims.end(), Sizes.begin() + First,
                    [&](const SymExpr &A, const SymExpr &B) {
                      return W.Ar.eq(A, B).yes();
                    });
}

/// Whether \p Sizes, but for leading ones, are rows and columns of pixels of
/// any kind.
static bool arePixels(const State &W, const SymDims &Sizes, const Image &M) {
  SymDims Planes = Sizes;
  if (Planes.size() > 2)
    Planes.pop_back();
  return areSizes(W, Sizes, {*M.Rows, *M.Columns}) ||
         areSizes(W, Planes, {*M.Rows, *M.Columns});
}

/// Whether \p M is a part of a larger image, so that \p Sizes without strides
/// are not its rows; finds out if they are taken for these.
static bool isApart(const State &W, BlobSite &Site, const Image &M,
                    const SymDims &Sizes) {
  if (!M.Pitch || !M.Columns || !M.Rows || W.Ar.known(*M.Rows) == 1)
    return M.Pitch && !(M.Rows && W.Ar.known(*M.Rows) == 1);
  const auto Packed = W.Ar.eq(*M.Columns, *M.Pitch);
  if (Packed.yes())
    return false;
  if (arePixels(W, Sizes, M)) {
    Site.K = BlobSite::RowsApart;
    Site.Have = W.Ar.str(*M.Columns);
    Site.Wants = W.Ar.str(*M.Pitch);
    if (!Packed.no())
      Site.Shape = Site.Wants;
  }
  return true;
}

/// Whether all pixels of the padded image \p M are taken with strides of packed
/// rows; records it.
static bool ignoresPadding(const State &W, BlobSite &Site, const Image &M,
                           const SymLayout &L) {
  const auto Row = rowBytes(W, M);
  if (!M.Rows || !Row || !isPadded(W, M) || !arePixels(W, L.Sizes, M) ||
      !isContiguous(W.Ar, L).yes())
    return false;
  Site.K = BlobSite::RowsPadded;
  Site.Shape = W.Ar.known(*Row) ? "" : W.Ar.str(*Row);
  return true;
}

/// What is wrong with \p L and \p DType for the memory of image \p M.
static void checkImage(const State &W, BlobSite &Site,
                       const ImageMemory &Memory, const std::string &DType,
                       const SymLayout &L, bool Strided) {
  const Image &M = Memory.Of;
  Site.Of = Memory.Name;
  if (Strided ? M.Pitch.has_value() : isApart(W, Site, M, L.Sizes))
    return;
  if (Strided && M.Padded) {
    ignoresPadding(W, Site, M, L);
    return;
  }
  const SymExpr Needs = storageSpan(W.Ar, L);
  const int64_t Item = itemSize(DType), Own = itemSize(M.Type);
  std::optional<SymExpr> Has;
  if (M.Rows && M.Columns && M.Channels)
    Has = W.Ar.mul(W.Ar.mul(*M.Rows, *M.Columns), *M.Channels);
  // Bytes may be seen as what they are not, if there are as many.
  const bool Differs =
      Item && Own && DType != M.Type && !(isByte(DType) && isByte(M.Type));
  if (Differs && Has) {
    const auto Whole = isByte(DType)
                           ? W.Ar.eq(Needs, W.Ar.mul(*Has, SymExpr(Own)))
                           : W.Ar.eq(Needs, *Has);
    if (isByte(DType) ? Whole.no() : !isByte(M.Type) || Whole.yes()) {
      Site.K = BlobSite::ImageOtherDType;
      Site.Wants = DType;
      Site.Have = M.Type;
      return;
    }
  }
  if (!Has)
    return;
  Site.Shape = listText(W.Ar, {*M.Rows, *M.Columns, *M.Channels});
  Symbolic Ar = W.Ar;
  for (const SymExpr &N : L.Sizes)
    Ar.assumeSize(Ar.norm(N));
  for (const SymExpr &N : {*M.Rows, *M.Columns})
    Ar.assumeSize(Ar.norm(N));
  if (Item && Own && !M.Padded) {
    const auto Fits =
        Ar.le(Ar.mul(Needs, SymExpr(Item)), Ar.mul(*Has, SymExpr(Own)));
    if (Fits.no() && Fits.UnlessOne.empty()) {
      Site.K = BlobSite::ImageTooSmall;
      Site.Wants = W.Ar.str(Needs);
      Site.Type = DType;
      Site.Have = M.Type;
      return;
    }
  }
  if (Strided)
    return;
  const SymExpr R = *M.Rows, C = *M.Columns, K = *M.Channels;
  const auto Many = W.Ar.known(K);
  const bool Apart = !W.Ar.eq(R, C).yes();
  auto Are = [&](std::initializer_list<SymExpr> Dims) {
    return areSizes(W, L.Sizes, Dims);
  };
  Site.HasPixels = Many && *Many > 1;
  if (Site.HasPixels && !Are({R, C, K})) {
    if (Are({K, R, C}) || Are({K, C, R}))
      Site.K = BlobSite::ChannelsAsPlanes;
    else if (Apart && Are({C, R, K}))
      Site.K = BlobSite::ColumnsAsRows;
  }
  if (Many == 1 && Apart && !Are({R, C}) && (Are({C, R}) || Are({C, R, K})))
    Site.K = BlobSite::ColumnsAsRows;
  if (Site.K == BlobSite::Right)
    ignoresPadding(W, Site, M, L);
}

/// The device that \p S is told, if its memory is the host's; or empty.
static std::string wrongDevice(const Context &Ctx, State &W, const Stmt &S) {
  const Arg *Data = findArg(S, "data");
  const Stmt *Made = Data ? Ctx.Flow.Values.origin(Data->Value) : nullptr;
  if (!Made || !Made->is(Attribute::OwnsHostMemory))
    return "";
  const Value Told = toldDevice(Ctx, W, S);
  return Told.K == Value::Symbol && Told.Text != "cpu" &&
                 !deviceName(Told.Text).Name.empty() && !hasNoDevice(Ctx, W, S)
             ? Told.Text
             : "";
}

void checkBlob(const Context &Ctx, State &W, const Stmt &S,
               const std::optional<SymDims> &Sizes) {
  BlobSite &Site = Ctx.Facts.Blobs[&S];
  if (Site.K != BlobSite::Right)
    return;
  auto Wrong = [&](BlobSite::Kind K, std::string Wants, std::string Have) {
    Site.K = K;
    Site.Wants = std::move(Wants);
    Site.Have = std::move(Have);
  };
  // What is told no device takes memory for the CPU's.
  if (const Value Data = operand(W, S, "data"); Data.K == Value::Pointer)
    if (const std::string &On = Data.P->Of.Device;
        isKnownDevice(On) && On != "cpu")
      if (const Value Told = toldDevice(Ctx, W, S);
          Told.K == Value::None || Told.Text == "cpu")
        return Wrong(BlobSite::OtherDevice, "", On);
  if (const std::string On = wrongDevice(Ctx, W, S); !On.empty()) {
    const DeviceSite::DeviceName Named = deviceName(On);
    Site.Of = Named.IsVariable ? Named.Name : "";
    return Wrong(BlobSite::HostMemory, Named.Name, "");
  }
  std::string Element = operand(W, S, "element").Text;
  Object Told;
  setDType(Ctx, W, S, Told);
  if (llvm::StringRef(Element).starts_with("of ")) {
    const llvm::StringRef Class = llvm::StringRef(Element).drop_front(3);
    if (Class != "pointer" || Told.DType != "int64")
      Wrong(BlobSite::ElementsApart, Told.DType, Class.str());
    return;
  }
  // Half-precision numbers travel as 16-bit integers.
  const bool Half = Element == "int16" &&
                    (Told.DType == "float16" || Told.DType == "bfloat16");
  // Whatever it is, it can be seen as bytes.
  const bool AsBytes = Told.DType == "uint8" || Told.DType == "int8";
  // The same bits, with a sign or without one.
  auto Signed = [](llvm::StringRef Type) {
    return Type.starts_with("uint") && Type != "uint8" ? Type.drop_front()
                                                       : Type;
  };
  Site.IsDefault = !findArg(S, "options") && !findArg(S, "dtype");
  if (!Element.empty() && !Told.DType.empty() &&
      Signed(Element) != Signed(Told.DType) && !Half && !AsBytes &&
      Element != "byte")
    return Wrong(BlobSite::OtherDType, Told.DType, Element);
  if (!Sizes)
    return;
  std::optional<SymDims> Strides;
  if (findArg(S, "strides")) {
    Strides = sizesArg(Ctx, W, S, "strides");
    if (!Strides)
      return;
    if (Strides->size() != Sizes->size())
      return Wrong(BlobSite::StrideCount, std::to_string(Sizes->size()),
                   std::to_string(Strides->size()));
    for (const SymExpr &St : *Strides)
      if (W.Ar.lt(St, SymExpr(0)) == Truth::Yes)
        return Wrong(BlobSite::NegativeStride, "", W.Ar.str(St));
    const auto Step = findArg(S, "data")
                          ? pitchBehind(Ctx, W, findArg(S, "data")->Value)
                          : std::nullopt;
    if (Step && itemSize(Told.DType) > 1 &&
        llvm::any_of(*Strides, [&](const SymExpr &St) { return St == *Step; }))
      return Wrong(BlobSite::StepInBytes, Told.DType, W.Ar.str(*Step));
  }
  SymLayout L;
  L.Sizes = *Sizes;
  L.Strides = Strides ? *Strides : denseStrides(W.Ar, L.Sizes);
  if (const Arg *Data = findArg(S, "data"))
    if (const auto M = imageBehind(Ctx, W, Data->Value)) {
      if (!hasNoElements(Ctx, W, S))
        checkImage(W, Site, *M, Told.DType, L, Strides.has_value());
      return;
    }
  const auto Memory = blobMemory(Ctx, W, S);
  const int64_t Item = itemSize(Told.DType);
  if (!Memory || !Item)
    return;
  // With any elements to read at all, it reads too many. Sizes are 1 or more
  // then, and what the memory was counted with is not negative.
  Symbolic Ar = W.Ar;
  for (const SymExpr &N : L.Sizes) {
    if (Ar.known(N) && *Ar.known(N) <= 0)
      return;
    Ar.assumeSize(Ar.norm(N));
  }
  const SymExpr Needs = storageSpan(Ar, L), Has = Ar.norm(Memory->Bytes);
  std::set<SymbolId> Counted;
  std::vector<SymExpr> Parts{Has};
  for (size_t I = 0; I < Parts.size() && I < 16; ++I) {
    const SymExpr Part = Parts[I];
    for (const auto &T : Part.terms())
      for (unsigned F = 0; F < T.M.Count; ++F) {
        Counted.insert(T.M.S[F]);
        if (Ctx.Table[T.M.S[F]].K == SymbolInfo::Sum)
          Parts.push_back(Ctx.Table[T.M.S[F]].A);
      }
  }
  const auto Fits = Ar.le(Ar.mul(Needs, SymExpr(Item)), Has, Counted);
  if (!Fits.no() || !Fits.UnlessOne.empty() ||
      isSilenced(Ctx, S, Silence::NoElements, W.Degenerate) ||
      isSilenced(Ctx, S, Silence::Divides, hasQuotient(Ctx, W, {Needs, Has})) ||
      isSilenced(Ctx, S, Silence::PathDependent,
                 isPathDependent(W, {Needs, Has})))
    return;
  if (Memory->Made)
    Site.Made = Memory->Made->point();
  if (const auto Elements = Ar.divExact(Has, SymExpr(Item)))
    return Wrong(BlobSite::TooSmall, W.Ar.str(Needs), W.Ar.str(*Elements));
  Site.Type = Told.DType;
  Wrong(BlobSite::TooFewBytes, W.Ar.str(Needs), W.Ar.str(Has));
}

} // namespace tensortidy::analysis
