// RUN: %check %s --checks=-*,tensor-overlapping-write,tensor-shape-mismatch -- %runtime
// expand() of tensors whose rank or sizes are not known: the sizes asked for
// come out, and a 1 in front has stride 0.

#include <tensortidy/aten.h>
using at::Tensor;

void rowsOfOne(const Tensor &b, int64_t n) {
  TORCH_CHECK(n > 1);
  auto m = b.unsqueeze(0).expand({n, -1});
  m.add_(1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: add_() writes elements of 'm' more than once: a dimension of size n has stride 0; throws {{.*}}[tensor-overlapping-write]
  // CHECK-MESSAGES: note:
  auto own = b.unsqueeze(0).expand({n, -1}).contiguous();
  own.add_(1);
}
Tensor sizesAskedFor(const Tensor &b, const Tensor &x) {
  auto m = b.expand({x.size(0), 4, 8});
  return m.matmul(at::ones({4, 3}));
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: matmul(...): shapes 4x8 and 4x3 cannot be multiplied; throws [tensor-shape-mismatch]
}
Tensor columnsOfOne(int64_t a, int64_t b, int64_t n) {
  auto m = at::zeros({a, b}).expand({a, n});
  return m.matmul(at::ones({n, 3})); // b is n, or 1
}

// Perhaps one dimension only has the size asked for.
void perhapsItsOwn(const Tensor &b, int64_t n, int64_t m) {
  auto e = b.expand({n, m});
  e.add_(1);
  auto last = b.unsqueeze(-1).expand({-1, n});
  last.select(1, 0).add_(1);
  // CHECK-MESSAGES: :[[#@LINE-1]]:21: warning: add_() writes at one index of 'last', of which a dimension of size n has stride 0; elements that share memory change together, without an error, unless n is 1 [tensor-overlapping-write]
}
// -1 is a size as well.
Tensor asItIs(const Tensor &b, int64_t n) {
  auto e = b.expand({n, 4});
  return e.matmul(at::ones({4, 2})).view({n, 2});
}
