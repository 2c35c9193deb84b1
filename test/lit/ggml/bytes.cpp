// RUN: not %tensortidy --checks=-*,tensor-raw-pointer-layout,tensor-shape-mismatch %s -- -std=c++17 -I%S/Inputs | FileCheck %s --implicit-check-not=warning:
// How many bytes are moved into and out of a tensor, and what they are.
#include "ggml.h"
#include <cstdio>
#include <cstring>
#include <fstream>
#include <vector>
using Ctx = ggml_context *;
using T = ggml_tensor;
struct Hp { int64_t n_vocab, n_embd, n_ctx; };

// The number of elements where bytes are asked.
void weights(Ctx ctx, const std::vector<float> &values, const Hp &hp) {
  T *w = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, values.size());
  ggml_backend_tensor_set(w, values.data(), 0, values.size());
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'ggml_backend_tensor_set' copies one byte for each of the {{.*}} elements of 'w', which have 4 (float32) [tensor-raw-pointer-layout]
  ggml_backend_tensor_set(w, values.data(), 0, values.size() * sizeof(float));
  ggml_backend_tensor_set(w, values.data(), 0, ggml_nbytes(w));
  T *table = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, hp.n_embd, hp.n_ctx);
  ggml_backend_tensor_set(table, values.data(), 0, hp.n_embd * hp.n_ctx);
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'ggml_backend_tensor_set' copies one byte for each of the hp.n_embd*hp.n_ctx elements of 'table', which have 4 (float32)
  ggml_backend_tensor_set(table, values.data(), 0, ggml_nelements(table) * ggml_element_size(table));
  memset(table->data, 0, ggml_nelements(table));
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'memset' counts one byte for each of the hp.n_embd*hp.n_ctx elements of 'table', which have 4 (float32)
  memset(table->data, 0, ggml_nbytes(table));
}

std::vector<float> logits(const T *t) {
  std::vector<float> out(ggml_nelements(t));
  ggml_backend_tensor_get(t, out.data(), 0, out.size());
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'ggml_backend_tensor_get' copies one byte for each of the {{.*}} elements of 'out', which have 4 [tensor-raw-pointer-layout]
  ggml_backend_tensor_get(t, out.data(), 0, out.size() * sizeof(float));
  std::vector<uint8_t> raw(ggml_nbytes(t));
  ggml_backend_tensor_get(t, raw.data(), 0, raw.size());
  std::vector<float> room(ggml_nbytes(t)); // more than enough
  ggml_backend_tensor_get(t, room.data(), 0, room.size());
  return out;
}

void file(Ctx ctx, std::ifstream &in, FILE *f, const Hp &hp) {
  T *w = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, hp.n_embd, hp.n_embd);
  in.read(reinterpret_cast<char *>(w->data), ggml_nelements(w));
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'read' counts one byte for each of the hp.n_embd*hp.n_embd elements of 'w', which have 2 (float16)
  in.read(reinterpret_cast<char *>(w->data), ggml_nbytes(w));
  if (fread(w->data, sizeof(float), ggml_nelements(w), f))
    // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'fread' counts 4 bytes for each of the hp.n_embd*hp.n_embd elements of 'w', which have 2 (float16)
    return;
  if (fread(w->data, 1, ggml_nbytes(w), f) || fread(w->data, sizeof(ggml_fp16_t), ggml_nelements(w), f))
    return;
}

// Floats, and a tensor of another type.
void mask(Ctx ctx, int64_t n_kv, int64_t n_tokens, const std::vector<float> &row, const std::vector<int64_t> &positions) {
  std::vector<float> data(n_kv * n_tokens, 0.0f);
  T *half = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, n_kv, n_tokens);
  ggml_backend_tensor_set(half, data.data(), 0, data.size() * sizeof(float));
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'ggml_backend_tensor_set' copies 4 bytes for each of the n_kv*n_tokens elements of 'half', which have 2 (float16)
  ggml_backend_tensor_set(half, data.data(), 0, ggml_nbytes(half));
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'ggml_backend_tensor_set' copies elements of 4 bytes and those of 'half', which have 2 (float16), for each other
  std::vector<ggml_fp16_t> converted(n_kv * n_tokens);
  ggml_backend_tensor_set(half, converted.data(), 0, converted.size() * sizeof(ggml_fp16_t));
  ggml_backend_tensor_set(half, converted.data(), 0, ggml_nbytes(half));
  T *full = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n_kv, n_tokens);
  ggml_backend_tensor_set(full, data.data(), 0, ggml_nbytes(full));
  T *packed = ggml_new_tensor_2d(ctx, GGML_TYPE_Q8_0, n_kv, n_tokens);
  ggml_backend_tensor_set(packed, data.data(), 0, data.size() * sizeof(float));
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'ggml_backend_tensor_set' copies more bytes than 'packed' has (q8_0)
  T *ids = ggml_new_tensor_1d(ctx, GGML_TYPE_I32, positions.size());
  ggml_backend_tensor_set(ids, positions.data(), 0, ggml_nbytes(ids));
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'ggml_backend_tensor_set' copies elements of 8 bytes and those of 'ids', which have 4 (int32), for each other
}

// Rows of a larger tensor: the offset, and what there is.
std::vector<float> last(Ctx ctx, const Hp &hp, int64_t n_tokens) {
  T *scores = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, hp.n_vocab, n_tokens);
  std::vector<float> out(hp.n_vocab);
  ggml_backend_tensor_get(scores, out.data(), hp.n_vocab * (n_tokens - 1), hp.n_vocab * sizeof(float));
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'ggml_backend_tensor_get' starts {{.*}} bytes behind the first of 'scores', which is a number of its elements: they have 4 each (float32)
  ggml_backend_tensor_get(scores, out.data(), hp.n_vocab * (n_tokens - 1) * sizeof(float), hp.n_vocab * sizeof(float));
  ggml_backend_tensor_get(scores, out.data(), (n_tokens - 1) * scores->nb[1], scores->nb[1]);
  ggml_backend_tensor_get(scores, out.data(), 0, ggml_nbytes(scores));
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'ggml_backend_tensor_get' copies 4*hp.n_vocab*n_tokens bytes, and 'out' has 4*hp.n_vocab; wrong unless n_tokens is 1
  memcpy(out.data(), ggml_get_data_f32(scores), hp.n_vocab);
  // CHECK: :[[#@LINE-1]]:{{.*}}: warning: 'memcpy' copies one byte for each of the hp.n_vocab elements of 'out', which have 4
  memcpy(out.data(), ggml_get_data_f32(scores), hp.n_vocab * sizeof(float));
  return out;
}

// What an address is said to be.
float first(Ctx ctx, const T *given, int64_t n) {
  T *half = ggml_new_tensor_1d(ctx, GGML_TYPE_F16, n);
  // CHECK: :[[#@LINE+1]]:{{.*}}: warning: ggml_get_data_f32(half) asks for float32, 'half' has float16; {{.*}} [tensor-shape-mismatch]
  return ggml_get_data_f32(half)[0] + ggml_get_data_f32(given)[0];
}
