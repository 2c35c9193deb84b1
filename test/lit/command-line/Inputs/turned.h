#pragma once
inline at::Tensor turned(const at::Tensor &X) {
  auto Count = X.size(0);
  (void)Count;
  return X.transpose(1, 2);
}
