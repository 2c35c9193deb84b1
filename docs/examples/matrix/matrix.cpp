// Linted with the model beside it, .tensortidy.yaml: see docs/models.md.
#include "matrix.h"

namespace house {

Matrix row(int64_t n, int64_t m) {
  Matrix a(n, m);
  return a.flipped().shaped(1, n * m); // throws: the elements are not in order
}

void twice(const Matrix &a, float *out) {
  require(a.is_packed());
  launch(a.packed(), out); // packed() does nothing
}

void launch(Matrix in, float *out) {
  const float *data = in.packed().data(); // the contract says that it is
  for (int64_t i = 0; i < in.rows() * in.cols(); ++i)
    out[i] = data[i];
}

} // namespace house
