// RUN: %check %s --checks=-*,tensor-uninitialized-read -- -std=c++17 -I%S/Inputs
// Schedulers that hold another graph than the one they are given.

#include "ggml-backend.h"

using Ctx = ggml_context *;
using Graph = ggml_cgraph *;
using Sched = ggml_backend_sched_t;
using T = ggml_tensor *;

struct Model {
  T images = nullptr, loss = nullptr;
  Sched sched = nullptr;
};
struct Trainer {
  Model &m;
  Graph train, eval;

  void load(const float *x) { ggml_backend_tensor_set(m.images, x, 0, ggml_nbytes(m.images)); }
  float read() const {
    float v = 0;
    ggml_backend_tensor_get(m.loss, &v, 0, sizeof v);
    return v;
  }
  float epoch(const float *const *xs, int n, int n_train) {
    ggml_backend_sched_reset(m.sched);
    ggml_backend_sched_alloc_graph(m.sched, train);
    float sum = 0;
    for (int i = 0; i < n; ++i) {
      load(xs[i]);
      if (i < n_train) {
        ggml_backend_sched_graph_compute(m.sched, train);
      } else {
        ggml_backend_sched_graph_compute(m.sched, eval);
        // CHECK-MESSAGES: :[[#@LINE-1]]:9: warning: does not compute 'eval': 'm.sched' holds 'train', and computes that again [tensor-uninitialized-read]
        // CHECK-MESSAGES: :[[#@LINE-9]]:5: note: 'ggml_backend_sched_alloc_graph' gave it that graph; after ggml_backend_sched_reset() it takes another one
        sum += read();
      }
    }
    return sum;
  }
};
// Without a word about memory: what is computed is held.
void both(Sched sched, Ctx ctx, T x, T w) {
  Graph first = ggml_new_graph(ctx), second = ggml_new_graph(ctx);
  ggml_build_forward_expand(first, ggml_mul_mat(ctx, w, x));
  ggml_build_forward_expand(second, ggml_relu(ctx, x));
  ggml_backend_sched_graph_compute_async(sched, first);
  ggml_backend_sched_synchronize(sched);
  ggml_backend_sched_graph_compute_async(sched, second);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: does not compute 'second': 'sched' holds 'first', and computes that again
  ggml_backend_sched_synchronize(sched);
}
// By a helper.
static bool compute(Sched s, Graph g) { return ggml_backend_sched_graph_compute(s, g) == GGML_STATUS_SUCCESS; }
bool helped(Sched sched, Graph encode, Graph decode) {
  if (!ggml_backend_sched_alloc_graph(sched, encode) || !compute(sched, encode))
    return false;
  return compute(sched, decode);
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: does not compute 'decode': 'sched' holds 'encode', and computes that again
  // CHECK-MESSAGES: :[[#@LINE-6]]:48: note: computed here
}
// Another graph in each iteration.
void each(Sched sched, Ctx ctx, T x, T w, int n) {
  for (int i = 0; i < n; ++i) {
    Graph gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, ggml_mul_mat(ctx, w, x));
    ggml_backend_sched_graph_compute(sched, gf);
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: computes the graph of the first iteration again, and not 'gf': nothing in the loop resets 'sched', which holds it
    // CHECK-MESSAGES: :[[#@LINE-4]]:16: note: another graph in each iteration
  }
}
