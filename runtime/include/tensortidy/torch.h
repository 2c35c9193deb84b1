//===- torch.h - the tensor API under libtorch's names ----------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For code written for libtorch, in programs that do not link it: torch::, at::
// and c10:: are tensortidy::. Not to be included together with libtorch.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_TORCH_H
#define TENSORTIDY_TORCH_H

#include "tensortidy/dispatch.h"
#include "tensortidy/functional.h"
#include "tensortidy/io.h"
#include "tensortidy/nnfunctional.h"
#include "tensortidy/recurrent.h"

namespace tensortidy {

/// There is no autograd, so these switch off nothing.
struct NoGradGuard {
  NoGradGuard() {}
  ~NoGradGuard() {}
};
struct AutoGradMode {
  explicit AutoGradMode(bool) {}
  ~AutoGradMode() {}
};
struct InferenceMode {
  explicit InferenceMode(bool = true) {}
  ~InferenceMode() {}
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
template <class T, unsigned N = 6> class SmallVector : public std::vector<T> {
public:
  using std::vector<T>::vector;
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
inline void append(std::string &To, const char *V) { To += V; }
inline void append(std::string &To, const std::string &V) { To += V; }
inline void append(std::string &To, IntArrayRef V) {
  To += "[";
  for (size_t I = 0; I < V.size(); ++I)
    To += (I ? ", " : "") + std::to_string(V[I]);
  To += "]";
}
inline void append(std::string &To, ScalarType V) { To += toString(V); }
inline void append(std::string &To, TypeMeta V) { To += V.name(); }
inline void append(std::string &To, Device V) { To += V.str(); }
inline void append(std::string &To, const Tensor &V) { To += describe(V); }
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
void append(std::string &To, T V) {
  To += std::to_string(V);
}

template <class E, class... Parts>
[[noreturn]] void checkFailed(const char *Condition, const Parts &...Text) {
  std::string All;
  if constexpr (sizeof...(Text) == 0)
    All = std::string("Expected ") + Condition + " to be true, but got false.";
  else
    (append(All, Text), ...);
  throw E(All);
}
} // namespace detail
} // namespace tensortidy

namespace caffe2 {
using tensortidy::TypeMeta;
} // namespace caffe2
namespace torch = tensortidy;
namespace at = tensortidy;
namespace c10 = tensortidy;

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
  TENSORTIDY_CHECK_AS(::tensortidy::Error, __VA_ARGS__)
#define TORCH_INTERNAL_ASSERT(...)                                             \
  TENSORTIDY_CHECK_AS(::tensortidy::Error, __VA_ARGS__)
#define AT_ASSERT(...) TENSORTIDY_CHECK_AS(::tensortidy::Error, __VA_ARGS__)
#endif

#endif
