//===- Elementwise.h - one function over the elements of operands -*- C++
//-*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands are first cast to the type that is computed in, then the layout of
// the result is asked for (rule A7), then one loop runs. A number given as a
// Scalar is a 0-dim operand, as in libtorch, which decides types and strides.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_RUNTIME_ELEMENTWISE_H
#define TENSORTIDY_RUNTIME_ELEMENTWISE_H

#include "Loop.h"

namespace tensortidy::detail {

/// An operand; a number written in the code has the weakest type.
struct Operand {
  Tensor X;
  bool IsNumber = false;
  Operand(const Tensor &X) : X(X) {}
  Operand(const Scalar &S) : X(wrapped(S)), IsNumber(true) {}
};

/// The type an operation computes in: tensors with dimensions decide, then
/// 0-dim tensors, then numbers, unless the weaker is of a higher category.
ScalarType resultType(std::initializer_list<const Operand *> Ops);
Dims broadcast(const Tensor &A, const Tensor &B, const char *Op, Site Here);
/// The tensor an element-wise operation on \p Ops allocates.
Tensor result(const std::vector<const Shape *> &Ops, const Dims &Sizes,
              ScalarType Type, const char *Op, Site Here);
/// Checks of writing element-wise into \p Out.
void requireWritable(const Tensor &Out,
                     std::initializer_list<const Tensor *> Ins, const char *Op,
                     Site Here);
void requireShape(const Tensor &Out, const Dims &Sizes, const char *Op,
                  Site Here);
void requireType(const Tensor &Out, ScalarType Type, const char *Op, Site Here);
void requireIntegral(const Tensor &A, const char *Op, Site Here);
void requireFloating(const Tensor &A, const char *Op, Site Here);
void requireNotBool(const Tensor &A, const char *Op, Site Here);

/// What an operation does to types: keeps them, keeps them but refuses bool,
/// makes integers floating, or answers bool.
enum class Kind { Keep, Number, Float, Compare };

/// A op B into a new tensor, or into \p Out. F maps two numbers of one type.
template <Kind K, class F>
Tensor binary(const Operand &A, const Operand &B, const char *Op, Site Here,
              F Function, const Tensor *Out = nullptr) {
  reads(A.X, Op, Here);
  reads(B.X, Op, Here);
  if (Out)
    requireWritable(*Out, {&A.X, &B.X}, Op, Here);
  const Dims Sizes = broadcast(A.X, B.X, Op, Here);
  if (Out)
    requireShape(*Out, Sizes, Op, Here);
  ScalarType Type = resultType({&A, &B});
  if (K == Kind::Number && Type == kBool)
    requireNotBool(A.X, Op, Here);
  if (K == Kind::Float && !isFloatingType(Type))
    Type = get_default_dtype();
  const Tensor X = castTo(A.X, Type, Here), Y = castTo(B.X, Type, Here);
  const ScalarType Stored = K == Kind::Compare ? kBool : Type;
  if (Out)
    requireType(*Out, Stored, Op, Here);
  const bool Direct = Out && impl(*Out).Type == Stored;
  Tensor R =
      Direct ? *Out : result({&impl(X).L, &impl(Y).L}, Sizes, Stored, Op, Here);
  auto Run = [&](auto T) {
    using E = typename decltype(T)::type;
    using O = std::conditional_t<K == Kind::Compare, bool, E>;
    mapLoop<O, E>(R, X, Y, Function);
  };
  if constexpr (K == Kind::Float)
    dispatchFloating(Type, Run);
  else if constexpr (K == Kind::Number)
    dispatchNumber(Type, Run);
  else
    dispatch(Type, Run);
  if (!Out)
    return R;
  if (!Direct)
    Out->copy_(R, false, Here);
  else
    wrote(*Out, Op, Here);
  return *Out;
}

/// F of each element.
template <Kind K, class F>
Tensor unary(const Tensor &A, const char *Op, Site Here, F Function,
             const Tensor *Out = nullptr) {
  const auto &I = impl(A, Op, Here);
  reads(A, Op, Here);
  if (Out)
    requireWritable(*Out, {}, Op, Here);
  ScalarType Type = I.Type;
  if (K == Kind::Number)
    requireNotBool(A, Op, Here);
  if (K == Kind::Float && !isFloatingType(Type))
    Type = get_default_dtype();
  const ScalarType Stored = K == Kind::Compare ? kBool : Type;
  if (Out)
    requireType(*Out, Stored, Op, Here);
  const Tensor X = castTo(A, Type, Here);
  const bool Direct = Out && impl(*Out).Type == Stored;
  Tensor R =
      Direct ? *Out : result({&impl(X).L}, impl(X).L.Sizes, Stored, Op, Here);
  auto Run = [&](auto T) {
    using E = typename decltype(T)::type;
    using O = std::conditional_t<K == Kind::Compare, bool, E>;
    mapLoop<O, E>(R, X, Function);
  };
  if constexpr (K == Kind::Float)
    dispatchFloating(Type, Run);
  else if constexpr (K == Kind::Number)
    dispatchNumber(Type, Run);
  else
    dispatch(Type, Run);
  if (!Out)
    return R;
  if (!Direct)
    Out->copy_(R, false, Here);
  else
    wrote(*Out, Op, Here);
  return *Out;
}

/// Integers wrap, as in hardware; bool is the two-element lattice.
struct Add {
  template <class T> T operator()(T A, T B) const {
    if constexpr (std::is_same_v<T, bool>)
      return A || B;
    else if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<uint64_t>(A) +
                            static_cast<uint64_t>(B));
    else
      return A + B;
  }
};
struct Sub {
  template <class T> T operator()(T A, T B) const {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<uint64_t>(A) -
                            static_cast<uint64_t>(B));
    else
      return A - B;
  }
};
struct Mul {
  template <class T> T operator()(T A, T B) const {
    if constexpr (std::is_same_v<T, bool>)
      return A && B;
    else if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<uint64_t>(A) *
                            static_cast<uint64_t>(B));
    else
      return A * B;
  }
};
} // namespace tensortidy::detail

#endif
