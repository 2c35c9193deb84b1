//===- Vectors.h - loops for the processor that is there --------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The library is built for any processor of its architecture. Loops that gain
// from wider vectors are compiled twice, and the processor is asked once:
//
//   vectorised([&] { for (...) A[K] += B[K]; });
//   forProcessor<Loop>()     which compilation of Loop::run() to call, often
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_RUNTIME_VECTORS_H
#define TENSORTIDY_RUNTIME_VECTORS_H

#if defined(__x86_64__) && defined(__GNUC__)
#define TENSORTIDY_AVX2 __attribute__((target("avx2,fma,f16c")))
#endif

// The next loop's reads and writes do not meet.
#if defined(__clang__)
#define TENSORTIDY_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define TENSORTIDY_INDEPENDENT _Pragma("GCC ivdep")
#else
#define TENSORTIDY_INDEPENDENT
#endif

// The next loop, of at most 16 turns, becomes straight code.
#if defined(__clang__)
#define TENSORTIDY_UNROLLED _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define TENSORTIDY_UNROLLED _Pragma("GCC unroll 16")
#else
#define TENSORTIDY_UNROLLED
#endif

// A turn of the next loop, whose turns do little, takes two vectors.
#if defined(__GNUC__) && !defined(__clang__)
#define TENSORTIDY_BY_TWO _Pragma("GCC unroll 2")
#else
#define TENSORTIDY_BY_TWO
#endif

namespace tensortidy::detail {

/// Loop::run() for the processor that is there. What it calls becomes part of
/// it, and so is compiled for AVX2 as well.
template <class Loop, class... Args>
__attribute__((flatten)) void runPlain(Args... A) {
  Loop::run(A...);
}
#if defined(TENSORTIDY_AVX2)
inline bool hasAvx2() {
  static const bool Has =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("f16c");
  return Has;
}
template <class Loop, class... Args>
TENSORTIDY_AVX2 __attribute__((flatten)) void runWide(Args... A) {
  Loop::run(A...);
}
#endif
template <class Loop, class... Args>
auto forProcessor(void (*)(Args...)) -> void (*)(Args...) {
#if defined(TENSORTIDY_AVX2)
  if (hasAvx2())
    return runWide<Loop, Args...>;
#endif
  return runPlain<Loop, Args...>;
}
template <class Loop> auto forProcessor() {
  return forProcessor<Loop>(&Loop::run);
}

/// The same of a function object, at once. By value: no element that is
/// written can be something it has captured.
template <class F> void vectorised(F Function) {
  struct Loop {
    static void run(F Copy) { Copy(); }
  };
  forProcessor<Loop>()(Function);
}

} // namespace tensortidy::detail

#endif
