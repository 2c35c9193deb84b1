// Tensors that kernels take for packed.
#include <ATen/ATen.h>
#include <cmath>
#include <vector>

// https://github.com/sgl-project/sglang/pull/31667
// The query of a fused projection is decoded as if its rows were packed.
namespace decode {
struct Params {
  const float *q;
  const float *cache;
  float *out;
  int64_t heads, size, batch;
};
void launch(const Params &p);

struct Attention {
  int64_t heads, kv, size;
  at::Tensor project(const at::Tensor &hidden, const at::Tensor &weight) const { return at::matmul(hidden, weight.t()); }
};

at::Tensor bug(const Attention &a, const at::Tensor &hidden, const at::Tensor &weight, const at::Tensor &cache) {
  TORCH_CHECK(cache.is_contiguous(), "the cache is packed");
  const int64_t batch = hidden.size(0);
  auto qkv = a.project(hidden, weight).view({batch, a.heads + 2 * a.kv, a.size});
  auto q = qkv.slice(1, 0, a.heads);
  auto out = at::empty({batch, a.heads, a.size}, hidden.options());
  Params p;
  p.q = q.data_ptr<float>(); // expect: tensor-raw-pointer-layout
  p.cache = cache.data_ptr<float>();
  p.out = out.data_ptr<float>();
  p.heads = a.heads;
  p.size = a.size;
  p.batch = batch;
  launch(p);
  return out;
}

at::Tensor fix(const Attention &a, const at::Tensor &hidden, const at::Tensor &weight, const at::Tensor &cache) {
  TORCH_CHECK(cache.is_contiguous(), "the cache is packed");
  const int64_t batch = hidden.size(0);
  auto qkv = a.project(hidden, weight).view({batch, a.heads + 2 * a.kv, a.size});
  auto q = qkv.slice(1, 0, a.heads).contiguous();
  auto out = at::empty({batch, a.heads, a.size}, hidden.options());
  Params p{q.data_ptr<float>(), cache.data_ptr<float>(), out.data_ptr<float>(), a.heads, a.size, batch};
  launch(p);
  return out;
}
} // namespace decode

// https://github.com/vllm-project/vllm-xpu-kernels/pull/396
// The rows of [batch, steps, hidden] are numbered through; the distance handed on is that of batches.
namespace norms {
void kernel(float *out, const float *in, int64_t in_stride, const float *weight, int64_t rows, int64_t hidden);

void bug(at::Tensor &out, const at::Tensor &projected, const at::Tensor &weight, int64_t rank) {
  auto input = projected.contiguous().view({projected.size(0), projected.size(1), 2 * rank}).slice(-1, 0, rank);
  TORCH_CHECK(input.stride(-1) == 1);
  TORCH_CHECK(out.is_contiguous() && weight.is_contiguous());
  const int64_t hidden = input.size(-1);
  const int64_t rows = input.numel() / hidden;
  const int64_t step = input.stride(0);
  kernel(out.data_ptr<float>(), input.data_ptr<float>(), step, weight.data_ptr<float>(), rows, hidden); // expect: tensor-raw-pointer-layout
}

void fix(at::Tensor &out, const at::Tensor &projected, const at::Tensor &weight, int64_t rank) {
  auto input = projected.contiguous().view({projected.size(0), projected.size(1), 2 * rank}).slice(-1, 0, rank);
  TORCH_CHECK(input.stride(-1) == 1);
  TORCH_CHECK(out.is_contiguous() && weight.is_contiguous());
  const int64_t hidden = input.size(-1);
  const int64_t rows = input.numel() / hidden;
  const int64_t step = input.stride(-2);
  kernel(out.data_ptr<float>(), input.data_ptr<float>(), step, weight.data_ptr<float>(), rows, hidden);
}
} // namespace norms

// https://github.com/pytorch/FBGEMM/pull/4796
// The rows of the output lie closer together than those of the input whose stride is used for both.
namespace attention {
struct Problem {
  const float *q;
  float *o;
  int64_t q_step, o_step, rows, width;
};
void run(const Problem &p);

at::Tensor bug(const at::Tensor &fused, int64_t heads, int64_t size) {
  const int64_t rows = fused.size(0);
  auto packed = fused.contiguous().view({rows, 3 * heads * size});
  auto q = packed.narrow(1, 0, heads * size);
  auto o = at::empty({rows, heads * size}, fused.options());
  Problem p;
  p.q = q.data_ptr<float>();
  p.q_step = q.stride(0);
  p.o = o.data_ptr<float>(); // expect: tensor-raw-pointer-layout
  p.o_step = q.stride(0);
  p.rows = rows;
  p.width = heads * size;
  run(p);
  return o;
}

at::Tensor fix(const at::Tensor &fused, int64_t heads, int64_t size) {
  const int64_t rows = fused.size(0);
  auto packed = fused.contiguous().view({rows, 3 * heads * size});
  auto q = packed.narrow(1, 0, heads * size);
  auto o = at::empty({rows, heads * size}, fused.options());
  Problem p{q.data_ptr<float>(), o.data_ptr<float>(), q.stride(0), o.stride(0), rows, heads * size};
  run(p);
  return o;
}
} // namespace attention

// https://github.com/ROCm/aiter/pull/4531
// Of a transposed and split cache only the distance of blocks is handed on.
namespace cache {
void write(float *keys, const float *fresh, const int64_t *slots, int64_t block_step, int64_t block, int64_t heads, int64_t size, int64_t tokens);

void bug(at::Tensor &pages, const at::Tensor &fresh, const at::Tensor &slots, int64_t blocks, int64_t heads, int64_t block, int64_t size) {
  auto all = pages.view({blocks, heads, block, 2 * size}).transpose(1, 2);
  auto parts = all.split(size, -1);
  auto keys = parts[0];
  TORCH_CHECK(keys.size(0) == blocks && keys.size(3) == size);
  TORCH_CHECK(fresh.is_contiguous() && slots.is_contiguous());
  write(keys.data_ptr<float>(), fresh.data_ptr<float>(), slots.data_ptr<int64_t>(), keys.stride(0), // expect: tensor-raw-pointer-layout
        block, heads, size, slots.numel());
}

void writeStrided(float *keys, const float *fresh, const int64_t *slots, at::IntArrayRef strides, int64_t tokens);
void fix(at::Tensor &pages, const at::Tensor &fresh, const at::Tensor &slots, int64_t blocks, int64_t heads, int64_t block, int64_t size) {
  auto all = pages.view({blocks, heads, block, 2 * size}).transpose(1, 2);
  auto keys = all.split(size, -1)[0];
  TORCH_CHECK(fresh.is_contiguous() && slots.is_contiguous());
  writeStrided(keys.data_ptr<float>(), fresh.data_ptr<float>(), slots.data_ptr<int64_t>(), keys.strides(), slots.numel());
}
} // namespace cache

// https://github.com/vllm-project/vllm/pull/41142
// A gate of each head is cut from pairs of gates; without its own copy its elements are two apart.
namespace gates {
void post(const float *gate, const float *decay, float *out, int64_t tokens, int64_t heads);

at::Tensor bug(const at::Tensor &mixed, int64_t groups) {
  const int64_t tokens = mixed.size(0);
  auto pairs = mixed.contiguous().view({tokens, groups, 2});
  auto halves = pairs.split({1, 1}, 2);
  auto gate = halves[0].reshape({tokens, groups});
  auto decay = halves[1].reshape({tokens, groups});
  auto out = at::empty({tokens, groups}, mixed.options());
  post(gate.data_ptr<float>(), decay.contiguous().data_ptr<float>(), out.data_ptr<float>(), tokens, groups); // expect: tensor-raw-pointer-layout
  return out;
}

at::Tensor fix(const at::Tensor &mixed, int64_t groups) {
  const int64_t tokens = mixed.size(0);
  auto pairs = mixed.contiguous().view({tokens, groups, 2});
  auto halves = pairs.split({1, 1}, 2);
  auto gate = halves[0].reshape({tokens, groups}).contiguous();
  auto decay = halves[1].reshape({tokens, groups}).contiguous();
  auto out = at::empty({tokens, groups}, mixed.options());
  post(gate.data_ptr<float>(), decay.data_ptr<float>(), out.data_ptr<float>(), tokens, groups);
  return out;
}
} // namespace gates

// https://github.com/artyom-beilis/pytorch_dlprim/issues/62
// The operands are made contiguous, the kernel gets the ones from before.
namespace clamping {
struct View {
  float *data;
  int64_t count;
};
View todp(const at::Tensor &t) { return {t.data_ptr<float>(), t.numel()}; }
void clampKernel(View x, View y, float low);

at::Tensor &bug(const at::Tensor &self, float low, at::Tensor &out) {
  at::Tensor self_c = self.t().contiguous();
  at::Tensor turned = self.t();
  at::Tensor out_c = out.is_contiguous() ? out : at::empty_like(self_c);
  View X = {turned.data_ptr<float>(), turned.numel()}; // missed: tensor-raw-pointer-layout
  View Y = {out_c.data_ptr<float>(), out_c.numel()};
  clampKernel(X, Y, low);
  if (!out.is_contiguous())
    out.copy_(out_c);
  return out;
}
} // namespace clamping

// https://github.com/openvdb/fvdb-core/pull/600
// One opacity a point is shown to every camera; the rasterizer wants a copy for each.
namespace splats {
struct Projected {
  at::Tensor means, conics, opacities;
};
void rasterize(const float *means, const float *conics, const float *opacities, int64_t cameras, int64_t points, float *image);

Projected project(const at::Tensor &logits, const at::Tensor &means, int64_t cameras) {
  const int64_t points = logits.size(0);
  Projected p;
  p.opacities = at::sigmoid(logits).unsqueeze(0).expand({cameras, points});
  p.means = at::empty({cameras, points, 2}, means.options());
  p.conics = at::empty({cameras, points, 3}, means.options());
  return p;
}

at::Tensor bug(const at::Tensor &logits, const at::Tensor &means, int64_t cameras, int64_t h, int64_t w) {
  Projected p = project(logits, means, cameras);
  auto image = at::zeros({cameras, h, w}, means.options());
  rasterize(p.means.data_ptr<float>(), p.conics.data_ptr<float>(), p.opacities.data_ptr<float>(), cameras, // expect: tensor-raw-pointer-layout
            p.opacities.size(1), image.data_ptr<float>());
  return image;
}

at::Tensor fix(const at::Tensor &logits, const at::Tensor &means, int64_t cameras, int64_t h, int64_t w) {
  Projected p = project(logits, means, cameras);
  auto opacities = p.opacities.contiguous();
  auto image = at::zeros({cameras, h, w}, means.options());
  rasterize(p.means.data_ptr<float>(), p.conics.data_ptr<float>(), opacities.data_ptr<float>(), cameras, opacities.size(1),
            image.data_ptr<float>());
  return image;
}
} // namespace splats

// https://github.com/ai-dynamo/nixl/pull/584
// A buffer is registered by its address and bytes; a column of a table is neither.
namespace transfer {
struct Region {
  uintptr_t address;
  size_t bytes;
};
bool registerRegions(const std::vector<Region> &regions);

bool bug(const at::Tensor &table, int64_t rows, int64_t columns, int64_t layer) {
  auto blocks = table.contiguous().view({rows, columns, 64});
  auto one = blocks.select(1, layer);
  std::vector<Region> regions;
  regions.push_back({reinterpret_cast<uintptr_t>(one.data_ptr()), static_cast<size_t>(one.numel()) * one.element_size()}); // expect: tensor-raw-pointer-layout
  return registerRegions(regions);
}

bool fix(const at::Tensor &table, int64_t rows, int64_t columns, int64_t layer) {
  auto blocks = table.contiguous().view({rows, columns, 64});
  auto one = blocks.select(1, layer).contiguous();
  std::vector<Region> regions;
  regions.push_back({reinterpret_cast<uintptr_t>(one.data_ptr()), static_cast<size_t>(one.numel()) * one.element_size()});
  return registerRegions(regions);
}
} // namespace transfer

// https://github.com/ROCm/aiter/issues/5292
// Only two of four operands have their row distance handed on; the mix is a column range of a wider product.
namespace mixing {
void post_kernel(float *out, const float *x, const float *residual, const float *mix, const float *comb, int rows, int mult, int hidden, int x_step, int residual_step);

void post(at::Tensor &out, const at::Tensor &x, const at::Tensor &residual, const at::Tensor &mix, const at::Tensor &comb) {
  const int rows = residual.size(0);
  const int mult = residual.size(1);
  const int hidden = residual.size(2);
  TORCH_CHECK(mult == 4, "only four streams");
  TORCH_CHECK(mix.size(0) == rows && mix.size(1) == mult);
  post_kernel(out.data_ptr<float>(), x.data_ptr<float>(), residual.data_ptr<float>(), mix.data_ptr<float>(), comb.data_ptr<float>(), // expect: tensor-raw-pointer-layout
              rows, mult, hidden, x.stride(0), residual.stride(0));
}

at::Tensor block(const at::Tensor &x, const at::Tensor &residual, const at::Tensor &weight) {
  const int64_t rows = residual.size(0), mult = residual.size(1);
  auto out = at::empty_like(residual, at::MemoryFormat::Contiguous);
  auto gates = at::linear(residual.flatten(1), weight);
  TORCH_CHECK(gates.size(1) == 2 * mult + mult * mult);
  auto mix = gates.slice(1, mult, 2 * mult);
  auto comb = gates.slice(1, 2 * mult, 2 * mult + mult * mult).contiguous().view({rows, mult, mult});
  post(out, x, residual, mix, comb);
  return out;
}

at::Tensor blockRight(const at::Tensor &x, const at::Tensor &residual, const at::Tensor &weight) {
  const int64_t rows = residual.size(0), mult = residual.size(1);
  auto out = at::empty_like(residual, at::MemoryFormat::Contiguous);
  auto gates = at::linear(residual.flatten(1), weight);
  TORCH_CHECK(gates.size(1) == 2 * mult + mult * mult);
  auto mix = gates.slice(1, mult, 2 * mult).contiguous();
  auto comb = gates.slice(1, 2 * mult, 2 * mult + mult * mult).contiguous().view({rows, mult, mult});
  post(out, x, residual, mix, comb);
  return out;
}
} // namespace mixing

// https://github.com/vllm-project/vllm/pull/17091
// The rotary part of the query is a range of its last dimension; the kernel numbers heads as if it were packed.
namespace latent {
void rotary_kernel(const int64_t *positions, float *query, float *key, const float *cache, int64_t rot, int64_t query_step, int64_t key_step, int heads, int kv, int size, int tokens);

void rotary(at::Tensor &positions, at::Tensor &query, at::Tensor &key, int64_t size, at::Tensor &cache) {
  const int64_t tokens = positions.numel();
  TORCH_CHECK(query.size(0) == tokens && key.size(0) == tokens, "one position for a token");
  const int rot = cache.size(1);
  const int hidden = query.numel() / tokens;
  const int kvHidden = key.numel() / tokens;
  TORCH_CHECK(hidden % size == 0 && kvHidden % size == 0);
  const int64_t queryStep = query.stride(0);
  const int64_t keyStep = key.stride(0);
  rotary_kernel(positions.data_ptr<int64_t>(), query.data_ptr<float>(), key.data_ptr<float>(), cache.data_ptr<float>(), // expect: tensor-raw-pointer-layout
                rot, queryStep, keyStep, hidden / size, kvHidden / size, size, tokens); // also: tensor-raw-pointer-layout
}

at::Tensor attend(at::Tensor q, at::Tensor &k_pe, at::Tensor &positions, at::Tensor &cache, int64_t heads, int64_t nope, int64_t rope) {
  q = q.contiguous().view({-1, heads, nope + rope});
  auto parts = q.split_with_sizes({nope, rope}, -1);
  auto q_pe = parts[1];
  rotary(positions, q_pe, k_pe, rope, cache);
  return at::matmul(q_pe, k_pe.unsqueeze(-1)).squeeze(-1);
}

at::Tensor attendRight(at::Tensor q, at::Tensor &k_pe, at::Tensor &positions, at::Tensor &cache, int64_t heads, int64_t nope, int64_t rope) {
  q = q.contiguous().view({-1, heads, nope + rope});
  auto parts = q.split_with_sizes({nope, rope}, -1);
  auto q_pe = parts[1].contiguous();
  k_pe = k_pe.contiguous();
  rotary(positions, q_pe, k_pe, rope, cache);
  return at::matmul(q_pe, k_pe.unsqueeze(-1)).squeeze(-1);
}
} // namespace latent

// https://github.com/open-mmlab/mmcv/issues/2542
// Boxes cut out of wider rows are read with a fixed distance of five numbers.
namespace nms {
template <typename T> T iou(const T *a, const T *b) {
  return std::abs(a[2] * a[3] - b[2] * b[3]) / (a[2] * a[3] + b[2] * b[3] + std::abs(a[4] - b[4]));
}

template <typename T> at::Tensor suppress(const at::Tensor &dets, const at::Tensor &scores, double threshold) {
  TORCH_CHECK(dets.device().is_cpu(), "dets must be on the CPU");
  if (dets.numel() == 0)
    return at::empty({0}, dets.options().dtype(at::kLong));
  auto order_t = std::get<1>(scores.sort(0, true));
  const auto ndets = dets.size(0);
  at::Tensor keep_t = at::zeros({ndets}, dets.options().dtype(at::kLong));
  auto keep = keep_t.data_ptr<int64_t>();
  auto order = order_t.data_ptr<int64_t>();
  auto boxes = dets.data_ptr<T>(); // expect: tensor-raw-pointer-layout
  int64_t num = 0;
  for (int64_t i = 0; i < ndets; ++i) {
    bool kept = true;
    for (int64_t j = 0; j < num && kept; ++j)
      kept = iou(boxes + order[i] * 5, boxes + keep[j] * 5) <= threshold;
    if (kept)
      keep[num++] = order[i];
  }
  return keep_t.narrow(0, 0, num);
}

at::Tensor topdown(const at::Tensor &regressed, const at::Tensor &scores) {
  TORCH_CHECK(regressed.dim() == 2 && regressed.size(1) == 9);
  auto boxes = regressed.contiguous().slice(1, 0, 5);
  return suppress<float>(boxes, scores, 0.5);
}
at::Tensor topdownRight(const at::Tensor &regressed, const at::Tensor &scores) {
  TORCH_CHECK(regressed.dim() == 2 && regressed.size(1) == 9);
  auto boxes = regressed.contiguous().slice(1, 0, 5).contiguous();
  return suppress<float>(boxes, scores, 0.5);
}
} // namespace nms
