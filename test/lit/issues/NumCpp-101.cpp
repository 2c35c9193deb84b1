// https://github.com/dpilger26/NumCpp/issues/101
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// Rows and columns of doubles, taken for floats: clone() copies the nonsense.

#include <tensortidy/aten.h>
#include <vector>

struct Array {
  double *data();
  int64_t rows() const, columns() const;
};

at::Tensor bug(Array &values) {
  return at::from_blob(values.data(), {values.rows(), values.columns()}).clone();
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: from_blob() takes memory of float64 for float32, its default: the values are wrong [tensor-from-blob-lifetime]
}

at::Tensor fix(Array &values) {
  return at::from_blob(values.data(), {values.rows(), values.columns()}, at::kDouble).clone();
}
