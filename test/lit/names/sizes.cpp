// RUN: %check %s --checks=-*,tensor-view-after-permute,tensor-shape-mismatch -- %runtime
// A size is called by what is seen where the finding stands.

#include <tensortidy/aten.h>

// The callee's 'x' and its view are nothing to the caller.
static at::Tensor heads(const at::Tensor &x, int64_t h) {
  auto v = x.view({x.size(0), -1, h, 64});
  return v.transpose(1, 2);
}
at::Tensor returned(const at::Tensor &q) {
  auto y = heads(q, 8);
  return y.view({y.size(0), -1});
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: view({q.size(0), -1}) cannot merge dimensions 2 and 3 of 'y': sizes [q.size(0), 8, y.size(2), 64]
}

// 'n' of the callee is 'd' here, where there is another 'n'.
static at::Tensor scaled(const at::Tensor &x) {
  int64_t n = x.size(1);
  return x.view({-1, n, 2}).transpose(0, 1);
}
at::Tensor twoOfOneName(int64_t n, int64_t d) {
  auto y = scaled(at::zeros({n, d, 2}));
  return y.view(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: view({-1}) cannot merge dimensions 1 and 2 of 'y': sizes [d, n, 2], strides [2, 2*d, 1]; throws unless n or d is 1
}

// In the callee it is the other way round.
static at::Tensor flat(const at::Tensor &x) {
  int64_t n = x.size(0);
  (void)n;
  return x.view(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: view({-1}) cannot merge dimensions 0 and 1 of 'x': sizes [n, x.size(1)], strides [1, n]
}
at::Tensor passed(int64_t N, int64_t M) { return flat(at::zeros({N, M}).t()); }

// What has no name here is told by the function it belongs to.
int64_t asked();
static at::Tensor made() {
  int64_t k = asked();
  return at::zeros({k, 4}).t();
}
at::Tensor foreign() {
  return made().view(-1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: view({-1}) cannot merge dimensions 0 and 1: sizes [4, made::k], strides [1, 4]; throws unless made::k is 1
}

// Two variables of one name in one message: the line tells the earlier one.
at::Tensor shadowed(int64_t n) {
  auto x = at::zeros({n, 4});
  {
    int64_t n = asked();
    return at::zeros({n, x.size(0)}).t().view(-1);
    // CHECK-MESSAGES: :[[#@LINE-1]]:42: warning: view({-1}) cannot merge dimensions 0 and 1: sizes [n@[[#@LINE-5]], n], strides [1, n@[[#@LINE-5]]]; throws unless {{.*}} is 1
  }
}

// A lambda sees the names around it.
at::Tensor lambda(int64_t A, int64_t B) {
  auto turn = [&](const at::Tensor &y) { return y.view(-1); };
  // CHECK-MESSAGES: :[[#@LINE-1]]:51: warning: view({-1}) cannot merge dimensions 0 and 1 of 'y': sizes [B, A], strides [1, B]
  return turn(at::zeros({A, B}).t());
}
