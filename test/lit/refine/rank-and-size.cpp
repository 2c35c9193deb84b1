// RUN: not %tensortidy %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// `dim() == 2 && size(1) == 1` means [n] or [n, 1]: what another size of two
// dimensions would lead to is nobody's case.

#include <tensortidy/aten.h>

at::Tensor image(at::Tensor img) {
  if (img.dim() == 4 && img.size(0) == 1)
    img = img.squeeze(0);
  return img.permute({1, 2, 0});
}
at::Tensor written(at::Tensor op) {
  if (op.dim() == 2 && 1 == op.sizes()[1]) {
    op = op.squeeze(-1);
  }
  auto a = op.cumsum(0);
  a.accessor<float, 1>();
  return op;
}
at::Tensor otherwise(at::Tensor op) {
  if (op.dim() == 2 && op.size(1) == 1)
    op = op.squeeze(-1);
  else
    op.accessor<float, 1>();
  return op;
}
at::Tensor oneOrThree(at::Tensor img) {
  if (img.dim() == 3 && (img.size(0) == 1 || img.size(0) == 3))
    img = img.unsqueeze(0);
  return img.permute({0, 2, 3, 1});
}
at::Tensor named(at::Tensor img) {
  const int64_t n = img.sizes().size();
  if (n == 4 && img.size(0) == 1)
    img = img[0];
  return img.permute({1, 2, 0});
}
at::Tensor negated(at::Tensor img) {
  if (img.dim() != 4 || img.size(0) != 1)
    return img.permute({1, 2, 0});
  return img[0];
}

// Both were asked: a matrix that is not to be flipped is a case.
at::Tensor flipped(at::Tensor op, bool flip) {
  if (op.dim() == 2 && flip) {
    op = op.t();
  } else {
    // CHECK: :[[#@LINE+1]]:8: warning: accessor() expects 1 dimension, 'op' has 2
    op.accessor<float, 1>();
  }
  return op;
}
// The size is what was asked for; something else is not.
at::Tensor chosen(at::Tensor op, bool flip) {
  if (op.dim() == 2 && op.size(1) == 1 && flip)
    return op;
  // CHECK: :[[#@LINE+1]]:6: warning: accessor() expects 1 dimension, 'op' has 2
  op.accessor<float, 1>();
  return op;
}
