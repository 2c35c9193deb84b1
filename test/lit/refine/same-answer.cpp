// RUN: %silent %s --checks=-*,tensor-shape-mismatch,tensor-view-after-permute -- %runtime
// What a path has decided once it does not decide otherwise later: paths that
// nobody takes report nothing.

#include <tensortidy/aten.h>
#include <memory>

using at::Tensor;

// A count found to be 0 is that of a tensor without elements.
Tensor groups(const Tensor &x, const Tensor &mean, int64_t n, int64_t c,
              int64_t group) {
  Tensor flat = x.dim() == 3 ? x : x.view({n, c, -1});
  Tensor rows = flat.view({1, n * group, n ? -1 : 1});
  return rows.sum() + at::sub(flat, mean.view({n * group})
                                        .reshape({n, c, 1})
                                        .expand({n, c, 1}));
}

// Tests for the other ranks leave only 0-dim tensors over: nobody means them.
Tensor product(const Tensor &a, const Tensor &b) {
  const auto rankA = a.dim(), rankB = b.dim();
  if (rankA == 1 && rankB == 1)
    return a.mul(b).sum();
  if (rankA == 2 && rankB == 1)
    return a.mm(b.unsqueeze(1));
  if (rankA == 1 && rankB == 2)
    return a.unsqueeze(0).mm(b);
  if (rankA >= 3 && (1 == rankB || 2 == rankB))
    return a.matmul(b);
  if ((rankA == 1 || rankA == 2) && rankB >= 3)
    return a.matmul(b);
  return a.transpose(-1, -2).matmul(b.transpose(-1, -2));
}

// A tensor of four dimensions is not of the format for five.
static int64_t channels(const Tensor &x, at::MemoryFormat format) {
  if (format == at::MemoryFormat::ChannelsLast)
    return x.sizes()[3];
  if (format == at::MemoryFormat::ChannelsLast3d)
    return x.sizes()[4];
  return x.sizes()[1];
}
int64_t channelsOf(const Tensor &images) {
  TORCH_CHECK(images.dim() == 4, "expects a batch of images");
  return channels(images, images.suggest_memory_format());
}

// The same after a loop as before it.
Tensor perRow(const Tensor &x, const Tensor &offsets) {
  auto at = offsets.accessor<int64_t, 1>();
  bool same = offsets.size(0) == 2;
  const int64_t k = same ? at[1] : 0;
  Tensor out = at::empty({same ? x.size(0) * k : at[3]}, at::kFloat);
  auto to = out.accessor<float, 1>();
  for (int64_t i = 0; i < x.size(0); ++i)
    to[same ? i * k : at[i]] = 1;
  return same ? out.reshape({x.size(0), -1, k}) : out;
}

// Members that a call might change.
struct Block {
  bool twice = false;
  int count = 0;
  std::vector<Tensor> run(const Tensor &x);
};
Tensor mixed(const Tensor &x, std::shared_ptr<Block> block) {
  std::vector<Tensor> parts;
  if (block->twice)
    parts = {x, x, x, x};
  else
    parts = {x, x};
  Tensor y = block->run(x)[0];
  if (block->twice)
    return y + parts[3];
  return y + parts[1];
}
void note(Block &block);
Tensor afterCalls(const Tensor &x, Block &block) {
  note(block);
  note(block); // of which the first test is not told
  std::vector<Tensor> parts{x, x};
  if (block.twice)
    parts = {x, x, x, x};
  Tensor y = block.run(x)[0];
  if (block.twice)
    return y + parts[3];
  return y + parts[1];
}
Tensor countedAfterCalls(const Tensor &x, Block &block) {
  note(block);
  note(block);
  std::vector<Tensor> parts{x, x};
  if (block.count > 2)
    parts = {x, x, x, x};
  Tensor y = block.run(x)[0];
  if (block.count > 3)
    return y + parts[3];
  return y + parts[1];
}
Tensor counted(const Tensor &x, Block &block) {
  std::vector<Tensor> parts;
  if (block.count > 2)
    parts = {x, x, x, x};
  else
    parts = {x, x};
  Tensor y = block.run(x)[0] + block.run(parts[0])[0];
  if (block.count > 3)
    return y + parts[3];
  return y + parts[1];
}

// Two lists, and what stands in the same place of them: two numbers.
Tensor pooledRows(const Tensor &x, at::IntArrayRef kernel,
                  at::IntArrayRef padding) {
  return at::max_pool2d(x.unsqueeze(2), {1, kernel[0]}, {1, 1},
                        {0, padding[0]})
      .squeeze(2);
}

// A loop between the two questions changes no parameter.
Tensor turnedWithBias(const Tensor &x, const Tensor &bias, int64_t n) {
  Tensor y = at::zeros({4, 6});
  if (bias.defined())
    y = y.t();
  double sum = 0;
  for (int64_t i = 0; i < n; ++i)
    sum += x.dim();
  if (!bias.defined())
    return y.view(-1).add(sum);
  return y.reshape(-1).add(bias);
}
