//===- aten.h - the tensor API under ATen's names ---------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For code written for libtorch, in programs that do not link it: torch::, at::
// and c10:: are tensortidy::. What <ATen/ATen.h> has; <tensortidy/torch.h> adds
// modules. Not to be included together with libtorch.
//
//   #include <tensortidy/aten.h>
//   at::Tensor x = at::rand({2, 3}).t();
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ATEN_H
#define TENSORTIDY_ATEN_H

#include "tensortidy/dispatch.h"
#include "tensortidy/forms.h"
#include "tensortidy/functional.h"
#include "tensortidy/io.h"
#include "tensortidy/nnfunctional.h"
#include "tensortidy/out.h"

// Programs lean on what libtorch's headers bring along.
#include <array>
#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <unordered_map>

namespace tensortidy {

/// There is no autograd, so this is but a flag.
struct GradMode {
  static bool is_enabled() { return enabled(); }
  static void set_enabled(bool enabled) { GradMode::enabled() = enabled; }

private:
  static bool &enabled() {
    static thread_local bool Enabled = true;
    return Enabled;
  }
};
struct AutoGradMode {
  explicit AutoGradMode(bool enabled) : Before(GradMode::is_enabled()) {
    GradMode::set_enabled(enabled);
  }
  ~AutoGradMode() { GradMode::set_enabled(Before); }
  AutoGradMode(const AutoGradMode &) = delete;

private:
  bool Before;
};
struct NoGradGuard : AutoGradMode {
  NoGradGuard() : AutoGradMode(false) {}
};
struct InferenceMode : AutoGradMode {
  explicit InferenceMode(bool enabled = true)
      : AutoGradMode(!enabled && GradMode::is_enabled()) {}
};

inline void set_num_threads(int) {}
inline int get_num_threads() { return 1; }
inline void set_num_interop_threads(int) {}
inline int get_num_interop_threads() { return 1; }
inline void init_num_threads() {}
inline void init() {}

/// Where a condition holds: the indices in each dimension.
inline std::vector<Tensor> where(const Tensor &condition,
                                 Site Here = Site::current()) {
  return nonzero_numpy(condition, Here);
}
/// A dimension that may count from the end.
inline int64_t maybe_wrap_dim(int64_t dim, int64_t dim_post_expr,
                              bool wrap_scalar = true) {
  const int64_t Rank = dim_post_expr == 0 && wrap_scalar ? 1 : dim_post_expr;
  if (dim < -Rank || dim >= Rank)
    throw IndexError("Dimension out of range (expected to be in range of [" +
                     std::to_string(-Rank) + ", " + std::to_string(Rank - 1) +
                     "], but got " + std::to_string(dim) + ")");
  return dim < 0 ? dim + Rank : dim;
}
template <class T> bool _isnan(T value) { return value != value; }
/// Here as everywhere: no inline elements.
template <class T> class SmallVectorImpl : public std::vector<T> {
public:
  using std::vector<T>::vector;
  SmallVectorImpl() = default;
  explicit SmallVectorImpl(ArrayRef<T> A)
      : std::vector<T>(A.begin(), A.end()) {}
  void append(size_t Count, const T &Value) {
    this->insert(this->end(), Count, Value);
  }
  template <class It, class = std::enable_if_t<!std::is_integral_v<It>>>
  void append(It First, It Last) {
    this->insert(this->end(), First, Last);
  }
  void append(std::initializer_list<T> L) { append(L.begin(), L.end()); }
  T pop_back_val() {
    T R = std::move(this->back());
    this->pop_back();
    return R;
  }
  void truncate(size_t Count) { this->resize(Count); }
};
template <class T, unsigned N = 6>
class SmallVector : public SmallVectorImpl<T> {
public:
  using SmallVectorImpl<T>::SmallVectorImpl;
  SmallVector() = default;
};
/// Copies name the same entries, in the order in which they came.
template <class Key, class Value> class Dict {
public:
  class Entry {
  public:
    Entry(Key K, Value V) : K(std::move(K)), V(std::move(V)) {}
    const Key &key() const { return K; }
    const Value &value() const { return V; }
    void setValue(Value New) { V = std::move(New); }

  private:
    Key K;
    Value V;
  };
  auto begin() const { return Entries->begin(); }
  auto end() const { return Entries->end(); }
  size_t size() const { return Entries->size(); }
  bool empty() const { return Entries->empty(); }
  void clear() const { Entries->clear(); }
  auto find(const Key &K) const {
    auto At = begin();
    while (At != end() && !(At->key() == K))
      ++At;
    return At;
  }
  bool contains(const Key &K) const { return find(K) != end(); }
  const Value &at(const Key &K) const {
    const auto At = find(K);
    if (At == end())
      throw std::out_of_range("Argument passed to at() was not in the map.");
    return At->value();
  }
  auto insert(Key K, Value V) const {
    const auto At = find(K);
    if (At != end())
      return std::pair(At, false);
    return std::pair(Entries->insert(end(), Entry(std::move(K), std::move(V))),
                     true);
  }
  auto insert_or_assign(Key K, Value V) const {
    const auto [At, New] = insert(std::move(K), V);
    At->setValue(std::move(V));
    return std::pair(At, New);
  }
  size_t erase(const Key &K) const {
    const auto At = find(K);
    if (At == end())
      return 0;
    Entries->erase(At);
    return 1;
  }

private:
  std::shared_ptr<std::vector<Entry>> Entries =
      std::make_shared<std::vector<Entry>>();
};
using DimVector = SmallVector<int64_t, 5>;

/// There are no other devices.
namespace cuda {
inline bool is_available() { return false; }
inline bool cudnn_is_available() { return false; }
inline size_t device_count() { return 0; }
inline void manual_seed(uint64_t) {}
inline void manual_seed_all(uint64_t) {}
inline void synchronize(int64_t = -1) {}
} // namespace cuda
inline bool hasCUDA() { return false; }

using std::make_optional;
using string_view = std::string_view;

namespace detail {
template <class... Parts> std::string joined(const Parts &...Text) {
  std::ostringstream All;
  (All << ... << Text);
  return All.str();
}

} // namespace detail
/// The parts as one text.
template <class... Parts> std::string str(const Parts &...Text) {
  return detail::joined(Text...);
}
template <class T>
std::ostream &operator<<(std::ostream &Stream, ArrayRef<T> List) {
  const char *Before = "[";
  for (const T &E : List) {
    Stream << Before << E;
    Before = ", ";
  }
  return Stream << (List.empty() ? "[]" : "]");
}

namespace detail {
template <class E, class... Parts>
[[noreturn]] void checkFailed(const char *Condition, const Parts &...Text) {
  if constexpr (sizeof...(Text) == 0)
    throw E(joined("Expected ", Condition, " to be true, but got false."));
  else
    throw E(joined(Text...));
}
template <class... Parts> void warn(const Parts &...Text) {
  std::cerr << "Warning: " << joined(Text...) << "\n";
}
} // namespace detail

/// A tensor with its name, for what checks arguments.
struct TensorArg {
  TensorArg(const Tensor &tensor, const char *name, int pos)
      : tensor(tensor), name(name), pos(pos) {}
  const Tensor *operator->() const { return &tensor; }
  const Tensor &operator*() const { return tensor; }
  const Tensor &tensor;
  const char *name;
  int pos;
};
using CheckedFrom = const char *;
void checkDim(CheckedFrom c, const TensorArg &t, int64_t dim);
void checkSize(CheckedFrom c, const TensorArg &t, IntArrayRef sizes);
void checkSize(CheckedFrom c, const TensorArg &t, int64_t dim, int64_t size);
void checkNumel(CheckedFrom c, const TensorArg &t, int64_t numel);
void checkSameSize(CheckedFrom c, const TensorArg &t1, const TensorArg &t2);
void checkAllSameSize(CheckedFrom c, ArrayRef<TensorArg> tensors);
void checkContiguous(CheckedFrom c, const TensorArg &t);
void checkAllContiguous(CheckedFrom c, ArrayRef<TensorArg> tensors);
void checkScalarType(CheckedFrom c, const TensorArg &t, ScalarType type);
void checkScalarTypes(CheckedFrom c, const TensorArg &t,
                      ArrayRef<ScalarType> types);
void checkSameType(CheckedFrom c, const TensorArg &t1, const TensorArg &t2);
void checkAllSameType(CheckedFrom c, ArrayRef<TensorArg> tensors);
void checkDefined(CheckedFrom c, const TensorArg &t);
void checkAllDefined(CheckedFrom c, ArrayRef<TensorArg> t);

inline MaybeOwned<Tensor>
borrow_from_optional_tensor(const optional<Tensor> &opt) {
  return MaybeOwned<Tensor>::borrowed(opt.value_or(Tensor()));
}
} // namespace tensortidy

namespace std {
template <>
class numeric_limits<tensortidy::Half> : public numeric_limits<float> {
  using Half = tensortidy::Half;

public:
  static constexpr int digits = 11, digits10 = 3, max_digits10 = 5;
  static Half min() { return 6.103515625e-05F; }
  static Half max() { return 65504.F; }
  static Half lowest() { return -65504.F; }
  static Half epsilon() { return 0.0009765625F; }
  static Half denorm_min() { return 5.9604644775390625e-08F; }
  static Half infinity() { return numeric_limits<float>::infinity(); }
  static Half quiet_NaN() { return numeric_limits<float>::quiet_NaN(); }
};
template <>
class numeric_limits<tensortidy::BFloat16> : public numeric_limits<float> {
  using BFloat16 = tensortidy::BFloat16;

public:
  static constexpr int digits = 8, digits10 = 2, max_digits10 = 4;
  static BFloat16 min() { return numeric_limits<float>::min(); }
  static BFloat16 max() { return 3.3895313892515355e38F; }
  static BFloat16 lowest() { return -3.3895313892515355e38F; }
  static BFloat16 epsilon() { return 0.0078125F; }
  static BFloat16 infinity() { return numeric_limits<float>::infinity(); }
  static BFloat16 quiet_NaN() { return numeric_limits<float>::quiet_NaN(); }
};
} // namespace std

// libtorch's headers print the standard containers, too: at most 100 elements.
namespace std {
template <class First, class Second>
ostream &operator<<(ostream &Stream, const pair<First, Second> &P);
#define TENSORTIDY_PRINTED(CONTAINER)                                          \
  template <class... Types>                                                    \
  ostream &operator<<(ostream &Stream, const CONTAINER<Types...> &Elements) {  \
    size_t Count = 0;                                                          \
    for (const auto &E : Elements) {                                           \
      if (Count == 100)                                                        \
        return Stream << " ...";                                               \
      if (Count++)                                                             \
        Stream << ' ';                                                         \
      Stream << E;                                                             \
    }                                                                          \
    return Stream;                                                             \
  }
TENSORTIDY_PRINTED(vector)
TENSORTIDY_PRINTED(map)
TENSORTIDY_PRINTED(set)
#undef TENSORTIDY_PRINTED
template <class First, class Second>
ostream &operator<<(ostream &Stream, const pair<First, Second> &P) {
  return Stream << '(' << P.first << ", " << P.second << ')';
}
} // namespace std

#define TORCH_VERSION_MAJOR 1
#define TORCH_VERSION_MINOR 13
#define TORCH_VERSION_PATCH 0
#define TORCH_VERSION "1.13.0"

namespace caffe2 {
using tensortidy::TypeMeta;
} // namespace caffe2
namespace tensortidy::spelled { // apart: tensortidy::layout are the rules
inline TensorOptions layout(Layout layout) { return layout; }
inline bool canCast(ScalarType from, ScalarType to) {
  return can_cast(from, to);
}
} // namespace tensortidy::spelled
// Not aliases: programs may open them and add to them.
namespace torch {
using namespace tensortidy;
using tensortidy::spelled::canCast;
using tensortidy::spelled::layout;
} // namespace torch
namespace at {
using namespace tensortidy;
using tensortidy::spelled::canCast;
using tensortidy::spelled::layout;
} // namespace at
namespace c10 {
using namespace tensortidy;
using tensortidy::spelled::canCast;
using tensortidy::spelled::layout;
} // namespace c10

#ifndef C10_UNUSED
#define C10_UNUSED __attribute__((__unused__))
#define C10_NODISCARD [[nodiscard]]
#define C10_LIKELY(E) (__builtin_expect(static_cast<bool>(E), 1))
#define C10_UNLIKELY(E) (__builtin_expect(static_cast<bool>(E), 0))
#define C10_NOINLINE __attribute__((noinline))
#define C10_ALWAYS_INLINE __attribute__((__always_inline__)) inline
#define C10_HOST_DEVICE
#define C10_HOST
#define C10_DEVICE
#define C10_RESTRICT __restrict
#define C10_API
#define TORCH_API
#endif
#ifndef TORCH_CHECK
#define TENSORTIDY_CHECK_AS(TYPE, COND, ...)                                   \
  do {                                                                         \
    if (!(COND))                                                               \
      ::tensortidy::detail::checkFailed<TYPE>(#COND, ##__VA_ARGS__);           \
  } while (false)
#define TORCH_CHECK(...) TENSORTIDY_CHECK_AS(::tensortidy::Error, __VA_ARGS__)
#define TORCH_CHECK_INDEX(...)                                                 \
  TENSORTIDY_CHECK_AS(::tensortidy::IndexError, __VA_ARGS__)
#define TORCH_CHECK_EQ(A, B) TORCH_CHECK((A) == (B))
#define TORCH_CHECK_NE(A, B) TORCH_CHECK((A) != (B))
#define TORCH_CHECK_LT(A, B) TORCH_CHECK((A) < (B))
#define TORCH_CHECK_LE(A, B) TORCH_CHECK((A) <= (B))
#define TORCH_CHECK_GT(A, B) TORCH_CHECK((A) > (B))
#define TORCH_CHECK_GE(A, B) TORCH_CHECK((A) >= (B))
#define TORCH_CHECK_VALUE(...)                                                 \
  TENSORTIDY_CHECK_AS(::tensortidy::ValueError, __VA_ARGS__)
#define TORCH_CHECK_TYPE(...)                                                  \
  TENSORTIDY_CHECK_AS(::tensortidy::TypeError, __VA_ARGS__)
#define TORCH_CHECK_NOT_IMPLEMENTED(...)                                       \
  TENSORTIDY_CHECK_AS(::tensortidy::NotImplementedError, __VA_ARGS__)
#define TORCH_CHECK_WITH(TYPE, ...)                                            \
  TENSORTIDY_CHECK_AS(::tensortidy::TYPE, __VA_ARGS__)
#define AT_ASSERTM(...) TENSORTIDY_CHECK_AS(::tensortidy::Error, __VA_ARGS__)
#define AT_ERROR(...)                                                          \
  ::tensortidy::detail::checkFailed<::tensortidy::Error>("", "", ##__VA_ARGS__)
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(...)                                  \
  do {                                                                         \
  } while (false)
/// To the standard error stream, each time.
#define TORCH_WARN(...) ::tensortidy::detail::warn(__VA_ARGS__)
#define TORCH_WARN_ONCE(...)                                                   \
  do {                                                                         \
    static const bool TensortidyWarned =                                       \
        (::tensortidy::detail::warn(__VA_ARGS__), true);                       \
    (void)TensortidyWarned;                                                    \
  } while (false)
#define TORCH_INTERNAL_ASSERT(...)                                             \
  TENSORTIDY_CHECK_AS(::tensortidy::Error, __VA_ARGS__)
#define AT_ASSERT(...) TENSORTIDY_CHECK_AS(::tensortidy::Error, __VA_ARGS__)
#endif

#endif // TENSORTIDY_ATEN_H
