// Names of current releases of libtorch, in our own words: what the model needs
// to see of them, for a machine with an old one.

#ifndef TENSORTIDY_TEST_CURRENT_H
#define TENSORTIDY_TEST_CURRENT_H

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>

namespace torch::headeronly {
enum class ScalarType : int8_t {
  Byte = 0,
  Short = 2,
  Int = 3,
  Long = 4,
  Float = 6,
  UInt16 = 27,
  UInt32 = 28,
  UInt64 = 29
};
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

class Scalar {
public:
  Scalar(int V) : Value(V) {}

private:
  int Value;
};

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
using c10::ScalarType;
constexpr ScalarType kByte = ScalarType::Byte, kShort = ScalarType::Short,
                     kInt = ScalarType::Int, kUInt32 = ScalarType::UInt32,
                     kUInt64 = ScalarType::UInt64;

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
  bool sym_is_contiguous() const;
  Tensor contiguous() const;
  Tensor squeeze(c10::IntArrayRef dim) const;
  Tensor transpose(int64_t dim0, int64_t dim1) const;
  Tensor view(c10::IntArrayRef size) const;
  Tensor reshape(c10::IntArrayRef size) const;
  Tensor view_symint(c10::SymIntArrayRef size) const;
  Tensor sum() const;
  Tensor gather(int64_t dim, const Tensor &index) const;
  Tensor scatter_add(int64_t dim, const Tensor &index, const Tensor &src) const;
  Tensor &scatter_(int64_t dim, const Tensor &index, const Tensor &src) const;
  Tensor index_select(int64_t dim, const Tensor &index) const;
  Tensor index_add(int64_t dim, const Tensor &index,
                   const Tensor &source) const;
  Tensor index_copy(int64_t dim, const Tensor &index,
                    const Tensor &source) const;
  Tensor take(const Tensor &index) const;
  Tensor &put_(const Tensor &index, const Tensor &source) const;
  Tensor masked_fill(const Tensor &mask, const c10::Scalar &value) const;
  Tensor &masked_fill_(const Tensor &mask, const c10::Scalar &value) const;
  Tensor &masked_scatter_(const Tensor &mask, const Tensor &source) const;
  Tensor masked_select(const Tensor &mask) const;
  template <class T> T *data_ptr() const;
  template <class T> const T *const_data_ptr() const;
  template <class T> T *mutable_data_ptr() const;
};
Tensor operator+(const Tensor &self, const Tensor &other);
Tensor rand(c10::IntArrayRef size);
Tensor zeros(c10::IntArrayRef size, ScalarType dtype = ScalarType::Float);
Tensor from_blob(void *data, c10::IntArrayRef sizes,
                 ScalarType dtype = ScalarType::Float);
Tensor prelu(const Tensor &self, const Tensor &weight);
Tensor kron(const Tensor &self, const Tensor &other);
Tensor empty_permuted(c10::IntArrayRef size, c10::IntArrayRef physical_layout);
Tensor rms_norm(const Tensor &input, c10::IntArrayRef normalized_shape,
                const std::optional<Tensor> &weight = {},
                std::optional<double> eps = {});
Tensor _int_mm(const Tensor &self, const Tensor &mat2);
Tensor _scaled_mm(const Tensor &self, const Tensor &mat2,
                  const Tensor &scale_a, const Tensor &scale_b);
Tensor _weight_int4pack_mm(const Tensor &self, const Tensor &mat2,
                           int64_t qGroupSize,
                           const Tensor &qScaleAndZeros);
Tensor linalg_vecdot(const Tensor &x, const Tensor &y, int64_t dim = -1);
Tensor permute_copy(const Tensor &self, c10::IntArrayRef dims);
Tensor index_reduce(const Tensor &self, int64_t dim, const Tensor &index,
                    const Tensor &source, const char *reduce);
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
