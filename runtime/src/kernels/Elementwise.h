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
// the result is asked for (layout::elementwise()), then one loop runs. A number
// given as a Scalar is a 0-dim operand, as in libtorch, which decides types and
// strides.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_RUNTIME_ELEMENTWISE_H
#define TENSORTIDY_RUNTIME_ELEMENTWISE_H

#include "kernels/Loop.h"

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
/// The type of \p X and a number.
ScalarType resultType(const Tensor &X, const Scalar &Number);
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

/// Which loop computes a row of a type, and what with.
struct RowsOf {
  const void *F;
  RowLoop (*Loop)(ScalarType Type);
  /// Of two operands, where the first or the second stands still.
  RowLoop (*Still)(ScalarType Type, bool Second) = nullptr;
  bool HasRow = false; ///< of floats, by the function itself
  ApartLoop (*Apart)(ScalarType Type) = nullptr;
  bool InBlocks = false;
  int64_t Shortest = 0;
  RowFunction operator()(ScalarType Type) const {
    RowFunction R{F, Loop(Type)};
    if (Still) {
      R.Still[0] = Still(Type, false);
      R.Still[1] = Still(Type, true);
    }
    R.AsBits = Type == kBFloat16 && !HasRow;
    if (Apart)
      R.Apart = Apart(Type);
    R.InBlocks = InBlocks;
    if (Shortest)
      R.Shortest = Shortest;
    return R;
  }
};
/// Calls F with the Tag of the type that \p K computes elements of \p Type in;
/// bfloat16, which is cut from a float, becomes one in the loop, half before.
template <Kind K, class F> RowLoop loopFor(ScalarType Type, F Function) {
  if (Type == kBFloat16)
    return Function(Tag<BFloat16>());
  if constexpr (K == Kind::Compare) // answers the same of bytes of 0 or 1
    if (Type == kBool)
      return Function(Tag<uint8_t>());
  if constexpr (K == Kind::Float)
    return Type == kDouble ? Function(Tag<double>()) : Function(Tag<float>());
  else
    return dispatchComputed(Type, [&](auto T) -> RowLoop {
      if constexpr (K == Kind::Number && std::is_same_v<decltype(T), Tag<bool>>)
        return nullptr;
      else
        return Function(T);
    });
}
template <Kind K, class E>
using Stored = std::conditional_t<K == Kind::Compare, bool, E>;

/// Is the function one of those that most programs call, with any type?
template <class F> inline constexpr bool IsUsual = false;

/// F of rows and one number; where there is none, the number is repeated in a
/// buffer.
template <Kind K, class F> RowLoop stillLoop(ScalarType Type, bool Second) {
  auto Of = [&](auto T) {
    using E = typename decltype(T)::type;
    using Out = Stored<K, E>;
    return Second ? forProcessor<MapLoop<Out, F, E, One<E>>>()
                  : forProcessor<MapLoop<Out, F, One<E>, E>>();
  };
  if constexpr (IsUsual<F>)
    if (Type != kHalf && Type != kBFloat16)
      return dispatchComputed(Type, [&](auto T) { return Of(T); });
  return Type == kFloat    ? Of(Tag<float>())
         : Type == kDouble ? Of(Tag<double>())
                           : nullptr;
}

/// F of elements that are apart, one by one.
template <Kind K, class F, class... Es> ApartLoop apartLoop(ScalarType Type) {
  auto Of = [&](auto T) -> ApartLoop {
    using E = typename decltype(T)::type;
    return forProcessor<
        MapApart<Stored<K, E>, F, std::conditional_t<true, E, Es>...>>();
  };
  if constexpr (K != Kind::Float) {
    if (Type == kLong)
      return Of(Tag<int64_t>());
    if (Type == kInt)
      return Of(Tag<int32_t>());
  }
  return Type == kFloat    ? Of(Tag<float>())
         : Type == kDouble ? Of(Tag<double>())
                           : nullptr;
}

/// Where the next element-wise result of this thread may be written at once, if
/// it is one of its type and sizes: a tensor that shares no storage with the
/// operands.
class Into {
public:
  Into(const Tensor &Out, std::initializer_list<const Tensor *> Ins);
  ~Into() { Next = nullptr; }
  Into(const Into &) = delete;
  Into &operator=(const Into &) = delete;
  static const Tensor *take() { return std::exchange(Next, nullptr); }

private:
  static thread_local const Tensor *Next;
};

/// The operation on all operands, into a new tensor, or into \p Out.
Tensor mapped(Kind K, std::initializer_list<const Operand *> Ops,
              const char *Op, Site Here, RowsOf Rows, const Tensor *Out);

/// A op B into a new tensor, or into \p Out. F maps two numbers of one type.
template <Kind K, class F>
Tensor binary(const Operand &A, const Operand &B, const char *Op, Site Here,
              F Function, const Tensor *Out = nullptr) {
  RowsOf Rows{&Function,
              [](ScalarType Type) {
                return loopFor<K>(Type, [](auto T) {
                  using E = typename decltype(T)::type;
                  return forProcessor<MapLoop<Stored<K, E>, F, E, E>>();
                });
              },
              stillLoop<K, F>};
  if constexpr (HasQuick<F, float> || HasRowOfTwo<F, float>)
    Rows.InBlocks = true;
  else
    Rows.Apart = apartLoop<K, F, F, F>;
  return mapped(K, {&A, &B}, Op, Here, Rows, Out);
}

/// F of each element.
template <Kind K, class F>
Tensor unary(const Tensor &A, const char *Op, Site Here, F Function,
             const Tensor *Out = nullptr) {
  RowsOf Rows{&Function,
              [](ScalarType Type) {
                return loopFor<K>(Type, [](auto T) {
                  using E = typename decltype(T)::type;
                  return rowLoop1<Stored<K, E>, E, F>();
                });
              },
              nullptr, HasRow<F, float> && !HasQuickRow<F>};
  Rows.InBlocks = HasRow<F, float> || HasQuick<F, float>;
  if constexpr (HasQuickRow<F>)
    Rows.Shortest = 256;
  if constexpr (!HasRow<F, float>)
    Rows.Apart = apartLoop<K, F, F>;
  const Operand X(A);
  return mapped(K, {&X}, Op, Here, Rows, Out);
}

/// Out = F(A, B, C) where all have one type.
template <Kind K, class F>
Tensor ternary(const Operand &A, const Operand &B, const Operand &C,
               const char *Op, Site Here, F Function, const Tensor *Out) {
  RowsOf Rows{&Function, [](ScalarType Type) {
                return loopFor<K>(Type, [](auto T) {
                  using E = typename decltype(T)::type;
                  return forProcessor<MapLoop<Stored<K, E>, F, E, E, E>>();
                });
              }};
  Rows.Apart = apartLoop<K, F, F, F, F>;
  return mapped(K, {&A, &B, &C}, Op, Here, Rows, Out);
}

/// A number beside elements of type \p Type. What it is gets asked here, not
/// by each element; throws when it is to be an integer and fits into none.
struct Number {
  Number(const Scalar &S, ScalarType Type)
      : Real(S.toDouble()), Whole(isFloatingType(Type) ? 0 : S.toLong()) {}
  template <class T> T as(T) const {
    if constexpr (std::is_floating_point_v<T>)
      return static_cast<T>(Real);
    else
      return static_cast<T>(Whole);
  }
  double Real;
  int64_t Whole;
};
/// One that may be missing.
struct Bound : Number {
  Bound(const optional<Scalar> &S, ScalarType Type)
      : Number(S.value_or(0), Type), Is(S) {}
  bool Is;
};

/// Integers wrap, as in hardware; bool is the two-element lattice.
template <class T>
using Wrapping = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
struct Add {
  template <class T> T operator()(T A, T B) const {
    if constexpr (std::is_same_v<T, bool>)
      return A || B;
    else if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<Wrapping<T>>(A) +
                            static_cast<Wrapping<T>>(B));
    else
      return A + B;
  }
};
struct Sub {
  template <class T> T operator()(T A, T B) const {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<Wrapping<T>>(A) -
                            static_cast<Wrapping<T>>(B));
    else
      return A - B;
  }
};
struct Mul {
  template <class T> T operator()(T A, T B) const {
    if constexpr (std::is_same_v<T, bool>)
      return A && B;
    else if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<Wrapping<T>>(A) *
                            static_cast<Wrapping<T>>(B));
    else
      return A * B;
  }
};
template <> inline constexpr bool IsUsual<Add> = true;
template <> inline constexpr bool IsUsual<Sub> = true;
template <> inline constexpr bool IsUsual<Mul> = true;
} // namespace tensortidy::detail

#endif
