#include <tensortidy/aten.h>

at::Tensor turned(int64_t a, int64_t b) {
  auto y = torch::zeros({a, b}).t();
  return y.view(-1);
}
