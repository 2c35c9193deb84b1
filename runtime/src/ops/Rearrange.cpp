//===- Rearrange.cpp - joining, repeating, turning, cutting -------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// New tensors whose elements are those of others, placed by their indices.
//
//===----------------------------------------------------------------------===//

#include "core/Release.h"
#include "kernels/Elementwise.h"
#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

namespace tensortidy {

using detail::allocate;
using detail::allocateDense;
using detail::Ar;
using detail::call;
using detail::dimOf;
using detail::impl;
using detail::orThrow;
using detail::restrided;
using detail::Shape;

//===--- joining --------------------------------------------------------===//

static std::vector<const Shape *> layouts(TensorList Tensors, const char *Op,
                                          Site Here) {
  std::vector<const Shape *> R;
  for (const Tensor &X : Tensors)
    R.push_back(&impl(X, Op, Here).L);
  return R;
}
static ScalarType commonType(TensorList Tensors) {
  ScalarType R = ScalarType::Undefined;
  for (const Tensor &X : Tensors)
    R = R == ScalarType::Undefined ? impl(X).Type
                                   : promoteTypes(R, impl(X).Type);
  return R;
}

/// Packed, and nobody watches which of its elements were written.
static bool isPlain(const Tensor &X) {
  const auto &I = impl(X);
  return layout::isContiguous(Ar, I.L).yes() &&
         I.Store->Watched.Unwritten == detail::Watch::None;
}

/// Joins what is packed, as the result is, in the first \p Outer dimensions of
/// the result. Large results are written past the caches, elsewhere.
static bool joinPacked(const Tensor &R, TensorList Tensors, int64_t Outer) {
  constexpr int64_t Most = int64_t(16) << 20;
  const auto &To = impl(R);
  auto IsPacked = [&](const Tensor &X) {
    return impl(X).Type == To.Type && isPlain(X);
  };
  const auto Bytes = static_cast<int64_t>(R.nbytes());
  if (Bytes == 0 || Bytes >= Most || !IsPacked(R) ||
      !std::all_of(Tensors.begin(), Tensors.end(), IsPacked))
    return false;
  const int64_t Rows =
      std::accumulate(R.sizes().begin(), R.sizes().begin() + Outer, int64_t(1),
                      std::multiplies<>());
  std::vector<detail::RowPart> Parts;
  for (const Tensor &X : Tensors)
    if (const auto N = static_cast<int64_t>(X.nbytes()) / Rows)
      Parts.push_back({impl(X).data(), N});
  detail::joinRows(To.data(), Parts.data(), Parts.size(), Rows);
  return true;
}

Tensor cat(TensorList tensors, int64_t dim, Site Here) {
  const Shape L = orThrow(layout::cat(Ar, layouts(tensors, "cat", Here), dim),
                          tensors.empty() ? Tensor() : tensors[0], Here,
                          [&] { return call("cat", dim); });
  Tensor R = allocate(L, commonType(tensors), "cat", Here);
  int64_t Start = 0;
  const int64_t D = dim < 0 ? dim + static_cast<int64_t>(L.rank()) : dim;
  if (joinPacked(R, tensors, D))
    return R;
  for (const Tensor &X : tensors) {
    if (X.dim() == 1 && X.numel() == 0)
      continue;
    R.narrow(D, Start, X.size(D), Here).copy_(X, false, Here);
    Start += X.size(D);
  }
  return R;
}

Tensor stack(TensorList tensors, int64_t dim, Site Here) {
  const Shape L =
      orThrow(layout::stack(Ar, layouts(tensors, "stack", Here), dim),
              tensors.empty() ? Tensor() : tensors[0], Here,
              [&] { return call("stack", dim); });
  Tensor R = allocate(L, commonType(tensors), "stack", Here);
  const int64_t D = dim < 0 ? dim + static_cast<int64_t>(L.rank()) : dim;
  if (joinPacked(R, tensors, D))
    return R;
  for (size_t K = 0; K < tensors.size(); ++K)
    R.select(D, static_cast<int64_t>(K), Here).copy_(tensors[K], false, Here);
  return R;
}

Tensor hstack(TensorList tensors, Site Here) {
  std::vector<Tensor> In;
  for (const Tensor &X : tensors)
    In.push_back(atleast_1d(X, Here));
  return cat(In, In.empty() || In[0].dim() == 1 ? 0 : 1, Here);
}
Tensor vstack(TensorList tensors, Site Here) {
  std::vector<Tensor> In;
  for (const Tensor &X : tensors)
    In.push_back(atleast_2d(X, Here));
  return cat(In, 0, Here);
}

std::vector<Tensor> broadcast_tensors(TensorList tensors, Site Here) {
  detail::Dims Sizes;
  for (const Tensor &X : tensors)
    Sizes = orThrow(layout::broadcastSizes(
                        Ar, Sizes, impl(X, "broadcast_tensors", Here).L.Sizes),
                    X, Here, [&] {
                      return call("broadcast_tensors", detail::ref(Sizes),
                                  X.sizes());
                    });
  std::vector<Tensor> R;
  for (const Tensor &X : tensors)
    R.push_back(impl(X).L.Sizes == Sizes
                    ? X
                    : X.expand(detail::ref(Sizes), true, Here));
  return R;
}

std::vector<Tensor> meshgrid(TensorList tensors, std::string_view indexing,
                             Site Here) {
  if (indexing != "ij" && indexing != "xy")
    detail::fail("meshgrid: indexing must be ij or xy", Here);
  const bool Swap = indexing == "xy" && tensors.size() >= 2;
  if (tensors.empty())
    detail::fail("meshgrid: there are no tensors", Here);
  detail::Dims Sizes;
  std::vector<Tensor> In = tensors.vec();
  if (Swap)
    std::swap(In[0], In[1]);
  for (const Tensor &X : In)
    if (impl(X, "meshgrid", Here).Type != impl(In[0]).Type)
      detail::fail(std::string("meshgrid: tensors of types ") +
                       toString(impl(In[0]).Type) + " and " +
                       toString(impl(X).Type),
                   X, Here);
  for (const Tensor &X : In) {
    if (impl(X).L.rank() > 1)
      detail::fail("meshgrid: expected numbers or vectors", X, Here);
    Sizes.push_back(X.numel());
  }
  std::vector<Tensor> R;
  for (size_t K = 0; K < In.size(); ++K) {
    detail::Dims One(Sizes.size(), 1);
    One[K] = Sizes[K];
    R.push_back(In[K]
                    .view(detail::ref(One), Here)
                    .expand(detail::ref(Sizes), false, Here));
  }
  if (Swap) {
    std::swap(R[0], R[1]);
  }
  return R;
}

//===--- rearranging copies ---------------------------------------------===//

/// Where each index of the first \p Rank dimensions of \p Sizes stands in \p R.
template <class F>
static void eachPlace(const Tensor &R, const detail::Dims &Sizes, size_t Rank,
                      F Function) {
  const Shape &To = impl(R).L;
  const auto Size = static_cast<int64_t>(elementSize(impl(R).Type));
  const int64_t Count = std::accumulate(Sizes.begin(), Sizes.begin() + Rank,
                                        int64_t(1), std::multiplies<>());
  for (int64_t G = 0; G < Count; ++G) {
    int64_t At = 0, Rest = G;
    for (size_t D = Rank; D-- > 0; Rest /= Sizes[D])
      At += Rest % Sizes[D] * To.Strides[D];
    Function(G, impl(R).data() + At * Size);
  }
}
/// The innermost dimension that repeat() repeats, which is returned: each
/// packed row of \p X as often as asked for, while it is in the first cache.
/// The rank if that is no such repetition.
///   [[a, b], [c, d]] by {2, 3}:  a b a b a b   c d c d c d   of R's first rows
static size_t repeatRows(const Tensor &R, const Tensor &X,
                         const detail::Dims &Once, IntArrayRef Repeats) {
  constexpr int64_t MostTimes = 64, MostBytes = 16384;
  const auto &I = impl(X);
  const size_t Rank = Once.size();
  size_t D = Rank;
  while (D > 0 && Repeats[D - 1] == 1)
    --D;
  if (D-- == 0 || !isPlain(X))
    return Rank;
  auto Product = [&](size_t From, size_t To) {
    return std::accumulate(Once.begin() + From, Once.begin() + To, int64_t(1),
                           std::multiplies<>());
  };
  const auto Size = static_cast<int64_t>(elementSize(I.Type));
  const int64_t Row = Product(D, Rank) * Size, Times = Repeats[D];
  if (Row != Size && (Row > MostBytes || Times > MostTimes))
    return Rank;
  // Rows follow each other up to the next dimension that is repeated.
  size_t Next = D;
  while (Next > 0 && Repeats[Next - 1] == 1)
    --Next;
  Next -= Next > 0;
  const int64_t Rows = Product(Next, D);
  std::vector<detail::RowPart> Parts(Row == Size ? 0
                                                 : static_cast<size_t>(Times));
  eachPlace(R, Once, Next, [&](int64_t G, char *To) {
    const char *From = I.data() + G * Rows * Row;
    if (Row == Size)
      return detail::fillRows(To, Times * Size, From, Size, Size, Times * Size,
                              Rows);
    for (auto &P : Parts)
      P = {From, Row};
    detail::joinRows(To, Parts.data(), Parts.size(), Rows);
  });
  return D;
}

Tensor Tensor::repeat(IntArrayRef repeats, Site Here) const {
  const auto &I = impl(*this, "repeat", Here);
  if (repeats.size() < I.L.rank())
    detail::fail(call("repeat", repeats) + ": the tensor has " +
                     std::to_string(I.L.rank()) + " dimensions",
                 *this, Here);
  const size_t Rank = repeats.size(), Lead = Rank - I.L.rank();
  detail::Dims Sizes, Once;
  for (size_t D = 0; D < Rank; ++D) {
    Once.push_back(D < Lead ? 1 : I.L.Sizes[D - Lead]);
    Sizes.push_back(repeats[D] * Once[D]);
  }
  detail::requireSizes(detail::ref(Sizes), "repeat", Here);
  Tensor R = allocateDense(Sizes, I.Type, "repeat", Here);
  if (R.numel() == 0)
    return R;
  // Once, then again and again along each dimension, the innermost first.
  size_t D = repeatRows(R, *this, Once, repeats);
  if (D == Rank) {
    Shape First = impl(R).L;
    First.Sizes = Once;
    restrided(R, First).copy_(*this, false, Here);
  }
  // What is copied from stays in the first cache, if one is that small.
  constexpr int64_t Room = 8192;
  while (D-- > 0) {
    const int64_t Bytes = impl(R).L.Strides[D] * Once[D] *
                          static_cast<int64_t>(elementSize(I.Type)),
                  Most = std::max<int64_t>(1, Room / Bytes);
    eachPlace(R, Once, D, [&](int64_t, char *First) {
      for (int64_t Have = 1; Have < repeats[D];) {
        const int64_t More = std::min({Have, Most, repeats[D] - Have});
        std::memcpy(First + Have * Bytes, First,
                    static_cast<size_t>(More * Bytes));
        Have += More;
      }
    });
  }
  return R;
}
Tensor Tensor::tile(IntArrayRef dims, Site Here) const {
  std::vector<int64_t> Repeats = dims.vec();
  while (static_cast<int64_t>(Repeats.size()) < dim())
    Repeats.insert(Repeats.begin(), 1);
  return repeat(Repeats, Here);
}
Tensor Tensor::repeat_interleave(int64_t repeats, optional<int64_t> dim,
                                 Site Here) const {
  if (repeats < 0 && detail::has(detail::Change::RepeatsAreChecked))
    detail::fail("repeat_interleave: the repeats are negative", *this, Here);
  const Tensor X = dim ? *this : flatten(0, -1, Here);
  const auto D = static_cast<int64_t>(
      dimOf(X, dim.value_or(0), "repeat_interleave", Here));
  // libtorch looks at the repeats of what there is.
  if (repeats < 0 && X.size(D) > 0)
    detail::fail("repeat_interleave: the repeats are negative", X, Here);
  const int64_t N = X.size(D);
  std::vector<int64_t> At(static_cast<size_t>(N * repeats));
  for (int64_t K = 0; K < N; ++K)
    std::fill_n(At.begin() + K * repeats, repeats, K);
  const Tensor Index = from_blob(At.data(), static_cast<int64_t>(At.size()),
                                 TensorOptions(kLong), Here);
  return X.index_select(D, Index, Here);
}

Tensor Tensor::fliplr(Site Here) const {
  if (impl(*this, "fliplr", Here).L.rank() < 2)
    detail::fail("fliplr needs at least 2 dimensions", *this, Here);
  return flip(1, Here);
}
Tensor Tensor::flipud(Site Here) const {
  if (impl(*this, "flipud", Here).L.rank() < 1)
    detail::fail("flipud needs at least 1 dimension", *this, Here);
  return flip(int64_t(0), Here);
}
Tensor Tensor::rot90(int64_t k, IntArrayRef dims, Site Here) const {
  impl(*this, "rot90", Here);
  if (dims.size() != 2)
    detail::fail(call("rot90", k, dims) + ": two dimensions are needed", *this,
                 Here);
  if (dim() < 2)
    detail::fail("rot90 needs at least 2 dimensions", *this, Here);
  const size_t First = dimOf(*this, dims[0], "rot90", Here),
               Second = dimOf(*this, dims[1], "rot90", Here);
  if (First == Second)
    detail::fail(call("rot90", k, dims) + ": a dimension is given twice", *this,
                 Here);
  switch ((k % 4 + 4) % 4) {
  case 1:
    return flip(dims[1], Here).transpose_(dims[0], dims[1], Here);
  case 2:
    return flip(dims, Here);
  case 3:
    return flip(dims[0], Here).transpose_(dims[0], dims[1], Here);
  default:
    return clone(MemoryFormat::Contiguous, Here);
  }
}

Tensor Tensor::flip(IntArrayRef dims, Site Here) const {
  detail::reads(*this, "flip", Here);
  const auto &I = impl(*this);
  std::vector<bool> Turned(I.L.rank() + 1, false);
  for (int64_t Dim : dims) {
    const size_t D = dimOf(*this, Dim, "flip", Here);
    if (Turned[D])
      orThrow(layout::LayoutOutcome<layout::Concrete>(
                  layout::refuse<layout::Concrete>(layout::Rule::MoveDimRepeat,
                                                   {Dim})),
              *this, Here, [&] { return call("flip", dims); });
    Turned[D] = true;
  }
  Tensor R = allocate(*layout::preservedCopy(Ar, I.L), I.Type, "flip", Here);
  if (numel() == 0)
    return R;
  // Backwards through the operand: negative strides, which only loops may see.
  Shape L = I.L;
  for (size_t D = 0; D < L.rank(); ++D)
    if (Turned[D]) {
      L.Offset += (L.Sizes[D] - 1) * L.Strides[D];
      L.Strides[D] = -L.Strides[D];
    }
  const Tensor Backwards = restrided(*this, L);
  detail::Walk W(L.Sizes);
  W.add(R);
  W.add(Backwards);
  W.simplify();
  const size_t Rank = W.Sizes.size();
  int64_t Rows = 1, ToRow = 0, FromRow = 0;
  if (Rank >= 2) {
    Rows = std::exchange(W.Sizes[Rank - 2], 1);
    ToRow = W.Strides[0][Rank - 2];
    FromRow = W.Strides[1][Rank - 2];
  }
  detail::dispatchSize(elementSize(I.Type), [&](auto T) {
    using E = typename decltype(T)::type;
    constexpr int64_t Size = sizeof(E);
    W.run([&](char **P, const int64_t *Step, int64_t N) {
      if (Step[0] == Size && (Step[1] == Size || N == 1))
        return detail::copyRows(P[0], ToRow, P[1], FromRow, N * Size, Rows);
      if (Step[0] == Size && Step[1] == 0)
        return detail::fillRows(P[0], ToRow, P[1], FromRow, Size, N * Size,
                                Rows);
      auto Take = [](char *To, int64_t ToStep, const char *From,
                     int64_t FromStep, int64_t Count) {
        TENSORTIDY_INDEPENDENT
        for (int64_t K = 0; K < Count; ++K)
          *reinterpret_cast<E *>(To + K * ToStep) =
              *reinterpret_cast<const E *>(From + K * FromStep);
      };
      detail::vectorised([=, To = P[0], From = P[1], ToStep = Step[0],
                          FromStep = Step[1]] {
        constexpr int64_t Some = 256; // rows that the first cache has room for
        if (N < 8)                    // by columns, which are longer
          for (int64_t J = 0; J < Rows; J += Some)
            for (int64_t K = 0; K < N; ++K)
              Take(To + J * ToRow + K * ToStep, ToRow,
                   From + J * FromRow + K * FromStep, FromRow,
                   std::min(Some, Rows - J));
        else
          for (int64_t J = 0; J < Rows; ++J)
            if (ToStep == Size && FromStep == -Size)
              Take(To + J * ToRow, Size, From + J * FromRow, -Size, N);
            else
              Take(To + J * ToRow, ToStep, From + J * FromRow, FromStep, N);
      });
    });
  });
  return R;
}

Tensor Tensor::roll(IntArrayRef shifts, IntArrayRef dims, Site Here) const {
  impl(*this, "roll", Here);
  if (dims.size() != 1 || shifts.size() != 1) {
    if (shifts.empty())
      detail::fail("roll: there are no shifts", *this, Here);
    if (dims.empty() && shifts.size() == 1)
      return flatten(0, -1, Here)
          .contiguous(MemoryFormat::Contiguous, Here)
          .roll(shifts[0], int64_t(0), Here)
          .view(sizes(), Here);
    if (dims.size() != shifts.size())
      detail::fail(call("roll", shifts, dims) +
                       ": as many shifts as dimensions are needed",
                   *this, Here);
    Tensor R = *this;
    for (size_t K = 0; K < dims.size(); ++K)
      R = R.roll(shifts[K], dims[K], Here);
    return R;
  }
  if (numel() == 0)
    return clone(nullopt, Here);
  const auto D = static_cast<int64_t>(dimOf(*this, dims[0], "roll", Here));
  if (dim() == 0)
    detail::fail("roll cannot be applied to a 0-dim tensor", *this, Here);
  const int64_t Size = size(D);
  int64_t Start = (Size - shifts[0]) % Size;
  if (Start < 0)
    Start += Size;
  return cat({narrow(D, Start, Size - Start, Here), narrow(D, 0, Start, Here)},
             D, Here);
}

//===--- triangles and diagonals ----------------------------------------===//

/// Zeroes one side of the diagonal of each matrix.
static void cut(const Tensor &X, int64_t Diagonal, bool Lower) {
  if (X.numel() == 0)
    return;
  const Shape &L = impl(X).L;
  const size_t Rank = L.rank();
  const int64_t Rows = L.Sizes[Rank - 2], Columns = L.Sizes[Rank - 1],
                Size = static_cast<int64_t>(elementSize(impl(X).Type)),
                Down = L.Strides[Rank - 2] * Size,
                Step = L.Strides[Rank - 1] * Size;
  // Lower keeps columns up to R + Diagonal, upper those from there: each of the
  // rows in between keeps some, those before or after it none.
  const int64_t Shift = Diagonal + Lower,
                Begin = std::clamp<int64_t>(1 - Shift, 0, Rows),
                End = std::clamp<int64_t>(Columns - Shift, Begin, Rows);
  auto Zero = [&](char *At, int64_t Count) {
    if (Step == Size || Count == 1)
      std::memset(At, 0, static_cast<size_t>(Count * Size));
    else
      for (; Count > 0; --Count, At += Step)
        std::memset(At, 0, static_cast<size_t>(Size));
  };
  Shape First = L; // elements of the matrices
  First.Sizes[Rank - 2] = First.Sizes[Rank - 1] = 1;
  const Tensor Corners = restrided(X, First);
  detail::loop(First.Sizes, {&Corners},
               [&](char **P, const int64_t *Further, int64_t N) {
                 for (int64_t K = 0; K < N; ++K) {
                   char *At = P[0] + K * Further[0];
                   for (int64_t R = Begin; R < End; ++R) {
                     const int64_t Edge = R + Shift;
                     if (Lower)
                       Zero(At + R * Down + Edge * Step, Columns - Edge);
                     else
                       Zero(At + R * Down, Edge);
                   }
                   const int64_t From = Lower ? 0 : End,
                                 To = Lower ? Begin : Rows;
                   if (Down == Columns * Step)
                     Zero(At + From * Down, (To - From) * Columns);
                   else
                     for (int64_t R = From; R < To; ++R)
                       Zero(At + R * Down, Columns);
                 }
               });
}
static void requireMatrix(const Tensor &X, const char *Op, Site Here) {
  if (impl(X, Op, Here).L.rank() < 2 &&
      (X.numel() != 0 || detail::has(detail::Change::TrianglesNeedMatrices)))
    dimOf(X, -2, Op, Here); // which is not there
}
Tensor Tensor::tril(int64_t diagonal, Site Here) const {
  requireMatrix(*this, "tril", Here);
  Tensor R = clone(MemoryFormat::Contiguous, Here);
  cut(R, diagonal, true);
  return R;
}
Tensor Tensor::triu(int64_t diagonal, Site Here) const {
  requireMatrix(*this, "triu", Here);
  Tensor R = clone(MemoryFormat::Contiguous, Here);
  cut(R, diagonal, false);
  return R;
}
Tensor &Tensor::tril_(int64_t diagonal, Site Here) const {
  requireMatrix(*this, "tril_", Here);
  cut(*this, diagonal, true);
  detail::wrote(*this, "tril_", Here);
  return self();
}
Tensor &Tensor::triu_(int64_t diagonal, Site Here) const {
  requireMatrix(*this, "triu_", Here);
  cut(*this, diagonal, false);
  detail::wrote(*this, "triu_", Here);
  return self();
}
Tensor Tensor::diag(int64_t diagonal, Site Here) const {
  impl(*this, "diag", Here);
  if (dim() == 2 && !detail::has(detail::Change::DiagMayBeEmpty) &&
      (diagonal > size(1) || -diagonal > size(0)))
    detail::fail(call("diag", diagonal) + ": there is no such diagonal", *this,
                 Here);
  if (dim() == 2)
    return this->diagonal(diagonal, 0, 1, Here)
        .clone(MemoryFormat::Contiguous, Here);
  if (dim() != 1)
    detail::fail("diag expects a vector or a matrix", *this, Here);
  const int64_t N = numel() + (diagonal < 0 ? -diagonal : diagonal);
  Tensor R = zeros({N, N}, scalar_type(), Here);
  R.diagonal(diagonal, 0, 1, Here).copy_(*this, false, Here);
  return R;
}

} // namespace tensortidy
