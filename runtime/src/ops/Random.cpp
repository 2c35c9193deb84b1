//===- Random.cpp - random numbers ----------------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers that libtorch draws on the CPU after the same manual_seed(): one
// Mersenne twister, from which each operation takes so many numbers of 32 or 64
// bits for an element, in the order of memory.
//
//===----------------------------------------------------------------------===//

#include "core/Release.h"
#include "kernels/Elementwise.h"
#include "tensortidy/functional.h"
#include <cmath>
#include <mutex>
#include <random>

namespace tensortidy {

using detail::impl;

static constexpr double Pi = 3.14159265358979323846;

struct detail::Random {
  std::mutex Lock;
  uint64_t Seed = default_rng_seed_val;
  std::mt19937 Engine;
  optional<double> Spare; ///< normal numbers come in pairs

  void seed(uint64_t To) {
    Seed = To;
    Engine.seed(static_cast<uint32_t>(To));
    Spare.reset();
  }
  uint32_t bits() { return static_cast<uint32_t>(Engine()); }
  uint64_t longBits() {
    const uint64_t High = bits();
    return High << 32 | bits();
  }
  /// Between 0 and 1: as many bits as the type has digits.
  template <class T> T uniform() {
    if constexpr (std::is_same_v<T, double>)
      return 0x1p-53 * static_cast<double>(longBits() & ((1ULL << 53) - 1));
    else if constexpr (std::is_same_v<T, Half>)
      return Half(static_cast<float>(bits() & ((1U << 11) - 1)) * 0x1p-11F);
    else if constexpr (std::is_same_v<T, BFloat16>)
      return BFloat16(static_cast<float>(bits() & ((1U << 8) - 1)) * 0x1p-8F);
    else
      return static_cast<T>(static_cast<float>(bits() & ((1U << 24) - 1)) *
                            0x1p-24F);
  }
  double normal() {
    if (Spare) {
      const double R = *Spare;
      Spare.reset();
      return R;
    }
    const double U1 = uniform<double>(), U2 = uniform<double>();
    const double Radius = std::sqrt(-2 * std::log(1 - U2));
    const double Angle = 2 * Pi * U1;
    Spare = Radius * std::sin(Angle);
    return Radius * std::cos(Angle);
  }
};

namespace {

using Random = detail::Random;
thread_local Random *Drawn = nullptr; ///< from the generator that was named
Random &generator() {
  return Drawn ? *Drawn : *detail::getDefaultCPUGenerator().state();
}

/// Each element becomes Draw(generator, tag of its type).
template <class F>
void draw(const Tensor &X, const char *Op, Site Here, F Draw) {
  Random &G = generator();
  {
    const std::lock_guard<std::mutex> Guard(G.Lock);
    detail::dispatch(X.scalar_type(), [&](auto T) {
      using E = typename decltype(T)::type;
      detail::loop(impl(X).L.Sizes, {&X},
                   [&](char **P, const int64_t *Step, int64_t N) {
                     for (int64_t K = 0; K < N; ++K)
                       detail::store(*reinterpret_cast<E *>(P[0] + K * Step[0]),
                                     Draw(G, T));
                   });
    });
  }
  detail::wrote(X, Op, Here);
}
void requireFloatingTarget(const Tensor &X, const char *Op, Site Here) {
  impl(X, Op, Here);
  if (!isFloatingType(impl(X).Type))
    detail::fail(std::string(Op) + " is not defined for type " +
                     toString(impl(X).Type),
                 X, Here);
  detail::requireNoInternalOverlap(X, Op, Here);
}

/// Sixteen uniform numbers become normal ones, by pairs eight apart. Of 16-bit
/// numbers each step is rounded.
template <class E> void normalSixteen(E *Data, double Mean, double Std) {
  using T = detail::Compute<E>;
  const auto Rounded = [](auto V) {
    E R;
    detail::store(R, V);
    return detail::load(R);
  };
  const T M = Rounded(static_cast<T>(Mean)), S = Rounded(static_cast<T>(Std));
  for (int J = 0; J < 8; ++J) {
    const T U1 = Rounded(1 - detail::load(Data[J]));
    const T U2 = detail::load(Data[J + 8]);
    const T Radius = Rounded(std::sqrt(Rounded(-2 * Rounded(std::log(U1)))));
    const T Angle = Rounded(static_cast<T>(2.0F * Pi * U2));
    const auto Place = [&](T Part) {
      return Rounded(Rounded(Rounded(Radius * Rounded(Part)) * S) + M);
    };
    detail::store(Data[J], Place(std::cos(Angle)));
    detail::store(Data[J + 8], Place(std::sin(Angle)));
  }
}
/// \p Drawn are drawn at first.
template <class E>
void fillNormal(Random &G, E *Data, int64_t N, int64_t Drawn, double Mean,
                double Std) {
  for (int64_t K = 0; K < Drawn; ++K)
    Data[K] = G.uniform<E>();
  for (int64_t K = 0; K + 15 < N; K += 16)
    normalSixteen(Data + K, Mean, Std);
  if (N % 16 == 0)
    return;
  E *Last = Data + N - 16; // drawn anew, all of them
  for (int64_t K = 0; K < 16; ++K)
    Last[K] = G.uniform<E>();
  normalSixteen(Last, Mean, Std);
}

/// The numbers 0 .. end-1 that a type has without gaps.
uint64_t wholeNumbers(ScalarType Type) {
  switch (Type) {
  case kByte:
    return 1ULL << 8;
  case kChar:
    return 1ULL << 7;
  case kShort:
    return 1ULL << 15;
  case kInt:
    return 1ULL << 31;
  case kLong:
    return 1ULL << 63;
  case kHalf:
    return (1ULL << 11) + 1;
  case kBFloat16:
    return (1ULL << 8) + 1;
  case kDouble:
    return (1ULL << 53) + 1;
  case kBool:
    return 2;
  default:
    return (1ULL << 24) + 1;
  }
}
template <class T> auto asNumber(uint64_t V) {
  if constexpr (detail::IsFloating<T>)
    return static_cast<detail::Compute<T>>(V);
  else
    return static_cast<T>(static_cast<int64_t>(V));
}

} // namespace

//===--- generators -----------------------------------------------------===//

Generator detail::createCPUGenerator(uint64_t seed_val) {
  Generator G(std::make_shared<Random>());
  G.set_current_seed(seed_val);
  return G;
}
/// One for the program. Without a seed it starts as the engine does.
const Generator &detail::getDefaultCPUGenerator() {
  static const Generator G(std::make_shared<Random>());
  return G;
}
static Random &stateOf(const Generator &G) {
  if (!G.defined())
    throw Error("the generator is not defined");
  return *G.state();
}
void Generator::set_current_seed(uint64_t seed) { stateOf(*this).seed(seed); }
uint64_t Generator::current_seed() const { return stateOf(*this).Seed; }
std::mutex &Generator::mutex() const { return stateOf(*this).Lock; }
Generator Generator::clone() const {
  const Random &From = stateOf(*this);
  Generator To(std::make_shared<Random>());
  To.State->Seed = From.Seed;
  To.State->Engine = From.Engine;
  To.State->Spare = From.Spare;
  return To;
}
detail::Drawing::Drawing(const optional<Generator> &From) : Before(Drawn) {
  if (From && From->defined())
    Drawn = From->state().get();
}
detail::Drawing::~Drawing() { Drawn = Before; }

void manual_seed(uint64_t seed) {
  Random &G = stateOf(detail::getDefaultCPUGenerator());
  const std::lock_guard<std::mutex> Guard(G.Lock);
  G.seed(seed);
}

//===--- in place -------------------------------------------------------===//

Tensor &Tensor::uniform_(double from, double to, Site Here) const {
  requireFloatingTarget(*this, "uniform_", Here);
  if (from > to)
    detail::fail("uniform_: no numbers from " + std::to_string(from) +
                     " up to " + std::to_string(to),
                 *this, Here);
  draw(*this, "uniform_", Here, [=](Random &G, auto T) {
    using E = typename decltype(T)::type;
    using C = detail::Compute<E>;
    const C From = static_cast<C>(from), Range = static_cast<C>(to) - From;
    if (detail::has(detail::Change::HalvesAreDrawnAsFloats)) {
      const C Wide = static_cast<C>(G.uniform<C>()) * Range + From;
      E Narrow;
      detail::store(Narrow, Wide);
      const bool IsEnd =
          sizeof(E) == 2 && static_cast<C>(Narrow) == From + Range;
      return static_cast<C>(IsEnd ? From : Wide);
    }
    const auto Drawn = static_cast<C>(G.uniform<E>());
    return static_cast<C>(Drawn * Range + From);
  });
  return self();
}
Tensor &Tensor::normal_(double mean, double std, Site Here) const {
  requireFloatingTarget(*this, "normal_", Here);
  if (std < 0)
    detail::fail("normal_: the deviation is negative", *this, Here);
  if (numel() < 16 || !is_contiguous()) {
    draw(*this, "normal_", Here,
         [=](Random &G, auto) { return G.normal() * std + mean; });
    return self();
  }
  Random &G = generator();
  {
    const std::lock_guard<std::mutex> Guard(G.Lock);
    detail::dispatchFloating(scalar_type(), [&](auto T) {
      using E = typename decltype(T)::type;
      using C = detail::Compute<E>;
      auto *Data = reinterpret_cast<E *>(impl(*this).data());
      if (!detail::has(detail::Change::HalvesAreDrawnAsFloats)) {
        fillNormal(G, Data, numel(), numel(), mean, std);
        return;
      }
      std::vector<C> Wide(static_cast<size_t>(numel()));
      const int64_t Drawn = std::is_same_v<E, C> ? numel() : numel() / 16 * 16;
      fillNormal(G, Wide.data(), numel(), Drawn, mean, std);
      for (size_t K = 0; K < Wide.size(); ++K)
        detail::store(Data[K], Wide[K]);
    });
  }
  detail::wrote(*this, "normal_", Here);
  return self();
}
Tensor &Tensor::random_(int64_t from, optional<int64_t> to, Site Here) const {
  impl(*this, "random_", Here);
  detail::requireNoInternalOverlap(*this, "random_", Here);
  const uint64_t Least = static_cast<uint64_t>(from);
  const uint64_t End =
      to ? static_cast<uint64_t>(*to) : wholeNumbers(scalar_type());
  if (to && *to <= from)
    detail::fail("random_: no numbers from " + std::to_string(from) +
                     " up to " + std::to_string(*to),
                 Here);
  if (scalar_type() == kBool && to && (from < 0 || *to > 2))
    detail::fail("random_ of other numbers than 0 and 1 is not defined for "
                 "type Bool",
                 *this, Here);
  const uint64_t Range = End - Least;
  draw(*this, "random_", Here, [=](Random &G, auto T) {
    const uint64_t Drawn = Range >= 1ULL << 32 ? G.longBits() : G.bits();
    using E = typename decltype(T)::type;
    using C = std::conditional_t<detail::IsFloating<E>, detail::Compute<E>, E>;
    return static_cast<C>(static_cast<int64_t>(Drawn % Range + Least));
  });
  return self();
}
Tensor &Tensor::random_(int64_t to, Site Here) const {
  return random_(0, to, Here);
}
Tensor &Tensor::random_(Site Here) const {
  impl(*this, "random_", Here);
  detail::requireNoInternalOverlap(*this, "random_", Here);
  const uint64_t Range = wholeNumbers(scalar_type());
  draw(*this, "random_", Here, [=](Random &G, auto T) {
    using E = typename decltype(T)::type;
    constexpr bool Long =
        std::is_same_v<E, double> || std::is_same_v<E, int64_t>;
    return asNumber<E>((Long ? G.longBits() : G.bits()) % Range);
  });
  return self();
}
static void requireProbability(double P, const char *Op, const Tensor &X,
                               Site Here) {
  if (!(P >= 0 && P <= 1))
    detail::fail(std::string(Op) + ": the probability " + std::to_string(P) +
                     " is not between 0 and 1",
                 X, Here);
}
Tensor &Tensor::bernoulli_(double p, Site Here) const {
  impl(*this, "bernoulli_", Here);
  requireProbability(p, "bernoulli_", *this, Here);
  detail::requireNoInternalOverlap(*this, "bernoulli_", Here);
  draw(*this, "bernoulli_", Here, [=](Random &G, auto) {
    const double Drawn = G.uniform<double>();
    return Drawn < p;
  });
  return self();
}
Tensor &Tensor::bernoulli_(const Tensor &p, Site Here) const {
  const char *Op = "bernoulli_";
  impl(*this, Op, Here);
  detail::reads(p, Op, Here);
  detail::requireNoInternalOverlap(*this, Op, Here);
  if (!isFloatingType(p.scalar_type()))
    detail::fail(std::string("bernoulli_ of probabilities is not defined for "
                             "type ") +
                     tensortidy::toString(p.scalar_type()),
                 p, Here);
  const bool Wide = p.scalar_type() == kDouble;
  const Tensor P =
      p.to(kDouble, false, false, nullopt, Here).expand(sizes(), false, Here);
  Random &G = generator();
  {
    const std::lock_guard<std::mutex> Guard(G.Lock);
    detail::dispatch(scalar_type(), [&](auto T) {
      using E = typename decltype(T)::type;
      detail::loop(
          impl(*this).L.Sizes, {this, &P},
          [&](char **At, const int64_t *Step, int64_t N) {
            for (int64_t K = 0; K < N; ++K) {
              const double Is =
                  *reinterpret_cast<const double *>(At[1] + K * Step[1]);
              requireProbability(Is, Op, p, Here);
              const double Drawn =
                  Wide ? G.uniform<double>() : double(G.uniform<float>());
              detail::store(*reinterpret_cast<E *>(At[0] + K * Step[0]),
                            Drawn < Is);
            }
          });
    });
  }
  detail::wrote(*this, Op, Here);
  return self();
}
Tensor &Tensor::exponential_(double lambd, Site Here) const {
  requireFloatingTarget(*this, "exponential_", Here);
  if (lambd <= 0)
    detail::fail("exponential_: the rate is not positive", *this, Here);
  draw(*this, "exponential_", Here, [=](Random &G, auto) {
    return -1 / lambd * std::log(1 - G.uniform<double>());
  });
  return self();
}
Tensor &Tensor::cauchy_(double median, double sigma, Site Here) const {
  requireFloatingTarget(*this, "cauchy_", Here);
  draw(*this, "cauchy_", Here, [=](Random &G, auto) {
    return median + sigma * std::tan(Pi * (G.uniform<double>() - 0.5));
  });
  return self();
}
Tensor &Tensor::geometric_(double p, Site Here) const {
  impl(*this, "geometric_", Here);
  detail::requireNotBool(*this, "geometric_", Here);
  detail::requireNoInternalOverlap(*this, "geometric_", Here);
  if (!(p > 0 && p < 1))
    detail::fail("geometric_: the probability is not between 0 and 1", *this,
                 Here);
  draw(*this, "geometric_", Here, [=](Random &G, auto) {
    return std::ceil(std::log(G.uniform<double>()) / std::log(1 - p));
  });
  return self();
}
Tensor &Tensor::log_normal_(double mean, double std, Site Here) const {
  requireFloatingTarget(*this, "log_normal_", Here);
  if (std <= 0)
    detail::fail("log_normal_: the deviation is not positive", *this, Here);
  draw(*this, "log_normal_", Here,
       [=](Random &G, auto) { return std::exp(G.normal() * std + mean); });
  return self();
}

//===--- new tensors ----------------------------------------------------===//

/// Memory that says what it is for.
static Tensor room(const char *Op, IntArrayRef Sizes,
                   const TensorOptions &Options, Site Here) {
  Tensor R = empty(Sizes, Options, nullopt, Here);
  impl(R).Op = impl(R).Store->Op = Op;
  return R;
}
static Tensor roomLike(const char *Op, const Tensor &X,
                       const TensorOptions &Options,
                       optional<MemoryFormat> Format, Site Here) {
  Tensor R = empty_like(X, Options, Format, Here);
  impl(R).Op = impl(R).Store->Op = Op;
  return R;
}
Tensor rand(IntArrayRef size, TensorOptions options, Site Here) {
  return room("rand", size, options, Here).uniform_(0, 1, Here);
}
Tensor randn(IntArrayRef size, TensorOptions options, Site Here) {
  return room("randn", size, options, Here).normal_(0, 1, Here);
}
Tensor randint(int64_t low, int64_t high, IntArrayRef size,
               TensorOptions options, Site Here) {
  if (!options.has_dtype())
    options = options.dtype(kLong);
  return room("randint", size, options, Here).random_(low, high, Here);
}
Tensor randint(int64_t high, IntArrayRef size, TensorOptions options,
               Site Here) {
  return randint(0, high, size, options, Here);
}
Tensor randperm(int64_t n, TensorOptions options, Site Here) {
  if (n < 0)
    detail::fail("randperm: the number of steps is negative", Here);
  Tensor R = arange(n, TensorOptions(kLong), Here);
  Random &G = generator();
  const std::lock_guard<std::mutex> Guard(G.Lock);
  auto *Data = static_cast<int64_t *>(R.data_ptr());
  for (int64_t K = 0; K + 1 < n; ++K)
    std::swap(Data[K], Data[K + static_cast<int64_t>(
                                    G.bits() % static_cast<uint64_t>(n - K))]);
  return options.has_dtype() ? R.to(options.dtype()) : R;
}
Tensor rand_like(const Tensor &self, TensorOptions options,
                 optional<MemoryFormat> memory_format, Site Here) {
  return roomLike("rand_like", self, options, memory_format, Here)
      .uniform_(0, 1, Here);
}
Tensor randn_like(const Tensor &self, TensorOptions options,
                  optional<MemoryFormat> memory_format, Site Here) {
  return roomLike("randn_like", self, options, memory_format, Here)
      .normal_(0, 1, Here);
}
Tensor randint_like(const Tensor &self, int64_t high, TensorOptions options,
                    optional<MemoryFormat> memory_format, Site Here) {
  return randint_like(self, 0, high, options, memory_format, Here);
}
Tensor randint_like(const Tensor &self, int64_t low, int64_t high,
                    TensorOptions options, optional<MemoryFormat> memory_format,
                    Site Here) {
  return empty_like(self, options, memory_format, Here)
      .random_(low, high, Here);
}
Tensor normal(const Tensor &mean, double std, Site Here) {
  detail::requireFloating(mean, "normal", Here);
  return empty_like(mean, {}, MemoryFormat::Contiguous, Here)
      .normal_(0, std, Here)
      .add_(mean, 1, Here);
}
Tensor normal(double mean, const Tensor &std, Site Here) {
  detail::requireFloating(std, "normal", Here);
  return randn_like(std, {}, MemoryFormat::Contiguous, Here)
      .mul_(std, Here)
      .add_(mean, 1, Here);
}
Tensor normal(const Tensor &mean, const Tensor &std, Site Here) {
  detail::requireFloating(mean, "normal", Here);
  detail::requireFloating(std, "normal", Here);
  const detail::Dims Sizes = detail::broadcast(mean, std, "normal", Here);
  return randn(detail::ref(Sizes), mean.scalar_type(), Here)
      .mul_(std, Here)
      .add_(mean, 1, Here);
}
Tensor normal(double mean, double std, IntArrayRef size, TensorOptions options,
              Site Here) {
  return empty(size, options, nullopt, Here).normal_(mean, std, Here);
}
Tensor bernoulli(const Tensor &self, Site Here) {
  detail::requireFloating(self, "bernoulli", Here);
  return empty_like(self, {}, MemoryFormat::Contiguous, Here)
      .bernoulli_(self, Here);
}
Tensor bernoulli(const Tensor &self, double p, Site Here) {
  return empty_like(self, {}, MemoryFormat::Contiguous, Here)
      .bernoulli_(p, Here);
}
Tensor multinomial(const Tensor &self, int64_t num_samples, bool replacement,
                   Site Here) {
  const char *Op = "multinomial";
  const size_t Rank = impl(self, Op, Here).L.rank();
  if (Rank != 1 && Rank != 2)
    detail::fail("multinomial: expected a vector or a matrix", self, Here);
  detail::requireFloating(self, Op, Here);
  const int64_t Choices = self.size(-1);
  if (num_samples <= 0 || (!replacement && num_samples > Choices))
    detail::fail("multinomial: " + std::to_string(num_samples) +
                     " samples of " + std::to_string(Choices) +
                     (replacement ? "" : ", each once,") + " do not fit",
                 self, Here);
  if (self.numel() && (!self.isfinite(Here).all(Here).item<bool>(Here) ||
                       self.min(Here).item<double>(Here) < 0))
    detail::fail("multinomial: a weight is negative, infinite or not a number",
                 self, Here);
  if (!self.sum(-1, false, nullopt, Here)
           .gt(0, Here)
           .all(Here)
           .item<bool>(Here))
    detail::fail("multinomial: all weights are 0", self, Here);
  if (!replacement || num_samples == 1) {
    // The first of waiting times whose rates are the weights.
    const Tensor Rate = self.div(
        empty_like(self, {}, nullopt, Here).exponential_(1, Here), Here);
    return num_samples == 1
               ? Rate.argmax(-1, true, Here)
               : std::get<1>(Rate.topk(num_samples, -1, true, true, Here));
  }
  std::vector<int64_t> Sizes = self.sizes().vec();
  Sizes.back() = num_samples;
  if (self.numel() == 0) // no rows
    return empty(Sizes, kLong, nullopt, Here);
  const Tensor Sums = self.cumsum(-1, nullopt, Here);
  const Tensor Upto =
      Sums.div(Sums.narrow(-1, Choices - 1, 1, Here), Here).to(kDouble);
  return searchsorted(Upto, rand(Sizes, kDouble, Here), false, false, Here)
      .clamp_max_(Choices - 1, Here);
}

} // namespace tensortidy
