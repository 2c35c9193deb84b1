//===- device_vector.h - stands in for Thrust -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#pragma once
#include <complex>
#include <cuda_runtime.h>
#include <functional>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#define THRUST_VERSION 200300

namespace thrust {

using std::get;
using std::make_pair;
using std::make_tuple;
using std::pair;
using std::tie;
using std::tuple;
using std::tuple_element;
using std::tuple_size;

using std::divides;
using std::equal_to;
using std::greater;
using std::greater_equal;
using std::less;
using std::less_equal;
using std::logical_and;
using std::logical_or;
using std::minus;
using std::multiplies;
using std::negate;
using std::not_equal_to;
using std::plus;
template <class T = void> struct maximum {
  T operator()(T, T) const;
};
template <class T = void> struct minimum {
  T operator()(T, T) const;
};
template <class T = void> struct identity {
  T operator()(T) const;
};
template <class A, class B> struct unary_function {
  using argument_type = A;
  using result_type = B;
};
template <class A, class B, class C> struct binary_function {
  using result_type = C;
};
namespace placeholders {
struct placeholder {
  template <class T> bool operator==(T) const;
  template <class T> bool operator!=(T) const;
  template <class T> bool operator<(T) const;
  template <class T> bool operator>(T) const;
};
static const placeholder _1{}, _2{};
} // namespace placeholders

template <class T> struct complex {
  T Re = T(), Im = T();
  complex() = default;
  complex(T R, T I = T()) : Re(R), Im(I) {}
  template <class U> complex(const complex<U> &);
  T real() const { return Re; }
  T imag() const { return Im; }
  operator std::complex<T>() const { return {Re, Im}; }
};
template <class T> T abs(const complex<T> &);
template <class T> T arg(const complex<T> &);
#define TENSORTIDY_THRUST_COMPLEX(Name)                                        \
  template <class T> complex<T> Name(const complex<T> &);
TENSORTIDY_THRUST_COMPLEX(exp)
TENSORTIDY_THRUST_COMPLEX(log)
TENSORTIDY_THRUST_COMPLEX(log10)
TENSORTIDY_THRUST_COMPLEX(sqrt)
TENSORTIDY_THRUST_COMPLEX(sin)
TENSORTIDY_THRUST_COMPLEX(cos)
TENSORTIDY_THRUST_COMPLEX(tan)
TENSORTIDY_THRUST_COMPLEX(sinh)
TENSORTIDY_THRUST_COMPLEX(cosh)
TENSORTIDY_THRUST_COMPLEX(tanh)
TENSORTIDY_THRUST_COMPLEX(asin)
TENSORTIDY_THRUST_COMPLEX(acos)
TENSORTIDY_THRUST_COMPLEX(atan)
TENSORTIDY_THRUST_COMPLEX(asinh)
TENSORTIDY_THRUST_COMPLEX(acosh)
TENSORTIDY_THRUST_COMPLEX(atanh)
TENSORTIDY_THRUST_COMPLEX(conj)
#undef TENSORTIDY_THRUST_COMPLEX
template <class T> complex<T> polar(T, T = T());
template <class T, class U> complex<T> pow(const complex<T> &, U);
template <class T> complex<T> pow(T, const complex<T> &);

// --- where things run ---
struct execution_policy_base {
  template <class T> execution_policy_base on(T) const;
  template <class T> execution_policy_base operator()(T &&) const;
};
static const execution_policy_base device{}, host{}, seq{};
struct device_execution_policy {};
namespace cuda {
static const execution_policy_base par{}, par_nosync{};
} // namespace cuda
namespace system {
namespace cuda = ::thrust::cuda;
} // namespace system
struct system_error : std::exception {};

// --- containers, pointers, iterators ---
template <class T> struct device_ptr {
  using value_type = T;
  using reference = T &;
  using difference_type = ptrdiff_t;
  using pointer = T *;
  using iterator_category = std::random_access_iterator_tag;
  device_ptr(T * = nullptr);
  T *get() const;
  T &operator*() const;
  T &operator[](ptrdiff_t) const;
  device_ptr operator+(ptrdiff_t) const;
  device_ptr &operator++();
  ptrdiff_t operator-(device_ptr) const;
  bool operator==(device_ptr) const;
  bool operator!=(device_ptr) const;
};
template <class T> device_ptr<T> device_pointer_cast(T *);
template <class T> T *raw_pointer_cast(T *);
template <class T> T *raw_pointer_cast(device_ptr<T>);
template <class T> struct device_allocator : std::allocator<T> {};
template <class T, class A = std::allocator<T>>
struct device_vector : std::vector<T> {
  using std::vector<T>::vector;
};
template <class T, class A = std::allocator<T>>
struct host_vector : std::vector<T> {
  using std::vector<T>::vector;
};
template <class T> struct any_iterator {
  using value_type = T;
  using reference = T;
  using difference_type = ptrdiff_t;
  using pointer = T *;
  using iterator_category = std::random_access_iterator_tag;
  any_iterator operator+(ptrdiff_t) const;
  ptrdiff_t operator-(any_iterator) const;
  any_iterator &operator++();
  T operator*() const;
  T operator[](ptrdiff_t) const;
};
template <class T> struct counting_iterator : any_iterator<T> {
  counting_iterator(T = T());
};
template <class T> struct constant_iterator : any_iterator<T> {
  constant_iterator(T);
};
template <class... Args> any_iterator<int> make_transform_iterator(Args &&...);
template <class... Args> any_iterator<int> make_zip_iterator(Args &&...);
template <class... Args>
any_iterator<int> make_permutation_iterator(Args &&...);
template <class T> counting_iterator<T> make_counting_iterator(T);
template <class T> constant_iterator<T> make_constant_iterator(T);
any_iterator<int> make_discard_iterator();
template <class F, class It> struct transform_iterator : any_iterator<int> {
  transform_iterator(It, F);
};

// --- algorithms, with or without a policy first ---
namespace detail {
template <class... Args> struct last;
template <class T> struct last<T> {
  using type = T;
};
template <class T, class... Rest> struct last<T, Rest...> : last<Rest...> {};
} // namespace detail
#define TENSORTIDY_THRUST(Result, Name)                                        \
  template <class... Args> Result Name(Args &&...);
TENSORTIDY_THRUST(void, sort)
TENSORTIDY_THRUST(void, stable_sort)
TENSORTIDY_THRUST(void, sort_by_key)
TENSORTIDY_THRUST(void, stable_sort_by_key)
TENSORTIDY_THRUST(void, fill)
TENSORTIDY_THRUST(void, sequence)
TENSORTIDY_THRUST(void, tabulate)
TENSORTIDY_THRUST(void, generate)
TENSORTIDY_THRUST(void, replace)
TENSORTIDY_THRUST(void, for_each)
TENSORTIDY_THRUST(void, for_each_n)
TENSORTIDY_THRUST(void, scatter)
TENSORTIDY_THRUST(void, gather)
TENSORTIDY_THRUST(void, swap_ranges)
TENSORTIDY_THRUST(long, count)
TENSORTIDY_THRUST(long, count_if)
TENSORTIDY_THRUST(bool, equal)
TENSORTIDY_THRUST(bool, all_of)
TENSORTIDY_THRUST(bool, any_of)
TENSORTIDY_THRUST(bool, none_of)
TENSORTIDY_THRUST(bool, is_sorted)
#undef TENSORTIDY_THRUST
// These answer with an iterator of the kind they were given last.
#define TENSORTIDY_THRUST(Name)                                                \
  template <class... Args>                                                     \
  std::decay_t<typename detail::last<Args...>::type> Name(Args &&...);
TENSORTIDY_THRUST(copy)
TENSORTIDY_THRUST(copy_n)
TENSORTIDY_THRUST(reduce)
TENSORTIDY_THRUST(inclusive_scan)
TENSORTIDY_THRUST(exclusive_scan)
TENSORTIDY_THRUST(inclusive_scan_by_key)
TENSORTIDY_THRUST(exclusive_scan_by_key)
TENSORTIDY_THRUST(unique)
TENSORTIDY_THRUST(lower_bound)
TENSORTIDY_THRUST(upper_bound)
TENSORTIDY_THRUST(max_element)
TENSORTIDY_THRUST(min_element)
#undef TENSORTIDY_THRUST
template <class P, class It, class Out, class... Rest>
Out transform(P &&, It, Out, Rest &&...);
template <class It, class F, class T, class... Rest>
T transform_reduce(It, It, F, T, Rest &&...);
template <class P, class... Args> P copy_if(P, Args &&...);
template <class P, class... Args> P remove_if(P, Args &&...);
template <class P, class... Args> std::pair<P, P> reduce_by_key(P, Args &&...);
template <class P, class... Args> std::pair<P, P> unique_by_key(P, Args &&...);
template <class It> ptrdiff_t distance(It A, It B) { return B - A; }
template <class T, class U> void swap(T &, U &);

using std::default_random_engine;
using std::minstd_rand;
template <class T>
using uniform_real_distribution = std::uniform_real_distribution<T>;
template <class T> using normal_distribution = std::normal_distribution<T>;

} // namespace thrust
