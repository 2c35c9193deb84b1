// What extensions that outlive a release of libtorch are written with
// (torch/csrc/stable), in our own words: what the model needs to see of it.

#ifndef TENSORTIDY_TEST_STABLE_H
#define TENSORTIDY_TEST_STABLE_H

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <stdexcept>

namespace c10 {
template <class T> class HeaderOnlyArrayRef {
public:
  HeaderOnlyArrayRef(std::initializer_list<T> L)
      : Data(L.begin()), Count(L.size()) {}
  const T &operator[](size_t I) const { return Data[I]; }

private:
  const T *Data;
  size_t Count;
};
} // namespace c10

namespace torch::headeronly {
enum class ScalarType : int8_t { Byte = 0, Half = 5, Float = 6 };
enum class DeviceType : int8_t { CPU = 0, CUDA = 1 };
using IntHeaderOnlyArrayRef = c10::HeaderOnlyArrayRef<int64_t>;
} // namespace torch::headeronly

#define STD_TORCH_CHECK(cond, ...)                                             \
  if (__builtin_expect(static_cast<bool>(!(cond)), 0)) {                       \
    throw std::runtime_error(#cond);                                           \
  }

namespace torch::stable {
class Device {
public:
  Device(headeronly::DeviceType type);
};
class Tensor {
public:
  Tensor(const Tensor &);
  ~Tensor();
  int64_t dim() const;
  int64_t size(int64_t dim) const;
  headeronly::IntHeaderOnlyArrayRef sizes() const;
  int64_t numel() const;
  bool is_contiguous() const;
  void *data_ptr() const;
  int32_t get_device_index() const;
};
using headeronly::IntHeaderOnlyArrayRef;
using headeronly::ScalarType;
Tensor empty(IntHeaderOnlyArrayRef size, std::optional<ScalarType> dtype = {});
Tensor full(IntHeaderOnlyArrayRef size, double fill_value,
            std::optional<ScalarType> dtype = {});
Tensor new_empty(const Tensor &self, IntHeaderOnlyArrayRef size,
                 std::optional<ScalarType> dtype = {});
Tensor from_blob(void *data, IntHeaderOnlyArrayRef sizes,
                 IntHeaderOnlyArrayRef strides, Device device,
                 ScalarType dtype);
Tensor transpose(const Tensor &self, int64_t dim0, int64_t dim1);
Tensor permute(const Tensor &self, IntHeaderOnlyArrayRef dims);
Tensor narrow(Tensor &self, int64_t dim, int64_t start, int64_t length);
Tensor select(const Tensor &self, int64_t dim, int64_t index);
Tensor unsqueeze(const Tensor &self, int64_t dim);
Tensor view(const Tensor &self, IntHeaderOnlyArrayRef size);
Tensor view(const Tensor &self, ScalarType dtype);
Tensor reshape(const Tensor &self, IntHeaderOnlyArrayRef shape);
Tensor contiguous(const Tensor &self);
Tensor clone(const Tensor &self);
Tensor matmul(const Tensor &self, const Tensor &other);
Tensor subtract(const Tensor &self, const Tensor &other, double alpha = 1.0);
Tensor amax(const Tensor &self, int64_t dim, bool keepdim = false);
Tensor pad(const Tensor &self, IntHeaderOnlyArrayRef pad);
Tensor copy_(Tensor &self, const Tensor &src);
Tensor fill_(const Tensor &self, double value);
} // namespace torch::stable

#endif
