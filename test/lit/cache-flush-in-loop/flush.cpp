// RUN: %check %s --checks=-*,tensor-cache-flush-in-loop --config='{CheckOptions: {tensor-cache-flush-in-loop.Level: 2}}' -- %runtime
// RUN: %silent %s --checks=-*,tensor-cache-flush-in-loop -- %runtime
// The cache emptied in every iteration.

#include <tensortidy/aten.h>

namespace CUDACachingAllocator {
void emptyCache();
}

at::Tensor each(at::Tensor x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    x = torch::relu(x);
    CUDACachingAllocator::emptyCache();
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: emptyCache() in every iteration: memory that is returned to the device is requested again in the next [tensor-cache-flush-in-loop]
    // CHECK-MESSAGES: :[[#@LINE-4]]:3: note: the cache serves this loop's allocations without it; empty it once, before something else needs the memory
  }
  return x;
}

at::Tensor rarely(at::Tensor x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    x = torch::relu(x);
    if (i % 1000 == 0)
      CUDACachingAllocator::emptyCache();
  }
  CUDACachingAllocator::emptyCache();
  return x;
}
