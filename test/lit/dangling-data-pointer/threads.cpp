// RUN: %check %s --checks=-*,tensor-dangling-data-pointer -- %runtime
// Pointers in closures that run later.

#include <functional>
#include <future>
#include <tensortidy/aten.h>
#include <thread>
#include <vector>

float sum(const float *, int64_t);

void detached(const at::Tensor &x) {
  auto y = x + 1;
  float *p = y.data_ptr<float>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:16: warning: data_ptr() is kept in a detached thread, which outlives the tensor it points into [tensor-dangling-data-pointer]
  std::thread worker([p] { sum(p, 3); });
  worker.detach();
}

void unnamed(const at::Tensor &x) {
  auto y = x + 1;
  std::thread(sum, y.data_ptr<float>(), y.numel()).detach();
  // CHECK-MESSAGES: :[[#@LINE-1]]:22: warning: data_ptr() is kept in a detached thread
}

std::future<float> later(const at::Tensor &x) {
  auto y = x.exp();
  const float *p = y.data_ptr<float>();
  return std::async(std::launch::async, [p] { return sum(p, 3); });
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: returns data_ptr() of a tensor that is gone when the function returns [tensor-dangling-data-pointer]
  // CHECK-MESSAGES: note: the pointer comes from here
}

void joinedLate(const at::Tensor &x) {
  std::vector<std::thread> workers;
  for (int i = 0; i < 4; ++i) {
    auto y = x + i;
    float *p = y.data_ptr<float>();
    workers.emplace_back([p] { sum(p, 3); });
  }
  for (auto &worker : workers)
    // CHECK-MESSAGES: :[[#@LINE-1]]:23: warning: used after the end of its block: the tensor that data_ptr() points into is gone
    // CHECK-MESSAGES: note: the pointer comes from here
    worker.join();
}

struct Lazy {
  std::function<float()> get;
};
Lazy lazy(const at::Tensor &x) {
  auto y = x * 2;
  const float *p = y.data_ptr<float>();
  Lazy result;
  result.get = [p] { return p[0]; };
  return result;
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: returns data_ptr() of a tensor that is gone when the function returns
  // CHECK-MESSAGES: note: the pointer comes from here
}

struct Kept {
  std::function<float()> get;
  at::Tensor of;
};
Kept silent(const at::Tensor &x) {
  auto y = x * 2;
  const float *p = y.data_ptr<float>();
  std::thread worker([p] { sum(p, 3); });
  worker.join();
  std::thread([y] { sum(y.data_ptr<float>(), 3); }).detach(); // has a handle of its own
  std::promise<void> done;
  auto ready = done.get_future();
  std::thread([p, &done] {
    sum(p, 3);
    done.set_value();
  }).detach();
  ready.wait();
  auto result = std::async([p] { return sum(p, 3); });
  result.get();
  Kept kept;
  kept.of = y;
  kept.get = [p] { return p[0]; };
  return kept;
}
