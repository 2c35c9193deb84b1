// RUN: not %tensortidy --checks=-*,tensor-shape-mismatch %s -- -std=c++17 -I%S/Inputs | FileCheck %s --implicit-check-not=warning:
// Where the last element of a view lies, and types whose elements are stored in blocks.

#include "ggml.h"

using Ctx = ggml_context *;
using T = ggml_tensor *;

// Gates behind the values of a row, one row too far on.
T gates(Ctx ctx, T w, T x, int64_t d, int64_t n) {
  T h = ggml_mul_mat(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, 2 * d), ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, n));
  T value = ggml_view_2d(ctx, h, d, n, h->nb[1], 0);
  T gate = ggml_view_2d(ctx, h, d, n, h->nb[1], 2 * d * sizeof(float));
  // CHECK: :[[#@LINE-1]]:12: warning: ggml_view_2d(ctx, h, d, n, 8*d, 8*d): the view ends 2*d*n + d elements from the start of 'h', which has 2*d*n; reads past its end unless it is empty [tensor-shape-mismatch]
  // CHECK: note: 'h' has ne [2*d, n] here
  return ggml_mul(ctx, value, gate);
}
T gatesThatFit(Ctx ctx, int64_t d, int64_t n) {
  T h = ggml_mul_mat(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, 2 * d), ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, n));
  return ggml_mul(ctx, ggml_view_2d(ctx, h, d, n, h->nb[1], 0), ggml_view_2d(ctx, h, d, n, h->nb[1], d * sizeof(float)));
}

// Every second row: half of them, or twice as far as there are.
T everySecond(Ctx ctx, int64_t d) {
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, d, 8);
  T half = ggml_view_2d(ctx, x, d, 4, 2 * x->nb[1], 0);
  T odd = ggml_view_2d(ctx, x, d, 4, 2 * x->nb[1], x->nb[1]);
  T all = ggml_view_2d(ctx, x, d, 8, 2 * x->nb[1], 0);
  // CHECK: :[[#@LINE-1]]:11: warning: ggml_view_2d({{.*}}): the view ends 15*d elements from the start of 'x', which has 8*d; reads past its end
  // CHECK: note: 'x' has ne [d, 8] here
  ggml_set_name(all, "all");
  return ggml_add(ctx, half, odd);
}

// A row for all: ggml counts the elements of the view.
T broadcastByView(Ctx ctx, int64_t n, int64_t t) {
  T bias = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, n);
  T x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n, t);
  T rows = ggml_view_2d(ctx, bias, n, t, 0, 0);
  // CHECK: :[[#@LINE-1]]:12: warning: ggml_view_2d(ctx, bias, n, t, 0, 0): n*t elements are not in the n of 'bias'; aborts unless t is 1
  // CHECK: note: 'bias' has ne [n] here
  return ggml_add(ctx, ggml_add(ctx, x, bias), rows);
}

// A view of a view is in the memory of the whole tensor.
T nested(Ctx ctx) {
  T x = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 100);
  T tail = ggml_view_1d(ctx, x, 40, 60 * sizeof(float));
  T fits = ggml_view_1d(ctx, tail, 40, 0);
  T beyond = ggml_view_1d(ctx, tail, 30, 20 * sizeof(float));
  // CHECK: :[[#@LINE-1]]:14: warning: ggml_view_1d(ctx, tail, 30, 80): 30 elements from 80 on are not in the 100 of the tensor that 'tail' is a view of; aborts
  // CHECK: note: 'tail' has ne [40] here
  return ggml_concat(ctx, fits, beyond, 0);
}

// In a loop the last one counts.
T heads(Ctx ctx, int64_t d, int64_t n_head, int64_t n) {
  T q = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, d * n_head, n);
  T sum = nullptr;
  for (int64_t h = 0; h < n_head; ++h) {
    T one = ggml_view_2d(ctx, q, d, n, q->nb[1], h * d * sizeof(float));
    T next = ggml_view_2d(ctx, q, d, n, q->nb[1], (h + 1) * d * sizeof(float));
    // CHECK: :[[#@LINE-1]]:14: warning: ggml_view_2d({{.*}}): the view ends {{.*}} elements from the start of 'q', which has {{.*}}; reads past its end
    // CHECK: note: 'q' has ne [d*n_head, n] here
    sum = ggml_add(ctx, one, next);
  }
  return sum;
}
T headsButOne(Ctx ctx, int64_t d, int64_t n_head, int64_t n) {
  T q = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, d * n_head, n), sum = nullptr;
  for (int64_t h = 0; h < n_head - 1; ++h)
    sum = ggml_view_2d(ctx, q, d, n, q->nb[1], (h + 1) * d * sizeof(float));
  for (int64_t h = 0; h < n_head; ++h) {
    if (h + 1 == n_head)
      break;
    sum = ggml_view_2d(ctx, q, d, n, q->nb[1], (h + 1) * d * sizeof(float));
  }
  return sum;
}

// Blocks: 34 bytes for 32 elements.
T blocks(Ctx ctx, int64_t n) {
  T k = ggml_new_tensor_2d(ctx, GGML_TYPE_Q8_0, 128, 4);
  T part = ggml_view_1d(ctx, k, ggml_nbytes(k) / ggml_type_size(GGML_TYPE_Q8_0), 0);
  // CHECK: :[[#@LINE-1]]:12: warning: ggml_view_1d(ctx, k, 16, 0): rows of 16 elements end inside a block: 'k' is of q8_0, which is stored 32 elements in 34 bytes; it reads other elements
  // CHECK: note: 'k' has ne [128, 4] here
  T w = ggml_new_tensor_2d(ctx, GGML_TYPE_Q8_0, 128, n);
  T some = ggml_view_1d(ctx, w, ggml_nbytes(w) / ggml_element_size(w), 0);
  // CHECK: :[[#@LINE-1]]:12: warning: ggml_view_1d({{.*}}): {{.*}} is the number of blocks of 'w', not of its {{128\*n|n\*128}} elements: it is of q8_0, which is stored 32 elements in 34 bytes; it takes a part of them
  // CHECK: note: 'w' has ne [128, n] here
  ggml_set_name(some, "some");
  // Rows by the size of an element, which is that of a block.
  T rows = ggml_view_2d(ctx, k, 64, 4, 128 * ggml_element_size(k), 0);
  // CHECK: :[[#@LINE-1]]:12: warning: ggml_view_2d({{.*}}): the view ends 12352 elements from the start of 'k', which has 512; reads past its end
  // CHECK: note: 'k' has ne [128, 4] here
  ggml_set_name(rows, "rows");
  T inside = ggml_view_1d(ctx, k, 64, 64);
  // CHECK: :[[#@LINE-1]]:14: warning: ggml_view_1d(ctx, k, 64, 64): offset is 64 bytes, which is inside a block of 'k', of q8_0, which is stored 32 elements in 34 bytes; it reads other elements
  // CHECK: note: 'k' has ne [128, 4] here
  ggml_set_name(inside, "inside");
  T x = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 64);
  T odd = ggml_view_1d(ctx, x, 8, 6);
  // CHECK: :[[#@LINE-1]]:11: warning: ggml_view_1d(ctx, x, 8, 6): offset is 6 bytes, which is inside an element of 'x', of float32; it reads other elements
  // CHECK: note: 'x' has ne [64] here
  return ggml_add(ctx, part, odd);
}
T blocksThatFit(Ctx ctx, int64_t n) {
  T k = ggml_new_tensor_2d(ctx, GGML_TYPE_Q8_0, 128, 4), w = ggml_new_tensor_2d(ctx, GGML_TYPE_Q8_0, 128, n);
  T all = ggml_view_1d(ctx, k, ggml_nbytes(k) / ggml_element_size(k) * 32, 0);
  T same = ggml_view_1d(ctx, w, ggml_nbytes(w) / ggml_type_size(GGML_TYPE_Q8_0) * 32, 0);
  T rows = ggml_view_2d(ctx, k, 64, 4, ggml_row_size(GGML_TYPE_Q8_0, 128), ggml_row_size(GGML_TYPE_Q8_0, 64));
  T hand = ggml_view_2d(ctx, k, 64, 4, 128 / 32 * 34, 68);
  T most = ggml_view_2d(ctx, w, 64, n, w->nb[1], w->nb[1] / 2);
  ggml_set_name(all, "all");
  ggml_set_name(same, "same");
  ggml_set_name(rows, "rows");
  ggml_set_name(hand, "hand");
  return most;
}

// The bytes of a block, for each element of a row.
T headOfBlocks(Ctx ctx, int64_t size, int64_t heads, int64_t n, int64_t h) {
  T k = ggml_new_tensor_2d(ctx, GGML_TYPE_Q8_0, size * heads, n);
  return ggml_view_2d(ctx, k, size, n, k->nb[1], h * size * ggml_type_size(k->type));
  // CHECK: :[[#@LINE-1]]:10: warning: {{.*}}: offset is 34*size*h bytes, not the 34*size*h/32 of so many elements; it reads other elements
}
T rowsOfBlocks(Ctx ctx, int64_t size, int64_t heads, int64_t n) {
  T k = ggml_new_tensor_2d(ctx, GGML_TYPE_Q8_0, size * heads, n);
  return ggml_view_2d(ctx, k, size, n, size * heads * ggml_element_size(k), 0);
  // CHECK: :[[#@LINE-1]]:10: warning: {{.*}}: nb1 is 34*size*heads bytes, not the 34*size*heads/32 of so many elements; it reads other elements
}
T headOfRows(Ctx ctx, int64_t size, int64_t heads, int64_t n, int64_t h) {
  T k = ggml_new_tensor_2d(ctx, GGML_TYPE_Q8_0, size * heads, n);
  return ggml_view_2d(ctx, k, size, n, k->nb[1], h * ggml_row_size(k->type, size));
}
T headOfCounted(Ctx ctx, int64_t blocks, int64_t n, int64_t h) {
  T k = ggml_new_tensor_2d(ctx, GGML_TYPE_Q8_0, 64 * blocks, n);
  return ggml_view_2d(ctx, k, 32 * blocks, n, k->nb[1], h * blocks * ggml_type_size(k->type));
}
