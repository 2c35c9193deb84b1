// RUN: %check %s --checks=-*,tensor-shape-mismatch -- %runtime
// The rank and dtype an accessor or pointer asks for.

#include <tensortidy/aten.h>

float rank() {
  auto x = torch::zeros({3, 4});
  auto a = x.accessor<float, 3>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: accessor() expects 3 dimensions, 'x' has 2; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: 'x' is [3, 4] here: zeros({3, 4})
  return a[0][0][0];
}

int pointer(int64_t n) {
  auto index = torch::zeros({n}, at::kLong);
  return *index.data_ptr<int>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: data_ptr() asks for int32, 'index' has int64; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: made here: zeros({n}, ...)
}

double elements() {
  auto x = torch::ones({2, 2});
  auto a = x.accessor<double, 2>();
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: accessor() asks for float64, 'x' has float32; throws [tensor-shape-mismatch]
  // CHECK-MESSAGES: note: made here: ones({2, 2})
  return a[0][0];
}

at::Tensor rankFromThen(const at::Tensor &x) {
  auto a = x.accessor<float, 3>();
  auto y = x * a[0][0][0];
  return x.permute({0, 1}) + y;
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: permute({0, 1}) names 2 dimensions, but 'x' has 3; throws [tensor-shape-mismatch]
}

#define DISPATCH(DOUBLE, BODY)                                                 \
  if (DOUBLE) {                                                                \
    using scalar_t = double;                                                   \
    BODY                                                                       \
  } else {                                                                     \
    using scalar_t = float;                                                    \
    BODY                                                                       \
  }

template <class T> T first(const at::Tensor &x) { return *x.data_ptr<T>(); }

double fits(const at::Tensor &x, bool wide) {
  auto y = torch::zeros({3, 4});
  auto i = torch::arange(4);
  DISPATCH(wide, y.fill_(*y.data_ptr<scalar_t>());)
  return y.accessor<float, 2>()[0][0] + *y.to(at::kDouble).data_ptr<double>() + *i.data_ptr<int64_t>() +
         *x.data_ptr<double>() + first<float>(y) + *(i + y[0]).data_ptr<float>();
}

// Which instance runs, the caller decides by the dtype.
template <class T, class Acc>
void gradient(const at::Tensor &x) {
  auto part = at::empty({4, 8}, x.scalar_type() == at::kHalf
                                    ? at::TensorOptions(at::kFloat)
                                    : x.options());
  *part.data_ptr<Acc>() = Acc(*x.data_ptr<T>());
}
void gradients(const at::Tensor &x) {
  if (x.scalar_type() == at::kDouble)
    gradient<double, double>(x);
  else
    gradient<at::Half, float>(x);
}
