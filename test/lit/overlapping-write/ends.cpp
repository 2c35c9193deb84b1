// REQUIRES: libtorch
// RUN: %exits 1 %tensortidy %s --checks=-*,tensor-overlapping-write -- %torch | FileCheck %s --implicit-check-not=warning:
// Parts of one tensor, shifted, whose ends are numbers of unknown value: a write that succeeds has as many elements on both sides.

#include <torch/torch.h>

using torch::indexing::None;
using torch::indexing::Slice;

struct Replay {
  at::Tensor actions, rewards;
  int64_t length;

  // CHECK: :[[#@LINE+2]]:25: warning: copy_() writes its target while it reads an operand, the same memory shifted by 1; throws where both are dense, and the values are wrong where not, unless actions.size(1) - 1 is 1 [tensor-overlapping-write]
  void shift() {
    actions.slice(1, 1).copy_(actions.slice(1, 0, length - 1));
    rewards.slice(1, 1).copy_(rewards.slice(1, 0, length - 1).clone());
    actions.select(1, 0).zero_();
  }

  // Elements that lie ahead are read before they are overwritten, by one thread; rows that lie together are refused.
  // CHECK: :[[#@LINE+3]]:37: warning: copy_() writes its target while it reads an operand, the same memory shifted by 1; the values are wrong where several threads or a GPU write when 'actions' is contiguous, unless
  // CHECK: :[[#@LINE+3]]:37: warning: copy_() writes its target while it reads an operand, the same memory shifted by 1; throws when 'rewards' is contiguous, unless
  void drop() {
    actions.slice(1, 0, length - 1).copy_(actions.slice(1, 1));
    rewards.slice(0, 0, length - 1).copy_(rewards.slice(0, 1));
  }
};

void history(at::Tensor &x, const at::Tensor &now, int64_t n) {
  // CHECK: :[[#@LINE+1]]:20: warning: copy_() writes its target while it reads an operand, the same memory shifted by 1; throws where both are dense, and the values are wrong where not, unless min(n, x.size(0)) - 1 is 1 [tensor-overlapping-write]
  x.slice(0, 1, n).copy_(x.slice(0, 0, n - 1));
  x[0].copy_(now);
}

void columns(at::Tensor &x, int64_t n) {
  TORCH_CHECK(x.dim() == 2);
  // CHECK: :[[#@LINE+1]]:5: warning: index_put_() writes 'x' while it reads an operand, the same memory shifted by 1; throws where both are dense, and the values are wrong where not, unless
  x.index_put_({Slice(), Slice(1, n)}, x.index({Slice(), Slice(0, n - 1)}));
  // CHECK: :[[#@LINE+1]]:33: warning: copy_() writes its target while it reads an operand, the same memory shifted by 1; throws where both are dense, and the values are wrong where not, unless
  x.index({"...", Slice(1, n)}).copy_(x.index({"...", Slice(None, n - 1)}));
}

// One element goes to all of them, or next to it; a part goes far away, or by a number that is not known.
void legal(at::Tensor &x, int64_t n, int64_t m, int64_t k) {
  TORCH_CHECK(x.dim() == 2);
  x.slice(0, 1, n).copy_(x.slice(0, 0, 1));
  for (int64_t i = 1; i < n; ++i)
    x.slice(0, i, i + 1).copy_(x.slice(0, i - 1, i));
  x.slice(0, k, k + m).copy_(x.slice(0, 0, m));
  x.slice(1, 4, n).copy_(x.slice(1, 0, m));
  at::Tensor shifted = x.slice(0, 0, n - 1) * 2;
  x.slice(0, 1, n).copy_(shifted);
  x.index_put_({"...", Slice(1, n)}, x.index({"...", Slice(None, n - 1)}).clone());
}
