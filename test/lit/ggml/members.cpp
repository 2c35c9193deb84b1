// RUN: %check %s --checks=-*,tensor-shape-mismatch,tensor-view-after-permute -- -std=c++17 -I%S/Inputs
// Tensors of a class: what its constructor, or another method, has made of them.

#include "ggml.h"

struct stream_params {
  int64_t n_embd = 512;
  int n_frames = 8;
};

class frame_history {
public:
  explicit frame_history(ggml_context *ctx, const stream_params &p) : p_(p), ctx_(ctx) {
    hist_ = ggml_new_tensor_1d(ctx_, GGML_TYPE_F32, p_.n_embd * p_.n_frames);
    proj_ = ggml_new_tensor_2d(ctx_, GGML_TYPE_F32, p.n_embd, 80);
    bias_ = ggml_new_tensor_1d(ctx_, GGML_TYPE_F32, 64);
  }
  ggml_tensor *frame(int i) {
    return ggml_view_1d(ctx_, hist_, p_.n_embd, i * p_.n_embd);
    // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: ggml_view_1d(ctx_, hist_, p_.n_embd, p_.n_embd*i): the offset is p_.n_embd*i bytes, not the 4*p_.n_embd*i of so many elements; it starts at another element
  }
  ggml_tensor *frame_of(int i) { return ggml_view_1d(ctx_, hist_, p_.n_embd, i * p_.n_embd * sizeof(float)); }
  ggml_tensor *project(ggml_tensor *frame) {
    ggml_tensor *mel = ggml_mul_mat(ctx_, proj_, ggml_reshape_2d(ctx_, frame, p_.n_embd, p_.n_frames));
    return ggml_add(ctx_, mel, bias_);
    // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: ggml_add(ctx_, mel, bias_): ne[0] of 'mel' is 80, ne[0] of 'bias_' is 64, which does not divide it; aborts
  }
  ggml_tensor *flat() { return ggml_reshape_1d(ctx_, ggml_transpose(ctx_, proj_), p_.n_embd * 80); }
  // CHECK-MESSAGES: :[[#@LINE-1]]:32: warning: ggml_reshape_1d(ctx_, ..., 80*p_.n_embd) needs a contiguous tensor

private:
  stream_params p_;
  ggml_context *ctx_;
  ggml_tensor *hist_, *proj_, *bias_;
};

// What a method makes has the sizes of that time.
class cache {
public:
  cache(ggml_context *ctx, int64_t rows) : ctx(ctx), rows(rows) {}
  void resize(int64_t n) {
    rows = n;
    k = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 128, rows);
  }
  ggml_tensor *heads(int64_t n) { return ggml_reshape_3d(ctx, k, 64, 2, n); }
  ggml_tensor *all(ggml_tensor *x) { return ggml_reshape_2d(ctx, x, 128, rows); }
  ggml_tensor *shifted() { return ggml_add(ctx, k, ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 100)); }
  // CHECK-MESSAGES: :[[#@LINE-1]]:35: warning: ggml_add(ctx, k, ...): ne[0] of 'k' is 128, ne[0] of operand 2 is 100, which does not divide it; aborts

private:
  ggml_context *ctx;
  int64_t rows;
  ggml_tensor *k = nullptr;
};

// A pointer that is given out, sizes that are written: nobody knows what it is.
class given {
public:
  explicit given(ggml_context *ctx) : ctx(ctx) { a = b = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 8); }
  ggml_tensor **slot() { return &a; }
  void grow() { b->ne[0] = 16; }
  ggml_tensor *sum(ggml_tensor *x) { return ggml_add(ctx, ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 12), a); }
  ggml_tensor *other(ggml_tensor *x) { return ggml_add(ctx, ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 12), b); }

private:
  ggml_context *ctx;
  ggml_tensor *a, *b;
};

// Numbers that a function was given while it made them: nobody knows how they compare.
struct pair {
  ggml_context *ctx;
  ggml_tensor *a, *b;
};
void load(pair &p, int rows_a, int cols_a, int rows_b, int cols_b) {
  p.a = ggml_new_tensor_2d(p.ctx, GGML_TYPE_F32, cols_a, rows_a);
  p.b = ggml_new_tensor_2d(p.ctx, GGML_TYPE_F32, cols_b, rows_b);
}
ggml_tensor *product(const pair &p) { return ggml_mul_mat(p.ctx, p.a, p.b); }
ggml_tensor *biased(const pair &p) { return ggml_add(p.ctx, p.a, ggml_new_tensor_1d(p.ctx, GGML_TYPE_F32, 100)); }
ggml_tensor *compute(const pair &p) { return ggml_soft_max(p.ctx, ggml_add(p.ctx, product(p), biased(p))); }
ggml_tensor *turned(const pair &p) { return ggml_reshape_1d(p.ctx, ggml_transpose(p.ctx, p.a), ggml_nelements(p.a)); }
// CHECK-MESSAGES: :[[#@LINE-1]]:45: warning: ggml_reshape_1d(p.ctx, ..., {{.*}}) needs a contiguous tensor

// A helper decides what the weight is, by more than the weight.
ggml_tensor *weight_for(ggml_context *ctx, int64_t n, bool packed) {
  if (packed)
    return ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n / 2, 2);
  return ggml_new_tensor_1d(ctx, GGML_TYPE_F32, n);
}
class layer {
public:
  explicit layer(ggml_context *ctx) : ctx(ctx), w(weight_for(ctx, 24, true)) {}
  ggml_tensor *sum(ggml_tensor *x) { return ggml_add(ctx, ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 10), w); }

private:
  ggml_context *ctx;
  ggml_tensor *w;
};
