// RUN: not %tensortidy --checks=-*,tensor-raw-pointer-layout %s -- %runtime | FileCheck %s --implicit-check-not=warning:
#include <tensortidy/aten.h>
#include <cstdint>

// Of each operand the distance of tokens is handed on. Within a token the heads
// of the query have gaps, which nobody is told of.
void rotate(const int64_t *positions, float *query, float *key, int64_t query_step, int64_t key_step, int64_t heads, int64_t kv,
            int64_t size);
void rotary(const at::Tensor &positions, at::Tensor &query, at::Tensor &key, int64_t size) {
  const int64_t tokens = positions.numel();
  TORCH_CHECK(query.size(0) == tokens && key.size(0) == tokens);
  const int64_t heads = query.numel() / tokens / size, kv = key.numel() / tokens / size;
  // CHECK: :[[#@LINE+1]]:47: warning: 'rotate' gets one stride of 'part::query' and takes size*{{.*}} elements in a row within: {{.*}} [tensor-raw-pointer-layout]
  rotate(positions.data_ptr<int64_t>(), query.data_ptr<float>(), key.data_ptr<float>(), query.stride(0), key.stride(0), heads, kv, size);
}
void part(const at::Tensor &positions, const at::Tensor &q, at::Tensor &key, int64_t heads, int64_t nope, int64_t rope) {
  auto all = q.contiguous().view({-1, heads, nope + rope});
  auto query = all.split_with_sizes({nope, rope}, -1)[1];
  rotary(positions, query, key, rope);
}
void packed(const at::Tensor &positions, const at::Tensor &q, at::Tensor &key, int64_t heads, int64_t nope, int64_t rope) {
  auto all = q.contiguous().view({-1, heads, nope + rope});
  auto query = all.split_with_sizes({nope, rope}, -1)[1].contiguous();
  rotary(positions, query, key, rope);
}

// The pages of a caller, transposed and cut: level 1.
void store(float *keys, const float *fresh, int64_t block_step, int64_t block, int64_t heads, int64_t size);
void pages(const at::Tensor &cache, const at::Tensor &fresh, int64_t blocks, int64_t heads, int64_t block, int64_t size) {
  auto keys = cache.view({blocks, heads, block, 2 * size}).transpose(1, 2).narrow(-1, 0, size);
  // CHECK: :[[#@LINE+1]]:14: warning: 'store' gets one stride of 'keys' and takes size*heads*block elements in a row within: {{.*}}; wrong when 'cache' is contiguous, unless blocks*heads*block is 1
  store(keys.data_ptr<float>(), fresh.data_ptr<float>(), keys.stride(0), block, heads, size);
}
void blocksOf(const at::Tensor &cache, const at::Tensor &fresh, int64_t blocks, int64_t heads, int64_t block, int64_t size) {
  auto keys = cache.view({blocks, 2, block, heads, size}).select(1, 0);
  store(keys.data_ptr<float>(), fresh.data_ptr<float>(), keys.stride(0), block, heads, size);
}

// Records of five numbers that another list orders.
float overlap(const float *a, const float *b) { return a[2] * a[3] + b[2] * b[3] + a[4] - b[4]; }
float suppress(const at::Tensor &boxes, const at::Tensor &order, const at::Tensor &keep) {
  const float *p = boxes.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:26: warning: this loop goes through 'boxes' in steps of 5 elements, which are 9 in its memory
  const int64_t *o = order.data_ptr<int64_t>(), *k = keep.data_ptr<int64_t>();
  float worst = 0;
  for (int64_t i = 0; i < boxes.size(0); ++i)
    worst = std::max(worst, overlap(p + o[i] * 5, p + k[i] * 5));
  return worst;
}
float cut(const at::Tensor &order, const at::Tensor &keep, int64_t n) {
  return suppress(at::rand({n, 9}).slice(1, 0, 5), order, keep);
}
float whole(const at::Tensor &order, const at::Tensor &keep, int64_t n) {
  return suppress(at::rand({n, 9}).slice(1, 0, 5).contiguous(), order, keep);
}
// The same distance as in memory, and one that is no row's.
float told(const at::Tensor &order, int64_t n) {
  auto boxes = at::rand({n, 9}).slice(1, 0, 5);
  const float *p = boxes.data_ptr<float>();
  const int64_t *o = order.data_ptr<int64_t>();
  float sum = 0;
  for (int64_t i = 0; i < n; ++i)
    sum += p[o[i] * 9 + 4] + p[o[i] * 3 + 2];
  return sum;
}

// A function of the code's own that is called as a stream's is.
struct Sink {
  void write(const float *p, int64_t heads, int64_t size);
};
void write(const float *p, int64_t step, int64_t block, int64_t heads, int64_t size);
void own(const at::Tensor &cache, int64_t blocks, int64_t heads, int64_t block, int64_t size) {
  auto keys = cache.contiguous().view({blocks, heads, block, 2 * size}).transpose(1, 2).narrow(-1, 0, size);
  // CHECK: :[[#@LINE+1]]:14: warning: 'write' gets one stride of 'keys'
  write(keys.data_ptr<float>(), keys.stride(0), block, heads, size);
}

// Strides are handed on, but they are those of the others. No number is the
// distance of these rows.
void post(float *out, const float *x, const float *mix, int64_t rows, int64_t streams, int64_t hidden, int64_t x_step);
void gated(at::Tensor &out, const at::Tensor &x, const at::Tensor &g, int64_t streams) {
  auto gates = g.contiguous().view({-1, 3 * streams});
  auto mix = gates.slice(1, streams, 2 * streams);
  // CHECK: :[[#@LINE+1]]:56: warning: 'post' gets 'mix' without its strides and takes streams*gates.size(0) elements in a row
  post(out.data_ptr<float>(), x.data_ptr<float>(), mix.data_ptr<float>(), gates.size(0), streams, x.size(1), x.stride(0));
}
// One may be: of the tensor itself, and of whoever calls.
void gatedBy(at::Tensor &out, const at::Tensor &x, const at::Tensor &g, int64_t streams, int64_t width) {
  auto gates = g.contiguous().view({-1, 3 * streams});
  auto mix = gates.slice(1, streams, 2 * streams);
  post(out.data_ptr<float>(), x.data_ptr<float>(), mix.data_ptr<float>(), gates.size(0), streams, gates.size(1), x.stride(0));
  post(out.data_ptr<float>(), x.data_ptr<float>(), mix.data_ptr<float>(), gates.size(0), streams, width, x.stride(0));
  post(out.data_ptr<float>(), x.data_ptr<float>(), mix.data_ptr<float>(), gates.size(0), streams, x.size(1), mix.stride(0));
}
