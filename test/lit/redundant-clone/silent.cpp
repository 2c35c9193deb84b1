// RUN: %check %s --checks=-*,tensor-redundant-clone -- %runtime
// Copies that are needed, or may be.

#include <tensortidy/aten.h>

#include <vector>

void use(const at::Tensor &x);
void change(at::Tensor &x);
at::Tensor make();

struct Cache {
  at::Tensor state;
  std::vector<at::Tensor> all;

  void keep(const at::Tensor &x) { state = x.clone(); }
  at::Tensor snapshot() { return state.clone(); }
  at::Tensor made(int64_t n) {
    state = torch::zeros({n});
    return state.clone();
  }
  at::Tensor listed(int64_t n) {
    auto x = torch::zeros({n});
    all.push_back(x);
    return x.clone();
  }
};

at::Tensor writesCopy(const at::Tensor &x) {
  auto y = x.clone();
  y.add_(1);
  return y;
}
at::Tensor writesOriginal(at::Tensor x) {
  auto y = x.clone();
  x.add_(1);
  return x * y;
}
at::Tensor mayBeTheSame(const at::Tensor &x, at::Tensor out) {
  auto y = x.clone();
  out.add_(y);
  out.mul_(y);
  return out;
}
at::Tensor unknownCode(const at::Tensor &x) {
  auto y = x.clone();
  use(x); // may write the elements
  return y + 1;
}
at::Tensor ofUnknown() { return make().clone(); }
at::Tensor given(const at::Tensor &x) {
  auto y = x.clone();
  use(y);
  return x;
}
at::Tensor usedLater(int64_t n) {
  auto x = torch::zeros({n});
  auto y = x.clone();
  y.add_(1);
  return x + y;
}
at::Tensor viewUsedLater(int64_t n) {
  auto x = torch::zeros({n, n});
  auto row = x.select(0, 0);
  auto y = x.clone();
  y.add_(1);
  return row + y;
}
at::Tensor usedOnOnePath(int64_t n, bool both) {
  auto x = torch::zeros({n});
  auto y = x.clone();
  y.add_(1);
  if (both)
    y.add_(x);
  return y;
}
at::Tensor nextIteration(int64_t n) {
  auto x = torch::zeros({n});
  auto sum = torch::zeros({n});
  for (int64_t i = 0; i < n; ++i) {
    auto y = x.clone();
    y.add_(i);
    sum.add_(y);
  }
  return sum;
}
at::Tensor borrowed(float *data, int64_t n) { return torch::from_blob(data, {n}).clone(); }
at::Tensor part(int64_t n) { return torch::zeros({n, n}).narrow(0, 0, 1).clone(); }
at::Tensor packs(const at::Tensor &x) {
  auto y = x.t().clone(at::MemoryFormat::Contiguous);
  return y + 1;
}
at::Tensor wide(const at::Tensor &x, int64_t n) {
  auto y = x.expand({n, 4}).clone();
  return y + y;
}
at::Tensor viewed(const at::Tensor &x) { return x.clone().view({-1}) + 1; }
at::Tensor raw(const at::Tensor &x) {
  auto y = x.clone();
  y.data_ptr<float>()[0] = 1;
  return x + y;
}
at::Tensor swapped(int64_t n) {
  auto a = torch::zeros({n}), b = torch::ones({n});
  auto last = a.clone();
  a.copy_(b);
  b.copy_(last);
  return a + b;
}
// Autograd may need the result of exp() as it is.
at::Tensor saved(const at::Tensor &x) { return torch::exp(x).clone(); }
at::Tensor savedBefore(const at::Tensor &x) {
  auto y = x + 1;
  auto z = y * y;
  auto w = y.clone();
  w.add_(z);
  return w;
}
at::Tensor lambda(int64_t n) {
  auto x = torch::zeros({n});
  auto later = [&] { return x.sum(); };
  auto y = x.clone();
  y.add_(1);
  return y + later();
}
at::Tensor caught(const at::Tensor &a) {
  auto x = a + 1;
  try {
    return x.clone();
  } catch (...) {
    return x;
  }
}
at::Tensor reassigned(const at::Tensor &a, bool again) {
  auto x = a + 1;
  at::Tensor y;
  do {
    y = x.clone();
    x.add_(1);
  } while (again);
  return y;
}
at::Tensor several(const at::Tensor &a, const std::vector<at::Tensor> &more) {
  return torch::cat({a, a}) + torch::cat(more) + torch::stack({more});
}
void argument(at::Tensor &x) {
  x = torch::zeros({3});
  auto y = x.clone();
  change(x);
  use(y);
}

// What is const stays as it is, whoever else uses it.
at::Tensor compared() {
  const auto logits = torch::rand({4, 8});
  auto output = logits.clone();
  change(output);
  return output;
}

// Nor is the last of several copies of one original the one too many.
at::Tensor copies(int64_t n) {
  auto x = torch::zeros({n});
  auto a = x.clone();
  auto b = x.clone();
  a.add_(1);
  b.add_(2);
  return a + b;
}

// The caller's in one arm; of an earlier iteration; used by another name.
at::Tensor perhapsGiven(const at::Tensor &x, bool c) {
  at::Tensor y = c ? x + 1 : x;
  return y.clone();
}

std::vector<at::Tensor> iterations(const at::Tensor &x, int64_t n) {
  std::vector<at::Tensor> all;
  at::Tensor y = x + 1;
  for (int64_t i = 0; i < n; ++i) {
    all.push_back(y.clone());
    if (i % 2)
      y = x * i;
    y.add_(1);
  }
  return all;
}

std::pair<at::Tensor, at::Tensor> twice(const at::Tensor &x, bool c) {
  at::Tensor y, z = x * 2;
  if (c)
    y = x + 1;
  else
    y = z;
  return {y.clone(), z};
}

// What autograd saves of mm() is the copy, and the original changes.
at::Tensor power(at::Tensor y, int64_t n) {
  auto w = torch::rand({4, 4});
  for (int64_t i = 0; i < n; ++i) {
    y = y.mm(w.clone());
    w.add_(1);
  }
  return y;
}
at::Tensor powerOf(at::Tensor y, at::Tensor w) {
  y = y.mm(w.clone());
  w.add_(1);
  return y;
}

// Autograd keeps the index until backward(); what `rows` holds is gone by then.
at::Tensor pickRows(const at::Tensor &x, std::vector<int64_t> rows, at::Device device) {
  const int64_t n = rows.size();
  auto index = torch::from_blob(rows.data(), {n}, torch::kLong).clone().to(device);
  return x.index_select(0, index);
}
at::Tensor addRows(at::Tensor out, const at::Tensor &x, std::vector<int64_t> rows) {
  const int64_t n = rows.size();
  auto index = torch::from_blob(rows.data(), {n, 1}, torch::kLong).clone();
  out.scatter_add_(0, index.expand({n, 4}), x);
  return out;
}
at::Tensor scaled(const at::Tensor &x, std::vector<float> factors) {
  const int64_t n = factors.size();
  return x * torch::from_blob(factors.data(), {n}).clone();
}
at::Tensor pickThenMove(const at::Tensor &x, at::Tensor index) {
  auto y = x.index_select(0, index.clone());
  index.add_(1);
  return y;
}

// What contiguous() and to() hand on is another's, or is used again.
at::Tensor handedOn(const at::Tensor &x, bool twice) {
  auto y = x.contiguous();
  if (twice)
    y = x.mul(2).contiguous();
  return y.clone();
}
at::Tensor usedAgain(const at::Tensor &x) {
  auto sum = x.add(1);
  auto dense = sum.contiguous();
  auto kept = dense.clone();
  sum.add_(1);
  return kept.mul_(2) + sum;
}
at::Tensor borrowed(std::vector<float> numbers) {
  const int64_t n = numbers.size();
  auto x = torch::from_blob(numbers.data(), {n}).to(torch::kFloat);
  return x.clone();
}
