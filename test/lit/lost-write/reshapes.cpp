// RUN: %check %s --checks=-*,tensor-lost-write -- %runtime
// Writes to reshape() and its kin of a caller's tensor, whose layout is not known.

#include <tensortidy/aten.h>

void transposed(at::Tensor x, const at::Tensor &y) {
  x.t().reshape(-1) = y;
  // CHECK-MESSAGES: :[[#@LINE-1]]:21: warning: this assignment is lost: it writes to the copy that reshape() makes when 'x' is contiguous, unless x.size(0) or x.size(1) is 1 [tensor-lost-write]
  // CHECK-MESSAGES: note: write to the tensor itself, or keep the copy
}

void permuted(at::Tensor x) {
  x.permute({0, 2, 1}).flatten().fill_(0);
  // CHECK-MESSAGES: :[[#@LINE-1]]:34: warning: fill_() is lost: it writes to the copy that flatten() makes when 'x' is contiguous, unless x.size(1) or x.size(2) is 1 [tensor-lost-write]
  // CHECK-MESSAGES: note: write to the tensor itself
}

void named(at::Tensor x) {
  auto flat = x.t().contiguous();
  flat.add_(1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:8: warning: add_() is lost: nothing reads 'flat', the copy of 'x' that contiguous() makes when 'x' is contiguous, unless x.size(0) or x.size(1) is 1 [tensor-lost-write]
  // CHECK-MESSAGES: note: the copy is made here
  // CHECK-MESSAGES: note: 'x.copy_(flat)' afterwards takes it back
}

void plain(at::Tensor x, const at::Tensor &y) {
  x.flatten() = y;
  // CHECK-MESSAGES: :[[#@LINE-1]]:15: warning: this assignment is lost: it writes to the copy that flatten() makes where 'x' is not contiguous [tensor-lost-write]
  // CHECK-MESSAGES: note: write to the tensor itself
}

static void visible(at::Tensor x, const at::Tensor &y) { x.flatten() = y; }

struct Buffers {
  at::Tensor all;
  void fill(const at::Tensor &y) { all.flatten() = y; } // what the class keeps, it may know
};

void silent(at::Tensor x, at::Tensor y, at::Tensor image) {
  auto flat = x.reshape({-1, 2}); // a view when x is contiguous
  flat.add_(1);
  x.reshape({-1}).add_(1);
  x.view(-1) = y;
  x.t().view(-1) = y; // throws where it would copy
  image.permute({0, 2, 3, 1}).reshape({-1, 3}).fill_(0); // a view of channels-last images
  TORCH_CHECK(y.is_contiguous());
  y.flatten() = x;
  y.reshape(-1).zero_();
  visible(x, y);
}
