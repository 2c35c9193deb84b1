// RUN: %check %s --checks=-*,tensor-uninitialized-read -- -std=c++17 -I%S/Inputs
// RUN: %silent %s --checks=-*,tensor-uninitialized-read --config='{CheckOptions: {tensor-uninitialized-read.Level: 0}}' -- -std=c++17 -I%S/Inputs
// Nodes that are no outputs and are read after the graph has run: the allocator gives their memory to later ones.

#include "ggml.h"

extern "C" {
typedef struct ggml_gallocr *ggml_gallocr_t;
typedef struct ggml_backend *ggml_backend_t;
bool ggml_gallocr_alloc_graph(ggml_gallocr_t alloc, struct ggml_cgraph *graph);
int ggml_backend_graph_compute(ggml_backend_t backend, struct ggml_cgraph *graph);
}

void between(ggml_context *ctx, ggml_cgraph *gf, ggml_gallocr_t alloc, ggml_backend_t backend, ggml_tensor *w, ggml_tensor *x, ggml_tensor *b, float *to) {
  ggml_tensor *y = ggml_mul_mat(ctx, w, x);
  ggml_tensor *z = ggml_add(ctx, y, b);
  ggml_set_output(z);
  ggml_build_forward_expand(gf, z);
  ggml_gallocr_alloc_graph(alloc, gf);
  ggml_backend_graph_compute(backend, gf);
  ggml_backend_tensor_get(y, to, 0, ggml_nbytes(y));
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: reads 'y', which is no output of its graph: its memory is given to nodes that come later [tensor-uninitialized-read]
  // CHECK-MESSAGES: :[[#@LINE-7]]:20: note: once this has run, nothing needs it any more
  ggml_backend_tensor_get(z, to, 0, ggml_nbytes(z));
}

// An output, a leaf, the last node, one that is kept under another name, and no allocator that shares.
void outputs(ggml_context *ctx, ggml_cgraph *gf, ggml_gallocr_t alloc, ggml_backend_t backend, ggml_tensor *w, ggml_tensor *x, ggml_tensor *b, float *to) {
  ggml_tensor *y = ggml_mul_mat(ctx, w, x);
  ggml_tensor *z = ggml_add(ctx, y, b);
  ggml_set_output(y);
  ggml_build_forward_expand(gf, z);
  ggml_gallocr_alloc_graph(alloc, gf);
  ggml_backend_graph_compute(backend, gf);
  ggml_backend_tensor_get(y, to, 0, ggml_nbytes(y));
  ggml_backend_tensor_get(z, to, 0, ggml_nbytes(z));
  ggml_backend_tensor_get(x, to, 0, ggml_nbytes(x));
}
void parts(ggml_context *ctx, ggml_cgraph *gf, ggml_gallocr_t alloc, ggml_backend_t backend, ggml_tensor *w, ggml_tensor *x, ggml_tensor *b, float *to) {
  ggml_tensor *y = ggml_mul_mat(ctx, w, x);
  ggml_tensor *flat = ggml_reshape_1d(ctx, y, ggml_nelements(y));
  ggml_set_output(flat);
  ggml_build_forward_expand(gf, ggml_add(ctx, y, b));
  ggml_gallocr_alloc_graph(alloc, gf);
  ggml_backend_graph_compute(backend, gf);
  ggml_backend_tensor_get(y, to, 0, ggml_nbytes(y));
}
void own(ggml_context *ctx, ggml_cgraph *gf, ggml_backend_t backend, ggml_tensor *w, ggml_tensor *x, ggml_tensor *b, float *to) {
  ggml_tensor *y = ggml_mul_mat(ctx, w, x);
  ggml_build_forward_expand(gf, ggml_add(ctx, y, b));
  ggml_backend_graph_compute(backend, gf);
  ggml_backend_tensor_get(y, to, 0, ggml_nbytes(y));
}

// In an object that a helper returns; whether it is an output is for callers to say.
struct Hidden {
  ggml_cgraph *gf;
  ggml_tensor *hidden, *out;
};
static Hidden hiddenOf(ggml_context *ctx, ggml_cgraph *gf, ggml_tensor *w, ggml_tensor *x, bool keep) {
  Hidden h{};
  h.gf = gf;
  h.hidden = ggml_relu(ctx, ggml_mul_mat(ctx, w, x));
  if (keep)
    ggml_set_output(h.hidden);
  h.out = ggml_mul_mat(ctx, w, h.hidden);
  ggml_set_output(h.out);
  ggml_build_forward_expand(gf, h.out);
  return h;
}
static void fetch(ggml_tensor *t, float *to) {
  ggml_backend_tensor_get(t, to, 0, ggml_nbytes(t));
}
void lost(ggml_context *ctx, ggml_cgraph *gf, ggml_gallocr_t alloc, ggml_backend_t backend, ggml_tensor *w, ggml_tensor *x, float *to) {
  Hidden h = hiddenOf(ctx, gf, w, x, /*keep=*/false);
  ggml_gallocr_alloc_graph(alloc, h.gf);
  ggml_backend_graph_compute(backend, h.gf);
  fetch(h.hidden, to);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: reads 'h.hidden', which is no output of its graph: its memory is given to nodes that come later
}
void kept(ggml_context *ctx, ggml_cgraph *gf, ggml_gallocr_t alloc, ggml_backend_t backend, ggml_tensor *w, ggml_tensor *x, float *to) {
  Hidden h = hiddenOf(ctx, gf, w, x, /*keep=*/true);
  ggml_gallocr_alloc_graph(alloc, h.gf);
  ggml_backend_graph_compute(backend, h.gf);
  fetch(h.hidden, to);
}
void asked(ggml_context *ctx, ggml_cgraph *gf, ggml_gallocr_t alloc, ggml_backend_t backend, ggml_tensor *w, ggml_tensor *x, float *to, bool keep) {
  Hidden h = hiddenOf(ctx, gf, w, x, keep);
  ggml_gallocr_alloc_graph(alloc, h.gf);
  ggml_backend_graph_compute(backend, h.gf);
  if (keep)
    fetch(h.hidden, to);
}
