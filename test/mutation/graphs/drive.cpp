// Builds each graph with sizes that are different primes (but where one size
// must divide another), so that two sizes are equal only where they must be.
// usage: drive GRAPH [MUTANT]; ggml aborts where a call is not legal. It does not
// look where the rows of a view end: a view whose last element lies outside its
// memory ends with status 3.
#include "models.h"

#include <cstdlib>
#include <cstring>

int mutant = -1;

static ggml_tensor *f32(ggml_context *ctx, int64_t a, int64_t b = 1, int64_t c = 1) {
  return ggml_new_tensor_3d(ctx, GGML_TYPE_F32, a, b, c);
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  if (argc > 2)
    mutant = std::atoi(argv[2]);
  ggml_init_params params{size_t(64) << 20, nullptr, true};
  ggml_context *ctx = ggml_init(params);
  const hparams_t hp{/*n_embd_head=*/34, /*n_head=*/15, /*n_head_kv=*/5, /*n_nope=*/13, /*n_rope=*/22,
                     /*kv_rank=*/29,     /*n_expert=*/11, /*n_expert_used=*/3};
  const int64_t n_embd = 38, n = 7, heads = hp.n_embd_head * hp.n_head, kv = hp.n_embd_head * hp.n_head_kv, ff = 41;
  ggml_tensor *inp = f32(ctx, n_embd, n), *pos = ggml_new_tensor_1d(ctx, GGML_TYPE_I32, n);
  ggml_tensor *mask = f32(ctx, n, n);
  layer_t l{};
  l.attn_norm = f32(ctx, n_embd);
  l.wq = f32(ctx, n_embd, heads);
  l.wk = f32(ctx, n_embd, kv);
  l.wv = f32(ctx, n_embd, kv);
  l.wo = f32(ctx, heads, n_embd);
  l.wqkv = f32(ctx, n_embd, heads + 2 * kv);
  l.bqkv = f32(ctx, heads + 2 * kv);
  l.wq_mla = f32(ctx, n_embd, (hp.n_nope + hp.n_rope) * hp.n_head);
  l.wkv_a = f32(ctx, n_embd, hp.kv_rank + hp.n_rope);
  l.wk_b = f32(ctx, hp.n_nope, hp.kv_rank, hp.n_head);
  l.gate_inp = f32(ctx, n_embd, hp.n_expert);
  l.up_exps = f32(ctx, n_embd, ff, hp.n_expert);
  l.down_exps = f32(ctx, ff, n_embd, hp.n_expert);
  const char *graph = argv[1];
  ggml_tensor *out = nullptr;
  if (!std::strcmp(graph, "grouped_attention"))
    out = grouped_attention(ctx, hp, l, inp, pos, mask);
  else if (!std::strcmp(graph, "fused_attention"))
    out = fused_attention(ctx, hp, l, inp, mask);
  else if (!std::strcmp(graph, "feed_forward"))
    out = feed_forward(ctx, n_embd, ff, n);
  else if (!std::strcmp(graph, "image_attention"))
    out = image_attention(ctx, 34, 15, 53, 3);
  else if (!std::strcmp(graph, "latent_attention"))
    out = latent_attention(ctx, hp, l, inp, pos);
  else if (!std::strcmp(graph, "windows"))
    out = windows(ctx, 19, 7, 3, 5);
  else if (!std::strcmp(graph, "experts"))
    out = experts(ctx, hp, l, inp);
  else if (!std::strcmp(graph, "cached_keys"))
    out = cached_keys(ctx, 34, 5, 15, 61, 23, n, ggml_new_graph(ctx));
  else if (!std::strcmp(graph, "short_convolution"))
    out = short_convolution(ctx, 19, 5, 31, 3);
  if (!out)
    return 2;
  for (ggml_tensor *t = ggml_get_first_tensor(ctx); t; t = ggml_get_next_tensor(ctx, t))
    if (t->view_src && t->view_offs + ggml_nbytes(t) > ggml_nbytes(t->view_src))
      return 3;
  return 0;
}
