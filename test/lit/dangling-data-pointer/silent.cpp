// RUN: %silent %s --checks=-*,tensor-dangling-data-pointer -- %aten
// REQUIRES: libtorch
// No finding: somebody holds what is pointed into.

#include <ATen/ATen.h>
#include <vector>

float use(const float *p);
float useSizes(at::IntArrayRef s);
at::Tensor make();

float sameStatement(const at::Tensor &x) {
  float f = use(x.contiguous().data_ptr<float>());
  f += x.contiguous().data_ptr<float>()[0];
  f += useSizes(x.t().sizes());
  return f + useSizes({2, 3});
}

float named(const at::Tensor &x) {
  auto y = x.contiguous();
  const at::Tensor &z = x.clone();
  auto *p = y.data_ptr<float>(), *q = z.data_ptr<float>();
  if (p[0] > 0)
    return use(p);
  return use(q);
}

float viewOfLiving(const at::Tensor &x) {
  auto y = x.clone();
  auto *p = x.t().data_ptr<float>();
  auto *q = y.view({-1}).select(0, 1).data_ptr<float>();
  return use(p) + use(q);
}

float noCopy(const at::Tensor &x) {
  TORCH_CHECK(x.is_contiguous());
  auto y = at::zeros({2, 3});
  auto *p = x.contiguous().data_ptr<float>();
  auto *q = y.contiguous().view({6}).data_ptr<float>();
  return use(p) + use(q);
}

float noConversion() {
  auto y = at::zeros({2, 3});
  auto *p = y.to(at::kFloat).data_ptr<float>();
  return use(p);
}

float reassignedHolder(at::Tensor x, bool c) {
  if (c)
    x = x.contiguous();
  auto *p = x.data_ptr<float>();
  return use(p);
}

float heldByList(const at::Tensor &x) {
  std::vector<at::Tensor> keep;
  const float *p;
  {
    auto y = x.clone();
    p = y.data_ptr<float>();
    keep.push_back(y);
  }
  return use(p);
}

float copied(const at::Tensor &x) {
  std::vector<int64_t> s = x.t().sizes().vec();
  at::DimVector d(x.t().sizes());
  auto v = x.t().sizes().vec();
  int64_t n = x.t().sizes()[0];
  auto rank = x.t().sizes().size();
  return s[0] + d[0] + v[0] + n + rank;
}

float unknownOwner() {
  auto *p = make().data_ptr<float>();
  auto s = make().sizes();
  return use(p) + s[0];
}

float arms(const at::Tensor &x, bool c) {
  at::Tensor t = c ? x : x.contiguous();
  auto *p = t.data_ptr<float>();
  const float *q = p ? p : nullptr;
  return use(q);
}

float loop(const at::Tensor &x) {
  float f = 0;
  for (int i = 0; i < 3; ++i) {
    auto y = x[i].contiguous();
    auto *p = y.data_ptr<float>();
    f += use(p);
  }
  return f;
}

at::Tensor lists(const at::Tensor &a, const at::Tensor &b) {
  std::vector<at::Tensor> v = {a, b};
  at::TensorList l = v;
  std::vector<int64_t> n = {2, 3};
  at::IntArrayRef s(n);
  return at::cat(l).view(s);
}

float resizedBefore(at::Tensor x) {
  x.resize_({100});
  auto *p = x.data_ptr<float>();
  return use(p);
}

struct Holder {
  at::Tensor buffer;
  float *pointer = nullptr;
  float *fill(const at::Tensor &x) {
    buffer = x.clone();
    pointer = buffer.data_ptr<float>();
    return pointer;
  }
};

// A call that is followed ends its own temporaries, not those of the caller.
static float average(const at::Tensor &t) { return t.add(1).sum().item<float>(); }
float callInStatement(const at::Tensor &x) {
  return use(x.clone().data_ptr<float>()) + average(x) + *x.clone().data_ptr<float>();
}
float both(const float *p, float m);
float callAsArgument(const at::Tensor &x) {
  return both(x.clone().data_ptr<float>(), average(x));
}

static at::Tensor twice(const at::Tensor &t) { return t + t; }
static const float *pointer(const at::Tensor &t) { return t.data_ptr<float>(); }
float throughHelpers(const at::Tensor &x) {
  auto y = twice(x);
  auto *p = pointer(y);
  return use(p) + use(pointer(twice(x)));
}

float pointersAgain(at::Tensor x) {
  auto *p = x.data_ptr<float>();
  float f = use(p);
  for (int i = 1; i < 4; ++i) {
    x.resize_({100 * i});
    p = x.data_ptr<float>();
    f += use(p);
  }
  return f;
}

float rangeOfViews(const at::Tensor &x) {
  float f = 0;
  for (const auto &row : x.clone().unbind(0)) {
    auto *p = row.data_ptr<float>();
    f += use(p);
  }
  for (auto d : x.t().sizes().vec())
    f += d;
  for (auto d : std::vector<int64_t>(x.t().sizes().begin(), x.t().sizes().end()))
    f += d;
  return f;
}

struct List {
  at::IntArrayRef sizes;
  List(const std::initializer_list<int64_t> &l) : sizes(l) {}
};

struct Params {
  const float *data;
  const float *other;
};
float run(const Params &p);
float fieldsSetAnew(const at::Tensor &x) {
  auto y = x.clone();
  Params p{x.clone().data_ptr<float>(), nullptr};
  p.data = y.data_ptr<float>();
  return p.data[0] + use(p.data);
}

// As real kernels do: tensors of one block, pointers in the same.
void fill(Params &p, const at::Tensor &x) {
  p.data = x.data_ptr<float>();
  p.other = x.t().data_ptr<float>();
}

float compared(const at::Tensor &x) {
  auto *p = x.contiguous().data_ptr<float>();
  return p == x.data_ptr<float>();
}

at::Tensor grad(const at::Tensor &x) {
  auto *p = x.grad().data_ptr<float>();
  p[0] = 1;
  return x;
}

// What has been given another size is packed anew.
char *grown(at::Tensor &x, int64_t n) {
  x.resize_({n});
  return static_cast<char *>(x.contiguous().data_ptr());
}

// What a pointer from elsewhere points to is not the function's: a context that was handed through C.
struct Context {
  at::Tensor tensor;
};
void *allocated(void *memory) {
  auto *context = static_cast<Context *>(memory);
  context->tensor = at::empty({4, 4});
  return context->tensor.data_ptr();
}
Context *current();
float *ofCurrent() {
  Context *context = current();
  context->tensor = at::empty({4, 4});
  return context->tensor.data_ptr<float>();
}
float *ofHeap() {
  auto *context = new Context;
  context->tensor = at::empty({4, 4});
  return context->tensor.data_ptr<float>();
}
