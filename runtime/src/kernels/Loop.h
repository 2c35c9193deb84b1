//===- Loop.h - over the elements of several tensors ------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Visits all indices of a shape with one pointer for each tensor. Dimensions
// are sorted by the first tensor's strides and merged where all tensors allow,
// so most shapes become one or two loops; the innermost is handed over whole:
//
//   loop(Sizes, {&Out, &A, &B}, [](char **P, const int64_t *Step, int64_t N))
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_RUNTIME_LOOP_H
#define TENSORTIDY_RUNTIME_LOOP_H

#include "core/Impl.h"
#include "kernels/Narrow.h"
#include "kernels/Vectors.h"
#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

namespace tensortidy::detail {

/// Byte strides of up to four tensors along merged dimensions, innermost last.
class Walk {
public:
  static constexpr size_t Most = 4;

  Walk(const Dims &Over) : Sizes(Over) {}

  /// \p X broadcast to the sizes: leading dimensions and those of size 1 stand
  /// still.
  void add(const Tensor &X) {
    const TensorImpl &I = impl(X);
    const auto Size = static_cast<int64_t>(elementSize(I.Type));
    Dims T(Sizes.size(), 0);
    const size_t Lead = Sizes.size() - I.L.rank();
    for (size_t D = 0; D < I.L.rank(); ++D)
      if (I.L.Sizes[D] != 1)
        T[Lead + D] = I.L.Strides[D] * Size;
    Data[Count] = I.data();
    Strides[Count++] = std::move(T);
  }

  /// Sorts dimensions by the first tensor's strides and merges neighbours.
  void simplify() {
    const size_t N = Sizes.size();
    Dims Order;
    for (size_t D = 0; D < N; ++D)
      if (Sizes[D] != 1)
        Order.push_back(static_cast<int64_t>(D));
    auto Before = [&](size_t A, size_t B) { // A is outside of B
      for (size_t K = 0; K < Count; ++K)
        if (Strides[K][A] != Strides[K][B])
          return Strides[K][A] > Strides[K][B];
      return false;
    };
    for (size_t I = 1; I < Order.size(); ++I)
      for (size_t J = I; J > 0 && Before(static_cast<size_t>(Order[J]),
                                         static_cast<size_t>(Order[J - 1]));
           --J)
        std::swap(Order[J], Order[J - 1]);
    Dims S, T[Most];
    for (int64_t Dim : Order) {
      const auto D = static_cast<size_t>(Dim);
      bool Merge = !S.empty();
      for (size_t K = 0; Merge && K < Count; ++K)
        Merge = T[K].back() == Strides[K][D] * Sizes[D];
      if (Merge) {
        S.back() *= Sizes[D];
        for (size_t K = 0; K < Count; ++K)
          T[K].back() = Strides[K][D];
      } else {
        S.push_back(Sizes[D]);
        for (size_t K = 0; K < Count; ++K)
          T[K].push_back(Strides[K][D]);
      }
    }
    Sizes = std::move(S);
    for (size_t K = 0; K < Count; ++K)
      Strides[K] = std::move(T[K]);
  }

  /// Sorts the first \p Outer dimensions by the strides of tensor \p K.
  void orderBy(size_t K, size_t Outer) {
    for (size_t I = 1; I < Outer; ++I)
      for (size_t J = I; J > 0 && Strides[K][J - 1] < Strides[K][J]; --J) {
        std::swap(Sizes[J - 1], Sizes[J]);
        for (size_t T = 0; T < Count; ++T)
          std::swap(Strides[T][J - 1], Strides[T][J]);
      }
  }

  /// For loops that go element by element: a longer dimension comes inside of a
  /// short one.
  void avoidShortRows() {
    const size_t N = Sizes.size();
    if (N < 2 || Sizes[N - 1] >= 8 || Sizes[N - 2] <= Sizes[N - 1])
      return;
    swap(N - 1, N - 2);
  }

  /// Two dimensions change places.
  void swap(size_t A, size_t B) {
    std::swap(Sizes[A], Sizes[B]);
    for (size_t K = 0; K < Count; ++K)
      std::swap(Strides[K][A], Strides[K][B]);
  }

  /// Dimension \p D comes inside of all others.
  void makeInnermost(size_t D) {
    auto Move = [D](Dims &All) {
      std::rotate(All.begin() + D, All.begin() + D + 1, All.end());
    };
    Move(Sizes);
    for (size_t K = 0; K < Count; ++K)
      Move(Strides[K]);
  }

  template <class F> void run(F Inner) const {
    for (int64_t S : Sizes)
      if (S == 0)
        return;
    char *P[Most] = {}, *Q[Most];
    int64_t Step[Most] = {};
    for (size_t K = 0; K < Count; ++K)
      P[K] = Data[K];
    const size_t N = Sizes.size();
    if (N == 0) {
      Inner(P, Step, int64_t(1));
      return;
    }
    for (size_t K = 0; K < Count; ++K)
      Step[K] = Strides[K][N - 1];
    if (N == 1) {
      Inner(P, Step, Sizes[0]);
      return;
    }
    Dims At(N - 1, 0);
    while (true) {
      std::memcpy(Q, P, sizeof Q);
      Inner(Q, Step, Sizes[N - 1]);
      size_t D = N - 1;
      while (D-- > 0) {
        for (size_t K = 0; K < Count; ++K)
          P[K] += Strides[K][D];
        if (++At[D] < Sizes[D])
          break;
        for (size_t K = 0; K < Count; ++K)
          P[K] -= Strides[K][D] * Sizes[D];
        At[D] = 0;
      }
      if (D == size_t(-1))
        return;
    }
  }

  Dims Sizes;
  Dims Strides[Most];
  char *Data[Most];
  size_t Count = 0;
};

/// Inner(char **P, const int64_t *ByteSteps, int64_t N) for runs that cover
/// \p Sizes in some order; with the widest vectors where they are \p Wide.
template <bool Wide = false, class F>
void loop(const Dims &Sizes, std::initializer_list<const Tensor *> Tensors,
          F Inner) {
  Walk W(Sizes);
  for (const Tensor *X : Tensors)
    W.add(*X);
  W.simplify();
  if constexpr (Wide)
    vectorised([&] { W.run(Inner); });
  else
    W.run(Inner);
}

//===--- rows -----------------------------------------------------------===//

/// A loop over \p Rows packed rows of \p N elements, all of the types that are
/// computed with. First is where the result and each operand begin, which may
/// be the same; RowStep is the bytes between the rows of each. F is what the
/// loop does to each element, a value of its own type.
using RowLoop = void (*)(const void *F, char *const *First, int64_t N,
                         int64_t Rows, const int64_t *RowStep);
/// The same of elements that are \p Step apart.
using ApartLoop = void (*)(const void *F, char *const *First,
                           const int64_t *Step, int64_t N, int64_t Rows,
                           const int64_t *RowStep);
struct RowFunction {
  const void *F;
  RowLoop Loop;
  /// The same where this operand does not move along a row, or none.
  RowLoop Still[2] = {};
  /// Loop reads and writes 16-bit floats as they are.
  bool AsBits = false;
  /// For elements that are apart; may be missing.
  ApartLoop Apart = nullptr;
  /// Loop takes many elements at once sooner than many rows of fewer bytes.
  bool InBlocks = false;
  int64_t Shortest = 768;
};

/// In registers: what is added to memory waits for the row before.
template <class F, size_t... K>
void eachRow(char *const *First, int64_t Rows, const int64_t *RowStep,
             F Function, std::index_sequence<K...>) {
  char *const P[] = {First[K]...};
  const int64_t Step[] = {RowStep[K]...};
  for (int64_t R = 0; R < Rows; ++R)
    Function(P[K] + R * Step[K]...);
}

/// Calls F with where each row begins in \p Count tensors.
template <size_t Count, class F>
void eachRow(char *const *First, int64_t Rows, const int64_t *RowStep,
             F Function) {
  eachRow(First, Rows, RowStep, Function, std::make_index_sequence<Count>());
}
/// \p To, of its type, element by element from \p From, each broadcast and of
/// its type. What is not packed goes through a buffer:
///
///   from  # . # . # .  gathered  ###
///   from  ######  as it is  ######    Row  ###  as it is, or scattered
///
/// 16-bit floats are floats in the rows, unless the loop takes them as bits.
/// Without a loop, the elements of one operand are written as they come.
void mapRows(const Tensor &To, std::initializer_list<const Tensor *> From,
             RowFunction Row);

/// Copies the second tensor of \p W, whose elements have so many bytes, to the
/// first.
void copySame(Walk &W, size_t Size);

/// \p Rows rows of \p N elements, each \p Step bytes from the next, in one or
/// the other direction to a packed buffer.
struct Area {
  char *At;
  int64_t N, Step, Rows = 1, RowStep = 0;
};
/// \p Rows rows of so many bytes, each ToStep and FromStep from the next.
void copyRows(char *To, int64_t ToStep, const char *From, int64_t FromStep,
              int64_t Bytes, int64_t Rows);
/// Packed rows, each of which is a row of all parts, one behind the other.
struct RowPart {
  const char *From;
  int64_t Bytes; ///< of a row, not 0
};
void joinRows(char *To, RowPart *Parts, size_t Count, int64_t Rows);
/// The same of the rows that stand at these places.
void copyRowsAt(char *To, int64_t ToStep, const char *From, int64_t FromStep,
                const int64_t *At, int64_t Bytes, int64_t Rows);
/// The same where a row is one element of \p Size bytes again and again.
void fillRows(char *To, int64_t ToStep, const char *From, int64_t FromStep,
              int64_t Size, int64_t Bytes, int64_t Rows);

/// The same of elements of \p Size bytes that are \p Step bytes apart.
void takeRows(char *To, int64_t ToStep, Area From, int64_t Size);

/// \p N elements that are apart, to places that are: several are read before
/// the first is written, which they may not wait for.
template <class E>
void copyApart(char *To, int64_t ToStep, const char *From, int64_t FromStep,
               int64_t N) {
  auto Get = [&](int64_t K) {
    return *reinterpret_cast<const E *>(From + K * FromStep);
  };
  for (; N >= 4; N -= 4, To += 4 * ToStep, From += 4 * FromStep) {
    const E V[] = {Get(0), Get(1), Get(2), Get(3)};
    TENSORTIDY_UNROLLED
    for (int64_t K = 0; K < 4; ++K)
      *reinterpret_cast<E *>(To + K * ToStep) = V[K];
  }
  for (; N > 0; --N, To += ToStep, From += FromStep)
    *reinterpret_cast<E *>(To) = Get(0);
}

/// How the elements of a tensor come into a buffer, or leave it.
struct Port {
  void (*Move)(char *Buffer, Area A) = nullptr;
  int64_t Size = 0;      ///< of an element
  bool Converts = false; ///< it is another in the buffer
};
struct Gatherer : Port {
  explicit Gatherer(ScalarType Type, bool AsBits = false);
};

/// In place of the type of an operand's elements: they are all one.
template <class T> struct One {
  T Value;
  explicit One(const char *At) : Value(*reinterpret_cast<const T *>(At)) {}
  T operator[](int64_t) const { return Value; }
};
template <class In> struct Elements {
  const In *First;
  explicit Elements(const char *At) : First(reinterpret_cast<const In *>(At)) {}
  Compute<In> operator[](int64_t K) const { return load(First[K]); }
};
template <class T> struct Elements<One<T>> : One<T> {
  using One<T>::One;
};

/// Two bfloat16 as one number of 32 bits.
typedef uint32_t BFloatPair __attribute__((may_alias, aligned(2)));
inline float upperHalf(uint32_t Bits) {
  float R;
  std::memcpy(&R, &Bits, sizeof R);
  return R;
}
/// The first and the second of pair \p K.
inline float firstOf(const Elements<BFloat16> &X, int64_t K) {
  return upperHalf(reinterpret_cast<const BFloatPair *>(X.First)[K] << 16);
}
inline float secondOf(const Elements<BFloat16> &X, int64_t K) {
  return upperHalf(reinterpret_cast<const BFloatPair *>(X.First)[K] &
                   0xffff0000);
}

/// Does the function have a quick(), for vectors of T, which counts a failure
/// where it cannot tell?
template <class F, class T, class = void>
inline constexpr bool HasQuick = false;
template <class F, class T>
inline constexpr bool
    HasQuick<F, T, decltype(void(F::quick(std::declval<int &>(), T(), T())))> =
        !std::is_same_v<T, bool>;

/// Does the function of two have a row() for many numbers of a type at once?
template <class F, class T, class = void>
inline constexpr bool HasRowOfTwo = false;
template <class F, class T>
inline constexpr bool
    HasRowOfTwo<F, T,
                decltype(F::row(static_cast<const T *>(nullptr),
                                static_cast<const T *>(nullptr),
                                static_cast<T *>(nullptr), int64_t(0)))> = true;

/// Does the function answer with one of its operands? Then a bfloat16 has to be
/// cut only, not rounded.
template <class F> inline constexpr bool Picks = false;

/// Out = F(In ...) as such a loop.
template <class Out, class F, class... In> struct MapLoop {
  static void run(const void *Function, char *const *First, int64_t N,
                  int64_t Rows, const int64_t *RowStep) {
    eachRow<sizeof...(In) + 1>(
        First, Rows, RowStep, [&](char *To, auto... From) {
          each(*static_cast<const F *>(Function), To, {Elements<In>(From)...},
               N, std::index_sequence_for<In...>());
        });
  }

private:
  /// By value: no element that is written can be something F has captured.
  template <size_t... I>
  static void each(F Function, char *To, std::tuple<Elements<In>...> X,
                   int64_t N, std::index_sequence<I...>) {
    auto *O = reinterpret_cast<Out *>(To);
    using C = Compute<Out>;
    constexpr int64_t Block = 128;
    if constexpr (HasRowOfTwo<F, C> && sizeof...(In) == 2) {
      C Buffer[2][Block];
      for (int64_t At = 0; At < N; At += Block) {
        const int64_t Now = std::min(Block, N - At);
        for (int64_t K = 0; K < Now; ++K)
          ((Buffer[I][K] = std::get<I>(X)[At + K]), ...);
        F::row(Buffer[0], Buffer[1], Buffer[0], Now);
        for (int64_t K = 0; K < Now; ++K)
          store(O[At + K], Buffer[0][K]);
      }
      return;
    }
    if constexpr (HasQuick<F, C>) {
      C Buffer[Block];
      for (int64_t At = 0; At < N; At += Block) {
        const int64_t Now = std::min(Block, N - At);
        int Fails = 0;
        TENSORTIDY_INDEPENDENT
        for (int64_t K = 0; K < Now; ++K)
          Buffer[K] = F::quick(Fails, std::get<I>(X)[At + K]...);
        if (Fails)
          for (int64_t K = 0; K < Now; ++K)
            Buffer[K] = Function(std::get<I>(X)[At + K]...);
        for (int64_t K = 0; K < Now; ++K)
          store(O[At + K], Buffer[K]);
      }
      return;
    }
    int64_t K = 0;
    if constexpr (std::is_same_v<Out, BFloat16> && LowFirst &&
                  (std::is_same_v<In, BFloat16> && ...)) {
      // By pairs, so that none is moved within a vector.
      auto Above = [](float V) {
        if constexpr (!Picks<F>)
          return bfloatAbove(V);
        uint32_t Bits;
        std::memcpy(&Bits, &V, sizeof Bits);
        return Bits;
      };
      auto *Pairs = reinterpret_cast<BFloatPair *>(To);
      TENSORTIDY_INDEPENDENT
      for (K = 0; K < N / 2; ++K) {
        const uint32_t First = Above(Function(firstOf(std::get<I>(X), K)...)),
                       Second = Above(Function(secondOf(std::get<I>(X), K)...));
        Pairs[K] = First >> 16 | (Second & 0xffff0000);
      }
      K *= 2;
    }
    TENSORTIDY_INDEPENDENT TENSORTIDY_BY_TWO for (; K < N; ++K)
        store(O[K], Function(std::get<I>(X)[K]...));
  }
  static constexpr bool LowFirst = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
};

/// The same as an ApartLoop. Elements that are two apart, from the slices [::2]
/// that are frequent, are taken out of whole vectors; columns of short rows are
/// longer loops than these.
template <class Out, class F, class... In> struct MapApart {
  static void run(const void *Function, char *const *First, const int64_t *Step,
                  int64_t N, int64_t Rows, const int64_t *RowStep) {
    constexpr int64_t Together = 128;
    if (N >= 8 || Rows < N)
      return each(*static_cast<const F *>(Function), First, Step, N, Rows,
                  RowStep, std::index_sequence_for<In...>());
    char *P[sizeof...(In) + 1];
    for (int64_t R = 0; R < Rows; R += Together) {
      for (size_t K = 0; K <= sizeof...(In); ++K)
        P[K] = First[K] + R * RowStep[K];
      each(*static_cast<const F *>(Function), P, RowStep,
           std::min(Together, Rows - R), N, Step,
           std::index_sequence_for<In...>());
    }
  }

private:
  template <class E> static Compute<E> at(const char *P, int64_t K) {
    return load(*reinterpret_cast<const E *>(P + K));
  }
  /// One row, whose operands go S elements further each time.
  template <int... S>
  static void near(F Function, char *To, int64_t N, const In *...From) {
    TENSORTIDY_INDEPENDENT
    for (int64_t K = 0; K < N; ++K)
      store(reinterpret_cast<Out *>(To)[K], Function(load(From[S * K])...));
  }
  template <size_t... I>
  static void each(F Function, char *const *First, const int64_t *Step,
                   int64_t N, int64_t Rows, const int64_t *RowStep,
                   std::index_sequence<I...>) {
    // Steps of one or two elements are for vectors: 0 is any other.
    constexpr int64_t Size[] = {sizeof(In)...};
    const int64_t By[] = {Step[0] != sizeof(Out)       ? 0
                          : Step[I + 1] == Size[I]     ? 1
                          : Step[I + 1] == 2 * Size[I] ? 2
                                                       : 0 ...};
    const bool ByTwo = ((By[I] == 2) && ...);
    for (int64_t R = 0; R < Rows; ++R) {
      char *To = First[0] + R * RowStep[0];
      const char *From[] = {First[I + 1] + R * RowStep[I + 1]...};
      if constexpr (sizeof...(In) == 2) {
        if (By[0] == 1 && By[1] == 2) {
          near<1, 2>(Function, To, N, reinterpret_cast<const In *>(From[I])...);
          continue;
        }
        if (By[0] == 2 && By[1] == 1) {
          near<2, 1>(Function, To, N, reinterpret_cast<const In *>(From[I])...);
          continue;
        }
      }
      if (ByTwo) {
        near<2 + 0 * int(I)...>(Function, To, N,
                                reinterpret_cast<const In *>(From[I])...);
        continue;
      }
      const int64_t S[] = {Step[0], Step[I + 1]...};
      for (int64_t K = 0; K < N; ++K)
        store(*reinterpret_cast<Out *>(To + K * S[0]),
              Function(at<In>(From[I], K * S[I + 1])...));
    }
  }
};

/// Does the function have a row() for many numbers of a type at once (Math.h)?
template <class F, class T, class = void> inline constexpr bool HasRow = false;
template <class F, class T>
inline constexpr bool HasRow<F, T,
                             decltype(std::declval<const F &>().row(
                                 static_cast<const T *>(nullptr),
                                 static_cast<T *>(nullptr), int64_t(0)))> =
    true;

/// Is there a quick() that most numbers are done with, beside a row() for the
/// others? Then rows of bfloat16 are no rows of floats before.
template <class F, class = void> inline constexpr bool HasQuickRow = false;
template <class F>
inline constexpr bool
    HasQuickRow<F, decltype(void(std::declval<const F &>().quick(
                       std::declval<int &>(), float())))> = HasRow<F, float>;
template <class F> struct QuickRows {
  static void run(const void *Function, char *const *First, int64_t N,
                  int64_t Rows, const int64_t *RowStep) {
    eachRow<2>(First, Rows, RowStep, [&](char *To, char *From) {
      row(*static_cast<const F *>(Function), reinterpret_cast<BFloat16 *>(To),
          reinterpret_cast<const BFloat16 *>(From), N);
    });
  }

private:
  static void row(F Function, BFloat16 *To, const BFloat16 *From, int64_t N) {
    constexpr int64_t Block = 256;
    for (; N > 0; N -= Block, To += Block, From += Block) {
      const int64_t Now = std::min(N, Block);
      uint16_t Quick[Block];
      if (quick(Function, From, Quick, Now)) {
        auto *Bits = reinterpret_cast<uint16_t *>(To);
        TENSORTIDY_INDEPENDENT
        for (int64_t K = 0; K < Now; ++K)
          Bits[K] = Quick[K];
        continue;
      }
      float Wide[Block];
      widen(From, Wide, Now);
      Function.row(Wide, Wide, Now);
      narrow(Wide, To, Now);
    }
  }
  /// Without failures: no number is a NaN.
  static bool quick(const F &Function, const BFloat16 *From, uint16_t *To,
                    int64_t N) {
    int Fails = 0;
    auto Above = [](float V) {
      uint32_t Bits;
      std::memcpy(&Bits, &V, sizeof Bits);
      return Bits + 0x7fff + (Bits >> 16 & 1);
    };
    int64_t K = 0;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    // By pairs, so that none is moved within a vector.
    const Elements<BFloat16> X(reinterpret_cast<const char *>(From));
    auto *Pairs = reinterpret_cast<BFloatPair *>(To);
    TENSORTIDY_INDEPENDENT
    for (; K < N / 2; ++K)
      Pairs[K] = Above(Function.quick(Fails, firstOf(X, K))) >> 16 |
                 (Above(Function.quick(Fails, secondOf(X, K))) & 0xffff0000);
    K *= 2;
#endif
    for (; K < N; ++K)
      To[K] = static_cast<uint16_t>(
          Above(Function.quick(Fails, load(From[K]))) >> 16);
    return Fails == 0;
  }
};

/// Rows of a function that is composed of others' (Math.h), block by block.
template <class F, class T, class = void>
inline constexpr bool HasBlock = false;
template <class F, class T>
inline constexpr bool
    HasBlock<F, T,
             decltype(std::declval<const F &>().block(
                 static_cast<const T *>(nullptr), static_cast<T *>(nullptr),
                 static_cast<T *>(nullptr), int64_t(0)))> = true;
template <class F, class T> struct BlockRows {
  static void run(const void *Function, char *const *First, int64_t N,
                  int64_t Rows, const int64_t *RowStep) {
    constexpr int64_t Block = 256;
    T Work[Block];
    eachRow<2>(First, Rows, RowStep, [&](char *To, char *From) {
      for (int64_t K = 0; K < N; K += Block)
        static_cast<const F *>(Function)->block(
            reinterpret_cast<const T *>(From) + K, Work,
            reinterpret_cast<T *>(To) + K, std::min(Block, N - K));
    });
  }
};

template <class Out, class In, class F> RowLoop rowLoop1() {
  using C = Compute<In>;
  if constexpr (HasQuickRow<F> && std::is_same_v<Out, BFloat16> &&
                std::is_same_v<In, BFloat16>)
    return forProcessor<QuickRows<F>>();
  else if constexpr (HasRow<F, C> && HasBlock<F, C>)
    return forProcessor<BlockRows<F, C>>();
  else if constexpr (HasRow<F, C>)
    return [](const void *Function, char *const *First, int64_t N, int64_t Rows,
              const int64_t *RowStep) {
      eachRow<2>(First, Rows, RowStep, [&](char *To, char *From) {
        static_cast<const F *>(Function)->row(reinterpret_cast<const C *>(From),
                                              reinterpret_cast<C *>(To), N);
      });
    };
  else
    return forProcessor<MapLoop<Out, F, In>>();
}

} // namespace tensortidy::detail

#endif
