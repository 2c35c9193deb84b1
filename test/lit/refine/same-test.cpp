// RUN: %check %s --checks=-*,tensor-shape-mismatch,tensor-view-after-permute,tensor-redundant-contiguous -- %runtime
// What is asked twice of variables that stay has one answer.

#include <tensortidy/aten.h>

bool fits(const at::Tensor &x);
bool flat(const at::Tensor &x);
bool next();
struct Queue {
  bool empty();
};
void use(const float *);
void use(const int *);

void byCall(const at::Tensor &x) {
  const auto type = fits(x) ? at::kFloat : at::kInt;
  auto y = x.to(type);
  if (fits(x))
    use(y.data_ptr<float>());
  else
    use(y.data_ptr<int>());
}

void byType(const at::Tensor &x) {
  const auto type = x.options().dtype();
  auto y = x.to(type == at::kHalf ? at::kFloat : at::kInt);
  if (type != at::kHalf)
    use(y.data_ptr<int>());
  else
    use(y.data_ptr<float>());
}

// Two of three ways give one type: what led there is forgotten.
void byEither(const at::Tensor &x) {
  auto y = x.to(fits(x) || flat(x) ? at::kFloat : at::kInt);
  if (fits(x))
    use(y.data_ptr<float>());
  else if (flat(x))
    use(y.data_ptr<float>());
  else
    use(y.data_ptr<int>());
}

void byCase(const at::Tensor &x) {
  auto y = x.to(fits(x) ? at::kFloat : at::kInt);
  switch (x.scalar_type()) {
  case at::kHalf:
    return use(y.data_ptr<float>());
  default:
    return use(y.data_ptr<int>());
  }
}

at::Tensor layouts(const at::Tensor &x) {
  auto y = at::zeros({3, 4});
  const bool turned = !fits(x);
  if (turned)
    y = y.t();
  if (!fits(x))
    return y.reshape({12});
  return y.view({12});
}

// Every path asks for float.
void always(const at::Tensor &x, bool half) {
  auto y = x.to(at::kFloat);
  if (half)
    y = y.to(at::kHalf);
  use(y.data_ptr<float>());
  // CHECK-MESSAGES: :[[#@LINE-1]]:9: warning: data_ptr() asks for float32, 'y' has float16; throws when 'half' is true [tensor-shape-mismatch]
}

// Each of these may answer anew.
at::Tensor anew(Queue &queue) {
  auto y = at::zeros({3, 4});
  if (queue.empty())
    y = y.t();
  if (!queue.empty())
    y.view({12});
  // CHECK-MESSAGES: :[[#@LINE-1]]:7: warning: view({12}) cannot merge
  if (next())
    y = at::ones({3, 4}).t();
  if (!next())
    return y.view({12});
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: view({12}) cannot merge
  return y;
}

at::Tensor changed(at::Tensor x) {
  auto y = at::zeros({3, 4});
  if (fits(x))
    y = y.t();
  x = x + 1;
  if (!fits(x))
    return y.view({12});
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: view({12}) cannot merge
  return y;
}

at::Tensor repeated(const at::Tensor &x) {
  auto y = at::zeros({3, 4});
  while (!fits(x))
    y = y.t();
  return y.view({12});
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: view({12}) cannot merge
}

// The elements that the test is about may be others: nothing is said of the
// last contiguous().
void fill(const at::Tensor &x);
at::Tensor written(const at::Tensor &x) {
  auto y = at::zeros({3, 4});
  if (fits(x))
    y = y.t();
  x.add_(1);
  if (!fits(x))
    y = y.contiguous();
  return y;
}
at::Tensor filled(const at::Tensor &x) {
  auto y = at::zeros({3, 4});
  if (fits(x))
    y = y.t();
  fill(x);
  if (!fits(x))
    y = y.contiguous();
  return y;
}
at::Tensor kept(const at::Tensor &x) {
  auto y = at::zeros({3, 4});
  if (fits(x))
    y = y.t();
  if (!fits(x))
    y = y.contiguous();
  // CHECK-MESSAGES: :[[#@LINE-1]]:11: warning: contiguous() does nothing
  return y;
}
