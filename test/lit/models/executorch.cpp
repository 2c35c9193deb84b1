// ExecuTorch's tensors, declared as its headers declare them.

// RUN: %exits 1 %tensortidy --stats %s -- -std=c++17 2>&1 | FileCheck %s
// CHECK-NOT: warning:

using int64_t = long;
using ssize_t = long;

namespace executorch {
namespace runtime {
template <class T> class ArrayRef {
public:
  unsigned long size() const;
  const T &operator[](unsigned long i) const;
};
namespace etensor {
enum class ScalarType : signed char { Byte, Char, Short, Int, Long, Half, Float, Double };
class Tensor {
public:
  ssize_t size(ssize_t dim) const;
  ssize_t dim() const;
  ssize_t numel() const;
  ScalarType scalar_type() const;
  const ArrayRef<int> sizes() const;
  const ArrayRef<unsigned char> dim_order() const;
  const ArrayRef<int> strides() const;
  template <class T> const T *const_data_ptr() const;
  template <class T> T *mutable_data_ptr() const;
};
} // namespace etensor
} // namespace runtime
namespace aten = runtime::etensor;
} // namespace executorch

using executorch::aten::ScalarType;
using executorch::aten::Tensor;

// What is asked for is known to fail.
int rows(const Tensor &x) {
  if (x.dim() != 2)
    return 0;
  // CHECK: executorch.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: size(2): dimension 2 of 'x' is out of range [-2, 1]; throws [tensor-shape-mismatch]
  return x.size(1) * x.size(2);
}

// Two types are allowed, and the memory is read as one of them: data_ptr() checks nothing.
[[noreturn]] void stop();
#define ET_CHECK(cond)                                                                                                 \
  if (!(cond))                                                                                                         \
  stop()

double firstZeroPoint(const Tensor &zeroPoints, const Tensor &scales) {
  ET_CHECK(zeroPoints.scalar_type() == ScalarType::Int || zeroPoints.scalar_type() == ScalarType::Long);
  ET_CHECK(scales.scalar_type() == ScalarType::Double);
  const double *scale = scales.const_data_ptr<double>();
  // CHECK: executorch.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: const_data_ptr() asks for int64, 'zeroPoints' has int32; it reads other elements [tensor-shape-mismatch]
  return zeroPoints.const_data_ptr<int64_t>()[0] * *scale;
}

// It is also the type that the caller says, and that is known to be one of them.
static void checkInput(const Tensor &input, ScalarType dtype) {
  ET_CHECK(input.scalar_type() == ScalarType::Byte || input.scalar_type() == ScalarType::Char ||
           input.scalar_type() == ScalarType::Short);
  ET_CHECK(input.scalar_type() == dtype);
}

int firstByte(const Tensor &in, ScalarType dtype) {
  checkInput(in, dtype);
  ET_CHECK(dtype == ScalarType::Char);
  return in.const_data_ptr<signed char>()[0];
}

int sumOfBytes(const Tensor &in, ScalarType dtype) {
  ET_CHECK(in.scalar_type() == ScalarType::Byte || in.scalar_type() == ScalarType::Char);
  ET_CHECK(in.scalar_type() == dtype);
  ET_CHECK(dtype == ScalarType::Char);
  int sum = 0;
  for (ssize_t i = 0; i < in.numel(); ++i)
    sum += in.const_data_ptr<signed char>()[i];
  return sum;
}

// Code of the project in a namespace of libtorch's: its helpers are no operations, declared or defined here.
namespace torch {
namespace executor {
long get_step(const Tensor &x, const Tensor &along);
void check_order(const Tensor &x);

namespace native {
static int columnsOf(const Tensor &x) {
  // CHECK: executorch.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: size(1): dimension 1 of 'x' is out of range [-1, 0]; throws [tensor-shape-mismatch]
  return x.size(1);
}

int last(const Tensor &x, const Tensor &index) {
  if (x.dim() != 1)
    return 0;
  check_order(x);
  return columnsOf(x) * get_step(x, index);
}
} // namespace native
} // namespace executor
} // namespace torch

// A kernel as they are written: the order of the dimensions is the caller's business.
Tensor &doubled(const Tensor &in, Tensor &out) {
  const float *from = in.const_data_ptr<float>();
  float *to = out.mutable_data_ptr<float>();
  for (ssize_t i = 0; i < in.numel(); ++i)
    to[i] = 2 * from[i];
  return out;
}

bool sameOrder(const Tensor &a, const Tensor &b) {
  for (unsigned long i = 0; i < a.dim_order().size(); ++i)
    if (a.dim_order()[i] != b.dim_order()[i])
      return false;
  return a.sizes()[0] == b.sizes()[0] && a.scalar_type() == ScalarType::Float;
}

// CHECK-NOT: warning:
// CHECK: functions analysed: {{[0-9]+}} of {{[0-9]+}} (100 %)
// CHECK: calls modelled: [[N:[0-9]+]] of [[N]] (100 %)
