// Graphs of language models.
#include "ggml.h"
#include <cmath>
#include <vector>

// https://github.com/ggml-org/llama.cpp/issues/22627
// A fused projection hands parts of its rows to a product that flattens the heads.
namespace fused {
struct hparams_t {
  int64_t n_embd, n_head, n_head_kv;
  int64_t n_embd_head() const { return n_embd / n_head; }
};
struct layer_t {
  ggml_tensor *wqkv, *wo;
};

ggml_tensor *mul_mat_aux(ggml_context *ctx, ggml_tensor *cur, ggml_tensor *rot) {
  const int64_t n = rot->ne[0];
  ggml_tensor *res = ggml_reshape_2d(ctx, cur, n, ggml_nelements(cur) / n); // missed: tensor-view-after-permute
  res = ggml_mul_mat(ctx, rot, res);
  return ggml_reshape_4d(ctx, res, cur->ne[0], cur->ne[1], cur->ne[2], cur->ne[3]);
}

ggml_tensor *build(ggml_context *ctx, const hparams_t &hp, const layer_t &layer, ggml_tensor *cur, ggml_tensor *rot) {
  const int64_t head = hp.n_embd / hp.n_head;
  const int64_t n_tokens = cur->ne[1];
  const int64_t n_embd_kv = head * hp.n_head_kv;
  ggml_tensor *qkv = ggml_mul_mat(ctx, layer.wqkv, cur);
  ggml_tensor *q = ggml_view_3d(ctx, qkv, head, hp.n_head, n_tokens, head * sizeof(float), qkv->nb[1], 0);
  ggml_tensor *k = ggml_view_3d(ctx, qkv, head, hp.n_head_kv, n_tokens, head * sizeof(float), qkv->nb[1], hp.n_embd * sizeof(float));
  ggml_tensor *v = ggml_view_3d(ctx, qkv, head, hp.n_head_kv, n_tokens, head * sizeof(float), qkv->nb[1],
                                (hp.n_embd + n_embd_kv) * sizeof(float));
  q = mul_mat_aux(ctx, q, rot);
  k = mul_mat_aux(ctx, ggml_cont(ctx, k), rot);
  v = ggml_cont(ctx, v); // also: tensor-hidden-copy
  ggml_tensor *kq = ggml_mul_mat(ctx, k, ggml_permute(ctx, q, 0, 2, 1, 3));
  return ggml_mul_mat(ctx, v, kq);
}
} // namespace fused

// https://github.com/ggml-org/llama.cpp/issues/7979
// Values of another head size than keys, cut with that of the keys.
namespace headsizes {
struct hparams_t {
  uint32_t n_head_kv, n_embd_head_k, n_embd_head_v;
};

ggml_tensor *bug(ggml_context *ctx, const hparams_t &hparams, ggml_tensor *cache, int64_t n_kv) {
  const int64_t n_head_kv = hparams.n_head_kv;
  const int64_t n_embd_head_k = hparams.n_embd_head_k;
  const int64_t n_embd_head_v = hparams.n_embd_head_v;
  ggml_tensor *k = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, n_embd_head_k, n_head_kv, n_kv);
  ggml_tensor *v = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, n_embd_head_v, n_head_kv, n_kv);
  ggml_tensor *kf = ggml_reshape_2d(ctx, k, n_embd_head_k * n_head_kv, n_kv);
  ggml_tensor *vf = ggml_reshape_2d(ctx, v, n_embd_head_k * n_head_kv, n_kv); // expect: tensor-shape-mismatch
  ggml_tensor *both = ggml_concat(ctx, kf, vf, 1);
  return ggml_add(ctx, both, cache);
}

ggml_tensor *fix(ggml_context *ctx, const hparams_t &hparams, ggml_tensor *cache, int64_t n_kv) {
  const int64_t n_head_kv = hparams.n_head_kv;
  const int64_t n_embd_head_k = hparams.n_embd_head_k;
  const int64_t n_embd_head_v = hparams.n_embd_head_v;
  ggml_tensor *k = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, n_embd_head_k, n_head_kv, n_kv);
  ggml_tensor *v = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, n_embd_head_v, n_head_kv, n_kv);
  ggml_tensor *kf = ggml_reshape_2d(ctx, k, n_embd_head_k * n_head_kv, n_kv);
  ggml_tensor *vf = ggml_reshape_2d(ctx, v, n_embd_head_v * n_head_kv, n_kv);
  return ggml_add(ctx, ggml_concat(ctx, kf, vf, 0), cache);
}
} // namespace headsizes

// https://github.com/ggml-org/llama.cpp/pull/5587
// Attention of an image encoder is copied twice on its way out.
namespace clip {
struct encoder_t {
  int64_t d_head, n_head, num_positions, batch;
  ggml_tensor *wo, *bo;
};

ggml_tensor *bug(ggml_context *ctx0, const encoder_t &e, ggml_tensor *Q, ggml_tensor *K, ggml_tensor *V) {
  const int64_t d_head = e.d_head, n_head = e.n_head, num_positions = e.num_positions;
  const int64_t hidden_size = d_head * n_head;
  ggml_tensor *KQ = ggml_mul_mat(ctx0, K, Q);
  KQ = ggml_soft_max(ctx0, ggml_scale(ctx0, KQ, 1.0f / sqrtf((float)d_head)));
  ggml_tensor *KQV = ggml_mul_mat(ctx0, V, KQ);
  KQV = ggml_reshape_4d(ctx0, KQV, d_head, num_positions, n_head, e.batch);
  KQV = ggml_cont(ctx0, ggml_permute(ctx0, KQV, 0, 2, 1, 3)); // expect: tensor-hidden-copy
  ggml_tensor *cur = ggml_cont_3d(ctx0, KQV, hidden_size, num_positions, e.batch); // also: tensor-redundant-contiguous
  cur = ggml_add(ctx0, ggml_mul_mat(ctx0, e.wo, cur), e.bo);
  return cur;
}

ggml_tensor *fix(ggml_context *ctx0, const encoder_t &e, ggml_tensor *Q, ggml_tensor *K, ggml_tensor *V) {
  const int64_t d_head = e.d_head, n_head = e.n_head, num_positions = e.num_positions;
  const int64_t hidden_size = d_head * n_head;
  ggml_tensor *KQ = ggml_soft_max(ctx0, ggml_scale(ctx0, ggml_mul_mat(ctx0, K, Q), 1.0f / sqrtf((float)d_head)));
  ggml_tensor *KQV = ggml_reshape_4d(ctx0, ggml_mul_mat(ctx0, V, KQ), d_head, num_positions, n_head, e.batch);
  KQV = ggml_permute(ctx0, KQV, 0, 2, 1, 3);
  ggml_tensor *cur = ggml_cont_3d(ctx0, KQV, hidden_size, num_positions, e.batch);
  return ggml_add(ctx0, ggml_mul_mat(ctx0, e.wo, cur), e.bo);
}
} // namespace clip

// https://github.com/NVIDIA/NeMo-Speech.cpp/pull/32
// Copies of what is packed, casts to the type a tensor has.
namespace speech {
struct layer_t {
  ggml_tensor *w_qkv, *w_out;
};

ggml_tensor *bug(ggml_context *ctx, const layer_t &layer, ggml_tensor *x, int64_t d, int64_t h, int64_t n) {
  ggml_tensor *q = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, d * h, n);
  ggml_tensor *a = ggml_add(ctx, q, q);
  ggml_tensor *heads = ggml_cont_3d(ctx, a, d, h, n); // expect: tensor-redundant-contiguous
  ggml_tensor *turned = ggml_permute(ctx, heads, 0, 2, 1, 3);
  ggml_tensor *scores = ggml_soft_max(ctx, ggml_mul_mat(ctx, turned, turned));
  ggml_tensor *f32 = ggml_cont(ctx, ggml_cast(ctx, scores, GGML_TYPE_F32)); // expect: tensor-redundant-contiguous
  return ggml_mul_mat(ctx, layer.w_out, f32);
}
} // namespace speech

// https://github.com/QuintinShaw/openasr/pull/241
// Flash attention takes strides; its query is copied first.
namespace flash {
struct params_t {
  int64_t head_dim, n_head, n_tokens;
  float scale;
};

ggml_tensor *bug(ggml_context *ctx, const params_t &p, ggml_tensor *q_cur, ggml_tensor *k, ggml_tensor *v, ggml_tensor *mask) {
  ggml_tensor *q = ggml_reshape_3d(ctx, q_cur, p.head_dim, p.n_head, p.n_tokens);
  q = ggml_cont(ctx, ggml_permute(ctx, q, 0, 2, 1, 3)); // expect: tensor-hidden-copy
  ggml_tensor *out = ggml_flash_attn_ext(ctx, q, k, v, mask, p.scale, 0.0f, 0.0f);
  return ggml_reshape_2d(ctx, out, p.head_dim * p.n_head, p.n_tokens);
}

ggml_tensor *fix(ggml_context *ctx, const params_t &p, ggml_tensor *q_cur, ggml_tensor *k, ggml_tensor *v, ggml_tensor *mask) {
  ggml_tensor *q = ggml_reshape_3d(ctx, q_cur, p.head_dim, p.n_head, p.n_tokens);
  q = ggml_permute(ctx, q, 0, 2, 1, 3);
  ggml_tensor *out = ggml_flash_attn_ext(ctx, q, k, v, mask, p.scale, 0.0f, 0.0f);
  return ggml_reshape_2d(ctx, out, p.head_dim * p.n_head, p.n_tokens);
}
} // namespace flash

// https://github.com/ggml-org/llama.cpp/pull/12801
// Heads and tokens of a permuted query are flattened into rows.
namespace latent {
struct hparams_t {
  int64_t n_nope, n_rope, n_head;
};

ggml_tensor *bug(ggml_context *ctx, const hparams_t &h, ggml_tensor *wq, ggml_tensor *cur, ggml_tensor *wk_b) {
  const int64_t n_tokens = cur->ne[1];
  const int64_t n_head_k = h.n_nope + h.n_rope;
  ggml_tensor *q = ggml_mul_mat(ctx, wq, cur);
  q = ggml_reshape_3d(ctx, q, n_head_k, h.n_head, n_tokens);
  ggml_tensor *q_nope = ggml_view_3d(ctx, q, h.n_nope, h.n_head, n_tokens, q->nb[1], q->nb[2], 0);
  ggml_tensor *q_pe = ggml_view_3d(ctx, q, h.n_rope, h.n_head, n_tokens, q->nb[1], q->nb[2], h.n_nope * sizeof(float));
  q_pe = ggml_cont(ctx, q_pe);
  ggml_tensor *flat = ggml_reshape_2d(ctx, q_nope, h.n_nope, h.n_head * n_tokens); // expect: tensor-view-after-permute
  ggml_tensor *absorbed = ggml_mul_mat(ctx, wk_b, flat);
  absorbed = ggml_reshape_3d(ctx, absorbed, wk_b->ne[1], h.n_head, n_tokens);
  return ggml_concat(ctx, absorbed, q_pe, 0);
}

ggml_tensor *fix(ggml_context *ctx, const hparams_t &h, ggml_tensor *wq, ggml_tensor *cur, ggml_tensor *wk_b) {
  const int64_t n_tokens = cur->ne[1];
  const int64_t n_head_k = h.n_nope + h.n_rope;
  ggml_tensor *q = ggml_reshape_3d(ctx, ggml_mul_mat(ctx, wq, cur), n_head_k, h.n_head, n_tokens);
  ggml_tensor *q_nope = ggml_view_3d(ctx, q, h.n_nope, h.n_head, n_tokens, q->nb[1], q->nb[2], 0);
  ggml_tensor *flat = ggml_reshape_2d(ctx, ggml_cont(ctx, q_nope), h.n_nope, h.n_head * n_tokens);
  return ggml_reshape_3d(ctx, ggml_mul_mat(ctx, wk_b, flat), wk_b->ne[1], h.n_head, n_tokens);
}
} // namespace latent

// https://github.com/leejet/stable-diffusion.cpp/pull/1080
// Chunks along an inner dimension are used as if each were packed.
namespace chunks {
std::vector<ggml_tensor *> chunk(ggml_context *ctx, ggml_tensor *x, int64_t size, int num) {
  std::vector<ggml_tensor *> parts;
  for (int i = 0; i < num; ++i)
    parts.push_back(ggml_view_3d(ctx, x, size, x->ne[1], x->ne[2], x->nb[1], x->nb[2], i * size * sizeof(float)));
  return parts;
}

ggml_tensor *bug(ggml_context *ctx, ggml_tensor *w, int64_t hidden, int64_t tokens, int64_t batch) {
  ggml_tensor *x = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, 3 * hidden, tokens, batch);
  ggml_tensor *shift = ggml_view_3d(ctx, x, hidden, tokens, batch, x->nb[1], x->nb[2], 0);
  ggml_tensor *scale = ggml_view_3d(ctx, x, hidden, tokens, batch, x->nb[1], x->nb[2], hidden * sizeof(float));
  ggml_tensor *s = ggml_reshape_2d(ctx, scale, hidden, tokens * batch); // expect: tensor-view-after-permute
  ggml_tensor *y = ggml_mul(ctx, ggml_reshape_2d(ctx, w, hidden, tokens * batch), s);
  return ggml_add(ctx, y, ggml_reshape_2d(ctx, ggml_cont(ctx, shift), hidden, tokens * batch));
}
} // namespace chunks

// https://github.com/ggml-org/llama.cpp/issues/13581
// The values of a shifted cache are cut past its end.
namespace cache {
struct kv_t {
  ggml_tensor *v;
  int64_t size, n_embd;
};

ggml_tensor *bug(ggml_context *ctx, int64_t n_embd, int64_t size) {
  ggml_tensor *v = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, size, n_embd);
  ggml_tensor *tail = ggml_view_2d(ctx, v, size, n_embd, v->nb[1], size * sizeof(float)); // expect: tensor-shape-mismatch
  return ggml_cont(ctx, ggml_transpose(ctx, tail));
}

ggml_tensor *fix(ggml_context *ctx, int64_t n_embd, int64_t size) {
  ggml_tensor *v = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, size, n_embd);
  ggml_tensor *tail = ggml_view_2d(ctx, v, size, n_embd - 1, v->nb[1], size * sizeof(float));
  return ggml_cont(ctx, ggml_transpose(ctx, tail));
}
} // namespace cache

// https://github.com/ggml-org/ggml/pull/629
// A bias is "broadcast" by a view with strides of 0; the view is counted as full and does not fit its source.
namespace biased {
struct Linear {
  ggml_tensor *weight; // [in, out]
  ggml_tensor *bias;   // [out]
};

Linear load(ggml_context *ctx, int64_t in, int64_t out, bool use_bias) {
  Linear l;
  l.weight = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, in, out);
  l.bias = use_bias ? ggml_new_tensor_1d(ctx, GGML_TYPE_F32, out) : nullptr;
  return l;
}

ggml_tensor *forward(ggml_context *ctx, ggml_tensor *input, int64_t in, int64_t out) {
  Linear l = load(ctx, in, out, true);
  ggml_tensor *output = ggml_mul_mat(ctx, l.weight, input);
  if (l.bias) {
    ggml_tensor *full = ggml_view_2d(ctx, l.bias, output->ne[0], output->ne[1], 0, 0); // expect: tensor-shape-mismatch
    output = ggml_add_inplace(ctx, output, full);
  }
  return output;
}

ggml_tensor *forwardRight(ggml_context *ctx, ggml_tensor *input, int64_t in, int64_t out) {
  Linear l = load(ctx, in, out, true);
  ggml_tensor *output = ggml_mul_mat(ctx, l.weight, input);
  if (l.bias)
    output = ggml_add_inplace(ctx, output, l.bias);
  return output;
}
} // namespace biased

// https://github.com/ggml-org/llama.cpp/pull/14568
// Each part of the fused projection is copied before it is reshaped; what reads it takes strides.
namespace falcon {
struct Layer {
  ggml_tensor *wqkv, *q_norm, *k_norm;
};
struct Parts {
  ggml_tensor *q, *k, *v;
};

Parts build(ggml_context *ctx0, const Layer &layer, ggml_tensor *cur, ggml_tensor *pos, int64_t n_embd, int64_t n_embd_gqa, int64_t n_embd_head, int64_t n_head, int64_t n_head_kv, int64_t n_tokens) {
  cur = ggml_mul_mat(ctx0, layer.wqkv, cur);
  ggml_tensor *Qcur = ggml_cont(ctx0, ggml_view_2d(ctx0, cur, n_embd, n_tokens, cur->nb[1], 0 * sizeof(float) * n_embd)); // expect: tensor-hidden-copy
  ggml_tensor *Kcur = ggml_view_3d(ctx0, cur, n_embd_head, n_head_kv, n_tokens, n_embd_head * sizeof(float), cur->nb[1], sizeof(float) * n_embd);
  ggml_tensor *Vcur = ggml_cont(ctx0, ggml_view_2d(ctx0, cur, n_embd_gqa, n_tokens, cur->nb[1], sizeof(float) * (n_embd + n_embd_gqa)));
  Qcur = ggml_reshape_3d(ctx0, Qcur, n_embd_head, n_head, n_tokens);
  Qcur = ggml_rope(ctx0, Qcur, pos, n_embd_head, 2);
  Kcur = ggml_rope(ctx0, Kcur, pos, n_embd_head, 2);
  Vcur = ggml_reshape_3d(ctx0, Vcur, n_embd_head, n_head_kv, n_tokens);
  return {Qcur, Kcur, Vcur};
}

Parts buildRight(ggml_context *ctx0, const Layer &layer, ggml_tensor *cur, ggml_tensor *pos, int64_t n_embd, int64_t n_embd_gqa, int64_t n_embd_head, int64_t n_head, int64_t n_head_kv, int64_t n_tokens) {
  cur = ggml_mul_mat(ctx0, layer.wqkv, cur);
  ggml_tensor *Qcur = ggml_view_3d(ctx0, cur, n_embd_head, n_head, n_tokens, n_embd_head * sizeof(float), cur->nb[1], 0 * sizeof(float) * n_embd);
  ggml_tensor *Kcur = ggml_view_3d(ctx0, cur, n_embd_head, n_head_kv, n_tokens, n_embd_head * sizeof(float), cur->nb[1], sizeof(float) * n_embd);
  ggml_tensor *Vcur = ggml_view_3d(ctx0, cur, n_embd_head, n_head_kv, n_tokens, n_embd_head * sizeof(float), cur->nb[1], sizeof(float) * (n_embd + n_embd_gqa));
  Qcur = ggml_rope(ctx0, Qcur, pos, n_embd_head, 2);
  Kcur = ggml_rope(ctx0, Kcur, pos, n_embd_head, 2);
  return {Qcur, Kcur, Vcur};
}
} // namespace falcon

// https://github.com/TheTom/llama-cpp-turboquant/issues/268
// One block of bytes is set into a view whose rows lie further apart.
namespace padded {
ggml_tensor *build(ggml_context *ctx, int64_t k, int64_t k_v, int64_t m) {
  ggml_tensor *a = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, k_v, m);
  ggml_set_name(a, "a_padded");
  ggml_tensor *view = ggml_view_2d(ctx, a, k, m, a->nb[1], 0);
  std::vector<float> values(k * m, 0.5f);
  ggml_backend_tensor_set(view, values.data(), 0, values.size() * sizeof(float)); // missed: tensor-raw-pointer-layout
  ggml_tensor *b = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, k, 1);
  return ggml_mul_mat(ctx, view, b);
}

ggml_tensor *buildRight(ggml_context *ctx, int64_t k, int64_t k_v, int64_t m) {
  ggml_tensor *a = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, k_v, m);
  ggml_set_name(a, "a_padded");
  ggml_tensor *view = ggml_view_2d(ctx, a, k, m, a->nb[1], 0);
  std::vector<float> values(k * m, 0.5f);
  for (int64_t i = 0; i < m; ++i)
    ggml_backend_tensor_set(view, values.data() + i * k, i * view->nb[1], k * sizeof(float));
  ggml_tensor *b = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, k, 1);
  return ggml_mul_mat(ctx, view, b);
}
} // namespace padded
