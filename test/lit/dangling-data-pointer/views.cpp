// RUN: %check %s --checks=-*,tensor-dangling-data-pointer -- %runtime
// Views of local vectors.

#include <tensortidy/aten.h>
#include <utility>
#include <vector>

int64_t number();
void use(at::IntArrayRef);

at::Tensor grown(const at::Tensor &x) {
  std::vector<int64_t> sizes = x.sizes().vec();
  at::IntArrayRef view = sizes;
  for (int64_t i = 0; i < number(); ++i)
    sizes.push_back(1);
  return x.view(view);
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: this is used as a view of 'sizes', whose memory push_back() moves when it grows [tensor-dangling-data-pointer]
  // CHECK-MESSAGES: note: the view is taken here
}

at::Tensor block(const at::Tensor &x, bool flat) {
  at::IntArrayRef shape = x.sizes();
  if (flat) {
    std::vector<int64_t> sizes{number(), -1};
    shape = sizes;
  }
  return x.reshape(shape);
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: this is used as a view of 'sizes', which ended with its block [tensor-dangling-data-pointer]
  // CHECK-MESSAGES: note: the view is taken here
}

at::IntArrayRef returned() {
  std::vector<int64_t> sizes{number(), 1};
  at::IntArrayRef view = sizes;
  return view;
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: returns a view of 'sizes', which is gone when the function returns [tensor-dangling-data-pointer]
  // CHECK-MESSAGES: note: the view is taken here
}

struct Conv {
  at::IntArrayRef stride;
  void set(int64_t n) {
    std::vector<int64_t> strides(n, 1);
    stride = strides;
    // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: 'stride' keeps a view of 'strides', which is gone when the function returns [tensor-dangling-data-pointer]
  }
  void share(const std::vector<int64_t> &strides) { stride = strides; }
};

int64_t moved(std::vector<int64_t> sizes) {
  at::IntArrayRef view = sizes;
  {
    auto taken = std::move(sizes);
    use(view);
  }
  return view[0];
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: this is used as a view of 'sizes', which ended with its block
  // CHECK-MESSAGES: note: the view is taken here
}

std::vector<int64_t> silent(const at::Tensor &x, std::vector<at::Tensor> parts) {
  std::vector<int64_t> sizes;
  sizes.reserve(8);
  at::IntArrayRef view = sizes;
  sizes.push_back(1);
  use(view);
  for (int i = 0; i < 3; ++i) {
    std::vector<int64_t> more{i};
    more.push_back(2);
    at::IntArrayRef all = more;
    more[0] = 4;
    use(all);
  }
  std::vector<int64_t> kept{1, 2}, other{3};
  view = kept;
  use(view);
  kept.push_back(4);
  view = kept;
  std::swap(kept, other);
  use(view);
  at::TensorList list = parts;
  auto cat = at::cat(list);
  parts.clear();
  return other;
}
