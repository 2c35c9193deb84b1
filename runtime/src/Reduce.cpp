//===- Reduce.cpp - sums, extremes, softmax, norms ------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reduction splits the dimensions into kept and reduced ones. The result is
// dense over the kept ones whatever the operand's strides (trap T15).
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"
#include "Math.h"
#include "Vectors.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace tensortidy {

using detail::allocateDense;
using detail::Ar;
using detail::call;
using detail::castTo;
using detail::Dims;
using detail::impl;
using detail::orThrow;
using detail::restrided;
using detail::Shape;

namespace {

/// An operand seen as [kept..., reduced...].
struct Split {
  Dims Result;   ///< sizes of the result, with keepdim where asked
  Dims Kept;     ///< sizes of the kept dimensions
  Shape Outer;   ///< the kept dimensions
  Shape Inner;   ///< the reduced ones, offset 0
  int64_t Count; ///< elements that become one
};

Split splitDims(const Tensor &X, IntArrayRef Over, bool KeepDim, const char *Op,
                Site Here) {
  detail::reads(X, Op, Here);
  const Shape &L = impl(X).L;
  Split S;
  S.Result = orThrow(layout::reduceSizes(Ar, L.Sizes, Over, KeepDim), X, Here,
                     [&] { return call(Op, Over); });
  std::vector<bool> Gone(L.rank() + 1, Over.empty());
  for (int64_t Dim : Over) {
    const size_t D = *layout::wrapDim(Ar, Dim, L.rank());
    if (Gone[D])
      orThrow(layout::LayoutOutcome<layout::Concrete>(
                  layout::refuse<layout::Concrete>(layout::Rule::MoveDimRepeat,
                                                   {Dim})),
              X, Here, [&] { return call(Op, Over); });
    Gone[D] = true;
  }
  S.Outer.Offset = L.Offset;
  for (size_t D = 0; D < L.rank(); ++D) {
    Shape &To = Gone[D] ? S.Inner : S.Outer;
    To.Sizes.push_back(L.Sizes[D]);
    To.Strides.push_back(L.Strides[D]);
  }
  S.Kept = S.Outer.Sizes;
  S.Count = layout::numel(Ar, S.Inner.Sizes);
  return S;
}

/// The result's memory seen with the kept dimensions only.
Tensor keptOnly(const Tensor &R, const Split &S) {
  return restrided(R, layout::denseLayout(Ar, S.Kept));
}

/// For each result element: State is made, fed every operand element in order
/// of index (with its position), and finished into the result.
template <class In, class Out, class MakeState, class Feed, class Finish>
void reduceLoop(const Tensor &X, const Tensor &R, const Split &S,
                MakeState Make, Feed Feeder, Finish Finisher) {
  const Tensor To = keptOnly(R, S), From = restrided(X, S.Outer);
  // The reduced dimensions as one walk from offset 0.
  Shape Inner = S.Inner;
  detail::Walk Reduced(Inner.Sizes);
  Reduced.Count = 1;
  Reduced.Strides[0] = Inner.Strides;
  for (int64_t &T : Reduced.Strides[0])
    T *= static_cast<int64_t>(sizeof(In));
  // Merge neighbours without reordering: positions must stay.
  for (size_t D = Reduced.Sizes.size(); D-- > 1;)
    if (Reduced.Sizes[D - 1] == 1 ||
        Reduced.Strides[0][D - 1] == Reduced.Strides[0][D] * Reduced.Sizes[D]) {
      Reduced.Sizes[D] *= Reduced.Sizes[D - 1];
      Reduced.Sizes.erase(Reduced.Sizes.begin() + static_cast<long>(D - 1));
      Reduced.Strides[0].erase(Reduced.Strides[0].begin() +
                               static_cast<long>(D - 1));
    }
  detail::Walk W(S.Kept);
  W.add(To);
  W.add(From);
  W.simplify();
  W.run([&](char **P, const int64_t *Step, int64_t N) {
    for (int64_t K = 0; K < N; ++K) {
      auto State = Make();
      Reduced.Data[0] = P[1] + K * Step[1];
      int64_t At = 0;
      Reduced.run([&](char **Q, const int64_t *Move, int64_t Count) {
        const char *F = Q[0];
        if (Move[0] == sizeof(In)) {
          const auto *E = reinterpret_cast<const In *>(F);
          for (int64_t J = 0; J < Count; ++J)
            Feeder(State, detail::load(E[J]), At++);
          return;
        }
        for (int64_t J = 0; J < Count; ++J, F += Move[0])
          Feeder(State, detail::load(*reinterpret_cast<const In *>(F)), At++);
      });
      detail::store(*reinterpret_cast<Out *>(P[0] + K * Step[0]),
                    Finisher(State));
    }
  });
}

/// The same for operations whose order does not matter, by loops over packed
/// elements of the type that is computed with. Op says what they do:
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

  /// The lanes of a vector, by halves.
  template <class V> static Part acrossLanes(const Op &O, const V &A) {
    if constexpr (sizeof A == sizeof(Part)) {
      return A[0];
    } else {
      typedef Part Half __attribute__((vector_size(sizeof A / 2)));
      Half B[2];
      __builtin_memcpy(B, &A, sizeof B);
      O.join(B[0], B[1]);
      return acrossLanes(O, B[0]);
    }
  }
  /// \p N elements, a multiple of Width, by vectors that stay in registers.
  static Part inRegisters(const Op &O, const In *E, int64_t N) {
    typedef In Read __attribute__((vector_size(sizeof(In) * Width)));
    Vector All = Vector{} + Op::start();
    Read X;
    [[maybe_unused]] decltype(X == X) Nans{};
    int64_t K = 0;
    auto Take = [&](Vector &A, int64_t At) {
      __builtin_memcpy(&X, E + At, sizeof X);
      O.lanes(A, __builtin_convertvector(X, Vector));
      if constexpr (Op::NanWins)
        Nans |= X != X;
    };
    if (N >= Lanes) {
      Vector A[Vectors];
      TENSORTIDY_UNROLLED
      for (int64_t V = 0; V < Vectors; ++V)
        A[V] = All;
      for (; K + Lanes <= N; K += Lanes) {
        TENSORTIDY_UNROLLED
        for (int64_t V = 0; V < Vectors; V += 2) // each cache line, 1 KB ahead
          __builtin_prefetch(E + K + V * Width + 1024 / sizeof(In));
        TENSORTIDY_UNROLLED
        for (int64_t V = 0; V < Vectors; ++V)
          Take(A[V], K + V * Width);
      }
      TENSORTIDY_UNROLLED
      for (int64_t V = 0; V < Vectors; ++V)
        O.join(All, A[V]);
    }
    for (; K < N; K += Width)
      Take(All, K);
    if constexpr (Op::NanWins)
      for (int64_t J = 0; J < Width; ++J)
        if (Nans[J])
          return std::numeric_limits<Part>::quiet_NaN();
    return acrossLanes(O, All);
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
            T = O.add(T, inRegisters(O, E, Whole));
            K = Whole;
          }
        if (K < Now) {
          Part A = O.start();
          for (; K < Now; ++K)
            A = O.feed(A, E[K]);
          T = O.add(T, A);
        }
      }
      return T;
    }
  };
  /// Part J is fed column J of \p N rows that are \p Row bytes apart.
  struct Onto {
    static void run(const void *Function, void *Sums, int64_t Columns,
                    const char *P, int64_t Row, int64_t N) {
      const Op O = *static_cast<const Op *>(Function);
      auto *Parts = static_cast<Part *>(Sums);
      int64_t K = 0;
      for (; K + 4 <= N; K += 4, P += 4 * Row) {
        const auto *A = reinterpret_cast<const In *>(P);
        const auto *B = reinterpret_cast<const In *>(P + Row);
        const auto *C = reinterpret_cast<const In *>(P + 2 * Row);
        const auto *D = reinterpret_cast<const In *>(P + 3 * Row);
        TENSORTIDY_INDEPENDENT
        for (int64_t J = 0; J < Columns; ++J) {
          Part X = O.feed(Parts[J], A[J]);
          X = O.feed(X, B[J]);
          X = O.feed(X, C[J]);
          Parts[J] = O.feed(X, D[J]);
        }
      }
      for (; K < N; ++K, P += Row) {
        const auto *A = reinterpret_cast<const In *>(P);
        TENSORTIDY_INDEPENDENT
        for (int64_t J = 0; J < Columns; ++J)
          Parts[J] = O.feed(Parts[J], A[J]);
      }
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
  static void begin(void *Sums, void *Ofs, int64_t N) {
    std::fill_n(static_cast<Total *>(Sums), N, Op::begin());
    std::fill_n(static_cast<Part *>(Ofs), N, Op::start());
  }
};

/// The loops of one operation on elements of one type, and the last step, which
/// writes the results.
struct Reducer {
  const void *Op, *Finish;
  int64_t TotalSize;
  void (*Begin)(void *Totals, void *Parts, int64_t N);
  void (*Inside)(const void *Op, void *Totals, const char *From, int64_t N,
                 int64_t Step, int64_t Count);
  void (*Onto)(const void *Op, void *Parts, int64_t Columns, const char *From,
               int64_t Row, int64_t N);
  void (*Flush)(const void *Op, void *Totals, void *Parts, int64_t N);
  void (*End)(const void *Finish, char *To, int64_t Step, const void *Totals,
              int64_t N);
};

/// The reduced dimensions of an operand, in any order.
class Reduced {
public:
  Reduced(const Split &S, ScalarType Type) : From(Type), W(S.Inner.Sizes) {
    W.Count = 1;
    W.Strides[0] = S.Inner.Strides;
    for (int64_t &T : W.Strides[0])
      T *= From.Size;
    W.simplify();
  }
  /// Bytes from one element to the next in the innermost of them.
  int64_t step() const {
    return W.Sizes.empty() ? From.Size : W.Strides[0].back();
  }
  /// Inner(From, Step, N) for runs of those that begin at \p At.
  template <class F> void run(char *At, F Inner) {
    W.Data[0] = At;
    W.run([&](char **P, const int64_t *Step, int64_t N) {
      Inner(P[0], Step[0], N);
    });
  }
  /// All of them into one total, for \p Count totals that begin \p Further
  /// bytes apart.
  void into(char *Totals, const Reducer &By, char *At, int64_t Further,
            int64_t Count) {
    if (W.Sizes.size() == 1)
      return runsInto(Totals, By, At, W.Strides[0][0], W.Sizes[0], Further,
                      Count);
    for (; Count > 0; --Count, At += Further, Totals += By.TotalSize)
      run(At, [&](char *P, int64_t Step, int64_t N) {
        runsInto(Totals, By, P, Step, N, 0, 1);
      });
  }

  const detail::Gatherer From;

private:
  /// Runs of \p N elements; short ones that are not packed share a buffer.
  void runsInto(char *Totals, const Reducer &By, char *At, int64_t Step,
                int64_t N, int64_t Further, int64_t Count) const {
    if (Step == From.Size && !From.Converts)
      return By.Inside(By.Op, Totals, At, N, Further, Count);
    constexpr int64_t Block = 1024;
    alignas(64) char Buffer[Block * sizeof(double)];
    const int64_t Size = From.Converts ? sizeof(float) : From.Size,
                  Together = N && N < Block ? Block / N : 1;
    for (int64_t C = 0; C < Count; C += Together)
      for (int64_t K = 0; K < N; K += Block) {
        const int64_t Now = std::min(Block, N - K),
                      Some = std::min(Together, Count - C);
        From.Move(Buffer,
                  {At + C * Further + K * Step, Now, Step, Some, Further});
        By.Inside(By.Op, Totals + C * By.TotalSize, Buffer, Now, Now * Size,
                  Some);
      }
  }

  detail::Walk W;
};

/// \p X into \p R, which has the kept dimensions.
void reduce(const Tensor &X, const Tensor &R, const Split &S,
            const Reducer &By) {
  constexpr int64_t Block = 512, MostRows = 128;
  const Tensor To = keptOnly(R, S), From = restrided(X, S.Outer);
  Reduced Inner(S, impl(X).Type);
  const int64_t Size = Inner.From.Size;
  detail::Walk W(S.Kept);
  W.add(To);
  W.add(From);
  W.simplify();
  const size_t Kept = W.Sizes.size();
  // The kept dimension whose elements are nearer than those that are reduced.
  size_t Packed = Kept;
  int64_t Near = Inner.step() ? std::abs(Inner.step()) : INT64_MAX;
  for (size_t D = 0; D < Kept && Near != Size; ++D) {
    const int64_t Step = std::abs(W.Strides[1][D]);
    if (Step != 0 && Step < Near && W.Sizes[D] >= 8) {
      Packed = D;
      Near = Step;
    }
  }
  alignas(64) char Totals[Block * 8], Parts[Block * 8];
  if (Packed == Kept) {
    W.run([&](char **P, const int64_t *Step, int64_t N) {
      for (int64_t K = 0; K < N; K += Block) {
        const int64_t Now = std::min(Block, N - K);
        By.Begin(Totals, Parts, Now);
        Inner.into(Totals, By, P[1] + K * Step[1], Step[1], Now);
        By.End(By.Finish, P[0] + K * Step[0], Step[0], Totals, Now);
      }
    });
    return;
  }
  const int64_t Columns = W.Sizes[Packed], ToStep = W.Strides[0][Packed],
                Column = W.Strides[1][Packed];
  const bool Gathers = Inner.From.Converts || Column != Size;
  const int64_t Gathered = Inner.From.Converts ? sizeof(float) : Size;
  W.Sizes[Packed] = 1;
  constexpr int64_t Few = 4; // rows that are gathered at once
  alignas(64) char Buffer[Few * Block * sizeof(double)];
  W.run([&](char **P, const int64_t *Step, int64_t N) {
    for (int64_t K = 0; K < N; ++K)
      for (int64_t C = 0; C < Columns; C += Block) {
        const int64_t Now = std::min(Block, Columns - C);
        int64_t Rows = 0;
        By.Begin(Totals, Parts, Now);
        Inner.run(P[1] + K * Step[1] + C * Column, [&](char *At, int64_t Row,
                                                       int64_t Count) {
          while (Count > 0) {
            int64_t Some = std::min(Count, MostRows - Rows);
            if (Gathers) {
              Some = std::min(Some, Few);
              Inner.From.Move(Buffer, {At, Now, Column, Some, Row});
              By.Onto(By.Op, Parts, Now, Buffer, Now * Gathered, Some);
            } else {
              By.Onto(By.Op, Parts, Now, At, Row, Some);
            }
            At += Some * Row;
            Count -= Some;
            if ((Rows += Some) == MostRows) {
              By.Flush(By.Op, Totals, Parts, Now);
              Rows = 0;
            }
          }
        });
        By.Flush(By.Op, Totals, Parts, Now);
        By.End(By.Finish, P[0] + K * Step[0] + C * ToStep, ToStep, Totals, Now);
      }
  });
}

/// Elements that are computed with as \p In, by \p Op; what \p Finish makes of
/// the totals is stored as \p Out.
template <class In, class Out, class Op, class Finish>
Reducer reducer(const Op &O, const Finish &Finisher) {
  using Row = Rows<In, Op>;
  using Total = typename Op::Total;
  return {
      &O,
      &Finisher,
      sizeof(Total),
      Row::begin,
      detail::forProcessor<typename Row::Inside>(),
      detail::forProcessor<typename Row::Onto>(),
      detail::forProcessor<typename Row::Flush>(),
      [](const void *F, char *To, int64_t Step, const void *Totals, int64_t N) {
        for (int64_t K = 0; K < N; ++K)
          detail::store(*reinterpret_cast<Out *>(To + K * Step),
                        (*static_cast<const Finish *>(F))(
                            static_cast<const Total *>(Totals)[K]));
      }};
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
  detail::forProcessor<typename Rows<In, Op>::Inside>()(
      &O, &Total, reinterpret_cast<const char *>(Row), N, 0, 1);
  return Total;
}
template <class Op, class In>
typename Op::Total reduceRow(const In *Row, int64_t N) {
  return reduceRow(Op(), Row, N);
}

/// Floats are added in float, few at a time, and these sums in double.
template <class In> struct Adding {
  static constexpr bool Floats = detail::IsFloating<In>;
  using Part = std::conditional_t<Floats, detail::Compute<In>, uint64_t>;
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
  static constexpr bool Vectors = detail::IsFloating<In>, NanWins = false;
  using Part = std::conditional_t<Vectors, double, uint64_t>;
  using Total = Part;
  static Part start() { return 1; }
  template <class V> static Part feed(Part A, V X) {
    return A * static_cast<Part>(X);
  }
  template <class V> static void lanes(V &A, const V &X) { A *= X; }
  template <class V> static void join(V &A, const V &X) { A *= X; }
  static Total begin() { return 1; }
  static Total add(Total A, Part B) { return A * B; }
};
/// A NaN is greater and smaller than all.
template <class In, bool Max> struct Extreme {
  using Part = detail::Compute<In>;
  using Total = Part;
  static Part start() {
    using L = std::numeric_limits<Part>;
    if constexpr (L::has_infinity)
      return Max ? -L::infinity() : L::infinity();
    else
      return Max ? L::lowest() : L::max();
  }
  static Part feed(Part A, Part V) {
    if constexpr (std::is_same_v<Part, bool>)
      return Max ? A | V : A & V;
    else
      return ((Max ? V > A : V < A) | (V != V)) ? V : A;
  }
  static constexpr bool NanWins = std::is_floating_point_v<In>,
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
  static constexpr bool Vectors = false;
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

IntArrayRef orAll(const OptionalIntArrayRef &Dim) {
  return Dim ? *Dim : IntArrayRef();
}
ScalarType sumType(ScalarType Type, optional<ScalarType> Asked) {
  return Asked ? *Asked : isIntegralType(Type, true) ? kLong : Type;
}

/// Sums are kept in double for floating types: never less exact than libtorch.
template <class T>
using Wide = std::conditional_t<detail::IsFloating<T>, double, int64_t>;

Tensor sumOver(const Tensor &X, IntArrayRef Over, bool KeepDim,
               optional<ScalarType> Type, bool Mean, const char *Op,
               Site Here) {
  const Split S = splitDims(X, Over, KeepDim, Op, Here);
  ScalarType Out = sumType(impl(X).Type, Type);
  if (Mean && !Type)
    Out = impl(X).Type;
  if (Mean && !isFloatingType(Out))
    detail::fail("mean: a floating type is needed, not " +
                     std::string(toString(Out)),
                 X, Here);
  Tensor R = allocateDense(S.Result, Out, Op, Here);
  if (Out == kLong && isIntegralType(impl(X).Type, true)) {
    detail::dispatch(impl(X).Type, [&](auto T) {
      using E = typename decltype(T)::type;
      // A bool is a byte of 0 or 1.
      using In = std::conditional_t<std::is_same_v<E, bool>, uint8_t, E>;
      if constexpr (std::is_integral_v<E>)
        reduceFast<In, int64_t>(X, R, S, Adding<In>(), [](uint64_t Sum) {
          return static_cast<int64_t>(Sum);
        });
    });
    return R;
  }
  if (layout::broken(layout::Fault::ReductionKeepsOrder) && KeepDim &&
      !X.is_contiguous())
    impl(R).L = *layout::reverseDims(
        Ar, layout::denseLayout(Ar, layout::reverseDims(Ar, impl(R).L)->Sizes));
  const Tensor From = castTo(X, Out, Here);
  const Split Cast = splitDims(From, Over, KeepDim, Op, Here);
  detail::dispatch(Out, [&](auto T) {
    using E = typename decltype(T)::type;
    using C = detail::Compute<E>;
    reduceFast<C, E>(From, R, Cast, Adding<C>(), [&](auto Sum) {
      if constexpr (detail::IsFloating<E>)
        return Mean ? Sum / static_cast<double>(S.Count) : Sum;
      else
        return static_cast<int64_t>(Sum);
    });
  });
  return R;
}

Tensor prodOver(const Tensor &X, IntArrayRef Over, bool KeepDim,
                optional<ScalarType> Type, Site Here) {
  const ScalarType Out = sumType(impl(X, "prod", Here).Type, Type);
  const Tensor From = castTo(X, Out, Here);
  const Split S = splitDims(From, Over, KeepDim, "prod", Here);
  Tensor R = allocateDense(S.Result, Out, "prod", Here);
  detail::dispatch(Out, [&](auto T) {
    using E = typename decltype(T)::type;
    using C = detail::Compute<E>;
    reduceFast<C, E>(From, R, S, Multiplying<C>(), [](auto Product) {
      if constexpr (detail::IsFloating<E>)
        return Product;
      else
        return static_cast<int64_t>(Product);
    });
  });
  return R;
}

/// Extremes and where they stand. A NaN is greater and smaller than all.
template <class T> struct Best {
  T Value{};
  int64_t At = -1;
};
template <bool Max, class T> bool better(T New, T Old) {
  if constexpr (std::is_floating_point_v<T>)
    if (New != New)
      return Old == Old;
  return Max ? New > Old : New < Old;
}

void requireElements(const Split &S, const Tensor &X, const char *Op,
                     Site Here) {
  if (S.Count == 0)
    detail::fail(std::string(Op) + ": the reduced dimensions have no elements",
                 X, Here);
}

/// Where the extremes stand. In a packed row the extreme is found first, then
/// its place; when a kept dimension is packed, rows are compared as wholes.
template <bool Max, class E>
void positions(const Tensor &X, const Tensor &Indices, const Split &S) {
  constexpr int64_t Size = sizeof(E), Block = 256;
  // One reduced dimension, or several that are one.
  int64_t Count = 1, Row = 0;
  bool One = true;
  for (size_t D = S.Inner.Sizes.size(); D-- > 0;) {
    if (S.Inner.Sizes[D] == 1)
      continue;
    if (Count == 1)
      Row = S.Inner.Strides[D] * Size;
    else
      One = One && S.Inner.Strides[D] * Size == Row * Count;
    Count *= S.Inner.Sizes[D];
  }
  const Tensor To = keptOnly(Indices, S), From = restrided(X, S.Outer);
  detail::Walk W(S.Kept);
  W.add(To);
  W.add(From);
  W.simplify();
  if (One && Row == Size) {
    W.run([&](char **P, const int64_t *Step, int64_t N) {
      for (int64_t K = 0; K < N; ++K) {
        const auto *V = reinterpret_cast<const E *>(P[1] + K * Step[1]);
        int64_t At = 0;
        const E Top = reduceRow<Extreme<E, Max>>(V, Count);
        detail::vectorised([&] {
          auto Is = [&](int64_t J) { // a NaN is found by itself
            const E New = V[J];
            return (New == Top) | ((New != New) & (Top != Top));
          };
          for (int Found = 0; At + 32 <= Count; At += 32) {
            for (int64_t J = 0; J < 32; ++J)
              Found |= Is(At + J);
            if (Found)
              break;
          }
          while (!Is(At))
            ++At;
        });
        *reinterpret_cast<int64_t *>(P[0] + K * Step[0]) = At;
      }
    });
    return;
  }
  const size_t Last = W.Sizes.size() - 1;
  if (One && !W.Sizes.empty() && W.Strides[1][Last] == Size) {
    W.run([&](char **P, const int64_t *Step, int64_t N) {
      for (int64_t K = 0; K < N; K += Block) {
        const int64_t Now = std::min(Block, N - K);
        E Top[Block];
        int64_t At[Block] = {};
        const char *V = P[1] + K * Size;
        for (int64_t J = 0; J < Now; ++J)
          Top[J] = reinterpret_cast<const E *>(V)[J];
        detail::vectorised([&] {
          for (int64_t I = 1; I < Count; ++I) {
            const auto *Values = reinterpret_cast<const E *>(V + I * Row);
            for (int64_t J = 0; J < Now; ++J) {
              const E New = Values[J];
              const bool Is = better<Max>(New, Top[J]);
              Top[J] = Is ? New : Top[J];
              At[J] = Is ? I : At[J];
            }
          }
        });
        for (int64_t J = 0; J < Now; ++J)
          *reinterpret_cast<int64_t *>(P[0] + (K + J) * Step[0]) = At[J];
      }
    });
    return;
  }
  reduceLoop<E, int64_t>(
      X, Indices, S, [] { return Best<E>(); },
      [](Best<E> &B, E V, int64_t At) {
        if (B.At < 0 || better<Max>(V, B.Value))
          B = {V, At};
      },
      [](const Best<E> &B) { return B.At; });
}

template <bool Max>
Tensor extremeOver(const Tensor &X, IntArrayRef Over, bool KeepDim,
                   const char *Op, Site Here, Tensor *Indices = nullptr,
                   bool OnlyIndices = false) {
  const Split S = splitDims(X, Over, KeepDim, Op, Here);
  requireElements(S, X, Op, Here);
  const ScalarType Type = impl(X).Type;
  if (Indices && (Type == kHalf || Type == kBFloat16)) {
    Tensor V = extremeOver<Max>(castTo(X, kFloat, Here), Over, KeepDim, Op,
                                Here, Indices, OnlyIndices);
    if (OnlyIndices)
      return V;
    Tensor R = castTo(V, Type, Here);
    impl(R).Op = Op;
    return R;
  }
  Tensor R = OnlyIndices ? Tensor() : allocateDense(S.Result, Type, Op, Here);
  if (Indices)
    *Indices = allocateDense(S.Result, kLong, Op, Here);
  detail::dispatch(Type, [&](auto T) {
    using E = typename decltype(T)::type;
    using C = detail::Compute<E>;
    if (!OnlyIndices)
      reduceFast<C, E>(X, R, S, Extreme<C, Max>(), [](C V) { return V; });
    if constexpr (std::is_same_v<C, E>)
      if (Indices)
        positions<Max, E>(X, *Indices, S);
  });
  return R;
}

template <bool All>
Tensor truthOver(const Tensor &X, IntArrayRef Over, bool KeepDim,
                 const char *Op, Site Here) {
  const Split S = splitDims(X, Over, KeepDim, Op, Here);
  const ScalarType Type = impl(X).Type;
  // A byte tensor answers in bytes, as in libtorch.
  Tensor R = allocateDense(S.Result, Type == kByte ? kByte : kBool, Op, Here);
  detail::dispatch(Type, [&](auto T) {
    using C = detail::Compute<typename decltype(T)::type>;
    // Both are one byte of 0 or 1.
    reduceFast<C, uint8_t>(X, R, S, Truth<C, All>(),
                           [](uint8_t Is) { return Is; });
  });
  return R;
}

Tensor varianceOver(const Tensor &X, IntArrayRef Over, bool Unbiased,
                    bool KeepDim, bool Root, const char *Op, Site Here) {
  const Split S = splitDims(X, Over, KeepDim, Op, Here);
  const ScalarType Type = impl(X).Type;
  if (!isFloatingType(Type))
    detail::fail(std::string(Op) + ": a floating type is needed", X, Here);
  Tensor R = allocateDense(S.Result, Type, Op, Here);
  const auto N = static_cast<double>(S.Count);
  const double Divisor = N - (Unbiased ? 1 : 0);
  auto Finish = [&](double Squared) {
    const double V = Divisor <= 0 ? std::numeric_limits<double>::quiet_NaN()
                                  : Squared / Divisor;
    return Root ? std::sqrt(V) : V;
  };
  // The mean first, then the squares about it.
  detail::dispatchFloating(Type, [&](auto T) {
    using E = typename decltype(T)::type;
    using C = detail::Compute<E>;
    const Adding<C> Add;
    Squares About;
    const Reducer Mean = reducer<C, E>(Add, Finish),
                  Square = reducer<C, E>(About, Finish);
    const Tensor To = keptOnly(R, S), From = restrided(X, S.Outer);
    Reduced Inner(S, Type);
    detail::loop(S.Kept, {&To, &From},
                 [&](char **P, const int64_t *Step, int64_t Count) {
                   for (int64_t K = 0; K < Count; ++K) {
                     double Sum = 0, Squared = 0;
                     char *At = P[1] + K * Step[1];
                     Inner.into(reinterpret_cast<char *>(&Sum), Mean, At, 0, 1);
                     About.Middle = Sum / N;
                     Inner.into(reinterpret_cast<char *>(&Squared), Square, At,
                                0, 1);
                     Square.End(&Finish, P[0] + K * Step[0], 0, &Squared, 1);
                   }
                 });
  });
  return R;
}

Tensor normOver(const Tensor &X, double P, IntArrayRef Over, bool KeepDim,
                Site Here) {
  const Split S = splitDims(X, Over, KeepDim, "norm", Here);
  const ScalarType Type = impl(X).Type;
  if (!isFloatingType(Type))
    detail::fail("norm: a floating type is needed", X, Here);
  Tensor R = allocateDense(S.Result, Type, "norm", Here);
  detail::dispatchFloating(Type, [&](auto T) {
    using E = typename decltype(T)::type;
    if (P == 2) {
      reduceFast<detail::Compute<E>, E>(
          X, R, S, Squares(), [](double Sum) { return std::sqrt(Sum); });
      return;
    }
    const double Infinity = std::numeric_limits<double>::infinity();
    reduceLoop<E, E>(
        X, R, S, [&] { return P == -Infinity ? Infinity : 0.0; },
        [&](double &State, auto Value, int64_t) {
          const double V = std::abs(static_cast<double>(Value));
          if (P == Infinity)
            State = V > State || V != V ? V : State;
          else if (P == -Infinity)
            State = V < State || V != V ? V : State;
          else if (P == 0)
            State += V != 0;
          else
            State += P == 1 ? V : std::pow(V, P);
        },
        [&](double State) {
          return P == 0 || P == 1 || std::isinf(P) ? State
                                                   : std::pow(State, 1 / P);
        });
  });
  return R;
}

} // namespace

Tensor Tensor::sum(optional<ScalarType> dtype, Site Here) const {
  return sumOver(*this, {}, false, dtype, false, "sum", Here);
}
Tensor Tensor::sum(OptionalIntArrayRef dim, bool keepdim,
                   optional<ScalarType> dtype, Site Here) const {
  return sumOver(*this, orAll(dim), keepdim, dtype, false, "sum", Here);
}
Tensor Tensor::mean(optional<ScalarType> dtype, Site Here) const {
  return sumOver(*this, {}, false, dtype, true, "mean", Here);
}
Tensor Tensor::mean(OptionalIntArrayRef dim, bool keepdim,
                    optional<ScalarType> dtype, Site Here) const {
  return sumOver(*this, orAll(dim), keepdim, dtype, true, "mean", Here);
}
Tensor Tensor::prod(optional<ScalarType> dtype, Site Here) const {
  return prodOver(*this, {}, false, dtype, Here);
}
Tensor Tensor::prod(int64_t dim, bool keepdim, optional<ScalarType> dtype,
                    Site Here) const {
  return prodOver(*this, dim, keepdim, dtype, Here);
}
Tensor Tensor::amax(IntArrayRef dim, bool keepdim, Site Here) const {
  return extremeOver<true>(*this, dim, keepdim, "amax", Here);
}
Tensor Tensor::amin(IntArrayRef dim, bool keepdim, Site Here) const {
  return extremeOver<false>(*this, dim, keepdim, "amin", Here);
}
Tensor Tensor::max(Site Here) const {
  return extremeOver<true>(*this, {}, false, "max", Here);
}
Tensor Tensor::min(Site Here) const {
  return extremeOver<false>(*this, {}, false, "min", Here);
}
std::tuple<Tensor, Tensor> Tensor::max(int64_t dim, bool keepdim,
                                       Site Here) const {
  Tensor Indices;
  Tensor Values = extremeOver<true>(*this, dim, keepdim, "max", Here, &Indices);
  return {Values, Indices};
}
std::tuple<Tensor, Tensor> Tensor::min(int64_t dim, bool keepdim,
                                       Site Here) const {
  Tensor Indices;
  Tensor Values =
      extremeOver<false>(*this, dim, keepdim, "min", Here, &Indices);
  return {Values, Indices};
}
/// Without a dimension, positions count through all elements in order.
template <bool Max>
static Tensor positionOf(const Tensor &X, optional<int64_t> Dim, bool KeepDim,
                         const char *Op, Site Here) {
  const Shape &L = impl(X, Op, Here).L;
  auto D = layout::wrapDim(Ar, Dim.value_or(0), L.rank());
  const bool IsOne =
      Dim && L.rank() && D.ok() && L.Sizes[*D] == 1; // nothing to compare
  if (!IsOne)
    detail::requireNotBool(X, Op, Here);
  Tensor Indices;
  if (Dim)
    extremeOver<Max>(X, *Dim, KeepDim, Op, Here, &Indices, true);
  else
    extremeOver<Max>(X, {}, false, Op, Here, &Indices, true);
  return Indices;
}
Tensor Tensor::argmax(optional<int64_t> dim, bool keepdim, Site Here) const {
  return positionOf<true>(*this, dim, keepdim, "argmax", Here);
}
Tensor Tensor::argmin(optional<int64_t> dim, bool keepdim, Site Here) const {
  return positionOf<false>(*this, dim, keepdim, "argmin", Here);
}
Tensor Tensor::all(Site Here) const {
  return truthOver<true>(*this, {}, false, "all", Here);
}
Tensor Tensor::all(int64_t dim, bool keepdim, Site Here) const {
  return truthOver<true>(*this, dim, keepdim, "all", Here);
}
Tensor Tensor::any(Site Here) const {
  return truthOver<false>(*this, {}, false, "any", Here);
}
Tensor Tensor::any(int64_t dim, bool keepdim, Site Here) const {
  return truthOver<false>(*this, dim, keepdim, "any", Here);
}
Tensor Tensor::var(bool unbiased, Site Here) const {
  return varianceOver(*this, {}, unbiased, false, false, "var", Here);
}
Tensor Tensor::var(OptionalIntArrayRef dim, bool unbiased, bool keepdim,
                   Site Here) const {
  return varianceOver(*this, orAll(dim), unbiased, keepdim, false, "var", Here);
}
Tensor Tensor::std(bool unbiased, Site Here) const {
  return varianceOver(*this, {}, unbiased, false, true, "std", Here);
}
Tensor Tensor::std(OptionalIntArrayRef dim, bool unbiased, bool keepdim,
                   Site Here) const {
  return varianceOver(*this, orAll(dim), unbiased, keepdim, true, "std", Here);
}
Tensor Tensor::norm(const Scalar &p, Site Here) const {
  return normOver(*this, p.toDouble(), {}, false, Here);
}
Tensor Tensor::norm(const optional<Scalar> &p, IntArrayRef dim, bool keepdim,
                    Site Here) const {
  return normOver(*this, p ? p->toDouble() : 2, dim, keepdim, Here);
}
Tensor Tensor::count_nonzero(optional<int64_t> dim, Site Here) const {
  const Tensor Is = ne(Scalar(0), Here);
  return dim ? Is.sum(*dim, false, nullopt, Here) : Is.sum(nullopt, Here);
}
Tensor Tensor::logsumexp(IntArrayRef dim, bool keepdim, Site Here) const {
  if (!isFloatingType(impl(*this, "logsumexp", Here).Type))
    return castTo(*this, get_default_dtype(), Here)
        .logsumexp(dim, keepdim, Here);
  if (numel() == 0)
    return exp(Here).sum(dim, keepdim, nullopt, Here).log(Here);
  // The maximum is taken out, so that nothing overflows.
  Tensor Top = amax(dim, true, Here);
  Top.masked_fill_(Top.isinf(Here), Scalar(0), Here);
  Tensor R = sub(Top, 1, Here)
                 .exp(Here)
                 .sum(dim, true, nullopt, Here)
                 .log(Here)
                 .add(Top, 1, Here);
  return keepdim ? R : R.view(sum(dim, false, nullopt, Here).sizes(), Here);
}
Tensor Tensor::trace(Site Here) const {
  if (impl(*this, "trace", Here).L.rank() != 2)
    detail::fail("trace expects a matrix", *this, Here);
  detail::requireNotBool(*this, "trace", Here);
  return diagonal(0, 0, 1, Here).sum(nullopt, Here);
}

//===--- along one dimension --------------------------------------------===//

/// Line(from, step, to, step, count) for each line along \p Dim; the result is
/// dense.
template <class F>
static Tensor lines(const Tensor &X, int64_t Dim, ScalarType Type,
                    const char *Op, Site Here, F Line) {
  if (Type == kBool)
    detail::fail(std::string(Op) + " is not defined for type Bool", X, Here);
  detail::reads(X, Op, Here);
  const Tensor From = castTo(X, Type, Here);
  const Shape &L = impl(From).L;
  const size_t D = orThrow(layout::wrapDim(Ar, Dim, L.rank()), X, Here,
                           [&] { return call(Op, Dim); });
  Tensor R = allocateDense(L.Sizes, Type, Op, Here);
  if (R.numel() == 0)
    return R;
  Shape In = L, Out = impl(R).L;
  const int64_t Count = L.rank() ? L.Sizes[D] : 1;
  const int64_t StepIn = L.rank() ? In.Strides[D] : 1;
  const int64_t StepOut = L.rank() ? Out.Strides[D] : 1;
  if (L.rank())
    In.Sizes[D] = Out.Sizes[D] = 1;
  const Tensor A = restrided(From, In), B = restrided(R, Out);
  detail::dispatch(Type, [&](auto T) {
    using E = typename decltype(T)::type;
    detail::loop(
        Out.Sizes, {&B, &A}, [&](char **P, const int64_t *Step, int64_t N) {
          for (int64_t K = 0; K < N; ++K)
            Line(reinterpret_cast<const E *>(P[1] + K * Step[1]), StepIn,
                 reinterpret_cast<E *>(P[0] + K * Step[0]), StepOut, Count);
        });
  });
  return R;
}

/// A sum of one number, which must fit its type.
static Tensor numberAs(const Tensor &X, int64_t Dim, ScalarType Type,
                       const char *Op, Site Here) {
  orThrow(layout::wrapDim(Ar, Dim, 0), X, Here, [&] { return call(Op, Dim); });
  return allocateDense({}, Type, Op, Here).fill_(X, Here);
}
Tensor Tensor::cumsum(int64_t dim, optional<ScalarType> dtype,
                      Site Here) const {
  const ScalarType Type = sumType(impl(*this, "cumsum", Here).Type, dtype);
  if (this->dim() == 0)
    return numberAs(*this, dim, Type, "cumsum", Here);
  return lines(*this, dim, Type, "cumsum", Here,
               [](const auto *In, int64_t A, auto *Out, int64_t B, int64_t N) {
                 using E = std::remove_pointer_t<decltype(Out)>;
                 Wide<E> Sum = 0;
                 for (int64_t K = 0; K < N; ++K) {
                   Sum += static_cast<Wide<E>>(detail::load(In[K * A]));
                   detail::store(Out[K * B], Sum);
                 }
               });
}
Tensor Tensor::cumprod(int64_t dim, optional<ScalarType> dtype,
                       Site Here) const {
  const ScalarType Type = sumType(impl(*this, "cumprod", Here).Type, dtype);
  if (this->dim() == 0)
    return numberAs(*this, dim, Type, "cumprod", Here);
  return lines(*this, dim, Type, "cumprod", Here,
               [](const auto *In, int64_t A, auto *Out, int64_t B, int64_t N) {
                 using E = std::remove_pointer_t<decltype(Out)>;
                 Wide<E> Product = 1;
                 for (int64_t K = 0; K < N; ++K) {
                   Product *= static_cast<Wide<E>>(detail::load(In[K * A]));
                   detail::store(Out[K * B], Product);
                 }
               });
}

/// A packed row of floats.
static void softmaxRow(const float *In, float *Out, int64_t N, bool Log) {
  std::vector<float> Powers(Log ? static_cast<size_t>(N) : 0);
  float *To = Log ? Powers.data() : Out;
  const float Top = reduceRow<Extreme<float, true>>(In, N);
  detail::vectorised([&] {
    for (int64_t K = 0; K < N; ++K)
      To[K] = In[K] - Top;
  });
  detail::Exp::row(To, To, N);
  const double Sum = reduceRow<Adding<float>>(To, N);
  const auto Scale = static_cast<float>(1 / Sum);
  const auto Less = static_cast<float>(std::log(Sum));
  detail::vectorised([&] {
    if (Log)
      for (int64_t K = 0; K < N; ++K)
        Out[K] = In[K] - Top - Less;
    else
      for (int64_t K = 0; K < N; ++K)
        Out[K] = To[K] * Scale;
  });
}

static Tensor softmaxOf(const Tensor &X, int64_t Dim,
                        optional<ScalarType> Asked, bool Log, const char *Op,
                        Site Here) {
  const ScalarType Type = Asked.value_or(impl(X, Op, Here).Type);
  if (!isFloatingType(Type))
    detail::fail(std::string(Op) + " is not defined for type " + toString(Type),
                 X, Here);
  const Shape &L = impl(X).L;
  const auto D = layout::wrapDim(Ar, Dim, L.rank());
  const bool IsPacked = Type == kFloat && D.ok() && L.rank() != 0 &&
                        *D == L.rank() - 1 && L.Strides[*D] == 1;
  if (IsPacked || !D.ok() || X.numel() == 0)
    return lines(X, Dim, Type, Op, Here,
                 [Log](const auto *In, int64_t, auto *Out, int64_t, int64_t N) {
                   if constexpr (std::is_same_v<decltype(Out), float *>)
                     softmaxRow(In, Out, N, Log);
                 });
  // Whole tensors at a time, whose lines lie in any direction.
  detail::reads(X, Op, Here);
  const Site Inside = Site::none();
  const Tensor From = castTo(X, Type == kDouble ? kDouble : kFloat, Inside);
  const Tensor Less = From.sub(From.amax(Dim, true, Inside), 1, Inside);
  const Tensor Powers = Less.exp(Inside);
  const Tensor Sum = Powers.sum(Dim, true, nullopt, Inside);
  Tensor R = allocateDense(L.Sizes, Type, Op, Here);
  R.copy_(Log ? Less.sub_(Sum.log_(Inside), 1, Inside)
              : Powers.mul_(Sum.reciprocal_(Inside), Inside),
          false, Inside);
  return R;
}
Tensor Tensor::softmax(int64_t dim, optional<ScalarType> dtype,
                       Site Here) const {
  return softmaxOf(*this, dim, dtype, false, "softmax", Here);
}
Tensor Tensor::log_softmax(int64_t dim, optional<ScalarType> dtype,
                           Site Here) const {
  return softmaxOf(*this, dim, dtype, true, "log_softmax", Here);
}

Tensor layer_norm(const Tensor &input, IntArrayRef normalized_shape,
                  const optional<Tensor> &weight, const optional<Tensor> &bias,
                  double eps, bool /*cudnn_enable*/, Site Here) {
  detail::reads(input, "layer_norm", Here);
  const Shape &L = impl(input).L;
  const size_t N = normalized_shape.size();
  if (!isFloatingType(impl(input).Type))
    detail::fail("layer_norm: a floating type is needed", input, Here);
  bool Fits = N >= 1 && N <= L.rank();
  for (size_t D = 0; Fits && D < N; ++D)
    Fits = L.Sizes[L.rank() - N + D] == normalized_shape[D];
  if (!Fits)
    detail::fail(call("layer_norm", normalized_shape) +
                     ": the last sizes of the tensor are not these",
                 input, Here);
  for (const auto *P : {&weight, &bias})
    if (*P && (*P)->defined() && (*P)->sizes() != normalized_shape)
      detail::fail(call("layer_norm", normalized_shape) +
                       ": weight and bias must have these sizes",
                   **P, Here);
  // libtorch looks at the types when it computes a row.
  int64_t Outer = 1;
  for (size_t D = 0; D + N < L.rank(); ++D)
    Outer *= L.Sizes[D];
  for (const auto *P : {&weight, &bias})
    if (Outer && *P && (*P)->defined() && impl(**P).Type != impl(input).Type)
      detail::fail(std::string("layer_norm: tensors of types ") +
                       toString(impl(input).Type) + " and " +
                       toString(impl(**P).Type),
                   **P, Here);
  // 16-bit numbers are computed with as floats.
  const ScalarType Type = impl(input).Type,
                   Computed = Type == kDouble ? kDouble : kFloat;
  auto Packed = [&](const Tensor &T) {
    return castTo(T, Computed, Here).contiguous(MemoryFormat::Contiguous, Here);
  };
  auto PackedOr = [&](const optional<Tensor> &P) {
    return P && P->defined() ? Packed(*P) : Tensor();
  };
  const Tensor X = Packed(input), W = PackedOr(weight), B = PackedOr(bias);
  Tensor R = allocateDense(L.Sizes, Computed, "layer_norm", Here);
  const int64_t Inner = layout::numel(Ar, detail::dims(normalized_shape));
  const int64_t Rows = Inner ? X.numel() / Inner : 0;
  detail::dispatchFloating(Computed, [&](auto T) {
    using E = typename decltype(T)::type;
    using C = detail::Compute<E>;
    auto Data = [](const Tensor &T) {
      return T.defined() ? reinterpret_cast<C *>(impl(T).data()) : nullptr;
    };
    const C *In = Data(X), *Scales = Data(W), *Offsets = Data(B);
    C *Out = Data(R);
    for (int64_t Row = 0; Row < Rows; ++Row, In += Inner, Out += Inner) {
      const auto N = static_cast<double>(Inner);
      Squares About;
      About.Middle = reduceRow<Adding<C>>(In, Inner) / N;
      const double Square = reduceRow(About, In, Inner);
      const auto Mean = static_cast<C>(About.Middle);
      const auto Scale = static_cast<C>(1 / std::sqrt(Square / N + eps));
      detail::vectorised([=] {
        TENSORTIDY_INDEPENDENT
        for (int64_t K = 0; K < Inner; ++K)
          Out[K] = (In[K] - Mean) * Scale;
        if (Scales) {
          TENSORTIDY_INDEPENDENT
          for (int64_t K = 0; K < Inner; ++K)
            Out[K] *= Scales[K];
        }
        if (Offsets) {
          TENSORTIDY_INDEPENDENT
          for (int64_t K = 0; K < Inner; ++K)
            Out[K] += Offsets[K];
        }
      });
    }
  });
  R = castTo(R, Type, Here);
  impl(R).Op = "layer_norm";
  return R;
}

} // namespace tensortidy
