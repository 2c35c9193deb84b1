// RUN: %silent %s --checks=-*,tensor-redundant-contiguous -- -std=c++17 -I%S/Inputs
// RUN: not %tensortidy --config='{Checks: "-*,tensor-redundant-contiguous", CheckOptions: {tensor-redundant-contiguous.Level: 2}}' %s -- -std=c++17 -I%S/Inputs | FileCheck %s --implicit-check-not=warning:
// ggml_cont() that is needed, or may be.

#include "ggml.h"

using Ctx = ggml_context *;
using T = ggml_tensor *;
T unknown(Ctx ctx, T x);

T turned(Ctx ctx, int64_t a, int64_t b) {
  return ggml_cont(ctx, ggml_transpose(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, a, b)));
}

T parameter(Ctx ctx, T x) { return ggml_cont(ctx, x); }
T result(Ctx ctx, T x) { return ggml_cont(ctx, unknown(ctx, x)); }

T onOnePath(Ctx ctx, int64_t a, int64_t b, bool swap) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, a, b);
  if (swap)
    x = ggml_transpose(ctx, x);
  return ggml_cont(ctx, x);
}

T partOfRows(Ctx ctx, int64_t n) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 3 * n, n);
  return ggml_cont(ctx, ggml_view_2d(ctx, x, n, n, x->nb[1], n * ggml_element_size(x)));
}

// Some rows, to keep without the others.
T wholeRows(Ctx ctx, int64_t n, int64_t m, int64_t k) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n, m);
  return ggml_cont(ctx, ggml_view_2d(ctx, x, n, k, x->nb[1], x->nb[1]));
}

// The memory of a view that is an output may be used again.
T output(Ctx ctx, ggml_cgraph *graph, T w, T x) {
  T y = ggml_mul_mat(ctx, w, x);
  y = ggml_cont(ctx, ggml_reshape_1d(ctx, y, ggml_nelements(y)));
  ggml_build_forward_expand(graph, y);
  return y;
}

// A node to look at beside the one that the graph goes on with.
T tap(Ctx ctx, ggml_cgraph *graph, T w, T x, bool debug) {
  T y = ggml_mul_mat(ctx, w, x);
  if (debug) {
    T seen = ggml_cont(ctx, y);
    ggml_set_name(seen, "after_w");
    ggml_set_output(seen);
    ggml_build_forward_expand(graph, seen);
  }
  return ggml_relu(ctx, y);
}

// ggml_clamp() works in place.
static T clipped(Ctx ctx, T w, T x, float most, bool own) {
  if (most > 0) {
    if (!own)
      x = ggml_cont(ctx, x);
    x = ggml_clamp(ctx, x, -most, most);
  }
  return ggml_mul_mat(ctx, w, x);
}
T privateCopies(Ctx ctx, T wq, T wk, T x, float most) {
  T h = ggml_rms_norm(ctx, x, 1e-6f);
  T q = clipped(ctx, wq, ggml_cont(ctx, h), most, true);
  return ggml_mul_mat(ctx, clipped(ctx, wk, ggml_cont(ctx, h), most, true), q);
}

struct Taps {
  T at[8];
};
T namedTap(Ctx ctx, Taps &taps, T w, T x) {
  T y = ggml_mul_mat(ctx, w, x);
  taps.at[0] = ggml_cont(ctx, y);
  ggml_set_name(taps.at[0], "after_w");
  return y;
}

// Other operations look at nb of dimensions of size 1, too: do not just drop it.
T sizeOneMoved(Ctx ctx, int64_t a, int64_t b) {
  T x = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, a, 1, b);
  return ggml_cont(ctx, ggml_permute(ctx, x, 0, 2, 1, 3));
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_cont({{.*}}) copies a*b elements; its operand is contiguous already, as only dimensions of size 1 have moved: reshape them instead
}

// Named and handed out: an output, which is better no view.
bool handedOut(Ctx ctx, T w, T x, T *out) {
  T y = ggml_mul_mat(ctx, w, x);
  T codes = ggml_cont(ctx, ggml_reshape_1d(ctx, y, ggml_nelements(y)));
  ggml_set_name(codes, "codes");
  *out = codes;
  return true;
}

// What is copied is written later.
T snapshot(Ctx ctx, T w, T x, T y) {
  T state = ggml_mul_mat(ctx, w, x);
  T before = ggml_cont(ctx, state);
  T after = ggml_add_inplace(ctx, state, y);
  return ggml_concat(ctx, before, after, 0);
}

T overwritten(Ctx ctx, ggml_cgraph *graph, T w, T x, T y) {
  T state = ggml_mul_mat(ctx, w, x);
  T before = ggml_cont(ctx, state);
  ggml_build_forward_expand(graph, before);
  ggml_build_forward_expand(graph, ggml_cpy(ctx, y, ggml_view_tensor(ctx, state)));
  return before;
}

// A copy out of memory that belongs to the caller, who may write it.
T copiedOut(Ctx ctx, T state, int64_t n) { return ggml_cont(ctx, ggml_view_1d(ctx, state, n, 0)); }

// A graph depends on its layer: nothing here is hoisted.
T layers(Ctx ctx, T x, T *w, int n) {
  for (int i = 0; i < n; ++i) {
    T scratch = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 16);
    x = ggml_add(ctx, ggml_mul_mat(ctx, w[i], x), scratch);
  }
  return x;
}
