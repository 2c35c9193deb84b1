// RUN: %check %s --checks=-*,tensor-overlapping-write -- %runtime
// Writes that meet one element twice.

#include <tensortidy/aten.h>
using torch::indexing::None;
using torch::indexing::Slice;

void expanded(int64_t b) {
  auto x = torch::zeros({1, 3}).expand({4, 3});
  x.add_(1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: add_() writes elements of 'x' more than once: a dimension of size 4 has stride 0; throws [tensor-overlapping-write]
  // CHECK-MESSAGES: note: 'x' is [4, 3] here: expand({4, 3})
  // CHECK-MESSAGES: note: clone() the tensor first
  auto y = torch::zeros({1, 3}).expand({b, 3});
  y += 1;
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: += writes elements of 'y' more than once: a dimension of size b has stride 0; throws unless b is 1 [tensor-overlapping-write]
  // CHECK-MESSAGES: note: 'y' is [b, 3] here
  // CHECK-MESSAGES: note: clone() the tensor first
}

void windows() {
  auto x = torch::zeros({10});
  x.unfold(0, 3, 1).add_(1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:21: warning: add_() writes elements of its target more than once: its windows overlap; the values are wrong, without an error [tensor-overlapping-write]
  // CHECK-MESSAGES: note: the tensor is [8, 3] here
  // CHECK-MESSAGES: note: clone() the tensor first
}

void windowsOf(torch::Tensor x, torch::Tensor y) {
  TORCH_CHECK(x.dim() == 2);
  auto w = x.unfold(1, 4, 2);
  w += 1;
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: += writes elements of 'w' more than once: its windows overlap; the values are wrong, without an error, unless (x.size(1) - 4)/2 + 1 is 1 [tensor-overlapping-write]
  // CHECK-MESSAGES: note: 'w' is
  // CHECK-MESSAGES: note: clone() the tensor first
  y.unfold(0, 3, 1).mul_(2);
  // CHECK-MESSAGES: :[[#@LINE-1]]:21: warning: mul_() writes elements of its target more than once: its windows overlap; the values are wrong, without an error, unless y.size(0) - 2 is 1 [tensor-overlapping-write]
  // CHECK-MESSAGES: note: the tensor is
  // CHECK-MESSAGES: note: clone() the tensor first
  x.unfold(1, 4, 4).mul_(2);
  x.unfold(1, x.size(1), 1).mul_(2);
  x.unfold(0, 4, 2).fill_(2);
}

void shifted() {
  auto x = torch::zeros({10});
  x.narrow(0, 1, 9).add_(x.narrow(0, 0, 9));
  // CHECK-MESSAGES: :[[#@LINE-1]]:21: warning: add_() writes its target while it reads an operand, the same memory shifted by 1; throws [tensor-overlapping-write]
  // CHECK-MESSAGES: note: the tensor is [9] here
  // CHECK-MESSAGES: note: the tensor is [9] here
  // CHECK-MESSAGES: note: clone() the tensor first
  auto m = torch::zeros({4, 10});
  m.narrow(1, 1, 9).add_(m.narrow(1, 0, 9));
  // CHECK-MESSAGES: :[[#@LINE-1]]:21: warning: add_() writes its target while it reads an operand, the same memory shifted by 1; the values are wrong, without an error [tensor-overlapping-write]
  // CHECK-MESSAGES: note: the tensor is [4, 9] here
  // CHECK-MESSAGES: note: the tensor is [4, 9] here
  // CHECK-MESSAGES: note: clone() the tensor first
}

void slices() {
  auto x = torch::arange(10);
  x.index_put_({Slice(1, None)}, x.index({Slice(None, -1)}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: index_put_() writes 'x' while it reads an operand, the same memory shifted by 1; throws [tensor-overlapping-write]
  // CHECK-MESSAGES: note:
  // CHECK-MESSAGES: note: the tensor is [9] here
  // CHECK-MESSAGES: note: clone() the tensor first
  auto m = torch::zeros({5, 4});
  m.index_put_({Slice(), Slice(1, None)}, m.index({Slice(), Slice(None, -1)}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: index_put_() writes 'm' while it reads an operand, the same memory shifted by 1; the values are wrong, without an error [tensor-overlapping-write]
  // CHECK-MESSAGES: note:
  // CHECK-MESSAGES: note: the tensor is [5, 3] here
  // CHECK-MESSAGES: note: clone() the tensor first
}

void transposed() {
  auto m = torch::zeros({3, 3});
  m.add_(m.t());
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: add_() writes 'm' while it reads an operand, the same memory transposed; throws [tensor-overlapping-write]
  // CHECK-MESSAGES: note: 'm' is [3, 3] here
  // CHECK-MESSAGES: note: the tensor is [3, 3] here
  // CHECK-MESSAGES: note: clone() the tensor first
}

void silent(at::Tensor x, const at::Tensor &y, int64_t n) {
  x.add_(x);
  x.add_(y);
  auto z = torch::zeros({n, 3}).expand({-1, 3});
  z.add_(1);
  torch::zeros({1, 3}).expand({4, 3}).zero_();
  auto a = torch::zeros({10});
  a.narrow(0, 0, 5).add_(a.narrow(0, 5, 5));
  a.unfold(0, 2, 2).add_(1);
  auto b = torch::zeros({2, 6});
  b.select(0, 0).add_(b.select(0, 1));
  for (int i = 1; i < 10; ++i)
    a[i] += a[i - 1];
  a.copy_(a.clone());
  // What lies ahead is read before it is overwritten.
  b.narrow(1, 0, 5).copy_(b.narrow(1, 1, 5));
  b.index_put_({Slice(), Slice(0, 5)}, b.index({Slice(), Slice(1, 6)}));
  b.index_put_({Slice()}, b[1]);
}
