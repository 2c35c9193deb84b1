// RUN: %check %s --checks=-*,tensor-lost-write -- %runtime
// A variable that is another handle of a tensor is given a new one, and nothing reads it: what was to change has not. And what a
// called function gives is a copy that nothing but the write sees.

#include <tensortidy/torch.h>

using torch::Tensor;

void softUpdate(const std::vector<Tensor> &targets, const std::vector<Tensor> &online, double tau) {
  torch::NoGradGuard guard;
  for (size_t i = 0; i < targets.size(); ++i) {
    Tensor param = targets[i];
    param = tau * online[i] + (1.0 - tau) * param;
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: this assignment is lost: it changes only the handle, and the tensor that 'targets' holds stays as it was; nothing reads 'param' again [tensor-lost-write]
    // CHECK-MESSAGES: :[[#@LINE-2]]:5: note: 'param.copy_(...)' and other in-place operations write to the tensor itself
  }
}
void softUpdateInPlace(const std::vector<Tensor> &targets, const std::vector<Tensor> &online, double tau) {
  for (size_t i = 0; i < targets.size(); ++i) {
    Tensor param = targets[i];
    param.mul_(1.0 - tau).add_(tau * online[i]);
  }
}

struct Average {
  void lose(const Tensor &x) {
    auto mean = mean_;
    mean = 0.9 * mean + 0.1 * x;
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: this assignment is lost: it changes only the handle, and the tensor that 'mean_' holds stays as it was; nothing reads 'mean' again
  }
  void keep(const Tensor &x) {
    auto mean = mean_;
    mean = 0.9 * mean + 0.1 * x;
    mean_ = mean;
  }
  Tensor use(const Tensor &x) {
    auto mean = mean_;
    mean = mean.contiguous(); // only its layout
    auto scaled = mean_;
    scaled = scaled / x;
    return scaled;
  }
  // A handle of what a call has made is nobody else's.
  void fresh(const Tensor &x) {
    auto [values, places] = x.max(0);
    values = values + 1;
    auto parts = std::make_pair(x, x);
    parts.first = x + 1;
  }
  Tensor mean_;
};

// The table hands out copies of its parts.
class Table {
public:
  Table(int64_t rows, int64_t width) {
    TORCH_CHECK(rows > 1 && width > 0);
    data_ = torch::zeros({rows, 4 + width});
  }
  Tensor weights() const { return data_.slice(1, 4).contiguous(); }
  Tensor part() const { return data_.slice(1, 4); }
  const Tensor &data() const { return data_; }

private:
  Tensor data_;
};
void load(Table &table, const Tensor &w) {
  auto weights = table.weights();
  weights.copy_(w);
  // CHECK-MESSAGES: :[[#@LINE-1]]:11: warning: copy_() is lost: nothing reads 'weights', the copy of 'table.data_' that contiguous() makes
}
void loadUnnamed(Table &table, const Tensor &w) {
  table.weights().copy_(w);
  // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: copy_() is lost: nothing reads the copy of 'table.data_' that contiguous() makes
  // CHECK-MESSAGES: :[[#@LINE-2]]:19: note: 'table.data_' itself is not written: a view of it would be
}
void loadPart(Table &table, const Tensor &w) {
  table.part().copy_(w);
  auto part = table.part();
  part.copy_(w);
}
Tensor loadAndUse(Table &table, const Tensor &w) {
  auto weights = table.weights();
  weights.copy_(w);
  return weights;
}
