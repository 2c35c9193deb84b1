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

#include "Impl.h"
#include "Vectors.h"
#include <algorithm>
#include <cstring>

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

/// Does the function have a row() for many floats at once (Math.h)?
template <class F, class = void> inline constexpr bool HasRow = false;
template <class F>
inline constexpr bool
    HasRow<F, decltype(F::row(nullptr, nullptr, int64_t(0)))> = true;

/// \p N elements \p Steps bytes apart by Function::row().
template <class F, class Out, class In>
void mapRow(char *To, int64_t ToStep, char *From, int64_t FromStep, int64_t N) {
  if constexpr (std::is_same_v<Out, float> && std::is_same_v<In, float>)
    if (ToStep == sizeof(float) && FromStep == sizeof(float)) {
      F::row(reinterpret_cast<float *>(From), reinterpret_cast<float *>(To), N);
      return;
    }
  constexpr int64_t Block = 256;
  float Buffer[Block];
  for (int64_t K = 0; K < N; K += Block) {
    const int64_t Now = std::min(Block, N - K);
    for (int64_t J = 0; J < Now; ++J, From += FromStep)
      Buffer[J] = load(*reinterpret_cast<const In *>(From));
    F::row(Buffer, Buffer, Now);
    for (int64_t J = 0; J < Now; ++J, To += ToStep)
      store(*reinterpret_cast<Out *>(To), Buffer[J]);
  }
}

/// Out = Function(In ...) element by element, all of the given types.
template <class Out, class In, class F>
void mapLoop(const Tensor &To, const Tensor &From, F Function) {
  loop(impl(To).L.Sizes, {&To, &From},
       [&](char **P, const int64_t *Step, int64_t N) {
         if constexpr (HasRow<F> && std::is_same_v<Compute<In>, float>) {
           mapRow<F, Out, In>(P[0], Step[0], P[1], Step[1], N);
           return;
         }
         if (Step[0] == sizeof(Out) && Step[1] == sizeof(In)) {
           auto *O = reinterpret_cast<Out *>(P[0]);
           auto *I = reinterpret_cast<const In *>(P[1]);
           for (int64_t K = 0; K < N; ++K)
             store(O[K], Function(load(I[K])));
           return;
         }
         char *O = P[0], *I = P[1];
         for (int64_t K = 0; K < N; ++K, O += Step[0], I += Step[1])
           store(*reinterpret_cast<Out *>(O),
                 Function(load(*reinterpret_cast<const In *>(I))));
       });
}
template <class Out, class In, class F>
void mapLoop(const Tensor &To, const Tensor &A, const Tensor &B, F Function) {
  loop(impl(To).L.Sizes, {&To, &A, &B},
       [&](char **P, const int64_t *Step, int64_t N) {
         constexpr int64_t S = sizeof(In);
         if (Step[0] == sizeof(Out) && Step[1] == S &&
             (Step[2] == S || Step[2] == 0)) {
           auto *O = reinterpret_cast<Out *>(P[0]);
           auto *X = reinterpret_cast<const In *>(P[1]);
           auto *Y = reinterpret_cast<const In *>(P[2]);
           const auto V = load(*Y);
           if (Step[2] == S)
             for (int64_t K = 0; K < N; ++K)
               store(O[K], Function(load(X[K]), load(Y[K])));
           else
             for (int64_t K = 0; K < N; ++K)
               store(O[K], Function(load(X[K]), V));
           return;
         }
         char *O = P[0], *X = P[1], *Y = P[2];
         for (int64_t K = 0; K < N;
              ++K, O += Step[0], X += Step[1], Y += Step[2])
           store(*reinterpret_cast<Out *>(O),
                 Function(load(*reinterpret_cast<const In *>(X)),
                          load(*reinterpret_cast<const In *>(Y))));
       });
}

} // namespace tensortidy::detail

#endif
