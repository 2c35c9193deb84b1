// RUN: not %tensortidy --checks=-*,tensor-shape-mismatch %s -- -std=c++17 -I%S/Inputs | FileCheck %s --implicit-check-not=warning:
// Element types that ggml's operations do not take, and what convolutions give.
#include "ggml.h"
using Ctx = ggml_context *;
using T = ggml_tensor *;
struct Hp { int64_t n_embd, n_head, n_ff; };

T operands(Ctx ctx, const Hp &hp, T given, int64_t n_tokens) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, hp.n_embd, n_tokens);
  T w = ggml_new_tensor_2d(ctx, GGML_TYPE_Q8_0, hp.n_embd, hp.n_ff);
  T half = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, hp.n_embd, n_tokens);
  T packed = ggml_new_tensor_2d(ctx, GGML_TYPE_Q8_0, hp.n_embd, n_tokens);
  T sum = ggml_add(ctx, x, packed);
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: ggml_add(ctx, x, packed): 'packed' is of q8_0, not of float32 or float16 or bfloat16; aborts [tensor-shape-mismatch]
  T right = ggml_add(ctx, packed, x); // blocks may be added to, as LoRA does
  T up = ggml_mul_mat(ctx, w, packed);
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: ggml_mul_mat(ctx, w, packed): 'packed' is of q8_0, not of float32 or float16 or bfloat16; aborts
  T norm = ggml_rms_norm(ctx, half, 1e-5f);
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: ggml_rms_norm(ctx, half, {{.*}}): 'half' is of float16, not of float32; aborts
  T fine = ggml_mul(ctx, ggml_rms_norm(ctx, x, 1e-5f), ggml_rms_norm(ctx, given, 1e-5f));
  T plain = ggml_add(ctx, ggml_mul_mat(ctx, w, x), ggml_mul_mat(ctx, w, half));
  T right32 = ggml_add(ctx, ggml_cast(ctx, right, GGML_TYPE_F32), ggml_add(ctx, sum, ggml_cast(ctx, ggml_add(ctx, norm, fine), GGML_TYPE_F32)));
  return ggml_concat(ctx, right32, ggml_add(ctx, up, plain), 0);
}

// A bias runs along ne[0], which is the width here, not the channels.
T convolved(Ctx ctx, int64_t width, int64_t height, int64_t channels) {
  T image = ggml_new_tensor_4d(ctx, GGML_TYPE_F32, width, height, 4, 1);
  T kernel = ggml_new_tensor_4d(ctx, GGML_TYPE_F16, 3, 3, 4, channels);
  T bias = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, channels);
  T x = ggml_conv_2d(ctx, kernel, image, 1, 1, 1, 1, 1, 1);
  T wrong = ggml_add(ctx, x, bias);
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: ggml_add(ctx, x, bias): ne[0] of 'x' is width, ne[0] of 'bias' is channels; aborts unless channels divides width
  T right = ggml_add(ctx, x, ggml_reshape_4d(ctx, bias, 1, 1, channels, 1));
  return ggml_add(ctx, wrong, right);
}

// Patches: planes of channels are no rows of channels.
T patches(Ctx ctx, int64_t columns, int64_t rows, int64_t n_embd) {
  T image = ggml_new_tensor_4d(ctx, GGML_TYPE_F32, columns * 14, rows * 14, 3, 1);
  T kernel = ggml_new_tensor_4d(ctx, GGML_TYPE_F16, 14, 14, 3, n_embd);
  T x = ggml_conv_2d(ctx, kernel, image, 14, 14, 0, 0, 1, 1);
  T wrong = ggml_reshape_2d(ctx, x, n_embd, columns * rows);
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: ggml_reshape_2d(ctx, x, n_embd, {{.*}}) keeps the order of the elements: a step along n_embd is {{.*}} wrong unless
  T right = ggml_cont(ctx, ggml_transpose(ctx, ggml_reshape_2d(ctx, x, columns * rows, n_embd)));
  return ggml_add(ctx, wrong, right);
}

// n / k is k times less than n.
T heads(Ctx ctx, const Hp &hp, T x, T positions, int64_t n_tokens) {
  const int64_t d = hp.n_embd / hp.n_head;
  T w = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, hp.n_embd, hp.n_embd);
  T scale = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, hp.n_embd), small = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, d);
  T q = ggml_reshape_3d(ctx, ggml_mul_mat(ctx, w, x), d, hp.n_head, n_tokens);
  T wrong = ggml_mul(ctx, q, scale);
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: ggml_mul(ctx, q, scale): ne[0] of 'q' is {{.*}}, ne[0] of 'scale' is hp.n_embd{{.*}}; aborts unless hp.n_head is 1
  T right = ggml_mul(ctx, q, small);
  T turned = ggml_rope(ctx, right, positions, hp.n_embd, 0);
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: ggml_rope(ctx, right, positions, hp.n_embd, 0): {{.*}}; aborts unless hp.n_head is 1
  T fine = ggml_rope(ctx, right, positions, d, 0);
  return ggml_add(ctx, wrong, ggml_add(ctx, turned, fine));
}
