//===- DTypes.cpp - the element types that operations give ----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/DTypes.h"
#include "llvm/ADT/StringSet.h"

namespace tensortidy::analysis {

using namespace program;

namespace {

/// The lesser kind gives way to the greater one, whatever the ranks.
enum Category { Unknown, Bool, Integral, Floating };

Category categoryOf(llvm::StringRef DType) {
  if (DType == "bool")
    return Bool;
  if (DType.starts_with("float") || DType == "bfloat16")
    return Floating;
  return DType.starts_with("int") || DType == "uint8" ? Integral : Unknown;
}

/// The dtype libtorch's functions give of integers, unless the program has
/// chosen another default.
constexpr const char *DefaultFloat = "float32";

/// What elements of both types are computed in.
std::string promoted(llvm::StringRef A, llvm::StringRef B) {
  if (A == B)
    return A.str();
  static const llvm::StringRef Order[] = {"bool",    "int8",   "int16",
                                          "int32",   "int64",  "float16",
                                          "float32", "float64"};
  const auto *X = llvm::find(Order, A), *Y = llvm::find(Order, B);
  return X == std::end(Order) || Y == std::end(Order) ? std::string()
                                                      : std::max(X, Y)->str();
}

/// Arithmetic on tensors and numbers: of the greatest kind among them, tensors
/// with dimensions before those without, and numbers last.
std::string common(llvm::ArrayRef<DTypeOperand> Of) {
  std::string Result;
  Category Is = Unknown;
  std::optional<bool> HasDims;
  for (const DTypeOperand &O : Of) {
    if (O.IsNumber)
      continue;
    const Category C = categoryOf(O.DType);
    if (C == Unknown)
      return "";
    if (C > Is) {
      Result = O.DType;
      Is = C;
      HasDims = O.HasDims;
    } else if (C == Is && O.DType != Result) {
      if (!HasDims || !O.HasDims)
        return "";
      if (*HasDims == *O.HasDims)
        Result = promoted(Result, O.DType);
      else if (*O.HasDims)
        Result = O.DType;
      HasDims = *HasDims || *O.HasDims;
      if (Result.empty())
        return "";
    }
  }
  for (const DTypeOperand &O : Of)
    if (O.IsNumber && Is != Floating) {
      if (O.DType.empty() || Is == Unknown)
        return ""; // of what kind it is decides
      if (Is == Bool)
        Result = "int64";
    }
  return Result;
}

} // namespace

std::string resultDType(Op O, llvm::StringRef Name,
                        llvm::ArrayRef<DTypeOperand> Of) {
  std::string Common = common(Of);
  const Category C = categoryOf(Common);
  if (C == Unknown || C == Floating)
    return Common;
  static const llvm::StringSet<> Keeps{
      "+",          "-",        "*",    "%",        "&",           "|",
      "^",          "<<",       ">>",   "~",        "neg",         "negative",
      "abs",        "absolute", "relu", "clamp",    "clip",        "clamp_min",
      "clamp_max",  "square",   "sign", "sgn",      "bitwise_not", "add",
      "sub",        "subtract", "mul",  "multiply", "remainder",   "fmod",
      "maximum",    "minimum",  "max",  "min",      "amax",        "amin",
      "median",     "tril",     "triu", "where",    "bitwise_and", "bitwise_or",
      "bitwise_xor"};
  static const llvm::StringSet<> Floats{
      "/",     "div",     "divide", "true_divide", "exp",       "exp2",
      "expm1", "log",     "log2",   "log10",       "log1p",     "sqrt",
      "rsqrt", "sin",     "cos",    "tan",         "asin",      "acos",
      "atan",  "sinh",    "cosh",   "tanh",        "asinh",     "acosh",
      "atanh", "sigmoid", "erf",    "erfc",        "reciprocal"};
  static const llvm::StringSet<> Sums{"sum", "nansum", "prod", "cumsum",
                                      "cumprod"};
  if (Floats.contains(Name) && (O == Op::Unary || Of.size() == 2))
    return DefaultFloat;
  if (Sums.contains(Name))
    return "int64";
  return Keeps.contains(Name) && (C == Integral || O != Op::Unary) ? Common
                                                                   : "";
}

bool isDType(llvm::StringRef DType, llvm::StringRef Wanted) {
  const Category C = categoryOf(DType);
  if (Wanted == "floating")
    return C != Bool && C != Integral;
  if (Wanted == "integral")
    return C != Floating;
  return Wanted == "number" ? C != Bool : DType == Wanted;
}

std::string dtypeText(llvm::StringRef Wanted) {
  return Wanted == "floating"   ? "a floating-point type"
         : Wanted == "integral" ? "integers"
         : Wanted == "number"   ? "another type than bool"
                                : Wanted.str();
}

} // namespace tensortidy::analysis
