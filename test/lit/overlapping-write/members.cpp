// REQUIRES: libtorch
// RUN: %check %s --checks=-*,tensor-overlapping-write -- %torch
// One row of a member that is one row expanded.

#include <torch/torch.h>

class World {
public:
  World(int64_t worlds, int64_t width) : worlds_(worlds), width_(width) {
    auto blank = torch::zeros({width_});
    state_ = blank.unsqueeze(0).expand({worlds_, width_});
    own_ = blank.unsqueeze(0).expand({worlds_, width_}).clone(torch::MemoryFormat::Contiguous);
  }
  void reset(int64_t i, const torch::Tensor &start) {
    state_.select(0, i).copy_(start);
    // CHECK-MESSAGES: :[[#@LINE-1]]:25: warning: copy_() writes at one index of 'state_', of which a dimension of size worlds_ has stride 0; {{.*}} unless worlds_ is 1
    own_.select(0, i).copy_(start);
  }
  void resetFirst(const torch::Tensor &start) {
    own_[0].copy_(start);
    state_[0].copy_(start);
    // CHECK-MESSAGES: :[[#@LINE-1]]:15: warning: copy_() writes at one index of 'state_', of which a dimension of size worlds_ has stride 0;
  }
  torch::Tensor observe() const { return state_; }

private:
  int64_t worlds_, width_;
  torch::Tensor state_, own_;
};
