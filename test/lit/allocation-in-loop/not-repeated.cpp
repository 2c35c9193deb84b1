// RUN: %silent %s --checks=-*,tensor-allocation-in-loop -- %runtime
// No finding: not an allocation each iteration repeats.

#include <tensortidy/aten.h>

#include <vector>

at::Tensor random(at::Tensor x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    auto noise = torch::randn({8});
    auto other = torch::rand({8});
    auto like = torch::rand_like(noise);
    x = x + noise + other + like;
    auto order = torch::randperm(8);
    x = x.index_select(0, order.slice(0, 0, 4)) + torch::randperm(4, torch::kInt);
  }
  return x;
}

at::Tensor lazy(at::Tensor x, int64_t n) {
  at::Tensor mask;
  for (int64_t i = 0; i < n; ++i) {
    if (!mask.defined())
      mask = torch::ones({8});
    x = x * mask;
  }
  return x;
}

at::Tensor firstTime(at::Tensor x, int64_t n) {
  at::Tensor mask;
  for (int64_t i = 0; i < n; ++i) {
    if (i == 0)
      mask = torch::ones({8});
    x = x * mask;
  }
  return x;
}

at::Tensor whenGrown(at::Tensor x, const std::vector<int64_t> &sizes) {
  at::Tensor mask = torch::ones({1});
  for (int64_t size : sizes) {
    if (mask.numel() < size)
      mask = torch::ones({size});
    x = x + mask.sum();
  }
  return x;
}

at::Tensor staticLocal(at::Tensor x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    static const auto mask = torch::ones({8});
    static thread_local at::Tensor bias = torch::ones({8});
    x = x * mask + bias;
  }
  return x;
}

at::Tensor once(at::Tensor x) {
  do {
    auto mask = torch::ones({8});
    x = x * mask;
  } while (false);
  return x;
}

#define RUN_ONCE(statement)                                                                                            \
  do {                                                                                                                 \
    statement;                                                                                                         \
  } while (0)

at::Tensor onceInMacro(at::Tensor x) {
  RUN_ONCE(auto mask = torch::ones({8}); x = x * mask);
  return x;
}

at::Tensor leavesAtOnce(at::Tensor x) {
  while (true) {
    auto mask = torch::ones({8});
    x = x * mask;
    break;
  }
  for (;;) {
    auto mask = torch::ones({8});
    return x * mask;
  }
}

at::Tensor onceByCount(at::Tensor x) {
  for (int i = 0; i < 1; ++i) {
    auto mask = torch::ones({8});
    x = x * mask;
  }
  return x;
}

// Rarely, not in every iteration.
at::Tensor sometimes(at::Tensor x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    if (i % 100 == 0) {
      auto mask = torch::ones({8});
      x = x * mask;
    }
  }
  return x;
}

at::Tensor beforeReturn(at::Tensor x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    if (x.dim() > i) {
      auto mask = torch::ones({8});
      return x * mask;
    }
    x = x.unsqueeze(0);
  }
  return x;
}

at::Tensor beforeThrow(at::Tensor x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    if (x.dim() > i) {
      auto zero = torch::zeros({8});
      TORCH_CHECK(false, zero.sum().item<double>());
    }
    x = x.unsqueeze(0);
  }
  return x;
}

// Outside the loop, or in its header.
at::Tensor header(at::Tensor x, int64_t n) {
  auto mask = torch::ones({8});
  int64_t i = 0;
  for (auto bias = torch::ones({8}); i < n; ++i)
    x = x * mask + bias;
  return x;
}

at::Tensor rangeOfFor(at::Tensor x) {
  for (const auto &part : torch::ones({8, 4}).unbind(0))
    x = x + part;
  return x;
}

// In a lambda that is only made here.
std::vector<at::Tensor> inLambda(at::Tensor x, int64_t n) {
  std::vector<at::Tensor> out;
  auto make = [] { return torch::ones({8}); };
  for (int64_t i = 0; i < n; ++i)
    out.push_back(make() * x);
  return out;
}

// Views allocate nothing.
at::Tensor views(at::Tensor x, const at::Tensor &w, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    auto wt = w.t();
    auto wide = w.unsqueeze(0).expand({4, -1, -1});
    auto flat = w.view(-1);
    auto same = w.detach();
    x = x + wt.sum() + wide.sum() + flat.sum() + same.sum();
  }
  return x;
}

// Perhaps no copy at all.
at::Tensor perhaps(at::Tensor x, const at::Tensor &w, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    auto dense = w.contiguous();
    auto real = w.to(at::kFloat);
    auto flat = w.reshape({-1});
    x = x + dense.sum() + real.sum() + flat.sum();
  }
  return x;
}

at::Tensor surelyNoCopy(at::Tensor x, int64_t n) {
  auto w = torch::ones({8, 8});
  for (int64_t i = 0; i < n; ++i) {
    auto flat = w.reshape({64});
    auto same = w.to(at::kFloat);
    x = x + flat.sum() + same.sum();
  }
  return x;
}

at::Tensor borrowed(at::Tensor x, float *data, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    auto y = torch::from_blob(data, {8});
    x = x + y;
  }
  return x;
}

at::Tensor eitherArm(at::Tensor x, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    x = x + (i % 7 == 0 ? torch::ones({8}) : x);
  return x;
}

at::Tensor shortCircuit(at::Tensor x, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    if (i > 100 && torch::ones({8}).sum().item<double>() > x.dim())
      x = x * 2;
  return x;
}

at::Tensor inSwitch(at::Tensor x, const std::vector<int> &steps) {
  for (int step : steps)
    switch (step) {
    case 0:
      x = x * torch::ones({8});
      break;
    default:
      x = x * 2;
    }
  return x;
}

at::Tensor inHandler(at::Tensor x, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    try {
      x = x.view({8});
    } catch (...) {
      x = torch::zeros({8});
    }
  return x;
}
