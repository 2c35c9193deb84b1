// RUN: %check %s --checks=-*,tensor-sync-in-loop --config='{CheckOptions: {tensor-sync-in-loop.Level: 2}}' -- %runtime
// Level 2: read in every iteration only to be summed up or collected.

#include <tensortidy/aten.h>

#include <vector>

double sum(const std::vector<at::Tensor> &batches, std::vector<float> &all) {
  double total = 0;
  for (const auto &batch : batches) {
    auto loss = torch::relu(batch).sum();
    total += loss.item<double>() * 2;
    // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: item() waits for the device in every iteration, and the number is only collected [tensor-sync-in-loop]
    // CHECK-MESSAGES: :[[#@LINE-4]]:3: note: collect detach()ed tensors in this loop, and read them once after it
    all.push_back(loss.item<float>());
    // CHECK-MESSAGES: :[[#@LINE-1]]:24: warning: item() waits for the device in every iteration
    // CHECK-MESSAGES: :[[#@LINE-7]]:3: note:
  }
  return total;
}

// Needed in its iteration, read now and then, or on the CPU.
double needed(const std::vector<at::Tensor> &batches) {
  double best = 0, total = 0;
  int64_t step = 0;
  for (const auto &batch : batches) {
    auto loss = torch::relu(batch).sum();
    if (loss.item<double>() > best)
      break;
    if (++step % 100 == 0)
      total += loss.item<double>();
    auto own = torch::ones({2}).view({1, 2})[0][0];
    total += own.item<double>();
  }
  for (const auto &batch : batches) {
    best += batch.sum().item<double>();
    if (best > 100)
      break;
  }
  return total + best;
}
