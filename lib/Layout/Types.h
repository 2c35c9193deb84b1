//===- Types.h - element types and what arithmetic makes of them -*- C++
//-*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Type promotion of libtorch: the greatest kind decides (bool, integers,
// floating point), and of one kind tensors with dimensions come before those
// without, numbers last.
//
//   int32 [3] + int64 [3]    int64        float32 [3] + float64 []   float32
//   int32 [3] + 2            int32        int32 [3] + float64 []     float64
//   uint8 + int8             int16        float16 + bfloat16         float32
//
// The differential test compares it with libtorch.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_LAYOUT_TYPES_H
#define TENSORTIDY_LAYOUT_TYPES_H

#include <cstdint>

namespace tensortidy::layout {

/// Element types, by libtorch's numbers.
enum class DType : int8_t {
  UInt8 = 0,
  Int8 = 1,
  Int16 = 2,
  Int32 = 3,
  Int64 = 4,
  Float16 = 5,
  Float32 = 6,
  Float64 = 7,
  Bool = 11,
  BFloat16 = 15,
  Undefined = 22, ///< or not known
};

/// The lesser kind gives way to the greater one, whatever the ranks.
enum class TypeKind : uint8_t { Bool, Integral, Floating };

constexpr TypeKind kindOf(DType T) {
  return T == DType::Bool ? TypeKind::Bool
         : (T >= DType::Float16 && T <= DType::Float64) || T == DType::BFloat16
             ? TypeKind::Floating
             : TypeKind::Integral;
}

/// Whether a result of one type may be stored as another.
constexpr bool canCast(DType From, DType To) {
  return kindOf(From) <= kindOf(To);
}

/// What holds the values of both types.
constexpr DType promote(DType A, DType B) {
  if (A == B)
    return A;
  if (kindOf(A) != kindOf(B))
    return kindOf(A) > kindOf(B) ? A : B;
  if (kindOf(A) == TypeKind::Floating) // two of 16 bits have no common one
    return A == DType::Float64 || B == DType::Float64 ? DType::Float64
                                                      : DType::Float32;
  // Unsigned with signed: the next wider. Signed ones are in order.
  const DType Wider = A > B ? A : B, Other = A > B ? B : A;
  return Other == DType::UInt8 && Wider == DType::Int8 ? DType::Int16 : Wider;
}

/// What an operand is, as far as its type's weight goes.
enum class TypeRank : uint8_t { Dimensions, NoDimensions, Number };

/// The type that operands are computed in; Undefined of none.
class CommonType {
public:
  constexpr void add(DType T, TypeRank Rank) {
    DType &Of = By[static_cast<int>(Rank)];
    Of = Of == DType::Undefined ? T : promote(Of, T);
  }
  constexpr DType type() const {
    DType Result = DType::Undefined;
    for (const DType T : By)
      if (T != DType::Undefined &&
          (Result == DType::Undefined || kindOf(T) > kindOf(Result)))
        Result = T;
    return Result;
  }

private:
  DType By[3] = {DType::Undefined, DType::Undefined, DType::Undefined};
};

} // namespace tensortidy::layout

#endif
