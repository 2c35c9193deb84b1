// RUN: %check %s --checks=-*,tensor-lost-write -- %runtime
// Assigning a handle where its elements, its container or the caller's tensor
// were meant.

#include <tensortidy/aten.h>
#include <vector>

void row(at::Tensor x, const at::Tensor &y) {
  auto first = x[0];
  first = y;
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: this assignment is lost: it changes only the handle, and the elements that [] named stay as they were; nothing reads 'first' again [tensor-lost-write]
  // CHECK-MESSAGES: note: copy_() writes to the elements
  // CHECK-FIXES: {{^}}  first.copy_(y);
}

void rows(const at::Tensor &x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    auto one = x.select(0, i);
    one = one / one.sum();
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: this assignment is lost: it changes only the handle, and the elements that select() named stay as they were; nothing reads 'one' again [tensor-lost-write]
    // CHECK-MESSAGES: note: copy_() writes to the elements
    // CHECK-FIXES: {{^}}    one.copy_(one / one.sum());
  }
}

void moved(std::vector<at::Tensor> &all) {
  for (auto t : all)
    t = t.to(at::kDouble);
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: this assignment is lost: it changes only a copy of the container's handle; nothing reads 't' again [tensor-lost-write]
  // CHECK-MESSAGES: note: take 't' by reference to change the container
  // CHECK-FIXES: {{^}}    t = t.to(at::kDouble);
  for (auto &t : all)
    t = t.to(at::kFloat);
}

void scale(at::Tensor image) {
  image = image / 255;
  // CHECK-MESSAGES: :[[#@LINE-1]]:3: warning: this assignment is lost: it changes only the handle of this function, and the caller's tensor stays as it was; nothing reads 'image' again [tensor-lost-write]
  // CHECK-MESSAGES: note: return it, take 'image' by reference
}

void scaleReference(at::Tensor &image) { image = image / 255; }

at::Tensor scaled(at::Tensor image) {
  image = image / 255;
  return image;
}

void masked(at::Tensor x, const at::Tensor &y) {
  x.index({x > 0}) = y;
  // CHECK-MESSAGES: :[[#@LINE-1]]:20: warning: this assignment is lost: it writes to the copy that index() makes [tensor-lost-write]
  // CHECK-MESSAGES: note: index_put_() writes to the elements themselves
  // CHECK-FIXES: {{^}}  x.index_put_({x > 0}, y);
}

void selected(const at::Tensor &x) {
  auto positive = x.index({x > 0});
  positive.zero_();
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: zero_() is lost: nothing reads 'positive', the copy of 'x' that index() makes [tensor-lost-write]
  // CHECK-MESSAGES: :[[#@LINE-3]]:21: note: the copy is made here
  // CHECK-MESSAGES: note: index_put_() writes to the elements themselves
}

void step(at::Tensor param, const at::Tensor &grad) {
  auto p = param.contiguous();
  p.sub_(grad);
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: sub_() is lost: nothing reads 'p', the copy of 'param' that contiguous() makes where 'param' is not contiguous [tensor-lost-write]
  // CHECK-MESSAGES: :[[#@LINE-3]]:18: note: the copy is made here
  // CHECK-MESSAGES: note: 'param.copy_(p)' afterwards takes it back
}

void stepBack(at::Tensor param, const at::Tensor &grad) {
  auto p = param.contiguous();
  p.sub_(grad);
  param.copy_(p);
}

void stepChecked(at::Tensor param, const at::Tensor &grad) {
  TORCH_CHECK(param.is_contiguous());
  auto p = param.contiguous();
  p.sub_(grad);
}

void stepThroughView(at::Tensor param, const at::Tensor &grad) {
  auto p = param.contiguous();
  auto flat = p.view({-1});
  p.sub_(grad);
  param.copy_(flat.view_as(param));
}

float readLater(at::Tensor x, int64_t n) {
  auto row = x[0];
  float total = 0;
  for (int64_t i = 0; i < n; ++i) {
    total += row.sum().item<float>();
    row = row * 2; // read by the next iteration
  }
  auto other = x[1];
  other = x[2];
  other.add_(1); // writes to x[2]
  auto third = x[3];
  third = third + 1;
  auto later = [third] { return third.sum().item<float>(); };
  auto fourth = x[4];
  auto seen = [&fourth] { return fourth.sum().item<float>(); };
  fourth = x[5];
  return total + later() + seen();
}

void scratch(at::Tensor x) {
  auto row = x[0];
  row.add_(1);
  row = at::Tensor(); // lets go of it
}

void relayout(at::Tensor x) {
  auto row = x[0];
  row = row.contiguous();
}

double leftOver(const std::vector<at::Tensor> &parts, at::Tensor target) {
  auto first = parts[0], row = target[0];
  auto loss = (first - row).sum().item<double>();
  first = first.to(at::kDouble); // of no use, but nothing was to be written
  row = row * 2;
  target = target.to(at::kDouble);
  return loss;
}
