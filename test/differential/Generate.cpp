//===- Generate.cpp - random parameters -----------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generate.h"

#include <algorithm>

namespace differential {

int64_t Gen::upTo(int64_t N) {
  return N <= 0 ? 0 : static_cast<int64_t>(Engine() % static_cast<uint64_t>(N));
}
int64_t Gen::size() {
  static const int64_t S[] = {0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6};
  return S[upTo(14)];
}
int64_t Gen::dim(int64_t Rank) {
  if (wrong())
    return between(-Rank - 2, Rank + 1);
  const int64_t N = Rank == 0 ? 1 : Rank;
  return between(-N, N - 1);
}
Ints Gen::sizes(int64_t Rank, int64_t Most) {
  while (true) {
    Ints R;
    int64_t N = 1;
    for (int64_t D = 0; D < Rank; ++D) {
      R.push_back(size());
      N *= std::max<int64_t>(R.back(), 1);
    }
    if (N <= Most)
      return R;
  }
}
int64_t Gen::rank() {
  static const int64_t R[] = {0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5};
  return R[upTo(15)];
}
Ints Gen::factors(int64_t N) {
  Ints R;
  if (N == 0) {
    R = sizes(between(1, 3));
    if (!R.empty())
      R[static_cast<size_t>(upTo(static_cast<int64_t>(R.size())))] = 0;
    return R;
  }
  while (N > 1) {
    Ints D;
    for (int64_t K = 2; K <= N; ++K)
      if (N % K == 0)
        D.push_back(K);
    const int64_t F =
        D[static_cast<size_t>(upTo(static_cast<int64_t>(D.size())))];
    R.push_back(F);
    N /= F;
  }
  while (chance(25))
    R.insert(R.begin() + upTo(static_cast<int64_t>(R.size()) + 1), 1);
  return R;
}
Ints Gen::viewSizes(const tt::Tensor &X) {
  Ints S = X.sizes().vec();
  if (chance(40)) {
    S = factors(X.numel());
  } else {
    for (int64_t Times = between(1, 3); Times > 0; --Times) {
      if (S.size() > 1 && chance(60)) {
        const auto D =
            static_cast<size_t>(upTo(static_cast<int64_t>(S.size()) - 1));
        S[D] *= S[D + 1];
        S.erase(S.begin() + static_cast<long>(D) + 1);
      } else if (!S.empty()) {
        const auto D =
            static_cast<size_t>(upTo(static_cast<int64_t>(S.size())));
        if (S[D] % 2 == 0 && S[D] > 0) {
          S[D] /= 2;
          S.insert(S.begin() + static_cast<long>(D), 2);
        } else if (chance(50)) {
          S.insert(S.begin() + static_cast<long>(D), 1);
        }
      }
    }
  }
  if (!S.empty() && chance(30))
    S[static_cast<size_t>(upTo(static_cast<int64_t>(S.size())))] = -1;
  if (wrong() && !S.empty())
    S[static_cast<size_t>(upTo(static_cast<int64_t>(S.size())))] =
        between(-2, 4);
  return S;
}
int Gen::type() {
  static const int T[] = {6, 6, 6, 6, 6, 6, 6, 6, 6, 6,  6, 6, 7,
                          7, 7, 4, 4, 4, 3, 2, 1, 0, 11, 5, 15};
  return T[upTo(25)];
}
int Gen::any() {
  if (Tensors->empty())
    return -1;
  auto It = Tensors->begin();
  std::advance(It, upTo(static_cast<int64_t>(Tensors->size())));
  return It->first;
}

static const tt::Tensor &operand(Gen &G, const Step &S) {
  return G.at(S.In[0]);
}

void genNothing(Gen &, Step &) {}
void genMake(Gen &G, Step &S) {
  S.L[0] = G.sizes(G.rank());
  S.Type = G.type();
  if (S.L[0].size() == 4 && G.chance(40))
    S.Format = 2;
  if (S.L[0].size() == 5 && G.chance(40))
    S.Format = 3;
}
void genSizes(Gen &G, Step &S) {
  S.L[0] = G.sizes(G.rank());
  if (G.wrong() && !S.L[0].empty())
    S.L[0][0] = -1;
  S.Type = G.type();
  S.Number = static_cast<double>(G.between(0, 5));
  S.Format = G.chance(20) ? static_cast<int>(G.upTo(4)) : 0;
}
void genStrided(Gen &G, Step &S) {
  S.L[0] = G.sizes(G.between(0, 3));
  for (size_t K = 0; K < S.L[0].size(); ++K)
    S.L[1].push_back(G.between(0, 8));
  if (G.wrong())
    S.L[1].push_back(1);
}
void genDims(Gen &G, Step &S) {
  const int64_t N = operand(G, S).dim();
  S.I[0] = G.dim(N);
  S.I[1] = G.dim(N);
}
void genDim(Gen &G, Step &S) {
  S.I[0] = G.dim(operand(G, S).dim());
  S.I[1] = G.upTo(2);
}
void genPermutation(Gen &G, Step &S) {
  const int64_t N = operand(G, S).dim();
  for (int64_t D = 0; D < N; ++D)
    S.L[0].push_back(G.chance(20) ? D - N : D);
  std::shuffle(S.L[0].begin(), S.L[0].end(), G.Engine);
  if (G.wrong() && N > 0)
    S.L[0][0] = G.between(-N - 1, N);
  if (G.chance(2))
    S.L[0].push_back(0);
}
void genView(Gen &G, Step &S) { S.L[0] = G.viewSizes(operand(G, S)); }
void genType(Gen &G, Step &S) {
  static const int T[] = {0, 1, 2, 3, 4, 6, 7, 5, 11, 15};
  S.Type = T[G.upTo(10)];
}
void genMoveDims(Gen &G, Step &S) {
  const int64_t N = operand(G, S).dim();
  Ints All;
  for (int64_t D = 0; D < N; ++D)
    All.push_back(D);
  for (auto *L : {&S.L[0], &S.L[1]}) {
    std::shuffle(All.begin(), All.end(), G.Engine);
    *L = All;
  }
  const auto Keep = static_cast<size_t>(G.between(0, N));
  S.L[0].resize(Keep);
  S.L[1].resize(Keep);
  if (G.wrong())
    S.L[0].push_back(G.dim(N));
  if (G.wrong() && !S.L[1].empty())
    S.L[1][0] = G.dim(N);
}
static int64_t sizeAt(const tt::Tensor &X, int64_t Dim) {
  const int64_t N = X.dim();
  if (Dim < 0)
    Dim += N;
  return Dim < 0 || Dim >= N ? 1 : X.size(Dim);
}
/// libtorch reads the size of a dimension that is not there, and refuses
/// booleans depending on it.
void genDimOfMost(Gen &G, Step &S) {
  genDim(G, S);
  const auto &X = operand(G, S);
  if (X.dim() == 0 && X.scalar_type() == tt::kBool)
    S.In[0] = -1;
}
static bool isExpanded(const tt::Tensor &X) {
  for (int64_t D = 0; D < X.dim(); ++D)
    if (X.size(D) > 1 && X.stride(D) == 0)
      return true;
  return false;
}
/// libtorch 1.13 gives zeros for an expanded tensor: not asked for.
void genMedian(Gen &G, Step &S) {
  genDim(G, S);
  if (isExpanded(operand(G, S)))
    S.In[0] = -1;
}
void genSelect(Gen &G, Step &S) {
  genDim(G, S);
  const int64_t N = sizeAt(operand(G, S), S.I[0]);
  S.I[1] = G.wrong() ? G.between(-N - 1, N) : G.between(-N, N - 1);
}
void genNarrow(Gen &G, Step &S) {
  genDim(G, S);
  const int64_t N = sizeAt(operand(G, S), S.I[0]);
  S.I[1] = G.between(G.chance(20) ? -N : 0, N);
  const int64_t Start = S.I[1] < 0 ? S.I[1] + N : S.I[1];
  S.I[2] = G.between(0, N - Start);
  if (G.wrong())
    S.I[G.between(1, 2)] = G.between(-N - 1, N + 1);
}
void genSlice(Gen &G, Step &S) {
  genDim(G, S);
  const int64_t N = sizeAt(operand(G, S), S.I[0]);
  S.Has[0] = G.chance(85);
  S.Has[1] = G.chance(70);
  S.I[1] = G.between(-N - 1, N + 1);
  if (G.chance(50))
    S.I[1] = G.between(0, 1);
  S.I[2] = G.between(-N - 1, N + 2);
  S.I[3] = G.wrong() ? G.between(-1, 0) : G.between(1, 3);
}
void genExpand(Gen &G, Step &S) {
  const auto &X = operand(G, S);
  S.L[0] = X.sizes().vec();
  for (auto &V : S.L[0]) {
    if (V == 1 && G.chance(70))
      V = G.size();
    else if (G.chance(20))
      V = -1;
    if (G.chance(2))
      V = G.between(-2, 4);
  }
  while (G.chance(30) && S.L[0].size() < 5)
    S.L[0].insert(S.L[0].begin(), G.size());
  if (G.chance(2))
    S.L[0].insert(S.L[0].begin(), -1);
  if (G.chance(2) && !S.L[0].empty())
    S.L[0].erase(S.L[0].begin());
}
void genUnsqueeze(Gen &G, Step &S) { S.I[0] = G.dim(operand(G, S).dim() + 1); }
void genUnfold(Gen &G, Step &S) {
  genDim(G, S);
  const int64_t N = sizeAt(operand(G, S), S.I[0]);
  S.I[1] = G.wrong() ? G.between(0, N + 1) : G.between(0, N);
  S.I[2] = G.wrong() ? G.between(-1, 0) : G.between(1, 3);
}
void genUnflatten(Gen &G, Step &S) {
  genDim(G, S);
  const auto &X = operand(G, S);
  S.L[0] = G.factors(sizeAt(X, S.I[0]));
  if (S.L[0].empty() && G.chance(90))
    S.L[0] = {1};
  if (!S.L[0].empty() && G.chance(30))
    S.L[0][0] = -1;
  if (G.wrong())
    S.L[0].push_back(G.between(-2, 3));
}
void genDiagonal(Gen &G, Step &S) {
  const int64_t N = operand(G, S).dim();
  S.I[0] = G.between(-3, 3);
  S.I[1] = G.dim(N);
  S.I[2] = G.dim(N);
  if (S.I[1] == S.I[2] && N > 1 && !G.wrong())
    S.I[2] = S.I[1] == 0 ? 1 : 0;
}
void genAsStrided(Gen &G, Step &S) {
  S.L[0] = G.sizes(G.between(0, 3), 60);
  for (size_t K = 0; K < S.L[0].size(); ++K)
    S.L[1].push_back(G.chance(3) ? -1 : G.between(0, 6));
  if (G.chance(3))
    S.L[1].push_back(1);
  S.Has[0] = G.chance(60);
  S.I[0] = G.chance(3) ? -1 : G.between(0, 4);
}
void genSplit(Gen &G, Step &S) {
  genDim(G, S);
  const int64_t N = sizeAt(operand(G, S), S.I[0]);
  S.I[1] = G.wrong() ? G.between(-1, 0) : G.between(1, N + 1);
}
void genSplitSizes(Gen &G, Step &S) {
  genDim(G, S);
  int64_t N = sizeAt(operand(G, S), S.I[0]);
  while (N > 0 && S.L[0].size() < 7) {
    S.L[0].push_back(G.between(0, N));
    N -= S.L[0].back();
  }
  if (N > 0)
    S.L[0].push_back(N);
  if (G.wrong())
    S.L[0].push_back(G.between(-1, 1));
}
void genIndices(Gen &G, Step &S) {
  genDim(G, S);
  const int64_t N = sizeAt(operand(G, S), S.I[0]);
  for (int64_t K = G.between(0, 3); K > 0; --K)
    S.L[0].push_back(G.between(-N - 1, N + 1));
}
void genFlatten(Gen &G, Step &S) {
  const int64_t N = operand(G, S).dim();
  S.I[0] = G.dim(N);
  S.I[1] = G.dim(N);
  auto Wrap = [&](int64_t D) { return D < 0 ? D + N : D; };
  if (Wrap(S.I[0]) > Wrap(S.I[1]) && !G.wrong())
    std::swap(S.I[0], S.I[1]);
}
void genFormat(Gen &G, Step &S) {
  const int64_t N = operand(G, S).dim();
  S.Format = static_cast<int>(G.chance(4) ? G.upTo(4)
                              : N == 4    ? 2 * G.upTo(2)
                              : N == 5    ? 3 * G.upTo(2)
                                          : 0);
  if (G.chance(15))
    S.Format = 1;
  S.I[0] = G.chance(20); // copy
}
void genRepeat(Gen &G, Step &S) {
  const int64_t N = operand(G, S).dim();
  for (int64_t K = N + G.upTo(2); K > 0; --K)
    S.L[0].push_back(G.between(G.wrong() ? -1 : 0, 2));
  if (G.wrong() && !S.L[0].empty())
    S.L[0].pop_back();
}
void genSomeDims(Gen &G, Step &S) {
  const int64_t N = operand(G, S).dim();
  for (int64_t D = 0; D < N; ++D)
    if (G.chance(45))
      S.L[0].push_back(G.chance(30) ? D - N : D);
  std::shuffle(S.L[0].begin(), S.L[0].end(), G.Engine);
  if (G.wrong())
    S.L[0].push_back(G.dim(N));
  S.I[0] = G.upTo(2);
}
void genRoll(Gen &G, Step &S) {
  const int64_t N = operand(G, S).dim();
  for (int64_t K = G.between(1, 2); K > 0; --K) {
    S.L[0].push_back(G.between(-4, 4));
    S.L[1].push_back(G.dim(N));
  }
  if (G.chance(20))
    S.L[1].clear();
  if (G.wrong())
    S.L[0].push_back(1);
}
void genDiagonalOnly(Gen &G, Step &S) { S.I[0] = G.between(-3, 3); }
/// In place libtorch copies some batches first, and only then looks for
/// elements that overlap.
void genTriangle(Gen &G, Step &S) {
  genDiagonalOnly(G, S);
  const auto &X = operand(G, S);
  if (X.dim() > 3 && isExpanded(X))
    S.In[0] = -1;
}
void genNumber(Gen &G, Step &S) {
  S.Number = G.chance(70) ? static_cast<double>(G.between(-3, 4))
                          : static_cast<double>(G.between(-6, 6)) / 4;
  S.I[0] = static_cast<int64_t>(S.Number);
}
void genDimTensor(Gen &G, Step &S) {
  genDim(G, S);
  const int64_t N = sizeAt(operand(G, S), S.I[0]);
  for (int64_t K = operand(G, S).dim() ? G.between(0, 4) : 1; K > 0; --K)
    S.L[2].push_back(G.chance(2) ? N : G.upTo(std::max<int64_t>(N, 1)));
  S.L[1] = {static_cast<int64_t>(S.L[2].size())};
}
/// An index tensor of the operand's rank.
void genGather(Gen &G, Step &S) {
  genDim(G, S);
  const auto &X = operand(G, S);
  const int64_t N = sizeAt(X, S.I[0]);
  int64_t Count = 1;
  for (int64_t D = 0; D < X.dim(); ++D) {
    S.L[1].push_back(G.between(0, std::min<int64_t>(X.size(D), 3)));
    if (G.chance(2))
      S.L[1].back() = X.size(D) + 1;
    Count *= S.L[1].back();
  }
  if (G.wrong() && !S.L[1].empty()) {
    Count = S.L[1][0];
    S.L[1].resize(1);
  }
  for (int64_t K = 0; K < Count; ++K)
    S.L[2].push_back(G.chance(1) ? N : G.upTo(std::max<int64_t>(N, 1)));
}
void genBasicIndex(Gen &G, Step &S) {
  const auto &X = operand(G, S);
  bool Dots = false;
  int64_t D = 0;
  const int64_t Entries = G.between(1, X.dim() + 1);
  for (int64_t K = 0; K < Entries && D < X.dim() + (G.wrong() ? 1 : 0); ++K) {
    const int64_t N = D < X.dim() ? X.size(D) : 1;
    int64_t Kind = G.upTo(5);
    if (Kind == 3 && Dots)
      Kind = 2;
    // Of a number libtorch reads a size that is not there.
    if (X.dim() == 0 && (Kind == 1 || Kind == 2))
      Kind = 0;
    int64_t A = 0, B = 0, C = 1;
    if (Kind == 0)
      A = G.wrong() ? G.between(-N - 1, N) : G.between(-N, N - 1);
    if (Kind == 1) {
      A = G.between(-N, N);
      B = G.between(-N, N + 1);
      C = G.wrong() ? 0 : G.between(1, 2);
    }
    S.L[0].insert(S.L[0].end(), {Kind, A, B, C});
    if (Kind == 3) {
      Dots = true;
      break;
    }
    if (Kind != 4)
      ++D;
  }
  if (S.L[0].empty())
    S.L[0] = {3, 0, 0, 1};
}
/// As before, with index tensors among them.
void genTensorIndex(Gen &G, Step &S) {
  const auto &X = operand(G, S);
  int Tensors = 0;
  int64_t Least = 1000;
  for (int64_t D = 0; D < X.dim(); ++D) {
    const int64_t Kind = G.upTo(10);
    int64_t A = 0, B = 0, C = 1;
    if (Kind < 4 || (D + 1 == X.dim() && Tensors == 0)) {
      S.L[0].insert(S.L[0].end(), {5, 0, 0, 0});
      Least = std::min(Least, X.size(D));
      ++Tensors;
      continue;
    }
    if (Kind == 4 && X.size(D) > 0) {
      A = G.upTo(X.size(D));
      S.L[0].insert(S.L[0].end(), {0, A, B, C});
    } else if (Kind == 5) {
      A = G.between(0, X.size(D));
      B = G.between(0, X.size(D));
      S.L[0].insert(S.L[0].end(), {1, A, B, C});
    } else if (Kind == 6) {
      S.L[0].insert(S.L[0].end(), {4, 0, 0, 0});
      --D;
    } else {
      S.L[0].insert(S.L[0].end(), {2, 0, 0, 0});
    }
    if (S.L[0].size() > 24)
      break;
  }
  S.L[1] = G.sizes(G.between(0, 2), 6);
  int64_t Count = 1;
  for (int64_t V : S.L[1])
    Count *= V;
  for (int64_t K = 0; K < Count; ++K)
    S.L[2].push_back(
        G.chance(1) ? Least : G.between(G.chance(20) ? -Least : 0, Least - 1));
}
/// A second operand: any tensor, sizes made to fit one time in two.
void genBinary(Gen &G, Step &S) {
  const auto &X = operand(G, S);
  auto Fits = [&](const tt::Tensor &Y) {
    for (int64_t D = 1; D <= std::min(X.dim(), Y.dim()); ++D)
      if (X.size(-D) != Y.size(-D) && X.size(-D) != 1 && Y.size(-D) != 1)
        return false;
    return true;
  };
  S.In[1] = G.chance(90) ? G.any(Fits) : G.any();
  S.Number = static_cast<double>(G.between(1, 3));
  S.I[0] = G.between(1, 3);
}
void genTernary(Gen &G, Step &S) {
  genBinary(G, S);
  S.In[2] = G.chance(50) ? S.In[0] : G.any();
}
/// Tensors of equal sizes, for cat and stack.
void genJoin(Gen &G, Step &S) {
  const auto &X = operand(G, S);
  genDim(G, S);
  auto Same = [&](const tt::Tensor &Y) {
    if (Y.dim() != X.dim())
      return false;
    for (int64_t D = 0; D < X.dim(); ++D)
      if (X.size(D) != Y.size(D) && D != S.I[0])
        return false;
    return true;
  };
  S.In[1] = G.any(Same);
  S.In[2] = G.any(Same);
  S.I[1] = G.between(1, 3);
}
void genStack(Gen &G, Step &S) {
  genJoin(G, S);
  S.I[0] = G.dim(operand(G, S).dim() + 1);
}
void genProduct(Gen &G, Step &S) {
  const auto &X = operand(G, S);
  auto Fits = [&](const tt::Tensor &Y) {
    return X.dim() > 0 && Y.dim() > 0 && X.scalar_type() == Y.scalar_type() &&
           X.size(-1) == Y.size(Y.dim() > 1 ? -2 : -1);
  };
  S.In[1] = G.any(Fits);
  S.In[2] = G.any();
}
void genSame(Gen &G, Step &S) {
  const auto &X = operand(G, S);
  S.In[1] = G.any([&](const tt::Tensor &Y) { return Y.sizes() == X.sizes(); });
}
void genResize(Gen &G, Step &S) {
  S.L[0] = G.sizes(G.rank(), 60);
  if (G.chance(20))
    S.L[0] = operand(G, S).sizes().vec();
}
/// libtorch 1.13 changes the strides of an overlapping tensor to the format's
/// when its sizes stay, but does not enlarge the storage: not asked for.
void genResizeFormat(Gen &G, Step &S) {
  genResize(G, S);
  const auto &X = operand(G, S);
  if (X.sizes().vec() == S.L[0] && !X.is_non_overlapping_and_dense())
    S.L[0].push_back(2);
  S.Format = S.L[0].size() == 4 ? 2 : S.L[0].size() == 5 ? 3 : 0;
}
void genLastSizes(Gen &G, Step &S) {
  const auto &X = operand(G, S);
  for (int64_t D = G.upTo(std::max<int64_t>(X.dim(), 1)); D < X.dim(); ++D)
    S.L[0].push_back(X.size(D));
  if (G.wrong())
    S.L[0].push_back(2);
}

void genNumbers(Gen &G, Step &S) {
  S.I[0] = G.between(-1, 6);
  S.I[1] = G.between(G.wrong() ? -2 : 0, 7);
  S.I[2] = G.between(G.wrong() ? -1 : 0, 4);
  S.Type = G.type();
  if (S.Type == static_cast<int>(tt::kBool))
    S.Type = static_cast<int>(tt::kLong);
}
void genTake(Gen &G, Step &S) {
  const int64_t N = operand(G, S).numel();
  S.L[1] = G.sizes(G.between(0, 2), 6);
  int64_t Count = 1;
  for (int64_t V : S.L[1])
    Count *= V;
  for (int64_t K = 0; K < Count; ++K)
    S.L[2].push_back(G.chance(1) ? N : G.between(-N, N - 1));
}
/// A mask over leading dimensions.
void genMask(Gen &G, Step &S) {
  const auto &X = operand(G, S);
  S.In[1] = G.any([&](const tt::Tensor &Y) {
    if (Y.dim() > X.dim() || Y.dim() == 0)
      return false;
    for (int64_t D = 0; D < Y.dim(); ++D)
      if (Y.size(D) != X.size(D))
        return false;
    return true;
  });
}
static void genOfRank(Gen &G, Step &S, int64_t Rank) {
  auto IsFit = [&](const tt::Tensor &Y) { return Y.dim() == Rank; };
  S.In[0] = G.any(IsFit);
  const auto &X = operand(G, S);
  S.In[1] = G.any([&](const tt::Tensor &Y) {
    return X.dim() == Rank && IsFit(Y) && Y.scalar_type() == X.scalar_type() &&
           X.size(-1) == Y.size(-2);
  });
  S.In[2] = G.any([&](const tt::Tensor &Y) {
    return Y.dim() <= Rank && Y.scalar_type() == X.scalar_type();
  });
}
void genMatrices(Gen &G, Step &S) { genOfRank(G, S, 2); }
/// The batches decide the type: the third operand is no infinity that becomes
/// an integer.
void genBatches(Gen &G, Step &S) {
  genOfRank(G, S, 3);
  if (!tt::isFloatingType(operand(G, S).scalar_type()) &&
      tt::isFloatingType(G.at(S.In[2]).scalar_type()))
    S.In[2] = -1;
}
/// Square matrices of one size, often one tensor.
void genSquare(Gen &G, Step &S) {
  S.In[0] = G.any([](const tt::Tensor &Y) {
    return Y.dim() == 2 && Y.size(0) == Y.size(1);
  });
  const auto &X = operand(G, S);
  for (int K : {1, 2})
    S.In[K] = G.any([&](const tt::Tensor &Y) {
      return Y.sizes() == X.sizes() && Y.scalar_type() == X.scalar_type();
    });
}
/// x, y, z for x.addmm_(y, z). It depends on the processor whether the BLAS
/// reads an operand before it writes there.
void genSquares(Gen &G, Step &S) {
  genSquare(G, S);
  const auto &X = operand(G, S);
  for (int K : {1, 2}) {
    S.In[K] = G.any([&](const tt::Tensor &Y) {
      return Y.sizes() == X.sizes() && Y.scalar_type() == X.scalar_type() &&
             !Y.is_alias_of(X);
    });
    if (X.is_alias_of(G.at(S.In[K])))
      S.In[K] = -1;
  }
}
void genPut(Gen &G, Step &S) {
  genTensorIndex(G, S);
  const auto Type = operand(G, S).scalar_type();
  S.In[1] = G.any([&](const tt::Tensor &Y) {
    return Y.scalar_type() == Type && (Y.dim() == 0 || Y.numel() == 1);
  });
  // Which of two values for one place remains is libtorch's secret.
  if (G.at(S.In[1]).numel() > 1) {
    Ints Places = S.L[2];
    std::sort(Places.begin(), Places.end());
    if ((!Places.empty() && Places[0] < 0) ||
        std::adjacent_find(Places.begin(), Places.end()) != Places.end())
      S.In[1] = -1;
  }
}
void genScatter(Gen &G, Step &S) {
  genGather(G, S);
  const auto &X = operand(G, S);
  S.In[1] = G.any([&](const tt::Tensor &Y) {
    return Y.scalar_type() == X.scalar_type() && Y.dim() == X.dim();
  });
}
void genDimPut(Gen &G, Step &S) {
  const auto &X = operand(G, S);
  S.In[1] = G.any([&](const tt::Tensor &Y) {
    if (Y.scalar_type() != X.scalar_type() || Y.dim() != X.dim())
      return false;
    int64_t Differ = 0;
    for (int64_t D = 0; D < X.dim(); ++D)
      Differ += X.size(D) != Y.size(D);
    return Differ < 2;
  });
  genDimTensor(G, S);
  const auto &Y = G.at(S.In[1]);
  for (int64_t D = 0; D < std::min(X.dim(), Y.dim()); ++D)
    if (X.size(D) != Y.size(D))
      S.I[0] = D;
  const int64_t N = sizeAt(X, S.I[0]);
  const int64_t Count = sizeAt(Y, S.I[0]);
  if (!G.wrong()) {
    S.L[2].clear();
    for (int64_t K = 0; K < Count; ++K)
      S.L[2].push_back(G.chance(1) ? N : G.upTo(std::max<int64_t>(N, 1)));
    S.L[1] = {Count};
  }
  // Rows that overlap are written in no certain order.
  if (X.is_alias_of(Y) && !X.is_non_overlapping_and_dense())
    S.In[0] = -1;
}
void genSameType(Gen &G, Step &S) {
  const auto Type = operand(G, S).scalar_type();
  auto IsFit = [&](const tt::Tensor &Y) { return Y.scalar_type() == Type; };
  S.In[1] = G.any(IsFit);
  if (!IsFit(G.at(S.In[1])))
    S.In[1] = S.In[0];
}
void genOneDim(Gen &G, Step &S) {
  S.L[0] = {G.dim(operand(G, S).dim())};
  S.I[0] = G.upTo(2);
}
void genExponent(Gen &G, Step &S) { S.I[0] = G.between(G.wrong() ? -2 : 0, 3); }
/// Images of the given number of spatial dimensions; L[1] is the weights'
/// shape, L[0] stride, padding, dilation and another padding, I[0] the groups.
static void genConv(Gen &G, Step &S, int64_t Spatial) {
  S.In[0] = G.any([&](const tt::Tensor &Y) {
    return (Y.dim() == Spatial + 2 || Y.dim() == Spatial + 1) &&
           (G.chance(10) || tt::isFloatingType(Y.scalar_type()));
  });
  const auto &X = operand(G, S);
  const int64_t Channels = X.dim() > Spatial ? X.size(-1 - Spatial) : 1;
  if (Channels == 0) { // libtorch then answers with sizes of its own
    S.In[0] = -1;
    return;
  }
  S.I[0] = G.wrong()                           ? G.between(0, 3)
           : Channels % 2 == 0 && G.chance(30) ? 2
                                               : 1;
  S.L[0] = {G.between(G.wrong() ? 0 : 1, 2), G.between(G.wrong() ? -1 : 0, 2),
            G.between(1, 2), G.between(0, 1)};
  S.L[1] = {S.I[0] * G.between(1, 3),
            S.I[0] ? Channels / std::max<int64_t>(S.I[0], 1) : 1};
  if (G.wrong())
    S.L[1][1] = G.between(0, 3);
  for (int64_t D = 0; D < Spatial; ++D)
    S.L[1].push_back(G.between(1, 3));
}
void genConv1d(Gen &G, Step &S) { genConv(G, S, 1); }
void genConv2d(Gen &G, Step &S) { genConv(G, S, 2); }
/// libtorch cannot view such weights when there are no images.
void genConv2dFull(Gen &G, Step &S) {
  genConv2d(G, S);
  if (S.In[0] >= 0 && operand(G, S).numel() == 0)
    S.In[0] = -1;
}
/// L[0] kernel, L[1] stride or nothing, I[0] padding, I[1] dilation.
/// One number for all axes, or one for each.
static void genWindow(Gen &G, Step &S, int64_t Spatial) {
  S.In[0] = G.any([&](const tt::Tensor &Y) {
    return (Y.dim() == Spatial + 1 || Y.dim() == Spatial + 2) &&
           (G.chance(10) || tt::isFloatingType(Y.scalar_type()));
  });
  for (int64_t K = G.wrong() ? 2 : G.chance(50) ? 1 : Spatial; K > 0; --K)
    S.L[0].push_back(G.between(G.wrong() ? 0 : 1, 3));
  if (G.chance(60))
    S.L[1].push_back(G.between(G.wrong() ? 0 : 1, 2));
  if (G.wrong())
    S.L[1].insert(S.L[1].end(), {1, 1});
  S.I[0] = G.between(G.wrong() ? -1 : 0, 1);
  S.I[1] = G.between(1, 2);
  S.I[2] = G.upTo(2);
}
void genPool(Gen &G, Step &S) { genWindow(G, S, 2); }
void genPool3d(Gen &G, Step &S) { genWindow(G, S, 3); }
/// Which place a window without elements has depends on the processor.
void genPlaces3d(Gen &G, Step &S) {
  genPool3d(G, S);
  if (S.In[0] >= 0)
    for (int64_t N : operand(G, S).sizes())
      if (N == 1)
        S.I[1] = 1;
}
void genAdaptive(Gen &G, Step &S) {
  genPool(G, S);
  S.L[0] = {G.between(G.wrong() ? -1 : 1, 4), G.between(1, 4)};
}
void genAdaptive3d(Gen &G, Step &S) {
  genPool3d(G, S);
  S.L[0] = {G.between(G.wrong() ? -1 : 1, 3), G.between(1, 4), G.between(1, 3)};
}
void genPad(Gen &G, Step &S) {
  genNumber(G, S);
  for (int64_t D = G.upTo(std::min<int64_t>(operand(G, S).dim(), 3) + 1); D > 0;
       --D) {
    S.L[0].push_back(G.between(G.chance(20) ? -2 : 0, 2));
    S.L[0].push_back(G.between(0, 2));
  }
  if (G.wrong())
    S.L[0].push_back(1);
}
/// libtorch reads a size that is not there when there are no channels.
void genWithChannels(Gen &G, Step &S) {
  if (operand(G, S).dim() < 2)
    S.In[0] = G.any([](const tt::Tensor &Y) { return Y.dim() >= 2; });
  if (operand(G, S).dim() < 2) {
    S.In[0] = -1;
    return;
  }
  // Which format the result has when strides of dimensions of one element
  // speak against the one that the tensor is contiguous in is not followed.
  const auto &X = operand(G, S);
  const auto Format = X.dim() == 4 ? tt::MemoryFormat::ChannelsLast
                                   : tt::MemoryFormat::ChannelsLast3d;
  if ((X.dim() == 4 || X.dim() == 5) && !X.is_contiguous() &&
      X.is_contiguous(Format) && X.suggest_memory_format() != Format)
    S.In[0] = -1;
}
/// One number for each channel.
void genChannels(Gen &G, Step &S) {
  genWithChannels(G, S);
  if (S.In[0] < 0)
    return;
  const auto &X = operand(G, S);
  S.In[1] = G.any([&](const tt::Tensor &Y) {
    return Y.dim() == 1 && X.dim() > 1 && Y.size(0) == X.size(1) &&
           Y.scalar_type() == X.scalar_type();
  });
}
void genNumberTensor(Gen &G, Step &S) {
  S.In[0] = G.any([](const tt::Tensor &Y) { return Y.numel() == 1; });
}
void genNumberTensorOther(Gen &G, Step &S) {
  S.In[1] = G.any([](const tt::Tensor &Y) { return Y.dim() == 0; });
}
/// A tensor to write the result into: libtorch changes its size before it has
/// looked at all operands, so it must not be one.
static void genOut(Gen &G, Step &S) {
  auto IsFit = [&](const tt::Tensor &Y) {
    for (int K : {1, 2})
      if (S.In[K] >= 0 && Y.is_alias_of(G.at(S.In[K])))
        return false;
    return G.chance(20) || Y.scalar_type() == G.at(S.In[1]).scalar_type();
  };
  S.In[0] = G.any(IsFit);
  if (!IsFit(G.at(S.In[0])))
    S.In[0] = -1;
}
/// The parameters fit y, not x.
static void genOfOther(Gen &G, Step &S, void (*Make)(Gen &, Step &)) {
  std::swap(S.In[0], S.In[1]);
  Make(G, S);
  std::swap(S.In[0], S.In[1]);
  genOut(G, S);
}
void genSomeDimsOfOther(Gen &G, Step &S) {
  genOfOther(G, S, genSomeDims);
  // Most reductions of libtorch write an `out` that overlaps itself several
  // times; ours refuse it.
  if (S.In[0] >= 0 && !operand(G, S).is_non_overlapping_and_dense())
    S.In[0] = -1;
}
void genDimTensorOfOther(Gen &G, Step &S) { genOfOther(G, S, genDimTensor); }
void genProductOut(Gen &G, Step &S) {
  S.In[0] = G.any();
  genProduct(G, S);
  S.In[2] = S.In[1];
  S.In[1] = S.In[0];
  genOut(G, S);
  // Of the products only those of two matrices look for overlap.
  if (S.In[0] >= 0 && !operand(G, S).is_non_overlapping_and_dense() &&
      (G.at(S.In[1]).dim() != 2 || G.at(S.In[2]).dim() != 2))
    S.In[0] = -1;
}
void genUnaryOut(Gen &G, Step &S) { genOut(G, S); }
void genDenseOut(Gen &G, Step &S) {
  genOut(G, S);
  if (S.In[0] >= 0 && !operand(G, S).is_contiguous())
    S.In[0] = -1;
}
void genBinaryOut(Gen &G, Step &S) {
  genTernary(G, S);
  genOut(G, S);
}
void genJoinOut(Gen &G, Step &S) {
  genJoin(G, S);
  genOut(G, S);
}
void genStorage(Gen &G, Step &S) {
  genSameType(G, S);
  genAsStrided(G, S);
  for (auto &T : S.L[1]) // looked at only where there are elements
    T = std::max<int64_t>(T, 0);
  // libtorch does not look at the storage when sizes and strides stay.
  const auto &X = operand(G, S);
  if (X.sizes().vec() == S.L[0] && X.strides().vec() == S.L[1]) {
    S.L[0].push_back(1);
    S.L[1].push_back(1);
  }
}
void genWholeStorage(Gen &G, Step &S) {
  genSameType(G, S);
  // Nor when its size stays; the strides do, too.
  const auto &X = operand(G, S);
  const auto N = static_cast<int64_t>(G.at(S.In[1]).storage().nbytes() /
                                      tt::elementSize(X.scalar_type()));
  if (X.dim() == 1 && X.size(0) == N && X.stride(0) != 1)
    S.In[0] = -1;
}
void genPutNumber(Gen &G, Step &S) {
  genNumber(G, S);
  genTensorIndex(G, S);
}
/// How often each.
void genEach(Gen &G, Step &S) {
  genDim(G, S);
  int64_t N = sizeAt(operand(G, S), S.I[0]);
  if (G.wrong())
    ++N;
  if (G.chance(10))
    N = 1;
  for (int64_t K = 0; K < N; ++K)
    S.L[2].push_back(G.between(G.chance(1) ? -1 : 0, 2));
  S.L[1] = {N};
}
void genVectors(Gen &G, Step &S) {
  const auto Type = operand(G, S).scalar_type();
  auto IsFit = [&](const tt::Tensor &Y) {
    return Y.dim() <= 1 && Y.scalar_type() == Type;
  };
  for (int &In : S.In)
    In = G.any(IsFit);
  S.I[1] = G.between(1, 3);
}
/// Of bfloat16 libtorch 1.13 gives an element the greatest of the column 8
/// before, when the columns are not the last dimension.
static bool isLogSoftmaxWrong(const tt::Tensor &X, int64_t Dim) {
  return X.scalar_type() == tt::kBFloat16 && Dim != -1 && Dim != X.dim() - 1;
}
void genLogSoftmax(Gen &G, Step &S) {
  genDim(G, S);
  if (isLogSoftmaxWrong(operand(G, S), S.I[0]))
    S.In[0] = -1;
}
void genSomeDimsType(Gen &G, Step &S) {
  genSomeDims(G, S);
  genType(G, S);
}
void genDimType(Gen &G, Step &S) {
  genDim(G, S);
  genType(G, S);
}
/// libtorch 1.13 says true of every product of 128 or more booleans.
void genProdType(Gen &G, Step &S) {
  genDimType(G, S);
  if (S.Type == static_cast<int>(tt::kBool) && operand(G, S).numel() >= 128)
    S.In[0] = -1;
}
void genTopk(Gen &G, Step &S) {
  genDim(G, S);
  const int64_t N = sizeAt(operand(G, S), S.I[0]);
  S.I[1] = G.wrong() ? G.between(-1, N + 1) : G.between(0, N);
  S.I[2] = G.upTo(2);
}
/// Not of bool, nor as bool: bytes are written that are no booleans.
void genViewType(Gen &G, Step &S) {
  if (operand(G, S).scalar_type() == tt::kBool)
    S.In[0] = -1;
  else
    do
      genType(G, S);
    while (S.Type == static_cast<int>(tt::kBool));
}

//===--- functions of networks
//----------------------------------------------===//

static bool isFloat(const tt::Tensor &X) {
  return tt::isFloatingType(X.scalar_type());
}
/// One slope, or one for each channel.
void genSlopes(Gen &G, Step &S) {
  const auto &X = operand(G, S);
  S.In[1] = G.any([&](const tt::Tensor &Y) {
    return Y.scalar_type() == X.scalar_type() && Y.dim() <= 1 &&
           (Y.numel() == 1 || (X.dim() > 1 && Y.numel() == X.size(1)));
  });
  if (G.at(S.In[1]).scalar_type() != X.scalar_type())
    S.In[0] = -1;
}
/// y of x's sizes and type; I[0] the reduction.
void genLoss(Gen &G, Step &S) {
  if (!isFloat(operand(G, S)) && G.chance(80))
    S.In[0] = G.any(isFloat);
  const auto &X = operand(G, S);
  auto IsFit = [&](const tt::Tensor &Y) {
    return Y.sizes() == X.sizes() && Y.scalar_type() == X.scalar_type();
  };
  S.In[1] = G.any(IsFit);
  if (!IsFit(G.at(S.In[1])))
    S.In[1] = S.In[0];
  S.I[0] = G.upTo(3);
  S.I[1] = G.upTo(2);
  S.Number = static_cast<double>(G.between(1, 3));
}
void genProbabilities(Gen &G, Step &S) {
  genLoss(G, S);
  if (isLogSoftmaxWrong(operand(G, S), 1))
    S.In[0] = -1;
}
void genLossWeighted(Gen &G, Step &S) {
  genLoss(G, S);
  S.In[2] = G.chance(50) ? S.In[0] : S.In[1];
}
void genSameDim(Gen &G, Step &S) {
  genLoss(G, S);
  S.I[0] = G.dim(operand(G, S).dim());
}
/// Rows of one length.
void genRows(Gen &G, Step &S) {
  S.In[0] =
      G.any([](const tt::Tensor &Y) { return isFloat(Y) && Y.dim() >= 2; });
  const auto &X = operand(G, S);
  S.In[1] = G.any([&](const tt::Tensor &Y) {
    return X.dim() >= 2 && Y.dim() >= 2 && Y.size(-1) == X.size(-1) &&
           Y.scalar_type() == X.scalar_type();
  });
  if (G.at(S.In[1]).scalar_type() != X.scalar_type())
    S.In[0] = -1; // libtorch looks at types late, by its own assertion
  S.Number = static_cast<double>(G.between(G.wrong() ? -1 : 0, 3));
}
/// Classes for each place of [N, C, ...] in L[1], L[2].
void genClasses(Gen &G, Step &S) {
  S.In[0] = G.any([](const tt::Tensor &Y) {
    return isFloat(Y) && Y.dim() >= 1 &&
           (Y.dim() == 1 || !isLogSoftmaxWrong(Y, 1));
  });
  const auto &X = operand(G, S);
  int64_t Classes = 1;
  for (int64_t D = 0; D < X.dim(); ++D)
    if (D == std::min<int64_t>(X.dim() - 1, 1))
      Classes = X.size(D);
    else
      S.L[1].push_back(X.size(D));
  // Of a vector libtorch takes a vector of classes and reads the first.
  if (G.wrong() && X.dim() > 1)
    S.L[1].push_back(2);
  int64_t Count = 1;
  for (int64_t V : S.L[1])
    Count *= V;
  S.I[0] = G.upTo(3);
  S.I[1] = G.between(-1, 2);
  S.I[2] = G.upTo(2);
  for (int64_t K = 0; K < Count; ++K)
    S.L[2].push_back(G.chance(1) ? Classes : G.upTo(Classes));
  // libtorch gives no classes a layout of their own.
  if (Classes == 0 || X.numel() == 0)
    S.In[0] = -1;
}
void genOneHot(Gen &G, Step &S) {
  S.In[0] = G.any([&](const tt::Tensor &Y) {
    return G.chance(3) || (Y.scalar_type() == tt::kLong && Y.numel() &&
                           Y.numel() < 60 && Y.max().item<int64_t>() < 30);
  });
  const auto &X = operand(G, S);
  if (X.scalar_type() == tt::kLong && X.numel() &&
      X.max().item<int64_t>() > 1000)
    S.In[0] = -1;
  S.I[0] = G.chance(60) ? -1 : G.between(0, 30);
}
/// Values for a sorted sequence of the same leading sizes, or for a vector.
void genSearch(Gen &G, Step &S) {
  const auto &X = operand(G, S);
  S.In[1] = G.any([&](const tt::Tensor &Y) {
    if (X.dim() == 1)
      return true;
    if (Y.dim() != X.dim())
      return false;
    for (int64_t D = 0; D + 1 < X.dim(); ++D)
      if (X.size(D) != Y.size(D))
        return false;
    return true;
  });
  S.I[0] = G.upTo(2);
  S.I[1] = G.upTo(2);
}
void genScatterReduce(Gen &G, Step &S) {
  genScatter(G, S);
  S.I[1] = G.upTo(5);
  S.I[2] = G.upTo(2);
  // A 16-bit quotient of rounded sums, or a mean of integers, is not compared.
  const auto &X = operand(G, S);
  if (X.scalar_type() == tt::kBool || tt::elementSize(X.scalar_type()) == 2)
    S.In[0] = -1;
}
void genMaskedScatter(Gen &G, Step &S) {
  genBinary(G, S);
  const auto Type = operand(G, S).scalar_type();
  S.In[2] = G.any([&](const tt::Tensor &Z) {
    return Z.scalar_type() == Type && Z.numel() >= operand(G, S).numel();
  });
}
void genNotEmpty(Gen &G, Step &S) {
  S.In[0] = G.any([](const tt::Tensor &Y) { return Y.numel() > 0; });
  if (operand(G, S).numel() == 0)
    S.In[0] = -1;
}
/// Whether two NaNs are one is libtorch's secret.
void genNoNaN(Gen &G, Step &S) {
  const auto &X = operand(G, S);
  if (isFloat(X) && X.numel() && X.isnan().any().item<bool>())
    S.In[0] = -1;
}
void genCounts(Gen &G, Step &S) {
  S.In[0] = G.any([&](const tt::Tensor &Y) {
    return G.chance(3) || (tt::isIntegralType(Y.scalar_type(), false) &&
                           (Y.numel() == 0 || Y.max().item<int64_t>() < 100));
  });
  const auto &X = operand(G, S);
  S.In[1] = S.In[0];
  S.I[0] = G.between(G.wrong() ? -1 : 0, 8);
  if (X.numel() && tt::isIntegralType(X.scalar_type(), false) &&
      X.max().item<int64_t>() > 1000)
    S.In[0] = -1;
}
void genSmallSecond(Gen &G, Step &S) {
  genBinary(G, S);
  S.In[1] = G.any([](const tt::Tensor &Y) { return Y.numel() < 10; });
  S.I[0] = G.upTo(2);
  genNoNaN(G, S);
}
void genSmall(Gen &G, Step &S) {
  S.In[0] = G.any([](const tt::Tensor &Y) { return Y.numel() <= 12; });
  if (operand(G, S).numel() > 24)
    S.In[0] = -1;
  S.I[0] = G.between(-1, 1);
  S.I[1] = G.upTo(2);
}
void genSmallTwo(Gen &G, Step &S) {
  auto IsFit = [](const tt::Tensor &Y) { return Y.numel() <= 12; };
  for (int K : {0, 1, 2})
    S.In[K] = G.any(IsFit);
  if (operand(G, S).numel() * G.at(S.In[1]).numel() > 200)
    S.In[0] = -1;
}
/// libtorch 1.13 views a product as matrices, whatever its strides are.
void genKron(Gen &G, Step &S) {
  genSmallTwo(G, S);
  auto Plain = [&](const tt::Tensor &X) {
    for (int64_t D = 0; D < X.dim(); ++D)
      if (X.size(D) == 1)
        return false;
    return true;
  };
  if (S.In[0] >= 0 && !(operand(G, S).dim() == G.at(S.In[1]).dim() &&
                        Plain(operand(G, S)) && Plain(G.at(S.In[1]))))
    S.In[0] = -1;
}
void genMatrixVector(Gen &G, Step &S) {
  S.In[0] = G.any([](const tt::Tensor &Y) { return Y.dim() == 2; });
  const auto &X = operand(G, S);
  auto Vector = [&](int64_t Dim) {
    return [&X, Dim](const tt::Tensor &Y) {
      return X.dim() == 2 && Y.dim() == 1 && Y.size(0) == X.size(Dim) &&
             Y.scalar_type() == X.scalar_type();
    };
  };
  S.In[1] = G.any(Vector(1));
  S.In[2] = G.any(Vector(0));
}
void genSameLast(Gen &G, Step &S) {
  const auto &X = operand(G, S);
  S.In[1] = G.any([&](const tt::Tensor &Y) {
    return Y.scalar_type() == X.scalar_type() &&
           (Y.dim() == 0 || X.dim() == 0 || Y.size(-1) == X.size(-1));
  });
}
void genCross(Gen &G, Step &S) {
  S.In[0] = G.any([](const tt::Tensor &Y) {
    for (int64_t N : Y.sizes())
      if (N == 3)
        return true;
    return false;
  });
  genSame(G, S);
  const auto &X = operand(G, S);
  S.I[0] = G.dim(X.dim());
  for (int64_t D = 0; D < X.dim() && G.chance(80); ++D)
    if (X.size(D) == 3)
      S.I[0] = D;
  if (G.at(S.In[1]).sizes() != X.sizes())
    S.In[1] = S.In[0];
}
static void genPlanes(Gen &G, Step &S, int64_t Rank, bool Batched) {
  S.In[0] = G.any([&](const tt::Tensor &Y) {
    return (Y.dim() == Rank || (Batched && Y.dim() == Rank - 1)) &&
           (G.chance(5) || isFloat(Y));
  });
}
/// L[0] kernel, L[1] dilation, I[0] padding, I[1] stride.
void genWindows(Gen &G, Step &S) {
  genPlanes(G, S, 4, true);
  // Without a batch dimension libtorch reads the sizes of others.
  if (operand(G, S).dim() < 3)
    S.In[0] = -1;
  S.L[0] = {G.between(G.wrong() ? 0 : 1, 3), G.between(1, 2)};
  S.L[1] = {G.between(1, 2), 1};
  S.I[0] = G.between(G.wrong() ? -1 : 0, 1);
  S.I[1] = G.between(G.wrong() ? 0 : 1, 2);
}
void genRow(Gen &G, Step &S) {
  genPlanes(G, S, 3, G.chance(50));
  S.I[0] = G.between(G.wrong() ? 0 : 1, 7);
  S.I[1] = G.between(1, 3);
  S.I[2] = G.between(1, 2);
  S.I[3] = G.upTo(S.I[1] / 2 + 1);
}
void genScaled(Gen &G, Step &S) {
  genPlanes(G, S, 4, false);
  S.L[0] = {G.between(G.wrong() ? 0 : 1, 7), G.between(1, 7)};
  S.I[0] = G.upTo(2);
}
void genScaled3d(Gen &G, Step &S) {
  genPlanes(G, S, 5, false);
  S.L[0] = {G.between(G.wrong() ? 0 : 1, 5), G.between(1, 5), G.between(1, 5)};
  S.I[0] = G.upTo(2);
}
void genBorder(Gen &G, Step &S) {
  const int64_t Spatial = G.between(1, 2);
  genPlanes(G, S, Spatial + 2, G.chance(50));
  for (int64_t K = 0; K < 2 * Spatial; ++K)
    S.L[0].push_back(G.between(G.chance(10) ? -1 : 0, 2));
}
/// libtorch leaves what circular padding cuts off unwritten.
void genCircular(Gen &G, Step &S) {
  genBorder(G, S);
  for (int64_t &N : S.L[0])
    N = std::max<int64_t>(N, 0);
}
void genFactor(Gen &G, Step &S) {
  S.I[0] = G.between(G.wrong() ? 0 : 1, 2);
  S.In[0] = G.any([&](const tt::Tensor &Y) {
    return G.chance(5) ||
           (Y.dim() >= 3 && (Y.size(-3) % 4 == 0 || Y.size(1) % 2 == 0));
  });
  // libtorch gives empty images back as they are, of whatever sizes.
  if (operand(G, S).numel() == 0)
    S.In[0] = -1;
}
/// libtorch 1.13 loses the digits of close values that are channels-last.
void genGroups(Gen &G, Step &S) {
  // Of channels-last libtorch takes the mean of squares less the square of the
  // mean, which loses digits.
  auto IsFit = [](const tt::Tensor &Y) {
    return Y.dim() < 4 || Y.is_contiguous();
  };
  S.In[0] = G.any([&](const tt::Tensor &Y) {
    return isFloat(Y) && Y.dim() >= 2 && IsFit(Y);
  });
  const auto &X = operand(G, S);
  if (!IsFit(X)) {
    S.In[0] = -1;
    return;
  }
  const int64_t C = X.dim() >= 2 ? X.size(1) : 1;
  S.I[0] = C % 2 == 0 && G.chance(50) ? 2 : G.wrong() ? G.between(0, 3) : 1;
}
void genConv3d(Gen &G, Step &S) {
  genConv(G, S, 3);
  if (S.In[0] >= 0 && operand(G, S).numel() == 0)
    S.In[0] = -1;
}
static void genConvBack(Gen &G, Step &S, int64_t Spatial) {
  genConv(G, S, Spatial);
  if (S.In[0] < 0)
    return;
  if (operand(G, S).numel() == 0) {
    S.In[0] = -1;
    return;
  }
  // In channels first, then those of the output in each group.
  const int64_t Channels = S.L[1][1] * std::max<int64_t>(S.I[0], 1);
  S.L[1][0] = Channels;
  S.L[1][1] = G.between(1, 2);
}
void genConvBack1d(Gen &G, Step &S) { genConvBack(G, S, 1); }
void genConvBack2d(Gen &G, Step &S) { genConvBack(G, S, 2); }
void genConvBack3d(Gen &G, Step &S) { genConvBack(G, S, 3); }
void genSampler(Gen &G, Step &S) {
  genPlanes(G, S, 4, false);
  if (operand(G, S).dim() != 4)
    S.In[0] = -1;
  S.I[0] = G.upTo(2);
  S.I[1] = G.upTo(3);
  S.I[2] = G.upTo(2);
}

} // namespace differential
