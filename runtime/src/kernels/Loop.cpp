//===- Loop.cpp - rows of elements through buffers ------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernels/Loop.h"
#include "kernels/Turn.h"
#include <limits>

namespace tensortidy::detail {
namespace {

/// Elements in a block, which several buffers of stay in the first cache, and
/// whose calls cost nothing beside its elements.
constexpr int64_t Block = 1024;
/// Columns of a block, where the elements of a column are neighbours.
constexpr int64_t TileColumns = 64;

/// Whether the next row's elements are nearer than those of the same row.
bool isTurned(int64_t Step, int64_t RowStep) {
  return Step != 0 && RowStep != 0 && std::abs(RowStep) < std::abs(Step);
}

/// So many bytes at once, anywhere.
template <size_t Size> struct Chunk {
  using Vector __attribute__((vector_size(Size), aligned(1), may_alias)) = char;
  static void copy(char *To, const char *From) {
    *reinterpret_cast<Vector *>(To) = *reinterpret_cast<const Vector *>(From);
  }
};
/// Calls F with the largest of the chunks that fit into a row of \p Bytes.
template <class F> auto byChunks(int64_t Bytes, F Function) {
  return Bytes < 2    ? Function(Chunk<1>())
         : Bytes < 4  ? Function(Chunk<2>())
         : Bytes < 8  ? Function(Chunk<4>())
         : Bytes < 16 ? Function(Chunk<8>())
         : Bytes < 32 ? Function(Chunk<16>())
                      : Function(Chunk<32>());
}
/// Where the next of several rows begins: after the one before, or at the next
/// of these places.
struct NextRow {
  const char *First;
  int64_t Step;
  const int64_t *At;
  const char *operator()(int64_t R) const {
    return First + (At ? At[R] : R) * Step;
  }
};
/// A row of such chunks, the last of which may overlap the one before.
template <class C>
inline void copyRow(char *To, const char *From, int64_t Bytes) {
  constexpr int64_t Size = sizeof(typename C::Vector);
  const int64_t Last = Bytes - Size;
  if constexpr (Size == 32) {
    int64_t At = 0;
    for (; At + 4 * Size <= Bytes; At += 4 * Size) {
      typename C::Vector V[4];
      TENSORTIDY_UNROLLED
      for (int64_t K = 0; K < 4; ++K)
        C::copy(reinterpret_cast<char *>(V + K), From + At + K * Size);
      TENSORTIDY_UNROLLED
      for (int64_t K = 0; K < 4; ++K)
        C::copy(To + At + K * Size, reinterpret_cast<const char *>(V + K));
    }
    for (; At < Last; At += Size)
      C::copy(To + At, From + At);
  } else {
    C::copy(To, From);
  }
  C::copy(To + Last, From + Last);
}
template <class C> struct CopyChunks {
  static void run(char *To, int64_t ToStep, NextRow Next, int64_t Bytes,
                  int64_t Rows) {
    for (int64_t R = 0; R < Rows; ++R, To += ToStep)
      copyRow<C>(To, Next(R), Bytes);
  }
};
/// Rows of several sources beside each other, of 32 bytes each at least.
struct JoinRows {
  static void run(char *To, RowPart *Parts, size_t Count, int64_t Rows) {
    for (; Rows > 0; --Rows)
      for (size_t K = 0; K < Count; ++K) {
        RowPart &P = Parts[K];
        if (P.Bytes >= 2048) // as the C library copies them, sooner
          std::memcpy(To, P.From, static_cast<size_t>(P.Bytes));
        else
          copyRow<Chunk<32>>(To, P.From, P.Bytes);
        P.From += P.Bytes;
        To += P.Bytes;
      }
  }
};
/// Rows of at most \p Count of the largest chunks, each read whole before it
/// is written.
template <int64_t Count> struct CopyFew {
  static void run(char *To, int64_t ToStep, NextRow Next, int64_t Bytes,
                  int64_t Rows) {
    using C = Chunk<32>;
    constexpr int64_t Size = 32;
    for (int64_t R = 0; R < Rows; ++R, To += ToStep) {
      const char *From = Next(R);
      C::Vector V[Count];
      auto At = [&](int64_t K) {
        return K + 1 < Count ? K * Size : Bytes - Size;
      };
      TENSORTIDY_UNROLLED
      for (int64_t K = 0; K < Count; ++K)
        C::copy(reinterpret_cast<char *>(V + K), From + At(K));
      TENSORTIDY_UNROLLED
      for (int64_t K = 0; K < Count; ++K)
        C::copy(To + At(K), reinterpret_cast<const char *>(V + K));
    }
  }
};
/// The loop for rows of \p Bytes.
template <int64_t Count = 2> auto copyLoop(int64_t Bytes) {
  constexpr int64_t Size = 32, Most = 4;
  if constexpr (Count < Most)
    if (Bytes > Count * Size)
      return copyLoop<Count + 1>(Bytes);
  if (Bytes > Size && Bytes <= Count * Size)
    return forProcessor<CopyFew<Count>>();
  return byChunks(
      Bytes, [](auto C) { return forProcessor<CopyChunks<decltype(C)>>(); });
}
template <class E> struct FillRows {
  static void run(char *To, int64_t ToStep, const char *From, int64_t FromStep,
                  int64_t Bytes, int64_t Rows) {
    constexpr int64_t Wide = 32;
    for (; Rows > 0; --Rows, To += ToStep, From += FromStep) {
      E One;
      std::memcpy(&One, From, sizeof One);
      using Words __attribute__((vector_size(Wide))) = uint64_t;
      const Words Value = // not by way of memory, which is written in parts
          Words{} + One * (UINT64_MAX / std::numeric_limits<E>::max());
      auto Store = [&](auto C, int64_t At) {
        C.copy(To + At, reinterpret_cast<const char *>(&Value));
      };
      if (Bytes >= Wide) {
        int64_t At = 0;
        for (; At + 4 * Wide <= Bytes; At += 4 * Wide)
          TENSORTIDY_UNROLLED
        for (int64_t K = 0; K < 4; ++K)
          Store(Chunk<Wide>(), At + K * Wide);
        for (; At + Wide <= Bytes; At += Wide)
          Store(Chunk<Wide>(), At);
        if (At < Bytes)
          Store(Chunk<Wide>(), Bytes - Wide);
        continue;
      }
      if (Bytes < 4) {
        for (int64_t At = 0; At < Bytes; At += sizeof(E))
          std::memcpy(To + At, &One, sizeof One);
        continue;
      }
      byChunks(Bytes, [&](auto C) {
        Store(C, 0);
        Store(C, Bytes - int64_t(sizeof(typename decltype(C)::Vector)));
      });
    }
  }
};

/// Elements of type E, \p Step bytes apart, packed. Those that are few apart
/// are taken out of whole vectors; of the others several are read before the
/// first is written, which they may not wait for.
template <class E, int64_t Apart>
void takeEvery(const E *From, E *To, int64_t N) {
  TENSORTIDY_INDEPENDENT
  for (int64_t K = 0; K < N; ++K)
    To[K] = From[Apart * K];
}
template <class E>
void gatherRow(const char *At, int64_t Step, E *To, int64_t N) {
  auto *From = reinterpret_cast<const E *>(At);
  const int64_t Size = N < 16 ? 0 : sizeof(E); // few are soon taken one by one
  if (Step == 2 * Size)
    return takeEvery<E, 2>(From, To, N);
  if (Step == 3 * Size && Size < 8)
    return takeEvery<E, 3>(From, To, N);
  if (Step == 4 * Size)
    return takeEvery<E, 4>(From, To, N);
  copyApart<E>(reinterpret_cast<char *>(To), sizeof(E), At, Step, N);
}
template <class E> struct TakeRows {
  static void run(char *To, int64_t ToStep, Area A) {
    constexpr int64_t Size = sizeof(E);
    if (A.Step == Size || A.N == 1)
      return copyRows(To, ToStep, A.At, A.RowStep, A.N * Size, A.Rows);
    if (A.Step == 0)
      return fillRows(To, ToStep, A.At, A.RowStep, Size, A.N * Size, A.Rows);
    const bool Turned = isTurned(A.Step, A.RowStep) &&
                        !(A.Rows <= 4 && A.Step <= 4 * Size); // pairs, pixels
    if (Turned && A.RowStep == Size) {
#if defined(__SSE2__)
      // The next tile goes on in all of these columns, which are more than the
      // processor foresees.
      for (int64_t K = 0; K < A.N; ++K)
        for (int64_t B = A.Rows * Size; B < 2 * A.Rows * Size; B += 64)
          _mm_prefetch(A.At + K * A.Step + B, _MM_HINT_T0);
#endif
      return turn<E>(Even<char *>{To, ToStep}, Even<const char *>{A.At, A.Step},
                     A.Rows, A.N);
    }
    if (Turned || (A.N < 8 && A.Rows >= 8)) {
      for (int64_t K = 0; K < A.N; ++K)
        for (int64_t R = 0; R < A.Rows; ++R)
          reinterpret_cast<E *>(To + R * ToStep)[K] =
              *reinterpret_cast<const E *>(A.At + R * A.RowStep + K * A.Step);
      return;
    }
    for (; A.Rows > 0; --A.Rows, A.At += A.RowStep, To += ToStep)
      gatherRow<E>(A.At, A.Step, reinterpret_cast<E *>(To), A.N);
  }
};
template <class E> struct GatherLoop {
  static void run(char *Buffer, Area A) {
    TakeRows<E>::run(Buffer, A.N * int64_t(sizeof(E)), A);
  }
};
template <class E> struct ScatterLoop {
  static void run(char *Buffer, Area A) {
    auto *From = reinterpret_cast<const E *>(Buffer);
    constexpr int64_t Size = sizeof(E);
    if (A.Step == Size || A.N == 1)
      return copyRows(A.At, A.RowStep, Buffer, A.N * Size, A.N * Size, A.Rows);
    for (; A.Rows > 0; --A.Rows, A.At += A.RowStep, From += A.N)
      copyApart<E>(A.At, A.Step, reinterpret_cast<const char *>(From), Size,
                   A.N);
  }
};

/// 16-bit floats, which are floats in the buffer: as many as fit into another
/// buffer are moved as they are, and become the others in whole rows.
template <class F> void byParts(char *Buffer, Area A, F Move) {
  constexpr int64_t Most = 1024;
  auto *Floats = reinterpret_cast<float *>(Buffer);
  const int64_t Width = std::min(A.N, Most), Together = Most / Width;
  for (int64_t R = 0; R < A.Rows; R += Together)
    for (int64_t C = 0; C < A.N; C += Width)
      Move(Floats + R * A.N + C,
           Area{A.At + R * A.RowStep + C * A.Step, std::min(Width, A.N - C),
                A.Step, std::min(Together, A.Rows - R), A.RowStep});
}
bool isPacked(const Area &A, int64_t Size) {
  return A.Step == Size && (A.Rows == 1 || A.RowStep == A.N * Size);
}
template <class E> struct GatherFloats {
  static void run(char *Buffer, Area A) {
    byParts(Buffer, A, [](float *To, Area Part) {
      const int64_t N = Part.N * Part.Rows;
      E Bits[1024];
      const bool Packed = isPacked(Part, sizeof(E));
      if (!Packed)
        GatherLoop<uint16_t>::run(reinterpret_cast<char *>(Bits), Part);
      widen(Packed ? reinterpret_cast<const E *>(Part.At) : Bits, To, N);
    });
  }
};
template <class E> struct ScatterFloats {
  static void run(char *Buffer, Area A) {
    byParts(Buffer, A, [](float *From, Area Part) {
      const int64_t N = Part.N * Part.Rows;
      E Bits[1024];
      const bool Packed = isPacked(Part, sizeof(E));
      narrow(From, Packed ? reinterpret_cast<E *>(Part.At) : Bits, N);
      if (!Packed)
        ScatterLoop<uint16_t>::run(reinterpret_cast<char *>(Bits), Part);
    });
  }
};

template <template <class> class Bits, template <class> class Floats>
Port portOf(ScalarType Type, bool AsBits) {
  const size_t Size = elementSize(Type);
  const auto Bytes = static_cast<int64_t>(Size);
  if (Type == kHalf && !AsBits)
    return {forProcessor<Floats<Half>>(), Bytes, true};
  if (Type == kBFloat16 && !AsBits)
    return {forProcessor<Floats<BFloat16>>(), Bytes, true};
  return {
      dispatchSize(Size,
                   [](auto T) {
                     return forProcessor<Bits<typename decltype(T)::type>>();
                   }),
      Bytes, false};
}

} // namespace

void copyRows(char *To, int64_t ToStep, const char *From, int64_t FromStep,
              int64_t Bytes, int64_t Rows) {
  if (Bytes == 0)
    return;
  if (ToStep == Bytes && FromStep == Bytes) {
    std::memmove(To, From, static_cast<size_t>(Bytes * Rows));
  } else if (Bytes > (FromStep ? 512 : 16384) || Rows == 1) {
    for (; Rows > 0; --Rows, To += ToStep, From += FromStep)
      std::memmove(To, From, static_cast<size_t>(Bytes));
  } else {
    copyLoop(Bytes)(To, ToStep, {From, FromStep, nullptr}, Bytes, Rows);
  }
}
void joinRows(char *To, RowPart *Parts, size_t Count, int64_t Rows) {
  // Some rows of short parts at a time, which the first cache has room for
  // until they are whole.
  int64_t Row = 0, Least = INT64_MAX;
  for (size_t K = 0; K < Count; ++K) {
    Row += Parts[K].Bytes;
    Least = std::min(Least, Parts[K].Bytes);
  }
  if (Least >= 32)
    return forProcessor<JoinRows>()(To, Parts, Count, Rows);
  const int64_t Together = std::max<int64_t>(1, 16384 / Row);
  for (int64_t Some; Rows > 0; Rows -= Some, To += Some * Row) {
    Some = std::min(Together, Rows);
    char *Column = To;
    for (size_t K = 0; K < Count; ++K) {
      RowPart &P = Parts[K];
      copyRows(Column, Row, P.From, P.Bytes, P.Bytes, Some);
      Column += P.Bytes;
      P.From += Some * P.Bytes;
    }
  }
}
void copyRowsAt(char *To, int64_t ToStep, const char *From, int64_t FromStep,
                const int64_t *At, int64_t Bytes, int64_t Rows) {
  if (Bytes == 0)
    return;
  if (Bytes <= 512)
    return copyLoop(Bytes)(To, ToStep, {From, FromStep, At}, Bytes, Rows);
  for (int64_t R = 0; R < Rows; ++R)
    std::memcpy(To + R * ToStep, From + At[R] * FromStep,
                static_cast<size_t>(Bytes));
}
void fillRows(char *To, int64_t ToStep, const char *From, int64_t FromStep,
              int64_t Size, int64_t Bytes, int64_t Rows) {
  if (Bytes == 0)
    return;
  if (Rows == 1 && Bytes >= 1024 &&
      std::memcmp(From, From + 1, static_cast<size_t>(Size - 1)) == 0)
    return static_cast<void>(
        std::memset(To, *From, static_cast<size_t>(Bytes)));
  dispatchSize(static_cast<size_t>(Size), [&](auto T) {
    using E = typename decltype(T)::type;
    forProcessor<FillRows<E>>()(To, ToStep, From, FromStep, Bytes, Rows);
  });
}

void takeRows(char *To, int64_t ToStep, Area From, int64_t Size) {
  dispatchSize(static_cast<size_t>(Size), [&](auto T) {
    using E = typename decltype(T)::type;
    forProcessor<TakeRows<E>>()(To, ToStep, From);
  });
}

Gatherer::Gatherer(ScalarType Type, bool AsBits)
    : Port(portOf<GatherLoop, GatherFloats>(Type, AsBits)) {}

static void mapRows(Walk &W, const Port *Ports, const RowFunction &Row) {
  const size_t Count = W.Count;
  bool Converted = false;
  for (size_t K = 0; K < Count; ++K)
    Converted = Converted || Ports[K].Converts;

  // Rows go together, short ones in a block, and those that one operand has as
  // columns in a tile, unless a row overwrites some of the one before.
  int64_t Rows = 1, RowStep[Walk::Most] = {};
  bool Turned = false;
  const size_t Rank = W.Sizes.size();
  // Few short rows are not worth going together: those of another dimension
  // do, if they are more.
  if (Rank >= 3 && W.Sizes[Rank - 1] < 64 && W.Sizes[Rank - 2] < 8) {
    size_t Longest = Rank - 2;
    for (size_t D = 0; D < Rank - 2; ++D)
      if (W.Sizes[D] > W.Sizes[Longest])
        Longest = D;
    W.swap(Longest, Rank - 2);
  }
  if (Rank >= 2 &&
      W.Strides[0][Rank - 2] >= W.Strides[0][Rank - 1] * W.Sizes[Rank - 1]) {
    for (size_t K = 1; K < Count && W.Sizes[Rank - 2] >= 8; ++K)
      Turned =
          Turned || isTurned(W.Strides[K][Rank - 1], W.Strides[K][Rank - 2]);
    Rows = W.Sizes[Rank - 2];
    W.Sizes[Rank - 2] = 1;
    for (size_t K = 0; K < Count; ++K)
      RowStep[K] = W.Strides[K][Rank - 2];
  }
  alignas(64) char Buffers[Walk::Most][Block * sizeof(double)];
  // What stands still is gathered once: from there, rows of so many elements.
  struct Held {
    const char *From = nullptr;
    int64_t N = 0, Rows = 0;
    bool has(const Area &A) const {
      return From == A.At &&
             (N == A.N ? Rows >= A.Rows : N > A.N && A.Rows == 1);
    }
  } Holds[Walk::Most];
  auto Gather = [&](size_t K, char *To, const Area &A) {
    if (Holds[K].has(A))
      return;
    Ports[K].Move(To, A);
    Holds[K] = {A.At, A.N, A.Rows};
  };

  // Nothing but packed rows, and numbers that stand still along them.
  auto Straight = [&](char **P, const int64_t *Step, int64_t N) {
    char *Q[Walk::Most];
    int64_t Width = N;
    for (size_t K = 0; K < Count; ++K) {
      Q[K] = P[K];
      if (Step[K] != 0 || N == 1)
        continue;
      Width = std::min(N, Block);
      Q[K] = Buffers[K];
      Gather(K, Q[K], {P[K], Width, 0});
    }
    for (; N > Width; N -= Width) {
      Row.Loop(Row.F, Q, Width, 1, RowStep);
      for (size_t K = 0; K < Count; ++K)
        Q[K] += Width * Step[K];
    }
    Row.Loop(Row.F, Q, N, 1, RowStep);
  };

  const int64_t Length = Rank ? W.Sizes[Rank - 1] : 1;
  auto StepOf = [&](size_t K) { return Rank ? W.Strides[K][Rank - 1] : 0; };
  // Packed rows, and numbers that stand still along them.
  const bool IsPlain = Row.Loop && !Converted && !Turned && Length > 1;
  const int64_t Shortest = Row.InBlocks ? Row.Shortest : 32; // bytes of a row
  bool IsPacked = IsPlain && (Rows == 1 || Length * Ports[0].Size >= Shortest),
       IsStraight = Row.Loop && !Converted && Rows == 1,
       // Rows of results that are all one, which is computed once.
      IsStill = IsPlain && StepOf(0) == Ports[0].Size;
  // Small elements are packed sooner than they are computed with one by one,
  // unless there are few in a row, or they are written apart anyway.
  bool IsApart = Row.Apart && !Turned && !Converted, AnyApart = false;
  const bool IsScattered =
      Count > 2 && Ports[0].Size >= 4 && StepOf(0) != Ports[0].Size;
  for (size_t K = 0; K < Count; ++K) {
    const int64_t Step = StepOf(K), Size = Ports[K].Size;
    IsPacked = IsPacked && Step == Size;
    IsStill = IsStill && (K == 0 || Step == 0);
    IsStraight =
        IsStraight && (Length == 1 || Step == Size || (K > 0 && Step == 0));
    AnyApart = AnyApart || (Step != 0 && Step != Size);
    IsApart = IsApart && (Ports[0].Size == 8 || Length <= 4 || IsScattered ||
                          (Length >= 64 && Step == (K ? 2 * Size : Size)));
  }
  AnyApart = AnyApart || (Length <= 4 && Rows > 1);
  if (IsStill)
    return W.run([&](char **P, const int64_t *Step, int64_t N) {
      const int64_t Size = Ports[0].Size;
      for (int64_t R = 0; R < Rows; R += Block) {
        const int64_t Some = std::min(Block, Rows - R);
        for (size_t K = 1; K < Count; ++K)
          Ports[K].Move(Buffers[K],
                        {P[K] + R * RowStep[K], 1, Step[K], Some, RowStep[K]});
        char *Packed[] = {Buffers[0], Buffers[1], Buffers[2], Buffers[3]};
        Row.Loop(Row.F, Packed, Some, 1, RowStep);
        fillRows(P[0] + R * RowStep[0], RowStep[0], Buffers[0], Size, Size,
                 N * Size, Some);
      }
    });
  if (IsPacked)
    return W.run([&](char **P, const int64_t *, int64_t N) {
      Row.Loop(Row.F, P, N, Rows, RowStep);
    });
  RowLoop Still = nullptr;
  for (size_t K = 1; K < 3 && Count == 3 && IsPlain; ++K)
    if (Row.Still[K - 1] && StepOf(0) == Ports[0].Size && StepOf(K) == 0 &&
        StepOf(3 - K) == Ports[3 - K].Size)
      Still = Row.Still[K - 1];
  if (Still)
    return W.run([&](char **P, const int64_t *, int64_t N) {
      Still(Row.F, P, N, Rows, RowStep);
    });
  if (Row.Apart && IsApart && AnyApart)
    return W.run([&](char **P, const int64_t *Step, int64_t N) {
      Row.Apart(Row.F, P, Step, N, Rows, RowStep);
    });
  if (IsStraight)
    return W.run(Straight);

  W.run([&](char **P, const int64_t *Step, int64_t N) {
    // What is packed on one side needs no buffer to go to the other.
    auto Packed = [&](size_t K) {
      return !Ports[K].Converts && Step[K] == Ports[K].Size;
    };
    const int64_t Wide = Turned ? std::min(N, TileColumns) : N;
    const int64_t Together = Wide < Block ? Block / Wide : 1;
    const int64_t Width = Turned                                  ? TileColumns
                          : !Row.Loop && (Packed(0) || Packed(1)) ? N
                                                                  : Block;
    // Rows that are packed need no buffer for the others' sake, if they are
    // long enough to be computed one by one.
    bool ByRows = false;
    for (size_t K = 0; K < Count; ++K)
      ByRows =
          ByRows || (Packed(K) && RowStep[K] != std::min(Width, N) * Step[K]);
    ByRows = ByRows && Row.Loop && Together > 1 && !Row.InBlocks;
    for (int64_t R = 0; R < Rows; R += Together)
      for (int64_t C = 0; C < N; C += Width) {
        const int64_t Now = std::min(Width, N - C),
                      Some = std::min(Together, Rows - R);
        const bool IsByRows = ByRows && Now * Ports[0].Size >= 32;
        char *Q[Walk::Most];
        Area Areas[Walk::Most];
        int64_t QStep[Walk::Most] = {};
        for (size_t K = 0; K < Count; ++K) {
          const Port &O = Ports[K];
          char *At = P[K] + R * RowStep[K] + C * Step[K];
          Areas[K] = {At, Now, Step[K], Some, RowStep[K]};
          const bool Direct =
              !O.Converts && (Now == 1 || Step[K] == O.Size) &&
              (Some == 1 || IsByRows || RowStep[K] == Now * O.Size);
          Q[K] = Direct ? At : Buffers[K];
          QStep[K] = Direct
                         ? RowStep[K]
                         : Now * (O.Converts ? int64_t(sizeof(float)) : O.Size);
          if (Direct || K == 0)
            continue;
          if (!Row.Loop && Q[0] != Buffers[0])
            O.Move(Q[0], Areas[K]);
          else
            Gather(K, Q[K], Areas[K]);
        }
        if (IsByRows)
          Row.Loop(Row.F, Q, Now, Some, QStep);
        else if (Row.Loop)
          Row.Loop(Row.F, Q, Now * Some, 1, RowStep);
        if (Q[0] == Buffers[0])
          Ports[0].Move(Row.Loop ? Q[0] : Q[1], Areas[0]);
      }
  });
}

/// Where all operands stand still outside of the rows, there is nothing to
/// compute again: the result's elements are copied.
static void mapOnce(Walk &W, const Port *Ports, const RowFunction &Row) {
  bool Again[64] = {}, Any = false;
  const size_t Rank = W.Sizes.size();
  for (size_t D = 0; D + 1 < Rank && D < 64; ++D) {
    Again[D] = W.Strides[0][D] != 0 && W.Sizes[D] > 1;
    for (size_t K = 1; K < W.Count; ++K)
      Again[D] = Again[D] && W.Strides[K][D] == 0;
    Any = Any || Again[D];
  }
  if (!Any)
    return mapRows(W, Ports, Row);
  Walk Once = W, To = W;
  for (size_t D = 0; D + 1 < Rank; ++D)
    if (Again[D])
      Once.Sizes[D] = To.Sizes[D] = 1;
  Once.simplify();
  mapRows(Once, Ports, Row);
  To.Count = 2;
  for (size_t D = Rank - 1; D-- > 0;) {
    if (!Again[D])
      continue;
    Walk Copy = To;
    Copy.Sizes[D] = W.Sizes[D] - 1;
    Copy.Strides[1] = W.Strides[0];
    Copy.Strides[1][D] = 0;
    Copy.Data[0] = W.Data[0] + W.Strides[0][D];
    Copy.Data[1] = W.Data[0];
    Copy.simplify();
    copySame(Copy, static_cast<size_t>(Ports[0].Size));
    To.Sizes[D] = W.Sizes[D];
  }
}

void mapRows(const Tensor &To, std::initializer_list<const Tensor *> From,
             RowFunction Row) {
  Walk W(impl(To).L.Sizes);
  W.add(To);
  for (const Tensor *X : From)
    W.add(*X);
  W.simplify();
  Port Ports[Walk::Most];
  size_t Count = 0;
  Ports[Count++] =
      portOf<ScatterLoop, ScatterFloats>(impl(To).Type, Row.AsBits);
  for (const Tensor *X : From)
    Ports[Count++] = Gatherer(impl(*X).Type, Row.AsBits);
  mapOnce(W, Ports, Row);
}

} // namespace tensortidy::detail
