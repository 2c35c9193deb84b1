// RUN: %check %s --checks=-*,tensor-shape-mismatch -- %runtime
// Checks that got their text alone, and types that an index keeps.

#include <tensortidy/aten.h>

#include <cassert>

at::Tensor attend(const at::Tensor &q, const at::Tensor &bias, bool nested) {
  if (nested && bias.defined()) {
    TORCH_CHECK("a bias is not supported with nested tensors");
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: this check always holds: its text is its condition [tensor-shape-mismatch]
  }
  TORCH_CHECK(q.dim() == 4, "q must be [batch, heads, tokens, size]");
  assert(q.dim() == 4 && "q must have four dimensions");
  if (q.size(0) == 0)
    TORCH_CHECK(false, "no batch");
  return q + bias;
}

class Experts {
public:
  explicit Experts(const std::vector<int64_t> &physical) { table = at::tensor(physical); }
  const int *ids(const at::Tensor &logical, std::vector<at::Tensor> &keep) const {
    keep.push_back(table.index_select(0, logical.flatten()));
    return keep.back().data_ptr<int>();
  }
  void count(const at::Tensor &logical, std::vector<int> &counts) const {
    auto chosen = table.index_select(0, logical.flatten());
    const int *at = chosen.data_ptr<int>();
    // CHECK-MESSAGES: :[[#@LINE-1]]:28: warning: data_ptr() asks for int32, 'chosen' has int64; throws
    for (int64_t i = 0; i < chosen.numel(); ++i)
      ++counts[at[i]];
  }

private:
  at::Tensor table;
};
