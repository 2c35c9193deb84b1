// Names of current releases of libtorch, in our own words: what the model needs
// to see of them, for a machine with an old one.

#ifndef TENSORTIDY_TEST_CURRENT_H
#define TENSORTIDY_TEST_CURRENT_H

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>

namespace torch::headeronly {
enum class ScalarType : int8_t { Int = 3, Float = 6 };
} // namespace torch::headeronly

namespace c10 {
using torch::headeronly::ScalarType;

template <class T> class ArrayRef {
public:
  ArrayRef(std::initializer_list<T> L) : Data(L.begin()), Count(L.size()) {}
  const T *Data;
  size_t Count;
};
using IntArrayRef = ArrayRef<int64_t>;

class SymInt {
public:
  SymInt(int64_t V) : Value(V) {}
  operator int64_t() const;

private:
  int64_t Value;
};
using SymIntArrayRef = ArrayRef<SymInt>;

class ValueError {};
class TypeError {};
class IndexError {};
} // namespace c10

#define TORCH_CHECK_WITH(Error, Condition, ...)                                \
  if (!(Condition))                                                            \
  throw c10::Error()
#define TORCH_CHECK_VALUE(Condition, ...)                                      \
  TORCH_CHECK_WITH(ValueError, Condition, __VA_ARGS__)
#define TORCH_CHECK_TYPE(Condition, ...)                                       \
  TORCH_CHECK_WITH(TypeError, Condition, __VA_ARGS__)
#define TORCH_CHECK_INDEX(Condition, ...)                                      \
  TORCH_CHECK_WITH(IndexError, Condition, __VA_ARGS__)

namespace at {
class Tensor {
public:
  Tensor();
  Tensor(const Tensor &);
  Tensor &operator=(const Tensor &);
  ~Tensor();
  int64_t dim() const;
  int64_t size(int64_t dim) const;
  c10::SymInt sym_size(int64_t dim) const;
  bool is_contiguous() const;
  Tensor contiguous() const;
  Tensor squeeze(c10::IntArrayRef dim) const;
  Tensor transpose(int64_t dim0, int64_t dim1) const;
  Tensor view(c10::IntArrayRef size) const;
  Tensor reshape(c10::IntArrayRef size) const;
  Tensor view_symint(c10::SymIntArrayRef size) const;
  template <class T> const T *const_data_ptr() const;
  template <class T> T *mutable_data_ptr() const;
};
Tensor rand(c10::IntArrayRef size);
Tensor prelu(const Tensor &self, const Tensor &weight);
Tensor kron(const Tensor &self, const Tensor &other);
Tensor empty_permuted(c10::IntArrayRef size, c10::IntArrayRef physical_layout);
Tensor rms_norm(const Tensor &input, c10::IntArrayRef normalized_shape,
                const std::optional<Tensor> &weight = {},
                std::optional<double> eps = {});
Tensor _int_mm(const Tensor &self, const Tensor &mat2);
Tensor nonzero_static(const Tensor &self, int64_t size, int64_t fill_value);
} // namespace at

namespace torch::stable {
class Tensor {
public:
  Tensor(const Tensor &);
  ~Tensor();
  int64_t size(int64_t dim) const;
  bool is_contiguous() const;
};
Tensor transpose(const Tensor &self, int64_t dim0, int64_t dim1);
Tensor contiguous(const Tensor &self);
Tensor view(const Tensor &self, std::initializer_list<int64_t> size);
} // namespace torch::stable

#endif
