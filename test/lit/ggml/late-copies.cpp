// RUN: %check %s --checks=-*,tensor-dangling-data-pointer -- -std=c++17 -I%S/Inputs
// RUN: %silent %s --checks=-*,tensor-dangling-data-pointer --config='{CheckOptions: {tensor-dangling-data-pointer.Level: 0}}' -- -std=c++17 -I%S/Inputs
// Copies that go on after the call, and memory that is gone before they end.

#include "ggml-backend.h"
#include <array>
#include <vector>

using Backend = ggml_backend_t;
using T = ggml_tensor *;

std::vector<int32_t> rows();
void finish(Backend backend);

void upload(Backend backend, T to) {
  std::vector<int32_t> ids = rows();
  ggml_backend_tensor_set_async(backend, to, ids.data(), 0, ids.size() * sizeof(int32_t));
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: ggml_backend_tensor_set_async() may still use the memory of 'ids' when that is gone: nothing waits for the copy before the end of its block [tensor-dangling-data-pointer]
}
void array(Backend backend, T to, ggml_cgraph *gf) {
  float scale[4] = {1, 2, 3, 4};
  ggml_backend_tensor_set_async(backend, to, scale, 0, sizeof scale);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: ggml_backend_tensor_set_async() may still use the memory of 'scale'
  ggml_backend_graph_compute_async(backend, gf);
}
void number(Backend backend, T to, int64_t n) {
  const int32_t position = (int32_t)n;
  ggml_backend_tensor_set_async(backend, to, &position, 0, sizeof position);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: ggml_backend_tensor_set_async() may still use the memory of 'position'
}
void eachTime(Backend backend, const std::vector<T> &all) {
  for (T to : all) {
    std::vector<int32_t> ids = rows();
    ggml_backend_tensor_set_async(backend, to, ids.data(), 0, ids.size() * sizeof(int32_t));
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: ggml_backend_tensor_set_async() may still use the memory of 'ids'
  }
  ggml_backend_synchronize(backend);
}
void sometimes(Backend backend, T to, bool wait) {
  std::vector<int32_t> ids = rows();
  ggml_backend_tensor_set_async(backend, to, ids.data(), 0, ids.size() * sizeof(int32_t));
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: ggml_backend_tensor_set_async() may still use the memory of 'ids'
  if (wait)
    ggml_backend_synchronize(backend);
}
void fetch(Backend backend, T from, ggml_backend_event_t event) {
  std::vector<float> out(ggml_nelements(from));
  ggml_backend_tensor_get_async(backend, from, out.data(), 0, ggml_nbytes(from));
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: ggml_backend_tensor_get_async() may still use the memory of 'out'
  ggml_backend_event_record(event, nullptr);
}
class Dispatcher {
  Backend backend;
  std::vector<int32_t> held;
  std::vector<int32_t> sorted(const std::vector<int32_t> &ids) const {
    std::vector<int32_t> all(ids.size());
    return all;
  }

public:
  void upload(const std::vector<int32_t> &ids, T to) const {
    std::vector<int32_t> all = sorted(ids);
    ggml_backend_tensor_set_async(backend, to, all.data(), 0, all.size() * sizeof(int32_t));
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: ggml_backend_tensor_set_async() may still use the memory of 'all'
  }
  void waits(const std::vector<int32_t> &ids, T to) const {
    std::vector<int32_t> all = sorted(ids);
    ggml_backend_tensor_set_async(backend, to, all.data(), 0, all.size() * sizeof(int32_t));
    ggml_backend_synchronize(backend);
  }
  void member(T to) {
    ggml_backend_tensor_set_async(backend, to, held.data(), 0, held.size() * sizeof(int32_t));
  }
};

// Something waits, or may; the memory lives on; the backend copies at once.
void waits(Backend backend, T to, T from) {
  std::vector<int32_t> ids = rows();
  ggml_backend_tensor_set_async(backend, to, ids.data(), 0, ids.size() * sizeof(int32_t));
  ggml_backend_synchronize(backend);
}
void computes(Backend backend, T to, ggml_cgraph *gf) {
  std::vector<int32_t> ids = rows();
  ggml_backend_tensor_set_async(backend, to, ids.data(), 0, ids.size() * sizeof(int32_t));
  ggml_backend_graph_compute(backend, gf);
}
void schedules(ggml_backend_sched_t sched, Backend backend, T to, ggml_cgraph *gf) {
  std::vector<int32_t> ids = rows();
  ggml_backend_tensor_set_async(backend, to, ids.data(), 0, ids.size() * sizeof(int32_t));
  ggml_backend_sched_graph_compute_async(sched, gf);
  ggml_backend_sched_synchronize(sched);
}
void waitsForEvent(Backend backend, T to, ggml_backend_event_t event) {
  std::vector<int32_t> ids = rows();
  ggml_backend_tensor_set_async(backend, to, ids.data(), 0, ids.size() * sizeof(int32_t));
  ggml_backend_event_record(event, backend);
  ggml_backend_event_synchronize(event);
}
void elsewhere(Backend backend, T to) {
  std::vector<int32_t> ids = rows();
  ggml_backend_tensor_set_async(backend, to, ids.data(), 0, ids.size() * sizeof(int32_t));
  finish(backend);
}
void asked(Backend backend, T to, bool async) {
  std::vector<int32_t> ids = rows();
  if (async)
    ggml_backend_tensor_set_async(backend, to, ids.data(), 0, ids.size() * sizeof(int32_t));
  else
    ggml_backend_tensor_set(to, ids.data(), 0, ids.size() * sizeof(int32_t));
  if (async)
    ggml_backend_synchronize(backend);
}
void callers(Backend backend, T to, const std::vector<int32_t> &ids, const float *values) {
  ggml_backend_tensor_set_async(backend, to, ids.data(), 0, ids.size() * sizeof(int32_t));
  ggml_backend_tensor_set_async(backend, to, values, 0, ggml_nbytes(to));
  static const float scale[2] = {1, 2};
  ggml_backend_tensor_set_async(backend, to, scale, 0, sizeof scale);
}
std::vector<float> returned(Backend backend, T from) {
  std::vector<float> out(ggml_nelements(from));
  ggml_backend_tensor_get_async(backend, from, out.data(), 0, ggml_nbytes(from));
  return out;
}
void kept(Backend backend, T to, std::vector<std::vector<int32_t>> &all) {
  std::vector<int32_t> ids = rows();
  ggml_backend_tensor_set_async(backend, to, ids.data(), 0, ids.size() * sizeof(int32_t));
  all.push_back(std::move(ids));
}
void onCpu(T to) {
  Backend backend = ggml_backend_cpu_init();
  std::vector<int32_t> ids = rows();
  ggml_backend_tensor_set_async(backend, to, ids.data(), 0, ids.size() * sizeof(int32_t));
}
void synchronous(T to) {
  std::vector<int32_t> ids = rows();
  ggml_backend_tensor_set(to, ids.data(), 0, ids.size() * sizeof(int32_t));
}
