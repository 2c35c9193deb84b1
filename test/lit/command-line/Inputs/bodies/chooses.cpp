#include <given.h>

#include <chosen.h>

at::Tensor rows(at::Tensor x) {
  return at::zeros({2, 3}).t().view(-1).slice(0, 0, chosen::size(x));
}
