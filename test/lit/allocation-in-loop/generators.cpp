// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-allocation-in-loop -- %torch
// RUN: %silent %s --checks=-*,tensor-allocation-in-loop --config='{CheckOptions: {tensor-allocation-in-loop.Level: 0}}' -- %torch
// Generators that begin at the same seed in every iteration.

#include <ATen/CPUGeneratorImpl.h>
#include <torch/torch.h>

using Batches = std::vector<at::Tensor>;

at::Tensor rows(int64_t n, uint64_t seed) {
  Batches out;
  for (int64_t i = 0; i < n; ++i) {
    auto gen = at::make_generator<at::CPUGeneratorImpl>(seed);
    // CHECK-MESSAGES: :[[#@LINE-1]]:16: warning: make_generator() begins at the same seed in every iteration: randn() gives the same numbers each time; make the generator before the loop [tensor-allocation-in-loop]
    // CHECK-MESSAGES: :[[#@LINE+2]]:26: note: these are the numbers
    // CHECK-MESSAGES: :[[#@LINE+1]]:5: note: they are kept here, with those of other iterations
    out.push_back(torch::randn({16}, gen));
  }
  return torch::stack(out);
}
// Noise on data, in rows of one tensor; the library's own generator.
void noisy(const Batches &all, at::Tensor out) {
  for (size_t i = 0; i < all.size(); ++i) {
    torch::manual_seed(42);
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: manual_seed() begins at the same seed in every iteration: randn_like() gives the same numbers each time; set the seed before the loop
    auto noise = torch::randn_like(all[i]);
    out[static_cast<int64_t>(i)] = all[i] + 0.1 * noise;
  }
}
// What goes into the next iteration.
class Sampler {
public:
  at::Tensor sample(int64_t steps) {
    auto x = torch::zeros({4, 16});
    for (int64_t t = steps; t > 0; --t) {
      auto gen = at::detail::createCPUGenerator(seed_);
      // CHECK-MESSAGES: :[[#@LINE-1]]:18: warning: createCPUGenerator() begins at the same seed in every iteration
      auto z = torch::randn({4, 16}, gen);
      x = x * 0.9 + z * 0.1;
    }
    return x;
  }
  Batches tokens(const at::Tensor &logits, int64_t n) {
    Batches all;
    for (int64_t i = 0; i < n; ++i) {
      auto gen = at::detail::createCPUGenerator(seed_);
      // CHECK-MESSAGES: :[[#@LINE-1]]:18: warning: createCPUGenerator() begins at the same seed in every iteration: multinomial() gives the same numbers each time
      all.push_back(torch::multinomial(logits[i].softmax(-1), 1, false, gen));
    }
    return all;
  }

private:
  uint64_t seed_ = 7;
};
// In a function that the loop calls.
static at::Tensor noise(int64_t n, uint64_t seed) {
  auto gen = at::detail::createCPUGenerator(seed);
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: createCPUGenerator() begins at the same seed in every iteration
  return torch::rand({n}, gen);
}
Batches called(int64_t n) {
  Batches all;
  for (int64_t i = 0; i < n; ++i)
    all.push_back(noise(8, 1234));
  return all;
}

// Right: made before the loop, or with a seed of its own each time.
at::Tensor before(int64_t n, uint64_t seed) {
  Batches out;
  auto gen = at::make_generator<at::CPUGeneratorImpl>(seed);
  torch::manual_seed(42);
  for (int64_t i = 0; i < n; ++i)
    out.push_back(torch::randn({16}, gen) + torch::rand({16}));
  return torch::stack(out);
}
at::Tensor counted(int64_t n, uint64_t seed) {
  Batches out;
  for (int64_t i = 0; i < n; ++i) {
    auto gen = at::make_generator<at::CPUGeneratorImpl>(seed + i);
    out.push_back(torch::randn({16}, gen));
    torch::manual_seed(seed++);
    out.push_back(torch::randn({16}));
  }
  return torch::stack(out);
}
// Settings are compared, or runs; what was drawn is used up.
Batches scales(const std::vector<double> &sigmas, const at::Tensor &x) {
  Batches all;
  for (double sigma : sigmas) {
    torch::manual_seed(0);
    all.push_back(x + sigma * torch::randn_like(x));
  }
  return all;
}
Batches sizes(const std::vector<int64_t> &all) {
  Batches out;
  for (int64_t n : all) {
    torch::manual_seed(0);
    out.push_back(torch::randn({n, n}));
  }
  return out;
}
at::Tensor run(const at::Tensor &x);
Batches runs(int64_t n) {
  Batches out;
  for (int64_t i = 0; i < n; ++i) {
    torch::manual_seed(0);
    out.push_back(run(torch::randn({4, 4})));
  }
  return out;
}
void deterministic() {
  Batches out;
  for (int i = 0; i < 2; ++i) {
    torch::manual_seed(0);
    out.push_back(torch::randn({4}));
  }
  TORCH_CHECK(torch::equal(out[0], out[1]));
}
double used(int64_t n) {
  double last = 0;
  for (int64_t i = 0; i < n; ++i) {
    torch::manual_seed(0);
    last = torch::randn({4, 4}).sum().item<double>();
    std::cout << last << '\n';
  }
  return last;
}
