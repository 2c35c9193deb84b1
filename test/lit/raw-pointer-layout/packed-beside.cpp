// REQUIRES: libtorch
// RUN: %exits 1 %tensortidy %s --checks=-*,tensor-raw-pointer-layout -- %torch | FileCheck %s --implicit-check-not=warning:
// Who packs one tensor for a call takes the others for packed as well: zeros_like() keeps the strides of what was packed.

#include <torch/torch.h>

void launch(int height, int width, int channels, int batch, const float *image, float *map);
void toPixels(int height, int width, int channels, const float *planes, float *pixels);

at::Tensor wrong(const at::Tensor &image) {
  auto packed = image.contiguous();
  auto map = torch::zeros_like(image);
  // CHECK: :[[#@LINE+1]]:100: warning: 'launch' gets 'map' without its strides, together with 'packed', which has others: {{.*}} [tensor-raw-pointer-layout]
  launch(image.size(2), image.size(3), image.size(1), image.size(0), packed.data_ptr<float>(), map.data_ptr<float>());
  return map;
}

at::Tensor right(const at::Tensor &image) {
  auto packed = image.contiguous();
  auto map = torch::zeros_like(packed);
  launch(image.size(2), image.size(3), image.size(1), image.size(0), packed.data_ptr<float>(), map.data_ptr<float>());
  return map;
}

// What is asked for to lie in another way does so on purpose.
at::Tensor pixels(const at::Tensor &image) {
  auto packed = image.contiguous();
  auto out = torch::empty_like(packed, packed.options(), torch::MemoryFormat::ChannelsLast);
  toPixels(image.size(2), image.size(3), image.size(1), packed.data_ptr<float>(), out.data_ptr<float>());
  return out;
}

at::Tensor compare(const at::Tensor &rendered) {
  TORCH_CHECK(rendered.dim() == 3);
  auto image = rendered.contiguous().permute({2, 0, 1}).unsqueeze(0);
  return wrong(image) + right(image) + pixels(image);
}
