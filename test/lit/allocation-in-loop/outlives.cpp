// RUN: %silent %s --checks=-*,tensor-allocation-in-loop -- %runtime
// No finding: the tensor outlives its iteration.

#include <tensortidy/aten.h>

#include <functional>
#include <map>
#include <utility>
#include <vector>

void pushed(std::vector<at::Tensor> &out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    auto y = torch::zeros({8});
    out.push_back(y);
  }
}

void emplaced(std::vector<at::Tensor> &out, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    out.emplace_back(torch::zeros({8}));
}

void stored(std::vector<at::Tensor> &out, std::map<int64_t, at::Tensor> &table) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = torch::zeros({8});
    table[int64_t(i)] = torch::ones({8});
  }
}

// A view keeps the storage.
void viewPushed(std::vector<at::Tensor> &out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    auto y = torch::zeros({8, 8});
    auto row = y.select(0, 0).view({2, 4});
    out.push_back(row.detach());
  }
}

at::Tensor returned(int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    auto y = torch::zeros({8});
    if (i == 3)
      return y;
  }
  return {};
}

at::Tensor assigned(const at::Tensor &x, int64_t n) {
  at::Tensor best;
  for (int64_t i = 0; i < n; ++i) {
    auto y = torch::zeros({8});
    if (x[i].item<double>() > 0)
      best = y;
  }
  return best;
}

at::Tensor assignedView(int64_t n) {
  at::Tensor last;
  for (int64_t i = 0; i < n; ++i) {
    auto y = torch::ones({8, 8});
    last = y.t();
  }
  return last;
}

at::Tensor perhapsSame(int64_t n) {
  at::Tensor last;
  for (int64_t i = 0; i < n; ++i) {
    auto y = torch::ones({8, 8});
    last = y.contiguous(); // y itself
  }
  return last;
}

void moved(std::vector<at::Tensor> &out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    auto y = torch::zeros({8});
    out.push_back(std::move(y));
  }
}

at::Tensor swapped(at::Tensor x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    auto next = torch::empty({8});
    next.copy_(x);
    std::swap(x, next);
  }
  return x;
}

// The copy may be the buffer itself, when one side is 1.
at::Tensor blur(at::Tensor x, int64_t h, int64_t w) {
  for (int pass = 0; pass < 2; ++pass) {
    auto row = torch::empty({h, w});
    row.copy_(x);
    x = row.t().contiguous().t();
  }
  return x;
}

struct Sink {
  at::Tensor last;
  void run(int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      auto y = torch::zeros({8});
      last = y;
    }
  }
};

void keep(at::Tensor x);
void keepReference(const at::Tensor &x);

void passed(int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    auto y = torch::zeros({8});
    keep(y);
    auto z = torch::zeros({8});
    keepReference(z);
  }
}

void captured(std::vector<std::function<at::Tensor()>> &out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    auto y = torch::zeros({8});
    out.push_back([y] { return y; });
  }
}

void pointer(std::vector<float *> &out, int64_t n) {
  static std::vector<at::Tensor> owner;
  for (int64_t i = 0; i < n; ++i) {
    auto y = torch::zeros({8});
    out.push_back(y.data_ptr<float>());
    owner.push_back(y);
  }
}

at::Tensor listOfParts(int64_t n) {
  std::vector<at::Tensor> all;
  for (int64_t i = 0; i < n; ++i) {
    std::vector<at::Tensor> parts = {torch::ones({2}), torch::zeros({2})};
    all.insert(all.end(), parts.begin(), parts.end());
  }
  return all[0];
}

struct Pair {
  at::Tensor first, second;
};

void aggregated(std::vector<Pair> &out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    Pair p{torch::zeros({2}), torch::ones({2})};
    out.push_back(p);
  }
}

std::vector<at::Tensor> collect(int64_t n) {
  std::vector<at::Tensor> result(n);
  for (auto &r : result)
    r = torch::zeros({4});
  return result;
}
