// RUN: not %tensortidy --checks=-*,tensor-dangling-data-pointer %s -- %aten | FileCheck %s --implicit-check-not=warning:
// REQUIRES: libtorch

#include <ATen/ATen.h>
#include <vector>

float use(const float *p);
float useSizes(at::IntArrayRef s);

float temporary(const at::Tensor &x) {
  const float *p = x.contiguous().data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:35: warning: data_ptr() points into a temporary, the result of contiguous(), that is gone at the end of this statement; only when 'x' is not contiguous, so tests with contiguous input pass [tensor-dangling-data-pointer]
  // CHECK: :[[#@LINE+1]]:10: note: used here, after that
  return use(p);
}

float sum(const at::Tensor &x, const at::Tensor &y) {
  auto *p = (x + y).data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:21: warning: data_ptr() points into a temporary, the result of '+', that is gone at the end of this statement [tensor-dangling-data-pointer]
  float s = 0;
  for (int i = 0; i < 4; ++i)
    s += p[i];
  return s;
}

float assigned(const at::Tensor &x) {
  const float *p = nullptr;
  p = x.to(at::kFloat).data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:24: warning: data_ptr() points into a temporary, the result of to(), that is gone at the end of this statement; only when 'x' is not of that dtype and device already
  return *p;
}

float arms(const at::Tensor &x, bool c) {
  const float *p = c ? x.data_ptr<float>() : x.clone().data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:56: warning: data_ptr() points into a temporary, the result of clone()
  return p[0];
}

float offset(const at::Tensor &x) {
  const float *p = at::zeros({4}).data_ptr<float>() + 2;
  // CHECK: :[[#@LINE-1]]:35: warning: data_ptr() points into a temporary, the result of zeros()
  return p[0];
}

float assignedAnew(const at::Tensor &x) {
  at::Tensor t = at::zeros({4});
  auto *p = t.data_ptr<float>();
  t = t + 1;
  return use(p);
  // CHECK: :[[#@LINE-1]]:10: warning: used after it was assigned anew: the tensor that data_ptr() points into is gone
}

float endOfBlock(const at::Tensor &x, bool c) {
  const float *p = x.data_ptr<float>();
  if (c) {
    auto y = x.add(1);
    p = y.data_ptr<float>();
  }
  return use(p);
  // CHECK: :[[#@LINE-1]]:10: warning: used after the end of its block: the tensor that data_ptr() points into is gone
}

float resized(at::Tensor x) {
  auto *p = x.data_ptr<float>();
  x.resize_({100});
  return use(p);
  // CHECK: :[[#@LINE-1]]:10: warning: used after resize_(): data_ptr() points to the memory the tensor had; only when it grows
}

const float *returned(const at::Tensor &x) {
  auto y = x.contiguous();
  return y.data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:3: warning: returns data_ptr() of a tensor that is gone when the function returns; only when 'x' is not contiguous
}

template <class T> static T *ptr(const at::Tensor &t) {
  return t.contiguous().data_ptr<T>();
  // CHECK: :[[#@LINE-1]]:3: warning: returns data_ptr() of a tensor that is gone when the function returns; only when 't' is not contiguous
}
float helper(const at::Tensor &x) { return use(ptr<float>(x)); }

float sizes(const at::Tensor &x) {
  auto s = x.permute({1, 0}).sizes();
  // CHECK: :[[#@LINE-1]]:30: warning: sizes() points into a temporary, the result of permute(), that is gone at the end of this statement
  return s[0];
}

int64_t rangeFor(const at::Tensor &x) {
  int64_t n = 1;
  for (auto d : x.permute({1, 0}).sizes())
    // CHECK: :[[#@LINE-1]]:35: warning: sizes() points into a temporary, the result of permute(), that is gone at the end of this statement
    n *= d;
  return n;
}

float staleSizes(at::Tensor x) {
  auto s = x.sizes();
  x.unsqueeze_(0);
  return useSizes(s);
  // CHECK: :[[#@LINE-1]]:10: warning: used after unsqueeze_(): sizes() points to the sizes the tensor had
}

float braces() {
  at::IntArrayRef s = {2, 3};
  // CHECK: :[[#@LINE-1]]:23: warning: this is a view of the array behind the braces, which is gone at the end of this statement
  return useSizes(s);
}

at::Tensor list(const at::Tensor &a, const at::Tensor &b) {
  at::TensorList l = {a, b};
  // CHECK: :[[#@LINE-1]]:22: warning: this is a view of the array behind the braces
  return at::cat(l);
}

at::IntArrayRef localVector(int64_t n) {
  std::vector<int64_t> v(n, 1);
  return v;
  // CHECK: warning: returns a view of 'v', which is gone when the function returns
}

static const float *pointer(const at::Tensor &t) { return t.data_ptr<float>(); }
static at::Tensor twice(const at::Tensor &t) { return t + t; }

float helperOfTemporary(const at::Tensor &x) {
  auto *p = pointer(x.clone());
  // CHECK: :[[#@LINE-1]]:13: warning: data_ptr() points into a temporary, the result of clone(), that is gone at the end of this statement
  // CHECK: note: the pointer comes from here
  return use(p);
}

float temporaryOfHelper(const at::Tensor &x) {
  auto *p = twice(x).data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:22: warning: data_ptr() points into a temporary, the result of twice()
  return use(p);
}

float usedInLambda(const at::Tensor &x) {
  auto *p = x.contiguous().data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:28: warning: data_ptr() points into a temporary, the result of contiguous()
  return [&] { return p[0]; }();
}

float inContainer(const at::Tensor &x) {
  std::vector<float *> all;
  all.push_back(x.clone().data_ptr<float>());
  // CHECK: :[[#@LINE-1]]:27: warning: data_ptr() points into a temporary, the result of clone()
  return use(all[0]);
}

float inArray(const at::Tensor &x) {
  const float *all[] = {x.data_ptr<float>(), x.clone().data_ptr<float>()};
  // CHECK: :[[#@LINE-1]]:56: warning: data_ptr() points into a temporary, the result of clone()
  return use(all[1]);
}

struct Params {
  const float *data;
  int64_t size;
};
float run(const Params &p);

float inField(const at::Tensor &x) {
  Params p;
  p.data = x.clone().data_ptr<float>();
  // CHECK: :[[#@LINE-1]]:22: warning: data_ptr() points into a temporary, the result of clone()
  return run(p);
}

float inAggregate(const at::Tensor &x) {
  Params p{x.clone().data_ptr<float>(), 4};
  // CHECK: :[[#@LINE-1]]:22: warning: data_ptr() points into a temporary, the result of clone()
  return run(p);
}

struct Layer {
  const float *data;
  at::IntArrayRef sizes;
  Layer(const at::Tensor &x) : data(nullptr), sizes({2, 3}) {
    // CHECK: :[[#@LINE-1]]:53: warning: this is a view of the array behind the braces
    data = x.contiguous().data_ptr<float>();
    // CHECK: :[[#@LINE-1]]:27: warning: data_ptr() is kept in 'data', which outlives the tensor it points into; only when 'x' is not contiguous
  }
};

const at::Tensor make();
static const at::Tensor constant(int64_t n) { return at::ones({n, n}); }

float accessor(int64_t n) {
  auto a = constant(n).accessor<float, 2>();
  // CHECK: :[[#@LINE-1]]:24: warning: accessor() points into a temporary, the result of constant()
  return a[0][0];
}

int64_t assignedVector() {
  at::IntArrayRef s;
  s = std::vector<int64_t>{2, 3};
  // CHECK: :[[#@LINE-1]]:7: warning: this is a view of a temporary std::vector
  return s[0];
}

float afterSet(at::Tensor x, const at::Tensor &y) {
  auto *p = x.data_ptr<float>();
  x.set_(y);
  return use(p);
  // CHECK: :[[#@LINE-1]]:10: warning: used after set_(): data_ptr() points to the memory the tensor had
}

float shrunk(int64_t n) {
  auto x = at::ones({n * 4});
  float *p = x.data_ptr<float>();
  x.resize_({n});
  return use(p);
}

float grown(int64_t n) {
  auto x = at::ones({n});
  float *p = x.data_ptr<float>();
  x.resize_({n * 4});
  return use(p);
  // CHECK: :[[#@LINE-1]]:10: warning: used after resize_(): data_ptr() points to the memory the tensor had; only when it grows
}

// The context of a local variable is the function's own.
struct LocalContext {
  at::Tensor tensor;
};
float *ofLocal() {
  LocalContext context;
  LocalContext *to = &context;
  to->tensor = at::empty({4, 4});
  return to->tensor.data_ptr<float>();
  // CHECK: pointers.cpp:[[#@LINE-1]]:3: warning: returns data_ptr() of a tensor that is gone when the function returns
  // CHECK: pointers.cpp:[[#@LINE-2]]:21: note: the pointer comes from here
}
