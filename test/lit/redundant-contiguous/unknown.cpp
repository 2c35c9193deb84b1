// RUN: %silent %s --checks=-*,tensor-redundant-contiguous -- %runtime
// No finding: layouts nobody knows.

#include <tensortidy/aten.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

at::Tensor parameter(const at::Tensor &x) { return x.contiguous(); }

at::Tensor sum(const at::Tensor &x) { return (x + 1).contiguous(); }

// With [a, 1] broadcast over it, 'x' decides the layout.
at::Tensor broadcast(const at::Tensor &x, int64_t a) { return (torch::zeros({a, 1}) + x).contiguous(); }

at::Tensor converted(const at::Tensor &x) {
  auto y = x.to(at::kFloat);
  return y.contiguous() + x.clone().contiguous() + torch::zeros_like(x).contiguous();
}

at::Tensor viewed(const at::Tensor &x) { return x.view({-1, 3}).contiguous(); }

// A reshape that needs no copy keeps the strides it finds.
at::Tensor reshaped(const at::Tensor &x) { return x.reshape({-1, 3}).contiguous(); }

at::Tensor flattened(const at::Tensor &x) { return x.flatten().contiguous(); }

at::Tensor row(const at::Tensor &x) { return x[0].contiguous(); }

at::Tensor turnedParameter(const at::Tensor &x) { return x.t().contiguous(); }

at::Tensor element(const std::vector<at::Tensor> &xs) { return xs[0].contiguous(); }

at::Tensor lookup(std::map<std::string, at::Tensor> &xs) { return xs["w"].contiguous(); }

at::Tensor make();
at::Tensor made() { return make().contiguous(); }

void change(at::Tensor &x);
at::Tensor changed(const at::Tensor &x) {
  auto y = x.contiguous();
  change(y);
  return y.contiguous();
}

// Two names, perhaps one tensor.
at::Tensor mayAlias(const at::Tensor &x, at::Tensor y) {
  TORCH_CHECK(x.is_contiguous());
  y.t_();
  return x.contiguous();
}

struct Layer {
  at::Tensor weight;
  void update();
  at::Tensor dense() { return weight.contiguous(); }
  at::Tensor afterUpdate() {
    weight = weight.contiguous();
    update();
    return weight.contiguous();
  }
};

void other();
at::Tensor global;
at::Tensor ofGlobal() {
  if (!global.is_contiguous())
    global = global.contiguous();
  other();
  return global.contiguous();
}

at::Tensor swapped(at::Tensor x) {
  auto y = torch::zeros({3, 4});
  std::swap(x, y);
  return y.contiguous();
}

at::Tensor captured(const at::Tensor &x) {
  auto y = x.contiguous();
  auto turn = [&] { y = y.t(); };
  turn();
  return y.contiguous();
}

template <typename Fn> void apply(Fn &&fn) { fn(); }

at::Tensor capturedAndPassed(const at::Tensor &x) {
  auto y = x.contiguous();
  apply([&y] { y = y.t(); });
  return y.contiguous();
}

at::Tensor throughPointer(const at::Tensor &x) {
  auto y = x.contiguous();
  at::Tensor *p = &y;
  *p = x;
  return y.contiguous();
}

at::Tensor relaid(const at::Tensor &x) {
  auto y = torch::zeros({3, 4});
  y.set_(x);
  return y.contiguous();
}

at::Tensor unknownFormat(const at::Tensor &x, at::MemoryFormat format) {
  auto y = x.contiguous(format);
  return y.contiguous();
}

at::Tensor toUnknownFormat(int64_t a, int64_t b, at::MemoryFormat format) {
  return torch::zeros({a, b, 3, 4}).contiguous(format);
}

at::Tensor unknownOptions(at::TensorOptions options) {
  return torch::empty({2, 3, 4, 5}, options).contiguous();
}

at::Tensor unknownDims(int64_t a, int64_t b, int64_t d) {
  return torch::zeros({a, b}).transpose(0, d).contiguous();
}

at::Tensor cachedAcrossCalls(bool turn) {
  static at::Tensor cache = torch::zeros({3, 4});
  auto y = cache.contiguous();
  if (turn)
    cache.t_();
  return y;
}
