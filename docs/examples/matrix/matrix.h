// A small in-house matrix: a handle on shared elements, with two strides.
#pragma once
#include <cstdint>
#include <memory>

namespace house {

class Matrix {
public:
  Matrix(int64_t rows, int64_t cols);
  int64_t rows() const;
  int64_t cols() const;
  Matrix flipped() const;                                // shares the elements
  Matrix columns(int64_t first, int64_t count) const;    // shares the elements
  Matrix shaped(int64_t rows, int64_t cols) const;       // needs packed elements
  Matrix packed() const;                                 // itself, or a copy
  bool is_packed() const;
  float *data() const;

private:
  std::shared_ptr<float> elements;
  int64_t sizes[2], strides[2];
};

void require(bool condition);
void launch(Matrix in, float *out);

} // namespace house
