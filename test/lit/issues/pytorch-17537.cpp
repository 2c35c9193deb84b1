// https://github.com/pytorch/pytorch/issues/17537
// RUN: %check %s --checks=-*,tensor-* -- %runtime
// Indices are collected in a vector that dies when the function returns.

#include <tensortidy/aten.h>
#include <vector>

at::Tensor bug(int n) {
  std::vector<int> found;
  for (int i = 0; i < 3 * n; ++i)
    found.push_back(i);
  auto options = at::TensorOptions().dtype(at::kInt);
  auto t = at::from_blob(found.data(), {n, 3}, options);
  return t;
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: returns a tensor that borrows the memory of 'found', which is gone when the function returns [tensor-from-blob-lifetime]
}

at::Tensor fix(int n) {
  std::vector<int> found;
  for (int i = 0; i < 3 * n; ++i)
    found.push_back(i);
  auto options = at::TensorOptions().dtype(at::kInt);
  return at::from_blob(found.data(), {n, 3}, options).clone();
}
