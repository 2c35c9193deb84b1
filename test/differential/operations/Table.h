//===- Table.h - one table, two libraries -----------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations of the differential test, in a few files by theme:
//
//   TABLE(views)
//   OP(name, operands, flags, parameters, the call)
//   END_TABLE
//
// x, y, z are the operands, ns is at:: or tensortidy::, the other names are the
// locals below. Each call is compiled twice, with `ns` standing for at:: and for
// tensortidy::. A repeated line is drawn twice as often.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TEST_DIFFERENTIAL_TABLE_H
#define TENSORTIDY_TEST_DIFFERENTIAL_TABLE_H

#include "../Generate.h"
#include "../Program.h"
#include <ATen/ATen.h>

#include <cmath>
#include <sstream>

namespace differential {
namespace {

struct Libtorch {
  using Tensor = at::Tensor;
  using List = at::IntArrayRef;
  using Index = at::indexing::TensorIndex;
  using Slice = at::indexing::Slice;
  using Optional = c10::optional<int64_t>;
  static constexpr auto None = c10::nullopt;
  static Tensor empty(List Sizes) { return at::empty(Sizes, at::kLong); }
};
struct Runtime {
  using Tensor = tt::Tensor;
  using List = tt::IntArrayRef;
  using Index = tt::indexing::TensorIndex;
  using Slice = tt::indexing::Slice;
  using Optional = tt::optional<int64_t>;
  static constexpr auto None = tt::nullopt;
  static Tensor empty(List Sizes) { return tt::empty(Sizes, tt::kLong); }
};

template <class T> Results<T> pack(const T &X) { return {{X}, Form::One}; }
template <class T> Results<T> pack(std::vector<T> X) {
  if (X.size() > Many / 2)
    X.resize(Many / 2);
  return {std::move(X), Form::List};
}
template <class T> Results<T> pack(const std::tuple<T, T> &X) {
  return {{std::get<0>(X), std::get<1>(X)}, Form::Pair};
}

/// Indices from a list: the values L[2] in the sizes L[1].
template <class A> typename A::Tensor indexTensor(const Step &S) {
  auto R = A::empty(S.L[1]);
  auto *Data = static_cast<int64_t *>(R.data_ptr());
  for (int64_t K = 0; K < R.numel(); ++K)
    Data[K] = K < static_cast<int64_t>(S.L[2].size())
                  ? S.L[2][static_cast<size_t>(K)]
                  : 0;
  return R;
}

/// x.index({...}) from its encoding: kind, a, b, c for each entry.
template <class A>
std::vector<typename A::Index> decodeIndex(const Step &S,
                                           const typename A::Tensor &Y) {
  using Index = typename A::Index;
  std::vector<Index> R;
  for (size_t K = 0; K + 3 < S.L[0].size(); K += 4) {
    const int64_t *E = &S.L[0][K];
    switch (static_cast<IndexKind>(E[0])) {
    case IndexKind::Integer:
      R.push_back(Index(E[1]));
      break;
    case IndexKind::Range:
      R.push_back(Index(typename A::Slice(E[1], E[2], E[3])));
      break;
    case IndexKind::All:
      R.push_back(Index(typename A::Slice()));
      break;
    case IndexKind::Dots:
      R.push_back(Index("..."));
      break;
    case IndexKind::None:
      R.push_back(Index(A::None));
      break;
    case IndexKind::Tensor:
      R.push_back(Index(Y));
      break;
    }
  }
  return R;
}

/// A text as a tensor of its letters, to be compared.
template <class A> typename A::Tensor letters(const std::string &Text) {
  auto R = A::empty({static_cast<int64_t>(Text.size())});
  auto *Data = static_cast<int64_t *>(R.data_ptr());
  std::copy(Text.begin(), Text.end(), Data);
  return R;
}

int64_t product(const Ints &Sizes) {
  int64_t N = 1;
  for (int64_t V : Sizes)
    N *= V;
  return N;
}

/// The locals an expression may use; asCpp() writes their values.
#define LOCALS(A, NS)                                                          \
  using A_ = A;                                                                \
  namespace ns = ::NS;                                                         \
  [[maybe_unused]] const int64_t i0 = S.I[0], i1 = S.I[1], i2 = S.I[2],        \
                                 i3 = S.I[3];                                  \
  [[maybe_unused]] const int64_t count = product(S.L[0]);                      \
  [[maybe_unused]] const bool b0 = S.I[0] != 0, b1 = S.I[1] != 0,              \
                              b2 = S.I[2] != 0;                                \
  [[maybe_unused]] const A_::List l0(S.L[0]), l1(S.L[1]);                      \
  [[maybe_unused]] const auto o0 = S.Has[0] ? A_::Optional(S.I[0])             \
                                            : A_::Optional(),                  \
                              o1 = S.Has[0] ? A_::Optional(S.I[1])             \
                                            : A_::Optional(),                  \
                              o2 = S.Has[1] ? A_::Optional(S.I[2])             \
                                            : A_::Optional();                  \
  [[maybe_unused]] const auto type = static_cast<ns::ScalarType>(S.Type);      \
  [[maybe_unused]] const auto format =                                         \
      static_cast<ns::MemoryFormat>(S.Format);                                 \
  [[maybe_unused]] const double number = S.Number;                             \
  [[maybe_unused]] const ns::Scalar whole(S.I[0]);                             \
  [[maybe_unused]] const auto indexing = [&] { return indexTensor<A_>(S); };   \
  [[maybe_unused]] const auto entries = [&](const A_::Tensor &u) {             \
    return decodeIndex<A_>(S, u);                                              \
  };                                                                           \
  [[maybe_unused]] const auto pick = [&](size_t K) {                           \
    return K < S.L[0].size() ? S.L[0][K] : int64_t(1);                         \
  };                                                                           \
  [[maybe_unused]] const auto weights = [&] {                                  \
    return ns::arange(product(S.L[1]), ns::kFloat).remainder(3).view(S.L[1]);  \
  };                                                                           \
  [[maybe_unused]] const auto printed = [&](const A_::Tensor &u) {             \
    std::ostringstream Text;                                                   \
    Text << u;                                                                 \
    return letters<A_>(Text.str());                                            \
  };                                                                           \
  [[maybe_unused]] const auto list = [&] {                                     \
    std::vector<A_::Tensor> R{x, y, z};                                        \
    R.resize(static_cast<size_t>(S.I[1]));                                     \
    return R;                                                                  \
  };

#define UNUSED [[maybe_unused]]
/// The text with macros such as MATRIX replaced: it is printed as C++.
#define QUOTED(...) #__VA_ARGS__
#define OP(NAME, OPERANDS, FLAGS, MAKE, ...)                                   \
  Operation{NAME,                                                              \
            OPERANDS,                                                          \
            FLAGS,                                                             \
            MAKE,                                                              \
            QUOTED(__VA_ARGS__),                                               \
            [](UNUSED at::Tensor &x, UNUSED at::Tensor &y,                     \
               UNUSED at::Tensor &z, UNUSED const Step &S) {                   \
              LOCALS(Libtorch, at)                                             \
              return pack(__VA_ARGS__);                                        \
            },                                                                 \
            [](UNUSED tt::Tensor &x, UNUSED tt::Tensor &y,                     \
               UNUSED tt::Tensor &z, UNUSED const Step &S) {                   \
              LOCALS(Runtime, tensortidy)                                      \
              return pack(__VA_ARGS__);                                        \
            }},

} // namespace

#define TABLE(NAME)                                                            \
  void NAME(std::vector<Operation> &All) {                                     \
    const Operation List[] = {
#define END_TABLE                                                              \
    };                                                                         \
    All.insert(All.end(), std::begin(List), std::end(List));                   \
  }                                                                            \
  } // namespace differential

#endif
