// RUN: %check %s --checks=-*,tensor-dangling-data-pointer -- -std=c++17 -I%S/Inputs
// Nodes of one graph that another one reads, when their allocator gives that one memory.

#include "ggml-backend.h"

using Ctx = ggml_context *;
using Graph = ggml_cgraph *;
using T = ggml_tensor *;

void again(ggml_gallocr_t alloc, ggml_backend_t backend, Ctx first, Ctx second, T w, T x, T v) {
  Graph gf = ggml_new_graph(first);
  T y = ggml_mul_mat(first, w, x);
  ggml_set_output(y);
  ggml_build_forward_expand(gf, y);
  ggml_gallocr_alloc_graph(alloc, gf);
  ggml_backend_graph_compute(backend, gf);
  Graph next = ggml_new_graph(second);
  T z = ggml_mul_mat(second, v, ggml_view_tensor(second, y));
  ggml_build_forward_expand(next, z);
  ggml_gallocr_alloc_graph(alloc, next);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: gives out the memory of 'y' again, which this graph reads: its allocator takes it for free [tensor-dangling-data-pointer]
  // CHECK-MESSAGES: :[[#@LINE-7]]:3: note: 'ggml_gallocr_alloc_graph' gave it that memory, for the time that its own graph runs
  // CHECK-MESSAGES: :[[#@LINE-5]]:9: note: read here; a copy in a tensor with memory of its own, or another allocator, would keep its values
  ggml_backend_graph_compute(backend, next);
}
// Resetting the scheduler gives back what it gave.
void scheduled(ggml_backend_sched_t sched, Ctx first, Ctx second, T w, T x, T b) {
  Graph gf = ggml_new_graph(first);
  T y = ggml_relu(first, ggml_mul_mat(first, w, x));
  ggml_build_forward_expand(gf, y);
  ggml_backend_sched_alloc_graph(sched, gf);
  ggml_backend_sched_graph_compute(sched, gf);
  ggml_backend_sched_reset(sched);
  Graph next = ggml_new_graph(second);
  T z = ggml_relu(second, ggml_add(second, y, b));
  ggml_build_forward_expand(next, z);
  ggml_backend_sched_alloc_graph(sched, next);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: gives out the memory of 'y' again, which this graph reads
  ggml_backend_sched_graph_compute(sched, next);
}
// In members and helpers.
struct State {
  ggml_gallocr_t alloc, other;
  ggml_backend_t backend;
  Ctx enc, dec;
  T embd = nullptr, saved = nullptr;
};
static void encode(State &s, T w, T x) {
  Graph gf = ggml_new_graph(s.enc);
  s.embd = ggml_gelu(s.enc, ggml_mul_mat(s.enc, w, x));
  ggml_build_forward_expand(gf, s.embd);
  ggml_gallocr_alloc_graph(s.alloc, gf);
  ggml_backend_graph_compute(s.backend, gf);
}
static Graph cross(State &s, T src, T k) {
  Graph gf = ggml_new_graph(s.dec);
  ggml_build_forward_expand(gf, ggml_mul_mat(s.dec, k, src));
  return gf;
}
void decode(State &s, T w, T x, T k) {
  encode(s, w, x);
  Graph gf = cross(s, s.embd, k);
  ggml_gallocr_alloc_graph(s.alloc, gf);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: gives out the memory of 's.embd' again, which this graph reads
  ggml_backend_graph_compute(s.backend, gf);
}
class Decoder {
  ggml_backend_sched_t sched;
  Ctx ctx0, ctx1;
  T embd, w, k;
  void encode(T x) {
    Graph gf = ggml_new_graph(ctx0);
    embd = ggml_mul_mat(ctx0, w, x);
    ggml_build_forward_expand(gf, embd);
    ggml_backend_sched_alloc_graph(sched, gf);
    ggml_backend_sched_graph_compute(sched, gf);
  }

public:
  void decode(T x) {
    encode(x);
    Graph gf = ggml_new_graph(ctx1);
    ggml_build_forward_expand(gf, ggml_mul_mat(ctx1, k, embd));
    ggml_backend_sched_alloc_graph(sched, gf);
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: gives out the memory of 'embd' again, which this graph reads
    ggml_backend_sched_graph_compute(sched, gf);
  }
};

// A copy, another allocator, memory of its own, the same graph, what is made anew.
void copied(State &s, T w, T x, T k) {
  encode(s, w, x);
  ggml_backend_tensor_copy(s.embd, s.saved);
  Graph gf = cross(s, s.saved, k);
  ggml_gallocr_alloc_graph(s.alloc, gf);
  ggml_backend_graph_compute(s.backend, gf);
}
void other(State &s, T w, T x, T k) {
  encode(s, w, x);
  Graph gf = cross(s, s.embd, k);
  ggml_gallocr_alloc_graph(s.other, gf);
  ggml_backend_graph_compute(s.backend, gf);
}
void renewed(State &s, T w, T x, T k, void *buft) {
  encode(s, w, x);
  Graph gf = cross(s, s.embd, k);
  s.alloc = ggml_gallocr_new(buft);
  ggml_gallocr_alloc_graph(s.alloc, gf);
}
void owned(ggml_gallocr_t alloc, ggml_backend_t backend, Ctx first, Ctx second, T w, T x, T v) {
  Graph gf = ggml_new_graph(first);
  T y = ggml_mul_mat(first, w, x);
  ggml_build_forward_expand(gf, y);
  ggml_backend_alloc_ctx_tensors(first, backend);
  ggml_gallocr_alloc_graph(alloc, gf);
  ggml_backend_graph_compute(backend, gf);
  Graph next = ggml_new_graph(second);
  ggml_build_forward_expand(next, ggml_mul_mat(second, v, y));
  ggml_gallocr_alloc_graph(alloc, next);
}
void stored(ggml_gallocr_t alloc, ggml_backend_t backend, Ctx first, Ctx second, T w, T x, T v, T cache) {
  Graph gf = ggml_new_graph(first);
  T y = ggml_cpy(first, ggml_mul_mat(first, w, x), cache);
  ggml_build_forward_expand(gf, y);
  ggml_gallocr_alloc_graph(alloc, gf);
  ggml_backend_graph_compute(backend, gf);
  Graph next = ggml_new_graph(second);
  ggml_build_forward_expand(next, ggml_mul_mat(second, v, y));
  ggml_gallocr_alloc_graph(alloc, next);
}
void same(ggml_gallocr_t alloc, ggml_backend_t backend, Ctx ctx, T w, T x, T v) {
  Graph gf = ggml_new_graph(ctx);
  T y = ggml_mul_mat(ctx, w, x);
  ggml_build_forward_expand(gf, y);
  ggml_gallocr_alloc_graph(alloc, gf);
  ggml_backend_graph_compute(backend, gf);
  ggml_gallocr_alloc_graph(alloc, gf);
  ggml_backend_graph_compute(backend, gf);
}
void measured(ggml_gallocr_t alloc, ggml_backend_t backend, Ctx ctx, T w, T x, T v) {
  Graph gf = ggml_new_graph(ctx), next = ggml_new_graph(ctx);
  T y = ggml_mul_mat(ctx, w, x);
  ggml_build_forward_expand(gf, y);
  ggml_gallocr_reserve(alloc, gf);
  ggml_build_forward_expand(next, ggml_mul_mat(ctx, v, y));
  ggml_gallocr_alloc_graph(alloc, next);
  ggml_backend_graph_compute(backend, next);
}
void steps(ggml_gallocr_t alloc, ggml_backend_t backend, Ctx ctx, T w, T x, int n) {
  for (int i = 0; i < n; ++i) {
    Graph gf = ggml_new_graph(ctx);
    T y = ggml_relu(ctx, ggml_mul_mat(ctx, w, x));
    ggml_build_forward_expand(gf, y);
    ggml_gallocr_alloc_graph(alloc, gf);
    ggml_backend_graph_compute(backend, gf);
  }
}
