// RUN: not %tensortidy --checks=-*,tensor-shape-mismatch %s -- %aten | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch
// What models say operations ask of their operands: ranks, sizes, dtypes.

#include <ATen/ATen.h>
using at::IntArrayRef;
using at::Tensor;

void indices(int64_t n) {
  auto x = at::zeros({4, 5});
  auto row = at::zeros({3}, at::kLong), grid = at::zeros({2, 5}, at::kLong);
  x.gather(0, grid).gather(1, row);
  // CHECK: :[[#@LINE-1]]:21: warning: gather(1, row) expects 2 dimensions, 'row' has 1; throws [tensor-shape-mismatch]
  x.gather(1, at::zeros({5, 2}, at::kLong)).sum();
  // CHECK: :[[#@LINE-1]]:5: warning: gather(1, ...): size 5 of dimension 0 of its index should be at most 4; throws
  x.gather(1, at::zeros({4, n}, at::kLong)).sum();
  x.gather(1, at::zeros({0}, at::kLong)).sum();
  x.gather(0, at::zeros({2, 5})).sum();
  // CHECK: :[[#@LINE-1]]:5: warning: gather(0, ...) needs int64 or int32, its index has float32; throws
  x.scatter_(0, grid, at::ones({2, 5}));
  x.scatter_(0, grid, at::ones({1, 5}));
  // CHECK: :[[#@LINE-1]]:5: warning: scatter_(0, grid, ...): size 2 of dimension 0 of 'grid' should be at most 1; throws
  x.scatter_(0, grid, 1.0);
  x.index_select(0, row).index_select(1, row).index_select(0, grid);
  // CHECK: :[[#@LINE-1]]:47: warning: index_select(0, grid) expects at most 1 dimension, 'grid' has 2; throws
  x.index_select(2, row).sum();
  // CHECK: :[[#@LINE-1]]:5: warning: index_select(2, row): dimension 2 of 'x' is out of range [-2, 1]; throws
  x.index_add_(0, row, at::ones({3, 5}));
  x.index_add_(0, row, at::ones({2, 5}));
  // CHECK: :[[#@LINE-1]]:5: warning: index_add_(0, row, ...): size 2 of dimension 0 of its source should be 3; throws
  x.index_add_(1, row, at::ones({5, 3}));
  // CHECK: :[[#@LINE-1]]:5: warning: index_add_(1, row, ...): size 5 of dimension 0 of its source should be 4; throws
  x.masked_fill_(at::zeros({4, 1}, at::kBool), 0);
  x.masked_fill_(at::zeros({2, 4, 5}, at::kBool), 0);
  // CHECK: :[[#@LINE-1]]:5: warning: masked_fill_(..., 0) would give 3 dimensions, 'x' has 2; throws
  x.masked_select(at::zeros({4, 4}, at::kBool)).sum();
  // CHECK: :[[#@LINE-1]]:5: warning: masked_select(...): sizes 5 and 4 do not match at dimension 1; throws
  std::get<0>(x.topk(6)).sum();
  // CHECK: :[[#@LINE-1]]:17: warning: topk(6): 6 is more than the size 5 of dimension 1 of 'x'; throws
  std::get<0>(x.topk(5)).sum();
  std::get<0>(x.topk(5, 0)).sum();
  // CHECK: :[[#@LINE-1]]:17: warning: topk(5, 0): 5 is more than the size 4 of dimension 0 of 'x'; throws
}

void subscripts(int64_t n, const Tensor &given) {
  auto x = at::zeros({4, 5});
  auto row = at::zeros({3}, at::kLong);
  x.index({row, at::zeros({1}, at::kLong)}).sum();
  x.index({row, at::zeros({2}, at::kLong)}).sum();
  // CHECK: :[[#@LINE-1]]:5: warning: index({row, ...}): sizes 3 and 2 do not match at dimension 0; throws
  x.index({row, row, row}).sum();
  // CHECK: :[[#@LINE-1]]:5: warning: index({row, row, row}) expects at least 3 dimensions, 'x' has 2; throws
  x.index({given, row, row}).sum();
  x.index({at::zeros({4, 5}, at::kBool)}).sum();
  auto keep = at::zeros({5}, at::kBool);
  x.index({keep}).sum();
  // CHECK: :[[#@LINE-1]]:5: warning: index({keep}): size 5 of dimension 0 of 'keep' should be 4; throws
  x.index({at::indexing::Slice(), keep}).sum();
  x.index({at::zeros({4})}).sum();
  // CHECK: :[[#@LINE-1]]:5: warning: index({...}) needs int64 or bool, its index has float32; throws
}

void layers(int64_t n) {
  auto x = at::zeros({2, 3, 8}), image = at::zeros({n, 3, 8, 8});
  at::conv2d(image, at::zeros({4, 3, 3, 3}), at::zeros({4})).sum();
  at::conv2d(image, at::zeros({4, 3, 3, 3}), at::zeros({3})).sum();
  // CHECK: :[[#@LINE-1]]:7: warning: conv2d(image, ..., ...): size 3 of dimension 0 of its bias should be 4; throws
  at::conv2d(image, at::zeros({4, 3, 9, 9})).sum();
  // CHECK: :[[#@LINE-1]]:7: warning: conv2d(image, ...): the window reaches over 9 elements, dimension 2 of 'image' has 8 with its padding; throws
  at::conv2d(image, at::zeros({4, 3, 9, 9}), {}, IntArrayRef{1}, IntArrayRef{1}).sum();
  at::conv_transpose2d(image, at::zeros({3, 4, 3, 3}), at::zeros({3})).sum();
  // CHECK: :[[#@LINE-1]]:7: warning: conv_transpose2d(image, ..., ...): size 3 of dimension 0 of its bias should be 4; throws
  at::conv_transpose2d(image, at::zeros({3, 4, 9, 9}), at::zeros({4})).sum();
  at::max_pool2d(image, {9, 9}).sum();
  // CHECK: :[[#@LINE-1]]:7: warning: max_pool2d(image, {9, 9}): the window reaches over 9 elements, dimension 2 of 'image' has 8 with its padding; throws
  at::max_pool2d(image, {2, 2}, {2, 2}, {2, 2}).sum();
  // CHECK: :[[#@LINE-1]]:7: warning: max_pool2d(image, {2, 2}, {2, 2}, {2, 2}): padding 2 is more than half of the window 2; throws
  at::max_pool2d(image, {9, 9}, {2, 2}, {0, 0}, {1, 1}, true).sum();
  at::upsample_nearest2d(x, {4, 4}).sum();
  // CHECK: :[[#@LINE-1]]:7: warning: upsample_nearest2d(x, {4, 4}) expects 4 dimensions, 'x' has 3; throws
  at::linear(x, at::zeros({4, 8}), at::zeros({5})).sum();
  // CHECK: :[[#@LINE-1]]:7: warning: linear(x, ..., ...): size 5 of dimension 0 of its bias should be 4; throws
  at::linear(x, at::zeros({4, 8}), at::zeros({1})).sum();
  at::layer_norm(x, {3, 8}).sum();
  at::layer_norm(x, {3}).sum();
  // CHECK: :[[#@LINE-1]]:7: warning: layer_norm(x, {3}): size 8 of dimension 2 of 'x' should be 3; throws
  at::layer_norm(x, {8}, at::ones({3})).sum();
  // CHECK: :[[#@LINE-1]]:7: warning: layer_norm(x, {8}, ...): size 3 of dimension 0 of its weight should be 8; throws
  auto three = at::ones({3}), eight = at::ones({8});
  at::batch_norm(x, three, three, three, three, true, 0.1, 1e-5, true).sum();
  at::batch_norm(x, eight, three, three, three, true, 0.1, 1e-5, true).sum();
  // CHECK: :[[#@LINE-1]]:7: warning: batch_norm(x, eight, three, {{.*}}) expects 3 elements, 'eight' has 8; throws
  at::group_norm(x, 3).sum();
  at::group_norm(x, 2).sum();
  // CHECK: :[[#@LINE-1]]:7: warning: group_norm(x, 2): size 3 of dimension 1 of 'x' is no multiple of 2; throws
  at::embedding(at::zeros({10, 4}), at::zeros({2, 3})).sum();
  // CHECK: :[[#@LINE-1]]:7: warning: embedding(..., ...) needs int64 or int32, its indices has float32; throws
  at::pixel_shuffle(image, 2).sum();
  // CHECK: :[[#@LINE-1]]:7: warning: pixel_shuffle(image, 2): size 3 of dimension 1 of 'image' is no multiple of 4; throws
}

void losses() {
  auto scores = at::zeros({4, 5});
  at::cross_entropy_loss(scores, at::zeros({4}, at::kLong)).item();
  at::cross_entropy_loss(scores, at::zeros({4, 5})).item();
  at::cross_entropy_loss(at::zeros({4, 5, 7}), at::zeros({4, 7}, at::kLong)).item();
  at::cross_entropy_loss(scores, at::zeros({5}, at::kLong)).item();
  // CHECK: :[[#@LINE-1]]:7: warning: cross_entropy_loss(scores, ...): size 5 of dimension 0 of its target should be 4; throws
  at::cross_entropy_loss(scores, at::zeros({4, 1}, at::kLong)).item();
  // CHECK: :[[#@LINE-1]]:7: warning: cross_entropy_loss(scores, ...) expects 1 dimension, its target has 2; throws
  at::nll_loss(scores, at::zeros({3}, at::kLong)).item();
  // CHECK: :[[#@LINE-1]]:7: warning: nll_loss(scores, ...): size 3 of dimension 0 of its target should be 4; throws
  at::mse_loss(scores, at::zeros({4, 1})).item();
  at::mse_loss(scores, at::zeros({4})).item();
  // CHECK: :[[#@LINE-1]]:7: warning: mse_loss(scores, ...): sizes 5 and 4 do not match at dimension 1; throws
}

void algebra(int64_t n) {
  auto x = at::zeros({2, 3});
  at::dot(at::zeros({n}), at::zeros({n + 1})).item();
  // CHECK: :[[#@LINE-1]]:7: warning: dot(..., ...): size n of dimension 0 should be n + 1; throws
  at::mv(x, at::zeros({2})).sum();
  // CHECK: :[[#@LINE-1]]:7: warning: mv(x, ...): size 3 of dimension 1 of 'x' should be 2; throws
  at::cdist(x, at::zeros({5, 4})).sum();
  // CHECK: :[[#@LINE-1]]:7: warning: cdist(x, ...): size 3 of dimension 1 of 'x' should be 4; throws
  at::einsum("ij,jk->ik", {x, at::zeros({3, 4})}).sum();
  at::einsum("ij,jk->ik", {x, at::zeros({4, 4})}).sum();
  // CHECK: :[[#@LINE-1]]:7: warning: einsum(ij,jk->ik, {x, ...}): size 4 of dimension 0 should be 3; throws
  at::einsum("ij,jk->ik", {x, at::zeros({4})}).sum();
  // CHECK: :[[#@LINE-1]]:7: warning: einsum(ij,jk->ik, {x, ...}) expects 2 dimensions, the tensor has 1; throws
  x.inverse().sum();
  // CHECK: :[[#@LINE-1]]:5: warning: inverse(): size 2 of dimension 0 of 'x' should be 3; throws
  at::zeros({3}).triu().sum();
  // CHECK: :[[#@LINE-1]]:18: warning: triu() expects at least 2 dimensions, the tensor has 1; throws
  x.repeat({2}).sum();
  // CHECK: :[[#@LINE-1]]:5: warning: repeat({2}) expects at most 1 dimension, 'x' has 2; throws
  x.cumsum(2).sum();
  // CHECK: :[[#@LINE-1]]:5: warning: cumsum(2): dimension 2 of 'x' is out of range [-2, 1]; throws
  x.softmax(1).flip({2}).sum();
  // CHECK: :[[#@LINE-1]]:16: warning: flip({2}): dimension 2 is out of range [-2, 1]; throws
}

// What an operation asked for is known from there on; what is not known fits.
void later(const Tensor &x, const Tensor &w, const Tensor &i, int64_t n) {
  x.gather(1, i).sum();
  at::linear(x, w, at::zeros({n})).sum();
  at::batch_norm(x, w, w, w, w, true, 0.1, 1e-5, true).sum();
  at::dot(at::zeros({n}), at::zeros({w.size(0)})).item();
  at::zeros({n}).add_(at::zeros({w.size(0)}));
}
