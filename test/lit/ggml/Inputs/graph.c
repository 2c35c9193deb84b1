#include "ggml.h"

struct model {
  struct ggml_tensor *w;
};

struct ggml_tensor *heads(struct ggml_context *ctx, int64_t D, int64_t H, int64_t N) {
  struct ggml_tensor *x = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, D, H, N);
  x = ggml_permute(ctx, x, 0, 2, 1, 3);
  return ggml_reshape_2d(ctx, x, D * N, H);
}

struct ggml_tensor *row(struct ggml_context *ctx, struct model *m, int64_t n) {
  struct ggml_tensor *row = ggml_mul_mat(ctx, m->w, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 4, n));
  row = ggml_cont(ctx, row);
  return row;
}
