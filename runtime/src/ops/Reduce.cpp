//===- Reduce.cpp - sums, products, norms ---------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a reduction goes through its operand, and those that add or multiply.
//
//===----------------------------------------------------------------------===//

#include "kernels/Reduce.h"
#include "core/Release.h"
#include <cmath>

namespace tensortidy {

using namespace detail;

namespace detail {

Split splitDims(const Tensor &X, IntArrayRef Over, bool KeepDim, const char *Op,
                Site Here) {
  reads(X, Op, Here);
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

Tensor keptOnly(const Tensor &R, const Split &S) {
  return restrided(R, layout::denseLayout(Ar, S.Kept));
}

namespace {

/// The reduced dimensions of an operand, in any order.
class Reduced {
public:
  Reduced(const Split &S, ScalarType Type, bool AsBits)
      : From(Type, AsBits), W(S.Inner.Sizes) {
    W.Count = 1;
    W.Strides[0] = S.Inner.Strides;
    for (int64_t &T : W.Strides[0])
      T *= From.Size;
    W.simplify();
    // What stands still is gone through again and again, as a whole.
    if (W.Sizes.size() > 1 && W.Strides[0].back() == 0)
      for (Dims *All : {&W.Sizes, &W.Strides[0]})
        std::rotate(All->begin(), All->end() - 1, All->end());
  }
  /// Bytes from one element to the next in the innermost of them.
  int64_t step() const {
    return W.Sizes.empty() ? From.Size : W.Strides[0].back();
  }
  /// How many elements are that far apart.
  int64_t run() const { return W.Sizes.empty() ? 1 : W.Sizes.back(); }
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
    if (W.Sizes.size() <= 1)
      return runsInto(Totals, By, At, step(), W.Sizes.empty() ? 1 : W.Sizes[0],
                      Further, Count);
    // Runs of many totals where these are nearer than the next run of the same.
    const size_t Rank = W.Sizes.size();
    const int64_t Some =
        Rank > 1 && std::abs(Further) < std::abs(W.Strides[0][Rank - 2]) ? Count
                                                                         : 1;
    constexpr int64_t Short = 64;
    for (; Count > 0;
         Count -= Some, At += Some * Further, Totals += Some * By.TotalSize)
      if (Some == 1 && W.Sizes[Rank - 1] <= Short)
        shortRunsInto(Totals, By, At);
      else
        run(At, [&](char *P, int64_t Step, int64_t N) {
          runsInto(Totals, By, P, Step, N, Further, Some);
        });
  }

  const Gatherer From;

private:
  static constexpr int64_t Block = 1024;
  /// What of \p Area fits into a buffer, which is handed to Use(Buffer, Area),
  /// then the next.
  template <class F> void gathered(Area A, F Use) const {
    alignas(64) char Buffer[Block * sizeof(double)];
    const int64_t Rows = A.Rows, N = A.N,
                  Together = N && N < Block ? Block / N : 1;
    for (int64_t R = 0; R < Rows; R += Together)
      for (int64_t K = 0; K < N; K += Block) {
        const Area Now{A.At + R * A.RowStep + K * A.Step,
                       std::min(Block, N - K), A.Step,
                       std::min(Together, Rows - R), A.RowStep};
        From.Move(Buffer, Now);
        Use(Buffer, Now, R);
      }
  }
  /// All runs, many of them in one buffer, into one total.
  void shortRunsInto(char *Totals, const Reducer &By, char *At) {
    const size_t Rank = W.Sizes.size();
    const int64_t Rows = W.Sizes[Rank - 2], Row = W.Strides[0][Rank - 2];
    W.Sizes[Rank - 2] = 1;
    run(At, [&](char *P, int64_t Step, int64_t N) {
      gathered({P, N, Step, Rows, Row},
               [&](char *Buffer, const Area &A, int64_t) {
                 By.Inside(By.Op, Totals, Buffer, A.N * A.Rows, 0, 1);
               });
    });
    W.Sizes[Rank - 2] = Rows;
  }
  /// Runs of \p N elements; short ones that are not packed share a buffer.
  void runsInto(char *Totals, const Reducer &By, char *At, int64_t Step,
                int64_t N, int64_t Further, int64_t Count) const {
    if (Step == From.Size && !From.Converts)
      return By.Inside(By.Op, Totals, At, N, Further, Count);
    const int64_t Size = From.Converts ? sizeof(float) : From.Size;
    gathered({At, N, Step, Count, Further},
             [&](char *Buffer, const Area &A, int64_t First) {
               By.Inside(By.Op, Totals + First * By.TotalSize, Buffer, A.N,
                         A.N * Size, A.Rows);
             });
  }

  Walk W;
};

/// The kept dimension of \p W whose elements, of its second tensor, are nearer
/// than those that are reduced, or which feeds many short runs side by side;
/// the rank if none does.
size_t columns(const Walk &W, const Reduced &Inner, int64_t Count) {
  const size_t Kept = W.Sizes.size();
  const int64_t Size = Inner.From.Size;
  size_t Packed = Kept;
  int64_t Near = Inner.step() && Count > 1 ? std::abs(Inner.step()) : INT64_MAX;
  for (size_t D = 0; D < Kept && Near != Size; ++D) {
    const int64_t Step = std::abs(W.Strides[1][D]);
    const bool IsLong = W.Sizes[D] >= 8 || W.Sizes[D] * Count >= 128;
    if (Step != 0 && Step < Near && W.Sizes[D] > 1 && IsLong) {
      Packed = D;
      Near = Step;
    }
  }
  if (Packed == Kept && Count > 1 &&
      Inner.run() < (Inner.step() == Size ? 8 : 32))
    for (size_t D = 0; D < Kept; ++D)
      if (W.Sizes[D] >= 64 && W.Strides[1][D] != 0 &&
          (Packed == Kept ||
           std::abs(W.Strides[1][D]) < std::abs(W.Strides[1][Packed])))
        Packed = D;
  return Packed;
}

} // namespace

void reduce(const Tensor &X, const Tensor &R, const Split &S,
            const Reducer &By) {
  constexpr int64_t Block = 1024, MostRows = 128;
  // What stands still is reduced once.
  Split Once = S;
  int64_t Times = 1;
  for (size_t D = 0; D < S.Kept.size(); ++D)
    if (S.Outer.Strides[D] == 0 && S.Kept[D] > 1) {
      Once.Kept[D] = Once.Outer.Sizes[D] = 1;
      Times *= S.Kept[D];
    }
  const Tensor To = keptOnly(R, S);
  if (Times >= 8) {
    const Tensor Few =
        allocateDense(Once.Kept, impl(R).Type, "reduce", Site::none());
    reduce(X, Few, Once, By);
    To.copy_(Few, false, Site::none());
    return;
  }
  const Tensor From = restrided(X, S.Outer);
  Reduced Inner(S, impl(X).Type, By.AsBits);
  const int64_t Size = Inner.From.Size;
  Walk W(S.Kept);
  W.add(To);
  W.add(From);
  W.simplify();
  const size_t Kept = W.Sizes.size();
  // One by one, short rows are sooner packed before.
  constexpr int64_t Short = 64;
  if (S.Count == 1 && Kept >= 2 && W.Sizes[Kept - 1] < Short &&
      !layout::isContiguous(Ar, S.Outer).yes()) {
    Split One = S;
    const Tensor Dense =
        allocateDense(S.Kept, impl(X).Type, "reduce", Site::none());
    Dense.copy_(From, false, Site::none());
    One.Outer = impl(Dense).L;
    reduce(Dense, R, One, By);
    return;
  }
  const size_t Packed = columns(W, Inner, S.Count);
  alignas(64) char Totals[Block * 8], Parts[Block * 8];
  if (Packed == Kept) {
    W.run([&](char **P, const int64_t *Step, int64_t N) {
      for (int64_t K = 0; K < N; K += Block) {
        const int64_t Now = std::min(Block, N - K);
        By.Begin(Totals, Parts, Now);
        Inner.into(Totals, By, P[1] + K * Step[1], Step[1], Now);
        By.End(By.Finish, P[0] + K * Step[0], Step[0], Totals, nullptr, Now);
      }
    });
    return;
  }
  const int64_t Columns = W.Sizes[Packed], ToStep = W.Strides[0][Packed],
                Column = W.Strides[1][Packed];
  const int64_t Gathered = Inner.From.Converts ? sizeof(float) : Size;
  // Several rows of few columns are fed as one, to parts for each of them,
  // which do not wait for each other; of some columns where all rows are one
  // already.
  const bool Follow = Column == Size && Inner.step() == Columns * Size &&
                      !Inner.From.Converts && Inner.run() >= 32;
  int64_t Group = 1; // a power of two, whose halves are joined
  if (Columns < 8 || (Columns <= 32 && Follow))
    while (2 * Group * Columns <= 64)
      Group *= 2;
  // The parts of what is fed once are all there is.
  const bool IsOnce = S.Count <= MostRows && Group == 1;
  W.Sizes[Packed] = 1;
  // Rows that are gathered at once, of few columns as many as the first cache
  // has room for.
  constexpr int64_t Few = 4, Room = 8192;
  alignas(64) char Buffer[Few * Block * sizeof(double)];
  W.run([&](char **P, const int64_t *Step, int64_t N) {
    for (int64_t K = 0; K < N; ++K)
      for (int64_t C = 0; C < Columns; C += Block) {
        const int64_t Now = std::min(Block, Columns - C);
        int64_t Rows = 0;
        By.Begin(IsOnce ? nullptr : Totals, Parts, Now * Group);
        auto Flush = [&] { // which parts of several rows are, by halves
          for (int64_t Half = Group / 2 * Now; Half >= Now; Half /= 2)
            By.Join(By.Op, Parts, Parts + Half * By.PartSize, Half);
          By.Flush(By.Op, Totals, Parts, Now);
          Rows = 0;
        };
        Inner.run(P[1] + K * Step[1] + C * Column, [&](char *At, int64_t Row,
                                                       int64_t Count) {
          const bool Apart =
              By.Apart && Group == 1 && Column != Size && Column <= 64;
          const bool Gathers =
              !Apart && (Inner.From.Converts || Column != Size ||
                         (Group > 1 && Row != Now * Size));
          while (Count > 0) {
            int64_t Some = std::min(Count, (MostRows - Rows) * Group);
            const char *First = At;
            int64_t Further = Row;
            if (Gathers) {
              const int64_t Fit = Room / (Now * Group * Gathered) / 8 * 8;
              Some = std::min(Some, std::max(Few, Fit) * Group);
              Inner.From.Move(Buffer, {At, Now, Column, Some, Row});
              First = Buffer;
              Further = Now * Gathered;
            }
            const int64_t Groups = Some / Group;
            if (Apart)
              By.Apart(By.Op, Parts, Now, First, Column, Row, Some);
            else {
              By.Onto(By.Op, Parts, Now * Group, First, Further * Group,
                      Groups);
              By.Onto(By.Op, Parts, Now, First + Groups * Group * Further,
                      Further, Some - Groups * Group);
            }
            At += Some * Row;
            Count -= Some;
            Rows += Groups + (Some > Groups * Group);
            if (Rows >= MostRows && !IsOnce)
              Flush();
          }
        });
        if (!IsOnce)
          Flush();
        By.End(By.Finish, P[0] + K * Step[0] + C * ToStep, ToStep,
               IsOnce ? nullptr : Totals, Parts, Now);
      }
  });
}

} // namespace detail

namespace {

/// For each result element: State is made, fed every operand element in order
/// of index (with its position), and finished into the result.
template <class In, class Out, class MakeState, class Feed, class Finish>
void reduceLoop(const Tensor &X, const Tensor &R, const Split &S,
                MakeState Make, Feed Feeder, Finish Finisher) {
  const Tensor To = keptOnly(R, S), From = restrided(X, S.Outer);
  // The reduced dimensions as one walk from offset 0.
  Shape Inner = S.Inner;
  Walk Reduced(Inner.Sizes);
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
  Walk W(S.Kept);
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
            Feeder(State, load(E[J]), At++);
          return;
        }
        for (int64_t J = 0; J < Count; ++J, F += Move[0])
          Feeder(State, load(*reinterpret_cast<const In *>(F)), At++);
      });
      store(*reinterpret_cast<Out *>(P[0] + K * Step[0]), Finisher(State));
    }
  });
}

Tensor sumOver(const Tensor &X, IntArrayRef Over, bool KeepDim,
               optional<ScalarType> Type, bool Mean, const char *Op,
               Site Here) {
  const Split S = splitDims(X, Over, KeepDim, Op, Here);
  ScalarType Out = sumType(impl(X).Type, Type);
  if (Mean && !Type)
    Out = impl(X).Type;
  if (Mean && !isFloatingType(Out))
    fail("mean: a floating type is needed, not " + std::string(toString(Out)),
         X, Here);
  Tensor R = allocateDense(S.Result, Out, Op, Here);
  if (Out == kLong && isIntegralType(impl(X).Type, true)) {
    dispatch(impl(X).Type, [&](auto T) {
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
  dispatch(Out, [&](auto T) {
    using E = typename decltype(T)::type;
    using In = Readable<E>;
    reduceFast<In, E>(From, R, Cast, Adding<In>(),
                      [Count = Mean ? S.Count : 1](auto Sum) {
                        if constexpr (IsFloating<E>)
                          return Sum / static_cast<decltype(Sum)>(Count);
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
  dispatch(Out, [&](auto T) {
    using E = typename decltype(T)::type;
    using C = Compute<E>;
    reduceFast<C, E>(From, R, S, Multiplying<C>(), [](auto Product) {
      if constexpr (IsFloating<E>)
        return Product;
      else
        return static_cast<int64_t>(Product);
    });
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
  dispatch(Type, [&](auto T) {
    using C = Compute<typename decltype(T)::type>;
    // Both are one byte of 0 or 1.
    reduceFast<C, uint8_t>(X, R, S, Truth<C, All>(),
                           [](uint8_t Is) { return Is; });
  });
  return R;
}

/// Columns of \p Rows rows, \p Row bytes apart, are added to their sums, or
/// their squares about the middles.
template <class C> struct ColumnSums {
  static void run(double *Sums, const double *Middles, const char *P,
                  int64_t Columns, int64_t Row, int64_t Rows) {
    for (; Rows >= 4; Rows -= 4, P += 4 * Row)
      together(Sums, Middles, P, Columns, Row, std::make_index_sequence<4>());
    for (; Rows > 0; --Rows, P += Row)
      together(Sums, Middles, P, Columns, Row, std::index_sequence<0>());
  }
  template <size_t... I>
  static void together(double *Sums, const double *Middles, const char *P,
                       int64_t Columns, int64_t Row,
                       std::index_sequence<I...>) {
    const C *const From[] = {
        reinterpret_cast<const C *>(P + int64_t(I) * Row)...};
    if (!Middles) {
      TENSORTIDY_INDEPENDENT
      for (int64_t J = 0; J < Columns; ++J)
        Sums[J] += (static_cast<double>(From[I][J]) + ...);
      return;
    }
    TENSORTIDY_INDEPENDENT
    for (int64_t J = 0; J < Columns; ++J) {
      const double M = Middles[J];
      const double Off[] = {static_cast<double>(From[I][J]) - M...};
      Sums[J] += ((Off[I] * Off[I]) + ...);
    }
  }
};
/// Of columns side by side, dimension \p Side of \p W, the means first, then
/// the squares about them.
template <class C, class F>
void varianceOfColumns(Walk &W, size_t Side, Reduced &Inner, double N, F End) {
  constexpr int64_t Block = 512, Room = 4096;
  const int64_t Columns = W.Sizes[Side], ToStep = W.Strides[0][Side],
                Column = W.Strides[1][Side];
  alignas(64) double Means[Block], Squared[Block];
  alignas(64) C Buffer[Room];
  W.Sizes[Side] = 1;
  auto Add = forProcessor<ColumnSums<C>>();
  W.run([&](char **P, const int64_t *Step, int64_t Count) {
    for (int64_t At = 0; At < Count * Columns;) {
      const int64_t K = At / Columns, From = At % Columns,
                    Now = std::min(Block, Columns - From);
      auto Into = [&](double *Sums, const double *Middles) {
        std::fill_n(Sums, Now, 0.0);
        Inner.run(P[1] + K * Step[1] + From * Column,
                  [&](char *First, int64_t Row, int64_t Rows) {
                    if (Column == Inner.From.Size && !Inner.From.Converts)
                      return Add(Sums, Middles, First, Now, Row, Rows);
                    for (int64_t Some; Rows > 0;
                         Rows -= Some, First += Some * Row) {
                      Some = std::min(Rows, Room / Now);
                      Inner.From.Move(reinterpret_cast<char *>(Buffer),
                                      {First, Now, Column, Some, Row});
                      Add(Sums, Middles, reinterpret_cast<const char *>(Buffer),
                          Now, Now * static_cast<int64_t>(sizeof(C)), Some);
                    }
                  });
      };
      Into(Means, nullptr);
      for (int64_t J = 0; J < Now; ++J)
        Means[J] /= N;
      Into(Squared, Means);
      End(P[0] + K * Step[0] + From * ToStep, ToStep, Squared, nullptr, Now);
      At += Now;
    }
  });
}

Tensor varianceOver(const Tensor &X, IntArrayRef Over, int64_t Correction,
                    bool KeepDim, bool Root, const char *Op, Site Here) {
  const Split S = splitDims(X, Over, KeepDim, Op, Here);
  const ScalarType Type = impl(X).Type;
  if (!isFloatingType(Type))
    fail(std::string(Op) + ": a floating type is needed", X, Here);
  Tensor R = allocateDense(S.Result, Type, Op, Here);
  const auto N = static_cast<double>(S.Count);
  const double Divisor = N - static_cast<double>(Correction);
  auto Finish = [&](double Squared) {
    // By 0 with too few elements, as libtorch: NaN, or infinity.
    const double V = N == 0 ? std::numeric_limits<double>::quiet_NaN()
                            : Squared / std::max(Divisor, 0.0);
    return Root ? std::sqrt(V) : V;
  };
  // The mean first, then the squares about it.
  dispatchFloating(Type, [&](auto T) {
    using E = typename decltype(T)::type;
    using C = Compute<E>;
    const Adding<C> Add;
    Squares About;
    const Reducer Mean = reducer<C, E>(Add, Finish),
                  Square = reducer<C, E>(About, Finish);
    Reduced Inner(S, Type, Mean.AsBits);
    Walk W(S.Kept);
    W.add(keptOnly(R, S));
    W.add(restrided(X, S.Outer));
    W.simplify();
    if (const size_t Side = columns(W, Inner, S.Count); Side < W.Sizes.size())
      return varianceOfColumns<C>(W, Side, Inner, N, [&](auto... Ends) {
        Square.End(&Finish, Ends...);
      });
    W.run([&](char **P, const int64_t *Step, int64_t Count) {
      for (int64_t K = 0; K < Count; ++K) {
        double Sum = 0, Squared = 0;
        char *At = P[1] + K * Step[1];
        Inner.into(reinterpret_cast<char *>(&Sum), Mean, At, 0, 1);
        About.Middle = Sum / N;
        Inner.into(reinterpret_cast<char *>(&Squared), Square, At, 0, 1);
        Square.End(&Finish, P[0] + K * Step[0], 0, &Squared, nullptr, 1);
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
    fail("norm: a floating type is needed", X, Here);
  if ((P < 0 || std::isinf(P)) && detail::has(detail::Change::NormOfNothing))
    for (const int64_t Size : S.Inner.Sizes)
      if (Size == 0)
        fail("norm: the reduced dimensions have no elements", X, Here);
  if (P != 0 && layout::numel(Ar, S.Inner.Sizes) == 1 &&
      detail::has(detail::Change::NormOfOne))
    P = 1;
  Tensor R = allocateDense(S.Result, Type, "norm", Here);
  dispatchFloating(Type, [&](auto T) {
    using E = typename decltype(T)::type;
    if (P == 2) {
      reduceFast<Readable<E>, E>(X, R, S, AddingSquares<Readable<E>>(),
                                 [](double Sum) { return std::sqrt(Sum); });
      return;
    }
    const double Infinity = std::numeric_limits<double>::infinity();
    using In = Readable<E>;
    if (P == 1) {
      reduceFast<In, E>(X, R, S, OfSizes<Adding<In>>(),
                        [](auto Sum) { return Sum; });
      return;
    }
    if (P == Infinity) {
      reduceFast<In, E>(X, R, S, OfSizes<Extreme<In, true>>(), [](auto Most) {
        return Most < 0 ? decltype(Most)(0) : Most; // of none
      });
      return;
    }
    reduceLoop<E, E>(
        X, R, S, [&] { return P == -Infinity ? Infinity : 0.0; },
        [&](double &State, auto Value, int64_t) {
          const double V = std::abs(static_cast<double>(Value));
          if (P == -Infinity)
            State = V < State || V != V ? V : State;
          else if (P == 0)
            State += V != 0;
          else
            State += std::pow(V, P);
        },
        [&](double State) {
          return P == 0 || std::isinf(P) ? State : std::pow(State, 1 / P);
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
Tensor Tensor::var(OptionalIntArrayRef dim, optional<int64_t> correction,
                   bool keepdim, Site Here) const {
  return varianceOver(*this, orAll(dim), correction.value_or(1), keepdim, false,
                      "var", Here);
}
Tensor Tensor::std(OptionalIntArrayRef dim, optional<int64_t> correction,
                   bool keepdim, Site Here) const {
  return varianceOver(*this, orAll(dim), correction.value_or(1), keepdim, true,
                      "std", Here);
}
Tensor Tensor::norm(const Scalar &p, Site Here) const {
  return normOver(*this, p.toDouble(), {}, false, Here);
}
Tensor Tensor::norm(const optional<Scalar> &p, IntArrayRef dim, bool keepdim,
                    Site Here) const {
  return normOver(*this, p ? p->toDouble() : 2, dim, keepdim, Here);
}
Tensor Tensor::count_nonzero(optional<int64_t> dim, Site Here) const {
  const Split S = splitDims(*this, dim ? IntArrayRef(*dim) : IntArrayRef(),
                            false, "count_nonzero", Here);
  Tensor R = allocateDense(S.Result, kLong, "count_nonzero", Here);
  dispatch(impl(*this).Type, [&](auto T) {
    using C = Compute<typename decltype(T)::type>;
    reduceFast<C, int64_t>(*this, R, S, Counting(), [](uint64_t Count) {
      return static_cast<int64_t>(Count);
    });
  });
  return R;
}
Tensor Tensor::logsumexp(IntArrayRef dim, bool keepdim, Site Here) const {
  if (!isFloatingType(impl(*this, "logsumexp", Here).Type))
    return castTo(*this, get_default_dtype(), Here)
        .logsumexp(dim, keepdim, Here);
  if (numel() == 0)
    return exp(Here).sum(dim, keepdim, nullopt, Here).log(Here);
  if (dim.empty() && !keepdim && this->dim() > 0) // as in libtorch
    fail("logsumexp: without dimensions only with keepdim", *this, Here);
  // The maximum is taken out, so that nothing overflows.
  Tensor Top = amax(dim, true, Here);
  Top.masked_fill_(Top.isinf(Here), Scalar(0), Here);
  Tensor R = sub(Top, 1, Here)
                 .exp(Here)
                 .sum(dim, true, nullopt, Here)
                 .log(Here)
                 .add(Top, 1, Here);
  if (keepdim)
    return R;
  return R.view(ref(*layout::reduceSizes(Ar, impl(*this).L.Sizes, dim, false)),
                Here);
}
Tensor Tensor::trace(Site Here) const {
  if (impl(*this, "trace", Here).L.rank() != 2)
    fail("trace expects a matrix", *this, Here);
  requireNotBool(*this, "trace", Here);
  return diagonal(0, 0, 1, Here).sum(nullopt, Here);
}

} // namespace tensortidy
