// RUN: %check %s --checks=-*,tensor-lost-write -- %runtime
// Elements of lists of views.

#include <tensortidy/aten.h>
#include <map>
#include <string>
#include <vector>

void chunk(at::Tensor x, const at::Tensor &y) {
  auto parts = x.chunk(2);
  parts[0] = y;
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: this assignment is lost: it changes only the handle in 'parts', and the elements that chunk() named stay as they were; nothing reads 'parts' again [tensor-lost-write]
  // CHECK-MESSAGES: note: copy_() writes to the elements
}

void rows(at::Tensor x) {
  auto all = x.unbind(0);
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = all[i] * 2;
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: this assignment is lost: it changes only the handle in 'all', and the elements that unbind() named stay as they were
  // CHECK-MESSAGES: note: copy_() writes to the elements
}

at::Tensor silent(at::Tensor x, at::Tensor y, std::vector<at::Tensor> given) {
  auto parts = x.chunk(2);
  parts[0] = y;
  auto rows = x.unbind(0);
  rows[0].copy_(y);
  rows[0] = rows[0].contiguous();
  auto two = x.split(2);
  two[0] = y + 1;
  auto first = two[0] * 2;
  std::vector<at::Tensor> own{x, y};
  own[0] = y + 1;
  given[0] = y + 2;
  auto kept = x.chunk(2);
  auto &alias = kept;
  kept[0] = y + 3;
  return torch::cat(parts) + first + alias[0];
}

void gates(at::Tensor x) {
  auto c = x.chunk(4, 1);
  c[0] = torch::sigmoid(c[0]);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: this assignment is lost: it changes only the handle in 'c', and the elements that chunk() named stay as they were
  // CHECK-MESSAGES: note: copy_() writes to the elements
  c[1] = torch::tanh(c[1]);
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: this assignment is lost: it changes only the handle in 'c'
  // CHECK-MESSAGES: note: copy_() writes to the elements
}

at::Tensor gatesRead(at::Tensor x, int64_t i) {
  auto c = x.chunk(4, 1);
  c[0] = torch::sigmoid(c[0]);
  c[1] = torch::tanh(c[1]);
  return c[0] * c[i];
}

void half(at::Tensor x) {
  auto parts = x.split(2);
  auto first = parts[0];
  first = parts[1].clone();
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: this assignment is lost: it changes only the handle, and the elements that split() named stay as they were; nothing reads 'first' again
  // CHECK-MESSAGES: note: copy_() writes to the elements
}

void halfWritten(at::Tensor x, std::vector<at::Tensor> given) {
  auto parts = x.split(2);
  auto first = parts[0];
  first.copy_(parts[1]);
  auto second = given[1];
  second = second.contiguous();
}

void values(std::map<std::string, at::Tensor> &m) {
  for (auto pair : m)
    pair.second = pair.second.cpu();
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: this assignment is lost: it changes only 'pair', a copy of the container's element; nothing reads 'pair' again
  // CHECK-MESSAGES: note: take 'pair' by reference to change the container
  for (auto [name, t] : m)
    t = t.cpu();
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: this assignment is lost: it changes only a copy of the container's handle; nothing reads 't' again
  // CHECK-MESSAGES: note: take 't' by reference to change the container
}

void valuesKept(std::map<std::string, at::Tensor> &m, std::vector<at::Tensor> &out) {
  for (auto &pair : m)
    pair.second = pair.second.cpu();
  for (auto &[name, t] : m)
    t = t.cpu();
  for (auto pair : m) {
    pair.second = pair.second.cpu();
    out.push_back(pair.second);
  }
}
