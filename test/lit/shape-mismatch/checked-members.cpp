// REQUIRES: libtorch
// RUN: %exits 1 %tensortidy %s --checks=-*,tensor-shape-mismatch -- %torch | FileCheck %s --implicit-check-not=warning:
// What the constructor checks of a tensor that it is given holds in the methods.

#include <torch/torch.h>
#include <utility>

struct BankConfig {
  int64_t classes = 0, width = 0, rope = 0;
};

class Bank {
public:
  Bank(BankConfig cfg, torch::Tensor rows) : cfg_(cfg), rows_(std::move(rows)) {
    TORCH_CHECK(rows_.dim() == 2 && rows_.size(0) == cfg_.classes && rows_.size(1) == cfg_.width + cfg_.rope, "unexpected rows");
  }
  torch::Tensor keys() const {
    // CHECK: :[[#@LINE+1]]:18: warning: split_with_sizes({cfg_.width, cfg_.width, cfg_.rope}, 1): sizes sum to {{.*}}, the dimension has cfg_.rope + cfg_.width; throws unless
    return rows_.split_with_sizes({cfg_.width, cfg_.width, cfg_.rope}, 1)[0];
  }
  torch::Tensor values() const { return rows_.split_with_sizes({cfg_.width, cfg_.rope}, 1)[0]; }
  torch::Tensor scores(const torch::Tensor &x) const {
    // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warning: view({cfg_.classes, cfg_.width}){{.*}}throws unless
    return torch::matmul(x, rows_.t()) + rows_.view({cfg_.classes, cfg_.width}).sum();
  }

private:
  BankConfig cfg_;
  torch::Tensor rows_;
};

// Others may give it another one.
class Pool {
public:
  Pool(BankConfig cfg, torch::Tensor rows) : cfg_(cfg), rows_(std::move(rows)) {
    TORCH_CHECK(rows_.dim() == 2 && rows_.size(1) == cfg_.width + cfg_.rope, "unexpected rows");
  }
  void drop() { rows_ = rows_.narrow(1, 0, cfg_.width); }
  torch::Tensor parts() const { return rows_.split_with_sizes({cfg_.width, cfg_.width, cfg_.rope}, 1)[0]; }

private:
  BankConfig cfg_;
  torch::Tensor rows_;
};
