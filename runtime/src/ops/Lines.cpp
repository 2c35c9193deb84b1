//===- Lines.cpp - running sums, softmax, layer_norm ----------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What makes a line of as many numbers from each line along a dimension.
//
//===----------------------------------------------------------------------===//

#include "core/Release.h"
#include "kernels/Math.h"
#include "kernels/Reduce.h"
#include "kernels/Turn.h"
#include <cmath>

namespace tensortidy {

using namespace detail;

/// Sums are kept in double for floating types: never less exact than libtorch.
template <class T>
using Wide = std::conditional_t<IsFloating<T>, double, int64_t>;

/// \p N lines, each element of which is \p Down bytes from the one before and
/// \p Step from that of the next line.
struct Lines {
  char *At;
  int64_t Down, Step;
};

/// What F makes of the elements of each line so far, each of which waits for
/// the one before: lines that are packed beside each other are computed as
/// vectors, packed lines most often four at a time, and long lines that are
/// beside in one tensor and along in the other by way of a buffer.
template <class E, class F> struct ScanLoop {
  static constexpr int64_t Size = sizeof(E);

  static void run(Lines To, Lines From, int64_t N, int64_t Count,
                  int64_t Start) {
    // What lines that are beside read again is still in the first cache.
    constexpr int64_t Near = 256;
    const bool AreApart = To.Down != Size && To.Step != Size;
    if ((To.Down == Size && (From.Step != Size || Count <= Near)) || N < 8 ||
        AreApart)
      along(To, From, N, Count, Start);
    else if (To.Down == Size)
      turned(To, From, N, Count, Start);
    else
      beside(To, From, N, Count, Start);
  }

private:
  static void step(Wide<E> &All, E &To, const E &From) {
    All = F()(All, static_cast<Wide<E>>(load(From)));
    store(To, All);
  }
  static void turned(Lines To, Lines From, int64_t N, int64_t Count,
                     int64_t Start) {
    constexpr int64_t Block = 16, Rows = 128;
    E Buffer[Rows][Block];
    Wide<E> All[Block];
    for (int64_t C = 0; C < N; C += Block) {
      const int64_t Now = std::min(Block, N - C);
      std::fill_n(All, Block, static_cast<Wide<E>>(Start));
      for (int64_t K = 0; K < Count; K += Rows) {
        const int64_t Some = std::min(Rows, Count - K);
        for (int64_t R = 0; R < Some; ++R) {
          auto *X = reinterpret_cast<const E *>(From.At + (K + R) * From.Down);
          TENSORTIDY_INDEPENDENT
          for (int64_t J = 0; J < Now; ++J)
            step(All[J], Buffer[R][J], X[C + J]);
        }
        for (int64_t J = 0; J < Now; ++J) {
          auto *T = reinterpret_cast<E *>(To.At + (C + J) * To.Step) + K;
          for (int64_t R = 0; R < Some; ++R)
            T[R] = Buffer[R][J];
        }
      }
    }
  }
  static void along(Lines To, Lines From, int64_t N, int64_t Count,
                    int64_t Start) {
    const auto First = static_cast<Wide<E>>(Start);
    auto Step = [](Wide<E> &All, char *T, const char *X) {
      step(All, *reinterpret_cast<E *>(T), *reinterpret_cast<const E *>(X));
    };
    // Large numbers that are packed come from memory sooner line by line,
    // unless lines are short; those nearby only wait for the one before.
    constexpr int64_t Short = 32, Near = 1 << 17;
    const bool ByFour = From.Down != Size || !std::is_same_v<Wide<E>, E> ||
                        Count <= Short || (IsFloating<E> && N * Count <= Near);
    for (; ByFour && N >= 4;
         N -= 4, To.At += 4 * To.Step, From.At += 4 * From.Step) {
      Wide<E> A = First, B = First, C = First, D = First;
      char *T = To.At, *T2 = T + 2 * To.Step;
      const char *X = From.At, *X2 = X + 2 * From.Step;
      for (int64_t K = 0; K < Count; ++K) {
        Step(A, T, X);
        Step(B, T + To.Step, X + From.Step);
        Step(C, T2, X2);
        Step(D, T2 + To.Step, X2 + From.Step);
        T += To.Down;
        T2 += To.Down;
        X += From.Down;
        X2 += From.Down;
      }
    }
    for (; N > 0; --N, To.At += To.Step, From.At += From.Step) {
      Wide<E> All = First;
      for (int64_t K = 0; K < Count; ++K)
        Step(All, To.At + K * To.Down, From.At + K * From.Down);
    }
  }
  static void beside(Lines To, Lines From, int64_t N, int64_t Count,
                     int64_t Start) {
    constexpr int64_t Block = 512;
    Wide<E> All[Block];
    for (int64_t C = 0; C < N; C += Block) {
      const int64_t Now = std::min(Block, N - C);
      auto Row = [&](int64_t K) {
        return reinterpret_cast<E *>(To.At + K * To.Down) + C;
      };
      std::fill_n(All, Now, static_cast<Wide<E>>(Start));
      for (int64_t K = 0; K < Count; ++K) {
        auto *X = reinterpret_cast<const E *>(From.At + K * From.Down) + C;
        E *T = Row(K);
        if constexpr (std::is_same_v<Wide<E>,
                                     E>) { // as it stands in the result
          const E *Last = K ? Row(K - 1) : All;
          TENSORTIDY_INDEPENDENT
          for (int64_t J = 0; J < Now; ++J)
            T[J] = F()(Last[J], X[J]);
        } else {
          TENSORTIDY_INDEPENDENT
          for (int64_t J = 0; J < Now; ++J)
            step(All[J], T[J], X[J]);
        }
      }
    }
  }
};

/// What F makes of the elements so far, for each line along \p Dim; the result
/// is dense.
template <class F>
static Tensor scan(const Tensor &X, int64_t Dim, ScalarType Type, int64_t Start,
                   const char *Op, Site Here) {
  if (Type == kBool)
    fail(std::string(Op) + " is not defined for type Bool", X, Here);
  reads(X, Op, Here);
  if (Type == kHalf || Type == kBFloat16) { // computed with as floats
    Tensor R =
        castTo(scan<F>(castTo(X, Type, Here), Dim, kFloat, Start, Op, Here),
               Type, Here);
    impl(R).Op = Op;
    return R;
  }
  const Tensor From = castTo(X, Type, Here);
  const Shape &L = impl(From).L;
  const size_t D = orThrow(layout::wrapDim(Ar, Dim, L.rank()), X, Here,
                           [&] { return call(Op, Dim); });
  Tensor R = allocateDense(L.Sizes, Type, Op, Here);
  if (R.numel() == 0)
    return R;
  Shape In = L, Out = impl(R).L;
  const auto Size = static_cast<int64_t>(elementSize(Type));
  const int64_t Count = L.rank() ? L.Sizes[D] : 1;
  const int64_t StepIn = L.rank() ? In.Strides[D] * Size : Size;
  const int64_t StepOut = L.rank() ? Out.Strides[D] * Size : Size;
  if (L.rank())
    In.Sizes[D] = Out.Sizes[D] = 1;
  const Tensor A = restrided(From, In), B = restrided(R, Out);
  Walk W(Out.Sizes);
  W.add(B);
  W.add(A);
  W.simplify();
  if (StepOut == Size && StepIn != Size)
    W.orderBy(1, W.Sizes.size()); // what is read has to be waited for
  // Lines neither packed in the result nor beside each other are packed before.
  const size_t Rank = W.Sizes.size();
  auto IsBeside = [&](size_t K) {
    return Rank && W.Strides[K][Rank - 1] == Size;
  };
  if (StepOut != Size && !(IsBeside(0) && IsBeside(1)) && !From.is_contiguous())
    return scan<F>(From.contiguous(MemoryFormat::Contiguous, Here), Dim, Type,
                   Start, Op, Here);
  // Two or three lines beside each other wait for themselves.
  if (Rank >= 2 && StepOut != Size && W.Sizes[Rank - 1] < 4)
    W.swap(Rank - 1, Rank - 2);
  dispatchComputed(Type, [&](auto T) {
    using E = typename decltype(T)::type;
    const auto Loop = forProcessor<ScanLoop<E, F>>();
    W.run([&](char **P, const int64_t *Step, int64_t N) {
      Loop({P[0], StepOut, Step[0]}, {P[1], StepIn, Step[1]}, N, Count, Start);
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
  return scan<Add>(*this, dim, Type, 0, "cumsum", Here);
}
Tensor Tensor::cumprod(int64_t dim, optional<ScalarType> dtype,
                       Site Here) const {
  const ScalarType Type = sumType(impl(*this, "cumprod", Here).Type, dtype);
  if (this->dim() == 0)
    return numberAs(*this, dim, Type, "cumprod", Here);
  return scan<Mul>(*this, dim, Type, 1, "cumprod", Here);
}

//===--- softmax --------------------------------------------------------===//

/// What lines with these sums of powers are multiplied with, or what is taken
/// off their logarithms.
template <class E>
static void factors(double *Sums, E *Factors, int64_t N, bool Log) {
  if (Log)
    detail::Log::row(Sums, Sums, N);
  vectorised([=] {
    TENSORTIDY_INDEPENDENT
    for (int64_t K = 0; K < N; ++K)
      Factors[K] = Log ? static_cast<E>(Sums[K]) : 1 / static_cast<E>(Sums[K]);
  });
}

/// \p Count packed lines, of which several take each step together, so that
/// none waits for the one before; Out may be In.
template <class E>
static void softmaxRows(const E *In, E *Out, int64_t N, int64_t Count,
                        bool Log) {
  constexpr int64_t Block = 1024, Most = 16;
  const int64_t Together = std::clamp<int64_t>(4 * Block / N, 1, Most);
  const auto Inside =
      forProcessor<typename Rows<E, Extreme<E, true>>::Inside>();
  const Extreme<E, true> Greatest;
  for (; Count > 0;
       Count -= Together, In += Together * N, Out += Together * N) {
    const int64_t Some = std::min(Together, Count);
    E Top[Most], Factor[Most], Powers[Block];
    double Sums[Most] = {};
    std::fill_n(Top, Some, Greatest.begin());
    Inside(&Greatest, Top, reinterpret_cast<const char *>(In), N,
           N * int64_t(sizeof(E)), Some);
    for (int64_t R = 0; R < Some; ++R)
      for (int64_t K = 0; K < N; K += Block) {
        E *To = Log ? Powers : Out + R * N + K;
        Sums[R] += static_cast<double>(
            expRow(In + R * N + K, Top[R], To, std::min(Block, N - K)));
      }
    factors(Sums, Factor, Some, Log);
    vectorised([&] {
      for (int64_t R = 0; R < Some; ++R) {
        const E *From = In + R * N, Most = Top[R], By = Factor[R];
        E *To = Out + R * N;
        if (Log) {
          TENSORTIDY_INDEPENDENT
          for (int64_t K = 0; K < N; ++K)
            To[K] = From[K] - Most - By;
        } else {
          for (int64_t K = 0; K < N; ++K)
            To[K] *= By;
        }
      }
    });
  }
}

/// \p Columns lines beside each other, of \p N elements that are \p Row apart,
/// at most Most at once; Out may be In.
template <class E> struct Softmax {
  static constexpr int64_t Most = 256, Block = 16384 / sizeof(E);
  const E *In;
  E *Out;
  int64_t N, Columns, Row;
  bool Log;
  E Top[Most], Factor[Most];   ///< or what is taken off
  E Powers[Block], Part[Most]; ///< the sums of some rows
  double Sum[Most];

  void run() {
    vectorised([this] {
      for (int64_t C = 0; C < Columns; ++C) {
        Top[C] = In[C];
        Part[C] = 0;
        Sum[C] = 0;
      }
      for (int64_t R = 1; R < N; ++R) {
        const E *Line = In + R * Row;
        TENSORTIDY_INDEPENDENT
        for (int64_t C = 0; C < Columns; ++C)
          Top[C] = Extreme<E, true>::feed(Top[C], Line[C]);
      }
    });
    // The powers stay where they are if there is room for all.
    const int64_t Together = Block / Columns;
    const bool AreAll = N <= Together;
    for (int64_t R = 0; R < N; R += Together) {
      const int64_t Some = std::min(Together, N - R);
      vectorised([this, R, Some] {
        for (int64_t J = 0; J < Some; ++J) {
          const E *Line = In + (R + J) * Row;
          E *To = Powers + J * Columns;
          TENSORTIDY_INDEPENDENT
          for (int64_t C = 0; C < Columns; ++C)
            To[C] = Line[C] - Top[C];
        }
      });
      Exp::row(Powers, Powers, Some * Columns);
      vectorised([this, R, Some, AreAll] {
        for (int64_t J = 0; J < Some; ++J) {
          const E *From = Powers + J * Columns;
          TENSORTIDY_INDEPENDENT
          for (int64_t C = 0; C < Columns; ++C)
            Part[C] += From[C];
          if (!Log && !AreAll)
            std::copy_n(From, Columns, Out + (R + J) * Row);
          if (J % 64 == 63 || J + 1 == Some) {
            TENSORTIDY_INDEPENDENT
            for (int64_t C = 0; C < Columns; ++C) {
              Sum[C] += static_cast<double>(Part[C]);
              Part[C] = 0;
            }
          }
        }
      });
    }
    factors(Sum, Factor, Columns, Log);
    vectorised([this, AreAll] {
      for (int64_t R = 0; R < N; ++R) {
        const E *From = In + R * Row;
        E *To = Out + R * Row;
        if (Log) {
          TENSORTIDY_INDEPENDENT
          for (int64_t C = 0; C < Columns; ++C)
            To[C] = From[C] - Top[C] - Factor[C];
        } else {
          From = AreAll ? Powers + R * Columns : To;
          TENSORTIDY_INDEPENDENT
          for (int64_t C = 0; C < Columns; ++C)
            To[C] = From[C] * Factor[C];
        }
      }
    });
  }
};

/// How many groups of \p Row lines beside each other go together, if they are
/// too few and short alone.
static int64_t softmaxGroups(int64_t N, int64_t Row) {
  constexpr int64_t Columns = 128, Room = 2048;
  return Row == 1 && N > 32 ? 1 : std::min(Columns / Row, Room / (N * Row));
}
/// \p Count groups of \p Row lines of \p N numbers, of which so many are put
/// beside each other; Out may be In.
template <class E>
static void softmaxGrouped(const E *In, E *Out, int64_t N, int64_t Row,
                           int64_t Count, int64_t Together, bool Log) {
  constexpr int64_t Room = 2048, Size = sizeof(E);
  E Buffer[Room];
  auto *At = reinterpret_cast<char *>(Buffer);
  Softmax<E> Lines;
  for (; Count > 0; Count -= Together) {
    const int64_t Some = std::min(Together, Count), Columns = Some * Row;
    auto *From = reinterpret_cast<const char *>(In);
    auto *To = reinterpret_cast<char *>(Out);
    if (Row == 1)
      turn<E>(Even<char *>{At, Columns * Size},
              Even<const char *>{From, N * Size}, N, Some);
    else
      for (int64_t G = 0; G < Some; ++G)
        copyRows(At + G * Row * Size, Columns * Size, From + G * N * Row * Size,
                 Row * Size, Row * Size, N);
    Lines.In = Lines.Out = Buffer;
    Lines.N = N;
    Lines.Columns = Lines.Row = Columns;
    Lines.Log = Log;
    Lines.run();
    if (Row == 1)
      turn<E>(Even<char *>{To, N * Size},
              Even<const char *>{At, Columns * Size}, Some, N);
    else
      for (int64_t G = 0; G < Some; ++G)
        copyRows(To + G * N * Row * Size, Row * Size, At + G * Row * Size,
                 Columns * Size, Row * Size, N);
    In += Some * N * Row;
    Out += Some * N * Row;
  }
}

static Tensor softmaxOf(const Tensor &X, int64_t Dim,
                        optional<ScalarType> Asked, bool Log, const char *Op,
                        Site Here) {
  const ScalarType Type = Asked.value_or(impl(X, Op, Here).Type);
  if (!isFloatingType(Type))
    fail(std::string(Op) + " is not defined for type " + toString(Type), X,
         Here);
  reads(X, Op, Here);
  const Shape &L = impl(X).L;
  const size_t D = orThrow(layout::wrapDim(Ar, Dim, L.rank()), X, Here,
                           [&] { return call(Op, Dim); });
  // 16-bit numbers are computed with as floats.
  const ScalarType Computed = Type == kDouble ? kDouble : kFloat;
  // A few of them in a buffer, which costs less than a tensor.
  constexpr int64_t Few = 1024;
  const bool IsFew = Type == kBFloat16 && impl(X).Type == Type &&
                     X.numel() <= Few && X.is_contiguous();
  float Buffer[Few];
  Tensor R = allocateDense(L.Sizes, IsFew ? Type : Computed, Op, Here);
  if (IsFew)
    widen(reinterpret_cast<const BFloat16 *>(impl(X).data()), Buffer,
          X.numel());
  if (X.numel() != 0) {
    const bool IsCopy = impl(X).Type != Computed || !X.is_contiguous();
    if (IsCopy && !IsFew)
      R.copy_(X, false, Site::none());
    const int64_t N = L.rank() ? L.Sizes[D] : 1;
    int64_t Row = 1; // from one element of a line to the next
    for (size_t Inner = D + 1; Inner < L.rank(); ++Inner)
      Row *= L.Sizes[Inner];
    dispatchFloating(Computed, [&](auto T) {
      using E = Compute<typename decltype(T)::type>;
      auto *Out = IsFew ? reinterpret_cast<E *>(Buffer)
                        : reinterpret_cast<E *>(impl(R).data());
      const auto *In =
          IsCopy ? Out : reinterpret_cast<const E *>(impl(X).data());
      // As many columns as stay in the first cache.
      constexpr int64_t Most = Softmax<E>::Most;
      const int64_t Width = std::clamp<int64_t>(8192 / N, 16, Most);
      const int64_t Groups = X.numel() / (N * Row),
                    Together = softmaxGroups(N, Row);
      if (Together > 1)
        softmaxGrouped(In, Out, N, Row, Groups, Together, Log);
      else if (Row == 1)
        softmaxRows(In, Out, N, Groups, Log);
      else
        for (int64_t K = 0, End = X.numel(); K < End; K += N * Row)
          for (int64_t C = 0; C < Row; C += Width) {
            Softmax<E> Lines;
            Lines.In = In + K + C;
            Lines.Out = Out + K + C;
            Lines.N = N;
            Lines.Columns = std::min(Width, Row - C);
            Lines.Row = Row;
            Lines.Log = Log;
            Lines.run();
          }
    });
  }
  if (IsFew)
    narrow(Buffer, reinterpret_cast<BFloat16 *>(impl(R).data()), X.numel());
  R = castTo(R, Type, Here);
  impl(R).Op = Op;
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
  reads(input, "layer_norm", Here);
  const Shape &L = impl(input).L;
  const size_t N = normalized_shape.size();
  if (!isFloatingType(impl(input).Type))
    fail("layer_norm: a floating type is needed", input, Here);
  bool Fits = N >= 1 && N <= L.rank();
  for (size_t D = 0; Fits && D < N; ++D)
    Fits = L.Sizes[L.rank() - N + D] == normalized_shape[D];
  if (!Fits)
    fail(call("layer_norm", normalized_shape) +
             ": the last sizes of the tensor are not these",
         input, Here);
  for (const auto *P : {&weight, &bias})
    if (*P && (*P)->defined() && (*P)->sizes() != normalized_shape)
      fail(call("layer_norm", normalized_shape) +
               ": weight and bias must have these sizes",
           **P, Here);
  // libtorch looks at the types when it computes a row.
  bool Mixes =
      elementSize(impl(input).Type) == 2 && has(Change::LayerNormMixesTypes);
  for (const auto *P : {&weight, &bias})
    Mixes = Mixes && (!*P || !(*P)->defined() || impl(**P).Type == kFloat);
  int64_t Outer = 1;
  for (size_t D = 0; D + N < L.rank(); ++D)
    Outer *= L.Sizes[D];
  for (const auto *P : {&weight, &bias})
    if (!Mixes && Outer && *P && (*P)->defined() &&
        impl(**P).Type != impl(input).Type)
      fail(std::string("layer_norm: tensors of types ") +
               toString(impl(input).Type) + " and " + toString(impl(**P).Type),
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
  const int64_t Inner = layout::numel(Ar, dims(normalized_shape));
  const int64_t Rows = Inner ? X.numel() / Inner : 0;
  dispatchFloating(Computed, [&](auto T) {
    using E = typename decltype(T)::type;
    using C = Compute<E>;
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
      vectorised([=] {
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
