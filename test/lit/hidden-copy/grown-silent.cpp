// RUN: %silent %s --checks=-*,tensor-hidden-copy -- %runtime
// Tensors that grow and are read, where no buffer can be said to do.

#include <tensortidy/aten.h>
#include <vector>

at::Tensor next(const at::Tensor &tokens);
void show(at::Tensor all);

// The graph has each of them.
at::Tensor trained(const at::Tensor &start, const at::Tensor &w, int64_t n) {
  auto all = torch::zeros({0, 8});
  auto x = start.view({1, 8});
  for (int64_t i = 0; i < n; ++i) {
    all = torch::cat({all, x.mm(w).view({1, 8})}, 0);
    x = all.mm(w).sum({0}, true);
  }
  return x;
}
// Nobody knows how often; how many rows; a few.
at::Tensor open(at::Tensor x, const at::Tensor &w, const std::vector<at::Tensor> &parts) {
  torch::NoGradGuard guard;
  auto all = torch::zeros({0, 8}), rows = all, few = all;
  while (x.sum().item<float>() > 0) {
    all = torch::cat({all, x.view({1, 8})}, 0);
    x = all.mm(w).sum({0}, true);
  }
  for (int64_t i = 0; i < 64; ++i) {
    rows = torch::cat({rows, parts[i]}, 0);
    x = x + rows.mm(w).sum({0}, true);
  }
  for (int64_t i = 0; i < 2; ++i) {
    few = torch::cat({few, x.view({1, 8})}, 0);
    x = x + few.mm(w).sum({0}, true);
  }
  return x;
}
// More of them in each iteration.
at::Tensor longer(const at::Tensor &x, const at::Tensor &w, int64_t n) {
  torch::NoGradGuard guard;
  auto all = torch::zeros({0, 8}), sum = torch::zeros({1, 8});
  for (int64_t i = 1; i < n; ++i) {
    all = torch::cat({all, x.narrow(0, 0, i).mm(w)}, 0);
    sum = sum + all.mm(w).sum({0}, true);
  }
  return sum;
}
// The last few, or others after all; not in each iteration.
at::Tensor window(at::Tensor x, const at::Tensor &w, int64_t n) {
  torch::NoGradGuard guard;
  auto last = torch::zeros({4, 8}), some = torch::zeros({0, 8});
  for (int64_t i = 0; i < n; ++i) {
    last = torch::cat({last, x.view({1, 8})}, 0);
    last = last.narrow(0, 1, 4);
    x = last.mm(w).sum({0}, true);
    if (i % 2 == 0)
      some = torch::cat({some, x.view({1, 8})}, 0);
    x = x + some.mm(w).sum({0}, true);
  }
  return x;
}
at::Tensor guarded(at::Tensor x, const at::Tensor &w, int64_t n) {
  at::Tensor all;
  {
    torch::NoGradGuard guard;
    all = torch::zeros({0, 8});
  }
  for (int64_t i = 0; i < n; ++i) {
    all = torch::cat({all, x.view({1, 8})}, 0);
    x = all.mm(w).sum({0}, true);
  }
  return x;
}
// Two ways to go on, of which one is longer.
at::Tensor branches(at::Tensor x, const at::Tensor &w, int64_t n) {
  torch::NoGradGuard guard;
  at::Tensor all = torch::zeros({0, 8});
  for (int64_t i = 0; i < n; ++i) {
    if (i % 7 == 0)
      all = torch::zeros({i, 8});
    else
      all = torch::cat({all, x.view({1, 8})}, 0);
    x = all.mm(w).sum({0}, true);
  }
  return x;
}
// Each is kept, shown, or written.
std::vector<at::Tensor> kept(at::Tensor x, const at::Tensor &w, int64_t n) {
  torch::NoGradGuard guard;
  std::vector<at::Tensor> each;
  auto a = torch::zeros({0, 8}), b = a, c = a;
  for (int64_t i = 0; i < n; ++i) {
    a = torch::cat({a, x.view({1, 8})}, 0);
    each.push_back(a);
    b = torch::cat({b, x.view({1, 8})}, 0);
    show(b);
    c = torch::cat({c, x.view({1, 8})}, 0);
    c.mul_(0.5);
    x = a.mm(w).sum({0}, true) + b.sum({0}, true) + c.sum({0}, true);
  }
  return each;
}
// Before what there is.
at::Tensor reversed(at::Tensor x, const at::Tensor &w, int64_t n) {
  torch::NoGradGuard guard;
  auto all = torch::zeros({0, 8});
  for (int64_t i = 0; i < n; ++i) {
    all = torch::cat({x.view({1, 8}), all}, 0);
    x = all.mm(w).sum({0}, true);
  }
  return x;
}
// The model may keep them.
at::Tensor tokens(at::Tensor ids, int64_t n) {
  torch::NoGradGuard guard;
  for (int64_t i = 0; i < n; ++i)
    ids = torch::cat({ids, next(ids).view({1, 1})}, 1);
  return ids;
}

// The words so far: a few bytes for each iteration.
at::Tensor words(const at::Tensor &prompt, const at::Tensor &w, int64_t n) {
  TORCH_CHECK(prompt.dim() == 2 && prompt.scalar_type() == at::kLong);
  torch::NoGradGuard guard;
  auto tokens = prompt;
  for (int64_t i = 0; i < n; ++i) {
    auto next = at::argmax(tokens.to(at::kFloat).mm(w), 1, true);
    tokens = at::cat({tokens, next}, 1);
  }
  return tokens;
}
