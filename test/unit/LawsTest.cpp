//===- LawsTest.cpp - every rule on every small layout --------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a rule says of a layout is compared with the elements themselves, for
// every layout that up to two operations make of a packed one of up to 4
// dimensions of sizes 0 to 3. An index is a number in row-major order:
//
//   [2, 3] strides [1, 2]   elements 0 2 4 1 3 5: distinct, no hole, turned
//
//===----------------------------------------------------------------------===//

#include "Layout/Elementwise.h"
#include "Layout/Error.h"
#include "Layout/Overlap.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <functional>
#include <set>

using namespace tensortidy::layout;

namespace {

using L64 = Layout<int64_t>;
using Elements = std::vector<int64_t>;
const Concrete C;

/// Storage elements in row-major order of the indices.
Elements elements(const L64 &L) {
  Elements R{L.Offset};
  for (size_t D = 0; D < L.rank(); ++D) {
    Elements Next;
    for (const int64_t E : R)
      for (int64_t I = 0; I < L.Sizes[D]; ++I)
        Next.push_back(E + I * L.Strides[D]);
    R = std::move(Next);
  }
  return R;
}

std::string text(const L64 &L) {
  return listText(C, L.Sizes) + " strides " + listText(C, L.Strides) +
         " offset " + std::to_string(L.Offset);
}

/// What one operation makes of \p L, of at most 4 dimensions.
std::vector<L64> oneAway(const L64 &L) {
  std::vector<L64> R;
  auto Keep = [&](const LayoutOutcome<Concrete> &O) {
    if (O.ok() && O->rank() <= 4)
      R.push_back(*O);
  };
  const auto N = static_cast<int64_t>(L.rank());
  const std::optional<int64_t> ToEnd;
  for (int64_t I = 0; I < N; ++I) {
    for (int64_t J = I + 1; J < N; ++J) {
      Keep(transpose(C, L, I, J));
      Keep(diagonal(C, L, 0, I, J));
    }
    Keep(slice(C, L, I, int64_t(0), ToEnd, int64_t(2)));
    Keep(slice(C, L, I, int64_t(1), ToEnd, int64_t(1)));
    Keep(select(C, L, I, int64_t(0)));
    Keep(unsqueeze(C, L, I));
    Keep(unfold(C, L, I, int64_t(2), int64_t(1)));
    auto Wide = L.Sizes;
    Wide[static_cast<size_t>(I)] = 2;
    Keep(expand(C, L, Wide));
  }
  Keep(squeeze(C, L));
  for (const MemoryFormat F :
       {MemoryFormat::Contiguous, MemoryFormat::ChannelsLast})
    if (auto Copy = contiguous(C, L, F); Copy.ok())
      R.push_back(Copy->L);
  if (auto Flat = flatten(C, L, 0, -1); Flat.ok())
    R.push_back(Flat->L);
  return R;
}

/// All layouts within two operations of a packed one.
const std::vector<L64> &everyLayout() {
  static const std::vector<L64> All = [] {
    std::vector<L64> R;
    std::set<std::vector<int64_t>> Seen;
    auto Add = [&](const L64 &L) {
      std::vector<int64_t> Key{L.Offset};
      Key.insert(Key.end(), L.Sizes.begin(), L.Sizes.end());
      Key.insert(Key.end(), L.Strides.begin(), L.Strides.end());
      if (Seen.insert(Key).second)
        R.push_back(L);
    };
    std::function<void(Dims<int64_t>)> Grow = [&](const Dims<int64_t> &S) {
      Add(denseLayout(C, S));
      for (int64_t N = 0; N <= 3 && S.size() < 4; ++N) {
        auto Next = S;
        Next.push_back(N);
        Grow(Next);
      }
    };
    Grow({});
    for (size_t Begin = 0, Step = 0; Step < 2; ++Step) {
      const size_t End = R.size();
      for (; Begin < End; ++Begin)
        for (const L64 &L : oneAway(L64(R[Begin])))
          Add(L);
    }
    return R;
  }();
  return All;
}

bool distinct(Elements E) {
  std::sort(E.begin(), E.end());
  return std::adjacent_find(E.begin(), E.end()) == E.end();
}
/// No hole between the first and the last.
bool dense(const Elements &E) {
  return distinct(E) &&
         (E.empty() || *std::max_element(E.begin(), E.end()) -
                               *std::min_element(E.begin(), E.end()) + 1 ==
                           static_cast<int64_t>(E.size()));
}
bool consecutive(const Elements &E) {
  for (size_t I = 1; I < E.size(); ++I)
    if (E[I] != E[I - 1] + 1)
      return false;
  return true;
}
/// The channels of 4 dimensions last.
L64 channelsLast(const L64 &L) {
  return *permute(C, L, std::vector<int64_t>{0, 2, 3, 1});
}

TEST(Laws, ThereAreMany) { EXPECT_GT(everyLayout().size(), 10000u); }

TEST(Laws, ContiguousInEachFormat) {
  for (const L64 &L : everyLayout()) {
    const auto E = elements(L);
    EXPECT_EQ(isContiguous(C, L).yes(), consecutive(E)) << text(L);
    if (L.rank() != 4)
      EXPECT_FALSE(isContiguous(C, L, MemoryFormat::ChannelsLast).yes());
    else if (!E.empty())
      EXPECT_EQ(isContiguous(C, L, MemoryFormat::ChannelsLast).yes(),
                consecutive(elements(channelsLast(L))))
          << text(L);
    // One of the dimensions of a video.
    if (L.rank() == 4 && !E.empty()) {
      const L64 Video = *unsqueeze(C, L, 2);
      EXPECT_EQ(isContiguous(C, Video, MemoryFormat::ChannelsLast3d).yes(),
                consecutive(elements(
                    *permute(C, Video, std::vector<int64_t>{0, 2, 3, 4, 1}))))
          << text(Video);
    }
  }
}

TEST(Laws, PackedInOrder) {
  for (const L64 &L : everyLayout()) {
    if (L.rank() == 0 || L.rank() > 3)
      continue;
    std::vector<int64_t> Order(L.rank());
    for (size_t I = 0; I < L.rank(); ++I)
      Order[I] = static_cast<int64_t>(I);
    do {
      const auto Made = packedInOrder(C, L.Sizes, Order);
      ASSERT_TRUE(Made.ok());
      EXPECT_EQ(Made->Sizes, L.Sizes);
      EXPECT_TRUE(isContiguous(C, *permute(C, *Made, Order)).yes()) << text(L);
    } while (std::next_permutation(Order.begin(), Order.end()));
    Order.back() = Order.front();
    EXPECT_EQ(packedInOrder(C, L.Sizes, Order).ok(), L.rank() == 1);
    Order.pop_back();
    EXPECT_TRUE(packedInOrder(C, L.Sizes, Order).failed());
  }
}

TEST(Laws, DenseSpanAndInternalOverlap) {
  for (const L64 &L : everyLayout()) {
    const auto E = elements(L);
    if (!E.empty())
      EXPECT_EQ(isNonOverlappingAndDense(C, L).yes(), dense(E)) << text(L);
    EXPECT_EQ(storageSpan(C, L),
              E.empty() ? 0 : *std::max_element(E.begin(), E.end()) + 1)
        << text(L);
    const Overlap Own = internalOverlap(C, L);
    if (Own == Overlap::No)
      EXPECT_TRUE(distinct(E)) << text(L);
    if (Own == Overlap::Full && !E.empty())
      EXPECT_FALSE(distinct(E)) << text(L);
  }
}

TEST(Laws, SuggestedFormat) {
  for (const L64 &L : everyLayout()) {
    const auto F = suggestMemoryFormat(C, L);
    ASSERT_TRUE(F.has_value());
    const bool Plain = std::all_of(L.Sizes.begin(), L.Sizes.end(),
                                   [](int64_t S) { return S > 1; });
    if (L.rank() != 4)
      EXPECT_EQ(*F, MemoryFormat::Contiguous);
    else if (Plain && isContiguous(C, L).yes())
      EXPECT_EQ(*F, MemoryFormat::Contiguous) << text(L);
    else if (Plain && isContiguous(C, L, MemoryFormat::ChannelsLast).yes())
      EXPECT_EQ(*F, MemoryFormat::ChannelsLast) << text(L);
    if (*F == MemoryFormat::ChannelsLast) {
      // Channels are innermost: no other step is shorter.
      for (size_t D = 0; D < 4; ++D)
        if (L.Sizes[D] > 1 && L.Sizes[1] > 1)
          EXPECT_LE(L.Strides[1], L.Strides[D]) << text(L);
    }
  }
}

TEST(Laws, CopiesKeepWhatTheyPromise) {
  for (const L64 &L : everyLayout()) {
    // clone, to and empty_like: dense ones keep their strides; others become
    // dense in the same order.
    const auto Kept = preservedCopy(C, L);
    ASSERT_TRUE(Kept.ok());
    EXPECT_EQ(Kept->Sizes, L.Sizes);
    EXPECT_EQ(Kept->Offset, 0);
    const auto E = elements(L), K = elements(*Kept);
    EXPECT_TRUE(dense(K)) << text(L) << " became " << text(*Kept);
    if (!E.empty() && dense(E))
      EXPECT_EQ(Kept->Strides, L.Strides) << text(L);
    for (size_t A = 0; A < L.rank() && !E.empty(); ++A)
      for (size_t B = 0; B < L.rank(); ++B)
        if (L.Sizes[A] > 1 && L.Sizes[B] > 1 && L.Strides[B] != 0 &&
            L.Strides[A] > L.Strides[B] * L.Sizes[B])
          EXPECT_GT(Kept->Strides[A], Kept->Strides[B])
              << text(L) << " became " << text(*Kept);
    for (const MemoryFormat F :
         {MemoryFormat::Contiguous, MemoryFormat::ChannelsLast}) {
      const auto Made = copyAs(C, L, F);
      EXPECT_EQ(Made.ok(), F == MemoryFormat::Contiguous || L.rank() == 4);
      if (!Made.ok())
        continue;
      EXPECT_EQ(Made->Sizes, L.Sizes);
      const auto M =
          elements(F == MemoryFormat::Contiguous ? *Made : channelsLast(*Made));
      EXPECT_TRUE(consecutive(M)) << text(*Made);
      EXPECT_TRUE(M.empty() || M[0] == 0) << text(*Made);
    }
  }
}

/// \p R must show \p E, or be a packed copy where no view can.
void checkCopyOrView(const L64 &L, const Elements &E,
                     const CopyOrView<int64_t> &R) {
  using K = CopyOrView<int64_t>;
  if (R.K != K::Copy) {
    EXPECT_EQ(elements(R.L), E) << text(L) << " as " << text(R.L);
    return;
  }
  EXPECT_TRUE(consecutive(elements(R.L))) << text(R.L);
  EXPECT_EQ(R.L.Offset, 0);
  EXPECT_TRUE(view(C, L, R.L.Sizes).failed()) << text(L);
}

TEST(Laws, CopyOrView) {
  for (const L64 &L : everyLayout()) {
    const auto E = elements(L);
    const auto N = static_cast<int64_t>(E.size());
    for (const Dims<int64_t> &New : {Dims<int64_t>{N}, Dims<int64_t>{2, N / 2},
                                     Dims<int64_t>{N / 2, 1, 2}, L.Sizes})
      if (const auto R = reshape(C, L, New); R.ok())
        checkCopyOrView(L, E, *R);
      else
        EXPECT_NE(numel(C, New), N) << text(L);
    const auto Rank = static_cast<int64_t>(L.rank());
    for (int64_t First = 0; First < Rank; ++First)
      for (int64_t Last = First; Last < Rank; ++Last)
        checkCopyOrView(L, E, *flatten(C, L, First, Last));
    const auto Packed = contiguous(C, L);
    ASSERT_TRUE(Packed.ok());
    EXPECT_EQ(Packed->K == CopyOrView<int64_t>::Self, consecutive(E))
        << text(L);
    EXPECT_TRUE(consecutive(elements(Packed->L)));
  }
}

TEST(Laws, ViewsAddressWhatTheyName) {
  for (const L64 &L : everyLayout()) {
    const auto E = elements(L);
    // E seen as [Outer, Size, Inner] around a dimension.
    for (size_t D = 0; D < L.rank(); ++D) {
      int64_t Outer = 1, Inner = 1;
      for (size_t K = 0; K < L.rank(); ++K)
        (K < D ? Outer : Inner) *= K == D ? 1 : L.Sizes[K];
      const int64_t Size = L.Sizes[D];
      auto Picked = [&](const std::vector<int64_t> &At) {
        Elements R;
        for (int64_t O = 0; O < Outer; ++O)
          for (const int64_t I : At)
            for (int64_t K = 0; K < Inner; ++K)
              R.push_back(E[static_cast<size_t>((O * Size + I) * Inner + K)]);
        return R;
      };
      const auto Dim = static_cast<int64_t>(D);
      for (int64_t From = 0; From <= Size; ++From) {
        if (From < Size)
          EXPECT_EQ(elements(*select(C, L, Dim, From)), Picked({From}));
        else
          EXPECT_TRUE(select(C, L, Dim, From).failed());
        for (int64_t Step = 1; Step <= 2; ++Step) {
          std::vector<int64_t> At;
          for (int64_t I = From; I < Size; I += Step)
            At.push_back(I);
          EXPECT_EQ(
              elements(*slice(C, L, Dim, From, std::optional<int64_t>(), Step)),
              Picked(At))
              << text(L);
        }
        for (int64_t Length = 0; Length <= Size; ++Length) {
          std::vector<int64_t> At;
          for (int64_t I = From; I < From + Length; ++I)
            At.push_back(I);
          const auto Part = narrow(C, L, Dim, From, Length);
          EXPECT_EQ(Part.ok(), From + Length <= Size);
          if (Part.ok())
            EXPECT_EQ(elements(*Part), Picked(At));
        }
      }
      if (Size == 1) {
        auto Sizes = L.Sizes;
        Sizes[D] = 3;
        EXPECT_EQ(elements(*expand(C, L, Sizes)), Picked({0, 0, 0}));
      }
      EXPECT_EQ(elements(*unsqueeze(C, L, Dim)), E);
      EXPECT_EQ(elements(*squeeze(C, L, Dim)), E);
      if (Size == 2 || Size == 3) // windows are a new last dimension
        for (int64_t Window = 0; Window + 2 <= Size; ++Window)
          EXPECT_EQ(
              elements(*select(C, *unfold(C, L, Dim, int64_t(2), int64_t(1)),
                               Dim, Window)),
              elements(*movedim(C, *narrow(C, L, Dim, Window, int64_t(2)),
                                std::vector<int64_t>{Dim},
                                std::vector<int64_t>{-1})));
    }
    EXPECT_EQ(elements(*squeeze(C, L)), E);
    if (L.rank() == 2) {
      Elements Diagonal;
      for (int64_t I = 0; I < std::min(L.Sizes[0], L.Sizes[1]); ++I)
        Diagonal.push_back(L.Offset + I * (L.Strides[0] + L.Strides[1]));
      EXPECT_EQ(elements(*diagonal(C, L, 0, 0, 1)), Diagonal);
    }
  }
}

/// Pairs that begin as one packed layout: both on its storage.
template <class F> void forEachPair(F Do) {
  for (const L64 &Base : everyLayout()) {
    if (Base.rank() > 3 || Base.Offset != 0 || !isContiguous(C, Base).yes())
      continue;
    auto Of = oneAway(Base);
    Of.push_back(Base);
    for (const L64 &X : Of)
      for (const L64 &Y : Of)
        Do(X, Y);
  }
}

TEST(Laws, OverlapOfTwo) {
  size_t Decided = 0;
  forEachPair([&](const L64 &X, const L64 &Y) {
    auto A = elements(X), B = elements(Y);
    const Overlap Is = overlap(C, X, Y, true);
    std::sort(A.begin(), A.end());
    std::sort(B.begin(), B.end());
    Elements Common;
    std::set_intersection(A.begin(), A.end(), B.begin(), B.end(),
                          std::back_inserter(Common));
    Decided += Is != Overlap::TooHard;
    if (Is == Overlap::No)
      EXPECT_TRUE(Common.empty()) << text(X) << " and " << text(Y);
    if (Is == Overlap::Full)
      EXPECT_EQ(A, B) << text(X) << " and " << text(Y);
    if (Is == Overlap::Partial)
      EXPECT_FALSE(Common.empty()) << text(X) << " and " << text(Y);
    EXPECT_NE(overlap(C, X, Y, false), Overlap::Full);
  });
  EXPECT_GT(Decided, 1000u);
}

TEST(Laws, ElementwiseResults) {
  size_t Kept = 0;
  forEachPair([&](const L64 &X, const L64 &Y) {
    const auto Sizes = broadcastSizes(C, X.Sizes, Y.Sizes);
    // Sizes counted from the back are equal, or one is 1.
    bool Fits = true;
    Dims<int64_t> Want(std::max(X.rank(), Y.rank()), 1);
    for (const L64 *L : {&X, &Y})
      for (size_t D = 0; D < L->rank(); ++D) {
        int64_t &To = Want[Want.size() - L->rank() + D];
        Fits = Fits && (To == 1 || L->Sizes[D] == 1 || To == L->Sizes[D]);
        To = L->Sizes[D] == 1 ? To : L->Sizes[D];
      }
    ASSERT_EQ(Sizes.ok(), Fits) << text(X) << " and " << text(Y);
    if (!Fits)
      return;
    EXPECT_EQ(*Sizes, Want);
    const auto R = elementwise(C, {&X, &Y}, *Sizes);
    ASSERT_TRUE(R.ok());
    EXPECT_EQ(R->Sizes, Want);
    EXPECT_EQ(R->Offset, 0);
    EXPECT_TRUE(dense(elements(*R)))
        << text(X) << " and " << text(Y) << " give " << text(*R);
    // Operands of one dense layout give that layout.
    if (X.Sizes == Y.Sizes && X.Strides == Y.Strides &&
        numel(C, X.Sizes) != 0 && dense(elements(X))) {
      ++Kept;
      EXPECT_EQ(elements(*R).size(), elements(X).size());
      for (size_t D = 0; D < X.rank(); ++D)
        if (X.Sizes[D] > 1)
          EXPECT_EQ(R->Strides[D], X.Strides[D]) << text(X);
    }
  });
  EXPECT_GT(Kept, 100u);
}

} // namespace
