// RUN: %check %s --checks=-*,tensor-lost-write -- %runtime
// Elements of lists of views.

#include <tensortidy/aten.h>
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
