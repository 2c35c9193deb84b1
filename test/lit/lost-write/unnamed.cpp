// RUN: %check %s --checks=-*,tensor-lost-write -- %runtime-torch
// Lists that a call returns have handles of their own.

#include <tensortidy/torch.h>
#include <vector>

namespace nn = torch::nn;

std::vector<at::Tensor> made();
std::vector<at::Tensor> &kept();
void use(const at::Tensor &x);

void byReference(nn::Module &net, double rate) {
  for (auto &p : net.parameters()) {
    p = p - rate * p.grad();
    // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: this assignment is lost: it changes only the handle in an unnamed list, and the tensor it came from stays as it was; nothing reads 'p' again [tensor-lost-write]
    // CHECK-MESSAGES: note: 'p.copy_(...)' and other in-place operations write to the tensor itself
  }
}

void byValue(nn::Module &net) {
  for (auto p : net.parameters())
    p = p.to(at::kDouble);
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: this assignment is lost: it changes only the handle in an unnamed list, and the tensor it came from stays as it was; nothing reads 'p' again [tensor-lost-write]
  // CHECK-MESSAGES: note: 'p.copy_(...)'
}

void named(nn::Module &net, double rate) {
  auto all = net.parameters();
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = all[i] * rate;
  // CHECK-MESSAGES: :[[#@LINE-1]]:5: warning: this assignment is lost: it changes only the handle in 'all', and the module's tensor stays as it was; nothing reads 'all' again [tensor-lost-write]
  // CHECK-MESSAGES: note: copy_() writes to the elements
}

void inPlace(nn::Module &net, double rate) {
  for (auto &p : net.parameters())
    p.sub_(rate * p.grad());
  for (auto &p : net.parameters())
    p -= rate;
}

void readAgain(nn::Module &net) {
  for (auto &p : net.parameters()) {
    p = p.flatten();
    use(p);
  }
  for (auto p : made()) {
    p = p + 1;
    use(p);
  }
}

void ofContainers(nn::Module &net, std::vector<at::Tensor> &all) {
  for (auto &t : all)
    t = t + 1;
  for (auto &t : kept())
    t = t + 1;
  auto own = net.parameters();
  for (auto &p : own)
    p = p.clone();
  use(at::cat(own));
}
