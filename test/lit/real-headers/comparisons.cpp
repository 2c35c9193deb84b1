// RUN: %check %s --checks=-*,tensor-redundant-contiguous,tensor-shape-mismatch -- %aten
// RUN: %check %s --checks=-*,tensor-redundant-contiguous,tensor-shape-mismatch -- %plain-torch -DNDEBUG
// TORCH_CHECK_EQ and its kin, which are glog's or a message of c10's, as the
// release has them.

#include <ATen/ATen.h>
#include <c10/util/Logging.h>

at::Tensor packed(const at::Tensor &weight) {
  TORCH_CHECK_EQ(weight.is_contiguous(), true) << "the kernel wants rows";
  return weight.contiguous();
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: contiguous() does nothing: 'weight' is contiguous already
  // CHECK-MESSAGES: note: 'weight' is known to be contiguous from here
}
at::Tensor notStrided(const at::Tensor &weight) {
  TORCH_CHECK_NE(weight.is_contiguous(), false);
  return weight.contiguous();
  // CHECK-MESSAGES: :[[#@LINE-1]]:17: warning: contiguous() does nothing: 'weight' is contiguous already
  // CHECK-MESSAGES: note: 'weight' is known to be contiguous from here
}
int64_t headsOf(const at::Tensor &q) {
  TORCH_CHECK_LT(q.dim(), 3);
  return q.size(2);
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: size(2): dimension 2 of 'q' is out of range
}
int64_t rowsOf(const at::Tensor &q) {
  TORCH_CHECK_GE(q.dim(), 3);
  return q.size(2);
}
at::Tensor paired(const at::Tensor &q, const at::Tensor &k) {
  TORCH_CHECK_EQ(q.dim(), 2);
  TORCH_CHECK_EQ(q.size(0), k.size(0));
  TORCH_CHECK_EQ(q.size(1), 4) << "four in a group";
  return q.view({k.size(0), 5});
  // CHECK-MESSAGES: :[[#@LINE-1]]:12: warning: view({k.size(0), 5}): shape [q.size(0), 5] does not fit
}
at::Tensor regrouped(const at::Tensor &q, const at::Tensor &k) {
  TORCH_CHECK_EQ(q.numel(), k.numel());
  return q.contiguous().view({k.size(0), -1});
}
