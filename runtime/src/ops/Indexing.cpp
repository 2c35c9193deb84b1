//===- Indexing.cpp - elements by index -----------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// x.index({...}) first applies what only needs metadata (integers, slices,
// None, Ellipsis), which gives a view; index tensors that remain make a copy:
//
//   x[4,5,6].index({Slice(), idx[2]})   positions of idx along dimension 1
//     x seen as [4, 2*, 6], stride 0 at *, plus idx * stride(1) at each element
//
//===----------------------------------------------------------------------===//

#include "core/Release.h"
#include "kernels/Elementwise.h"
#include <algorithm>
#include <cstring>

namespace tensortidy {

using detail::allocate;
using detail::allocateDense;
using detail::Ar;
using detail::call;
using detail::castTo;
using detail::dimOf;
using detail::dims;
using detail::impl;
using detail::orThrow;
using detail::reads;
using detail::restrided;
using detail::Shape;
using indexing::TensorIndex;

TensorIndex::TensorIndex(const char *str) : K(IsEllipsis) {
  if (std::strcmp(str, "...") != 0)
    throw Error(std::string("index: expected \"...\", got \"") + str + "\"");
}

/// As detail::fail(), for code that looks for this kind of exception.
[[noreturn]] static void failIndex(const std::string &Text, const Tensor &X,
                                   Site Here) {
  try {
    detail::fail(Text, X, Here);
  } catch (const Error &E) {
    throw IndexError(E.what());
  }
}

namespace {

/// A view, and the index tensors still to be applied to its dimensions.
struct Partial {
  Tensor View;
  /// By dimension, undefined where there is none; since masks count all of
  /// their dimensions, one for each mask.
  std::vector<Tensor> Indices;
  bool Copies() const {
    return std::any_of(Indices.begin(), Indices.end(),
                       [](const Tensor &I) { return I.defined(); });
  }
};

/// A dimension that is named in full is no view of its own.
bool isWhole(const indexing::Slice &S, const Tensor &X, int64_t Dim) {
  if (S.Start.value_or(0) != 0 || S.Step != 1 || Dim >= X.dim())
    return false;
  if (detail::has(detail::Change::WholeSlicesAreNoViews))
    return !S.Stop || *S.Stop >= X.size(Dim);
  return S.Stop && *S.Stop == X.size(Dim);
}

Partial applyBasic(const Tensor &X, ArrayRef<TensorIndex> Indices, Site Here) {
  const auto Rank = static_cast<int64_t>(impl(X, "index", Here).L.rank());
  int64_t Named = 0;
  for (const auto &I : Indices) {
    if (I.K == TensorIndex::IsInteger || I.K == TensorIndex::IsSlice)
      ++Named;
    if (I.K == TensorIndex::IsTensor) {
      const ScalarType T = impl(I.Indices, "index", Here).Type;
      Named += T == kBool || T == kByte ? I.Indices.dim() : 1;
    }
  }
  if (Named > Rank)
    failIndex("index: too many indices (" + std::to_string(Named) +
                  ") for a tensor of " + std::to_string(Rank) + " dimensions",
              X, Here);
  Partial P{X, {}};
  int64_t Dim = 0;
  const bool Counted = detail::has(detail::Change::MasksCountDimensions);
  auto Remember = [&](const Tensor &I) {
    if (!Counted || P.Indices.empty())
      P.Indices.resize(static_cast<size_t>(Dim));
    P.Indices.push_back(I);
    const ScalarType T = impl(I).Type;
    Dim += Counted && (T == kBool || T == kByte) ? I.dim() : 1;
  };
  auto Pass = [&](int64_t Dims) {
    Dim += Dims;
    if (Counted && !P.Indices.empty())
      P.Indices.resize(P.Indices.size() + static_cast<size_t>(Dims));
  };
  for (const auto &I : Indices)
    switch (I.K) {
    case TensorIndex::IsNone:
      P.View = P.View.unsqueeze(Dim, Here);
      Pass(1);
      break;
    case TensorIndex::IsEllipsis:
      Pass(Rank - Named);
      break;
    case TensorIndex::IsInteger:
      P.View = P.View.select(Dim, I.Integer, Here);
      break;
    case TensorIndex::IsSlice: {
      const auto &S = I.Range;
      if (!isWhole(S, P.View, Dim))
        P.View = P.View.slice(Dim, S.Start, S.Stop, S.Step, Here);
      Pass(1);
      break;
    }
    case TensorIndex::IsBoolean: {
      P.View = P.View.unsqueeze(Dim, Here);
      Remember(I.Integer ? zeros(1, kLong, Here) : empty(0, kLong, {}, Here));
      break;
    }
    case TensorIndex::IsTensor: {
      const ScalarType T = impl(I.Indices).Type;
      const bool IsMask = T == kBool || T == kByte;
      if (I.Indices.dim() != 0) {
        Remember(I.Indices); // of a mask, its first dimension
        break;
      }
      if (!IsMask && isIntegralType(T, false)) {
        P.View = P.View.select(Dim, I.Indices.item<int64_t>(Here), Here);
      } else if (IsMask) {
        P.View = P.View.unsqueeze(Dim, Here);
        Remember(I.Indices.item(Here).toBool() ? zeros(1, kLong, Here)
                                               : empty(0, kLong, {}, Here));
      } else {
        Remember(I.Indices);
      }
      break;
    }
    }
  while (Counted && !P.Indices.empty() && !P.Indices.back().defined())
    P.Indices.pop_back();
  return P;
}

/// What the advanced part works on.
struct Gather {
  Tensor Base;                 ///< indexed dimensions stand still
  std::vector<Tensor> Offsets; ///< int64 element offsets, aligned to Base
  Shape Result;
};

void requireMaskFits(const Tensor &Mask, const Tensor &X, int64_t First,
                     Site Here) {
  for (int64_t D = 0; D < Mask.dim(); ++D)
    if (First + D >= X.dim() || X.size(First + D) != Mask.size(D))
      failIndex("index: the shape of the mask " + detail::text(Mask.sizes()) +
                    " does not match the indexed tensor " +
                    detail::text(X.sizes()) + " from dimension " +
                    std::to_string(First),
                X, Here);
}

/// Masks become the columns of their nonzero elements.
std::vector<Tensor> expandMasks(const Partial &P, Site Here) {
  std::vector<Tensor> R;
  for (size_t At = 0; At < P.Indices.size();) {
    const Tensor &I = P.Indices[At];
    if (!I.defined()) {
      R.emplace_back();
      ++At;
      continue;
    }
    const ScalarType T = impl(I).Type;
    if (T == kBool || T == kByte) {
      requireMaskFits(I, P.View, static_cast<int64_t>(R.size()), Here);
      const Tensor Places = I.nonzero(Here);
      for (int64_t D = 0; D < I.dim(); ++D)
        R.push_back(Places.select(1, D, Here));
      ++At; // what follows was counted from the mask's first dimension
      continue;
    }
    if (T == kInt && detail::has(detail::Change::IndexTakesInt32)) {
      R.push_back(I.to(kLong, false, false, nullopt, Here));
      ++At;
      continue;
    }
    if (T != kLong)
      failIndex(std::string("index: index tensors must be of type Long, "
                            "Byte or Bool, not ") +
                    toString(T),
                I, Here);
    R.push_back(I);
    ++At;
  }
  return R;
}

Gather prepare(const Partial &P, Site Here) {
  const std::vector<Tensor> Indices = expandMasks(P, Here);
  const Shape &L = impl(P.View).L;
  if (Indices.size() > L.rank())
    failIndex("index: too many indices for a tensor of " +
                  std::to_string(L.rank()) + " dimensions",
              P.View, Here);
  // Broadcast the index tensors to each other.
  detail::Dims IndexSizes;
  std::vector<bool> Indexed(L.rank(), false);
  std::vector<Shape> Layouts;
  bool First = true;
  for (size_t D = 0; D < Indices.size(); ++D) {
    if (!Indices[D].defined())
      continue;
    Indexed[D] = true;
    const Shape &I = impl(Indices[D]).L;
    Layouts.push_back(I);
    IndexSizes =
        First ? I.Sizes
              : orThrow(layout::broadcastSizes(Ar, IndexSizes, I.Sizes),
                        Indices[D], Here,
                        [&] { return call("index", Indices[D].sizes()); });
    First = false;
  }
  Gather G;
  G.Result = orThrow(layout::indexed(Ar, L, Indexed, Layouts, IndexSizes),
                     P.View, Here, [&] { return call("index"); });
  size_t Before = 0; // dimensions in front of those of the indices
  const Shape Base = layout::stationary(Ar, L, Indexed, IndexSizes, Before);
  G.Base = restrided(P.View, Base);
  const size_t After = Base.rank() - Before - IndexSizes.size();
  for (size_t D = 0; D < Indices.size(); ++D) {
    if (!Indices[D].defined())
      continue;
    // Checked and multiplied by the stride once, not for each element. Where
    // nothing is read, any index will do, as in libtorch.
    const bool Reads = layout::numel(Ar, G.Result.Sizes) != 0;
    const int64_t Size = L.Sizes[D], Stride = L.Strides[D];
    if (Size == 0 && layout::numel(Ar, IndexSizes) != 0)
      throw IndexError("index: dimension " + std::to_string(D) +
                       " has no elements");
    Tensor Offsets = Indices[D].clone(MemoryFormat::Contiguous, Here);
    auto *Data = static_cast<int64_t *>(Offsets.data_ptr());
    for (int64_t K = 0, N = Offsets.numel(); K < N; ++K) {
      int64_t I = Data[K];
      if (Reads && (I < -Size || I >= Size))
        throw IndexError("index: index " + std::to_string(I) +
                         " is out of range for size " + std::to_string(Size) +
                         " of dimension " + std::to_string(D));
      Data[K] = (I < 0 ? I + Size : I) * Stride;
    }
    Tensor Wide = Offsets.expand(detail::ref(IndexSizes), false, Here);
    Shape S = impl(Wide).L;
    for (size_t K = 0; K < After; ++K) {
      S.Sizes.push_back(1);
      S.Strides.push_back(0);
    }
    G.Offsets.push_back(restrided(Wide, S)); // leading dimensions broadcast
  }
  // More than one: add them up.
  while (G.Offsets.size() > 1) {
    Tensor Sum = G.Offsets[0] + G.Offsets[1];
    G.Offsets.erase(G.Offsets.begin());
    G.Offsets[0] = Sum;
  }
  return G;
}

/// Move(element of Other, element of Base at its offset) for all indices.
template <class E, class F>
void visitAs(const Gather &G, const Tensor &Other, F Move) {
  detail::loop(
      impl(G.Base).L.Sizes, {&Other, &G.Base, &G.Offsets[0]},
      [&](char **P, const int64_t *Step, int64_t N) {
        char *O = P[0], *B = P[1], *I = P[2];
        const auto Size = static_cast<int64_t>(sizeof(E));
        if (Step[0] == Size && Step[1] == Size && Step[2] == 0) { // whole rows
          auto *To = reinterpret_cast<E *>(O);
          E *Row =
              reinterpret_cast<E *>(B) + *reinterpret_cast<const int64_t *>(I);
          for (int64_t K = 0; K < N; ++K)
            Move(To[K], Row[K]);
          return;
        }
        for (int64_t K = 0; K < N;
             ++K, O += Step[0], B += Step[1], I += Step[2])
          Move(*reinterpret_cast<E *>(O),
               reinterpret_cast<E *>(B)[*reinterpret_cast<const int64_t *>(I)]);
      });
}
/// Rows of Base, packed as in Other, are copied whole: gathered, or \p Put.
/// False if there are none.
bool copyWholeRows(const Gather &G, const Tensor &Other, bool Put) {
  const auto Size = static_cast<int64_t>(elementSize(impl(G.Base).Type));
  detail::Walk W(impl(G.Base).L.Sizes);
  W.add(Other);
  W.add(G.Base);
  W.add(G.Offsets[0]);
  W.simplify();
  const size_t Rank = W.Sizes.size(), D = Rank - 1;
  if (Rank == 0 || W.Strides[0][D] != Size || W.Strides[1][D] != Size ||
      W.Strides[2][D] != 0)
    return false;
  int64_t Rows = 1, OtherStep = 0; // whose offsets follow each other
  if (!Put && Rank >= 2 && W.Strides[1][D - 1] == 0 &&
      W.Strides[2][D - 1] == sizeof(int64_t)) {
    Rows = std::exchange(W.Sizes[D - 1], 1);
    OtherStep = W.Strides[0][D - 1];
  }
  W.run([&](char **P, const int64_t *, int64_t N) {
    const auto *At = reinterpret_cast<const int64_t *>(P[2]);
    if (Put)
      std::memmove(P[1] + *At * Size, P[0], static_cast<size_t>(N * Size));
    else
      detail::copyRowsAt(P[0], OtherStep, P[1], Size, At, N * Size, Rows);
  });
  return true;
}
/// Elements of Base at their offsets become those of Other, or with \p Put the
/// other way round.
void copyPlaces(const Gather &G, const Tensor &Other, bool Put) {
  if (copyWholeRows(G, Other, Put))
    return;
  detail::dispatchSize(elementSize(impl(G.Base).Type), [&](auto T) {
    using E = typename decltype(T)::type;
    if (Put)
      visitAs<E>(G, Other, [](const E &From, E &To) { To = From; });
    else
      visitAs<E>(G, Other, [](E &To, const E &From) { To = From; });
  });
}

/// A single mask, which needs no positions.
bool isOneMask(const Partial &P) {
  const Tensor &I = P.Indices.back();
  for (size_t K = 0; K + 1 < P.Indices.size(); ++K)
    if (P.Indices[K].defined())
      return false;
  return impl(I).Type == kBool || impl(I).Type == kByte;
}
/// That mask, as wide as what it masks.
Tensor maskOf(const Partial &P, Site Here) {
  const auto First = static_cast<int64_t>(P.Indices.size()) - 1;
  Tensor M = P.Indices.back();
  requireMaskFits(M, P.View, First, Here);
  for (int64_t D = First + M.dim(); D < P.View.dim(); ++D)
    M = M.unsqueeze(-1, Here);
  return M;
}

/// Values to be assigned may have more dimensions than their place, of size 1.
Tensor withoutLeadingOnes(const Tensor &X, Site Here) {
  const IntArrayRef Sizes = X.sizes();
  size_t Lead = 0;
  while (Lead < Sizes.size() && Sizes[Lead] == 1)
    ++Lead;
  return X.view({Sizes.data() + Lead, Sizes.size() - Lead}, Here);
}

} // namespace

Tensor Tensor::index(ArrayRef<TensorIndex> indices, Site Here) const {
  if (indices.empty())
    detail::fail("index: there are no indices", *this, Here);
  Partial P = applyBasic(*this, indices, Here);
  if (!P.Copies())
    return P.View.is_same(*this) ? alias(Here) : P.View;
  detail::reads(P.View, "index", Here);
  const Gather G = prepare(P, Here);
  Tensor R = allocate(G.Result, scalar_type(), "index", Here);
  copyPlaces(G, R, /*Put=*/false);
  return R;
}
Tensor Tensor::index(std::initializer_list<TensorIndex> indices,
                     Site Here) const {
  return index(ArrayRef<TensorIndex>(indices), Here);
}
Tensor Tensor::operator[](detail::ScalarHere index) const {
  if (!index.X.isIntegral(false))
    detail::fail("operator[]: an index must be an integer", *this, index.Here);
  return select(0, index.X.toLong(), index.Here);
}
Tensor Tensor::operator[](detail::TensorHere index) const {
  const Shape &L = impl(index.X, "operator[]", index.Here).L;
  if (L.rank() != 0)
    failIndex("operator[]: an index must be a number or a tensor of 0 "
              "dimensions, not one of " +
                  std::to_string(L.rank()) + "; index({i}) takes any",
              index.X, index.Here);
  return this->index({index.X}, index.Here);
}

Tensor &Tensor::index_put_(ArrayRef<TensorIndex> indices, Tensor const &rhs,
                           Site Here) const {
  if (indices.empty())
    detail::fail("index_put_: there are no indices", *this, Here);
  impl(rhs, "index_put_", Here);
  if (indices.size() == 1 && indices[0].K == TensorIndex::IsBoolean) {
    // x[true] = y is x[None] = y, x[false] = y writes nothing.
    if (indices[0].Integer)
      unsqueeze(0, Here).index_put_({TensorIndex("...")}, rhs, Here);
    return self();
  }
  Partial P = applyBasic(*this, indices, Here);
  if (!P.Copies()) {
    if (P.View.sizes() == rhs.sizes()) {
      P.View.copy_(rhs, false, Here);
    } else if (rhs.dim() == 0) {
      if (detail::has(detail::Change::IndexPutChecksOverlap))
        detail::requireNoInternalOverlap(P.View, "index_put_", Here);
      P.View.fill_(rhs, Here);
    } else {
      P.View.copy_(
          withoutLeadingOnes(rhs, Here).expand(P.View.sizes(), false, Here),
          false, Here);
    }
    return self();
  }
  if (rhs.numel() == 1 && isOneMask(P)) {
    P.View.masked_fill_(maskOf(P, Here), rhs.item(Here), Here);
    return self();
  }
  if (impl(rhs, "index_put_", Here).Type != scalar_type())
    detail::fail("index_put_: values of type " +
                     std::string(tensortidy::toString(rhs.scalar_type())) +
                     " for a tensor of type " +
                     tensortidy::toString(scalar_type()),
                 *this, Here);
  const bool Leads = rhs.dim() > 0 && rhs.size(0) == 1;
  const Tensor Values = Leads ? withoutLeadingOnes(rhs, Here) : rhs;
  detail::requireNoOverlap(P.View, Values, "index_put_", Here, /*OrFull=*/true);
  const Gather G = prepare(P, Here);
  copyPlaces(G, Values.expand(detail::ref(G.Result.Sizes), false, Here),
             /*Put=*/true);
  detail::wroteSome(*this, "index_put_", Here, [&](const Tensor &Where) {
    Where.index_put_(indices, Scalar(true), Here);
  });
  return self();
}
Tensor &Tensor::index_put_(ArrayRef<TensorIndex> indices, const Scalar &v,
                           Site Here) const {
  return index_put_(indices, scalar_tensor(v, scalar_type(), Here), Here);
}
Tensor &Tensor::index_put_(std::initializer_list<TensorIndex> indices,
                           Tensor const &rhs, Site Here) const {
  return index_put_(ArrayRef<TensorIndex>(indices), rhs, Here);
}
Tensor &Tensor::index_put_(std::initializer_list<TensorIndex> indices,
                           const Scalar &v, Site Here) const {
  return index_put_(ArrayRef<TensorIndex>(indices), v, Here);
}

/// Indices by tensors; nothing stands for a whole dimension.
static std::vector<TensorIndex>
placesOf(const List<optional<Tensor>> &Indices) {
  std::vector<TensorIndex> Places;
  for (const optional<Tensor> &I : Indices)
    if (I && I->defined())
      Places.emplace_back(*I);
    else
      Places.emplace_back(indexing::Slice());
  return Places;
}
Tensor Tensor::index(const List<optional<Tensor>> &indices, Site Here) const {
  return index(placesOf(indices), Here);
}
Tensor Tensor::index_put(const List<optional<Tensor>> &indices,
                         const Tensor &values, bool accumulate,
                         Site Here) const {
  return clone(nullopt, Here).index_put_(indices, values, accumulate, Here);
}
Tensor &Tensor::index_put_(const List<optional<Tensor>> &indices,
                           const Tensor &values, bool accumulate,
                           Site Here) const {
  const std::vector<TensorIndex> Places = placesOf(indices);
  if (!accumulate)
    return index_put_(Places, values, Here);
  if (Places.empty())
    detail::fail("index_put_: there are no indices", *this, Here);
  const Partial P = applyBasic(*this, Places, Here);
  if (impl(values, "index_put_", Here).Type != scalar_type())
    detail::fail("index_put_: values of type " +
                     std::string(tensortidy::toString(values.scalar_type())) +
                     " for a tensor of type " +
                     tensortidy::toString(scalar_type()),
                 *this, Here);
  reads(*this, "index_put_", Here);
  reads(values, "index_put_", Here);
  detail::requireNoOverlap(*this, values, "index_put_", Here, /*OrFull=*/true);
  const Gather G = prepare(P, Here);
  const Tensor Wide = values.expand(detail::ref(G.Result.Sizes), false, Here);
  detail::dispatch(scalar_type(), [&](auto T) {
    using E = typename decltype(T)::type;
    visitAs<E>(G, Wide, [](const E &From, E &To) {
      detail::store(To, detail::Add()(detail::load(To), detail::load(From)));
    });
  });
  detail::wrote(*this, "index_put_", Here);
  return self();
}

//===--- along one dimension --------------------------------------------===//

namespace {

/// \p X with at least one dimension.
Tensor atLeast1d(const Tensor &X) {
  return X.dim() == 0 ? X.unsqueeze(0, Site::none()) : X;
}

/// Throws unless each of \p N places, \p Step bytes apart, is within [0, Size).
void requirePlaces(const char *Places, int64_t Step, int64_t N, int64_t Size,
                   const char *Op) {
  auto Signs = [=](int64_t Bytes) { // of all that could be negative
    uint64_t All = 0;
    for (int64_t K = 0; K < N; ++K) {
      const auto At = *reinterpret_cast<const uint64_t *>(Places + K * Bytes);
      All |= At | (static_cast<uint64_t>(Size - 1) - At);
    }
    return All;
  };
  uint64_t Outside = 0;
  if (Step == sizeof(int64_t))
    detail::vectorised([&] { Outside = Signs(sizeof(int64_t)); });
  else
    Outside = Signs(Step);
  for (int64_t K = 0; K < N && Outside >> 63; ++K) {
    const auto At = *reinterpret_cast<const int64_t *>(Places + K * Step);
    if (At < 0 || At >= Size) {
      const std::string Name = Op, Text = Name + ": index " +
                                          std::to_string(At) +
                                          " is out of range for size " +
                                          std::to_string(Size);
      // libtorch has the one kind of exception here and the other there.
      if (Name.rfind("gather", 0) == 0 || Name.rfind("scatter", 0) == 0)
        throw Error(Text);
      throw IndexError(Text);
    }
  }
}

/// Index values as int64: dense and each within [0, Size), unless that is asked
/// \p Later.
Tensor places(const Tensor &Index, int64_t Size, const char *Op, Site Here,
              bool IntToo, bool Later = false) {
  reads(Index, Op, Here);
  const ScalarType T = impl(Index).Type;
  if (T != kLong && !(IntToo && T == kInt))
    detail::fail(std::string(Op) + ": expected an index of type Long, not " +
                     toString(T),
                 Index, Here);
  const Tensor As = castTo(Index, kLong, Here);
  if (Later)
    return As;
  const Tensor R = As.contiguous();
  requirePlaces(impl(R).data(), sizeof(int64_t), R.numel(), Size, Op);
  return R;
}

/// What gather does with an element of its result and one of the tensor.
struct Take {
  template <class E> void operator()(E &To, const E &From) const { To = From; }
};

/// Move(element of Other, element of X at Index along Dim), for gather and
/// scatter: sizes are those of Index, which fits into both. For the operation
/// that \p Checks the places were not looked at before.
template <class F>
void along(const Tensor &X, size_t Dim, const Tensor &Index,
           const Tensor &Other, F Move, const char *Checks = nullptr) {
  const detail::Dims Sizes = impl(Index).L.Sizes;
  Shape Still = impl(X).L, Part = impl(Other).L;
  const int64_t Stride = Still.rank() ? Still.Strides[Dim] : 0,
                Size = Still.rank() ? Still.Sizes[Dim] : 1;
  if (Still.rank())
    Still.Strides[Dim] = 0;
  Still.Sizes = Part.Sizes = Sizes;
  const Tensor Base = restrided(X, Still), Rest = restrided(Other, Part);
  detail::dispatch(impl(X).Type, [&](auto T) {
    using E = typename decltype(T)::type;
    detail::Walk W(Sizes); // along Dim in order of index: the last write wins
    W.add(Rest);
    W.add(Base);
    W.add(Index);
    W.simplify();
    W.avoidShortRows();
    constexpr int64_t Bytes = sizeof(E), Place = sizeof(int64_t);
    auto Run = [&](char **P, const int64_t *Step, int64_t N) {
      if (Checks)
        requirePlaces(P[2], Step[2], Step[2] ? N : 1, Size, Checks);
      auto Go = [&](int64_t To, int64_t From, int64_t Next, auto By) {
        char *const Into = P[0], *const Base = P[1], *const Places = P[2];
        int64_t K = 0;
        auto Taken = [&](int64_t J) {
          return reinterpret_cast<const E *>(
              Base +
              J * From)[*reinterpret_cast<const int64_t *>(Places + J * Next) *
                        By];
        };
        if constexpr (std::is_same_v<F, Take>) // reads do not wait for writes
          for (; K + 4 <= N; K += 4) {
            const E A = Taken(K), B = Taken(K + 1), C = Taken(K + 2),
                    D = Taken(K + 3);
            *reinterpret_cast<E *>(Into + K * To) = A;
            *reinterpret_cast<E *>(Into + (K + 1) * To) = B;
            *reinterpret_cast<E *>(Into + (K + 2) * To) = C;
            *reinterpret_cast<E *>(Into + (K + 3) * To) = D;
          }
        for (; K < N; ++K) {
          const auto At = *reinterpret_cast<const int64_t *>(Places + K * Next);
          Move(*reinterpret_cast<E *>(Into + K * To),
               reinterpret_cast<E *>(Base + K * From)[At * By]);
        }
      };
      if (Step[0] == Bytes && Step[1] == 0 && Step[2] == Place && Stride == 1)
        Go(Bytes, 0, Place, std::integral_constant<int64_t, 1>());
      else if (Step[0] == Bytes && Step[1] == 0 && Step[2] == Place)
        Go(Bytes, 0, Place, Stride);
      else if (Step[0] == Bytes && Step[1] == Bytes && Step[2] == 0)
        Go(Bytes, Bytes, 0, Stride);
      else if (Step[2] == 0)
        Go(Step[0], Step[1], 0, Stride);
      else
        Go(Step[0], Step[1], Step[2], Stride);
    };
    // Few at a time, so that a place that was checked is still near.
    constexpr int64_t Block = 1024;
    W.run([&](char **P, const int64_t *Step, int64_t N) {
      for (int64_t K = 0; K < N; K += Block) {
        char *Q[] = {P[0] + K * Step[0], P[1] + K * Step[1],
                     P[2] + K * Step[2]};
        Run(Q, Step, std::min(Block, N - K));
      }
    });
  });
}

void requireSame(const Tensor &A, const Tensor &B, const char *Op, Site Here) {
  if (impl(A, Op, Here).Type != impl(B, Op, Here).Type)
    detail::fail(std::string(Op) + ": tensors of types " +
                     toString(impl(A).Type) + " and " + toString(impl(B).Type),
                 A, Here);
}

/// To = From, or To += Alpha * From, of \p N elements so many bytes apart.
using PlaceRow = void (*)(char *To, int64_t ToStep, const char *From,
                          int64_t FromStep, int64_t N,
                          const detail::Number &Alpha);
template <class E> struct CopyRow {
  static void run(char *To, int64_t ToStep, const char *From, int64_t FromStep,
                  int64_t N, const detail::Number &) {
    if (ToStep == sizeof(E) && FromStep == sizeof(E))
      std::memmove(To, From, static_cast<size_t>(N) * sizeof(E));
    else
      detail::copyApart<E>(To, ToStep, From, FromStep, N);
  }
};
template <class E> struct AddRow {
  static void run(char *To, int64_t ToStep, const char *From, int64_t FromStep,
                  int64_t N, const detail::Number &Alpha) {
    const auto Times = Alpha.as(detail::Compute<E>());
    auto Add = [Times](char *T, const char *F) {
      auto &Sum = *reinterpret_cast<E *>(T);
      detail::store(
          Sum, detail::Add()(
                   detail::load(Sum),
                   detail::Mul()(
                       Times, detail::load(*reinterpret_cast<const E *>(F)))));
    };
    constexpr int64_t Size = sizeof(E);
    if (ToStep == Size && FromStep == Size) {
      TENSORTIDY_INDEPENDENT
      for (int64_t K = 0; K < N; ++K)
        Add(To + K * Size, From + K * Size);
    } else {
      for (; N > 0; --N, To += ToStep, From += FromStep)
        Add(To, From);
    }
  }
};
PlaceRow copyRow(const Tensor &X) {
  return detail::dispatchSize(X.element_size(), [](auto T) -> PlaceRow {
    return CopyRow<typename decltype(T)::type>::run;
  });
}

/// Slice K of \p S meets that of \p X at place K of \p I, along \p Dim: the
/// first as \p One does it, which checks, the others in rows.
template <class F>
void atPlaces(const Tensor &X, int64_t Dim, const Tensor &I, const Tensor &S,
              PlaceRow Row, const detail::Number &Alpha, F One) {
  const auto *At = reinterpret_cast<const int64_t *>(impl(I).data());
  const int64_t Count = I.numel();
  One(At[0], 0);
  const detail::Watch &To = impl(X).Store->Watched,
                      &From = impl(S).Store->Watched;
  if (To.OnRead || To.Unwritten != detail::Watch::None || From.OnRead ||
      From.Unwritten != detail::Watch::None) {
    for (int64_t K = 1; K < Count; ++K)
      One(At[K], K);
    return;
  }
  const Tensor Base = X.select(Dim, 0, Site::none()),
               Source = S.select(Dim, 0, Site::none());
  const auto Size = static_cast<int64_t>(X.element_size());
  const int64_t ToStep = X.stride(Dim) * Size, FromStep = S.stride(Dim) * Size;
  detail::loop(impl(Base).L.Sizes, {&Base, &Source},
               [&](char **P, const int64_t *Step, int64_t N) {
                 for (int64_t K = 1; K < Count; ++K)
                   Row(P[0] + At[K] * ToStep, Step[0], P[1] + K * FromStep,
                       Step[1], N, Alpha);
               });
}

/// The index of gather or scatter must fit into \p X (but for \p Dim).
void requireFits(const Tensor &Index, const Tensor &X, int64_t Dim,
                 const char *Op, Site Here) {
  const Tensor Of = atLeast1d(X), Places = atLeast1d(Index);
  if (Places.dim() != Of.dim())
    detail::fail(std::string(Op) + ": the index has " +
                     std::to_string(Index.dim()) + " dimensions, the tensor " +
                     std::to_string(X.dim()),
                 X, Here);
  for (int64_t D = 0; D < Places.dim(); ++D)
    if (D != Dim && Places.size(D) > Of.size(D))
      detail::fail(std::string(Op) + ": the index " +
                       detail::text(Index.sizes()) + " exceeds the sizes " +
                       detail::text(X.sizes()) + " at dimension " +
                       std::to_string(D),
                   X, Here);
}

} // namespace

/// What stands at \p At of a packed row: several are read before the first is
/// written, which they may not wait for.
template <class E>
static void selectRow(E *To, const E *From, const int64_t *At, int64_t Count) {
  int64_t K = 0;
  for (; K + 8 <= Count; K += 8) {
    E V[8];
    TENSORTIDY_UNROLLED
    for (int64_t J = 0; J < 8; ++J)
      V[J] = From[At[K + J]];
    std::memcpy(To + K, V, sizeof V);
  }
  for (; K < Count; ++K)
    To[K] = From[At[K]];
}
/// What stands at the places \p I of dimension \p D of \p X becomes \p R.
static void selectInto(const Tensor &R, const Tensor &X, size_t D,
                       const Tensor &I, Site Here) {
  const auto *At = reinterpret_cast<const int64_t *>(impl(I).data());
  const int64_t Count = I.numel();
  if (impl(X).Store->Watched.Unwritten != detail::Watch::None) {
    // Copies carry the marks of what was never written.
    const auto N = static_cast<int64_t>(D);
    for (int64_t K = 0; K < Count; ++K)
      R.select(N, K, Here).copy_(X.select(N, At[K], Here), false, Here);
    return;
  }
  detail::reads(X, "index_select", Here);
  // The other dimensions once, and for each run of them all places.
  Shape To = impl(R).L, From = impl(X).L;
  const auto Size = static_cast<int64_t>(X.element_size());
  const int64_t ToStep = To.Strides[D] * Size,
                FromStep = From.Strides[D] * Size;
  To.Sizes[D] = From.Sizes[D] = Count ? 1 : 0;
  const Tensor Base = restrided(R, To), Source = restrided(X, From);
  detail::dispatchSize(X.element_size(), [&](auto T) {
    using E = typename decltype(T)::type;
    detail::loop(
        To.Sizes, {&Base, &Source},
        [&](char **P, const int64_t *Step, int64_t N) {
          const bool Packed = N > 1 && Step[0] == Size && Step[1] == Size;
          if (Packed)
            return detail::copyRowsAt(P[0], ToStep, P[1], FromStep, At,
                                      N * Size, Count);
          // Rows whose elements are near each other.
          if (N >= 16 && Step[0] == Size &&
              std::abs(Step[1]) < std::max(std::abs(FromStep), Size)) {
            for (int64_t K = 0; K < Count; ++K)
              detail::takeRows(P[0] + K * ToStep, 0,
                               {P[1] + At[K] * FromStep, N, Step[1]}, Size);
            return;
          }
          for (int64_t J = 0; J < N; ++J) {
            char *Out = P[0] + J * Step[0];
            const char *In = P[1] + J * Step[1];
            if (ToStep == Size && FromStep == Size) {
              selectRow(reinterpret_cast<E *>(Out),
                        reinterpret_cast<const E *>(In), At, Count);
              continue;
            }
            for (int64_t K = 0; K < Count; ++K)
              *reinterpret_cast<E *>(Out + K * ToStep) =
                  *reinterpret_cast<const E *>(In + At[K] * FromStep);
          }
        });
  });
}

Tensor Tensor::index_select(int64_t dim, const Tensor &index, Site Here) const {
  const size_t D = dimOf(*this, dim, "index_select", Here);
  if (index.dim() > 1)
    detail::fail("index_select: the index must be a vector", index, Here);
  const Tensor X = atLeast1d(*this);
  const Tensor I = places(atLeast1d(index), X.size(static_cast<int64_t>(D)),
                          "index_select", Here, true);
  if (this->dim() == 0 && I.numel() != 1)
    detail::fail("index_select: a 0-dim tensor has one element", *this, Here);
  detail::Dims Sizes = impl(X).L.Sizes;
  Sizes[D] = I.numel();
  Tensor R = allocateDense(Sizes, scalar_type(), "index_select", Here);
  selectInto(R, X, D, I, Here);
  if (this->dim() == 0)
    return R.squeeze(0, Here);
  return R;
}

Tensor Tensor::gather(int64_t dim, const Tensor &index, bool /*sparse_grad*/,
                      Site Here) const {
  detail::reads(*this, "gather", Here);
  const size_t D = dimOf(*this, dim, "gather", Here);
  if (index.numel() != 0)
    requireFits(index, *this, static_cast<int64_t>(D), "gather", Here);
  const Tensor I =
      places(index, this->dim() ? size(static_cast<int64_t>(D)) : 1, "gather",
             Here, false, true);
  Tensor R = allocateDense(impl(index).L.Sizes, scalar_type(), "gather", Here);
  if (I.numel())
    along(atLeast1d(*this), D, atLeast1d(I), atLeast1d(R), Take(), "gather");
  return R;
}

Tensor &Tensor::scatter_(int64_t dim, const Tensor &index, const Tensor &src,
                         Site Here) const {
  const size_t D = dimOf(*this, dim, "scatter_", Here);
  requireSame(*this, src, "scatter_", Here);
  detail::requireNoInternalOverlap(*this, "scatter_", Here);
  detail::requireNoOverlap(*this, index, "scatter_", Here, true);
  detail::requireNoOverlap(*this, src, "scatter_", Here, true);
  if (index.numel() == 0)
    return self();
  requireFits(index, *this, static_cast<int64_t>(D), "scatter_", Here);
  requireFits(index, src, -1, "scatter_", Here);
  const Tensor I =
      places(index, this->dim() ? size(static_cast<int64_t>(D)) : 1, "scatter_",
             Here, false);
  along(atLeast1d(*this), D, atLeast1d(I), atLeast1d(src),
        [](const auto &From, auto &To) { To = From; });
  detail::wroteSome(*this, "scatter_", Here, [&](const Tensor &Where) {
    Where.scatter_(dim, index, Scalar(true), Here);
  });
  return self();
}
Tensor &Tensor::scatter_(int64_t dim, const Tensor &index, const Scalar &value,
                         Site Here) const {
  Tensor Source = scalar_tensor(value, scalar_type(), Here);
  return scatter_(dim, index, Source.expand(index.sizes(), false, Here), Here);
}

Tensor &Tensor::index_copy_(int64_t dim, const Tensor &index,
                            const Tensor &source, Site Here) const {
  const size_t D = dimOf(*this, dim, "index_copy_", Here);
  requireSame(*this, source, "index_copy_", Here);
  detail::requireNoInternalOverlap(*this, "index_copy_", Here);
  detail::requireNoOverlap(*this, index, "index_copy_", Here, true);
  detail::requireNoOverlap(*this, source, "index_copy_", Here, true);
  const Tensor X = atLeast1d(*this), S = atLeast1d(source);
  const auto N = static_cast<int64_t>(D);
  detail::Dims Wanted = impl(X).L.Sizes;
  Wanted[D] = index.numel();
  if (index.dim() > 1 || S.sizes() != detail::ref(Wanted))
    detail::fail("index_copy_: the source has sizes " +
                     detail::text(source.sizes()) + " for " +
                     std::to_string(index.numel()) + " indices",
                 *this, Here);
  if (S.numel() == 0) // nothing is written, any index will do
    return self();
  const Tensor I =
      places(atLeast1d(index), X.size(N), "index_copy_", Here, false);
  atPlaces(X, N, I, S, copyRow(X), detail::Number(1, kLong),
           [&](int64_t At, int64_t K) {
             X.select(N, At, Here).copy_(S.select(N, K, Here), false, Here);
           });
  return self();
}
/// Whether \p A and \p B have the same sizes but for dimension \p D.
static bool sameBut(const Tensor &A, const Tensor &B, size_t D) {
  detail::Dims X = impl(A).L.Sizes, Y = impl(B).L.Sizes;
  if (D < X.size() && D < Y.size())
    X[D] = Y[D] = 0;
  return X == Y;
}
/// Each slice of the source is added to one of the tensor's, and broadcasts in
/// early releases.
Tensor &Tensor::index_add_(int64_t dim, const Tensor &index,
                           const Tensor &source, const Scalar &alpha,
                           Site Here) const {
  const size_t D = dimOf(*this, dim, "index_add_", Here);
  if (index.dim() > 1)
    detail::fail("index_add_: the index must be a vector", index, Here);
  requireSame(*this, source, "index_add_", Here);
  const auto N = static_cast<int64_t>(D);
  const int64_t Count = source.dim() == 0  ? 1
                        : N < source.dim() ? source.size(N)
                                           : -1;
  if ((N != 0 && N >= source.dim()) || Count != index.numel() ||
      (this->dim() < 2 && source.dim() > 1) ||
      (detail::has(detail::Change::IndexAddComparesShapes) &&
       !sameBut(*this, source, D)))
    detail::fail("index_add_: the source has sizes " +
                     detail::text(source.sizes()) + " for " +
                     std::to_string(index.numel()) + " indices",
                 *this, Here);
  detail::requireNoInternalOverlap(*this, "index_add_", Here);
  detail::requireNoOverlap(*this, index, "index_add_", Here, true);
  detail::requireNoOverlap(*this, source, "index_add_", Here, true);
  if (index.numel() == 0 || (numel() == 0 && this->dim() > 1 &&
                             detail::has(detail::Change::IndexAddOfNothing)))
    return self();
  const Tensor X = atLeast1d(*this);
  const Tensor S = this->dim() < 2 ? atLeast1d(source) : source;
  const Tensor I =
      places(atLeast1d(index), X.size(N), "index_add_", Here, true);
  const PlaceRow Add = detail::dispatch(scalar_type(), [](auto T) {
    return detail::forProcessor<AddRow<typename decltype(T)::type>>();
  });
  atPlaces(X, N, I, S, Add, detail::Number(alpha, scalar_type()),
           [&](int64_t At, int64_t K) {
             X.select(N, At, Here).add_(S.select(N, K, Here), alpha, Here);
           });
  return self();
}

Tensor Tensor::take(const Tensor &index, Site Here) const {
  const Tensor Flat = contiguous(MemoryFormat::Contiguous, Here).view(-1, Here);
  Tensor I = index;
  if (impl(index, "take", Here).Type != kLong)
    detail::fail("take: expected an index of type Long", index, Here);
  I = tensortidy::where(index.lt(0), index.add(numel()), index);
  const Tensor P = places(I, numel(), "take", Here, false);
  Tensor R = allocateDense(impl(index).L.Sizes, scalar_type(), "take", Here);
  if (P.numel())
    along(Flat, 0, P.view(-1), R.view(-1),
          [](auto &To, const auto &From) { To = From; });
  return R;
}

Tensor &Tensor::scatter_add_(int64_t dim, const Tensor &index,
                             const Tensor &src, Site Here) const {
  const size_t D = dimOf(*this, dim, "scatter_add_", Here);
  requireSame(*this, src, "scatter_add_", Here);
  reads(*this, "scatter_add_", Here);
  reads(src, "scatter_add_", Here);
  detail::requireNoInternalOverlap(*this, "scatter_add_", Here);
  detail::requireNoOverlap(*this, index, "scatter_add_", Here, true);
  detail::requireNoOverlap(*this, src, "scatter_add_", Here, true);
  if (index.numel() == 0)
    return self();
  requireFits(index, *this, static_cast<int64_t>(D), "scatter_add_", Here);
  requireFits(index, src, -1, "scatter_add_", Here);
  const Tensor I =
      places(index, this->dim() ? size(static_cast<int64_t>(D)) : 1,
             "scatter_add_", Here, false);
  along(atLeast1d(*this), D, atLeast1d(I), atLeast1d(src),
        [](const auto &From, auto &To) {
          detail::store(To,
                        detail::Add()(detail::load(To), detail::load(From)));
        });
  detail::wrote(*this, "scatter_add_", Here);
  return self();
}
Tensor &Tensor::index_fill_(int64_t dim, const Tensor &index,
                            const Scalar &value, Site Here) const {
  const auto D = static_cast<int64_t>(dimOf(*this, dim, "index_fill_", Here));
  if (index.dim() > 1)
    detail::fail("index_fill_: the index must be a vector", index, Here);
  detail::requireNoOverlap(*this, index, "index_fill_", Here, true);
  const Tensor X = atLeast1d(*this);
  Tensor At = atLeast1d(index);
  int64_t Others = 1;
  for (int64_t K = 0; K < X.dim(); ++K)
    Others *= K == D ? 1 : X.size(K);
  if (Others == 0 && impl(At, "index_fill_", Here).Type == kLong)
    return self(); // nothing is written, any index will do
  At = places(At, 0, "index_fill_", Here, false, true).contiguous();
  const Tensor I = allocateDense(impl(At).L.Sizes, kLong, "index_fill_", Here);
  const auto *Old = reinterpret_cast<const int64_t *>(impl(At).data());
  auto *New = reinterpret_cast<int64_t *>(impl(I).data());
  const int64_t Count = I.numel();
  for (int64_t K = 0; K < Count; ++K) // negative ones count back
    New[K] = Old[K] < 0 ? Old[K] + X.size(D) : Old[K];
  requirePlaces(impl(I).data(), sizeof(int64_t), Count, X.size(D),
                "index_fill_");
  if (Count == 0)
    return self();
  // The others are what the first becomes.
  Shape First = impl(X).L;
  First.Offset += New[0] * First.Strides[static_cast<size_t>(D)];
  First.Strides[static_cast<size_t>(D)] = 0;
  First.Sizes[static_cast<size_t>(D)] = Count;
  atPlaces(X, D, I, restrided(X, First), copyRow(X), detail::Number(1, kLong),
           [&](int64_t Place, int64_t) {
             X.select(D, Place, Here).fill_(value, Here);
           });
  return self();
}
Tensor &Tensor::fill_diagonal_(const Scalar &fill_value, bool wrap,
                               Site Here) const {
  const Shape &L = impl(*this, "fill_diagonal_", Here).L;
  if (L.rank() < 2)
    detail::fail("fill_diagonal_ needs at least 2 dimensions", *this, Here);
  int64_t Step = 0, Most = L.Sizes[0];
  for (size_t D = 0; D < L.rank(); ++D) {
    if (L.rank() > 2 && L.Sizes[D] != L.Sizes[0])
      detail::fail("fill_diagonal_: all sizes must be equal", *this, Here);
    Step += L.Strides[D];
    Most = std::min(Most, L.Sizes[D]);
  }
  Shape Line;
  Line.Offset = L.Offset;
  Line.Sizes = {Most};
  Line.Strides = {Step};
  restrided(*this, Line).fill_(fill_value, Here);
  if (wrap && L.rank() == 2 && L.Sizes[0] > L.Sizes[1] + 1)
    narrow(0, L.Sizes[1] + 1, L.Sizes[0] - L.Sizes[1] - 1, Here)
        .fill_diagonal_(fill_value, true, Here);
  return self();
}

// The same into a copy.
Tensor Tensor::scatter(int64_t dim, const Tensor &index, const Tensor &src,
                       Site Here) const {
  return clone(MemoryFormat::Contiguous, Here).scatter_(dim, index, src, Here);
}
Tensor Tensor::scatter_add(int64_t dim, const Tensor &index, const Tensor &src,
                           Site Here) const {
  return clone(MemoryFormat::Contiguous, Here)
      .scatter_add_(dim, index, src, Here);
}
Tensor Tensor::index_add(int64_t dim, const Tensor &index, const Tensor &source,
                         const Scalar &alpha, Site Here) const {
  return clone(MemoryFormat::Contiguous, Here)
      .index_add_(dim, index, source, alpha, Here);
}
Tensor Tensor::index_fill(int64_t dim, const Tensor &index, const Scalar &value,
                          Site Here) const {
  return clone(nullopt, Here).index_fill_(dim, index, value, Here);
}

//===--- masks ----------------------------------------------------------===//

template <class E> static bool isSet(const E &V) {
  if constexpr (sizeof(E) == 2 && detail::IsFloating<E>)
    return (V.x & 0x7fff) != 0;
  else
    return V != 0;
}
/// How many elements are not 0.
template <class E> static int64_t countSet(const Tensor &X) {
  int64_t Count = 0;
  detail::loop<true>(
      impl(X).L.Sizes, {&X}, [&](char **P, const int64_t *Step, int64_t N) {
        constexpr int64_t Size = sizeof(E), Block = 1 << 20;
        auto In = [&](int64_t Apart) {
          for (int64_t K = 0; K < N; K += Block) {
            uint32_t Some = 0;
            const char *At = P[0] + K * Apart;
            for (int64_t J = 0; J < std::min(Block, N - K); ++J)
              Some += isSet(*reinterpret_cast<const E *>(At + J * Apart));
            Count += Some;
          }
        };
        Step[0] == Size ? In(Size) : In(Step[0]);
      });
  return Count;
}

Tensor Tensor::nonzero(Site Here) const {
  detail::reads(*this, "nonzero", Here);
  const auto &I = impl(*this);
  const Shape &L = I.L;
  const size_t Rank = L.rank();
  return detail::dispatch(I.Type, [&](auto T) {
    using E = typename decltype(T)::type;
    const int64_t Count = countSet<E>(*this);
    // Column by column (trap T7): [count, rank] with strides [1, count].
    Shape S;
    S.Sizes = {Count, static_cast<int64_t>(Rank)};
    S.Strides = {1, Count};
    if (layout::broken(layout::Fault::NonzeroRowMajor))
      S.Strides = {static_cast<int64_t>(Rank), 1};
    Tensor R = allocate(S, kLong, "nonzero", Here);
    if (Rank == 0 || Count == 0)
      return R;
    auto *To = reinterpret_cast<int64_t *>(impl(R).data());
    const auto *Data = reinterpret_cast<const E *>(I.data());
    const size_t Last = Rank - 1;
    const int64_t Next = S.Strides[0], Column = S.Strides[1],
                  Inner = L.Sizes[Last], Step = L.Strides[Last];
    detail::Dims At(Rank, 0);
    for (int64_t Found = 0; Found < Count;) {
      const E *Row = Data;
      for (size_t D = 0; D < Last; ++D)
        Row += At[D] * L.Strides[D];
      // Each place is written, and stays where there is something.
      const int64_t First = Found;
      int64_t *Places = To + static_cast<int64_t>(Last) * Column;
      for (int64_t J = 0; J < Inner && Found < Count; ++J) {
        Places[Found * Next] = J;
        Found += isSet(Row[J * Step]);
      }
      for (size_t D = 0; D < Last; ++D)
        for (int64_t K = First; K < Found; ++K)
          To[static_cast<int64_t>(D) * Column + K * Next] = At[D];
      for (size_t D = Last; D-- > 0;) {
        if (++At[D] < L.Sizes[D])
          break;
        At[D] = 0;
      }
    }
    return R;
  });
}

Tensor Tensor::masked_select(const Tensor &mask, Site Here) const {
  const ScalarType T = impl(mask, "masked_select", Here).Type;
  if (T != kBool && T != kByte)
    detail::fail("masked_select: the mask must be of type Bool", mask, Here);
  auto Both = broadcast_tensors({*this, mask}, Here);
  const Tensor Flat = Both[0].reshape(-1, Here),
               M = Both[1].ne(Scalar(0), Here).reshape(-1, Here);
  if (impl(Flat).Store->Watched.Unwritten != detail::Watch::None)
    return Flat.index_select(0, M.nonzero(Here).select(1, 0, Here), Here);
  detail::reads(Flat, "masked_select", Here);
  const int64_t Count = countSet<bool>(M);
  Tensor R = allocateDense({Count}, scalar_type(), "masked_select", Here);
  const auto *Is = reinterpret_cast<const bool *>(impl(M).data());
  const int64_t Step = impl(M).L.Strides[0], Stride = impl(Flat).L.Strides[0];
  detail::dispatchSize(element_size(), [&](auto T) {
    using E = typename decltype(T)::type;
    auto *To = reinterpret_cast<E *>(impl(R).data());
    const auto *From = reinterpret_cast<const E *>(impl(Flat).data());
    // Each is written, and stays where it is selected.
    for (const E *End = To + Count; To != End; From += Stride, Is += Step) {
      *To = *From;
      To += *Is;
    }
  });
  return R;
}

Tensor &Tensor::masked_fill_(const Tensor &mask, const Scalar &value,
                             Site Here) const {
  const auto &I = impl(*this, "masked_fill_", Here);
  detail::reads(mask, "masked_fill_", Here);
  const ScalarType T = impl(mask).Type;
  if (T != kBool && T != kByte)
    detail::fail("masked_fill_: the mask must be of type Bool", mask, Here);
  detail::requireNoOverlap(*this, mask, "masked_fill_", Here);
  const Tensor M = mask.expand(sizes(), false, Here);
  Tensor Value = empty(IntArrayRef(), I.Type, {}, Here);
  Value.fill_(value, Here);
  detail::dispatchSize(elementSize(I.Type), [&](auto Size) {
    using E = typename decltype(Size)::type;
    const E V = *static_cast<const E *>(Value.data_ptr());
    detail::loop(I.L.Sizes, {this, &M},
                 [V](char **P, const int64_t *Step, int64_t N) {
                   for (int64_t K = 0; K < N; ++K)
                     if (P[1][K * Step[1]])
                       *reinterpret_cast<E *>(P[0] + K * Step[0]) = V;
                 });
  });
  detail::countWrite(*this, "masked_fill_", Here);
  if (I.Store->Watched.Unwritten != detail::Watch::None)
    detail::markWrittenWhere(*this, M);
  return self();
}
Tensor &Tensor::masked_fill_(const Tensor &mask, const Tensor &value,
                             Site Here) const {
  if (value.dim() != 0)
    detail::fail("masked_fill_: the value must be a 0-dim tensor", value, Here);
  return masked_fill_(mask, value.item(Here), Here);
}
Tensor Tensor::masked_fill(const Tensor &mask, const Scalar &value,
                           Site Here) const {
  impl(*this, "masked_fill", Here);
  auto Both = broadcast_tensors({*this, mask}, Here);
  Tensor R = Both[0].clone(MemoryFormat::Contiguous, Here);
  R.masked_fill_(mask, value, Here);
  return R;
}
Tensor Tensor::masked_fill(const Tensor &mask, const Tensor &value,
                           Site Here) const {
  if (value.dim() != 0)
    detail::fail("masked_fill: the value must be a 0-dim tensor", value, Here);
  return masked_fill(mask, value.item(Here), Here);
}

Tensor Tensor::repeat_interleave(const Tensor &repeats, optional<int64_t> dim,
                                 Site Here) const {
  const Tensor X = dim ? *this : flatten(0, -1, Here);
  const auto D = static_cast<int64_t>(
      dimOf(X, dim.value_or(0), "repeat_interleave", Here));
  if (repeats.numel() == 1)
    return repeat_interleave(repeats.item<int64_t>(Here), dim, Here);
  const Tensor Counts = places(repeats, INT64_MAX, "repeat_interleave", Here,
                               true); // refuses negative ones
  if (repeats.dim() != 1 || repeats.numel() != X.size(D))
    detail::fail("repeat_interleave: " + std::to_string(repeats.numel()) +
                     " repeats for size " + std::to_string(X.size(D)),
                 X, Here);
  const auto *Times = static_cast<const int64_t *>(Counts.data_ptr());
  std::vector<int64_t> At;
  for (int64_t K = 0; K < X.size(D); ++K)
    At.insert(At.end(), static_cast<size_t>(Times[K]), K);
  const Tensor Index = from_blob(At.data(), static_cast<int64_t>(At.size()),
                                 TensorOptions(kLong), Here);
  return X.index_select(D, Index, Here);
}

Tensor embedding(const Tensor &weight, const Tensor &indices, Site Here) {
  if (impl(weight, "embedding", Here).L.rank() != 2)
    detail::fail("embedding: the weight must be a matrix", weight, Here);
  const ScalarType T = impl(indices, "embedding", Here).Type;
  if (T != kLong && T != kInt)
    detail::fail("embedding: the indices must be of type Long or Int", indices,
                 Here);
  detail::Dims Sizes = impl(indices).L.Sizes;
  Sizes.push_back(weight.size(1));
  return weight.index_select(0, indices.reshape(-1, Here), Here)
      .view(detail::ref(Sizes), Here);
}

} // namespace tensortidy
