//===- LayoutTest.cpp - the laws of the layout model ----------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Concrete rules are checked element by element: a view never moves an element.
// Symbolic answers are checked by substitution: a yes or a no may not be
// contradicted by any small sizes that meet its condition, 0 and 1 included.
//
//===----------------------------------------------------------------------===//

#include "Layout/Elementwise.h"
#include "Layout/Error.h"
#include "Layout/Exceptions.h"
#include "Layout/Overlap.h"
#include "Layout/Symbolic.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <tuple>

using namespace tensortidy::layout;

namespace {

using L64 = Layout<int64_t>;
const Concrete C;

/// Storage elements in row-major order of the indices.
std::vector<int64_t> elements(const L64 &L) {
  std::vector<int64_t> R;
  std::function<void(size_t, int64_t)> Walk = [&](size_t D, int64_t At) {
    if (D == L.rank()) {
      R.push_back(At);
      return;
    }
    for (int64_t I = 0; I < L.Sizes[D]; ++I)
      Walk(D + 1, At + I * L.Strides[D]);
  };
  Walk(0, L.Offset);
  return R;
}

/// Every dense layout of up to 4 dimensions of sizes 0 to 3.
void forEachDense(const std::function<void(const L64 &)> &Do) {
  std::function<void(Dims<int64_t>)> Grow = [&](const Dims<int64_t> &S) {
    Do(denseLayout(C, S));
    if (S.size() == 4)
      return;
    for (int64_t N = 0; N <= 3; ++N) {
      auto Next = S;
      Next.push_back(N);
      Grow(Next);
    }
  };
  Grow({});
}

/// Some layouts one operation away.
std::vector<L64> derived(const L64 &L) {
  std::vector<L64> R{L};
  auto N = static_cast<int64_t>(L.rank());
  for (int64_t I = 0; I < N; ++I) {
    for (int64_t J = I + 1; J < N; ++J)
      R.push_back(*transpose(C, L, I, J));
    R.push_back(
        *slice(C, L, I, int64_t(0), std::optional<int64_t>(), int64_t(2)));
    R.push_back(
        *slice(C, L, I, int64_t(1), std::optional<int64_t>(), int64_t(1)));
    R.push_back(*unsqueeze(C, L, I));
    if (L.Sizes[static_cast<size_t>(I)] > 0)
      R.push_back(*select(C, L, I, int64_t(0)));
  }
  return R;
}

TEST(Layout, ViewsKeepTheOrderOfElements) {
  size_t Views = 0, Refused = 0;
  forEachDense([&](const L64 &Dense) {
    for (const L64 &L : derived(Dense)) {
      const auto Before = elements(L);
      int64_t N = numel(C, L.Sizes);
      EXPECT_EQ(static_cast<int64_t>(Before.size()), N);
      for (const Dims<int64_t> &New :
           {Dims<int64_t>{N}, Dims<int64_t>{1, N}, Dims<int64_t>{N, 1},
            Dims<int64_t>{2, N / 2}, Dims<int64_t>{N / 3, 3}}) {
        auto V = view(C, L, New);
        if (numel(C, New) != N) {
          EXPECT_TRUE(V.failed());
          continue;
        }
        if (V.failed()) {
          ++Refused;
          EXPECT_EQ(V.error().R, Rule::ViewStrides);
          // Refused for a reason: no strides show these elements. The first
          // row of a dimension fixes the only stride it could have.
          Layout<int64_t> Try;
          Try.Sizes = New;
          Try.Offset = L.Offset;
          Try.Strides = Dims<int64_t>(New.size(), 0);
          int64_t Step = 1;
          for (size_t D = New.size(); D-- > 0; Step *= New[D])
            if (New[D] > 1)
              Try.Strides[D] = Before[static_cast<size_t>(Step)] - Before[0];
          EXPECT_NE(elements(Try), Before);
          continue;
        }
        ++Views;
        EXPECT_EQ(elements(*V), Before);
        auto Back = view(C, *V, L.Sizes);
        ASSERT_TRUE(Back.ok());
        EXPECT_EQ(elements(*Back), Before);
      }
    }
  });
  EXPECT_GT(Views, 1000u);
  EXPECT_GT(Refused, 100u);
}

TEST(Layout, PermuteHasAnInverse) {
  forEachDense([](const L64 &L) {
    if (L.rank() != 3)
      return;
    std::vector<int64_t> P{0, 1, 2};
    do {
      std::vector<int64_t> Inverse(3);
      for (int64_t I = 0; I < 3; ++I)
        Inverse[static_cast<size_t>(P[static_cast<size_t>(I)])] = I;
      auto There = permute(C, L, P);
      auto Back = permute(C, *There, Inverse);
      EXPECT_EQ(Back->Sizes, L.Sizes);
      EXPECT_EQ(Back->Strides, L.Strides);
    } while (std::next_permutation(P.begin(), P.end()));
  });
}

TEST(Layout, OffsetsStayInsideTheStorage) {
  forEachDense([](const L64 &Dense) {
    int64_t Span = storageSpan(C, Dense);
    for (const L64 &L : derived(Dense))
      for (int64_t E : elements(L)) {
        EXPECT_GE(E, 0);
        EXPECT_LT(E, Span);
      }
  });
}

TEST(Layout, ContiguousMeansConsecutive) {
  forEachDense([](const L64 &Dense) {
    for (const L64 &L : derived(Dense)) {
      auto E = elements(L);
      bool Consecutive = true;
      for (size_t I = 1; I < E.size(); ++I)
        Consecutive = Consecutive && E[I] == E[I - 1] + 1;
      EXPECT_EQ(isContiguous(C, L).yes(), Consecutive || E.empty());
    }
  });
}

TEST(Layout, MeasuredTraps) {
  // T1: channels-last has no shortcut for empty tensors; T2: nor a clamp.
  auto Empty = denseLayout(C, {0, 3, 4, 5});
  EXPECT_TRUE(isContiguous(C, Empty).yes());
  EXPECT_TRUE(isContiguous(C, Empty, MemoryFormat::ChannelsLast).no());
  EXPECT_EQ(*formatStrides(C, {2, 0, 4, 5}, MemoryFormat::ChannelsLast),
            (Dims<int64_t>{0, 1, 0, 0}));
  // T8: a 0-dim tensor expands with stride 0 everywhere.
  EXPECT_EQ(expand(C, denseLayout(C, {}), {3, 1})->Strides,
            (Dims<int64_t>{0, 0}));
  // T9: a slice scales the stride even of one element.
  EXPECT_EQ(slice(C, denseLayout(C, {2, 3, 4}), 1, int64_t(0),
                  std::optional<int64_t>(1), int64_t(5))
                ->Strides,
            (Dims<int64_t>{12, 20, 1}));
  // T10: chunk may give fewer.
  EXPECT_EQ(chunk(C, denseLayout(C, {10}), 6, 0)->size(), 5u);
}

TEST(Layout, ErrorsNameTheDimensions) {
  auto P = *transpose(C, denseLayout(C, {2, 3, 4}), 1, 2);
  auto V = view(C, P, {2, 12});
  ASSERT_TRUE(V.failed());
  EXPECT_EQ(render(C, V.error(), "view({2, 12})", "y"),
            "view({2, 12}) cannot merge dimensions 1 and 2 of 'y': sizes [2, "
            "4, 3], strides [12, 1, 4]");
}

//===----------------------------------------------------------------------===//
// Symbolic against concrete
//===----------------------------------------------------------------------===//

struct Substitution {
  const Symbols &Table;
  std::map<SymbolId, int64_t> Sizes;

  int64_t symbol(SymbolId S) const {
    auto It = Sizes.find(S);
    if (It != Sizes.end())
      return It->second;
    const SymbolInfo &I = Table[S];
    int64_t A = value(I.A), B = value(I.B);
    switch (I.K) {
    case SymbolInfo::Floor:
      return B ? C.floorDiv(A, B) : 0;
    case SymbolInfo::Ceil:
      return B ? C.ceilDiv(A, B) : 0;
    case SymbolInfo::Min:
      return std::min(A, B);
    case SymbolInfo::Max:
      return std::max(A, B);
    case SymbolInfo::Sum:
      return A;
    default:
      ADD_FAILURE() << "symbol without value";
      return 0;
    }
  }
  int64_t value(const SymExpr &E) const {
    int64_t R = 0;
    for (const auto &T : E.terms()) {
      int64_t P = T.C;
      for (unsigned I = 0; I < T.M.Count; ++I)
        P *= symbol(T.M.S[I]);
      R += P;
    }
    return R;
  }
  L64 layout(const Layout<SymExpr> &L) const {
    L64 R;
    for (const auto &E : L.Sizes)
      R.Sizes.push_back(value(E));
    for (const auto &E : L.Strides)
      R.Strides.push_back(value(E));
    R.Offset = value(L.Offset);
    return R;
  }
  bool meets(const std::vector<SymExpr> &UnlessOne) const {
    for (const SymExpr &E : UnlessOne)
      if (value(E) == 1)
        return false;
    return true;
  }
};

TEST(Symbolic, NeverContradictedBySmallSizes) {
  std::mt19937 Random(1);
  auto Pick = [&](int N) {
    return static_cast<int>(Random() % static_cast<unsigned>(N));
  };
  size_t Questions = 0, Agreed = 0, Open = 0;
  for (int Round = 0; Round < 1500; ++Round) {
    Symbols Table;
    Symbolic Ar(Table);
    std::vector<SymbolId> Ids;
    std::vector<SymExpr> S;
    for (const char *Name : {"A", "B", "C"}) {
      Ids.push_back(Table.fresh(SymbolInfo::Size, Name, true));
      S.push_back(SymExpr::symbol(Ids.back()));
    }
    Dims<SymExpr> Sizes(S.begin(), S.end());
    if (Pick(3) == 0)
      Sizes.push_back(SymExpr(1 + Pick(3)));
    auto L = denseLayout(Ar, Sizes);
    for (int Step = Pick(3); Step > 0; --Step) {
      auto Rank = static_cast<int>(L.rank());
      auto Out = LayoutOutcome<Symbolic>::unknown();
      switch (Pick(4)) {
      case 0:
        Out = transpose(Ar, L, Pick(Rank), Pick(Rank));
        break;
      case 1:
        Out = slice(Ar, L, Pick(Rank), SymExpr(1), std::optional<SymExpr>(),
                    SymExpr(1));
        break;
      case 2:
        Out = unsqueeze(Ar, L, Pick(Rank + 1));
        break;
      default:
        Out = select(Ar, L, Pick(Rank), SymExpr(0));
        break;
      }
      if (Out.ok() && Out->rank() > 1)
        L = *Out;
    }
    // Merge two neighbours, or everything.
    Dims<SymExpr> New;
    size_t At = static_cast<size_t>(Pick(static_cast<int>(L.rank()) - 1));
    bool All = Pick(3) == 0;
    for (size_t D = 0; D < L.rank(); ++D) {
      if (!New.empty() && (All || D == At + 1))
        New.back() = Ar.mul(New.back(), L.Sizes[D]);
      else
        New.push_back(L.Sizes[D]);
    }
    auto Static = computeStride(Ar, L, New);
    auto Contiguous = isContiguous(Ar, L);
    bool AllOk = true, AllFail = true, AllYes = true, AllNo = true;
    for (int64_t A = 0; A <= 4; ++A)
      for (int64_t B = 0; B <= 4; ++B)
        for (int64_t D = 0; D <= 4; ++D) {
          Substitution Sub{Table, {{Ids[0], A}, {Ids[1], B}, {Ids[2], D}}};
          L64 X = Sub.layout(L);
          bool Valid = true;
          for (int64_t N : X.Sizes)
            Valid = Valid && N >= 0;
          if (!Valid) // T - 1 of an empty dimension: slice() would clamp
            continue;
          Dims<int64_t> Y;
          for (const auto &E : New)
            Y.push_back(Sub.value(E));
          bool Works = computeStride(C, X, Y).ok();
          bool Is = isContiguous(C, X).yes();
          // select(0) of an empty dimension would have thrown.
          bool Filled = numel(C, X.Sizes) != 0 && A && B && D;
          if (Static.ok()) {
            EXPECT_TRUE(Works) << listText(C, X.Sizes);
          }
          if (Static.failed() && Filled && Sub.meets(Static.unlessOne())) {
            EXPECT_FALSE(Works)
                << listText(Ar, L.Sizes) << " strides "
                << listText(Ar, L.Strides) << listText(C, X.Sizes) << " as "
                << listText(C, Y);
          }
          if (Contiguous.yes()) {
            EXPECT_TRUE(Is);
          }
          if (Contiguous.no() && Filled && Sub.meets(Contiguous.UnlessOne)) {
            EXPECT_FALSE(Is);
          }
          if (Filled && A > 1 && B > 1 && D > 1) {
            AllOk = AllOk && Works;
            AllFail = AllFail && !Works;
            AllYes = AllYes && Is;
            AllNo = AllNo && !Is;
          }
        }
    Questions += 2;
    Agreed += (AllOk || AllFail) + (AllYes || AllNo);
    Open += ((AllOk || AllFail) && Static.isUnknown()) +
            ((AllYes || AllNo) && Contiguous.unknown());
  }
  EXPECT_GT(Agreed, Questions / 2);
  RecordProperty("open", static_cast<int>(Open));
  RecordProperty("agreed", static_cast<int>(Agreed));
  EXPECT_LE(Open * 20, Agreed) << Open << " of " << Agreed << " left open";
}

/// An operation that a program may do, the same for both arithmetics.
struct Move {
  enum Kind : uint8_t {
    Permute,
    Slice,
    Expand,
    View,
    Select,
    Unsqueeze,
    Narrow,
    Split,
    Unfold,
    Diagonal,
    Pack,
    Flatten,
    Kinds
  } K;
  std::vector<int64_t> Order; ///< permute
  int64_t Dim = 0, Other = 0, Start = 0, Step = 1, Size = 0;
  bool HasEnd = false, All = false;

  /// Random, for a tensor of \p Rank dimensions.
  Move(Kind K, int64_t Rank, std::mt19937 &Random) : K(K) {
    auto Pick = [&](int64_t From, int64_t To) {
      return From + static_cast<int64_t>(Random() %
                                         static_cast<unsigned>(To - From + 1));
    };
    for (int64_t D = 0; D < Rank; ++D)
      Order.push_back(D);
    std::shuffle(Order.begin(), Order.end(), Random);
    // What a view merges, a second dimension must follow.
    Dim = Pick(0, K == View && Rank > 1 ? Rank - 2 : Rank - 1);
    Other = K == Diagonal && Rank > 1 ? (Dim + 1) % Rank : Pick(Dim, Rank - 1);
    Start = Pick(0, 2);
    Step = Pick(1, 3);
    HasEnd = Pick(0, 2) == 0;
    Size = Pick(1, 3);
    All = Pick(0, 2) == 0;
  }

  template <class A>
  LayoutOutcome<A> on(const A &Ar, const Layout<typename A::Int> &L) const {
    using Int = typename A::Int;
    Dims<Int> New;
    switch (K) {
    case Permute:
      return permute(Ar, L, Order);
    case Slice:
      return slice(Ar, L, Dim, Ar.constant(Start),
                   HasEnd ? std::optional<Int>(Ar.constant(Start + Size))
                          : std::nullopt,
                   Ar.constant(Step));
    case Expand: // a new dimension, or one of those there are
      if (All)
        New.push_back(Ar.constant(Size));
      for (size_t D = 0; D < L.rank(); ++D)
        New.push_back(
            Ar.constant(!All && D == static_cast<size_t>(Dim) ? Size : -1));
      return expand(Ar, L, New);
    case View: // neighbours merged, or everything
      for (size_t D = 0; D < L.rank(); ++D)
        if (!New.empty() && (All || D == static_cast<size_t>(Dim) + 1))
          New.back() = Ar.mul(New.back(), L.Sizes[D]);
        else
          New.push_back(L.Sizes[D]);
      return view(Ar, L, New);
    case Select:
      return select(Ar, L, Dim, Ar.constant(0));
    case Unsqueeze:
      return unsqueeze(Ar, L, Dim);
    case Narrow:
      return narrow(Ar, L, Dim, Ar.constant(Start), Ar.constant(Size));
    case Split: // a number and what remains
      New = {Ar.constant(All ? -1 : Size), Ar.constant(All ? Size : -1)};
      return unflatten(Ar, L, Dim, New);
    case Unfold:
      return unfold(Ar, L, Dim, Ar.constant(Size), Ar.constant(Step));
    case Diagonal:
      return diagonal(Ar, L, All, Dim, Other);
    case Pack: // a copy, in one format or the other
      if (auto T =
              formatStrides(Ar, L.Sizes,
                            All || L.rank() != 4 ? MemoryFormat::Contiguous
                                                 : MemoryFormat::ChannelsLast);
          T.ok()) {
        Layout<Int> R;
        R.Sizes = L.Sizes;
        R.Strides = std::move(*T);
        return R;
      }
      break;
    case Flatten:
      if (auto Sizes = flattenSizes(Ar, L, Dim, Other); Sizes.ok())
        return view(Ar, L, *Sizes);
      break;
    case Kinds:
      break;
    }
    return LayoutOutcome<A>::unknown();
  }
  /// Ends before the slice does, which symbols do not.
  bool clamps(const L64 &L) const {
    const int64_t Least = HasEnd ? Start + Size : Start;
    return K == Slice && L.Sizes[static_cast<size_t>(Dim)] < Least;
  }
};

/// Programs of many operations over layouts of up to 4 dimensions, and all
/// sizes from 0 to 3 in place of the symbols.
TEST(Symbolic, ProgramsReplayedWithEverySize) {
  std::mt19937 Random(7);
  auto Pick = [&](unsigned N) { return Random() % N; };
  constexpr const char *Names[] = {"view",   "permute", "slice",      "expand",
                                   "narrow", "split",   "contiguity", "dense"};
  std::map<std::string, std::pair<size_t, size_t>> Agreed; // and left open
  for (int Round = 0; Round < 6000; ++Round) {
    Symbols Table;
    Symbolic Ar(Table);
    std::vector<SymbolId> Ids;
    for (const char *Name : {"A", "B", "C", "D"})
      Ids.push_back(Table.fresh(SymbolInfo::Size, Name, true));
    Dims<SymExpr> Sizes;
    for (unsigned D = 0, Rank = 1 + Pick(4); D < Rank; ++D)
      Sizes.push_back(Pick(4) == 0
                          ? SymExpr(static_cast<int64_t>(1 + Pick(3)))
                          : SymExpr::symbol(Ids[Pick(4) ? D : Pick(4)]));
    const auto Base = denseLayout(Ar, Sizes);
    auto L = Base;
    std::vector<Move> Moves;
    for (unsigned Steps = Pick(4); Steps > 0; --Steps) {
      const Move M(static_cast<Move::Kind>(Pick(Move::Kinds)),
                   static_cast<int64_t>(L.rank()), Random);
      auto Next = M.on(Ar, L);
      if (!Next.ok() || Next->rank() == 0 || Next->rank() > 4)
        continue;
      L = *Next;
      Moves.push_back(M);
    }
    const unsigned Asked = Pick(6);
    const Move Last(Asked == 0   ? Move::View
                    : Asked == 1 ? Move::Permute
                    : Asked == 2 ? Move::Slice
                    : Asked == 3 ? Move::Expand
                    : Asked == 4 ? Move::Narrow
                                 : Move::Split,
                    static_cast<int64_t>(L.rank()), Random);
    const auto Answer = Last.on(Ar, L);
    const auto Format = L.rank() == 4 && Pick(2) ? MemoryFormat::ChannelsLast
                                                 : MemoryFormat::Contiguous;
    const auto InFormat = isContiguous(Ar, L, Format);
    const auto Dense = isNonOverlappingAndDense(Ar, L);
    bool AllOk = true, AllFail = true, AllYes = true, AllNo = true;
    bool AllDense = true, NoneDense = true;
    size_t Runs = 0;
    for (int64_t Code = 0; Code < 256; ++Code) {
      Substitution Sub{Table,
                       {{Ids[0], Code & 3},
                        {Ids[1], Code >> 2 & 3},
                        {Ids[2], Code >> 4 & 3},
                        {Ids[3], Code >> 6 & 3}}};
      // The program itself, with numbers.
      L64 X = denseLayout(C, Sub.layout(Base).Sizes);
      bool Runnable = true;
      for (const Move &M : Moves) {
        auto Next = M.on(C, X);
        Runnable = Next.ok() && !M.clamps(X);
        if (!Runnable)
          break;
        X = *Next;
      }
      if (!Runnable || Last.clamps(X))
        continue;
      const L64 Known = Sub.layout(L);
      const bool Filled = numel(C, X.Sizes) != 0;
      if (!Filled && Known.Sizes != X.Sizes) // windows of nothing
        continue;
      ASSERT_EQ(listText(C, Known.Sizes), listText(C, X.Sizes))
          << listText(Ar, Base.Sizes) << " -> " << listText(Ar, L.Sizes);
      ASSERT_EQ(elements(Known), elements(X));
      const auto Result = Last.on(C, X);
      if (Answer.ok()) {
        const L64 Claimed = Sub.layout(*Answer);
        if (Asked == 0 || Asked == 1) {
          ASSERT_TRUE(Result.ok()) << listText(C, X.Sizes);
        }
        if (Result.ok() && Filled) {
          EXPECT_EQ(listText(C, Claimed.Sizes), listText(C, Result->Sizes))
              << listText(Ar, L.Sizes) << listText(C, X.Sizes);
          EXPECT_EQ(elements(Claimed), elements(*Result));
        }
      }
      if (Answer.failed() && numel(C, X.Sizes) != 0 &&
          Sub.meets(Answer.unlessOne())) {
        EXPECT_TRUE(Result.failed())
            << Names[Asked] << listText(Ar, L.Sizes) << " strides "
            << listText(Ar, L.Strides) << listText(C, X.Sizes);
      }
      const bool Is = isContiguous(C, X, Format).yes();
      // Empty tensors are in no channels-last format, T1.
      if (InFormat.yes() &&
          (Format == MemoryFormat::Contiguous || numel(C, X.Sizes) != 0)) {
        EXPECT_TRUE(Is) << listText(Ar, L.Sizes) << listText(C, X.Sizes);
      }
      if (InFormat.no() && numel(C, X.Sizes) != 0 &&
          Sub.meets(InFormat.UnlessOne)) {
        EXPECT_FALSE(Is) << listText(Ar, L.Sizes) << listText(C, X.Sizes);
      }
      if (Filled) {
        const bool IsDense = isNonOverlappingAndDense(C, X).yes();
        if (Dense.yes()) {
          EXPECT_TRUE(IsDense) << listText(Ar, L.Sizes) << listText(C, X.Sizes);
        }
        if (Dense.no() && Sub.meets(Dense.UnlessOne)) {
          EXPECT_FALSE(IsDense)
              << listText(Ar, L.Sizes) << listText(C, X.Sizes);
        }
        AllDense = AllDense && IsDense;
        NoneDense = NoneDense && !IsDense;
      }
      AllOk = AllOk && Result.ok();
      AllFail = AllFail && !Result.ok();
      AllYes = AllYes && Is;
      AllNo = AllNo && !Is;
      ++Runs;
    }
    if (Runs < 2)
      continue;
    auto Count = [&](const char *Name, bool Same, bool Open) {
      auto &[All, Unknown] = Agreed[Name];
      All += Same;
      Unknown += Same && Open;
    };
    Count(Names[Asked], AllOk || AllFail, Answer.isUnknown());
    Count(Names[6], AllYes || AllNo, InFormat.unknown());
    Count(Names[7], AllDense || NoneDense, Dense.unknown());
  }
  for (const char *Name : Names) {
    const auto [All, Open] = Agreed[Name];
    EXPECT_GT(All, 100u) << Name;
    EXPECT_LE(Open * 20, All)
        << Name << ": " << Open << " of " << All << " left open";
  }
}

TEST(Symbolic, OwnSizesAreAlwaysAView) {
  Symbols Table;
  Symbolic Ar(Table);
  const auto T = SymExpr::symbol(Table.fresh(SymbolInfo::Size, "T", true));
  const auto D = SymExpr::symbol(Table.fresh(SymbolInfo::Size, "D", true));
  // x[::2], whose ceil(T / 2) elements may be one, with a stride of 2.
  const auto Odd = slice(Ar, denseLayout(Ar, {T}), 0, SymExpr(0),
                         std::optional<SymExpr>(), SymExpr(2));
  ASSERT_TRUE(Odd.ok());
  const auto Same = view(Ar, *Odd, {SymExpr(-1)});
  ASSERT_TRUE(Same.ok());
  EXPECT_EQ(listText(Ar, Same->Sizes), listText(Ar, Odd->Sizes));
  EXPECT_EQ(listText(Ar, Same->Strides), "[2]");
  const auto Columns = slice(Ar, denseLayout(Ar, {T, D}), 1, SymExpr(0),
                             std::optional<SymExpr>(), SymExpr(2));
  ASSERT_TRUE(Columns.ok());
  EXPECT_TRUE(view(Ar, *Columns, Columns->Sizes).ok());
  // Not so with any other.
  EXPECT_FALSE(view(Ar, *Columns, {SymExpr(-1)}).ok());
}

// What le() says holds for all small sizes but those it names.
TEST(Symbolic, AtMostIsTriedOnNumbers) {
  Symbols Table;
  Symbolic Ar(Table);
  const auto A = SymExpr::symbol(Table.fresh(SymbolInfo::Size, "a", true));
  const auto B = SymExpr::symbol(Table.fresh(SymbolInfo::Size, "b", true));
  const auto Sum = Ar.asSize(Ar.add(A, B));
  auto Times = [&](int64_t C, const SymExpr &X, const SymExpr &Y) {
    return Ar.mul(SymExpr(C), Ar.mul(X, Y));
  };
  const SymExpr One(1);
  const std::vector<SymExpr> All = {One,
                                    SymExpr(3),
                                    A,
                                    Times(2, A, B),
                                    Times(1, A, B),
                                    Ar.sub(Times(2, A, B), B),
                                    Ar.add(A, B),
                                    Times(1, Sum, B),
                                    Ar.sub(Times(3, A, A), A)};
  unsigned Known = 0;
  for (const SymExpr &X : All)
    for (const SymExpr &Y : All) {
      const auto Is = Ar.le(X, Y);
      Known += !Is.unknown();
      for (int64_t NA = 1; NA < 4; ++NA)
        for (int64_t NB = 1; NB < 4; ++NB) {
          Symbolic With = Ar;
          With.rewrite(*A.asSymbol(), SymExpr(NA));
          With.rewrite(*B.asSymbol(), SymExpr(NB));
          const std::map<SymbolId, SymExpr> Whole{
              {*Sum.asSymbol(), SymExpr(NA + NB)}};
          auto Number = [&](const SymExpr &E) {
            return *With.norm(With.substitute(E, Whole)).constant();
          };
          bool Excepted = false;
          for (const SymExpr &U : Is.UnlessOne)
            Excepted = Excepted || Number(U) == 1;
          if (Is.yes() || (Is.no() && !Excepted))
            EXPECT_EQ(Number(X) <= Number(Y), Is.yes())
                << Ar.str(X) << " <= " << Ar.str(Y) << " at " << NA << ", "
                << NB;
        }
    }
  EXPECT_GT(Known, 40u);
  const auto Rows = Ar.le(Ar.sub(Times(2, A, B), B), Times(1, A, B));
  EXPECT_TRUE(Rows.no());
  ASSERT_EQ(Rows.UnlessOne.size(), 2u);
  EXPECT_EQ(Ar.str(Rows.UnlessOne[0]), "a");
  EXPECT_EQ(Ar.str(Rows.UnlessOne[1]), "a*b");
  // A number that may be 0 is not less than another for certain.
  const auto N = SymExpr::symbol(Table.fresh(SymbolInfo::Integer, "n", true));
  EXPECT_TRUE(Ar.le(Ar.add(A, N), A).unknown());
  EXPECT_TRUE(Ar.le(A, Ar.add(A, N)).unknown());
  EXPECT_TRUE(Ar.le(A, Ar.add(A, N), {*N.asSymbol()}).yes());
}

TEST(Symbolic, AttentionHeads) {
  Symbols Table;
  Symbolic Ar(Table);
  auto Size = [&](const char *N) {
    return SymExpr::symbol(Table.fresh(SymbolInfo::Size, N, true));
  };
  SymExpr B = Size("B"), T = Size("T"), H = Size("H"), D = Size("D"),
          All = Size("C");
  auto Heads = *transpose(Ar, denseLayout(Ar, Dims<SymExpr>{B, H, T, D}), 1, 2);
  // The equal element counts tell what C is.
  EXPECT_TRUE(
      Ar.assumeEqual(numel(Ar, Heads.Sizes), Ar.mul(Ar.mul(B, T), All)));
  EXPECT_EQ(Ar.str(All), "H*D");
  auto V = computeStride(Ar, Heads, Dims<SymExpr>{B, T, All});
  ASSERT_TRUE(V.failed());
  EXPECT_EQ(V.error().AtDims, (std::vector<unsigned>{2, 3}));
  auto Back = *transpose(Ar, Heads, 1, 2);
  EXPECT_TRUE(computeStride(Ar, Back, Dims<SymExpr>{B, H, Ar.mul(T, D)}).ok());
}

// What is asked in vain is noted, and nothing else is.
TEST(Symbolic, OpenQuestions) {
  Symbols Table;
  Symbolic S(Table);
  OpenQuestions Open;
  S.Open = &Open;
  const SymbolId H = Table.fresh(SymbolInfo::Size, "h", true);
  const SymbolId N = Table.fresh(SymbolInfo::Size, "n", true);
  const SymbolId D = Table.fresh(SymbolInfo::Size, "d", true);
  const auto E = [](SymbolId X) { return SymExpr::symbol(X); };
  EXPECT_TRUE(S.eq(S.mul(E(H), E(D)), E(D)).no()); // unless h is 1
  EXPECT_EQ(S.lt(E(D), SymExpr(1)), Truth::No);
  EXPECT_TRUE(Open.Size.empty());
  EXPECT_TRUE(Open.Apart.empty());

  EXPECT_TRUE(S.eq(S.mul(E(D), E(H)), S.mul(E(D), E(N))).unknown());
  EXPECT_EQ(Open.Apart.Strangers, (std::set<Axes::Pair>{{H, N}}));
  EXPECT_EQ(S.lt(SymExpr(5), E(D)), Truth::Unknown);
  EXPECT_EQ(Open.Size.count(D), 1u);

  // Who knows it gets an answer, and a copy asks for itself.
  Symbolic Knows = S;
  Knows.Open = nullptr;
  Knows.assumeAtLeast(D, SymExpr(6));
  EXPECT_EQ(Knows.lt(SymExpr(5), E(D)), Truth::Yes);
  EXPECT_EQ(S.lt(SymExpr(5), E(D)), Truth::Unknown);
  Knows.Apart = &Open.Apart;
  EXPECT_TRUE(Knows.eq(E(H), E(N)).no());
}

TEST(CopyOnWrite, CopiesShareUntilOneChanges) {
  CopyOnWrite<std::map<int, int>> A;
  EXPECT_TRUE(A->empty());
  A.own()[1] = 2;
  CopyOnWrite<std::map<int, int>> B = A;
  EXPECT_EQ(&*A, &*B);
  B.own()[1] = 3;
  EXPECT_EQ(A->at(1), 2);
  EXPECT_EQ(B->at(1), 3);
  EXPECT_TRUE(A != B);
  B.clear();
  EXPECT_TRUE(B->empty());
}

TEST(Symbolic, QuotientsOfWhatTheyDivide) {
  Symbols Table;
  Symbolic Ar(Table);
  auto T = SymExpr::symbol(Table.fresh(SymbolInfo::Size, "T", true));
  EXPECT_TRUE(Ar.eq(Ar.floorDiv(T, SymExpr(2)), T).no());
  EXPECT_EQ(Ar.floorDiv(Ar.mul(T, SymExpr(6)), SymExpr(3)),
            Ar.mul(T, SymExpr(2)));
  // A fact about its own operand does not send an atom in circles.
  auto H = SymExpr::symbol(Table.fresh(SymbolInfo::Size, "H", true));
  auto Q = Ar.floorDiv(T, H);
  EXPECT_TRUE(Ar.assumeEqual(T, Ar.mul(H, Q)));
  EXPECT_EQ(Ar.str(T), "H*(T/H)");
  EXPECT_TRUE(Ar.lt(Ar.mul(T, SymExpr(2)), T) == Truth::No);
}

// Who asks whether heads / kv is 3 knows that kv divides heads. Of a number
// nobody knows that: n / 32 is 3 of 96 to 127.
TEST(Symbolic, QuotientOfSizes) {
  Symbols Table;
  Symbolic Ar(Table);
  const SymExpr Heads = SymExpr::symbol(Table.fresh(SymbolInfo::Size, "heads")),
                Kv = SymExpr::symbol(Table.fresh(SymbolInfo::Size, "kv")),
                N = SymExpr::symbol(Table.fresh(SymbolInfo::Size, "n"));
  EXPECT_TRUE(Ar.assumeEqual(Ar.floorDiv(Heads, Kv), SymExpr(3)));
  EXPECT_TRUE(Ar.eq(Heads, Ar.mul(SymExpr(3), Kv)).yes());
  EXPECT_TRUE(Ar.assumeEqual(Ar.floorDiv(N, SymExpr(32)), SymExpr(3)));
  EXPECT_TRUE(Ar.eq(N, SymExpr(96)).unknown());
}

/// n / k and min(n, m) of any integers, once they are sizes of a tensor that
/// has elements: no answer about its layouts is one that some integers
/// contradict.
TEST(Symbolic, ComputedSizesAreSizes) {
  std::mt19937 Random(7);
  auto Pick = [&](size_t N) { return static_cast<size_t>(Random() % N); };
  size_t Decided = 0, Open = 0;
  for (int Round = 0; Round < 400; ++Round) {
    Symbols Table;
    Symbolic Ar(Table);
    std::vector<SymbolId> Ids;
    std::vector<SymExpr> S;
    for (const char *Name : {"n", "k", "m"}) {
      Ids.push_back(Table.fresh(SymbolInfo::Integer, Name, true));
      S.push_back(SymExpr::symbol(Ids.back()));
    }
    const std::vector<SymExpr> Factors = {
        S[0],
        S[1],
        Ar.floorDiv(S[0], S[1]),
        Ar.ceilDiv(S[0], S[1]),
        Ar.min(S[0], S[2]),
        Ar.max(S[1], S[2]),
        Ar.floorDiv(Ar.mul(S[0], S[2]), S[1])};
    std::vector<SymExpr> Used;
    Dims<SymExpr> Sizes;
    for (int D = 0; D < 3; ++D) {
      SymExpr Size(1);
      for (size_t F = 0, E = 1 + Pick(2); F < E; ++F) {
        Used.push_back(Factors[Pick(Factors.size())]);
        Size = Ar.mul(Size, Used.back());
      }
      Ar.assumeSize(Size);
      Sizes.push_back(Size);
    }
    const size_t A = Pick(3), B = Pick(3);
    const auto L =
        *transpose(Ar, denseLayout(Ar, Sizes), int64_t(A), int64_t(B));
    const auto Packed = isContiguous(Ar, L);
    const auto Equal = Ar.eq(Sizes[A], Sizes[B]);
    const Truth Less = Ar.lt(Sizes[A], Sizes[B]);
    ++(Packed.unknown() ? Open : Decided);
    for (int64_t N = -2; N < 6; ++N)
      for (int64_t K = -2; K < 6; ++K)
        for (int64_t M = -2; M < 6; ++M) {
          Substitution Sub{Table, {{Ids[0], N}, {Ids[1], K}, {Ids[2], M}}};
          bool Sensible = K != 0;
          for (const SymExpr &E : Used)
            Sensible = Sensible && Sub.value(E) >= 1;
          if (!Sensible)
            continue;
          const std::string Where =
              listText(Ar, Sizes) + " n = " + std::to_string(N) +
              " k = " + std::to_string(K) + " m = " + std::to_string(M);
          auto Holds = [&](const Answer<SymExpr> &Said, bool Is) {
            if (Said.yes())
              EXPECT_TRUE(Is) << Where;
            if (Said.no() && Sub.meets(Said.UnlessOne))
              EXPECT_FALSE(Is) << Where;
          };
          const int64_t X = Sub.value(Sizes[A]), Y = Sub.value(Sizes[B]);
          Holds(Packed, isContiguous(C, Sub.layout(L)).yes());
          Holds(Equal, X == Y);
          if (Less != Truth::Unknown)
            EXPECT_EQ(Less == Truth::Yes, X < Y) << Where;
        }
  }
  EXPECT_GT(Decided, Open * 4);
}

//===----------------------------------------------------------------------===//
// "unless H is 1"
//===----------------------------------------------------------------------===//

/// Parts of a row that is a sum: what is said of them holds for all summands
/// that are not negative, but for those that are named.
TEST(Symbolic, SumsAreLongerThanTheirParts) {
  const Concrete C;
  std::mt19937 Random(4);
  auto Pick = [&](size_t N) { return size_t(Random() % N); };
  size_t Open = 0, Decided = 0, Named = 0;
  for (int Round = 0; Round < 600; ++Round) {
    Symbols Table;
    Symbolic Ar(Table);
    std::vector<SymbolId> Ids;
    std::vector<SymExpr> S;
    for (const char *Name : {"n", "q", "k", "d"}) {
      Ids.push_back(Table.fresh(SymbolInfo::Integer, Name, true));
      S.push_back(SymExpr::symbol(Ids.back()));
    }
    const auto &[N, Q, K, D] = std::tie(S[0], S[1], S[2], S[3]);
    const std::vector<SymExpr> Parts = {Q, K, SymExpr(int64_t(Pick(2))),
                                        Ar.mul(D, Q), Ar.mul(D, K)};
    const SymExpr A = Parts[Pick(5)], B = Parts[Pick(5)], E = Parts[Pick(5)];
    const SymExpr Row = Ar.add(Ar.add(A, B), E);
    Dims<SymExpr> Sizes;
    for (const SymExpr &Size : {N, Row}) {
      Ar.assumeSize(Size);
      Sizes.push_back(Ar.asSize(Size));
    }
    const auto Whole = denseLayout(Ar, Sizes);
    auto Part =
        Pick(2) ? narrow(Ar, Whole, 1, A, B)
                : slice(Ar, Whole, 1, A, std::optional<SymExpr>(), SymExpr(1));
    if (!Part.ok())
      continue;
    Ar.assumeSize(Part->Sizes[1]);
    const Dims<SymExpr> Flat(1, Ar.asSize(numel(Ar, Part->Sizes)));
    const auto Viewed = computeStride(Ar, *Part, Flat);
    const auto Packed = isContiguous(Ar, *Part);
    const auto Equal = Ar.eq(Sizes[1], Part->Sizes[1]);
    const Truth Less = Ar.lt(Part->Sizes[1], Sizes[1]);
    ++(Packed.unknown() ? Open : Decided);
    for (const SymExpr &U : Equal.UnlessOne)
      Named += U.terms().size() > 1;
    for (int64_t I = 0; I < 256; ++I) {
      const int64_t V[] = {I & 3, I >> 2 & 3, I >> 4 & 3, I >> 6};
      Substitution Sub{
          Table,
          {{Ids[0], V[0]}, {Ids[1], V[1]}, {Ids[2], V[2]}, {Ids[3], V[3]}}};
      bool Sensible = true; // has elements, and d serves as a size
      for (const auto &Used : Ar.served())
        Sensible = Sensible && (Used.second != Symbolic::Use::Size ||
                                Sub.symbol(Used.first) >= 1);
      Sensible = Sensible && V[0] > 0 && Sub.value(Part->Sizes[1]) > 0;
      if (!Sensible)
        continue;
      const std::string Where = listText(Ar, Part->Sizes) + " of " +
                                listText(Ar, Sizes) +
                                " where n, q, k, d = " + std::to_string(I);
      auto Holds = [&](const Answer<SymExpr> &Said, bool Is) {
        if (Said.yes())
          EXPECT_TRUE(Is) << Where;
        if (Said.no() && Sub.meets(Said.UnlessOne))
          EXPECT_FALSE(Is) << Where;
      };
      const L64 L = Sub.layout(*Part);
      Holds(Packed, isContiguous(C, L).yes());
      Holds(works(Viewed),
            view(C, L, Dims<int64_t>(1, numel(C, L.Sizes))).ok());
      Holds(Equal, Sub.value(Sizes[1]) == L.Sizes[1]);
      if (Less != Truth::Unknown)
        EXPECT_EQ(Less == Truth::Yes, L.Sizes[1] < Sub.value(Sizes[1]))
            << Where;
    }
  }
  EXPECT_GT(Decided, Open * 4);
  EXPECT_GT(Named, 100u);
}

/// Exceptions are exact: with all of them broken the rule's "no" stands, and
/// each of them alone makes a layout the rule admits.
TEST(Exceptions, AreExact) {
  std::mt19937 Random(11);
  auto Pick = [&](unsigned N) { return static_cast<size_t>(Random() % N); };
  unsigned Tried = 0, Products = 0;
  for (unsigned Round = 0; Round < 4000; ++Round) {
    Symbols Table;
    Symbolic Ar(Table);
    std::vector<SymbolId> Names;
    // A dense tensor of which parts are taken, in another order.
    Dims<SymExpr> Sizes;
    for (size_t D = 0, Rank = 2 + Pick(3); D < Rank; ++D) {
      Names.push_back(Table.fresh(SymbolInfo::Size, std::string(1, 'A' + D)));
      Sizes.push_back(SymExpr::symbol(Names.back()));
    }
    Layout<SymExpr> L = denseLayout(Ar, Sizes);
    for (size_t D = 0; D < L.rank(); ++D)
      switch (Pick(5)) {
      case 0: // every second one, or the first half
        L.Strides[D] = Ar.mul(SymExpr(2), L.Strides[D]);
        break;
      case 1:
        for (size_t I = 0; I < D; ++I)
          L.Strides[I] = Ar.mul(SymExpr(2), L.Strides[I]);
        break;
      case 2: // expanded
        L.Strides[D] = SymExpr(0);
        break;
      case 3: {
        const size_t Other = Pick(static_cast<unsigned>(L.rank()));
        std::swap(L.Sizes[D], L.Sizes[Other]);
        std::swap(L.Strides[D], L.Strides[Other]);
        break;
      }
      default:
        break;
      }
    const auto Is = isContiguous(Ar, L);
    if (!Is.no())
      continue;
    auto Fine = [&](const Symbolic &With) { return isContiguous(With, L); };
    const auto Ones = exceptions(Ar, Is.UnlessOne, Fine);
    auto With = [&](const std::map<SymbolId, SymExpr> &Map) {
      L64 R;
      for (size_t D = 0; D < L.rank(); ++D) {
        R.Sizes.push_back(*Ar.known(Ar.substitute(L.Sizes[D], Map)));
        R.Strides.push_back(*Ar.known(Ar.substitute(L.Strides[D], Map)));
      }
      R.Offset = 0;
      return isContiguous(C, R).yes();
    };
    for (const SymExpr &One : Ones) {
      ++Tried;
      Products += !One.asSymbol();
      std::map<SymbolId, SymExpr> Map;
      int64_t Next = 2;
      for (SymbolId S : Names)
        Map[S] = SymExpr(One.contains(S) ? 1 : Next++);
      EXPECT_TRUE(With(Map)) << Ar.str(One);
    }
    for (unsigned Case = 0; Case < 20; ++Case) {
      std::map<SymbolId, SymExpr> Map;
      for (SymbolId S : Names)
        Map[S] = SymExpr(1 + static_cast<int64_t>(Pick(3)));
      bool Excepted = false;
      for (const SymExpr &One : Ones)
        Excepted = Excepted || *Ar.known(Ar.substitute(One, Map)) == 1;
      if (!Excepted) {
        EXPECT_FALSE(With(Map)) << exceptionText(Ar, Ones);
      }
    }
  }
  EXPECT_GT(Tried, 500u);
  EXPECT_GT(Products, 50u);
}

TEST(Exceptions, Text) {
  Symbols Table;
  Symbolic Ar(Table);
  auto Size = [&](const char *Name) {
    return SymExpr::symbol(Table.fresh(SymbolInfo::Size, Name));
  };
  const SymExpr H = Size("H"), T = Size("T"), D = Size("D");
  EXPECT_EQ(exceptionText(Ar, {T, H, Ar.mul(T, D), T}), "H or T is 1");
  EXPECT_EQ(exceptionText(Ar, {Ar.mul(T, D)}), "T*D is 1");
  EXPECT_EQ(exceptionText(Ar, {}), "");
  const SymExpr NoT = Ar.add(T, SymExpr(1)),
                Same = Ar.add(Ar.sub(T, D), SymExpr(1));
  EXPECT_EQ(exceptionText(Ar, {NoT}), "T is 0");
  EXPECT_EQ(exceptionText(Ar, {H, NoT, Same}), "H is 1 or T is 0, or T is D");
  EXPECT_EQ(exceptionText(Ar, {H, D, NoT}), "H or D is 1, or T is 0");
  EXPECT_EQ(exceptionText(Ar, {Ar.mul(H, NoT)}), "H is 1 and T is 0");
}

} // namespace
