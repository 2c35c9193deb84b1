//===- Copy.cpp - moving elements between layouts and types ---------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// copy_() and what is made of it: clone, contiguous, to, reshape. A copy that
// turns the innermost dimension goes by square tiles, so that both sides are
// read and written in whole cache lines:
//
//   from  . . . .      to  . . . .
//         # # . .          # . . .      one tile: rows of the one are
//         # # . .          # . . .      columns of the other
//
//===----------------------------------------------------------------------===//

#include "core/Release.h"
#include "core/Report.h"
#include "kernels/Loop.h"
#include "kernels/Narrow.h"
#include "kernels/Turn.h"
#include "kernels/Vectors.h"
#include <algorithm>
#include <cstring>
#include <vector>

namespace tensortidy {

using detail::Ar;
using detail::call;
using detail::dims;
using detail::Event;
using detail::impl;
using detail::observe;
using detail::orThrow;
using detail::Shape;
using detail::viewOf;

namespace detail {

/// One or two dimensions as one.
struct Run {
  int64_t Count, Step; ///< of the inner dimension
  int64_t Outer = 1, OuterStep = 0;
  std::vector<int64_t> At = {}; ///< of two: where each element is
  int64_t size() const { return Count * Outer; }
};

/// A plane of elements. To is packed along Columns and From along Rows; each
/// run has the other side's steps.
struct Plane {
  char *To;
  const char *From;
  const char *Next; ///< where the plane begins that is copied after this, or 0
  Run Rows;         ///< in To
  Run Columns;      ///< in From
  bool Stream;      ///< write past the caches, as memcpy does with as much
};

constexpr int64_t Line = 64; // bytes

#if defined(__SSE2__)
/// A square, one cache line wide, is turned in a buffer, so that the target is
/// written in whole lines.
template <class E, class T, class F> static void turnTile(T To, F From) {
  constexpr int64_t Tile = Line / sizeof(E);
  alignas(Line) char Buffer[Tile * Line];
  const Even<char *> Lines{Buffer, Line};
  turn<E, true>(Lines, From, Tile, Tile);
  for (int64_t I = 0; I < Tile; ++I)
    std::memcpy(To[I], Lines[I], Line);
}
#endif

/// By tiles, in the order of the numbers: lines of the target that are
/// neighbours follow each other soon, and what the source needs two rows of
/// tiles later is fetched before, since no processor foresees it, into the
/// second cache: in the first, lines that far apart push each other out. Blocks
/// are narrow: their columns compete for the same lines of the caches where the
/// source's rows are a power of two. After the last comes the next plane.
///
///   1 2 | 5 6        each row of tiles in one block of columns, then the next
///   3 4 | 7 8
template <class E, class T, class F>
static void copyNear(const Plane &P, T To, F From, F Next) {
  constexpr int64_t Size = sizeof(E), Tile = Line / Size, Block = 2 * Tile,
                    Later = 2;
  const int64_t Rows = P.Rows.size(), Columns = P.Columns.size(),
                Deep = (Rows + Tile - 1) / Tile * Tile,
                Wide = (Columns + Block - 1) / Block * Block;
  for (int64_t B = 0; B < Columns; B += Block) {
    const int64_t Width = std::min(Block, Columns - B);
    for (int64_t R = 0; R < Rows; R += Tile) {
      const int64_t H = std::min(Tile, Rows - R);
      int64_t Down = R + Later * Tile, Ahead = B;
      for (; Down >= Deep; Down -= Deep)
        Ahead += Block;
      const bool IsNext = Ahead >= Wide;
      const F Then = IsNext ? Next : From;
      Ahead -= IsNext ? Wide : 0;
      for (int64_t C = 0; C < Width; C += Tile) {
        const int64_t W = std::min(Tile, Width - C);
        const T Lines = To.from(R, (B + C) * Size);
        const F Turned = From.from(B + C, R * Size);
#if defined(__SSE2__)
        if (Then.First)
          for (int64_t J = 0; J < std::min(W, Columns - Ahead - C); ++J)
            _mm_prefetch(Then[Ahead + C + J] + Down * Size, _MM_HINT_T1);
        if (W == Tile && H == Tile && Size < 8) {
          turnTile<E>(Lines, Turned);
          continue;
        }
#endif
        turn<E>(Lines, Turned, H, W);
      }
    }
  }
}

#if defined(__SSE2__)
/// Lines that begin at their beginning go past the caches, best in one store.
static void streamLines(char *To, const char *From, int64_t Lines) {
  for (int64_t I = 0; I < Lines * Line; I += 16)
    _mm_stream_si128(
        reinterpret_cast<__m128i *>(To + I),
        _mm_loadu_si128(reinterpret_cast<const __m128i *>(From + I)));
}
#if defined(TENSORTIDY_AVX2)
TENSORTIDY_AVX2 static void streamLinesByTwo(char *To, const char *From,
                                             int64_t Lines) {
  for (int64_t I = 0; I < Lines * Line; I += 32)
    _mm256_stream_si256(
        reinterpret_cast<__m256i *>(To + I),
        _mm256_loadu_si256(reinterpret_cast<const __m256i *>(From + I)));
}
__attribute__((target("avx512f"))) static void
streamLinesWhole(char *To, const char *From, int64_t Lines) {
  for (int64_t I = 0; I < Lines * Line; I += Line)
    _mm512_stream_si512(reinterpret_cast<__m512i *>(To + I),
                        _mm512_loadu_si512(From + I));
}
#endif
using StreamLines = void (*)(char *, const char *, int64_t);
static StreamLines chooseStreamLines() {
#if defined(TENSORTIDY_AVX2)
  if (__builtin_cpu_supports("avx512f"))
    return streamLinesWhole;
  if (hasAvx2())
    return streamLinesByTwo;
#endif
  return streamLines;
}
#endif

/// \p Bytes that follow each other on both sides, past the caches.
static void copyStreaming(char *To, const char *From, int64_t Bytes) {
#if defined(__SSE2__)
  static const StreamLines Stream = chooseStreamLines();
  const auto Over =
      static_cast<int64_t>(reinterpret_cast<uintptr_t>(To) % Line);
  const int64_t Head = std::min(Over ? Line - Over : 0, Bytes),
                Whole = (Bytes - Head) / Line * Line;
  if (Head)
    std::memcpy(To, From, static_cast<size_t>(Head));
  Stream(To + Head, From + Head, Whole / Line);
  To += Head + Whole, From += Head + Whole, Bytes -= Head + Whole;
#endif
  if (Bytes)
    std::memcpy(To, From, static_cast<size_t>(Bytes));
}

/// More than the caches hold. Memory is fast where it is passed through in long
/// runs: a tile is as large as the buffer it is turned in allows, and goes from
/// there past the caches. A tile has some lines of each column and some more of
/// each row; where there are few columns or rows, all of them and more of the
/// others. What is some columns ahead is fetched meanwhile, in the next tile or
/// plane, too.
template <class E, class T, class F>
static void copyFar(const Plane &P, T To, F From, F Next) {
  constexpr int64_t Size = sizeof(E), Room = int64_t(32) << 10, Strip = 16,
                    Most = Room / Size, High = 4 * Line / Size;
  [[maybe_unused]] constexpr int64_t Ahead = 2 * Strip;
  const int64_t Rows = P.Rows.size(), Columns = P.Columns.size();
  auto Whole = [&](int64_t N) { return std::max(N / Strip * Strip, Strip); };
  const int64_t Wide = std::min(Columns, Whole(Most / std::min(Rows, High))),
                Tall = std::min(Rows, Whole(Most / Wide));
  alignas(Line) char Buffer[Room];
#if defined(TENSORTIDY_AVX2)
  const bool ByFour = Size >= 4 && hasAvx2();
#endif
  for (int64_t B = 0; B < Columns; B += Wide)
    for (int64_t R = 0; R < Rows; R += Tall) {
      const int64_t W = std::min(Wide, Columns - B),
                    H = std::min(Tall, Rows - R);
      const Even<char *> Lines{Buffer, W * Size};
      const F Tile = From.from(B, R * Size);
      // The tile after this one, in the next plane perhaps.
      const bool IsDown = R + H < Rows, IsAside = B + W < Columns;
      [[maybe_unused]] const F Then = IsDown    ? From.from(B, (R + H) * Size)
                                      : IsAside ? From.from(B + W, 0)
                                                : Next;
      [[maybe_unused]] const int64_t ThenWide =
          IsDown       ? W
          : IsAside    ? std::min(Wide, Columns - B - W)
          : Next.First ? Wide
                       : 0;
      for (int64_t C = 0; C < W; C += Strip) {
        const int64_t Few = std::min(Strip, W - C);
#if defined(__SSE2__)
        for (int64_t J = C + Ahead; J < C + Ahead + Strip; ++J)
          if (J < W + ThenWide) {
            const char *Column = J < W ? Tile[J] : Then[J - W];
            for (int64_t I = 0; I < H * Size; I += Line)
              _mm_prefetch(Column + I, _MM_HINT_T1);
          }
#endif
        const F Turned = Tile.from(C, 0);
#if defined(TENSORTIDY_AVX2)
        if constexpr (Size >= 4)
          if (ByFour) {
            turnWide<E>(Lines.from(0, C * Size), Turned, H, Few);
            continue;
          }
#endif
        turn<E, true>(Lines.from(0, C * Size), Turned, H, Few);
      }
      const T Out = To.from(R, B * Size);
      if (H > 1 && Out[H - 1] - Out[0] == (H - 1) * W * Size) {
        copyStreaming(Out[0], Buffer, H * W * Size);
        continue;
      }
      for (int64_t I = 0; I < H; ++I)
        copyStreaming(Out[I], Lines[I], W * Size);
    }
}
template <class E> static void copyTurned(const Plane &P) {
  auto Go = [&](auto To, auto From) {
    auto Next = From;
    Next.First = P.Next;
    if (P.Stream)
      copyFar<E>(P, To, From, Next);
    else
      copyNear<E>(P, To, From, Next);
  };
  auto From = [&](auto To) {
    if (P.Columns.Outer == 1)
      Go(To, Even<const char *>{P.From, P.Columns.Step});
    else
      Go(To, Placed<const char *>{P.From, P.Columns.At.data()});
  };
  if (P.Rows.Outer == 1)
    From(Even<char *>{P.To, P.Rows.Step});
  else
    From(Placed<char *>{P.To, P.Rows.At.data()});
}

/// Few rows or columns, as the channels of an image: all of them at once, so
/// that both sides are passed through once.
template <class E, int64_t Few> static void copyFew(const Plane &P) {
  constexpr int64_t Size = sizeof(E);
  const int64_t Rows = P.Rows.Count, Columns = P.Columns.Count;
  if (Columns == Few && P.Rows.Outer == 1 && P.Rows.Step != Few * Size) {
    const char *F[Few];
    for (int64_t C = 0; C < Few; ++C)
      F[C] = P.From + C * P.Columns.Step;
    for (int64_t R = 0; R < Rows; ++R)
      TENSORTIDY_UNROLLED
    for (int64_t C = 0; C < Few; ++C)
      reinterpret_cast<E *>(P.To + R * P.Rows.Step)[C] =
          reinterpret_cast<const E *>(F[C])[R];
  } else if (Rows == Few && P.Columns.Step == Few * Size) {
    vectorised([&] {
      auto *F = reinterpret_cast<const E *>(P.From);
      E *T[Few];
      for (int64_t R = 0; R < Few; ++R)
        T[R] = reinterpret_cast<E *>(P.To + R * P.Rows.Step);
      TENSORTIDY_INDEPENDENT
      for (int64_t C = 0; C < Columns; ++C)
        TENSORTIDY_UNROLLED
      for (int64_t R = 0; R < Few; ++R)
        T[R][C] = F[C * Few + R];
    });
  } else if (Columns == Few && P.Rows.Step == Few * Size) {
    vectorised([&] {
      auto *T = reinterpret_cast<E *>(P.To);
      const E *F[Few];
      for (int64_t C = 0; C < Few; ++C)
        F[C] = reinterpret_cast<const E *>(P.From + C * P.Columns.Step);
      TENSORTIDY_INDEPENDENT
      for (int64_t R = 0; R < Rows; ++R)
        TENSORTIDY_UNROLLED
      for (int64_t C = 0; C < Few; ++C)
        T[R * Few + C] = F[C][R];
    });
  } else {
    copyTurned<E>(P);
  }
}

/// \p R, packed in the tensor \p Packed of \p W, takes the dimension in which
/// that tensor goes on when less than four lines are packed.
static void lengthen(Run &R, Walk &W, size_t Packed, int64_t Size) {
  const int64_t Bytes = R.Count * Size;
  for (size_t D = 0; D < W.Sizes.size() && Bytes < 4 * Line; ++D)
    if (W.Sizes[D] != 1 && W.Strides[Packed][D] == Bytes) {
      R.Outer = W.Sizes[D];
      R.OuterStep = W.Strides[1 - Packed][D];
      W.Sizes[D] = 1;
      R.At.reserve(static_cast<size_t>(R.size()));
      for (int64_t O = 0; O < R.Outer; ++O)
        for (int64_t K = 0; K < R.Count; ++K)
          R.At.push_back(O * R.OuterStep + K * R.Step);
      return;
    }
}

/// Elements of one size, as they are.
template <class E> static void copyElements(Walk &W) {
  constexpr int64_t Size = sizeof(E);
  const size_t N = W.Sizes.size();
  int64_t Bytes = Size;
  for (const int64_t S : W.Sizes)
    Bytes *= S;
  if (Bytes == 0)
    return;
  // More than the caches hold anyway.
  const bool Stream = N >= 2 && Bytes >= int64_t(8) << 20;
  if (N < 2 || W.Strides[0][N - 1] != Size) {
    W.run([](char **P, const int64_t *Step, int64_t Count) {
      if (Step[0] == Size && Step[1] == Size) {
        std::memmove(P[0], P[1], static_cast<size_t>(Count * Size));
        return;
      }
      if (Step[0] == Size && Step[1] == 0)
        return fillRows(P[0], 0, P[1], 0, Size, Count * Size, 1);
      copyApart<E>(P[0], Step[0], P[1], Step[1], Count);
    });
    return;
  }
  // The plane of the dimensions in which the two sides are packed.
  size_t D = N - 1;
  const int64_t Columns = W.Sizes[D], Column = W.Strides[1][D];
  // What is read has to be waited for, and decides the order, unless writing
  // then left cache lines half full.
  auto IsLong = [&](size_t Row) {
    return Columns * Size >= 256 || W.Strides[0][Row] == Columns * Size;
  };
  if (Column == Size || Column == 0) {
    if (IsLong(N - 2))
      W.orderBy(1, N - 1);
    const size_t R = N - 2;
    const int64_t Rows = W.Sizes[R], ToRow = W.Strides[0][R],
                  FromRow = W.Strides[1][R], Row = Columns * Size;
    W.Sizes[D] = W.Sizes[R] = 1;
    W.run([&](char **P, const int64_t *, int64_t) {
      if (Column == 0)
        return fillRows(P[0], ToRow, P[1], FromRow, Size, Row, Rows);
      if (!Stream || Row <= Line)
        return copyRows(P[0], ToRow, P[1], FromRow, Row, Rows);
      for (int64_t I = 0; I < Rows; ++I)
        copyStreaming(P[0] + I * ToRow, P[1] + I * FromRow, Row);
    });
  } else {
    while (D-- > 0 && W.Strides[1][D] != Size)
      ;
    if (D == size_t(-1)) { // packed nowhere
      const size_t R = N - 2;
      Area From{nullptr, Columns, Column, W.Sizes[R], W.Strides[1][R]};
      const int64_t ToRow = W.Strides[0][R];
      W.Sizes[N - 1] = W.Sizes[R] = 1;
      W.run([&](char **P, const int64_t *, int64_t) {
        From.At = P[1];
        takeRows(P[0], ToRow, From, Size);
      });
      return;
    }
    Plane X{nullptr,           nullptr, nullptr, {W.Sizes[D], W.Strides[0][D]},
            {Columns, Column}, Stream};
    const int64_t Few = std::min(X.Rows.Count, Columns);
    W.Sizes[D] = W.Sizes[N - 1] = 1;
    if (Few > 4) { // short runs go on in the dimension that continues them
      lengthen(X.Columns, W, 0, Size);
      lengthen(X.Rows, W, 1, Size);
    }
    if (X.Columns.Outer > 1 || IsLong(D))
      W.orderBy(1, N - 1);
    auto Copy = [&] {
      if (Few == 2)
        copyFew<E, 2>(X);
      else if (Few == 3)
        copyFew<E, 3>(X);
      else if (Few == 4)
        copyFew<E, 4>(X);
      else
        copyTurned<E>(X);
    };
    W.run([&](char **P, const int64_t *, int64_t) { // one plane later
      X.Next = P[1];
      if (X.From)
        Copy();
      X.To = P[0];
      X.From = P[1];
    });
    X.Next = nullptr;
    Copy();
  }
#if defined(__SSE2__)
  if (Stream)
    _mm_sfence();
#endif
}

void copySame(Walk &W, size_t Size) {
  dispatchSize(Size,
               [&](auto T) { copyElements<typename decltype(T)::type>(W); });
}

/// An integer that needs no more than 52 bits: the last bits of a sum with this
/// double are its own. Processors have no vectors of such conversions.
inline double shortAsDouble(int64_t V) {
  constexpr double Shift = 0x1.8p52;
  int64_t Bits;
  std::memcpy(&Bits, &Shift, sizeof Bits);
  Bits += V;
  double R;
  std::memcpy(&R, &Bits, sizeof R);
  return R - Shift;
}
/// Elements of one type become those of another.
template <class Out, class In> struct ConvertLoop {
  static void run(const void *, char *const *First, int64_t N, int64_t Rows,
                  const int64_t *RowStep) {
    eachRow<2>(First, Rows, RowStep, [N](char *To, const char *From) {
      row(reinterpret_cast<Out *>(To), reinterpret_cast<const In *>(From), N);
    });
  }

private:
  static void row(Out *O, const In *X, int64_t N) {
    constexpr int64_t Block = 1024;
    if constexpr (std::is_same_v<In, float> && sizeof(Out) == 2 &&
                  IsFloating<Out>)
      return narrow(X, O, N);
    if constexpr (std::is_same_v<Out, float> && sizeof(In) == 2 &&
                  IsFloating<In>)
      return widen(X, O, N);
    for (; N > 0; N -= Block, O += Block, X += Block) {
      const int64_t Now = std::min(N, Block);
      // Vectors of numbers become integers of 32 bits only.
      if constexpr (IsFloating<In> && std::is_integral_v<Out> &&
                    !std::is_same_v<Out, bool>) {
        if constexpr (std::is_same_v<Out, int32_t>) {
          if (whole(X, O, Now))
            continue;
        } else {
          int32_t Whole[Block];
          if (whole(X, Whole, Now)) {
            TENSORTIDY_INDEPENDENT
            for (int64_t K = 0; K < Now; ++K)
              O[K] = static_cast<Out>(Whole[K]);
            continue;
          }
        }
      }
      if constexpr (std::is_same_v<In, int64_t> && IsFloating<Out>) {
        if (areShort(X, Now)) {
          TENSORTIDY_INDEPENDENT
          for (int64_t K = 0; K < Now; ++K)
            store(O[K], static_cast<Compute<Out>>(shortAsDouble(X[K])));
          continue;
        }
      }
      TENSORTIDY_INDEPENDENT
      for (int64_t K = 0; K < Now; ++K)
        store(O[K], load(X[K]));
    }
  }
  static bool areShort(const int64_t *X, int64_t N) {
    uint64_t Rest = 0;
    for (int64_t K = 0; K < N; ++K)
      Rest |= (static_cast<uint64_t>(X[K]) + (uint64_t(1) << 51)) >> 52;
    return Rest == 0;
  }
};

/// Copies \p From, broadcast, into \p To. What was never written stays so.
static void copyElements(const Tensor &To, const Tensor &From, const char *Op,
                         Site Here) {
  const Watch &W = impl(From, Op, Here).Store->Watched;
  if (impl(To).Type != impl(From).Type)
    reads(From, Op, Here);
  if (impl(To).Type == impl(From).Type) {
    if (W.Unwritten != Watch::None ||
        impl(To).Store->Watched.Unwritten != Watch::None)
      copyUnwritten(To, From);
  } else if (impl(To).Store->Watched.Unwritten != Watch::None) {
    markWritten(To);
  }
  const ScalarType A = impl(To).Type, B = impl(From).Type;
  if (A == B) {
    Walk W(impl(To).L.Sizes);
    W.add(To);
    W.add(From);
    W.simplify();
    return copySame(W, elementSize(A));
  }
  // bfloat16 is cut from what the loop computes, and halves are rows of floats
  // before, unless that is all there is to do.
  auto IsShort = [](ScalarType T) { return T == kHalf || T == kBFloat16; };
  const bool OfFloats =
                 (A == kFloat && IsShort(B)) || (B == kFloat && IsShort(A)),
             AsBits = OfFloats || (A == kBFloat16 && B != kHalf) ||
                      (B == kBFloat16 && A != kHalf);
  auto Of = [&](ScalarType Type, auto F) {
    return Type == kBFloat16 && AsBits ? F(Tag<BFloat16>())
           : Type == kHalf && OfFloats ? F(Tag<Half>())
                                       : dispatchComputed(Type, F);
  };
  const RowLoop Loop = Of(A, [&](auto T) {
    return Of(B, [&](auto F) -> RowLoop {
      using Out = typename decltype(T)::type;
      using In = typename decltype(F)::type;
      // A bool is read as the byte of 0 or 1 it is.
      using Read = std::conditional_t<std::is_same_v<In, bool>, uint8_t, In>;
      constexpr bool Halves =
          std::is_same_v<Out, Half> || std::is_same_v<In, Half>;
      if constexpr (std::is_same_v<Out, In> ||
                    (Halves && !(std::is_same_v<Out, float> ||
                                 std::is_same_v<In, float>)))
        return nullptr;
      else
        return forProcessor<ConvertLoop<Out, Read>>();
    });
  });
  const bool IsWhole = isFloatingType(B) && !isFloatingType(A);
  mapRows(To, {&From}, {nullptr, Loop, {}, AsBits, nullptr, IsWhole});
}

/// A copy of \p X in the layout \p L, whose sizes are those of \p X.
static Tensor copyInto(const Tensor &X, Shape L, ScalarType Type,
                       const char *Op, Site Here) {
  Tensor R = allocate(std::move(L), Type, Op, Here);
  copyElements(R, X, Op, Here);
  return R;
}

Tensor castTo(const Tensor &X, ScalarType Type, Site Here) {
  const TensorImpl &I = impl(X);
  if (I.Type == Type)
    return X;
  return copyInto(X, *layout::preservedCopy(Ar, I.L), Type, "to", Here);
}

} // namespace detail

static bool isOfTheSameElements(const detail::TensorImpl &A,
                                const detail::TensorImpl &B) {
  return A.Store == B.Store && A.Type == B.Type && A.L.Offset == B.L.Offset &&
         A.L.Sizes == B.L.Sizes && A.L.Strides == B.L.Strides;
}
Tensor &Tensor::copy_(const Tensor &src, bool /*non_blocking*/,
                      Site Here) const {
  const auto &I = impl(*this, "copy_", Here), &S = impl(src, "copy_", Here);
  if (is_same(src) ||
      (detail::has(detail::Change::CopyOfItself) && isOfTheSameElements(I, S)))
    return self();
  detail::requireNoInternalOverlap(*this, "copy_", Here);
  detail::requireNoOverlap(*this, src, "copy_", Here);
  orThrow(layout::expand(Ar, S.L, I.L.Sizes), src, Here,
          [&] { return call("copy_", src.sizes()); });
  detail::copyElements(*this, src, "copy_", Here);
  detail::countWrite(*this, "copy_", Here);
  return self();
}

Tensor Tensor::clone(optional<MemoryFormat> memory_format, Site Here) const {
  const auto F = static_cast<layout::MemoryFormat>(
      memory_format.value_or(MemoryFormat::Preserve));
  const auto &I = impl(*this, "clone", Here);
  Shape L = orThrow(layout::copyAs(Ar, I.L, F), *this, Here,
                    [&] { return call("clone"); });
  return detail::copyInto(*this, std::move(L), I.Type, "clone", Here);
}

__attribute__((noinline)) static Tensor
contiguousCopy(const Tensor &X, MemoryFormat Format, Site Here) {
  if (!X.defined())
    return X;
  const auto &I = impl(X);
  if (Format != MemoryFormat::Preserve &&
      layout::isContiguous(Ar, I.L, static_cast<layout::MemoryFormat>(Format))
          .yes()) {
    observe(Event::RedundantContiguous, "contiguous", Here, 0);
    return X;
  }
  if (Format == MemoryFormat::Preserve && !X.is_contiguous())
    detail::fail("contiguous: preserve is not a format to copy to", X, Here);
  auto R = orThrow(
      layout::contiguous(Ar, I.L, static_cast<layout::MemoryFormat>(Format)), X,
      Here, [&] { return call("contiguous", Format); });
  if (R.K == R.Self)
    return X;
  return detail::copyInto(X, std::move(R.L), I.Type, "contiguous", Here);
}
/// The usual case in so few registers that none has to be saved: an exchange
/// waits until they are.
__attribute__((flatten)) Tensor Tensor::contiguous(MemoryFormat memory_format,
                                                   Site Here) const {
  if (memory_format != MemoryFormat::Contiguous || !defined() ||
      detail::observing() || !layout::isPacked(Ar, impl(*this).L).yes())
    return contiguousCopy(*this, memory_format, Here);
  impl(*this).Refs.add();
  return adopt(&impl(*this));
}

Tensor Tensor::to(TensorOptions options, bool /*non_blocking*/, bool copy,
                  optional<MemoryFormat> memory_format, Site Here) const {
  const auto &I = impl(*this, "to", Here);
  if (!options.device().is_cpu())
    detail::fail("to: there is no device " + options.device().str(), Here);
  if (options.memory_format_opt())
    memory_format = options.memory_format_opt();
  const ScalarType Type = options.dtype_opt().value_or(I.Type);
  const MemoryFormat F = memory_format.value_or(MemoryFormat::Preserve);
  // Decided by what the strides suggest, not by is_contiguous(F).
  if (!copy && Type == I.Type &&
      (F == MemoryFormat::Preserve ||
       (layout::broken(layout::Fault::ToAsksIsContiguous)
            ? is_contiguous(F)
            : F == suggest_memory_format())))
    return *this;
  Shape L =
      orThrow(layout::copyAs(Ar, I.L, static_cast<layout::MemoryFormat>(F)),
              *this, Here, [&] { return call("to", F); });
  if (!copy)
    observe(Event::HiddenCopy, "to", Here,
            static_cast<size_t>(numel()) * elementSize(Type));
  return detail::copyInto(*this, std::move(L), Type, "to", Here);
}
Tensor Tensor::to(Device device, ScalarType dtype, bool non_blocking, bool copy,
                  optional<MemoryFormat> memory_format, Site Here) const {
  return to(TensorOptions(dtype).device(device), non_blocking, copy,
            memory_format, Here);
}
Tensor Tensor::to(ScalarType dtype, bool non_blocking, bool copy,
                  optional<MemoryFormat> memory_format, Site Here) const {
  return to(TensorOptions(dtype), non_blocking, copy, memory_format, Here);
}
Tensor Tensor::to(const Tensor &other, bool non_blocking, bool copy,
                  optional<MemoryFormat> memory_format, Site Here) const {
  return to(other.options(), non_blocking, copy, memory_format, Here);
}
Tensor Tensor::type_as(const Tensor &other, Site Here) const {
  return to(other.scalar_type(), false, false, nullopt, Here);
}

//===--- a view or a copy -----------------------------------------------===//

static Tensor copyOrView(const Tensor &X, layout::CopyOrView<int64_t> R,
                         const char *Op, Site Here) {
  if (R.K == R.Self)
    return X;
  if (R.K == R.View)
    return viewOf(X, std::move(R.L), Op, Here);
  observe(Event::HiddenCopy, Op, Here, X.nbytes());
  // The elements in order, then seen in the new shape.
  const auto &I = impl(X);
  Tensor Copy =
      detail::copyInto(X, layout::denseLayout(Ar, I.L.Sizes), I.Type, Op, Here);
  impl(Copy).L = std::move(R.L);
  return Copy;
}

Tensor Tensor::reshape(IntArrayRef shape, Site Here) const {
  auto R =
      orThrow(layout::reshape(Ar, impl(*this, "reshape", Here).L, dims(shape)),
              *this, Here, [&] { return call("reshape", shape); });
  return copyOrView(*this, std::move(R), "reshape", Here);
}
Tensor Tensor::reshape_as(const Tensor &other, Site Here) const {
  return reshape(other.sizes(), Here);
}
Tensor Tensor::flatten(int64_t start_dim, int64_t end_dim, Site Here) const {
  auto R = orThrow(
      layout::flatten(Ar, impl(*this, "flatten", Here).L, start_dim, end_dim),
      *this, Here, [&] { return call("flatten", start_dim, end_dim); });
  return copyOrView(*this, std::move(R), "flatten", Here);
}
Tensor Tensor::ravel(Site Here) const {
  if (layout::broken(layout::Fault::RavelIsFlatten))
    return flatten(0, -1, Here);
  return contiguous(MemoryFormat::Contiguous, Here).view(-1, Here);
}

//===--- filling --------------------------------------------------------===//

Tensor &Tensor::fill_(const Scalar &value, Site Here) const {
  const auto &I = impl(*this, "fill_", Here);
  detail::dispatch(I.Type, [&](auto T) {
    using E = typename decltype(T)::type;
    const E V = value.to<E>();
    constexpr int64_t Size = sizeof(E);
    detail::Walk W(I.L.Sizes);
    W.add(*this);
    for (size_t D = 0; D < W.Sizes.size(); ++D)
      if (W.Strides[0][D] == 0 && W.Sizes[D] != 0) // once is enough
        W.Sizes[D] = 1;
    W.simplify();
    // Packed rows, all that are as far apart.
    const size_t Rank = W.Sizes.size();
    const bool IsPacked = Rank == 0 || W.Strides[0][Rank - 1] == Size;
    int64_t Rows = 1, Row = 0;
    if (IsPacked && Rank >= 2) {
      Rows = std::exchange(W.Sizes[Rank - 2], 1);
      Row = W.Strides[0][Rank - 2];
    }
    W.run([&](char **P, const int64_t *Step, int64_t N) {
      if (IsPacked)
        return detail::fillRows(P[0], Row, reinterpret_cast<const char *>(&V),
                                0, Size, N * Size, Rows);
      detail::copyApart<E>(P[0], Step[0], reinterpret_cast<const char *>(&V), 0,
                           N);
    });
  });
  detail::wrote(*this, "fill_", Here);
  return self();
}
Tensor &Tensor::fill_(const Tensor &value, Site Here) const {
  if (value.dim() != 0)
    detail::fail("fill_: the value must be a 0-dim tensor", value, Here);
  if (detail::has(detail::Change::FillCopies))
    return copy_(is_alias_of(value) ? value.clone(nullopt, Here) : value, false,
                 Here);
  return fill_(value.item(Here), Here);
}
Tensor &Tensor::zero_(Site Here) const { return fill_(Scalar(0), Here); }

} // namespace tensortidy
