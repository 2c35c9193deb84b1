//===- Reduce.h - many elements become one ----------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reduction splits the dimensions into kept and reduced ones. The result is
// dense over the kept ones whatever the operand's strides (trap T15). What is
// done to the elements is an operation of parts and totals, below.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_RUNTIME_REDUCE_H
#define TENSORTIDY_RUNTIME_REDUCE_H

#include "kernels/Elementwise.h"
#include "kernels/Vectors.h"
#include <algorithm>
#include <limits>

namespace tensortidy::detail {

/// An operand seen as [kept..., reduced...].
struct Split {
  Dims Result;   ///< sizes of the result, with keepdim where asked
  Dims Kept;     ///< sizes of the kept dimensions
  Shape Outer;   ///< the kept dimensions
  Shape Inner;   ///< the reduced ones, offset 0
  int64_t Count; ///< elements that become one
};

Split splitDims(const Tensor &X, IntArrayRef Over, bool KeepDim, const char *Op,
                Site Here);
/// The result's memory seen with the kept dimensions only.
Tensor keptOnly(const Tensor &R, const Split &S);

/// Whether the processor is faster at numbers one by one than at what stands in
/// for a vector's instruction.
template <class Op> inline constexpr bool InChains = false;

/// An operation whose order does not matter, by loops over packed elements of
/// the type that is computed with. Op says what they do:
///
///   Part, start(), feed(Part, V)       what one lane holds
///   lanes(Parts, Vs), join(Parts, Parts)   many of them, as vectors
///   Total, begin(), add(Total, Part)   what parts become, after few feeds
///
/// A packed reduced dimension is summed by lanes, row by row; when a kept one
/// is packed, rows are added onto a row of parts:
///
///   reduce inside  # # # # -> .      reduce outside  # # # #
///                  # # # # -> .                      # # # #
///                                                    . . . .
template <class In, class Op> struct Rows {
  using Part = typename Op::Part;
  using Total = typename Op::Total;
  using Lane = std::conditional_t<Op::Vectors, Part, int>;
  typedef Lane Vector __attribute__((vector_size(32)));
  /// Enough of them for the latency of additions; and how many elements go into
  /// one part.
  static constexpr int64_t Width = sizeof(Vector) / sizeof(Part), Vectors = 8,
                           Lanes = Width * Vectors, Most = 4096;

  /// The lanes of a vector into the total, by halves. The last two are added
  /// as they are, so that a small product is not a subnormal part before.
  template <class V>
  static Total acrossLanes(const Op &O, Total T, const V &A) {
    if constexpr (sizeof A == 2 * sizeof(Part)) {
      if constexpr (Op::NanWins) // T alone may be one
        return O.pick(O.pick(A[0], A[1]), T);
      else
        return O.add(O.add(T, A[0]), A[1]);
    } else {
      typedef Part Half __attribute__((vector_size(sizeof A / 2)));
      Half B[2];
      __builtin_memcpy(B, &A, sizeof B);
      O.join(B[0], B[1]);
      return acrossLanes(O, T, B[0]);
    }
  }
  /// \p N vectors into the first, by halves.
  template <int64_t N> static void joinAll(const Op &O, Vector *A) {
    if constexpr (N > 1) {
      TENSORTIDY_UNROLLED
      for (int64_t V = 0; V < N / 2; ++V)
        O.join(A[V], A[V + N / 2]);
      joinAll<N / 2>(O, A);
    }
  }
  /// Is the sum of the lanes a NaN?
  template <class V> static bool isNan(const V &A) {
    if constexpr (sizeof A == 2 * sizeof(Part)) {
      return __builtin_isunordered(A[0], A[1]);
    } else {
      typedef Part Half __attribute__((vector_size(sizeof A / 2)));
      Half B[2];
      __builtin_memcpy(B, &A, sizeof B);
      return isNan(B[0] + B[1]);
    }
  }
  static bool anyNanOf(const In *E, int64_t N) {
    return std::any_of(E, E + N, [](const In &V) {
      const auto X = load(V);
      return X != X;
    });
  }
  /// The elements at \p E as parts; written so that compilers find the
  /// instruction.
  template <size_t... I>
  static void read(Vector &To, const In *E, std::index_sequence<I...>) {
    if constexpr (std::is_same_v<In, BFloat16>) {
      static_assert(std::is_same_v<Part, float>);
      typedef uint32_t Bits __attribute__((vector_size(sizeof(Vector))));
      To = reinterpret_cast<Vector>(Bits{uint32_t(E[I].x)...} << 16);
    } else {
      typedef In Read __attribute__((vector_size(sizeof(In) * Width)));
      Read X;
      __builtin_memcpy(&X, E, sizeof X);
      if constexpr (sizeof(In) == sizeof(Part))
        To = __builtin_convertvector(X, Vector);
      else
        To = Vector{static_cast<Part>(X[I])...};
    }
  }
  /// So many vectors at a time of \p N elements, from the one at \p K on, are
  /// added to \p All.
  template <int64_t Vs>
  static void byMany(const Op &O, const In *E, int64_t &K, int64_t N,
                     Vector &All, Vector &Sum) {
    Vector A[Vs], X[Vs];
    A[0] = All;
    TENSORTIDY_UNROLLED
    for (int64_t V = 1; V < Vs; ++V)
      A[V] = Vector{} + Op::start();
    for (; K + Vs * Width <= N; K += Vs * Width) {
      TENSORTIDY_UNROLLED
      for (int64_t V = 0; V < Vs; V += 2) // each cache line
        __builtin_prefetch(E + K + V * Width + 256 / sizeof(In));
      TENSORTIDY_UNROLLED
      for (int64_t V = 0; V < Vs; ++V) {
        read(X[V], E + K + V * Width, std::make_index_sequence<Width>());
        O.lanes(A[V], X[V]);
      }
      // A NaN among them makes the sum one, in fewer steps than comparing.
      if constexpr (Op::NanWins) {
        TENSORTIDY_UNROLLED
        for (int64_t V = 0; V < Vs; V += 2)
          X[V] += X[V + 1];
        TENSORTIDY_UNROLLED
        for (int64_t V = 0; V < Vs; V += 4)
          X[V] += X[V + 2];
        Sum += Vs > 4 ? X[0] + X[4 % Vs] : X[0];
      }
    }
    joinAll<Vs>(O, A);
    All = A[0];
  }
  /// \p N elements, a multiple of Width, by vectors that stay in registers,
  /// into \p T. Short rows have fewer of these vectors, so that less is left to
  /// be joined at their end.
  static Total inRegisters(const Op &O, Total T, const In *E, int64_t N) {
    Vector All = Vector{} + Op::start();
    Vector Sum{};
    int64_t K = 0;
    if (N >= 2 * Lanes)
      byMany<Vectors>(O, E, K, N, All, Sum);
    if (K + Lanes / 2 <= N)
      byMany<Vectors / 2>(O, E, K, N, All, Sum);
    for (; K < N; K += Width) {
      Vector X;
      read(X, E + K, std::make_index_sequence<Width>());
      O.lanes(All, X);
      if constexpr (Op::NanWins)
        Sum += X;
    }
    if constexpr (Op::NanWins) // or infinities, or large numbers
      if (__builtin_expect(isNan(Sum), 0) && anyNanOf(E, N))
        return std::numeric_limits<Part>::quiet_NaN();
    return acrossLanes(O, T, All);
  }
  /// All of \p N packed elements are added to the total, for \p Count of these
  /// that are \p Step bytes apart.
  struct Inside {
    static void run(const void *Function, void *Totals, const char *From,
                    int64_t N, int64_t Step, int64_t Count) {
      const Op O = *static_cast<const Op *>(Function);
      for (auto *T = static_cast<Total *>(Totals); Count > 0;
           --Count, ++T, From += Step)
        *T = row(O, *T, reinterpret_cast<const In *>(From), N);
    }
    static Total row(const Op &O, Total T, const In *E, int64_t N) {
      for (; N > 0; E += Most, N -= Most) {
        const int64_t Now = std::min(N, Most), Whole = Now / Width * Width;
        int64_t K = 0;
        if constexpr (Op::Vectors)
          if (Whole) {
            T = inRegisters(O, T, E, Whole);
            K = Whole;
          }
        if (K < Now) {
          Part A = O.start();
          if constexpr (InChains<Op>)
            A = byFour(O, A, E, K, Now);
          TENSORTIDY_BY_TWO
          for (; K < Now; ++K)
            A = O.feed(A, load(E[K]));
          T = O.add(T, A);
        }
      }
      return T;
    }
  };
  /// Elements from the one at \p K on, one by one, into four parts that need
  /// not wait for each other.
  static Part byFour(const Op &O, Part A, const In *E, int64_t &K, int64_t N) {
    Part B[] = {A, O.start(), O.start(), O.start()};
    for (; K + 4 <= N; K += 4)
      TENSORTIDY_UNROLLED
    for (int64_t I = 0; I < 4; ++I) {
      B[I] = O.feed(B[I], load(E[K + I]));
#if defined(__GNUC__)
      __asm__("" : "+r"(B[I])); // not by vectors
#endif
    }
    O.join(B[0], B[1]);
    O.join(B[2], B[3]);
    O.join(B[0], B[2]);
    return B[0];
  }
  /// A part that is fed several numbers. Whether one of them is a NaN is asked
  /// of two at once.
  template <class... Vs> static Part fed(const Op &O, Part A, Vs... V) {
    if constexpr (Op::NanWins) {
      ((A = O.pick(V, A)), ...);
      return orNan(A, anyNan(V...));
    } else {
      ((A = O.feed(A, V)), ...);
      return A;
    }
  }
  template <class... Vs> static bool anyNan(Part V, Part W, Vs... Rest) {
    const bool Is = __builtin_isunordered(V, W);
    if constexpr (sizeof...(Rest) > 0)
      return Is | anyNan(Rest...);
    return Is;
  }
  static bool anyNan(Part V) { return V != V; }
  /// Calls Feed(P, 0 .. R - 1) for so many of \p N rows at a time, which part
  /// by part are fed as one.
  template <class F>
  static void byRows(const char *P, int64_t Row, int64_t N, F Feed) {
    for (; N >= 8; N -= 8, P += 8 * Row)
      Feed(P, std::make_index_sequence<8>());
    for (; N >= 4; N -= 4, P += 4 * Row)
      Feed(P, std::make_index_sequence<4>());
    for (; N > 0; --N, P += Row)
      Feed(P, std::index_sequence<0>());
  }
  /// Part J is fed column J of \p N rows that are \p Row bytes apart.
  struct Onto {
    static void run(const void *Function, void *Sums, int64_t Columns,
                    const char *P, int64_t Row, int64_t N) {
      const Op O = *static_cast<const Op *>(Function);
      auto *Parts = static_cast<Part *>(Sums);
      if constexpr (Op::Vectors && !Op::NanWins)
        switch (N >= 8 && Columns % Width == 0 ? Columns / Width : 0) {
        case 4:
          return stay<4>(O, Parts, P, Row, N);
        case 8:
          return stay<8>(O, Parts, P, Row, N);
        case 12:
          return stay<12>(O, Parts, P, Row, N);
        default:
          break;
        }
      byRows(P, Row, N, [&](const char *From, auto Rows) {
        together(O, Parts, Columns, From, Row, Rows);
      });
    }
    /// Parts that are so few vectors stay in registers.
    template <int64_t Vs>
    static void stay(const Op &O, Part *Parts, const char *P, int64_t Row,
                     int64_t N) {
      Vector A[Vs];
      TENSORTIDY_UNROLLED
      for (int64_t V = 0; V < Vs; ++V)
        __builtin_memcpy(&A[V], Parts + V * Width, sizeof(Vector));
      for (; N > 0; --N, P += Row) {
        const auto *E = reinterpret_cast<const In *>(P);
        TENSORTIDY_UNROLLED
        for (int64_t V = 0; V < Vs; V += 2) // each cache line
          __builtin_prefetch(E + V * Width + 256 / sizeof(In));
        TENSORTIDY_UNROLLED
        for (int64_t V = 0; V < Vs; ++V) {
          Vector X;
          read(X, E + V * Width, std::make_index_sequence<Width>());
          O.lanes(A[V], X);
        }
      }
      TENSORTIDY_UNROLLED
      for (int64_t V = 0; V < Vs; ++V)
        __builtin_memcpy(Parts + V * Width, &A[V], sizeof(Vector));
    }
    template <size_t... I>
    static void together(const Op &O, Part *Parts, int64_t Columns,
                         const char *P, int64_t Row,
                         std::index_sequence<I...>) {
      const In *const From[] = {
          reinterpret_cast<const In *>(P + int64_t(I) * Row)...};
      TENSORTIDY_INDEPENDENT TENSORTIDY_BY_TWO for (int64_t J = 0; J < Columns;
                                                    ++J) {
        Parts[J] = fed(O, Parts[J], load(From[I][J])...);
      }
    }
  };
  /// The same of columns that are \p Column bytes apart. Of numbers of 8 bytes
  /// so few fit into a vector that these are not packed before.
  struct Apart {
    static constexpr bool Pays = sizeof(In) == 8 && !Op::NanWins;
    static void run(const void *Function, void *Sums, int64_t Columns,
                    const char *P, int64_t Column, int64_t Row, int64_t N) {
      const Op O = *static_cast<const Op *>(Function);
      auto *Parts = static_cast<Part *>(Sums);
      byRows(P, Row, N, [&](const char *From, auto Rows) {
        together(O, Parts, Columns, From, Column, Row, Rows);
      });
    }
    template <size_t... I>
    static void together(const Op &O, Part *Parts, int64_t Columns,
                         const char *P, int64_t Column, int64_t Row,
                         std::index_sequence<I...>) {
      const char *const From[] = {P + int64_t(I) * Row...};
      for (int64_t J = 0; J < Columns; ++J)
        Parts[J] =
            fed(O, Parts[J],
                load(*reinterpret_cast<const In *>(From[I] + J * Column))...);
    }
  };
  /// Parts are added to their totals, and begin anew.
  struct Flush {
    static void run(const void *Function, void *Sums, void *Ofs, int64_t N) {
      const Op O = *static_cast<const Op *>(Function);
      auto *Totals = static_cast<Total *>(Sums);
      auto *Parts = static_cast<Part *>(Ofs);
      TENSORTIDY_INDEPENDENT
      for (int64_t J = 0; J < N; ++J) {
        Totals[J] = O.add(Totals[J], Parts[J]);
        Parts[J] = O.start();
      }
    }
  };
  /// The second parts into the first, which begin anew.
  struct Join {
    static void run(const void *Function, void *Ofs, void *Others, int64_t N) {
      const Op O = *static_cast<const Op *>(Function);
      auto *Parts = static_cast<Part *>(Ofs),
           *More = static_cast<Part *>(Others);
      TENSORTIDY_INDEPENDENT
      for (int64_t J = 0; J < N; ++J) {
        Parts[J] =
            static_cast<Part>(O.add(static_cast<Total>(Parts[J]), More[J]));
        More[J] = O.start();
      }
    }
  };
  static void begin(void *Sums, void *Ofs, int64_t N) {
    if (Sums)
      std::fill_n(static_cast<Total *>(Sums), N, Op::begin());
    std::fill_n(static_cast<Part *>(Ofs), N, Op::start());
  }
};

/// The last step: totals are finished and stored. Parts that are all there is
/// need not become totals before.
template <class Out, class Op, class Finish> struct Ends {
  using Total = typename Op::Total;
  template <class F>
  static void each(const Finish &Finisher, char *To, int64_t Step, int64_t N,
                   F Get) {
    if (Step == sizeof(Out)) {
      TENSORTIDY_INDEPENDENT
      for (int64_t K = 0; K < N; ++K)
        store(reinterpret_cast<Out *>(To)[K], Finisher(Get(K)));
      return;
    }
    for (int64_t K = 0; K < N; ++K)
      store(*reinterpret_cast<Out *>(To + K * Step), Finisher(Get(K)));
  }
  static void run(const void *Finisher, char *To, int64_t Step,
                  const void *Totals, const void *Parts, int64_t N) {
    const Finish F = *static_cast<const Finish *>(Finisher);
    if (Totals) {
      each(F, To, Step, N, [T = static_cast<const Total *>(Totals)](int64_t K) {
        return T[K];
      });
      return;
    }
    each(F, To, Step, N,
         [P = static_cast<const typename Op::Part *>(Parts)](int64_t K) {
           return P[K];
         });
  }
};

/// The loops of one operation on elements of one type, and the last step, which
/// writes the results.
struct Reducer {
  const void *Op, *Finish;
  bool AsBits; ///< the loops read 16-bit numbers as they are
  int64_t TotalSize, PartSize;
  void (*Begin)(void *Totals, void *Parts, int64_t N);
  void (*Inside)(const void *Op, void *Totals, const char *From, int64_t N,
                 int64_t Step, int64_t Count);
  void (*Onto)(const void *Op, void *Parts, int64_t Columns, const char *From,
               int64_t Row, int64_t N);
  void (*Apart)(const void *Op, void *Parts, int64_t Columns, const char *From,
                int64_t Column, int64_t Row, int64_t N); ///< or null
  void (*Flush)(const void *Op, void *Totals, void *Parts, int64_t N);
  void (*Join)(const void *Op, void *Parts, void *Others, int64_t N);
  /// Of totals, or where these are null of parts.
  void (*End)(const void *Finish, char *To, int64_t Step, const void *Totals,
              const void *Parts, int64_t N);
};

/// \p X into \p R, which has the kept dimensions.
void reduce(const Tensor &X, const Tensor &R, const Split &S,
            const Reducer &By);

/// What elements of type E are read as: the processor has an instruction for
/// halves, and rows of them are converted first.
template <class E>
using Readable = std::conditional_t<std::is_same_v<E, BFloat16>, E, Compute<E>>;

template <class Row> decltype(Reducer::Apart) apart() {
  if constexpr (Row::Apart::Pays)
    return forProcessor<typename Row::Apart>();
  return nullptr;
}
/// Elements that are read as \p In, by \p Op; what \p Finish makes of
/// the totals is stored as \p Out.
template <class In, class Out, class Op, class Finish>
Reducer reducer(const Op &O, const Finish &Finisher) {
  using Row = Rows<In, Op>;
  return {&O,
          &Finisher,
          std::is_same_v<In, BFloat16>,
          sizeof(typename Op::Total),
          sizeof(typename Op::Part),
          Row::begin,
          forProcessor<typename Row::Inside>(),
          forProcessor<typename Row::Onto>(),
          apart<Row>(),
          forProcessor<typename Row::Flush>(),
          forProcessor<typename Row::Join>(),
          forProcessor<Ends<Out, Op, Finish>>()};
}
template <class In, class Out, class Op, class Finish>
void reduceFast(const Tensor &X, const Tensor &R, const Split &S, const Op &O,
                const Finish &Finisher) {
  reduce(X, R, S, reducer<In, Out>(O, Finisher));
}
/// \p N packed elements.
template <class Op, class In>
typename Op::Total reduceRow(const Op &O, const In *Row, int64_t N) {
  typename Op::Total Total = O.begin();
  forProcessor<typename Rows<In, Op>::Inside>()(
      &O, &Total, reinterpret_cast<const char *>(Row), N, 0, 1);
  return Total;
}
template <class Op, class In>
typename Op::Total reduceRow(const In *Row, int64_t N) {
  return reduceRow(Op(), Row, N);
}

/// Floats are added in float, few at a time, and these sums in double. So many
/// integers of up to 16 bits have a sum of 32.
template <class In> struct Adding {
  static constexpr bool Floats = IsFloating<In>;
  using Part = std::conditional_t<
      Floats, Compute<In>,
      std::conditional_t<sizeof(In) <= 2, int32_t, uint64_t>>;
  using Total = std::conditional_t<Floats, double, uint64_t>;
  static constexpr bool Vectors = Floats || sizeof(In) == 8, NanWins = false;
  static Part start() { return 0; }
  template <class V> static Part feed(Part A, V X) {
    return A + static_cast<Part>(X);
  }
  template <class V> static void lanes(V &A, const V &X) { A += X; }
  template <class V> static void join(V &A, const V &X) { A += X; }
  static Total begin() { return 0; }
  static Total add(Total A, Part B) { return A + static_cast<Total>(B); }
};
template <class In> struct Multiplying {
  static constexpr bool Vectors = IsFloating<In>, NanWins = false;
  using Part = std::conditional_t<Vectors, Compute<In>, uint64_t>;
  using Total = std::conditional_t<Vectors, double, uint64_t>;
  static Part start() { return 1; }
  template <class V> static Part feed(Part A, V X) {
    return A * static_cast<Part>(X);
  }
  template <class V> static void lanes(V &A, const V &X) { A *= X; }
  template <class V> static void join(V &A, const V &X) { A *= X; }
  static Total begin() { return 1; }
  static Total add(Total A, Part B) { return A * static_cast<Total>(B); }
};
template <class In>
inline constexpr bool InChains<Multiplying<In>> = !Multiplying<In>::Vectors;
/// A NaN is greater and smaller than all.
template <class In, bool Max> struct Extreme {
  using Part = Compute<In>;
  using Total = Part;
  static Part start() {
    using L = std::numeric_limits<Part>;
    if constexpr (L::has_infinity)
      return Max ? -L::infinity() : L::infinity();
    else
      return Max ? L::lowest() : L::max();
  }
  /// \p A where one is a NaN.
  static Part pick(Part V, Part A) { return (Max ? V > A : V < A) ? V : A; }
  static Part feed(Part A, Part V) {
    if constexpr (std::is_same_v<Part, bool>)
      return Max ? A | V : A & V;
    if constexpr (NanWins)
      return orNan(pick(V, A), V != V);
    else
      return pick(V, A);
  }
  static constexpr bool NanWins = std::is_floating_point_v<Part>,
                        Vectors = NanWins || sizeof(In) >= 4;
  template <class V> static void lanes(V &A, const V &X) { // but for NaNs
    if constexpr (Max)
      A = X > A ? X : A;
    else
      A = X < A ? X : A;
  }
  template <class V> static void join(V &A, const V &X) { lanes(A, X); }
  static Total begin() { return start(); }
  static Total add(Total A, Part B) { return feed(A, B); }
};
/// Of squares, as floats where that is what they are of.
template <class In> struct AddingSquares : Adding<In> {
  using typename Adding<In>::Part;
  template <class V> static Part feed(Part A, V X) {
    const Part Value = static_cast<Part>(X);
    return A + Value * Value;
  }
  template <class V> static void lanes(V &A, const V &X) { A += X * X; }
};
/// Of what numbers are without their signs.
template <class Op> struct OfSizes : Op {
  using typename Op::Part;
  template <class V> static Part feed(Part A, V X) {
    return Op::feed(A, X < V(0) ? -X : X);
  }
  static Part pick(Part V, Part A) { return Op::pick(V < Part(0) ? -V : V, A); }
  template <class V> static void lanes(V &A, const V &X) {
    Op::lanes(A, X < 0 ? -X : X);
  }
};
/// Of squares, about \p Middle.
struct Squares {
  using Part = double;
  using Total = double;
  static constexpr bool Vectors = true, NanWins = false;
  double Middle = 0;
  static Part start() { return 0; }
  template <class V> Part feed(Part A, V X) const {
    const double D = static_cast<double>(X) - Middle;
    return A + D * D;
  }
  template <class V> void lanes(V &A, const V &X) const {
    const V D = X - Middle;
    A += D * D;
  }
  template <class V> static void join(V &A, const V &X) { A += X; }
  static Total begin() { return 0; }
  static Total add(Total A, Part B) { return A + B; }
};
template <class In, bool All> struct Truth {
  static constexpr bool Vectors = false, NanWins = false;
  using Part = uint8_t;
  using Total = uint8_t;
  static Part start() { return All; }
  template <class V> static Part feed(Part A, V X) {
    const Part Is = X != V(0);
    return All ? A & Is : A | Is;
  }
  static Total begin() { return All; }
  static Total add(Total A, Part B) { return feed(A, B); }
};

struct Counting { // what is not 0
  static constexpr bool Vectors = false, NanWins = false;
  using Part = uint64_t;
  using Total = uint64_t;
  static Part start() { return 0; }
  template <class V> static Part feed(Part A, V X) { return A + (X != V(0)); }
  static Total begin() { return 0; }
  static Total add(Total A, Part B) { return A + B; }
};

inline IntArrayRef orAll(const OptionalIntArrayRef &Dim) {
  return Dim ? *Dim : IntArrayRef();
}
inline ScalarType sumType(ScalarType Type, optional<ScalarType> Asked) {
  return Asked ? *Asked : isIntegralType(Type, true) ? kLong : Type;
}

} // namespace tensortidy::detail

#endif
