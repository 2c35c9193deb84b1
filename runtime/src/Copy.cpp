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

#include "Loop.h"
#include "Report.h"
#include <algorithm>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

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

/// Rows x Columns elements one by one.
template <class E>
static void turnPlain(char *To, int64_t ToRow, const char *From,
                      int64_t FromColumn, int64_t Rows, int64_t Columns) {
  for (int64_t R = 0; R < Rows; ++R) {
    auto *T = reinterpret_cast<E *>(To + R * ToRow);
    const char *F = From + R * static_cast<int64_t>(sizeof(E));
    for (int64_t C = 0; C < Columns; ++C)
      T[C] = *reinterpret_cast<const E *>(F + C * FromColumn);
  }
}

#if defined(__SSE2__)
/// Four rows of four 32-bit elements become four columns.
static void turn4x4(char *To, int64_t ToRow, const char *From,
                    int64_t FromColumn) {
  auto Read = [&](int64_t C) {
    return _mm_loadu_ps(reinterpret_cast<const float *>(From + C * FromColumn));
  };
  __m128 A = Read(0), B = Read(1), C = Read(2), D = Read(3);
  _MM_TRANSPOSE4_PS(A, B, C, D);
  int64_t R = 0;
  for (const __m128 &V : {A, B, C, D})
    _mm_storeu_ps(reinterpret_cast<float *>(To + ToRow * R++), V);
}
#endif

/// Rows x Columns elements; To is packed along its rows, From along its
/// columns. A tile is turned in a buffer, so that the target is written in
/// whole cache lines: past the caches when \p Stream, as memcpy does, which
/// saves reading what is overwritten.
template <class E>
static void copyTurned(char *To, int64_t ToRow, const char *From,
                       int64_t FromColumn, int64_t Rows, int64_t Columns,
                       [[maybe_unused]] bool Stream) {
  constexpr int64_t Size = sizeof(E), Line = 64, Tile = Line / Size;
#if defined(__SSE2__)
  Stream = Stream && reinterpret_cast<uintptr_t>(To) % Line == 0 &&
           ToRow % Line == 0;
#endif
  for (int64_t C = 0; C < Columns; C += Tile) {
    const int64_t W = std::min(Tile, Columns - C);
    for (int64_t R = 0; R < Rows; R += Tile) {
      const int64_t H = std::min(Tile, Rows - R);
      char *T = To + R * ToRow + C * Size;
      const char *F = From + R * Size + C * FromColumn;
#if defined(__SSE2__)
      if constexpr (Size == 4) {
        if (W == Tile && H == Tile) {
          alignas(Line) char Buffer[Tile * Line];
          for (int64_t J = 0; J < Tile; J += 4)
            for (int64_t I = 0; I < Tile; I += 4)
              turn4x4(Buffer + I * Line + J * Size, Line,
                      F + J * FromColumn + I * Size, FromColumn);
          for (int64_t I = 0; I < Tile; ++I)
            for (int64_t K = 0; K < Line; K += 16) {
              const __m128 V =
                  _mm_load_ps(reinterpret_cast<float *>(Buffer + I * Line + K));
              auto *P = reinterpret_cast<float *>(T + I * ToRow + K);
              if (Stream)
                _mm_stream_ps(P, V);
              else
                _mm_storeu_ps(P, V);
            }
          continue;
        }
        const int64_t W4 = W / 4 * 4, H4 = H / 4 * 4;
        for (int64_t I = 0; I < H4; I += 4)
          for (int64_t J = 0; J < W4; J += 4)
            turn4x4(T + I * ToRow + J * Size, ToRow,
                    F + J * FromColumn + I * Size, FromColumn);
        turnPlain<E>(T + W4 * Size, ToRow, F + W4 * FromColumn, FromColumn, H4,
                     W - W4);
        turnPlain<E>(T + H4 * ToRow, ToRow, F + H4 * Size, FromColumn, H - H4,
                     W);
        continue;
      }
#endif
      turnPlain<E>(T, ToRow, F, FromColumn, H, W);
    }
  }
}

/// Elements of one size, as they are.
template <class E> static void copySame(Walk &W) {
  constexpr int64_t Size = sizeof(E);
  const size_t N = W.Sizes.size();
  // Is the source packed along another dimension than the target?
  if (N >= 2 && W.Strides[0][N - 1] == Size && W.Strides[1][N - 1] != Size)
    for (size_t D = N - 1; D-- > 0;) {
      if (W.Strides[1][D] != Size || W.Sizes[D] < 4 || W.Sizes[N - 1] < 4)
        continue;
      const int64_t Rows = W.Sizes[D], ToRow = W.Strides[0][D];
      const int64_t Columns = W.Sizes[N - 1], Column = W.Strides[1][N - 1];
      int64_t Bytes = Size;
      for (const int64_t S : W.Sizes)
        Bytes *= S;
      // More than the caches hold anyway.
      const bool Stream = Bytes >= int64_t(8) << 20;
      W.Sizes[D] = W.Sizes[N - 1] = 1;
      W.run([&](char **P, const int64_t *, int64_t) {
        copyTurned<E>(P[0], ToRow, P[1], Column, Rows, Columns, Stream);
      });
#if defined(__SSE2__)
      if (Stream)
        _mm_sfence();
#endif
      return;
    }
  W.run([](char **P, const int64_t *Step, int64_t Count) {
    if (Step[0] == Size && Step[1] == Size) {
      std::memmove(P[0], P[1], static_cast<size_t>(Count * Size));
      return;
    }
    char *T = P[0], *F = P[1];
    if (Step[0] == Size) {
      auto *To = reinterpret_cast<E *>(T);
      for (int64_t K = 0; K < Count; ++K, F += Step[1])
        To[K] = *reinterpret_cast<const E *>(F);
      return;
    }
    for (int64_t K = 0; K < Count; ++K, T += Step[0], F += Step[1])
      *reinterpret_cast<E *>(T) = *reinterpret_cast<const E *>(F);
  });
}

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
    dispatchSize(elementSize(A),
                 [&](auto T) { copySame<typename decltype(T)::type>(W); });
    return;
  }
  dispatch(A, [&](auto T) {
    using Out = typename decltype(T)::type;
    dispatch(B, [&](auto F) {
      using In = typename decltype(F)::type;
      mapLoop<Out, In>(To, From, [](auto V) { return V; });
    });
  });
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

Tensor &Tensor::copy_(const Tensor &src, bool /*non_blocking*/,
                      Site Here) const {
  const auto &I = impl(*this, "copy_", Here), &S = impl(src, "copy_", Here);
  if (is_same(src))
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

Tensor Tensor::contiguous(MemoryFormat memory_format, Site Here) const {
  if (!defined())
    return *this;
  const auto F = static_cast<layout::MemoryFormat>(memory_format);
  if (memory_format == MemoryFormat::Preserve && !is_contiguous())
    detail::fail("contiguous: preserve is not a format to copy to", *this,
                 Here);
  if (layout::isContiguous(Ar, impl(*this).L, F).yes()) {
    observe(Event::RedundantContiguous, "contiguous", Here, 0);
    return *this;
  }
  auto R = orThrow(layout::contiguous(Ar, impl(*this).L, F), *this, Here,
                   [&] { return call("contiguous", memory_format); });
  if (R.K == R.Self)
    return *this;
  return detail::copyInto(*this, std::move(R.L), impl(*this).Type, "contiguous",
                          Here);
}

Tensor Tensor::to(TensorOptions options, bool /*non_blocking*/, bool copy,
                  optional<MemoryFormat> memory_format, Site Here) const {
  const auto &I = impl(*this, "to", Here);
  if (!options.device().is_cpu())
    detail::fail("to: there is no device " + options.device().str(), Here);
  if (options.memory_format_opt())
    memory_format = options.memory_format_opt();
  const ScalarType Type = options.has_dtype() ? options.dtype() : I.Type;
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
    detail::loop(I.L.Sizes, {this},
                 [V](char **P, const int64_t *Step, int64_t N) {
                   if (Step[0] == sizeof(E)) {
                     auto *To = reinterpret_cast<E *>(P[0]);
                     for (int64_t K = 0; K < N; ++K)
                       To[K] = V;
                     return;
                   }
                   char *To = P[0];
                   for (int64_t K = 0; K < N; ++K, To += Step[0])
                     *reinterpret_cast<E *>(To) = V;
                 });
  });
  detail::wrote(*this, "fill_", Here);
  return self();
}
Tensor &Tensor::fill_(const Tensor &value, Site Here) const {
  if (value.dim() != 0)
    detail::fail("fill_: the value must be a 0-dim tensor", value, Here);
  return fill_(value.item(Here), Here);
}
Tensor &Tensor::zero_(Site Here) const { return fill_(Scalar(0), Here); }

} // namespace tensortidy
