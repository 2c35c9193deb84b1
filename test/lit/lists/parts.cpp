// RUN: %check %s --checks=-*,tensor-shape-mismatch,tensor-dangling-data-pointer -- %runtime
// Parts of a list of numbers: slices of sizes, and vectors of what two
// iterators span.

#include <tensortidy/aten.h>

#include <vector>

using at::Tensor;

static Tensor background(const Tensor &colors, const Tensor &back) {
  std::vector<int64_t> shape(colors.sizes().begin(), colors.sizes().end() - 2);
  shape.push_back(colors.size(-1));
  TORCH_CHECK(back.sizes() == at::IntArrayRef(shape), "one for each camera");
  return back;
}
Tensor packed(int64_t points) {
  return background(at::rand({points, 3}), at::ones({1, 3}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:10: warning: a check in 'background' can never hold for this call: 'background::back' is [1, 3] [tensor-shape-mismatch]
  // CHECK-MESSAGES: :[[#@LINE-6]]:15: note: the check is here
  // CHECK-MESSAGES: :[[#@LINE-3]]:48: note: 'background::back' is [1, 3] here: ones({1, 3})
}
Tensor byCamera(int64_t cameras, int64_t points) {
  return background(at::rand({cameras, points, 3}), at::ones({cameras, 3}));
}

Tensor rows(int64_t n, int64_t h, int64_t d) {
  auto x = at::zeros({n, h, d});
  auto shape = x.sizes().slice(0, 2).vec();
  shape.push_back(d + 1);
  return x.view(shape);
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: view(shape): shape [n, h, d + 1] does not fit the n*h*d elements of 'x'; throws unless it is empty [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [n, h, d] here: zeros({n, h, d})
}
Tensor rowsOk(int64_t n, int64_t h, int64_t d) {
  auto x = at::zeros({n, h, d});
  auto shape = x.sizes().slice(0, 2).vec();
  shape.push_back(d);
  return x.view(shape);
}
Tensor merged(int64_t n, int64_t h, int64_t d) {
  auto x = at::zeros({n, h, d});
  std::vector<int64_t> last(x.sizes().begin() + 1, x.sizes().end());
  std::vector<int64_t> first(x.sizes().begin(), x.sizes().begin() + 1);
  first.insert(first.end(), last[0] * last[1]);
  return x.view(first);
}
// Of a tensor of unknown rank nothing is known.
Tensor unknown(const Tensor &x, int64_t d) {
  auto shape = x.sizes().slice(0, x.dim() - 1).vec();
  shape.push_back(d);
  return x.view(shape);
}
