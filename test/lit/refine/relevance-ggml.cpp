// RUN: %silent %s -- -std=c++17 -I%S/../ggml/Inputs
// RUN: not %tensortidy '--config={CheckOptions: {tensortidy.Disregard: named-bytes}}' %s -- -std=c++17 -I%S/../ggml/Inputs | FileCheck %s --check-prefix=NAMED-BYTES --implicit-check-not=warning:
// RUN: %tensortidy --stats %s -- -std=c++17 -I%S/../ggml/Inputs 2>&1 | FileCheck %s --check-prefix=STATS
// As in relevance.cpp, of what ggml counts in bytes.
// STATS: statements of which something is not told, by reason:
// STATS: 1 named-bytes
#include "ggml.h"

ggml_tensor *namedBytes(ggml_context *ctx, int64_t n, int64_t m, int64_t bytes) {
  ggml_tensor *x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n, m);
  return ggml_view_1d(ctx, x, n, n * bytes);
// NAMED-BYTES: :[[#@LINE-1]]:{{[0-9]+}}: warning: ggml_view_1d(ctx, x, n, n*bytes): the offset is n*bytes bytes, not the 4*n*bytes of so many elements
}
