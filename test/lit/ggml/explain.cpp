// RUN: %build/bin/tensortidy explain %s:11 -- -std=c++17 -I%S/Inputs | FileCheck %s --check-prefix=PERMUTED
// RUN: %build/bin/tensortidy explain %s:12 -- -std=c++17 -I%S/Inputs | FileCheck %s --check-prefix=COPIED
// RUN: %build/bin/tensortidy explain %s:13 -- -std=c++17 -I%S/Inputs | FileCheck %s --check-prefix=OPAQUE
// Layouts as ggml counts them, the innermost dimension first.

#include "ggml.h"

struct Layer { ggml_tensor *W; };
ggml_tensor *turned(ggml_context *Ctx, Layer &L, int64_t D, int64_t T, int64_t H) {
  ggml_tensor *Q = ggml_new_tensor_3d(Ctx, GGML_TYPE_F32, D, H, T);
  ggml_tensor *P = ggml_permute(Ctx, Q, 0, 2, 1, 3);
  ggml_tensor *C = ggml_cont(Ctx, P);
  ggml_tensor *K = ggml_transpose(Ctx, L.W);
  return ggml_add(Ctx, C, K);
}
// PERMUTED: {{^}}  P  float32  ne [D, T, H], nb [1, D*H, D] elements
// PERMUTED-NEXT: line 11: ggml_permute(Ctx, Q, 0, 2, 1, 3) of a contiguous tensor of ne [D, H, T]
// PERMUTED: {{^}}  Q  float32  ne [D, H, T], contiguous
// COPIED: {{^}}  C  float32  ne [D, T, H], contiguous
// OPAQUE: {{^}}  K  ne [L.W->ne[1], L.W->ne[0]
// OPAQUE-SAME: nb unknown
