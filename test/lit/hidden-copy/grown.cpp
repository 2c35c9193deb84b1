// RUN: %check %s --checks=-*,tensor-hidden-copy -- %runtime
// What a loop appends to and reads, where the room for all of it is known before.

#include <tensortidy/aten.h>
#include <vector>

struct Attention {
  at::Tensor wq, wk, wv;
  at::Tensor attend(const at::Tensor &x, const at::Tensor &k, const at::Tensor &v) const {
    return torch::softmax(x.mm(wq).mm(k.t()), -1).mm(v);
  }
  at::Tensor generate(const at::Tensor &prompt, const at::Tensor &start, int64_t steps) const {
    torch::NoGradGuard guard;
    TORCH_CHECK(start.dim() == 2 && start.size(0) == 1);
    auto k = prompt.mm(wk), v = prompt.mm(wv);
    auto x = start;
    for (int64_t i = 0; i < steps; ++i) {
      k = torch::cat({k, x.mm(wk)}, 0);
      // CHECK-MESSAGES: :[[#@LINE-1]]:18: warning: cat() copies all of 'k' again in every iteration: in a buffer that has room for all of it only what is new is written [tensor-hidden-copy]
      // CHECK-MESSAGES: :[[#@LINE-3]]:5: note: before this loop, allocate dimension 0 for 'steps' times 1 more, and copy into it what there is
      // CHECK-MESSAGES: :[[#@LINE-3]]:18: note: here, narrow(0, used, 1).copy_() writes into it; read narrow(0, 0, used + 1)
      v = torch::vstack({v, x.mm(wv)});
      // CHECK-MESSAGES: :[[#@LINE-1]]:18: warning: vstack() copies all of 'v' again
      x = attend(x, k, v);
    }
    return x;
  }
};
// Starts empty, leaves early, from the end; rows of a size that has a name.
at::Tensor decoded(at::Tensor x, const at::Tensor &w, int64_t heads, int64_t width, int64_t rows) {
  torch::NoGradGuard guard;
  auto cache = torch::zeros({heads, 0, width});
  for (int64_t i = 0; i < 128; ++i) {
    auto step = x.mm(w).view({heads, rows, width});
    cache = torch::cat({cache, step}, -2);
    // CHECK-MESSAGES: :[[#@LINE-1]]:20: warning: cat() copies all of 'cache' again
    // CHECK-MESSAGES: :[[#@LINE-4]]:3: note: before this loop, allocate dimension 1 for 128 times rows more
    x = torch::bmm(step, cache.transpose(1, 2)).sum({0});
    if (x.sum().item<float>() < 0)
      break;
  }
  return x;
}
// The first part is the start.
at::Tensor started(at::Tensor x, const at::Tensor &w, int64_t n) {
  torch::NoGradGuard guard;
  at::Tensor all;
  for (int64_t i = 0; i < n; ++i) {
    auto row = x.view({1, 8});
    if (!all.defined())
      all = row;
    else
      all = torch::cat({all, row}, 0);
    // CHECK-MESSAGES: :[[#@LINE-1]]:20: warning: cat() copies all of 'all' again
    x = all.mm(w).sum({0}, true);
  }
  return x;
}
