//===- Elementwise.h - layouts of computed results -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Broadcasting, and the strides TensorIterator gives a result it allocates.
// All operands alike -> alike; otherwise dimensions are ordered by
// the operands' strides, first operand first, and packed.
//
//   permuted + scalar  -> permuted, packed      x[2,4,3] strides [12,1,4] kept
//   NHWC + NCHW        -> NHWC                  the first operand wins
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_LAYOUT_ELEMENTWISE_H
#define TENSORTIDY_LAYOUT_ELEMENTWISE_H

#include "Layout/Reshape.h"

namespace tensortidy::layout {

/// Whether \p In broadcasts to the sizes \p To of a tensor that is written in
/// place, and so cannot grow: not even by a leading 1.
template <class A>
Outcome<A, bool> inPlaceSizes(const A &Ar, const Dims<typename A::Int> &To,
                              const Dims<typename A::Int> &In) {
  using Out = Outcome<A, bool>;
  if (In.size() > To.size())
    return refuse<A>(Rule::InPlaceRank,
                     {Ar.constant(static_cast<int64_t>(In.size())),
                      Ar.constant(static_cast<int64_t>(To.size()))});
  bool Open = false;
  const size_t Lead = To.size() - In.size();
  for (size_t I = 0; I < In.size(); ++I) {
    const auto &Have = In[I], &Want = To[Lead + I];
    auto Same = Ar.eq(Have, Want), One = Ar.eq(Have, Ar.constant(1));
    if (Same.yes() || One.yes())
      continue;
    if (!Same.no() || !One.no()) {
      Open = true;
      continue;
    }
    auto Unless = std::move(Same.UnlessOne);
    Unless.insert(Unless.end(), One.UnlessOne.begin(), One.UnlessOne.end());
    return Out(
        refuse<A>(Rule::InPlaceSize,
                  {Have, Want, Ar.constant(static_cast<int64_t>(Lead + I))}),
        std::move(Unless));
  }
  return Open ? Out::unknown() : Out(true);
}

/// The broadcast of two size lists. \p Either gives the size, or none, where it
/// cannot be told which of two it is: `either(p, q, dimension)`.
template <class A, class Pick>
Outcome<A, Dims<typename A::Int>>
broadcastSizes(const A &Ar, const Dims<typename A::Int> &X,
               const Dims<typename A::Int> &Y, Pick Either) {
  using Out = Outcome<A, Dims<typename A::Int>>;
  const auto One = Ar.constant(1);
  const auto &Long = X.size() >= Y.size() ? X : Y;
  const auto &Short = X.size() >= Y.size() ? Y : X;
  Dims<typename A::Int> R(Long);
  size_t Lead = Long.size() - Short.size();
  bool Open = false;
  for (size_t I = Long.size(); I-- > Lead;) {
    const auto &P = Long[I], &Q = Short[I - Lead];
    auto Same = Ar.eq(P, Q), POne = Ar.eq(P, One), QOne = Ar.eq(Q, One);
    if (Same.yes() || QOne.yes())
      continue;
    if (POne.yes()) {
      R[I] = Q;
      continue;
    }
    if (Same.no() && POne.no() && QOne.no()) {
      bool Swapped = X.size() < Y.size();
      auto Unless = std::move(Same.UnlessOne);
      for (auto *U : {&POne.UnlessOne, &QOne.UnlessOne})
        Unless.insert(Unless.end(), U->begin(), U->end());
      return Out(refuse<A>(Rule::BroadcastSize,
                           {Swapped ? Q : P, Swapped ? P : Q,
                            Ar.constant(static_cast<int64_t>(I))}),
                 std::move(Unless));
    }
    // A constant above 1 must be the result (the other side is 1 or it).
    auto KP = Ar.known(P), KQ = Ar.known(Q);
    if (KP && *KP > 1)
      continue;
    if (KQ && *KQ > 1) {
      R[I] = Q;
      continue;
    }
    const bool Swapped = X.size() < Y.size();
    std::optional<typename A::Int> Is =
        Either(Swapped ? Q : P, Swapped ? P : Q, I);
    if (Is)
      R[I] = std::move(*Is);
    Open = Open || !Is;
  }
  return Open ? Out::unknown() : Out(std::move(R));
}
template <class A>
Outcome<A, Dims<typename A::Int>>
broadcastSizes(const A &Ar, const Dims<typename A::Int> &X,
               const Dims<typename A::Int> &Y) {
  using Int = typename A::Int;
  return broadcastSizes(Ar, X, Y, [](const Int &, const Int &, size_t) {
    return std::optional<Int>();
  });
}

/// The layout of the result of an element-wise operation on \p Operands,
/// in argument order, whose broadcast sizes are \p Sizes. \p Ambiguous inputs
/// of symbolic arithmetic give unknown.
template <class A>
LayoutOutcome<A>
elementwise(const A &Ar,
            const std::vector<const Layout<typename A::Int> *> &Ops,
            const Dims<typename A::Int> &Sizes) {
  using Int = typename A::Int;
  using Out = LayoutOutcome<A>;
  const Int Zero = Ar.constant(0), One = Ar.constant(1);
  const size_t N = Sizes.size();

  // Fast path: identical shapes, and all in one format.
  bool SameShape = true;
  for (auto *O : Ops) {
    SameShape = SameShape && O->rank() == N;
    for (size_t D = 0; SameShape && D < N; ++D)
      SameShape = Ar.eq(O->Sizes[D], Sizes[D]).yes();
  }
  if (SameShape) {
    for (MemoryFormat F :
         {MemoryFormat::Contiguous, MemoryFormat::ChannelsLast}) {
      if (broken(Fault::ChannelsLastBeforeContiguous))
        F = F == MemoryFormat::Contiguous ? MemoryFormat::ChannelsLast
                                          : MemoryFormat::Contiguous;
      Truth All = Truth::Yes;
      for (auto *O : Ops)
        All = All && isContiguous(Ar, *O, F).T;
      if (All == Truth::Unknown && F == MemoryFormat::Contiguous) {
        // Not decided: the slow path below decides unless it needs to know.
        continue;
      }
      if (All == Truth::Yes) {
        auto T = formatStrides(Ar, Sizes, F);
        Layout<Int> R;
        R.Sizes = Sizes;
        R.Strides = *T;
        R.Offset = Zero;
        return R;
      }
    }
    bool AllDense = true, AllSame = true;
    for (auto *O : Ops) {
      AllDense = AllDense && isNonOverlappingAndDense(Ar, *O).yes();
      for (size_t D = 0; AllSame && D < N; ++D)
        AllSame = Ar.eq(O->Strides[D], Ops[0]->Strides[D]).yes();
    }
    if (AllDense && AllSame) {
      Layout<Int> R = *Ops[0];
      R.Offset = Zero;
      return R;
    }
  }

  // Slow path: order the dimensions by the operands' broadcast strides.
  std::vector<Dims<Int>> Strides;
  for (auto *O : Ops) {
    Dims<Int> T(N, Zero);
    size_t Lead = N - O->rank();
    for (size_t D = 0; D < O->rank(); ++D) {
      auto OneHere = Ar.eq(O->Sizes[D], One);
      auto OneThere = Ar.eq(Sizes[Lead + D], One);
      bool Broadcast = OneHere.yes() && !OneThere.yes();
      T[Lead + D] = Broadcast ? Zero : O->Strides[D];
    }
    Strides.push_back(std::move(T));
  }
  bool Open = false;
  auto Compare = [&](size_t X, size_t Y) -> int {
    for (const auto &T : Strides) {
      Truth ZX = Ar.eq(T[X], Zero).T, ZY = Ar.eq(T[Y], Zero).T;
      if (ZX == Truth::Yes || ZY == Truth::Yes)
        continue;
      if (ZX == Truth::Unknown || ZY == Truth::Unknown) {
        Open = true;
        return 0;
      }
      if (Ar.lt(T[X], T[Y]) == Truth::Yes)
        return -1;
      if (Ar.lt(T[Y], T[X]) == Truth::Yes)
        return 1;
      auto Same = Ar.eq(T[X], T[Y]);
      if (!Same.yes()) {
        // Known up to equality, and then a size is 1 and its stride means
        // nothing: either order gives the same elements.
        if (Ar.lt(T[Y], T[X]) == Truth::No)
          return -1;
        if (Ar.lt(T[X], T[Y]) == Truth::No)
          return 1;
        Open = true;
        return 0;
      }
      if (Ar.lt(Sizes[Y], Sizes[X]) == Truth::Yes)
        return 1;
    }
    return 0;
  };
  std::vector<size_t> Perm;
  for (size_t D = N; D-- > 0;)
    Perm.push_back(D);
  if (!sortDims(Perm, Compare, Open))
    return Out::unknown();
  bool Identity = true;
  for (size_t I = 0; I < N; ++I)
    Identity = Identity && Perm[I] == N - 1 - I;
  if (Identity)
    return denseLayout(Ar, Sizes);
  Layout<Int> R;
  R.Sizes = Sizes;
  R.Strides = Dims<Int>(N, One);
  R.Offset = Zero;
  Int Z = One;
  for (size_t D : Perm) {
    R.Strides[D] = Z;
    Z = Ar.mul(Z, Sizes[D]); // no clamp
  }
  return R;
}

/// \p L, its dimensions that have an index tensor (\p Indexed)
/// replaced by stationary ones of \p IndexSizes, which is what index() gives
/// the sizes of. \p Before is how many come first: none where indexed
/// dimensions are not neighbours.
template <class A>
Layout<typename A::Int>
stationary(const A &Ar, const Layout<typename A::Int> &L,
           const std::vector<bool> &Indexed,
           const Dims<typename A::Int> &IndexSizes, size_t &Before) {
  using Int = typename A::Int;
  const Int Zero = Ar.constant(0);
  size_t First = L.rank(), Last = 0, Count = 0;
  for (size_t D = 0; D < L.rank(); ++D)
    if (D < Indexed.size() && Indexed[D]) {
      First = std::min(First, D);
      Last = D;
      ++Count;
    }
  Before = Count && Last - First + 1 == Count ? First : 0;
  Layout<Int> Self;
  Self.Offset = L.Offset;
  auto Keep = [&](bool Lead) {
    size_t Seen = 0;
    for (size_t D = 0; D < L.rank(); ++D) {
      if (D < Indexed.size() && Indexed[D])
        continue;
      if ((Seen++ < Before) == Lead) {
        Self.Sizes.push_back(L.Sizes[D]);
        Self.Strides.push_back(L.Strides[D]);
      }
    }
  };
  Keep(true);
  for (const Int &S : IndexSizes) {
    Self.Sizes.push_back(S);
    Self.Strides.push_back(Zero);
  }
  Keep(false);
  return Self;
}

/// index() with tensors, which broadcast to \p IndexSizes. The result's strides
/// are those of an element-wise operation on the stationary tensor and on them.
template <class A>
LayoutOutcome<A> indexed(const A &Ar, const Layout<typename A::Int> &L,
                         const std::vector<bool> &Indexed,
                         const std::vector<Layout<typename A::Int>> &Indices,
                         const Dims<typename A::Int> &IndexSizes) {
  using Int = typename A::Int;
  const Int One = Ar.constant(1);
  size_t Before = 0;
  const Layout<Int> Self = stationary(Ar, L, Indexed, IndexSizes, Before);
  const size_t After = Self.rank() - Before - IndexSizes.size();
  // Each index tensor, broadcast to the index sizes, then as [1.., idx, 1..].
  std::vector<Layout<Int>> Shaped;
  for (const auto &I : Indices) {
    auto E = expand(Ar, I, IndexSizes);
    if (!E.ok())
      return std::move(E).template as<Layout<Int>>();
    Dims<Int> Sizes;
    for (size_t D = 0; D < Before; ++D)
      Sizes.push_back(One);
    for (const Int &S : IndexSizes)
      Sizes.push_back(S);
    for (size_t D = 0; D < After; ++D)
      Sizes.push_back(One);
    auto V = reshape(Ar, *E, Sizes);
    if (!V.ok())
      return std::move(V).template as<Layout<Int>>();
    Shaped.push_back(V->L);
  }
  std::vector<const Layout<Int> *> Ops{&Self};
  for (const auto &S : Shaped)
    Ops.push_back(&S);
  const auto Sizes = Self.Sizes;
  return elementwise(Ar, Ops, Sizes);
}

/// A copy in format \p F; Preserve keeps the order of the dimensions.
template <class A>
LayoutOutcome<A> copyAs(const A &Ar, const Layout<typename A::Int> &L,
                        MemoryFormat F) {
  auto T = F == MemoryFormat::Preserve ? preserveStrides(Ar, L)
                                       : formatStrides(Ar, L.Sizes, F);
  if (!T.ok())
    return std::move(T).template as<Layout<typename A::Int>>();
  Layout<typename A::Int> R;
  R.Sizes = L.Sizes;
  R.Strides = *T;
  R.Offset = Ar.constant(0);
  return R;
}

/// clone(Preserve), empty_like, to(): sizes of \p L, its strides preserved.
template <class A>
LayoutOutcome<A> preservedCopy(const A &Ar, const Layout<typename A::Int> &L) {
  return copyAs(Ar, L, MemoryFormat::Preserve);
}

/// Sizes of matmul() for every combination of ranks; the result is dense.
/// \p Either is that of broadcastSizes(), for the batches.
template <class A, class Pick>
Outcome<A, Dims<typename A::Int>>
matmulSizes(const A &Ar, const Dims<typename A::Int> &X,
            const Dims<typename A::Int> &Y, Pick Either) {
  using Int = typename A::Int;
  using Out = Outcome<A, Dims<Int>>;
  if (X.size() == 0 || Y.size() == 0)
    return refuse<A>(Rule::MatMulRank,
                     {Ar.constant(static_cast<int64_t>(X.size())),
                      Ar.constant(static_cast<int64_t>(Y.size()))});
  const Int One = Ar.constant(1);
  Int Rows = X.size() > 1 ? X[X.size() - 2] : One;
  Int InnerX = X[X.size() - 1];
  Int InnerY = Y.size() > 1 ? Y[Y.size() - 2] : Y[0];
  Int Cols = Y.size() > 1 ? Y[Y.size() - 1] : One;
  auto Same = Ar.eq(InnerX, InnerY);
  if (Same.no())
    return Out(refuse<A>(Rule::MatMulSizes, {Rows, InnerX, InnerY, Cols}),
               std::move(Same.UnlessOne));
  Dims<Int> BX, BY;
  for (size_t D = 0; D + 2 < X.size(); ++D)
    BX.push_back(X[D]);
  for (size_t D = 0; D + 2 < Y.size(); ++D)
    BY.push_back(Y[D]);
  auto Batch = broadcastSizes(Ar, BX, BY, Either);
  if (!Batch.ok())
    return std::move(Batch).template as<Dims<Int>>();
  Dims<Int> R(*Batch);
  if (X.size() > 1)
    R.push_back(Rows);
  if (Y.size() > 1)
    R.push_back(Cols);
  return Out(std::move(R));
}

template <class A>
Outcome<A, Dims<typename A::Int>> matmulSizes(const A &Ar,
                                              const Dims<typename A::Int> &X,
                                              const Dims<typename A::Int> &Y) {
  using Int = typename A::Int;
  return matmulSizes(Ar, X, Y, [](const Int &, const Int &, size_t) {
    return std::optional<Int>();
  });
}

/// The result of matmul(). It is packed, but where libtorch multiplies the
/// transposes, one matrix with a folded batch, sizes of 1 and 0 keep strides of
/// that:
///
///   [1, 4] x [3, 4, 2]    as [6, 4] x [4, 1], seen as [3, 2, 1], mT [3, 1, 2]:
///                         strides [2, 1, 1], not [2, 2, 1]
template <class A>
LayoutOutcome<A> matmul(const A &Ar, const Layout<typename A::Int> &X,
                        const Layout<typename A::Int> &Y) {
  auto Sizes = matmulSizes(Ar, X.Sizes, Y.Sizes);
  if (!Sizes.ok())
    return std::move(Sizes).template as<Layout<typename A::Int>>();
  auto Dense = denseLayout(Ar, *Sizes);
  if (X.rank() != 2 || Y.rank() < 3)
    return Dense;
  // Matrices that are transposed already, one after another, stay a batch.
  if (Y.rank() == 3 && Ar.eq(Y.Strides[2], Ar.constant(1)).no() &&
      Ar.eq(Y.Strides[0], Ar.mul(Y.Sizes[1], Y.Sizes[2])).yes())
    return Dense;
  Dims<typename A::Int> Swapped(*Sizes);
  const size_t Last = Swapped.size() - 1;
  std::swap(Swapped[Last - 1], Swapped[Last]);
  auto R = denseLayout(Ar, Swapped);
  std::swap(R.Sizes[Last - 1], R.Sizes[Last]);
  std::swap(R.Strides[Last - 1], R.Strides[Last]);
  return isContiguous(Ar, R).yes() ? R : Dense;
}

/// mm() and bmm(): matmul() of two tensors of rank \p Rank, whose batches do
/// not broadcast.
template <class A>
Outcome<A, Dims<typename A::Int>> productSizes(const A &Ar, size_t Rank,
                                               const Dims<typename A::Int> &X,
                                               const Dims<typename A::Int> &Y) {
  using Out = Outcome<A, Dims<typename A::Int>>;
  unsigned Operand = 0;
  for (const auto *S : {&X, &Y}) {
    if (S->size() != Rank) {
      auto E = refuse<A>(Rule::RankWanted,
                         {Ar.constant(static_cast<int64_t>(Rank)),
                          Ar.constant(static_cast<int64_t>(S->size()))});
      E.AtDims.push_back(Operand);
      return E;
    }
    ++Operand;
  }
  for (size_t D = 0; D + 2 < Rank; ++D) {
    auto Same = Ar.eq(X[D], Y[D]);
    if (Same.no())
      return Out(refuse<A>(Rule::BroadcastSize,
                           {X[D], Y[D], Ar.constant(static_cast<int64_t>(D))}),
                 std::move(Same.UnlessOne));
  }
  return matmulSizes(Ar, X, Y);
}

/// linear(): [..., in] and a weight [out, in] give [..., out].
template <class A>
Outcome<A, Dims<typename A::Int>> linearSizes(const A &Ar,
                                              const Dims<typename A::Int> &X,
                                              const Dims<typename A::Int> &W) {
  using Out = Outcome<A, Dims<typename A::Int>>;
  if (X.size() == 0 || W.size() == 0 || W.size() > 2)
    return Out::unknown();
  const auto &In = W[W.size() - 1];
  auto Same = Ar.eq(X[X.size() - 1], In);
  if (Same.no()) {
    auto Rows = Ar.constant(1);
    for (size_t D = 0; D + 1 < X.size(); ++D)
      Rows = Ar.mul(Rows, X[D]);
    return Out(
        refuse<A>(Rule::MatMulSizes, {Rows, X[X.size() - 1], In,
                                      W.size() == 2 ? W[0] : Ar.constant(1)}),
        std::move(Same.UnlessOne));
  }
  Dims<typename A::Int> R(X);
  R[R.size() - 1] = W[0];
  if (W.size() == 1)
    R = Dims<typename A::Int>(X.begin(), X.end() - 1);
  return Out(std::move(R));
}

/// A convolution's channels: those of the input are those of the weight in
/// each group. \p Spatial is 1, 2 or 3; the batch may be left out.
template <class A>
Outcome<A, bool>
convChannels(const A &Ar, size_t Spatial, const Dims<typename A::Int> &X,
             const Dims<typename A::Int> &W, const typename A::Int &Groups,
             bool Transposed = false) {
  using Out = Outcome<A, bool>;
  const auto Wanted = Ar.constant(static_cast<int64_t>(Spatial + 2));
  if (W.size() != Spatial + 2 ||
      (X.size() != Spatial + 2 && X.size() != Spatial + 1)) {
    bool OfWeight = W.size() != Spatial + 2;
    auto E = refuse<A>(Rule::RankWanted,
                       {Wanted, Ar.constant(static_cast<int64_t>(
                                    OfWeight ? W.size() : X.size()))});
    E.AtDims.push_back(OfWeight ? 1 : 0);
    return E;
  }
  const auto &Have = X[X.size() - Spatial - 1];
  auto Want = Transposed ? W[0] : Ar.mul(W[1], Groups);
  auto Same = Ar.eq(Have, Want);
  if (Same.no())
    return Out(refuse<A>(Rule::ConvChannels,
                         {Have, Want, Transposed ? Ar.constant(1) : Groups}),
               std::move(Same.UnlessOne));
  return Same.yes() ? Out(true) : Out::unknown();
}

/// Each group of a convolution gives as many channels.
template <class A>
Outcome<A, bool> convGroups(const A &Ar, const Dims<typename A::Int> &W,
                            const typename A::Int &Groups) {
  if (W.empty() || !Ar.neverDivides(W[0], Groups))
    return Outcome<A, bool>(true);
  auto E = refuse<A>(Rule::SizeMultiple, {W[0], Groups, Ar.constant(0)});
  E.AtDims.push_back(1);
  return E;
}

/// Sizes of a reduction over \p OverDims (all when empty).
template <class A, class Ints>
Outcome<A, Dims<typename A::Int>>
reduceSizes(const A &Ar, const Dims<typename A::Int> &Sizes,
            const Ints &OverDims, bool KeepDim) {
  using Int = typename A::Int;
  std::vector<bool> Gone(Sizes.size(), OverDims.size() == 0);
  for (int64_t Dim : OverDims) {
    auto D = wrapDim(Ar, Dim, Sizes.size());
    if (!D.ok())
      return std::move(D).template as<Dims<Int>>();
    if (*D < Gone.size())
      Gone[*D] = true;
  }
  Dims<Int> R;
  for (size_t D = 0; D < Sizes.size(); ++D) {
    if (!Gone[D])
      R.push_back(Sizes[D]);
    else if (KeepDim)
      R.push_back(Ar.constant(1));
  }
  return R;
}

/// cat(): sizes, then channels-last if every tensor suggests it.
template <class A>
LayoutOutcome<A> cat(const A &Ar,
                     const std::vector<const Layout<typename A::Int> *> &Ops,
                     int64_t Dim) {
  using Int = typename A::Int;
  using Out = LayoutOutcome<A>;
  std::vector<const Layout<Int> *> Real;
  for (auto *O : Ops) // legacy: 1-d empty tensors are skipped
    if (O->rank() != 1 || !Ar.eq(O->Sizes[0], Ar.constant(0)).yes())
      Real.push_back(O);
  if (Ops.empty())
    return refuse<A>(Rule::CatEmpty);
  if (Real.empty())
    return denseLayout(Ar, Ops[0]->Sizes);
  auto D = wrapDim(Ar, Dim, Real[0]->rank());
  if (!D.ok())
    return std::move(D).template as<Layout<Int>>();
  if (Real[0]->rank() == 0)
    return refuse<A>(Rule::ZeroDim);
  Dims<Int> Sizes(Real[0]->Sizes);
  for (size_t I = 1; I < Real.size(); ++I) {
    if (Real[I]->rank() != Sizes.size())
      return refuse<A>(Rule::CatRank,
                       {Ar.constant(static_cast<int64_t>(Sizes.size())),
                        Ar.constant(static_cast<int64_t>(Real[I]->rank())),
                        Ar.constant(static_cast<int64_t>(I))});
    for (size_t K = 0; K < Sizes.size(); ++K) {
      if (K == *D)
        continue;
      auto Same = Ar.eq(Sizes[K], Real[I]->Sizes[K]);
      if (Same.no())
        return Out(
            refuse<A>(Rule::CatSize, {Sizes[K], Real[I]->Sizes[K],
                                      Ar.constant(static_cast<int64_t>(*D)),
                                      Ar.constant(static_cast<int64_t>(I))}),
            std::move(Same.UnlessOne));
    }
    Sizes[*D] = Ar.add(Sizes[*D], Real[I]->Sizes[*D]);
  }
  Sizes[*D] = Ar.asSize(Sizes[*D]);
  std::optional<MemoryFormat> Common;
  for (auto *O : Ops) {
    auto F = suggestMemoryFormat(Ar, *O);
    if (!F)
      return Out::unknown();
    if (Common && *Common != *F)
      Common = MemoryFormat::Contiguous;
    else if (!Common)
      Common = F;
  }
  auto T = formatStrides(Ar, Sizes, *Common);
  Layout<Int> R;
  R.Strides = T.ok() ? *T : denseStrides(Ar, Sizes);
  R.Sizes = std::move(Sizes);
  R.Offset = Ar.constant(0);
  return R;
}

/// stack(): a cat viewed with one more dimension, or, at the end, a cat
/// of unsqueezed operands.
template <class A>
LayoutOutcome<A> stack(const A &Ar,
                       const std::vector<const Layout<typename A::Int> *> &Ops,
                       int64_t Dim) {
  using Int = typename A::Int;
  if (Ops.empty())
    return refuse<A>(Rule::CatEmpty);
  auto D = wrapDim(Ar, Dim, Ops[0]->rank() + 1);
  if (!D.ok())
    return std::move(D).template as<Layout<Int>>();
  for (size_t I = 1; I < Ops.size(); ++I) {
    if (Ops[I]->rank() != Ops[0]->rank())
      return refuse<A>(Rule::CatRank,
                       {Ar.constant(static_cast<int64_t>(Ops[0]->rank())),
                        Ar.constant(static_cast<int64_t>(Ops[I]->rank())),
                        Ar.constant(static_cast<int64_t>(I))});
    for (size_t K = 0; K < Ops[0]->rank(); ++K) {
      auto Same = Ar.eq(Ops[0]->Sizes[K], Ops[I]->Sizes[K]);
      if (Same.no())
        return LayoutOutcome<A>(
            refuse<A>(Rule::StackSize, {Ops[0]->Sizes[K], Ops[I]->Sizes[K],
                                        Ar.constant(static_cast<int64_t>(K)),
                                        Ar.constant(static_cast<int64_t>(I))}),
            std::move(Same.UnlessOne));
    }
  }
  Dims<Int> Sizes(Ops[0]->Sizes);
  Int Count = Ar.constant(static_cast<int64_t>(Ops.size()));
  Sizes.insert(Sizes.begin() + static_cast<long>(*D), Count);
  if (*D < Ops[0]->rank()) {
    auto C = cat(Ar, Ops, static_cast<int64_t>(*D));
    if (!C.ok())
      return C;
    Layout<Int> R;
    R.Sizes = Sizes;
    R.Offset = Ar.constant(0);
    auto T = computeStride(Ar, *C, Sizes);
    if (T.ok()) {
      R.Strides = *T;
      return R;
    }
    R.Strides = C->Strides;
    R.Strides.insert(R.Strides.begin() + static_cast<long>(*D),
                     Ar.mul(Ops[0]->Sizes[*D], C->Strides[*D]));
    return R;
  }
  std::vector<Layout<Int>> Wide;
  std::vector<const Layout<Int> *> Refs;
  for (auto *O : Ops) {
    auto U = unsqueeze(Ar, *O, static_cast<int64_t>(*D));
    if (!U.ok())
      return U;
    Wide.push_back(*U);
  }
  for (auto &W : Wide)
    Refs.push_back(&W);
  return cat(Ar, Refs, static_cast<int64_t>(*D));
}

} // namespace tensortidy::layout

#endif
