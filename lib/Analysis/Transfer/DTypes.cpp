//===- DTypes.cpp - the element types that operations give ----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Transfer/DTypes.h"
#include "Layout/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace tensortidy::analysis {

int64_t itemSize(llvm::StringRef DType) {
  if (DType == "float32" || DType == "int32" || DType == "uint32")
    return 4;
  if (DType == "float64" || DType == "int64" || DType == "complex64" ||
      DType == "uint64")
    return 8;
  if (DType == "float16" || DType == "bfloat16" || DType == "int16" ||
      DType == "uint16")
    return 2;
  return DType == "uint8" || DType == "int8" || DType == "bool" ? 1 : 0;
}

BlockSize blockSize(llvm::StringRef DType) {
  return llvm::StringSwitch<BlockSize>(DType)
      .Case("q4_0", {32, 18})
      .Case("iq4_nl", {32, 18})
      .Case("q4_1", {32, 20})
      .Case("q5_0", {32, 22})
      .Case("q5_1", {32, 24})
      .Case("q8_0", {32, 34})
      .Case("q8_1", {32, 36})
      .Case("mxfp4", {32, 17})
      .Case("q2_k", {256, 84})
      .Case("q3_k", {256, 110})
      .Case("iq3_s", {256, 110})
      .Case("q4_k", {256, 144})
      .Case("q5_k", {256, 176})
      .Case("q6_k", {256, 210})
      .Case("q8_k", {256, 292})
      .Case("iq4_xs", {256, 136})
      .Case("iq2_xxs", {256, 66})
      .Case("tq2_0", {256, 66})
      .Case("iq2_xs", {256, 74})
      .Case("iq2_s", {256, 82})
      .Case("iq3_xxs", {256, 98})
      .Case("iq1_s", {256, 50})
      .Case("iq1_m", {256, 56})
      .Case("tq1_0", {256, 54})
      .Default({1, itemSize(DType)});
}

using namespace program;

namespace {

using layout::CommonType;
using layout::DType;
using layout::TypeKind;
using layout::TypeRank;

struct NamedType {
  llvm::StringLiteral Name;
  DType T;
};
constexpr NamedType Names[] = {
    {"bool", DType::Bool},       {"uint8", DType::UInt8},
    {"int8", DType::Int8},       {"int16", DType::Int16},
    {"int32", DType::Int32},     {"int64", DType::Int64},
    {"float16", DType::Float16}, {"bfloat16", DType::BFloat16},
    {"float32", DType::Float32}, {"float64", DType::Float64},
};

/// Undefined for others (complex, quantized), and for an empty name.
DType typeOf(llvm::StringRef Name) {
  const auto *It =
      llvm::find_if(Names, [&](const NamedType &N) { return N.Name == Name; });
  return It == std::end(Names) ? DType::Undefined : It->T;
}

std::string nameOf(DType T) {
  return llvm::find_if(Names, [&](const NamedType &N) { return N.T == T; })
      ->Name.str();
}

/// The dtype libtorch's functions give of integers, unless the program has
/// chosen another default.
constexpr DType DefaultFloat = DType::Float32;

/// What arithmetic on \p Of is computed in, whatever is not known of them;
/// Undefined where that matters.
DType common(llvm::ArrayRef<DTypeOperand> Of, CommonType Sum = {}) {
  if (Of.empty())
    return Sum.type();
  if (Of.size() > 8) // each may be two
    return DType::Undefined;
  const DTypeOperand &O = Of.front();
  llvm::SmallVector<std::pair<DType, TypeRank>, 2> May;
  const DType T = typeOf(O.DType);
  if (O.IsNumber && O.DType.empty())
    May = {{DType::Int64, TypeRank::Number}, {DefaultFloat, TypeRank::Number}};
  else if (O.IsNumber)
    May = {{O.DType == "int" ? DType::Int64 : DefaultFloat, TypeRank::Number}};
  else if (T == DType::Undefined)
    return DType::Undefined;
  else if (O.HasDims)
    May = {{T, *O.HasDims ? TypeRank::Dimensions : TypeRank::NoDimensions}};
  else
    May = {{T, TypeRank::Dimensions}, {T, TypeRank::NoDimensions}};
  DType Result = DType::Undefined;
  for (const auto &[Type, Rank] : May) {
    CommonType With = Sum;
    With.add(Type, Rank);
    const DType Is = common(Of.drop_front(), With);
    if (Is == DType::Undefined || (&Type != &May[0].first && Is != Result))
      return DType::Undefined;
    Result = Is;
  }
  return Result;
}

} // namespace

std::string resultDType(Op O, std::optional<Attribute> Rule,
                        llvm::ArrayRef<DTypeOperand> Of) {
  if (Rule == Attribute::TypeFloat64)
    return nameOf(DType::Float64);
  const DType Common = common(Of);
  if (Common == DType::Undefined)
    return "";
  if (Rule == Attribute::TypeTruth) // of uint8, what bool once was
    return nameOf(Common == DType::UInt8 ? DType::UInt8 : DType::Bool);
  const bool Floating = Rule == Attribute::TypeFloating,
             Keeping = Rule == Attribute::TypeCommon;
  if (O == Op::Update && !Floating && !Keeping)
    return "";
  if (kindOf(Common) == TypeKind::Floating)
    return nameOf(Common);
  if (Floating && (O != Op::Binary || Of.size() == 2))
    return nameOf(DefaultFloat);
  if (Rule == Attribute::TypeTotal)
    return nameOf(DType::Int64);
  const bool Keeps = Keeping && (kindOf(Common) == TypeKind::Integral ||
                                 (O != Op::Unary && O != Op::Update));
  return Keeps ? nameOf(Common) : "";
}

bool canStore(llvm::StringRef From, llvm::StringRef To) {
  const DType F = typeOf(From), T = typeOf(To);
  return F == DType::Undefined || T == DType::Undefined ||
         layout::canCast(F, T);
}

std::optional<double> greatest(llvm::StringRef DType) {
  return DType == "float16" ? std::optional<double>(65504) : std::nullopt;
}

bool isDType(llvm::StringRef DType, llvm::StringRef Wanted) {
  if (Wanted != "floating" && Wanted != "integral" && Wanted != "number")
    return DType == Wanted;
  const layout::DType T = typeOf(DType);
  if (T == layout::DType::Undefined)
    return true; // complex and others: nobody knows
  const TypeKind K = kindOf(T);
  return Wanted == "floating"   ? K == TypeKind::Floating
         : Wanted == "integral" ? K != TypeKind::Floating
                                : K != TypeKind::Bool;
}

llvm::StringRef storedAs(llvm::StringRef DType) {
  return llvm::StringSwitch<llvm::StringRef>(DType)
      .Case("qint8", "int8")
      .Case("quint8", "uint8")
      .Case("quint4x2", "uint8")
      .Case("quint2x4", "uint8")
      .Case("qint32", "int32")
      .Default(DType);
}

} // namespace tensortidy::analysis
