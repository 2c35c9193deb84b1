//===- Differential.cpp - the runtime against libtorch --------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   tensortidy-differential [--seed S] [--programs N] [--first K] [--operations]
//
// Runs random programs of 3 to 12 operations on the runtime and on libtorch and
// compares after each operation, for every tensor alive: sizes, strides,
// offset, storage size, element type, formats, which tensors are one and which
// share storage, all values, and whether the operation threw. The operations
// are written once and instantiated for both APIs:
//
//   OP("permute", 1, genPermutation, x.permute(l0))
//
// A program that disagrees is shrunk and printed as C++. Exit status 1 when
// there is one, 2 when the generator did not do its duty.
//
//===----------------------------------------------------------------------===//

#include <ATen/ATen.h>
#include <c10/util/Exception.h>
#include <c10/util/Logging.h>
#include <tensortidy/tensor.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>

namespace {

namespace tt = tensortidy;
using Ints = std::vector<int64_t>;

//===--- one operation, as data ---------------------------------------------===//

struct Step {
  size_t Op = 0;
  int In[3] = {-1, -1, -1}; ///< tensors by number: the Nth result of step S is
                            ///< 16 * S + N
  int64_t I[4] = {0, 0, 0, 0};
  Ints L[3];
  bool Has[2] = {true, true}; ///< optional integers: given?
  int Type = 6;               ///< ScalarType; float
  int Format = 0;             ///< MemoryFormat
  double Number = 0;
  int Self = 0; ///< the step's own number
};

/// What differs between the two libraries besides the namespace.
struct Libtorch {
  static constexpr bool Ours = false;
  using Tensor = at::Tensor;
  using List = at::IntArrayRef;
  using Index = at::indexing::TensorIndex;
  using Slice = at::indexing::Slice;
  static at::ScalarType type(int T) { return static_cast<at::ScalarType>(T); }
  static at::MemoryFormat format(int F) {
    return static_cast<at::MemoryFormat>(F);
  }
  static at::Scalar number(double V) { return at::Scalar(V); }
  static at::Scalar number(int64_t V) { return at::Scalar(V); }
#define NS at
#define COMMON                                                                 \
  static Tensor arange(int64_t a, int64_t b, int t) {                          \
    return NS::arange(a, b, type(4)).to(type(t));                              \
  }                                                                            \
  template <class... T> static Tensor cat(const T &...a) {                     \
    return NS::cat(a...);                                                      \
  }                                                                            \
  template <class... T> static Tensor stack(const T &...a) {                   \
    return NS::stack(a...);                                                    \
  }                                                                            \
  template <class... T> static Tensor where(const T &...a) {                   \
    return NS::where(a...);                                                    \
  }                                                                            \
  template <class... T> static Tensor pow(const T &...a) {                     \
    return NS::pow(a...);                                                      \
  }                                                                            \
  template <class... T> static Tensor rsub(const T &...a) {                    \
    return NS::rsub(a...);                                                     \
  }                                                                            \
  template <class... T> static Tensor gelu(const T &...a) {                    \
    return NS::gelu(a...);                                                     \
  }                                                                            \
  template <class... T> static Tensor zeros_like(const T &...a) {              \
    return NS::zeros_like(a...);                                               \
  }                                                                            \
  template <class... T> static Tensor empty_like(const T &...a) {              \
    return NS::empty_like(a...);                                               \
  }                                                                            \
  template <class... T> static Tensor full_like(const T &...a) {               \
    return NS::full_like(a...);                                                \
  }                                                                            \
  static Tensor zeros(List s, int t) { return NS::zeros(s, type(t)); }         \
  static Tensor ones(List s, int t) { return NS::ones(s, type(t)); }           \
  static Tensor full(List s, double v, int t) {                                \
    return NS::full(s, v, type(t));                                            \
  }                                                                            \
  static Tensor empty(List s, int t, int f) {                                  \
    return NS::empty(s, type(t), format(f));                                   \
  }                                                                            \
  static Tensor eye(int64_t n, int64_t m) { return NS::eye(n, m); }            \
  static Tensor linspace(double a, double b, int64_t n) {                      \
    return NS::linspace(a, b, n);                                              \
  }                                                                            \
  static Tensor strided(List s, List t) {                                        \
    Tensor r = NS::empty_strided(s, t, type(6));                               \
    const auto n = static_cast<int64_t>(r.storage().nbytes() / 4);             \
    r.as_strided({n}, {1}, 0).fill_(2);                                        \
    return r;                                                                  \
  }                                                                            \
  static Tensor layer_norm(const Tensor &x, List s) {                          \
    return NS::layer_norm(x, s);                                               \
  }                                                                            \
  static std::vector<Tensor> broadcast(const Tensor &x, const Tensor &y) {     \
    return NS::broadcast_tensors({x, y});                                      \
  }
  COMMON
#undef NS
};
struct Runtime {
  static constexpr bool Ours = true;
  using Tensor = tt::Tensor;
  using List = tt::IntArrayRef;
  using Index = tt::indexing::TensorIndex;
  using Slice = tt::indexing::Slice;
  static tt::ScalarType type(int T) { return static_cast<tt::ScalarType>(T); }
  static tt::MemoryFormat format(int F) {
    return static_cast<tt::MemoryFormat>(F);
  }
  static tt::Scalar number(double V) { return tt::Scalar(V); }
  static tt::Scalar number(int64_t V) { return tt::Scalar(V); }
#define NS tt
  COMMON
#undef NS
};

template <class T> std::vector<T> pack(const T &X) { return {X}; }
template <class T> std::vector<T> pack(std::vector<T> X) {
  if (X.size() > 8)
    X.resize(8);
  return X;
}
template <class T> std::vector<T> pack(const std::tuple<T, T> &X) {
  return {std::get<0>(X)};
}

c10::nullopt_t noneOf(Libtorch) { return c10::nullopt; }
tt::nullopt_t noneOf(Runtime) { return tt::nullopt; }

/// x.index({...}) from its encoding: kind, a, b, c for each entry; index
/// tensors are \p Y.
template <class A>
auto decodeIndex(const A &, const Step &S, const typename A::Tensor &Y) {
  using Index = typename A::Index;
  std::vector<Index> R;
  for (size_t K = 0; K + 3 < S.L[0].size(); K += 4) {
    const int64_t *E = &S.L[0][K];
    switch (E[0]) {
    case 0:
      R.push_back(Index(E[1]));
      break;
    case 1:
      R.push_back(Index(typename A::Slice(E[1], E[2], E[3])));
      break;
    case 2:
      R.push_back(Index(typename A::Slice()));
      break;
    case 3:
      R.push_back(Index("..."));
      break;
    case 4:
      R.push_back(Index(noneOf(A())));
      break;
    default:
      R.push_back(Index(Y));
    }
  }
  return R;
}

//===--- generating ---------------------------------------------------------===//

using Live = std::map<int, tt::Tensor>;

/// Draws parameters that fit the operand, and now and then some that do not.
struct Gen {
  std::mt19937_64 Engine;
  const Live *Tensors = nullptr;

  int64_t upTo(int64_t N) { // 0 .. N-1
    return N <= 0 ? 0
                  : static_cast<int64_t>(Engine() % static_cast<uint64_t>(N));
  }
  int64_t between(int64_t A, int64_t B) { return A + upTo(B - A + 1); }
  bool chance(int Percent) { return upTo(100) < Percent; }
  bool wrong() { return chance(5); }

  int64_t size() {
    static const int64_t S[] = {0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6};
    return S[upTo(14)];
  }
  int64_t dim(int64_t Rank) {
    if (wrong())
      return between(-Rank - 2, Rank + 1);
    const int64_t N = Rank == 0 ? 1 : Rank;
    return between(-N, N - 1);
  }
  Ints sizes(int64_t Rank, int64_t Most = 200) {
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
  int64_t rank() {
    static const int64_t R[] = {0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5};
    return R[upTo(15)];
  }
  int type() {
    static const int T[] = {6, 6, 6, 6, 6, 7, 4, 4, 3, 0, 11};
    return T[upTo(11)];
  }
  /// A factorisation of N in order, with some 1s.
  Ints factors(int64_t N) {
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
      const int64_t F = D[static_cast<size_t>(upTo(static_cast<int64_t>(D.size())))];
      R.push_back(F);
      N /= F;
    }
    while (chance(25))
      R.insert(R.begin() + upTo(static_cast<int64_t>(R.size()) + 1), 1);
    return R;
  }
  /// Sizes for view() of X: neighbours merged, sizes split, or anything.
  Ints viewSizes(const tt::Tensor &X) {
    Ints S = X.sizes().vec();
    if (chance(40)) {
      S = factors(X.numel());
    } else {
      for (int64_t Times = between(1, 3); Times > 0; --Times) {
        if (S.size() > 1 && chance(60)) {
          const auto D = static_cast<size_t>(
              upTo(static_cast<int64_t>(S.size()) - 1));
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
  /// Any tensor alive, or -1.
  int any() {
    if (Tensors->empty())
      return -1;
    auto It = Tensors->begin();
    std::advance(It, upTo(static_cast<int64_t>(Tensors->size())));
    return It->first;
  }
  /// One for which Good holds, if a few tries find it.
  template <class F> int any(F Good) {
    int Found = any();
    for (int Try = 0; Try < 12 && Found >= 0; ++Try) {
      if (Good(Tensors->at(Found)))
        return Found;
      Found = any();
    }
    return Found;
  }
  const tt::Tensor &at(int Id) const { return Tensors->at(Id); }
};

using Generate = void (*)(Gen &, Step &);

const tt::Tensor &operand(Gen &G, const Step &S) { return G.at(S.In[0]); }

void genNothing(Gen &, Step &) {}
void genMake(Gen &G, Step &S) {
  S.L[0] = G.sizes(G.rank());
  S.Type = G.type();
  if (S.L[0].size() == 4 && G.chance(40))
    S.Format = 2;
  if (S.L[0].size() == 5 && G.chance(40))
    S.Format = 3;
  S.I[0] = 1;
  for (int64_t V : S.L[0])
    S.I[0] *= V;
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
  static const int T[] = {0, 1, 2, 3, 4, 6, 7};
  S.Type = T[G.upTo(7)];
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
int64_t sizeAt(const tt::Tensor &X, int64_t Dim) {
  const int64_t N = X.dim();
  if (Dim < 0)
    Dim += N;
  return Dim < 0 || Dim >= N ? 1 : X.size(Dim);
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
  S.I[1] = G.wrong() ? G.between(-1, N + 1) : G.between(0, N);
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
void genNumber(Gen &G, Step &S) {
  S.Number = G.chance(70) ? static_cast<double>(G.between(-3, 4))
                          : static_cast<double>(G.between(-6, 6)) / 4;
  S.I[0] = static_cast<int64_t>(S.Number);
}
void genDimTensor(Gen &G, Step &S) {
  genDim(G, S);
  const int64_t N = sizeAt(operand(G, S), S.I[0]);
  for (int64_t K = operand(G, S).dim() ? G.between(0, 4) : 1; K > 0; --K)
    S.L[0].push_back(G.chance(2) ? N : G.upTo(std::max<int64_t>(N, 1)));
}
/// An index tensor of the operand's rank, sizes L[1], values L[0].
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
    S.L[0].push_back(G.chance(1) ? N : G.upTo(std::max<int64_t>(N, 1)));
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
/// As before, and up to two index tensors: y is built from I[0] values.
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
    S.L[2].push_back(G.chance(1) ? Least
                                 : G.between(G.chance(20) ? -Least : 0, Least - 1));
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
  S.Has[0] = G.chance(30);
  S.Format = S.L[0].size() == 4 ? 2 : S.L[0].size() == 5 ? 3 : 0;
}
void genLastSizes(Gen &G, Step &S) {
  const auto &X = operand(G, S);
  for (int64_t D = G.upTo(std::max<int64_t>(X.dim(), 1)); D < X.dim(); ++D)
    S.L[0].push_back(X.size(D));
  if (G.wrong())
    S.L[0].push_back(2);
}

//===--- the operations -----------------------------------------------------===//

enum Flags : unsigned {
  None = 0,
  Writes = 1, ///< into x, element by element
  Meta = 2,   ///< changes x's layout
  Convert = 4, ///< to S.Type: only where the values fit
  Inexact = 16, ///< results differ in the last digits: compared, then dropped
  Loose = 8, ///< strides of size-1 dimensions, which mean nothing, differ
};

struct Operation {
  const char *Name;
  int Operands;
  unsigned Flags;
  Generate Make;
  const char *Text;
  std::function<std::vector<at::Tensor>(at::Tensor &, at::Tensor &,
                                        at::Tensor &, const Step &)>
      Theirs;
  std::function<std::vector<tt::Tensor>(tt::Tensor &, tt::Tensor &,
                                        tt::Tensor &, const Step &)>
      Ours;
};

/// The locals an operation's expression may use.
#define LOCALS                                                                 \
  using List = typename decltype(A)::List;                                     \
  [[maybe_unused]] const int64_t i0 = S.I[0], i1 = S.I[1], i2 = S.I[2],        \
                                 i3 = S.I[3];                                  \
  [[maybe_unused]] const List l0(S.L[0]), l1(S.L[1]), l2(S.L[2]);              \
  [[maybe_unused]] const auto o0 =                                             \
      S.Has[0] ? c10::optional<int64_t>(S.I[0]) : c10::nullopt;                \
  [[maybe_unused]] const auto type = A.type(S.Type);                           \
  [[maybe_unused]] const auto format = A.format(S.Format);                     \
  [[maybe_unused]] const auto number = A.number(S.Number);                     \
  [[maybe_unused]] const auto whole = A.number(S.I[0]);                        \
  [[maybe_unused]] auto index = [&](List Values, List Sizes) {                 \
    return indexTensor(A, Values, Sizes);                                      \
  };                                                                           \
  [[maybe_unused]] auto opt = [&](bool Has, int64_t V) {                       \
    return optionalOf(A, Has, V);                                              \
  };                                                                           \
  [[maybe_unused]] auto tensors = [&] {                                        \
    auto R = std::vector<std::decay_t<decltype(x)>>{x, y, z};                  \
    R.resize(static_cast<size_t>(S.I[1]));                                     \
    return R;                                                                  \
  };
at::Tensor indexTensor(Libtorch, at::IntArrayRef Values,
                       at::IntArrayRef Sizes) {
  at::Tensor R = at::empty(Sizes, at::kLong);
  for (int64_t K = 0; K < R.numel(); ++K)
    R.data_ptr<int64_t>()[K] = Values[static_cast<size_t>(K)];
  return R;
}
tt::Tensor indexTensor(Runtime, tt::IntArrayRef Values, tt::IntArrayRef Sizes) {
  tt::Tensor R = tt::empty(Sizes, tt::kLong);
  for (int64_t K = 0; K < R.numel(); ++K)
    R.data_ptr<int64_t>()[K] = Values[static_cast<size_t>(K)];
  return R;
}
c10::optional<int64_t> optionalOf(Libtorch, bool Has, int64_t V) {
  return Has ? c10::optional<int64_t>(V) : c10::nullopt;
}
tt::optional<int64_t> optionalOf(Runtime, bool Has, int64_t V) {
  return Has ? tt::optional<int64_t>(V) : tt::nullopt;
}

#define OP(NAME, OPERANDS, FLAGS, MAKE, ...)                                   \
  Operation {                                                                  \
    NAME, OPERANDS, FLAGS, MAKE, #__VA_ARGS__,                                 \
        [](auto &x, [[maybe_unused]] auto &y, [[maybe_unused]] auto &z,        \
           [[maybe_unused]] const Step &S) {                                   \
          constexpr Libtorch A;                                                \
          LOCALS;                                                              \
          return pack(__VA_ARGS__);                                            \
        },                                                                     \
        [](auto &x, [[maybe_unused]] auto &y, [[maybe_unused]] auto &z,        \
           [[maybe_unused]] const Step &S) {                                   \
          constexpr Runtime A;                                                 \
          LOCALS;                                                              \
          return pack(__VA_ARGS__);                                            \
        }                                                                      \
  }

const std::vector<Operation> &operations() {
  static const std::vector<Operation> List = {
#include "Operations.inc"
  };
  return List;
}

//===--- running ------------------------------------------------------------===//

struct Machine {
  std::map<int, at::Tensor> Theirs;
  Live Ours;
};

std::string listText(const Ints &L) {
  std::string R = "{";
  for (size_t K = 0; K < L.size(); ++K)
    R += (K ? ", " : "") + std::to_string(L[K]);
  return R + "}";
}
template <class L> std::string textOf(const L &List) {
  return listText(Ints(List.begin(), List.end()));
}

std::string shapeText(const at::Tensor &X) {
  return std::string(c10::toString(X.scalar_type())) + " sizes " +
         textOf(X.sizes()) + " strides " + textOf(X.strides()) + " offset " +
         std::to_string(X.storage_offset()) + " storage " +
         std::to_string(X.storage().nbytes());
}
std::string shapeText(const tt::Tensor &X) {
  return std::string(tt::toString(X.scalar_type())) + " sizes " +
         textOf(X.sizes()) + " strides " + textOf(X.strides()) + " offset " +
         std::to_string(X.storage_offset()) + " storage " +
         std::to_string(X.storage().nbytes());
}

double valueAt(tt::ScalarType Type, const void *Data, int64_t At) {
  switch (Type) {
  case tt::kByte:
    return static_cast<const uint8_t *>(Data)[At];
  case tt::kChar:
    return static_cast<const int8_t *>(Data)[At];
  case tt::kShort:
    return static_cast<const int16_t *>(Data)[At];
  case tt::kInt:
    return static_cast<const int32_t *>(Data)[At];
  case tt::kLong:
    return static_cast<double>(static_cast<const int64_t *>(Data)[At]);
  case tt::kDouble:
    return static_cast<const double *>(Data)[At];
  case tt::kBool: // any byte but 0, after view(dtype)
    return static_cast<const uint8_t *>(Data)[At] != 0;
  default:
    return static_cast<double>(static_cast<const float *>(Data)[At]);
  }
}

/// Calls F(element offset) for every index, in order.
template <class F> void forEach(const tt::Tensor &X, F Function) {
  const auto S = X.sizes(), T = X.strides();
  Ints At(S.size(), 0);
  for (int64_t K = X.numel(); K > 0; --K) {
    int64_t Offset = 0;
    for (size_t D = 0; D < S.size(); ++D)
      Offset += At[D] * T[D];
    Function(Offset);
    for (size_t D = S.size(); D-- > 0;) {
      if (++At[D] < S[D])
        break;
      At[D] = 0;
    }
  }
}

/// How the two differ, or nothing.
std::string difference(const at::Tensor &A, const tt::Tensor &B,
                       double Slack) {
  if (shapeText(A) != shapeText(B))
    return "libtorch: " + shapeText(A) + "\n    runtime:  " + shapeText(B);
  for (int F : {0, 2, 3})
    if (A.is_contiguous(Libtorch::format(F)) !=
        B.is_contiguous(Runtime::format(F)))
      return "is_contiguous(" + std::to_string(F) + ") of " + shapeText(A);
  if (A.is_non_overlapping_and_dense() != B.is_non_overlapping_and_dense())
    return "is_non_overlapping_and_dense() of " + shapeText(A);
  if (static_cast<int>(A.suggest_memory_format()) !=
      static_cast<int>(B.suggest_memory_format()))
    return "suggest_memory_format() of " + shapeText(A);
  if (A.numel() == 0)
    return {};
  std::string R;
  const void *X = A.data_ptr(), *Y = B.data_ptr();
  int64_t Index = 0;
  const double Close =
      std::max(Slack, B.scalar_type() == tt::kDouble ? 1e-10 : 1e-5);
  forEach(B, [&](int64_t Offset) {
    const double V = valueAt(B.scalar_type(), X, Offset);
    const double W = valueAt(B.scalar_type(), Y, Offset);
    const bool Same = V == W || (V != V && W != W) ||
                      std::abs(V - W) <= Close * std::max(1.0, std::abs(V));
    if (!Same && R.empty())
      R = "value " + std::to_string(Index) + " of " + shapeText(A) +
          ": libtorch " + std::to_string(V) + ", runtime " + std::to_string(W);
    ++Index;
  });
  return R;
}

std::string compareAll(const Machine &M, double Slack) {
  std::map<const void *, const void *> Impl, Store, ImplBack, StoreBack;
  for (const auto &[Id, A] : M.Theirs) {
    const tt::Tensor &B = M.Ours.at(Id);
    const std::string Name = "t" + std::to_string(Id) + ": ";
    if (auto D = difference(A, B, Slack); !D.empty())
      return Name + D;
    auto Match = [](auto &There, auto &Back, const void *X, const void *Y) {
      const bool A = There.emplace(X, Y).first->second == Y;
      const bool B = Back.emplace(Y, X).first->second == X;
      return A && B;
    };
    if (!Match(Impl, ImplBack, A.unsafeGetTensorImpl(),
               B.unsafeGetTensorImpl()))
      return Name + "is another tensor, or is not, in one library only";
    if (!Match(Store, StoreBack, A.storage().unsafeGetStorageImpl(),
               B.storage().impl()))
      return Name + "shares storage, or does not, in one library only";
  }
  return {};
}

/// Whether writing x from the operands depends on the order of writing.
bool orderMatters(const tt::Tensor &X, const std::vector<const tt::Tensor *> &In) {
  std::set<int64_t> Written;
  bool Twice = false;
  const auto Size = static_cast<int64_t>(X.element_size());
  forEach(X, [&](int64_t O) {
    Twice |= !Written.insert((X.storage_offset() + O) * Size).second;
  });
  if (Twice)
    return true;
  for (const tt::Tensor *Y : In) {
    if (!Y->defined() || !Y->is_alias_of(X) || Y->is_set_to(X))
      continue;
    const auto S = static_cast<int64_t>(Y->element_size());
    bool Meets = false;
    forEach(*Y, [&](int64_t O) {
      for (int64_t B = 0; B < S; ++B)
        Meets |= Written.count(((Y->storage_offset() + O) * S + B) / Size * Size) > 0;
    });
    if (Meets)
      return true;
  }
  return false;
}

bool fitsType(const tt::Tensor &X, int Type) {
  const auto To = static_cast<tt::ScalarType>(Type);
  if (tt::isFloatingType(To) || To == tt::kBool)
    return true;
  bool Fits = true;
  if (X.numel() == 0)
    return true;
  forEach(X, [&](int64_t O) {
    const double V = valueAt(X.scalar_type(), X.data_ptr(), O);
    Fits = Fits && V >= 0 && V <= 127;
  });
  return Fits;
}

struct Outcome {
  std::string Difference; ///< empty: the libraries agree
  bool Threw = false;
  bool Stop = false; ///< what follows is unspecified
};

Outcome runStep(Machine &M, const Step &S) {
  const Operation &O = operations()[S.Op];
  at::Tensor A[3];
  tt::Tensor B[3];
  for (int K = 0; K < 3; ++K)
    if (S.In[K] >= 0) {
      A[K] = M.Theirs.at(S.In[K]);
      B[K] = M.Ours.at(S.In[K]);
    }
  Outcome R;
  bool Unordered = false;
  if (O.Flags & Writes)
    Unordered = orderMatters(B[0], {&B[1], &B[2]});
  if ((O.Flags & Convert) && !fitsType(B[0], S.Type))
    return R;
  std::vector<at::Tensor> Theirs;
  std::vector<tt::Tensor> Ours;
  std::string TheirError, OurError;
  try {
    Theirs = O.Theirs(A[0], A[1], A[2], S);
  } catch (const std::exception &E) {
    TheirError = E.what();
    TheirError = "libtorch: " + TheirError.substr(0, TheirError.find('\n'));
  }
  try {
    Ours = O.Ours(B[0], B[1], B[2], S);
  } catch (const std::exception &E) {
    OurError = std::string("runtime: ") + E.what();
  }
  R.Threw = !OurError.empty();
  // libtorch looks at the type only when there are elements.
  bool Empty = false;
  for (const tt::Tensor &X : B)
    Empty = Empty || (X.defined() && X.numel() == 0);
  if (Empty && TheirError.empty() &&
      OurError.find(" is not defined for type ") != std::string::npos)
    return R;
  if (TheirError.empty() != OurError.empty()) {
    R.Difference = "only one threw: " + TheirError + OurError;
    return R;
  }
  if (R.Threw) {
    R.Stop = O.Flags & Meta; // libtorch may have half changed it
    if (R.Stop)
      return R;
  } else if (Unordered) {
    R.Stop = true;
    return R;
  }
  if (Theirs.size() != Ours.size()) {
    R.Difference = "libtorch gave " + std::to_string(Theirs.size()) +
                   " tensors, the runtime " + std::to_string(Ours.size());
    return R;
  }
  for (size_t K = 0; K < Ours.size(); ++K) {
    const int Id = 16 * S.Self + static_cast<int>(K);
    if ((O.Flags & Loose) && Ours[K].is_contiguous() &&
        Theirs[K].is_contiguous()) {
      Ours[K] = Ours[K].clone(tt::MemoryFormat::Contiguous);
      Theirs[K] = Theirs[K].clone(at::MemoryFormat::Contiguous);
    }
    if (Ours[K].numel() > 2000) {
      R.Stop = true;
      return R;
    }
    M.Theirs[Id] = Theirs[K];
    M.Ours[Id] = Ours[K];
  }
  R.Difference = compareAll(M, O.Flags & Inexact ? 1e-3 : 0);
  if (O.Flags & Inexact)
    for (size_t K = 0; K < Ours.size(); ++K) {
      M.Theirs.erase(16 * S.Self + static_cast<int>(K));
      M.Ours.erase(16 * S.Self + static_cast<int>(K));
    }
  return R;
}

using Program = std::vector<Step>;

/// The difference a program shows; steps whose operands are missing are
/// skipped.
std::string runProgram(const Program &P, size_t *Reached = nullptr) {
  Machine M;
  for (size_t K = 0; K < P.size(); ++K) {
    if (Reached)
      *Reached = K;
    bool Ready = true;
    for (int Id : P[K].In)
      Ready = Ready && (Id < 0 || M.Ours.count(Id));
    if (!Ready)
      continue;
    const Outcome O = runStep(M, P[K]);
    if (!O.Difference.empty())
      return O.Difference;
    if (O.Stop)
      return {};
  }
  return {};
}

Program shrink(Program P) {
  size_t Last = 0;
  runProgram(P, &Last);
  P.resize(Last + 1);
  for (size_t K = P.size(); K-- > 0;) {
    Program Less = P;
    Less.erase(Less.begin() + static_cast<long>(K));
    if (!runProgram(Less).empty())
      P = Less;
  }
  return P;
}

std::string replaceWord(std::string Text, const std::string &Word,
                        const std::string &By) {
  auto InWord = [](char C) {
    return std::isalnum(static_cast<unsigned char>(C)) || C == '_';
  };
  for (size_t At = 0; (At = Text.find(Word, At)) != std::string::npos;) {
    const size_t End = At + Word.size();
    const bool Whole = (At == 0 || (!InWord(Text[At - 1]) && Text[At - 1] != '.')) &&
                       (End == Text.size() || !InWord(Text[End]));
    if (!Whole) {
      At = End;
      continue;
    }
    Text.replace(At, Word.size(), By);
    At += By.size();
  }
  return Text;
}

void print(const Program &P) {
  for (const Step &S : P) {
    const Operation &O = operations()[S.Op];
    std::string T = O.Text;
    const char *Names[] = {"x", "y", "z"};
    for (int K = 0; K < 3; ++K)
      if (S.In[K] >= 0)
        T = replaceWord(T, Names[K], "t" + std::to_string(S.In[K]));
    for (int K = 0; K < 4; ++K)
      T = replaceWord(T, "i" + std::to_string(K), std::to_string(S.I[K]));
    for (int K = 0; K < 3; ++K)
      T = replaceWord(T, "l" + std::to_string(K), listText(S.L[K]));
    T = replaceWord(T, "type", std::string("at::k") +
                                   tt::toString(static_cast<tt::ScalarType>(S.Type)));
    static const char *Formats[] = {"Contiguous", "Preserve", "ChannelsLast",
                                    "ChannelsLast3d"};
    T = replaceWord(T, "format",
                    std::string("at::MemoryFormat::") + Formats[S.Format]);
    T = replaceWord(T, "S.Type", std::to_string(S.Type));
    T = replaceWord(T, "number", std::to_string(S.Number));
    T = replaceWord(T, "whole", std::to_string(S.I[0]));
    T = replaceWord(T, "S.Has[0]", S.Has[0] ? "true" : "false");
    T = replaceWord(T, "S.Has[1]", S.Has[1] ? "true" : "false");
    for (size_t At; (At = T.find("A.")) != std::string::npos;)
      T.replace(At, 2, "at::");
    std::printf("  auto t%d = %s;  // %s %s %s\n", 16 * S.Self, T.c_str(),
                O.Name, listText(S.L[0]).c_str(), listText(S.L[1]).c_str());
  }
}

struct Silent : c10::WarningHandler {
  void process(const c10::SourceLocation & /*At*/, const std::string & /*Text*/,
               const bool /*Verbatim*/) override {}
};

} // namespace

int main(int Count, char **Words) {
  uint64_t Seed = 1;
  int64_t Programs = 20000, First = 0;
  bool Table = false;
  for (int K = 1; K < Count; ++K) {
    const std::string Word = Words[K];
    if (Word == "--operations") {
      Table = true;
    } else if (K + 1 < Count && Word == "--seed") {
      Seed = std::strtoull(Words[++K], nullptr, 10);
    } else if (K + 1 < Count && Word == "--programs") {
      Programs = std::strtoll(Words[++K], nullptr, 10);
    } else if (K + 1 < Count && Word == "--first") {
      First = std::strtoll(Words[++K], nullptr, 10);
    } else {
      std::fprintf(stderr, "usage: tensortidy-differential [--seed S] "
                           "[--programs N] [--first K] [--operations]\n");
      return 2;
    }
  }
  at::NoGradGuard NoGrad;
  Silent Handler;
  c10::Warning::set_warning_handler(&Handler);
  c10::SetStackTraceFetcher([] { return std::string(); });

  const auto &Ops = operations();
  std::vector<int64_t> Runs(Ops.size(), 0), Throws(Ops.size(), 0);
  int64_t Throwing = 0, Steps = 0;
  std::map<std::string, int> Reported;
  int Failures = 0;
  for (int64_t N = First; N < First + Programs; ++N) {
    Gen G;
    G.Engine.seed(Seed * 1000003 + static_cast<uint64_t>(N));
    Machine M;
    G.Tensors = &M.Ours;
    Program P;
    bool Threw = false;
    const int64_t Length = G.between(3, 12);
    while (static_cast<int64_t>(P.size()) < Length) {
      Step S;
      S.Self = static_cast<int>(P.size());
      if (P.empty() || M.Ours.empty()) {
        S.Op = 0;
      } else {
        S.Op = static_cast<size_t>(G.upTo(static_cast<int64_t>(Ops.size())));
        if (Ops[S.Op].Operands > 0)
          S.In[0] = G.any();
      }
      Ops[S.Op].Make(G, S);
      P.push_back(S);
      const Outcome O = runStep(M, S);
      ++Runs[S.Op];
      ++Steps;
      Throws[S.Op] += O.Threw;
      Threw = Threw || O.Threw;
      if (!O.Difference.empty()) {
        ++Failures;
        if (Reported[Ops[S.Op].Name]++ == 0 && Reported.size() <= 25) {
          const Program Small = shrink(P);
          std::printf("program %lld of seed %llu: %s\n",
                      static_cast<long long>(N),
                      static_cast<unsigned long long>(Seed), Ops[S.Op].Name);
          print(Small);
          std::printf("    %s\n", runProgram(Small).c_str());
        }
        break;
      }
      if (O.Stop)
        break;
    }
    Throwing += Threw;
  }

  std::printf("%lld programs, %lld operations, %lld %% of the programs throw, "
              "%d disagree\n",
              static_cast<long long>(Programs), static_cast<long long>(Steps),
              static_cast<long long>(100 * Throwing / std::max<int64_t>(Programs, 1)),
              Failures);
  for (const auto &[Name, Times] : Reported)
    std::printf("  %s: %d\n", Name.c_str(), Times);
  bool Weak = false;
  for (size_t K = 0; K < Ops.size(); ++K) {
    if (Table)
      std::printf("%8lld %8lld  %s\n", static_cast<long long>(Runs[K]),
                  static_cast<long long>(Throws[K]), Ops[K].Name);
    // In proportion to 200 times in 100,000 programs.
    if (Programs >= 20000 && Runs[K] * 500 < Programs) {
      std::printf("only %lld times: %s\n", static_cast<long long>(Runs[K]),
                  Ops[K].Name);
      Weak = true;
    }
  }
  if (Programs >= 20000 && Throwing * 4 < Programs) {
    std::printf("less than a quarter of the programs throw\n");
    Weak = true;
  }
  if (Failures)
    return 1;
  return Weak ? 2 : 0;
}
