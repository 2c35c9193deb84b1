//===- dispatch.h - code for each element type ------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What kernels are written with: the AT_DISPATCH macros, which run a lambda
// with scalar_t standing for the C++ type, and loops over ranges of numbers.
//
//   AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "scale", [&] {
//     auto *data = x.data_ptr<scalar_t>();
//     at::parallel_for(0, x.numel(), 1, [&](int64_t begin, int64_t end) { ...
//     });
//   });
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_DISPATCH_H
#define TENSORTIDY_DISPATCH_H

#include "tensortidy/tensor.h"
#include <algorithm>

namespace tensortidy {

namespace impl {
template <ScalarType Type> struct ScalarTypeToCPPType;
#define TENSORTIDY_CPP_TYPE(Cpp, Name)                                         \
  template <> struct ScalarTypeToCPPType<ScalarType::Name> {                   \
    using type = Cpp;                                                          \
  };
TENSORTIDY_CPP_TYPE(uint8_t, Byte)
TENSORTIDY_CPP_TYPE(int8_t, Char)
TENSORTIDY_CPP_TYPE(int16_t, Short)
TENSORTIDY_CPP_TYPE(int32_t, Int)
TENSORTIDY_CPP_TYPE(int64_t, Long)
TENSORTIDY_CPP_TYPE(tensortidy::Half, Half)
TENSORTIDY_CPP_TYPE(float, Float)
TENSORTIDY_CPP_TYPE(double, Double)
TENSORTIDY_CPP_TYPE(bool, Bool)
TENSORTIDY_CPP_TYPE(tensortidy::BFloat16, BFloat16)
#undef TENSORTIDY_CPP_TYPE
template <ScalarType Type>
using ScalarTypeToCPPTypeT = typename ScalarTypeToCPPType<Type>::type;
} // namespace impl

namespace detail {
[[noreturn]] inline void notDispatched(const char *Name, ScalarType Type) {
  throw Error(std::string("\"") + Name + "\" not implemented for '" +
              toString(Type) + "'");
}
inline ScalarType typeOf(ScalarType Type) { return Type; }
inline ScalarType typeOf(const DeprecatedTypeProperties &Type) {
  return Type.scalarType();
}
} // namespace detail

/// One thread: the whole range at once.
template <class F>
void parallel_for(int64_t begin, int64_t end, int64_t, const F &f) {
  if (begin < end)
    f(begin, end);
}
template <class T, class F, class G>
T parallel_reduce(int64_t begin, int64_t end, int64_t, const T &ident,
                  const F &f, const G &sf) {
  return begin < end ? sf(ident, f(begin, end, ident)) : ident;
}
namespace internal {
constexpr int64_t GRAIN_SIZE = 32768;
} // namespace internal
inline int get_thread_num() { return 0; }
inline bool in_parallel_region() { return false; }
inline int64_t divup(int64_t x, int64_t y) { return (x + y - 1) / y; }

/// for (auto i : c10::irange(n))
template <class T> class IntegerRange {
public:
  class iterator {
  public:
    explicit iterator(T Value) : Value(Value) {}
    T operator*() const { return Value; }
    iterator &operator++() {
      ++Value;
      return *this;
    }
    bool operator!=(const iterator &O) const { return Value != O.Value; }

  private:
    T Value;
  };
  IntegerRange(T Begin, T End) : First(Begin), Last(std::max(Begin, End)) {}
  iterator begin() const { return iterator(First); }
  iterator end() const { return iterator(Last); }

private:
  T First, Last;
};
template <class T> IntegerRange<T> irange(T End) { return {T(0), End}; }
template <class A, class T> IntegerRange<T> irange(A Begin, T End) {
  return {static_cast<T>(Begin), End};
}

} // namespace tensortidy

// NOLINTBEGIN(bugprone-macro-parentheses)
#define AT_PRIVATE_CASE_TYPE_AS(TYPE, CPP, ...)                                \
  case TYPE: {                                                                 \
    using scalar_t [[maybe_unused]] = CPP;                                     \
    return __VA_ARGS__();                                                      \
  }
#define AT_DISPATCH_CASE(TYPE, ...)                                            \
  AT_PRIVATE_CASE_TYPE_AS(                                                     \
      TYPE, ::tensortidy::impl::ScalarTypeToCPPTypeT<TYPE>, __VA_ARGS__)
#define AT_DISPATCH_SWITCH(TYPE, NAME, ...)                                    \
  [&] {                                                                        \
    const ::tensortidy::ScalarType tensortidy_type =                           \
        ::tensortidy::detail::typeOf(TYPE);                                    \
    switch (tensortidy_type) {                                                 \
      __VA_ARGS__                                                              \
    default:                                                                   \
      ::tensortidy::detail::notDispatched(NAME, tensortidy_type);              \
    }                                                                          \
  }()
#define AT_DISPATCH_CASE_FLOATING_TYPES(...)                                   \
  AT_DISPATCH_CASE(::tensortidy::ScalarType::Double, __VA_ARGS__)              \
  AT_DISPATCH_CASE(::tensortidy::ScalarType::Float, __VA_ARGS__)
#define AT_DISPATCH_CASE_INTEGRAL_TYPES(...)                                   \
  AT_DISPATCH_CASE(::tensortidy::ScalarType::Byte, __VA_ARGS__)                \
  AT_DISPATCH_CASE(::tensortidy::ScalarType::Char, __VA_ARGS__)                \
  AT_DISPATCH_CASE(::tensortidy::ScalarType::Int, __VA_ARGS__)                 \
  AT_DISPATCH_CASE(::tensortidy::ScalarType::Long, __VA_ARGS__)                \
  AT_DISPATCH_CASE(::tensortidy::ScalarType::Short, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES(...)                                        \
  AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__)                                 \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...)                            \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(TYPE, NAME, ...)                   \
  AT_DISPATCH_FLOATING_TYPES_AND(::tensortidy::ScalarType::Half, TYPE, NAME,   \
                                 __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND(A, TYPE, NAME, ...)                     \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                               \
                     AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)              \
                         AT_DISPATCH_CASE(A, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND2(A, B, TYPE, NAME, ...)                 \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                               \
                     AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)              \
                         AT_DISPATCH_CASE(A, __VA_ARGS__)                      \
                             AT_DISPATCH_CASE(B, __VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES(TYPE, NAME, ...)                            \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_INDEX_TYPES(TYPE, NAME, ...)                               \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                               \
                     case ::tensortidy::ScalarType::Int                        \
                     : {                                                       \
                       using index_t [[maybe_unused]] = int32_t;               \
                       return __VA_ARGS__();                                   \
                     } case ::tensortidy::ScalarType::Long : {                 \
                       using index_t [[maybe_unused]] = int64_t;               \
                       return __VA_ARGS__();                                   \
                     })
#define AT_DISPATCH_ALL_TYPES(TYPE, NAME, ...)                                 \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND(A, TYPE, NAME, ...)                          \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                               \
                     AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)                   \
                         AT_DISPATCH_CASE(A, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND2(A, B, TYPE, NAME, ...)                      \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                               \
                     AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)                   \
                         AT_DISPATCH_CASE(A, __VA_ARGS__)                      \
                             AT_DISPATCH_CASE(B, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND3(A, B, C, TYPE, NAME, ...)                   \
  AT_DISPATCH_SWITCH(                                                          \
      TYPE, NAME,                                                              \
      AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(A, __VA_ARGS__) \
          AT_DISPATCH_CASE(B, __VA_ARGS__) AT_DISPATCH_CASE(C, __VA_ARGS__))
// NOLINTEND(bugprone-macro-parentheses)

#endif
