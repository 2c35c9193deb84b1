// RUN: %silent %s --checks=-*,tensor-view-after-permute -- %runtime
// No finding: layouts nobody knows.

#include <tensortidy/aten.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

at::Tensor parameter(const at::Tensor &x) { return x.view(-1); }

at::Tensor parameterMerged(at::Tensor x, int64_t a, int64_t b) { return x.view({a * b, -1}); }

at::Tensor element(const std::vector<at::Tensor> &xs) { return xs[0].view(-1); }

at::Tensor lookup(std::map<std::string, at::Tensor> &xs) { return xs["w"].view({-1, 3}); }

struct Layer {
  at::Tensor weight;
  std::vector<at::Tensor> parts;
  at::Tensor flat() { return weight.view(-1); }
  at::Tensor flatPart(int i) { return parts[i].view(-1); }
  void turn() { weight = weight.t(); }
};

at::Tensor make();
at::Tensor result() { return make().view(-1); }

at::Tensor global;
at::Tensor ofGlobal() { return global.view(-1); }

// An unknown function between the two may change the tensor.
void change(at::Tensor &x);
at::Tensor changed(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  change(y);
  return y.view(-1);
}

at::Tensor replaced(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  y = make();
  return y.view(-1);
}

void changePointer(at::Tensor *x);
at::Tensor changedThroughPointer(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  changePointer(&y);
  return y.view(-1);
}

at::Tensor swapped(const at::Tensor &dense) {
  auto x = torch::zeros({3, 4}).t();
  auto y = dense;
  std::swap(x, y);
  return x.view(-1);
}

at::Tensor captured(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  auto fix = [&] { y = y.contiguous(); };
  fix();
  return y.view(-1);
}

at::Tensor capturedByName(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  auto fix = [&y](bool now) {
    if (now)
      y = y.reshape({-1});
  };
  fix(true);
  return y.view(-1);
}

template <typename Fn> void apply(Fn &&fn) { fn(); }

at::Tensor capturedAndPassed(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  apply([&] { y = y.contiguous(); });
  return y.view(-1);
}

at::Tensor throughPointer(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  at::Tensor *p = &y;
  *p = torch::zeros({a, b});
  return y.view(-1);
}

at::Tensor inContainer(int64_t a, int64_t b) {
  std::vector<at::Tensor> xs = {torch::zeros({a, b}).t()};
  for (auto &x : xs)
    x = x.contiguous();
  return xs[0].view(-1);
}

at::Tensor inPair(int64_t a, int64_t b) {
  std::pair<at::Tensor, at::Tensor> p(torch::zeros({a, b}).t(), torch::zeros({a, b}));
  std::swap(p.first, p.second);
  return p.first.view(-1);
}

at::Tensor outParameter(at::Tensor &out, int64_t a, int64_t b) {
  out = torch::zeros({a, b}).t();
  at::Tensor other = torch::zeros({a, b});
  out = other;
  return out.view(-1);
}

struct Holder {
  at::Tensor x;
  void reset();
  at::Tensor use(int64_t a, int64_t b) {
    x = torch::zeros({a, b}).t();
    reset();
    return x.view(-1);
  }
};

// Sizes that only the caller knows may make any view legal.
at::Tensor unknownShape(const at::Tensor &x, at::IntArrayRef shape) {
  return x.transpose(0, 1).view(shape);
}

at::Tensor unknownDims(const at::Tensor &x, int64_t d0, int64_t d1) {
  return x.transpose(d0, d1).view(-1);
}

at::Tensor unknownPermutation(int64_t a, int64_t b, const std::vector<int64_t> &dims) {
  return torch::zeros({a, b}).permute(dims).view(-1);
}
