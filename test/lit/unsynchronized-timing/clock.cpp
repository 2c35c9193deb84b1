// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-unsynchronized-timing --config='{CheckOptions: {tensor-unsynchronized-timing.Level: 2}}' -- %aten
// RUN: %silent %s --checks=-*,tensor-unsynchronized-timing -- %aten
// Work of a device, timed without waiting for it.

#include <ATen/ATen.h>

#include <chrono>

namespace torch::cuda {
void synchronize();
}
void unknown(const at::Tensor &x);
using Clock = std::chrono::steady_clock;

double unfinished(const at::Tensor &given) {
  auto x = given.to(at::kCUDA);
  auto start = Clock::now();
  for (int i = 0; i < 10; ++i)
    x = at::matmul(x, x);
  auto stop = Clock::now();
  // CHECK-MESSAGES: :[[#@LINE-1]]:15: warning: the clock is read before the device has finished: this measures the time to launch the work [tensor-unsynchronized-timing]
  // CHECK-MESSAGES: :[[#@LINE-5]]:16: note: the measurement starts here
  // CHECK-MESSAGES: :[[#@LINE-4]]:13: note: this returns at once; call torch::cuda::synchronize() before each reading
  return std::chrono::duration<double>(stop - start).count();
}

// Making a closure waits for nothing.
double besideAClosure(const at::Tensor &given) {
  auto x = given.to(at::kCUDA);
  auto start = Clock::now();
  x = at::matmul(x, x);
  auto twice = [&x] { return x + x; };
  auto stop = Clock::now();
  // CHECK-MESSAGES: :[[#@LINE-1]]:15: warning: the clock is read before the device has finished
  unknown(twice());
  return std::chrono::duration<double>(stop - start).count();
}

double waits(const at::Tensor &given) {
  auto x = given.to(at::kCUDA);
  auto start = Clock::now();
  x = at::matmul(x, x);
  torch::cuda::synchronize();
  auto stop = Clock::now();
  return std::chrono::duration<double>(stop - start).count();
}

double reads(const at::Tensor &given) {
  auto x = given.to(at::kCUDA);
  auto start = Clock::now();
  float sum = at::matmul(x, x).sum().item<float>();
  return std::chrono::duration<double>(Clock::now() - start).count() + sum;
}

double mayWait(const at::Tensor &given) {
  auto x = given.to(at::kCUDA);
  auto start = Clock::now();
  unknown(at::matmul(x, x));
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double somewhere(at::Tensor x) {
  auto start = Clock::now();
  x = at::matmul(x, x);
  return std::chrono::duration<double>(Clock::now() - start).count();
}
