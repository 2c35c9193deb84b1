// The line below is asked about.
#include <tensortidy/aten.h>
at::Tensor turned(int64_t M, int64_t N) {
  auto X = at::zeros({M, N});
  auto Y = X.transpose(0, 1);
  return Y.view({-1});
}
