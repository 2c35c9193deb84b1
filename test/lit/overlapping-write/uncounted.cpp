// RUN: %check %s --checks=-*,tensor-overlapping-write,tensor-raw-pointer-layout -- %runtime
// What a sum keeps of a tensor whose dimensions nobody counted, and how many there are once it is expanded.

#include <tensortidy/aten.h>

static at::Tensor grey(const at::Tensor &images, const at::Tensor &weights, int64_t channels) {
  auto one = (images * weights.view({1, 3, 1, 1})).sum(1, true);
  return one.expand({images.size(0), channels, images.size(2), images.size(3)});
}
at::Tensor normalized(const at::Tensor &batch, const at::Tensor &weights) {
  auto x = grey(batch, weights, 3);
  x.sub_(0.5);
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: sub_() writes elements of 'x' more than once: a dimension of size 3 has stride 0; throws [tensor-overlapping-write]
  return x;
}
void splat(const float *, int64_t, int64_t);
void shared(const at::Tensor &logits, int64_t cameras) {
  const int64_t points = logits.size(0);
  auto opacity = at::sigmoid(logits).unsqueeze(0).expand({cameras, points});
  splat(opacity.data_ptr<float>(), cameras, points);
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: 'splat' gets 'opacity' without its strides and takes points*cameras elements in a row: sizes [cameras, points], strides [0, 1]; wrong when 'logits' is contiguous, unless cameras is 1 [tensor-raw-pointer-layout]
}

// --- Nothing is shared, or nobody knows.

at::Tensor copied(const at::Tensor &batch, const at::Tensor &weights) {
  auto x = grey(batch, weights, 3).contiguous();
  x.sub_(0.5);
  return x;
}
at::Tensor oneChannel(const at::Tensor &batch, const at::Tensor &weights) {
  auto x = grey(batch, weights, 1);
  x.sub_(0.5);
  return x;
}
// It may have one dimension more than is seen, and the 1 stand elsewhere.
at::Tensor last(const at::Tensor &x, int64_t n) {
  auto y = x.sum(-1, true).expand({n, n, n});
  auto z = x.sum(0).view({-1, n});
  z.mul_(2.0);
  return y + z;
}
void kept(const at::Tensor &logits, int64_t cameras) {
  const int64_t points = logits.size(0);
  auto opacity = at::sigmoid(logits).unsqueeze(0).expand({cameras, points}).contiguous();
  splat(opacity.data_ptr<float>(), cameras, points);
}
void perPoint(const at::Tensor &logits, int64_t cameras) {
  auto opacity = at::sigmoid(logits).expand({cameras, logits.size(1)});
  splat(opacity.data_ptr<float>(), logits.size(0), logits.size(1));
}
