// RUN: %check %s --checks=-*,tensor-* -- %runtime
// A lambda that is the argument of a macro is code like any other; what a macro
// makes of its arguments, or has in itself, is not.

#include <tensortidy/aten.h>

#define DISPATCH(TYPE, ...)                                                    \
  [&] {                                                                        \
    if ((TYPE) == at::kFloat) {                                                \
      using scalar_t = float;                                                  \
      return __VA_ARGS__();                                                    \
    }                                                                          \
    using scalar_t = double;                                                   \
    return __VA_ARGS__();                                                      \
  }()
#define THROWS(...)                                                            \
  try {                                                                        \
    __VA_ARGS__;                                                               \
  } catch (...) {                                                              \
  }
#define IGNORE(...) (__VA_ARGS__)

void use(const at::Tensor &);

void dispatched(const at::Tensor &x, int64_t n, int64_t m) {
  auto out = torch::zeros({n, m});
  DISPATCH(x.scalar_type(), [&] {
    x.contiguous();
    // CHECK-MESSAGES: :[[#@LINE-1]]:7: warning: contiguous() does not change 'x', and its result is thrown away [tensor-discarded-result]
    const scalar_t *p = x.contiguous().data_ptr<scalar_t>();
    // CHECK-MESSAGES: :[[#@LINE-1]]:40: warning: data_ptr() points into a temporary, the result of contiguous(), that is gone at the end of this statement; only when 'x' is not contiguous, so tests with contiguous input pass [tensor-dangling-data-pointer]
    out.fill_(p[0]);
    auto copy = torch::ones({n, 3});
    use(copy.contiguous());
    // CHECK-MESSAGES: :[[#@LINE-1]]:14: warning: contiguous() does nothing: 'copy' is contiguous already [tensor-redundant-contiguous]
    // CHECK-FIXES: use(copy);
    THROWS(x.reshape({n}))
    IGNORE(x.contiguous());
  });
}

void written(const at::Tensor &x, int64_t n) {
  THROWS(x.reshape({n}))
  IGNORE(x.contiguous());
}
