// RUN: %check %s --checks=-*,tensor-shape-mismatch -- %runtime
// A size that has no name of its own is no number, and nothing that the caller configures, which is another dimension of its tensor.

#include <tensortidy/aten.h>

// The coefficients are to be the channels, and are the last dimension.
at::Tensor encode(const at::Tensor &mel, const at::Tensor &table) {
  TORCH_CHECK(mel.dim() == 3 && mel.size(2) == 128 && table.dim() == 2 && table.size(0) == 128 && table.size(1) == 40);
  auto mfcc = at::matmul(mel, table);
  return at::conv1d(mfcc, at::zeros({64, 40, 3}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: conv1d(mfcc, ...){{.*}}unless mel.size(1) is 40
}
// An image with its channels last.
at::Tensor stem(const at::Tensor &image) {
  TORCH_CHECK(image.dim() == 3 && image.size(2) == 3);
  auto batch = image.unsqueeze(0);
  return at::conv2d(batch, at::zeros({64, 3, 7, 7}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: conv2d(batch, ...){{.*}}unless image.size(0) is 3
}
at::Tensor project(const at::Tensor &x) {
  TORCH_CHECK(x.dim() == 3 && x.size(1) == 512);
  return at::linear(x, at::zeros({10, 512}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: linear(x, ...){{.*}}unless x.size(2) is 512
}
struct Router {
  int64_t top;
  at::Tensor weighted(const at::Tensor &x, const at::Tensor &rows) const {
    TORCH_CHECK(x.dim() == 3);
    auto scores = std::get<0>(x.topk(top, -1));
    auto y = rows.reshape({x.size(0), x.size(1), -1});
    return y * scores.unsqueeze(-1);
    // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: y * ...: sizes x.size(1) and top do not match at dimension 2; throws unless x.size(1) or top is 1, or top is x.size(1)
  }
  at::Tensor weightedRight(const at::Tensor &x, const at::Tensor &rows) const {
    TORCH_CHECK(x.dim() == 3);
    auto scores = std::get<0>(x.topk(top, -1));
    auto y = rows.reshape({x.size(0), x.size(1), top, -1});
    return y * scores.unsqueeze(-1);
  }
};

at::Tensor encodeRight(const at::Tensor &mel, const at::Tensor &table) {
  TORCH_CHECK(mel.dim() == 3 && mel.size(2) == 128 && table.dim() == 2 && table.size(0) == 128 && table.size(1) == 40);
  auto mfcc = at::matmul(mel, table).transpose(1, 2);
  return at::conv1d(mfcc, at::zeros({64, 40, 3}));
}
at::Tensor stemRight(const at::Tensor &image) {
  TORCH_CHECK(image.dim() == 3 && image.size(2) == 3);
  return at::conv2d(image.permute({2, 0, 1}).unsqueeze(0), at::zeros({64, 3, 7, 7}));
}
// Of the poses only the columns are tested.
at::Tensor moved(const at::Tensor &poses, const at::Tensor &by) {
  TORCH_CHECK(poses.dim() == 3 && poses.size(2) == 4 && by.dim() == 3 && by.size(1) == 4 && by.size(2) == 4);
  return at::matmul(by, poses);
}
// The code knows that it may be.
at::Tensor either(const at::Tensor &x) {
  TORCH_CHECK(x.dim() == 3 && x.size(2) == 64);
  if (x.size(1) != 64)
    return at::linear(x, at::zeros({10, 64}));
  return at::linear(x.transpose(1, 2), at::zeros({10, 64}));
}
// Of a matrix nobody knows: it may be square.
at::Tensor gram(const at::Tensor &x) {
  TORCH_CHECK(x.dim() == 2 && x.size(1) == 64);
  return at::mm(at::zeros({10, 64}), x);
}
