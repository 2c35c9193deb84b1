// Of a ggml operation that needs one of several things nothing is said, but where all of them are types.

// RUN: rm -rf %t && mkdir -p %t && cp %s %t/alternatives.cpp && cp %S/Inputs/alternatives.yaml %t/.tensortidy.yaml
// RUN: %exits 1 %tensortidy --quiet --checks=-*,tensor-shape-mismatch %t/alternatives.cpp -- -std=c++17 -I%S/../ggml/Inputs 2>&1 | FileCheck %s --implicit-check-not=warning:

#include "ggml.h"

using Ctx = ggml_context *;
using T = ggml_tensor *;

namespace my {
T gated(Ctx ctx, T x, T gate);     // the gate is one number a row, or as long as the row
T gatedRows(Ctx ctx, T x, T gate); // it is as long as the row
T typed(Ctx ctx, T x, T gate);     // the gate is float32, or x is float16
T either(Ctx ctx, T x, T gate);    // the gate is float32, or as long as the row
} // namespace my

T first(Ctx ctx, int64_t n) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, n);
  return my::gated(ctx, x, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 1, n));
}
T second(Ctx ctx, int64_t n) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, n);
  return my::gated(ctx, x, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, n));
}
T neither(Ctx ctx, int64_t n) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, n);
  return my::gated(ctx, x, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 32, n));
}
// Without an alternative.
T alone(Ctx ctx, int64_t n) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, n);
  return my::gatedRows(ctx, x, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 32, n));
  // CHECK: :[[#@LINE-1]]:14: warning: {{.*}}ne[0] of operand 2 is 32, ne[0] of 'x' is 64; aborts [tensor-shape-mismatch]
}

T types(Ctx ctx, int64_t n) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, n), half = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 64, n);
  T y = my::typed(ctx, my::typed(ctx, half, half), x);
  ggml_set_name(y, "y");
  return my::typed(ctx, x, half);
  // CHECK: :[[#@LINE-1]]:14: warning: typed(ctx, x, half): 'half' is of float16, not of float32; aborts
}
// The gate is of another type, and as long as the row.
T mixed(Ctx ctx, int64_t n) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, n);
  return my::either(ctx, x, ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 64, n));
}
