// RUN: %check %s --checks=-*,tensor-shape-mismatch -- %runtime
// What the last iteration of a counting loop does.

#include <tensortidy/aten.h>

void use(const at::Tensor &t);

void next(const at::Tensor &x) {
  for (int64_t i = 0; i < x.size(0); ++i)
    use(x.select(0, i + 1));
    // CHECK-MESSAGES: :[[#@LINE-1]]:11: warning: select(0, i + 1): index x.size(0) is out of range for size x.size(0) of dimension 0; throws [tensor-shape-mismatch]
}
void nextInTime(const at::Tensor &x) {
  for (int64_t i = 0; i + 1 < x.size(0); ++i)
    use(x.select(0, i + 1));
  for (int64_t i = 0; i < x.size(0) - 1; ++i)
    use(x.select(0, i + 1));
  for (int64_t i = 1; i < x.size(0); ++i)
    use(x.select(0, i - 1));
}
void upTo(const at::Tensor &x) {
  for (int64_t i = 0; i <= x.size(0); ++i)
    use(x.select(0, i));
    // CHECK-MESSAGES: :[[#@LINE-1]]:11: warning: select(0, i): index x.size(0) is out of range for size x.size(0) of dimension 0; throws [tensor-shape-mismatch]
}
void window(const at::Tensor &x) {
  for (int64_t i = 0; i < x.size(0); ++i)
    use(x.narrow(0, i, 3));
    // CHECK-MESSAGES: :[[#@LINE-1]]:11: warning: narrow(0, i, 3): start x.size(0) - 1 + length 3 exceeds the size x.size(0); throws [tensor-shape-mismatch]
}
void shrinkingWindow(const at::Tensor &x) {
  const auto n = x.size(0);
  for (int64_t i = 0; i < n; ++i)
    use(x.narrow(0, i, n - i));
}
void leaves(const at::Tensor &x) {
  for (int64_t i = 0; i < x.size(0); ++i) {
    if (i + 1 == x.size(0))
      break;
    use(x.select(0, i + 1));
  }
}
void returns(const at::Tensor &x, int64_t last) {
  for (int64_t i = 0; i < x.size(0); ++i) {
    if (i == last)
      return;
    use(x.select(0, i + 1));
  }
}
void sometimes(const at::Tensor &x, int64_t last) {
  for (int64_t i = 0; i < x.size(0); ++i)
    if (i != last)
      use(x.select(0, i + 1));
}
void grows(at::Tensor x) {
  for (int64_t i = 0; i < 4; ++i) {
    use(x.select(0, i));
    x = at::cat({x, x});
  }
}
