// Tensors as tvm-ffi hands them over, declared as its headers declare them.

// RUN: %exits 1 %tensortidy %s -- -std=c++17 | FileCheck %s
// RUN: %exits 1 %tensortidy --stats %s -- -std=c++17 2>&1 | FileCheck %s --check-prefix=SEEN
// SEEN: functions analysed: 11 of 11 (100 %)
// SEEN: calls modelled: [[N:[0-9]+]] of [[N]] (100 %)

using int64_t = long;

struct DLDevice {
  int device_type, device_id;
};
struct DLDataType {
  unsigned char code, bits;
  unsigned short lanes;
};
struct DLTensor;

namespace std {
template <class T> class initializer_list {
  const T *First;
  unsigned long Count;
};
} // namespace std

namespace tvm {
namespace ffi {

class ShapeView {
public:
  ShapeView(std::initializer_list<int64_t> shape);
  int64_t operator[](unsigned long i) const;
};
class Shape {
public:
  Shape(std::initializer_list<int64_t> shape);
  operator ShapeView() const;
};

class Tensor {
public:
  void *data_ptr() const;
  DLDevice device() const;
  int ndim() const;
  DLDataType dtype() const;
  ShapeView shape() const;
  ShapeView strides() const;
  int64_t size(int64_t idx) const;
  int64_t stride(int64_t idx) const;
  int64_t numel() const;
  bool IsContiguous() const;
  Tensor as_strided(ShapeView shape, ShapeView strides) const;
  static Tensor FromEnvAlloc(int (*env_alloc)(DLTensor *, void **), ShapeView shape, DLDataType dtype, DLDevice device);
};

class TensorView {
public:
  TensorView(const Tensor &tensor);
  void *data_ptr() const;
  DLDevice device() const;
  int ndim() const;
  DLDataType dtype() const;
  ShapeView shape() const;
  int64_t size(int64_t idx) const;
  int64_t stride(int64_t idx) const;
  int64_t numel() const;
  bool IsContiguous() const;
  TensorView as_strided(ShapeView shape, ShapeView strides) const;
};

struct Any {
  ~Any();
};
class Function {
public:
  static Function GetGlobalRequired(const char *name);
  template <class... Args> Any operator()(Args &&...args) const;
};

} // namespace ffi
} // namespace tvm

using tvm::ffi::Tensor;
using tvm::ffi::TensorView;

int allocate(DLTensor *, void **);

Tensor alloc_tensor(tvm::ffi::Shape shape, DLDataType dtype, DLDevice device) {
  return Tensor::FromEnvAlloc(allocate, shape, dtype, device);
}

// A workspace that is gone when the kernel runs.
void launch(float *workspace, int64_t n);
void dead(TensorView x) {
  // CHECK: tvm.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}} [tensor-dangling-data-pointer]
  float *p = static_cast<float *>(alloc_tensor({x.size(0), 64}, x.dtype(), x.device()).data_ptr());
  launch(p, x.numel());
}

// What a function of another library's does with a tensor, nobody knows.
float filled(TensorView x) {
  Tensor y = alloc_tensor({4, 8}, x.dtype(), x.device());
  tvm::ffi::Function fill = tvm::ffi::Function::GetGlobalRequired("fill");
  fill(x, y);
  return static_cast<const float *>(y.data_ptr())[0];
}

// What has two dimensions has no third.
int64_t last(TensorView x) {
  if (x.ndim() != 2)
    throw 1;
  // CHECK: tvm.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}} [tensor-shape-mismatch]
  return x.size(2);
}
int64_t lastOfNew(TensorView x) {
  Tensor y = alloc_tensor({4, 8}, x.dtype(), x.device());
  // CHECK: tvm.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}} [tensor-shape-mismatch]
  return y.size(-1) + y.stride(2);
}

// Strides that are asked for, and a layout that is checked.
float sumStrided(TensorView x) {
  const float *p = static_cast<const float *>(x.data_ptr());
  float all = 0;
  for (int64_t i = 0; i < x.size(0); ++i)
    for (int64_t j = 0; j < x.size(1); ++j)
      all += p[i * x.stride(0) + j * x.stride(1)];
  return all;
}
float sumDense(Tensor x) {
  if (!x.IsContiguous() || x.ndim() != 2)
    throw 1;
  const float *p = static_cast<const float *>(x.data_ptr());
  float all = 0;
  for (int64_t i = 0; i < x.shape()[0] * x.shape()[1]; ++i)
    all += p[i];
  return all;
}

// Checks that give a message where they do not hold.
namespace std {
template <class T> class unique_ptr {
public:
  explicit operator bool() const;
  T &operator*() const;
};
} // namespace std
namespace tvm {
namespace ffi {
namespace details {
template <class X, class Y> std::unique_ptr<char> LogCheck_EQ(const X &x, const Y &y);
template <class X, class Y> std::unique_ptr<char> LogCheck_NE(const X &x, const Y &y);
template <class X, class Y> std::unique_ptr<char> LogCheck_LT(const X &x, const Y &y);
template <class X, class Y> std::unique_ptr<char> LogCheck_GT(const X &x, const Y &y);
template <class X, class Y> std::unique_ptr<char> LogCheck_LE(const X &x, const Y &y);
template <class X, class Y> std::unique_ptr<char> LogCheck_GE(const X &x, const Y &y);
} // namespace details
} // namespace ffi
} // namespace tvm
#define FFI_CHECK(name, x, y) if (auto Failed = ::tvm::ffi::details::LogCheck##name(x, y)) throw *Failed
int64_t lastOrFirst(TensorView x, bool packed) {
  if (x.ndim() == 3 && packed)
    return x.size(0);
  FFI_CHECK(_EQ, x.ndim(), 4);
  return x.size(3);
}
int64_t fourth(TensorView x) {
  FFI_CHECK(_GE, x.ndim(), 4);
  if (x.ndim() == 3)
    return x.size(3);
  return 0;
}
// None of these lets a tensor of three dimensions pass.
int64_t others(TensorView x, int which) {
  switch (which) {
  case 0:
    FFI_CHECK(_NE, x.ndim(), 3);
    break;
  case 1:
    FFI_CHECK(_LT, x.ndim(), 3);
    break;
  case 2:
    FFI_CHECK(_GT, x.ndim(), 3);
    break;
  default:
    FFI_CHECK(_LE, x.ndim(), 2);
  }
  if (x.ndim() == 3)
    return x.size(3);
  return 0;
}
int64_t sixth(TensorView x) {
  FFI_CHECK(_EQ, x.ndim(), 4);
  // CHECK: tvm.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: size(5): dimension 5 of 'x' is out of range [-4, 3]; throws [tensor-shape-mismatch]
  return x.size(5);
}
// CHECK-NOT: warning:
