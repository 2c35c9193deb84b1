// RUN: %check %s --checks=-*,tensor-uninitialized-read -- -std=c++17 -I%S/Inputs
// Nodes whose values are read before a graph can have computed them.

#include "ggml-backend.h"
#include <cstdio>
#include <cstring>
#include <vector>

using Ctx = ggml_context *;
using Graph = ggml_cgraph *;
using T = ggml_tensor *;

void say(const char *what);
void run(Ctx ctx, Graph gf);
struct Session {
  Ctx ctx;
  Graph gf;
};
void step(Session &of);

float one(Ctx ctx, Graph gf, T w, T x) {
  T y = ggml_mul_mat(ctx, w, x);
  ggml_build_forward_expand(gf, y);
  const float first = ggml_get_f32_1d(y, 0);
  // CHECK-MESSAGES: :[[#@LINE-1]]:23: warning: reads values of 'y', which nothing has computed yet [tensor-uninitialized-read]
  // CHECK-MESSAGES: :[[#@LINE-4]]:9: note: 'ggml_mul_mat' adds a node; it has values when a graph with it has run
  // CHECK-MESSAGES: :[[#@LINE+1]]:3: note: the graph runs here
  ggml_graph_compute_with_ctx(ctx, gf, 1);
  return first;
}
float twice(Ctx ctx, Graph gf, T w, T x, T b) {
  T y = ggml_add(ctx, ggml_mul_mat(ctx, w, x), b);
  ggml_build_forward_expand(gf, y);
  const float *values = ggml_get_data_f32(y);
  float sum = 0;
  for (int64_t i = 0; i < ggml_nelements(y); ++i)
    sum += values[i];
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: reads values of 'y', which nothing has computed yet
  ggml_graph_compute_with_ctx(ctx, gf, 1);
  return sum + values[0];
}
std::vector<float> copied(Ctx ctx, Graph gf, T w, T x) {
  T y = ggml_mul_mat(ctx, w, x);
  ggml_build_forward_expand(gf, y);
  std::vector<float> out(ggml_nelements(y));
  memcpy(out.data(), y->data, ggml_nbytes(y));
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: reads values of 'y', which nothing has computed yet
  return out;
}
std::vector<float> range(Ctx ctx, T w, T x) {
  T y = ggml_cont(ctx, ggml_transpose(ctx, ggml_mul_mat(ctx, w, x)));
  auto *p = static_cast<const float *>(y->data);
  say("done");
  return std::vector<float>(p, p + ggml_nelements(y));
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: reads values of 'y', which nothing has computed yet
}
void printed(Ctx ctx, T w, T x) {
  T y = ggml_mul_mat(ctx, w, x);
  printf("%f\n", ((float *)y->data)[0]);
  // CHECK-MESSAGES: :[[#@LINE-1]]:18: warning: reads values of 'y', which nothing has computed yet
}
void part(Ctx ctx, T w, T x) {
  T y = ggml_mul_mat(ctx, w, x);
  T row = ggml_view_1d(ctx, y, y->ne[0], 0);
  printf("%f\n", *(float *)row->data);
  // CHECK-MESSAGES: :[[#@LINE-1]]:18: warning: reads values of 'row', which nothing has computed yet
}
// It has memory, and no values.
void fetched(ggml_backend_t backend, ggml_gallocr_t alloc, T w, T x, float *to) {
  Ctx ctx = ggml_init({ggml_tensor_overhead() * 8, nullptr, true});
  Graph gf = ggml_new_graph(ctx);
  T y = ggml_mul_mat(ctx, w, x);
  ggml_set_output(y);
  ggml_build_forward_expand(gf, y);
  ggml_gallocr_alloc_graph(alloc, gf);
  ggml_backend_tensor_get(y, to, 0, ggml_nbytes(y));
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: reads values of 'y', which nothing has computed yet
  ggml_backend_graph_compute(backend, gf);
  ggml_free(ctx);
}
void own(Ctx ctx, ggml_backend_t backend, Graph gf, T w, T x, T kept) {
  T y = ggml_mul_mat(ctx, w, x);
  ggml_backend_alloc_ctx_tensors(ctx, backend);
  ggml_backend_tensor_copy(y, kept);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: reads values of 'y', which nothing has computed yet
  ggml_build_forward_expand(gf, y);
  ggml_backend_graph_compute(backend, gf);
}
// In helpers.
struct Built {
  Graph gf;
  T in, out;
};
static Built build(Ctx ctx, T w) {
  Built b{};
  b.gf = ggml_new_graph(ctx);
  b.in = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, w->ne[0], 4);
  b.out = ggml_relu(ctx, ggml_mul_mat(ctx, w, b.in));
  ggml_build_forward_expand(b.gf, b.out);
  return b;
}
static float largest(T t) {
  const float *v = (const float *)ggml_get_data(t);
  float most = v[0];
  for (int64_t i = 1; i < ggml_nelements(t); ++i)
    most = v[i] > most ? v[i] : most;
  return most;
}
static void fill(T t, const std::vector<float> &values) {
  memcpy(t->data, values.data(), ggml_nbytes(t));
}
float inHelpers(Ctx ctx, T w, const std::vector<float> &values) {
  Built b = build(ctx, w);
  fill(b.in, values);
  const float most = largest(b.out);
  // CHECK-MESSAGES: :[[#@LINE-1]]:22: warning: reads values of 'b.out', which nothing has computed yet
  ggml_graph_compute_with_ctx(ctx, b.gf, 1);
  return most;
}
float inHelpersRight(Ctx ctx, T w, const std::vector<float> &values) {
  Built b = build(ctx, w);
  fill(b.in, values);
  ggml_graph_compute_with_ctx(ctx, b.gf, 1);
  return largest(b.out);
}

// It has run, or may have.
float after(Ctx ctx, Graph gf, T w, T x) {
  T y = ggml_mul_mat(ctx, w, x);
  ggml_build_forward_expand(gf, y);
  const float *values = ggml_get_data_f32(y);
  ggml_graph_compute_with_ctx(ctx, gf, 1);
  return values[0] + ggml_get_f32_1d(y, 0);
}
float elsewhere(Ctx ctx, Graph gf, T w, T x) {
  T y = ggml_mul_mat(ctx, w, x);
  run(ctx, gf);
  return ggml_get_f32_1d(y, 0);
}
float inObject(Session &s, T w, T x) {
  T y = ggml_mul_mat(s.ctx, w, x);
  ggml_build_forward_expand(s.gf, y);
  step(s);
  return ggml_get_f32_1d(y, 0);
}
float sometimes(Ctx ctx, Graph gf, T w, T x, bool early) {
  T y = ggml_mul_mat(ctx, w, x);
  if (early)
    ggml_graph_compute_with_ctx(ctx, gf, 1);
  return ggml_get_f32_1d(y, 0);
}
float loop(Ctx ctx, Graph gf, T w, T x, int n) {
  T y = ggml_mul_mat(ctx, w, x);
  ggml_build_forward_expand(gf, y);
  float last = 0;
  for (int i = 0; i < n; ++i) {
    if (i > 0)
      last = ggml_get_f32_1d(y, 0);
    ggml_graph_compute_with_ctx(ctx, gf, 1);
  }
  return last;
}
float called(Ctx ctx, T w, T x, void (*compute)(void *), void *with) {
  T y = ggml_mul_mat(ctx, w, x);
  compute(with);
  return ggml_get_f32_1d(y, 0);
}
struct Model {
  Ctx ctx;
  Graph gf;
  T w, out;
  void compute();
  float first(T x) {
    out = ggml_mul_mat(ctx, w, x);
    ggml_build_forward_expand(gf, out);
    compute();
    return ggml_get_f32_1d(out, 0);
  }
};

// Leaves, what is written by hand, pointers that are not followed, sizes.
float leaves(Ctx ctx, T x, T w) {
  T in = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 4), same = ggml_dup_tensor(ctx, x);
  T flat = ggml_reshape_1d(ctx, w, ggml_nelements(w));
  T into = ggml_cpy(ctx, x, w);
  return ggml_get_f32_1d(in, 0) + ggml_get_f32_1d(same, 0) + ggml_get_f32_1d(flat, 0) + ((float *)into->data)[0];
}
float byHand(Ctx ctx, T w, T x) {
  T y = ggml_mul_mat(ctx, w, x), z = ggml_relu(ctx, x), u = ggml_relu(ctx, w);
  ggml_set_f32(y, 1);
  float *p = ggml_get_data_f32(z);
  p[0] = 1;
  float none = 0;
  ggml_backend_tensor_set(u, &none, 0, sizeof none);
  return ggml_get_f32_1d(y, 0) + p[0] + ggml_get_f32_1d(u, 0);
}
bool hasMemory(Ctx ctx, T w, T x) {
  T y = ggml_mul_mat(ctx, w, x);
  if (!y->data || ggml_get_data(y) == nullptr)
    return false;
  printf("%p %d\n", y->data, (int)y->ne[0]);
  return y->ne[0] > 0;
}
void inputs(Ctx ctx, T w, T x, const std::vector<float> &values) {
  T y = ggml_mul_mat(ctx, w, x);
  memcpy(y->data, values.data(), values.size() * sizeof(float));
  std::vector<float> back(values.size());
  memcpy(back.data(), y->data, values.size() * sizeof(float));
}
