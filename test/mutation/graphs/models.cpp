// Graphs as model code builds them. mutate.py graphs swaps two sizes or two
// operands of one call at a time; drive.cpp runs what comes out.
#include "models.h"

#include <cmath>

// Attention with fewer heads of keys than of queries.
ggml_tensor *grouped_attention(ggml_context *ctx, const hparams_t &hp, const layer_t &layer, ggml_tensor *inp, ggml_tensor *pos,
                               ggml_tensor *mask) {
  const int64_t n_embd_head = hp.n_embd_head;
  const int64_t n_head = hp.n_head;
  const int64_t n_head_kv = hp.n_head_kv;
  const int64_t n_tokens = inp->ne[1];

  ggml_tensor *cur = ggml_rms_norm(ctx, inp, 1e-5f);
  cur = ggml_mul(ctx, cur, layer.attn_norm);
  ggml_tensor *q = ggml_mul_mat(ctx, layer.wq, cur);
  ggml_tensor *k = ggml_mul_mat(ctx, layer.wk, cur);
  ggml_tensor *v = ggml_mul_mat(ctx, layer.wv, cur);
  q = ggml_reshape_3d(ctx, q, n_embd_head, n_head, n_tokens);
  k = ggml_reshape_3d(ctx, k, n_embd_head, n_head_kv, n_tokens);
  v = ggml_reshape_3d(ctx, v, n_embd_head, n_head_kv, n_tokens);
  q = ggml_rope(ctx, q, pos, 2, 0);
  k = ggml_rope(ctx, k, pos, 2, 0);

  q = ggml_permute(ctx, q, 0, 2, 1, 3);
  k = ggml_permute(ctx, k, 0, 2, 1, 3);
  v = ggml_cont(ctx, ggml_permute(ctx, v, 1, 2, 0, 3));
  ggml_tensor *kq = ggml_mul_mat(ctx, k, q);
  kq = ggml_soft_max_ext(ctx, kq, mask, 1.0f / sqrtf(float(n_embd_head)), 0.0f);
  ggml_tensor *kqv = ggml_mul_mat(ctx, v, kq);
  kqv = ggml_permute(ctx, kqv, 0, 2, 1, 3);
  cur = ggml_cont_2d(ctx, kqv, n_embd_head * n_head, n_tokens);
  cur = ggml_mul_mat(ctx, layer.wo, cur);
  return ggml_add(ctx, cur, inp);
}

// Queries, keys and values of one product, cut from its rows.
ggml_tensor *fused_attention(ggml_context *ctx, const hparams_t &hp, const layer_t &layer, ggml_tensor *inp, ggml_tensor *mask) {
  const int64_t d = hp.n_embd_head;
  const int64_t h = hp.n_head;
  const int64_t hkv = hp.n_head_kv;
  const int64_t n = inp->ne[1];

  ggml_tensor *qkv = ggml_mul_mat(ctx, layer.wqkv, inp);
  qkv = ggml_add(ctx, qkv, layer.bqkv);
  ggml_tensor *q = ggml_view_3d(ctx, qkv, d, h, n, d * sizeof(float), qkv->nb[1], 0);
  ggml_tensor *k = ggml_view_3d(ctx, qkv, d, hkv, n, d * sizeof(float), qkv->nb[1], d * h * sizeof(float));
  ggml_tensor *v = ggml_view_3d(ctx, qkv, d, hkv, n, d * sizeof(float), qkv->nb[1], d * (h + hkv) * sizeof(float));
  q = ggml_cont_3d(ctx, q, d, h, n);
  k = ggml_cont_3d(ctx, k, d, hkv, n);

  ggml_tensor *kq = ggml_mul_mat(ctx, ggml_permute(ctx, k, 0, 2, 1, 3), ggml_permute(ctx, q, 0, 2, 1, 3));
  kq = ggml_soft_max_ext(ctx, kq, mask, 0.125f, 0.0f);
  ggml_tensor *vt = ggml_cont(ctx, ggml_permute(ctx, v, 1, 2, 0, 3));
  ggml_tensor *kqv = ggml_mul_mat(ctx, vt, kq);
  ggml_tensor *merged = ggml_permute(ctx, kqv, 0, 2, 1, 3);
  ggml_tensor *cur = ggml_cont_2d(ctx, merged, d * h, n);
  return ggml_mul_mat(ctx, layer.wo, cur);
}

// Weights made here, so that every size has a name.
ggml_tensor *feed_forward(ggml_context *ctx, int64_t n_embd, int64_t n_ff, int64_t n_tokens) {
  ggml_tensor *x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n_embd, n_tokens);
  ggml_tensor *up = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n_embd, n_ff);
  ggml_tensor *gate = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n_embd, n_ff);
  ggml_tensor *down = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n_ff, n_embd);
  ggml_tensor *norm = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, n_embd);
  ggml_tensor *cur = ggml_mul(ctx, ggml_rms_norm(ctx, x, 1e-6f), norm);
  ggml_tensor *a = ggml_mul_mat(ctx, up, cur);
  ggml_tensor *b = ggml_mul_mat(ctx, gate, cur);
  cur = ggml_mul(ctx, a, ggml_silu(ctx, b));
  cur = ggml_mul_mat(ctx, down, cur);
  return ggml_add(ctx, cur, x);
}

// Attention over images: every tensor is made here.
ggml_tensor *image_attention(ggml_context *ctx, int64_t d_head, int64_t n_head, int64_t n_pos, int64_t n_batch) {
  const int64_t hidden = d_head * n_head;
  ggml_tensor *x = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, hidden, n_pos, n_batch);
  ggml_tensor *wq = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, hidden, hidden);
  ggml_tensor *wk = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, hidden, hidden);
  ggml_tensor *wv = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, hidden, hidden);

  ggml_tensor *q = ggml_mul_mat(ctx, wq, x);
  q = ggml_reshape_4d(ctx, q, d_head, n_head, n_pos, n_batch);
  q = ggml_cont(ctx, ggml_permute(ctx, q, 0, 2, 1, 3));
  q = ggml_reshape_3d(ctx, q, d_head, n_pos, n_head * n_batch);
  ggml_tensor *k = ggml_mul_mat(ctx, wk, x);
  k = ggml_reshape_4d(ctx, k, d_head, n_head, n_pos, n_batch);
  k = ggml_cont(ctx, ggml_permute(ctx, k, 0, 2, 1, 3));
  k = ggml_reshape_3d(ctx, k, d_head, n_pos, n_head * n_batch);
  ggml_tensor *v = ggml_mul_mat(ctx, wv, x);
  v = ggml_reshape_4d(ctx, v, d_head, n_head, n_pos, n_batch);
  v = ggml_cont(ctx, ggml_permute(ctx, v, 1, 2, 0, 3));
  v = ggml_reshape_3d(ctx, v, n_pos, d_head, n_head * n_batch);

  ggml_tensor *kq = ggml_soft_max(ctx, ggml_mul_mat(ctx, k, q));
  ggml_tensor *kqv = ggml_mul_mat(ctx, v, kq);
  kqv = ggml_reshape_4d(ctx, kqv, d_head, n_pos, n_head, n_batch);
  kqv = ggml_cont(ctx, ggml_permute(ctx, kqv, 0, 2, 1, 3));
  ggml_tensor *out = ggml_reshape_3d(ctx, kqv, hidden, n_pos, n_batch);
  return ggml_add(ctx, out, x);
}

// Latent attention: each head has a part with positions and one without.
ggml_tensor *latent_attention(ggml_context *ctx, const hparams_t &hp, const layer_t &layer, ggml_tensor *inp, ggml_tensor *pos) {
  const int64_t nope = hp.n_nope, rope = hp.n_rope, n_head = hp.n_head, kv_rank = hp.kv_rank;
  const int64_t n_tokens = inp->ne[1];

  ggml_tensor *q = ggml_mul_mat(ctx, layer.wq_mla, inp);
  q = ggml_reshape_3d(ctx, q, nope + rope, n_head, n_tokens);
  ggml_tensor *q_nope = ggml_view_3d(ctx, q, nope, n_head, n_tokens, q->nb[1], q->nb[2], 0);
  ggml_tensor *q_pe = ggml_view_3d(ctx, q, rope, n_head, n_tokens, q->nb[1], q->nb[2], nope * sizeof(float));
  ggml_tensor *kv = ggml_mul_mat(ctx, layer.wkv_a, inp);
  ggml_tensor *latent = ggml_view_2d(ctx, kv, kv_rank, n_tokens, kv->nb[1], 0);
  ggml_tensor *k_pe = ggml_view_3d(ctx, kv, rope, 1, n_tokens, kv->nb[1], kv->nb[1], kv_rank * sizeof(float));
  q_pe = ggml_rope(ctx, q_pe, pos, 2, 0);
  k_pe = ggml_rope(ctx, k_pe, pos, 2, 0);

  q_nope = ggml_permute(ctx, q_nope, 0, 2, 1, 3);
  ggml_tensor *absorbed = ggml_mul_mat(ctx, layer.wk_b, q_nope);
  absorbed = ggml_permute(ctx, absorbed, 0, 2, 1, 3);
  ggml_tensor *query = ggml_concat(ctx, q_pe, absorbed, 0);
  ggml_tensor *packed = ggml_reshape_3d(ctx, ggml_cont(ctx, latent), kv_rank, 1, n_tokens);
  ggml_tensor *key = ggml_concat(ctx, k_pe, packed, 0);
  ggml_tensor *kq = ggml_mul_mat(ctx, ggml_permute(ctx, key, 0, 2, 1, 3), ggml_permute(ctx, query, 0, 2, 1, 3));
  return ggml_soft_max(ctx, kq);
}

// Windows of an image, made and undone.
ggml_tensor *windows(ggml_context *ctx, int64_t c, int64_t w, int64_t nx, int64_t ny) {
  ggml_tensor *x = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, c, w * nx, w * ny);
  ggml_tensor *weight = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, c, c);
  ggml_tensor *bias = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, c);
  ggml_tensor *y = ggml_reshape_4d(ctx, x, c * w, nx, w, ny);
  y = ggml_cont(ctx, ggml_permute(ctx, y, 0, 2, 1, 3));
  y = ggml_reshape_3d(ctx, y, c, w * w, nx * ny);
  y = ggml_add(ctx, ggml_mul_mat(ctx, weight, y), bias);
  y = ggml_reshape_4d(ctx, y, c * w, w, nx, ny);
  y = ggml_cont(ctx, ggml_permute(ctx, y, 0, 2, 1, 3));
  y = ggml_reshape_3d(ctx, y, c, w * nx, w * ny);
  return ggml_add(ctx, y, x);
}

// Experts: each token is sent to some, their answers are weighed and added.
ggml_tensor *experts(ggml_context *ctx, const hparams_t &hp, const layer_t &layer, ggml_tensor *cur) {
  const int64_t n_embd = cur->ne[0];
  const int64_t n_tokens = cur->ne[1];
  const int64_t n_expert = hp.n_expert;
  const int64_t n_used = hp.n_expert_used;
  ggml_tensor *logits = ggml_mul_mat(ctx, layer.gate_inp, cur);
  ggml_tensor *probs = ggml_soft_max(ctx, logits);
  ggml_tensor *selected = ggml_argsort_top_k(ctx, probs, n_used);
  ggml_tensor *weights = ggml_get_rows(ctx, ggml_reshape_3d(ctx, probs, 1, n_expert, n_tokens), selected);
  cur = ggml_reshape_3d(ctx, cur, n_embd, 1, n_tokens);
  ggml_tensor *up = ggml_mul_mat_id(ctx, layer.up_exps, cur, selected);
  ggml_tensor *out = ggml_mul_mat_id(ctx, layer.down_exps, ggml_silu(ctx, up), selected);
  out = ggml_mul(ctx, out, weights);
  ggml_tensor *sum = ggml_view_2d(ctx, out, n_embd, n_tokens, out->nb[2], 0);
  for (int64_t i = 1; i < n_used; ++i)
    sum = ggml_add(ctx, sum, ggml_view_2d(ctx, out, n_embd, n_tokens, out->nb[2], i * out->nb[1]));
  return sum;
}

// A cache that is written at one place and read up to another.
ggml_tensor *cached_keys(ggml_context *ctx, int64_t d, int64_t hkv, int64_t h, int64_t n_ctx, int64_t n_kv, int64_t n_tokens,
                         ggml_cgraph *gf) {
  ggml_tensor *cache = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, d * hkv, n_ctx);
  ggml_tensor *k = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, d, hkv, n_tokens);
  ggml_tensor *q = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, d, h, n_tokens);
  ggml_tensor *slot = ggml_view_2d(ctx, cache, d * hkv, n_tokens, cache->nb[1], 3 * cache->nb[1]);
  ggml_build_forward_expand(gf, ggml_cpy(ctx, ggml_reshape_2d(ctx, k, d * hkv, n_tokens), slot));
  ggml_tensor *keys = ggml_view_3d(ctx, cache, d, hkv, n_kv, d * sizeof(float), cache->nb[1], 0);
  keys = ggml_permute(ctx, keys, 0, 2, 1, 3);
  ggml_tensor *kq = ggml_mul_mat(ctx, keys, ggml_permute(ctx, q, 0, 2, 1, 3));
  return ggml_soft_max(ctx, kq);
}

// A gated convolution over time with a state from before.
ggml_tensor *short_convolution(ggml_context *ctx, int64_t d, int64_t k, int64_t n_tokens, int64_t n_seqs) {
  ggml_tensor *state = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, k - 1, d, n_seqs);
  ggml_tensor *in = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, 3 * d, n_tokens, n_seqs);
  ggml_tensor *kernel = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, k, d);
  ggml_tensor *b = ggml_view_3d(ctx, in, d, n_tokens, n_seqs, in->nb[1], in->nb[2], 0);
  ggml_tensor *c = ggml_view_3d(ctx, in, d, n_tokens, n_seqs, in->nb[1], in->nb[2], d * sizeof(float));
  ggml_tensor *x = ggml_view_3d(ctx, in, d, n_tokens, n_seqs, in->nb[1], in->nb[2], 2 * d * sizeof(float));
  ggml_tensor *bx = ggml_mul(ctx, b, x);
  bx = ggml_concat(ctx, state, ggml_transpose(ctx, bx), 0);
  ggml_tensor *y = ggml_ssm_conv(ctx, bx, kernel);
  return ggml_mul(ctx, c, y);
}
