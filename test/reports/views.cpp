// Views that cannot be, writes into what is shared, memory that is gone.
#include <cstdlib>
#include <torch/torch.h>
#include <torch/script.h>
#include <vector>

// https://github.com/NVIDIA/TransformerEngine/issues/417
// A layer flattens what a convolution left in channels-last memory.
namespace flattened {
struct Block : torch::nn::Module {
  torch::nn::Conv2d conv{nullptr};
  torch::Tensor weight, bias;
  int64_t features;
  Block(int64_t in, int64_t out) : features(out) {
    conv = register_module("conv", torch::nn::Conv2d(torch::nn::Conv2dOptions(in, out, 3).padding(1)));
    weight = register_parameter("weight", torch::ones({out}));
    bias = register_parameter("bias", torch::zeros({out}));
  }
  torch::Tensor rows(const torch::Tensor &x) {
    auto image = x.contiguous(torch::MemoryFormat::ChannelsLast);
    auto y = torch::relu(image * 2);
    return y.view({y.size(0), -1}); // expect: tensor-view-after-permute
  }
  torch::Tensor rowsFixed(const torch::Tensor &x) {
    auto image = x.contiguous(torch::MemoryFormat::ChannelsLast);
    auto y = torch::relu(image * 2);
    return y.reshape({y.size(0), -1});
  }
};
} // namespace flattened

// https://github.com/pytorch/pytorch/issues/136327
// A cropped volume is regrouped without a copy.
namespace cropped {
struct Crop {
  int64_t bottom, right;
};

at::Tensor bug(int64_t batch) {
  auto volume = torch::randn({batch, 20, 34, 15});
  const Crop crop{3, 2};
  auto inner = volume.slice(1, 0, -crop.bottom).slice(2, 0, -crop.right);
  auto scaled = inner;
  if (batch > 8) {
    TORCH_CHECK(scaled.size(1) == 17 && scaled.size(2) == 32);
  }
  return scaled.view({32, 15, batch, 17}); // expect: tensor-view-after-permute
}

at::Tensor fix(int64_t batch) {
  auto volume = torch::randn({batch, 20, 34, 15});
  const Crop crop{3, 2};
  auto inner = volume.slice(1, 0, -crop.bottom).slice(2, 0, -crop.right);
  return inner.reshape({32, 15, batch, 17});
}
} // namespace cropped

// https://github.com/juliendenize/torchaug/issues/10
// A grey picture is expanded to three channels, which the normalisation then writes.
namespace augment {
at::Tensor grayscale(const at::Tensor &images, int64_t channels) {
  auto weights = torch::tensor({0.2989f, 0.587f, 0.114f}).view({1, 3, 1, 1});
  auto gray = (images * weights).sum(1, true);
  return gray.expand({images.size(0), channels, images.size(2), images.size(3)});
}

at::Tensor normalize(at::Tensor images, double mean, double deviation, bool inplace) {
  if (!inplace)
    images = images.clone();
  images.sub_(mean).div_(deviation); // expect: tensor-overlapping-write // also: tensor-overlapping-write
  return images;
}

at::Tensor bug(const at::Tensor &batch) {
  auto gray = grayscale(batch, 3);
  gray.sub_(0.5); // expect: tensor-overlapping-write
  return gray;
}

at::Tensor fix(const at::Tensor &batch) {
  auto gray = grayscale(batch, 3).contiguous();
  gray.sub_(0.5);
  return gray;
}
at::Tensor called(const at::Tensor &batch) { return normalize(grayscale(batch, 3), 0.5, 0.5, true); }
} // namespace augment

// https://github.com/pytorch/pytorch/issues/108568
// The features are freed before the model that reads them runs.
namespace scoring {
float bug(torch::jit::Module &model, const std::vector<float> &values) {
  const int64_t n = 548;
  float *features = new float[n];
  std::copy(values.begin(), values.end(), features);
  at::Tensor tensor = torch::from_blob(features, {1, n});
  torch::save(tensor, "input.pt");
  delete[] features; // expect: tensor-from-blob-lifetime
  std::vector<torch::jit::IValue> stack;
  stack.push_back(tensor);
  at::Tensor score = model.forward(stack).toTensor();
  return score.item().toFloat();
}

float fix(torch::jit::Module &model, const std::vector<float> &values) {
  const int64_t n = 548;
  float *features = new float[n];
  std::copy(values.begin(), values.end(), features);
  at::Tensor tensor = torch::from_blob(features, {1, n});
  std::vector<torch::jit::IValue> stack;
  stack.push_back(tensor);
  at::Tensor score = model.forward(stack).toTensor();
  const float value = score.item().toFloat();
  delete[] features;
  return value;
}
} // namespace scoring

// https://github.com/NVIDIA/TransformerEngine/issues/2918
// The number of elements of each tensor is kept in 32 bits.
namespace chunks {
struct Metadata {
  const void *addresses[110];
  int sizes[110];
  int tensors = 0;
};
void launch(const Metadata &m, int chunk);

void bug(const std::vector<at::Tensor> &tensors, int chunk) {
  Metadata m;
  for (const auto &t : tensors) {
    TORCH_CHECK(t.is_contiguous(), "packed tensors only");
    m.addresses[m.tensors] = t.data_ptr();
    m.sizes[m.tensors] = t.numel(); // expect: tensor-raw-pointer-layout
    ++m.tensors;
    if (m.tensors == 110) {
      launch(m, chunk);
      m.tensors = 0;
    }
  }
  if (m.tensors)
    launch(m, chunk);
}
} // namespace chunks

// https://github.com/openvdb/fvdb-core/pull/505
// 32-bit accessors of volumes that may hold more.
namespace accessors {
template <typename A> void sample(A grid, A out, int64_t n);

at::Tensor bug(const at::Tensor &grid, int64_t n) {
  TORCH_CHECK(grid.dim() == 2, "a row a voxel");
  auto out = at::empty({n, grid.size(1)}, grid.options());
  auto in = grid.packed_accessor32<float, 2>(); // expect: tensor-raw-pointer-layout
  auto to = out.packed_accessor32<float, 2>(); // also: tensor-raw-pointer-layout
  sample(in, to, n);
  return out;
}
} // namespace accessors

// https://github.com/openvdb/fvdb-core/pull/586
// The batch index is asked for element by element.
namespace batches {
struct Exporter {
  std::vector<int64_t> starts;
  void add(int64_t begin, int64_t end) { starts.push_back(end - begin); }
};

void bug(const at::Tensor &offsets, int64_t count, Exporter &to) {
  TORCH_CHECK(offsets.dim() == 1);
  auto onDevice = offsets.to(at::kCUDA);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t begin = onDevice[i].item<int64_t>(); // expect: tensor-sync-in-loop
    const int64_t end = onDevice[i + 1].item<int64_t>();
    to.add(begin, end);
  }
}

void fix(const at::Tensor &offsets, int64_t count, Exporter &to) {
  auto host = offsets.cpu();
  auto at = host.accessor<int64_t, 1>();
  for (int64_t i = 0; i < count; ++i)
    to.add(at[i], at[i + 1]);
}
} // namespace batches

// https://github.com/MrNeRF/LichtFeld-Studio/pull/119
// Gradients that were made packed are made packed again.
namespace gradients {
std::vector<at::Tensor> bug(const at::Tensor &image, int64_t n) {
  auto means = at::zeros({n, 3}, image.options());
  auto scales = at::zeros({n, 3}, image.options());
  auto grads = at::ones_like(means);
  grads = grads.to(at::kCUDA).contiguous(); // expect: tensor-redundant-contiguous
  auto total = grads.mul(scales.to(at::kCUDA)).sum();
  return {means, total};
}
} // namespace gradients

// https://github.com/pytorch/pytorch/issues/159932
// contiguous() does nothing where a size is 1; the last stride is not 1, and the bytes cannot be viewed.
namespace scales {
torch::Tensor unpack(const torch::Tensor &packed, int64_t groups) {
  TORCH_CHECK(packed.scalar_type() == torch::kInt64 && packed.dim() == 3);
  auto turned = packed.transpose(1, 2).contiguous();
  auto rows = turned[0];
  auto bytes = rows.view(torch::kInt8); // expect: tensor-shape-mismatch
  return bytes.to(torch::kInt32).bitwise_left_shift(23).view(torch::kFloat32).narrow(0, 0, groups);
}

torch::Tensor unpackRight(const torch::Tensor &packed, int64_t groups) {
  TORCH_CHECK(packed.scalar_type() == torch::kInt64 && packed.dim() == 3);
  auto turned = packed.transpose(1, 2).clone(at::MemoryFormat::Contiguous);
  auto rows = turned[0];
  auto bytes = rows.view(torch::kInt8);
  return bytes.to(torch::kInt32).bitwise_left_shift(23).view(torch::kFloat32).narrow(0, 0, groups);
}

torch::Tensor single() {
  auto t = torch::arange(8).reshape({1, 1, 8});
  return unpack(t, 8);
}
torch::Tensor singleRight() {
  auto t = torch::arange(8).reshape({1, 1, 8});
  return unpackRight(t, 8);
}
} // namespace scales

// https://github.com/flagos-ai/Torch-FL/pull/76
// contiguous() stands behind the view that needs it.
namespace linear {
std::tuple<torch::Tensor, torch::Tensor> backward(const torch::Tensor &input, const torch::Tensor &grad, const torch::Tensor &weight) {
  const int64_t in = weight.size(1), out = weight.size(0);
  const int64_t rows = input.numel() / in;
  auto x = input.reshape({rows, in});
  auto g = grad.view({rows, out}).contiguous(); // missed: tensor-view-after-permute
  auto grad_input = torch::mm(g, weight).view(input.sizes());
  auto grad_weight = torch::mm(g.t(), x);
  return {grad_input, grad_weight};
}

std::tuple<torch::Tensor, torch::Tensor> backwardRight(const torch::Tensor &input, const torch::Tensor &grad, const torch::Tensor &weight) {
  const int64_t in = weight.size(1), out = weight.size(0);
  const int64_t rows = input.numel() / in;
  auto x = input.reshape({rows, in});
  auto g = grad.contiguous().view({rows, out});
  auto grad_input = torch::mm(g, weight).view(input.sizes());
  auto grad_weight = torch::mm(g.t(), x);
  return {grad_input, grad_weight};
}

torch::Tensor attentionBackward(const torch::Tensor &x, const torch::Tensor &d_heads, const torch::Tensor &wq, int64_t heads, int64_t size) {
  // d_heads: [batch, heads, steps, size], as the product left it
  auto d_q = torch::matmul(d_heads, d_heads.transpose(-2, -1)).matmul(d_heads);
  auto merged = d_q.transpose(1, 2).flatten(2);
  auto strided = d_q.transpose(1, 2);
  TORCH_CHECK(strided.size(2) * strided.size(3) == wq.size(0));
  return std::get<0>(backward(x, strided, wq)) + std::get<0>(backwardRight(x, merged, wq));
}
torch::Tensor attentionBackwardRight(const torch::Tensor &x, const torch::Tensor &d_heads, const torch::Tensor &wq) {
  auto d_q = torch::matmul(d_heads, d_heads.transpose(-2, -1)).matmul(d_heads);
  auto strided = d_q.transpose(1, 2);
  return std::get<0>(backwardRight(x, strided, wq));
}
} // namespace linear

// https://github.com/scitix/InstantTensor/issues/8
// The tensors are views of a buffer that the reader frees when it is closed.
namespace loader {
class Reader {
public:
  explicit Reader(size_t bytes) : buffer_(static_cast<char *>(std::malloc(bytes))), bytes_(bytes) {}
  ~Reader() { close(); }
  void close() {
    std::free(buffer_);
    buffer_ = nullptr;
  }
  torch::Tensor tensor(size_t offset, int64_t rows, int64_t cols) const {
    TORCH_CHECK(offset + rows * cols * sizeof(float) <= bytes_);
    return torch::from_blob(buffer_ + offset, {rows, cols}, torch::kFloat32);
  }

private:
  char *buffer_;
  size_t bytes_;
};

struct Embedding {
  torch::Tensor weight;
};

void load(Embedding &model, int64_t vocab, int64_t width) {
  std::vector<torch::Tensor> weights;
  {
    Reader reader(vocab * width * sizeof(float));
    weights.push_back(reader.tensor(0, vocab, width));
  }
  model.weight.copy_(weights[0]); // missed: tensor-from-blob-lifetime
}

void loadRight(Embedding &model, int64_t vocab, int64_t width) {
  std::vector<torch::Tensor> weights;
  {
    Reader reader(vocab * width * sizeof(float));
    weights.push_back(reader.tensor(0, vocab, width).clone());
  }
  model.weight.copy_(weights[0]);
}
} // namespace loader
