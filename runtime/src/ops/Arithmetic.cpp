//===- Arithmetic.cpp - operations on two and three tensors ---------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Release.h"
#include "kernels/Elementwise.h"
#include "kernels/Math.h"
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

namespace tensortidy {

using detail::Add;
using detail::allocateDense;
using detail::Ar;
using detail::Atan2;
using detail::binary;
using detail::broadcast;
using detail::call;
using detail::castTo;
using detail::Hypot;
using detail::impl;
using detail::Kind;
using detail::Mul;
using detail::Operand;
using detail::orThrow;
using detail::result;
using detail::resultType;
using detail::Shape;
using detail::Sub;
using detail::ternary;

namespace detail {

static void add(layout::CommonType &To, const Tensor &X) {
  To.add(layoutType(impl(X).Type), X.dim() == 0 ? layout::TypeRank::NoDimensions
                                                : layout::TypeRank::Dimensions);
}
static void addNumber(layout::CommonType &To, ScalarType Type) {
  To.add(layoutType(Type == kDouble ? ScalarType(get_default_dtype()) : Type),
         layout::TypeRank::Number);
}
ScalarType resultType(std::initializer_list<const Operand *> Ops) {
  layout::CommonType Common;
  for (const Operand *O : Ops)
    O->IsNumber ? addNumber(Common, impl(O->X).Type) : add(Common, O->X);
  return scalarType(Common.type());
}
ScalarType resultType(const Tensor &X, const Scalar &Number) {
  layout::CommonType Common;
  add(Common, X);
  addNumber(Common, Number.type());
  return scalarType(Common.type());
}

Dims broadcast(const Tensor &A, const Tensor &B, const char *Op, Site Here) {
  return orThrow(layout::broadcastSizes(Ar, impl(A).L.Sizes, impl(B).L.Sizes),
                 A, Here, [&] { return call(Op, A.sizes(), B.sizes()); });
}

Tensor result(const std::vector<const Shape *> &Ops, const Dims &Sizes,
              ScalarType Type, const char *Op, Site Here) {
  return allocate(*layout::elementwise(Ar, Ops, Sizes), Type, Op, Here);
}

void requireWritable(const Tensor &Out,
                     std::initializer_list<const Tensor *> Ins, const char *Op,
                     Site Here) {
  requireNoInternalOverlap(Out, Op, Here);
  for (const Tensor *In : Ins)
    requireNoOverlap(Out, *In, Op, Here);
}
void requireShape(const Tensor &Out, const Dims &Sizes, const char *Op,
                  Site Here) {
  if (impl(Out).L.Sizes == Sizes)
    return;
  Shape L;
  L.Sizes = Sizes;
  L.Strides = Sizes;
  orThrow(layout::expand(Ar, L, impl(Out).L.Sizes), Out, Here,
          [&] { return call(Op, Out.sizes(), ref(Sizes)); });
  fail(call(Op) + ": the result has sizes " + text(ref(Sizes)), Out, Here);
}
void requireType(const Tensor &Out, ScalarType Type, const char *Op,
                 Site Here) {
  if (!canCast(Type, impl(Out).Type))
    fail(std::string(Op) + ": a result of type " + toString(Type) +
             " cannot be stored as " + toString(impl(Out).Type),
         Out, Here);
}

thread_local const Tensor *Into::Next = nullptr;

Into::Into(const Tensor &Out, std::initializer_list<const Tensor *> Ins) {
  Dims Sizes;
  for (const Tensor *In : Ins) {
    auto Both = layout::broadcastSizes(Ar, Sizes, impl(*In).L.Sizes);
    if (!Both.ok() || impl(*In).Store == impl(Out).Store)
      return; // nothing is written when it throws
    Sizes = *Both;
  }
  if (Sizes == impl(Out).L.Sizes)
    Next = &Out;
}

Tensor mapped(Kind K, std::initializer_list<const Operand *> Ops,
              const char *Op, Site Here, RowsOf Rows, const Tensor *Out) {
  const Tensor *Free = Into::take(); // whatever is computed on the way: not it
  constexpr size_t Most = 3;
  const Tensor &First = (*Ops.begin())->X;
  for (const Operand *O : Ops)
    reads(O->X, Op, Here);
  if (Out) {
    requireNoInternalOverlap(*Out, Op, Here);
    for (const Operand *O : Ops)
      requireNoOverlap(*Out, O->X, Op, Here);
  }
  Dims Sizes = impl(First).L.Sizes;
  for (const Operand *const *O = Ops.begin() + 1; O != Ops.end(); ++O)
    Sizes = orThrow(layout::broadcastSizes(Ar, Sizes, impl((*O)->X).L.Sizes),
                    First, Here, [&] {
                      std::string Call = call(Op, First.sizes());
                      Call.pop_back();
                      for (auto P = Ops.begin() + 1; P <= O; ++P)
                        Call += ", " + text((*P)->X.sizes());
                      return Call + ")";
                    });
  if (Out)
    requireShape(*Out, Sizes, Op, Here);
  ScalarType Type = resultType(Ops);
  if (K == Kind::Number && Type == kBool)
    requireNotBool(First, Op, Here);
  if (K == Kind::Float && !isFloatingType(Type))
    Type = get_default_dtype();
  const ScalarType Stored = K == Kind::Compare ? kBool : Type;
  if (Out)
    requireType(*Out, Stored, Op, Here);
  Tensor X[Most];
  std::vector<const Shape *> Layouts;
  Layouts.reserve(Most);
  size_t N = 0;
  for (const Operand *O : Ops) {
    X[N] = castTo(O->X, Type, Here);
    Layouts.push_back(&impl(X[N++]).L);
  }
  const bool Direct = Out && impl(*Out).Type == Stored;
  const bool Placed = !Out && Free && impl(*Free).Type == Stored &&
                      impl(*Free).L.Sizes == Sizes;
  Tensor R = Direct   ? *Out
             : Placed ? *Free
                      : result(Layouts, Sizes, Stored, Op, Here);
  const RowFunction Row = Rows(Type);
  if (N == 1)
    mapRows(R, {&X[0]}, Row);
  else if (N == 2)
    mapRows(R, {&X[0], &X[1]}, Row);
  else
    mapRows(R, {&X[0], &X[1], &X[2]}, Row);
  if (!Out)
    return R;
  if (!Direct)
    Out->copy_(R, false, Here);
  else
    wrote(*Out, Op, Here);
  return *Out;
}

void requireIntegral(const Tensor &A, const char *Op, Site Here) {
  if (isFloatingType(impl(A, Op, Here).Type))
    fail(std::string(Op) + " is not defined for type " + toString(impl(A).Type),
         A, Here);
}
void requireFloating(const Tensor &A, const char *Op, Site Here) {
  if (!isFloatingType(impl(A, Op, Here).Type))
    fail(std::string(Op) + " is not defined for type " + toString(impl(A).Type),
         A, Here);
}
void requireNotBool(const Tensor &A, const char *Op, Site Here) {
  if (impl(A, Op, Here).Type == kBool)
    fail(std::string(Op) + " is not defined for type Bool", A, Here);
}

} // namespace detail

//===--- what is computed -----------------------------------------------===//

namespace {

struct Div {
  template <class T> T operator()(T A, T B) const { return A / B; }
};

[[noreturn]] void divisionByZero() {
  throw Error("ZeroDivisionError: an integer is divided by zero");
}
template <class T> bool dividesOver(T A, T B) { // INT_MIN / -1
  return std::is_signed_v<T> && B == static_cast<T>(-1) &&
         A == std::numeric_limits<T>::min();
}
/// A / B and A % B rounded to 0; of small numbers of 64 bits as of 32.
template <class T> T quotient(T A, T B) {
  if (sizeof(T) == 8 && (static_cast<uint64_t>(A | B) >> 32) == 0)
    return static_cast<T>(static_cast<uint32_t>(A) / static_cast<uint32_t>(B));
  return static_cast<T>(A / B);
}
template <class T> T rest(T A, T B) {
  return static_cast<T>(A - quotient(A, B) * B);
}
/// std::fmod() where the quotient has all its digits, in which case it is at
/// most one too large, and the products of an fma are exact.
template <class T> T quickMod(int &Fails, T A, T B) {
  const T Q = std::trunc(A / B), R = std::fma(-Q, B, A);
  Fails |= !(std::abs(Q) < T(1) / std::numeric_limits<T>::epsilon()) | (R != R);
  const bool Over = (R < 0) != (A < 0) && R != 0;
  return std::copysign(Over ? std::abs(B) - std::abs(R) : R, A);
}
/// Integers of 64 bits that need no more than 52 of them, and their doubles:
/// added to this one, the last bits of the sum are theirs.
constexpr double Shift = 0x1.8p52;
bool isShort(int64_t V) {
  constexpr int64_t Most = int64_t(1) << 51;
  return (static_cast<uint64_t>(V + Most) >> 52) == 0;
}
template <class T> double asDouble(T V) {
  if constexpr (sizeof(T) != 8)
    return static_cast<double>(V);
  int64_t Bits;
  std::memcpy(&Bits, &Shift, sizeof Bits);
  Bits += static_cast<int64_t>(V);
  double R;
  std::memcpy(&R, &Bits, sizeof R);
  return R - Shift;
}
int64_t fromDouble(double V) {
  int64_t Bits, Base;
  V += Shift;
  std::memcpy(&Bits, &V, sizeof Bits);
  std::memcpy(&Base, &Shift, sizeof Base);
  return Bits - Base;
}
/// The quotient of integers, which a double holds exactly, rounded down or to
/// 0; processors have no vectors of such divisions.
template <bool Down, class T> T quickQuotient(int &Fails, T A, T B) {
  bool Fail = (B == 0) | (B == static_cast<T>(-1));
  if constexpr (sizeof(T) == 8)
    Fail |= !isShort(A) | !isShort(B);
  Fails |= Fail;
  const double Q = asDouble(A) / (Fail ? 1.0 : asDouble(B));
  const double Whole = Down ? std::floor(Q) : std::trunc(Q);
  if constexpr (sizeof(T) == 8)
    return fromDouble(Whole);
  else
    return static_cast<T>(static_cast<int32_t>(Whole));
}
struct FloorDivide {
  template <class T> static T quick(int &Fails, T A, T B) {
    if constexpr (std::is_integral_v<T>)
      return quickQuotient<true>(Fails, A, B);
    else
      return quickReal(Fails, A, B);
  }
  template <class T> static T quickReal(int &Fails, T A, T B) {
    const T Mod = quickMod(Fails, A, B);
    T Q = (A - Mod) / B;
    Q -= T((Mod != 0) & ((B < 0) != (Mod < 0)));
    const T Floor = std::floor(Q), Near = Floor + T(Q - Floor > T(0.5));
    return Q == 0 ? std::copysign(T(0), A / B) : Near;
  }
  template <class T> T operator()(T A, T B) const {
    if constexpr (std::is_integral_v<T>) {
      if (B == 0)
        divisionByZero();
      if (dividesOver(A, B))
        return A;
      const T Q = quotient(A, B);
      const bool IsOver = static_cast<T>(Q * B) != A && (A < 0) != (B < 0);
      return static_cast<T>(Q - IsOver);
    } else {
      if (B == 0)
        return A / B;
      const T Mod = std::fmod(A, B);
      T Q = (A - Mod) / B;
      if (Mod != 0 && (B < 0) != (Mod < 0))
        Q -= 1;
      if (Q == 0)
        return std::copysign(T(0), A / B);
      const T Floor = std::floor(Q);
      return Q - Floor > T(0.5) ? Floor + 1 : Floor;
    }
  }
};
struct TruncDivide {
  template <class T> T operator()(T A, T B) const {
    if constexpr (std::is_integral_v<T>) {
      if (B == 0)
        divisionByZero();
      return dividesOver(A, B) ? A : quotient(A, B);
    } else {
      return std::trunc(A / B);
    }
  }
};
struct Remainder {
  template <class T> static T quick(int &Fails, T A, T B) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(A - quickQuotient<true>(Fails, A, B) * B);
    } else {
      const T R = quickMod(Fails, A, B);
      return (R != 0) & ((B < 0) != (R < 0)) ? R + B : R;
    }
  }
  template <class T> T operator()(T A, T B) const {
    if constexpr (std::is_integral_v<T>) {
      if (B == 0)
        divisionByZero();
      if (dividesOver(A, B))
        return 0;
      const T R = rest(A, B);
      return R != 0 && (R < 0) != (B < 0) ? static_cast<T>(R + B) : R;
    } else {
      const T R = std::fmod(A, B);
      return R != 0 && (B < 0) != (R < 0) ? R + B : R;
    }
  }
};
struct Fmod {
  template <class T> static T quick(int &Fails, T A, T B) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(A - quickQuotient<false>(Fails, A, B) * B);
    else
      return quickMod(Fails, A, B);
  }
  template <class T> T operator()(T A, T B) const {
    if constexpr (std::is_integral_v<T>) {
      if (B == 0)
        divisionByZero();
      return dividesOver(A, B) ? T(0) : rest(A, B);
    } else {
      return std::fmod(A, B);
    }
  }
};
struct Pow {
  static void row(const float *A, const float *B, float *Out, int64_t N) {
    detail::RealPow::row(A, B, Out, N);
  }
  static void row(const double *A, const double *B, double *Out, int64_t N) {
    detail::RealPow::row(A, B, Out, N);
  }
  template <class T> T operator()(T A, T B) const {
    if constexpr (std::is_integral_v<T>) {
      if (B < 0)
        return A == 1 ? 1 : A == static_cast<T>(-1) ? (B & 1 ? -1 : 1) : 0;
      uint64_t R = 1, Base = static_cast<uint64_t>(A);
      // Whether a bit is set is not foreseen.
      for (auto E = static_cast<uint64_t>(B); E; E >>= 1, Base *= Base)
        R *= ((Base - 1) & (0 - (E & 1))) + 1;
      return static_cast<T>(R);
    } else {
      return std::pow(A, B);
    }
  }
};
struct Maximum { // a NaN wins
  template <class T> T operator()(T A, T B) const {
    if constexpr (std::is_floating_point_v<T>) {
      const T Most = A > B ? A : B; // one instruction
      return detail::orNan(Most, A != A);
    } else if constexpr (std::is_same_v<T, bool>)
      return A | B;
    else
      return A > B ? A : B;
  }
};
struct Minimum {
  template <class T> T operator()(T A, T B) const {
    if constexpr (std::is_floating_point_v<T>) {
      const T Least = A < B ? A : B;
      return detail::orNan(Least, A != A);
    } else if constexpr (std::is_same_v<T, bool>)
      return A & B;
    else
      return A < B ? A : B;
  }
};
struct Fmax { // a number wins
  template <class T> T operator()(T A, T B) const {
    if constexpr (std::is_floating_point_v<T>)
      return std::fmax(A, B);
    else
      return A > B ? A : B;
  }
};
struct Fmin {
  template <class T> T operator()(T A, T B) const {
    if constexpr (std::is_floating_point_v<T>)
      return std::fmin(A, B);
    else
      return A < B ? A : B;
  }
};
struct CopySign {
  template <class T> T operator()(T A, T B) const {
    return std::copysign(A, B);
  }
};
struct And {
  template <class T> T operator()(T A, T B) const {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(A & B);
    else
      return A;
  }
};
struct Or {
  template <class T> T operator()(T A, T B) const {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(A | B);
    else
      return A;
  }
};
struct Xor {
  template <class T> T operator()(T A, T B) const {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(A ^ B);
    else
      return A;
  }
};
struct ShiftLeft { // by a negative number, or too far: nothing is left
  template <class T> T operator()(T A, T B) const {
    if constexpr (std::is_integral_v<T>) {
      using U = std::make_unsigned_t<
          std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>>;
      return static_cast<T>(static_cast<U>(A) << static_cast<U>(B));
    } else {
      return A;
    }
  }
};
struct ShiftRight {
  template <class T> T operator()(T A, T B) const {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(A >> B);
    else
      return A;
  }
};
struct XLogY {
  template <class T> T operator()(T A, T B) const {
    return B != B ? B : A == T(0) ? T(0) : A * std::log(B);
  }
};
/// log(Base^A + Base^B)
template <int Base> struct LogAddExp {
  static void row(const float *A, const float *B, float *Out, int64_t N) {
    rows(A, B, Out, N);
  }
  static void row(const double *A, const double *B, double *Out, int64_t N) {
    rows(A, B, Out, N);
  }
  template <class T> T operator()(T A, T B) const {
    if (std::isinf(A) && A == B)
      return A;
    const T Apart = -std::abs(A - B);
    return std::max(A, B) +
           (Base == 2 ? std::log1p(std::exp2(Apart)) * T(1.44269504088896340736)
                      : std::log1p(std::exp(Apart)));
  }

private:
  using Power = std::conditional_t<Base == 2, detail::Exp2, detail::Exp>;
  template <class T>
  static void rows(const T *A, const T *B, T *Out, int64_t N) {
    constexpr int64_t Block = 128;
    constexpr T Scale = Base == 2 ? T(1.44269504088896340736) : T(1);
    T Work[Block];
    for (; N > 0; N -= Block, A += Block, B += Block, Out += Block) {
      const int64_t Now = std::min(N, Block);
      for (int64_t K = 0; K < Now; ++K) // infinities that are the same: 0
        Work[K] = A[K] == B[K] ? T(0) : -std::abs(A[K] - B[K]);
      Power::row(Work, Work, Now);
      detail::Log1p::row(Work, Work, Now);
      for (int64_t K = 0; K < Now; ++K) {
        const T Most = A[K] > B[K] ? A[K] : A[K] != A[K] ? A[K] : B[K];
        Out[K] = Most + Work[K] * Scale;
      }
    }
  }
};
struct Heaviside {
  template <class T> T operator()(T A, T B) const {
    return A == T(0) ? B : static_cast<T>(A > T(0));
  }
};
struct NextAfter {
  template <class T> T operator()(T A, T B) const {
    if constexpr (std::is_floating_point_v<T>)
      return std::nextafter(A, B);
    else
      return A;
  }
};
struct Gcd {
  template <class T> T operator()(T A, T B) const {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      return of(A, B);
    else
      return A;
  }

private:
  /// Of the least number, which has no size, it may be negative, as in
  /// libtorch.
  template <class T> static T of(T A, T B) {
    auto Size = [](T V) { return V < T(0) ? Sub()(T(0), V) : V; };
    for (A = Size(A), B = Size(B); A != 0;)
      B = std::exchange(A, static_cast<T>(B % A));
    return B;
  }
};
struct Lcm {
  template <class T> T operator()(T A, T B) const {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      const T G = static_cast<T>(std::gcd(A, B));
      if (G == 0)
        return 0;
      const auto R =
          (sizeof(T) < 4 ? A / G * B : Mul()(static_cast<T>(A / G), B));
      return static_cast<T>(R < 0 ? -R : R);
    } else {
      return A;
    }
  }
};
#define COMPARISON(NAME, EXPR)                                                 \
  struct NAME {                                                                \
    template <class T> bool operator()(T A, T B) const { return EXPR; }        \
  };
COMPARISON(Eq, A == B)
COMPARISON(Ne, A != B)
COMPARISON(Lt, A < B)
COMPARISON(Le, A <= B)
COMPARISON(Gt, A > B)
COMPARISON(Ge, A >= B)
COMPARISON(LogicalAnd, (A != T(0)) & (B != T(0)))
COMPARISON(LogicalOr, (A != T(0)) | (B != T(0)))
COMPARISON(LogicalXor, (A != T(0)) != (B != T(0)))
#undef COMPARISON

} // namespace

namespace detail {
// NOLINTBEGIN(bugprone-macro-parentheses)
#define USUAL(NAME) template <> inline constexpr bool IsUsual<NAME> = true;
// NOLINTEND(bugprone-macro-parentheses)
USUAL(Maximum)
USUAL(Minimum)
USUAL(Eq)
USUAL(Ne)
USUAL(Lt)
USUAL(Le)
USUAL(Gt)
USUAL(Ge)
USUAL(And)
USUAL(Or)
USUAL(Xor)
USUAL(LogicalAnd)
USUAL(LogicalOr)
USUAL(LogicalXor)
#undef USUAL
template <> inline constexpr bool Picks<Maximum> = true;
template <> inline constexpr bool Picks<Minimum> = true;
} // namespace detail

//===--- binary ---------------------------------------------------------===//

// The four forms of NAME(other): result or in place, tensor or number.
/// Bits are those of an integral type, which both operands promote to.
static void requireBits(const Operand &A, const Operand &B, const char *Op,
                        Site Here) {
  impl(A.X, Op, Here);
  impl(B.X, Op, Here);
  const ScalarType Type = resultType({&A, &B});
  if (isFloatingType(Type))
    detail::fail(std::string(Op) + " is not defined for type " + toString(Type),
                 A.X, Here);
}
// NOLINTBEGIN(bugprone-macro-parentheses)
#define BINARY(NAME, KIND, FUNCTION, CHECK)                                    \
  Tensor Tensor::NAME(const Tensor &other, Site Here) const {                  \
    CHECK;                                                                     \
    return binary<Kind::KIND>(*this, other, #NAME, Here, FUNCTION());          \
  }                                                                            \
  Tensor Tensor::NAME(const Scalar &other, Site Here) const {                  \
    CHECK;                                                                     \
    return binary<Kind::KIND>(*this, other, #NAME, Here, FUNCTION());          \
  }                                                                            \
  Tensor &Tensor::NAME##_(const Tensor &other, Site Here) const {              \
    CHECK;                                                                     \
    binary<Kind::KIND>(*this, other, #NAME "_", Here, FUNCTION(), this);       \
    return self();                                                             \
  }                                                                            \
  Tensor &Tensor::NAME##_(const Scalar &other, Site Here) const {              \
    CHECK;                                                                     \
    binary<Kind::KIND>(*this, other, #NAME "_", Here, FUNCTION(), this);       \
    return self();                                                             \
  }
#define BINARY_ALIAS(NAME, SAME)                                               \
  Tensor Tensor::NAME(const Tensor &other, Site Here) const {                  \
    return SAME(other, Here);                                                  \
  }                                                                            \
  Tensor Tensor::NAME(const Scalar &other, Site Here) const {                  \
    return SAME(other, Here);                                                  \
  }                                                                            \
  Tensor &Tensor::NAME##_(const Tensor &other, Site Here) const {              \
    return SAME##_(other, Here);                                               \
  }                                                                            \
  Tensor &Tensor::NAME##_(const Scalar &other, Site Here) const {              \
    return SAME##_(other, Here);                                               \
  }
// NOLINTEND(bugprone-macro-parentheses)
BINARY(mul, Keep, Mul, )
BINARY(div, Float, Div, )
BINARY(floor_divide, Number, FloorDivide, )
BINARY(remainder, Number, Remainder, )
BINARY(fmod, Number, Fmod, )
BINARY(copysign, Float, CopySign, )
BINARY(eq, Compare, Eq, )
BINARY(ne, Compare, Ne, )
BINARY(lt, Compare, Lt, )
BINARY(le, Compare, Le, )
BINARY(gt, Compare, Gt, )
BINARY(ge, Compare, Ge, )
BINARY(bitwise_and, Keep, And, requireBits(*this, other, "bitwise_and", Here))
BINARY(bitwise_or, Keep, Or, requireBits(*this, other, "bitwise_or", Here))
BINARY(bitwise_xor, Keep, Xor, requireBits(*this, other, "bitwise_xor", Here))
BINARY(bitwise_left_shift, Keep, ShiftLeft,
       requireBits(*this, other, "bitwise_left_shift", Here))
BINARY(bitwise_right_shift, Keep, ShiftRight,
       requireBits(*this, other, "bitwise_right_shift", Here))
BINARY(xlogy, Float, XLogY, )
BINARY_ALIAS(multiply, mul)
BINARY_ALIAS(divide, div)
BINARY_ALIAS(true_divide, div)
BINARY_ALIAS(not_equal, ne)
BINARY_ALIAS(less, lt)
BINARY_ALIAS(less_equal, le)
BINARY_ALIAS(greater, gt)
BINARY_ALIAS(greater_equal, ge)
#undef BINARY
#undef BINARY_ALIAS

// NOLINTBEGIN(bugprone-macro-parentheses)
#define BINARY(NAME, KIND, FUNCTION)                                           \
  Tensor Tensor::NAME(const Tensor &other, Site Here) const {                  \
    return binary<Kind::KIND>(*this, other, #NAME, Here, FUNCTION());          \
  }
#define BINARY_IN_PLACE(NAME, KIND, FUNCTION)                                  \
  BINARY(NAME, KIND, FUNCTION)                                                 \
  Tensor &Tensor::NAME##_(const Tensor &other, Site Here) const {              \
    binary<Kind::KIND>(*this, other, #NAME "_", Here, FUNCTION(), this);       \
    return self();                                                             \
  }
// NOLINTEND(bugprone-macro-parentheses)
BINARY(maximum, Keep, Maximum)
BINARY(minimum, Keep, Minimum)
BINARY(fmax, Keep, Fmax)
BINARY(fmin, Keep, Fmin)
BINARY_IN_PLACE(atan2, Float, Atan2)
BINARY_IN_PLACE(logical_and, Compare, LogicalAnd)
BINARY_IN_PLACE(logical_or, Compare, LogicalOr)
BINARY_IN_PLACE(logical_xor, Compare, LogicalXor)
#undef BINARY
#undef BINARY_IN_PLACE
Tensor Tensor::arctan2(const Tensor &other, Site Here) const {
  return atan2(other, Here);
}
Tensor &Tensor::arctan2_(const Tensor &other, Site Here) const {
  return atan2_(other, Here);
}

/// The operands are of these types, as their common type is.
enum class Takes { Floating, Integral, OneType, NextFloating };
static void requireTypes(const Tensor &A, const Tensor &B, Takes Which,
                         const char *Op, Site Here) {
  impl(A, Op, Here);
  impl(B, Op, Here);
  if (Which == Takes::OneType) {
    if (impl(A).Type != impl(B).Type)
      detail::fail(std::string(Op) + ": tensors of types " +
                       toString(impl(A).Type) + " and " +
                       toString(impl(B).Type),
                   B, Here);
    return;
  }
  const Operand X(A), Y(B);
  const ScalarType Type = resultType({&X, &Y});
  const bool Ok = Which == Takes::Integral ? isIntegralType(Type, false)
                                           : isFloatingType(Type);
  if (!Ok || (Which == Takes::NextFloating && Type == kHalf &&
              !detail::has(detail::Change::NextafterTakesHalf)))
    detail::fail(std::string(Op) + " is not defined for type " + toString(Type),
                 A, Here);
}
// NOLINTBEGIN(bugprone-macro-parentheses)
#define BINARY(NAME, KIND, FUNCTION, WHICH)                                    \
  Tensor Tensor::NAME(const Tensor &other, Site Here) const {                  \
    requireTypes(*this, other, Takes::WHICH, #NAME, Here);                     \
    return binary<Kind::KIND>(*this, other, #NAME, Here, FUNCTION());          \
  }
#define BINARY_IN_PLACE(NAME, KIND, FUNCTION, WHICH)                           \
  BINARY(NAME, KIND, FUNCTION, WHICH)                                          \
  Tensor &Tensor::NAME##_(const Tensor &other, Site Here) const {              \
    requireTypes(*this, other, Takes::WHICH, #NAME "_", Here);                 \
    binary<Kind::KIND>(*this, other, #NAME "_", Here, FUNCTION(), this);       \
    return self();                                                             \
  }
// NOLINTEND(bugprone-macro-parentheses)
BINARY(logaddexp, Float, LogAddExp<0>, Floating)
BINARY(logaddexp2, Float, LogAddExp<2>, Floating)
BINARY_IN_PLACE(hypot, Float, Hypot, Floating)
BINARY_IN_PLACE(heaviside, Keep, Heaviside, OneType)
BINARY_IN_PLACE(nextafter, Float, NextAfter, NextFloating)
BINARY_IN_PLACE(gcd, Keep, Gcd, Integral)
BINARY_IN_PLACE(lcm, Keep, Lcm, Integral)
#undef BINARY
#undef BINARY_IN_PLACE
/// 2^other, for a product with \p X.
static Tensor powersFor(const Tensor &X, const Tensor &Other, Site Here) {
  const ScalarType Type = X.scalar_type();
  if (detail::has(detail::Change::LdexpKeepsType) && isFloatingType(Type) &&
      Type != kFloat)
    return full(X.sizes(), Scalar(2.0), TensorOptions(Type), Here)
        .pow(Other, Here);
  return tensortidy::pow(Scalar(2.0), Other, Here);
}
/// Whether ldexp() does not multiply.
static bool scalesExactly(const Tensor &X, const Tensor &Other, const char *Op,
                          Site Here) {
  if (!detail::has(detail::Change::LdexpOfIntegers) ||
      !isFloatingType(impl(X, Op, Here).Type) ||
      !isIntegralType(impl(Other, Op, Here).Type, true))
    return false;
  if (impl(Other).Type == kBool)
    detail::fail(std::string(Op) + " is not defined for exponents of type Bool",
                 Other, Here);
  return true;
}
/// X * 2^Other, rounded once. Exponents are int.
static Tensor scaledExactly(const Tensor &X, const Tensor &Other,
                            const char *Op, Site Here, const Tensor *Out) {
  return binary<Kind::Float>(
      castTo(X, kDouble, Here),
      castTo(castTo(Other, kInt, Here), kDouble, Here), Op, Here,
      [](auto V, auto Power) {
        return static_cast<decltype(V)>(std::ldexp(V, static_cast<int>(Power)));
      },
      Out);
}
/// self * 2^other
Tensor Tensor::ldexp(const Tensor &other, Site Here) const {
  if (!scalesExactly(*this, other, "ldexp", Here))
    return mul(powersFor(*this, other, Here), Here);
  const Tensor Wide = scaledExactly(*this, other, "ldexp", Here, nullptr);
  const Tensor R = empty_like(*this, {}, nullopt, Here);
  if (R.sizes() != Wide.sizes())
    R.resize_(Wide.sizes(), nullopt, Here)
        .as_strided_(Wide.sizes(), Wide.strides(), nullopt, Here);
  R.copy_(Wide, false, Here);
  return R;
}
Tensor &Tensor::ldexp_(const Tensor &other, Site Here) const {
  if (!scalesExactly(*this, other, "ldexp_", Here))
    return mul_(powersFor(*this, other, Here), Here);
  scaledExactly(*this, other, "ldexp_", Here, this);
  return self();
}

// Powers as double.
static Tensor asDouble(const Tensor &X, Site Here) {
  return castTo(X, kDouble, Here);
}
Tensor Tensor::float_power(const Tensor &exponent, Site Here) const {
  impl(*this, "float_power", Here);
  impl(exponent, "float_power", Here);
  return asDouble(*this, Here).pow(asDouble(exponent, Here), Here);
}
Tensor Tensor::float_power(const Scalar &exponent, Site Here) const {
  impl(*this, "float_power", Here);
  return asDouble(*this, Here).pow(Scalar(exponent.toDouble()), Here);
}
static void requireDouble(const Tensor &X, Site Here) {
  if (impl(X, "float_power_", Here).Type != kDouble)
    detail::fail(std::string("float_power_: a result of type Double cannot be "
                             "stored as ") +
                     toString(impl(X).Type),
                 X, Here);
}
Tensor &Tensor::float_power_(const Tensor &exponent, Site Here) const {
  requireDouble(*this, Here);
  impl(exponent, "float_power_", Here);
  return pow_(asDouble(exponent, Here), Here);
}
Tensor &Tensor::float_power_(const Scalar &exponent, Site Here) const {
  requireDouble(*this, Here);
  return pow_(Scalar(exponent.toDouble()), Here);
}
Tensor Tensor::max(const Tensor &other, Site Here) const {
  return maximum(other, Here);
}
Tensor Tensor::min(const Tensor &other, Site Here) const {
  return minimum(other, Here);
}

static Tensor divideRounded(const Tensor &A, const detail::Operand &B,
                            optional<std::string_view> Mode, Site Here,
                            const Tensor *Out = nullptr) {
  if (!Mode)
    return binary<Kind::Float>(A, B, "div", Here, Div(), Out);
  if (*Mode == "floor")
    return binary<Kind::Number>(A, B, "div", Here, FloorDivide(), Out);
  if (*Mode == "trunc")
    return binary<Kind::Number>(A, B, "div", Here, TruncDivide(), Out);
  detail::fail("div: unknown rounding mode '" + std::string(*Mode) + "'", Here);
}
// NOLINTBEGIN(bugprone-macro-parentheses)
#define ROUNDED(NAME, OTHER)                                                   \
  Tensor Tensor::NAME(const OTHER &other,                                      \
                      optional<std::string_view> rounding_mode, Site Here)     \
      const {                                                                  \
    return divideRounded(*this, other, rounding_mode, Here);                   \
  }                                                                            \
  Tensor &Tensor::NAME##_(const OTHER &other,                                  \
                          optional<std::string_view> rounding_mode, Site Here) \
      const {                                                                  \
    divideRounded(*this, other, rounding_mode, Here, this);                    \
    return self();                                                             \
  }
ROUNDED(div, Tensor)
ROUNDED(div, Scalar)
ROUNDED(divide, Tensor)
ROUNDED(divide, Scalar)
#undef ROUNDED
// NOLINTEND(bugprone-macro-parentheses)

/// A + Alpha * B, and with the sign of subtraction.
template <class F>
static Tensor scaled(const Operand &A, const Operand &B, const Scalar &Alpha,
                     const char *Op, Site Here, F Function, const Tensor *Out) {
  impl(A.X, Op, Here);
  const bool Bools =
      impl(A.X, Op, Here).Type == kBool || impl(B.X, Op, Here).Type == kBool;
  if (std::is_same_v<F, Sub> && Bools)
    detail::fail(std::string(Op) + " refuses type Bool", A.X, Here);
  if (Alpha.isFloatingPoint() && !isFloatingType(resultType({&A, &B})))
    detail::fail(std::string(Op) +
                     ": for integral tensors alpha must not be a floating "
                     "point number",
                 A.X, Here);
  if (Alpha.equal(1))
    return binary<Kind::Keep>(A, B, Op, Here, Function, Out);
  return binary<Kind::Keep>(
      A, B, Op, Here,
      [By = detail::Number(Alpha, resultType({&A, &B}))](auto X, auto Y) {
        return F()(X, Mul()(By.as(X), Y));
      },
      Out);
}
// NOLINTBEGIN(bugprone-macro-parentheses)
#define SCALED(NAME, FUNCTION)                                                 \
  Tensor Tensor::NAME(const Tensor &other, const Scalar &alpha, Site Here)     \
      const {                                                                  \
    return scaled(*this, other, alpha, #NAME, Here, FUNCTION(), nullptr);      \
  }                                                                            \
  Tensor Tensor::NAME(const Scalar &other, const Scalar &alpha, Site Here)     \
      const {                                                                  \
    return scaled(*this, other, alpha, #NAME, Here, FUNCTION(), nullptr);      \
  }                                                                            \
  Tensor &Tensor::NAME##_(const Tensor &other, const Scalar &alpha, Site Here) \
      const {                                                                  \
    scaled(*this, other, alpha, #NAME "_", Here, FUNCTION(), this);            \
    return self();                                                             \
  }                                                                            \
  Tensor &Tensor::NAME##_(const Scalar &other, const Scalar &alpha, Site Here) \
      const {                                                                  \
    scaled(*this, other, alpha, #NAME "_", Here, FUNCTION(), this);            \
    return self();                                                             \
  }
// NOLINTEND(bugprone-macro-parentheses)
SCALED(add, Add)
SCALED(sub, Sub)
SCALED(subtract, Sub)
#undef SCALED
Tensor rsub(const Tensor &self, const Tensor &other, const Scalar &alpha,
            Site Here) {
  return scaled(other, self, alpha, "rsub", Here, Sub(), nullptr);
}
Tensor rsub(const Tensor &self, const Scalar &other, const Scalar &alpha,
            Site Here) {
  return scaled(other, self, alpha, "rsub", Here, Sub(), nullptr);
}

Tensor Tensor::pow(const Tensor &exponent, Site Here) const {
  return binary<Kind::Number>(*this, exponent, "pow", Here, Pow());
}
Tensor &Tensor::pow_(const Tensor &exponent, Site Here) const {
  binary<Kind::Number>(*this, exponent, "pow_", Here, Pow(), this);
  return self();
}
namespace {
struct PowBy {
  double Real;
  int64_t Whole;
  explicit PowBy(const Scalar &E)
      : Real(E.toDouble()),
        Whole(E.isIntegral(true) ? E.toLong() : static_cast<int64_t>(Real)) {}
  template <class T> T operator()(T V) const {
    if constexpr (std::is_floating_point_v<T>)
      return std::pow(V, static_cast<T>(Real));
    else
      return Pow()(V, static_cast<T>(Whole));
  }
  template <class T> void block(const T *In, T *Work, T *Out, int64_t N) const {
    std::fill_n(Work, N, static_cast<T>(Real));
    Pow::row(In, Work, Out, N);
  }
};
} // namespace
/// The exponent is a parameter, not an operand: it decides types, not strides.
static Tensor powNumber(const Tensor &X, const Scalar &E, const char *Op,
                        Site Here, const Tensor *Out) {
  impl(X, Op, Here);
  const ScalarType Type = resultType(X, E);
  if (!isFloatingType(Type) && E.toLong() < 0)
    detail::fail(std::string(Op) +
                     ": integers to negative integer powers are not allowed",
                 X, Here);
  if (Out)
    detail::requireType(*Out, Type, Op, Here);
  const Tensor Base = castTo(X, Type, Here);
  if (E.toDouble() == 2)
    return detail::unary<Kind::Number>(
        Base, Op, Here, [](auto V) { return Mul()(V, V); }, Out);
  if (E.toDouble() == 3)
    return detail::unary<Kind::Number>(
        Base, Op, Here, [](auto V) { return Mul()(Mul()(V, V), V); }, Out);
  if (isFloatingType(Type) && E.toDouble() == 0.5)
    return detail::unary<Kind::Float>(
        Base, Op, Here, [](auto V) { return std::sqrt(V); }, Out);
  if (isFloatingType(Type) && E.toDouble() == -0.5)
    return detail::unary<Kind::Float>(
        Base, Op, Here, [](auto V) { return 1 / std::sqrt(V); }, Out);
  if (isFloatingType(Type) && E.toDouble() == -1)
    return detail::unary<Kind::Float>(
        Base, Op, Here, [](auto V) { return 1 / V; }, Out);
  return detail::unary<Kind::Number>(Base, Op, Here,
                                     detail::Composed<PowBy>{PowBy(E)}, Out);
}
Tensor Tensor::pow(const Scalar &exponent, Site Here) const {
  return powNumber(*this, exponent, "pow", Here, nullptr);
}
Tensor &Tensor::pow_(const Scalar &exponent, Site Here) const {
  powNumber(*this, exponent, "pow_", Here, this);
  return self();
}
Tensor pow(const Scalar &self, const Tensor &exponent, Site Here) {
  // Dense whatever the exponent's strides (trap T6).
  if (layout::broken(layout::Fault::PowOfNumberKeepsOrder))
    return binary<Kind::Number>(self, exponent, "pow", Here, Pow());
  const Operand Base(self), Exponent(exponent);
  const Tensor R = allocateDense(impl(exponent, "pow", Here).L.Sizes,
                                 resultType({&Base, &Exponent}), "pow", Here);
  return binary<Kind::Number>(Base, Exponent, "pow", Here, Pow(), &R);
}

//===--- three operands -------------------------------------------------===//

static Tensor addProduct(const Tensor &A, const Tensor &B, const Tensor &C,
                         const Scalar &V, const char *Op, Site Here,
                         const Tensor *Out) {
  const Operand First(A), Second(B), Third(C);
  return ternary<Kind::Number>(
      A, B, C, Op, Here,
      [By = detail::Number(V, resultType({&First, &Second, &Third}))](
          auto X, auto Y, auto Z) {
        return Add()(X, Mul()(By.as(X), Mul()(Y, Z)));
      },
      Out);
}
static Tensor addQuotient(const Tensor &A, const Tensor &B, const Tensor &C,
                          const Scalar &V, const char *Op, Site Here,
                          const Tensor *Out) {
  if (!isFloatingType(impl(B, Op, Here).Type) &&
      !isFloatingType(impl(C, Op, Here).Type))
    detail::requireFloating(B, Op, Here); // 1 / 2 would be 0
  return ternary<Kind::Number>(
      A, B, C, Op, Here,
      [By = V.toDouble()](auto X, auto Y, auto Z) {
        using T = decltype(X);
        if constexpr (std::is_floating_point_v<T>)
          return X + static_cast<T>(By) * Y / Z;
        else
          return X;
      },
      Out);
}
Tensor Tensor::addcmul(const Tensor &tensor1, const Tensor &tensor2,
                       const Scalar &value, Site Here) const {
  return addProduct(*this, tensor1, tensor2, value, "addcmul", Here, nullptr);
}
Tensor Tensor::addcdiv(const Tensor &tensor1, const Tensor &tensor2,
                       const Scalar &value, Site Here) const {
  return addQuotient(*this, tensor1, tensor2, value, "addcdiv", Here, nullptr);
}
Tensor &Tensor::addcmul_(const Tensor &tensor1, const Tensor &tensor2,
                         const Scalar &value, Site Here) const {
  addProduct(*this, tensor1, tensor2, value, "addcmul_", Here, this);
  return self();
}
Tensor &Tensor::addcdiv_(const Tensor &tensor1, const Tensor &tensor2,
                         const Scalar &value, Site Here) const {
  addQuotient(*this, tensor1, tensor2, value, "addcdiv_", Here, this);
  return self();
}
static void requireSameType(const Tensor &A, const Tensor &B, const char *Op,
                            Site Here) {
  if (impl(A, Op, Here).Type != impl(B, Op, Here).Type)
    detail::fail(std::string(Op) + ": tensors of types " +
                     toString(impl(A).Type) + " and " + toString(impl(B).Type),
                 A, Here);
}
/// \p FromNear: a weight far below 0 is as far from the start as one above 1.
template <bool FromNear> struct Lerp {
  template <class T> T operator()(T A, T B, T W) const {
    if constexpr (std::is_floating_point_v<T>)
      return (FromNear ? std::abs(W) : W) < T(0.5) ? A + W * (B - A)
                                                   : B - (B - A) * (1 - W);
    else
      return A;
  }
};
static Tensor lerpTo(const Tensor &A, const Tensor &B, const Tensor &W,
                     const char *Op, Site Here, const Tensor *Out) {
  if (W.dim() == 0 && impl(W).Type != impl(A, Op, Here).Type &&
      detail::has(detail::Change::LerpTakesAnyNumber)) {
    requireSameType(A, B, Op, Here);
    const Operand First(A), Second(B), Third(W);
    const ScalarType Type =
        Out ? impl(A).Type : resultType({&First, &Second, &Third});
    return lerpTo(castTo(A, Type, Here), castTo(B, Type, Here),
                  castTo(W, Type, Here), Op, Here, Out);
  }
  detail::requireFloating(A, Op, Here);
  requireSameType(A, B, Op, Here);
  requireSameType(A, W, Op, Here);
  return detail::has(detail::Change::LerpFromTheNearEnd)
             ? ternary<Kind::Number>(A, B, W, Op, Here, Lerp<true>(), Out)
             : ternary<Kind::Number>(A, B, W, Op, Here, Lerp<false>(), Out);
}
static Tensor lerpTo(const Tensor &A, const Tensor &B, const Scalar &Weight,
                     const char *Op, Site Here, const Tensor *Out) {
  detail::requireFloating(A, Op, Here);
  requireSameType(A, B, Op, Here);
  const double W = Weight.toDouble();
  const bool FromStart =
      (detail::has(detail::Change::LerpFromTheNearEnd) ? std::abs(W) : W) < 0.5;
  return binary<Kind::Float>(
      A, B, Op, Here,
      [=](auto X, auto Y) {
        using T = decltype(X);
        return FromStart ? X + static_cast<T>(W) * (Y - X)
                         : Y - (Y - X) * static_cast<T>(1 - W);
      },
      Out);
}
Tensor Tensor::lerp(const Tensor &end, const Tensor &weight, Site Here) const {
  return lerpTo(*this, end, weight, "lerp", Here, nullptr);
}
Tensor Tensor::lerp(const Tensor &end, const Scalar &weight, Site Here) const {
  return lerpTo(*this, end, weight, "lerp", Here, nullptr);
}
Tensor &Tensor::lerp_(const Tensor &end, const Tensor &weight,
                      Site Here) const {
  lerpTo(*this, end, weight, "lerp_", Here, this);
  return self();
}
Tensor &Tensor::lerp_(const Tensor &end, const Scalar &weight,
                      Site Here) const {
  lerpTo(*this, end, weight, "lerp_", Here, this);
  return self();
}

static Tensor whereOf(const Tensor &Condition, const Operand &A,
                      const Operand &B, Site Here) {
  const char *Op = "where";
  detail::reads(A.X, Op, Here);
  detail::reads(B.X, Op, Here);
  detail::reads(Condition, Op, Here);
  const ScalarType C = impl(Condition).Type;
  if (C != kBool && C != kByte)
    detail::fail(std::string("where: the condition must be a boolean tensor, "
                             "but has type ") +
                     toString(C),
                 Condition, Here);
  const ScalarType Type = resultType({&A, &B});
  const Tensor X = castTo(A.X, Type, Here), Y = castTo(B.X, Type, Here);
  Shape Both;
  Both.Sizes = broadcast(Condition, X, Op, Here);
  const detail::Dims Sizes = orThrow(
      layout::broadcastSizes(Ar, Both.Sizes, impl(Y).L.Sizes), X, Here,
      [&] { return call(Op, Condition.sizes(), X.sizes(), Y.sizes()); });
  // The condition comes first (trap T5).
  std::vector<const Shape *> Order{&impl(Condition).L, &impl(X).L, &impl(Y).L};
  if (layout::broken(layout::Fault::WhereConditionLast))
    std::rotate(Order.begin(), Order.begin() + 1, Order.end());
  Tensor R = result(Order, Sizes, Type, Op, Here);
  static constexpr auto Choose = [](uint8_t Is, auto V, auto W) {
    using E = decltype(V); // by masks, which are faster in vectors
    const auto Mask = static_cast<E>(-static_cast<E>(Is != 0));
    return static_cast<E>((V & Mask) | (W & ~Mask));
  };
  const detail::RowLoop Loop =
      detail::dispatchSize(elementSize(Type), [](auto T) {
        using E = typename decltype(T)::type;
        return detail::forProcessor<detail::MapLoop<
            E, std::decay_t<decltype(Choose)>, uint8_t, E, E>>();
      });
  detail::mapRows(R, {&Condition, &X, &Y}, {&Choose, Loop, {}, true});
  return R;
}
Tensor where(const Tensor &condition, const Tensor &self, const Tensor &other,
             Site Here) {
  return whereOf(condition, self, other, Here);
}
Tensor where(const Tensor &condition, const Scalar &self, const Tensor &other,
             Site Here) {
  return whereOf(condition, self, other, Here);
}
Tensor where(const Tensor &condition, const Tensor &self, const Scalar &other,
             Site Here) {
  return whereOf(condition, self, other, Here);
}
Tensor where(const Tensor &condition, const Scalar &self, const Scalar &other,
             Site Here) {
  return whereOf(condition, self, other, Here);
}
Tensor Tensor::where(const Tensor &condition, const Tensor &other,
                     Site Here) const {
  return whereOf(condition, *this, other, Here);
}

//===--- comparing whole tensors ----------------------------------------===//

bool Tensor::equal(const Tensor &other) const {
  if (sizes() != other.sizes())
    return false;
  return eq(other).all().item<bool>();
}
Tensor isclose(const Tensor &self, const Tensor &other, double rtol,
               double atol, bool equal_nan, Site Here) {
  requireSameType(self, other, "isclose", Here);
  // libtorch looks for NaNs in place of those of self.
  if (equal_nan && isFloatingType(impl(self).Type) &&
      !detail::has(detail::Change::IscloseBroadcastsNaN))
    detail::requireShape(self, broadcast(self, other, "isclose", Here),
                         "isclose", Here);
  return binary<Kind::Compare>(
      self, other, "isclose", Here, [=](auto A, auto B) {
        if (A == B)
          return true;
        const auto X = static_cast<double>(A), Y = static_cast<double>(B);
        if (equal_nan && X != X && Y != Y)
          return true;
        return std::isfinite(X) && std::isfinite(Y) &&
               std::abs(X - Y) <= atol + rtol * std::abs(Y);
      });
}
bool Tensor::allclose(const Tensor &other, double rtol, double atol,
                      bool equal_nan) const {
  return isclose(other, rtol, atol, equal_nan, Site::none()).all().item<bool>();
}

} // namespace tensortidy
