// RUN: %silent %s --checks=-*,tensor-allocation-in-loop -- %runtime
// No finding: shape or value depends on the iteration.

#include <tensortidy/aten.h>

#include <vector>

at::Tensor counter(at::Tensor x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    auto mask = torch::ones({i});
    x = x + mask.sum();
  }
  return x;
}

at::Tensor value(at::Tensor x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    auto bias = torch::full({4}, double(i));
    x = x + bias;
  }
  return x;
}

at::Tensor throughLocals(at::Tensor x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const int64_t rows = 2 * i + 1;
    const int64_t area = rows * rows;
    auto mask = torch::ones({area});
    x = x + mask.sum();
  }
  return x;
}

at::Tensor shrinking(at::Tensor x, int64_t n) {
  while (n > 1) {
    auto mask = torch::ones({n});
    x = x + mask.sum();
    n /= 2;
  }
  return x;
}

at::Tensor throughReference(at::Tensor x, int64_t n) {
  int64_t size = 1;
  int64_t &alias = size;
  for (int64_t i = 0; i < n; ++i) {
    auto mask = torch::ones({size});
    x = x + mask.sum();
    ++alias;
  }
  return x;
}

at::Tensor throughPointer(at::Tensor x, int64_t n) {
  int64_t size = 1;
  int64_t *p = &size;
  for (int64_t i = 0; i < n; ++i) {
    auto mask = torch::ones({size});
    x = x + mask.sum();
    *p += 1;
  }
  return x;
}

at::Tensor throughLambda(at::Tensor x, int64_t n) {
  int64_t size = 1;
  auto grow = [&] { size *= 2; };
  for (int64_t i = 0; i < n; ++i) {
    auto mask = torch::ones({size});
    x = x + mask.sum();
    grow();
  }
  return x;
}

void next(int64_t &size);
int64_t draw();

at::Tensor throughCall(at::Tensor x, int64_t n) {
  int64_t size = 1;
  for (int64_t i = 0; i < n; ++i) {
    next(size);
    auto mask = torch::ones({size});
    auto other = torch::ones({draw()});
    x = x + mask.sum() + other.sum();
  }
  return x;
}

at::Tensor throughSizes(at::Tensor x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    auto ones = torch::ones(x.sizes());
    x = torch::matmul(x, ones.t());
  }
  return x;
}

at::Tensor throughSize(at::Tensor x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    auto ones = torch::ones({x.size(0)});
    x = (x + ones).unsqueeze(0);
  }
  return x;
}

at::Tensor perElement(const std::vector<at::Tensor> &xs) {
  auto total = torch::zeros({1});
  for (const auto &x : xs) {
    auto ones = torch::ones_like(x);
    auto same = torch::ones({x.size(0)});
    auto type = torch::ones({3}, x.options());
    auto copy = x.t().contiguous();
    total = total + (x - ones).sum() + same.sum() + type.sum() + copy.sum();
  }
  return total;
}

at::Tensor indexed(const at::Tensor &x, int64_t n) {
  auto total = torch::zeros({1});
  for (int64_t i = 0; i < n; ++i) {
    auto row = x[i].t().contiguous();
    auto column = x.select(1, i).clone();
    total = total + row.sum() + column.sum();
  }
  return total;
}

at::Tensor growing(at::Tensor x, int64_t n) {
  std::vector<int64_t> shape = {1};
  for (int64_t i = 0; i < n; ++i) {
    auto ones = torch::ones(shape);
    x = x + ones;
    shape.push_back(2);
  }
  return x;
}

at::Tensor alternating(at::Tensor x, int64_t n) {
  int64_t size = 4;
  for (int64_t i = 0; i < n; ++i) {
    auto ones = torch::ones({size});
    x = x + ones.sum();
    size = size == 4 ? 8 : 4;
  }
  return x;
}

at::Tensor otherType(at::Tensor x, int64_t n) {
  auto dtype = at::kFloat;
  for (int64_t i = 0; i < n; ++i) {
    auto ones = torch::ones({4}, dtype);
    x = x + ones;
    dtype = at::kDouble;
  }
  return x;
}

struct Layer {
  int64_t size;
  at::Tensor weight;
  void update();
  at::Tensor run(at::Tensor x, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      auto ones = torch::ones({size});
      auto copy = weight.t().contiguous();
      x = x + ones + copy.sum();
      update(); // may change size and weight
    }
    return x;
  }
};

// The weights are written in the loop.
at::Tensor trained(at::Tensor w, const at::Tensor &grad, int64_t n) {
  auto total = torch::zeros({1});
  for (int64_t i = 0; i < n; ++i) {
    auto wt = w.t().contiguous();
    total = total + wt.sum();
    w.sub_(grad);
  }
  return total;
}

at::Tensor trainedThroughView(at::Tensor w, int64_t n) {
  auto row = w[0];
  auto total = torch::zeros({1});
  for (int64_t i = 0; i < n; ++i) {
    auto wt = w.t().contiguous();
    total = total + wt.sum();
    row.add_(1);
  }
  return total;
}

void step();

// An optimiser writes the weights behind an opaque call.
at::Tensor trainedElsewhere(const at::Tensor &w, int64_t n) {
  auto total = torch::zeros({1});
  for (int64_t i = 0; i < n; ++i) {
    auto wt = w.t().contiguous();
    total = total + wt.sum();
    step();
  }
  return total;
}

at::Tensor floating(at::Tensor x, int64_t n) {
  double value = 1;
  for (int64_t i = 0; i < n; ++i) {
    auto decay = torch::full({8}, -value * 0.5);
    x = x + decay;
    value *= 0.9;
  }
  return x;
}
