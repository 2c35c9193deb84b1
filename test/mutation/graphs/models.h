#ifndef MODELS_H
#define MODELS_H
#include "ggml.h"

struct hparams_t {
  int64_t n_embd_head, n_head, n_head_kv, n_nope, n_rope, kv_rank, n_expert, n_expert_used;
};

struct layer_t {
  ggml_tensor *attn_norm, *wq, *wk, *wv, *wo, *wqkv, *bqkv;
  ggml_tensor *wq_mla, *wkv_a, *wk_b;
  ggml_tensor *gate_inp, *up_exps, *down_exps;
};

ggml_tensor *grouped_attention(ggml_context *ctx, const hparams_t &hp, const layer_t &layer, ggml_tensor *inp, ggml_tensor *pos,
                               ggml_tensor *mask);
ggml_tensor *fused_attention(ggml_context *ctx, const hparams_t &hp, const layer_t &layer, ggml_tensor *inp, ggml_tensor *mask);
ggml_tensor *feed_forward(ggml_context *ctx, int64_t n_embd, int64_t n_ff, int64_t n_tokens);
ggml_tensor *image_attention(ggml_context *ctx, int64_t d_head, int64_t n_head, int64_t n_pos, int64_t n_batch);
ggml_tensor *latent_attention(ggml_context *ctx, const hparams_t &hp, const layer_t &layer, ggml_tensor *inp, ggml_tensor *pos);
ggml_tensor *windows(ggml_context *ctx, int64_t c, int64_t w, int64_t nx, int64_t ny);
ggml_tensor *experts(ggml_context *ctx, const hparams_t &hp, const layer_t &layer, ggml_tensor *cur);
ggml_tensor *cached_keys(ggml_context *ctx, int64_t d, int64_t hkv, int64_t h, int64_t n_ctx, int64_t n_kv, int64_t n_tokens,
                         ggml_cgraph *gf);
ggml_tensor *short_convolution(ggml_context *ctx, int64_t d, int64_t k, int64_t n_tokens, int64_t n_seqs);
#endif
