// RUN: %check %s --checks=-*,tensor-view-after-permute -- -std=c++17
// Since 2.11 an ArrayRef inherits its elements from a class of its own, which
// the stable tensors take as well.

#include <initializer_list>

namespace c10 {
template <typename T> class HeaderOnlyArrayRef {
public:
  HeaderOnlyArrayRef(const T &one);
  HeaderOnlyArrayRef(std::initializer_list<T> list);
  const T &operator[](unsigned long at) const;
  const T &at(unsigned long at) const;
  unsigned long size() const;
};
template <typename T> class ArrayRef : public HeaderOnlyArrayRef<T> {
public:
  using HeaderOnlyArrayRef<T>::HeaderOnlyArrayRef;
  const T &front() const;
};
} // namespace c10
namespace at {
using IntArrayRef = c10::ArrayRef<long>;
class Tensor {
public:
  IntArrayRef sizes() const;
  long size(long dim) const;
  Tensor permute(IntArrayRef dims) const;
  Tensor view(IntArrayRef size) const;
  Tensor reshape(IntArrayRef size) const;
};
Tensor zeros(IntArrayRef size);
} // namespace at

at::Tensor elements(const at::Tensor &x) {
  auto s = x.sizes();
  auto y = at::zeros({s[0], s.at(1), 4}).permute({1, 0, 2});
  return y.view({s[1], s[0] * 4});
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: view({x.size(1), 4*x.size(0)}) cannot merge dimensions 1 and 2 of 'y': {{.*}} throws unless x.size(0) or x.size(1) is 1 [tensor-view-after-permute]
  // CHECK-MESSAGES: note: 'y' got this layout here
  // CHECK-MESSAGES: note: reshape() copies
}

at::Tensor given(c10::HeaderOnlyArrayRef<long> size) {
  auto y = at::zeros({size[0], 4}).permute({1, 0});
  return y.view({size[0] * 4});
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: view({4*size[0]}) cannot merge dimensions 0 and 1 of 'y': {{.*}} throws unless size[0] is 1 [tensor-view-after-permute]
  // CHECK-MESSAGES: note: 'y' got this layout here
  // CHECK-MESSAGES: note: reshape() copies
}

at::Tensor copied(const at::Tensor &x) {
  auto s = x.sizes();
  auto y = at::zeros({s[0], s[1], 4}).permute({1, 0, 2});
  return y.reshape({s[1], s[0] * 4});
}
