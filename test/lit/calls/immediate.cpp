// RUN: %check %s --checks=-*,tensor-dangling-data-pointer,tensor-redundant-contiguous,tensor-hidden-copy -- %runtime
// A lambda called where it is written is part of the function around it: what
// is known there of its captures holds in it, and no call is to be explained.

#include <tensortidy/aten.h>
using at::Tensor;

void launch(const float *in, float *out);
int stream();

#define DISPATCH(...)                                                          \
  [&] {                                                                        \
    switch (stream()) {                                                        \
    case 0: {                                                                  \
      using scalar_t = float;                                                  \
      return __VA_ARGS__();                                                    \
    }                                                                          \
    default:                                                                   \
      throw 1;                                                                 \
    }                                                                          \
  }()

Tensor forward(const Tensor &x) {
  auto out = at::zeros({x.size(0), 4});
  DISPATCH([&] {
    float *to = out.contiguous().data_ptr<scalar_t>();
    // CHECK-MESSAGES: [[@LINE-1]]:21: warning: contiguous() does nothing: 'out' is contiguous already [tensor-redundant-contiguous]
    // CHECK-MESSAGES: note: 'out' is a fresh allocation made here: zeros(
    const float *from = x.contiguous().data_ptr<scalar_t>();
    // CHECK-MESSAGES: [[@LINE-1]]:40: warning: data_ptr() points into a temporary, {{.*}} only when 'x' is not contiguous
    // CHECK-MESSAGES: note: used
    launch(from, to);
  });
  return out;
}

// One that is kept may run when the captures have changed.
Tensor later(const Tensor &x) {
  auto out = at::zeros({x.size(0), 4});
  auto run = [&] { return out.contiguous(); };
  out = out.t();
  return run();
}
