//===- GgmlTest.cpp - ggml's dimensions and demands -----------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tables say what ggml 0.21 answers about float tensors: ne, and nb divided
// by the size of an element.
//
//===----------------------------------------------------------------------===//

#include "Layout/Ggml.h"
#include "Layout/Symbolic.h"
#include "gtest/gtest.h"

using namespace tensortidy::layout;
using ggml::Packing;

namespace {

using L64 = Layout<int64_t>;
using Four = std::vector<int64_t>;
const Concrete C;

L64 layout(const Four &Ne, const Four &Nb) {
  L64 L = ggml::packed(C, InlineDims(Ne.begin(), Ne.end()));
  for (size_t I = 0; I < ggml::Rank; ++I)
    L.Strides[ggml::at(I)] = Nb[I];
  return L;
}
Four ne(const L64 &L) {
  InlineDims D = ggml::sizes(C, L);
  return Four(D.begin(), D.end());
}
Four nb(const L64 &L) {
  Four R;
  for (size_t I = 0; I < ggml::Rank; ++I)
    R.push_back(L.Strides[ggml::at(I)]);
  return R;
}

TEST(Ggml, NewTensorsArePacked) {
  EXPECT_EQ(nb(ggml::packed(C, {4, 3, 2})), Four({1, 4, 12, 24}));
  EXPECT_EQ(ne(ggml::packed(C, {4})), Four({4, 1, 1, 1}));
  // An empty dimension makes what lies above it 0.
  EXPECT_EQ(nb(ggml::packed(C, {4, 0, 2})), Four({1, 4, 0, 0}));
}

TEST(Ggml, PermuteNamesDestinations) {
  L64 X = ggml::packed(C, {2, 3, 5, 7});
  auto P = ggml::permute(C, X, {1, 2, 0, 3});
  ASSERT_TRUE(P.ok());
  EXPECT_EQ(ne(*P), Four({5, 2, 3, 7}));
  EXPECT_EQ(nb(*P), Four({6, 1, 2, 30}));
  auto Back = ggml::permute(C, *P, {2, 0, 1, 3});
  EXPECT_EQ(ne(*Back), Four({2, 3, 5, 7}));
  EXPECT_EQ(nb(*Back), nb(X));
  EXPECT_TRUE(ggml::permute(C, X, {0, 1, 1, 3}).failed());
  EXPECT_TRUE(ggml::permute(C, X, {0, 1, 4, 3}).failed());
  EXPECT_TRUE(ggml::permute(C, X, {0, 1}).failed());
}

TEST(Ggml, ViewsHaveDenseRowsAndTheirOwnStrides) {
  L64 X = ggml::packed(C, {8, 6});
  L64 T = *ggml::permute(C, X, {1, 0, 2, 3}); // ne 6 8, nb 8 1
  L64 V = ggml::view(C, T, {3, 2}, {20}, 5);
  EXPECT_EQ(ne(V), Four({3, 2, 1, 1}));
  EXPECT_EQ(nb(V), Four({1, 20, 40, 40})); // nb[0] of T is forgotten
  EXPECT_EQ(V.Offset, 5);
  EXPECT_EQ(nb(ggml::view(C, X, {4}, {}, 0)), Four({1, 4, 4, 4}));
  EXPECT_EQ(nb(ggml::view(C, X, {2, 2, 3}, {8, 2}, 0)), Four({1, 8, 2, 6}));
}

TEST(Ggml, Packings) {
  struct Row {
    Four Ne, Nb;
    bool Contiguous, Contiguous1, Rows, Transposed;
  };
  const Row Table[] = {
      {{4, 3, 2, 1}, {1, 4, 12, 24}, true, true, true, false},
      {{4, 3, 2, 1}, {1, 9, 27, 54}, false, true, true, false},  // padded rows
      {{4, 2, 3, 1}, {1, 12, 4, 24}, false, false, true, false}, // permuted
      {{3, 4, 1, 1}, {4, 1, 12, 12}, false, false, false, true}, // transposed
      // Sizes of 1: contiguous, and transposed all the same.
      {{1, 3, 1, 1}, {3, 1, 3, 3}, true, true, true, true},
      // A dimension of size 1 restarts the walk of _1: _0 does not imply it.
      {{4, 1, 2, 1}, {1, 999, 4, 8}, true, false, true, false},
      {{4, 3, 1, 2}, {1, 4, 999, 12}, true, true, true, false},
      // No exception for tensors without elements.
      {{4, 0, 2, 1}, {1, 4, 0, 0}, true, true, true, false},
      {{4, 0, 2, 1}, {1, 4, 8, 16}, false, false, true, false},
  };
  for (const Row &R : Table) {
    L64 L = layout(R.Ne, R.Nb);
    auto Is = [&](Packing P) { return ggml::isPacked(C, L, P).yes(); };
    SCOPED_TRACE(&R - Table);
    EXPECT_EQ(Is(Packing::Contiguous), R.Contiguous);
    EXPECT_EQ(Is(Packing::Contiguous1), R.Contiguous1);
    EXPECT_EQ(Is(Packing::Rows), R.Rows);
    EXPECT_EQ(Is(Packing::NotTransposed), !R.Transposed);
  }
  EXPECT_TRUE(
      ggml::isPacked(C, layout({4, 3, 2, 1}, {1, 9, 27, 54}), Packing::Padded)
          .yes());
  EXPECT_TRUE(
      ggml::isPacked(C, layout({4, 3, 1, 1}, {1, 9, 30, 30}), Packing::Padded)
          .no());
}

TEST(Ggml, SymbolicAnswersNameTheirConditions) {
  Symbols Table;
  Symbolic Ar(Table);
  auto Size = [&](const char *N) {
    return SymExpr::symbol(Table.fresh(SymbolInfo::Size, N, true));
  };
  SymExpr D = Size("D"), H = Size("H"), T = Size("T");
  auto X = ggml::packed(Ar, {D, H, T});
  EXPECT_TRUE(ggml::isPacked(Ar, X, Packing::Contiguous).yes());
  auto P = ggml::permute(Ar, X, {0, 2, 1, 3}); // ne D T H
  auto A = ggml::isPacked(Ar, *P, Packing::Contiguous);
  EXPECT_TRUE(A.no());
  EXPECT_FALSE(A.UnlessOne.empty());
  EXPECT_TRUE(ggml::isPacked(Ar, *P, Packing::Rows).yes());
  EXPECT_TRUE(ggml::isPacked(Ar, *P, Packing::NotTransposed).yes());
  auto Turned = ggml::permute(Ar, X, {1, 0, 2, 3});
  EXPECT_TRUE(ggml::isPacked(Ar, *Turned, Packing::Rows).no());
  auto N = ggml::isPacked(Ar, *Turned, Packing::NotTransposed);
  EXPECT_TRUE(N.no());
  ASSERT_EQ(N.UnlessOne.size(), 1u);
  EXPECT_EQ(Ar.str(N.UnlessOne[0]), "D");
  // Strides nobody knows.
  auto V = ggml::view(Ar, X, {D, H},
                      {SymExpr::symbol(Table.fresh(SymbolInfo::Stride, "s"))},
                      SymExpr(0));
  EXPECT_TRUE(ggml::isPacked(Ar, V, Packing::Contiguous).unknown());
  EXPECT_TRUE(ggml::isPacked(Ar, V, Packing::Contiguous1).yes());
}

} // namespace
