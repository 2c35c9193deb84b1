// Times of two libraries, measured in turns.
//
// Machines are noisy: the columns of a row take turns, many times, and each
// shows its best. What is measured is the thread's own time, so that other
// programs' turns on the processor do not count.

#ifndef TENSORTIDY_BENCH_BESIDE_H
#define TENSORTIDY_BENCH_BESIDE_H

#include "tensortidy/tensor.h"
#include <ATen/ATen.h>
#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>
#include <functional>
#include <vector>

namespace tt = tensortidy;

using Clock = std::chrono::steady_clock;
using Work = std::function<void()>;

inline double threadTime() { // in nanoseconds
  timespec T{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &T);
  return static_cast<double>(T.tv_sec) * 1e9 + static_cast<double>(T.tv_nsec);
}
inline double nanoseconds(const Work &W, long Times) {
  const double Begin = threadTime();
  for (long I = 0; I < Times; ++I)
    W();
  return (threadTime() - Begin) / static_cast<double>(Times);
}

/// The best times of \p All, which take turns for so many seconds and at
/// least so many turns, each second round the other way, so that what disturbs
/// the machine meets all alike. Each turn begins with calls that do not count:
/// what the others' operands pushed out of the caches comes back, or how memory
/// happens to lie would decide.
inline std::vector<double> bests(const std::vector<const Work *> &All,
                                 double Duration, int Turns = 15) {
  std::vector<double> Best(3, 1e300);
  std::vector<long> Times(3, 1);
  // Warmed up, turns of about 50 us, against which reading the clock is
  // nothing.
  for (size_t I = 0; I < All.size(); ++I) {
    for (const double End = threadTime() + 2e6; threadTime() < End;)
      (*All[I])();
    while (nanoseconds(*All[I], Times[I]) * static_cast<double>(Times[I]) < 5e4)
      Times[I] *= 2;
  }
  const auto Begin = Clock::now();
  for (int Turn = 0;
       Turn < Turns ||
       std::chrono::duration<double>(Clock::now() - Begin).count() < Duration;
       ++Turn)
    for (size_t I = 0; I < All.size(); ++I) {
      const size_t K = Turn % 2 ? All.size() - 1 - I : I;
      for (const double End = threadTime() + 5e5; threadTime() < End;)
        (*All[K])();
      Best[K] = std::min(Best[K], nanoseconds(*All[K], Times[K]));
    }
  return Best;
}

template <class T> void keep(const T &V) {
  asm volatile("" : : "g"(&V) : "memory");
}

/// The same elements in both libraries.
struct Pair {
  tt::Tensor A;
  at::Tensor B;
  explicit Pair(std::vector<int64_t> Sizes,
                tt::ScalarType Type = tt::ScalarType::Float)
      : A(tt::rand(Sizes).mul(Type == tt::kFloat ? 1 : 100).to(Type)),
        B(at::empty(Sizes, static_cast<at::ScalarType>(Type))) {
    std::memcpy(B.data_ptr(), A.data_ptr(), A.nbytes());
  }
};

/// Rows of random operations, types, sizes and layouts; prints those that are
/// slower than they should be, and returns how many.
int sweep(unsigned Seed, int Rows, const char *Only);

#endif
