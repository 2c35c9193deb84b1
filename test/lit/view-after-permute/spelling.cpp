// RUN: not %tensortidy --checks=-*,tensor-view-after-permute %s -- %runtime | FileCheck %s --implicit-check-not=warning:
// Free functions, both namespaces, aliases, lambdas, members, templates.

#include <tensortidy/aten.h>

torch::Tensor freeFunctions(int64_t a, int64_t b) {
  torch::Tensor x = at::zeros({a, b});
  torch::Tensor y = torch::transpose(x, 0, 1);
  return y.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
}

at::Tensor atFunctions(int64_t a, int64_t b) {
  return at::permute(at::ones({a, b}), {1, 0}).view({a * b});
  // CHECK: :[[#@LINE-1]]:48: warning: view({{.*}}) cannot merge dimensions 0 and 1{{.*}} [tensor-view-after-permute]
}

namespace th = torch;
using Tensor = torch::Tensor;

Tensor aliases(int64_t a, int64_t b) {
  const Tensor x = th::zeros({a, b});
  const Tensor &y = x.t();
  return y.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
}

Tensor inLambda(int64_t a, int64_t b) {
  auto turn = [=] {
    auto y = torch::zeros({a, b}).t();
    return y.view(-1);
    // CHECK: :[[#@LINE-1]]:14: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
  };
  return turn();
}

struct Layer {
  Tensor forward(int64_t a, int64_t b) {
    auto y = torch::zeros({a, b}).t();
    return y.view(-1);
    // CHECK: :[[#@LINE-1]]:14: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
  }
};

template <typename Index> Tensor inTemplate(Index a, Index b) {
  auto y = torch::zeros({a, b}).t();
  return y.view(-1);
  // CHECK: :[[#@LINE-1]]:12: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
}
template Tensor inTemplate<int64_t>(int64_t, int64_t);

#define FLATTEN(x) (x).view(-1)

Tensor inMacro(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  return FLATTEN(y);
  // CHECK: :[[#@LINE-1]]:{{[0-9]+}}: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
}

auto trailing(int64_t a, int64_t b) -> Tensor {
  if (auto y = torch::zeros({a, b}).t(); y.defined())
    return y.view(-1);
  // CHECK: :[[#@LINE-1]]:14: warning: view({{.*}}-1{{.*}}) cannot merge dimensions 0 and 1 of 'y'{{.*}} [tensor-view-after-permute]
  return {};
}

// A cast between runs no lambda: 'y' is what it was.
at::Tensor castBetween(int64_t a, int64_t b, int *flags) {
  auto y = torch::zeros({a, b}).t();
  auto pack = [&] { y = y.contiguous(); };
  void *raw = static_cast<void *>(flags);
  if (raw)
    return y.view(-1);
  // CHECK: :[[#@LINE-1]]:14: warning: view({-1}) cannot merge dimensions 0 and 1 of 'y'
  pack();
  return y.view(-1);
}
