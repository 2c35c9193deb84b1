// Tensors for tests that parse in no time: what stands in for <ATen/ATen.h>.
#pragma once
#include <cstdint>
#include <initializer_list>
namespace c10 {
template <class T> struct ArrayRef {
  ArrayRef(const T &);
  ArrayRef(std::initializer_list<T>);
};
} // namespace c10
namespace at {
using IntArrayRef = c10::ArrayRef<int64_t>;
struct Tensor {
  Tensor();
  Tensor(const Tensor &);
  ~Tensor();
  Tensor &operator=(const Tensor &);
  Tensor view(IntArrayRef size) const;
  Tensor reshape(IntArrayRef shape) const;
  Tensor transpose(int64_t dim0, int64_t dim1) const;
  Tensor t() const;
  Tensor contiguous() const;
  Tensor clone() const;
  template <class T> T *data_ptr() const;
};
Tensor zeros(IntArrayRef size);
Tensor ones(IntArrayRef size);
} // namespace at
