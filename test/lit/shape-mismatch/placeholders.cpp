// RUN: %check %s --checks=-*,tensor-shape-mismatch -- %runtime
// What holds nothing yet is made to be filled: a function that is only declared
// may resize it through a handle by value, or tell whether anything is in it.

#include <tensortidy/aten.h>

void crop(const at::Tensor &image, at::Tensor out);
bool holds(const at::Tensor &x);

at::Tensor resizedElsewhere(const at::Tensor &image) {
  auto none = torch::zeros({}), empty = torch::empty({0}, at::kFloat);
  crop(image, none);
  crop(image, empty);
  return none.squeeze(1) + empty.permute({1, 0});
}

at::Tensor askedFirst(const at::Tensor &x, bool any) {
  auto masks = torch::empty({0});
  if (any)
    masks = x.view({2, 3, 4});
  if (holds(masks))
    masks = masks.permute({0, 2, 1});
  return masks;
}

// Not libtorch's, though it says so.
namespace tensortidy {
int64_t rankOf(const Tensor &x);
}

int64_t askedForItsRank() {
  auto mask = torch::tensor(true);
  return torch::rankOf(mask) == 0 ? 0 : mask.size(-1);
}

at::Tensor neverFilled(const at::Tensor &x) {
  auto masks = torch::empty({0});
  crop(x, x);
  return masks.permute({1, 0});
  // CHECK-MESSAGES: :[[#@LINE-1]]:16: warning: permute({1, 0}) names 2 dimensions, but 'masks' has 1; throws [tensor-shape-mismatch]
}

at::Tensor full(const at::Tensor &x) {
  auto masks = torch::zeros({4});
  crop(x, masks);
  return masks.permute({1, 0});
  // CHECK-MESSAGES: :[[#@LINE-1]]:16: warning: permute({1, 0}) names 2 dimensions, but 'masks' has 1; throws [tensor-shape-mismatch]
}
