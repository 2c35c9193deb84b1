// RUN: not %tensortidy --checks=-*,tensor-redundant-contiguous %s -- -std=c++17 -I%S/Inputs | FileCheck %s --implicit-check-not=warning:
// RUN: sed -e "s:// *FIXED.*::" %s > %t.cpp && not %tensortidy --checks=-*,tensor-redundant-contiguous --fix %t.cpp -- -std=c++17 -I%S/Inputs > %t.out
// RUN: FileCheck %s --check-prefix=FIXED --input-file=%t.cpp
// RUN: %settles %t.cpp --checks=-*,tensor-redundant-contiguous -- -std=c++17 -I%S/Inputs
// ggml_cont() copies, always.

#include "ggml.h"

using Ctx = ggml_context *;
using T = ggml_tensor *;

T product(Ctx ctx, T w, T x) {
  T y = ggml_mul_mat(ctx, w, x);
  return ggml_cont(ctx, y);
  // CHECK: :[[#@LINE-1]]:10: warning: ggml_cont(ctx, y) copies {{.*}} elements; 'y' is contiguous already [tensor-redundant-contiguous]
  // CHECK: :[[#@LINE-3]]:9: note: 'y' is a fresh allocation made here: ggml_mul_mat(ctx, w, x)
  // FIXED-LABEL: T product(
  // FIXED: return y;
}

T shaped(Ctx ctx, T w, T x, int64_t D, int64_t H, int64_t N) {
  T y = ggml_mul_mat(ctx, w, x);
  y = ggml_cont_3d(ctx, y, D, H, N);
  // CHECK: :[[#@LINE-1]]:7: warning: ggml_cont_3d(ctx, y, D, H, N) copies {{.*}} elements; 'y' is contiguous already; ggml_reshape_3d() copies nothing
  return ggml_gelu(ctx, ggml_cont(ctx, ggml_reshape_2d(ctx, y, D * H, N)));
  // CHECK: :[[#@LINE-1]]:25: warning: ggml_cont(ctx, {{.*}}) copies D*H*N elements; its operand is contiguous already
  // FIXED-LABEL: T shaped(
  // FIXED: y = ggml_reshape_3d(ctx, y, D, H, N);
  // FIXED: return ggml_gelu(ctx, ggml_reshape_2d(ctx, y, D * H, N));
}

T second(Ctx ctx, T x) {
  x = ggml_cont(ctx, ggml_transpose(ctx, x));
  x = ggml_cont(ctx, x);
  // CHECK: :[[#@LINE-1]]:7: warning: ggml_cont(ctx, x) copies {{.*}} elements; 'x' is contiguous already
  return x;
  // FIXED-LABEL: T second(
  // FIXED: x = ggml_cont(ctx, ggml_transpose(ctx, x));
  // FIXED-NEXT: x = ggml_cont(ctx, x);
}

// Turned and turned back.
T back(Ctx ctx, int64_t n, int64_t m) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n, m);
  T t = ggml_transpose(ctx, ggml_transpose(ctx, x));
  return ggml_add(ctx, x, ggml_cont(ctx, t));
  // CHECK: :[[#@LINE-1]]:27: warning: ggml_cont(ctx, t) copies n*m elements; 't' is contiguous already
}

// A reshape is all of the tensor, whatever its sizes are called.
T flattened(Ctx ctx, T w, T x, int64_t d, int64_t b) {
  T y = ggml_repeat(ctx, ggml_mul_mat(ctx, w, x), w);
  const int wide = y->ne[0], high = y->ne[1];
  y = ggml_reshape_3d(ctx, y, wide * high, d, b);
  y = ggml_reshape_4d(ctx, y, wide * high, d, 1, b);
  y = ggml_cont(ctx, y);
  // CHECK: :[[#@LINE-1]]:7: warning: ggml_cont(ctx, y) copies {{.*}} elements; 'y' is contiguous already
  return ggml_mul_mat(ctx, y, w);
}

// Written before, not after; and not what becomes the output.
T scaledBefore(Ctx ctx, ggml_cgraph *graph, T w, T x, int64_t d, int64_t n) {
  T y = ggml_add_inplace(ctx, ggml_mul_mat(ctx, w, x), w);
  y = ggml_cont(ctx, ggml_reshape_2d(ctx, y, d, n));
  // CHECK: :[[#@LINE-1]]:7: warning: ggml_cont(ctx, ...) copies {{.*}} elements; its operand is contiguous already
  y = ggml_mul_mat(ctx, y, x);
  ggml_build_forward_expand(graph, y);
  return y;
}

// A name is none without another reader of what is copied.
T named(Ctx ctx, ggml_cgraph *graph, T w, T x) {
  T y = ggml_mul_mat(ctx, w, x);
  T out = ggml_cont(ctx, y);
  // CHECK: :[[#@LINE-1]]:11: warning: ggml_cont({{.*}}) copies {{.*}} elements; 'y' is contiguous already [tensor-redundant-contiguous]
  ggml_set_name(out, "out");
  ggml_build_forward_expand(graph, out);
  return out;
}

// What is copied is not read again: it may be written itself.
T writtenCopy(Ctx ctx, T w, T x, float most) {
  T y = ggml_mul_mat(ctx, w, x);
  return ggml_clamp(ctx, ggml_cont(ctx, y), -most, most);
  // CHECK: :[[#@LINE-1]]:26: warning: ggml_cont({{.*}}) copies {{.*}} elements; 'y' is contiguous already [tensor-redundant-contiguous]
}
