// RUN: %exits 2 %tensortidy %s -- %runtime > %t.out
// RUN: FileCheck %s --implicit-check-not=warning: < %t.out
// Statements that clang leaves out, without a word where they are: what is said
// of the rest would be wrong.

#include <tensortidy/aten.h>
#include "not-there.h"
// CHECK: error: 'not-there.h' file not found

#define NOTE(X) (void)(X)

struct Head {
  Norm norm;
  at::Tensor forward(at::Tensor x) {
    x = x.view({2, 3});
    x = norm->widen(x);
    return x.view({7});
  }
  at::Tensor branch(at::Tensor x, bool wide) {
    x = x.view({2, 3});
    if (wide)
      x = norm->widen(x);
    return x.view({7});
  }
  at::Tensor whole(at::Tensor x, int n) {
    [[maybe_unused]] at::Tensor y = x.view({2, 3}); // nothing is missing
    ;
#ifdef NOTE
    NOTE(n);
#endif
    for (int i = 0; i < n; ++i)
      ;
    switch (n) {
    case 1:
    case 2: {
      n = 3;
      break;
    }
    default:
      break;
    };
    // CHECK: :[[#@LINE+1]]:14: warning: view({{.*}}7{{.*}}): shape [7] does not fit the 6 elements of 'y'
    return y.view({7});
  }
};

template <class T> struct Held {
  Held(T V) : Value(std::move(V)) {}
  T get() { if (true) { return Value; }}
  T Value;
};
at::Tensor closed(at::Tensor x) { // nothing between two braces
  Held<at::Tensor> h(x.view({2, 3}));
  // CHECK: :[[#@LINE+1]]:18: warning: view({{.*}}7{{.*}}): shape [7] does not fit the 6 elements
  return h.get().view({7});
}
