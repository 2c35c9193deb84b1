// RUN: %check %s -- -std=c++17
// RUN: %silent %s -- -DSILENT -std=c++17

// The operations of torch::stable are functions, of the same names.

#include "Inputs/stable.h"

#include <vector>

namespace st = torch::stable;
using st::Tensor;
using torch::headeronly::DeviceType;
using torch::headeronly::ScalarType;

#ifndef SILENT

Tensor transposed(int64_t n) {
  Tensor x = st::empty({n, 4, 8}, ScalarType::Float);
  Tensor y = st::transpose(x, 0, 1);
  // CHECK-MESSAGES: :[[@LINE+1]]:14: warning: view(y, {-1}) cannot merge dimensions 1 and 2 of 'y': sizes [4, n, 8], strides [8, 32, 1]; throws unless n is 1
  return st::view(y, {-1});
}
Tensor narrowed(int64_t n) {
  Tensor x = st::full({n, 8}, 1.0);
  Tensor y = st::narrow(x, 1, 0, 4);
  // CHECK-MESSAGES: :[[@LINE+1]]:14: warning: view(y, {4*n}) cannot merge dimensions 0 and 1 of 'y': sizes [n, 4], strides [8, 1]; throws unless n is 1
  return st::view(y, {n * 4});
}
Tensor cloned(const Tensor &x) {
  Tensor y = st::clone(st::transpose(st::new_empty(x, {4, 8}), 0, 1));
  // CHECK-MESSAGES: :[[@LINE+1]]:14: warning: view(y, {32}) cannot merge dimensions 0 and 1 of 'y': sizes [8, 4], strides [1, 8]; throws
  return st::view(y, {32});
}
Tensor checked(const Tensor &x) {
  STD_TORCH_CHECK(x.is_contiguous(), "packed");
  // CHECK-MESSAGES: :[[@LINE+1]]:14: warning: contiguous() does nothing: 'x' is contiguous already
  return st::contiguous(x);
}
int64_t ranked(const Tensor &x) {
  STD_TORCH_CHECK(x.dim() == 3);
  Tensor y = st::permute(x, {0, 2, 1});
  // CHECK-MESSAGES: :[[@LINE+1]]:12: warning: size(3): dimension 3 of 'y' is out of range [-3, 2]; throws
  return y.size(3);
}
void sizes(const Tensor &x) {
  Tensor a = st::new_empty(x, {4, 8});
  // CHECK-MESSAGES: :[[@LINE+1]]:18: warning: matmul(a, a): shapes 4x8 and 4x8 cannot be multiplied; throws
  Tensor p = st::matmul(a, a);
  // CHECK-MESSAGES: :[[@LINE+1]]:18: warning: subtract(a, ...): sizes 8 and 7 do not match at dimension 1; throws
  Tensor q = st::subtract(a, st::new_empty(x, {4, 7}));
  // CHECK-MESSAGES: :[[@LINE+1]]:18: warning: select(a, 0, 4): index 4 is out of range for size 4 of dimension 0; throws
  Tensor r = st::select(a, 0, 4);
  // CHECK-MESSAGES: :[[@LINE+1]]:7: warning: copy_(a, ...): size 3 does not fit into the size 4 of dimension 0 of 'a'; throws
  st::copy_(a, st::new_empty(x, {3, 8}));
}
Tensor padded(const Tensor &x) {
  Tensor y = st::pad(st::new_empty(x, {4, 8}), {1, 1});
  // CHECK-MESSAGES: :[[@LINE+1]]:14: warning: view(y, {4, 9}): shape [4, 9] does not fit the 40 elements of 'y'; throws
  return st::view(y, {4, 9});
}
Tensor strided(float *data) {
  Tensor x = st::from_blob(data, {4, 8}, {1, 4}, DeviceType::CPU, ScalarType::Float);
  // CHECK-MESSAGES: :[[@LINE+1]]:14: warning: view(x, {32}) cannot merge dimensions 0 and 1 of 'x': sizes [4, 8], strides [1, 4]; throws
  return st::view(x, {32});
}
Tensor dangling() {
  std::vector<float> values(32);
  // CHECK-MESSAGES: :[[@LINE+1]]:3: warning: returns a tensor that borrows the memory of 'values', which is gone when the function returns
  return st::from_blob(values.data(), {4, 8}, {8, 1}, DeviceType::CPU, ScalarType::Float);
}

#else

Tensor transposed(int64_t n) {
  Tensor x = st::empty({n, 4, 8}, ScalarType::Float);
  Tensor y = st::transpose(x, 0, 1);
  return st::view(st::contiguous(y), {-1});
}
Tensor narrowed(int64_t n) {
  Tensor x = st::full({n, 8}, 1.0);
  Tensor y = st::narrow(x, 0, 0, 4);
  return st::view(y, {32});
}
Tensor reshaped(const Tensor &x) {
  STD_TORCH_CHECK(x.dim() == 3, "three");
  Tensor y = st::permute(x, {0, 2, 1});
  return st::view(st::reshape(y, {x.sizes()[0], -1}), {-1});
}
Tensor maxima(const Tensor &x) {
  Tensor y = st::amax(st::new_empty(x, {4, 8}), 1);
  st::fill_(y, x.get_device_index());
  return st::view(st::unsqueeze(y, 1), {2, 2});
}
Tensor strided(float *data) {
  Tensor x = st::from_blob(data, {4, 8}, {8, 1}, DeviceType::CPU, ScalarType::Float);
  return st::view(x, {32});
}

#endif
