// RUN: %check %s --checks=-*,tensor-shape-mismatch,tensor-overlapping-write -- %runtime
// Sizes that masks and tensors as indices give.

#include <tensortidy/aten.h>

using torch::indexing::Slice;

// The mask may be larger than what it fills.
at::Tensor grown() {
  auto row = torch::ones({3}), mask = torch::ones({2, 3});
  return row.masked_fill(mask > 0, 1).view({2, 3});
}
at::Tensor filled() {
  auto row = torch::ones({3}), mask = torch::ones({2, 3});
  return row.masked_fill(mask > 0, 1).view({3});
  // CHECK-MESSAGES: :[[#@LINE-1]]:39: warning: view({3}): shape [3] does not fit the 6 elements; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: the tensor is [2, 3] here: masked_fill(..., 1)
}

at::Tensor number(const at::Tensor &x) { return x.sum().mT(); }
at::Tensor itself(const at::Tensor &x) {
  auto wide = x.view({1, 4}).expand({3, 4});
  return wide.copy_(wide); // nothing is written
}

// One size for all index tensors, where they stand.
at::Tensor gathered() {
  auto x = torch::ones({4, 5, 6}), places = torch::zeros({2, 3}, torch::kLong);
  auto y = x.index({Slice(), places}); // [4, 2, 3, 6]
  return y.view({4, 6, 6}) + torch::ones({6, 5});
  // CHECK-MESSAGES: :[[#@LINE-1]]:28: warning: ... + ...: sizes 6 and 5 do not match at dimension 2; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: the tensor is [4, 6, 6] here: view({4, 6, 6})
  // CHECK-MESSAGES: note: the tensor is [6, 5] here: ones({6, 5})
}
at::Tensor masked() {
  auto x = torch::ones({4, 5});
  auto some = x.index({x > 0}); // how many nobody knows
  return some.view({2, 10}) + some[0];
}
at::Tensor best() {
  auto x = torch::ones({4, 5});
  auto kept = std::get<0>(x.topk(2, 0)); // [2, 5]
  return kept.matmul(torch::ones({4, 5}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:15: warning: matmul(...): shapes 2x5 and 4x5 cannot be multiplied; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'kept' is [2, 5] here: topk(2, 0)
  // CHECK-MESSAGES: note: the tensor is [4, 5] here: ones({4, 5})
}
at::Tensor doubled() {
  auto x = torch::ones({4, 5}).repeat_interleave(2, 0);
  return x + torch::ones({4, 5});
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: x + ...: sizes 8 and 4 do not match at dimension 0; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [8, 5] here: repeat_interleave(2, 0)
  // CHECK-MESSAGES: note: the tensor is [4, 5] here: ones({4, 5})
}
at::Tensor classes() {
  return torch::one_hot(torch::zeros({4, 5}, torch::kLong), 8).view({4, 5, 8});
}
