// RUN: not %tensortidy --checks=-*,tensor-discarded-result %s -- -std=c++17 -I%S/Inputs | FileCheck %s --implicit-check-not=warning:
// A node that nobody has is never computed.
#include "ggml.h"
using Ctx = ggml_context *;
using T = ggml_tensor *;

T store(Ctx ctx, ggml_cgraph *graph, T cache, T k, T q, int64_t n, int64_t at) {
  T slot = ggml_view_1d(ctx, cache, n, at * ggml_element_size(cache));
  ggml_cpy(ctx, k, slot);
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: ggml_cpy() only makes a node of a graph, and it is thrown away: nothing is computed [tensor-discarded-result]
  ggml_scale_inplace(ctx, q, 0.5f);
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: ggml_scale_inplace() only makes a node of a graph, and it is thrown away: nothing is computed
  ggml_permute(ctx, q, 0, 2, 1, 3);
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: ggml_permute() only makes a node of a graph
  return ggml_mul_mat(ctx, cache, q);
}

T storeRight(Ctx ctx, ggml_cgraph *graph, T cache, T k, T q, int64_t n, int64_t at) {
  T slot = ggml_view_1d(ctx, cache, n, at * ggml_element_size(cache));
  ggml_build_forward_expand(graph, ggml_cpy(ctx, k, slot));
  q = ggml_scale_inplace(ctx, q, 0.5f);
  ggml_set_name(q, "q");
  ggml_new_tensor_1d(ctx, GGML_TYPE_F32, n); // takes its place
  return ggml_mul_mat(ctx, cache, q);
}
