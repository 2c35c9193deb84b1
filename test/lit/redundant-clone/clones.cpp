// RUN: %check %s --checks=-*,tensor-redundant-clone -- %runtime
// Copies that protect nothing.

#include <tensortidy/aten.h>

#include <vector>

at::Tensor temporary(const at::Tensor &a, const at::Tensor &b) {
  return torch::matmul(a, b).clone();
  // CHECK-MESSAGES: :[[#@LINE-1]]:30: warning: clone() copies the result of matmul(), which nothing uses afterwards [tensor-redundant-clone]
  // CHECK-MESSAGES: note: matmul() allocates it here
  // CHECK-FIXES: {{^}}  return torch::matmul(a, b);
}

at::Tensor lastUse(int64_t n) {
  auto x = torch::zeros({n, 4});
  x.select(0, 0).fill_(1);
  auto y = x.clone();
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: clone() copies 'x', which nothing uses afterwards (16*n bytes) [tensor-redundant-clone]
  // CHECK-MESSAGES: note: zeros() allocates it here
  // CHECK-FIXES: {{^}}  auto y = x;
  y.add_(1);
  return y;
}

void eachIteration(std::vector<at::Tensor> &out, const at::Tensor &x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    auto row = x + i;
    out.push_back(row.clone());
    // CHECK-MESSAGES: :[[#@LINE-1]]:23: warning: clone() copies 'row', which nothing uses afterwards [tensor-redundant-clone]
    // CHECK-MESSAGES: note: operator+ allocates it here
  }
}

at::Tensor readOnly(const at::Tensor &x, const at::Tensor &w) {
  auto y = x.clone();
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: clone() of 'x' is not needed: the copy is only read, and nothing changes the original meanwhile [tensor-redundant-clone]
  return torch::matmul(y, w) + y.sum();
}

at::Tensor readAtOnce(at::Tensor x) {
  auto y = x.clone() * 2;
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: clone() of 'x' is not needed: {{.*}} [tensor-redundant-clone]
  x.zero_();
  return y;
}

at::Tensor ownMemory(const at::Tensor &x, int64_t n) {
  auto out = torch::zeros({n});
  auto y = x.clone();
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: clone() of 'x' is not needed: {{.*}} [tensor-redundant-clone]
  out.add_(y); // cannot be x
  return out;
}

at::Tensor ofMemory(std::vector<double> numbers) {
  const int64_t n = numbers.size();
  return torch::from_blob(numbers.data(), {n}, torch::kDouble).clone().to(torch::kFloat);
  // CHECK-MESSAGES: :[[#@LINE-1]]:64: warning: clone() of its operand is not needed: {{.*}} [tensor-redundant-clone]
}

at::Tensor beforeConversion(int64_t n) {
  auto x = torch::ones({n});
  auto y = x.clone().to(torch::kDouble);
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: clone() copies 'x', which nothing uses afterwards (4*n bytes) [tensor-redundant-clone]
  // CHECK-MESSAGES: note: ones() allocates it here
  // CHECK-FIXES: {{^}}  auto y = x.to(torch::kDouble);
  return y;
}

at::Tensor ofAClone(const at::Tensor &x) {
  return x.clone().clone();
  // CHECK-MESSAGES: :[[#@LINE-1]]:20: warning: clone() copies the result of clone(), which nothing uses afterwards [tensor-redundant-clone]
  // CHECK-MESSAGES: note: clone() allocates it here
  // CHECK-FIXES: {{^}}  return x.clone();
}

at::Tensor ofAConversion(int64_t n) {
  auto x = torch::zeros({n});
  auto y = x.to(torch::kInt).clone();
  // CHECK-MESSAGES: :[[#@LINE-1]]:30: warning: clone() copies the result of to(), which nothing uses afterwards {{.*}} [tensor-redundant-clone]
  // CHECK-MESSAGES: note: to() allocates it here
  // CHECK-FIXES: {{^}}  auto y = x.to(torch::kInt);
  return y;
}

at::Tensor denseTwice(const at::Tensor &x) {
  auto a = x.contiguous().clone();
  // CHECK-MESSAGES: :[[#@LINE-1]]:27: warning: contiguous() and clone() copy 'x' twice unless it is contiguous; clone(at::MemoryFormat::Contiguous) copies once [tensor-redundant-clone]
  // CHECK-FIXES: {{^}}  auto a = x.clone(at::MemoryFormat::Contiguous);
  auto b = x.clone().contiguous();
  // CHECK-MESSAGES: :[[#@LINE-1]]:22: warning: clone() and contiguous() copy 'x' twice unless the clone is contiguous; clone(at::MemoryFormat::Contiguous) copies once [tensor-redundant-clone]
  // CHECK-FIXES: {{^}}  auto b = x.clone(at::MemoryFormat::Contiguous);
  auto c = x.clone().contiguous() + 1;
  // CHECK-MESSAGES: :[[#@LINE-1]]:22: warning: clone() and contiguous() copy 'x' twice unless the clone is contiguous; {{.*}} [tensor-redundant-clone]
  // CHECK-FIXES: {{^}}  auto c = x.clone(at::MemoryFormat::Contiguous) + 1;
  a.add_(1);
  b.add_(1);
  return a + b + c;
}

at::Tensor surelyTwice(const at::Tensor &x) {
  TORCH_CHECK(!x.is_contiguous());
  auto a = x.contiguous().clone();
  // CHECK-MESSAGES: :[[#@LINE-1]]:27: warning: contiguous() and clone() copy 'x' twice; {{.*}} [tensor-redundant-clone]
  // CHECK-FIXES: {{^}}  auto a = x.clone(at::MemoryFormat::Contiguous);
  a.add_(1);
  return a;
}

at::Tensor twoConversions(int64_t n) {
  auto ids = torch::arange(n);
  auto mask = torch::zeros({n}, torch::kBool);
  auto a = mask.to(torch::kFloat).to(torch::kDouble);
  // CHECK-MESSAGES: :[[#@LINE-1]]:35: warning: two conversions copy twice: bool to float32 keeps every value, so to(float64) alone gives the same [tensor-redundant-clone]
  // CHECK-FIXES: {{^}}  auto a = mask.to(torch::kDouble);
  auto b = ids.to(torch::kFloat).to(torch::kDouble); // rounds
  auto c = a.to(torch::kInt).to(torch::kFloat);      // cuts off
  return a + b + c;
}

at::Tensor ofOne(const at::Tensor &x) {
  auto a = torch::cat({x}, 0);
  // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: cat() of one tensor only copies it [tensor-redundant-clone]
  auto b = torch::stack({x}, 0);
  // CHECK-MESSAGES: :[[#@LINE-1]]:19: warning: stack() of one tensor only copies it; unsqueeze() gives the same sizes without a copy [tensor-redundant-clone]
  return a + b;
}

// Contiguous for certain: what reads it sees the same strides.
at::Tensor readOnlyFix(int64_t n) {
  auto x = torch::zeros({n});
  auto y = x.clone();
  // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: clone() of 'x' is not needed: {{.*}} (4*n bytes) [tensor-redundant-clone]
  // CHECK-FIXES: {{^}}  auto y = x;
  return x + y;
}

// Fresh on every branch, in every arm.
at::Tensor branches(const at::Tensor &x, bool c) {
  at::Tensor y;
  if (c)
    y = x + 1;
  else
    y = x * 2;
  return y.clone();
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: clone() copies 'y', which nothing uses afterwards [tensor-redundant-clone]
  // CHECK-MESSAGES: note: {{operator\+|operator\*}} allocates it here
  // CHECK-MESSAGES: note: {{operator\+|operator\*}} allocates it here
  // CHECK-FIXES: {{^}}  return y;
}

at::Tensor arms(const at::Tensor &x, bool c) {
  at::Tensor y = c ? x + 1 : x * 2;
  return y.clone();
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: clone() copies 'y', which nothing uses afterwards [tensor-redundant-clone]
  // CHECK-MESSAGES: note: {{operator\+|operator\*}} allocates it here
  // CHECK-MESSAGES: note: {{operator\+|operator\*}} allocates it here
}

// contiguous() and to() hand on the function's own tensor, or a copy of it.
at::Tensor handedOn(const at::Tensor &a, const at::Tensor &b) {
  auto both = torch::stack({a, b});
  both = both.contiguous();
  return both.clone();
  // CHECK-MESSAGES: :[[#@LINE-1]]:15: warning: clone() copies 'both', which nothing uses afterwards [tensor-redundant-clone]
  // CHECK-MESSAGES: note: stack() allocates it here
  // CHECK-FIXES: {{^}}  return both;
}

at::Tensor converted(const at::Tensor &a) {
  auto wide = a.mul(2).to(torch::kDouble);
  return wide.clone();
  // CHECK-MESSAGES: :[[#@LINE-1]]:15: warning: clone() copies 'wide', which nothing uses afterwards [tensor-redundant-clone]
  // CHECK-MESSAGES: note: mul() allocates it here
}

// A copy for each iteration that only copy_() reads.
at::Tensor batched(const std::vector<at::Tensor> &frames, int64_t n, int64_t m) {
  auto batch = at::empty({static_cast<int64_t>(frames.size()), n, m});
  for (size_t i = 0; i < frames.size(); ++i) {
    auto turned = frames[i].t();
    auto frame = turned.clone();
    // CHECK-MESSAGES: :[[#@LINE-1]]:25: warning: clone() of 'turned' is not needed: the copy is only read, and nothing changes the original meanwhile {{.*}}[tensor-redundant-clone]
    batch[i].copy_(frame);
  }
  return batch;
}

// What the next iteration reads is that of the one before.
at::Tensor smoothed(at::Tensor x, int64_t steps) {
  auto before = at::zeros_like(x);
  for (int64_t i = 0; i < steps; ++i) {
    auto now = x.clone();
    x.mul_(0.5).add_(before);
    before = now;
  }
  return before;
}
