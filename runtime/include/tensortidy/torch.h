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

#include "tensortidy/functional.h"

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

namespace nn::functional {
using tensortidy::elu;
using tensortidy::gelu;
using tensortidy::leaky_relu;
using tensortidy::linear;
using tensortidy::relu;
using tensortidy::silu;
using tensortidy::softmax;
} // namespace nn::functional

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
#define TORCH_CHECK_VALUE(...)                                                 \
  TENSORTIDY_CHECK_AS(::tensortidy::Error, __VA_ARGS__)
#define TORCH_INTERNAL_ASSERT(...)                                             \
  TENSORTIDY_CHECK_AS(::tensortidy::Error, __VA_ARGS__)
#define AT_ASSERT(...) TENSORTIDY_CHECK_AS(::tensortidy::Error, __VA_ARGS__)
#endif

#endif
