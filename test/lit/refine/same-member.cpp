// RUN: not %tensortidy --checks=-*,tensor-shape-mismatch %s -- -std=c++17 -I%S/../ggml/Inputs | FileCheck %s --implicit-check-not=warning:
// A member that was tested keeps its answer through loops of calls that cannot
// be followed: none of them is known to change it.

#include "ggml.h"

using Ctx = ggml_context *;
using T = ggml_tensor *;

struct Step {
  T weight;
  T run(Ctx ctx, T x); // elsewhere
};
static T shifted(Ctx ctx, T x, T bias) { return ggml_add(ctx, x, bias); }
struct Shift {
  T bias;
  T run(Ctx ctx, T x) { return shifted(ctx, x, bias); }
};
struct Tower {
  int64_t depth;
  Step steps[24];
  T run(Ctx ctx, T x, int skip) {
    int64_t last = depth - 1;
    if (skip > 0)
      last = depth - skip;
    for (int64_t i = 0; i < depth; ++i) {
      if (i == last + 1)
        break;
      x = steps[i].run(ctx, x);
    }
    return x;
  }
};
struct Encoder {
  Tower tower;
  int width, skip;
  Shift shift;
  T table;
  T run(Ctx ctx, T x, bool pooled) {
    T h = tower.run(ctx, ggml_get_rows(ctx, table, x), skip);
    if (pooled) {
      h = shift.run(ctx, h);
      return ggml_view_1d(ctx, h, width, 0);
    }
    return h;
  }
};
struct Pair {
  bool pooled;
  int mode;
  Encoder small, large;
  T run(Ctx ctx, T a, T b) {
    if (a->ne[0] > small.width)
      a = ggml_reshape_2d(ctx, a, small.width, a->ne[0] / small.width);
    if (pooled)
      return b;
    T h = small.run(ctx, a, pooled);
    T g = large.run(ctx, b, pooled);
    return ggml_concat(ctx, ggml_cont(ctx, ggml_permute(ctx, h, 2, 0, 1, 3)), ggml_cont(ctx, ggml_permute(ctx, g, 2, 0, 1, 3)), 2);
  }
  T modes(Ctx ctx, T a) {
    if (mode == 1)
      return a;
    T h = small.run(ctx, a, false);
    T both = mode == 1 ? ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 8) : ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 16);
    return ggml_concat(ctx, h, ggml_add(ctx, both, ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 16)), 1);
  }
  // What no path has tested may be either.
  T untested(Ctx ctx, T a) {
    T h = small.run(ctx, a, false);
    T both = pooled ? ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 8) : ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 16);
    return ggml_concat(ctx, h, ggml_add(ctx, both, ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 16)), 1);
    // CHECK: :[[#@LINE-1]]:32: warning: ggml_add(ctx, both, ...): ne[0] of 'both' is 8
  }
};
