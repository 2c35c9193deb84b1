// RUN: %silent %s -- %runtime-torch
// A variable that is written over and over: where its sizes come from is looked
// for along each of its stores once. Each way to go from store to load to store
// is one of 512 ^ 3 here, and the function was given up after minutes.
#include <tensortidy/torch.h>

#define TWICE(Code) Code Code
#define OFTEN(Code) TWICE(TWICE(TWICE(TWICE(TWICE(TWICE(TWICE(TWICE(Code))))))))

torch::Tensor decay(const torch::Tensor &x, int64_t n, int64_t m) {
  auto y = torch::zeros({n, m});
  OFTEN(y = y + x * 2.0; y = y * y.sin();)
  return y;
}
