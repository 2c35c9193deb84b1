// RUN: %check %s --checks=-*,tensor-raw-pointer-layout -- %runtime
// A part of a longer row has the row's stride.

#include <tensortidy/aten.h>

void rotate(float *q, int64_t tokens, int64_t heads, int64_t size);
void normalize(const float *p, int64_t rows, int64_t width);
void pitched(const float *p, int64_t rows, int64_t width, int64_t stride);

void rope(const at::Tensor &x, int64_t t, int64_t h, int64_t plain, int64_t rotated) {
  auto q = x.contiguous().view({t, h, plain + rotated});
  auto part = q.slice(-1, plain);
  rotate(part.data_ptr<float>(), t, h, rotated);
  // CHECK-MESSAGES: :[[#@LINE-1]]:15: warning: 'rotate' gets 'part' without its strides and takes rotated*t*h elements in a row: sizes [t, h, rotated], strides [h*(rotated + plain), rotated + plain, 1]; wrong unless t*h is 1 or plain is 0 [tensor-raw-pointer-layout]
  // CHECK-MESSAGES: note: 'part' got this layout here: slice(-1, plain)
}

void norm(const at::Tensor &x, int64_t n, int64_t rank, int64_t rotated) {
  auto rows = x.contiguous().view({n, rank + rotated});
  auto latent = rows.narrow(1, 0, rank);
  normalize(latent.data_ptr<float>(), n, rank);
  // CHECK-MESSAGES: :[[#@LINE-1]]:20: warning: 'normalize' gets 'latent' without its strides and takes rank*n elements in a row: sizes [n, rank], strides [rotated + rank, 1]; wrong unless n is 1 or rotated is 0 [tensor-raw-pointer-layout]
  // CHECK-MESSAGES: note: 'latent' got this layout here: narrow
  pitched(latent.data_ptr<float>(), n, rank, latent.stride(0));
  auto packed = latent.contiguous();
  normalize(packed.data_ptr<float>(), n, rank);
}

void wholeRows(const at::Tensor &x, int64_t n, int64_t rank, int64_t rotated) {
  auto rows = x.contiguous().view({n, rank + rotated});
  normalize(rows.data_ptr<float>(), n, rank + rotated);
  normalize(rows.narrow(0, 0, 1).narrow(1, 0, rank).data_ptr<float>(), 1, rank);
}
